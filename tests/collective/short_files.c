/* Fixes what is read behind the end of a file that is shorter than its data, cut at every place: in a file
 * that is only read the variable's fill value and NC_ETRUNC, everything else delivered, in each form, type
 * and way; in one that may be written zeros and no error. And what close does: a file that was written ends
 * where its data ends; one that was short when it was opened stays short. */
#include <sys/stat.h>
#include "together.h"

enum { ROWS = 4, COLUMNS = 10, RECORDS = 3, WIDE = 5, FILL = -7 };

static struct {
    int ncid, fixed, wide, rec, text;
    MPI_Offset fixed_at, wide_at, rec_at, text_at, recsize, size;
} s;

static int fixed_value(MPI_Offset i)
{
    return (int)(1000 + i);
}

/* Two fixed-size and two record variables, all written. fixed has a _FillValue of its own. */
static void make_file(void)
{
    int dims[3], t, fill = FILL, fixed[ROWS * COLUMNS];
    double wide[WIDE];
    short rec[RECORDS * WIDE];
    char text[RECORDS * WIDE];
    MPI_Offset start[2] = { 0, 0 }, count[2] = { RECORDS, WIDE };
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_OFFSET, MPI_INFO_NULL, &s.ncid),
             NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s.ncid, "t", NC_UNLIMITED, &t), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s.ncid, "rows", ROWS, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s.ncid, "columns", COLUMNS, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s.ncid, "wide", WIDE, &dims[2]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s.ncid, "fixed", NC_INT, 2, dims, &s.fixed), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s.ncid, "wide", NC_DOUBLE, 1, &dims[2], &s.wide), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s.ncid, "rec", NC_SHORT, 2, (int[]){ t, dims[2] }, &s.rec), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s.ncid, "text", NC_CHAR, 2, (int[]){ t, dims[2] }, &s.text), NC_NOERR);
    CHECK_NC(ncmpi_put_att_int(s.ncid, s.fixed, "_FillValue", NC_INT, 1, &fill), NC_NOERR);
    CHECK_NC(ncmpi_enddef(s.ncid), NC_NOERR);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        fixed[i] = fixed_value(i);
    for (int i = 0; i < WIDE; i++)
        wide[i] = 0.5 + i;
    for (int i = 0; i < RECORDS * WIDE; i++) {
        rec[i] = (short)(200 + i);
        text[i] = (char)('A' + i);
    }
    CHECK_NC(ncmpi_put_var_int_all(s.ncid, s.fixed, fixed), NC_NOERR);
    CHECK_NC(ncmpi_put_var_double_all(s.ncid, s.wide, wide), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_short_all(s.ncid, s.rec, start, count, rec), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_text_all(s.ncid, s.text, start, count, text), NC_NOERR);
    CHECK_NC(ncmpi_inq_varoffset(s.ncid, s.fixed, &s.fixed_at), NC_NOERR);
    CHECK_NC(ncmpi_inq_varoffset(s.ncid, s.wide, &s.wide_at), NC_NOERR);
    CHECK_NC(ncmpi_inq_varoffset(s.ncid, s.rec, &s.rec_at), NC_NOERR);
    CHECK_NC(ncmpi_inq_varoffset(s.ncid, s.text, &s.text_at), NC_NOERR);
    CHECK_NC(ncmpi_inq_recsize(s.ncid, &s.recsize), NC_NOERR);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
    s.size = s.text_at + (RECORDS - 1) * s.recsize + WIDE;
}

static MPI_Offset size_now(void)
{
    struct stat file = { 0 };
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(stat(my_path, &file) == 0, "%s is not there", my_path);
    MPI_Barrier(MPI_COMM_WORLD);
    return file.st_size;
}

static void cut_file(MPI_Offset size)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK(truncate(my_path, size) == 0, "%s cannot be cut", my_path);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* What stands for an element: its value where it is in the file, else `missing`; *cut is set then. */
static double expected(MPI_Offset at, int bytes, MPI_Offset size, double value, double missing, bool *cut)
{
    if (at + bytes <= size)
        return value;
    *cut = true;
    return missing;
}

static void check_code(int err, bool cut, bool writes, const char *what, MPI_Offset size)
{
    int want = cut && !writes ? NC_ETRUNC : NC_NOERR;
    CHECK(err == want, "rank %d, %s, cut at %lld: %s, not %s", my_rank, what, (long long)size,
          ncmpi_strerrno(err), ncmpi_strerrno(want));
}

/* ---- every variable, whole, of a file that has `size` bytes */

