/* Decoded chunks that processes share (src/virtual/nodecache.h): who decodes, who reads, what has to leave,
 * and what becomes of it where a process is slow or killed. Then threads at random, each as a process would
 * be, and processes that are killed anywhere: what is read has always the bytes of the chunk.
 *
 *     node_cache [ROUNDS [SEED]] */

#include "nodecache.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "check.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHECK_THREADS true
#endif
#endif
#ifndef CHECK_THREADS
#define CHECK_THREADS false
#endif

enum { PAGE = 4096, VARS = 4, CHUNKS = 48, USERS = 4, ON = PAGE * 8 };

static const int64_t sizes[VARS] = { PAGE, 3 * PAGE + 100, 2 * PAGE,
                                     7 * PAGE }; /* of each variable's chunks */

static struct pcdf_nodecache_plan plan;
static struct pcdf_sharedmemory_notice notice;
static struct pcdf_sharedmemory first;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A cache of so many bytes; user 0 has it. */
static struct pcdf_nodecache *make(int64_t most, int users)
{
    plan = (struct pcdf_nodecache_plan){ .most = most, .users = users };
    for (int i = 0; i < VARS; i++)
        (void)pcdf_nodecache_plan_size(&plan, sizes[i]);
    CHECK(pcdf_sharedmemory_make("node_cache", pcdf_nodecache_bytes(&plan), &first), "no memory");
    CHECK(pcdf_nodecache_lay_out(&plan, &first), "not laid out");
    notice = pcdf_sharedmemory_tell(first.fd, first.bytes);
    return pcdf_nodecache_enter(&plan, 0, &first);
}

static struct pcdf_nodecache *enter(int user)
{
    struct pcdf_sharedmemory opened;
    CHECK(pcdf_sharedmemory_open(&notice, &opened), "not found by its notice");
    return pcdf_nodecache_enter(&plan, user, &opened);
}

/* Bytes that the system holds for it, without the tables. */
static int64_t held(int64_t before)
{
    struct stat st;
    return fstat(first.fd, &st) ? -1 : (int64_t)st.st_blocks * 512 - before;
}

static void fill(unsigned char *bytes, int var, int64_t chunk)
{
    for (int64_t i = 0; i < sizes[var]; i++)
        bytes[i] = (unsigned char)(i * 7 + chunk * 31 + var);
}

static bool is_whole(const unsigned char *bytes, int var, int64_t chunk)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < sizes[var]; i++)
        wrong += bytes[i] != (unsigned char)(i * 7 + chunk * 31 + var);
    return wrong == 0;
}

static struct pcdf_nodechunk ask(struct pcdf_nodecache *c, int var, int64_t chunk)
{
    return pcdf_nodecache_ask(c, var, chunk, sizes[var], true);
}

/* Asks, and decodes where nobody did; read, and still held. */
static struct pcdf_nodechunk have(struct pcdf_nodecache *c, int var, int64_t chunk)
{
    struct pcdf_nodechunk lent = ask(c, var, chunk);
    if (lent.state == PCDF_NODECHUNK_MINE) {
        fill(lent.bytes, var, chunk);
        pcdf_nodecache_publish(c, &lent);
    }
    if (lent.state == PCDF_NODECHUNK_READY)
        CHECK(is_whole(lent.bytes, var, chunk), "variable %d, chunk %lld", var, (long long)chunk);
    return lent;
}

static bool is_there(struct pcdf_nodecache *c, int var, int64_t chunk)
{
    struct pcdf_nodechunk lent = ask(c, var, chunk);
    bool there = lent.state == PCDF_NODECHUNK_READY;
    pcdf_nodecache_drop(c, &lent);
    return there;
}

/* ---- one after the other */

