/* See copydefine.h. The arguments of the library's calls are the same on all ranks, so its answers about
 * definitions are, too. */
#include "copydefine.h"
#include "filesystem.h"
#include "status.h"
#include "tool.h"
#include "tooldefine.h"

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

static int mode_of(enum pcdf_version version)
{
    return NC_CLOBBER | (version == PCDF_CDF5 ? NC_64BIT_DATA : version == PCDF_CDF2 ? NC_64BIT_OFFSET : 0);
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

int pcdf_copy_create_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_copy_plan *plan,
                         const struct pcdf_copy_options *options, const char *name, const char *to, int *ncid)
{
    if (options->header_only && pcdf_tool_worst_all(ranks, check_room(plan, name, to)))
        return PCDF_TOOL_UNUSABLE;
    MPI_Info info = hints(options);
    const struct pcdf_alignment *a = &plan->align;
    struct failure f = { 0 };
    int id = -1, old;

    keep_first(&f, ncmpi_create(MPI_COMM_WORLD, name, mode_of(plan->out.version), info, &id));
    MPI_Info_free(&info);
    if (f.code) /* the same on all ranks, as is what follows */
        return pcdf_tool_unusable(to, "%s", f.text);
    keep_first(&f, ncmpi_set_fill(id, options->header_only ? NC_FILL : NC_NOFILL, &old));
    keep_first(&f, f.code ? NC_NOERR : pcdf_tool_define(id, &plan->out));
    if (pcdf_tool_worst_all(ranks, f.code != 0)) { /* memory may lack on one rank only */
        (void)ncmpi_abort(id);
        return f.code ? pcdf_tool_unusable(to, "%s", f.text) : PCDF_TOOL_UNUSABLE;
    }
    keep_first(&f, ncmpi__enddef(id, a->h_minfree, a->v_align, a->v_minfree, a->r_align));
    if (!f.code)
        keep_first(&f, ncmpi_begin_indep_data(id));
    if (f.code) {
        (void)ncmpi_close(id);
        return pcdf_tool_unusable(to, "%s", f.text);
    }
    *ncid = id;
    return PCDF_TOOL_GOOD;
}

int pcdf_copy_open_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_copy_options *options,
                       const char *to, int *ncid)
{
    const MPI_Comm comm = ranks->size > 1 ? MPI_COMM_WORLD : MPI_COMM_SELF;
    MPI_Info info = hints(options);
    struct failure f = { 0 };
    int id = -1;

    keep_first(&f, ncmpi_open(comm, to, NC_WRITE, info, &id));
    MPI_Info_free(&info);
    if (f.code) /* the same on all ranks, as is what follows */
        return pcdf_tool_unusable(to, "%s", f.text);
    keep_first(&f, ncmpi_begin_indep_data(id));
    if (f.code) {
        (void)ncmpi_close(id);
        return pcdf_tool_unusable(to, "%s", f.text);
    }
    *ncid = id;
    return PCDF_TOOL_GOOD;
}

int pcdf_copy_close_all(int ncid, const char *to)
{
    struct failure f = { 0 };
    keep_first(&f, ncmpi_end_indep_data(ncid));
    keep_first(&f, ncmpi_close(ncid));
    if (f.code && to)
        return pcdf_tool_unusable(to, "%s", f.text);
    return f.code ? PCDF_TOOL_UNUSABLE : PCDF_TOOL_GOOD;
}
