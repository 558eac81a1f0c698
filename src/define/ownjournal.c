/* See ownjournal.h. */
#include "ownjournal.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "crc32c.h"
#include "filelock.h"
#include "filesystem.h"
#include "posixio.h"
#include "status.h"

/* ---- is its owner gone? */

/* NULL: it is gone. Where the file system is of this machine, the lock that we have is the last word on a
 * process that cannot be seen from here (a container), and one of another start of the machine is gone: it
 * had to unmount. Between nodes a process elsewhere might have lost its lock and not know it. */
static const char *why_not_gone(const struct pcdf_owner *owner, enum pcdf_lock_reach reach)
{
    switch (pcdf_owner_look(owner)) {
    case PCDF_OWNER_SELF:
    case PCDF_OWNER_ENDED:
        return NULL;
    case PCDF_OWNER_RUNS:
        return "it runs";
    case PCDF_OWNER_HIDDEN:
        return reach == PCDF_LOCKS_MACHINE ? NULL : "it ran in a container, and cannot be seen from here";
    case PCDF_OWNER_RESTARTED: /* or same-named container on another machine */
    case PCDF_OWNER_ELSEWHERE:
        return reach == PCDF_LOCKS_MACHINE ? NULL : "whether it still runs cannot be seen from here";
    default:
        return "whether it still runs cannot be found out";
    }
}

int pcdf_ownjournal_root_gone(struct pcdf_journalfile *c)
{
    struct pcdf_journal_heartbeat heartbeat = { 0 };
    enum pcdf_lock_reach reach = pcdf_filesystem_locks(c->sidecar.fd);
    char begun[PCDF_TIME_TEXT], heard[PCDF_TIME_TEXT], kind[16], why[200];
    const char *about = NULL;
    if (!pcdf_journalfile_last_heartbeat(c, &heartbeat))
        return PCDF_FAIL(NC_ERECOVER, "who works with the journal %s cannot be read from it",
                         c->sidecar.path);
    if (!c->sidecar.lock_is_whole || reach == PCDF_LOCKS_UNKNOWN) {
        snprintf(why, sizeof why, "locks prove nothing on this file system (%s%s)",
                 pcdf_filesystem_name(c->sidecar.path, kind),
                 c->sidecar.lock_is_whole ? "" : ", which refuses them");
        about = why;
    } else if (!heartbeat.is_over) {
        about = why_not_gone(&heartbeat.owner, reach);
    }
    if (!about)
        return NC_NOERR;
    pcdf_journalfile_time_text(c->journal.begun, begun);
    pcdf_journalfile_time_text(heartbeat.time, heard);
    return PCDF_FAIL(NC_ERECOVER,
                     "process %lld on %s may be changing the file: it began at %s, was last heard of at %s, "
                     "and %s; when it has ended, `parcdf repair --force` finishes the change (journal %s)",
                     (long long)heartbeat.owner.process, heartbeat.owner.host, begun, heard, about,
                     c->sidecar.path);
}

/* ---- what a journal is to a file */

int pcdf_file_mark_read(const char *path, struct pcdf_file_mark *mark)
{
    struct pcdf_sidecar_facts facts;
    int64_t got = 0;
    *mark = (struct pcdf_file_mark){ 0 };
    int err = pcdf_sidecar_peek(path, mark->first, sizeof mark->first, &got, &facts);
    if (err)
        return err == NC_ENOENT ? NC_NOERR : err;
    mark->inode = facts.inode;
    mark->links = facts.links;
    enum pcdf_marked marked = pcdf_journal_marked(mark->first, got);
    mark->is_marked = marked != PCDF_MARKED_NOT;
    mark->is_hdf5 = marked == PCDF_MARKED_HDF5;
    return NC_NOERR;
}

/* Has the open file what a range of the journal says, or had before? Neither where that cannot be read. */
static void compare_range(int fd, const char *path, const struct pcdf_journal_range *r, bool *is_old,
                          bool *is_new)
{
    enum { PIECE = 1 << 16 };
    unsigned char *there = pcdf_malloc(PIECE);
    uint32_t crc = 0;
    for (int64_t at = 0; at < r->length && (*is_old || *is_new); at += PIECE) {
        int64_t n = r->length - at < PIECE ? r->length - at : PIECE, got = 0;
        if (!there || pcdf_posix_move(fd, PCDF_GET, there, n, r->offset + at, &got, path) || got < n) {
            *is_old = *is_new = false;
            break;
        }
        crc = pcdf_crc32c(crc, there, (size_t)n);
        *is_new &= memcmp(there, r->bytes + at, (size_t)n) == 0;
    }
    *is_old &= crc == r->old_crc;
    pcdf_free(there);
}

