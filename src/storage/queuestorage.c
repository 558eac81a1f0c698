/* See writequeue.h. A queue takes blocks of the pool one after another, and cuts the memory that it lends,
 * and into which it copies small puts, from its present block. */

#include "writequeue.h"
#include <string.h>
#include "alloc.h"
#include "numbers.h"
#include "status.h"
#include "tracefile.h"
#include "writer.h"

enum {
    /* Bytes of a block, and most bytes of a write that the queue copied. */
    BLOCK = 1 << 20,
    LISTS = 4 << 20, /* most bytes of structs of writes that wait */
    /* At most a quarter of the pool is lent in one piece. */
    LENT_OF_POOL = 4,
    /* Most pieces of one such write, so that its list is short, too. */
    PIECES = 1 << 14,
    RECORD_PIECES = 1024, /* most pieces of a record in the log */
    /* Lent memory begins at multiples of this: a line of the processor's cache. */
    LINE = 64
};

struct queue {
    struct pcdf_storage storage;
    struct pcdf_writes writes;
    int64_t bytes, used; /* in writes.block */
    char *last;          /* where the memory last cut from it begins */
    int64_t most;        /* most bytes that are lent in one piece */
    int64_t highest;     /* most bytes that ever waited at once */
};

static const struct pcdf_storage_ops queue_ops;

static struct queue *queue_of(const struct pcdf_storage *top)
{
    while (top && top->ops != &queue_ops)
        top = top->below;
    return (struct queue *)top;
}

/* The caller waited: writes a line to the log, so that the report can tell what it cost. */
static void tell_wait(const struct queue *q, const char *why, int64_t bytes, double begin, double waited)
{
    struct pcdf_tracefile *log = q->writes.log;
    if (log && waited > 0)
        pcdf_tracefile_line(log, "%s 0 0 %lld 0 %.7f %.7f", why, (long long)bytes,
                            pcdf_tracefile_at(log, begin), pcdf_tracefile_at(log, begin + waited));
}

/* The storages below count in a struct of the queue, since the thread uses them, too. Adds it to the counts
 * of the file. */
static void fold_counts(struct queue *q)
{
    int64_t *to = (int64_t *)q->storage.counts, *from = (int64_t *)&q->writes.counts;
    for (size_t i = 0; i < sizeof q->writes.counts / sizeof *from; i++) {
        to[i] += from[i];
        from[i] = 0;
    }
}

static int failure_of(const struct queue *q)
{
    const struct pcdf_writes *w = &q->writes;
    return w->failed ? PCDF_FAIL(w->failed, "%s (a write that waited in the queue)", w->text) : NC_NOERR;
}

/* ---- under the lock */

/* May puts go to a log while memory is full? */
static bool has_stage(const struct queue *q)
{
    return q->writes.stage && !pcdf_stagelog_is_broken(q->writes.stage);
}

/* Makes room for so many bytes behind what is used of the present block, or takes another block. *at: where
 * they begin in it. False: there is no block, as pcdf_writer_block says. */
static bool has_block(struct queue *q, int64_t bytes, bool waits, int64_t *at)
{
    double begin = pcdf_tracefile_clock(), waited = 0;
    *at = (q->used + LINE - 1) / LINE * LINE;
    if (q->writes.block && pcdf_writepool_holders(q->writes.block) == 1)
        *at = 0; /* all that was in it is written */
    if (q->writes.block && q->bytes - *at >= bytes)
        return true;
    if (q->writes.block) {
        pcdf_writepool_trim(q->writes.block, q->used);
        pcdf_writepool_drop(q->writes.block);
    }
    *at = 0;
    /* NULL first, as the writer may look at it while this thread waits. */
    q->writes.block = NULL;
    q->writes.block = pcdf_writer_block(pcdf_larger(bytes, BLOCK), waits ? &waited : NULL);
    q->bytes = q->writes.block ? pcdf_writepool_size(q->writes.block) : 0;
    tell_wait(q, "full", bytes, begin, waited);
    return q->writes.block;
}

/* Memory of the queue, which the caller holds. If there is none, waits until writes give some back. NULL:
 * nothing waits that could give some back; or there is none now, and `waits` is false. */
static char *cut(struct queue *q, int64_t bytes, bool waits)
{
    int64_t at;
    if (!has_block(q, bytes, waits, &at))
        return NULL;
    q->last = q->writes.block + at;
    q->used = at + bytes;
    pcdf_writepool_hold(q->last);
    return q->last;
}

