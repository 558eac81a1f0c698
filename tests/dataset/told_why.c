/* Fixes what parcdf_last_error says when a program meets what many meet: a path that leads to something else
 * than a netCDF classic file, and a call in the wrong mode. The sentence names what it is and the way out, on
 * every rank, and the code stays what it was. Runs on any number of ranks. */

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <parcdf.h>
#include <string.h>
#include <sys/stat.h>
#include "together.h"

static void told(const char *what, int err, int want, const char *words, const char *way)
{
    const char *text = parcdf_last_error();
    CHECK(err == want, "rank %d: %s is %s, not %s", my_rank, what, ncmpi_strerrno(err), ncmpi_strerrno(want));
    CHECK(strstr(text, words) && strstr(text, way), "rank %d: %s: \"%s\" has not \"%s\" and \"%s\"", my_rank,
          what, text, words, way);
}

/* ---- paths */

struct row {
    const char *name, *bytes; /* NULL: nothing is made */
    size_t at, n; /* where the bytes begin, after zeros; 0 of n: a folder with a file of that name */
    int code;
    const char *words, *way;
};
#define BYTES(text) text, 0, sizeof text - 1
/* Codes of what is opened to be read, but not to be written to: damaged here, or without its plug-in, so that
 * reading fails, too; and of what is not looked for, to be read, in this test. */
enum { OTHER = 1, FAR, WRITTEN }; /* WRITTEN: as OTHER, but one that is whole could be written to */
#define HDF5 "\x89HDF\r\n\x1a\n          "

static const struct row rows[] = {
    { "four.nc", BYTES(HDF5), WRITTEN, "four.nc", "" },
    { "user.nc", HDF5, 2048, sizeof HDF5 - 1, WRITTEN, "user.nc", "" },
    { "old.hdf", BYTES("\x0e\x03\x13\x01         "), OTHER, "is an HDF4 file", "`parcdf copy" },
    { "a.zip", BYTES("PK\3\4          "), NC_ENOTNC, "is a zip archive", "`unzip " },
    { "a.nc.gz", BYTES("\x1f\x8b\x08          "), NC_ENOTNC, "compressed with gzip", "`gunzip -k " },
    { "t.cdl", BYTES("netcdf x { dimensions: x = 3; }"), NC_ENOTNC, "is CDL text", "`parcdf gen -o out.nc " },
    { "t.txt", BYTES("nothing of this kind"), NC_ENOTNC, "is text", "" },
    { "empty.nc", BYTES(""), NC_EFILE, "is empty", "" },
    { "bin.nc", BYTES("\1\2\3\4\5\6\7\10\11\12"), NC_ENOTNC, "does not begin with CDF", "offset 0" },
    { "store.zarr", ".zgroup", 0, 0, OTHER, "is a Zarr store of version 2", "`parcdf copy" },
    { "three.zarr", "zarr.json", 0, 0, OTHER, "is a Zarr store of version 3", "`parcdf copy" },
    { "folder", "x", 0, 0, NC_EBAD_FILE, "is a folder", "" },
    { "https://host/x.nc", NULL, 0, 0, FAR, "is a URL", "only read" },
    { "s3://bucket/x.nc", NULL, 0, 0, FAR, "is a URL", "only read" },
    { "file:///x.nc", NULL, 0, 0, FAR, "is a URL", "only read" },
    { "file:///x#mode=zarr,file", NULL, 0, 0, FAR, "is a URL", "only read" },
    { "none.nc", NULL, 0, 0, NC_ENOENT, "No such file", "none.nc" },
    { "no/such/none.nc", NULL, 0, 0, NC_ENOENT, "there is no folder no", ")" },
};