static void claims(void)
{
    struct pcdf_nodecache *a = make(20 * ON, 2), *b = enter(1);
    struct pcdf_nodechunk mine = ask(a, 1, 5), other = ask(b, 1, 5);
    CHECK_INT(mine.state, PCDF_NODECHUNK_MINE);
    CHECK_INT(other.state, PCDF_NODECHUNK_BUSY);
    CHECK_INT(ask(a, 1, 5).state, PCDF_NODECHUNK_NONE);
    fill(mine.bytes, 1, 5);
    pcdf_nodecache_publish(a, &mine);
    CHECK_INT(mine.state, PCDF_NODECHUNK_READY);
    pcdf_nodecache_drop(a, &mine);
    other = ask(b, 1, 5);
    CHECK_INT(other.state, PCDF_NODECHUNK_READY);
    CHECK_INT(other.user, 0);
    CHECK(other.bytes && is_whole(other.bytes, 1, 5), "not the chunk");
    pcdf_nodecache_drop(b, &other);

    mine = ask(a, 1, 6); /* cannot be decoded */
    pcdf_nodecache_drop(a, &mine);
    other = ask(b, 1, 6);
    CHECK_INT(other.state, PCDF_NODECHUNK_MINE);
    pcdf_nodecache_drop(b, &other);

    CHECK_INT(pcdf_nodecache_ask(a, 0, 0, PAGE - 1, true).state, PCDF_NODECHUNK_NONE);     /* too small, */
    CHECK_INT(pcdf_nodecache_ask(a, 0, 0, 11 * ON, true).state, PCDF_NODECHUNK_NONE);      /* too large, */
    CHECK_INT(pcdf_nodecache_ask(a, 0, 0, PAGE * 8 + 1, true).state, PCDF_NODECHUNK_NONE); /* no such size */
    CHECK(
        !pcdf_nodecache_plan_size(&(struct pcdf_nodecache_plan){ .most = 20 * ON, .users = 2 }, 10 * ON + 1),
        "larger than a rank's share");
    pcdf_nodecache_leave(b);
    pcdf_nodecache_leave(a);
}

static void leaving(void)
{
    struct pcdf_nodecache *a = make(4 * 2 * PAGE, 1);
    int64_t before = held(0);
    struct pcdf_nodechunk lent[4], more;
    for (int i = 0; i < 4; i++)
        lent[i] = have(a, 2, i);
    CHECK_INT(held(before), 4 * 2 * PAGE);
    CHECK_INT(ask(a, 2, 9).state, PCDF_NODECHUNK_NONE); /* all are read */
    pcdf_nodecache_drop(a, &lent[2]);
    more = have(a, 2, 9);
    CHECK_INT(more.state, PCDF_NODECHUNK_READY);
    for (int i = 0; i < 4; i++)
        CHECK(i == 2 || is_whole(lent[i].bytes, 2, i), "chunk %d left while it was read", i);
    pcdf_nodecache_drop(a, &more);
    for (int i = 0; i < 4; i++)
        pcdf_nodecache_drop(a, &lent[i]);
    CHECK(is_there(a, 2, 0), "chunk 0 left"); /* used last, so that 1 is the oldest */
    CHECK(is_there(a, 2, 9) && is_there(a, 2, 3), "chunks 9 and 3 left");
    more = have(a, 2, 10);
    pcdf_nodecache_drop(a, &more);
    CHECK(is_there(a, 2, 0) && is_there(a, 2, 9) && is_there(a, 2, 3) && is_there(a, 2, 10), "used last");

    more = have(a, 3, 0); /* another size: what was used last stays where there is room */
    CHECK_INT(more.state, PCDF_NODECHUNK_READY);
    pcdf_nodecache_drop(a, &more);
    CHECK(held(before) <= 4 * 2 * PAGE, "%lld bytes are held", (long long)held(before));
    for (int i = 0; i < 30; i++) {
        more = have(a, i % VARS, i);
        CHECK_INT(more.state, PCDF_NODECHUNK_READY);
        CHECK(held(before) <= 4 * 2 * PAGE, "%lld bytes are held", (long long)held(before));
        pcdf_nodecache_drop(a, &more);
    }
    pcdf_nodecache_leave(a);
}

/* So many that several share a bucket. */
static void many(void)
{
    enum { MANY = 4000 };
    struct pcdf_nodecache *a = make((int64_t)MANY * PAGE, 1);
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < MANY; i++) {
            CHECK(turn == 0 || is_there(a, 0, i), "chunk %d left", i);
            struct pcdf_nodechunk lent = have(a, 0, i);
            CHECK_INT(lent.state, PCDF_NODECHUNK_READY);
            pcdf_nodecache_drop(a, &lent);
        }
    pcdf_nodecache_leave(a);
}

