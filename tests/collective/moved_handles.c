/* Fixes that an open handle stays with its file when the working folder changes, when the file or its folder
 * is renamed, when another file gets its name, and when it has no name any more: a sync, an enddef that moves
 * data, a put through views, an atomic create, checksums and the close do what they do without that, and the
 * other file stays as it is. */

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include "together.h"

enum { VALUES = 4096 };

static char folder[1024];

static void start_again(void)
{
    char order[2048];
    snprintf(order, sizeof order, "rm -rf '%.900s/row' && mkdir -p '%.900s/row/dir'", folder, folder);
    CHECK(!chdir(folder), "%s", folder);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK(system(order) == 0, "%s", order);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!chdir("row"), "row");
}

/* ---- what happens, by rank 0, in the folder `row` */

static void nothing(void) {}

static void renamed(void)
{
    CHECK(!rename("dir/a.nc", "b.nc"), "rename");
}

static void folder_renamed(void)
{
    CHECK(!rename("dir", "other"), "rename");
}

static void linked(void)
{
    CHECK(!link("dir/a.nc", "dir/b.nc") && !unlink("dir/a.nc"), "link");
}

static void replaced(void)
{
    CHECK(!rename("dir/a.nc", "b.nc"), "rename");
    int fd = open("dir/a.nc", O_CREAT | O_WRONLY, 0600);
    CHECK(fd >= 0 && write(fd, "another", 7) == 7, "another file");
    close(fd);
}

static void removed(void)
{
    CHECK(!unlink("dir/a.nc"), "unlink");
}

static const struct row {
    const char *when;
    void (*happens)(void);
    const char *goes_to; /* the working folder of all ranks, then */
    const char *found;   /* from there; NULL: nowhere */
    const char *hint, *value;
} rows[] = {
    { "chdir", nothing, "/", "dir/a.nc", "pcdf_debug_journal", "auto" },
    { "chdir, atomic", nothing, "/", "dir/a.nc", "pcdf_atomic_create", "true" },
    { "chdir, checksums", nothing, "/", "dir/a.nc", "pcdf_checksum", "crc32c" },
    { "chdir, views", nothing, "/", "dir/a.nc", "pcdf_debug_strategy", "views" },
    { "renamed", renamed, ".", "b.nc", "pcdf_debug_journal", "auto" },
    { "renamed, checksums", renamed, ".", "b.nc", "pcdf_checksum", "crc32c" },
    { "renamed, views", renamed, ".", "b.nc", "pcdf_debug_strategy", "views" },
    { "renamed, MPI-IO", renamed, ".", "b.nc", "pcdf_engine", "mpiio" },
    { "its folder renamed", folder_renamed, ".", "other/a.nc", "pcdf_debug_journal", "auto" },
    { "its folder renamed, atomic", folder_renamed, ".", "other/a.nc", "pcdf_atomic_create", "true" },
    { "its folder renamed, checksums", folder_renamed, ".", "other/a.nc", "pcdf_checksum", "crc32c" },
    { "linked, its first name removed", linked, ".", "dir/b.nc", "pcdf_debug_journal", "auto" },
    { "another has its name", replaced, ".", "b.nc", "pcdf_debug_journal", "auto" },
    { "another has its name, checksums", replaced, ".", "b.nc", "pcdf_checksum", "crc32c" },
    { "another has its name, views", replaced, ".", "b.nc", "pcdf_debug_strategy", "views" },
    { "removed", removed, ".", NULL, "pcdf_debug_journal", "auto" },
    { "removed, checksums", removed, ".", NULL, "pcdf_checksum", "crc32c" },
};

/* Value i of variable `var` of this rank. */
static int value_of(int var, int i)
{
    return 100000 * (var + 1) + my_rank * VALUES + i;
}

static void put_as(int ncid, int varid, int var, const char *when)
{
    static int values[VALUES];
    const MPI_Offset at[1] = { (MPI_Offset)my_rank * VALUES }, n[1] = { VALUES };
    for (int i = 0; i < VALUES; i++)
        values[i] = value_of(var, i);
    int err = ncmpi_put_vara_int_all(ncid, varid, at, n, values);
    CHECK(!err, "%s: put %d: %s", when, varid, parcdf_last_error());
}

