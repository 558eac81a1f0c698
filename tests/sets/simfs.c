/* See simfs.h. */
#include "simfs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "hash.h"
#include "status.h"

/* ---- memory that goes at once */

static struct block {
    struct block *next;
    size_t used;
    char bytes[1 << 20];
} * blocks;

const char *simfs_keep(const char *text, size_t n)
{
    if (!blocks || blocks->used + n + 1 > sizeof blocks->bytes) {
        struct block *b = malloc(sizeof *b);
        b->next = blocks;
        b->used = 0;
        blocks = b;
    }
    char *at = blocks->bytes + blocks->used;
    memcpy(at, text, n);
    at[n] = '\0';
    blocks->used += n + 1;
    return at;
}

void simfs_forget(void)
{
    while (blocks) {
        struct block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

uint64_t simfs_random(uint64_t *seed, uint64_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = (*seed ^ *seed >> 29) * 0x9e3779b97f4a7c15u;
    return (x >> 33) % below;
}

/* ---- names */

static void add(struct simnames *l, struct simentry e)
{
    if (l->n == l->room)
        l->x = realloc(l->x, (size_t)(l->room = l->room * 2 + 8) * sizeof *l->x);
    l->x[l->n++] = e;
}

static int find(const struct simnames *l, const char *name)
{
    for (int i = 0; i < l->n; i++)
        if (strcmp(l->x[i].name, name) == 0)
            return i;
    return -1;
}

static void drop(struct simnames *l, const char *name)
{
    int i = find(l, name);
    if (i >= 0)
        l->x[i] = l->x[--l->n];
}

static void apply(struct simnames *l, const struct simentry *e)
{
    if (e->from)
        drop(l, e->from);
    drop(l, e->name);
    if (e->node >= 0)
        add(l, (struct simentry){ e->name, e->node, NULL });
}

static void change(struct simfolder *f, const char *name, int node, const char *from)
{
    struct simentry e = { simfs_keep(name, strlen(name)), node,
                          from ? simfs_keep(from, strlen(from)) : NULL };
    apply(&f->now, &e);
    add(&f->log, e);
}

static void copy_names(struct simnames *to, const struct simnames *from)
{
    *to = (struct simnames){ .n = from->n, .room = from->n };
    to->x = malloc((size_t)from->n * sizeof *to->x + 1);
    if (from->n)
        memcpy(to->x, from->x, (size_t)from->n * sizeof *to->x);
}

/* The folder of a path and its last part; -1: there is no such folder. */
static int folder_of(const struct simfs *fs, const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    size_t n = (size_t)(slash - path);
    *name = slash + 1;
    for (int i = 0; i < fs->nfolders; i++)
        if (fs->folders[i].path && strlen(fs->folders[i].path) == n &&
            strncmp(path, fs->folders[i].path, n) == 0)
            return i;
    char parent[512];
    const char *last;
    if (n == 0 || n >= sizeof parent)
        return -1;
    memcpy(parent, path, n);
    parent[n] = '\0';
    int above = folder_of(fs, parent, &last);
    int at = above < 0 ? -1 : find(&fs->folders[above].now, last);
    return at < 0 ? -1 : fs->nodes[fs->folders[above].now.x[at].node].folder;
}

int simfs_node(const struct simfs *fs, const char *path)
{
    const char *name;
    int folder = folder_of(fs, path, &name), at = folder < 0 ? -1 : find(&fs->folders[folder].now, name);
    return at < 0 ? -1 : fs->folders[folder].now.x[at].node;
}

static int new_node(struct simfs *fs, struct simnode node)
{
    if (fs->nnodes == fs->node_room)
        fs->nodes = realloc(fs->nodes, (size_t)(fs->node_room = fs->node_room * 2 + 16) * sizeof *fs->nodes);
    node.changed = fs->nnodes;
    fs->nodes[fs->nnodes] = node;
    return fs->nnodes++;
}

static int new_folder(struct simfs *fs, const char *path)
{
    if (fs->nfolders == fs->folder_room)
        fs->folders =
            realloc(fs->folders, (size_t)(fs->folder_room = fs->folder_room * 2 + 8) * sizeof *fs->folders);
    fs->folders[fs->nfolders] = (struct simfolder){ .path = path };
    return fs->nfolders++;
}

static int stepped(struct simfs *fs)
{
    if (fs->step)
        fs->step(fs, fs->context);
    return NC_NOERR;
}

/* ---- the operations */

static int op_list(void *context, const char *folder, pcdf_setvisit *visit, void *visit_context)
{
    struct simfs *fs = context;
    char path[512];
    const char *name;
    snprintf(path, sizeof path, "%s/", folder);
    int f = folder_of(fs, path, &name), err = f < 0 ? NC_ENOENT : NC_NOERR;
    struct simnames names = { 0 };
    if (!err)
        copy_names(&names, &fs->folders[f].now);
    if (!err && fs->pause)
        fs->pause(fs);
    for (int i = 0; !err && i < names.n; i++)
        err = visit(visit_context, names.x[i].name);
    free(names.x);
    return err;
}

static int op_look(void *context, const char *path, struct pcdf_setfacts *facts);

static int op_read(void *context, const char *path, size_t most, char **bytes, size_t *n,
                   struct pcdf_setfacts *facts)
{
    struct simfs *fs = context;
    int node = simfs_node(fs, path);
    if (node < 0)
        return NC_ENOENT;
    if (fs->nodes[node].folder >= 0 || fs->nodes[node].n > most)
        return NC_EFILE;
    *bytes = pcdf_strndup(fs->nodes[node].bytes, fs->nodes[node].n);
    *n = fs->nodes[node].n;
    if (facts)
        (void)op_look(context, path, facts);
    return *bytes ? NC_NOERR : NC_ENOMEM;
}

int simfs_put(struct simfs *fs, const char *path, const char *bytes, size_t n)
{
    const char *name;
    int f = folder_of(fs, path, &name);
    if (f < 0)
        return NC_ENOENT;
    if (find(&fs->folders[f].now, name) >= 0)
        return NC_EEXIST;
    change(&fs->folders[f], name,
           new_node(fs, (struct simnode){ .bytes = simfs_keep(bytes, n), .n = n, .folder = -1, .links = 1 }),
           NULL);
    return stepped(fs);
}

void simfs_sync(struct simfs *fs, const char *path)
{
    int node = simfs_node(fs, path);
    if (node >= 0)
        fs->nodes[node].is_synced = true;
    stepped(fs);
}

static int op_write(void *context, const char *path, const void *bytes, size_t n, const char *like)
{
    (void)like;
    struct simfs *fs = context;
    int err = simfs_put(fs, path, bytes, n);
    if (!err && fs->mutant != 1)
        simfs_sync(fs, path);
    return err;
}

static int move(struct simfs *fs, const char *from, const char *to, bool over)
{
    const char *a, *b;
    int f = folder_of(fs, from, &a), g = folder_of(fs, to, &b),
        at = f < 0 ? -1 : find(&fs->folders[f].now, a);
    if (at < 0 || g < 0)
        return NC_ENOENT;
    int node = fs->folders[f].now.x[at].node, old = find(&fs->folders[g].now, b);
    if (old >= 0 && !over)
        return NC_EEXIST;
    if (old >= 0 && fs->folders[g].now.x[old].node == node)
        return NC_NOERR; /* POSIX: both names stay */
    if (f == g) {
        change(&fs->folders[f], b, node, a);
    } else {
        change(&fs->folders[g], b, node, NULL);
        change(&fs->folders[f], a, -1, NULL);
    }
    return stepped(fs);
}

static int op_rename_over(void *fs, const char *from, const char *to)
{
    return move(fs, from, to, true);
}

/* Mutant 5: nothing tells any more that the names of a committed generation are to be given. */
static void drop_parts(struct simfs *fs)
{
    for (int i = 0; i < fs->nfolders; i++)
        for (int k = fs->folders[i].now.n; k-- > 0;)
            if (strstr(fs->folders[i].now.x[k].name, ".parcdf-parts"))
                change(&fs->folders[i], fs->folders[i].now.x[k].name, -1, NULL);
}

static int op_rename_new(void *context, const char *from, const char *to)
{
    struct simfs *fs = context;
    int err = move(fs, from, to, false);
    if (!err && fs->mutant == 5 && strstr(to, ".parcdf-set"))
        drop_parts(fs);
    return err;
}

static int op_link(void *context, const char *from, const char *to)
{
    struct simfs *fs = context;
    const char *name;
    int node = simfs_node(fs, from), g = folder_of(fs, to, &name);
    if (!fs->has_links)
        return NC_ENOTSUPPORT;
    if (node < 0 || g < 0)
        return NC_ENOENT;
    if (find(&fs->folders[g].now, name) >= 0)
        return NC_EEXIST;
    change(&fs->folders[g], name, node, NULL);
    return stepped(fs);
}

static int op_unlink(void *context, const char *path)
{
    struct simfs *fs = context;
    const char *name;
    int f = folder_of(fs, path, &name);
    if (f < 0 || find(&fs->folders[f].now, name) < 0)
        return NC_ENOENT;
    change(&fs->folders[f], name, -1, NULL);
    return stepped(fs);
}

static int op_make_folder(void *context, const char *path)
{
    struct simfs *fs = context;
    const char *name;
    int f = folder_of(fs, path, &name);
    if (f < 0)
        return NC_ENOENT;
    if (find(&fs->folders[f].now, name) >= 0)
        return NC_EEXIST;
    int made = new_folder(fs, NULL);
    change(&fs->folders[f], name, new_node(fs, (struct simnode){ .folder = made, .is_synced = true }), NULL);
    return stepped(fs);
}

static int op_remove_folder(void *context, const char *path)
{
    struct simfs *fs = context;
    int node = simfs_node(fs, path);
    if (node < 0)
        return NC_ENOENT;
    return fs->folders[fs->nodes[node].folder].now.n ? NC_EEXIST : op_unlink(fs, path);
}

static int op_sync_folder(void *context, const char *folder)
{
    struct simfs *fs = context;
    const char *name;
    char path[512];
    snprintf(path, sizeof path, "%s/", folder);
    int f = folder_of(fs, path, &name);
    bool is_parts = strstr(folder, ".parcdf-parts") != NULL;
    if (f < 0)
        return NC_ENOENT;
    if ((fs->mutant == 2 && !is_parts) || (fs->mutant == 3 && is_parts))
        return NC_NOERR;
    free(fs->folders[f].stored.x);
    copy_names(&fs->folders[f].stored, &fs->folders[f].now);
    fs->folders[f].log.n = 0;
    return stepped(fs);
}

static enum pcdf_owner_state op_owner(void *context, const struct pcdf_owner *owner)
{
    struct simfs *fs = context;
    (void)owner;
    return fs->owners_ended ? PCDF_OWNER_ENDED : PCDF_OWNER_SELF;
}

static int op_look(void *context, const char *path, struct pcdf_setfacts *facts)
{
    struct simfs *fs = context;
    *facts = (struct pcdf_setfacts){ .device = 1, .is_own = true };
    for (int i = 0; i < fs->nfolders; i++)
        if (fs->folders[i].path && strcmp(fs->folders[i].path, path) == 0)
            return NC_NOERR;
    int node = simfs_node(fs, path);
    if (node < 0)
        return NC_ENOENT;
    const struct simnode *n = &fs->nodes[node];
    *facts = (struct pcdf_setfacts){ .size = (int64_t)n->n,
                                     .inode = node + 1,
                                     .device = 1,
                                     .is_own = true,
                                     .links = 1,
                                     .changed = n->changed,
                                     .is_file = n->folder < 0 };
    return NC_NOERR;
}

static int64_t op_now(void *context)
{
    (void)context;
    return 1000000000000000000;
}

static const struct pcdf_setfolder_ops sim_ops = {
    op_list,        op_read,          op_write,       op_rename_over, op_rename_new, op_link, op_unlink,
    op_make_folder, op_remove_folder, op_sync_folder, op_owner,       op_look,       op_now
};

/* ---- life and death */

void simfs_begin(struct simfs *fs, bool has_links)
{
    *fs = (struct simfs){ .has_links = has_links };
    fs->setfs = (struct pcdf_setfs){ &sim_ops, fs };
}

void simfs_root(struct simfs *fs, const char *path)
{
    new_folder(fs, path);
}

void simfs_free(struct simfs *fs)
{
    for (int i = 0; i < fs->nfolders; i++) {
        free(fs->folders[i].now.x);
        free(fs->folders[i].stored.x);
        free(fs->folders[i].log.x);
    }
    free(fs->folders);
    free(fs->nodes);
}

void simfs_crash(const struct simfs *fs, struct simfs *after, uint64_t *seed)
{
    simfs_begin(after, fs->has_links);
    after->mutant = fs->mutant;
    after->owners_ended = true;
    after->nodes = malloc((size_t)fs->nnodes * sizeof *fs->nodes + 1);
    if (fs->nnodes)
        memcpy(after->nodes, fs->nodes, (size_t)fs->nnodes * sizeof *fs->nodes);
    after->nnodes = after->node_room = fs->nnodes;
    unsigned mode = (unsigned)simfs_random(seed, 4); /* 0: all, 1: nothing, else by chance */
    for (int i = 0; i < after->nnodes; i++) {
        struct simnode *n = &after->nodes[i];
        if (!n->is_synced && n->folder < 0 && mode) {
            size_t left = simfs_random(seed, 3) ? n->n : (size_t)simfs_random(seed, n->n + 1);
            n->bytes = left < n->n ? simfs_keep(n->bytes, left) : n->bytes;
            n->n = left;
        }
        n->is_synced = true;
    }
    after->folders = calloc((size_t)fs->nfolders + 1, sizeof *fs->folders);
    after->nfolders = after->folder_room = fs->nfolders;
    for (int i = 0; i < fs->nfolders; i++) {
        const struct simfolder *f = &fs->folders[i];
        struct simfolder *g = &after->folders[i];
        g->path = f->path;
        copy_names(&g->now, &f->stored);
        int upto = mode == 0 ? f->log.n : mode == 1 ? 0 : (int)simfs_random(seed, (uint64_t)f->log.n + 1);
        for (int k = 0; k < upto; k++)
            apply(&g->now, &f->log.x[k]);
        copy_names(&g->stored, &g->now);
    }
}

uint64_t simfs_hash(const struct simfs *fs)
{
    uint64_t sum = 0; /* of names in any order */
    for (int i = 0; i < fs->nfolders; i++)
        for (int k = 0; k < fs->folders[i].now.n; k++) {
            const struct simentry *e = &fs->folders[i].now.x[k];
            uint64_t parts[4] = { (uint64_t)i, pcdf_hash_text(e->name), (uint64_t)e->node,
                                  fs->nodes[e->node].folder >= 0
                                      ? 0
                                      : pcdf_hash_bytes(fs->nodes[e->node].bytes, fs->nodes[e->node].n) };
            sum += pcdf_hash_bytes(parts, sizeof parts);
        }
    return sum;
}
