/* The space of cells (cells.h): every chunk has a cell of its own, of the owner that is promised; whose a
 * byte is, asked of every offset; boxes against counting of elements; a chunk shape that is decided later
 * moves no other variable; shapes that are refused, numbers that do not fit, every failing allocation. */
#include "alloc.h"
#include "cells.h"
#include "check.h"
#include "draw.h"
#include "someowners.h"
#include "status.h"

#include <stdlib.h>

enum { MAX_DIMS = 4, MAX_VARS = 5, ROWS = 3, MOST_BYTES = 1 << 20 };

struct world {
    struct pcdf_meta meta;
    int64_t chunk[MAX_VARS][MAX_DIMS];
    struct pcdf_cells_shape shapes[MAX_VARS];
    struct pcdf_chunk_owners owners[MAX_VARS];
    struct pcdf_cells cells;
};

static void make_world(struct world *w)
{
    static const nc_type types[] = { NC_BYTE, NC_SHORT, NC_INT, NC_DOUBLE };
    char name[16];
    memset(w, 0, sizeof *w);
    pcdf_meta_init(&w->meta, PCDF_CDF5);
    pcdf_meta_add_dim(&w->meta, "t", 0, NULL);
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "d%d", i);
        pcdf_meta_add_dim(&w->meta, name, draw(1, 6), NULL);
    }
    int nvars = (int)draw(1, MAX_VARS);
    for (int v = 0; v < nvars; v++) {
        int dimids[MAX_DIMS], ndims = (int)draw(0, MAX_DIMS);
        bool record = ndims > 0 && draw(0, 1);
        for (int d = 0; d < ndims; d++) {
            dimids[d] = d == 0 && record ? 0 : (int)draw(1, 4);
            w->chunk[v][d] = draw(1, dimids[d] == 0 ? 3 : w->meta.dims[dimids[d]].length);
        }
        snprintf(name, sizeof name, "v%d", v);
        pcdf_meta_add_var(&w->meta, name, types[draw(0, 3)], ndims, dimids, NULL);
        w->shapes[v].chunk = ndims > 0 && draw(0, 3) ? w->chunk[v] : NULL;
        w->shapes[v].reserved = draw(0, 1) ? draw(0, 9) : 0;
        w->shapes[v].is_big_endian = draw(0, 1);
        w->owners[v] = some_owners(&w->meta, v);
        w->shapes[v].owners = draw(0, 2) ? &w->owners[v] : NULL;
    }
}

static void free_world(struct world *w)
{
    pcdf_cells_free(&w->cells);
    pcdf_meta_free(&w->meta);
}

/* The bytes of a chunk that are a variable's, element by element. */
static int64_t count_bytes(const struct pcdf_cells_var *v, int64_t number)
{
    int64_t real = 0, elements = v->bytes / v->xsize;
    for (int64_t e = 0; e < elements; e++) {
        int64_t in_chunk = e, chunk = number;
        bool inside = true;
        for (int d = v->ndims - 1; d >= 0; d--) {
            int64_t grid = v->grid[d] ? v->grid[d] : INT64_MAX;
            int64_t index = chunk % grid * v->chunk[d] + in_chunk % v->chunk[d];
            inside &= v->length[d] == 0 || index < v->length[d];
            in_chunk /= v->chunk[d];
            chunk /= grid;
        }
        real += inside ? v->xsize : 0;
    }
    return real;
}

/* Where block i of a dimension begins, as chunkowners.h says it. */
static int64_t border(const struct pcdf_owner_dim *x, int64_t i)
{
    int64_t at = x->rule == PCDF_BORDERS_SPREAD ? i * x->length / x->parts : 0;
    for (int64_t k = 0; x->rule != PCDF_BORDERS_SPREAD && k < i; k++)
        at += x->rule == PCDF_BORDERS_EVEN ? x->length / x->parts + (k < x->length % x->parts) : x->block;
    return at;
}

/* The rank that has the middle of the chunk. */
static int64_t owner_of(const struct pcdf_cells_var *v, int64_t number)
{
    int64_t owner = 0, start[MAX_DIMS], count[MAX_DIMS];
    (void)pcdf_cells_box(v, number, start, count);
    for (int i = 0; i < v->owners.n; i++) {
        const struct pcdf_owner_dim *x = &v->owners.x[i];
        int64_t block = 0, middle = start[x->dim] + v->chunk[x->dim] / 2;
        middle = middle < x->length ? middle : x->length - 1;
        while ((x->rule == PCDF_BORDERS_LENGTH || block + 1 < x->parts) && border(x, block + 1) <= middle)
            block++;
        owner += block % x->parts * x->stride;
    }
    return owner;
}

