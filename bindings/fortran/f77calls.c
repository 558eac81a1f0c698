/* clang-format off */
/* Written by bindings/fortran/bindings.py from include/pnetcdf.h; do not edit.
 * The Fortran 77 interface: gfortran passes addresses, and the lengths of texts at the end. */
#include "f77support.h"

PCDF_FORTRAN_API int nfmpi_create_(const MPI_Fint *comm, const char *path, const int *cmode,
    const MPI_Fint *info, int *ncidp, size_t path_len)
{
    pcdf_begin();
    struct pcdf_text path_;
    pcdf_text_in(&path_, path, path_len);
    int err = pcdf_end(ncmpi_create(MPI_Comm_f2c(*comm), path_.text, *cmode, MPI_Info_f2c(*info), ncidp));
    err = pcdf_text_free(&path_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_open_(const MPI_Fint *comm, const char *path, const int *omode,
    const MPI_Fint *info, int *ncidp, size_t path_len)
{
    pcdf_begin();
    struct pcdf_text path_;
    pcdf_text_in(&path_, path, path_len);
    int err = pcdf_end(ncmpi_open(MPI_Comm_f2c(*comm), path_.text, *omode, MPI_Info_f2c(*info), ncidp));
    err = pcdf_text_free(&path_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_close_(const int *ncid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_close(*ncid));
}

PCDF_FORTRAN_API int nfmpi_abort_(const int *ncid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_abort(*ncid));
}

PCDF_FORTRAN_API int nfmpi_enddef_(const int *ncid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_enddef(*ncid));
}

PCDF_FORTRAN_API int nfmpi__enddef_(const int *ncid, const MPI_Offset *h_minfree, const MPI_Offset *v_align,
    const MPI_Offset *v_minfree, const MPI_Offset *r_align)
{
    pcdf_begin();
    return pcdf_end(ncmpi__enddef(*ncid, *h_minfree, *v_align, *v_minfree, *r_align));
}

PCDF_FORTRAN_API int nfmpi_redef_(const int *ncid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_redef(*ncid));
}

PCDF_FORTRAN_API int nfmpi_sync_(const int *ncid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_sync(*ncid));
}

PCDF_FORTRAN_API int nfmpi_flush_(const int *ncid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_flush(*ncid));
}

PCDF_FORTRAN_API int nfmpi_sync_numrecs_(const int *ncid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_sync_numrecs(*ncid));
}

PCDF_FORTRAN_API int nfmpi_begin_indep_data_(const int *ncid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_begin_indep_data(*ncid));
}

PCDF_FORTRAN_API int nfmpi_end_indep_data_(const int *ncid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_end_indep_data(*ncid));
}

PCDF_FORTRAN_API int nfmpi_delete_(const char *filename, const MPI_Fint *info, size_t filename_len)
{
    pcdf_begin();
    struct pcdf_text filename_;
    pcdf_text_in(&filename_, filename, filename_len);
    int err = pcdf_end(ncmpi_delete(filename_.text, MPI_Info_f2c(*info)));
    err = pcdf_text_free(&filename_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_set_default_format_(const int *format, int *old_formatp)
{
    pcdf_begin();
    return pcdf_end(ncmpi_set_default_format(*format, old_formatp));
}

PCDF_FORTRAN_API int nfmpi_inq_default_format_(int *formatp)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_default_format(formatp));
}

PCDF_FORTRAN_API int nfmpi_inq_file_format_(const char *filename, int *formatp, size_t filename_len)
{
    pcdf_begin();
    struct pcdf_text filename_;
    pcdf_text_in(&filename_, filename, filename_len);
    int err = pcdf_end(ncmpi_inq_file_format(filename_.text, formatp));
    err = pcdf_text_free(&filename_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_files_opened_(int *num, int *ncids)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_files_opened(num, ncids));
}

PCDF_FORTRAN_API int nfmpi_inq_(const int *ncid, int *ndimsp, int *nvarsp, int *ngattsp, int *unlimdimidp)
{
    pcdf_begin();
    int err = pcdf_end(ncmpi_inq(*ncid, ndimsp, nvarsp, ngattsp, unlimdimidp));
    if (!err && *unlimdimidp >= 0)
        *unlimdimidp += 1;
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_ndims_(const int *ncid, int *ndimsp)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_ndims(*ncid, ndimsp));
}

PCDF_FORTRAN_API int nfmpi_inq_nvars_(const int *ncid, int *nvarsp)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_nvars(*ncid, nvarsp));
}

PCDF_FORTRAN_API int nfmpi_inq_natts_(const int *ncid, int *ngattsp)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_natts(*ncid, ngattsp));
}

PCDF_FORTRAN_API int nfmpi_inq_unlimdim_(const int *ncid, int *unlimdimidp)
{
    pcdf_begin();
    int err = pcdf_end(ncmpi_inq_unlimdim(*ncid, unlimdimidp));
    if (!err && *unlimdimidp >= 0)
        *unlimdimidp += 1;
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_num_rec_vars_(const int *ncid, int *nvarsp)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_num_rec_vars(*ncid, nvarsp));
}

PCDF_FORTRAN_API int nfmpi_inq_num_fix_vars_(const int *ncid, int *nvarsp)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_num_fix_vars(*ncid, nvarsp));
}

