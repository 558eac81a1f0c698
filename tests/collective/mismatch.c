/* Fixes: ranks that call different collectives on one file are told NC_EMULTIDEFINE_FNC_ARGS, all of them,
 * with a sentence that names both calls as the user made them; nobody hangs; every later call on that file
 * returns it at once, without talking to the others; close and abort free the file. Every ordered pair of
 * calls that can meet in one mode: rank 0 makes the one, the other ranks the other; and again with an error
 * of its own in rank 0's call, which then is in the sentence, too. Calls of one kind are no mismatch.
 *     mismatch [FOLDER [netcdf4]]    netcdf4: hints in the environment say that new files are such */

#include "together.h"
#include "alloc.h"
#include "dataset.h"
#include "parcdf.h"

enum what {
    PUT,
    MPUT,
    GET,
    MGET,
    WAIT,
    FILL,
    ENDDEF,
    REDEF,
    SYNC,
    NUMRECS,
    BEGIN_INDEP,
    END_INDEP,
    CLOSE,
    ABORT,
    WHATS
};
static const char *const what_names[WHATS] = {
    "put_all", "mput_all", "get_all",      "mget_all",         "wait_all",       "fill_var_rec", "enddef",
    "redef",   "sync",     "sync_numrecs", "begin_indep_data", "end_indep_data", "close",        "abort"
};

/* What the library calls them in its sentence. */
static const char *kind_names[WHATS] = {
    "put",    "put",   "get",  "get",          "wait_all",         "fill_var_rec",
    "enddef", "redef", "sync", "sync_numrecs", "begin_indep_data", "end_indep_data",
    "close",  "abort"
};
static bool is_netcdf4; /* where sync_numrecs is a sync */

enum { COLLECTIVE, INDEPENDENT, DEFINE, MODES };
static const char *const mode_names[MODES] = { "collective mode", "independent mode", "define mode" };

/* The calls that talk in each mode; the others return at once, with NC_EINDEP, NC_EINDEFINE, ... or nothing
 * to do. */
static const bool talks[MODES][WHATS] = {
    [COLLECTIVE] = { [PUT] = true,
                     [MPUT] = true,
                     [GET] = true,
                     [MGET] = true,
                     [WAIT] = true,
                     [FILL] = true,
                     [REDEF] = true,
                     [SYNC] = true,
                     [BEGIN_INDEP] = true,
                     [CLOSE] = true,
                     [ABORT] = true },
    [INDEPENDENT] = { [REDEF] = true,
                      [SYNC] = true,
                      [NUMRECS] = true,
                      [END_INDEP] = true,
                      [CLOSE] = true,
                      [ABORT] = true },
    [DEFINE] = { [ENDDEF] = true, [CLOSE] = true, [ABORT] = true },
};

/* The error of a call with an argument that only this rank finds wrong. */
static const int bad_codes[WHATS] = {
    [PUT] = NC_ENOTVAR,         [MPUT] = NC_EINVAL,   [GET] = NC_EINVALCOORDS, [MGET] = NC_EINVAL,
    [WAIT] = NC_EINVAL_REQUEST, [FILL] = NC_ENOTFILL, [ENDDEF] = NC_EINVAL,
};

static int v, not_filled, ncid;
static long pairs;

static bool goes_away(int what)
{
    return what == CLOSE || what == ABORT;
}

static int do_it(int what, bool bad)
{
    int row[4] = { 1, 2, 3, 4 }, *rows[1] = { row }, strange = 1234;
    MPI_Offset start[1] = { 0 }, count[1] = { 4 }, *starts[1] = { start }, *counts[1] = { count };
    switch (what) {
    case PUT:
        return ncmpi_put_vara_int_all(ncid, bad ? 99 : v, start, count, row);
    case MPUT:
        return ncmpi_mput_vara_int_all(ncid, bad ? -1 : 1, &v, starts, counts, rows);
    case GET:
        start[0] = bad ? -1 : 0;
        return ncmpi_get_vara_int_all(ncid, v, start, count, row);
    case MGET:
        return ncmpi_mget_vara_int_all(ncid, bad ? -1 : 1, &v, starts, counts, rows);
    case WAIT:
        return bad ? ncmpi_wait_all(ncid, 1, &strange, NULL) : ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL);
    case FILL:
        return ncmpi_fill_var_rec(ncid, bad ? not_filled : v, 0);
    case ENDDEF:
        return bad ? ncmpi__enddef(ncid, -1, 4, 0, 4) : ncmpi_enddef(ncid);
    case REDEF:
        return ncmpi_redef(ncid);
    case SYNC:
        return ncmpi_sync(ncid);
    case NUMRECS:
        return ncmpi_sync_numrecs(ncid);
    case BEGIN_INDEP:
        return ncmpi_begin_indep_data(ncid);
    case END_INDEP:
        return ncmpi_end_indep_data(ncid);
    case CLOSE:
        return ncmpi_close(ncid);
    default:
        return ncmpi_abort(ncid);
    }
}

/* Messages and file operations that all ranks take part in. */
static int64_t talked(void)
{
    struct pcdf_dataset *ds = NULL;
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    if (!ds)
        return -1;
    const struct pcdf_counts *c = &ds->counts;
    return c->allreduce + c->bcast + c->barrier + c->exchange + c->set_view + c->write_view_all +
           c->read_view_all + c->sync + c->resize;
}

static void make_file(int mode)
{
    int d[2];
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, d, &v), NC_NOERR);
    CHECK_NC(ncmpi_def_var_fill(ncid, v, 0, NULL), NC_NOERR); /* fill_var_rec may */
    CHECK_NC(ncmpi_def_var(ncid, "not filled", NC_INT, 1, d, &not_filled), NC_NOERR);
    if (mode == DEFINE)
        return;
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(do_it(PUT, false), NC_NOERR); /* there is something to get */
    if (mode == INDEPENDENT)
        CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
}

