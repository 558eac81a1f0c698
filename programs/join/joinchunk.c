/* See joinchunk.h. */
#include "joinchunk.h"
#include "joinalong.h"
#include "boxcopy.h"
#include "joinindex.h"
#include "alloc.h"
#include "meaningvalues.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"
#include "value.h"

#include <inttypes.h>
#include <string.h>

enum { ROOMS = 2, DIRECT = 32 * 1024, WASTE = 4, NEAR = 4096, NUMBERS = 8192 };

struct pcdf_join_file { /* that is read */
    int number;
    struct pcdf_tool_dataset *ds;
};

/* What a tile has of a part. */
struct share {
    const struct pcdf_join_part *part;
    const struct pcdf_var *var; /* of the new file */
    struct pcdf_boxcopy box;
    int64_t *count, *from, *to; /* of the box */
    int64_t at;                 /* where its first value is in the tile's file */
    int64_t place;              /* and in the bytes of the chunk */
};

int pcdf_join_maker_begin(struct pcdf_join_maker *m, const struct pcdf_join_plan *plan)
{
    *m = (struct pcdf_join_maker){ .plan = plan, .most = pcdf_tool_most_dims(&plan->out) };
    m->piece = pcdf_malloc(PCDF_JOIN_PIECE);
    m->room = pcdf_calloc(((size_t)m->most + 1) * ROOMS, sizeof *m->room);
    if (m->piece && m->room)
        return PCDF_TOOL_GOOD;
    pcdf_join_maker_end(m);
    return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
}

void pcdf_join_maker_end(struct pcdf_join_maker *m)
{
    pcdf_free(m->piece);
    pcdf_free(m->mask);
    pcdf_free(m->room);
}

void pcdf_join_steps(const struct pcdf_join_plan *plan, int var, int64_t *steps)
{
    const struct pcdf_var *v = &plan->out.vars[plan->vars[var].out];
    int64_t step = pcdf_type_size(v->type);
    for (int i = v->ndims - 1; i >= 0; i--) {
        bool is_record = v->dimids[i] == plan->out.record_dim;
        steps[i] = is_record ? plan->layout.recsize : step;
        step *= is_record ? 1 : plan->out.dims[v->dimids[i]].length;
    }
}

/* ---- one file */

static int id_in(const struct pcdf_join_plan *plan, const struct pcdf_join_file *f, int var)
{
    return pcdf_meta_find_var(&f->ds->meta, plan->in.vars[var].name);
}

static int64_t begin_in(const struct pcdf_join_plan *plan, const struct pcdf_join_file *f, int var)
{
    return f->ds->layout.begin[id_in(plan, f, var)];
}

/* n bytes from `at` on, all of which the file must have. */
static int read_bytes(const struct pcdf_join_file *f, void *bytes, int64_t n, int64_t at)
{
    const struct pcdf_tool_file *file = &f->ds->file;
    int64_t got = 0;
    if (pcdf_tool_move(file, bytes, n, at, &got))
        return pcdf_tool_unusable(file->path, "bytes from %" PRId64 " on cannot be read: %s", at,
                                  pcdf_tool_move_text(file));
    return got < n ? pcdf_tool_unusable(file->path, "the file became shorter while it was read")
                   : PCDF_TOOL_GOOD;
}

/* ---- where a part is in a tile */

/* The dimension of the first file that is number i of the new variable; -1: the new one. */
static int dim_in(const struct pcdf_join_plan *plan, int var, int i)
{
    return plan->vars[var].has_new ? (i == 0 ? -1 : plan->in.vars[var].dimids[i - 1])
                                   : plan->in.vars[var].dimids[i];
}

static int axis_at(const struct pcdf_join_plan *plan, int var, int i)
{
    int dim = dim_in(plan, var, i);
    return dim < 0 ? 0 : plan->axis_of[dim];
}

/* Bytes from one index to the next in the tile's file. */
static void steps_in(const struct pcdf_join_plan *plan, const struct pcdf_join_file *f, int var, int ndims,
                     int64_t *steps)
{
    int64_t step = pcdf_type_size(plan->in.vars[var].type);
    for (int i = ndims - 1; i >= 0; i--) {
        int dim = dim_in(plan, var, i), axis = axis_at(plan, var, i);
        bool is_record = dim >= 0 && dim == plan->in.record_dim;
        steps[i] = dim < 0 ? 0 : is_record ? f->ds->layout.recsize : step;
        if (dim >= 0 && !is_record)
            step *= axis >= 0 ? plan->facts[f->number].length[axis] : plan->in.dims[dim].length;
    }
}

