/* What the shim knows and says of file systems: which memory is mapped from a watched file, and, with
 * PCDF_SHIM_DISK, that the files are on a disk, wherever they are. */
#include "shim.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

/* All mappings so far lie in it, also those that are gone: UCX takes calls of munmap for itself. */
static _Atomic uintptr_t first = UINTPTR_MAX, last;

void shim_note_map(const void *memory, size_t n)
{
    uintptr_t begin = (uintptr_t)memory;
    first = begin < first ? begin : first;
    last = begin + n > last ? begin + n : last;
}

/* proc(5): "begin-end rw-s offset device inode path". To look there costs a hundred times what a read does.
 */
bool shim_is_mapped(const void *bytes, uint64_t *inode, int64_t *offset)
{
    char line[PATH_MAX + 200];
    size_t n;
    const char *folder = shim_folder(&n);
    unsigned long begin, end, at = (unsigned long)bytes;
    unsigned long long from, number;
    bool is_found = false;
    FILE *maps = folder && at >= first && at < last ? fopen("/proc/self/maps", "re") : NULL;
    while (maps && !is_found && fgets(line, sizeof line, maps)) {
        char mode[8] = "";
        int path = 0;
        is_found =
            sscanf(line, "%lx-%lx %7s %llx %*s %llu %n", &begin, &end, mode, &from, &number, &path) == 5 &&
            path > 0 && begin <= at && at < end && strcmp(mode, "rw-s") == 0 &&
            strncmp(line + path, folder, n) == 0 && line[path + (int)n] == '/';
    }
    if (maps)
        fclose(maps);
    if (is_found) {
        *inode = number;
        *offset = (int64_t)(from + (at - begin));
    }
    return is_found;
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
