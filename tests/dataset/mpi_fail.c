/* Fixes: where MPI itself fails on one rank alone, in duplicating the communicator, making its attribute or
 * opening the file, every rank's call fails, none hangs, and the next try succeeds. Where the messages of an
 * open file fail, no rank calls that a success, and it can be closed. And what one rank alone
 * knows of a failed write does not decide whether definitions change in data mode. The failures are made by
 * standing between the library and MPI (the profiling interface). */

#include "together.h"
#include "dataset.h"

enum call { NOTHING, DUP, KEYVAL, ATTRIBUTE, FILE_OPEN, ALLREDUCE, BCAST, CALLS };
static const char *const call_names[CALLS] = { "nothing",       "Comm_dup",  "Comm_create_keyval",
                                               "Comm_set_attr", "File_open", "Allreduce",
                                               "Bcast" };
static enum call to_fail; /* on this rank, when `turn` of them were made */
static int turn;
static long failures;

static bool fails_now(enum call call)
{
    if (call != to_fail || --turn > 0)
        return false;
    to_fail = NOTHING;
    failures++;
    return true;
}

/* A collective one happens, so that the other ranks come back from it. */
int MPI_Comm_dup(MPI_Comm c, MPI_Comm *made)
{
    int err = PMPI_Comm_dup(c, made);
    if (!fails_now(DUP))
        return err;
    *made = MPI_COMM_NULL;
    return MPI_ERR_OTHER;
}

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *drop, int *key,
                           void *extra)
{
    return fails_now(KEYVAL) ? MPI_ERR_OTHER : PMPI_Comm_create_keyval(copy, drop, key, extra);
}

int MPI_Comm_set_attr(MPI_Comm c, int key, void *value)
{
    return fails_now(ATTRIBUTE) ? MPI_ERR_OTHER : PMPI_Comm_set_attr(c, key, value);
}

int MPI_File_open(MPI_Comm c, const char *path, int mode, MPI_Info info, MPI_File *file)
{
    int err = PMPI_File_open(c, path, mode, info, file);
    if (!fails_now(FILE_OPEN))
        return err;
    *file = MPI_FILE_NULL;
    return MPI_ERR_OTHER;
}

int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm c)
{
    int err = PMPI_Allreduce(from, to, n, type, op, c);
    return fails_now(ALLREDUCE) ? MPI_ERR_OTHER : err;
}

int MPI_Bcast(void *bytes, int n, MPI_Datatype type, int root, MPI_Comm c)
{
    int err = PMPI_Bcast(bytes, n, type, root, c);
    return fails_now(BCAST) ? MPI_ERR_OTHER : err;
}

static void fail(int rank, enum call call, int n)
{
    to_fail = rank == my_rank ? call : NOTHING;
    turn = n;
    failures = 0;
}

/* Every rank failed, and it was the failure that was ordered. */
static void check_failed(int err, int want, int rank, const char *what)
{
    CHECK(err == want, "%s failed on rank %d: rank %d gets %s", what, rank, my_rank, ncmpi_strerrno(err));
    CHECK(failures == (rank == my_rank), "%s failed %ld times on rank %d", what, failures, my_rank);
}

/* ---- the communicator */

