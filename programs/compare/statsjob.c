/* The values of a file, or of several as one, through all ranks: see statsjob.h. */
#include "statsjob.h"
#include "statschoice.h"
#include "statsprint.h"
#include "alloc.h"
#include "status.h"
#include "tool.h"
#include "toolfile.h"
#include "toolprogress.h"
#include "toolseries.h"
#include "toolshare.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    CHUNK = 512 * 1024, /* bytes of a piece: fits the processor's cache between reading and reducing */
    MOST_PARTS = 4096,  /* of a rank before rank 0 has them */
    MOST_OF_ALL = 128 * 1024,
    MOST_COUNTS = 2 * 1024 * 1024, /* of all histograms: 16 MiB */
    SHARED_AT_ONCE = 64 * 1024
};

struct job {
    const struct pcdf_tool_ranks *ranks;
    const struct pcdf_stats_options *options;
    struct pcdf_tool_dataset ds;
    struct pcdf_stats_choice choice;
    struct pcdf_stats_holes *holes; /* by varid, as the next ones */
    struct pcdf_stats_part *whole;
    struct pcdf_meaning_packing *packing;
    struct pcdf_stats_bins *bins;        /* NULL: no histograms; counts NULL: none of this one */
    int64_t *counts, ncounts;            /* of all histograms */
    unsigned char *bytes;                /* of a piece */
    struct pcdf_stats_part *parts, *all; /* of this rank's pieces; of all ranks', on rank 0 */
    int room;                            /* parts */
    int *taken;                          /* of each rank in this round */
    struct pcdf_tool_progress progress;
    int status;
    bool is_open;
};

/* ---- one file */

static int no_memory(const struct pcdf_stats_options *o)
{
    return pcdf_tool_unusable(o->paths[0], "%s", pcdf_fail_text());
}

/* Room for all histograms; that of one begins when its range is known. */
static int room_for_bins(struct job *job)
{
    const struct pcdf_stats_options *o = job->options;
    int64_t n = 0, each = o->bins + 2;

    for (int i = 0; i < job->ds.meta.nvars; i++)
        n += pcdf_stats_is_chosen(&job->choice, i) && job->holes[i].kind != PCDF_STATS_TEXT;
    job->ncounts = n * each;
    if (job->ncounts > MOST_COUNTS)
        return pcdf_tool_unusable(
            o->paths[0], "histograms of %" PRId64 " variables, %d bins each, are too many: choose with -v", n,
            o->bins);
    job->counts = pcdf_calloc((size_t)job->ncounts + 1, sizeof *job->counts);
    job->bins = pcdf_calloc((size_t)job->ds.meta.nvars + 1, sizeof *job->bins);
    return job->counts && job->bins ? PCDF_TOOL_GOOD : no_memory(o);
}

/* The range is of values, the bins are of stored numbers. */
static void begin_range(struct pcdf_stats_bins *bins, const struct pcdf_stats_options *o,
                        const struct pcdf_meaning_packing *p, int64_t *counts)
{
    double lo = (o->lo - p->offset) / p->scale, hi = (o->hi - p->offset) / p->scale;
    pcdf_stats_bins_begin(bins, lo < hi ? lo : hi, lo < hi ? hi : lo, o->bins, counts);
}

static void begin_bins(struct job *job)
{
    const struct pcdf_stats_options *o = job->options;
    int64_t *counts = job->counts;

    for (int i = 0; i < job->ds.meta.nvars; i++) {
        enum pcdf_stats_kind kind = job->holes[i].kind;
        if (!pcdf_stats_is_chosen(&job->choice, i) || kind == PCDF_STATS_TEXT)
            continue;
        if (o->has_range && job->packing[i].scale == 0) /* one value, which has no stored range */
            continue;
        if (o->has_range)
            begin_range(&job->bins[i], o, &job->packing[i], counts);
        else if (job->whole[i].n > 0)
            pcdf_stats_bins_begin(&job->bins[i], pcdf_stats_extreme(&job->whole[i], kind, false),
                                  pcdf_stats_extreme(&job->whole[i], kind, true), o->bins, counts);
        counts += o->bins + 2;
    }
}

