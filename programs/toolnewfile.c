/* See toolnewfile.h. The arguments of the library's calls are the same on all ranks, so its answers about
 * definitions are, too. */
#include "toolnewfile.h"
#include "tool.h"
#include "tooldefine.h"
#include "tooljson.h"
#include "toolfile.h"
#include "toolkind.h"
#include "tooloutput.h"
#include "toolwork.h"

#include <inttypes.h>
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <signal.h>

struct job {
    const struct pcdf_tool_ranks *ranks;
    const struct pcdf_tool_newfile *file;
    pcdf_tool_write_all *write_all;
    void *context;
};

/* ---- the file */

static int say(const struct job *job, int err)
{
    return err ? pcdf_tool_unusable(job->file->path, "%s", parcdf_last_error()) : PCDF_TOOL_GOOD;
}

static int format_of(const struct pcdf_tool_newfile *file)
{
    return file->format ? file->format : (int)file->meta->version;
}

static int compress(int ncid, const struct pcdf_tool_newfile *file)
{
    int err = NC_NOERR;
    for (int i = 0; !err && file->deflate > 0 && i < file->meta->nvars; i++)
        if (file->meta->vars[i].ndims > 0)
            err = parcdf_def_var_deflate(ncid, i, pcdf_type_size(file->meta->vars[i].type) > 1, 1,
                                         (int)file->deflate);
    return err;
}

/* Chunks of a netCDF-4 file may have room for more records, which are fill values then. */
static int define(const struct job *job, int ncid)
{
    const struct pcdf_tool_newfile *file = job->file;
    bool is_netcdf4 = pcdf_tool_format_is_netcdf4(format_of(file));
    int old, err = ncmpi_set_fill(ncid, is_netcdf4 ? NC_FILL : NC_NOFILL, &old);
    err = err ? err : pcdf_tool_define(ncid, file->meta);
    return say(job, err ? err : compress(ncid, file));
}

/* The same on all ranks. */
static int create_all(const struct job *job, const char *name, struct pcdf_tool_puts *puts)
{
    int ncid, err = ncmpi_create(MPI_COMM_WORLD, name, pcdf_tool_define_mode(format_of(job->file)),
                                 MPI_INFO_NULL, &ncid);
    if (err) /* the same on all ranks, as is what follows */
        return say(job, err);
    int status = pcdf_tool_worst_all(job->ranks, define(job, ncid));
    if (status) {
        (void)ncmpi_abort(ncid);
        return status;
    }
    status = say(job, ncmpi_enddef(ncid));
    status = status ? status : pcdf_tool_puts_begin_all(puts, job->ranks, ncid, job->file->path);
    if (status)
        (void)ncmpi_close(ncid);
    return status;
}

static int fill_all(void *context, const char *name, const struct pcdf_tool_output *out)
{
    const struct job *job = context;
    struct pcdf_tool_puts puts;
    int status = create_all(job, name, &puts);
    if (status) /* the same on all ranks, as is what follows */
        return status;
    if (job->ranks->rank == 0)
        pcdf_tool_output_hide(out);
    status = pcdf_tool_puts_finish_all(&puts, job->write_all(job->context, &puts));
    int closed = pcdf_tool_puts_close_all(&puts, status ? NULL : job->file->path);
    return status ? status : closed;
}

int pcdf_tool_newfile_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_tool_newfile *file,
                          pcdf_tool_write_all *write_all, void *context)
{
    struct job job = { .ranks = ranks, .file = file, .write_all = write_all, .context = context };
    bool is_model = file->format == PCDF_TOOL_NETCDF4_CLASSIC;
    if (is_model && pcdf_tool_define_fits_model(file->path, file->meta)) /* the same on all ranks */
        return PCDF_TOOL_UNUSABLE;
    if (pcdf_tool_format_is_netcdf4(format_of(file)))
        signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of its write */
    return pcdf_tool_output_make_all(ranks, file->path, file->replace, fill_all, &job);
}

/* ---- what is told */

static void json_variable(struct pcdf_json *json, const struct pcdf_meta *meta, const struct pcdf_var *var)
{
    pcdf_json_open(json, '{', true);
    pcdf_json_key(json, "name");
    pcdf_json_text(json, var->name);
    pcdf_json_key(json, "type");
    pcdf_json_text(json, pcdf_type_cdl(var->type));
    pcdf_json_key(json, "shape");
    pcdf_json_open(json, '[', true);
    for (int i = 0; i < var->ndims; i++)
        pcdf_json_integer(json, pcdf_tool_dim_length(meta, var->dimids[i]));
    pcdf_json_close(json, ']');
    pcdf_json_close(json, '}');
}

void pcdf_tool_account_json(const struct pcdf_tool_account *a)
{
    const struct pcdf_meta *meta = a->file->meta;
    struct pcdf_json json;
    pcdf_json_begin(&json, stdout);
    pcdf_json_open(&json, '{', false);
    pcdf_json_key(&json, "to");
    pcdf_json_text(&json, a->file->path);
    pcdf_json_key(&json, "variables");
    pcdf_json_open(&json, '[', false);
    for (int i = 0; i < meta->nvars; i++)
        json_variable(&json, meta, &meta->vars[i]);
    pcdf_json_close(&json, ']');
    pcdf_json_key(&json, "bytes_read");
    pcdf_json_integer(&json, a->bytes_read);
    pcdf_json_key(&json, "bytes_written");
    pcdf_json_integer(&json, pcdf_tool_work_bytes(meta, NULL));
    if (a->seconds >= 0) {
        pcdf_json_key(&json, "seconds");
        pcdf_json_real(&json, a->seconds);
    }
    pcdf_json_close(&json, '}');
    pcdf_json_end(&json);
}

static void print_variable(const struct pcdf_meta *meta, const struct pcdf_var *var)
{
    printf("%s ", pcdf_type_cdl(var->type));
    pcdf_tool_print(stdout, var->name);
    for (int i = 0; i < var->ndims; i++) {
        printf("%s", i ? ", " : "(");
        pcdf_tool_print(stdout, meta->dims[var->dimids[i]].name);
        printf(" = %" PRId64, pcdf_tool_dim_length(meta, var->dimids[i]));
    }
    printf("%s\n", var->ndims ? ")" : "");
}

void pcdf_tool_account_print(const struct pcdf_tool_account *a)
{
    const struct pcdf_meta *meta = a->file->meta;
    for (int i = 0; i < meta->nvars; i++)
        print_variable(meta, &meta->vars[i]);
    printf("%" PRId64 " bytes are read, %" PRId64 " written\n", a->bytes_read,
           pcdf_tool_work_bytes(meta, NULL));
}
