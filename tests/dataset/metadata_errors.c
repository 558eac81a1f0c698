/* The order in which the metadata functions look for errors (reference 4.5), as data: each row is wrong in
 * one thing and in everything that is looked at later, and must be answered with the one that comes first. A
 * call that fails changes nothing, on any rank. Real files, in define mode after redef, in data mode and open
 * for reading; CDF-1 and CDF-5. Runs on any number of ranks: every rank makes the same calls. argv[1]: the
 * folder for the files. */
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdlib.h>
#include "equalmeta.h"
#include "check.h"
#include "dataset.h"
#include "metadatarows.h"

static int define_something(const struct row *r, int ncid)
{
    switch (r->function) {
    case DEF_DIM:
        return ncmpi_def_dim(ncid, r->name, r->n, NULL);
    case RENAME_DIM:
        return ncmpi_rename_dim(ncid, r->id, r->name);
    case DEF_VAR:
        return ncmpi_def_var(ncid, r->name, r->type, (int)r->n, r->data, NULL);
    case RENAME_VAR:
        return ncmpi_rename_var(ncid, r->id, r->name);
    default:
        return -1000;
    }
}

static int do_with_attribute(const struct row *r, int ncid)
{
    switch (r->function) {
    case PUT_TEXT:
        return ncmpi_put_att_text(ncid, r->id, r->name, r->n, r->data);
    case PUT_INT:
        return ncmpi_put_att_int(ncid, r->id, r->name, r->type, r->n, r->data);
    case PUT_DOUBLE:
        return ncmpi_put_att_double(ncid, r->id, r->name, r->type, r->n, r->data);
    case PUT_UBYTE:
        return ncmpi_put_att_ubyte(ncid, r->id, r->name, r->type, r->n, r->data);
    case PUT_GENERIC:
        return ncmpi_put_att(ncid, r->id, r->name, r->type, r->n, r->data);
    case GET_TEXT:
        return ncmpi_get_att_text(ncid, r->id, r->name, (char *)r->data);
    case GET_SHORT:
        return ncmpi_get_att_short(ncid, r->id, r->name, (short *)r->data);
    case GET_UCHAR:
        return ncmpi_get_att_uchar(ncid, r->id, r->name, (unsigned char *)r->data);
    case GET_GENERIC:
        return ncmpi_get_att(ncid, r->id, r->name, (void *)r->data);
    case DEL_ATT:
        return ncmpi_del_att(ncid, r->id, r->name);
    case RENAME_ATT:
        return ncmpi_rename_att(ncid, r->id, r->name, r->data);
    case COPY_ATT:
        return ncmpi_copy_att(ncid, r->id, r->name, ncid, r->type);
    default:
        return define_something(r, ncid);
    }
}

static int call(const struct row *r, int ncid)
{
    switch (r->function) {
    case INQ_ATT:
        return ncmpi_inq_att(ncid, r->id, r->name, NULL, NULL);
    case INQ_ATTID:
        return ncmpi_inq_attid(ncid, r->id, r->name, NULL);
    case INQ_ATTNAME:
        return ncmpi_inq_attname(ncid, r->id, r->type, NULL);
    case INQ_DIMID:
        return ncmpi_inq_dimid(ncid, r->name, NULL);
    case INQ_DIM:
        return ncmpi_inq_dim(ncid, r->id, NULL, NULL);
    case INQ_VARID:
        return ncmpi_inq_varid(ncid, r->name, NULL);
    case INQ_VAR:
        return ncmpi_inq_var(ncid, r->id, (char *)r->data, NULL, NULL, NULL, NULL);
    case INQ_VARNAME:
        return ncmpi_inq_varname(ncid, r->id, NULL);
    case INQ_VARTYPE:
        return ncmpi_inq_vartype(ncid, r->id, NULL);
    case INQ_VARNDIMS:
        return ncmpi_inq_varndims(ncid, r->id, NULL);
    case INQ_VARDIMID:
        return ncmpi_inq_vardimid(ncid, r->id, NULL);
    case INQ_VARNATTS:
        return ncmpi_inq_varnatts(ncid, r->id, NULL);
    case INQ_VAROFFSET:
        return ncmpi_inq_varoffset(ncid, r->id, NULL);
    default:
        return do_with_attribute(r, ncid);
    }
}

