/* Kerchunk references, version 0 and 1: a file of JSON that says, for each key of a Zarr store, its bytes or
 * where in other files they are. It may be hundreds of MiB: members are read one after the other, and twice,
 * since templates may stand behind what uses them.
 *
 * What a key has in the file itself is a range of this file, with the codec JSON_TEXT behind the array's own.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "names.h"
#include "source.h"
#include "status.h"
#include "zarrimage.h"

enum { MOST_FILE = 1 << 30, MOST_TEMPLATES = 1000, MOST_NAME = 4096, MOST_PARTS = 1000, IN_FILE = -1 };

struct ref {
    char *key;
    const struct pcdf_zarr_node *node; /* its array */
    size_t rest;                       /* where in the key the chunk's index begins */
    int64_t number;                    /* of the chunk */
    int store;                         /* IN_FILE: the text lies in the file of references */
    int64_t offset, length;
};

struct target { /* a file that references name */
    char *name; /* as it stands there. names.h */
    int store;
};

struct template
{
    char *name, *text;
};

struct refs {
    const char *name; /* of the file */
    struct pcdf_referrer from;
    const char *bytes;
    struct pcdf_image *image;
    struct pcdf_zarr_tree tree;
    struct pcdf_arena arena;
    bool has_inner; /* version 1 */
    int own;        /* the file itself, as a store of the image; -1: not yet */
    PCDF_ARRAY(struct template) templates;
    PCDF_ARRAY(struct ref) refs;
    PCDF_ARRAY(struct target) targets;
    struct pcdf_names *index, *of_templates;
};

static const struct pcdf_json_rules rules = {
    .depth = 64, .values = 4000000, .words = true, .nuls = true, .lean = true
};

static int no_memory(const struct refs *r)
{
    return PCDF_FAIL(NC_ENOMEM, "%s: no memory for its references", r->name);
}

/* ---- names */

static int take_templates(struct refs *r, const struct pcdf_json_value *value)
{
    for (const struct pcdf_json_value *v = value->first; v; v = v->next) {
        if (v->kind != PCDF_JSON_TEXT || strlen(v->text) != v->length || r->templates.n >= MOST_TEMPLATES)
            return PCDF_FAIL(NC_ENOTSUPPORT, "%s: the template %.40s is no text, or one of more than %d",
                             r->name, v->key ? v->key : "?", MOST_TEMPLATES);
        PCDF_TRY(PCDF_RESERVE(&r->templates, r->templates.n + 1));
        struct template t = { pcdf_arena_text(&r->arena, v->key, strlen(v->key)),
                              pcdf_arena_text(&r->arena, v->text, v->length) };
        if (!t.name || !t.text)
            return no_memory(r);
        int there;
        if (!r->of_templates)
            PCDF_TRY(pcdf_names_new(&r->of_templates, 16));
        r->templates.x[r->templates.n] = t;
        PCDF_TRY(pcdf_names_enter(r->of_templates, t.name, strlen(t.name), (int)r->templates.n,
                                  r->templates.x, sizeof t, &there));
        r->templates.n += there < 0;
    }
    return NC_NOERR;
}

/* The template that stands between the braces, which may have blanks beside it; NULL: there is none. */
static const struct template *template_of(const struct refs *r, const char *from, const char *end)
{
    char name[MOST_NAME];
    from += strspn(from, " ");
    size_t length = strcspn(from, " }");
    if (!r->of_templates || length >= sizeof name || from + length + strspn(from + length, " ") != end)
        return NULL;
    memcpy(name, from, length);
    name[length] = '\0';
    int id = pcdf_names_find(r->of_templates, name, r->templates.x, sizeof *r->templates.x);
    return id < 0 ? NULL : &r->templates.x[id];
}

/* "{{u}}/a.nc" with what u stands for. */
static int expand(const struct refs *r, const char *name, char full[MOST_NAME])
{
    size_t n = 0;
    bool has_more = true; /* braces that close: looked for once where there are none */
    while (*name && n < MOST_NAME) {
        bool opens = strncmp(name, "{{", 2) == 0;
        const char *end = opens && has_more ? strstr(name, "}}") : NULL;
        has_more = end || !opens ? has_more : false;
        if (!end) {
            full[n++] = *name++;
            continue;
        }
        const struct template *t = template_of(r, name + 2, end);
        if (!t)
            return PCDF_FAIL(NC_ENOTSUPPORT, "%s: \"%.200s\" has a template that parcdf does not know",
                             r->name, name);
        n += (size_t)snprintf(full + n, MOST_NAME - n, "%s", t->text);
        name = end + 2;
    }
    if (n >= MOST_NAME)
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: it names a file of more than %d bytes", r->name, MOST_NAME - 1);
    full[n] = '\0';
    return NC_NOERR;
}

