/* The table and the JSON object of a checkpoint. */

#include "checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <pnetcdf.h>
#include "filesystem.h"

const char *const phase_names[PHASES] = { "define", "write", "close", "open", "read" };

struct summary { /* what rank 0 knows after gathering */
    struct bench_stats seconds[PHASES], rate[PHASES], pieces, largest, peak;
    struct bench_stats total, total_rate;       /* from create to the end of close */
    struct bench_stats computed, waited, whole; /* of a step */
    int64_t counts[PHASES][COUNT_KINDS];        /* of the rank that has most */
    double *by_rank[PHASES];                    /* seconds of each rank: the median of its repeats */
    char *hosts;                                /* of each rank, MPI_MAX_PROCESSOR_NAME bytes */
    int64_t values, wrong;
    int nranks;
};

/* Over the ranks that took part and all repeats. */
static struct bench_stats gather_seconds(MPI_Comm comm, int nranks, int taking_part, const double *mine,
                                         int n)
{
    double *all = bench_alloc((size_t)nranks * (size_t)n, sizeof *all);
    PMPI_Allgather(mine, n, MPI_DOUBLE, all, n, MPI_DOUBLE, comm);
    struct bench_stats stats = bench_stats(all, taking_part * n); /* ranks 0 .. taking_part - 1 stand first */
    free(all);
    return stats;
}

/* Seconds, or MiB/s, of each repeat, by the slowest rank of each of the phases `first` to `last`. */
static struct bench_stats over_repeats(const struct measured *m, int first, int last, bool rate)
{
    double *x = bench_alloc((size_t)m->nrepeats, sizeof *x);
    for (int i = 0; i < m->nrepeats; i++) {
        for (int phase = first; phase <= last; phase++)
            x[i] += m->slowest[phase][i];
        if (rate)
            x[i] = x[i] > 0 ? (double)m->bytes / 1048576 / x[i] : 0;
    }
    struct bench_stats stats = bench_stats(x, m->nrepeats);
    free(x);
    return stats;
}

static void gather_ranks(MPI_Comm comm, const struct measured *m, struct summary *s)
{
    char host[MPI_MAX_PROCESSOR_NAME] = "";
    int n;
    for (int i = 0; i < PHASES; i++) {
        double *copy = bench_alloc((size_t)m->nrepeats, sizeof *copy);
        memcpy(copy, m->seconds[i], (size_t)m->nrepeats * sizeof *copy);
        double mine = bench_stats(copy, m->nrepeats).median;
        s->by_rank[i] = bench_alloc((size_t)s->nranks, sizeof(double));
        PMPI_Gather(&mine, 1, MPI_DOUBLE, s->by_rank[i], 1, MPI_DOUBLE, 0, comm);
        free(copy);
    }
    PMPI_Get_processor_name(host, &n);
    s->hosts = bench_alloc((size_t)s->nranks, sizeof host);
    PMPI_Gather(host, sizeof host, MPI_CHAR, s->hosts, sizeof host, MPI_CHAR, 0, comm);
}

static void summarize(MPI_Comm comm, const struct measured *m, struct summary *s)
{
    double pieces = (double)m->pieces, largest = (double)m->largest, peak = (double)bench_peak_kib();
    PMPI_Comm_size(comm, &s->nranks);
    for (int i = 0; i < PHASES; i++) {
        int taking_part = i >= PHASE_OPEN ? m->read_ranks : s->nranks;
        s->seconds[i] = gather_seconds(comm, s->nranks, taking_part, m->seconds[i], m->nrepeats);
        s->rate[i] = over_repeats(m, i, i, true);
    }
    s->total = over_repeats(m, PHASE_DEFINE, PHASE_CLOSE, false);
    s->total_rate = over_repeats(m, PHASE_DEFINE, PHASE_CLOSE, true);
    s->computed = bench_stats_all(comm, m->steps.computed, m->steps.n);
    s->waited = bench_stats_all(comm, m->steps.waited, m->steps.n);
    s->whole = bench_stats_all(comm, m->steps.whole, m->steps.n);
    s->pieces = bench_stats_all(comm, &pieces, 1);
    s->largest = bench_stats_all(comm, &largest, 1);
    s->peak = bench_stats_all(comm, &peak, 1);
    PMPI_Allreduce(m->counts, s->counts, PHASES * COUNT_KINDS, MPI_INT64_T, MPI_MAX, comm);
    s->values = bench_sum_all(comm, m->values);
    s->wrong = bench_sum_all(comm, m->wrong);
    gather_ranks(comm, m, s);
}

static void free_summary(struct summary *s)
{
    for (int i = 0; i < PHASES; i++)
        free(s->by_rank[i]);
    free(s->hosts);
}

static bool moves_data(int phase)
{
    return phase == PHASE_WRITE || phase == PHASE_READ;
}

