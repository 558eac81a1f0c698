/* Communicators, groups, attributes, messages, windows. See abishim.h. */
#include "abishim.h"

/* ---- communicators and groups */

#define MAKES_COMM(call)                                                                                     \
    MPI_Comm native = MPI_COMM_NULL;                                                                         \
    int err = call;                                                                                          \
    *made = out_comm(native);                                                                                \
    RETURN(err)

SHIM(Comm_dup, (handle comm, handle *made))
{
    MAKES_COMM(NATIVE(Comm_dup)(in_comm(comm), &native));
}

SHIM(Comm_split, (handle comm, int color, int key, handle *made))
{
    MAKES_COMM(NATIVE(Comm_split)(in_comm(comm), in_number(color), key, &native));
}

SHIM(Comm_split_type, (handle comm, int type, int key, handle info, handle *made))
{
    MAKES_COMM(NATIVE(Comm_split_type)(in_comm(comm), in_split(type), key, in_info(info), &native));
}

SHIM(Comm_create_group, (handle comm, handle group, int tag, handle *made))
{
    MAKES_COMM(NATIVE(Comm_create_group)(in_comm(comm), in_group(group), tag, &native));
}

SHIM(Intercomm_create, (handle comm, int leader, handle peer, int remote, int tag, handle *made))
{
    MAKES_COMM(NATIVE(Intercomm_create)(in_comm(comm), leader, in_comm(peer), remote, tag, &native));
}

SHIM(Cart_create, (handle comm, int n, const int *sizes, const int *periods, int reorder, handle *made))
{
    MAKES_COMM(NATIVE(Cart_create)(in_comm(comm), n, sizes, periods, reorder, &native));
}

SHIM(Cart_coords, (handle comm, int rank, int n, int *at))
{
    RETURN(NATIVE(Cart_coords)(in_comm(comm), rank, n, at));
}

SHIM(Dims_create, (int n, int dims, int *sizes))
{
    RETURN(NATIVE(Dims_create)(n, dims, sizes));
}

SHIM(Comm_free, (handle * comm))
{
    MPI_Comm native = in_comm(*comm);
    int err = NATIVE(Comm_free)(&native);
    *comm = out_comm(native);
    RETURN(err);
}

SHIM(Comm_rank, (handle comm, int *rank))
{
    RETURN(NATIVE(Comm_rank)(in_comm(comm), rank));
}

SHIM(Comm_size, (handle comm, int *size))
{
    RETURN(NATIVE(Comm_size)(in_comm(comm), size));
}

SHIM(Comm_test_inter, (handle comm, int *flag))
{
    RETURN(NATIVE(Comm_test_inter)(in_comm(comm), flag));
}

SHIM(Comm_set_errhandler, (handle comm, handle errhandler))
{
    RETURN(NATIVE(Comm_set_errhandler)(in_comm(comm), in_errhandler(errhandler)));
}

SHIM(Comm_get_errhandler, (handle comm, handle *errhandler))
{
    MPI_Errhandler native = MPI_ERRHANDLER_NULL;
    int err = NATIVE(Comm_get_errhandler)(in_comm(comm), &native);
    *errhandler = out_errhandler(native);
    RETURN(err);
}

SHIM(Comm_group, (handle comm, handle *group))
{
    MPI_Group native = MPI_GROUP_NULL;
    int err = NATIVE(Comm_group)(in_comm(comm), &native);
    *group = out_group(native);
    RETURN(err);
}

SHIM(Comm_compare, (handle a, handle b, int *result))
{
    int err = NATIVE(Comm_compare)(in_comm(a), in_comm(b), result);
    *result = out_compared(*result);
    RETURN(err);
}

SHIM(Group_size, (handle group, int *size))
{
    RETURN(NATIVE(Group_size)(in_group(group), size));
}

SHIM(Group_intersection, (handle a, handle b, handle *made))
{
    MPI_Group native = MPI_GROUP_NULL;
    int err = NATIVE(Group_intersection)(in_group(a), in_group(b), &native);
    *made = out_group(native);
    RETURN(err);
}

SHIM(Group_free, (handle * group))
{
    MPI_Group native = in_group(*group);
    int err = NATIVE(Group_free)(&native);
    *group = out_group(native);
    RETURN(err);
}

SHIM(Group_incl, (handle group, int n, const int *ranks, handle *made))
{
    MPI_Group native = MPI_GROUP_NULL;
    int err = NATIVE(Group_incl)(in_group(group), n, ranks, &native);
    *made = out_group(native);
    RETURN(err);
}

