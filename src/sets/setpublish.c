/* See setpublish.h. */
#include "setpublish.h"
#include <stdio.h>
#include <string.h>
#include "array.h"
#include "checksumtable.h"
#include "setnames.h"
#include "sidename.h"
#include "status.h"

static bool is_gone(int err)
{
    return err == NC_ENOENT;
}

static int unlink_if_there(const struct pcdf_set *set, const char *path)
{
    int err = path ? set->fs->ops->unlink(set->fs->fs, path) : NC_ENOMEM;
    return is_gone(err) ? NC_NOERR : err;
}

/* Every folder of a generation's files once. */
static int sync_folders(const struct pcdf_set *set, const struct pcdf_setmanifest *m)
{
    int status = NC_NOERR;
    char *last = NULL;
    for (size_t i = 0; i < m->nfiles;
         i++) { /* they are sorted, so that almost all of a folder are together */
        char *folder = pcdf_setname_folder(m->files[i].file);
        if (!folder)
            pcdf_first(&status, NC_ENOMEM);
        else if (!last || strcmp(last, folder) != 0) {
            int err = set->fs->ops->sync_folder(set->fs->fs, folder);
            pcdf_first(&status, is_gone(err) ? NC_NOERR : err);
        }
        pcdf_free(last);
        last = folder;
    }
    pcdf_free(last);
    return status;
}

/* ---- the checksums beside a file */

/* They are bound to the inode, so that those of the member suit its second name; but only a file with one
 * link is believed there: hence a copy. */
static int give_sums(const struct pcdf_set *set, const char *member, const char *file, const char *key)
{
    enum { MOST = 256 << 20 };
    char *from = pcdf_sidename_beside(member, PCDF_CHECKSUMS_SUFFIX);
    char *to = pcdf_sidename_beside(file, PCDF_CHECKSUMS_SUFFIX), *bytes = NULL;
    char *draft = to ? pcdf_setname_link(to, key) : NULL;
    size_t n = 0;
    int err = from && draft ? set->fs->ops->read(set->fs->fs, from, MOST, &bytes, &n, NULL) : NC_ENOMEM;
    if (is_gone(err)) {
        err = unlink_if_there(set, to);
        pcdf_first(&err, unlink_if_there(set, draft));
    } else if (!err) {
        err = set->fs->ops->write(set->fs->fs, draft, bytes, n, from); /* who may read it stays the same */
        if (err == NC_EEXIST) { /* of one that a crash ended, or that is at work: of the same key, the same */
            err = unlink_if_there(set, draft);
            if (!err)
                err = set->fs->ops->write(set->fs->fs, draft, bytes, n, from);
        }
        if (!err)
            err = set->fs->ops->rename_over(set->fs->fs, draft, to);
        if (err == NC_EEXIST || is_gone(err)) /* another process does the same */
            err = NC_NOERR;
    }
    pcdf_free(bytes);
    pcdf_free(draft);
    pcdf_free(from);
    pcdf_free(to);
    return err;
}

static int remove_sums(const struct pcdf_set *set, const char *file)
{
    char *sums = pcdf_sidename_beside(file, PCDF_CHECKSUMS_SUFFIX);
    int err = unlink_if_there(set, sums);
    pcdf_free(sums);
    return err;
}

/* What a kill leaves of give_name, where another process published the generation. */
static int remove_drafts(const struct pcdf_set *set, const char *file, const char *key)
{
    char *sums = pcdf_sidename_beside(file, PCDF_CHECKSUMS_SUFFIX);
    char *of_sums = sums ? pcdf_setname_link(sums, key) : NULL, *of_file = pcdf_setname_link(file, key);
    int err = of_sums ? unlink_if_there(set, of_sums) : NC_ENOMEM;
    if (!err)
        err = unlink_if_there(set, of_file);
    pcdf_free(sums);
    pcdf_free(of_sums);
    pcdf_free(of_file);
    return err;
}

/* ---- one user's name */

/* Where files have one name only: what has the user's name now, if it is a member that lost its own, gets its
 * own back. Known by inode, size and time. */
