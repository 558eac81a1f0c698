/* See netcdf4part.h: the moments of the part, and the writer. */
#include "netcdf4part.h"
#include <string.h>
#include "cells.h"
#include "dataset.h"
#include "h5meta.h"
#include "netcdf4file.h"
#include "pnetcdf.h"
#include "shown.h"
#include "status.h"
#include "tracestorage.h"
#include "vote.h"
#include "filewriter.h"

enum decision { IS_CLASSIC, IS_NETCDF4, IS_CLASSIC_MODEL };

static struct netcdf4 *own_of(const struct pcdf_dataset *ds)
{
    return pcdf_part_state(ds, &pcdf_part_netcdf4);
}

struct pcdf_stored_vars *pcdf_netcdf4_stored(struct pcdf_dataset *ds)
{
    struct netcdf4 *n = own_of(ds);
    return ds->writer && n ? &n->stored : NULL;
}

/* ---- the writer */

static int format(const struct pcdf_dataset *ds)
{
    return own_of(ds)->is_classic_model ? NC_FORMAT_NETCDF4_CLASSIC : NC_FORMAT_NETCDF4;
}

static int check_type(const struct pcdf_dataset *ds, int type)
{
    if (own_of(ds)->is_classic_model && type > NC_DOUBLE)
        return PCDF_FAIL(NC_ESTRICTNC3,
                         "%s: a file of the classic model (NC_CLASSIC_MODEL) has the types of CDF-1 alone",
                         pcdf_type_name(type));
    return NC_NOERR;
}

/* libnetcdf and libhdf5 know what a file is by these. */
static int check_att(const struct pcdf_dataset *ds, int varid, const char *name)
{
    static const char *const of_vars[] = { "CLASS",          "NAME",          "DIMENSION_LIST",
                                           "REFERENCE_LIST", "_Netcdf4Dimid", "_Netcdf4Coordinates" },
                             *const of_files[] = { "_NCProperties", "_nc3_strict", "_IsNetcdf4",
                                                   "_SuperblockVersion" };
    bool is_file = varid == NC_GLOBAL;
    const char *const *names = is_file ? of_files : of_vars;
    size_t count = is_file ? sizeof of_files / sizeof *of_files : sizeof of_vars / sizeof *of_vars;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return PCDF_FAIL(NC_ENAMEINUSE, "%s: the attribute \"%s\" is one that netCDF-4 keeps for itself",
                             ds->path, name);
    return NC_NOERR;
}

static int lay_out(struct pcdf_dataset *ds, struct pcdf_layout *layout, uint64_t *hash)
{
    struct netcdf4 *n = own_of(ds);
    PCDF_TRY(pcdf_netcdf4_plan_make(ds, n));
    layout->cells = &n->next->cells;
    *hash = pcdf_stored_hash(&n->stored);
    return NC_NOERR;
}

/* How rank 0 stores its variables, to all. */
static int share_stored_all(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    bool is_root = ds->ranks.rank == 0;
    int64_t size = is_root ? pcdf_stored_vars_encode_size(&n->stored) : 0;
    PCDF_TRY(pcdf_ranks_bcast_all(&ds->ranks, &size, sizeof size));
    unsigned char *bytes = pcdf_malloc((size_t)size + 1);
    int err = bytes ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for how variables are stored");
    err = pcdf_ranks_agree_all(&ds->ranks, err, "hear how variables are stored");
    if (!err && is_root)
        pcdf_stored_vars_encode(&n->stored, bytes);
    if (!err) /* the same on all ranks */
        err = pcdf_ranks_bcast_all(&ds->ranks, bytes, size);
    if (!err && !is_root)
        err = pcdf_stored_vars_decode(&n->stored, &ds->meta, bytes, size);
    pcdf_free(bytes);
    return err;
}

static int adopt_all(struct pcdf_dataset *ds)
{
    uint64_t hash;
    int err = share_stored_all(ds, own_of(ds));
    return err ? err : lay_out(ds, &ds->layout, &hash);
}

/* The process is made early: it loads libhdf5 while the program puts, and whoever lacks it hears of it now.
 */
