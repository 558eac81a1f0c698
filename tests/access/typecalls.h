#ifndef TYPECALLS_H
#define TYPECALLS_H
/* For memory_types.c: counts the datatypes that code between types_watch(true) and types_watch(false) takes
 * out of MPI and does not free, and makes datatypes with large counts where MPI has them. The one place that
 * asks for the version. */

#include <mpi.h>
#include <stdbool.h>
#include "typecontents.h"

static long types_held; /* must be 0 in the end */
static bool types_watched;

static inline void types_watch(bool on)
{
    types_watched = on;
}

static inline void types_count(long n, const MPI_Datatype *types)
{
    struct pcdf_typeshape shape;
    for (long i = 0; types_watched && i < n; i++)
        if (pcdf_type_shape(types[i], &shape) == MPI_SUCCESS)
            types_held += shape.combiner != MPI_COMBINER_NAMED && shape.combiner != MPI_COMBINER_F90_REAL &&
                          shape.combiner != MPI_COMBINER_F90_INTEGER;
}

int MPI_Type_free(MPI_Datatype *type)
{
    types_held -= types_watched;
    return PMPI_Type_free(type);
}

#if MPI_VERSION >= 4

int MPI_Type_get_contents_c(MPI_Datatype type, MPI_Count ni, MPI_Count na, MPI_Count nc, MPI_Count nt,
                            int integers[], MPI_Aint addresses[], MPI_Count counts[], MPI_Datatype types[])
{
    int err = PMPI_Type_get_contents_c(type, ni, na, nc, nt, integers, addresses, counts, types);
    types_count(nt, types);
    return err;
}

/* One of ten ways; counts are small all the same. n <= 4 blocks. */
static inline void make_large(int way, int n, const int *lengths, const int *places, MPI_Datatype old,
                              MPI_Datatype *made)
{
    MPI_Count l[4], p[4];
    MPI_Datatype olds[4];
    int grid[] = { 2, 2 }, deal[] = { MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK }, args[] = { 2, -1 };
    MPI_Count sizes[] = { 7, 5 }, part[] = { 3, 2 }, begin[] = { 2, 1 };
    args[1] = MPI_DISTRIBUTE_DFLT_DARG;
    for (int i = 0; i < n; i++) {
        l[i] = lengths[i];
        p[i] = places[i];
        olds[i] = old;
    }
    switch (way) {
    case 0:
        MPI_Type_contiguous_c(l[0], old, made);
        break;
    case 1:
        MPI_Type_vector_c(3, l[0], p[0], old, made);
        break;
    case 2:
        MPI_Type_create_hvector_c(3, l[0], p[0], old, made);
        break;
    case 3:
        MPI_Type_indexed_c(n, l, p, old, made);
        break;
    case 4:
        MPI_Type_create_hindexed_c(n, l, p, old, made);
        break;
    case 5:
        MPI_Type_create_indexed_block_c(n, l[0], p, old, made);
        break;
    case 6:
        MPI_Type_create_hindexed_block_c(n, l[0], p, old, made);
        break;
    case 7:
        MPI_Type_create_struct_c(n, l, p, olds, made);
        break;
    case 8:
        MPI_Type_create_subarray_c(2, sizes, part, begin, MPI_ORDER_C, old, made);
        break;
    default:
        MPI_Type_create_darray_c(4, 1, 2, sizes, deal, args, grid, MPI_ORDER_FORTRAN, old, made);
    }
    if (*made == MPI_DATATYPE_NULL) /* tests/abi over an MPI that has none */
        PMPI_Type_dup(old, made);
}

#else

int MPI_Type_get_contents(MPI_Datatype type, int ni, int na, int nt, int integers[], MPI_Aint addresses[],
                          MPI_Datatype types[])
{
    int err = PMPI_Type_get_contents(type, ni, na, nt, integers, addresses, types);
    types_count(nt, types);
    return err;
}

static inline void make_large(int way, int n, const int *lengths, const int *places, MPI_Datatype old,
                              MPI_Datatype *made)
{
    (void)way, (void)n, (void)lengths, (void)places;
    PMPI_Type_dup(old, made);
}

#endif
#endif
