/* See stagefile.h. */

#include "stagefile.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "alloc.h"
#include "filelock.h"
#include "filesystem.h"
#include "posixio.h"
#include "rootfile.h"
#include "sidecar.h"
#include "status.h"

/* One that was set aside is of a file that had this name before. */
static const char marker[] = ".parcdf-stage.", aside[] = ".parcdf-aside.";
enum { MARKER = sizeof marker - 1, DIGITS = 16 };
_Static_assert(sizeof aside == sizeof marker, "both are as long");
/* Most bytes of the user's name: with what follows it, 255. */
enum { NAME_BYTES = 190 };

/* ---- names */

/* The user's name, as far as a log's name has it; not cut within a character of UTF-8. */
static const char *base_of(const char *real, size_t *length)
{
    const char *slash = strrchr(real, '/'), *name = slash ? slash + 1 : real;
    size_t n = strlen(name);
    if (n > NAME_BYTES)
        for (n = NAME_BYTES; n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80;)
            n--;
    *length = n;
    return name;
}

int pcdf_stage_name(const char *dir, const char *real, const struct pcdf_stage_head *head, char **name)
{
    size_t length;
    const char *base = base_of(real, &length);
    size_t room = strlen(dir) + length + 100;
    char *made = pcdf_malloc(room);
    if (!made)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a name in %s", dir);
    snprintf(made, room, "%s/%.*s%s%016" PRIx64 ".%lld.%lld", dir, (int)length, base, marker, head->nonce,
             (long long)head->rank, (long long)head->inode);
    *name = made;
    return NC_NOERR;
}

/* A file that is not there yet has a real folder. */
static char *real_of_new(const char *posix)
{
    const char *slash = strrchr(posix, '/'), *name = slash ? slash + 1 : posix;
    char *folder = slash ? pcdf_strndup(posix, slash > posix ? (size_t)(slash - posix) : 1) : NULL;
    char *real = realpath(folder ? folder : ".", NULL), *made = NULL; /* real: of libc's memory */
    size_t room = real ? strlen(real) + strlen(name) + 2 : 0;
    if (real && (made = pcdf_malloc(room)))
        snprintf(made, room, "%s/%s", strcmp(real, "/") == 0 ? "" : real, name);
    free(real);
    pcdf_free(folder);
    return made;
}

int pcdf_stage_real_path(const char *file, char **real)
{
    const char *posix = pcdf_path_posix(file);
    char *found = realpath(posix, NULL); /* libc's memory */
    char *made = found ? pcdf_strndup(found, strlen(found)) : real_of_new(posix);
    free(found);
    if (!made)
        return PCDF_FAIL(NC_EFILE, "the folder of %s cannot be found", file);
    if (strlen(made) > PCDF_STAGE_PATH) {
        pcdf_free(made);
        return PCDF_FAIL(NC_EFILE, "the path of %s is too long", file);
    }
    *real = made;
    return NC_NOERR;
}

struct pcdf_fileid pcdf_stage_file_of(const struct pcdf_stage_head *head)
{
    return (struct pcdf_fileid){ .device = head->device, .inode = head->inode, .born = head->born };
}

/* The digits from *at on, behind a point. */
static bool take_number(const char **at, int64_t *number)
{
    size_t n = **at == '.' ? strspn(*at + 1, "0123456789") : 0;
    if (n == 0 || n > 19)
        return false;
    *number = (int64_t)strtoull(*at + 1, NULL, 10);
    *at += n + 1;
    return true;
}

/* What stands behind a user's name, from one of the two markers on. inode 0: it has none, as older ones. */
static bool is_tail(const char *tail, int64_t *inode)
{
    int64_t rank;
    const char *at = tail + MARKER + DIGITS;
    *inode = 0;
    return strspn(tail + MARKER, "0123456789abcdef") == DIGITS && take_number(&at, &rank) &&
           (*at == '\0' || take_number(&at, inode)) && *at == '\0';
}

/* NULL: it is no name of a log. */
static const char *tail_of(const char *entry, int64_t *inode)
{
    for (const char *at = entry; (at = strstr(at, ".parcdf-")); at++)
        if ((strncmp(at, marker, MARKER) == 0 || strncmp(at, aside, MARKER) == 0) && is_tail(at, inode))
            return at;
    return NULL;
}

