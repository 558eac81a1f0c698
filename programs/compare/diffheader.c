/* The definitions of two files, by name. What the order of the definitions and the format's version are makes
 * no difference to a reader, so that they are notes, unless --strict was given. See diff.h. */
#include "diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct telling {
    struct pcdf_diff *d;
    void (*tell)(void *context, const struct pcdf_diff_finding *finding);
    void *context;
};

static void tell_finding(const struct telling *t, struct pcdf_diff_finding finding)
{
    finding.is_note = finding.is_note && !t->d->options.strict;
    t->d->nheader += !finding.is_note;
    t->tell(t->context, &finding);
}

/* ---- dimensions */

static void length_words(const struct pcdf_meta *meta, int id, char words[64])
{
    const struct pcdf_dim *dim = &meta->dims[id];
    if (dim->length > 0)
        snprintf(words, 64, "%" PRId64, dim->length);
    else
        snprintf(words, 64, "UNLIMITED (%" PRId64 " records)", meta->numrecs);
}

static void compare_dim(const struct telling *t, int i, int j)
{
    const struct pcdf_meta *a = &t->d->a.meta, *b = &t->d->b.meta;
    char in_a[64], in_b[64];

    length_words(a, i, in_a);
    length_words(b, j, in_b);
    if (strcmp(in_a, in_b) != 0)
        tell_finding(
            t, (struct pcdf_diff_finding){
                   .kind = "dimension", .name = a->dims[i].name, .what = "length", .a = in_a, .b = in_b });
}

/* One that only one file has. */
static void lone_dim(const struct telling *t, const struct pcdf_meta *meta, int id, bool in_a)
{
    char words[64];
    length_words(meta, id, words);
    tell_finding(t, (struct pcdf_diff_finding){ .kind = "dimension",
                                                .name = meta->dims[id].name,
                                                .what = "missing",
                                                .a = in_a ? words : NULL,
                                                .b = in_a ? NULL : words });
}

/* Of those in both files: `last` is the place in b of the one before. */
static bool falls_back(int j, int *last)
{
    bool back = j < *last;
    *last = j;
    return back;
}

static void tell_order(const struct telling *t, const char *kind, const char *of, bool differs)
{
    if (differs)
        tell_finding(
            t,
            (struct pcdf_diff_finding){
                .is_note = true, .kind = kind, .of = of, .what = "order", .a = "one order", .b = "another" });
}

static void compare_dims(const struct telling *t)
{
    const struct pcdf_meta *a = &t->d->a.meta, *b = &t->d->b.meta;
    bool differs = false;

    for (int i = 0, last = -1; i < a->ndims; i++) {
        int j = pcdf_meta_find_dim(b, a->dims[i].name);
        if (j < 0)
            lone_dim(t, a, i, true);
        else
            compare_dim(t, i, j);
        differs = (j >= 0 && falls_back(j, &last)) || differs;
    }
    for (int j = 0; j < b->ndims; j++)
        if (pcdf_meta_find_dim(a, b->dims[j].name) < 0)
            lone_dim(t, b, j, false);
    tell_order(t, "dimension", NULL, differs);
}

/* ---- attributes */

static bool is_apart(nc_type type, const unsigned char *a, const unsigned char *b, bool by_bits)
{
    if (memcmp(a, b, (size_t)pcdf_type_size(type)) == 0)
        return false;
    if (by_bits || !pcdf_value_is_real(type))
        return true;
    double x = pcdf_value_load_real(type, a), y = pcdf_value_load_real(type, b);
    return x != y && !(isnan(x) && isnan(y));
}

/* Number of the first value that differs, of two lists of one type; -1: they are equal. */
static int64_t first_apart(const struct pcdf_att *a, const struct pcdf_att *b, bool by_bits)
{
    int64_t n = a->nelems < b->nelems ? a->nelems : b->nelems, size = pcdf_type_size(a->type);
    if (n > 0 && memcmp(a->values, b->values, (size_t)(n * size)) != 0)
        for (int64_t i = 0; i < n; i++)
            if (is_apart(a->type, a->values + i * size, b->values + i * size, by_bits))
                return i;
    return a->nelems == b->nelems ? -1 : n;
}

static void compare_att(const struct telling *t, const char *of, const struct pcdf_att *a,
                        const struct pcdf_att *b)
{
    char in_a[PCDF_DIFF_WORDS], in_b[PCDF_DIFF_WORDS];
    struct pcdf_diff_finding finding = { .kind = "attribute", .of = of, .name = a->name, .what = "type" };

    if (a->type != b->type) {
        finding.a = pcdf_type_cdl(a->type);
        finding.b = pcdf_type_cdl(b->type);
        tell_finding(t, finding);
        return;
    }
    int64_t apart = first_apart(a, b, t->d->options.strict);
    if (apart < 0)
        return;
    pcdf_diff_att_words(a, apart, in_a, sizeof in_a);
    pcdf_diff_att_words(b, apart, in_b, sizeof in_b);
    finding.what = "value";
    finding.a = in_a;
    finding.b = in_b;
    tell_finding(t, finding);
}

static void lone_att(const struct telling *t, const char *of, const struct pcdf_att *att, bool in_a)
{
    char words[PCDF_DIFF_WORDS];
    pcdf_diff_att_words(att, 0, words, sizeof words);
    tell_finding(t, (struct pcdf_diff_finding){ .kind = "attribute",
                                                .of = of,
                                                .name = att->name,
                                                .what = "missing",
                                                .a = in_a ? words : NULL,
                                                .b = in_a ? NULL : words });
}

