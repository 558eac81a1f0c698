/* What is behind HTTP, HTTPS and S3. One object (key ""): it is pinned by the first request, which also
 * brings its first bytes. Or a prefix of objects, where the mode or the name says that it is a Zarr store. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "alloc.h"
#include "farpiece.h"
#include "farstore.h"
#include "keypins.h"
#include "numbers.h"
#include "status.h"
#include "storekind.h"

enum { WHOLE_MOST = 64 << 20 }; /* bytes of an object that is kept in memory, where a server gives no parts */

struct range { /* of an object */
    unsigned char *bytes;
    int64_t offset, n;
};

struct farstore {
    struct pcdf_store store;
    struct pcdf_far_line line;
    struct range near;  /* of the object "": what came with the first request, or all of it */
    struct range whole; /* all of one object that has a key: the last one that came so, */
    char *key;          /* and its key; NULL: none. Owned */
    struct pcdf_keypins pins;
    bool is_unlisted;  /* mode nolist: what HTTP 403 forbids is not there, */
    char *readable;    /* as long as this key of the store can be read. NULL: none was. Owned */
    int64_t confirmed; /* when that was last begun to be read */
};

/* What a fetch waits for: its bytes are those of the pieces one after another; or a range of one, which
 * several fetches share. */
struct waiting {
    size_t n;
    int64_t skip;            /* where it begins in a shared piece */
    bool is_shared, is_open; /* is_open: the size of the object is not known before */
    struct pcdf_far_piece *x[];
};

/* ---- pieces */

/* No piece: no memory. to: NULL: it has memory of its own. */
static struct pcdf_far_piece *make_piece(const struct farstore *f, const char *key, int64_t offset,
                                         int64_t length, unsigned char *to)
{
    struct pcdf_far_piece *p = pcdf_calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->offset = offset;
    p->length = length;
    p->to = to;
    p->pin.size = -1;
    if (!to) {
        p->owns_to = true;
        p->to = pcdf_malloc((size_t)length);
    }
    if (*key)
        p->path = pcdf_url_encode(key, strlen(key), false);
    else
        p->pin = f->store.pin;
    if (p->to && (!*key || p->path))
        return p;
    if (p->owns_to)
        pcdf_free(p->to);
    pcdf_free(p->path);
    pcdf_free(p);
    return NULL;
}

static struct waiting *make_waiting(size_t n)
{
    struct waiting *w = pcdf_calloc(1, sizeof *w + n * sizeof *w->x);
    if (w)
        w->n = n;
    return w;
}

static void end_waiting(struct farstore *f, struct waiting *w)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->x[i])
            pcdf_far_piece_drop(&f->line, w->x[i]);
    pcdf_free(w);
}

/* Can the key be read now? */
static bool try_key(struct farstore *f, const char *key)
{
    struct pcdf_far_piece *p = make_piece(f, key, 0, 1, NULL);
    int64_t begun = pcdf_far_now();
    if (!p)
        return false;
    p->users = 1;
    p->may_be_whole = true;
    pcdf_far_piece_add(&f->line, p);
    bool is_there = pcdf_far_piece_wait(&f->line, p) == NC_NOERR;
    pcdf_far_piece_drop(&f->line, p);
    if (is_there)
        f->confirmed = begun;
    return is_there;
}

static void note_readable(struct farstore *f, const char *key)
{
    if (f->is_unlisted && !f->readable)
        f->readable = pcdf_strndup(key, strlen(key));
}

/* Keys may have run out, and then all is forbidden: only where metadata can be read, later than that answer,
 * it means that the object is not there. */
static bool is_absent(struct farstore *f, const struct pcdf_far_piece *p)
{
    static const char *const metadata[] = { ".zmetadata", "zarr.json", ".zgroup", ".zarray" };
    if (!f->is_unlisted || !p->is_forbidden)
        return false;
    for (size_t i = 0; i < sizeof metadata / sizeof *metadata && !f->readable; i++)
        if (try_key(f, metadata[i]))
            note_readable(f, metadata[i]);
    return f->readable && (f->confirmed > p->ended || try_key(f, f->readable));
}

