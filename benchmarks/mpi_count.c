#include "mpi_count.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* The libraries must find these definitions, whatever visibility the program is built with. */
#pragma GCC visibility push(default)

const char *const mpi_count_names[COUNT_KINDS] = {
    "allreduce", "bcast",          "barrier",    "other_collective", "comm",       "file_open",
    "set_view",  "write",          "read",       "write_all",        "read_all",   "sync",
    "resize",    "send",           "sent_bytes", "window",           "sys_write",  "sys_write_bytes",
    "sys_read",  "sys_read_bytes", "user_us",    "system_us",        "page_faults"
};

static int64_t *counts;
static int depth; /* above 0: inside MPI already */

struct account {                                            /* what this process asked of the system so far */
    long long read_bytes, write_bytes, reads, writes, self; /* self: bytes that reading this took */
    struct rusage usage;
};

static struct account before;

static struct account take_account(void)
{
    struct account a = { 0 };
    char text[512];
    int fd = open("/proc/self/io", O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    if (sscanf(text, "rchar: %lld wchar: %lld syscr: %lld syscw: %lld", &a.read_bytes, &a.write_bytes,
               &a.reads, &a.writes) != 4)
        a = (struct account){ 0 };
    else
        a.self = n;
    getrusage(RUSAGE_SELF, &a.usage);
    return a;
}

static int64_t microseconds(struct timeval from, struct timeval to)
{
    return (to.tv_sec - from.tv_sec) * 1000000LL + to.tv_usec - from.tv_usec;
}

static void add_account(int64_t *into)
{
    struct account now = take_account();
    into[COUNT_USER_US] += microseconds(before.usage.ru_utime, now.usage.ru_utime);
    into[COUNT_SYSTEM_US] += microseconds(before.usage.ru_stime, now.usage.ru_stime);
    into[COUNT_PAGE_FAULTS] += now.usage.ru_minflt - before.usage.ru_minflt;
    if (now.self == 0)
        return;
    into[COUNT_SYS_WRITE] += now.writes - before.writes;
    into[COUNT_SYS_WRITE_BYTES] += now.write_bytes - before.write_bytes;
    into[COUNT_SYS_READ] += now.reads - before.reads - 1;
    into[COUNT_SYS_READ_BYTES] += now.read_bytes - before.read_bytes - before.self;
}

void mpi_count_into(int64_t *into)
{
    if (counts)
        add_account(counts);
    counts = into;
    if (into)
        before = take_account();
}

static void add_bytes(int64_t n, MPI_Datatype type)
{
    int size;
    bool is_type = type != MPI_DATATYPE_NULL; /* beside MPI_IN_PLACE it may be none */
    if (depth == 0 && counts && is_type && PMPI_Type_size(type, &size) == MPI_SUCCESS)
        counts[COUNT_SENT_BYTES] += n * size;
}

static int64_t sum_of(const int *n, MPI_Comm comm)
{
    int size;
    int64_t sum = 0;
    PMPI_Comm_size(comm, &size);
    for (int i = 0; i < size; i++)
        sum += n[i];
    return sum;
}

static int size_of(MPI_Comm comm)
{
    int size;
    PMPI_Comm_size(comm, &size);
    return size;
}

static void enter(enum mpi_count kind)
{
    if (depth++ == 0 && counts)
        counts[kind]++;
}

/* One wrapper: the type, what it counts as, the parameters and the arguments. */
#define COUNTED(name, kind, parameters, arguments) MOVING(name, kind, 0, MPI_BYTE, parameters, arguments)
/* The same, with how many values of which type it sends. */
#define MOVING(name, kind, n_sent, type, parameters, arguments)                                              \
    int MPI_##name parameters                                                                                \
    {                                                                                                        \
        add_bytes(n_sent, type);                                                                             \
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
MOVING(Allgather, COUNT_OTHER_COLLECTIVE, n, t,
       (const void *s, int n, TYPE t, void *r, int rn, TYPE rt, MPI_Comm c), (s, n, t, r, rn, rt, c))
MOVING(Allgatherv, COUNT_OTHER_COLLECTIVE, n, t,
       (const void *s, int n, TYPE t, void *r, const int *rn, const int *d, TYPE rt, MPI_Comm c),
       (s, n, t, r, rn, d, rt, c))
MOVING(Alltoall, COUNT_OTHER_COLLECTIVE, (int64_t)n *size_of(c), t,
       (const void *s, int n, TYPE t, void *r, int rn, TYPE rt, MPI_Comm c), (s, n, t, r, rn, rt, c))
MOVING(Alltoallv, COUNT_OTHER_COLLECTIVE, sum_of(n, c), t,
       (const void *s, const int *n, const int *d, TYPE t, void *r, const int *rn, const int *rd, TYPE rt,
        MPI_Comm c),
       (s, n, d, t, r, rn, rd, rt, c))
COUNTED(Alltoallw, COUNT_OTHER_COLLECTIVE,
        (const void *s, const int *n, const int *d, const TYPE *t, void *r, const int *rn, const int *rd,
         const TYPE *rt, MPI_Comm c),
        (s, n, d, t, r, rn, rd, rt, c))
COUNTED(Iallreduce, COUNT_ALLREDUCE,
        (const void *s, void *r, int n, TYPE t, MPI_Op op, MPI_Comm c, MPI_Request *q),
        (s, r, n, t, op, c, q))
COUNTED(Ibarrier, COUNT_BARRIER, (MPI_Comm c, MPI_Request *q), (c, q))
MOVING(Send, COUNT_SEND, n, t, (const void *b, int n, TYPE t, int to, int tag, MPI_Comm c),
       (b, n, t, to, tag, c))
MOVING(Ssend, COUNT_SEND, n, t, (const void *b, int n, TYPE t, int to, int tag, MPI_Comm c),
       (b, n, t, to, tag, c))
MOVING(Isend, COUNT_SEND, n, t, (const void *b, int n, TYPE t, int to, int tag, MPI_Comm c, MPI_Request *q),
       (b, n, t, to, tag, c, q))
MOVING(Issend, COUNT_SEND, n, t, (const void *b, int n, TYPE t, int to, int tag, MPI_Comm c, MPI_Request *q),
       (b, n, t, to, tag, c, q))
MOVING(Sendrecv, COUNT_SEND, n, t,
       (const void *b, int n, TYPE t, int to, int tag, void *r, int rn, TYPE rt, int from, int rtag,
        MPI_Comm c, MPI_Status *q),
       (b, n, t, to, tag, r, rn, rt, from, rtag, c, q))
MOVING(Put, COUNT_SEND, n, t, (const void *b, int n, TYPE t, int to, MPI_Aint at, int rn, TYPE rt, MPI_Win w),
       (b, n, t, to, at, rn, rt, w))
COUNTED(Win_allocate_shared, COUNT_WINDOW,
        (MPI_Aint size, int unit, MPI_Info info, MPI_Comm c, void *at, MPI_Win *w),
        (size, unit, info, c, at, w))
COUNTED(Win_create, COUNT_WINDOW, (void *at, MPI_Aint size, int unit, MPI_Info info, MPI_Comm c, MPI_Win *w),
        (at, size, unit, info, c, w))
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
