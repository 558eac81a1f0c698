/* See rangestorage.h. */
#include "rangestorage.h"

#include <string.h>
#include "alloc.h"
#include "numbers.h"
#include "shown.h"
#include "status.h"
#include "store.h"

/* The first block is what came when the file was opened. */
enum {
    BLOCK = 256 << 10,
    SETS = 64,
    WAYS = 4,
    LONG = 8 * BLOCK,
    DOMAIN_BLOCKS = 32,
    DOMAIN = DOMAIN_BLOCKS * BLOCK,
    FIRST_AHEAD = 16,
    MOST_AHEAD = 160,
    BATCH = 160
};

struct block {
    int64_t number;  /* its bytes begin at number * BLOCK; -1: none */
    int64_t stamp;   /* of the last batch that used it */
    bool is_started; /* `fetch` is to be finished */
    unsigned char *bytes;
    struct pcdf_fetch fetch;
};

struct ranges {
    struct pcdf_storage s;
    const struct pcdf_image *image;
    struct pcdf_store *store; /* NULL: not needed yet */
    int64_t size;
    struct block blocks[SETS][WAYS];
    int64_t stamp;
    int64_t next, ahead; /* where the last piece ended; how many blocks behind that may be asked for */
    int64_t call_end;    /* of a call in which others read other domains; 0: of a get of this rank's own */
    bool is_new_call;    /* nothing of it was read yet */
    int64_t goes_on_for; /* so many such calls began where the one before ended */
    struct pcdf_fetch batch[BATCH]; /* to be started together, */
    struct block *of[BATCH];        /* and whose they are */
    size_t n;
};

/* ---- blocks */

static struct block *find(struct ranges *r, int64_t number)
{
    struct block *set = r->blocks[number % SETS];
    for (int i = 0; i < WAYS; i++)
        if (set[i].number == number)
            return &set[i];
    return NULL;
}

static void drop(struct block *b)
{
    if (b->is_started)
        pcdf_fetch_cancel(&b->fetch, 1);
    b->is_started = false;
    b->number = -1;
}

static int64_t length_of(const struct ranges *r, int64_t number)
{
    return pcdf_larger(0, pcdf_smaller(BLOCK, r->size - number * BLOCK));
}

/* Puts a block into the batch, in the place of the one that was not used for longest. False: all of its set
 * are in use, or there is no memory. */
static bool want(struct ranges *r, int64_t number)
{
    struct block *set = r->blocks[number % SETS], *oldest = set;
    for (int i = 1; i < WAYS; i++)
        if (set[i].stamp < oldest->stamp)
            oldest = &set[i];
    if (oldest->stamp == r->stamp || r->n == BATCH)
        return false;
    drop(oldest);
    if (!oldest->bytes && !(oldest->bytes = pcdf_malloc(BLOCK)))
        return false;
    oldest->number = number;
    oldest->stamp = r->stamp;
    r->of[r->n] = oldest;
    r->batch[r->n++] = (struct pcdf_fetch){ .store = r->store,
                                            .key = "",
                                            .offset = number * BLOCK,
                                            .length = length_of(r, number),
                                            .to = oldest->bytes };
    return true;
}

static void start_batch(struct ranges *r)
{
    pcdf_fetch_start(r->batch, r->n);
    for (size_t i = 0; i < r->n; i++) {
        r->of[i]->fetch = r->batch[i];
        r->of[i]->is_started = true;
    }
    r->n = 0;
}

static int finish_block(struct ranges *r, struct block *b)
{
    if (!b->is_started)
        return NC_NOERR;
    b->is_started = false;
    int err = pcdf_fetch_finish(&b->fetch, 1);
    if (!err && b->fetch.err)
        err = b->fetch.err;
    if (!err && b->fetch.got != length_of(r, b->number))
        err = PCDF_FAIL(NC_EREAD, "%s has become shorter", pcdf_store_name(r->store));
    if (err)
        drop(b);
    return err;
}

static int open_store(struct ranges *r)
{
    const struct pcdf_image_store *s = &r->image->stores[0];
    return r->store ? NC_NOERR : pcdf_store_open_bound(s->name, &s->bond, &s->pin, &r->store);
}

/* ---- gets */

/* From a block, which is there or comes. */
static int copy_from(struct ranges *r, struct block *b, int64_t offset, int64_t length, char *to)
{
    PCDF_TRY(finish_block(r, b));
    memcpy(to, b->bytes + (offset - b->number * BLOCK), (size_t)length);
    return NC_NOERR;
}

