/* STREAMING files (hint pcdf_streaming) and what else decides when a file, or a record, is there: abort,
 * before and after the first enddef, and in a redef; atomic create, whose old file stays until close or sync,
 * and after an abort; a set; and pcdf_commit=step, which is close for them: a record counts when its last
 * value is there, and not before. */
#include <dirent.h>
#include <sys/stat.h>
#include "together.h"

enum { X = 12 };

static MPI_Info hints(const char *name, const char *value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_streaming", "true");
    if (name)
        MPI_Info_set(info, name, value);
    return info;
}

static int create(const char *name, const char *value)
{
    int ncid = -1, dims[2], var;
    MPI_Info info = hints(name, value);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", X, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "a", NC_INT, 2, dims, &var), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "b", NC_SHORT, 2, dims, &var), NC_NOERR);
    return ncid;
}

/* Each rank its part of a record of one variable. */
static void put_one(int ncid, int var, MPI_Offset record, int value)
{
    int values[X];
    MPI_Offset start[2] = { record, X * my_rank / my_size },
               count[2] = { 1, X * (my_rank + 1) / my_size - X * my_rank / my_size };
    for (int i = 0; i < X; i++)
        values[i] = value + (int)record;
    CHECK_NC(ncmpi_put_vara_int_all(ncid, var, start, count, values), NC_NOERR);
}

static void put(int ncid, MPI_Offset record, int value)
{
    put_one(ncid, 0, record, value);
    put_one(ncid, 1, record, value);
}

static int written(const char *name, const char *hint, int records, int value)
{
    int ncid = create(name, hint);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int r = 0; r < records; r++)
        put(ncid, r, value);
    return ncid;
}

/* By another handle: so many records, of these values, and the header leaves the count to the size. */
static void expect(const char *when, int records, int value, const char *hint)
{
    int ncid, got[X], bad = 0;
    MPI_Offset have = -1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Info info = hints(hint, "true");
    CHECK_NC(ncmpi_open(MPI_COMM_SELF, my_path, NC_NOWRITE, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_inq_dimlen(ncid, 0, &have), NC_NOERR);
    CHECK(have == records, "%s: %lld records, not %d", when, (long long)have, records);
    for (MPI_Offset r = 0; r < have; r++)
        for (int var = 0; var < 2; var++) {
            MPI_Offset start[2] = { r, 0 }, count[2] = { 1, X };
            CHECK_NC(ncmpi_get_vara_int_all(ncid, var, start, count, got), NC_NOERR);
            for (int i = 0; i < X; i++)
                bad += got[i] != value + (int)r;
        }
    CHECK(bad == 0, "%s: %d values are wrong", when, bad);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    unsigned char head[12] = { 0 };
    FILE *f = fopen(my_path, "rb");
    CHECK(f && fread(head, 1, sizeof head, f) == sizeof head, "%s: no header", when);
    for (int i = 4; i < 12; i++)
        CHECK(head[i] == 0xff, "%s: byte %d of the header is %d", when, i, head[i]);
    if (f)
        fclose(f);
    MPI_Barrier(MPI_COMM_WORLD);
}

static int names_like(const char *folder, const char *text)
{
    int n = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        n += strstr(e->d_name, text) != NULL;
    if (dir)
        closedir(dir);
    return n;
}

/* ---- */

static void aborts(void)
{
    struct stat st;
    int ncid, dims[2] = { 0, 1 }, var;
    CHECK_NC(ncmpi_abort(create(NULL, NULL)), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(stat(my_path, &st) != 0, "the file that was aborted is there");
    MPI_Barrier(MPI_COMM_WORLD);

    CHECK_NC(ncmpi_abort(written(NULL, NULL, 3, 100)), NC_NOERR); /* its definitions were confirmed */
    expect("abort in data mode", 3, 100, NULL);

    ncid = written(NULL, NULL, 3, 100);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "c", NC_DOUBLE, 2, dims, &var), NC_NOERR);
    CHECK_NC(ncmpi_abort(ncid), NC_NOERR);
    expect("abort in a redef", 3, 100, NULL);

    ncid = written(NULL, NULL, 2, 100);
    put_one(ncid, 0, 2, 100); /* half of a record; as close, abort makes the file as long as what was put */
    put_one(ncid, 1, 2, 100);
    put_one(ncid, 0, 3, 100);
    expect("half of a record", 3, 100, NULL);
    put_one(ncid, 1, 3, 100);
    CHECK_NC(ncmpi_abort(ncid), NC_NOERR);
    expect("abort after a record in two puts", 4, 100, NULL);
}

static void is_atomic(void)
{
    static const char hint[] = "pcdf_atomic_create";
    CHECK_NC(ncmpi_close(written(NULL, NULL, 2, 100)), NC_NOERR);
    int ncid = written(hint, "true", 5, 1000);
    expect("atomic create, before close", 2, 100, NULL);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    expect("atomic create, after close", 5, 1000, NULL);

    ncid = written(hint, "true", 3, 2000);
    CHECK_NC(ncmpi_abort(ncid), NC_NOERR);
    expect("atomic create, after abort", 5, 1000, NULL);

    ncid = written(hint, "true", 3, 3000);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    expect("atomic create, after sync", 3, 3000, NULL);
    put(ncid, 3, 3000);
    expect("atomic create, one more after sync", 4, 3000, NULL);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    expect("atomic create, in the end", 4, 3000, NULL);

    char folder[1024];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(my_path, '/') - my_path), my_path);
    CHECK_INT(names_like(folder, strrchr(my_path, '/') + 1), 1);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Its manifest has the records, and its checksums hold. */
static void in_set(void)
{
    char set[1100], report[4096];
    long long generation = 0;
    struct stat st;
    snprintf(set, sizeof set, "%s.set", my_path);
    if (my_rank == 0)
        (void)remove(my_path);
    int ncid = written("pcdf_set", set, 4, 500);
    CHECK(stat(my_path, &st) != 0, "the file of a set has its name before the commit");
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(
        parcdf_restart_find(MPI_COMM_WORLD, set, PARCDF_RESTART_VERIFY, &generation, report, sizeof report),
        NC_NOERR);
    CHECK(generation == 1 && strstr(report, my_path), "generation %lld: %s", generation, report);
    expect("of a set", 4, 500, "pcdf_verify");
}

static void steps(void)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int ncid = written("pcdf_commit", "step", 0, 0), found = 0;
    MPI_Info used;
    CHECK_NC(ncmpi_inq_file_info(ncid, &used), NC_NOERR);
    MPI_Info_get(used, "pcdf_commit", MPI_MAX_INFO_VAL, value, &found);
    MPI_Info_free(&used);
    CHECK(found && strcmp(value, "close") == 0, "pcdf_commit is %s", value);
    for (int r = 0; r < 5; r++) {
        put_one(ncid, 0, r, 700);
        expect("step, the first variable", r, 700, NULL);
        put_one(ncid, 1, r, 700);
        expect("step, all variables", r + 1, 700, NULL);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    expect("step, closed", 5, 700, NULL);
}

static void clean(void)
{
    char command[2300];
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0) {
        const char *name = strrchr(my_path, '/') + 1;
        int folder = (int)(name - my_path);
        snprintf(command, sizeof command, "rm -rf '%s' '%s'.set* '%.*s'.*'%s'*", my_path, my_path, folder,
                 my_path, name);
        CHECK_INT(system(command), 0);
    }
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "size_ends", 60);
    aborts();
    is_atomic();
    in_set();
    steps();
    clean();
    return together_end("size_ends");
}
