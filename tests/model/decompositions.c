/* See program.h: what parallel programs usually put, all of a variable or of some records, divided among the
 * ranks: blocks, cycles, cuts anywhere, one rank alone. No element belongs to two ranks. */
#include "program.h"

enum kind { BLOCKS, CYCLES, LISTED_CYCLES, CUTS, ONE_RANK, KINDS };
static const char *const kind_names[KINDS] = { "blocks", "cycles", "listed cycles", "cuts", "one rank" };

/* What is divided, and how. */
struct division {
    enum kind kind;
    int nd, along, owner;
    int64_t first[MAX_NDIMS], length[MAX_NDIMS];
    int grid[MAX_NDIMS];         /* blocks: ranks along each */
    int64_t cuts[MAX_RANKS + 1]; /* rank r: from cuts[r] to cuts[r + 1] */
};

/* All of the variable, or some of its records. */
static void choose_range(struct division *d, const struct m_var *v, bool put)
{
    int64_t known = g.numrecs[0];
    for (int i = 0; i < d->nd; i++) {
        d->first[i] = 0;
        d->length[i] = shape_of(v, i, known);
    }
    if (!v->is_record)
        return;
    int64_t most = put ? MAX_RECORDS : known;
    d->first[0] = one_in(2) && known < most ? known : below(known);
    int64_t left = most - d->first[0];
    d->length[0] = left <= 0 ? 0 : 1 + below(left < 3 ? left : 3);
}

static void choose_cuts(struct division *d)
{
    int64_t n = d->length[d->along];
    d->cuts[0] = 0;
    d->cuts[g.size] = n;
    for (int r = 1; r < g.size; r++)
        d->cuts[r] = below(n + 1);
    for (int r = 1; r < g.size; r++) /* in rising order */
        for (int k = r; k > 1 && d->cuts[k - 1] > d->cuts[k]; k--) {
            int64_t kept = d->cuts[k];
            d->cuts[k] = d->cuts[k - 1];
            d->cuts[k - 1] = kept;
        }
}

static void choose_division(struct division *d, const struct m_var *v, bool put)
{
    int left = g.size;
    *d = (struct division){ .kind = (enum kind)below(KINDS), .nd = v->ndims };
    choose_range(d, v, put);
    d->along = (int)below(d->nd);
    d->owner = (int)below(g.size);
    for (int i = 0; i < d->nd; i++)
        d->grid[i] = 1;
    for (int factor = 2; factor <= left; factor++)
        for (; left % factor == 0; left /= factor)
            d->grid[below(d->nd)] *= factor;
    choose_cuts(d);
    if (d->kind == LISTED_CYCLES && d->length[d->along] > (int64_t)MAX_PIECES * g.size)
        d->kind = CYCLES;
}

static void take_block(struct part *p, const struct division *d)
{
    int rest = p->rank;
    for (int i = d->nd - 1; i >= 0; i--) {
        int64_t at = rest % d->grid[i], n = d->length[i];
        rest /= d->grid[i];
        p->start[i] += n * at / d->grid[i];
        p->count[i] = n * (at + 1) / d->grid[i] - n * at / d->grid[i];
    }
}

static void take_cycle(struct part *p, const struct division *d)
{
    int64_t n = d->length[d->along];
    p->form = FORM_VARS;
    p->stride[d->along] = g.size;
    p->count[d->along] = p->rank < n ? (n - p->rank + g.size - 1) / g.size : 0;
    p->start[d->along] += p->count[d->along] ? p->rank : 0;
}

static void take_list(struct part *p, const struct division *d)
{
    p->form = FORM_VARN;
    for (int64_t at = p->rank; at < d->length[d->along]; at += g.size, p->num++)
        for (int i = 0; i < d->nd; i++) {
            p->starts[p->num][i] = d->first[i] + (i == d->along ? at : 0);
            p->counts[p->num][i] = i == d->along ? 1 : d->length[i];
        }
}

static void take_part(struct part *p, const struct division *d)
{
    p->form = FORM_VARA;
    for (int i = 0; i < d->nd; i++) {
        p->start[i] = d->first[i];
        p->count[i] = d->length[i];
        p->stride[i] = 1;
    }
    if (d->kind == BLOCKS) {
        take_block(p, d);
    } else if (d->kind == CYCLES) {
        take_cycle(p, d);
    } else if (d->kind == LISTED_CYCLES) {
        take_list(p, d);
    } else if (d->kind == CUTS) {
        p->start[d->along] += d->cuts[p->rank];
        p->count[d->along] = d->cuts[p->rank + 1] - d->cuts[p->rank];
    } else if (p->rank != d->owner) {
        p->count[d->along] = 0;
    }
}

void choose_decomposition(struct part *parts, bool put, int varid)
{
    struct division d;
    choose_division(&d, &now.vars[varid], put);
    tell(" in %s", kind_names[d.kind]);
    for (int r = 0; r < g.size; r++) {
        struct part *p = &parts[r];
        *p = (struct part){ .rank = r, .varid = varid, .var = &now.vars[varid], .together = true };
        p->mem = p->var->type == NC_CHAR ? MEM_TEXT : (enum mem)(1 + below(MEMS - 1));
        take_part(p, &d);
        list_elements(p);
        var_fill(p->var, p->fill);
        choose_flex(p);
    }
}
