/* What reading and comparing files costs without a program around it: benchmarks/tools holds the commands of
 * `parcdf` against it.
 *
 *     bare compare A B    bare read A    bare copy A B
 *
 * Started several times by an mpiexec each process takes every so many-th MiB; it learns from the environment
 * who it is, and MPI is not started. Blocks are as large as those of `parcdf diff`. Exit status: 0, 1 when a
 * byte differs, 2 when a file cannot be used. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { UNIT = 1 << 20, BLOCK = 256 << 10, ALIGNMENT = 4096 };

static int64_t number_of(const char *const *names)
{
    for (; *names; names++)
        if (getenv(*names))
            return strtoll(getenv(*names), NULL, 10);
    return -1;
}

static int unusable(const char *path)
{
    perror(path);
    return 2;
}

/* One block at `offset`, n bytes. */
static int work(char what, int a, int b, char *block[2], int64_t offset, int64_t n)
{
    if (pread(a, block[0], (size_t)n, (off_t)offset) != n)
        return 2;
    if (what == 'c' && pread(b, block[1], (size_t)n, (off_t)offset) != n)
        return 2;
    if (what == 'c')
        return memcmp(block[0], block[1], (size_t)n) != 0;
    if (what == 'w' && pwrite(b, block[0], (size_t)n, (off_t)offset) != n)
        return 2;
    return 0;
}

static int work_through(char what, int a, int b, int64_t size)
{
    static const char *const ranks[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", NULL };
    static const char *const sizes[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", NULL };
    int64_t rank = number_of(ranks), nranks = number_of(sizes);
    char *block[2] = { aligned_alloc(ALIGNMENT, BLOCK), aligned_alloc(ALIGNMENT, BLOCK) };
    int status = block[0] && block[1] ? 0 : 2;

    if (rank < 0 || nranks < 1) {
        rank = 0;
        nranks = 1;
    }
    for (int64_t unit = rank * UNIT; !status && unit < size; unit += nranks * UNIT)
        for (int64_t at = unit; !status && at < unit + UNIT && at < size; at += BLOCK)
            status = work(what, a, b, block, at, size - at < BLOCK ? size - at : BLOCK);
    free(block[0]);
    free(block[1]);
    return status;
}

int main(int argc, char **argv)
{
    struct stat st;
    const char *command = argc > 2 ? argv[1] : "";
    char what = strcmp(command, "copy") == 0 ? 'w' : strcmp(command, "compare") == 0 ? 'c' : 'r';

    if (argc != (what == 'r' ? 3 : 4) || (what == 'r' && strcmp(command, "read") != 0)) {
        fputs("usage: bare compare A B | bare read A | bare copy A B\n", stderr);
        return 2;
    }
    int a = open(argv[2], O_RDONLY);
    if (a < 0 || fstat(a, &st))
        return unusable(argv[2]);
    int b = what == 'r' ? a : open(argv[3], what == 'w' ? O_RDWR | O_CREAT : O_RDONLY, 0666);
    if (b < 0)
        return unusable(argv[3]);
    return work_through(what, a, b, st.st_size);
}
