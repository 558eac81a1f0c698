/* Fixes what hints of other libraries do: none of them, nor all together, nor ROMIO_HINTS, selects the
 * storage of a file in a local file system or changes a byte of it; each is reported back as it was given.
 * Those that are understood have their effect, unless our own hint for it is set: which ranks write and read,
 * and in how many calls. */

#include "together.h"
#include "dataset.h"
#include "filesystem.h"

enum { PIECES = 40, MOST = 2000 };

static int ncid, var;
static struct pcdf_dataset *ds;

static void create(MPI_Comm comm, const char *hints)
{
    int t, x, fixed;
    setenv("PNETCDF_HINTS", hints, 1);
    CHECK_NC(ncmpi_create(comm, my_path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid), NC_NOERR);
    unsetenv("PNETCDF_HINTS");
    CHECK_NC(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &t), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", (MPI_Offset)PIECES * 2 * my_size, &x), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "fixed", NC_SHORT, 1, &x, &fixed), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 2, (int[]){ t, x }, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
}

/* Two records; the elements of the ranks lie between each other, and the last of them is nobody's. */
static void move(bool put, int *values)
{
    MPI_Offset start[2] = { 0, my_rank }, count[2] = { 2, 2 * PIECES - 1 }, stride[2] = { 1, my_size };
    for (int i = 0; put && i < 2 * (2 * PIECES - 1); i++)
        values[i] = 1000 * my_rank + i;
    CHECK_NC(put ? ncmpi_put_vars_int_all(ncid, var, start, count, stride, values)
                 : ncmpi_get_vars_int_all(ncid, var, start, count, stride, values),
             NC_NOERR);
    CHECK(values[5] == 1000 * my_rank + 5, "element 5 is %d", values[5]);
}

static size_t slurp(unsigned char *bytes)
{
    MPI_Barrier(MPI_COMM_WORLD);
    FILE *in = fopen(my_path, "rb");
    size_t n = in ? fread(bytes, 1, 200000, in) : 0;
    if (in)
        fclose(in);
    MPI_Barrier(MPI_COMM_WORLD);
    return n;
}

/* ---- nothing changes */

static void expect_reported(const char *name, const char *want)
{
    char value[MPI_MAX_INFO_VAL + 1] = "(not there)";
    MPI_Info used;
    int found;
    CHECK_NC(ncmpi_inq_file_info(ncid, &used), NC_NOERR);
    MPI_Info_get(used, name, MPI_MAX_INFO_VAL, value, &found);
    CHECK(strcmp(value, want) == 0, "%s is reported as \"%s\", not \"%s\"", name, value, want);
    MPI_Info_free(&used);
}

static void same_file(const char *hints, const char *name, const char *value, const unsigned char *want,
                      size_t size)
{
    static unsigned char bytes[200000];
    int values[4 * PIECES];
    bool is_local = pcdf_filesystem_at(".")->is_local;
    create(MPI_COMM_WORLD, hints);
    CHECK(strcmp(ds->storage_kind->name, is_local ? "posix" : "mpiio") == 0, "%s: the engine is %s", hints,
          ds->storage_kind->name);
    if (name && is_local)
        expect_reported(name, value);
    move(true, values);
    move(false, values);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK(slurp(bytes) == size && memcmp(bytes, want, size) == 0, "%s: another file", hints);
}

static void nothing_changes(void)
{
    static unsigned char want[200000];
    static const char *const values[] = { "1", "disable", "enable", "1048576" };
    char hints[128], all[8192] = "";
    int elements[4 * PIECES];
    create(MPI_COMM_WORLD, "");
    move(true, elements);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    size_t size = slurp(want);
    for (int i = 0; i < pcdf_other_hint_count; i++) {
        const struct pcdf_other_hint *other = &pcdf_other_hints[i];
        const char *value = values[i % 4];
        CHECK(strlen(other->help) > 10 && !strchr(other->help, '\n'), "%s has no help", other->name);
        snprintf(hints, sizeof hints, "%s=%s", other->name, value);
        same_file(hints, other->name, value, want, size);
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s;", hints);
    }
    same_file("striping_factor=4", "striping_factor", "4", want, size);
    same_file("striping_unit=65536", "striping_unit", "65536", want, size);
    same_file(all, NULL, NULL, want, size);
    setenv("ROMIO_HINTS", "/nowhere", 1);
    same_file("", NULL, NULL, want, size);
    unsetenv("ROMIO_HINTS");
}

/* ---- those that are understood */

struct calls { /* of all ranks */
    int64_t writes, reads, writers;
};

