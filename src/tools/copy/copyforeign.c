/* Files that are not netCDF classic, and who copies them: the program parcdf-foreign, which has libraries
 * that this one does not need. See copyinput.h. */
#include "copyinput.h"
#include "alloc.h"
#include "filekind.h"
#include "url.h"

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

static bool is_foreign(const char *path)
{
    enum pcdf_filekind kind = pcdf_filekind_of(path);
    if (pcdf_url_is_far(path))
        return false; /* far: read here */
    return kind == PCDF_FILEKIND_HDF5 || kind == PCDF_FILEKIND_HDF4 || kind == PCDF_FILEKIND_ZARR ||
           pcdf_copy_is_url(path);
}

enum pcdf_copy_foreign pcdf_copy_needs_foreign(int argc, char **argv)
{
    static struct pcdf_copy_options options;
    (void)pcdf_copy_read_options(&options, argc, argv);
    for (int i = 0; i < options.nfrom; i++)
        if (is_foreign(options.from[i]))
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
