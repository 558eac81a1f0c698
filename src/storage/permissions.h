#ifndef PCDF_PERMISSIONS_H
#define PCDF_PERMISSIONS_H
/* Who may read and write a file that was made for another file's data. */

#include <sys/types.h>

/* fd: a file that only this user may open (pcdf_posix_make). It gets owner, group, access list and mode of
 * the file `like`, as far as this user may give them, of the mode no more than `most`; where group or list
 * cannot be taken over, fewer may open it than `like`, never more. What cannot be set stays: some file
 * systems have no modes. Local. */
void pcdf_permissions_take(int fd, const char *like, mode_t most);
#endif
