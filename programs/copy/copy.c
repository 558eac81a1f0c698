/* `parcdf copy`: files into files, by all ranks. */
#include "copychunks.h"
#include "copydefine.h"
#include "copyinput.h"
#include "copymerge.h"
#include "copymove.h"
#include "copyorder.h"
#include "copyfollow.h"
#include "copypipe.h"
#include "copyreceive.h"
#include "copysend.h"
#include "copytiles.h"
#include "copyzarr.h"
#include "alloc.h"
#include "encode.h"
#include "posixio.h"
#include "status.h"
#include "tool.h"
#include "tooljson.h"
#include "toolfile.h"
#include "toolnewfile.h"
#include "tooloutput.h"
#include "toolwork.h"
#include "toolshare.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NUMRECS_AT = 4 }; /* in every header */

struct job {
    const struct pcdf_tool_ranks *ranks;
    const struct pcdf_copy_options *options;
    struct pcdf_copy_plan plan;
    struct pcdf_copy_chunks chunks; /* of a netCDF-4 file */
    struct pcdf_tool_progress progress;
    uint32_t planned, seen; /* sums of the inputs (pcdf_tool_dataset_sum): of the plan, as they are read */
    int *owner;             /* by varid of plan.out: which input has it (--merge); NULL: all have all */
    int64_t old_records;    /* of TO, when records are appended */
    bool streams;           /* the size of TO counts them */
    int64_t records;        /* of all inputs, as they were when the plan was made */
    int64_t bytes;          /* of values, all ranks together */
    bool lacks_data;        /* an input had less than its header says */
    double seconds;
    struct pcdf_tool_files inputs;
    struct pcdf_tool_dataset to; /* TO, when records are appended: open while the plan is made */
};

static int get_input(struct job *job, int number, struct pcdf_tool_dataset **ds)
{
    return pcdf_copy_inputs_get(&job->inputs, number, job->options, ds);
}

/* ---- before anything is written */

/* The file whose definitions hold. */
static const char *model_of(const struct pcdf_copy_options *o)
{
    return o->append ? o->to : o->from[0];
}

/* That file, for as long as one input is asked for. */
static int get_model(struct job *job, struct pcdf_tool_dataset **model)
{
    *model = &job->to;
    return job->options->append ? PCDF_TOOL_GOOD : get_input(job, 0, model);
}

/* Its values without records in the order of `ds`. */
static int compare_fixed(const struct job *job, struct pcdf_tool_dataset *model, struct pcdf_tool_dataset *ds)
{
    bool *chosen = pcdf_calloc((size_t)ds->meta.nvars + 1, sizeof *chosen);
    int status = PCDF_TOOL_UNUSABLE;
    if (!chosen)
        pcdf_tool_say(ds->file.path, "no memory to compare its variables");
    else {
        for (int i = 0; i < job->plan.out.nvars; i++)
            chosen[job->plan.source[i]] = !ds->meta.vars[job->plan.source[i]].is_record;
        status = pcdf_copy_compare(job->ranks, model, ds, chosen);
    }
    pcdf_free(chosen);
    return status;
}

/* One of the inputs whose records are put behind others. */
static int check_one(struct job *job, int number, struct pcdf_copy_order *order)
{
    const struct pcdf_copy_options *o = job->options;
    struct pcdf_tool_dataset *model, *ds;
    int status = get_model(job, &model);

    status = status ? status : get_input(job, number, &ds);
    if (status)
        return status;
    job->planned = pcdf_tool_dataset_sum(ds, job->planned);
    status = pcdf_copy_plan_match(&job->plan, ds, model_of(o));
    if (!status && !o->keep_first && !o->header_only)
        status = compare_fixed(job, model, ds);
    if (!status && job->ranks->rank == 0) /* one rank tells */
        status = pcdf_copy_order_check(order, ds, &job->plan.cuts[job->plan.record_dim]);
    return status;
}