static void read_fixed_whole(MPI_Offset size, bool writes)
{
    int got[ROWS * COLUMNS];
    bool cut = false;
    memset(got, 0x5a, sizeof got);
    int err = ncmpi_get_var_int_all(s.ncid, s.fixed, got);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        CHECK_INT(got[i], expected(s.fixed_at + 4 * i, 4, size, fixed_value(i), writes ? 0 : FILL, &cut));
    check_code(err, cut, writes, "fixed", size);
}

static void read_wide_whole(MPI_Offset size, bool writes)
{
    double got[WIDE], fill = writes ? 0 : NC_FILL_DOUBLE;
    bool cut = false;
    memset(got, 0x5a, sizeof got);
    int err = ncmpi_get_var_double_all(s.ncid, s.wide, got);
    for (int i = 0; i < WIDE; i++) {
        double want = expected(s.wide_at + 8 * i, 8, size, 0.5 + i, fill, &cut);
        CHECK(got[i] == want, "wide[%d] is %g, not %g", i, got[i], want);
    }
    check_code(err, cut, writes, "wide", size);
}

/* Of records, where rank 1 asks for none of them. */
static void read_records(MPI_Offset size, bool writes)
{
    int got[RECORDS * WIDE];
    char text[RECORDS * WIDE];
    MPI_Offset start[2] = { 0, 0 }, count[2] = { my_rank == 1 ? 0 : RECORDS, WIDE };
    bool cut = false, text_cut = false;
    memset(got, 0x5a, sizeof got);
    memset(text, 0x5a, sizeof text);
    int err = ncmpi_get_vara_int_all(s.ncid, s.rec, start, count, got);
    int text_err = ncmpi_get_vara_text_all(s.ncid, s.text, start, count, text);
    for (int i = 0; i < (int)count[0] * WIDE; i++) {
        MPI_Offset record = i / WIDE * s.recsize, column = i % WIDE;
        CHECK_INT(got[i], expected(s.rec_at + record + 2 * column, 2, size, 200 + i,
                                   writes ? 0 : NC_FILL_SHORT, &cut));
        CHECK_INT(text[i], expected(s.text_at + record + column, 1, size, 'A' + i, writes ? 0 : NC_FILL_CHAR,
                                    &text_cut));
    }
    check_code(err, cut, writes, "rec", size);
    check_code(text_err, text_cut, writes, "text", size);
}

static void read_cut_at(MPI_Offset size, bool writes)
{
    cut_file(size);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, writes ? NC_WRITE : NC_NOWRITE, MPI_INFO_NULL, &s.ncid),
             NC_NOERR);
    read_fixed_whole(size, writes);
    read_wide_whole(size, writes);
    read_records(size, writes);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
    CHECK_INT(size_now(), size); /* nothing was written: nothing changes */
}

/* ---- each form and way, of `fixed` */

enum form { VAR1, VARA, VARS, VARM, VARN, FORMS };
enum way { COLLECTIVE, INDEPENDENT, POSTED, WAYS };

static const char *const form_names[] = { "var1", "vara", "vars", "varm", "varn" };

/* Which elements, in the order of the buffer. */
static int elements(enum form form, int at[6])
{
    static const int lists[FORMS][6] = {
        [VAR1] = { 23 },
        [VARA] = { 12, 13, 14, 22, 23, 24 },
        [VARS] = { 1, 4, 7, 21, 24, 27 },
        [VARM] = { 1, 21, 4, 24, 7, 27 }, /* the same, transposed */
        [VARN] = { 31, 32, 33, 5, 6, 7 },
    };
    memcpy(at, lists[form], sizeof lists[form]);
    return form == VAR1 ? 1 : 6;
}

static MPI_Offset vara_start[2] = { 1, 2 }, vara_count[2] = { 2, 3 }, vars_start[2] = { 0, 1 },
                  stride[2] = { 2, 3 }, imap[2] = { 1, 2 }, var1_at[2] = { 2, 3 };
static MPI_Offset varn_first[2] = { 3, 1 }, varn_second[2] = { 0, 5 }, varn_count[2] = { 1, 3 };
static MPI_Offset *const varn_starts[2] = { varn_first, varn_second }, *const varn_counts[2] = { varn_count,
                                                                                                 varn_count };