SHIM(Group_compare, (handle a, handle b, int *result))
{
    int err = NATIVE(Group_compare)(in_group(a), in_group(b), result);
    *result = out_compared(*result);
    RETURN(err);
}

/* Ranks are valid ones here, but the results may be MPI_UNDEFINED. */
SHIM(Group_translate_ranks, (handle from, int n, const int *ranks, handle to, int *found))
{
    int err = NATIVE(Group_translate_ranks)(in_group(from), n, ranks, in_group(to), found);
    for (int i = 0; i < n; i++)
        found[i] = out_rank(found[i]);
    RETURN(err);
}

SHIM(Intercomm_merge, (handle comm, int high, handle *made))
{
    MAKES_COMM(NATIVE(Intercomm_merge)(in_comm(comm), high, &native));
}

/* ---- attributes: the functions of a key get handles of the ABI */

struct functions {
    int (*copy)(handle, int, void *, void *, void *, int *); /* 0: none; 1: the value itself */
    int (*delete)(handle, int, void *, void *);
    void *extra;
};

static int copy_comes(MPI_Comm comm, int key, void *extra, void *value, void *made, int *flag)
{
    const struct functions *f = extra;
    if ((intptr_t)f->copy > 1)
        return in_error(f->copy(out_comm(comm), key, f->extra, value, made, flag));
    *flag = f->copy != NULL;
    if (*flag)
        *(void **)made = value;
    return MPI_SUCCESS;
}

static int delete_comes(MPI_Comm comm, int key, void *value, void *extra)
{
    const struct functions *f = extra;
    return f->delete ? in_error(f->delete (out_comm(comm), key, value, f->extra)) : MPI_SUCCESS;
}

/* What the key's functions need lives as long as the process: nobody tells when the last attribute goes. */
SHIM(Comm_create_keyval, (int (*copy)(handle, int, void *, void *, void *, int *),
                          int (*delete)(handle, int, void *, void *), int *key, void *extra))
{
    struct functions *f = malloc(sizeof *f);
    if (!f)
        RETURN(MPI_ERR_NO_MEM);
    *f = (struct functions){ copy, delete, extra };
    RETURN(NATIVE(Comm_create_keyval)(copy_comes, delete_comes, key, f));
}

SHIM(Comm_free_keyval, (int *key))
{
    int native = in_keyval(*key), err = NATIVE(Comm_free_keyval)(&native);
    *key = out_keyval(native);
    RETURN(err);
}

SHIM(Comm_set_attr, (handle comm, int key, void *value))
{
    RETURN(NATIVE(Comm_set_attr)(in_comm(comm), in_keyval(key), value));
}

SHIM(Comm_get_attr, (handle comm, int key, void *value, int *flag))
{
    RETURN(NATIVE(Comm_get_attr)(in_comm(comm), in_keyval(key), value, flag));
}

SHIM(Comm_delete_attr, (handle comm, int key))
{
    RETURN(NATIVE(Comm_delete_attr)(in_comm(comm), in_keyval(key)));
}

/* ---- messages */

SHIM(Send, (const void *data, int n, handle type, int to, int tag, handle comm))
{
    RETURN(NATIVE(Send)(data, n, in_type(type), in_rank(to), tag, in_comm(comm)));
}

SHIM(Ssend, (const void *data, int n, handle type, int to, int tag, handle comm))
{
    RETURN(NATIVE(Ssend)(data, n, in_type(type), in_rank(to), tag, in_comm(comm)));
}

SHIM(Sendrecv, (const void *data, int n, handle type, int to, int tag, void *got, int m, handle other,
                int from, int other_tag, handle comm, struct shim_status *status))
{
    MPI_Status native = { 0 };
    int err = NATIVE(Sendrecv)(data, n, in_type(type), in_rank(to), tag, got, m, in_type(other),
                               in_rank(from), in_tag(other_tag), in_comm(comm), &native);
    pcdf_shim_status(status, &native);
    RETURN(err);
}

SHIM(Recv, (void *data, int n, handle type, int from, int tag, handle comm, struct shim_status *status))
{
    MPI_Status native = { 0 };
    int err = NATIVE(Recv)(data, n, in_type(type), in_rank(from), in_tag(tag), in_comm(comm), &native);
    pcdf_shim_status(status, &native);
    RETURN(err);
}

SHIM(Isend, (const void *data, int n, handle type, int to, int tag, handle comm, handle *request))
{
    MPI_Request native = MPI_REQUEST_NULL;
    int err = NATIVE(Isend)(data, n, in_type(type), in_rank(to), tag, in_comm(comm), &native);
    *request = out_request(native);
    RETURN(err);
}

