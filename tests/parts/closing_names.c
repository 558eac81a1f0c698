/* Fixes that a file which was closed in the background (hint pcdf_async_close) is what it is, and not what it
 * is called: after a rename, a link, another working folder or another spelling, whoever opens it finds its
 * values, what is synced through a new handle stays, and nobody waits for ever. A close that failed is told
 * to whoever waits for the file. A row is what happens between the close and the open. */

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "together.h"

enum { VALUES = 16384 };

static char folder[1024]; /* the working one, for each row its own */

/* What the last rank has of the queue waits long enough for the others' next call. */
static MPI_Info hints(const char *name, const char *value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_async", "8M");
    MPI_Info_set(info, "pcdf_async_close", "true");
    MPI_Info_set(info, "pcdf_throttle", "15000:0");
    if (name)
        MPI_Info_set(info, name, value);
    return info;
}

static void fill(int *values, int what)
{
    for (int i = 0; i < VALUES; i++)
        values[i] = what + my_rank * VALUES + i;
}

/* In two puts: failed() holds back the second one. Returns what the close says. */
static int make(MPI_Comm comm, const char *path, MPI_Info info, int what)
{
    static int values[VALUES];
    int ncid, dim, var, rank;
    MPI_Comm_rank(comm, &rank);
    fill(values, what);
    CHECK_NC(ncmpi_create(comm, path, NC_CLOBBER, info, &ncid), NC_NOERR);
    ncmpi_def_dim(ncid, "x", (MPI_Offset)VALUES * my_size, &dim);
    ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int i = 0; i < VALUES; i += VALUES / 2)
        CHECK_NC(ncmpi_put_vara_int_all(ncid, var, (MPI_Offset[]){ (MPI_Offset)rank * VALUES + i },
                                        (MPI_Offset[]){ VALUES / 2 }, values + i),
                 NC_NOERR);
    return ncmpi_close(ncid);
}

/* This rank's part, through a new handle. */
static void expect(MPI_Comm comm, const char *path, int what, const char *when)
{
    static int values[VALUES], want[VALUES];
    int ncid, bad = 0, err = ncmpi_open(comm, path, NC_NOWRITE, MPI_INFO_NULL, &ncid);
    CHECK(!err, "%s: rank %d: %s: %s", when, my_rank, path, parcdf_last_error());
    if (err)
        return;
    fill(want, what);
    CHECK_NC(ncmpi_get_vara_int_all(ncid, 0, (MPI_Offset[]){ (MPI_Offset)my_rank * VALUES },
                                    (MPI_Offset[]){ VALUES }, values),
             NC_NOERR);
    for (int i = 0; i < VALUES; i++)
        bad += values[i] != want[i];
    CHECK(!bad, "%s: rank %d: %d of %d values of %s are wrong", when, my_rank, bad, VALUES, path);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void put_and_sync(const char *path, int what, const char *when)
{
    static int values[VALUES];
    int ncid, err = ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &ncid);
    CHECK(!err, "%s: rank %d: %s: %s", when, my_rank, path, parcdf_last_error());
    if (err)
        return;
    fill(values, what);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, 0, (MPI_Offset[]){ (MPI_Offset)my_rank * VALUES },
                                    (MPI_Offset[]){ VALUES }, values),
             NC_NOERR);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* ---- what happens to the name */

static void nothing(void) {}

static void renamed(void)
{
    CHECK(!rename("a.nc", "b.nc"), "rename");
}

static void moved(void)
{
    CHECK(!mkdir("sub", 0700) && !rename("a.nc", "sub/b.nc"), "rename");
}

static void linked(void)
{
    CHECK(!link("a.nc", "b.nc") && !unlink("a.nc"), "link");
}

static void pointed_to(void)
{
    CHECK(!symlink("a.nc", "b.nc"), "symlink");
}

static void name_given_away(void)
{
    CHECK(!rename("a.nc", "b.nc"), "rename");
    int fd = open("a.nc", O_CREAT | O_WRONLY, 0600);
    CHECK(fd >= 0 && write(fd, "another", 7) == 7, "another file");
    close(fd);
}

