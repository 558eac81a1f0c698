/* Fixes that with hint pcdf_commit=step the number of records in the file counts a record as soon as each
 * element of each record variable was put exactly once, by any ranks and calls, and not before; and that
 * sync, sync_numrecs, redef and close count everything. A put of one record may have any stride. Random
 * programs, which all ranks know, beside a count of the puts of each element.
 *
 *     step_commit FOLDER [SEEDS [FIRST]]
 */
#include <fcntl.h>
#include "together.h"

enum { MOST_VARS = 8, MOST_DIMS = 4, RECORDS = 24, ELEMENTS = 128, STEPS = 60, LEADS = 2000, PUT = 7 };

struct variable {
    int id, ndims; /* with the record dimension */
    MPI_Offset length[MOST_DIMS];
    int n; /* elements of a record */
    bool is_text;
    unsigned char puts[RECORDS][ELEMENTS];
};

static struct variable vars[MOST_VARS];
static int nvars, ncid, numrecs, counted, seed_now, step_now;
static bool defers, queues;
static uint64_t state;

static int pick(int n) /* 0 to n - 1, the same on all ranks */
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

/* ---- the file */

static void define(int more)
{
    static int names;
    char name[32];
    for (; more > 0 && nvars < MOST_VARS; more--) {
        struct variable *v = &vars[nvars++];
        int ids[MOST_DIMS];
        memset(v, 0, sizeof *v);
        CHECK_NC(ncmpi_inq_unlimdim(ncid, &ids[0]), NC_NOERR);
        v->ndims = 1 + pick(MOST_DIMS);
        v->is_text = pick(4) == 0;
        v->n = 1;
        for (int d = 1; d < v->ndims; d++) {
            v->length[d] = 1 + pick(5);
            v->n *= (int)v->length[d];
            snprintf(name, sizeof name, "d%d", names++);
            CHECK_NC(ncmpi_def_dim(ncid, name, v->length[d], &ids[d]), NC_NOERR);
        }
        snprintf(name, sizeof name, "v%d", names++);
        CHECK_NC(ncmpi_def_var(ncid, name,
                               v->is_text ? NC_CHAR
                               : pick(2)  ? NC_INT
                                          : NC_SHORT,
                               v->ndims, ids, &v->id),
                 NC_NOERR);
        CHECK_NC(ncmpi_def_var_fill(ncid, v->id, 0, NULL), NC_NOERR);
    }
}

static void create(MPI_Info info)
{
    int dim;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, pick(2) ? NC_CLOBBER : NC_64BIT_DATA, info, &ncid),
             NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dim), NC_NOERR);
    nvars = numrecs = counted = 0;
    define(1 + pick(4));
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
}

static int header_count(void)
{
    unsigned char b[12] = { 0 };
    int fd = open(my_path, O_RDONLY);
    CHECK(fd >= 0 && pread(fd, b, sizeof b, 0) == (ssize_t)sizeof b, "the header");
    close(fd);
    const unsigned char *at = b[3] == 5 ? b + 8 : b + 4;
    return at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
}

/* ---- the model */

static void note(struct variable *v, int record, int element)
{
    if (v->puts[record][element] < 250)
        v->puts[record][element]++;
    numrecs = record + 1 > numrecs ? record + 1 : numrecs;
}

static bool is_whole(int record)
{
    for (int i = 0; i < nvars; i++)
        for (int e = 0; e < vars[i].n; e++)
            if (vars[i].puts[record][e] != 1)
                return false;
    return true;
}

/* The ranks have agreed on what was put. */
static void agree(void)
{
    while (counted < numrecs && is_whole(counted))
        counted++;
}