/* Does this tile have anything of the part? spans: NULL: of a file that is taken whole. */
static bool meets(const struct pcdf_join_plan *plan, const struct pcdf_join_part *part,
                  const struct pcdf_join_span *spans)
{
    int ndims = plan->out.vars[plan->vars[part->var].out].ndims;
    for (int i = 0; i < ndims && spans; i++) {
        int axis = axis_at(plan, part->var, i);
        if (axis >= 0 && (spans[axis].count == 0 || spans[axis].first >= part->start[i] + part->count[i] ||
                          spans[axis].first + spans[axis].count <= part->start[i]))
            return false;
    }
    return true;
}

/* Of a tile that meets the part. */
static struct share share_of(const struct pcdf_join_maker *m, const struct pcdf_join_part *part,
                             const struct pcdf_join_span *spans, const struct pcdf_join_file *f)
{
    const struct pcdf_join_plan *plan = m->plan;
    const struct pcdf_var *var = &plan->out.vars[plan->vars[part->var].out];
    size_t each = (size_t)m->most + 1;
    struct share s = {
        .part = part, .var = var, .count = m->room, .from = m->room + each, .to = part->steps
    };
    s.box = (struct pcdf_boxcopy){ var->ndims, s.count, s.from, s.to, pcdf_type_size(var->type) };
    steps_in(plan, f, part->var, var->ndims, s.from);
    s.at = begin_in(plan, f, part->var);
    s.place = part->at;
    for (int i = 0; i < var->ndims; i++) {
        int axis = spans ? axis_at(plan, part->var, i) : -1;
        int64_t low = part->start[i], high = low + part->count[i], shift = 0;
        if (axis >= 0) {
            const struct pcdf_join_span *span = &spans[axis];
            low = pcdf_larger(low, span->first);
            high = pcdf_smaller(high, span->first + span->count);
            shift = span->local - span->first;
        }
        s.count[i] = high - low;
        s.at += (low + shift) * s.from[i];
        s.place += (low - part->start[i]) * s.to[i];
    }
    return s;
}

/* ---- moving a box */

static bool overlaps(const struct pcdf_join_plan *plan, int var)
{
    int domain = plan->vars[var].domain;
    return domain >= 0 && plan->domains[domain].has_overlap;
}

static int disagree(const struct share *s, const struct pcdf_join_file *f)
{
    return pcdf_tool_unusable(f->ds->file.path,
                              "it overlaps another file, and variable %.200s has other values there",
                              s->var->name);
}

/* Values that were read to their places, from dimension dim on; `place` in the chunk. */
static int place_values(struct pcdf_join_maker *m, const struct pcdf_join_chunk *chunk, const struct share *s,
                        const struct pcdf_join_file *f, int dim, const unsigned char *from, int64_t place)
{
    if (!overlaps(m->plan, s->part->var))
        pcdf_boxcopy_move(&s->box, dim, from, chunk->bytes + place);
    else if (!pcdf_boxcopy_merge(&s->box, dim, from, chunk->bytes + place, m->mask + place))
        return disagree(s, f);
    return PCDF_TOOL_GOOD;
}

static bool is_direct(const struct pcdf_join_maker *m, const struct share *s, int dim, int64_t span)
{
    return span == pcdf_boxcopy_bytes(&s->box, dim) && span == pcdf_boxcopy_span(&s->box, dim, s->to) &&
           !overlaps(m->plan, s->part->var);
}

/* Is what lies between the values of these dimensions little, or near? */
static bool is_near(const struct share *s, int dim)
{
    bool is = true;
    for (int i = dim; i < s->box.ndims; i++)
        is &= s->count[i] == 1 || s->from[i] <= pcdf_larger(NEAR, WASTE * pcdf_boxcopy_bytes(&s->box, i + 1));
    return is;
}

/* Dimensions dim and later, which begin at `at` of the file: read with what is between them where that is
 * little, as often as needed where it is much. */
