/* Fuzz target for programs: the input is a sequence of calls of the public API with arguments of all sorts on
 * one rank and two files in memory, right or not. Nothing crashes, leaks or hangs; each code is one of the
 * API's; what a put that succeeded wrote a get brings back; and after each close the checker finds no error
 * in the file, and it opens again for writing. */
#include "memoryfile.h"
#include "findings.h"
#include "fuzzlib.h"
#include "status.h"

enum {
    MOST_CALLS = 60,
    MOST_DIMS = 4,
    FILES = 2,
    MOST_REQUESTS = 8,
    MOST_VALUES = 256,
    MOST_HEADER = 1 << 16
};

static const char *const paths[FILES] = { "fuzz_a.nc", "fuzz_b.nc" };
static MPI_Info info;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char *const words[] = { "pcdf_engine", "memory", NULL };
    fuzz_begin();
    info = fuzz_hints(words);
    return argc && argv ? 0 : 1;
}

struct slot { /* one file name, perhaps open */
    int ncid; /* -1: closed */
    bool is_there;
    int requests[MOST_REQUESTS], nrequests;
    int values[MOST_REQUESTS][MOST_VALUES]; /* what requests read from and write to */
};

static struct slot slots[FILES];

static int code(int err)
{
    DEMAND(err == NC_NOERR || pcdf_error_of(err)->name);
    return err;
}

/* ---- arguments */

static const char *name_of(struct fuzz_input *in)
{
    static const char *const names[] = {
        "a",           "b", "t", "x",    "_FillValue", "units", "a b",
        "caf\xc3\xa9", "",  "/", "\xff", "e\xcc\x81",  "0",     "long_name_long_name_long_name"
    };
    return names[fuzz_byte(in) % (sizeof names / sizeof names[0])];
}

static int id_of(struct fuzz_input *in)
{
    return fuzz_pick(in, 10) - 1; /* NC_GLOBAL is one of them */
}

static MPI_Offset small_of(struct fuzz_input *in)
{
    static const MPI_Offset numbers[] = { 0, 1, 2, 3, 4, 5, 1, 2, 0, 7, -1, 100 };
    return numbers[fuzz_byte(in) % (sizeof numbers / sizeof numbers[0])];
}

struct box {
    MPI_Offset start[16], count[16], stride[16];
    int64_t n;
};

/* n: elements, when they are few; -1: too many or none that make sense. */
static void box_of(struct fuzz_input *in, struct box *b)
{
    memset(b, 0, sizeof *b);
    b->n = 1;
    for (int i = 0; i < MOST_DIMS; i++) {
        uint8_t x = fuzz_byte(in);
        b->start[i] = x % 4;
        b->count[i] = x / 4 % 4;
        b->stride[i] = 1 + x / 16 % 2;
        if (x == 255)
            b->start[i] = INT64_MAX;
        if (x == 254)
            b->count[i] = -1;
        b->n *= b->count[i] > 0 ? b->count[i] : 1;
    }
    DEMAND(b->n <= MOST_VALUES);
}

/* ---- whole files */

static void count_errors(void *context, const struct pcdf_finding *f)
{
    if (f->severity == PCDF_FOUND_ERROR)
        fprintf(stderr, "%s at %lld: %s\n", f->rule, (long long)f->offset, f->text);
    (void)context;
}

/* A closed file is a good one. */
static void check_file(const char *path)
{
    static unsigned char bytes[MOST_HEADER];
    struct pcdf_check_result result;
    int64_t size = 0, need = 0;
    if (memory_file_size(path, &size) != NC_NOERR || size == 0)
        return; /* aborted before its first enddef */
    int64_t have = size < MOST_HEADER ? size : MOST_HEADER;
    DEMAND(memory_file_get(path, 0, bytes, have) == NC_NOERR);
    DEMAND(pcdf_check(bytes, (size_t)have, size, &need, count_errors, NULL, &result) == NC_NOERR &&
           need == 0);
    DEMAND(result.decoded && result.count[PCDF_FOUND_ERROR] == 0);
}

static void end_file(struct slot *s, bool abort_it)
{
    if (s->ncid < 0)
        return;
    (void)code(abort_it ? ncmpi_abort(s->ncid) : ncmpi_close(s->ncid));
    s->ncid = -1;
    s->nrequests = 0;
}

