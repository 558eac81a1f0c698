/* See storage.h. Each function finds the storage whose operation it is; what every storage at the bottom has
 * to note of an operation is noted here. */

#include "storage.h"
#include <assert.h>
#include <errno.h>
#include <string.h>
#include "alloc.h"
#include "posixio.h"
#include "status.h"

const struct pcdf_storage_layer *pcdf_storage_layers;

void pcdf_storage_free(struct pcdf_storage *s)
{
    pcdf_free(s->path);
    pcdf_free(s->later_path);
    pcdf_free(s);
}

void *pcdf_storage_make(size_t bytes, const struct pcdf_storage_ops *ops, struct pcdf_storage *below,
                        const struct pcdf_storage_config *config)
{
    struct pcdf_storage *s = pcdf_calloc(1, bytes);
    if (!s)
        return NULL;
    s->ops = ops;
    s->below = below;
    s->fd = -1;
    s->counts = below ? below->counts : config->counts;
    if (below)
        return s;
    s->path = pcdf_strndup(config->path, strlen(config->path));
    if (config->later_path)
        s->later_path = pcdf_strndup(config->later_path, strlen(config->later_path));
    if (s->path && (s->later_path || !config->later_path))
        return s;
    pcdf_storage_free(s);
    return NULL;
}

int64_t pcdf_pieces_bytes(const struct pcdf_piece *pieces, size_t n)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += pieces[i].length;
    return bytes;
}

/* At the bottom. What is put for the first time goes to the disk early; what is put again may be so once
 * more, and waits for the sync. */
static int raise_reach(struct pcdf_storage *s, int64_t offset, int64_t end)
{
    const int64_t enough = 8 << 20;
    int64_t from = offset > s->reach ? offset : s->reach;
    if (end <= s->reach)
        return NC_NOERR;
    s->reach = end;
    if (!s->writes_early)
        return NC_NOERR;
    if (s->early == 0)
        s->early_from = from;
    s->early += end - from;
    if (s->early < enough)
        return NC_NOERR;
    s->early = 0;
    return pcdf_posix_start_sync(s->fd, s->early_from, end - s->early_from, s->path);
}

int pcdf_storage_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    int64_t there = 0, bytes = 0;
    int status = NC_NOERR;
    while (!s->ops->move)
        s = s->below;
    assert(x->n == 0 || x->pieces->length > 0);
    PCDF_TRY(s->ops->move(s, x, &there));
    for (size_t i = 0; i < x->n && !s->below; i++) {
        bytes += x->pieces[i].length;
        if (x->dir == PCDF_PUT)
            pcdf_first(&status,
                       raise_reach(s, x->pieces[i].offset, x->pieces[i].offset + x->pieces[i].length));
    }
    /* A layer counts nothing, as several threads may pass it. */
    if (bytes > 0)
        *(x->dir == PCDF_PUT ? &s->counts->bytes_written : &s->counts->bytes_read) += bytes;
    if (got)
        *got = there;
    return status;
}

int pcdf_storage_move_at(struct pcdf_storage *s, enum pcdf_dir dir, void *data, int64_t length,
                         int64_t offset, int64_t *got)
{
    const struct pcdf_piece piece = { offset, length, data };
    const struct pcdf_extents x = { .dir = dir, .n = 1, .pieces = &piece };
    if (got)
        *got = 0;
    return length > 0 ? pcdf_storage_move(s, &x, got) : NC_NOERR;
}

int pcdf_storage_get_boxes(struct pcdf_storage *s, const struct pcdf_boxes *boxes)
{
    while (!s->ops->get_boxes)
        s = s->below;
    PCDF_TRY(s->ops->get_boxes(s, boxes));
    if (!s->below)
        s->counts->bytes_read += boxes->nbytes;
    return NC_NOERR;
}

int pcdf_storage_size(struct pcdf_storage *s, int64_t *bytes)
{
    while (!s->ops->size)
        s = s->below;
    return s->ops->size(s, bytes);
}

int pcdf_storage_resize(struct pcdf_storage *s, int64_t bytes)
{
    while (!s->ops->resize && s->below)
        s = s->below;
    if (!s->below)
        s->counts->resize++;
    if (s->ops->resize)
        PCDF_TRY(s->ops->resize(s, bytes));
    if (!s->below)
        s->reach = bytes;
    return NC_NOERR;
}

bool pcdf_storage_clone(struct pcdf_storage *s, int fd, int64_t offset, int64_t bytes)
{
    errno = ENOTSUP;
    if (!s->ops->clone || !s->ops->clone(s, fd, offset, bytes))
        return false;
    s->reach = s->reach > offset + bytes ? s->reach : offset + bytes;
    return true;
}

int pcdf_storage_sync(struct pcdf_storage *s, bool together)
{
    while (!s->ops->sync && s->below)
        s = s->below;
    if (!s->below)
        s->counts->sync++;
    return s->ops->sync ? s->ops->sync(s, together) : NC_NOERR;
}

int pcdf_storage_close(struct pcdf_storage *s)
{
    int err = NC_NOERR;
    if (s->below)
        s->below->is_poisoned |= s->is_poisoned;
    if (s->ops->close)
        err = s->ops->close(s);
    else if (s->below)
        err = pcdf_storage_close(s->below);
    pcdf_storage_free(s);
    return err;
}

int64_t pcdf_storage_reach(const struct pcdf_storage *s)
{
    while (!s->ops->knows_reach && s->below)
        s = s->below;
    return s->reach;
}

void pcdf_storage_was_resized(struct pcdf_storage *s, int64_t bytes)
{
    for (; s; s = s->below)
        s->reach = bytes;
}

bool pcdf_storage_by_system(const struct pcdf_storage *s)
{
    while (s && s->ops->by_system)
        s = s->below;
    return !s;
}

struct pcdf_storage *pcdf_storage_bottom(struct pcdf_storage *s)
{
    while (s->below)
        s = s->below;
    return s;
}