static int give_back(const struct pcdf_set *set, const char *file, const struct pcdf_setfacts *now)
{
    struct pcdf_setlist list;
    struct pcdf_setmanifest m;
    int err = pcdf_set_list(set, &list);
    bool done = false;
    for (size_t at = list.n; !err && !done && at > 0;) {
        err =
            pcdf_set_before(set, &list, &at, &m); /* one that cannot be read now may be what is looked for */
        if (err)
            break;
        for (size_t k = 0; k < m.nfiles && !done && !err; k++) {
            const struct pcdf_setfile *f = &m.files[k];
            if (strcmp(f->file, file) != 0 || f->inode != now->inode || f->size != now->size ||
                f->changed != now->changed)
                continue;
            char *member = pcdf_setname_member(file, m.key);
            err = member ? set->fs->ops->rename_new(set->fs->fs, file, member) : NC_ENOMEM;
            pcdf_free(member);
            if (err == NC_EEXIST || is_gone(err))
                err = NC_NOERR;
            done = true;
        }
        pcdf_setmanifest_free(&m);
    }
    pcdf_setlist_free(&list);
    return is_gone(err) ? NC_NOERR : err;
}

static int take_name(const struct pcdf_set *set, const char *member, const char *file)
{
    struct pcdf_setfacts now;
    int err = set->fs->ops->look(set->fs->fs, file, &now);
    if (!err)
        err = give_back(set, file, &now);
    return err && !is_gone(err) ? err : set->fs->ops->rename_over(set->fs->fs, member, file);
}

static int link_name(const struct pcdf_set *set, const char *member, const char *file, const char *key)
{
    char *draft = pcdf_setname_link(file, key);
    int err = draft ? set->fs->ops->link(set->fs->fs, member, draft) : NC_ENOMEM;
    if (err == NC_EEXIST) /* of this key, hence the same file */
        err = NC_NOERR;
    if (!err) {
        err = set->fs->ops->rename_over(set->fs->fs, draft, file);
        int left =
            unlink_if_there(set, draft); /* both names were the same file: a rename does nothing then */
        pcdf_first(&err, left);
    }
    pcdf_free(draft);
    return err;
}

static int give_name(const struct pcdf_set *set, const struct pcdf_setfile *f, const char *key)
{
    struct pcdf_setfacts own, now;
    char *member = pcdf_setname_member(f->file, key);
    if (!member)
        return PCDF_FAIL(NC_ENOMEM, "no memory to publish %s", f->file);
    int err = set->fs->ops->look(set->fs->fs, member, &own);
    int err_now = set->fs->ops->look(set->fs->fs, f->file, &now);
    if (is_gone(err)) { /* it has the user's name, or is gone: what cannot be published is not */
        bool is_it = !err_now && now.inode == f->inode && now.size == f->size && now.changed == f->changed;
        err = is_it ? give_sums(set, member, f->file, key) : NC_NOERR;
        pcdf_free(member);
        return err;
    }
    if (!err && (!own.is_file || own.size != f->size))
        err = PCDF_FAIL(NC_EFILE, "%s is not the file that was committed", member);
    bool same = !err && !err_now && own.inode == now.inode && own.device == now.device;
    if (!err && !same) {
        err = link_name(set, member, f->file, key);
        if (err == NC_ENOTSUPPORT)
            err = take_name(set, member, f->file);
        if (is_gone(err) && !set->fs->ops->look(set->fs->fs, f->file, &now) && now.inode == own.inode)
            err = NC_NOERR; /* another process was as quick */
    } else if (!err) {      /* what a crash between the two names of a rename left */
        char *draft = pcdf_setname_link(f->file, key);
        err = unlink_if_there(set, draft);
        pcdf_free(draft);
    }
    if (!err)
        err = give_sums(set, member, f->file, key);
    pcdf_free(member);
    return err;
}

int pcdf_set_give_names(const struct pcdf_set *set, const struct pcdf_setmanifest *m)
{
    int status = NC_NOERR;
    for (size_t i = 0; i < m->nfiles; i++)
        if (m->is_bound || pcdf_setfile_is_below(m->files[i].file, set->dir))
            pcdf_first(&status, give_name(set, &m->files[i], m->key));
    int err = sync_folders(set, m);
    pcdf_first(&status, err);
    return status;
}

/* ---- publish */

/* The files of a newer generation that `m` has, too, published from there. */
static int publish_newer(const struct pcdf_set *set, const struct pcdf_setmanifest *m, int64_t number)
{
    struct pcdf_setmanifest newer, both;
    int err = pcdf_set_read(set, number, false, &newer);
    if (err) /* gone, or damaged: nobody is to believe it */
        return is_gone(err) || err == NC_EFILE ? NC_NOERR : err;
    both = newer;
    both.nfiles = 0;
    for (size_t i = 0, k = 0; i < newer.nfiles; i++) {
        while (k < m->nfiles && strcmp(m->files[k].file, newer.files[i].file) < 0)
            k++;
        if (k < m->nfiles && strcmp(m->files[k].file, newer.files[i].file) == 0)
            both.files[both.nfiles++] = newer.files[i];
    }
    err = pcdf_set_give_names(set, &both);
    pcdf_setmanifest_free(&newer);
    return err;
}

