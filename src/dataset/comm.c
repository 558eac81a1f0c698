/* See comm.h. */
#include "comm.h"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include "collective.h"
#include "hints.h"
#include "status.h"
#include "watchdog.h"
#include "worldmodel.h"

enum { STAY = 16 }; /* unused duplicates kept for each user communicator */

struct pcdf_duplicate {
    MPI_Comm comm;
    int32_t number;
    bool taken, stays;
    struct pcdf_duplicate *next;
};

struct pcdf_shared_comm {
    MPI_Comm comm, user;         /* user: of the program; not valid if user_gone */
    int files;                   /* open on it */
    struct pcdf_watchdog *first; /* for first messages; one open at a time */
    int64_t opened, tries;       /* ever, the same on all ranks */
    bool user_gone;              /* the user's communicator was freed */
    /* Some rank did not come: there is no communicator, and this struct is not on the list. */
    bool is_given_up;
    struct pcdf_duplicate *pool;           /* those that are taken, too */
    int32_t made, staying;                 /* duplicates: ever made; that stay now */
    int32_t lost;                          /* largest number of a poisoned file's duplicate */
    struct pcdf_shared_comm *next, **slot; /* links of all_shared */
};

/* Of the keys, the list and the pools; nobody waits for a message while he has it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given_back = PTHREAD_COND_INITIALIZER;
/* Threads may use one communicator of one rank at the same time, which MPI forbids for what duplicates it.
 * Nobody waits for another rank while he has it. */
static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;
static int user_key = MPI_KEYVAL_INVALID;
static int openings;        /* running pcdf_comm_of_all calls, which use the key */
static bool keys_must_stay; /* a communicator given up keeps its attribute */
static struct pcdf_shared_comm *all_shared;
static void finalize_comes(void);
static struct pcdf_world_listener listener = { .end = finalize_comes };

static void take_off_list(struct pcdf_shared_comm *c)
{
    *c->slot = c->next;
    if (c->next)
        c->next->slot = c->slot;
}

/* NULL is nothing. */
static void forget_all(struct pcdf_shared_comm *c)
{
    if (c) /* the same on all ranks */
        pcdf_parts_communicator_ends_all(c, c->comm);
    while (c && c->pool) {
        struct pcdf_duplicate *d = c->pool;
        c->pool = d->next;
        MPI_Comm_free(&d->comm);
        free(d);
    }
    if (c) {
        pcdf_watchdog_free(c->first);
        MPI_Comm_free(&c->comm);
        free(c);
    }
}

/* A program of sessions alone ends MPI without a word to us, perhaps to start it again: nothing of MPI's may
 * stay when no communicator is left. With the World model, MPI_Finalize tells. */
static void end_if_unused(void)
{
    pthread_mutex_lock(&lock);
    bool ends =
        !listener.is_set && !all_shared && openings == 0 && !keys_must_stay && user_key != MPI_KEYVAL_INVALID;
    if (ends) {
        MPI_Comm_free_keyval(&user_key);
        pcdf_nodes_end();
    }
    pthread_mutex_unlock(&lock);
    if (ends)
        pcdf_parts_mpi_may_end();
}

/* The user frees the communicator. The attribute may outlive its entry when MPI_Finalize came first. */
static int user_comm_goes(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)key, (void)extra;
    if (value) /* the same on all ranks */
        pcdf_parts_communicator_ends_all(value, comm);
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
    if (c) { /* the same on all ranks */
        forget_all(c);
        end_if_unused();
    }
    return MPI_SUCCESS;
}

/* MPI_Finalize begins. Communicators of sessions live on: a later open finds no attribute on them. */
static void finalize_comes(void)
{
    pcdf_parts_mpi_ends_all();
    pcdf_dataset_drain_unclosed();
    while (all_shared) { /* the same on all ranks */
        struct pcdf_shared_comm *c = all_shared;
        take_off_list(c);
        /* The attribute's callback, user_comm_goes, finds nothing on the list and does nothing. */
        if (!c->user_gone)
            MPI_Comm_delete_attr(c->user, user_key);
        forget_all(c);
    }
    pcdf_nodes_end();
    pcdf_dataset_end_all();
    if (user_key != MPI_KEYVAL_INVALID)
        MPI_Comm_free_keyval(&user_key);
    keys_must_stay = false;
    listener.is_set = false; /* MPI_Init comes only once */
}

/* ---- the shared duplicate */

/* What failed is tried again the next time. *user: for attributes of user communicators; it stays while this
 * opening is counted. */
