/* See permissions.h. */

#include "permissions.h"
#include "alloc.h"
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char acl_name[] = "system.posix_acl_access";

enum acl { NO_ACL, ACL_TAKEN, ACL_NOT_TAKEN };

static enum acl take_acl(int fd, const char *like, bool same_group)
{
    ssize_t size = getxattr(like, acl_name, NULL, 0);
    enum acl taken = ACL_NOT_TAKEN;

    if (size <= 0) { /* also one that the folder gives to new files must go: its mode would open it */
        (void)fremovexattr(fd, acl_name);
        return NO_ACL;
    }
    char *list = same_group ? pcdf_malloc((size_t)size) : NULL;
    if (list && getxattr(like, acl_name, list, (size_t)size) == size &&
        !fsetxattr(fd, acl_name, list, (size_t)size, 0))
        taken = ACL_TAKEN;
    pcdf_free(list);
    return taken;
}

void pcdf_permissions_take(int fd, const char *like, mode_t most)
{
    struct stat from, to;

    if (stat(like, &from) || fstat(fd, &to))
        return;
    if (from.st_uid != to.st_uid || from.st_gid != to.st_gid)
        if (fchown(fd, from.st_uid, from.st_gid) && fchown(fd, (uid_t)-1, from.st_gid))
            (void)!fstat(fd, &to);
    if (fstat(fd, &to))
        return;
    bool same_group = to.st_gid == from.st_gid;
    enum acl acl = take_acl(fd, like, same_group);
    mode_t mode = from.st_mode & most & 0777;
    if (acl == ACL_NOT_TAKEN) { /* the group's bits are the mask of a list that is not there */
        mode &= 0700;
    } else if (!same_group) { /* its members are anybody to `like`, and those of like's group to this file */
        mode_t both = mode >> 3 & mode & 07;
        mode = (mode & ~(mode_t)077) | both << 3 | both;
    }
    (void)!fchmod(fd, mode);
}
