/* See storedvars.h. */
#include "storedvars.h"
#include <assert.h>
#include <limits.h>
#include <string.h>
#include "alloc.h"
#include "array.h"
#include "bytes.h"
#include "grid.h"
#include "hash.h"
#include "numbers.h"
#include "status.h"

/* A name as a sentence shows it. */
#define SHOWN "%.80s"

static const struct pcdf_var *var_of(const struct pcdf_meta *meta, int varid)
{
    assert(varid >= 0 && varid < meta->nvars);
    return &meta->vars[varid];
}

static bool is_record_dim(const struct pcdf_meta *meta, const struct pcdf_var *var, int i)
{
    return var->dimids[i] == meta->record_dim;
}

/* ---- shapes */

/* INT64_MAX: more than that. */
static int64_t bytes_of(const struct pcdf_var *var, const int64_t *chunk)
{
    return pcdf_product(pcdf_type_size(var->type), pcdf_grid_count(var->ndims, chunk));
}

void pcdf_stored_default_shape(const struct pcdf_meta *meta, int varid, int64_t bytes, int64_t *chunk)
{
    const struct pcdf_var *var = var_of(meta, varid);
    int64_t all = pcdf_type_size(var->type);
    int record = -1; /* the record dimension, where nobody said how deep */
    for (int i = 0; i < var->ndims; i++) {
        if (chunk[i] == 0 && is_record_dim(meta, var, i)) {
            chunk[i] = 1;
            record = i;
        }
        if (chunk[i] > 0)
            all = pcdf_product(all, chunk[i]);
    }
    for (int i = var->ndims - 1; i >= 0; i--) {
        if (chunk[i] > 0)
            continue;
        int64_t length = pcdf_larger(meta->dims[var->dimids[i]].length, 1);
        int64_t longest = pcdf_smaller(pcdf_larger(bytes / all, 1), length);
        int64_t parts = (length - 1) / longest + 1;
        chunk[i] = (length - 1) / parts + 1;
        all = pcdf_product(all, chunk[i]);
    }
    if (record >= 0 && all < PCDF_STORED_DEEP)
        chunk[record] = PCDF_STORED_DEEP / all;
}

/* Chunks as the hint says of dimensions with these names. False: it names none of the variable's. */
static bool shape_by_names(const struct pcdf_stored_options *options, const struct pcdf_meta *meta, int varid,
                           int64_t *chunk)
{
    const struct pcdf_var *var = var_of(meta, varid);
    bool is_named = false;
    for (int i = 0; i < var->ndims; i++) {
        const struct pcdf_dim *dim = &meta->dims[var->dimids[i]];
        chunk[i] = pcdf_options_length(options, dim->name);
        if (chunk[i] > dim->length && !is_record_dim(meta, var, i))
            chunk[i] = pcdf_larger(dim->length, 1);
        is_named |= chunk[i] > 0;
    }
    return is_named;
}

static int64_t bytes_wanted(const struct pcdf_stored_vars *vars)
{
    return vars->options.bytes > 0 ? vars->options.bytes : PCDF_STORED_BYTES;
}

/* ---- new variables */

static void add_codec(struct pcdf_stored_var *v, const struct pcdf_var *var, const struct pcdf_codec *codec)
{
    struct pcdf_codec own = *codec;
    if (own.id == PCDF_CODEC_SHUFFLE) {
        own.nparams = 1;
        own.params[0] = (uint32_t)pcdf_type_size(var->type);
        if (own.params[0] == 1) /* it would move nothing */
            return;
    }
    pcdf_stored_set_codec(v, &own);
}

static int begin_var(const struct pcdf_stored_vars *vars, const struct pcdf_meta *meta, int varid,
                     struct pcdf_stored_var *v)
{
    const struct pcdf_var *var = var_of(meta, varid);
    const struct pcdf_stored_options *options = &vars->options;
    *v = (struct pcdf_stored_var){ .ndims = var->ndims };
    if (var->ndims == 0 || (var->nbytes >= 0 && var->nbytes < PCDF_OPTIONS_LEAST))
        return NC_NOERR;
    for (int i = 0; i < options->chain.n; i++)
        add_codec(v, var, &options->chain.x[i]);
    v->is_by_hint = true;
    if (options->ndims == 0)
        return NC_NOERR;
    int64_t *chunk = pcdf_calloc((size_t)var->ndims, sizeof *chunk);
    if (!chunk)
        return NC_ENOMEM;
    bool is_named = shape_by_names(options, meta, varid, chunk);
    if (is_named)
        pcdf_stored_default_shape(meta, varid, bytes_wanted(vars), chunk);
    if (!is_named || bytes_of(var, chunk) > UINT32_MAX) {
        pcdf_free(chunk);
        return NC_NOERR;
    }
    v->way = PCDF_STORED_CHUNKED;
    v->chunk = chunk;
    return NC_NOERR;
}

