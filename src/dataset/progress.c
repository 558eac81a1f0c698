/* See progress.h. */
#include "progress.h"
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(pcdf_progress_function *) told;
static _Atomic(void *) told_context;

void pcdf_progress_set(pcdf_progress_function *function, void *context)
{
    told = (pcdf_progress_function *)0; /* never the new function with the old context */
    told_context = context;
    told = function;
}

void pcdf_progress(const char *path, int64_t done, int64_t total)
{
    pcdf_progress_function *function = told;
    if (function)
        function(path, done < total ? done : total, total, told_context);
}
