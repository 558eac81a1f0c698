#ifndef SYMBOLS_OTHER_H
#define SYMBOLS_OTHER_H
/* The functions that move no data, and the calls of each with legal arguments and a look at what they give.
 */

#include "symbols.h"
#include "together.h"

typedef void (*symbol)(void);

/* clang-format off */
#define OTHER_ROW(name, type) { #name, (symbol)name },
OTHER_FUNCTIONS(PROVE)
CDL_FUNCTIONS(PROVE)

static const struct other {
    const char *name;
    symbol address;
} others[] = { OTHER_FUNCTIONS(OTHER_ROW) CDL_FUNCTIONS(OTHER_ROW) };
/* clang-format on */

enum { OTHERS = sizeof others / sizeof *others };
static int other_calls[OTHERS];

static void called(const char *name)
{
    int i = 0;
    while (i < OTHERS && strcmp(others[i].name, name) != 0)
        i++;
    CHECK(i < OTHERS, "%s is not in the table", name);
    if (i < OTHERS)
        other_calls[i]++;
}

#define CALL_FOR(code, name, ...) CHECK_NC((called(#name), name(__VA_ARGS__)), code)
#define CALL(name, ...)           CALL_FOR(NC_NOERR, name, __VA_ARGS__)

static void call_local(void)
{
    int number = -1, old = -1, handles[NC_MAX_NFILES];
    MPI_Offset size = -1, peak = -1;
    called("ncmpi_strerror"), called("ncmpi_strerrno"), called("ncmpi_inq_libvers");
    CHECK(strlen(ncmpi_strerror(NC_EBADID)) > 5, "%s", ncmpi_strerror(NC_EBADID));
    CHECK(strcmp(ncmpi_strerrno(NC_EBADID), "NC_EBADID") == 0, "%s", ncmpi_strerrno(NC_EBADID));
    CHECK(strstr(ncmpi_inq_libvers(), " of "), "%s", ncmpi_inq_libvers());
    CALL(ncmpi_set_default_format, NC_FORMAT_CDF5, &old);
    CHECK_INT(old, NC_FORMAT_CLASSIC);
    CALL(ncmpi_inq_default_format, &number);
    CHECK_INT(number, NC_FORMAT_CDF5);
    CALL(ncmpi_set_default_format, old, NULL);
    CALL(ncmpi_inq_files_opened, &number, handles);
    CHECK_INT(number, 1);
    CALL(ncmpi_inq_malloc_size, &size);
    CALL(ncmpi_inq_malloc_max_size, &peak);
    CHECK(size > 0 && peak >= size, "%lld bytes, at most %lld", (long long)size, (long long)peak);
    called("ncmpi_inq_malloc_list");
    CHECK_NC(ncmpi_inq_malloc_list(), NC_ENOTENABLED);
}

struct things {
    int ncid, time, x, fixed, record;
};

static void call_definitions(struct things *t)
{
    int id = -1, old = -1, no_fill = -1;
    int fill = -9, got = 0;
    CALL(ncmpi_def_dim, t->ncid, "time", NC_UNLIMITED, &t->time);
    CALL(ncmpi_def_dim, t->ncid, "width", 3, &t->x);
    CALL(ncmpi_rename_dim, t->ncid, t->x, "x");
    CALL(ncmpi_inq_dimid, t->ncid, "x", &id);
    CHECK_INT(id, t->x);
    CALL(ncmpi_def_var, t->ncid, "fixed_one", NC_SHORT, 1, &t->x, &t->fixed);
    CALL(ncmpi_def_var, t->ncid, "record", NC_INT, 2, (int[]){ t->time, t->x }, &t->record);
    CALL(ncmpi_rename_var, t->ncid, t->fixed, "fixed");
    CALL(ncmpi_inq_varid, t->ncid, "fixed", &id);
    CHECK_INT(id, t->fixed);
    CALL(ncmpi_set_fill, t->ncid, NC_FILL, &old);
    CHECK_INT(old, NC_NOFILL);
    CALL(ncmpi_def_var_fill, t->ncid, t->record, 0, &fill);
    CALL(ncmpi_inq_var_fill, t->ncid, t->record, &no_fill, &got);
    CHECK_INT(no_fill, 0);
    CHECK_INT(got, fill);
}

