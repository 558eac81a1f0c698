/* Fixes safe mode (PNETCDF_SAFE_MODE=1): each argument of each collective call on the definitions that
 * differs between ranks gives its own NC_EMULTIDEFINE_ code on all ranks and changes nothing; one rank's own
 * error is every rank's; a call whose arguments agree costs one Allreduce. Without safe mode the same calls
 * succeed without a message. Rank 0 decides. */

#include "equalmeta.h"
#include "together.h"
#include "dataset.h"

enum { DIM_T, DIM_X, DIM_Y };
static int ncid;
static bool odd; /* this rank is the one that differs */

/* ---- the calls, each differing in one argument on the odd rank */

static int def_dim_name(void)
{
    return ncmpi_def_dim(ncid, odd ? "other" : "new", 4, NULL);
}
static int def_dim_size(void)
{
    return ncmpi_def_dim(ncid, "new", odd ? 5 : 4, NULL);
}
static int rename_dim_name(void)
{
    return ncmpi_rename_dim(ncid, DIM_X, odd ? "z1" : "z2");
}
static int rename_dim_id(void)
{
    return ncmpi_rename_dim(ncid, odd ? DIM_Y : DIM_X, "z1");
}
static int def_var(const char *name, nc_type type, int ndims, int d0, int d1)
{
    int d[2] = { d0, d1 };
    return ncmpi_def_var(ncid, name, type, ndims, d, NULL);
}
static int def_var_name(void)
{
    return def_var(odd ? "b1" : "b2", NC_INT, 2, DIM_X, DIM_Y);
}
static int def_var_type(void)
{
    return def_var("b", odd ? NC_FLOAT : NC_INT, 2, DIM_X, DIM_Y);
}
static int def_var_ndims(void)
{
    return def_var("b", NC_INT, odd ? 1 : 2, DIM_X, DIM_Y);
}
static int def_var_dimids(void)
{
    return def_var("b", NC_INT, 2, DIM_X, odd ? DIM_X : DIM_Y);
}
static int rename_var_name(void)
{
    return ncmpi_rename_var(ncid, 0, odd ? "w1" : "w2");
}
static int rename_var_id(void)
{
    return ncmpi_rename_var(ncid, odd ? 1 : 0, "w");
}
static int put_att(int varid, const char *name, nc_type type, int n, int last)
{
    int values[3] = { 1, 2, last };
    return ncmpi_put_att_int(ncid, varid, name, type, n, values);
}
static int put_att_name(void)
{
    return put_att(0, odd ? "n1" : "n2", NC_INT, 3, 3);
}
static int put_att_varid(void)
{
    return put_att(odd ? NC_GLOBAL : 0, "n", NC_INT, 3, 3);
}
static int put_att_type(void)
{
    return put_att(0, "n", odd ? NC_SHORT : NC_INT, 3, 3);
}
static int put_att_len(void)
{
    return put_att(0, "n", NC_INT, odd ? 2 : 3, 3);
}
static int put_att_val(void)
{
    return put_att(0, "n", NC_INT, 3, odd ? 4 : 3);
}
static int put_att_text(void)
{
    return ncmpi_put_att_text(ncid, NC_GLOBAL, "history", 3, odd ? "abd" : "abc");
}
static int put_att_generic(void)
{
    double x = odd ? 1 : 2;
    return ncmpi_put_att(ncid, NC_GLOBAL, "x", NC_DOUBLE, 1, &x);
}
static int rename_att_name(void)
{
    return ncmpi_rename_att(ncid, 0, odd ? "a1" : "a2", "c");
}
static int rename_att_newname(void)
{
    return ncmpi_rename_att(ncid, 0, "a1", odd ? "c1" : "c2");
}
static int rename_att_varid(void)
{
    return ncmpi_rename_att(ncid, odd ? 1 : 0, "a1", "c");
}
static int del_att_name(void)
{
    return ncmpi_del_att(ncid, 0, odd ? "a1" : "a2");
}
static int del_att_varid(void)
{
    return ncmpi_del_att(ncid, odd ? 1 : 0, "a1");
}
static int copy_att_name(void)
{
    return ncmpi_copy_att(ncid, 0, odd ? "a1" : "a2", ncid, NC_GLOBAL);
}
static int copy_att_from(void)
{
    return ncmpi_copy_att(ncid, odd ? 1 : 0, "a1", ncid, NC_GLOBAL);
}
static int copy_att_to(void)
{
    return ncmpi_copy_att(ncid, 0, "a2", ncid, odd ? NC_GLOBAL : 1);
}
static int set_fill_mode(void)
{
    return ncmpi_set_fill(ncid, odd ? NC_FILL : NC_NOFILL, NULL);
}
static int var_fill_id(void)
{
    return ncmpi_def_var_fill(ncid, odd ? 1 : 0, 0, NULL);
}
static int var_fill_mode(void)
{
    return ncmpi_def_var_fill(ncid, 0, odd, NULL);
}
static int var_fill_value(void)
{
    return ncmpi_def_var_fill(ncid, 0, 0, odd ? &(int){ 7 } : &(int){ 8 });
}
static int quantize_id(void)
{
    return parcdf_def_var_quantize(ncid, odd ? 3 : 2, NC_QUANTIZE_BITGROOM, 3);
}
static int quantize_mode(void)
{
    return parcdf_def_var_quantize(ncid, 2, odd ? NC_QUANTIZE_BITROUND : NC_QUANTIZE_BITGROOM, 3);
}
static int quantize_digits(void)
{
    return parcdf_def_var_quantize(ncid, 2, NC_QUANTIZE_GRANULARBR, odd ? 4 : 3);
}
static int enddef_argument(void)
{
    return ncmpi__enddef(ncid, 0, 4, 0, odd ? 8 : 4);
}

