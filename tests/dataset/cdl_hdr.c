/* Fixes: cdl_hdr_*. A hand-written header gives its definitions, values in the form of this machine's memory;
 * the six real headers give what they define when they are defined again; a header is found before gigabytes
 * of data; every error has its code, every output may be NULL, handles are given back. Argument: the folder
 * with the real headers; their part is left out where it is absent. */

#include <mpi.h>
#include <pnetcdf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "alloc.h"
#include "check.h"

#define CHECK_NC(call, want)                                                                                 \
    do {                                                                                                     \
        int nc_got_ = (call), nc_want_ = (want);                                                             \
        CHECK(nc_got_ == nc_want_, "%s, not %s", ncmpi_strerrno(nc_got_), ncmpi_strerrno(nc_want_));         \
    } while (0)

static const char *const path = "cdl_hdr.cdl";

static void write_text(const char *text, long blanks)
{
    FILE *f = fopen(path, "wb");
    CHECK(f, "%s cannot be written", path);
    if (!f)
        return;
    fputs(text, f);
    for (long i = 0; i < blanks; i++)
        fputs(" 1, 2, 3, 4, 5, 6,\n", f);
    fclose(f);
}

/* ---- one that shows everything */

static const char sample[] = "netcdf sample { // by hand\n"
                             "dimensions: time = UNLIMITED ; // (7 currently)\n"
                             "  x = 3, y\\ y = 4 ;\n"
                             "variables: double a(time, x), b ; byte c(y\\ y) ;\n"
                             "  a:d = 1., -2.5 ; a:s = 258s, -2s ; a:text = \"four\" ; a:empty = \"\" ;\n"
                             "  b:i = 1, -16909060 ; b:_FillValue = 9. ;\n"
                             "  :title = \"a\", \"b\" ; :f = 1.5f ;\n"
                             "data: a = 1, 2, 3\n";

struct attribute {
    int varid, attrid;
    const char *name;
    nc_type type;
    MPI_Offset nelems;
    const void *values;
    size_t size; /* of one */
};

static const struct attribute attributes[] = {
    { 0, 0, "d", NC_DOUBLE, 2, (const double[]){ 1, -2.5 }, sizeof(double) },
    { 0, 1, "s", NC_SHORT, 2, (const short[]){ 258, -2 }, sizeof(short) },
    { 0, 2, "text", NC_CHAR, 4, "four", 1 },
    { 0, 3, "empty", NC_CHAR, 0, "", 1 }, /* ncgen -3 and parcdf gen write one NUL */
    { 1, 0, "i", NC_INT, 2, (const int[]){ 1, -16909060 }, sizeof(int) },
    { 1, 1, "_FillValue", NC_DOUBLE, 1, (const double[]){ 9 }, sizeof(double) },
    { NC_GLOBAL, 0, "title", NC_CHAR, 2, "ab", 1 },
    { NC_GLOBAL, 1, "f", NC_FLOAT, 1, (const float[]){ 1.5f }, sizeof(float) },
};

static void check_attribute(int hid, const struct attribute *want)
{
    char *name = NULL;
    nc_type type = 0;
    MPI_Offset nelems = -1;
    void *value = NULL;
    CHECK_NC(cdl_hdr_inq_attr(hid, want->varid, want->attrid, &name, &type, &nelems, &value), NC_NOERR);
    CHECK(name && strcmp(name, want->name) == 0, "the name is %s, not %s", name, want->name);
    CHECK_INT(type, want->type);
    CHECK_INT(nelems, want->nelems);
    CHECK(value && memcmp(value, want->values, (size_t)want->nelems * want->size) == 0, "%s has other values",
          want->name);
    if (type == NC_CHAR && value)
        CHECK_INT(strlen(value), nelems); /* programs print it as a string */
}

static void check_variable(int hid, int varid, const char *want, nc_type want_type, int want_ndims,
                           int want_dim)
{
    char *name = NULL;
    nc_type type = 0;
    int ndims = -1, *dimids = NULL;
    CHECK_NC(cdl_hdr_inq_var(hid, varid, &name, &type, &ndims, &dimids), NC_NOERR);
    CHECK(name && strcmp(name, want) == 0, "the name is %s, not %s", name, want);
    CHECK_INT(type, want_type);
    CHECK_INT(ndims, want_ndims);
    if (ndims > 0 && dimids)
        CHECK_INT(dimids[ndims - 1], want_dim);
}