static void print_phases(const struct measured *m, const struct summary *s)
{
    printf("\n%-8s %9s %9s %9s   %9s %9s %9s\n", "", "seconds", "", "", "MiB/s", "", "");
    printf("%-8s %9s %9s %9s   %9s %9s %9s\n", "phase", "min", "median", "max", "min", "median", "max");
    for (int i = 0; i < PHASES; i++) {
        printf("%-8s %9.4f %9.4f %9.4f", phase_names[i], s->seconds[i].min, s->seconds[i].median,
               s->seconds[i].max);
        if (moves_data(i))
            printf("   %9.1f %9.1f %9.1f", s->rate[i].min, s->rate[i].median, s->rate[i].max);
        printf("\n");
    }
    printf("%-8s %9.4f %9.4f %9.4f   %9.1f %9.1f %9.1f   open to close\n", "written", s->total.min,
           s->total.median, s->total.max, s->total_rate.min, s->total_rate.median, s->total_rate.max);
    printf("seconds over ranks and %d repeat%s; MiB/s over repeats, by the slowest rank\n", m->nrepeats,
           m->nrepeats == 1 ? "" : "s");
}

static void print_step(const char *name, struct bench_stats s, const char *what)
{
    printf("%-8s %9.4f %9.4f %9.4f   %s\n", name, s.min, s.median, s.max, what);
}

/* What the program waited is what output cost it: the rest of the writing was beside the computation. */
static void print_steps(const struct settings *o, const struct measured *m, const struct summary *s)
{
    if (m->steps.n == 0)
        return;
    printf("\n%lld steps, each with %g s of computation (%s)\n", (long long)o->records, o->compute.seconds,
           o->compute.works ? "work" : "sleep");
    print_step("compute", s->computed, "seconds, with making the values");
    print_step("wait", s->waited, "seconds inside the library");
    print_step("step", s->whole, "seconds, computation and output");
    printf("%-8s %9.1f %9.1f %9.1f   MiB/s: bytes / time waited from create to the end of close\n",
           "observed", s->total_rate.min, s->total_rate.median, s->total_rate.max);
}

static void print_counts(const struct measured *m, const struct summary *s)
{
    printf("\nMPI calls of one repeat, of the rank that made most, and per data call (%lld of them a "
           "phase)\n%-16s",
           (long long)m->data_calls, "");
    for (int i = 0; i < PHASES; i++)
        printf(" %9s", phase_names[i]);
    printf("   per put   per get\n");
    for (int k = 0; k < COUNT_KINDS; k++) {
        int64_t sum = 0;
        for (int i = 0; i < PHASES; i++)
            sum += s->counts[i][k];
        if (sum == 0)
            continue;
        printf("%-16s", mpi_count_names[k]);
        for (int i = 0; i < PHASES; i++)
            printf(" %9lld", (long long)s->counts[i][k]);
        printf(" %9.2f %9.2f\n", (double)s->counts[PHASE_WRITE][k] / (double)m->data_calls,
               (double)s->counts[PHASE_READ][k] / (double)m->data_calls);
    }
}

static void print_table(const struct workload *w, const struct settings *o, const struct measured *m,
                        const struct summary *s)
{
    printf("checkpoint of %s with %s\n", w->name, ncmpi_inq_libvers());
    printf("ranks            %d write, %d read; CDF-%lld; %lld record%s\n", s->nranks, m->read_ranks,
           (long long)o->format, (long long)(w->meta.nrecord_vars ? o->records : 0),
           o->records == 1 ? "" : "s");
    printf("variables        %d, %d partitioned, %d with records\n", w->meta.nvars, workload_partitioned(w),
           w->meta.nrecord_vars);
    printf("pieces a rank    %.0f / %.0f / %.0f (min / median / max; partitioned variables, one record)\n",
           s->pieces.min, s->pieces.median, s->pieces.max);
    printf("pieces a call    %.0f / %.0f / %.0f (largest call of each rank)\n", s->largest.min,
           s->largest.median, s->largest.max);
    printf("bytes            %lld (%.1f MiB)\n", (long long)m->bytes, (double)m->bytes / 1048576);
    printf("values compared  %lld, %lld wrong\n", (long long)s->values, (long long)s->wrong);
    printf("peak memory      %.1f / %.1f / %.1f MiB a rank (min / median / max)\n", s->peak.min / 1024,
           s->peak.median / 1024, s->peak.max / 1024);
    print_phases(m, s);
    print_steps(o, m, s);
    print_counts(m, s);
}

/* Each host once, with its number of ranks. */
static void print_hosts(struct bench_json *j, const struct summary *s)
{
    bench_json_begin(j, "hosts", '{');
    for (int i = 0; i < s->nranks; i++) {
        const char *host = s->hosts + (size_t)i * MPI_MAX_PROCESSOR_NAME;
        int first = 0, n = 0;
        while (strcmp(s->hosts + (size_t)first * MPI_MAX_PROCESSOR_NAME, host) != 0)
            first++;
        for (int k = i; first == i && k < s->nranks; k++)
            n += strcmp(s->hosts + (size_t)k * MPI_MAX_PROCESSOR_NAME, host) == 0;
        if (first == i)
            bench_json_int(j, host, n);
    }
    bench_json_end(j, '{');
}

