#ifndef PEERDATA_H
#define PEERDATA_H
/* peer_defects.c: the defects that concern data and posted requests, 2 to 6. */

#include <sys/mman.h>
#include "together.h"

enum { COLUMNS = 6 };

struct sample { /* int fixed[size][COLUMNS], int rec[t][size][COLUMNS] */
    int ncid, fixed, rec, time;
};

static inline struct sample make_sample(MPI_Info info)
{
    struct sample s = { -1, -1, -1, -1 };
    int row, column;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &s.ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s.ncid, "t", NC_UNLIMITED, &s.time), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s.ncid, "row", my_size, &row), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s.ncid, "column", COLUMNS, &column), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s.ncid, "fixed", NC_INT, 2, (int[]){ row, column }, &s.fixed), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s.ncid, "rec", NC_INT, 3, (int[]){ s.time, row, column }, &s.rec), NC_NOERR);
    CHECK_NC(ncmpi_enddef(s.ncid), NC_NOERR);
    return s;
}

static inline void values_of(int rank, int mark, int *values)
{
    for (int i = 0; i < COLUMNS; i++)
        values[i] = 1000 * mark + 100 * rank + i + 1;
}

static inline void check_row(const char *what, int rank, int mark, const int *got)
{
    int want[COLUMNS];
    values_of(rank, mark, want);
    for (int i = 0; i < COLUMNS; i++)
        CHECK(got[i] == want[i], "%s: rank %d reads %d, not %d", what, my_rank, got[i], want[i]);
}

static inline int64_t records_of(const struct sample *s)
{
    MPI_Offset n = -1;
    CHECK_NC(ncmpi_inq_dimlen(s->ncid, s->time, &n), NC_NOERR);
    return n;
}

/* Row `rank` of a record has the values of `mark`. */
static inline void check_record(const char *what, const struct sample *s, int64_t record, int rank, int mark)
{
    int got[COLUMNS] = { 0 };
    MPI_Offset start[3] = { record, rank, 0 }, count[3] = { 1, 1, COLUMNS };
    CHECK_NC(ncmpi_get_vara_int_all(s->ncid, s->rec, start, count, got), NC_NOERR);
    check_row(what, rank, mark, got);
}

static inline struct sample reopen(struct sample s)
{
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &s.ncid), NC_NOERR);
    return s;
}

/* One rank puts nothing to a record variable, or something wrong; the others put record `turn`. */
static inline void defect_2_idle_rank_in_a_record_put(void)
{
    struct sample s = make_sample(MPI_INFO_NULL);
    int record = 0, values[COLUMNS];
    for (int idle = 0; idle < my_size; idle++)
        for (int wrong = 0; wrong < 2; wrong++, record++) {
            bool is_idle = my_rank == idle;
            MPI_Offset start[3] = { record, is_idle && wrong ? my_size + 1 : my_rank, 0 };
            MPI_Offset count[3] = { is_idle && !wrong ? 0 : 1, 1, COLUMNS };
            values_of(my_rank, record, values);
            CHECK_NC(ncmpi_put_vara_int_all(s.ncid, s.rec, start, count, values),
                     is_idle && wrong ? NC_EINVALCOORDS : NC_NOERR);
            CHECK_INT(records_of(&s), my_size > 1 ? record + 1 : 0);
        }
    s = reopen(s);
    CHECK_INT(records_of(&s), my_size > 1 ? record : 0);
    for (int r = 0; my_size > 1 && r < record; r++)
        check_record("put beside an idle rank", &s, r, (r / 2 + 1) % my_size, r);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
}

static inline int post_record(const struct sample *s, int record, const int *values, int *id)
{
    MPI_Offset start[3] = { record, my_rank, 0 }, count[3] = { 1, 1, COLUMNS };
    return ncmpi_iput_vara_int(s->ncid, s->rec, start, count, values, id);
}

