/* Stands between the library and MPI (the profiling interface) and counts handles. */

#include "faultcase.h"

static long live;

long live_mpi_handles(void)
{
    return live;
}

/* One more when `call` works; one less. */
#define MADE(call)                                                                                           \
    do {                                                                                                     \
        int err_ = (call);                                                                                   \
        live += err_ == MPI_SUCCESS;                                                                         \
        return err_;                                                                                         \
    } while (0)
#define GONE(call)                                                                                           \
    do {                                                                                                     \
        live--;                                                                                              \
        return (call);                                                                                       \
    } while (0)

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
    MADE(PMPI_Comm_dup(comm, made));
}

int MPI_Comm_free(MPI_Comm *comm)
{
    GONE(PMPI_Comm_free(comm));
}

int MPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file)
{
    MADE(PMPI_File_open(comm, path, mode, info, file));
}

int MPI_File_close(MPI_File *file)
{
    GONE(PMPI_File_close(file));
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

int MPI_Type_commit(MPI_Datatype *type)
{
    MADE(PMPI_Type_commit(type));
}

int MPI_Type_free(MPI_Datatype *type)
{
    GONE(PMPI_Type_free(type));
}
