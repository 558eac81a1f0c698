/* Fixes what a plan promises, on random requests against brute force: every byte goes where start, count,
 * stride and imap say; of overlapping puts the later one wins; pieces are sorted, disjoint and do not touch;
 * packed parts keep within their limits. Windows of the file, in any order and of several places in turn,
 * give each element once, and their bytes in place; elements behind the end of a short file are fill values;
 * what the iterator says beforehand is right. Of classic files, and of chunks in the space of cells. One
 * process, no file. */
#include <stdlib.h>
#include "alloc.h"
#include "cells.h"
#include "check.h"
#include "draw.h"
#include "layout.h"
#include "plan.h"
#include "someowners.h"
#include "status.h"

#define FILE_ROOM    400000
#define MAX_DIMS     4
#define MAX_REQUESTS 40
#define MAX_SLABS    6
#define MAX_VARS     4
#define MOST_RECORDS 6

struct world {
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    struct pcdf_cells cells;
};

static void free_world(struct world *w)
{
    pcdf_cells_free(&w->cells);
    pcdf_layout_free(&w->layout);
    pcdf_meta_free(&w->meta);
}

/* Most variables get chunks of any shape. False: they take more room than there is. */
static bool make_cells(struct world *w)
{
    struct pcdf_cells_shape shapes[MAX_VARS] = { 0 };
    int64_t chunk[MAX_VARS][MAX_DIMS];
    struct pcdf_chunk_owners owners[MAX_VARS];
    for (int v = 0; v < w->meta.nvars; v++) {
        const struct pcdf_var *var = &w->meta.vars[v];
        for (int d = 0; d < var->ndims; d++) {
            int64_t length = w->meta.dims[var->dimids[d]].length;
            chunk[v][d] = draw(1, length > 0 ? length : 4);
        }
        owners[v] = some_owners(&w->meta, v);
        shapes[v] = (struct pcdf_cells_shape){ var->ndims > 0 && draw(0, 4) ? chunk[v] : NULL, draw(0, 3),
                                               draw(0, 1) > 0, draw(0, 1) ? &owners[v] : NULL };
    }
    CHECK_INT(pcdf_cells_build(&w->cells, &w->meta, shapes, draw(0, 1) ? 0 : 256), 0);
    w->layout.cells = &w->cells;
    return w->cells.begin_rec + MOST_RECORDS * w->cells.recsize <= FILE_ROOM;
}

/* A few variables over a few dimensions, some of them with records. */
static void draw_world(struct world *w, bool has_cells)
{
    static const nc_type types[] = { NC_BYTE, NC_SHORT, NC_INT, NC_DOUBLE };
    struct pcdf_alignment align = { 0 };
    char name[16];
    pcdf_meta_init(&w->meta, PCDF_CDF5);
    pcdf_meta_add_dim(&w->meta, "t", 0, NULL);
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "d%d", i);
        pcdf_meta_add_dim(&w->meta, name, draw(1, has_cells ? 6 : 9), NULL);
    }
    int nvars = (int)draw(1, MAX_VARS);
    for (int v = 0; v < nvars; v++) {
        int dimids[MAX_DIMS], ndims = (int)draw(0, MAX_DIMS);
        bool record = ndims > 0 && draw(0, 1);
        for (int d = 0; d < ndims; d++)
            dimids[d] = d == 0 && record ? 0 : (int)draw(1, 4);
        snprintf(name, sizeof name, "v%d", v);
        pcdf_meta_add_var(&w->meta, name, types[draw(0, 3)], ndims, dimids, NULL);
    }
    w->meta.numrecs = draw(0, 5);
    memset(&w->layout, 0, sizeof w->layout);
    memset(&w->cells, 0, sizeof w->cells);
    CHECK_INT(pcdf_layout_build(&w->layout, &w->meta, NULL, &align), 0);
}

static void make_world(struct world *w)
{
    bool has_cells = draw(0, 1);
    draw_world(w, has_cells);
    while (has_cells && !make_cells(w)) {
        free_world(w);
        draw_world(w, has_cells);
    }
}

/* The arguments of one request, and storage for them. */
struct arguments {
    struct pcdf_access access;
    int varid;
    MPI_Offset start[MAX_SLABS][MAX_DIMS], count[MAX_SLABS][MAX_DIMS], stride[MAX_DIMS], imap[MAX_DIMS];
    MPI_Offset *starts[MAX_SLABS], *counts[MAX_SLABS];
    int64_t memory_elements;
    unsigned char *memory;
};

