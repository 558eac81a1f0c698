/* See foreigncopy.h. Debian's libnetcdf has no MPI: rank 0 writes, and the others read and compress for it.
 */
#include "foreigncopy.h"
#include "alloc.h"
#include "copybox.h"
#include "copychunks.h"
#include "copyinput.h"
#include "foreignmove.h"
#include "nctarget.h"
#include "status.h"
#include "tool.h"
#include "toolnewfile.h"
#include "tooloutput.h"
#include "toolwork.h"
#include "toolshare.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>

struct making { /* on rank 0 */
    const struct pcdf_foreign_options *options;
    struct pcdf_tool_output out;
    struct pcdf_nc_target target;
    struct pcdf_h5_target chunk_target; /* where chunks are compressed by all ranks */
    bool is_begun, is_open, is_chunk_open;
};

/* Who compresses? Scalars have no chunks. */
static bool has_own_chunks(const struct pcdf_foreign_options *o)
{
    return o->copy.deflate > 0 && !o->copy.header_only && pcdf_h5_is_there();
}

static int root_begin(struct making *make, const struct pcdf_copy_plan *plan,
                      const struct pcdf_copy_chunks *chunks)
{
    const struct pcdf_foreign_options *o = make->options;
    int status = pcdf_tool_output_begin(&make->out, o->copy.to, o->copy.replace);
    make->is_begun = !status;
    if (!status && make->out.is_device)
        status = pcdf_tool_unusable(o->copy.to,
                                    "this is no place for such a file, which is not written in one go");
    if (!status)
        status = pcdf_nc_create(&make->target, make->out.name, &plan->out, o, chunks->of);
    make->is_open = !status;
    return status;
}

/* What has no chunks is written by libnetcdf, before HDF5 has the file. */
static int root_turn(struct making *make, const struct pcdf_copy_plan *plan, struct pcdf_tool_dataset *from,
                     const struct pcdf_copy_chunks *chunks)
{
    int status = PCDF_TOOL_GOOD;

    for (int i = 0; i < plan->out.nvars && !status; i++) {
        unsigned char value[8];
        if (chunks->of[i])
            continue;
        status = pcdf_copy_read_box(plan, from, i, NULL, NULL, true, value);
        status = status ? status : pcdf_nc_write(&make->target, i, NULL, NULL, value);
    }
    make->is_open = false;
    status = pcdf_nc_close(&make->target, status);
    status = status ? status
                    : pcdf_h5_open(&make->chunk_target, make->out.name, &plan->out, make->options->copy.to);
    make->is_chunk_open = !status;
    return status;
}

static int root_end(struct making *make, int status)
{
    if (make->is_open)
        status = pcdf_nc_close(&make->target, status);
    if (make->is_chunk_open)
        status = pcdf_h5_close(&make->chunk_target, status);
    if (!make->is_begun)
        return status;
    if (!status)
        return pcdf_tool_output_commit(&make->out);
    pcdf_tool_output_abandon(&make->out);
    return status;
}

/* A signal that ends another rank removes what rank 0 writes, too. */
static void watch_all(const struct pcdf_tool_ranks *ranks, const struct making *make)
{
    static char name[PATH_MAX];

    if (ranks->rank == 0)
        snprintf(name, sizeof name, "%s", make->out.name);
    pcdf_tool_share_all(ranks, name, sizeof name, 0);
    if (ranks->rank > 0)
        pcdf_tool_output_watch(name);
}

static int move_all(struct pcdf_foreign_move *move)
{
    struct pcdf_tool_progress progress;
    struct pcdf_tool_ranks root = *move->ranks;

    root.size = 1; /* all bytes pass rank 0 */
    pcdf_tool_progress_begin(&progress, &root, "copying", pcdf_tool_work_bytes(&move->plan->out, NULL));
    move->progress = &progress;
    int status = pcdf_tool_worst_all(move->ranks, pcdf_foreign_move_to_root_all(move));
    pcdf_tool_progress_end(&progress);
    return status;
}

