/* What an open file is: its definitions, sizes, hints. All local; an output may be NULL. Functions that share
 * a body share a static one: a tool that interposes the public names sees each call of the user once. */
#include <pnetcdf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "dataset.h"
#include "metadata.h"
#include "lock.h"
#include "status.h"

_Static_assert(PCDF_CDF1 == NC_FORMAT_CLASSIC && PCDF_CDF2 == NC_FORMAT_CDF2 && PCDF_CDF5 == NC_FORMAT_CDF5,
               "a version is its NC_FORMAT_");

/* ---- one number of a file */

static int mode_of(enum pcdf_version version)
{
    switch (version) {
    case PCDF_CDF5:
        return NC_64BIT_DATA;
    case PCDF_CDF2:
        return NC_64BIT_OFFSET;
    default:
        return NC_CLASSIC_MODEL;
    }
}

/* ncmpi_inq_<name>(ncid, T *): a row is the whole function. */
#define NUMBERS(X)                                                                                           \
    X(ndims, int, ds->meta.ndims)                                                                            \
    X(nvars, int, ds->meta.nvars)                                                                            \
    X(natts, int, ds->meta.gatts.n)                                                                          \
    X(unlimdim, int, ds->meta.record_dim)                                                                    \
    X(num_rec_vars, int, ds->meta.nrecord_vars)                                                              \
    X(num_fix_vars, int, ds->meta.nvars - ds->meta.nrecord_vars)                                             \
    X(format, int, (int)ds->meta.version)                                                                    \
    X(version, int, mode_of(ds->meta.version))                                                               \
    X(put_size, MPI_Offset, ds->put_bytes + ds->deferral.data_bytes)                                         \
    X(get_size, MPI_Offset, ds->get_bytes)                                                                   \
    X(header_size, MPI_Offset, pcdf_header_size_now(ds))                                                     \
    X(header_extent, MPI_Offset, ds->layout.header_extent)                                                   \
    X(recsize, MPI_Offset, ds->layout.recsize)

#define INQUIRE(name, T, expression)                                                                         \
    int ncmpi_inq_##name(int ncid, T *value)                                                                 \
    {                                                                                                        \
        struct pcdf_dataset *ds;                                                                             \
        PCDF_LOCK(ncid);                                                                                     \
        PCDF_TRY(pcdf_dataset_of(ncid, &ds));                                                                \
        if (value)                                                                                           \
            *value = (expression);                                                                           \
        return NC_NOERR;                                                                                     \
    }
NUMBERS(INQUIRE)

/* ---- the file as a whole */

int ncmpi_inq(int ncid, int *ndimsp, int *nvarsp, int *ngattsp, int *unlimdimidp)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    if (ndimsp)
        *ndimsp = ds->meta.ndims;
    if (nvarsp)
        *nvarsp = ds->meta.nvars;
    if (ngattsp)
        *ngattsp = ds->meta.gatts.n;
    if (unlimdimidp)
        *unlimdimidp = ds->meta.record_dim;
    return NC_NOERR;
}

int ncmpi_inq_path(int ncid, int *pathlen, char *path)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    if (pathlen)
        *pathlen = (int)strlen(ds->path);
    if (path)
        strcpy(path, ds->path);
    return NC_NOERR;
}

/* What MPI-IO uses, and the library's own hints with it. */
static int info_of(const struct pcdf_dataset *ds, MPI_Info *info)
{
    MPI_Info used;
    PCDF_TRY(ds->io->ops->info(ds->io, &used));
    int err = pcdf_dataset_hints(ds, used);
    if (err)
        MPI_Info_free(&used);
    else
        *info = used;
    return err;
}

static int give_info(int ncid, MPI_Info *info_used)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return info_used ? pcdf_report(ds, info_of(ds, info_used)) : NC_NOERR;
}

int ncmpi_inq_file_info(int ncid, MPI_Info *info_used)
{
    return give_info(ncid, info_used);
}

int ncmpi_get_file_info(int ncid, MPI_Info *info_used)
{
    return give_info(ncid, info_used);
}

/* 0 when the hint is not there or is no number that an int holds. */
static int number_in(MPI_Info info, const char *key)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0;
    if (MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found) != MPI_SUCCESS || !found)
        return 0;
    long long number = strtoll(value, NULL, 10);
    return number > 0 && number <= INT_MAX ? (int)number : 0;
}

int ncmpi_inq_striping(int ncid, int *striping_size, int *striping_count)
{
    struct pcdf_dataset *ds;
    MPI_Info info;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    int err = info_of(ds, &info);
    if (err)
        return pcdf_report(ds, err);
    if (striping_size)
        *striping_size = number_in(info, "striping_unit");
    if (striping_count)
        *striping_count = number_in(info, "striping_factor");
    MPI_Info_free(&info);
    return NC_NOERR;
}

/* ---- dimensions */

int ncmpi_inq_dimid(int ncid, const char *name, int *idp)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, pcdf_dim_id(ds, name, idp));
}

static int give_dim(int ncid, int dimid, char *name, MPI_Offset *lenp)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    const struct pcdf_meta *meta = &ds->meta;
    if (dimid < 0 || dimid >= meta->ndims)
        return pcdf_report(ds, PCDF_FAIL(NC_EBADDIM, "dimension %d: the file has %d dimensions",
                                         pcdf_told_id(dimid), meta->ndims));
    if (name)
        strcpy(name, meta->dims[dimid].name);
    if (lenp)
        *lenp = dimid == meta->record_dim ? meta->numrecs : meta->dims[dimid].length;
    return NC_NOERR;
}