static int check_others(struct job *job, struct pcdf_tool_dataset *model)
{
    const struct pcdf_copy_options *o = job->options;
    struct pcdf_copy_order order = { .is_strict = o->strict_order };
    bool are_several = o->append || o->nfrom > 1;

    if (are_several && job->plan.record_dim < 0)
        return pcdf_tool_unusable(
            model_of(o), "there is no record dimension to put records of several files behind each other");
    int status = are_several && job->ranks->rank == 0
                     ? pcdf_copy_order_check(&order, model, &job->plan.cuts[job->plan.record_dim])
                     : PCDF_TOOL_GOOD;
    for (int i = o->append ? 0 : 1; i < o->nfrom && !status; i++)
        status = check_one(job, i, &order);
    pcdf_copy_order_end(&order);
    return status;
}

/* --merge: as if the files were one, which no values are read of. */
static int plan_merge(struct job *job)
{
    const struct pcdf_copy_options *o = job->options;
    struct pcdf_copy_merge merge;
    int status = pcdf_copy_check_paths(o);

    status = status ? status : pcdf_copy_merge_make(&merge, job->ranks, o, &job->inputs);
    if (status)
        return status;
    struct pcdf_tool_dataset all = { .file = { .path = o->from[0], .fd = -1 }, .meta = merge.meta };
    status = pcdf_copy_plan_make(&job->plan, o, &all, 0);
    job->planned = merge.sum;
    job->owner = status ? NULL : pcdf_calloc((size_t)job->plan.out.nvars + 1, sizeof *job->owner);
    for (int i = 0; job->owner && i < job->plan.out.nvars; i++)
        job->owner[i] = merge.owner[job->plan.source[i]];
    if (!status && !job->owner) {
        pcdf_copy_plan_free(&job->plan);
        status = pcdf_tool_unusable(o->to, "%s", pcdf_fail_text());
    }
    pcdf_copy_merge_free(&merge);
    return status;
}

static int64_t records_of(const struct pcdf_copy_plan *plan, const struct pcdf_tool_dataset *ds)
{
    return plan->selects_records ? plan->cuts[plan->record_dim].n : ds->meta.numrecs;
}

/* Local: job->plan, or a status. */
static int plan(struct job *job)
{
    const struct pcdf_copy_options *o = job->options;
    struct pcdf_tool_dataset *model = &job->to;
    int64_t more = 0;
    int status = pcdf_copy_check_paths(o);

    if (!status && o->append)
        status = pcdf_copy_look_at_count(o->to, &job->streams);
    if (!status)
        status = pcdf_copy_count_records(&job->inputs, o, o->append ? 0 : 1, &more);
    if (!status)
        status = o->append ? pcdf_copy_open(&job->to, o->to, o) : get_input(job, 0, &model);
    if (status)
        return status;
    status = pcdf_copy_plan_make(&job->plan, o, model, more);
    job->old_records = model->meta.numrecs;
    job->records = status ? 0 : more + (o->append ? 0 : records_of(&job->plan, model));
    /* Of a dimension that no variable uses: counted in a new file, where no checksums are to hold. */
    if (!status && job->plan.out.nrecord_vars == 0 && (o->append || o->checksum))
        job->plan.out.numrecs = o->append ? job->old_records : 0;
    job->planned = pcdf_tool_dataset_sum(model, 0);
    job->seen = o->append ? job->planned : 0;
    if (!status) {
        status = check_others(job, model);
        if (status)
            pcdf_copy_plan_free(&job->plan);
    }
    if (o->append)
        pcdf_tool_dataset_close(&job->to);
    return status;
}

/* ---- the values */

/* Is it of the type and shape that were planned? Else the file changed, which the sums tell. */
static bool is_as_planned(const struct pcdf_copy_plan *p, const struct pcdf_tool_dataset *ds, int varid)
{
    const struct pcdf_var *want = &p->order.vars[varid], *var = &ds->meta.vars[p->source[varid]];
    bool is = var->type == want->type && var->ndims == want->ndims;
    for (int i = 0; is && i < var->ndims; i++) {
        is = pcdf_tool_dim_length(&ds->meta, var->dimids[i]) == p->cuts[want->dimids[i]].length;
    }
    return is;
}

/* Of this input the variables that are its own; `mine`: out, by varid of the copy. */
static void take_own(struct job *job, const struct pcdf_tool_dataset *ds, int file, bool *mine)
{
    struct pcdf_copy_plan *p = &job->plan;
    for (int i = 0; i < p->out.nvars; i++) {
        mine[i] = job->owner[i] == file;
        p->source[i] = mine[i] ? pcdf_meta_find_var(&ds->meta, p->order.vars[i].name) : -1;
        mine[i] = mine[i] && p->source[i] >= 0 && is_as_planned(p, ds, i);
    }
}

