/* Fixes: a write or read that the system fails, below the MPI library, never passes for a success. Each kind
 * of error, once or lasting, on each rank, at the k-th call: when all is closed every rank has heard of a
 * failure, or the data is right; a rank whose get succeeds has the right values; none waits for ever. Needs
 * the shim of tests/support/shim preloaded. Arguments: folder, the layer below (ompio, romio), and to look
 * closer one way, one kind. Left out: writes that for ever take nothing, below ROMIO, which asks for ever; no
 * system is known to do that to a regular file. */

#include "together.h"
#include <fcntl.h>
#include <signal.h>
#include "shimcontrol.h"

enum { ROWS = 96, COLUMNS = 128, KINDS = 6, MOST_K = 1000 };
static const char *const kinds[KINDS] = { "ENOSPC", "EDQUOT", "EIO", "EINTR", "short", "zero" };

static int ncid, grid, version; /* int grid[ROWS * size][COLUMNS * size] */
static int *values;             /* of this rank: as many whichever way it is cut */
static MPI_Offset begins;       /* of the grid, in the file */
static MPI_Info hints;
static char now[200]; /* what is being tried */

static void say_where(int number)
{
    (void)!write(2, "hangs: ", 7);
    (void)!write(2, now, strlen(now));
    (void)!write(2, "\n", 1);
    signal(number, SIG_DFL);
    raise(number);
}

static int value_at(MPI_Offset row, MPI_Offset column)
{
    return (int)(row * 7919 + column * 31) + version * 104729;
}

/* ---- pieces: rows of this rank in one, or a part of each row */

struct part {
    MPI_Offset start[2], count[2];
};

static struct part rows(void)
{
    return (struct part){ { (MPI_Offset)my_rank * ROWS, 0 }, { ROWS, (MPI_Offset)my_size * COLUMNS } };
}

static struct part columns(void)
{
    return (struct part){ { 0, (MPI_Offset)my_rank * COLUMNS }, { (MPI_Offset)my_size * ROWS, COLUMNS } };
}

static void set_values(const struct part *p)
{
    for (MPI_Offset i = 0; i < p->count[0]; i++)
        for (MPI_Offset j = 0; j < p->count[1]; j++)
            values[i * p->count[1] + j] = value_at(p->start[0] + i, p->start[1] + j);
}

static int put_part(struct part p, bool together)
{
    set_values(&p);
    return together ? ncmpi_put_vara_int_all(ncid, grid, p.start, p.count, values)
                    : ncmpi_put_vara_int(ncid, grid, p.start, p.count, values);
}

/* A get that says it succeeded gave the right values. */
static int get_part(struct part p, bool together)
{
    long bad = 0;
    memset(values, 0, (size_t)(p.count[0] * p.count[1]) * sizeof *values);
    int err = together ? ncmpi_get_vara_int_all(ncid, grid, p.start, p.count, values)
                       : ncmpi_get_vara_int(ncid, grid, p.start, p.count, values);
    for (MPI_Offset i = 0; !err && i < p.count[0]; i++)
        for (MPI_Offset j = 0; j < p.count[1]; j++)
            bad += values[i * p.count[1] + j] != value_at(p.start[0] + i, p.start[1] + j);
    CHECK(bad == 0, "%s, rank %d: NC_NOERR with %ld wrong values", now, my_rank, bad);
    return err;
}

/* ---- ways to write and read; each returns this rank's first error */

static int first_of(int a, int b)
{
    return a ? a : b;
}

static int put_rows_all(void)
{
    return put_part(rows(), true);
}

static int put_columns_all(void)
{
    return put_part(columns(), true);
}

static int put_alone(struct part p)
{
    int err = ncmpi_begin_indep_data(ncid);
    err = first_of(err, put_part(p, false));
    return first_of(err, ncmpi_end_indep_data(ncid));
}

static int put_rows(void)
{
    return put_alone(rows());
}

static int put_columns(void)
{
    return put_alone(columns());
}

/* Two requests a rank: the upper and the lower half of its columns. */
static int wait_for_columns(void)
{
    struct part p = columns(), lower = p;
    int ids[2], states[2] = { NC_NOERR, NC_NOERR };
    set_values(&p);
    p.count[0] /= 2;
    lower.start[0] = p.count[0];
    lower.count[0] -= p.count[0];
    CHECK_NC(ncmpi_iput_vara_int(ncid, grid, p.start, p.count, values, &ids[0]), NC_NOERR);
    CHECK_NC(
        ncmpi_iput_vara_int(ncid, grid, lower.start, lower.count, values + p.count[0] * p.count[1], &ids[1]),
        NC_NOERR);
    int err = ncmpi_wait_all(ncid, 2, ids, states);
    return first_of(err, first_of(states[0], states[1]));
}

