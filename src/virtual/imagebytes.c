/* See image.h: an image as bytes, and back. Numbers are 8 bytes, little-endian; texts and blocks of bytes
 * have their length before them, -1 where there is none. */

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "array.h"
#include "bytes.h"
#include "classicvalue.h"
#include "decode.h"
#include "encode.h"
#include "grid.h"
#include "image.h"
#include "status.h"

static const char first_word[] = "PCDFIMG1", last_word[] = "PCDFEND.";
enum { WORD = 8, LEAST_OF_STORE = 48, LEAST_OF_CHAIN = 8, LEAST_OF_VAR = 128 };

/* ---- encoding */

struct out {
    PCDF_ARRAY(unsigned char) bytes;
    int err;
};

static unsigned char *room_for(struct out *o, size_t n)
{
    if (!o->err)
        o->err = PCDF_RESERVE(&o->bytes, o->bytes.n + n);
    if (o->err)
        return NULL;
    o->bytes.n += n;
    return o->bytes.x + o->bytes.n - n;
}

static void put_bytes(struct out *o, const void *bytes, size_t n)
{
    unsigned char *to = room_for(o, n);
    if (to && n > 0)
        memcpy(to, bytes, n);
}

static void put_number(struct out *o, int64_t number)
{
    unsigned char *to = room_for(o, 8);
    if (to)
        pcdf_bytes_put_little(to, (uint64_t)number, 8);
}

static void put_block(struct out *o, const void *bytes, int64_t n)
{
    put_number(o, bytes ? n : -1);
    if (bytes)
        put_bytes(o, bytes, (size_t)n);
}

static void put_text(struct out *o, const char *text)
{
    put_block(o, text, text ? (int64_t)strlen(text) : 0);
}

static void put_list(struct out *o, const int64_t *list, int n)
{
    for (int i = 0; i < n; i++)
        put_number(o, list[i]);
}

static void put_chain(struct out *o, const struct pcdf_chain *chain)
{
    put_number(o, chain->n);
    for (int i = 0; i < chain->n; i++) {
        put_number(o, (int64_t)chain->x[i].id);
        put_number(o, chain->x[i].nparams);
        for (int k = 0; k < chain->x[i].nparams; k++)
            put_number(o, chain->x[i].params[k]);
        put_text(o, chain->x[i].name);
    }
}

static void put_map(struct out *o, const struct pcdf_chunkmap *map, int ndims)
{
    put_number(o, (int64_t)map->kind);
    put_number(o, map->store);
    put_number(o, map->offset);
    put_number(o, map->stride);
    put_number(o, map->length);
    put_block(o, map->bytes, map->nbytes);
    put_text(o, map->prefix);
    put_number(o, map->separator);
    put_number(o, map->is_v3 + 2 * map->index_is_first + 4 * (map->shard != NULL));
    put_number(o, map->index_chain);
    if (map->shard)
        put_list(o, map->shard, ndims);
}

static void put_var(struct out *o, const struct pcdf_chunked *v)
{
    put_number(o, v->ndims);
    put_list(o, v->shape, v->ndims);
    put_list(o, v->chunk, v->ndims);
    put_number(o, (int64_t)v->stored);
    put_number(o, v->size);
    put_number(o, v->is_big + 2 * (v->order != NULL) + 4 * v->is_contiguous);
    for (int i = 0; v->order && i < v->ndims; i++)
        put_number(o, v->order[i]);
    put_number(o, v->chain);
    put_bytes(o, v->fill, sizeof v->fill);
    put_map(o, &v->map, v->ndims);
}

/* Secrets go along: the other ranks are the same user, and ask the same server. */
static void put_bond(struct out *o, const struct pcdf_bond *bond)
{
    put_text(o, bond->whole);
    put_text(o, bond->folder);
    put_number(o, bond->is_bound + 2 * bond->may_sign + 4 * bond->may_inside);
}

/* Of another format the definitions, as the header that they have; of a far file its first bytes. */
static void put_header(struct out *o, const struct pcdf_image *image)
{
    bool is_far = image->kind == PCDF_SOURCE_CLASSIC;
    int64_t size = is_far ? image->header_size : pcdf_encode_size(&image->meta);
    put_number(o, size);
    unsigned char *to = room_for(o, (size_t)size);
    if (to && is_far)
        memcpy(to, image->header, (size_t)size);
    else if (to)
        pcdf_encode(&image->meta, &image->layout, to);
}

