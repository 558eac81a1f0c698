/* A model's loop: compute, write a checkpoint, compute ... What of the output does the program wait for? Each
 * step is timed: the computation, what was spent inside library calls, and all of it; beside them a memcpy of
 * the same bytes by the same ranks in the same loop. Collective puts of several variables, each rank a slab
 * in one piece, or columns between those of the others (two-phase I/O); into one file, a record a step, or a
 * file a step. With --raw the same bytes by pwrite, as they are. All files are read back and compared. */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pnetcdf.h>
#include "bench.h"
#include "compute.h"

enum {
    ROW = 1024,  /* doubles of a row of a slab */
    WIDTH = 64,  /* columns that a rank has, of those in a row */
    SHIFT = 512, /* the values of a step begin so much later than those of the one before */
    COPIES = 7   /* of memory, one after another */
};

enum figure { COMPUTED, CALLS, PUTS, STEP, FIGURES };
static const char *const figure_names[FIGURES] = { "computed", "calls", "puts", "step" };

/* Copies by memcpy of what a rank puts in a step: each one after a computation, as puts are; and one after
 * another, when the processor is awake and has the memory in its caches. */
enum copies { AFTER_COMPUTATION, HOT, COPY_KINDS };
static const char *const copy_names[COPY_KINDS] = { "memcpy", "memcpy_hot" };

struct settings {
    int64_t mib, vars, steps;
    const char *seconds, *pattern, *files, *folder;
    bool raw, fsync, copies, json;
    struct compute compute;
};

struct loop {
    const struct settings *s;
    int rank, nranks;
    bool has_columns, has_files; /* a file for each step */
    int64_t n;                   /* doubles of a variable on each rank, a multiple of ROW and WIDTH */
    double *values, *other;      /* of all variables and steps; of one variable, or all: copied to, read to */
    int id;                      /* ncid, or a descriptor */
    int vars[128];
    char path[BENCH_PATH];
    double *seconds[FIGURES]; /* of this rank, one a step; the first one warms the memory */
    double *copies[COPY_KINDS];
    double elapsed, rest; /* from the first step until all is written; of it, after the last step */
    int64_t wrong;
};

static void check(const struct loop *l, int err, const char *what)
{
    bench_check(err, what, l->path);
}

static void check_errno(const struct loop *l, bool good, const char *what)
{
    if (!good)
        bench_fail("%s %s: %s", what, l->path, strerror(errno));
}

/* ---- where values are */

/* Exact in a double, another for each rank and place. */
static double value_at(int rank, int64_t i)
{
    return (double)((((uint64_t)i + 1) * 0x9e3779b97f4a7c15u ^ (uint64_t)rank << 50) >> 12);
}

static int64_t place_of(const struct loop *l, int64_t step, int64_t var)
{
    return step * SHIFT + var * l->n;
}

static void name_file(struct loop *l, int64_t step)
{
    char name[64];
    snprintf(name, sizeof name, "overlap.%lld", (long long)(l->has_files ? step : 0));
    bench_path(l->path, l->s->folder, name);
}

/* What `rank` has of a variable. */
static void place_in_file(const struct loop *l, int rank, int64_t step, MPI_Offset start[3],
                          MPI_Offset count[3])
{
    start[0] = l->has_files ? 0 : step;
    count[0] = 1;
    start[1] = l->has_columns ? 0 : rank * (l->n / ROW);
    count[1] = l->n / (l->has_columns ? WIDTH : ROW);
    start[2] = l->has_columns ? rank * WIDTH : 0;
    count[2] = l->has_columns ? WIDTH : ROW;
}

/* Without a library: one variable after another, of each the ranks' parts. */
static off_t raw_offset(const struct loop *l, int rank, int64_t step, int64_t var)
{
    int64_t record = l->has_files ? 0 : step;
    return (off_t)(((record * l->s->vars + var) * l->nranks + rank) * l->n) * 8;
}

/* ---- files */

static void define(struct loop *l)
{
    int dims[3];
    check(l, ncmpi_def_dim(l->id, "time", NC_UNLIMITED, &dims[0]), "dimension of");
    check(l, ncmpi_def_dim(l->id, "y", l->has_columns ? l->n / WIDTH : l->nranks * (l->n / ROW), &dims[1]),
          "dimension of");
    check(l, ncmpi_def_dim(l->id, "x", l->has_columns ? l->nranks * WIDTH : ROW, &dims[2]), "dimension of");
    for (int64_t v = 0; v < l->s->vars; v++) {
        char name[32];
        snprintf(name, sizeof name, "field_%lld", (long long)v);
        check(l, ncmpi_def_var(l->id, name, NC_DOUBLE, 3, dims, &l->vars[v]), "variable of");
    }
    check(l, ncmpi_enddef(l->id), "enddef of");
}

