/* What info found, as JSON: all in bytes. */
#include "infodraw.h"
#include "infomeaning.h"
#include "infotimes.h"
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
    char value[PCDF_MEANING_TEXT];
    if (pcdf_meaning_text(atts, name, value))
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
    if (*c->why)
        text(j, "no_dates", c->why);
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
    char description[PCDF_MEANING_TEXT];

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
        if (!info->ds->series)
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

static void places(struct pcdf_json *j, const struct pcdf_info *info)
{
    number(j, "on_disk", info->on_disk);
    number(j, "file_system_block", info->block);
    number(j, "attributes", info->natts);
    number(j, "data_end", info->data_end);
    number(j, "missing", info->behind);
    number(j, "tail", info->tail);
    sections(j, info);
}

/* ---- several files */

static void ends(struct pcdf_json *j, const struct pcdf_tool_series *s, const char *const names[4],
                 double from, double to)
{
    char date[64];

    real(j, names[0], from);
    real(j, names[1], to);
    if (!s->is_time)
        return;
    pcdf_tool_series_text(s, from, date);
    text(j, names[2], date);
    pcdf_tool_series_text(s, to, date);
    text(j, names[3], date);
}

static void files(struct pcdf_json *j, const struct pcdf_tool_dataset *ds)
{
    static const char *const names[] = { "first", "last", "first_date", "last_date" };
    const struct pcdf_tool_series *s = ds->series;

    pcdf_json_key(j, "files");
    pcdf_json_open(j, '[', false);
    for (int i = 0; i < s->n; i++) {
        const struct pcdf_tool_member *m = &s->x[i];
        pcdf_json_open(j, '{', true);
        text(j, "file", m->path);
        if (m->format)
            text(j, "format", m->format);
        else
            number(j, "version", m->version);
        number(j, "size", m->size);
        number(j, "length", m->length);
        if (m->has_ends)
            ends(j, s, names, m->first, m->last);
        pcdf_json_key(j, "is_short");
        pcdf_json_bool(j, m->lost);
        pcdf_json_close(j, '}');
    }
    pcdf_json_close(j, ']');
    text(j, "along", ds->meta.dims[s->dimid].name);
}

/* Gaps, and what is there twice, along the dimension that joins the files. */
static int coverage(struct pcdf_json *j, const struct pcdf_tool_series *s)
{
    static const char *const span[] = { "first", "last", "first_date", "last_date" }, *const gap[] = {
        "from", "to", "from_date", "to_date"
    };
    struct pcdf_info_times t;
    int status = pcdf_info_times_of(s, &t);

    if (status || !t.has_span)
        return status;
    open_object(j, "coverage");
    ends(j, s, span, t.first, t.last);
    real(j, "step", t.step);
    number(j, "gaps", t.ngaps);
    number(j, "twice", t.ntwice);
    number(j, "back", t.nback);
    pcdf_json_key(j, "is_whole");
    pcdf_json_bool(j, t.is_whole);
    if (t.ngaps > 0) {
        open_object(j, "largest_gap");
        ends(j, s, gap, t.from, t.to);
        pcdf_json_close(j, '}');
    }
    pcdf_json_close(j, '}');
    pcdf_info_times_free(&t);
    return PCDF_TOOL_GOOD;
}

int pcdf_info_json(const struct pcdf_info *info, const struct pcdf_info_style *style)
{
    static const char *const names[] = { "title", "Conventions", "institution", "source" };
    struct pcdf_json json, *j = &json;

    pcdf_json_begin(j, stdout);
    pcdf_json_open(j, '{', false);
    if (info->ds->series)
        files(j, info->ds);
    else
        text(j, "file", info->ds->file.path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        said_text(j, names[i], &info->ds->meta.gatts, names[i]);
    if (pcdf_tool_source_is_image(info->ds->file.source))
        text(j, "format", pcdf_source_kind_name(info->ds->file.source->image->kind));
    number(j, "version", info->ds->meta.version);
    number(j, "size", info->size);
    if (info->has_room) {
        open_object(j, "stored");
        number(j, "file", info->room.file);
        number(j, "values", info->room.values);
        number(j, "chunks", info->room.nchunks);
        pcdf_json_close(j, '}');
    }
    if (!info->ds->series)
        places(j, info);
    int status = dimensions(j, info);
    if (!status)
        status = variables(j, info, style->has_ranges);
    if (!info->ds->series)
        advice(j, info);
    else if (!status)
        status = coverage(j, info->ds->series);
    pcdf_json_close(j, '}');
    pcdf_json_end(j);
    return status;
}
