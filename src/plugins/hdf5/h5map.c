/* A data set as a variable: its type, its codecs, and where its values lie. */

#include "h5file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "codes.h"

enum {
    MOST_CODECS = 8, /* of a chain of ours */
    CODEC_NAME = 32,
    MOST_PARAMS = sizeof((struct pcdf_map_codec *)0)->params / sizeof(uint32_t),
    MOST_INLINE = 1 << 20,
    MOST_INLINE_ALL = 1 << 24,
    BAND = 4 << 20,       /* bytes of a contiguous data set that are one chunk of ours, at most */
    SPARSE = 16,          /* so many times more places for chunks than chunks */
    FEW = 4096,           /* chunks that are asked for by number: each takes as long as all before it */
    MOST_PLACES = 1 << 30 /* that are asked for one by one */
};

struct var { /* while it is made */
    struct pcdf_h5 *h;
    const struct pcdf_h5_set *set;
    const char *group;
    hid_t id, plist, hdf_type;
    struct pcdf_h5_type type;
    int64_t values, bytes; /* of all */
    int64_t chunk[PCDF_H5_RANK], grid[PCDF_H5_RANK];
    struct pcdf_map_codec codecs[MOST_CODECS];
    char names[MOST_CODECS][CODEC_NAME];
    bool keeps_edges; /* chunks that reach over the edge have no codecs */
    struct pcdf_map_var to;
};

static int left_out(const struct var *v, const char *why)
{
    return pcdf_h5_left_out(v->h, "variable %s/%s: %s", v->group, v->set->name, why);
}

static int damaged(const struct var *v, const char *what)
{
    return pcdf_h5_damaged(v->h, "%s of variable %s/%s", what, v->group, v->set->name);
}

/* ---- codecs */

static enum pcdf_codec_id codec_of(H5Z_filter_t filter)
{
    switch (filter) {
    case H5Z_FILTER_DEFLATE:
        return PCDF_CODEC_ZLIB;
    case H5Z_FILTER_SHUFFLE:
        return PCDF_CODEC_SHUFFLE;
    case H5Z_FILTER_FLETCHER32:
        return PCDF_CODEC_FLETCHER32;
    case H5Z_FILTER_SZIP:
        return PCDF_CODEC_SZIP;
    case 307:
        return PCDF_CODEC_BZIP2;
    case 32001:
        return PCDF_CODEC_BLOSC;
    case 32004:
        return PCDF_CODEC_LZ4_HDF5;
    case 32015:
        return PCDF_CODEC_ZSTD;
    default:
        return PCDF_CODEC_UNKNOWN;
    }
}

/* A sentence; "": there is none; NULL: libhdf5 cannot say. */
static const char *note_codecs(struct var *v)
{
    int n = H5Pget_nfilters(v->plist);
    if (n > MOST_CODECS)
        return "it has more than 8 codecs";
    for (int i = 0; i < n; i++) {
        struct pcdf_map_codec *c = &v->codecs[i];
        unsigned flags, config, params[32];
        size_t nparams = 32;
        char name[CODEC_NAME] = "";
        H5Z_filter_t filter =
            H5Pget_filter2(v->plist, (unsigned)i, &flags, &nparams, params, sizeof name, name, &config);
        if (filter < 0)
            return NULL;
        name[sizeof name - 1] = '\0';
        if (!*name)
            snprintf(name, sizeof name, "filter %d", (int)filter);
        memcpy(v->names[i], name, sizeof name);
        c->id = (int)codec_of(filter);
        c->name = v->names[i];
        c->nparams = nparams < MOST_PARAMS ? (int)nparams : MOST_PARAMS;
        for (int k = 0; k < c->nparams; k++)
            c->params[k] = params[k];
    }
    v->to.ncodecs = n < 0 ? 0 : n;
    v->to.codecs = v->codecs;
    return n < 0 ? NULL : "";
}

/* ---- values in the map itself */