/* Marks the bytes of all chunks with their variable, number and place; then asks for every offset. */
static void check_places(const struct world *w, uint64_t number)
{
    static struct pcdf_cell_place expected[MOST_BYTES];
    const struct pcdf_cells *c = &w->cells;
    int64_t end = c->begin_rec + ROWS * c->recsize, low = -1;
    end = end < MOST_BYTES ? end : MOST_BYTES;
    for (int64_t i = 0; i < end; i++)
        expected[i].varid = -1;
    CHECK_INT(c->nvars, w->meta.nvars);
    CHECK_INT(c->begin_rec % c->cell, 0);
    for (int o = 0; o < c->nvars; o++) {
        int id = c->order[o];
        const struct pcdf_cells_var *v = &c->x[id];
        CHECK(v->begin > low && v->begin % c->cell == 0, "case %" PRIu64 ": %d begins badly", number, id);
        CHECK_INT(o < c->nfixed, !w->meta.vars[id].is_record);
        CHECK_INT(v->is_big_endian, w->shapes[id].is_big_endian);
        CHECK(v->ncells >= w->shapes[id].reserved, "%d reserved too little", id);
        low = v->begin;
        int64_t nchunks = v->nchunks * (v->is_record ? ROWS : 1);
        for (int64_t k = 0; k < nchunks; k++) {
            int64_t at = pcdf_cells_at(c, id, k), start[MAX_DIMS], count[MAX_DIMS];
            CHECK(at >= 0 && at % c->cell == 0, "chunk %" PRId64 " is at %" PRId64, k, at);
            if (v->owners.ranks > 0)
                CHECK_INT(at / c->cell % v->owners.ranks, owner_of(v, k));
            for (int64_t b = 0; b < v->bytes && at + b < end; b++) {
                CHECK(expected[at + b].varid < 0, "%" PRId64 " is two variables'", at + b);
                expected[at + b] = (struct pcdf_cell_place){ id, k, b };
            }
            if (v->chunk)
                CHECK_INT(pcdf_cells_box(v, k, start, count), count_bytes(v, k));
        }
        CHECK_INT(pcdf_cells_at(c, id, -1), -1);
        if (!v->is_record)
            CHECK_INT(pcdf_cells_at(c, id, nchunks), -1);
    }
    for (int64_t i = 0; i < end; i++) {
        struct pcdf_cell_place place;
        bool found = pcdf_cells_find(c, i, &place);
        CHECK_INT(found, expected[i].varid >= 0);
        CHECK(!found || (place.varid == expected[i].varid && place.number == expected[i].number &&
                         place.at == expected[i].at),
              "case %" PRIu64 ": offset %" PRId64 " is of variable %d, chunk %" PRId64 ", byte %" PRId64,
              number, i, place.varid, place.number, place.at);
    }
}

/* A variable that was not chunked is, in the cells that it reserved. */
static void check_decision(struct world *w)
{
    int id = (int)draw(0, w->meta.nvars - 1);
    struct pcdf_cells_shape *shape = &w->shapes[id];
    int64_t bytes, had = shape->reserved;
    struct pcdf_cells before, after;
    if (!shape->chunk)
        return;
    CHECK_INT(pcdf_cells_needed(&w->meta, id, shape->chunk, &shape->reserved, &bytes), 0);
    CHECK_INT(shape->reserved, w->cells.x[id].nchunks);
    if (w->cells.x[id].owners.ranks > 0)
        shape->reserved = w->cells.x[id].ncells;
    CHECK_INT(bytes, w->cells.x[id].bytes);
    shape->chunk = NULL;
    CHECK_INT(pcdf_cells_build(&before, &w->meta, w->shapes, 2048 * 8), 0);
    shape->chunk = w->chunk[id];
    shape->reserved = w->cells.x[id].owners.ranks > 0 || draw(0, 1) ? shape->reserved : 0;
    CHECK_INT(pcdf_cells_build(&after, &w->meta, w->shapes, 2048 * 8), 0);
    CHECK_INT(before.recsize, after.recsize);
    for (int i = 0; i < w->meta.nvars; i++)
        CHECK_INT(before.x[i].begin, after.x[i].begin);
    shape->reserved = had;
    pcdf_cells_free(&before);
    pcdf_cells_free(&after);
}

static void one_case(uint64_t number)
{
    struct world w;
    struct pcdf_cells other;
    draw_seed = number * 0x9e3779b97f4a7c15u + 1;
    make_world(&w);
    CHECK_INT(pcdf_cells_build(&w.cells, &w.meta, w.shapes, draw(0, 2) ? 0 : draw(1, 600)), 0);
    check_places(&w, number);
    check_decision(&w);
    pcdf_alloc_fail_at(draw(1, 2 + w.meta.nvars), 0);
    int err = pcdf_cells_build(&other, &w.meta, w.shapes, 0);
    pcdf_alloc_fail_at(0, 0);
    CHECK(err == 0 || err == NC_ENOMEM, "error %d", err);
    pcdf_cells_free(&other);
    free_world(&w);
}

