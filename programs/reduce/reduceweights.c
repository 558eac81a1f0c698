/* See reduceweights.h. */
#include "reduceweights.h"
#include "alloc.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"

#include <inttypes.h>
#include <string.h>

enum { SOME = 4096 }; /* weights that are read at once */

const char *pcdf_reduce_weights_file(const char *text, const struct pcdf_meta *meta)
{
    const char *at = text ? strchr(text, '@') : NULL;
    return !at || !at[1] || pcdf_tool_find_variable(meta, text) >= 0 ? NULL : at + 1;
}

/* Their dimensions in the input. */
static int match(struct pcdf_reduce_weights *w, const struct pcdf_reduce_input *in, const char *path)
{
    const struct pcdf_var *var = &w->ds.meta.vars[w->id];
    w->ndims = var->ndims;
    w->dimids = pcdf_calloc((size_t)var->ndims + 1, sizeof *w->dimids);
    if (!w->dimids)
        return pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    for (int i = 0; i < var->ndims; i++) {
        const struct pcdf_dim *dim = &w->ds.meta.dims[var->dimids[i]];
        int id = pcdf_meta_find_dim(&in->meta, dim->name);
        if (id < 0)
            return pcdf_tool_unusable(path, "the weights have a dimension %.200s, which %.300s has not",
                                      dim->name, in->options->from[0]);
        int64_t length = dim->length ? dim->length : w->ds.meta.numrecs;
        int64_t other = pcdf_tool_dim_length(&in->meta, id);
        if (length != other)
            return pcdf_tool_unusable(path,
                                      "dimension %.200s of the weights has length %" PRId64 ", and %" PRId64
                                      " in what they weigh",
                                      dim->name, length, other);
        w->dimids[i] = id;
    }
    return PCDF_TOOL_GOOD;
}

static int open_file(struct pcdf_reduce_weights *w, const struct pcdf_reduce_input *in, const char *path,
                     const char *name)
{
    int status = pcdf_tool_dataset_open(&w->ds, path, true);
    w->is_open = status == PCDF_TOOL_GOOD;
    if (status)
        return status;
    w->id = pcdf_tool_find_variable(&w->ds.meta, name);
    if (w->id < 0)
        return pcdf_tool_no_variable(path, &w->ds.meta, name, " to weigh with");
    const struct pcdf_var *var = &w->ds.meta.vars[w->id];
    if (var->type == NC_CHAR)
        return pcdf_tool_unusable(path, "variable %.200s is text, and no weights", name);
    if (var->is_record && in->options->nfrom > 1 && w->own >= 0)
        return pcdf_tool_unusable(path, "weights with records are for one file");
    pcdf_stored_of(&w->form, var, false);
    return match(w, in, path);
}

int pcdf_reduce_weights_open(struct pcdf_reduce_weights *w, const struct pcdf_reduce_input *in)
{
    const char *text = in->options->weights, *file = pcdf_reduce_weights_file(text, &in->meta);
    char name[PCDF_TOOL_NAME];
    *w = (struct pcdf_reduce_weights){ .are_given = text != NULL, .own = -1 };
    if (!text)
        return PCDF_TOOL_GOOD;
    size_t n = file ? (size_t)(file - 1 - text) : strlen(text);
    n = n < sizeof name ? n : sizeof name - 1;
    memcpy(name, text, n);
    name[n] = '\0';
    w->own = file ? -1 : pcdf_tool_find_variable(&in->meta, name);
    return open_file(w, in, file ? file : in->options->from[0], name);
}

void pcdf_reduce_weights_close(struct pcdf_reduce_weights *w)
{
    if (w->is_open)
        pcdf_tool_dataset_close(&w->ds);
    pcdf_free(w->dimids);
    pcdf_free(w->x);
    *w = (struct pcdf_reduce_weights){ 0 };
}

int pcdf_reduce_weights_keep(struct pcdf_reduce_weights *w, int64_t most)
{
    if (!w->are_given)
        return NC_NOERR;
    w->room = pcdf_smaller(most, pcdf_larger(pcdf_tool_count(&w->ds.meta, w->id), 1));
    w->x = pcdf_malloc((size_t)w->room * sizeof *w->x);
    return w->x ? NC_NOERR : NC_ENOMEM;
}

static int read_some(struct pcdf_reduce_weights *w, int64_t from, int64_t n)
{
    unsigned char bytes[SOME * 8];
    double rest[SOME];
    int status = PCDF_TOOL_GOOD;
    for (int64_t done = 0; done < n && !status; done += SOME) {
        int64_t some = pcdf_smaller(n - done, SOME);
        status = pcdf_tool_values(&w->ds, w->id, from + done, some, bytes);
        if (!status)
            pcdf_stored_decode(&w->form, bytes, some, w->x + done, rest);
    }
    return status;
}

int pcdf_reduce_weights_get(struct pcdf_reduce_weights *w, int64_t from, int64_t to, const double **x)
{
    int64_t all = pcdf_tool_count(&w->ds.meta, w->id), n = to - from;
    *x = w->x;
    if (n > w->room)
        return pcdf_tool_unusable(w->ds.file.path,
                                  "%" PRId64
                                  " of the weights are needed at once, since their dimensions have "
                                  "another order, and --memory has room for %" PRId64,
                                  n, w->room);
    if (from < 0 || to > all) /* places that only a dimension named twice leads to */
        return pcdf_tool_unusable(w->ds.file.path, "a variable has a dimension of the weights twice");
    if (from < w->from || to > w->to) {
        bool fits = all <= w->room;
        w->from = fits ? 0 : from;
        w->to = fits ? all : to;
        int status = read_some(w, w->from, w->to - w->from);
        w->to = status ? w->from : w->to;
        if (status)
            return status;
    }
    *x = w->x + (from - w->from);
    return PCDF_TOOL_GOOD;
}
