/* See calcplan.h. */
#include "calcplan.h"
#include "status.h"
#include "tool.h"
#include "toolkind.h"

#include <string.h>

static int no_memory(const struct pcdf_calc_plan *p)
{
    return pcdf_tool_unusable(p->options->to, "%s", pcdf_fail_text());
}

/* What has the same dimensions is computed together, so that each value of a file is read once for it. */
static void group(struct pcdf_calc_plan *p)
{
    for (int i = 0; i < p->out.nvars; i++) {
        struct pcdf_calc_var *v = &p->vars[i];
        v->group = v->node < 0 ? -1 : p->ngroups;
        for (int k = 0; k < i && v->node >= 0; k++) {
            const struct pcdf_expr_node *a = &p->expr.nodes.x[v->node],
                                        *b = &p->expr.nodes.x[p->vars[k].node];
            if (p->vars[k].node >= 0 && a->ndims == b->ndims &&
                memcmp(a->dims, b->dims, (size_t)a->ndims) == 0) {
                v->group = p->vars[k].group;
                break;
            }
        }
        p->ngroups += v->group == p->ngroups;
    }
}

static int compile(struct pcdf_calc_plan *p, struct pcdf_expr_fault *fault)
{
    PCDF_TRY(pcdf_expr_parse(&p->tree, p->text, strlen(p->text), fault));
    PCDF_TRY(pcdf_expr_compile(&p->expr, &p->tree, p->sources, p->options->nfrom, fault));
    PCDF_TRY(pcdf_calc_define(p, fault));
    group(p);
    return NC_NOERR;
}

int pcdf_calc_plan_make(struct pcdf_calc_plan *p, const struct pcdf_calc_options *options, const char *text,
                        struct pcdf_tool_dataset *const *datasets, bool says_faults)
{
    struct pcdf_expr_fault fault = { 0 };
    *p = (struct pcdf_calc_plan){ .options = options, .text = text };
    pcdf_meta_init(&p->out, (enum pcdf_version)pcdf_tool_format_version(options->format));
    p->sources = pcdf_calloc((size_t)options->nfrom + 1, sizeof *p->sources);
    for (int i = 0; p->sources && i < options->nfrom; i++)
        p->sources[i] = (struct pcdf_expr_source){ options->names[i], options->paths[i], &datasets[i]->meta };
    int err = p->sources ? compile(p, &fault) : NC_ENOMEM;
    int status = PCDF_TOOL_GOOD;
    if (err && fault.text[0])
        status = PCDF_TOOL_UNUSABLE;
    else if (err)
        status = no_memory(p);
    if (err && fault.text[0] && says_faults)
        pcdf_expr_tell(&fault, text);
    if (err)
        pcdf_calc_plan_free(p);
    return status;
}

void pcdf_calc_plan_free(struct pcdf_calc_plan *p)
{
    pcdf_expr_free(&p->expr);
    pcdf_expr_tree_free(&p->tree);
    pcdf_meta_free(&p->out);
    pcdf_free(p->sources);
    pcdf_free(p->vars);
}

/* ---- bytes */

static int64_t bytes_of(const struct pcdf_calc_plan *p, int source, int varid)
{
    const struct pcdf_meta *meta = p->sources[source].meta;
    return pcdf_tool_count(meta, varid) * pcdf_type_size(meta->vars[varid].type);
}

static int64_t group_bytes(const struct pcdf_calc_plan *p, int number, bool *is_needed)
{
    int64_t bytes = 0;
    int n = (int)p->expr.nodes.n;
    memset(is_needed, 0, (size_t)n * sizeof *is_needed);
    for (int i = 0; i < p->out.nvars; i++)
        if (p->vars[i].group == number)
            is_needed[p->vars[i].node] = true;
    for (int i = n - 1; i >= 0; i--) {
        const struct pcdf_expr_node *node = &p->expr.nodes.x[i];
        for (int k = 0; is_needed[i] && k < node->nargs; k++)
            is_needed[node->args[k]] = true;
        if (is_needed[i] && node->op == PCDF_EXPR_VARIABLE)
            bytes += bytes_of(p, node->source, node->varid);
    }
    return bytes;
}

int64_t pcdf_calc_plan_bytes(const struct pcdf_calc_plan *p)
{
    int64_t bytes = 0;
    bool *is_needed = pcdf_calloc(p->expr.nodes.n + 1, sizeof *is_needed);
    for (int i = 0; i < p->out.nvars; i++)
        if (p->vars[i].node < 0)
            bytes += bytes_of(p, p->vars[i].source, p->vars[i].varid);
    for (int i = 0; is_needed && i < p->ngroups; i++)
        bytes += group_bytes(p, i, is_needed);
    pcdf_free(is_needed);
    return bytes;
}