static int make_keys(int *user)
{
    int err = MPI_SUCCESS;
    pthread_mutex_lock(&lock);
    if (user_key == MPI_KEYVAL_INVALID)
        err = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, user_comm_goes, &user_key, NULL);
    if (err == MPI_SUCCESS)
        err = pcdf_world_listen(&listener);
    openings++;
    *user = user_key;
    pthread_mutex_unlock(&lock);
    return err;
}

/* user_comm_goes finds nothing on the list and does nothing. */
static void give_up(MPI_Comm user, int key, struct pcdf_shared_comm *c, MPI_Comm comm, bool all_have_comm)
{
    void *attribute;
    int found = 0;
    if (key != MPI_KEYVAL_INVALID)
        MPI_Comm_get_attr(user, key, &attribute, &found);
    if (found)
        MPI_Comm_delete_attr(user, key);
    /* Ranks without it could not take part in freeing it: then it is left to MPI_Finalize. */
    if (all_have_comm)
        MPI_Comm_free(&comm);
    free(c);
}

/* Duplicates `from`; status: what this rank lacks otherwise. Fails on all ranks or on none, as all agree on
 * `from`, since a rank may have no other. *all_have_comm: it is there, and can be freed. */
static int duplicate_all(const struct pcdf_ranks *from, int status, MPI_Comm *made, bool *all_have_comm)
{
    *made = MPI_COMM_NULL;
    int err = MPI_Comm_dup(from->comm, made);
    if (err == MPI_SUCCESS)
        err = MPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN);
    if (err != MPI_SUCCESS)
        pcdf_first(&status, pcdf_error_from_mpi(err, NC_EMPI, "MPI_Comm_dup", ""));
    int64_t worst[2] = { status, *made == MPI_COMM_NULL ? NC_EMPI : NC_NOERR };
    err = pcdf_ranks_reduce_all(from, MPI_MIN, worst, 2);
    pcdf_first(&status, err);
    if (!status && worst[0])
        status = PCDF_FAIL((int)worst[0], "another rank cannot duplicate the communicator");
    *all_have_comm = !err && worst[1] == NC_NOERR;
    return status;
}

/* Are all ranks there? They wait as long as their own hint says. */
static int meet_all(MPI_Comm user, MPI_Info info, const char *path, int *hints_status)
{
    struct pcdf_hints hints = { .user = MPI_INFO_NULL };
    *hints_status = pcdf_hints_read(&hints, info, false);
    int status = pcdf_watchdog_meet_all(user, *hints_status ? NULL : &hints, path ? path : "");
    pcdf_hints_free(&hints);
    return status;
}

/* key: for the attribute; err: how making it went, an MPI error. */
static int share_all(MPI_Comm user, int key, int err, MPI_Info info, const char *path,
                     struct pcdf_shared_comm **made)
{
    struct pcdf_shared_comm *c = calloc(1, sizeof *c);
    MPI_Comm comm;
    bool all_have_comm;
    int status = c ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for a communicator");
    if (err == MPI_SUCCESS && c)
        err = MPI_Comm_set_attr(user, key, c);
    if (err != MPI_SUCCESS)
        pcdf_first(&status, pcdf_error_from_mpi(err, NC_EMPI, "MPI_Comm_set_attr", ""));
    struct pcdf_ranks all = pcdf_ranks_of(user, NULL, path);
    if (all.size > 1) { /* the same on all ranks */
        int hints_status, missing = meet_all(user, info, path, &hints_status);
        if (missing) { /* no rank goes on; the barrier stays pending */
            if (c)
                c->is_given_up = true;
            pthread_mutex_lock(&lock);
            keys_must_stay = true;
            pthread_mutex_unlock(&lock);
            return missing;
        }
        pcdf_first(&status, hints_status);
    }
    if (c && !(c->first = pcdf_watchdog_make(&all, PCDF_FIRST_NUMBERS)))
        pcdf_first(&status, PCDF_FAIL(NC_ENOMEM, "no memory for a communicator"));
    status = duplicate_all(&all, status, &comm, &all_have_comm);
    if (status) { /* on all ranks */
        if (c)
            pcdf_watchdog_free(c->first);
        give_up(user, key, c, comm, all_have_comm);
        return status;
    }
    c->comm = comm;
    c->user = user;
    pthread_mutex_lock(&lock);
    c->next = all_shared;
    c->slot = &all_shared;
    if (all_shared)
        all_shared->slot = &c->next;
    all_shared = c;
    pthread_mutex_unlock(&lock);
    *made = c;
    return NC_NOERR;
}

