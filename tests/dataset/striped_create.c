/* Fixes that striping hints can take effect: a file system stripes a file when it is made, so where MPI-IO
 * moves the bytes, and striping_factor or striping_unit is given, MPI_File_open is called with the hints
 * while the name is free, and makes the file. NC_CLOBBER and NC_NOCLOBBER mean what they always mean.
 * MPI_File_open is this program's own and hands on to the library's. Other hints for MPI-IO come to it as
 * they are, but for write sieving, which stays off. With posix
 * rank 0 alone lets MPI-IO make the file, unless the file system is local: this program's statfs says what it
 * is. */
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "together.h"

enum { LUSTRE = 0x0bd00bd0, EXT = 0xef53 };
static uint32_t fake; /* the file system; 0: the true one */

int statfs(const char *path, struct statfs *fs)
{
    int err = (int)syscall(SYS_statfs, path, fs);
    if (fake)
        fs->f_type = fake;
    return err;
}

int fstatfs(int fd, struct statfs *fs)
{
    int err = (int)syscall(SYS_fstatfs, fd, fs);
    if (fake)
        fs->f_type = fake;
    return err;
}

static struct {
    int calls, amode, ranks;
    bool existed, has_factor;
    char ds_write[16], cb_write[16], cb_nodes[16];
} seen; /* of the first MPI_File_open of a create, on rank 0 */

static void keep(MPI_Info info, const char *name, char *room)
{
    int found = 0;
    if (info != MPI_INFO_NULL)
        MPI_Info_get(info, name, 15, room, &found);
    if (!found)
        strcpy(room, "none");
}

int MPI_File_open(MPI_Comm comm, const char *name, int amode, MPI_Info info, MPI_File *file)
{
    struct stat st;
    char value[16] = "";
    if (seen.calls++ == 0) {
        const char *colon = strncmp(name, "ufs:", 4) == 0 ? name + 4 : name;
        seen.existed = stat(colon, &st) == 0; /* on rank 0: others come later, perhaps */
        seen.amode = amode;
        MPI_Comm_size(comm, &seen.ranks);
        int found = 0;
        if (info != MPI_INFO_NULL)
            MPI_Info_get(info, "striping_factor", 15, value, &found);
        seen.has_factor = found && strcmp(value, "4") == 0;
        keep(info, "romio_ds_write", seen.ds_write);
        keep(info, "romio_cb_write", seen.cb_write);
        keep(info, "cb_nodes", seen.cb_nodes);
    }
    return PMPI_File_open(comm, name, amode, info, file);
}

