/* See set.h. */
#include "set.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "array.h"
#include "crc32c.h"
#include "hash.h"
#include "posixio.h"
#include "setnames.h"
#include "status.h"

int pcdf_set_open_in(const struct pcdf_setfs *fs, const char *dir, const char *name, struct pcdf_set *set)
{
    if (!pcdf_setname_is_good(name))
        return PCDF_FAIL(NC_EINVAL,
                         "\"%s\" is no name for a set: at most %d letters, digits and -_+@=, and points that "
                         "are not first",
                         name, (int)PCDF_SET_NAME);
    struct pcdf_set made = { .fs = fs,
                             .dir = pcdf_strndup(dir, strlen(dir)),
                             .name = pcdf_strndup(name, strlen(name)) };
    if (!made.dir || !made.name) {
        pcdf_set_close(&made);
        return PCDF_FAIL(NC_ENOMEM, "no memory to open the set %s", name);
    }
    struct pcdf_setfacts facts;
    int err = fs->ops->look(fs->fs, dir, &facts);
    if (err) {
        pcdf_set_close(&made);
        return err;
    }
    made.place = (struct pcdf_setplace){ pcdf_hash_text(dir), facts.device, facts.inode, facts.user };
    *set = made;
    return NC_NOERR;
}

/* Devices have other numbers after a restart, or on another node; a moved folder has another path. */
bool pcdf_set_is_bound(const struct pcdf_set *set, const struct pcdf_setplace *noted)
{
    return noted->path && noted->inode == set->place.inode &&
           (noted->path == set->place.path || noted->device == set->place.device);
}

bool pcdf_set_trusts(const struct pcdf_set *set, const struct pcdf_setfacts *facts)
{
    return facts->is_own || facts->user == set->place.user;
}

int pcdf_set_open(const char *path, struct pcdf_set *set)
{
    path = pcdf_path_posix(path);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = slash ? pcdf_strndup(path, slash > path ? (size_t)(slash - path) : 1) : NULL;
    if (slash && !folder)
        return PCDF_FAIL(NC_ENOMEM, "no memory to open the set %s", path);
    char *real = realpath(folder ? folder : ".", NULL); /* of libc's memory */
    int err = real ? pcdf_set_open_in(&pcdf_setfs_posix, real, name, set)
                   : pcdf_posix_error(errno, NC_EFILE, "looking for", folder ? folder : ".");
    free(real);
    pcdf_free(folder);
    return err;
}

void pcdf_set_close(struct pcdf_set *set)
{
    pcdf_free(set->dir);
    pcdf_free(set->name);
    *set = (struct pcdf_set){ 0 };
}

/* ---- what is there */

typedef char setkey[PCDF_SET_KEY];
struct lister {
    const struct pcdf_set *set;
    PCDF_ARRAY(int64_t) numbers, removed, restored;
    PCDF_ARRAY(setkey) making;
    PCDF_ARRAY(char *) news;
};