static int move(struct pcdf_join_maker *m, const struct pcdf_join_chunk *chunk, struct share *s,
                const struct pcdf_join_file *f, int dim, int64_t at, int64_t place)
{
    int64_t span = pcdf_boxcopy_span(&s->box, dim, s->from), bytes = pcdf_boxcopy_bytes(&s->box, dim);
    if (is_direct(m, s, dim, span) && (bytes >= DIRECT || dim == s->box.ndims))
        return read_bytes(f, chunk->bytes + place, bytes, at);
    if (span <= PCDF_JOIN_PIECE && is_near(s, dim)) {
        int status = read_bytes(f, m->piece, span, at);
        return status ? status : place_values(m, chunk, s, f, dim, m->piece, place);
    }
    int64_t n = s->count[dim], inner = pcdf_boxcopy_span(&s->box, dim + 1, s->from), some = 1;
    if (inner <= PCDF_JOIN_PIECE && s->from[dim] > 0 && is_near(s, dim))
        some = pcdf_smaller((PCDF_JOIN_PIECE - inner) / s->from[dim] + 1, n);
    int status = PCDF_TOOL_GOOD;
    for (int64_t i = 0; i < n && !status; i += some) {
        s->count[dim] = pcdf_smaller(some, n - i);
        status = move(m, chunk, s, f, dim + (some == 1), at + i * s->from[dim], place + i * s->to[dim]);
    }
    s->count[dim] = n;
    return status;
}

struct changing { /* numbers of time, to the units of the first file */
    struct pcdf_join_change change;
    struct pcdf_meaning meaning;
    const char *path;
};

static int change(struct pcdf_join_chunk *chunk, const struct share *s, const struct changing *c, int dim,
                  int64_t place)
{
    int status = PCDF_TOOL_GOOD;
    if (dim == s->box.ndims) {
        if (pcdf_meaning_is_value(&c->meaning, chunk->bytes + place) &&
            !pcdf_join_change_value(&c->change, s->var->type, chunk->bytes + place))
            status = pcdf_tool_unusable(
                c->path, "a value of %.200s cannot be written in the units of the first file", s->var->name);
        return status;
    }
    for (int64_t i = 0; i < s->count[dim] && !status; i++)
        status = change(chunk, s, c, dim + 1, place + i * s->to[dim]);
    return status;
}

static int finish(const struct pcdf_join_maker *m, struct pcdf_join_chunk *chunk, const struct share *s,
                  const struct pcdf_join_file *f)
{
    const struct pcdf_join_var *v = &m->plan->vars[s->part->var];
    struct changing c = { .path = f->ds->file.path };
    if (!v->time)
        return PCDF_TOOL_GOOD;
    int status = pcdf_join_change_of(v, c.path, &f->ds->meta, id_in(m->plan, f, s->part->var), &c.change);
    if (status || !c.change.is_needed)
        return status;
    c.meaning = pcdf_meaning_of(s->var);                        /* the same in all files */
    c.meaning.least.is_there = c.meaning.most.is_there = false; /* which are of the first file's units */
    return change(chunk, s, &c, 0, s->place);
}

static int move_share(struct pcdf_join_maker *m, struct pcdf_join_chunk *chunk, struct share *s,
                      const struct pcdf_join_file *f)
{
    int status = move(m, chunk, s, f, 0, s->at, s->place);
    return status ? status : finish(m, chunk, s, f);
}

/* ---- elements of a mesh, by their numbers */

struct scatter {
    struct pcdf_join_maker *m;
    struct pcdf_join_chunk *chunk;
    const struct pcdf_join_file *f;
    const struct share *s;
    int dim, axis; /* of the elements */
    int64_t n,
        at; /* elements of the tile; where the first one's values are, in this turn of outer dimensions */
    int64_t place;
    int64_t low, high; /* numbers that the chunk has */
    int64_t bytes;     /* of an element that lie together */
};

