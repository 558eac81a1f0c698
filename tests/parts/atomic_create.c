/* Fixes hint pcdf_atomic_create: the old file of a name stays what it was until the new one is whole (sync or
 * close), whatever happens before: abort, an error, a kill (atomic_kill.py); links stay links; NC_NOCLOBBER
 * holds; each rank may reach the folder by another name; nothing is left behind, and what a kill left goes
 * with the next create; jobs that write one name at once (atomic_kill.py). Transfers go on under the new
 * name, even where its folder cannot be flushed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <parcdf.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include "together.h"

enum { X = 120 };

/* A file system with stripes: what the old file has, the new one is given. */
static char layout_of_old[] = "\xd0\x0b\xd1\x0b, the layout of the old file", layout_given[64];
static bool is_striped;

/* The old file, whatever its folder is called. */
static bool is_old(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, strrchr(my_path, '/') + 1) == 0;
}

ssize_t getxattr(const char *path, const char *name, void *value, size_t size)
{
    if (!is_striped || strcmp(name, "lustre.lov") != 0 || !is_old(path))
        return syscall(SYS_getxattr, path, name, value, size);
    memcpy(value, layout_of_old, sizeof layout_of_old);
    return sizeof layout_of_old;
}

int setxattr(const char *path, const char *name, const void *value, size_t size, int flags)
{
    struct stat st;
    if (!is_striped || strcmp(name, "lustre.lov") != 0)
        return (int)syscall(SYS_setxattr, path, name, value, size, flags);
    CHECK(stat(path, &st) == 0 && st.st_size == 0, "%s is given a layout when it has bytes", path);
    memcpy(layout_given, value, size < sizeof layout_given ? size : sizeof layout_given);
    return 0;
}

/* A folder whose fsync fails once the file has its name in it. */
static bool storage_fails, was_renamed;

int rename(const char *from, const char *to)
{
    was_renamed = true;
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int fsync(int fd)
{
    struct stat st;
    if (!storage_fails || !was_renamed || fstat(fd, &st) || !S_ISDIR(st.st_mode))
        return (int)syscall(SYS_fsync, fd);
    errno = EIO;
    return -1;
}

/* On this rank a folder has another name, as where an automounter of each node chooses it. */
static char hidden[1100], instead[1100];

static bool is_hidden(const char *path)
{
    size_t n = strlen(hidden);
    return n > 0 && strncmp(path, hidden, n) == 0 && (path[n] == '/' || !path[n]);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    errno = ENOENT;
    return is_hidden(path) ? -1 : openat(AT_FDCWD, path, flags, mode);
}

int stat(const char *path, struct stat *st)
{
    errno = ENOENT;
    return is_hidden(path) ? -1 : fstatat(AT_FDCWD, path, st, 0);
}

char *getcwd(char *room, size_t size)
{
    if (!*hidden)
        return syscall(SYS_getcwd, room, size) > 0 ? room : NULL;
    snprintf(room, size, "%s", instead);
    return room;
}

static MPI_Info atomically(void)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_atomic_create", "true");
    return info;
}

/* A new file of one variable; every rank writes its part of it. */
static void begin(const char *path, int cmode, int *ncid, int want)
{
    MPI_Info info = atomically();
    int dim, var;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, path, cmode, info, ncid), want);
    MPI_Info_free(&info);
    if (want)
        return;
    CHECK_NC(ncmpi_def_dim(*ncid, "x", X, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(*ncid, "v", NC_INT, 1, &dim, &var), NC_NOERR);
}

static void put(int ncid, int value)
{
    MPI_Offset start = my_rank, count = X / my_size + (my_rank < X % my_size), stride = my_size;
    int values[X];
    for (int i = 0; i < X; i++)
        values[i] = value;
    CHECK_NC(ncmpi_put_vars_int_all(ncid, 0, &start, &count, &stride, values), NC_NOERR);
}

/* Every rank writes all of it, alone. */
static void put_alone(int ncid, int value)
{
    int values[X];
    for (int i = 0; i < X; i++)
        values[i] = value;
    MPI_Offset start = my_rank, count = X / my_size, stride = my_size;
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_vars_int(ncid, 0, &start, &count, &stride, values), NC_NOERR);
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
}

