/* See toolwork.h. */
#include "toolwork.h"
#include "layout.h"
#include "numbers.h"

static bool is_chosen(const struct pcdf_tool_work *w, int varid)
{
    return !w->chosen || w->chosen[varid];
}

void pcdf_tool_work_begin(struct pcdf_tool_work *work, const struct pcdf_meta *meta, const bool *chosen,
                          int64_t bytes, const struct pcdf_tool_ranks *ranks)
{
    *work = (struct pcdf_tool_work){
        .meta = meta, .chosen = chosen, .bytes = bytes, .rank = ranks->rank, .size = ranks->size
    };
    work->recsize = pcdf_layout_recsize(meta);
    work->has_records = false;
    for (int i = 0; i < meta->nvars; i++)
        work->has_records |= meta->vars[i].is_record && is_chosen(work, i);
    work->rows = work->recsize > 0 && work->recsize < bytes ? bytes / work->recsize : 1;
}

/* The next range of fixed-size variables; false: they are done. */
static bool next_fixed(struct pcdf_tool_work *w, struct pcdf_tool_chunk *chunk)
{
    for (; w->varid < w->meta->nvars; w->varid++, w->first = 0) {
        const struct pcdf_var *var = &w->meta->vars[w->varid];
        int64_t size = pcdf_type_size(var->type), n = var->nbytes / size, room = w->bytes / size;
        if (var->is_record || !is_chosen(w, w->varid) || w->first >= n)
            continue;
        *chunk = (struct pcdf_tool_chunk){ .varid = w->varid,
                                           .first = w->first,
                                           .n = pcdf_smaller(n - w->first, room > 0 ? room : 1),
                                           .unit = w->unit++ };
        w->first += chunk->n;
        return true;
    }
    return false;
}

/* The next range of a block of records: whole variables, or pieces of one where a record is longer than a
 * chunk. Pieces are units of their own then; otherwise the block is. */
static bool next_record(struct pcdf_tool_work *w, struct pcdf_tool_chunk *chunk)
{
    /* A header without record variables may tell of any number of records. */
    for (; w->has_records && w->record < w->meta->numrecs; w->record += w->rows, w->varid = 0, w->first = 0) {
        int64_t rows = pcdf_smaller(w->rows, w->meta->numrecs - w->record);
        for (; w->varid < w->meta->nvars; w->varid++, w->first = 0) {
            const struct pcdf_var *var = &w->meta->vars[w->varid];
            int64_t size = pcdf_type_size(var->type), each = var->nbytes / size, n = each * rows;
            if (!var->is_record || !is_chosen(w, w->varid) || w->first >= n)
                continue;
            int64_t room = w->recsize > w->bytes ? w->bytes / size : n;
            *chunk = (struct pcdf_tool_chunk){ .varid = w->varid,
                                               .first = w->record * each + w->first,
                                               .n = pcdf_smaller(n - w->first, room > 0 ? room : 1),
                                               .unit = w->unit };
            w->first += chunk->n;
            w->unit += w->recsize > w->bytes;
            return true;
        }
        w->unit += w->recsize <= w->bytes;
    }
    return false;
}

bool pcdf_tool_work_next(struct pcdf_tool_work *work, struct pcdf_tool_chunk *chunk)
{
    for (;;) {
        bool found = !work->in_records && next_fixed(work, chunk);
        if (!found && !work->in_records) {
            work->in_records = true;
            work->varid = 0;
            work->first = 0;
        }
        if (!found && !next_record(work, chunk))
            return false;
        if (pcdf_tool_owner(chunk->unit, work->size) == work->rank)
            return true;
    }
}

int64_t pcdf_tool_work_bytes(const struct pcdf_meta *meta, const bool *chosen)
{
    int64_t bytes = 0;
    for (int i = 0; i < meta->nvars; i++)
        if (!chosen || chosen[i])
            bytes += meta->vars[i].nbytes * (meta->vars[i].is_record ? meta->numrecs : 1);
    return bytes;
}