static int room_for_parts(struct job *job)
{
    size_t n = (size_t)job->ds.meta.nvars + 1, size = (size_t)job->ranks->size;
    int share = MOST_OF_ALL / job->ranks->size;

    job->room = share > MOST_PARTS ? MOST_PARTS : share < 64 ? 64 : share;
    job->holes = pcdf_calloc(n, sizeof *job->holes);
    job->whole = pcdf_calloc(n, sizeof *job->whole);
    job->packing = pcdf_calloc(n, sizeof *job->packing);
    job->bytes = pcdf_malloc(CHUNK);
    job->taken = pcdf_calloc(size, sizeof *job->taken);
    job->parts = pcdf_calloc((size_t)job->room, sizeof *job->parts);
    job->all = pcdf_calloc(job->ranks->rank > 0 ? 1 : (size_t)job->room * size, sizeof *job->all);
    bool has_all =
        job->holes && job->whole && job->packing && job->bytes && job->taken && job->parts && job->all;
    return has_all ? PCDF_TOOL_GOOD : no_memory(job->options);
}

/* What this rank needs before it reads values. */
static int begin_job(struct job *job)
{
    const struct pcdf_stats_options *o = job->options;
    const struct pcdf_tool_series_choice choice = {
        .n = o->npaths, .paths = o->paths, .along = o->along, .with_values = true
    };
    int status = pcdf_tool_series_open(&job->ds, &choice);
    job->is_open = status == PCDF_TOOL_GOOD;
    if (!status)
        status = room_for_parts(job);
    if (!status)
        status = pcdf_stats_choose(&job->choice, &job->ds, job->options->lists, job->options->nlists);
    for (int i = 0; !status && i < job->ds.meta.nvars; i++) {
        const struct pcdf_var *var = &job->ds.meta.vars[i];
        const struct pcdf_meaning meaning =
            job->options->is_raw ? pcdf_meaning_of_stored(var) : pcdf_meaning_of(var);
        job->packing[i] = meaning.packing;
        pcdf_stats_find_holes(&job->holes[i], &meaning);
    }
    return job->options->bins > 0 && !status ? room_for_bins(job) : status;
}

static void end_job(struct job *job)
{
    pcdf_stats_choice_end(&job->choice, job->is_open ? job->ds.meta.nvars : 0);
    pcdf_free(job->holes);
    pcdf_free(job->whole);
    pcdf_free(job->packing);
    pcdf_free(job->bins);
    pcdf_free(job->counts);
    pcdf_free(job->bytes);
    pcdf_free(job->taken);
    pcdf_free(job->parts);
    pcdf_free(job->all);
    if (job->is_open)
        pcdf_tool_dataset_close(&job->ds);
}

/* ---- rounds: as many pieces as there is room for. All ranks go through the pieces of all, so they know
 * whose is which; rank 0 puts the parts together in the order of the pieces, which no number of ranks
 * changes. */

/* Whose piece, and which of that rank's parts in this round; false: the round is over. */
static bool take_slot(const struct pcdf_stats_walk *at, const struct job *job, int *owner, int *slot)
{
    *owner = at->has_piece ? pcdf_tool_owner(at->piece.unit, job->ranks->size) : 0;
    *slot = job->taken[*owner];
    if (!at->has_piece || *slot == job->room)
        return false;
    job->taken[*owner]++;
    return true;
}

static void clear_slots(struct job *job)
{
    memset(job->taken, 0, (size_t)job->ranks->size * sizeof *job->taken);
}

/* part NULL: it is for the histogram alone. */
static void read_piece(struct job *job, const struct pcdf_tool_chunk *c, struct pcdf_stats_part *part)
{
    const struct pcdf_stats_holes *h = &job->holes[c->varid];
    bool counts = job->bins && job->bins[c->varid].counts;

    if (job->status == PCDF_TOOL_UNUSABLE || (!part && !counts))
        return;
    int status = pcdf_stats_piece(&job->ds, &job->choice, c, job->bytes);
    job->status = status ? status : job->status;
    if (status)
        return;
    if (part)
        pcdf_stats_take(part, h, job->bytes, c->n);
    if (counts)
        pcdf_stats_count(&job->bins[c->varid], h, job->bytes, c->n);
    pcdf_tool_progress_add(&job->progress, c->n * pcdf_type_size(h->type));
}

static void merge_round(struct job *job, struct pcdf_stats_walk *at, int most)
{
    int owner, slot;

    clear_slots(job);
    while (take_slot(at, job, &owner, &slot)) {
        int varid = at->piece.varid;
        pcdf_stats_merge(&job->whole[varid], &job->all[(int64_t)owner * most + slot], job->holes[varid].kind);
        pcdf_stats_walk_next(at);
    }
}

