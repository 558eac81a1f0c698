/* Takes every write, reads zeros and only remembers the size, as this process knows it: what is left over is
 * the library's own cost. */

#include "storage.h"
#include <string.h>
#include "alloc.h"
#include "status.h"

static int null_put(struct pcdf_storage *s, const struct pcdf_piece *pieces, size_t n)
{
    (void)pieces;
    s->counts->write_at += (int64_t)n;
    return NC_NOERR;
}

static int null_get(struct pcdf_storage *s, const struct pcdf_piece *pieces, size_t n, int64_t *got)
{
    s->counts->read_at += (int64_t)n;
    for (size_t i = 0; i < n; i++) {
        int64_t there = s->reach - pieces[i].offset;
        *got += there < 0 ? 0 : there < pieces[i].length ? there : pieces[i].length;
        memset(pieces[i].data, 0, (size_t)pieces[i].length);
    }
    return NC_NOERR;
}

static int null_size(struct pcdf_storage *s, int64_t *bytes)
{
    *bytes = s->reach;
    return NC_NOERR;
}

static int null_resize(struct pcdf_storage *s, int64_t bytes)
{
    s->reach = bytes;
    return NC_NOERR;
}

static int null_open(const struct pcdf_storage_config *config, struct pcdf_storage **s)
{
    *s = pcdf_storage_make(sizeof **s, &pcdf_nullstorage, NULL, config);
    config->counts->file_open++;
    return *s ? NC_NOERR : NC_ENOMEM;
}

const struct pcdf_storage_ops pcdf_nullstorage = {
    .name = "null",
    .open = null_open,
    .put = null_put,
    .get = null_get,
    .size = null_size,
    .resize = null_resize,
};
