/* See collective.h. */
#include "collective.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "status.h"

/* ---- errors of MPI */

static int code_of_class(int class, int fallback)
{
    static const struct {
        int class, code;
    } rows[] = {
        { MPI_ERR_FILE_EXISTS, NC_EEXIST }, { MPI_ERR_NO_SUCH_FILE, NC_ENOENT },
        { MPI_ERR_ACCESS, NC_EACCESS },     { MPI_ERR_NOT_SAME, NC_EMULTIDEFINE_FNC_ARGS },
        { MPI_ERR_BAD_FILE, NC_EBAD_FILE }, { MPI_ERR_AMODE, NC_EMULTIDEFINE_OMODE },
        { MPI_ERR_READ_ONLY, NC_EPERM },    { MPI_ERR_NO_SPACE, NC_ENO_SPACE },
        { MPI_ERR_QUOTA, NC_EQUOTA },       { MPI_ERR_NO_MEM, NC_ENOMEM },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].class == class)
            return rows[i].code;
    return fallback;
}

int pcdf_error_from_mpi(int err, int fallback, const char *what, const char *path)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int class = MPI_ERR_UNKNOWN, length = 0;

    MPI_Error_class(err, &class);
    if (MPI_Error_string(err, text, &length))
        length = 0;
    text[length] = '\0';
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    return PCDF_FAIL(code_of_class(class, fallback), "%s %s: MPI error %d: %s", what,
                     path ? path : "(no name)", err, text);
}

/* ---- the ranks */

struct pcdf_ranks pcdf_ranks_of(MPI_Comm comm, struct pcdf_counts *counts, const char *path)
{
    struct pcdf_ranks r = { .comm = comm, .size = 1, .counts = counts, .path = path };
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &r.rank);
        MPI_Comm_size(comm, &r.size);
    }
    return r;
}

/* MPI_COMM_SELF is not there in programs that use sessions alone. */
int pcdf_ranks_root_alone(MPI_Comm comm, const char *path, struct pcdf_ranks *alone)
{
    MPI_Group all, first = MPI_GROUP_NULL;
    MPI_Comm made = MPI_COMM_NULL;
    int err = MPI_Comm_group(comm, &all);
    if (!err) { /* rank 0 is alone */
        err = MPI_Group_incl(all, 1, &(int){ 0 }, &first);
        MPI_Group_free(&all);
    }
    if (!err) {
        err = MPI_Comm_create_group(comm, first, 0, &made);
        MPI_Group_free(&first);
    }
    if (!err)
        err = MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    if (err)
        return pcdf_error_from_mpi(err, NC_EMPI, "MPI_Comm_create_group", path);
    *alone = (struct pcdf_ranks){ .comm = made, .size = 1, .path = path };
    return NC_NOERR;
}

void pcdf_ranks_root_free(struct pcdf_ranks *alone)
{
    MPI_Comm_free(&alone->comm);
}

#define COUNT(r, field) ((r)->counts ? (void)(r)->counts->field++ : (void)0)
/* What every function below returns after its call. */
#define VERDICT(r, err, name) ((err) ? pcdf_error_from_mpi((err), NC_EMPI, (name), (r)->path) : NC_NOERR)

/* ---- numbers */

int pcdf_ranks_reduce_all(const struct pcdf_ranks *r, MPI_Op op, int64_t *numbers, int n)
{
    if (r->size == 1) /* the same on all ranks */
        return NC_NOERR;
    COUNT(r, allreduce);
    int err = MPI_Allreduce(MPI_IN_PLACE, numbers, n, MPI_INT64_T, op, r->comm);
    return VERDICT(r, err, "MPI_Allreduce");
}

int pcdf_ranks_sum_at_root_all(const struct pcdf_ranks *r, int64_t *numbers, int n)
{
    const void *mine = r->rank == 0 ? MPI_IN_PLACE : numbers;
    if (r->size == 1) /* the same on all ranks */
        return NC_NOERR;
    COUNT(r, exchange);
    int err = MPI_Reduce(mine, numbers, n, MPI_INT64_T, MPI_SUM, 0, r->comm);
    return VERDICT(r, err, "MPI_Reduce");
}

int pcdf_ranks_sum_before_all(const struct pcdf_ranks *r, int64_t mine, int64_t *before)
{
    *before = 0;
    if (r->size == 1) /* the same on all ranks */
        return NC_NOERR;
    COUNT(r, allreduce);
    int err = MPI_Exscan(&mine, before, 1, MPI_INT64_T, MPI_SUM, r->comm);
    if (r->rank == 0 || err != MPI_SUCCESS) /* MPI leaves rank 0's alone, or undefined */
        *before = 0;
    return VERDICT(r, err, "MPI_Exscan");
}

/* ---- bytes */

int pcdf_ranks_bcast_all(const struct pcdf_ranks *r, void *bytes, int64_t n)
{
    const int64_t most = 1 << 30;
    int status = NC_NOERR;
    for (int64_t at = 0; r->size > 1 && at < n; at += most) { /* the same on all ranks */
        int now = (int)(n - at < most ? n - at : most);
        COUNT(r, bcast);
        int err = MPI_Bcast((char *)bytes + at, now, MPI_BYTE, 0, r->comm);
        pcdf_first(&status, VERDICT(r, err, "MPI_Bcast"));
    }
    return status;
}

int pcdf_ranks_alltoall_all(const struct pcdf_ranks *r, const void *out, void *in, int n)
{
    if (r->size == 1) { /* the same on all ranks */
        memcpy(in, out, (size_t)n);
        return NC_NOERR;
    }
    COUNT(r, exchange);
    int err = MPI_Alltoall(out, n, MPI_BYTE, in, n, MPI_BYTE, r->comm);
    return VERDICT(r, err, "MPI_Alltoall");
}

int pcdf_ranks_gather_all(const struct pcdf_ranks *r, const void *mine, int64_t n, void *all)
{
    if (r->size == 1) { /* the same on all ranks */
        memcpy(all, mine, (size_t)n);
        return NC_NOERR;
    }
    COUNT(r, exchange);
    int err = MPI_Gather(mine, (int)n, MPI_BYTE, all, (int)n, MPI_BYTE, 0, r->comm);
    return VERDICT(r, err, "MPI_Gather");
}

int pcdf_ranks_barrier_all(const struct pcdf_ranks *r)
{
    if (r->size == 1) /* the same on all ranks */
        return NC_NOERR;
    COUNT(r, barrier);
    int err = MPI_Barrier(r->comm);
    return VERDICT(r, err, "MPI_Barrier");
}

/* ---- verdicts */

int pcdf_ranks_agree_all(const struct pcdf_ranks *r, int status, const char *what, ...)
{
    int64_t worst = status;
    char text[512];
    va_list args;
    pcdf_first(&status, pcdf_ranks_reduce_all(r, MPI_MIN, &worst, 1));
    if (status || !worst)
        return status;
    va_start(args, what);
    vsnprintf(text, sizeof text, what, args);
    va_end(args);
    return PCDF_FAIL((int)worst, "another rank cannot %s", text);
}
