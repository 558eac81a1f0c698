/* Fixes: the 15 defects of PnetCDF 1.15.0 that the reference lists in its section 7.1, in its order, are not
 * ours. Each is a function named after it; one line of the output tells of each. Defects with more to them
 * have tests of their own too (README.md). */

#include "peerfiles.h"

/* ---- 1 */

/* Another file is open, in the slot that the closed one had or beside it. */
static void defect_1_stale_ncid_crashes(void)
{
    struct sample a = make_sample(MPI_INFO_NULL), b;
    char other[1100];
    int got = -1, id = -1;
    MPI_Offset n = -1, start[2] = { 0, 0 };
    snprintf(other, sizeof other, "%s.b", my_path);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, other, NC_CLOBBER, MPI_INFO_NULL, &b.ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(a.ncid), NC_NOERR);
    const int stale[] = { a.ncid, b.ncid + 1, 1023, 1024, -1, INT32_MAX, INT32_MIN };
    for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++) {
        int ncid = stale[i];
        CHECK_NC(ncmpi_inq(ncid, &got, &got, &got, &got), NC_EBADID);
        CHECK_NC(ncmpi_inq_varid(ncid, "fixed", &id), NC_EBADID);
        CHECK_NC(ncmpi_inq_dimlen(ncid, 0, &n), NC_EBADID);
        CHECK_NC(ncmpi_def_dim(ncid, "x", 1, &id), NC_EBADID);
        CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "a", 1, "a"), NC_EBADID);
        CHECK_NC(ncmpi_get_var1_int_all(ncid, 0, start, &got), NC_EBADID);
        CHECK_NC(ncmpi_iput_var1_int(ncid, 0, start, &got, &id), NC_EBADID);
        CHECK_NC(ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL), NC_EBADID);
        CHECK_NC(ncmpi_redef(ncid), NC_EBADID);
        CHECK_NC(ncmpi_sync(ncid), NC_EBADID);
        CHECK_NC(ncmpi_close(ncid), NC_EBADID);
    }
    CHECK_NC(ncmpi_close(b.ncid), NC_NOERR);
    if (my_rank == 0)
        unlink(other);
}

/* ---- 8 */

