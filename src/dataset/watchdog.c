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

enum { NAME = 64, RANKS_NAMED = 8, STEPS = 32, MOST_SENT = 3 * STEPS };
enum { VOTE, NOTICE, SIGNATURE, VERDICT, TAGS }; /* what a message is */
/* MPI promises tags up to 32767. Files may share a tag: their messages carry their numbers. */
enum { TAGGED = 4000 };

struct signature {  /* report of a rank that waited too long */
    int64_t number; /* the file's, or of the try to open */
    int64_t rank, call;
    double waited;
    char name[NAME]; /* variable or file; "": none or not known */
};

struct verdict { /* the collector's; a bit for each signer follows */
    int64_t number;
    int64_t collector;
    struct signature first, second; /* lowest rank's; lowest in another call's; -1: none */
};

struct pcdf_watchdog {
    MPI_Comm comm;
    int rank, size, tag;
    int64_t number, seconds; /* 0: for ever */
    bool aborts;
    double began; /* when this call began */
    struct signature mine;
    bool is_told;             /* some rank gave up */
    struct verdict *verdict;  /* what is known of those that signed */
    unsigned char *signed_by; /* in it, behind it */
    size_t verdict_size;
    int64_t *outgoing, *incoming; /* numbers of a vote, behind `number` */
    MPI_Request vote, sent[MOST_SENT];
    int nsent, ncollectors;     /* log2 of the ranks, and one */
    struct pcdf_watchdog *next; /* links of those that stay */
    int64_t numbers[];
};

/* Keeps memory that MPI may still read from looking like a leak. */
static struct pcdf_watchdog *_Atomic unfinished;

/* ---- at open */

struct pcdf_watchdog *pcdf_watchdog_make(const struct pcdf_ranks *ranks, int n)
{
    /* One block, since giving up allocates nothing: this, two votes, the verdict and a bit for each rank. */
    size_t bits = ((size_t)ranks->size + 7) / 8, numbers = 2 * ((size_t)n + 1);
    struct pcdf_watchdog *w =
        calloc(1, sizeof *w + numbers * sizeof w->numbers[0] + sizeof *w->verdict + bits);
    if (!w)
        return NULL;
    w->rank = ranks->rank;
    w->size = ranks->size;
    w->ncollectors = 1;
    for (int64_t reached = 1; reached < w->size && w->ncollectors < w->size; reached *= 2)
        w->ncollectors++;
    w->vote = MPI_REQUEST_NULL;
    w->outgoing = w->numbers;
    w->incoming = w->outgoing + n + 1;
    w->verdict = (struct verdict *)(w->numbers + numbers);
    w->verdict_size = sizeof *w->verdict + bits;
    w->signed_by = (unsigned char *)(w->verdict + 1);
    return w;
}

void pcdf_watchdog_start(struct pcdf_watchdog *w, MPI_Comm comm, const struct pcdf_hints *hints,
                         int64_t number, bool opens)
{
    if (!w)
        return;
    w->comm = comm; /* nothing else goes point to point there */
    w->number = number;
    w->nsent = 0;
    w->is_told = false;
    w->tag = ((int)(number % TAGGED) * 2 + opens) * TAGS;
    w->seconds = hints ? hints->watchdog_s : 0;
    w->aborts = hints && hints->watchdog_abort;
}

void pcdf_watchdog_free(struct pcdf_watchdog *w)
{
    if (!w)
        return;
    bool all_sent = true;
    for (int i = -1; i < w->nsent; i++) { /* the vote's message, if any, and the others */
        int is_sent = 0;
        MPI_Test(i < 0 ? &w->vote : &w->sent[i], &is_sent, MPI_STATUS_IGNORE);
        all_sent = is_sent && all_sent;
    }
    if (all_sent) {
        free(w);
        return;
    }
    w->next = unfinished;
    while (!atomic_compare_exchange_weak(&unfinished, &w->next, w))
        ;
}

/* ---- messages of those that give up */

static double waited(const struct pcdf_watchdog *w)
{
    return MPI_Wtime() - w->began;
}

static void send(struct pcdf_watchdog *w, const void *bytes, size_t n, int to, int what)
{
    if (to != w->rank && w->nsent < MOST_SENT)
        (void)MPI_Isend(bytes, (int)n, MPI_BYTE, to, w->tag + what, w->comm, &w->sent[w->nsent++]);
}