bool pcdf_stage_is_aside(const char *path)
{
    int64_t inode;
    const char *slash = strrchr(path, '/'), *tail = tail_of(slash ? slash + 1 : path, &inode);
    return tail && strncmp(tail, aside, MARKER) == 0;
}

int pcdf_stage_set_aside(const char *path)
{
    char other[PATH_MAX];
    int64_t inode;
    const char *slash = strrchr(path, '/'), *tail = tail_of(slash ? slash + 1 : path, &inode);
    if (!tail || snprintf(other, sizeof other, "%.*s%s%s", (int)(tail - path), path, aside, tail + MARKER) >=
                     (int)sizeof other)
        return PCDF_FAIL(NC_EFILE, "%s is no name of a log", path);
    int err = pcdf_file_root_rename(path, other, true);
    return err == NC_ENOENT ? NC_NOERR : err; /* by another rank, or removed */
}

static bool is_wanted(const struct pcdf_stage_names *names, const char *entry)
{
    size_t length;
    int64_t inode;
    const char *base = base_of(names->real, &length), *tail = tail_of(entry, &inode);
    if (!tail)
        return false;
    if (inode != 0 && (inode == names->file.inode || inode == names->gone.inode))
        return true;
    return (size_t)(tail - entry) == length && strncmp(entry, base, length) == 0 &&
           (names->with_aside || strncmp(tail, marker, MARKER) == 0);
}

int pcdf_stage_each(const struct pcdf_stage_names *names, int (*visit)(void *context, const char *path),
                    void *context)
{
    char path[PATH_MAX];
    int err = NC_NOERR;
    DIR *entries = opendir(names->dir);
    if (!entries)
        return pcdf_posix_error(errno, NC_EFILE, "listing", names->dir);
    for (const struct dirent *entry; !err && (entry = readdir(entries));)
        if (is_wanted(names, entry->d_name) &&
            snprintf(path, sizeof path, "%s/%s", names->dir, entry->d_name) < (int)sizeof path)
            err = visit(context, path);
    closedir(entries);
    return err;
}

/* ---- what stands in one */

