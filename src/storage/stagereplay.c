/* See stagereplay.h. */

#include "stagereplay.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "array.h"
#include "decode.h"
#include "encode.h"
#include "filelock.h"
#include "posixio.h"
#include "sidecar.h"
#include "stagefile.h"

struct entry { /* a data record that is to be written */
    int64_t number, at, pieces, bytes;
};

struct log {
    struct pcdf_stagefile file;
    int64_t device, inode; /* the log's own */
    int64_t last;
    /* It has the path of the file, but belongs to another one that had it before. */
    bool is_other;
    /* What it says of the sync that is replayed, if it has its record: */
    int64_t numrecs;
    uint32_t header_crc;
    bool has_sync, is_past;
    PCDF_ARRAY(struct entry) entries;
};

struct replay {
    const struct pcdf_stagereplay *config;
    char *real;
    struct pcdf_fileid id;
    const char *dir;             /* that is being listed */
    PCDF_ARRAY(struct log) logs; /* sorted by nonce and rank */
    size_t begin, end;           /* logs of one opening, which are replayed */
    int64_t sync, numrecs;
    uint32_t header_crc;
    bool is_changed;
    int fd;
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    int64_t size, changed;   /* the file's; when, as pcdf_stage_changed says */
    int64_t file_end, bytes; /* where its data ends then; to be written */
    int64_t touched;         /* when a log's time was set; 0: never */
};