/* Takes in a message of `size` bytes that begins with its number; false: there is none (of this file). */
static bool take_in(struct pcdf_watchdog *w, int what, void *bytes, size_t size)
{
    for (;;) {
        MPI_Status from;
        int is_there = 0;
        int64_t number;
        if (MPI_Iprobe(MPI_ANY_SOURCE, w->tag + what, w->comm, &is_there, &from) != MPI_SUCCESS || !is_there)
            return false;
        if (MPI_Recv(bytes, (int)size, MPI_BYTE, from.MPI_SOURCE, w->tag + what, w->comm,
                     MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return false;
        memcpy(&number, bytes, sizeof number);
        if (number == w->number)
            return true;
    }
}

static bool has_signed(const struct pcdf_watchdog *w, int64_t rank)
{
    return w->signed_by[rank / 8] >> rank % 8 & 1;
}

/* Keeps, of the ranks that signed, the lowest and the lowest in another call. */
static void note(struct pcdf_watchdog *w, const struct signature *s)
{
    struct verdict *v = w->verdict;
    struct signature rest = *s;
    if (s->rank < 0 || s->rank >= w->size)
        return;
    w->signed_by[s->rank / 8] |= (unsigned char)(1 << s->rank % 8);
    if (v->first.rank < 0 || s->rank < v->first.rank) {
        rest = v->first;
        v->first = *s;
    }
    if (v->second.rank >= 0 && v->second.call == v->first.call)
        v->second.rank = -1;
    if (rest.rank >= 0 && rest.call != v->first.call && (v->second.rank < 0 || rest.rank < v->second.rank))
        v->second = rest;
}

/* True when anybody has given the file up. */
static bool read_notices(struct pcdf_watchdog *w)
{
    struct signature s;
    while (take_in(w, NOTICE, &s, sizeof s)) {
        w->is_told = true;
        note(w, &s);
    }
    return w->is_told;
}

/* ---- who is missing: all that wait sign at a few collectors; the first of these that is there tells */

static int collector(const struct pcdf_watchdog *w, int i)
{
    return (int)((int64_t)i * w->size / w->ncollectors);
}

static int signers(const struct pcdf_watchdog *w)
{
    int n = 0;
    for (int r = 0; r < w->size; r++)
        n += has_signed(w, r);
    return n;
}

/* The verdict goes from the collector to all that signed, in a binomial tree of them: this rank's branches.
 */
static void pass_on(struct pcdf_watchdog *w)
{
    int n = signers(w), root = 0, me = 0, at = 0;
    for (int r = 0; r < w->size; r++) {
        root = r == w->verdict->collector ? at : root;
        me = r == w->rank ? at : me;
        at += has_signed(w, r);
    }
    int place = (me - root + n) % n;
    for (int64_t step = 1; step < n; step *= 2) {
        int64_t want = (place + step + root) % n, seen = 0;
        for (int r = 0; step > place && place + step < n && r < w->size; r++)
            if (has_signed(w, r) && seen++ == want)
                send(w, w->verdict, w->verdict_size, r, VERDICT);
    }
}

/* First at once, as MPI does; later others may need the processor more than this rank needs microseconds. */
static void pause_a_little(double since)
{
    struct timespec pause = { 0, since < 0.1 ? 50000 : 1000000 };
    if (since < 0.002)
        sched_yield();
    else
        nanosleep(&pause, NULL);
}

/* Until all have signed, or whoever waits has had the time for it. */
static void gather(struct pcdf_watchdog *w)
{
    struct signature s;
    double began = MPI_Wtime(), patience = (double)w->seconds / 4;
    patience = patience < 0.5 ? 0.5 : patience > 5 ? 5 : patience;
    for (int i = 0; i < w->ncollectors; i++)
        send(w, &w->mine, sizeof w->mine, collector(w, i), SIGNATURE);
    /* what notices told is not all: the collectors begin with themselves */
    memset(w->signed_by, 0, ((size_t)w->size + 7) / 8);
    w->verdict->first.rank = w->verdict->second.rank = -1;
    note(w, &w->mine);
    for (bool ends = false; !ends;) {
        double since = MPI_Wtime() - began;
        while (take_in(w, SIGNATURE, &s, sizeof s))
            note(w, &s);
        int first = 0; /* the first collector that signed */
        while (first < w->ncollectors && !has_signed(w, collector(w, first)))
            first++;
        bool leads = first < w->ncollectors && collector(w, first) == w->rank;
        if (leads && (since >= patience || signers(w) == w->size)) {
            w->verdict->number = w->number;
            w->verdict->collector = w->rank;
            pass_on(w);
            return;
        }
        if (take_in(w, VERDICT, w->verdict, w->verdict_size)) {
            pass_on(w);
            return;
        }
        ends = since >= 2 * patience + 1;
        pause_a_little(since);
    }
    /* Without a verdict: no collector came. */
    memset(w->signed_by, 0xff, ((size_t)w->size + 7) / 8);
    for (int i = 0; i < w->ncollectors; i++)
        w->signed_by[collector(w, i) / 8] &= (unsigned char)~(1 << collector(w, i) % 8);
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

static bool is_open(const struct signature *s)
{
    enum pcdf_kind kind = (enum pcdf_kind)(s->call % PCDF_KINDS);
    return kind == PCDF_KIND_OPEN || kind == PCDF_KIND_CREATE;
}

static void add_call(struct sentence *s, const struct signature *of)
{
    const char *kind = pcdf_kind_name((enum pcdf_kind)(of->call % PCDF_KINDS));
    if (is_open(of))
        add(s, "%s of %s", kind, of->name);
    else
        add(s, "%s (call %lld%s%s)", kind, (long long)(of->call / PCDF_KINDS % PCDF_CALLS_OF_A_FILE),
            *of->name ? ", variable " : "", of->name);
}

/* Why this rank gives up: it waited, or it came when others had given up. */
static void add_reason(const struct pcdf_watchdog *w, struct sentence *s, bool came_late)
{
    const struct signature *first = &w->verdict->first;
    const struct signature *other = first->call != w->mine.call ? first : &w->verdict->second;
    int missing = w->size - signers(w), named = 0;
    if (came_late) {
        add_call(s, &w->mine);
        add(s, " comes too late: rank %lld waited %.1f s in ", (long long)first->rank, first->waited);
        add_call(s, first);
        add(s, " and gave up");
    } else {
        add(s, "waited %.1f s in ", w->mine.waited);
        add_call(s, &w->mine);
        if (missing == 0)
            add(s, ": the last rank came too late");
        else
            add(s, missing == 1 ? " for rank " : " for ranks ");
        for (int i = 0; i < w->size && named < RANKS_NAMED; i++) /* "1, 2, 5 and 40 more" */
            if (!has_signed(w, i))
                add(s, "%s%d", named++ ? ", " : "", i);
        if (missing > named)
            add(s, " and %d more", missing - named);
        if (missing > 0)
            add(s, ", which did not come");
        if (other->rank >= 0) {
            add(s, "; rank %lld waited in ", (long long)other->rank);
            add_call(s, other);
        }
    }
    add(s, is_open(&w->mine) ? "; the file is not open" : "; the file can only be closed now");
}

/* Hint pcdf_debug_watchdog_abort. */
static void end_job(MPI_Comm comm, int rank, const char *path, const char *why)
{
    dprintf(STDERR_FILENO, "parcdf: %s, rank %d: %s (hint pcdf_debug_watchdog_abort ends the job)\n", path,
            rank, why);
    MPI_Abort(comm, 1);
}

static int give_up(struct pcdf_watchdog *w, const char *path, bool came_late)
{
    struct sentence s = { .used = 0 };
    w->mine.waited = waited(w);
    /* To those that would wait for this rank; they tell it on, also when they come later. */
    for (int64_t distance = 1; distance < w->size; distance *= 2)
        send(w, &w->mine, sizeof w->mine, (int)((w->rank + distance) % w->size), NOTICE);
    if (!came_late)
        gather(w);
    add_reason(w, &s, came_late);
    /* The lowest rank that waits says the sentence, once, if it gets to it. */
    if (!came_late && w->aborts) {
        if (w->verdict->first.rank < w->rank)
            nanosleep(&(struct timespec){ 1, 0 }, NULL);
        end_job(w->comm, w->rank, path, s.text);
    }
    return PCDF_FAIL(NC_EMULTIDEFINE_FNC_ARGS, "%s", s.text);
}

/* ---- the vote */

/* Until both messages of a step are through; false: the time is over, or another rank's is. */
static bool wait_for(struct pcdf_watchdog *w, MPI_Request *incoming, int *err)
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
        if (read_notices(w) || (w->seconds > 0 && waited(w) >= (double)w->seconds))
            return false;
        pause_a_little(waited(w));
    }
}

/* n + 1 numbers from `from`, the first of which says of what. */
static int receive(struct pcdf_watchdog *w, int from, int n, bool *came)
{
    int err = MPI_SUCCESS;
    *came = true;
    for (bool is_old = true; is_old && *came && err == MPI_SUCCESS;) {
        MPI_Request incoming;
        err = MPI_Irecv(w->incoming, n + 1, MPI_INT64_T, from, w->tag + VOTE, w->comm, &incoming);
        if (err != MPI_SUCCESS)
            return err;
        *came = wait_for(w, &incoming, &err);
        if (incoming != MPI_REQUEST_NULL) { /* a receive can be taken back */
            MPI_Cancel(&incoming);
            MPI_Wait(&incoming, MPI_STATUS_IGNORE);
        }
        is_old = *came && w->incoming[0] != w->number;
    }
    return err;
}

int pcdf_watchdog_vote_all(struct pcdf_watchdog *w, const char *path, int64_t call, const char *name,
                           int64_t *most, int n)
{
    int status = NC_NOERR;
    size_t length = name ? strlen(name) : 0;
    memset(&w->mine, 0, sizeof w->mine);
    w->mine.number = w->number;
    w->mine.rank = w->rank;
    w->mine.call = call;
    if (name) /* the end of a long path says more */
        snprintf(w->mine.name, NAME, "%s", length < NAME ? name : name + length - (NAME - 1));
    w->began = MPI_Wtime();
    w->verdict->first.rank = w->verdict->second.rank = -1;
    memset(w->signed_by, 0, ((size_t)w->size + 7) / 8);
    if (read_notices(w))
        return give_up(w, path, true);
    /* Each step: my numbers to the rank `distance` behind me, those of the rank before me to me. */
    for (int64_t distance = 1; distance < w->size && !status; distance *= 2) {
        int to = (int)((w->rank + distance) % w->size);
        int from = (int)((w->rank - distance + w->size) % w->size);
        bool came = true;
        w->outgoing[0] = w->number;
        memcpy(w->outgoing + 1, most, (size_t)n * sizeof *most);
        int err = MPI_Isend(w->outgoing, n + 1, MPI_INT64_T, to, w->tag + VOTE, w->comm, &w->vote);
        if (err == MPI_SUCCESS)
            err = receive(w, from, n, &came);
        if (err != MPI_SUCCESS)
            status = pcdf_error_from_mpi(err, NC_EMPI, "MPI_Isend", path);
        else if (!came)
            status = give_up(w, path, false);
        for (int i = 0; !status && i < n; i++)
            most[i] = w->incoming[i + 1] > most[i] ? w->incoming[i + 1] : most[i];
    }
    /* A rank that gave up in the same moment in which this one came will not be there for what follows. */
    if (!status && read_notices(w))
        status = give_up(w, path, true);
    return status;
}

/* ---- before there is a communicator of ours */

/* Twice: who comes when another one has given up passes the first time, and is not joined the second. What
 * nobody may take back stays with MPI: the barrier of a rank that gives up. */
int pcdf_watchdog_meet_all(MPI_Comm user, const struct pcdf_hints *hints, const char *path)
{
    double began = MPI_Wtime(), seconds = hints ? (double)hints->watchdog_s : 0;
    bool is_over = false;
    int err = MPI_SUCCESS;
    for (int i = 0; i < 2 && err == MPI_SUCCESS && !is_over; i++) { /* what ends it nobody survives */
        MPI_Request request;
        int done = 0;
        err = MPI_Ibarrier(user, &request);
        while (err == MPI_SUCCESS && !done && !is_over) {
            double since = MPI_Wtime() - began;
            err = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            is_over = err == MPI_SUCCESS && !done && seconds > 0 && since >= seconds;
            if (!done && !is_over)
                pause_a_little(since);
        }
    }
    if (err != MPI_SUCCESS)
        return pcdf_error_from_mpi(err, NC_EMPI, "MPI_Ibarrier", path);
    if (!is_over)
        return NC_NOERR;
    int rank,
        missing = PCDF_FAIL(NC_EMULTIDEFINE_FNC_ARGS,
                            "waited %lld.0 s for a rank that did not come to %s, the first file on this "
                            "communicator; the file is not open, and none can be opened on the "
                            "communicator",
                            (long long)hints->watchdog_s, path);
    MPI_Comm_rank(user, &rank);
    if (hints->watchdog_abort)
        end_job(user, rank, path, pcdf_fail_text());
    return missing;
}
