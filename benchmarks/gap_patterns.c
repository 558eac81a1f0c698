/* Two patterns that leave gaps: bytes between those of a call that nobody writes. Some variables are filled
 * by enddef, so a library that writes whole ranges has to write the fill values back; the others are new, and
 * lie behind the end of the file. After the get, every value of a gap in a filled variable is compared. */

#include <stdlib.h>
#include <string.h>
#include <pnetcdf.h>
#include "patterns.h"

/* Fill values are written where nobody writes values. */
static void want_filled(struct bench *b, int varid)
{
    pattern_check(ncmpi_def_var_fill(b->ncid, varid, 0, NULL), "fill values of");
}

/* ---- sparse: what a land model writes, whose columns stand on land alone. 40 variables, pieces of 2 to 8
 * doubles. The space is a row of rounds of three segments a rank; of three segments, two are ranks' pieces,
 * dealt round to the ranks, and one is nobody's. All variables are posted, then waited for. */

enum { SPARSE_VARS = 40, SPARSE_FILLED = 4, SPARSE_ROUNDS = 2048, SHORTEST = 2, LENGTHS = 7 };

static int64_t length_in(int64_t round)
{
    return SHORTEST + round * 5 % LENGTHS;
}

static int64_t sparse_rounds(const struct bench *b)
{
    return pattern_scaled(b, SPARSE_ROUNDS);
}

/* Whose the segment of a round is; -1: nobody's. */
static int owner_of(int64_t segment, int nranks)
{
    return segment % 3 == 2 ? -1 : (int)((segment / 3 * 2 + segment % 3) % nranks);
}

/* Values of one variable up to a round: of the whole space, or of one rank. */
static int64_t sparse_values(int64_t round, int64_t segments)
{
    int64_t n = 0;
    for (int64_t r = 0; r < round; r++)
        n += segments * length_in(r);
    return n;
}

static void define_sparse(struct bench *b)
{
    int64_t rounds = sparse_rounds(b);
    char name[16];
    int dim;
    pattern_check(ncmpi_def_dim(b->ncid, "gridcell", sparse_values(rounds, 3LL * b->nranks), &dim),
                  "dimension of");
    for (int v = 0; v < SPARSE_VARS; v++) {
        snprintf(name, sizeof name, "column%d", v);
        pattern_check(ncmpi_def_var(b->ncid, name, NC_DOUBLE, 1, &dim, &b->vars[v]), "variable of");
        if (v < SPARSE_FILLED)
            want_filled(b, b->vars[v]);
    }
    b->n = SPARSE_VARS * sparse_values(rounds, 2);
}

/* Every rank has two pieces a round. Their lengths are those of the rounds, so the counts point to them. */
static void make_sparse(struct bench *b, int rank)
{
    int64_t rounds = sparse_rounds(b), pieces = 0, at = 0;
    pattern_doubles(b, rank);
    if (!b->starts) {
        b->starts = bench_alloc(4 * (size_t)rounds, sizeof *b->starts);
        b->counts = b->starts + 2 * rounds;
        b->numbers = bench_alloc(3 * (size_t)rounds, sizeof *b->numbers);
    }
    MPI_Offset *lengths = b->numbers + 2 * rounds;
    for (int64_t r = 0; r < rounds; r++) {
        lengths[r] = length_in(r);
        for (int64_t segment = 0; segment < 3LL * b->nranks; segment++, at += length_in(r)) {
            if (owner_of(segment, b->nranks) != rank)
                continue;
            b->numbers[pieces] = at;
            b->starts[pieces] = &b->numbers[pieces];
            b->counts[pieces++] = &lengths[r];
        }
    }
}

static void move_sparse(struct bench *b, bool puts)
{
    int64_t n = b->n / SPARSE_VARS;
    int pieces = (int)(2 * sparse_rounds(b));
    for (int v = 0; v < SPARSE_VARS; v++) {
        double *at = (double *)(puts ? b->values : b->others) + v * n;
        pattern_check(
            puts ? ncmpi_iput_varn_double(b->ncid, b->vars[v], pieces, b->starts, b->counts, at, NULL)
                 : ncmpi_iget_varn_double(b->ncid, b->vars[v], pieces, b->starts, b->counts, at, NULL),
            "posting pieces of");
    }
    pattern_check(ncmpi_wait_all(b->ncid, NC_REQ_ALL, NULL, NULL), "waiting for pieces of");
}