static void say(const struct replay *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(const struct replay *r, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    r->config->say(r->config->context, text);
}

/* ---- which logs there are */

static bool is_known(const struct replay *r, const struct stat *st)
{
    for (size_t i = 0; i < r->logs.n; i++)
        if (r->logs.x[i].device == (int64_t)st->st_dev && r->logs.x[i].inode == (int64_t)st->st_ino)
            return true;
    return false;
}

/* One of this file's, by what it was when the log was begun; or one that has its path, so that a person may
 * say that it is (--force). Where both tell of another file, it is no business of ours. */
static bool is_of_file(const struct replay *r, const char *path, struct log *log)
{
    const struct pcdf_stage_head *head = &log->file.head;
    const struct pcdf_fileid file = pcdf_stage_file_of(head);
    bool has_path = strcmp(head->path, r->real) == 0;
    log->is_other = pcdf_fileid_differs(file, r->id);
    if (pcdf_fileid_is(file, r->id) || (has_path && (!pcdf_stage_is_aside(path) || r->config->force)))
        return true;
    if (has_path)
        say(r,
            "%s is of an earlier file of this name (inode %lld): `parcdf repair --stage` with the name that "
            "it "
            "has now, or --force for this one, brings its puts there",
            path, (long long)head->inode);
    else
        say(r, "%s is of another file, %s", path, head->path);
    return false;
}

static int take_log(void *context, const char *path)
{
    struct replay *r = context;
    struct stat st;
    struct log log = { .file = { .fd = -1 } };
    if (lstat(path, &st) || is_known(r, &st)) /* a folder that was named twice */
        return NC_NOERR;
    PCDF_TRY(PCDF_RESERVE(&r->logs, r->logs.n + 1));
    bool by_open = r->config->by_open;
    const enum pcdf_stagefile_use use = !r->config->dry ? PCDF_STAGEFILE_OWN
                                        : by_open       ? PCDF_STAGEFILE_LOOK
                                                        : PCDF_STAGEFILE_READ;
    int err = pcdf_stagefile_open(path, use, &log.file);
    if (by_open && (err == NC_EACCESS || err == NC_ENOENT)) /* in use, of somebody else, or just removed */
        return NC_NOERR;
    if (err == NC_EFILE && st.st_size <= PCDF_STAGE_HEAD) { /* its rank never took part in a sync */
        say(r, "%s was begun, but never used", path);
        return NC_NOERR;
    }
    PCDF_TRY(err);
    log.device = (int64_t)st.st_dev;
    log.inode = (int64_t)st.st_ino;
    if (is_of_file(r, path, &log)) {
        err = pcdf_stagefile_last_sync(&log.file, &log.last);
        r->logs.x[r->logs.n++] = log;
        return err;
    }
    pcdf_stagefile_close(&log.file);
    return err;
}

static int by_nonce_and_rank(const void *a, const void *b)
{
    const struct pcdf_stage_head *x = &((const struct log *)a)->file.head,
                                 *y = &((const struct log *)b)->file.head;
    if (x->nonce != y->nonce)
        return x->nonce < y->nonce ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int collect(struct replay *r)
{
    for (size_t i = 0; i < r->config->ndirs; i++) {
        size_t before = r->logs.n;
        const struct pcdf_stage_names names = {
            .dir = r->config->dirs[i], .real = r->real, .file = r->id, .with_aside = !r->config->by_open
        };
        PCDF_TRY(pcdf_stage_each(&names, take_log, r));
        say(r, "%zu logs of the file are in %s", r->logs.n - before, r->config->dirs[i]);
    }
    if (r->logs.n > 0)
        qsort(r->logs.x, r->logs.n, sizeof *r->logs.x, by_nonce_and_rank);
    return NC_NOERR;
}

/* ---- which of them are needed */

static size_t end_of_opening(const struct replay *r, size_t begin)
{
    size_t end = begin;
    while (end < r->logs.n && r->logs.x[end].file.head.nonce == r->logs.x[begin].file.head.nonce)
        end++;
    return end;
}

/* No log has anything that the file lacks: all ranks had said so, or a sync was never acknowledged. */
static bool is_needless(const struct replay *r, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (r->logs.x[i].file.slot.is_closed || r->logs.x[i].last == 0)
            return true;
    return false;
}

/* The ranks whose logs are not there, as 0, 3-5: so many as a sentence takes. */
static int missing_ranks(const struct replay *r)
{
    char list[160] = "";
    int64_t rank = 0, nranks = r->logs.x[r->begin].file.head.nranks, missing = 0;
    size_t used = 0;
    for (size_t i = r->begin; i <= r->end; i++) {
        int64_t next = i < r->end ? r->logs.x[i].file.head.rank : nranks;
        const char *comma = missing > 0 ? ", " : "";
        if (next > rank && used >= sizeof list - 60)
            snprintf(list + used, sizeof list - used, ", ...");
        else if (next > rank + 1)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%lld-%lld", comma, (long long)rank,
                                     (long long)next - 1);
        else if (next > rank)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%lld", comma, (long long)rank);
        missing += next - rank;
        rank = next + 1;
    }
    if (r->config->force) {
        say(r,
            "the logs of %lld of %lld ranks are missing (rank %s): what these ranks put is not brought back",
            (long long)missing, (long long)nranks, list);
        return NC_NOERR;
    }
    return PCDF_FAIL(NC_ERECOVER,
                     "the logs of %lld of %lld ranks are missing (rank %s): name the folders of all nodes "
                     "with --stage, or, "
                     "if they are lost, --force to bring back what the other ranks put. Nothing was changed",
                     (long long)missing, (long long)nranks, list);
}

static int check_whole(const struct replay *r)
{
    const struct log *first = &r->logs.x[r->begin];
    for (size_t i = r->begin; i < r->end; i++) {
        const struct log *log = &r->logs.x[i];
        if (log->file.head.nranks != first->file.head.nranks)
            return PCDF_FAIL(NC_ERECOVER, "%s and %s tell of different numbers of ranks", first->file.path,
                             log->file.path);
        if (i > r->begin && log->file.head.rank == log[-1].file.head.rank)
            return PCDF_FAIL(NC_ERECOVER, "%s and %s are of the same rank", log[-1].file.path,
                             log->file.path);
    }
    return (int64_t)(r->end - r->begin) < first->file.head.nranks ? missing_ranks(r) : NC_NOERR;
}

static void say_when(const struct replay *r, size_t at)
{
    const struct pcdf_stage_head *head = &r->logs.x[at].file.head;
    char text[40] = "";
    time_t when = (time_t)head->begun;
    struct tm parts;
    if (gmtime_r(&when, &parts))
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts);
    say(r, "%s and others of that number are of a job of %lld ranks, which opened the file at %s",
        r->logs.x[at].file.path, (long long)head->nranks, text);
}

/* How many openings left logs that are needed, of this file or of an earlier one of its name; the last one is
 * that of r. */
static int count_needed(struct replay *r, bool of_other)
{
    int needed = 0;
    for (size_t begin = 0, end; begin < r->logs.n; begin = end) {
        end = end_of_opening(r, begin);
        if (is_needless(r, begin, end) || r->logs.x[begin].is_other != of_other)
            continue;
        needed++;
        r->begin = begin;
        r->end = end;
        say_when(r, begin);
    }
    return needed;
}

