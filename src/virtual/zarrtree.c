/* See zarrtree.h. */

#include "zarrtree.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "names.h"
#include "status.h"

enum { MOST_BYTES = 256 << 20, MOST_NODES = 1000000, MOST_PATH = 4096, DOCUMENTS = 6 };

static const struct pcdf_json_rules rules = {
    .depth = PCDF_ZARR_DEPTH, .values = 8000000, .words = true, .nuls = true, .lean = true
};

void pcdf_zarr_tree_init(struct pcdf_zarr_tree *tree, const char *name, bool is_v3)
{
    *tree = (struct pcdf_zarr_tree){ .name = name, .is_v3 = is_v3 };
}

void pcdf_zarr_tree_free(struct pcdf_zarr_tree *tree)
{
    pcdf_free(tree->nodes.x);
    pcdf_free(tree->order);
    pcdf_names_free(tree->index);
    pcdf_arena_free(&tree->arena);
    *tree = (struct pcdf_zarr_tree){ 0 };
}

static int no_memory(const struct pcdf_zarr_tree *tree)
{
    return PCDF_FAIL(NC_ENOMEM, "%s: no memory for its metadata", tree->name);
}

const struct pcdf_json_value *pcdf_zarr_any(const struct pcdf_json_value *object, const char *name,
                                            const char *other)
{
    const struct pcdf_json_value *found = pcdf_json_member(object, name);
    return found ? found : pcdf_json_member(object, other);
}

/* ---- nodes */

static int find_or_add(struct pcdf_zarr_tree *tree, const char *path, size_t n, struct pcdf_zarr_node **node)
{
    char *copy = pcdf_arena_text(&tree->arena, path, n);
    int id = (int)tree->nodes.n, there;
    if (!copy)
        return no_memory(tree);
    if (!tree->index)
        PCDF_TRY(pcdf_names_new(&tree->index, 64));
    if (tree->nodes.n >= MOST_NODES)
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: more than %d groups and arrays", tree->name, MOST_NODES);
    PCDF_TRY(PCDF_RESERVE(&tree->nodes, tree->nodes.n + 1));
    tree->nodes.x[id] = (struct pcdf_zarr_node){ .path = copy, .rank = tree->is_ordered ? id : 0 };
    PCDF_TRY(pcdf_names_enter(tree->index, copy, n, id, tree->nodes.x, sizeof *tree->nodes.x, &there));
    if (there < 0)
        tree->nodes.n++;
    *node = &tree->nodes.x[there < 0 ? id : there];
    return NC_NOERR;
}

static const char *const documents[DOCUMENTS] = { ".zarray",   ".zgroup",   ".zattrs",
                                                  ".nczarray", ".nczgroup", ".nczattr" };

static void put_v2(struct pcdf_zarr_node *node, int document, const struct pcdf_json_value *value)
{
    const struct pcdf_json_value **places[DOCUMENTS] = { &node->array,    &node->group,    &node->atts,
                                                         &node->nc_array, &node->nc_group, &node->nc_atts };
    *places[document] = value;
}

static int put_v3(struct pcdf_zarr_tree *tree, const char *path, size_t n,
                  const struct pcdf_json_value *value)
{
    struct pcdf_zarr_node *node;
    const char *type = pcdf_json_string(value, "node_type", "");
    bool is_array = !strcmp(type, "array");
    if (pcdf_json_number(value, "zarr_format", 0) != 3 || (!is_array && strcmp(type, "group") != 0))
        return PCDF_FAIL(NC_ENOTNC, "%s: %.*s/zarr.json is none of a group or an array of version 3",
                         tree->name, (int)(n < 200 ? n : 200), path);
    PCDF_TRY(find_or_add(tree, path, n, &node));
    *(is_array ? &node->array : &node->group) = value;
    node->atts = pcdf_json_member(value, "attributes");
    return NC_NOERR;
}

/* Of a key, the bytes before its last part, and which document that is; -1: none. */
static int document_of(const struct pcdf_zarr_tree *tree, const char *key, size_t *n)
{
    const char *slash = strrchr(key, '/'), *last = slash ? slash + 1 : key;
    *n = slash ? (size_t)(slash - key) : 0;
    if (tree->is_v3)
        return strcmp(last, "zarr.json") == 0 ? 0 : -1;
    for (int i = 0; i < DOCUMENTS; i++)
        if (!strcmp(last, documents[i]))
            return i;
    return -1;
}

