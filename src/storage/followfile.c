/* See followfile.h. */
#include "followfile.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "filesystem.h"
#include "posixio.h"
#include "status.h"

enum { WANTED = STATX_SIZE | STATX_INO | STATX_NLINK };

/* path "": of the descriptor. Kernels before 4.11, and some sandboxes, have no statx: then what a client
 * keeps is all there is. */
static int look(int fd, const char *path, struct statx *found)
{
    int flags = AT_STATX_FORCE_SYNC | (*path ? 0 : AT_EMPTY_PATH);
    struct stat st;
    if (!statx(*path ? AT_FDCWD : fd, path, flags, WANTED, found))
        return 0;
    if (errno != ENOSYS && errno != EPERM && errno != EOPNOTSUPP)
        return -1;
    if (*path ? stat(path, &st) : fstat(fd, &st))
        return -1;
    *found = (struct statx){ .stx_size = (uint64_t)st.st_size,
                             .stx_ino = st.st_ino,
                             .stx_nlink = (uint32_t)st.st_nlink,
                             .stx_dev_major = major(st.st_dev),
                             .stx_dev_minor = minor(st.st_dev) };
    return 0;
}

int pcdf_followfile_size(struct pcdf_storage *bottom, int64_t *bytes)
{
    struct statx found;
    if (bottom->fd < 0)
        return pcdf_storage_size(bottom, bytes);
    if (look(bottom->fd, "", &found))
        return pcdf_posix_error(errno, NC_EREAD, "inspecting", bottom->path);
    *bytes = (int64_t)found.stx_size;
    return NC_NOERR;
}

static struct pcdf_fileid identity_of(const struct statx *found)
{
    return (struct pcdf_fileid){ .device = (int64_t)makedev(found->stx_dev_major, found->stx_dev_minor),
                                 .inode = (int64_t)found->stx_ino };
}

struct pcdf_fileid pcdf_followfile_identity(const struct pcdf_storage *bottom)
{
    struct statx found;
    if (bottom->fd < 0 || pcdf_filesystem_of(bottom->fd)->numbers_by_client || look(bottom->fd, "", &found))
        return (struct pcdf_fileid){ 0 };
    return identity_of(&found);
}

int pcdf_followfile_name(struct pcdf_storage *bottom, const struct pcdf_fileid *identity, int64_t *bytes,
                         bool *is_there)
{
    const char *path = pcdf_path_posix(bottom->path);
    const bool asks_name = identity->inode != 0;
    struct statx found;
    *is_there = true;
    if (bottom->fd < 0)
        return pcdf_storage_size(bottom, bytes);
    int err = asks_name ? look(bottom->fd, path, &found) : 0;
    const struct pcdf_fileid now = asks_name && !err ? identity_of(&found) : *identity;
    if (asks_name && !err && pcdf_fileid_is(now, *identity)) {
        *bytes = (int64_t)found.stx_size;
        return NC_NOERR;
    }
    bool is_elsewhere = asks_name && (!err || errno == ENOENT || errno == ENOTDIR);
    *is_there = !is_elsewhere || *path != '/';
    if (look(bottom->fd, "", &found)) {
        if (errno != ESTALE) /* NFS: the file is gone at the server */
            return pcdf_posix_error(errno, NC_EREAD, "inspecting", bottom->path);
        *is_there = false;
        return NC_NOERR;
    }
    *bytes = (int64_t)found.stx_size;
    *is_there = *is_there && found.stx_nlink > 0;
    return NC_NOERR;
}

int pcdf_followfile_read(struct pcdf_storage *bottom, void *bytes, int64_t n)
{
    if (bottom->fd < 0)
        return pcdf_storage_move_at(bottom, PCDF_GET, bytes, n, 0, NULL);
    bottom->counts->read_at++;
    return pcdf_posix_move(bottom->fd, PCDF_GET, bytes, n, 0, NULL, bottom->path);
}
