/* `parcdf join`: tiles into the whole, or files one behind the other. */
#include "joinlist.h"
#include "joinwork.h"
#include "tool.h"
#include "tooljson.h"
#include "toolkind.h"
#include "toolnewfile.h"
#include "tooloutput.h"
#include "toolwork.h"
#include "toolshare.h"

#include <inttypes.h>

struct job {
    const struct pcdf_tool_ranks *ranks;
    const struct pcdf_join_options *options;
    struct pcdf_tool_files files;
    struct pcdf_join_plan plan;
    int64_t bytes; /* written by this rank */
    double seconds;
};

/* Values of the files that are read: those of the new file, but for what no tile has. */
static int64_t bytes_read(const struct pcdf_join_plan *plan)
{
    int64_t bytes = pcdf_tool_work_bytes(&plan->out, NULL);
    if (plan->way == PCDF_JOIN_NEW && plan->options->values)
        bytes -= plan->out.vars[plan->out.nvars - 1].nbytes;
    return bytes;
}

/* Together the ranks write all of it. The same on all ranks. */
static int write_all(struct job *job, const struct pcdf_join_target *target)
{
    struct pcdf_tool_progress progress;
    pcdf_tool_progress_begin(&progress, job->ranks, "joining", pcdf_tool_work_bytes(&job->plan.out, NULL));
    int status = pcdf_join_write_values_all(&job->plan, target, &progress, &job->bytes);
    pcdf_tool_progress_end(&progress);
    status = target->puts ? pcdf_tool_puts_finish_all(target->puts, status)
                          : pcdf_tool_worst_all(job->ranks, status);
    int64_t all = job->bytes, wanted = bytes_read(&job->plan);
    pcdf_tool_sum_all(job->ranks, &all, 1);
    if (!status && all != wanted)
        status = pcdf_tool_unusable(job->options->to, "%" PRId64 " of %" PRId64 " bytes were written", all,
                                    wanted);
    return status;
}

/* A netCDF-4 file, by the library. */
static int put_all(void *context, struct pcdf_tool_puts *puts)
{
    return write_all(context, &(struct pcdf_join_target){ .puts = puts });
}

/* A classic file: each rank writes its share at its places, by system calls. */
static int fill_all(void *context, const char *name, const struct pcdf_tool_output *out)
{
    struct job *job = context;
    int status = PCDF_TOOL_GOOD;
    if (job->ranks->rank == 0) {
        pcdf_tool_output_hide(out);
        status = pcdf_join_write_header(&job->plan, name);
    }
    status = pcdf_tool_worst_all(job->ranks, status);
    return status ? status : write_all(job, &(struct pcdf_join_target){ .name = name });
}

static void print_account(const struct job *job, const struct pcdf_tool_newfile *file)
{
    struct pcdf_tool_account account = { file, bytes_read(&job->plan),
                                         job->options->dry_run ? -1 : job->seconds };
    if (job->options->json)
        pcdf_tool_account_json(&account);
    else if (job->options->dry_run)
        pcdf_tool_account_print(&account);
}

static int check_paths(const struct pcdf_join_options *o)
{
    for (int i = 0; i < o->nfrom; i++)
        if (!pcdf_tool_output_spares(o->to, o->from[i]))
            return PCDF_TOOL_UNUSABLE;
    return PCDF_TOOL_GOOD;
}

static int join_all(struct job *job)
{
    const struct pcdf_join_options *o = job->options;
    const struct pcdf_tool_newfile file = { .path = o->to,
                                            .replace = o->replace,
                                            .meta = &job->plan.out,
                                            .format = o->format,
                                            .deflate = o->deflate };
    bool is_netcdf4 = pcdf_tool_format_is_netcdf4(o->format);
    double begun = pcdf_tool_seconds();
    int status = pcdf_join_plan_all(&job->plan, job->ranks, o, &job->files);
    if (status) /* the same on all ranks, as is what follows */
        return status;
    if (!o->dry_run)
        status = is_netcdf4 ? pcdf_tool_newfile_all(job->ranks, &file, put_all, job)
                            : pcdf_tool_output_make_all(job->ranks, o->to, o->replace, fill_all, job);
    job->seconds = pcdf_tool_seconds() - begun;
    if (!status && job->ranks->rank == 0)
        print_account(job, &file);
    pcdf_join_plan_free(&job->plan);
    return status;
}

static int run_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_join_options *options)
{
    struct job job = { .ranks = ranks, .options = options };
    const struct pcdf_tool_sharing sharing = { .by_chunks = true };
    enum { MOST_SHARED = 512, IMAGES = 3 };
    /* Images of very many files would need much memory: then each rank looks at those that it reads. */
    int shared = options->nfrom > MOST_SHARED ? 1 : options->nfrom;
    if (pcdf_tool_sources_share_all(ranks, sharing, shared, (const char *const *)options->from))
        return PCDF_TOOL_UNUSABLE;
    int status = check_paths(options);
    if (!status)
        status =
            pcdf_tool_files_begin(&job.files, options->nfrom, (const char *const *)options->from, IMAGES);
    job.files.refuses = true;
    status = pcdf_tool_worst_all(ranks, status);
    status = status ? status : join_all(&job); /* the same on all ranks */
    int ended = pcdf_tool_files_end(&job.files);
    return status ? status : ended;
}

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    static struct pcdf_join_options options;
    const char *wrong = pcdf_join_read_options(&options, argc, argv);
    if (wrong) /* arguments: the same on all ranks */
        return pcdf_tool_misused(&pcdf_tool_join, "%s", wrong);
    pcdf_tool_history_now_all(&options.history, ranks);
    int status = pcdf_join_list_all(&options, ranks);
    if (!status) /* the same on all ranks */
        status = run_all(ranks, &options);
    pcdf_join_list_free(&options);
    return status;
}

const struct pcdf_tool_command pcdf_tool_join = {
    .name = "join",
    .usage = "[OPTION...] FILE... OUT",
    .summary = "put the tiles of a run together, or files along a dimension",
    .help = "Makes one new file OUT of several. The files tell how: tiles of FMS\n"
            "(domain_decomposition), WRF (patches), NEMO (DOMAIN_*, without their halos) and\n"
            "parts of an MPAS mesh (indexToCellID) become the whole; other files are joined\n"
            "along the record dimension, sorted by its coordinate. Variables that have none\n"
            "of these dimensions must be equal in all files.\n\n",
    .options = &pcdf_join_table,
    .more_help = "\nOUT is the same on any number of ranks; of netCDF-4, the values are.\n\n"
                 "Exit status: 0 good; 1 bad (not a netCDF file); 2 unusable, or the files do not\n"
                 "fit together.\n\n"
                 "EXAMPLES\n"
                 "  parcdf join -O --keep last run_1.nc run_2.nc both.nc\n"
                 "  parcdf join -O --new member run.nc run.nc ensemble.nc\n"
                 "  mpiexec -n 2 parcdf join -O --along x run.nc run.nc wide.nc\n"
                 "  parcdf join -O -k netcdf4 --deflate 1 --along x run.nc run.nc wide.nc4\n",
    .is_parallel = true,
    .needs_mpi = true,
    .run = run,
};