/* Of an object with a key: is it what it was? Where nothing came, an answer has no ETag. */
static int wait_for(struct farstore *f, const char *key, struct pcdf_far_piece *p)
{
    int err = pcdf_far_piece_wait(&f->line, p);
    if (!err)
        note_readable(f, key);
    else if (is_absent(f, p))
        err = NC_ENOENT;
    else if (p->is_forbidden)
        return PCDF_FAIL(err, "%s", p->sentence);
    if (*key && (err ? err == NC_ENOENT : p->got > 0))
        PCDF_TRY(pcdf_keypins_agree(&f->pins, f->store.name, key, err ? NULL : &p->is));
    return err;
}

/* ---- what is kept */

/* The bytes of a piece go to a range. */
static void keep_bytes(struct range *s, struct pcdf_far_piece *p)
{
    pcdf_free(s->bytes);
    *s = (struct range){ .bytes = p->to, .offset = p->offset, .n = p->got };
    p->owns_to = false;
}

static int keep_whole(struct farstore *f, const char *key, struct pcdf_far_piece *p)
{
    char *copy = pcdf_strndup(key, strlen(key));
    if (!copy)
        return NC_ENOMEM;
    pcdf_free(f->key);
    f->key = copy;
    keep_bytes(&f->whole, p);
    return NC_NOERR;
}

/* n bytes of a range; false: they are not there. */
static bool take_from(const struct range *s, struct pcdf_fetch *x, int64_t n)
{
    if (!s->bytes || x->offset < s->offset || x->offset - s->offset > s->n - n)
        return false;
    memcpy(x->to, s->bytes + (x->offset - s->offset), (size_t)n);
    x->got = n;
    return true;
}

/* A server that gives no parts: all of an object, which is kept, since more of it is asked for soon. */
static int get_whole(struct farstore *f, const char *key, const struct pcdf_pin *pin)
{
    if (*key && f->key && strcmp(f->key, key) == 0)
        return NC_NOERR;
    if (pin->size > WHOLE_MOST)
        return PCDF_FAIL(NC_ENOTSUPPORT,
                         "%s: the server does not give parts of files, and this one has %lld bytes",
                         f->store.name, (long long)pin->size);
    struct pcdf_far_piece *p = make_piece(f, key, 0, pcdf_larger(pin->size, 1), NULL);
    if (!p)
        return NC_ENOMEM;
    p->users = 1;
    p->pin = *pin;
    p->is_plain = p->may_be_whole = true;
    pcdf_far_piece_add(&f->line, p);
    int err = wait_for(f, key, p);
    if (!err && p->got != pin->size)
        err = PCDF_FAIL(NC_EREAD, "%s: it has been changed since it was opened", f->store.name);
    if (!err && *key)
        err = keep_whole(f, key, p);
    else if (!err)
        keep_bytes(&f->near, p);
    pcdf_far_piece_drop(&f->line, p);
    return err;
}

/* ---- the object "" */

/* The first request: what it is, and its first n bytes, or its last ones. */
static int look_at(struct farstore *f, int64_t n, bool from_end)
{
    if (f->store.is_pinned)
        return NC_NOERR;
    struct pcdf_far_piece *p = make_piece(f, "", 0, n, NULL);
    if (!p)
        return NC_ENOMEM;
    p->users = 1;
    p->from_end = from_end;
    p->may_be_whole = true;
    pcdf_far_piece_add(&f->line, p);
    int err = pcdf_far_piece_wait(&f->line, p);
    struct pcdf_pin is = p->is;
    bool comes_whole = !err && p->has_no_ranges && p->got < is.size;
    if (!err && !comes_whole)
        keep_bytes(&f->near, p);
    pcdf_far_piece_drop(&f->line, p);
    if (comes_whole)
        err = get_whole(f, "", &is);
    if (!err) {
        f->store.pin = is;
        f->store.is_pinned = true;
    }
    return err;
}

static int far_pin(struct pcdf_store *s, struct pcdf_pin *pin)
{
    PCDF_TRY(look_at((struct farstore *)s, PCDF_FAR_HEAD, false));
    *pin = s->pin;
    return NC_NOERR;
}

/* ---- fetches */

/* Cuts it to what the pinned object has; memory where it has none. */
static int size_up(struct farstore *f, struct pcdf_fetch *x)
{
    if (x->from_end)
        x->offset = pcdf_larger(f->store.pin.size - x->length, 0);
    if (x->offset < 0)
        return PCDF_FAIL(NC_EREAD, "%s: bytes from %lld on", f->store.name, (long long)x->offset);
    int64_t there = pcdf_larger(f->store.pin.size - x->offset, 0);
    if (x->length < 0 && there > x->most)
        return PCDF_FAIL(NC_EREAD, "%s has %lld bytes, more than the %lld that may be", f->store.name,
                         (long long)there, (long long)x->most);
    x->got = x->length < 0 ? there : pcdf_smaller(x->length, there);
    x->size = f->store.pin.size;
    return x->to || (x->to = pcdf_malloc((size_t)pcdf_larger(x->got, 1))) ? NC_NOERR : NC_ENOMEM;
}