/* MPI_COMM_NULL is an error of this rank alone: the others have a communicator without it. */
static int check_user(MPI_Comm user)
{
    int is_inter = 0;
    if (user == MPI_COMM_NULL)
        return PCDF_FAIL(NC_EMPI, "the communicator is MPI_COMM_NULL");
    const char *refused = pcdf_world_refuses(user);
    if (refused)
        return PCDF_FAIL(NC_EMPI, "%s", refused);
    MPI_Comm_test_inter(user, &is_inter);
    return is_inter ? PCDF_FAIL(NC_EINVAL,
                                "the communicator is an intercommunicator, but a file is of one group of "
                                "ranks: MPI_Intercomm_merge makes one of two")
                    : NC_NOERR;
}

int pcdf_comm_of_all(MPI_Comm user, MPI_Info info, const char *path, struct pcdf_ranks *ranks,
                     struct pcdf_lease *lease)
{
    struct pcdf_shared_comm *c = NULL;
    int size, key, found = 0, status = NC_NOERR;
    PCDF_TRY(check_user(user)); /* fails on all ranks or on none */
    MPI_Comm_size(user, &size);
    if (size == 1) /* the same on all ranks */
        pthread_mutex_lock(&alone);
    int err = make_keys(&key);
    if (err == MPI_SUCCESS)
        MPI_Comm_get_attr(user, key, &c, &found);
    if (!found) /* the same on all ranks: it was attached on all or on none */
        status = share_all(user, key, err, info, path, &c);
    else if (c->is_given_up)
        status = PCDF_FAIL(NC_EMULTIDEFINE_FNC_ARGS,
                           "%s: ranks gave up waiting for others on this communicator before; no file can be "
                           "opened on it",
                           path ? path : "");
    if (size == 1) /* the same on all ranks */
        pthread_mutex_unlock(&alone);
    pthread_mutex_lock(&lock);
    openings--;
    pthread_mutex_unlock(&lock);
    if (status)
        return status;
    *lease = (struct pcdf_lease){ .shared = c };
    *ranks = pcdf_ranks_of(c->comm, NULL, path);
    return NC_NOERR;
}

int pcdf_comm_first_vote_all(const struct pcdf_ranks *ranks, const struct pcdf_lease *lease,
                             const struct pcdf_hints *hints, enum pcdf_kind kind, int64_t *most, int n)
{
    struct pcdf_shared_comm *c = lease->shared;
    const char *path = ranks->path ? ranks->path : "";
    pcdf_watchdog_start(c->first, ranks->comm, hints, ++c->tries, true);
    int status = pcdf_watchdog_vote_all(c->first, path, kind, path, most, n);
    struct pcdf_watchdog *other = status ? pcdf_watchdog_make(ranks, PCDF_FIRST_NUMBERS) : NULL;
    /* Messages on the old one may be under way for long. Without memory for another it stays in use. */
    if (other) {
        pcdf_watchdog_free(c->first);
        c->first = other;
    }
    return status;
}

/* ---- a file's own */

/* The lock is held. */
static struct pcdf_duplicate *duplicate_of(const struct pcdf_shared_comm *c, int32_t number)
{
    struct pcdf_duplicate *d = c->pool;
    while (d && d->number != number)
        d = d->next;
    return d;
}

struct pcdf_comm_offer pcdf_comm_root_offer(const struct pcdf_lease *lease)
{
    struct pcdf_shared_comm *c = lease->shared;
    struct pcdf_comm_offer offer = { 0 };
    if (!pcdf_world_has_threads())
        return offer;
    pthread_mutex_lock(&lock);
    struct pcdf_duplicate *d = c->pool;
    while (d && (d->taken || d->number <= c->lost))
        d = d->next;
    if (d)
        d->taken = true;
    else
        c->made++;
    offer = (struct pcdf_comm_offer){ 1, d ? d->number : c->made, c->made + 1, c->staying < STAY };
    pthread_mutex_unlock(&lock);
    return offer;
}

void pcdf_comm_root_withdraw(const struct pcdf_lease *lease, const struct pcdf_comm_offer *offer)
{
    pthread_mutex_lock(&lock);
    struct pcdf_duplicate *d = offer->own ? duplicate_of(lease->shared, offer->number) : NULL;
    if (d)
        d->taken = false;
    pthread_mutex_unlock(&lock);
}