static int put_value(struct pcdf_zarr_tree *tree, const char *key, const struct pcdf_json_value *value,
                     bool *is_taken)
{
    struct pcdf_zarr_node *node;
    size_t n, depth = 0;
    int document = document_of(tree, key, &n);
    *is_taken = document >= 0;
    if (document < 0)
        return NC_NOERR;
    for (size_t i = 0; i < n && n < MOST_PATH; i++)
        depth += key[i] == '/';
    if (n >= MOST_PATH || depth >= PCDF_ZARR_DEPTH)
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: %.200s: its path has more than %d bytes or %d parts",
                         tree->name, key, MOST_PATH - 1, PCDF_ZARR_DEPTH);
    if (value->kind != PCDF_JSON_OBJECT)
        return PCDF_FAIL(NC_ENOTNC, "%s: %.200s is no object of JSON", tree->name, key);
    if (tree->is_v3)
        return put_v3(tree, key, n, value);
    PCDF_TRY(find_or_add(tree, key, n, &node));
    put_v2(node, document, value);
    return NC_NOERR;
}

/* The text is copied: values say where in it they stood. */
static int parse(struct pcdf_zarr_tree *tree, const char *key, const char *text, size_t n,
                 const struct pcdf_json_value **value)
{
    const char *fault;
    size_t at;
    tree->bytes += (int64_t)n;
    if (n > MOST_BYTES || tree->bytes > MOST_BYTES)
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: its metadata has more than %d MiB", tree->name,
                         MOST_BYTES >> 20);
    const char *copy = pcdf_arena_text(&tree->arena, text, n);
    if (!copy)
        return no_memory(tree);
    *value = pcdf_json_read(&tree->arena, copy, n, &rules, &fault, &at);
    return *value ? NC_NOERR
                  : PCDF_FAIL(NC_ENOTNC, "%s: %.200s is no JSON: byte %zu: %s", tree->name, key, at, fault);
}

int pcdf_zarr_tree_put(struct pcdf_zarr_tree *tree, const char *key, const char *text, size_t n,
                       bool *is_taken)
{
    const struct pcdf_json_value *value;
    size_t before;
    *is_taken = document_of(tree, key, &before) >= 0;
    if (!*is_taken)
        return NC_NOERR;
    PCDF_TRY(parse(tree, key, text, n, &value));
    return put_value(tree, key, value, is_taken);
}

/* ---- a store */

/* NC_ENOENT: it is not there. */
static int read_document(struct pcdf_zarr_tree *tree, struct pcdf_store *store, const char *key,
                         const struct pcdf_json_value **value)
{
    unsigned char *bytes;
    int64_t n;
    int err = pcdf_store_read_all(store, key, MOST_BYTES, &bytes, &n);
    if (err)
        return err;
    err = parse(tree, key, (const char *)bytes, (size_t)n, value);
    pcdf_free(bytes);
    return err;
}

/* Several documents of one node at once; *found: how many are there. */
static int read_node(struct pcdf_zarr_tree *tree, struct pcdf_store *store, const char *path, int *found)
{
    int n = tree->is_v3 ? 1 : DOCUMENTS, err = NC_NOERR;
    char keys[DOCUMENTS][MOST_PATH + 16];
    struct pcdf_fetch fetches[DOCUMENTS];
    *found = 0;
    for (int i = 0; i < n; i++) {
        snprintf(keys[i], sizeof keys[i], "%s%s%s", path, *path ? "/" : "",
                 tree->is_v3 ? "zarr.json" : documents[i]);
        fetches[i] = (struct pcdf_fetch){ .store = store, .key = keys[i], .length = -1, .most = MOST_BYTES };
    }
    pcdf_fetch_start(fetches, (size_t)n);
    (void)pcdf_fetch_finish(fetches, (size_t)n);
    for (int i = 0; i < n; i++) {
        bool is_taken;
        if (!err && !fetches[i].err) {
            err = pcdf_zarr_tree_put(tree, keys[i], (const char *)fetches[i].to, (size_t)fetches[i].got,
                                     &is_taken);
            ++*found;
        } else if (!err && fetches[i].err != NC_ENOENT)
            err = fetches[i].err;
        if (!fetches[i].err)
            pcdf_free(fetches[i].to);
    }
    return err;
}

struct walk { /* through the groups of a store */
    struct pcdf_zarr_tree *tree;
    struct pcdf_store *store;
    PCDF_ARRAY(char *) paths; /* still to be read: in the arena */
};

static int remember(struct walk *w, const char *path, size_t n)
{
    PCDF_TRY(PCDF_RESERVE(&w->paths, w->paths.n + 1));
    char *copy = pcdf_arena_text(&w->tree->arena, path, n);
    if (!copy)
        return no_memory(w->tree);
    w->paths.x[w->paths.n++] = copy;
    return NC_NOERR;
}

