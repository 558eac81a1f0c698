/* `parcdf reduce`: means, sums, extremes and others over dimensions. */
#include "reduceoptions.h"
#include "reducework.h"
#include "status.h"
#include "tool.h"
#include "tooldefine.h"
#include "tooljson.h"
#include "tooloutput.h"
#include "toolprogress.h"
#include "toolwork.h"

#include <inttypes.h>
#include <limits.h>
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <string.h>
#include <time.h>

struct job {
    const struct pcdf_tool_team *team;
    const struct pcdf_reduce_options *options;
    struct pcdf_reduce_input input;
    struct pcdf_reduce_plan plan;
    int64_t bytes;
    double seconds;
};

/* ---- the file */

static int mode_of(int version)
{
    return NC_CLOBBER | (version == 5 ? NC_64BIT_DATA : version == 2 ? NC_64BIT_OFFSET : 0);
}

static int say(const struct job *job, int err)
{
    return err ? pcdf_tool_unusable(job->options->to, "%s", parcdf_last_error()) : PCDF_TOOL_GOOD;
}

/* In independent data mode; the same on all ranks. */
static int create_all(const struct job *job, const char *name, int *ncid)
{
    int old, err = ncmpi_create(MPI_COMM_WORLD, name, mode_of(job->options->version), MPI_INFO_NULL, ncid);
    if (err) /* the same on all ranks, as is what follows */
        return say(job, err);
    int status = say(job, ncmpi_set_fill(*ncid, NC_NOFILL, &old));
    status =
        pcdf_tool_worst_all(job->team, status ? status : say(job, pcdf_tool_define(*ncid, &job->plan.out)));
    if (status) {
        (void)ncmpi_abort(*ncid);
        return status;
    }
    status = say(job, ncmpi_enddef(*ncid));
    status = status ? status : say(job, ncmpi_begin_indep_data(*ncid));
    if (status)
        (void)ncmpi_close(*ncid);
    return status;
}

static int fill_all(struct job *job, const char *name, const struct pcdf_tool_output *out)
{
    struct pcdf_tool_progress progress;
    int ncid, status = create_all(job, name, &ncid);
    if (status) /* the same on all ranks, as is what follows */
        return status;
    if (job->team->rank == 0)
        pcdf_tool_output_hide(out);
    pcdf_tool_progress_begin(&progress, job->team, "reducing", pcdf_reduce_work_bytes(&job->plan));
    status = pcdf_reduce_work_all(&job->plan, job->team, ncid, &progress, &job->bytes);
    pcdf_tool_progress_end(&progress);
    int closed = ncmpi_end_indep_data(ncid), err = ncmpi_close(ncid);
    status = status ? status : say(job, closed ? closed : err);
    return pcdf_tool_worst_all(job->team, status);
}

/* Rank 0 makes the name that the file has until it is whole. */
static int make_all(struct job *job)
{
    struct pcdf_tool_output out = { 0 };
    struct {
        char name[PATH_MAX];
        int status;
    } root = { .status = PCDF_TOOL_GOOD };
    bool is_root = job->team->rank == 0;
    if (is_root) {
        root.status = pcdf_tool_output_begin(&out, job->options->to, job->options->replace);
        if (!root.status)
            snprintf(root.name, sizeof root.name, "%s", out.name);
    }
    pcdf_tool_share_all(job->team, &root, sizeof root, 0);
    if (root.status) /* the same on all ranks, as is what follows */
        return root.status;
    if (!is_root)
        pcdf_tool_output_watch(root.name);
    int status = fill_all(job, root.name, &out);
    if (is_root && status)
        pcdf_tool_output_abandon(&out);
    else if (is_root)
        status = pcdf_tool_output_commit(&out);
    status = pcdf_tool_worst_all(job->team, status);
    if (!is_root)
        pcdf_tool_output_watch(NULL);
    return status;
}

/* ---- what is told */

static void json_shape(struct pcdf_json *json, const struct pcdf_meta *out, const struct pcdf_var *var)
{
    pcdf_json_open(json, '[', true);
    for (int i = 0; i < var->ndims; i++) {
        int64_t length = out->dims[var->dimids[i]].length;
        pcdf_json_integer(json, length ? length : out->numrecs);
    }
    pcdf_json_close(json, ']');
}

static void tell_json(const struct job *job)
{
    const struct pcdf_meta *out = &job->plan.out;
    struct pcdf_json json;
    pcdf_json_begin(&json, stdout);
    pcdf_json_open(&json, '{', false);
    pcdf_json_key(&json, "to");
    pcdf_json_text(&json, job->options->to);
    pcdf_json_key(&json, "variables");
    pcdf_json_open(&json, '[', false);
    for (int i = 0; i < out->nvars; i++) {
        pcdf_json_open(&json, '{', true);
        pcdf_json_key(&json, "name");
        pcdf_json_text(&json, out->vars[i].name);
        pcdf_json_key(&json, "type");
        pcdf_json_text(&json, pcdf_type_cdl(out->vars[i].type));
        pcdf_json_key(&json, "shape");
        json_shape(&json, out, &out->vars[i]);
        pcdf_json_close(&json, '}');
    }
    pcdf_json_close(&json, ']');
    pcdf_json_key(&json, "bytes_read");
    pcdf_json_integer(&json, pcdf_reduce_work_bytes(&job->plan));
    pcdf_json_key(&json, "bytes_written");
    pcdf_json_integer(&json, pcdf_tool_work_bytes(out, NULL));
    pcdf_json_key(&json, "seconds");
    pcdf_json_real(&json, job->seconds);
    pcdf_json_close(&json, '}');
    pcdf_json_end(&json);
}

