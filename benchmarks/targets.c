/* What the targets of a striped file system see of collective puts: how many writers each has, how often
 * locks move, how many targets are busy at once, how large the calls are. By the model of
 * tests/support/stripemodel.h, and for the file domains of mpiio/domains.h beside equal stretches, which is
 * what they are where the number of stripes is not known.
 *
 * Plans: the puts of any number of ranks, replayed without data by one process. On several ranks: the library
 * writes 3-D blocks for real, on pretended nodes (PARCDF_NODES); each value is read back by another rank and
 * compared. */

#include <pnetcdf.h>
#include <stdlib.h>
#include <string.h>
#include "bench.h"
#include "domains.h"
#include "stripedstorage.h"
#include "stripemodel.h"

enum { PER_NODE = 36, NODE_MOST = 16, CALLS = 4, DIMS = 3 };
static const int64_t MIB = 1 << 20;

static struct {
    int64_t targets, stripe_kib, exchange_kib, side;
    const char *dir, *map;
    bool check;
} options = { 8, 256, 1024, 96, ".", NULL, false };

static int wrong; /* limits that did not hold */

static void expect(bool holds, const char *what, const char *of)
{
    if (options.check && !holds) {
        fprintf(stderr, "targets: %s: %s\n", of, what);
        wrong = 1;
    }
}

/* ---- a table, a row for each way */

static void head(const char *title)
{
    printf("\n%s\n\n| %-28s | %11s | %14s | %14s | %14s | %16s | %16s | %10s | %9s |\n", title, "way",
           "aggregators", "writers/target", "clients/target", "targets/writer", "targets busy",
           "lock transfers", "calls", "mean KiB");
    printf("|---|---|---|---|---|---|---|---|---|\n");
}

static void row(const char *way, const struct stripemodel_figures *f, int targets)
{
    char busy[32];
    snprintf(busy, sizeof busy, "%.1f of %d", f->busy, targets);
    printf("| %-28s | %11d | %14d | %14d | %14d | %16s | %16lld | %10lld | %9.1f |\n", way, f->active,
           f->writers, f->clients, f->targets, busy, (long long)f->transfers, (long long)f->calls,
           f->calls ? (double)f->bytes / 1024 / (double)f->calls : 0.0);
}

/* What the rule of doc/parallel-file-systems.md promises. calls: so many collective puts, each somewhere
 * else. */
static void expect_dealt(const struct stripemodel_figures *f, int targets, int aggregators, int calls,
                         const char *of)
{
    int most = aggregators < targets ? 1 : aggregators / targets,
        can = targets < aggregators ? targets : aggregators;
    most = most < PCDF_DOMAINS_WRITERS ? most : PCDF_DOMAINS_WRITERS;
    expect(f->writers <= most, "a target has more writers than there are groups", of);
    expect(f->targets <= (targets + aggregators - 1) / aggregators, "an aggregator has too many targets", of);
    expect(f->busy >= 0.9 * can, "targets lie idle", of);
    expect(f->transfers <= (int64_t)2 * calls * targets * (most - 1), "locks move to and fro", of);
}

/* ---- plans */

struct runs { /* of bytes that somebody has, in a tile that is repeated; n 0: all */
    int64_t *begin, *end;
    int64_t n, tile;
};

struct plan {
    const char *name;
    int64_t ranks, bytes, begin; /* bytes a rank and call; where the first call begins */
    int targets;
    int64_t stripe, window;
    struct runs runs;
};

/* What a block has: one call a run. */
static void put_runs(struct stripemodel *m, const struct runs *runs, int writer, int client, int64_t from,
                     int64_t to)
{
    if (runs->n == 0) {
        stripemodel_put(m, writer, client, from, to - from);
        return;
    }
    for (int64_t tile = from / runs->tile * runs->tile; tile < to; tile += runs->tile)
        for (int64_t i = 0; i < runs->n; i++) {
            int64_t begin = tile + runs->begin[i], end = tile + runs->end[i];
            begin = begin > from ? begin : from;
            end = end < to ? end : to;
            if (begin < end)
                stripemodel_put(m, writer, client, begin, end - begin);
        }
}