static const struct row {
    const char *when;
    void (*happens)(void);            /* by rank 0 */
    const char *goes_to;              /* the working folder of all ranks, then; or NULL */
    const char *opens, *first, *last; /* from there; by the first rank and the last one */
    const char *hint, *value;
} rows[] = {
    { "renamed", renamed, NULL, "b.nc", NULL, NULL, NULL, NULL },
    { "moved to another folder", moved, NULL, "sub/b.nc", NULL, NULL, NULL, NULL },
    { "linked, its first name removed", linked, NULL, "b.nc", NULL, NULL, NULL, NULL },
    { "a symbolic link", pointed_to, NULL, "b.nc", NULL, NULL, NULL, NULL },
    { "renamed, another has its name", name_given_away, NULL, "b.nc", NULL, NULL, NULL, NULL },
    { "another working folder", nothing, "..", "row/a.nc", NULL, NULL, NULL, NULL },
    { "renamed, checksums", renamed, NULL, "b.nc", NULL, NULL, "pcdf_checksum", "crc32c" },
    { "another working folder, atomic", nothing, "..", "row/a.nc", NULL, NULL, "pcdf_atomic_create", "true" },
    { "another working folder, checksums", nothing, "..", "row/a.nc", NULL, NULL, "pcdf_checksum", "crc32c" },
    { "two spellings", nothing, NULL, "a.nc", "a.nc", "./a.nc", NULL, NULL },
    { "two spellings, checksums", nothing, NULL, "a.nc", ".//a.nc", "a.nc", "pcdf_checksum", "crc32c" },
    { "two spellings, atomic", nothing, NULL, "a.nc", "../row/a.nc", "a.nc", "pcdf_atomic_create", "true" },
};

static void begin_row(void)
{
    char row[2048];
    CHECK(!chdir(folder), "%s", folder);
    snprintf(row, sizeof row, "rm -rf '%.900s/row' && mkdir '%.900s/row'", folder, folder);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK(system(row) == 0, "%s", row);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!chdir("row"), "row");
}

static void run(const struct row *r, bool writes)
{
    MPI_Comm comm; /* on which others than all files are opened */
    MPI_Info info = hints(r->hint, r->value);
    const char *path = my_rank == 0 && r->first            ? r->first
                       : my_rank == my_size - 1 && r->last ? r->last
                                                           : r->opens;
    begin_row();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK_NC(make(comm, my_rank == my_size - 1 && r->last ? r->last : "a.nc", info, 1), NC_NOERR);
    if (my_rank == 0)
        r->happens();
    if (r->goes_to)
        CHECK(!chdir(r->goes_to), "%s", r->goes_to);
    MPI_Barrier(MPI_COMM_WORLD);
    if (writes)
        put_and_sync(path, 1000, r->when);
    expect(MPI_COMM_WORLD, path, writes ? 1000 : 1, r->when);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&comm);
    CHECK_NC(parcdf_wait(path), NC_NOERR);
    MPI_Info_free(&info);
}

/* Each rank by itself. With checksums all ranks of the file complete it: they are all in this call. */
static void opened_by_each(const struct row *r)
{
    MPI_Info info = hints(r->hint, r->value);
    begin_row();
    CHECK_NC(make(MPI_COMM_WORLD, "a.nc", info, 1), NC_NOERR);
    if (my_rank == 0)
        r->happens();
    if (r->goes_to)
        CHECK(!chdir(r->goes_to), "%s", r->goes_to);
    MPI_Barrier(MPI_COMM_WORLD);
    expect(MPI_COMM_SELF, r->opens, 1, r->when);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    MPI_Info_free(&info);
}

/* ---- a close that failed */

enum { OPENS, OPENS_ALONE, CREATES, DELETES, WAYS };

static int ask(int way)
{
    int ncid, err;
    if (way == DELETES)
        return my_rank == 0 ? ncmpi_delete("b.nc", MPI_INFO_NULL) : NC_ENO_SPACE;
    err = way == OPENS         ? ncmpi_open(MPI_COMM_WORLD, "b.nc", NC_WRITE, MPI_INFO_NULL, &ncid)
          : way == OPENS_ALONE ? ncmpi_open(MPI_COMM_SELF, "b.nc", NC_NOWRITE, MPI_INFO_NULL, &ncid)
                               : ncmpi_create(MPI_COMM_WORLD, "b.nc", NC_CLOBBER, MPI_INFO_NULL, &ncid);
    if (!err)
        (void)ncmpi_close(ncid);
    return err;
}