int pcdf_image_encode(const struct pcdf_image *image, unsigned char **bytes, int64_t *n)
{
    struct out o = { 0 };
    put_bytes(&o, first_word, WORD);
    put_number(&o, (int64_t)image->kind);
    put_number(&o, image->largest_chunk);
    put_header(&o, image);
    put_text(&o, image->left_out);
    put_number(&o, image->nstores);
    for (int i = 0; i < image->nstores; i++) {
        put_text(&o, image->stores[i].name);
        put_bond(&o, &image->stores[i].bond);
        put_number(&o, image->stores[i].pin.size);
        put_text(&o, image->stores[i].pin.tag);
    }
    put_number(&o, image->nchains);
    for (int i = 0; i < image->nchains; i++)
        put_chain(&o, &image->chains[i]);
    for (int i = 0; i < image->nvars; i++)
        put_var(&o, &image->vars[i]);
    put_bytes(&o, last_word, WORD);
    if (o.err) {
        pcdf_free(o.bytes.x);
        return o.err;
    }
    *bytes = o.bytes.x;
    *n = (int64_t)o.bytes.n;
    return NC_NOERR;
}

/* ---- decoding: the first thing that is wrong is kept, and what follows is zeros */

struct in {
    const unsigned char *at, *end;
    int err;
};

static int is_wrong(struct in *in, const char *what)
{
    if (!in->err)
        in->err = PCDF_FAIL(NC_EREAD, "the description of the file is damaged: %s", what);
    return in->err;
}

static int64_t left(const struct in *in)
{
    return in->err ? 0 : in->end - in->at;
}

static int64_t get(struct in *in)
{
    if (left(in) < 8) {
        (void)is_wrong(in, "it ends too early");
        return 0;
    }
    in->at += 8;
    return (int64_t)pcdf_bytes_get_little(in->at - 8, 8);
}

/* A number between the two, or else the smaller one. */
static int64_t get_within(struct in *in, int64_t least, int64_t most, const char *what)
{
    int64_t number = get(in);
    if (number >= least && number <= most)
        return number;
    (void)is_wrong(in, what);
    return least;
}

/* How many there are of what needs so many bytes each. */
static int get_count(struct in *in, int64_t least_bytes, const char *what)
{
    int64_t most = left(in) / least_bytes;
    return (int)get_within(in, 0, most < INT_MAX ? most : INT_MAX, what);
}

static void *make(struct in *in, size_t n, size_t size)
{
    void *made = in->err ? NULL : pcdf_calloc(n + 1, size);
    if (!made && !in->err)
        in->err = PCDF_FAIL(NC_ENOMEM, "no memory for the description of the file");
    return made;
}

/* A copy with a NUL behind it; NULL where there is none. */
static unsigned char *get_block(struct in *in, int64_t *n)
{
    *n = get_within(in, -1, left(in) > 8 ? left(in) - 8 : 0, "a length");
    unsigned char *made = *n < 0 ? NULL : make(in, (size_t)*n, 1);
    if (made) {
        memcpy(made, in->at, (size_t)*n);
        in->at += *n;
    }
    return made;
}

static char *get_text(struct in *in)
{
    int64_t n;
    char *text = (char *)get_block(in, &n);
    if (text && strlen(text) != (size_t)n)
        (void)is_wrong(in, "a text");
    return text;
}

/* Into room that is there. */
static void get_short(struct in *in, char *to, size_t room, const char *what)
{
    int64_t n = get_within(in, 0, (int64_t)room - 1, what);
    if (n > left(in))
        (void)is_wrong(in, what);
    if (in->err)
        return;
    memcpy(to, in->at, (size_t)n);
    in->at += n;
    if (strlen(to) != (size_t)n)
        (void)is_wrong(in, what);
}

static int64_t *get_list(struct in *in, int n)
{
    int64_t *list = make(in, (size_t)n, sizeof *list);
    for (int i = 0; list && i < n; i++)
        list[i] = get(in);
    return list;
}

static void get_chain(struct in *in, struct pcdf_chain *chain)
{
    chain->n = (int)get_within(in, 0, PCDF_CHAIN_MOST, "a chain of codecs");
    for (int i = 0; i < chain->n; i++) {
        struct pcdf_codec *c = &chain->x[i];
        c->id = (enum pcdf_codec_id)get_within(in, 0, PCDF_CODECS - 1, "a codec");
        c->nparams = (int)get_within(in, 0, PCDF_CODEC_PARAMS, "a codec");
        for (int k = 0; k < c->nparams; k++)
            c->params[k] = (uint32_t)get_within(in, 0, UINT32_MAX, "a codec");
        get_short(in, c->name, sizeof c->name, "the name of a codec");
    }
}

