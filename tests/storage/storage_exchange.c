/* The exchange moves what was asked and nothing between: pieces of all ranks, dense, with gaps, ragged, far
 * apart, overlapping, more than a list holds, some ranks idle, come to the file and back byte for byte; what
 * stands between them stays; windows with nothing are skipped, which the counts show; a failing aggregator is
 * heard of by those whose bytes were in its domain; messages are few, and go only where there are bytes; a
 * fallback is told in the log. The same with a write queue, into which ranks pack what its aggregator puts:
 * with room, with little of it, where its memory is too small for windows or cannot be mapped by some rank,
 * and where a write of it fails. On real nodes and on pretended ones
 * (PARCDF_NODES, set by the argument): a rank with fewer than two neighbours alone says skipped. */

#include "storagetest.h"
#include "twophase.h"
#include "writequeue.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

enum { MIB = 1 << 20 };

static MPI_Comm comm;
static int64_t queue_bytes; /* of files to come; 0: no queue */

/* The folder may be the machine's /dev/shm, and another run at work on it. The same on all ranks. */
static const char *exchange_path(void)
{
    char name[64];
    long run = (long)getpid();
    MPI_Bcast(&run, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "exchange.%ld.bin", run);
    return test_path(name);
}

/* ---- an iterator over bytes: a list of pieces, each byte an element */

struct list {
    int64_t *offset, *length, *at; /* at: of the piece's first byte in data */
    int64_t n, nbytes;
    char *data;
    struct pcdf_piece *clips;
    int64_t from, looked;
    bool is_packed;
    enum pcdf_dir dir;
    int peeks, fail_at; /* this one lacks memory; 0: none does */
};

