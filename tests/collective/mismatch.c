/* Fixes: ranks that call different collectives on one file (put against get, enddef, redef, sync, close, ...)
 * are told NC_EMULTIDEFINE_FNC_ARGS, all of them; nobody hangs; every later call on that file returns it at
 * once, without talking to the others; close frees the file. */

#include "together.h"
#include "dataset.h"

enum what { PUT, GET, REDEF, SYNC, BEGIN_INDEP, CLOSE, WHATS };
static const char *const what_names[WHATS] = { "put_all", "get_all",          "redef",
                                               "sync",    "begin_indep_data", "close" };

static int v, ncid;

static int do_it(int what)
{
    int row[4] = { 1, 2, 3, 4 };
    MPI_Offset start[1] = { 0 }, count[1] = { 4 };
    switch (what) {
    case PUT:
        return ncmpi_put_vara_int_all(ncid, v, start, count, row);
    case GET:
        return ncmpi_get_vara_int_all(ncid, v, start, count, row);
    case REDEF:
        return ncmpi_redef(ncid);
    case SYNC:
        return ncmpi_sync(ncid);
    case BEGIN_INDEP:
        return ncmpi_begin_indep_data(ncid);
    default:
        return ncmpi_close(ncid);
    }
}

static int64_t collectives(void)
{
    struct pcdf_dataset *ds = NULL;
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    return ds ? ds->counts.allreduce + ds->counts.bcast + ds->counts.barrier + ds->counts.gather : -1;
}

static void make_file(void)
{
    int d[2];
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, d, &v), NC_NOERR);
}

/* The last rank does `odd`, the others `usual`. */
static void differ(int usual, int odd)
{
    int mine = my_rank == my_size - 1 ? odd : usual;
    make_file();
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(do_it(PUT), NC_NOERR); /* there is something to get */
    int err = do_it(mine);
    CHECK(err == NC_EMULTIDEFINE_FNC_ARGS, "%s against %s: rank %d gets %s", what_names[usual],
          what_names[odd], my_rank, ncmpi_strerrno(err));
    if (mine == CLOSE)
        return; /* the file is gone here; the others are alone with it */
    int64_t before = collectives();
    for (int later = PUT; later < CLOSE; later++) {
        err = do_it(later);
        CHECK(err == NC_EMULTIDEFINE_FNC_ARGS, "%s against %s, then %s: rank %d gets %s", what_names[usual],
              what_names[odd], what_names[later], my_rank, ncmpi_strerrno(err));
    }
    CHECK_INT(collectives(), before);
    CHECK_NC(ncmpi_close(ncid), NC_EMULTIDEFINE_FNC_ARGS);
    CHECK_NC(ncmpi_inq(ncid, NULL, NULL, NULL, NULL), NC_EBADID);
}

/* In define mode: enddef against close. */
static void differ_at_enddef(void)
{
    make_file();
    int err = my_rank == my_size - 1 ? ncmpi_abort(ncid) : ncmpi_enddef(ncid);
    CHECK(err == NC_EMULTIDEFINE_FNC_ARGS, "enddef against abort: rank %d gets %s", my_rank,
          ncmpi_strerrno(err));
    if (my_rank < my_size - 1)
        CHECK_NC(ncmpi_close(ncid), NC_EMULTIDEFINE_FNC_ARGS);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "mismatch", 60);
    if (my_size == 1) {
        MPI_Finalize();
        return CHECK_SKIP;
    }
    for (int usual = 0; usual < WHATS; usual++)
        for (int odd = 0; odd < WHATS; odd++)
            if (usual != odd)
                differ(usual, odd);
    differ_at_enddef();
    /* the communicator is still good */
    make_file();
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    return together_end("mismatch");
}