/* An abort of a redef takes definitions back. */
static void cut(struct pcdf_stored_vars *vars, const struct pcdf_meta *meta)
{
    while (vars->n > meta->nvars)
        pcdf_free(vars->x[--vars->n].chunk);
}

int pcdf_stored_grow(struct pcdf_stored_vars *vars, const struct pcdf_meta *meta)
{
    size_t room = (size_t)vars->room;
    cut(vars, meta);
    if (meta->nvars == vars->n)
        return NC_NOERR;
    PCDF_TRY(pcdf_array_reserve((void **)&vars->x, &room, (size_t)meta->nvars, sizeof *vars->x));
    vars->room = (int)pcdf_smaller((int64_t)room, INT_MAX);
    for (; vars->n < meta->nvars; vars->n++)
        PCDF_TRY(begin_var(vars, meta, vars->n, &vars->x[vars->n]));
    return NC_NOERR;
}

static void free_list(struct pcdf_stored_var *x, int n)
{
    for (int i = 0; i < n; i++)
        pcdf_free(x[i].chunk);
    pcdf_free(x);
}

void pcdf_stored_free(struct pcdf_stored_vars *vars)
{
    free_list(vars->x, vars->n);
    *vars = (struct pcdf_stored_vars){ 0 };
}

/* ---- the file is laid out */

enum pcdf_stored_way pcdf_stored_choose(const struct pcdf_stored_vars *vars, const struct pcdf_meta *meta,
                                        int varid, int64_t *chunk)
{
    const struct pcdf_var *var = var_of(meta, varid);
    const struct pcdf_stored_var *v = &vars->x[varid];
    size_t nbytes = (size_t)var->ndims * sizeof *chunk;
    assert(varid < vars->n);
    if (v->way == PCDF_STORED_CONTIGUOUS)
        return v->way;
    if (v->way == PCDF_STORED_CHUNKED) {
        memcpy(chunk, v->chunk, nbytes);
        return v->way;
    }
    if (var->ndims == 0 || (!var->is_record && v->chain.n == 0))
        return PCDF_STORED_CONTIGUOUS;
    memset(chunk, 0, nbytes);
    pcdf_stored_default_shape(meta, varid, bytes_wanted(vars), chunk);
    return PCDF_STORED_CHUNKED;
}

int pcdf_stored_chain(const struct pcdf_stored_vars *vars, const struct pcdf_meta *meta, int varid,
                      const int64_t *chunk, struct pcdf_chain *chain)
{
    const bool is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    struct pcdf_chain got = vars->x[varid].chain;
    for (int i = 0; i < got.n; i++) {
        struct pcdf_codec *codec = &got.x[i], asked = *codec;
        if (codec->id != PCDF_CODEC_SZIP || codec->nparams > 2)
            continue;
        PCDF_TRY(pcdf_codec_szip(codec, asked.params[0], asked.params[1],
                                 pcdf_type_size(meta->vars[varid].type), is_big,
                                 chunk ? meta->vars[varid].ndims : 0, chunk));
        strcpy(codec->name, asked.name);
    }
    *chain = got;
    return NC_NOERR;
}

int pcdf_stored_try_codec(const struct pcdf_codec *codec)
{
    static const unsigned char some[64];
    struct pcdf_chain chain = { .n = 1, .x = { *codec } };
    struct pcdf_codec_scratch scratch = { 0 };
    const unsigned char *out;
    uint32_t mask;
    size_t n = sizeof some;
    if (codec->id == PCDF_CODEC_SZIP)
        PCDF_TRY(pcdf_codec_szip(&chain.x[0], codec->params[0], codec->params[1], 1, false, 1,
                                 (const int64_t[]){ (int64_t)n }));
    int err = pcdf_chain_encode_here(&chain, some, n, &out, &n, &mask, &scratch);
    pcdf_free(scratch.a);
    pcdf_free(scratch.b);
    return err;
}

