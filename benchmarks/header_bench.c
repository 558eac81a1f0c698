/* A large header: many variables with three attributes each are defined, enddef and close end it; then the
 * file is opened and every name looked up, with type, dimensions and attributes. Timed, and everything found
 * is compared. */

#include <stdlib.h>
#include <string.h>
#include <pnetcdf.h>
#include "bench.h"
#include "mpi_count.h"

enum phase { PHASE_DEFINE, PHASE_ENDDEF, PHASE_CLOSE, PHASE_OPEN, PHASE_LOOK_UP, PHASE_CLOSE_READ, PHASES };

static const char *const phase_names[PHASES] = { "define", "enddef", "close", "open", "look up", "close 2" };

enum { NDIMS = 4, NATTS = 3 };

static const nc_type types[] = { NC_FLOAT, NC_DOUBLE, NC_INT, NC_SHORT };

struct settings {
    int64_t nvars, repeat;
    const char *folder;
    bool json;
};

struct timing {
    double *seconds[PHASES]; /* of this rank */
    int repeat;
    double began;
    int64_t counts[PHASES][COUNT_KINDS];
};

static void start_clock(struct timing *t, int phase)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    mpi_count_into(t->repeat == 0 ? t->counts[phase] : NULL);
    t->began = bench_seconds();
}

static void stop_clock(struct timing *t, int phase)
{
    t->seconds[phase][t->repeat] = bench_seconds() - t->began;
    mpi_count_into(NULL);
}

/* --- what a variable is
 * ------------------------------------------------------------------------------------- */

static void var_name(char name[64], int i)
{
    snprintf(name, 64, "variable_%05d_of_the_model", i);
}

static void units_of(char units[64], int i)
{
    snprintf(units, 64, "kg m-2 s-%d", i % 7);
}

static int rank_of(int i)
{
    return i % (NDIMS + 1);
}

/* The first rank_of(i) dimensions, the record dimension first. */
static const int dimids[NDIMS] = { 0, 1, 2, 3 };

static void define(int ncid, int nvars)
{
    static const char *const names[NDIMS] = { "time", "lev", "lat", "lon" };
    for (int d = 0, id; d < NDIMS; d++)
        bench_check(ncmpi_def_dim(ncid, names[d], d == 0 ? NC_UNLIMITED : 2, &id), "dimension", names[d]);
    for (int i = 0; i < nvars; i++) {
        char name[64], units[64];
        int varid;
        const double range[2] = { i, i + 0.5 };
        var_name(name, i);
        units_of(units, i);
        bench_check(ncmpi_def_var(ncid, name, types[i % 4], rank_of(i), dimids, &varid), "variable", name);
        bench_check(ncmpi_put_att_text(ncid, varid, "units", (MPI_Offset)strlen(units), units),
                    "attribute of", name);
        bench_check(ncmpi_put_att_double(ncid, varid, "valid_range", NC_DOUBLE, 2, range), "attribute of",
                    name);
        bench_check(ncmpi_put_att_int(ncid, varid, "number", NC_INT, 1, &i), "attribute of", name);
        if (i % 1024 == 0)
            bench_progress("define", i, nvars);
    }
    bench_progress("define", nvars, nvars);
}

static void look_up(int ncid, int i)
{
    char name[64], units[64], got_units[64] = "";
    int varid, ndims, natts, got[NDIMS], number;
    double range[2];
    nc_type type;
    MPI_Offset length;
    var_name(name, i);
    units_of(units, i);
    bench_check(ncmpi_inq_varid(ncid, name, &varid), "looking up", name);
    bench_check(ncmpi_inq_var(ncid, varid, NULL, &type, &ndims, got, &natts), "inquiring", name);
    bench_check(ncmpi_inq_attlen(ncid, varid, "units", &length), "attribute of", name);
    if (length >= (MPI_Offset)sizeof got_units)
        bench_fail("units of %s have %lld bytes", name, (long long)length);
    bench_check(ncmpi_get_att_text(ncid, varid, "units", got_units), "attribute of", name);
    bench_check(ncmpi_get_att_double(ncid, varid, "valid_range", range), "attribute of", name);
    bench_check(ncmpi_get_att_int(ncid, varid, "number", &number), "attribute of", name);
    if (varid != i || type != types[i % 4] || ndims != rank_of(i) || natts != NATTS ||
        memcmp(got, dimids, (size_t)ndims * sizeof *got) || strcmp(units, got_units) || range[0] < i ||
        range[0] > i || range[1] < i + 0.5 || range[1] > i + 0.5 || number != i)
        bench_fail("%s is not what was defined", name);
}

/* --- one repetition
 * ----------------------------------------------------------------------------------------- */

static void write_file(const struct settings *s, const char *path, struct timing *t)
{
    int ncid;
    start_clock(t, PHASE_DEFINE);
    bench_check(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid),
                "creating", path);
    define(ncid, (int)s->nvars);
    stop_clock(t, PHASE_DEFINE);
    start_clock(t, PHASE_ENDDEF);
    bench_check(ncmpi_enddef(ncid), "enddef of", path);
    stop_clock(t, PHASE_ENDDEF);
    start_clock(t, PHASE_CLOSE);
    bench_check(ncmpi_close(ncid), "closing", path);
    stop_clock(t, PHASE_CLOSE);
}