/* ---- what does not fit */

static void check_refused(void)
{
    static const struct {
        int ndims;
        int64_t length, chunk[2], reserved;
        int code;
    } rows[] = {
        { 2, 10, { 1, 10 }, 0, NC_NOERR },
        { 2, 10, { 1, 0 }, 0, NC_EBADCHUNK },
        { 2, 10, { 0, 10 }, 0, NC_EBADCHUNK },
        { 2, 10, { 1, 11 }, 0, NC_EBADCHUNK },
        { 2, 10, { -1, 10 }, 0, NC_EBADCHUNK },
        { 2, 1 << 20, { 511, 1 << 20 }, 0, NC_NOERR },
        { 2, 1 << 20, { 512, 1 << 20 }, 0, NC_EBADCHUNK },
        { 2, INT64_MAX / 16, { 1, INT64_MAX / 16 }, 0, NC_EBADCHUNK },
        { 2, INT64_MAX / 16, { 1, 1 }, 0, NC_EVARSIZE },
        { 2, INT64_MAX / 16, { 1, 1 << 20 }, 0, NC_NOERR },
        { 2, 10, { 1, 1 }, INT64_MAX / 8, NC_EVARSIZE },
        { 0, 10, { 1, 1 }, 0, NC_EBADCHUNK },
        { PCDF_CHUNK_DIMS + 1, 1, { 1, 1 }, 0, NC_EMAXDIMS },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pcdf_meta meta;
        struct pcdf_cells cells;
        int dimids[PCDF_CHUNK_DIMS + 1] = { 0 };
        pcdf_meta_init(&meta, PCDF_CDF5);
        pcdf_meta_add_dim(&meta, "t", 0, NULL);
        pcdf_meta_add_dim(&meta, "x", rows[i].length, NULL);
        for (int d = 1; d < rows[i].ndims; d++)
            dimids[d] = 1;
        pcdf_meta_add_var(&meta, "v", NC_DOUBLE, rows[i].ndims, dimids, NULL);
        struct pcdf_cells_shape shape = { .chunk = rows[i].chunk, .reserved = rows[i].reserved };
        int err = pcdf_cells_build(&cells, &meta, &shape, 64);
        CHECK(err == rows[i].code, "row %zu: %d: %s", i, err, pcdf_fail_text());
        CHECK(err == 0 || (cells.nvars == 0 && !cells.x), "row %zu is not empty", i);
        pcdf_cells_free(&cells);
        pcdf_meta_free(&meta);
    }
}

/* The last rows of a space that ends at 63 bits. */
static void check_last(void)
{
    static const int dimids[] = { 0, 1 };
    const int64_t chunk[] = { 2, 3 };
    const struct pcdf_cells_shape shape = { .chunk = chunk };
    struct pcdf_cells cells;
    struct pcdf_cell_place place;
    struct pcdf_meta meta;
    pcdf_meta_init(&meta, PCDF_CDF5);
    pcdf_meta_add_dim(&meta, "t", 0, NULL);
    pcdf_meta_add_dim(&meta, "x", 7, NULL);
    pcdf_meta_add_var(&meta, "v", NC_INT, 2, dimids, NULL);
    CHECK_INT(pcdf_cells_build(&cells, &meta, &shape, PCDF_CELL_LEAST), 0);
    CHECK_INT(cells.cell, PCDF_CELL_LEAST);
    int64_t rows = INT64_MAX / cells.recsize, last = rows * 3 - 1;
    CHECK_INT(pcdf_cells_at(&cells, 0, last), last * cells.cell);
    CHECK_INT(pcdf_cells_at(&cells, 0, INT64_MAX), -1);
    CHECK_INT(pcdf_cells_find(&cells, INT64_MAX, &place), false);
    CHECK_INT(pcdf_cells_find(&cells, -1, &place), false);
    CHECK_INT(pcdf_cells_find(&cells, last * cells.cell + 23, &place), true);
    CHECK_INT(place.number, last);
    CHECK_INT(pcdf_cells_find(&cells, last * cells.cell + 24, &place), false);
    pcdf_cells_free(&cells);

    CHECK_INT(pcdf_cells_build(&cells, &meta, NULL, 0), 0); /* a row for each record */
    CHECK_INT(cells.recsize, 32);
    CHECK_INT(pcdf_cells_at(&cells, 0, 5), 160);
    CHECK_INT(pcdf_cells_find(&cells, 160 + 27, &place), true);
    CHECK_INT(place.number, 5);
    CHECK_INT(place.at, 27);
    CHECK_INT(pcdf_cells_find(&cells, 160 + 28, &place), false);
    pcdf_cells_free(&cells);
    pcdf_meta_free(&meta);
}

int main(void)
{
    for (uint64_t i = 0; i < 2000; i++)
        one_case(i);
    check_refused();
    check_last();
    return check_done("cell_places");
}