static void get_map(struct in *in, struct pcdf_chunkmap *map, int ndims)
{
    map->kind = (enum pcdf_map_kind)get_within(in, 0, PCDF_MAP_TABLE, "a kind of map");
    map->store = (int)get_within(in, 0, INT_MAX, "a store");
    map->offset = get(in);
    map->stride = get(in);
    map->length = get(in);
    map->bytes = get_block(in, &map->nbytes);
    map->prefix = get_text(in);
    map->separator = (char)get_within(in, 0, 127, "a separator");
    int64_t flags = get_within(in, 0, 7, "a map");
    map->is_v3 = flags & 1;
    map->index_is_first = flags & 2;
    map->index_chain = (int)get_within(in, -1, INT_MAX, "a chain");
    if (map->nbytes < 0)
        map->nbytes = 0;
    if (flags & 4)
        map->shard = get_list(in, ndims);
}

static void get_order(struct in *in, struct pcdf_chunked *v)
{
    bool seen[PCDF_MOST_DIMS] = { false };
    v->order = make(in, (size_t)v->ndims, sizeof *v->order);
    for (int i = 0; v->order && i < v->ndims; i++) {
        v->order[i] = (int)get_within(in, 0, v->ndims - 1, "an order of dimensions");
        if (seen[v->order[i]])
            (void)is_wrong(in, "an order of dimensions");
        seen[v->order[i]] = true;
    }
}

static void get_var(struct in *in, struct pcdf_chunked *v)
{
    v->ndims = (int)get_within(in, 0, PCDF_MOST_DIMS - 1, "dimensions");
    v->shape = get_list(in, v->ndims);
    v->chunk = get_list(in, v->ndims);
    v->stored = (enum pcdf_stored)get_within(in, 0, PCDF_STORED_UCS4, "a type");
    v->size = (int)get_within(in, 1, INT_MAX, "a size");
    int64_t flags = get_within(in, 0, 7, "a byte order");
    v->is_big = flags & 1;
    v->is_contiguous = flags & 4;
    if (flags & 2)
        get_order(in, v);
    v->chain = (int)get_within(in, -1, INT_MAX, "a chain");
    if (left(in) < (int64_t)sizeof v->fill)
        (void)is_wrong(in, "it ends too early");
    if (in->err)
        return;
    memcpy(v->fill, in->at, sizeof v->fill);
    in->at += sizeof v->fill;
    get_map(in, &v->map, v->ndims);
}

/* ---- what does not fit together */

static bool is_sound_header(const struct pcdf_image *image)
{
    const struct pcdf_meta *meta = &image->meta;
    int64_t end;
    return meta->version == PCDF_CDF5 && meta->numrecs >= 0 &&
           !__builtin_mul_overflow(image->layout.recsize, meta->numrecs, &end) &&
           !__builtin_add_overflow(end, image->layout.begin_rec, &end);
}

/* The definitions, decoded where their header stands: who reads bytes makes another one. */
static void get_definitions(struct in *in, struct pcdf_image *image)
{
    struct pcdf_fault fault;
    int64_t need = 0, n = get_within(in, 0, left(in) > 8 ? left(in) - 8 : 0, "a length");
    if (in->err)
        return;
    int err = pcdf_decode(NULL, in->at, (size_t)n, INT64_MAX, &need, &image->meta, &image->layout, &fault);
    if (err == NC_ENOMEM)
        in->err = PCDF_FAIL(NC_ENOMEM, "%s", fault.text);
    else if (err || need > 0 || image->layout.header_size != n || !is_sound_header(image))
        (void)is_wrong(in, err ? fault.text : "the header");
    in->at += n;
}

/* The dimensions of the image's variable are those of the chunks, and one more of the characters of texts. */
static const char *damage_of_shape(const struct pcdf_image *image, const struct pcdf_chunked *v, int varid,
                                   int64_t *nchunks)
{
    const struct pcdf_var *var = &image->meta.vars[varid];
    bool has_chars = var->type == NC_CHAR && v->size > 1;
    int64_t bytes = v->size;
    if (pcdf_stored_type(v->stored, v->size) != var->type || v->ndims + has_chars != var->ndims)
        return "a variable is not that of the header";
    if (has_chars && (image->meta.dims[var->dimids[v->ndims]].length != v->size))
        return "a variable is not that of the header";
    for (int i = 0; i < v->ndims; i++) {
        int64_t end, length = image->meta.dims[var->dimids[i]].length;
        if (i == 0 && var->is_record)
            length = image->meta.numrecs;
        if (v->shape[i] < 0 || v->shape[i] > length || v->chunk[i] <= 0 ||
            __builtin_add_overflow(v->shape[i], v->chunk[i], &end) ||
            __builtin_mul_overflow(bytes, v->chunk[i], &bytes))
            return "the shape of a variable";
    }
    *nchunks = pcdf_grid_chunks(v->ndims, v->shape, v->chunk);
    if (*nchunks == INT64_MAX)
        return "the shape of a variable";
    if (v->map.kind == PCDF_MAP_INLINE && *nchunks > 0 && v->map.nbytes != bytes)
        return "values that are not as long as their variable";
    return NULL;
}