/* Has another process published it, and removed its folder of parts? What this one would leave if it were
 * killed now, nobody would look for. */
static bool is_published(const struct pcdf_set *set, const char *key)
{
    struct pcdf_setfacts facts;
    char *parts = pcdf_setname_keyed(set->dir, set->name, PCDF_SET_PARTS, key);
    bool is = parts && is_gone(set->fs->ops->look(set->fs->fs, parts, &facts));
    pcdf_free(parts);
    return is;
}

/* The names of `m`, and then of those above `done`. Another process may commit, and publish, a newer
 * generation at any instant: so, after the last rename, it is looked for once more, and the last to rename
 * anything puts it right. */
static int publish_above(const struct pcdf_set *set, const struct pcdf_setmanifest *m, int64_t done,
                         bool has_parts)
{
    int status = NC_NOERR;
    for (bool is_first = true;; is_first = false) {
        struct pcdf_setlist list;
        int err = pcdf_set_list(set, &list);
        if (err)
            return err;
        if (is_first && has_parts && is_published(set, m->key)) {
            pcdf_setlist_free(&list);
            return NC_NOERR;
        }
        int64_t newest = list.n ? list.numbers[list.n - 1] : 0;
        bool goes_on = is_first || newest > done;
        if (is_first)
            pcdf_first(&status, pcdf_set_give_names(set, m));
        for (size_t i = 0; i < list.n; i++)
            if (list.numbers[i] > done) {
                err = publish_newer(set, m, list.numbers[i]);
                pcdf_first(&status, err);
            }
        done = newest > done ? newest : done;
        pcdf_setlist_free(&list);
        if (!goes_on || status)
            return status;
    }
}

int pcdf_set_publish(const struct pcdf_set *set, const struct pcdf_setmanifest *m)
{
    return publish_above(set, m, m->number, true);
}

/* ---- restoring */

static int drop_restored(const struct pcdf_set *set, int64_t number)
{
    char *note = pcdf_setname_numbered(set->dir, set->name, PCDF_SET_RESTORED, number);
    int err = unlink_if_there(set, note);
    if (!err)
        err = set->fs->ops->sync_folder(set->fs->fs, set->dir);
    pcdf_free(note);
    return err;
}

/* list: as it was before: what is newer than that was committed meanwhile. */
static int restore(const struct pcdf_set *set, const struct pcdf_setmanifest *m,
                   const struct pcdf_setlist *list)
{
    int64_t newest = list->n ? list->numbers[list->n - 1] : 0;
    PCDF_TRY(publish_above(set, m, newest > m->number ? newest : m->number, false));
    return drop_restored(set, m->number);
}

int pcdf_set_restore(const struct pcdf_set *set, const struct pcdf_setmanifest *m)
{
    static const char said[] = "the user's names are to be those of this generation\n";
    struct pcdf_setlist list;
    PCDF_TRY(pcdf_set_list(set, &list));
    char *note = pcdf_setname_numbered(set->dir, set->name, PCDF_SET_RESTORED, m->number);
    int err = note ? set->fs->ops->write(set->fs->fs, note, said, sizeof said - 1, NULL) : NC_ENOMEM;
    if (!err || err == NC_EEXIST) /* of one that a crash ended */
        err = set->fs->ops->sync_folder(set->fs->fs, set->dir);
    for (size_t i = 0; i < list.nrestored && !err; i++)
        if (list.restored[i] != m->number)
            err = drop_restored(set, list.restored[i]);
    if (!err)
        err = restore(set, m, &list);
    for (size_t i = 0; i < m->nfiles && !err && !m->is_bound; i++)
        if (!pcdf_setfile_is_below(m->files[i].file, set->dir))
            err = PCDF_FAIL(NC_EACCESS, "%s is not below %s, which is a copy of the folder of the set",
                            m->files[i].file, set->dir);
    pcdf_free(note);
    pcdf_setlist_free(&list);
    return err;
}