/* The last rank's second put fails in the thread, after the close: the thread writes once, and then not
 * before somebody waits for the file. The second call succeeds: it was told. */
static void failed(int way, const char *hint, const char *value)
{
    char order[64];
    MPI_Info info = hints(hint, value);
    sprintf(order, "write:%d@%d=NC_ENO_SPACE", my_size == 1 ? 3 : 2,
            my_size - 1); /* rank 0 writes a header */
    MPI_Info_set(info, "pcdf_fault", order);
    MPI_Info_set(info, "pcdf_debug_async_rate", "1");
    begin_row();
    CHECK_NC(make(MPI_COMM_WORLD, "a.nc", info, 1), NC_NOERR);
    if (my_rank == 0)
        renamed();
    MPI_Barrier(MPI_COMM_WORLD);
    int err = ask(way);
    CHECK(err == NC_ENO_SPACE, "way %d, %s: rank %d: %s, not NC_ENO_SPACE", way, hint ? hint : "plain",
          my_rank, ncmpi_strerrno(err));
    MPI_Barrier(MPI_COMM_WORLD);
    if (way != DELETES) {
        err = ask(way);
        CHECK(!err || err == NC_ENOTNC, "way %d, %s, again: rank %d: %s", way, hint ? hint : "plain", my_rank,
              ncmpi_strerrno(err));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    (void)parcdf_wait(NULL);
    MPI_Info_free(&info);
}

/* ---- other ranks of the job */

/* All but the last rank close the file; the last one, which is none of its ranks, opens it after a barrier.
 */
static void opened_by_a_stranger(void)
{
    MPI_Comm some;
    MPI_Info info = hints(NULL, NULL);
    bool is_stranger = my_rank == my_size - 1;
    begin_row();
    MPI_Comm_split(MPI_COMM_WORLD, is_stranger, my_rank, &some);
    if (!is_stranger)
        CHECK_NC(make(some, "a.nc", info, 1), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_stranger) {
        static int values[VALUES];
        int ncid, err = ncmpi_open(MPI_COMM_SELF, "a.nc", NC_NOWRITE, MPI_INFO_NULL, &ncid);
        CHECK(!err, "a stranger: %s", parcdf_last_error());
        CHECK_NC(ncmpi_get_vara_int_all(ncid, 0, (MPI_Offset[]){ 0 }, (MPI_Offset[]){ VALUES }, values),
                 NC_NOERR);
        CHECK(values[0] == 1 && values[VALUES - 1] == VALUES, "a stranger reads %d to %d", values[0],
              values[VALUES - 1]);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    MPI_Comm_free(&some);
    MPI_Info_free(&info);
}

/* Only rank 0 finds the file by the link that it makes, as where other nodes do not see it yet: nobody waits
 * for ever. */
static int wait_for_link(void)
{
    int err = my_rank > 0 ? parcdf_wait("b.nc") : NC_NOERR;
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0) {
        pointed_to();
        err = parcdf_wait("b.nc");
        CHECK(!unlink("b.nc"), "b.nc");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return err;
}

static void waited_for_by_link(const char *hint, const char *value)
{
    static int values[VALUES];
    int ncid, err;
    MPI_Info info = hints(hint, value);
    MPI_Info_set(info, "pcdf_watchdog_s", "1");
    begin_row();
    CHECK_NC(make(MPI_COMM_WORLD, "a.nc", info, 1), NC_NOERR);
    err = wait_for_link();
    CHECK(!err || err == NC_EACCESS, "a link to a closed file: %s", ncmpi_strerrno(err));
    CHECK_NC(parcdf_wait("./a.nc"), NC_NOERR);
    expect(MPI_COMM_WORLD, "a.nc", 1, "a link to a closed file");
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, "a.nc", NC_WRITE, info, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, 0, (MPI_Offset[]){ (MPI_Offset)my_rank * VALUES },
                                    (MPI_Offset[]){ VALUES }, values),
             NC_NOERR);
    bool is_told = my_rank == 0 && together_queues(ncid);
    CHECK_NC(wait_for_link(), is_told ? NC_EINVAL : NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    MPI_Info_free(&info);
}

/* Only the last rank is in another folder when all ranks wait for the file by one relative path: whether a
 * rank takes part depends on the path alone, so nobody waits for ever. `is_known`: rank 0's folder at the
 * create tells that the file is meant; else it is found by the ranks for which the path leads there. */
static const struct {
    bool is_absolute; /* the path at the create; or it is a.nc */
    const char *path;
    bool is_known;
} elsewhere[] = {
    { true, "a.nc", true },
    { false, "row/.././/a.nc", true },
    { true, "row/a.nc", false },
    { false, "../row/a.nc", false },
};

static void waited_for_from_elsewhere(bool is_open, const char *hint, const char *value)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        static int values[VALUES];
        const char *path = elsewhere[i].path;
        int ncid = -1;
        MPI_Info info = hints(hint, value);
        MPI_Info_set(info, "pcdf_watchdog_s", hint ? "1" : "0"); /* else ranks wait for a minute */
        begin_row();
        snprintf(my_path, sizeof my_path, "%.900s/row/a.nc", folder);
        CHECK_NC(make(MPI_COMM_WORLD, elsewhere[i].is_absolute ? my_path : "a.nc", info, 1), NC_NOERR);
        if (is_open) {
            CHECK_NC(ncmpi_open(MPI_COMM_WORLD, elsewhere[i].is_absolute ? my_path : "a.nc", NC_WRITE, info,
                                &ncid),
                     NC_NOERR);
            CHECK_NC(ncmpi_put_vara_int_all(ncid, 0, (MPI_Offset[]){ (MPI_Offset)my_rank * VALUES },
                                            (MPI_Offset[]){ VALUES }, values),
                     NC_NOERR);
        }
        if (my_rank == my_size - 1)
            CHECK(!chdir(".."), "..");
        int err = parcdf_wait(path);
        MPI_Barrier(MPI_COMM_WORLD); /* which lets no rank complete anything */
        bool may_be_told = !elsewhere[i].is_known && (is_open || hint);
        CHECK(!err || (may_be_told && (err == NC_EINVAL || err == NC_EACCESS)), "%s, %s: rank %d: %s", path,
              elsewhere[i].is_absolute ? "absolute" : "relative", my_rank, parcdf_last_error());
        if (is_open)
            CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        CHECK_NC(parcdf_wait(NULL), NC_NOERR);
        if (!is_open)
            expect(MPI_COMM_WORLD, my_path, 1, "waited for from elsewhere");
        my_path[0] = '\0';
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Info_free(&info);
    }
}