/* One call by the domains, all in lockstep. Aggregators are shared out to the nodes. */
static void put_domains(struct stripemodel *m, const struct plan *p, const struct pcdf_domains *d,
                        int aggregators, int nodes)
{
    for (int64_t round = 0; round < pcdf_domains_rounds(d); round++) {
        for (int o = 0; o < d->n; o++)
            for (int64_t i = 0; i < d->blocks; i++) {
                int64_t to, from = pcdf_domains_block(d, o, round, i, &to);
                if (from == INT64_MAX || to <= d->begin)
                    continue;
                from = from > d->begin ? from : d->begin;
                to = to < d->end ? to : d->end;
                put_runs(m, &p->runs, o, (int)((int64_t)o * nodes / aggregators), from, to);
            }
        stripemodel_step(m);
    }
}

/* One call in which each rank writes its own stretch, a window at a time. */
static void put_alone(struct stripemodel *m, const struct plan *p, int64_t begin, int nodes)
{
    for (int64_t at = 0; at < p->bytes; at += p->window) {
        int64_t bytes = p->window < p->bytes - at ? p->window : p->bytes - at;
        for (int64_t rank = 0; rank < p->ranks; rank++)
            put_runs(m, &p->runs, (int)rank, (int)(rank * nodes / p->ranks), begin + rank * p->bytes + at,
                     begin + rank * p->bytes + at + bytes);
        stripemodel_step(m);
    }
}

static int aggregators_of(int64_t ranks, int nodes)
{
    int64_t here = (ranks + nodes - 1) / nodes, most = (here + 7) / 8;
    most = most < 4 ? 4 : most > NODE_MOST ? NODE_MOST : most;
    return (int)((most < here ? most : here) * nodes);
}

static void replay(const struct plan *p)
{
    static const char *const ways[] = { "each rank its own stretch", "equal stretches", "stripes dealt" };
    int nodes = (int)((p->ranks + PER_NODE - 1) / PER_NODE), aggregators = aggregators_of(p->ranks, nodes);
    char title[200];
    snprintf(title, sizeof title,
             "%s: %lld ranks on %d nodes, %d aggregators, %d targets, stripes of %lld KiB, %.1f GiB a call",
             p->name, (long long)p->ranks, nodes, aggregators, p->targets, (long long)p->stripe / 1024,
             (double)(p->ranks * p->bytes) / (double)(1024 * MIB));
    head(title);
    for (int way = options.check ? 2 : 0; way < 3; way++) { /* a check needs no comparison */
        struct stripemodel *m =
            stripemodel_make(p->stripe, p->targets, way ? aggregators : (int)p->ranks, nodes);
        for (int64_t call = 0; call < CALLS; call++) {
            int64_t begin = p->begin + call * p->ranks * p->bytes;
            const struct pcdf_domains_config config = { .begin = begin,
                                                        .end = begin + p->ranks * p->bytes,
                                                        .aggregators = aggregators,
                                                        .window = p->window,
                                                        .stripe = p->stripe,
                                                        .stripe_count = way == 2 ? p->targets : 0,
                                                        .writers = PCDF_DOMAINS_WRITERS };
            struct pcdf_domains d;
            pcdf_domains_make(&d, &config);
            if (way)
                put_domains(m, p, &d, aggregators, nodes);
            else
                put_alone(m, p, begin, nodes);
        }
        struct stripemodel_figures f = stripemodel_read(m);
        row(ways[way], &f, p->targets);
        if (way == 2)
            expect_dealt(&f, p->targets, aggregators, CALLS, p->name);
        stripemodel_free(m);
    }
}

