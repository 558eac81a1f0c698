/* Values, indices and lists of a file in words, short. See diff.h. */
#include "diff.h"
#include "tooljson.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SHOWN = 60, NUMBERS_SHOWN = 8, TEXT_BEFORE = 20, NUMBERS_BEFORE = 2 };

static void real_words(double x, bool is_float, char *words, size_t size)
{
    char room[32];

    if (isnan(x))
        strcpy(room, "NaN");
    else if (isinf(x))
        strcpy(room, x < 0 ? "-Infinity" : "Infinity");
    else
        pcdf_tool_shortest(x, is_float, room, sizeof room);
    snprintf(words, size, "%s", room);
}

void pcdf_diff_value_words(nc_type type, const unsigned char *bytes, char *words, size_t size)
{
    struct pcdf_value value = pcdf_value_load(type, bytes);

    if (type == NC_CHAR)
        snprintf(words, size, *bytes ? "\"%c\"" : "\"\\0\"", *bytes);
    else if (pcdf_value_is_real(type))
        real_words(value.is.real, type == NC_FLOAT, words, size);
    else if (pcdf_value_is_unsigned(type))
        snprintf(words, size, "%" PRIu64, value.is.natural);
    else
        snprintf(words, size, "%" PRId64, value.is.integer);
}

/* Adds to words, as much as there is room. */
static void add(char *words, size_t size, const char *text)
{
    size_t n = strlen(words);
    snprintf(words + n, size - n, "%s", text);
}

static void text_words(const struct pcdf_att *att, int64_t from, char *words, size_t size)
{
    char part[TEXT_SHOWN + 1];
    int64_t n = att->nelems - from < TEXT_SHOWN ? att->nelems - from : TEXT_SHOWN;

    for (int64_t i = 0; i < n; i++) /* a NUL would end it */
        part[i] = (char)(att->values[from + i] ? att->values[from + i] : ' ');
    while (n > 0 && from + n < att->nelems && (att->values[from + n] & 0xC0) == 0x80)
        n--; /* not within a character */
    part[n] = '\0';
    snprintf(words, size, "%s\"%s\"%s", from > 0 ? "..." : "", part, from + n < att->nelems ? "..." : "");
}

void pcdf_diff_att_words(const struct pcdf_att *att, int64_t differs, char *words, size_t size)
{
    bool is_text = att->type == NC_CHAR;
    int64_t shown = is_text ? TEXT_SHOWN : NUMBERS_SHOWN, before = is_text ? TEXT_BEFORE : NUMBERS_BEFORE;
    int64_t from = att->nelems > shown && differs > before ? differs - before : 0;

    if (is_text) {
        while (from > 0 && from < att->nelems && (att->values[from] & 0xC0) == 0x80)
            from--;
        text_words(att, from < att->nelems ? from : att->nelems, words, size);
        return;
    }
    snprintf(words, size, "%s", from > 0 ? "..., " : "");
    for (int64_t i = from; i < att->nelems && i < from + shown; i++) {
        char value[64];
        pcdf_diff_value_words(att->type, att->values + i * pcdf_type_size(att->type), value, sizeof value);
        add(words, size, i > from ? ", " : "");
        add(words, size, value);
    }
    if (from + shown < att->nelems)
        add(words, size, ", ...");
    if (att->nelems == 0)
        add(words, size, "nothing");
}

void pcdf_diff_dims_words(const struct pcdf_meta *meta, const struct pcdf_var *var, bool lengths, char *words,
                          size_t size)
{
    snprintf(words, size, "(");
    for (int i = 0; i < var->ndims; i++) {
        const struct pcdf_dim *dim = &meta->dims[var->dimids[i]];
        char length[32];
        snprintf(length, sizeof length, "%" PRId64, dim->length > 0 ? dim->length : meta->numrecs);
        add(words, size, i > 0 ? ", " : "");
        add(words, size, lengths ? length : dim->name);
    }
    add(words, size, ")");
}

void pcdf_diff_index(const struct pcdf_meta *meta, const struct pcdf_var *var, int64_t number,
                     void (*take)(void *context, int64_t index), void *context)
{
    int64_t inner = 1; /* values of an index of the dimension where the walk stands */

    for (int i = 1; i < var->ndims; i++)
        inner *= meta->dims[var->dimids[i]].length;
    for (int i = 0; i < var->ndims; i++) {
        take(context, number / inner);
        number %= inner;
        inner /= i + 1 < var->ndims ? meta->dims[var->dimids[i + 1]].length : 1;
    }
}