PCDF_FORTRAN_API int nfmpi_inq_format_(const int *ncid, int *formatp)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_format(*ncid, formatp));
}

PCDF_FORTRAN_API int nfmpi_inq_version_(const int *ncid, int *nc_mode)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_version(*ncid, nc_mode));
}

PCDF_FORTRAN_API int nfmpi_inq_file_info_(const int *ncid, MPI_Fint *info_used)
{
    pcdf_begin();
    MPI_Info info_used_;
    int err = pcdf_end(ncmpi_inq_file_info(*ncid, &info_used_));
    if (!err)
        *info_used = MPI_Info_c2f(info_used_);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_file_info_(const int *ncid, MPI_Fint *info_used)
{
    pcdf_begin();
    MPI_Info info_used_;
    int err = pcdf_end(ncmpi_get_file_info(*ncid, &info_used_));
    if (!err)
        *info_used = MPI_Info_c2f(info_used_);
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_striping_(const int *ncid, int *striping_size, int *striping_count)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_striping(*ncid, striping_size, striping_count));
}

PCDF_FORTRAN_API int nfmpi_inq_put_size_(const int *ncid, MPI_Offset *size)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_put_size(*ncid, size));
}

PCDF_FORTRAN_API int nfmpi_inq_get_size_(const int *ncid, MPI_Offset *size)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_get_size(*ncid, size));
}

PCDF_FORTRAN_API int nfmpi_inq_header_size_(const int *ncid, MPI_Offset *size)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_header_size(*ncid, size));
}

PCDF_FORTRAN_API int nfmpi_inq_header_extent_(const int *ncid, MPI_Offset *extent)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_header_extent(*ncid, extent));
}

PCDF_FORTRAN_API int nfmpi_inq_recsize_(const int *ncid, MPI_Offset *recsize)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_recsize(*ncid, recsize));
}

PCDF_FORTRAN_API int nfmpi_inq_malloc_size_(MPI_Offset *size)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_malloc_size(size));
}

PCDF_FORTRAN_API int nfmpi_inq_malloc_max_size_(MPI_Offset *size)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_malloc_max_size(size));
}

PCDF_FORTRAN_API int nfmpi_inq_malloc_list_(void)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_malloc_list());
}

PCDF_FORTRAN_API int nfmpi_inq_nreqs_(const int *ncid, int *nreqs)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_nreqs(*ncid, nreqs));
}

PCDF_FORTRAN_API int nfmpi_inq_buffer_usage_(const int *ncid, MPI_Offset *usage)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_buffer_usage(*ncid, usage));
}

PCDF_FORTRAN_API int nfmpi_inq_buffer_size_(const int *ncid, MPI_Offset *buf_size)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_buffer_size(*ncid, buf_size));
}

PCDF_FORTRAN_API int nfmpi_def_dim_(const int *ncid, const char *name, const MPI_Offset *len, int *idp,
    size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_def_dim(*ncid, name_.text, *len, idp));
    err = pcdf_text_free(&name_, err);
    if (!err)
        *idp += 1;
    return err;
}

PCDF_FORTRAN_API int nfmpi_rename_dim_(const int *ncid, const int *dimid, const char *name, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_rename_dim(*ncid, *dimid - 1, name_.text));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_dimid_(const int *ncid, const char *name, int *idp, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_inq_dimid(*ncid, name_.text, idp));
    err = pcdf_text_free(&name_, err);
    if (!err)
        *idp += 1;
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_dim_(const int *ncid, const int *dimid, char *name, MPI_Offset *lenp,
    size_t name_len)
{
    pcdf_begin();
    char name_[NC_MAX_NAME + 1];
    int err = pcdf_end(ncmpi_inq_dim(*ncid, *dimid - 1, name_, lenp));
    if (!err)
        err = pcdf_text_out(name, name_len, name_);
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_dimname_(const int *ncid, const int *dimid, char *name, size_t name_len)
{
    pcdf_begin();
    char name_[NC_MAX_NAME + 1];
    int err = pcdf_end(ncmpi_inq_dimname(*ncid, *dimid - 1, name_));
    if (!err)
        err = pcdf_text_out(name, name_len, name_);
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_dimlen_(const int *ncid, const int *dimid, MPI_Offset *lenp)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_dimlen(*ncid, *dimid - 1, lenp));
}

PCDF_FORTRAN_API int nfmpi_rename_var_(const int *ncid, const int *varid, const char *name, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_rename_var(*ncid, *varid - 1, name_.text));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_varid_(const int *ncid, const char *name, int *varidp, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_inq_varid(*ncid, name_.text, varidp));
    err = pcdf_text_free(&name_, err);
    if (!err)
        *varidp += 1;
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_varname_(const int *ncid, const int *varid, char *name, size_t name_len)
{
    pcdf_begin();
    char name_[NC_MAX_NAME + 1];
    int err = pcdf_end(ncmpi_inq_varname(*ncid, *varid - 1, name_));
    if (!err)
        err = pcdf_text_out(name, name_len, name_);
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_vartype_(const int *ncid, const int *varid, int *xtypep)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_vartype(*ncid, *varid - 1, xtypep));
}

PCDF_FORTRAN_API int nfmpi_inq_varndims_(const int *ncid, const int *varid, int *ndimsp)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_varndims(*ncid, *varid - 1, ndimsp));
}

