/* What an open file is: its definitions, sizes, hints. All local; an output may be NULL. Functions that share
 * a body share a static one: a tool that interposes the public names sees each call of the user once. */
#include "api.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "metadata.h"
#include "encode.h"
#include "filewriter.h"
#include "shown.h"

_Static_assert(PCDF_CDF1 == NC_FORMAT_CLASSIC && PCDF_CDF2 == NC_FORMAT_CDF2 && PCDF_CDF5 == NC_FORMAT_CDF5,
               "a version is its NC_FORMAT_");

/* ---- one number of a file */

static const int modes[] = {
    [PCDF_CDF1] = NC_CLASSIC_MODEL, [PCDF_CDF2] = NC_64BIT_OFFSET, [PCDF_CDF5] = NC_64BIT_DATA
};

static int format_of(const struct pcdf_dataset *ds)
{
    if (ds->writer)
        return ds->writer->format(ds);
    return pcdf_shown_is_other(ds->shown) ? pcdf_shown_format(ds->shown) : (int)ds->meta.version;
}

static int version_of(const struct pcdf_dataset *ds)
{
    return ds->writer || pcdf_shown_is_other(ds->shown) ? NC_NETCDF4 : modes[ds->meta.version];
}

/* ncmpi_inq_<name>(ncid, T *): a row is the whole function. */
#define NUMBERS(X)                                                                                           \
    X(ndims, int, ds->meta.ndims)                                                                            \
    X(nvars, int, ds->meta.nvars)                                                                            \
    X(natts, int, ds->meta.gatts.n)                                                                          \
    X(unlimdim, int, ds->meta.record_dim)                                                                    \
    X(num_rec_vars, int, ds->meta.nrecord_vars)                                                              \
    X(num_fix_vars, int, ds->meta.nvars - ds->meta.nrecord_vars)                                             \
    X(format, int, format_of(ds))                                                                            \
    X(version, int, version_of(ds))                                                                          \
    X(put_size, MPI_Offset, ds->put_bytes + ds->deferral.data_bytes)                                         \
    X(get_size, MPI_Offset, ds->get_bytes)                                                                   \
    X(header_size, MPI_Offset, pcdf_encode_size(&ds->meta))                                                  \
    X(header_extent, MPI_Offset, ds->layout.header_extent)                                                   \
    X(recsize, MPI_Offset, ds->layout.recsize)