static const char *damage_of(const struct pcdf_image *image, const struct pcdf_chunked *v, int varid)
{
    int64_t nchunks, slots = 1;
    const char *damage = damage_of_shape(image, v, varid, &nchunks);
    if (damage)
        return damage;
    if (v->chain >= image->nchains ||
        (v->map.kind == PCDF_MAP_SHARDS && v->map.index_chain >= image->nchains))
        return "a chain of codecs is not there";
    if (!pcdf_chunkmap_is_sound(&v->map, nchunks, image->nstores))
        return "the map of the chunks of a variable";
    for (int i = 0; v->map.shard && i < v->ndims; i++)
        if (v->map.shard[i] <= 0 || __builtin_mul_overflow(slots, v->map.shard[i], &slots) ||
            slots > INT32_MAX)
            return "a shard";
    return NULL;
}

int pcdf_image_check(const struct pcdf_image *image)
{
    struct in in = { 0 };
    if (image->nvars != image->meta.nvars || !is_sound_header(image))
        return is_wrong(&in, "the header");
    for (int i = 0; i < image->nvars; i++) {
        const char *damage = damage_of(image, &image->vars[i], i);
        if (damage)
            return PCDF_FAIL(NC_EREAD, "variable %s is damaged: %s", image->meta.vars[i].name, damage);
    }
    return NC_NOERR;
}

static void get_bond(struct in *in, struct pcdf_bond *bond)
{
    bond->whole = get_text(in);
    bond->folder = get_text(in);
    int64_t flags = get_within(in, 0, 7, "how a store may be opened");
    bond->is_bound = flags & 1;
    bond->may_sign = flags & 2;
    bond->may_inside = flags & 4;
}

/* A local file that references name begins with its folder. */
static bool is_sound_name(const struct pcdf_image_store *s)
{
    size_t n = s->bond.folder ? strlen(s->bond.folder) : 0;
    return s->name && (n == 0 || (strncmp(s->name, s->bond.folder, n) == 0 && s->name[n]));
}

static void get_stores(struct in *in, struct pcdf_image *image)
{
    int n = get_count(in, LEAST_OF_STORE, "the number of stores");
    image->stores = make(in, (size_t)n, sizeof *image->stores);
    for (int i = 0; image->stores && i < n; i++) {
        image->nstores = i + 1;
        image->stores[i].name = get_text(in);
        get_bond(in, &image->stores[i].bond);
        image->stores[i].pin.size = get_within(in, -1, INT64_MAX, "the size of a store");
        get_short(in, image->stores[i].pin.tag, sizeof image->stores[i].pin.tag, "the tag of a store");
        if (!is_sound_name(&image->stores[i]))
            (void)is_wrong(in, "a store without a name");
    }
}

int pcdf_image_decode(const unsigned char *bytes, int64_t n, struct pcdf_image *image)
{
    struct in in = { .at = bytes, .end = bytes + n };
    *image = (struct pcdf_image){ 0 };
    if (n < 2 * WORD || memcmp(bytes, first_word, WORD) != 0 ||
        memcmp(bytes + n - WORD, last_word, WORD) != 0)
        return is_wrong(&in, "it is none, or is cut");
    in.at += WORD;
    in.end -= WORD;
    image->kind = (enum pcdf_source_kind)get_within(&in, 0, PCDF_SOURCES - 1, "the kind of file");
    image->largest_chunk = get_within(&in, 0, INT64_MAX, "the size of chunks");
    if (image->kind == PCDF_SOURCE_CLASSIC)
        image->header = get_block(&in, &image->header_size);
    else
        get_definitions(&in, image);
    image->left_out = get_text(&in);
    get_stores(&in, image);
    int nchains = get_count(&in, LEAST_OF_CHAIN, "the number of chains");
    if (nchains > PCDF_MOST_CHAINS)
        (void)is_wrong(&in, "the number of chains");
    image->chains = make(&in, (size_t)nchains, sizeof *image->chains);
    for (int i = 0; image->chains && i < nchains; i++)
        get_chain(&in, &image->chains[i]);
    image->nchains = in.err ? 0 : nchains;
    if (!in.err && image->meta.nvars > left(&in) / LEAST_OF_VAR)
        (void)is_wrong(&in, "it ends too early");
    image->vars = make(&in, (size_t)image->meta.nvars, sizeof *image->vars);
    for (int i = 0; image->vars && !in.err && i < image->meta.nvars; i++) {
        image->nvars = i + 1;
        get_var(&in, &image->vars[i]);
        const char *damage = in.err ? NULL : damage_of(image, &image->vars[i], i);
        if (damage)
            (void)is_wrong(&in, damage);
    }
    if (!in.err && in.at != in.end)
        (void)is_wrong(&in, "there is something behind it");
    if (in.err)
        pcdf_image_free(image);
    return in.err;
}