static int define_all(struct pcdf_dataset *ds)
{
    struct netcdf4 *n = own_of(ds);
    int status = ds->ranks.rank == 0 && ds->is_new ? pcdf_netcdf4_root_start(ds, n) : NC_NOERR;
    status = pcdf_ranks_agree_all(&ds->ranks, status, "begin a netCDF-4 file");
    return status ? status : pcdf_netcdf4_plan_take_all(ds, n); /* on all ranks */
}

/* A rank may write any chunk next, or own other ones. */
static int mode_all(struct pcdf_dataset *ds, enum pcdf_mode mode)
{
    struct netcdf4 *n = own_of(ds);
    int status = pcdf_netcdf4_write_all(ds, n);
    if (ds->poisoned) /* on all ranks */
        return status;
    if (mode == PCDF_MODE_INDEPENDENT) { /* the same on all ranks */
        pcdf_first(&status, pcdf_stored_decide(&n->stored, &ds->meta));
        n->nopen = n->nunowned = 0;
    }
    status = pcdf_ranks_agree_all(&ds->ranks, status, "write what was put");
    if (!status) /* the same on all ranks */
        status = pcdf_netcdf4_learn_all(ds, n);
    if (!status && mode == PCDF_MODE_DEFINE) /* the same on all ranks */
        status = pcdf_netcdf4_hold_all(ds, n);
    pcdf_netcdf4_patches_keep(n, !status && mode == PCDF_MODE_INDEPENDENT);
    return status;
}

static int before_put_all(struct pcdf_dataset *ds, enum pcdf_kind kind, struct pcdf_request *const *requests,
                          int n, int own)
{
    int status = pcdf_netcdf4_decide_all(ds, own_of(ds), kind, requests, n, own);
    if (!ds->poisoned) /* on all ranks */
        pcdf_first_vote(ds, &status, pcdf_netcdf4_feed_all(ds, own_of(ds), kind, own));
    return status;
}

static int64_t step(const struct pcdf_dataset *ds)
{
    return pcdf_netcdf4_step(ds, own_of(ds));
}

static bool lacked_room(const struct pcdf_dataset *ds)
{
    const struct netcdf4 *n = own_of(ds);
    return n->patches && pcdf_patches_lacked_room(n->patches);
}

static int place_all(struct pcdf_dataset *ds)
{
    return pcdf_netcdf4_place_all(ds, own_of(ds));
}

static bool is_dirty(const struct pcdf_dataset *ds)
{
    return own_of(ds)->is_dirty || ds->mode == PCDF_MODE_INDEPENDENT;
}

/* In independent mode every rank gets what the others had put. */
static int write_all(struct pcdf_dataset *ds)
{
    struct netcdf4 *n = own_of(ds);
    int status = pcdf_netcdf4_write_all(ds, n);
    if (ds->mode == PCDF_MODE_INDEPENDENT && !ds->poisoned) /* on all ranks */
        pcdf_first(&status, pcdf_netcdf4_learn_all(ds, n));
    return status;
}

/* What this rank stored since the last sync: into the log, if there is one. */
static void log_chunks(const struct pcdf_dataset *ds, struct netcdf4 *n)
{
    struct pcdf_chunks_counts now, *old = &n->told;
    pcdf_chunks_count(n->chunks, &now);
    const struct pcdf_trace_line stored = { "chunks", now.chunks - old->chunks, now.values - old->values,
                                            now.stored - old->stored, NC_NOERR },
                                 anew = { "chunks_anew", now.again - old->again, 0, now.lost - old->lost,
                                          NC_NOERR };
    if (stored.pieces > 0)
        pcdf_tracestorage_tell(ds->io->storage, pcdf_tracefile_clock(), &stored);
    if (anew.pieces > 0 || anew.bytes > 0)
        pcdf_tracestorage_tell(ds->io->storage, pcdf_tracefile_clock(), &anew);
    n->told = now;
}

static int count_all(struct pcdf_dataset *ds, int64_t numrecs, bool commits)
{
    log_chunks(ds, own_of(ds));
    return pcdf_netcdf4_count_all(ds, own_of(ds), numrecs, commits);
}

