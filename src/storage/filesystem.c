/* See filesystem.h. */

#include "filesystem.h"
#include "posixio.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The kinds of which something is known: overlayfs (containers) lies on a local one or is not mounted; the
 * number of an inode is the server's only where the mount says so (FUSE: where its program does). MPI
 * libraries have client libraries for OrangeFS, and for some that FUSE shows (DAOS, Quobyte, IME). */
static const struct pcdf_filesystem kinds[] = {
    { 0x0000ef53, "ext4", .is_local = true, .by_system = true, .shifts_extents = true },
    { 0x58465342, "xfs", .is_local = true, .by_system = true, .shifts_extents = true },
    { 0x9123683e, "btrfs", .is_local = true, .by_system = true },
    { 0x01021994, "tmpfs", .is_local = true, .is_memory = true, .by_system = true },
    { 0x858458f6, "ramfs", .is_local = true, .is_memory = true, .by_system = true },
    { 0xf2f52010, "f2fs", .is_local = true, .by_system = true },
    { 0x2fc12fc1, "zfs", .is_local = true, .by_system = true },
    { 0xca451a4e, "bcachefs", .is_local = true, .by_system = true },
    { 0x3153464a, "jfs", .is_local = true, .by_system = true },
    { 0x794c7630, "overlayfs", .is_local = true, .by_system = true },
    { 0x00006969, "nfs", .stores_names = true, .by_system = true },
    { 0x0bd00bd0, "lustre", .is_coherent = true, .locks_by_option = "flock", .by_system = true },
    { 0x47504653, "gpfs", .is_coherent = true, .locks_nodes = true, .locks_blocks = true, .by_system = true },
    { 0x65735546, "fuse", .numbers_by_client = true }, /* sshfs, s3fs, gcsfuse ... */
    { 0xff534d42, "cifs", .numbers_by_client = true, .by_system = true },
    { 0xfe534d42, "smb2", .numbers_by_client = true, .by_system = true },
    { 0x01021997, "9p", .numbers_by_client = true, .by_system = true },
    { 0x19830326, "beegfs", .has_chunks = true, .by_system = true },
    { .number = 0x00c36400, .name = "ceph", .is_coherent = true, .by_system = true },
    { .number = 0x20030528, .name = "orangefs" },
    { .number = 0x01161970, .name = "gfs2", .is_coherent = true, .by_system = true },
    { .number = 0xaad7aaea, .name = "panfs", .by_system = true },
};

static const struct pcdf_filesystem *kind_of(int err, const struct statfs *fs)
{
    static const struct pcdf_filesystem unknown;

    for (size_t i = 0; !err && i < sizeof kinds / sizeof *kinds; i++)
        if ((uint32_t)fs->f_type == kinds[i].number)
            return &kinds[i];
    return &unknown;
}

static int look(const char *path, struct statfs *fs)
{
    int err;
    do
        err = statfs(path, fs);
    while (err && errno == EINTR);
    return err;
}

/* Of the folder, where the file is not there. */
static int look_at_or_above(const char *path, struct statfs *fs)
{
    char folder[4096];
    if (!look(path, fs))
        return 0;
    if (errno != ENOENT || snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
        return -1;
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    return look(slash ? folder : ".", fs);
}

const struct pcdf_filesystem *pcdf_filesystem_at(const char *path)
{
    struct statfs fs;
    int err = look_at_or_above(pcdf_path_posix(path), &fs);
    return kind_of(err, &fs);
}

const struct pcdf_filesystem *pcdf_filesystem_of(int fd)
{
    struct statfs fs;
    int err;

    do
        err = fstatfs(fd, &fs);
    while (err && errno == EINTR);
    return kind_of(err, &fs);
}

int64_t pcdf_filesystem_block(int fd)
{
    struct statfs fs;
    int err;

    do
        err = fstatfs(fd, &fs);
    while (err && errno == EINTR);
    int64_t block = err ? 0 : (int64_t)fs.f_bsize; /* unsigned on some machines */
    return block < 0 ? 0 : block;
}

/* ext4 tells in sysfs which task writes its journal. */
bool pcdf_filesystem_has_journal(int fd)
{
    char device[64], link[512], path[640], task[32] = "";
    struct stat st;

    if (fstat(fd, &st))
        return true;
    snprintf(device, sizeof device, "/sys/dev/block/%u:%u", major(st.st_dev), minor(st.st_dev));
    ssize_t n = readlink(device, link, sizeof link - 1);
    link[n > 0 ? n : 0] = '\0';
    const char *slash = strrchr(link, '/');
    snprintf(path, sizeof path, "/sys/fs/ext4/%s/journal_task", slash ? slash + 1 : link);
    FILE *file = fopen(path, "re");
    if (file && !fgets(task, sizeof task, file))
        task[0] = '\0';
    if (file)
        fclose(file);
    return strncmp(task, "<none>", 6) != 0;
}

/* Local, measured (4 bytes a call against 1 MiB a call): tmpfs 2 KiB, ext4 2 KiB to read and 8 KiB to write.
 * Through a client to servers: 20 us at 3 GB/s, where the client has the locks and the pages; a message that
 * it waits for is ten times that. */
int64_t pcdf_filesystem_call_bytes(const struct pcdf_filesystem *fs)
{
    return fs->is_local ? 4096 : 65536;
}

const char *pcdf_filesystem_name(const char *path, char room[16])
{
    struct statfs fs;
    if (look_at_or_above(path, &fs))
        return "unknown";
    snprintf(room, 16, "0x%x", (unsigned)(uint32_t)fs.f_type);
    const char *name = kind_of(0, &fs)->name;
    return name ? name : room;
}

bool pcdf_filesystem_room(const char *path, int64_t *bytes)
{
    struct statvfs fs;
    return !statvfs(path, &fs) && fs.f_blocks > 0 && !__builtin_mul_overflow(fs.f_bavail, fs.f_frsize, bytes);
}

enum pcdf_lock_reach pcdf_filesystem_locks(int fd)
{
    const struct pcdf_filesystem *fs = pcdf_filesystem_of(fd);
    char device[32], line[4096], at[32], *rest;
    bool has_option = false;
    struct stat st;

    if (fs->is_local)
        return PCDF_LOCKS_MACHINE;

    /* proc(5): a line a mount, its third field the device, options among the others, between commas. */
    FILE *mounts = !fs->locks_by_option || fstat(fd, &st) ? NULL : fopen("/proc/self/mountinfo", "re");
    if (mounts)
        snprintf(device, sizeof device, "%u:%u", major(st.st_dev), minor(st.st_dev));
    while (mounts && !has_option && fgets(line, sizeof line, mounts))
        if (sscanf(line, "%*d %*d %31s", at) == 1 && strcmp(at, device) == 0)
            for (char *word = strtok_r(line, ", \n", &rest); word; word = strtok_r(NULL, ", \n", &rest))
                has_option |= strcmp(word, fs->locks_by_option) == 0;
    if (mounts)
        fclose(mounts);
    return fs->locks_nodes || has_option ? PCDF_LOCKS_NODES : PCDF_LOCKS_UNKNOWN;
}
