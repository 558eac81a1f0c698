/* Who writes netCDF-4: the program parcdf-foreign, which has libraries that this one does not need. See
 * copyinput.h. */
#include "copyinput.h"
#include "alloc.h"
#include "copypipe.h"

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
    static struct pcdf_copy_options options;
    static char program[] = PROGRAM;
    char here[PATH_MAX], path[PATH_MAX + sizeof PARCDF_LIBEXEC + sizeof PROGRAM + 2];

    char **words = with_program(argc, argv, program), **again = with_program(argc, argv, program);
    if (again) /* which it puts into another order; if they are wrong, this program says so */
        (void)pcdf_copy_read_options(&options, argc, again + 1);
    bool is_pipe = pcdf_copy_is_pipe(options.to) || (options.nfrom > 0 && pcdf_copy_is_pipe(options.from[0]));
    pcdf_free(again); /* from is of it */
    if (!options.is_foreign || is_pipe) {
        pcdf_free(words);
        return;
    }
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
