/* Staged bytes of rounds and windows, see plan.h. */
#include <stdlib.h>
#include "sweep.h"

/* The order in which the requests were posted, and their hyperslabs given. */
static int op_order(const void *a, const void *b)
{
    const struct pcdf_op *x = a, *y = b;
    if (x->request != y->request)
        return x->request < y->request ? -1 : 1;
    return x->element < y->element ? -1 : x->element > y->element;
}

void pcdf_round_pack(const struct pcdf_plan *plan, struct pcdf_round *round, unsigned char *stage)
{
    if (round->overlaps) /* then the later one must come last */
        qsort(round->ops, round->nops, sizeof *round->ops, op_order);
    for (size_t i = 0; i < round->nops; i++) {
        const struct pcdf_op *op = &round->ops[i];
        pcdf_request_pack(plan->requests[op->request], pcdf_plan_var_layout(plan, op->request), op->element,
                          op->n, stage + op->stage);
    }
}

void pcdf_round_unpack(const struct pcdf_plan *plan, const struct pcdf_round *round,
                       const unsigned char *stage)
{
    for (size_t i = 0; i < round->nops; i++) {
        const struct pcdf_op *op = &round->ops[i];
        pcdf_request_unpack(plan->requests[op->request], op->element, op->n, stage + op->stage);
    }
}