static void check_value(const char *path, int value, const char *when)
{
    int ncid, got[X], bad = 0;
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_var_int_all(ncid, 0, got), NC_NOERR);
    for (int i = 0; i < X; i++)
        bad += got[i] != value;
    CHECK(bad == 0, "%s: %d values are not %d, the first is %d", when, bad, value, got[0]);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Files of ours beside my_path. */
static int left_behind(void)
{
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", my_path);
    char *slash = strrchr(folder, '/');
    *slash = '\0';
    int n = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        n += strstr(e->d_name, slash + 1) && strcmp(e->d_name, slash + 1) != 0;
    if (dir)
        closedir(dir);
    MPI_Barrier(MPI_COMM_WORLD);
    return n;
}

static void at_sync(void)
{
    char path[1024] = "";
    int ncid, length = 0;
    begin(my_path, NC_CLOBBER, &ncid, NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    put(ncid, 2);
    CHECK_NC(ncmpi_inq_path(ncid, &length, path), NC_NOERR);
    CHECK(strcmp(path, my_path) == 0, "the path is %s", path);
    check_value(my_path, 1, "before the sync");
    CHECK_INT(left_behind(), 1);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_INT(left_behind(), 0);
    check_value(my_path, 2, "after the sync");
    put(ncid, 3);
    put_alone(ncid, 4);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR); /* with a journal, under the final name */
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "long", 2000, (char[2000]){ "x" }), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    check_value(my_path, 4, "after the close");
    CHECK_INT(left_behind(), 0);
}

static void at_close(int value)
{
    int ncid;
    begin(my_path, NC_CLOBBER, &ncid, NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR); /* while it has the other name */
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "long", 2000, (char[2000]){ "x" }), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    put(ncid, value);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    check_value(my_path, value, "after the close");
    CHECK_INT(left_behind(), 0);
}

/* A file without its bytes on the storage must not take the place of one that is there. */
static void commits(void)
{
    int ncid, found = 0;
    char value[MPI_MAX_INFO_VAL + 1] = "";
    MPI_Info info = atomically(), used;
    MPI_Info_set(info, "pcdf_commit", "none");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_file_info(ncid, &used), NC_NOERR);
    MPI_Info_get(used, "pcdf_commit", MPI_MAX_INFO_VAL, value, &found);
    CHECK(found && strcmp(value, "close") == 0, "pcdf_commit is \"%s\"", value);
    MPI_Info_free(&used);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_abort(ncid), NC_NOERR);
}