static int get_rows_all(void)
{
    return get_part(rows(), true);
}

static int get_columns_all(void)
{
    return get_part(columns(), true);
}

static int get_columns(void)
{
    int err = ncmpi_begin_indep_data(ncid);
    err = first_of(err, get_part(columns(), false));
    return first_of(err, ncmpi_end_indep_data(ncid));
}

/* ---- the file */

static int define(void)
{
    int d[2], err = NC_NOERR;
    err = first_of(err, ncmpi_def_dim(ncid, "y", (MPI_Offset)my_size * ROWS, &d[0]));
    err = first_of(err, ncmpi_def_dim(ncid, "x", (MPI_Offset)my_size * COLUMNS, &d[1]));
    err = first_of(err, ncmpi_def_var(ncid, "grid", NC_INT, 2, d, &grid));
    err = first_of(err, ncmpi_put_att_int(ncid, grid, "version", NC_INT, 1, &version));
    return first_of(err, ncmpi_enddef(ncid));
}

/* A header written at enddef, and once more when an attribute changes. */
static int header(void)
{
    int old = version, err = ncmpi_redef(ncid);
    version = -old;
    err = first_of(err, ncmpi_put_att_int(ncid, grid, "version", NC_INT, 1, &version));
    version = old;
    err = first_of(err, ncmpi_enddef(ncid));
    err = first_of(err, ncmpi_put_att_int(ncid, grid, "version", NC_INT, 1, &version));
    return first_of(err, ncmpi_sync(ncid));
}