/* The plan's values into a new file. */
static int write_all(const struct pcdf_tool_ranks *ranks, struct pcdf_tool_dataset *from,
                     struct pcdf_copy_plan *plan, const struct pcdf_foreign_options *options, int64_t *bytes)
{
    struct making make = { .options = options };
    struct pcdf_copy_chunks chunks = { 0 };
    int mine = pcdf_copy_fit(&plan->out, &options->copy);
    mine = mine ? mine : pcdf_copy_chunks_begin(&chunks, plan, from, &options->copy, PCDF_COPY_TILE);
    bool is_own = has_own_chunks(options), *chosen = pcdf_calloc((size_t)plan->out.nvars + 1, sizeof *chosen);
    for (int i = 0; chosen && !mine && i < plan->out.nvars; i++)
        chosen[i] = chunks.of[i];
    if (!mine && !chosen)
        mine = pcdf_tool_unusable(options->copy.to, "%s", pcdf_fail_text());
    int status = pcdf_tool_worst_all(ranks, mine);
    if (ranks->rank == 0 && !status)
        status = root_begin(&make, plan, &chunks);
    if (ranks->rank == 0 && !status && is_own)
        status = root_turn(&make, plan, from, &chunks);
    status = pcdf_tool_worst_all(ranks, status);
    if (!status) /* the same on all ranks */
        watch_all(ranks, &make);
    struct pcdf_foreign_move move = { .ranks = ranks,
                                      .plan = plan,
                                      .from = from,
                                      .chunks = chunks.of,
                                      .chosen = is_own ? chosen : NULL,
                                      .deflate = is_own ? options->copy.deflate : 0,
                                      .target = &make.target,
                                      .chunk_target = &make.chunk_target };
    if (!status && !options->copy.header_only) /* the same on all ranks */
        status = move_all(&move);
    if (ranks->rank == 0)
        status = root_end(&make, status);
    pcdf_free(chosen);
    pcdf_copy_chunks_end(&chunks);
    *bytes = move.bytes;
    status = pcdf_tool_worst_all(ranks, status);
    if (ranks->rank > 0)
        pcdf_tool_output_watch(NULL);
    return status;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_rate(int64_t bytes, double seconds)
{
    fprintf(stderr, "parcdf: %" PRId64 " bytes of values in %.3f s, %.1f MiB/s\n", bytes, seconds,
            (double)bytes / 1048576 / (seconds > 0 ? seconds : 1e-9));
}

/* --dry-run */
static void tell_plan(const struct pcdf_copy_plan *plan, const struct pcdf_foreign_options *o)
{
    const struct pcdf_tool_newfile file = { .path = o->copy.to, .meta = &plan->out };
    const struct pcdf_tool_account account = { .file = &file,
                                               .bytes_read = pcdf_tool_work_bytes(&plan->out, NULL),
                                               .seconds = -1 };
    if (o->copy.json)
        pcdf_tool_account_json(&account);
    else
        pcdf_tool_account_print(&account);
}

static int copy_open_all(const struct pcdf_tool_ranks *ranks, struct pcdf_tool_dataset *from,
                         const struct pcdf_foreign_options *o)
{
    struct pcdf_copy_plan plan;
    int64_t bytes = 0;
    double begun = now();
    int mine = pcdf_copy_plan_make(&plan, &o->copy, from, 0);
    int status = pcdf_tool_agree_all(
        ranks, from->file.path, mine ? 0 : pcdf_copy_plan_sum(&plan, pcdf_tool_dataset_sum(from, 0)), mine);

    if (!status && !o->copy.dry_run) /* the same on all ranks */
        status = write_all(ranks, from, &plan, o, &bytes);
    pcdf_tool_sum_all(ranks, &bytes, 1);
    if (!status && ranks->rank == 0 && o->copy.dry_run)
        tell_plan(&plan, o);
    else if (!status && ranks->rank == 0 && o->copy.verbose)
        print_rate(bytes, now() - begun);
    if (!mine)
        pcdf_copy_plan_free(&plan);
    return status;
}

int pcdf_foreign_copy_all(const struct pcdf_tool_ranks *ranks, struct pcdf_foreign_options *options)
{
    const struct pcdf_copy_options *o = &options->copy;
    const struct pcdf_tool_sharing sharing = { .by_chunks = true, .needs_all = !o->skip_unsupported };
    struct pcdf_tool_dataset from;
    int status = ranks->rank == 0 ? pcdf_copy_check_paths(o) : PCDF_TOOL_GOOD;

    pcdf_tool_history_now_all(&options->copy.history, ranks);
    status = pcdf_tool_worst_all(ranks, status);
    if (!status) /* the same on all ranks, as is what follows */
        status = pcdf_tool_sources_share_all(ranks, sharing, 1, (const char *const *)o->from);
    if (status)
        return status;
    int mine = pcdf_copy_open(&from, o->from[0], o);
    status = pcdf_tool_worst_all(ranks, mine);
    if (!status)
        status = copy_open_all(ranks, &from, options);
    if (!mine) {
        if (!status && from.read_behind)
            status = PCDF_TOOL_BAD;
        pcdf_tool_dataset_close(&from);
    }
    return pcdf_tool_worst_all(ranks, status);
}
