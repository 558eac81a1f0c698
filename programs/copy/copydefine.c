/* See copydefine.h. The arguments of the library's calls are the same on all ranks, so its answers about
 * definitions are, too. */
#include "copydefine.h"
#include "filesystem.h"
#include "status.h"
#include "tool.h"
#include "tooldefine.h"
#include "toolkind.h"
#include "types.h"

#include <inttypes.h>
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <string.h>

/* ---- files */

static MPI_Info hints(const struct pcdf_copy_options *options)
{
    MPI_Info info;
    MPI_Info_create(&info);
    if (options->checksum)
        MPI_Info_set(info, "pcdf_checksum", "crc32c");
    if (options->append) /* a record counts when its data is on the storage */
        MPI_Info_set(info, "pcdf_commit", "record");
    return info;
}

static int format_of(const struct pcdf_copy_options *options, enum pcdf_version version)
{
    return options->is_classic_model ? PCDF_TOOL_NETCDF4_CLASSIC
           : options->is_netcdf4     ? PCDF_TOOL_NETCDF4
                                     : (int)version;
}

/* The sentence of the first failure, which later calls would replace. */
struct failure {
    int code;
    char text[1024];
};

static void keep_first(struct failure *f, int err)
{
    if (err && !f->code)
        snprintf(f->text, sizeof f->text, "%s", parcdf_last_error());
    pcdf_first(&f->code, err);
}

/* Fill values are written for whatever a header claims: that there is no room for them is known before. name:
 * a file, where the new one is to be. */
static int check_room(const struct pcdf_copy_plan *plan, const char *name, const char *to)
{
    struct pcdf_layout layout;
    int64_t room;

    if (pcdf_layout_build(&layout, &plan->out, NULL, &plan->align))
        return pcdf_tool_unusable(to, "%s", pcdf_fail_text());
    int64_t need = pcdf_layout_file_end(&layout, &plan->out);
    pcdf_layout_free(&layout);
    if (!pcdf_filesystem_room(name, &room) || need <= room)
        return PCDF_TOOL_GOOD;
    return pcdf_tool_unusable(to, "the file would have %" PRId64 " bytes, for which there is no room here",
                              need);
}

/* In what chunks, and through which codecs, a netCDF-4 file has the values. */
static int store_as(int ncid, const struct pcdf_copy_plan *plan, const struct pcdf_copy_options *options,
                    int64_t *const *chunks)
{
    for (int i = 0; i < plan->out.nvars; i++) {
        const struct pcdf_var *var = &plan->out.vars[i];
        size_t shape[PCDF_MOST_DIMS];
        if (!chunks[i])
            continue;
        for (int k = 0; k < var->ndims; k++)
            shape[k] = (size_t)chunks[i][k];
        PCDF_TRY(parcdf_def_var_chunking(ncid, i, NC_CHUNKED, shape));
        bool shuffles = pcdf_type_size(var->type) > 1;
        if (options->deflate)
            PCDF_TRY(parcdf_def_var_deflate(ncid, i, shuffles, 1, options->deflate));
        if (options->zstd)
            PCDF_TRY(parcdf_def_var_zstd(ncid, i, options->zstd));
        if (options->zstd && shuffles)
            PCDF_TRY(parcdf_def_var_deflate(ncid, i, 1, 0, 0));
    }
    return NC_NOERR;
}

int pcdf_copy_create_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_copy_plan *plan,
                         const struct pcdf_copy_options *options, int64_t *const *chunks, const char *name,
                         struct pcdf_tool_puts *puts)
{
    const char *to = options->to;
    bool checks_room = options->header_only && !options->is_netcdf4;
    if (checks_room && pcdf_tool_worst_all(ranks, check_room(plan, name, to))) /* the same on all ranks */
        return PCDF_TOOL_UNUSABLE;
    MPI_Info info = hints(options);
    const struct pcdf_alignment *a = &plan->align;
    struct failure f = { 0 };
    int id = -1, old;

    keep_first(&f, ncmpi_create(MPI_COMM_WORLD, name,
                                pcdf_tool_define_mode(format_of(options, plan->out.version)), info, &id));
    MPI_Info_free(&info);
    if (f.code) /* the same on all ranks, as is what follows */
        return pcdf_tool_unusable(to, "%s", f.text);
    bool fills = options->header_only || options->is_netcdf4; /* its chunks may have room for more records */
    keep_first(&f, ncmpi_set_fill(id, fills ? NC_FILL : NC_NOFILL, &old));
    keep_first(&f, f.code ? NC_NOERR : pcdf_tool_define(id, &plan->out));
    if (!f.code && chunks)
        keep_first(&f, store_as(id, plan, options, chunks));
    if (pcdf_tool_worst_all(ranks, f.code != 0)) { /* memory may lack on one rank only */
        (void)ncmpi_abort(id);
        return f.code ? pcdf_tool_unusable(to, "%s", f.text) : PCDF_TOOL_UNUSABLE;
    }
    keep_first(&f, ncmpi__enddef(id, a->h_minfree, a->v_align, a->v_minfree, a->r_align));
    int status =
        f.code ? pcdf_tool_unusable(to, "%s", f.text) : pcdf_tool_puts_begin_all(puts, ranks, id, to);
    if (status) /* the same on all ranks */
        (void)ncmpi_close(id);
    return status;
}

int pcdf_copy_open_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_copy_options *options,
                       struct pcdf_tool_puts *puts)
{
    const char *to = options->to;
    const MPI_Comm comm = ranks->size > 1 ? MPI_COMM_WORLD : MPI_COMM_SELF;
    MPI_Info info = hints(options);
    struct failure f = { 0 };
    int id = -1;

    keep_first(&f, ncmpi_open(comm, to, NC_WRITE, info, &id));
    MPI_Info_free(&info);
    if (f.code) /* the same on all ranks, as is what follows */
        return pcdf_tool_unusable(to, "%s", f.text);
    int status = pcdf_tool_puts_begin_all(puts, ranks, id, to);
    if (status) /* the same on all ranks */
        (void)ncmpi_close(id);
    return status;
}