/* clang-format off */
#define CALL_ATTRIBUTE(X, T, type)                                                                           \
    {                                                                                                        \
        type put[2] = { 1, 2 }, back[2] = { 0 };                                                             \
        CALL(ncmpi_put_att_##T, t->ncid, t->fixed, #T, NC_SHORT, 2, put);                                    \
        CALL(ncmpi_get_att_##T, t->ncid, t->fixed, #T, back);                                                \
        CHECK(back[0] == put[0] && back[1] == put[1], "attribute %s has other values", #T);                  \
    }
/* clang-format on */

static void call_attributes(const struct things *t)
{
    char text[NC_MAX_NAME + 1] = "";
    double pi = 3.25, got = 0;
    int number = -1;
    nc_type type = 0;
    MPI_Offset length = -1;
    NUMBER_ATTRIBUTES(CALL_ATTRIBUTE, )
    CALL(ncmpi_put_att_text, t->ncid, NC_GLOBAL, "title", 5, "hello");
    CALL(ncmpi_get_att_text, t->ncid, NC_GLOBAL, "title", text);
    CHECK(strcmp(text, "hello") == 0, "%s", text);
    CALL(ncmpi_put_att, t->ncid, NC_GLOBAL, "pi", NC_DOUBLE, 1, &pi);
    CALL(ncmpi_get_att, t->ncid, NC_GLOBAL, "pi", &got);
    CHECK(got == pi, "%g", got);
    CALL(ncmpi_copy_att, t->ncid, NC_GLOBAL, "pi", t->ncid, t->fixed);
    CALL(ncmpi_rename_att, t->ncid, t->fixed, "pi", "p");
    CALL(ncmpi_inq_att, t->ncid, t->fixed, "p", &type, &length);
    CHECK(type == NC_DOUBLE && length == 1, "type %d, length %lld", type, (long long)length);
    CALL(ncmpi_inq_atttype, t->ncid, NC_GLOBAL, "title", &type);
    CALL(ncmpi_inq_attlen, t->ncid, NC_GLOBAL, "title", &length);
    CHECK(type == NC_CHAR && length == 5, "type %d, length %lld", type, (long long)length);
    CALL(ncmpi_inq_attid, t->ncid, NC_GLOBAL, "pi", &number);
    CHECK_INT(number, 1);
    CALL(ncmpi_inq_attname, t->ncid, NC_GLOBAL, 0, text);
    CHECK(strcmp(text, "title") == 0, "%s", text);
    CALL(ncmpi_del_att, t->ncid, t->fixed, "p");
}

/* clang-format off */
#define NUMBER(name, want)                                                                                   \
    CALL(ncmpi_inq_##name, t->ncid, &a);                                                                     \
    CHECK(a == (want), #name " is %d", a);
#define IN_BYTES(name)                                                                                       \
    CALL(ncmpi_inq_##name, t->ncid, &size);                                                                  \
    CHECK(size > (my_rank == 0 ? 0 : -1), #name " is %lld", (long long)size);
/* clang-format on */

static void call_inquiries(const struct things *t, int format)
{
    int a = -1, b = -1, c = -1, d = -1, dims[2] = { -1, -1 };
    nc_type type = 0;
    char text[1024] = "";
    MPI_Offset size = -1;
    MPI_Info info;
    const int modes[6] = { 0, NC_CLASSIC_MODEL, NC_64BIT_OFFSET, 0, 0, NC_64BIT_DATA };
    NUMBER(ndims, 2)
    NUMBER(nvars, 2)
    NUMBER(natts, 2)
    NUMBER(unlimdim, t->time)
    NUMBER(num_rec_vars, 1)
    NUMBER(num_fix_vars, 1)
    NUMBER(format, format)
    NUMBER(version, modes[format])
    NUMBER(nreqs, 0)
    CALL(ncmpi_inq_varndims, t->ncid, t->record, &a);
    CHECK_INT(a, 2);
    CALL(ncmpi_inq_varnatts, t->ncid, t->record, &a);
    CHECK_INT(a, 1);
    IN_BYTES(put_size)
    IN_BYTES(header_size)
    IN_BYTES(header_extent)
    IN_BYTES(recsize)
    CALL(ncmpi_inq_get_size, t->ncid, &size);
    CALL(ncmpi_inq, t->ncid, &a, &b, &c, &d);
    CHECK(a == 2 && b == 2 && c == 2 && d == t->time, "%d %d %d %d", a, b, c, d);
    CALL(ncmpi_inq_path, t->ncid, &a, text);
    CHECK(strcmp(text, my_path) == 0 && a == (int)strlen(text), "%s", text);
    CALL(ncmpi_inq_striping, t->ncid, &a, &b);
    CALL(ncmpi_inq_file_info, t->ncid, &info);
    MPI_Info_free(&info);
    CALL(ncmpi_get_file_info, t->ncid, &info);
    MPI_Info_free(&info);
    CALL(ncmpi_inq_dim, t->ncid, t->x, text, &size);
    CALL(ncmpi_inq_dimname, t->ncid, t->x, text);
    CHECK(strcmp(text, "x") == 0, "%s", text);
    CALL(ncmpi_inq_dimlen, t->ncid, t->x, &size);
    CHECK_INT(size, 3);
    CALL(ncmpi_inq_var, t->ncid, t->record, text, &type, &a, dims, &b);
    CALL(ncmpi_inq_varname, t->ncid, t->record, text);
    CHECK(strcmp(text, "record") == 0, "%s", text);
    CALL(ncmpi_inq_vartype, t->ncid, t->record, &type);
    CHECK_INT(type, NC_INT);
    CALL(ncmpi_inq_vardimid, t->ncid, t->record, dims);
    CHECK(dims[0] == t->time && dims[1] == t->x, "%d, %d", dims[0], dims[1]);
    CALL(ncmpi_inq_varoffset, t->ncid, t->record, &size);
    CHECK(size > 0 && size % 4 == 0, "%lld", (long long)size);
}

static void call_data_mode(const struct things *t)
{
    int got[3] = { 0 }, id = -1, status = -1;
    MPI_Offset size = -1, start[2] = { 0, 0 }, count[2] = { 1, 3 };
    CALL(ncmpi_fill_var_rec, t->ncid, t->record, 0);
    CALL(ncmpi_sync, t->ncid);
    CALL(ncmpi_flush, t->ncid);
    CALL(ncmpi_sync_numrecs, t->ncid);
    CHECK_NC(ncmpi_iget_vara_int(t->ncid, t->record, start, count, got, &id), NC_NOERR);
    CALL(ncmpi_wait_all, t->ncid, 1, &id, &status);
    CHECK(got[0] == -9 && got[2] == -9, "%d and %d", got[0], got[2]);
    CALL(ncmpi_buffer_attach, t->ncid, 100);
    CALL(ncmpi_inq_buffer_size, t->ncid, &size);
    CHECK_INT(size, 100);
    CALL(ncmpi_inq_buffer_usage, t->ncid, &size);
    CHECK_INT(size, 0);
    CALL(ncmpi_buffer_detach, t->ncid);
    CALL_FOR(NC_ENOTSUPPORT, ncmpi_put_vard_all, t->ncid, t->fixed, MPI_INT, got, 1, MPI_INT);
    CALL_FOR(NC_ENOTSUPPORT, ncmpi_get_vard_all, t->ncid, t->fixed, MPI_INT, got, 1, MPI_INT);
    CALL(ncmpi_begin_indep_data, t->ncid);
    CALL_FOR(NC_ENOTSUPPORT, ncmpi_put_vard, t->ncid, t->fixed, MPI_INT, got, 1, MPI_INT);
    CALL_FOR(NC_ENOTSUPPORT, ncmpi_get_vard, t->ncid, t->fixed, MPI_INT, got, 1, MPI_INT);
    CHECK_NC(ncmpi_iget_vara_int(t->ncid, t->record, start, count, got, &id), NC_NOERR);
    memset(got, 0, sizeof got);
    CALL(ncmpi_wait, t->ncid, 1, &id, &status);
    CHECK(got[0] == -9 && got[2] == -9, "%d and %d", got[0], got[2]);
    memset(got, 0, sizeof got);
    CHECK_NC(ncmpi_iget_vara_int(t->ncid, t->record, start, count, got, &id), NC_NOERR);
    CALL(ncmpi_cancel, t->ncid, 1, &id, &status);
    CHECK_INT(ncmpi_inq_nreqs(t->ncid, &id), NC_NOERR);
    CHECK(id == 0 && got[0] == 0, "%d pending, the buffer has %d", id, got[0]);
    CALL(ncmpi_end_indep_data, t->ncid);
}

/* Each rank has a text of its own. */
static void call_cdl(void)
{
    char path[1100], *name = NULL;
    int hid = -1, a = -1, *dims = NULL;
    nc_type type = 0;
    MPI_Offset size = -1;
    void *value = NULL;
    snprintf(path, sizeof path, "%s.%d.cdl", my_path, my_rank);
    FILE *file = fopen(path, "w");
    CHECK(file, "%s cannot be written", path);
    if (!file)
        return;
    fputs("netcdf t {\ndimensions:\n\tx = 3 ;\nvariables:\n\tint v(x) ;\n\t\tv:unit = \"m\" ;\n}\n", file);
    fclose(file);
    CALL(cdl_hdr_open, path, &hid);
    CALL(cdl_hdr_inq_format, hid, &a);
    CHECK_INT(a, 1);
    CALL(cdl_hdr_inq_ndims, hid, &a);
    CALL(cdl_hdr_inq_dim, hid, 0, &name, &size);
    CHECK_INT(size, 3);
    CALL(cdl_hdr_inq_nvars, hid, &a);
    CALL(cdl_hdr_inq_var, hid, 0, &name, &type, &a, &dims);
    CHECK_INT(type, NC_INT);
    CALL(cdl_hdr_inq_nattrs, hid, 0, &a);
    CHECK_INT(a, 1);
    CALL(cdl_hdr_inq_attr, hid, 0, 0, &name, &type, &size, &value);
    CHECK(value && strcmp(value, "m") == 0, "the unit is another");
    CALL(cdl_hdr_close, hid);
    /* and a file of its own, to delete */
    CALL(ncmpi_create, MPI_COMM_SELF, path, NC_CLOBBER, MPI_INFO_NULL, &hid);
    CALL(ncmpi_close, hid);
    CALL(ncmpi_delete, path, MPI_INFO_NULL);
    CHECK(access(path, F_OK) != 0, "%s is still there", path);
}

static inline void every_other_function(int format)
{
    struct things t = { .ncid = -1 };
    int number = -1;
    CALL(ncmpi_create, MPI_COMM_WORLD, my_path, format_cmode(format), MPI_INFO_NULL, &t.ncid);
    call_local();
    call_definitions(&t);
    call_attributes(&t);
    CALL(ncmpi__enddef, t.ncid, 100, 4, 0, 4);
    call_inquiries(&t, format);
    call_data_mode(&t);
    CALL(ncmpi_redef, t.ncid);
    CALL(ncmpi_enddef, t.ncid);
    CALL(ncmpi_close, t.ncid);
    CALL(ncmpi_inq_file_format, my_path, &number);
    CHECK_INT(number, format);
    CALL(ncmpi_open, MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &t.ncid);
    CALL(ncmpi_abort, t.ncid);
    call_cdl();
}

#endif
