/* The program `parcdf-foreign`, which `parcdf copy` becomes for a copy to netCDF-4: so neither the library
 * nor `parcdf` depend on libnetcdf. */
#include "foreigncopy.h"
#include "foreignmove.h"
#include "tool.h"
#include "tooloutput.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const struct pcdf_tool_command foreign = {
    .name = "copy",
    .usage = "[OPTION...] FROM TO",
    .summary = "copy to netCDF-4",
    .help = "Copies a file to netCDF-4, from whatever `parcdf copy` reads. `parcdf copy`\n"
            "starts this program for -k netcdf4 and nc7, or a TO that ends in .nc4.\n\n"
            "  -k KIND              netcdf4 (nc4, 3); nc7 (4): the classic model of netCDF-4\n"
            "  --deflate N          compress with zlib, level 1 to 9\n"
            "  --chunks DIM/LEN,..  lengths of chunks along dimensions, for the variables\n"
            "                       that have these\n"
            "  --skip-unsupported   leave out what the other format cannot hold, with a\n"
            "                       message\n\n"
            "The options -v, -V, -x, -d, -u, -h, -O, --select, --box, --rename, --drop,\n"
            "--set, --unlimited and --verbose are those of `parcdf copy`.\n\n"
            "Exit status: 0 copied, 1 copied but FROM lacked values, or FROM is damaged,\n"
            "2 not copied.\n\n"
            "EXAMPLES\n"
            "  parcdf copy -k netcdf4 --deflate 4 in.nc out.nc4\n"
            "  mpiexec -n 4 parcdf copy model.zarr model.nc4\n",
    .is_parallel = true,
};

/* ---- options */

static bool is_classic_model(const char *kind)
{
    static const char *const names[] = { "netCDF-4 classic model", "nc7", "4" };
    bool is_one = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is_one |= strcasecmp(names[i], kind) == 0;
    return is_one;
}

/* NULL, or what is wrong: also options of `parcdf copy` that have no place where libnetcdf writes. */
static const char *parse(struct pcdf_foreign_options *o, int argc, char **argv)
{
    struct pcdf_copy_options *c = &o->copy;
    const char *wrong = pcdf_copy_read_options(c, argc, argv);
    if (wrong)
        return wrong;
    if (!c->is_foreign)
        return "this program writes netCDF-4; `parcdf copy` writes the other formats itself";
    if (c->nfrom > 1 || c->append)
        return "only classic files are joined or appended to";
    if (c->align || c->record_align || c->reserve || c->checksum)
        return "alignment, header reserve and checksums are for classic files";
    o->is_classic_model = is_classic_model(c->kind);
    return NULL;
}

/* ---- the program */

static void stop(int signal_number)
{
    pcdf_foreign_is_stopped = signal_number;
}

/* Full disks crash libnetcdf here and there: then one sentence, and no part of a file. */
static void crashed(int signal_number)
{
    static const char sentence[] = "parcdf: libnetcdf crashed, as it does where the disk is full\n";
    (void)signal_number;
    pcdf_tool_output_remove();
    if (!pcdf_nc_has_said && write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0)
        _exit(PCDF_TOOL_UNUSABLE);
    _exit(PCDF_TOOL_UNUSABLE);
}

static void catch_asked(int signal_number)
{
    struct sigaction old, ask = { .sa_handler = stop, .sa_flags = (int)SA_RESETHAND };

    if (sigaction(signal_number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(signal_number, &ask, NULL);
}

/* Asked to end: the tile on its way is finished, then all is cleaned up; a second signal ends the program at
 * once. One that is ignored, as SIGHUP under nohup, stays so. A file that may not grow is an error of a
 * write. */
static void catch_signals(void)
{
    static const int asked[] = { SIGINT, SIGTERM, SIGHUP },
                     deadly[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    struct sigaction die = { .sa_handler = crashed, .sa_flags = (int)SA_RESETHAND };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        catch_asked(asked[i]);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        sigaction(deadly[i], &die, NULL);
}

static int say_version(void)
{
    printf("parcdf-foreign %s\n", PARCDF_VERSION);
    return PCDF_TOOL_GOOD;
}

static int say_usage(FILE *to, int status)
{
    fprintf(to, "usage: parcdf-foreign %s %s\n\n%s", foreign.name, foreign.usage, foreign.help);
    return status;
}

int main(int argc, char **argv)
{
    static struct pcdf_foreign_options options;
    struct pcdf_tool_ranks ranks;

    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        return say_version();
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || (argc > 2 && strcmp(argv[2], "--help") == 0)))
        return say_usage(stdout, PCDF_TOOL_GOOD);
    if (argc < 2 || strcmp(argv[1], foreign.name) != 0)
        return say_usage(stderr, PCDF_TOOL_UNUSABLE);
    const char *wrong = parse(&options, argc - 1, argv + 1);
    if (!pcdf_tool_ranks_begin(&ranks, false))
        return pcdf_tool_unusable(NULL, "MPI does not start here");
    if (!pcdf_tool_ranks_are_whole(&ranks))
        return pcdf_tool_ranks_end_all(&ranks, PCDF_TOOL_UNUSABLE);
    catch_signals();
    int status = wrong ? pcdf_tool_misused(&foreign, "%s", wrong) : pcdf_foreign_copy_all(&ranks, &options);
    return pcdf_tool_ranks_end_all(&ranks, status);
}
