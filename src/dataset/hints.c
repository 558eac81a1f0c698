/* See hints.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "hints.h"
#include "status.h"

enum { KIND_INT64, KIND_TEXT };

static const struct row {
    const char *name;
    int kind;
    size_t at; /* in struct pcdf_hints */
    const char *fallback;
    int64_t low, high;
} rows[] = {
#define PCDF_HINT(name, kind, field, fallback, low, high, help)                                              \
    { #name, KIND_##kind, offsetof(struct pcdf_hints, field), #fallback, low, high },
#include "hints.def"
#undef PCDF_HINT
};
#define ROWS (sizeof rows / sizeof rows[0])

static int64_t *number_of(struct pcdf_hints *hints, const struct row *row)
{
    return (int64_t *)((char *)hints + row->at);
}

static char *text_of(struct pcdf_hints *hints, const struct row *row)
{
    return (char *)hints + row->at;
}

/* A value that is no number, negative or out of reach keeps what was there. */
static void set_value(struct pcdf_hints *hints, const struct row *row, const char *value)
{
    if (row->kind == KIND_TEXT) {
        snprintf(text_of(hints, row), PCDF_HINT_TEXT_MAX, "%.*s", PCDF_HINT_TEXT_MAX - 1, value);
        return;
    }
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (errno || end == value || number < 0)
        return;
    if (number > 0 && number < row->low)
        number = row->low;
    *number_of(hints, row) = number == 0 && row->low > 0 ? *number_of(hints, row)
                             : number > row->high        ? row->high
                                                         : number;
}

static void set_defaults(struct pcdf_hints *hints)
{
    for (size_t i = 0; i < ROWS; i++) {
        const char *fallback = rows[i].fallback;
        size_t n = strlen(fallback);
        if (rows[i].kind == KIND_TEXT) /* the table's string, without its quotation marks */
            snprintf(text_of(hints, &rows[i]), PCDF_HINT_TEXT_MAX, "%.*s", (int)n - 2, fallback + 1);
        else
            *number_of(hints, &rows[i]) = strtoll(fallback, NULL, 10);
    }
}

static void take_from(struct pcdf_hints *hints, MPI_Info info)
{
    char value[MPI_MAX_INFO_VAL + 1];
    for (size_t i = 0; i < ROWS; i++) {
        int found = 0;
        MPI_Info_get(info, rows[i].name, MPI_MAX_INFO_VAL, value, &found);
        if (found)
            set_value(hints, &rows[i], value);
    }
}

static char *trimmed(char *text)
{
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n > 0 && strchr(" \t", text[n - 1]))
        text[--n] = '\0';
    return text;
}

/* "name=value;name=value" into info; items without a name or a value are left out. */
static int merge_environment(MPI_Info info, const char *environment)
{
    char *copy = pcdf_strndup(environment, strlen(environment)), *rest = NULL;
    if (!copy)
        return PCDF_FAIL(NC_ENOMEM, "no memory for PNETCDF_HINTS");
    for (char *item = strtok_r(copy, ";", &rest); item; item = strtok_r(NULL, ";", &rest)) {
        char *equals = strchr(item, '=');
        if (!equals)
            continue;
        *equals = '\0';
        char *name = trimmed(item), *value = trimmed(equals + 1);
        if (*name && *value && strlen(name) < MPI_MAX_INFO_KEY && strlen(value) < MPI_MAX_INFO_VAL)
            MPI_Info_set(info, name, value);
    }
    pcdf_free(copy);
    return NC_NOERR;
}

int pcdf_hints_read(struct pcdf_hints *hints, MPI_Info info)
{
    const char *environment = getenv("PNETCDF_HINTS");
    set_defaults(hints);
    int err = info == MPI_INFO_NULL ? MPI_Info_create(&hints->user) : MPI_Info_dup(info, &hints->user);
    if (err != MPI_SUCCESS) {
        hints->user = MPI_INFO_NULL;
        return PCDF_FAIL(NC_EMPI, "the hints cannot be copied");
    }
    if (environment)
        PCDF_TRY(merge_environment(hints->user, environment));
    take_from(hints, hints->user);
    hints->stage_size = hints->stage_size / 8 * 8;
    hints->chunk_size = hints->chunk_size / 8 * 8;
    return NC_NOERR;
}

void pcdf_hints_free(struct pcdf_hints *hints)
{
    if (hints->user != MPI_INFO_NULL)
        MPI_Info_free(&hints->user);
}

int pcdf_hints_report(const struct pcdf_hints *hints, MPI_Info info)
{
    for (size_t i = 0; i < ROWS; i++) {
        char number[32];
        const char *value = text_of((struct pcdf_hints *)(uintptr_t)hints, &rows[i]);
        if (rows[i].kind == KIND_INT64) {
            snprintf(number, sizeof number, "%lld",
                     (long long)*number_of((struct pcdf_hints *)(uintptr_t)hints, &rows[i]));
            value = number;
        }
        if (*value && MPI_Info_set(info, rows[i].name, value) != MPI_SUCCESS)
            return PCDF_FAIL(NC_EMPI, "hint %s cannot be reported", rows[i].name);
    }
    return NC_NOERR;
}
