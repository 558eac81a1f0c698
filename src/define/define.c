/* Between the modes of a file: enddef lays it out, makes room and writes the header; redef goes back; data
 * mode is collective or independent. */
#include <string.h>
#include "alloc.h"
#include "safety.h"
#include "debuglog.h"
#include "change.h"
#include "collective.h"
#include "define.h"
#include "hash.h"
#include "headerupdate.h"
#include "pnetcdf.h"
#include "quantize.h"
#include "rules.h"
#include "vote.h"
#include "fill.h"
#include "defer.h"
#include "filewriter.h"

/* Hint pcdf_debug_move=insert: the largest block of ext4 and XFS, so that the layout is the same on all. */
enum { PCDF_INSERTION_UNIT = 64 << 10 };

/* What this rank can do alone: the new layout and the header's bytes. *hash: of what all must define alike.
 */
static int lay_out(struct pcdf_dataset *ds, const struct pcdf_alignment *arguments,
                   struct pcdf_layout *layout, struct pcdf_header_bytes *header, uint64_t *hash)
{
    const struct pcdf_hints *hints = &ds->hints;
    struct pcdf_alignment a = *arguments;
    if (a.h_minfree < 0 || a.v_align < 0 || a.v_minfree < 0 || a.r_align < 0)
        return PCDF_FAIL(
            NC_EINVAL, "enddef: negative h_minfree %lld, v_align %lld, v_minfree %lld or r_align %lld",
            (long long)a.h_minfree, (long long)a.v_align, (long long)a.v_minfree, (long long)a.r_align);
    a.reserve = hints->header_reserve;
    if (ds->old_meta && hints->move == PCDF_MOVE_FAR)
        a.far_from = pcdf_layout_file_end(&ds->layout, ds->old_meta);
    if (ds->old_meta && hints->move == PCDF_MOVE_INSERT)
        a.move_unit = PCDF_INSERTION_UNIT;
    if (hints->v_align > 0) /* hints over arguments over defaults (reference 3) */
        a.v_align = hints->v_align;
    if (hints->r_align > 0)
        a.r_align = hints->r_align;
    PCDF_TRY(pcdf_rules_sizes(&ds->meta));
    PCDF_TRY(pcdf_layout_build(layout, &ds->meta, ds->is_new ? NULL : &ds->layout, &a));
    if (pcdf_layout_file_end(layout, &ds->meta) == INT64_MAX) /* the records there are, in their new size */
        return PCDF_FAIL(NC_EVARSIZE, "%lld records of %lld bytes do not end within 63 bits",
                         (long long)ds->meta.numrecs, (long long)layout->recsize);
    PCDF_TRY(pcdf_header_encode(&ds->meta, layout, header));
    if (ds->writer)
        PCDF_TRY(ds->writer->lay_out(ds, layout, hash));
    *hash ^= pcdf_hash_bytes(header->bytes, (size_t)header->size) ^ pcdf_fill_hash(ds);
    return NC_NOERR;
}

/* Nobody hears of a call that succeeds: the first rank whose definitions are not rank 0's tells its first
 * difference. Where all have the same, the fill modes differ, of which rank 0 tells. */
static void tell_difference_all(struct pcdf_dataset *ds, const char *own)
{
    int64_t first = *own ? ds->ranks.rank : ds->ranks.size;
    int err = pcdf_ranks_reduce_all(&ds->ranks, MPI_MIN, &first, 1);
    if (!err && ds->ranks.rank == (first < ds->ranks.size ? first : 0))
        pcdf_debuglog_tell("definitions differ between ranks, and rank 0's are used: %s (hint "
                           "pcdf_debug_consistency=error makes this an error)",
                           *own ? own : "the fill modes");
}

/* Ranks defined different things: rank 0's count, and the sentence names it. *vote: how it went everywhere.
 */
