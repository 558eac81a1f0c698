/* One duplicate for each user communicator, kept as an attribute of it: opening many files duplicates once,
 * and the duplicate goes when the user's communicator goes, at the latest in MPI_Finalize. */
#include "alloc.h"
#include "vote.h"

static int user_key = MPI_KEYVAL_INVALID;
static int finalize_key = MPI_KEYVAL_INVALID;

struct cached {
    MPI_Comm comm;
    struct cached *next, **slot; /* of the list that MPI_Finalize walks */
};

static struct cached *all_cached;

static void forget(struct cached *c)
{
    *c->slot = c->next;
    if (c->next)
        c->next->slot = c->slot;
    MPI_Comm_free(&c->comm);
    pcdf_free(c);
}

/* The user frees the communicator. The attribute may outlive its entry when MPI_Finalize came first. */
static int user_comm_goes(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    for (struct cached *c = all_cached; c; c = c->next)
        if (c == value) {
            forget(c);
            break;
        }
    return MPI_SUCCESS;
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF first. */
static int finalize_comes(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    while (all_cached)
        forget(all_cached);
    MPI_Comm_free_keyval(&user_key);
    MPI_Comm_free_keyval(&finalize_key);
    return MPI_SUCCESS;
}

static int make_keys(void)
{
    if (user_key != MPI_KEYVAL_INVALID)
        return MPI_SUCCESS;
    int err = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, user_comm_goes, &user_key, NULL);
    if (err == MPI_SUCCESS)
        err = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finalize_comes, &finalize_key, NULL);
    if (err == MPI_SUCCESS)
        err = MPI_Comm_set_attr(MPI_COMM_SELF, finalize_key, NULL);
    return err;
}

/* Whether a duplicate exists is the same on all ranks, since making it is collective. */
static int duplicate_all(MPI_Comm user, struct cached **made)
{
    struct cached *c = pcdf_malloc(sizeof *c);
    MPI_Comm comm;
    int mpi_err = make_keys();
    int err = MPI_Comm_dup(user, &comm);
    if (mpi_err != MPI_SUCCESS || err != MPI_SUCCESS) /* MPI fails: on all ranks, as far as it can be known */
        return pcdf_error_from_mpi(err != MPI_SUCCESS ? err : mpi_err, NC_EMPI, "MPI_Comm_dup", "");
    int have = c != NULL, all_have = 0;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    err = MPI_Allreduce(&have, &all_have, 1, MPI_INT, MPI_MIN, comm);
    if (err != MPI_SUCCESS || !all_have) {
        MPI_Comm_free(&comm);
        pcdf_free(c);
        return PCDF_FAIL(NC_ENOMEM, "no memory for a communicator on some rank");
    }
    *c = (struct cached){ comm, all_cached, &all_cached };
    if (all_cached)
        all_cached->slot = &c->next;
    all_cached = c;
    MPI_Comm_set_attr(user, user_key, c);
    *made = c;
    return NC_NOERR;
}

int pcdf_comm_of_all(MPI_Comm user, struct pcdf_comm *comm)
{
    struct cached *c = NULL;
    int found = 0, status = NC_NOERR;
    if (user_key != MPI_KEYVAL_INVALID)
        MPI_Comm_get_attr(user, user_key, &c, &found);
    if (!found)
        status = duplicate_all(user, &c);
    if (status)
        return status;
    comm->comm = c->comm;
    MPI_Comm_rank(c->comm, &comm->rank);
    MPI_Comm_size(c->comm, &comm->size);
    return NC_NOERR;
}