/* The one opening whose logs are needed. Of two, nobody can say which one the file has seen. Those of an
 * earlier file of the name count where there are none of this one. */
static int choose(struct replay *r)
{
    int needed = count_needed(r, false);
    if (needed == 0)
        needed = count_needed(r, true);
    if (needed > 1)
        return PCDF_FAIL(NC_ERECOVER,
                         "there are logs of %d openings of the file, of which at most one can "
                         "be replayed: remove those that are older",
                         needed);
    return needed ? check_whole(r) : NC_NOERR;
}

/* ---- what is to be written */

static int add_entry(struct log *log, const struct pcdf_stage_record *rec, int64_t at)
{
    PCDF_TRY(PCDF_RESERVE(&log->entries, log->entries.n + 1));
    log->entries.x[log->entries.n++] = (struct entry){ rec->number, at, rec->pieces, rec->bytes };
    return NC_NOERR;
}

struct until { /* the records up to a sync */
    struct log *log;
    int64_t sync;
};

static int take_until(void *context, const struct pcdf_stage_record *rec, int64_t at,
                      const unsigned char *payload)
{
    const struct until *u = context;
    struct log *log = u->log;
    (void)payload;
    if (log->is_past)
        return NC_NOERR;
    if (rec->kind == PCDF_STAGE_DATA)
        return add_entry(log, rec, at);
    if (rec->number != u->sync)
        return NC_NOERR;
    log->is_past = log->has_sync = true;
    log->numrecs = rec->numrecs;
    log->header_crc = rec->header_crc;
    size_t n = 0;
    for (size_t i = 0; i < log->entries.n; i++)
        if (log->entries.x[i].number > rec->applied)
            log->entries.x[n++] = log->entries.x[i];
    log->entries.n = n;
    return NC_NOERR;
}

