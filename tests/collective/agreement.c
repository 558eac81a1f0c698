/* Fixes what ranks learn of one rank's bad argument in a collective call on the definitions, the fill values
 * and the file: every such function x every argument error x each rank x the modes it may be called in.
 * Nobody hangs; the bad rank gets the documented code, the others none where the call needs no agreement, all
 * of them where it does and in safe mode. The file goes on and ends as the same bytes as one in which every
 * rank made rank 0's call. Calls without arguments fail on all ranks in the modes that forbid them. Data
 * calls: agreement_data.c. */

#include "agreement_rows.h"

enum { LENGTH = 16, NONE = 0, GOOD, BAD, WAYS }; /* how all ranks behave in a file to compare with */

struct act {
    const struct row *row;
    int mode, bad;
    char what[128];
};

/* ---- the file */

static void ok(const char *what, int err)
{
    check_code(what, err, NC_NOERR);
}

static void make_file(const char *what)
{
    static const char *const names[VARS] = { "fixed", "record", "other", "plain" };
    ok(what, ncmpi_create(MPI_COMM_WORLD, my_path, NC_64BIT_OFFSET, MPI_INFO_NULL, &ncid));
    ok(what, ncmpi_def_dim(ncid, "t", NC_UNLIMITED, NULL));
    ok(what, ncmpi_def_dim(ncid, "x", LENGTH, NULL));
    ok(what, ncmpi_def_dim(ncid, "big", NC_MAX_INT, NULL));
    for (int v = 0; v < VARS; v++)
        ok(what, def_var(names[v], NC_INT, 1, v == FIXED || v == OTHER ? X : T, X));
    ok(what, put_text(FIXED, "a1", 3, "one"));
    ok(what, put_text(FIXED, "a2", 3, "two"));
    ok(what, put_text(OTHER, "a1", 3, "six"));
    ok(what, put_int(NC_GLOBAL, "g1", NC_INT, 1, 1));
    ok(what, ncmpi_def_var_fill(ncid, RECORD, 0, NULL));
}

/* Every rank its element, and another's back. */
static void put_and_get(const char *what, int base)
{
    for (int v = FIXED; v < VARS; v++) {
        int mine = base + 10 * v + my_rank, other = (my_rank + 1) % my_size, got = -1;
        ok(what, ncmpi_put_var1_int_all(ncid, v, (MPI_Offset[]){ my_rank }, &mine));
        ok(what, ncmpi_get_var1_int_all(ncid, v, (MPI_Offset[]){ other }, &got));
        CHECK(got == base + 10 * v + other, "rank %d: %s: %d, not %d", my_rank, what, got,
              base + 10 * v + other);
    }
}

