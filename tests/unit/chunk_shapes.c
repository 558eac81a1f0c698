/* Chunk shapes by who writes (chunkshape.h). Thousands of decompositions, regular ones, balanced ones, lists:
 * shapes are valid and within the limits, chunks of regular blocks belong to one rank, joined ones have whole
 * blocks. Then cases of models by hand, and the E3SM decomposition maps, where they are. */
#include "check.h"
#include "draw.h"
#include "chunkshape.h"
#include "decode.h"
#include "grid.h"
#include "layout.h"
#include "value.h"
#include "numbers.h"
#include "status.h"

#include <stdlib.h>

enum { DIMS = 4, MOST_RANKS = 600 };

/* A length of any size up to 2^bits. */
static int64_t draw_length(int bits)
{
    return draw(1, INT64_C(1) << draw(draw(0, 1) ? 0 : bits - bits / 4, bits));
}

/* ---- a variable */

struct world {
    struct pcdf_meta meta;
    struct pcdf_chunk_limits limits;
    struct pcdf_chunk_deal deal; /* what all ranks agreed on */
    int ndims;
    bool is_record;
    int64_t length[DIMS], shape[DIMS], xsize, bytes; /* length of records 0; bytes of a chunk */
};

static void make_var(struct world *w, nc_type type, int ndims, const int64_t *length)
{
    int dimids[DIMS];
    char name[8];
    pcdf_meta_init(&w->meta, PCDF_CDF5);
    for (int d = 0; d < ndims; d++) {
        snprintf(name, sizeof name, "d%d", d);
        CHECK_INT(pcdf_meta_add_dim(&w->meta, name, length[d], &dimids[d]), NC_NOERR);
        w->length[d] = length[d];
    }
    CHECK_INT(pcdf_meta_add_var(&w->meta, "v", type, ndims, dimids, NULL), NC_NOERR);
    w->ndims = ndims;
    w->is_record = ndims > 0 && length[0] == 0;
    w->xsize = pcdf_type_size(type);
    w->limits = (struct pcdf_chunk_limits){ PCDF_CHUNK_LEAST, PCDF_CHUNK_MOST, 0 };
    pcdf_chunk_deal_begin(&w->deal, &w->meta, 0);
    pcdf_chunk_deal_finish(&w->deal);
}

/* As MPI_MAX over the ranks does. */
static void agree(struct world *w, struct pcdf_chunk_deal *mine)
{
    pcdf_chunk_deal_finish(mine);
    for (int i = 0; i < mine->n; i++)
        w->deal.numbers[i] = pcdf_larger(w->deal.numbers[i], mine->numbers[i]);
    pcdf_chunk_deal_begin(mine, &w->meta, 0);
}

static void choose(struct world *w)
{
    int64_t ncells;
    CHECK_INT(pcdf_chunk_shape(&w->meta, 0, &w->deal, &w->limits, w->shape), NC_NOERR);
    CHECK_INT(pcdf_cells_needed(&w->meta, 0, w->shape, &ncells, &w->bytes), NC_NOERR);
    CHECK(ncells <= INT32_MAX, "%" PRId64 " chunks", ncells);
}

static bool is_whole_record(const struct world *w)
{
    for (int d = w->is_record; d < w->ndims; d++)
        if (w->shape[d] < w->length[d])
            return false;
    return true;
}

/* Size within the limits; records of more than 4 KiB have chunks of their own. */
static void check_size(const struct world *w, const char *what)
{
    int64_t record = w->xsize;
    CHECK(w->bytes <= w->limits.most, "%s: %" PRId64 " bytes", what, w->bytes);
    CHECK(w->bytes >= w->limits.least || is_whole_record(w), "%s: only %" PRId64 " bytes", what, w->bytes);
    for (int d = w->is_record; d < w->ndims; d++)
        record *= w->length[d];
    if (w->is_record && record >= 4096)
        CHECK_INT(w->shape[0], 1);
}

