/* Fixes hint pcdf_verify: a get that touches a block whose bytes are not as they were summed fails with
 * NC_EREAD, each time, on the ranks that touch it, and says which bytes; all else is read as ever; a damaged
 * header is found at open. Without checksums that can be used, and in a file open for writing, the hint is
 * reported as false. A file that is written while it is read is not accused. Of requests that are waited for
 * together those fail that touch the block. Sums that are damaged themselves are not used. */

#include <fcntl.h>
#include <parcdf.h>
#include <sys/stat.h>
#include "checksumtable.h"
#include "dataset.h"
#include "together.h"

enum { BLOCK = PCDF_CHECKSUMS_BLOCK, ROWS = 6, COLUMNS = BLOCK / 4 };

static char sums_path[1200];
static int32_t row[COLUMNS];

static int32_t value_of(int r, int c)
{
    return (int32_t)((uint32_t)(r * COLUMNS + c) * 2654435761u);
}

static int open_with(const char *name, const char *value, int mode, const char *engine, int *ncid)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, name, value);
    MPI_Info_set(info, "pcdf_engine", engine);
    int err = ncmpi_open(MPI_COMM_WORLD, my_path, mode, info, ncid);
    MPI_Info_free(&info);
    return err;
}

static void make_file(const char *checksum)
{
    int ncid, dims[2], var;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_checksum", checksum);
    MPI_Info_set(info, "nc_var_align_size", "1048576"); /* row r is block r + 1 */
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    ncmpi_def_dim(ncid, "row", ROWS, &dims[0]);
    ncmpi_def_dim(ncid, "column", COLUMNS, &dims[1]);
    ncmpi_def_var(ncid, "rows", NC_INT, 2, dims, &var);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int r = 0; r < ROWS; r++) {
        MPI_Offset start[2] = { r, 0 }, count[2] = { my_rank == 0, COLUMNS };
        for (int c = 0; c < COLUMNS; c++)
            row[c] = value_of(r, c);
        CHECK_NC(ncmpi_put_vara_int_all(ncid, var, start, count, row), NC_NOERR);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Rank 0 turns a bit, as a bad disk does: the file's time stays, unless it is told. */
static void damage(int64_t at, bool keep_time)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0) {
        unsigned char byte = 0;
        struct stat st;
        int fd = open(my_path, O_RDWR);
        CHECK_INT(fstat(fd, &st), 0);
        CHECK_INT(pread(fd, &byte, 1, at), 1);
        byte ^= 4;
        CHECK_INT(pwrite(fd, &byte, 1, at), 1);
        if (keep_time)
            CHECK_INT(futimens(fd, (struct timespec[2]){ st.st_atim, st.st_mtim }), 0);
        close(fd);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void expect_hint(int ncid, const char *want)
{
    char value[MPI_MAX_INFO_VAL + 1] = "(not there)";
    MPI_Info used;
    int found = 0;
    CHECK_NC(ncmpi_inq_file_info(ncid, &used), NC_NOERR);
    MPI_Info_get(used, "pcdf_verify", MPI_MAX_INFO_VAL, value, &found);
    MPI_Info_free(&used);
    CHECK(strcmp(value, want) == 0, "pcdf_verify is %s, not %s", value, want);
}

/* Some columns of a row, on the ranks that `reads`. */
static int get_row(int ncid, int r, int first, int n, bool reads)
{
    MPI_Offset start[2] = { reads ? r : 0, reads ? first : 0 }, count[2] = { reads, reads ? n : 0 };
    int err = ncmpi_get_vara_int_all(ncid, 0, start, count, row);
    for (int c = 0; !err && reads && c < n; c++)
        if (row[c] != value_of(r, first + c)) {
            CHECK(false, "row %d column %d is wrong", r, first + c);
            break;
        }
    return err;
}

static void check_good(const char *engine)
{
    int ncid;
    CHECK_NC(open_with("pcdf_verify", "true", NC_NOWRITE, engine, &ncid), NC_NOERR);
    expect_hint(ncid, "true");
    for (int r = 0; r < ROWS; r++)
        CHECK_NC(get_row(ncid, r, 0, COLUMNS, true), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void check_damaged(const char *engine)
{
    int ncid;
    bool reads = my_rank == my_size - 1;
    damage(3 * BLOCK + 4 * 1000, true); /* of row 2: column 1000 */
    CHECK_NC(open_with("pcdf_verify", "true", NC_NOWRITE, engine, &ncid), NC_NOERR);
    CHECK_NC(get_row(ncid, 1, 0, COLUMNS, true), NC_NOERR);
    for (int again = 0; again < 2; again++) {
        CHECK_NC(get_row(ncid, 2, 5, 10, reads), reads ? NC_EREAD : NC_NOERR);
        if (reads)
            CHECK(strstr(parcdf_last_error(), "block 3, bytes 3145728 to 4194303") &&
                      strstr(parcdf_last_error(), "it is damaged"),
                  "%s", parcdf_last_error());
    }
    CHECK_NC(get_row(ncid, 3, 0, COLUMNS, true), NC_NOERR);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    CHECK_NC(ncmpi_get_var1_int(ncid, 0, (MPI_Offset[]){ 2, 0 }, row), NC_EREAD);
    CHECK_NC(ncmpi_get_var1_int(ncid, 0, (MPI_Offset[]){ 1, 0 }, row), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(open_with("pcdf_verify", "false", NC_NOWRITE, engine, &ncid), NC_NOERR);
    expect_hint(ncid, "false");
    CHECK_NC(get_row(ncid, 2, 5, 10, true), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    damage(3 * BLOCK + 4 * 1000, true);
    damage(3 * BLOCK + 4 * 1000 + 1, false);
    CHECK_NC(open_with("pcdf_verify", "true", NC_NOWRITE, engine, &ncid), NC_NOERR);
    CHECK_NC(get_row(ncid, 2, 5, 10, true), NC_EREAD);
    CHECK(strstr(parcdf_last_error(), "changed by another program"), "%s", parcdf_last_error());
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    damage(3 * BLOCK + 4 * 1000 + 1, true);
}

static void check_header(const char *engine)
{
    int ncid;
    damage(BLOCK / 2, true); /* behind the header, in its block */
    CHECK_NC(open_with("pcdf_verify", "true", NC_NOWRITE, engine, &ncid), NC_EREAD);
    damage(BLOCK / 2, true);
    CHECK_NC(open_with("pcdf_verify", "true", NC_NOWRITE, engine, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* ---- every kind of get: exactly those fail that touch the bad block, which is row 2 */

enum { BAD_ROW = 2, FAR_COLUMN = 70000, FEW = 9 };
#define BAD_BLOCK "block 3, bytes 3145728 to 4194303"

static void expect_get(const char *what, int err, int r)
{
    CHECK(err == (r == BAD_ROW ? NC_EREAD : NC_NOERR), "%s of row %d: %s", what, r, ncmpi_strerrno(err));
    CHECK(err == NC_NOERR || strstr(parcdf_last_error(), BAD_BLOCK), "%s: %s", what, parcdf_last_error());
}

/* values: of some columns from FAR_COLUMN on, `stride` columns from each other. */
static void expect_values(const char *what, int r, const double *values, int stride)
{
    for (int i = 0; r != BAD_ROW && i < FEW; i++)
        CHECK(values[i] == value_of(r, FAR_COLUMN + i * stride), "%s, row %d: value %d", what, r, i);
}

static void get_blocking(int ncid, int r, bool all)
{
    const MPI_Offset start[2] = { r, FAR_COLUMN }, count[2] = { 1, FEW }, stride[2] = { 1, 3 };
    MPI_Offset starts[2][2] = { { r, FAR_COLUMN }, { r, FAR_COLUMN + 4 } },
               counts[2][2] = { { 1, 4 }, { 1, FEW - 4 } }, *s[2] = { starts[0], starts[1] },
               *c[2] = { counts[0], counts[1] }, imap[2] = { 1, 1 };
    double d[FEW] = { 0 };
    int n[FEW] = { 0 };
    expect_get("vara",
               all ? ncmpi_get_vara_double_all(ncid, 0, start, count, d)
                   : ncmpi_get_vara_double(ncid, 0, start, count, d),
               r);
    expect_values("vara", r, d, 1);
    expect_get("vars",
               all ? ncmpi_get_vars_double_all(ncid, 0, start, count, stride, d)
                   : ncmpi_get_vars_double(ncid, 0, start, count, stride, d),
               r);
    expect_values("vars", r, d, 3);
    expect_get("varm",
               all ? ncmpi_get_varm_double_all(ncid, 0, start, count, stride, imap, d)
                   : ncmpi_get_varm_double(ncid, 0, start, count, stride, imap, d),
               r);
    expect_get(
        "varn",
        all ? ncmpi_get_varn_double_all(ncid, 0, 2, s, c, d) : ncmpi_get_varn_double(ncid, 0, 2, s, c, d), r);
    expect_values("varn", r, d, 1);
    expect_get("var1",
               all ? ncmpi_get_var1_double_all(ncid, 0, start, d) : ncmpi_get_var1_double(ncid, 0, start, d),
               r);
    expect_get("flexible",
               all ? ncmpi_get_vara_all(ncid, 0, start, count, n, FEW, MPI_INT)
                   : ncmpi_get_vara(ncid, 0, start, count, n, FEW, MPI_INT),
               r);
    for (int i = 0; i < FEW; i++)
        d[i] = n[i];
    expect_values("flexible", r, d, 1);
}

/* All rows posted; each rank begins with another one. Each request has its own verdict. */
static void get_posted(int ncid, bool all)
{
    double d[ROWS][FEW] = { { 0 } };
    int requests[ROWS], codes[ROWS];
    for (int i = 0; i < ROWS; i++) {
        int r = (i + my_rank) % ROWS;
        const MPI_Offset start[2] = { r, FAR_COLUMN }, count[2] = { 1, FEW };
        CHECK_NC(ncmpi_iget_vara_double(ncid, 0, start, count, d[r], &requests[i]), NC_NOERR);
    }
    int err = all ? ncmpi_wait_all(ncid, ROWS, requests, codes) : ncmpi_wait(ncid, ROWS, requests, codes);
    CHECK_NC(err, NC_EREAD);
    CHECK(strstr(parcdf_last_error(), BAD_BLOCK), "%s", parcdf_last_error());
    for (int i = 0; i < ROWS; i++) {
        int r = (i + my_rank) % ROWS;
        CHECK_NC(codes[i], r == BAD_ROW ? NC_EREAD : NC_NOERR);
        expect_values("iget", r, d[r], 1);
    }
}

static void check_kinds(const char *engine)
{
    int ncid;
    damage((BAD_ROW + 1) * BLOCK + 4 * 1000, true);
    CHECK_NC(open_with("pcdf_verify", "true", NC_NOWRITE, engine, &ncid), NC_NOERR);
    for (int all = 1; all >= 0; all--) {
        for (int r = 0; r < ROWS; r++) /* each rank another row: what one touches is not told to others */
            get_blocking(ncid, (r + my_rank) % ROWS, all);
        get_posted(ncid, all);
        if (all)
            CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    damage((BAD_ROW + 1) * BLOCK + 4 * 1000, true);
}

/* Short collective calls, none of them where blocks begin: what all ranks together read of the file is its
 * blocks, once each, and the bytes that are wanted of blocks that were read before. */
static void check_amount(const char *engine)
{
    enum { LONG = 90001, TIMES = 30 }; /* floats of a record; of 343 KiB */
    float *values = malloc(LONG * sizeof *values);
    struct pcdf_dataset *ds = NULL;
    int ncid, dims[2], var;
    int64_t read = 0;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_checksum", "crc32c");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dims[0]);
    ncmpi_def_dim(ncid, "place", LONG, &dims[1]);
    ncmpi_def_var(ncid, "v", NC_FLOAT, 2, dims, &var);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    const MPI_Offset low = LONG * my_rank / my_size, high = LONG * (my_rank + 1) / my_size;
    for (int puts = 1; puts >= 0; puts--) {
        for (int r = 0; r < TIMES; r++) {
            const MPI_Offset start[2] = { r, low }, count[2] = { 1, high - low };
            for (int i = 0; i < high - low; i++)
                values[i] = puts ? (float)(low + i + r) : 0;
            CHECK_NC(puts ? ncmpi_put_vara_float_all(ncid, var, start, count, values)
                          : ncmpi_get_vara_float_all(ncid, var, start, count, values),
                     NC_NOERR);
            for (int i = 0; i < high - low && check_bad < 10; i++)
                CHECK(values[i] == (float)(low + i + r), "record %d, value %d", r, i);
        }
        if (puts) {
            CHECK_NC(ncmpi_close(ncid), NC_NOERR);
            CHECK_NC(open_with("pcdf_verify", "true", NC_NOWRITE, engine, &ncid), NC_NOERR);
        }
    }
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    MPI_Allreduce(&ds->counts.bytes_read, &read, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    const int64_t size = 4 * (int64_t)LONG * TIMES, most = 2 * size + BLOCK;
    CHECK(read <= most, "%lld bytes were read of %lld, not %lld", (long long)read, (long long)size,
          (long long)most);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    free(values);
}

/* Sums that cannot be used are not used, and accuse nobody: torn, cut off, or of a file that is shorter now.
 * Of a block that the file lost its get fails. */
static void change_sums(int64_t at, bool cuts)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0) {
        unsigned char byte = 0;
        int fd = open(sums_path, O_RDWR);
        CHECK(fd >= 0 && pread(fd, &byte, 1, at) == 1, "the sums at %lld", (long long)at);
        byte ^= 1;
        CHECK(cuts ? !ftruncate(fd, at) : pwrite(fd, &byte, 1, at) == 1, "changed");
        close(fd);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void expect_unused(const char *engine)
{
    int ncid;
    CHECK_NC(open_with("pcdf_verify", "true", NC_NOWRITE, engine, &ncid), NC_NOERR);
    expect_hint(ncid, "false");
    for (int r = 0; r < ROWS; r++)
        CHECK_NC(get_row(ncid, r, 5, 10, true), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void check_sums(const char *engine)
{
    const int64_t places[] = { 3, 40, PCDF_CHECKSUMS_HEAD + 5 };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        change_sums(places[i], false);
        expect_unused(engine);
        change_sums(places[i], false); /* as it was */
    }
    check_good(engine);
    change_sums(PCDF_CHECKSUMS_HEAD + 9, true);
    expect_unused(engine);
    change_sums(100, true);
    expect_unused(engine);
    make_file("crc32c");
}

static void check_short(const char *engine)
{
    int ncid;
    CHECK_NC(open_with("pcdf_verify", "true", NC_NOWRITE, engine, &ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK(!truncate(my_path, 5 * BLOCK + 4 * FAR_COLUMN), "cut off in row 4");
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(get_row(ncid, 3, 0, COLUMNS, true), NC_NOERR);
    CHECK_NC(get_row(ncid, 4, 0, 10, true), NC_EREAD);
    CHECK_NC(get_row(ncid, 5, 0, 10, true), NC_EREAD);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    make_file("crc32c");
}

/* One reader of a rank's own while all write. */
static void check_written(const char *engine)
{
    int writer, reader = -1;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_verify", "true");
    MPI_Info_set(info, "pcdf_engine", engine);
    CHECK_NC(ncmpi_open(MPI_COMM_SELF, my_path, NC_NOWRITE, info, &reader), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(open_with("pcdf_verify", "true", NC_WRITE, engine, &writer), NC_NOERR);
    expect_hint(writer, "false");
    CHECK_NC(ncmpi_put_var1_int_all(writer, 0, (MPI_Offset[]){ 4, 0 }, (int[]){ 7 }), NC_NOERR);
    together_written();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_get_var1_int_all(reader, 0, (MPI_Offset[]){ 4, 0 }, row), NC_NOERR);
    CHECK_INT(row[0], 7);
    CHECK_NC(ncmpi_close(reader), NC_NOERR);
    CHECK_NC(ncmpi_close(writer), NC_NOERR);
    CHECK_NC(open_with("pcdf_verify", "true", NC_NOWRITE, engine, &reader), NC_NOERR);
    expect_hint(reader, "false"); /* nobody summed the file since */
    CHECK_NC(ncmpi_close(reader), NC_NOERR);
}

/* ---- any shape, any damage */

enum { SHAPE_ROWS = 40, SHAPE_COLUMNS = 30011, RECORDS = 5, RECORD = 70001 };

static double any_value(int var, int64_t index)
{
    return (double)(((uint64_t)index * 2654435761u + (uint64_t)var * 40503u) % 1000003u);
}

/* Doubles and bytes, which are staged and not; nothing is aligned to blocks. */
static void make_shapes(void)
{
    enum { MOST = SHAPE_ROWS * SHAPE_COLUMNS };
    double *values = malloc(MOST * sizeof *values);
    int ncid, dims[2], recs[2];
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_checksum", "crc32c");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    ncmpi_def_dim(ncid, "row", SHAPE_ROWS, &dims[0]);
    ncmpi_def_dim(ncid, "column", SHAPE_COLUMNS, &dims[1]);
    ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &recs[0]);
    ncmpi_def_dim(ncid, "place", RECORD, &recs[1]);
    int vars[3];
    ncmpi_def_var(ncid, "plane", NC_DOUBLE, 2, dims, &vars[0]);
    ncmpi_def_var(ncid, "a", NC_FLOAT, 2, recs, &vars[1]);
    ncmpi_def_var(ncid, "b", NC_DOUBLE, 2, recs, &vars[2]);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int v = 0; v < 3; v++) {
        MPI_Offset n = v ? RECORDS * RECORD : MOST, start[2] = { 0, 0 };
        MPI_Offset count[2] = { my_rank ? 0
                                : v     ? RECORDS
                                        : SHAPE_ROWS,
                                my_rank ? 0
                                : v     ? RECORD
                                        : SHAPE_COLUMNS };
        for (int64_t i = 0; i < n; i++)
            values[i] = any_value(v, i);
        CHECK_NC(ncmpi_put_vara_double_all(ncid, vars[v], start, count, values), NC_NOERR);
    }
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    free(values);
}

static uint64_t draws = 88172645463325252u;
static int64_t draw(int64_t n) /* the same on all ranks */
{
    draws ^= draws << 13;
    draws ^= draws >> 7;
    draws ^= draws << 17;
    return (int64_t)(draws % (uint64_t)n);
}

/* A slab of each rank: the get fails on a rank exactly where its bytes lie in the bad block; -1: in none. */
static void check_slab(int ncid, int64_t bad, bool is_collective, double *values)
{
    MPI_Offset start[2], count[2], begin, record;
    const int64_t widths[] = { 1, 7, 300, 9000, RECORD };
    int v = (int)draw(3), x = (int)draw(5), y = (int)draw(3);
    const int64_t rows = v ? RECORDS : SHAPE_ROWS, columns = v ? RECORD : SHAPE_COLUMNS;
    CHECK_NC(ncmpi_inq_varoffset(ncid, v, &begin), NC_NOERR);
    CHECK_NC(ncmpi_inq_recsize(ncid, &record), NC_NOERR);
    for (int rank = 0; rank < my_size; rank++) { /* each rank draws for all, and keeps its own */
        MPI_Offset s[2] = { draw(rows), draw(columns) };
        MPI_Offset c[2] = { y ? rows - s[0] : 1, columns - s[1] < widths[x] ? columns - s[1] : widths[x] };
        if (rank == my_rank) {
            memcpy(start, s, sizeof s);
            memcpy(count, c, sizeof c);
        }
    }
    const int64_t size = v == 1 ? 4 : 8, stride = v ? record : SHAPE_COLUMNS * 8;
    bool touches = false;
    for (int64_t r = start[0]; r < start[0] + count[0]; r++) {
        int64_t from = begin + r * stride + start[1] * size, to = from + count[1] * size;
        touches |= bad >= 0 && from < (bad + 1) * BLOCK && to > bad * BLOCK;
    }
    int err = is_collective ? ncmpi_get_vara_double_all(ncid, v, start, count, values)
                            : ncmpi_get_vara_double(ncid, v, start, count, values);
    CHECK(err == (touches ? NC_EREAD : NC_NOERR),
          "%s, variable %d, rows %lld+%lld, columns %lld+%lld: block %lld", ncmpi_strerror(err), v,
          (long long)start[0], (long long)count[0], (long long)start[1], (long long)count[1], (long long)bad);
    for (int64_t i = 0; !err && i < count[0] * count[1]; i++)
        if (values[i] != any_value(v, (start[0] + i / count[1]) * columns + start[1] + i % count[1])) {
            CHECK(false, "variable %d: value %lld is wrong", v, (long long)i);
            break;
        }
}

static void check_shapes(const char *engine, int rounds)
{
    double *values = malloc((size_t)SHAPE_ROWS * SHAPE_COLUMNS * sizeof *values);
    make_shapes();
    struct stat st = { 0 };
    int ncid;
    CHECK_INT(stat(my_path, &st), 0);
    const int64_t size = st.st_size;
    for (int round = 0; round < rounds; round++) {
        CHECK_NC(open_with("pcdf_verify", "true", NC_NOWRITE, engine, &ncid), NC_NOERR);
        int64_t at = round ? BLOCK + draw(size - BLOCK) : -1, bad = round ? at / BLOCK : -1;
        bool is_late = round % 4 == 3; /* the damage is done while the file is open */
        if (round && !is_late) {
            CHECK_NC(ncmpi_close(ncid), NC_NOERR);
            damage(at, true);
            CHECK_NC(open_with("pcdf_verify", "true", NC_NOWRITE, engine, &ncid), NC_NOERR);
        } else if (round) {
            damage(at, true);
        }
        for (int i = 0; i < 12; i++)
            check_slab(ncid, bad, true, values);
        CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
        for (int i = 0; i < 8; i++)
            check_slab(ncid, bad, false, values);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        if (round)
            damage(at, true);
    }
    free(values);
}

int main(int argc, char **argv)
{
    static const char *const engines[] = { "mpiio", "posix" };
    static char shm[] = "/dev/shm", *in_shm[] = { "", shm, NULL };
    int two = 2, ncid;
    char **args = in_shm;
    if (access(shm, W_OK))
        together_begin(&argc, &argv, "checksums_read", 110);
    else
        together_begin(&two, &args, "checksums_read", 110);
    const char *name = strrchr(my_path, '/') + 1;
    snprintf(sums_path, sizeof sums_path, "%.*s.%s%s", (int)(name - my_path), my_path, name,
             PCDF_CHECKSUMS_SUFFIX);
    for (int i = 0; i < 2; i++) {
        make_file("crc32c");
        check_good(engines[i]);
        check_damaged(engines[i]);
        check_header(engines[i]);
        check_kinds(engines[i]);
        check_sums(engines[i]);
        check_short(engines[i]);
        check_written(engines[i]);
        check_shapes(engines[i], 9);
        check_amount(engines[i]);
        make_file("none");
        CHECK_NC(open_with("pcdf_verify", "true", NC_NOWRITE, engines[i], &ncid), NC_NOERR);
        expect_hint(ncid, "false");
        CHECK_NC(get_row(ncid, 2, 0, COLUMNS, true), NC_NOERR);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        unlink(sums_path);
    return together_end("checksums_read");
}