static const struct row {
    const char *name;
    int (*call)(void);
    int code; /* in safe mode, on all ranks */
} rows[] = {
    { "def_dim name", def_dim_name, NC_EMULTIDEFINE_DIM_NAME },
    { "def_dim size", def_dim_size, NC_EMULTIDEFINE_DIM_SIZE },
    { "rename_dim name", rename_dim_name, NC_EMULTIDEFINE_DIM_NAME },
    { "rename_dim id", rename_dim_id, NC_EMULTIDEFINE_FNC_ARGS },
    { "def_var name", def_var_name, NC_EMULTIDEFINE_VAR_NAME },
    { "def_var type", def_var_type, NC_EMULTIDEFINE_VAR_TYPE },
    { "def_var ndims", def_var_ndims, NC_EMULTIDEFINE_VAR_NDIMS },
    { "def_var dimids", def_var_dimids, NC_EMULTIDEFINE_VAR_DIMIDS },
    { "rename_var name", rename_var_name, NC_EMULTIDEFINE_VAR_NAME },
    { "rename_var id", rename_var_id, NC_EMULTIDEFINE_FNC_ARGS },
    { "put_att name", put_att_name, NC_EMULTIDEFINE_ATTR_NAME },
    { "put_att varid", put_att_varid, NC_EMULTIDEFINE_FNC_ARGS },
    { "put_att type", put_att_type, NC_EMULTIDEFINE_ATTR_TYPE },
    { "put_att len", put_att_len, NC_EMULTIDEFINE_ATTR_LEN },
    { "put_att value", put_att_val, NC_EMULTIDEFINE_ATTR_VAL },
    { "put_att text", put_att_text, NC_EMULTIDEFINE_ATTR_VAL },
    { "put_att generic", put_att_generic, NC_EMULTIDEFINE_ATTR_VAL },
    { "rename_att name", rename_att_name, NC_EMULTIDEFINE_ATTR_NAME },
    { "rename_att newname", rename_att_newname, NC_EMULTIDEFINE_ATTR_NAME },
    { "rename_att varid", rename_att_varid, NC_EMULTIDEFINE_FNC_ARGS },
    { "del_att name", del_att_name, NC_EMULTIDEFINE_ATTR_NAME },
    { "del_att varid", del_att_varid, NC_EMULTIDEFINE_FNC_ARGS },
    { "copy_att name", copy_att_name, NC_EMULTIDEFINE_ATTR_NAME },
    { "copy_att from", copy_att_from, NC_EMULTIDEFINE_FNC_ARGS },
    { "copy_att to", copy_att_to, NC_EMULTIDEFINE_FNC_ARGS },
    { "set_fill mode", set_fill_mode, NC_EMULTIDEFINE_FILL_MODE },
    { "def_var_fill varid", var_fill_id, NC_EMULTIDEFINE_FNC_ARGS },
    { "def_var_fill no_fill", var_fill_mode, NC_EMULTIDEFINE_FNC_ARGS },
    { "def_var_fill value", var_fill_value, NC_EMULTIDEFINE_VAR_FILL_VALUE },
    { "def_var_quantize varid", quantize_id, NC_EMULTIDEFINE_FNC_ARGS },
    { "def_var_quantize mode", quantize_mode, NC_EMULTIDEFINE_FNC_ARGS },
    { "def_var_quantize digits", quantize_digits, NC_EMULTIDEFINE_FNC_ARGS },
    { "_enddef argument", enddef_argument, NC_EMULTIDEFINE_FNC_ARGS },
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* ---- the file */

static struct pcdf_dataset *dataset(void)
{
    struct pcdf_dataset *ds = NULL;
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    return ds;
}

static void make_file(void)
{
    int d[2] = { DIM_X, DIM_Y };
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_64BIT_DATA, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, NULL), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", 4, NULL), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "y", 3, NULL), NC_NOERR);
    for (int v = 0; v < 2; v++) {
        CHECK_NC(ncmpi_def_var(ncid, v ? "v1" : "v0", NC_INT, 2, d, NULL), NC_NOERR);
        CHECK_NC(ncmpi_put_att_text(ncid, v, "a1", 3, "one"), NC_NOERR);
        CHECK_NC(ncmpi_put_att_text(ncid, v, "a2", 3, "one"), NC_NOERR);
    }
    CHECK_NC(ncmpi_def_var(ncid, "v2", NC_FLOAT, 1, d, NULL), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v3", NC_DOUBLE, 1, d, NULL), NC_NOERR);
}

/* The odd rank's call differs: the same code everywhere, two messages, the definitions as before. */
static void differ(const struct row *row)
{
    struct pcdf_meta before;
    make_file();
    struct pcdf_dataset *ds = dataset();
    CHECK(ds->safe_mode, "safe mode is off on rank %d", my_rank);
    CHECK_INT(pcdf_meta_copy(&before, &ds->meta), NC_NOERR);
    int64_t messages = ds->counts.allreduce;
    int err = row->call();
    CHECK(err == row->code, "%s: rank %d gets %s, not %s", row->name, my_rank, ncmpi_strerrno(err),
          ncmpi_strerrno(row->code));
    CHECK_INT(ds->counts.allreduce - messages, 2);
    CHECK(equal_meta(&before, &ds->meta), "%s: the definitions changed", row->name);
    pcdf_meta_free(&before);
    CHECK_NC(def_var("later", NC_INT, 1, DIM_X, 0), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* The same calls, equal on all ranks: they do what they should, with one message each. */
static void agree(const struct row *row)
{
    make_file();
    struct pcdf_dataset *ds = dataset();
    int64_t messages = ds->counts.allreduce;
    bool was_odd = odd;
    odd = false;
    CHECK_NC(row->call(), NC_NOERR);
    odd = was_odd;
    if (row->call != enddef_argument)
        CHECK_INT(ds->counts.allreduce - messages, my_size > 1);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* One rank's own error is every rank's. */
static void one_fails(void)
{
    make_file();
    CHECK_NC(ncmpi_def_dim(ncid, "new", odd ? -1 : 4, NULL), NC_EDIMSIZE);
    CHECK_NC(ncmpi_def_dim(ncid, odd ? NULL : "new", 4, NULL), NC_EBADNAME);
    CHECK_NC(def_var("b", odd ? NC_STRING : NC_INT, 1, DIM_X, 0), NC_EBADTYPE);
    CHECK_NC(def_var("b", NC_INT, 1, odd ? 77 : DIM_X, 0), NC_EBADDIM);
    CHECK_NC(ncmpi_rename_var(ncid, odd ? 9 : 0, "w"), NC_ENOTVAR);
    CHECK_NC(ncmpi_put_att_int(ncid, 0, "n", NC_INT, odd ? -4 : 1, &(int){ 1 }), NC_EINVAL);
    CHECK_NC(ncmpi_del_att(ncid, 0, odd ? "none" : "a1"), NC_ENOTATT);
    CHECK_NC(parcdf_def_var_quantize(ncid, odd ? 0 : 2, NC_QUANTIZE_BITROUND, 3), NC_EINVAL);
    CHECK_NC(ncmpi__enddef(ncid, odd ? -1 : 0, 0, 0, 0), NC_EINVAL);
    CHECK_INT(dataset()->meta.ndims, 3);
    /* Out of range is no failure: all store, all say so. */
    CHECK_NC(ncmpi_put_att_int(ncid, 0, "big", NC_BYTE, 1, &(int){ 1000 }), NC_ERANGE);
    CHECK_NC(ncmpi_inq_attid(ncid, 0, "big", NULL), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* In data mode, where rank 0 writes the header at once. */
static void in_data_mode(void)
{
    char name[NC_MAX_NAME + 1] = "";
    make_file();
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_rename_var(ncid, 0, odd ? "w" : "u"), NC_EMULTIDEFINE_VAR_NAME);
    CHECK_NC(ncmpi_rename_var(ncid, 0, "w"), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, 0, "a1", 3, "two"), NC_NOERR);
    CHECK_NC(def_var("b", NC_INT, 1, DIM_X, 0), NC_ENOTINDEFINE);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_varname(ncid, 0, name), NC_NOERR);
    CHECK(strcmp(name, "w") == 0, "variable 0 is %s", name);
    CHECK_NC(ncmpi_rename_var(ncid, 0, "u"), NC_EPERM);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* A bad put on one rank: all get its error, and nothing is written. */
static void data(void)
{
    int values[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }, back[12] = { 0 };
    MPI_Offset start[2] = { odd ? 7 : 0, 0 }, count[2] = { my_rank == 0 || odd ? 4 : 0, 3 };
    make_file();
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, 0, start, count, values), NC_EINVALCOORDS);
    CHECK_NC(ncmpi_get_var_int_all(ncid, 0, back), NC_NOERR);
    for (int i = 0; i < 12; i++)
        CHECK(back[i] != values[i], "element %d was written", i);
    start[0] = 0;
    CHECK_NC(ncmpi_put_vara_int_all(ncid, 0, start, count, values), NC_NOERR);
    CHECK_NC(ncmpi_get_var_int_all(ncid, 0, back), NC_NOERR);
    CHECK(memcmp(values, back, sizeof values) == 0, "rank %d reads other values", my_rank);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* The record to fill must be the same. */
static void fill_record(void)
{
    MPI_Offset records = -1;
    int var, dim = DIM_T;
    make_file();
    CHECK_NC(ncmpi_def_var(ncid, "r", NC_INT, 1, &dim, &var), NC_NOERR);
    CHECK_NC(ncmpi_def_var_fill(ncid, var, 0, NULL), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_fill_var_rec(ncid, var, odd ? 1 : 0), NC_EMULTIDEFINE_FNC_ARGS);
    CHECK_NC(ncmpi_fill_var_rec(ncid, odd ? 0 : var, 0), NC_ENOTRECVAR);
    CHECK_NC(ncmpi_inq_dimlen(ncid, DIM_T, &records), NC_NOERR);
    CHECK_INT(records, 0);
    CHECK_NC(ncmpi_fill_var_rec(ncid, var, 1), NC_NOERR);
    CHECK_NC(ncmpi_inq_dimlen(ncid, DIM_T, &records), NC_NOERR);
    CHECK_INT(records, 2);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* One rank defines a dimension, the others a variable. */
static void other_calls(void)
{
    make_file();
    int err = odd ? ncmpi_def_dim(ncid, "new", 4, NULL) : def_var("b", NC_INT, 1, DIM_X, 0);
    CHECK_NC(err, NC_EMULTIDEFINE_FNC_ARGS);
    CHECK_NC(ncmpi_def_dim(ncid, "new", 4, NULL), NC_EMULTIDEFINE_FNC_ARGS);
    CHECK_NC(ncmpi_close(ncid), NC_EMULTIDEFINE_FNC_ARGS);
}

/* Modes that differ are every rank's to know, and the file is open; hints that differ keep it closed. */
static void open_and_create(void)
{
    MPI_Info info;
    make_file();
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, odd ? NC_WRITE : NC_NOWRITE, MPI_INFO_NULL, &ncid),
             NC_EMULTIDEFINE_OMODE);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, odd ? NC_64BIT_DATA : 0, MPI_INFO_NULL, &ncid),
             NC_EMULTIDEFINE_CMODE);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    static const char *const hints[][3] = {
        { "nc_record_align_size", "1024", "512" },
        { "pcdf_debug_consistency", "error",
          "warn" }, /* here and below: rank 0's value holds out of safe mode */
        { "pcdf_debug_exchange_size", "1M", "2M" },
        { "pcdf_atomic_create", "true", "false" },
        { "nc_num_aggrs_per_node", "1", "2" },
    };
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        MPI_Info_create(&info);
        MPI_Info_set(info, hints[i][0], odd ? hints[i][1] : hints[i][2]);
        CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, 0, info, &ncid), NC_EMULTIDEFINE_HINTS);
        MPI_Info_free(&info);
        CHECK_INT(ncid, -1);
    }
}

