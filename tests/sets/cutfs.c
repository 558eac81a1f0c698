/* See cutfs.h. */
#include "cutfs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "codes.h"
#include "cutmutants.h"
#include "status.h"

uint64_t sim_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* ---- texts as numbers */

enum { TEXTS = 1 << 16 };
static char *texts[TEXTS];

int sim_text(const char *text, size_t n)
{
    uint64_t at = 1469598103934665603u;
    for (size_t i = 0; i < n; i++)
        at = (at ^ (unsigned char)text[i]) * 1099511628211u;
    for (at = sim_mix(at) % TEXTS; texts[at]; at = (at + 1) % TEXTS)
        if (strlen(texts[at]) == n && memcmp(texts[at], text, n) == 0)
            return (int)at;
    texts[at] = strndup(text, n);
    return (int)at;
}

const char *sim_text_of(int number)
{
    return texts[number];
}

/* A path as its folder and its last part. */
static void split(const char *path, int *folder, int *name)
{
    const char *slash = strrchr(path, '/');
    *folder = sim_text(path, slash && slash > path ? (size_t)(slash - path) : 1);
    *name = sim_text(slash ? slash + 1 : path, strlen(slash ? slash + 1 : path));
}

/* ---- the state */

static void *grow(void *x, int n, size_t size)
{
    if (n & (n - 1)) /* there is room up to the next power of two */
        return x;
    void *more = realloc(x, (size_t)(n ? 2 * n : 1) * size);
    if (!more)
        abort();
    return more;
}

static void *copy_of(const void *x, int n, size_t size)
{
    int room = 1;
    while (room < n)
        room *= 2;
    void *made = n ? malloc((size_t)room * size) : NULL;
    if (n)
        memcpy(made, x, (size_t)n * size);
    return made;
}

void cutfs_init(struct cutfs *fs)
{
    *fs = (struct cutfs){ .has_links = true, .numbers = 100, .now = 1000000000000000000 };
}

void cutfs_copy(struct cutfs *to, const struct cutfs *from)
{
    *to = *from;
    to->inodes = copy_of(from->inodes, from->ninodes, sizeof *from->inodes);
    to->seen = copy_of(from->seen, from->nseen, sizeof *from->seen);
    to->stored = copy_of(from->stored, from->nstored, sizeof *from->stored);
    to->steps = copy_of(from->steps, from->nsteps, sizeof *from->steps);
    to->changed = to->paused = NULL;
}

void cutfs_free(struct cutfs *fs)
{
    free(fs->inodes);
    free(fs->seen);
    free(fs->stored);
    free(fs->steps);
}

static int find(const struct sim_name *names, int n, int folder, int name)
{
    for (int i = 0; i < n; i++)
        if (names[i].name == name && names[i].folder == folder)
            return i;
    return -1;
}

static void apply(struct sim_name **names, int *n, const struct sim_step *s)
{
    int at = s->gone >= 0 ? find(*names, *n, s->folder, s->gone) : -1;
    if (at >= 0)
        (*names)[at] = (*names)[--*n];
    at = s->come >= 0 ? find(*names, *n, s->folder, s->come) : -1;
    if (at >= 0) {
        (*names)[at].inode = s->inode;
    } else if (s->come >= 0) {
        *names = grow(*names, *n, sizeof **names);
        (*names)[(*n)++] = (struct sim_name){ s->folder, s->come, s->inode };
    }
}

static void step(struct cutfs *fs, struct sim_step s)
{
    apply(&fs->seen, &fs->nseen, &s);
    fs->steps = grow(fs->steps, fs->nsteps, sizeof *fs->steps);
    fs->steps[fs->nsteps++] = s;
    if (fs->changed)
        fs->changed(fs);
}

static uint64_t hash_of(const char *bytes, size_t n)
{
    uint64_t x = n;
    for (size_t i = 0; i < n; i++)
        x = (x ^ (unsigned char)bytes[i]) * 1099511628211u;
    return x;
}