static int by_number(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* One log up to the sync that all have. In an epoch that began later nothing is left to write. */
static int take_entries(struct replay *r, struct log *log)
{
    struct until until = { log, r->sync };
    if (log->file.slot.sync >= r->sync) {
        log->has_sync = log->file.slot.sync == r->sync;
        log->numrecs = log->file.slot.numrecs;
        log->header_crc = log->file.slot.header_crc;
        return NC_NOERR;
    }
    PCDF_TRY(pcdf_stagefile_each(&log->file, take_until, &until));
    if (!log->has_sync)
        return PCDF_FAIL(NC_ERECOVER, "%s tells of later syncs, but not of number %lld", log->file.path,
                         (long long)r->sync);
    if (log->entries.n > 0)
        qsort(log->entries.x, log->entries.n, sizeof *log->entries.x, by_number);
    return NC_NOERR;
}

static int take_all(struct replay *r)
{
    r->sync = INT64_MAX;
    r->numrecs = -1;
    for (size_t i = r->begin; i < r->end; i++)
        if (r->logs.x[i].last < r->sync)
            r->sync = r->logs.x[i].last;
    for (size_t i = r->begin; i < r->end; i++) {
        struct log *log = &r->logs.x[i];
        PCDF_TRY(take_entries(r, log));
        if (!log->has_sync)
            continue;
        if (r->numrecs >= 0 && r->numrecs != log->numrecs)
            return PCDF_FAIL(NC_ERECOVER, "logs tell of different numbers of records, %s of %lld",
                             log->file.path, (long long)log->numrecs);
        r->numrecs = log->numrecs;
        if (log->header_crc)
            r->header_crc = log->header_crc;
    }
    return NC_NOERR;
}

/* ---- is it possible? */

static int read_header(struct replay *r)
{
    unsigned char *bytes = NULL;
    struct pcdf_fault fault = { .text = "" };
    int64_t need = 65536;
    int err = NC_NOERR;
    while (!err && need > 0) {
        int64_t n = need < r->size ? need : r->size;
        unsigned char *more = pcdf_realloc(bytes, (size_t)n + 1);
        if (!more) {
            err = PCDF_FAIL(NC_ENOMEM, "no memory for the header of %s", r->config->path);
            break;
        }
        bytes = more;
        err = pcdf_posix_move(r->fd, PCDF_GET, bytes, n, 0, NULL, r->real);
        if (!err && pcdf_decode(NULL, bytes, (size_t)n, r->size, &need, &r->meta, &r->layout, &fault))
            err = PCDF_FAIL(NC_ERECOVER, "its header cannot be read: %s", fault.text);
    }
    if (!err && r->header_crc)
        r->is_changed = pcdf_stage_header_crc(bytes, (size_t)r->layout.header_size) != r->header_crc;
    pcdf_free(bytes);
    return err;
}

static bool has_entries(const struct replay *r)
{
    for (size_t i = r->begin; i < r->end; i++)
        if (r->logs.x[i].entries.n > 0)
            return true;
    return false;
}

/* Is it the file that the logs are of, as it was? A file is changed or replaced by its writers only when the
 * logs have nothing for it; then what they say of syncs is older than it. */
static int check_identity(struct replay *r)
{
    const struct pcdf_stage_head *head = &r->logs.x[r->begin].file.head;
    bool is_other = false;
    for (size_t i = r->begin; i < r->end; i++)
        is_other |= r->logs.x[i].is_other;
    if (is_other)
        say(r, "the file is not that of the logs, which had the inode %lld, and this one %lld",
            (long long)head->inode, (long long)r->id.inode);
    else if (r->is_changed)
        say(r, "the definitions of the file are not those that it had when the logs were written");
    if (!is_other && !r->is_changed)
        return NC_NOERR;
    if (!has_entries(r))
        r->numrecs = r->meta.numrecs;
    else if (is_other && !r->config->force)
        return PCDF_FAIL(
            NC_ERECOVER,
            "the logs are of another file that had this name: if it was renamed, repair it by the "
            "name that it has now; --force brings them to this one all the same, and removed logs "
            "bring nothing");
    else if (!r->config->force)
        return PCDF_FAIL(NC_ERECOVER, "the definitions of the file were changed after the logs; --force "
                                      "replays them all the same");
    return NC_NOERR;
}

enum { NUMRECS_AT = 4, NUMRECS_BYTES = 8 };
enum { SLACK = 1000000000 }; /* nanoseconds between a write and its log note */

/* The number of records, which is raised here at the end. */
static bool is_numrecs(const struct pcdf_stage_piece *p)
{
    return p->offset == NUMRECS_AT && p->length <= NUMRECS_BYTES;
}

/* One record again, proved as before: the log is locked, but it is not trusted for that. */
static int read_entry(const struct log *log, const struct entry *e, unsigned char *payload)
{
    unsigned char bytes[PCDF_STAGE_RECORD];
    struct pcdf_stage_record rec;
    int64_t at = e->at - PCDF_STAGE_RECORD;
    PCDF_TRY(pcdf_stagefile_read(&log->file, at, sizeof bytes, bytes));
    bool is_good = pcdf_stage_record_decode(bytes, log->file.head.nonce, log->file.slot.epoch,
                                            log->file.size - at, &rec) &&
                   rec.kind == PCDF_STAGE_DATA && rec.pieces == e->pieces && rec.bytes == e->bytes;
    if (is_good)
        PCDF_TRY(pcdf_stagefile_read(&log->file, e->at, pcdf_stage_payload(&rec), payload));
    return is_good && pcdf_stage_payload_is_good(&rec, payload)
               ? NC_NOERR
               : PCDF_FAIL(NC_EREAD, "%s changed meanwhile", log->file.path);
}

/* Writes a record's pieces, or, not `now`, looks whether each lies among the data of the file. */
static int put_entry(struct replay *r, const struct log *log, const struct entry *e, unsigned char *payload,
                     bool now)
{
    struct pcdf_stage_piece p;
    unsigned char *from = payload + e->pieces * PCDF_STAGE_PIECE;
    PCDF_TRY(read_entry(log, e, payload));
    for (int64_t i = 0; i < e->pieces; i++, from += p.length) {
        pcdf_stage_piece_decode(payload, i, &p);
        if (is_numrecs(&p))
            continue;
        if (p.offset < r->layout.header_size || p.offset + p.length > r->file_end)
            return PCDF_FAIL(NC_ERECOVER, "%s has bytes for offset %lld, where the file has no data",
                             log->file.path, (long long)p.offset);
        if (now)
            PCDF_TRY(pcdf_posix_move(r->fd, PCDF_PUT, from, p.length, p.offset, NULL, r->real));
        else
            r->bytes += p.length;
    }
    return NC_NOERR;
}

/* A log is not older than what it brings to the file, so that the next open goes on where this one is killed
 * (check_doubts). */
static void touch_log(struct replay *r)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    int64_t now = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
    if (r->touched != 0 && now - r->touched < SLACK / 10)
        return;
    r->touched = now;
    (void)futimens(r->logs.x[r->begin].file.fd, NULL);
}

