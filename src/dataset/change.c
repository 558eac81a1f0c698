/* See change.h. Rank 0 alone keeps the journal's head, the mark and the header; the others take part in
 * moving and filling. */
#include "change.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "crc32c.h"
#include "decode.h"
#include "journal.h"
#include "move.h"
#include "pnetcdf.h"
#include "vote.h"

enum { SECTOR = 512 };

/* ---- the journal of a change */

struct change {
    struct pcdf_journal journal;
    struct pcdf_sidecar sidecar;
    unsigned char *head; /* owned: what the journal's pointers point into; the same bytes on all ranks */
    char *path;          /* of the sidecar, owned */
};

static void free_change(struct change *c)
{
    (void)pcdf_sidecar_close(&c->sidecar);
    pcdf_free(c->head);
    pcdf_free(c->path);
}

static uint64_t make_nonce(void)
{
    static _Atomic uint64_t calls;
    struct timespec now = { 0 };
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t x = ((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec) + 0x9e3779b97f4a7c15u * ++calls;
    return (x ^ (uint64_t)getpid() << 40) | 1;
}

static int flush(struct pcdf_dataset *ds)
{
    return ds->on_storage ? ds->io->ops->flush(ds->io) : NC_NOERR;
}

/* Writes the head of the journal; the geometry of a move is in c->journal already. Nothing of it lasts unless
 * all of it does. */
static int root_write_journal(struct pcdf_dataset *ds, struct change *c, const struct pcdf_header_bytes *old,
                              const struct pcdf_header_bytes *header, const unsigned char *fills)
{
    struct pcdf_journal *j = &c->journal;
    PCDF_TRY(pcdf_sidecar_path(ds->path, PCDF_JOURNAL_SUFFIX, &c->path));
    PCDF_TRY(pcdf_sidecar_inode(ds->path, &j->inode));
    j->nonce = make_nonce();
    j->process = getpid();
    (void)gethostname(j->host, sizeof j->host - 1);
    j->old_header = old->bytes;
    j->old_size = old->size;
    j->new_header = header->bytes;
    j->new_size = header->size;
    j->fills = fills;
    j->nfills = fills ? ds->meta.nvars : 0;
    int64_t size = pcdf_journal_head_size(j);
    unsigned char *bytes = pcdf_malloc((size_t)size);
    if (!bytes)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the journal of %lld bytes", (long long)size);
    pcdf_journal_encode(j, bytes);
    int err = pcdf_sidecar_make(c->path, pcdf_journal_size(j), &c->sidecar);
    if (!err) {
        err = pcdf_sidecar_put(&c->sidecar, bytes, size, 0);
        if (!err && ds->on_storage)
            err = pcdf_sidecar_sync(&c->sidecar);
        if (!err && ds->on_storage)
            err = pcdf_sidecar_sync_folder(c->path);
        if (err)
            (void)pcdf_sidecar_remove(c->path);
    }
    pcdf_free(bytes);
    if (err)
        return PCDF_FAIL(err == NC_ENO_SPACE || err == NC_EQUOTA || err == NC_ENOMEM ? err : NC_EACCESS,
                         "no journal can be made beside the file, and without one a crash would lose it "
                         "(hint pcdf_journal=off goes on without): %s",
                         pcdf_fail_text());
    return NC_NOERR;
}

static int root_remove_journal(struct pcdf_dataset *ds, struct change *c)
{
    int err = pcdf_sidecar_remove(c->path);
    if (!err && ds->on_storage)
        err = pcdf_sidecar_sync_folder(c->path);
    return err;
}

/* ---- the header and its mark */

static int root_put(struct pcdf_dataset *ds, const unsigned char *bytes, int64_t from, int64_t to)
{
    return from < to ? pcdf_header_root_put(ds, from, bytes + from, to - from) : NC_NOERR;
}

static int root_mark(struct pcdf_dataset *ds, const unsigned char *old)
{
    unsigned char version = old[3] | PCDF_CHANGE_MARK;
    PCDF_TRY(pcdf_header_root_put(ds, 3, &version, 1));
    return flush(ds);
}

/* The last step: the mark goes with the first sector, the only one that readers of a marked file look at. */
static int root_put_header(struct pcdf_dataset *ds, const struct pcdf_header_bytes *header)
{
    int64_t first = header->size < SECTOR ? header->size : SECTOR;
    PCDF_TRY(root_put(ds, header->bytes, first, header->size));
    if (first < header->size) /* even of a new file: a header that ends in zeros might be read */
        PCDF_TRY(ds->io->ops->flush(ds->io));
    PCDF_TRY(root_put(ds, header->bytes, 0, first));
    return flush(ds);
}

struct span {
    int64_t from, to;
};

/* The bytes that differ, from first to last; behind the end of the old header all do. */
static struct span changed_bytes(const struct pcdf_header_bytes *header, const struct pcdf_header_bytes *old)
{
    int64_t both = header->size < old->size ? header->size : old->size;
    struct span s = { 0, header->size > old->size ? header->size : both };
    while (s.from < both && header->bytes[s.from] == old->bytes[s.from])
        s.from++;
    if (header->size <= old->size)
        while (s.to > s.from && header->bytes[s.to - 1] == old->bytes[s.to - 1])
            s.to--;
    return s;
}

static bool wants_journal(const struct pcdf_dataset *ds)
{
    return pcdf_engine_on_disk(ds->hints.engine) && strcmp(ds->hints.journal, "off") != 0;
}

int pcdf_change_root_header(struct pcdf_dataset *ds, const struct pcdf_header_bytes *header,
                            const struct pcdf_header_bytes *old, bool *untouched)
{
    struct change c = { .sidecar = { .fd = -1 } };
    bool same = true;
    if (!untouched)
        untouched = &same;
    *untouched = false;
    if (!old) {
        int err = root_put_header(ds, header);
        pcdf_first(&ds->io_error, err);
        return err;
    }
    struct span s = changed_bytes(header, old);
    bool in_one = s.from >= s.to || s.from / SECTOR == (s.to - 1) / SECTOR;
    int err = NC_NOERR;
    if (!in_one && wants_journal(ds)) {
        err = root_write_journal(ds, &c, old, header, NULL);
        *untouched = err != NC_NOERR;
    }
    if (!err) {
        if (in_one) {
            err = root_put(ds, header->bytes, s.from, s.to);
        } else {
            err = root_mark(ds, old->bytes);
            if (!err)
                err = root_put_header(ds, header);
        }
        pcdf_first(&ds->io_error, err);
        if (!err && c.path)
            err = root_remove_journal(ds, &c);
    }
    free_change(&c);
    return err;
}

/* ---- a change that moves data */

/* What a rank says about how it will move: all must go the same way. */
static int agree_on_move_all(struct pcdf_dataset *ds, struct pcdf_mover *m, int status, bool *protected,
                             bool *untouched)
{
    int64_t file_size = 0, wished = ds->hints.move_chunk;
    if (wants_journal(ds) && wished < INT64_MAX / 16)
        wished *= 8; /* two flushes a round: fewer rounds */
    if (!status)
        status = ds->io->ops->size(ds->io, &file_size);
    if (!status) /* no rank will be asked for more */
        status = pcdf_mover_room(m, wished + 2 * PCDF_JOURNAL_BLOCK);
    /* The smallest chunk that any rank asked for is everybody's; the largest size that any rank sees, too. */
    struct pcdf_ballot ballot = { .kind = PCDF_KIND_MOVE,
                                  .error = status,
                                  .rounds = -wished,
                                  .get_rounds = !wants_journal(ds),
                                  .numrecs = file_size };
    struct pcdf_agreed agreed;
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &ballot, &agreed));
    *untouched = agreed.error || ds->poisoned; /* the same on all ranks */
    if (!status && agreed.error)
        status = PCDF_FAIL(agreed.error, "another rank cannot move data");
    if (*untouched)
        return status;
    *protected = agreed.get_rounds == 0;
    pcdf_mover_size(m, agreed.numrecs, ds->comm.size, -agreed.rounds);
    pcdf_mover_size(m, agreed.numrecs, ds->comm.size, pcdf_mover_chunk(m, -agreed.rounds, ds->comm.size));
    return status;
}

