/* See patchset.h. Patches are in a list, sorted by offset, and in a treap, to be found: a search tree of
 * which parents have larger weights than children. A patch's weight is a hash of its offset, so the tree's
 * shape depends on no order of puts. Patches only come, until all go. Their bytes fill blocks from begin to
 * end. */

#include "patchset.h"
#include <assert.h>
#include <string.h>
#include "numbers.h"

enum {
    LONGEST = 1 << 30, /* bytes of a patch */
    FEW = 8,           /* patches that there is room for at least */
    /* Bytes of a block at least, and at most if the put is not longer. */
    SMALL = 64 << 10,
    LARGE = 4 << 20,
    PIECES = 1 << 16 /* most pieces of a peek */
};

struct pcdf_patch {
    int64_t offset;
    char *data;
    uint32_t length, next;
    uint32_t left, right; /* in the tree: with smaller and larger offsets */
};

struct pcdf_patch_block {
    struct pcdf_patch_block *next;
    int64_t size;
    char bytes[];
};

/* ---- finding */

/* The bits of an offset mixed, so that weights of near offsets, or of multiples, are not alike. */
static uint64_t weight(const struct pcdf_patch *x)
{
    uint64_t h = (uint64_t)x->offset + 0x9E3779B97F4A7C15u;
    h = (h ^ h >> 31) * 0xD6E8FEB86659FD93u;
    h = (h ^ h >> 29) * 0xA0761D6478BD642Fu;
    return h ^ h >> 32;
}

/* The last patch that begins at `at` or before it. */
static uint32_t find(struct pcdf_patchset *p, int64_t at)
{
    const struct pcdf_patch *last = &p->x[p->last];
    if (last->offset <= at && (last->next == 0 || p->x[last->next].offset > at))
        return p->last;
    p->last = 0;
    for (uint32_t i = p->root; i > 0;) {
        if (p->x[i].offset <= at)
            p->last = i;
        i = p->x[i].offset <= at ? p->x[i].right : p->x[i].left;
    }
    return p->last;
}

/* How many bytes from `at` on, up to `end`, lie in one patch, or in none. *data: where they are; NULL: in
 * none. *i: a patch that begins at `at` or before it; it becomes the last one. */
static int64_t run(const struct pcdf_patchset *p, uint32_t *i, int64_t at, int64_t end, char **data)
{
    const struct pcdf_patch *x = &p->x[*i];
    while (x->next > 0 && p->x[x->next].offset <= at) {
        *i = x->next;
        x = &p->x[*i];
    }
    int64_t into = at - x->offset, to = x->next > 0 ? p->x[x->next].offset : INT64_MAX;
    *data = NULL;
    if (into < x->length) {
        *data = x->data + into;
        to = x->offset + x->length;
    }
    return pcdf_smaller(to, end) - at;
}

/* ---- putting */

void pcdf_patchset_measure(struct pcdf_patchset *p, const struct pcdf_piece *piece,
                           struct pcdf_patchset_need *need)
{
    const int64_t end = piece->offset + piece->length;
    uint32_t i = p->n > 0 ? find(p, piece->offset) : 0;
    for (int64_t at = piece->offset, n; at < end; at += n) {
        char *data = NULL;
        n = p->n > 0 ? run(p, &i, at, end, &data) : end - at;
        need->bytes += data ? 0 : n;
        need->gaps += !data;
    }
    need->overlaps |= piece->offset < need->end;
    need->end = pcdf_larger(need->end, end);
}

/* Of the bytes that the limit leaves, so many may be taken that are not needed yet: list and blocks both
 * grow. */
static int64_t spare_room(const struct pcdf_patchset *p)
{
    return (p->limit - p->held) / 4;
}

/* Room for `need` patches, and for more up to `most`. */
static int grow_list(struct pcdf_patchset *p, int64_t need, int64_t most)
{
    int64_t room = pcdf_larger((int64_t)p->room + p->room / 2, FEW);
    room = pcdf_larger(pcdf_smaller(room, most), need);
    struct pcdf_patch *x = pcdf_realloc(p->x, (size_t)room * sizeof *x);
    if (!x)
        return NC_ENOMEM;
    p->held += (room - p->room) * (int64_t)sizeof *x;
    p->x = x;
    p->room = (uint32_t)room;
    return NC_NOERR;
}

/* A block behind the others, of `need` bytes at least, and of `most` at most. */
static int add_block(struct pcdf_patchset *p, int64_t need, int64_t most)
{
    int64_t size = pcdf_smaller(pcdf_larger(p->held / 4, SMALL), LARGE);
    size = pcdf_larger(pcdf_smaller(size, most), need);
    struct pcdf_patch_block *block = pcdf_malloc(sizeof *block + (size_t)size);
    if (!block)
        return NC_ENOMEM;
    block->next = NULL;
    block->size = size;
    *(p->newest ? &p->newest->next : &p->blocks) = block;
    p->newest = block;
    p->held += (int64_t)sizeof *block + size;
    p->spare += size;
    p->spares++;
    return NC_NOERR;
}

