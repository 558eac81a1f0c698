/* See chunkdivision.h. */
#include "chunkdivision.h"
#include "numbers.h"

/* Longer dimensions are not divided: so products with numbers of parts have room. */
#define LONGEST (INT64_C(1) << 31)

/* The dimensions along which ranks begin at different places; false: they cannot be borders. */
static bool find_divided(struct pcdf_chunk_owners *o, const struct pcdf_chunk_deal *deal)
{
    for (int d = 0; d < deal->ndims; d++) {
        const struct pcdf_deal_dim x = pcdf_chunk_deal_dim(deal, d);
        if (x.highest <= x.lowest)
            continue;
        if (x.lowest != 0 || deal->length[d] == 0 || deal->length[d] > LONGEST || o->n == PCDF_OWNER_DIMS)
            return false;
        o->x[o->n++] = (struct pcdf_owner_dim){
            .dim = d, .length = deal->length[d], .block = x.least, .stride = x.first
        };
    }
    return o->n > 0;
}

/* Along a dimension the numbers of ranks count on by its stride, up to the next longer one. */
static bool find_parts(struct pcdf_chunk_owners *o, int ranks)
{
    for (int i = 0; i < o->n; i++) {
        struct pcdf_owner_dim *x = &o->x[i];
        int64_t next = ranks;
        if (x->stride < 1 || x->stride > ranks)
            return false;
        for (int k = 0; k < o->n; k++) {
            if (k != i && o->x[k].stride == x->stride)
                return false;
            if (o->x[k].stride > x->stride)
                next = pcdf_smaller(next, o->x[k].stride);
        }
        x->parts = next / x->stride;
        if (next != ranks && next % x->stride != 0)
            return false;
    }
    return true;
}

void pcdf_chunk_owners_propose(struct pcdf_chunk_owners *o, const struct pcdf_chunk_deal *deal, int ranks)
{
    *o = (struct pcdf_chunk_owners){ 0 };
    if (pcdf_chunk_deal_is_dense(deal) && find_divided(o, deal) && find_parts(o, ranks))
        o->ranks = ranks;
}

static bool fits_rule(struct pcdf_owner_dim x, enum pcdf_border_rule rule, int64_t part, int64_t low,
                      int64_t high)
{
    x.rule = rule;
    bool is_last = rule != PCDF_BORDERS_LENGTH && part + 1 == x.parts;
    return low == pcdf_owner_dim_border(&x, part) &&
           high <= (is_last ? x.length : pcdf_owner_dim_border(&x, part + 1));
}

void pcdf_chunk_owners_check(const struct pcdf_chunk_owners *o, const struct pcdf_chunk_deal *deal,
                             int64_t fits[PCDF_OWNER_FITS])
{
    for (int i = 0; i < PCDF_OWNER_FITS; i++) {
        const struct pcdf_owner_dim *x = &o->x[i / PCDF_BORDERS_N];
        fits[i] = deal->slabs == 0 || i / PCDF_BORDERS_N >= o->n ||
                  (deal->owner >= 0 && fits_rule(*x, i % PCDF_BORDERS_N, deal->owner / x->stride % x->parts,
                                                 deal->low[x->dim], deal->high[x->dim]));
    }
}

void pcdf_chunk_owners_choose(struct pcdf_chunk_owners *o, const int64_t fits[PCDF_OWNER_FITS])
{
    int64_t used = 1; /* ranks that own something */
    for (int i = 0; i < o->n; i++) {
        struct pcdf_owner_dim *x = &o->x[i];
        int rule = 0;
        while (rule < PCDF_BORDERS_N && !fits[i * PCDF_BORDERS_N + rule])
            rule++;
        x->rule = rule;
        used *=
            rule < PCDF_BORDERS_N ? pcdf_smaller(x->parts, pcdf_owner_dim_block(x, x->length - 1) + 1) : 0;
    }
    if (2 * used <= o->ranks)
        *o = (struct pcdf_chunk_owners){ 0 };
}