static void aborted(int value)
{
    int ncid;
    begin(my_path, NC_CLOBBER, &ncid, NC_NOERR);
    CHECK_NC(ncmpi_abort(ncid), NC_NOERR);
    begin(my_path, NC_CLOBBER, &ncid, NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    put(ncid, 77);
    CHECK_NC(ncmpi_abort(ncid), NC_NOERR);
    check_value(my_path, value, "after abort");
    CHECK_INT(left_behind(), 0);
}

static void no_clobber(int value)
{
    int ncid;
    begin(my_path, NC_NOCLOBBER, &ncid, NC_EEXIST);
    check_value(my_path, value, "after NC_EEXIST");
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(my_path);
    MPI_Barrier(MPI_COMM_WORLD);
    begin(my_path, NC_NOCLOBBER, &ncid, NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    put(ncid, 5);
    if (my_rank == 0)
        fclose(fopen(my_path, "w")); /* somebody else is faster */
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_sync(ncid), NC_EEXIST);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(my_path);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    check_value(my_path, 5, "NC_NOCLOBBER, name free again");
    CHECK_INT(left_behind(), 0);
}

static void through_link(void)
{
    char link[1100];
    struct stat st = { 0 };
    int ncid;
    snprintf(link, sizeof link, "%s.link", my_path);
    if (my_rank == 0)
        CHECK_INT(symlink(strrchr(my_path, '/') + 1, link), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    begin(link, NC_CLOBBER, &ncid, NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    put(ncid, 6);
    check_value(link, 5, "through a link, before the close");
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK(lstat(link, &st) == 0 && S_ISLNK(st.st_mode), "the link has become a file");
    check_value(my_path, 6, "through a link");
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(link);
    CHECK_INT(left_behind(), 0);
}

/* The file has its name, and every rank knows, though nobody can promise that it keeps it in a crash. */
static void name_not_stored(void)
{
    for (int at_close = 0; at_close < 2; at_close++) {
        int ncid;
        begin(my_path, NC_CLOBBER, &ncid, NC_NOERR);
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
        put(ncid, 7 + at_close);
        storage_fails = true;
        was_renamed = false;
        CHECK_NC(at_close ? ncmpi_close(ncid) : ncmpi_sync(ncid), NC_EWRITE);
        CHECK(!strstr(parcdf_last_error(), ".parcdf-new"), "rank %d: %s", my_rank, parcdf_last_error());
        storage_fails = false;
        CHECK_INT(left_behind(), 0);
        check_value(my_path, 7 + at_close, "named, but not stored");
        if (at_close)
            continue;
        CHECK_NC(ncmpi_sync(ncid), NC_EWRITE); /* a sync that failed stays failed */
        CHECK(!strstr(parcdf_last_error(), "replaced"), "rank %d: %s", my_rank, parcdf_last_error());
        CHECK_NC(ncmpi_abort(ncid), NC_EWRITE);
        check_value(my_path, 7, "aborted after the name");
    }
}

/* All ranks are in one folder, which has one name on rank 0, and another one on the others. */
static void elsewhere_on_nodes(void)
{
    char folder[sizeof hidden], link[sizeof hidden];
    int ncid, back = open(".", O_RDONLY | O_DIRECTORY);
    CHECK(realpath(my_path, folder) != NULL, "%s", my_path);
    strcat(folder, ".d");
    snprintf(link, sizeof link, "%.1000s.e", folder);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK(!mkdir(folder, 0700) && !symlink(folder, link), "%s", folder);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!chdir(folder), "%s", folder);
    if (my_rank > 0) {
        strcpy(hidden, folder);
        strcpy(instead, link);
    }
    for (int at_sync = 0; at_sync < 2; at_sync++) {
        begin("a.nc", NC_CLOBBER, &ncid, NC_NOERR);
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
        put(ncid, 9 + at_sync);
        if (at_sync)
            CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        check_value("a.nc", 9 + at_sync, "a folder with two names");
    }
    *hidden = '\0';
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK(!unlink("a.nc") && !rmdir(folder) && !unlink(link), "%s is not empty", folder);
    CHECK(!fchdir(back), "back");
    close(back);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Says that it is there, and waits until the other side takes that away. */
static void wait_for_go(void)
{
    char name[1100];
    snprintf(name, sizeof name, "%s.waits-%d", my_path, (int)getppid());
    if (my_rank == 0) {
        fclose(fopen(name, "w"));
        while (access(name, F_OK) == 0)
            usleep(5000);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* For atomic_kill.py. */
static void part_of_kill(const char *what)
{
    int ncid;
    begin(my_path, NC_CLOBBER, &ncid, NC_NOERR);
    if (strcmp(what, "die-defining") == 0)
        raise(SIGKILL);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    put(ncid, atoi(what));
    if (strcmp(what, "die") == 0)
        raise(SIGKILL);
    if (strstr(what, "slow"))
        wait_for_go();
    if (strstr(what, "lost")) {
        CHECK_NC(ncmpi_close(ncid), NC_EWRITE);
        return;
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    check_value(my_path, atoi(what), "made for a kill");
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "atomic_create", 60);
    if (argc > 2) {
        snprintf(my_path, sizeof my_path, "%s", argv[1]);
        part_of_kill(argv[2]);
        MPI_Finalize();
        return check_bad != 0;
    }
    at_close(1); /* nothing has the name */
    at_sync();
    is_striped = true;
    at_close(4);
    is_striped = false;
    CHECK(my_rank || memcmp(layout_given, layout_of_old, sizeof layout_of_old) == 0, "the layout is another");
    commits();
    aborted(4);
    no_clobber(4);
    through_link();
    name_not_stored();
    elsewhere_on_nodes();
    return together_end("atomic_create");
}
