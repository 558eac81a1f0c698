/* See zarrimage.h. */

#include "zarrimage.h"
#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "base64.h"
#include "bytes.h"
#include "classic.h"
#include "meaningatts.h"
#include "names.h"
#include "status.h"

enum { MOST_KEY = 8192, MOST_DIMS = 1000 };

struct named_dim {
    char *key; /* of names.h: "N/a/x": NCZarr's of a group; "D/a/x:7": by name and length */
    int id;
    int64_t length;
    bool is_unlimited;
};

struct maker {
    const struct pcdf_zarr_tree *tree;
    struct pcdf_image *image;
    struct pcdf_classic *classic;
    struct pcdf_arena arena;
    PCDF_ARRAY(struct named_dim) dims;
    struct pcdf_names *index;
};

/* "a/b/v" is "v" of the group "/a/b", "" is the store's own. */
struct place_of_node {
    char group[MOST_KEY];
    const char *name;
};

static void split(const char *path, struct place_of_node *p)
{
    const char *slash = strrchr(path, '/');
    p->name = slash ? slash + 1 : path;
    p->group[0] = '\0';
    if (slash)
        snprintf(p->group, sizeof p->group, "/%.*s", (int)(slash - path), path);
}

/* ---- dimensions */

static const struct named_dim *find_dim(const struct maker *m, const char *key)
{
    int id = m->index ? pcdf_names_find(m->index, key, m->dims.x, sizeof *m->dims.x) : -1;
    return id < 0 ? NULL : &m->dims.x[id];
}

/* A dimension gets one more key. */
static int add_key(struct maker *m, const char *key, struct named_dim d)
{
    int there;
    d.key = pcdf_arena_text(&m->arena, key, strlen(key));
    if (!d.key)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a dimension");
    if (!m->index)
        PCDF_TRY(pcdf_names_new(&m->index, 64));
    PCDF_TRY(PCDF_RESERVE(&m->dims, m->dims.n + 1));
    m->dims.x[m->dims.n] = d;
    PCDF_TRY(pcdf_names_enter(m->index, d.key, strlen(d.key), (int)m->dims.n, m->dims.x, sizeof *m->dims.x,
                              &there));
    m->dims.n += there < 0;
    return NC_NOERR;
}

static int add_dim(struct maker *m, const char *key, const char *group, const char *name, int64_t length,
                   bool is_unlimited, int *id)
{
    PCDF_TRY(pcdf_classic_dim(m->classic, group, name, length, is_unlimited, id));
    return add_key(m, key, (struct named_dim){ NULL, *id, length, is_unlimited });
}

static bool suits(const struct named_dim *d, int64_t length)
{
    return d && (d->length == length || (d->is_unlimited && d->length > length));
}

/* The nearest one from the group upwards that suits; a new one of the group where there is none. It is found
 * at once the next time. */
static int dim_by_name(struct maker *m, const char *group, const char *name, int64_t length, int *id)
{
    char key[MOST_KEY];
    size_t n = strlen(group), all = n;
    for (bool more = true; more;) {
        snprintf(key, sizeof key, "N%.*s/%.1000s", (int)n, group, name);
        const struct named_dim *d = find_dim(m, key);
        if (!suits(d, length)) {
            snprintf(key, sizeof key, "D%.*s/%.1000s:%lld", (int)n, group, name, (long long)length);
            d = find_dim(m, key);
        }
        if (suits(d, length)) {
            *id = d->id;
            snprintf(key, sizeof key, "D%s/%.1000s:%lld", group, name, (long long)length);
            return n < all ? add_key(m, key, (struct named_dim){ NULL, d->id, length, false }) : NC_NOERR;
        }
        more = n > 0;
        while (n > 0 && group[--n] != '/')
            ;
    }
    snprintf(key, sizeof key, "D%s/%.1000s:%lld", group, name, (long long)length);
    return add_dim(m, key, group, name, length, false, id);
}

/* Without a name: by its length. */
static int dim_by_length(struct maker *m, int64_t length, int *id)
{
    char name[40];
    snprintf(name, sizeof name, "_zdim_%lld", (long long)length);
    return dim_by_name(m, "", name, length, id);
}