static int no_room(const struct pcdf_patchset *p, const struct pcdf_patchset_need *need)
{
    return PCDF_FAIL(NC_ENOMEM,
                     "%lld bytes that were put independently wait in memory, and %lld more in %lld places do "
                     "not fit into the %lld bytes of hint pcdf_chunk_memory: call ncmpi_sync or "
                     "ncmpi_end_indep_data on all ranks before, put collectively, or raise the hint",
                     (long long)p->nbytes, (long long)need->bytes, (long long)need->gaps,
                     (long long)p->limit);
}

/* So that nothing can fail behind it. A gap becomes one patch, and one more wherever it goes on in another
 * block, or is longer than a patch may be. What earlier pieces of the put filled divides a gap once. */
int pcdf_patchset_reserve(struct pcdf_patchset *p, const struct pcdf_patchset_need *need)
{
    const int64_t each = sizeof(struct pcdf_patch), head = sizeof(struct pcdf_patch_block);
    int64_t gaps = need->overlaps ? 2 * need->gaps : need->gaps;
    int64_t patches = pcdf_larger(p->n, 1) + gaps + need->bytes / LONGEST + p->spares + 2;
    int64_t more = pcdf_larger(patches - p->room, 0);
    int64_t bytes = pcdf_larger(need->bytes - p->left - p->spare, 0);
    int64_t block = bytes > 0 ? head + bytes : 0, rest = p->limit - p->held;
    if (need->gaps == 0)
        return NC_NOERR;
    if (patches > UINT32_MAX || more > rest / each || block > rest - more * each)
        return no_room(p, need);
    if (more > 0)
        PCDF_TRY(grow_list(p, patches, pcdf_smaller(p->room + spare_room(p) / each, UINT32_MAX)));
    if (bytes > 0)
        PCDF_TRY(add_block(p, bytes, spare_room(p) - head));
    if (p->n == 0)
        p->x[p->n++] = (struct pcdf_patch){ 0 };
    return NC_NOERR;
}

static void next_block(struct pcdf_patchset *p)
{
    p->block = p->block ? p->block->next : p->blocks;
    assert(p->block);
    p->tail = p->block->bytes;
    p->left = p->block->size;
    p->spare -= p->left;
    p->spares--;
}

/* A patch into the tree: above all that weigh less, which it divides. */
static void enter(struct pcdf_patchset *p, uint32_t new)
{
    const int64_t offset = p->x[new].offset;
    const uint64_t mine = weight(&p->x[new]);
    uint32_t *slot = &p->root;
    while (*slot > 0 && weight(&p->x[*slot]) >= mine)
        slot = p->x[*slot].offset < offset ? &p->x[*slot].right : &p->x[*slot].left;
    uint32_t rest = *slot, *left = &p->x[new].left, *right = &p->x[new].right;
    *slot = new;
    while (rest > 0) {
        struct pcdf_patch *x = &p->x[rest];
        uint32_t **side = x->offset < offset ? &left : &right;
        **side = rest;
        *side = x->offset < offset ? &x->right : &x->left;
        rest = **side;
    }
    *left = *right = 0;
}

/* n bytes at the tail of the block, behind patch `before`. Returns the patch that has them. */
static uint32_t append(struct pcdf_patchset *p, uint32_t before, int64_t offset, int64_t n)
{
    struct pcdf_patch *x = &p->x[before];
    if (before > 0 && x->offset + x->length == offset && x->data + x->length == p->tail &&
        n <= LONGEST - (int64_t)x->length) {
        x->length += (uint32_t)n;
        return before;
    }
    assert(p->n < p->room);
    p->x[p->n] =
        (struct pcdf_patch){ .offset = offset, .data = p->tail, .length = (uint32_t)n, .next = x->next };
    x->next = p->n;
    enter(p, p->n);
    return p->n++;
}

/* A gap behind patch `before`. */
static uint32_t fill_gap(struct pcdf_patchset *p, uint32_t before, int64_t offset, const char *data,
                         int64_t n)
{
    p->end = pcdf_larger(p->end, offset + n);
    p->nbytes += n;
    while (n > 0) {
        if (p->left == 0)
            next_block(p);
        int64_t now = pcdf_smaller(pcdf_smaller(n, p->left), LONGEST);
        before = append(p, before, offset, now);
        memcpy(p->tail, data, (size_t)now);
        p->tail += now;
        p->left -= now;
        offset += now;
        data += now;
        n -= now;
    }
    return before;
}

void pcdf_patchset_put(struct pcdf_patchset *p, const struct pcdf_piece *piece)
{
    const int64_t end = piece->offset + piece->length;
    assert(p->n > 0);
    uint32_t i = find(p, piece->offset);
    for (int64_t at = piece->offset, n; at < end; at += n) {
        const char *from = piece->data + (at - piece->offset);
        char *data;
        n = run(p, &i, at, end, &data);
        if (data)
            memcpy(data, from, (size_t)n);
        else
            i = fill_gap(p, i, at, from, n);
    }
    p->last = i;
}