static int store_of(struct refs *r, const char *told, int *store)
{
    char full[MOST_NAME], *name;
    struct pcdf_bond bond;
    int id = r->index ? pcdf_names_find(r->index, told, r->targets.x, sizeof *r->targets.x) : -1, there;
    if (id >= 0) {
        *store = r->targets.x[id].store;
        return NC_NOERR;
    }
    PCDF_TRY(expand(r, told, full));
    PCDF_TRY(pcdf_reference_decide(&r->from, full, strlen(full), &name, &bond));
    int err = pcdf_image_store_bound(r->image, name, &bond, NULL, store);
    pcdf_free(name);
    pcdf_bond_free(&bond);
    PCDF_TRY(err);
    if (!r->index)
        PCDF_TRY(pcdf_names_new(&r->index, 64));
    PCDF_TRY(PCDF_RESERVE(&r->targets, r->targets.n + 1));
    struct target t = { pcdf_arena_text(&r->arena, told, strlen(told)), *store };
    if (!t.name)
        return no_memory(r);
    r->targets.x[r->targets.n] = t;
    PCDF_TRY(pcdf_names_enter(r->index, t.name, strlen(told), (int)r->targets.n, r->targets.x,
                              sizeof *r->targets.x, &there));
    r->targets.n += there < 0;
    return NC_NOERR;
}

/* ---- members */

static int add_ref(struct refs *r, const char *key, int store, int64_t offset, int64_t length)
{
    PCDF_TRY(PCDF_RESERVE(&r->refs, r->refs.n + 1));
    struct ref made = { .key = pcdf_arena_text(&r->arena, key, strlen(key)),
                        .store = store,
                        .offset = offset,
                        .length = length };
    if (!made.key)
        return no_memory(r);
    r->refs.x[r->refs.n++] = made;
    return NC_NOERR;
}

static int take_range(struct refs *r, const char *key, const struct pcdf_json_value *list)
{
    const struct pcdf_json_value *url = list->first, *at = url ? url->next : NULL, *n = at ? at->next : NULL;
    int64_t offset = 0, length = -1; /* all of the file: how long it is, who reads it sees */
    int store;
    if (!url || url->kind != PCDF_JSON_TEXT || strlen(url->text) != url->length ||
        (list->n != 1 && list->n != 3) ||
        (at && (!pcdf_zarr_number(at, PCDF_STORED_INT, 8, (unsigned char *)&offset) || offset < 0)) ||
        (n && (!pcdf_zarr_number(n, PCDF_STORED_INT, 8, (unsigned char *)&length) || length < 0)))
        return PCDF_FAIL(NC_ENOTNC, "%s: the reference %.200s is not [name, offset, length]", r->name, key);
    PCDF_TRY(store_of(r, url->text, &store));
    return add_ref(r, key, store, offset, length);
}

static int take_ref(struct refs *r, const char *key, const struct pcdf_json_value *v)
{
    bool is_taken = false;
    size_t parts = 1;
    for (const char *c = key; *c; c++)
        parts += *c == '/';
    if (strlen(key) >= MOST_NAME || parts > MOST_PARTS)
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: the reference %.200s has more than %d bytes or %d parts",
                         r->name, key, MOST_NAME - 1, MOST_PARTS);
    const char *slash = strrchr(key, '/'), *last = slash ? slash + 1 : key;
    if (v->kind == PCDF_JSON_OBJECT)
        return pcdf_zarr_tree_put(&r->tree, key, v->raw, v->nraw, &is_taken);
    if (v->kind == PCDF_JSON_TEXT) {
        PCDF_TRY(pcdf_zarr_tree_put(&r->tree, key, v->text, v->length, &is_taken));
        if (is_taken || last[0] == '.')
            return NC_NOERR;
        return add_ref(r, key, IN_FILE, v->raw + 1 - r->bytes, (int64_t)v->nraw - 2);
    }
    if (v->kind != PCDF_JSON_LIST)
        return PCDF_FAIL(NC_ENOTNC, "%s: the reference %.200s is neither a text nor a list", r->name, key);
    if (last[0] == '.' || !strcmp(last, "zarr.json"))
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: the metadata %.200s lies in another file", r->name, key);
    return take_range(r, key, v);
}

