/* See joinput.h. */
#include "joinput.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"
#include "value.h"

#include <string.h>

int pcdf_join_puts_begin(struct pcdf_join_puts *p, struct pcdf_tool_puts *to, int64_t most)
{
    *p = (struct pcdf_join_puts){ .to = to };
    p->room = pcdf_malloc((size_t)most);
    p->part = pcdf_malloc((size_t)most);
    if (p->room && p->part)
        return PCDF_TOOL_GOOD;
    pcdf_join_puts_end(p);
    return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
}

void pcdf_join_puts_end(struct pcdf_join_puts *p)
{
    pcdf_free(p->room);
    pcdf_free(p->part);
    *p = (struct pcdf_join_puts){ 0 };
}

/* In a chunk of whole records those of other variables lie between. */
static unsigned char *together(const struct pcdf_join_puts *p, const struct pcdf_var *var,
                               const struct pcdf_join_chunk *chunk, const struct pcdf_join_part *part)
{
    unsigned char *from = chunk->bytes + part->at;
    if (chunk->nparts == 1)
        return from;
    for (int64_t i = 0; i < part->count[0]; i++)
        memcpy(p->part + i * var->nbytes, from + i * part->steps[0], (size_t)var->nbytes);
    return p->part;
}

int pcdf_join_put_chunk_all(const struct pcdf_join_puts *p, const struct pcdf_join_plan *plan,
                            const struct pcdf_join_chunk *chunk)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < chunk->nparts && !status; i++) {
        const struct pcdf_join_part *part = &chunk->parts[i];
        const int varid = plan->vars[part->var].out;
        const struct pcdf_var *var = &plan->out.vars[varid];
        int64_t n = 1;
        for (int k = 0; k < var->ndims; k++)
            n *= part->count[k];
        unsigned char *values = together(p, var, chunk, part);
        pcdf_values_swap(values, n, pcdf_type_size(var->type));
        const struct pcdf_tool_put put = {
            .varid = varid, .start = part->start, .count = part->count, .values = values
        };
        status = pcdf_tool_put_all(p->to, &put);
    }
    return status;
}