static int take_varying(struct var *v, char **rows)
{
    char **texts = calloc((size_t)v->values + 1, sizeof *texts);
    hid_t space = H5Dget_space(v->id);
    bool good = texts && space >= 0 &&
                (v->values == 0 || H5Dread(v->id, v->hdf_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0);
    int err = good ? NC_NOERR : damaged(v, "the texts");
    if (good) {
        *rows = pcdf_h5_rows(texts, v->values, MOST_INLINE, &v->type.size);
        if (v->values > 0)
            H5Dvlen_reclaim(v->hdf_type, space, H5P_DEFAULT, texts);
    }
    if (space >= 0)
        H5Sclose(space);
    free(texts);
    return err;
}

static int take_fixed(struct var *v, char **rows)
{
    *rows = calloc((size_t)v->values + 1, (size_t)v->type.size);
    if (!*rows)
        return pcdf_h5_fail(v->h, NC_ENOMEM, "no memory for variable %s", v->set->name);
    if (v->values > 0 && H5Dread(v->id, v->hdf_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *rows) < 0)
        return damaged(v, "the values");
    pcdf_h5_to_native(&v->type, *rows, v->values);
    return NC_NOERR;
}

/* *values: to be freed by the caller, NULL: it was left out. */
static int take_inline(struct var *v, char **values)
{
    *values = NULL;
    if (v->values > MOST_INLINE || (!v->type.is_varying && v->bytes > MOST_INLINE))
        return left_out(v, "texts of any length are read up to 1 MiB");
    int err = v->type.is_varying ? take_varying(v, values) : take_fixed(v, values);
    if (err)
        return err;
    v->to.nvalues = v->values * v->type.size;
    if (!*values || v->h->inline_bytes + v->to.nvalues > MOST_INLINE_ALL) {
        free(*values);
        *values = NULL;
        return left_out(v, "texts of any length are read up to 1 MiB each and 16 MiB together");
    }
    v->h->inline_bytes += v->to.nvalues;
    v->to.values = *values;
    v->to.ncodecs = 0;
    v->to.is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    v->to.size = v->type.size;
    return NC_NOERR;
}

/* ---- contiguous: whole rows of up to 4 MiB are a chunk, so that none is read for a few values */

static void cut(struct var *v)
{
    int rank = v->set->rank, k = 0;
    int64_t row = v->bytes; /* bytes of all dimensions behind k */
    for (k = 0; k < rank && row > BAND; k++) {
        row /= v->set->shape[k];
        v->chunk[k] = 1;
    }
    if (k == 0 || row > BAND) /* all, or a single value */
        return;
    k--;
    int64_t most = BAND / row < v->set->shape[k] ? BAND / row : v->set->shape[k], n = most;
    while (v->set->shape[k] % n != 0) /* all chunks are equally long: shorter ones would not lie evenly */
        n--;
    if (n * row >= BAND / 64) {
        v->chunk[k] = n;
        return;
    }
    for (k = 0; k < rank; k++) /* no such number */
        v->chunk[k] = v->set->shape[k] > 0 ? v->set->shape[k] : 1;
}

static void note_contiguous(struct var *v)
{
    haddr_t at = H5Dget_offset(v->id);
    /* With a user block, libhdf5 1.10.8 adds its length to "undefined". */
    if (at == HADDR_UNDEF || v->bytes == 0 || H5Dget_storage_size(v->id) == 0)
        return;
    v->to.offset = (int64_t)at;
    cut(v);
}

/* ---- chunked */

static int add_chunk(struct var *v, int64_t number, const hsize_t *at, haddr_t address, hsize_t bytes,
                     uint32_t mask)
{
    bool reaches_over = false;
    for (int i = 0; i < v->set->rank; i++)
        reaches_over |= (int64_t)at[i] + v->chunk[i] > v->set->shape[i];
    if (v->keeps_edges && reaches_over)
        mask = UINT32_MAX;
    if (address > INT64_MAX || bytes > INT64_MAX)
        return damaged(v, "a chunk");
    return v->h->to->chunk_at(v->h->to->context, number, (int64_t)address, (int64_t)bytes, mask);
}

static herr_t take_reason(unsigned n, const H5E_error2_t *error, void *is_absent)
{
    (void)n;
    *(bool *)is_absent = error->desc && strstr(error->desc, "not allocated");
    return 1;
}

/* libhdf5 has an error, and no number for it, for a chunk that was never written. */
static bool is_absent(void)
{
    bool it_is = false;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, &it_is);
    return it_is;
}

struct place { /* of the grid; bytes 0: no chunk is there */
    haddr_t address;
    hsize_t bytes;
    uint32_t mask;
};