static void defect_8_char_mismatch_and_null_outputs(void)
{
    int ncid = -1, dim, id, ndims = -1, numbers[4] = { 1, 2, 3, 4 };
    MPI_Offset start[1] = { 0 }, count[1] = { 4 };
    nc_type type = NC_NAT;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", 4, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "text", NC_CHAR, 1, &dim, NULL), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "number", NC_INT, 1, &dim, NULL), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_all(ncid, 0, start, count, numbers, 4, MPI_INT), NC_ECHAR);
    CHECK_NC(ncmpi_put_vara_all(ncid, 1, start, count, "text", 4, MPI_CHAR), NC_ECHAR);
    CHECK_NC(ncmpi_get_vara_all(ncid, 0, start, count, numbers, 4, MPI_INT), NC_ECHAR);
    CHECK_NC(ncmpi_iput_vara(ncid, 0, start, count, numbers, 4, MPI_INT, &id), NC_ECHAR);
    CHECK_NC(ncmpi_iget_vara(ncid, 0, start, count, numbers, 4, MPI_INT, &id), NC_ECHAR);
    CHECK_NC(ncmpi_inq_vartype(ncid, 0, NULL), NC_NOERR);
    CHECK_NC(ncmpi_inq_varndims(ncid, 0, NULL), NC_NOERR);
    CHECK_NC(ncmpi_inq_var(ncid, 0, NULL, &type, &ndims, NULL, NULL), NC_NOERR);
    CHECK(type == NC_CHAR && ndims == 1, "variable 0 has type %d and %d dimensions", type, ndims);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* ---- 11 */

static int dup_fails_on = -1;

int MPI_Comm_dup(MPI_Comm c, MPI_Comm *made)
{
    int err = PMPI_Comm_dup(c, made);
    if (dup_fails_on != my_rank)
        return err;
    *made = MPI_COMM_NULL;
    return MPI_ERR_OTHER;
}

/* Safe mode: a call that fails on one rank leaves nothing behind on any. */
static void failed_definitions(int bad)
{
    bool is_bad = my_rank == bad;
    int ncid = -1, var = -1, nvars = -1;
    setenv("PNETCDF_SAFE_MODE", "1", 1);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    unsetenv("PNETCDF_SAFE_MODE");
    CHECK_NC(ncmpi_def_var(ncid, "v", is_bad ? 77 : NC_INT, 0, NULL, &var), NC_EBADTYPE);
    CHECK_NC(ncmpi_def_var(ncid, is_bad ? "w" : "v", NC_INT, 0, NULL, &var),
             my_size > 1 ? NC_EMULTIDEFINE_VAR_NAME : NC_NOERR);
    CHECK_NC(ncmpi_inq_nvars(ncid, &nvars), NC_NOERR);
    CHECK_INT(nvars, my_size > 1 ? 0 : 1);
    CHECK_NC(ncmpi_inq_varid(ncid, "v", &var), my_size > 1 ? NC_ENOTVAR : is_bad ? NC_ENOTVAR : NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "again", NC_INT, 0, NULL, &var), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, var, "here", 1, "x"), NC_NOERR);
    CHECK_NC(ncmpi_del_att(ncid, var, is_bad ? "absent" : "here"), NC_ENOTATT);
    CHECK_NC(ncmpi_inq_attid(ncid, var, "here", NULL), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void defect_11_failures_of_one_rank(void)
{
    for (int bad = 0; bad < my_size; bad++) {
        int ncid = -1;
        MPI_Comm comm;
        failed_definitions(bad);
        PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
        dup_fails_on = bad;
        CHECK_NC(ncmpi_create(comm, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_EMPI);
        dup_fails_on = -1;
        PMPI_Comm_free(&comm);
    }
}

/* ---- 12 */

/* 2^31 + 16 elements are filled, on storage that moves nothing: what was handed to it is counted. And a
 * record filled is a record on every rank. */
static void defect_12_filling_counts_in_int(void)
{
    int ncid = -1, dims[2], var;
    MPI_Offset mine = -1, all = 0, n = ((MPI_Offset)1 << 31) + 16, records = -1;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", "null");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "x", n, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_BYTE, 1, dims, &var), NC_NOERR);
    CHECK_NC(ncmpi_def_var_fill(ncid, var, 0, NULL), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_put_size(ncid, &mine), NC_NOERR);
    MPI_Allreduce(&mine, &all, 1, MPI_OFFSET, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all >= n && all < n + 4096, "%lld bytes were written to fill %lld", (long long)all, (long long)n);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    struct sample s = make_sample(MPI_INFO_NULL);
    CHECK_NC(ncmpi_redef(s.ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_var_fill(s.ncid, s.rec, 0, NULL), NC_NOERR);
    CHECK_NC(ncmpi_enddef(s.ncid), NC_NOERR);
    CHECK_NC(ncmpi_fill_var_rec(s.ncid, s.rec, 2), NC_NOERR);
    records = records_of(&s);
    CHECK_INT(records, 3);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
}

/* ---- 13 */

static int64_t held(void)
{
    MPI_Offset n = -1;
    CHECK_NC(ncmpi_inq_malloc_size(&n), NC_NOERR);
    return n;
}

/* Each byte counts once: on rank 0 what it reads of the header, which is all of this file, then the data. */
static void bytes_are_counted_once(void)
{
    struct sample s = make_sample(MPI_INFO_NULL);
    struct stat file = { 0 };
    int row[COLUMNS] = { 0 };
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { 1, COLUMNS }, n = -1;
    CHECK_NC(ncmpi_put_vara_int_all(s.ncid, s.fixed, start, count, row), NC_NOERR);
    s = reopen(s);
    CHECK(stat(my_path, &file) == 0, "%s is not there", my_path);
    CHECK_NC(ncmpi_inq_get_size(s.ncid, &n), NC_NOERR);
    CHECK_INT(n, my_rank == 0 ? (int64_t)file.st_size : 0);
    CHECK_NC(ncmpi_get_vara_int_all(s.ncid, s.fixed, start, count, row), NC_NOERR);
    CHECK_NC(ncmpi_inq_get_size(s.ncid, &n), NC_NOERR);
    CHECK_INT(n, (my_rank == 0 ? (int64_t)file.st_size : 0) + (int64_t)sizeof row);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
}

/* The second write of each rank fails: of rank 0 that is the first behind the header, since it writes that.
 */
static void statuses_tell(void)
{
    MPI_Info info;
    int values[COLUMNS], ids[2], statuses[2] = { 0, 0 };
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_fault", "write:2+@0=NC_ENO_SPACE");
    struct sample s = make_sample(info);
    MPI_Info_free(&info);
    values_of(my_rank, 13, values);
    CHECK_NC(post_record(&s, 0, values, &ids[0]), NC_NOERR);
    CHECK_NC(post_record(&s, 1, values, &ids[1]), NC_NOERR);
    int err = ncmpi_wait_all(s.ncid, 2, ids, statuses);
    bool waits = together_all(err == NC_NOERR && together_queues(s.ncid)); /* with pcdf_async: told later */
    CHECK_NC(waits ? parcdf_wait(my_path) : err, NC_ENO_SPACE); /* on the others: no record was added */
    if (!waits) {
        CHECK_NC(statuses[0], NC_ENO_SPACE);
        CHECK_NC(statuses[1], NC_ENO_SPACE);
        CHECK_INT(records_of(&s), 0);
    }
    CHECK_NC(ncmpi_close(s.ncid), NC_ENO_SPACE);
}

static void defect_13_what_close_and_statuses_forget(void)
{
    int64_t before = held();
    int values[COLUMNS], id;
    CHECK_INT(before, 0);
    for (int pending = 0; pending < 2; pending++) { /* on the last rank; all are told */
        struct sample s = make_sample(MPI_INFO_NULL);
        MPI_Offset start[3] = { 0, my_rank, 0 }, count[3] = { 1, 1, COLUMNS };
        values_of(my_rank, 12, values);
        CHECK_NC(ncmpi_buffer_attach(s.ncid, 100000), NC_NOERR);
        if (pending && my_rank == my_size - 1)
            CHECK_NC(ncmpi_bput_vara_int(s.ncid, s.rec, start, count, values, &id), NC_NOERR);
        CHECK_NC(ncmpi_close(s.ncid), pending ? NC_EPENDING : NC_NOERR);
        CHECK_INT(held(), before);
    }
    bytes_are_counted_once();
    statuses_tell();
    CHECK_INT(held(), before);
}

/* ---- 15 */

static void odd_hint(const char *name, const char *value)
{
    enum { NAMES = 40 };
    MPI_Info info;
    int ncid = -1, id = -1;
    char text[3000] = "", thing[20];
    MPI_Info_create(&info);
    MPI_Info_set(info, name, value);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    for (int i = 0; i < NAMES; i++) {
        snprintf(thing, sizeof thing, "name%d", i);
        CHECK_NC(ncmpi_def_dim(ncid, thing, i + 1, &id), NC_NOERR);
        CHECK_NC(ncmpi_def_var(ncid, thing, NC_INT, 1, &id, NULL), NC_NOERR);
        CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, thing, 1, "x"), NC_NOERR);
    }
    for (int i = 0; i < NAMES; i++) {
        snprintf(thing, sizeof thing, "name%d", i);
        CHECK_NC(ncmpi_inq_dimid(ncid, thing, &id), NC_NOERR);
        CHECK_INT(id, i);
        CHECK_NC(ncmpi_inq_varid(ncid, thing, &id), NC_NOERR);
        CHECK_INT(id, i);
        CHECK_NC(ncmpi_inq_attid(ncid, NC_GLOBAL, thing, &id), NC_NOERR);
        CHECK_INT(id, i);
    }
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR); /* data moves in chunks of the size that the hint tells */
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "long", sizeof text, text), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void defect_15_ubyte_attributes_and_odd_hints(void)
{
    static const char *const names[] = { "nc_data_move_chunk_size",  "nc_hash_size_dim",   "nc_hash_size_var",
                                         "nc_hash_size_gattr",       "nc_hash_size_vattr", "nc_ibuf_size",
                                         "nc_header_read_chunk_size" };
    static const char *const values[] = { "0", "3", "-1", "99999999999999999999", "abc" };
    const unsigned char put[3] = { 0, 128, 255 };
    unsigned char got[3] = { 1, 1, 1 };
    int ncid = -1;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid),
             NC_NOERR);
    CHECK_NC(ncmpi_put_att_ubyte(ncid, NC_GLOBAL, "a", NC_UBYTE, 3, put), NC_NOERR);
    CHECK_NC(ncmpi_get_att_ubyte(ncid, NC_GLOBAL, "a", got), NC_NOERR);
    CHECK(memcmp(put, got, sizeof put) == 0, "got %d %d %d", got[0], got[1], got[2]);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (size_t j = 0; j < sizeof values / sizeof values[0]; j++)
            odd_hint(names[i], values[j]);
}