/* One round: true while pieces are left. */
static bool reduce_round_all(struct job *job, struct pcdf_stats_walk *at)
{
    struct pcdf_stats_walk begin = *at;
    int owner, slot, most = 0;

    clear_slots(job);
    memset(job->parts, 0, (size_t)job->room * sizeof *job->parts);
    while (take_slot(at, job, &owner, &slot)) {
        most = slot + 1 > most ? slot + 1 : most;
        if (owner == job->ranks->rank)
            read_piece(job, &at->piece, &job->parts[slot]);
        pcdf_stats_walk_next(at);
    }
    pcdf_tool_gather_all(job->ranks, job->parts, most * (int)sizeof *job->parts, job->all);
    if (job->ranks->rank == 0)
        merge_round(job, &begin, most);
    return at->has_piece; /* the same on all ranks */
}

/* What rank 0 put together, to all: the histograms need the extremes. */
static void share_whole_all(struct job *job)
{
    for (int64_t i = 0; i < job->ds.meta.nvars; i += SHARED_AT_ONCE) { /* the same on all ranks */
        int64_t n = job->ds.meta.nvars - i;
        n = n < SHARED_AT_ONCE ? n : SHARED_AT_ONCE;
        pcdf_tool_share_all(job->ranks, job->whole + i, (int)(n * (int64_t)sizeof *job->whole), 0);
    }
}

static void reduce_all(struct job *job)
{
    const struct pcdf_stats_options *o = job->options;
    struct pcdf_stats_walk at;
    bool is_second = o->bins > 0 && !o->has_range; /* the same on all ranks */

    pcdf_tool_progress_begin(&job->progress, job->ranks, "reading",
                             pcdf_stats_bytes(&job->choice, &job->ds.meta) * (is_second ? 2 : 1));
    if (o->bins > 0 && !is_second)
        begin_bins(job);
    pcdf_stats_walk_begin(&at, &job->choice, &job->ds.meta, CHUNK);
    while (reduce_round_all(job, &at))
        ;
    if (is_second) {
        share_whole_all(job);
        begin_bins(job);
        for (pcdf_stats_walk_begin(&at, &job->choice, &job->ds.meta, CHUNK); at.has_piece;
             pcdf_stats_walk_next(&at))
            if (pcdf_tool_owner(at.piece.unit, job->ranks->size) == job->ranks->rank)
                read_piece(job, &at.piece, NULL);
    }
    if (o->bins > 0) /* the same on all ranks */
        pcdf_tool_sum_all(job->ranks, job->counts, (int)job->ncounts);
    pcdf_tool_progress_end(&job->progress);
    if (job->ds.read_behind && !job->status)
        job->status = PCDF_TOOL_BAD;
}

/* NaN may be the fill value. */
static void name_nans(struct job *job)
{
    for (int i = 0; i < job->ds.meta.nvars; i++) {
        if (!job->holes[i].has_nan)
            continue;
        job->whole[i].fills += job->whole[i].nans;
        job->whole[i].nans = 0;
    }
}

int pcdf_stats_run_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_stats_options *options)
{
    struct job job = { .ranks = ranks, .options = options };

    job.status =
        pcdf_tool_sources_share_all(ranks, (struct pcdf_tool_sharing){ 0 }, options->npaths, options->paths);
    job.status = job.status ? job.status : begin_job(&job);
    uint32_t sum = job.is_open ? pcdf_tool_dataset_sum(&job.ds, 0) : 0;
    const char *path = options->npaths == 1 ? options->paths[0] : NULL;
    int status = pcdf_tool_agree_all(ranks, path, sum, job.status);
    if (status == PCDF_TOOL_GOOD) { /* the same on all ranks */
        reduce_all(&job);
        status = pcdf_tool_worst_all(ranks, job.status);
        name_nans(&job);
        const struct pcdf_stats_found found = { .ds = &job.ds,
                                                .choice = &job.choice,
                                                .holes = job.holes,
                                                .whole = job.whole,
                                                .packing = job.packing,
                                                .bins = job.bins };
        if (status != PCDF_TOOL_UNUSABLE && ranks->rank == 0)
            pcdf_stats_print(&found, options);
    }
    end_job(&job);
    return status;
}
