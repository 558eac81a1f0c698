/* See copyinput.h. */
#include "copyinput.h"
#include "copyplan.h"
#include "alloc.h"
#include "posixio.h"
#include "tool.h"
#include "zarrstore.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WILLING_BEHIND = 64 << 20, STREAMING_AT = 4, IMAGES = 2 /* two are compared */ };
static const char changes[] = "a file changes while it is copied";

/* Whole records that the file's size has room for; padding behind the last value need not be there. */
static int recount(struct pcdf_tool_dataset *ds)
{
    struct pcdf_meta *meta = &ds->meta;
    int64_t size = ds->file.size, fixed_end = 0, pad = 0, last = -1;

    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        int64_t end = ds->layout.begin[i] + var->nbytes;
        if (!var->is_record && end > fixed_end)
            fixed_end = end;
        if (var->is_record && ds->layout.begin[i] > last) {
            last = ds->layout.begin[i];
            pad = meta->nrecord_vars > 1 ? pcdf_layout_padded(var->nbytes) - var->nbytes : 0;
        }
    }
    ds->behind = fixed_end > size ? fixed_end - size : 0;
    if (ds->behind > WILLING_BEHIND && ds->behind > size)
        return pcdf_tool_unusable(ds->file.path,
                                  "the file lacks more data of variables without records than it has");
    if (meta->nrecord_vars > 0 && ds->layout.recsize > 0)
        meta->numrecs =
            size > ds->layout.begin_rec ? (size - ds->layout.begin_rec + pad) / ds->layout.recsize : 0;
    return PCDF_TOOL_GOOD;
}

static bool needs_values(const struct pcdf_copy_options *options)
{
    return !options->recompute && !options->header_only;
}

/* Of one that was just opened, or is asked for again. */
static int prepare(struct pcdf_tool_dataset *ds, const struct pcdf_copy_options *options)
{
    if (options->recompute)
        return recount(ds);
    if (ds->behind > 0 && (options->append || options->nfrom > 1))
        return pcdf_tool_unusable(ds->file.path,
                                  "the file ends %" PRId64
                                  " bytes before its data does: its records cannot be put behind others",
                                  ds->behind);
    return PCDF_TOOL_GOOD;
}

int pcdf_copy_open(struct pcdf_tool_dataset *ds, const char *path, const struct pcdf_copy_options *options)
{
    int status = pcdf_tool_dataset_open(ds, path, needs_values(options));
    if (status)
        return status;
    status = prepare(ds, options);
    if (status)
        pcdf_tool_dataset_close(ds);
    return status;
}

int pcdf_copy_tell_changed(void)
{
    return pcdf_tool_unusable(NULL, "%s", changes);
}

int pcdf_copy_inputs_begin(struct pcdf_tool_files *inputs, const struct pcdf_copy_options *options)
{
    int status = pcdf_tool_files_begin(inputs, options->nfrom, (const char *const *)options->from, IMAGES);
    inputs->with_values = needs_values(options);
    inputs->looks_again = true;
    inputs->text = changes;
    return status;
}

int pcdf_copy_inputs_get(struct pcdf_tool_files *inputs, int number, const struct pcdf_copy_options *options,
                         struct pcdf_tool_dataset **ds)
{
    if (options->recompute) /* its header does not say how many records it has */
        inputs->x[number].is_known = false;
    int status = pcdf_tool_files_get(inputs, number, ds);
    if (status)
        return status;
    (*ds)->read_behind = false; /* what was read for the plan, of coordinates, is not missing in the copy */
    return prepare(*ds, options);
}

int pcdf_copy_count_records(struct pcdf_tool_files *inputs, const struct pcdf_copy_options *options, int from,
                            int64_t *records)
{
    *records = 0;
    for (int i = from; i < options->nfrom; i++) {
        struct pcdf_tool_dataset *ds;
        int status = pcdf_copy_inputs_get(inputs, i, options, &ds);
        if (status)
            return status;
        int64_t here = 0;
        status = pcdf_copy_plan_records(options, ds, &here);
        bool fits = !__builtin_add_overflow(*records, here, records);
        if (status)
            return status;
        if (!fits)
            return pcdf_tool_unusable(options->from[i],
                                      "the records of all files together are more than a file can have");
    }
    return PCDF_TOOL_GOOD;
}

/* A writer that could not go back left all ones for the number of records. */
int pcdf_copy_look_at_count(const char *path, bool *is_streaming)
{
    static const unsigned char ones[8] = { 255, 255, 255, 255, 255, 255, 255, 255 };
    struct pcdf_tool_file file;
    int status = pcdf_tool_open_regular(&file, path);
    if (status)
        return status;
    size_t width = file.n > 12 && file.bytes[3] == PCDF_CDF5 ? 8 : 4;
    *is_streaming = file.n > 12 && memcmp(file.bytes + STREAMING_AT, ones, width) == 0;
    pcdf_tool_close(&file);
    return PCDF_TOOL_GOOD;
}

/* Also stores by their URLs. */
static bool are_same(const char *from, const char *to)
{
    char *a = pcdf_zarrstore_path(from), *b = pcdf_zarrstore_path(to);
    bool same = pcdf_posix_same(a ? a : from, b ? b : to);
    pcdf_free(a);
    pcdf_free(b);
    return same;
}

int pcdf_copy_check_paths(const struct pcdf_copy_options *options)
{
    struct stat to;
    bool exists = stat(options->to, &to) == 0;

    for (int i = 0; i < options->nfrom; i++)
        if (are_same(options->from[i], options->to))
            return pcdf_tool_unusable(options->to, "this file is to be read and written at once");
    if (exists && !S_ISREG(to.st_mode) && !options->zarr)
        return pcdf_tool_unusable(options->to, "%s",
                                  S_ISDIR(to.st_mode) ? "this is a folder" : "this is not a regular file");
    return PCDF_TOOL_GOOD;
}