static void put(int ncid, int var, const char *when)
{
    put_as(ncid, var, var, when);
}

static bool verifies(int ncid)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0;
    MPI_Info info;
    if (ncmpi_inq_file_info(ncid, &info))
        return false;
    MPI_Info_get(info, "pcdf_verify", MPI_MAX_INFO_VAL, value, &found);
    MPI_Info_free(&info);
    return !strcmp(value, "true");
}

static void look(const struct row *r)
{
    static int values[VALUES];
    char path[2048];
    int ncid;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_verify", "true");
    snprintf(path, sizeof path, "%.900s/row/%s", folder, r->found);
    int err = ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, info, &ncid);
    CHECK(!err, "%s: %s", r->when, parcdf_last_error());
    MPI_Info_free(&info);
    if (err)
        return;
    if (!strcmp(r->hint, "pcdf_checksum"))
        CHECK(verifies(ncid), "%s: the checksums are not those of the file", r->when);
    for (int var = 0; var < 3; var++) {
        int bad = 0;
        const MPI_Offset at[1] = { (MPI_Offset)my_rank * VALUES }, n[1] = { VALUES };
        CHECK_NC(ncmpi_get_vara_int_all(ncid, var, at, n, values), NC_NOERR);
        for (int i = 0; i < VALUES; i++)
            bad += values[i] != value_of(var, i);
        CHECK(!bad, "%s: %d values of variable %d are wrong", r->when, bad, var);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Definitions that move the data of the variables before. */
static void define_more(int ncid, const char *name, const char *when)
{
    static char text[8192];
    int dim, var, err = ncmpi_redef(ncid);
    memset(text, 'x', sizeof text - 1);
    CHECK(!err, "%s: redef: %s", when, parcdf_last_error());
    CHECK_NC(ncmpi_inq_dimid(ncid, "x", &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, name, NC_INT, 1, &dim, &var), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, var, "long", sizeof text - 1, text), NC_NOERR);
    err = ncmpi_enddef(ncid);
    CHECK(!err, "%s: enddef: %s", when, parcdf_last_error());
}

static void run(const struct row *r)
{
    int ncid, dim, var, err;
    struct stat st;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, r->hint, r->value);
    start_again();
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, "dir/a.nc", NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "x", (MPI_Offset)my_size * VALUES, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        r->happens();
    CHECK(!chdir(r->goes_to), "%s", r->goes_to);
    MPI_Barrier(MPI_COMM_WORLD);
    put(ncid, var, r->when);
    err = ncmpi_sync(ncid);
    CHECK(!err, "%s: sync: %s", r->when, parcdf_last_error());
    define_more(ncid, "w", r->when);
    put(ncid, 1, r->when);
    err = ncmpi_sync(ncid);
    CHECK(!err, "%s: sync again: %s", r->when, parcdf_last_error());
    define_more(ncid, "z", r->when);
    put(ncid, 2, r->when);
    err = ncmpi_close(ncid);
    CHECK(!err, "%s: close: %s", r->when, parcdf_last_error());
    MPI_Barrier(MPI_COMM_WORLD);
    if (r->found)
        look(r);
    if (r->happens == replaced)
        CHECK(!stat("dir/a.nc", &st) && st.st_size == 7, "%s: the other file was changed", r->when);
    if (r->happens == removed)
        CHECK(stat("dir/a.nc", &st) != 0, "%s: the file is back", r->when);
}

static int make(const char *name, int var)
{
    int ncid, dim, id;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_checksum", "crc32c");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, name, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "x", (MPI_Offset)my_size * VALUES, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &id), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    put_as(ncid, id, var, name);
    return ncid;
}