int pcdf_stored_try_codecs(const struct pcdf_stored_vars *vars)
{
    bool was_tried[PCDF_CODECS] = { false };
    for (int i = 0; i < vars->n; i++)
        for (int k = 0; k < vars->x[i].chain.n && !vars->x[i].is_settled; k++) {
            const struct pcdf_codec *codec = &vars->x[i].chain.x[k];
            if (!was_tried[codec->id])
                PCDF_TRY(pcdf_stored_try_codec(codec));
            was_tried[codec->id] = true;
        }
    return NC_NOERR;
}

static int decide_way(struct pcdf_stored_vars *vars, const struct pcdf_meta *meta, int varid)
{
    struct pcdf_stored_var *v = &vars->x[varid];
    if (v->way != PCDF_STORED_AUTO)
        return NC_NOERR;
    int64_t *chunk = pcdf_calloc((size_t)v->ndims + 1, sizeof *chunk);
    if (!chunk)
        return NC_ENOMEM;
    v->way = pcdf_stored_choose(vars, meta, varid, chunk);
    if (v->way == PCDF_STORED_CHUNKED)
        v->chunk = chunk;
    else
        pcdf_free(chunk);
    return NC_NOERR;
}

int pcdf_stored_decide(struct pcdf_stored_vars *vars, const struct pcdf_meta *meta)
{
    cut(vars, meta);
    for (int i = 0; i < vars->n; i++) {
        PCDF_TRY(decide_way(vars, meta, i));
        PCDF_TRY(pcdf_stored_chain(vars, meta, i, vars->x[i].chunk, &vars->x[i].chain));
    }
    return NC_NOERR;
}

void pcdf_stored_settle(struct pcdf_stored_vars *vars)
{
    for (int i = 0; i < vars->n; i++)
        vars->x[i].is_settled = true;
}

/* ---- what calls change */

static int check_chunk(const struct pcdf_meta *meta, int varid, const int64_t *chunk)
{
    const struct pcdf_var *var = var_of(meta, varid);
    for (int i = 0; i < var->ndims; i++) {
        const struct pcdf_dim *dim = &meta->dims[var->dimids[i]];
        if (chunk[i] < 1)
            return PCDF_FAIL(
                NC_EINVAL, "variable \"" SHOWN "\": the chunk length %lld along dimension %d is not positive",
                var->name, (long long)chunk[i], pcdf_told_dim(i, var->ndims));
        if (!is_record_dim(meta, var, i) && dim->length > 0 && chunk[i] > dim->length)
            return PCDF_FAIL(NC_EBADCHUNK,
                             "variable \"" SHOWN "\": a chunk length of %lld along dimension \"" SHOWN
                             "\", which has length %lld",
                             var->name, (long long)chunk[i], dim->name, (long long)dim->length);
    }
    if (bytes_of(var, chunk) > UINT32_MAX)
        return PCDF_FAIL(NC_EBADCHUNK, "variable \"" SHOWN "\": chunks must have less than 4 GiB", var->name);
    return NC_NOERR;
}

int pcdf_stored_set_way(struct pcdf_stored_vars *vars, const struct pcdf_meta *meta, int varid,
                        enum pcdf_stored_way way, const int64_t *chunk)
{
    const struct pcdf_var *var = var_of(meta, varid);
    struct pcdf_stored_var *v = &vars->x[varid];
    int64_t *own = NULL;
    if (way == PCDF_STORED_CHUNKED && var->ndims == 0)
        return PCDF_FAIL(NC_EINVAL, "variable \"" SHOWN "\" is a scalar: it has no chunks", var->name);
    if (way == PCDF_STORED_CONTIGUOUS && (var->is_record || (v->chain.n > 0 && !v->is_by_hint)))
        return PCDF_FAIL(NC_EINVAL, "variable \"" SHOWN "\" has %s: it must be chunked", var->name,
                         var->is_record ? "records" : "filters");
    if (way == PCDF_STORED_CHUNKED) {
        if (chunk)
            PCDF_TRY(check_chunk(meta, varid, chunk));
        own = pcdf_calloc((size_t)var->ndims, sizeof *own);
        if (!own)
            return NC_ENOMEM;
        if (chunk)
            memcpy(own, chunk, (size_t)var->ndims * sizeof *own);
        else
            pcdf_stored_default_shape(meta, varid, bytes_wanted(vars), own);
    }
    pcdf_free(v->chunk);
    v->chunk = own;
    v->way = way;
    if (way == PCDF_STORED_CONTIGUOUS)
        v->chain.n = 0;
    return NC_NOERR;
}

enum rank { CHECKSUM, SHUFFLE, COMPRESSOR };

