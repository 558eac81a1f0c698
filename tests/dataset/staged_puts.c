/* Hint pcdf_stage_dir: puts that have no room in the memory of the write queue go to a log on each rank, and
 * a sync by the logs waits for nothing; the file gets all of it in the order of the puts, the number of
 * records after them; then the logs are gone. What needs the file itself (get, redef, independent mode) finds
 * all bytes. Without a folder, or with one that is full, puts wait for the file. */
#include <dirent.h>
#include <sys/stat.h>
#include "together.h"

enum { ELEMENTS = 1 << 18, RECORDS = 6 }; /* 1 MiB a record and rank */

static char folder[1100];
static int values[ELEMENTS], got[ELEMENTS];

static MPI_Info hints(const char *dir, const char *more)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_async", "4194304"); /* 4 records */
    MPI_Info_set(info, "pcdf_async_rate", "1");  /* the thread writes once, then only if somebody waits */
    MPI_Info_set(info, "pcdf_stage_dir", dir);
    if (more)
        MPI_Info_set(info, "pcdf_stage_limit", more);
    return info;
}

/* Number and bytes of the logs. */
static int look(int64_t *bytes)
{
    char path[2300];
    struct stat st;
    int n = 0;
    *bytes = 0;
    DIR *names = opendir(folder);
    for (const struct dirent *entry; names && (entry = readdir(names));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strstr(entry->d_name, ".parcdf-stage.") && !stat(path, &st)) {
            n++;
            *bytes += st.st_size;
        }
    }
    if (names)
        closedir(names);
    return n;
}

static int64_t numrecs_on_file(void)
{
    unsigned char b[12] = { 0 };
    int64_t n = 0;
    FILE *f = fopen(my_path, "rb");
    if (f && fread(b, 1, sizeof b, f) == sizeof b)
        for (int i = 4; i < 12; i++)
            n = n << 8 | b[i];
    if (f)
        fclose(f);
    return n;
}

static void fill(int record, int version)
{
    for (int i = 0; i < ELEMENTS; i++)
        values[i] = version * 10000000 + record * 1000000 + my_rank * 300000 + i;
}

static void put(int ncid, int varid, int record, int version)
{
    const MPI_Offset start[] = { record, (MPI_Offset)my_rank * ELEMENTS }, count[] = { 1, ELEMENTS };
    fill(record, version);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, varid, start, count, values), NC_NOERR);
    memset(values, 0xff, sizeof values);
}

static void check_get(int ncid, int varid, int record, int version)
{
    const MPI_Offset start[] = { record, (MPI_Offset)my_rank * ELEMENTS }, count[] = { 1, ELEMENTS };
    fill(record, version);
    CHECK_NC(ncmpi_get_vara_int_all(ncid, varid, start, count, got), NC_NOERR);
    CHECK(memcmp(got, values, sizeof got) == 0, "rank %d: record %d is not of version %d", my_rank, record,
          version);
}

static int create(MPI_Info info, int *ncid)
{
    int dims[2], varid = -1;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(*ncid, "t", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(*ncid, "x", (MPI_Offset)my_size * ELEMENTS, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(*ncid, "v", NC_INT, 2, dims, &varid), NC_NOERR);
    CHECK_NC(ncmpi_enddef(*ncid), NC_NOERR);
    return varid;
}

static void expect_dir(int ncid, const char *want)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    MPI_Info used = MPI_INFO_NULL;
    int found = 0;
    CHECK_NC(ncmpi_inq_file_info(ncid, &used), NC_NOERR);
    MPI_Info_get(used, "pcdf_stage_dir", MPI_MAX_INFO_VAL, value, &found);
    CHECK(strcmp(value, want) == 0, "pcdf_stage_dir is %s, not %s", value, want);
    MPI_Info_free(&used);
}

static void check_file(int version_of_first)
{
    int ncid, varid;
    MPI_Offset n = 0;
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_dimlen(ncid, 0, &n), NC_NOERR);
    CHECK_INT(n, RECORDS);
    CHECK_NC(ncmpi_inq_varid(ncid, "v", &varid), NC_NOERR);
    for (int i = 0; i < RECORDS; i++)
        check_get(ncid, varid, i, i ? 1 : version_of_first);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Puts beyond the memory, syncs, an older record again; then everything is in the file. */
