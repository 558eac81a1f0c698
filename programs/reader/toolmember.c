/* See toolmember.h. */
#include "toolmember.h"
#include "alloc.h"
#include "numbers.h"
#include "status.h"
#include "toolsay.h"
#include "meaningvalues.h"
#include "timevalue.h"
#include "value.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { AT_ONCE = 4096 }; /* values */

/* ---- values */

/* As many as a buffer holds, one buffer after the other: `take` gets each. */
static int each_part(struct pcdf_tool_dataset *ds, int varid,
                     void (*take)(void *context, const unsigned char *bytes, int64_t n), void *context)
{
    int64_t n = pcdf_tool_count(&ds->meta, varid);
    unsigned char *bytes = pcdf_malloc((size_t)AT_ONCE * 8);
    int status = bytes ? PCDF_TOOL_GOOD : pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());

    for (int64_t first = 0; first < n && !status; first += AT_ONCE) {
        int64_t some = pcdf_smaller(AT_ONCE, n - first);
        status = pcdf_tool_values(ds, varid, first, some, bytes);
        if (!status)
            take(context, bytes, some);
    }
    pcdf_free(bytes);
    return status;
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

struct taking {
    const struct pcdf_var *var;
    struct pcdf_meaning meaning;
    int64_t n;
    double *to;
};

static void take_values(void *context, const unsigned char *bytes, int64_t n)
{
    struct taking *t = context;
    for (int64_t i = 0; i < n; i++, bytes += pcdf_type_size(t->var->type)) {
        double x = pcdf_meaning_value(&t->meaning, bytes);
        t->to[t->n++] = isfinite(x) ? x : (double)NAN;
    }
}

static int read_ends(struct pcdf_tool_dataset *ds, int varid, struct pcdf_tool_member *m)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    double ends[2];
    struct taking t = { var, pcdf_meaning_of(var), 0, ends };
    unsigned char bytes[8];
    int status = PCDF_TOOL_GOOD;

    for (int i = 0; i < 2 && !status; i++) {
        status = pcdf_tool_values(ds, varid, i == 0 ? 0 : m->length - 1, 1, bytes);
        if (!status)
            take_values(&t, bytes, 1);
    }
    if (status)
        return status;
    m->first = ends[0];
    m->last = ends[1];
    m->has_ends = isfinite(ends[0]) && isfinite(ends[1]);
    return PCDF_TOOL_GOOD;
}

static int read_all(struct pcdf_tool_dataset *ds, int varid, struct pcdf_tool_member *m)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    struct taking t = { var, pcdf_meaning_of(var), 0, NULL };

    t.to = pcdf_malloc((size_t)m->length * sizeof *t.to);
    if (!t.to)
        return pcdf_tool_unusable(m->path, "%s", pcdf_fail_text());
    int status = each_part(ds, varid, take_values, &t);
    if (status) {
        pcdf_free(t.to);
        return status;
    }
    m->values = t.to;
    m->first = t.to[0];
    m->last = t.to[m->length - 1];
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
    return m->length <= most ? read_all(ds, varid, m) : read_ends(ds, varid, m);
}
