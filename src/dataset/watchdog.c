/* See watchdog.h. What is kept here is not counted memory: a message of a file that was given up may be under
 * way when the file is closed, and its bytes then stay. */
#include "watchdog.h"
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NAME = 64, FILES = 16000, RANKS_NAMED = 8 }; /* MPI promises tags up to 32767 */

struct signature { /* what a rank that waited too long says of itself */
    int64_t call;
    double waited;
    char variable[NAME]; /* "": none, or not known */
};

struct pcdf_watchdog {
    MPI_Comm comm;
    int rank, size, tag; /* of the votes; signatures have the next one */
    double began;        /* of this call */
    struct signature mine, other;
    int other_rank; /* the lowest rank that `other` came from, or -1 */
    int64_t outgoing[PCDF_WATCHDOG_NUMBERS];
    MPI_Request vote, *signatures; /* being sent; one a rank */
    bool *heard;                   /* whose signatures came */
    int nheard;
    struct pcdf_watchdog *next; /* of those that stay */
};

static struct pcdf_watchdog *_Atomic unfinished; /* keeps what MPI may still read from being taken for lost */

/* ---- at open */

static void dismiss(struct pcdf_watchdog *w)
{
    free(w->signatures);
    free(w->heard);
    free(w);
}

int pcdf_watchdog_make(struct pcdf_dataset *ds, struct pcdf_watchdog **made)
{
    if (ds->hints.watchdog_s == 0 || ds->comm.size == 1)
        return NC_NOERR;
    size_t ranks = (size_t)ds->comm.size;
    struct pcdf_watchdog *w = calloc(1, sizeof *w);
    if (w) {
        w->comm = ds->comm.comm; /* nothing else goes point to point there */
        w->rank = ds->comm.rank;
        w->size = ds->comm.size;
        w->vote = MPI_REQUEST_NULL;
        w->signatures = calloc(ranks, sizeof *w->signatures); /* giving up allocates nothing */
        w->heard = calloc(ranks, sizeof *w->heard);
    }
    if (!w || !w->signatures || !w->heard) {
        if (w)
            dismiss(w);
        return PCDF_FAIL(NC_ENOMEM, "no memory to watch over %d ranks", ds->comm.size);
    }
    for (int i = 0; i < w->size; i++)
        w->signatures[i] = MPI_REQUEST_NULL;
    *made = w;
    return NC_NOERR;
}

void pcdf_watchdog_start(struct pcdf_dataset *ds, struct pcdf_watchdog *made, int64_t file)
{
    if (made)
        made->tag = (int)(file % FILES) * 2;
    ds->watchdog = made;
}

static bool is_sent(MPI_Request *request)
{
    int done = 1;
    if (*request != MPI_REQUEST_NULL)
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    return done;
}

void pcdf_watchdog_free(struct pcdf_watchdog *w)
{
    if (!w)
        return;
    bool all_sent = is_sent(&w->vote);
    for (int i = 0; i < w->size; i++)
        all_sent = is_sent(&w->signatures[i]) && all_sent;
    if (all_sent) {
        dismiss(w);
        return;
    }
    w->next = unfinished;
    while (!atomic_compare_exchange_weak(&unfinished, &w->next, w))
        ;
}

/* ---- signatures */

static double waited(const struct pcdf_watchdog *w)
{
    return MPI_Wtime() - w->began;
}

/* Takes in what others sent; true when anybody has given the file up. */
static bool hear(struct pcdf_watchdog *w)
{
    for (;;) {
        struct signature s;
        MPI_Status from;
        int is_there = 0;
        if (MPI_Iprobe(MPI_ANY_SOURCE, w->tag + 1, w->comm, &is_there, &from) != MPI_SUCCESS || !is_there)
            return w->nheard > 0;
        int rank = from.MPI_SOURCE;
        if (MPI_Recv(&s, (int)sizeof s, MPI_BYTE, rank, w->tag + 1, w->comm, MPI_STATUS_IGNORE) !=
            MPI_SUCCESS)
            return w->nheard > 0;
        w->nheard += !w->heard[rank];
        w->heard[rank] = true;
        if (w->other_rank < 0 || rank < w->other_rank) {
            w->other = s;
            w->other_rank = rank;
        }
    }
}

