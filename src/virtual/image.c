/* See image.h. */

#include "image.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "encode.h"
#include "status.h"

enum { MOST_LEFT_OUT = 1 << 16 /* bytes */ };

static const struct {
    const char *name;
    int format; /* NC_FORMAT_* of netcdf.h */
} kinds[PCDF_SOURCES] = {
    [PCDF_SOURCE_CLASSIC] = { "netCDF classic file", 1 },
    [PCDF_SOURCE_HDF5] = { "HDF5 file", 3 },
    [PCDF_SOURCE_NETCDF4] = { "netCDF-4 file", 3 },
    [PCDF_SOURCE_NETCDF4_CLASSIC] = { "netCDF-4 classic model file", 4 },
    [PCDF_SOURCE_HDF4] = { "HDF4 file", 3 },
    [PCDF_SOURCE_NCZARR] = { "NCZarr store", 3 },
    [PCDF_SOURCE_ZARR2] = { "Zarr store of version 2", 3 },
    [PCDF_SOURCE_ZARR3] = { "Zarr store of version 3", 3 },
    [PCDF_SOURCE_KERCHUNK] = { "file of kerchunk references", 3 },
};

const char *pcdf_source_kind_name(enum pcdf_source_kind kind)
{
    return (unsigned)kind < PCDF_SOURCES ? kinds[kind].name : "file of an unknown format";
}

/* The letters H and N are spoken "aitch" and "en". */
const char *pcdf_source_kind_article(enum pcdf_source_kind kind)
{
    const char *name = pcdf_source_kind_name(kind);
    return name[0] == 'H' || name[0] == 'N' ? "an" : "a";
}

int pcdf_source_kind_format(enum pcdf_source_kind kind)
{
    return (unsigned)kind < PCDF_SOURCES ? kinds[kind].format : 0;
}

void pcdf_image_init(struct pcdf_image *image, enum pcdf_source_kind kind)
{
    *image = (struct pcdf_image){ .kind = kind };
    pcdf_meta_init(&image->meta, PCDF_CDF5);
}

void pcdf_image_free(struct pcdf_image *image)
{
    for (int i = 0; i < image->nvars; i++) {
        pcdf_free(image->vars[i].shape);
        pcdf_free(image->vars[i].chunk);
        pcdf_free(image->vars[i].order);
        pcdf_chunkmap_free(&image->vars[i].map);
    }
    for (int i = 0; i < image->nstores; i++)
        pcdf_free(image->stores[i].name);
    pcdf_free(image->vars);
    pcdf_free(image->stores);
    pcdf_free(image->chains);
    pcdf_free(image->header);
    pcdf_free(image->left_out);
    pcdf_layout_free(&image->layout);
    pcdf_meta_free(&image->meta);
    *image = (struct pcdf_image){ .kind = image->kind };
}

int pcdf_image_store(struct pcdf_image *image, const char *name, const struct pcdf_pin *pin, int *store)
{
    for (int i = 0; i < image->nstores; i++)
        if (!strcmp(image->stores[i].name, name)) {
            *store = i;
            return NC_NOERR;
        }
    struct pcdf_image_store *more = pcdf_realloc(image->stores, ((size_t)image->nstores + 1) * sizeof *more);
    if (!more)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the names of %d stores", image->nstores + 1);
    image->stores = more;
    char *copy = pcdf_strndup(name, strlen(name));
    if (!copy)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the names of %d stores", image->nstores + 1);
    more[image->nstores] = (struct pcdf_image_store){ copy, pin ? *pin : (struct pcdf_pin){ .size = -1 } };
    *store = image->nstores++;
    return NC_NOERR;
}

static bool is_same_chain(const struct pcdf_chain *a, const struct pcdf_chain *b)
{
    bool same = a->n == b->n;
    for (int i = 0; same && i < a->n; i++)
        same = a->x[i].id == b->x[i].id && a->x[i].nparams == b->x[i].nparams &&
               !memcmp(a->x[i].params, b->x[i].params, (size_t)a->x[i].nparams * sizeof *a->x[i].params) &&
               !strcmp(a->x[i].name, b->x[i].name);
    return same;
}

int pcdf_image_chain(struct pcdf_image *image, const struct pcdf_chain *chain, int *number)
{
    for (int i = 0; i < image->nchains; i++)
        if (is_same_chain(&image->chains[i], chain)) {
            *number = i;
            return NC_NOERR;
        }
    struct pcdf_chain *more = pcdf_realloc(image->chains, ((size_t)image->nchains + 1) * sizeof *more);
    if (!more)
        return PCDF_FAIL(NC_ENOMEM, "no memory for %d chains of codecs", image->nchains + 1);
    image->chains = more;
    more[image->nchains] = *chain;
    *number = image->nchains++;
    return NC_NOERR;
}

int pcdf_image_left_out(struct pcdf_image *image, const char *format, ...)
{
    char line[400];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    size_t length = n < (int)sizeof line ? (size_t)(n < 0 ? 0 : n) : sizeof line - 1,
           had = image->left_out ? strlen(image->left_out) : 0;
    if (had + length + 2 > MOST_LEFT_OUT) { /* enough was told */
        if (had > 3 && strcmp(image->left_out + had - 4, "...\n") != 0)
            memcpy(image->left_out + had - 4, "...\n", 4);
        return NC_NOERR;
    }
    char *more = pcdf_realloc(image->left_out, had + length + 2);
    if (!more)
        return PCDF_FAIL(NC_ENOMEM, "no memory to tell what was left out");
    image->left_out = more;
    memcpy(more + had, line, length);
    memcpy(more + had + length, "\n", 2);
    return NC_NOERR;
}

bool pcdf_image_is_loss(const char *line, size_t length)
{
    static const char end[] = PCDF_IMAGE_HERE;
    size_t n = sizeof end - 1;
    return length < n || memcmp(line + length - n, end, n) != 0 ||
           !memmem(line, length, PCDF_IMAGE_IS_CALLED, sizeof PCDF_IMAGE_IS_CALLED - 1);
}

int pcdf_image_finish(struct pcdf_image *image)
{
    static const struct pcdf_alignment none;
    PCDF_TRY(pcdf_layout_build(&image->layout, &image->meta, NULL, &none));
    image->header_size = pcdf_encode_size(&image->meta);
    image->header = pcdf_malloc((size_t)image->header_size);
    if (!image->header)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a header of %lld bytes", (long long)image->header_size);
    pcdf_encode(&image->meta, &image->layout, image->header);
    return NC_NOERR;
}
