/* Fixes what a close in the background promises (hints pcdf_async, pcdf_async_close): the handle is gone at
 * once, the file is whole after parcdf_wait, after an open or create of the same name, when the communicator
 * is freed, after other calls on it, and after MPI_Finalize; deleting it wins; an error is kept for
 * parcdf_wait. On one node it becomes whole without any call, and a rank that opens, creates or deletes it
 * waits for that alone; on several nodes this rank is told why it can't. */

#include <fcntl.h>
#include <parcdf.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include "together.h"

enum { VALUES = 40000, RECORDS = 3 };

static MPI_Info slow; /* so slow that a close returns before the file is whole */

static MPI_Info hints(const char *name, const char *value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_async", "8M");
    MPI_Info_set(info, "pcdf_async_close", "true");
    if (name)
        MPI_Info_set(info, name, value);
    return info;
}

static void say(char *name, const char *end)
{
    sprintf(name, "%.900s.%s", my_path, end);
}

/* Of my_path. */
static const char *other_spelling(void)
{
    static char other[sizeof my_path + 8];
    const char *slash = strrchr(my_path, '/');
    sprintf(other, "%.*s/.//%s", (int)(slash - my_path), my_path, slash + 1);
    return other;
}

/* A file of RECORDS records, closed; the first error of a put or of the close. Value i of a rank is what +
 * rank * VALUES + i. */
static int make(MPI_Comm comm, const char *path, MPI_Info info, int what)
{
    static int values[VALUES];
    int ncid, dims[2], var, rank;
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < VALUES; i++)
        values[i] = what + rank * VALUES + i;
    CHECK_NC(ncmpi_create(comm, path, NC_CLOBBER, info, &ncid), NC_NOERR);
    ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dims[0]);
    ncmpi_def_dim(ncid, "x", (MPI_Offset)VALUES * my_size, &dims[1]);
    ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &var);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    int err = NC_NOERR, n = -1;
    for (int r = 0; r < RECORDS && !err; r++)
        err = ncmpi_put_vara_int_all(ncid, var, (MPI_Offset[]){ r, (MPI_Offset)rank * VALUES },
                                     (MPI_Offset[]){ 1, VALUES }, values);
    int last = ncmpi_close(ncid);
    err = err ? err : last;
    CHECK_NC(ncmpi_inq_files_opened(&n, NULL), NC_NOERR);
    CHECK_INT(n, 0);
    CHECK_NC(ncmpi_inq_format(ncid, &n), NC_EBADID);
    return err;
}

/* Records that the bytes of the file count; -1: there is none. */
static int counted(const char *path)
{
    unsigned char head[8] = { 0 };
    int fd = open(path, O_RDONLY);
    ssize_t n = fd < 0 ? -1 : pread(fd, head, sizeof head, 0);
    if (fd >= 0)
        close(fd);
    return n < (ssize_t)sizeof head ? -1 : head[7];
}

/* By bytes of the file alone: the last value of each record and rank. */
static void look(const char *path, int what, const char *when)
{
    struct stat st = { 0 };
    int fd = open(path, O_RDONLY);
    CHECK(counted(path) == RECORDS, "%s: %d records, not %d", when, counted(path), RECORDS);
    CHECK(fd >= 0 && !fstat(fd, &st), "%s: there is no file", when);
    for (int at = 0; fd >= 0 && at < RECORDS * my_size; at++) {
        unsigned char b[4] = { 0 };
        int rank = my_size - 1 - at % my_size, want = what + rank * VALUES + VALUES - 1;
        off_t back = ((off_t)at + 1) * VALUES * 4 - VALUES * 4 + 4; /* from the end of the file */
        CHECK(pread(fd, b, 4, st.st_size - back) == 4, "%s: the file is short", when);
        int got = b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
        CHECK(got == want, "%s: value %d from the end is %d, not %d", when, at, got, want);
    }
    if (fd >= 0)
        close(fd);
}

static void expect_whole(const char *path, int what, const char *when)
{
    look(path, what, when);
    MPI_Barrier(MPI_COMM_WORLD); /* others may make the next one */
}

