/* `parcdf bench`: the benchmark checkpoint (benchmarks/README.md) from within the program. */
#include "checkpoint.h"
#include "tool.h"

/* Whoever fails ends all ranks: then the file could not be written or read. */
static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    (void)ranks;
    bench_fail_with(PCDF_TOOL_UNUSABLE);
    return checkpoint_run(argc, argv, "parcdf bench");
}

const struct pcdf_tool_command pcdf_tool_bench = {
    .name = "bench",
    .usage = "[OPTION...]",
    .summary = "measure how fast ranks write and read a checkpoint here",
    .help = "Writes the checkpoint of a model run from all ranks into one file, closes it,\n"
            "reads it back on one rank fewer, compares every value, and prints the time and\n"
            "speed of each step. Run it under mpiexec, in the file system that you want to\n"
            "measure (--dir). Defaults are in [].\n\n"
            "  --case NAME             block: 3-D blocks; sphere: thousands of short pieces\n"
            "                          for each rank [block]\n"
            "  --grid ZxYxX            block: points of the grid [64x96x128]\n"
            "  --ne N                  sphere: elements along the edge of a face [16]\n"
            "  --levels N              sphere: levels [72]\n"
            "  --vars N                record variables [4]\n"
            "  --records N             records to write [2]\n"
            "  --format N              CDF version: 1, 2 or 5 [5]\n"
            "  --header FILE           replay a run of E3SM: the CDL header of its output\n"
            "  --map FILE              and its decomposition map\n"
            "  --dims NAME=N,...       lengths of dimensions, instead of those in the header\n"
            "  --wrf FILE              replay a WRF output file with this CDL header\n"
            "  --scale S               divide the horizontal sizes of --wrf by S [10]\n"
            "  --expect-partitioned N  fail unless N variables are distributed over ranks\n"
            "  --pending WHAT          use nonblocking calls, with one wait_all for each\n"
            "                          record or for the file (WHAT: record or file)\n"
            "  --compute S             compute for S seconds before each record, and print\n"
            "                          how long the program waited for output [0]\n"
            "  --work                  the computation works; else it sleeps\n"
            "  --batch MiB             amount of values that a rank computes before it\n"
            "                          writes them [32]\n"
            "  --read-ranks N          ranks that read [one fewer than write]\n"
            "  --repeat N              repetitions [1]\n"
            "  --hints LIST            hints NAME=VALUE;... for create and open\n"
            "  --dir FOLDER            folder of the file [.]\n"
            "  -o FILE                 name of the file; it is removed at the end\n"
            "  --keep FILE             name of the file; it is kept\n"
            "  -O, --overwrite         replace an existing file\n"
            "  --json                  print one JSON object, for `parcdf report` and\n"
            "                          scripts\n\n"
            "Exit status: 0 all values are right, 1 some are wrong, 2 unusable.\n\n"
            "EXAMPLES\n"
            "  mpiexec -n 4 parcdf bench --dir .\n"
            "  mpiexec -n 4 parcdf bench --case sphere --ne 8 --json >run.json\n"
            "  mpiexec -n 4 parcdf bench --compute 0.2 --records 5\n"
            "  mpiexec -n 4 parcdf bench --hints pcdf_trace=r; parcdf report r >r.html\n",
    .is_parallel = true,
    .needs_mpi = true,
    .run = run,
};