/* Of the inputs behind the first only what has records is taken; with --merge, what is its own. */
static int move_input_all(struct job *job, struct pcdf_copy_move *move, bool *chosen, int i)
{
    const struct pcdf_copy_options *o = job->options;
    struct pcdf_tool_dataset *ds;
    int status = get_input(job, i, &ds);
    if (status)
        return status;
    job->seen = pcdf_tool_dataset_sum(ds, job->seen);
    move->chosen = i > 0 || o->append || job->owner ? chosen : NULL;
    if (job->owner)
        take_own(job, ds, i, chosen);
    else
        status = pcdf_copy_plan_match(&job->plan, ds, model_of(o));
    if (!status)
        status = pcdf_copy_values_all(move, ds);
    /* It was long enough a moment ago: what others follow, or what TO is to keep, is not made up. */
    if (!status && ds->read_behind && (o->append || o->nfrom > 1))
        status = pcdf_tool_unusable(o->from[i], "the file became shorter while it was read");
    job->lacks_data |= ds->read_behind;
    move->shift += job->owner ? 0 : records_of(&job->plan, ds);
    return status;
}

static int64_t bytes_to_move(const struct job *job, const bool *with_records)
{
    const struct pcdf_meta *out = &job->plan.out;
    int64_t all = pcdf_tool_work_bytes(out, NULL), each = 0;
    for (int i = 0; i < out->nvars; i++)
        each += with_records[i] ? job->plan.order.vars[i].nbytes : 0;
    return job->options->append ? (out->numrecs - job->old_records) * each : all;
}

/* This rank's share of all inputs. The status of all ranks. */
static int move_inputs_all(struct job *job, struct pcdf_tool_puts *puts)
{
    const struct pcdf_copy_options *o = job->options;
    const struct pcdf_copy_plan *p = &job->plan;
    bool *with_records = pcdf_calloc((size_t)p->out.nvars + 1, sizeof *with_records);
    struct pcdf_copy_move move = { .plan = p,
                                   .ranks = job->ranks,
                                   .progress = &job->progress,
                                   .to = o->to,
                                   .puts = puts,
                                   .chunks = job->chunks.of,
                                   .shift = o->append ? job->old_records : 0,
                                   .may_skip = !o->append,
                                   .in_order = job->streams };
    int status = with_records ? PCDF_TOOL_GOOD : PCDF_TOOL_UNUSABLE;

    if (status)
        pcdf_tool_say(o->to, "no memory to copy its variables");
    for (int i = 0; i < p->out.nvars && !status; i++)
        with_records[i] = p->order.vars[i].is_record;
    pcdf_tool_progress_begin(&job->progress, job->ranks, "copying",
                             status ? 0 : bytes_to_move(job, with_records));
    for (int i = 0; i < o->nfrom && !status; i++)
        status = move_input_all(job, &move, with_records, i);
    int64_t records = move.shift - (o->append ? job->old_records : 0);
    if (!status && (job->seen != job->planned || (!job->owner && records != job->records)))
        status = pcdf_copy_tell_changed();
    pcdf_tool_progress_end(&job->progress);
    pcdf_free(with_records);
    job->bytes = move.bytes;
    return pcdf_tool_puts_finish_all(puts, status);
}

/* ---- the file */

/* The records that were added count only when all ranks have theirs in the file: otherwise the file is left
 * as it is, without the close that would count them. */
static int append_together_all(struct job *job)
{
    struct pcdf_tool_puts puts;
    int status = pcdf_copy_open_all(job->ranks, job->options, &puts);
    if (!status) /* the same on all ranks, as is what follows */
        status = move_inputs_all(job, &puts);
    return status ? status : pcdf_tool_puts_close_all(&puts, job->options->to);
}

/* It failed; but records count as soon as they are there. */
static void tell_added(const struct job *job)
{
    struct pcdf_tool_dataset to;
    if (pcdf_copy_open(&to, job->options->to, job->options))
        return;
    pcdf_tool_say(job->options->to, "%" PRId64 " of the %" PRId64 " new records are in the file, and count",
                  to.meta.numrecs - job->old_records, job->records);
    pcdf_tool_dataset_close(&to);
}

