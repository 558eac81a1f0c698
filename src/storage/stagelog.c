/* See stagelog.h. */

#include "stagelog.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "crc32c.h"
#include "filelock.h"
#include "posixio.h"
#include "sidecar.h"
#include "stagefile.h"
#include "status.h"
#include "storage.h"

enum { BUFFER = PCDF_STAGE_RECORD + PCDF_STAGE_MOST };

struct pcdf_stagelog {
    int fd;
    char *path;
    uint64_t nonce;
    int64_t limit;
    unsigned char *out, *in; /* a record each, to append and to fetch */
    pthread_mutex_t lock;    /* guards what follows */
    struct pcdf_stage_slot slot;
    int64_t end;  /* where the last record ends */
    int64_t last; /* highest number of a write; 0: no records */
    bool acknowledged, is_removed, sync_failed;
    _Atomic bool is_broken;
};

const char *pcdf_stagelog_path(const struct pcdf_stagelog *log)
{
    return log->path;
}

/* ---- making */

/* The folder's real name: the program may change its own. */
static int name_it(struct pcdf_stagelog *log, const char *in, const struct pcdf_stage_head *head)
{
    char *dir = realpath(in, NULL); /* libc's memory */
    if (!dir)
        return pcdf_posix_error(errno, NC_EFILE, "looking for", in);
    int err = pcdf_stage_name(dir, head->path, head, &log->path);
    free(dir);
    return err;
}

static int write_head(struct pcdf_stagelog *log, const struct pcdf_stage_head *head)
{
    unsigned char *bytes = log->out;
    pcdf_stage_head_encode(head, bytes);
    pcdf_stage_slot_encode(head->nonce, &log->slot, bytes + pcdf_stage_slot_at(log->slot.epoch));
    return pcdf_posix_move(log->fd, PCDF_PUT, bytes, PCDF_STAGE_HEAD, 0, NULL, log->path);
}

static int make_file(struct pcdf_stagelog *log, const struct pcdf_stagelog_config *c, const char *real)
{
    const struct pcdf_fileid file = pcdf_fileid_at(real);
    const struct pcdf_stage_head head = { .nonce = c->nonce,
                                          .rank = c->rank,
                                          .nranks = c->nranks,
                                          .inode = file.inode,
                                          .device = file.device,
                                          .born = file.born,
                                          .begun = (int64_t)time(NULL),
                                          .path = real };
    bool is_whole = false;
    PCDF_TRY(name_it(log, c->dir, &head));
    log->fd = pcdf_posix_make(log->path);
    if (log->fd < 0)
        return pcdf_posix_error(errno, NC_EFILE, "making", log->path);
    PCDF_TRY(pcdf_filelock_own(log->fd, log->path, &is_whole));
    PCDF_TRY(write_head(log, &head));
    PCDF_TRY(pcdf_posix_sync(log->fd, log->path, &log->sync_failed));
    return pcdf_sidecar_sync_folder(log->path);
}

int pcdf_stagelog_make(const struct pcdf_stagelog_config *config, struct pcdf_stagelog **log)
{
    struct pcdf_stagelog *made = pcdf_calloc(1, sizeof *made + 2 * (size_t)BUFFER);
    if (!made)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a log in %s", config->dir);
    made->fd = -1;
    made->out = (unsigned char *)(made + 1);
    made->in = made->out + BUFFER;
    made->nonce = config->nonce;
    made->limit = config->limit;
    made->end = PCDF_STAGE_HEAD;
    made->slot.epoch = 1;
    pthread_mutex_init(&made->lock, NULL);
    char *real = NULL;
    int err = pcdf_stage_real_path(config->file, &real);
    if (!err)
        err = make_file(made, config, real);
    pcdf_free(real);
    if (err) {
        (void)pcdf_stagelog_close(made, made->fd >= 0);
        return err;
    }
    *log = made;
    return NC_NOERR;
}

int pcdf_stagelog_close(struct pcdf_stagelog *log, bool removes)
{
    int err = NC_NOERR;
    if (!log)
        return NC_NOERR;
    if (removes)
        err = pcdf_sidecar_remove(log->path);
    if (log->fd >= 0)
        close(log->fd);
    pthread_mutex_destroy(&log->lock);
    pcdf_free(log->path);
    pcdf_free(log);
    return err;
}

