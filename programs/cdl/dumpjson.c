/* A file as JSON; doc/dump.md is its schema. */
#include "dump.h"
#include "tool.h"
#include "toolgrid.h"
#include "tooljson.h"

#include <string.h>
#include <utf8proc.h>

enum { MOST_NESTED = 24 }; /* ranks above it are written as one list */

struct printing {
    struct pcdf_dump *dump;
    struct pcdf_json json;
};

static bool is_utf8(const unsigned char *bytes, int64_t n)
{
    for (int64_t at = 0; at < n;) {
        utf8proc_int32_t point;
        utf8proc_ssize_t length = utf8proc_iterate(bytes + at, (utf8proc_ssize_t)(n - at), &point);
        if (length <= 0)
            return false;
        at += length;
    }
    return true;
}

static void print_values(struct pcdf_json *json, nc_type type, const unsigned char *bytes, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        pcdf_json_value(json, type, bytes + i * pcdf_type_size(type));
}

/* Text is a string where it is UTF-8, else the numbers of its bytes: nothing is lost. */
static void print_text(struct pcdf_json *json, const unsigned char *bytes, int64_t n)
{
    if (is_utf8(bytes, n)) {
        pcdf_json_bytes(json, (const char *)bytes, (size_t)n);
        return;
    }
    pcdf_json_open(json, '[', true);
    print_values(json, NC_CHAR, bytes, n);
    pcdf_json_close(json, ']');
}

static void print_atts(struct pcdf_json *json, const struct pcdf_atts *atts)
{
    pcdf_json_key(json, "attributes");
    pcdf_json_open(json, '{', false);
    for (int i = 0; i < atts->n; i++) {
        const struct pcdf_att *att = &atts->x[i];
        pcdf_json_key(json, att->name);
        pcdf_json_open(json, '{', true);
        pcdf_json_key(json, "type");
        pcdf_json_text(json, pcdf_type_cdl(att->type));
        pcdf_json_key(json, "value");
        if (att->type == NC_CHAR) {
            print_text(json, att->values ? att->values : (const unsigned char *)"", att->nelems);
        } else {
            pcdf_json_open(json, '[', true);
            print_values(json, att->type, att->values, att->nelems);
            pcdf_json_close(json, ']');
        }
        pcdf_json_close(json, '}');
    }
    pcdf_json_close(json, '}');
}

static void print_dims(struct printing *p)
{
    const struct pcdf_meta *meta = &p->dump->ds.meta;

    pcdf_json_key(&p->json, "dimensions");
    pcdf_json_open(&p->json, '{', false);
    for (int i = 0; i < meta->ndims; i++) {
        pcdf_json_key(&p->json, meta->dims[i].name);
        pcdf_json_open(&p->json, '{', true);
        pcdf_json_key(&p->json, "length");
        pcdf_json_integer(&p->json, pcdf_tool_dim_length(meta, i));
        pcdf_json_key(&p->json, "unlimited");
        pcdf_json_bool(&p->json, i == meta->record_dim);
        pcdf_json_close(&p->json, '}');
    }
    pcdf_json_close(&p->json, '}');
}

/* --- values -----------------------------------------------------------------------------------------------
 */

static int read_piece(struct printing *p, const struct pcdf_tool_slice *slice, int64_t at, int64_t n)
{
    struct pcdf_dump *dump = p->dump;

    if (slice->ndims > 0)
        dump->index[slice->ndims - 1] = at;
    int status = pcdf_tool_slice_values(&dump->ds, slice, dump->index, n, dump->values);
    if (slice->ndims > 0)
        dump->index[slice->ndims - 1] = 0;
    return status || !ferror(p->json.to) ? status : PCDF_TOOL_UNUSABLE;
}