static int visit_key(void *context, const char *key)
{
    struct walk *w = context;
    size_t n = strlen(key), depth = 0;
    for (size_t i = 0; i + 1 < n; i++)
        depth += key[i] == '/';
    if (n < 2 || key[n - 1] != '/')
        return NC_NOERR;
    if (depth >= PCDF_ZARR_DEPTH || n >= MOST_PATH || w->paths.n >= MOST_NODES)
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: %.200s: too deep, too long or too many groups", w->tree->name,
                         key);
    return remember(w, key, n - 1);
}

/* NCZarr names what a group holds: where there is no listing. */
static int visit_named(struct walk *w, const char *path, const struct pcdf_json_value *nc)
{
    static const char *const lists[] = { "vars", "arrays", "groups" };
    char key[MOST_PATH + 2];
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const struct pcdf_json_value *list = pcdf_json_member(nc, lists[i]);
        for (const struct pcdf_json_value *v = list ? list->first : NULL; v; v = v->next) {
            const char *name = v->kind == PCDF_JSON_TEXT ? v->text : pcdf_json_string(v, "name", "");
            int n = snprintf(key, sizeof key, "%s%s%s/", path, *path ? "/" : "", name);
            if (*name && !strchr(name, '/') && n < (int)sizeof key)
                PCDF_TRY(visit_key(w, key));
        }
    }
    return NC_NOERR;
}

static const struct pcdf_json_value *nc_group_of(const struct pcdf_zarr_node *node)
{
    const struct pcdf_json_value *found =
        node->nc_group ? node->nc_group : pcdf_zarr_any(node->group, "_nczarr_group", "_NCZARR_GROUP");
    return found ? found : pcdf_json_member(node->atts, "_nczarr_group");
}

static int visit_node(struct walk *w, const char *path)
{
    struct pcdf_zarr_node *node;
    char prefix[MOST_PATH + 2];
    int found;
    PCDF_TRY(read_node(w->tree, w->store, path, &found));
    if (found == 0)
        return NC_NOERR;
    PCDF_TRY(find_or_add(w->tree, path, strlen(path), &node));
    if (node->array || !node->group) /* an array holds no other */
        return NC_NOERR;
    snprintf(prefix, sizeof prefix, "%s%s", path, *path ? "/" : "");
    const struct pcdf_json_value *nc = nc_group_of(node);
    int err = pcdf_store_list(w->store, prefix, visit_key, w);
    return err == NC_ENOTSUPPORT && nc ? visit_named(w, path, nc) : err;
}

static int walk_store(struct pcdf_zarr_tree *tree, struct pcdf_store *store)
{
    struct walk w = { .tree = tree, .store = store };
    int err = visit_node(&w, "");
    while (!err && w.paths.n > 0)
        err = visit_node(&w, w.paths.x[--w.paths.n]);
    pcdf_free(w.paths.x);
    return err;
}

static int put_consolidated(struct pcdf_zarr_tree *tree, const struct pcdf_json_value *all)
{
    char key[MOST_PATH + 16];
    tree->is_ordered = true;
    if (!all || all->kind != PCDF_JSON_OBJECT)
        return PCDF_FAIL(NC_ENOTNC, "%s: its consolidated metadata has no \"metadata\"", tree->name);
    for (const struct pcdf_json_value *v = all->first; v; v = v->next) {
        bool is_taken;
        int n = snprintf(key, sizeof key, tree->is_v3 ? "%s/zarr.json" : "%s", v->key);
        if (n >= (int)sizeof key)
            return PCDF_FAIL(NC_ENOTNC, "%s: %.200s: the name is too long", tree->name, v->key);
        PCDF_TRY(put_value(tree, key, v, &is_taken));
    }
    return NC_NOERR;
}

int pcdf_zarr_tree_read(struct pcdf_zarr_tree *tree, struct pcdf_store *store)
{
    const struct pcdf_json_value *value;
    int err = read_document(tree, store, tree->is_v3 ? "zarr.json" : ".zmetadata", &value);
    if (err && err != NC_ENOENT)
        return err;
    const struct pcdf_json_value *inside = NULL;
    if (!err && !tree->is_v3 && pcdf_json_member(value, "record_size")) /* its chunks lie elsewhere */
        return PCDF_FAIL(
            NC_ENOTSUPPORT,
            "%s holds kerchunk references in Parquet, which parcdf does not read; it reads those "
            "in JSON",
            tree->name);
    if (!err && !tree->is_v3)
        return put_consolidated(tree, pcdf_json_member(value, "metadata"));
    if (!err)
        inside = pcdf_json_member(value, "consolidated_metadata");
    if (inside && inside->kind == PCDF_JSON_OBJECT) {
        bool is_taken;
        PCDF_TRY(put_value(tree, "zarr.json", value, &is_taken));
        return put_consolidated(tree, pcdf_json_member(inside, "metadata"));
    }
    PCDF_TRY(walk_store(tree, store));
    return tree->nodes.n > 0 ? NC_NOERR : PCDF_FAIL(NC_ENOTNC, "%s holds no Zarr", tree->name);
}

