/* Fixes: a small put is packed when it is posted, so that its buffer may be used again at once: all six
 * forms, typed, flexible, and with gaps in the buffer; posted in define mode, in data mode, and before a
 * redef that moves the data. Up to which size, hint pcdf_debug_pack_size says; the memory is counted and
 * comes back when requests are cancelled. On any number of ranks; each rank has its own row. */
#include <string.h>
#include "together.h"
#include "alloc.h"

enum { COLS = 12, MOST_RANKS = 8, NBIG = 64, BIG = 1000 };

enum form { VAR, VAR1, VARA, VARS, VARM, VARN, FORMS };
enum kind { TYPED, FLEXIBLE, GAPS, KINDS };
enum when { DEFINE_MODE, BEFORE_REDEF, DATA_MODE, WHENS };

static const char *const form_names[] = { "var", "var1", "vara", "vars", "varm", "varn" };

static int create(const char *pack_size)
{
    int ncid = -1;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_debug_pack_size", pack_size);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    return ncid;
}

/* Element i of what a put of that form writes; form var writes the same on all ranks. */
static int value_of(enum form form, int i)
{
    return 1000 * (int)form + i + (form == VAR ? 0 : 100 * my_rank);
}

static int elements_of(enum form form)
{
    return form == VAR ? my_size * COLS : form == VAR1 ? 1 : COLS;
}

static int post_typed(int ncid, enum form form, const int *buf, int *id)
{
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { 1, COLS }, stride[2] = { 1, 1 };
    MPI_Offset imap[2] = { 2 * COLS, 2 }, *starts[1] = { start }, *counts[1] = { count };
    switch (form) {
    case VAR:
        return ncmpi_iput_var_int(ncid, form, buf, id);
    case VAR1:
        return ncmpi_iput_var1_int(ncid, form, start, buf, id);
    case VARA:
        return ncmpi_iput_vara_int(ncid, form, start, count, buf, id);
    case VARS:
        return ncmpi_iput_vars_int(ncid, form, start, count, stride, buf, id);
    case VARM:
        return ncmpi_iput_varm_int(ncid, form, start, count, stride, imap, buf, id);
    default:
        return ncmpi_iput_varn_int(ncid, form, 1, starts, counts, buf, id);
    }
}

static int post_flexible(int ncid, enum form form, const int *buf, MPI_Offset n, MPI_Datatype type, int *id)
{
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { 1, COLS }, stride[2] = { 1, 1 };
    MPI_Offset imap[2] = { COLS, 1 }, *starts[1] = { start }, *counts[1] = { count };
    switch (form) {
    case VAR:
        return ncmpi_iput_var(ncid, form, buf, n, type, id);
    case VAR1:
        return ncmpi_iput_var1(ncid, form, start, buf, n, type, id);
    case VARA:
        return ncmpi_iput_vara(ncid, form, start, count, buf, n, type, id);
    case VARS:
        return ncmpi_iput_vars(ncid, form, start, count, stride, buf, n, type, id);
    case VARM:
        return ncmpi_iput_varm(ncid, form, start, count, stride, imap, buf, n, type, id);
    default:
        return ncmpi_iput_varn(ncid, form, 1, starts, counts, buf, n, type, id);
    }
}

/* One buffer for all puts, overwritten after each. */
static void post_all(int ncid, enum kind kind, int *ids)
{
    int buf[2 * COLS * MOST_RANKS];
    for (int form = 0; form < FORMS; form++) {
        int n = elements_of(form), gap = kind == GAPS || (kind == TYPED && form == VARM) ? 2 : 1, err;
        MPI_Datatype type = MPI_INT;
        for (int i = 0; i < n; i++)
            buf[i * gap] = value_of(form, i);
        if (kind == GAPS) {
            MPI_Type_vector(n, 1, gap, MPI_INT, &type);
            MPI_Type_commit(&type);
        }
        err = kind == TYPED ? post_typed(ncid, form, buf, &ids[form])
                            : post_flexible(ncid, form, buf, kind == GAPS ? 1 : n, type, &ids[form]);
        CHECK_NC(err, NC_NOERR);
        if (kind == GAPS)
            MPI_Type_free(&type);
        memset(buf, 0x55, sizeof buf);
    }
}

static void check_all(int ncid, enum kind kind, enum when when)
{
    for (int form = 0; form < FORMS; form++) {
        int got[COLS * MOST_RANKS], n = elements_of(form);
        MPI_Offset start[2] = { form == VAR ? 0 : my_rank, 0 };
        MPI_Offset count[2] = { form == VAR ? my_size : 1, form == VAR1 ? 1 : COLS };
        CHECK_NC(ncmpi_get_vara_int_all(ncid, form, start, count, got), NC_NOERR);
        for (int i = 0; i < n; i++)
            CHECK(got[i] == value_of(form, i), "rank %d, iput_%s, kind %d, time %d: element %d is %x, not %x",
                  my_rank, form_names[form], kind, when, i, (unsigned)got[i], (unsigned)value_of(form, i));
    }
}