/* All ranks know the same definitions. */
static void check_same(const char *what)
{
    MPI_Offset size = 0;
    int mine[6] = { 0 }, least[6], most[6];
    ok(what, ncmpi_inq(ncid, &mine[0], &mine[1], &mine[2], &mine[3]));
    ok(what, ncmpi_inq_header_size(ncid, &size));
    mine[4] = (int)size;
    ok(what, ncmpi_inq_varnatts(ncid, FIXED, &mine[5]));
    MPI_Allreduce(mine, least, 6, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(mine, most, 6, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < 6; i++)
        CHECK(least[i] == most[i], "%s: ranks know %d and %d (%d)", what, least[i], most[i], i);
}

/* The program around one call: into the mode, the call, on to the end. Returns what the call gave. */
static int session(const struct act *a, bool calls)
{
    const char *what = a->what;
    int err = NC_NOERR;
    make_file(what);
    if (a->mode != NEW) {
        ok(what, ncmpi_enddef(ncid));
        put_and_get(what, 1000);
    }
    if (a->mode == REDEF)
        ok(what, ncmpi_redef(ncid));
    if (calls)
        err = a->row->call();
    if (a->mode == DATA) {
        put_and_get(what, 3000); /* ranks may know different names now */
        ok(what, ncmpi_redef(ncid));
    }
    ok(what, ncmpi_enddef(ncid));
    check_same(what);
    put_and_get(what, 2000);
    ok(what, ncmpi_close(ncid));
    return err;
}

/* ---- the bytes, on rank 0 */

struct image {
    unsigned char *bytes;
    size_t size;
};

static struct image read_image(void)
{
    struct image image = { NULL, 0 };
    FILE *file = my_rank == 0 ? fopen(my_path, "rb") : NULL;
    if (!file)
        return image;
    image.bytes = calloc(1, 65536);
    image.size = fread(image.bytes, 1, 65536, file);
    fclose(file);
    return image;
}

static bool images_equal(const struct image *a, const struct image *b)
{
    return a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

/* What the file must be: as if all ranks had done this. */
static int way_of(const struct act *a)
{
    enum reach reach = a->row->reach;
    if (my_size == 1)
        return reach == STORES ? BAD : NONE;
    if (my_safe || reach == AGREED)
        return NONE;
    if (a->bad == 0 && reach != PARTS)
        return reach == STORES ? BAD : NONE;
    return GOOD;
}

/* An attribute that does not fit is stored; in safe mode the ranks' values differ then. */
static int code_of(const struct act *a)
{
    int code = a->row->reach == STORES && my_safe && my_size > 1 ? NC_EMULTIDEFINE_ATTR_VAL : a->row->code;
    return code_here(a->bad, code, my_safe || a->row->reach == AGREED);
}

static void references(struct act *a, struct image *images)
{
    for (int way = NONE; way < WAYS; way++) {
        images[way] = (struct image){ NULL, 0 };
        bool skip = way != NONE && a->row->reach == AGREED;
        if (skip || (way == BAD && a->row->reach != STORES))
            continue;
        odd = way == BAD;
        check_code(a->what, session(a, way != NONE), way == BAD ? a->row->code : NC_NOERR);
        images[way] = read_image();
    }
    if (my_rank == 0 && a->mode != REDEF && a->row->reach != AGREED)
        CHECK(!images_equal(&images[NONE], &images[GOOD]), "%s: a good call does nothing", a->what);
}

static void every_rank(const struct row *row, int mode)
{
    struct act a = { .row = row, .mode = mode };
    struct image images[WAYS];
    snprintf(a.what, sizeof a.what, "%s in %s", row->name,
             mode == NEW     ? "a new file"
             : mode == REDEF ? "define mode"
                             : "data mode");
    references(&a, images);
    for (a.bad = 0; a.bad < my_size; a.bad++) {
        my_cases++;
        odd = my_rank == a.bad;
        snprintf(a.what, sizeof a.what, "%s in mode %d, rank %d", row->name, mode, a.bad);
        check_code(a.what, session(&a, true), code_of(&a));
        struct image image = read_image();
        CHECK(images_equal(&image, &images[way_of(&a)]),
              "%s%s: the file is not as all ranks' %s call makes it", a.what, my_safe ? ", safe mode" : "",
              way_of(&a) == NONE ? "missing" : "own");
        free(image.bytes);
    }
    for (int way = NONE; way < WAYS; way++)
        free(images[way].bytes);
}

/* With many ranks, which take turns on few cores, in one of the row's modes. */
static void every_mode(const struct row *row, size_t number)
{
    int modes[3], n = 0;
    for (int mode = NEW; mode <= DATA; mode *= 2)
        if (row->modes & mode)
            modes[n++] = mode;
    for (int i = 0; i < n; i++)
        if (my_size < 4 || (size_t)i == number % (size_t)n)
            every_rank(row, modes[i]);
}

/* ---- create and open */

static const char *path_of(const char *bad)
{
    return odd ? bad : my_path;
}

/* A bad mode counts where it is rank 0's; another rank's differs from rank 0's, and the file is open. */
static void one_open(const char *what, bool creates, const char *path, int mode, int good, int code, int bad)
{
    int id = 77, differs = creates ? NC_EMULTIDEFINE_CMODE : NC_EMULTIDEFINE_OMODE;
    bool fails = path != my_path || bad == 0 || my_size == 1;
    char text[128];
    my_cases++;
    odd = my_rank == bad;
    snprintf(text, sizeof text, "%s, rank %d", what, bad);
    int err = creates ? ncmpi_create(MPI_COMM_WORLD, path_of(path), odd ? mode : good, MPI_INFO_NULL, &id)
                      : ncmpi_open(MPI_COMM_WORLD, path_of(path), odd ? mode : good, MPI_INFO_NULL, &id);
    if (fails && code == NC_NOERR) /* rank 0's mode is a good one; the others' differ from it */
        check_code(text, err, my_size == 1 || (my_rank == 0 && !my_safe) ? NC_NOERR : differs);
    else
        check_code(text, err, fails ? code : code_here(bad, differs, my_safe));
    CHECK((id < 0) == (fails && code), "rank %d: %s: ncid %d", my_rank, text, id);
    if (id >= 0)
        ok(text, ncmpi_close(id));
}

/* NC_NOERR, or NC_ENOTBUILT where the library does not write such files. */
static int code_of_netcdf4(void)
{
    int id, err = ncmpi_create(MPI_COMM_WORLD, my_path, NC_NETCDF4, MPI_INFO_NULL, &id);
    if (!err)
        ok("abort", ncmpi_abort(id));
    return err;
}

static void create_and_open(void)
{
    char lost[sizeof my_path + 16];
    const int netcdf4 = code_of_netcdf4();
    snprintf(lost, sizeof lost, "%s.no/such", my_path);
    for (int bad = 0; bad < my_size; bad++) {
        static const char *const empty = "";
        odd = false;
        one_open("create \"\"", true, empty, 0, 0, NC_EBAD_FILE, bad);
        one_open("create NULL", true, NULL, 0, 0, NC_EBAD_FILE, bad);
        one_open("create in no folder", true, lost, 0, 0, NC_ENOENT, bad);
        one_open("create of two formats", true, my_path, NC_64BIT_OFFSET | NC_64BIT_DATA, 0, NC_EINVAL_CMODE,
                 bad);
        one_open("create diskless", true, my_path, NC_DISKLESS, 0, NC_EINVAL_CMODE, bad);
        one_open("create netCDF-4", true, my_path, NC_NETCDF4, 0, netcdf4, bad);
        one_open("create of another format", true, my_path, NC_64BIT_DATA, 0, NC_NOERR, bad);
        one_open("create no clobber", true, my_path, NC_NOCLOBBER, 0, NC_EEXIST, bad);
        struct act a = { .mode = NEW, .what = "a file to open" };
        session(&a, false);
        one_open("open \"\"", false, empty, 0, 0, NC_EBAD_FILE, bad);
        one_open("open NULL", false, NULL, 0, 0, NC_EBAD_FILE, bad);
        one_open("open a missing file", false, lost, 0, 0, NC_ENOENT, bad);
        one_open("open diskless", false, my_path, NC_DISKLESS, 0, NC_EINVAL_OMODE, bad);
        one_open("open to write", false, my_path, NC_WRITE, 0, NC_NOERR, bad);
        one_open("open to read", false, my_path, NC_NOWRITE, NC_WRITE, NC_NOERR, bad);
    }
}

/* ---- a request that nobody waits for, on one rank; a size that only one rank defines */

static void pending_at_the_end(bool aborts)
{
    for (int bad = 0; bad < my_size; bad++) {
        struct act a = { .mode = NEW };
        int request = NC_REQ_NULL, got = 0;
        my_cases++;
        snprintf(a.what, sizeof a.what, "%s with a pending request, rank %d", aborts ? "abort" : "close",
                 bad);
        make_file(a.what);
        ok(a.what, ncmpi_enddef(ncid));
        put_and_get(a.what, 4000);
        if (my_rank == bad)
            ok(a.what, ncmpi_iput_var1_int(ncid, FIXED, (MPI_Offset[]){ LENGTH - 1 }, &(int){ 5 }, &request));
        check_code(a.what, aborts ? ncmpi_abort(ncid) : ncmpi_close(ncid), NC_EPENDING);
        ok(a.what, ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid));
        ok(a.what, ncmpi_get_var1_int_all(ncid, FIXED, (MPI_Offset[]){ my_rank }, &got));
        CHECK_INT(got, 4000 + my_rank);
        put_and_get(a.what, 5000);
        ok(a.what, ncmpi_close(ncid));
    }
}

/* Not in safe mode, where the second variable is found to differ. */
static void too_large_on_one(void)
{
    for (int bad = 0; bad < my_size; bad++) {
        char what[64];
        my_cases++;
        snprintf(what, sizeof what, "enddef of too much, rank %d", bad);
        make_file(what);
        int d[2] = { X, BIG };
        ok(what, my_rank == bad ? ncmpi_def_var(ncid, "n", NC_INT, 2, d, NULL)
                                : ncmpi_def_var(ncid, "n", NC_INT, 1, d, NULL));
        check_code(what, ncmpi_enddef(ncid), NC_EVARSIZE);
        check_code(what, ncmpi__enddef(ncid, 0, 0, 0, 0), NC_EVARSIZE);
        check_code(what, ncmpi_close(ncid), NC_EVARSIZE);
    }
}

/* ---- calls without arguments: what the mode makes of them, on all ranks */

enum { IN_DEFINE, IN_DATA, IN_INDEP, READ_ONLY, CLOSED, STATES };
static const char *const state_names[STATES] = { "define mode", "data mode", "independent mode",
                                                 "a read-only file", "a closed file" };

static int end_with_arguments(int id)
{
    return ncmpi__enddef(id, 0, 0, 0, 0);
}
static int wait_for_none(int id)
{
    return ncmpi_wait_all(id, 0, NULL, NULL);
}
static int define_dim(int id)
{
    return ncmpi_def_dim(id, "n", 5, NULL);
}
static int define_var(int id)
{
    return ncmpi_def_var(id, "n", NC_INT, 0, NULL, NULL);
}
static int rename_var(int id)
{
    return ncmpi_rename_var(id, FIXED, "fixe2");
}
static int rename_dim(int id)
{
    return ncmpi_rename_dim(id, X, "z");
}
static int put_att(int id)
{
    return ncmpi_put_att_text(id, FIXED, "a1", 3, "uno");
}
static int rename_att(int id)
{
    return ncmpi_rename_att(id, FIXED, "a2", "c2");
}
static int delete_att(int id)
{
    return ncmpi_del_att(id, FIXED, "a2");
}
static int copy_att(int id)
{
    return ncmpi_copy_att(id, FIXED, "a1", id, OTHER);
}
static int fill_mode(int id)
{
    return ncmpi_set_fill(id, NC_NOFILL, NULL);
}
static int fill_var(int id)
{
    return ncmpi_def_var_fill(id, FIXED, 0, NULL);
}
static int quantize(int id)
{
    return parcdf_def_var_quantize(id, FIXED, NC_NOQUANTIZE, 0);
}
static int fill_record(int id)
{
    return ncmpi_fill_var_rec(id, RECORD, 1);
}

#define FREE 1 /* not called in this state: it would change the state */
static const struct state_row {
    const char *name;
    int (*call)(int id);
    int codes[STATES];
} state_rows[] = {
    { "enddef", ncmpi_enddef, { FREE, NC_ENOTINDEFINE, NC_ENOTINDEFINE, NC_ENOTINDEFINE, NC_EBADID } },
    { "_enddef", end_with_arguments, { FREE, NC_ENOTINDEFINE, NC_ENOTINDEFINE, NC_ENOTINDEFINE, NC_EBADID } },
    { "redef", ncmpi_redef, { NC_EINDEFINE, FREE, FREE, NC_EPERM, NC_EBADID } },
    { "sync", ncmpi_sync, { NC_EINDEFINE, 0, 0, 0, NC_EBADID } },
    { "sync_numrecs", ncmpi_sync_numrecs, { NC_EINDEFINE, 0, 0, NC_EPERM, NC_EBADID } },
    { "flush", ncmpi_flush, { 0, 0, 0, 0, NC_EBADID } },
    { "begin_indep_data", ncmpi_begin_indep_data, { NC_EINDEFINE, FREE, 0, FREE, NC_EBADID } },
    { "end_indep_data", ncmpi_end_indep_data, { NC_EINDEFINE, 0, FREE, 0, NC_EBADID } },
    { "wait_all", wait_for_none, { NC_EINDEFINE, 0, NC_EINDEP, 0, NC_EBADID } },
    { "def_dim", define_dim, { FREE, NC_ENOTINDEFINE, NC_ENOTINDEFINE, NC_ENOTINDEFINE, NC_EBADID } },
    { "def_var", define_var, { FREE, NC_ENOTINDEFINE, NC_ENOTINDEFINE, NC_ENOTINDEFINE, NC_EBADID } },
    { "rename_var", rename_var, { FREE, FREE, FREE, NC_EPERM, NC_EBADID } },
    { "rename_dim", rename_dim, { FREE, 0, 0, NC_EPERM, NC_EBADID } },
    { "put_att", put_att, { 0, 0, 0, NC_EPERM, NC_EBADID } },
    { "rename_att", rename_att, { FREE, FREE, FREE, NC_EPERM, NC_EBADID } },
    { "del_att", delete_att, { FREE, NC_ENOTINDEFINE, NC_ENOTINDEFINE, NC_EPERM, NC_EBADID } },
    { "copy_att", copy_att, { 0, 0, 0, NC_EPERM, NC_EBADID } },
    { "set_fill", fill_mode, { FREE, NC_ENOTINDEFINE, NC_ENOTINDEFINE, NC_EPERM, NC_EBADID } },
    { "def_var_fill", fill_var, { 0, NC_ENOTINDEFINE, NC_ENOTINDEFINE, NC_ENOTINDEFINE, NC_EBADID } },
    { "def_var_quantize", quantize, { 0, NC_ELATEDEF, NC_ELATEDEF, NC_EPERM, NC_EBADID } },
    { "fill_var_rec", fill_record, { NC_EINDEFINE, 0, NC_EINDEP, NC_EPERM, NC_EBADID } },
    { "close", ncmpi_close, { FREE, FREE, FREE, FREE, NC_EBADID } },
    { "abort", ncmpi_abort, { FREE, FREE, FREE, FREE, NC_EBADID } },
};

static void every_state_call(int state)
{
    for (size_t i = 0; i < sizeof state_rows / sizeof *state_rows; i++) {
        const struct state_row *row = &state_rows[i];
        char what[96];
        if (row->codes[state] == FREE)
            continue;
        my_cases++;
        snprintf(what, sizeof what, "%s in %s", row->name, state_names[state]);
        check_code(what, row->call(ncid), row->codes[state]);
    }
}

static void every_state(void)
{
    make_file("states");
    every_state_call(IN_DEFINE);
    ok("enddef", ncmpi_enddef(ncid));
    every_state_call(IN_DATA);
    put_and_get("data mode", 100);
    ok("begin_indep_data", ncmpi_begin_indep_data(ncid));
    every_state_call(IN_INDEP);
    ok("end_indep_data", ncmpi_end_indep_data(ncid));
    put_and_get("data mode again", 200);
    ok("close", ncmpi_close(ncid));
    every_state_call(CLOSED);
    ok("open", ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    every_state_call(READ_ONLY);
    check_same("a read-only file");
    ok("close", ncmpi_close(ncid));
}

/* Memory only. */
static void make_wide_file(void)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_engine", "memory");
    ok("wide", ncmpi_create(MPI_COMM_SELF, "wide", NC_64BIT_DATA, info, &wide_ncid));
    ok("wide", ncmpi_def_var(wide_ncid, "v", NC_INT, 0, NULL, NULL));
    ok("wide", ncmpi_put_att_int(wide_ncid, FIXED, "a1", NC_INT64, 1, &(int){ 1 }));
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "agreement", 220);
    memset(endless, 'n', sizeof endless - 1);
    make_wide_file();
    for (int safe = 0; safe < 2; safe++) {
        set_safe(safe);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            every_mode(&rows[i], i);
        create_and_open();
        pending_at_the_end(false);
        pending_at_the_end(true);
        if (!safe)
            too_large_on_one();
        every_state();
    }
    ok("wide", ncmpi_abort(wide_ncid));
    return agreements_end("agreement");
}