int main(int argc, char **argv)
{
#define DEFECT(name)                                                                                         \
    {                                                                                                        \
#name, name                                                                                          \
    }
    static const struct {
        const char *name;
        void (*run)(void);
    } defects[] = { DEFECT(defect_1_stale_ncid_crashes),
                    DEFECT(defect_2_idle_rank_in_a_record_put),
                    DEFECT(defect_3_subset_wait_loses_records),
                    DEFECT(defect_4_strange_ids_commit_others),
                    DEFECT(defect_5_bad_id_of_one_rank),
                    DEFECT(defect_6_one_buffer_in_two_puts),
                    DEFECT(defect_7_create_that_fails),
                    DEFECT(defect_8_char_mismatch_and_null_outputs),
                    DEFECT(defect_9_get_behind_the_end),
                    DEFECT(defect_10_failed_move_is_forgotten),
                    DEFECT(defect_11_failures_of_one_rank),
                    DEFECT(defect_12_filling_counts_in_int),
                    DEFECT(defect_13_what_close_and_statuses_forget),
                    DEFECT(defect_14_header_is_believed),
                    DEFECT(defect_15_ubyte_attributes_and_odd_hints) };
    enum { DEFECTS = sizeof defects / sizeof defects[0] };
    together_begin(&argc, &argv, "peer_defects", 110);
    for (int i = 0; i < DEFECTS; i++) {
        long before = check_bad;
        defects[i].run();
        bool is_good = together_all(check_bad == before);
        if (my_rank == 0)
            printf("%-48s %s\n", defects[i].name, is_good ? "not ours" : "OURS");
    }
    CHECK_INT(DEFECTS, 15);
    return together_end("peer_defects");
}
