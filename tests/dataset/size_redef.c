/* Definitions of a STREAMING file (hint pcdf_streaming) change: the header stays STREAMING, the records and
 * their values stay, and an open counts them by the size; also if the new variable is the last one, with and
 * without fill mode, and has no values yet. Then records are added, filled, and put in independent mode. The
 * storage is one that ranks share. One put of two records that lie far apart takes as many messages as one of
 * neighbours. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <string.h>
#include "dataset.h"
#include "together.h"

enum { X = 8 };
static int rank, size;

static void check_bytes(const char *path, int version)
{
    unsigned char head[12] = { 0 };
    MPI_Barrier(MPI_COMM_WORLD);
    FILE *f = fopen(path, "rb");
    CHECK(f && fread(head, 1, sizeof head, f) == sizeof head, "no header");
    for (int i = 4; i < (version == 5 ? 12 : 8); i++)
        CHECK(head[i] == 0xff, "byte %d of the header is %d", i, head[i]);
    CHECK(version == 5 || head[8] != 0xff, "too many bytes");
    if (f)
        fclose(f);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void put(int ncid, int varid, MPI_Offset record, int all)
{
    int values[X];
    MPI_Offset start[2] = { record, X * rank / size },
               count[2] = { 1, X * (rank + 1) / size - X * rank / size };
    for (int i = 0; i < (int)count[1]; i++)
        values[i] = (int)(100 * record + start[1] + i);
    CHECK_INT(all ? ncmpi_put_vara_int_all(ncid, varid, start, count, values)
                  : ncmpi_put_vara_int(ncid, varid, start, count, values),
              NC_NOERR);
}

static void check_records(const char *path, MPI_Offset want)
{
    int ncid, values[X];
    MPI_Offset have;
    CHECK_INT(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_INT(ncmpi_inq_dimlen(ncid, 0, &have), NC_NOERR);
    CHECK(have == want, "%lld records, not %lld", (long long)have, (long long)want);
    for (MPI_Offset r = 0; r < have; r++) {
        MPI_Offset start[2] = { r, 0 }, count[2] = { 1, X };
        CHECK_INT(ncmpi_get_vara_int_all(ncid, 0, start, count, values), NC_NOERR);
        for (int i = 0; i < X; i++)
            CHECK(values[i] == 100 * r + i, "record %lld, value %d is %d", (long long)r, i, values[i]);
    }
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
}

static void go(const char *path, int version, int fills)
{
    int ncid, dims[2], varid, more, old;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_streaming", "true");
    CHECK_INT(ncmpi_create(MPI_COMM_WORLD, path,
                           version == 5   ? NC_64BIT_DATA
                           : version == 2 ? NC_64BIT_OFFSET
                                          : 0,
                           info, &ncid),
              NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, "x", X, &dims[1]), NC_NOERR);
    CHECK_INT(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &varid), NC_NOERR);
    CHECK_INT(ncmpi_enddef(ncid), NC_NOERR);
    check_bytes(path, version);
    for (int r = 0; r < 3; r++)
        put(ncid, varid, r, 1);
    check_bytes(path, version);
    CHECK_INT(ncmpi_redef(ncid), NC_NOERR);
    CHECK_INT(ncmpi_set_fill(ncid, fills ? NC_FILL : NC_NOFILL, &old), NC_NOERR);
    CHECK_INT(ncmpi_def_var(ncid, "last", NC_SHORT, 2, dims, &more), NC_NOERR);
    CHECK_INT(ncmpi_put_att_text(ncid, NC_GLOBAL, "title", 5, "hello"), NC_NOERR);
    CHECK_INT(ncmpi_enddef(ncid), NC_NOERR);
    check_bytes(path, version);
    check_records(path, 3);
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
    check_bytes(path, version);
    check_records(path, 3);

    CHECK_INT(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    put(ncid, varid, 3, 1);
    CHECK_INT(ncmpi_put_att_text(ncid, NC_GLOBAL, "title", 5, "HELLO"), NC_NOERR);
    CHECK_INT(ncmpi_sync(ncid), NC_NOERR);
    check_bytes(path, version);
    CHECK_INT(ncmpi_begin_indep_data(ncid), NC_NOERR);
    put(ncid, varid, 4, 0);
    CHECK_INT(ncmpi_end_indep_data(ncid), NC_NOERR);
    if (fills)
        CHECK_INT(ncmpi_fill_var_rec(ncid, more, 4), NC_NOERR);
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
    check_bytes(path, version);
    check_records(path, 5);
    MPI_Info_free(&info);
}

/* Two records of the first variable, by one call, and the second one's last values. Messages that it took. */
static int64_t put_apart(int ncid, MPI_Offset apart)
{
    struct pcdf_dataset *ds = NULL;
    MPI_Offset first[2] = { 0, rank }, then[2] = { apart, rank }, last[2] = { apart, X - 1 };
    const int values[3] = { 1 + rank, 2 + rank, 3 };
    int requests[3] = { NC_REQ_NULL, NC_REQ_NULL, NC_REQ_NULL }, codes[3] = { 0 };
    CHECK_INT(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    int64_t before = ds ? ds->counts.allreduce : 0;
    CHECK_INT(ncmpi_iput_var1_int(ncid, 0, first, &values[0], &requests[0]), NC_NOERR);
    CHECK_INT(ncmpi_iput_var1_int(ncid, 0, then, &values[1], &requests[1]), NC_NOERR);
    if (rank == size - 1)
        CHECK_INT(ncmpi_iput_var1_int(ncid, 1, last, &values[2], &requests[2]), NC_NOERR);
    CHECK_INT(ncmpi_wait_all(ncid, 3, requests, codes), NC_NOERR);
    return ds ? ds->counts.allreduce - before : 0;
}

static void check_apart(const char *path, const char *commit)
{
    int ncid, dims[2], varid, value = 0;
    const MPI_Offset far = 1000;
    int64_t messages[2];
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_streaming", "true");
    MPI_Info_set(info, "pcdf_commit", commit);
    for (int i = 0; i < 2; i++) {
        MPI_Offset records = i ? far : 1, have = 0;
        CHECK_INT(ncmpi_create(MPI_COMM_WORLD, path, NC_64BIT_DATA, info, &ncid), NC_NOERR);
        CHECK_INT(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), NC_NOERR);
        CHECK_INT(ncmpi_def_dim(ncid, "x", X, &dims[1]), NC_NOERR);
        CHECK_INT(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &varid), NC_NOERR);
        CHECK_INT(ncmpi_def_var(ncid, "w", NC_INT, 2, dims, &varid), NC_NOERR);
        CHECK_INT(ncmpi_enddef(ncid), NC_NOERR);
        messages[i] = put_apart(ncid, records);
        CHECK_INT(ncmpi_close(ncid), NC_NOERR);
        CHECK_INT(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
        CHECK_INT(ncmpi_inq_dimlen(ncid, 0, &have), NC_NOERR);
        CHECK_INT(have, records + 1);
        for (int r = 0; r < size; r++)
            for (int k = 0; k < 2; k++) {
                CHECK_INT(ncmpi_get_var1_int_all(ncid, 0, (MPI_Offset[]){ k ? records : 0, r }, &value),
                          NC_NOERR);
                CHECK_INT(value, 1 + k + r);
            }
        CHECK_INT(ncmpi_get_var1_int_all(ncid, 1, (MPI_Offset[]){ records, X - 1 }, &value), NC_NOERR);
        CHECK_INT(value, 3);
        CHECK_INT(ncmpi_close(ncid), NC_NOERR);
    }
    CHECK(messages[1] <= messages[0], "%d records between: %d messages, not %d", (int)far, (int)messages[1],
          (int)messages[0]); /* the first one also finds out who is on which node */
    MPI_Info_free(&info);
}

