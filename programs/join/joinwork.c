/* See joinwork.h. The new file is written in pieces that lie together in it, each put together in memory, in
 * the byte order of the files. So values are neither decoded nor turned, and there are few calls. Of a
 * netCDF-4 file these are pieces of the CDF-5 file with the same definitions, and the library puts them. */
#include "joinwork.h"
#include "joinchunk.h"
#include "joingroups.h"
#include "joinput.h"
#include "joinwriter.h"
#include "alloc.h"
#include "encode.h"
#include "filesystem.h"
#include "numbers.h"
#include "posixio.h"
#include "status.h"
#include "tool.h"
#include "toolfile.h"
#include "toolgrid.h"
#include "value.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CHUNK = 2 << 20,
    LARGE_CHUNK = 8 << 20, /* where each has to open many files */
    LEAST_READ = 12 << 10, /* bytes of a tile that are read at once, where a larger chunk helps */
    LEAST_RUN = 64 << 10   /* bytes of a group that lie together */
};

struct work {
    const struct pcdf_join_plan *plan;
    const struct pcdf_tool_ranks *ranks;
    struct pcdf_tool_progress *progress;
    struct pcdf_join_maker maker;
    struct pcdf_join_groups groups;
    int64_t group;       /* that is written; -1: what is in no group */
    int64_t number;      /* of the next chunk */
    int64_t turn, turns; /* this rank makes the chunks of which number % turns is turn */
    int64_t most;        /* bytes of a chunk */
    int64_t tile_rows; /* of the tiles that a chunk meets; 0: they are no boxes that lie beside each other */
    bool by_records;   /* a chunk has whole records */
    struct pcdf_join_writer *writer; /* NULL: */
    struct pcdf_join_puts puts;
    int64_t *room;                /* start and count of a box, its steps; those of each part */
    struct pcdf_grid grid;        /* of the box */
    struct pcdf_join_part *parts; /* by varid of the new file */
    int *var_of;                  /* by varid of the new file: of the first file, or -1 */
    int64_t written;
};

static int lacks_memory(void)
{
    return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
}

/* ---- writing */

static int cannot_write(const struct pcdf_join_plan *plan, int err)
{
    return pcdf_tool_unusable(plan->options->to, "%s", strerror(err));
}

static int write_bytes(const struct pcdf_join_plan *plan, int fd, void *bytes, int64_t n, int64_t at,
                       const char *name)
{
    return pcdf_posix_move(fd, PCDF_PUT, bytes, n, at, NULL, name) ? cannot_write(plan, errno)
                                                                   : PCDF_TOOL_GOOD;
}

static int end_writing(const struct pcdf_join_plan *plan, int fd, const char *name, int status)
{
    bool failed = false;
    if (fd < 0)
        return status;
    if (!status && pcdf_posix_sync(fd, name, &failed))
        status = cannot_write(plan, errno);
    if (close(fd) && !status)
        status = cannot_write(plan, errno);
    return status;
}

/* Values of --values, which are those of the new dimension's coordinate; as a file has them. */
static int read_values(const struct pcdf_join_plan *plan, unsigned char **values)
{
    int id = plan->out.nvars - 1, size = pcdf_type_size(plan->out.vars[id].type), n = plan->options->nfrom;
    const char *at = plan->options->values;
    unsigned char *bytes = *values = pcdf_calloc((size_t)n + 1, (size_t)size);
    int status = bytes ? PCDF_TOOL_GOOD : lacks_memory();
    for (int i = 0; i < n && !status; i++) {
        struct pcdf_value value = { .type = plan->out.vars[id].type };
        char *end;
        if (value.type == NC_DOUBLE)
            value.is.real = strtod(at, &end);
        else
            value.is.integer = strtoll(at, &end, 10);
        bool is_last = i == n - 1;
        bool fits =
            value.type == NC_DOUBLE || (value.is.integer >= INT32_MIN && value.is.integer <= INT32_MAX);
        if (!fits || end == at || *end != (is_last ? '\0' : ','))
            status = pcdf_tool_unusable(NULL, "--values takes %d numbers, as 1,2,3, not %.200s", n,
                                        plan->options->values);
        else
            pcdf_value_store(&value, bytes + i * size);
        at = end + 1;
    }
    return status;
}

static bool has_values(const struct pcdf_join_plan *plan)
{
    return plan->way == PCDF_JOIN_NEW && plan->options->values;
}