static void check_dimension(int hid, int dimid, const char *want, MPI_Offset want_size)
{
    char *name = NULL;
    MPI_Offset size = -1;
    CHECK_NC(cdl_hdr_inq_dim(hid, dimid, &name, &size), NC_NOERR);
    CHECK(name && strcmp(name, want) == 0, "the name is %s, not %s", name, want);
    CHECK_INT(size, want_size);
}

static void by_hand(void)
{
    int hid = -1, n = -1;
    MPI_Offset held = -1;
    write_text(sample, 0);
    CHECK_NC(cdl_hdr_open(path, &hid), NC_NOERR);
    CHECK_NC(ncmpi_inq_malloc_size(&held), NC_NOERR);
    CHECK_INT(held, 0); /* programs take what is held at their end for a leak of the library */
    CHECK(pcdf_alloc_now() > 0, "the header's memory is not counted at all");
    CHECK_NC(cdl_hdr_inq_format(hid, &n), NC_NOERR);
    CHECK_INT(n, 1);
    CHECK_NC(cdl_hdr_inq_ndims(hid, &n), NC_NOERR);
    CHECK_INT(n, 3);
    CHECK_NC(cdl_hdr_inq_nvars(hid, &n), NC_NOERR);
    CHECK_INT(n, 3);
    CHECK_NC(cdl_hdr_inq_nattrs(hid, 0, &n), NC_NOERR);
    CHECK_INT(n, 4);
    CHECK_NC(cdl_hdr_inq_nattrs(hid, 2, &n), NC_NOERR);
    CHECK_INT(n, 0);
    CHECK_NC(cdl_hdr_inq_nattrs(hid, NC_GLOBAL, &n), NC_NOERR);
    CHECK_INT(n, 2);
    check_dimension(hid, 0, "time", NC_UNLIMITED); /* for def_dim, although the text knows of 7 records */
    check_dimension(hid, 1, "x", 3);
    check_dimension(hid, 2, "y y", 4);
    check_variable(hid, 0, "a", NC_DOUBLE, 2, 1);
    check_variable(hid, 1, "b", NC_DOUBLE, 0, -1);
    check_variable(hid, 2, "c", NC_BYTE, 1, 2);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        check_attribute(hid, &attributes[i]);

    CHECK_NC(cdl_hdr_inq_format(hid, NULL), NC_NOERR);
    CHECK_NC(cdl_hdr_inq_ndims(hid, NULL), NC_NOERR);
    CHECK_NC(cdl_hdr_inq_nvars(hid, NULL), NC_NOERR);
    CHECK_NC(cdl_hdr_inq_dim(hid, 0, NULL, NULL), NC_NOERR);
    CHECK_NC(cdl_hdr_inq_var(hid, 0, NULL, NULL, NULL, NULL), NC_NOERR);
    CHECK_NC(cdl_hdr_inq_nattrs(hid, 0, NULL), NC_NOERR);
    CHECK_NC(cdl_hdr_inq_attr(hid, 0, 0, NULL, NULL, NULL, NULL), NC_NOERR);

    CHECK_NC(cdl_hdr_inq_dim(hid, 3, NULL, NULL), NC_EBADID);
    CHECK_NC(cdl_hdr_inq_dim(hid, -1, NULL, NULL), NC_EBADID);
    CHECK_NC(cdl_hdr_inq_var(hid, 3, NULL, NULL, NULL, NULL), NC_EBADID);
    CHECK_NC(cdl_hdr_inq_var(hid, NC_GLOBAL, NULL, NULL, NULL, NULL), NC_EBADID);
    CHECK_NC(cdl_hdr_inq_nattrs(hid, 3, &n), NC_EBADID);
    CHECK_NC(cdl_hdr_inq_nattrs(hid, -2, &n), NC_EBADID);
    CHECK_NC(cdl_hdr_inq_attr(hid, 0, 4, NULL, NULL, NULL, NULL), NC_EBADID);
    CHECK_NC(cdl_hdr_inq_attr(hid, 3, 0, NULL, NULL, NULL, NULL), NC_EBADID);
    CHECK_NC(cdl_hdr_inq_attr(hid, NC_GLOBAL, -1, NULL, NULL, NULL, NULL), NC_EBADID);
    CHECK_NC(cdl_hdr_close(hid), NC_NOERR);
    CHECK_NC(cdl_hdr_close(hid), NC_EBADID);
    CHECK_NC(cdl_hdr_inq_format(hid, &n), NC_EBADID);
    CHECK_NC(cdl_hdr_inq_ndims(-1, &n), NC_EBADID);
    CHECK_NC(cdl_hdr_inq_nvars(1 << 20, &n), NC_EBADID);
    CHECK_INT(pcdf_alloc_now(), 0);
}