static int reconcile_all(struct pcdf_dataset *ds, struct pcdf_header_bytes *header, struct pcdf_vote *vote)
{
    bool is_error = ds->hints.consistency == PCDF_CONSISTENCY_ERROR;
    int status = NC_NOERR;
    char own[600] = "";                /* first difference from rank 0's definitions */
    if (PCDF_SAME_IN(ds, !is_error)) { /* rank 0's hint */
        status = pcdf_header_adopt_all(ds, header, own, sizeof own);
        pcdf_first(&status, pcdf_fill_adopt_all(ds));
        if (ds->writer)
            pcdf_first(&status, ds->writer->adopt_all(ds));
        pcdf_quantize_of_atts(&ds->meta); /* rank 0, too: all do the same */
        tell_difference_all(ds, own);
    }
    int sentence = PCDF_FAIL(NC_EMULTIDEFINE, "the definitions differ between ranks%s%s%s",
                             is_error ? "" : "; rank 0's were taken by all", *own ? ": " : "", own);
    pcdf_debuglog("%s: %s", ds->path, pcdf_fail_text());
    if (!status && is_error)
        status = sentence;
    *vote = (struct pcdf_vote){ .kind = PCDF_KIND_ENDDEF, .error = status };
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, vote));
    if (!status && vote->error)
        status = PCDF_FAIL(vote->error, "another rank cannot take over rank 0's definitions");
    return status;
}

void pcdf_forget_old_meta(struct pcdf_dataset *ds)
{
    if (ds->old_meta)
        pcdf_meta_free(ds->old_meta);
    pcdf_free(ds->old_meta);
    ds->old_meta = NULL;
}

int pcdf_enddef_all(struct pcdf_dataset *ds, const struct pcdf_alignment *arguments)
{
    const struct pcdf_alignment defaults = { 0 };
    if (ds->mode != PCDF_MODE_DEFINE) /* the same on all ranks */
        return PCDF_FAIL(NC_ENOTINDEFINE, "enddef in data mode; ncmpi_redef begins define mode");
    PCDF_TRY(pcdf_check_poison(ds));
    return pcdf_leave_define_all(ds, PCDF_KIND_ENDDEF, arguments ? arguments : &defaults);
}

/* As pcdf_change_write_all: nothing is written before the next sync or close. */
static int define_by_writer_all(struct pcdf_dataset *ds, enum pcdf_change_step *next)
{
    int status = ds->writer->define_all(ds);
    *next = status ? PCDF_STEP_NONE : PCDF_STEP_HEADER;
    return status;
}

int pcdf_leave_define_all(struct pcdf_dataset *ds, enum pcdf_kind kind,
                          const struct pcdf_alignment *arguments)
{
    struct pcdf_layout layout = { 0 };
    struct pcdf_header_bytes header = { 0 };
    uint64_t hash = 0;
    int status = lay_out(ds, arguments, &layout, &header, &hash);
    const struct pcdf_fact facts[] = {
        /* as safe mode compares them */
        { "an argument", NC_EMULTIDEFINE_FNC_ARGS, arguments, sizeof *arguments },
        { "the header", NC_EMULTIDEFINE, &hash, sizeof hash },
    };
    struct pcdf_vote vote = { .kind = kind,
                              .error = status,
                              .hash = ds->safe_mode ? pcdf_facts_hash(facts, 2) : hash };
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &vote));
    /* None: the file stays in define mode, with the layout that it has. The same on all ranks. */
    enum pcdf_change_step next =
        PCDF_SAME_IN(ds, !vote.error && !vote.io_error && !ds->poisoned) ? PCDF_STEP_JOURNAL : PCDF_STEP_NONE;
    if (next == PCDF_STEP_NONE && (!status || (ds->safe_mode && status != vote.error && !ds->poisoned)))
        status = PCDF_FAIL(vote.error ? vote.error : vote.io_error, "enddef fails on another rank");
    if (PCDF_SAME_IN(ds, next != PCDF_STEP_NONE && vote.hash_differs && ds->safe_mode)) {
        status = pcdf_name_difference_all(ds, kind, facts, 2);
        next = PCDF_STEP_NONE;
    }
    if (next != PCDF_STEP_NONE) {
        struct pcdf_layout old = ds->layout;
        ds->layout = layout;
        if (PCDF_SAME_IN(ds, vote.hash_differs))
            status = reconcile_all(ds, &header, &vote);
        if (PCDF_SAME_IN(ds, !vote.error && !ds->poisoned))
            pcdf_first_vote(ds, &status,
                            ds->writer ? define_by_writer_all(ds, &next)
                                       : pcdf_change_write_all(ds, &old, &header, &next));
        else
            next = PCDF_STEP_NONE;
        if (next == PCDF_STEP_NONE) {
            layout = ds->layout;
            ds->layout = old;
        } else {
            layout = old;
            pcdf_forget_old_meta(ds);
            ds->is_new = false;
            ds->mode = PCDF_MODE_COLLECTIVE;
        }
    }
    pcdf_layout_free(&layout);
    pcdf_free(header.bytes);
    return status;
}

