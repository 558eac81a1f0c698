#ifndef CODECALLS_H
#define CODECALLS_H
/* Calls on one open file that fail, each with a code of its own: for every_code.c. */

#include "together.h"
#include "alloc.h"

enum state {
    NONE,
    DEFINE,
    DATA,
    INDEP,
    READ,
    SAFE
};                               /* what a function is given: no file; SAFE: in define mode */
enum { FIXED, RECORD, LETTERS }; /* the variables: int 4 x 3, short records, char 4 */

static int room[64];
static MPI_Offset zero[2] = { 0, 0 }, one[2] = { 1, 1 }, far_away[2] = { 9, 0 }, negative[2] = { -1, 1 };
static char long_name[400];

static void first(int *status, int err)
{
    if (*status == NC_NOERR)
        *status = err;
}

/* ---- define mode */

static int e_ncid(int ncid)
{
    return ncmpi_redef(ncid + 1000);
}
static int e_enotindefine(int ncid)
{
    return ncmpi_def_dim(ncid, "z", 1, NULL);
}
static int e_nameinuse(int ncid)
{
    return ncmpi_def_dim(ncid, "x", 1, NULL);
}
static int e_maxname(int ncid)
{
    return ncmpi_def_dim(ncid, long_name, 1, NULL);
}
static int e_badname(int ncid)
{
    return ncmpi_def_dim(ncid, "a/b", 1, NULL);
}
static int e_unlimit(int ncid)
{
    return ncmpi_def_dim(ncid, "z", NC_UNLIMITED, NULL);
}
static int e_dimsize(int ncid)
{
    return ncmpi_def_dim(ncid, "z", 1LL << 31, NULL);
}
static int e_nomem(int ncid)
{
    static char text[1 << 20]; /* more than there is at hand */
    pcdf_alloc_fail_at(1, 1);
    int err = ncmpi_put_att_text(ncid, NC_GLOBAL, "z", sizeof text, text);
    pcdf_alloc_fail_at(0, 0);
    return err;
}
static int def_var(int ncid, nc_type type, int ndims, int d0, int d1)
{
    int d[2] = { d0, d1 };
    return ncmpi_def_var(ncid, "w", type, ndims, d, NULL);
}
static int e_inval(int ncid)
{
    return def_var(ncid, NC_INT, -1, 0, 0);
}
static int e_badtype(int ncid)
{
    return def_var(ncid, NC_STRING, 1, 1, 0);
}
static int e_strictcdf2(int ncid)
{
    return def_var(ncid, NC_UINT64, 1, 1, 0);
}
static int e_baddim(int ncid)
{
    return def_var(ncid, NC_INT, 1, 9, 0);
}
static int e_unlimpos(int ncid)
{
    return def_var(ncid, NC_INT, 2, 1, 0);
}
static int e_varsize(int ncid)
{
    int d = -1, err = ncmpi_def_dim(ncid, "large", (1LL << 31) - 1, &d);
    first(&err, ncmpi_def_var(ncid, "large", NC_DOUBLE, 1, &d, NULL));
    first(&err, ncmpi_enddef(ncid));
    (void)ncmpi_abort(ncid);
    return err;
}
static int e_notatt(int ncid)
{
    return ncmpi_del_att(ncid, FIXED, "none");
}
static int e_latefill(int ncid)
{
    int err = ncmpi_redef(ncid);
    first(&err, ncmpi_def_var_fill(ncid, FIXED, 0, &(int){ 1 }));
    return err;
}
static int e_indefine(int ncid)
{
    return ncmpi_sync(ncid);
}

/* ---- data */

