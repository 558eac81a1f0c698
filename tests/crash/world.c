/* See world.h. */
#include "world.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes */

static void *must(void *p)
{
    if (!p) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return p;
}

static void reserve(struct bytes *b, int64_t n)
{
    if (n <= b->room)
        return;
    int64_t room = (n + n / 2 + 65535) / 65536 * 65536;
    b->x = must(realloc(b->x, (size_t)room));
    memset(b->x + b->room, 0, (size_t)(room - b->room));
    b->room = room;
}

void bytes_size(struct bytes *b, int64_t n)
{
    reserve(b, n);
    if (n < b->n)
        memset(b->x + n, 0, (size_t)(b->n - n));
    b->n = n;
}

void bytes_put(struct bytes *b, int64_t offset, const void *data, int64_t n)
{
    if (n <= 0)
        return;
    reserve(b, offset + n);
    memcpy(b->x + offset, data, (size_t)n);
    if (offset + n > b->n)
        b->n = offset + n;
}

bool bytes_read(struct bytes *b, const char *path)
{
    FILE *in = fopen(path, "rb");
    static unsigned char part[65536];
    size_t n;
    bytes_size(b, 0);
    if (!in)
        return false;
    while ((n = fread(part, 1, sizeof part, in)) > 0)
        bytes_put(b, b->n, part, (int64_t)n);
    fclose(in);
    return true;
}

/* ---- logs */

static void link_ends(struct log *log)
{
    for (size_t i = 0; i < log->n; i++)
        for (size_t j = i; log->x[i].r.op == SHIM_END && j-- > 0;)
            if (log->x[j].r.id == log->x[i].r.id) {
                log->x[i].begin = j;
                log->x[j].end = i;
                break;
            }
}

bool log_read(struct log *log, const char *path)
{
    struct bytes b = { 0 };
    *log = (struct log){ 0 };
    if (!bytes_read(&b, path))
        return false;
    size_t room = 0;
    for (int64_t at = 0; at + (int64_t)sizeof(struct shim_record) <= b.n;) {
        struct entry e = { 0 };
        memcpy(&e.r, b.x + at, sizeof e.r);
        e.name = b.x + at + sizeof e.r;
        e.data = e.name + e.r.nname;
        int64_t next = at + (int64_t)sizeof e.r + e.r.nname + e.r.nbytes;
        if (e.r.magic != SHIM_MAGIC || next > b.n)
            break;
        if (log->n == room)
            log->x = must(realloc(log->x, (room = room * 2 + 256) * sizeof *log->x));
        log->x[log->n++] = e;
        at = next;
    }
    log->bytes = b.x;
    link_ends(log);
    return true;
}

void log_free(struct log *log)
{
    free(log->bytes);
    free(log->x);
    *log = (struct log){ 0 };
}

const char *log_note_after(const struct entry *e, const char *word)
{
    static char text[256];
    size_t n = strlen(word);
    if (e->r.op != SHIM_NOTE || e->r.nname < n || memcmp(e->name, word, n) != 0)
        return NULL;
    snprintf(text, sizeof text, "%.*s", (int)(e->r.nname - n), (const char *)e->name + n);
    return text;
}

bool log_note_is(const struct entry *e, const char *text)
{
    const char *rest = log_note_after(e, text);
    return rest && !*rest;
}

/* ---- inodes */

int world_inode(struct world *w, uint64_t number)
{
    for (int i = w->ninodes; i-- > 0;)
        if (w->inodes[i].number == number)
            return i;
    return -1;
}

static int make_inode(struct world *w, uint64_t number)
{
    if (w->ninodes == MOST_INODES) {
        w->trouble = "too many files";
        return 0;
    }
    w->inodes[w->ninodes].number = number;
    return w->ninodes++;
}

static struct sector *sector_of(struct inode *f, int64_t i)
{
    if (i >= f->nsectors) {
        int64_t n = i * 2 + 64;
        f->sectors = must(realloc(f->sectors, (size_t)n * sizeof *f->sectors));
        memset(f->sectors + f->nsectors, 0, (size_t)(n - f->nsectors) * sizeof *f->sectors);
        f->nsectors = n;
    }
    return &f->sectors[i];
}

static void add_delta(struct inode *f, int64_t sector, const struct delta *d)
{
    struct sector *s = sector_of(f, sector);
    if (s->n == s->room)
        s->x = must(realloc(s->x, (size_t)(s->room = s->room * 2 + 2) * sizeof *s->x));
    s->x[s->n++] = *d;
}

