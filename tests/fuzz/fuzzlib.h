#ifndef FUZZLIB_H
#define FUZZLIB_H
/* Targets of the whole library: one process, MPI started once, files in memory. */

#include <mpi.h>
#include <pnetcdf.h>
#include "alloc.h"
#include "fuzz.h"

static void fuzz_end(void)
{
    MPI_Finalize();
}

/* What a target's LLVMFuzzerInitialize calls. */
static inline void fuzz_begin(void)
{
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided);
    atexit(fuzz_end);
}

/* "name", "value", ... NULL; lives as long as the program. */
static inline MPI_Info fuzz_hints(const char *const *words)
{
    MPI_Info info;
    MPI_Info_create(&info);
    for (; *words; words += 2)
        MPI_Info_set(info, words[0], words[1]);
    return info;
}

/* Nothing of what an input made is held when it is done with; what the library keeps for the process (its
 * communicators) is there after the first. */
static inline void fuzz_check_memory(void)
{
    static int64_t held = -1;
    if (held >= 0 && pcdf_alloc_now() != held)
        fprintf(stderr, "%lld bytes are held, %lld were before\n", (long long)pcdf_alloc_now(),
                (long long)held);
    DEMAND(held < 0 || pcdf_alloc_now() == held);
    held = pcdf_alloc_now();
}
#endif