static int by_begin(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int *read_ints(int ncid, const char *name, MPI_Offset *n)
{
    int id, dim;
    bench_check(ncmpi_inq_varid(ncid, name, &id), "finding", name);
    bench_check(ncmpi_inq_vardimid(ncid, id, &dim), "finding", name);
    bench_check(ncmpi_inq_dimlen(ncid, dim, n), "reading", name);
    int *x = bench_alloc((size_t)*n, sizeof *x);
    bench_check(ncmpi_get_var_int_all(ncid, id, x), "reading", name);
    return x;
}

/* The elements of E3SM's second decomposition that some rank has values for, as runs of floats. */
static bool read_runs(const char *path, struct runs *runs)
{
    int ncid;
    MPI_Offset n, nranks, at = 0;
    if (!path || ncmpi_open(MPI_COMM_SELF, path, NC_NOWRITE, MPI_INFO_NULL, &ncid) != NC_NOERR)
        return false;
    int *counts = read_ints(ncid, "D2.nreqs", &nranks), *fills = read_ints(ncid, "D2.fill_starts", &nranks);
    int *offsets = read_ints(ncid, "D2.offsets", &n), *lengths = read_ints(ncid, "D2.lengths", &n);
    bench_check(ncmpi_close(ncid), "closing", path);
    int64_t(*pairs)[2] = bench_alloc((size_t)n, sizeof *pairs), npairs = 0;
    for (MPI_Offset i = 0; i < nranks; at += counts[i++])
        for (MPI_Offset k = at; k < at + fills[i]; k++, npairs++) {
            pairs[npairs][0] = 4 * (int64_t)offsets[k];
            pairs[npairs][1] = pairs[npairs][0] + 4 * (int64_t)lengths[k];
        }
    qsort(pairs, (size_t)npairs, sizeof *pairs, by_begin);
    runs->begin = bench_alloc((size_t)n, sizeof *runs->begin);
    runs->end = bench_alloc((size_t)n, sizeof *runs->end);
    for (int64_t i = 0; i < npairs; i++)
        if (runs->n > 0 && pairs[i][0] <= runs->end[runs->n - 1]) {
            runs->end[runs->n - 1] = pairs[i][1];
        } else {
            runs->begin[runs->n] = pairs[i][0];
            runs->end[runs->n++] = pairs[i][1];
        }
    runs->tile = runs->n ? (runs->end[runs->n - 1] + 4095) / 4096 * 4096 : 1;
    free(pairs);
    free(offsets);
    free(lengths);
    free(counts);
    free(fills);
    return true;
}

static void plans(void)
{
    struct plan table[] = {
        { "dense, small", 64, 4 * MIB, 8192, 8, MIB, MIB, { 0 } },
        { "dense", 21600, 2 * MIB, 8192, 64, MIB, MIB, { 0 } },
        { "aligned to stripes", 21600, 20 * MIB, 0, 16, MIB, MIB, { 0 } },
        { "dense, stripes of 4 MiB", 21600, 3 * MIB + 1000, 8192, 48, 4 * MIB, MIB, { 0 } },
        { "dense", 100000, 2 * MIB + 8, 8192, 128, MIB, MIB, { 0 } },
        { "more targets than aggregators", 36, 64 * MIB, 8192, 64, MIB, MIB, { 0 } },
        { "E3SM I, each run a call", 21600, 1024, 0, 16, MIB, MIB, { 0 } },
    };
    size_t n = sizeof table / sizeof *table;
    bool has_map = read_runs(options.map, &table[n - 1].runs);
    for (size_t i = 0; i < n - !has_map; i++)
        replay(&table[i]);
    if (!has_map)
        printf("\nE3SM: skipped, no map (--map)\n");
    free(table[n - 1].runs.begin);
    free(table[n - 1].runs.end);
}

/* ---- for real */

static int rank, ranks;

static double value_at(int call, const MPI_Offset *at)
{
    return call + 1e-3 * (double)at[0] + 10 * (double)at[1] + 1e5 * (double)at[2];
}

/* This rank's block of a cube, `of` of them in each direction. */
static void block_of(int who, const int *of, MPI_Offset *start, MPI_Offset *count)
{
    for (int i = DIMS - 1; i >= 0; who /= of[i--]) {
        int at = who % of[i];
        start[i] = options.side * at / of[i];
        count[i] = options.side * (at + 1) / of[i] - start[i];
    }
}

/* Writes the values, or compares them. */
static void fill_block(double *values, int call, const MPI_Offset *start, const MPI_Offset *count,
                       bool compare)
{
    MPI_Offset at[DIMS], i = 0;
    for (at[0] = start[0]; at[0] < start[0] + count[0]; at[0]++)
        for (at[1] = start[1]; at[1] < start[1] + count[1]; at[1]++)
            for (at[2] = start[2]; at[2] < start[2] + count[2]; at[2]++, i++)
                if (!compare)
                    values[i] = value_at(call, at);
                else if (values[i] != value_at(call, at))
                    bench_fail("call %d: a value at %lld, %lld, %lld is %g", call, (long long)at[0],
                               (long long)at[1], (long long)at[2], values[i]);
}

static MPI_Info hints_of(bool dealt)
{
    MPI_Info info;
    char text[32];
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", "posix");
    MPI_Info_set(info, "pcdf_debug_strategy", "two-phase");
    MPI_Info_set(info, "pcdf_note_puts", "1");
    snprintf(text, sizeof text, "%lld", (long long)options.exchange_kib * 1024);
    MPI_Info_set(info, "pcdf_debug_exchange_size", text);
    snprintf(text, sizeof text, "%lld", (long long)options.stripe_kib * 1024);
    MPI_Info_set(info, "striping_unit", text);
    snprintf(text, sizeof text, "%lld", (long long)options.targets);
    if (dealt)
        MPI_Info_set(info, "striping_factor", text);
    return info;
}

static void write_and_read(const char *path, bool dealt)
{
    int ncid, dims[DIMS], vars[CALLS], of[DIMS] = { 0 };
    MPI_Offset start[DIMS], count[DIMS];
    MPI_Info info = hints_of(dealt);
    char name[] = "v0";
    double *values =
        bench_alloc((size_t)(options.side * options.side * options.side / ranks * 4 + 4096), sizeof *values);
    MPI_Dims_create(ranks, DIMS, of);
    bench_check(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), "creating",
                path);
    MPI_Info_free(&info);
    for (int i = 0; i < DIMS; i++) {
        char dim[] = { (char)('x' + i), '\0' };
        bench_check(ncmpi_def_dim(ncid, dim, options.side, &dims[i]), "defining", dim);
    }
    for (int i = 0; i < CALLS; i++) {
        name[1] = (char)('0' + i);
        bench_check(ncmpi_def_var(ncid, name, NC_DOUBLE, DIMS, dims, &vars[i]), "defining", name);
    }
    bench_check(ncmpi_enddef(ncid), "ending definitions of", path);
    block_of(rank, of, start, count);
    for (int i = 0; i < CALLS; i++) {
        fill_block(values, i, start, count, false);
        striped_next();
        bench_check(ncmpi_put_vara_double_all(ncid, vars[i], start, count, values), "writing", path);
    }
    block_of((rank + 1) % ranks, of, start, count);
    for (int i = 0; i < CALLS; i++) {
        bench_check(ncmpi_get_vara_double_all(ncid, vars[i], start, count, values), "reading", path);
        fill_block(values, i, start, count, true);
    }
    bench_check(ncmpi_close(ncid), "closing", path);
    free(values);
}

