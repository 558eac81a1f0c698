/* Datatypes. See abishim.h. */
#include "shimtype.h"
#include <stdbool.h>

/* ---- datatypes */

SHIM(Type_contiguous, (int n, handle type, handle *made))
{
    MAKES_TYPE(NATIVE(Type_contiguous)(n, in_type(type), &native));
}

SHIM(Type_vector, (int n, int length, int stride, handle type, handle *made))
{
    MAKES_TYPE(NATIVE(Type_vector)(n, length, stride, in_type(type), &native));
}

SHIM(Type_create_hvector, (int n, int length, MPI_Aint stride, handle type, handle *made))
{
    MAKES_TYPE(NATIVE(Type_create_hvector)(n, length, stride, in_type(type), &native));
}

SHIM(Type_indexed, (int n, const int *lengths, const int *places, handle type, handle *made))
{
    MAKES_TYPE(NATIVE(Type_indexed)(n, lengths, places, in_type(type), &native));
}

SHIM(Type_create_hindexed, (int n, const int *lengths, const MPI_Aint *places, handle type, handle *made))
{
    MAKES_TYPE(NATIVE(Type_create_hindexed)(n, lengths, places, in_type(type), &native));
}

SHIM(Type_create_indexed_block, (int n, int length, const int *places, handle type, handle *made))
{
    MAKES_TYPE(NATIVE(Type_create_indexed_block)(n, length, places, in_type(type), &native));
}

SHIM(Type_create_hindexed_block, (int n, int length, const MPI_Aint *places, handle type, handle *made))
{
    MAKES_TYPE(NATIVE(Type_create_hindexed_block)(n, length, places, in_type(type), &native));
}

SHIM(Type_create_resized, (handle type, MPI_Aint low, MPI_Aint extent, handle *made))
{
    MAKES_TYPE(NATIVE(Type_create_resized)(in_type(type), low, extent, &native));
}

SHIM(Type_dup, (handle type, handle *made))
{
    MAKES_TYPE(NATIVE(Type_dup)(in_type(type), &native));
}

SHIM(Type_create_f90_real, (int digits, int range, handle *made))
{
    MAKES_TYPE(NATIVE(Type_create_f90_real)(in_number(digits), in_number(range), &native));
}

SHIM(Type_create_f90_complex, (int digits, int range, handle *made))
{
    MAKES_TYPE(NATIVE(Type_create_f90_complex)(in_number(digits), in_number(range), &native));
}

SHIM(Type_create_f90_integer, (int range, handle *made))
{
    MAKES_TYPE(NATIVE(Type_create_f90_integer)(range, &native));
}

SHIM(Type_create_subarray,
     (int n, const int *sizes, const int *parts, const int *starts, int order, handle type, handle *made))
{
    MAKES_TYPE(
        NATIVE(Type_create_subarray)(n, sizes, parts, starts, in_order(order), in_type(type), &native));
}

SHIM(Type_create_darray, (int size, int rank, int n, const int *sizes, const int *distributions,
                          const int *arguments, const int *grid, int order, handle type, handle *made))
{
    if (n > MOST_DIMS)
        RETURN(MPI_ERR_ARG);
    struct deal deal = in_deal(n, distributions, arguments);
    MAKES_TYPE(NATIVE(Type_create_darray)(size, rank, n, sizes, deal.distributions, deal.arguments, grid,
                                          in_order(order), in_type(type), &native));
}

SHIM(Type_create_struct,
     (int n, const int *lengths, const MPI_Aint *places, const handle *types, handle *made))
{
    MPI_Datatype *t = in_types(n, types);
    if (!t)
        RETURN(MPI_ERR_NO_MEM);
    MPI_Datatype native = MPI_DATATYPE_NULL;
    int err = NATIVE(Type_create_struct)(n, lengths, places, t, &native);
    free(t);
    *made = out_type(native);
    RETURN(err);
}

SHIM(Type_commit, (handle * type))
{
    MPI_Datatype native = in_type(*type);
    int err = NATIVE(Type_commit)(&native);
    *type = out_type(native);
    RETURN(err);
}

SHIM(Type_free, (handle * type))
{
    MPI_Datatype native = in_type(*type);
    int err = NATIVE(Type_free)(&native);
    *type = out_type(native);
    RETURN(err);
}

SHIM(Type_size, (handle type, int *size))
{
    int err = NATIVE(Type_size)(in_type(type), size);
    *size = out_number(*size);
    RETURN(err);
}

SHIM(Type_size_x, (handle type, int64_t *size))
{
    MPI_Count native = 0;
    int err = NATIVE(Type_size_x)(in_type(type), &native);
    *size = native;
    RETURN(err);
}

SHIM(Type_get_extent_x, (handle type, int64_t *low, int64_t *extent))
{
    MPI_Count begin = 0, length = 0;
    int err = NATIVE(Type_get_extent_x)(in_type(type), &begin, &length);
    *low = begin;
    *extent = length;
    RETURN(err);
}

