/* One duplicate for each user communicator, kept as an attribute of it: opening many files duplicates once.
 * The duplicate goes when the user's communicator is freed and the last file on it is closed, at the latest
 * in MPI_Finalize. What is kept here is not counted memory (plain malloc): it belongs to the communicator,
 * and inq_malloc_size is 0 when no file is open. */
#include <pthread.h>
#include <stdlib.h>
#include "vote.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the keys and the list; no message under it */
static int user_key = MPI_KEYVAL_INVALID;
static int finalize_key = MPI_KEYVAL_INVALID;

struct pcdf_shared_comm {
    MPI_Comm comm;
    MPI_Comm second;                       /* of watchdogs; MPI_COMM_NULL before the first */
    int files;                             /* open on it */
    int64_t opened;                        /* ever, the same on all ranks */
    bool user_gone;                        /* the user's communicator was freed */
    struct pcdf_shared_comm *next, **slot; /* of the list that MPI_Finalize walks */
};

static struct pcdf_shared_comm *all_shared;

static void take_off_list(struct pcdf_shared_comm *c)
{
    *c->slot = c->next;
    if (c->next)
        c->next->slot = c->slot;
}

static void forget(struct pcdf_shared_comm *c)
{
    if (!c)
        return;
    if (c->second != MPI_COMM_NULL)
        MPI_Comm_free(&c->second);
    MPI_Comm_free(&c->comm);
    free(c);
}

/* The user frees the communicator. The attribute may outlive its entry when MPI_Finalize came first. */
static int user_comm_goes(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    pthread_mutex_lock(&lock);
    struct pcdf_shared_comm *c = all_shared;
    while (c && c != value)
        c = c->next;
    if (c && c->files > 0) {
        c->user_gone = true;
        c = NULL;
    } else if (c) {
        take_off_list(c);
    }
    pthread_mutex_unlock(&lock);
    forget(c);
    return MPI_SUCCESS;
}

int64_t pcdf_comm_hold(const struct pcdf_comm *comm)
{
    pthread_mutex_lock(&lock);
    comm->shared->files++;
    int64_t number = ++comm->shared->opened;
    pthread_mutex_unlock(&lock);
    return number;
}

void pcdf_comm_release(const struct pcdf_comm *comm, bool poisoned)
{
    struct pcdf_shared_comm *c = comm->shared;
    pthread_mutex_lock(&lock);
    if (--c->files > 0 || !c->user_gone || poisoned)
        c = NULL;
    else
        take_off_list(c);
    pthread_mutex_unlock(&lock);
    forget(c);
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF first. */
static int finalize_comes(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    while (all_shared) {
        struct pcdf_shared_comm *c = all_shared;
        take_off_list(c);
        forget(c);
    }
    pcdf_nodes_end();
    MPI_Comm_free_keyval(&user_key);
    MPI_Comm_free_keyval(&finalize_key);
    return MPI_SUCCESS;
}

/* The lock is held. What failed is tried again the next time. */
static int make_keys(void)
{
    static bool hears_finalize;
    int err = MPI_SUCCESS;
    if (user_key == MPI_KEYVAL_INVALID)
        err = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, user_comm_goes, &user_key, NULL);
    if (err == MPI_SUCCESS && finalize_key == MPI_KEYVAL_INVALID)
        err = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finalize_comes, &finalize_key, NULL);
    if (err == MPI_SUCCESS && !hears_finalize)
        err = MPI_Comm_set_attr(MPI_COMM_SELF, finalize_key, NULL);
    hears_finalize |= err == MPI_SUCCESS;
    return err;
}

static void put_on_list(struct pcdf_shared_comm *c)
{
    pthread_mutex_lock(&lock);
    c->next = all_shared;
    c->slot = &all_shared;
    if (all_shared)
        all_shared->slot = &c->next;
    all_shared = c;
    pthread_mutex_unlock(&lock);
}