/* Contents are shared among copies of a file system, so they are kept to the end of the program: in a list,
 * which tells a sanitizer that they are not lost. */
struct content {
    struct content *next;
    char bytes[];
};
static struct content *contents;

static const char *keep(const void *bytes, size_t n)
{
    struct content *c = malloc(sizeof *c + n + 1);
    if (!c)
        abort();
    memcpy(c->bytes, bytes, n);
    c->bytes[n] = '\0';
    c->next = contents;
    contents = c;
    return c->bytes;
}

static int make_inode(struct cutfs *fs, const void *bytes, size_t n, bool is_folder)
{
    fs->inodes = grow(fs->inodes, fs->ninodes, sizeof *fs->inodes);
    fs->inodes[fs->ninodes] = (struct sim_inode){ .bytes = keep(bytes, n),
                                                  .n = n,
                                                  .number = ++fs->numbers,
                                                  .hash = hash_of(bytes, n),
                                                  .is_folder = is_folder };
    return fs->ninodes++;
}

static int look_up(const struct cutfs *fs, const char *path)
{
    int folder, name;
    split(path, &folder, &name);
    int at = find(fs->seen, fs->nseen, folder, name);
    return at < 0 ? -1 : fs->seen[at].inode;
}

const struct sim_inode *cutfs_find(const struct cutfs *fs, const char *path)
{
    int inode = look_up(fs, path);
    return inode < 0 ? NULL : &fs->inodes[inode];
}

void cutfs_put(struct cutfs *fs, const char *path, const void *bytes, size_t n)
{
    int folder, name, inode = look_up(fs, path);
    int made = make_inode(fs, bytes, n, false);
    fs->inodes[made].loses = fs->mutant == SIM_MEMBERS_ARE_NOT_SYNCED;
    if (inode >= 0) {
        fs->inodes[inode].loses = fs->inodes[made].loses;
        fs->inodes[inode].bytes = fs->inodes[made].bytes;
        fs->inodes[inode].n = n;
        fs->inodes[inode].hash = fs->inodes[made].hash;
        if (fs->changed)
            fs->changed(fs);
        return;
    }
    split(path, &folder, &name);
    step(fs, (struct sim_step){ folder, -1, name, made });
}

void cutfs_own(struct cutfs *fs, const char *path, int user)
{
    fs->inodes[look_up(fs, path)].user = user;
}

void cutfs_folder(struct cutfs *fs, const char *path)
{
    int folder, name;
    split(path, &folder, &name);
    struct sim_step s = { folder, -1, name, make_inode(fs, "", 0, true) };
    apply(&fs->seen, &fs->nseen, &s);
    apply(&fs->stored, &fs->nstored, &s);
}

/* ---- crashes */

/* The folders with changes that are not on the storage, and how many each has. */
static int waiting(const struct cutfs *fs, int *folders, int *counts, int most)
{
    int n = 0;
    for (int i = 0; i < fs->nsteps; i++) {
        int at = 0;
        while (at < n && folders[at] != fs->steps[i].folder)
            at++;
        if (at == n && n < most) {
            folders[n] = fs->steps[i].folder;
            counts[n++] = 0;
        }
        counts[at]++;
    }
    return n;
}

enum { MOST_FOLDERS = 64 };

int64_t cutfs_cuts(const struct cutfs *fs, int64_t most)
{
    int folders[MOST_FOLDERS], counts[MOST_FOLDERS], n = waiting(fs, folders, counts, MOST_FOLDERS);
    int64_t product = 1;
    for (int i = 0; i < n && product < most; i++)
        product *= counts[i] + 1;
    return product < most ? product : most;
}

