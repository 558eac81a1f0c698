#ifndef NFSFOLDERS_H
#define NFSFOLDERS_H
/* Between the two files of the preloaded client of NFS. */
#include <stdbool.h>

bool nfs_is_below(const char *path);             /* is it on the NFS? */
void nfs_folder_forget(const char *path);        /* what is kept of a folder */
void nfs_folder_changed(const char *path);       /* a name in its folder, by this process */
void nfs_folder_fresh(int at, const char *path); /* the server was asked, as by statx(at, path) */
#endif
