/* Chunks that others wrote are entered in the index of their data set: libhdf5 is told to write them, asks
 * the driver for a place, and gets the one where they are (h5pages.c). */

#include "h5metafile.h"
#include "codes.h"

struct entering { /* the variable whose chunks they are */
    struct pcdf_h5_meta *m;
    const struct pcdf_defined_var *var;
    struct pcdf_h5_stored *stored;
    hid_t set;
    int64_t grid[H5S_MAX_RANK], bytes; /* of a chunk */
};

static const char nothing[1]; /* libhdf5 wants a pointer, which is never used */

/* Where the chunk begins; false: there is none with this number. */
static bool corner(const struct entering *e, int64_t number, hsize_t *at)
{
    for (int i = e->var->ndims - 1; i > 0; i--) {
        at[i] = (hsize_t)(number % e->grid[i] * e->var->chunk[i]);
        number /= e->grid[i];
    }
    at[0] = (hsize_t)(number * e->var->chunk[0]);
    return number >= 0 && number < e->grid[0];
}

/* Of the chunk that is there now; length 0: there is none. */
static void look_up(const struct entering *e, const hsize_t *at, int64_t *offset, int64_t *length,
                    uint32_t *mask)
{
    char *buffer = (char *)nothing;
    pcdf_h5_pages_look();
    herr_t err = H5Dread_chunk(e->set, H5P_DEFAULT, at, mask, buffer);
    if (!pcdf_h5_pages_seen(offset, length) || err < 0)
        *length = 0;
}

static int write_entry(const struct entering *e, const hsize_t *at, const struct pcdf_written_chunk *c,
                       int64_t length, int64_t freed, int64_t freed_length)
{
    pcdf_h5_pages_place(c->offset, length, freed, freed_length);
    herr_t err = H5Dwrite_chunk(e->set, H5P_DEFAULT, c->mask, at, (size_t)length, nothing);
    return !pcdf_h5_pages_placed() || err < 0 ? pcdf_h5_meta_refused(e->m, "a chunk of", e->var->name)
                                              : NC_NOERR;
}

/* libhdf5 takes a new place only for a chunk of another size. So one of the same size is entered twice. */
static int replace(const struct entering *e, const hsize_t *at, const struct pcdf_written_chunk *c,
                   int64_t offset, int64_t length, uint32_t mask)
{
    if (offset == c->offset && length == c->length && mask == c->mask)
        return NC_NOERR;
    if (e->var->ncodecs == 0)
        return pcdf_h5_meta_fail(e->m, NC_EWRITE,
                                 "%s: a chunk that is not encoded stays where it is: chunk %lld",
                                 e->var->name, (long long)c->number);
    if (length == c->length) {
        int64_t other = length > 1 ? length - 1 : length + 1;
        int err = write_entry(e, at, c, other, offset, length);
        if (err)
            return err;
        offset = c->offset;
        length = other;
    }
    return write_entry(e, at, c, c->length, offset, length);
}

static int enter(const struct entering *e, const struct pcdf_written_chunk *c)
{
    hsize_t at[H5S_MAX_RANK];
    int64_t offset = -1, length = 0;
    uint32_t mask = 0;
    bool is_whole = e->var->ncodecs > 0 || c->length == e->bytes;
    if (c->offset <= 0 || c->length <= 0 || c->length > UINT32_MAX || !is_whole || !corner(e, c->number, at))
        return pcdf_h5_meta_fail(e->m, NC_EWRITE, "%s: there can be no chunk %lld of %lld bytes",
                                 e->var->name, (long long)c->number, (long long)c->length);
    if (c->number <= e->stored->newest)
        look_up(e, at, &offset, &length, &mask);
    else
        e->stored->newest = c->number;
    return length > 0 ? replace(e, at, c, offset, length, mask) : write_entry(e, at, c, c->length, -1, 0);
}

static int begin(struct entering *e, int number)
{
    const struct pcdf_definitions *d = e->m->now;
    e->set = -1;
    e->var = number >= 0 && number < d->nvars ? &d->vars[number] : NULL;
    if (!e->var || !e->var->chunk || e->var->ndims < 1)
        return pcdf_h5_meta_fail(e->m, NC_EWRITE, "variable %d has no chunks", number);
    e->stored = &e->m->vars[number];
    e->bytes = (int64_t)H5Tget_size(pcdf_h5_memory_type(e->var->type));
    for (int i = 0; i < e->var->ndims; i++) {
        const struct pcdf_defined_dim *dim = &d->dims[e->var->dims[i]];
        int64_t length = dim->is_unlimited ? e->stored->rows : dim->length;
        e->grid[i] = length / e->var->chunk[i] + (length % e->var->chunk[i] != 0);
        e->bytes *= e->var->chunk[i];
    }
    e->set = H5Oopen_by_addr(e->m->file, e->stored->address);
    return e->set < 0 ? pcdf_h5_meta_refused(e->m, "variable", e->var->name) : NC_NOERR;
}

int pcdf_h5_enter(struct pcdf_h5_meta *m, int64_t n, const struct pcdf_written_chunk *entries)
{
    int err = NC_NOERR;
    for (int64_t i = 0; i < n && !err;) {
        struct entering e = { .m = m };
        int number = entries[i].var;
        err = begin(&e, number);
        for (; i < n && !err && entries[i].var == number; i++) {
            err = enter(&e, &entries[i]);
            m->host->alive(m->host->context);
        }
        if (e.set >= 0 && H5Dclose(e.set) < 0 && !err)
            err = pcdf_h5_meta_refused(m, "variable", e.var->name);
    }
    return err;
}
