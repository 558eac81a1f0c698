/* Fixes: every error code that PnetCDF can return for a classic file (Y, and the one of its burst buffer, in
 * reference 2.1) comes from one of our functions, on every rank; the few that cannot are listed with the
 * reason. Conditions are real where a test can make them; the fault engine stands for a full or broken disk.
 * The codes for ranks that differ need two. */

#include <sys/stat.h>
#include "codecalls.h"

static bool odd; /* this rank is the one that differs */

/* ---- files */

static int create(int cmode, const char *hint, const char *value, int *ncid)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, hint, value);
    int err = ncmpi_create(MPI_COMM_WORLD, my_path, cmode, info, ncid);
    MPI_Info_free(&info);
    return err;
}

/* Opens a file of these bytes. */
static int open_bytes(const void *bytes, size_t n, int omode)
{
    int ncid = -1;
    FILE *file = my_rank == 0 ? fopen(my_path, "wb") : NULL;
    if (my_rank == 0)
        CHECK(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0, "%s cannot be written", my_path);
    MPI_Barrier(MPI_COMM_WORLD);
    int err = ncmpi_open(MPI_COMM_WORLD, my_path, omode, MPI_INFO_NULL, &ncid);
    CHECK_INT(ncid, -1);
    return err;
}

/* A CDF-5 header with a list of 2^31 elements: 10 dimensions, 12 attributes, 11 variables. */
static int open_list(int tag)
{
    unsigned char header[80] = { 'C', 'D', 'F', 5 };
    int at = tag == 10 ? 12 : tag == 12 ? 24 : 36;
    header[at + 3] = (unsigned char)tag;
    header[at + 8] = 0x80;
    return open_bytes(header, sizeof header, NC_NOWRITE);
}
static int e_maxdims(int ncid)
{
    (void)ncid;
    return open_list(10);
}
static int e_maxatts(int ncid)
{
    (void)ncid;
    return open_list(12);
}
static int e_maxvars(int ncid)
{
    (void)ncid;
    return open_list(11);
}
static int e_notnc(int ncid)
{
    (void)ncid;
    return open_bytes("this is text", 12, NC_NOWRITE);
}
static int e_notbuilt(int ncid) /* the plug-in is not there */
{
    (void)ncid;
    setenv("PARCDF_PLUGINS", "/nowhere", 1);
    int err = open_bytes("\211HDF\r\n\032\n", 8, NC_NOWRITE);
    unsetenv("PARCDF_PLUGINS");
    return err;
}
static int e_strictnc3(int ncid)
{
    int made, varid;
    (void)ncid;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_NETCDF4 | NC_CLASSIC_MODEL, MPI_INFO_NULL, &made),
             NC_NOERR);
    int err = ncmpi_def_var(made, "v", NC_INT64, 0, NULL, &varid);
    CHECK_NC(ncmpi_abort(made), NC_NOERR);
    return err;
}
static int e_file(int ncid)
{
    (void)ncid;
    return open_bytes("CDF", 3, NC_NOWRITE);
}
static int e_inval_omode(int ncid)
{
    (void)ncid;
    return open_bytes("CDF", 3, NC_DISKLESS);
}
static int e_inval_cmode(int ncid)
{
    return ncmpi_create(MPI_COMM_WORLD, my_path, NC_64BIT_OFFSET | NC_64BIT_DATA, MPI_INFO_NULL, &ncid);
}
static int e_exist(int ncid)
{
    return ncmpi_create(MPI_COMM_WORLD, my_path, NC_NOCLOBBER, MPI_INFO_NULL, &ncid);
}
static int e_noent(int ncid)
{
    return ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid);
}
static int e_bad_file(int ncid)
{
    return ncmpi_create(MPI_COMM_WORLD, long_name, NC_CLOBBER, MPI_INFO_NULL, &ncid);
}
static int e_driver(int ncid)
{
    return create(NC_CLOBBER, "pcdf_engine", "none of them", &ncid);
}
static int e_notenabled(int ncid)
{
    (void)ncid;
    return ncmpi_inq_malloc_list();
}
/* Root may read all files, so it becomes somebody else. */
static int e_access(int ncid)
{
    bool is_root = geteuid() == 0;
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    if (my_rank == 0)
        CHECK(chmod(my_path, 0) == 0, "chmod fails");
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_root)
        CHECK(seteuid(65534) == 0, "seteuid fails");
    int err = ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid);
    if (is_root)
        CHECK(seteuid(0) == 0, "seteuid fails");
    return err;
}
static int e_nfile(int ncid)
{
    enum { MOST = NC_MAX_NFILES + 1 };
    static int ids[MOST];
    int err = NC_NOERR, n = 0;
    MPI_Info info;
    (void)ncid;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", "null");
    while (n < MOST && !err)
        err = ncmpi_create(MPI_COMM_SELF, "nothing", NC_CLOBBER, info, &ids[n++]);
    CHECK_INT(n, MOST);
    while (--n > 0)
        CHECK_NC(ncmpi_close(ids[n - 1]), NC_NOERR);
    MPI_Info_free(&info);
    return err;
}

