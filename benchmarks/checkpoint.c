/* The main job: all ranks write the checkpoint of a model run into one file and close it; fewer ranks reopen
 * it, read it back and compare every value. Built-in cases, replay of E3SM cases (CDL header and
 * decomposition map), WRF. Exit code 0: all values right; 1: a value or a number differs, or an error of the
 * library; 2: usage. */

#include "checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <pnetcdf.h>

static const char about[] =
    "checkpoint: writes a model's checkpoint from all ranks into one file, reads it back on fewer\n"
    "and compares every value.\n\n"
    "  mpiexec -n P checkpoint [--case block|sphere]\n"
    "  mpiexec -n P checkpoint --header FILE.txt --map FILE.nc\n"
    "  mpiexec -n P checkpoint --wrf FILE.txt --scale S";

static int read_options(int argc, char **argv, struct settings *s, bool speak)
{
    const struct bench_option options[] = {
        { "case", 't', &s->built_in, "NAME", "built-in case: block (3-D) or sphere (cubed sphere)" },
        { "grid", 't', &s->grid, "ZxYxX", "block: points of the grid" },
        { "ne", 'n', &s->ne, "N", "sphere: elements along the edge of a face" },
        { "levels", 'n', &s->levels, "N", "sphere: levels" },
        { "vars", 'n', &s->nvars, "N", "built-in: fields with records" },
        { "header", 't', &s->header, "FILE", "replay: CDL header of the output file" },
        { "map", 't', &s->map, "FILE", "replay: decomposition map" },
        { "dims", 't', &s->dims, "NAME=N,...", "replay: lengths that override the header's" },
        { "wrf", 't', &s->wrf, "FILE", "CDL header of a WRF output file" },
        { "scale", 'n', &s->scale, "S", "wrf: divides the horizontal sizes" },
        { "records", 'n', &s->records, "N", "records to write" },
        { "format", 'n', &s->format, "1|2|5", "CDF version; 0: the header's, or 5" },
        { "read-ranks", 'n', &s->read_ranks, "N", "ranks that read; 0: one fewer than write" },
        { "repeat", 'n', &s->repeat, "N", "repetitions" },
        { "pending", 't', &s->pending, "record|file",
          "post all variables, one wait_all a record or a file; else blocking calls" },
        { "compute", 't', &s->seconds, "S", "seconds of computation before each record" },
        { "work", 'f', &s->compute.works, NULL, "the computation works; else it sleeps" },
        { "batch", 'n', &s->batch, "MiB", "values a rank makes before it writes them" },
        { "expect-partitioned", 'n', &s->expect, "N",
          "fail unless so many variables are partitioned; 0: any" },
        { "dir", 't', &s->folder, "FOLDER", "where the file is made" },
        { "o", 't', &s->output, "FILE", "the file's name, removed at the end" },
        { "keep", 't', &s->keep, "FILE", "the file's name, kept" },
        { "O", 'f', &s->replace, NULL, "replace a file of that name" },
        { "overwrite", 'f', &s->replace, NULL, "the same" },
        { "json", 'f', &s->json, NULL, "print one JSON object" },
        { "hints", 't', &s->hints, "NAME=VALUE;...", "hints that the file is created and opened with" },
    };
    return bench_options(argc, argv, options, sizeof options / sizeof *options, about, speak);
}

/* A sentence where the options do not go together, NULL where they do. */
static const char *check_options(struct settings *s, int nranks)
{
    if (!s->header != !s->map)
        return "--header and --map belong together";
    if (s->header && s->wrf)
        return "--header and --wrf are two cases";
    if (strcmp(s->built_in, "block") != 0 && strcmp(s->built_in, "sphere") != 0)
        return "--case is block or sphere";
    if (*s->pending && strcmp(s->pending, "record") != 0 && strcmp(s->pending, "file") != 0)
        return "--pending is record or file";
    if (s->format != 0 && s->format != 1 && s->format != 2 && s->format != 5)
        return "--format is 1, 2 or 5";
    if (s->read_ranks > nranks)
        return "--read-ranks is above the number of ranks";
    if (s->repeat < 1 || s->repeat > 10000 || s->records < 1 || s->records > 1000000)
        return "--repeat and --records begin at 1";
    if (s->nvars < 1 || s->nvars > 100000 || s->scale < 1 || s->batch < 1 || s->batch > 1 << 20)
        return "--vars, --scale and --batch begin at 1";
    if (!compute_parse(&s->compute, s->seconds))
        return "--compute is a number of seconds";
    if (s->compute.seconds > 0 && strcmp(s->pending, "file") == 0)
        return "--pending file writes once: it has no steps to --compute between";
    return NULL;
}

static void build_workload(struct workload *w, struct settings *s)
{
    if (s->header)
        workload_replay(w, MPI_COMM_WORLD, s->header, s->map, s->dims);
    else if (s->wrf)
        workload_wrf(w, s->wrf, (int)s->scale);
    else if (strcmp(s->built_in, "sphere") == 0)
        workload_sphere(w, (int)s->ne, (int)s->levels, (int)s->nvars);
    else
        workload_block3d(w, s->grid, (int)s->nvars);
    if (s->format == 0)
        s->format = w->meta.version;
    if (s->compute.seconds > 0 && w->meta.nrecord_vars == 0)
        bench_fail("the case has no records to --compute between");
}

/* Is there a file of that name that the options do not give up? Rank 0 looks, so that all ranks know the
 * same.
 */