/* Where the size of TO counts its records, one rank writes it from its end on, each value behind all that
 * lies before it: so it has whole records only. */
static int append_all(struct job *job)
{
    const struct pcdf_tool_ranks *all = job->ranks, alone = { .has_mpi = all->has_mpi, .size = 1 };
    int status = PCDF_TOOL_GOOD;
    if (!job->streams) /* the same on all ranks */
        return append_together_all(job);
    if (all->rank == 0) {
        job->ranks = &alone;
        status = append_together_all(job);
        job->ranks = all;
        if (status)
            tell_added(job);
    }
    return pcdf_tool_worst_all(all, status);
}

/* The library counts no records that no variable has. */
static int root_count_records(const struct job *job, const char *name)
{
    const struct pcdf_meta *out = &job->plan.out;
    unsigned char bytes[8];

    if (out->nrecord_vars > 0 || out->numrecs == 0)
        return PCDF_TOOL_GOOD;
    int fd = pcdf_posix_open(name, O_WRONLY), n = pcdf_encode_numrecs(out->version, out->numrecs, bytes);
    bool good = fd >= 0 && pcdf_posix_move(fd, PCDF_PUT, bytes, n, NUMRECS_AT, NULL, name) == NC_NOERR;
    if (fd >= 0 && close(fd))
        good = false;
    if (!good)
        pcdf_tool_say(job->options->to, "%s", strerror(errno));
    return good ? PCDF_TOOL_GOOD : PCDF_TOOL_UNUSABLE;
}

static int fill_all(void *context, const char *name, const struct pcdf_tool_output *out)
{
    struct job *job = context;
    const struct pcdf_copy_options *o = job->options;
    struct pcdf_tool_puts puts;
    int status = pcdf_copy_create_all(job->ranks, &job->plan, o, job->chunks.of, name, &puts);
    int moved = PCDF_TOOL_GOOD;

    if (status) /* the same on all ranks, as is what follows */
        return status;
    if (job->ranks->rank == 0)
        pcdf_tool_output_hide(out);
    if (!o->header_only)
        moved = move_inputs_all(job, &puts);
    status = pcdf_tool_puts_close_all(&puts, moved ? NULL : o->to);
    if (!moved && !status && job->ranks->rank == 0 && !puts.is_together)
        status = root_count_records(job, name);
    return moved ? moved : status;
}

/* In what chunks a netCDF-4 file has its values: those of the first input, where these are not merged. */
static int plan_chunks(struct job *job)
{
    const struct pcdf_copy_options *o = job->options;
    struct pcdf_tool_dataset *first = NULL;
    int status = pcdf_copy_fit(&job->plan.out, o);
    if (!status && !o->merge)
        status = get_input(job, 0, &first);
    return status ? status : pcdf_copy_chunks_begin(&job->chunks, &job->plan, first, o, PCDF_COPY_TILE);
}

static int make_all(struct job *job)
{
    const struct pcdf_copy_options *o = job->options;
    int mine = o->is_netcdf4 ? plan_chunks(job) : PCDF_TOOL_GOOD;
    int status = pcdf_tool_worst_all(job->ranks, mine);
    if (o->is_netcdf4)
        signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of its write */
    if (!status)                  /* the same on all ranks */
        status = pcdf_tool_output_make_all(job->ranks, o->to, o->replace, fill_all, job);
    pcdf_copy_chunks_end(&job->chunks);
    return status;
}

/* A store has one input, which may not change between plan and copy. */
static int store_all(struct job *job)
{
    const struct pcdf_copy_options *o = job->options;
    struct pcdf_tool_dataset *ds;
    int mine = get_input(job, 0, &ds), status = mine;

    if (!mine && pcdf_tool_dataset_sum(ds, 0) != job->planned)
        status = pcdf_copy_tell_changed();
    status = pcdf_tool_worst_all(job->ranks, status);
    if (!status) /* the same on all ranks */
        status = pcdf_copy_zarr_all(job->ranks, &job->plan, o, &job->progress, ds, &job->bytes);
    job->lacks_data |= !mine && ds->read_behind;
    return status;
}

/* ---- what is told */