static void put_sparse(struct bench *b)
{
    move_sparse(b, true);
}

static void get_sparse(struct bench *b)
{
    move_sparse(b, false);
}

static void check_sparse(struct bench *b)
{
    int64_t rounds = sparse_rounds(b), segments = 3LL * b->nranks;
    double *whole = bench_alloc((size_t)sparse_values(rounds, segments), sizeof *whole);
    for (int v = 0; v < SPARSE_FILLED; v++) {
        const double *at = whole;
        pattern_check(ncmpi_get_var_double_all(b->ncid, b->vars[v], whole), "reading the whole of");
        for (int64_t r = 0; r < rounds; r++)
            for (int64_t segment = 0; segment < segments; segment++)
                for (int64_t i = 0; i < length_in(r); i++, at++)
                    if (segment % 3 == 2 && *at != NC_FILL_DOUBLE)
                        bench_fail("pattern sparse: value %lld of variable %d is nobody's and was changed",
                                   (long long)(at - whole), v);
    }
    free(whole);
}

/* ---- strided: each rank puts every second float of its own part, into a filled variable and a new one */

enum { STRIDED_VARS = 2, STRIDED_FILLED = 1, STRIDE = 2, STRIDED = 1 << 17 };

static void define_strided(struct bench *b)
{
    static const char *const names[STRIDED_VARS] = { "filled", "new" };
    int64_t n = pattern_scaled(b, STRIDED);
    int dims[2];
    pattern_check(ncmpi_def_dim(b->ncid, "part", b->nranks, &dims[0]), "dimension of");
    pattern_check(ncmpi_def_dim(b->ncid, "x", STRIDE * n, &dims[1]), "dimension of");
    for (int v = 0; v < STRIDED_VARS; v++)
        pattern_check(ncmpi_def_var(b->ncid, names[v], NC_FLOAT, 2, dims, &b->vars[v]), "variable of");
    want_filled(b, b->vars[0]);
    b->n = STRIDED_VARS * n;
}

static void move_strided(struct bench *b, bool puts)
{
    int64_t n = b->n / STRIDED_VARS;
    const MPI_Offset start[2] = { puts ? b->rank : b->peer, 0 }, count[2] = { 1, n },
                     stride[2] = { 1, STRIDE };
    for (int v = 0; v < STRIDED_VARS; v++) {
        float *at = (float *)(puts ? b->values : b->others) + v * n;
        pattern_check(puts ? ncmpi_put_vars_float_all(b->ncid, b->vars[v], start, count, stride, at)
                           : ncmpi_get_vars_float_all(b->ncid, b->vars[v], start, count, stride, at),
                      "moving every second value of");
    }
}

static void put_strided(struct bench *b)
{
    move_strided(b, true);
}

static void get_strided(struct bench *b)
{
    move_strided(b, false);
}

static void check_strided(struct bench *b)
{
    int64_t n = STRIDE * b->n / STRIDED_VARS;
    const MPI_Offset start[2] = { b->peer, 0 }, count[2] = { 1, n };
    float *part = bench_alloc((size_t)n, sizeof *part);
    for (int v = 0; v < STRIDED_FILLED; v++) {
        pattern_check(ncmpi_get_vara_float_all(b->ncid, b->vars[v], start, count, part),
                      "reading the whole of");
        for (int64_t i = 0; i < n; i++)
            if (i % STRIDE && part[i] != NC_FILL_FLOAT)
                bench_fail("pattern strided: value %lld of variable %d is nobody's and was changed",
                           (long long)i, v);
    }
    free(part);
}

const struct pattern gap_patterns[] = {
    { "sparse", define_sparse, make_sparse, put_sparse, get_sparse, 8, check_sparse },
    { "strided", define_strided, pattern_floats, put_strided, get_strided, 4, check_strided },
    { .name = NULL },
};