/* A session on storage that fails as ordered; what fails lasts until close, and close says it, too, of puts.
 */
static int broken(const char *order, bool in_get)
{
    int ncid = -1, d = -1, err = create(NC_CLOBBER, "pcdf_fault", order, &ncid);
    MPI_Offset start = 0, count = 8, stride = 2; /* pieces; the first write is the header */
    first(&err, ncmpi_def_dim(ncid, "x", 16, &d));
    first(&err, ncmpi_def_var(ncid, "v", NC_INT, 1, &d, NULL));
    first(&err, ncmpi_enddef(ncid));
    CHECK_NC(err, NC_NOERR);
    first(&err, ncmpi_put_vars_int_all(ncid, 0, &start, &count, &stride, room));
    if (together_queues(ncid)) /* the put says nothing yet */
        first(&err, parcdf_wait(my_path));
    if (in_get)
        first(&err, ncmpi_get_vars_int_all(ncid, 0, &start, &count, &stride, room));
    CHECK_NC(ncmpi_close(ncid), in_get ? NC_NOERR : err);
    return err;
}
static int e_read(int ncid)
{
    (void)ncid;
    return broken("read:1+@*", true);
}
static int e_write(int ncid)
{
    (void)ncid;
    return broken("write:2+@*", false);
}
static int e_no_space(int ncid)
{
    (void)ncid;
    return broken("write:2+@*=NC_ENO_SPACE", false);
}
static int e_quota(int ncid)
{
    (void)ncid;
    return broken("write:2+@*=NC_EQUOTA", false);
}
/* A communicator that does not work, where MPI lets the program live. */
static int e_mpi(int ncid)
{
    MPI_Errhandler world, self;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &world);
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &self);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int err = ncmpi_create(MPI_COMM_NULL, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, world);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, self);
    MPI_Errhandler_free(&world);
    MPI_Errhandler_free(&self);
    return err;
}

/* ---- ranks that differ */