static void check_puts(void)
{
    int64_t bytes;
    int ncid, varid = create(hints(folder, NULL), &ncid);
    expect_dir(ncid, folder);
    for (int i = 0; i < RECORDS; i++)
        put(ncid, varid, i, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(look(&bytes), my_size);
    CHECK(bytes > (int64_t)my_size << 20, "%" PRId64 " bytes in the logs", bytes);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(numrecs_on_file() < RECORDS, "the sync waited for the file");
    put(ncid, varid, 0, 2);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    put(ncid, varid, 0, 3);
    check_get(ncid, varid, 0, 3);
    check_get(ncid, varid, RECORDS - 1, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(look(&bytes), my_size);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(look(&bytes), 0);
    check_file(3);
}

/* Definitions change, and ranks are on their own, between puts that wait. */
static void check_modes(void)
{
    int64_t bytes;
    int ncid, varid = create(hints(folder, NULL), &ncid);
    for (int i = 0; i < RECORDS; i++)
        put(ncid, varid, i, 1);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(look(&bytes), my_size);
    CHECK_INT(bytes, my_size * 8192);
    for (int i = 0; i < 100; i++) {
        char name[20];
        snprintf(name, sizeof name, "attribute%d", i);
        CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, name, 20,
                                    "................."
                                    "..."),
                 NC_NOERR);
    }
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    put(ncid, varid, 0, 2);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    const MPI_Offset start[] = { 0, (MPI_Offset)my_rank * ELEMENTS }, count[] = { 1, ELEMENTS };
    fill(0, 3);
    CHECK_NC(ncmpi_put_vara_int(ncid, varid, start, count, values), NC_NOERR);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
    check_get(ncid, varid, 0, 3);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(look(&bytes), 0);
    check_file(3);
}

/* A limit, no folder, no queue: nothing is lost, and nothing fails. */
static void check_without(void)
{
    char none[1200];
    int64_t bytes;
    snprintf(none, sizeof none, "%s/none", folder);
    for (int kind = 0; kind < 3; kind++) {
        MPI_Info info = hints(kind == 1 ? none : folder, kind == 0 ? "2500000" : NULL);
        if (kind == 2)
            MPI_Info_set(info, "pcdf_async", "0");
        setenv("PARCDF_QUIET", "1", 1);
        int ncid, varid = create(info, &ncid);
        unsetenv("PARCDF_QUIET");
        expect_dir(ncid, kind ? "none" : folder);
        for (int i = 0; i < RECORDS; i++)
            put(ncid, varid, i, 1);
        MPI_Barrier(MPI_COMM_WORLD);
        int n = look(&bytes);
        CHECK(n == (kind ? 0 : my_size) && bytes <= my_size * 2500000, "%d: %d logs, %" PRId64 " bytes", kind,
              n, bytes);
        CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        check_file(1);
    }
}

/* PnetCDF's names. */
static void check_burst_buffer(void)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int64_t bytes;
    int found = 0, ncid;
    MPI_Info info, used;
    MPI_Info_create(&info);
    MPI_Info_set(info, "nc_burst_buf", "enable");
    MPI_Info_set(info, "nc_burst_buf_dirname", folder);
    int varid = create(info, &ncid);
    expect_dir(ncid, folder);
    CHECK_NC(ncmpi_inq_file_info(ncid, &used), NC_NOERR);
    MPI_Info_get(used, "pcdf_async", MPI_MAX_INFO_VAL, value, &found);
    CHECK_INT(atol(value), 64 << 20);
    MPI_Info_free(&used);
    for (int i = 0; i < RECORDS; i++)
        put(ncid, varid, i, 1);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(look(&bytes), 0);
    check_file(1);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "staged_puts", 120);
    snprintf(folder, sizeof folder, "%s.stage", my_path);
    if (my_rank == 0)
        CHECK(mkdir(folder, 0777) == 0, "%s", folder);
    MPI_Barrier(MPI_COMM_WORLD);
    check_puts();
    check_modes();
    check_without();
    check_burst_buffer();
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK(rmdir(folder) == 0, "%s has something", folder);
    return together_end("staged_puts");
}
