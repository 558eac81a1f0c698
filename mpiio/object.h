#ifndef PCDF_OBJECT_H
#define PCDF_OBJECT_H
/* Do all ranks have one file open? A path may be local to each node, and then every node has a file of that
 * name, an old one perhaps.
 *
 * What is compared, and why that raises no false alarm on a file system that all nodes share:
 * - The inode's number, which is the server's (NFS: fileid; Lustre: of the FID; GPFS, CephFS, BeeGFS: their
 * own) and the same on all clients. Where clients number (FUSE, SMB, 9P) it is not compared: an old file of
 * another node with the same size is then told by its time alone, at create. Numbers of devices and file
 * systems (st_dev, f_fsid) are each client's own and are not compared.
 * - Local file systems of machines that were set up alike may give one number to both files. So the size is
 *   compared, too, but of a file that is opened only where no rank saw a change of it in the last hour:
 * somebody may be writing it. A client has a size from the server at the latest when the file is opened
 *   (close-to-open): so a descriptor is looked at.
 * - A new file has a time of change that rank 0 gave it and saw it have (pcdf_file_root_stamp): a file that
 * lay there before has another. Whole seconds, since some servers store no more. Nothing is written into the
 * file: a client that has read bytes which are then replaced might write them back with the rest of a page. A
 * rank that cannot look, and what is no regular file, says nothing. */

#include "sharedfile.h"

enum { PCDF_OBJECT_NUMBERS = 7 };

struct pcdf_object {
    bool is_known;
    /* inode 0: it is not compared. size -1: there is no file. */
    int64_t inode, size;
    int64_t numbers[PCDF_OBJECT_NUMBERS]; /* for an Allreduce with MPI_MAX */
};

/* The stamp of a new file, on all ranks; collective where MPI made the file (is_maker). */
int64_t pcdf_object_stamp_all(const struct pcdf_sharedfile_config *config, const struct pcdf_ranks *ranks);
/* Local, as the storage is open; fd: its descriptor, or -1. */
void pcdf_object_look(const char *name, int fd, struct pcdf_object *mine);
/* Of what all ranks said: the same verdict on all ranks. */
bool pcdf_object_differs(const struct pcdf_sharedfile_config *config, int64_t stamp, const int64_t *all);
/* Collective, where they differ: NC_EBAD_FILE with a sentence that names ranks. */
int pcdf_object_report_all(const struct pcdf_ranks *ranks, const struct pcdf_object *mine);
#endif
