/* See jointiles.h. FMS: attribute domain_decomposition of dimension variables, four numbers: the first and
 * the last index of the whole and of the part, counted from the same number. WRF: global attributes with the
 * first and last index of the patch, from 1, without and with the staggered point. NEMO: global attributes
 * DOMAIN_*, pairs of numbers of two dimensions; halos are part of the file, and of no use. */
#include "jointiles.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"
#include "meaningvalues.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers of attributes */

static bool number(const struct pcdf_atts *atts, const char *name, int64_t i, int64_t n, int64_t *to)
{
    double x;
    if (i >= n || !pcdf_meaning_real(atts, name, i, n, &x) || x < -9e15 || x > 9e15)
        return false;
    *to = (int64_t)x;
    return (double)*to == x;
}

static int lacks(const struct pcdf_tool_dataset *ds, const char *what, const char *name)
{
    return pcdf_tool_unusable(ds->file.path, "it has no %s%.200s, as the first file has", what, name);
}

/* Of an axis: the length that the file has, `local` of which are not of the tile before `count`. */
static int check_span(const struct pcdf_tool_dataset *ds, const struct pcdf_join_axis *axis, int64_t length,
                      int64_t want, const struct pcdf_join_span *s)
{
    if (length != want)
        return pcdf_tool_unusable(ds->file.path,
                                  "dimension %.200s has length %" PRId64
                                  ", and the attributes of the tile tell of %" PRId64,
                                  axis->name, length, want);
    if (s->first < 0 || s->count < 0 || s->count > axis->length - s->first || s->local < 0 ||
        s->count > length - s->local)
        return pcdf_tool_unusable(ds->file.path,
                                  "the tile has %.200s(%" PRId64 ":%" PRId64 "), of %" PRId64 " in all",
                                  axis->name, s->first, s->first + s->count, axis->length);
    return PCDF_TOOL_GOOD;
}

static int64_t length_in(const struct pcdf_meta *meta, const char *name)
{
    int dim = pcdf_meta_find_dim(meta, name);
    return dim < 0 ? -1 : pcdf_tool_dim_length(meta, dim);
}

/* ---- FMS */

static bool fms_numbers(const struct pcdf_meta *meta, const char *dim, int64_t v[4])
{
    int id = pcdf_meta_find_var(meta, dim);
    bool is = id >= 0;
    for (int i = 0; i < 4 && is; i++)
        is = number(&meta->vars[id].atts, "domain_decomposition", i, 4, &v[i]);
    return is;
}

static int begin_fms(struct pcdf_join_plan *plan, bool *is_tile)
{
    struct pcdf_join_axis *axis;
    int64_t v[4];
    for (int i = 0; i < plan->in.ndims; i++) {
        if (!fms_numbers(&plan->in, plan->in.dims[i].name, v) || (v[0] == v[2] && v[1] == v[3]))
            continue;
        if (pcdf_join_add_axis(plan, i, plan->in.dims[i].name, &axis))
            return PCDF_TOOL_UNUSABLE;
        axis->length = v[1] - v[0] + 1;
        *is_tile = true;
    }
    return PCDF_TOOL_GOOD;
}

static int place_fms(const struct pcdf_tool_dataset *ds, const struct pcdf_join_axis *axis,
                     struct pcdf_join_span *s)
{
    int64_t v[4];
    if (!fms_numbers(&ds->meta, axis->name, v))
        return lacks(ds, "attribute domain_decomposition of dimension ", axis->name);
    if (v[1] - v[0] + 1 != axis->length)
        return pcdf_tool_unusable(ds->file.path,
                                  "its domain_decomposition says that %.200s has length %" PRId64
                                  " in all, and in the first file that is %" PRId64,
                                  axis->name, v[1] - v[0] + 1, axis->length);
    *s = (struct pcdf_join_span){ v[2] - v[0], v[3] - v[2] + 1, 0 };
    return check_span(ds, axis, length_in(&ds->meta, axis->name), s->count, s);
}

/* ---- WRF */

/* The grid of fires is finer: `ratio` cells of it to each staggered point, which no attribute tells. */
static const struct {
    const char *dim, *direction;
    bool is_staggered, is_finer;
} wrf_dims[] = {
    { "west_east", "WEST-EAST", false, false },         { "west_east_stag", "WEST-EAST", true, false },
    { "west_east_subgrid", "WEST-EAST", true, true },   { "south_north", "SOUTH-NORTH", false, false },
    { "south_north_stag", "SOUTH-NORTH", true, false }, { "south_north_subgrid", "SOUTH-NORTH", true, true }
};
enum { WRF_DIMS = sizeof wrf_dims / sizeof *wrf_dims };