/* The last rank has other numbers for two open files than the others, as it had one more file open: it waits
 * for them in the same order. */
static void open_under_other_numbers(void)
{
    static int values[VALUES];
    int ncid[2], more = -1;
    MPI_Info info = hints(NULL, NULL);
    begin_row();
    CHECK_NC(make(MPI_COMM_WORLD, "a.nc", info, 1), NC_NOERR);
    CHECK_NC(make(MPI_COMM_WORLD, "b.nc", info, 1), NC_NOERR);
    if (my_rank == my_size - 1)
        CHECK_NC(ncmpi_create(MPI_COMM_SELF, "c.nc", NC_CLOBBER, MPI_INFO_NULL, &more), NC_NOERR);
    for (int i = 0; i < 2; i++) {
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, i ? "b.nc" : "a.nc", NC_WRITE, info, &ncid[i]), NC_NOERR);
        CHECK_NC(ncmpi_put_vara_int_all(ncid[i], 0, (MPI_Offset[]){ (MPI_Offset)my_rank * VALUES },
                                        (MPI_Offset[]){ VALUES }, values),
                 NC_NOERR);
        if (more >= 0 && i == 0)
            CHECK_NC(ncmpi_close(more), NC_NOERR);
    }
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    for (int i = 0; i < 2; i++)
        CHECK_NC(ncmpi_close(ncid[i]), NC_NOERR);
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    MPI_Info_free(&info);
}

