/* See lock.h. The locks belong to the ids, not to the files: a thread may wait for one while the file is
 * closed, and then finds NC_EBADID. */
#include "lock.h"

#include <pthread.h>

enum { GUARDS = 1024 }; /* as many as there are ids (handles.c) */

static pthread_mutex_t guards[GUARDS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_guards(void)
{
    pthread_mutexattr_t again;
    pthread_mutexattr_init(&again);
    pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    for (int i = 0; i < GUARDS; i++)
        pthread_mutex_init(&guards[i], &again);
    pthread_mutexattr_destroy(&again);
}

int pcdf_lock_enter(int ncid)
{
    if (ncid < 0 || ncid >= GUARDS)
        return -1;
    pthread_once(&once, make_guards);
    pthread_mutex_lock(&guards[ncid]);
    return ncid;
}

void pcdf_lock_leave(const int *guard)
{
    if (*guard >= 0)
        pthread_mutex_unlock(&guards[*guard]);
}
