/* See headerupdate.h. ds->header_dirty is agreed before it decides anything: a rank whose call failed changed
 * nothing. The bytes that the file holds are kept by rank 0 alone, from the first change that has to wait
 * until it is written. */
#include "headerupdate.h"
#include "alloc.h"
#include "change.h"
#include "encode.h"
#include "records.h"

/* In independent data mode rank 0 may know of records that the others do not: the file, and with it
 * numrecs_on_file, which all ranks hold equal, learns of them only where all agree. */
static void set_numrecs(const struct pcdf_dataset *ds, struct pcdf_header_bytes *header)
{
    pcdf_encode_numrecs(ds->meta.version, ds->numrecs_on_file, header->bytes + 4);
}

static void forget_old(struct pcdf_dataset *ds)
{
    pcdf_free(ds->header_on_file.bytes);
    ds->header_on_file = (struct pcdf_header_bytes){ 0 };
}

int pcdf_header_update_begin(struct pcdf_dataset *ds, struct pcdf_header_update *update)
{
    *update = (struct pcdf_header_update){ 0 };
    if (ds->mode == PCDF_MODE_DEFINE)
        return NC_NOERR;
    PCDF_TRY(pcdf_check_poison(ds));
    int known =
        ds->ranks.size == 1 ? ds->io_error : ds->agreed_io_error; /* not what one rank of many knows */
    if (known)                                                    /* the same on all ranks */
        return PCDF_FAIL(known, "the storage failed before (%s): nothing is written",
                         pcdf_error_of(known)->name);
    /* One waits: then this one, too. */
    if (ds->ranks.rank != 0 || ds->header_on_file.bytes || ds->writer)
        return NC_NOERR;
    PCDF_TRY(pcdf_header_encode(&ds->meta, &ds->layout, &ds->header_on_file));
    set_numrecs(ds, &ds->header_on_file);
    int64_t size = ds->header_on_file.size;
    update->now = (struct pcdf_header_bytes){ pcdf_calloc(1, (size_t)size), size };
    if (update->now.bytes)
        return NC_NOERR;
    forget_old(ds);
    return PCDF_FAIL(NC_ENOMEM, "no memory for a header of %lld bytes", (long long)size);
}

/* now: room as large as the old header; where the new one is shorter, zeros cover what was behind it. */
static int root_encode_and_write(struct pcdf_dataset *ds, struct pcdf_header_bytes *now, bool may_postpone)
{
    pcdf_encode(&ds->meta, &ds->layout, now->bytes);
    set_numrecs(ds, now);
    if (may_postpone && !pcdf_change_fits_sector(pcdf_header_changed(ds, now, &ds->header_on_file)))
        return NC_NOERR;
    int err = pcdf_change_root_header(ds, now, &ds->header_on_file, NULL);
    forget_old(ds);
    return err;
}

int pcdf_header_update_end(struct pcdf_dataset *ds, struct pcdf_header_update *update, int err)
{
    pcdf_meta_tidy(&ds->meta);
    if (ds->mode == PCDF_MODE_DEFINE)
        return err;
    if (!err) {
        ds->layout.header_size = pcdf_encode_size(&ds->meta);
        ds->header_dirty = true;
    }
    if (update->now.bytes && !err)
        err = root_encode_and_write(ds, &update->now, true);
    else if (update->now.bytes)
        forget_old(ds);
    pcdf_free(update->now.bytes);
    return err;
}

int pcdf_header_update_write(struct pcdf_dataset *ds)
{
    int64_t size = ds->header_on_file.size;
    if (ds->writer) /* it goes with what is counted: count_all */
        return NC_NOERR;
    ds->header_dirty = false;
    if (!ds->header_on_file.bytes) /* rank 0 alone has them */
        return NC_NOERR;
    set_numrecs(ds, &ds->header_on_file);
    struct pcdf_header_bytes now = { pcdf_calloc(1, (size_t)size), size };
    int err = now.bytes ? root_encode_and_write(ds, &now, false)
                        : PCDF_FAIL(NC_ENOMEM, "no memory for a header of %lld bytes", (long long)size);
    pcdf_first(&ds->io_error, err);
    forget_old(ds);
    pcdf_free(now.bytes);
    return err;
}

int pcdf_header_vote_all(struct pcdf_dataset *ds, enum pcdf_kind kind, struct pcdf_sync_vote *vote)
{
    vote->common = (struct pcdf_vote){ .kind = kind, .numrecs = ds->meta.numrecs };
    vote->header_dirty = ds->header_dirty;
    int status = pcdf_vote_all(ds, vote);
    if (!status && vote->common.io_error)
        status = PCDF_FAIL(vote->common.io_error, "writing the file failed on some rank");
    return status;
}

/* Calls that only agree on what there is leave it to parts to hold records; the others count everything. */
static bool only_agrees(enum pcdf_kind kind)
{
    return kind == PCDF_KIND_BEGIN_INDEP || kind == PCDF_KIND_END_INDEP || kind == PCDF_KIND_BARRIER;
}

int pcdf_header_sync_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    struct pcdf_sync_vote vote = { 0 };
    /* Records of collective puts were flushed as they were added. */
    if (ds->mode == PCDF_MODE_INDEPENDENT)
        (void)pcdf_records_flush(ds);
    int status = pcdf_header_vote_all(ds, kind, &vote);
    if (PCDF_SAME_IN(ds, status != NC_NOERR)) /* on all ranks, as what follows */
        return status;
    bool has_more = vote.common.numrecs > ds->numrecs_on_file, waits = vote.header_dirty;
    bool holds = has_more && only_agrees(kind) && pcdf_parts_hold_records(ds), raises = has_more && !holds;
    if (PCDF_SAME_IN(ds, holds)) {
        ds->has_grown = true;
        ds->meta.numrecs = vote.common.numrecs;
        status = pcdf_parts_put_all(ds, &(struct pcdf_span){ 0, INT64_MAX });
        if (ds->poisoned) /* on all ranks */
            return status;
    }
    if (raises) {
        pcdf_first(&status, pcdf_records_count_now(ds, vote.common.numrecs));
        if (ds->ranks.rank == 0)
            pcdf_first(&status, pcdf_records_flush(ds));
    }
    if (waits)
        pcdf_first(&status, pcdf_header_update_write(ds));
    if (has_more || waits)
        pcdf_first_vote(ds, &status, pcdf_header_vote_all(ds, kind, &vote));
    return status;
}