/* Does every rank have what it needs? If not, nobody begins. */
static int agree_to_begin_all(struct pcdf_dataset *ds, int status, bool *untouched)
{
    struct pcdf_ballot ballot = { .kind = PCDF_KIND_MOVE, .error = status };
    struct pcdf_agreed agreed;
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &ballot, &agreed));
    *untouched = agreed.error || agreed.io_error || ds->poisoned; /* the same on all ranks */
    if (!status && *untouched)
        status = PCDF_FAIL(agreed.error ? agreed.error : agreed.io_error,
                           "another rank cannot move data; nothing has changed");
    return status;
}

static unsigned char *list_fills(const struct pcdf_dataset *ds)
{
    unsigned char *fills = pcdf_malloc((size_t)ds->meta.nvars + 1);
    for (int i = 0; fills && i < ds->meta.nvars; i++) {
        int no_fill = 1;
        (void)pcdf_fill_inquire(ds, i, &no_fill, NULL);
        fills[i] = !no_fill;
    }
    return fills;
}

/* Rank 0's head of the journal; every rank has its geometry already. */
static int root_begin_journal(struct pcdf_dataset *ds, const struct pcdf_layout *old_layout,
                              const struct pcdf_header_bytes *header, struct change *c)
{
    struct pcdf_header_bytes old = { 0 };
    unsigned char *fills = list_fills(ds);
    int err = fills ? pcdf_header_encode(ds->old_meta, old_layout, &old)
                    : PCDF_FAIL(NC_ENOMEM, "no memory for the journal");
    if (!err)
        err = root_write_journal(ds, c, &old, header, fills);
    pcdf_free(fills);
    pcdf_free(old.bytes);
    c->journal.old_header = c->journal.new_header = c->journal.fills = NULL; /* on the storage now */
    return err;
}