/* `mine` met `other`: the code, and the sentence that names both, and this rank's own error. */
static void check_told(int err, int mode, int mine, int other, int own)
{
    char want[2][100];
    const char *sentence = parcdf_last_error(), *where = mode_names[mode];
    CHECK(err == NC_EMULTIDEFINE_FNC_ARGS, "%s, %s against %s: rank %d gets %s", where, what_names[mine],
          what_names[other], my_rank, ncmpi_strerrno(err));
    snprintf(want[0], sizeof want[0], " on the file is %s, another", kind_names[mine]);
    snprintf(want[1], sizeof want[1], " is %s; the file", kind_names[other]);
    bool names_own = strstr(sentence, "fails by itself") != NULL;
    CHECK(strstr(sentence, want[0]) && strstr(sentence, want[1]) && names_own == (own != NC_NOERR) &&
              (!own || strstr(sentence, ncmpi_strerrno(own))),
          "%s, %s against %s: rank %d is told \"%s\"", where, what_names[mine], what_names[other], my_rank,
          sentence);
}

/* The file says the same for ever, alone, and can be given back. */
static void check_dead(int mode, int last)
{
    int64_t before = talked();
    for (int later = 0; later < WHATS; later++) {
        if (!talks[mode][later] || goes_away(later))
            continue;
        int err = do_it(later, false);
        CHECK(err == NC_EMULTIDEFINE_FNC_ARGS, "%s, later %s: rank %d gets %s", mode_names[mode],
              what_names[later], my_rank, ncmpi_strerrno(err));
    }
    CHECK_INT(talked(), before);
    CHECK_NC(do_it(last, false), NC_EMULTIDEFINE_FNC_ARGS);
}

/* Rank 0 calls `a`, wrongly with root_errs, the others `b`. */
static void differ(int mode, int a, int b, bool root_errs)
{
    int64_t held = pcdf_alloc_now();
    bool bad = root_errs && my_rank == 0;
    int mine = my_rank == 0 ? a : b, other = my_rank == 0 ? b : a;
    make_file(mode);
    bool is_told = bad && a != WAIT; /* a strange id has a status of its own */
    check_told(do_it(mine, bad), mode, mine, other, is_told ? bad_codes[a] : NC_NOERR);
    if (!goes_away(mine)) /* else the file is gone here; the others are alone with it */
        check_dead(mode, (a + b) % 2 ? CLOSE : ABORT);
    CHECK_NC(ncmpi_inq(ncid, NULL, NULL, NULL, NULL), NC_EBADID);
    CHECK_INT(pcdf_alloc_now(), held);
    pairs++;
}

/* One kind, though two functions. */
static void agree(int a, int b)
{
    int row[4] = { 0 };
    MPI_Offset start[1] = { 0 }, count[1] = { 4 };
    make_file(COLLECTIVE);
    CHECK_NC(do_it(my_rank == 0 ? a : b, false), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_int_all(ncid, v, start, count, row), NC_NOERR);
    for (int i = 0; i < 4; i++)
        CHECK_INT(row[i], i + 1);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void every_pair(int mode)
{
    for (int a = 0; a < WHATS; a++)
        for (int b = 0; b < WHATS; b++) {
            if (!talks[mode][a] || !talks[mode][b] || strcmp(kind_names[a], kind_names[b]) == 0)
                continue;
            differ(mode, a, b, false);
            if (bad_codes[a])
                differ(mode, a, b, true);
        }
}

/* Rank 0 puts to one file, the others to a second one: each is told so, and both files can be closed. */
static void different_files(void)
{
    int files[2], dim, values[1] = { 0 };
    char path[1100];
    MPI_Offset start[1] = { 0 }, count[1] = { 0 };
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s.%d", my_path, i);
        CHECK_NC(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &files[i]), NC_NOERR);
        CHECK_NC(ncmpi_def_dim(files[i], "x", 4, &dim), NC_NOERR);
        CHECK_NC(ncmpi_def_var(files[i], "v", NC_INT, 1, &dim, &v), NC_NOERR);
        CHECK_NC(ncmpi_enddef(files[i]), NC_NOERR);
    }
    CHECK_NC(ncmpi_put_vara_int_all(files[my_rank > 0], v, start, count, values), NC_EMULTIDEFINE_FNC_ARGS);
    CHECK(strstr(parcdf_last_error(), "on another file"), "rank %d: %s", my_rank, parcdf_last_error());
    for (int i = 0; i < 2; i++)
        CHECK_NC(ncmpi_close(files[i]), NC_EMULTIDEFINE_FNC_ARGS);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; my_rank == 0 && i < 2; i++) {
        snprintf(path, sizeof path, "%s.%d", my_path, i);
        unlink(path);
    }
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "mismatch", 100);
    if (my_size == 1) {
        MPI_Finalize();
        return CHECK_SKIP;
    }
    is_netcdf4 = argc > 2 && strcmp(argv[2], "netcdf4") == 0;
    if (is_netcdf4)
        kind_names[NUMRECS] = kind_names[SYNC];
    for (int mode = 0; mode < MODES; mode++)
        every_pair(mode);
    different_files();
    agree(PUT, MPUT);
    agree(MPUT, PUT);
    agree(GET, MGET);
    agree(MGET, GET);
    /* 11 calls of 9 kinds, 6 of 6, 3 of 3; with an error: 4 against 9 others, 2 against 10, 1 against 2 */
    CHECK_INT(pairs, (11 * 10 - 4) + 6 * 5 - 2 * is_netcdf4 + 3 * 2 + 4 * 9 + 2 * 10 + 2);
    return together_end("mismatch");
}
