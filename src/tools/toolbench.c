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
    .help =
        "Writes the checkpoint of a model run from all ranks into one file, closes it, reads it back on one\n"
        "rank fewer, compares every value, and prints seconds and rates of each phase. Run it under "
        "mpiexec,\n"
        "in the file system that you want to know about: --dir.\n\n"
        "  --case block|sphere     3-D blocks (the default), or a cubed sphere: thousands of short pieces a "
        "rank\n"
        "  --grid ZxYxX            block: points of the grid [64x96x128]\n"
        "  --ne N --levels N       sphere: elements along the edge of a face, levels [16, 72]\n"
        "  --vars N                fields with records [4]\n"
        "  --records N             records to write [2]\n"
        "  --format 1|2|5          CDF version [5]\n"
        "  --header FILE --map FILE [--dims NAME=N,...]\n"
        "                          replays an E3SM case: CDL header and decomposition map\n"
        "  --wrf FILE --scale S    replays a WRF header, its horizontal sizes divided by S\n"
        "  --expect-partitioned N  fail unless so many variables are partitioned\n"
        "  --pending record|file   post all variables, one wait_all a record or a file; else blocking calls\n"
        "  --batch MiB             values a rank makes before it writes them [32]\n"
        "  --read-ranks N          ranks that read [one fewer than write]\n"
        "  --repeat N              repetitions [1]\n"
        "  --hints 'NAME=VALUE;...'  that the file is created and opened with\n"
        "  --dir FOLDER            where the file is made [.]\n"
        "  -o FILE, --keep FILE    its name; removed at the end, or kept\n"
        "  --json                  one JSON object, for `parcdf report` and scripts\n\n"
        "Exit status: 0 good, 1 a value is wrong or a call failed, 2 unusable.\n\n"
        "EXAMPLES\n"
        "  mpiexec -n 4 parcdf bench --dir /scratch\n"
        "  mpiexec -n 4 parcdf bench --case sphere --ne 8 --json >run.json\n"
        "  mpiexec -n 4 parcdf bench --hints 'pcdf_trace=log'\n",
    .is_parallel = true,
    .needs_mpi = true,
    .run = run,
};
