/* See permissions.h. */

#include "permissions.h"
#include "alloc.h"
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

void pcdf_permissions_take(int fd, const char *like, mode_t most)
{
    static const char acl[] = "system.posix_acl_access";
    struct stat from, to;

    if (stat(like, &from) || fstat(fd, &to))
        return;
    if (from.st_uid != to.st_uid || from.st_gid != to.st_gid)
        if (fchown(fd, from.st_uid, from.st_gid) && fchown(fd, (uid_t)-1, from.st_gid))
            (void)!fstat(fd, &to);
    if (fstat(fd, &to))
        return;
    bool same_group = to.st_gid == from.st_gid;

    /* The access list. */
    ssize_t size = getxattr(like, acl, NULL, 0);
    char *list = size > 0 && same_group ? pcdf_malloc((size_t)size) : NULL;
    bool is_taken =
        list && getxattr(like, acl, list, (size_t)size) == size && !fsetxattr(fd, acl, list, (size_t)size, 0);
    pcdf_free(list);
    /* A list that the folder gives to new files must go, too: its mode would open the file. */
    if (size <= 0)
        (void)fremovexattr(fd, acl);

    mode_t mode = from.st_mode & most & 0777;
    if (size > 0 && !is_taken) { /* group bits mask a list that is missing */
        mode &= 0700;
    } else if (!same_group) { /* each file's group is anybody to the other */
        mode_t both = mode >> 3 & mode & 07;
        mode = (mode & ~(mode_t)077) | both << 3 | both;
    }
    (void)!fchmod(fd, mode);
}