static int create(const char *path, int cmode, const char *name, const char *value)
{
    MPI_Info info;
    int ncid, dim, var, err, got = 0, want = 11;
    MPI_Info_create(&info);
    if (name)
        MPI_Info_set(info, name, value);
    MPI_Barrier(MPI_COMM_WORLD);
    memset(&seen, 0, sizeof seen);
    err = ncmpi_create(MPI_COMM_WORLD, path, cmode, info, &ncid);
    MPI_Info_free(&info);
    if (err)
        return err;
    CHECK_NC(ncmpi_def_dim(ncid, "x", 1, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var_int_all(ncid, var, &want), NC_NOERR);
    CHECK_NC(ncmpi_get_var_int_all(ncid, var, &got), NC_NOERR);
    CHECK_INT(got, want);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    return NC_NOERR;
}

static void check_seen(const char *when, bool existed)
{
    if (my_rank == 0) {
        CHECK(seen.existed == existed, "%s: the file was %sthere at MPI_File_open", when,
              existed ? "not " : "");
        CHECK((seen.amode & MPI_MODE_CREATE) != 0, "%s: MPI_File_open may not create", when);
    }
}

static void as_asked(const char *path)
{
    setenv("PNETCDF_HINTS", "pcdf_engine=mpiio", 1);
    CHECK_NC(create(path, NC_NOCLOBBER, "striping_factor", "4"), NC_NOERR);
    check_seen("new", false);
    CHECK(seen.has_factor, "striping_factor has not come to MPI_File_open");
    CHECK((seen.amode & MPI_MODE_EXCL) != 0, "NC_NOCLOBBER: two programs may make one file");
    CHECK_NC(create(path, NC_NOCLOBBER, "striping_factor", "4"), NC_EEXIST);
    CHECK_NC(create(path, NC_CLOBBER, "striping_unit", "65536"), NC_NOERR);
    check_seen("anew", false);
    CHECK((seen.amode & MPI_MODE_EXCL) == 0, "NC_CLOBBER is no NC_NOCLOBBER");
    CHECK_NC(create(path, NC_CLOBBER, "pcdf_engine", "mpiio"), NC_NOERR);
    check_seen("without a hint", true);
    unsetenv("PNETCDF_HINTS");
}

/* ROMIO's hints in the environment act as those of the program; Open MPI's own MPI-IO knows none of them. */
static void from_environment(const char *path)
{
    char hints[1100], version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    snprintf(hints, sizeof hints, "%s.hints", my_path);
    FILE *file = my_rank == 0 ? fopen(hints, "w") : NULL;
    if (file) {
        fputs("# of this site\nstriping_factor 4\n", file);
        fclose(file);
    }
    setenv("ROMIO_HINTS", hints, 1);
    MPI_Get_library_version(version, &length);
    CHECK_NC(create(path, NC_CLOBBER, "pcdf_engine", "mpiio"), NC_NOERR);
    check_seen("ROMIO_HINTS", strncmp(version, "Open MPI", 8) == 0);
    unsetenv("ROMIO_HINTS");
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(hints);
}

static void with_posix(const char *path)
{
    setenv("PNETCDF_HINTS", "pcdf_engine=posix", 1);
    fake = LUSTRE;
    CHECK_NC(create(path, NC_CLOBBER, "striping_factor", "4"), NC_NOERR);
    CHECK(seen.calls == (my_rank == 0) && (my_rank || seen.ranks == 1), "%d calls by %d ranks", seen.calls,
          seen.ranks);
    check_seen("posix", false);
    CHECK(my_rank || seen.has_factor, "striping_factor has not come to MPI_File_open");
    CHECK_NC(create(path, NC_NOCLOBBER, "striping_factor", "4"), NC_EEXIST);
    CHECK_NC(create(path, NC_CLOBBER, "start_iodevice", "2"), NC_NOERR);
    CHECK_INT(seen.calls, my_rank == 0);
    CHECK_NC(create(path, NC_CLOBBER, "cb_nodes", "2"), NC_NOERR);
    CHECK_INT(seen.calls, 0);
    setenv("PNETCDF_HINTS", "pcdf_engine=posix;pcdf_atomic_create=true", 1);
    CHECK_NC(create(path, NC_CLOBBER, "striping_unit", "65536"), NC_NOERR);
    CHECK_INT(seen.calls, my_rank == 0);
    unsetenv("PNETCDF_HINTS");
    fake = EXT;
    CHECK_NC(create(path, NC_CLOBBER, "striping_factor", "4"), NC_NOERR);
    CHECK_INT(seen.calls, 0);
    fake = 0;
}

static void other_hints(const char *path)
{
    setenv("PNETCDF_HINTS", "pcdf_engine=mpiio;romio_ds_write=enable;romio_cb_write=disable;cb_nodes=1", 1);
    CHECK_NC(create(path, NC_CLOBBER, NULL, NULL), NC_NOERR);
    CHECK(strcmp(seen.ds_write, "disable") == 0, "write sieving is %s", seen.ds_write);
    CHECK(strcmp(seen.cb_write, "disable") == 0, "romio_cb_write is %s", seen.cb_write);
    CHECK(strcmp(seen.cb_nodes, "1") == 0, "cb_nodes is %s", seen.cb_nodes);
    setenv("PNETCDF_HINTS", "pcdf_engine=mpiio", 1);
    CHECK_NC(create(path, NC_CLOBBER, NULL, NULL), NC_NOERR);
    CHECK(strcmp(seen.ds_write, "disable") == 0, "write sieving is %s by itself", seen.ds_write);
    CHECK(strcmp(seen.cb_write, "enable") == 0, "romio_cb_write is %s by itself", seen.cb_write);
    unsetenv("PNETCDF_HINTS");
}

static void through_link(void)
{
    char link[1100];
    struct stat st = { 0 };
    snprintf(link, sizeof link, "%s.link", my_path);
    if (my_rank == 0)
        CHECK_INT(symlink(strrchr(my_path, '/') + 1, link), 0);
    setenv("PNETCDF_HINTS", "pcdf_engine=mpiio", 1);
    CHECK_NC(create(link, NC_CLOBBER, "striping_factor", "4"), NC_NOERR);
    unsetenv("PNETCDF_HINTS");
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(lstat(link, &st) == 0 && S_ISLNK(st.st_mode), "the link has become a file");
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(link);
}

int main(int argc, char **argv)
{
    char path[1100];
    together_begin(&argc, &argv, "striped_create", 60);
    as_asked(my_path);
    from_environment(my_path);
    with_posix(my_path);
    other_hints(my_path);
    through_link();
    if (my_rank == 0)
        unlink(my_path);
    snprintf(path, sizeof path, "ufs:%s", my_path);
    as_asked(path);
    return together_end("striped_create");
}