static bool wrf_number(const struct pcdf_meta *meta, int i, const char *what, int64_t *to)
{
    char name[64];
    snprintf(name, sizeof name, "%s_PATCH_%s_%s", wrf_dims[i].direction, what,
             wrf_dims[i].is_staggered ? "STAG" : "UNSTAG");
    return number(&meta->gatts, name, 0, 1, to);
}

static bool wrf_length(const struct pcdf_meta *meta, int i, int64_t *length)
{
    char name[64];
    snprintf(name, sizeof name, "%s_GRID_DIMENSION", wrf_dims[i].direction);
    bool is = number(&meta->gatts, name, 0, 1, length);
    *length -= is && !wrf_dims[i].is_staggered;
    return is;
}

/* The patch, and its whole, in points of dimension i, or staggered points beside a finer one. */
struct wrf_patch {
    int64_t first, last, length;
};

static bool wrf_patch(const struct pcdf_meta *meta, int i, struct wrf_patch *p)
{
    return wrf_number(meta, i, "START", &p->first) && wrf_number(meta, i, "END", &p->last) &&
           wrf_length(meta, i, &p->length);
}

/* As the first file has it: the others must fit. */
static int add_wrf_axis(struct pcdf_join_plan *plan, int i, int dim, const struct wrf_patch *p)
{
    struct pcdf_join_axis *axis;
    int64_t ratio = 1, points = p->last - p->first + 1, length = plan->in.dims[dim].length;
    if (wrf_dims[i].is_finer && (points < 1 || length < 1 || length % points != 0))
        return pcdf_tool_unusable(plan->options->from[0],
                                  "dimension %.200s has length %" PRId64
                                  ", which is no multiple of the %" PRId64 " staggered points of the tile",
                                  wrf_dims[i].dim, length, points);
    if (wrf_dims[i].is_finer)
        ratio = length / points;
    if (pcdf_join_add_axis(plan, dim, wrf_dims[i].dim, &axis))
        return PCDF_TOOL_UNUSABLE;
    return __builtin_mul_overflow(p->length, ratio, &axis->length)
               ? pcdf_tool_unusable(NULL, "dimension %.200s would be too long", wrf_dims[i].dim)
               : PCDF_TOOL_GOOD;
}

static int begin_wrf(struct pcdf_join_plan *plan, bool *is_tile)
{
    struct wrf_patch p;
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < WRF_DIMS; i++)
        if (!wrf_dims[i].is_staggered && wrf_patch(&plan->in, i, &p))
            *is_tile |= p.first != 1 || p.last != p.length;
    for (int i = 0; i < WRF_DIMS && *is_tile && !status; i++) {
        int dim = pcdf_meta_find_dim(&plan->in, wrf_dims[i].dim);
        if (dim < 0)
            continue;
        status =
            wrf_patch(&plan->in, i, &p)
                ? add_wrf_axis(plan, i, dim, &p)
                : pcdf_tool_unusable(plan->options->from[0],
                                     "it has no attributes of a patch for dimension %.200s", wrf_dims[i].dim);
    }
    return status;
}

static int place_wrf(const struct pcdf_tool_dataset *ds, const struct pcdf_join_axis *axis,
                     struct pcdf_join_span *s)
{
    for (int i = 0; i < WRF_DIMS; i++) {
        struct wrf_patch p;
        if (strcmp(wrf_dims[i].dim, axis->name) != 0)
            continue;
        if (!wrf_patch(&ds->meta, i, &p))
            return lacks(ds, "attributes of a patch for dimension ", axis->name);
        int64_t ratio = wrf_dims[i].is_finer && p.length > 0 ? axis->length / p.length : 1;
        if (p.length < 1 || p.length > axis->length || p.length * ratio != axis->length)
            return pcdf_tool_unusable(ds->file.path,
                                      "its attributes say that %.200s has length %" PRId64
                                      " in all, and in the first file that is %" PRId64,
                                      axis->name, p.length, axis->length);
        if (p.first < 1 || p.last < p.first - 1 || p.last > p.length)
            return pcdf_tool_unusable(ds->file.path,
                                      "the tile has %.200s(%" PRId64 ":%" PRId64 "), of %" PRId64, axis->name,
                                      p.first - 1, p.last, p.length);
        *s = (struct pcdf_join_span){ (p.first - 1) * ratio, (p.last - p.first + 1) * ratio, 0 };
    }
    return check_span(ds, axis, length_in(&ds->meta, axis->name), s->count, s);
}

