/* Fixes: what an open file survives. The user frees its communicator; redef in independent mode while another
 * rank closes; an enddef that fails because ranks differ, and the next one that moves the data after all; a
 * put of a record beyond 63 bits; data that looks like an HDF5 file; engines that differ
 * between ranks; communicators that have no file; the end of MPI, for files that are open then; a put into
 * different files. */

#include "together.h"
#include "alloc.h"
#include "dataset.h"
#include "parcdf.h"

enum { N = 100 };

static int ncid, dimid, varid, values[N];

static void make_file(MPI_Comm comm, MPI_Info info, MPI_Offset length)
{
    CHECK_NC(ncmpi_create(comm, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", length, &dimid), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dimid, &varid), NC_NOERR);
}

static void check_values(void)
{
    int got[N] = { 0 }, bad = 0;
    CHECK_NC(ncmpi_get_var_int_all(ncid, varid, got), NC_NOERR);
    for (int i = 0; i < N; i++)
        bad += got[i] != i;
    CHECK_INT(bad, 0);
}

static void communicator_goes(void)
{
    MPI_Comm comm;
    int other;
    int64_t held = pcdf_alloc_now();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    make_file(comm, MPI_INFO_NULL, N);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var_int_all(ncid, varid, values), NC_NOERR);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(comm, my_path, NC_NOWRITE, MPI_INFO_NULL, &other), NC_NOERR);
    MPI_Comm_free(&comm);
    CHECK_NC(ncmpi_close(other), NC_NOERR);
    check_values();
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_INT(pcdf_alloc_now(), held); /* the duplicate went with the last file */
}

static void redef_against_close(void)
{
    make_file(MPI_COMM_WORLD, MPI_INFO_NULL, NC_UNLIMITED);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    if (my_rank == 0)
        CHECK_NC(ncmpi_redef(ncid), my_size > 1 ? NC_EMULTIDEFINE_FNC_ARGS : NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), my_size > 1 ? NC_EMULTIDEFINE_FNC_ARGS : NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void enddef_twice(void)
{
    static const char text[2000];
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_debug_consistency", "error");
    make_file(MPI_COMM_WORLD, info, N);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var_int_all(ncid, varid, values), NC_NOERR);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "a", sizeof text, text), NC_NOERR);
    CHECK_NC(ncmpi_put_att_int(ncid, varid, "rank", NC_INT, 1, &my_rank), NC_NOERR);
    if (my_size > 1)
        CHECK_NC(ncmpi_enddef(ncid), NC_EMULTIDEFINE);
    CHECK_NC(ncmpi_del_att(ncid, varid, "rank"), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    check_values();
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void far_record(void)
{
    MPI_Offset start = 0, count = 1, records;
    int got = 0, seven = 7, nine = 9;
    make_file(MPI_COMM_WORLD, MPI_INFO_NULL, NC_UNLIMITED);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, varid, &start, &count, &seven), NC_NOERR);
    start = (MPI_Offset)1 << 62; /* times 4 bytes: 2^64, which is 0 */
    CHECK_NC(ncmpi_put_vara_int_all(ncid, varid, &start, &count, &nine), NC_EINTOVERFLOW);
    start = 0;
    CHECK_NC(ncmpi_get_vara_int_all(ncid, varid, &start, &count, &got), NC_NOERR);
    CHECK_INT(got, 7);
    CHECK_NC(ncmpi_inq_dimlen(ncid, dimid, &records), NC_NOERR);
    CHECK_INT(records, 1);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* The first values stand at 512, where an HDF5 file with a user block has its signature. */
static void data_like_hdf5(void)
{
    static const int signature[2] = { (int)0x89484446, 0x0d0a1a0a };
    int like[N] = { 0 };
    like[0] = signature[0];
    like[1] = signature[1];
    make_file(MPI_COMM_WORLD, MPI_INFO_NULL, N);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var_int_all(ncid, varid, like), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Engines are rank 0's, whatever hints the others have. */
static void other_engine(void)
{
    MPI_Info info;
    MPI_Info_create(&info);
    if (my_rank > 0)
        MPI_Info_set(info, "pcdf_engine", my_rank == 1 ? "serial" : "none of them");
    make_file(MPI_COMM_WORLD, info, N);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var_int_all(ncid, varid, values), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, info, &ncid), NC_NOERR);
    check_values();
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Info_free(&info);
}

/* The same call, of another file of the same communicator. */
static void wrong_file(void)
{
    char path[1100];
    int a, b, want = my_size > 1 ? NC_EMULTIDEFINE_FNC_ARGS : NC_NOERR;
    make_file(MPI_COMM_WORLD, MPI_INFO_NULL, N);
    a = ncid;
    CHECK_NC(ncmpi_enddef(a), NC_NOERR);
    snprintf(path, sizeof path, "%s.b", my_path);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &b), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(b, "x", N, &dimid), NC_NOERR);
    CHECK_NC(ncmpi_def_var(b, "v", NC_INT, 1, &dimid, &varid), NC_NOERR);
    CHECK_NC(ncmpi_enddef(b), NC_NOERR);
    CHECK_NC(ncmpi_put_var_int_all(my_rank ? a : b, varid, values), want);
    CHECK_NC(ncmpi_close(my_rank ? a : b), want);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(path);
}

/* Two groups with a bridge between them have no one file. */
static void between_groups(void)
{
    MPI_Comm half, inter;
    int out = 0;
    CHECK_NC(ncmpi_open(MPI_COMM_NULL, my_path, NC_NOWRITE, MPI_INFO_NULL, &out), NC_EMPI);
    if (my_size == 1)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, my_rank > 0, my_rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, my_rank > 0 ? 0 : 1, 7, &inter);
    CHECK_NC(ncmpi_create(inter, my_path, NC_CLOBBER, MPI_INFO_NULL, &out), NC_EINVAL);
    CHECK(strstr(parcdf_last_error(), "intercommunicator"), "\"%s\"", parcdf_last_error());
    CHECK_NC(ncmpi_open(inter, my_path, NC_NOWRITE, MPI_INFO_NULL, &out), NC_EINVAL);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* As where MPI_Finalize comes while files are open, and a session of MPI goes on: later files can be used. */
static void after_the_end(void)
{
    make_file(MPI_COMM_WORLD, MPI_INFO_NULL, N);
    int gone = ncid;
    pcdf_dataset_end_all();
    CHECK_NC(ncmpi_enddef(gone), NC_EMPI);
    make_file(MPI_COMM_WORLD, MPI_INFO_NULL, N);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var_int_all(ncid, varid, values), NC_NOERR);
    CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(gone), NC_EMPI);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "handle_life", 60);
    for (int i = 0; i < N; i++)
        values[i] = i;
    communicator_goes();
    between_groups();
    enddef_twice();
    far_record();
    data_like_hdf5();
    other_engine();
    redef_against_close();
    after_the_end(); /* leaves a file open, too */
    wrong_file();    /* leaves a file open on each rank */
    return together_end("handle_life");
}