static void check_shape(const struct world *w, const char *what, const int64_t *want)
{
    for (int d = 0; d < w->ndims; d++)
        CHECK(w->shape[d] == want[d], "%s, dimension %d: %" PRId64 ", not %" PRId64, what, d, w->shape[d],
              want[d]);
}

/* ---- decompositions */

static void draw_var(struct world *w, int bits)
{
    static const nc_type types[] = { NC_BYTE, NC_SHORT, NC_FLOAT, NC_DOUBLE };
    int64_t length[DIMS];
    int ndims = (int)draw(1, DIMS);
    bool is_record = draw(0, 1);
    for (int d = 0; d < ndims; d++)
        length[d] = is_record && d == 0 ? 0 : draw_length(bits / ndims);
    make_var(w, types[draw(0, 3)], ndims, length);
}

/* Does a single cut of the block, with slower dimensions of length 1, give a chunk within the limits? */
static bool can_be_cut(const struct world *w, const int64_t *block)
{
    for (int d = w->is_record; d < w->ndims; d++) {
        int64_t inner = w->xsize;
        for (int e = d + 1; e < w->ndims; e++)
            inner *= block[e];
        for (int64_t parts = 1; parts <= block[d] && parts <= 1 << 12; parts++) {
            int64_t part = (block[d] - 1) / parts + 1;
            if ((block[d] % parts == 0 || block[d] == w->length[d]) && inner * part <= w->limits.most &&
                inner * part >= w->limits.least)
                return true;
        }
    }
    return false;
}

/* Chunks of blocks of one length, of which the last of a dimension may be shorter. */
static bool check_blocks(const struct world *w, const int64_t *block)
{
    int64_t bytes = w->xsize;
    bool alone = true, is_joined = true;
    for (int d = w->is_record; d < w->ndims; d++) {
        bytes *= block[d];
        alone = alone && (block[d] % w->shape[d] == 0 || block[d] == w->length[d]);
        is_joined = is_joined && (w->shape[d] % block[d] == 0 || w->shape[d] == w->length[d]);
    }
    if (bytes < w->limits.least)
        CHECK(is_joined, "a block of %" PRId64 " bytes lies in several chunks", bytes);
    else if (bytes <= w->limits.most || can_be_cut(w, block))
        CHECK(alone, "a chunk has to do with several blocks of %" PRId64 " bytes", bytes);
    if (bytes >= w->limits.least && bytes <= w->limits.most)
        CHECK_INT(w->bytes, bytes);
    return bytes > w->limits.most && !alone;
}

/* All ranks of a grid; `first[d][i]` is where block i begins. */
static void put_grid(struct world *w, const int64_t *n, int64_t (*first)[MOST_RANKS + 1], int64_t records)
{
    struct pcdf_chunk_deal mine;
    int64_t at[DIMS] = { 0 }, start[DIMS], count[DIMS];
    int d;
    pcdf_chunk_deal_begin(&mine, &w->meta, 0);
    do {
        for (d = 0; d < w->ndims; d++) {
            start[d] = w->is_record && d == 0 ? 7 : first[d][at[d]];
            count[d] = w->is_record && d == 0 ? records : first[d][at[d] + 1] - start[d];
        }
        if (draw(0, 3) && count[w->ndims - 1] > 1) { /* in two pieces, which are one block */
            int64_t one = draw(1, count[w->ndims - 1] - 1);
            int64_t half[DIMS], second[DIMS];
            memcpy(half, count, sizeof half);
            memcpy(second, start, sizeof second);
            half[w->ndims - 1] = one;
            pcdf_chunk_deal_add(&mine, start, half, NULL);
            second[w->ndims - 1] += one;
            half[w->ndims - 1] = count[w->ndims - 1] - one;
            pcdf_chunk_deal_add(&mine, second, half, NULL);
        } else {
            pcdf_chunk_deal_add(&mine, start, count, NULL);
        }
        agree(w, &mine);
        for (d = w->ndims - 1; d >= 0 && ++at[d] == n[d]; d--)
            at[d] = 0;
    } while (d >= 0);
}

