/* Independent data mode of netCDF-4 files on several ranks: random puts of all forms, of elements that belong
 * to the rank, into chunks that all ranks share. A rank gets at once what it put; what others put it gets
 * after the next collective call, and until then what was there before. sync, redef, close and end of the
 * mode; variables with and without chunks; with little memory, and a queue. The file as it is closed is left
 * beside a model of its values, for independent_chunks.py.
 *
 *     independent_chunks FOLDER [SEEDS [FIRST [keep]]]
 */
#include "together.h"

enum { Y = 48, X = 120, RECORDS = 4, VARS = 5, MOST = RECORDS * Y * X };

static const struct kind {
    const char *name;
    nc_type type;
    int ndims; /* the last ones of time, y, x */
    int size;
} kinds[VARS] = {
    { "plane", NC_INT, 2, 4 },  { "field", NC_DOUBLE, 3, 8 }, { "small", NC_SHORT, 3, 2 },
    { "line", NC_FLOAT, 1, 4 }, { "text", NC_CHAR, 2, 1 },
};

struct world {
    int ncid, ids[VARS], names;
    MPI_Offset numrecs;
    bool is_written[VARS][MOST]; /* by any rank, or by this one since */
    double value[VARS][MOST];    /* what this rank gets */
};
static struct world *w;
static uint64_t state, own_state;
static int seed_now;

static uint64_t next(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return *s >> 33;
}

static int pick(int n) /* the same on all ranks */
{
    return (int)(next(&state) % (uint64_t)n);
}

static int draw(int n) /* this rank's */
{
    return (int)(next(&own_state) % (uint64_t)n);
}

/* ---- the file */

static const char *choose(const char *const *words, int n)
{
    return words[pick(n)];
}

static char hints[400]; /* for messages */

static void add_hint(MPI_Info info, const char *name, const char *value)
{
    size_t n = strlen(hints);
    MPI_Info_set(info, name, value);
    snprintf(hints + n, sizeof hints - n, " %s=%s", name, value);
}

static MPI_Info draw_hints(void)
{
    static const char *const chunks[] = { "time:1,y:10,x:14", "time:2,y:48,x:50", "time:1,y:7,x:120" },
                             *const codecs[] = { "none", "deflate:1,shuffle", "fletcher32" },
                             *const memory[] = { "67108864", "65536" },
                             *const async[] = { "0", "0", "1048576" }, *const engine[] = { "posix", "mpiio" },
                             *const defer[] = { "0", "0", "20000" };
    MPI_Info info;
    MPI_Info_create(&info);
    *hints = '\0';
    add_hint(info, "pcdf_chunks", choose(chunks, 3));
    add_hint(info, "pcdf_compress", choose(codecs, 3));
    add_hint(info, "pcdf_chunk_memory", choose(memory, 2));
    add_hint(info, "pcdf_async", choose(async, 3));
    add_hint(info, "pcdf_defer", choose(defer, 3));
    add_hint(info, "pcdf_engine", choose(engine, 2));
    return info;
}