/* user_comm_goes finds nothing on the list and does nothing. */
static void give_up(MPI_Comm user, struct pcdf_shared_comm *c, MPI_Comm comm, bool all_have_comm)
{
    void *attribute;
    int found = 0;
    if (user_key != MPI_KEYVAL_INVALID)
        MPI_Comm_get_attr(user, user_key, &attribute, &found);
    if (found)
        MPI_Comm_delete_attr(user, user_key);
    if (all_have_comm) /* else ranks without it could not take part: it is left to MPI_Finalize */
        MPI_Comm_free(&comm);
    free(c);
}

/* Whether a duplicate exists is the same on all ranks: it is made, or not, as all agree at the end, on the
 * user's communicator, since a rank may have no other. */
static int duplicate_all(MPI_Comm user, struct pcdf_shared_comm **made)
{
    struct pcdf_shared_comm *c = calloc(1, sizeof *c);
    MPI_Comm comm = MPI_COMM_NULL;
    int status = c ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for a communicator");
    pthread_mutex_lock(&lock);
    int err = make_keys();
    pthread_mutex_unlock(&lock);
    if (err == MPI_SUCCESS && c)
        err = MPI_Comm_set_attr(user, user_key, c);
    if (err != MPI_SUCCESS)
        pcdf_first(&status, pcdf_error_from_mpi(err, NC_EMPI, "MPI_Comm_set_attr", ""));
    err = MPI_Comm_dup(user, &comm);
    if (err == MPI_SUCCESS)
        err = MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (err != MPI_SUCCESS)
        pcdf_first(&status, pcdf_error_from_mpi(err, NC_EMPI, "MPI_Comm_dup", ""));
    if (c) {
        c->comm = comm;
        c->second = MPI_COMM_NULL;
    }
    int mine[2] = { status, comm == MPI_COMM_NULL ? NC_EMPI : NC_NOERR }, worst[2] = { NC_EMPI, NC_EMPI };
    err = MPI_Allreduce(mine, worst, 2, MPI_INT, MPI_MIN, user);
    if (err != MPI_SUCCESS)
        pcdf_first(&status, pcdf_error_from_mpi(err, NC_EMPI, "MPI_Allreduce", ""));
    if (!status && worst[0])
        status = PCDF_FAIL(worst[0], "another rank cannot duplicate the communicator");
    if (status) { /* on all ranks */
        give_up(user, c, comm, worst[1] == NC_NOERR);
        return status;
    }
    put_on_list(c);
    *made = c;
    return NC_NOERR;
}

int pcdf_comm_of_all(MPI_Comm user, struct pcdf_comm *comm)
{
    struct pcdf_shared_comm *c = NULL;
    int found = 0, status = NC_NOERR;
    if (user_key != MPI_KEYVAL_INVALID)
        MPI_Comm_get_attr(user, user_key, &c, &found);
    if (!found) /* the same on all ranks: it was attached on all or on none */
        status = duplicate_all(user, &c);
    if (status)
        return status;
    comm->comm = c->comm;
    comm->shared = c;
    MPI_Comm_rank(c->comm, &comm->rank);
    MPI_Comm_size(c->comm, &comm->size);
    return NC_NOERR;
}

int pcdf_comm_second_all(const struct pcdf_comm *comm, MPI_Comm *second)
{
    MPI_Comm made = MPI_COMM_NULL;
    if (comm->shared->second != MPI_COMM_NULL) { /* the same on all ranks */
        *second = comm->shared->second;
        return NC_NOERR;
    }
    int err = MPI_Comm_dup(comm->comm, &made);
    int mine = err == MPI_SUCCESS ? NC_NOERR : pcdf_error_from_mpi(err, NC_EMPI, "MPI_Comm_dup", ""),
        worst = mine;
    err = MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MIN, comm->comm);
    if (err != MPI_SUCCESS)
        return pcdf_error_from_mpi(err, NC_EMPI, "MPI_Allreduce", "");
    if (worst) /* what some ranks have is left to MPI_Finalize: all would be needed to free it */
        return mine ? mine : PCDF_FAIL(worst, "another rank cannot duplicate the communicator");
    *second = comm->shared->second = made;
    return NC_NOERR;
}