static void add_deltas(struct inode *f, const struct entry *e, size_t at)
{
    for (int64_t done = 0; done < e->r.length;) {
        int64_t offset = e->r.offset + done, left = e->r.length - done, room = SECTOR - offset % SECTOR;
        struct delta d = {
            e->data + done, (int)(offset % SECTOR), (int)(left < room ? left : room), 0, (int)e->r.rank, at,
            SIZE_MAX
        };
        d.end = offset + d.n;
        add_delta(f, offset / SECTOR, &d);
        done += d.n;
    }
}

static void end_deltas(struct inode *f, const struct entry *e, size_t began, size_t at)
{
    for (int64_t i = e->r.offset / SECTOR; i <= (e->r.offset + e->r.length - 1) / SECTOR; i++)
        for (int j = 0; j < sector_of(f, i)->n; j++)
            if (f->sectors[i].x[j].began == began)
                f->sectors[i].x[j].ended = at;
    bytes_put(&f->seen, e->r.offset, e->data, e->r.length);
}

static void add_resize(struct inode *f, const struct resize *r)
{
    f->resizes = must(realloc(f->resizes, (size_t)(f->nresizes + 1) * sizeof *f->resizes));
    f->resizes[f->nresizes++] = *r;
}

/* Is what `writer` ended at an entry on the storage by an fsync of `rank` that began at another? */
static bool covers(int rank, size_t began, int writer, size_t ended)
{
    return writer < 0 || ((rank < 0 || rank == writer) && ended < began);
}

/* What rank (-1: any) wrote, and ended before entry `began`, is on the storage now. */
static void store(struct inode *f, int rank, size_t began)
{
    for (int64_t i = 0; i < f->nsectors; i++) {
        struct sector *s = &f->sectors[i];
        int landed = 0;
        for (int j = 0; j < s->n; j++)
            if (covers(rank, began, s->x[j].rank, s->x[j].ended))
                landed = j + 1;
        for (int j = 0; j < landed; j++)
            bytes_put(&f->stored, i * SECTOR + s->x[j].from, s->x[j].data, s->x[j].n);
        if (landed)
            memmove(s->x, s->x + landed, (size_t)(s->n - landed) * sizeof *s->x);
        s->n -= landed;
    }
    int kept = 0;
    for (int j = 0; j < f->nresizes; j++) {
        if (covers(rank, began, f->resizes[j].rank, f->resizes[j].ended)) {
            if (f->resizes[j].size > f->stored.n)
                bytes_size(&f->stored, f->resizes[j].size);
        } else {
            f->resizes[kept++] = f->resizes[j];
        }
    }
    f->nresizes = kept;
}

/* To less than there is: rare, and taken for being on the storage at once with all before it. */
static void resize(struct inode *f, int64_t size, bool may_shrink, int rank, size_t at)
{
    if (size > f->seen.n) {
        bytes_size(&f->seen, size);
        add_resize(f, &(struct resize){ size, rank, at, false });
    } else if (size < f->seen.n && may_shrink) {
        store(f, -1, SIZE_MAX);
        bytes_size(&f->seen, size);
        bytes_size(&f->stored, size);
    }
}

/* ---- names */

static void set_name(struct naming *list, int *n, const struct naming *one)
{
    for (int i = 0; i < *n; i++)
        if (strcmp(list[i].name, one->name) == 0) {
            list[i] = *one;
            return;
        }
    if (*n < MOST_NAMES)
        list[(*n)++] = *one;
}

static void add_naming(struct world *w, const unsigned char *name, size_t n, int inode, int rank, size_t at)
{
    struct naming one = { .inode = inode, .rank = rank, .ended = at };
    snprintf(one.name, sizeof one.name, "%.*s", (int)n, (const char *)name);
    w->pending = must(realloc(w->pending, (size_t)(w->npending + 1) * sizeof *w->pending));
    w->pending[w->npending++] = one;
}

/* In their order: what came before the last that `rank`'s fsync covers is there as well. */
static void store_names(struct world *w, int rank, size_t began)
{
    int landed = 0;
    for (int i = 0; i < w->npending; i++)
        if (covers(rank, began, w->pending[i].rank, w->pending[i].ended))
            landed = i + 1;
    for (int i = 0; i < landed; i++)
        set_name(w->stored, &w->nstored, &w->pending[i]);
    if (landed)
        memmove(w->pending, w->pending + landed, (size_t)(w->npending - landed) * sizeof *w->pending);
    w->npending -= landed;
}

int world_landed(const struct world *w, const char *name, int first)
{
    for (int i = first; i-- > 0;)
        if (strcmp(w->pending[i].name, name) == 0)
            return w->pending[i].inode;
    for (int i = 0; i < w->nstored; i++)
        if (strcmp(w->stored[i].name, name) == 0)
            return w->stored[i].inode;
    return -1;
}