/* Pieces one behind the other, straight to where they are to be; no more of them than go at once, where they
 * are not too long for that: each costs a round trip. */
static int start_long(struct farstore *f, struct pcdf_fetch *x, int64_t length)
{
    int64_t share = (length / f->line.limits.parallel + (1 << 20)) & -(1 << 20), least = f->line.limits.size;
    int64_t size = pcdf_larger(least, pcdf_smaller(share, 8 * least));
    size_t n = (size_t)((length + size - 1) / size);
    if (!x->to && !(x->to = pcdf_malloc((size_t)pcdf_larger(length, 1))))
        return NC_ENOMEM;
    struct waiting *w = make_waiting(n);
    x->inner = w;
    for (size_t i = 0; w && i < n; i++) {
        int64_t at = (int64_t)i * size;
        w->x[i] = make_piece(f, x->key, x->offset + at, pcdf_smaller(size, length - at), x->to + at);
        if (!w->x[i])
            return NC_ENOMEM;
        w->x[i]->users = 1;
        pcdf_far_piece_add(&f->line, w->x[i]);
    }
    return w ? NC_NOERR : NC_ENOMEM;
}

/* An object of a size that is not known: in one request where it is not long. */
static int start_open(struct farstore *f, struct pcdf_fetch *x)
{
    struct waiting *w = make_waiting(1);
    x->inner = w;
    if (!w)
        return NC_ENOMEM;
    w->is_open = true;
    w->x[0] =
        make_piece(f, x->key, x->offset, pcdf_smaller(f->line.limits.size, pcdf_larger(x->most, 1)), NULL);
    if (!w->x[0])
        return NC_ENOMEM;
    w->x[0]->users = 1;
    w->x[0]->may_be_whole = x->offset == 0;
    pcdf_far_piece_add(&f->line, w->x[0]);
    return NC_NOERR;
}

/* The last bytes of an object of a size that is not known. */
static int start_end(struct farstore *f, struct pcdf_fetch *x)
{
    struct waiting *w = make_waiting(1);
    x->inner = w;
    if (!w || (!x->to && !(x->to = pcdf_malloc((size_t)x->length))))
        return NC_ENOMEM;
    w->x[0] = make_piece(f, x->key, 0, x->length, x->to);
    if (!w->x[0])
        return NC_ENOMEM;
    w->x[0]->users = 1;
    w->x[0]->from_end = true;
    pcdf_far_piece_add(&f->line, w->x[0]);
    return NC_NOERR;
}

static int by_place(const void *a, const void *b)
{
    const struct pcdf_fetch *x = *(struct pcdf_fetch *const *)a, *y = *(struct pcdf_fetch *const *)b;
    int key = strcmp(x->key, y->key);
    return key ? key : (x->offset > y->offset) - (x->offset < y->offset);
}

/* Of one whose length is known. */
static int64_t length_of(const struct pcdf_fetch *x)
{
    return *x->key ? x->length : x->got;
}

/* One piece for n fetches that are near each other. */
static void start_joined(struct farstore *f, struct pcdf_fetch **x, size_t n, int64_t end)
{
    struct pcdf_far_piece *p = make_piece(f, x[0]->key, x[0]->offset, end - x[0]->offset, NULL);
    for (size_t i = 0; i < n && !p; i++)
        x[i]->err = NC_ENOMEM;
    if (!p)
        return;
    p->users = 1; /* this function's, until all have theirs */
    pcdf_far_piece_add(&f->line, p);
    for (size_t i = 0; i < n; i++) {
        struct waiting *w = make_waiting(1);
        if (w && !x[i]->to)
            x[i]->to = pcdf_malloc((size_t)pcdf_larger(length_of(x[i]), 1));
        if (!w || !x[i]->to) {
            pcdf_free(w);
            x[i]->err = NC_ENOMEM;
            continue;
        }
        w->is_shared = true;
        w->skip = x[i]->offset - p->offset;
        w->x[0] = p;
        p->users++;
        x[i]->inner = w;
    }
    pcdf_far_piece_drop(&f->line, p);
}

