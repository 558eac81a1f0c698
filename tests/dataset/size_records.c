/* Writes or appends to a STREAMING file (hint pcdf_streaming), for size_records.py: PATH create|append
 * VERSION SHAPE RECORDS AT_ONCE FORM. Value i of variable v in record r is (31 r + 7 i + 13 v) % 100 + 1.
 * Each rank writes a part of each variable, and is slow in its own way. AT_ONCE: records of one call. FORM:
 * vara, wait or indep. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { X = 12, VARS = 3 };
static int rank, size;

#define DO(call)                                                                                             \
    do {                                                                                                     \
        int err = (call);                                                                                    \
        if (err) {                                                                                           \
            fprintf(stderr, "%d: rank %d: %s: %s\n", __LINE__, rank, #call, ncmpi_strerror(err));            \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                    \
        }                                                                                                    \
    } while (0)

static const struct shape {
    int n;
    nc_type type[VARS];
    int length[VARS]; /* 1: a number a record */
    int has_fixed;
} shapes[] = {
    { 1, { NC_BYTE }, { X - 1 }, 0 },
    { 2, { NC_BYTE, NC_SHORT }, { X, 1 }, 1 },
    { 3, { NC_INT, NC_DOUBLE, NC_BYTE }, { X, 1, X - 1 }, 1 },
    { 2, { NC_INT, NC_DOUBLE }, { 1, X }, 0 },
};

static void define(int ncid, const struct shape *s)
{
    int dims[2], id, fixed;
    char name[8];
    DO(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]));
    if (s->has_fixed) {
        DO(ncmpi_def_dim(ncid, "f", 5, &id));
        DO(ncmpi_def_var(ncid, "fixed", NC_INT, 1, &id, &fixed));
    }
    for (int v = 0; v < s->n; v++) {
        snprintf(name, sizeof name, "x%d", v);
        DO(ncmpi_def_dim(ncid, name, s->length[v], &dims[1]));
        snprintf(name, sizeof name, "v%d", v);
        DO(ncmpi_def_var(ncid, name, s->type[v], 2, dims, &id));
    }
    DO(ncmpi_enddef(ncid));
    if (s->has_fixed) {
        const int five[5] = { 1, 2, 3, 4, 5 };
        DO(ncmpi_put_var_int_all(ncid, fixed, five));
    }
}

static void put(int ncid, const struct shape *s, int v, MPI_Offset record, MPI_Offset n, const char *form)
{
    static int values[VARS][4096 * X];
    int id, parts = s->length[v] < size ? s->length[v] : size, mine = (rank + (int)record) % size;
    char name[8];
    snprintf(name, sizeof name, "v%d", v);
    DO(ncmpi_inq_varid(ncid, name, &id));
    MPI_Offset low = mine < parts ? s->length[v] * mine / parts : 0,
               high = mine < parts ? s->length[v] * (mine + 1) / parts : 0, start[2] = { record, low },
               count[2] = { high > low ? n : 0, high - low };
    for (MPI_Offset r = 0, at = 0; r < n; r++)
        for (MPI_Offset i = low; i < high; i++)
            values[v][at++] = (int)((31 * (record + r) + 7 * i + 13 * v) % 100 + 1);
    if (!strcmp(form, "wait"))
        DO(ncmpi_iput_vara_int(ncid, id, start, count, values[v], NULL));
    else if (!strcmp(form, "indep"))
        DO(ncmpi_put_vara_int(ncid, id, start, count, values[v]));
    else
        DO(ncmpi_put_vara_int_all(ncid, id, start, count, values[v]));
}

int main(int argc, char **argv)
{
    int ncid, unlimited;
    char delay[64];
    MPI_Info info;
    MPI_Offset have;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 8)
        return 2;
    const struct shape *s = &shapes[atoi(argv[4])];
    long records = atol(argv[5]), at_once = atol(argv[6]);
    int version = atoi(argv[3]);
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_streaming", "true");
    snprintf(delay, sizeof delay, "%d:0", (rank * 7 + (int)(records % 3)) % 4 * 300);
    MPI_Info_set(info, "pcdf_throttle", delay);
    if (!strcmp(argv[2], "create")) {
        DO(ncmpi_create(MPI_COMM_WORLD, argv[1],
                        NC_CLOBBER | (version == 5   ? NC_64BIT_DATA
                                      : version == 2 ? NC_64BIT_OFFSET
                                                     : 0),
                        info, &ncid));
        define(ncid, s);
    } else {
        DO(ncmpi_open(MPI_COMM_WORLD, argv[1], NC_WRITE, info, &ncid));
    }
    DO(ncmpi_inq_unlimdim(ncid, &unlimited));
    DO(ncmpi_inq_dimlen(ncid, unlimited, &have));
    if (rank == 0) {
        MPI_Info used;
        char value[64] = "";
        int found;
        DO(ncmpi_inq_file_info(ncid, &used));
        MPI_Info_get(used, "pcdf_streaming", 63, value, &found);
        printf("streaming %s, records %lld\n", value, (long long)have);
        fflush(stdout);
        MPI_Info_free(&used);
    }
    if (!strcmp(argv[7], "indep"))
        DO(ncmpi_begin_indep_data(ncid));
    for (MPI_Offset n; have < records; have += n) {
        n = records - have < at_once ? records - have : at_once;
        for (int v = 0; v < s->n; v++)
            put(ncid, s, v, have, n, argv[7]);
        if (!strcmp(argv[7], "wait"))
            DO(ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL));
    }
    if (!strcmp(argv[7], "indep"))
        DO(ncmpi_end_indep_data(ncid));
    if (records % 2)
        DO(ncmpi_sync(ncid));
    DO(ncmpi_close(ncid));
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
