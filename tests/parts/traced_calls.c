/* Fixes the log that the hint pcdf_trace asks for (storage/tracefile.h, parts/calllog): every call on the
 * file is there, in order, with its name, variable, bytes, pieces, way and result, on each rank; times rise
 * and each operation lies within its call; posted and deferred bytes are named where they wait and counted
 * where they move; a log that cannot be written stops nothing. */
#include <math.h>
#include <sys/stat.h>
#include "together.h"

enum { ROWS = 3, X = 40 };

static char my_trace[1100];
static int ncid, rows_id, list_id, wide_id;

struct want {
    const char *name, *variable;
    long long put, get, pieces;
    const char *way, *why; /* why NULL: not compared */
    int code;
};

struct line {
    char name[64], variable[300], way[32], why[32];
    double begin, end;
    long long put, get, pieces, records;
    int code;
};

static const char *when_alone(const char *several)
{
    return my_size == 1 ? "one-rank" : several;
}

static MPI_Info with_hints(const char *trace, const char *defer)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_trace", trace);
    if (defer)
        MPI_Info_set(info, "pcdf_defer", defer);
    return info;
}

static void make_file(MPI_Info info)
{
    int dims[2];
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]);
    ncmpi_def_dim(ncid, "x", X * my_size, &dims[1]);
    ncmpi_def_var(ncid, "rows of 5%", NC_INT, 2, dims, &rows_id);
    ncmpi_def_var(ncid, "list", NC_DOUBLE, 1, dims + 1, &list_id);
    ncmpi_def_var(ncid, "wide", NC_DOUBLE, 1, dims + 1, &wide_id);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
}

/* Calls on the open file; what the log should say of them stands in `wanted`. */
static void use_file(void)
{
    int values[ROWS * X] = { 0 }, requests[2], statuses[2];
    double reals[X] = { 0 };
    MPI_Offset start[2] = { 0, (MPI_Offset)my_rank * X }, count[2] = { ROWS, X };
    CHECK_NC(ncmpi_put_vara_int_all(ncid, rows_id, start, count, values), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_double_all(ncid, list_id, start + 1, count + 1, reals), NC_NOERR);
    CHECK_NC(ncmpi_iput_vara_double(ncid, wide_id, start + 1, count + 1, reals, &requests[0]), NC_NOERR);
    CHECK_NC(ncmpi_iget_vara_double(ncid, list_id, start + 1, count + 1, reals, &requests[1]), NC_NOERR);
    CHECK_NC(ncmpi_wait_all(ncid, 2, requests, statuses), NC_NOERR);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_var1_double(ncid, wide_id, start + 1, reals), NC_NOERR);
    CHECK_NC(ncmpi_put_vara(ncid, list_id, start + 1, count + 1, reals, X, MPI_DOUBLE), NC_NOERR);
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_int_all(ncid, 17, start, count, values), NC_ENOTVAR);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
}

static FILE *open_log(void)
{
    char name[1200];
    snprintf(name, sizeof name, "%s.%d", my_trace, my_rank);
    return fopen(name, "r");
}

static void remove_log(void)
{
    char name[1200];
    snprintf(name, sizeof name, "%s.%d", my_trace, my_rank);
    unlink(name);
}

static bool read_call(const char *text, struct line *c)
{
    return sscanf(text, "call %63s %299s %lf %lf %lld %lld %lld %31s %31s %lld %d", c->name, c->variable,
                  &c->begin, &c->end, &c->put, &c->get, &c->pieces, c->way, c->why, &c->records,
                  &c->code) == 11;
}

static void check_call(const struct line *c, const struct want *w)
{
    CHECK(!strcmp(c->name, w->name) && !strcmp(c->variable, w->variable), "rank %d: %s %s, not %s %s",
          my_rank, c->name, c->variable, w->name, w->variable);
    CHECK(c->put == w->put && c->get == w->get && c->pieces == w->pieces,
          "rank %d: %s: %lld put, %lld got, %lld pieces, not %lld, %lld, %lld", my_rank, w->name, c->put,
          c->get, c->pieces, w->put, w->get, w->pieces);
    CHECK(!strcmp(c->way, w->way) && (!w->why || !strcmp(c->why, w->why)), "rank %d: %s: %s because %s",
          my_rank, w->name, c->way, c->why);
    CHECK(c->code == w->code, "rank %d: %s: code %d", my_rank, w->name, c->code);
}

