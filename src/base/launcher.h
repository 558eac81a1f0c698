#ifndef PCDF_LAUNCHER_H
#define PCDF_LAUNCHER_H
/* What the program that started this process (mpiexec, srun) says in the environment. Where it started
 * several, and MPI knows of one alone, it is the launcher of another MPI library: each process is then a job
 * of its own, and all of them write the same file. */

#include <stdbool.h>

struct pcdf_launcher {
    const char *variable; /* that tells the number */
    int size, rank;
};

/* False: nobody told, or of one process. Also what a batch system says of the whole job (SLURM_NTASKS) counts
 * for nothing: a serial program may run there. */
bool pcdf_launcher_of(struct pcdf_launcher *launcher);
#endif