static void rescue_all(struct pcdf_dataset *ds, bool commits)
{
    pcdf_netcdf4_rescue_all(ds, own_of(ds), commits);
}

static const struct pcdf_writer_ops writer = { .format = format,
                                               .check_type = check_type,
                                               .check_att = check_att,
                                               .lay_out = lay_out,
                                               .adopt_all = adopt_all,
                                               .define_all = define_all,
                                               .mode_all = mode_all,
                                               .before_put_all = before_put_all,
                                               .step = step,
                                               .lacked_room = lacked_room,
                                               .place_all = place_all,
                                               .is_dirty = is_dirty,
                                               .write_all = write_all,
                                               .count_all = count_all,
                                               .rescue_all = rescue_all };

/* ---- create and open */

/* A new file becomes one of netCDF-4 where the hint says so, or where it leaves that to the call, and that
 * does. */
static int root_place(struct pcdf_opening *o, void *own, int64_t *decision)
{
    int64_t word = o->ds->hints.format;
    bool asks = o->mode & NC_NETCDF4, is_model = asks && (o->mode & NC_CLASSIC_MODEL);
    (void)own;
    *decision = IS_CLASSIC;
    if (!o->creates || (word == PCDF_FORMAT_ASKED && !asks))
        return NC_NOERR;
    *decision = word == PCDF_FORMAT_NETCDF4_CLASSIC || is_model ? IS_CLASSIC_MODEL : IS_NETCDF4;
    o->has_writer = true;
    return pcdf_h5meta_check(o->ds->path);
}

/* A file that is there, and is to be written to. */
static int root_begin(struct pcdf_opening *o, void *own, int64_t *decision)
{
    (void)own;
    if (o->creates || !o->for_writing || !pcdf_shown_is_netcdf4(o->ds->shown))
        return NC_NOERR;
    *decision = pcdf_shown_format(o->ds->shown) == NC_FORMAT_NETCDF4_CLASSIC ? IS_CLASSIC_MODEL : IS_NETCDF4;
    o->has_writer = true;
    return NC_NOERR;
}

static bool agreed(struct pcdf_dataset *ds, void *own, int64_t decision)
{
    struct netcdf4 *n = own;
    if (decision == IS_CLASSIC) {
        if (ds->is_new && !ds->storage_kind->on_disk)
            pcdf_hints_drop(pcdf_dataset_hints_to_read(ds), "pcdf_format", "the file is not on a disk");
        if (ds->is_new)
            pcdf_hints_drop(pcdf_dataset_hints_to_read(ds), "pcdf_chunks pcdf_compress",
                            "the new file is a classic one (pcdf_format=netcdf4 makes netCDF-4)");
        return false;
    }
    n->is_classic_model = decision == IS_CLASSIC_MODEL;
    n->plan = &n->plans[0];
    n->next = &n->plans[1];
    n->eof = PCDF_H5META_HEAD;
    n->most = INT64_MAX;
    n->is_dirty = n->is_redefined = true;
    ds->writer = &writer;
    ds->is_streaming = false;
    pcdf_hints_drop(pcdf_dataset_hints_to_read(ds), "pcdf_streaming", "the file is no classic one");
    pcdf_hints_drop(pcdf_dataset_hints_to_read(ds), "pcdf_commit=record>close",
                    "a netCDF-4 file counts its records at sync and close");
    if (ds->commit == PCDF_COMMIT_STEP || ds->commit == PCDF_COMMIT_RECORD)
        ds->commit = PCDF_COMMIT_CLOSE;
    return true;
}

static int stack(void *context, struct pcdf_storage **top)
{
    struct netcdf4 *n = context;
    const struct pcdf_chunks_config config = { .cells = &n->plan->cells, .vars = n->plan->vars };
    n->below = *top;
    return pcdf_chunks_stack(&config, top, &n->chunks);
}

static int stack_above(void *context, struct pcdf_storage **top)
{
    struct netcdf4 *n = context;
    return pcdf_patches_stack(n->patches_limit, top, &n->patches);
}