static void waited_for(void)
{
    CHECK_NC(make(MPI_COMM_WORLD, my_path, slow, 1), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(counted(my_path) < RECORDS, "the close waited for a slow storage");
    CHECK_NC(parcdf_wait(my_path), NC_NOERR);
    expect_whole(my_path, 1, "parcdf_wait");
    CHECK_NC(make(MPI_COMM_WORLD, my_path, slow, 2), NC_NOERR);
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    expect_whole(my_path, 2, "parcdf_wait of all");
    CHECK_NC(parcdf_wait("no such file"), NC_NOERR);
}

static void opened_again(void)
{
    int ncid;
    MPI_Offset n = 0;
    CHECK_NC(make(MPI_COMM_WORLD, my_path, slow, 3), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    expect_whole(my_path, 3, "open");
    CHECK_NC(ncmpi_inq_dimlen(ncid, 0, &n), NC_NOERR);
    CHECK_INT(n, RECORDS);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(make(MPI_COMM_WORLD, my_path, slow, 4), NC_NOERR);
    CHECK_NC(make(MPI_COMM_WORLD, my_path, slow, 5), NC_NOERR); /* takes its place */
    CHECK_NC(parcdf_wait(my_path), NC_NOERR);
    expect_whole(my_path, 5, "create");
}

/* Nobody calls the library, or MPI. The last rank is slower than the others. */
static void left_alone(void)
{
    MPI_Info info = hints("pcdf_atomic_create", "true");
    int left = 500;
    if (my_rank == my_size - 1)
        MPI_Info_set(info, "pcdf_throttle", "0:1600000");
    if (my_rank == 0)
        unlink(my_path);
    CHECK_NC(make(MPI_COMM_WORLD, my_path, info, 80), NC_NOERR);
    for (; counted(my_path) < RECORDS && left > 0; left--)
        usleep(20000);
    CHECK(left > 0, "rank %d: the file is not complete after 10 s", my_rank);
    expect_whole(my_path, 80, "a close");
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    MPI_Info_free(&info);
}

enum { ALL = -1, NODES = -2 }; /* instead of a rank */

/* On communicators that lack ranks of the file: by all ranks at once, or by one of them, while the others
 * wait for it. NODES: rank 0, where the ranks are on several nodes; it does not wait for ever. */
static void opened_alone(int by, const char *path, const char *hint, const char *value)
{
    int ncid, err = NC_NOERR;
    MPI_Info info;
    MPI_Comm comm;
    bool opens = my_rank == by || by == ALL || (by == NODES && my_rank == 0);
    MPI_Info_dup(slow, &info);
    MPI_Info_set(info, hint, value);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm); /* what is known of one stays */
    if (by == NODES)
        setenv("PARCDF_NODES", "2", 1);
    if (my_rank == 0)
        unlink(my_path);
    CHECK_NC(make(comm, my_path, info, 6), NC_NOERR);
    unsetenv("PARCDF_NODES");
    if (opens) {
        err = ncmpi_open(MPI_COMM_SELF, path, NC_NOWRITE, MPI_INFO_NULL, &ncid);
        CHECK_NC(err, my_size > 1 && by == NODES ? NC_EACCESS : NC_NOERR);
        CHECK(!err || strstr(parcdf_last_error(), "parcdf_wait"), "\"%s\"", parcdf_last_error());
    }
    if (!err && opens) {
        look(path, 6, "an open of each rank's own");
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(parcdf_wait(my_path), NC_NOERR);
    expect_whole(my_path, 6, "an open by one rank");
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
}

/* By the last rank, while the others wait for it. */
static void created_alone(void)
{
    int ncid, value = 0, others;
    CHECK_NC(make(MPI_COMM_WORLD, my_path, slow, 70), NC_NOERR);
    if (my_rank == my_size - 1)
        CHECK_NC(make(MPI_COMM_SELF, my_path, MPI_INFO_NULL, 71), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    CHECK_INT(counted(my_path), RECORDS);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_var1_int_all(ncid, 0, (MPI_Offset[]){ RECORDS - 1, VALUES - 1 }, &value), NC_NOERR);
    CHECK_INT(value, 71 + VALUES - 1);
    CHECK_NC(ncmpi_inq_files_opened(&others, NULL), NC_NOERR);
    CHECK_INT(others, 1);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void deleted(const char *atomic)
{
    MPI_Info info;
    MPI_Info_dup(slow, &info);
    MPI_Info_set(info, "pcdf_atomic_create", atomic);
    if (my_rank == 0)
        unlink(my_path);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(make(MPI_COMM_WORLD, my_path, info, 7), NC_NOERR);
    if (my_rank == 0)
        CHECK_NC(ncmpi_delete(my_path, MPI_INFO_NULL), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(access(my_path, F_OK) != 0, "the file is there after it was deleted");
    CHECK_NC(parcdf_wait(my_path), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(access(my_path, F_OK) != 0, "a file that was deleted is there");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Info_free(&info);
}

/* All ranks delete what has no name yet, and make another file of that name. */
static void made_again(void)
{
    char what[64];
    MPI_Info info = hints("pcdf_atomic_create", "true"), plain;
    MPI_Info_create(&plain);
    for (int i = 0; i < 20; i++) {
        sprintf(what, "made again, %d", i);
        CHECK_NC(make(MPI_COMM_WORLD, my_path, info, 50), NC_NOERR);
        (void)ncmpi_delete(my_path, MPI_INFO_NULL);
        CHECK_NC(make(MPI_COMM_WORLD, my_path, plain, 60 + i), NC_NOERR);
        expect_whole(my_path, 60 + i, what);
        if (my_rank == 0)
            unlink(my_path);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Info_free(&info);
    MPI_Info_free(&plain);
}

/* A request of the last rank that nobody waited for: all ranks hear of it. */
static void cancelled(void)
{
    int ncid, dim, var, request;
    MPI_Info info = hints(NULL, NULL);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    ncmpi_def_dim(ncid, "x", my_size, &dim);
    ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    if (my_rank == my_size - 1)
        CHECK_NC(ncmpi_iput_var1_int(ncid, var, (MPI_Offset[]){ my_rank }, &my_rank, &request), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_EPENDING);
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    MPI_Info_free(&info);
}

/* parcdf_wait on an open file: also what is deferred, and records of independent puts. */
static void waited_for_open(bool is_independent)
{
    int ncid, dims[2], var;
    MPI_Info info = hints("pcdf_defer", "1M");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dims[0]);
    ncmpi_def_dim(ncid, "x", my_size, &dims[1]);
    ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &var);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    const MPI_Offset start[] = { RECORDS - 1, my_rank }, count[] = { 1, 1 };
    if (is_independent)
        CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    CHECK_NC(is_independent ? ncmpi_put_vara_int(ncid, var, start, count, &my_rank)
                            : ncmpi_put_vara_int_all(ncid, var, start, count, &my_rank),
             NC_NOERR);
    CHECK_NC(parcdf_wait(my_path), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(counted(my_path) == RECORDS, "%d records are counted after parcdf_wait, independent: %d",
          counted(my_path), is_independent);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    MPI_Info_free(&info);
}

/* The queue is no file, whatever the system says of its memory. */
static void small_files_only(void)
{
    struct rlimit before, now;
    MPI_Info info = hints("pcdf_async", "64M");
    CHECK(!getrlimit(RLIMIT_FSIZE, &before), "getrlimit");
    now = before;
    now.rlim_cur = 16 << 20;
    CHECK(!setrlimit(RLIMIT_FSIZE, &now), "setrlimit");
    CHECK_NC(make(MPI_COMM_WORLD, my_path, info, 45), NC_NOERR);
    CHECK_NC(parcdf_wait(my_path), NC_NOERR);
    CHECK(!setrlimit(RLIMIT_FSIZE, &before), "setrlimit");
    expect_whole(my_path, 45, "a limit of file sizes");
    MPI_Info_free(&info);
}

/* One call on another file for each that a rank may need to see that all have written. None of them waits for
 * the thread, which must go on by itself: so not with hint pcdf_debug_async_rate at a few bytes a second, and
 * this test is not among those of ../forced. */
static void completed_by_others(void)
{
    char other[1024];
    int ncid, dim, var;
    say(other, "other");
    CHECK_NC(make(MPI_COMM_WORLD, my_path, slow, 8), NC_NOERR);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, other, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    ncmpi_def_dim(ncid, "x", my_size, &dim);
    ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    int left = 1000;
    for (bool more = true; more && left > 0; left--) {
        CHECK_NC(ncmpi_put_var1_int_all(ncid, var, (MPI_Offset[]){ my_rank }, &my_rank), NC_NOERR);
        more = !together_all(counted(my_path) == RECORDS);
        usleep(20000);
    }
    CHECK(left > 0, "no call completed the file");
    expect_whole(my_path, 8, "puts to another file");
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    if (my_rank == 0)
        unlink(other);
}

static void communicator_freed(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK_NC(make(comm, my_path, slow, 9), NC_NOERR);
    MPI_Comm_free(&comm);
    expect_whole(my_path, 9, "MPI_Comm_free");
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
}

static void many_at_once(void)
{
    enum { FILES = 20 };
    char name[1024];
    MPI_Info fast = hints(NULL, NULL);
    for (int i = 0; i < FILES; i++) {
        say(name, (char[]){ 'a' + (char)i, 0 });
        CHECK_NC(make(MPI_COMM_WORLD, name, fast, 10 + i), NC_NOERR);
    }
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    for (int i = 0; i < FILES; i++) {
        say(name, (char[]){ 'a' + (char)i, 0 });
        expect_whole(name, 10 + i, "many files");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = my_rank; i < FILES; i += my_size) {
        say(name, (char[]){ 'a' + (char)i, 0 });
        unlink(name);
    }
    MPI_Info_free(&fast);
}

/* The last put of the last rank fails in the thread. opens: rank 0 opens the file meanwhile, after a close
 * that knew nothing of the failure. */
static void failing(bool opens)
{
    char order[64];
    int ncid;
    sprintf(order, "write:3@%d=NC_ENO_SPACE", my_size - 1);
    MPI_Info info = hints("pcdf_fault", order);
    if (opens)
        MPI_Info_set(info, "pcdf_throttle", "0:1600000");
    int err = make(MPI_COMM_WORLD, my_path, info, 30);
    CHECK(!opens || !err, "the close knew of the failure");
    if (opens && my_rank == 0 && !ncmpi_open(MPI_COMM_SELF, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid))
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!err)
        err = parcdf_wait(my_path);
    CHECK_NC(err, NC_ENO_SPACE);
    CHECK_NC(parcdf_wait(my_path), NC_NOERR);
    CHECK(counted(my_path) < RECORDS, "records are counted that were not written");
    MPI_Info_free(&info);
}

/* Somebody else takes the name that rank 0's thread is to give the file: all ranks hear of it. */
static void name_taken(void)
{
    int ncid, dim, var;
    MPI_Info info = hints("pcdf_atomic_create", "true");
    MPI_Info_set(info, "pcdf_throttle", "0:100");
    if (my_rank == 0)
        unlink(my_path);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_NOCLOBBER, info, &ncid), NC_NOERR);
    ncmpi_def_dim(ncid, "x", my_size, &dim);
    ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var1_int_all(ncid, var, (MPI_Offset[]){ my_rank }, &my_rank), NC_NOERR);
    int fd = my_rank == 0 ? open(my_path, O_CREAT | O_WRONLY, 0600) : -1;
    if (fd >= 0)
        close(fd);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(parcdf_wait(my_path), NC_EEXIST);
    CHECK_NC(parcdf_wait(my_path), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(my_path);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "async_close", 120);
    slow = hints("pcdf_throttle", "0:1600000");
    waited_for();
    opened_again();
    left_alone();
    opened_alone(ALL, my_path, "pcdf_atomic_create", "false");
    opened_alone(0, my_path, "pcdf_atomic_create", "false");
    opened_alone(my_size - 1, my_path, "pcdf_atomic_create", "true");
    opened_alone(my_size - 1, my_path, "pcdf_debug_async_rate", "1");
    opened_alone(0, other_spelling(), "pcdf_atomic_create", "true");
    opened_alone(my_size - 1, other_spelling(), "pcdf_atomic_create", "true");
    opened_alone(NODES, my_path, "pcdf_watchdog_s", "1");
    created_alone();
    deleted("false");
    deleted("true");
    made_again();
    cancelled();
    waited_for_open(false);
    waited_for_open(true);
    small_files_only();
    completed_by_others();
    communicator_freed();
    many_at_once();
    failing(false);
    failing(true);
    name_taken();
    CHECK_NC(make(MPI_COMM_WORLD, my_path, slow, 40), NC_NOERR);
    MPI_Info_free(&slow);
    bool is_bad = !together_all(check_bad == 0);
    MPI_Finalize();
    if (my_rank == 0)
        look(my_path, 40, "MPI_Finalize");
    if (my_rank == 0)
        unlink(my_path);
    if (my_rank == 0 || check_bad)
        check_done("async_close");
    return is_bad || check_bad;
}
