/* `parcdf reduce`: means, sums, extremes and others over dimensions. */
#include "reduceoptions.h"
#include "alloc.h"
#include "reducework.h"
#include "status.h"
#include "tool.h"
#include "toolnewfile.h"
#include "tooloutput.h"
#include "toolprogress.h"
#include "toolshare.h"

#include <string.h>

struct job {
    const struct pcdf_tool_ranks *ranks;
    const struct pcdf_reduce_options *options;
    struct pcdf_reduce_input input;
    struct pcdf_reduce_plan plan;
    int64_t bytes;
    double seconds;
};

static int write_all(void *context, struct pcdf_tool_puts *puts)
{
    struct job *job = context;
    struct pcdf_tool_progress progress;
    pcdf_tool_progress_begin(&progress, job->ranks, "reducing", pcdf_reduce_work_bytes(&job->plan));
    int status = pcdf_reduce_work_all(&job->plan, puts, &progress, &job->bytes);
    pcdf_tool_progress_end(&progress);
    return status;
}

static void print_account(const struct job *job, const struct pcdf_tool_newfile *file)
{
    struct pcdf_tool_account account = { file, pcdf_reduce_work_bytes(&job->plan), job->seconds };
    if (job->options->json)
        pcdf_tool_account_json(&account);
    else if (job->options->dry_run)
        pcdf_tool_account_print(&account);
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
    const struct pcdf_tool_newfile file = { o->to, o->replace, &job->plan.out, o->format, o->deflate };
    double begun = pcdf_tool_seconds();
    int status = pcdf_reduce_plan_all(&job->plan, job->ranks, o, &job->input);
    if (status) /* the same on all ranks, as is what follows */
        return status;
    if (!o->dry_run)
        status = pcdf_tool_newfile_all(job->ranks, &file, write_all, job);
    job->seconds = pcdf_tool_seconds() - begun;
    if (!status && job->ranks->rank == 0)
        print_account(job, &file);
    if (!status && pcdf_tool_files_read_behind(&job->input.files))
        status = PCDF_TOOL_BAD;
    pcdf_reduce_plan_free(&job->plan);
    return pcdf_tool_worst_all(job->ranks, status);
}

/* The files, and the one of the weights. */
static int share_sources_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_reduce_options *o)
{
    const struct pcdf_tool_sharing sharing = { 0 };
    const char *at = o->weights ? strchr(o->weights, '@') : NULL;
    const char **paths = pcdf_calloc((size_t)o->nfrom + 2, sizeof *paths);
    int status = paths ? PCDF_TOOL_GOOD : pcdf_tool_unusable(NULL, "%s", pcdf_fail_text()), n = o->nfrom;
    for (int i = 0; paths && i < n; i++)
        paths[i] = o->from[i];
    if (paths && at && at[1])
        paths[n++] = at + 1;
    status = pcdf_tool_worst_all(ranks, status);
    status = status ? status : pcdf_tool_sources_share_all(ranks, sharing, n, paths);
    pcdf_free(paths);
    return status;
}

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    static struct pcdf_reduce_options options;
    struct job job = { .ranks = ranks, .options = &options };
    const char *wrong = pcdf_reduce_read_options(&options, argc, argv);
    if (wrong) /* arguments: the same on all ranks */
        return pcdf_tool_misused(&pcdf_tool_reduce, "%s", wrong);
    pcdf_tool_history_now_all(&options.history, ranks);
    pcdf_tool_share_all(ranks, &options.memory, sizeof options.memory, 0); /* of the environment, perhaps */
    if (share_sources_all(ranks, &options))                                /* the same on all ranks */
        return PCDF_TOOL_UNUSABLE;
    int mine = check_paths(&options);
    mine = mine ? mine : pcdf_reduce_input_begin(&job.input, &options);
    int status = pcdf_tool_agree_all(ranks, options.nfrom == 1 ? options.from[0] : NULL,
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
            "or last.\n\n",
    .options = &pcdf_reduce_table,
    .more_help = "\nResults are the same to the last digit on any number of ranks.\n\n"
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
