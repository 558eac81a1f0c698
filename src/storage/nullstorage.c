/* Takes every write, reads zeros and only remembers the size, as this process knows it: what is left over is
 * the library's own cost. */

#include "storage.h"
#include <string.h>
#include "alloc.h"
#include "status.h"

static int null_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    *(x->dir == PCDF_PUT ? &s->counts->write_at : &s->counts->read_at) += (int64_t)x->n;
    for (size_t i = 0; i < x->n && x->dir == PCDF_GET; i++) {
        int64_t length = x->pieces[i].length, there = s->reach - x->pieces[i].offset;
        *got += there < 0 ? 0 : there < length ? there : length;
        memset(x->pieces[i].data, 0, (size_t)length);
    }
    return NC_NOERR;
}

static int null_size(struct pcdf_storage *s, int64_t *bytes)
{
    *bytes = s->reach;
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
    .move = null_move,
    .size = null_size,
};