/* First time: what the rest depends on. */
static int look(void *context, bool is_inner, const char *key, const struct pcdf_json_value *v)
{
    struct refs *r = context;
    size_t n = strlen(key);
    r->has_inner = r->has_inner || is_inner;
    if (n >= 9 && !strcmp(key + n - 9, "zarr.json") && (n == 9 || key[n - 10] == '/'))
        r->tree.is_v3 = true;
    if (!is_inner && !strcmp(key, "templates") && v->kind == PCDF_JSON_OBJECT)
        return take_templates(r, v);
    if (!is_inner && !strcmp(key, "gen") && v->first)
        return PCDF_FAIL(NC_ENOTSUPPORT,
                         "%s: its references are to be generated (\"gen\"), which parcdf does not do",
                         r->name);
    return NC_NOERR;
}

static int take_reference(void *context, bool is_inner, const char *key, const struct pcdf_json_value *v)
{
    struct refs *r = context;
    return is_inner == r->has_inner ? take_ref(r, key, v) : NC_NOERR;
}

static int each(struct refs *r, size_t n,
                int (*visit)(void *context, bool is_inner, const char *key,
                             const struct pcdf_json_value *value))
{
    const char *fault;
    size_t at;
    int err = pcdf_json_each(r->bytes, n, &rules, "refs", visit, r, &fault, &at);
    return fault ? PCDF_FAIL(NC_ENOTNC, "%s is no JSON: byte %zu: %s", r->name, at, fault) : err;
}

/* ---- arrays */

/* The longest path before the key's end that is an array. */
static void find_array(struct refs *r, struct ref *ref)
{
    size_t parts = 1;
    for (const char *c = ref->key; *c; c++)
        parts += *c == '/';
    for (size_t n = strlen(ref->key); n > 0 && !ref->node;) {
        while (n > 0 && ref->key[n - 1] != '/')
            n--;
        ref->rest = n;
        n -= n > 0;
        if (--parts > PCDF_ZARR_DEPTH)
            continue;
        const struct pcdf_zarr_node *node = pcdf_zarr_tree_find(&r->tree, ref->key, n);
        ref->node = node && node->array ? node : NULL;
    }
}

static int compare_refs(const void *a, const void *b)
{
    const struct ref *x = a, *y = b;
    if (x->node != y->node)
        return (uintptr_t)x->node < (uintptr_t)y->node ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int find_arrays(struct refs *r)
{
    size_t lost = 0;
    for (size_t i = 0; i < r->refs.n; i++) {
        find_array(r, &r->refs.x[i]);
        lost += !r->refs.x[i].node;
    }
    if (r->refs.n > 0)
        qsort(r->refs.x, r->refs.n, sizeof *r->refs.x, compare_refs);
    return lost ? pcdf_image_left_out(r->image, "%zu references that belong to no array", lost) : NC_NOERR;
}

/* The number of the chunk that an index such as "0.12" means; -1: none. */
static int64_t number_of(const struct pcdf_zarr_var *var, const char *index)
{
    const struct pcdf_chunked *v = &var->v;
    int64_t number = 0;
    if (v->map.is_v3 && *index++ != 'c')
        return -1;
    if (v->map.is_v3 && var->is_unit && *index++ != v->map.separator)
        return -1;
    if (v->ndims == 0)
        return strcmp(index, v->map.is_v3 && !var->is_unit ? "" : "0") == 0 ? 0 : -1;
    for (int i = 0; i < v->ndims; i++) {
        int64_t grid = (v->shape[i] + v->chunk[i] - 1) / v->chunk[i];
        char *end;
        if ((i > 0 || v->map.is_v3) && *index++ != v->map.separator)
            return -1;
        long long at = *index >= '0' && *index <= '9' ? strtoll(index, &end, 10) : -1;
        if (at < 0 || at >= grid)
            return -1;
        index = end;
        number = number * grid + at;
    }
    return *index ? -1 : number;
}

/* Those of an array, in a row. */
static struct ref *refs_of(struct refs *r, const struct pcdf_zarr_node *node, size_t *n)
{
    size_t low = 0, high = r->refs.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uintptr_t)r->refs.x[middle].node < (uintptr_t)node)
            low = middle + 1;
        else
            high = middle;
    }
    for (*n = 0; low + *n < r->refs.n && r->refs.x[low + *n].node == node;)
        ++*n;
    return *n > 0 ? &r->refs.x[low] : NULL;
}

