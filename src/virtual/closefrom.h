#ifndef PCDF_CLOSEFROM_H
#define PCDF_CLOSEFROM_H
/* Does posix_spawn close what the child is not to have? Where it cannot (glibc before 2.34, musl), the child
 * does so itself, as the first thing that it does (plugins/maphost.c). */

#include <features.h>
#include <spawn.h>

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
static inline int pcdf_spawn_closes_from(posix_spawn_file_actions_t *files, int fd)
{
    return posix_spawn_file_actions_addclosefrom_np(files, fd);
}
#else
static inline int pcdf_spawn_closes_from(posix_spawn_file_actions_t *files, int fd)
{
    (void)files, (void)fd;
    return 0;
}
#endif
#endif