static bool are_ranges_before_or_after(struct pcdf_journalfile *c, const char *path)
{
    struct pcdf_journal_heartbeat heartbeat = { 0 };
    struct pcdf_journal_range r;
    struct pcdf_sidecar_facts facts;
    bool was_marked = pcdf_journalfile_last_heartbeat(c, &heartbeat) && heartbeat.is_marked;
    bool is_old = !was_marked, is_new = true;
    int fd = pcdf_posix_open(pcdf_path_posix(path), O_RDONLY | O_NONBLOCK);
    if (fd < 0)
        return false;
    if (pcdf_sidecar_inspect(path, &facts) || facts.inode != c->journal.inode)
        is_old = is_new = false;
    for (int64_t i = 0; (is_old || is_new) && pcdf_journal_range_next(&c->journal, &i, &r);)
        compare_range(fd, path, &r, &is_old, &is_new);
    close(fd);
    return is_old || is_new;
}

/* A file without mark, of the journal's inode: is it as before the change, or as after it? As before it
 * cannot be where the mark was set once: then other bytes were copied over it, and a copy of what it was may
 * need the journal. Old and new header may be the same for many sectors: all of both is compared, but for the
 * numbers of records, which may have grown since. Without memory nobody knows, and the journal stays. */
static bool is_before_or_after(struct pcdf_journalfile *c, const char *path)
{
    const struct pcdf_journal *j = &c->journal;
    struct pcdf_journal_heartbeat heartbeat = { 0 };
    struct pcdf_sidecar_facts facts;
    if (j->has_ranges)
        return are_ranges_before_or_after(c, path);
    int64_t size = j->old_size > j->new_size ? j->old_size : j->new_size, got = 0;
    unsigned char *there = pcdf_malloc((size_t)size);
    bool is = false, is_read = there && !pcdf_sidecar_peek(path, there, size, &got, &facts);
    for (int is_old = 0; is_read && facts.inode == j->inode && !is && is_old < 2; is_old++) {
        const unsigned char *header = is_old ? j->old_header : j->new_header;
        int64_t n = is_old ? j->old_size : j->new_size, numrecs_end = header[3] == 5 ? 12 : 8;
        is = n > numrecs_end && got >= n && memcmp(there, header, 4) == 0 &&
             memcmp(there + numrecs_end, header + numrecs_end, (size_t)(n - numrecs_end)) == 0 &&
             (!is_old || !pcdf_journalfile_last_heartbeat(c, &heartbeat) || !heartbeat.is_marked);
    }
    pcdf_free(there);
    return is;
}

static int classify(struct pcdf_journalfile *c, const char *path, const struct pcdf_file_mark *mark,
                    enum pcdf_claim *claim)
{
    int err = pcdf_journalfile_read_head(c);
    if (err && err != NC_ERECOVER)
        return err;
    bool is_same = !err && c->journal.inode == mark->inode;
    struct pcdf_journal_heartbeat heartbeat;
    if (err) {
        /* Of what does not decode: was its head never whole? Its first bytes and all others are one write,
         * which ends before a mark is set. Of this file, which has no mark, it never was, or is not needed.
         */
        enum { LEAST = 108 }; /* bytes of a head */
        unsigned char start[32] = { 0 };
        const unsigned char zeros[8] = { 0 };
        int64_t size = 0, inode;
        bool is_read = !pcdf_sidecar_size(&c->sidecar, &size) &&
                       !pcdf_sidecar_get(&c->sidecar, start, sizeof start, 0, NULL);
        bool is_empty = size < LEAST || memcmp(start, zeros, sizeof zeros) == 0 ||
                        (!mark->is_marked && pcdf_journal_peek(start, &inode) && inode == mark->inode);
        *claim = is_read && is_empty ? PCDF_CLAIM_EMPTY : PCDF_CLAIM_DAMAGED;
    } else if (mark->is_marked && pcdf_journal_is_of(&c->journal, mark->first))
        *claim = is_same ? PCDF_CLAIM_OWN : PCDF_CLAIM_COPY;
    else if (!mark->is_marked && is_same && !pcdf_journalfile_last_heartbeat(c, &heartbeat))
        *claim = PCDF_CLAIM_EMPTY; /* which comes with the head: it was torn */
    else if (!mark->is_marked && is_same && is_before_or_after(c, path))
        *claim = PCDF_CLAIM_DONE;
    else
        *claim = PCDF_CLAIM_OTHER;
    return NC_NOERR;
}