/* ---- data */

int64_t pcdf_stagelog_takes(int64_t pieces)
{
    return PCDF_STAGE_MOST - pieces * PCDF_STAGE_PIECE;
}

/* The list of pieces, and their bytes. */
static void fill_payload(unsigned char *to, const struct pcdf_piece *pieces, size_t n)
{
    unsigned char *bytes = to + n * PCDF_STAGE_PIECE;
    for (size_t i = 0; i < n; i++) {
        const struct pcdf_stage_piece p = { pieces[i].offset, pieces[i].length };
        pcdf_stage_piece_encode(&p, to + i * PCDF_STAGE_PIECE);
        memcpy(bytes, pieces[i].data, (size_t)p.length);
        bytes += p.length;
    }
}

/* Behind the last record. False: what was written of it is taken away again, so that nothing that a user's
 * data looks like stands behind a later, shorter one. Under the lock. */
static bool append(struct pcdf_stagelog *log, const unsigned char *record, int64_t bytes)
{
    if (log->is_broken || (log->limit > 0 && log->end + bytes > log->limit))
        return false;
    if (pcdf_posix_move(log->fd, PCDF_PUT, (void *)record, bytes, log->end, NULL, log->path)) {
        log->is_broken = pcdf_posix_cut(log->fd, log->end) != 0;
        return false;
    }
    log->end += bytes;
    return true;
}

bool pcdf_stagelog_append(struct pcdf_stagelog *log, int64_t number, const struct pcdf_piece *pieces,
                          size_t n, struct pcdf_stagelog_place *place)
{
    unsigned char *payload = log->out + PCDF_STAGE_RECORD;
    struct pcdf_stage_record r = {
        .kind = PCDF_STAGE_DATA, .number = number, .pieces = (int64_t)n, .bytes = pcdf_pieces_bytes(pieces, n)
    };
    int64_t bytes = pcdf_stage_payload(&r);
    if (bytes > PCDF_STAGE_MOST)
        return false;
    fill_payload(payload, pieces, n);
    r.payload_crc = pcdf_crc32c(0, payload, (size_t)bytes);
    pthread_mutex_lock(&log->lock);
    r.epoch = log->slot.epoch;
    pcdf_stage_record_encode(log->nonce, &r, log->out);
    int64_t at = log->end + PCDF_STAGE_RECORD;
    bool done = append(log, log->out, PCDF_STAGE_RECORD + bytes);
    if (done && number > log->last)
        log->last = number;
    pthread_mutex_unlock(&log->lock);
    *place = (struct pcdf_stagelog_place){ at, r.pieces, r.bytes, r.payload_crc };
    return done;
}

char *pcdf_stagelog_fetched(const struct pcdf_stagelog *log, const struct pcdf_stagelog_place *place)
{
    return (char *)log->in + place->pieces * PCDF_STAGE_PIECE;
}

int pcdf_stagelog_fetch(struct pcdf_stagelog *log, const struct pcdf_stagelog_place *place)
{
    int64_t bytes = place->pieces * PCDF_STAGE_PIECE + place->bytes;
    PCDF_TRY(pcdf_posix_move(log->fd, PCDF_GET, log->in, bytes, place->at, NULL, log->path));
    if (pcdf_crc32c(0, log->in, (size_t)bytes) != place->crc)
        return PCDF_FAIL(NC_EREAD, "%s has other bytes than were put there", log->path);
    return NC_NOERR;
}

/* ---- what is known of all */

static bool flush(struct pcdf_stagelog *log)
{
    return !log->sync_failed && !pcdf_posix_sync(log->fd, log->path, &log->sync_failed);
}

