/* See zarrarray.h: values. */
#include "zarrarray.h"
#include "alloc.h"
#include "posixio.h"
#include "status.h"
#include "tool.h"
#include "value.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_RATIO = 1100 }; /* zlib makes at most 1032 bytes of one */

/* ---- one chunk */

static bool name_chunk(const struct pcdf_zarr_array *a, const int64_t *index, char *path, size_t room)
{
    size_t n = (size_t)snprintf(path, room, "%s", a->folder);
    for (int i = 0; i < a->ndims && n < room; i++)
        n += (size_t)snprintf(path + n, room - n, "%c%" PRId64, i == 0 ? '/' : a->separator, index[i]);
    return n < room;
}

static int damaged(const struct pcdf_zarr_array *a, const char *path, const char *why)
{
    return pcdf_tool_unusable(a->store, "chunk %s %s", path, why);
}

/* The file's bytes into a->bytes, undone. */
static int take_chunk(struct pcdf_zarr_array *a, int fd, const char *path)
{
    struct stat st;
    int64_t got = 0;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode))
        return damaged(a, path, "is no file");
    bool fits =
        a->is_deflated ? st.st_size > 0 && a->nbytes / MOST_RATIO <= st.st_size : st.st_size == a->nbytes;
    if (!fits || st.st_size > UINT32_MAX)
        return damaged(a, path, "is damaged: it has not the bytes of a chunk");
    if (!a->bytes)
        a->bytes = pcdf_malloc((size_t)a->nbytes);
    unsigned char *packed = a->is_deflated ? pcdf_malloc((size_t)st.st_size) : a->bytes;
    int status = a->bytes && packed ? PCDF_TOOL_GOOD : damaged(a, path, "does not fit into memory");
    if (!status && (pcdf_posix_move(fd, PCDF_GET, packed, st.st_size, 0, &got, path) || got != st.st_size))
        status = damaged(a, path, "cannot be read");
    if (!status && a->is_deflated &&
        !pcdf_zarr_inflate(packed, (size_t)st.st_size, a->bytes, (size_t)a->nbytes))
        status = damaged(a, path, "is damaged: it is not what zlib or gzip makes of a chunk");
    if (packed != a->bytes)
        pcdf_free(packed);
    return status;
}

/* a->holds: bytes are those of the chunk; else there is none, and its values are the fill value. */
static int fetch(struct pcdf_zarr_array *a, const int64_t *index)
{
    char path[PATH_MAX];
    if (a->holds && memcmp(a->held, index, (size_t)a->ndims * sizeof *index) == 0)
        return PCDF_TOOL_GOOD;
    a->holds = false;
    if (!name_chunk(a, index, path, sizeof path))
        return damaged(a, a->folder, "has a name that is too long");
    int fd = openat(a->root, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        return PCDF_TOOL_GOOD;
    int status = fd < 0 ? damaged(a, path, strerror(errno)) : take_chunk(a, fd, path);
    if (fd >= 0)
        close(fd);
    a->holds = !status;
    memcpy(a->held, index, (size_t)a->ndims * sizeof *index);
    return status;
}

/* ---- a slab */

struct part { /* the values of a slab that lie in one chunk: those from first to last of each dimension */
    int64_t first[PCDF_ZARR_DIMS], last[PCDF_ZARR_DIMS], chunk_step[PCDF_ZARR_DIMS],
        slab_step[PCDF_ZARR_DIMS];
};

/* false: none. */
static bool find_part(const struct pcdf_zarr_array *a, const struct pcdf_foreign_slab *s,
                      const int64_t *index, struct part *p)
{
    for (int i = 0; i < a->ndims; i++) {
        int64_t begin = index[i] * a->chunk[i] - s->start[i], end = begin + a->chunk[i] - 1;
        p->first[i] = begin > 0 ? (begin + s->stride[i] - 1) / s->stride[i] : 0;
        p->last[i] = end < 0 ? -1 : end / s->stride[i];
        p->last[i] = p->last[i] < s->count[i] ? p->last[i] : s->count[i] - 1;
        if (p->first[i] > p->last[i])
            return false;
    }
    for (int64_t i = 0, c = 1, n = a->ndims; i < n; i++) { /* from the dimension that lies densest */
        int64_t d = a->is_fortran ? i : n - 1 - i;
        p->chunk_step[d] = c;
        c *= a->chunk[d];
    }
    for (int64_t d = a->ndims - 1, c = 1; d >= 0; d--) {
        p->slab_step[d] = c;
        c *= s->count[d];
    }
    return true;
}

static void copy_part(const struct pcdf_zarr_array *a, const struct pcdf_foreign_slab *s,
                      const int64_t *index, const struct part *p, unsigned char *values)
{
    int64_t at[PCDF_ZARR_DIMS], size = a->size, last = a->ndims - 1;
    memcpy(at, p->first, sizeof at);
    for (int64_t d = 0; d >= 0;) {
        int64_t from = 0, to = 0;
        for (int i = 0; i < a->ndims; i++) {
            from += (s->start[i] + at[i] * s->stride[i] - index[i] * a->chunk[i]) * p->chunk_step[i];
            to += at[i] * p->slab_step[i];
        }
        int64_t n = p->last[last] - p->first[last] + 1, step = s->stride[last] * p->chunk_step[last] * size;
        const unsigned char *source = a->holds ? a->bytes + from * size : a->fill;
        for (int64_t i = 0; i < n; i++)
            memcpy(values + (to + i) * size, source + (a->holds ? i * step : 0), (size_t)size);
        if (a->holds && a->is_big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
            pcdf_values_reverse(values + to * size, n, a->size);
        for (d = last - 1; d >= 0; d--) {
            if (++at[d] <= p->last[d])
                break;
            at[d] = p->first[d];
        }
    }
}

void pcdf_zarr_drop_chunk(struct pcdf_zarr_array *a)
{
    pcdf_free(a->bytes);
    a->bytes = NULL;
    a->holds = false;
}

int pcdf_zarr_read(struct pcdf_zarr_array *a, const struct pcdf_foreign_slab *slab, int size, void *values)
{
    static int64_t zero[1] = { 0 }, one[1] = { 1 };
    struct pcdf_foreign_slab single = { .ndims = 1, .start = zero, .count = one, .stride = one, .n = 1 };
    const struct pcdf_foreign_slab *s = slab->ndims == 0 ? &single : slab;
    int64_t index[PCDF_ZARR_DIMS];
    int d = 0, status = PCDF_TOOL_GOOD;
    if (size != a->size)
        return pcdf_tool_unusable(a->store, "array %s has values of %d bytes, not of %d", a->folder, a->size,
                                  size);
    for (int i = 0; i < a->ndims; i++)
        index[i] = s->start[i] / a->chunk[i];
    while (d >= 0 && !status && s->n > 0) {
        struct part part;
        if (find_part(a, s, index, &part)) {
            status = fetch(a, index);
            if (!status)
                copy_part(a, s, index, &part, values);
        }
        for (d = a->ndims - 1; d >= 0; d--) {
            if (++index[d] * a->chunk[d] <= s->start[d] + (s->count[d] - 1) * s->stride[d])
                break;
            index[d] = s->start[d] / a->chunk[d];
        }
    }
    return status;
}