#define INQUIRE(name, T, expression)                                                                         \
    PCDF_ON_FILE(inq_##name, (int ncid, T *value), (PCDF_GIVE(value, expression), NC_NOERR))
NUMBERS(INQUIRE)

/* ---- the file as a whole */

/* What MPI-IO uses, and the library's own hints with it. */
static int give_info(const struct pcdf_dataset *ds, MPI_Info *info)
{
    MPI_Info used;
    if (!info)
        return NC_NOERR;
    PCDF_TRY(pcdf_sharedfile_info(ds->io, &used));
    int err = pcdf_dataset_hints(ds, used);
    if (err)
        MPI_Info_free(&used);
    else
        *info = used;
    return err;
}

/* 0 when the hint is not there or is no number that an int holds. */
static int give_striping(const struct pcdf_dataset *ds, int *striping_size, int *striping_count)
{
    const struct {
        const char *key;
        int *number;
    } rows[] = { { "striping_unit", striping_size }, { "striping_factor", striping_count } };
    MPI_Info info;
    PCDF_TRY(give_info(ds, &info));
    for (int i = 0; i < 2; i++) {
        char value[MPI_MAX_INFO_VAL + 1] = "";
        int found = 0, err = MPI_Info_get(info, rows[i].key, MPI_MAX_INFO_VAL, value, &found);
        long long number = !err && found ? strtoll(value, NULL, 10) : 0;
        PCDF_GIVE(rows[i].number, number > 0 && number <= INT_MAX ? (int)number : 0);
    }
    MPI_Info_free(&info);
    return NC_NOERR;
}

PCDF_ON_FILE(inq, (int ncid, int *ndimsp, int *nvarsp, int *ngattsp, int *unlimdimidp),
             (PCDF_GIVE(ndimsp, ds->meta.ndims), PCDF_GIVE(nvarsp, ds->meta.nvars),
              PCDF_GIVE(ngattsp, ds->meta.gatts.n), PCDF_GIVE(unlimdimidp, ds->meta.record_dim), NC_NOERR))
PCDF_ON_FILE(inq_path, (int ncid, int *pathlen, char *path),
             (PCDF_GIVE(pathlen, (int)strlen(ds->path)), path ? (void)strcpy(path, ds->path) : (void)0,
              NC_NOERR))
PCDF_ON_FILE(inq_file_info, (int ncid, MPI_Info *info_used), give_info(ds, info_used))
PCDF_ON_FILE(get_file_info, (int ncid, MPI_Info *info_used), give_info(ds, info_used))
PCDF_ON_FILE(inq_striping, (int ncid, int *striping_size, int *striping_count),
             give_striping(ds, striping_size, striping_count))

/* ---- dimensions */

static int give_dim(const struct pcdf_meta *meta, int dimid, char *name, MPI_Offset *lenp)
{
    if (dimid < 0 || dimid >= meta->ndims)
        return PCDF_FAIL(NC_EBADDIM, "dimension %d: the file has %d dimensions", pcdf_told_id(dimid),
                         meta->ndims);
    if (name)
        strcpy(name, meta->dims[dimid].name);
    PCDF_GIVE(lenp, dimid == meta->record_dim ? meta->numrecs : meta->dims[dimid].length);
    return NC_NOERR;
}

PCDF_ON_FILE(inq_dimid, (int ncid, const char *name, int *idp),
             pcdf_id_of_name(ds, PCDF_DIMENSION, name, idp))
PCDF_ON_FILE(inq_dim, (int ncid, int dimid, char *name, MPI_Offset *lenp),
             give_dim(&ds->meta, dimid, name, lenp))
PCDF_ON_FILE(inq_dimname, (int ncid, int dimid, char *name), give_dim(&ds->meta, dimid, name, NULL))
PCDF_ON_FILE(inq_dimlen, (int ncid, int dimid, MPI_Offset *lenp), give_dim(&ds->meta, dimid, NULL, lenp))

/* ---- variables */

/* NC_GLOBAL is an error also with nothing to give out. */
static int give_var(const struct pcdf_meta *meta, int varid, char *name, nc_type *xtypep, int *ndimsp,
                    int *dimids, int *nattsp)
{
    if (varid == NC_GLOBAL)
        return PCDF_FAIL(NC_EGLOBAL, "NC_GLOBAL is no variable: it has attributes only");
    if (varid < 0 || varid >= meta->nvars)
        return PCDF_FAIL(NC_ENOTVAR, "variable %d: the file has %d variables", pcdf_told_id(varid),
                         meta->nvars);
    const struct pcdf_var *var = &meta->vars[varid];
    if (name)
        strcpy(name, var->name);
    PCDF_GIVE(xtypep, var->type);
    PCDF_GIVE(ndimsp, var->ndims);
    for (int i = 0; dimids && i < var->ndims; i++)
        dimids[i] = var->dimids[i];
    PCDF_GIVE(nattsp, var->atts.n);
    return NC_NOERR;
}

/* The one question that NC_GLOBAL has an answer to. */
static int give_natts(const struct pcdf_meta *meta, int varid, int *nattsp)
{
    if (varid != NC_GLOBAL)
        return give_var(meta, varid, NULL, NULL, NULL, NULL, nattsp);
    PCDF_GIVE(nattsp, meta->gatts.n);
    return NC_NOERR;
}

/* A variable that no enddef has seen lies nowhere yet: 0. */
static int give_offset(const struct pcdf_dataset *ds, int varid, MPI_Offset *offset)
{
    PCDF_TRY(give_var(&ds->meta, varid, NULL, NULL, NULL, NULL, NULL));
    PCDF_GIVE(offset, varid < ds->layout.nvars ? ds->layout.begin[varid] : 0);
    return NC_NOERR;
}

PCDF_ON_FILE(inq_varid, (int ncid, const char *name, int *varidp),
             pcdf_id_of_name(ds, PCDF_VARIABLE, name, varidp))
PCDF_ON_FILE(inq_var,
             (int ncid, int varid, char *name, nc_type *xtypep, int *ndimsp, int *dimids, int *nattsp),
             name || xtypep || ndimsp || dimids
                 ? give_var(&ds->meta, varid, name, xtypep, ndimsp, dimids, nattsp)
                 : give_natts(&ds->meta, varid, nattsp))
PCDF_ON_FILE(inq_varname, (int ncid, int varid, char *name),
             give_var(&ds->meta, varid, name, NULL, NULL, NULL, NULL))
PCDF_ON_FILE(inq_vartype, (int ncid, int varid, nc_type *xtypep),
             give_var(&ds->meta, varid, NULL, xtypep, NULL, NULL, NULL))
PCDF_ON_FILE(inq_varndims, (int ncid, int varid, int *ndimsp),
             give_var(&ds->meta, varid, NULL, NULL, ndimsp, NULL, NULL))
PCDF_ON_FILE(inq_vardimid, (int ncid, int varid, int *dimids),
             give_var(&ds->meta, varid, NULL, NULL, NULL, dimids, NULL))
PCDF_ON_FILE(inq_varnatts, (int ncid, int varid, int *nattsp), give_natts(&ds->meta, varid, nattsp))
PCDF_ON_FILE(inq_varoffset, (int ncid, int varid, MPI_Offset *offset), give_offset(ds, varid, offset))

/* ---- memory of the process */

static int give_bytes(int64_t bytes, MPI_Offset *size)
{
    if (!size)
        return PCDF_FAIL(NC_EINVAL, "the place for the number of bytes is NULL");
    *size = bytes;
    return NC_NOERR;
}

int ncmpi_inq_malloc_size(MPI_Offset *size)
{
    return give_bytes(pcdf_alloc_of_files(false), size);
}

int ncmpi_inq_malloc_max_size(MPI_Offset *size)
{
    return give_bytes(pcdf_alloc_of_files(true), size);
}

/* It would print, and the library prints nothing. */
int ncmpi_inq_malloc_list(void)
{
    return PCDF_FAIL(NC_ENOTENABLED, "the library does not list its memory");
}