/* Fetches of known lengths, sorted: which are near each other? */
static void start_sorted(struct farstore *f, struct pcdf_fetch **x, size_t n)
{
    for (size_t i = 0, next; i < n; i = next) {
        int64_t begin = x[i]->offset, end = begin + length_of(x[i]);
        for (next = i + 1; next < n && strcmp(x[next]->key, x[i]->key) == 0; next++) {
            int64_t longer = pcdf_larger(end, x[next]->offset + length_of(x[next]));
            if (x[next]->offset - end > f->line.limits.gap || longer - begin > f->line.limits.size)
                break;
            end = longer;
        }
        if (next == i + 1)
            x[i]->err = start_long(f, x[i], length_of(x[i]));
        else
            start_joined(f, x + i, next - i, end);
    }
}

/* Of the object that is here. */
static int take_kept(struct farstore *f, struct pcdf_fetch *x)
{
    if (x->from_end)
        x->offset = pcdf_larger(f->whole.n - x->length, 0);
    int64_t there = pcdf_larger(f->whole.n - x->offset, 0);
    x->size = f->whole.n;
    if (x->length < 0 && there > x->most)
        return PCDF_FAIL(NC_EREAD, "%s/%.200s has %lld bytes, more than the %lld that may be", f->store.name,
                         x->key, (long long)there, (long long)x->most);
    there = x->length < 0 ? there : pcdf_smaller(there, x->length);
    if (!x->to && !(x->to = pcdf_malloc((size_t)pcdf_larger(there, 1))))
        return NC_ENOMEM;
    if (there > 0)
        (void)take_from(&f->whole, x, there);
    return NC_NOERR;
}

/* What needs no request, or no more than one of its own; else gives true. */
static bool start_one(struct farstore *f, struct pcdf_fetch *x)
{
    if (*x->key && !f->store.ops->has_keys)
        x->err = PCDF_FAIL(NC_ENOENT, "%s is one object, and has no \"%.200s\"", f->store.name, x->key);
    else if (f->store.ops->has_keys && !pcdf_store_is_key(x->key))
        x->err = PCDF_FAIL(NC_EREAD, "%s: \"%.200s\" is no name in it", f->store.name, x->key);
    else if (*x->key && (x->offset < 0 || x->offset > INT64_MAX / 2 || x->length > INT64_MAX / 2))
        x->err = PCDF_FAIL(NC_EREAD, "%s/%.200s: %lld bytes from %lld on", f->store.name, x->key,
                           (long long)x->length, (long long)x->offset);
    else if (*x->key && f->key && strcmp(x->key, f->key) == 0)
        x->err = take_kept(f, x);
    else if (*x->key && x->length < 0)
        x->err = start_open(f, x);
    else if (*x->key && x->length == 0)
        x->err = x->to || (x->to = pcdf_malloc(1)) ? NC_NOERR : NC_ENOMEM;
    else if (*x->key && x->from_end)
        x->err = start_end(f, x);
    else if (*x->key)
        return true;
    else {
        x->err = look_at(f, x->from_end ? x->length : PCDF_FAR_HEAD, x->from_end);
        if (!x->err)
            x->err = size_up(f, x);
        return !x->err && x->got > 0 && !take_from(&f->near, x, x->got);
    }
    return false;
}

static void far_start(struct pcdf_store *s, struct pcdf_fetch *x, size_t n)
{
    struct farstore *f = (struct farstore *)s;
    struct pcdf_fetch *few[64], **sorted = n <= 64 ? few : pcdf_malloc(n * sizeof *sorted);
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (!sorted)
            x[i].err = NC_ENOMEM;
        else if (start_one(f, &x[i]))
            sorted[k++] = &x[i];
    if (sorted && k > 1)
        qsort(sorted, k, sizeof *sorted, by_place);
    if (sorted)
        start_sorted(f, sorted, k);
    if (sorted != few)
        pcdf_free(sorted);
    pcdf_far_line_start(&f->line);
}

/* The server gives no parts: then from all of it. */
static int take_from_whole(struct farstore *f, struct pcdf_fetch *x, const struct pcdf_pin *is,
                           int64_t wanted)
{
    if (*x->key || f->near.n < f->store.pin.size)
        PCDF_TRY(get_whole(f, x->key, *x->key ? is : &f->store.pin));
    const struct range *all = *x->key ? &f->whole : &f->near;
    if (x->from_end)
        x->offset = pcdf_larger(all->n - x->length, 0);
    int64_t n = pcdf_larger(pcdf_smaller(wanted, all->n - x->offset), 0);
    x->size = all->n;
    x->got = 0;
    return n == 0 || take_from(all, x, n) ? NC_NOERR
                                          : PCDF_FAIL(NC_EREAD, "%s: bytes are missing", f->store.name);
}

