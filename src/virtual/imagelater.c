/* See imagelater.h. */

#include "imagelater.h"
#include <string.h>
#include "grid.h"
#include "source.h"
#include "status.h"

static bool same_chain(const struct pcdf_chain *a, const struct pcdf_chain *b)
{
    bool is = a->n == b->n;
    for (int i = 0; is && i < a->n; i++)
        is = a->x[i].id == b->x[i].id && a->x[i].nparams == b->x[i].nparams &&
             !memcmp(a->x[i].params, b->x[i].params, sizeof a->x[i].params);
    return is;
}

static bool same_codecs(const struct pcdf_image *image, const struct pcdf_chunked *v,
                        const struct pcdf_image *later, const struct pcdf_chunked *w)
{
    if (v->chain < 0 || w->chain < 0)
        return v->chain < 0 && w->chain < 0;
    return same_chain(&image->chains[v->chain], &later->chains[w->chain]);
}

/* Along the first dimension it may have grown, which does not change the numbers of chunks. */
static bool same_form(const struct pcdf_chunked *v, const struct pcdf_chunked *w)
{
    bool is = v->ndims == w->ndims && v->stored == w->stored && v->size == w->size &&
              v->is_big == w->is_big && v->is_contiguous == w->is_contiguous && !v->order && !w->order &&
              !memcmp(v->fill, w->fill, sizeof v->fill);
    for (int i = 0; is && i < v->ndims; i++)
        is = v->chunk[i] == w->chunk[i] && (i == 0 ? v->shape[i] <= w->shape[i] : v->shape[i] == w->shape[i]);
    return is;
}

/* Chunks that were not there may be by now: the image goes on to show fill. */
static bool same_places(const struct pcdf_chunked *v, const struct pcdf_chunked *w)
{
    struct pcdf_chunk_cursor cursor = { 0 }, later = { 0 };
    struct pcdf_chunk_place was, is;
    int64_t grid[PCDF_MOST_DIMS];
    if (v->map.kind == PCDF_MAP_NONE)
        return true;
    if (v->map.kind == PCDF_MAP_INLINE)
        return w->map.kind == PCDF_MAP_INLINE && v->map.nbytes == w->map.nbytes &&
               !memcmp(v->map.bytes, w->map.bytes, (size_t)v->map.nbytes);
    if (v->map.kind != PCDF_MAP_LINEAR && v->map.kind != PCDF_MAP_TABLE)
        return false;
    for (int i = 0; i < v->ndims; i++)
        grid[i] = v->shape[i] / v->chunk[i] + (v->shape[i] % v->chunk[i] != 0);
    int64_t n = pcdf_grid_count(v->ndims, grid);
    for (int64_t i = 0; i < n; i++) {
        if (pcdf_chunkmap_find(&v->map, &cursor, v->ndims, grid, i, &was) ||
            pcdf_chunkmap_find(&w->map, &later, v->ndims, grid, i, &is))
            return false;
        if (was.store >= 0 &&
            (is.store < 0 || is.offset != was.offset || is.length != was.length || is.mask != was.mask))
            return false;
    }
    return true;
}

bool pcdf_image_holds(const struct pcdf_image *image, const struct pcdf_image *later)
{
    bool holds = image->nvars <= later->nvars;
    for (int i = 0; holds && i < image->nvars; i++) {
        const struct pcdf_var *a = &image->meta.vars[i], *b = &later->meta.vars[i];
        const struct pcdf_chunked *v = &image->vars[i], *w = &later->vars[i];
        holds = !strcmp(a->name, b->name) && a->type == b->type && same_form(v, w) &&
                same_codecs(image, v, later, w) && same_places(v, w);
    }
    return holds;
}

int pcdf_image_open_grown(const struct pcdf_image *image, struct pcdf_store **store)
{
    struct pcdf_source source;
    struct pcdf_image later;
    struct pcdf_pin pin;
    const char *name = image->stores[0].name;
    PCDF_TRY(pcdf_source_look_to_read(name, &source));
    int err = source.kind == PCDF_SOURCE_HDF5 ? pcdf_source_map(name, &source, &later) : NC_EREAD;
    bool holds = !err && !pcdf_store_pin(source.store, &pin) &&
                 pcdf_pin_is_grown(&image->stores[0].pin, &pin) && pcdf_image_holds(image, &later);
    if (!err)
        pcdf_image_free(&later);
    if (!holds && (!err || err == NC_EREAD))
        err = PCDF_FAIL(NC_EREAD,
                        "%s has been changed or replaced since it was opened, and values lie elsewhere now",
                        name);
    if (!err) {
        *store = source.store;
        source.store = NULL;
    }
    pcdf_source_close(&source);
    return err;
}