/* The journal is there and open on every rank, or nothing happened. */
static int begin_journal_all(struct pcdf_dataset *ds, struct pcdf_mover *m,
                             const struct pcdf_layout *old_layout, const struct pcdf_header_bytes *header,
                             struct change *c, bool *untouched)
{
    bool is_root = ds->comm.rank == 0;
    struct pcdf_journal *j = &c->journal;
    int64_t about[2]; /* of the journal: its nonce, the size of its head */
    *j = (struct pcdf_journal){ .parts = m->parts,
                                .chunk = m->chunk,
                                .room = pcdf_mover_needs_data(m) ? m->chunk : 0 };
    (void)ds->io->ops->size(ds->io, &j->file_size);
    int status = is_root ? root_begin_journal(ds, old_layout, header, c) : NC_NOERR;
    about[0] = (int64_t)j->nonce;
    about[1] = status ? 0 : j->old_size;
    pcdf_first(&status, pcdf_bcast_all(ds, about, sizeof about)); /* also: no rank opens it too early */
    if (!is_root) {
        j->nonce = (uint64_t)about[0];
        j->old_size = about[1];
        j->new_size = header->size;
        j->nfills = ds->meta.nvars;
    }
    if (!is_root && about[1] > 0 && !status) {
        status = pcdf_sidecar_path(ds->path, PCDF_JOURNAL_SUFFIX, &c->path);
        if (!status)
            status = pcdf_sidecar_open(c->path, false, &c->sidecar);
    }
    bool made = is_root && !status;
    status = agree_to_begin_all(ds, status, untouched);
    if (made && *untouched && !ds->poisoned)
        (void)root_remove_journal(ds, c);
    m->journal = j;
    m->sidecar = &c->sidecar;
    return status;
}

/* After all data is in its place, on this file and on the storage: the new header, on all ranks the verdict.
 */
static int end_change_all(struct pcdf_dataset *ds, const struct pcdf_header_bytes *header, struct change *c,
                          int status)
{
    struct pcdf_ballot ballot = { .kind = PCDF_KIND_ENDDEF };
    struct pcdf_agreed agreed;
    if (ds->comm.rank == 0 && !ds->io_error) {
        int err = root_put_header(ds, header);
        pcdf_first(&ds->io_error, err);
        if (!err && c->path)
            err = root_remove_journal(ds, c);
        pcdf_first(&status, err);
    }
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &ballot, &agreed));
    if (!status && agreed.io_error)
        status = PCDF_FAIL(agreed.io_error, "the new header or moved data could not be written on some rank");
    ds->is_half_changed = agreed.io_error != NC_NOERR;
    return status;
}

/* What this rank filled is on the storage before the header names it. */
static int fill_all(struct pcdf_dataset *ds)
{
    struct pcdf_ballot ballot = { .kind = PCDF_KIND_FILL };
    struct pcdf_agreed agreed;
    int64_t before = ds->put_bytes;
    int status = pcdf_fill_new_all(ds);
    if (ds->poisoned || !ds->on_storage || !pcdf_fill_is_needed(ds)) /* the same on all ranks */
        return status;
    int err = ds->put_bytes > before && !status ? flush(ds) : NC_NOERR;
    pcdf_first(&ds->io_error, err);
    pcdf_first(&status, err);
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &ballot, &agreed));
    return status;
}

