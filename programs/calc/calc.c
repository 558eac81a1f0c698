/* `parcdf calc`: new variables from expressions. */
#include "calcoptions.h"
#include "calcplan.h"
#include "calcwork.h"
#include "posixio.h"
#include "status.h"
#include "tool.h"
#include "toolnewfile.h"
#include "tooloutput.h"
#include "toolprogress.h"
#include "toolshare.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

struct job {
    const struct pcdf_tool_ranks *ranks;
    const struct pcdf_calc_options *options;
    struct pcdf_tool_dataset *files, **datasets;
    int nopen;
    uint32_t sum;
    struct pcdf_calc_plan plan;
    int64_t *lost;
    double seconds;
};

struct program { /* on all ranks */
    char text[PCDF_EXPR_BYTES + 1];
    int status;
};

/* ---- the program */

static int root_read(const char *path, char *text)
{
    int64_t got = 0;
    int fd = pcdf_posix_open(path, O_RDONLY);
    if (fd < 0)
        return pcdf_tool_unusable(path, "%s", strerror(errno));
    int err = pcdf_posix_move(fd, PCDF_GET, text, PCDF_EXPR_BYTES + 1, 0, &got, path);
    close(fd);
    if (err)
        return pcdf_tool_unusable(path, "%s", strerror(errno));
    if (got > PCDF_EXPR_BYTES)
        return pcdf_tool_unusable(path, "a program has up to %d bytes", PCDF_EXPR_BYTES);
    text[got] = '\0';
    if (strlen(text) < (size_t)got)
        return pcdf_tool_unusable(path, "this is not text");
    return PCDF_TOOL_GOOD;
}

static int read_program_all(const struct job *job, struct program *program)
{
    if (job->ranks->rank == 0)
        program->status = root_read(job->options->file, program->text);
    pcdf_tool_share_all(job->ranks, program, sizeof *program, 0);
    return program->status;
}

/* ---- the files */

static int check_paths(const struct pcdf_calc_options *o)
{
    for (int i = 0; i < o->nfrom; i++)
        if (!pcdf_tool_output_spares(o->to, o->paths[i]))
            return PCDF_TOOL_UNUSABLE;
    return PCDF_TOOL_GOOD;
}

static int open_files(struct job *job)
{
    const struct pcdf_calc_options *o = job->options;
    int status = check_paths(o);
    job->files = pcdf_calloc((size_t)o->nfrom, sizeof *job->files);
    job->datasets = pcdf_calloc((size_t)o->nfrom, sizeof *job->datasets);
    if (!job->files || !job->datasets)
        return pcdf_tool_unusable(o->to, "%s", pcdf_fail_text());
    for (int i = 0; i < o->nfrom && !status; i++) {
        status = pcdf_tool_dataset_open(&job->files[i], o->paths[i], true);
        job->nopen += !status;
        job->datasets[i] = &job->files[i];
        job->sum = status ? 0 : pcdf_tool_dataset_sum(&job->files[i], job->sum);
    }
    return status;
}

static bool close_files(struct job *job)
{
    bool read_behind = false;
    for (int i = 0; i < job->nopen; i++) {
        read_behind |= job->files[i].read_behind;
        pcdf_tool_dataset_close(&job->files[i]);
    }
    pcdf_free(job->files);
    pcdf_free(job->datasets);
    return read_behind;
}

/* ---- the work */

static int write_all(void *context, struct pcdf_tool_puts *puts)
{
    struct job *job = context;
    struct pcdf_tool_progress progress;
    struct pcdf_calc_work work = { &job->plan, job->ranks, job->datasets, &progress, puts, job->lost };
    pcdf_tool_progress_begin(&progress, job->ranks, "calculating", pcdf_calc_plan_bytes(&job->plan));
    int status = pcdf_calc_work_all(&work);
    pcdf_tool_progress_end(&progress);
    return status;
}

static void tell_lost(const struct job *job)
{
    const struct pcdf_meta *out = &job->plan.out;
    for (int i = 0; i < out->nvars; i++)
        if (job->lost[i] > 0)
            pcdf_tool_say(job->options->to,
                          "variable %.200s: %" PRId64 " values do not fit the type %s, and are missing",
                          out->vars[i].name, job->lost[i], pcdf_type_cdl(out->vars[i].type));
    if (job->lost[out->nvars] > 0)
        pcdf_tool_say(job->options->to,
                      "%" PRId64 " values within expressions do not fit their types, and are missing",
                      job->lost[out->nvars]);
}

static void print_account(const struct job *job, const struct pcdf_tool_newfile *file)
{
    struct pcdf_tool_account account = { file, pcdf_calc_plan_bytes(&job->plan), job->seconds };
    tell_lost(job);
    if (job->options->json)
        pcdf_tool_account_json(&account);
    else if (job->options->dry_run)
        pcdf_tool_account_print(&account);
}