/* "/a/x" */
static int dim_by_path(struct maker *m, const char *path, int64_t length, int *id)
{
    char key[MOST_KEY];
    struct place_of_node p;
    snprintf(key, sizeof key, "N%.4000s", path);
    const struct named_dim *d = find_dim(m, key);
    if (suits(d, length)) {
        *id = d->id;
        return NC_NOERR;
    }
    split(path + (path[0] == '/'), &p);
    return *p.name ? dim_by_name(m, p.group, p.name, length, id) : dim_by_length(m, length, id);
}

/* The dimension that scalars of libnetcdf have. A variable that does have one of this name makes it. */
static bool is_scalar(const char *name, int64_t length)
{
    return strcmp(name, "_scalar_") == 0 && length == 1;
}

/* NCZarr's: {"x": 3, "t": {"size": 4, "unlimited": 1}}, or a list of such objects with their names. */
static int define_nc_dims(struct maker *m, const struct pcdf_zarr_node *node)
{
    const struct pcdf_json_value *dims = pcdf_zarr_any(node->nc_group, "dims", "dimensions");
    char group[MOST_KEY];
    snprintf(group, sizeof group, "%s%.4000s", *node->path ? "/" : "", node->path);
    for (const struct pcdf_json_value *v = dims ? dims->first : NULL; v; v = v->next) {
        const struct pcdf_json_value *size = v->kind == PCDF_JSON_NUMBER ? v : pcdf_json_member(v, "size");
        const struct pcdf_json_value *grows = pcdf_json_member(v, "unlimited");
        const char *name = pcdf_json_string(v, "name", v->key ? v->key : "");
        int64_t length;
        char key[MOST_KEY];
        int id;
        snprintf(key, sizeof key, "N%.4000s/%.1000s", group, name);
        if (*name && size && pcdf_zarr_number(size, PCDF_STORED_INT, 8, (unsigned char *)&length) &&
            length >= 0 && !is_scalar(name, length) && !find_dim(m, key))
            PCDF_TRY(add_dim(m, key, group, name, length, grows && grows->number != 0, &id));
    }
    return NC_NOERR;
}

static const struct pcdf_json_value *list_of(const struct pcdf_json_value *list, int n)
{
    return list && list->kind == PCDF_JSON_LIST && list->n == n ? list->first : NULL;
}

static int dims_of(struct maker *m, const struct pcdf_zarr_node *node, const char *group,
                   const struct pcdf_chunked *v, int *ids)
{
    const struct pcdf_json_value *path =
        list_of(pcdf_zarr_any(node->nc_array, "dimrefs", "dimension_references"), v->ndims);
    const struct pcdf_json_value *name =
        list_of(pcdf_zarr_any(node->atts, "_ARRAY_DIMENSIONS", "_ARRAY_DIMENSIONS"), v->ndims);
    if (m->tree->is_v3 && !name)
        name = list_of(pcdf_json_member(node->array, "dimension_names"), v->ndims);
    for (int i = 0; i < v->ndims; i++) {
        if (path && path->kind == PCDF_JSON_TEXT)
            PCDF_TRY(dim_by_path(m, path->text, v->shape[i], &ids[i]));
        else if (name && name->kind == PCDF_JSON_TEXT && *name->text)
            PCDF_TRY(dim_by_name(m, group, name->text, v->shape[i], &ids[i]));
        else
            PCDF_TRY(dim_by_length(m, v->shape[i], &ids[i]));
        path = path ? path->next : NULL;
        name = name ? name->next : NULL;
    }
    return NC_NOERR;
}

/* ---- attributes */

static bool is_hidden(const char *name)
{
    static const char *const names[] = { "_ARRAY_DIMENSIONS", "_NCProperties", "_Netcdf4Dimid",
                                         "_Netcdf4Coordinates", "_nc3_strict" };
    bool hidden = !strncmp(name, "_nczarr_", 8) || !strncmp(name, "_NCZARR_", 8);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        hidden = hidden || !strcmp(name, names[i]);
    return hidden;
}

/* As xarray writes it for version 3: eight bytes of a double, little-endian, in base64. */
static bool real_of_base64(const struct pcdf_json_value *v, struct pcdf_json_value *number)
{
    unsigned char bytes[20];
    if (v->kind != PCDF_JSON_TEXT || v->length != 12 || pcdf_base64_decode(v->text, v->length, bytes) != 8)
        return false;
    const uint64_t bits = pcdf_bytes_get_little(bytes, 8);
    *number = (struct pcdf_json_value){ .kind = PCDF_JSON_NUMBER, .text = "." };
    memcpy(&number->number, &bits, 8);
    return true;
}

