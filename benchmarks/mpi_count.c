#include "mpi_count.h"

#include <mpi.h>
#include <stddef.h>

/* The libraries must find these definitions, whatever visibility the program is built with. */
#pragma GCC visibility push(default)

const char *const mpi_count_names[COUNT_KINDS] = { "allreduce", "bcast",     "barrier",  "other_collective",
                                                   "comm",      "file_open", "set_view", "write",
                                                   "read",      "write_all", "read_all", "sync",
                                                   "resize" };

static int64_t *counts;
static int depth; /* above 0: inside MPI already */

void mpi_count_into(int64_t *into)
{
    counts = into;
}

static void enter(enum mpi_count kind)
{
    if (depth++ == 0 && counts)
        counts[kind]++;
}

/* One wrapper: the type, what it counts as, the parameters and the arguments. */
#define COUNTED(name, kind, parameters, arguments)                                                           \
    int MPI_##name parameters                                                                                \
    {                                                                                                        \
        enter(kind);                                                                                         \
        int err = PMPI_##name arguments;                                                                     \
        depth--;                                                                                             \
        return err;                                                                                          \
    }

#define TYPE MPI_Datatype

COUNTED(Allreduce, COUNT_ALLREDUCE, (const void *s, void *r, int n, TYPE t, MPI_Op op, MPI_Comm c),
        (s, r, n, t, op, c))
COUNTED(Bcast, COUNT_BCAST, (void *b, int n, TYPE t, int root, MPI_Comm c), (b, n, t, root, c))
COUNTED(Barrier, COUNT_BARRIER, (MPI_Comm c), (c))
COUNTED(Reduce, COUNT_OTHER_COLLECTIVE,
        (const void *s, void *r, int n, TYPE t, MPI_Op op, int root, MPI_Comm c), (s, r, n, t, op, root, c))
COUNTED(Scan, COUNT_OTHER_COLLECTIVE, (const void *s, void *r, int n, TYPE t, MPI_Op op, MPI_Comm c),
        (s, r, n, t, op, c))
COUNTED(Exscan, COUNT_OTHER_COLLECTIVE, (const void *s, void *r, int n, TYPE t, MPI_Op op, MPI_Comm c),
        (s, r, n, t, op, c))
COUNTED(Gather, COUNT_OTHER_COLLECTIVE,
        (const void *s, int n, TYPE t, void *r, int rn, TYPE rt, int root, MPI_Comm c),
        (s, n, t, r, rn, rt, root, c))
COUNTED(Gatherv, COUNT_OTHER_COLLECTIVE,
        (const void *s, int n, TYPE t, void *r, const int *rn, const int *d, TYPE rt, int root, MPI_Comm c),
        (s, n, t, r, rn, d, rt, root, c))
COUNTED(Scatter, COUNT_OTHER_COLLECTIVE,
        (const void *s, int n, TYPE t, void *r, int rn, TYPE rt, int root, MPI_Comm c),
        (s, n, t, r, rn, rt, root, c))
COUNTED(Scatterv, COUNT_OTHER_COLLECTIVE,
        (const void *s, const int *n, const int *d, TYPE t, void *r, int rn, TYPE rt, int root, MPI_Comm c),
        (s, n, d, t, r, rn, rt, root, c))
COUNTED(Allgather, COUNT_OTHER_COLLECTIVE,
        (const void *s, int n, TYPE t, void *r, int rn, TYPE rt, MPI_Comm c), (s, n, t, r, rn, rt, c))
COUNTED(Allgatherv, COUNT_OTHER_COLLECTIVE,
        (const void *s, int n, TYPE t, void *r, const int *rn, const int *d, TYPE rt, MPI_Comm c),
        (s, n, t, r, rn, d, rt, c))
COUNTED(Alltoall, COUNT_OTHER_COLLECTIVE,
        (const void *s, int n, TYPE t, void *r, int rn, TYPE rt, MPI_Comm c), (s, n, t, r, rn, rt, c))
COUNTED(Alltoallv, COUNT_OTHER_COLLECTIVE,
        (const void *s, const int *n, const int *d, TYPE t, void *r, const int *rn, const int *rd, TYPE rt,
         MPI_Comm c),
        (s, n, d, t, r, rn, rd, rt, c))
COUNTED(Comm_dup, COUNT_COMM, (MPI_Comm c, MPI_Comm *made), (c, made))
COUNTED(Comm_split, COUNT_COMM, (MPI_Comm c, int color, int key, MPI_Comm *made), (c, color, key, made))
COUNTED(Comm_split_type, COUNT_COMM, (MPI_Comm c, int type, int key, MPI_Info info, MPI_Comm *made),
        (c, type, key, info, made))

COUNTED(File_open, COUNT_FILE_OPEN, (MPI_Comm c, const char *path, int mode, MPI_Info info, MPI_File *f),
        (c, path, mode, info, f))
COUNTED(File_close, COUNT_FILE_OPEN, (MPI_File * f), (f))
COUNTED(File_set_view, COUNT_SET_VIEW,
        (MPI_File f, MPI_Offset at, TYPE etype, TYPE ftype, const char *rep, MPI_Info info),
        (f, at, etype, ftype, rep, info))
COUNTED(File_sync, COUNT_SYNC, (MPI_File f), (f))
COUNTED(File_set_size, COUNT_RESIZE, (MPI_File f, MPI_Offset size), (f, size))
COUNTED(File_preallocate, COUNT_RESIZE, (MPI_File f, MPI_Offset size), (f, size))

/* Data: N is the type of the count, which MPI-4 has twice. */
#define AT(name, kind, BUFFER, N)                                                                            \
    COUNTED(name, kind, (MPI_File f, MPI_Offset at, BUFFER b, N n, TYPE t, MPI_Status * s),                  \
            (f, at, b, n, t, s))
#define HERE(name, kind, BUFFER, N)                                                                          \
    COUNTED(name, kind, (MPI_File f, BUFFER b, N n, TYPE t, MPI_Status * s), (f, b, n, t, s))

AT(File_write_at, COUNT_WRITE, const void *, int)
AT(File_write_at_all, COUNT_WRITE_ALL, const void *, int)
AT(File_read_at, COUNT_READ, void *, int)
AT(File_read_at_all, COUNT_READ_ALL, void *, int)
HERE(File_write, COUNT_WRITE, const void *, int)
HERE(File_write_all, COUNT_WRITE_ALL, const void *, int)
HERE(File_read, COUNT_READ, void *, int)
HERE(File_read_all, COUNT_READ_ALL, void *, int)

#if MPI_VERSION >= 4
AT(File_write_at_c, COUNT_WRITE, const void *, MPI_Count)
AT(File_write_at_all_c, COUNT_WRITE_ALL, const void *, MPI_Count)
AT(File_read_at_c, COUNT_READ, void *, MPI_Count)
AT(File_read_at_all_c, COUNT_READ_ALL, void *, MPI_Count)
HERE(File_write_c, COUNT_WRITE, const void *, MPI_Count)
HERE(File_write_all_c, COUNT_WRITE_ALL, const void *, MPI_Count)
HERE(File_read_c, COUNT_READ, void *, MPI_Count)
HERE(File_read_all_c, COUNT_READ_ALL, void *, MPI_Count)
COUNTED(Allreduce_c, COUNT_ALLREDUCE, (const void *s, void *r, MPI_Count n, TYPE t, MPI_Op op, MPI_Comm c),
        (s, r, n, t, op, c))
COUNTED(Bcast_c, COUNT_BCAST, (void *b, MPI_Count n, TYPE t, int root, MPI_Comm c), (b, n, t, root, c))
#endif