/* libhdf5 reads the chunk, by a driver that notes where. */
static int look_up(struct var *v, const hsize_t *at, struct place *place)
{
    struct pcdf_h5 *h = v->h;
    size_t n;
    *place = (struct place){ 0 };
    if (H5Dget_chunk_storage_size(v->id, at, &place->bytes) < 0)
        return is_absent() ? NC_NOERR : damaged(v, "the index of chunks");
    if (place->bytes == 0)
        return NC_NOERR;
    if (place->bytes > (hsize_t)h->source->size)
        return damaged(v, "a chunk");
    if (place->bytes > h->raw_room) {
        free(h->raw);
        h->raw = malloc((size_t)place->bytes);
        h->raw_room = h->raw ? (size_t)place->bytes : 0;
        if (!h->raw)
            return pcdf_h5_fail(h, NC_ENOMEM, "no memory for a chunk of %s", v->set->name);
    }
    pcdf_h5_record(true);
    herr_t good = H5Dread_chunk(v->id, H5P_DEFAULT, at, &place->mask, h->raw);
    bool is_there = pcdf_h5_recorded(&place->address, &n);
    pcdf_h5_record(false);
    if (good < 0)
        return damaged(v, "the index of chunks");
    if (!is_there || n != place->bytes)
        return pcdf_h5_fail(h, NC_ENOTNC, "libhdf5 does not say where a chunk of %s/%s is", v->group,
                            v->set->name);
    return NC_NOERR;
}

static int ask_place(struct var *v, int64_t number, const hsize_t *at)
{
    struct place place;
    int err = look_up(v, at, &place);
    return err || place.bytes == 0 ? err : add_chunk(v, number, at, place.address, place.bytes, place.mask);
}

/* Each place of the grid is looked up. */
static int ask_places(struct var *v, int64_t nplaces)
{
    hsize_t at[PCDF_H5_RANK] = { 0 };
    int err = NC_NOERR;
    for (int64_t number = 0; number < nplaces && !err; number++) {
        err = ask_place(v, number, at);
        if ((number & 1023) == 0)
            v->h->to->alive(v->h->to->context);
        for (int i = v->set->rank - 1; i >= 0; i--) {
            at[i] += (hsize_t)v->chunk[i];
            if ((int64_t)at[i] < v->set->shape[i])
                break;
            at[i] = 0;
        }
    }
    return err;
}

/* Few chunks in a grid of many places: by their numbers, in the order of the index. */
struct found {
    int64_t number;
    hsize_t at[PCDF_H5_RANK];
    haddr_t address;
    hsize_t bytes;
    unsigned mask;
};