/* The next cut may have what is behind the first `used` bytes, if nothing was cut since. */
static void give_back(struct queue *q, char *lent, int64_t used)
{
    if (q->writes.block && lent == q->last)
        q->used = lent - q->writes.block + used;
    pcdf_writepool_drop(lent);
}

/* Waits until all writes up to this number are done. Returns the failure of the queue. */
static int wait_for(struct queue *q, int64_t number, const char *why)
{
    double begin = pcdf_tracefile_clock(), waited = 0;
    int64_t bytes = q->writes.bytes;
    pcdf_writer_wait(&q->writes, number, &waited);
    tell_wait(q, why, bytes, begin, waited);
    if (!q->writes.is_taken)
        fold_counts(q);
    return failure_of(q);
}

/* ---- puts that wait */

static struct pcdf_write *make_write(size_t n)
{
    size_t size = sizeof(struct pcdf_write) + n * sizeof(struct pcdf_piece);
    struct pcdf_write *w = pcdf_malloc(size);
    if (w)
        *w = (struct pcdf_write){ .x = { .dir = PCDF_PUT, .by_thread = true, .pieces = w->pieces },
                                  .begin = INT64_MAX,
                                  .size = size };
    return w;
}

static void add_piece(struct pcdf_write *w, const struct pcdf_piece *p)
{
    w->pieces[w->x.n++] = *p;
    w->memory = p->data;
    w->bytes += p->length;
    w->begin = pcdf_smaller(w->begin, p->offset);
    w->end = pcdf_larger(w->end, p->offset + p->length);
}

/* Waits while the lists of pieces are too long, then gives the write to the thread. */
static void accept(struct queue *q, struct pcdf_write *w)
{
    double begin = pcdf_tracefile_clock(), waited = 0;
    pcdf_writer_wait_lists(LISTS, &waited);
    tell_wait(q, "full", (int64_t)w->size, begin, waited);
    pcdf_writer_add(&q->writes, w);
    q->highest = pcdf_larger(q->highest, q->writes.bytes);
}

/* Do all bytes lie in one block of the pool? Then the queue lent it. */
static bool is_lent(const struct pcdf_extents *x)
{
    bool lent = pcdf_writepool_has(x->pieces->data);
    for (size_t i = 1; i < x->n && lent; i++)
        lent = pcdf_writepool_shares(x->pieces->data, x->pieces[i].data);
    return lent;
}

/* A put whose bytes stay where they are. NC_ENOMEM: nothing was accepted. */
static int put_lent(struct queue *q, const struct pcdf_extents *x)
{
    struct pcdf_write *w = make_write(x->n);
    if (!w)
        return NC_ENOMEM;
    for (size_t i = 0; i < x->n; i++)
        add_piece(w, &x->pieces[i]);
    accept(q, w);
    return NC_NOERR;
}

/* What is still to be put: n pieces, the first one without its first `done` bytes. */
struct rest {
    const struct pcdf_piece *piece;
    size_t n;
    int64_t done;
};

/* Takes the next piece off, or as many bytes of it as there is room. */
static struct pcdf_piece take_piece(struct rest *r, int64_t room)
{
    const struct pcdf_piece *p = r->piece;
    int64_t bytes = pcdf_smaller(p->length - r->done, room);
    const struct pcdf_piece part = { p->offset + r->done, bytes, p->data + r->done };
    r->done += bytes;
    if (r->done == p->length)
        *r = (struct rest){ p + 1, r->n - 1, 0 };
    return part;
}

/* How many pieces the next `bytes` bytes are in. */
static size_t count_pieces(const struct rest *r, int64_t bytes)
{
    size_t n = 0;
    for (bytes += r->done; n < r->n && bytes > 0; n++)
        bytes -= r->piece[n].length;
    return n;
}

/* Copies as much as fits into a block. Gives up the lock while it copies. NC_ENOMEM: nothing was accepted,
 * and *r is as before. */
static int copy_block(struct queue *q, struct rest *r, bool waits)
{
    int64_t left = pcdf_pieces_bytes(r->piece, r->n < PIECES ? r->n : PIECES) - r->done,
            room = pcdf_smaller(left, BLOCK), used = 0;
    char *at = cut(q, room, waits);
    struct pcdf_write *w = at ? make_write(count_pieces(r, room)) : NULL;
    pcdf_writer_unlock();
    while (w && used < room) {
        struct pcdf_piece part = take_piece(r, room - used);
        memcpy(at + used, part.data, (size_t)part.length);
        part.data = at + used;
        add_piece(w, &part);
        used += part.length;
    }
    pcdf_writer_lock();
    if (w)
        accept(q, w);
    if (at)
        give_back(q, at, used);
    return w ? NC_NOERR : NC_ENOMEM;
}

