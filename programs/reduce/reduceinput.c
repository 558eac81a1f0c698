/* See reduceinput.h. */
#include "reduceinput.h"
#include "alloc.h"
#include "status.h"
#include "toolfit.h"
#include "toolsay.h"

#include <inttypes.h>

/* ---- do they agree? */

static int match(struct pcdf_reduce_input *in)
{
    static const char shape[] = "variable $v has another type or shape than in $f";
    static const char *const words[PCDF_FIT_MISFITS] = {
        [PCDF_FIT_ABSENT] = "there is no variable $v, which $f has",
        [PCDF_FIT_TYPE] = shape,
        [PCDF_FIT_DIM] = shape,
        [PCDF_FIT_UNLIMITED] = shape,
        [PCDF_FIT_FIXED] = shape,
        [PCDF_FIT_LENGTH] = shape,
        [PCDF_FIT_MEANING] = "variable $v has another $a than in $f",
    };
    const struct pcdf_meta *mine = &in->ds->meta;
    const char *path = in->ds->file.path, *first = in->options->from[0];
    const struct pcdf_tool_fit fit = { words, &in->meta, mine, first, path, in->meta.record_dim,
                                       NULL,  NULL,      false };
    if (in->options->across && mine->numrecs != in->meta.numrecs)
        return pcdf_tool_unusable(path, "%" PRId64 " records, and %.300s has %" PRId64, mine->numrecs, first,
                                  in->meta.numrecs);
    return pcdf_tool_fit_file(&fit);
}

/* ---- one file at a time */

int pcdf_reduce_input_turn(struct pcdf_reduce_input *in, int file)
{
    int status = pcdf_tool_files_get(&in->files, file, &in->ds);
    in->open = status ? -1 : file;
    in->ds = status ? NULL : in->ds; /* what was open may have been closed for it */
    return status;
}

void pcdf_reduce_input_records(const struct pcdf_reduce_input *in, int file, int64_t *from, int64_t *to)
{
    *from = in->options->across ? 0 : in->begins[file];
    *to = in->options->across ? in->meta.numrecs : in->begins[file + 1];
}

static int look_at(struct pcdf_reduce_input *in, int i)
{
    const struct pcdf_reduce_options *o = in->options;
    int status = pcdf_reduce_input_turn(in, i);
    if (status)
        return status;
    in->sum = pcdf_tool_dataset_sum(in->ds, in->sum);
    in->begins[i + 1] = in->begins[i] + in->ds->meta.numrecs;
    if (i == 0)
        return pcdf_meta_copy(&in->meta, &in->ds->meta)
                   ? pcdf_tool_unusable(o->from[i], "%s", pcdf_fail_text())
                   : PCDF_TOOL_GOOD;
    status = match(in);
    if (!status && !o->across && in->meta.record_dim < 0)
        status = pcdf_tool_unusable(o->from[i],
                                    "there is no record dimension to put several files behind each other");
    return status;
}

static int look_at_each(struct pcdf_reduce_input *in)
{
    int status = PCDF_TOOL_GOOD, n = in->options->nfrom;
    for (int i = 0; i < n && !status; i++)
        status = look_at(in, i);
    if (!status && !in->options->across)
        in->meta.numrecs = in->begins[n];
    return status;
}

int pcdf_reduce_input_begin(struct pcdf_reduce_input *in, const struct pcdf_reduce_options *options)
{
    *in = (struct pcdf_reduce_input){ .options = options };
    int status = pcdf_tool_files_begin(&in->files, options->nfrom, (const char *const *)options->from, 1);
    if (status)
        return status;
    in->files.looks_again = true;
    pcdf_meta_init(&in->meta, PCDF_CDF5);
    in->begins = pcdf_calloc((size_t)options->nfrom + 1, sizeof *in->begins);
    status = in->begins ? look_at_each(in) : pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    if (status)
        pcdf_reduce_input_end(in);
    return status;
}

void pcdf_reduce_input_end(struct pcdf_reduce_input *in)
{
    (void)pcdf_tool_files_end(&in->files);
    pcdf_meta_free(&in->meta);
    pcdf_free(in->begins);
    in->begins = NULL;
}

int pcdf_reduce_input_id(const struct pcdf_reduce_input *in, int varid)
{
    return in->open == 0 ? varid : pcdf_meta_find_var(&in->ds->meta, in->meta.vars[varid].name);
}

int pcdf_reduce_input_values(struct pcdf_reduce_input *in, int varid, int64_t first, int64_t n, void *bytes)
{
    return pcdf_tool_values(in->ds, pcdf_reduce_input_id(in, varid), first, n, bytes);
}

bool pcdf_reduce_input_is_local(const struct pcdf_reduce_input *in)
{
    return !in->ds->file.source;
}

void pcdf_reduce_input_expect(struct pcdf_reduce_input *in, int varid, int64_t first, int64_t n)
{
    pcdf_tool_values_expect(in->ds, pcdf_reduce_input_id(in, varid), first, n);
}