static void create_file(struct loop *l, int64_t step)
{
    name_file(l, step);
    if (l->s->raw) {
        l->id = open(l->path, O_RDWR | O_CREAT, 0666);
        check_errno(l, l->id >= 0, "creating");
    } else {
        check(l, ncmpi_create(MPI_COMM_WORLD, l->path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &l->id),
              "creating");
        define(l);
    }
}

static void close_file(struct loop *l)
{
    if (l->s->raw) {
        check_errno(l, !l->s->fsync || fsync(l->id) == 0, "syncing");
        check_errno(l, close(l->id) == 0, "closing");
        return;
    }
    check(l, ncmpi_close(l->id), "closing");
    if (l->s->fsync)
        bench_fsync(l->path);
}

static void put_checkpoint(struct loop *l, int64_t step)
{
    MPI_Offset start[3], count[3];
    place_in_file(l, l->rank, step, start, count);
    for (int64_t v = 0; v < l->s->vars; v++) {
        const double *from = l->values + place_of(l, step, v);
        if (l->s->raw)
            check_errno(l, pwrite(l->id, from, (size_t)l->n * 8, raw_offset(l, l->rank, step, v)) == l->n * 8,
                        "writing");
        else
            check(l, ncmpi_put_vara_double_all(l->id, l->vars[v], start, count, from), "writing");
    }
}

/* ---- the loop */

static void take_step(struct loop *l, int64_t step)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    double begin = bench_seconds();
    l->seconds[COMPUTED][step] = compute_run(&l->s->compute, begin);
    PMPI_Barrier(MPI_COMM_WORLD);
    double called = bench_seconds();
    if (l->has_files)
        create_file(l, step);
    double puts = bench_seconds();
    put_checkpoint(l, step);
    l->seconds[PUTS][step] = bench_seconds() - puts;
    if (l->has_files)
        close_file(l);
    PMPI_Barrier(MPI_COMM_WORLD); /* ranks that share cores are not done at once */
    double end = bench_seconds();
    l->seconds[CALLS][step] = end - called;
    l->seconds[STEP][step] = end - begin;
}

/* All ranks at once, as they put, until the last one is done, since they may share cores: to memory that was
 * written before. */
static double copy_memory(struct loop *l, int64_t step)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    double begin = bench_seconds();
    memcpy(l->other, l->values + place_of(l, step, 0), (size_t)(l->n * l->s->vars) * 8);
    __asm__ volatile("" : : "r"(l->other) : "memory"); /* the copy is not left out */
    PMPI_Barrier(MPI_COMM_WORLD);
    return bench_seconds() - begin;
}

/* The loop with a memcpy in place of each checkpoint. */
static void run_copies(struct loop *l)
{
    for (int64_t step = 0; step < l->s->steps; step++) {
        PMPI_Barrier(MPI_COMM_WORLD);
        (void)compute_run(&l->s->compute, bench_seconds());
        l->copies[AFTER_COMPUTATION][step] = copy_memory(l, step);
    }
    for (int i = 0; i < COPIES; i++)
        l->copies[HOT][i] = copy_memory(l, i % l->s->steps);
}

/* Until the bytes of all steps can be read. A file that is completed in the background is waited for by who
 * opens it. */