static enum rank rank_of(enum pcdf_codec_id id)
{
    return id == PCDF_CODEC_FLETCHER32 ? CHECKSUM : id == PCDF_CODEC_SHUFFLE ? SHUFFLE : COMPRESSOR;
}

void pcdf_stored_set_codec(struct pcdf_stored_var *v, const struct pcdf_codec *codec)
{
    struct pcdf_chain *chain = &v->chain;
    int at = 0;
    v->is_by_hint = false;
    if (v->ndims == 0)
        return;
    while (at < chain->n && rank_of(chain->x[at].id) < rank_of(codec->id))
        at++;
    if (at == chain->n || rank_of(chain->x[at].id) != rank_of(codec->id)) {
        assert(chain->n < PCDF_CHAIN_MOST);
        memmove(&chain->x[at + 1], &chain->x[at], (size_t)(chain->n - at) * sizeof chain->x[0]);
        chain->n++;
    }
    chain->x[at] = *codec;
}

void pcdf_stored_drop_codec(struct pcdf_stored_var *v, enum pcdf_codec_id id)
{
    struct pcdf_chain *chain = &v->chain;
    int n = 0;
    v->is_by_hint = false;
    for (int i = 0; i < chain->n; i++)
        if (chain->x[i].id != id)
            chain->x[n++] = chain->x[i];
    chain->n = n;
}

/* ---- between ranks: a count, and of each variable
 *
 *     way, flags, codecs: 1 byte each | dimensions: 4 | CHUNKED: 8 for each dimension
 *     each codec: id, parameters: 1 byte each | 4 for each parameter */

enum { VAR_BYTES = 7 };

static int64_t var_size(const struct pcdf_stored_var *v)
{
    int64_t size = VAR_BYTES + (v->chunk ? 8 * (int64_t)v->ndims : 0);
    for (int i = 0; i < v->chain.n; i++)
        size += 2 + 4 * v->chain.x[i].nparams;
    return size;
}

static unsigned char *put(unsigned char *b, uint64_t x, size_t size)
{
    pcdf_bytes_put_little(b, x, size);
    return b + size;
}

static unsigned char *put_var(unsigned char *b, const struct pcdf_stored_var *v)
{
    b = put(b, v->way, 1);
    b = put(b, (uint64_t)v->is_settled | (uint64_t)v->is_by_hint << 1, 1);
    b = put(b, (uint64_t)v->chain.n, 1);
    b = put(b, (uint64_t)v->ndims, 4);
    for (int i = 0; v->chunk && i < v->ndims; i++)
        b = put(b, (uint64_t)v->chunk[i], 8);
    for (int i = 0; i < v->chain.n; i++) {
        const struct pcdf_codec *codec = &v->chain.x[i];
        b = put(b, codec->id, 1);
        b = put(b, (uint64_t)codec->nparams, 1);
        for (int k = 0; k < codec->nparams; k++)
            b = put(b, codec->params[k], 4);
    }
    return b;
}

int64_t pcdf_stored_vars_encode_size(const struct pcdf_stored_vars *vars)
{
    int64_t size = 4;
    for (int i = 0; i < vars->n; i++)
        size += var_size(&vars->x[i]);
    return size;
}

void pcdf_stored_vars_encode(const struct pcdf_stored_vars *vars, unsigned char *bytes)
{
    bytes = put(bytes, (uint64_t)vars->n, 4);
    for (int i = 0; i < vars->n; i++)
        bytes = put_var(bytes, &vars->x[i]);
}

struct taking { /* bytes that come from another rank */
    const unsigned char *at;
    int64_t left;
    bool is_bad;
};

static uint64_t take(struct taking *t, size_t size)
{
    t->is_bad |= t->left < (int64_t)size;
    if (t->is_bad)
        return 0;
    uint64_t x = pcdf_bytes_get_little(t->at, size);
    t->at += size;
    t->left -= (int64_t)size;
    return x;
}

static const char *name_of(enum pcdf_codec_id id)
{
    return id == PCDF_CODEC_FLETCHER32 ? "fletcher32"
           : id == PCDF_CODEC_SHUFFLE  ? "shuffle"
           : id == PCDF_CODEC_ZLIB     ? "deflate"
           : id == PCDF_CODEC_ZSTD     ? "zstd"
           : id == PCDF_CODEC_SZIP     ? "szip"
                                       : "a filter";
}