static void draw_slab(const struct world *w, const struct pcdf_var *var, struct arguments *a, int slab,
                      bool strided)
{
    int64_t shape[MAX_DIMS + 1];
    pcdf_var_shape(&w->meta, var, shape);
    for (int d = 0; d < var->ndims; d++) {
        int64_t length = shape[d], stride = strided ? draw(1, 3) : 1;
        if (d == 0 && var->is_record && a->access.dir == PCDF_PUT)
            length = MOST_RECORDS;
        a->start[slab][d] = length > 0 ? draw(0, length - 1) : 0;
        a->count[slab][d] =
            length > 0 ? draw(draw(0, 9) ? 1 : 0, (length - 1 - a->start[slab][d]) / stride + 1) : 0;
        a->stride[d] = stride;
    }
}

/* A random permutation of the dimensions as imap, with gaps. */
static void draw_imap(const struct pcdf_var *var, struct arguments *a)
{
    int order[MAX_DIMS];
    int64_t step = draw(1, 2);
    for (int d = 0; d < var->ndims; d++)
        order[d] = d;
    for (int d = var->ndims - 1; d > 0; d--) {
        int other = (int)draw(0, d), t = order[d];
        order[d] = order[other];
        order[other] = t;
    }
    a->memory_elements = 1;
    for (int d = var->ndims - 1; d >= 0; d--) {
        int64_t count = a->count[0][order[d]];
        a->imap[order[d]] = step;
        a->memory_elements += (count > 0 ? count - 1 : 0) * step;
        step = step * (count > 0 ? count : 1) + draw(0, 2);
    }
    a->access.imap = a->imap;
}

static void draw_arguments(const struct world *w, struct arguments *a, enum pcdf_dir dir)
{
    memset(a, 0, sizeof *a);
    a->varid = (int)draw(0, w->meta.nvars - 1);
    const struct pcdf_var *var = &w->meta.vars[a->varid];
    a->access.dir = dir;
    a->access.form = (enum pcdf_form)draw(PCDF_FORM_VARA, PCDF_FORM_VARN);
    a->access.mtype = pcdf_mtype_of(var->type);
    a->access.num = a->access.form == PCDF_FORM_VARN && var->ndims > 0 ? (int)draw(0, MAX_SLABS) : 1;
    bool strided = a->access.form == PCDF_FORM_VARS || a->access.form == PCDF_FORM_VARM;
    for (int i = 0; i < a->access.num; i++) {
        draw_slab(w, var, a, i, strided);
        a->starts[i] = a->start[i];
        a->counts[i] = a->count[i];
        int64_t n = 1;
        for (int d = 0; d < var->ndims; d++)
            n *= a->count[i][d];
        a->memory_elements += n;
    }
    if (a->access.form == PCDF_FORM_VARN) {
        a->access.starts = a->starts;
        a->access.counts = a->counts;
    } else {
        a->access.start = a->start[0];
        a->access.count = a->count[0];
        a->access.stride = strided ? a->stride : NULL;
    }
    if (a->access.form == PCDF_FORM_VARM)
        draw_imap(var, a);
    size_t bytes = (size_t)a->memory_elements * pcdf_mtype_size(a->access.mtype);
    a->memory = malloc(bytes + 1);
    for (size_t i = 0; i < bytes; i++)
        a->memory[i] = (unsigned char)draw(0, 255);
    a->access.buf = a->memory;
}

/* The offset of an element. */
static int64_t offset_of(const struct world *w, int varid, const int64_t *index)
{
    const struct pcdf_var *var = &w->meta.vars[varid];
    const struct pcdf_cells_var *v = w->layout.cells ? &w->cells.x[varid] : NULL;
    int64_t shape[MAX_DIMS + 1], size = pcdf_type_size(var->type), offset = 0, number = 0;
    int64_t record = var->is_record ? index[0] : 0;
    pcdf_var_shape(&w->meta, var, shape);
    for (int d = 0; d < var->ndims && v && v->chunk; d++) {
        int64_t grid = d == 0 && var->is_record ? 0 : (shape[d] - 1) / v->chunk[d] + 1;
        number = number * grid + index[d] / v->chunk[d];
        offset = offset * v->chunk[d] + index[d] % v->chunk[d];
    }
    if (v && v->chunk)
        return pcdf_cells_at(&w->cells, varid, number) + offset * size;
    for (int d = var->is_record; d < var->ndims; d++)
        offset = offset * shape[d] + index[d];
    return v ? v->begin + offset * size + record * w->cells.recsize
             : w->layout.begin[varid] + offset * size + record * w->layout.recsize;
}