static void sign(struct pcdf_watchdog *w)
{
    w->mine.waited = waited(w);
    for (int i = 0; i < w->size; i++)
        if (i != w->rank)
            (void)MPI_Isend(&w->mine, (int)sizeof w->mine, MPI_BYTE, i, w->tag + 1, w->comm,
                            &w->signatures[i]);
}

/* First at once, as MPI does; later others may need the processor more than this rank needs microseconds. */
static void pause_a_little(double since)
{
    struct timespec nap = { 0, since < 0.1 ? 50000 : 1000000 };
    if (since < 0.002)
        sched_yield();
    else
        nanosleep(&nap, NULL);
}

/* Until all have signed, or whoever waits has had the time for it. */
static void gather(struct pcdf_watchdog *w, int64_t seconds)
{
    double began = MPI_Wtime(), patience = (double)seconds / 4;
    patience = patience < 0.5 ? 0.5 : patience > 5 ? 5 : patience;
    while (hear(w), w->nheard < w->size - 1 && MPI_Wtime() - began < patience)
        pause_a_little(MPI_Wtime() - began);
}

/* ---- the sentence */

struct sentence {
    char text[640];
    size_t used;
};

static void __attribute__((format(printf, 2, 3))) add(struct sentence *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(s->text + s->used, sizeof s->text - s->used, format, args);
    va_end(args);
    size_t room = sizeof s->text - 1 - s->used;
    s->used += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room;
}

static void add_call(struct sentence *s, const struct signature *of)
{
    add(s, "%s (call %lld%s%s)", pcdf_kind_name((enum pcdf_kind)(of->call % PCDF_KINDS)),
        (long long)(of->call / PCDF_KINDS % PCDF_CALLS_OF_A_FILE), *of->variable ? ", variable " : "",
        of->variable);
}

/* "1, 2, 5 and 40 more" */
static void add_missing(struct sentence *s, const struct pcdf_watchdog *w)
{
    int missing = w->size - 1 - w->nheard, named = 0;
    add(s, missing == 1 ? "rank " : "ranks ");
    for (int i = 0; i < w->size && named < RANKS_NAMED; i++)
        if (i != w->rank && !w->heard[i])
            add(s, "%s%d", named++ ? ", " : "", i);
    if (missing > named)
        add(s, " and %d more", missing - named);
}

/* Why this rank, which waited, gives up. */
static void blame(const struct pcdf_watchdog *w, struct sentence *s)
{
    add(s, "waited %.1f s in ", w->mine.waited);
    add_call(s, &w->mine);
    if (w->nheard < w->size - 1) {
        add(s, " for ");
        add_missing(s, w);
        add(s, ", which did not come");
    } else {
        add(s, ": the last rank came too late");
    }
    if (w->other_rank >= 0 && w->other.call != w->mine.call) {
        add(s, "; rank %d waited in ", w->other_rank);
        add_call(s, &w->other);
    }
    add(s, "; the file can only be closed now");
}

/* Why this rank, which came when others had given up, does so, too. */
static void admit(const struct pcdf_watchdog *w, struct sentence *s)
{
    add_call(s, &w->mine);
    add(s, " comes too late: rank %d waited %.1f s in ", w->other_rank, w->other.waited);
    add_call(s, &w->other);
    add(s, " and gave up; the file can only be closed now");
}

/* Hint pcdf_watchdog_abort: the sentence once, by the lowest rank that waits, unless it does not get to it.
 */
static void end_job(const struct pcdf_dataset *ds, const struct pcdf_watchdog *w, const struct sentence *s)
{
    struct timespec second = { 1, 0 };
    if (w->other_rank >= 0 && w->other_rank < w->rank)
        nanosleep(&second, NULL);
    dprintf(STDERR_FILENO, "parcdf: %s, rank %d: %s (hint pcdf_watchdog_abort ends the job)\n", ds->path,
            w->rank, s->text);
    MPI_Abort(w->comm, 1);
}