/* ---- files */

static void make_file(const char *path, int cmode)
{
    int ncid, ids[NDIMS], v, wide = 70000;
    CHECK_INT(ncmpi_create(MPI_COMM_WORLD, path, cmode, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &ids[T]), NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, "x", 4, &ids[X]), NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, "y", 5, &ids[Y]), NC_NOERR);
    CHECK_INT(ncmpi_def_var(ncid, "old", NC_INT, 2, ids, &v), NC_NOERR);
    CHECK_INT(ncmpi_put_att_text(ncid, v, "note", 5, "hello"), NC_NOERR);
    CHECK_INT(ncmpi_put_att_int(ncid, v, "one", NC_INT, 1, ints), NC_NOERR);
    CHECK_INT(ncmpi_put_att_int(ncid, v, "wide", NC_INT, 1, &wide), NC_NOERR);
    CHECK_INT(ncmpi_put_att_int(ncid, v, "none", NC_INT, 0, NULL), NC_NOERR);
    CHECK_INT(ncmpi_put_att_text(ncid, NC_GLOBAL, "title", 5, "title"), NC_NOERR);
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
}

static int open_in(const char *path, enum state state)
{
    int ncid = -1;
    CHECK_INT(ncmpi_open(MPI_COMM_WORLD, path, state == READ ? NC_NOWRITE : NC_WRITE, MPI_INFO_NULL, &ncid),
              NC_NOERR);
    if (state == DEFINE) {
        CHECK_INT(ncmpi_redef(ncid), NC_NOERR);
        CHECK_INT(ncmpi_def_var(ncid, "new", NC_SHORT, 1, ids_x, NULL), NC_NOERR);
    }
    return ncid;
}

static void check_row(const struct row *r, int ncid, const char *where)
{
    struct pcdf_dataset *ds;
    struct pcdf_meta before;
    if (pcdf_dataset_of(ncid, &ds) || pcdf_meta_copy(&before, &ds->meta)) {
        CHECK(0, "%s: the file is not open", where);
        return;
    }
    int err = call(r, r->bad_ncid ? BAD : ncid);
    CHECK(err == r->want, "%s, %s: %s, not %s (%s)", where, r->what, ncmpi_strerrno(err),
          ncmpi_strerrno(r->want), parcdf_last_error());
    if (r->want != NC_NOERR && r->want != NC_ERANGE)
        CHECK(equal_meta(&before, &ds->meta), "%s, %s: the definitions changed", where, r->what);
    if (err && err != NC_EBADID)
        CHECK(strstr(parcdf_last_error(), "rank ") != NULL, "%s: \"%s\" names no rank", r->what,
              parcdf_last_error());
    pcdf_meta_free(&before);
}

static void check_rows(const char *path, int cmode, enum versions version, enum state state,
                       const char *where)
{
    make_file(path, cmode);
    int ncid = open_in(path, state);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].states & (int)state && rows[i].versions & (int)version)
            check_row(&rows[i], ncid, where);
    CHECK_INT(ncmpi_close(ncid), NC_NOERR);
    CHECK_INT(ncmpi_close(ncid), NC_EBADID);
}

/* From one file to another: the formats differ; the sources are looked at before the mode of the target. */
static void check_copies(const char *path1, const char *path5)
{
    make_file(path1, 0);
    make_file(path5, NC_64BIT_DATA);
    int in = open_in(path5, DEFINE), out = open_in(path1, DATA);
    CHECK_INT(ncmpi_put_att_int(in, OLD, "unsigned", NC_UINT, 1, ints), NC_NOERR);
    CHECK_INT(ncmpi_copy_att(in, OLD, "unsigned", BAD, OLD), NC_EBADID);
    CHECK_INT(ncmpi_copy_att(BAD, OLD, "unsigned", out, OLD), NC_EBADID);
    CHECK_INT(ncmpi_copy_att(in, OLD, "unsigned", out, OLD), NC_ESTRICTCDF2); /* before NC_ENOTINDEFINE */
    CHECK_INT(ncmpi_copy_att(in, OLD, "wide", out, OLD), NC_NOERR);
    CHECK_INT(ncmpi_copy_att(in, OLD, "wide", out, NC_GLOBAL), NC_ENOTINDEFINE);
    CHECK_INT(ncmpi_redef(out), NC_NOERR);
    CHECK_INT(ncmpi_copy_att(in, OLD, "unsigned", out, OLD), NC_ESTRICTCDF2);
    CHECK_INT(ncmpi_copy_att(in, OLD, "wide", out, NC_GLOBAL), NC_NOERR);
    CHECK_INT(ncmpi_close(in), NC_NOERR);
    CHECK_INT(ncmpi_close(out), NC_NOERR);
}

