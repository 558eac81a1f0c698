/* Fixes: with hint pcdf_watchdog_s no rank waits for ever for one that does not come. Whatever the call, the
 * ranks that wait return NC_EMULTIDEFINE_FNC_ARGS from it, with a sentence that names file, call, variable
 * and the ranks that are missing, and no others; each later call on the file returns it at once; close frees.
 * A rank that makes the call later is told so, and does not wait. Other files on the communicator go on;
 * ranks that call on different files are each told who is missing. The largest number of seconds of any rank
 * holds, and a rank that is late but in time is waited for. So it is with create and open, where a rank waits
 * as long as its own hint says; the next one succeeds, unless it was the first on its communicator. Ranks
 * that create and ranks that open are told so, and the file stays as it was. What a file that was given up
 * left unread disturbs no later file that has its tags. missing_rank FOLDER abort: pcdf_debug_watchdog_abort
 * ends the job; watchdog_abort.py looks at that. A file that was closed in the background (pcdf_async_close)
 * is given up, too, when a rank does not come to parcdf_wait, also one whose thread writes nothing any more.
 */

#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include "together.h"
#include "alloc.h"
#include "parcdf.h"

enum { CELLS = 8 };

enum what { PUT, RECORD, GET, WAIT, FILL, SYNC, BEGIN_INDEP, REDEF, ENDDEF, END_INDEP, CLOSE, WHATS };
static const struct {
    const char *name, *kind, *variable;
} calls[WHATS] = {
    [PUT] = { "put_all", "in put (", "variable cells" },
    [RECORD] = { "put_all of a record", "in put (", "variable series" },
    [GET] = { "get_all", "in get (", "variable cells" },
    [WAIT] = { "wait_all", "in wait_all (", "variable cells" },
    [FILL] = { "fill_var_rec", "in fill_var_rec (", "variable series" },
    [SYNC] = { "sync", "in sync (", "" },
    [BEGIN_INDEP] = { "begin_indep_data", "in begin_indep_data (", "" },
    [REDEF] = { "redef", "in redef (", "" },
    [END_INDEP] = { "end_indep_data", "in end_indep_data (", "" },
    [ENDDEF] = { "enddef", "in enddef (", "" },
    [CLOSE] = { "close", "in close (", "" },
};

static int ncid, cells, series;

static void make_file(const char *seconds, const char *aborts)
{
    MPI_Info info;
    int d[2];
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_watchdog_s", my_rank == 0 ? seconds : "0");
    MPI_Info_set(info, "pcdf_debug_watchdog_abort", aborts);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", CELLS * my_size, &d[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "cells", NC_INT, 1, &d[1], &cells), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "series", NC_INT, 2, d, &series), NC_NOERR);
    CHECK_NC(ncmpi_def_var_fill(ncid, series, 0, NULL), NC_NOERR);
}

static int transfer(enum what what)
{
    MPI_Offset start[2] = { 0, CELLS * my_rank }, count[2] = { 1, CELLS };
    int values[CELLS] = { 0 }, id;
    if (what == RECORD)
        return ncmpi_put_vara_int_all(ncid, series, start, count, values);
    if (what == PUT)
        return ncmpi_put_vara_int_all(ncid, cells, start + 1, count + 1, values);
    if (what == GET)
        return ncmpi_get_vara_int_all(ncid, cells, start + 1, count + 1, values);
    CHECK_NC(ncmpi_iput_vara_int(ncid, cells, start + 1, count + 1, values, &id), NC_NOERR);
    return ncmpi_wait_all(ncid, 1, &id, NULL);
}

static int call(enum what what)
{
    switch (what) {
    case FILL:
        return ncmpi_fill_var_rec(ncid, series, 3);
    case SYNC:
        return ncmpi_sync(ncid);
    case BEGIN_INDEP:
        return ncmpi_begin_indep_data(ncid);
    case REDEF:
        return ncmpi_redef(ncid);
    case END_INDEP:
        return ncmpi_end_indep_data(ncid);
    case ENDDEF:
        return ncmpi_enddef(ncid);
    case CLOSE:
        return ncmpi_close(ncid);
    default:
        return transfer(what);
    }
}

static void check_sentence(enum what what, const char *part)
{
    CHECK(strstr(parcdf_last_error(), part), "%s, rank %d: \"%s\" lacks \"%s\"", calls[what].name, my_rank,
          parcdf_last_error(), part);
}

/* Nobody waits for anybody on a file that was given up. */
static void check_given_up(enum what what)
{
    if (what == CLOSE)
        return;
    if (what != ENDDEF) /* in define mode no sync */
        CHECK_NC(ncmpi_sync(ncid), NC_EMULTIDEFINE_FNC_ARGS);
    CHECK_NC(ncmpi_close(ncid), NC_EMULTIDEFINE_FNC_ARGS);
}

