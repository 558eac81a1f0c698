#ifndef PCDF_FILEPLACE_H
#define PCDF_FILEPLACE_H
/* Where files are, whatever their paths look like. A file is its device and inode; a path leads to one at a
 * time, and renames, links, other spellings and another working folder change which. All functions are
 * local, and use POSIX calls: a file-system prefix of a path (posixio.h) is skipped. */

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include "fileid.h"

/* Which file it is, among those that are there now: without its birth, in one system call each. */
struct pcdf_fileid pcdf_fileplace_of(int fd);           /* fd -1: not known */
struct pcdf_fileid pcdf_fileplace_at(const char *path); /* links followed */

/* A name in a folder, whether there is a file of it or not. */
struct pcdf_filename {
    struct pcdf_fileid folder;
    char name[NAME_MAX + 1];
};
/* Where the links of the path's last part end, also if nothing is there. */
struct pcdf_filename pcdf_fileplace_name(const char *path);
bool pcdf_filename_is_same(const struct pcdf_filename *a, const struct pcdf_filename *b);

/* A number of the path from the root on, by its text and the working folder alone: no file is asked, and
 * links are not followed. Never 0. Of ".": the number of the working folder. */
uint64_t pcdf_fileplace_hash(const char *path);
/* The same in the folder of this number, so that it is the same on all ranks, wherever they are. 0: that is
 * not known, because ".." leads out of the folder. */
uint64_t pcdf_fileplace_hash_in(uint64_t folder, const char *path);

/* The path from the root on, with its prefix, so that it stays true when the working folder changes; links
 * are not resolved. As it was given where the working folder cannot be reached from the root, or the whole
 * would be too long. The caller frees it; NULL: no memory. */
char *pcdf_fileplace_absolute(const char *path);

/* Where a file that is open is found now: `path` if that still leads to it, or cannot be compared (fd -1);
 * else the path that the system knows, or that its folder has. False: its name is gone, or not known; *room
 * is `path`. */
bool pcdf_fileplace_now(int fd, const char *path, char room[PATH_MAX]);
#endif