/* As doubles, so that values are converted; `ints`: as they are. */
static int get_doubles(enum form form, enum way way, double *got, int *id)
{
    bool all = way == COLLECTIVE;
    int n = s.ncid, v = s.fixed;
    switch (form) {
    case VAR1:
        return way == POSTED ? ncmpi_iget_var1_double(n, v, var1_at, got, id)
               : all         ? ncmpi_get_var1_double_all(n, v, var1_at, got)
                             : ncmpi_get_var1_double(n, v, var1_at, got);
    case VARA:
        return way == POSTED ? ncmpi_iget_vara_double(n, v, vara_start, vara_count, got, id)
               : all         ? ncmpi_get_vara_double_all(n, v, vara_start, vara_count, got)
                             : ncmpi_get_vara_double(n, v, vara_start, vara_count, got);
    case VARS:
        return way == POSTED ? ncmpi_iget_vars_double(n, v, vars_start, vara_count, stride, got, id)
               : all         ? ncmpi_get_vars_double_all(n, v, vars_start, vara_count, stride, got)
                             : ncmpi_get_vars_double(n, v, vars_start, vara_count, stride, got);
    case VARM:
        return way == POSTED ? ncmpi_iget_varm_double(n, v, vars_start, vara_count, stride, imap, got, id)
               : all         ? ncmpi_get_varm_double_all(n, v, vars_start, vara_count, stride, imap, got)
                             : ncmpi_get_varm_double(n, v, vars_start, vara_count, stride, imap, got);
    default:
        return way == POSTED ? ncmpi_iget_varn_double(n, v, 2, varn_starts, varn_counts, got, id)
               : all         ? ncmpi_get_varn_double_all(n, v, 2, varn_starts, varn_counts, got)
                             : ncmpi_get_varn_double(n, v, 2, varn_starts, varn_counts, got);
    }
}

static void read_form(enum form form, enum way way, MPI_Offset size)
{
    double got[6];
    int at[6], n = elements(form, at), id = NC_REQ_NULL, status = 1;
    bool cut = false;
    for (int i = 0; i < 6; i++)
        got[i] = -99;
    int err = get_doubles(form, way, got, &id);
    if (way == POSTED) {
        CHECK_NC(err, NC_NOERR);
        err = ncmpi_wait_all(s.ncid, 1, &id, &status);
        CHECK(status == err, "%s: the status is %s, the call %s", form_names[form], ncmpi_strerrno(status),
              ncmpi_strerrno(err));
    }
    for (int i = 0; i < n; i++) {
        double want = expected(s.fixed_at + 4 * at[i], 4, size, fixed_value(at[i]), FILL, &cut);
        CHECK(got[i] == want, "%s, way %d, cut at %lld: %g, not %g", form_names[form], way, (long long)size,
              got[i], want);
    }
    check_code(err, cut, false, form_names[form], size);
}

static void read_forms(MPI_Offset size)
{
    cut_file(size);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &s.ncid), NC_NOERR);
    for (int way = 0; way < WAYS; way++) {
        if (way == INDEPENDENT)
            CHECK_NC(ncmpi_begin_indep_data(s.ncid), NC_NOERR);
        for (int form = 0; form < FORMS; form++)
            read_form((enum form)form, (enum way)way, size);
        if (way == INDEPENDENT)
            CHECK_NC(ncmpi_end_indep_data(s.ncid), NC_NOERR);
    }
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
}

/* Several gets in one wait: each has its own status. And flexible calls, as well as a fill value that does
 * not fit the memory's type: that the file ends is said first. */
static void read_several(MPI_Offset size)
{
    int first = -1, last = -1, ids[2], statuses[2] = { 1, 1 };
    MPI_Offset end[2] = { ROWS - 1, COLUMNS - 1 }, begin[2] = { 0, 0 };
    signed char small[WIDE];
    bool cut = false;
    cut_file(size);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &s.ncid), NC_NOERR);
    CHECK_NC(ncmpi_iget_var1_int(s.ncid, s.fixed, begin, &first, &ids[0]), NC_NOERR);
    CHECK_NC(ncmpi_iget_var1(s.ncid, s.fixed, end, &last, 1, MPI_INT, &ids[1]), NC_NOERR);
    CHECK_NC(ncmpi_wait_all(s.ncid, 2, ids, statuses), NC_ETRUNC);
    CHECK_NC(statuses[0], NC_NOERR);
    CHECK_NC(statuses[1], NC_ETRUNC);
    CHECK_INT(first, fixed_value(0));
    CHECK_INT(last, FILL);
    memset(small, 1, sizeof small);
    int err = ncmpi_get_var_schar_all(s.ncid, s.wide, small);
    for (int i = 0; i < WIDE; i++)
        CHECK_INT(small[i], expected(s.wide_at + 8 * i, 8, size, (int)(0.5 + i), NC_FILL_BYTE, &cut));
    check_code(err, cut, false, "wide as bytes", size);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
}