/* "rank 2" or "ranks 1, 2": all whose bit is set. */
static void name_ranks(int ranks, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, ranks & (ranks - 1) ? " for ranks " : " for rank ");
    for (int r = 0, named = 0; r < my_size; r++)
        if (ranks & 1 << r)
            used += (size_t)snprintf(text + used, size - used, "%s%d", named++ ? ", " : "", r);
    snprintf(text + used, size - used, ", which did not come");
}

/* missing: the ranks, as bits, that make the call when the others have given up. */
static void stay_away(enum what what, int missing)
{
    char names[128];
    bool comes = !(missing & 1 << my_rank);
    make_file("2", "false"); /* a busy machine may take one for what is no wait */
    if (what != ENDDEF)
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    if (what == END_INDEP)
        CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    if (comes) {
        CHECK_NC(call(what), NC_EMULTIDEFINE_FNC_ARGS);
        name_ranks(missing, names, sizeof names);
        check_sentence(what, my_path);
        check_sentence(what, calls[what].kind);
        check_sentence(what, calls[what].variable);
        check_sentence(what, names);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (!comes) {
        CHECK_NC(call(what), NC_EMULTIDEFINE_FNC_ARGS);
        check_sentence(what, "comes too late");
        check_sentence(what, calls[what].kind);
    }
    check_given_up(what);
}

/* A rank that takes its time, and a watchdog with more. */
static void come_late(void)
{
    struct timespec moment = { 0, 200 * 1000 * 1000 };
    make_file("100", "false");
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int r = 0; r < my_size; r++) {
        if (r == my_rank)
            nanosleep(&moment, NULL);
        CHECK_NC(transfer(PUT), NC_NOERR);
        CHECK_NC(transfer(RECORD), NC_NOERR);
        CHECK_NC(transfer(GET), NC_NOERR);
        CHECK_NC(transfer(WAIT), NC_NOERR);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Another file on the communicator is open all the time, and whole in the end. */
static void others_go_on(void)
{
    char given_up[sizeof my_path];
    MPI_Offset start = my_rank, one = 1;
    int good, value = 10 + my_rank, varid, dim;
    strcpy(given_up, my_path);
    make_file("100", "false");
    good = ncid;
    CHECK_NC(ncmpi_def_dim(good, "rank", my_size, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(good, "of_rank", NC_INT, 1, &dim, &varid), NC_NOERR);
    CHECK_NC(ncmpi_enddef(good), NC_NOERR);
    strcat(my_path, "2");
    stay_away(PUT, 1);
    if (my_rank == 0)
        unlink(my_path);
    strcpy(my_path, given_up);
    CHECK_NC(ncmpi_put_vara_int_all(good, varid, &start, &one, &value), NC_NOERR);
    start = (my_rank + 1) % my_size;
    CHECK_NC(ncmpi_get_vara_int_all(good, varid, &start, &one, &value), NC_NOERR);
    CHECK_INT(value, 10 + start);
    CHECK_NC(ncmpi_close(good), NC_NOERR);
}

/* Rank 0 calls on one file, the others on another. */
static void on_different_files(void)
{
    char path[sizeof my_path], names[128];
    int files[2];
    strcpy(path, my_path);
    for (int i = 0; i < 2; i++) {
        make_file("2", "false");
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
        files[i] = ncid;
        strcat(my_path, "2");
    }
    ncid = files[my_rank > 0];
    CHECK_NC(transfer(PUT), NC_EMULTIDEFINE_FNC_ARGS);
    name_ranks(my_rank == 0 ? (1 << my_size) - 2 : 1, names, sizeof names);
    check_sentence(PUT, names);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++)
        CHECK_NC(ncmpi_close(files[i]), NC_EMULTIDEFINE_FNC_ARGS);
    strcpy(my_path, path);
    strcat(path, "2");
    if (my_rank == 0)
        unlink(path);
}

static int begin(bool creates, MPI_Info info)
{
    return creates ? ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid)
                   : ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, info, &ncid);
}

