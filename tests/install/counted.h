#ifndef COUNTED_H
#define COUNTED_H
/* The public functions whose calls are counted: name, parameters, arguments. CMakeLists.txt reads the names
 * from here. */
#include <pnetcdf.h>

#define COUNTED_START_COUNT const MPI_Offset *start, const MPI_Offset *count
/* clang-format off */
#define COUNTED(X) \
    X(ncmpi_create, (MPI_Comm comm, const char *path, int cmode, MPI_Info info, int *ncidp), (comm, path, cmode, info, ncidp)) \
    X(ncmpi_open, (MPI_Comm comm, const char *path, int omode, MPI_Info info, int *ncidp), (comm, path, omode, info, ncidp)) \
    X(ncmpi_enddef, (int ncid), (ncid)) \
    X(ncmpi_redef, (int ncid), (ncid)) \
    X(ncmpi__enddef, (int ncid, MPI_Offset h, MPI_Offset va, MPI_Offset vm, MPI_Offset ra), (ncid, h, va, vm, ra)) \
    X(ncmpi_sync, (int ncid), (ncid)) \
    X(ncmpi_sync_numrecs, (int ncid), (ncid)) \
    X(ncmpi_begin_indep_data, (int ncid), (ncid)) \
    X(ncmpi_end_indep_data, (int ncid), (ncid)) \
    X(ncmpi_close, (int ncid), (ncid)) \
    X(ncmpi_def_dim, (int ncid, const char *name, MPI_Offset len, int *idp), (ncid, name, len, idp)) \
    X(ncmpi_def_var, (int ncid, const char *name, nc_type t, int n, const int *dimids, int *idp), (ncid, name, t, n, dimids, idp)) \
    X(ncmpi_inq, (int ncid, int *a, int *b, int *c, int *d), (ncid, a, b, c, d)) \
    X(ncmpi_inq_ndims, (int ncid, int *n), (ncid, n)) \
    X(ncmpi_inq_nvars, (int ncid, int *n), (ncid, n)) \
    X(ncmpi_inq_natts, (int ncid, int *n), (ncid, n)) \
    X(ncmpi_inq_dim, (int ncid, int dimid, char *name, MPI_Offset *len), (ncid, dimid, name, len)) \
    X(ncmpi_inq_dimlen, (int ncid, int dimid, MPI_Offset *len), (ncid, dimid, len)) \
    X(ncmpi_inq_var, (int ncid, int varid, char *name, nc_type *t, int *n, int *dimids, int *natts), (ncid, varid, name, t, n, dimids, natts)) \
    X(ncmpi_inq_varnatts, (int ncid, int varid, int *n), (ncid, varid, n)) \
    X(ncmpi_inq_att, (int ncid, int varid, const char *name, nc_type *t, MPI_Offset *len), (ncid, varid, name, t, len)) \
    X(ncmpi_inq_attlen, (int ncid, int varid, const char *name, MPI_Offset *len), (ncid, varid, name, len)) \
    X(ncmpi_put_att, (int ncid, int varid, const char *name, nc_type t, MPI_Offset n, const void *buf), (ncid, varid, name, t, n, buf)) \
    X(ncmpi_put_att_int, (int ncid, int varid, const char *name, nc_type t, MPI_Offset n, const int *buf), (ncid, varid, name, t, n, buf)) \
    X(ncmpi_put_var_int_all, (int ncid, int varid, const int *buf), (ncid, varid, buf)) \
    X(ncmpi_put_vara_int, (int ncid, int varid, COUNTED_START_COUNT, const int *buf), (ncid, varid, start, count, buf)) \
    X(ncmpi_put_vara_int_all, (int ncid, int varid, COUNTED_START_COUNT, const int *buf), (ncid, varid, start, count, buf)) \
    X(ncmpi_put_vara_all, (int ncid, int varid, COUNTED_START_COUNT, const void *buf, MPI_Offset n, MPI_Datatype t), (ncid, varid, start, count, buf, n, t)) \
    X(ncmpi_get_vara_int_all, (int ncid, int varid, COUNTED_START_COUNT, int *buf), (ncid, varid, start, count, buf)) \
    X(ncmpi_put_varn_int_all, (int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset *const *counts, const int *buf), (ncid, varid, num, starts, counts, buf)) \
    X(ncmpi_mput_vara_int_all, (int ncid, int num, int *varids, MPI_Offset *const *starts, MPI_Offset *const *counts, int *const *bufs), (ncid, num, varids, starts, counts, bufs)) \
    X(ncmpi_iput_vara_int, (int ncid, int varid, COUNTED_START_COUNT, const int *buf, int *req), (ncid, varid, start, count, buf, req)) \
    X(ncmpi_iget_vara_int, (int ncid, int varid, COUNTED_START_COUNT, int *buf, int *req), (ncid, varid, start, count, buf, req)) \
    X(ncmpi_bput_vara_int, (int ncid, int varid, COUNTED_START_COUNT, const int *buf, int *req), (ncid, varid, start, count, buf, req)) \
    X(ncmpi_wait, (int ncid, int n, int *reqs, int *statuses), (ncid, n, reqs, statuses)) \
    X(ncmpi_wait_all, (int ncid, int n, int *reqs, int *statuses), (ncid, n, reqs, statuses)) \
    X(ncmpi_buffer_attach, (int ncid, MPI_Offset size), (ncid, size)) \
    X(ncmpi_buffer_detach, (int ncid), (ncid)) \
    X(ncmpi_fill_var_rec, (int ncid, int varid, MPI_Offset record), (ncid, varid, record))
/* clang-format on */

#define COUNTED_INDEX(name, params, args) AT_##name,
enum { COUNTED(COUNTED_INDEX) COUNTED_FUNCTIONS };

/* How often each was called; defined by counted_calls.c, which the program finds by its name. */
const int *counted_calls(void);
#endif