static bool spares_all(const struct settings *s, int rank)
{
    struct stat st;
    int exists = rank == 0 && !s->replace && lstat(s->path, &st) == 0;
    PMPI_Bcast(&exists, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return exists;
}

static void run(const struct workload *w, const struct settings *s, const char *path, struct measured *m)
{
    MPI_Comm readers;
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < PHASES; i++) {
        m->seconds[i] = bench_alloc((size_t)m->nrepeats, sizeof *m->seconds[i]);
        m->slowest[i] = bench_alloc((size_t)m->nrepeats, sizeof *m->slowest[i]);
    }
    size_t nsteps = s->compute.seconds > 0 ? (size_t)(m->nrepeats * s->records) : 0;
    m->steps = (struct steps){ .computed = bench_alloc(nsteps, sizeof(double)),
                               .waited = bench_alloc(nsteps, sizeof(double)),
                               .whole = bench_alloc(nsteps, sizeof(double)) };
    PMPI_Comm_split(MPI_COMM_WORLD, rank < m->read_ranks ? 0 : MPI_UNDEFINED, rank, &readers);
    for (int i = 0; i < m->nrepeats; i++) {
        checkpoint_write(w, s, MPI_COMM_WORLD, path, i, m);
        if (readers != MPI_COMM_NULL)
            checkpoint_read(w, s, readers, path, i, m);
        PMPI_Barrier(MPI_COMM_WORLD);
    }
    if (readers != MPI_COMM_NULL)
        PMPI_Comm_free(&readers);
    bench_remove_on_failure(NULL);
    if (rank == 0 && !s->keep)
        bench_check(ncmpi_delete(path, MPI_INFO_NULL), "removing", path);
}

/* 0 or 1. */
static int judge(const struct workload *w, const struct settings *s, const struct measured *m, bool speak)
{
    int partitioned = workload_partitioned(w);
    bool wrong = bench_sum_all(MPI_COMM_WORLD, m->wrong) > 0;
    if (wrong && speak)
        fprintf(stderr, "%s: values differ\n", bench_program());
    if (s->expect && s->expect != partitioned) {
        if (speak)
            fprintf(stderr, "%s: %d variables are partitioned, not %lld\n", bench_program(), partitioned,
                    (long long)s->expect);
        return 1;
    }
    return wrong;
}

/* "name=value;name=value" */
static MPI_Info make_info(const char *hints)
{
    MPI_Info info = MPI_INFO_NULL;
    char text[1024], *rest = NULL;
    if (!*hints)
        return info;
    if (snprintf(text, sizeof text, "%s", hints) >= (int)sizeof text)
        bench_fail("the hints have more than %zu bytes", sizeof text - 1);
    MPI_Info_create(&info);
    for (char *word = strtok_r(text, ";", &rest); word; word = strtok_r(NULL, ";", &rest)) {
        char *equals = strchr(word, '=');
        if (!equals || equals == word || !equals[1])
            bench_fail("%s is no NAME=VALUE", word);
        *equals = '\0';
        if (MPI_Info_set(info, word, equals + 1) != MPI_SUCCESS)
            bench_fail("MPI does not take the hint %s", word);
    }
    return info;
}

static int checkpoint(struct settings *s, int rank, int nranks)
{
    struct workload w;
    struct measured m = { .nrepeats = (int)s->repeat, .in_effect = MPI_INFO_NULL };
    char path[4096], sentence[sizeof path + 64];
    m.read_ranks = s->read_ranks ? (int)s->read_ranks : nranks > 1 ? nranks - 1 : 1;
    int length = snprintf(path, sizeof path, "%s", s->keep ? s->keep : s->output ? s->output : "");
    if (length == 0)
        length = snprintf(path, sizeof path, "%s/checkpoint.nc", s->folder);
    if (length >= (int)sizeof path)
        bench_fail("the path of the file has %d bytes", length);
    s->path = path;
    if (spares_all(s, rank)) {
        snprintf(sentence, sizeof sentence, "%s: the file exists (option -O replaces it)", path);
        return bench_misused(sentence);
    }
    build_workload(&w, s);
    s->info = make_info(s->hints);
    compute_prepare(&s->compute);
    if (w.max_ranks && nranks > w.max_ranks) {
        if (rank == 0)
            fprintf(stderr, "%s: the map is of %d processes, not enough for %d ranks\n", bench_program(),
                    w.max_ranks, nranks);
        return 2;
    }
    run(&w, s, path, &m);
    checkpoint_report(&w, s, MPI_COMM_WORLD, &m);
    int code = judge(&w, s, &m, rank == 0);
    if (s->info != MPI_INFO_NULL)
        MPI_Info_free(&s->info);
    if (m.in_effect != MPI_INFO_NULL)
        MPI_Info_free(&m.in_effect);
    for (int i = 0; i < PHASES; i++) {
        free(m.seconds[i]);
        free(m.slowest[i]);
    }
    free(m.steps.computed);
    free(m.steps.waited);
    free(m.steps.whole);
    workload_free(&w);
    return code;
}

int checkpoint_run(int argc, char **argv, const char *name)
{
    struct settings s = { .records = 2,
                          .repeat = 1,
                          .batch = 32,
                          .ne = 16,
                          .levels = 72,
                          .nvars = 4,
                          .scale = 10,
                          .built_in = "block",
                          .pending = "",
                          .hints = "",
                          .seconds = "0",
                          .grid = "64x96x128",
                          .folder = "." };
    int rank, nranks;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &nranks);
    bench_start(name, rank == 0);
    int code = read_options(argc, argv, &s, rank == 0);
    const char *mistake = code == BENCH_GO ? check_options(&s, nranks) : NULL;
    if (mistake && rank == 0)
        fprintf(stderr, "%s: %s (see --help)\n", name, mistake);
    if (code == BENCH_HELP)
        return 0;
    return code == BENCH_USAGE || mistake ? 2 : checkpoint(&s, rank, nranks);
}