static void reuse(enum kind kind, enum when when)
{
    static char text[8000];
    int ncid = create("4096"), dims[2], ids[FORMS], statuses[FORMS];
    CHECK_NC(ncmpi_def_dim(ncid, "row", my_size, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "col", COLS, &dims[1]), NC_NOERR);
    for (int form = 0; form < FORMS; form++)
        CHECK_NC(ncmpi_def_var(ncid, form_names[form], NC_INT, 2, dims, NULL), NC_NOERR);
    if (when == DEFINE_MODE)
        post_all(ncid, kind, ids);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    if (when != DEFINE_MODE)
        post_all(ncid, kind, ids);
    if (when == BEFORE_REDEF) {
        CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
        CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "long", sizeof text, text), NC_NOERR);
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    }
    CHECK_NC(ncmpi_wait_all(ncid, FORMS, ids, statuses), NC_NOERR);
    for (int form = 0; form < FORMS; form++)
        CHECK_NC(statuses[form], NC_NOERR);
    check_all(ncid, kind, when);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Bytes that the library holds for NBIG pending puts of BIG floats more than before; then they are cancelled,
 * half of them first. */
static MPI_Offset held_by_posts(const char *pack_size, MPI_Offset *by_half)
{
    static float values[BIG];
    int ncid = create(pack_size), dim, ids[NBIG], nreqs = -1;
    MPI_Offset start = (MPI_Offset)my_rank * BIG, count = BIG, before = 0, after = 0, half = 0;
    CHECK_NC(ncmpi_def_dim(ncid, "x", (MPI_Offset)my_size * BIG, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_FLOAT, 1, &dim, NULL), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_malloc_size(&before), NC_NOERR);
    for (int i = 0; i < NBIG; i++)
        CHECK_NC(ncmpi_iput_vara_float(ncid, 0, &start, &count, values, &ids[i]), NC_NOERR);
    CHECK_NC(ncmpi_inq_malloc_size(&after), NC_NOERR);
    CHECK_NC(ncmpi_cancel(ncid, NBIG / 2, ids, NULL), NC_NOERR);
    CHECK_NC(ncmpi_inq_malloc_size(&half), NC_NOERR);
    *by_half = half - before;
    CHECK_NC(ncmpi_cancel(ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    CHECK_NC(ncmpi_inq_nreqs(ncid, &nreqs), NC_NOERR);
    CHECK_INT(nreqs, 0);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    return after - before;
}

static void sizes(void)
{
    MPI_Offset half, without = held_by_posts("3999", &half), with = held_by_posts("4000", &half);
    CHECK(with >= without + NBIG * BIG * 4, "%lld bytes are held, without packing %lld", (long long)with,
          (long long)without);
    CHECK(half <= without + NBIG / 2 * (BIG * 4 + 32), "%lld bytes are held by half", (long long)half);
}

/* No memory at any moment of a post: nothing is pending, and it can be posted again. */
static void no_memory(void)
{
    int ncid = create("4096"), dim, nreqs, failed = 0;
    int values[COLS] = { 0 }, got[COLS] = { -1 };
    MPI_Offset start = my_rank * COLS, count = COLS;
    CHECK_NC(ncmpi_def_dim(ncid, "x", (MPI_Offset)my_size * COLS, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, NULL), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    for (int k = 1, err = NC_ENOMEM; k < 20 && err; k++) {
        values[0] = k;
        pcdf_alloc_fail_at(k, 0);
        err = ncmpi_iput_vara_int(ncid, 0, &start, &count, values, NULL);
        pcdf_alloc_fail_at(0, 0);
        CHECK(!err || err == NC_ENOMEM, "allocation %d: %s", k, ncmpi_strerrno(err));
        CHECK_NC(ncmpi_inq_nreqs(ncid, &nreqs), NC_NOERR);
        CHECK_INT(nreqs, err ? 0 : 1);
        failed = err ? k : failed;
    }
    values[0] = -1;
    CHECK_NC(ncmpi_wait_all(ncid, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    CHECK_NC(ncmpi_get_vara_int_all(ncid, 0, &start, &count, got), NC_NOERR);
    CHECK_INT(got[0], failed + 1);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "reused_buffer", 60);
    for (int kind = 0; kind < KINDS; kind++)
        for (int when = 0; when < WHENS; when++)
            reuse(kind, when);
    sizes();
    no_memory();
    return together_end("reused_buffer");
}