static void tell_plan(const struct job *job)
{
    const struct pcdf_meta *out = &job->plan.out;
    for (int i = 0; i < out->nvars; i++) {
        const struct pcdf_var *var = &out->vars[i];
        printf("%s ", pcdf_type_cdl(var->type));
        pcdf_tool_print(stdout, var->name);
        for (int k = 0; k < var->ndims; k++) {
            int64_t length = out->dims[var->dimids[k]].length;
            printf("%s", k ? ", " : "(");
            pcdf_tool_print(stdout, out->dims[var->dimids[k]].name);
            printf(" = %" PRId64, length ? length : out->numrecs);
        }
        printf("%s\n", var->ndims ? ")" : "");
    }
    printf("%" PRId64 " bytes are read, %" PRId64 " written\n", pcdf_reduce_work_bytes(&job->plan),
           pcdf_tool_work_bytes(out, NULL));
}

/* ---- the command */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int check_paths(const struct pcdf_reduce_options *o)
{
    for (int i = 0; i < o->nfrom; i++)
        if (!pcdf_tool_output_spares(o->to, o->from[i]))
            return PCDF_TOOL_UNUSABLE;
    return PCDF_TOOL_GOOD;
}

static int reduce_all(struct job *job)
{
    const struct pcdf_reduce_options *o = job->options;
    double begun = now();
    int status = pcdf_reduce_plan_all(&job->plan, job->team, o, &job->input);
    if (status) /* the same on all ranks, as is what follows */
        return status;
    if (!o->dry_run)
        status = make_all(job);
    job->seconds = now() - begun;
    if (!status && job->team->rank == 0 && o->json)
        tell_json(job);
    else if (!status && job->team->rank == 0 && o->dry_run)
        tell_plan(job);
    if (!status && (job->input.read_behind || (job->input.open >= 0 && job->input.ds.read_behind)))
        status = PCDF_TOOL_BAD;
    pcdf_reduce_plan_free(&job->plan);
    return pcdf_tool_worst_all(job->team, status);
}

static int run(const struct pcdf_tool_team *team, int argc, char **argv)
{
    static struct pcdf_reduce_options options;
    struct job job = { .team = team, .options = &options };
    const struct pcdf_tool_sharing sharing = { 0 };
    const char *wrong = pcdf_reduce_read_options(&options, argc, argv);
    if (wrong) /* arguments: the same on all ranks */
        return pcdf_tool_misused(&pcdf_tool_reduce, "%s", wrong);
    if (pcdf_tool_sources_share_all(team, sharing, options.nfrom, (const char *const *)options.from))
        return PCDF_TOOL_UNUSABLE;
    int mine = check_paths(&options);
    mine = mine ? mine : pcdf_reduce_input_begin(&job.input, &options);
    int status = pcdf_tool_agree_all(team, options.nfrom == 1 ? options.from[0] : NULL,
                                     mine ? 0 : job.input.sum, mine);
    if (!status) /* the same on all ranks */
        status = reduce_all(&job);
    if (!mine)
        pcdf_reduce_input_end(&job.input);
    return status;
}

const struct pcdf_tool_command pcdf_tool_reduce = {
    .name = "reduce",
    .usage = "[OPTION...] OP DIM[,DIM...] FILE... OUT",
    .summary = "mean, sum, extremes and others over dimensions",
    .help = "Makes a new file OUT in which dimensions of the variables are reduced. The\n"
            "records of several files are taken one file after the other. Values that\n"
            "stand for none do not count: _FillValue (or the type's default), missing_value,\n"
            "those outside of valid_range, NaN. Packed numbers are unpacked. Variables\n"
            "without these dimensions are copied; text that has them is left out.\n\n"
            "OP is mean, sum, min, max, median, pN (percentile N), var and std (divided by\n"
            "the number of values), var1 and std1 (by one less), rms, count, any, all, first\n"
            "or last.\n\n"
            "  -v NAME[,NAME]       only these variables, and their coordinates\n"
            "  --each PERIOD        one value for each year, season, month, day, hour of the\n"
            "                       time coordinate, or for every N indices\n"
            "  --by PERIOD          one value for each month, season, dayofyear or hour, all\n"
            "                       years together\n"
            "  --window N           one value for every N indices that follow each other\n"
            "  -w, --weights NAME   weigh with this variable of the first file\n"
            "  --across             over files, value by value; no DIM is given\n"
            "  --keep               keep the reduced dimensions, with length 1\n"
            "  --double             results that are real numbers are doubles\n"
            "  -k KIND              classic, 64-bit-offset or cdf5 (default)\n"
            "  -O, --replace        replace OUT if it exists\n"
            "  -n, --dry-run        print what OUT would be, and how many bytes are read\n"
            "  --json               print what was done\n\n"
            "Results are the same to the last digit on any number of ranks.\n\n"
            "Exit status: 0 good; 1 bad (not a netCDF file, or data is missing at its end\n"
            "and was taken as zeros); 2 unusable.\n\n"
            "EXAMPLES\n"
            "  parcdf reduce -O mean time run.nc mean.nc\n"
            "  parcdf reduce -O --each 2 max time run_1.nc pairs.nc\n"
            "  mpiexec -n 2 parcdf reduce -O std time run.nc deviation.nc\n",
    .is_parallel = true,
    .needs_mpi = true,
    .run = run,
};