/* ---- finding it */

/* Opens and locks one, and only then looks at the file. *claim stays NONE where it is gone by now. Of another
 * file it may be held. */
static int claim_journal(const char *path, const char *journal, struct pcdf_journalfile *c,
                         struct pcdf_file_mark *mark, enum pcdf_claim *claim)
{
    *claim = PCDF_CLAIM_NONE;
    int err = pcdf_sidecar_open(path, journal, PCDF_SIDECAR_WRITE, &c->sidecar);
    if (err == NC_ENOENT || err == NC_ENOMEM)
        return err == NC_ENOENT ? NC_NOERR : err;
    if (err) {
        *claim = PCDF_CLAIM_CLOSED;
        return pcdf_file_mark_read(path, mark);
    }
    int held = pcdf_filelock_own(c->sidecar.fd, journal, &c->sidecar.lock_is_whole);
    if (!pcdf_sidecar_has_name(&c->sidecar, journal))
        return NC_NOERR;
    PCDF_TRY(pcdf_file_mark_read(path, mark));
    PCDF_TRY(classify(c, path, mark, claim));
    if (!held || *claim == PCDF_CLAIM_OTHER)
        return NC_NOERR;
    struct pcdf_journal_heartbeat heartbeat;
    if (!c->head || !pcdf_journalfile_last_heartbeat(c, &heartbeat)) /* not written yet */
        return PCDF_FAIL(NC_EACCESS, "another process is changing the file now: it holds %s",
                         c->sidecar.path);
    return PCDF_FAIL(NC_EACCESS, "process %lld on %s is changing the file now: it holds %s",
                     (long long)heartbeat.owner.process, heartbeat.owner.host, c->sidecar.path);
}

static int take_named(const char *path, const char *named, struct pcdf_journalfile *c,
                      struct pcdf_file_mark *mark, enum pcdf_claim *claim)
{
    for (int tries = 0; tries < 8; tries++) {
        char *beside = NULL;
        bool is_there = named != NULL;
        if (!named && pcdf_sidecar_find(path, PCDF_JOURNAL_SUFFIX, &beside, &is_there) == NC_ENOMEM)
            return NC_ENOMEM;
        *claim = PCDF_CLAIM_NONE;
        int err = is_there ? claim_journal(path, named ? named : beside, c, mark, claim) : NC_NOERR;
        pcdf_free(beside);
        if (err || *claim != PCDF_CLAIM_NONE || !is_there)
            return err;
        pcdf_journalfile_close(c);
    }
    return PCDF_FAIL(NC_EACCESS, "other processes make and remove a journal of the file all the time");
}

struct search {
    /* The file, and a journal that was looked at and is open (or NULL). */
    const char *path, *seen;
    const struct pcdf_file_mark *mark;
    char *own, *copy; /* owned: journals that have the file's nonce */
};

/* The nonce, and which inode, before the whole head is read. */
static bool look_at(void *context, const char *journal)
{
    struct search *s = context;
    struct pcdf_sidecar one;
    unsigned char start[32] = { 0 };
    if ((s->seen && strcmp(s->seen, journal) == 0) ||
        pcdf_sidecar_open(s->path, journal, PCDF_SIDECAR_WRITE, &one))
        return true;
    int err = pcdf_sidecar_get(&one, start, sizeof start, 0, NULL);
    (void)pcdf_sidecar_close(&one);
    int64_t inode;
    uint64_t nonce = pcdf_journal_peek(start, &inode);
    if (err || !nonce || !pcdf_journal_mark_is_of(s->mark->first, nonce))
        return true;
    char **found = inode == s->mark->inode ? &s->own : &s->copy;
    if (!*found)
        *found = pcdf_strndup(journal, strlen(journal));
    return s->own == NULL;
}