/* A child has the descriptors of the file, too, and lives on: the file is complete all the same. */
static void shared_with_a_child(void)
{
    MPI_Info info = hints("pcdf_checksum", "crc32c");
    begin_row();
    CHECK_NC(make(MPI_COMM_WORLD, "a.nc", info, 1), NC_NOERR);
    pid_t child = fork();
    if (child == 0) {
        alarm(100);
        for (;;)
            pause();
    }
    CHECK(child > 0, "fork");
    CHECK_NC(parcdf_wait("a.nc"), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    expect(MPI_COMM_SELF, "a.nc", 1, "a child has its descriptors");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Info_free(&info);
}

/* Rank 0's process has a lock of the whole file, as other programs take it: it says nothing of a close. */
static void locked_by_others(short type)
{
    int ncid, fd = -1;
    struct flock all = { .l_type = type, .l_whence = SEEK_SET };
    begin_row();
    if (my_rank == 0) {
        CHECK_NC(make(MPI_COMM_SELF, "a.nc", MPI_INFO_NULL, 1), NC_NOERR);
        CHECK_NC(parcdf_wait(NULL), NC_NOERR);
        fd = open("a.nc", O_RDWR);
        CHECK(fd >= 0 && !fcntl(fd, F_SETLK, &all), "a lock of the whole file");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int creates = 0; creates < 2 && my_rank == my_size - 1; creates++) {
        int err = creates ? ncmpi_create(MPI_COMM_SELF, "a.nc", NC_CLOBBER, MPI_INFO_NULL, &ncid)
                          : ncmpi_open(MPI_COMM_SELF, "a.nc", NC_NOWRITE, MPI_INFO_NULL, &ncid);
        CHECK(!err, "a file that another program has locked: %s", parcdf_last_error());
        if (!err)
            CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (fd >= 0)
        close(fd);
}

/* Rank 0 opens what takes all ranks to complete, while the others free another communicator. */
static void opened_while_others_free(void)
{
    MPI_Comm of_file, other;
    MPI_Info info = hints("pcdf_checksum", "crc32c");
    MPI_Info_set(info, "pcdf_watchdog_s", "20");
    begin_row();
    MPI_Comm_dup(MPI_COMM_WORLD, &of_file);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    CHECK_NC(make(other, "b.nc", MPI_INFO_NULL, 1), NC_NOERR);
    CHECK_NC(make(of_file, "a.nc", info, 1), NC_NOERR);
    if (my_rank == 0)
        expect(MPI_COMM_SELF, "a.nc", 1, "while others free a communicator");
    MPI_Comm_free(&other);
    MPI_Comm_free(&of_file);
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    MPI_Info_free(&info);
}

/* All ranks but the first close a file in the background; then all, the first of which knows nothing of it,
 * use its name. What they do comes after the close: the name is that of the file that they create, with its
 * values alone, and an open finds what was closed. */
static const struct use {
    const char *when, *older, *newer; /* hints */
    bool creates;
    int mode, want;
} uses[] = {
    { "create", "pcdf_atomic_create", NULL, true, NC_CLOBBER, NC_NOERR },
    { "atomic create", "pcdf_atomic_create", "pcdf_atomic_create", true, NC_CLOBBER, NC_NOERR },
    { "create, both plain", NULL, NULL, true, NC_CLOBBER, NC_NOERR },
    { "create that spares", "pcdf_atomic_create", NULL, true, NC_NOCLOBBER, NC_EEXIST },
    { "atomic create that spares", "pcdf_atomic_create", "pcdf_atomic_create", true, NC_NOCLOBBER,
      NC_EEXIST },
    { "open", "pcdf_atomic_create", NULL, false, NC_WRITE, NC_NOERR },
};

static void used_by_more(const struct use *u)
{
    static int values[VALUES];
    MPI_Comm some;
    int ncid, dim, var;
    bool is_stranger = my_rank == 0;
    MPI_Info older = hints(u->older, "true"), newer = hints(u->newer, "true");
    MPI_Info_delete(newer, "pcdf_throttle");
    begin_row();
    if (u->creates && u->mode == NC_CLOBBER) { /* something has the name already */
        CHECK_NC(make(MPI_COMM_WORLD, "a.nc", MPI_INFO_NULL, 5), NC_NOERR);
        CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    }
    MPI_Comm_split(MPI_COMM_WORLD, is_stranger, my_rank, &some);
    if (!is_stranger)
        CHECK_NC(make(some, "a.nc", older, 1), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    int err = u->creates ? ncmpi_create(MPI_COMM_WORLD, "a.nc", u->mode, newer, &ncid)
                         : ncmpi_open(MPI_COMM_WORLD, "a.nc", u->mode, newer, &ncid);
    CHECK(err == u->want, "%s of more ranks: rank %d: %s, not %s: %s", u->when, my_rank, ncmpi_strerrno(err),
          ncmpi_strerrno(u->want), err ? parcdf_last_error() : "");
    if (!err && u->creates) {
        ncmpi_def_dim(ncid, "x", (MPI_Offset)VALUES * my_size, &dim);
        ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var);
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    }
    fill(values, 10);
    if (!err)
        CHECK_NC(ncmpi_put_vara_int_all(ncid, 0, (MPI_Offset[]){ (MPI_Offset)my_rank * VALUES },
                                        (MPI_Offset[]){ VALUES }, values),
                 NC_NOERR);
    if (!err)
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!err)
        expect(MPI_COMM_WORLD, "a.nc", 10, u->when);
    else if (my_rank == 0) /* the older one's part, which rank 1 put */
        expect(MPI_COMM_SELF, "a.nc", 1 + VALUES, u->when);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&some);
    MPI_Info_free(&older);
    MPI_Info_free(&newer);
}

