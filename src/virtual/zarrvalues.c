/* Attributes of Zarr: JSON becomes values of one type. See zarrvar.h. */

#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "classic.h"
#include "status.h"
#include "zarrvar.h"

static int take_text(const char *text, size_t n, struct pcdf_classic_values *values, void **memory)
{
    if (n > INT32_MAX)
        return PCDF_FAIL(NC_ENOTSUPPORT, "an attribute has a text of %zu bytes", n);
    *memory = pcdf_malloc(n + 1);
    if (!*memory)
        return PCDF_FAIL(NC_ENOMEM, "no memory for an attribute");
    memcpy(*memory, text, n);
    *values = (struct pcdf_classic_values){ PCDF_STORED_TEXT, (int)n, 1, *memory };
    return NC_NOERR;
}

/* JSON as a text, without the blanks between its parts. */
static int take_json(const struct pcdf_json_value *v, struct pcdf_classic_values *values, void **memory)
{
    PCDF_TRY(take_text(v->raw, v->nraw, values, memory));
    char *text = *memory;
    bool inside = false;
    int n = 0;
    for (size_t i = 0; i < v->nraw; i++) {
        bool is_blank = !inside && strchr(" \t\r\n", text[i]) && text[i];
        inside = inside != (text[i] == '"');
        if (!is_blank)
            text[n++] = text[i];
        if (text[i] == '\\' && i + 1 < v->nraw) /* only inside of texts */
            text[n++] = text[++i];
    }
    values->size = n;
    return NC_NOERR;
}

/* Lines of one text. */
static int take_texts(const struct pcdf_json_value *list, struct pcdf_classic_values *values, void **memory)
{
    size_t n = 0;
    for (const struct pcdf_json_value *v = list->first; v; v = v->next)
        n += v->length + 1;
    char *all = pcdf_malloc(n), *at = all;
    if (!all || n > INT32_MAX) {
        pcdf_free(all);
        return PCDF_FAIL(NC_ENOMEM, "no memory for an attribute");
    }
    for (const struct pcdf_json_value *v = list->first; v; v = v->next) {
        memcpy(at, v->text, v->length);
        at += v->length;
        *at++ = '\n';
    }
    *values = (struct pcdf_classic_values){ PCDF_STORED_TEXT, (int)(n - 1), 1, all };
    *memory = all;
    return NC_NOERR;
}

/* All values of the list (or the one value) as numbers of a type; *fits: each of them is one. */
static int take_numbers(const struct pcdf_json_value *first, int64_t n, enum pcdf_stored stored, int size,
                        struct pcdf_classic_values *values, void **memory, bool *fits)
{
    unsigned char *all = pcdf_calloc((size_t)n + 1, 8), *at = all;
    if (!all)
        return PCDF_FAIL(NC_ENOMEM, "no memory for an attribute");
    *fits = true;
    for (int64_t i = 0; i < n && *fits; i++, first = first->next, at += size)
        *fits = first->kind == PCDF_JSON_TEXT ? pcdf_zarr_word(first->text, size, at)
                                              : pcdf_zarr_number(first, stored, size, at);
    if (!*fits) {
        pcdf_free(all);
        return NC_NOERR;
    }
    *values = (struct pcdf_classic_values){ stored, size, n, all };
    *memory = all;
    return NC_NOERR;
}

static bool are_all(const struct pcdf_json_value *first, int64_t n, enum pcdf_json_kind kind)
{
    bool all = n > 0;
    for (int64_t i = 0; i < n && all; i++, first = first->next)
        all = first->kind == kind;
    return all;
}

static bool are_written_whole(const struct pcdf_json_value *first, int64_t n)
{
    bool all = true;
    for (int64_t i = 0; i < n && all; i++, first = first->next)
        all = !strpbrk(first->text, ".eENI");
    return all;
}

/* Types are tried from the smallest on: of a list such as [1, 2.5] all are reals. */
static int guess_numbers(const struct pcdf_json_value *first, int64_t n, struct pcdf_classic_values *values,
                         void **memory)
{
    static const struct {
        enum pcdf_stored stored;
        int size;
    } types[] = {
        { PCDF_STORED_INT, 4 }, { PCDF_STORED_INT, 8 }, { PCDF_STORED_UINT, 8 }, { PCDF_STORED_REAL, 8 }
    };
    bool fits = false;
    for (int i = are_written_whole(first, n) ? 0 : 3; i < 4 && !fits; i++)
        PCDF_TRY(take_numbers(first, n, types[i].stored, types[i].size, values, memory, &fits));
    return NC_NOERR;
}

/* Numbers, and the words for reals that JSON has no numbers for. */
static bool are_numbers(const struct pcdf_json_value *first, int64_t n, bool is_real)
{
    bool all = true;
    for (int64_t i = 0; i < n && all; i++, first = first->next)
        all = first->kind == PCDF_JSON_NUMBER ||
              (is_real && first->kind == PCDF_JSON_TEXT && strlen(first->text) == first->length &&
               (!strcmp(first->text, "NaN") || !strcmp(first->text, "Infinity") ||
                !strcmp(first->text, "-Infinity")));
    return all;
}

/* As a type that is known; *memory NULL: they are no such numbers. */
static int take_typed(const struct pcdf_json_value *first, int64_t n, const struct pcdf_zarr_type *t,
                      struct pcdf_classic_values *values, void **memory)
{
    bool fits;
    if (t->stored > PCDF_STORED_REAL || !are_numbers(first, n, t->stored == PCDF_STORED_REAL))
        return NC_NOERR;
    return take_numbers(first, n, t->stored, t->size, values, memory, &fits);
}

int pcdf_zarr_att(const struct pcdf_json_value *v, const char *type, const struct pcdf_zarr_type *own,
                  struct pcdf_classic_values *values, void **memory)
{
    bool is_list = v->kind == PCDF_JSON_LIST, fits = false;
    const struct pcdf_json_value *first = is_list ? v->first : v;
    int64_t n = is_list ? v->n : 1;
    struct pcdf_zarr_type t;
    *memory = NULL;
    if (type && pcdf_zarr_type2(type, true, &t))
        PCDF_TRY(take_typed(first, n, &t, values, memory));
    bool is_real = own && own->stored == PCDF_STORED_REAL; /* "1.0" is no stored number of integers */
    if (!*memory && own && n > 0 &&
        (is_real || (are_all(first, n, PCDF_JSON_NUMBER) && are_written_whole(first, n))))
        PCDF_TRY(take_typed(first, n, own, values, memory));
    if (*memory)
        return NC_NOERR;
    if (v->kind == PCDF_JSON_TEXT)
        return take_text(v->text, v->length, values, memory);
    if (are_all(first, n, PCDF_JSON_TEXT))
        return take_texts(v, values, memory);
    if (are_all(first, n, PCDF_JSON_BOOL))
        return take_numbers(first, n, PCDF_STORED_BOOL, 1, values, memory, &fits);
    if (!are_all(first, n, PCDF_JSON_NUMBER))
        return take_json(v, values, memory);
    return guess_numbers(first, n, values, memory);
}