static int write_moving_all(struct pcdf_dataset *ds, const struct pcdf_layout *old_layout,
                            const struct pcdf_header_bytes *header, bool *untouched)
{
    struct pcdf_mover m = { .durable = ds->on_storage };
    struct change c = { .sidecar = { .fd = -1 } };
    bool protected = false;
    int status = pcdf_mover_prepare(&m, ds, ds->old_meta, old_layout);
    status = agree_on_move_all(ds, &m, status, &protected, untouched);
    if (!*untouched && protected) /* the same on all ranks */
        status = begin_journal_all(ds, &m, old_layout, header, &c, untouched);
    if (!*untouched) { /* the same on all ranks */
        if (ds->comm.rank == 0)
            status = root_mark(ds, header->bytes);
        status = pcdf_mover_run_all(&m, 0, status);
        if (!ds->io_error && !ds->poisoned) /* the same on all ranks since the last vote */
            pcdf_first_vote(ds, &status, fill_all(ds));
        if (!ds->poisoned) /* on all ranks */
            status = end_change_all(ds, header, &c, status);
    }
    pcdf_mover_free(&m);
    free_change(&c);
    return status;
}

static int write_in_place_all(struct pcdf_dataset *ds, const struct pcdf_layout *old_layout,
                              const struct pcdf_header_bytes *header, bool *untouched)
{
    struct pcdf_ballot ballot = { .kind = PCDF_KIND_ENDDEF };
    struct pcdf_agreed agreed;
    struct pcdf_header_bytes old = { 0 };
    int status = fill_all(ds);
    if (ds->poisoned) /* on all ranks */
        return status;
    if (ds->comm.rank == 0 && !ds->io_error) {
        bool mine = false;
        int err = ds->old_meta ? pcdf_header_encode(ds->old_meta, old_layout, &old) : NC_NOERR;
        if (!err)
            err = pcdf_change_root_header(ds, header, ds->old_meta ? &old : NULL, &mine);
        else
            mine = true;
        pcdf_free(old.bytes);
        ballot.error = mine ? err : NC_NOERR;
        pcdf_first(&status, err);
    }
    pcdf_first_vote(ds, &status, pcdf_vote_all(ds, &ballot, &agreed));
    *untouched = agreed.error || ds->poisoned; /* the same on all ranks */
    if (!status && agreed.error)
        status = PCDF_FAIL(agreed.error, "rank 0 cannot write the header; nothing has changed");
    if (!status && agreed.io_error)
        status = PCDF_FAIL(agreed.io_error, "the new header could not be written");
    return status;
}

int pcdf_change_write_all(struct pcdf_dataset *ds, const struct pcdf_layout *old_layout,
                          const struct pcdf_header_bytes *header, bool *untouched)
{
    bool moves =
        ds->old_meta && pcdf_move_is_needed(ds->old_meta, old_layout, &ds->layout); /* on all ranks */
    *untouched = false;
    int status = moves ? write_moving_all(ds, old_layout, header, untouched)
                       : write_in_place_all(ds, old_layout, header, untouched);
    if (*untouched || ds->poisoned) /* the same on all ranks */
        return status;
    ds->numrecs_on_file = ds->meta.numrecs;
    ds->wrote_header = true;
    return status;
}

/* ---- recovery */

int pcdf_change_root_forget(const char *path)
{
    char *journal = NULL;
    int err = pcdf_sidecar_path(path, PCDF_JOURNAL_SUFFIX, &journal);
    if (!err && pcdf_sidecar_exists(journal))
        err = pcdf_sidecar_remove(journal);
    pcdf_free(journal);
    return err;
}

/* The head of an open journal: c->head and what points into it. */
static int read_head(struct change *c)
{
    int64_t size = 0, need = 0, at = PCDF_JOURNAL_BLOCK;
    PCDF_TRY(pcdf_sidecar_size(&c->sidecar, &size));
    do {
        if (at > size)
            at = size;
        unsigned char *more = pcdf_realloc(c->head, (size_t)at + 1);
        if (!more)
            return PCDF_FAIL(NC_ENOMEM, "no memory for %lld bytes of the journal", (long long)at);
        c->head = more;
        PCDF_TRY(pcdf_sidecar_get(&c->sidecar, c->head, at, 0, NULL));
        PCDF_TRY(pcdf_journal_decode(c->head, (size_t)at, size, &need, &c->journal));
        at = need;
    } while (need > 0);
    return NC_NOERR;
}