/* ---- what cannot be opened */

static const struct {
    const char *text;
    int want;
} refused[] = {
    { "", NC_ENOTNC },
    { "CDF\1", NC_ENOTNC },
    { "netcdf t { dimensions: x = 3 ;", NC_ENOTNC },
    { "netcdf t { variables: int a(x) ; }", NC_EBADDIM },
    { "netcdf t { variables: string a ; }", NC_ENOTNC },
    { "netcdf t { :a = 300b ; }", NC_ENOTNC },
};

static void what_is_refused(void)
{
    int hid = -9;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        write_text(refused[i].text, 0);
        CHECK_NC(cdl_hdr_open(path, &hid), refused[i].want);
    }
    CHECK_NC(cdl_hdr_open("not/there", &hid), NC_ENOENT);
    CHECK_NC(cdl_hdr_open("", &hid), NC_ENOENT);
    CHECK_NC(cdl_hdr_open(NULL, &hid), NC_ENOENT);
    CHECK_NC(cdl_hdr_open(".", &hid), NC_EFILE);
    write_text(sample, 0);
    CHECK_NC(cdl_hdr_open(path, NULL), NC_EINVAL);
    CHECK_INT(hid, -9);
    for (int n = 1, err = NC_ENOMEM; err != NC_NOERR && n < 1000; n++) {
        pcdf_alloc_fail_at(n, 0);
        err = cdl_hdr_open(path, &hid);
        pcdf_alloc_fail_at(0, 0);
        CHECK(err == NC_NOERR || err == NC_ENOMEM, "allocation %d: %s", n, ncmpi_strerrno(err));
        if (err)
            CHECK_INT(pcdf_alloc_now(), 0);
    }
    CHECK_NC(cdl_hdr_close(hid), NC_NOERR);
}

static void many(void)
{
    static int hids[1024];
    int more = -1;
    write_text("netcdf t { }", 0);
    for (int i = 0; i < 1024; i++)
        CHECK_NC(cdl_hdr_open(path, &hids[i]), NC_NOERR);
    CHECK_NC(cdl_hdr_open(path, &more), NC_ENFILE);
    CHECK_NC(cdl_hdr_close(hids[17]), NC_NOERR);
    CHECK_NC(cdl_hdr_open(path, &more), NC_NOERR);
    CHECK_INT(more, hids[17]);
    for (int i = 0; i < 1024; i++)
        CHECK_NC(cdl_hdr_close(hids[i]), NC_NOERR);
    CHECK_INT(pcdf_alloc_now(), 0);
}

/* Much data behind the header is not read; a header longer than the first read is. */
static void long_texts(void)
{
    int hid = -1, n = 0;
    write_text(sample, 600000); /* 11 MB */
    CHECK_NC(cdl_hdr_open(path, &hid), NC_NOERR);
    CHECK(pcdf_alloc_peak() < 4 << 20, "%lld bytes were held", (long long)pcdf_alloc_peak());
    CHECK_NC(cdl_hdr_close(hid), NC_NOERR);
    write_text("netcdf t { :a = ", 100000); /* 1.9 MB of attribute */
    FILE *f = fopen(path, "ab");
    if (f) {
        fputs(" 7 ; }", f);
        fclose(f);
    }
    CHECK_NC(cdl_hdr_open(path, &hid), NC_NOERR);
    CHECK_NC(cdl_hdr_inq_nattrs(hid, NC_GLOBAL, &n), NC_NOERR);
    MPI_Offset nelems = 0;
    void *value = NULL;
    CHECK_NC(cdl_hdr_inq_attr(hid, NC_GLOBAL, 0, NULL, NULL, &nelems, &value), NC_NOERR);
    CHECK_INT(nelems, 600001);
    if (nelems == 600001)
        CHECK_INT(((int *)value)[600000], 7);
    CHECK_NC(cdl_hdr_close(hid), NC_NOERR);
}