SHIM(Type_get_true_extent_x, (handle type, int64_t *low, int64_t *extent))
{
    MPI_Count begin = 0, length = 0;
    int err = NATIVE(Type_get_true_extent_x)(in_type(type), &begin, &length);
    *low = begin;
    *extent = length;
    RETURN(err);
}

SHIM(Pack, (const void *data, int n, handle type, void *to, int size, int *place, handle comm))
{
    RETURN(NATIVE(Pack)(data, n, in_type(type), to, size, place, in_comm(comm)));
}

SHIM(Unpack, (const void *from, int size, int *place, void *data, int n, handle type, handle comm))
{
    RETURN(NATIVE(Unpack)(from, size, place, data, n, in_type(type), in_comm(comm)));
}

SHIM(Type_get_name, (handle type, char *name, int *length))
{
    RETURN(NATIVE(Type_get_name)(in_type(type), name, length));
}

/* An MPI before 4.0 has no datatypes with large counts: there, the functions with int tell everything. */
static int get_envelope(MPI_Datatype type, int64_t *numbers, int *combiner)
{
#if MPI_VERSION >= 4
    MPI_Count n[4] = { 0 };
    int err = NATIVE(Type_get_envelope_c)(type, n, n + 1, n + 2, n + 3, combiner);
#else
    int n[4] = { 0 }, err = NATIVE(Type_get_envelope)(type, n, n + 1, n + 3, combiner);
#endif
    for (int i = 0; i < 4; i++)
        numbers[i] = n[i];
    return err;
}

SHIM(Type_get_envelope_c,
     (handle type, int64_t *integers, int64_t *addresses, int64_t *counts, int64_t *types, int *combiner))
{
    int64_t n[4];
    int err = get_envelope(in_type(type), n, combiner);
    *integers = n[0];
    *addresses = n[1];
    *counts = n[2];
    *types = n[3];
    *combiner = out_combiner(*combiner);
    RETURN(err);
}

/* The constants among the integers that a datatype was made with. */
static void out_integers(int combiner, bool is_large, int *integers)
{
    if (combiner == MPI_COMBINER_SUBARRAY) { /* ndims, sizes, subsizes, starts, order; large: ndims, order */
        int at = is_large ? 1 : 1 + 3 * integers[0];
        integers[at] = out_order(integers[at]);
    }
    if (combiner != MPI_COMBINER_DARRAY)
        return;
    int n = integers[2]; /* size, rank, ndims, gsizes (not where they are large), distribs, dargs, psizes,
                            order */
    int *at = integers + (is_large ? 3 : 3 + n);
    for (int i = 0; i < n; i++) {
        at[i] = out_distribution(at[i]);
        at[n + i] = out_darg(at[n + i]);
    }
    at[3 * n] = out_order(at[3 * n]);
}

SHIM(Type_get_contents_c,
     (handle type, int64_t most_integers, int64_t most_addresses, int64_t most_counts, int64_t most_types,
      int *integers, MPI_Aint *addresses, int64_t *counts, handle *types))
{
    MPI_Datatype native = in_type(type), *t = in_types(most_types, NULL);
    int64_t has[4];
    int combiner, err = t ? get_envelope(native, has, &combiner) : MPI_ERR_NO_MEM;
#if MPI_VERSION >= 4
    if (!err)
        err = NATIVE(Type_get_contents_c)(native, most_integers, most_addresses, most_counts, most_types,
                                          integers, addresses, (MPI_Count *)counts, t);
#else
    (void)most_counts, (void)counts;
    if (!err)
        err = NATIVE(Type_get_contents)(native, (int)most_integers, (int)most_addresses, (int)most_types,
                                        integers, addresses, t);
#endif
    if (!err)
        out_integers(combiner, has[2] > 0, integers);
    if (!err)
        out_types(has[3], t, types);
    free(t);
    RETURN(err);
}

SHIM(Type_get_envelope, (handle type, int *integers, int *addresses, int *types, int *combiner))
{
    int err = NATIVE(Type_get_envelope)(in_type(type), integers, addresses, types, combiner);
    *combiner = out_combiner(*combiner);
    RETURN(err);
}

SHIM(Type_get_contents, (handle type, int most_integers, int most_addresses, int most_types, int *integers,
                         MPI_Aint *addresses, handle *types))
{
    MPI_Datatype native = in_type(type), *t = in_types(most_types, NULL);
    int64_t has[4];
    int combiner, err = t ? get_envelope(native, has, &combiner) : MPI_ERR_NO_MEM;
    if (!err)
        err = NATIVE(Type_get_contents)(native, most_integers, most_addresses, most_types, integers,
                                        addresses, t);
    if (!err) {
        out_integers(combiner, false, integers);
        out_types(has[3], t, types);
    }
    free(t);
    RETURN(err);
}
