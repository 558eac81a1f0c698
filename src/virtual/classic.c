/* See classic.h. What a source tells is kept in lists; finish makes definitions of them. */

#include "classic.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "arena.h"
#include "array.h"
#include "classicvalue.h"
#include "meaningnumber.h"
#include "names.h"
#include "rules.h"
#include "status.h"
#include "text.h"

enum { MOST_NAME = NC_MAX_NAME, ROOM_FOR_NUMBER = 12, MOST_DIMS = 1024, MOST_TEXT = 1 << 24 };

struct dim {
    char *group, *name;
    int64_t length;
    bool is_unlimited;
    bool is_first; /* of every variable that has it, and in none of them further on */
    bool is_used;
    int id; /* in the image; -1: it has none */
};

struct att {
    char *group; /* NULL: of a variable */
    int var;
    char *name;
    nc_type type;
    int64_t n;
    unsigned char *values; /* external form */
};

struct var {
    char *group, *name;
    int *dims;
    struct pcdf_chunked v; /* owned until the image has it */
    int id;                /* in the image; -1: it has no place there */
};

/* A name that was taken: which number the next one with it gets. */
struct again {
    char *key;  /* where names are taken, and the name */
    int number; /* all below this are taken, too */
};

struct pcdf_classic {
    struct pcdf_image *image;
    struct pcdf_arena arena; /* names, ids, values */
    PCDF_ARRAY(struct dim) dims;
    PCDF_ARRAY(struct var) vars;
    PCDF_ARRAY(struct att) atts;
    PCDF_ARRAY(struct again) again;
    struct pcdf_names *of_again;
};

int pcdf_classic_begin(struct pcdf_image *image, struct pcdf_classic **c)
{
    struct pcdf_classic *made = pcdf_calloc(1, sizeof *made);
    if (!made)
        return PCDF_FAIL(NC_ENOMEM, "no memory for definitions");
    made->image = image;
    *c = made;
    return NC_NOERR;
}

static void free_chunked(struct pcdf_chunked *v)
{
    pcdf_free(v->shape);
    pcdf_free(v->chunk);
    pcdf_free(v->order);
    pcdf_chunkmap_free(&v->map);
    *v = (struct pcdf_chunked){ 0 };
}

void pcdf_classic_free(struct pcdf_classic *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->vars.n; i++)
        free_chunked(&c->vars.x[i].v);
    pcdf_free(c->dims.x);
    pcdf_free(c->vars.x);
    pcdf_free(c->atts.x);
    pcdf_free(c->again.x);
    pcdf_names_free(c->of_again);
    pcdf_arena_free(&c->arena);
    pcdf_free(c);
}

static char *keep_text(struct pcdf_classic *c, const char *text)
{
    return pcdf_arena_text(&c->arena, text, strlen(text));
}

static int no_memory(const char *name)
{
    return PCDF_FAIL(NC_ENOMEM, "no memory for the definition of %s", name);
}

/* ---- what the source tells */

int pcdf_classic_dim(struct pcdf_classic *c, const char *group, const char *name, int64_t length,
                     bool is_unlimited, int *id)
{
    if (length < 0)
        return PCDF_FAIL(NC_EDIMSIZE, "dimension %s/%s has the length %lld", group, name, (long long)length);
    PCDF_TRY(PCDF_RESERVE(&c->dims, c->dims.n + 1));
    struct dim d = { keep_text(c, group), keep_text(c, name), length, is_unlimited, true, false, -1 };
    if (!d.group || !d.name)
        return no_memory(name);
    *id = (int)c->dims.n;
    c->dims.x[c->dims.n++] = d;
    return NC_NOERR;
}

