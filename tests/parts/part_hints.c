/* A file with the hints of every part, in a library that has the parts named in the arguments: the parts that
 * are there work, hints of the others have no effect and are reported so, and what is put is found. One rank;
 * border_test.py runs it with libraries that lack parts, and looks at the sentences and the bytes. */
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>
#include "together.h"

static char **built; /* ends with NULL */

static bool has(const char *part)
{
    for (char **name = built; *name; name++)
        if (strcmp(*name, part) == 0)
            return true;
    return false;
}

static MPI_Info all_hints(void)
{
    static const char *const hints[][2] = {
        { "pcdf_checksum", "crc32c" },    { "pcdf_verify", "true" },      { "pcdf_debug_clone", "off" },
        { "pcdf_atomic_create", "true" }, { "pcdf_set", "keep=3" },       { "pcdf_commit", "step" },
        { "pcdf_async", "4M" },           { "pcdf_async_close", "true" }, { "pcdf_debug_unwritten", "true" },
        { "pcdf_compress", "zstd:1" }
    };
    char log[1100];
    MPI_Info info;
    MPI_Info_create(&info);
    snprintf(log, sizeof log, "%s.log", my_path);
    MPI_Info_set(info, "pcdf_trace", log);
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        MPI_Info_set(info, hints[i][0], hints[i][1]);
    return info;
}

static void make(const char *path, MPI_Info info, bool in_set)
{
    static const int values[4] = { 1, 2, 3, 4 };
    int ncid, x, v;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, info, &ncid), NC_NOERR);
    CHECK_INT(access(path, F_OK) != 0, has("atomic")); /* it has its name only in the end */
    together_check_hint(ncid, "pcdf_checksum", has("checksums") ? "crc32c" : "none");
    together_check_hint(ncid, "pcdf_atomic_create", has("atomic") ? "true" : "false");
    together_check_hint(ncid, "pcdf_debug_clone", has("clones") ? "off" : "auto");
    together_check_hint(ncid, "pcdf_commit",
                        has("steps") ? "step" : "close"); /* as durable, without the records */
    together_check_hint(ncid, "pcdf_async", has("queue") ? "4194304" : "0");
    together_check_hint(ncid, "pcdf_async_close", has("closing") ? "true" : "false");
    together_check_hint(ncid, "pcdf_debug_unwritten", has("unwritten") ? "true" : "false");
    together_check_hint(ncid, "pcdf_compress", "none"); /* a classic file has none */
    together_check_hint(ncid, "pcdf_set", in_set ? "keep=3" : "none");
    CHECK_NC(ncmpi_def_dim(ncid, "x", 4, &x), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &x, &v), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var_int_all(ncid, v, values), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(parcdf_wait(path), NC_NOERR);
}

static void look(MPI_Info info)
{
    char sums[1100], log[1100];
    const char *slash = strrchr(my_path, '/');
    snprintf(log, sizeof log, "%s.log.0", my_path);
    CHECK_INT(access(log, F_OK) == 0, has("calllog"));
    int ncid, got[4] = { 0 };
    snprintf(sums, sizeof sums, "%.*s.%s.parcdf-sums", (int)(slash + 1 - my_path), my_path, slash + 1);
    CHECK_INT(access(sums, F_OK) == 0, has("checksums"));
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, info, &ncid), NC_NOERR);
    together_check_hint(ncid, "pcdf_verify", has("checksums") ? "true" : "false");
    CHECK_NC(ncmpi_get_var_int_all(ncid, 0, got), NC_NOERR);
    for (int i = 0; i < 4; i++)
        CHECK_INT(got[i], i + 1);
    CHECK_NC(parcdf_refresh(ncid), has("follow") ? NC_NOERR : NC_ENOTBUILT);
    if (!has("follow")) /* a part without hints, of which the library says nothing by itself */
        fprintf(stderr, "%s\n", parcdf_last_error());
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* A file whose puts go by a queue, and by logs of the folder where it is. */
static void make_logged(void)
{
    static const int values[4] = { 1, 2, 3, 4 };
    char path[1100], folder[1100];
    int ncid, x, v;
    MPI_Info info;
    snprintf(path, sizeof path, "%s.logged", my_path);
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(my_path, '/') - my_path), my_path);
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_async", "1M");
    MPI_Info_set(info, "pcdf_stage_dir", folder);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, info, &ncid), NC_NOERR);
    together_check_hint(ncid, "pcdf_stage_dir", has("staging") ? folder : "none");
    CHECK_NC(ncmpi_def_dim(ncid, "x", 4, &x), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &x, &v), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var_int_all(ncid, v, values), NC_NOERR);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Info_free(&info);
}

/* A generation of one file. */
static void make_set(MPI_Info info)
{
    char set[1100], member[1200];
    long long generation = 0;
    int want = has("sets") ? NC_NOERR : NC_ENOTBUILT;
    snprintf(set, sizeof set, "%s.set", my_path);
    CHECK_INT(mkdir(set, 0777), 0);
    snprintf(member, sizeof member, "%s/member.nc", set);
    strcat(set, "/model");
    CHECK_NC(parcdf_set_begin(MPI_COMM_WORLD, set, "1", MPI_INFO_NULL), want);
    if (has("sets"))
        make(member, info, true);
    CHECK_NC(parcdf_set_commit(MPI_COMM_WORLD), want);
    CHECK_NC(parcdf_restart_find(MPI_COMM_WORLD, set, 0, &generation, NULL, 0), want);
    CHECK_INT(generation, has("sets") ? 1 : 0);
    CHECK_NC(parcdf_set_abort(MPI_COMM_WORLD), has("sets") ? NC_EINVAL : NC_ENOTBUILT);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    snprintf(my_path, sizeof my_path, "%s", argv[1]);
    built = argv + 2;
    MPI_Info info = all_hints();
    make(my_path, info, false);
    look(info);
    make_logged();
    make_set(info);
    MPI_Info_free(&info);
    MPI_Finalize();
    return check_done("part_hints");
}
