/* The program `parcdf-foreign`, which `parcdf copy` runs when one side of a copy is no classic file: so
 * neither the library nor `parcdf` depend on HDF5. */
#include "foreigncopy.h"
#include "copyzarr.h"
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
    .summary = "copy to and from netCDF-4 and Zarr, and from HDF4",
    .help = "Copies between classic files (CDF-1, CDF-2, CDF-5) and files of other formats.\n"
            "`parcdf copy` starts this program if FROM or TO is such a file. The format of\n"
            "FROM is found from its content, that of TO from -k or its name (.nc4, .zarr).\n\n"
            "  -k KIND              classic, 64-bit-offset or cdf5 (default if FROM is not\n"
            "                       a classic file); netcdf4 (nc4, 3); nc7 (4: netCDF-4 with\n"
            "                       the classic model); zarr, zarr3, nczarr\n"
            "  --deflate N          compress with zlib, level 1 to 9\n"
            "  --chunks DIM/LEN,..  lengths of chunks along dimensions, for the variables\n"
            "                       that have these\n"
            "  --zstd, --shuffle, --shards: for Zarr, see parcdf help copy\n"
            "  --skip-unsupported   leave out what the other format cannot hold, with a\n"
            "                       message\n"
            "  -v, -V, -x, -d, -u, -h, -O, --unlimited, --verbose, and for a classic TO\n"
            "  --align, --record-align, --header-reserve, --checksum: see parcdf help copy\n\n"
            "The variable x of the group g becomes g_x, and so do dimensions and attributes.\n"
            "Strings become characters with one more dimension, x_strlen. One unlimited\n"
            "dimension stays unlimited. A Zarr store has no unlimited dimensions.\n\n"
            "EXAMPLES\n"
            "  parcdf copy -k netcdf4 --deflate 4 in.nc out.nc4\n"
            "  mpiexec -n 4 parcdf copy model.nc4 model.nc\n"
            "  parcdf copy -k nczarr --chunks time/1,lat/180 in.nc out.zarr\n"
            "  parcdf copy MOD04.hdf granule.nc\n\n"
            "Exit status: 0 copied, 1 copied but FROM lacked values, 2 not copied.\n",
    .is_parallel = true,
};

/* ---- options */

static const struct {
    const char *name;
    enum pcdf_foreign_kind kind;
} kinds[] = {
    { "netCDF-4", PCDF_FOREIGN_NETCDF4 },
    { "netcdf4", PCDF_FOREIGN_NETCDF4 },
    { "hdf5", PCDF_FOREIGN_NETCDF4 },
    { "nc4", PCDF_FOREIGN_NETCDF4 },
    { "enhanced", PCDF_FOREIGN_NETCDF4 },
    { "3", PCDF_FOREIGN_NETCDF4 },
    { "netCDF-4 classic model", PCDF_FOREIGN_NETCDF4_CLASSIC },
    { "nc7", PCDF_FOREIGN_NETCDF4_CLASSIC },
    { "4", PCDF_FOREIGN_NETCDF4_CLASSIC },
};

static enum pcdf_foreign_kind kind_named(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcasecmp(kinds[i].name, name) == 0)
            return kinds[i].kind;
    return PCDF_FOREIGN_UNKNOWN;
}

/* The options of `parcdf copy` that have no place where libnetcdf writes, or several files are read. */
static const char *check(const struct pcdf_foreign_options *o)
{
    const struct pcdf_copy_options *c = &o->copy;
    bool is_classic = pcdf_foreign_is_classic(o->kind);

    if (c->nfrom > 1 || c->append)
        return "only classic files are joined or appended to";
    if (is_classic && (c->chunks || c->deflate))
        return "a classic file has no chunks and is not compressed";
    if (!is_classic && (c->align || c->record_align || c->reserve || c->checksum))
        return "alignment, header reserve and checksums are for classic files";
    return NULL;
}

/* NULL, or what is wrong. */
static const char *parse(struct pcdf_foreign_options *o, int argc, char **argv)
{
    *o = (struct pcdf_foreign_options){ .kind = PCDF_FOREIGN_UNKNOWN };
    const char *wrong = pcdf_copy_read_options(&o->copy, argc, argv);
    if (wrong)
        return wrong;
    o->from = o->copy.from[0];
    o->to = o->copy.to;
    if (o->copy.zarr)
        pcdf_copy_zarr_options(&o->copy);
    o->kind = o->copy.zarr         ? PCDF_FOREIGN_NCZARR
              : o->copy.version    ? (enum pcdf_foreign_kind)o->copy.version
              : o->copy.is_foreign ? kind_named(o->copy.kind)
                                   : PCDF_FOREIGN_CDF5;
    return check(o);
}

/* ---- the program */

static void stop(int signal_number)
{
    pcdf_foreign_is_stopped = signal_number;
}

volatile int pcdf_foreign_has_said;

/* Damaged files crash the libraries that read them, and full disks those that write, here and there: then one
 * sentence, and no part of a file. */
static void crashed(int signal_number)
{
    static const char sentence[] = "parcdf: a library for foreign files crashed, as they do on some that are "
                                   "damaged, or where the disk is full\n";
    (void)signal_number;
    pcdf_tool_output_remove();
    if (!pcdf_foreign_has_said && write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0)
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
    printf("parcdf-foreign %s\nnetCDF-4, NCZarr: %s\nHDF4: %s\n", PARCDF_VERSION,
           pcdf_foreign_has_netcdf ? "yes" : "no", pcdf_foreign_has_hdf4 ? "yes" : "no");
    return PCDF_TOOL_GOOD;
}

static int say_usage(FILE *to, int status)
{
    fprintf(to, "usage: parcdf-foreign %s %s\n\n%s", foreign.name, foreign.usage, foreign.help);
    return status;
}

int main(int argc, char **argv)
{
    struct pcdf_foreign_options options;
    struct pcdf_tool_team team;

    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        return say_version();
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || (argc > 2 && strcmp(argv[2], "--help") == 0)))
        return say_usage(stdout, PCDF_TOOL_GOOD);
    if (argc < 2 || strcmp(argv[1], foreign.name) != 0)
        return say_usage(stderr, PCDF_TOOL_UNUSABLE);
    const char *wrong = parse(&options, argc - 1, argv + 1);
    if (!pcdf_tool_team_begin(&team, !wrong && pcdf_foreign_is_classic(options.kind)))
        return pcdf_tool_unusable(NULL, "MPI does not start here");
    catch_signals();
    int status = wrong ? pcdf_tool_misused(&foreign, "%s", wrong) : pcdf_foreign_copy_all(&team, &options);
    return pcdf_tool_team_end_all(&team, status);
}