static int list_one(void *context, const char *entry)
{
    struct lister *l = context;
    struct pcdf_setentry e;
    pcdf_setname_parse(entry, &e);
    if (e.kind == PCDF_SET_OTHER || strcmp(e.name, l->set->name) != 0)
        return NC_NOERR;
    if (e.kind == PCDF_SET_MANIFEST) {
        PCDF_TRY(PCDF_RESERVE(&l->numbers, l->numbers.n + 1));
        l->numbers.x[l->numbers.n++] = e.number;
    } else if (e.kind == PCDF_SET_REMOVED) {
        PCDF_TRY(PCDF_RESERVE(&l->removed, l->removed.n + 1));
        l->removed.x[l->removed.n++] = e.number;
    } else if (e.kind == PCDF_SET_RESTORED) {
        PCDF_TRY(PCDF_RESERVE(&l->restored, l->restored.n + 1));
        l->restored.x[l->restored.n++] = e.number;
    } else if (e.kind == PCDF_SET_PARTS) {
        PCDF_TRY(PCDF_RESERVE(&l->making, l->making.n + 1));
        memcpy(l->making.x[l->making.n++], e.key, sizeof e.key);
    } else {
        PCDF_TRY(PCDF_RESERVE(&l->news, l->news.n + 1));
        char *name = pcdf_strndup(entry, strlen(entry));
        if (!name)
            return NC_ENOMEM;
        l->news.x[l->news.n++] = name;
    }
    return NC_NOERR;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

int pcdf_set_list(const struct pcdf_set *set, struct pcdf_setlist *list)
{
    struct lister l = { .set = set };
    int err = set->fs->ops->list(set->fs->fs, set->dir, list_one, &l);
    *list = (struct pcdf_setlist){ .numbers = l.numbers.x,
                                   .n = l.numbers.n,
                                   .removed = l.removed.x,
                                   .nremoved = l.removed.n,
                                   .restored = l.restored.x,
                                   .nrestored = l.restored.n,
                                   .making = l.making.x,
                                   .nmaking = l.making.n,
                                   .news = l.news.x,
                                   .nnews = l.news.n };
    if (err) {
        pcdf_setlist_free(list);
        return err;
    }
    if (list->n)
        qsort(list->numbers, list->n, sizeof *list->numbers, by_number);
    if (list->nremoved)
        qsort(list->removed, list->nremoved, sizeof *list->removed, by_number);
    if (list->nrestored)
        qsort(list->restored, list->nrestored, sizeof *list->restored, by_number);
    if (list->nmaking)
        qsort(list->making, list->nmaking, sizeof *list->making, by_text);
    return NC_NOERR;
}

void pcdf_setlist_free(struct pcdf_setlist *list)
{
    for (size_t i = 0; i < list->nnews; i++)
        pcdf_free(list->news[i]);
    pcdf_free(list->news);
    pcdf_free(list->numbers);
    pcdf_free(list->removed);
    pcdf_free(list->restored);
    pcdf_free(list->making);
    *list = (struct pcdf_setlist){ 0 };
}

int pcdf_set_read(const struct pcdf_set *set, int64_t number, bool is_removed, struct pcdf_setmanifest *m)
{
    char *bytes = NULL, *path = pcdf_setname_numbered(
                            set->dir, set->name, is_removed ? PCDF_SET_REMOVED : PCDF_SET_MANIFEST, number);
    size_t n = 0;
    struct pcdf_setfacts facts;
    *m = (struct pcdf_setmanifest){ 0 };
    int err =
        path ? set->fs->ops->read(set->fs->fs, path, PCDF_SET_MOST_BYTES, &bytes, &n, &facts) : NC_ENOMEM;
    if (!err)
        err = pcdf_setmanifest_decode(bytes, n, set->dir, m);
    if (!err && strcmp(m->name, set->name) != 0) {
        err = PCDF_FAIL(NC_EFILE, "%s is the manifest of another set, %s", path, m->name);
        pcdf_setmanifest_free(m);
    }
    m->number = number;
    if (!err) {
        m->is_bound = pcdf_set_is_bound(set, &m->place);
        m->removes_inside = pcdf_set_trusts(set, &facts);
        m->removes_others = m->is_bound && facts.is_own;
    }
    pcdf_free(bytes);
    pcdf_free(path);
    return err;
}

int pcdf_set_before(const struct pcdf_set *set, const struct pcdf_setlist *list, size_t *at,
                    struct pcdf_setmanifest *m)
{
    while (*at > 0) {
        int err = pcdf_set_read(set, list->numbers[--*at], false, m);
        if (err != NC_ENOENT && err != NC_EFILE)
            return err;
    }
    return NC_ENOENT;
}

int pcdf_set_number_of(const struct pcdf_set *set, const struct pcdf_setlist *list, const char *key,
                       int64_t after, int64_t *number)
{
    struct pcdf_setmanifest m;
    int err = NC_NOERR;
    *number = 0;
    for (size_t at = list->n; at > 0 && list->numbers[at - 1] > after && !*number && !err;) {
        err = pcdf_set_before(set, list, &at, &m);
        if (!err && m.number > after && strcmp(m.key, key) == 0)
            *number = m.number;
        if (!err)
            pcdf_setmanifest_free(&m);
    }
    return err == NC_ENOENT ? NC_NOERR : err;
}

/* ---- whole or not */

int pcdf_set_where(const struct pcdf_set *set, const struct pcdf_setmanifest *m, size_t i, char **path)
{
    const struct pcdf_setfile *f = &m->files[i];
    struct pcdf_setfacts facts;
    char *member = pcdf_setname_member(f->file, m->key);
    if (!member)
        return PCDF_FAIL(NC_ENOMEM, "no memory to look for %s", f->file);
    int err = set->fs->ops->look(set->fs->fs, member, &facts);
    bool is_member = !err;
    if (err == NC_ENOENT) /* where no file has two names, the user's is the only one */
        err = set->fs->ops->look(set->fs->fs, f->file, &facts);
    if (err == NC_ENOENT || (!err && !facts.is_file))
        err = PCDF_FAIL(NC_ENOENT, "%s is missing", member);
    else if (!err && facts.size != f->size)
        err = PCDF_FAIL(NC_EFILE, "%s has %" PRId64 " bytes, not %" PRId64, is_member ? member : f->file,
                        facts.size, f->size);
    if (!err && !is_member) {
        pcdf_free(member);
        member = pcdf_strndup(f->file, strlen(f->file));
        err = member ? NC_NOERR : NC_ENOMEM;
    }
    if (err)
        pcdf_free(member);
    else
        *path = member;
    return err;
}

int pcdf_set_is_whole(const struct pcdf_set *set, const struct pcdf_setmanifest *m)
{
    for (size_t i = 0; i < m->nfiles; i++) {
        char *path;
        PCDF_TRY(pcdf_set_where(set, m, i, &path));
        pcdf_free(path);
    }
    return NC_NOERR;
}

int pcdf_set_newest(const struct pcdf_set *set, struct pcdf_setmanifest *m)
{
    struct pcdf_setlist list;
    int err = NC_ENOENT;
    PCDF_TRY(pcdf_set_list(set, &list));
    for (size_t at = list.n; at > 0 && (err == NC_ENOENT || err == NC_EFILE);) {
        err = pcdf_set_before(set, &list, &at, m);
        if (err)
            break;
        err = pcdf_set_is_whole(set, m);
        if (err)
            pcdf_setmanifest_free(m);
    }
    pcdf_setlist_free(&list);
    if (err == NC_ENOENT || err == NC_EFILE)
        return PCDF_FAIL(NC_ENOENT, "the set %s/%s has no complete generation", set->dir, set->name);
    return err;
}

int pcdf_set_member_of(const struct pcdf_set *set, const char *path, char **member)
{
    struct pcdf_setmanifest m;
    char *real;
    bool found = false;
    PCDF_TRY(pcdf_setname_real(path, &real));
    int err = pcdf_set_newest(set, &m);
    bool has_newest = !err;
    for (size_t i = 0; !err && !found && i < m.nfiles; i++) {
        found = strcmp(m.files[i].file, real) == 0;
        if (found)
            err = pcdf_set_where(set, &m, i, member);
    }
    if (has_newest)
        pcdf_setmanifest_free(&m);
    if (!err && !found)
        err = PCDF_FAIL(NC_ENOENT, "%s is not in the newest complete generation of %s", path, set->name);
    pcdf_free(real);
    return err;
}

int pcdf_set_sum(const char *path, int64_t offset, int64_t bytes, uint32_t *crc)
{
    enum { STEP = 1 << 20 };
    uint32_t sum = 0;
    char *room = pcdf_malloc(STEP);
    if (!room)
        return PCDF_FAIL(NC_ENOMEM, "no memory to read %s", path);
    int fd = pcdf_posix_open(path, O_RDONLY);
    int err = fd < 0 ? pcdf_posix_error(errno, NC_EREAD, "opening", path) : NC_NOERR;
    while (bytes > 0 && !err) {
        int64_t n = bytes < STEP ? bytes : STEP, got = 0;
        err = pcdf_posix_move(fd, PCDF_GET, room, n, offset, &got, path);
        if (!err && got < n)
            err = PCDF_FAIL(NC_EFILE, "%s ends before byte %" PRId64, path, offset + n);
        if (!err)
            sum = pcdf_crc32c(sum, room, (size_t)n);
        offset += n;
        bytes -= n;
    }
    if (fd >= 0)
        close(fd);
    pcdf_free(room);
    *crc = sum;
    return err;
}