/* ---- collective and independent data mode */

int pcdf_check_data_mode(const struct pcdf_dataset *ds, const char *call)
{
    if (ds->mode == PCDF_MODE_DEFINE)
        return PCDF_FAIL(NC_EINDEFINE, "%s in define mode; call ncmpi_enddef first", call);
    return pcdf_check_poison(ds);
}

int pcdf_switch_mode_all(struct pcdf_dataset *ds, enum pcdf_mode mode)
{
    bool begins = mode == PCDF_MODE_INDEPENDENT;
    enum pcdf_kind kind = begins ? PCDF_KIND_BEGIN_INDEP : PCDF_KIND_END_INDEP;
    /* the same on all ranks, as is what follows */
    PCDF_TRY(pcdf_check_data_mode(ds, begins ? "begin_indep_data" : "end_indep_data"));
    if (ds->mode == mode)
        return NC_NOERR;
    int status = pcdf_defer_write_all(ds, kind);
    if (ds->poisoned)
        return status;
    pcdf_first_vote(ds, &status, pcdf_header_sync_all(ds, kind));
    if (begins && !ds->poisoned) /* on all ranks */
        pcdf_first(&status, pcdf_parts_before_change_all(ds));
    int err = NC_NOERR;
    if (ds->writer && !ds->poisoned) /* on all ranks */
        err = ds->writer->mode_all(ds, mode);
    pcdf_first_vote(ds, &status, err);
    if (!ds->poisoned && !(begins && err)) /* err is the same on all ranks */
        ds->mode = mode;
    return status;
}

/* ---- redef */

int pcdf_redef_all(struct pcdf_dataset *ds)
{
    if (ds->readonly) /* the same on all ranks */
        return PCDF_FAIL(NC_EPERM, "redef: the file was opened for reading");
    if (ds->mode == PCDF_MODE_DEFINE) /* the same on all ranks */
        return PCDF_FAIL(NC_EINDEFINE, "redef in define mode; ncmpi_enddef ends it");
    PCDF_TRY(pcdf_check_poison(ds));
    int status = pcdf_defer_write_all(ds, PCDF_KIND_REDEF);
    if (ds->mode == PCDF_MODE_INDEPENDENT) /* the same on all ranks */
        pcdf_first_vote(ds, &status, pcdf_header_sync_all(ds, PCDF_KIND_REDEF));
    if (ds->poisoned) /* on all ranks: the others called something else */
        return status;
    ds->mode = PCDF_MODE_COLLECTIVE;
    /* Kept until enddef: what the file holds, so that enddef knows what to move and abort what to forget. */
    struct pcdf_meta *copy = pcdf_calloc(1, sizeof *copy);
    int err = copy ? pcdf_meta_copy(copy, &ds->meta) : PCDF_FAIL(NC_ENOMEM, "no memory for redef");
    struct pcdf_sync_vote vote = { .common = { .kind = PCDF_KIND_REDEF, .error = err },
                                   .header_dirty = ds->header_dirty };
    pcdf_first_vote(ds, &err, pcdf_vote_all(ds, &vote));
    int failed = vote.common.error ? vote.common.error : vote.common.io_error;
    if (!err && failed)
        err = PCDF_FAIL(failed, "redef fails: an error on some rank");
    /* Records that a part holds are counted now. */
    if (PCDF_SAME_IN(ds, !err && (vote.header_dirty || ds->meta.numrecs > ds->numrecs_on_file)))
        err = pcdf_header_sync_all(ds, PCDF_KIND_REDEF);
    if (ds->writer && !ds->poisoned) /* on all ranks, as is err */
        pcdf_first(&err, ds->writer->mode_all(ds, err ? PCDF_MODE_COLLECTIVE : PCDF_MODE_DEFINE));
    if (!err) {
        ds->old_meta = copy;
        ds->mode = PCDF_MODE_DEFINE;
    } else if (copy) {
        pcdf_meta_free(copy);
        pcdf_free(copy);
    }
    pcdf_first_vote(ds, &status, err);
    return status;
}