static int m_dim_size(int ncid)
{
    return ncmpi_def_dim(ncid, "z", odd ? 5 : 4, NULL);
}
static int m_dim_name(int ncid)
{
    return ncmpi_def_dim(ncid, odd ? "z" : "u", 4, NULL);
}
static int m_var_name(int ncid)
{
    return ncmpi_def_var(ncid, odd ? "w" : "u", NC_INT, 0, NULL, NULL);
}
static int m_var_ndims(int ncid)
{
    return def_var(ncid, NC_INT, odd ? 2 : 1, 1, 2);
}
static int m_var_dimids(int ncid)
{
    return def_var(ncid, NC_INT, 1, odd ? 2 : 1, 0);
}
static int m_var_type(int ncid)
{
    return def_var(ncid, odd ? NC_FLOAT : NC_INT, 1, 1, 0);
}
static int put_att(int ncid, const char *name, nc_type type, int n, int value)
{
    return ncmpi_put_att_int(ncid, FIXED, name, type, n, (int[]){ 1, value });
}
static int m_attr_name(int ncid)
{
    return put_att(ncid, odd ? "a" : "b", NC_INT, 2, 2);
}
static int m_attr_type(int ncid)
{
    return put_att(ncid, "a", odd ? NC_INT : NC_SHORT, 2, 2);
}
static int m_attr_len(int ncid)
{
    return put_att(ncid, "a", NC_INT, odd ? 2 : 1, 2);
}
static int m_attr_val(int ncid)
{
    return put_att(ncid, "a", NC_INT, 2, odd ? 2 : 3);
}
static int m_fnc_args(int ncid)
{
    return ncmpi_rename_dim(ncid, odd ? 1 : 2, "z");
}
static int m_fill_mode(int ncid)
{
    return ncmpi_set_fill(ncid, odd ? NC_FILL : NC_NOFILL, NULL);
}
static int m_var_fill_value(int ncid)
{
    return ncmpi_def_var_fill(ncid, FIXED, 0, odd ? &(int){ 7 } : &(int){ 8 });
}
static int with_safe_mode(int (*call)(int), int ncid)
{
    setenv("PNETCDF_SAFE_MODE", "1", 1);
    int err = call(ncid);
    unsetenv("PNETCDF_SAFE_MODE");
    return err;
}
static int create_unlike(int ncid)
{
    int err = ncmpi_create(MPI_COMM_WORLD, my_path, odd ? NC_64BIT_DATA : 0, MPI_INFO_NULL, &ncid);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR); /* it is open all the same */
    return err;
}
static int m_cmode(int ncid)
{
    return with_safe_mode(create_unlike, ncid);
}
static int open_unlike(int ncid)
{
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    int err = ncmpi_open(MPI_COMM_WORLD, my_path, odd ? NC_WRITE : NC_NOWRITE, MPI_INFO_NULL, &ncid);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    return err;
}
static int m_omode(int ncid)
{
    return with_safe_mode(open_unlike, ncid);
}
static int create_hints(int ncid)
{
    return create(NC_CLOBBER, "nc_var_align_size", odd ? "4" : "8", &ncid);
}
static int m_hints(int ncid)
{
    return with_safe_mode(create_hints, ncid);
}
static int m_any(int ncid)
{
    int err = create(NC_CLOBBER, "pcdf_debug_consistency", "error", &ncid);
    first(&err, ncmpi_def_dim(ncid, odd ? "x" : "y", 4, NULL));
    first(&err, ncmpi_enddef(ncid));
    CHECK_NC(ncmpi_abort(ncid), NC_NOERR);
    return err;
}

/* ---- the table */

/* The codes that reference 2.1 marks as returned for classic files, each with the function that produces it,
 * or why none can (doc/differences.md says it to users). */
static const struct row {
    int code;
    enum state state;
    int (*provoke)(int ncid);
    const char *why_not;
} rows[] = {
#include "everycode.def"
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static int make_file(enum state state)
{
    int ncid = -1, d[3];
    if (state == NONE)
        return ncid;
    if (state == SAFE)
        setenv("PNETCDF_SAFE_MODE", "1", 1);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    unsetenv("PNETCDF_SAFE_MODE");
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", 4, &d[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "y", 3, &d[2]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "fixed", NC_INT, 2, d + 1, NULL), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "record", NC_SHORT, 1, d, NULL), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "letters", NC_CHAR, 1, d + 1, NULL), NC_NOERR);
    if (state != DEFINE && state != SAFE)
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    if (state == INDEP)
        CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    if (state == READ) {
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    }
    return ncid;
}

static void produce(const struct row *row)
{
    int ncid = make_file(row->state), err = row->provoke(ncid), files = -1;
    CHECK(err == row->code, "rank %d: %s, not %s", my_rank, ncmpi_strerrno(err), ncmpi_strerrno(row->code));
    CHECK_NC(ncmpi_inq_files_opened(&files, NULL), NC_NOERR);
    if (files > 0)
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(my_path);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "every_code", 110);
    odd = my_rank == my_size - 1;
    memset(long_name, 'x', sizeof long_name - 1);
    for (int i = 0; i < ROWS; i++) {
        bool differ = rows[i].code <= NC_EMULTIDEFINE && rows[i].code >= NC_EMULTIDEFINE_HINTS;
        for (int j = 0; j < i; j++)
            CHECK(rows[j].code != rows[i].code, "%s stands twice in the table", ncmpi_strerrno(rows[i].code));
        CHECK(!rows[i].provoke == !!rows[i].why_not, "%s: neither produced nor explained",
              ncmpi_strerrno(rows[i].code));
        if (rows[i].provoke && (my_size > 1 || !differ))
            produce(&rows[i]);
    }
    return together_end("every_code");
}