static int e_perm(int ncid)
{
    return ncmpi_redef(ncid);
}
static int e_notindep(int ncid)
{
    return ncmpi_get_var_int(ncid, FIXED, room);
}
static int e_indep(int ncid)
{
    return ncmpi_get_var_int_all(ncid, FIXED, room);
}
static int e_notvar(int ncid)
{
    return ncmpi_get_var_int_all(ncid, 9, room);
}
static int e_global(int ncid)
{
    return ncmpi_get_var_int_all(ncid, NC_GLOBAL, room);
}
static int e_char(int ncid)
{
    return ncmpi_get_var_int_all(ncid, LETTERS, room);
}
static int e_invalcoords(int ncid)
{
    return ncmpi_get_var1_int_all(ncid, FIXED, far_away, room);
}
static int e_edge(int ncid)
{
    return ncmpi_get_vara_int_all(ncid, FIXED, zero, far_away, room);
}
static int e_negativecnt(int ncid)
{
    return ncmpi_get_vara_int_all(ncid, FIXED, zero, negative, room);
}
static int e_stride(int ncid)
{
    return ncmpi_get_vars_int_all(ncid, FIXED, zero, one, zero, room);
}
static int e_range(int ncid)
{
    return ncmpi_put_var1_int_all(ncid, RECORD, zero, &(int){ 100000 });
}
static int e_intoverflow(int ncid)
{
    MPI_Offset last = (1LL << 31) - 1;
    return ncmpi_put_var1_int_all(ncid, RECORD, &last, room);
}
static int e_nullstart(int ncid)
{
    return ncmpi_get_varn_int_all(ncid, FIXED, 1, NULL, NULL, room);
}
static int e_iomismatch(int ncid)
{
    return ncmpi_get_var1_all(ncid, FIXED, zero, room, 2, MPI_INT);
}
static int e_unsptetype(int ncid)
{
    return ncmpi_get_var1_all(ncid, FIXED, zero, room, 1, MPI_LONG_DOUBLE);
}
static int e_multitypes(int ncid)
{
    MPI_Datatype both[2] = { MPI_INT, MPI_DOUBLE }, type;
    int lengths[2] = { 1, 1 };
    MPI_Aint at[2] = { 0, 8 };
    MPI_Type_create_struct(2, lengths, at, both, &type);
    MPI_Type_commit(&type);
    int err = ncmpi_get_var1_all(ncid, FIXED, zero, room, 1, type);
    MPI_Type_free(&type);
    return err;
}
static int e_notsupport(int ncid)
{
    return ncmpi_get_vard_all(ncid, FIXED, MPI_INT, room, 1, MPI_INT);
}
static int e_notrecvar(int ncid)
{
    return ncmpi_fill_var_rec(ncid, FIXED, 0);
}
static int e_notfill(int ncid)
{
    return ncmpi_fill_var_rec(ncid, RECORD, 0);
}

/* ---- posted requests */

static int e_invalrequest(int ncid)
{
    return ncmpi_wait_all(ncid, 1, (int[]){ 4000 }, room);
}
static int e_nullbuf(int ncid)
{
    return ncmpi_buffer_attach(ncid, 0);
}
static int e_prevattach(int ncid)
{
    int err = ncmpi_buffer_attach(ncid, 8);
    first(&err, ncmpi_buffer_attach(ncid, 8));
    return err;
}
static int e_nullabuf(int ncid)
{
    return ncmpi_buffer_detach(ncid);
}
static int e_insuffbuf(int ncid)
{
    int err = ncmpi_buffer_attach(ncid, 8);
    first(&err, ncmpi_bput_var_int(ncid, FIXED, room, NULL));
    return err;
}
static int e_pendingbput(int ncid)
{
    int err = ncmpi_buffer_attach(ncid, 8), id = NC_REQ_NULL;
    first(&err, ncmpi_bput_var1_int(ncid, FIXED, zero, room, &id));
    first(&err, ncmpi_buffer_detach(ncid));
    CHECK_NC(ncmpi_wait_all(ncid, 1, &id, NULL), NC_NOERR);
    return err;
}
static int e_pending(int ncid)
{
    int err = ncmpi_iput_var_int(ncid, FIXED, room, NULL);
    first(&err, ncmpi_close(ncid));
    return err;
}
#endif