bool pcdf_stagelog_sync(struct pcdf_stagelog *log, const struct pcdf_stage_record *sync)
{
    struct pcdf_stage_record r = *sync;
    unsigned char bytes[PCDF_STAGE_RECORD];
    pthread_mutex_lock(&log->lock);
    r.kind = PCDF_STAGE_SYNC;
    r.epoch = log->slot.epoch;
    pcdf_stage_record_encode(log->nonce, &r, bytes);
    bool done = append(log, bytes, PCDF_STAGE_RECORD) && flush(log);
    log->is_broken |= log->sync_failed; /* it takes nothing that may be lost again */
    log->acknowledged |= done && log->last > 0;
    if (done) { /* what a new epoch has to remember */
        log->slot.sync = r.number;
        log->slot.numrecs = r.numrecs;
        log->slot.header_crc = r.header_crc;
    }
    pthread_mutex_unlock(&log->lock);
    return done;
}

bool pcdf_stagelog_has_records(struct pcdf_stagelog *log, int64_t *last, bool *acknowledged)
{
    pthread_mutex_lock(&log->lock);
    bool has = log->end > PCDF_STAGE_HEAD;
    *last = log->last;
    *acknowledged = log->acknowledged;
    pthread_mutex_unlock(&log->lock);
    return has;
}

/* A new epoch: on the storage before the records go, which then are of an older one. *is_seen: whoever reads
 * the log finds it, also after an error. That a sync of records failed before says nothing of this one. */
static int put_slot(struct pcdf_stagelog *log, const struct pcdf_stage_slot *slot, bool *is_seen)
{
    unsigned char bytes[PCDF_STAGE_SLOT];
    bool failed = false;
    pcdf_stage_slot_encode(log->nonce, slot, bytes);
    *is_seen = false;
    PCDF_TRY(pcdf_posix_move(log->fd, PCDF_PUT, bytes, sizeof bytes, pcdf_stage_slot_at(slot->epoch), NULL,
                             log->path));
    *is_seen = true;
    return pcdf_posix_sync(log->fd, log->path, &failed);
}

/* Under the lock. A log of one rank that is missing makes those of the others useless. So where its storage
 * fails it stays with the new slot, and with its records, which a loss of power may show again with the old
 * slot: the file has had all of them. Only where the slot cannot be written, it goes: it says nothing then
 * that has become wrong. */
static int begin_epoch(struct pcdf_stagelog *log, struct pcdf_stage_slot slot)
{
    bool is_seen;
    slot.epoch = log->slot.epoch + 1;
    if (log->is_removed)
        return NC_NOERR;
    int err = put_slot(log, &slot, &is_seen);
    log->is_broken |= err != NC_NOERR;
    if (!is_seen) {
        PCDF_TRY(pcdf_sidecar_remove(log->path));
        log->is_removed = true;
    }
    log->slot = slot;
    log->end = PCDF_STAGE_HEAD;
    log->last = 0;
    log->acknowledged = false;
    if (!err && pcdf_posix_cut(log->fd, PCDF_STAGE_HEAD)) /* what stands there may look like anything */
        log->is_broken = true;
    return NC_NOERR;
}

int pcdf_stagelog_empty(struct pcdf_stagelog *log, int64_t written, const struct pcdf_stage_record *sync)
{
    int err = NC_NOERR;
    pthread_mutex_lock(&log->lock);
    struct pcdf_stage_slot slot = log->slot;
    if (sync) {
        slot.sync = sync->number;
        slot.numrecs = sync->numrecs;
        slot.header_crc = sync->header_crc;
    }
    if ((sync || log->end > PCDF_STAGE_HEAD) && log->last <= written)
        err = begin_epoch(log, slot);
    pthread_mutex_unlock(&log->lock);
    return err;
}

bool pcdf_stagelog_is_broken(struct pcdf_stagelog *log)
{
    return log->is_broken;
}

/* Where the clock cannot be written, only a repair by hand tells whether the file was changed since. */
void pcdf_stagelog_touch(struct pcdf_stagelog *log)
{
    (void)futimens(log->fd, NULL);
}

int pcdf_stagelog_finish(struct pcdf_stagelog *log)
{
    pthread_mutex_lock(&log->lock);
    struct pcdf_stage_slot slot = log->slot;
    slot.is_closed = true;
    int err = begin_epoch(log, slot);
    pthread_mutex_unlock(&log->lock);
    return err;
}