/* The values of a row, without brackets; a row of characters that fits in memory as one string. */
static int print_row(struct printing *p, const struct pcdf_tool_slice *slice, bool has_brackets)
{
    nc_type type = p->dump->ds.meta.vars[slice->varid].type;
    int64_t columns = slice->ndims > 0 ? slice->count[slice->ndims - 1] : 1;
    int64_t most = PCDF_DUMP_PIECE / pcdf_type_size(type);
    bool is_string = type == NC_CHAR && columns <= most;
    int status = PCDF_TOOL_GOOD;

    if (is_string) {
        status = read_piece(p, slice, 0, columns);
        if (!status)
            print_text(&p->json, p->dump->values, columns);
        return status;
    }
    if (has_brackets)
        pcdf_json_open(&p->json, '[', true);
    for (int64_t done = 0; done < columns && !status;) {
        int64_t n = columns - done < most ? columns - done : most;
        status = read_piece(p, slice, done, n);
        if (!status)
            print_values(&p->json, type, p->dump->values, n);
        done += n;
    }
    if (has_brackets)
        pcdf_json_close(&p->json, ']');
    return status;
}

/* Brackets that open before the row `index` of the slice, or close behind it: one for each of the dimensions
 * whose first, or last, row this is. The last dimension's are the row's own. */
static int edges(const struct pcdf_tool_slice *slice, const int64_t *index, bool is_end)
{
    int n = 0;

    for (int i = slice->ndims - 2; i >= 0 && index[i] == (is_end ? slice->count[i] - 1 : 0); i--)
        n++;
    return n;
}

static int print_rows(struct printing *p, const struct pcdf_tool_slice *slice)
{
    int64_t *index = p->dump->index;
    bool is_nested = slice->ndims <= MOST_NESTED;
    int status;

    memset(index, 0, ((size_t)slice->ndims + 1) * sizeof *index);
    if (!is_nested)
        pcdf_json_open(&p->json, '[', true);
    for (bool more = true; more;) {
        int opening = is_nested ? edges(slice, index, false) : 0,
            closing = is_nested ? edges(slice, index, true) : 0;
        for (int i = 0; i < opening; i++)
            pcdf_json_open(&p->json, '[', false);
        status = print_row(p, slice, is_nested && slice->ndims > 0);
        if (status)
            return status;
        for (int i = 0; i < closing; i++)
            pcdf_json_close(&p->json, ']');
        more = pcdf_grid_advance(slice->ndims - 1, NULL, slice->count, index);
    }
    if (!is_nested)
        pcdf_json_close(&p->json, ']');
    return PCDF_TOOL_GOOD;
}

static void print_numbers(struct pcdf_json *json, const char *key, const int64_t *numbers, int n)
{
    pcdf_json_key(json, key);
    pcdf_json_open(json, '[', true);
    for (int i = 0; i < n; i++)
        pcdf_json_integer(json, numbers[i]);
    pcdf_json_close(json, ']');
}

/* --- variables --------------------------------------------------------------------------------------------
 */

static int print_data(struct printing *p, const struct pcdf_tool_slice *slice)
{
    if (!slice->is_whole) {
        pcdf_json_key(&p->json, "slice");
        pcdf_json_open(&p->json, '{', true);
        print_numbers(&p->json, "start", slice->start, slice->ndims);
        print_numbers(&p->json, "count", slice->count, slice->ndims);
        print_numbers(&p->json, "stride", slice->stride, slice->ndims);
        pcdf_json_close(&p->json, '}');
    }
    pcdf_json_key(&p->json, "data");
    if (pcdf_tool_slice_size(slice) > 0)
        return print_rows(p, slice);
    pcdf_json_open(&p->json, '[', true);
    pcdf_json_close(&p->json, ']');
    return PCDF_TOOL_GOOD;
}