static int write_coordinate(const struct pcdf_join_plan *plan, int fd, const char *name)
{
    unsigned char *bytes;
    int id = plan->out.nvars - 1, status = read_values(plan, &bytes);
    if (!status)
        status = write_bytes(plan, fd, bytes, plan->out.vars[id].nbytes, plan->layout.begin[id], name);
    pcdf_free(bytes);
    return status;
}

/* Of a netCDF-4 file, by one rank. */
static int put_coordinate_all(const struct work *w)
{
    const struct pcdf_meta *out = &w->plan->out;
    const int64_t start = 0, count = w->plan->options->nfrom;
    unsigned char *bytes;
    int id = out->nvars - 1, status = read_values(w->plan, &bytes);
    if (!status) {
        const struct pcdf_tool_put put = { .varid = id, .start = &start, .count = &count, .values = bytes };
        pcdf_values_swap(bytes, count, pcdf_type_size(out->vars[id].type));
        status = pcdf_tool_put_all(w->puts.to, &put);
    }
    pcdf_free(bytes);
    return status;
}

/* Every byte of the file is written: that there is no room for them is known before. */
static int check_room(const struct pcdf_join_plan *plan, const char *name, int64_t need)
{
    int64_t room;
    if (!pcdf_filesystem_room(name, &room) || need <= room)
        return PCDF_TOOL_GOOD;
    return pcdf_tool_unusable(plan->options->to,
                              "the file would have %" PRId64 " bytes, for which there is no room here", need);
}

int pcdf_join_write_header(const struct pcdf_join_plan *plan, const char *name)
{
    int64_t n = pcdf_encode_size(&plan->out), end = pcdf_layout_file_end(&plan->layout, &plan->out);
    unsigned char *bytes = pcdf_malloc((size_t)n), zero = 0;
    int fd = -1, status = bytes ? check_room(plan, name, end) : lacks_memory();
    if (!status) {
        fd = pcdf_posix_open(name, O_WRONLY);
        status = fd < 0 ? cannot_write(plan, errno) : PCDF_TOOL_GOOD;
    }
    if (!status && end > n) /* padding behind the last value is there, too */
        status = write_bytes(plan, fd, &zero, 1, end - 1, name);
    if (!status) {
        pcdf_encode(&plan->out, &plan->layout, bytes);
        status = write_bytes(plan, fd, bytes, n, 0, name);
    }
    if (!status && has_values(plan))
        status = write_coordinate(plan, fd, name);
    pcdf_free(bytes);
    return end_writing(plan, fd, name, status);
}

/* ---- chunks */

/* Of the values in a chunk, without what lies between them. */
static int64_t value_bytes(const struct work *w, int nparts)
{
    int64_t sum = 0;
    for (int i = 0; i < nparts; i++) {
        const struct pcdf_var *var = &w->plan->out.vars[w->plan->vars[w->parts[i].var].out];
        int64_t bytes = pcdf_type_size(var->type);
        for (int k = 0; k < var->ndims; k++)
            bytes *= w->parts[i].count[k];
        sum += bytes;
    }
    return sum;
}

static int store_chunk_all(const struct work *w, const struct pcdf_join_runs *runs,
                           const struct pcdf_join_chunk *chunk)
{
    if (!w->writer)
        return pcdf_join_put_chunk_all(&w->puts, w->plan, chunk);
    int err = pcdf_join_writer_put(w->writer, runs);
    return err ? cannot_write(w->plan, err) : PCDF_TOOL_GOOD;
}

/* This rank has its turns; what it puts in a turn goes by rounds (toolputs.h). */
static int write_chunk_all(struct work *w, const struct pcdf_join_runs *runs, int nparts)
{
    int64_t n = runs->n * runs->bytes;
    struct pcdf_join_chunk chunk = { .n = n, .nparts = nparts, .parts = w->parts };
    if (w->number++ % w->turns != w->turn)
        return PCDF_TOOL_GOOD;
    chunk.bytes = w->writer ? pcdf_join_writer_room(w->writer) : w->puts.room;
    int status = pcdf_join_make(&w->maker, &chunk);
    status = status ? status : store_chunk_all(w, runs, &chunk);
    w->written += status ? 0 : value_bytes(w, nparts);
    pcdf_tool_progress_add(w->progress, n);
    return status;
}