int world_seen(const struct world *w, const char *name)
{
    return world_landed(w, name, w->npending);
}

int world_add(struct world *w, uint64_t number, const char *name)
{
    struct naming one = { .inode = make_inode(w, number) };
    snprintf(one.name, sizeof one.name, "%s", name);
    set_name(w->stored, &w->nstored, &one);
    return one.inode;
}

void world_add_killed(struct world *w, uint64_t number, const char *name, bool is_named,
                      const struct bytes *seen, const struct bytes *stored)
{
    if (is_named)
        (void)world_add(w, number, name);
    else
        add_naming(w, (const unsigned char *)name, strlen(name), make_inode(w, number), -1, 0);
    struct inode *f = &w->inodes[w->ninodes - 1];
    bytes_put(&f->seen, 0, seen->x, seen->n);
    bytes_put(&f->stored, 0, stored->x, stored->n);
    for (int64_t at = 0; at < seen->n; at += SECTOR) {
        int64_t left = seen->n - at;
        struct delta d = { seen->x + at, 0, (int)(left < SECTOR ? left : SECTOR), 0, -1, 0, 0 };
        d.end = at + d.n;
        if (d.end > stored->n || memcmp(seen->x + at, stored->x + at, (size_t)d.n) != 0)
            add_delta(f, at / SECTOR, &d);
    }
}

/* ---- steps */

static void end_open(struct world *w, const struct entry *b, const struct entry *e, size_t at)
{
    if (e->r.result < 0)
        return;
    if (e->r.inode) /* it made the name */
        add_naming(w, b->name, b->r.nname, make_inode(w, e->r.inode), b->r.rank, at);
    else if (b->r.length == 0) { /* O_TRUNC */
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)b->r.nname, (const char *)b->name);
        int i = world_seen(w, name);
        if (i >= 0)
            resize(&w->inodes[i], 0, true, b->r.rank, at);
    }
}

static void end_rename(struct world *w, const struct entry *b, size_t at)
{
    const unsigned char *to = memchr(b->name, 0, b->r.nname);
    char from[256];
    if (!to)
        return;
    snprintf(from, sizeof from, "%s", (const char *)b->name);
    int inode = world_seen(w, from);
    to++;
    add_naming(w, to, b->r.nname - (size_t)(to - b->name), inode, b->r.rank, at);
    add_naming(w, b->name, strlen(from), -1, b->r.rank, at);
}

static void end_step(struct world *w, const struct log *log, size_t at)
{
    const struct entry *e = &log->x[at], *b = &log->x[e->begin];
    int i = b->r.inode ? world_inode(w, b->r.inode) : -1;
    struct inode *f = i >= 0 ? &w->inodes[i] : NULL;
    if (b->r.op == SHIM_OPEN)
        end_open(w, b, e, at);
    else if (b->r.op == SHIM_UNLINK && e->r.result == 0)
        add_naming(w, b->name, b->r.nname, -1, b->r.rank, at);
    else if (b->r.op == SHIM_RENAME && e->r.result == 0)
        end_rename(w, b, at);
    else if (b->r.op == SHIM_SYNC_FOLDER && e->r.result == 0)
        store_names(w, b->r.rank, e->begin);
    else if (!f)
        return;
    else if (b->r.op == SHIM_WRITE && e->r.result != b->r.length)
        w->trouble = "a write was not whole";
    else if (b->r.op == SHIM_WRITE)
        end_deltas(f, b, e->begin, at);
    else if (b->r.op == SHIM_SYNC && e->r.result == 0)
        store(f, b->r.rank, e->begin);
    else if (b->r.op == SHIM_TRUNCATE || b->r.op == SHIM_ALLOCATE)
        resize(f, e->r.result == 0 ? b->r.length : 0, b->r.op == SHIM_TRUNCATE && e->r.result == 0, b->r.rank,
               at);
}

void world_step(struct world *w, const struct log *log, size_t at)
{
    const struct entry *e = &log->x[at];
    if (e->r.op == SHIM_END) {
        end_step(w, log, at);
    } else if (e->r.op == SHIM_WRITE && e->r.length > 0) {
        int i = world_inode(w, e->r.inode);
        if (i < 0)
            w->trouble = "a write to a file that nobody made";
        else
            add_deltas(&w->inodes[i], e, at);
    }
}

void world_free(struct world *w)
{
    for (int i = 0; i < w->ninodes; i++) {
        struct inode *f = &w->inodes[i];
        for (int64_t s = 0; s < f->nsectors; s++)
            free(f->sectors[s].x);
        free(f->sectors);
        free(f->resizes);
        free(f->seen.x);
        free(f->stored.x);
    }
    free(w->pending);
    *w = (struct world){ 0 };
}
