/* Fixes: ranks that call different collectives on one file are told NC_EMULTIDEFINE_FNC_ARGS, all of them,
 * with a sentence that names both calls; nobody hangs; every later call on that file returns it at once,
 * without talking to the others; close and abort free the file. Every ordered pair of calls that can meet in
 * one mode: rank 0 makes the one, the other ranks the other. Calls of one kind are no mismatch, and one that
 * begins as another (close in define mode: enddef) is found at the other's next call. */

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
static const char *const kind_names[WHATS] = {
    "put",    "put",   "get",  "get",          "wait_all",         "filling",
    "enddef", "redef", "sync", "sync_numrecs", "begin_indep_data", "end_indep_data",
    "close",  "abort"
};

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

static int v, ncid;
static long pairs;

/* What a call begins as. */
static int begins_as(int mode, int what)
{
    if (mode == INDEPENDENT && what == REDEF)
        return END_INDEP;
    if (mode == DEFINE && what == CLOSE)
        return ENDDEF;
    return what;
}

static const char *kind_of(int mode, int what)
{
    return kind_names[begins_as(mode, what)];
}

static bool goes_away(int what)
{
    return what == CLOSE || what == ABORT;
}

static int do_it(int what)
{
    int row[4] = { 1, 2, 3, 4 }, *rows[1] = { row };
    MPI_Offset start[1] = { 0 }, count[1] = { 4 }, *starts[1] = { start }, *counts[1] = { count };
    switch (what) {
    case PUT:
        return ncmpi_put_vara_int_all(ncid, v, start, count, row);
    case MPUT:
        return ncmpi_mput_vara_int_all(ncid, 1, &v, starts, counts, rows);
    case GET:
        return ncmpi_get_vara_int_all(ncid, v, start, count, row);
    case MGET:
        return ncmpi_mget_vara_int_all(ncid, 1, &v, starts, counts, rows);
    case WAIT:
        return ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL);
    case FILL:
        return ncmpi_fill_var_rec(ncid, v, 0);
    case ENDDEF:
        return ncmpi_enddef(ncid);
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
    return c->allreduce + c->bcast + c->barrier + c->gather + c->set_view + c->write_view_all +
           c->read_view_all + c->sync + c->resize;
}

static void make_file(int mode)
{
    int d[2];
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, d, &v), NC_NOERR);
    CHECK_NC(ncmpi_def_var_fill(ncid, v, 0, NULL), NC_NOERR); /* fill_var_rec may */
    if (mode == DEFINE)
        return;
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(do_it(PUT), NC_NOERR); /* there is something to get */
    if (mode == INDEPENDENT)
        CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
}

/* `mine` met `other`: the code, and the sentence that names both. */
static void check_told(int err, const char *where, const char *mine, const char *other)
{
    char want[2][100];
    const char *sentence = parcdf_last_error();
    CHECK(err == NC_EMULTIDEFINE_FNC_ARGS, "%s, %s against %s: rank %d gets %s", where, mine, other, my_rank,
          ncmpi_strerrno(err));
    snprintf(want[0], sizeof want[0], " on the file is %s, another", mine);
    snprintf(want[1], sizeof want[1], " is %s; the file", other);
    CHECK(strstr(sentence, want[0]) && strstr(sentence, want[1]), "%s, %s against %s: rank %d is told \"%s\"",
          where, mine, other, my_rank, sentence);
}

/* The file says the same for ever, alone, and can be given back. */
static void check_dead(int mode, int last)
{
    int64_t before = talked();
    for (int later = 0; later < WHATS; later++) {
        if (!talks[mode][later] || goes_away(later))
            continue;
        int err = do_it(later);
        CHECK(err == NC_EMULTIDEFINE_FNC_ARGS, "%s, later %s: rank %d gets %s", mode_names[mode],
              what_names[later], my_rank, ncmpi_strerrno(err));
    }
    CHECK_INT(talked(), before);
    CHECK_NC(do_it(last), NC_EMULTIDEFINE_FNC_ARGS);
}

/* Rank 0 calls `a`, the others `b`. */
static void differ(int mode, int a, int b)
{
    int64_t held = pcdf_alloc_now();
    int mine = my_rank == 0 ? a : b, other = my_rank == 0 ? b : a;
    make_file(mode);
    check_told(do_it(mine), mode_names[mode], kind_of(mode, mine), kind_of(mode, other));
    if (!goes_away(mine)) /* else the file is gone here; the others are alone with it */
        check_dead(mode, (a + b) % 2 ? CLOSE : ABORT);
    CHECK_NC(ncmpi_inq(ncid, NULL, NULL, NULL, NULL), NC_EBADID);
    CHECK_INT(pcdf_alloc_now(), held);
    pairs++;
}

/* `b` is how `a` begins: the ranks that called it are done, and their next call meets the rest of `a`. */
static void differ_later(int mode, int a, int b, bool root_calls_a)
{
    int64_t held = pcdf_alloc_now();
    bool is_a = (my_rank == 0) == root_calls_a;
    make_file(mode);
    int err = do_it(is_a ? a : b);
    if (is_a) {
        check_told(err, mode_names[mode], kind_names[a], "sync");
    } else {
        CHECK_NC(err, NC_NOERR);
        check_told(do_it(SYNC), mode_names[mode], "sync", kind_names[a]);
    }
    if (!is_a || !goes_away(a))
        check_dead(COLLECTIVE, CLOSE);
    CHECK_INT(pcdf_alloc_now(), held);
    pairs++;
}

/* One kind, though two functions. */
static void agree(int a, int b)
{
    int row[4] = { 0 };
    MPI_Offset start[1] = { 0 }, count[1] = { 4 };
    make_file(COLLECTIVE);
    CHECK_NC(do_it(my_rank == 0 ? a : b), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_int_all(ncid, v, start, count, row), NC_NOERR);
    for (int i = 0; i < 4; i++)
        CHECK_INT(row[i], i + 1);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void every_pair(int mode)
{
    for (int a = 0; a < WHATS; a++)
        for (int b = 0; b < WHATS; b++)
            if (talks[mode][a] && talks[mode][b] && strcmp(kind_of(mode, a), kind_of(mode, b)) != 0)
                differ(mode, a, b);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "mismatch", 100);
    if (my_size == 1) {
        MPI_Finalize();
        return CHECK_SKIP;
    }
    make_file(COLLECTIVE); /* the communicator's duplicate stays */
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    for (int mode = 0; mode < MODES; mode++)
        every_pair(mode);
    for (int root_calls_a = 0; root_calls_a < 2; root_calls_a++) {
        differ_later(INDEPENDENT, REDEF, END_INDEP, root_calls_a);
        differ_later(DEFINE, CLOSE, ENDDEF, root_calls_a);
    }
    agree(PUT, MPUT);
    agree(MPUT, PUT);
    agree(GET, MGET);
    agree(MGET, GET);
    /* 11 calls of 9 kinds; 6 of 5; 3 of 2; what was left out of them meets later */
    CHECK_INT(pairs, (11 * 10 - 4) + (6 * 5 - 2) + (3 * 2 - 2) + 4);
    return together_end("mismatch");
}