/* Why a variable has no place: a sentence, NULL if it has one. */
static const char *reason_against(const struct pcdf_classic *c, const int *dims, const struct pcdf_chunked *v)
{
    if (v->ndims < 0 || v->ndims >= MOST_DIMS)
        return "it has too many dimensions";
    if (pcdf_stored_type(v->stored, v->size) == NC_NAT)
        return "its type has no place in the classic model";
    for (int i = 0; i < v->ndims; i++) {
        if (dims[i] < 0 || (size_t)dims[i] >= c->dims.n)
            return "it has a dimension that is not there";
        if (v->chunk[i] <= 0 || v->shape[i] < 0)
            return "its shape is damaged";
        const struct dim *d = &c->dims.x[dims[i]];
        if (v->shape[i] > d->length || (v->shape[i] < d->length && !d->is_unlimited))
            return "its shape is not that of its dimensions";
    }
    return NULL;
}

int pcdf_classic_var(struct pcdf_classic *c, const char *group, const char *name, const int *dims,
                     struct pcdf_chunked *v, int *id)
{
    struct var var = { keep_text(c, group), keep_text(c, name), NULL, *v, -1 };
    const char *reason = reason_against(c, dims, v);
    int err = reason ? NC_NOERR : PCDF_RESERVE(&c->vars, c->vars.n + 1);
    *v = (struct pcdf_chunked){ 0 };
    *id = -1;
    if (!reason && !err)
        var.dims = pcdf_arena_take(&c->arena, ((size_t)var.v.ndims + 1) * sizeof *dims);
    if (reason || err || !var.group || !var.name || !var.dims) {
        free_chunked(&var.v);
        return reason && var.group && var.name
                   ? pcdf_image_left_out(c->image, "variable %s/%s: %s", group, name, reason)
                   : no_memory(name);
    }
    for (int i = 0; i < var.v.ndims; i++)
        var.dims[i] = dims[i];
    *id = (int)c->vars.n;
    c->vars.x[c->vars.n++] = var;
    return NC_NOERR;
}

int pcdf_classic_att(struct pcdf_classic *c, const char *group, int var, const char *name,
                     const struct pcdf_classic_values *values)
{
    struct att a = { var < 0 ? keep_text(c, group) : NULL, var, keep_text(c, name), NC_NAT, 0, NULL };
    int64_t bytes = pcdf_stored_external_bytes(values);
    if ((var < 0 && !a.group) || !a.name)
        return no_memory(name);
    if (bytes < 0 || bytes > MOST_TEXT)
        return pcdf_image_left_out(
            c->image, "attribute %s of %s: %s", name, var < 0 ? group : c->vars.x[var].name,
            bytes < 0 ? "its type has no place in the classic model" : "it is longer than 16 MiB");
    PCDF_TRY(PCDF_RESERVE(&c->atts, c->atts.n + 1));
    a.values = pcdf_arena_take(&c->arena, (size_t)bytes + 1);
    if (!a.values)
        return no_memory(name);
    a.n = pcdf_stored_to_external(values, a.values, &a.type);
    c->atts.x[c->atts.n++] = a;
    return NC_NOERR;
}

int pcdf_classic_fill(struct pcdf_classic *c, int var, const void *value, bool says_nothing)
{
    struct pcdf_chunked *v = &c->vars.x[var].v;
    const struct pcdf_classic_values one = { v->stored, v->size, 1, value };
    nc_type type;
    if (v->stored == PCDF_STORED_TEXT && v->size == 1)
        v->fill[0] = *(const unsigned char *)value;
    if (v->stored == PCDF_STORED_TEXT || v->stored == PCDF_STORED_UCS4)
        return NC_NOERR;
    (void)pcdf_stored_to_external(&one, v->fill, &type);
    return says_nothing ? NC_NOERR : pcdf_classic_att(c, "", var, "_FillValue", &one);
}

/* ---- names */