static void create(struct fuzz_input *in, struct slot *s, const char *path)
{
    static const int formats[] = { 0, NC_64BIT_OFFSET, NC_64BIT_DATA, NC_64BIT_OFFSET | NC_64BIT_DATA };
    int mode = formats[fuzz_pick(in, 4)] | (fuzz_pick(in, 4) == 0 ? NC_NOCLOBBER : 0), ncid;
    end_file(s, false);
    if (code(ncmpi_create(MPI_COMM_SELF, path, mode, info, &ncid)) == NC_NOERR) {
        s->ncid = ncid;
        s->is_there = true;
    }
}

static void open_file(struct fuzz_input *in, struct slot *s, const char *path)
{
    int64_t size;
    int ncid, mode = fuzz_pick(in, 4) ? NC_WRITE : NC_NOWRITE;
    end_file(s, false);
    if (memory_file_size(path, &size) != NC_NOERR)
        return;
    check_file(path);
    int err = code(ncmpi_open(MPI_COMM_SELF, path, mode, info, &ncid));
    DEMAND((err == NC_NOERR) == (size > 0));
    if (!err)
        s->ncid = ncid;
}

/* ---- calls */

static void call_define(struct fuzz_input *in, struct slot *s)
{
    int dimids[MOST_DIMS], id, which = fuzz_pick(in, 9);
    MPI_Offset length;

    switch (which) {
    case 0:
    case 1:
        length = small_of(in);
        (void)code(ncmpi_def_dim(s->ncid, name_of(in), length, &id));
        break;
    case 2:
    case 3:
        for (int i = 0; i < MOST_DIMS; i++)
            dimids[i] = fuzz_pick(in, 6) - 1;
        which = fuzz_pick(in, 13);
        id = fuzz_pick(in, MOST_DIMS + 1);
        (void)code(ncmpi_def_var(s->ncid, name_of(in), which, id, dimids, &id));
        break;
    case 4:
        (void)code(ncmpi_rename_dim(s->ncid, id_of(in), name_of(in)));
        break;
    case 5:
        (void)code(ncmpi_rename_var(s->ncid, id_of(in), name_of(in)));
        break;
    case 6:
        (void)code(ncmpi_set_fill(s->ncid, fuzz_pick(in, 2) ? NC_FILL : NC_NOFILL, &id));
        break;
    case 7:
        (void)code(ncmpi_def_var_fill(s->ncid, id_of(in), fuzz_pick(in, 2), NULL));
        break;
    default:
        length = fuzz_pick(in, 4) ? 0 : 1000;
        (void)code(ncmpi__enddef(s->ncid, length, small_of(in) * 4, small_of(in), small_of(in) * 4));
    }
}

static void call_attribute(struct fuzz_input *in, struct slot *s, const struct slot *other)
{
    static const double values[8] = { 1, -2, 3.5, 1e10, 200, 0, 5, 6 };
    double back[64];
    int varid = id_of(in), which = fuzz_pick(in, 7);
    const char *name = name_of(in);
    MPI_Offset n = fuzz_pick(in, 9);

    switch (which) {
    case 0:
        (void)code(ncmpi_put_att_text(s->ncid, varid, name, n, "some text here"));
        break;
    case 1:
    case 2:
        (void)code(ncmpi_put_att_double(s->ncid, varid, name, fuzz_pick(in, 13), n > 8 ? 8 : n, values));
        break;
    case 3:
        (void)code(ncmpi_del_att(s->ncid, varid, name));
        break;
    case 4:
        (void)code(ncmpi_rename_att(s->ncid, varid, name, name_of(in)));
        break;
    case 5:
        (void)code(ncmpi_copy_att(s->ncid, varid, name, other->ncid, id_of(in)));
        break;
    default:
        if (ncmpi_inq_attlen(s->ncid, varid, name, &n) == NC_NOERR && n <= 64)
            (void)code(ncmpi_get_att_double(s->ncid, varid, name, back));
    }
}

/* A put that succeeds, and the get of the same. */
static void call_put(struct fuzz_input *in, struct slot *s)
{
    int out[MOST_VALUES], back[MOST_VALUES], varid = id_of(in), indep = fuzz_pick(in, 2),
                                             strided = fuzz_pick(in, 2);
    struct box b;

    box_of(in, &b);
    for (int i = 0; i < MOST_VALUES; i++)
        out[i] = (i * 7 + varid) % 100;
    memset(back, -1, sizeof back);
    const MPI_Offset *stride = strided ? b.stride : NULL;
    int err = code(indep ? ncmpi_put_vars_int(s->ncid, varid, b.start, b.count, stride, out)
                         : ncmpi_put_vars_int_all(s->ncid, varid, b.start, b.count, stride, out));
    int again = code(indep ? ncmpi_get_vars_int(s->ncid, varid, b.start, b.count, stride, back)
                           : ncmpi_get_vars_int_all(s->ncid, varid, b.start, b.count, stride, back));
    if (err)
        return;
    int ndims = 0;
    int64_t n = 1;
    DEMAND(ncmpi_inq_varndims(s->ncid, varid, &ndims) == NC_NOERR && ndims <= MOST_DIMS);
    for (int i = 0; i < ndims; i++)
        n *= b.count[i];
    if (n == 0) /* may stand where no record is yet */
        return;
    if (again)
        fprintf(stderr, "get after put: %s\n", pcdf_error_of(again)->name);
    DEMAND(again == NC_NOERR);
    DEMAND(memcmp(out, back, (size_t)n * sizeof *out) == 0);
}