/* The dimension by which a box is cut into chunks: all of those behind it is together, and not too much. */
static int cut_at(const struct work *w, const struct pcdf_var *var, const int64_t *count, int64_t *inner)
{
    int dim = var->ndims;
    *inner = pcdf_type_size(var->type);
    while (dim > 0) {
        dim--;
        bool is_whole = var->dimids[dim] != w->plan->out.record_dim &&
                        count[dim] == w->plan->out.dims[var->dimids[dim]].length;
        if (!is_whole || *inner * count[dim] > w->most || dim == 0)
            break;
        *inner *= count[dim];
    }
    return dim;
}

/* How a box is cut: chunks of `rows` indices of dimension dim, and `levels` of the one before it. */
struct cut {
    int dim;
    int64_t inner, rows, levels; /* inner: bytes of a row */
};

/* Several levels of few rows, where the tiles have these together, but the new file has not. */
static void choose_levels(const struct work *w, int out, const int64_t *count, struct cut *c)
{
    const struct pcdf_meta *meta = &w->plan->out;
    const struct pcdf_var *var = &meta->vars[out];
    int64_t rows = count[c->dim];
    if (c->dim < 1 || var->dimids[c->dim - 1] == meta->record_dim || w->tile_rows == 0)
        return;
    if (rows * c->inner > w->most)
        rows = w->tile_rows;
    if (rows > c->rows || rows * c->inner < LEAST_RUN)
        return;
    c->rows = rows;
    c->levels = pcdf_smaller(count[c->dim - 1], w->most / (rows * c->inner));
}

static struct cut choose_cut(const struct work *w, int out, const int64_t *count)
{
    const struct pcdf_var *var = &w->plan->out.vars[out];
    struct cut c = { .levels = 1 };
    c.dim = cut_at(w, var, count, &c.inner);
    c.rows = pcdf_larger(1, w->most / c.inner);
    if (var->ndims && var->dimids[c.dim] == w->plan->out.record_dim)
        c.rows = 1; /* other variables lie between */
    if (var->ndims && w->plan->vars[w->var_of[out]].axes)
        choose_levels(w, out, count, &c);
    return c;
}

/* The chunk of a box that begins where the part does. */
static int write_piece_all(struct work *w, int out, const struct cut *c)
{
    const struct pcdf_join_plan *plan = w->plan;
    const struct pcdf_var *var = &plan->out.vars[out];
    struct pcdf_join_part *part = &w->parts[0];
    int64_t *steps = w->room + 2 * ((size_t)w->maker.most + 1);
    struct pcdf_join_runs runs = { .at = plan->layout.begin[out], .bytes = c->inner, .n = 1 };
    pcdf_join_steps(plan, w->var_of[out], steps);
    for (int i = 0; i < var->ndims; i++)
        runs.at += part->start[i] * steps[i];
    if (var->ndims)
        runs.bytes *= part->count[c->dim];
    if (c->levels > 1) {
        runs.n = part->count[c->dim - 1];
        runs.step = steps[c->dim - 1];
        steps[c->dim - 1] = runs.bytes;
    }
    part->steps = steps;
    return write_chunk_all(w, &runs, 1);
}

/* A box of a variable, in chunks. */
static int write_box_all(struct work *w, int out, const int64_t *low, const int64_t *count)
{
    struct pcdf_grid *grid = &w->grid;
    struct cut c = choose_cut(w, out, count);
    int ndims = w->plan->out.vars[out].ndims, status = PCDF_TOOL_GOOD;
    for (int i = 0; i < ndims; i++)
        grid->step[i] = i < c.dim ? 1 : i == c.dim ? c.rows : count[i];
    if (c.levels > 1)
        grid->step[c.dim - 1] = c.levels;
    pcdf_grid_cut(grid, ndims, low, count, grid->step);
    w->parts[0] =
        (struct pcdf_join_part){ .var = w->var_of[out], .start = grid->start, .count = grid->count };
    while (!status && pcdf_grid_next(grid))
        status = write_piece_all(w, out, &c);
    return status;
}

/* ---- which variables, which part of them */

/* Is it written with the groups? */
static bool is_grouped(const struct work *w, int out)
{
    int axis = pcdf_join_slowest(w->plan, w->var_of[out]);
    return w->groups.n > 1 && axis >= 0 && w->groups.is_clean[axis];
}

static bool is_now(const struct work *w, int out)
{
    return w->var_of[out] >= 0 && is_grouped(w, out) == (w->group >= 0);
}