static void make(const struct row *r, const char *path)
{
    char inside[1200];
    bool is_folder = r->n == 0 && r->bytes && *r->bytes;
    if (is_folder) {
        CHECK_INT(mkdir(path, 0700), 0);
        snprintf(inside, sizeof inside, "%s/%s", path, r->bytes);
        path = inside;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK_INT(pwrite(fd, r->bytes, r->n, (off_t)r->at), (long)r->n);
    close(fd);
}

static void unmake(const struct row *r, const char *path)
{
    char inside[1200];
    snprintf(inside, sizeof inside, "%s/%s", path, r->bytes);
    unlink(inside);
    if (unlink(path))
        rmdir(path);
}

static void kinds(void)
{
    char path[1100];
    int ncid, format;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *r = &rows[i];
        snprintf(path, sizeof path, "%s", r->name);
        if (r->bytes)
            snprintf(path, sizeof path, "%s.%s", my_path, r->name);
        if (r->bytes && my_rank == 0)
            make(r, path);
        MPI_Barrier(MPI_COMM_WORLD);
        bool is_other = r->code == OTHER || r->code == FAR || r->code == WRITTEN;
        if (r->code == OTHER || r->code == WRITTEN)
            CHECK(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid) != NC_NOERR, "%s opens",
                  path);
        for (int mode = is_other; mode < 2; mode++) { /* to read, to write */
            int err = ncmpi_open(MPI_COMM_WORLD, path, mode ? NC_WRITE : NC_NOWRITE, MPI_INFO_NULL, &ncid);
            bool may_be = r->code == WRITTEN && (err == NC_ENOTNC || err == NC_ENOTBUILT);
            told(r->name, err, may_be ? err : is_other ? NC_EPERM : r->code, r->words, r->way);
        }
        CHECK(strstr(parcdf_last_error(), path) != NULL, "%s: \"%s\" has no path", path, parcdf_last_error());
        bool has_format = is_other || strcmp(r->name, "bin.nc") == 0;
        if (!has_format && my_rank == 0)
            told(r->name, ncmpi_inq_file_format(path, &format), r->code, r->words, r->way);
        MPI_Barrier(MPI_COMM_WORLD);
        if (r->bytes && my_rank == 0)
            unmake(r, path);
    }
}