/* Does the file carry the mark? A file too short to have a version byte does not. */
static int is_marked(const char *path, bool *marked)
{
    unsigned char magic[4] = { 0 };
    struct pcdf_sidecar file; /* any file can be read this way */
    int64_t got = 0;
    PCDF_TRY(pcdf_sidecar_open(pcdf_path_posix(path), false, &file));
    int err = pcdf_sidecar_get(&file, magic, 4, 0, &got);
    pcdf_first(&err, pcdf_sidecar_close(&file));
    *marked = got == 4 && memcmp(magic, "CDF", 3) == 0 && (magic[3] & PCDF_CHANGE_MARK);
    return err;
}

static int check_owner(const char *path, const struct pcdf_journal *j)
{
    int64_t inode = 0;
    PCDF_TRY(pcdf_sidecar_inode(path, &inode));
    if (inode != j->inode)
        return PCDF_FAIL(NC_ERECOVER,
                         "the journal beside the file is of another file (inode %lld, not %lld), written by "
                         "process %lld on %s; `parcdf repair` looks at it",
                         (long long)j->inode, (long long)inode, (long long)j->process, j->host);
    return NC_NOERR;
}

int pcdf_change_root_look(const char *path, bool *unfinished)
{
    struct change c = { .sidecar = { .fd = -1 } };
    bool marked = false;
    *unfinished = false;
    PCDF_TRY(pcdf_sidecar_path(path, PCDF_JOURNAL_SUFFIX, &c.path));
    if (!pcdf_sidecar_exists(c.path)) { /* a mark without a journal is found when the header is read */
        pcdf_free(c.path);
        return NC_NOERR;
    }
    int err = is_marked(path, &marked);
    if (!err)
        err = pcdf_sidecar_open(c.path, true, &c.sidecar);
    if (!err && marked) {
        err = read_head(&c);
        if (!err)
            err = check_owner(path, &c.journal);
        *unfinished = !err;
    } else if (!err) { /* the change had not begun, or had come to its end */
        err = pcdf_sidecar_remove(c.path);
    }
    free_change(&c);
    return err;
}

/* Both headers of the journal, as what they define. */
static int take_headers(struct pcdf_dataset *ds, const struct pcdf_journal *j, struct pcdf_layout *old_layout)
{
    struct pcdf_fault fault;
    int64_t need = 0;
    ds->old_meta = pcdf_calloc(1, sizeof *ds->old_meta);
    ds->fill.listed = pcdf_calloc((size_t)j->nfills + 1, sizeof *ds->fill.listed);
    if (!ds->old_meta || !ds->fill.listed)
        return PCDF_FAIL(NC_ENOMEM, "no memory to recover the file");
    int err =
        pcdf_decode(j->old_header, (size_t)j->old_size, INT64_MAX, &need, ds->old_meta, old_layout, &fault);
    if (!err && !need)
        err =
            pcdf_decode(j->new_header, (size_t)j->new_size, INT64_MAX, &need, &ds->meta, &ds->layout, &fault);
    if (err || need)
        return PCDF_FAIL(NC_ERECOVER, "a header in the journal cannot be read: %s",
                         need ? "cut off" : fault.text);
    if (j->nfills != 0 && j->nfills != ds->meta.nvars)
        return PCDF_FAIL(NC_ERECOVER, "the journal has modes of %lld variables, its header %d",
                         (long long)j->nfills, ds->meta.nvars);
    ds->fill.nlisted = (int)j->nfills;
    for (int i = 0; i < ds->fill.nlisted; i++)
        ds->fill.listed[i] = j->fills[i] != 0;
    return NC_NOERR;
}

static int open_journal(struct pcdf_dataset *ds, struct change *c, struct pcdf_layout *old_layout)
{
    PCDF_TRY(pcdf_sidecar_path(ds->path, PCDF_JOURNAL_SUFFIX, &c->path));
    PCDF_TRY(pcdf_sidecar_open(c->path, ds->comm.rank == 0, &c->sidecar));
    PCDF_TRY(read_head(c));
    return take_headers(ds, &c->journal, old_layout);
}