/* The attribute _FillValue has the type of its variable. */
static int put_told_fill(struct maker *m, const struct pcdf_zarr_node *node, int id,
                         const struct pcdf_zarr_var *var, const struct pcdf_json_value *v)
{
    const struct pcdf_zarr_type type = { var->v.stored, var->v.size, false };
    bool has = false;
    unsigned char value[8];
    struct pcdf_json_value number;
    v = v->kind == PCDF_JSON_LIST && v->n == 1 ? v->first : v;
    if (type.stored == PCDF_STORED_REAL && real_of_base64(v, &number))
        v = &number;
    if ((type.stored == PCDF_STORED_TEXT && type.size > 1) || type.stored == PCDF_STORED_UCS4 ||
        !pcdf_zarr_fill(v, &type, value, &has) || !has)
        return pcdf_image_left_out(m->image, "attribute _FillValue of /%s: it is no value of its type",
                                   node->path);
    const struct pcdf_classic_values values = { type.stored, type.size, 1, value };
    return pcdf_classic_att(m->classic, "", id, "_FillValue", &values);
}

/* What NCZarr says of the types of attributes; in version 3 we write those of all variables to the store's
 * own group. */
static const struct pcdf_json_value *types_of(const struct maker *m, const struct pcdf_zarr_node *node)
{
    const struct pcdf_json_value *own = pcdf_json_member(node->nc_atts, "types");
    if (own || !m->tree->is_v3)
        return own;
    const struct pcdf_zarr_node *root = pcdf_zarr_tree_find(m->tree, "", 0);
    const struct pcdf_json_value *all = root ? pcdf_json_member(root->nc_atts, "variables") : NULL;
    return pcdf_json_member(pcdf_json_member(all, node->path), "types");
}

/* Of the group where var is NULL, else of the variable id. */
static int put_atts(struct maker *m, const struct pcdf_zarr_node *node, const char *group, int id,
                    const struct pcdf_zarr_var *var)
{
    const struct pcdf_json_value *types = types_of(m, node);
    bool is_object = node->atts && node->atts->kind == PCDF_JSON_OBJECT;
    for (const struct pcdf_json_value *v = is_object ? node->atts->first : NULL; v; v = v->next) {
        struct pcdf_classic_values values;
        void *memory;
        if (is_hidden(v->key))
            continue;
        if (var && !strcmp(v->key, "_FillValue")) {
            PCDF_TRY(put_told_fill(m, node, id, var, v));
            continue;
        }
        const struct pcdf_zarr_type type = { var ? var->v.stored : PCDF_STORED_TEXT, var ? var->v.size : 1,
                                             false };
        bool is_own = var && pcdf_meaning_tells(v->key, PCDF_MEANING_HAS_TYPE);
        PCDF_TRY(
            pcdf_zarr_att(v, pcdf_json_string(types, v->key, NULL), is_own ? &type : NULL, &values, &memory));
        int err = pcdf_classic_att(m->classic, group, id, v->key, &values);
        pcdf_free(memory);
        PCDF_TRY(err);
    }
    return NC_NOERR;
}

/* What chunks hold that are not there. Where nobody wrote the attribute _FillValue, that of version 2 is
 * taken for it, as xarray does. */
static int put_fill(struct maker *m, const struct pcdf_zarr_node *node, int id,
                    const struct pcdf_zarr_var *var)
{
    bool says_nothing = pcdf_json_member(node->atts, "_FillValue") || m->tree->is_nczarr || m->tree->is_v3 ||
                        var->v.stored == PCDF_STORED_BOOL;
    return var->has_fill ? pcdf_classic_fill(m->classic, id, var->fill, says_nothing) : NC_NOERR;
}

/* ---- variables */

