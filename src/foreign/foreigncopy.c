/* See foreigncopy.h. */
#include "foreigncopy.h"
#include "alloc.h"
#include "copydefine.h"
#include "copyzarr.h"
#include "foreignmove.h"
#include "posixio.h"
#include "status.h"
#include "tool.h"
#include "tooloutput.h"
#include "toolwork.h"
#include "value.h"
#include "zarrstore.h"

#include <errno.h>
#include <inttypes.h>
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Static_assert(sizeof(MPI_Offset) == sizeof(int64_t), "starts and counts are handed over as they are");

struct classic { /* a classic file that is written by all ranks */
    int ncid;
    const char *to;
};

static int put_tile(void *target, int varid, const struct pcdf_foreign_slab *slab, const void *values)
{
    const struct classic *c = target;
    int err = ncmpi_put_vara(c->ncid, varid, (const MPI_Offset *)slab->start, (const MPI_Offset *)slab->count,
                             values, 1, MPI_DATATYPE_NULL);
    if (!err)
        return PCDF_TOOL_GOOD;
    return pcdf_tool_unusable(c->to, "%s", parcdf_last_error());
}

/* The chunks of the source's variables, by variable of the copy. */
static int64_t **chunks_of(const struct pcdf_foreign_source *source, const struct pcdf_copy_plan *plan)
{
    int64_t **chunks = pcdf_calloc((size_t)plan->out.nvars + 1, sizeof *chunks);
    for (int i = 0; chunks && source->chunks && i < plan->out.nvars; i++)
        chunks[i] = source->chunks[plan->source[i]];
    return chunks;
}

static int move_classic(const struct pcdf_tool_team *team, struct pcdf_foreign_source *source,
                        const struct pcdf_copy_plan *plan, struct classic *to, int64_t *bytes)
{
    struct pcdf_tool_progress progress;
    int64_t **chunks = chunks_of(source, plan);
    struct pcdf_foreign_move move = { .team = team,
                                      .plan = plan,
                                      .source = source,
                                      .chunks = chunks,
                                      .write = put_tile,
                                      .target = to,
                                      .progress = &progress };

    if (!chunks)
        return pcdf_tool_unusable(to->to, "%s", strerror(ENOMEM));
    pcdf_tool_progress_begin(&progress, team, "copying", pcdf_tool_work_bytes(&plan->out, NULL));
    int status = pcdf_foreign_move_share(&move);
    pcdf_tool_progress_end(&progress);
    *bytes = move.bytes;
    pcdf_free(chunks);
    return status;
}

/* Rank 0 makes the name under which all ranks write. name: of PATH bytes. */
enum { PATH = 4096 };
static int begin_output_all(const struct pcdf_tool_team *team, struct pcdf_tool_output *out,
                            const struct pcdf_foreign_options *o, char *name)
{
    int status = PCDF_TOOL_GOOD;

    memset(name, 0, PATH);
    if (team->rank == 0) {
        status = pcdf_tool_output_begin(out, o->to, o->copy.replace);
        if (!status && (out->is_device || strlen(out->name) >= PATH)) {
            pcdf_tool_say(o->to, "this is no place for a file that several ranks write");
            pcdf_tool_output_abandon(out);
            status = PCDF_TOOL_UNUSABLE;
        }
        if (!status)
            memcpy(name, out->name, strlen(out->name));
    }
    status = pcdf_tool_worst_all(team, status);
    pcdf_tool_share_all(team, name, PATH, 0);
    return status;
}

static int write_classic_all(const struct pcdf_tool_team *team, struct pcdf_foreign_source *source,
                             const struct pcdf_copy_plan *plan, const struct pcdf_foreign_options *o,
                             int64_t *bytes)
{
    struct pcdf_tool_output out = { 0 };
    struct classic to = { .ncid = -1, .to = o->to };
    char name[PATH];
    int status = begin_output_all(team, &out, o, name);

    if (status) /* the same on all ranks, as is what follows */
        return status;
    status = pcdf_copy_create_all(team, plan, &o->copy, name, o->to, &to.ncid);
    if (!status) {
        if (team->rank == 0)
            pcdf_tool_output_hide(&out);
        status = o->copy.header_only ? PCDF_TOOL_GOOD : move_classic(team, source, plan, &to, bytes);
        int closed = pcdf_copy_close_all(to.ncid, status ? NULL : o->to);
        status = status ? status : closed;
    }
    status = pcdf_tool_worst_all(team, status);
    if (team->rank == 0 && !status)
        status = pcdf_tool_output_commit(&out);
    else if (team->rank == 0)
        pcdf_tool_output_abandon(&out);
    return pcdf_tool_worst_all(team, status);
}

/* ---- stores, written by all ranks */

struct boxes { /* of the source, asked for in the copy's coordinates */
    struct pcdf_foreign_source *source;
    const struct pcdf_copy_plan *plan;
    struct pcdf_foreign_slab slab;
};