int32_t pcdf_comm_lost(const struct pcdf_lease *lease)
{
    pthread_mutex_lock(&lock);
    int32_t lost = lease->shared->lost;
    pthread_mutex_unlock(&lock);
    return lost;
}

static int make_own_all(const struct pcdf_ranks *ranks, struct pcdf_shared_comm *c,
                        const struct pcdf_duplicate *wanted, struct pcdf_duplicate **made)
{
    struct pcdf_duplicate *d = malloc(sizeof *d);
    MPI_Comm own;
    bool all_have_comm;
    int status = d ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for a communicator");
    if (ranks->size == 1) /* the same on all ranks */
        pthread_mutex_lock(&alone);
    status = duplicate_all(ranks, status, &own, &all_have_comm);
    if (ranks->size == 1) /* the same on all ranks */
        pthread_mutex_unlock(&alone);
    if (status && all_have_comm) /* on all ranks */
        MPI_Comm_free(&own);
    if (status)
        free(d);
    pthread_mutex_lock(&lock);
    c->made = c->made > wanted->number ? c->made : wanted->number;
    if (!status) {
        *d = *wanted;
        d->comm = own;
        d->next = c->pool;
        c->pool = d;
        c->staying += d->stays;
        *made = d;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

int pcdf_comm_take_all(struct pcdf_ranks *ranks, struct pcdf_lease *lease,
                       const struct pcdf_comm_offer *offer, int32_t lost)
{
    if (!offer->own) /* the same on all ranks, as below */
        return NC_NOERR;
    bool can_be = offer->number > lost;
    if (!can_be && ranks->rank == 0)
        pcdf_comm_root_withdraw(lease, offer);
    /* Where a thread of this rank has not come back from its close yet, it does: rank 0's did, and whatever
     * they did together is done. */
    pthread_mutex_lock(&lock);
    struct pcdf_duplicate *d = can_be ? duplicate_of(lease->shared, offer->number) : NULL;
    while (d && d->taken && ranks->rank != 0) {
        pthread_cond_wait(&given_back, &lock);
        d = duplicate_of(lease->shared, offer->number);
    }
    if (d)
        d->taken = true;
    pthread_mutex_unlock(&lock);
    if (!d) {
        const struct pcdf_duplicate wanted = { .number = can_be ? offer->number : offer->next,
                                               .taken = true,
                                               .stays = offer->stays };
        PCDF_TRY(make_own_all(ranks, lease->shared, &wanted, &d)); /* fails on all ranks or on none */
    }
    lease->own = d;
    ranks->comm = d->comm;
    return NC_NOERR;
}

/* ---- while a file is open */

int64_t pcdf_comm_hold(const struct pcdf_lease *lease)
{
    pthread_mutex_lock(&lock);
    lease->shared->files++;
    int64_t number = ++lease->shared->opened;
    pthread_mutex_unlock(&lock);
    return number;
}

bool pcdf_comm_user_gone(const struct pcdf_lease *lease)
{
    pthread_mutex_lock(&lock);
    bool is_gone = lease->shared->user_gone;
    pthread_mutex_unlock(&lock);
    return is_gone;
}

void pcdf_comm_give_back(struct pcdf_lease *lease, bool poisoned)
{
    struct pcdf_shared_comm *c = lease->shared;
    struct pcdf_duplicate *d = lease->own;
    if (!d)
        return;
    bool goes = poisoned || !d->stays;
    lease->own = NULL;
    pthread_mutex_lock(&lock);
    if (poisoned && d->number > c->lost)
        c->lost = d->number;
    if (goes) {
        struct pcdf_duplicate **slot = &c->pool;
        while (*slot != d)
            slot = &(*slot)->next;
        *slot = d->next;
        c->staying -= d->stays;
    }
    assert(d->taken);
    d->taken = false;
    pthread_cond_broadcast(&given_back);
    pthread_mutex_unlock(&lock);
    if (!goes)
        return;
    if (!poisoned)
        MPI_Comm_free(&d->comm);
    free(d);
}

void pcdf_comm_release(struct pcdf_lease *lease, bool poisoned)
{
    struct pcdf_shared_comm *c = lease->shared;
    pcdf_comm_give_back(lease, poisoned);
    pthread_mutex_lock(&lock);
    assert(c->files > 0);
    if (--c->files > 0 || !c->user_gone || poisoned)
        c = NULL;
    else
        take_off_list(c);
    pthread_mutex_unlock(&lock);
    if (c) { /* the same on all ranks */
        forget_all(c);
        end_if_unused();
    }
}
