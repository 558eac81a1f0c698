/* See stalestorage.h. */

#include "stalestorage.h"
#include <stdlib.h>
#include <string.h>
#include "status.h"

enum { PAGE = 4096 };

struct kept { /* a put that is not in the file yet */
    int64_t offset, length;
    struct kept *next;
    char bytes[];
};

struct stale {
    struct pcdf_storage storage;
    char **pages; /* NULL: not read yet */
    int64_t npages;
    bool keeps_puts;
    struct kept *first, **end; /* in the order of the puts */
};

/* What is kept and lies in a page that was just read. */
static void overlay(const struct stale *s, int64_t page, char *bytes)
{
    const int64_t begin = page * PAGE;
    for (const struct kept *k = s->first; k; k = k->next) {
        int64_t from = k->offset > begin ? k->offset : begin, to = k->offset + k->length;
        to = to < begin + PAGE ? to : begin + PAGE;
        if (from < to)
            memcpy(bytes + from - begin, k->bytes + from - k->offset, (size_t)(to - from));
    }
}

/* The page, read if it is the first time. NULL: no memory, or it cannot be read. */
static char *page_of(struct stale *s, int64_t page)
{
    if (page >= s->npages) {
        char **pages = realloc(s->pages, (size_t)(page + 1) * sizeof *pages);
        if (!pages)
            return NULL;
        memset(pages + s->npages, 0, (size_t)(page + 1 - s->npages) * sizeof *pages);
        s->pages = pages;
        s->npages = page + 1;
    }
    if (!s->pages[page]) {
        char *bytes = malloc(PAGE);
        if (!bytes || pcdf_storage_move_at(s->storage.below, PCDF_GET, bytes, PAGE, page * PAGE, NULL)) {
            free(bytes);
            return NULL;
        }
        overlay(s, page, bytes);
        s->pages[page] = bytes;
    }
    return s->pages[page];
}

/* A get from the cache; a put into those of its pages that are there. */
static int pass(struct stale *s, enum pcdf_dir dir, const struct pcdf_piece *p)
{
    for (int64_t done = 0, n; done < p->length; done += n) {
        int64_t at = p->offset + done, page = at / PAGE;
        n = PAGE - at % PAGE < p->length - done ? PAGE - at % PAGE : p->length - done;
        char *bytes = dir == PCDF_GET                              ? page_of(s, page)
                      : page < s->npages && s->pages[page] != NULL ? s->pages[page]
                                                                   : NULL;
        if (dir == PCDF_GET && !bytes)
            return PCDF_FAIL(NC_EREAD, "no page");
        if (dir == PCDF_GET)
            memcpy(p->data + done, bytes + at % PAGE, (size_t)n);
        else if (bytes)
            memcpy(bytes + at % PAGE, p->data + done, (size_t)n);
    }
    return NC_NOERR;
}

static int keep(struct stale *s, const struct pcdf_extents *x)
{
    for (size_t i = 0; i < x->n; i++) {
        const struct pcdf_piece *p = &x->pieces[i];
        struct kept *k = malloc(sizeof *k + (size_t)p->length);
        if (!k)
            return PCDF_FAIL(NC_ENOMEM, "no memory to keep a put");
        *k = (struct kept){ .offset = p->offset, .length = p->length };
        memcpy(k->bytes, p->data, (size_t)p->length);
        *s->end = k;
        s->end = &k->next;
    }
    return NC_NOERR;
}

/* What was kept reaches the file. */
static int let_go(struct stale *s)
{
    int status = NC_NOERR;
    while (s->first) {
        struct kept *k = s->first;
        pcdf_first(&status,
                   pcdf_storage_move_at(s->storage.below, PCDF_PUT, k->bytes, k->length, k->offset, NULL));
        s->first = k->next;
        free(k);
    }
    s->end = &s->first;
    return status;
}

static int stale_size(struct pcdf_storage *storage, int64_t *bytes)
{
    PCDF_TRY(pcdf_storage_size(storage->below, bytes));
    *bytes = storage->reach > *bytes ? storage->reach : *bytes;
    return NC_NOERR;
}

static int stale_move(struct pcdf_storage *storage, const struct pcdf_extents *x, int64_t *got)
{
    struct stale *s = (struct stale *)storage;
    int64_t size = 0;
    if (x->dir == PCDF_PUT)
        PCDF_TRY(s->keeps_puts && !x->together ? keep(s, x) : pcdf_storage_move(storage->below, x, got));
    else
        PCDF_TRY(stale_size(storage, &size));
    for (size_t i = 0; i < x->n; i++) {
        const struct pcdf_piece *p = &x->pieces[i];
        PCDF_TRY(pass(s, x->dir, p));
        int64_t end = p->offset + p->length, there = (end < size ? end : size) - p->offset;
        *got += there > 0 ? there : 0;
        if (x->dir == PCDF_PUT && end > storage->reach)
            storage->reach = end;
    }
    return NC_NOERR;
}

static int stale_resize(struct pcdf_storage *storage, int64_t bytes)
{
    int status = let_go((struct stale *)storage);
    pcdf_first(&status, pcdf_storage_resize(storage->below, bytes));
    storage->reach = bytes;
    return status;
}

static int stale_sync(struct pcdf_storage *storage, bool together)
{
    int status = let_go((struct stale *)storage);
    pcdf_first(&status, pcdf_storage_sync(storage->below, together));
    return status;
}

static int stale_close(struct pcdf_storage *storage)
{
    struct stale *s = (struct stale *)storage;
    int status = let_go(s);
    for (int64_t i = 0; i < s->npages; i++)
        free(s->pages[i]);
    free(s->pages);
    pcdf_first(&status, pcdf_storage_close(storage->below));
    return status;
}

static const struct pcdf_storage_ops stale_ops = { .name = "stale",
                                                   .knows_reach = true,
                                                   .move = stale_move,
                                                   .size = stale_size,
                                                   .resize = stale_resize,
                                                   .sync = stale_sync,
                                                   .close = stale_close };

int stale_stack(const char *value, int rank, struct pcdf_storage **top)
{
    struct stale *s = pcdf_storage_make(sizeof *s, &stale_ops, *top, NULL);
    (void)rank;
    if (!s)
        return NC_ENOMEM;
    s->keeps_puts = strcmp(value, "late") == 0;
    s->end = &s->first;
    *top = &s->storage;
    return NC_NOERR;
}