/* A long range of which no block is there goes straight to where it is wanted. */
static int read_straight(struct ranges *r, int64_t offset, int64_t length, char *to)
{
    struct pcdf_fetch f = {
        .store = r->store, .key = "", .offset = offset, .length = length, .to = (unsigned char *)to
    };
    pcdf_fetch_start(&f, 1);
    PCDF_TRY(pcdf_fetch_finish(&f, 1));
    if (f.err || f.got != length)
        return f.err ? f.err : PCDF_FAIL(NC_EREAD, "%s has become shorter", pcdf_store_name(r->store));
    return NC_NOERR;
}

static int read_long(struct ranges *r, int64_t offset, int64_t length, char *to)
{
    int64_t missing = offset; /* from here on to `at` no block is there */
    for (int64_t at = offset, end; at < offset + length; at = end) {
        struct block *b = find(r, at / BLOCK);
        end = pcdf_smaller(offset + length, (at / BLOCK + 1) * BLOCK);
        if (!b)
            continue;
        if (missing < at)
            PCDF_TRY(read_straight(r, missing, at - missing, to + (missing - offset)));
        PCDF_TRY(copy_from(r, b, at, end - at, to + (at - offset)));
        missing = end;
    }
    int64_t rest = offset + length - missing;
    return rest > 0 ? read_straight(r, missing, rest, to + (missing - offset)) : NC_NOERR;
}

/* Of a short piece all blocks are there, or come with the batch. */
static int read_short(struct ranges *r, int64_t offset, int64_t length, char *to)
{
    for (int64_t at = offset, end; at < offset + length; at = end) {
        struct block *b = find(r, at / BLOCK);
        end = pcdf_smaller(offset + length, (at / BLOCK + 1) * BLOCK);
        PCDF_TRY(b ? copy_from(r, b, at, end - at, to + (at - offset))
                   : read_straight(r, at, end - at, to + (at - offset)));
    }
    return NC_NOERR;
}

/* Asks for the blocks of a piece. False: the batch is full. */
static bool want_piece(struct ranges *r, int64_t offset, int64_t length)
{
    for (int64_t k = offset / BLOCK; k * BLOCK < offset + length; k++) {
        struct block *b = find(r, k);
        if (b)
            b->stamp = r->stamp;
        else if (!want(r, k))
            return false;
    }
    return true;
}

/* Where gets go on, the more is asked for the longer they do so; where they jump, nothing. */
static void look_ahead(struct ranges *r, int64_t offset, int64_t length)
{
    bool goes_on = offset >= r->next - BLOCK && offset <= r->next + 4 * BLOCK && offset + length > r->next;
    bool is_dealt_on = r->call_end > 0 && offset > r->next && offset % DOMAIN == 0 && r->next % DOMAIN == 0;
    if (r->is_new_call && !is_dealt_on)
        r->goes_on_for = goes_on ? r->goes_on_for + 1 : 0;
    r->is_new_call = false;
    if (!goes_on && !is_dealt_on && offset + length != r->next)
        r->ahead = 0;
    else if (goes_on || is_dealt_on)
        r->ahead = pcdf_smaller(MOST_AHEAD, r->ahead ? 3 * r->ahead : FIRST_AHEAD);
    r->next = offset + length;
}

/* The block behind the last one that may be asked for ahead. For all ranks: what others do not read, and the
 * call needs or, where calls go on, the next ones may. */
static int64_t past_ahead(const struct ranges *r)
{
    int64_t past = (r->size + BLOCK - 1) / BLOCK;
    if (r->call_end == 0)
        return past;
    past = pcdf_smaller(past, ((r->next - 1) / DOMAIN + 1) * DOMAIN_BLOCKS);
    return r->goes_on_for > 0 ? past : pcdf_smaller(past, (r->call_end + BLOCK - 1) / BLOCK);
}

/* Long requests are quicker: it begins when half of what may be ahead is missing. */
static void read_ahead(struct ranges *r)
{
    int64_t first = (r->next + BLOCK - 1) / BLOCK, there = 0;
    int64_t end = pcdf_smaller(past_ahead(r), first + r->ahead);
    for (int64_t k = first; k < end; k++)
        there += find(r, k) != NULL;
    if (2 * there > end - first || end <= first)
        return;
    r->stamp++;
    for (int64_t k = first; k < end; k++) {
        struct block *b = find(r, k);
        if (b)
            b->stamp = r->stamp;
        else if (!want(r, k))
            break;
    }
    start_batch(r);
}

