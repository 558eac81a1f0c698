/* Fixes what hint pcdf_debug_unwritten says when a new file is closed: each variable of which ranks put fewer
 * values than it has, by blocking, independent, nonblocking and deferred puts, with a queue, after a redef,
 * and nothing else; nothing of a file that is whole, was there already, is aborted, or has no such hint.
 *
 *     unwritten_values FOLDER
 */
#include <fcntl.h>
#include <string.h>
#include "together.h"

enum { COLUMNS = 3, RECORDS = 4 };

static char said[65536]; /* rank 0 has what it printed on standard error since listen() */
static int heard = -1, saved = -1, runs;

static void listen_to_stderr(void)
{
    char path[1100];
    snprintf(path, sizeof path, "%s.%d.err", my_path, my_rank);
    heard = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    unlink(path);
    saved = dup(2);
    fflush(stderr);
    dup2(heard, 2);
}

static void stop_listening(void)
{
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    ssize_t n = pread(heard, said, sizeof said - 1, 0);
    said[n < 0 ? 0 : n] = '\0';
    close(heard);
}

static int lines(void)
{
    int n = 0;
    for (const char *at = said; (at = strchr(at, '\n')); at++)
        n++;
    return n;
}

/* Rank 0 said it; the others say nothing. */
static void expect(const char *what, const char *variable, int put, int whole)
{
    char want[256];
    snprintf(want, sizeof want, "%d of the %d values of variable %s were put\n", put, whole, variable);
    CHECK(my_rank != 0 || strstr(said, want), "%s: no \"%.*s\" in:\n%s", what, (int)strlen(want) - 1, want,
          said);
}

static void expect_lines(const char *what, int n)
{
    CHECK(lines() == (my_rank == 0 ? n : 0), "%s: %d lines on rank %d, not %d:\n%s", what, lines(), my_rank,
          my_rank == 0 ? n : 0, said);
}

/* ---- a file: `fixed` and `filled` have a row for each rank, `record` RECORDS of them */

enum way { BLOCKING, INDEPENDENT, POSTED, WAYS };

struct file {
    int ncid, fixed, filled, record;
};

static MPI_Info info_of(const char *hint, const char *value, bool is_on)
{
    MPI_Info info;
    MPI_Info_create(&info);
    if (is_on)
        MPI_Info_set(info, "pcdf_debug_unwritten", "true");
    if (hint)
        MPI_Info_set(info, hint, value);
    if (hint && strcmp(hint, "pcdf_async_close") == 0)
        MPI_Info_set(info, "pcdf_async", "1048576");
    return info;
}

static struct file make(MPI_Info info)
{
    struct file f;
    int dims[3];
    char path[1100];
    snprintf(path, sizeof path, "%s.%d", my_path, runs++);
    listen_to_stderr();
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, info, &f.ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(f.ncid, "time", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(f.ncid, "row", my_size, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(f.ncid, "column", COLUMNS, &dims[2]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(f.ncid, "fixed", NC_INT, 2, dims + 1, &f.fixed), NC_NOERR);
    CHECK_NC(ncmpi_def_var(f.ncid, "filled", NC_DOUBLE, 2, dims + 1, &f.filled), NC_NOERR);
    CHECK_NC(ncmpi_def_var_fill(f.ncid, f.filled, 0, NULL), NC_NOERR);
    CHECK_NC(ncmpi_def_var(f.ncid, "record", NC_SHORT, 3, dims, &f.record), NC_NOERR);
    CHECK_NC(ncmpi_enddef(f.ncid), NC_NOERR);
    return f;
}

static void finish(const struct file *f)
{
    CHECK_NC(ncmpi_close(f->ncid), NC_NOERR);
    CHECK_NC(parcdf_wait(NULL), NC_NOERR); /* with pcdf_async_close it is complete now */
    stop_listening();
}

/* This rank's row of a variable, or of one of its records; only = false: nothing of it. */
static void put_row(const struct file *f, int varid, enum way way, int record, bool is_put)
{
    static const int values[COLUMNS] = { 1, 2, 3 };
    bool is_record = varid == f->record;
    MPI_Offset start[3] = { record, my_rank, 0 }, count[3] = { 1, 1, COLUMNS };
    const MPI_Offset *at = is_record ? start : start + 1, *n = is_record ? count : count + 1;
    int request = NC_REQ_NULL, status = NC_NOERR;
    count[1] = count[0] = is_put;
    if (way == BLOCKING) {
        CHECK_NC(ncmpi_put_vara_int_all(f->ncid, varid, at, n, values), NC_NOERR);
    } else if (way == INDEPENDENT) {
        CHECK_NC(ncmpi_begin_indep_data(f->ncid), NC_NOERR);
        if (is_put)
            CHECK_NC(ncmpi_put_vara_int(f->ncid, varid, at, n, values), NC_NOERR);
        CHECK_NC(ncmpi_end_indep_data(f->ncid), NC_NOERR);
    } else {
        CHECK_NC(ncmpi_iput_vara_int(f->ncid, varid, at, n, values, &request), NC_NOERR);
        CHECK_NC(ncmpi_wait_all(f->ncid, 1, &request, &status), NC_NOERR);
        CHECK_NC(status, NC_NOERR);
    }
}

/* lacks: of each variable the last rank's row, of `record` in record 1. */
static void put_all(const struct file *f, enum way way, bool lacks)
{
    bool is_put = !lacks || my_rank != my_size - 1;
    put_row(f, f->fixed, way, 0, is_put);
    put_row(f, f->filled, way, 0, is_put);
    for (int i = 0; i < RECORDS; i++)
        put_row(f, f->record, way, i, i != 1 || is_put);
}

static void run(enum way way, const char *hint, const char *value)
{
    static const char *const names[WAYS] = { "blocking", "independent", "posted" };
    char what[128];
    int row = my_size * COLUMNS, lack = row - COLUMNS;
    MPI_Info info = info_of(hint, value, true);
    for (int lacks = 0; lacks < 2; lacks++) {
        struct file f = make(info);
        put_all(&f, way, lacks);
        finish(&f);
        snprintf(what, sizeof what, "%s, %s=%s, %s", names[way], hint ? hint : "-", value ? value : "-",
                 lacks ? "lacks" : "whole");
        expect_lines(what, lacks ? 3 : 0);
        if (!lacks)
            continue;
        expect(what, "fixed", lack, row);
        expect(what, "filled", lack, row);
        expect(what, "record", RECORDS * row - COLUMNS, RECORDS * row);
    }
    MPI_Info_free(&info);
}

/* Twice the same values count twice, and hide the others: so it says, and so it is. */
static void put_twice(void)
{
    MPI_Info info = info_of(NULL, NULL, true);
    struct file f = make(info);
    put_all(&f, BLOCKING, false);
    put_all(&f, BLOCKING, true);
    finish(&f);
    expect_lines("put twice", 0);
    MPI_Info_free(&info);
}

static void nobody_asks(void)
{
    MPI_Info info = info_of(NULL, NULL, false), on = info_of(NULL, NULL, true);
    char path[1100];
    struct file f = make(info);
    finish(&f);
    expect_lines("no hint", 0);

    snprintf(path, sizeof path, "%s.%d", my_path, runs - 1);
    listen_to_stderr();
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, on, &f.ncid), NC_NOERR);
    finish(&f);
    expect_lines("it was there already", 0);