/* Each rank owns chunks, and no block of the file is worth anything. */
static void configure(struct pcdf_dataset *ds, void *own, struct pcdf_sharedfile_config *config)
{
    struct netcdf4 *n = own;
    n->patches_limit = ds->hints.chunk_memory;
    config->stack = stack;
    if (ds->ranks.size > 1)
        config->stack_above = stack_above;
    config->stack_context = own;
    config->proposal.per_node = INT32_MAX;
    config->sieve = PCDF_SIEVE_OFF;
}

/* What rank 0's hints say of new variables; texts are not among what the vote agreed on. */
static int share_options_all(struct pcdf_dataset *ds, struct netcdf4 *n)
{
    struct pcdf_hints *hints = pcdf_dataset_hints_to_read(ds);
    pcdf_hint_TEXT texts[2];
    memcpy(texts[0], hints->chunks, sizeof texts[0]);
    memcpy(texts[1], hints->compress, sizeof texts[1]);
    int err = pcdf_ranks_bcast_all(&ds->ranks, texts, sizeof texts);
    memcpy(hints->chunks, texts[0], sizeof texts[0]);
    memcpy(hints->compress, texts[1], sizeof texts[1]);
    pcdf_options_read_hints(&n->stored.options, hints);
    return err;
}

static int opened_all(struct pcdf_dataset *ds, void *own)
{
    struct netcdf4 *n = own;
    ds->io->sieve = (struct pcdf_sieve_rule){ 0 };
    ds->layout.cells = &n->plan->cells; /* no variable is there yet */
    if (n->is_classic_model)
        ds->meta.ranges = PCDF_CDF2;
    return share_options_all(ds, n);
}

static int read_all(struct pcdf_dataset *ds, void *own, const struct pcdf_opened *o)
{
    if (!ds->writer || o->creates) /* the same on all ranks */
        return o->status;
    int status = pcdf_ranks_agree_all(&ds->ranks, o->status, "open the file");
    return status ? status : pcdf_netcdf4_open_all(ds, own); /* on all ranks */
}

/* ---- an open file */

static bool holds_records(const struct pcdf_dataset *ds, const void *own)
{
    (void)ds, (void)own;
    return true; /* until a sync or close */
}

static bool close_together(const struct pcdf_dataset *ds, const void *own)
{
    (void)ds, (void)own;
    return true;
}

static void in_force(const struct pcdf_dataset *ds, const void *own, struct pcdf_hints *hints)
{
    const struct netcdf4 *n = own;
    (void)ds;
    hints->format = !n                    ? PCDF_FORMAT_ASKED
                    : n->is_classic_model ? PCDF_FORMAT_NETCDF4_CLASSIC
                                          : PCDF_FORMAT_NETCDF4;
    if (!n || !*n->stored.options.chunks)
        strcpy(hints->chunks, "auto");
    if (!n || !*n->stored.options.compress)
        strcpy(hints->compress, "none");
}

static void closed(struct pcdf_dataset *ds, void *own, bool is_over)
{
    struct netcdf4 *n = own;
    (void)ds, (void)is_over;
    n->chunks = NULL;
    n->below = NULL;
    n->patches = NULL;
}

static void free_own(struct pcdf_dataset *ds, void *own)
{
    struct netcdf4 *n = own;
    (void)ds;
    pcdf_h5meta_end(n->meta);
    pcdf_h5ranges_free(&n->held);
    pcdf_netcdf4_plan_free(&n->plans[0]);
    pcdf_netcdf4_plan_free(&n->plans[1]);
    pcdf_stored_free(&n->stored);
    pcdf_free(n->owners.x);
}

const struct pcdf_part_ops pcdf_part_netcdf4 = {
    .name = "netcdf4",
    .own_size = sizeof(struct netcdf4),
    .root_place = root_place,
    .root_begin = root_begin,
    .agreed = agreed,
    .configure = configure,
    .opened_all = opened_all,
    .read_all = read_all,
    .holds_records = holds_records,
    .must_settle = close_together,
    .close_together = close_together,
    .in_force = in_force,
    .closed = closed,
    .free = free_own,
};