SHIM(Issend, (const void *data, int n, handle type, int to, int tag, handle comm, handle *request))
{
    MPI_Request native = MPI_REQUEST_NULL;
    int err = NATIVE(Issend)(data, n, in_type(type), in_rank(to), tag, in_comm(comm), &native);
    *request = out_request(native);
    RETURN(err);
}

SHIM(Irecv, (void *data, int n, handle type, int from, int tag, handle comm, handle *request))
{
    MPI_Request native = MPI_REQUEST_NULL;
    int err = NATIVE(Irecv)(data, n, in_type(type), in_rank(from), in_tag(tag), in_comm(comm), &native);
    *request = out_request(native);
    RETURN(err);
}

SHIM(Ibarrier, (handle comm, handle *request))
{
    MPI_Request native = MPI_REQUEST_NULL;
    int err = NATIVE(Ibarrier)(in_comm(comm), &native);
    *request = out_request(native);
    RETURN(err);
}

SHIM(Iprobe, (int from, int tag, handle comm, int *flag, struct shim_status *status))
{
    MPI_Status native = { 0 };
    int err = NATIVE(Iprobe)(in_rank(from), in_tag(tag), in_comm(comm), flag, &native);
    pcdf_shim_status(status, &native);
    RETURN(err);
}

SHIM(Wait, (handle * request, struct shim_status *status))
{
    MPI_Status native = { 0 };
    MPI_Request r = in_request(*request);
    int err = NATIVE(Wait)(&r, &native);
    *request = out_request(r);
    pcdf_shim_status(status, &native);
    RETURN(err);
}

SHIM(Test, (handle * request, int *flag, struct shim_status *status))
{
    MPI_Status native = { 0 };
    MPI_Request r = in_request(*request);
    int err = NATIVE(Test)(&r, flag, &native);
    *request = out_request(r);
    pcdf_shim_status(status, &native);
    RETURN(err);
}

SHIM(Waitany, (int n, handle *requests, int *which, struct shim_status *status))
{
    MPI_Status native = { 0 };
    MPI_Request *r = in_requests(n, requests);
    if (!r)
        RETURN(MPI_ERR_NO_MEM);
    int err = NATIVE(Waitany)(n, r, which, &native);
    out_requests(n, r, requests);
    free(r);
    *which = out_number(*which);
    pcdf_shim_status(status, &native);
    RETURN(err);
}

SHIM(Waitall, (int n, handle *requests, struct shim_status *statuses))
{
    MPI_Request *r = in_requests(n, requests);
    MPI_Status *native = calloc((size_t)n + 1, sizeof *native);
    int err = r && native ? NATIVE(Waitall)(n, r, native) : MPI_ERR_NO_MEM;
    if (r && native)
        out_requests(n, r, requests);
    for (int i = 0; r && native && statuses && i < n; i++)
        pcdf_shim_status(statuses + i, native + i);
    free(native);
    free(r);
    RETURN(err);
}

SHIM(Cancel, (handle * request))
{
    MPI_Request r = in_request(*request);
    RETURN(NATIVE(Cancel)(&r));
}

SHIM(Get_count, (const struct shim_status *status, handle type, int *n))
{
    const MPI_Status native = pcdf_shim_native_status(status);
    int err = NATIVE(Get_count)(&native, in_type(type), n);
    *n = out_number(*n);
    RETURN(err);
}

/* ---- windows */

#define MAKES_WIN(call)                                                                                      \
    MPI_Win native = MPI_WIN_NULL;                                                                           \
    int err = call;                                                                                          \
    *made = out_win(native);                                                                                 \
    RETURN(err)

SHIM(Win_create, (void *data, MPI_Aint size, int unit, handle info, handle comm, handle *made))
{
    MAKES_WIN(NATIVE(Win_create)(data, size, unit, in_info(info), in_comm(comm), &native));
}

SHIM(Win_allocate_shared, (MPI_Aint size, int unit, handle info, handle comm, void *data, handle *made))
{
    MAKES_WIN(NATIVE(Win_allocate_shared)(size, unit, in_info(info), in_comm(comm), data, &native));
}

SHIM(Win_free, (handle * win))
{
    MPI_Win native = in_win(*win);
    int err = NATIVE(Win_free)(&native);
    *win = out_win(native);
    RETURN(err);
}

SHIM(Put, (const void *data, int n, handle type, int to, MPI_Aint place, int m, handle other, handle win))
{
    RETURN(NATIVE(Put)(data, n, in_type(type), in_rank(to), place, m, in_type(other), in_win(win)));
}