static void check_regular(void)
{
    static int64_t first[DIMS][MOST_RANKS + 1];
    int crossing = 0, split = 0;
    for (int round = 0; round < 6000; round++) {
        struct world w = { .ndims = 0 };
        int64_t block[DIMS] = { 1, 1, 1, 1 }, n[DIMS] = { 1, 1, 1, 1 }, all = 1, bytes;
        draw_var(&w, (int)draw(10, 52));
        for (int d = w.is_record; d < w.ndims; d++) {
            int64_t ranks = pcdf_smaller(draw(1, draw(1, MOST_RANKS / all)), w.length[d]);
            block[d] = (w.length[d] - 1) / ranks + 1;
            n[d] = (w.length[d] - 1) / block[d] + 1;
            all *= n[d];
            for (int64_t i = 0; i <= n[d]; i++)
                first[d][i] = pcdf_smaller(i * block[d], w.length[d]);
        }
        put_grid(&w, n, first, draw(0, 3) ? 1 : draw(1, 9));
        choose(&w);
        check_size(&w, "regular");
        crossing += check_blocks(&w, block);
        bytes = w.xsize;
        for (int d = 0; d < w.ndims; d++)
            bytes *= block[d];
        split += bytes > w.limits.most;
        pcdf_meta_free(&w.meta);
    }
    CHECK(split > 300, "only %d blocks were split", split);
    CHECK(crossing < split / 5, "chunks cross the borders of blocks in %d of %d decompositions", crossing,
          split);
}

/* Lengths that the ranks do not divide, spread over them: blocks differ by one. A block lies in few chunks.
 */
static void check_balanced(void)
{
    static int64_t first[DIMS][MOST_RANKS + 1];
    for (int round = 0; round < 3000; round++) {
        struct world w = { .ndims = 0 };
        int64_t n[DIMS] = { 1, 1, 1, 1 }, all = 1, bytes;
        draw_var(&w, (int)draw(4, 40));
        bytes = w.xsize;
        for (int d = w.is_record; d < w.ndims; d++) {
            n[d] = pcdf_smaller(draw(1, MOST_RANKS / all), w.length[d]);
            all *= n[d];
            for (int64_t i = 0; i <= n[d]; i++)
                first[d][i] = w.length[d] / n[d] * i + pcdf_smaller(i, w.length[d] % n[d]);
            bytes *= (w.length[d] - 1) / n[d] + 1;
        }
        put_grid(&w, n, first, 1);
        choose(&w);
        check_size(&w, "balanced");
        for (int d = w.is_record; d < w.ndims && bytes <= w.limits.most; d++)
            for (int64_t i = 0; i < n[d]; i++)
                CHECK((first[d][i + 1] - 1) / w.shape[d] - first[d][i] / w.shape[d] <= 1,
                      "a block lies in three chunks along dimension %d", d);
        pcdf_meta_free(&w.meta);
    }
}

/* Anything: lists with strides, limits of any size. */
static void check_any(void)
{
    for (int round = 0; round < 6000; round++) {
        struct world w = { .ndims = 0 };
        struct pcdf_chunk_deal mine;
        int64_t start[DIMS], count[DIMS], stride[DIMS];
        draw_var(&w, (int)draw(2, draw(0, 9) ? 40 : 62));
        int ranks = (int)draw(0, 5);
        pcdf_chunk_deal_begin(&mine, &w.meta, 0);
        for (int rank = 0; rank < ranks; rank++) {
            for (int64_t slabs = draw(0, 4); slabs > 0; slabs--) {
                for (int d = 0; d < w.ndims; d++) {
                    int64_t length = w.length[d] ? w.length[d] : draw_length(40);
                    start[d] = draw(0, length - 1);
                    count[d] = draw(0, length - start[d]);
                    stride[d] = draw(1, 3);
                    count[d] = draw(0, 2) ? count[d] : pcdf_smaller(count[d], draw(0, 3));
                    if (count[d] > 0 && start[d] + (count[d] - 1) * stride[d] >= length)
                        stride[d] = 1;
                }
                pcdf_chunk_deal_add(&mine, start, count, draw(0, 1) ? stride : NULL);
            }
            agree(&w, &mine);
        }
        w.limits.least = draw(0, 1) ? PCDF_CHUNK_LEAST : draw_length(24);
        w.limits.most = pcdf_larger(8, 4 * w.limits.least * draw(1, 9));
        w.limits.ranks = ranks;
        choose(&w);
        int64_t all = w.xsize;
        for (int d = w.is_record; d < w.ndims; d++)
            all = pcdf_product(all, w.length[d]);
        if (all / w.limits.least < INT32_MAX) /* else there may be too many chunks */
            check_size(&w, "any");
        for (int d = 0; d < w.ndims; d++)
            CHECK(w.shape[d] >= 1 && (w.length[d] == 0 || w.shape[d] <= w.length[d]), "%" PRId64, w.shape[d]);
        pcdf_meta_free(&w.meta);
    }
}