static int far_has(struct pcdf_store *s, const char *key, bool *has)
{
    struct farstore *f = (struct farstore *)s;
    struct pcdf_far_piece *p = make_piece(f, key, 0, PCDF_FAR_HEAD, NULL);
    if (!p)
        return NC_ENOMEM;
    p->users = 1;
    p->may_be_whole = true;
    pcdf_far_piece_add(&f->line, p);
    int err = wait_for(f, key, p);
    *has = !err;
    if (!err && p->got == p->is.size)
        err = keep_whole(f, key, p);
    pcdf_far_piece_drop(&f->line, p);
    return err == NC_ENOENT ? NC_NOERR : err;
}

/* All pieces have come, one after another; an object may end in any of them. */
static int finish_long(struct farstore *f, struct pcdf_fetch *x, struct waiting *w, int64_t wanted)
{
    int err = NC_NOERR;
    const struct pcdf_pin *is = &w->x[0]->is;
    x->got = 0;
    for (size_t i = 0; i < w->n && !err; i++) {
        struct pcdf_far_piece *p = w->x[i];
        err = wait_for(f, x->key, p);
        if (!err && p->has_no_ranges && p->got < p->length)
            return take_from_whole(f, x, &p->is, wanted);
        if (!err && (p->is.size != is->size || (p->got > 0 && strcmp(p->is.tag, is->tag) != 0)))
            err = PCDF_FAIL(NC_EREAD, "%s: it has been changed while it was read", f->store.name);
        x->got += err ? 0 : p->got;
    }
    x->size = err ? -1 : is->size;
    if (!err && x->from_end && *x->key)
        x->offset = w->x[0]->offset;
    if (!err && !*x->key && x->got != wanted)
        err = PCDF_FAIL(NC_EREAD, "%s: bytes are missing", f->store.name);
    return err;
}

/* The first piece tells how long the object is; what it lacks comes now. */
static int finish_open(struct farstore *f, struct pcdf_fetch *x, struct waiting *w)
{
    struct pcdf_far_piece *p = w->x[0];
    PCDF_TRY(wait_for(f, x->key, p));
    int64_t there = pcdf_larger(p->is.size - x->offset, 0);
    x->size = p->is.size;
    if (there > x->most)
        return PCDF_FAIL(NC_EREAD, "%s/%.200s has %lld bytes, more than the %lld that may be", f->store.name,
                         x->key, (long long)there, (long long)x->most);
    if (p->has_no_ranges && p->got < there)
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: the server does not give parts of files", f->store.name);
    unsigned char *all = pcdf_realloc(p->to, (size_t)pcdf_larger(there, 1));
    if (!all)
        return NC_ENOMEM;
    p->owns_to = false;
    p->to = NULL;
    x->to = all;
    x->got = p->got;
    if (p->got == there)
        return NC_NOERR;
    struct pcdf_fetch rest = { .key = x->key, .offset = x->offset + p->got, .to = all + p->got };
    int err = start_long(f, &rest, there - p->got);
    struct waiting *more = rest.inner;
    for (size_t i = 0; !err && i < more->n; i++)
        more->x[i]->pin = p->is;
    if (!err)
        err = finish_long(f, &rest, more, 0);
    if (!err && rest.got != there - p->got)
        err = PCDF_FAIL(NC_EREAD, "%s: bytes are missing", f->store.name);
    if (more)
        end_waiting(f, more);
    x->got = there;
    return err;
}

static int finish_shared(struct farstore *f, struct pcdf_fetch *x, struct waiting *w, int64_t wanted)
{
    struct pcdf_far_piece *p = w->x[0];
    PCDF_TRY(wait_for(f, x->key, p));
    if (p->has_no_ranges)
        return take_from_whole(f, x, &p->is, wanted);
    x->got = pcdf_larger(pcdf_smaller(wanted, p->got - w->skip), 0);
    x->size = p->is.size;
    if (x->got > 0)
        memcpy(x->to, p->to + w->skip, (size_t)x->got);
    if (!*x->key && x->got != wanted)
        return PCDF_FAIL(NC_EREAD, "%s: bytes are missing", f->store.name);
    return NC_NOERR;
}

