/* See filesystem.h. */

#include "filesystem.h"
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

/* statfs(2) has the numbers. */
static const uint32_t local[] = {
    0x0000ef53, /* ext2, ext3, ext4 */
    0x58465342, /* xfs */
    0x9123683e, /* btrfs */
    0x01021994, /* tmpfs */
    0x858458f6, /* ramfs */
    0xf2f52010, /* f2fs */
    0x2fc12fc1, /* zfs */
    0xca451a4e, /* bcachefs */
    0x3153464a, /* jfs */
    0x794c7630, /* overlayfs: containers; what it lies on is local or it is not mounted */
};

/* The number of an inode is the server's only where the mount says so (FUSE: where its program does). */
static const uint32_t numbered_by_client[] = {
    0x65735546, /* fuse: sshfs, s3fs, gcsfuse ... */
    0xff534d42, /* cifs */
    0xfe534d42, /* smb2 */
    0x01021997, /* 9p */
};

static bool is_among(const struct statfs *fs, const uint32_t *types, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((uint32_t)fs->f_type == types[i])
            return true;
    return false;
}

static bool is_local(const struct statfs *fs)
{
    return is_among(fs, local, sizeof local / sizeof *local);
}

static bool look_at_path(const char *path, struct statfs *fs)
{
    int err;

    do
        err = statfs(path, fs);
    while (err && errno == EINTR);
    return !err;
}

bool pcdf_filesystem_is_local(const char *path)
{
    struct statfs fs;
    return look_at_path(path, &fs) && is_local(&fs);
}

bool pcdf_filesystem_numbers_by_client(const char *path)
{
    struct statfs fs;
    return look_at_path(path, &fs) &&
           is_among(&fs, numbered_by_client, sizeof numbered_by_client / sizeof *numbered_by_client);
}

static bool look_at(int fd, struct statfs *fs)
{
    int err;

    do
        err = fstatfs(fd, fs);
    while (err && errno == EINTR);
    return !err;
}

bool pcdf_filesystem_holds_locally(int fd)
{
    struct statfs fs;
    return look_at(fd, &fs) && is_local(&fs);
}

bool pcdf_filesystem_stores_names(int fd)
{
    enum { NFS = 0x6969 };
    struct statfs fs;
    return look_at(fd, &fs) && fs.f_type == NFS;
}

bool pcdf_filesystem_room(const char *path, int64_t *bytes)
{
    struct statvfs fs;
    return !statvfs(path, &fs) && fs.f_blocks > 0 && !__builtin_mul_overflow(fs.f_bavail, fs.f_frsize, bytes);
}

/* Is `word` one of the options, which commas and blanks divide? */
static bool has_option(const char *line, const char *word)
{
    size_t n = strlen(word);

    for (const char *at = strstr(line, word); at; at = strstr(at + 1, word))
        if (at > line && strchr(", ", at[-1]) && strchr(", \n", at[n])) /* the end of the text, too */
            return true;
    return false;
}

/* proc(5): a line a mount, its third field the device. Lustre has no coherent locks unless it is told to. */
static bool is_mounted_with(int fd, const char *option)
{
    char device[32], line[4096], at[32];
    struct stat st;
    bool has = false;
    FILE *mounts = fstat(fd, &st) ? NULL : fopen("/proc/self/mountinfo", "re");

    if (!mounts)
        return false;
    snprintf(device, sizeof device, "%u:%u", major(st.st_dev), minor(st.st_dev));
    while (!has && fgets(line, sizeof line, mounts))
        has = sscanf(line, "%*d %*d %31s", at) == 1 && strcmp(at, device) == 0 && has_option(line, option);
    fclose(mounts);
    return has;
}

enum pcdf_lock_reach pcdf_filesystem_locks(int fd)
{
    enum { LUSTRE = 0x0bd00bd0, GPFS = 0x47504653 };
    struct statfs fs;

    if (fstatfs(fd, &fs))
        return PCDF_LOCKS_UNKNOWN;
    if (is_local(&fs))
        return PCDF_LOCKS_MACHINE;
    if ((uint32_t)fs.f_type == GPFS || ((uint32_t)fs.f_type == LUSTRE && is_mounted_with(fd, "flock")))
        return PCDF_LOCKS_NODES;
    return PCDF_LOCKS_UNKNOWN;
}

/* A number of `bytes` bytes in the order of the machine that wrote it. */
static uint32_t number_at(const unsigned char *at, int bytes, bool is_big)
{
    uint32_t n = 0;

    for (int i = 0; i < bytes; i++)
        n = n << 8 | at[is_big ? i : bytes - 1 - i];
    return n;
}

bool pcdf_filesystem_stripes(const char *path, int64_t *bytes, int64_t *count)
{
    enum { V1 = 0x0bd10bd0, V3 = 0x0bd30bd0, SIZE_AT = 24, COUNT_AT = 28, HEAD = 32, ALL = 0xffff };
    unsigned char layout[65536] = { 0 }; /* the longest there is: too little room is an error */
    ssize_t n = getxattr(path, "lustre.lov", layout, sizeof layout);

    if (n < HEAD)
        return false;
    uint32_t magic = number_at(layout, 4, false);
    bool is_big = magic != V1 && magic != V3;
    magic = number_at(layout, 4, is_big);
    if (magic != V1 && magic != V3)
        return false;
    *bytes = number_at(layout + SIZE_AT, 4, is_big);
    *count = number_at(layout + COUNT_AT, 2, is_big);
    return *bytes > 0 && *count > 0 && *count != ALL;
}

/* What getxattr gives of a layout, setxattr takes for a file that has none yet: so do Lustre's own tar and
 * cp. Where the stripes begin is the server's choice again. */
void pcdf_filesystem_stripe_like(const char *path, const char *like)
{
    unsigned char layout[65536];
    ssize_t n = getxattr(like, "lustre.lov", layout, sizeof layout);

    if (n > 0)
        (void)setxattr(path, "lustre.lov", layout, (size_t)n, 0);
}