static int compare_found(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* An extensible array, the index of a variable with one unlimited dimension, counts its chunks with this
 * dimension as the first one. Where it is not, H5Dget_chunk_info of libhdf5 1.10.8 tells other places than
 * those where libhdf5 itself looks. */
static bool has_late_unlimited(const struct var *v)
{
    hsize_t most[PCDF_H5_RANK];
    int unlimited = 0;
    hid_t space = H5Dget_space(v->id);
    bool is_known = space >= 0 && H5Sget_simple_extent_dims(space, NULL, most) == v->set->rank;
    for (int i = 0; is_known && i < v->set->rank; i++)
        unlimited += most[i] == H5S_UNLIMITED;
    if (space >= 0)
        H5Sclose(space);
    return is_known && unlimited == 1 && most[0] != H5S_UNLIMITED;
}

static hsize_t user_block_of(const struct pcdf_h5 *h)
{
    hsize_t bytes = 0;
    hid_t plist = H5Fget_create_plist(h->file);
    if (plist >= 0) {
        (void)H5Pget_userblock(plist, &bytes);
        H5Pclose(plist);
    }
    return bytes;
}

/* H5Dget_chunk_info of libhdf5 1.10.8 tells addresses that do not count the user block in front of the file:
 * the first chunk shows whether it does. *is_right: false where it shows something else. */
static int add_user_block(struct var *v, struct found *all, int64_t nchunks, bool *is_right)
{
    struct place place = { 0 };
    hsize_t block = user_block_of(v->h);
    int64_t k = 0;
    while (k < nchunks && (all[k].number < 0 || all[k].bytes == 0))
        k++;
    if (block == 0 || k == nchunks)
        return NC_NOERR;
    int err = look_up(v, all[k].at, &place);
    if (err)
        return err;
    *is_right = place.address == all[k].address || place.address == all[k].address + block;
    if (place.address == all[k].address)
        return NC_NOERR;
    for (k = 0; k < nchunks; k++) {
        if (all[k].number >= 0 && all[k].address > INT64_MAX - block)
            return damaged(v, "a chunk");
        all[k].address += block;
    }
    return NC_NOERR;
}

/* Does libhdf5 look for each chunk where it was told to be? */
static int check_chunks(struct var *v, const struct found *all, int64_t nchunks, bool *is_right)
{
    *is_right = true;
    for (int64_t k = 0; k < nchunks && *is_right; k++) {
        struct place place = { 0 };
        if (all[k].number >= 0) {
            int err = look_up(v, all[k].at, &place);
            if (err)
                return err;
        }
        *is_right = all[k].number >= 0 && place.bytes == all[k].bytes && place.address == all[k].address;
        v->h->to->alive(v->h->to->context);
    }
    return NC_NOERR;
}

static int ask_chunks(struct var *v, int64_t nchunks, int64_t nplaces)
{
    int err = NC_NOERR;
    bool is_right = true;
    hid_t space = H5Dget_space(v->id);
    struct found *all = calloc((size_t)nchunks + 1, sizeof *all);
    if (!all || space < 0)
        err = pcdf_h5_fail(v->h, NC_ENOMEM, "no memory for the chunks of %s", v->set->name);
    for (int64_t k = 0; k < nchunks && !err; k++) {
        struct found *f = &all[k];
        if (H5Dget_chunk_info(v->id, space, (hsize_t)k, f->at, &f->mask, &f->address, &f->bytes) < 0)
            err = damaged(v, "the index of chunks");
        for (int i = 0; i < v->set->rank && !err; i++) {
            if ((int64_t)f->at[i] >= v->set->shape[i] || f->at[i] % (hsize_t)v->chunk[i])
                f->number = -1;
            f->number = f->number < 0 ? -1 : f->number * v->grid[i] + (int64_t)f->at[i] / v->chunk[i];
        }
        v->h->to->alive(v->h->to->context);
    }
    if (!err)
        err = add_user_block(v, all, nchunks, &is_right);
    if (!err && is_right && has_late_unlimited(v))
        err = check_chunks(v, all, nchunks, &is_right);
    if (!err && !is_right)
        err = ask_places(v, nplaces);
    nchunks = is_right ? nchunks : 0;
    if (!err)
        qsort(all, (size_t)nchunks, sizeof *all, compare_found);
    for (int64_t k = 0; k < nchunks && !err; k++)
        if (all[k].number >= 0 && all[k].bytes > 0)
            err = add_chunk(v, all[k].number, all[k].at, all[k].address, all[k].bytes, all[k].mask);
    if (space >= 0)
        H5Sclose(space);
    free(all);
    return err;
}

/* false: its shape in chunks is damaged. */
static bool note_grid(struct var *v, int64_t *nplaces)
{
    hsize_t chunk[PCDF_H5_RANK];
    unsigned options = 0;
    if (H5Pget_chunk(v->plist, PCDF_H5_RANK, chunk) != v->set->rank ||
        H5Pget_chunk_opts(v->plist, &options) < 0)
        return false;
    v->keeps_edges = options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS;
    *nplaces = 1;
    for (int i = 0; i < v->set->rank; i++) {
        if (chunk[i] == 0 || chunk[i] > INT64_MAX / 16)
            return false;
        v->chunk[i] = (int64_t)chunk[i];
        v->grid[i] = v->set->shape[i] / v->chunk[i] + (v->set->shape[i] % v->chunk[i] != 0);
        if (__builtin_mul_overflow(*nplaces, v->grid[i], nplaces))
            *nplaces = INT64_MAX;
    }
    return true;
}

static int note_chunks(struct var *v, bool *is_out)
{
    int64_t nplaces;
    hsize_t nchunks = 0;
    hid_t space = H5Dget_space(v->id);
    if (!note_grid(v, &nplaces) || space < 0)
        return damaged(v, "the chunks");
    if (nplaces > 0 && H5Dget_num_chunks(v->id, space, &nchunks) < 0) {
        H5Sclose(space);
        return damaged(v, "the index of chunks");
    }
    H5Sclose(space);
    v->to.has_table = 1;
    if (nchunks == 0)
        return NC_NOERR;
    if (nchunks > (hsize_t)v->h->source->size)
        return damaged(v, "the index of chunks");
    if (nchunks < FEW && nplaces / SPARSE > (int64_t)nchunks)
        return ask_chunks(v, (int64_t)nchunks, nplaces);
    *is_out = nplaces > MOST_PLACES;
    return *is_out ? left_out(v, "it has more than 2^30 places for chunks") : ask_places(v, nplaces);
}

/* ---- all of it */

/* A value for what was not written; without one in the file, and of longer texts, it is zero. */
static int note_fill(struct var *v, void *fill)
{
    H5D_fill_value_t state;
    if (v->type.stored == PCDF_STORED_TEXT && (v->type.is_varying || v->type.size > 1))
        return NC_NOERR;
    if (H5Pfill_value_defined(v->plist, &state) < 0)
        return damaged(v, "the fill value");
    if (state != H5D_FILL_VALUE_UNDEFINED && H5Pget_fill_value(v->plist, v->hdf_type, fill) < 0)
        return damaged(v, "the fill value");
    pcdf_h5_to_native(&v->type, fill, 1);
    v->to.fill = fill;
    return NC_NOERR;
}

static bool count_values(struct var *v)
{
    v->values = 1;
    for (int i = 0; i < v->set->rank; i++)
        if (__builtin_mul_overflow(v->values, v->set->shape[i], &v->values))
            return false;
    return !__builtin_mul_overflow(v->values, (int64_t)v->type.size, &v->bytes);
}

static int define(struct var *v)
{
    unsigned char fill[8] = { 0 };
    char *values = NULL;
    bool is_out = false;
    int dims[PCDF_H5_RANK], id = -1, err = note_fill(v, fill);
    H5D_layout_t layout = H5Pget_layout(v->plist);
    const char *reason = note_codecs(v);
    if (!err && (!reason || *reason))
        return reason ? left_out(v, reason) : damaged(v, "the filters");
    for (int i = 0; i < v->set->rank; i++) {
        dims[i] = v->h->dims[v->set->dims[i]].id;
        v->chunk[i] = v->set->shape[i] > 0 ? v->set->shape[i] : 1;
    }
    v->to.dims = dims;
    v->to.is_contiguous = layout != H5D_CHUNKED;
    if (!err && (v->type.is_varying || layout == H5D_COMPACT)) {
        err = take_inline(v, &values);
        is_out = values == NULL;
    } else if (!err && layout == H5D_CHUNKED) {
        err = note_chunks(v, &is_out);
    } else if (!err) {
        note_contiguous(v);
    }
    if (!err && !is_out)
        err = v->h->to->var(v->h->to->context, &v->to, &id);
    free(values);
    return err || id < 0 ? err : pcdf_h5_atts(v->h, v->id, v->group, id, v->set->name, v->set->is_scale);
}

static int make_var(struct var *v)
{
    if (v->type.reason)
        return left_out(v, v->type.reason);
    if (!count_values(v))
        return left_out(v, "it is too large");
    v->to = (struct pcdf_map_var){ .group = v->group,
                                   .name = v->set->name,
                                   .ndims = v->set->rank,
                                   .shape = v->set->shape,
                                   .chunk = v->chunk,
                                   .stored = (int)v->type.stored,
                                   .size = v->type.size,
                                   .is_big = v->type.is_big,
                                   .offset = -1 };
    return define(v);
}

int pcdf_h5_var(struct pcdf_h5 *h, const struct pcdf_h5_set *set)
{
    struct var v = { .h = h, .set = set, .group = h->groups[set->group].path };
    int err;
    if (set->is_dim_alone)
        return NC_NOERR;
    if (set->reason)
        return left_out(&v, set->reason);
    v.id = H5Oopen_by_addr(h->file, set->address);
    v.plist = v.id < 0 ? -1 : H5Dget_create_plist(v.id);
    v.hdf_type = v.id < 0 ? -1 : H5Dget_type(v.id);
    if (v.plist < 0 || v.hdf_type < 0) {
        err = damaged(&v, "the storage");
    } else {
        v.type = pcdf_h5_type_of(v.hdf_type);
        err = make_var(&v);
    }
    if (v.hdf_type >= 0)
        H5Tclose(v.hdf_type);
    if (v.plist >= 0)
        H5Pclose(v.plist);
    if (v.id >= 0)
        H5Dclose(v.id);
    return err;
}