static void create_fails(MPI_Comm comm, int rank, enum call call, int n)
{
    int ncid = -1;
    fail(rank, call, n);
    check_failed(ncmpi_create(comm, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_EMPI, rank,
                 call_names[call]);
}

static void create_succeeds(MPI_Comm comm)
{
    int ncid = -1;
    CHECK_NC(ncmpi_create(comm, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* The two keys, and the attribute by which the library hears of MPI_Finalize, are made once in a process:
 * each try gets one further. */
static void keys_fail(int rank)
{
    create_fails(MPI_COMM_WORLD, rank, KEYVAL, 1);
    create_fails(MPI_COMM_WORLD, rank, KEYVAL, 2);
    create_fails(MPI_COMM_WORLD, rank, ATTRIBUTE, 1);
    create_succeeds(MPI_COMM_WORLD);
}

static void communicator_fails(int rank, enum call call)
{
    MPI_Comm comm;
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    create_fails(comm, rank, call, 1);
    create_succeeds(comm);
    PMPI_Comm_free(&comm);
}

/* ---- the file */

static MPI_Info views, mpiio; /* the first: and transfers together go through MPI's views */

static int make_file(void)
{
    int ncid = -1, dim, var;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, views, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", 8 * (MPI_Offset)my_size, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    return ncid;
}

/* Elements of the ranks lie between each other: a view is needed. */
static int interleaved(int ncid, bool put)
{
    int values[8] = { 0 };
    MPI_Offset start[1] = { my_rank }, count[1] = { 8 }, stride[1] = { my_size };
    for (int i = 0; i < 8; i++)
        values[i] = my_rank + i * my_size;
    if (put)
        return ncmpi_put_vars_int_all(ncid, 0, start, count, stride, values);
    int err = ncmpi_get_vars_int_all(ncid, 0, start, count, stride, values);
    for (int i = 0; !err && i < 8; i++)
        CHECK_INT(values[i], my_rank + i * my_size);
    return err;
}

/* Alone, which needs no view. */
static int in_one_piece(int ncid)
{
    int values[8] = { 0 };
    MPI_Offset start[1] = { 8 * my_rank }, count[1] = { 8 };
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    int err = ncmpi_get_vara_int(ncid, 0, start, count, values);
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
    for (int i = 0; !err && i < 8; i++)
        CHECK_INT(values[i], 8 * my_rank + i);
    return err;
}

static void open_fails(int rank)
{
    int ncid = make_file();
    CHECK_NC(interleaved(ncid, true), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    fail(rank, FILE_OPEN, 1);
    check_failed(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, mpiio, &ncid), NC_EFILE, rank,
                 "the first File_open");
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, mpiio, &ncid), NC_NOERR);
    CHECK_NC(interleaved(ncid, false), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* The handle for transfers together is opened when first needed. Gets need not fail for good: what goes
 * without it goes on. */
static void open_for_views_fails(int rank)
{
    int ncid = make_file();
    fail(rank, FILE_OPEN, 1);
    check_failed(interleaved(ncid, true), NC_EFILE, rank, "the File_open of a put");
    CHECK_NC(interleaved(ncid, true), NC_EFILE);
    CHECK_NC(ncmpi_close(ncid), NC_EFILE);
    ncid = make_file();
    CHECK_NC(interleaved(ncid, true), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, views, &ncid), NC_NOERR);
    fail(rank, FILE_OPEN, 1);
    check_failed(interleaved(ncid, false), NC_EFILE, rank, "the File_open of a get");
    CHECK_NC(in_one_piece(ncid), NC_NOERR);
    CHECK_NC(interleaved(ncid, false), NC_EFILE);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* ---- a failed write that one rank knows of */

static void check_name(int ncid, const char *want)
{
    char name[NC_MAX_NAME + 1] = "";
    CHECK_NC(ncmpi_inq_varname(ncid, 0, name), NC_NOERR);
    CHECK(strcmp(name, want) == 0, "rank %d: the variable is %s, not %s", my_rank, name, want);
}

static void definitions_stay_equal(int rank)
{
    struct pcdf_dataset *ds = NULL;
    int ncid = make_file();
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    if (ds && my_rank == rank)
        ds->io_error = NC_EQUOTA; /* as after a put whose bytes could not be written */
    CHECK_NC(ncmpi_rename_var(ncid, 0, "w"), NC_NOERR);
    check_name(ncid, "w");
    CHECK_NC(ncmpi_sync(ncid), NC_EQUOTA); /* now all know */
    CHECK_NC(ncmpi_rename_var(ncid, 0, "x"), NC_EQUOTA);
    check_name(ncid, "w");
    CHECK_NC(ncmpi_close(ncid), NC_EQUOTA);
}

/* ---- messages of an open file, on all ranks: who cannot talk any more gives the file up */

static int put_or_define(int ncid, enum call call)
{
    if (call == ALLREDUCE)
        return interleaved(ncid, true);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(my_rank == 0 ? ncmpi_put_att_text(ncid, 0, "units", 1, "m") : NC_NOERR, NC_NOERR);
    return ncmpi_enddef(ncid); /* definitions differ: rank 0's are sent to all */
}

static void messages_fail(enum call call)
{
    int ncid = make_file();
    fail(my_rank, call, 1);
    int err = put_or_define(ncid, call);
    CHECK(err == NC_EMPI && failures == 1, "%s failed %ld times: rank %d gets %s", call_names[call], failures,
          my_rank, ncmpi_strerrno(err));
    if (call == ALLREDUCE) {
        CHECK(interleaved(ncid, true) != NC_NOERR, "a put is good although nobody can agree any more");
        CHECK(ncmpi_close(ncid) != NC_NOERR, "the close is good although nobody can agree any more");
    } else {
        CHECK_NC(ncmpi_close(ncid), NC_NOERR); /* ends the definitions once more */
    }
}

int main(int argc, char **argv)
{
    MPI_Offset held = -1;
    together_begin(&argc, &argv, "mpi_fail", 100);
    MPI_Info_create(&views);
    MPI_Info_set(views, "pcdf_debug_strategy", "views");
    MPI_Info_create(&mpiio);
    MPI_Info_set(mpiio, "pcdf_engine", "mpiio");
    keys_fail(1 % my_size);
    for (int rank = 0; rank < my_size; rank++) {
        communicator_fails(rank, DUP);
        communicator_fails(rank, ATTRIBUTE);
        open_fails(rank);
        if (my_size == 1) /* no views together, nobody who does not know */
            continue;
        open_for_views_fails(rank);
        definitions_stay_equal(rank);
    }
    if (my_size > 1) {
        messages_fail(ALLREDUCE);
        messages_fail(BCAST);
    }
    MPI_Info_free(&views);
    MPI_Info_free(&mpiio);
    CHECK_NC(ncmpi_inq_malloc_size(&held), NC_NOERR);
    CHECK_INT(held, 0);
    return together_end("mpi_fail");
}