static void define(void)
{
    int dims[3];
    MPI_Info info = draw_hints();
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_NETCDF4, info, &w->ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(w->ncid, "time", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(w->ncid, "y", Y, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(w->ncid, "x", X, &dims[2]), NC_NOERR);
    for (int v = 0; v < VARS; v++)
        CHECK_NC(ncmpi_def_var(w->ncid, kinds[v].name, kinds[v].type, kinds[v].ndims,
                               dims + 3 - kinds[v].ndims, &w->ids[v]),
                 NC_NOERR);
    CHECK_NC(ncmpi_enddef(w->ncid), NC_NOERR);
}

/* ---- elements: each belongs to a rank */

static int owner(int x)
{
    return (x / 3) % my_size;
}

static int at_of(int v, const MPI_Offset *i)
{
    const MPI_Offset *last = i + kinds[v].ndims - 1;
    MPI_Offset row = kinds[v].ndims > 1 ? last[-1] : 0, record = kinds[v].ndims > 2 ? last[-2] : 0;
    return (int)((record * Y + row) * X + *last);
}

static double value_of(void)
{
    static int count;
    return 1 + (seed_now * 31 + my_rank * 17 + count++ * 7) % 120;
}

/* A box with strides of this rank's elements: a run of three along x, or one of the three in several runs. */
struct box {
    MPI_Offset start[3], count[3], stride[3], n;
};

static struct box draw_box(int v)
{
    const int runs = X / 3 / my_size;
    struct box b;
    int d = 0;
    if (kinds[v].ndims > 2) {
        b.start[d] = draw(RECORDS);
        b.stride[d] = 1;
        b.count[d++] = 1 + draw(RECORDS - (int)b.start[0]);
    }
    if (kinds[v].ndims > 1) {
        b.start[d] = draw(Y);
        b.stride[d] = 1 + draw(4);
        b.count[d] = 1 + draw((Y - (int)b.start[d] - 1) / (int)b.stride[d] + 1);
        d++;
    }
    int run = draw(runs);
    b.start[d] = 3 * (my_rank + run * my_size);
    if (draw(2)) {
        b.stride[d] = 1;
        b.count[d] = 1 + draw(3);
    } else {
        b.start[d] += draw(3);
        b.stride[d] = 3 * my_size;
        b.count[d] = 1 + draw(runs - run);
    }
    b.n = 1;
    for (int i = 0; i <= d; i++)
        b.n *= b.count[i];
    return b;
}

/* The elements of a box in their order: *i goes on; false behind the last one. */
static bool step(int v, const struct box *b, MPI_Offset *i)
{
    for (int d = kinds[v].ndims - 1; d >= 0; d--) {
        i[d] += b->stride[d];
        if (i[d] < b->start[d] + b->count[d] * b->stride[d])
            return true;
        i[d] = b->start[d];
    }
    return false;
}

static void note(int v, const MPI_Offset *i, double value)
{
    int at = at_of(v, i);
    w->value[v][at] = value;
    w->is_written[v][at] = true;
    if (kinds[v].ndims > 2 && i[0] >= w->numrecs)
        w->numrecs = i[0] + 1;
}

static void note_box(int v, const struct box *b, const double *values)
{
    MPI_Offset i[3] = { b->start[0], b->start[1], b->start[2] };
    do
        note(v, i, *values++);
    while (step(v, b, i));
}

/* ---- puts and gets of one rank */

static int put_doubles(int v, const struct box *b, double *values, int form)
{
    const MPI_Offset *s = b->start, *c = b->count, *t = b->stride;
    int id = w->ids[v], request, status = NC_NOERR;
    if (kinds[v].type == NC_CHAR) { /* as text */
        char text[Y * X];
        for (MPI_Offset k = 0; k < b->n; k++)
            text[k] = (char)values[k];
        return ncmpi_put_vars_text(w->ncid, id, s, c, t, text);
    }
    if (form == 0)
        return ncmpi_put_vars_double(w->ncid, id, s, c, t, values);
    if (form == 1) { /* the map tells the same order */
        MPI_Offset map[3], n = 1;
        for (int d = kinds[v].ndims - 1; d >= 0; d--) {
            map[d] = n;
            n *= c[d];
        }
        return ncmpi_put_varm_double(w->ncid, id, s, c, t, map, values);
    }
    int err = ncmpi_iput_vars_double(w->ncid, id, s, c, t, values, &request);
    if (!err)
        err = ncmpi_wait(w->ncid, 1, &request, &status);
    return err ? err : status;
}

static void put_box(int v)
{
    static double values[MOST];
    struct box b = draw_box(v);
    for (MPI_Offset k = 0; k < b.n; k++)
        values[k] = value_of();
    CHECK_NC(put_doubles(v, &b, values, draw(3)), NC_NOERR);
    note_box(v, &b, values);
}

/* Single elements, by one call of several or by one each. */
static void put_many(int v)
{
    enum { N = 20 };
    MPI_Offset starts[N][3], *rows[N];
    double values[N];
    bool is_one = draw(2) && kinds[v].type != NC_CHAR;
    for (int k = 0; k < N; k++) {
        struct box b = draw_box(v);
        memcpy(starts[k], b.start, sizeof starts[k]);
        rows[k] = starts[k];
        values[k] = value_of();
        note(v, starts[k], values[k]);
        if (!is_one && kinds[v].type == NC_CHAR)
            CHECK_NC(ncmpi_put_var1_text(w->ncid, w->ids[v], rows[k], &(char){ (char)values[k] }), NC_NOERR);
        else if (!is_one)
            CHECK_NC(ncmpi_put_var1_double(w->ncid, w->ids[v], rows[k], &values[k]), NC_NOERR);
    }
    if (is_one)
        CHECK_NC(ncmpi_put_varn_double(w->ncid, w->ids[v], N, rows, NULL, values), NC_NOERR);
}

/* All records that this rank knows of: its own elements, and what others had put before. Of a variable
 * without chunks, the puts of others may be there at once. */
static void check_var(int v, bool together, bool is_early, const char *when)
{
    const bool is_free = kinds[v].ndims < 3; /* it may have no chunks */
    static double got[MOST];
    static char text[MOST];
    const bool is_record = kinds[v].ndims > 2;
    MPI_Offset start[3] = { 0 }, count[3] = { w->numrecs, Y, X };
    const MPI_Offset *c = count + 3 - kinds[v].ndims;
    long n = kinds[v].ndims == 1 ? X : Y * X * (is_record ? (long)w->numrecs : 1), wrong = 0, first = -1;
    int err =
        kinds[v].type == NC_CHAR
            ? (together ? ncmpi_get_vara_text_all : ncmpi_get_vara_text)(w->ncid, w->ids[v], start, c, text)
            : (together ? ncmpi_get_vara_double_all : ncmpi_get_vara_double)(w->ncid, w->ids[v], start, c,
                                                                             got);
    CHECK_NC(err, NC_NOERR);
    for (long i = 0; i < n; i++) {
        double value = kinds[v].type == NC_CHAR ? text[i] : got[i];
        bool is_known = w->is_written[v][i] && (owner((int)(i % X)) == my_rank || !is_free || !is_early);
        bool is_wrong = is_known && value != w->value[v][i];
        wrong += is_wrong;
        first = is_wrong && first < 0 ? i : first;
    }
    CHECK(wrong == 0, "seed %d, rank %d, %s, %s: %ld of %ld, the first %ld of rank %d: %g, not %g", seed_now,
          my_rank, when, kinds[v].name, wrong, n, first, owner((int)(first % X)),
          kinds[v].type == NC_CHAR ? text[first] : got[first], w->value[v][first]);
}

static void check_own_box(int v)
{
    static double got[MOST];
    struct box b = draw_box(v);
    MPI_Offset i[3] = { b.start[0], b.start[1], b.start[2] };
    if (kinds[v].type == NC_CHAR || (kinds[v].ndims > 2 && b.start[0] + b.count[0] > w->numrecs))
        return;
    CHECK_NC(ncmpi_get_vars_double(w->ncid, w->ids[v], b.start, b.count, b.stride, got), NC_NOERR);
    int k = 0;
    do {
        int at = at_of(v, i);
        if (w->is_written[v][at])
            CHECK(got[k] == w->value[v][at], "seed %d, rank %d: own %s at %d: %g, not %g", seed_now, my_rank,
                  kinds[v].name, at, got[k], w->value[v][at]);
        k++;
    } while (step(v, &b, i));
}

/* ---- together */

/* From now on each rank gets what all have put. */
static void join(void)
{
    for (int v = 0; v < VARS; v++) {
        static double all[MOST];
        static bool any[MOST];
        for (int i = 0; i < MOST; i++)
            if (owner(i % X) != my_rank) {
                w->value[v][i] = 0;
                w->is_written[v][i] = false;
            }
        MPI_Allreduce(w->value[v], all, MOST, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(w->is_written[v], any, MOST, MPI_C_BOOL, MPI_LOR, MPI_COMM_WORLD);
        memcpy(w->value[v], all, sizeof all);
        memcpy(w->is_written[v], any, sizeof any);
    }
    MPI_Allreduce(MPI_IN_PLACE, &w->numrecs, 1, MPI_OFFSET, MPI_MAX, MPI_COMM_WORLD);
}

/* Each rank some rows, so that chunks are shared. */
static void put_together(void)
{
    for (int v = 0; v < VARS; v++) {
        struct box b = draw_box(v);
        double *values = malloc((size_t)b.n * sizeof *values);
        char *text = malloc((size_t)b.n);
        for (MPI_Offset k = 0; k < b.n; k++)
            text[k] = (char)(values[k] = value_of());
        note_box(v, &b, values);
        CHECK_NC(kinds[v].type == NC_CHAR
                     ? ncmpi_put_vars_text_all(w->ncid, w->ids[v], b.start, b.count, b.stride, text)
                     : ncmpi_put_vars_double_all(w->ncid, w->ids[v], b.start, b.count, b.stride, values),
                 NC_NOERR);
        free(values);
        free(text);
    }
}

static void redefine(void)
{
    char name[16];
    int value = w->names;
    CHECK_NC(ncmpi_redef(w->ncid), NC_NOERR);
    snprintf(name, sizeof name, "a%d", w->names++);
    CHECK_NC(ncmpi_put_att_int(w->ncid, w->ids[0], name, NC_INT, 1, &value), NC_NOERR);
    if (pick(2)) {
        int dim = 2, id;
        snprintf(name, sizeof name, "v%d", w->names++);
        CHECK_NC(ncmpi_def_var(w->ncid, name, NC_INT, 1, &dim, &id), NC_NOERR);
    }
    CHECK_NC(ncmpi_enddef(w->ncid), NC_NOERR);
}

static void work_alone(void)
{
    CHECK_NC(ncmpi_begin_indep_data(w->ncid), NC_NOERR);
    for (int syncs = pick(3); syncs >= 0; syncs--) {
        for (int i = draw(12); i > 0; i--) {
            int v = draw(VARS), what = draw(8);
            if (what < 4)
                put_box(v);
            else if (what < 6)
                put_many(v);
            else if (what < 7)
                check_own_box(v);
            else if (w->numrecs > 0)
                check_var(v, false, true, "alone");
        }
        if (syncs > 0) {
            CHECK_NC(ncmpi_sync(w->ncid), NC_NOERR);
            join();
            MPI_Offset records;
            CHECK_NC(ncmpi_inq_dimlen(w->ncid, 0, &records), NC_NOERR);
            CHECK_INT(records, w->numrecs);
            for (int v = 0; v < VARS && w->numrecs > 0; v++)
                check_var(v, false, false, "after a sync");
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
}

static void check_all(const char *when)
{
    MPI_Offset records;
    CHECK_NC(ncmpi_inq_dimlen(w->ncid, 0, &records), NC_NOERR);
    CHECK_INT(records, w->numrecs);
    for (int v = 0; v < VARS && w->numrecs > 0; v++)
        check_var(v, true, false, when);
}

/* The values, and which of them are known, of each variable. */
static void leave_model(void)
{
    char path[1100];
    snprintf(path, sizeof path, "%s.raw", my_path);
    FILE *file = fopen(path, "wb");
    for (int v = 0; file && v < VARS; v++) {
        fwrite(w->value[v], sizeof(double), MOST, file);
        fwrite(w->is_written[v], 1, MOST, file);
    }
    CHECK(file && fclose(file) == 0, "%s is not written", path);
}

/* A put that finds no room is this rank's error alone, and what was put before stays; after a sync there is
 * room again. */
static void check_limit(void)
{
    enum { SIDE = 200, N = SIDE * SIDE };
    static int values[N], got[N];
    int ncid, dims[2], id, failed = 0, puts = 0, most = my_size > 1 && my_rank == 0 ? NC_ENOMEM : NC_NOERR;
    MPI_Offset start[2] = { 0, 0 }, count[2] = { 10, SIDE };
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_chunks", "y:40,x:40");
    MPI_Info_set(info, "pcdf_chunk_memory", "65536");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_NETCDF4, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "y", SIDE, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", SIDE, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &id), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    for (int i = 0; i < N; i++)
        values[i] = i;
    for (; my_rank == 0 && !failed && start[0] < SIDE; puts += !failed) { /* 8 KB each */
        failed = ncmpi_put_vara_int(ncid, id, start, count, values + start[0] * SIDE);
        start[0] += failed ? 0 : 10;
    }
    CHECK_NC(failed, most);
    CHECK(!failed || (puts >= 4 && strstr(parcdf_last_error(), "pcdf_chunk_memory")), "%d puts, then %s",
          puts, parcdf_last_error());
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    for (; failed && start[0] < SIDE && start[0] < 20 * puts; start[0] += 10)
        CHECK_NC(ncmpi_put_vara_int(ncid, id, start, count, values + start[0] * SIDE), NC_NOERR);
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
    MPI_Bcast(start, 1, MPI_OFFSET, 0, MPI_COMM_WORLD);
    const MPI_Offset zero[2] = { 0, 0 }, all[2] = { start[0], SIDE };
    CHECK_NC(ncmpi_get_vara_int_all(ncid, id, zero, all, got), NC_NOERR);
    CHECK(memcmp(got, values, (size_t)(start[0] * SIDE) * sizeof *got) == 0, "%lld rows are not what was put",
          (long long)start[0]);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    if (my_rank == 0)
        unlink(my_path);
}

/* An abort in independent mode, of a file that was created and of one that was opened: the puts before it are
 * done. */
static void check_abort(void)
{
    enum { N = 8000 };
    static int values[N], got[N];
    const MPI_Offset n = N / my_size, start = my_rank * n, all = n * my_size;
    int ncid, dim, id;
    for (int i = 0; i < N; i++)
        values[i] = 7 * i;
    for (int is_opened = 0; is_opened < 2; is_opened++) {
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "pcdf_chunks", "x:999");
        MPI_Info_set(info, "pcdf_compress", "deflate:1");
        CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_NETCDF4, info, &ncid), NC_NOERR);
        MPI_Info_free(&info);
        CHECK_NC(ncmpi_def_dim(ncid, "x", N, &dim), NC_NOERR);
        CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &id), NC_NOERR);
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
        if (is_opened) {
            CHECK_NC(ncmpi_close(ncid), NC_NOERR);
            CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
        }
        CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
        CHECK_NC(ncmpi_put_vara_int(ncid, id, &start, &n, values + start), NC_NOERR);
        CHECK_NC(ncmpi_abort(ncid), NC_NOERR);
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
        CHECK_NC(ncmpi_get_vara_int_all(ncid, id, &(MPI_Offset){ 0 }, &all, got), NC_NOERR);
        CHECK(memcmp(got, values, (size_t)all * sizeof *got) == 0, "the puts before the abort are not there");
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        memset(got, 0, sizeof got);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (my_rank == 0)
        unlink(my_path);
}