void cutfs_cut(struct cutfs *fs, int64_t number, int64_t all)
{
    int folders[MOST_FOLDERS], counts[MOST_FOLDERS], n = waiting(fs, folders, counts, MOST_FOLDERS);
    bool is_counted = cutfs_cuts(fs, INT64_MAX / 128) <= all;
    for (int i = 0; i < n; i++) { /* counts: how many of its changes stay */
        uint64_t x = is_counted ? (uint64_t)number : sim_mix((uint64_t)number * 64 + (uint64_t)i);
        number = is_counted ? number / (counts[i] + 1) : number;
        counts[i] = (int)(x % (uint64_t)(counts[i] + 1));
    }
    for (int i = 0; i < fs->nsteps; i++) {
        int at = 0;
        while (folders[at] != fs->steps[i].folder)
            at++;
        if (counts[at]-- > 0)
            apply(&fs->stored, &fs->nstored, &fs->steps[i]);
    }
    for (int i = 0; i < fs->ninodes; i++)
        if (fs->inodes[i].loses) {
            fs->inodes[i].n /= 2;
            fs->inodes[i].hash = hash_of(fs->inodes[i].bytes, fs->inodes[i].n);
        }
    fs->nsteps = fs->nseen = 0;
    for (int i = 0; i < fs->nstored; i++) {
        const struct sim_name *s = &fs->stored[i];
        int folder, name;
        split(sim_text_of(s->folder), &folder, &name); /* a folder that is not there has no names */
        if (strcmp(sim_text_of(s->folder), "/") != 0 && find(fs->stored, fs->nstored, folder, name) < 0)
            continue;
        fs->seen = grow(fs->seen, fs->nseen, sizeof *fs->seen);
        fs->seen[fs->nseen++] = *s;
    }
    free(fs->stored);
    fs->stored = copy_of(fs->seen, fs->nseen, sizeof *fs->seen);
    fs->nstored = fs->nseen;
}

static uint64_t hash_name(const struct cutfs *fs, const struct sim_name *s)
{
    const struct sim_inode *inode = &fs->inodes[s->inode];
    uint64_t x = sim_mix((uint64_t)s->folder << 20 ^ (uint64_t)s->name) ^ (uint64_t)inode->number * 31;
    return sim_mix(x ^ inode->hash);
}

uint64_t cutfs_hash(const struct cutfs *fs)
{
    uint64_t sum = (uint64_t)fs->has_links;
    for (int i = 0; i < fs->nseen; i++)
        sum += hash_name(fs, &fs->seen[i]);
    for (int i = 0; i < fs->nsteps; i++) {
        const struct sim_step *s = &fs->steps[i];
        uint64_t x = (uint64_t)s->folder << 40 ^ (uint64_t)(s->gone + 1) << 20 ^ (uint64_t)(s->come + 1);
        sum += sim_mix(x + (uint64_t)i * 0x9e3779b97f4a7c15u);
    }
    return sim_mix(sum);
}

/* ---- the functions */

static int not_there(const char *path)
{
    return PCDF_FAIL(NC_ENOENT, "%s is not there", path);
}

static int sim_list(void *context, const char *folder, pcdf_setvisit *visit, void *what)
{
    struct cutfs *fs = context;
    int number = sim_text(folder, strlen(folder)), n = fs->nseen, err = NC_NOERR;
    if (look_up(fs, folder) < 0)
        return not_there(folder);
    struct sim_name *names = copy_of(fs->seen, n, sizeof *names); /* visit may change the folder */
    if (fs->paused)
        fs->paused(fs);
    for (int i = 0; i < n && !err; i++)
        if (names[i].folder == number)
            err = visit(what, sim_text_of(names[i].name));
    free(names);
    return err;
}

static int sim_look(void *context, const char *path, struct pcdf_setfacts *facts);

static int sim_read(void *context, const char *path, size_t most, char **bytes, size_t *n,
                    struct pcdf_setfacts *facts)
{
    const struct sim_inode *inode = cutfs_find(context, path);
    if (!inode || inode->is_folder)
        return not_there(path);
    if (inode->n > most)
        return PCDF_FAIL(NC_EFILE, "%s has more than %zu bytes", path, most);
    char *copy = pcdf_malloc(inode->n + 1);
    if (!copy)
        return PCDF_FAIL(NC_ENOMEM, "no memory to read %s", path);
    memcpy(copy, inode->bytes, inode->n + 1);
    *bytes = copy;
    *n = inode->n;
    return facts ? sim_look(context, path, facts) : NC_NOERR;
}