/* NULL: a classic file. */
static const char *format_of(const struct pcdf_copy_options *options)
{
    static const char *const names[] = {
        [PCDF_ZARROUT_2] = "zarr", [PCDF_ZARROUT_NC] = "nczarr", [PCDF_ZARROUT_3] = "zarr3"
    };
    if (options->is_netcdf4)
        return options->is_classic_model ? "netcdf4-classic" : "netcdf4";
    return names[options->zarr];
}

static void print_result(const struct job *job)
{
    const struct pcdf_meta *out = &job->plan.out;
    double rate = job->seconds > 0 ? (double)job->bytes / job->seconds / 1048576 : 0;
    const char *name = format_of(job->options);
    struct pcdf_json json;
    char classic[16];

    snprintf(classic, sizeof classic, "CDF-%d", out->version);
    if (job->options->verbose)
        fprintf(stderr,
                "parcdf copy: %d variables, %" PRId64 " records, %" PRId64
                " bytes in %.2f s, %.0f MiB/s, %s\n",
                out->nvars, out->numrecs, job->bytes, job->seconds, rate, name ? name : classic);
    if (!job->options->json)
        return;
    pcdf_json_begin(&json, stdout);
    pcdf_json_open(&json, '{', false);
    pcdf_json_key(&json, "from");
    pcdf_json_open(&json, '[', true);
    for (int i = 0; i < job->options->nfrom; i++)
        pcdf_json_text(&json, job->options->from[i]);
    pcdf_json_close(&json, ']');
    pcdf_json_key(&json, "to");
    pcdf_json_text(&json, job->options->to);
    pcdf_json_key(&json, "format");
    if (name)
        pcdf_json_text(&json, name);
    else
        pcdf_json_integer(&json, out->version);
    pcdf_json_key(&json, "variables");
    pcdf_json_integer(&json, out->nvars);
    pcdf_json_key(&json, "records");
    pcdf_json_integer(&json, out->numrecs);
    pcdf_json_key(&json, "bytes");
    pcdf_json_integer(&json, job->bytes);
    pcdf_json_key(&json, "seconds");
    pcdf_json_real(&json, job->seconds);
    pcdf_json_close(&json, '}');
    pcdf_json_end(&json);
}

/* --dry-run */
static void tell_plan(const struct job *job)
{
    const struct pcdf_copy_options *o = job->options;
    const struct pcdf_tool_newfile file = { .path = o->to, .meta = &job->plan.out };
    const struct pcdf_tool_account account = { .file = &file,
                                               .bytes_read = pcdf_tool_work_bytes(&job->plan.out, NULL),
                                               .seconds = -1 };
    if (o->json)
        pcdf_tool_account_json(&account);
    else
        pcdf_tool_account_print(&account);
}

static int copy_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_copy_options *options)
{
    struct job job = { .ranks = ranks, .options = options };
    double begun = pcdf_tool_seconds();
    int made = pcdf_copy_inputs_begin(&job.inputs, options);
    if (!made)
        made = options->merge ? plan_merge(&job) : plan(&job);
    pcdf_tool_files_rest(&job.inputs);
    uint32_t sum = made ? 0 : pcdf_copy_plan_sum(&job.plan, job.planned) + job.streams;
    int status = pcdf_tool_agree_all(ranks, NULL, sum, made);

    if (!status && !options->dry_run) /* the same on all ranks */
        status = options->append ? append_all(&job) : options->zarr ? store_all(&job) : make_all(&job);
    job.seconds = pcdf_tool_seconds() - begun;
    pcdf_tool_sum_all(ranks, &job.bytes, 1);
    if (!status && ranks->rank == 0 && options->dry_run)
        tell_plan(&job);
    else if (!status && ranks->rank == 0)
        print_result(&job);
    if (!made)
        pcdf_copy_plan_free(&job.plan);
    (void)pcdf_tool_files_end(&job.inputs);
    pcdf_free(job.owner);
    return status ? status : job.lacks_data ? PCDF_TOOL_BAD : PCDF_TOOL_GOOD;
}