/* ---- the log */

/* Takes the next pieces off, as many as fit into a record of the log. */
static size_t cut_record(struct rest *r, struct pcdf_piece pieces[RECORD_PIECES])
{
    int64_t room = PCDF_STAGE_MOST;
    size_t n = 0;
    for (; r->n > 0 && n < RECORD_PIECES && room > PCDF_STAGE_PIECE; n++) {
        pieces[n] = take_piece(r, room - PCDF_STAGE_PIECE);
        room -= PCDF_STAGE_PIECE + pieces[n].length;
    }
    return n;
}

/* The program put bytes into the log, or found no room there. */
static void tell_log(const struct queue *q, const char *op, int64_t bytes, double begin, bool done)
{
    struct pcdf_tracefile *log = q->writes.log;
    if (log)
        pcdf_tracefile_line(log, "%s 0 0 %lld %d %.7f %.7f", op, (long long)bytes,
                            done ? NC_NOERR : NC_ENO_SPACE, pcdf_tracefile_at(log, begin),
                            pcdf_tracefile_at(log, pcdf_tracefile_clock()));
}

/* Appends one record to the log, and accepts a write of what it has. Gives up the lock while it appends.
 * NC_ENOMEM: the log has no room, nothing was accepted, and *r is as before. */
static int stage_record(struct queue *q, struct rest *r)
{
    struct pcdf_piece pieces[RECORD_PIECES];
    struct rest after = *r;
    size_t n = cut_record(&after, pieces);
    struct pcdf_write *w = make_write(n);
    if (!w)
        return NC_ENOMEM;
    int64_t number = q->writes.accepted + 1; /* accept will give it: only this thread puts */
    pcdf_writer_unlock();
    double begin = pcdf_tracefile_clock();
    bool done = pcdf_stagelog_append(q->writes.stage, number, pieces, n, &w->place);
    char *at = pcdf_stagelog_fetched(q->writes.stage, &w->place);
    for (size_t i = 0; i < n; i++) {
        pieces[i].data = at;
        at += pieces[i].length;
        add_piece(w, &pieces[i]);
    }
    w->memory = NULL;
    w->is_logged = true;
    tell_log(q, "stage", w->bytes, begin, done);
    pcdf_writer_lock();
    if (done) {
        accept(q, w);
        *r = after;
    } else {
        pcdf_free(w);
    }
    return done ? NC_NOERR : NC_ENOMEM;
}

/* Appends to the log what waits in memory alone; *bytes: so many. False: the log has no room. Needs no lock
 * where the caller has the storage below, since then nobody takes writes off the list. */
static bool log_waiting(struct queue *q, int64_t *bytes)
{
    struct pcdf_piece pieces[RECORD_PIECES];
    struct pcdf_stagelog_place place;
    for (struct pcdf_write *w = q->writes.first; w; w = w->next) {
        struct rest r = { w->pieces, w->x.n, 0 };
        while (!w->is_logged && r.n > 0) {
            size_t n = cut_record(&r, pieces);
            if (!pcdf_stagelog_append(q->writes.stage, w->number, pieces, n, &place))
                return false;
            *bytes += place.bytes;
        }
        w->is_logged = true;
    }
    return true;
}

/* ---- the storage below */

/* The storage below is this thread's from now on. Waits for the write that is being made. */
static void take_below(struct queue *q)
{
    double begin = pcdf_tracefile_clock();
    bool waits = q->writes.is_taken;
    int64_t bytes = q->writes.bytes;
    pcdf_writer_take(&q->writes);
    if (waits)
        tell_wait(q, "settle_turn", bytes, begin, pcdf_tracefile_clock() - begin);
}

/* A line in the log for a put that went to the storage at once. */
static void tell_put(const struct queue *q, const struct pcdf_extents *x, double begin, int err)
{
    struct pcdf_tracefile *log = q->writes.log;
    if (log && x->dir == PCDF_PUT && x->n > 0)
        pcdf_tracefile_line(log, "at_once %zu %lld %lld %d %.7f %.7f", x->n, (long long)x->pieces->offset,
                            (long long)pcdf_pieces_bytes(x->pieces, x->n), err, pcdf_tracefile_at(log, begin),
                            pcdf_tracefile_at(log, pcdf_tracefile_clock()));
}