static void take_chain(struct taking *t, int n, struct pcdf_stored_var *v)
{
    t->is_bad |= n > PCDF_CHAIN_MOST || (n > 0 && v->ndims == 0);
    for (int i = 0; i < n && !t->is_bad; i++) {
        struct pcdf_codec codec = { .id = (enum pcdf_codec_id)take(t, 1), .nparams = (int)take(t, 1) };
        t->is_bad |=
            codec.id == PCDF_CODEC_UNKNOWN || codec.id >= PCDF_CODECS || codec.nparams > PCDF_CODEC_PARAMS;
        for (int k = 0; k < codec.nparams && !t->is_bad; k++)
            codec.params[k] = (uint32_t)take(t, 4);
        strcpy(codec.name, name_of(codec.id));
        v->chain.x[i] = codec;
    }
    v->chain.n = t->is_bad ? 0 : n;
}

/* *v was zeros. A variable that is bad owns nothing. */
static int take_var(struct taking *t, const struct pcdf_meta *meta, int varid, struct pcdf_stored_var *v)
{
    uint64_t way = take(t, 1), flags = take(t, 1);
    int ncodecs = (int)take(t, 1);
    t->is_bad |= way > PCDF_STORED_CHUNKED || flags > 3;
    t->is_bad |= take(t, 4) != (uint64_t)var_of(meta, varid)->ndims;
    if (t->is_bad)
        return NC_NOERR;
    v->ndims = var_of(meta, varid)->ndims;
    v->way = (enum pcdf_stored_way)way;
    v->is_settled = (flags & 1) != 0;
    v->is_by_hint = (flags & 2) != 0;
    if (v->way == PCDF_STORED_CHUNKED) {
        t->is_bad |= v->ndims == 0 || t->left / 8 < v->ndims;
        if (t->is_bad)
            return NC_NOERR;
        v->chunk = pcdf_calloc((size_t)v->ndims, sizeof *v->chunk);
        if (!v->chunk)
            return NC_ENOMEM;
        for (int i = 0; i < v->ndims; i++)
            v->chunk[i] = (int64_t)take(t, 8);
    }
    take_chain(t, ncodecs, v);
    if (!t->is_bad && v->chunk)
        t->is_bad = check_chunk(meta, varid, v->chunk) != NC_NOERR;
    return NC_NOERR;
}

int pcdf_stored_vars_decode(struct pcdf_stored_vars *vars, const struct pcdf_meta *meta,
                            const unsigned char *bytes, int64_t n)
{
    struct taking t = { .at = bytes, .left = n };
    struct pcdf_stored_vars got = { .options = vars->options };
    int err = NC_NOERR;
    uint64_t count = take(&t, 4);
    t.is_bad |= count > (uint64_t)meta->nvars || t.left / VAR_BYTES < (int64_t)count;
    if (!t.is_bad && count > 0) {
        got.x = pcdf_calloc((size_t)count, sizeof *got.x);
        err = got.x ? NC_NOERR : NC_ENOMEM;
        got.room = got.x ? (int)count : 0;
    }
    while (!err && !t.is_bad && got.n < (int)count) {
        err = take_var(&t, meta, got.n, &got.x[got.n]);
        got.n++;
    }
    if (!err && (t.is_bad || t.left != 0))
        err = PCDF_FAIL(NC_EREAD, "what another rank says of how variables are stored is damaged");
    if (err) {
        free_list(got.x, got.n);
        return err;
    }
    pcdf_stored_free(vars);
    *vars = got;
    return NC_NOERR;
}

static uint64_t var_hash(const struct pcdf_stored_var *v)
{
    uint64_t facts[4] = { v->way, (uint64_t)v->ndims, (uint64_t)v->chain.n, 0 };
    if (v->chunk)
        facts[3] = pcdf_hash_bytes(v->chunk, (size_t)v->ndims * sizeof *v->chunk);
    for (int i = 0; i < v->chain.n; i++) {
        const struct pcdf_codec *codec = &v->chain.x[i];
        facts[3] = facts[3] * 31 + codec->id;
        facts[3] =
            facts[3] * 31 + pcdf_hash_bytes(codec->params, (size_t)codec->nparams * sizeof codec->params[0]);
    }
    return pcdf_hash_bytes(facts, sizeof facts);
}

uint64_t pcdf_stored_hash(const struct pcdf_stored_vars *vars)
{
    uint64_t hash = (uint64_t)vars->n;
    for (int i = 0; i < vars->n; i++)
        hash = hash * 0x100000001b3u ^ var_hash(&vars->x[i]);
    return hash;
}