/* What the first bytes do not have. */
static int move_some(struct ranges *r, const struct pcdf_piece *pieces, size_t n, size_t *done)
{
    size_t k = 0;
    r->stamp++;
    PCDF_TRY(open_store(r));
    for (bool has_room = true; k < n && has_room; k += has_room)
        has_room = pieces[k].length >= LONG || want_piece(r, pieces[k].offset, pieces[k].length);
    start_batch(r);
    *done = pcdf_larger((int64_t)k, 1); /* one piece is always read */
    for (size_t i = 0; i < *done; i++) {
        const struct pcdf_piece *p = &pieces[i];
        PCDF_TRY(p->length >= LONG ? read_long(r, p->offset, p->length, p->data)
                                   : read_short(r, p->offset, p->length, p->data));
        look_ahead(r, p->offset, p->length);
    }
    return NC_NOERR;
}

/* Takes from a piece what was there from the beginning, and what is behind the end. */
static struct pcdf_piece cut(const struct ranges *r, const struct pcdf_piece *piece, int64_t *got)
{
    struct pcdf_piece p = *piece;
    int64_t there = pcdf_smaller(p.length, pcdf_larger(0, r->size - p.offset));
    int64_t first = pcdf_smaller(there, pcdf_larger(0, r->image->header_size - p.offset));
    if (p.length > there)
        memset(p.data + there, 0, (size_t)(p.length - there));
    if (first > 0)
        memcpy(p.data, r->image->header + p.offset, (size_t)first);
    if (got)
        *got += there;
    p.offset += first;
    p.data += first;
    p.length = there - first;
    return p;
}

static int ranges_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    enum { SOME = 256 };
    struct ranges *r = (struct ranges *)s;
    struct pcdf_piece some[SOME];
    if (x->dir == PCDF_PUT)
        return PCDF_FAIL(NC_EPERM, "%s is far away: it is only read", s->path);
    s->counts->read_at += (int64_t)x->n;
    r->is_new_call |= x->call_end != r->call_end;
    r->call_end = x->call_end;
    for (size_t i = 0; i < x->n;) {
        size_t n = 0, done = 0;
        for (; i < x->n && n < SOME; i++) {
            some[n] = cut(r, &x->pieces[i], got);
            n += some[n].length > 0;
        }
        for (size_t k = 0; k < n; k += done)
            PCDF_TRY(move_some(r, some + k, n - k, &done));
        if (n > 0 && r->ahead > 0)
            read_ahead(r);
    }
    return NC_NOERR;
}

/* ---- the storage */

static int ranges_close(struct pcdf_storage *s)
{
    struct ranges *r = (struct ranges *)s;
    for (int i = 0; i < SETS * WAYS; i++) {
        drop(&r->blocks[i / WAYS][i % WAYS]);
        pcdf_free(r->blocks[i / WAYS][i % WAYS].bytes);
    }
    pcdf_store_close(r->store);
    return NC_NOERR;
}

static int ranges_open(const struct pcdf_storage_config *config, struct pcdf_storage **s)
{
    const struct pcdf_image *image = config->shown ? config->shown->image : NULL;
    if (!image || image->kind != PCDF_SOURCE_CLASSIC || image->nstores != 1)
        return PCDF_FAIL(NC_EINVAL, "%s is no file that is far away", config->path);
    struct ranges *r = pcdf_storage_make(sizeof *r, &pcdf_rangestorage, NULL, config);
    if (!r)
        return NC_ENOMEM;
    r->image = image;
    r->size = r->image->stores[0].pin.size;
    r->next = r->image->header_size;
    for (int i = 0; i < SETS * WAYS; i++)
        r->blocks[i / WAYS][i % WAYS].number = -1;
    config->counts->file_open++;
    *s = &r->s;
    return NC_NOERR;
}

static int ranges_size(struct pcdf_storage *s, int64_t *bytes)
{
    *bytes = ((struct ranges *)s)->size;
    return NC_NOERR;
}

static int ranges_sync(struct pcdf_storage *s, bool together)
{
    (void)s, (void)together;
    return NC_NOERR;
}

const struct pcdf_storage_ops pcdf_rangestorage = {
    .name = "ranges",
    .is_shared = true,
    .domain = DOMAIN,
    .open = ranges_open,
    .move = ranges_move,
    .size = ranges_size,
    .sync = ranges_sync,
    .close = ranges_close,
};

int pcdf_range_image(struct pcdf_store *store, struct pcdf_image *image)
{
    struct pcdf_pin pin;
    int number;
    pcdf_image_init(image, PCDF_SOURCE_CLASSIC);
    int err = pcdf_store_pin(store, &pin);
    if (!err)
        err = pcdf_image_store_open(image, store, &pin, &number);
    struct pcdf_fetch f = { .store = store, .key = "", .length = BLOCK };
    if (!err) {
        pcdf_fetch_start(&f, 1);
        err = pcdf_fetch_finish(&f, 1);
        pcdf_first(&err, f.err);
    }
    image->header = f.to;
    image->header_size = f.got;
    if (err)
        pcdf_image_free(image);
    return err;
}