/* Operations before a call's line are the call's; the open's begin before second 0. */
static void check_log(const struct want *wanted, int n)
{
    char text[4200], op[32];
    double begin, end, last = -60, first_op = INFINITY;
    long long number;
    struct line c;
    int i = 0, code, files = 0, operations = 0;
    FILE *in = open_log();
    CHECK(in, "rank %d has no log", my_rank);
    while (in && fgets(text, sizeof text, in)) {
        files += strncmp(text, "# file ", 7) == 0;
        if (read_call(text, &c)) {
            CHECK(last <= c.begin && c.begin <= c.end && c.begin <= first_op, "rank %d: the time of %s",
                  my_rank, text);
            last = c.end;
            first_op = INFINITY;
            if (i < n)
                check_call(&c, &wanted[i]);
            i++;
        } else if (text[0] != '#') {
            bool is_row = sscanf(text, "%31s %lld %lld %lld %d %lf %lf", op, &number, &number, &number, &code,
                                 &begin, &end) == 7;
            CHECK(is_row && begin <= end, "rank %d: the line %s", my_rank, text);
            first_op = begin < first_op ? begin : first_op;
            operations++;
        }
    }
    if (in)
        fclose(in);
    CHECK(i == n && files == 1 && operations >= 3, "rank %d: %d calls, not %d; %d files, %d operations",
          my_rank, i, n, files, operations);
}

static void at_once(void)
{
    const struct want wanted[] = {
        { "create", "-", 0, 0, 0, "-", "-", 0 },
        { "enddef", "-", 0, 0, 0, "-", "-", 0 },
        { "put_vara_int_all", "rows%20of%205%25", 4 * ROWS * X, 0, my_size == 1 ? 1 : ROWS,
          my_size == 1 ? "independent" : "two-phase", when_alone("pieces-small"), 0 },
        { "put_vara_double_all", "list", 8 * X, 0, 1, "independent", when_alone("piece-one"), 0 },
        { "iput_vara_double", "wide", 8 * X, 0, 1, "posted", "-", 0 },
        { "iget_vara_double", "list", 0, 8 * X, 1, "posted", "-", 0 },
        { "wait_all", "-", 8 * X, 8 * X, 2, "independent", when_alone("piece-one"), 0 },
        { "begin_indep_data", "-", 0, 0, 0, "-", "-", 0 },
        { "get_var1_double", "wide", 0, 8, 1, "independent", "independent-mode", 0 },
        { "put_vara", "list", 8 * X, 0, 1, "independent", "independent-mode", 0 },
        { "end_indep_data", "-", 0, 0, 0, "-", "-", 0 },
        { "get_vara_int_all", "-", 0, 0, 0, "nothing", "-", NC_ENOTVAR },
        { "sync", "-", 0, 0, 0, "-", "-", 0 },
        { "close", "-", 0, 0, 0, "-", "-", 0 },
    };
    make_file(with_hints(my_trace, NULL));
    use_file();
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    check_log(wanted, sizeof wanted / sizeof *wanted);
    remove_log();
}