/* All ranks' puts at rank 0, those of rank r from first[r] on. */
static struct striped_put *gather_all(int *first)
{
    size_t n;
    const struct striped_put *mine = striped_puts(&n);
    int bytes = (int)(n * sizeof *mine), *lengths = bench_alloc((size_t)ranks, sizeof *lengths);
    struct striped_put *all = NULL;
    MPI_Gather(&bytes, 1, MPI_INT, lengths, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < ranks; i++)
        first[i + 1] = first[i] + lengths[i];
    if (rank == 0)
        all = bench_alloc((size_t)first[ranks] + 1, 1);
    MPI_Gatherv(mine, bytes, MPI_BYTE, all, lengths, first, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int i = 0; i <= ranks; i++)
        first[i] /= (int)sizeof *mine;
    free(lengths);
    return all;
}

/* The k-th puts of all writers of a call are at once. */
static struct stripemodel_figures look_at(const struct striped_put *puts, const int *first, int nodes)
{
    struct stripemodel *m = stripemodel_make(options.stripe_kib * 1024, (int)options.targets, ranks, nodes);
    int *next = bench_alloc((size_t)ranks, sizeof *next);
    memcpy(next, first, (size_t)ranks * sizeof *next);
    for (int call = 0; call < CALLS; call++)
        for (bool any = true; any;) {
            any = false;
            for (int r = 0; r < ranks; r++)
                if (next[r] < first[r + 1] && puts[next[r]].call == call) {
                    const struct striped_put *p = &puts[next[r]++];
                    stripemodel_put(m, r, (int)((int64_t)r * nodes / ranks), p->offset, p->bytes);
                    any = true;
                }
            stripemodel_step(m);
        }
    struct stripemodel_figures f = stripemodel_read(m);
    stripemodel_free(m);
    free(next);
    return f;
}