/* Two new files are to get one name: the one that is closed last has it in the end. hint: of the first one.
 */
static void closed_last(bool later, const char *hint, const char *value)
{
    static int values[VALUES];
    int ncid[2], dim, var;
    const MPI_Offset at[1] = { (MPI_Offset)my_rank * VALUES }, n[1] = { VALUES };
    begin_row();
    for (int i = 0; i < 2; i++) {
        MPI_Info info = hints("pcdf_atomic_create", "true");
        if (i == 0 && hint)
            MPI_Info_set(info, hint, value);
        if (i == 1) {
            MPI_Info_delete(info, "pcdf_throttle");
            MPI_Info_set(info, "pcdf_async_close", later ? "true" : "false");
        }
        CHECK_NC(ncmpi_create(MPI_COMM_WORLD, "a.nc", NC_CLOBBER, info, &ncid[i]), NC_NOERR);
        MPI_Info_free(&info);
        ncmpi_def_dim(ncid[i], "x", (MPI_Offset)VALUES * my_size, &dim);
        ncmpi_def_var(ncid[i], "v", NC_INT, 1, &dim, &var);
        CHECK_NC(ncmpi_enddef(ncid[i]), NC_NOERR);
        fill(values, 10 * i);
        CHECK_NC(ncmpi_put_vara_int_all(ncid[i], var, at, n, values), NC_NOERR);
    }
    CHECK_NC(ncmpi_close(ncid[0]), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid[1]), NC_NOERR);
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    expect(MPI_COMM_WORLD, "a.nc", 10, "two files of one name");
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "closing_names", 120);
    char here[512];
    const char *base = argc > 1 ? argv[1] : getcwd(here, sizeof here);
    snprintf(folder, sizeof folder, "%.500s/closing_names.XXXXXX", base);
    if (my_rank == 0)
        CHECK(mkdtemp(folder) != NULL, "%s", folder);
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(&rows[i], true);
        run(&rows[i], false);
        if (!rows[i].first)
            opened_by_each(&rows[i]);
    }
    for (int way = 0; way < WAYS; way++) {
        failed(way, NULL, NULL);
        if (way != OPENS_ALONE && way != DELETES)
            failed(way, "pcdf_checksum", "crc32c");
    }
    if (my_size > 1)
        opened_by_a_stranger();
    for (size_t i = 0; my_size > 1 && i < sizeof uses / sizeof *uses; i++)
        used_by_more(&uses[i]);
    waited_for_by_link(NULL, NULL);
    waited_for_by_link("pcdf_checksum", "crc32c");
    waited_for_from_elsewhere(false, NULL, NULL);
    waited_for_from_elsewhere(false, "pcdf_checksum", "crc32c");
    waited_for_from_elsewhere(true, NULL, NULL);
    open_under_other_numbers();
    shared_with_a_child();
    locked_by_others(F_RDLCK);
    locked_by_others(F_WRLCK);
    opened_while_others_free();
    for (int later = 0; later < 2; later++) {
        closed_last(later, NULL, NULL);
        closed_last(later, "pcdf_checksum", "crc32c");
    }
    begin_row();
    CHECK(!chdir("/"), "/");
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(my_path, sizeof my_path, "rm -rf '%.900s'", folder);
    if (my_rank == 0)
        CHECK(system(my_path) == 0, "%s", my_path);
    my_path[0] = '\0';
    return together_end("closing_names");
}
