/* See chunkthreads.h. */

#include "chunkthreads.h"
#include <pthread.h>
#include <signal.h>
#include "alloc.h"
#include "status.h"

struct helper {
    pthread_t id;
    int (*work)(void *context);
    void *context;
    int status;
    char text[PCDF_SENTENCE];
};

static void *help(void *context)
{
    struct helper *h = context;
    h->status = h->work(h->context);
    pcdf_fail_save(h->text);
    return NULL;
}

/* A new thread has the signal mask of the one that makes it, and is to take no signal. Returns how many were
 * started. */
static int start(struct helper *helpers, int n, int (*work)(void *context), void *context)
{
    sigset_t all, before;
    int started = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; started < n; started++) {
        helpers[started] = (struct helper){ .work = work, .context = context };
        if (pthread_create(&helpers[started].id, NULL, help, &helpers[started]))
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

int pcdf_chunkthreads_run(int n, int (*work)(void *context), void *context)
{
    struct helper *helpers = n > 1 ? pcdf_calloc((size_t)n - 1, sizeof *helpers) : NULL;
    int started = helpers ? start(helpers, n - 1, work, context) : 0;
    int status = work(context);
    for (int i = 0; i < started; i++) {
        pthread_join(helpers[i].id, NULL);
        if (status || !helpers[i].status)
            continue;
        status = helpers[i].status;
        pcdf_fail_restore(helpers[i].text);
    }
    pcdf_free(helpers);
    return status;
}