/* "/a/b" and "v" become "a.b.v", of bytes that a name may have. */
static bool flatten_to(size_t most, const char *group, const char *name, char flat[MOST_NAME + 1])
{
    size_t n = 0;
    bool is_all = true;
    const char *parts[] = { group, name };
    for (int part = 0; part < 2; part++) {
        const char *p = parts[part];
        p += part == 0 && *p == '/';
        for (; *p && n < most; p++) {
            unsigned char byte = (unsigned char)*p;
            flat[n++] = *p == '/' ? (part == 0 ? '.' : '_') : byte < 0x20 || byte == 0x7f ? '_' : *p;
        }
        is_all = is_all && !*p;
        if (part == 0 && n > 0 && n < most)
            flat[n++] = '.';
    }
    while (n > 0 && flat[n - 1] == ' ')
        n--;
    flat[n] = '\0';
    return is_all;
}

static void flatten(const char *group, const char *name, char flat[MOST_NAME + 1])
{
    if (!flatten_to(MOST_NAME, group, name, flat))
        (void)flatten_to(MOST_NAME - ROOM_FOR_NUMBER, group, name, flat);
}

/* Still not a name: what is not ASCII goes, and it begins with an underscore. */
static void simplify(char flat[MOST_NAME + 1])
{
    size_t n = strlen(flat);
    if (n == MOST_NAME)
        flat[--n] = '\0';
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)flat[i] >= 0x80)
            flat[i] = '_';
    memmove(flat + 1, flat, n + 1);
    flat[0] = '_';
}

/* Of a name that was taken. */
static int *number_of(struct pcdf_classic *c, const char *where, const char *flat)
{
    char key[MOST_NAME + 32];
    int there, n = snprintf(key, sizeof key, "%s/%s", where, flat);
    if ((!c->of_again && pcdf_names_new(&c->of_again, 16)) || PCDF_RESERVE(&c->again, c->again.n + 1))
        return NULL;
    struct again a = { keep_text(c, key), 2 };
    c->again.x[c->again.n] = a;
    if (!a.key ||
        pcdf_names_enter(c->of_again, a.key, (size_t)n, (int)c->again.n, c->again.x, sizeof a, &there))
        return NULL;
    c->again.n += there < 0;
    return &c->again.x[there < 0 ? (int)c->again.n - 1 : there].number;
}

/* The first of x, x_2, x_3... that is free. where: names are taken once each there; is_taken: of a name in
 * NFC. */
static int choose_name(struct pcdf_classic *c, const char *where, const char *group, const char *name,
                       bool (*is_taken)(void *, const char *), void *context, struct pcdf_name *chosen)
{
    char flat[MOST_NAME + 1], tried[MOST_NAME + 1];
    int *number = NULL;
    flatten(group, name, flat);
    if (pcdf_name_define(flat, chosen))
        simplify(flat);
    snprintf(tried, sizeof tried, "%s", flat);
    while (pcdf_name_define(tried, chosen) || is_taken(context, chosen->text)) {
        if (!number && !(number = number_of(c, where, flat)))
            return no_memory(name);
        snprintf(tried, sizeof tried, "%.*s_%d", MOST_NAME - ROOM_FOR_NUMBER, flat, (*number)++);
    }
    if (chosen->text != chosen->room) { /* it must not point into this function's memory */
        memmove(chosen->room, chosen->text, chosen->length + 1);
        chosen->text = chosen->room;
    }
    return NC_NOERR;
}

static bool has_dim(void *meta, const char *name)
{
    return pcdf_meta_find_dim(meta, name) >= 0;
}

static bool has_var(void *meta, const char *name)
{
    return pcdf_meta_find_var(meta, name) >= 0;
}

static bool has_att(void *atts, const char *name)
{
    return pcdf_atts_find(atts, name) >= 0;
}

static int tell_renamed(struct pcdf_classic *c, const char *what, const char *group, const char *name,
                        const char *chosen)
{
    size_t n = strlen(chosen), of_name = strlen(name);
    bool is_same = n == strlen(group) + of_name && strcmp(chosen + n - of_name, name) == 0;
    return is_same ? NC_NOERR
                   : pcdf_image_left_out(c->image, "%s %s/%s" PCDF_IMAGE_IS_CALLED "%s" PCDF_IMAGE_HERE, what,
                                         group, name, chosen);
}

