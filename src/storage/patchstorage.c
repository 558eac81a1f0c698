/* See patchstorage.h. */
#include "patchstorage.h"
#include <assert.h>
#include "patchset.h"
#include "numbers.h"
#include "status.h"

struct pcdf_patches {
    struct pcdf_storage storage;
    struct pcdf_patchset set;
    bool is_keeping, lacked_room;
    struct pcdf_patches_rule rule;
};

/* ---- puts */

/* Of a piece, the bytes from *at on for which the rule says the same: whether they are kept. *at goes on. */
static bool next_part(const struct pcdf_patches *p, const struct pcdf_piece *piece, int64_t *at,
                      struct pcdf_piece *part)
{
    int64_t end = piece->offset + piece->length, same = end;
    bool is_kept = !p->rule.keeps || p->rule.keeps(p->rule.context, *at, &same);
    assert(same > *at);
    end = pcdf_smaller(end, same);
    *part = (struct pcdf_piece){ *at, end - *at, piece->data + (*at - piece->offset) };
    *at = end;
    return is_kept;
}

static int pass(struct pcdf_patches *p, const struct pcdf_extents *x, const struct pcdf_piece *pieces,
                size_t n)
{
    struct pcdf_extents some = *x;
    some.pieces = pieces;
    some.n = n;
    return n > 0 ? pcdf_storage_move(p->storage.below, &some, NULL) : NC_NOERR;
}

/* What is not kept, whole pieces by as few moves as there may be. */
static int put_below(struct pcdf_patches *p, const struct pcdf_extents *x)
{
    size_t first = 0; /* piece that passes whole, and did not yet */
    for (size_t i = 0; i < x->n; i++) {
        const struct pcdf_piece *piece = &x->pieces[i];
        struct pcdf_piece part;
        int64_t at = piece->offset, end = at + piece->length;
        bool is_kept = next_part(p, piece, &at, &part);
        if (!is_kept && at == end)
            continue;
        PCDF_TRY(pass(p, x, x->pieces + first, i - first));
        first = i + 1;
        if (!is_kept)
            PCDF_TRY(pass(p, x, &part, 1));
        while (at < end)
            if (!next_part(p, piece, &at, &part))
                PCDF_TRY(pass(p, x, &part, 1));
    }
    return pass(p, x, x->pieces + first, x->n - first);
}

/* What is kept is put last: it cannot fail. */
static int put(struct pcdf_patches *p, const struct pcdf_extents *x)
{
    struct pcdf_patchset_need need = { 0 };
    struct pcdf_piece part;
    for (size_t i = 0; i < x->n; i++)
        for (int64_t at = x->pieces[i].offset; at < x->pieces[i].offset + x->pieces[i].length;)
            if (next_part(p, &x->pieces[i], &at, &part))
                pcdf_patchset_measure(&p->set, &part, &need);
    int err = pcdf_patchset_reserve(&p->set, &need);
    p->lacked_room = err != NC_NOERR;
    PCDF_TRY(err);
    if (p->rule.keeps)
        PCDF_TRY(put_below(p, x));
    for (size_t i = 0; i < x->n; i++)
        for (int64_t at = x->pieces[i].offset; at < x->pieces[i].offset + x->pieces[i].length;)
            if (next_part(p, &x->pieces[i], &at, &part))
                pcdf_patchset_put(&p->set, &part);
    return NC_NOERR;
}

/* ---- gets */

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

/* ---- the layer */

static int patches_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    struct pcdf_patches *p = (struct pcdf_patches *)s;
    if (!p->is_keeping || x->together)
        return pcdf_storage_move(s->below, x, got);
    return x->dir == PCDF_PUT ? put(p, x) : get(p, x, got);
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

void pcdf_patches_keep(struct pcdf_patches *patches, const struct pcdf_patches_rule *rule)
{
    patches->is_keeping = rule != NULL;
    patches->lacked_room = false;
    if (rule)
        patches->rule = *rule;
}

bool pcdf_patches_is_keeping(const struct pcdf_patches *patches)
{
    return patches->is_keeping;
}

bool pcdf_patches_lacked_room(const struct pcdf_patches *patches)
{
    return patches->lacked_room;
}

struct pcdf_iterator pcdf_patches_iterator(struct pcdf_patches *patches)
{
    return pcdf_patchset_iterator(&patches->set);
}

void pcdf_patches_forget(struct pcdf_patches *patches)
{
    pcdf_patchset_forget(&patches->set);
}