/* Moves by this thread, behind all that waited. After a failure (status) nothing is moved, but the rank still
 * takes part in a call of all ranks. */
static int move_below(struct queue *q, const struct pcdf_extents *x, int64_t *got, int status)
{
    const struct pcdf_extents nothing = { .dir = x->dir, .together = x->together };
    take_below(q);
    pcdf_writer_unlock();
    double begin = pcdf_tracefile_clock();
    const struct pcdf_extents *mine = status ? &nothing : x;
    if (!status || x->together) {
        pcdf_first(&status, pcdf_storage_move(q->storage.below, mine, got));
        tell_put(q, mine, begin, status);
    }
    pcdf_writer_lock();
    pcdf_writer_give(&q->writes);
    fold_counts(q);
    return status;
}

/* For what has no memory in the queue: this thread puts it, after all that waits. */
static int put_rest(struct queue *q, struct rest *r)
{
    int status = wait_for(q, q->writes.accepted, "settle");
    while (r->n > 0 && !status) {
        const struct pcdf_piece p = take_piece(r, INT64_MAX);
        status = move_below(q, &(struct pcdf_extents){ .dir = PCDF_PUT, .n = 1, .pieces = &p }, NULL, status);
    }
    return status;
}

/* Into memory; if there is none now, to the log; if the log takes nothing, into memory, after waiting for it.
 * NC_ENOMEM: nothing was accepted. */
static int put_some(struct queue *q, struct rest *r)
{
    bool stages = has_stage(q);
    int err = copy_block(q, r, !stages);
    if (err && stages)
        err = stage_record(q, r);
    return err && stages ? copy_block(q, r, true) : err;
}

static int put_later(struct queue *q, const struct pcdf_extents *x)
{
    struct rest r = { x->pieces, x->n, 0 };
    int status = failure_of(q);
    if (!status && is_lent(x) && !put_lent(q, x))
        return failure_of(q);
    while (!status && r.n > 0) {
        if (put_some(q, &r))
            return put_rest(q, &r);
        status = failure_of(q); /* the lock was given up */
    }
    return status;
}

/* Number of the last write that waits and overlaps the range of x, from its first to its last byte; 0: there
 * is none. */
static int64_t last_that_meets(const struct queue *q, const struct pcdf_extents *x)
{
    int64_t number = 0, begin = INT64_MAX, end = 0;
    for (size_t i = 0; i < x->n; i++) {
        begin = pcdf_smaller(begin, x->pieces[i].offset);
        end = pcdf_larger(end, x->pieces[i].offset + x->pieces[i].length);
    }
    for (const struct pcdf_write *w = q->writes.first; w; w = w->next)
        if (w->begin < end && w->end > begin)
            number = w->number;
    return number;
}

static int queue_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    struct queue *q = (struct queue *)s;
    int status = NC_NOERR;
    for (size_t i = 0; x->dir == PCDF_PUT && i < x->n; i++)
        s->reach = pcdf_larger(s->reach, x->pieces[i].offset + x->pieces[i].length);
    pcdf_writer_lock();
    if (x->dir == PCDF_PUT && x->may_queue && !x->together && x->n > 0) {
        status = put_later(q, x);
    } else if (x->dir == PCDF_PUT || x->together) {
        status = wait_for(q, q->writes.accepted, "settle");
        status = move_below(q, x, got, x->dir == PCDF_PUT ? status : NC_NOERR);
    } else {
        (void)wait_for(q, last_that_meets(q, x), "settle"); /* gets work after a failed put, too */
        status = move_below(q, x, got, NC_NOERR);
    }
    pcdf_writer_unlock();
    return status;
}

/* Gives back the storage below. Returns the status that it is given. */
static int end_alone(struct queue *q, int status)
{
    pcdf_writer_lock();
    pcdf_writer_give(&q->writes);
    fold_counts(q);
    pcdf_writer_unlock();
    return status;
}

/* As if what waits were written. */
static int queue_size(struct pcdf_storage *s, int64_t *bytes)
{
    struct queue *q = (struct queue *)s;
    int64_t end = 0;
    pcdf_writer_lock();
    take_below(q);
    for (const struct pcdf_write *w = q->writes.first; w; w = w->next)
        end = pcdf_larger(end, w->end);
    pcdf_writer_unlock();
    int status = pcdf_storage_size(s->below, bytes);
    if (!status)
        *bytes = pcdf_larger(*bytes, end);
    return end_alone(q, status);
}