/* Elements `first` and later, some of them, whose numbers are known. */
static int scatter_some(const struct scatter *c, int64_t first, int64_t n, const int64_t *numbers)
{
    int64_t step = c->s->from[c->dim], begin = 0, end = n;
    while (begin < end && (numbers[begin] < c->low || numbers[begin] >= c->high))
        begin++;
    while (end > begin && (numbers[end - 1] < c->low || numbers[end - 1] >= c->high))
        end--;
    if (begin == end)
        return PCDF_TOOL_GOOD;
    int64_t span = (end - begin - 1) * step + c->bytes;
    int status = read_bytes(c->f, c->m->piece, span, c->at + (first + begin) * step);
    for (int64_t i = begin; i < end && !status; i++)
        if (numbers[i] >= c->low && numbers[i] < c->high)
            memcpy(c->chunk->bytes + c->place + (numbers[i] - c->low) * c->s->to[c->dim],
                   c->m->piece + (i - begin) * step, (size_t)c->bytes);
    return status;
}

/* An element that is larger than a piece, by itself. */
static int scatter_large(const struct scatter *c, int64_t first, int64_t n, const int64_t *numbers)
{
    int status = PCDF_TOOL_GOOD;
    for (int64_t i = 0; i < n && !status; i++)
        if (numbers[i] >= c->low && numbers[i] < c->high)
            status = read_bytes(c->f, c->chunk->bytes + c->place + (numbers[i] - c->low) * c->s->to[c->dim],
                                c->bytes, c->at + (first + i) * c->s->from[c->dim]);
    return status;
}

static int scatter_all(const struct scatter *c)
{
    const struct pcdf_join_plan *plan = c->m->plan;
    int id = pcdf_meta_find_var(&plan->in, plan->axes[c->axis].index), status = PCDF_TOOL_GOOD;
    int size = pcdf_type_size(plan->in.vars[id].type);
    unsigned char bytes[8 * NUMBERS];
    int64_t numbers[NUMBERS], step = c->s->from[c->dim], begin = begin_in(plan, c->f, id);
    int64_t most = step > PCDF_JOIN_PIECE ? NUMBERS : pcdf_smaller(NUMBERS, PCDF_JOIN_PIECE / step);
    for (int64_t at = 0, some; at < c->n && !status; at += some) {
        some = pcdf_smaller(most, c->n - at);
        status = read_bytes(c->f, bytes, some * size, begin + at * size);
        if (status)
            break;
        pcdf_join_index_decode(plan->in.vars[id].type, bytes, some, numbers);
        for (int64_t i = 0; i < some; i++)
            numbers[i] -= plan->axes[c->axis].base;
        status =
            step > PCDF_JOIN_PIECE ? scatter_large(c, at, some, numbers) : scatter_some(c, at, some, numbers);
    }
    return status;
}

/* Dimensions before the elements, one index after the other. */
static int scatter_outer(struct scatter *c, int dim, int64_t at, int64_t place)
{
    int status = PCDF_TOOL_GOOD;
    if (dim == c->dim) {
        c->at = at;
        c->place = place;
        return scatter_all(c);
    }
    for (int64_t i = 0; i < c->s->count[dim] && !status; i++)
        status = scatter_outer(c, dim + 1, at + i * c->s->from[dim], place + i * c->s->to[dim]);
    return status;
}

static int scatter_share(struct pcdf_join_maker *m, struct pcdf_join_chunk *chunk, const struct share *s,
                         const struct pcdf_join_file *f, int dim)
{
    struct scatter c = { .m = m, .chunk = chunk, .f = f, .s = s, .dim = dim };
    const struct pcdf_join_part *part = s->part;
    c.axis = axis_at(m->plan, part->var, dim);
    c.n = m->plan->facts[f->number].length[c.axis];
    c.low = part->start[dim];
    c.high = c.low + part->count[dim];
    c.bytes = pcdf_boxcopy_bytes(&s->box, dim + 1);
    return scatter_outer(&c, 0, s->at - c.low * s->from[dim], s->place);
}

static int scattered_dim(const struct pcdf_join_plan *plan, int var)
{
    int ndims = plan->out.vars[plan->vars[var].out].ndims;
    for (int i = 0; i < ndims; i++) {
        int axis = axis_at(plan, var, i);
        if (axis >= 0 && plan->axes[axis].is_scattered)
            return i;
    }
    return -1;
}

/* ---- records of a tile that are short: all variables at once */

