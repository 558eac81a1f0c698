/* `parcdf bench`: the benchmark checkpoint (benchmarks/README.md) from within the program. */
#include "checkpoint.h"
#include "tool.h"

/* Whoever fails ends all ranks: then the file could not be written or read. */
static int run(const struct pcdf_tool_team *team, int argc, char **argv)
{
    (void)team;
    bench_fail_with(PCDF_TOOL_UNUSABLE);
    return checkpoint_run(argc, argv, "parcdf bench");
}

const struct pcdf_tool_command pcdf_tool_bench = {
    .name = "bench",
    .usage = "[OPTION...]",
    .summary = "how fast ranks write and read a checkpoint here; every value is compared",
    .help = "Writes the checkpoint of a model run from all ranks into one file, closes it, reads it back on\n"
            "one rank fewer, compares every value, and prints seconds and rates of each phase. Run it under\n"
            "mpiexec, in the file system that you want to know about (--dir).\n"
            "\n"
            "  --case NAME             block: 3-D blocks (the default); sphere: thousands of short pieces a "
            "rank\n"
            "  --grid ZxYxX            block: points of the grid [64x96x128]\n"
            "  --ne N                  sphere: elements along the edge of a face [16]\n"
            "  --levels N              sphere: levels [72]\n"
            "  --vars N                fields with records [4]\n"
            "  --records N             records to write [2]\n"
            "  --format N              CDF version: 1, 2 or 5 [5]\n"
            "  --header FILE           replays an E3SM case: the CDL header of its output\n"
            "  --map FILE              and its decomposition map\n"
            "  --dims NAME=N,...       and lengths that override the header's\n"
            "  --wrf FILE              replays a WRF output file, of its CDL header\n"
            "  --scale S               divides the horizontal sizes of --wrf [10]\n"
            "  --expect-partitioned N  fail unless so many variables are partitioned\n"
            "  --pending WHAT          post all variables, one wait_all a record, or a file; else blocking "
            "calls\n"
            "  --batch MiB             values a rank makes before it writes them [32]\n"
            "  --read-ranks N          ranks that read [one fewer than write]\n"
            "  --repeat N              repetitions [1]\n"
            "  --hints LIST            NAME=VALUE;... that the file is created and opened with\n"
            "  --dir FOLDER            where the file is made [.]\n"
            "  -o FILE                 the file's name; it is removed at the end\n"
            "  --keep FILE             the same, kept\n"
            "  -O, --overwrite         replace a file of that name, which else is spared\n"
            "  --json                  one JSON object, for `parcdf report` and scripts\n"
            "\n"
            "Exit status: 0 all values right, 1 some are wrong, 2 unusable.\n"
            "\n"
            "EXAMPLES\n"
            "  mpiexec -n 4 parcdf bench --dir .\n"
            "  mpiexec -n 4 parcdf bench --case sphere --ne 8 --json >run.json\n"
            "  mpiexec -n 4 parcdf bench --hints 'pcdf_trace=log' && parcdf report -o log.html log\n",
    .is_parallel = true,
    .needs_mpi = true,
    .run = run,
};
