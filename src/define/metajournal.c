/* See metajournal.h. */
#include "metajournal.h"
#include <string.h>
#include "alloc.h"
#include "change.h"
#include "crc32c.h"
#include "filekind.h"
#include "numbers.h"
#include "ownjournal.h"
#include "pnetcdf.h"

struct pcdf_metajournal_file pcdf_metajournal_file_of(struct pcdf_dataset *ds, struct pcdf_storage *storage)
{
    (void)pcdf_dataset_follow(ds); /* the journal lies beside its present name */
    return (struct pcdf_metajournal_file){ .storage = storage,
                                           .path = pcdf_dataset_path(ds),
                                           .inode = ds->inode,
                                           .is_journalled = pcdf_change_wants_journal(ds) };
}

static int put(struct pcdf_storage *s, int64_t offset, const unsigned char *bytes, int64_t n)
{
    return pcdf_storage_move_at(s, PCDF_PUT, (void *)bytes, n, offset, NULL); /* which changes none of them */
}

static int sync_it(struct pcdf_storage *s, bool syncs)
{
    return syncs ? pcdf_storage_sync(s, false) : NC_NOERR;
}

/* What of a range lies in [from, to): another range, perhaps of no bytes. */
static struct pcdf_h5range cut(const struct pcdf_h5range *r, int64_t from, int64_t to)
{
    int64_t begin = pcdf_larger(r->offset, from), end = pcdf_smaller(r->offset + r->length, to);
    if (begin >= end)
        return (struct pcdf_h5range){ .offset = from };
    return (struct pcdf_h5range){ begin, end - begin, r->bytes + (begin - r->offset) };
}

static int put_between(const struct pcdf_metajournal_file *file, const struct pcdf_h5ranges *ranges,
                       int64_t from, int64_t to)
{
    for (int64_t i = 0; i < ranges->n; i++) {
        struct pcdf_h5range r = cut(&ranges->x[i], from, to);
        PCDF_TRY(put(file->storage, r.offset, r.bytes, r.length));
    }
    return NC_NOERR;
}

/* Behind `from`, with the last byte of the file. */
static int put_behind(const struct pcdf_metajournal_file *file, const struct pcdf_metajournal_flush *f,
                      int64_t from)
{
    const struct pcdf_h5ranges *x = f->ranges;
    int64_t end = x->n > 0 ? x->x[x->n - 1].offset + x->x[x->n - 1].length : 0;
    if (f->new_end > f->data_end && f->new_end > end)
        PCDF_TRY(put(file->storage, f->new_end - 1, (const unsigned char *)"", 1));
    return put_between(file, x, from, INT64_MAX);
}

/* The first sector as it will be: what the file has, and what changes of it. */
static int make_first(const struct pcdf_metajournal_file *file, const struct pcdf_h5ranges *ranges,
                      unsigned char old[PCDF_SECTOR], unsigned char new[PCDF_SECTOR])
{
    int64_t got = 0;
    PCDF_TRY(pcdf_storage_move_at(file->storage, PCDF_GET, old, PCDF_SECTOR, 0, &got));
    memcpy(new, old, PCDF_SECTOR);
    for (int64_t i = 0; i < ranges->n; i++) {
        struct pcdf_h5range r = cut(&ranges->x[i], 0, PCDF_SECTOR);
        if (r.length > 0)
            memcpy(new + r.offset, r.bytes, (size_t)r.length);
    }
    return NC_NOERR;
}

static int put_new_file(const struct pcdf_metajournal_file *file, const struct pcdf_metajournal_flush *f)
{
    unsigned char old[PCDF_SECTOR], first[PCDF_SECTOR];
    PCDF_TRY(put_behind(file, f, PCDF_SECTOR));
    PCDF_TRY(sync_it(file->storage, f->syncs));
    PCDF_TRY(make_first(file, f->ranges, old, first));
    PCDF_TRY(put(file->storage, 0, first, PCDF_SECTOR));
    return sync_it(file->storage, f->syncs);
}

/* ---- the journal */

static int crc_of_old(const struct pcdf_metajournal_file *file, struct pcdf_journal_range *r)
{
    enum { PIECE = 1 << 16 };
    unsigned char *bytes = pcdf_malloc(PIECE);
    int err = bytes ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for a change of the file's metadata");
    r->old_crc = 0;
    for (int64_t at = 0; !err && at < r->length; at += PIECE) {
        int64_t n = pcdf_smaller(PIECE, r->length - at);
        err = pcdf_storage_move_at(file->storage, PCDF_GET, bytes, n, r->offset + at, NULL);
        r->old_crc = pcdf_crc32c(r->old_crc, bytes, (size_t)n);
    }
    pcdf_free(bytes);
    return err;
}