/* A marked file was renamed, or its journal was: another one of the folder has its nonce. */
static int search(const char *path, struct pcdf_journalfile *c, struct pcdf_file_mark *mark,
                  enum pcdf_claim *claim)
{
    struct search s = { path, c->sidecar.path, mark, NULL, NULL };
    struct pcdf_journalfile other = { 0 };
    enum pcdf_claim what = PCDF_CLAIM_NONE;
    struct pcdf_file_mark again = *mark;
    (void)pcdf_sidecar_each(path, PCDF_JOURNAL_SUFFIX, look_at, &s);
    const char *found = s.own ? s.own : *claim == PCDF_CLAIM_COPY ? NULL : s.copy;
    int err = found ? claim_journal(path, found, &other, &again, &what) : NC_NOERR;
    if (what == PCDF_CLAIM_OWN || what == PCDF_CLAIM_COPY) {
        pcdf_journalfile_close(c);
        *c = other;
        *mark = again;
        *claim = what;
    } else {
        pcdf_journalfile_close(&other);
    }
    pcdf_free(s.own);
    pcdf_free(s.copy);
    return err;
}

int pcdf_ownjournal_root_find(const char *path, const char *named, struct pcdf_journalfile *c,
                              struct pcdf_file_mark *mark, enum pcdf_claim *claim)
{
    PCDF_TRY(take_named(path, named, c, mark, claim));
    if (*claim == PCDF_CLAIM_NONE)
        PCDF_TRY(pcdf_file_mark_read(path, mark));
    bool may_be_elsewhere =
        !named && *claim != PCDF_CLAIM_OWN && mark->is_marked && pcdf_journal_mark_has_nonce(mark->first);
    return may_be_elsewhere ? search(path, c, mark, claim) : NC_NOERR;
}

/* ---- what becomes of it */

int pcdf_ownjournal_root_tidy(struct pcdf_journalfile *c, const char *path, enum pcdf_claim claim)
{
    bool is_proved = c->sidecar.lock_is_whole && pcdf_filesystem_locks(c->sidecar.fd) != PCDF_LOCKS_UNKNOWN;
    switch (claim) {
    case PCDF_CLAIM_NONE:
    case PCDF_CLAIM_CLOSED:
        return NC_NOERR;
    case PCDF_CLAIM_DONE:
        PCDF_TRY(pcdf_ownjournal_root_gone(c));
        PCDF_TRY(pcdf_sidecar_sync_file(path)); /* its end may be in memory yet */
        return pcdf_journalfile_remove(c);
    case PCDF_CLAIM_EMPTY:
        if (is_proved)
            return pcdf_journalfile_remove(c);
        /* fall through */
    default: /* whoever works with it still has it open */
        (void)pcdf_journalfile_set_aside(c);
        return NC_NOERR;
    }
}

/* Locked, empty. NC_EACCESS: another change has it. */
static int make_journal(const char *path, int64_t bytes, struct pcdf_journalfile *c)
{
    int err = NC_EEXIST;
    for (int tries = 0; tries < 8 && err == NC_EEXIST; tries++) {
        struct pcdf_journalfile old = { 0 };
        struct pcdf_file_mark mark;
        enum pcdf_claim claim;
        char *name = NULL;
        bool is_there;
        err = pcdf_ownjournal_root_find(path, NULL, &old, &mark, &claim);
        if (!err && mark.is_marked)
            err = PCDF_FAIL(NC_EACCESS, "another process is changing the file");
        if (!err)
            err = pcdf_ownjournal_root_tidy(&old, path, claim);
        pcdf_journalfile_close(&old);
        PCDF_TRY(err);
        PCDF_TRY(pcdf_sidecar_find(path, PCDF_JOURNAL_SUFFIX, &name, &is_there));
        err = pcdf_sidecar_make_new(path, name, bytes, &c->sidecar);
        pcdf_free(name);
    }
    return err;
}

