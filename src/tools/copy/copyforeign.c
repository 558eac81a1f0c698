/* Files that are not netCDF classic, and who copies them: the program parcdf-foreign, which has libraries
 * that this one does not need. See copyinput.h. */
#include "copyinput.h"
#include "alloc.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRAM "parcdf-foreign"
#ifndef PARCDF_LIBEXEC /* where its package puts it, relative to the folder of this program */
#define PARCDF_LIBEXEC "../libexec/parcdf"
#endif

static bool is_classic(const unsigned char *head)
{
    return memcmp(head, "CDF", 3) == 0 && (head[3] == 1 || head[3] == 2 || head[3] == 5);
}

/* HDF5 may have a block of the user's, a power of two from 512 on, before it; in a classic file these bytes
 * are values. */
static bool has_foreign_magic(const char *path)
{
    static const unsigned char hdf5[8] = { 0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n' };
    static const unsigned char hdf4[4] = { 0x0E, 0x03, 0x13, 0x01 };
    unsigned char head[8] = { 0 };
    bool found = false;
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return false;
    bool has_four = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && pread(fd, head, 4, 0) == 4;
    if (has_four && !is_classic(head)) {
        found = memcmp(head, hdf4, sizeof hdf4) == 0;
        for (int64_t at = 0; !found && at + 8 <= st.st_size && at <= 1 << 20; at = at ? 2 * at : 512)
            found = pread(fd, head, sizeof head, at) == sizeof head && memcmp(head, hdf5, sizeof hdf5) == 0;
    }
    close(fd);
    return found;
}

static bool has_zarr_inside(const char *folder)
{
    static const char *const signs[] = { ".zgroup", ".zmetadata", ".nczarr", ".zattrs", "zarr.json" };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        char path[PATH_MAX];
        struct stat st;
        if (snprintf(path, sizeof path, "%s/%s", folder, signs[i]) < (int)sizeof path && stat(path, &st) == 0)
            return true;
    }
    return false;
}

enum pcdf_copy_foreign pcdf_copy_needs_foreign(int argc, char **argv)
{
    static struct pcdf_copy_options options;
    (void)pcdf_copy_read_options(&options, argc, argv);
    for (int i = 0; i < options.nfrom; i++)
        if (pcdf_copy_is_url(options.from[i]) || has_foreign_magic(options.from[i]) ||
            has_zarr_inside(options.from[i]))
            return PCDF_COPY_FROM_FOREIGN;
    return options.is_foreign ? PCDF_COPY_TO_FOREIGN : PCDF_COPY_CLASSIC;
}

/* argv from 0 on, with another program before it. */
static char **with_program(int argc, char **argv, char *program)
{
    char **words = pcdf_calloc((size_t)argc + 2, sizeof *words);
    if (words) {
        words[0] = program;
        memcpy(words + 1, argv, (size_t)argc * sizeof *argv);
    }
    return words;
}

void pcdf_copy_become_foreign(int argc, char **argv)
{
    static char program[] = PROGRAM;
    char here[PATH_MAX], path[PATH_MAX + sizeof PARCDF_LIBEXEC + sizeof PROGRAM + 2];

    if (pcdf_copy_needs_foreign(argc, argv) == PCDF_COPY_CLASSIC)
        return;
    char **words = with_program(argc, argv, program);
    ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
    while (n > 0 && here[n - 1] != '/')
        n--;
    if (words && n > 0) {
        snprintf(path, sizeof path, "%.*s" PROGRAM, (int)n, here);
        execv(path, words);
        snprintf(path, sizeof path, "%.*s" PARCDF_LIBEXEC "/" PROGRAM, (int)n, here);
        execv(path, words);
    }
    if (words)
        execvp(PROGRAM, words);
    pcdf_free(words);
}