/* Waits until all is written, and takes the storage below for this thread. */
static int begin_alone(struct queue *q)
{
    pcdf_writer_lock();
    int status = wait_for(q, q->writes.accepted, "settle");
    take_below(q);
    pcdf_writer_unlock();
    return status;
}

/* Resize and sync may be calls of all ranks: this rank takes part also after a failure. */
static int queue_resize(struct pcdf_storage *s, int64_t bytes)
{
    struct queue *q = (struct queue *)s;
    int status = begin_alone(q);
    pcdf_first(&status, pcdf_storage_resize(s->below, bytes));
    s->reach = bytes;
    return end_alone(q, status);
}

static int queue_sync(struct pcdf_storage *s, bool together)
{
    struct queue *q = (struct queue *)s;
    int status = begin_alone(q);
    pcdf_first(&status, pcdf_storage_sync(s->below, together));
    return end_alone(q, status);
}

/* The log's last line about the queue: writes, most bytes that waited, memory. */
static void tell_end(const struct queue *q)
{
    struct pcdf_tracefile *log = q->writes.log;
    double now = pcdf_tracefile_clock();
    if (log)
        pcdf_tracefile_line(log, "queue %lld %lld %lld %d %.7f %.7f", (long long)q->writes.accepted,
                            (long long)q->highest, (long long)pcdf_writepool_bytes(), q->writes.failed,
                            pcdf_tracefile_at(log, now), pcdf_tracefile_at(log, now));
}

static int queue_close(struct pcdf_storage *s)
{
    struct queue *q = (struct queue *)s;
    pcdf_writer_lock();
    int status = wait_for(q, q->writes.accepted, "settle");
    /* An early sync may be under way. The thread begins none after this. */
    pcdf_writer_take(&q->writes);
    fold_counts(q);
    tell_end(q);
    if (q->writes.block)
        pcdf_writepool_drop(q->writes.block);
    pcdf_writer_unlock();
    pcdf_writer_leave(&q->writes);
    for (struct pcdf_storage *b = s->below; b; b = b->below)
        b->counts = s->counts;
    pcdf_first(&status, pcdf_storage_close(s->below));
    return status;
}

static const struct pcdf_storage_ops queue_ops = {
    .name = "queue",
    .by_system = true,
    .knows_reach = true,
    .move = queue_move,
    .size = queue_size,
    .resize = queue_resize,
    .sync = queue_sync,
    .close = queue_close,
};

int pcdf_writequeue_stack(const struct pcdf_writequeue_config *config, struct pcdf_storage **top)
{
    struct queue *q = pcdf_storage_make(sizeof *q, &queue_ops, *top, NULL);
    if (!q)
        return NC_ENOMEM;
    q->writes.below = *top;
    q->writes.log = config->log;
    q->writes.seconds_each_byte = config->rate > 0 ? 1.0 / (double)config->rate : 0;
    int err = pcdf_writer_enter(&q->writes, config->bytes);
    if (err) {
        pcdf_storage_free(&q->storage);
        return err;
    }
    pcdf_writer_lock();
    q->most = pcdf_writepool_bytes() / LENT_OF_POOL;
    pcdf_writer_unlock();
    for (struct pcdf_storage *b = *top; b; b = b->below)
        b->counts = &q->writes.counts;
    *top = &q->storage;
    return NC_NOERR;
}

/* ---- from outside */

void pcdf_writequeue_stage(struct pcdf_storage *top, struct pcdf_stagelog *log)
{
    struct queue *q = queue_of(top);
    pcdf_writer_lock();
    q->writes.stage = log;
    pcdf_writer_unlock();
}

/* For a thread that has the storage below. If nothing waits, the log is emptied, and has this sync alone. */
static int stage_sync(struct queue *q, struct pcdf_stage_record *sync, int64_t *bytes, bool *done)
{
    struct pcdf_stagelog *log = q->writes.stage;
    sync->applied = q->writes.written;
    if (!log_waiting(q, bytes))
        return NC_NOERR;
    PCDF_TRY(pcdf_storage_sync(q->storage.below, false));
    if (q->writes.first) {
        *done = pcdf_stagelog_sync(log, sync);
        return NC_NOERR;
    }
    PCDF_TRY(pcdf_stagelog_empty(log, sync->applied, sync));
    *done = !pcdf_stagelog_is_broken(log);
    return NC_NOERR;
}