int pcdf_set_finish_restored(const struct pcdf_set *set, const struct pcdf_setlist *list)
{
    int status = NC_NOERR;
    for (size_t i = 0; i < list->nrestored; i++) {
        struct pcdf_setmanifest m;
        struct pcdf_setfacts facts;
        char *note = pcdf_setname_numbered(set->dir, set->name, PCDF_SET_RESTORED, list->restored[i]);
        int err = note ? set->fs->ops->look(set->fs->fs, note, &facts) : NC_ENOMEM;
        bool is_ours = !err && pcdf_set_trusts(set, &facts);
        pcdf_free(note);
        if (!err && is_ours)
            err = pcdf_set_read(set, list->restored[i], false, &m);
        bool is_read = !err && is_ours;
        if (is_read) { /* a kill may have left a note that is not on the storage yet: before the first name */
            err = set->fs->ops->sync_folder(set->fs->fs, set->dir);
            err = err ? err : restore(set, &m, list);
            pcdf_setmanifest_free(&m);
        }
        if ((is_gone(err) || err == NC_EFILE) && is_ours) /* its files cannot have the names any more */
            err = drop_restored(set, list->restored[i]);
        pcdf_first(&status, is_gone(err) ? NC_NOERR : err);
    }
    return status;
}

/* ---- clean */

struct names {
    PCDF_ARRAY(char *) list;
};

static int add_name(void *context, const char *name)
{
    struct names *names = context;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return NC_NOERR;
    PCDF_TRY(PCDF_RESERVE(&names->list, names->list.n + 1));
    char *copy = pcdf_strndup(name, strlen(name));
    if (copy)
        names->list.x[names->list.n++] = copy;
    return copy ? NC_NOERR : NC_ENOMEM;
}

static int unlink_notes(const struct pcdf_set *set, const char *parts, const struct names *names,
                        const char *end)
{
    int status = NC_NOERR;
    for (size_t i = 0; i < names->list.n; i++) {
        if (!pcdf_setname_ends(names->list.x[i], end))
            continue;
        char *path = pcdf_setname_in(parts, names->list.x[i]);
        pcdf_first(&status, unlink_if_there(set, path));
        pcdf_free(path);
    }
    return status;
}

int pcdf_set_clean_news(const struct pcdf_set *set, const char *key)
{
    struct pcdf_setlist list;
    size_t n = strlen(key);
    int status = pcdf_set_list(set, &list);
    for (size_t i = 0; !status && i < list.nnews; i++) {
        struct pcdf_setentry e;
        pcdf_setname_parse(list.news[i], &e);
        if (strncmp(e.key, key, n) != 0 || e.key[n] != '-')
            continue;
        char *path = pcdf_setname_in(set->dir, list.news[i]);
        pcdf_first(&status, unlink_if_there(set, path));
        pcdf_free(path);
    }
    pcdf_setlist_free(&list);
    return status;
}

int pcdf_set_clean(const struct pcdf_set *set, const char *key)
{
    static const char *const order[] = { ".part", ".begun", ".failed", "" };
    struct names names = { 0 };
    char *parts = pcdf_setname_keyed(set->dir, set->name, PCDF_SET_PARTS, key);
    int status = parts ? set->fs->ops->list(set->fs->fs, parts, add_name, &names) : NC_ENOMEM;
    bool is_there = !is_gone(status);
    if (!is_there)
        status = NC_NOERR;
    for (size_t i = 0; i < sizeof order / sizeof *order && !status; i++)
        status = unlink_notes(set, parts, &names, order[i]);
    int err = status || !is_there ? NC_NOERR : set->fs->ops->remove_folder(set->fs->fs, parts);
    if (err && !is_gone(err))
        pcdf_first(&status, err);
    if (!status)
        status = pcdf_set_clean_news(set, key);
    err = set->fs->ops->sync_folder(set->fs->fs, set->dir);
    pcdf_first(&status, err);
    for (size_t i = 0; i < names.list.n; i++)
        pcdf_free(names.list.x[i]);
    pcdf_free(names.list.x);
    pcdf_free(parts);
    return status;
}

/* ---- removal */

/* The user's name goes with its member: if it is the same file, or, below DIR, the member lost its own name.
 * First of the two, since the other tells whose it is. */
