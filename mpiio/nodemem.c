/* See nodemem.h. */
#include "nodemem.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum { NAME = 64, PATIENCE = 1000 };

/* Shared memory of the open object, or NULL; closes it. */
static char *map_and_close(int fd, bool is_good, size_t bytes)
{
    void *memory = is_good ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Reserves the bytes, and leaves some: others, such as the MPI library, need them later, and end in SIGBUS
 * where there are none. */
static bool reserve(int fd, size_t bytes)
{
    struct statvfs fs;
    struct rlimit most;
    int err = EINTR;
    if (!getrlimit(RLIMIT_FSIZE, &most) && most.rlim_cur != RLIM_INFINITY && most.rlim_cur < bytes)
        return false; /* the system would send SIGXFSZ */
    if (!fstatvfs(fd, &fs) && (double)fs.f_bavail * (double)fs.f_frsize <
                                  (double)bytes + (double)fs.f_blocks * (double)fs.f_frsize / 8)
        return false;
    for (int i = 0; err == EINTR && i < PATIENCE; i++)
        err = posix_fallocate(fd, 0, (off_t)bytes);
    return err == 0;
}

/* name: empty where there is no memory. */
static char *root_make(char name[NAME], size_t bytes)
{
    static _Atomic unsigned number;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, NAME, "/parcdf.%ld.%u.%lx", (long)getpid(), ++number, (unsigned long)now.tv_nsec);
    int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    char *memory = map_and_close(fd, fd >= 0 && reserve(fd, bytes), bytes);
    if (fd >= 0 && !memory)
        shm_unlink(name);
    if (!memory)
        *name = '\0';
    return memory;
}

bool pcdf_nodemem_make_all(const struct pcdf_ranks *node, size_t bytes, struct pcdf_nodemem *made)
{
    char name[NAME] = "";
    char *memory = NULL;
    if (node->rank == 0 && node->size > 1)
        memory = root_make(name, bytes);
    else if (node->rank == 0) /* nobody to share it with */
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        memory = NULL;
    int err = pcdf_ranks_bcast_all(node, name, NAME);
    if (!err && node->rank > 0 && *name) {
        struct stat st;
        int fd = shm_open(name, O_RDWR, 0);
        bool is_it = fd >= 0 && !fstat(fd, &st) && (size_t)st.st_size == bytes;
        memory = map_and_close(fd, is_it, bytes);
    }
    int64_t all = memory != NULL;
    if (!err) /* the same on all ranks: else MPI has failed */
        err = pcdf_ranks_reduce_all(node, MPI_MIN, &all, 1);
    if (node->rank == 0 && *name)
        shm_unlink(name);
    *made = (struct pcdf_nodemem){ memory, bytes };
    if (!err && all)
        return true;
    pcdf_nodemem_free(made);
    return false;
}

void pcdf_nodemem_free(struct pcdf_nodemem *s)
{
    if (s->at)
        munmap(s->at, s->bytes);
    *s = (struct pcdf_nodemem){ NULL, 0 };
}
