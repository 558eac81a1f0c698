/* What `parcdf diff --json` prints. Keys are the same whether the files differ or not. See diff.h. */
#include "diff.h"

#include <string.h>

static void text_or_null(struct pcdf_json *json, const char *key, const char *text)
{
    pcdf_json_key(json, key);
    if (text)
        pcdf_json_text(json, text);
    else
        pcdf_json_null(json);
}

static void add_finding(void *context, const struct pcdf_diff_finding *f)
{
    struct pcdf_json *json = context;

    pcdf_json_open(json, '{', true);
    text_or_null(json, "kind", f->kind);
    if (f->of)
        text_or_null(json, "variable", *f->of ? f->of : NULL);
    text_or_null(json, "name", f->name);
    text_or_null(json, "what", f->what);
    text_or_null(json, "first", f->a);
    text_or_null(json, "second", f->b);
    pcdf_json_key(json, "counts");
    pcdf_json_bool(json, !f->is_note);
    pcdf_json_close(json, '}');
}

void pcdf_diff_json_header(struct pcdf_diff *d, struct pcdf_json *json)
{
    pcdf_json_open(json, '{', false);
    text_or_null(json, "first", d->options.paths[0]);
    text_or_null(json, "second", d->options.paths[1]);
    pcdf_json_key(json, "header");
    pcdf_json_open(json, '[', false);
    pcdf_diff_header(d, add_finding, json);
    pcdf_json_close(json, ']');
}

static void add_number(void *context, int64_t index)
{
    pcdf_json_integer(context, index);
}

static void add_index(struct pcdf_json *json, const struct pcdf_diff *d, int varid, int64_t number)
{
    pcdf_json_key(json, "index");
    pcdf_json_open(json, '[', true);
    pcdf_diff_index(&d->a.meta, &d->a.meta.vars[varid], number, add_number, json);
    pcdf_json_close(json, ']');
}

static void add_value(struct pcdf_json *json, const char *key, nc_type type, const unsigned char *value)
{
    pcdf_json_key(json, key);
    if (type == NC_CHAR)
        pcdf_json_bytes(json, (const char *)value, 1);
    else
        pcdf_json_value(json, type, value);
}

static void add_first(struct pcdf_json *json, const struct pcdf_diff *d, int varid)
{
    const struct pcdf_diff_tally *tally = &d->tallies[varid];

    pcdf_json_key(json, "first_difference");
    if (tally->first < 0) {
        pcdf_json_null(json);
        return;
    }
    pcdf_json_open(json, '{', true);
    add_index(json, d, varid, tally->first);
    add_value(json, "first", d->a.meta.vars[varid].type, tally->first_a);
    add_value(json, "second", d->b.meta.vars[d->pairs[varid].b].type, tally->first_b);
    pcdf_json_close(json, '}');
}

static void add_most(struct pcdf_json *json, const struct pcdf_diff *d, int varid, const char *key,
                     double most, int64_t number)
{
    pcdf_json_key(json, key);
    if (most < 0 || d->a.meta.vars[varid].type == NC_CHAR) {
        pcdf_json_null(json);
        return;
    }
    pcdf_json_open(json, '{', true);
    add_index(json, d, varid, number);
    pcdf_json_key(json, "value");
    pcdf_json_real(json, most);
    pcdf_json_close(json, '}');
}

static void add_variable(struct pcdf_json *json, const struct pcdf_diff *d, int varid)
{
    const struct pcdf_diff_tally *tally = &d->tallies[varid];

    pcdf_json_open(json, '{', false);
    text_or_null(json, "name", d->a.meta.vars[varid].name);
    pcdf_json_key(json, "compared");
    pcdf_json_integer(json, d->pairs[varid].n > 0 ? d->pairs[varid].n : 0);
    pcdf_json_key(json, "different");
    pcdf_json_integer(json, tally->different);
    pcdf_json_key(json, "one_is_nan");
    pcdf_json_integer(json, tally->lone_nans);
    add_first(json, d, varid);
    add_most(json, d, varid, "largest", tally->most_absolute, tally->absolute_at);
    add_most(json, d, varid, "largest_relative", tally->most_relative, tally->relative_at);
    pcdf_json_close(json, '}');
}

void pcdf_diff_json_data(struct pcdf_diff *d, struct pcdf_json *json)
{
    struct pcdf_diff_totals totals = pcdf_diff_totals(d);
    const struct {
        const char *key;
        int64_t number;
    } sums[] = { { "header_differences", d->nheader },
                 { "variables_compared", totals.variables },
                 { "variables_different", totals.variables_apart },
                 { "values_compared", totals.values },
                 { "values_different", totals.values_apart } };

    pcdf_json_key(json, "variables");
    pcdf_json_open(json, '[', false);
    for (int i = 0; i < d->a.meta.nvars; i++)
        if (d->chosen_a[i] && d->pairs[i].b >= 0 && !d->options.header_only)
            add_variable(json, d, i);
    pcdf_json_close(json, ']');
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        pcdf_json_key(json, sums[i].key);
        pcdf_json_integer(json, sums[i].number);
    }
    pcdf_json_key(json, "same");
    pcdf_json_bool(json, pcdf_diff_is_same(d));
    pcdf_json_close(json, '}');
    pcdf_json_end(json);
}