/* The first put of a variable decides its chunks, and so moves cells and owners: what was put to other
 * variables before, by whichever owner, stays, also where it waits in a queue. The whole and a later part of
 * each variable go to different owners, with no sync between. */
static void check_decided(int seed)
{
    enum { ROWS = 6, DEALS = 4, TALL = 1770 };
    static int values[DEALS][ROWS * TALL], got[ROWS * TALL];
    int ncid, dims[3], ids[DEALS];
    const MPI_Offset part = TALL / my_size;
    MPI_Info info;
    state = (uint64_t)seed * 7919 + 3;
    MPI_Info_create(&info);
    *hints = '\0';
    add_hint(info, "pcdf_chunks", pick(2) ? "4096" : "16384");
    add_hint(info, "pcdf_compress", pick(2) ? "deflate:1" : "none");
    add_hint(info, "pcdf_async", pick(2) ? "1048576" : "0");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_NETCDF4, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "row", ROWS, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", TALL, &dims[2]), NC_NOERR);
    for (int v = 0; v < DEALS; v++) {
        char name[8];
        snprintf(name, sizeof name, "v%d", v);
        CHECK_NC(ncmpi_def_var(ncid, name, NC_INT, 2, (int[]){ dims[v & 1 ? 0 : 1], dims[2] }, &ids[v]),
                 NC_NOERR);
    }
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int i = 0; i < DEALS * ROWS * TALL; i++)
        values[0][i] = i * 3 + seed;
    for (int v = 0; v < DEALS; v++) {
        const MPI_Offset start[2] = { 0, my_rank * part }, count[2] = { ROWS, part };
        const MPI_Offset again[2] = { pick(ROWS), my_rank * part }, one[2] = { 1, part };
        int mine[ROWS * TALL], earlier = pick(v + 1);
        for (int i = 0; i < ROWS * part; i++)
            mine[i] = values[v][i / part * TALL + start[1] + i % part];
        CHECK_NC(ncmpi_put_vara_int_all(ncid, ids[v], start, count, mine), NC_NOERR);
        for (int i = 0; i < part * my_size; i++) /* by all ranks */
            values[earlier][again[0] * TALL + i] = 100000 * (v + 1) + i;
        memcpy(mine, &values[earlier][again[0] * TALL + start[1]], (size_t)part * sizeof *mine);
        CHECK_NC(ncmpi_put_vara_int_all(ncid, ids[earlier], again, one, mine), NC_NOERR);
    }
    for (int reads = 0; reads < 2; reads++) {
        for (int v = 0; v < DEALS; v++) {
            const MPI_Offset start[2] = { 0, 0 }, count[2] = { ROWS, part * my_size };
            int wrong = 0;
            CHECK_NC(ncmpi_get_vara_int_all(ncid, ids[v], start, count, got), NC_NOERR);
            for (int i = 0; i < ROWS * count[1]; i++)
                wrong += got[i] != values[v][i / count[1] * TALL + i % count[1]];
            CHECK(wrong == 0, "seed %d:%s: v%d, %s: %d values are wrong", seed, hints, v,
                  reads ? "read" : "written", wrong);
        }
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        if (reads == 0)
            CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(my_path);
}

