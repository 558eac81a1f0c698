/* See fileid.h. */
#include "fileid.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "filesystem.h"
#include "posixio.h"

/* path "": of the descriptor. Where there is no statx (some sandboxes), nothing is known of births. */
static struct pcdf_fileid look(int fd, const char *path)
{
    struct statx found;
    struct stat st;
    if (!statx(fd, path, *path ? 0 : AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &found))
        return (struct pcdf_fileid){ .device = (int64_t)makedev(found.stx_dev_major, found.stx_dev_minor),
                                     .inode = (int64_t)found.stx_ino,
                                     .born =
                                         found.stx_mask & STATX_BTIME
                                             ? found.stx_btime.tv_sec * 1000000000 + found.stx_btime.tv_nsec
                                             : 0 };
    if (*path ? stat(path, &st) : fstat(fd, &st))
        return (struct pcdf_fileid){ 0 };
    return (struct pcdf_fileid){ .device = (int64_t)st.st_dev, .inode = (int64_t)st.st_ino };
}

struct pcdf_fileid pcdf_fileid_at(const char *path)
{
    const char *posix = pcdf_path_posix(path);
    bool is_known = !pcdf_filesystem_at(posix)->numbers_by_client && *posix;
    return is_known ? look(AT_FDCWD, posix) : (struct pcdf_fileid){ 0 };
}

struct pcdf_fileid pcdf_fileid_of(int fd)
{
    return pcdf_filesystem_of(fd)->numbers_by_client ? (struct pcdf_fileid){ 0 } : look(fd, "");
}

static bool has_births(struct pcdf_fileid a, struct pcdf_fileid b)
{
    return a.born != 0 && b.born != 0;
}

bool pcdf_fileid_is(struct pcdf_fileid a, struct pcdf_fileid b)
{
    return a.inode != 0 && a.inode == b.inode && (has_births(a, b) ? a.born == b.born : a.device == b.device);
}

bool pcdf_fileid_differs(struct pcdf_fileid a, struct pcdf_fileid b)
{
    return a.inode != 0 && b.inode != 0 && (a.inode != b.inode || (has_births(a, b) && a.born != b.born));
}
