/* What the shim knows and says of file systems: which memory is mapped from a watched file, and, with
 * PCDF_SHIM_DISK, that the files are on a disk, wherever they are. */
#include "shim.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

enum { MOST = 64 };
static struct shim_mapping mappings[MOST];
static int nmappings;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void shim_note_map(const struct shim_mapping *m)
{
    pthread_mutex_lock(&lock);
    if (nmappings == MOST)
        shim_die(); /* a log without what is written there would prove nothing */
    mappings[nmappings++] = *m;
    pthread_mutex_unlock(&lock);
}

bool shim_is_mapped(const void *bytes, uint64_t *inode, int64_t *offset)
{
    bool is_found = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < nmappings && !is_found; i++) {
        const struct shim_mapping *m = &mappings[i];
        ptrdiff_t at = (const char *)bytes - m->memory;
        is_found = at >= 0 && (size_t)at < m->n;
        *inode = is_found ? m->inode : *inode;
        *offset = is_found ? m->offset + at : *offset;
    }
    pthread_mutex_unlock(&lock);
    return is_found;
}

PUBLIC int munmap(void *memory, size_t n)
{
    pthread_mutex_lock(&lock);
    for (int i = nmappings; i-- > 0;)
        if (mappings[i].memory >= (char *)memory && mappings[i].memory < (char *)memory + n)
            mappings[i] = mappings[--nmappings];
    pthread_mutex_unlock(&lock);
    return (int)syscall(SYS_munmap, memory, n);
}

static int pretend(int err, struct statfs *fs)
{
    if (!err && getenv("PCDF_SHIM_DISK"))
        fs->f_type = 0xef53; /* ext4 */
    return err;
}

PUBLIC int fstatfs(int fd, struct statfs *fs)
{
    return pretend((int)syscall(SYS_fstatfs, fd, fs), fs);
}

PUBLIC int statfs(const char *path, struct statfs *fs)
{
    return pretend((int)syscall(SYS_statfs, path, fs), fs);
}

PUBLIC int fstatfs64(int fd, struct statfs64 *fs)
{
    return fstatfs(fd, (struct statfs *)fs); /* the same on machines of 64 bits */
}

PUBLIC int statfs64(const char *path, struct statfs64 *fs)
{
    return statfs(path, (struct statfs *)fs);
}
