/* See patchstorage.h. */
#include "patchstorage.h"
#include "patchset.h"
#include "numbers.h"
#include "status.h"

struct pcdf_patches {
    struct pcdf_storage storage;
    struct pcdf_patchset set;
    bool keeps;
};

/* n pieces, read below and patched. *there: how many of their bytes are. */
static int get_some(struct pcdf_patches *p, struct pcdf_extents *x, int64_t *there)
{
    int64_t below = 0, before = 0;
    PCDF_TRY(pcdf_storage_move(p->storage.below, x, &below));
    *there += below;
    /* Bytes that are missing below are the last ones. */
    for (size_t i = 0; i < x->n; i++) {
        *there += pcdf_patchset_lay_over(&p->set, &x->pieces[i], pcdf_larger(below - before, 0));
        before += x->pieces[i].length;
    }
    return NC_NOERR;
}

static int get(struct pcdf_patches *p, const struct pcdf_extents *x, int64_t *got)
{
    struct pcdf_extents some = *x;
    for (size_t at = 0; at < x->n; at++) {
        some.pieces = &x->pieces[at];
        some.n = 0;
        while (at < x->n && !pcdf_patchset_covers(&p->set, &x->pieces[at])) {
            some.n++;
            at++;
        }
        if (some.n > 0)
            PCDF_TRY(get_some(p, &some, got));
        if (at < x->n)
            *got += pcdf_patchset_lay_over(&p->set, &x->pieces[at], 0);
    }
    return NC_NOERR;
}

static int patches_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    struct pcdf_patches *p = (struct pcdf_patches *)s;
    if (!p->keeps || x->together)
        return pcdf_storage_move(s->below, x, got);
    return x->dir == PCDF_PUT ? pcdf_patchset_put(&p->set, x->pieces, x->n) : get(p, x, got);
}

static int patches_close(struct pcdf_storage *s)
{
    struct pcdf_patches *p = (struct pcdf_patches *)s;
    int status = NC_NOERR;
    if (p->set.nbytes > 0)
        status =
            PCDF_FAIL(NC_EWRITE, "%lld bytes that were put independently are lost: no call of all ranks came",
                      (long long)p->set.nbytes);
    pcdf_patchset_forget(&p->set);
    pcdf_first(&status, pcdf_storage_close(s->below));
    return status;
}

static const struct pcdf_storage_ops patches_ops = {
    .name = "patches",
    .move = patches_move,
    .close = patches_close,
};

int pcdf_patches_stack(int64_t limit, struct pcdf_storage **top, struct pcdf_patches **patches)
{
    struct pcdf_patches *p = pcdf_storage_make(sizeof *p, &patches_ops, *top, NULL);
    if (!p)
        return NC_ENOMEM;
    p->set.limit = limit;
    *top = &p->storage;
    *patches = p;
    return NC_NOERR;
}

void pcdf_patches_keep(struct pcdf_patches *patches, bool keeps)
{
    patches->keeps = keeps;
}

struct pcdf_iterator pcdf_patches_iterator(struct pcdf_patches *patches)
{
    return pcdf_patchset_iterator(&patches->set);
}

void pcdf_patches_forget(struct pcdf_patches *patches)
{
    pcdf_patchset_forget(&patches->set);
}