/* ---- by hand */

struct blocks { /* one hyperslab of each rank */
    int64_t start[DIMS], count[DIMS];
};

static void check_case(const char *what, int ndims, const int64_t *length, const struct blocks *x, int n,
                       const int64_t *want)
{
    struct world w = { .ndims = 0 };
    struct pcdf_chunk_deal mine;
    make_var(&w, NC_DOUBLE, ndims, length);
    w.limits.ranks = n;
    pcdf_chunk_deal_begin(&mine, &w.meta, 0);
    for (int i = 0; i < n; i++) {
        pcdf_chunk_deal_add(&mine, x[i].start, x[i].count, NULL);
        agree(&w, &mine);
    }
    choose(&w);
    check_shape(&w, what, want);
    pcdf_meta_free(&w.meta);
}

#define N(x)   (int)(sizeof(x) / sizeof *(x))
#define A(...) ((const int64_t[]){ __VA_ARGS__ })

static void check_models(void)
{
    const struct blocks levels[] = { { { 3, 0, 0, 0 }, { 1, 1, 100, 200 } },
                                     { { 3, 0, 0, 200 }, { 1, 1, 100, 200 } },
                                     { { 3, 0, 100, 0 }, { 1, 1, 100, 200 } },
                                     { { 3, 0, 100, 200 }, { 1, 1, 100, 200 } } };
    const struct blocks columns[] = { { { 0, 0 }, { 100000, 3000 } }, { { 0, 3000 }, { 100000, 3000 } } };
    const struct blocks rows[] = { { { 0, 0 }, { 2, 4000 } },
                                   { { 2, 0 }, { 2, 4000 } },
                                   { { 4, 0 }, { 2, 4000 } } };
    const struct blocks members[] = { { { 0, 0 }, { 1, 100000 } }, { { 1, 0 }, { 1, 100000 } } };
    const struct blocks prime[] = { { { 0, 0 }, { 1009, 7507 } }, { { 1009, 0 }, { 1009, 7507 } } };
    const struct blocks primes[] = { { { 0, 0 }, { 1009, 7507 } }, { { 1009, 7507 }, { 1009, 7507 } } };
    const struct blocks uneven[] = { { { 0, 0 }, { 400, 1000 } }, { { 400, 0 }, { 500, 1000 } } };
    const struct blocks step[] = { { { 5 }, { 1 } } },
                        steps[] = { { { 0 }, { 1 << 20 } }, { { 1 << 20 }, { 1 << 20 } } };
    check_case("levels one after the other: two of the same rank", 4, A(0, 60, 200, 400), levels, N(levels),
               A(1, 2, 100, 200));
    check_case("columns are split along the rows", 2, A(100000, 6000), columns, N(columns), A(695, 3000));
    check_case("a few rows of each rank are joined", 2, A(1000, 4000), rows, N(rows), A(10, 4000));
    check_case("each rank has a record", 2, A(0, 100000), members, N(members), A(1, 100000));
    check_case("a prime number of rows: whole rows are cut", 2, A(2018, 7507), prime, N(prime),
               A(1009, 1877));
    check_case("prime lengths are cut all the same", 2, A(2018, 15014), primes, N(primes), A(253, 7507));
    check_case("a longer block at the end", 2, A(900, 1000), uneven, N(uneven), A(400, 1000));
    check_case("small records share a chunk", 1, A(0), step, N(step), A(512));
    check_case("many small records of each rank", 1, A(0), steps, N(steps), A(1 << 20));
    check_case("small records of two values", 2, A(0, 2), step, N(step), A(256, 2));
    check_case("nobody knows yet: a slab", 3, A(0, 700, 1000), NULL, 0, A(1, 350, 1000));
    check_case("nobody knows yet: all of a small one", 2, A(70, 1000), NULL, 0, A(70, 1000));
}