/* Of two pending puts the one with the higher record is waited for, and a blocking varn comes between. */
static inline void defect_3_subset_wait_loses_records(void)
{
    struct sample s = make_sample(MPI_INFO_NULL);
    int low[COLUMNS], high[COLUMNS], between[COLUMNS], ids[2], status = -1;
    MPI_Offset start[3] = { 2, my_rank, 0 }, count[3] = { 1, 1, COLUMNS }, *starts[1] = { start },
               *counts[1] = { count };
    values_of(my_rank, 1, low);
    values_of(my_rank, 2, high);
    values_of(my_rank, 3, between);
    CHECK_NC(post_record(&s, 0, low, &ids[0]), NC_NOERR);
    CHECK_NC(ncmpi_put_varn_int_all(s.ncid, s.rec, 1, starts, counts, between), NC_NOERR);
    CHECK_INT(records_of(&s), 3);
    CHECK_NC(post_record(&s, 5, high, &ids[1]), NC_NOERR);
    CHECK_NC(ncmpi_wait_all(s.ncid, 1, &ids[1], &status), NC_NOERR);
    CHECK_NC(status, NC_NOERR);
    CHECK_INT(records_of(&s), 6);
    CHECK_NC(ncmpi_cancel(s.ncid, 1, &ids[0], &status), NC_NOERR);
    s = reopen(s);
    CHECK_INT(records_of(&s), 6);
    check_record("the subset", &s, 5, (my_rank + 1) % my_size, 2);
    check_record("the varn beside it", &s, 2, my_rank, 3);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
}

/* As many ids as requests are pending, but not theirs. */
static inline void defect_4_strange_ids_commit_others(void)
{
    struct sample s = make_sample(MPI_INFO_NULL);
    int values[COLUMNS], id, pending = -1;
    struct {
        int id, err;
    } strange[] = { { NC_REQ_NULL, NC_NOERR }, { 4242, NC_EINVAL_REQUEST }, { -77, NC_EINVAL_REQUEST } };
    values_of(my_rank, 4, values);
    CHECK_NC(post_record(&s, 0, values, &id), NC_NOERR);
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        int other = strange[i].id, status = -1;
        CHECK_NC(ncmpi_wait_all(s.ncid, 1, &other, &status), strange[i].err);
        CHECK_NC(status, strange[i].err);
        CHECK_NC(ncmpi_inq_nreqs(s.ncid, &pending), NC_NOERR);
        CHECK_INT(pending, 1);
        CHECK_INT(records_of(&s), 0);
    }
    CHECK_NC(ncmpi_wait_all(s.ncid, 1, &id, NULL), NC_NOERR);
    check_record("its own id", &s, 0, my_rank, 4);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
}

static inline void defect_5_bad_id_of_one_rank(void)
{
    struct sample s = make_sample(MPI_INFO_NULL);
    for (int bad = 0; bad < my_size; bad++) {
        int values[COLUMNS], ids[2] = { NC_REQ_NULL, 4242 }, statuses[2] = { -1, -1 },
                             n = my_rank == bad ? 2 : 1;
        values_of(my_rank, 5 + bad, values);
        CHECK_NC(post_record(&s, bad, values, &ids[0]), NC_NOERR);
        CHECK_NC(ncmpi_wait_all(s.ncid, n, ids, statuses), my_rank == bad ? NC_EINVAL_REQUEST : NC_NOERR);
        CHECK_NC(statuses[0], NC_NOERR);
        CHECK_INT(ids[0], NC_REQ_NULL);
        if (my_rank == bad)
            CHECK_NC(statuses[1], NC_EINVAL_REQUEST);
    }
    s = reopen(s);
    CHECK_INT(records_of(&s), my_size);
    for (int r = 0; r < my_size; r++)
        for (int rank = 0; rank < my_size; rank++)
            check_record("beside a bad id", &s, r, rank, 5 + r);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
}

/* The buffer is larger than what the peer swaps through memory of its own, and cannot be written. */
static inline void defect_6_one_buffer_in_two_puts(void)
{
    enum { N = 4096 };
    int ncid = -1, dims[2], a, b, ids[2], statuses[2] = { -1, -1 }, got[N], bad = 0;
    int *values = mmap(NULL, N * sizeof *values, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(values != MAP_FAILED, "no memory");
    for (int i = 0; i < N; i++)
        values[i] = 7 * i + my_rank;
    mprotect(values, N * sizeof *values, PROT_READ);
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { 1, N };
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "row", my_size, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "column", N, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "a", NC_INT, 2, dims, &a), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "b", NC_INT, 2, dims, &b), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_iput_vara_int(ncid, a, start, count, values, &ids[0]), NC_NOERR);
    CHECK_NC(ncmpi_iput_vara_int(ncid, b, start, count, values, &ids[1]), NC_NOERR);
    CHECK_NC(ncmpi_wait_all(ncid, 2, ids, statuses), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, a, start, count, values), NC_NOERR);
    for (int v = a; v <= b; v++) {
        CHECK_NC(ncmpi_get_vara_int_all(ncid, v, start, count, got), NC_NOERR);
        for (int i = 0; i < N; i++)
            bad += got[i] != 7 * i + my_rank;
    }
    CHECK_INT(bad, 0);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    munmap(values, N * sizeof *values);
}
#endif