static int far_finish(struct pcdf_store *s, struct pcdf_fetch *x)
{
    struct farstore *f = (struct farstore *)s;
    struct waiting *w = x->inner;
    int64_t wanted = length_of(x);
    if (w && !x->err)
        x->err = w->is_open     ? finish_open(f, x, w)
                 : w->is_shared ? finish_shared(f, x, w, wanted)
                                : finish_long(f, x, w, wanted);
    if (w)
        end_waiting(f, w);
    x->inner = NULL;
    return x->err;
}

static void far_cancel(struct pcdf_store *s, struct pcdf_fetch *x)
{
    struct waiting *w = x->inner;
    if (w)
        end_waiting((struct farstore *)s, w);
    x->inner = NULL;
}

static void far_close(struct pcdf_store *s)
{
    struct farstore *f = (struct farstore *)s;
    pcdf_far_line_close(&f->line);
    pcdf_free(f->near.bytes);
    pcdf_free(f->whole.bytes);
    pcdf_free(f->key);
    pcdf_free(f->readable);
    pcdf_keypins_free(&f->pins);
}

static const struct pcdf_store_ops object_ops = {
    .kind = "far object",
    .pin = far_pin,
    .start = far_start,
    .finish = far_finish,
    .cancel = far_cancel,
    .close = far_close,
};

static const struct pcdf_store_ops prefix_ops = {
    .kind = "far store",
    .has_keys = true,
    .has = far_has,
    .start = far_start,
    .finish = far_finish,
    .cancel = far_cancel,
    .close = far_close,
};

static bool is_prefix(const char *name, const struct pcdf_url *url)
{
    static const char *const modes[] = { "zarr", "nczarr", "zarr2", "zarr3", "xarray", "noxarray" };
    size_t n = strlen(url->path);
    if (pcdf_url_has_mode(name, "bytes") || pcdf_url_has_mode(name, "zip"))
        return false;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (pcdf_url_has_mode(name, modes[i]))
            return true;
    while (n > 1 && url->path[n - 1] == '/')
        n--;
    return url->path[strlen(url->path) - 1] == '/' || (n > 5 && strncmp(url->path + n - 5, ".zarr", 5) == 0);
}

/* The name that the user is told, and the URL with its secrets: of what the user names also in the table of
 * names that are hidden. */
static int take_names(struct farstore *f, const char *name, const struct pcdf_bond *bond)
{
    PCDF_TRY(pcdf_bond_copy(bond, &f->store.bond));
    if (!f->store.bond.whole)
        f->store.bond.whole = bond->is_bound ? pcdf_strndup(name, strlen(name)) : pcdf_url_whole(name);
    char *told = f->store.bond.whole ? pcdf_url_plain(name) : NULL;
    if (!told)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the name of a far file");
    pcdf_free(f->store.name);
    f->store.name = told;
    return NC_NOERR;
}

int pcdf_farstore_open(const char *name, const struct pcdf_bond *bond, const struct pcdf_pin *pin,
                       struct pcdf_store **s)
{
    struct farstore *f;
    PCDF_TRY(pcdf_store_make(sizeof *f, &object_ops, name, pin, &f));
    f->store.is_far = true;
    int err = take_names(f, name, bond);
    if (!err)
        err = pcdf_far_line_open(&f->line, &f->store.bond, f->store.name);
    if (err) {
        pcdf_store_close(&f->store);
        return err;
    }
    if (!bond->is_bound && is_prefix(f->store.bond.whole, &f->line.url))
        f->store.ops = &prefix_ops;
    f->is_unlisted = f->store.ops == &prefix_ops && pcdf_url_has_mode(f->store.bond.whole, "nolist");
    *s = &f->store;
    return NC_NOERR;
}

static const struct pcdf_far_line *line_of(const struct pcdf_store *s)
{
    bool is_far = s->ops == &object_ops || s->ops == &prefix_ops;
    return is_far ? &((const struct farstore *)s)->line : NULL;
}

int64_t pcdf_farstore_requests(const struct pcdf_store *s)
{
    const struct pcdf_far_line *line = line_of(s);
    return line ? line->requests : 0;
}

int64_t pcdf_farstore_retries(const struct pcdf_store *s)
{
    const struct pcdf_far_line *line = line_of(s);
    return line ? line->retries : 0;
}
