#ifndef MEMORYFILE_H
#define MEMORYFILE_H
/* Files of the storage `memory`, as a whole: how long, read, replaced. An NC_ code; NC_ENOENT if there is
 * none. */

#include "status.h"
#include "storage.h"

/* Moves bytes from offset on. */
static inline int memory_file(const char *path, enum pcdf_dir dir, void *data, int64_t bytes, int64_t offset,
                              int64_t *size)
{
    struct pcdf_counts counts = { 0 };
    struct pcdf_storage_config config = { .path = path,
                                          .mode = dir == PCDF_PUT ? PCDF_STORAGE_CREATE : PCDF_STORAGE_READ,
                                          .counts = &counts };
    struct pcdf_storage *s;
    int err = pcdf_memorystorage.open(&config, &s);
    if (err)
        return err;
    if (dir == PCDF_PUT)
        err = pcdf_storage_resize(s, 0);
    if (!err && bytes > 0)
        err = pcdf_storage_move_at(s, dir, data, bytes, offset, NULL);
    if (!err && size)
        err = pcdf_storage_size(s, size);
    pcdf_first(&err, pcdf_storage_close(s));
    return err;
}

static inline int memory_file_size(const char *path, int64_t *size)
{
    return memory_file(path, PCDF_GET, NULL, 0, 0, size);
}

/* Behind the end there are zeros. */
static inline int memory_file_get(const char *path, int64_t offset, void *data, int64_t bytes)
{
    return memory_file(path, PCDF_GET, data, bytes, offset, NULL);
}

/* Makes it, or replaces what it holds. */
static inline int memory_file_put(const char *path, const void *data, int64_t bytes)
{
    return memory_file(path, PCDF_PUT, (void *)data, bytes, 0, NULL);
}
#endif
