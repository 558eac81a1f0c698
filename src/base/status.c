/* The kept sentence and the table of codes. */
#include "status.h"

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "logins.h"

static _Thread_local struct {
    char text[PCDF_SENTENCE];
    bool has_lead;
} kept;

static _Thread_local enum pcdf_caller caller;

/* Sentences name functions as C has them; a caller of Fortran has other names. Of the format alone, since
 * names in the arguments are the user's. */
static const char *of_caller(const char *format, char room[PCDF_SENTENCE])
{
    static const char c[] = "ncmpi_";
    const char *own = caller == PCDF_CALLER_F77 ? "nfmpi_" : "nf90mpi_";
    size_t n = 0, length = strlen(own);
    if (caller == PCDF_CALLER_C || !strstr(format, c))
        return format;
    for (const char *at; (at = strstr(format, c)); format = at + strlen(c)) {
        size_t before = (size_t)(at - format);
        if (n + before + length >= PCDF_SENTENCE)
            break;
        memcpy(room + n, format, before);
        memcpy(room + n + before, own, length);
        n += before + length;
    }
    snprintf(room + n, PCDF_SENTENCE - n, "%s", format);
    return room;
}

int pcdf_fail(int code, const char *format, ...)
{
    /* Written aside first: an argument may be the kept sentence itself. */
    char text[PCDF_SENTENCE], room[PCDF_SENTENCE];
    va_list args;

    va_start(args, format);
    format = of_caller(format, room);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)pcdf_logins_hide(text); /* whatever it names: a sentence goes to logs and to other people */
    memcpy(kept.text, text, sizeof text);
    kept.has_lead = false;
    return code;
}

void pcdf_fail_lead(const char *format, ...)
{
    char lead[PCDF_SENTENCE];
    va_list args;

    if (kept.has_lead || kept.text[0] == '\0')
        return;
    va_start(args, format);
    vsnprintf(lead, sizeof lead, format, args);
    va_end(args);
    (void)pcdf_logins_hide(lead);

    size_t shift = strlen(lead), length = strlen(kept.text);
    if (shift > PCDF_SENTENCE / 2)
        shift = PCDF_SENTENCE / 2; /* a long path must not push the sentence out */
    if (length > PCDF_SENTENCE - 1 - shift)
        length = PCDF_SENTENCE - 1 - shift;
    memmove(kept.text + shift, kept.text, length);
    memcpy(kept.text, lead, shift);
    kept.text[shift + length] = '\0';
    kept.has_lead = true;
}

const char *pcdf_fail_text(void)
{
    return kept.text;
}

void pcdf_fail_clear(void)
{
    kept.text[0] = '\0';
    kept.has_lead = false;
}

void pcdf_fail_save(char sentence[PCDF_SENTENCE])
{
    snprintf(sentence, PCDF_SENTENCE, "%s", kept.text);
}

void pcdf_fail_restore(const char sentence[PCDF_SENTENCE])
{
    pcdf_fail_clear();
    if (*sentence)
        (void)pcdf_fail(NC_NOERR, "%s", sentence);
}

void pcdf_tell_caller(enum pcdf_caller who)
{
    caller = who;
}

static int from_one(void)
{
    return caller != PCDF_CALLER_C;
}

int pcdf_told_id(int id)
{
    return id < INT_MAX ? id + from_one() : id;
}

long long pcdf_told_index(int64_t at)
{
    return at < INT64_MAX ? at + from_one() : at;
}

int pcdf_told_dim(int dim, int ndims)
{
    return from_one() ? ndims - dim : dim;
}

static const struct pcdf_error rows[] = {
    { NC_NOERR, "NC_NOERR", "No error" },
#define PCDF_ERROR(name, value, sentence) { value, #name, sentence },
#include "errors.def"
#undef PCDF_ERROR
};

/* errors.def and codes.h must say the same number. */
#define PCDF_ERROR(name, value, sentence) _Static_assert((name) == (value), "errors.def and codes.h differ");
#include "errors.def"
#undef PCDF_ERROR

/* The first row of a code wins: two codes share a number with a mark of the end of a range. */
const struct pcdf_error *pcdf_error_of(int code)
{
    static const struct pcdf_error unknown = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].code == code)
            return &rows[i];
    return &unknown;
}