/* ---- all of it */

static size_t group_of(const char *path, size_t n)
{
    while (n > 0 && path[n - 1] != '/')
        n--;
    return n;
}

static int compare_bytes(const char *a, size_t na, const char *b, size_t nb)
{
    int order = memcmp(a, b, na < nb ? na : nb);
    return order ? order : na < nb ? -1 : na > nb;
}

/* Groups first, then what they hold. */
static int compare_paths(const char *a, size_t na, const char *b, size_t nb)
{
    size_t ga = group_of(a, na), gb = group_of(b, nb);
    int order = compare_bytes(a, ga, b, gb);
    return order ? order : compare_bytes(a + ga, na - ga, b + gb, nb - gb);
}

static int compare_nodes(const void *a, const void *b)
{
    const struct pcdf_zarr_node *x = a, *y = b;
    return compare_paths(x->path, strlen(x->path), y->path, strlen(y->path));
}

static int compare_ranks(const void *a, const void *b)
{
    const struct pcdf_zarr_node *x = *(const struct pcdf_zarr_node *const *)a,
                                *y = *(const struct pcdf_zarr_node *const *)b;
    int order = compare_bytes(x->path, group_of(x->path, strlen(x->path)), y->path,
                              group_of(y->path, strlen(y->path)));
    if (order == 0)
        order = x->rank < y->rank ? -1 : x->rank > y->rank;
    return order ? order : compare_nodes(x, y);
}

/* NCZarr lists the arrays of a group in the order of their definition. */
static void rank_by_list(struct pcdf_zarr_tree *tree, const struct pcdf_zarr_node *group)
{
    const struct pcdf_json_value *list = pcdf_zarr_any(group->nc_group, "vars", "arrays");
    char path[MOST_PATH];
    int64_t rank = 0;
    for (const struct pcdf_json_value *v = list ? list->first : NULL; v; v = v->next) {
        const char *name = v->kind == PCDF_JSON_TEXT ? v->text : pcdf_json_string(v, "name", "");
        int n = snprintf(path, sizeof path, "%s%s%s", group->path, *group->path ? "/" : "", name);
        const struct pcdf_zarr_node *node =
            n < (int)sizeof path ? pcdf_zarr_tree_find(tree, path, (size_t)n) : NULL;
        if (node && node != group)
            tree->nodes.x[node - tree->nodes.x].rank = ++rank;
    }
}

static int make_order(struct pcdf_zarr_tree *tree)
{
    tree->order = pcdf_calloc(tree->nodes.n + 1, sizeof *tree->order);
    if (!tree->order)
        return no_memory(tree);
    for (size_t i = 0; i < tree->nodes.n; i++)
        rank_by_list(tree, &tree->nodes.x[i]);
    for (size_t i = 0; i < tree->nodes.n; i++)
        tree->order[i] = &tree->nodes.x[i];
    if (tree->nodes.n > 0)
        qsort(tree->order, tree->nodes.n, sizeof *tree->order, compare_ranks);
    return NC_NOERR;
}

int pcdf_zarr_tree_finish(struct pcdf_zarr_tree *tree)
{
    if (tree->nodes.n > 0)
        qsort(tree->nodes.x, tree->nodes.n, sizeof *tree->nodes.x, compare_nodes);
    for (size_t i = 0; i < tree->nodes.n; i++) {
        struct pcdf_zarr_node *node = &tree->nodes.x[i];
        node->nc_group = nc_group_of(node);
        if (!node->nc_array)
            node->nc_array = pcdf_zarr_any(node->array, "_nczarr_array", "_NCZARR_ARRAY");
        if (!node->nc_array && node->array)
            node->nc_array = pcdf_json_member(node->atts, "_nczarr_array");
        if (!node->nc_atts)
            node->nc_atts = pcdf_zarr_any(node->atts, "_nczarr_attr", "_NCZARR_ATTR");
        if (!node->nc_atts)
            node->nc_atts = pcdf_json_member(node->atts, "_nczarr_attrs");
        tree->is_nczarr = tree->is_nczarr || node->nc_group != NULL;
    }
    return make_order(tree);
}

const struct pcdf_zarr_node *pcdf_zarr_tree_find(const struct pcdf_zarr_tree *tree, const char *path,
                                                 size_t n)
{
    size_t low = 0, high = tree->nodes.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *other = tree->nodes.x[middle].path;
        int order = compare_paths(path, n, other, strlen(other));
        if (order == 0)
            return &tree->nodes.x[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