static void expect(const char *after)
{
    agree();
    MPI_Offset seen = -1;
    int dim;
    if (defers)
        CHECK_NC(ncmpi_flush(ncid), NC_NOERR);
    if (queues)
        CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_inq_unlimdim(ncid, &dim), NC_NOERR);
    CHECK_NC(ncmpi_inq_dimlen(ncid, dim, &seen), NC_NOERR);
    CHECK(seen == numrecs, "seed %d, step %d, %s: the writer sees %d records, not %d", seed_now, step_now,
          after, (int)seen, numrecs);
    if (my_rank == 0) {
        int got = header_count();
        CHECK(got == counted, "seed %d, step %d, %s: the file counts %d records of %d, not %d", seed_now,
              step_now, after, got, numrecs, counted);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- one rank's part of a put: a hyperslab, the same on all ranks for the same arguments */

struct part {
    MPI_Offset start[MOST_DIMS], count[MOST_DIMS], stride[MOST_DIMS];
    int n;
};

/* Tiles: together the ranks put each element once, in rows, or strided. */
static struct part tile(const struct variable *v, int record, int records, int rank, bool strided)
{
    struct part p = { .n = 1 };
    for (int d = 0; d < v->ndims; d++) {
        p.start[d] = d ? 0 : record;
        p.count[d] = d ? v->length[d] : records;
        p.stride[d] = 1;
    }
    if (v->ndims == 1) {
        p.count[0] = rank == record % my_size ? records : 0;
    } else if (strided) {
        p.start[1] = rank;
        p.stride[1] = my_size;
        p.count[1] = rank < v->length[1] ? (v->length[1] - rank + my_size - 1) / my_size : 0;
        p.start[1] = p.count[1] ? rank : 0;
    } else {
        MPI_Offset low = v->length[1] * rank / my_size, high = v->length[1] * (rank + 1) / my_size;
        p.start[1] = low < v->length[1] ? low : 0;
        p.count[1] = high - low;
    }
    for (int d = 0; d < v->ndims; d++)
        p.n *= (int)p.count[d];
    return p;
}

static struct part anything(const struct variable *v)
{
    struct part p = { .n = 1 };
    for (int d = 0; d < v->ndims; d++) {
        int length = d ? (int)v->length[d] : RECORDS;
        p.start[d] = pick(length);
        p.stride[d] = 1 + pick(3);
        p.count[d] = pick(1 + (length - 1 - (int)p.start[d]) / (int)p.stride[d] + 1);
        if (d == 0 && p.count[d] > 3)
            p.count[d] = 3;
        p.n *= (int)p.count[d];
    }
    return p;
}

static void note_part(struct variable *v, const struct part *p)
{
    MPI_Offset at[MOST_DIMS] = { 0 };
    for (int i = 0; i < p->n; i++) {
        int rest = i, element = 0;
        for (int d = v->ndims - 1; d >= 0; d--) {
            at[d] = p->start[d] + rest % (int)p->count[d] * p->stride[d];
            rest /= (int)p->count[d];
        }
        for (int d = 1; d < v->ndims; d++)
            element = element * (int)v->length[d] + (int)at[d];
        note(v, (int)at[0], element);
    }
}

static int ints[ELEMENTS * RECORDS];

/* ---- steps of a program */

static void put_blocking(struct variable *v, bool is_tile)
{
    int records = 1 + pick(3), record = pick(RECORDS - records + 1), bad = pick(6) ? -1 : pick(my_size);
    bool strided = pick(2), by_map = pick(3) == 0;
    struct part mine = { .n = 0 };
    record = pick(3) ? (counted + records <= RECORDS ? counted : RECORDS - records) : record;
    if (is_tile)
        bad = pick(12) ? -1 : bad;
    for (int r = 0; r < my_size; r++) {
        struct part p = is_tile ? tile(v, record, records, r, strided) : anything(v);
        if (r == my_rank)
            mine = p;
        if (r != bad || p.n == 0)
            note_part(v, &p);
    }
    bool fails = bad == my_rank && mine.n > 0;
    MPI_Datatype type = v->is_text ? MPI_CHAR : MPI_INT;
    MPI_Offset map[MOST_DIMS], step = 1;
    for (int d = v->ndims - 1; d >= 0; d--) {
        map[d] = step;
        step *= mine.count[d];
    }
    if (fails && v->ndims > 1)
        mine.start[1] = v->length[1] + 7;
    else if (fails)
        mine.start[0] = -1;
    int err =
        by_map ? ncmpi_put_varm_all(ncid, v->id, mine.start, mine.count, mine.stride, map, ints, mine.n, type)
               : ncmpi_put_vars_all(ncid, v->id, mine.start, mine.count, mine.stride, ints, mine.n, type);
    if (!defers) /* else all puts that wait are one */
        agree();
    CHECK(err == (fails ? NC_EINVALCOORDS : NC_NOERR), "seed %d, step %d: %s", seed_now, step_now,
          ncmpi_strerrno(err));
}

/* All variables of one record, posted; each as one hyperslab, or as a list of elements. */
static void put_posted(void)
{
    int record = counted < RECORDS && pick(4) ? counted : pick(RECORDS),
        leaves_out = pick(4) ? -1 : pick(nvars);
    bool independent = pick(3) == 0, lists = pick(2);
    if (independent)
        CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    for (int i = 0; i < nvars; i++) {
        struct variable *v = &vars[i];
        MPI_Offset starts[ELEMENTS][MOST_DIMS], *list[ELEMENTS];
        MPI_Datatype type = v->is_text ? MPI_CHAR : MPI_INT;
        for (int r = 0; r < my_size && i != leaves_out; r++) {
            struct part p = tile(v, record, 1, r, false);
            note_part(v, &p);
            if (r != my_rank || p.n == 0)
                continue;
            for (int e = 0; e < p.n; e++) {
                list[e] = starts[e];
                for (int d = v->ndims - 1, rest = e; d >= 0; d--) {
                    starts[e][d] = p.start[d] + rest % (int)p.count[d];
                    rest /= (int)p.count[d];
                }
            }
            CHECK_NC(lists ? ncmpi_iput_varn(ncid, v->id, p.n, list, NULL, ints, p.n, type, NULL)
                           : ncmpi_iput_vara(ncid, v->id, p.start, p.count, ints, p.n, type, NULL),
                     NC_NOERR);
        }
    }
    if (independent)
        CHECK_NC(ncmpi_wait(ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    else
        CHECK_NC(ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    if (independent)
        CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
}

static void put_independent(void)
{
    struct variable *v = &vars[pick(nvars)];
    int record = counted < RECORDS && pick(4) ? counted : pick(RECORDS);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    for (int r = 0; r < my_size; r++) {
        struct part p = tile(v, record, 1, r, true);
        note_part(v, &p);
        if (r == my_rank && p.n > 0)
            CHECK_NC(ncmpi_put_vars(ncid, v->id, p.start, p.count, p.stride, ints, p.n,
                                    v->is_text ? MPI_CHAR : MPI_INT),
                     NC_NOERR);
    }
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
}

static void fill(void)
{
    int record = counted < RECORDS ? counted : pick(RECORDS);
    CHECK_NC(ncmpi_fill_var_rec(ncid, vars[pick(nvars)].id, record), NC_NOERR);
    numrecs = record + 1 > numrecs ? record + 1 : numrecs;
}

static void count_all(MPI_Info info)
{
    switch (pick(4)) {
    case 0:
        CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
        break;
    case 1:
        CHECK_NC(ncmpi_sync_numrecs(ncid), NC_NOERR);
        break;
    case 2:
        CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
        define(pick(2));
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
        break;
    default:
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, info, &ncid), NC_NOERR);
    }
    counted = numrecs;
}

static void run(int seed, MPI_Info info)
{
    state = (uint64_t)seed * 0x9e3779b97f4a7c15u + 12345;
    seed_now = seed;
    create(info);
    for (step_now = 0; step_now < STEPS; step_now++) {
        int what = pick(20);
        const char *name = what < 9    ? "tile"
                           : what < 11 ? "part"
                           : what < 14 ? "posted"
                           : what < 16 ? "independent"
                           : what < 17 ? "fill"
                           : what < 18 ? "all"
                                       : "row";
        if (what < 9)
            put_blocking(&vars[what % nvars], true);
        else if (what < 11)
            put_blocking(&vars[pick(nvars)], false);
        else if (what < 14)
            put_posted();
        else if (what < 16)
            put_independent();
        else if (what < 17)
            fill();
        else if (what < 18)
            count_all(info);
        else
            for (int i = 0; i < nvars; i++)
                put_blocking(&vars[i], true);
        expect(name);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    if (queues)
        CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK_INT(header_count(), numrecs);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* More records at a time than a message tells of, and one variable far ahead of the other. */
static void run_ahead(MPI_Info info)
{
    int dim, ids[2];
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_64BIT_DATA, info, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "a", NC_INT, 1, &dim, &ids[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "b", NC_INT, 1, &dim, &ids[1]), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    MPI_Offset each = LEADS / my_size, start = each * my_rank;
    CHECK_NC(ncmpi_put_vara_int_all(ncid, ids[0], &start, &each, ints), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0 && !queues && !defers)
        CHECK_INT(header_count(), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, ids[1], &start, &each, ints), NC_NOERR);
    if (defers)
        CHECK_NC(ncmpi_flush(ncid), NC_NOERR);
    if (queues)
        CHECK_NC(parcdf_wait(NULL), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK_INT(header_count(), each * my_size);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* The stride of one record may be anything: it leads nowhere. */
static void run_strided(void)
{
    enum { TIMES = 4 };
    const MPI_Offset strides[] = { 1, INT64_MAX, INT64_MAX - 1, INT64_MAX / 2 + 1 };
    int dim, id;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_commit", "step");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "a", NC_INT, 1, &dim, &id), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int r = 0; r < TIMES; r++) {
        const MPI_Offset start = r, count = my_rank == r % my_size, before = 0;
        CHECK_NC(ncmpi_put_vars_int_all(ncid, id, &start, &count, &strides[r], ints), NC_NOERR);
        if (my_rank == 0)
            CHECK_INT(header_count(), r + 1);
        if (r == TIMES - 1) /* once more, behind what is counted */
            CHECK_NC(ncmpi_put_vars_int_all(ncid, id, &before, &count, &strides[1], ints), NC_NOERR);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* A write that fails, on some rank: what was put then is never counted. */
static void run_failing(int rank, int write, const char *hint)
{
    enum { N = 8, TIMES = 4 };
    char order[64];
    int dims[2], ids[2], whole = 0;
    bool good = true;
    MPI_Info info;
    MPI_Info_create(&info);
    snprintf(order, sizeof order, "write:%d@%d=NC_ENO_SPACE", write, rank);
    MPI_Info_set(info, "pcdf_fault", order);
    MPI_Info_set(info, "pcdf_commit", "step");
    MPI_Info_set(info, hint, "1048576");
    MPI_Offset low = N * my_rank / my_size, high = N * (my_rank + 1) / my_size;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_64BIT_DATA, info, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", N, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "a", NC_INT, 2, dims, &ids[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "b", NC_SHORT, 2, dims, &ids[1]), NC_NOERR);
    bool is_defined = together_all(ncmpi_enddef(ncid) == NC_NOERR);
    for (int r = 0; r < TIMES && is_defined; r++) {
        const MPI_Offset start[2] = { r, low }, count[2] = { 1, high - low };
        for (int v = 0; v < 2; v++)
            good = together_all(ncmpi_put_vara_int_all(ncid, ids[v], start, count, ints) == NC_NOERR) && good;
        whole += good;
        int got = my_rank == 0 ? header_count() : 0;
        CHECK(got <= whole, "%s, %s: %d of %d whole records are counted", hint, order, got, whole);
    }
    (void)ncmpi_close(ncid);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0 && is_defined) {
        int got = header_count(), reader;
        bool is_late = !strcmp(hint, "pcdf_async"); /* puts succeed, and fail afterwards */
        CHECK(got <= whole && (is_late || got >= whole - 1), "%s, %s: %d of %d at the end", hint, order, got,
              whole);
        CHECK_NC(ncmpi_open(MPI_COMM_SELF, my_path, NC_NOWRITE, MPI_INFO_NULL, &reader), NC_NOERR);
        for (int v = 0; v < 2; v++) {
            const MPI_Offset start[2] = { 0, 0 }, count[2] = { got, N };
            int values[TIMES * N] = { 0 }, bad = 0;
            CHECK_NC(ncmpi_get_vara_int_all(reader, ids[v], start, count, values), NC_NOERR);
            for (int i = 0; i < got * N; i++)
                bad += values[i] != PUT;
            CHECK(bad == 0, "%s, %s: %d values of %d counted records are missing", hint, order, bad, got);
        }
        CHECK_NC(ncmpi_close(reader), NC_NOERR);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    static const char *const hints[][2] = { { "nc_var_align_size", "4" },
                                            { "pcdf_defer", "65536" },
                                            { "pcdf_async", "1048576" },
                                            { "pcdf_engine", "posix" },
                                            { "pcdf_debug_strategy", "two-phase" } };
    enum { HINTS = sizeof hints / sizeof hints[0] };
    together_begin(&argc, &argv, "step_commit", 600);
    for (int i = 0; i < ELEMENTS * RECORDS; i++)
        ints[i] = PUT;
    int seeds = argc > 2 ? atoi(argv[2]) : 100, first = argc > 3 ? atoi(argv[3]) : 1;
    for (int seed = first; seed < first + seeds + HINTS; seed++) {
        const char *const *hint = hints[seed % HINTS];
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "pcdf_commit", "step");
        MPI_Info_set(info, hint[0], hint[1]);
        defers = !strcmp(hint[0], "pcdf_defer");
        queues = !strcmp(hint[0], "pcdf_async");
        if (seed < first + seeds)
            run(seed, info);
        else
            run_ahead(info);
        MPI_Info_free(&info);
    }
    run_strided();
    for (int rank = 0; rank < my_size; rank++)
        for (int write = 1; write < 14; write++) {
            run_failing(rank, write, "nc_header_read_chunk_size");
            run_failing(rank, write, "pcdf_async");
        }
    return together_end("step_commit");
}