int pcdf_writequeue_stage_sync(struct pcdf_storage *top, struct pcdf_stage_record *sync, bool *done)
{
    struct queue *q = queue_of(top);
    *done = false;
    pcdf_writer_lock();
    pcdf_writer_take(&q->writes);
    int status = failure_of(q);
    pcdf_writer_unlock();
    if (!status && has_stage(q)) {
        int64_t bytes = 0;
        double begin = pcdf_tracefile_clock();
        status = stage_sync(q, sync, &bytes, done);
        tell_log(q, "stage_sync", bytes, begin, *done);
    }
    return end_alone(q, status);
}

bool pcdf_writequeue_is_on(const struct pcdf_storage *top)
{
    return queue_of(top);
}

int64_t pcdf_writequeue_bytes(const struct pcdf_storage *top)
{
    pcdf_writer_lock();
    int64_t bytes = queue_of(top) ? pcdf_writepool_bytes() : 0;
    pcdf_writer_unlock();
    return bytes;
}

int64_t pcdf_writequeue_lends(const struct pcdf_storage *top)
{
    return queue_of(top) ? queue_of(top)->most : 0;
}

char *pcdf_writequeue_lend(struct pcdf_storage *top, int64_t bytes)
{
    struct queue *q = queue_of(top);
    if (!q || bytes > q->most)
        return NULL;
    pcdf_writer_lock();
    char *lent = q->writes.failed ? NULL : cut(q, bytes, !has_stage(q));
    pcdf_writer_unlock();
    return lent;
}

void pcdf_writequeue_give(struct pcdf_storage *top, char *lent, int64_t used)
{
    if (!lent)
        return;
    pcdf_writer_lock();
    give_back(queue_of(top), lent, used);
    pcdf_writer_unlock();
}

int64_t pcdf_writequeue_accepted(const struct pcdf_storage *top)
{
    const struct queue *q = queue_of(top);
    pcdf_writer_lock();
    int64_t number = q ? q->writes.accepted : 0;
    pcdf_writer_unlock();
    return number;
}

int64_t pcdf_writequeue_written(const struct pcdf_storage *top)
{
    const struct queue *q = queue_of(top);
    pcdf_writer_lock();
    int64_t number = q ? q->writes.written : 0;
    pcdf_writer_unlock();
    return number;
}

void pcdf_writequeue_each(struct pcdf_storage *top, pcdf_writequeue_visit *visit, void *context)
{
    const struct queue *q = queue_of(top);
    pcdf_writer_lock();
    for (const struct pcdf_write *w = q ? q->writes.first : NULL; w; w = w->next)
        visit(context, &w->x);
    pcdf_writer_unlock();
}

int pcdf_writequeue_failure(const struct pcdf_storage *top)
{
    const struct queue *q = queue_of(top);
    if (!q)
        return NC_NOERR;
    pcdf_writer_lock();
    int err = failure_of(q);
    pcdf_writer_unlock();
    return err;
}

bool pcdf_writequeue_is_idle(const struct pcdf_storage *top)
{
    const struct queue *q = queue_of(top);
    pcdf_writer_lock();
    bool is_idle =
        !q || (!q->writes.first && !q->writes.syncs && !q->writes.ending.step && !q->writes.is_taken);
    pcdf_writer_unlock();
    return is_idle;
}

void pcdf_writequeue_sync_early(struct pcdf_storage *top)
{
    struct queue *q = queue_of(top);
    if (!q)
        return;
    pcdf_writer_lock();
    pcdf_writer_sync(&q->writes);
    pcdf_writer_unlock();
}

void pcdf_writequeue_end_by(struct pcdf_storage *top, pcdf_writequeue_step *step, void *context,
                            const atomic_bool *hurry)
{
    pcdf_writer_lock();
    pcdf_writer_end_by(&queue_of(top)->writes, &(struct pcdf_ending){ step, context, hurry, 0, 0 });
    pcdf_writer_unlock();
}

void pcdf_writequeue_wait_ended(struct pcdf_storage *top)
{
    struct queue *q = queue_of(top);
    double begin = pcdf_tracefile_clock(), waited = 0;
    if (!q)
        return;
    pcdf_writer_lock();
    pcdf_writer_wait_ended(&q->writes, &waited);
    tell_wait(q, "settle", 0, begin, waited);
    pcdf_writer_unlock();
}

int pcdf_writequeue_drain(struct pcdf_storage *top)
{
    struct queue *q = queue_of(top);
    if (!q)
        return NC_NOERR;
    pcdf_writer_lock();
    int err = wait_for(q, q->writes.accepted, "settle");
    pcdf_writer_unlock();
    return err;
}
