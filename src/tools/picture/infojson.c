/* What info found, as JSON: all in bytes. */
#include "infodraw.h"
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

static void dimensions(struct pcdf_json *j, const struct pcdf_meta *meta)
{
    pcdf_json_key(j, "dimensions");
    pcdf_json_open(j, '[', false);
    for (int i = 0; i < meta->ndims; i++) {
        pcdf_json_open(j, '{', true);
        text(j, "name", meta->dims[i].name);
        number(j, "length", meta->dims[i].length == 0 ? meta->numrecs : meta->dims[i].length);
        pcdf_json_key(j, "is_record");
        pcdf_json_bool(j, meta->dims[i].length == 0);
        pcdf_json_close(j, '}');
    }
    pcdf_json_close(j, ']');
}

static void variables(struct pcdf_json *j, const struct pcdf_info *info)
{
    const struct pcdf_meta *meta = &info->ds->meta;

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
        pcdf_json_close(j, '}');
    }
    pcdf_json_close(j, ']');
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

void pcdf_info_json(const struct pcdf_info *info)
{
    struct pcdf_json json, *j = &json;

    pcdf_json_begin(j, stdout);
    pcdf_json_open(j, '{', false);
    text(j, "file", info->ds->file.path);
    number(j, "version", info->ds->meta.version);
    number(j, "size", info->size);
    number(j, "on_disk", info->on_disk);
    number(j, "file_system_block", info->block);
    number(j, "attributes", info->natts);
    number(j, "data_end", info->data_end);
    number(j, "missing", info->behind);
    number(j, "tail", info->tail);
    sections(j, info);
    dimensions(j, &info->ds->meta);
    variables(j, info);
    advice(j, info);
    pcdf_json_close(j, '}');
    pcdf_json_end(j);
}
