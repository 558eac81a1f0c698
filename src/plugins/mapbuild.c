/* See maphost.h. From what a plug-in says to an image, by the rules of classic.h. */

#include "maphost.h"
#include <limits.h>
#include <string.h>
#include "alloc.h"
#include "classic.h"
#include "status.h"

struct pcdf_mapbuild {
    struct pcdf_image *image;
    struct pcdf_classic *classic;
    struct pcdf_chunkmap table; /* of the variable that comes next */
    void (*alive)(void);
};

int pcdf_mapbuild_begin(struct pcdf_image *image, void (*alive)(void), struct pcdf_mapbuild **b)
{
    struct pcdf_mapbuild *made = pcdf_calloc(1, sizeof *made);
    if (!made)
        return PCDF_FAIL(NC_ENOMEM, "no memory for definitions");
    made->image = image;
    made->alive = alive;
    int store, err = pcdf_image_store(image, "", NULL, &store); /* the file: store 0 */
    if (!err)
        err = pcdf_classic_begin(image, &made->classic);
    if (err) {
        pcdf_free(made);
        return err;
    }
    *b = made;
    return NC_NOERR;
}

void pcdf_mapbuild_free(struct pcdf_mapbuild *b)
{
    if (!b)
        return;
    pcdf_chunkmap_free(&b->table);
    pcdf_classic_free(b->classic);
    pcdf_free(b);
}

int pcdf_mapbuild_finish(struct pcdf_mapbuild *b)
{
    struct pcdf_classic *classic = b->classic;
    b->classic = NULL;
    pcdf_mapbuild_free(b);
    return pcdf_classic_finish(classic);
}

static int set_kind(void *context, int kind)
{
    struct pcdf_mapbuild *b = context;
    b->image->kind = (enum pcdf_source_kind)kind;
    return NC_NOERR;
}

static int add_dim(void *context, const char *group, const char *name, int64_t length, int is_unlimited,
                   int *id)
{
    struct pcdf_mapbuild *b = context;
    return pcdf_classic_dim(b->classic, group, name, length, is_unlimited != 0, id);
}

static int add_chunk(void *context, int64_t number, int64_t offset, int64_t length, uint32_t mask)
{
    struct pcdf_mapbuild *b = context;
    return pcdf_chunkmap_add(&b->table, number, 0, offset, length, mask);
}

/* ---- a variable */

static int64_t product(const int64_t *x, int n)
{
    int64_t all = 1;
    for (int i = 0; i < n; i++)
        if (__builtin_mul_overflow(all, x[i], &all))
            return INT64_MAX;
    return all;
}

static int64_t places_of(const struct pcdf_chunked *v)
{
    int64_t all = 1;
    for (int i = 0; i < v->ndims; i++)
        if (__builtin_mul_overflow(all, v->shape[i] / v->chunk[i] + (v->shape[i] % v->chunk[i] != 0), &all))
            return INT64_MAX;
    return all;
}

static int set_chain(struct pcdf_image *image, const struct pcdf_map_var *from, struct pcdf_chunked *v)
{
    struct pcdf_chain chain;
    memset(&chain, 0, sizeof chain);
    v->chain = -1;
    if (from->ncodecs <= 0)
        return NC_NOERR;
    if (from->ncodecs > PCDF_CHAIN_MOST)
        return PCDF_FAIL(NC_EINTERNAL, "a plug-in gave a chain of %d codecs", from->ncodecs);
    chain.n = from->ncodecs;
    for (int i = 0; i < chain.n; i++) {
        struct pcdf_codec *c = &chain.x[i];
        c->id = (enum pcdf_codec_id)from->codecs[i].id;
        c->nparams =
            from->codecs[i].nparams < PCDF_CODEC_PARAMS ? from->codecs[i].nparams : PCDF_CODEC_PARAMS;
        memcpy(c->params, from->codecs[i].params, (size_t)c->nparams * sizeof *c->params);
        strncpy(c->name, from->codecs[i].name, sizeof c->name - 1);
    }
    return pcdf_image_chain(image, &chain, &v->chain);
}

