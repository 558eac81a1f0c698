/* Fixes that each way to write and read a file also works for files of a set: two generations of three files,
 * on all ranks and on the halves of them, by parcdf_set_begin and by hints alone; then the newest complete
 * generation, the values of all its files and the names are as they should be, for the library and for
 * `parcdf restart --json`.
 *
 *   set_features PARCDF FOLDER [ROW] */
#include <sys/stat.h>
#include "setcase.h"

enum {
    REDEF = 1,       /* in the middle of each file */
    INDEPENDENT = 2, /* puts in independent mode */
    NOCLOBBER = 4,
    FOLDERS = 8,      /* each file in a folder of its own */
    DELETE = 16,      /* a name is deleted between the generations */
    ABORT = 32,       /* one file of the second generation */
    SECOND = 64,      /* the hints are for the second generation alone */
    BY_HINT = 128,    /* another file has a name; who reads gives the hint */
    STAGE = 256,      /* logs in DIR/stage */
    ENVIRONMENT = 512 /* all hints by PNETCDF_HINTS */
};
static const struct row {
    const char *name, *hints;
    int flags;
    int step; /* the newest one in the end */
} rows[] = {
    { "plain", "", 0, 2 },
    { "puts that wait", "pcdf_async=1048576", 0, 2 },
    { "puts that wait, no room", "pcdf_async=4096;pcdf_debug_async_rate=1", 0, 2 },
    { "close in the background", "pcdf_async=1048576;pcdf_async_close=true", 0, 2 },
    { "deferred puts", "pcdf_defer=1048576", 0, 2 },
    { "logs of puts", "pcdf_async=4096;pcdf_debug_async_rate=1", STAGE, 2 },
    { "atomic create", "pcdf_atomic_create=true", 0, 2 },
    { "no clones", "pcdf_debug_clone=off", 0, 2 },
    { "verified reads", "pcdf_verify=true", 0, 2 },
    { "streaming", "pcdf_streaming=true", 0, 2 },
    { "whole records", "pcdf_commit=step", 0, 2 },
    { "counted at sync", "pcdf_commit=record", 0, 2 },
    { "engine posix", "pcdf_engine=posix", 0, 2 },
    { "engine mpiio", "pcdf_engine=mpiio", 0, 2 },
    { "engine memory", "pcdf_engine=memory", SECOND, 1 },
    { "independent strategy", "pcdf_debug_strategy=independent", 0, 2 },
    { "two-phase strategy", "pcdf_debug_strategy=two-phase", 0, 2 },
    { "file views", "pcdf_debug_strategy=views;pcdf_engine=mpiio", 0, 2 },
    { "no clobber", "", NOCLOBBER, 1 },
    { "other folders", "", FOLDERS, 2 },
    { "a name is deleted", "", DELETE, 2 },
    { "abort", "", ABORT, 1 },
    { "redef", "", REDEF, 2 },
    { "redef, puts that wait", "pcdf_async=1048576", REDEF, 2 },
    { "opened by the hint", "", BY_HINT, 2 },
    { "the environment alone", "", ENVIRONMENT, 2 },
    { "independent mode", "", INDEPENDENT, 2 },
    { "independent mode, puts that wait", "pcdf_async=1048576", INDEPENDENT, 2 },
    { "independent mode, deferred", "pcdf_defer=1048576", INDEPENDENT, 2 },
};
static char top[512];
static MPI_Comm half;
static bool by_hints;

/* The hints of a row, and what says of which generation a file is. */
static MPI_Info info_of(const struct row *r, int step, char *text, size_t size)
{
    MPI_Info info;
    size_t n = (size_t)snprintf(text, size, "pcdf_set=%s keep=2", by_hints ? set : "");
    if (by_hints)
        n += (size_t)snprintf(text + n, size - n, " files=3 step=%06d job=a job", step);
    if (!(r->flags & SECOND) || step == 2)
        n += (size_t)snprintf(text + n, size - n, "%s%s", *r->hints ? ";" : "", r->hints);
    if (r->flags & STAGE)
        snprintf(text + n, size - n, ";pcdf_stage_dir=%s/stage", dir);
    if (r->flags & ENVIRONMENT) {
        setenv("PNETCDF_HINTS", text, 1);
        return MPI_INFO_NULL;
    }
    MPI_Info_create(&info);
    for (char *rest = NULL, *p = strtok_r(text, ";", &rest); p; p = strtok_r(NULL, ";", &rest)) {
        char *value = strchr(p, '=');
        *value++ = '\0';
        MPI_Info_set(info, p, value);
    }
    return info;
}

static int put_records(int id, int var, int which, int step, int from, int end, int rank, bool alone)
{
    static int values[PER_RANK];
    int err = NC_NOERR;
    for (MPI_Offset r = from; r < end && !err; r++) {
        MPI_Offset start[2] = { r, (MPI_Offset)rank * PER_RANK }, count[2] = { 1, PER_RANK };
        for (int i = 0; i < PER_RANK; i++)
            values[i] = value_of(step, which, r, start[1] + i);
        err = alone ? ncmpi_put_vara_int(id, var, start, count, values)
                    : ncmpi_put_vara_int_all(id, var, start, count, values);
    }
    return err;
}