static void for_real(void)
{
    const char *text = getenv("PARCDF_NODES");
    int nodes = text ? atoi(text) : 1, *first = bench_alloc((size_t)ranks + 1, sizeof *first);
    char path[BENCH_PATH], title[200];
    nodes = nodes < 1 ? 1 : nodes > ranks ? ranks : nodes;
    bench_path(path, options.dir, "targets.nc");
    bench_remove_on_failure(path);
    snprintf(title, sizeof title,
             "3-D blocks for real: %d ranks on %d nodes, %lld targets, stripes of %lld KiB, %.1f MiB a call",
             ranks, nodes, (long long)options.targets, (long long)options.stripe_kib,
             (double)(options.side * options.side * options.side * 8) / (double)MIB);
    if (rank == 0)
        head(title);
    for (int dealt = 0; dealt < 2; dealt++) {
        striped_forget();
        memset(first, 0, ((size_t)ranks + 1) * sizeof *first);
        write_and_read(path, dealt);
        struct striped_put *puts = gather_all(first);
        if (rank > 0)
            continue;
        struct stripemodel_figures f = look_at(puts, first, nodes);
        row(dealt ? "stripes dealt" : "equal stretches", &f, (int)options.targets);
        if (dealt)
            expect_dealt(&f, (int)options.targets, f.active, CALLS, "for real");
        free(puts);
        remove(path);
    }
    free(first);
}

int main(int argc, char **argv)
{
    const struct bench_option all[] = {
        { "targets", 'n', &options.targets, "N", "targets, on several ranks" },
        { "stripe", 'n', &options.stripe_kib, "KIB", "a stripe, on several ranks" },
        { "exchange", 'n', &options.exchange_kib, "KIB", "hint pcdf_debug_exchange_size, on several ranks" },
        { "side", 'n', &options.side, "N", "doubles along an edge of the cube, on several ranks" },
        { "dir", 't', &options.dir, "FOLDER", "where the file is" },
        { "map", 't', &options.map, "FILE", "a decomposition of E3SM, for the plans on one rank" },
        { "check", 'f', &options.check, NULL, "fail where the rule's limits do not hold" },
    };
    int code = bench_begin(&argc, &argv, "targets",
                           "What the targets of a striped file system see of collective puts.", all,
                           sizeof all / sizeof *all);
    if (code == BENCH_GO) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        if (ranks == 1)
            plans();
        else
            for_real();
    }
    int status = bench_end(code);
    return status ? status : wrong;
}
