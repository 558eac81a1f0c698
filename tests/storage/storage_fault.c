/* Every fault order fails the operation that it names, on the ranks that it names, with its code, once or
 * from then on, in its way; nobody hangs, the other ranks' bytes arrive and the failing rank's do not. And
 * the trace tells it all. */

#include "storagetest.h"
#include "faultstorage.h"

static struct pcdf_sharedfile *open_with(const char *fault, const char *trace, int want)
{
    struct pcdf_sharedfile_config c = test_config("mpiio", NULL, PCDF_STORAGE_CREATE);
    struct pcdf_sharedfile *e = NULL;
    char path[4096];
    int err;

    snprintf(path, sizeof path, "%s", test_path("storage_fault.nc"));
    test_fresh("mpiio", path);
    c.file.path = path;
    c.trace = trace;
    MPI_Info_create(&c.info);
    MPI_Info_set(c.info, "pcdf_fault", fault);
    err = pcdf_sharedfile_open_all(&c, &e);
    MPI_Info_free(&c.info);
    CHECK(err == want, "\"%s\" on rank %d: open gives %d, not %d", fault, test_rank, err, want);
    CHECK((e == NULL) == (err != NC_NOERR), "a storage without success, or none with it");
    return e;
}

static int named(const char *ranks)
{
    return *ranks == '*' || strchr(ranks, '0' + test_rank) != NULL;
}

/* Four puts together, four alone, then gets; `op` is hit at its n-th time. Returns bit i = the i-th failed.
 */
static unsigned put_and_get(struct pcdf_sharedfile *e, enum pcdf_dir dir, int code)
{
    unsigned failed = 0;

    for (unsigned i = 0; i < 8; i++) {
        int64_t base = i * 100000;
        struct test_pieces p = test_make(dir, 3, base + test_rank * 10, 10, 10 * test_ranks, 0, 7);
        int err = test_move(e, i < 4 ? TOGETHER : ALONE, &p.x, NULL);
        CHECK(err == NC_NOERR || err == code, "code %d, not %d", err, code);
        if (err)
            failed |= 1u << i;
        else if (dir == PCDF_GET)
            failed |= test_wrong(&p, 7) ? 1u << (i + 8) : 0;
        test_free(&p);
    }
    return failed;
}

struct row {
    const char *order, *ranks;
    int code;
    unsigned put_failed, get_failed; /* bits: 0-3 together, 4-7 alone; 8-15 bytes are missing */
};

static const struct row rows[] = {
    { "write:3@1", "1", NC_EWRITE, 0x04, 0x0400 },
    { "write:6@0", "0", NC_EWRITE, 0x20, 0x2000 },
    { "write:2@0,1", "01", NC_EWRITE, 0x02, 0x0200 },
    { "write:3+@1", "1", NC_EWRITE, 0xFC, 0xFC00 },
    { "write:4+@*", "*", NC_EWRITE, 0xF8, 0xF800 },
    { "write:1@1=NC_ENO_SPACE", "1", NC_ENO_SPACE, 0x01, 0x0100 },
    { "read:1@1", "1", NC_EREAD, 0, 0x01 },
    { "read:2@*=NC_EIO", "*", NC_EIO, 0, 0x02 },
    { "read:8@0 ; write:9@0", "0", NC_EREAD, 0, 0x80 },
    { "any:2@0", "0", NC_EWRITE, 0x01, 0x0100 }, /* the open is the first */
    { "any:3@1!late", "1", NC_EWRITE, 0x02, 0 },
    { "write:6@0=NC_EQUOTA!short", "0", NC_EQUOTA, 0x20, 0x2000 },
};

static void transfers(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        struct pcdf_sharedfile *e = open_with(r->order, NULL, NC_NOERR);
        unsigned put, get, mine = named(r->ranks) ? ~0u : 0;
        if (!e)
            return;
        put = put_and_get(e, PCDF_PUT, r->code);
        MPI_Barrier(MPI_COMM_WORLD);
        get = put_and_get(e, PCDF_GET, r->code);
        CHECK(put == (r->put_failed & mine), "%s on rank %d: puts 0x%x", r->order, test_rank, put);
        CHECK(get == (r->get_failed & mine), "%s on rank %d: gets 0x%x", r->order, test_rank, get);
        CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    }
}

static void whole_file(void)
{
    int64_t size;
    struct pcdf_sharedfile *e =
        open_with("sync:1@* resize:2@1 size:1@0=NC_EFILE close:1@1=NC_EQUOTA", NULL, NC_NOERR);

    if (!e)
        return;
    CHECK_INT(pcdf_storage_sync(e->storage, true), NC_EWRITE);
    CHECK_INT(pcdf_storage_sync(e->storage, true), NC_NOERR);
    CHECK_INT(pcdf_sharedfile_resize_all(e, 10), NC_NOERR);
    CHECK_INT(pcdf_sharedfile_resize_all(e, 20), test_rank == 1 ? NC_EWRITE : NC_NOERR);
    CHECK_INT(pcdf_storage_size(e->storage, &size), test_rank == 0 ? NC_EFILE : NC_NOERR);
    CHECK_INT(pcdf_storage_size(e->storage, &size), NC_NOERR);
    CHECK_INT(pcdf_sharedfile_close_all(e), test_rank == 1 ? NC_EQUOTA : NC_NOERR);
}