static int make_all(struct job *job)
{
    const struct pcdf_calc_options *o = job->options;
    const struct pcdf_tool_newfile file = { o->to, o->replace, &job->plan.out, o->format, o->deflate };
    double begun = pcdf_tool_seconds();
    int status = PCDF_TOOL_GOOD, n = job->plan.out.nvars + 1;
    job->lost = pcdf_calloc((size_t)n, sizeof *job->lost);
    status = pcdf_tool_worst_all(job->ranks,
                                 job->lost ? status : pcdf_tool_unusable(o->to, "%s", pcdf_fail_text()));
    if (!status && !o->dry_run) /* the same on all ranks, as is what follows */
        status = pcdf_tool_newfile_all(job->ranks, &file, write_all, job);
    job->seconds = o->dry_run ? -1 : pcdf_tool_seconds() - begun;
    if (!status)
        pcdf_tool_sum_all(job->ranks, job->lost, n);
    if (!status && job->ranks->rank == 0)
        print_account(job, &file);
    pcdf_free(job->lost);
    return status;
}

static int calc_all(struct job *job, const char *text)
{
    int mine = pcdf_calc_plan_make(&job->plan, job->options, text, job->datasets, job->ranks->rank == 0);
    int status = pcdf_tool_worst_all(job->ranks, mine);
    if (!status) /* the same on all ranks */
        status = make_all(job);
    if (!mine)
        pcdf_calc_plan_free(&job->plan);
    return status;
}

static int use_files_all(struct job *job, const char *text)
{
    const struct pcdf_calc_options *o = job->options;
    const struct pcdf_tool_sharing sharing = { 0 };
    if (pcdf_tool_sources_share_all(job->ranks, sharing, o->nfrom, o->paths))
        return PCDF_TOOL_UNUSABLE;
    int mine = open_files(job);
    int status =
        pcdf_tool_agree_all(job->ranks, o->nfrom == 1 ? o->paths[0] : NULL, mine ? 0 : job->sum, mine);
    if (!status) /* the same on all ranks */
        status = calc_all(job, text);
    if (close_files(job) && !status)
        status = PCDF_TOOL_BAD;
    return pcdf_tool_worst_all(job->ranks, status);
}

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    static struct pcdf_calc_options options;
    static struct program program;
    struct job job = { .ranks = ranks, .options = &options };
    const char *wrong = pcdf_calc_read_options(&options, argc, argv);
    int status = wrong ? pcdf_tool_misused(&pcdf_tool_calc, "%s", wrong) : PCDF_TOOL_GOOD;
    if (!status) { /* arguments: the same on all ranks */
        pcdf_tool_history_now_all(&options.history, ranks);
        pcdf_tool_share_all(ranks, &options.memory, sizeof options.memory,
                            0); /* of the environment, perhaps */
        if (options.file)
            status = read_program_all(&job, &program);
        if (!status)
            status = use_files_all(&job, options.file ? program.text : options.program);
    }
    pcdf_free(options.names);
    pcdf_free(options.paths);
    return status;
}

const struct pcdf_tool_command pcdf_tool_calc = {
    .name = "calc",
    .usage = "[OPTION...] 'NAME = EXPR; ...' FILE... OUT",
    .summary = "new variables from expressions",
    .help = "Makes a new file OUT with a variable NAME for each EXPR. Dimensions of the same\n"
            "name are the same one. Files are called a, b, c in their order, so that a:T is\n"
            "T of the first one; NAME=FILE gives a file another name. A name alone is of the\n"
            "first file, or of the only one that has it. Packed numbers are unpacked;\n"
            "missing values stay missing. Coordinates come along.\n\n"
            "  + - * / // % **, comparisons, && || !, where(c, a, b), fill(x, value),\n"
            "  sqrt exp log log10 log2 sin cos tan asin acos atan atan2 sinh cosh\n"
            "  tanh abs floor ceil round trunc min max hypot sign ismissing radians\n"
            "  degrees, shift(x, DIM, n), roll(x, DIM, n), index(DIM), length(DIM),\n"
            "  pi, e, missing, float(x), int(x) and other types;\n"
            "  NAME:units = \"K\" sets an attribute.\n\n",
    .options = &pcdf_calc_table,
    .more_help = "\nResults are the same on any number of ranks. Integers that do not fit their\n"
                 "type become missing, and their number is told.\n\n"
                 "Exit status: 0 good; 1 bad (not a netCDF file, or data is missing at its end\n"
                 "and was taken as zeros); 2 unusable.\n\n"
                 "EXAMPLES\n"
                 "  parcdf calc -O 'd = a:temp - b:temp' run_1.nc run_2.nc difference.nc\n"
                 "  parcdf calc -O 'c = temp - 273.15; c:units = \"degC\"' run.nc c.nc\n"
                 "  mpiexec -n 2 parcdf calc -O 'w = where(depth > 9, salt, 0)' run.nc w.nc\n",
    .is_parallel = true,
    .needs_mpi = true,
    .run = run,
};