/* Where the system has no random bits: nobody else has the same time, call and process. */
static uint64_t make_nonce(void)
{
    static _Atomic uint64_t calls;
    struct timespec now = { 0 };
    uint64_t random;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) == (ssize_t)sizeof random)
        return pcdf_journal_nonce(random);
    clock_gettime(CLOCK_REALTIME, &now);
    random = ((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec) + 0x9e3779b97f4a7c15u * ++calls;
    return pcdf_journal_nonce(random ^ (uint64_t)getpid() << 40);
}

/* On the storage, name and all, and still under some name: whoever took it for a leftover has not removed it.
 */
static int store_journal(struct pcdf_journalfile *c, const unsigned char *bytes, int64_t size, bool syncs)
{
    int err = pcdf_sidecar_put(&c->sidecar, bytes, size, 0);
    if (!err && syncs)
        err = pcdf_sidecar_sync(&c->sidecar);
    if (!err && syncs)
        err = pcdf_sidecar_sync_folder(c->sidecar.path);
    if (!err && !pcdf_sidecar_has_name(&c->sidecar, NULL))
        err = PCDF_FAIL(NC_EACCESS, "another process removed %s", c->sidecar.path);
    if (err)
        (void)pcdf_journalfile_remove(c);
    return err;
}

/* The journal lies beside the name, which must still lead to the file that is open. */
static int check_name(const char *path, int64_t inode, int64_t *its_inode)
{
    struct pcdf_sidecar_facts facts;
    int there = pcdf_sidecar_inspect(path, &facts);
    if (there && there != NC_ENOENT)
        return there;
    *its_inode = there ? 0 : facts.inode;
    if (there || (inode && *its_inode != inode))
        return PCDF_FAIL(
            NC_EACCESS,
            "%s does not lead to the file that is open any more, and its name now is not known: "
            "the journal of the change has no place (hint pcdf_debug_journal=off goes on without)",
            path);
    return NC_NOERR;
}

int pcdf_ownjournal_root_write(const char *path, int64_t inode, int (*check)(const struct pcdf_journal *),
                               bool syncs, struct pcdf_journalfile *c)
{
    struct pcdf_journal *j = &c->journal, back;
    int64_t need = 0;
    PCDF_TRY(check_name(path, inode, &j->inode));
    j->nonce = make_nonce();
    j->begun = (int64_t)time(NULL);
    int64_t head = pcdf_journal_head_size(j), size = pcdf_journal_slot(j, j->parts, 0);
    unsigned char *bytes = pcdf_calloc((size_t)head + PCDF_JOURNAL_BLOCK, 1);
    if (!bytes)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the journal of %lld bytes", (long long)head);
    pcdf_journal_encode(j, bytes);
    pcdf_journalfile_first_heartbeat(c, bytes + head);
    /* Asked before the mark is set, since afterwards the answer no loses the file. */
    int err = pcdf_journal_decode(bytes, (size_t)head, size, &need, &back);
    if (!err && check)
        err = check(&back);
    if (!err)
        err = make_journal(path, size, c);
    if (!err)
        err = store_journal(c, bytes, head + PCDF_JOURNAL_BLOCK, syncs);
    pcdf_free(bytes);
    if (err)
        return PCDF_FAIL(err == NC_ENO_SPACE || err == NC_EQUOTA || err == NC_ENOMEM ? err : NC_EACCESS,
                         "no journal can be made beside the file, and without one a crash would lose it "
                         "(hint pcdf_debug_journal=off goes on without): %s",
                         pcdf_fail_text());
    return NC_NOERR;
}

int pcdf_ownjournal_root_end(struct pcdf_journalfile *c, bool syncs)
{
    int err = pcdf_journalfile_remove(c);
    if (!err && syncs)
        err = pcdf_sidecar_sync_folder(c->sidecar.path);
    return err;
}

/* All bytes, and a head that is the same but for the inode. */
static int copy_journal(struct pcdf_journalfile *c, int64_t inode, struct pcdf_sidecar *to, int64_t size)
{
    struct pcdf_journal j = c->journal;
    int64_t head_size = pcdf_journal_head_size(&j), piece = head_size > 1 << 20 ? head_size : 1 << 20;
    unsigned char *bytes = pcdf_malloc((size_t)piece);
    int err = bytes ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory to copy the journal");
    for (int64_t at = 0; !err && at < size; at += piece) {
        int64_t n = size - at < piece ? size - at : piece;
        err = pcdf_sidecar_get(&c->sidecar, bytes, n, at, NULL);
        if (!err)
            err = pcdf_sidecar_put(to, bytes, n, at);
    }
    if (!err) {
        j.inode = inode;
        pcdf_journal_encode(&j, bytes);
        err = pcdf_sidecar_put(to, bytes, head_size, 0);
    }
    pcdf_free(bytes);
    return err;
}

