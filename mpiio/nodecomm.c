/* See nodecomm.h. */

#include "nodecomm.h"
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "provesame.h"
#include "status.h"

struct kept { /* beside a communicator */
    MPI_Comm node;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the key */
static int key = MPI_KEYVAL_INVALID;

static int node_of(const char *text, int rank, int size)
{
    int64_t number = strtoll(text, NULL, 10);
    if (!strchr(text, ','))
        return (int)(rank * (number < 1 ? 1 : number > size ? size : number) / size);
    for (const char *comma; rank > 0 && (comma = strchr(text, ',')); rank--)
        text = comma + 1;
    number = strtoll(text, NULL, 10);
    return number < 0 || number > INT_MAX ? 0 : (int)number;
}

int pcdf_nodecomm_split_all(const struct pcdf_ranks *ranks, const char *pretended, MPI_Comm *node)
{
    /* The ranks of this node; the ranks of a pretended one are split from the others first. */
    MPI_Comm group = MPI_COMM_NULL;
    int err = MPI_Comm_split(ranks->comm, node_of(pretended, ranks->rank, ranks->size), ranks->rank, &group);
    if (!err) /* the same on all ranks: else MPI has failed, and nothing more can be agreed */
        err = MPI_Comm_split_type(group, MPI_COMM_TYPE_SHARED, ranks->rank, MPI_INFO_NULL, node);
    if (group != MPI_COMM_NULL)
        MPI_Comm_free(&group);
    return err ? pcdf_error_from_mpi(err, NC_EMPI, "MPI_Comm_split", ranks->path) : NC_NOERR;
}

static int comm_goes(MPI_Comm comm, int keyval, void *value, void *extra)
{
    struct kept *kept = value;
    (void)comm, (void)keyval, (void)extra;
    if (kept->node != MPI_COMM_NULL)
        MPI_Comm_free(&kept->node);
    free(kept);
    return MPI_SUCCESS;
}

static int make_key(void)
{
    pthread_mutex_lock(&lock);
    if (key == MPI_KEYVAL_INVALID)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, comm_goes, &key, NULL);
    int made = key;
    pthread_mutex_unlock(&lock);
    return made;
}

/* On all ranks or on none. */
static int keep_all(const struct pcdf_ranks *ranks, int known, struct kept **made)
{
    const char *pretended = getenv("PARCDF_NODES");
    struct kept *kept = calloc(1, sizeof *kept);
    if (kept)
        kept->node = MPI_COMM_NULL;
    bool is_beside = kept && known != MPI_KEYVAL_INVALID && !MPI_Comm_set_attr(ranks->comm, known, kept);
    int64_t all = is_beside;
    int status = pcdf_ranks_reduce_all(ranks, MPI_MIN, &all, 1);
    if (!status && all) /* the same on all ranks */
        status = pcdf_nodecomm_split_all(ranks, pretended ? pretended : "", &kept->node);
    if (!status && all) {
        *made = kept;
        return NC_NOERR;
    }
    if (is_beside) /* which frees it */
        MPI_Comm_delete_attr(ranks->comm, known);
    else
        free(kept);
    return status ? status : PCDF_FAIL(NC_EMPI, "some rank cannot tell which others are on its node");
}

int pcdf_nodecomm_of_all(const struct pcdf_ranks *ranks, struct pcdf_ranks *node)
{
    struct kept *kept = NULL;
    int found = 0, known = make_key();
    if (known != MPI_KEYVAL_INVALID)
        MPI_Comm_get_attr(ranks->comm, known, &kept, &found);
    if (PCDF_SAME(ranks, !found)) /* it was kept on all or on none */
        PCDF_TRY(keep_all(ranks, known, &kept));
    *node = pcdf_ranks_of(kept->node, ranks->counts, ranks->path);
    return NC_NOERR;
}

void pcdf_nodecomm_end(void)
{
    if (key != MPI_KEYVAL_INVALID)
        MPI_Comm_free_keyval(&key);
}