static struct calls calls_of(const char *hints)
{
    int values[4 * PIECES];
    create(MPI_COMM_WORLD, hints);
    struct pcdf_counts before = ds->counts;
    move(true, values);
    int64_t mine[3] = { ds->counts.write_at - before.write_at, 0, ds->counts.write_at > before.write_at };
    before = ds->counts;
    move(false, values);
    mine[1] = ds->counts.read_at - before.read_at;
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Allreduce(MPI_IN_PLACE, mine, 3, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return (struct calls){ mine[0], mine[1], mine[2] };
}

#define EXPECT_CALLS(got, want, claim)                                                                       \
    CHECK((claim), "%s: %lld writes, %lld reads, %lld writers", (want), (long long)(got).writes,             \
          (long long)(got).reads, (long long)(got).writers)

static void collective(void)
{
    const int64_t each = (int64_t)my_size * 2 * (2 * PIECES - 1);
    struct calls usual = calls_of(""), c;
    EXPECT_CALLS(usual, "no hint", usual.writes < 20 && usual.reads < 20);
    static const char *const writes[] = { "romio_cb_write=disable", "romio_cb_write=DISABLE",
                                          "cb_write=disable" };
    for (int i = 0; i < 3; i++) {
        c = calls_of(writes[i]);
        EXPECT_CALLS(c, writes[i], c.writes >= each && c.reads == usual.reads);
    }
    c = calls_of("romio_cb_read=disable;pcdf_debug_view_threshold=1000");
    EXPECT_CALLS(c, "romio_cb_read", c.reads >= each && c.writes == usual.writes);
    c = calls_of("cb_read=disable;romio_ds_read=disable");
    EXPECT_CALLS(c, "cb_read", c.reads >= each && c.writes == usual.writes);
    c = calls_of("romio_cb_write=enable;romio_cb_read=automatic;romio_cb_write =banana");
    EXPECT_CALLS(c, "enable", c.writes == usual.writes && c.reads == usual.reads);
    c = calls_of("romio_cb_write=disable;pcdf_debug_strategy=two-phase");
    EXPECT_CALLS(c, "pcdf_debug_strategy wins", c.writes == usual.writes && c.reads == usual.reads);
}

/* Every second element. */
static int64_t writes_with_gaps(const char *hints)
{
    int values[PIECES] = { 0 };
    MPI_Offset start[2] = { 0, (MPI_Offset)2 * my_rank }, count[2] = { 1, PIECES };
    MPI_Offset stride[2] = { 1, (MPI_Offset)2 * my_size };
    create(MPI_COMM_WORLD, hints);
    int64_t writes = -ds->counts.write_at;
    CHECK_NC(ncmpi_put_vars_int_all(ncid, var, start, count, stride, values), NC_NOERR);
    writes += ds->counts.write_at;
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Allreduce(MPI_IN_PLACE, &writes, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return writes;
}

static void sieving(void)
{
    static const char *const hints[] = {
        "pcdf_sieve=on", "romio_ds_write=disable;romio_lustre_ds_in_coll=enable;pcdf_sieve=on",
        "romio_lustre_ds_in_coll=disable;pcdf_sieve=on"
    };
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        int64_t writes = writes_with_gaps(hints[i]);
        CHECK(writes < 10, "%s: %lld writes", hints[i], (long long)writes);
    }
    int64_t writes = writes_with_gaps("romio_lustre_ds_in_coll=disable");
    CHECK(writes >= (int64_t)PIECES * my_size, "romio_lustre_ds_in_coll=disable: %lld writes",
          (long long)writes);
}

static int64_t own_reads(const char *hints)
{
    int values[PIECES];
    MPI_Offset start[2] = { 0, my_rank }, count[2] = { 1, PIECES }, stride[2] = { 1, my_size + 1 };
    create(MPI_COMM_WORLD, hints);
    int all[4 * PIECES];
    move(true, all);
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    int64_t before = ds->counts.read_at;
    CHECK_NC(ncmpi_get_vars_int(ncid, var, start, count, stride, values), NC_NOERR);
    int64_t reads = ds->counts.read_at - before;
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    return reads;
}

static void independent(void)
{
    int64_t usual = own_reads(""), apart = own_reads("romio_ds_read=disable"),
            ours = own_reads("ds_read=disable;pcdf_debug_view_threshold=8");
    CHECK(usual == 1 && apart == PIECES && ours == 1, "%lld, %lld and %lld reads", (long long)usual,
          (long long)apart, (long long)ours);
}

/* How many ranks write some MiB that lie between each other. */
static int64_t writers_of(MPI_Comm comm, const char *hints)
{
    enum { RECORDS = 4000 };
    MPI_Offset start[2] = { 0, my_rank }, count[2] = { RECORDS, 2 * PIECES }, stride[2] = { 1, my_size };
    int *values = calloc((size_t)RECORDS * 2 * PIECES, sizeof *values);
    create(comm, hints);
    int64_t before = ds->counts.write_at, writers;
    CHECK_NC(ncmpi_put_vars_int_all(ncid, var, start, count, stride, values), NC_NOERR);
    writers = ds->counts.write_at > before;
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    free(values);
    MPI_Allreduce(MPI_IN_PLACE, &writers, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return writers;
}

/* In another order of the ranks: aggregators stay with a communicator. */
static void aggregators(void)
{
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -my_rank, &comm);
    CHECK_INT(writers_of(MPI_COMM_WORLD, ""), my_size);
    CHECK_INT(writers_of(comm, "cb_nodes=1"), 1);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "other_hints", 100);
    nothing_changes();
    independent();
    sieving();
    if (my_size > 1) {
        collective();
        aggregators();
    }
    return together_end("other_hints");
}