/* Of chunks that a rank wants whole only those have a place that others read, or may come for. */
static void wanted(void)
{
    const int64_t low[] = { 2, 0 }, high[] = { 4, 9 }, in[] = { 3, 9 }, out[] = { 3, 10 };
    struct pcdf_nodecache *a = make(16 * 2 * PAGE, 2), *b = enter(1);
    CHECK(pcdf_nodecache_is_wanted(a, 2, out, 2), "the other may come");
    pcdf_nodecache_tell(b, 2, 2, low, high);
    CHECK(pcdf_nodecache_is_wanted(a, 2, in, 2), "the other reads it");
    CHECK(!pcdf_nodecache_is_wanted(a, 2, out, 2), "the other does not read it");
    CHECK(!pcdf_nodecache_is_wanted(a, 1, in, 2), "the other reads another variable");
    pcdf_nodecache_tell(b, -1, 2, low, high);
    CHECK(pcdf_nodecache_is_wanted(a, 1, out, 2), "the other reads several variables");
    pcdf_nodecache_tell(b, -1, -1, NULL, NULL);
    for (int64_t i = 0; i < 16; i++) { /* nobody comes for them */
        struct pcdf_nodechunk lent =
            pcdf_nodecache_ask(a, 2, i, sizes[2], pcdf_nodecache_is_wanted(a, 2, in, 2));
        bool is_mine = lent.state == PCDF_NODECHUNK_MINE;
        CHECK(is_mine == (i < 4), "chunk %lld: %d", (long long)i, lent.state);
        if (is_mine)
            pcdf_nodecache_publish(a, &lent);
        pcdf_nodecache_drop(a, &lent);
    }
    CHECK(is_there(b, 2, 0), "not there");
    CHECK(pcdf_nodecache_is_wanted(a, 2, in, 2), "somebody came");
    pcdf_nodecache_leave(b);
    pcdf_nodecache_leave(a);
}

static void slow(void)
{
    struct pcdf_nodecache *a = make(20 * ON, 2), *b = enter(1);
    struct pcdf_nodechunk mine[3], other;
    for (int i = 0; i < 3; i++)
        mine[i] = ask(a, 0, i);
    double begin = now();
    other = pcdf_nodecache_await(b, 0, 0, sizes[0], true);
    CHECK_INT(other.state, PCDF_NODECHUNK_NONE);
    CHECK(now() - begin < 20, "waited for %.1f s", now() - begin);
    CHECK_INT(ask(b, 0, 1).state, PCDF_NODECHUNK_NONE); /* nobody waits for him again */
    fill(mine[0].bytes, 0, 0);
    pcdf_nodecache_publish(a, &mine[0]);
    CHECK_INT(ask(b, 0, 1).state, PCDF_NODECHUNK_BUSY); /* but he gets on */
    CHECK(is_there(b, 0, 0), "what came late is not there");
    for (int i = 0; i < 3; i++)
        pcdf_nodecache_drop(a, &mine[i]);
    pcdf_nodecache_leave(b);
    pcdf_nodecache_leave(a);
}

/* ---- at random */

struct worker {
    int user, rounds;
    uint64_t state;
    long ready, mine, none;
};

static _Atomic int decoders[VARS][CHUNKS];
static bool are_threads; /* that see each other's decoders */

static int64_t below(struct worker *w, int64_t n)
{
    w->state = w->state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((w->state >> 33) % (uint64_t)n);
}

static void decode(struct worker *w, struct pcdf_nodecache *c, struct pcdf_nodechunk *lent, int var,
                   int64_t chunk)
{
    int before = are_threads ? atomic_fetch_add(&decoders[var][chunk], 1) : 0;
    CHECK(before == 0, "variable %d, chunk %lld: %d decode it already", var, (long long)chunk, before);
    fill(lent->bytes, var, chunk);
    if (are_threads)
        atomic_fetch_sub(&decoders[var][chunk], 1);
    if (below(w, 8) > 0)
        pcdf_nodecache_publish(c, lent);
    w->mine++;
}

/* Holds up to three chunks at a time. */
static void work(struct worker *w, struct pcdf_nodecache *c)
{
    enum { HOLD = 3 };
    struct pcdf_nodechunk lent[HOLD] = { { 0 } };
    int vars[HOLD] = { 0 };
    int64_t chunks[HOLD] = { 0 };
    for (int i = 0; i < w->rounds; i++) {
        int at = (int)below(w, HOLD), var = (int)below(w, VARS);
        int64_t chunk = below(w, CHUNKS);
        if (lent[at].state == PCDF_NODECHUNK_READY)
            CHECK(is_whole(lent[at].bytes, vars[at], chunks[at]), "variable %d, chunk %lld", vars[at],
                  (long long)chunks[at]);
        pcdf_nodecache_drop(c, &lent[at]);
        vars[at] = var;
        chunks[at] = chunk;
        lent[at] = below(w, 4) ? ask(c, var, chunk) : pcdf_nodecache_await(c, var, chunk, sizes[var], true);
        if (lent[at].state == PCDF_NODECHUNK_MINE)
            decode(w, c, &lent[at], var, chunk);
        else if (lent[at].state == PCDF_NODECHUNK_READY)
            w->ready++;
        else
            w->none++;
        if (lent[at].state == PCDF_NODECHUNK_READY)
            CHECK(is_whole(lent[at].bytes, var, chunk), "variable %d, chunk %lld", var, (long long)chunk);
    }
    for (int i = 0; i < HOLD; i++)
        pcdf_nodecache_drop(c, &lent[i]);
}