/* libnetcdf writes a scalar as one element of one dimension, which has no name or that of a scalar. */
static bool is_told_scalar(const struct pcdf_zarr_node *node)
{
    const struct pcdf_json_value *refs = pcdf_zarr_any(node->nc_array, "dimrefs", "dimension_references"),
                                 *names = pcdf_zarr_any(node->atts, "_ARRAY_DIMENSIONS", "_ARRAY_DIMENSIONS");
    if (!strcmp(pcdf_json_string(node->nc_array, "storage", ""), "scalar"))
        return true;
    if (refs && refs->kind == PCDF_JSON_LIST && refs->n > 0)
        names = refs;
    if (!names)
        names = pcdf_json_member(node->array, "dimension_names");
    if (!names || names->kind != PCDF_JSON_LIST || names->n != 1)
        return names && names->kind == PCDF_JSON_LIST && names->n == 0;
    if (names->first->kind != PCDF_JSON_TEXT)
        return false;
    const char *slash = strrchr(names->first->text, '/');
    return is_scalar(slash ? slash + 1 : names->first->text, 1);
}

static void find_scalar(const struct pcdf_zarr_node *node, struct pcdf_zarr_var *var)
{
    var->is_unit = var->v.ndims == 1 && var->v.shape[0] == 1 && var->v.chunk[0] == 1 && !var->v.map.shard &&
                   is_told_scalar(node);
    if (var->is_unit)
        var->v.ndims = 0;
}

static int define_chains(struct maker *m, struct pcdf_zarr_var *var)
{
    var->v.chain = -1;
    if (var->chain.n > 0)
        PCDF_TRY(pcdf_image_chain(m->image, &var->chain, &var->v.chain));
    return var->v.map.shard ? pcdf_image_chain(m->image, &var->index_chain, &var->v.map.index_chain)
                            : NC_NOERR;
}

static int define_var(struct maker *m, const struct pcdf_zarr_node *node, pcdf_zarr_place *place,
                      void *context, struct pcdf_zarr_var *var)
{
    struct place_of_node p;
    int ids[MOST_DIMS + 1], id;
    split(node->path, &p);
    PCDF_TRY(m->tree->is_v3 ? pcdf_zarr_var_read3(m->tree, node, var)
                            : pcdf_zarr_var_read2(m->tree, node, var));
    if (!var->why[0])
        find_scalar(node, var);
    if (!var->why[0])
        PCDF_TRY(place(context, node, var));
    if (var->why[0])
        return pcdf_image_left_out(m->image, "variable /%s: %s", node->path, var->why);
    PCDF_TRY(define_chains(m, var));
    PCDF_TRY(dims_of(m, node, p.group, &var->v, ids));
    if (var->v.stored == PCDF_STORED_TEXT && var->v.size == 1 && var->has_fill)
        var->v.fill[0] = var->fill[0];
    const struct pcdf_zarr_var told = *var; /* the definitions take it over */
    PCDF_TRY(pcdf_classic_var(m->classic, p.group, *p.name ? p.name : "data", ids, &var->v, &id));
    if (id < 0)
        return NC_NOERR;
    PCDF_TRY(put_fill(m, node, id, &told));
    return put_atts(m, node, "", id, &told);
}

static int define_node(struct maker *m, const struct pcdf_zarr_node *node, pcdf_zarr_place *place,
                       void *context)
{
    struct pcdf_zarr_var var = { 0 };
    char group[MOST_KEY];
    if (strlen(node->path) > MOST_KEY / 2)
        return pcdf_image_left_out(m->image, "/%.200s...: its path is too long", node->path);
    if (node->array) {
        int err = define_var(m, node, place, context, &var);
        pcdf_zarr_var_free(&var);
        return err;
    }
    if (!node->group)
        return NC_NOERR;
    snprintf(group, sizeof group, "%s%s", *node->path ? "/" : "", node->path);
    return put_atts(m, node, group, -1, NULL);
}

int pcdf_zarr_image(const struct pcdf_zarr_tree *tree, pcdf_zarr_place *place, void *context,
                    struct pcdf_image *image)
{
    struct maker m = { .tree = tree, .image = image };
    int err = pcdf_classic_begin(image, &m.classic);
    for (size_t i = 0; !err && i < tree->nodes.n; i++) /* an array may use one of a group that comes later */
        err = define_nc_dims(&m, tree->order[i]);
    for (size_t i = 0; !err && i < tree->nodes.n; i++)
        err = define_node(&m, tree->order[i], place, context);
    if (!err)
        err = pcdf_classic_finish(m.classic);
    else
        pcdf_classic_free(m.classic);
    pcdf_free(m.dims.x);
    pcdf_names_free(m.index);
    pcdf_arena_free(&m.arena);
    return err;
}
