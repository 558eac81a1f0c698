/* See copytiles.h. */
#include "copytiles.h"
#include "alloc.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"

/* Of so many values that it is a tile by itself, whatever follows. */
static int64_t bytes_of_chunk(const struct pcdf_var *var, const int64_t *chunk)
{
    int64_t bytes = pcdf_type_size(var->type);
    for (int i = 0; i < var->ndims; i++)
        if (__builtin_mul_overflow(bytes, pcdf_larger(1, chunk[i]), &bytes))
            return INT64_MAX;
    return bytes;
}

/* Units follow the chunks of the input where its indices rise with those of the copy. */
static bool follows(const struct pcdf_copy_tiles *t, const struct pcdf_var *var, int i)
{
    return t->is_aligned && t->how.cuts[var->dimids[i]].rises;
}

/* Box and steps of the units: in the coordinates of the input from the chunk on that has the first value, or
 * in those of the copy. false: the variable is empty. */
static bool measure(struct pcdf_copy_tiles *t, const struct pcdf_var *var, const int64_t *chunk)
{
    bool is_empty = false;

    for (int i = 0; i < var->ndims; i++) {
        t->low[i] = 0;
        t->span[i] = t->shape[i];
        t->least[i] = chunk ? pcdf_larger(1, chunk[i]) : 1;
        is_empty |= t->shape[i] <= 0;
        if (t->is_aligned && !follows(t, var, i)) /* a circle that begins elsewhere: one unit */
            t->least[i] = pcdf_larger(1, t->shape[i]);
        if (!follows(t, var, i) || is_empty)
            continue;
        const struct pcdf_copy_cut *cut = &t->how.cuts[var->dimids[i]];
        int64_t first = pcdf_copy_cut_at(cut, 0).low;
        t->low[i] = first - first % t->least[i];
        t->span[i] = pcdf_copy_cut_at(cut, t->shape[i] - 1).low + 1 - t->low[i];
    }
    return !is_empty;
}

static bool enter_variable(struct pcdf_copy_tiles *t)
{
    const struct pcdf_var *var = &t->how.meta->vars[t->varid];
    const int64_t *chunk = t->how.chunks ? t->how.chunks[t->varid] : NULL;
    int size = pcdf_type_size(var->type);

    pcdf_var_shape(t->how.meta, var, t->shape);
    t->is_aligned = t->how.cuts && chunk;
    if (!measure(t, var, chunk))
        return false;
    pcdf_grid_choose(var->ndims, t->span, t->least, size, PCDF_COPY_TILE, false, t->step);
    pcdf_grid_cut(&t->units, var->ndims, t->low, t->span, t->step);
    return true;
}

/* The unit in the coordinates of the copy; false: the stride takes nothing of it. */
static bool enter_unit(struct pcdf_copy_tiles *t)
{
    const struct pcdf_var *var = &t->how.meta->vars[t->varid];
    int size = pcdf_type_size(var->type);

    for (int i = 0; i < var->ndims; i++) {
        int64_t first = t->units.start[i], end = first + t->units.count[i];
        if (follows(t, var, i)) {
            const struct pcdf_copy_cut *cut = &t->how.cuts[var->dimids[i]];
            first = cut->is_whole ? first : pcdf_copy_cut_below(cut, first);
            end = cut->is_whole ? end : pcdf_copy_cut_below(cut, end);
        }
        t->low[i] = first;
        t->span[i] = end - first;
        if (end <= first)
            return false;
    }
    for (int i = 0; i < var->ndims; i++)
        t->step[i] = t->span[i];
    if (t->how.splits)
        pcdf_grid_choose(var->ndims, t->span, NULL, size, PCDF_COPY_TILE, false, t->step);
    pcdf_grid_cut(&t->parts, var->ndims, t->low, t->span, t->step);
    t->unit++;
    return true;
}

static bool next_unit(struct pcdf_copy_tiles *t)
{
    for (;;) {
        while (t->varid >= 0 && pcdf_grid_next(&t->units))
            if (enter_unit(t))
                return true;
        do {
            if (++t->varid >= t->how.meta->nvars)
                return false;
        } while ((t->how.chosen && !t->how.chosen[t->varid]) || !enter_variable(t));
    }
}

int pcdf_copy_tiles_begin(struct pcdf_copy_tiles *tiles, struct pcdf_copy_tiling how)
{
    int most = pcdf_tool_most_dims(how.meta);
    size_t each = (size_t)most + 1;

    *tiles = (struct pcdf_copy_tiles){ .how = how, .varid = -1, .unit = -1 };
    tiles->shape = pcdf_calloc(each, 5 * sizeof *tiles->shape);
    if (!tiles->shape || !pcdf_grid_begin(&tiles->units, most) || !pcdf_grid_begin(&tiles->parts, most))
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    tiles->low = tiles->shape + each;
    tiles->span = tiles->low + each;
    tiles->step = tiles->span + each;
    tiles->least = tiles->step + each;
    return PCDF_TOOL_GOOD;
}

bool pcdf_copy_tiles_next(struct pcdf_copy_tiles *t)
{
    while (!t->in_unit || !pcdf_grid_next(&t->parts)) {
        t->in_unit = next_unit(t);
        if (!t->in_unit)
            return false;
    }
    t->start = t->parts.start;
    t->count = t->parts.count;
    t->n = pcdf_grid_values(&t->parts);
    return true;
}

void pcdf_copy_tiles_end(struct pcdf_copy_tiles *tiles)
{
    pcdf_grid_end(&tiles->units);
    pcdf_grid_end(&tiles->parts);
    pcdf_free(tiles->shape);
}

int64_t pcdf_copy_tiles_bytes(const struct pcdf_copy_tiling *how)
{
    int64_t most = PCDF_COPY_TILE;
    for (int i = 0; how->chunks && !how->splits && i < how->meta->nvars; i++)
        if (how->chunks[i])
            most = pcdf_larger(most, bytes_of_chunk(&how->meta->vars[i], how->chunks[i]));
    return most;
}