static void call_post(struct fuzz_input *in, struct slot *s)
{
    int varid = id_of(in), which = fuzz_pick(in, 3), i = s->nrequests;
    struct box b;

    box_of(in, &b);
    if (i == MOST_REQUESTS)
        return;
    int *values = s->values[i], *req = &s->requests[i];
    int err = which == 0   ? ncmpi_iput_vara_int(s->ncid, varid, b.start, b.count, values, req)
              : which == 1 ? ncmpi_iget_vara_int(s->ncid, varid, b.start, b.count, values, req)
                           : ncmpi_bput_vara_int(s->ncid, varid, b.start, b.count, values, req);
    if (code(err) == NC_NOERR)
        s->nrequests++;
}

static void call_wait(struct fuzz_input *in, struct slot *s)
{
    int statuses[MOST_REQUESTS], which = fuzz_pick(in, 4), n = fuzz_pick(in, 3) ? s->nrequests : NC_REQ_ALL;
    int *reqs = n == NC_REQ_ALL ? NULL : s->requests, *said = n == NC_REQ_ALL ? NULL : statuses;
    int err = which == 0   ? ncmpi_wait(s->ncid, n, reqs, said)
              : which == 1 ? ncmpi_cancel(s->ncid, n, reqs, said)
                           : ncmpi_wait_all(s->ncid, n, reqs, said);
    (void)code(err);
    if (err == NC_NOERR)
        s->nrequests = 0;
}

static void call_mode(struct fuzz_input *in, struct slot *s)
{
    switch (fuzz_pick(in, 10)) {
    case 0:
    case 1:
        (void)code(ncmpi_redef(s->ncid));
        break;
    case 2:
    case 3:
    case 4:
        (void)code(ncmpi_enddef(s->ncid));
        break;
    case 5:
        (void)code(ncmpi_begin_indep_data(s->ncid));
        break;
    case 6:
        (void)code(ncmpi_end_indep_data(s->ncid));
        break;
    case 7:
        (void)code(fuzz_pick(in, 2) ? ncmpi_sync(s->ncid) : ncmpi_sync_numrecs(s->ncid));
        break;
    case 8:
        (void)code(fuzz_pick(in, 2) ? ncmpi_buffer_attach(s->ncid, 200) : ncmpi_buffer_detach(s->ncid));
        break;
    default:
        (void)code(ncmpi_fill_var_rec(s->ncid, id_of(in), fuzz_pick(in, 6)));
    }
}

static void call(struct fuzz_input *in)
{
    int which = fuzz_pick(in, 32), file = which & 1;
    struct slot *s = &slots[file];

    switch (which / 2) {
    case 0:
        create(in, s, paths[file]);
        break;
    case 1:
        open_file(in, s, paths[file]);
        break;
    case 2:
        end_file(s, fuzz_pick(in, 4) == 0);
        break;
    case 3:
    case 4:
    case 5:
        call_define(in, s);
        break;
    case 6:
    case 7:
        call_attribute(in, s, &slots[!file]);
        break;
    case 8:
    case 9:
    case 10:
        call_put(in, s);
        break;
    case 11:
    case 12:
        call_post(in, s);
        break;
    case 13:
        call_wait(in, s);
        break;
    default:
        call_mode(in, s);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct fuzz_input in = { bytes, n, 0 };

    for (int i = 0; i < FILES; i++)
        slots[i].ncid = -1, slots[i].nrequests = 0, slots[i].is_there = false;
    for (int i = 0; i < MOST_CALLS && !fuzz_is_over(&in); i++)
        call(&in);
    for (int i = 0; i < FILES; i++) {
        end_file(&slots[i], false);
        if (slots[i].is_there) {
            check_file(paths[i]);
            (void)pcdf_memorystorage.remove(paths[i]);
        }
    }
    fuzz_check_memory();
    return 0;
}