static void check_values(const char *hint, int omode, int var, const char *when)
{
    static int values[VALUES];
    const MPI_Offset at[1] = { (MPI_Offset)my_rank * VALUES }, n[1] = { VALUES };
    int ncid, bad = 0;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, hint, strcmp(hint, "pcdf_verify") ? "crc32c" : "true");
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, "dir/a.nc", omode, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_get_vara_int_all(ncid, 0, at, n, values), NC_NOERR);
    for (int i = 0; i < VALUES; i++)
        bad += values[i] != value_of(var, i);
    CHECK(!bad, "%s: %d values are wrong", when, bad);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Another file is renamed over one with checksums, which are not its own: none of its values are wrong for
 * them, neither those that the name had nor those of a handle that still writes the old file. */
static void renamed_over(bool is_open)
{
    const char *when = is_open ? "renamed over an open file" : "renamed over a file";
    start_again();
    int ncid = make("dir/a.nc", 0);
    if (!is_open)
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(make("b.nc", 1)), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK(!rename("b.nc", "dir/a.nc"), "rename");
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_open)
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    check_values("pcdf_verify", NC_NOWRITE, 1, when);
    check_values("pcdf_checksum", NC_WRITE, 1, when); /* new ones, which are its own */
    check_values("pcdf_verify", NC_NOWRITE, 1, when);
}

/* A copy whose time is cut to seconds, and whose last byte differs. */
static void root_copy_with_damage(void)
{
    struct stat st;
    CHECK(!system("cp dir/a.nc dir/copy"), "cp");
    CHECK(!stat("dir/a.nc", &st), "stat");
    int fd = open("dir/copy", O_RDWR);
    unsigned char last;
    CHECK_INT(pread(fd, &last, 1, st.st_size - 1), 1);
    last ^= 1;
    CHECK_INT(pwrite(fd, &last, 1, st.st_size - 1), 1);
    const struct timespec times[2] = { { .tv_sec = st.st_mtime }, { .tv_sec = st.st_mtime } };
    CHECK(!futimens(fd, times) && !close(fd), "futimens");
    CHECK(!rename("dir/copy", "dir/a.nc"), "rename");
}

/* The sums of a file are for its copies, too, also where a copy keeps times in seconds. */
static void copied(void)
{
    static int values[VALUES];
    const MPI_Offset at[1] = { (MPI_Offset)my_rank * VALUES }, n[1] = { VALUES };
    int ncid, is_told;
    MPI_Info info;
    start_again();
    CHECK_NC(ncmpi_close(make("dir/a.nc", 0)), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        root_copy_with_damage();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_verify", "true");
    int err = ncmpi_open(MPI_COMM_WORLD, "dir/a.nc", NC_NOWRITE, info, &ncid); /* reads the first block */
    MPI_Info_free(&info);
    if (!err) {
        err = ncmpi_get_vara_int_all(ncid, 0, at, n, values);
        (void)ncmpi_close(ncid);
    }
    is_told = err == NC_EREAD;
    MPI_Allreduce(MPI_IN_PLACE, &is_told, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(is_told, "a damaged copy with times in seconds is read without an error");
}

/* An aborted file goes, under the name that it has; what has the name that it had stays. */
static void aborted(void)
{
    int ncid;
    struct stat st;
    start_again();
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, "dir/a.nc", NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        replaced();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_abort(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!stat("dir/a.nc", &st) && st.st_size == 7, "abort removed another file");
    CHECK(stat("b.nc", &st) != 0, "the aborted file is there");
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    char here[512];
    together_begin(&argc, &argv, "moved_handles", 120);
    const char *base = argc > 1 ? argv[1] : getcwd(here, sizeof here);
    snprintf(folder, sizeof folder, "%.500s/moved_handles.XXXXXX", base);
    if (my_rank == 0)
        CHECK(mkdtemp(folder) != NULL, "%s", folder);
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        run(&rows[i]);
    renamed_over(false);
    renamed_over(true);
    copied();
    aborted();
    CHECK(!chdir("/"), "/");
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(my_path, sizeof my_path, "rm -rf '%.900s'", folder);
    if (my_rank == 0)
        CHECK(system(my_path) == 0, "%s", my_path);
    my_path[0] = '\0';
    return together_end("moved_handles");
}