/* Brute force: element by element, byte by byte, as the API's words say. put: memory to file; else file to
 * memory; what does not end before file_end is the fill value. begins: gets a 1 where an element begins. */
static void by_hand(const struct world *w, const struct arguments *a, unsigned char *file,
                    unsigned char *memory, bool put, unsigned char *begins, int64_t file_end)
{
    const struct pcdf_var *var = &w->meta.vars[a->varid];
    int64_t size = pcdf_type_size(var->type), packed = 0;
    const bool is_native = pcdf_cells_is_native(w->layout.cells, a->varid);
    for (int s = 0; s < a->access.num; s++) {
        int64_t n = 1, at[MAX_DIMS] = { 0 };
        for (int d = 0; d < var->ndims; d++)
            n *= a->count[s][d];
        for (int64_t e = 0; e < n; e++, packed++) {
            int64_t index[MAX_DIMS], where = packed;
            if (a->access.imap)
                where = 0;
            for (int d = 0; d < var->ndims; d++) {
                index[d] = a->start[s][d] + at[d] * (a->access.stride ? a->stride[d] : 1);
                if (a->access.imap)
                    where += at[d] * a->imap[d];
            }
            int64_t offset = offset_of(w, a->varid, index);
            begins[offset] = 1;
            for (int64_t b = 0; b < size; b++) { /* this machine's order to the file's */
                const int one = 1;
                int64_t turned = *(const char *)&one ? size - 1 - b : b;
                int64_t in_memory = is_native ? b : turned;
                if (put)
                    file[offset + b] = memory[where * size + in_memory];
                else
                    memory[where * size + in_memory] = offset + size > file_end
                                                           ? pcdf_type_fill(var->type)[is_native ? turned : b]
                                                           : file[offset + b];
            }
            for (int d = var->ndims - 1; d >= 0 && ++at[d] == a->count[s][d]; d--)
                at[d] = 0;
        }
    }
}

static void check_batch(const struct pcdf_batch *batch, const struct pcdf_batch_limits *limits)
{
    int64_t sum = 0, behind = limits->from;
    for (size_t i = 0; i < batch->n; behind = batch->pieces[i].offset + batch->pieces[i].length + 1, i++) {
        sum += batch->pieces[i].length;
        CHECK(batch->pieces[i].length > 0, "piece %zu is empty", i);
        CHECK(batch->pieces[i].offset >= behind, "piece %zu at %" PRId64 " is not behind the one before", i,
              batch->pieces[i].offset);
    }
    CHECK_INT(sum, batch->nbytes);
    CHECK(batch->asked >= batch->nbytes, "%" PRId64 " bytes of %" PRId64, batch->asked, batch->nbytes);
    bool is_direct =
        limits->packed && batch->n == 1 && batch->pieces[0].data != limits->packed; /* room_of in plan.c */
    CHECK(batch->nbytes <= limits->bytes * (is_direct ? 64 : 1), "%" PRId64 " bytes, not %" PRId64,
          batch->nbytes, limits->bytes);
    CHECK(batch->n <= limits->pieces, "%zu pieces, not %zu", batch->n, limits->pieces);
}

/* Carries a plan out against `file`, packed. */
static void carry_out(const struct pcdf_iterator *it, int64_t bytes, size_t pieces, unsigned char *file)
{
    struct pcdf_batch batch = { .next = it->begin };
    char *stage = malloc((size_t)bytes);
    int64_t given = 0;
    while (batch.next != INT64_MAX) {
        const struct pcdf_batch_limits limits = { batch.next, INT64_MAX, pieces, bytes,
                                                  stage,      false,     false,  draw(0, 1) ? bytes : 0,
                                                  false };
        CHECK_INT(it->peek(it->context, &limits, &batch), 0);
        check_batch(&batch, &limits);
        CHECK(batch.n > 0 && batch.next > limits.from, "nothing at %" PRId64, limits.from);
        CHECK(batch.next == INT64_MAX || batch.n == pieces || batch.nbytes > bytes - 8 || batch.asked > 0,
              "%zu pieces, %" PRId64 " bytes", batch.n, batch.nbytes);
        if (it->dir == PCDF_PUT)
            it->copy(it->context, stage);
        for (size_t i = 0; i < batch.n; i++) {
            unsigned char *in_file = file + batch.pieces[i].offset;
            CHECK(i == 0 || batch.pieces[i].data == batch.pieces[i - 1].data + batch.pieces[i - 1].length,
                  "piece %zu does not stand behind the one before", i);
            memcpy(it->dir == PCDF_PUT ? (char *)in_file : batch.pieces[i].data,
                   it->dir == PCDF_PUT ? batch.pieces[i].data : (char *)in_file,
                   (size_t)batch.pieces[i].length);
        }
        if (it->dir == PCDF_GET)
            it->copy(it->context, stage);
        given += batch.asked;
        if (check_bad)
            break;
    }
    CHECK_INT(given, it->nbytes);
    free(stage);
}

