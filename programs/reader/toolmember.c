/* See toolmember.h. */
#include "toolmember.h"
#include "alloc.h"
#include "status.h"
#include "toolsay.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

bool pcdf_tool_date(const struct pcdf_time *time, double value, char text[64])
{
    size_t n = pcdf_time_text(time, value, ' ', text);
    text[n] = '\0';
    if (n > 3 && n < 60 && text[n - 3] == ' ')
        memcpy(text + n, ":00", 4);
    return n > 0;
}

int pcdf_tool_member_grid(struct pcdf_tool_dataset *ds, const struct pcdf_meta *first, const char *along,
                          uint64_t *hashes)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < first->ndims && !status; i++) {
        int id = pcdf_tool_coordinate(first, i);
        int mine = id < 0 ? -1 : pcdf_meta_find_var(&ds->meta, first->vars[id].name);
        if (mine < 0 || strcmp(first->dims[i].name, along) == 0)
            continue;
        status = pcdf_tool_values_hash(ds, mine, &hashes[id]);
    }
    return status;
}

/* All values, or only the first and the last one. */
static int read_coordinate(struct pcdf_tool_dataset *ds, int varid, bool reads_all,
                           struct pcdf_tool_member *m)
{
    double ends[2], *x = reads_all ? pcdf_malloc((size_t)m->length * sizeof *x) : ends;
    int64_t n = reads_all ? m->length : 2;
    int status = x ? PCDF_TOOL_GOOD : pcdf_tool_unusable(m->path, "%s", pcdf_fail_text());

    if (!status)
        status = pcdf_tool_numbers(ds, varid, 0, n - !reads_all, x);
    if (!status && !reads_all)
        status = pcdf_tool_numbers(ds, varid, m->length - 1, 1, x + 1);
    if (status) {
        pcdf_free(reads_all ? x : NULL);
        return status;
    }
    for (int64_t i = 0; i < n; i++)
        x[i] = isfinite(x[i]) ? x[i] : (double)NAN;
    m->values = reads_all ? x : NULL;
    m->first = x[0];
    m->last = x[n - 1];
    m->has_ends = isfinite(m->first) && isfinite(m->last);
    return PCDF_TOOL_GOOD;
}

int pcdf_tool_member_read(struct pcdf_tool_dataset *ds, const char *along, int64_t most,
                          struct pcdf_tool_member *m)
{
    struct stat st;
    int dimid = pcdf_meta_find_dim(&ds->meta, along);
    if (dimid < 0)
        return pcdf_tool_no_dimension(m->path, &ds->meta, along);
    m->length = pcdf_tool_dim_length(&ds->meta, dimid);
    m->size = stat(m->path, &st) == 0 && S_ISREG(st.st_mode) ? st.st_size : ds->file.size;
    m->sum = pcdf_tool_dataset_sum(ds, 0);
    m->version = ds->meta.version;
    m->lost = ds->behind > 0;
    if (pcdf_tool_source_is_image(ds->file.source))
        m->format = pcdf_source_kind_name(ds->file.source->image->kind);
    int varid = pcdf_tool_coordinate(&ds->meta, dimid);
    if (varid < 0 || m->length == 0 || m->lost)
        return PCDF_TOOL_GOOD;
    return read_coordinate(ds, varid, m->length <= most, m);
}
