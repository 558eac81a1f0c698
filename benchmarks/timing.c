/* See timing.h. */
#include <stdlib.h>
#include <pnetcdf.h>
#include "timing.h"

static int phases_of(const struct timing *t)
{
    int n = 0;
    while (n < TIMING_PHASES && t->names[n])
        n++;
    return n;
}

void timing_begin(struct timing *t)
{
    for (int i = 0; i < phases_of(t); i++) {
        t->seconds[i] = bench_alloc((size_t)t->repeats, sizeof *t->seconds[i]);
        t->span[i] = bench_alloc((size_t)t->repeats, sizeof *t->span[i]);
    }
}

void timing_end(struct timing *t)
{
    for (int i = 0; i < phases_of(t); i++) {
        free(t->seconds[i]);
        free(t->span[i]);
    }
}

void timing_start(struct timing *t, int phase)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    mpi_count_into(t->repeat == 0 ? t->counts[phase] : NULL);
    t->began = bench_seconds();
}

void timing_stop(struct timing *t, int phase)
{
    t->seconds[phase][t->repeat] = bench_seconds() - t->began;
    mpi_count_into(NULL);
    PMPI_Barrier(MPI_COMM_WORLD);
    t->span[phase][t->repeat] = bench_seconds() - t->began;
}

/* Seconds of the rank that began first until all were done, over the repeats. Where ranks share cores some
 * wait in the barrier for a core, and their own seconds say less than the whole took. Collective. */
static struct bench_stats span_of(const struct timing *t, int phase)
{
    double *x = bench_alloc((size_t)t->repeats, sizeof *x);
    PMPI_Allreduce(t->span[phase], x, (int)t->repeats, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    struct bench_stats stats = bench_stats(x, (int)t->repeats);
    free(x);
    return stats;
}

struct totals { /* of each kind, in each phase of the first repeat */
    int64_t most[TIMING_PHASES][COUNT_KINDS], sum[TIMING_PHASES][COUNT_KINDS];
};

static void print_counts(struct bench_json *j, const char *key, const int64_t *counts)
{
    bench_json_begin(j, key, '{');
    for (int k = 0; k < COUNT_KINDS; k++)
        bench_json_int(j, mpi_count_names[k], counts[k]);
    bench_json_end(j, '{');
}

static void print_json(const struct timing *t, const char *program, const struct bench_stats *stats,
                       const struct bench_stats *spans, const struct totals *totals, struct bench_stats peak,
                       void (*more)(struct bench_json *j, const void *context), const void *context)
{
    struct bench_json j = { stdout, false };
    int nranks;
    PMPI_Comm_size(MPI_COMM_WORLD, &nranks);
    bench_json_begin(&j, NULL, '{');
    bench_json_text(&j, "program", program);
    bench_json_text(&j, "library", ncmpi_inq_libvers());
    bench_json_int(&j, "ranks", nranks);
    bench_json_int(&j, "repeats", t->repeats);
    if (more)
        more(&j, context);
    bench_json_stats(&j, "peak_kib", peak);
    bench_json_begin(&j, "phases", '{');
    for (int i = 0; i < phases_of(t); i++) {
        bench_json_begin(&j, t->names[i], '{');
        bench_json_stats(&j, "seconds", stats[i]);
        bench_json_stats(&j, "span", spans[i]);
        print_counts(&j, "mpi", totals->most[i]);
        print_counts(&j, "all", totals->sum[i]);
        bench_json_end(&j, '{');
    }
    bench_json_end(&j, '{');
    bench_json_end(&j, '{');
    printf("\n");
}

void timing_report(struct timing *t, const char *program, const char *title, bool json,
                   void (*more)(struct bench_json *j, const void *context), const void *context)
{
    struct bench_stats stats[TIMING_PHASES], spans[TIMING_PHASES];
    static struct totals totals;
    double peak_kib = (double)bench_peak_kib();
    struct bench_stats peak = bench_stats_all(MPI_COMM_WORLD, &peak_kib, 1);
    int rank, nranks;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &nranks);
    for (int i = 0; i < phases_of(t); i++)
        stats[i] = bench_stats_all(MPI_COMM_WORLD, t->seconds[i], (int)t->repeats);
    for (int i = 0; i < phases_of(t); i++)
        spans[i] = span_of(t, i);
    PMPI_Allreduce(t->counts, totals.most, TIMING_PHASES * COUNT_KINDS, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    PMPI_Allreduce(t->counts, totals.sum, TIMING_PHASES * COUNT_KINDS, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (rank > 0)
        return;
    if (json) {
        print_json(t, program, stats, spans, &totals, peak, more, context);
        return;
    }
    printf("%s, %d rank%s, %lld repeats, %s\n", title, nranks, nranks == 1 ? "" : "s", (long long)t->repeats,
           ncmpi_inq_libvers());
    printf("%-16s %11s %11s %11s   seconds %9s %9s %9s\n", "phase", "min", "median", "max", "user", "system",
           "faults");
    for (int i = 0; i < phases_of(t); i++) {
        const int64_t *sum = totals.sum[i];
        printf("%-16s %11.6f %11.6f %11.6f %19.6f %9.6f %9lld\n", t->names[i], stats[i].min, stats[i].median,
               stats[i].max, 1e-6 * (double)sum[COUNT_USER_US], 1e-6 * (double)sum[COUNT_SYSTEM_US],
               (long long)sum[COUNT_PAGE_FAULTS]);
    }
    printf("peak memory %.1f MiB a rank\n", peak.max / 1024);
}