/* ---- definitions */

static void look_at_uses(struct pcdf_classic *c)
{
    for (size_t i = 0; i < c->vars.n; i++)
        for (int k = 0; k < c->vars.x[i].v.ndims; k++) {
            struct dim *d = &c->dims.x[c->vars.x[i].dims[k]];
            d->is_used = true;
            d->is_first = d->is_first && k == 0;
        }
}

/* The dimension that becomes the record dimension; NULL: none does. */
static struct dim *record_dim(struct pcdf_classic *c)
{
    struct dim *unused = NULL;
    for (size_t i = 0; i < c->dims.n; i++) {
        struct dim *d = &c->dims.x[i];
        if (d->is_unlimited && d->is_first && d->is_used)
            return d;
        if (d->is_unlimited && !d->is_used && !unused)
            unused = d;
    }
    return unused;
}

static int define_dims(struct pcdf_classic *c)
{
    struct pcdf_meta *meta = &c->image->meta;
    const struct dim *record = record_dim(c);
    struct pcdf_name name;
    for (size_t i = 0; i < c->dims.n; i++) {
        struct dim *d = &c->dims.x[i];
        int64_t length = d == record ? 0 : d->length;
        if (d != record && length == 0) { /* the length 0 means the record dimension */
            PCDF_TRY(pcdf_image_left_out(c->image, "dimension %s/%s: its length is 0", d->group, d->name));
            continue;
        }
        PCDF_TRY(choose_name(c, "dim", d->group, d->name, has_dim, meta, &name));
        PCDF_TRY(tell_renamed(c, "dimension", d->group, d->name, name.text));
        PCDF_TRY(pcdf_rules_new_dim(meta, name.text, length));
        PCDF_TRY(pcdf_meta_add_dim(meta, name.text, length, &d->id));
    }
    if (record)
        meta->numrecs = record->length;
    return NC_NOERR;
}

/* Of texts: one more, for the characters. */
static int add_length_dim(struct pcdf_classic *c, const char *name, int64_t length, int *id)
{
    struct pcdf_meta *meta = &c->image->meta;
    struct pcdf_name chosen;
    char wanted[MOST_NAME + 1];
    snprintf(wanted, sizeof wanted, "%.*s_strlen", MOST_NAME - ROOM_FOR_NUMBER, name);
    PCDF_TRY(choose_name(c, "dim", "", wanted, has_dim, meta, &chosen));
    PCDF_TRY(pcdf_rules_new_dim(meta, chosen.text, length));
    return pcdf_meta_add_dim(meta, chosen.text, length, id);
}

static int define_var(struct pcdf_classic *c, struct var *var)
{
    struct pcdf_image *image = c->image;
    struct pcdf_meta *meta = &image->meta;
    struct pcdf_name name;
    nc_type type = pcdf_stored_type(var->v.stored, var->v.size);
    int ids[MOST_DIMS + 1], ndims = var->v.ndims;
    PCDF_TRY(choose_name(c, "var", var->group, var->name, has_var, meta, &name));
    for (int i = 0; i < ndims; i++) {
        ids[i] = c->dims.x[var->dims[i]].id;
        if (ids[i] < 0)
            return pcdf_image_left_out(image, "variable %s/%s: a dimension of it has the length 0",
                                       var->group, var->name);
    }
    if (type == NC_CHAR && var->v.size > 1)
        PCDF_TRY(add_length_dim(c, name.text, var->v.size, &ids[ndims++]));
    if (pcdf_meta_var_bytes(meta, type, ndims, ids) < 0)
        return pcdf_image_left_out(image, "variable %s/%s: it is too large", var->group, var->name);
    PCDF_TRY(tell_renamed(c, "variable", var->group, var->name, name.text));
    PCDF_TRY(pcdf_rules_new_var(meta, name.text, type, ndims, ids));
    PCDF_TRY(pcdf_meta_add_var(meta, name.text, type, ndims, ids, &var->id));
    image->vars[image->nvars++] = var->v;
    var->v = (struct pcdf_chunked){ 0 };
    return NC_NOERR;
}

