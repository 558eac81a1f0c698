/* Stands between the library and MPI (the profiling interface): counts handles, and lets a call fail. What
 * only one rank does is not done when it fails; a collective is, so that the others come back from it, and
 * the opening of a file fails only where one rank is all there are. */

#include "faultcase.h"

static long live;
static struct mpi_order order;
static long calls, failed;

long live_mpi_handles(void)
{
    return live;
}

long mpi_order(const struct mpi_order *next)
{
    order = next ? *next : (struct mpi_order){ 0 };
    calls = 0;
    return failed;
}

static bool fails(void)
{
    if (!order.n || order.is_quiet)
        return false;
    calls++;
    if (calls != order.n && !(order.later_too && calls > order.n))
        return false;
    failed++;
    return true;
}

/* What OMPIO does when it could not: success, and a count of nothing. */
static bool is_quiet(MPI_Status *status)
{
    if (!order.is_quiet || ++calls != order.n)
        return false;
    failed++;
    if (status != MPI_STATUS_IGNORE)
        MPI_Status_set_elements(status, MPI_BYTE, 0);
    return true;
}

/* Alone: not made. Together: made, and then a failure on this rank. */
#define ALONE(call)    return fails() ? MPI_ERR_IO : (call)
#define TOGETHER(call) return fails() | (call) ? MPI_ERR_IO : MPI_SUCCESS

/* One handle more when `call` works; one less. */
#define MADE(call)                                                                                           \
    do {                                                                                                     \
        int err_ = fails() ? MPI_ERR_OTHER : (call);                                                         \
        live += err_ == MPI_SUCCESS;                                                                         \
        return err_;                                                                                         \
    } while (0)
#define GONE(call)                                                                                           \
    do {                                                                                                     \
        live--;                                                                                              \
        return (call);                                                                                       \
    } while (0)

/* ---- handles */

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
    int err = PMPI_Comm_dup(comm, made);
    live += err == MPI_SUCCESS;
    return err;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    GONE(PMPI_Comm_free(comm));
}

int MPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file)
{
    int size = 0;
    PMPI_Comm_size(comm, &size);
    int err = size == 1 && fails() ? MPI_ERR_NO_SUCH_FILE : PMPI_File_open(comm, path, mode, info, file);
    live += err == MPI_SUCCESS;
    return err;
}

int MPI_File_close(MPI_File *file)
{
    live--;
    TOGETHER(PMPI_File_close(file));
}

int MPI_File_get_info(MPI_File file, MPI_Info *info)
{
    MADE(PMPI_File_get_info(file, info));
}

int MPI_Info_create(MPI_Info *info)
{
    MADE(PMPI_Info_create(info));
}

int MPI_Info_dup(MPI_Info info, MPI_Info *made)
{
    MADE(PMPI_Info_dup(info, made));
}

int MPI_Info_free(MPI_Info *info)
{
    GONE(PMPI_Info_free(info));
}

int MPI_Type_create_hvector(int n, int length, MPI_Aint step, MPI_Datatype old, MPI_Datatype *made)
{
    MADE(PMPI_Type_create_hvector(n, length, step, old, made));
}

int MPI_Type_create_hindexed(int n, const int *lengths, const MPI_Aint *places, MPI_Datatype old,
                             MPI_Datatype *made)
{
    MADE(PMPI_Type_create_hindexed(n, lengths, places, old, made));
}

int MPI_Type_free(MPI_Datatype *type)
{
    GONE(PMPI_Type_free(type));
}

/* ---- one rank's calls */

int MPI_Type_commit(MPI_Datatype *type)
{
    ALONE(PMPI_Type_commit(type));
}

int MPI_Info_set(MPI_Info info, const char *key, const char *value)
{
    ALONE(PMPI_Info_set(info, key, value));
}

int MPI_File_get_size(MPI_File file, MPI_Offset *size)
{
    ALONE(PMPI_File_get_size(file, size));
}

int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void *data, int count, MPI_Datatype type,
                      MPI_Status *status)
{
    if (is_quiet(status))
        return MPI_SUCCESS;
    ALONE(PMPI_File_write_at(file, offset, data, count, type, status));
}

int MPI_File_read_at(MPI_File file, MPI_Offset offset, void *data, int count, MPI_Datatype type,
                     MPI_Status *status)
{
    if (is_quiet(status))
        return MPI_SUCCESS;
    ALONE(PMPI_File_read_at(file, offset, data, count, type, status));
}

int MPI_File_read(MPI_File file, void *data, int count, MPI_Datatype type, MPI_Status *status)
{
    ALONE(PMPI_File_read(file, data, count, type, status));
}

/* ---- those of all ranks */

int MPI_File_set_view(MPI_File file, MPI_Offset offset, MPI_Datatype etype, MPI_Datatype type,
                      const char *representation, MPI_Info info)
{
    TOGETHER(PMPI_File_set_view(file, offset, etype, type, representation, info));
}

int MPI_File_write_all(MPI_File file, const void *data, int count, MPI_Datatype type, MPI_Status *status)
{
    TOGETHER(PMPI_File_write_all(file, data, count, type, status));
}

int MPI_File_read_all(MPI_File file, void *data, int count, MPI_Datatype type, MPI_Status *status)
{
    TOGETHER(PMPI_File_read_all(file, data, count, type, status));
}

int MPI_File_sync(MPI_File file)
{
    TOGETHER(PMPI_File_sync(file));
}

int MPI_File_set_size(MPI_File file, MPI_Offset size)
{
    TOGETHER(PMPI_File_set_size(file, size));
}