/* ---- NEMO */

enum { NEMO_PAIR = 8 };

static int nemo_count(const struct pcdf_meta *meta)
{
    int id = pcdf_atts_find(&meta->gatts, "DOMAIN_dimensions_ids");
    int64_t n = id < 0 ? 0 : meta->gatts.x[id].nelems;
    return n > NEMO_PAIR ? NEMO_PAIR : (int)n;
}

/* The dimension of number i, by its id, which counts from 1; that has the length which is told. -1: none. */
static int nemo_dim(const struct pcdf_meta *meta, int i, int n)
{
    static const char *const usual[] = { "x", "y" };
    int64_t id, length;
    if (!number(&meta->gatts, "DOMAIN_dimensions_ids", i, n, &id) ||
        !number(&meta->gatts, "DOMAIN_size_local", i, n, &length))
        return -1;
    if (id >= 1 && id <= meta->ndims && meta->dims[id - 1].length == length)
        return (int)id - 1;
    int dim = i < 2 ? pcdf_meta_find_dim(meta, usual[i]) : -1; /* of a file that was written anew */
    return dim >= 0 && meta->dims[dim].length == length ? dim : -1;
}

static int begin_nemo(struct pcdf_join_plan *plan, bool *is_tile)
{
    const struct pcdf_meta *in = &plan->in;
    struct pcdf_join_axis *axis;
    int64_t total, length;
    int n = nemo_count(in);
    if (n == 0 || !number(&in->gatts, "DOMAIN_number_total", 0, 1, &total) || total < 2)
        return PCDF_TOOL_GOOD;
    for (int i = 0; i < n; i++) {
        int dim = nemo_dim(in, i, n);
        if (dim < 0 || !number(&in->gatts, "DOMAIN_size_global", i, n, &length))
            return pcdf_tool_unusable(plan->options->from[0],
                                      "its attributes DOMAIN_dimensions_ids, DOMAIN_size_local and "
                                      "DOMAIN_size_global name no dimensions that it has");
        if (pcdf_join_add_axis(plan, dim, in->dims[dim].name, &axis))
            return PCDF_TOOL_UNUSABLE;
        axis->length = length;
    }
    *is_tile = true;
    return PCDF_TOOL_GOOD;
}

/* What a halo has at the edge of the whole is nobody else's. */
static int place_nemo(const struct pcdf_tool_dataset *ds, const struct pcdf_join_axis *axis, int i,
                      struct pcdf_join_span *s)
{
    const struct pcdf_atts *atts = &ds->meta.gatts;
    int n = nemo_count(&ds->meta);
    int64_t first, last, before = 0, behind = 0, length = 0;
    if (nemo_dim(&ds->meta, i, n) < 0 || !number(atts, "DOMAIN_size_global", i, n, &length) ||
        !number(atts, "DOMAIN_position_first", i, n, &first) ||
        !number(atts, "DOMAIN_position_last", i, n, &last))
        return lacks(ds, "attributes DOMAIN_* for dimension ", axis->name);
    if (length != axis->length)
        return pcdf_tool_unusable(ds->file.path,
                                  "its DOMAIN_size_global says that %.200s has length %" PRId64
                                  " in all, and in the first file that is %" PRId64,
                                  axis->name, length, axis->length);
    (void)number(atts, "DOMAIN_halo_size_start", i, n, &before);
    (void)number(atts, "DOMAIN_halo_size_end", i, n, &behind);
    before = first == 1 || before < 0 ? 0 : before;
    behind = last == length || behind < 0 ? 0 : behind;
    *s = (struct pcdf_join_span){ first - 1 + before, last - first + 1 - before - behind, before };
    return check_span(ds, axis, length_in(&ds->meta, axis->name), last - first + 1, s);
}

/* ---- all of them */

int pcdf_join_tiles_begin(struct pcdf_join_plan *plan, enum pcdf_join_way *way)
{
    static const struct {
        enum pcdf_join_way way;
        int (*begin)(struct pcdf_join_plan *plan, bool *is_tile);
    } known[] = { { PCDF_JOIN_FMS, begin_fms },
                  { PCDF_JOIN_WRF, begin_wrf },
                  { PCDF_JOIN_NEMO, begin_nemo } };
    bool is_tile = false;
    int status = PCDF_TOOL_GOOD;
    *way = PCDF_JOIN_ALONG;
    for (size_t i = 0; i < sizeof known / sizeof *known && !status && !is_tile; i++) {
        status = known[i].begin(plan, &is_tile);
        if (is_tile)
            *way = known[i].way;
    }
    return status;
}