/* Two ranks with two pieces each. */
static void check_lists(void)
{
    static const int64_t cycle[] = { 0, 1 << 17, 1 << 18, 3 << 17, 1 << 19 };
    static const int64_t odd[] = { 0, 130000, 250003, 400000, 1 << 19 };
    for (int is_odd = 0; is_odd <= 1; is_odd++) {
        const int64_t *x = is_odd ? odd : cycle;
        struct world w = { .ndims = 0 };
        struct pcdf_chunk_deal mine;
        make_var(&w, NC_DOUBLE, 1, A(1 << 19));
        w.limits.ranks = 2;
        pcdf_chunk_deal_begin(&mine, &w.meta, 0);
        for (int rank = 0; rank < 2; rank++) {
            pcdf_chunk_deal_add(&mine, &x[rank], A(x[rank + 1] - x[rank]), NULL);
            pcdf_chunk_deal_add(&mine, &x[rank + 2], A(x[rank + 3] - x[rank + 2]), NULL);
            agree(&w, &mine);
        }
        w.limits.least = is_odd ? 1 << 16 : w.limits.least;
        choose(&w);
        check_shape(&w, is_odd ? "scattered" : "blocks in a cycle", A(1 << 17));
        w.limits.ranks = 16;
        choose(&w);
        check_shape(&w, "of many ranks", A(is_odd ? 1 << 15 : 1 << 17));
        pcdf_meta_free(&w.meta);
    }
}

static void check_refused(void)
{
    struct world w = { .ndims = 0 };
    int dimids[PCDF_CHUNK_DIMS + 1] = { 0 };
    int64_t shape[PCDF_CHUNK_DIMS + 1] = { 0 };
    make_var(&w, NC_INT, 0, NULL);
    CHECK_INT(pcdf_chunk_shape(&w.meta, 0, NULL, &w.limits, shape), NC_EBADCHUNK);
    CHECK_INT(pcdf_meta_add_dim(&w.meta, "two", 2, NULL), NC_NOERR);
    CHECK_INT(pcdf_meta_add_var(&w.meta, "deep", NC_INT, PCDF_CHUNK_DIMS + 1, dimids, NULL), NC_NOERR);
    pcdf_chunk_deal_begin(&w.deal, &w.meta, 1);
    pcdf_chunk_deal_add(&w.deal, shape, shape, NULL);
    pcdf_chunk_deal_finish(&w.deal);
    CHECK_INT(pcdf_chunk_shape(&w.meta, 1, &w.deal, &w.limits, shape), NC_EMAXDIMS);
    pcdf_meta_free(&w.meta);
}

/* ---- the E3SM decomposition maps */

static unsigned char *read_map(const char *folder, const char *name, int64_t *n)
{
    char path[512];
    snprintf(path, sizeof path, "%s/e3sm/%s", folder, name);
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    CHECK_INT(fseek(f, 0, SEEK_END), 0);
    *n = ftell(f);
    rewind(f);
    unsigned char *bytes = malloc((size_t)*n);
    CHECK_INT((int64_t)fread(bytes, 1, (size_t)*n, f), *n);
    fclose(f);
    return bytes;
}