static int each_entry(struct replay *r, bool now)
{
    unsigned char *payload = pcdf_malloc(PCDF_STAGE_MOST);
    int err = payload ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory to replay logs");
    for (size_t i = r->begin; !err && i < r->end; i++)
        for (size_t k = 0; !err && k < r->logs.x[i].entries.n; k++) {
            if (now)
                touch_log(r);
            err = put_entry(r, &r->logs.x[i], &r->logs.x[i].entries.x[k], payload, now);
        }
    pcdf_free(payload);
    return err;
}

static int64_t most_records(const struct replay *r)
{
    int64_t room = INT64_MAX / 2 - r->layout.begin_rec;
    int64_t most = r->meta.version == PCDF_CDF5 ? INT64_MAX : UINT32_MAX - 1;
    return r->layout.recsize > 0 && room / r->layout.recsize < most ? room / r->layout.recsize : most;
}

/* How far the clock that stamps the file is ahead of that of the log: that of a server is another one than
 * the node's. 0 where nothing can be made beside one of them. */
static int64_t ahead(const struct replay *r, const char *log)
{
    int64_t there = 0, here = 0;
    return pcdf_stage_clock(r->real, &there) && pcdf_stage_clock(log, &here) ? there - here : 0;
}

/* Of what an open does by itself nobody looks at the report. */
static int check_doubts(const struct replay *r)
{
    int64_t last = 0;
    for (size_t i = r->begin; i < r->end; i++) {
        const struct pcdf_stagefile *f = &r->logs.x[i].file;
        if (f->owner != (int64_t)geteuid())
            return PCDF_FAIL(NC_ERECOVER, "%s is of another user", f->path);
        if (f->head.inode == 0 || r->id.inode == 0)
            return PCDF_FAIL(NC_ERECOVER, "%s does not tell which file it is of", f->path);
        if (f->changed > last)
            last = f->changed;
    }
    if (has_entries(r) && !r->header_crc)
        return PCDF_FAIL(NC_ERECOVER, "the logs do not tell which definitions the file had");
    if (r->changed - SLACK > last && r->changed - SLACK - ahead(r, r->logs.x[r->begin].file.path) > last)
        return PCDF_FAIL(NC_ERECOVER, "the file was changed after the last line of its logs");
    return NC_NOERR;
}

/* Opens the file, and proves that all that is to be written has its place there. */
static int check_file(struct replay *r)
{
    struct stat st;
    if (r->fd < 0)
        r->fd = pcdf_posix_open(r->real, r->config->dry ? O_RDONLY : O_RDWR);
    if (r->fd < 0 || fstat(r->fd, &st))
        return pcdf_posix_error(errno, NC_EFILE, "opening", r->real);
    r->size = st.st_size;
    r->changed = pcdf_stage_changed(&st);
    PCDF_TRY(read_header(r));
    PCDF_TRY(check_identity(r));
    if (r->numrecs > most_records(r))
        return PCDF_FAIL(NC_ERECOVER, "the logs tell of %lld records, which no such file has",
                         (long long)r->numrecs);
    say(r,
        "sync %lld is the last one that all ranks had: the file has %lld records then, its header says %lld",
        (long long)r->sync, (long long)r->numrecs, (long long)r->meta.numrecs);
    if (r->meta.numrecs > r->numrecs) /* what was counted stays */
        r->numrecs = r->meta.numrecs;
    struct pcdf_meta then = r->meta;
    then.numrecs = r->numrecs;
    int64_t end = pcdf_layout_file_end(&r->layout, &then);
    r->file_end = end > r->size ? end : r->size;
    PCDF_TRY(each_entry(r, false));
    say(r, "%lld bytes of puts %s in the logs", (long long)r->bytes, r->config->dry ? "wait" : "waited");
    if (!r->config->by_open || (r->bytes == 0 && r->numrecs == r->meta.numrecs))
        return NC_NOERR;
    return r->config->dry ? PCDF_FAIL(NC_ERECOVER, "a sync acknowledged puts that are not in the file yet")
                          : check_doubts(r);
}

/* ---- the change */