void pcdf_patchset_forget(struct pcdf_patchset *p)
{
    for (struct pcdf_patch_block *block = p->blocks, *next; block; block = next) {
        next = block->next;
        pcdf_free(block);
    }
    pcdf_free(p->x);
    pcdf_free(p->peeked.pieces.x);
    *p = (struct pcdf_patchset){ .limit = p->limit };
}

/* ---- getting */

bool pcdf_patchset_covers(struct pcdf_patchset *p, const struct pcdf_piece *piece)
{
    struct pcdf_patchset_need need = { 0 };
    pcdf_patchset_measure(p, piece, &need);
    return need.gaps == 0;
}

int64_t pcdf_patchset_lay_over(struct pcdf_patchset *p, const struct pcdf_piece *piece, int64_t there)
{
    const int64_t end = piece->offset + piece->length;
    int64_t laid = 0;
    if (p->n == 0)
        return 0;
    uint32_t i = find(p, piece->offset);
    for (int64_t at = piece->offset, n; at < end; at += n) {
        char *data;
        n = run(p, &i, at, end, &data);
        if (!data)
            continue;
        memcpy(piece->data + (at - piece->offset), data, (size_t)n);
        laid += pcdf_larger(at + n - pcdf_larger(at, piece->offset + there), 0);
    }
    return laid;
}

/* ---- the iterator */

static int64_t next_patched(void *context, int64_t from)
{
    struct pcdf_patchset *p = context;
    uint32_t i = find(p, from);
    char *data;
    int64_t n = run(p, &i, from, INT64_MAX, &data);
    return data ? from : from + n;
}

/* How much of n bytes at `at` there is room for. */
static int64_t fit(const struct pcdf_batch_limits *limits, int64_t at, int64_t n, int64_t room)
{
    if (n <= room)
        return n;
    int64_t over = limits->cut > 0 ? (at % limits->cut + room % limits->cut) % limits->cut : 0;
    return over < room ? room - over : room == limits->bytes ? room : 0;
}

/* Up to where it has looked. */
static int look(struct pcdf_patchset *p, const struct pcdf_batch_limits *limits, int64_t *at,
                struct pcdf_batch *batch)
{
    const size_t most = limits->pieces < PIECES ? limits->pieces : PIECES;
    int64_t end = -1, n; /* end: of the last piece */
    uint32_t i = find(p, *at);
    char *data;
    for (; *at < limits->to; *at += n) {
        n = run(p, &i, *at, limits->to, &data);
        if (!data)
            continue;
        int64_t room = fit(limits, *at, n, limits->bytes - batch->nbytes);
        if (room == 0 || (*at != end && batch->n == most))
            break;
        PCDF_TRY(PCDF_RESERVE(&p->peeked.pieces, batch->n + 1));
        if (*at != end)
            p->peeked.pieces.x[batch->n++] =
                (struct pcdf_piece){ *at, 0, limits->packed ? limits->packed + batch->nbytes : NULL };
        p->peeked.pieces.x[batch->n - 1].length += room;
        batch->nbytes += room;
        end = *at + room;
        n = room;
    }
    return NC_NOERR;
}

static int peek(void *context, const struct pcdf_batch_limits *limits, struct pcdf_batch *batch)
{
    struct pcdf_patchset *p = context;
    struct pcdf_batch given = { 0 };
    int64_t at = limits->from;
    p->peeked.pieces.n = 0;
    p->peeked.from = limits->from;
    p->peeked.is_packed = limits->packed;
    PCDF_TRY(look(p, limits, &at, &given));
    p->peeked.pieces.n = given.n;
    given.pieces = p->peeked.pieces.x;
    given.asked = given.nbytes;
    given.next = next_patched(p, at);
    *batch = given;
    return NC_NOERR;
}

static void copy(void *context, char *bytes)
{
    struct pcdf_patchset *p = context;
    const struct pcdf_piece *piece = p->peeked.pieces.x;
    if (p->peeked.pieces.n == 0)
        return;
    uint32_t i = find(p, piece->offset);
    for (const struct pcdf_piece *end = piece + p->peeked.pieces.n; piece < end; piece++) {
        char *to = p->peeked.is_packed ? bytes : bytes + (piece->offset - p->peeked.from), *data;
        for (int64_t done = 0, n; done < piece->length; done += n) {
            n = run(p, &i, piece->offset + done, piece->offset + piece->length, &data);
            memcpy(to + done, data, (size_t)n);
        }
        bytes += p->peeked.is_packed ? piece->length : 0;
    }
}

struct pcdf_iterator pcdf_patchset_iterator(struct pcdf_patchset *p)
{
    if (p->nbytes == 0)
        return (struct pcdf_iterator){ .dir = PCDF_PUT, .begin = INT64_MAX };
    return (struct pcdf_iterator){ PCDF_PUT, p->nbytes, (int64_t)p->n - 1, p->x[p->x->next].offset,
                                   p->end,   p,         next_patched,      peek,
                                   copy };
}