/* The last rank does not come to a create or an open. Only rank 0 has the hint; the others hear of it. */
static void not_opened(bool creates)
{
    MPI_Info info;
    char names[128];
    const char *kind = creates ? "in create of " : "in open of ";
    bool comes = my_rank < my_size - 1;
    MPI_Info_create(&info);
    if (my_rank == 0)
        MPI_Info_set(info, "pcdf_watchdog_s", "1");
    if (comes) {
        CHECK_NC(begin(creates, info), NC_EMULTIDEFINE_FNC_ARGS);
        name_ranks(1 << (my_size - 1), names, sizeof names);
        check_sentence(SYNC, kind);
        check_sentence(SYNC, names);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (!comes) {
        CHECK_NC(begin(creates, info), NC_EMULTIDEFINE_FNC_ARGS);
        check_sentence(SYNC, "comes too late");
        check_sentence(SYNC, kind);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(begin(true, info), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Info_free(&info);
}

/* The last rank does not come to the first create on a communicator, which nobody has duplicated yet. */
static void not_first(void)
{
    MPI_Comm fresh;
    MPI_Info info;
    int id;
    MPI_Comm_dup(MPI_COMM_WORLD, &fresh); /* never freed: a barrier of it stays under way */
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_watchdog_s", "1");
    if (my_rank < my_size - 1) {
        CHECK_NC(ncmpi_create(fresh, my_path, NC_CLOBBER, info, &id), NC_EMULTIDEFINE_FNC_ARGS);
        check_sentence(SYNC, "did not come");
        CHECK_NC(ncmpi_open(fresh, my_path, NC_NOWRITE, info, &id), NC_EMULTIDEFINE_FNC_ARGS);
        check_sentence(SYNC, "gave up");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == my_size - 1)
        CHECK_NC(ncmpi_create(fresh, my_path, NC_CLOBBER, info, &id), NC_EMULTIDEFINE_FNC_ARGS);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Info_free(&info);
}

/* Rank 0 creates what the others open, or the last rank does not say what it creates: the file stays. */
static void create_or_open(void)
{
    struct stat before, after;
    make_file("0", "false");
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK(!stat(my_path, &before) && before.st_size > 0, "%s", my_path);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(begin(my_rank == 0, MPI_INFO_NULL), NC_EMULTIDEFINE_FNC_ARGS);
    check_sentence(SYNC, "some ranks create");
    const char *path = my_rank == my_size - 1 ? "" : my_path;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_EBAD_FILE);
    CHECK(!stat(my_path, &after) && after.st_ino == before.st_ino && after.st_size == before.st_size,
          "the file is not what it was: %lld bytes", (long long)after.st_size);
}

/* The missing rank closes without a look at what the other told it; the last file has the tags of that one.
 */
static void later_file(void)
{
    enum { TAGGED = 4000 }; /* watchdog.c */
    MPI_Info info;
    make_file("1", "false");
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    if (my_rank == 0)
        CHECK_NC(transfer(PUT), NC_EMULTIDEFINE_FNC_ARGS);
    int given_up = ncid;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_watchdog_s", "100");
    MPI_Info_set(info, "pcdf_engine", "null");
    for (int i = 0; i < TAGGED; i++) {
        int err = begin(true, info);
        if (err || i == TAGGED - 1)
            CHECK_NC(err, NC_NOERR);
        err = ncmpi_close(ncid);
        if (err || i == TAGGED - 1)
            CHECK_NC(err, NC_NOERR);
    }
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_close(given_up), NC_EMULTIDEFINE_FNC_ARGS);
}

/* The last rank stops, with its thread, until rank 0 has given it up; so rank 0's thread hears nothing of it.
 * The next file of the communicator is closed as if nothing had been. */
static void closed_later(void)
{
    MPI_Info info;
    int last = my_size - 1, pid = (int)getpid();
    MPI_Bcast(&pid, 1, MPI_INT, last, MPI_COMM_WORLD);
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_async", "1M");
    MPI_Info_set(info, "pcdf_async_close", "true");
    MPI_Info_set(info, "pcdf_watchdog_s", "1");
    for (int stops = 1; stops >= 0; stops--) {
        if (my_rank == last) /* its data is not written yet */
            MPI_Info_set(info, "pcdf_throttle", stops ? "1000000:0" : "0:0");
        CHECK_NC(begin(true, info), NC_NOERR);
        int dim;
        CHECK_NC(ncmpi_def_dim(ncid, "x", CELLS * my_size, &dim), NC_NOERR);
        CHECK_NC(ncmpi_def_var(ncid, "cells", NC_INT, 1, &dim, &cells), NC_NOERR);
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
        CHECK_NC(transfer(PUT), NC_NOERR);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        if (stops && my_rank == last)
            raise(SIGSTOP);
        CHECK_NC(parcdf_wait(my_path), stops ? NC_EMULTIDEFINE_FNC_ARGS : NC_NOERR);
        if (stops && my_rank == 0)
            kill(pid, SIGCONT);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "missing_rank", 100);
    if (argc > 2 && strcmp(argv[2], "abort") == 0) {
        make_file("1", "true");
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
        if (my_rank != my_size - 1)
            (void)transfer(PUT);
        MPI_Barrier(MPI_COMM_WORLD); /* the job ends before */
        return together_end("missing_rank abort");
    }
    for (int what = 0; what < WHATS; what++) /* half of them on 2 ranks, half on 3: each takes seconds */
        if (what % 2 == my_size % 2)
            stay_away((enum what)what, 1 << what / 2 % my_size);
    if (my_size > 2)
        stay_away(PUT, 3 << (my_size - 2));
    not_opened(true);
    not_opened(false);
    create_or_open();
    not_first();
    if (my_size == 2)
        later_file();
    others_go_on();
    on_different_files();
    come_late();
    closed_later();
    CHECK(pcdf_alloc_now() == 0, "%lld bytes are held", (long long)pcdf_alloc_now());
    return together_end("missing_rank");
}
