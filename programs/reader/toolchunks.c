/* See toolchunks.h. */
#include "toolchunks.h"
#include "array.h"
#include "grid.h"
#include "numbers.h"
#include "toolfile.h"
#include "virtualstorage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct place {
    int64_t begin, end;
    int var;
};

struct places {
    PCDF_ARRAY(struct place) list;
    int64_t size;           /* bytes of the file */
    int var;                /* that is looked at */
    int64_t outside, first; /* chunks of it; where the first one begins */
};

struct report {
    const struct pcdf_image *image;
    pcdf_found *found;
    void *context;
    struct pcdf_check_result *result;
};

/* Chunks mostly lie behind each other, and are one place then. */
static int take(void *context, int64_t offset, int64_t length)
{
    struct places *p = context;
    if (length <= 0)
        return NC_NOERR;
    if (offset < 0 || length > p->size || offset > p->size - length) {
        p->first = p->outside++ ? p->first : offset;
        return NC_NOERR;
    }
    struct place *last = p->list.n > 0 ? &p->list.x[p->list.n - 1] : NULL;
    if (last && last->var == p->var && last->end == offset) {
        last->end += length;
        return NC_NOERR;
    }
    PCDF_TRY(PCDF_RESERVE(&p->list, p->list.n + 1));
    p->list.x[p->list.n++] = (struct place){ offset, offset + length, p->var };
    return NC_NOERR;
}

