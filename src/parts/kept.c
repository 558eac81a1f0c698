/* See part.h: parts that keep files without a handle, and their moments. Nothing here names a part, so the
 * kernel below may call it in a vote. */
#include <assert.h>
#include <pthread.h>
#include "part.h"
#include "status.h"

static const struct pcdf_keeper_ops *keepers[PCDF_PARTS_MOST]; /* none goes */
atomic_int pcdf_parts_keepers;

void pcdf_parts_keep(const struct pcdf_keeper_ops *ops)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    int i = 0, n = atomic_load(&pcdf_parts_keepers);
    while (i < n && keepers[i] != ops)
        i++;
    if (i == n) {
        assert(n < PCDF_PARTS_MOST);
        keepers[n] = ops;
        /* Others read it without the lock: it counts a row only when the row is there. */
        atomic_store(&pcdf_parts_keepers, n + 1);
    }
    pthread_mutex_unlock(&lock);
}

void pcdf_parts_before_open_all(MPI_Comm user, const struct pcdf_lease *lease, const char *path)
{
    int n = atomic_load(&pcdf_parts_keepers);
    for (int i = 0; i < n; i++) /* on all ranks of a kept file */
        keepers[i]->before_open_all(user, lease, path);
}

int pcdf_parts_await_all(const char *path)
{
    int status = NC_NOERR, n = atomic_load(&pcdf_parts_keepers);
    for (int i = 0; i < n; i++) /* on all ranks of a kept file */
        pcdf_first(&status, keepers[i]->await_all(path));
    return status;
}

int pcdf_parts_before_delete(const char *path)
{
    int status = NC_NOERR, n = atomic_load(&pcdf_parts_keepers);
    for (int i = 0; i < n; i++)
        pcdf_first(&status, keepers[i]->before_delete(path));
    return status;
}

int pcdf_parts_wait_all(const char *path)
{
    int status = NC_NOERR, n = atomic_load(&pcdf_parts_keepers);
    for (int i = 0; i < n; i++) /* on all ranks of a kept file */
        pcdf_first(&status, keepers[i]->wait_all(path));
    return status;
}

void pcdf_parts_before_name_all(const struct pcdf_dataset *ds)
{
    int n = atomic_load(&pcdf_parts_keepers);
    for (int i = 0; i < n; i++) /* on all ranks of a kept file */
        keepers[i]->before_name_all(ds);
}

void pcdf_parts_ask_before_vote_all(const struct pcdf_dataset *ds)
{
    int n = atomic_load(&pcdf_parts_keepers);
    for (int i = 0; i < n; i++) /* on all ranks of a kept file */
        keepers[i]->before_vote_all(ds);
}

void pcdf_parts_communicator_ends_all(const struct pcdf_shared_comm *shared, MPI_Comm comm)
{
    int n = atomic_load(&pcdf_parts_keepers);
    for (int i = 0; i < n; i++) /* on all ranks of a kept file */
        keepers[i]->communicator_ends_all(shared, comm);
}

void pcdf_parts_mpi_ends_all(void)
{
    int n = atomic_load(&pcdf_parts_keepers);
    for (int i = 0; i < n; i++) /* on all ranks of a kept file */
        keepers[i]->mpi_ends_all();
}

void pcdf_parts_mpi_may_end(void)
{
    int n = atomic_load(&pcdf_parts_keepers);
    for (int i = 0; i < n; i++)
        keepers[i]->mpi_may_end();
}
