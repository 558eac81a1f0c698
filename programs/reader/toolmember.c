/* See toolmember.h. */
#include "toolmember.h"
#include "alloc.h"
#include "meaningsame.h"
#include "crc32c.h"
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

int64_t pcdf_tool_dim_length(const struct pcdf_meta *meta, int dimid)
{
    return dimid == meta->record_dim ? meta->numrecs : meta->dims[dimid].length;
}

int pcdf_tool_coordinate(const struct pcdf_meta *meta, int dimid)
{
    int varid = pcdf_meta_find_var(meta, meta->dims[dimid].name);
    const struct pcdf_var *var = varid < 0 ? NULL : &meta->vars[varid];
    return var && var->ndims == 1 && var->dimids[0] == dimid && var->type != NC_CHAR ? varid : -1;
}

/* ---- do two files agree? */

struct matching {
    const struct pcdf_meta *first, *mine;
    const char *first_path, *path, *along;
};

static int match_dimensions(const struct matching *m, const struct pcdf_var *a, const struct pcdf_var *b)
{
    if (a->ndims != b->ndims)
        return pcdf_tool_unusable(m->path, "variable %.200s has %d dimensions, and %d in %.300s", a->name,
                                  b->ndims, a->ndims, m->first_path);
    for (int i = 0; i < a->ndims; i++) {
        const struct pcdf_dim *x = &m->first->dims[a->dimids[i]], *y = &m->mine->dims[b->dimids[i]];
        int64_t had = pcdf_tool_dim_length(m->first, a->dimids[i]),
                has = pcdf_tool_dim_length(m->mine, b->dimids[i]);
        if (strcmp(x->name, y->name) != 0)
            return pcdf_tool_unusable(m->path, "variable %.200s has dimension %.200s, and %.200s in %.300s",
                                      a->name, y->name, x->name, m->first_path);
        if (had != has && strcmp(x->name, m->along) != 0)
            return pcdf_tool_unusable(m->path,
                                      "variable %.200s: dimension %.200s has length %" PRId64 ", and %" PRId64
                                      " in %.300s",
                                      a->name, x->name, has, had, m->first_path);
    }
    return PCDF_TOOL_GOOD;
}

static int match_variable(const struct matching *m, const struct pcdf_var *var)
{
    int id = pcdf_meta_find_var(m->mine, var->name);
    const struct pcdf_var *mine = id < 0 ? NULL : &m->mine->vars[id];

    if (!mine)
        return pcdf_tool_unusable(m->path, "there is no variable %.200s, which %.300s has", var->name,
                                  m->first_path);
    if (mine->type != var->type)
        return pcdf_tool_unusable(m->path, "variable %.200s is of type %s, and of %s in %.300s", var->name,
                                  pcdf_type_cdl(mine->type), pcdf_type_cdl(var->type), m->first_path);
    int status = match_dimensions(m, var, mine);
    const char *att = status ? NULL : pcdf_time_differs(m->first, (int)(var - m->first->vars), m->mine, id);
    att = status || att ? att : pcdf_meaning_differs(var, mine);
    return att ? pcdf_tool_unusable(m->path, "variable %.200s has another %s than in %.300s", var->name, att,
                                    m->first_path)
               : status;
}

int pcdf_tool_member_match(const struct pcdf_meta *first, const char *first_path,
                           const struct pcdf_meta *mine, const char *path, const char *along)
{
    const struct matching m = { first, mine, first_path, path, along };
    int status = PCDF_TOOL_GOOD;

    for (int i = 0; i < first->nvars && !status; i++)
        status = match_variable(&m, &first->vars[i]);
    for (int i = 0; i < mine->nvars && !status; i++)
        if (pcdf_meta_find_var(first, mine->vars[i].name) < 0)
            status = pcdf_tool_unusable(path, "it has a variable %.200s, which %.300s has not",
                                        mine->vars[i].name, first_path);
    return status;
}

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

struct summing {
    int64_t size;
    uint32_t sum;
};

static void take_sum(void *context, const unsigned char *bytes, int64_t n)
{
    struct summing *s = context;
    s->sum = pcdf_crc32c(s->sum, bytes, (size_t)(n * s->size));
}

int pcdf_tool_member_grid(struct pcdf_tool_dataset *ds, const struct pcdf_meta *first, const char *along,
                          uint32_t *sums)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < first->ndims && !status; i++) {
        int id = pcdf_tool_coordinate(first, i);
        int mine = id < 0 ? -1 : pcdf_meta_find_var(&ds->meta, first->vars[id].name);
        if (mine < 0 || strcmp(first->dims[i].name, along) == 0)
            continue;
        struct summing s = { .size = pcdf_type_size(first->vars[id].type) };
        status = each_part(ds, mine, take_sum, &s);
        sums[id] = s.sum;
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