/* One call in define mode that has room for a 64-bit size and one that has not. */
static void check_sizes(const char *path)
{
    int ncid, ids[3];
    CHECK_INT(ncmpi_create(MPI_COMM_WORLD, path, NC_64BIT_DATA, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, "a", 1LL << 31, &ids[0]), NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ncid, "b", 1LL << 30, &ids[1]), NC_NOERR);
    ids[2] = ids[0];
    CHECK_INT(ncmpi_def_var(ncid, "large", NC_BYTE, 3, ids, NULL), NC_EVARSIZE);
    CHECK_INT(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &ids[2]), NC_NOERR);
    CHECK_INT(ncmpi_def_var(ncid, "large", NC_DOUBLE, 3, ids, NULL), NC_EUNLIMPOS); /* comes first */
    CHECK_INT(ncmpi_def_var(ncid, "large", NC_DOUBLE, 2, ids, NULL), NC_EVARSIZE);
    CHECK_INT(ncmpi_abort(ncid), NC_NOERR);
}

static void check_words(void)
{
    CHECK(strcmp(ncmpi_strerror(NC_NOERR), "No error") == 0, "%s", ncmpi_strerror(NC_NOERR));
    CHECK(strncmp(ncmpi_strerror(-666), "Unknown Error", 13) == 0, "%s", ncmpi_strerror(-666));
    CHECK(strcmp(ncmpi_strerror(2), strerror(2)) == 0, "%s", ncmpi_strerror(2));
    CHECK(strcmp(ncmpi_strerrno(NC_EBADID), "NC_EBADID") == 0, "%s", ncmpi_strerrno(NC_EBADID));
    CHECK(strcmp(ncmpi_strerrno(-142), "NC_EPLUGIN") == 0, "%s", ncmpi_strerrno(-142));
    CHECK(strcmp(ncmpi_strerrno(-666), "Unknown code -666") == 0, "%s", ncmpi_strerrno(-666));
    CHECK(strncmp(ncmpi_inq_libvers(), "1.15.0", 6) == 0, "%s", ncmpi_inq_libvers());
    CHECK(strcmp(parcdf_version(), PARCDF_VERSION) == 0, "%s", parcdf_version());
    CHECK_INT(ncmpi_inq_malloc_list(), NC_ENOTENABLED);
    CHECK_INT(ncmpi_inq_malloc_size(NULL), NC_EINVAL);
    CHECK_INT(ncmpi_inq_default_format(NULL), NC_EINVAL);
    CHECK_INT(ncmpi_set_default_format(0, NULL), NC_EINVAL);
    CHECK_INT(ncmpi_set_default_format(6, NULL), NC_EINVAL);
}

int main(int argc, char **argv)
{
    char path1[1024], path5[1024];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(long_name, 'x', sizeof long_name - 1);
    snprintf(path1, sizeof path1, "%s/metadata_errors_1.nc", argc > 1 ? argv[1] : ".");
    snprintf(path5, sizeof path5, "%s/metadata_errors_5.nc", argc > 1 ? argv[1] : ".");
    check_words();
    check_rows(path1, 0, CDF1, READ, "CDF-1, read only");
    check_rows(path1, 0, CDF1, DATA, "CDF-1, data mode");
    check_rows(path1, 0, CDF1, DEFINE, "CDF-1, define mode");
    check_rows(path5, NC_64BIT_DATA, CDF5, READ, "CDF-5, read only");
    check_rows(path5, NC_64BIT_DATA, CDF5, DATA, "CDF-5, data mode");
    check_rows(path5, NC_64BIT_DATA, CDF5, DEFINE, "CDF-5, define mode");
    check_copies(path1, path5);
    check_sizes(path5);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        ncmpi_delete(path1, MPI_INFO_NULL);
    MPI_Finalize();
    return check_done("metadata_errors");
}