static int print_var(struct printing *p, int varid, const struct pcdf_tool_slice *slice)
{
    const struct pcdf_meta *meta = &p->dump->ds.meta;
    const struct pcdf_var *var = &meta->vars[varid];
    int status = PCDF_TOOL_GOOD;

    pcdf_json_key(&p->json, var->name);
    pcdf_json_open(&p->json, '{', false);
    pcdf_json_key(&p->json, "type");
    pcdf_json_text(&p->json, pcdf_type_cdl(var->type));
    pcdf_json_key(&p->json, "dimensions");
    pcdf_json_open(&p->json, '[', true);
    for (int i = 0; i < var->ndims; i++)
        pcdf_json_text(&p->json, meta->dims[var->dimids[i]].name);
    pcdf_json_close(&p->json, ']');
    pcdf_var_shape(meta, var, p->dump->index);
    print_numbers(&p->json, "shape", p->dump->index, var->ndims);
    print_atts(&p->json, &var->atts);
    if (slice)
        status = print_data(p, slice);
    pcdf_json_close(&p->json, '}');
    return status;
}

static int print_vars(struct printing *p)
{
    const struct pcdf_dump *dump = p->dump;
    int at = 0, status = PCDF_TOOL_GOOD;

    pcdf_json_key(&p->json, "variables");
    pcdf_json_open(&p->json, '{', false);
    for (int i = 0; i < dump->ds.meta.nvars && !status; i++) {
        bool has_data = !dump->options->header_only && at < dump->nslices && dump->slices[at].varid == i;
        status = print_var(p, i, has_data ? &dump->slices[at] : NULL);
        at += has_data;
    }
    pcdf_json_close(&p->json, '}');
    return status;
}

/* An object has one place for the values of a variable. */
static int refuse_twice(const struct pcdf_dump *dump)
{
    for (int i = 1; i < dump->nslices; i++)
        if (dump->slices[i].varid == dump->slices[i - 1].varid)
            return pcdf_tool_unusable(dump->ds.file.path,
                                      "JSON has one part of each variable, and %s is named twice",
                                      dump->ds.meta.vars[dump->slices[i].varid].name);
    return PCDF_TOOL_GOOD;
}

/* Names are keys: bytes that are not UTF-8 would be lost, and two names could become one. */
static int refuse_name(const struct pcdf_dump *dump, const char *name)
{
    if (is_utf8((const unsigned char *)name, (int64_t)strlen(name)))
        return PCDF_TOOL_GOOD;
    pcdf_tool_say(dump->ds.file.path, "JSON has names in UTF-8 only, and %s is not", name);
    return PCDF_TOOL_BAD;
}

static int refuse_names(const struct pcdf_dump *dump, const struct pcdf_atts *atts)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < atts->n && !status; i++)
        status = refuse_name(dump, atts->x[i].name);
    return status;
}

static int refuse_bytes(const struct pcdf_dump *dump)
{
    const struct pcdf_meta *meta = &dump->ds.meta;
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < meta->ndims && !status; i++)
        status = refuse_name(dump, meta->dims[i].name);
    if (!status)
        status = refuse_names(dump, &meta->gatts);
    for (int i = 0; i < meta->nvars && !status; i++) {
        status = refuse_name(dump, meta->vars[i].name);
        if (!status)
            status = refuse_names(dump, &meta->vars[i].atts);
    }
    return status;
}

int pcdf_dump_json(struct pcdf_dump *dump)
{
    struct printing p = { .dump = dump };
    char title[4096];
    int status = refuse_twice(dump);

    if (!status)
        status = refuse_bytes(dump);
    if (status)
        return status;
    pcdf_dump_title(pcdf_dump_path(dump), title, sizeof title);
    pcdf_json_begin(&p.json, stdout);
    pcdf_json_open(&p.json, '{', false);
    pcdf_json_key(&p.json, "name");
    pcdf_json_text(&p.json, dump->options->name ? dump->options->name : title);
    pcdf_json_key(&p.json, "format");
    char format[8] = { 'C', 'D', 'F', '-', (char)('0' + (int)dump->ds.meta.version), '\0' };
    pcdf_json_text(&p.json, format);
    print_dims(&p);
    print_atts(&p.json, &dump->ds.meta.gatts);
    status = print_vars(&p);
    pcdf_json_close(&p.json, '}');
    pcdf_json_end(&p.json);
    return status;
}