static int64_t first_piece(const struct list *l, int64_t from)
{
    int64_t low = 0, high = l->n;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (l->offset[middle] + l->length[middle] <= from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int64_t list_next(void *context, int64_t from)
{
    const struct list *l = context;
    int64_t i = first_piece(l, from);
    return i == l->n ? INT64_MAX : l->offset[i] > from ? l->offset[i] : from;
}

static int list_peek(void *context, const struct pcdf_batch_limits *limits, struct pcdf_batch *batch)
{
    struct list *l = context;
    int64_t i = first_piece(l, limits->from), n = 0;
    if (++l->peeks == l->fail_at)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a look");
    *batch = (struct pcdf_batch){ .pieces = l->clips };
    l->from = limits->from;
    l->is_packed = limits->packed != NULL;
    for (;
         i < l->n && l->offset[i] < limits->to && (size_t)n < limits->pieces && batch->nbytes < limits->bytes;
         i++, n++) {
        int64_t begin = l->offset[i] > limits->from ? l->offset[i] : limits->from,
                end = l->offset[i] + l->length[i], room = limits->bytes - batch->nbytes;
        int64_t length = (end < limits->to ? end : limits->to) - begin;
        l->clips[n] = (struct pcdf_piece){ begin, length < room ? length : room,
                                           limits->packed ? limits->packed + batch->nbytes : NULL };
        batch->nbytes += l->clips[n].length;
    }
    l->looked = n;
    batch->n = (size_t)n;
    batch->asked = batch->nbytes;
    batch->next = list_next(context, n > 0 ? l->clips[n - 1].offset + l->clips[n - 1].length : limits->to);
    return NC_NOERR;
}

static void list_copy(void *context, char *window)
{
    struct list *l = context;
    int64_t packed = 0;
    for (int64_t i = 0; i < l->looked; packed += l->clips[i++].length) {
        const struct pcdf_piece *clip = &l->clips[i];
        int64_t piece = first_piece(l, clip->offset);
        char *mine = l->data + l->at[piece] + (clip->offset - l->offset[piece]);
        char *there = window + (l->is_packed ? packed : clip->offset - l->from);
        memcpy(l->dir == PCDF_PUT ? there : mine, l->dir == PCDF_PUT ? mine : there, (size_t)clip->length);
    }
}

/* *all: of all ranks' bytes. */
static struct pcdf_iterator iterator_of(struct list *l, struct pcdf_span *all)
{
    struct pcdf_span mine = { INT64_MAX, 0 };
    if (l->n)
        mine = (struct pcdf_span){ l->offset[0], l->offset[l->n - 1] + l->length[l->n - 1] };
    MPI_Allreduce(&mine.begin, &all->begin, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&mine.end, &all->end, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return (struct pcdf_iterator){ .dir = l->dir,
                                   .nbytes = l->nbytes,
                                   .pieces = l->n,
                                   .begin = mine.begin,
                                   .end = mine.end,
                                   .context = l,
                                   .next = list_next,
                                   .peek = list_peek,
                                   .copy = list_copy };
}

/* ---- shapes: n pieces a rank of `length` bytes (ragged: 1 to length), step apart, ranks `shift` apart */

struct shape {
    const char *name;
    int64_t n, length, step, shift, base;
    bool ragged;
    int idle; /* this rank has nothing; -1: nobody, 99: the last */
};

static const struct shape shapes[] = {
    { "rows side by side", 300, 512, -1, 512, 4096, false, -1 },
    { "short rows, unaligned", 20000, 7, -1, 7, 1001, false, -1 },
    { "more pieces than a list holds", 150000, 3, -1, 3, 17, false, -1 },
    { "single bytes", 130000, 1, -1, 1, 3, false, -1 },
    { "gaps", 3000, 40, 900, 44, 333, false, -1 },
    { "ragged", 5000, 90, 700, 91, 5, true, -1 },
    { "far apart", 6, 100, 700LL * MIB, 200, 1234567, false, -1 },
    { "blocks of ranks", 400, 1000, 1001, 500000, 77, false, -1 },
    { "overlap of all ranks", 200, 300, 301, 0, 9, false, -1 },
    { "rank 0 idle", 100, 64, -1, 64, 0, false, 0 },
    { "last idle", 100, 64, -1, 64, 0, false, 99 },
    { "one byte each", 1, 1, 1, 1, 2 * MIB - 1, false, -1 },
    { "long pieces", 2, 3 * MIB + 5, 20 * MIB, 4 * MIB, 12345, false, -1 },
};

/* With little memory nodes forward these, which have bytes for all aggregators of 12 nodes. */
static const struct shape forwarded[] = {
    { "rows side by side", 330, 512, -1, 512, 4096, false, -1 },
    { "short rows, unaligned", 9300, 7, -1, 7, 1001, false, -1 },
    { "more pieces than a list holds", 43000, 3, -1, 3, 17, false, -1 },
    { "single bytes", 64000, 1, -1, 1, 3, false, -1 },
    { "gaps", 410, 40, 1900, 44, 333, false, -1 },
    { "ragged", 455, 90, 1700, 91, 5, true, -1 },
    { "the same everywhere: more than a node can forward", 780, 997, 1000, 0, 9, false, -1 },
    { "rank 0 idle", 3000, 64, -1, 64, 0, false, 0 },
    { "last idle", 3000, 64, -1, 64, 0, false, 99 },
};

static struct list make_list(const struct shape *s, int rank, enum pcdf_dir dir, int round)
{
    int idle = s->idle == 99 ? test_ranks - 1 : s->idle;
    struct list l = { .dir = dir, .n = rank == idle ? 0 : s->n };
    size_t room = (size_t)s->n + 1;
    l.offset = calloc(3 * room, sizeof *l.offset);
    l.length = l.offset + room;
    l.at = l.length + room;
    l.clips = calloc(room, sizeof *l.clips);
    int64_t step = s->step < 0 ? s->length * test_ranks : s->step;
    for (int64_t i = 0; i < l.n; i++) {
        l.offset[i] = s->base + rank * s->shift + i * step;
        l.length[i] = s->ragged ? 1 + (i * 7 + rank) % s->length : s->length;
        l.at[i] = l.nbytes;
        l.nbytes += l.length[i];
    }
    l.data = malloc((size_t)l.nbytes + 1);
    for (int64_t i = 0; i < l.n; i++)
        for (int64_t j = 0; j < l.length[i]; j++)
            l.data[l.at[i] + j] = dir == PCDF_PUT ? test_byte(l.offset[i] + j, round) : 0x5A;
    return l;
}

static void free_list(struct list *l)
{
    free(l->offset);
    free(l->clips);
    free(l->data);
}

static int64_t wrong_in(const struct list *l, int round)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < l->n; i++)
        for (int64_t j = 0; j < l->length[i]; j++)
            wrong += l->data[l->at[i] + j] != test_byte(l->offset[i] + j, round);
    return wrong;
}

static void move_it(struct pcdf_sharedfile *e, struct list *l, const char *name)
{
    struct pcdf_span all;
    struct pcdf_iterator it = iterator_of(l, &all);
    struct pcdf_stage none = { NULL, 0, 1 };
    int64_t moved = -1;
    CHECK_INT(pcdf_twophase_all(e, &it, &all, &none, &moved), NC_NOERR);
    CHECK(e->twophase.nodes && e->twophase.nodes->window > 0, "%s: nothing can be exchanged here", name);
    CHECK_INT(moved, l->nbytes);
    CHECK_INT(pcdf_writequeue_is_on(e->storage), queue_bytes > 0);
    CHECK_INT(pcdf_writequeue_drain(e->storage), NC_NOERR); /* others read what this rank put */
}

/* Each rank reads the bytes around its pieces alone: what belongs to no rank is what the file held before. */
static void check_gaps(struct pcdf_sharedfile *e, const struct shape *s, int64_t before)
{
    struct list mine = make_list(s, test_rank, PCDF_GET, 0);
    int64_t step = s->step < 0 ? s->length * test_ranks : s->step;
    if (step - s->length * test_ranks < 8 || mine.n == 0 || s->step < 0 || s->n < 2) {
        free_list(&mine);
        return;
    }
    for (int64_t i = 0; i + 1 < mine.n && i < 20; i++) {
        int64_t at = s->base + i * step + step - 4, length = 4; /* before everybody's next piece */
        char got[4] = { 1, 1, 1, 1 };
        struct test_extents x = { PCDF_GET, 1, &at, &length, got, 4 };
        if (at < s->base + (test_ranks - 1) * s->shift + i * step + s->length)
            break;
        CHECK_INT(test_move(e, 0, &x, NULL), NC_NOERR);
        for (int j = 0; j < 4; j++)
            CHECK(got[j] == (char)before, "%s: byte %lld between pieces is %d", s->name, (long long)at + j,
                  got[j]);
    }
    free_list(&mine);
}

/* On all ranks, with so much memory a rank. */
static struct pcdf_sharedfile *open_new(const char *engine, int64_t memory)
{
    struct pcdf_sharedfile_config config = test_config(engine, exchange_path(), PCDF_STORAGE_CREATE);
    struct pcdf_sharedfile *e;
    config.comm = comm;
    config.proposal = (struct pcdf_nodes_proposal){ 0, 0, memory };
    config.async = queue_bytes;
    test_fresh(engine, config.file.path);
    CHECK_INT(pcdf_sharedfile_open_all(&config, &e), NC_NOERR);
    return e;
}

static void one_shape(const char *engine, const struct shape *s, int64_t memory)
{
    struct pcdf_sharedfile *e = open_new(engine, memory);
    for (int round = 1; round < 3; round++) { /* the second over what the first left */
        struct list l = make_list(s, test_rank, PCDF_PUT, round);
        int64_t allreduces = test_counts.allreduce;
        move_it(e, &l, s->name);
        /* 700 MiB between pieces are 700 windows of nothing. */
        CHECK(round == 1 || test_counts.forwarded > 0 || test_counts.allreduce - allreduces <= 600,
              "%s: %lld Allreduces", s->name, (long long)(test_counts.allreduce - allreduces));
        free_list(&l);
        MPI_Barrier(MPI_COMM_WORLD);
        l = make_list(s, (test_rank + 1) % test_ranks, PCDF_GET, round);
        move_it(e, &l, s->name);
        CHECK(wrong_in(&l, round) == 0, "%s, round %d: %lld bytes are wrong", s->name, round,
              (long long)wrong_in(&l, round));
        free_list(&l);
        check_gaps(e, s, 0);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    test_remove(engine, exchange_path());
}

/* ---- failures: the storage of one aggregator */

static int failing_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    (void)s;
    CHECK_INT(x->n, 1);
    if (x->dir == PCDF_GET)
        memset(x->pieces->data, 1, (size_t)x->pieces->length);
    *got += x->pieces->length;
    if (x->pieces->offset >= MIB)
        return NC_NOERR;
    return x->dir == PCDF_PUT ? PCDF_FAIL(NC_ENO_SPACE, "full") : PCDF_FAIL(NC_EREAD, "torn");
}

static const struct pcdf_storage_ops failing_ops = { .name = "failing", .move = failing_move };

/* What lies in the first MiB fails, and all of that aggregator's domain. */
static void failures(const struct shape *s, int64_t memory)
{
    struct pcdf_storage storage = { .ops = &failing_ops, .counts = &test_counts };
    struct pcdf_sharedfile f = { .storage = &storage,
                                 .kind = &failing_ops,
                                 .ranks = pcdf_ranks_of(comm, &test_counts, "failing"),
                                 .twophase.proposal = { 0, 0, memory } };
    struct pcdf_stage none = { NULL, 0, 1 };
    for (int dir = PCDF_PUT; dir <= PCDF_GET; dir++) {
        struct list l = make_list(s, test_rank, (enum pcdf_dir)dir, 1);
        struct pcdf_span all;
        struct pcdf_iterator it = iterator_of(&l, &all);
        int64_t moved;
        int err = pcdf_twophase_all(&f, &it, &all, &none, &moved);
        int64_t domain = ((8 * test_ranks - 1) / test_counts.aggregators + 1) * MIB;
        bool is_there = s->shift * test_rank < domain; /* has bytes in the first domain */
        CHECK_INT(err, !is_there ? NC_NOERR : dir == PCDF_PUT ? NC_ENO_SPACE : NC_EREAD);
        CHECK(is_there ? moved < l.nbytes : moved == l.nbytes, "rank %d: %lld bytes were moved", test_rank,
              (long long)moved);
        free_list(&l);
    }
    pcdf_twophase_end(&f.twophase);
}

/* One rank lacks memory in the middle: it alone fails, whatever its node promised to others, and nobody waits
 * for what it had. */
static void memory_failures(const char *engine, const struct shape *s)
{
    struct pcdf_sharedfile_config config = test_config(engine, exchange_path(), PCDF_STORAGE_CREATE);
    struct pcdf_stage none = { NULL, 0, 1 };
    struct pcdf_sharedfile *e;
    MPI_Comm_dup(MPI_COMM_WORLD, &config.comm);
    config.async = queue_bytes;
    config.proposal = (struct pcdf_nodes_proposal){ 0, 0, MIB }; /* many rounds */
    test_fresh(engine, config.file.path);
    CHECK_INT(pcdf_sharedfile_open_all(&config, &e), NC_NOERR);
    for (int fail_at = 1; fail_at < 40; fail_at += fail_at < 12 ? 1 : 5)
        for (int dir = PCDF_PUT; dir <= PCDF_GET; dir++) {
            struct list l = make_list(s, test_rank, (enum pcdf_dir)dir, 1);
            struct pcdf_span all;
            struct pcdf_iterator it = iterator_of(&l, &all);
            int64_t moved = -1;
            l.fail_at = test_rank == test_ranks - 1 ? fail_at : 0;
            int err = pcdf_twophase_all(e, &it, &all, &none, &moved);
            bool fails = l.fail_at > 0 && l.peeks >= fail_at;
            CHECK_INT(err, fails ? NC_ENOMEM : NC_NOERR);
            CHECK(fails ? moved < l.nbytes : moved == l.nbytes, "rank %d, look %d: %lld bytes were moved",
                  test_rank, fail_at, (long long)moved);
            free_list(&l);
        }
    CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    MPI_Comm_free(&config.comm);
    test_remove(engine, config.file.path);
}

/* Many aggregators with the smallest windows, and one for all; stripes, of which a window has several, one,
 * or a part of one. */
static void hinted(const char *engine)
{
    const struct pcdf_nodes_proposal some[] = { { 1, 0, 64 * MIB }, { 0, 1, MIB },     { 64, 0, 2 * MIB },
                                                { 0, 3, MIB / 4 },  { 0, 0, 8 * MIB }, { 0, 0, MIB } };
    const int64_t stripes[][2] = { { 0, 0 },       { 0, 0 },       { 1 << 16, 3 },
                                   { 1 << 16, 2 }, { 1 << 17, 5 }, { 4 * MIB, 2 } };
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        struct pcdf_sharedfile_config config = test_config(engine, exchange_path(), PCDF_STORAGE_CREATE);
        struct pcdf_sharedfile *e;
        MPI_Comm_dup(MPI_COMM_WORLD, &config.comm);
        config.async = queue_bytes;
        config.proposal = some[i];
        test_fresh(engine, config.file.path);
        CHECK_INT(pcdf_sharedfile_open_all(&config, &e), NC_NOERR);
        e->stripes = (struct pcdf_stripes){ .n = stripes[i][0] > 0,
                                            .piece = { { INT64_MAX, stripes[i][0], stripes[i][1] } } };
        for (int k = 0; k < 5; k++) {
            struct list l = make_list(&shapes[k], test_rank, PCDF_PUT, 1);
            move_it(e, &l, shapes[k].name);
            free_list(&l);
            MPI_Barrier(MPI_COMM_WORLD);
            l = make_list(&shapes[k], test_ranks - 1 - test_rank, PCDF_GET, 1);
            move_it(e, &l, shapes[k].name);
            CHECK(wrong_in(&l, 1) == 0, "%s, hint %zu: wrong", shapes[k].name, i);
            free_list(&l);
            MPI_Barrier(MPI_COMM_WORLD);
        }
        CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
        MPI_Comm_free(&config.comm);
        test_remove(engine, config.file.path);
    }
}

