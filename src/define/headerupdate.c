/* See headerupdate.h. ds->touched is agreed before it decides anything: a rank whose call failed changed
 * nothing. The bytes that the file holds are kept by rank 0 alone, from the first change that has to wait
 * until it is written. */
#include "headerupdate.h"
#include "alloc.h"
#include "change.h"
#include "encode.h"
#include "records.h"

enum { SECTOR = 512 };

/* In independent data mode rank 0 may know of records that the others do not: the file, and with it
 * numrecs_on_file, which all ranks hold equal, learns of them only where all agree. */
static void set_numrecs(const struct pcdf_dataset *ds, struct pcdf_header_bytes *header)
{
    pcdf_encode_numrecs(ds->meta.version, ds->numrecs_on_file, header->bytes + 4);
}

/* Room for the header as it will be; where it becomes shorter, zeros cover what was behind it. */
static int make_room(const struct pcdf_dataset *ds, struct pcdf_header_bytes *now)
{
    now->size = ds->header_on_file.size;
    now->bytes = pcdf_calloc(1, (size_t)now->size);
    return now->bytes ? NC_NOERR
                      : PCDF_FAIL(NC_ENOMEM, "no memory for a header of %lld bytes", (long long)now->size);
}

static void encode_now(const struct pcdf_dataset *ds, struct pcdf_header_bytes *now)
{
    pcdf_encode(&ds->meta, &ds->layout, now->bytes);
    set_numrecs(ds, now);
}

static void forget_old(struct pcdf_dataset *ds)
{
    pcdf_free(ds->header_on_file.bytes);
    ds->header_on_file = (struct pcdf_header_bytes){ 0 };
}

/* Does all that changed lie in one sector? */
static bool fits_sector(const struct pcdf_dataset *ds, const struct pcdf_header_bytes *now,
                        const struct pcdf_header_bytes *old)
{
    struct pcdf_header_span s = pcdf_header_changed(ds, now, old);
    return s.from >= s.to || s.from / SECTOR == (s.to - 1) / SECTOR;
}

int pcdf_header_update_begin(struct pcdf_dataset *ds, struct pcdf_header_update *touch)
{
    *touch = (struct pcdf_header_update){ .waits = ds->header_on_file.bytes != NULL };
    if (ds->comm.rank != 0 || touch->waits)
        return NC_NOERR;
    PCDF_TRY(pcdf_header_encode(&ds->meta, &ds->layout, &ds->header_on_file));
    set_numrecs(ds, &ds->header_on_file);
    int err = make_room(ds, &touch->now);
    if (err)
        forget_old(ds);
    return err;
}

int pcdf_header_update_end(struct pcdf_dataset *ds, struct pcdf_header_update *touch, int err)
{
    bool is_first = touch->now.bytes != NULL;
    if (!err) {
        ds->layout.header_size = pcdf_header_size_now(ds);
        ds->touched = true;
    }
    if (!err && is_first)
        encode_now(ds, &touch->now);
    if (is_first && (err || fits_sector(ds, &touch->now, &ds->header_on_file))) {
        if (!err)
            err = pcdf_change_root_header(ds, &touch->now, &ds->header_on_file, NULL);
        forget_old(ds);
    }
    pcdf_free(touch->now.bytes);
    return err;
}

static int root_write_waiting(struct pcdf_dataset *ds)
{
    struct pcdf_header_bytes now = { 0 };
    if (!ds->header_on_file.bytes)
        return NC_NOERR;
    set_numrecs(ds, &ds->header_on_file);
    int err = make_room(ds, &now);
    if (!err) {
        encode_now(ds, &now);
        err = pcdf_change_root_header(ds, &now, &ds->header_on_file, NULL);
    }
    pcdf_first(&ds->io_error, err);
    forget_old(ds);
    pcdf_free(now.bytes);
    return err;
}

int pcdf_header_update_write(struct pcdf_dataset *ds)
{
    ds->touched = false;
    return ds->comm.rank == 0 ? root_write_waiting(ds) : NC_NOERR;
}

static int vote_all(struct pcdf_dataset *ds, enum pcdf_kind kind, struct pcdf_sync_vote *vote)
{
    *vote = (struct pcdf_sync_vote){ .common = { .kind = kind, .numrecs = ds->meta.numrecs },
                                     .header_dirty = ds->touched };
    int status = pcdf_vote_all(ds, vote);
    if (!status && vote->common.io_error)
        status = PCDF_FAIL(vote->common.io_error, "writing the file failed on some rank");
    return status;
}

int pcdf_header_sync_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    struct pcdf_sync_vote vote;
    if (ds->mode == PCDF_MODE_INDEPENDENT) /* records of collective puts were flushed as they were added */
        (void)pcdf_records_flush(ds);
    int status = vote_all(ds, kind, &vote);
    if (status) /* the same on all ranks, as what follows */
        return status;
    bool raises = vote.common.numrecs > ds->numrecs_on_file, waits = vote.header_dirty;
    if (raises) {
        status = pcdf_records_take(ds, vote.common.numrecs);
        pcdf_first(&status, pcdf_records_root_flush(ds));
    }
    if (waits)
        pcdf_first(&status, pcdf_header_update_write(ds));
    if (raises || waits)
        pcdf_first_vote(ds, &status, vote_all(ds, kind, &vote));
    return status;
}