static int raise_numrecs(struct replay *r)
{
    unsigned char bytes[8];
    if (r->numrecs == r->meta.numrecs)
        return NC_NOERR;
    int n = pcdf_encode_numrecs(r->meta.version, r->numrecs, bytes);
    return pcdf_posix_move(r->fd, PCDF_PUT, bytes, n, NUMRECS_AT, NULL, r->real);
}

static int write_file(struct replay *r)
{
    bool failed = false;
    PCDF_TRY(each_entry(r, true));
    int longer = r->size < r->file_end ? pcdf_posix_cut(r->fd, r->file_end) : 0;
    if (longer)
        return pcdf_posix_error(longer, NC_EWRITE, "resizing", r->real);
    PCDF_TRY(pcdf_posix_sync(r->fd, r->real, &failed));
    touch_log(r);
    PCDF_TRY(raise_numrecs(r));
    PCDF_TRY(pcdf_posix_sync(r->fd, r->real, &failed));
    say(r, "repaired: the file has what its writers had synced, %lld records", (long long)r->numrecs);
    return NC_NOERR;
}

/* Those of an earlier file of the name, which nobody has yet, stay. */
static bool is_over(const struct replay *r, size_t begin, size_t end)
{
    return begin == r->begin || !r->logs.x[begin].is_other || is_needless(r, begin, end);
}

/* All of an opening are marked before one goes: from then on none is needed. */
static int remove_logs(struct replay *r)
{
    size_t removed = 0;
    for (size_t begin = 0, end; begin < r->logs.n; begin = end) {
        end = end_of_opening(r, begin);
        if (!is_over(r, begin, end))
            continue;
        for (size_t i = begin; i < end; i++)
            PCDF_TRY(pcdf_stagefile_finish(&r->logs.x[i].file));
        for (size_t i = begin; i < end; i++)
            PCDF_TRY(pcdf_sidecar_remove(r->logs.x[i].file.path));
        removed += end - begin;
    }
    if (removed > 0)
        say(r, "%zu logs were removed", removed);
    return NC_NOERR;
}

/* Programs that open the file at the same time look one after another, on all nodes whose locks reach each
 * other: none takes the locks of another one that looks for those of a job, and none writes to the file while
 * another one replays. Those that only read, and may lack the right to write, look at the same time: their
 * locks are shared ones. Where the file system has no such locks, nobody waits. */
static int wait_for_others(struct replay *r)
{
    const struct timespec moment = { .tv_nsec = 10000000 };
    enum { TRIES = 6000 }; /* a minute */
    bool is_whole;
    r->fd = pcdf_posix_open(r->real, r->config->dry ? O_RDONLY : O_RDWR);
    if (r->fd < 0)
        return pcdf_posix_error(errno, NC_EFILE, "opening", r->real);
    for (int i = 0; i < TRIES; i++) {
        if (!(r->config->dry ? pcdf_filelock_look(r->fd, r->real)
                             : pcdf_filelock_own(r->fd, r->real, &is_whole)))
            return NC_NOERR;
        nanosleep(&moment, NULL);
    }
    return PCDF_FAIL(NC_ERECOVER, "another process brings them to the file, for a minute now");
}

static int go(struct replay *r)
{
    PCDF_TRY(pcdf_stage_real_path(r->config->path, &r->real));
    r->id = pcdf_fileid_at(r->real);
    if (r->config->by_open)
        PCDF_TRY(wait_for_others(r));
    PCDF_TRY(collect(r));
    PCDF_TRY(choose(r));
    if (r->end > r->begin) {
        PCDF_TRY(take_all(r));
        PCDF_TRY(check_file(r));
        if (!r->config->dry)
            PCDF_TRY(write_file(r));
    } else {
        say(r, "nothing to do: no log has anything that a sync acknowledged and the file lacks");
    }
    return r->config->dry ? NC_NOERR : remove_logs(r);
}

int pcdf_stagereplay(const struct pcdf_stagereplay *config)
{
    struct replay r = { .config = config, .fd = -1 };
    int err = go(&r);
    for (size_t i = 0; i < r.logs.n; i++) {
        pcdf_stagefile_close(&r.logs.x[i].file);
        pcdf_free(r.logs.x[i].entries.x);
    }
    if (r.fd >= 0)
        close(r.fd);
    pcdf_free(r.logs.x);
    pcdf_free(r.real);
    pcdf_meta_free(&r.meta);
    pcdf_layout_free(&r.layout);
    return err;
}