/* ---- what is sent, and what is told */

/* One rank a node, as many nodes as there are ranks: there are windows, every node sends each aggregator what
 * it has in one message, and no message goes to all ranks. */
static void many_nodes(const char *engine)
{
    struct pcdf_sharedfile *e = open_new(engine, 8 * MIB);
    for (int dir = PCDF_PUT; dir <= PCDF_GET; dir++) {
        struct list l = make_list(&shapes[0], test_rank, (enum pcdf_dir)dir, 1);
        move_it(e, &l, "many nodes"); /* looks for the nodes */
        struct pcdf_counts before = test_counts;
        move_it(e, &l, "many nodes");
        int64_t sent = test_counts.exchange - before.exchange, most = test_counts.aggregators;
        CHECK_INT(test_counts.nodes, test_ranks);
        CHECK_INT(test_counts.allreduce, before.allreduce);
        CHECK(sent > most / 2 && sent <= most - 1 + 2, "%lld messages to %lld aggregators", (long long)sent,
              (long long)most);
        CHECK(wrong_in(&l, 1) == 0, "%lld bytes are wrong", (long long)wrong_in(&l, 1));
        free_list(&l);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    test_remove(engine, exchange_path());
}

/* Windows of all ranks that were memory of a queue, since then. */
static int64_t lent_since(const struct pcdf_counts *before)
{
    int64_t lent = test_counts.lent - before->lent;
    MPI_Allreduce(MPI_IN_PLACE, &lent, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return lent;
}

/* So many nodes that messages would be short: nodes forward what others have where it is for many windows,
 * and only then. calls: so many of four; -1: any number. */
static void forwards(const char *engine, const struct shape *s, int64_t memory, int calls)
{
    struct pcdf_counts before = test_counts;
    one_shape(engine, s, memory);
    int64_t seen = test_counts.forwarded - before.forwarded;
    CHECK(calls < 0 || seen == calls, "%s: %lld of 4 calls were forwarded", s->name, (long long)seen);
}

/* On 12 nodes, or on some that have different numbers of ranks. */
static void all_forwards(const char *engine, bool is_even)
{
    const struct shape failing = { "failing", 1024, 1024, -1, 1024, 0, false, -1 };
    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
        forwards(engine, &forwarded[i], MIB / 2, is_even || i == 0 ? 4 : -1);
    forwards(engine, &shapes[7], MIB / 2, 0);
    failures(&failing, MIB);
    memory_failures(engine, &forwarded[1]);
    struct pcdf_counts before = test_counts;
    queue_bytes = 6 * MIB;
    forwards(engine, &forwarded[0], MIB / 2, 4);
    forwards(engine, &forwarded[4], MIB / 2, -1);
    CHECK(lent_since(&before) > 0, "no window from the queue");
}

/* No memory can be shared: each rank moves its own pieces, and the log says that there is no window. */
static void no_memory(const char *engine)
{
    struct rlimit limit, small;
    char line[256], log[1100];
    bool is_told = false;
    struct pcdf_sharedfile_config config = test_config(engine, exchange_path(), PCDF_STORAGE_CREATE);
    struct pcdf_sharedfile *e;
    MPI_Comm_dup(MPI_COMM_WORLD, &config.comm);
    config.proposal = (struct pcdf_nodes_proposal){ 0, 0, 7 * MIB }; /* nobody else has such windows */
    config.trace = "exchange.trace";
    snprintf(log, sizeof log, "%s.%d", config.trace, test_rank);
    test_counts.nodes = 0; /* this file's first transfer tells */
    test_fresh(engine, config.file.path);
    CHECK_INT(pcdf_sharedfile_open_all(&config, &e), NC_NOERR);
    getrlimit(RLIMIT_FSIZE, &limit);
    small = (struct rlimit){ 1 << 16, limit.rlim_max };
    setrlimit(RLIMIT_FSIZE, &small);
    for (int dir = PCDF_PUT; dir <= PCDF_GET; dir++) {
        struct list l = make_list(&shapes[9], test_rank, (enum pcdf_dir)dir, 1);
        char stage[4096];
        struct pcdf_span all;
        struct pcdf_iterator it = iterator_of(&l, &all);
        struct pcdf_stage own = { stage, sizeof stage, 64 };
        int64_t moved = -1;
        CHECK_INT(pcdf_twophase_all(e, &it, &all, &own, &moved), NC_NOERR);
        CHECK_INT(moved, l.nbytes);
        CHECK(pcdf_twophase_is_alone(&e->twophase), "there are windows");
        CHECK(dir == PCDF_PUT || wrong_in(&l, 1) == 0, "%lld bytes are wrong", (long long)wrong_in(&l, 1));
        free_list(&l);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    setrlimit(RLIMIT_FSIZE, &limit);
    CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    MPI_Comm_free(&config.comm);
    FILE *f = fopen(log, "r");
    while (f && fgets(line, sizeof line, f)) {
        long long nodes, aggregators, window;
        is_told |= sscanf(line, "nodes %lld %lld %lld", &nodes, &aggregators, &window) == 3 && window == 0;
    }
    CHECK(f, "there is no %s", log);
    CHECK(is_told, "%s does not say that there is no window", log);
    if (f)
        fclose(f);
    remove(log);
    test_remove(engine, config.file.path);
}

/* Every aggregator is in one lane of one node, and no lane has more of them than it has room for messages. */
static void lanes(void)
{
    for (int nodes = 2; nodes < 50; nodes++)
        for (int total = 1; total < 4 * nodes; total++) {
            struct pcdf_nodes n = { .n = nodes, .total = total };
            n.lanes = total <= nodes ? 4 : (total + nodes - 1) / nodes;
            int all = 0, most = 0;
            for (int lane = 0; lane < n.lanes; lane++) {
                int here = 0;
                for (int node = 0; node < nodes; node++)
                    here += pcdf_nodes_aggregator(&n, node, lane) >= 0;
                most = here > most ? here : most;
                all += here;
            }
            CHECK_INT(all, total);
            CHECK(most <= pcdf_nodes_of_lane(&n), "%d aggregators on %d nodes: %d in one lane", total, nodes,
                  most);
        }
}

/* ---- with a write queue */

/* A rank that has no descriptor left can map nobody's pool: the others of its node use windows of the node,
 * for this file. The other nodes, and the next file, are not concerned. */
static void no_mapping(const char *engine)
{
    struct rlimit limit, none;
    struct pcdf_counts before = test_counts;
    struct pcdf_sharedfile *e = open_new(engine, 8 * MIB);
    struct list l = make_list(&shapes[0], test_rank, PCDF_GET, 1);
    move_it(e, &l, "no descriptor"); /* makes the windows of nodes */
    free_list(&l);
    l = make_list(&shapes[0], test_rank, PCDF_PUT, 1);
    int next = open("/dev/null", O_RDONLY);
    close(next);
    getrlimit(RLIMIT_NOFILE, &limit);
    none = (struct rlimit){ (rlim_t)next, limit.rlim_max };
    if (test_rank == test_ranks - 1)
        setrlimit(RLIMIT_NOFILE, &none);
    move_it(e, &l, "no descriptor");
    setrlimit(RLIMIT_NOFILE, &limit);
    const struct pcdf_nodes *n = e->twophase.nodes;
    int node = n->index, is_last = test_rank == test_ranks - 1;
    MPI_Bcast(&node, 1, MPI_INT, test_ranks - 1, MPI_COMM_WORLD);
    bool lends = n->mine >= 0 && (is_last || node != n->index);
    CHECK(lends == (test_counts.lent > before.lent), "rank %d: %lld windows from its queue", test_rank,
          (long long)(test_counts.lent - before.lent));
    free_list(&l);
    l = make_list(&shapes[0], (test_rank + 1) % test_ranks, PCDF_GET, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    move_it(e, &l, "no descriptor");
    CHECK_INT(wrong_in(&l, 1), 0);
    free_list(&l);
    CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    test_remove(engine, exchange_path());
    one_shape(engine, &shapes[0], 8 * MIB);
    CHECK(lent_since(&before) > 0, "the next file does not use queues");
}

/* Rank 0's storage fails later than the put, which is told by the next one to all that have bytes there. */
static void late_failure(const char *engine)
{
    struct pcdf_sharedfile_config config = test_config(engine, exchange_path(), PCDF_STORAGE_CREATE);
    struct pcdf_sharedfile *e;
    struct pcdf_stage none = { NULL, 0, 1 };
    struct list l = make_list(&shapes[1], test_rank, PCDF_PUT, 1);
    struct pcdf_span all;
    struct pcdf_iterator it = iterator_of(&l, &all);
    int64_t moved;
    config.comm = comm;
    config.async = queue_bytes;
    MPI_Info_create(&config.info);
    MPI_Info_set(config.info, "pcdf_fault", "write:1+@0=NC_ENO_SPACE");
    test_fresh(engine, config.file.path);
    CHECK_INT(pcdf_sharedfile_open_all(&config, &e), NC_NOERR);
    int err = pcdf_twophase_all(e, &it, &all, &none, &moved); /* may know already */
    CHECK(err == NC_NOERR || err == NC_ENO_SPACE, "the put says %d", err);
    CHECK_INT(pcdf_writequeue_drain(e->storage), test_rank == 0 ? NC_ENO_SPACE : NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(pcdf_twophase_all(e, &it, &all, &none, &moved), NC_ENO_SPACE); /* all have bytes everywhere */
    CHECK(moved < l.nbytes, "rank %d: %lld bytes were moved", test_rank, (long long)moved);
    CHECK_INT(pcdf_sharedfile_close_all(e), test_rank == 0 ? NC_ENO_SPACE : NC_NOERR);
    MPI_Info_free(&config.info);
    free_list(&l);
    test_remove(engine, exchange_path());
}

/* Memory for all that waits, for a few windows, or for short ones alone. all: each with all shapes. */
static void with_queue(const char *engine, bool all)
{
    static const struct {
        int64_t bytes;
        bool lends; /* windows of MIB */
    } queues[] = { { 256 * MIB, true }, { 7 * MIB, true }, { 4 * MIB, false } };
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++) {
        queue_bytes = queues[i].bytes;
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
            struct pcdf_counts before = test_counts;
            if (!all && k % 3 != i)
                continue;
            one_shape(engine, &shapes[k], 8 * MIB);
            CHECK(lent_since(&before) > 0 || !queues[i].lends, "%s, %lld bytes: no window from the queue",
                  shapes[k].name, (long long)queue_bytes);
        }
    }
    hinted(engine);
    memory_failures(engine, &shapes[1]);
    queue_bytes = 8 * MIB;
    no_mapping(engine);
    late_failure(engine);
}

static void all_shapes(const char *engine)
{
    const struct shape failing = { "failing", 8 * 1024, 1024, 1024, 8 * MIB, 0, false, -1 };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        one_shape(engine, &shapes[i], 8 * MIB);
    hinted(engine);
    lanes();
    failures(&failing, 8 * MIB);
    memory_failures(engine, &shapes[1]); /* something in each round of each domain */
    memory_failures(engine, &shapes[6]); /* and in each domain in another round */
}

int main(int argc, char **argv)
{
    if (argc > 2)
        setenv("PARCDF_NODES", argv[2], 1);
    test_start(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const char *part = argc > 3 ? argv[3] : "";
    if (strcmp(part, "many") == 0) {
        many_nodes("mpiio");
    } else if (strcmp(part, "default") == 0) {
        forwards("mpiio", &shapes[0], 8 * MIB, 4);
        forwards("mpiio", &shapes[7], 8 * MIB, 0);
    } else if (strcmp(part, "queue") == 0 || strcmp(part, "few") == 0) {
        with_queue("posix", strcmp(part, "queue") == 0);
    } else if (strcmp(part, "forwarded") == 0) {
        all_forwards("mpiio", !strchr(argv[2], ','));
    } else {
        all_shapes("mpiio");
        if (argc == 2) /* a node of one rank has its own memory */
            no_memory("mpiio");
    }
    MPI_Comm_free(&comm); /* the windows beside it go before MPI does */
    return test_end("storage_exchange");
}