/* What a group has of an axis. */
static void bounds_of(const struct work *w, int axis, int64_t *low, int64_t *count)
{
    const int64_t *bounds = w->groups.bounds + axis * (w->groups.n + 1) + w->group;
    *low = bounds[0];
    *count = bounds[1] - bounds[0];
}

/* All of a variable that is written now; false: nothing. */
static bool box_of(const struct work *w, int out, int64_t *low, int64_t *count)
{
    const struct pcdf_join_plan *plan = w->plan;
    const struct pcdf_var *var = &plan->out.vars[out];
    const struct pcdf_join_var *v = &plan->vars[w->var_of[out]];
    int slowest = is_grouped(w, out) ? pcdf_join_slowest(plan, w->var_of[out]) : -1;
    bool has_values = true;
    for (int i = 0; i < var->ndims; i++) {
        int dim = v->has_new ? i - 1 : i;
        int axis = dim < 0 ? 0 : plan->axis_of[plan->in.vars[w->var_of[out]].dimids[dim]];
        low[i] = 0;
        count[i] = pcdf_tool_dim_length(&plan->out, var->dimids[i]);
        if (axis >= 0 && axis == slowest)
            bounds_of(w, axis, &low[i], &count[i]);
        has_values &= count[i] > 0;
    }
    return has_values;
}

static int write_fixed_all(struct work *w)
{
    const struct pcdf_meta *out = &w->plan->out;
    int64_t *low = w->room, *count = w->room + w->maker.most + 1;
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < out->nvars && !status; i++)
        if (is_now(w, i) && !out->vars[i].is_record && box_of(w, i, low, count))
            status = write_box_all(w, i, low, count);
    return status;
}

/* Record by record, variable by variable. */
static int write_large_records_all(struct work *w)
{
    const struct pcdf_meta *out = &w->plan->out;
    int64_t *low = w->room, *count = w->room + w->maker.most + 1;
    int status = PCDF_TOOL_GOOD;
    for (int64_t record = 0; record < out->numrecs && !status; record++)
        for (int i = 0; i < out->nvars && !status; i++) {
            if (!out->vars[i].is_record || !is_now(w, i) || !box_of(w, i, low, count) || record < low[0] ||
                record >= low[0] + count[0])
                continue;
            low[0] = record;
            count[0] = 1;
            status = write_box_all(w, i, low, count);
        }
    return status;
}

/* Some records as they are in the file, with all their variables. */
static int write_records_all(struct work *w, int64_t first, int64_t n)
{
    const struct pcdf_join_plan *plan = w->plan;
    size_t each = (size_t)w->maker.most + 1;
    int64_t *numbers = w->room + 3 * each, at = INT64_MAX, end = 0;
    int nparts = 0;
    for (int i = 0; i < plan->out.nvars; i++) {
        if (!plan->out.vars[i].is_record)
            continue;
        struct pcdf_join_part *part = &w->parts[nparts++];
        *part = (struct pcdf_join_part){ w->var_of[i], plan->layout.begin[i], numbers, numbers + each,
                                         numbers + 2 * each };
        pcdf_join_steps(plan, w->var_of[i], part->steps);
        numbers += 3 * each;
        for (int k = 0; k < plan->out.vars[i].ndims; k++) {
            part->start[k] = k ? 0 : first;
            part->count[k] = k ? pcdf_tool_dim_length(&plan->out, plan->out.vars[i].dimids[k]) : n;
        }
        at = pcdf_smaller(at, plan->layout.begin[i]);
        end = pcdf_larger(end, plan->layout.begin[i] + plan->out.vars[i].nbytes);
    }
    for (int i = 0; i < nparts; i++)
        w->parts[i].at -= at;
    const struct pcdf_join_runs runs = { .at = at + first * plan->layout.recsize,
                                         .bytes = (n - 1) * plan->layout.recsize + end - at,
                                         .n = 1 };
    return write_chunk_all(w, &runs, nparts);
}

static int write_small_records_all(struct work *w)
{
    const struct pcdf_join_plan *plan = w->plan;
    int64_t low = 0, count = plan->out.numrecs, some = pcdf_larger(1, w->most / plan->layout.recsize);
    int status = PCDF_TOOL_GOOD;
    if (w->group >= 0)
        bounds_of(w, plan->axis_of[plan->in.record_dim], &low, &count);
    else if (w->groups.n > 1)
        return PCDF_TOOL_GOOD; /* the groups had all */
    for (int64_t i = 0; i < count && !status; i += some)
        status = write_records_all(w, low + i, pcdf_smaller(some, count - i));
    return status;
}