static int remove_file(const struct pcdf_set *set, const struct pcdf_setfile *f,
                       const struct pcdf_setmanifest *m)
{
    struct pcdf_setfacts own, now;
    const char *key = m->key;
    bool is_below = pcdf_setfile_is_below(f->file, set->dir);
    if (!is_below && !m->removes_others)
        return NC_NOERR;
    char *member = pcdf_setname_member(f->file, key);
    int err = member ? set->fs->ops->look(set->fs->fs, member, &own) : NC_ENOMEM;
    bool has_own = !err && own.is_file, has_name = false;
    if (err && !is_gone(err))
        goto out;
    err = set->fs->ops->look(set->fs->fs, f->file, &now);
    if (!err && now.is_file)
        has_name = has_own ? now.inode == own.inode && now.device == own.device
                           : is_below && m->is_bound && now.inode == f->inode && now.size == f->size &&
                                 now.changed == f->changed;
    err = NC_NOERR;
    if (has_name) {
        err = remove_sums(set, f->file);
        pcdf_first(&err, unlink_if_there(set, f->file));
    }
    if (!err)
        err = remove_drafts(set, f->file, key);
    if (!err)
        err = remove_sums(set, member);
    if (!err && has_own)
        err = unlink_if_there(set, member);
out:
    pcdf_free(member);
    return err;
}

/* Has another manifest this key? Then the members are of that one. */
static int is_held(const struct pcdf_set *set, const char *key, bool *held)
{
    struct pcdf_setlist list;
    int64_t number = 0;
    PCDF_TRY(pcdf_set_list(set, &list));
    int err = pcdf_set_number_of(set, &list, key, 0, &number);
    *held = number > 0;
    pcdf_setlist_free(&list);
    return err;
}

int pcdf_set_remove(const struct pcdf_set *set, int64_t number)
{
    struct pcdf_setmanifest m;
    bool held = false;
    int err = pcdf_set_read(set, number, true, &m);
    bool is_whole = !err;
    if (is_gone(err))
        return NC_NOERR;
    if (err && err != NC_EFILE)
        return err;
    if (is_whole && !m.removes_inside) {
        pcdf_setmanifest_free(&m);
        return NC_NOERR; /* of a user whose business it is */
    }
    err = is_whole ? is_held(set, m.key, &held) : NC_NOERR;
    for (size_t i = 0; is_whole && !held && !err && i < m.nfiles; i++)
        err = remove_file(set, &m.files[i], &m);
    if (is_whole && !err && !held)
        err = sync_folders(set, &m);
    if (is_whole && !err && !held)
        err = pcdf_set_clean(set, m.key);
    if (is_whole)
        pcdf_setmanifest_free(&m);
    char *path = pcdf_setname_numbered(set->dir, set->name, PCDF_SET_REMOVED, number);
    if (!err)
        err = unlink_if_there(set, path);
    if (!err)
        err = set->fs->ops->sync_folder(set->fs->fs, set->dir);
    pcdf_free(path);
    return err;
}

static int remove_committed(const struct pcdf_set *set, int64_t number)
{
    char *from = pcdf_setname_numbered(set->dir, set->name, PCDF_SET_MANIFEST, number);
    char *to = pcdf_setname_numbered(set->dir, set->name, PCDF_SET_REMOVED, number);
    int err = from && to ? set->fs->ops->rename_over(set->fs->fs, from, to) : NC_ENOMEM;
    if (is_gone(err)) /* another process does the same */
        err = NC_NOERR;
    if (!err)
        err = set->fs->ops->sync_folder(set->fs->fs, set->dir);
    pcdf_free(from);
    pcdf_free(to);
    return err ? err : pcdf_set_remove(set, number);
}

static bool is_making(const struct pcdf_setlist *list, const char *key)
{
    for (size_t i = 0; i < list->nmaking; i++)
        if (strcmp(list->making[i], key) == 0)
            return true;
    return false;
}

int pcdf_set_keep(const struct pcdf_set *set, int64_t keep)
{
    struct pcdf_setlist list;
    int64_t whole = 0;
    int status = NC_NOERR;
    if (keep <= 0)
        return NC_NOERR;
    PCDF_TRY(pcdf_set_list(set, &list));
    for (size_t at = list.n; at > 0;) {
        struct pcdf_setmanifest m;
        int err = pcdf_set_before(set, &list, &at, &m); /* a damaged one does not count, and nothing it says
                                                           is believed */
        if (is_gone(err))
            break;
        pcdf_first(&status, err);
        if (err)
            continue;
        if (whole >= keep && m.removes_inside && !is_making(&list, m.key)) {
            err = remove_committed(set, m.number);
            pcdf_first(&status, err);
        } else {
            whole += pcdf_set_is_whole(set, &m) == NC_NOERR;
        }
        pcdf_setmanifest_free(&m);
    }
    pcdf_setlist_free(&list);
    return status;
}