static void end_loop(struct loop *l, double begin)
{
    double last = bench_seconds();
    if (!l->has_files)
        close_file(l);
    if (!l->s->raw) {
        check(l, ncmpi_open(MPI_COMM_WORLD, l->path, NC_NOWRITE, MPI_INFO_NULL, &l->id), "opening");
        check(l, ncmpi_close(l->id), "closing");
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    l->rest = bench_seconds() - last;
    l->elapsed = bench_seconds() - begin;
}

static void run_loop(struct loop *l)
{
    if (!l->has_files)
        create_file(l, 0);
    double begin = bench_seconds();
    for (int64_t step = 0; step < l->s->steps; step++) {
        take_step(l, step);
        bench_progress("steps", step + 1, l->s->steps);
    }
    end_loop(l, begin);
}

/* ---- what was written */

static void read_checkpoint(struct loop *l, int rank, int64_t step)
{
    MPI_Offset start[3], count[3];
    place_in_file(l, rank, step, start, count);
    for (int64_t v = 0; v < l->s->vars; v++) {
        memset(l->other, 0xff, (size_t)l->n * 8);
        if (l->s->raw)
            check_errno(l, pread(l->id, l->other, (size_t)l->n * 8, raw_offset(l, rank, step, v)) == l->n * 8,
                        "reading");
        else
            check(l, ncmpi_get_vara_double_all(l->id, l->vars[v], start, count, l->other), "reading");
        for (int64_t i = 0; i < l->n; i++)
            l->wrong += l->other[i] != value_at(rank, place_of(l, step, v) + i);
    }
}

/* Each rank reads what its neighbour wrote. */
static void read_all(struct loop *l)
{
    for (int64_t step = 0; step < l->s->steps; step++) {
        if (step == 0 || l->has_files) {
            name_file(l, step);
            if (l->s->raw)
                check_errno(l, (l->id = open(l->path, O_RDONLY)) >= 0, "opening");
            else
                check(l, ncmpi_open(MPI_COMM_WORLD, l->path, NC_NOWRITE, MPI_INFO_NULL, &l->id), "opening");
        }
        read_checkpoint(l, (l->rank + 1) % l->nranks, step);
        if (l->has_files || step + 1 == l->s->steps)
            check(l, l->s->raw ? close(l->id) : ncmpi_close(l->id), "closing");
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    for (int64_t step = 0; l->rank == 0 && step < (l->has_files ? l->s->steps : 1); step++) {
        name_file(l, step);
        check_errno(l, unlink(l->path) == 0, "removing");
    }
    l->wrong = bench_sum_all(MPI_COMM_WORLD, l->wrong);
}

/* ---- the report: of each step the slowest rank */

static struct bench_stats slowest(const double *mine, int n)
{
    double *x = bench_alloc((size_t)n, sizeof *x);
    PMPI_Allreduce(mine, x, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    struct bench_stats stats = bench_stats(x, n);
    free(x);
    return stats;
}

static double bytes_of_step(const struct loop *l)
{
    return 8.0 * (double)(l->n * l->s->vars) * l->nranks;
}

static void print_json(const struct loop *l, const struct bench_stats *stats,
                       const struct bench_stats *copied, double peak)
{
    struct bench_json j = { stdout, false };
    bench_json_begin(&j, NULL, '{');
    bench_json_text(&j, "program", "overlap");
    bench_json_text(&j, "library", l->s->raw ? "pwrite" : ncmpi_inq_libvers());
    bench_json_int(&j, "ranks", l->nranks);
    bench_json_int(&j, "steps", l->s->steps);
    bench_json_int(&j, "bytes", (int64_t)bytes_of_step(l));
    bench_json_int(&j, "wrong", l->wrong);
    bench_json_real(&j, "elapsed", l->elapsed);
    bench_json_real(&j, "rest", l->rest);
    bench_json_real(&j, "peak_kib", peak);
    for (int i = 0; i < COPY_KINDS && l->s->copies; i++)
        bench_json_stats(&j, copy_names[i], copied[i]);
    for (int i = 0; i < FIGURES; i++)
        bench_json_stats(&j, figure_names[i], stats[i]);
    bench_json_end(&j, '{');
    printf("\n");
}

static void print_table(const struct loop *l, const struct bench_stats *stats,
                        const struct bench_stats *copied, double peak)
{
    printf("%lld steps of %.1f MiB on %d rank%s (%s, %s), %s\n", (long long)l->s->steps,
           bytes_of_step(l) / 1048576, l->nranks, l->nranks == 1 ? "" : "s", l->s->pattern,
           l->has_files ? "a file a step" : "one file", l->s->raw ? "pwrite" : ncmpi_inq_libvers());
    printf("%-10s %9s %9s %9s   seconds of a step but the first, by the slowest rank\n", "", "min", "median",
           "max");
    for (int i = 0; i < COPY_KINDS && l->s->copies; i++)
        printf("%-10s %9.5f %9.5f %9.5f\n", copy_names[i], copied[i].min, copied[i].median, copied[i].max);
    for (int i = 0; i < FIGURES; i++)
        printf("%-10s %9.5f %9.5f %9.5f\n", figure_names[i], stats[i].min, stats[i].median, stats[i].max);
    if (l->s->copies)
        printf("calls / memcpy %.2f; ", stats[CALLS].median / copied[AFTER_COMPUTATION].median);
    printf("observed rate %.1f MiB/s; %.3f s in all, %.3f s of it after the last step\n",
           bytes_of_step(l) / 1048576 / stats[CALLS].median, l->elapsed, l->rest);
    printf("peak memory %.1f MiB a rank; wrong values: %lld\n", peak / 1024, (long long)l->wrong);
}

static void report(struct loop *l, double peak)
{
    struct bench_stats stats[FIGURES], copied[COPY_KINDS] = { 0 };
    for (int i = 0; i < FIGURES; i++)
        stats[i] = slowest(l->seconds[i] + 1, (int)l->s->steps - 1);
    if (l->s->copies) {
        copied[AFTER_COMPUTATION] = slowest(l->copies[AFTER_COMPUTATION] + 1, (int)l->s->steps - 1);
        copied[HOT] = slowest(l->copies[HOT], COPIES);
    }
    if (l->rank == 0)
        (l->s->json ? print_json : print_table)(l, stats, copied, peak);
}

static int64_t run(const struct settings *s)
{
    static struct loop l;
    l.s = s;
    PMPI_Comm_rank(MPI_COMM_WORLD, &l.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &l.nranks);
    l.has_columns = strcmp(s->pattern, "columns") == 0;
    l.has_files = strcmp(s->files, "step") == 0;
    l.n = (s->mib << 20) / 8 / s->vars / l.nranks / ROW * ROW;
    l.n = l.n < ROW ? ROW : l.n;
    int64_t all = l.n * s->vars + s->steps * SHIFT;
    l.values = bench_alloc((size_t)all, sizeof *l.values);
    l.other = bench_alloc((size_t)(l.n * s->vars), sizeof *l.other);
    for (int64_t i = 0; i < all; i++)
        l.values[i] = value_at(l.rank, i);
    for (int i = 0; i < FIGURES; i++)
        l.seconds[i] = bench_alloc((size_t)s->steps, sizeof(double));
    for (int i = 0; i < COPY_KINDS; i++)
        l.copies[i] = bench_alloc((size_t)(s->steps > COPIES ? s->steps : COPIES), sizeof(double));
    run_loop(&l);
    double peak = bench_max_all(MPI_COMM_WORLD, (double)bench_peak_kib());
    if (s->copies)
        run_copies(&l);
    read_all(&l);
    report(&l, peak);
    for (int i = 0; i < FIGURES; i++)
        free(l.seconds[i]);
    for (int i = 0; i < COPY_KINDS; i++)
        free(l.copies[i]);
    free(l.values);
    free(l.other);
    return l.wrong;
}

static const char *check_options(struct settings *s)
{
    if (s->mib < 1 || s->mib > 1 << 20 || s->vars < 1 || s->vars > 128 || s->steps < 2 || s->steps > 10000)
        return "--mib begins at 1, --vars at 1 up to 128, --steps at 2";
    if (strcmp(s->pattern, "slabs") != 0 && strcmp(s->pattern, "columns") != 0)
        return "--pattern is slabs or columns";
    if (strcmp(s->files, "one") != 0 && strcmp(s->files, "step") != 0)
        return "--files is one or step";
    return compute_parse(&s->compute, s->seconds) ? NULL : "--compute is a number of seconds";
}

int main(int argc, char **argv)
{
    struct settings s = {
        .mib = 64, .vars = 4, .steps = 6, .seconds = "0.1", .pattern = "slabs", .files = "one", .folder = "."
    };
    const struct bench_option options[] = {
        { "mib", 'n', &s.mib, "N", "MiB that all ranks write in a step" },
        { "vars", 'n', &s.vars, "N", "variables" },
        { "steps", 'n', &s.steps, "N", "steps, of which the first is not counted" },
        { "compute", 't', &s.seconds, "S", "seconds of computation before each checkpoint" },
        { "work", 'f', &s.compute.works, NULL, "the computation works; else it sleeps" },
        { "pattern", 't', &s.pattern, "slabs|columns", "what a rank has: one piece, or columns" },
        { "files", 't', &s.files, "one|step", "one file with a record a step, or a file a step" },
        { "raw", 'f', &s.raw, NULL, "without a library: the same bytes by pwrite" },
        { "fsync", 'f', &s.fsync, NULL, "each rank syncs each file after its close" },
        { "copies", 'f', &s.copies, NULL, "also time a memcpy of a step's bytes, in the same loop" },
        { "dir", 't', &s.folder, "FOLDER", "where the files are made and removed" },
        { "json", 'f', &s.json, NULL, "print one JSON object" },
    };
    int64_t wrong = 0;
    int code = bench_begin(&argc, &argv, "overlap",
                           "overlap: what a program waits for its output, between computations", options,
                           sizeof options / sizeof *options);
    const char *mistake = code == BENCH_GO ? check_options(&s) : NULL;
    if (mistake)
        code = bench_misused(mistake);
    if (code == BENCH_GO) {
        compute_prepare(&s.compute);
        wrong = run(&s);
    }
    code = bench_end(code);
    return wrong ? 1 : code;
}