/* Writes fail on some rank from the n-th on: at the latest the close says so, on all ranks; or else all
 * values are in the file. */
static void check_fault(int seed)
{
    enum { SIDE = 120, N = SIDE * SIDE };
    static int values[N], got[N];
    int ncid, dims[2], id, errors = 0, told[2], worst[2];
    char order[64];
    MPI_Info info;
    state = (uint64_t)seed * 7919 + 5;
    MPI_Info_create(&info);
    *hints = '\0';
    add_hint(info, "pcdf_chunks", "y:17,x:40");
    add_hint(info, "pcdf_compress", pick(2) ? "deflate:1" : "none");
    add_hint(info, "pcdf_chunk_memory", pick(2) ? "65536" : "1048576");
    add_hint(info, "pcdf_async", pick(3) ? "0" : "1048576");
    snprintf(order, sizeof order, "write:%d%s@%d", 1 + pick(16), pick(2) ? "+" : "", pick(my_size));
    add_hint(info, "pcdf_fault", order);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_NETCDF4, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(ncid, "y", SIDE, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", SIDE, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &id), NC_NOERR);
    errors += ncmpi_enddef(ncid) != NC_NOERR;
    for (int i = 0; i < N; i++)
        values[i] = seed + i;
    for (int half = 0; half < 2; half++) { /* left and right columns */
        errors += ncmpi_begin_indep_data(ncid) != NC_NOERR;
        for (MPI_Offset y = my_rank; y < SIDE; y += my_size) {
            const MPI_Offset start[2] = { y, half * SIDE / 2 }, count[2] = { 1, SIDE / 2 };
            errors += ncmpi_put_vara_int(ncid, id, start, count, values + y * SIDE + start[1]) != NC_NOERR;
        }
        if (pick(2))
            errors += ncmpi_sync(ncid) != NC_NOERR;
        errors += ncmpi_end_indep_data(ncid) != NC_NOERR;
    }
    errors += ncmpi_close(ncid) != NC_NOERR;
    told[0] = errors > 0;
    told[1] = -told[0];
    MPI_Allreduce(told, worst, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(worst[0] == -worst[1], "seed %d, rank %d:%s: %d errors", seed, my_rank, hints, errors);
    if (worst[0] == 0) {
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
        CHECK_NC(ncmpi_get_var_int_all(ncid, id, got), NC_NOERR);
        CHECK(memcmp(got, values, sizeof got) == 0, "seed %d:%s: no error, and other values", seed, hints);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(my_path);
}

static void run(int seed, bool keeps)
{
    char base[1024];
    memset(w, 0, sizeof *w);
    seed_now = seed;
    state = (uint64_t)seed * 7919 + 1;
    own_state = state + (uint64_t)my_rank * 104729;
    memcpy(base, my_path, sizeof base);
    snprintf(my_path, sizeof my_path, "%.900s.%d.nc", base, seed);
    define();
    for (int rounds = 1 + pick(4); rounds > 0; rounds--) {
        if (pick(2))
            put_together();
        join();
        work_alone();
        int how = pick(rounds == 1 ? 4 : 3);
        if (how == 0) {
            redefine();
        } else if (how == 1) { /* in independent mode */
            CHECK_NC(ncmpi_close(w->ncid), NC_NOERR);
            CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &w->ncid), NC_NOERR);
        } else if (how == 2) {
            CHECK_NC(ncmpi_end_indep_data(w->ncid), NC_NOERR);
        }
        join();
        if (how < 3)
            check_all("together");
    }
    CHECK_NC(ncmpi_close(w->ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &w->ncid), NC_NOERR);
    check_all("read");
    CHECK_NC(ncmpi_close(w->ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0 && keeps)
        leave_model();
    else if (my_rank == 0)
        unlink(my_path);
    memcpy(my_path, base, sizeof base);
    if (check_bad > 0)
        fprintf(stderr, "seed %d:%s\n", seed, hints);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "independent_chunks", 300);
    int seeds = argc > 2 ? atoi(argv[2]) : 20, first = argc > 3 ? atoi(argv[3]) : 1;
    w = malloc(sizeof *w);
    for (int seed = first; seed < first + seeds && together_all(check_bad == 0); seed++)
        run(seed, argc > 4);
    free(w);
    check_limit();
    check_abort();
    for (int seed = first; seed < first + 4 * seeds && together_all(check_bad == 0); seed++)
        check_fault(seed);
    for (int seed = first; seed < first + 2 * seeds && together_all(check_bad == 0); seed++)
        check_decided(seed);
    return together_end("independent_chunks");
}