static int write_file(MPI_Comm comm, MPI_Info info, const struct row *r, int which, int step)
{
    int id, var, rank, size, err, closed;
    bool alone = r->flags & INDEPENDENT, aborts = (r->flags & ABORT) && step == 2 && which == 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int mode = NC_64BIT_DATA | (r->flags & NOCLOBBER ? NC_NOCLOBBER : NC_CLOBBER);
    err = ncmpi_create(comm, paths[which], mode, info, &id);
    if (err)
        return err;
    err = define_file(id, size, &var);
    if (alone)
        err = err ? err : ncmpi_begin_indep_data(id);
    err = err ? err : put_records(id, var, which, step, 0, 1, rank, alone);
    if (alone)
        err = err ? err : ncmpi_end_indep_data(id);
    if (r->flags & REDEF) {
        err = err ? err : ncmpi_redef(id);
        err = err ? err : ncmpi_put_att_text(id, NC_GLOBAL, "a long attribute", 2000, (char[2000]){ 'a' });
        err = err ? err : ncmpi_enddef(id);
    }
    err = err ? err : put_records(id, var, which, step, 1, RECORDS, rank, false);
    closed = aborts ? ncmpi_abort(id) : ncmpi_close(id);
    return err ? err : closed;
}

/* Did every call of every rank succeed? */
static bool write_generation(const struct row *r, int step)
{
    char text[2000];
    int err = NC_NOERR, end = NC_NOERR;
    MPI_Info info = info_of(r, step, text, sizeof text);
    snprintf(text, sizeof text, "%06d", step);
    if (!by_hints)
        err = parcdf_set_begin(MPI_COMM_WORLD, set, text, info);
    for (int i = 0; i < FILES; i++)
        if (i == 0 || my_size == 1 || my_rank % 2 == i - 1) {
            int one = write_file(i == 0 ? MPI_COMM_WORLD : half, info, r, i, step);
            err = err ? err : one;
        }
    if (!by_hints)
        end = parcdf_set_commit(MPI_COMM_WORLD);
    int waited = parcdf_wait(NULL);
    CHECK(is_same(end), "%s: commit gives %d here, something else on another rank", orders, end);
    CHECK(r->step < step || (!err && !end && !waited), "%s, step %d: %d, commit %d, wait %d: %s", orders,
          step, err, end, waited, parcdf_last_error());
    CHECK(r->step == step || step == 1 || by_hints || end, "%s, step %d: commit succeeds", orders, step);
    unsetenv("PNETCDF_HINTS");
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    MPI_Barrier(MPI_COMM_WORLD);
    return together_all(!err && !end && !waited);
}