int pcdf_join_tiles_place(const struct pcdf_join_plan *plan, const struct pcdf_tool_dataset *ds,
                          struct pcdf_join_span *spans)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < plan->naxes && !status; i++)
        status = plan->way == PCDF_JOIN_FMS   ? place_fms(ds, &plan->axes[i], &spans[i])
                 : plan->way == PCDF_JOIN_WRF ? place_wrf(ds, &plan->axes[i], &spans[i])
                                              : place_nemo(ds, &plan->axes[i], i, &spans[i]);
    return status;
}

bool pcdf_join_tiles_drop(const struct pcdf_join_plan *plan, int varid, const char *name)
{
    if (plan->way == PCDF_JOIN_FMS)
        return strcmp(name, varid == NC_GLOBAL ? "NumFilesInSet" : "domain_decomposition") == 0;
    return plan->way == PCDF_JOIN_NEMO && varid == NC_GLOBAL && strncmp(name, "DOMAIN_", 7) == 0;
}

bool pcdf_join_tiles_whole(const struct pcdf_join_plan *plan, const char *name, int64_t *to)
{
    char first[64], last[64];
    for (int i = 0; i < WRF_DIMS && plan->way == PCDF_JOIN_WRF; i++) {
        const char *kind = wrf_dims[i].is_staggered ? "STAG" : "UNSTAG";
        snprintf(first, sizeof first, "%s_PATCH_START_%s", wrf_dims[i].direction, kind);
        snprintf(last, sizeof last, "%s_PATCH_END_%s", wrf_dims[i].direction, kind);
        *to = 1;
        if (strcmp(name, first) == 0)
            return true;
        if (strcmp(name, last) == 0)
            return wrf_length(&plan->in, i, to);
    }
    return false;
}

int64_t pcdf_join_tiles_total(const struct pcdf_join_plan *plan)
{
    int64_t total = 0;
    if (plan->way == PCDF_JOIN_FMS && number(&plan->in.gatts, "NumFilesInSet", 0, 1, &total))
        return total;
    if (plan->way == PCDF_JOIN_NEMO && number(&plan->in.gatts, "DOMAIN_number_total", 0, 1, &total))
        return total;
    return 0;
}

/* ---- what is missing */

struct numbered { /* run.nc.0003: digits that begin at `at` */
    size_t at, n;
    int64_t number;
};

/* The last digits of the name, or those before an ending with a letter in it, as ".nc4". */
static bool find_number(const char *path, struct numbered *to)
{
    const char *name = strrchr(path, '/');
    size_t begin = name ? (size_t)(name + 1 - path) : 0, end = strlen(path);
    const char *dot = strrchr(path + begin, '.');
    if (dot && strspn(dot + 1, "0123456789") != strlen(dot + 1))
        end = (size_t)(dot - path);
    while (end > begin && !isdigit((unsigned char)path[end - 1]))
        end--;
    size_t at = end;
    while (at > begin && isdigit((unsigned char)path[at - 1]))
        at--;
    *to =
        (struct numbered){ at, end - at, end - at > 0 && end - at < 10 ? strtoll(path + at, NULL, 10) : -1 };
    return to->number >= 0;
}

/* Numbers below `total` that no file has; those of the first three as text. */
static int64_t name_missing(const struct pcdf_join_plan *plan, const unsigned char *has, int64_t total,
                            char *text, size_t room)
{
    const char *path = plan->options->from[0];
    struct numbered at;
    int64_t missing = 0;
    size_t n = 0;
    (void)find_number(path, &at);
    text[0] = '\0';
    for (int64_t i = 0; i < total; i++) {
        if (has[i] || missing++ >= 3)
            continue;
        n += (size_t)snprintf(text + n, room - n, "%s%.*s%0*" PRId64 "%.100s", n ? ", " : "",
                              (int)(at.at < 200 ? at.at : 200), path, (int)at.n, i, path + at.at + at.n);
    }
    return missing;
}

