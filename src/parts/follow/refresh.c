/* See refresh.h. One look takes two system calls: the header is read, and the name is looked at.
 * All of the header, each time: nothing in its first bytes tells that definitions changed. Times of the file
 * that are as before do not prove that its bytes are: a write sets them, in ticks of the clock, and then
 * copies; so a look between the two sees new times and old bytes, and the next one the same times and new
 * bytes. */
#include "refresh.h"
#include "alloc.h"
#include "define.h"
#include "followfile.h"
#include "followheader.h"
#include "header.h"
#include "records.h"
#include "rules.h"
#include "shown.h"
#include "vote.h"

enum { LOOKS = 8 };

/* What a reader knows of the file that it follows. */
struct follow {
    uint64_t hash;               /* hash of the header as it was read */
    int64_t header_size;         /* bytes of it */
    bool streams;                /* at the last look the size told records */
    unsigned char *bytes;        /* room for it, from the first look on */
    struct pcdf_fileid identity; /* the open file, from the first look on */
    int64_t upper;               /* the last number seen, without its lowest byte */
    /* Records were told to this rank, and nothing was read since: a client of the file system may keep what
     * was there before. */
    bool must_look;
};

struct look {
    int64_t size;      /* the file's; -1: not known */
    bool leads_here;   /* the name, to the file that is open */
    int64_t numrecs;   /* as the header says */
    bool is_streaming; /* it says that the size tells */
};

static struct follow *follow_of(const struct pcdf_dataset *ds)
{
    return pcdf_part_state(ds, &pcdf_part_follow);
}

static int fail_stale(const char *what)
{
    return PCDF_FAIL(NC_ESTALE, "%s: close the file, and open it again", what);
}

/* Was this handle's first look before? It keeps room for the header, and knows which file it has open. */
static int prepare(struct pcdf_dataset *ds)
{
    struct follow *f = follow_of(ds);
    if (f->bytes)
        return NC_NOERR;
    f->bytes = pcdf_malloc((size_t)f->header_size);
    if (!f->bytes)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a header of %lld bytes", (long long)f->header_size);
    f->identity = pcdf_followfile_identity(pcdf_storage_bottom(ds->io->storage));
    f->upper = -1;
    return NC_NOERR;
}

static int look_at_name(struct pcdf_dataset *ds, struct look *look)
{
    return pcdf_followfile_name(pcdf_storage_bottom(ds->io->storage), &follow_of(ds)->identity, &look->size,
                                &look->leads_here);
}

/* Bytes [0, n) of the header: the number of records that they tell. */
static int read_header(struct pcdf_dataset *ds, int64_t n, struct look *look)
{
    unsigned char *bytes = follow_of(ds)->bytes;
    ds->get_bytes += n;
    PCDF_TRY(pcdf_followfile_read(pcdf_storage_bottom(ds->io->storage), bytes, n));
    look->numrecs = pcdf_followheader_count(bytes, ds->meta.version, &look->is_streaming);
    return NC_NOERR;
}

static bool is_settled(struct pcdf_dataset *ds, const struct look *look)
{
    return look->is_streaming ||
           pcdf_followheader_is_settled(look->numrecs, ds->meta.numrecs, &follow_of(ds)->upper);
}

/* The name first where a client of the file system keeps what it read, since that look makes it forget; and
 * where the size tells the records, so that the definitions are looked at later than the size that they
 * explain. */
static int look_once(struct pcdf_dataset *ds, struct look *look)
{
    struct follow *f = follow_of(ds);
    bool name_first = ds->io->tells_late || f->streams;
    if (name_first)
        PCDF_TRY(look_at_name(ds, look));
    PCDF_TRY(read_header(ds, f->header_size, look));
    if (look->is_streaming && !name_first) { /* it was not when the file was opened */
        f->streams = true;
        return look_once(ds, look);
    }
    f->streams = look->is_streaming;
    bool settled = is_settled(ds, look);
    if (settled && !name_first)
        PCDF_TRY(look_at_name(ds, look));
    for (int i = 0; i < LOOKS && !settled && !ds->io->tells_late; i++) {
        PCDF_TRY(read_header(ds, ds->meta.version == PCDF_CDF5 ? 12 : 8, look));
        settled = is_settled(ds, look);
    }
    if (!settled) /* the next look will tell */
        look->numrecs = ds->meta.numrecs;
    return NC_NOERR;
}