PCDF_FORTRAN_API int nfmpi_inq_varnatts_(const int *ncid, const int *varid, int *nattsp)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_varnatts(*ncid, *varid - 1, nattsp));
}

PCDF_FORTRAN_API int nfmpi_inq_varoffset_(const int *ncid, const int *varid, MPI_Offset *offset)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_varoffset(*ncid, *varid - 1, offset));
}

PCDF_FORTRAN_API int nfmpi_set_fill_(const int *ncid, const int *fillmode, int *old_modep)
{
    pcdf_begin();
    return pcdf_end(ncmpi_set_fill(*ncid, *fillmode, old_modep));
}

PCDF_FORTRAN_API int nfmpi_def_var_fill_(const int *ncid, const int *varid, const int *no_fill,
    const void *fill_value)
{
    pcdf_begin();
    return pcdf_end(ncmpi_def_var_fill(*ncid, *varid - 1, *no_fill, fill_value));
}

PCDF_FORTRAN_API int nfmpi_inq_var_fill_(const int *ncid, const int *varid, int *no_fill, void *fill_value)
{
    pcdf_begin();
    return pcdf_end(ncmpi_inq_var_fill(*ncid, *varid - 1, no_fill, fill_value));
}

PCDF_FORTRAN_API int nfmpi_fill_var_rec_(const int *ncid, const int *varid, const MPI_Offset *recno)
{
    pcdf_begin();
    return pcdf_end(ncmpi_fill_var_rec(*ncid, *varid - 1, *recno - 1));
}

PCDF_FORTRAN_API int nfmpi_inq_att_(const int *ncid, const int *varid, const char *name, int *xtypep,
    MPI_Offset *lenp, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_inq_att(*ncid, *varid - 1, name_.text, xtypep, lenp));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_attid_(const int *ncid, const int *varid, const char *name, int *idp,
    size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_inq_attid(*ncid, *varid - 1, name_.text, idp));
    err = pcdf_text_free(&name_, err);
    if (!err)
        *idp += 1;
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_atttype_(const int *ncid, const int *varid, const char *name, int *xtypep,
    size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_inq_atttype(*ncid, *varid - 1, name_.text, xtypep));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_attlen_(const int *ncid, const int *varid, const char *name, MPI_Offset *lenp,
    size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_inq_attlen(*ncid, *varid - 1, name_.text, lenp));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_attname_(const int *ncid, const int *varid, const int *attnum, char *name,
    size_t name_len)
{
    pcdf_begin();
    char name_[NC_MAX_NAME + 1];
    int err = pcdf_end(ncmpi_inq_attname(*ncid, *varid - 1, *attnum - 1, name_));
    if (!err)
        err = pcdf_text_out(name, name_len, name_);
    return err;
}