int pcdf_ownjournal_root_copy(struct pcdf_journalfile *c, const char *path, int64_t inode)
{
    struct pcdf_journalfile mine = { 0 };
    int64_t size = 0;
    char *name = NULL;
    bool is_there;
    PCDF_TRY(pcdf_sidecar_find(path, PCDF_JOURNAL_SUFFIX, &name, &is_there));
    int err = is_there && pcdf_sidecar_has_name(&c->sidecar, name) ? pcdf_journalfile_set_aside(c) : NC_NOERR;
    if (!err)
        err = pcdf_sidecar_size(&c->sidecar, &size);
    if (!err)
        err = pcdf_sidecar_make_new(path, name, size, &mine.sidecar);
    pcdf_free(name);
    PCDF_TRY(err);
    err = copy_journal(c, inode, &mine.sidecar, size);
    if (!err)
        err = pcdf_sidecar_sync(&mine.sidecar);
    if (!err)
        err = pcdf_journalfile_read_head(&mine);
    if (err)
        (void)pcdf_journalfile_remove(&mine);
    pcdf_journalfile_close(err ? &mine : c);
    if (!err)
        *c = mine;
    return err;
}

/* ---- a name that another file gets */

int pcdf_ownjournal_root_leaving(const char *path, struct pcdf_leaving *leaving)
{
    struct pcdf_journalfile f = { 0 };
    struct pcdf_file_mark mark = { 0 };
    enum pcdf_claim claim = PCDF_CLAIM_NONE;
    *leaving = (struct pcdf_leaving){ .file = -1 };
    int err = take_named(path, NULL, &f, &mark, &claim);
    bool is_ours = !err && claim != PCDF_CLAIM_NONE && claim != PCDF_CLAIM_CLOSED;
    /* Of a file that loses its last name with this one nobody needs it. Whether it did is asked afterwards,
     * of the file itself: it may get another name in between. */
    bool goes_with_file = mark.links == 1 && f.journal.inode == mark.inode &&
                          (claim == PCDF_CLAIM_OWN || claim == PCDF_CLAIM_DONE);
    if (is_ours && goes_with_file) {
        struct stat st;
        int fd = pcdf_posix_open(pcdf_path_posix(path), O_RDONLY | O_NONBLOCK);
        if (fd >= 0 && (fstat(fd, &st) || (int64_t)st.st_ino != mark.inode)) { /* the name leads elsewhere */
            close(fd);
            fd = -1;
        }
        *leaving = (struct pcdf_leaving){ .journal = f, .file = fd };
        return NC_NOERR;
    }
    if (is_ours && claim == PCDF_CLAIM_EMPTY)
        (void)pcdf_ownjournal_root_tidy(&f, path, claim);
    else if (is_ours)
        (void)pcdf_journalfile_set_aside(&f);
    pcdf_journalfile_close(&f);
    return err == NC_ENOMEM ? err : NC_NOERR;
}

void pcdf_ownjournal_root_left(struct pcdf_leaving *leaving, bool is_gone)
{
    struct pcdf_journalfile *f = &leaving->journal;
    struct stat st;
    /* Removed, or emptied where a link leads to it. */
    bool is_no_more =
        leaving->file >= 0 && !fstat(leaving->file, &st) && (st.st_nlink == 0 || st.st_size == 0);
    if (pcdf_journalfile_is_open(f) && is_gone && is_no_more)
        (void)pcdf_journalfile_remove(f);
    else if (pcdf_journalfile_is_open(f) && is_gone)
        (void)pcdf_journalfile_set_aside(f);
    if (leaving->file >= 0)
        close(leaving->file);
    pcdf_journalfile_close(f);
    *leaving = (struct pcdf_leaving){ .file = -1 };
}
