/* Names of programs -> files and variables; what a wrong name may have meant. */
#include "exprgraph.h"
#include "likeness.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- what was meant? */

struct guess {
    struct pcdf_likeness like;
    int source; /* of the best; -1: a result */
};

static void weigh(struct guess *best, const char *name, int source)
{
    if (pcdf_like_offer(&best->like, name))
        best->source = source;
}

static struct guess guess_of(const struct pcdf_expr *e, const char *wanted, int only)
{
    struct guess best = { .like = pcdf_like(wanted) };
    for (int i = 0; i < e->nsources; i++)
        for (int k = 0; (only < 0 || i == only) && k < e->sources[i].meta->nvars; k++)
            weigh(&best, e->sources[i].meta->vars[k].name, i);
    for (size_t i = 0; only < 0 && i < e->results.n; i++)
        weigh(&best, e->results.x[i].name, -1);
    return best;
}

/* ---- files */

int pcdf_expr_find_source(const struct pcdf_expr *e, const char *name, size_t at, size_t n, int *source,
                          struct pcdf_expr_fault *fault)
{
    for (*source = 0; *source < e->nsources; ++*source)
        if (e->sources[*source].name && strcmp(e->sources[*source].name, name) == 0)
            return NC_NOERR;
    *source = name[0] - 'a';
    if (name[1] == '\0' && *source >= 0 && *source < e->nsources && *source < 26)
        return NC_NOERR;
    if (e->nsources == 1)
        return pcdf_expr_wrong(fault, at, n, "there is no file %.200s: the only one is a", name);
    return pcdf_expr_wrong(fault, at, n,
                           "there is no file %.200s: there are a to %c, and names given as NAME=FILE", name,
                           'a' + (e->nsources < 26 ? e->nsources : 26) - 1);
}

/* ---- variables */

static int find_in(const struct pcdf_expr *e, int source, const char *name)
{
    struct pcdf_name nfc;
    return pcdf_name_lookup(name, &nfc) ? -1 : pcdf_meta_find_var(e->sources[source].meta, nfc.text);
}

static int tell_none(const struct pcdf_expr *e, const struct pcdf_expr_item *item, int only,
                     struct pcdf_expr_fault *fault)
{
    struct guess guess = guess_of(e, item->name, only);
    const char *path = only >= 0          ? e->sources[only].path
                       : e->nsources == 1 ? e->sources[0].path
                                          : "the files";
    char hint[PCDF_LIKE_HINT];
    return pcdf_expr_wrong(fault, item->at, item->n, "no variable named %.120s in %.200s%.250s", item->name,
                           path, pcdf_like_hint(&guess.like, hint));
}

static int tell_several(const struct pcdf_expr *e, const struct pcdf_expr_item *item, int one, int other,
                        struct pcdf_expr_fault *fault)
{
    return pcdf_expr_wrong(fault, item->at, item->n,
                           "%.120s is in %.200s and in %.200s; a letter says which one, as in %c:%.60s",
                           item->name, e->sources[one].path, e->sources[other].path,
                           'a' + (one < 26 ? one : 25), item->name);
}

/* Without a file: of the first file that is given; else of the only one that has it. */
int pcdf_expr_find_variable(const struct pcdf_expr *e, const struct pcdf_expr_item *item, int *source,
                            int *varid, struct pcdf_expr_fault *fault)
{
    int from = -1;
    if (item->file) {
        PCDF_TRY(pcdf_expr_find_source(e, item->file, item->at, item->n, source, fault));
        *varid = find_in(e, *source, item->name);
        return *varid >= 0 ? NC_NOERR : tell_none(e, item, *source, fault);
    }
    for (int i = 0; i < e->nsources; i++) {
        int id = find_in(e, i, item->name);
        if (id >= 0 && from > 0) {
            *source = from;
            return tell_several(e, item, from, i, fault);
        }
        if (id >= 0 && from < 0) {
            from = i;
            *varid = id;
        }
        if (from == 0)
            break;
    }
    *source = from;
    return from >= 0 ? NC_NOERR : tell_none(e, item, -1, fault);
}
