/* Datatypes and files. See abishim.h. */
#include <stdlib.h>
#include "abishim.h"

/* ---- datatypes */

#define MAKES_TYPE(call)                                                                                     \
    MPI_Datatype native = MPI_DATATYPE_NULL;                                                                 \
    int err = call;                                                                                          \
    *made = out_type(native);                                                                                \
    RETURN(err)

SHIM(Type_contiguous, (int n, handle type, handle *made))
{
    MAKES_TYPE(PMPI_Type_contiguous(n, in_type(type), &native));
}

SHIM(Type_vector, (int n, int length, int stride, handle type, handle *made))
{
    MAKES_TYPE(PMPI_Type_vector(n, length, stride, in_type(type), &native));
}

SHIM(Type_create_hvector, (int n, int length, MPI_Aint stride, handle type, handle *made))
{
    MAKES_TYPE(PMPI_Type_create_hvector(n, length, stride, in_type(type), &native));
}

SHIM(Type_indexed, (int n, const int *lengths, const int *places, handle type, handle *made))
{
    MAKES_TYPE(PMPI_Type_indexed(n, lengths, places, in_type(type), &native));
}

SHIM(Type_create_hindexed, (int n, const int *lengths, const MPI_Aint *places, handle type, handle *made))
{
    MAKES_TYPE(PMPI_Type_create_hindexed(n, lengths, places, in_type(type), &native));
}

SHIM(Type_create_indexed_block, (int n, int length, const int *places, handle type, handle *made))
{
    MAKES_TYPE(PMPI_Type_create_indexed_block(n, length, places, in_type(type), &native));
}

SHIM(Type_create_hindexed_block, (int n, int length, const MPI_Aint *places, handle type, handle *made))
{
    MAKES_TYPE(PMPI_Type_create_hindexed_block(n, length, places, in_type(type), &native));
}

SHIM(Type_create_resized, (handle type, MPI_Aint low, MPI_Aint extent, handle *made))
{
    MAKES_TYPE(PMPI_Type_create_resized(in_type(type), low, extent, &native));
}

SHIM(Type_dup, (handle type, handle *made))
{
    MAKES_TYPE(PMPI_Type_dup(in_type(type), &native));
}

SHIM(Type_create_f90_real, (int digits, int range, handle *made))
{
    MAKES_TYPE(PMPI_Type_create_f90_real(in_number(digits), in_number(range), &native));
}

SHIM(Type_create_f90_integer, (int range, handle *made))
{
    MAKES_TYPE(PMPI_Type_create_f90_integer(range, &native));
}

SHIM(Type_create_subarray,
     (int n, const int *sizes, const int *parts, const int *starts, int order, handle type, handle *made))
{
    MAKES_TYPE(PMPI_Type_create_subarray(n, sizes, parts, starts, in_deal(order), in_type(type), &native));
}

enum { MOST_DIMS = 64 };

SHIM(Type_create_darray, (int size, int rank, int n, const int *sizes, const int *distribs, const int *dargs,
                          const int *grid, int order, handle type, handle *made))
{
    int d[MOST_DIMS], a[MOST_DIMS];
    if (n > MOST_DIMS)
        RETURN(MPI_ERR_ARG);
    for (int i = 0; i < n; i++) {
        d[i] = in_deal(distribs[i]);
        a[i] = in_darg(dargs[i]);
    }
    MAKES_TYPE(
        PMPI_Type_create_darray(size, rank, n, sizes, d, a, grid, in_deal(order), in_type(type), &native));
}

SHIM(Type_create_struct,
     (int n, const int *lengths, const MPI_Aint *places, const handle *types, handle *made))
{
    MPI_Datatype *t = malloc(((size_t)n + 1) * sizeof *t);
    if (!t)
        RETURN(MPI_ERR_NO_MEM);
    for (int i = 0; i < n; i++)
        t[i] = in_type(types[i]);
    MPI_Datatype native = MPI_DATATYPE_NULL;
    int err = PMPI_Type_create_struct(n, lengths, places, t, &native);
    free(t);
    *made = out_type(native);
    RETURN(err);
}

SHIM(Type_commit, (handle * type))
{
    MPI_Datatype native = in_type(*type);
    int err = PMPI_Type_commit(&native);
    *type = out_type(native);
    RETURN(err);
}

SHIM(Type_free, (handle * type))
{
    MPI_Datatype native = in_type(*type);
    int err = PMPI_Type_free(&native);
    *type = out_type(native);
    RETURN(err);
}

SHIM(Type_size, (handle type, int *size))
{
    int err = PMPI_Type_size(in_type(type), size);
    *size = out_number(*size);
    RETURN(err);
}

SHIM(Type_size_x, (handle type, int64_t *size))
{
    MPI_Count native = 0;
    int err = PMPI_Type_size_x(in_type(type), &native);
    *size = native;
    RETURN(err);
}

SHIM(Type_get_extent_x, (handle type, int64_t *low, int64_t *extent))
{
    MPI_Count begin = 0, length = 0;
    int err = PMPI_Type_get_extent_x(in_type(type), &begin, &length);
    *low = begin;
    *extent = length;
    RETURN(err);
}

SHIM(Type_get_name, (handle type, char *name, int *length))
{
    RETURN(PMPI_Type_get_name(in_type(type), name, length));
}

