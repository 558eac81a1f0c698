/* A large header: many variables with three attributes each are defined, enddef and close end it; then the
 * file is opened and every name looked up, with type, dimensions and attributes. Timed, and everything found
 * is compared. */

#include <string.h>
#include <pnetcdf.h>
#include "timing.h"

enum phase { PHASE_DEFINE, PHASE_ENDDEF, PHASE_CLOSE, PHASE_OPEN, PHASE_LOOK_UP, PHASE_CLOSE_READ };

enum { NDIMS = 4, NATTS = 3 };

static const nc_type types[] = { NC_FLOAT, NC_DOUBLE, NC_INT, NC_SHORT };

struct settings {
    int64_t nvars, repeat;
    const char *folder;
    bool json;
};

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
    timing_start(t, PHASE_DEFINE);
    bench_check(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid),
                "creating", path);
    define(ncid, (int)s->nvars);
    timing_stop(t, PHASE_DEFINE);
    timing_start(t, PHASE_ENDDEF);
    bench_check(ncmpi_enddef(ncid), "enddef of", path);
    timing_stop(t, PHASE_ENDDEF);
    timing_start(t, PHASE_CLOSE);
    bench_check(ncmpi_close(ncid), "closing", path);
    timing_stop(t, PHASE_CLOSE);
}

static void read_file(const struct settings *s, const char *path, struct timing *t)
{
    int ncid, nvars;
    timing_start(t, PHASE_OPEN);
    bench_check(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), "opening", path);
    timing_stop(t, PHASE_OPEN);
    bench_check(ncmpi_inq_nvars(ncid, &nvars), "inquiring", path);
    if (nvars != s->nvars)
        bench_fail("%s has %d variables, not %lld", path, nvars, (long long)s->nvars);
    timing_start(t, PHASE_LOOK_UP);
    int64_t step = nvars % 7919 ? 7919 : 1; /* a prime: every name, but not in file order */
    for (int i = 0; i < nvars; i++)
        look_up(ncid, (int)(i * step % nvars));
    timing_stop(t, PHASE_LOOK_UP);
    timing_start(t, PHASE_CLOSE_READ);
    bench_check(ncmpi_close(ncid), "closing", path);
    timing_stop(t, PHASE_CLOSE_READ);
}

static void add_variables(struct bench_json *j, const void *settings)
{
    bench_json_int(j, "variables", ((const struct settings *)settings)->nvars);
}

static void run(const struct settings *s)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct timing t = { .names = { "define", "enddef", "close", "open", "look up", "close 2" },
                        .repeats = s->repeat };
    char path[BENCH_PATH], title[128];
    bench_path(path, s->folder, "header.nc");
    timing_begin(&t);
    for (; t.repeat < s->repeat; t.repeat++) {
        write_file(s, path, &t);
        read_file(s, path, &t);
        PMPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        bench_check(ncmpi_delete(path, MPI_INFO_NULL), "removing", path);
    snprintf(title, sizeof title, "header of %lld variables with %d attributes each", (long long)s->nvars,
             NATTS);
    timing_report(&t, "header", title, s->json, add_variables, s);
    timing_end(&t);
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
    int code = bench_begin(&argc, &argv, "header", "header: defines many variables, then looks every name up",
                           options, sizeof options / sizeof *options);
    if (code == BENCH_GO && (s.nvars < 1 || s.nvars > 10000000 || s.repeat < 1 || s.repeat > 10000))
        code = bench_misused("--vars and --repeat begin at 1");
    if (code == BENCH_GO)
        run(&s);
    return bench_end(code);
}