/* As a process would; but the thread sanitizer knows memory by its address, so there all have the same. */
static void *run(void *context)
{
    struct worker *w = context;
    bool same = CHECK_THREADS;
    struct pcdf_nodecache *c = same ? pcdf_nodecache_enter(&plan, w->user, &first) : enter(w->user);
    work(w, c);
    if (!same)
        pcdf_nodecache_leave(c);
    return NULL;
}

static void threads(int rounds, uint64_t seed)
{
    const int64_t most = 64 * PAGE;
    struct pcdf_nodecache *c = make(most, USERS);
    int64_t before = held(0);
    struct worker w[USERS];
    pthread_t thread[USERS];
    are_threads = true;
    for (int i = 0; i < USERS; i++) {
        w[i] = (struct worker){ .user = i, .rounds = rounds, .state = seed * 1000 + (uint64_t)i };
        CHECK_INT(pthread_create(&thread[i], NULL, run, &w[i]), 0);
    }
    for (int i = 0; i < USERS; i++)
        pthread_join(thread[i], NULL);
    are_threads = false;
    for (int i = 0; i < USERS; i++)
        CHECK(w[i].ready > rounds / 20 && w[i].mine > rounds / 20 && w[i].none < rounds / 2,
              "user %d: %ld ready, %ld decoded, %ld neither", i, w[i].ready, w[i].mine, w[i].none);
    CHECK(held(before) <= most, "%lld bytes are held", (long long)held(before));

    /* Nothing is lost: all memory can be had for one size, and all that is in it is there. */
    for (int64_t i = 0; i < 64; i++) {
        struct pcdf_nodechunk lent = have(c, 0, 100 + i);
        CHECK_INT(lent.state, PCDF_NODECHUNK_READY);
        pcdf_nodecache_drop(c, &lent);
    }
    for (int64_t i = 0; i < 64; i++)
        CHECK(is_there(c, 0, 100 + i), "chunk %lld is not there", (long long)i);
    pcdf_nodecache_leave(c);
}

/* ---- killed */

static void wait_for(pid_t child)
{
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0)
        ;
}

/* While it decodes, or with the lock: the first thing in the memory. */
static void killed_there(bool has_lock)
{
    struct pcdf_nodecache *a = make(20 * ON, 2);
    int pipes[2];
    char c = 0;
    CHECK_INT(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        struct pcdf_nodecache *b = enter(1);
        (void)ask(b, 0, 0);
        if (has_lock)
            pthread_mutex_lock((pthread_mutex_t *)first.at);
        if (write(pipes[1], &c, 1) == 1)
            pause();
        _exit(1);
    }
    CHECK_INT(read(pipes[0], &c, 1), 1);
    wait_for(child);
    double begin = now();
    CHECK_INT(pcdf_nodecache_await(a, 0, 0, sizes[0], true).state, PCDF_NODECHUNK_NONE);
    CHECK(now() - begin < 20, "waited for %.1f s", now() - begin);
    struct pcdf_nodechunk lent = have(a, 0, 1);
    CHECK_INT(lent.state, has_lock ? PCDF_NODECHUNK_NONE : PCDF_NODECHUNK_READY);
    pcdf_nodecache_drop(a, &lent);
    close(pipes[0]);
    close(pipes[1]);
    pcdf_nodecache_leave(a);
}

static void killed_anywhere(int rounds, uint64_t seed)
{
    struct worker own = { .user = 0, .rounds = 100, .state = seed };
    struct pcdf_nodecache *c = make(64 * PAGE, 2);
    for (int i = 0; i < rounds; i++) {
        struct worker w = { .user = 1, .rounds = INT32_MAX, .state = seed + (uint64_t)i };
        pid_t child = fork();
        if (child == 0) {
            work(&w, enter(1));
            _exit(0);
        }
        const struct timespec t = { 0, (long)below(&own, 3000000) };
        nanosleep(&t, NULL);
        wait_for(child);
        work(&own, c);
        if (i % 8 == 7) { /* each of them may have left chunks behind that nobody can have again */
            pcdf_nodecache_leave(c);
            c = make(64 * PAGE, 2);
        }
    }
    CHECK(own.ready > 0 && own.mine > 0, "%ld ready, %ld decoded", own.ready, own.mine);
    pcdf_nodecache_leave(c);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 4000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    claims();
    leaving();
    many();
    wanted();
    slow();
    threads(rounds, seed);
    killed_there(false);
    killed_there(true);
    killed_anywhere(rounds / 200, seed);
    return check_done("node_cache");
}
