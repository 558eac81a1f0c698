/* See stalestorage.h. */

#include "stalestorage.h"
#include <stdlib.h>
#include <string.h>
#include "status.h"

enum { PAGE = 4096 };

struct stale {
    struct pcdf_storage storage;
    char **pages; /* NULL: not read yet */
    int64_t npages;
};

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

static int stale_move(struct pcdf_storage *below, const struct pcdf_extents *x, int64_t *got)
{
    struct stale *s = (struct stale *)below;
    if (x->dir == PCDF_PUT)
        PCDF_TRY(pcdf_storage_move(s->storage.below, x, got));
    for (size_t i = 0; i < x->n; i++)
        PCDF_TRY(pass(s, x->dir, &x->pieces[i]));
    return NC_NOERR;
}

static int stale_close(struct pcdf_storage *storage)
{
    struct stale *s = (struct stale *)storage;
    for (int64_t i = 0; i < s->npages; i++)
        free(s->pages[i]);
    free(s->pages);
    return pcdf_storage_close(storage->below);
}

static const struct pcdf_storage_ops stale_ops = { .name = "stale",
                                                   .move = stale_move,
                                                   .close = stale_close };

int stale_stack(const char *value, int rank, struct pcdf_storage **top)
{
    struct stale *s = pcdf_storage_make(sizeof *s, &stale_ops, *top, NULL);
    (void)value, (void)rank;
    if (!s)
        return NC_ENOMEM;
    *top = &s->storage;
    return NC_NOERR;
}