/* The path in the source, where the name does not tell it. */
static int put_path(struct pcdf_classic *c, const struct var *var)
{
    struct pcdf_meta *meta = &c->image->meta;
    if (var->id < 0 || (var->group[0] == '\0' && !strcmp(meta->vars[var->id].name, var->name)))
        return NC_NOERR;
    size_t n = strlen(var->group) + 1 + strlen(var->name);
    char *path = pcdf_arena_bytes(&c->arena, n + 1);
    if (!path)
        return no_memory(var->name);
    snprintf(path, n + 1, "%s/%s", var->group, var->name);
    return pcdf_atts_put(meta, &meta->vars[var->id].atts, "_path", NC_CHAR, (int64_t)n, path);
}

/* The classic model wants one value of the variable's type. */
static int define_fill(struct pcdf_classic *c, const struct var *var, const struct att *a)
{
    struct pcdf_meta *meta = &c->image->meta;
    struct pcdf_var *v = &meta->vars[var->id];
    unsigned char fill[8] = { 0 };
    bool is_nul = a->type == NC_CHAR && v->type == NC_CHAR && a->n == 0; /* texts end before their NULs */
    if (!is_nul && a->n != 1)
        return pcdf_image_left_out(c->image, "attribute _FillValue of %s: it is not one value", v->name);
    if (!is_nul && !pcdf_meaning_convert(a->type, a->values, v->type, fill))
        return pcdf_image_left_out(c->image, "attribute _FillValue of %s: its type is another one", v->name);
    return pcdf_atts_put(meta, &v->atts, a->name, v->type, 1, fill);
}

static int define_att(struct pcdf_classic *c, const struct att *a)
{
    struct pcdf_meta *meta = &c->image->meta;
    int var = a->group ? NC_GLOBAL : c->vars.x[a->var].id;
    if (!a->group && var < 0) /* its variable was left out */
        return NC_NOERR;
    struct pcdf_atts *atts = pcdf_meta_atts(meta, var);
    struct pcdf_name name;
    if (!a->group && !strcmp(a->name, "_FillValue"))
        return define_fill(c, &c->vars.x[a->var], a);
    char where[16];
    snprintf(where, sizeof where, "%d", var);
    PCDF_TRY(choose_name(c, where, a->group ? a->group : "", a->name, has_att, atts, &name));
    PCDF_TRY(tell_renamed(c, "attribute", a->group ? a->group : "", a->name, name.text));
    return pcdf_atts_put(meta, atts, name.text, a->type, a->n, a->values);
}

static void measure(struct pcdf_image *image)
{
    for (int i = 0; i < image->nvars; i++) {
        const struct pcdf_chunked *v = &image->vars[i];
        int64_t bytes = v->size;
        for (int k = 0; k < v->ndims; k++)
            if (__builtin_mul_overflow(bytes, v->chunk[k], &bytes))
                bytes = INT64_MAX;
        if (v->chain >= 0 && bytes > image->largest_chunk)
            image->largest_chunk = bytes;
    }
}

int pcdf_classic_finish(struct pcdf_classic *c)
{
    struct pcdf_image *image = c->image;
    image->vars = pcdf_calloc(c->vars.n + 1, sizeof *image->vars);
    int err = image->vars ? NC_NOERR : no_memory("variables");
    look_at_uses(c);
    if (!err)
        err = define_dims(c);
    for (size_t i = 0; !err && i < c->vars.n; i++)
        err = define_var(c, &c->vars.x[i]);
    for (size_t i = 0; !err && i < c->atts.n; i++)
        err = define_att(c, &c->atts.x[i]);
    for (size_t i = 0; !err && i < c->vars.n; i++)
        err = put_path(c, &c->vars.x[i]);
    pcdf_classic_free(c);
    if (err)
        return err;
    measure(image);
    return pcdf_image_finish(image);
}
