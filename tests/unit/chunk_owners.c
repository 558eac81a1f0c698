/* Who owns a chunk (chunkdivision.h): for regular decompositions of any rule, in any order of the ranks, the
 * division is found, and a chunk that one rank fills alone is that rank's; for others none is found, or all
 * ranks own some. What cells do with it is tested by cell_places. */
#include "cells.h"
#include "check.h"
#include "chunkdivision.h"
#include "chunkshape.h"
#include "draw.h"
#include "numbers.h"

enum { DIMS = 3, MOST_RANKS = 64 };

struct world {
    struct pcdf_meta meta;
    int ndims, ranks;
    bool is_record;
    int64_t length[DIMS], parts[DIMS], stride[DIMS], block[DIMS];
    enum pcdf_border_rule rule[DIMS];
    int64_t start[MOST_RANKS][DIMS], count[MOST_RANKS][DIMS];
};

static void make_var(struct world *w)
{
    int dimids[DIMS];
    char name[8];
    pcdf_meta_init(&w->meta, PCDF_CDF5);
    for (int d = 0; d < w->ndims; d++) {
        snprintf(name, sizeof name, "d%d", d);
        CHECK_INT(pcdf_meta_add_dim(&w->meta, name, w->length[d], &dimids[d]), NC_NOERR);
    }
    CHECK_INT(pcdf_meta_add_var(&w->meta, "v", NC_FLOAT, w->ndims, dimids, NULL), NC_NOERR);
}

/* What all agree on; what each says alone is in `deals`. */
static struct pcdf_chunk_deal agree(struct world *w, struct pcdf_chunk_deal *deals)
{
    struct pcdf_chunk_deal all;
    pcdf_chunk_deal_begin(&all, &w->meta, 0);
    for (int r = 0; r < w->ranks; r++) {
        pcdf_chunk_deal_begin(&deals[r], &w->meta, 0);
        deals[r].owner = r;
        pcdf_chunk_deal_add(&deals[r], w->start[r], w->count[r], NULL);
        pcdf_chunk_deal_finish(&deals[r]);
        for (int i = 0; i < all.n; i++)
            all.numbers[i] = pcdf_larger(all.numbers[i], deals[r].numbers[i]);
    }
    return all;
}

static struct pcdf_chunk_owners find(struct world *w)
{
    static struct pcdf_chunk_deal deals[MOST_RANKS];
    const struct pcdf_chunk_deal all = agree(w, deals);
    struct pcdf_chunk_owners owners;
    int64_t fits[PCDF_OWNER_FITS], own[PCDF_OWNER_FITS];
    pcdf_chunk_owners_propose(&owners, &all, w->ranks);
    for (int i = 0; i < PCDF_OWNER_FITS; i++)
        fits[i] = 1;
    for (int r = 0; r < w->ranks && owners.ranks > 0; r++) {
        pcdf_chunk_owners_check(&owners, &deals[r], own);
        for (int i = 0; i < PCDF_OWNER_FITS; i++)
            fits[i] = pcdf_smaller(fits[i], own[i]);
    }
    if (owners.ranks > 0)
        pcdf_chunk_owners_choose(&owners, fits);
    return owners;
}

/* ---- decompositions */

static int64_t border(const struct world *w, int d, int64_t i)
{
    int64_t n = w->length[d], p = w->parts[d], at = 0;
    switch (w->rule[d]) {
    case PCDF_BORDERS_LENGTH:
    case PCDF_BORDERS_REST:
        at = w->rule[d] == PCDF_BORDERS_REST && i == p ? n : i * w->block[d];
        break;
    case PCDF_BORDERS_EVEN:
        at = i * (n / p) + pcdf_smaller(i, n % p);
        break;
    default:
        at = i * n / p;
    }
    return pcdf_smaller(at, n);
}