/* ---- close */

/* Two values of a new file are written; the rest of it is zeros, to the end, for every reader. */
static void close_extends(void)
{
    int dim, t, got[COLUMNS], one = 1;
    MPI_Offset at[2] = { 1, 0 }, zero[1] = { 0 };
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &s.ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s.ncid, "t", NC_UNLIMITED, &t), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s.ncid, "columns", COLUMNS, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s.ncid, "fixed", NC_INT, 1, &dim, &s.fixed), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s.ncid, "rec", NC_INT, 2, (int[]){ t, dim }, &s.rec), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s.ncid, "bytes", NC_BYTE, 2, (int[]){ t, dim }, &s.text), NC_NOERR);
    CHECK_NC(ncmpi_enddef(s.ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var1_int_all(s.ncid, s.fixed, zero, &one), NC_NOERR);
    CHECK_NC(ncmpi_put_var1_int_all(s.ncid, s.rec, at, &one), NC_NOERR);
    CHECK_NC(ncmpi_inq_varoffset(s.ncid, s.text, &s.text_at), NC_NOERR);
    CHECK_NC(ncmpi_inq_recsize(s.ncid, &s.recsize), NC_NOERR);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
    CHECK_INT(size_now(), s.text_at + s.recsize + COLUMNS);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &s.ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_var_int_all(s.ncid, s.fixed, got), NC_NOERR);
    for (int i = 0; i < COLUMNS; i++)
        CHECK_INT(got[i], i == 0);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
}

/* Written before its end a short file stays as short; written behind it, it ends there. */
static void short_stays_short(void)
{
    MPI_Offset size, first[2] = { 0, 0 }, later[2] = { 2, 0 };
    int one = 1, got[COLUMNS];
    make_file();
    size = s.fixed_at + 4 * COLUMNS + 2;
    cut_file(size);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &s.ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var1_int_all(s.ncid, s.fixed, first, &one), NC_NOERR);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
    CHECK_INT(size_now(), size);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &s.ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var1_int_all(s.ncid, s.fixed, later, &one), NC_NOERR);
    CHECK_NC(ncmpi_sync(s.ncid), NC_NOERR);
    MPI_Offset start[2] = { 1, 0 }, count[2] = { 1, COLUMNS };
    CHECK_NC(ncmpi_get_vara_int_all(s.ncid, s.fixed, start, count, got), NC_NOERR);
    for (int i = 0; i < COLUMNS; i++) /* the first was cut in two */
        CHECK(i == 0 || got[i] == 0, "row 1, %d: %d", i, got[i]);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
    CHECK_INT(size_now(), s.fixed_at + 4 * (2 * COLUMNS + 1));
}

/* A reader finds that the writer has gone on meanwhile. */
static void writer_goes_on(void)
{
    int value = 1;
    MPI_Offset end[2] = { ROWS - 1, COLUMNS - 1 };
    make_file();
    cut_file(s.fixed_at);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &s.ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_var1_int_all(s.ncid, s.fixed, end, &value), NC_ETRUNC);
    CHECK_INT(value, FILL);
    cut_file(s.size); /* makes it longer, with zeros */
    CHECK_NC(ncmpi_get_var1_int_all(s.ncid, s.fixed, end, &value), NC_NOERR);
    CHECK_INT(value, 0);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "short_files", 110);
    make_file();
    CHECK_INT(size_now(), s.size);
    for (MPI_Offset size = s.size; size >= s.fixed_at - 1; size -= size > s.wide_at + 20 ? 1 : 3)
        read_cut_at(size, false);
    make_file();
    /* No element is cut in two: where one may write, of such a one the bytes that are there are read. */
    for (MPI_Offset size = s.fixed_at + (s.size - s.fixed_at) / 8 * 8; size >= s.fixed_at; size -= 8)
        read_cut_at(size, true);
    make_file();
    for (MPI_Offset size = s.wide_at; size >= s.fixed_at - 1; size -= 3)
        read_forms(size);
    make_file();
    for (MPI_Offset size = s.wide_at + 20; size > s.fixed_at + 4; size -= 13)
        if (size < s.fixed_at + 4 * ROWS * COLUMNS)
            read_several(size);
    close_extends();
    short_stays_short();
    writer_goes_on();
    return together_end("short_files");
}
