/* What info found, as JSON: all in bytes. */
#include "infodraw.h"
#include "infomeaning.h"
#include "tool.h"
#include "tooljson.h"

static void number(struct pcdf_json *j, const char *key, int64_t n)
{
    pcdf_json_key(j, key);
    pcdf_json_integer(j, n);
}

static void text(struct pcdf_json *j, const char *key, const char *value)
{
    pcdf_json_key(j, key);
    pcdf_json_text(j, value);
}

static void open_object(struct pcdf_json *j, const char *key)
{
    pcdf_json_key(j, key);
    pcdf_json_open(j, '{', true);
}

static void sections(struct pcdf_json *j, const struct pcdf_info *info)
{
    const struct pcdf_meta *meta = &info->ds->meta;

    open_object(j, "header");
    number(j, "used", info->header_used);
    number(j, "room", info->header_room);
    pcdf_json_close(j, '}');
    if (info->nfixed > 0) {
        open_object(j, "fixed");
        number(j, "variables", info->nfixed);
        number(j, "begin", info->fixed_begin);
        number(j, "end", info->fixed_end);
        number(j, "bytes", info->fixed_bytes);
        pcdf_json_close(j, '}');
    }
    if (meta->nrecord_vars > 0) {
        open_object(j, "records");
        number(j, "variables", meta->nrecord_vars);
        number(j, "count", meta->numrecs);
        number(j, "begin", info->rec_begin);
        number(j, "length", info->recsize);
        number(j, "padding", info->recsize - info->rec_bytes);
        number(j, "end", info->rec_end);
        pcdf_json_close(j, '}');
    }
    open_object(j, "gaps");
    number(j, "count", info->ngaps);
    number(j, "bytes", info->gap_bytes);
    number(j, "largest", info->gap_most);
    number(j, "largest_at", info->gap_at);
    pcdf_json_close(j, '}');
}

static void said_text(struct pcdf_json *j, const char *key, const struct pcdf_atts *atts, const char *name)
{
    char value[PCDF_TOOL_TEXT];
    if (pcdf_tool_att_text(atts, name, value))
        text(j, key, value);
}

static void real(struct pcdf_json *j, const char *key, double x)
{
    pcdf_json_key(j, key);
    pcdf_json_real(j, x);
}

static void coordinate(struct pcdf_json *j, const struct pcdf_info_coordinate *c)
{
    if (!c->has_values)
        return;
    real(j, "first", c->first);
    real(j, "last", c->last);
    if (c->is_time) {
        text(j, "first_date", c->first_date);
        text(j, "last_date", c->last_date);
    }
}

static int dimensions(struct pcdf_json *j, const struct pcdf_info *info)
{
    const struct pcdf_meta *meta = &info->ds->meta;
    int status = PCDF_TOOL_GOOD;

    pcdf_json_key(j, "dimensions");
    pcdf_json_open(j, '[', false);
    for (int i = 0; i < meta->ndims; i++) {
        pcdf_json_open(j, '{', true);
        text(j, "name", meta->dims[i].name);
        number(j, "length", meta->dims[i].length == 0 ? meta->numrecs : meta->dims[i].length);
        pcdf_json_key(j, "is_record");
        pcdf_json_bool(j, meta->dims[i].length == 0);
        struct pcdf_info_coordinate c;
        status = status ? status : pcdf_info_coordinate_read(info->ds, i, &c);
        if (!status)
            coordinate(j, &c);
        pcdf_json_close(j, '}');
    }
    pcdf_json_close(j, ']');
    return status;
}

/* How the source of a range is called in JSON. */
static const char *const sources[] = {
    [PCDF_INFO_VALID] = "valid_range", [PCDF_INFO_ACTUAL] = "actual_range", [PCDF_INFO_READ] = "data"
};

static int values(struct pcdf_json *j, const struct pcdf_info *info, int varid, bool is_read)
{
    const struct pcdf_var *var = &info->ds->meta.vars[varid];
    struct pcdf_info_range range = pcdf_info_range_of(var);
    int status = is_read ? pcdf_info_range_read(info->ds, varid, &range) : PCDF_TOOL_GOOD;
    char description[PCDF_TOOL_TEXT];

    said_text(j, "units", &var->atts, "units");
    if (pcdf_info_description(var, description))
        text(j, "description", description);
    if (status || range.source == PCDF_INFO_UNKNOWN)
        return status;
    open_object(j, "values");
    real(j, "least", range.least);
    real(j, "greatest", range.greatest);
    text(j, "source", sources[range.source]);
    pcdf_json_close(j, '}');
    return status;
}

static int variables(struct pcdf_json *j, const struct pcdf_info *info, bool is_read)
{
    const struct pcdf_meta *meta = &info->ds->meta;
    int status = PCDF_TOOL_GOOD;

    pcdf_json_key(j, "variables");
    pcdf_json_open(j, '[', false);
    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        pcdf_json_open(j, '{', true);
        text(j, "name", var->name);
        text(j, "type", pcdf_type_cdl(var->type));
        pcdf_json_key(j, "dimensions");
        pcdf_json_open(j, '[', true);
        for (int k = 0; k < var->ndims; k++)
            pcdf_json_text(j, meta->dims[var->dimids[k]].name);
        pcdf_json_close(j, ']');
        pcdf_json_key(j, "is_record");
        pcdf_json_bool(j, var->is_record);
        number(j, "begin", info->ds->layout.begin[i]);
        number(j, "bytes", info->bytes[i]);
        if (var->is_record)
            number(j, "bytes_per_record", var->nbytes);
        status = status ? status : values(j, info, i, is_read);
        pcdf_json_close(j, '}');
    }
    pcdf_json_close(j, ']');
    return status;
}

static void advice(struct pcdf_json *j, const struct pcdf_info *info)
{
    pcdf_json_key(j, "advice");
    pcdf_json_open(j, '[', false);
    for (int i = 0; i < info->nadvice; i++) {
        const struct pcdf_info_advice *a = &info->advice[i];
        pcdf_json_open(j, '{', false);
        text(j, "rule", a->rule);
        pcdf_json_key(j, "is_warning");
        pcdf_json_bool(j, a->is_warning);
        text(j, "reason", a->reason);
        text(j, "action", a->action);
        pcdf_json_close(j, '}');
    }
    pcdf_json_close(j, ']');
}

int pcdf_info_json(const struct pcdf_info *info, const struct pcdf_info_style *style)
{
    static const char *const names[] = { "title", "Conventions", "institution", "source" };
    struct pcdf_json json, *j = &json;

    pcdf_json_begin(j, stdout);
    pcdf_json_open(j, '{', false);
    text(j, "file", info->ds->file.path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        said_text(j, names[i], &info->ds->meta.gatts, names[i]);
    if (pcdf_tool_source_is_image(info->ds->file.source))
        text(j, "format", pcdf_source_kind_name(info->ds->file.source->image->kind));
    number(j, "version", info->ds->meta.version);
    number(j, "size", info->size);
    number(j, "on_disk", info->on_disk);
    number(j, "file_system_block", info->block);
    number(j, "attributes", info->natts);
    number(j, "data_end", info->data_end);
    number(j, "missing", info->behind);
    number(j, "tail", info->tail);
    sections(j, info);
    int status = dimensions(j, info);
    if (!status)
        status = variables(j, info, style->has_ranges);
    advice(j, info);
    pcdf_json_close(j, '}');
    pcdf_json_end(j);
    return status;
}