int64_t pcdf_stage_changed(const struct stat *st)
{
    return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

/* By a file that has no name, or loses it at once. */
bool pcdf_stage_clock(const char *beside, int64_t *now)
{
    char folder[PATH_MAX], name[PATH_MAX + 40];
    struct stat st;
    const char *slash = strrchr(beside, '/');
    if (!slash || snprintf(folder, sizeof folder, "%.*s", slash > beside ? (int)(slash - beside) : 1,
                           beside) >= (int)sizeof folder)
        return false;
    snprintf(name, sizeof name, "%s/.parcdf-clock-%ld", folder, (long)getpid());
    int fd = pcdf_posix_open(folder, O_TMPFILE | O_WRONLY);
    if (fd < 0 && (fd = pcdf_posix_make(name)) >= 0)
        (void)unlink(name);
    bool has = fd >= 0 && write(fd, "", 1) == 1 && !fstat(fd, &st);
    if (fd >= 0)
        close(fd);
    if (has)
        *now = pcdf_stage_changed(&st);
    return has;
}

static int read_head(struct pcdf_stagefile *f, enum pcdf_stagefile_use use)
{
    struct stat st;
    bool is_whole;
    f->bytes = pcdf_malloc(PCDF_STAGE_HEAD);
    if (!f->bytes)
        return PCDF_FAIL(NC_ENOMEM, "no memory to open %s", f->path);
    if (fstat(f->fd, &st) || !S_ISREG(st.st_mode))
        return PCDF_FAIL(NC_EFILE, "%s is no log of puts", f->path);
    if (use == PCDF_STAGEFILE_LOOK)
        PCDF_TRY(pcdf_filelock_look(f->fd, f->path));
    if (use == PCDF_STAGEFILE_OWN)
        PCDF_TRY(pcdf_filelock_own(f->fd, f->path, &is_whole));
    f->size = st.st_size;
    f->owner = (int64_t)st.st_uid;
    f->changed = pcdf_stage_changed(&st);
    PCDF_TRY(pcdf_posix_move(f->fd, PCDF_GET, f->bytes, PCDF_STAGE_HEAD, 0, NULL, f->path));
    if (pcdf_stage_head_decode(f->bytes, f->size < PCDF_STAGE_HEAD ? (size_t)f->size : PCDF_STAGE_HEAD,
                               &f->head))
        return PCDF_FAIL(NC_EFILE, "%s cannot be used: %.200s", f->path, pcdf_fail_text());
    if (!pcdf_stage_slot_decode(f->bytes, f->head.nonce, &f->slot))
        return PCDF_FAIL(NC_EFILE, "%s cannot be used: what its head says of syncs is not whole", f->path);
    return NC_NOERR;
}

int pcdf_stagefile_open(const char *path, enum pcdf_stagefile_use use, struct pcdf_stagefile *f)
{
    struct pcdf_stagefile made = { .fd = -1, .path = pcdf_strndup(path, strlen(path)) };
    if (!made.path)
        return PCDF_FAIL(NC_ENOMEM, "no memory to open %s", path);
    const int mode = use == PCDF_STAGEFILE_READ ? O_RDONLY : O_RDWR;
    made.fd = pcdf_posix_open(path, mode | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    int err = made.fd < 0 ? pcdf_posix_error(errno, NC_EFILE, "opening", path) : read_head(&made, use);
    if (err)
        pcdf_stagefile_close(&made);
    else
        *f = made;
    return err;
}

void pcdf_stagefile_close(struct pcdf_stagefile *f)
{
    if (f->fd >= 0)
        close(f->fd);
    pcdf_free(f->bytes);
    pcdf_free(f->path);
    *f = (struct pcdf_stagefile){ .fd = -1 };
}

int pcdf_stagefile_read(const struct pcdf_stagefile *f, int64_t at, int64_t bytes, unsigned char *payload)
{
    return pcdf_posix_move(f->fd, PCDF_GET, payload, bytes, at, NULL, f->path);
}

int pcdf_stagefile_each(const struct pcdf_stagefile *f, pcdf_stage_visit *visit, void *context)
{
    unsigned char bytes[PCDF_STAGE_RECORD], *payload = pcdf_malloc(PCDF_STAGE_MOST);
    struct pcdf_stage_record r;
    int err = payload ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory to read %s", f->path);
    for (int64_t at = PCDF_STAGE_HEAD; !err; at += pcdf_stage_payload(&r)) {
        err = pcdf_stagefile_read(f, at, sizeof bytes, bytes);
        if (err || !pcdf_stage_record_decode(bytes, f->head.nonce, f->slot.epoch, f->size - at, &r))
            break;
        at += PCDF_STAGE_RECORD;
        if (r.kind == PCDF_STAGE_DATA) {
            err = pcdf_stagefile_read(f, at, pcdf_stage_payload(&r), payload);
            if (err || !pcdf_stage_payload_is_good(&r, payload))
                break;
        }
        err = visit(context, &r, at, payload);
    }
    pcdf_free(payload);
    return err;
}

static int note_sync(void *context, const struct pcdf_stage_record *r, int64_t at,
                     const unsigned char *payload)
{
    int64_t *sync = context;
    (void)at;
    (void)payload;
    if (r->kind == PCDF_STAGE_SYNC && r->number > *sync)
        *sync = r->number;
    return NC_NOERR;
}

int pcdf_stagefile_last_sync(const struct pcdf_stagefile *f, int64_t *sync)
{
    *sync = f->slot.sync;
    return pcdf_stagefile_each(f, note_sync, sync);
}

int pcdf_stagefile_finish(struct pcdf_stagefile *f)
{
    struct pcdf_stage_slot slot = f->slot;
    unsigned char bytes[PCDF_STAGE_SLOT];
    bool failed = false;
    slot.epoch++;
    slot.is_closed = true;
    pcdf_stage_slot_encode(f->head.nonce, &slot, bytes);
    PCDF_TRY(
        pcdf_posix_move(f->fd, PCDF_PUT, bytes, sizeof bytes, pcdf_stage_slot_at(slot.epoch), NULL, f->path));
    f->slot = slot;
    return pcdf_posix_sync(f->fd, f->path, &failed);
}

/* ---- what an earlier job left */

struct look {
    const struct pcdf_stage_look *config;
    struct pcdf_stage_names names;
    char own[40]; /* marks names of own logs; empty: none */
    int moved;
};

static int refuse(const struct look *l, const char *path)
{
    return PCDF_FAIL(NC_ERECOVER,
                     "%s may have puts that a sync acknowledged and that are not in the file: "
                     "`parcdf repair --stage %s %s` (with --stage for the folders of all nodes) brings them "
                     "there, or remove the logs",
                     path, l->config->dir, l->names.real);
}

static int64_t size_of(const char *path)
{
    struct stat st;
    return lstat(path, &st) ? 0 : (int64_t)st.st_size;
}

/* The file that the log is of has no data any more: it was removed just now, its last link, or its inode is
 * the new file's. The number alone says so only where births are not known: after a restart another disk may
 * have the device's number, and births tell them apart. */
static bool is_gone(const struct look *l, const struct pcdf_fileid *file)
{
    const struct pcdf_fileid *new_file = &l->names.file;
    bool has_number = l->config->is_new && file->inode != 0 && file->inode == new_file->inode &&
                      file->device == new_file->device && (file->born == 0 || new_file->born == 0);
    return has_number || pcdf_fileid_is(*file, l->names.gone);
}

/* Of a log that nobody uses, whose file is new or goes on. */
static int deal_with(struct look *l, struct pcdf_stagefile *f)
{
    const struct pcdf_fileid file = pcdf_stage_file_of(&f->head);
    bool has_path = strcmp(f->head.path, l->names.real) == 0, is_new = l->config->is_new;
    bool is_over = is_gone(l, &file);
    int64_t sync = 0;
    if (!has_path && !is_over && (is_new || !pcdf_fileid_is(file, l->names.file)))
        return NC_NOERR;
    if (!f->slot.is_closed)
        PCDF_TRY(pcdf_stagefile_last_sync(f, &sync));
    if (sync == 0 || is_over)
        return l->config->keeps ? NC_NOERR : pcdf_sidecar_remove(f->path);
    if (!is_new)
        return refuse(l, f->path);
    if (pcdf_stage_is_aside(f->path))
        return NC_NOERR;
    l->moved++;
    return pcdf_stage_set_aside(f->path);
}

static int look_at(void *context, const char *path)
{
    struct look *l = context;
    struct pcdf_stagefile f;
    bool is_new = l->config->is_new;
    if (l->own[0] && strstr(path, l->own)) /* another rank's, and perhaps not locked yet */
        return NC_NOERR;
    int err = pcdf_stagefile_open(path, PCDF_STAGEFILE_OWN, &f);
    if (err == NC_EACCESS || err == NC_ENOENT) /* in use, of somebody else, or just removed */
        return NC_NOERR;
    if (err == NC_EFILE && is_new)
        return NC_NOERR;
    /* A log whose head was never whole has no records: nothing was acknowledged by it. */
    if (err == NC_EFILE)
        return size_of(path) <= PCDF_STAGE_HEAD ? NC_NOERR : refuse(l, path);
    if (err)
        return err;
    err = deal_with(l, &f);
    pcdf_stagefile_close(&f);
    return err;
}

int pcdf_stage_look(const struct pcdf_stage_look *look, int *moved)
{
    struct look l = { .config = look };
    char *real = NULL;
    PCDF_TRY(pcdf_stage_real_path(look->file, &real));
    l.names = (struct pcdf_stage_names){ .dir = look->dir,
                                         .real = real,
                                         .file = pcdf_fileid_at(look->now ? look->now : real),
                                         .gone = look->gone };
    if (look->nonce)
        snprintf(l.own, sizeof l.own, "%s%016" PRIx64 ".", marker, look->nonce);
    int err = pcdf_stage_each(&l.names, look_at, &l);
    *moved = l.moved;
    pcdf_free(real);
    return err;
}
