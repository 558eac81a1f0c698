/* See statschoice.h. */
#include "statschoice.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"
#include "toolgrid.h"

#include <string.h>

static bool is_part(const struct pcdf_stats_choice *c, int varid)
{
    return c->slices[varid].count != NULL;
}

bool pcdf_stats_is_chosen(const struct pcdf_stats_choice *c, int varid)
{
    return c->is_whole[varid] || is_part(c, varid);
}

/* One of a list. Two parts of one variable would be one row. */
static int choose_one(struct pcdf_stats_choice *c, const struct pcdf_tool_dataset *ds, const char *text,
                      size_t n)
{
    struct pcdf_tool_slice slice;
    int status = pcdf_tool_slice_parse(ds, text, n, &slice);

    if (status)
        return status;
    int varid = slice.varid;
    if (is_part(c, varid) || (c->is_whole[varid] && !slice.is_whole)) {
        pcdf_tool_say(ds->file.path, "%s is asked for twice", ds->meta.vars[varid].name);
        pcdf_tool_slice_free(&slice);
        return PCDF_TOOL_UNUSABLE;
    }
    c->is_whole[varid] = slice.is_whole;
    if (slice.is_whole) {
        pcdf_tool_slice_free(&slice);
        return PCDF_TOOL_GOOD;
    }
    c->slices[varid] = slice;
    c->texts[varid] = pcdf_strndup(text, n);
    if (c->texts[varid])
        return PCDF_TOOL_GOOD;
    return pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
}

int pcdf_stats_choose(struct pcdf_stats_choice *c, const struct pcdf_tool_dataset *ds,
                      const char *const *lists, int nlists)
{
    size_t n = (size_t)ds->meta.nvars + 1;
    int status = PCDF_TOOL_GOOD;

    c->is_whole = pcdf_calloc(n, sizeof *c->is_whole);
    c->slices = pcdf_calloc(n, sizeof *c->slices);
    c->texts = pcdf_calloc(n, sizeof *c->texts);
    if (!c->is_whole || !c->slices || !c->texts)
        return pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    for (int i = 0; i < ds->meta.nvars; i++)
        c->is_whole[i] = nlists == 0;
    for (int i = 0; i < nlists && !status; i++) {
        for (const char *at = lists[i]; !status; at++) {
            size_t length = pcdf_tool_slice_length(ds, at);
            status = choose_one(c, ds, at, length);
            at += length;
            if (!*at)
                break;
        }
    }
    return status;
}

void pcdf_stats_choice_end(struct pcdf_stats_choice *c, int nvars)
{
    for (int i = 0; i < nvars && c->slices && c->texts; i++) {
        if (is_part(c, i))
            pcdf_tool_slice_free(&c->slices[i]);
        pcdf_free(c->texts[i]);
    }
    pcdf_free(c->is_whole);
    pcdf_free(c->slices);
    pcdf_free(c->texts);
}

int64_t pcdf_stats_values(const struct pcdf_stats_choice *c, const struct pcdf_meta *meta, int varid)
{
    return is_part(c, varid) ? pcdf_tool_slice_size(&c->slices[varid]) : pcdf_tool_count(meta, varid);
}

int64_t pcdf_stats_bytes(const struct pcdf_stats_choice *c, const struct pcdf_meta *meta)
{
    int64_t bytes = pcdf_tool_work_bytes(meta, c->is_whole);
    for (int i = 0; i < meta->nvars; i++)
        if (is_part(c, i))
            bytes += pcdf_tool_slice_size(&c->slices[i]) * pcdf_type_size(meta->vars[i].type);
    return bytes;
}

/* ---- pieces */

void pcdf_stats_walk_begin(struct pcdf_stats_walk *walk, const struct pcdf_stats_choice *choice,
                           const struct pcdf_meta *meta, int64_t bytes)
{
    static const struct pcdf_tool_ranks alone = { .size = 1 };

    *walk = (struct pcdf_stats_walk){ .choice = choice };
    pcdf_tool_work_begin(&walk->work, meta, choice->is_whole, bytes, &alone);
    pcdf_stats_walk_next(walk);
}

static int64_t row_of(const struct pcdf_tool_slice *slice)
{
    return slice->count[slice->ndims - 1];
}

/* The next piece of a part, as a unit of its own. */
static bool next_of_parts(struct pcdf_stats_walk *walk)
{
    const struct pcdf_meta *meta = walk->work.meta;

    for (; walk->varid < meta->nvars; walk->varid++, walk->first = 0) {
        const struct pcdf_tool_slice *slice = &walk->choice->slices[walk->varid];
        int64_t all = is_part(walk->choice, walk->varid) ? pcdf_tool_slice_size(slice) : 0;
        if (walk->first >= all)
            continue;
        int64_t n = walk->work.bytes / pcdf_type_size(meta->vars[walk->varid].type), row = row_of(slice);
        int64_t left = row - walk->first % row;
        n = n < left ? n : left == row ? n - n % row : left;
        n = n < all - walk->first ? n : all - walk->first;
        walk->piece = (struct pcdf_tool_chunk){
            .varid = walk->varid, .first = walk->first, .n = n, .unit = walk->piece.unit + 1
        };
        walk->first += n;
        return true;
    }
    return false;
}

void pcdf_stats_walk_next(struct pcdf_stats_walk *walk)
{
    walk->in_parts = walk->in_parts || !pcdf_tool_work_next(&walk->work, &walk->piece);
    walk->has_piece = !walk->in_parts || next_of_parts(walk);
}

int pcdf_stats_piece(struct pcdf_tool_dataset *ds, const struct pcdf_stats_choice *c,
                     const struct pcdf_tool_chunk *piece, void *bytes)
{
    const struct pcdf_tool_slice *slice = &c->slices[piece->varid];
    int64_t size = pcdf_type_size(ds->meta.vars[piece->varid].type), done = 0;
    int status = PCDF_TOOL_GOOD;

    if (!is_part(c, piece->varid))
        return pcdf_tool_values(ds, piece->varid, piece->first, piece->n, bytes);
    int64_t row = row_of(slice), *index = pcdf_malloc((size_t)slice->ndims * sizeof *index);
    if (!index)
        return pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    while (done < piece->n && !status) {
        pcdf_grid_index(slice->ndims, slice->count, piece->first + done, index);
        int64_t left = row - index[slice->ndims - 1], n = piece->n - done < left ? piece->n - done : left;
        status = pcdf_tool_slice_values(ds, slice, index, n, (unsigned char *)bytes + done * size);
        done += n;
    }
    pcdf_free(index);
    return status;
}