/* " (run.nc.0003 is missing)", or "". */
static void tell_files(const struct pcdf_join_plan *plan, char *text, size_t room)
{
    enum { MOST = 1 << 20 };
    int nfrom = plan->options->nfrom;
    int64_t total = pcdf_join_tiles_total(plan);
    unsigned char *has = pcdf_calloc(MOST, 1);
    char names[1024];
    bool is_known = has && total <= MOST;
    text[0] = '\0';
    for (int i = 0; i < nfrom && is_known; i++) {
        struct numbered at;
        is_known = find_number(plan->options->from[i], &at) && at.number < MOST;
        if (is_known) {
            has[at.number] = 1;
            total = at.number >= total ? at.number + 1 : total;
        }
    }
    int64_t missing = is_known ? name_missing(plan, has, total, names, sizeof names) : 0;
    if (missing > 0 && missing <= 3)
        snprintf(text, room, " (%s %s missing)", names, missing == 1 ? "is" : "are");
    else if (missing > 0)
        snprintf(text, room, " (%s and %" PRId64 " more are missing)", names, missing - 3);
    pcdf_free(has);
}

int pcdf_join_tiles_missing(const struct pcdf_join_plan *plan, const int *chosen, int n, const int64_t *hole)
{
    char files[1200], part[600];
    size_t used = 0;
    for (int i = 0; i < n && used < sizeof part; i++)
        used += (size_t)snprintf(part + used, sizeof part - used, "%s%.100s(%" PRId64 ":%" PRId64 ")",
                                 i ? ", " : "", plan->axes[chosen[i]].name, hole[2 * i],
                                 hole[2 * i] + hole[2 * i + 1]);
    tell_files(plan, files, sizeof files);
    return pcdf_tool_unusable(NULL, "no tile has %s%s; --fill-missing gives it fill values", part, files);
}

/* ---- the layout that is said */

int pcdf_join_layout_begin(struct pcdf_join_plan *plan)
{
    const char *at = plan->options->text;
    int64_t product = 1;
    while (*at) {
        size_t n = strcspn(at, ":=,");
        const char *name = pcdf_join_keep_text(plan, at, n);
        if (!name)
            return PCDF_TOOL_UNUSABLE;
        struct pcdf_join_axis *axis;
        int64_t tiles = 0;
        at += n;
        if (*at == ':' || *at == '=') {
            char *end;
            tiles = strtoll(at + 1, &end, 10);
            at = end;
        }
        int dim = pcdf_meta_find_dim(&plan->in, name);
        if (tiles < 1 || (*at && *at != ','))
            return pcdf_tool_unusable(
                NULL, "--layout takes dimensions and numbers of tiles, as x:4,y:2, not %.200s",
                plan->options->text);
        if (dim < 0)
            return pcdf_tool_no_dimension(plan->options->from[0], &plan->in, name);
        if (pcdf_join_add_axis(plan, dim, plan->in.dims[dim].name, &axis))
            return PCDF_TOOL_UNUSABLE;
        axis->length = tiles; /* until the files were seen */
        if (__builtin_mul_overflow(product, tiles, &product))
            product = INT64_MAX;
        at += *at == ',';
    }
    return product == plan->options->nfrom
               ? PCDF_TOOL_GOOD
               : pcdf_tool_unusable(NULL, "--layout %.200s is of %" PRId64 " tiles, and there are %d files",
                                    plan->options->text, product, plan->options->nfrom);
}

/* One axis: the files of one place have the same length there. step: files from one place to the next. */
static int place_axis(struct pcdf_join_plan *plan, int k, int step)
{
    struct pcdf_join_axis *axis = &plan->axes[k];
    int nfrom = plan->options->nfrom, tiles = (int)axis->length;
    int64_t at = 0;
    for (int place = 0; place < tiles; place++) {
        int first = place * step; /* the others of this place follow */
        int64_t length = plan->facts[first].length[k];
        for (int i = 0; i < nfrom; i++) {
            if (i / step % tiles != place)
                continue;
            if (plan->facts[i].length[k] != length)
                return pcdf_tool_unusable(
                    plan->options->from[i],
                    "dimension %.200s has length %" PRId64 ", and %" PRId64 " in %.300s beside it",
                    axis->name, plan->facts[i].length[k], length, plan->options->from[first]);
            plan->spans[(int64_t)i * plan->naxes + k] = (struct pcdf_join_span){ at, length, 0 };
        }
        if (__builtin_add_overflow(at, length, &at))
            return pcdf_tool_unusable(NULL, "dimension %.200s would be too long", axis->name);
    }
    axis->length = at;
    return PCDF_TOOL_GOOD;
}

int pcdf_join_layout_place(struct pcdf_join_plan *plan)
{
    int step = 1, status = PCDF_TOOL_GOOD;
    for (int k = 0; k < plan->naxes && !status; k++) {
        int tiles = (int)plan->axes[k].length;
        status = place_axis(plan, k, step);
        step *= tiles;
    }
    return status;
}
