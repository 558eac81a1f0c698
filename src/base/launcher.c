/* See launcher.h. */
#include "launcher.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

/* A whole number of an environment variable; -1: it is not set, or no such number. */
static int number_of(const char *variable)
{
    const char *text = getenv(variable);
    char *end;
    if (!text || *text < '0' || *text > '9')
        return -1;
    long number = strtol(text, &end, 10);
    return *end || number > INT_MAX ? -1 : (int)number;
}

bool pcdf_launcher_of(struct pcdf_launcher *launcher)
{
    static const struct {
        const char *size, *rank;
    } told[] = { { "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" }, /* Open MPI, Spectrum MPI, PRRTE */
                 { "PMI_SIZE", "PMI_RANK" },                         /* Hydra (MPICH, Intel MPI), PALS */
                 { "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK" },   /* MVAPICH2 */
                 { "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_RANK" },     /* jsrun */
                 { "SLURM_STEP_NUM_TASKS", "SLURM_PROCID" } };       /* srun: not set outside of a step */
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        struct pcdf_launcher l = { told[i].size, number_of(told[i].size), number_of(told[i].rank) };
        if (l.size > 1 && l.rank >= 0 && l.rank < l.size) {
            *launcher = l;
            return true;
        }
    }
    return false;
}