int ncmpi_inq_dim(int ncid, int dimid, char *name, MPI_Offset *lenp)
{
    return give_dim(ncid, dimid, name, lenp);
}

int ncmpi_inq_dimname(int ncid, int dimid, char *name)
{
    return give_dim(ncid, dimid, name, NULL);
}

int ncmpi_inq_dimlen(int ncid, int dimid, MPI_Offset *lenp)
{
    return give_dim(ncid, dimid, NULL, lenp);
}

/* ---- variables */

int ncmpi_inq_varid(int ncid, const char *name, int *varidp)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, pcdf_var_id(ds, name, varidp));
}

static int find_variable(const struct pcdf_dataset *ds, int varid, const struct pcdf_var **var)
{
    if (varid == NC_GLOBAL)
        return PCDF_FAIL(NC_EGLOBAL, "NC_GLOBAL is no variable: it has attributes only");
    if (varid < 0 || varid >= ds->meta.nvars)
        return PCDF_FAIL(NC_ENOTVAR, "variable %d: the file has %d variables", pcdf_told_id(varid),
                         ds->meta.nvars);
    *var = &ds->meta.vars[varid];
    return NC_NOERR;
}

static int variable_of(int ncid, int varid, const struct pcdf_var **var)
{
    struct pcdf_dataset *ds;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    return pcdf_report(ds, find_variable(ds, varid, var));
}

static void copy_dimids(const struct pcdf_var *var, int *dimids)
{
    for (int i = 0; i < var->ndims; i++)
        dimids[i] = var->dimids[i];
}

static int count_attributes(int ncid, int varid, int *nattsp)
{
    struct pcdf_dataset *ds;
    const struct pcdf_var *var = NULL;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    if (varid != NC_GLOBAL)
        PCDF_TRY(pcdf_report(ds, find_variable(ds, varid, &var)));
    if (nattsp)
        *nattsp = var ? var->atts.n : ds->meta.gatts.n;
    return NC_NOERR;
}

int ncmpi_inq_var(int ncid, int varid, char *name, nc_type *xtypep, int *ndimsp, int *dimids, int *nattsp)
{
    const struct pcdf_var *var;
    if (varid == NC_GLOBAL && !name && !xtypep && !ndimsp && !dimids)
        return count_attributes(ncid, varid, nattsp);
    PCDF_LOCK(ncid);
    PCDF_TRY(variable_of(ncid, varid, &var));
    if (name)
        strcpy(name, var->name);
    if (xtypep)
        *xtypep = var->type;
    if (ndimsp)
        *ndimsp = var->ndims;
    if (dimids)
        copy_dimids(var, dimids);
    if (nattsp)
        *nattsp = var->atts.n;
    return NC_NOERR;
}

/* The next ones know NC_GLOBAL as an error even with nothing to give out. */
int ncmpi_inq_varname(int ncid, int varid, char *name)
{
    const struct pcdf_var *var;
    PCDF_LOCK(ncid);
    PCDF_TRY(variable_of(ncid, varid, &var));
    if (name)
        strcpy(name, var->name);
    return NC_NOERR;
}

int ncmpi_inq_vartype(int ncid, int varid, nc_type *xtypep)
{
    const struct pcdf_var *var;
    PCDF_LOCK(ncid);
    PCDF_TRY(variable_of(ncid, varid, &var));
    if (xtypep)
        *xtypep = var->type;
    return NC_NOERR;
}

int ncmpi_inq_varndims(int ncid, int varid, int *ndimsp)
{
    const struct pcdf_var *var;
    PCDF_LOCK(ncid);
    PCDF_TRY(variable_of(ncid, varid, &var));
    if (ndimsp)
        *ndimsp = var->ndims;
    return NC_NOERR;
}

int ncmpi_inq_vardimid(int ncid, int varid, int *dimids)
{
    const struct pcdf_var *var;
    PCDF_LOCK(ncid);
    PCDF_TRY(variable_of(ncid, varid, &var));
    if (dimids)
        copy_dimids(var, dimids);
    return NC_NOERR;
}

int ncmpi_inq_varnatts(int ncid, int varid, int *nattsp)
{
    return count_attributes(ncid, varid, nattsp);
}

/* A variable that no enddef has seen lies nowhere yet: 0. */
int ncmpi_inq_varoffset(int ncid, int varid, MPI_Offset *offset)
{
    struct pcdf_dataset *ds;
    const struct pcdf_var *var;
    PCDF_LOCK(ncid);
    PCDF_TRY(pcdf_dataset_of(ncid, &ds));
    PCDF_TRY(pcdf_report(ds, find_variable(ds, varid, &var)));
    if (offset)
        *offset = varid < ds->layout.nvars ? ds->layout.begin[varid] : 0;
    return NC_NOERR;
}

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
    return give_bytes(pcdf_alloc_of_files(), size);
}

int ncmpi_inq_malloc_max_size(MPI_Offset *size)
{
    return give_bytes(pcdf_alloc_peak_of_files(), size);
}

/* It would print, and the library prints nothing. */
int ncmpi_inq_malloc_list(void)
{
    return PCDF_FAIL(NC_ENOTENABLED, "the library does not list its memory");
}