static void deferred(void)
{
    const struct want wanted[] = {
        { "create", "-", 0, 0, 0, "-", "-", 0 },
        { "enddef", "-", 0, 0, 0, "-", "-", 0 },
        { "put_vara_double_all", "list", 8 * X, 0, 1, "deferred", "hint", 0 },
        { "put_vara_double_all", "wide", 8 * X, 0, 1, "deferred", "hint", 0 },
        { "flush", "-", 16 * X, 0, my_size == 1 ? 1 : 2, my_size == 1 ? "independent" : "two-phase",
          when_alone("pieces-small"), 0 },
        { "close", "-", 0, 0, 0, "-", "-", 0 },
    };
    double reals[X] = { 0 };
    MPI_Offset start = (MPI_Offset)my_rank * X, count = X;
    make_file(with_hints(my_trace, "1000000"));
    CHECK_NC(ncmpi_put_vara_double_all(ncid, list_id, &start, &count, reals), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_double_all(ncid, wide_id, &start, &count, reals), NC_NOERR);
    CHECK_NC(ncmpi_flush(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    check_log(wanted, sizeof wanted / sizeof *wanted);
    remove_log();
}

/* More lines than wait in memory, with no collective call between them. */
static void many(void)
{
    enum { TIMES = 2000 };
    double real = 0;
    char text[4200];
    int found = 0;
    MPI_Offset start = (MPI_Offset)my_rank * X;
    make_file(with_hints(my_trace, NULL));
    ncmpi_begin_indep_data(ncid);
    for (int i = 0; i < TIMES; i++)
        ncmpi_put_var1_double(ncid, list_id, &start, &real);
    ncmpi_end_indep_data(ncid);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    FILE *in = open_log();
    while (in && fgets(text, sizeof text, in))
        found += strncmp(text, "call put_var1_double list ", 26) == 0;
    if (in)
        fclose(in);
    CHECK_INT(found, TIMES);
    remove_log();
}

/* Every rank's log says how the file is striped. */
static void stripes(void)
{
    char text[4200];
    int found = 0;
    MPI_Info info = with_hints(my_trace, NULL);
    MPI_Info_set(info, "striping_unit", "131072");
    MPI_Info_set(info, "striping_factor", "4");
    make_file(info);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    FILE *in = open_log();
    while (in && fgets(text, sizeof text, in))
        found += strcmp(text, "# env stripe 131072 x 4\n") == 0;
    if (in)
        fclose(in);
    CHECK_INT(found, 1);
    remove_log();
}

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    CHECK(out && fputs(text, out) >= 0 && fclose(out) == 0, "%s is not written", path);
}

/* Gets of another format go by chunks, in both modes. */
static void of_chunks(void)
{
    char store[1150], folder[1160], text[4200];
    struct line c;
    int value[X], collective = 0, independent = 0;
    MPI_Offset start = 0, count = X;
    MPI_Info info = with_hints(my_trace, NULL);
    snprintf(store, sizeof store, "%s.zarr", my_path);
    snprintf(folder, sizeof folder, "%s/v", store);
    if (my_rank == 0) {
        CHECK(mkdir(store, 0777) == 0 && mkdir(folder, 0777) == 0, "%s is not made", folder);
        write_text(store, ".zgroup", "{\"zarr_format\":2}");
        write_text(folder, ".zarray",
                   "{\"zarr_format\":2,\"shape\":[40],\"chunks\":[10],\"dtype\":\"<i4\",\"order\":\"C\","
                   "\"compressor\":null,\"fill_value\":7,\"filters\":null}");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, store, NC_NOWRITE, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_get_vara_int_all(ncid, 0, &start, &count, value), NC_NOERR);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_int(ncid, 0, &start, &count, value), NC_NOERR);
    CHECK_INT(value[X - 1], 7);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    FILE *in = open_log();
    while (in && fgets(text, sizeof text, in)) {
        bool is_get = read_call(text, &c) && c.get > 0 && strcmp(c.way, "chunked") == 0;
        collective += is_get && strcmp(c.name, "get_vara_int_all") == 0 && strcmp(c.why, "chunks") == 0;
        independent +=
            is_get && strcmp(c.name, "get_vara_int") == 0 && strcmp(c.why, "independent-mode") == 0;
    }
    if (in)
        fclose(in);
    CHECK(collective == 1 && independent == 1,
          "rank %d: by chunks were %d collective and %d independent gets", my_rank, collective, independent);
    remove_log();
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0) {
        snprintf(text, sizeof text, "rm -r '%s'", store);
        CHECK_INT(system(text), 0);
    }
}

static void nowhere(void)
{
    make_file(with_hints("no/such/folder/log", NULL));
    use_file();
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "traced_calls", 60);
    snprintf(my_trace, sizeof my_trace, "%s.trace", my_path);
    at_once();
    deferred();
    many();
    stripes();
    of_chunks();
    nowhere();
    return together_end("traced_calls");
}
