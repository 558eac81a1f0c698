/* See infofacts.h. */
#include "infofacts.h"
#include "alloc.h"
#include "status.h"
#include "sidecar.h"
#include "checksumtable.h"
#include "tool.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TINY = 4096 };

int64_t pcdf_info_sum(int64_t a, int64_t b, int64_t c)
{
    int64_t product, sum;
    if (__builtin_mul_overflow(b, c, &product) || __builtin_add_overflow(a, product, &sum))
        return INT64_MAX;
    return sum;
}

bool pcdf_info_has_beside(const char *path, const char *suffix)
{
    char *beside = NULL;
    bool is_there = false;

    (void)pcdf_sidecar_find(path, suffix, &beside, &is_there);
    pcdf_free(beside);
    return is_there;
}

/* ---- orders */

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_begins(const void *a, const void *b, void *context)
{
    const struct pcdf_info *info = context;
    int i = *(const int *)a, j = *(const int *)b;
    const struct pcdf_var *vars = info->ds->meta.vars;

    if (vars[i].is_record != vars[j].is_record)
        return vars[i].is_record ? 1 : -1;
    int order = compare_numbers(info->ds->layout.begin[i], info->ds->layout.begin[j]);
    return order ? order : compare_numbers(i, j);
}

static int compare_sizes(const void *a, const void *b, void *context)
{
    const struct pcdf_info *info = context;
    int i = *(const int *)a, j = *(const int *)b, order = compare_numbers(info->bytes[j], info->bytes[i]);

    if (order == 0) /* files without records yet */
        order = compare_numbers(info->ds->meta.vars[j].nbytes, info->ds->meta.vars[i].nbytes);
    return order ? order : compare_numbers(i, j);
}

static int sort_variables(struct pcdf_info *info)
{
    const struct pcdf_meta *meta = &info->ds->meta;
    size_t n = (size_t)meta->nvars + 1;

    info->by_begin = pcdf_malloc(n * sizeof *info->by_begin);
    info->by_size = pcdf_malloc(n * sizeof *info->by_size);
    info->bytes = pcdf_malloc(n * sizeof *info->bytes);
    if (!info->by_begin || !info->by_size || !info->bytes)
        return PCDF_TOOL_UNUSABLE;
    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        info->by_begin[i] = info->by_size[i] = i;
        info->bytes[i] = var->is_record ? pcdf_info_sum(0, var->nbytes, meta->numrecs) : var->nbytes;
    }
    if (!info->ds->series) /* which has no layout */
        qsort_r(info->by_begin, (size_t)meta->nvars, sizeof *info->by_begin, compare_begins, info);
    qsort_r(info->by_size, (size_t)meta->nvars, sizeof *info->by_size, compare_sizes, info);
    return PCDF_TOOL_GOOD;
}

/* ---- places */

static void note_gap(struct pcdf_info *info, int64_t from, int64_t to, int64_t times)
{
    if (to <= from || times <= 0)
        return;
    info->ngaps++;
    info->gap_bytes = pcdf_info_sum(info->gap_bytes, to - from, times);
    if (to - from > info->gap_most) {
        info->gap_at = from;
        info->gap_most = to - from;
    }
}

/* Up to the next multiple of 4: padding, which is no gap. Decode has proved that the end fits. */
static int64_t padded_end(const struct pcdf_info *info, int varid)
{
    int64_t end = info->ds->layout.begin[varid] + info->ds->meta.vars[varid].nbytes;
    return end > INT64_MAX - 3 ? end : pcdf_layout_padded(end);
}

static void find_gaps(struct pcdf_info *info)
{
    const struct pcdf_meta *meta = &info->ds->meta;
    int64_t numrecs = meta->numrecs;
    int last = -1;

    for (int k = 0; k < meta->nvars; k++) {
        int i = info->by_begin[k];
        bool is_record = meta->vars[i].is_record, was_record = last >= 0 && meta->vars[last].is_record;
        if (last >= 0)
            note_gap(info, padded_end(info, last), info->ds->layout.begin[i],
                     is_record && was_record ? numrecs : 1);
        last = i;
    }
}

static void find_sections(struct pcdf_info *info)
{
    const struct pcdf_meta *meta = &info->ds->meta;
    const struct pcdf_layout *layout = &info->ds->layout;

    for (int k = 0; k < meta->nvars; k++) {
        int i = info->by_begin[k];
        const struct pcdf_var *var = &meta->vars[i];
        if (var->is_record) {
            info->rec_bytes = pcdf_info_sum(info->rec_bytes, 1, var->nbytes);
            continue;
        }
        if (info->nfixed++ == 0)
            info->fixed_begin = layout->begin[i];
        int64_t end = layout->begin[i] + var->nbytes;
        info->fixed_end = end > info->fixed_end ? end : info->fixed_end;
        info->fixed_bytes = pcdf_info_sum(info->fixed_bytes, 1, var->nbytes);
        info->ntiny += var->nbytes < TINY;
    }
    if (meta->nrecord_vars > 0) {
        info->rec_begin = layout->begin_rec;
        info->recsize = layout->recsize;
        info->rec_end = pcdf_info_sum(layout->begin_rec, meta->numrecs, layout->recsize);
    }
}

static void find_ends(struct pcdf_info *info)
{
    const struct pcdf_tool_dataset *ds = info->ds;
    int64_t end = pcdf_layout_file_end(&ds->layout, &ds->meta);

    info->data_end = end;
    info->behind = ds->behind;
    int64_t padded = end > INT64_MAX - 3 ? end : pcdf_layout_padded(end);
    if (ds->meta.nrecord_vars > 1 && info->rec_end > padded && ds->meta.numrecs > 0)
        padded = info->rec_end;
    info->tail = info->size > padded ? info->size - padded : 0;
}

int pcdf_info_begin(struct pcdf_info *info, struct pcdf_tool_dataset *ds)
{
    struct stat st;

    *info = (struct pcdf_info){ .ds = ds, .size = ds->file.size };
    if (ds->file.fd >= 0 && fstat(ds->file.fd, &st) == 0) {
        info->on_disk = (int64_t)st.st_blocks * 512;
        info->block = st.st_blksize;
    }
    info->natts = ds->meta.gatts.n;
    for (int i = 0; i < ds->meta.nvars; i++)
        info->natts += ds->meta.vars[i].atts.n;
    if (!ds->series) {
        info->header_used = ds->layout.header_size;
        info->header_room = ds->layout.header_extent;
        info->has_sums = pcdf_info_has_beside(ds->file.path, PCDF_CHECKSUMS_SUFFIX);
        info->has_journal = pcdf_info_has_beside(ds->file.path, ".parcdf-journal");
    }
    info->has_room = pcdf_tool_chunks_measure(ds->file.source, &info->room);
    if (sort_variables(info)) {
        pcdf_tool_say(ds->file.path, "%s", pcdf_fail_text());
        pcdf_info_end(info);
        return PCDF_TOOL_UNUSABLE;
    }
    if (ds->series)
        return PCDF_TOOL_GOOD;
    find_sections(info);
    find_gaps(info);
    find_ends(info);
    return PCDF_TOOL_GOOD;
}

void pcdf_info_end(struct pcdf_info *info)
{
    pcdf_free(info->by_begin);
    pcdf_free(info->by_size);
    pcdf_free(info->bytes);
}