struct map {
    const unsigned char *bytes;
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    int number; /* the decomposition's */
};

/* Value i of a variable of the decomposition; all are NC_INT. */
static int64_t of_map(const struct map *m, const char *what, int64_t i)
{
    char name[32];
    snprintf(name, sizeof name, "D%d.%s", m->number, what);
    int varid = pcdf_meta_find_var(&m->meta, name);
    CHECK(varid >= 0, "the map has no %s", name);
    return pcdf_value_load(NC_INT, m->bytes + m->layout.begin[varid] + 4 * i).is.integer;
}

/* The requests of a rank, cut into rows. */
static void add_requests(const struct map *m, struct world *w, struct pcdf_chunk_deal *mine, int64_t from,
                         int64_t n)
{
    int64_t row = w->length[w->ndims - 1], start[DIMS], count[DIMS] = { 1, 1, 1, 1 };
    for (int64_t i = from; i < from + n; i++) {
        int64_t at = of_map(m, "offsets", i), end = at + of_map(m, "lengths", i);
        for (; at < end; at += count[w->ndims - 1]) {
            pcdf_grid_index(w->ndims, w->length, at, start);
            count[w->ndims - 1] = pcdf_smaller(end - at, row - at % row);
            pcdf_chunk_deal_add(mine, start, count, NULL);
        }
    }
    agree(w, mine);
}

static void check_decomposition(const struct map *m)
{
    char name[32];
    int64_t length[DIMS];
    struct pcdf_chunk_deal mine;
    struct world w = { .ndims = 0 };
    snprintf(name, sizeof name, "D%d.dims", m->number);
    const struct pcdf_att *att = &m->meta.gatts.x[pcdf_atts_find(&m->meta.gatts, name)];
    for (int d = 0; d < att->nelems; d++)
        length[d] = pcdf_value_load(NC_INT, att->values + 4 * d).is.integer;
    make_var(&w, NC_DOUBLE, (int)att->nelems, length);
    pcdf_chunk_deal_begin(&mine, &w.meta, 0);
    for (int64_t rank = 0, from = 0; rank < 16; from += of_map(m, "nreqs", rank++))
        add_requests(m, &w, &mine, from, of_map(m, "nreqs", rank));
    choose(&w);
    check_size(&w, name);
    w.limits = (struct pcdf_chunk_limits){ 1024, 1 << 16, 16 }; /* as if the grid were larger */
    choose(&w);
    check_size(&w, name);
    int64_t share = pcdf_larger(1024, w.xsize * pcdf_grid_count(w.ndims, length) / 16);
    CHECK(w.bytes <= 2 * share, "%s: chunks of %" PRId64 " bytes are too few for 16 ranks", name, w.bytes);
    pcdf_meta_free(&w.meta);
}

static void check_maps(const char *folder)
{
    static const struct {
        const char *name;
        int decompositions;
    } maps[] = { { "map_f_case_16p.nc", 3 }, { "map_g_case_16p.nc", 6 }, { "map_i_case_16p.nc", 5 } };
    for (int i = 0; i < N(maps); i++) {
        int64_t n, need;
        struct map m;
        struct pcdf_fault fault;
        unsigned char *bytes = read_map(folder, maps[i].name, &n);
        if (!bytes) {
            printf("left out: %s\n", maps[i].name);
            continue;
        }
        m.bytes = bytes;
        CHECK_INT(pcdf_decode(NULL, bytes, (size_t)n, n, &need, &m.meta, &m.layout, &fault), NC_NOERR);
        for (m.number = 1; m.number <= maps[i].decompositions; m.number++)
            check_decomposition(&m);
        pcdf_meta_free(&m.meta);
        pcdf_layout_free(&m.layout);
        free(bytes);
    }
}

int main(int argc, char **argv)
{
    draw_seed = 11;
    check_models();
    check_lists();
    check_refused();
    check_regular();
    check_balanced();
    check_any();
    check_maps(argc > 1 ? argv[1] : "../shared/data");
    return check_done("chunk_shapes");
}