static void make_file(void)
{
    version = 0;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_OFFSET, hints, &ncid), NC_NOERR);
    CHECK_NC(define(), NC_NOERR);
    CHECK_NC(ncmpi_inq_varoffset(ncid, grid, &begins), NC_NOERR);
    CHECK_NC(put_rows_all(), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* By the system's own calls. */
static bool data_is_right(void)
{
    size_t n = (size_t)my_size * COLUMNS;
    unsigned char *row = malloc(n * 4);
    int fd = open(my_path, O_RDONLY);
    bool right = row && fd >= 0;
    for (MPI_Offset i = 0; right && i < (MPI_Offset)my_size * ROWS; i++) {
        right = pread(fd, row, n * 4, (off_t)(begins + i * (MPI_Offset)n * 4)) == (ssize_t)(n * 4);
        for (size_t j = 0; right && j < n; j++) {
            const unsigned char *b = row + 4 * j;
            unsigned got = (unsigned)b[0] << 24 | (unsigned)b[1] << 16 | (unsigned)b[2] << 8 | b[3];
            right = (int)got == value_at(i, (MPI_Offset)j);
        }
    }
    if (fd >= 0)
        close(fd);
    free(row);
    return right;
}

static bool header_is_right(void)
{
    int got = -1, err = ncmpi_open(MPI_COMM_SELF, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid);
    if (err)
        return false;
    err = ncmpi_get_att_int(ncid, grid, "version", &got);
    return !ncmpi_close(ncid) && !err && got == version;
}

/* ---- one failure */

static const struct way {
    const char *name, *op;
    int (*run)(void);
    bool (*is_right)(void); /* NULL: the way looks itself */
} ways[] = {
    { "put of rows, together", "write", put_rows_all, data_is_right },
    { "put of columns, together", "write", put_columns_all, data_is_right },
    { "put of rows, alone", "write", put_rows, data_is_right },
    { "put of columns, alone", "write", put_columns, data_is_right },
    { "wait for columns, together", "write", wait_for_columns, data_is_right },
    { "header", "write", header, header_is_right },
    { "get of rows, together", "read", get_rows_all, NULL },
    { "get of columns, together", "read", get_columns_all, NULL },
    { "get of columns, alone", "read", get_columns, NULL },
};
enum { WAYS = sizeof ways / sizeof *ways };

static struct tally {
    long failures, told, right, silent, split;
} tallies[WAYS][KINDS];

/* False when the k-th call does not exist on any rank. */
static bool fail_once(const struct way *way, struct tally *t, const char *kind, int victim, int k, bool lasts)
{
    char order[64];
    long fired = 0, before = shim_order(NULL);
    snprintf(order, sizeof order, "%s:%d%s:%s", way->op, k, lasts ? "+" : "", kind);
    snprintf(now, sizeof now, "%s, %s on rank %d", way->name, order, victim);
    version += way->is_right != NULL;
    int err = ncmpi_open(MPI_COMM_WORLD, my_path, way->is_right ? NC_WRITE : NC_NOWRITE, hints, &ncid);
    CHECK(err == NC_NOERR, "%s: before it the file cannot be opened: %s", now, ncmpi_strerrno(err));
    if (!together_all(err == NC_NOERR)) {
        make_file(); /* what an earlier failure left is of no use */
        return true;
    }
    shim_order(victim == my_rank ? order : NULL);
    err = way->run();
    err = first_of(err, ncmpi_close(ncid));
    fired = shim_order(NULL) - before;
    bool all_fail = together_all(err != NC_NOERR), none_fails = together_all(err == NC_NOERR);
    bool quiet = together_all(fired == 0);
    bool right = !way->is_right || together_all(my_rank != 0 || way->is_right());
    if (quiet) {
        CHECK(none_fails && right, "%s: nothing failed, yet rank %d has %s", now, my_rank,
              ncmpi_strerrno(err));
        return false;
    }
    t->failures++;
    t->told += all_fail;
    t->right += none_fails && right;
    t->silent += none_fails && !right;
    t->split += way->is_right && !all_fail && !none_fails;
    CHECK(!none_fails || right, "%s: NC_NOERR, but the file is wrong", now);
    CHECK(!way->is_right || all_fail || none_fails, "%s: rank %d has %s, others not", now, my_rank,
          ncmpi_strerrno(err));
    return true;
}

/* A half of a half ends in nothing. */
static bool ends_in_nothing(const struct way *way, const char *kind)
{
    return strcmp(way->op, "write") == 0 && (strcmp(kind, "short") == 0 || strcmp(kind, "zero") == 0);
}

static void fail_each(const struct way *way, struct tally *t, const char *kind, bool is_romio)
{
    int lengths = is_romio && ends_in_nothing(way, kind) ? 1 : 2;
    for (int victim = 0; victim < my_size; victim++)
        for (int lasts = 0; lasts < lengths; lasts++)
            for (int k = 1; k < MOST_K && fail_once(way, t, kind, victim, k, lasts); k += k < 3 ? 1 : k / 2)
                ;
}

static void print_table(const char *layer)
{
    printf("%s, %d ranks: failures = all ranks told + data right nevertheless; ! = silent or not told to "
           "all\n%-28s",
           layer, my_size, "");
    for (int i = 0; i < KINDS; i++)
        printf(" %14s", kinds[i]);
    for (int w = 0; w < WAYS; w++) {
        printf("\n%-28s", ways[w].name);
        for (int i = 0; i < KINDS; i++) {
            const struct tally *t = &tallies[w][i];
            char text[64];
            snprintf(text, sizeof text, "%ld=%ld+%ld", t->failures, t->told, t->right);
            if (t->silent + t->split)
                snprintf(text + strlen(text), sizeof text - strlen(text), "!%ld", t->silent + t->split);
            printf(" %14s", text);
        }
    }
    printf("\n");
}

static void set_hints(void)
{
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "pcdf_debug_chunk_size", "16384"); /* several calls a transfer, and */
    MPI_Info_set(hints, "striping_unit", "65536");         /* several owners */
    MPI_Info_set(hints, "cb_buffer_size", "32768");        /* ROMIO: several rounds */
}

int main(int argc, char **argv)
{
    const char *layer = argc > 2 ? argv[2] : "romio", *one_way = argc > 3 ? argv[3] : "";
    long failures = 0;
    together_begin(&argc, &argv, "realerrors", 100);
    signal(SIGALRM, say_where);
    values = malloc((size_t)ROWS * COLUMNS * (size_t)my_size * sizeof *values);
    if (!values || !shim_watch(my_path)) {
        printf("the shim is not preloaded: skipped\n");
        MPI_Finalize();
        return 77;
    }
    set_hints();
    for (int w = 0; w < WAYS; w++) {
        make_file(); /* what earlier failures left is no file to read */
        for (int i = 0; i < KINDS; i++) {
            if (!strstr(ways[w].name, one_way) || (argc > 4 && strcmp(kinds[i], argv[4]) != 0))
                continue;
            fail_each(&ways[w], &tallies[w][i], kinds[i], strcmp(layer, "romio") == 0);
            failures += tallies[w][i].failures;
        }
    }
    if (my_rank == 0)
        print_table(layer);
    CHECK(failures > 0, "no call ever failed");
    MPI_Info_free(&hints);
    free(values);
    return together_end("realerrors");
}