static void read_file(const struct settings *s, const char *path, struct timing *t)
{
    int ncid, nvars;
    start_clock(t, PHASE_OPEN);
    bench_check(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), "opening", path);
    stop_clock(t, PHASE_OPEN);
    bench_check(ncmpi_inq_nvars(ncid, &nvars), "inquiring", path);
    if (nvars != s->nvars)
        bench_fail("%s has %d variables, not %lld", path, nvars, (long long)s->nvars);
    start_clock(t, PHASE_LOOK_UP);
    int64_t step = nvars % 7919 ? 7919 : 1; /* a prime: every name, but not in file order */
    for (int i = 0; i < nvars; i++)
        look_up(ncid, (int)(i * step % nvars));
    stop_clock(t, PHASE_LOOK_UP);
    start_clock(t, PHASE_CLOSE_READ);
    bench_check(ncmpi_close(ncid), "closing", path);
    stop_clock(t, PHASE_CLOSE_READ);
}

/* --- report
 * ------------------------------------------------------------------------------------------------- */

static void report(const struct settings *s, struct timing *t, bool speak)
{
    struct bench_json j = { stdout, false };
    struct bench_stats stats[PHASES];
    double peak_kib = (double)bench_peak_kib();
    struct bench_stats peak = bench_stats_all(MPI_COMM_WORLD, &peak_kib, 1);
    int nranks;
    PMPI_Comm_size(MPI_COMM_WORLD, &nranks);
    for (int i = 0; i < PHASES; i++)
        stats[i] = bench_stats_all(MPI_COMM_WORLD, t->seconds[i], (int)s->repeat);
    if (!speak)
        return;
    if (s->json) {
        bench_json_begin(&j, NULL, '{');
        bench_json_text(&j, "program", "header");
        bench_json_text(&j, "library", ncmpi_inq_libvers());
        bench_json_int(&j, "ranks", nranks);
        bench_json_int(&j, "repeats", s->repeat);
        bench_json_int(&j, "variables", s->nvars);
        bench_json_stats(&j, "peak_kib", peak);
        bench_json_begin(&j, "phases", '{');
        for (int i = 0; i < PHASES; i++) {
            bench_json_begin(&j, phase_names[i], '{');
            bench_json_stats(&j, "seconds", stats[i]);
            bench_json_begin(&j, "mpi", '{');
            for (int k = 0; k < COUNT_KINDS; k++)
                bench_json_int(&j, mpi_count_names[k], t->counts[i][k]);
            bench_json_end(&j, '{');
            bench_json_end(&j, '{');
        }
        bench_json_end(&j, '{');
        bench_json_end(&j, '{');
        printf("\n");
        return;
    }
    printf("header of %lld variables with %d attributes each, %d rank%s, %lld repeats, %s\n",
           (long long)s->nvars, NATTS, nranks, nranks == 1 ? "" : "s", (long long)s->repeat,
           ncmpi_inq_libvers());
    printf("%-8s %10s %10s %10s   seconds\n", "phase", "min", "median", "max");
    for (int i = 0; i < PHASES; i++)
        printf("%-8s %10.4f %10.4f %10.4f\n", phase_names[i], stats[i].min, stats[i].median, stats[i].max);
    printf("peak memory %.1f MiB a rank\n", peak.max / 1024);
}

static void run(const struct settings *s, bool is_root)
{
    struct timing t = { 0 };
    char path[4096];
    if (snprintf(path, sizeof path, "%s/header.nc", s->folder) >= (int)sizeof path)
        bench_fail("the folder's name is too long");
    for (int i = 0; i < PHASES; i++)
        t.seconds[i] = bench_alloc((size_t)s->repeat, sizeof *t.seconds[i]);
    for (; t.repeat < s->repeat; t.repeat++) {
        write_file(s, path, &t);
        read_file(s, path, &t);
        PMPI_Barrier(MPI_COMM_WORLD);
    }
    if (is_root)
        bench_check(ncmpi_delete(path, MPI_INFO_NULL), "removing", path);
    report(s, &t, is_root);
    for (int i = 0; i < PHASES; i++)
        free(t.seconds[i]);
}

int main(int argc, char **argv)
{
    struct settings s = { .nvars = 20000, .repeat = 3, .folder = "." };
    const struct bench_option options[] = {
        { "vars", 'n', &s.nvars, "N", "variables" },
        { "repeat", 'n', &s.repeat, "N", "repetitions" },
        { "dir", 't', &s.folder, "FOLDER", "where the file is made and removed" },
        { "json", 'f', &s.json, NULL, "print one JSON object" },
    };
    int rank;
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bench_start("header", rank == 0);
    int code = bench_options(argc, argv, options, sizeof options / sizeof *options,
                             "header: defines many variables, then looks every name up", rank == 0);
    if (code == BENCH_GO && (s.nvars < 1 || s.nvars > 10000000 || s.repeat < 1 || s.repeat > 10000)) {
        if (rank == 0)
            fprintf(stderr, "header: --vars and --repeat begin at 1\n");
        code = BENCH_USAGE;
    }
    if (code == BENCH_GO)
        run(&s, rank == 0);
    MPI_Finalize();
    return code == BENCH_USAGE ? 2 : 0;
}