/* The first sector, then what changes behind it and before the old end: x[0..*n), with room for all. */
static int list_ranges(const struct pcdf_metajournal_file *file, const struct pcdf_metajournal_flush *f,
                       const unsigned char *first, struct pcdf_journal_range *x, int64_t *n)
{
    x[0] = (struct pcdf_journal_range){ 0, PCDF_SECTOR, 0, first };
    *n = 1;
    for (int64_t i = 0; i < f->ranges->n; i++) {
        struct pcdf_h5range r = cut(&f->ranges->x[i], PCDF_SECTOR, f->old_end);
        if (r.length > 0)
            x[(*n)++] = (struct pcdf_journal_range){ r.offset, r.length, 0, r.bytes };
    }
    for (int64_t i = 0; i < *n; i++)
        PCDF_TRY(crc_of_old(file, &x[i]));
    return NC_NOERR;
}

static int write_journal(const struct pcdf_metajournal_file *file, const struct pcdf_metajournal_flush *f,
                         const unsigned char *old, const unsigned char *first, struct pcdf_journalfile *c)
{
    struct pcdf_journal_range *x = pcdf_malloc(((size_t)f->ranges->n + 1) * sizeof *x);
    struct pcdf_journal *j = &c->journal;
    unsigned char *bytes = NULL;
    int64_t n = 0;
    int err = x ? list_ranges(file, f, first, x, &n) : NC_ENOMEM;
    if (!err) {
        *j = (struct pcdf_journal){ .file_size = pcdf_larger(f->old_end, PCDF_SECTOR),
                                    .old_header = old,
                                    .old_size = PCDF_SECTOR,
                                    .new_size = pcdf_journal_ranges_size(x, n),
                                    .has_ranges = true };
        bytes = pcdf_malloc((size_t)j->new_size);
        err = bytes ? NC_NOERR : NC_ENOMEM;
    }
    if (!err) {
        pcdf_journal_ranges_encode(x, n, bytes);
        j->new_header = bytes;
        err = pcdf_ownjournal_root_write(file->path, file->inode, NULL, f->syncs, c);
        j->old_header = j->new_header = NULL; /* which is all that is not the caller's */
    } else if (err == NC_ENOMEM) {
        err = PCDF_FAIL(NC_ENOMEM, "no memory for a journal of the file's metadata");
    }
    pcdf_free(bytes);
    pcdf_free(x);
    return err;
}

/* ---- the steps from the mark on */

static int put_mark(const struct pcdf_metajournal_file *file, bool syncs, struct pcdf_journalfile *c)
{
    unsigned char mark[PCDF_MARK_FIRST];
    bool has_journal = pcdf_journalfile_is_open(c);
    pcdf_journal_mark_hdf5(c->journal.nonce, mark);
    PCDF_TRY(put(file->storage, 0, mark, has_journal ? PCDF_MARK_FIRST : PCDF_MARK_SIGNATURE));
    PCDF_TRY(sync_it(file->storage, syncs));
    c->is_marked = true;
    pcdf_journalfile_heartbeat(c, true, false);
    return NC_NOERR;
}

static int change_behind_mark(const struct pcdf_metajournal_file *file,
                              const struct pcdf_metajournal_flush *f, const unsigned char *first,
                              struct pcdf_journalfile *c)
{
    PCDF_TRY(put_mark(file, f->syncs, c));
    PCDF_TRY(put_between(file, f->ranges, PCDF_SECTOR, f->old_end));
    PCDF_TRY(sync_it(file->storage, f->syncs));
    PCDF_TRY(put(file->storage, 0, first, PCDF_SECTOR));
    return sync_it(file->storage, f->syncs);
}

/* From the first byte to the last of those that the file had, and that may change. */
static struct pcdf_header_span span_of(const struct pcdf_metajournal_flush *f)
{
    struct pcdf_header_span s = { INT64_MAX, 0 };
    for (int64_t i = 0; i < f->ranges->n; i++) {
        struct pcdf_h5range r = cut(&f->ranges->x[i], 0, f->old_end);
        if (r.length > 0) {
            s.from = pcdf_smaller(s.from, r.offset);
            s.to = pcdf_larger(s.to, r.offset + r.length);
        }
    }
    return s;
}

/* Within one sector: a write, by which what lies between the ranges stays as it is. */
static int put_in_one(const struct pcdf_metajournal_file *file, const struct pcdf_metajournal_flush *f,
                      struct pcdf_header_span s)
{
    unsigned char sector[PCDF_SECTOR];
    if (s.from >= s.to)
        return NC_NOERR;
    PCDF_TRY(pcdf_storage_move_at(file->storage, PCDF_GET, sector, s.to - s.from, s.from, NULL));
    for (int64_t i = 0; i < f->ranges->n; i++) {
        struct pcdf_h5range r = cut(&f->ranges->x[i], s.from, s.to);
        if (r.length > 0)
            memcpy(sector + (r.offset - s.from), r.bytes, (size_t)r.length);
    }
    PCDF_TRY(put(file->storage, s.from, sector, s.to - s.from));
    return sync_it(file->storage, f->syncs);
}