/* Bytes of a record from the first part's to the last part's; 0: they are better read one by one. */
static int64_t record_span(const struct pcdf_join_plan *plan, const struct pcdf_join_chunk *chunk,
                           const struct pcdf_join_file *f, int64_t *first)
{
    int64_t end = 0, bytes = 0;
    *first = INT64_MAX;
    for (int i = 0; i < chunk->nparts; i++) {
        int var = chunk->parts[i].var;
        int64_t n = pcdf_type_size(plan->in.vars[var].type), begin = begin_in(plan, f, var);
        if (!plan->vars[var].axes || plan->axes[0].is_scattered || !plan->in.vars[var].is_record)
            continue;
        for (int k = 1; k < plan->in.vars[var].ndims; k++) {
            int dim = plan->in.vars[var].dimids[k], axis = plan->axis_of[dim];
            n *= axis >= 0 ? plan->facts[f->number].length[axis] : plan->in.dims[dim].length;
        }
        bytes += n;
        *first = pcdf_smaller(*first, begin);
        end = pcdf_larger(end, begin + n);
    }
    int64_t span = end - *first;
    return bytes > 0 && span <= PCDF_JOIN_PIECE && span <= f->ds->layout.recsize && span <= 2 * bytes ? span
                                                                                                      : 0;
}

/* Some records of a tile, which are in memory: those of the shares that begin with number `done`. */
static int put_records(struct pcdf_join_maker *m, struct pcdf_join_chunk *chunk,
                       const struct pcdf_join_file *f, const struct pcdf_join_span *spans, int64_t done,
                       int64_t some, int64_t at)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < chunk->nparts && !status; i++) {
        if (!m->plan->vars[chunk->parts[i].var].axes || !meets(m->plan, &chunk->parts[i], spans))
            continue;
        struct share s = share_of(m, &chunk->parts[i], spans, f);
        s.count[0] = some;
        int64_t place = s.place += done * s.to[0];
        status = place_values(m, chunk, &s, f, 0, m->piece + (s.at + done * s.from[0] - at), place);
        if (!status)
            status = finish(m, chunk, &s, f);
    }
    return status;
}

/* spans: of a tile that has records of the chunk. first, span: of what is read of a record. */
static int move_records(struct pcdf_join_maker *m, struct pcdf_join_chunk *chunk,
                        const struct pcdf_join_file *f, const struct pcdf_join_span *spans, int64_t first,
                        int64_t span)
{
    const struct pcdf_join_part *any = &chunk->parts[0];
    int axis = m->plan->axis_of[m->plan->in.record_dim], status = PCDF_TOOL_GOOD;
    int64_t low = any->start[0], high = low + any->count[0], shift = 0;
    if (axis >= 0) {
        low = pcdf_larger(low, spans[axis].first);
        high = pcdf_smaller(high, spans[axis].first + spans[axis].count);
        shift = spans[axis].local - spans[axis].first;
    }
    int64_t most = (PCDF_JOIN_PIECE - span) / f->ds->layout.recsize + 1;
    for (int64_t i = 0, some; i < high - low && !status; i += some) {
        some = pcdf_smaller(most, high - low - i);
        int64_t at = first + (low + shift + i) * f->ds->layout.recsize;
        status = read_bytes(f, m->piece, (some - 1) * f->ds->layout.recsize + span, at);
        if (!status)
            status = put_records(m, chunk, f, spans, i, some, at);
    }
    return status;
}

/* ---- a chunk */

static int take_parts(struct pcdf_join_maker *m, struct pcdf_join_chunk *chunk,
                      const struct pcdf_join_file *f, const struct pcdf_join_span *spans)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < chunk->nparts && !status; i++) {
        const struct pcdf_join_part *part = &chunk->parts[i];
        bool is_whole = m->plan->vars[part->var].axes == 0;
        if (is_whole != !spans || !meets(m->plan, part, spans))
            continue;
        int scattered = scattered_dim(m->plan, part->var);
        struct share s = share_of(m, part, spans, f);
        status = scattered >= 0 ? scatter_share(m, chunk, &s, f, scattered) : move_share(m, chunk, &s, f);
    }
    return status;
}

