/* See netcdf4file.h. Where ranks leave independent mode, or its puts have to be in the file, they call
 * pcdf_netcdf4_write_all, which begins with pcdf_netcdf4_patches_put_all. All these calls are collective:
 *
 *     ncmpi_end_indep_data                   writer->mode_all, by pcdf_switch_mode_all
 *     ncmpi_redef in independent mode        writer->mode_all, by pcdf_redef_all
 *     ncmpi_sync, ncmpi_sync_numrecs         writer->write_all, the first step of pcdf_make_durable_all
 *     ncmpi_close, ncmpi_abort               writer->write_all, the first step of pcdf_complete_file_all
 *
 * Deferred puts of a rank become patches before, in pcdf_defer_write_all. ncmpi_flush is a rank's own in this
 * mode and writes no patches; ncmpi_wait_all and other calls of all ranks are errors in it. */
#include "cells.h"
#include "dataset.h"
#include "netcdf4file.h"
#include "status.h"
#include "stepped.h"
#include "twophase.h"
#include "vote.h"

/* Bytes of chunks; values without chunks go to the file, as those of a classic one do. */
static bool is_of_chunk(const void *context, int64_t offset, int64_t *end)
{
    const struct pcdf_cells *cells = context;
    struct pcdf_cell_place place;
    int64_t at = offset;
    (void)pcdf_cells_row(cells, &at);
    *end = offset + (cells->cell - at % cells->cell);
    if (!pcdf_cells_find(cells, offset, &place))
        return false;
    const struct pcdf_cells_var *var = &cells->x[place.varid];
    *end = offset + (var->begin + var->ncells * cells->cell - at);
    return var->chunk != NULL;
}

void pcdf_netcdf4_patches_keep(struct netcdf4 *n, bool keeps)
{
    const struct pcdf_patches_rule rule = { is_of_chunk, &n->plan->cells };
    if (n->patches)
        pcdf_patches_keep(n->patches, keeps ? &rule : NULL);
}

struct patches_vote {
    struct pcdf_vote common;
    struct pcdf_span span; /* where any rank has patches */
};
static const struct pcdf_vote_form patches_form = { { PCDF_VOTE_SPAN(patches_vote, span) } };

/* Chunks are dealt, so ranks that share no memory fail here, and need no stage. */
static int move_step_all(void *context, const struct pcdf_iterator *it, const struct pcdf_span *span,
                         int64_t *moved)
{
    struct pcdf_dataset *ds = context;
    return pcdf_twophase_all(ds->io, it, span, &(const struct pcdf_stage){ 0 }, moved);
}

/* Nothing is kept meanwhile: aggregators put into chunks. */
int pcdf_netcdf4_patches_put_all(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    if (!n->patches || !pcdf_patches_is_keeping(n->patches)) /* the same on all ranks */
        return NC_NOERR;
    const struct pcdf_iterator it = pcdf_patches_iterator(n->patches);
    struct patches_vote vote = { .common = { .kind = PCDF_KIND_BARRIER }, .span = { it.begin, it.end } };
    int64_t moved = 0;
    int status = pcdf_vote_form_all(ds, &patches_form, &vote.common);
    if (!status && vote.common.io_error)
        status = PCDF_FAIL(vote.common.io_error, "an earlier write to the file failed on some rank");
    pcdf_patches_keep(n->patches, NULL);
    if (PCDF_SAME_IN(ds, !status && vote.span.begin < vote.span.end)) {
        status = pcdf_stepped_put_all(ds, &it, &vote.span, move_step_all, ds, &moved);
        if (!status && moved != it.nbytes)
            status = PCDF_FAIL(NC_EWRITE, "%lld of %lld bytes that were put independently were written",
                               (long long)moved, (long long)it.nbytes);
    }
    pcdf_first(&ds->io_error, status);
    n->is_broken |= status != NC_NOERR;
    pcdf_patches_forget(n->patches);
    pcdf_netcdf4_patches_keep(n, true);
    return status;
}