static void print_hints(struct bench_json *j, MPI_Info info)
{
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    int n = 0, found;
    bench_json_begin(j, "hints", '{');
    if (info != MPI_INFO_NULL)
        PMPI_Info_get_nkeys(info, &n);
    for (int i = 0; i < n; i++) {
        PMPI_Info_get_nthkey(info, i, key);
        PMPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
        bench_json_text(j, key, found ? value : "");
    }
    bench_json_end(j, '{');
}

static void print_environment(struct bench_json *j, const struct settings *o, const struct measured *m,
                              const struct summary *s)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "", room[16];
    int n;
    PMPI_Get_library_version(version, &n);
    version[strcspn(version, ",\n")] = '\0';
    bench_json_begin(j, "environment", '{');
    bench_json_text(j, "mpi", version);
    bench_json_text(j, "filesystem", pcdf_filesystem_name(o->path, room));
    bench_json_text(j, "path", o->path);
    print_hosts(j, s);
    print_hints(j, m->in_effect);
    bench_json_end(j, '{');
}

static void print_json_steps(struct bench_json *j, const struct settings *o, const struct measured *m,
                             const struct summary *s)
{
    if (m->steps.n == 0)
        return;
    bench_json_begin(j, "steps", '{');
    bench_json_real(j, "compute", o->compute.seconds);
    bench_json_text(j, "computation", o->compute.works ? "work" : "sleep");
    bench_json_int(j, "n", m->steps.n);
    bench_json_stats(j, "computed", s->computed);
    bench_json_stats(j, "waited", s->waited);
    bench_json_stats(j, "step", s->whole);
    bench_json_stats(j, "observed_mib_per_second", s->total_rate);
    bench_json_end(j, '{');
}

static void print_json(const struct workload *w, const struct settings *o, const struct measured *m,
                       const struct summary *s)
{
    struct bench_json j = { stdout, false };
    bench_json_begin(&j, NULL, '{');
    bench_json_text(&j, "program", "checkpoint");
    bench_json_text(&j, "library", ncmpi_inq_libvers());
    bench_json_text(&j, "case", w->name);
    bench_json_int(&j, "ranks", s->nranks);
    bench_json_int(&j, "read_ranks", m->read_ranks);
    bench_json_int(&j, "format", o->format);
    bench_json_int(&j, "records", w->meta.nrecord_vars ? o->records : 0);
    bench_json_int(&j, "repeats", m->nrepeats);
    bench_json_int(&j, "variables", w->meta.nvars);
    bench_json_int(&j, "partitioned", workload_partitioned(w));
    bench_json_int(&j, "bytes", m->bytes);
    bench_json_int(&j, "data_calls", m->data_calls);
    bench_json_int(&j, "values", s->values);
    bench_json_int(&j, "wrong", s->wrong);
    bench_json_stats(&j, "pieces_a_rank", s->pieces);
    bench_json_stats(&j, "pieces_a_call", s->largest);
    bench_json_stats(&j, "peak_kib", s->peak);
    bench_json_text(&j, "pending", o->pending);
    print_environment(&j, o, m, s);
    print_json_steps(&j, o, m, s);
    bench_json_begin(&j, "phases", '{');
    bench_json_begin(&j, "written", '{');
    bench_json_stats(&j, "seconds", s->total);
    bench_json_stats(&j, "mib_per_second", s->total_rate);
    bench_json_end(&j, '{');
    for (int i = 0; i < PHASES; i++) {
        bench_json_begin(&j, phase_names[i], '{');
        bench_json_stats(&j, "seconds", s->seconds[i]);
        if (moves_data(i))
            bench_json_stats(&j, "mib_per_second", s->rate[i]);
        bench_json_begin(&j, "by_rank", '[');
        for (int k = 0; k < (i >= PHASE_OPEN ? m->read_ranks : s->nranks); k++)
            bench_json_real(&j, NULL, s->by_rank[i][k]);
        bench_json_end(&j, '[');
        bench_json_begin(&j, "mpi", '{');
        for (int k = 0; k < COUNT_KINDS; k++)
            bench_json_int(&j, mpi_count_names[k], s->counts[i][k]);
        bench_json_end(&j, '{');
        bench_json_end(&j, '{');
    }
    bench_json_end(&j, '{');
    bench_json_end(&j, '{');
    printf("\n");
}

void checkpoint_report(const struct workload *w, const struct settings *o, MPI_Comm comm,
                       const struct measured *m)
{
    struct summary s;
    int rank;
    summarize(comm, m, &s);
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0 && o->json)
        print_json(w, o, m, &s);
    else if (rank == 0)
        print_table(w, o, m, &s);
    fflush(stdout);
    free_summary(&s);
}
