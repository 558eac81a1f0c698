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
    for (int i = 0; i < image->nstores; i++) {
        pcdf_free(image->stores[i].name);
        pcdf_bond_free(&image->stores[i].bond);
    }
    pcdf_free(image->vars);
    pcdf_free(image->stores);
    for (int i = 0; image->chain_names && i < image->nchains; i++)
        pcdf_free(image->chain_names[i]);
    pcdf_free(image->chain_names);
    pcdf_names_free(image->of_stores);
    pcdf_names_free(image->of_chains);
    pcdf_free(image->chains);
    pcdf_free(image->header);
    pcdf_free(image->left_out);
    if (!image->is_lent) {
        pcdf_layout_free(&image->layout);
        pcdf_meta_free(&image->meta);
    }
    *image = (struct pcdf_image){ .kind = image->kind };
}

/* Room for one more at the end of a list that has n: it is doubled where that is a power of two. */
static int add_room(void *list, int n, size_t size, const char *what)
{
    void **to = list;
    if (n > 0 && (n & (n - 1)) != 0)
        return NC_NOERR;
    void *more = pcdf_realloc(*to, (n > 0 ? 2 * (size_t)n : 1) * size);
    if (!more)
        return PCDF_FAIL(NC_ENOMEM, "no memory for %d %s", n + 1, what);
    *to = more;
    return NC_NOERR;
}

int pcdf_image_store_bound(struct pcdf_image *image, const char *name, const struct pcdf_bond *bond,
                           const struct pcdf_pin *pin, int *store)
{
    int n = image->nstores;
    if (!image->of_stores)
        PCDF_TRY(pcdf_names_new(&image->of_stores, 16));
    PCDF_TRY(add_room(&image->stores, n, sizeof *image->stores, "stores"));
    struct pcdf_image_store *s = &image->stores[n];
    *s = (struct pcdf_image_store){ .pin = pin ? *pin : (struct pcdf_pin){ .size = -1 } };
    PCDF_TRY(pcdf_bond_copy(bond, &s->bond));
    s->name = pcdf_strndup(name, strlen(name));
    s->known_as = s->bond.whole ? s->bond.whole : s->name;
    int err = s->name ? pcdf_names_enter(image->of_stores, s->known_as, strlen(s->known_as), n,
                                         &image->stores->known_as, sizeof *s, store)
                      : PCDF_FAIL(NC_ENOMEM, "no memory for the name of %s", name);
    if (err || *store >= 0) {
        pcdf_free(s->name);
        pcdf_bond_free(&s->bond);
        return err;
    }
    *store = image->nstores++;
    return NC_NOERR;
}

int pcdf_image_store(struct pcdf_image *image, const char *name, const struct pcdf_pin *pin, int *store)
{
    return pcdf_image_store_bound(image, name, &(struct pcdf_bond){ 0 }, pin, store);
}

int pcdf_image_store_open(struct pcdf_image *image, const struct pcdf_store *open, const struct pcdf_pin *pin,
                          int *store)
{
    return pcdf_image_store_bound(image, pcdf_store_name(open), pcdf_store_bond(open), pin, store);
}

/* All that a chain is: two that are equal have one name, and others have not. */
static char *name_of_chain(const struct pcdf_chain *chain)
{
    enum { OF_NUMBER = 12, OF_CODEC = OF_NUMBER * (2 + PCDF_CODEC_PARAMS) + PCDF_CODEC_NAME };
    char text[OF_CODEC * PCDF_CHAIN_MOST + 1] = "";
    size_t n = 0;
    for (int i = 0; i < chain->n; i++) {
        const struct pcdf_codec *c = &chain->x[i];
        n += (size_t)snprintf(text + n, sizeof text - n, "%d:%d", (int)c->id, c->nparams);
        for (int k = 0; k < c->nparams; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, ",%u", (unsigned)c->params[k]);
        n += (size_t)snprintf(text + n, sizeof text - n, "\n%s\n", c->name);
    }
    return pcdf_strndup(text, n);
}

int pcdf_image_chain(struct pcdf_image *image, const struct pcdf_chain *chain, int *number)
{
    int n = image->nchains;
    if (!image->of_chains)
        PCDF_TRY(pcdf_names_new(&image->of_chains, 16));
    PCDF_TRY(add_room(&image->chains, n, sizeof *image->chains, "chains of codecs"));
    PCDF_TRY(add_room(&image->chain_names, n, sizeof *image->chain_names, "chains of codecs"));
    char *name = image->chain_names[n] = name_of_chain(chain);
    if (!name)
        return PCDF_FAIL(NC_ENOMEM, "no memory for %d chains of codecs", n + 1);
    int err = pcdf_names_enter(image->of_chains, name, strlen(name), n, image->chain_names,
                               sizeof *image->chain_names, number);
    if (!err && *number < 0 && n == PCDF_MOST_CHAINS)
        err = PCDF_FAIL(NC_ENOTSUPPORT, "its variables have more than %d different chains of codecs",
                        PCDF_MOST_CHAINS);
    else if (!err && *number < 0) {
        image->chains[n] = *chain;
        *number = image->nchains++;
        return NC_NOERR;
    }
    pcdf_free(name);
    return err;
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
    return pcdf_layout_build(&image->layout, &image->meta, NULL, &none);
}

int pcdf_image_write_header(struct pcdf_image *image)
{
    image->header_size = pcdf_encode_size(&image->meta);
    image->header = pcdf_malloc((size_t)image->header_size);
    if (!image->header)
        return PCDF_FAIL(NC_ENOMEM, "no memory for a header of %lld bytes", (long long)image->header_size);
    pcdf_encode(&image->meta, &image->layout, image->header);
    return NC_NOERR;
}