static int place_refs(void *context, const struct pcdf_zarr_node *node, struct pcdf_zarr_var *var)
{
    struct refs *r = context;
    struct pcdf_chunkmap *map = &var->v.map;
    size_t n;
    struct ref *refs = refs_of(r, node, &n);
    int64_t nchunks = 1;
    bool has_text = false;
    if (map->shard)
        return pcdf_zarr_refuse(var, "it has shards");
    for (int i = 0; i < var->v.ndims; i++)
        nchunks *= (var->v.shape[i] + var->v.chunk[i] - 1) / var->v.chunk[i];
    for (size_t i = 0; i < n; i++) {
        refs[i].number = number_of(var, refs[i].key + refs[i].rest);
        has_text = has_text || refs[i].store == IN_FILE;
        if (refs[i].number < 0)
            return pcdf_zarr_refuse(var, "the reference %.100s is none of its chunks", refs[i].key);
    }
    if (n > 0)
        qsort(refs, n, sizeof *refs, compare_refs);
    for (size_t i = 1; i < n; i++)
        if (refs[i].number == refs[i - 1].number)
            return pcdf_zarr_refuse(var, "the chunk %.100s is there twice", refs[i].key);
    uint32_t mask = has_text ? (uint32_t)1 << var->chain.n : 0;
    if (has_text && !pcdf_zarr_unknown_codec("text of JSON", &var->chain))
        return pcdf_zarr_refuse(var, "it has more than %d codecs", PCDF_CHAIN_MOST - 1);
    if (has_text)
        var->chain.x[var->chain.n - 1].id = PCDF_CODEC_JSON_TEXT;
    for (size_t i = 0; i < n; i++)
        PCDF_TRY(pcdf_chunkmap_add(map, refs[i].number, refs[i].store == IN_FILE ? r->own : refs[i].store,
                                   refs[i].offset, refs[i].length, refs[i].store == IN_FILE ? 0 : mask));
    return pcdf_chunkmap_finish(map, nchunks);
}

/* ---- all of it */

static int map_refs(struct refs *r, struct pcdf_store *store, const unsigned char *bytes, size_t n)
{
    struct pcdf_pin pin;
    r->bytes = (const char *)bytes;
    PCDF_TRY(each(r, n, look));
    PCDF_TRY(pcdf_store_pin(store, &pin));
    PCDF_TRY(pcdf_image_store_open(r->image, store, &pin, &r->own));
    PCDF_TRY(each(r, n, take_reference));
    if (r->tree.nodes.n == 0)
        return PCDF_FAIL(NC_ENOTNC, "%s has no metadata of Zarr", r->name);
    PCDF_TRY(pcdf_zarr_tree_finish(&r->tree));
    PCDF_TRY(find_arrays(r));
    return pcdf_zarr_image(&r->tree, place_refs, r, r->image);
}

int pcdf_kerchunk_map(struct pcdf_store *store, const char *allows, struct pcdf_image *image)
{
    const struct pcdf_referrer from = { pcdf_store_name(store), pcdf_store_bond(store)->whole,
                                        allows && strcmp(allows, "none") ? allows : NULL,
                                        pcdf_store_is_far(store) };
    struct refs r = { .name = from.name, .from = from, .image = image, .own = -1 };
    unsigned char *bytes = NULL;
    int64_t n = 0;
    pcdf_image_init(image, PCDF_SOURCE_KERCHUNK);
    pcdf_zarr_tree_init(&r.tree, r.name, false);
    r.tree.is_ordered = true;
    int err = pcdf_store_read_all(store, "", MOST_FILE, &bytes, &n);
    if (!err)
        err = map_refs(&r, store, bytes, (size_t)n);
    if (err)
        pcdf_image_free(image);
    pcdf_free(bytes);
    pcdf_zarr_tree_free(&r.tree);
    pcdf_free(r.templates.x);
    pcdf_free(r.refs.x);
    pcdf_free(r.targets.x);
    pcdf_names_free(r.index);
    pcdf_names_free(r.of_templates);
    pcdf_arena_free(&r.arena);
    return err;
}