int pcdf_metajournal_root_apply(const struct pcdf_metajournal_file *file,
                                const struct pcdf_metajournal_flush *f)
{
    struct pcdf_journalfile c = { 0 };
    unsigned char old[PCDF_SECTOR], first[PCDF_SECTOR];
    if (f->is_first)
        return put_new_file(file, f);
    PCDF_TRY(put_behind(file, f, f->old_end));
    PCDF_TRY(sync_it(file->storage, f->syncs));
    struct pcdf_header_span span = span_of(f);
    if (pcdf_change_fits_sector(span))
        return put_in_one(file, f, span);
    PCDF_TRY(make_first(file, f->ranges, old, first));
    int err = file->is_journalled ? write_journal(file, f, old, first, &c) : NC_NOERR;
    if (!err) {
        err = change_behind_mark(file, f, first, &c);
        if (!err && pcdf_journalfile_is_open(&c))
            err = pcdf_ownjournal_root_end(&c, f->syncs);
        else if (pcdf_journalfile_is_open(&c))
            pcdf_journalfile_heartbeat(&c, true, true);
    }
    pcdf_journalfile_close(&c);
    return err;
}

/* ---- recovery */

/* The name may lead to another file than the journal's by now. */
static int check_opened(struct pcdf_storage *s, const char *path, const struct pcdf_journal *j)
{
    unsigned char first[PCDF_MARK_FIRST] = { 0 };
    struct pcdf_sidecar_facts facts;
    int64_t got = 0;
    PCDF_TRY(pcdf_storage_move_at(s, PCDF_GET, first, sizeof first, 0, &got));
    PCDF_TRY(pcdf_sidecar_inspect(path, &facts));
    if (got == sizeof first && facts.inode == j->inode && pcdf_journal_is_of(j, first))
        return NC_NOERR;
    return PCDF_FAIL(NC_ERECOVER,
                     "%s is another file than a moment ago, or was recovered meanwhile: nothing was done, "
                     "open it again",
                     path);
}

/* From the journal, behind the first sector. */
static int put_again(struct pcdf_storage *s, const struct pcdf_journal *j)
{
    struct pcdf_journal_range r;
    for (int64_t i = 0; pcdf_journal_range_next(j, &i, &r);) {
        int64_t skip = r.offset == 0 ? PCDF_SECTOR : 0;
        PCDF_TRY(put(s, r.offset + skip, r.bytes + skip, r.length - skip));
    }
    return NC_NOERR;
}

/* A job that was killed left file and journal as programs see them, perhaps not on the storage: a power cut
 * now must not take back what the recovery builds on. */
static int finish(struct pcdf_storage *s, struct pcdf_journalfile *c)
{
    struct pcdf_journal_range first = { 0 };
    int64_t i = 0;
    PCDF_TRY(pcdf_sidecar_sync(&c->sidecar));
    PCDF_TRY(pcdf_sidecar_sync_folder(c->sidecar.path));
    PCDF_TRY(pcdf_storage_sync(s, false));
    PCDF_TRY(put_again(s, &c->journal));
    PCDF_TRY(pcdf_storage_sync(s, false));
    (void)pcdf_journal_range_next(&c->journal, &i, &first);
    PCDF_TRY(put(s, 0, first.bytes, PCDF_SECTOR));
    PCDF_TRY(pcdf_storage_sync(s, false));
    return pcdf_ownjournal_root_end(c, true);
}

int pcdf_metajournal_root_finish(const char *path, struct pcdf_journalfile *c)
{
    struct pcdf_counts counts = { 0 };
    /* is_changed: the sync before anything is written is one for what the killed job left. */
    const struct pcdf_storage_config config = {
        .path = path, .mode = PCDF_STORAGE_WRITE, .is_changed = true, .counts = &counts
    };
    struct pcdf_storage *s = NULL;
    int err = pcdf_posixstorage.open(&config, &s);
    if (!err) {
        err = check_opened(s, path, &c->journal);
        if (!err) {
            c->is_marked = true;
            pcdf_journalfile_heartbeat(c, true, false);
            err = finish(s, c);
            if (err)
                pcdf_journalfile_heartbeat(c, true, true);
        }
        pcdf_first(&err, pcdf_storage_close(s));
    }
    pcdf_journalfile_close(c);
    return err;
}

int pcdf_metajournal_root_recover(const char *path, bool *was_recovered)
{
    unsigned char first[PCDF_MARK_FIRST];
    struct pcdf_journalfile c = { 0 };
    int64_t got = 0;
    if (was_recovered)
        *was_recovered = false;
    int err = pcdf_sidecar_peek(path, first, sizeof first, &got, NULL);
    enum pcdf_filekind kind = err ? PCDF_FILEKIND_OTHER : pcdf_filekind_of_bytes(first, (size_t)got);
    if (kind != PCDF_FILEKIND_HDF5 && kind != PCDF_FILEKIND_HDF5_MARKED)
        return NC_NOERR; /* the open says why it cannot be read */
    PCDF_TRY(pcdf_change_root_look(path, &c));
    if (was_recovered)
        *was_recovered = kind == PCDF_FILEKIND_HDF5_MARKED;
    return NC_NOERR;
}