/* An open that fails on one rank fails on all, with one code. */
static void opens(void)
{
    open_with("open:1@0", NULL, NC_EFILE);
    open_with("open:1@*=NC_EACCESS", NULL, NC_EACCESS);
    if (test_ranks > 1)
        open_with("open:1@1=NC_EACCESS", NULL, NC_EACCESS);
    open_with("write:0x@1", NULL, NC_EINVAL);
    open_with("wrote:1@1", NULL, NC_EINVAL);
    open_with("write:1@", NULL, NC_EINVAL);
    open_with("write:1@1=NC_NOTHING", NULL, NC_EINVAL);
    open_with("write", NULL, NC_EINVAL);
    open_with("write:1@1!later", NULL, NC_EINVAL);
}

/* A put of 2048 bytes by each rank, then what is there: sectors that hold `want`. */
static int64_t sectors(struct pcdf_sharedfile *e, enum pcdf_dir dir, char value, int code)
{
    static char bytes[2048];
    int64_t offset = (int64_t)test_rank * 4096, length = sizeof bytes, found = 0;
    struct test_extents x = { dir, 1, &offset, &length, bytes, length };

    memset(bytes, value, sizeof bytes);
    CHECK_INT(test_move(e, 0, &x, NULL), code);
    for (size_t i = 0; i < sizeof bytes; i += 512)
        found += memcmp(bytes + i, "AAAA", 4) == 0;
    return found;
}

/* Half of a put, and a sync that loses what was written since the last good one. */
static void halves_and_losses(void)
{
    struct pcdf_sharedfile *e = open_with("write:1@*=NC_ENO_SPACE!short sync:2@*!lost", NULL, NC_NOERR);
    long before = fault_carried_out();

    if (!e)
        return;
    sectors(e, PCDF_PUT, 'A', NC_ENO_SPACE);
    CHECK_INT(sectors(e, PCDF_GET, 0, NC_NOERR), 2);
    sectors(e, PCDF_PUT, 'A', NC_NOERR);
    CHECK_INT(pcdf_storage_sync(e->storage, false), NC_NOERR);
    sectors(e, PCDF_PUT, 'B', NC_NOERR);
    CHECK_INT(sectors(e, PCDF_GET, 0, NC_NOERR), 0);
    CHECK_INT(pcdf_storage_sync(e->storage, true), NC_EWRITE);
    CHECK_INT(sectors(e, PCDF_GET, 0, NC_NOERR), 4);
    CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    CHECK_INT(fault_carried_out() - before, 2);
}

/* The operations without their times. */
static void read_rows(FILE *f, char *text, size_t room)
{
    char line[256], op[32];
    long long pieces, first, bytes;
    double begin, end, before = -1e9;
    int result;
    while (f && fgets(line, sizeof line, f)) {
        if (line[0] == '#')
            continue;
        CHECK(sscanf(line, "%31s %lld %lld %lld %d %lf %lf", op, &pieces, &first, &bytes, &result, &begin,
                     &end) == 7,
              "the line %s", line);
        CHECK(begin <= end && end >= before, "times run backwards in %s", line);
        before = end;
        size_t n = strlen(text);
        snprintf(text + n, room - n, "%s %lld %lld %lld %d\n", op, pieces, first, bytes, result);
    }
}

static void traced(void)
{
    static const char want[] =
        "open 0 0 0 0\nput 1 5 6 -206\nput_all 2 0 8 0\nsync_all 0 0 0 0\nclose_all 0 0 0 0\n";
    char log[4096], text[512] = "";
    struct pcdf_sharedfile *e;
    struct test_pieces one = test_make(PCDF_PUT, 1, 5, 6, 0, 0, 1),
                       two = test_make(PCDF_PUT, 2, 0, 4, 9, 0, 1);
    FILE *f;

    snprintf(log, sizeof log, "%s", test_path("storage_fault.trace"));
    e = open_with("write:1@*", log, NC_NOERR);
    if (!e)
        return;
    if (test_rank) /* only rank 0 has pieces: overlapping writes are nobody's */
        two.x.n = 0, two.x.nbytes = 0;
    CHECK_INT(test_move(e, 0, &one.x, NULL), NC_EWRITE);
    CHECK_INT(test_move(e, 1, &two.x, NULL), NC_NOERR);
    CHECK_INT(pcdf_storage_sync(e->storage, true), NC_NOERR);
    CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    if (test_rank == 0) {
        strcat(log, ".0");
        f = fopen(log, "r");
        CHECK(f, "there is no trace");
        read_rows(f, text, sizeof text);
        CHECK(!strcmp(text, want), "the trace is\n%s", text);
        if (f)
            fclose(f);
    } else {
        snprintf(log, sizeof log, "%s.%d", test_path("storage_fault.trace"), test_rank);
    }
    unlink(log);
    test_free(&one);
    test_free(&two);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    opens();
    transfers();
    whole_file();
    halves_and_losses();
    traced();
    test_remove("mpiio", test_path("storage_fault.nc"));
    return test_end("storage_fault");
}
