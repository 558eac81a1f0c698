#ifndef PCDF_FILEID_H
#define PCDF_FILEID_H
/* Which file it is, whatever it is called: its inode, whose number alone is that of another file on another
 * device, too. After a crash also when that was made, since file systems give the number of a file that is
 * gone to another one. */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_fileid {
    /* 0: not known. Perhaps it is another number on another node, or after a restart. */
    int64_t device;
    /* 0: not known, as the file is not there, or each client numbers files as it likes. */
    int64_t inode;
    /* Nanoseconds since 1970. 0: the file system does not say, or nobody asked (fileplace.h). */
    int64_t born;
};

/* Of what the path leads to, links followed. */
struct pcdf_fileid pcdf_fileid_at(const char *path);
struct pcdf_fileid pcdf_fileid_of(int fd);
/* Both are one file, by all that is known: told apart by the birth, or by the device where there is none. */
bool pcdf_fileid_is(struct pcdf_fileid a, struct pcdf_fileid b);
/* Both are two files: inode or birth are known, and differ. */
bool pcdf_fileid_differs(struct pcdf_fileid a, struct pcdf_fileid b);
#endif
