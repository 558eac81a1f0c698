/* The benchmark `checkpoint` as a program of its own; `parcdf bench` is the same within ours. */
#include "checkpoint.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int code = checkpoint_run(argc, argv, "checkpoint");
    MPI_Finalize();
    return code;
}