static int take_tile(struct pcdf_join_maker *m, struct pcdf_join_chunk *chunk, int64_t tile)
{
    const struct pcdf_join_plan *plan = m->plan;
    const struct pcdf_join_span *spans = tile < 0 ? NULL : plan->spans + tile * plan->naxes;
    struct pcdf_join_file f = { .number = spans ? (int)plan->tile_file[tile] : 0 };
    bool has_any = false;
    for (int i = 0; i < chunk->nparts && !has_any; i++)
        has_any =
            (plan->vars[chunk->parts[i].var].axes == 0) == !spans && meets(plan, &chunk->parts[i], spans);
    if (!has_any)
        return PCDF_TOOL_GOOD;
    int status = pcdf_tool_files_get(plan->files, f.number, &f.ds);
    if (status)
        return status;
    int64_t first, span = chunk->nparts > 1 && spans ? record_span(plan, chunk, &f, &first) : 0;
    return span ? move_records(m, chunk, &f, spans, first, span) : take_parts(m, chunk, &f, spans);
}

/* Fill values where no tile is. */
static void fill(const struct pcdf_join_plan *plan, struct pcdf_join_chunk *chunk)
{
    for (int i = 0; i < chunk->nparts; i++) {
        const struct pcdf_join_part *part = &chunk->parts[i];
        const struct pcdf_join_var *v = &plan->vars[part->var];
        if (v->domain < 0 || !plan->domains[v->domain].has_hole)
            continue;
        const struct pcdf_var *var = &plan->out.vars[v->out];
        unsigned char value[8];
        pcdf_meaning_missing(var, value);
        const struct pcdf_boxcopy box = { var->ndims, part->count, part->steps, part->steps,
                                          pcdf_type_size(var->type) };
        pcdf_boxcopy_fill(&box, 0, value, chunk->bytes + part->at);
    }
}

/* Tiles of one axis that come one behind the other are found by halving. */
static int64_t first_tile(const struct pcdf_join_plan *plan, const struct pcdf_join_chunk *chunk)
{
    bool is_sorted = plan->way == PCDF_JOIN_ALONG || plan->way == PCDF_JOIN_NEW;
    const struct pcdf_join_part *part = &chunk->parts[0];
    int64_t low = 0, high = plan->ntiles, at = -1;
    int ndims = plan->out.vars[plan->vars[part->var].out].ndims;
    for (int i = 0; i < ndims && is_sorted; i++)
        at = axis_at(plan, part->var, i) == 0 ? part->start[i] : at;
    while (at >= 0 && low < high) {
        int64_t middle = low + (high - low) / 2;
        if (plan->spans[middle].first + plan->spans[middle].count <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Is this tile, and are all behind it, behind the chunk? */
static bool is_behind(const struct pcdf_join_plan *plan, const struct pcdf_join_chunk *chunk, int64_t tile)
{
    const struct pcdf_join_part *part = &chunk->parts[0];
    int ndims = plan->out.vars[plan->vars[part->var].out].ndims;
    if (plan->way != PCDF_JOIN_ALONG && plan->way != PCDF_JOIN_NEW)
        return false;
    for (int i = 0; i < ndims; i++)
        if (axis_at(plan, part->var, i) == 0)
            return plan->spans[tile].first >= part->start[i] + part->count[i];
    return false;
}

/* Nothing is there yet. */
static int clear_mask(struct pcdf_join_maker *m, const struct pcdf_join_chunk *chunk)
{
    bool is_needed = false;
    for (int i = 0; i < chunk->nparts; i++)
        is_needed |= overlaps(m->plan, chunk->parts[i].var);
    if (is_needed && m->nmask < chunk->n) {
        pcdf_free(m->mask);
        m->mask = pcdf_malloc((size_t)chunk->n);
        m->nmask = m->mask ? chunk->n : 0;
        if (!m->mask)
            return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    }
    if (is_needed)
        memset(m->mask, 0, (size_t)chunk->n);
    return PCDF_TOOL_GOOD;
}

int pcdf_join_make(struct pcdf_join_maker *m, struct pcdf_join_chunk *chunk)
{
    const struct pcdf_join_plan *plan = m->plan;
    if (chunk->nparts > 1)
        memset(chunk->bytes, 0, (size_t)chunk->n); /* between variables there may be padding */
    int status = clear_mask(m, chunk);
    if (status)
        return status;
    fill(plan, chunk);
    status = take_tile(m, chunk, -1);
    for (int64_t i = first_tile(plan, chunk); i < plan->ntiles && !status && !is_behind(plan, chunk, i); i++)
        status = take_tile(m, chunk, i);
    return status;
}