    f = make(on);
    CHECK_NC(ncmpi_abort(f.ncid), NC_NOERR);
    stop_listening();
    expect_lines("aborted", 0);
    MPI_Info_free(&info);
    MPI_Info_free(&on);
}

/* More variables than a message has numbers, and than are named; they come by a redef. */
static void many_variables(void)
{
    enum { MORE = 600, PUT_EACH = 7 };
    int dim, ids[MORE], one = 1, missing = 0;
    char name[32], want[64];
    MPI_Info info = info_of(NULL, NULL, true);
    struct file f = make(info);
    put_all(&f, BLOCKING, false);
    CHECK_NC(ncmpi_redef(f.ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(f.ncid, "one", 1, &dim), NC_NOERR);
    for (int i = 0; i < MORE; i++) {
        snprintf(name, sizeof name, "v%d", i);
        CHECK_NC(ncmpi_def_var(f.ncid, name, NC_BYTE, 1, &dim, &ids[i]), NC_NOERR);
    }
    CHECK_NC(ncmpi_enddef(f.ncid), NC_NOERR);
    CHECK_NC(ncmpi_begin_indep_data(f.ncid), NC_NOERR);
    for (int i = 0; i < MORE; i++) {
        missing += i % PUT_EACH == 0;
        if (i % PUT_EACH && i % my_size == my_rank)
            CHECK_NC(ncmpi_put_var_int(f.ncid, ids[i], &one), NC_NOERR);
    }
    CHECK_NC(ncmpi_end_indep_data(f.ncid), NC_NOERR);
    finish(&f);
    expect("many", "v0", 0, 1);
    expect_lines("many", 21);
    snprintf(want, sizeof want, ": %d more variables lack values\n", missing - 20);
    CHECK(my_rank != 0 || strstr(said, want), "many: no \"%s\" in %s", want, said);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    static const char *const hints[][2] = { { NULL, NULL },
                                            { "pcdf_defer", "65536" },
                                            { "pcdf_async", "1048576" },
                                            { "pcdf_async_close", "true" },
                                            { "pcdf_commit", "step" },
                                            { "pcdf_debug_strategy", "two-phase" } };
    together_begin(&argc, &argv, "unwritten_values", 200);
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        for (int way = 0; way < WAYS; way++)
            run((enum way)way, hints[i][0], hints[i][1]);
    put_twice();
    nobody_asks();
    many_variables();
    for (int i = 0; my_rank == 0 && i < runs; i++) {
        char path[1100];
        snprintf(path, sizeof path, "%s.%d", my_path, i);
        unlink(path);
    }
    return together_end("unwritten_values");
}