static int read_box(void *context, int varid, const int64_t *start, const int64_t *count, void *values)
{
    struct boxes *boxes = context;
    const struct pcdf_var *var = &boxes->plan->out.vars[varid];
    struct pcdf_foreign_slab *slab = &boxes->slab;

    if (pcdf_foreign_is_stopped)
        return PCDF_TOOL_UNUSABLE;
    slab->ndims = var->ndims;
    slab->n = 1;
    for (int i = 0; i < var->ndims; i++) {
        const struct pcdf_copy_cut *cut = &boxes->plan->cuts[var->dimids[i]];
        slab->start[i] = cut->low + start[i] * cut->stride;
        slab->count[i] = count[i];
        slab->stride[i] = cut->stride;
        slab->n *= count[i];
    }
    int status = boxes->source->read(boxes->source, boxes->plan->source[varid], slab, values);
    if (!status)
        pcdf_values_swap(values, slab->n, pcdf_type_size(var->type));
    return status;
}

static int write_store_all(const struct pcdf_tool_team *team, struct pcdf_foreign_source *source,
                           struct pcdf_copy_plan *plan, const struct pcdf_foreign_options *o, int64_t *bytes)
{
    struct boxes boxes = { .source = source, .plan = plan };
    struct pcdf_tool_progress progress;
    bool has_room = pcdf_foreign_slab_room(&boxes.slab, &source->meta);
    int status = has_room ? PCDF_TOOL_GOOD : pcdf_tool_unusable(o->to, "%s", pcdf_fail_text());

    status = pcdf_tool_worst_all(team, status);
    if (!status) /* the same on all ranks */
        status = pcdf_copy_zarr_all(team, plan, &o->copy, &progress, read_box, &boxes, bytes);
    pcdf_foreign_slab_free(&boxes.slab);
    return status;
}

/* ---- from options to a plan */

static int root_check(const struct pcdf_foreign_options *o, enum pcdf_foreign_kind from)
{
    char *a = pcdf_zarrstore_path(o->from), *b = pcdf_zarrstore_path(o->to);
    bool same = pcdf_posix_same(a ? a : o->from, b ? b : o->to);
    const char *wrong = same ? "this is FROM and TO at once"
                        : pcdf_foreign_is_classic(from) && pcdf_foreign_is_classic(o->kind)
                            ? "both files are classic ones, which `parcdf copy` copies itself"
                            : NULL;
    if (wrong)
        pcdf_tool_say(o->from, "%s", wrong);
    pcdf_free(a);
    pcdf_free(b);
    return wrong ? PCDF_TOOL_UNUSABLE : PCDF_TOOL_GOOD;
}

static int make_plan(struct pcdf_copy_plan *plan, const struct pcdf_foreign_source *source,
                     struct pcdf_foreign_options *o)
{
    struct pcdf_tool_dataset seen = { .file = { .path = source->path }, .meta = source->meta };
    return pcdf_copy_plan_make(plan, &o->copy, &seen, 0);
}

static void tell(const struct pcdf_tool_team *team, const struct pcdf_foreign_options *o, int64_t bytes,
                 double seconds)
{
    if (team->rank == 0 && o->copy.verbose)
        fprintf(stderr, "parcdf: %" PRId64 " bytes of values in %.3f s, %.1f MiB/s\n", bytes, seconds,
                (double)bytes / 1048576 / (seconds > 0 ? seconds : 1e-9));
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int copy_open_all(const struct pcdf_tool_team *team, struct pcdf_foreign_source *source,
                         struct pcdf_foreign_options *o)
{
    struct pcdf_copy_plan plan;
    int64_t bytes = 0;
    double begun = now();
    int mine = make_plan(&plan, source, o), status = pcdf_tool_worst_all(team, mine);

    if (!status) /* the same on all ranks, as is what follows */
        status = pcdf_foreign_is_classic(o->kind) ? write_classic_all(team, source, &plan, o, &bytes)
                 : o->copy.zarr                   ? write_store_all(team, source, &plan, o, &bytes)
                                                  : pcdf_foreign_write_nc_all(team, source, &plan, o, &bytes);
    pcdf_tool_sum_all(team, &bytes, 1);
    if (!status)
        tell(team, o, bytes, now() - begun);
    if (!mine)
        pcdf_copy_plan_free(&plan);
    return status;
}

int pcdf_foreign_copy_all(const struct pcdf_tool_team *team, struct pcdf_foreign_options *options)
{
    struct pcdf_foreign_source source;
    int64_t kind = 0;
    int status = PCDF_TOOL_GOOD;

    if (team->rank == 0) {
        kind = pcdf_foreign_kind_of(options->from);
        status = root_check(options, (enum pcdf_foreign_kind)kind);
    }
    pcdf_tool_share_all(team, &kind, sizeof kind, 0);
    status = pcdf_tool_worst_all(team, status);
    if (status) /* the same on all ranks, as is what follows */
        return status;
    int mine = pcdf_foreign_open(&source, (enum pcdf_foreign_kind)kind, options);
    status = pcdf_tool_worst_all(team, mine);
    if (!status)
        status = copy_open_all(team, &source, options);
    if (!mine) {
        if (!status && source.is_damaged)
            status = PCDF_TOOL_BAD;
        pcdf_foreign_close(&source);
    }
    return pcdf_tool_worst_all(team, status);
}