/* Where the values are. */
static int set_map(struct pcdf_mapbuild *b, const struct pcdf_map_var *from, struct pcdf_chunked *v)
{
    if (from->has_table) {
        v->map = b->table;
        b->table = (struct pcdf_chunkmap){ 0 };
        return v->map.kind == PCDF_MAP_NONE ? NC_NOERR : pcdf_chunkmap_finish(&v->map, places_of(v));
    }
    if (from->values && from->nvalues > 0) {
        v->map.kind = PCDF_MAP_INLINE;
        v->map.bytes = pcdf_malloc((size_t)from->nvalues);
        if (!v->map.bytes)
            return PCDF_FAIL(NC_ENOMEM, "no memory for the values of %s", from->name);
        memcpy(v->map.bytes, from->values, (size_t)from->nvalues);
        v->map.nbytes = from->nvalues;
    } else if (from->offset >= 0) {
        v->map.kind = PCDF_MAP_LINEAR;
        v->map.offset = from->offset;
        v->map.stride = v->map.length = product(from->chunk, from->ndims) * from->size;
    }
    return NC_NOERR;
}

static int take_var(struct pcdf_mapbuild *b, const struct pcdf_map_var *from, struct pcdf_chunked *v)
{
    size_t bytes = ((size_t)from->ndims + 1) * sizeof *v->shape;
    v->shape = pcdf_calloc(1, bytes);
    v->chunk = pcdf_calloc(1, bytes);
    if (!v->shape || !v->chunk)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the definition of %s", from->name);
    memcpy(v->shape, from->shape, bytes - sizeof *v->shape);
    memcpy(v->chunk, from->chunk, bytes - sizeof *v->shape);
    PCDF_TRY(set_chain(b->image, from, v));
    PCDF_TRY(set_map(b, from, v));
    v->map.index_chain = -1;
    return NC_NOERR;
}

static int add_var(void *context, const struct pcdf_map_var *from, int *id)
{
    struct pcdf_mapbuild *b = context;
    struct pcdf_chunked v = { .ndims = from->ndims,
                              .stored = (enum pcdf_stored)from->stored,
                              .size = from->size,
                              .is_big = from->is_big != 0,
                              .is_contiguous = from->is_contiguous != 0 };
    int err = take_var(b, from, &v);
    if (err) {
        pcdf_free(v.shape);
        pcdf_free(v.chunk);
        pcdf_chunkmap_free(&v.map);
        return err;
    }
    PCDF_TRY(pcdf_classic_var(b->classic, from->group, from->name, from->dims, &v, id));
    return from->fill && *id >= 0 ? pcdf_classic_fill(b->classic, *id, from->fill, true) : NC_NOERR;
}

/* ---- */

static int add_att(void *context, const char *group, int var, const char *name,
                   const struct pcdf_map_values *v)
{
    struct pcdf_mapbuild *b = context;
    const struct pcdf_classic_values values = { (enum pcdf_stored)v->stored, v->size, v->n, v->values };
    return pcdf_classic_att(b->classic, group, var, name, &values);
}

static int leave_out(void *context, const char *sentence)
{
    struct pcdf_mapbuild *b = context;
    pcdf_chunkmap_free(&b->table); /* of a variable that is left out after its chunks */
    b->table = (struct pcdf_chunkmap){ 0 };
    return pcdf_image_left_out(b->image, "%s", sentence);
}

static int fail(void *context, int code, const char *sentence)
{
    (void)context;
    return PCDF_FAIL(code, "%s", sentence);
}

static void alive(void *context)
{
    struct pcdf_mapbuild *b = context;
    b->alive();
}

struct pcdf_map_builder pcdf_mapbuild_functions(struct pcdf_mapbuild *b)
{
    return (struct pcdf_map_builder){ b,       set_kind,  add_dim, add_var, add_chunk,
                                      add_att, leave_out, fail,    alive };
}