/* ---- windows */

static int64_t first_begin(const unsigned char *begins, int64_t from)
{
    for (; from < FILE_ROOM; from++)
        if (begins[from])
            return from;
    return INT64_MAX;
}

struct windows {
    struct pcdf_plan *plan;
    const struct pcdf_iterator *it;
    const unsigned char *begins;
    unsigned char *file;
    int64_t given; /* bytes, counted as often as they were asked for */
};

static void check_window(const struct windows *w, const struct pcdf_batch_limits *limits,
                         const struct pcdf_batch *batch)
{
    check_batch(batch, limits);
    CHECK(w->plan->peeked.overlaps || w->plan->peeked.nops <= limits->pieces, "%zu ops, not %zu",
          w->plan->peeked.nops, limits->pieces);
    if (batch->next >= limits->to) {
        CHECK_INT(batch->next, first_begin(w->begins, limits->to));
        return;
    }
    CHECK(batch->next >= limits->from && w->begins[batch->next], "next is %" PRId64, batch->next);
    CHECK(batch->n == limits->pieces || w->plan->peeked.nops >= limits->pieces, "ended early with %zu pieces",
          batch->n);
    for (size_t i = 0; i < batch->n; i++)
        CHECK(batch->pieces[i].offset + batch->pieces[i].length <= batch->next, "piece %zu is behind next",
              i);
}

/* One window against the file; returns where the next element begins. */
static int64_t one_window(struct windows *w, int64_t from, int64_t to)
{
    static char window[FILE_ROOM + 8];
    const struct pcdf_batch_limits limits = { from,           to,   (size_t)draw(1, draw(0, 1) ? 3 : 30),
                                              INT64_MAX,      NULL, false,
                                              draw(0, 1) > 0, 0,    false };
    struct pcdf_batch batch;
    bool put = w->it->dir == PCDF_PUT;
    CHECK_INT(w->it->peek(w->plan, &limits, &batch), 0);
    check_window(w, &limits, &batch);
    if (put)
        w->it->copy(w->plan, window);
    for (size_t i = 0; i < batch.n; i++) {
        char *in_window = window + (batch.pieces[i].offset - from);
        unsigned char *in_file = w->file + batch.pieces[i].offset;
        memcpy(put ? (char *)in_file : in_window, put ? in_window : (char *)in_file,
               (size_t)batch.pieces[i].length);
    }
    if (!put)
        w->it->copy(w->plan, window);
    w->given += batch.asked;
    return batch.next;
}

/* What the iterator says beforehand, against the whole plan as one window. */
static void check_iterator(struct pcdf_plan *plan)
{
    const struct pcdf_iterator *it = &plan->iterator;
    const struct pcdf_batch_limits limits = {
        0, FILE_ROOM, SIZE_MAX, INT64_MAX, NULL, false, false, 0, false
    };
    struct pcdf_batch all;
    bool blocks = true;
    CHECK_INT(it->peek(plan, &limits, &all), 0);
    CHECK_INT(all.asked, it->nbytes);
    CHECK_INT(all.next, INT64_MAX);
    CHECK_INT(it->begin, all.n ? all.pieces[0].offset : INT64_MAX);
    CHECK_INT(it->end, all.n ? all.pieces[all.n - 1].offset + all.pieces[all.n - 1].length : 0);
    for (size_t i = 0; i < plan->nitems; i++)
        blocks &= plan->items[i].shape > 0;
    CHECK(it->pieces >= (int64_t)all.n &&
              (!blocks || plan->overlaps_possible || it->pieces == (int64_t)all.n),
          "%" PRId64 " pieces, in truth %zu", it->pieces, all.n);
    CHECK(plan->overlaps_possible || !plan->peeked.overlaps, "an overlap nobody was told of");
}