/* A grid of ranks, each of which has something; the first dimension may be records. */
static void draw_regular(struct world *w)
{
    int64_t ranks = 1;
    *w = (struct world){ .ndims = (int)draw(1, DIMS) };
    w->is_record = w->ndims > 1 && draw(0, 1);
    for (int d = 0; d < w->ndims; d++) {
        w->parts[d] = w->is_record && d == 0 ? 1 : draw(0, 2) ? draw(1, MOST_RANKS / ranks) : 1;
        ranks *= w->parts[d];
        w->rule[d] = (enum pcdf_border_rule)draw(0, PCDF_BORDERS_N - 1);
        w->length[d] = w->parts[d] * draw(1, 20) + draw(0, w->parts[d] - 1);
        w->block[d] = w->length[d] / w->parts[d];
        if (w->rule[d] == PCDF_BORDERS_LENGTH) /* or the ranks put more later */
            w->block[d] = draw(0, 1) || w->block[d] * w->parts[d] == w->length[d]
                              ? w->block[d]
                              : draw(1, (w->length[d] - 1) / w->parts[d] + 1);
        if (w->is_record && d == 0)
            w->length[d] = 0;
    }
    w->ranks = (int)ranks;
    bool is_turned = draw(0, 1);
    for (int i = 0, step = 1; i < w->ndims; i++) {
        int d = is_turned ? i : w->ndims - 1 - i;
        w->stride[d] = step;
        step *= (int)w->parts[d];
    }
    int64_t record = draw(0, 3);
    for (int r = 0; r < w->ranks; r++)
        for (int d = 0; d < w->ndims; d++) {
            int64_t part = r / w->stride[d] % w->parts[d];
            bool is_first = w->is_record && d == 0;
            w->start[r][d] = is_first ? record : border(w, d, part);
            w->count[r][d] = is_first ? 1 : border(w, d, part + 1) - w->start[r][d];
        }
    make_var(w);
}

/* The rank that has a whole chunk; -1: none. */
static int rank_of(const struct world *w, const int64_t *start, const int64_t *count)
{
    for (int r = 0; r < w->ranks; r++) {
        bool has = true;
        for (int d = 0; d < w->ndims; d++)
            has = has &&
                  ((w->is_record && d == 0) ||
                   (start[d] >= w->start[r][d] && start[d] + count[d] <= w->start[r][d] + w->count[r][d]));
        if (has)
            return r;
    }
    return -1;
}

/* Decompositions in which each rank fills some chunk; those of them whose chunks are dealt in turn. */
static int fillers, deprived;

static void check_owners(const struct world *w, const struct pcdf_chunk_owners *owners)
{
    int64_t chunk[DIMS], start[DIMS], count[DIMS];
    struct pcdf_cells_shape shape = { .chunk = chunk, .owners = owners };
    struct pcdf_cells cells;
    for (int d = 0; d < w->ndims; d++)
        chunk[d] = w->is_record && d == 0 ? 1
                   : draw(0, 1)           ? pcdf_larger(w->length[d] / w->parts[d], 1)
                                          : draw(1, w->length[d]);
    CHECK_INT(pcdf_cells_build(&cells, &w->meta, &shape, 8), NC_NOERR);
    const struct pcdf_cells_var *v = &cells.x[0];
    bool owns[MOST_RANKS] = { false }, fills[MOST_RANKS] = { false };
    int nowners = 0, nfillers = 0;
    for (int64_t k = 0; k < v->nchunks; k++) {
        (void)pcdf_cells_box(v, k, start, count);
        int rank = rank_of(w, start, count);
        int64_t owner = pcdf_cells_at(&cells, 0, k) / cells.cell % w->ranks;
        nowners += !owns[owner];
        owns[owner] = true;
        if (rank < 0)
            continue;
        nfillers += !fills[rank];
        fills[rank] = true;
        if (v->owners.ranks > 0)
            CHECK_INT(owner, rank);
    }
    fillers += nfillers == w->ranks;
    deprived += nfillers == w->ranks && v->owners.ranks == 0;
    CHECK(v->owners.ranks == 0 || 4 * nowners >= 3 * w->ranks, "%d of %d ranks own something", nowners,
          w->ranks);
    pcdf_cells_free(&cells);
}

static void one_regular(void)
{
    struct world w;
    draw_regular(&w);
    struct pcdf_chunk_owners owners = find(&w);
    bool has_all = true; /* else fewer ranks may do */
    for (int r = 0; r < w.ranks; r++)
        for (int d = 0; d < w.ndims; d++)
            has_all = has_all && w.count[r][d] > 0;
    if (has_all)
        CHECK(owners.ranks == (w.ranks > 1 ? w.ranks : 0), "%d ranks: %d found", w.ranks, owners.ranks);
    if (owners.ranks > 0)
        check_owners(&w, &owners);
    pcdf_meta_free(&w.meta);
}

/* ---- others */

