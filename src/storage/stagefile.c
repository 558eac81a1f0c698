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
#include "sidecar.h"
#include "status.h"

static const char marker[] = ".parcdf-stage.";
enum { NAME_BYTES = 200 }; /* of the user's name: with what follows it, 255 at most */

/* ---- names */

/* The user's name, as far as a log's name has it; not cut within a character of UTF-8. */
static const char *base_of(const char *real, int *length)
{
    const char *slash = strrchr(real, '/'), *name = slash ? slash + 1 : real;
    size_t n = strlen(name);
    if (n > NAME_BYTES)
        for (n = NAME_BYTES; n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80;)
            n--;
    *length = (int)n;
    return name;
}

int pcdf_stage_name(const char *dir, const char *real, uint64_t nonce, int64_t rank, char **name)
{
    int length;
    const char *base = base_of(real, &length);
    size_t room = strlen(dir) + (size_t)length + 80;
    char *made = pcdf_malloc(room);
    if (!made)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a name in %s", dir);
    snprintf(made, room, "%s/%.*s%s%016" PRIx64 ".%lld", dir, length, base, marker, nonce, (long long)rank);
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
    char *found = realpath(posix, NULL); /* of libc's memory */
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

int64_t pcdf_stage_inode(const char *real)
{
    struct stat st;
    if (pcdf_filesystem_at(real)->numbers_by_client || stat(real, &st))
        return 0;
    return (int64_t)st.st_ino;
}

/* NAME.parcdf-stage.<16 digits>.<rank> */
static bool is_name(const char *entry, const char *base, size_t length)
{
    enum { DIGITS = 16 };
    const char *digits = entry + length + strlen(marker);
    if (strncmp(entry, base, length) != 0 || strncmp(entry + length, marker, strlen(marker)) != 0 ||
        strspn(digits, "0123456789abcdef") != DIGITS || digits[DIGITS] != '.')
        return false;
    size_t rank = strspn(digits + DIGITS + 1, "0123456789");
    return rank > 0 && digits[DIGITS + 1 + rank] == '\0';
}

int pcdf_stage_each(const char *dir, const char *real, int (*visit)(void *context, const char *path),
                    void *context)
{
    char path[PATH_MAX];
    int length, err = NC_NOERR;
    const char *base = base_of(real, &length);
    DIR *names = opendir(dir);
    if (!names)
        return pcdf_posix_error(errno, NC_EFILE, "listing", dir);
    for (const struct dirent *entry; !err && (entry = readdir(names));)
        if (is_name(entry->d_name, base, (size_t)length) &&
            snprintf(path, sizeof path, "%s/%s", dir, entry->d_name) < (int)sizeof path)
            err = visit(context, path);
    closedir(names);
    return err;
}

/* ---- what stands in one */

int64_t pcdf_stage_changed(const struct stat *st)
{
    return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

static int read_head(struct pcdf_stagefile *f, bool owns)
{
    struct stat st;
    bool is_whole;
    f->bytes = pcdf_malloc(PCDF_STAGE_HEAD);
    if (!f->bytes)
        return PCDF_FAIL(NC_ENOMEM, "no memory to open %s", f->path);
    if (fstat(f->fd, &st) || !S_ISREG(st.st_mode))
        return PCDF_FAIL(NC_EFILE, "%s is no log of puts", f->path);
    if (owns)
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

int pcdf_stagefile_open(const char *path, bool owns, struct pcdf_stagefile *f)
{
    struct pcdf_stagefile made = { .fd = -1, .path = pcdf_strndup(path, strlen(path)) };
    if (!made.path)
        return PCDF_FAIL(NC_ENOMEM, "no memory to open %s", path);
    made.fd = pcdf_posix_open(path, (owns ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    int err = made.fd < 0 ? pcdf_posix_error(errno, NC_EFILE, "opening", path) : read_head(&made, owns);
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
    const struct pcdf_stage_look *wish;
    const char *real;
    char own[40]; /* what the names of the own logs have; nothing: there are none */
};

static int refuse(const struct look *l, const char *path)
{
    return PCDF_FAIL(NC_ERECOVER,
                     "%s may have puts that a sync acknowledged and that are not in the file: "
                     "`parcdf repair --stage %s %s` (with --stage for the folders of all nodes) brings them "
                     "there, or remove the logs",
                     path, l->wish->dir, l->real);
}

static int64_t size_of(const char *path)
{
    struct stat st;
    return lstat(path, &st) ? 0 : (int64_t)st.st_size;
}

static int look_at(void *context, const char *path)
{
    const struct look *l = context;
    struct pcdf_stagefile f;
    int64_t sync = 0;
    bool is_new = l->wish->is_new;
    if (l->own[0] && strstr(path, l->own)) /* of another rank, and perhaps not locked yet */
        return NC_NOERR;
    int err = pcdf_stagefile_open(path, true, &f);
    if (err == NC_EACCESS || err == NC_ENOENT) /* in use, of somebody else, or just removed */
        return NC_NOERR;
    if (err == NC_EFILE && is_new)
        return NC_NOERR;
    if (err == NC_EFILE) /* whose head was never whole has no records: nothing was acknowledged by it */
        return size_of(path) <= PCDF_STAGE_HEAD ? NC_NOERR : refuse(l, path);
    if (err)
        return err;
    bool is_it = strcmp(f.head.path, l->real) == 0;
    if (is_it && !is_new && !f.slot.is_closed)
        err = pcdf_stagefile_last_sync(&f, &sync);
    if (is_it && !err && sync > 0)
        err = refuse(l, path);
    else if (is_it && !err && !l->wish->keeps)
        err = pcdf_sidecar_remove(path);
    pcdf_stagefile_close(&f);
    return err;
}

int pcdf_stage_look(const struct pcdf_stage_look *look)
{
    struct look l = { .wish = look };
    char *real = NULL;
    PCDF_TRY(pcdf_stage_real_path(look->file, &real));
    l.real = real;
    if (look->nonce)
        snprintf(l.own, sizeof l.own, "%s%016" PRIx64 ".", marker, look->nonce);
    int err = pcdf_stage_each(look->dir, real, look_at, &l);
    pcdf_free(real);
    return err;
}