/* Views are no steps: they become an exchange, unless each rank has bytes of its own. */
static void check_views(const char *path, const char *engine, bool exchanges)
{
    int ncid, dims[2], varid;
    struct pcdf_dataset *ds = NULL;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_streaming", "true");
    MPI_Info_set(info, "pcdf_debug_strategy", "views");
    MPI_Info_set(info, "pcdf_commit", "record"); /* one rank writes in steps, too */
    MPI_Info_set(info, "pcdf_engine", engine);
    CHECK_INT(ncmpi_create(MPI_COMM_WORLD, path, NC_64BIT_DATA, info, &ncid), NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, "x", X, &dims[1]), NC_NOERR);
    CHECK_INT(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &varid), NC_NOERR);
    CHECK_INT(ncmpi_enddef(ncid), NC_NOERR);
    put(ncid, varid, 0, 1);
    put(ncid, varid, 1, 1);
    CHECK_INT(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    CHECK(ds && (ds->counts.nodes > 0) == exchanges, "%s: %d nodes", engine, ds ? (int)ds->counts.nodes : -1);
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
    if (strcmp(engine, "null") != 0)
        check_records(path, 2);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    char path[600];
    together_begin(&argc, &argv, "size_redef", 60);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(path, sizeof path, "%s/size_redef_%d.nc", argc > 1 ? argv[1] : ".", size);
    for (int i = 0; i < 6; i++)
        go(path, i % 3 == 2 ? 5 : 1 + i % 3, i / 3);
    check_apart(path, "none");
    check_apart(path, "record");
    check_views(path, "mpiio", size > 1);
    check_views(path, "null", false);
    if (rank == 0)
        (void)remove(path);
    return together_end("size_redef");
}
