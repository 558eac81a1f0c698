/* See worldmodel.h. */
#include "worldmodel.h"
#include <mpi.h>
#include <stddef.h>

/* Both functions speak of the World model alone (MPI-4.0, 11.2.1), and may be called at any time. */
static bool is_up(void)
{
    int up = 0, down = 0;
    MPI_Initialized(&up);
    MPI_Finalized(&down);
    return up && !down;
}

int pcdf_world_rank(void)
{
    int rank = -1;
    if (is_up())
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

bool pcdf_world_is_one_process(void)
{
    int size = 0;
    if (is_up())
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size == 1;
}

/* Of other communicators nobody can tell: a session may have made them. */
const char *pcdf_world_refuses(MPI_Comm comm)
{
    int up = 0, down = 0;
    if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF)
        return NULL;
    MPI_Initialized(&up);
    MPI_Finalized(&down);
    return down  ? "MPI_Finalize was called: files are opened and closed before it"
           : !up ? "MPI_Init was not called yet: files are opened behind it"
                 : NULL;
}

bool pcdf_world_has_threads(void)
{
    int level = MPI_THREAD_MULTIPLE;
    if (is_up())
        MPI_Query_thread(&level);
    return level >= MPI_THREAD_MULTIPLE;
}

static int end_comes(MPI_Comm comm, int key, void *value, void *extra)
{
    const struct pcdf_world_listener *l = extra;
    (void)comm, (void)key, (void)value;
    l->end();
    return MPI_SUCCESS;
}

/* MPI_Finalize begins by deleting the attributes of MPI_COMM_SELF, the last one first; those of other
 * communicators it need not delete (MPI-4.0, 11.2.4: the only such hook that the standard has). */
int pcdf_world_listen(struct pcdf_world_listener *l)
{
    int key = MPI_KEYVAL_INVALID;
    if (l->is_set || !is_up())
        return MPI_SUCCESS;
    int err = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_comes, &key, l);
    if (err != MPI_SUCCESS)
        return err;
    err = MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    l->is_set = err == MPI_SUCCESS;
    MPI_Comm_free_keyval(&key); /* the key stays while the attribute does */
    return err;
}