static int look_at_file(struct pcdf_dataset *ds, int64_t *numrecs)
{
    struct follow *f = follow_of(ds);
    struct look look = { .size = -1, .leads_here = true };
    PCDF_TRY(prepare(ds));
    PCDF_TRY(look_once(ds, &look));
    if (!look.leads_here)
        return fail_stale("the file's name leads to another file now, or to none");
    if (pcdf_followheader_hash(f->bytes, f->header_size) != f->hash)
        return fail_stale((f->bytes[3] & PCDF_CHANGE_MARK) ? "another job is changing the definitions"
                                                           : "the definitions on the file have changed");
    if (look.is_streaming)
        look.numrecs = pcdf_followheader_records_within(&ds->layout, &ds->meta, look.size);
    if (look.numrecs < ds->meta.numrecs)
        return PCDF_FAIL(NC_ESTALE,
                         "the file has %lld records, and had %lld: records were taken away; close the file, "
                         "and open it again",
                         (long long)look.numrecs, (long long)ds->meta.numrecs);
    struct pcdf_meta then = ds->meta;
    then.numrecs = look.numrecs;
    if (look.numrecs > pcdf_rules_max_count(ds->meta.version) ||
        pcdf_layout_file_end(&ds->layout, &then) == INT64_MAX)
        return fail_stale("the number of records is more than any file holds");
    *numrecs = look.numrecs;
    return NC_NOERR;
}

static int check(const struct pcdf_dataset *ds)
{
    PCDF_TRY(pcdf_check_data_mode(ds, "refresh"));
    if (!ds->shown)
        return NC_NOERR;
    return pcdf_shown_is_other(ds->shown)
               ? PCDF_FAIL(NC_ENOTBUILT, "refresh: a file of another format is read as it was when it was "
                                         "opened; close it, and open it again")
               : PCDF_FAIL(NC_ENOTBUILT,
                           "refresh: a far file is read as it was when it was opened; close it, "
                           "and open it again");
}

static int refresh_alone(struct pcdf_dataset *ds)
{
    int64_t numrecs = 0;
    PCDF_TRY(look_at_file(ds, &numrecs));
    pcdf_records_see(ds, numrecs);
    return NC_NOERR;
}

static int refresh_together_all(struct pcdf_dataset *ds)
{
    int64_t numrecs = ds->meta.numrecs;
    int status = ds->ranks.rank == 0 ? look_at_file(ds, &numrecs) : NC_NOERR;
    struct pcdf_vote vote = { .kind = PCDF_KIND_REFRESH, .error = status, .numrecs = numrecs };
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &vote));
    if (!status && vote.error)
        status = PCDF_FAIL(vote.error, "refresh: what rank 0 saw of the file, or that it could not look");
    if (!status) { /* the same on all ranks */
        pcdf_records_see(ds, vote.numrecs);
        ds->numrecs_on_file = vote.numrecs;
    }
    return status;
}

int pcdf_refresh_all(struct pcdf_dataset *ds)
{
    int status = check(ds);
    if (status || !ds->readonly) /* the same on all ranks. Whoever writes knows what there is */
        return status;
    if (ds->mode == PCDF_MODE_INDEPENDENT) /* the same on all ranks */
        return refresh_alone(ds);
    return refresh_together_all(ds);
}

int pcdf_refresh_generation(const struct pcdf_dataset *ds, int64_t *generation)
{
    struct pcdf_header_bytes header;
    PCDF_TRY(pcdf_check_data_mode(ds, "inq_generation"));
    PCDF_TRY(pcdf_header_encode(&ds->meta, &ds->layout, &header));
    *generation = (int64_t)(pcdf_followheader_hash(header.bytes, header.size) >> 1);
    pcdf_free(header.bytes);
    return NC_NOERR;
}

/* ---- the part. It is on where records were heard of: a file of which nobody heard any has no part for this.
 */

static bool agreed(struct pcdf_dataset *ds, void *own, int64_t decision)
{
    (void)ds, (void)own, (void)decision;
    return false;
}

static void header_read(struct pcdf_dataset *ds, void *own, const struct pcdf_header_bytes *header)
{
    struct follow *f = own;
    if (!ds->readonly)
        return;
    f->hash = pcdf_followheader_hash(header->bytes, header->size);
    f->header_size = header->size;
    (void)pcdf_followheader_count(header->bytes, ds->meta.version, &f->streams);
}

static void records_seen(struct pcdf_dataset *ds, void *own)
{
    struct follow *f = own;
    f->must_look = true;
    pcdf_part_turn_on(ds, &pcdf_part_follow);
}

/* Ranks that only read for others, too. */
static void before_move(struct pcdf_dataset *ds, void *own)
{
    struct follow *f = own;
    if (f->must_look)
        (void)pcdf_followfile_size(pcdf_storage_bottom(ds->io->storage), &ds->file_size);
    f->must_look = false;
}

static void free_own(struct pcdf_dataset *ds, void *own)
{
    (void)ds;
    pcdf_free(((struct follow *)own)->bytes);
}

const struct pcdf_part_ops pcdf_part_follow = {
    .name = "follow",
    .own_size = sizeof(struct follow),
    .is_classic_only = true,
    .is_local = true,
    .agreed = agreed,
    .header_read = header_read,
    .before_move = before_move,
    .records_seen = records_seen,
    .free = free_own,
};