static bool is_left_out(const struct telling *t, const struct pcdf_att *att)
{
    for (const char *list = t->d->options.attributes_without; list;) {
        char name[PCDF_TOOL_NAME];
        list = pcdf_tool_next_name(list, name);
        if (strcmp(name, att->name) == 0)
            return true;
    }
    return false;
}

static void compare_atts(const struct telling *t, const char *of, const struct pcdf_atts *a,
                         const struct pcdf_atts *b)
{
    bool differs = false;

    for (int i = 0, last = -1; i < a->n; i++) {
        int j = pcdf_atts_find(b, a->x[i].name);
        if (is_left_out(t, &a->x[i]))
            continue;
        if (j < 0)
            lone_att(t, of, &a->x[i], true);
        else
            compare_att(t, of, &a->x[i], &b->x[j]);
        differs = (j >= 0 && falls_back(j, &last)) || differs;
    }
    for (int j = 0; j < b->n; j++)
        if (pcdf_atts_find(a, b->x[j].name) < 0 && !is_left_out(t, &b->x[j]))
            lone_att(t, of, &b->x[j], false);
    tell_order(t, "attribute", of, differs);
}

/* ---- variables */

static bool dims_are_equal(const struct pcdf_meta *a, const struct pcdf_var *in_a, const struct pcdf_meta *b,
                           const struct pcdf_var *in_b)
{
    if (in_a->ndims != in_b->ndims)
        return false;
    for (int k = 0; k < in_a->ndims; k++)
        if (strcmp(a->dims[in_a->dimids[k]].name, b->dims[in_b->dimids[k]].name) != 0)
            return false;
    return true;
}

static void compare_var(const struct telling *t, int i, int j)
{
    const struct pcdf_meta *a = &t->d->a.meta, *b = &t->d->b.meta;
    const struct pcdf_var *in_a = &a->vars[i], *in_b = &b->vars[j];
    struct pcdf_diff_finding finding = { .kind = "variable", .name = in_a->name };
    char words_a[PCDF_DIFF_WORDS], words_b[PCDF_DIFF_WORDS];

    if (in_a->type != in_b->type) {
        finding.what = "type";
        finding.a = pcdf_type_cdl(in_a->type);
        finding.b = pcdf_type_cdl(in_b->type);
        tell_finding(t, finding);
    }
    finding.a = words_a;
    finding.b = words_b;
    if (!dims_are_equal(a, in_a, b, in_b)) {
        pcdf_diff_dims_words(a, in_a, false, words_a, sizeof words_a);
        pcdf_diff_dims_words(b, in_b, false, words_b, sizeof words_b);
        finding.what = "dimensions";
        tell_finding(t, finding);
    }
    /* Where all dimensions are compared, each is told of once. */
    pcdf_diff_dims_words(a, in_a, true, words_a, sizeof words_a);
    pcdf_diff_dims_words(b, in_b, true, words_b, sizeof words_b);
    if (t->d->some_only && strcmp(words_a, words_b) != 0) {
        finding.what = "shape";
        tell_finding(t, finding);
    }
    compare_atts(t, in_a->name, &in_a->atts, &in_b->atts);
}

static void lone_var(const struct telling *t, const struct pcdf_meta *meta, int id, bool in_a)
{
    char dims[PCDF_DIFF_WORDS - 16], words[PCDF_DIFF_WORDS];
    pcdf_diff_dims_words(meta, &meta->vars[id], false, dims, sizeof dims);
    snprintf(words, sizeof words, "%s %s", pcdf_type_cdl(meta->vars[id].type), dims);
    tell_finding(t, (struct pcdf_diff_finding){ .kind = "variable",
                                                .name = meta->vars[id].name,
                                                .what = "missing",
                                                .a = in_a ? words : NULL,
                                                .b = in_a ? NULL : words });
}

static void compare_vars(const struct telling *t)
{
    const struct pcdf_meta *a = &t->d->a.meta, *b = &t->d->b.meta;
    bool differs = false;

    for (int i = 0, last = -1; i < a->nvars; i++) {
        int j = t->d->pairs[i].b;
        if (!t->d->chosen_a[i])
            continue;
        if (j < 0)
            lone_var(t, a, i, true);
        else
            compare_var(t, i, j);
        differs = (j >= 0 && falls_back(j, &last)) || differs;
    }
    for (int j = 0; j < b->nvars; j++)
        if (t->d->chosen_b[j] && pcdf_meta_find_var(a, b->vars[j].name) < 0)
            lone_var(t, b, j, false);
    tell_order(t, "variable", NULL, differs);
}

/* ---- all of it */

static void compare_formats(const struct telling *t)
{
    char a[16], b[16];
    if (t->d->a.meta.version == t->d->b.meta.version)
        return;
    snprintf(a, sizeof a, "CDF-%d", (int)t->d->a.meta.version);
    snprintf(b, sizeof b, "CDF-%d", (int)t->d->b.meta.version);
    tell_finding(
        t, (struct pcdf_diff_finding){ .is_note = true, .kind = "file", .what = "format", .a = a, .b = b });
}

void pcdf_diff_header(struct pcdf_diff *d,
                      void (*tell_one)(void *context, const struct pcdf_diff_finding *finding), void *context)
{
    struct telling t = { .d = d, .tell = tell_one, .context = context };

    if (d->some_only) {
        compare_vars(&t);
        return;
    }
    compare_formats(&t);
    compare_dims(&t);
    compare_atts(&t, "", &d->a.meta.gatts, &d->b.meta.gatts);
    compare_vars(&t);
}
