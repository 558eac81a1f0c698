/* Datatypes made with large counts, which an MPI before 4.0 does not have. See abishim.h. */
#include "shimtype.h"

#if MPI_VERSION >= 4
#define MAKES_LARGE(name, ...) MAKES_TYPE(NATIVE(name)(__VA_ARGS__, &native))
#else
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define MAKES_LARGE(name, ...)                                                                               \
    return *made = out_type(MPI_DATATYPE_NULL), out_error(MPI_ERR_UNSUPPORTED_OPERATION)
#endif
typedef const int64_t *list;

SHIM(Type_contiguous_c, (int64_t n, handle type, handle *made))
{
    MAKES_LARGE(Type_contiguous_c, n, in_type(type));
}

SHIM(Type_vector_c, (int64_t n, int64_t length, int64_t stride, handle type, handle *made))
{
    MAKES_LARGE(Type_vector_c, n, length, stride, in_type(type));
}

SHIM(Type_create_hvector_c, (int64_t n, int64_t length, int64_t stride, handle type, handle *made))
{
    MAKES_LARGE(Type_create_hvector_c, n, length, stride, in_type(type));
}

SHIM(Type_indexed_c, (int64_t n, list lengths, list places, handle type, handle *made))
{
    MAKES_LARGE(Type_indexed_c, n, lengths, places, in_type(type));
}

SHIM(Type_create_hindexed_c, (int64_t n, list lengths, list places, handle type, handle *made))
{
    MAKES_LARGE(Type_create_hindexed_c, n, lengths, places, in_type(type));
}

SHIM(Type_create_indexed_block_c, (int64_t n, int64_t length, list places, handle type, handle *made))
{
    MAKES_LARGE(Type_create_indexed_block_c, n, length, places, in_type(type));
}

SHIM(Type_create_hindexed_block_c, (int64_t n, int64_t length, list places, handle type, handle *made))
{
    MAKES_LARGE(Type_create_hindexed_block_c, n, length, places, in_type(type));
}

SHIM(Type_create_subarray_c,
     (int n, list sizes, list parts, list starts, int order, handle type, handle *made))
{
    MAKES_LARGE(Type_create_subarray_c, n, sizes, parts, starts, in_order(order), in_type(type));
}

SHIM(Type_create_darray_c, (int size, int rank, int n, list sizes, const int *distributions,
                            const int *arguments, const int *grid, int order, handle type, handle *made))
{
    if (n > MOST_DIMS)
        RETURN(MPI_ERR_ARG);
    struct deal deal = in_deal(n, distributions, arguments);
    (void)deal;
    MAKES_LARGE(Type_create_darray_c, size, rank, n, sizes, deal.distributions, deal.arguments, grid,
                in_order(order), in_type(type));
}

SHIM(Type_create_struct_c, (int64_t n, list lengths, list places, const handle *types, handle *made))
{
    MPI_Datatype native = MPI_DATATYPE_NULL, *t = in_types(n, types);
    int err = t ? MPI_ERR_UNSUPPORTED_OPERATION : MPI_ERR_NO_MEM;
#if MPI_VERSION >= 4
    if (t)
        err = NATIVE(Type_create_struct_c)(n, lengths, places, t, &native);
#endif
    free(t);
    *made = out_type(native);
    RETURN(err);
}