/* Is round `round` of a part in the journal, data and all? -1: nothing is; else the latest round that is. */
static int latest_round(struct pcdf_mover *m, int64_t part, int64_t *latest, const int64_t *wanted, bool *has)
{
    *latest = -1;
    for (int64_t slot = 0; slot < 2; slot++) {
        unsigned char bytes[PCDF_JOURNAL_RECORD];
        struct pcdf_journal_record r;
        PCDF_TRY(pcdf_sidecar_get(m->sidecar, bytes, sizeof bytes, pcdf_journal_slot(m->journal, part, slot),
                                  NULL));
        if (!pcdf_journal_record_decode(bytes, m->journal->nonce, &r) || r.round % 2 != slot ||
            r.round > m->rounds || r.there > m->chunk || (r.has_data && m->journal->room == 0))
            continue;
        if (r.has_data) {
            PCDF_TRY(pcdf_sidecar_get(m->sidecar, m->buffer, r.there,
                                      pcdf_journal_data(m->journal, part, slot), NULL));
            if (pcdf_crc32c(0, m->buffer, (size_t)r.there) != r.data_crc)
                continue;
        }
        if (r.round > *latest)
            *latest = r.round;
        if (wanted && r.round == *wanted)
            *has = true;
    }
    return NC_NOERR;
}

/* One number of all ranks: the largest. */
static int most_all(struct pcdf_dataset *ds, int64_t mine, int64_t *most)
{
    ds->counts.allreduce++;
    int err = MPI_Allreduce(&mine, most, 1, MPI_INT64_T, MPI_MAX, ds->comm.comm);
    return err == MPI_SUCCESS ? NC_NOERR : pcdf_error_from_mpi(err, NC_EMPI, "MPI_Allreduce", ds->path);
}

/* The round that the change stopped in, and the one to write once more before it: the latest that every part
 * noted. What a round writes begins only when all parts have noted it. */
static int find_round_all(struct pcdf_mover *m, int64_t *redo, int status)
{
    struct pcdf_dataset *ds = m->ds;
    int64_t mine = -1, latest = -1, missing = 0, worst = 0, some = 0;
    for (int64_t part = ds->comm.rank; !status && part < m->parts; part += ds->comm.size) {
        int64_t one;
        status = latest_round(m, part, &one, NULL, NULL);
        if (one > mine)
            mine = one;
    }
    pcdf_first(&status, most_all(ds, mine, &latest));
    for (int64_t part = ds->comm.rank; !status && part < m->parts; part += ds->comm.size) {
        bool has = false;
        int64_t one;
        status = latest_round(m, part, &one, &latest, &has);
        missing |= !has;
    }
    pcdf_first(&status, most_all(ds, missing, &some));
    *redo = some ? latest - 1 : latest;
    pcdf_first(&status, most_all(ds, -(int64_t)status, &worst));
    if (!status && worst)
        status = PCDF_FAIL((int)-worst, "another rank cannot read the journal");
    return status;
}

/* Goes on with the rounds: the one before the first that is open is written again, from the journal. */
static int resume_move_all(struct pcdf_mover *m, int status)
{
    int64_t redo = -1;
    status = find_round_all(m, &redo, status);
    if (!status && redo >= 0)
        pcdf_first(&status, pcdf_mover_redo(m, redo));
    return pcdf_mover_run_all(m, redo + 1, status);
}

int pcdf_change_recover_all(struct pcdf_dataset *ds)
{
    struct change c = { .sidecar = { .fd = -1 } };
    struct pcdf_layout old_layout = { 0 };
    struct pcdf_mover m = { .durable = true, .journal = &c.journal, .sidecar = &c.sidecar };
    struct pcdf_header_bytes header;
    bool untouched;
    ds->on_storage = true;
    int status = open_journal(ds, &c, &old_layout);
    const struct pcdf_journal *j = &c.journal;
    if (!status && j->parts > 0)
        status = pcdf_mover_prepare(&m, ds, ds->old_meta, &old_layout);
    if (!status && j->parts > 0)
        status = pcdf_mover_room(&m, j->chunk);
    status = agree_to_begin_all(ds, status, &untouched);
    if (!untouched) { /* the same on all ranks */
        header = (struct pcdf_header_bytes){ (unsigned char *)j->new_header, j->new_size };
        if (j->parts > 0) {
            pcdf_mover_size(&m, j->file_size, j->parts, j->chunk);
            status = resume_move_all(&m, status);
            if (!ds->io_error) /* the same on all ranks since the last vote */
                pcdf_first_vote(ds, &status, fill_all(ds));
        }
        status = end_change_all(ds, &header, &c, status);
    }
    pcdf_mover_free(&m);
    pcdf_layout_free(&old_layout);
    pcdf_meta_free(&ds->meta);
    pcdf_layout_free(&ds->layout);
    pcdf_fill_free(&ds->fill);
    if (ds->old_meta)
        pcdf_meta_free(ds->old_meta);
    pcdf_free(ds->old_meta);
    ds->old_meta = NULL;
    free_change(&c);
    return status;
}