PCDF_FORTRAN_API int nfmpi_copy_att_(const int *ncid_in, const int *varid_in, const char *name,
    const int *ncid_out, const int *varid_out, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_copy_att(*ncid_in, *varid_in - 1, name_.text, *ncid_out, *varid_out - 1));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_rename_att_(const int *ncid, const int *varid, const char *name,
    const char *newname, size_t name_len, size_t newname_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    struct pcdf_text newname_;
    pcdf_text_in(&newname_, newname, newname_len);
    int err = pcdf_end(ncmpi_rename_att(*ncid, *varid - 1, name_.text, newname_.text));
    err = pcdf_text_free(&name_, err);
    err = pcdf_text_free(&newname_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_del_att_(const int *ncid, const int *varid, const char *name, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_del_att(*ncid, *varid - 1, name_.text));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_att_(const int *ncid, const int *varid, const char *name, const int *xtype,
    const MPI_Offset *len, const void *buf, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_put_att(*ncid, *varid - 1, name_.text, *xtype, *len, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_att_text_(const int *ncid, const int *varid, const char *name,
    const MPI_Offset *len, const char *buf, size_t name_len, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_put_att_text(*ncid, *varid - 1, name_.text, *len, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_att_int1_(const int *ncid, const int *varid, const char *name,
    const int *xtype, const MPI_Offset *len, const signed char *buf, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_put_att_schar(*ncid, *varid - 1, name_.text, *xtype, *len, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_att_int2_(const int *ncid, const int *varid, const char *name,
    const int *xtype, const MPI_Offset *len, const short *buf, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_put_att_short(*ncid, *varid - 1, name_.text, *xtype, *len, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_att_int_(const int *ncid, const int *varid, const char *name,
    const int *xtype, const MPI_Offset *len, const int *buf, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_put_att_int(*ncid, *varid - 1, name_.text, *xtype, *len, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_att_real_(const int *ncid, const int *varid, const char *name,
    const int *xtype, const MPI_Offset *len, const float *buf, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_put_att_float(*ncid, *varid - 1, name_.text, *xtype, *len, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_att_double_(const int *ncid, const int *varid, const char *name,
    const int *xtype, const MPI_Offset *len, const double *buf, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_put_att_double(*ncid, *varid - 1, name_.text, *xtype, *len, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_att_int8_(const int *ncid, const int *varid, const char *name,
    const int *xtype, const MPI_Offset *len, const long long *buf, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_put_att_longlong(*ncid, *varid - 1, name_.text, *xtype, *len, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_att_(const int *ncid, const int *varid, const char *name, void *buf,
    size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_get_att(*ncid, *varid - 1, name_.text, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_att_text_(const int *ncid, const int *varid, const char *name, char *buf,
    size_t name_len, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_get_att_text(*ncid, *varid - 1, name_.text, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_att_int1_(const int *ncid, const int *varid, const char *name,
    signed char *buf, size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_get_att_schar(*ncid, *varid - 1, name_.text, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_att_int2_(const int *ncid, const int *varid, const char *name, short *buf,
    size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_get_att_short(*ncid, *varid - 1, name_.text, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_att_int_(const int *ncid, const int *varid, const char *name, int *buf,
    size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_get_att_int(*ncid, *varid - 1, name_.text, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_att_real_(const int *ncid, const int *varid, const char *name, float *buf,
    size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_get_att_float(*ncid, *varid - 1, name_.text, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_att_double_(const int *ncid, const int *varid, const char *name, double *buf,
    size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_get_att_double(*ncid, *varid - 1, name_.text, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_att_int8_(const int *ncid, const int *varid, const char *name, long long *buf,
    size_t name_len)
{
    pcdf_begin();
    struct pcdf_text name_;
    pcdf_text_in(&name_, name, name_len);
    int err = pcdf_end(ncmpi_get_att_longlong(*ncid, *varid - 1, name_.text, buf));
    err = pcdf_text_free(&name_, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var_text_(const int *ncid, const int *varid, const char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_text(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_put_var_text_all_(const int *ncid, const int *varid, const char *buf,
    size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_text_all(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_put_var_int1_(const int *ncid, const int *varid, const signed char *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_schar(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_put_var_int1_all_(const int *ncid, const int *varid, const signed char *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_schar_all(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_put_var_int2_(const int *ncid, const int *varid, const short *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_short(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_put_var_int2_all_(const int *ncid, const int *varid, const short *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_short_all(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_put_var_int_(const int *ncid, const int *varid, const int *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_int(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_put_var_int_all_(const int *ncid, const int *varid, const int *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_int_all(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_put_var_real_(const int *ncid, const int *varid, const float *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_float(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_put_var_real_all_(const int *ncid, const int *varid, const float *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_float_all(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_put_var_double_(const int *ncid, const int *varid, const double *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_double(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_put_var_double_all_(const int *ncid, const int *varid, const double *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_double_all(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_put_var_int8_(const int *ncid, const int *varid, const long long *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_longlong(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_put_var_int8_all_(const int *ncid, const int *varid, const long long *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_longlong_all(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_put_var1_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_text(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var1_text_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_text_all(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var1_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_schar(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var1_int1_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_schar_all(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var1_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_short(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var1_int2_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_short_all(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var1_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_int(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var1_int_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_int_all(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var1_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_float(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var1_real_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_float_all(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var1_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_double(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var1_double_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_double_all(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var1_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_longlong(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var1_int8_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_longlong_all(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_text(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_text_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_text_all(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_schar(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_int1_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_schar_all(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_short(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_int2_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_short_all(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_int(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_int_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_int_all(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_float(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_real_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_float_all(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_double(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_double_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_double_all(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_longlong(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_int8_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_longlong_all(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_text(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_text_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_text_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_schar(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_int1_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_schar_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_short(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_int2_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_short_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_int(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_int_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_int_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_float(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_real_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_float_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_double(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_double_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_double_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_longlong(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_int8_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_longlong_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const char *buf,
    size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_text(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_text_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const char *buf,
    size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_text_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_schar(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_int1_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_schar_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_short(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_int2_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_short_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_int(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_int_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_int_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_float(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_real_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_float_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_double(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_double_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_double_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap,
        buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_longlong(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_int8_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_longlong_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap,
        buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_text_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_text(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_text_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_text_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_int1_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const signed char *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_schar(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_int1_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const signed char *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_schar_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_int2_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const short *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_short(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_int2_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const short *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_short_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_int_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const int *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_int(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_int_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const int *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_int_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_real_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const float *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_float(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_real_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const float *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_float_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_double_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const double *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_double(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_double_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const double *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_double_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_int8_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const long long *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_longlong(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_int8_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const long long *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_longlong_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var_text_(const int *ncid, const int *varid, char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_text(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_get_var_text_all_(const int *ncid, const int *varid, char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_text_all(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_get_var_int1_(const int *ncid, const int *varid, signed char *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_schar(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_get_var_int1_all_(const int *ncid, const int *varid, signed char *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_schar_all(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_get_var_int2_(const int *ncid, const int *varid, short *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_short(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_get_var_int2_all_(const int *ncid, const int *varid, short *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_short_all(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_get_var_int_(const int *ncid, const int *varid, int *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_int(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_get_var_int_all_(const int *ncid, const int *varid, int *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_int_all(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_get_var_real_(const int *ncid, const int *varid, float *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_float(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_get_var_real_all_(const int *ncid, const int *varid, float *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_float_all(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_get_var_double_(const int *ncid, const int *varid, double *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_double(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_get_var_double_all_(const int *ncid, const int *varid, double *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_double_all(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_get_var_int8_(const int *ncid, const int *varid, long long *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_longlong(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_get_var_int8_all_(const int *ncid, const int *varid, long long *buf)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_longlong_all(*ncid, *varid - 1, buf));
}

PCDF_FORTRAN_API int nfmpi_get_var1_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_text(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var1_text_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_text_all(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var1_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_schar(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var1_int1_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_schar_all(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var1_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_short(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var1_int2_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_short_all(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var1_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_int(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var1_int_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_int_all(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var1_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_float(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var1_real_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_float_all(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var1_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_double(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var1_double_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_double_all(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var1_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_longlong(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var1_int8_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_longlong_all(*ncid, *varid - 1, x.start, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_text(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_text_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_text_all(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_schar(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_int1_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_schar_all(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_short(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_int2_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_short_all(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_int(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_int_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_int_all(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_float(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_real_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_float_all(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_double(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_double_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_double_all(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_longlong(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_int8_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_longlong_all(*ncid, *varid - 1, x.start, x.count, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_text(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_text_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_text_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_schar(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_int1_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_schar_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_short(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_int2_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_short_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_int(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_int_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_int_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_float(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_real_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_float_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_double(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_double_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_double_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_longlong(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_int8_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_longlong_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_text(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_text_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_text_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_schar(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_int1_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, signed char *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_schar_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_short(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_int2_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, short *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_short_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_int(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_int_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, int *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_int_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_float(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_real_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, float *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_float_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_double(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_double_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, double *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_double_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap,
        buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_longlong(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_int8_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, long long *buf)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_longlong_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap,
        buf));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_text_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_text(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_text_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, char *buf, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_text_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_int1_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, signed char *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_schar(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_int1_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, signed char *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_schar_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_int2_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, short *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_short(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_int2_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, short *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_short_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_int_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, int *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_int(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_int_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, int *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_int_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_real_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, float *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_float(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_real_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, float *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_float_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_double_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, double *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_double(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_double_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, double *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_double_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_int8_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, long long *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_longlong(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_int8_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, long long *buf)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_longlong_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var_(const int *ncid, const int *varid, const void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var(*ncid, *varid - 1, buf, *bufcount, MPI_Type_f2c(*buftype)));
}

PCDF_FORTRAN_API int nfmpi_put_var_all_(const int *ncid, const int *varid, const void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_var_all(*ncid, *varid - 1, buf, *bufcount, MPI_Type_f2c(*buftype)));
}

PCDF_FORTRAN_API int nfmpi_put_var1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1(*ncid, *varid - 1, x.start, buf, *bufcount, MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_var1_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_put_var1_all(*ncid, *varid - 1, x.start, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara(*ncid, *varid - 1, x.start, x.count, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vara_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_put_vara_all(*ncid, *varid - 1, x.start, x.count, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars(*ncid, *varid - 1, x.start, x.count, x.stride, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vars_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_put_vars_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varm_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_put_varm_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        *bufcount, MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn(*ncid, *varid - 1, *num, x.starts, x.counts, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_varn_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_put_varn_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var_(const int *ncid, const int *varid, void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var(*ncid, *varid - 1, buf, *bufcount, MPI_Type_f2c(*buftype)));
}

PCDF_FORTRAN_API int nfmpi_get_var_all_(const int *ncid, const int *varid, void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_var_all(*ncid, *varid - 1, buf, *bufcount, MPI_Type_f2c(*buftype)));
}

PCDF_FORTRAN_API int nfmpi_get_var1_(const int *ncid, const int *varid, const MPI_Offset *start, void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1(*ncid, *varid - 1, x.start, buf, *bufcount, MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_var1_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_get_var1_all(*ncid, *varid - 1, x.start, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara(*ncid, *varid - 1, x.start, x.count, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vara_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_get_vara_all(*ncid, *varid - 1, x.start, x.count, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars(*ncid, *varid - 1, x.start, x.count, x.stride, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_vars_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_get_vars_all(*ncid, *varid - 1, x.start, x.count, x.stride, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varm_all_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_get_varm_all(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        *bufcount, MPI_Type_f2c(*buftype)));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn(*ncid, *varid - 1, *num, x.starts, x.counts, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_get_varn_all_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_get_varn_all(*ncid, *varid - 1, *num, x.starts, x.counts, buf, *bufcount,
        MPI_Type_f2c(*buftype)));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_put_vard_(const int *ncid, const int *varid, const MPI_Fint *filetype,
    const void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_vard(*ncid, *varid - 1, MPI_Type_f2c(*filetype), buf, *bufcount,
        MPI_Type_f2c(*buftype)));
}

PCDF_FORTRAN_API int nfmpi_put_vard_all_(const int *ncid, const int *varid, const MPI_Fint *filetype,
    const void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    return pcdf_end(ncmpi_put_vard_all(*ncid, *varid - 1, MPI_Type_f2c(*filetype), buf, *bufcount,
        MPI_Type_f2c(*buftype)));
}

PCDF_FORTRAN_API int nfmpi_get_vard_(const int *ncid, const int *varid, const MPI_Fint *filetype, void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_vard(*ncid, *varid - 1, MPI_Type_f2c(*filetype), buf, *bufcount,
        MPI_Type_f2c(*buftype)));
}

PCDF_FORTRAN_API int nfmpi_get_vard_all_(const int *ncid, const int *varid, const MPI_Fint *filetype,
    void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype)
{
    pcdf_begin();
    return pcdf_end(ncmpi_get_vard_all(*ncid, *varid - 1, MPI_Type_f2c(*filetype), buf, *bufcount,
        MPI_Type_f2c(*buftype)));
}

PCDF_FORTRAN_API int nfmpi_iput_var_text_(const int *ncid, const int *varid, const char *buf, int *reqid,
    size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    return pcdf_end(ncmpi_iput_var_text(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_iput_var_int1_(const int *ncid, const int *varid, const signed char *buf,
    int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_iput_var_schar(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_iput_var_int2_(const int *ncid, const int *varid, const short *buf, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_iput_var_short(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_iput_var_int_(const int *ncid, const int *varid, const int *buf, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_iput_var_int(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_iput_var_real_(const int *ncid, const int *varid, const float *buf, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_iput_var_float(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_iput_var_double_(const int *ncid, const int *varid, const double *buf, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_iput_var_double(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_iput_var_int8_(const int *ncid, const int *varid, const long long *buf,
    int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_iput_var_longlong(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_iput_var1_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const char *buf, int *reqid, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_var1_text(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_var1_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const signed char *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_var1_schar(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_var1_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_var1_short(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_var1_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_var1_int(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_var1_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_var1_float(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_var1_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_var1_double(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_var1_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const long long *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_var1_longlong(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vara_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const char *buf, int *reqid, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_vara_text(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vara_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const signed char *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_vara_schar(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vara_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_vara_short(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vara_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_vara_int(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vara_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_vara_float(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vara_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_vara_double(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vara_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const long long *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_vara_longlong(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vars_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const char *buf, int *reqid, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iput_vars_text(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vars_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const signed char *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iput_vars_schar(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vars_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iput_vars_short(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vars_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iput_vars_int(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vars_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iput_vars_float(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vars_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iput_vars_double(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vars_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const long long *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iput_vars_longlong(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varm_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const char *buf, int *reqid,
    size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iput_varm_text(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varm_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const signed char *buf,
    int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iput_varm_schar(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varm_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iput_varm_short(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varm_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iput_varm_int(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varm_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iput_varm_float(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varm_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iput_varm_double(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varm_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const long long *buf,
    int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iput_varm_longlong(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varn_text_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const char *buf, int *reqid, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iput_varn_text(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varn_int1_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const signed char *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iput_varn_schar(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varn_int2_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iput_varn_short(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varn_int_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iput_varn_int(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varn_real_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iput_varn_float(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varn_double_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iput_varn_double(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varn_int8_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const long long *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iput_varn_longlong(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_var_(const int *ncid, const int *varid, const void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_iput_var(*ncid, *varid - 1, buf, *bufcount, MPI_Type_f2c(*buftype), reqid));
}

PCDF_FORTRAN_API int nfmpi_iput_var1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_var1(*ncid, *varid - 1, x.start, buf, *bufcount, MPI_Type_f2c(*buftype),
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vara_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype,
    int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iput_vara(*ncid, *varid - 1, x.start, x.count, buf, *bufcount,
        MPI_Type_f2c(*buftype), reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_vars_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iput_vars(*ncid, *varid - 1, x.start, x.count, x.stride, buf, *bufcount,
        MPI_Type_f2c(*buftype), reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varm_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iput_varm(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        *bufcount, MPI_Type_f2c(*buftype), reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iput_varn_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iput_varn(*ncid, *varid - 1, *num, x.starts, x.counts, buf, *bufcount,
        MPI_Type_f2c(*buftype), reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_var_text_(const int *ncid, const int *varid, char *buf, int *reqid,
    size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    return pcdf_end(ncmpi_iget_var_text(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_iget_var_int1_(const int *ncid, const int *varid, signed char *buf, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_iget_var_schar(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_iget_var_int2_(const int *ncid, const int *varid, short *buf, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_iget_var_short(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_iget_var_int_(const int *ncid, const int *varid, int *buf, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_iget_var_int(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_iget_var_real_(const int *ncid, const int *varid, float *buf, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_iget_var_float(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_iget_var_double_(const int *ncid, const int *varid, double *buf, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_iget_var_double(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_iget_var_int8_(const int *ncid, const int *varid, long long *buf, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_iget_var_longlong(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_iget_var1_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    char *buf, int *reqid, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_var1_text(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_var1_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    signed char *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_var1_schar(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_var1_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_var1_short(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_var1_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_var1_int(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_var1_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_var1_float(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_var1_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_var1_double(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_var1_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    long long *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_var1_longlong(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vara_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, char *buf, int *reqid, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_vara_text(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vara_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, signed char *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_vara_schar(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vara_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_vara_short(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vara_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_vara_int(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vara_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_vara_float(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vara_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_vara_double(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vara_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, long long *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_vara_longlong(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vars_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, char *buf, int *reqid, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iget_vars_text(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vars_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, signed char *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iget_vars_schar(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vars_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iget_vars_short(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vars_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iget_vars_int(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vars_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iget_vars_float(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vars_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iget_vars_double(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vars_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, long long *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iget_vars_longlong(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varm_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, char *buf, int *reqid,
    size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iget_varm_text(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varm_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, signed char *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iget_varm_schar(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varm_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iget_varm_short(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varm_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iget_varm_int(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varm_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iget_varm_float(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varm_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iget_varm_double(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varm_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, long long *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iget_varm_longlong(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varn_text_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, char *buf, int *reqid, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iget_varn_text(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varn_int1_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, signed char *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iget_varn_schar(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varn_int2_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iget_varn_short(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varn_int_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iget_varn_int(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varn_real_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iget_varn_float(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varn_double_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iget_varn_double(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varn_int8_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, long long *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iget_varn_longlong(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_var_(const int *ncid, const int *varid, void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_iget_var(*ncid, *varid - 1, buf, *bufcount, MPI_Type_f2c(*buftype), reqid));
}

PCDF_FORTRAN_API int nfmpi_iget_var1_(const int *ncid, const int *varid, const MPI_Offset *start, void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_var1(*ncid, *varid - 1, x.start, buf, *bufcount, MPI_Type_f2c(*buftype),
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vara_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_iget_vara(*ncid, *varid - 1, x.start, x.count, buf, *bufcount,
        MPI_Type_f2c(*buftype), reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_vars_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_iget_vars(*ncid, *varid - 1, x.start, x.count, x.stride, buf, *bufcount,
        MPI_Type_f2c(*buftype), reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varm_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_iget_varm(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        *bufcount, MPI_Type_f2c(*buftype), reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_iget_varn_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_iget_varn(*ncid, *varid - 1, *num, x.starts, x.counts, buf, *bufcount,
        MPI_Type_f2c(*buftype), reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_var_text_(const int *ncid, const int *varid, const char *buf, int *reqid,
    size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    return pcdf_end(ncmpi_bput_var_text(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_bput_var_int1_(const int *ncid, const int *varid, const signed char *buf,
    int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_bput_var_schar(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_bput_var_int2_(const int *ncid, const int *varid, const short *buf, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_bput_var_short(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_bput_var_int_(const int *ncid, const int *varid, const int *buf, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_bput_var_int(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_bput_var_real_(const int *ncid, const int *varid, const float *buf, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_bput_var_float(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_bput_var_double_(const int *ncid, const int *varid, const double *buf, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_bput_var_double(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_bput_var_int8_(const int *ncid, const int *varid, const long long *buf,
    int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_bput_var_longlong(*ncid, *varid - 1, buf, reqid));
}

PCDF_FORTRAN_API int nfmpi_bput_var1_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const char *buf, int *reqid, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_var1_text(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_var1_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const signed char *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_var1_schar(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_var1_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_var1_short(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_var1_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_var1_int(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_var1_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_var1_float(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_var1_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_var1_double(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_var1_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const long long *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_var1_longlong(*ncid, *varid - 1, x.start, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vara_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const char *buf, int *reqid, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_vara_text(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vara_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const signed char *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_vara_schar(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vara_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_vara_short(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vara_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_vara_int(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vara_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_vara_float(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vara_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_vara_double(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vara_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const long long *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_vara_longlong(*ncid, *varid - 1, x.start, x.count, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vars_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const char *buf, int *reqid, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_bput_vars_text(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vars_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const signed char *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_bput_vars_schar(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vars_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_bput_vars_short(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vars_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_bput_vars_int(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vars_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_bput_vars_float(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vars_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_bput_vars_double(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vars_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const long long *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_bput_vars_longlong(*ncid, *varid - 1, x.start, x.count, x.stride, buf, reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varm_text_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const char *buf, int *reqid,
    size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_bput_varm_text(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varm_int1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const signed char *buf,
    int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_bput_varm_schar(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varm_int2_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_bput_varm_short(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varm_int_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_bput_varm_int(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varm_real_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_bput_varm_float(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varm_double_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_bput_varm_double(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varm_int8_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const long long *buf,
    int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_bput_varm_longlong(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varn_text_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const char *buf, int *reqid, size_t buf_len __attribute__((unused)))
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_bput_varn_text(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varn_int1_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const signed char *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_bput_varn_schar(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varn_int2_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const short *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_bput_varn_short(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varn_int_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const int *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_bput_varn_int(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varn_real_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const float *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_bput_varn_float(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varn_double_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const double *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_bput_varn_double(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varn_int8_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const long long *buf, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_bput_varn_longlong(*ncid, *varid - 1, *num, x.starts, x.counts, buf, reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_var_(const int *ncid, const int *varid, const void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_bput_var(*ncid, *varid - 1, buf, *bufcount, MPI_Type_f2c(*buftype), reqid));
}

PCDF_FORTRAN_API int nfmpi_bput_var1_(const int *ncid, const int *varid, const MPI_Offset *start,
    const void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, NULL, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_var1(*ncid, *varid - 1, x.start, buf, *bufcount, MPI_Type_f2c(*buftype),
        reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vara_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const void *buf, const MPI_Offset *bufcount, const MPI_Fint *buftype,
    int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, NULL, NULL);
    int err = pcdf_end(ncmpi_bput_vara(*ncid, *varid - 1, x.start, x.count, buf, *bufcount,
        MPI_Type_f2c(*buftype), reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_vars_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, NULL);
    int err = pcdf_end(ncmpi_bput_vars(*ncid, *varid - 1, x.start, x.count, x.stride, buf, *bufcount,
        MPI_Type_f2c(*buftype), reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varm_(const int *ncid, const int *varid, const MPI_Offset *start,
    const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const void *buf,
    const MPI_Offset *bufcount, const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    struct pcdf_index x;
    pcdf_index_make(&x, *ncid, *varid - 1, start, count, stride, imap);
    int err = pcdf_end(ncmpi_bput_varm(*ncid, *varid - 1, x.start, x.count, x.stride, x.imap, buf,
        *bufcount, MPI_Type_f2c(*buftype), reqid));
    err = pcdf_index_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_bput_varn_(const int *ncid, const int *varid, const int *num,
    const MPI_Offset *starts, const MPI_Offset *counts, const void *buf, const MPI_Offset *bufcount,
    const MPI_Fint *buftype, int *reqid)
{
    pcdf_begin();
    struct pcdf_indexes x;
    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);
    int err = pcdf_end(ncmpi_bput_varn(*ncid, *varid - 1, *num, x.starts, x.counts, buf, *bufcount,
        MPI_Type_f2c(*buftype), reqid));
    err = pcdf_indexes_free(&x, err);
    return err;
}

PCDF_FORTRAN_API int nfmpi_wait_(const int *ncid, const int *count, int *array_of_requests,
    int *array_of_statuses)
{
    pcdf_begin();
    return pcdf_end(ncmpi_wait(*ncid, *count, array_of_requests, array_of_statuses));
}

PCDF_FORTRAN_API int nfmpi_wait_all_(const int *ncid, const int *count, int *array_of_requests,
    int *array_of_statuses)
{
    pcdf_begin();
    return pcdf_end(ncmpi_wait_all(*ncid, *count, array_of_requests, array_of_statuses));
}

PCDF_FORTRAN_API int nfmpi_cancel_(const int *ncid, const int *num, int *reqs, int *statuses)
{
    pcdf_begin();
    return pcdf_end(ncmpi_cancel(*ncid, *num, reqs, statuses));
}

PCDF_FORTRAN_API int nfmpi_buffer_attach_(const int *ncid, const MPI_Offset *bufsize)
{
    pcdf_begin();
    return pcdf_end(ncmpi_buffer_attach(*ncid, *bufsize));
}

PCDF_FORTRAN_API int nfmpi_buffer_detach_(const int *ncid)
{
    pcdf_begin();
    return pcdf_end(ncmpi_buffer_detach(*ncid));
}

PCDF_FORTRAN_API int nfmpi_def_var_quantize_(const int *ncid, const int *varid, const int *quantize_mode,
    const int *nsd)
{
    pcdf_begin();
    return pcdf_end(parcdf_def_var_quantize(*ncid, *varid - 1, *quantize_mode, *nsd));
}

PCDF_FORTRAN_API int nfmpi_inq_var_quantize_(const int *ncid, const int *varid, int *quantize_modep,
    int *nsdp)
{
    pcdf_begin();
    return pcdf_end(parcdf_inq_var_quantize(*ncid, *varid - 1, quantize_modep, nsdp));
}

PCDF_FORTRAN_API int nfmpi_def_var_deflate_(const int *ncid, const int *varid, const int *shuffle,
    const int *deflate, const int *deflate_level)
{
    pcdf_begin();
    return pcdf_end(parcdf_def_var_deflate(*ncid, *varid - 1, *shuffle, *deflate, *deflate_level));
}

PCDF_FORTRAN_API int nfmpi_inq_var_deflate_(const int *ncid, const int *varid, int *shufflep, int *deflatep,
    int *deflate_levelp)
{
    pcdf_begin();
    return pcdf_end(parcdf_inq_var_deflate(*ncid, *varid - 1, shufflep, deflatep, deflate_levelp));
}

PCDF_FORTRAN_API int nfmpi_def_var_zstd_(const int *ncid, const int *varid, const int *level)
{
    pcdf_begin();
    return pcdf_end(parcdf_def_var_zstd(*ncid, *varid - 1, *level));
}

PCDF_FORTRAN_API int nfmpi_inq_var_zstd_(const int *ncid, const int *varid, int *zstdp, int *levelp)
{
    pcdf_begin();
    return pcdf_end(parcdf_inq_var_zstd(*ncid, *varid - 1, zstdp, levelp));
}

PCDF_FORTRAN_API int nfmpi_def_var_szip_(const int *ncid, const int *varid, const int *options_mask,
    const int *pixels_per_block)
{
    pcdf_begin();
    return pcdf_end(parcdf_def_var_szip(*ncid, *varid - 1, *options_mask, *pixels_per_block));
}

PCDF_FORTRAN_API int nfmpi_inq_var_szip_(const int *ncid, const int *varid, int *options_maskp,
    int *pixels_per_blockp)
{
    pcdf_begin();
    return pcdf_end(parcdf_inq_var_szip(*ncid, *varid - 1, options_maskp, pixels_per_blockp));
}

PCDF_FORTRAN_API int nfmpi_def_var_fletcher32_(const int *ncid, const int *varid, const int *fletcher32)
{
    pcdf_begin();
    return pcdf_end(parcdf_def_var_fletcher32(*ncid, *varid - 1, *fletcher32));
}

PCDF_FORTRAN_API int nfmpi_inq_var_fletcher32_(const int *ncid, const int *varid, int *fletcher32p)
{
    pcdf_begin();
    return pcdf_end(parcdf_inq_var_fletcher32(*ncid, *varid - 1, fletcher32p));
}