/* Carries the plan out by windows: some places of the file, each with its own pace, in turn. */
static void carry_out_windows(struct windows *w)
{
    enum { PLACES = 4 };
    int64_t at[PLACES], end[PLACES], size = draw(1, draw(0, 1) ? 50 : 5000), open = PLACES, last = w->it->end;
    if (draw(0, 1))
        check_iterator(w->plan);
    for (int i = 0; i < PLACES; i++) {
        at[i] = i == 0 ? 0 : end[i - 1];
        end[i] = i == PLACES - 1 ? FILE_ROOM : draw(at[i], at[i] > last ? at[i] : last);
    }
    while (open > 0) {
        int i = (int)draw(0, PLACES - 1);
        int64_t to = end[i], step = draw(1, size), from = draw(0, last + 9);
        if (at[i] < last && step < end[i] - at[i])
            to = at[i] + step;
        if (at[i] < end[i]) {
            int64_t next = one_window(w, at[i], to);
            at[i] = next < to || draw(0, 3) ? next : to;
        }
        if (draw(0, 3) == 0) /* a question between, of any place */
            CHECK_INT(w->it->next(w->plan, from), first_begin(w->begins, from));
        open = 0;
        for (i = 0; i < PLACES; i++)
            open += at[i] < end[i];
    }
    CHECK_INT(w->given, w->it->nbytes);
}

static void keep(struct pcdf_request *request, int ndims)
{
    size_t bytes = pcdf_request_shape_bytes(request, ndims);
    if (request->owns || bytes == 0)
        return;
    pcdf_request_keep_at(request, ndims, pcdf_malloc(bytes));
    request->owns = true; /* pcdf_request_free frees it */
}

static void one_case(uint64_t number)
{
    static unsigned char file[FILE_ROOM], expected[FILE_ROOM], begins[FILE_ROOM];
    struct arguments args[MAX_REQUESTS];
    struct pcdf_request requests[MAX_REQUESTS], *list[MAX_REQUESTS];
    struct pcdf_var_layouts layouts;
    struct pcdf_plan plan;
    struct world w;
    draw_seed = number * 0x9e3779b97f4a7c15u + 1;
    make_world(&w);
    bool put = draw(0, 1);
    int n = (int)draw(1, draw(0, 3) ? 5 : MAX_REQUESTS);
    struct pcdf_request_context context = { &w.meta, true, false, w.layout.cells };
    int64_t file_end = put || draw(0, 3) ? INT64_MAX : draw(0, 3000);
    for (size_t i = 0; i < sizeof file; i++)
        file[i] = expected[i] = (unsigned char)draw(0, 255);
    memset(begins, 0, sizeof begins);
    int made = 0;
    for (int i = 0; i < n; i++) {
        draw_arguments(&w, &args[i], put ? PCDF_PUT : PCDF_GET);
        int err = pcdf_request_make(&requests[i], &context, args[i].varid, &args[i].access);
        CHECK(err == 0, "case %" PRIu64 ": %s", number, pcdf_fail_text());
        if (draw(0, 1)) /* as a posted request is kept */
            keep(&requests[i], w.meta.vars[args[i].varid].ndims);
        list[i] = &requests[i];
        made += err == 0;
    }
    CHECK_INT(pcdf_var_layouts_make(&layouts, &w.meta, &w.layout, list, made), 0);
    CHECK_INT(pcdf_plan_build(&plan, put ? PCDF_PUT : PCDF_GET, list, made, &layouts), 0);
    unsigned char *memory[MAX_REQUESTS];
    for (int i = 0; i < n; i++) {
        size_t bytes = (size_t)args[i].memory_elements * pcdf_mtype_size(args[i].access.mtype);
        memory[i] = malloc(bytes + 1);
        memcpy(memory[i], args[i].memory, bytes);
        by_hand(&w, &args[i], expected, memory[i], put, begins, file_end);
    }
    if (!put)
        plan.file_end = file_end;
    struct windows windows = { .plan = &plan, .it = &plan.iterator, .begins = begins, .file = file };
    if (draw(0, 1))
        carry_out(&plan.iterator, draw(1, 40) * 8, (size_t)draw(1, 20), file);
    else
        carry_out_windows(&windows);
    CHECK(memcmp(file, expected, sizeof file) == 0, "case %" PRIu64 ": the file differs", number);
    for (int i = 0; i < n; i++) {
        size_t bytes = (size_t)args[i].memory_elements * pcdf_mtype_size(args[i].access.mtype);
        CHECK(memcmp(memory[i], args[i].memory, bytes) == 0, "case %" PRIu64 ": memory of request %d differs",
              number, i);
        free(memory[i]);
        free(args[i].memory);
        pcdf_request_free(&requests[i]);
    }
    pcdf_plan_free(&plan);
    pcdf_var_layouts_free(&layouts);
    free_world(&w);
}

int main(int argc, char **argv)
{
    uint64_t cases = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000,
             first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    for (uint64_t i = first; i < first + cases && check_bad == 0; i++)
        one_case(i);
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("plan_rounds");
}