/* Out of safe mode: no message, no error, until enddef takes rank 0's. */
static void without(const struct row *row)
{
    make_file();
    struct pcdf_dataset *ds = dataset();
    CHECK(!ds->safe_mode, "safe mode is on on rank %d", my_rank);
    int64_t messages = ds->counts.allreduce;
    int err = row->call();
    CHECK(err == NC_NOERR, "%s without safe mode: rank %d gets %s", row->name, my_rank, ncmpi_strerrno(err));
    if (row->call != enddef_argument)
        CHECK_INT(ds->counts.allreduce, messages);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Every rank says `mine` but rank 0, which says `roots` and decides. */
static void set(const char *roots, const char *mine)
{
    const char *text = my_rank == 0 ? roots : mine;
    if (text)
        setenv("PNETCDF_SAFE_MODE", text, 1);
    else
        unsetenv("PNETCDF_SAFE_MODE");
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "safe_mode", 100);
    odd = my_rank == my_size - 1 && my_size > 1;
    set("1", "0");
    for (int i = 0; i < ROWS; i++) {
        if (my_size > 1)
            differ(&rows[i]);
        agree(&rows[i]);
    }
    if (my_size > 1) {
        one_fails();
        set("", NULL); /* empty is on */
        data();
        fill_record();
        other_calls();
        open_and_create();
    }
    if (my_size > 1)
        in_data_mode();
    for (int i = 0; i < ROWS; i++) {
        set(i % 2 ? NULL : "0", "1");
        without(&rows[i]);
    }
    return together_end("safe_mode");
}