/* An MPI before 4.0 has no datatypes with large counts: there, the functions with int tell everything. */
static int get_envelope(MPI_Datatype type, int64_t *numbers, int *combiner)
{
#if MPI_VERSION >= 4
    MPI_Count n[4] = { 0 };
    int err = PMPI_Type_get_envelope_c(type, n, n + 1, n + 2, n + 3, combiner);
#else
    int n[4] = { 0 }, err = PMPI_Type_get_envelope(type, n, n + 1, n + 3, combiner);
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

/* The constants among the integers that a datatype without large counts was made with. */
static void out_integers(int combiner, int *integers)
{
    if (combiner == MPI_COMBINER_SUBARRAY) /* ndims, sizes, subsizes, starts, order */
        integers[1 + 3 * integers[0]] = out_deal(integers[1 + 3 * integers[0]]);
    if (combiner != MPI_COMBINER_DARRAY)
        return;
    int n = integers[2]; /* size, rank, ndims, gsizes, distribs, dargs, psizes, order */
    for (int i = 0; i < n; i++) {
        integers[3 + n + i] = out_deal(integers[3 + n + i]);
        integers[3 + 2 * n + i] = out_darg(integers[3 + 2 * n + i]);
    }
    integers[3 + 4 * n] = out_deal(integers[3 + 4 * n]);
}

SHIM(Type_get_contents_c,
     (handle type, int64_t most_integers, int64_t most_addresses, int64_t most_counts, int64_t most_types,
      int *integers, MPI_Aint *addresses, int64_t *counts, handle *types))
{
    MPI_Datatype native = in_type(type), *t = malloc(((size_t)most_types + 1) * sizeof *t);
    int64_t has[4];
    int combiner, err = t ? get_envelope(native, has, &combiner) : MPI_ERR_NO_MEM;
#if MPI_VERSION >= 4
    if (!err)
        err = PMPI_Type_get_contents_c(native, most_integers, most_addresses, most_counts, most_types,
                                       integers, addresses, (MPI_Count *)counts, t);
#else
    (void)most_counts, (void)counts;
    if (!err)
        err = PMPI_Type_get_contents(native, (int)most_integers, (int)most_addresses, (int)most_types,
                                     integers, addresses, t);
#endif
    if (!err && has[2] == 0)
        out_integers(combiner, integers);
    for (int64_t i = 0; !err && i < has[3]; i++)
        types[i] = out_type(t[i]);
    free(t);
    RETURN(err);
}

/* ---- files */

static int in_mode(int abi)
{
    int native = 0;
    for (int bit = 1; bit <= abi; bit *= 2)
        if (abi & bit)
            native |= (int)pcdf_shim_native(MODE, bit);
    return native;
}

SHIM(File_open, (handle comm, const char *path, int mode, handle info, handle *file))
{
    MPI_File native = MPI_FILE_NULL;
    int err = PMPI_File_open(in_comm(comm), path, in_mode(mode), in_info(info), &native);
    *file = out_file(native);
    RETURN(err);
}

SHIM(File_close, (handle * file))
{
    MPI_File native = in_file(*file);
    int err = PMPI_File_close(&native);
    *file = out_file(native);
    RETURN(err);
}

SHIM(File_sync, (handle file))
{
    RETURN(PMPI_File_sync(in_file(file)));
}

SHIM(File_set_errhandler, (handle file, handle errhandler))
{
    RETURN(PMPI_File_set_errhandler(in_file(file), in_errhandler(errhandler)));
}

SHIM(File_get_info, (handle file, handle *info))
{
    MPI_Info native = MPI_INFO_NULL;
    int err = PMPI_File_get_info(in_file(file), &native);
    *info = out_info(native);
    RETURN(err);
}

SHIM(File_get_size, (handle file, int64_t *size))
{
    MPI_Offset native = 0;
    int err = PMPI_File_get_size(in_file(file), &native);
    *size = native;
    RETURN(err);
}

SHIM(File_set_size, (handle file, int64_t size))
{
    RETURN(PMPI_File_set_size(in_file(file), size));
}

SHIM(File_set_view, (handle file, int64_t at, handle element, handle type, const char *how, handle info))
{
    RETURN(PMPI_File_set_view(in_file(file), at, in_type(element), in_type(type), how, in_info(info)));
}

#define MOVES(call)                                                                                          \
    MPI_Status native = { 0 };                                                                               \
    int err = call;                                                                                          \
    pcdf_shim_status(status, &native);                                                                       \
    RETURN(err)

SHIM(File_read, (handle file, void *data, int n, handle type, struct shim_status *status))
{
    MOVES(PMPI_File_read(in_file(file), data, n, in_type(type), &native));
}

SHIM(File_read_all, (handle file, void *data, int n, handle type, struct shim_status *status))
{
    MOVES(PMPI_File_read_all(in_file(file), data, n, in_type(type), &native));
}

SHIM(File_read_at, (handle file, int64_t at, void *data, int n, handle type, struct shim_status *status))
{
    MOVES(PMPI_File_read_at(in_file(file), at, data, n, in_type(type), &native));
}

SHIM(File_write_all, (handle file, const void *data, int n, handle type, struct shim_status *status))
{
    MOVES(PMPI_File_write_all(in_file(file), data, n, in_type(type), &native));
}

SHIM(File_write_at,
     (handle file, int64_t at, const void *data, int n, handle type, struct shim_status *status))
{
    MOVES(PMPI_File_write_at(in_file(file), at, data, n, in_type(type), &native));
}