static int give_up(struct pcdf_dataset *ds, bool came_late)
{
    struct pcdf_watchdog *w = ds->watchdog;
    struct sentence s = { .used = 0 };
    ds->poisoned = true;
    if (came_late) {
        admit(w, &s);
    } else {
        sign(w);
        gather(w, ds->hints.watchdog_s);
        blame(w, &s);
        if (strcmp(ds->hints.watchdog_abort, "true") == 0)
            end_job(ds, w, &s);
    }
    return PCDF_FAIL(NC_EMULTIDEFINE_FNC_ARGS, "%s", s.text);
}

/* ---- the vote */

static int failed(struct pcdf_dataset *ds, int err, const char *what)
{
    ds->poisoned = true;
    return pcdf_error_from_mpi(err, NC_EMPI, what, ds->path);
}

/* Until both messages of a step are through; false: the time is over, or another rank's is. */
static bool wait_for(struct pcdf_watchdog *w, MPI_Request *incoming, double seconds, int *err)
{
    for (unsigned turn = 1;; turn++) {
        int got = 0, sent = 0;
        *err = MPI_Test(incoming, &got, MPI_STATUS_IGNORE);
        if (*err == MPI_SUCCESS && got)
            *err = MPI_Test(&w->vote, &sent, MPI_STATUS_IGNORE);
        if (*err != MPI_SUCCESS || (got && sent))
            return true;
        if (turn % 64 != 0 && waited(w) < 0.002)
            continue;
        if (hear(w) || waited(w) >= seconds)
            return false;
        pause_a_little(waited(w));
    }
}

/* One step: my numbers to the rank `distance` behind me, those of the rank before me to me. */
static int step(struct pcdf_dataset *ds, int distance, int64_t *most, int n)
{
    struct pcdf_watchdog *w = ds->watchdog;
    int64_t numbers[PCDF_WATCHDOG_NUMBERS];
    MPI_Request incoming;
    int to = (w->rank + distance) % w->size, from = (w->rank - distance + w->size) % w->size;
    memcpy(w->outgoing, most, (size_t)n * sizeof *most);
    int err = MPI_Irecv(numbers, n, MPI_INT64_T, from, w->tag, w->comm, &incoming);
    if (err != MPI_SUCCESS)
        return failed(ds, err, "MPI_Irecv");
    err = MPI_Isend(w->outgoing, n, MPI_INT64_T, to, w->tag, w->comm, &w->vote);
    bool came = err != MPI_SUCCESS || wait_for(w, &incoming, (double)ds->hints.watchdog_s, &err);
    if (incoming != MPI_REQUEST_NULL) { /* a receive can be taken back */
        MPI_Cancel(&incoming);
        MPI_Wait(&incoming, MPI_STATUS_IGNORE);
    }
    if (err != MPI_SUCCESS)
        return failed(ds, err, "MPI_Isend");
    if (!came)
        return give_up(ds, false);
    for (int i = 0; i < n; i++)
        most[i] = numbers[i] > most[i] ? numbers[i] : most[i];
    return NC_NOERR;
}

int pcdf_watchdog_vote_all(struct pcdf_dataset *ds, int64_t call, const char *variable, int64_t *most, int n)
{
    struct pcdf_watchdog *w = ds->watchdog;
    int status = NC_NOERR;
    memset(&w->mine, 0, sizeof w->mine);
    w->mine.call = call;
    snprintf(w->mine.variable, sizeof w->mine.variable, "%s", variable ? variable : "");
    w->began = MPI_Wtime();
    w->other_rank = -1;
    if (hear(w))
        return give_up(ds, true);
    for (int64_t distance = 1; distance < w->size && !status; distance *= 2)
        status = step(ds, (int)distance, most, n);
    /* A rank that gave up in the same moment in which this one came will not be there for what follows. */
    if (!status && hear(w))
        status = give_up(ds, true);
    return status;
}