static void check(const struct row *r, const char *when, int step)
{
    CHECK_INT(find_newest(when), step);
    if (my_rank == 0)
        compare_program(when, step);
    if (my_rank == 0 && !((r->flags & DELETE) && step == 1))
        check_names(when, step);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A file that somebody puts in the place of a name is read, or the member, by the hint. */
static void check_hint(void)
{
    int id, x;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_set", set);
    if (my_rank == 0) {
        (void)unlink(paths[0]);
        CHECK_NC(ncmpi_create(MPI_COMM_SELF, paths[0], NC_CLOBBER, MPI_INFO_NULL, &id), NC_NOERR);
        CHECK_NC(ncmpi_def_dim(id, "another", 5, &x), NC_NOERR);
        CHECK_NC(ncmpi_close(id), NC_NOERR);
        CHECK(wrong_values(paths[0], 0, 2) != 0, "%s: without the hint the name is read", orders);
        reading = info;
        check_names("by the hint", 2);
        reading = MPI_INFO_NULL;
    }
    MPI_Info_free(&info);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void begin_row(const struct row *r, int number)
{
    snprintf(orders, sizeof orders, "%s, %s, %d ranks", r->name, by_hints ? "hints" : "calls", my_size);
    snprintf(dir, sizeof dir, "%s/%d.%d", top, number, by_hints);
    name_files();
    if (my_rank == 0)
        CHECK(mkdir(dir, 0777) == 0, "%s", dir);
    for (int i = 0; i < FILES && (r->flags & (FOLDERS | STAGE)); i++) {
        char folder[800];
        snprintf(folder, sizeof folder, r->flags & STAGE ? "%s/stage" : "%s/%d", dir, i);
        if (my_rank == 0)
            (void)mkdir(folder, 0777);
        if (r->flags & FOLDERS)
            snprintf(paths[i], sizeof paths[i], "%s/%s.nc", folder, names[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    alarm(60);
}

static void run(const struct row *r, int number)
{
    char command[1600];
    begin_row(r, number);
    (void)write_generation(r, 1);
    check(r, "after the first", 1);
    if ((r->flags & DELETE) && my_rank == 0)
        CHECK_NC(ncmpi_delete(paths[0], MPI_INFO_NULL), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (r->flags & DELETE)
        check(r, "without a name", 1);
    (void)write_generation(r, 2);
    if (strstr(r->hints, "pcdf_verify")) {
        MPI_Info_create(&reading);
        MPI_Info_set(reading, "pcdf_verify", "true");
    }
    check(r, "after the second", r->step);
    if (reading != MPI_INFO_NULL)
        MPI_Info_free(&reading);
    reading = MPI_INFO_NULL;
    if (r->flags & BY_HINT)
        check_hint();
    if (my_rank == 0 && (r->flags & STAGE)) {
        snprintf(command, sizeof command, "test -z \"$(ls -A '%s/stage')\"", dir);
        CHECK(system(command) == 0, "%s: logs are left", orders);
    }
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    if (my_rank == 0)
        CHECK(system(command) == 0, "%s", command);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- two sets at once: their files are open together, by hints */

static int create_one(const char *path, const char *of, int step)
{
    int id = -1, dims[2], var;
    char text[1700];
    MPI_Info info;
    MPI_Info_create(&info);
    snprintf(text, sizeof text, "%s step=%06d", of, step);
    MPI_Info_set(info, "pcdf_set", text);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, info, &id), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(id, "t", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(id, "x", (MPI_Offset)PER_RANK * my_size, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(id, "v", NC_INT, 2, dims, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(id), NC_NOERR);
    MPI_Info_free(&info);
    return id;
}

static void two_sets(void)
{
    enum { SETS = 2, EACH = 2 };
    char of[SETS][800], path[SETS][EACH][900], report[4096];
    int ids[SETS][EACH];
    snprintf(orders, sizeof orders, "two sets at once, %d ranks", my_size);
    for (int s = 0; s < SETS; s++) {
        snprintf(of[s], sizeof of[s], "%s/set%d", top, s);
        for (int i = 0; i < EACH; i++)
            snprintf(path[s][i], sizeof path[s][i], "%s/file%d.%d.nc", top, s, i);
    }
    for (int i = 0; i < EACH; i++)
        for (int s = 0; s < SETS; s++)
            ids[s][i] = create_one(path[s][i], of[s], 1 + s);
    for (int i = 0; i < EACH; i++)
        for (int s = 0; s < SETS; s++) {
            CHECK_NC(put_records(ids[s][i], 0, 0, 1 + s, 0, RECORDS, my_rank, false), NC_NOERR);
            CHECK_NC(ncmpi_close(ids[s][i]), NC_NOERR);
            long long generation = 0, want = i == EACH - 1;
            int err = parcdf_restart_find(MPI_COMM_WORLD, of[s], PARCDF_RESTART_VERIFY, &generation, report,
                                          sizeof report);
            CHECK_NC(err, want ? NC_NOERR : NC_ENOENT);
            CHECK_INT(generation, want);
        }
    for (int i = 0; i < EACH && my_rank == 0; i++)
        for (int s = 0; s < SETS; s++)
            CHECK_INT(wrong_values(path[s][i], 0, 1 + s), 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- a reader that looked before: on NFS, its node keeps what the folder had then */

static void look_again(void)
{
    char report[4096];
    long long generation;
    const struct row r = { "a reader that looked before", "", 0, 3 };
    int reader = my_size - 1;
    by_hints = false;
    begin_row(&r, 1000);
    for (int step = 0; step <= r.step; step++) {
        if (step > 0 && my_rank == 0) {
            char text[32];
            snprintf(text, sizeof text, "%06d", step);
            CHECK_NC(parcdf_set_begin(MPI_COMM_SELF, set, text, MPI_INFO_NULL), NC_NOERR);
            CHECK_NC(write_file(MPI_COMM_SELF, MPI_INFO_NULL, &r, 0, step), NC_NOERR);
            CHECK_NC(parcdf_set_commit(MPI_COMM_SELF), NC_NOERR);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        generation = 0;
        if (my_rank == reader) {
            int err = parcdf_restart_find(MPI_COMM_SELF, set, PARCDF_RESTART_VERIFY, &generation, report,
                                          sizeof report);
            CHECK_NC(err, step ? NC_NOERR : NC_ENOENT);
            CHECK_INT(generation, step);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    char command[600];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &my_size);
    parcdf = argc > 1 ? argv[1] : "parcdf";
    snprintf(top, sizeof top, "%s/set_features.XXXXXX", argc > 2 ? argv[2] : ".");
    if (my_rank == 0 && !mkdtemp(top))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(top, sizeof top, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, my_rank % 2, my_rank, &half);
    for (int hints = 0; hints < 2; hints++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            by_hints = hints;
            if (argc < 4 || strcmp(argv[3], rows[i].name) == 0)
                run(&rows[i], (int)i);
        }
    two_sets();
    look_again();
    MPI_Comm_free(&half);
    snprintf(command, sizeof command, "rm -rf '%s'", top);
    if (my_rank == 0)
        CHECK(system(command) == 0, "%s", command);
    snprintf(my_path, sizeof my_path, "%s", "");
    return together_end("set_features");
}