static bool has_folder(const struct cutfs *fs, int folder)
{
    return look_up(fs, sim_text_of(folder)) >= 0;
}

static int sim_write(void *context, const char *path, const void *bytes, size_t n, const char *like)
{
    (void)like;
    struct cutfs *fs = context;
    int folder, name;
    split(path, &folder, &name);
    if (!has_folder(fs, folder))
        return not_there(path);
    if (look_up(fs, path) >= 0)
        return PCDF_FAIL(NC_EEXIST, "%s exists", path);
    if (fs->mutant == SIM_RESTORE_HAS_NO_NOTE && strstr(path, ".parcdf-restored"))
        return NC_NOERR;
    int torn = make_inode(fs, bytes, n / 2, false); /* what a crash may leave meanwhile */
    step(fs, (struct sim_step){ folder, -1, name, torn });
    int whole = make_inode(fs, bytes, n, false);
    fs->inodes[torn].bytes = fs->inodes[whole].bytes;
    fs->inodes[torn].hash = fs->inodes[whole].hash;
    fs->inodes[torn].n = n;
    fs->inodes[torn].loses = fs->mutant == SIM_WRITE_IS_NOT_SYNCED;
    if (fs->changed)
        fs->changed(fs);
    return NC_NOERR;
}

/* Nothing tells any more that the names of a committed generation are to be given. */
static void drop_parts(struct cutfs *fs)
{
    for (int i = fs->nseen; i-- > 0;) {
        const struct sim_name n = fs->seen[i];
        if (strstr(sim_text_of(n.name), ".parcdf-parts"))
            step(fs, (struct sim_step){ n.folder, n.name, -1, -1 });
    }
}

static int move(struct cutfs *fs, const char *from, const char *to, bool is_new)
{
    int folder, name, other, gone, inode = look_up(fs, from);
    split(from, &other, &gone);
    split(to, &folder, &name);
    if (inode < 0)
        return not_there(from);
    if (is_new && look_up(fs, to) >= 0)
        return PCDF_FAIL(NC_EEXIST, "%s exists", to);
    if (folder != other)
        return PCDF_FAIL(NC_EACCESS, "%s and %s are in different folders", from, to);
    if (look_up(fs, to) == inode) /* POSIX: two links of one file: nothing happens */
        return NC_NOERR;
    if (fs->mutant == SIM_RENAME_IS_TWO_STEPS) {
        step(fs, (struct sim_step){ folder, gone, -1, -1 });
        gone = -1;
    }
    step(fs, (struct sim_step){ folder, gone, name, inode });
    return NC_NOERR;
}

static int sim_rename_over(void *context, const char *from, const char *to)
{
    return move(context, from, to, false);
}

static int sim_rename_new(void *context, const char *from, const char *to)
{
    struct cutfs *fs = context;
    int err = move(fs, from, to, true);
    if (!err && fs->mutant == SIM_PARTS_GO_FIRST && strstr(to, ".parcdf-set"))
        drop_parts(fs);
    return err;
}

static int sim_link(void *context, const char *from, const char *to)
{
    struct cutfs *fs = context;
    int folder, name, inode = look_up(fs, from);
    split(to, &folder, &name);
    if (!fs->has_links)
        return PCDF_FAIL(NC_ENOTSUPPORT, "no hard links here");
    if (inode < 0)
        return not_there(from);
    if (look_up(fs, to) >= 0)
        return PCDF_FAIL(NC_EEXIST, "%s exists", to);
    step(fs, (struct sim_step){ folder, -1, name, inode });
    return NC_NOERR;
}