/* ---- the real ones: defined again in a file, as programs do it */

static void copy_attributes(int hid, int ncid, int varid)
{
    int n = 0;
    CHECK_NC(cdl_hdr_inq_nattrs(hid, varid, &n), NC_NOERR);
    for (int i = 0; i < n; i++) {
        char *name;
        nc_type type;
        MPI_Offset nelems;
        void *value;
        CHECK_NC(cdl_hdr_inq_attr(hid, varid, i, &name, &type, &nelems, &value), NC_NOERR);
        CHECK_NC(ncmpi_put_att(ncid, varid, name, type, nelems, value), NC_NOERR);
    }
}

static void define_again(const char *text, int want_dims, int want_vars)
{
    int hid, ncid, format, ndims, nvars, id;
    CHECK_NC(cdl_hdr_open(text, &hid), NC_NOERR);
    CHECK_NC(cdl_hdr_inq_format(hid, &format), NC_NOERR);
    CHECK_NC(cdl_hdr_inq_ndims(hid, &ndims), NC_NOERR);
    CHECK_NC(cdl_hdr_inq_nvars(hid, &nvars), NC_NOERR);
    CHECK_INT(ndims, want_dims);
    CHECK_INT(nvars, want_vars);
    int cmode = format == 5 ? NC_64BIT_DATA : format == 2 ? NC_64BIT_OFFSET : 0;
    CHECK_NC(ncmpi_create(MPI_COMM_SELF, "cdl_hdr.nc", NC_CLOBBER | cmode, MPI_INFO_NULL, &ncid), NC_NOERR);
    for (int i = 0; i < ndims; i++) {
        char *name;
        MPI_Offset size;
        CHECK_NC(cdl_hdr_inq_dim(hid, i, &name, &size), NC_NOERR);
        CHECK_NC(ncmpi_def_dim(ncid, name, size, &id), NC_NOERR);
    }
    for (int i = 0; i < nvars; i++) {
        char *name;
        nc_type type;
        int n, *dimids;
        CHECK_NC(cdl_hdr_inq_var(hid, i, &name, &type, &n, &dimids), NC_NOERR);
        CHECK_NC(ncmpi_def_var(ncid, name, type, n, dimids, &id), NC_NOERR);
        copy_attributes(hid, ncid, i);
    }
    copy_attributes(hid, ncid, NC_GLOBAL);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(cdl_hdr_close(hid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_SELF, "cdl_hdr.nc", NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq(ncid, &ndims, &nvars, NULL, NULL), NC_NOERR);
    CHECK_INT(ndims, want_dims);
    CHECK_INT(nvars, want_vars);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    unlink("cdl_hdr.nc");
}

static void real_headers(const char *folder)
{
    static const struct {
        const char *name;
        int ndims, nvars;
    } real[] = { { "e3sm/f_case_h0.txt", 6, 414 },  { "e3sm/f_case_h1.txt", 6, 51 },
                 { "e3sm/g_case_hist.txt", 7, 52 }, { "e3sm/i_case_h0.txt", 21, 560 },
                 { "e3sm/i_case_h1.txt", 21, 552 }, { "wrf/wrf_header.txt", 10, 202 } };
    char text[1024];
    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        snprintf(text, sizeof text, "%s/%s", folder, real[i].name);
        if (access(text, R_OK) != 0)
            printf("left out: %s is not there\n", text);
        else
            define_again(text, real[i].ndims, real[i].nvars);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    long_texts(); /* first: it looks at the most memory ever held */
    by_hand();
    what_is_refused();
    many();
    real_headers(argc > 1 ? argv[1] : "../shared/data");
    unlink(path);
    MPI_Finalize();
    return check_done("cdl_hdr");
}