static int write_now_all(struct work *w)
{
    int status = write_fixed_all(w);
    if (!status && w->plan->out.nrecord_vars > 0)
        status = w->by_records ? write_small_records_all(w) : write_large_records_all(w);
    return status;
}

/* ---- groups */

/* The variable that has most. */
static int largest(const struct pcdf_join_plan *plan)
{
    int found = -1;
    for (int i = 0; i < plan->in.nvars; i++)
        if (plan->vars[i].axes && pcdf_join_slowest(plan, i) >= 0 &&
            (found < 0 || plan->in.vars[i].nbytes > plan->in.vars[found].nbytes))
            found = i;
    return found;
}

/* Bytes of a group that lie together in a variable, if there are so many groups. */
static int64_t run_of(const struct pcdf_join_plan *plan, int var, int64_t groups)
{
    const struct pcdf_var *v = &plan->out.vars[plan->vars[var].out];
    int axis = pcdf_join_slowest(plan, var);
    int64_t bytes = pcdf_type_size(v->type);
    for (int i = v->ndims - 1; i >= 0; i--) {
        int dim = plan->vars[var].has_new ? i - 1 : i;
        int64_t length = pcdf_tool_dim_length(&plan->out, v->dimids[i]);
        bool is_axis = dim < 0 || plan->axis_of[plan->in.vars[var].dimids[dim]] == axis;
        bytes *= is_axis ? pcdf_larger(1, length / groups) : length;
        if (is_axis)
            break;
    }
    return bytes;
}

/* Along records all groups have whole records; of tiles, as few as ranks and open files allow. */
static int choose_groups(struct work *w)
{
    const struct pcdf_join_plan *plan = w->plan;
    int var = largest(plan), axis = var < 0 ? -1 : pcdf_join_slowest(plan, var);
    bool is_record = axis >= 0 && plan->axes[axis].dim >= 0 && plan->axes[axis].dim == plan->in.record_dim;
    bool is_small = plan->out.nrecord_vars > 0 && plan->layout.recsize <= w->most / 2;
    int64_t room = plan->files->room, ranks = w->ranks->size;
    bool is_one_behind =
        plan->way == PCDF_JOIN_ALONG || plan->way == PCDF_JOIN_NEW; /* few are open at once */
    int64_t wanted = ranks;
    if (!is_one_behind && plan->options->nfrom > room)
        wanted = pcdf_larger(ranks, (4 * (int64_t)plan->options->nfrom + 3 * room - 1) / (3 * room));
    else if (!is_one_behind && is_small)
        wanted = 1;
    if (var >= 0 && !is_record && run_of(plan, var, wanted) < LEAST_RUN)
        wanted = 1;
    if (pcdf_join_groups_make(&w->groups, plan, axis, wanted))
        return lacks_memory();
    if (w->groups.n < ranks && is_one_behind) { /* then chunks are shared out, of whole records */
        pcdf_join_groups_free(&w->groups);
        w->groups.n = 1;
    }
    w->by_records = is_small && (w->groups.n == 1 || is_record);
    return PCDF_TOOL_GOOD;
}

/* Each rank has groups, or each group has ranks. */
static bool is_mine(struct work *w, int64_t group)
{
    int64_t n = w->groups.n, ranks = w->ranks->size, rank = w->ranks->rank;
    w->turn = 0;
    w->turns = 1;
    w->number = 0;
    w->group = group;
    if (n >= ranks)
        return group * ranks / n == rank;
    w->turn = rank / n;
    w->turns = (ranks - group + n - 1) / n;
    return rank % n == group;
}

static int write_all(struct work *w)
{
    int status = choose_groups(w);
    for (int64_t g = 0; g < w->groups.n && w->groups.n > 1 && !status; g++)
        if (is_mine(w, g))
            status = write_now_all(w);
    w->group = -1;
    w->number = 0;
    w->turn = w->ranks->rank;
    w->turns = w->ranks->size;
    return status ? status : write_now_all(w);
}

/* ---- a rank's share */