static int sim_unlink(void *context, const char *path)
{
    struct cutfs *fs = context;
    int folder, name, inode = look_up(fs, path);
    split(path, &folder, &name);
    if (inode < 0 || fs->inodes[inode].is_folder)
        return not_there(path);
    step(fs, (struct sim_step){ folder, name, -1, -1 });
    return NC_NOERR;
}

static int sim_make_folder(void *context, const char *path)
{
    struct cutfs *fs = context;
    int folder, name;
    split(path, &folder, &name);
    if (!has_folder(fs, folder))
        return not_there(path);
    if (look_up(fs, path) >= 0)
        return PCDF_FAIL(NC_EEXIST, "%s exists", path);
    step(fs, (struct sim_step){ folder, -1, name, make_inode(fs, "", 0, true) });
    return NC_NOERR;
}

static int sim_remove_folder(void *context, const char *path)
{
    struct cutfs *fs = context;
    int folder, name, inside = sim_text(path, strlen(path));
    split(path, &folder, &name);
    if (look_up(fs, path) < 0)
        return not_there(path);
    for (int i = 0; i < fs->nseen; i++)
        if (fs->seen[i].folder == inside)
            return PCDF_FAIL(NC_EEXIST, "%s is not empty", path);
    step(fs, (struct sim_step){ folder, name, -1, -1 });
    return NC_NOERR;
}

static int sim_sync_folder(void *context, const char *path)
{
    struct cutfs *fs = context;
    int folder = sim_text(path, strlen(path)), left = 0;
    bool is_set = strcmp(path, "/sim") == 0, is_parts = strstr(path, ".parcdf-parts") != NULL;
    if (look_up(fs, path) < 0)
        return not_there(path);
    if (fs->mutant == SIM_FOLDERS_ARE_NOT_SYNCED || (fs->mutant == SIM_PARTS_ARE_NOT_SYNCED && is_parts) ||
        (fs->mutant == SIM_SET_IS_NOT_SYNCED && is_set))
        return NC_NOERR;
    for (int i = 0; i < fs->nsteps; i++)
        if (fs->steps[i].folder == folder)
            apply(&fs->stored, &fs->nstored, &fs->steps[i]);
        else
            fs->steps[left++] = fs->steps[i];
    fs->nsteps = left;
    if (fs->changed)
        fs->changed(fs);
    return NC_NOERR;
}

static int sim_look(void *context, const char *path, struct pcdf_setfacts *facts)
{
    const struct cutfs *fs = context;
    int inode = look_up(fs, path);
    if (inode < 0)
        return not_there(path);
    *facts = (struct pcdf_setfacts){ .size = (int64_t)fs->inodes[inode].n,
                                     .inode = fs->inodes[inode].number,
                                     .device = 1,
                                     .user = fs->inodes[inode].user,
                                     .is_own = fs->inodes[inode].user == 0,
                                     .is_file = !fs->inodes[inode].is_folder };
    for (int i = 0; i < fs->nseen; i++)
        facts->links += fs->seen[i].inode == inode;
    return NC_NOERR;
}

enum pcdf_owner_state (*cutfs_owner)(const struct pcdf_owner *owner);

static enum pcdf_owner_state sim_owner(void *context, const struct pcdf_owner *owner)
{
    (void)context;
    return cutfs_owner(owner);
}

static int64_t sim_now(void *context)
{
    const struct cutfs *fs = context;
    return fs->now;
}

const struct pcdf_setfolder_ops cutfs_ops = {
    .list = sim_list,
    .read = sim_read,
    .write = sim_write,
    .rename_over = sim_rename_over,
    .rename_new = sim_rename_new,
    .link = sim_link,
    .unlink = sim_unlink,
    .make_folder = sim_make_folder,
    .remove_folder = sim_remove_folder,
    .sync_folder = sim_sync_folder,
    .owner = sim_owner,
    .look = sim_look,
    .now = sim_now,
};
