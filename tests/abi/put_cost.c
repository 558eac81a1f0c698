/* Puts whose instructions put_cost.py counts: each kind n times, then 2 n times. Public interface alone, so
 * that the same file is built for libparcdf_abi and for libparcdf. One rank: nobody waits, so the numbers are
 * the same in every run. Prints "KIND N" for each call of cost_measured, and checks what is in the file in
 * the end. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 64, N = 100 };
enum kind { CONTIGUOUS, STRIDED, CONVERTED, FLEXIBLE, NONBLOCKING, ELEMENT, KINDS };
static const char *const names[] = { "contiguous", "strided",     "converted",
                                     "flexible",   "nonblocking", "element" };

static int ncid, var, values[SIDE * SIDE];
static double doubles[SIDE * SIDE];
static MPI_Datatype column;

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        int err = (call);                                                                                    \
        if (err) {                                                                                           \
            fprintf(stderr, "%s: %s\n", #call, ncmpi_strerror(err));                                         \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static void put(enum kind kind)
{
    const MPI_Offset zero[] = { 0, 0 }, all[] = { SIDE, SIDE }, half[] = { SIDE / 2, SIDE / 2 },
                     two[] = { 2, 2 }, one_column[] = { SIDE, 1 };
    int request, status;
    if (kind == CONTIGUOUS)
        TRY(ncmpi_put_vara_int_all(ncid, var, zero, all, values));
    if (kind == STRIDED)
        TRY(ncmpi_put_vars_int_all(ncid, var, zero, half, two, values));
    if (kind == CONVERTED)
        TRY(ncmpi_put_vara_double_all(ncid, var, zero, all, doubles));
    if (kind == FLEXIBLE)
        TRY(ncmpi_put_vara_all(ncid, var, zero, one_column, values, 1, column));
    if (kind == ELEMENT)
        TRY(ncmpi_put_var1_int_all(ncid, var, zero, values));
    if (kind == NONBLOCKING) {
        TRY(ncmpi_iput_vara_int(ncid, var, zero, all, values, &request));
        TRY(ncmpi_wait_all(ncid, 1, &request, &status));
    }
}

__attribute__((noinline)) void cost_measured(enum kind kind, int n);
void cost_measured(enum kind kind, int n)
{
    for (int i = 0; i < n; i++)
        put(kind);
}

int main(int argc, char **argv)
{
    int dims[2], bad = 0;
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", argc > 2 ? argv[2] : "posix");
    for (int i = 0; i < SIDE * SIDE; i++)
        doubles[i] = values[i] = i;
    MPI_Type_vector(SIDE, 1, SIDE, MPI_INT, &column);
    MPI_Type_commit(&column);
    TRY(ncmpi_create(MPI_COMM_WORLD, argv[1], NC_CLOBBER | NC_64BIT_DATA, info, &ncid));
    TRY(ncmpi_def_dim(ncid, "y", SIDE, &dims[0]));
    TRY(ncmpi_def_dim(ncid, "x", SIDE, &dims[1]));
    TRY(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &var));
    TRY(ncmpi_enddef(ncid));
    for (enum kind kind = 0; kind < KINDS; kind++) {
        put(kind); /* what is allocated once */
        for (int n = N; n <= 2 * N; n *= 2) {
            cost_measured(kind, n);
            printf("%s %d\n", names[kind], n);
        }
    }
    put(CONTIGUOUS);
    for (int i = 0; i < SIDE * SIDE; i++)
        values[i] = -1;
    TRY(ncmpi_get_var_int_all(ncid, var, values));
    for (int i = 0; i < SIDE * SIDE; i++)
        bad += values[i] != i;
    TRY(ncmpi_close(ncid));
    MPI_Type_free(&column);
    MPI_Info_free(&info);
    MPI_Finalize();
    return bad > 0;
}
