/* Files. See abishim.h. */
#include "abishim.h"

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
    int err = NATIVE(File_open)(in_comm(comm), path, in_mode(mode), in_info(info), &native);
    *file = out_file(native);
    RETURN(err);
}

SHIM(File_close, (handle * file))
{
    MPI_File native = in_file(*file);
    int err = NATIVE(File_close)(&native);
    *file = out_file(native);
    RETURN(err);
}

SHIM(File_sync, (handle file))
{
    RETURN(NATIVE(File_sync)(in_file(file)));
}

SHIM(File_set_errhandler, (handle file, handle errhandler))
{
    RETURN(NATIVE(File_set_errhandler)(in_file(file), in_errhandler(errhandler)));
}

SHIM(File_get_info, (handle file, handle *info))
{
    MPI_Info native = MPI_INFO_NULL;
    int err = NATIVE(File_get_info)(in_file(file), &native);
    *info = out_info(native);
    RETURN(err);
}

SHIM(File_get_size, (handle file, int64_t *size))
{
    MPI_Offset native = 0;
    int err = NATIVE(File_get_size)(in_file(file), &native);
    *size = native;
    RETURN(err);
}

SHIM(File_set_size, (handle file, int64_t size))
{
    RETURN(NATIVE(File_set_size)(in_file(file), size));
}

SHIM(File_preallocate, (handle file, int64_t size))
{
    RETURN(NATIVE(File_preallocate)(in_file(file), size));
}

SHIM(File_set_view, (handle file, int64_t at, handle element, handle type, const char *how, handle info))
{
    RETURN(NATIVE(File_set_view)(in_file(file), at, in_type(element), in_type(type), how, in_info(info)));
}

#define MOVES(call)                                                                                          \
    MPI_Status native = { 0 };                                                                               \
    int err = call;                                                                                          \
    pcdf_shim_status(status, &native);                                                                       \
    RETURN(err)

SHIM(File_read, (handle file, void *data, int n, handle type, struct shim_status *status))
{
    MOVES(NATIVE(File_read)(in_file(file), data, n, in_type(type), &native));
}

SHIM(File_read_c, (handle file, void *data, int64_t n, handle type, struct shim_status *status))
{
    MOVES(LARGE(File_read, n, in_file(file), data, n, in_type(type), &native));
}

SHIM(File_read_all, (handle file, void *data, int n, handle type, struct shim_status *status))
{
    MOVES(NATIVE(File_read_all)(in_file(file), data, n, in_type(type), &native));
}

SHIM(File_read_all_c, (handle file, void *data, int64_t n, handle type, struct shim_status *status))
{
    MOVES(LARGE(File_read_all, n, in_file(file), data, n, in_type(type), &native));
}

SHIM(File_read_at, (handle file, int64_t at, void *data, int n, handle type, struct shim_status *status))
{
    MOVES(NATIVE(File_read_at)(in_file(file), at, data, n, in_type(type), &native));
}

SHIM(File_read_at_c,
     (handle file, int64_t at, void *data, int64_t n, handle type, struct shim_status *status))
{
    MOVES(LARGE(File_read_at, n, in_file(file), at, data, n, in_type(type), &native));
}

SHIM(File_read_at_all, (handle file, int64_t at, void *data, int n, handle type, struct shim_status *status))
{
    MOVES(NATIVE(File_read_at_all)(in_file(file), at, data, n, in_type(type), &native));
}

SHIM(File_read_at_all_c,
     (handle file, int64_t at, void *data, int64_t n, handle type, struct shim_status *status))
{
    MOVES(LARGE(File_read_at_all, n, in_file(file), at, data, n, in_type(type), &native));
}

SHIM(File_write, (handle file, const void *data, int n, handle type, struct shim_status *status))
{
    MOVES(NATIVE(File_write)(in_file(file), data, n, in_type(type), &native));
}

SHIM(File_write_c, (handle file, const void *data, int64_t n, handle type, struct shim_status *status))
{
    MOVES(LARGE(File_write, n, in_file(file), data, n, in_type(type), &native));
}

SHIM(File_write_all, (handle file, const void *data, int n, handle type, struct shim_status *status))
{
    MOVES(NATIVE(File_write_all)(in_file(file), data, n, in_type(type), &native));
}

SHIM(File_write_all_c, (handle file, const void *data, int64_t n, handle type, struct shim_status *status))
{
    MOVES(LARGE(File_write_all, n, in_file(file), data, n, in_type(type), &native));
}

SHIM(File_write_at,
     (handle file, int64_t at, const void *data, int n, handle type, struct shim_status *status))
{
    MOVES(NATIVE(File_write_at)(in_file(file), at, data, n, in_type(type), &native));
}

SHIM(File_write_at_c,
     (handle file, int64_t at, const void *data, int64_t n, handle type, struct shim_status *status))
{
    MOVES(LARGE(File_write_at, n, in_file(file), at, data, n, in_type(type), &native));
}

SHIM(File_write_at_all,
     (handle file, int64_t at, const void *data, int n, handle type, struct shim_status *status))
{
    MOVES(NATIVE(File_write_at_all)(in_file(file), at, data, n, in_type(type), &native));
}

SHIM(File_write_at_all_c,
     (handle file, int64_t at, const void *data, int64_t n, handle type, struct shim_status *status))
{
    MOVES(LARGE(File_write_at_all, n, in_file(file), at, data, n, in_type(type), &native));
}