/* A file:// URL is read; if there is nothing, its form says what it may be. */
static void urls_of_nothing(void)
{
    int ncid;
    told("file:///x.nc", ncmpi_open(MPI_COMM_WORLD, "file:///x.nc", NC_NOWRITE, MPI_INFO_NULL, &ncid),
         NC_ENOENT, "is a URL", "give the path");
    told("file:///x#mode=zarr,file",
         ncmpi_open(MPI_COMM_WORLD, "file:///x#mode=zarr,file", NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_ENOENT,
         "URL of a Zarr store", "`parcdf copy '");
}

/* ---- modes */

static void modes(void)
{
    int ncid, dim, var, value = 1, request, fill;
    MPI_Offset one = 1, zero = 0;
    static const char enddef[] = "call ncmpi_enddef first", redef[] = "call ncmpi_redef first";
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var), NC_NOERR);
    told("put_vara_all", ncmpi_put_vara_int_all(ncid, var, &zero, &one, &value), NC_EINDEFINE, "define mode",
         enddef);
    told("get_var_all", ncmpi_get_var_int_all(ncid, var, &value), NC_EINDEFINE, "define mode", enddef);
    told("put_var", ncmpi_put_var_int(ncid, var, &value), NC_EINDEFINE, "define mode", enddef);
    told("sync", ncmpi_sync(ncid), NC_EINDEFINE, "sync in define mode", enddef);
    told("begin_indep", ncmpi_begin_indep_data(ncid), NC_EINDEFINE, "define mode", enddef);
    told("wait_all", ncmpi_wait_all(ncid, 0, NULL, NULL), NC_EINDEFINE, "define mode", enddef);
    told("fill_var_rec", ncmpi_fill_var_rec(ncid, var, 0), NC_EINDEFINE, "define mode", enddef);
    told("redef", ncmpi_redef(ncid), NC_EINDEFINE, "define mode", "ncmpi_enddef");
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    told("enddef", ncmpi_enddef(ncid), NC_ENOTINDEFINE, "data mode", "ncmpi_redef");
    told("def_dim", ncmpi_def_dim(ncid, "x", 2, &dim), NC_ENOTINDEFINE, "define mode", redef);
    told("def_var", ncmpi_def_var(ncid, "w", NC_INT, 0, NULL, &dim), NC_ENOTINDEFINE, "define mode", redef);
    told("put_att", ncmpi_put_att_text(ncid, var, "units", 1, "m"), NC_ENOTINDEFINE, "is new", redef);
    told("rename_var", ncmpi_rename_var(ncid, var, "longer"), NC_ENOTINDEFINE, "longer name", redef);
    told("set_fill", ncmpi_set_fill(ncid, NC_FILL, &fill), NC_ENOTINDEFINE, "define mode", redef);
    told("put_vara", ncmpi_put_vara_int(ncid, var, &zero, &one, &value), NC_ENOTINDEP,
         "an independent call in collective", "call ncmpi_begin_indep_data first");
    told("wait", ncmpi_wait(ncid, 0, NULL, NULL), NC_ENOTINDEP, "collective data mode",
         "ncmpi_begin_indep_data");
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    told("put_vara_all", ncmpi_put_vara_int_all(ncid, var, &zero, &one, &value), NC_EINDEP,
         "a collective call in independent", "call ncmpi_end_indep_data first");
    told("wait_all", ncmpi_wait_all(ncid, 0, NULL, NULL), NC_EINDEP, "independent data mode",
         "ncmpi_end_indep_data");
    CHECK_NC(ncmpi_iput_vara_int(ncid, var, &zero, &one, &value, &request), NC_NOERR);
    CHECK_NC(ncmpi_cancel(ncid, 1, &request, NULL), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* ---- names, records, requests, a program without MPI */

static void names(void)
{
    int ncid, dim, var, value[2] = { 1, 2 }, request;
    MPI_Offset one = 1, zero = 0;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "temperature", NC_INT, 1, &dim, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    told("inq_varid", ncmpi_inq_varid(ncid, "temprature", &var), NC_ENOTVAR, "\"temprature\"",
         "did you mean temperature?");
    told("inq_dimid", ncmpi_inq_dimid(ncid, "tiem", &dim), NC_EBADDIM, "no dimension", "did you mean time?");
    told("inq_varid", ncmpi_inq_varid(ncid, "pressure", &var), NC_ENOTVAR, "no variable", "\"pressure\"");
    CHECK(!strstr(parcdf_last_error(), "did you mean"), "nothing is like it: %s", parcdf_last_error());
    told("inq_attid", ncmpi_inq_attid(ncid, 0, "units", NULL), NC_ENOTATT, "variable temperature",
         "\"units\"");
    told("inq_attid", ncmpi_inq_attid(ncid, NC_GLOBAL, "title", NULL), NC_ENOTATT, "global attribute",
         "\"title\"");
    told("get_vara", ncmpi_get_vara_int_all(ncid, 0, &zero, &one, value), NC_EINVALCOORDS,
         "temperature has no records yet", "no record 0");
    for (int n = 1; n <= 2; n++) {
        for (int i = 0; i < n; i++)
            CHECK_NC(ncmpi_iput_vara_int(ncid, 0, &zero, &one, value + i, &request), NC_NOERR);
        if (n == 1)
            CHECK_NC(ncmpi_cancel(ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    }
    CHECK_NC(ncmpi_cancel(ncid, 1, &request, NULL), NC_NOERR);
    told("close", ncmpi_close(ncid), NC_EPENDING, "1 pending request was cancelled", "asked for it");
}

static void without_mpi(const char *why)
{
    int ncid = -1, format;
    long long generation;
    MPI_Offset bytes;
    told("create", ncmpi_create(MPI_COMM_WORLD, "none.nc", NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_EMPI, why,
         "");
    told("open", ncmpi_open(MPI_COMM_SELF, "none.nc", NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_EMPI, why, "");
    told("set_commit", parcdf_set_commit(MPI_COMM_WORLD), NC_EMPI, why, "");
    told("restart_find", parcdf_restart_find(MPI_COMM_WORLD, "none", 0, &generation, NULL, 0), NC_EMPI, why,
         "");
    CHECK(*ncmpi_inq_libvers() && *ncmpi_strerror(NC_EMPI) && *parcdf_version(), "texts need no MPI");
    CHECK_NC(ncmpi_inq_file_format("none.nc", &format), NC_ENOENT);
    CHECK_NC(ncmpi_inq_malloc_size(&bytes), NC_NOERR);
    CHECK_NC(ncmpi_close(0), why[4] == 'F' ? NC_EMPI : NC_EBADID);
}

int main(int argc, char **argv)
{
    int ncid;
    without_mpi("MPI_Init was not called");
    together_begin(&argc, &argv, "told_why", 60);
    kinds();
    urls_of_nothing();
    modes();
    names();
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    int bad = together_end("told_why");
    without_mpi("MPI_Finalize was called");
    return bad || check_bad > 0;
}