static int by_begin(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static void report(const struct report *r, int64_t offset, const char *rule, const char *text)
{
    const struct pcdf_finding finding = {
        .severity = PCDF_FOUND_ERROR, .code = NC_EREAD, .offset = offset, .rule = rule, .text = text
    };
    r->result->count[PCDF_FOUND_ERROR]++;
    r->found(r->context, &finding);
}

/* Those of one variable. A damaged map may count more chunks than there are bytes. */
static int look_at_var(const struct report *r, struct places *p)
{
    const struct pcdf_chunked *v = &r->image->vars[p->var];
    char text[NC_MAX_NAME + 200];
    int64_t n = 1;
    p->outside = 0;
    for (int i = 0; i < v->ndims; i++)
        n = pcdf_product(n, v->shape[i] / v->chunk[i] + (v->shape[i] % v->chunk[i] != 0));
    if (v->map.kind == PCDF_MAP_LINEAR && n > p->size)
        p->outside = n - p->size;
    else
        PCDF_TRY(pcdf_chunkmap_each(&v->map, n, take, p));
    if (p->outside == 0)
        return NC_NOERR;
    snprintf(text, sizeof text,
             "%" PRId64 " of the chunks of variable \"%s\" lie outside of the file, which has %" PRId64
             " bytes",
             p->outside, r->image->meta.vars[p->var].name, p->size);
    report(r, p->first, "OUTSIDE", text);
    return NC_NOERR;
}

static void look_for_overlaps(const struct report *r, struct places *p)
{
    const struct place *longest = NULL, *one = NULL, *other = NULL;
    char text[2 * NC_MAX_NAME + 200];
    int64_t n = 0;
    if (p->list.n > 1)
        qsort(p->list.x, p->list.n, sizeof *p->list.x, by_begin);
    for (size_t i = 0; i < p->list.n; i++) {
        const struct place *x = &p->list.x[i];
        if (longest && x->begin < longest->end) {
            one = n ? one : longest;
            other = n++ ? other : x;
        }
        longest = longest && longest->end >= x->end ? longest : x;
    }
    if (n == 0)
        return;
    snprintf(text, sizeof text,
             "chunks lie over each other, %" PRId64 " times; the first time those of \"%s\" and \"%s\"", n,
             r->image->meta.vars[one->var].name, r->image->meta.vars[other->var].name);
    report(r, other->begin, "CHUNK_OVERLAP", text);
}

static bool is_hdf5(const struct pcdf_image *image)
{
    return image->nstores == 1 && (image->kind == PCDF_SOURCE_HDF5 || image->kind == PCDF_SOURCE_NETCDF4 ||
                                   image->kind == PCDF_SOURCE_NETCDF4_CLASSIC);
}

int pcdf_tool_chunks_places(const struct pcdf_tool_source *source, pcdf_found *found, void *context,
                            struct pcdf_check_result *result)
{
    const struct pcdf_image *image = source->image;
    const struct report r = { image, found, context, result };
    struct places p = { .size = INT64_MAX };
    int err = NC_NOERR;
    if (!is_hdf5(image))
        return NC_NOERR;
    if (image->stores[0].pin.size >= 0)
        p.size = image->stores[0].pin.size;
    for (; !err && p.var < image->nvars; p.var++)
        err = look_at_var(&r, &p);
    if (!err)
        look_for_overlaps(&r, &p);
    pcdf_free(p.list.x);
    return err;
}

/* ---- room */

static int add_room(void *context, int64_t offset, int64_t length)
{
    struct pcdf_tool_chunks_room *room = context;
    if (offset < 0 || length < 0 || length > room->file - room->values)
        return NC_EREAD;
    room->values += length;
    room->nchunks += length > 0;
    return NC_NOERR;
}

bool pcdf_tool_chunks_measure(const struct pcdf_tool_source *source, struct pcdf_tool_chunks_room *room)
{
    const struct pcdf_image *image = source ? source->image : NULL;
    *room = (struct pcdf_tool_chunks_room){ 0 };
    if (!image || !is_hdf5(image) || image->stores[0].pin.size <= 0)
        return false;
    room->file = image->stores[0].pin.size;
    for (int i = 0; i < image->nvars; i++) {
        const struct pcdf_chunked *v = &image->vars[i];
        int64_t n = pcdf_grid_chunks(v->ndims, v->shape, v->chunk);
        if ((v->map.kind == PCDF_MAP_LINEAR && n > room->file) ||
            pcdf_chunkmap_each(&v->map, n, add_room, room))
            return false;
    }
    return true;
}

/* ---- reading */

const char *pcdf_tool_chunks_kind(const struct pcdf_tool_source *source)
{
    return pcdf_source_kind_name(source->image->kind);
}

/* Along a dimension of a variable. */
static int64_t chunks_along(const struct pcdf_meta *meta, int varid, int i, const int64_t *chunk)
{
    int64_t length = pcdf_tool_dim_length(meta, meta->vars[varid].dimids[i]);
    return length / chunk[i] + (length % chunk[i] != 0);
}

int64_t pcdf_tool_chunks_count(const struct pcdf_tool_source *source, int varid)
{
    int ndims = 0;
    const int64_t *chunk = pcdf_virtual_chunk(source->storage, varid, &ndims);
    int64_t n = chunk ? 1 : 0;
    for (int i = 0; i < ndims && n > 0; i++)
        n = pcdf_product(n, chunks_along(&source->image->meta, varid, i, chunk));
    return n;
}

/* One value of it, for which all of it is decoded. */
int pcdf_tool_chunks_read(const struct pcdf_tool_source *source, int varid, int64_t number)
{
    const struct pcdf_meta *meta = &source->image->meta;
    int64_t start[PCDF_MOST_DIMS], count[PCDF_MOST_DIMS];
    char value[8];
    int ndims = 0;
    const int64_t *chunk = pcdf_virtual_chunk(source->storage, varid, &ndims);
    for (int i = ndims - 1; i >= 0; i--) {
        int64_t n = chunks_along(meta, varid, i, chunk);
        start[i] = number % n * chunk[i];
        count[i] = 1;
        number /= n;
    }
    const struct pcdf_box box = { varid, start, count, NULL, value };
    const struct pcdf_boxes boxes = { .n = 1, .x = &box, .nbytes = pcdf_type_size(meta->vars[varid].type) };
    return pcdf_storage_get_boxes(source->storage, &boxes);
}