/* Any boxes: whatever is found is a division of cells without a chunk that is lost (cells.h finds each). */
static void one_irregular(void)
{
    struct world w;
    draw_regular(&w);
    for (int i = (int)draw(1, 3); i > 0; i--) {
        int r = (int)draw(0, w.ranks - 1), d = (int)draw(0, w.ndims - 1);
        int64_t most = w.length[d] > 0 ? w.length[d] : 4;
        w.start[r][d] = draw(0, most - 1);
        w.count[r][d] = draw(0, most - w.start[r][d]);
    }
    struct pcdf_chunk_owners owners = find(&w);
    int64_t chunk[DIMS];
    struct pcdf_cells_shape shape = { .chunk = chunk, .owners = &owners };
    struct pcdf_cells cells;
    struct pcdf_cell_place place;
    for (int d = 0; d < w.ndims; d++)
        chunk[d] = draw(1, w.length[d] > 0 ? w.length[d] : 3);
    CHECK_INT(pcdf_cells_build(&cells, &w.meta, &shape, 8), NC_NOERR);
    for (int64_t k = 0; k < cells.x[0].nchunks; k++) {
        CHECK(pcdf_cells_find(&cells, pcdf_cells_at(&cells, 0, k), &place), "%" PRId64 " is nowhere", k);
        CHECK_INT(place.number, k);
    }
    pcdf_cells_free(&cells);
    pcdf_meta_free(&w.meta);
}

/* ---- by hand */

static struct pcdf_chunk_owners find_line(struct world *w, int ranks, int64_t length, const int64_t *starts,
                                          const int64_t *counts)
{
    *w = (struct world){ .ndims = 1, .ranks = ranks, .length = { length } };
    make_var(w);
    for (int r = 0; r < ranks; r++) {
        w->start[r][0] = starts[r];
        w->count[r][0] = counts[r];
    }
    struct pcdf_chunk_owners owners = find(w);
    pcdf_meta_free(&w->meta);
    return owners;
}

static void check_by_hand(void)
{
    static const struct {
        const char *what;
        int64_t length, starts[4], counts[4];
        int ranks;
        enum pcdf_border_rule rule;
    } rows[] = {
        { "equal blocks", 40, { 0, 10, 20, 30 }, { 10, 10, 10, 10 }, 4, PCDF_BORDERS_LENGTH },
        { "a short last one", 37, { 0, 10, 20, 30 }, { 10, 10, 10, 7 }, 4, PCDF_BORDERS_LENGTH },
        { "a long last one", 43, { 0, 10, 20, 30 }, { 10, 10, 10, 13 }, 4, PCDF_BORDERS_REST },
        { "longer ones first", 42, { 0, 11, 22, 32 }, { 11, 11, 10, 10 }, 4, PCDF_BORDERS_EVEN },
        { "spread", 42, { 0, 10, 21, 31 }, { 10, 11, 10, 11 }, 4, PCDF_BORDERS_SPREAD },
        { "a plane each, more follow", 40, { 0, 1, 2, 3 }, { 1, 1, 1, 1 }, 4, PCDF_BORDERS_LENGTH },
        { "the first plane of each", 40, { 0, 10, 20, 30 }, { 1, 1, 1, 1 }, 4, PCDF_BORDERS_LENGTH },
        { "one rank alone", 40, { 0, 0, 0, 0 }, { 40, 0, 0, 0 }, 0, PCDF_BORDERS_LENGTH },
        { "two of four", 40, { 0, 20, 0, 0 }, { 20, 20, 0, 0 }, 0, PCDF_BORDERS_LENGTH },
        { "three of four", 30, { 0, 10, 20, 0 }, { 10, 10, 10, 0 }, 4, PCDF_BORDERS_LENGTH },
        { "not from the begin", 40, { 2, 10, 20, 30 }, { 8, 10, 10, 10 }, 0, PCDF_BORDERS_LENGTH },
        { "all the same", 40, { 0, 0, 0, 0 }, { 40, 40, 40, 40 }, 0, PCDF_BORDERS_LENGTH },
        { "with halos", 40, { 0, 9, 19, 29 }, { 11, 12, 12, 11 }, 0, PCDF_BORDERS_LENGTH },
        { "in another order", 40, { 10, 0, 30, 20 }, { 10, 10, 10, 10 }, 0, PCDF_BORDERS_LENGTH },
        { "too long", INT64_C(1) << 40, { 0, 10, 20, 30 }, { 10, 10, 10, 10 }, 0, PCDF_BORDERS_LENGTH },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct world w;
        struct pcdf_chunk_owners o = find_line(&w, 4, rows[i].length, rows[i].starts, rows[i].counts);
        CHECK(o.ranks == rows[i].ranks, "%s: %d owners", rows[i].what, o.ranks);
        CHECK(o.ranks == 0 || (o.n == 1 && o.x[0].rule == rows[i].rule), "%s: rule %d", rows[i].what,
              o.x[0].rule);
    }
}

int main(void)
{
    for (int i = 0; i < 20000; i++) {
        one_regular();
        one_irregular();
    }
    CHECK(fillers > 1000 && deprived * 100 < fillers, "%d of %d: cells of others", deprived, fillers);
    check_by_hand();
    return check_done("chunk_owners");
}
