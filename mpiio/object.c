/* See object.h. */

#include "object.h"
#include "filesystem.h"
#include "posixio.h"
#include "provesame.h"
#include "rootfile.h"
#include "status.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TEXT = 80 };
enum { INODE, NOT_INODE, SIZE, NOT_SIZE, IS_RECENT, STAMP, NOT_STAMP };

int64_t pcdf_object_stamp_all(const struct pcdf_sharedfile_config *config, const struct pcdf_ranks *ranks)
{
    int64_t stamp = config->stamp;

    if (PCDF_SAME(ranks, !config->file.is_maker || ranks->size == 1))
        return stamp;
    stamp = ranks->rank == 0 ? pcdf_file_root_stamp(config->file.path) : 0;
    return pcdf_ranks_bcast_all(ranks, &stamp, sizeof stamp) ? 0 : stamp;
}

void pcdf_object_look(const char *name, int fd, struct pcdf_object *mine)
{
    enum { HOUR = 3600 };
    struct stat st;
    int64_t *n = mine->numbers;

    for (int i = 0; i < PCDF_OBJECT_NUMBERS; i++)
        n[i] = INT64_MIN;
    const char *path = pcdf_path_posix(name);
    bool seen = fd < 0 ? !stat(path, &st) : !fstat(fd, &st);
    if (!seen && errno == ENOENT && path == name) { /* MPI made one elsewhere, or opened it there */
        mine->is_known = true;
        mine->inode = mine->size = n[INODE] = n[SIZE] = -1;
        n[NOT_INODE] = n[NOT_SIZE] = 1;
        return;
    }
    mine->is_known = seen && S_ISREG(st.st_mode);
    if (!mine->is_known)
        return;
    mine->size = st.st_size;
    if (!pcdf_filesystem_at(path)->numbers_by_client) {
        mine->inode = (int64_t)st.st_ino & INT64_MAX;
        n[INODE] = mine->inode;
        n[NOT_INODE] = -mine->inode;
    }
    n[SIZE] = mine->size;
    n[NOT_SIZE] = -mine->size;
    n[IS_RECENT] = st.st_mtim.tv_sec + HOUR > time(NULL);
    n[STAMP] = st.st_mtim.tv_sec;
    n[NOT_STAMP] = -(int64_t)st.st_mtim.tv_sec;
}

/* The largest and the smallest of all ranks that said something. */
static bool are_equal(const int64_t *all)
{
    return all[0] == INT64_MIN || all[0] == -all[1];
}

bool pcdf_object_differs(const struct pcdf_sharedfile_config *config, int64_t stamp, const int64_t *all)
{
    bool creates = config->file.mode == PCDF_STORAGE_CREATE;

    if (!are_equal(all + INODE))
        return true;
    if (!are_equal(all + SIZE) && (creates || all[IS_RECENT] != 1))
        return true;
    return creates && stamp && !are_equal(all + STAMP);
}

static const char *describe(int64_t inode, int64_t size, char room[TEXT])
{
    if (size < 0)
        return "none there";
    if (inode)
        snprintf(room, TEXT, "inode %lld, %lld bytes", (long long)inode, (long long)size);
    else
        snprintf(room, TEXT, "%lld bytes", (long long)size);
    return room;
}

int pcdf_object_report_all(const struct pcdf_ranks *ranks, const struct pcdf_object *mine)
{
    char here[TEXT], there[TEXT];
    int64_t root[2] = { mine->inode, mine->size };

    int err = pcdf_ranks_bcast_all(ranks, root, sizeof root);
    bool differs = mine->is_known && (mine->inode != root[0] || mine->size != root[1]);
    int64_t first[2] = { differs ? -ranks->rank : -ranks->size, differs };
    pcdf_first(&err, pcdf_ranks_reduce_all(ranks, MPI_MAX, first, 2));
    if (err)
        return err;
    if (differs)
        return PCDF_FAIL(
            NC_EBAD_FILE,
            "%s is another file for rank %d (%s) than for rank 0 (%s): the path is local to each node; use "
            "a file system that all nodes share",
            ranks->path, ranks->rank, describe(mine->inode, mine->size, here),
            describe(root[0], root[1], there));
    if (first[1]) /* the same on all ranks, as all that only builds a sentence */
        return PCDF_FAIL(
            NC_EBAD_FILE,
            "%s is another file for rank %d than for rank 0: the path is local to each node; use a "
            "file system that all nodes share",
            ranks->path, (int)-first[0]);
    return PCDF_FAIL(NC_EBAD_FILE,
                     "%s is not one file for all ranks (an old file of another node has the new one's size): "
                     "the path is local to each node; use a file system that all nodes share",
                     ranks->path);
}
