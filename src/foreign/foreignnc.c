/* A copy to netCDF-4: rank 0 writes through libnetcdf, which Debian has without MPI; the others
 * read for it. */
#include "foreigncopy.h"
#include "copychunks.h"
#include "foreignmove.h"
#include "nctarget.h"
#include "tool.h"
#include "tooloutput.h"
#include "toolwork.h"

struct making {
    const struct pcdf_foreign_options *options;
    struct pcdf_tool_output out;
    struct pcdf_nc_target target;
    bool is_begun, is_open;
};

static int write_tile(void *target, int varid, const struct pcdf_foreign_slab *slab, const void *values)
{
    return pcdf_nc_write(target, varid, slab, values);
}

static int root_begin(struct making *make, const struct pcdf_copy_plan *plan,
                      const struct pcdf_copy_chunks *chunks)
{
    const struct pcdf_foreign_options *o = make->options;
    int status = pcdf_tool_output_begin(&make->out, o->to, o->copy.replace);
    make->is_begun = !status;
    if (!status && make->out.is_device)
        status =
            pcdf_tool_unusable(o->to, "this is no place for such a file, which is not written in one go");
    if (!status)
        status = pcdf_nc_create(&make->target, make->out.name, &plan->out, o, chunks->of);
    make->is_open = !status;
    return status;
}

static int root_end(struct making *make, int status)
{
    if (make->is_open)
        status = pcdf_nc_close(&make->target, status);
    if (!make->is_begun)
        return status;
    if (!status)
        return pcdf_tool_output_commit(&make->out);
    pcdf_tool_output_abandon(&make->out);
    return status;
}

static int move_all(const struct pcdf_tool_team *team, struct pcdf_foreign_move *move)
{
    struct pcdf_tool_progress progress;
    struct pcdf_tool_team root = *team;

    root.size = 1; /* all bytes pass rank 0 */
    pcdf_tool_progress_begin(&progress, &root, "copying", pcdf_tool_work_bytes(&move->plan->out, NULL));
    move->progress = &progress;
    int status = pcdf_foreign_move_to_root_all(move);
    pcdf_tool_progress_end(&progress);
    return status;
}

int pcdf_foreign_write_nc_all(const struct pcdf_tool_team *team, struct pcdf_foreign_source *source,
                              struct pcdf_copy_plan *plan, const struct pcdf_foreign_options *options,
                              int64_t *bytes)
{
    struct making make = { .options = options };
    struct pcdf_copy_chunks chunks = { 0 };
    int mine = pcdf_copy_fit(&plan->out, &options->copy);
    mine = mine ? mine : pcdf_copy_chunks_begin(&chunks, &plan->out, &options->copy, PCDF_FOREIGN_TILE);
    int status = pcdf_tool_worst_all(team, mine);

    if (status) { /* the same on all ranks, as is what follows */
        pcdf_copy_chunks_end(&chunks);
        return status;
    }
    if (team->rank == 0)
        status = root_begin(&make, plan, &chunks);
    status = pcdf_tool_worst_all(team, status);
    struct pcdf_foreign_move move = { .team = team,
                                      .plan = plan,
                                      .source = source,
                                      .chunks = chunks.of,
                                      .write = write_tile,
                                      .target = &make.target };
    if (!status && !options->copy.header_only)
        status = pcdf_tool_worst_all(team, move_all(team, &move));
    if (team->rank == 0)
        status = root_end(&make, status);
    pcdf_copy_chunks_end(&chunks);
    *bytes = move.bytes;
    return pcdf_tool_worst_all(team, status);
}