static int make_room(struct work *w)
{
    const struct pcdf_join_plan *plan = w->plan;
    size_t nvars = (size_t)plan->out.nvars, each = (size_t)w->maker.most + 1;
    w->room = pcdf_calloc(3 * (1 + nvars) * each, sizeof *w->room);
    w->parts = pcdf_calloc(nvars + 1, sizeof *w->parts);
    w->var_of = pcdf_malloc((nvars + 1) * sizeof *w->var_of);
    if (!w->room || !w->parts || !w->var_of || !pcdf_grid_begin(&w->grid, w->maker.most))
        return lacks_memory();
    for (size_t i = 0; i < nvars; i++)
        w->var_of[i] = -1;
    for (int i = 0; i < plan->in.nvars; i++)
        w->var_of[plan->vars[i].out] = i;
    return PCDF_TOOL_GOOD;
}

/* Bands of tiles that lie beside each other; 0: there are none; -1: no memory. */
static int64_t count_bands(const struct pcdf_join_plan *plan, int axis)
{
    struct pcdf_join_groups bands;
    if (plan->way == PCDF_JOIN_ALONG || plan->way == PCDF_JOIN_NEW || axis < 0)
        return 0;
    if (pcdf_join_groups_make(&bands, plan, axis, INT64_MAX))
        return -1;
    pcdf_join_groups_free(&bands);
    return bands.n;
}

/* A small chunk stays in the cache of the processor; a large one has more of each tile. */
static int choose_chunk(struct work *w)
{
    const struct pcdf_join_plan *plan = w->plan;
    int var = largest(plan), axis = var < 0 ? -1 : pcdf_join_slowest(plan, var);
    int64_t bands = count_bands(plan, axis);
    if (bands < 0)
        return lacks_memory();
    int64_t run = bands ? run_of(plan, var, bands) : 1;
    int64_t met = bands ? pcdf_smaller(bands, CHUNK / run + 1) * ((plan->ntiles + bands - 1) / bands) : 1;
    bool is_scattered = plan->naxes > 0 && plan->axes[0].is_scattered;
    bool is_many = bands && plan->files->room < plan->options->nfrom;
    bool has_records = bands && plan->out.nrecord_vars > 0 && plan->layout.recsize <= LARGE_CHUNK / 2 &&
                       plan->layout.recsize / plan->ntiles < LEAST_READ;
    w->most = is_scattered || is_many || has_records || CHUNK / met < LEAST_READ ? LARGE_CHUNK : CHUNK;
    w->tile_rows = bands && run >= LEAST_RUN ? (plan->axes[axis].length + bands - 1) / bands : 0;
    return PCDF_TOOL_GOOD;
}

static int begin_target(struct work *w, const struct pcdf_join_target *target)
{
    if (target->puts)
        return pcdf_join_puts_begin(&w->puts, target->puts, w->most);
    w->writer = pcdf_join_writer_begin(target->name, w->most);
    return w->writer ? PCDF_TOOL_GOOD : cannot_write(w->plan, errno);
}

static int end_target(struct work *w, int status)
{
    int err = w->writer ? pcdf_join_writer_end(w->writer, !status) : 0;
    pcdf_join_puts_end(&w->puts);
    return err && !status ? cannot_write(w->plan, err) : status;
}

static int write_to_all(struct work *w, const struct pcdf_join_target *target)
{
    int status = begin_target(w, target);
    if (status)
        return status;
    if (target->puts && w->ranks->rank == 0 && has_values(w->plan))
        status = put_coordinate_all(w);
    status = status ? status : write_all(w);
    return end_target(w, status);
}

int pcdf_join_write_values_all(const struct pcdf_join_plan *plan, const struct pcdf_join_target *target,
                               struct pcdf_tool_progress *progress, int64_t *bytes)
{
    struct work w = { .plan = plan, .ranks = plan->ranks, .progress = progress };
    int status = choose_chunk(&w);
    status = status ? status : pcdf_join_maker_begin(&w.maker, plan);
    if (status)
        return status;
    status = make_room(&w);
    status = status ? status : write_to_all(&w, target);
    int ended = pcdf_tool_files_end(plan->files);
    pcdf_join_maker_end(&w.maker);
    pcdf_join_groups_free(&w.groups);
    pcdf_grid_end(&w.grid);
    pcdf_free(w.room);
    pcdf_free(w.parts);
    pcdf_free(w.var_of);
    *bytes = w.written;
    return status ? status : ended;
}