/* A part of a file, or another kind, is a file first, which has no name any more when it is sent. */
static int send_part(const struct pcdf_tool_ranks *ranks, struct pcdf_copy_options *options)
{
    const struct pcdf_tool_sharing sharing = { .by_chunks = true, .needs_all = true };
    const char *folder = getenv("TMPDIR");
    char name[4096], opened[64];
    snprintf(name, sizeof name, "%s/parcdf-copy-XXXXXX", folder && *folder ? folder : "/tmp");
    int fd = mkstemp(name);
    if (fd < 0)
        return pcdf_tool_unusable(name, "%s", strerror(errno));
    close(fd);
    options->to = name;
    options->replace = true;
    pcdf_tool_history_now_all(&options->history, ranks);
    int status =
        pcdf_tool_sources_share_all(ranks, sharing, options->nfrom, (const char *const *)options->from);
    if (!status)
        status = copy_all(ranks, options);
    fd = status ? -1 : open(name, O_RDONLY | O_CLOEXEC);
    if (!status && fd < 0)
        status = pcdf_tool_unusable(name, "%s", strerror(errno));
    unlink(name);
    snprintf(opened, sizeof opened, "/proc/self/fd/%d", fd);
    if (!status)
        status = pcdf_copy_send(options, opened);
    if (fd >= 0)
        close(fd);
    return status;
}

static int through_pipe(const struct pcdf_tool_ranks *ranks, struct pcdf_copy_options *options)
{
    if (ranks->size > 1)
        return pcdf_tool_unusable("-", "a pipe is for one process");
    if (pcdf_copy_is_pipe(options->from[0]))
        return pcdf_copy_receive(options);
    if (isatty(STDOUT_FILENO))
        return pcdf_tool_unusable("standard output", "this is a terminal: a file is not for eyes");
    if (options->follow)
        return pcdf_copy_follow(options, options->from[0]);
    return pcdf_copy_is_whole(options) ? pcdf_copy_send(options, options->from[0])
                                       : send_part(ranks, options);
}

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    static struct pcdf_copy_options options;
    const char *wrong = pcdf_copy_read_options(&options, argc, argv);

    if (!wrong && options.zarr)
        pcdf_copy_zarr_options(&options);
    else if (!wrong && !options.is_netcdf4 && (options.chunks || options.deflate))
        wrong = "a classic file has no chunks and is not compressed: --chunks and --deflate are for others";
    if (wrong)
        return pcdf_tool_misused(&pcdf_tool_copy, "%s", wrong);
    if (pcdf_copy_is_pipe(options.from[0]) || pcdf_copy_is_pipe(options.to))
        return through_pipe(ranks, &options); /* the same on all ranks */
    const struct pcdf_tool_sharing sharing = { .by_chunks = true, .needs_all = !options.skip_unsupported };
    pcdf_tool_history_now_all(&options.history, ranks);
    int status =
        pcdf_tool_sources_share_all(ranks, sharing, options.nfrom, (const char *const *)options.from);
    return status ? status : copy_all(ranks, &options); /* the same on all ranks */
}

const struct pcdf_tool_command pcdf_tool_copy = {
    .name = "copy",
    .usage = "[OPTION...] FROM... TO",
    .summary = "convert a file, take a part of it, or join several files",
    .help = "Copies the values of FROM into a new file TO, on all ranks that mpiexec\n"
            "started. If there are several FROM, TO gets the records of one after the other.\n"
            "TO gets its name only when it is complete. - as FROM or TO is a pipe.\n\n",
    .options = &pcdf_copy_table,
    .more_help = "\nExit status: 0 good; 1 bad (FROM is damaged or of no format that is known, or\n"
                 "data is missing and became zeros); 2 unusable.\n\n"
                 "EXAMPLES\n"
                 "  parcdf copy -O -k cdf5 run.nc large.nc\n"
                 "  parcdf copy -O -v temp -d time,-1 run.nc last.nc\n"
                 "  parcdf copy -O --select time=2020-01-02:2020-01-04 run.nc days.nc\n"
                 "  parcdf copy -O --rename temp=t --set t:units=K run.nc renamed.nc\n"
                 "  parcdf copy -O day1.nc day2.nc both.nc\n"
                 "  mpiexec -n 2 parcdf copy -O --packed run.nc small.nc\n"
                 "  mpiexec -n 2 parcdf copy -O -k zarr3 run.nc run.zarr\n",
    .is_parallel = true,
    .needs_mpi = true,
    .run = run,
};
