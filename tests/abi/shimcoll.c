/* Collective operations on data. See abishim.h. */
#include "abishim.h"

SHIM(Barrier, (handle comm))
{
    RETURN(NATIVE(Barrier)(in_comm(comm)));
}

SHIM(Bcast, (void *data, int n, handle type, int root, handle comm))
{
    RETURN(NATIVE(Bcast)(data, n, in_type(type), in_rank(root), in_comm(comm)));
}

SHIM(Allreduce, (const void *from, void *to, int n, handle type, handle op, handle comm))
{
    RETURN(NATIVE(Allreduce)(in_buffer(from), to, n, in_type(type), in_op(op), in_comm(comm)));
}

SHIM(Reduce, (const void *from, void *to, int n, handle type, handle op, int root, handle comm))
{
    RETURN(NATIVE(Reduce)(in_buffer(from), to, n, in_type(type), in_op(op), in_rank(root), in_comm(comm)));
}

SHIM(Bcast_c, (void *data, int64_t n, handle type, int root, handle comm))
{
    RETURN(LARGE(Bcast, n, data, n, in_type(type), in_rank(root), in_comm(comm)));
}

SHIM(Allreduce_c, (const void *from, void *to, int64_t n, handle type, handle op, handle comm))
{
    RETURN(LARGE(Allreduce, n, in_buffer(from), to, n, in_type(type), in_op(op), in_comm(comm)));
}

SHIM(Iallreduce, (const void *from, void *to, int n, handle type, handle op, handle comm, handle *request))
{
    MPI_Request native = MPI_REQUEST_NULL;
    int err = NATIVE(Iallreduce)(in_buffer(from), to, n, in_type(type), in_op(op), in_comm(comm), &native);
    *request = out_request(native);
    RETURN(err);
}

SHIM(Scan, (const void *from, void *to, int n, handle type, handle op, handle comm))
{
    RETURN(NATIVE(Scan)(in_buffer(from), to, n, in_type(type), in_op(op), in_comm(comm)));
}

SHIM(Exscan, (const void *from, void *to, int n, handle type, handle op, handle comm))
{
    RETURN(NATIVE(Exscan)(in_buffer(from), to, n, in_type(type), in_op(op), in_comm(comm)));
}

SHIM(Alltoall, (const void *from, int n, handle type, void *to, int m, handle other, handle comm))
{
    RETURN(NATIVE(Alltoall)(in_buffer(from), n, in_type(type), to, m, in_type(other), in_comm(comm)));
}

SHIM(Gather, (const void *from, int n, handle type, void *to, int m, handle other, int root, handle comm))
{
    RETURN(NATIVE(Gather)(in_buffer(from), n, in_type(type), to, m, in_type(other), in_rank(root),
                          in_comm(comm)));
}

SHIM(Gatherv, (const void *from, int n, handle type, void *to, const int *counts, const int *places,
               handle other, int root, handle comm))
{
    RETURN(NATIVE(Gatherv)(in_buffer(from), n, in_type(type), to, counts, places, in_type(other),
                           in_rank(root), in_comm(comm)));
}

SHIM(Scatter, (const void *from, int n, handle type, void *to, int m, handle other, int root, handle comm))
{
    RETURN(NATIVE(Scatter)(from, n, in_type(type), in_buffer(to), m, in_type(other), in_rank(root),
                           in_comm(comm)));
}

SHIM(Scatterv, (const void *from, const int *counts, const int *places, handle type, void *to, int m,
                handle other, int root, handle comm))
{
    RETURN(NATIVE(Scatterv)(from, counts, places, in_type(type), in_buffer(to), m, in_type(other),
                            in_rank(root), in_comm(comm)));
}

SHIM(Allgather, (const void *from, int n, handle type, void *to, int m, handle other, handle comm))
{
    RETURN(NATIVE(Allgather)(in_buffer(from), n, in_type(type), to, m, in_type(other), in_comm(comm)));
}

SHIM(Allgatherv, (const void *from, int n, handle type, void *to, const int *counts, const int *places,
                  handle other, handle comm))
{
    RETURN(NATIVE(Allgatherv)(in_buffer(from), n, in_type(type), to, counts, places, in_type(other),
                              in_comm(comm)));
}

SHIM(Alltoallv, (const void *from, const int *n, const int *places, handle type, void *to, const int *m,
                 const int *other_places, handle other, handle comm))
{
    RETURN(NATIVE(Alltoallv)(in_buffer(from), n, places, in_type(type), to, m, other_places, in_type(other),
                             in_comm(comm)));
}

/* Beside MPI_IN_PLACE nobody reads the first three arguments. */
SHIM(Alltoallw, (const void *from, const int *n, const int *places, const handle *types, void *to,
                 const int *m, const int *other_places, const handle *others, handle comm))
{
    MPI_Comm native = in_comm(comm);
    int size = 0, inter = 0, err = NATIVE(Comm_test_inter)(native, &inter);
    if (!err)
        err = inter ? NATIVE(Comm_remote_size)(native, &size) : NATIVE(Comm_size)(native, &size);
    MPI_Datatype *t = in_types(size, in_buffer(from) == MPI_IN_PLACE ? NULL : types),
                 *o = in_types(size, others);
    if (!err)
        err = t && o ? NATIVE(Alltoallw)(in_buffer(from), n, places, t, to, m, other_places, o, native)
                     : MPI_ERR_NO_MEM;
    free(t);
    free(o);
    RETURN(err);
}
