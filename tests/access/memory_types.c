/* Fixes what the flexible API promises of a buffer described by an MPI datatype: its elements are those that
 * MPI_Pack takes and MPI_Unpack gives, in their order, for random nested datatypes made in every way, with
 * and without an imap, moved in pieces of any size; errors are the documented ones; nothing of MPI is kept,
 * no memory and no datatype leaks, also when memory runs out. One process. memory_types [CASES [FIRST]] */
#include "typemaker.h"
#include <stdlib.h>
#include "alloc.h"
#include "check.h"
#include "status.h"
#include "usermem.h"

enum { ROOM = 1 << 16, MOST = 20000 };

static long cases_compared, gets_compared, imaps_compared;

/* ---- One buffer ---- */

struct world {
    MPI_Datatype type;
    int base, bufcount;
    int64_t nelems;
    size_t size;           /* of an element */
    unsigned char *buffer; /* 2 * ROOM bytes; the user's buffer begins in the middle */
    unsigned char *packed; /* by MPI */
    unsigned char *file;   /* by hand: big-endian */
    unsigned char *staged; /* by the library */
    int ndims;
    MPI_Offset count[3], imap[3];
    bool repeats; /* the imap leads to an element several times */
};

static bool draw_world(struct world *w)
{
    MPI_Count low, extent, size;
    MPI_Datatype all;
    w->base = draw(0, BASES - 1);
    w->bufcount = draw(0, 4) ? 1 : draw(0, 4);
    random_type(draw(0, 4), bases[w->base].type, &w->type);
    MPI_Type_commit(&w->type);
    MPI_Type_contiguous(w->bufcount, w->type, &all);
    MPI_Type_get_true_extent_x(all, &low, &extent);
    MPI_Type_size_x(all, &size);
    MPI_Type_free(&all);
    w->size = pcdf_mtype_size(bases[w->base].mtype);
    w->nelems = size / (int64_t)w->size;
    w->ndims = 0;
    w->repeats = false;
    return low > -ROOM && low + extent < ROOM && w->nelems < MOST;
}

static void swap_bytes(unsigned char *to, const unsigned char *from, size_t size)
{
    const int one = 1;
    for (size_t b = 0; b < size; b++)
        to[b] = from[*(const char *)&one ? size - 1 - b : b];
}

/* Memory is what MPI packs; the file is that, spread by the imap, in the file's byte order. */
static void file_by_hand(struct world *w)
{
    for (int64_t e = 0; e < w->nelems; e++) {
        int64_t from = e, rest = e;
        if (w->ndims > 0)
            from = 0;
        for (int d = w->ndims - 1; d >= 0; d--) {
            from += rest % w->count[d] * w->imap[d];
            rest /= w->count[d];
        }
        swap_bytes(w->file + (size_t)e * w->size, w->packed + (size_t)from * w->size, w->size);
    }
}

/* Dimensions whose product is nelems, in a random order in memory. */
static void draw_imap(struct world *w)
{
    int64_t rest = w->nelems, step = 1;
    int order[3] = { 0, 1, 2 };
    w->ndims = draw(1, 3);
    for (int d = 0; d < w->ndims; d++) {
        int64_t n = d == w->ndims - 1 ? rest : draw(1, 7);
        while (n > 1 && rest % n != 0)
            n--;
        w->count[d] = n;
        rest /= n > 0 ? n : 1;
        int other = draw(0, d);
        order[d] = order[other];
        order[other] = d;
    }
    for (int i = 0; i < w->ndims; i++) {
        w->imap[order[i]] = step;
        step *= w->count[order[i]];
    }
    w->repeats = draw(0, 4) == 0;
    if (w->repeats)
        w->imap[order[0]] = 0;
}

static int describe(struct world *w, struct pcdf_memory *memory, enum pcdf_mtype *mtype)
{
    types_watch(true);
    int err = pcdf_memory_describe_flexible(memory, mtype, w->buffer + ROOM, w->bufcount, w->type,
                                            bases[w->base].xtype, w->nelems, w->ndims, w->count,
                                            w->ndims > 0 ? w->imap : NULL);
    types_watch(false);
    return err;
}

static void move_pieces(struct world *w, const struct pcdf_memory *memory, bool put)
{
    const struct pcdf_converter *converter =
        pcdf_converter_of(PCDF_CDF5, bases[w->base].xtype, bases[w->base].mtype);
    static const unsigned char fill[8];
    int64_t most = draw(0, 1) ? w->nelems : draw(1, 40);
    for (int64_t e = 0, n; e < w->nelems; e += n) {
        n = most > w->nelems - e ? w->nelems - e : most;
        unsigned char *at = w->staged + (size_t)e * w->size;
        if (put)
            CHECK(!pcdf_memory_pack(memory, converter, fill, e, n, at), "out of range");
        else
            CHECK(!pcdf_memory_unpack(memory, converter, e, n, at), "out of range");
        bool dense;
        char *direct = pcdf_memory_dense(memory, e, n, &dense);
        for (int64_t i = 0; put && dense && i < n; i++) {
            unsigned char swapped[8];
            swap_bytes(swapped, (unsigned char *)direct + (size_t)i * w->size, w->size);
            CHECK(memcmp(swapped, at + (size_t)i * w->size, w->size) == 0, "element %d is not there", (int)i);
        }
    }
}

/* A get, from the file made by hand, against MPI_Unpack of the same; where places overlap, MPI promises
 * nothing. */
static void check_get(struct world *w, const struct pcdf_memory *memory, int nbytes, uint64_t number)
{
    unsigned char *ours = malloc(2 * ROOM), *again = malloc((size_t)nbytes + 1);
    int at = 0;
    memcpy(ours, w->buffer, 2 * ROOM);
    for (int i = 0; i < nbytes; i++)
        w->packed[i] = (unsigned char)draw(0, 255);
    file_by_hand(w);
    MPI_Unpack(w->packed, nbytes, &at, w->buffer + ROOM, w->bufcount, w->type, MPI_COMM_SELF);
    at = 0;
    MPI_Pack(w->buffer + ROOM, w->bufcount, w->type, again, nbytes, &at, MPI_COMM_SELF);
    if (memcmp(again, w->packed, (size_t)nbytes) == 0) {
        unsigned char *theirs = w->buffer;
        memcpy(again, w->packed, (size_t)nbytes);
        unsigned char *expected = malloc(2 * ROOM);
        memcpy(expected, theirs, 2 * ROOM);
        memcpy(w->buffer, ours, 2 * ROOM);
        memcpy(w->staged, w->file, (size_t)nbytes);
        move_pieces(w, memory, false);
        CHECK(memcmp(w->buffer, expected, 2 * ROOM) == 0, "case %" PRIu64 ": a get differs", number);
        free(expected);
        gets_compared++;
    }
    memcpy(w->buffer, ours, 2 * ROOM);
    free(ours);
    free(again);
}

static void compare(struct world *w, uint64_t number)
{
    struct pcdf_memory memory;
    enum pcdf_mtype mtype = PCDF_M_TYPES;
    int nbytes = (int)(w->nelems * (int64_t)w->size), at = 0, err = describe(w, &memory, &mtype);
    CHECK(err == 0, "case %" PRIu64 ": %s", number, pcdf_fail_text());
    if (err)
        return;
    CHECK_INT(mtype, w->nelems > 0 || memory.type ? bases[w->base].mtype : mtype);
    MPI_Pack(w->buffer + ROOM, w->bufcount, w->type, w->packed, nbytes, &at, MPI_COMM_SELF);
    CHECK_INT(at, nbytes);
    file_by_hand(w);
    move_pieces(w, &memory, true);
    CHECK(memcmp(w->staged, w->file, (size_t)nbytes) == 0, "case %" PRIu64 ": a put differs", number);
    cases_compared++;
    if (!w->repeats)
        check_get(w, &memory, nbytes, number);
    pcdf_memory_free(&memory);
}

/* Fails every allocation once: nothing is left, and NC_ENOMEM is the answer. */
static void starve(struct world *w, uint64_t number)
{
    for (int64_t n = 1;; n++) {
        struct pcdf_memory memory;
        enum pcdf_mtype mtype;
        int64_t before = pcdf_alloc_now();
        pcdf_alloc_fail_at(n, n % 2 == 0);
        int err = describe(w, &memory, &mtype);
        int64_t asked = pcdf_alloc_asked();
        pcdf_alloc_fail_at(0, 0);
        if (!err)
            pcdf_memory_free(&memory);
        CHECK_INT(pcdf_alloc_now(), before);
        if (asked < n)
            return;
        CHECK(err == NC_ENOMEM, "case %" PRIu64 ": allocation %d gives %d", number, (int)n, err);
    }
}

static void one_case(struct world *w, uint64_t number)
{
    seed = number * 0x9e3779b97f4a7c15u + 1;
    if (draw_world(w)) {
        compare(w, number);
        if (w->nelems > 1) {
            draw_imap(w);
            imaps_compared++;
            compare(w, number);
        }
        if (number % 8 == 0)
            starve(w, number);
    }
    MPI_Type_free(&w->type);
}

static void random_cases(uint64_t cases, uint64_t first)
{
    struct world w = { .buffer = malloc(2 * ROOM),
                       .packed = malloc(8 * MOST),
                       .file = malloc(8 * MOST),
                       .staged = malloc(8 * MOST) };
    for (size_t i = 0; i < 2 * ROOM; i++)
        w.buffer[i] = (unsigned char)draw(0, 255);
    for (uint64_t i = first; i < first + cases && check_bad == 0; i++)
        one_case(&w, i);
    printf("%ld puts and %ld gets compared, %ld with an imap\n", cases_compared, gets_compared,
           imaps_compared);
    for (int way = 0; way < WAYS && cases >= 1000; way++)
        CHECK(ways_used[way] > 0, "no datatype was made in way %d", way);
    free(w.buffer);
    free(w.packed);
    free(w.file);
    free(w.staged);
}

/* ---- Single facts ---- */

static int try_describe(MPI_Offset bufcount, MPI_Datatype type, nc_type xtype, int64_t nelems,
                        struct pcdf_memory *memory, enum pcdf_mtype *mtype)
{
    static double room[64];
    types_watch(true);
    int err =
        pcdf_memory_describe_flexible(memory, mtype, room, bufcount, type, xtype, nelems, 0, NULL, NULL);
    types_watch(false);
    return err;
}

/* The error, or 0, of describing; *mtype as it was given. */
static int result(MPI_Offset bufcount, MPI_Datatype type, int64_t nelems)
{
    struct pcdf_memory memory;
    enum pcdf_mtype mtype;
    int err = try_describe(bufcount, type, NC_INT, nelems, &memory, &mtype);
    if (!err)
        pcdf_memory_free(&memory);
    return err;
}

/* What a struct of two types gives. */
static int result_of_pair(MPI_Datatype a, MPI_Datatype b)
{
    MPI_Datatype pair, types[] = { a, b };
    const MPI_Aint places[] = { 0, 16 };
    const int lengths[] = { 1, 1 };
    MPI_Type_create_struct(2, lengths, places, types, &pair);
    int err = result(1, pair, 2);
    MPI_Type_free(&pair);
    return err;
}

static void check_errors(void)
{
    MPI_Datatype three, bools, bytes, longs, none, wide;
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_contiguous(3, MPI_C_BOOL, &bools);
    MPI_Type_contiguous(3, MPI_BYTE, &bytes);
    MPI_Type_contiguous(3, MPI_UNSIGNED_LONG, &longs);
    MPI_Type_contiguous(0, MPI_INT, &none);
    MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)1 << 62, &wide);
    CHECK_INT(result(2, three, 6), NC_NOERR);
    CHECK_INT(result(2, three, 5), NC_EIOMISMATCH);
    CHECK_INT(result(1, three, 6), NC_EIOMISMATCH);
    CHECK_INT(result(0, three, 6), NC_EIOMISMATCH);
    CHECK_INT(result(0, three, 0), NC_NOERR);
    CHECK_INT(result(-2, three, 6), NC_EIOMISMATCH);
    CHECK_INT(result(-2, three, -6), NC_EIOMISMATCH);
    CHECK_INT(result(INT64_MAX, three, 6), NC_EIOMISMATCH);
    CHECK_INT(result(1, none, 1), NC_EIOMISMATCH);
    CHECK_INT(result(1, none, 0), NC_NOERR);
    CHECK_INT(result(PCDF_COUNT_IGNORE, three, 3), NC_EINVAL);
    CHECK_INT(result(PCDF_COUNT_IGNORE, bools, 3), NC_EINVAL);
    CHECK_INT(result(PCDF_COUNT_IGNORE, MPI_BYTE, 3), NC_EINVAL);
    CHECK_INT(result(PCDF_COUNT_IGNORE, MPI_C_BOOL, 3), NC_EINVAL);
    CHECK_INT(result(1, bools, 3), NC_EUNSPTETYPE);
    CHECK_INT(result(1, bools, 4), NC_EUNSPTETYPE);
    CHECK_INT(result(3, MPI_LONG_DOUBLE, 3), NC_EUNSPTETYPE);
    CHECK_INT(result(3, MPI_FLOAT_INT, 3), NC_EUNSPTETYPE);
    CHECK_INT(result(1, bytes, 3), NC_EBADTYPE);
    CHECK_INT(result(1, bytes, 4), NC_EIOMISMATCH);
    CHECK_INT(result(3, MPI_UNSIGNED_LONG, 3), NC_EBADTYPE);
    CHECK_INT(result(1, longs, 3), NC_EBADTYPE);
    CHECK_INT(result_of_pair(MPI_INT, MPI_FLOAT), NC_EMULTITYPES);
    CHECK_INT(result_of_pair(three, MPI_FLOAT), NC_EMULTITYPES);
    CHECK_INT(result_of_pair(MPI_BYTE, MPI_UNSIGNED_LONG), NC_EMULTITYPES);
    CHECK_INT(result_of_pair(MPI_BYTE, MPI_INT), NC_EMULTITYPES);
    CHECK_INT(result_of_pair(MPI_LONG, MPI_LONG_LONG_INT), NC_EMULTITYPES);
    CHECK_INT(result_of_pair(MPI_INT, MPI_INTEGER), NC_NOERR);
    CHECK_INT(result_of_pair(MPI_INT, MPI_C_BOOL), NC_EUNSPTETYPE);
    CHECK_INT(result(4, wide, 4), NC_EINVAL);
    MPI_Type_free(&three);
    MPI_Type_free(&bools);
    MPI_Type_free(&bytes);
    MPI_Type_free(&longs);
    MPI_Type_free(&none);
    MPI_Type_free(&wide);
}

static void check_memory_types(void)
{
    struct pcdf_memory memory;
    enum pcdf_mtype mtype;
    for (int i = 0; i < BASES; i++) {
        CHECK_INT(try_describe(5, bases[i].type, NC_INT, 5, &memory, &mtype), NC_NOERR);
        CHECK(mtype == bases[i].mtype && memory.ndims == 0 && !memory.type, "base %d: memory type %d", i,
              mtype);
        CHECK_INT(try_describe(PCDF_COUNT_IGNORE, bases[i].type, NC_INT, 5, &memory, &mtype), NC_NOERR);
        CHECK(mtype == bases[i].mtype && memory.ndims == 0, "base %d ignored: memory type %d", i, mtype);
    }
    CHECK_INT(try_describe(77, MPI_DATATYPE_NULL, NC_CHAR, 5, &memory, &mtype), NC_NOERR);
    CHECK(mtype == PCDF_M_TEXT && memory.ndims == 0 && memory.size == 1, "NULL for NC_CHAR: %d", mtype);
    CHECK_INT(try_describe(0, MPI_DATATYPE_NULL, NC_DOUBLE, 5, &memory, &mtype), NC_NOERR);
    CHECK(mtype == PCDF_M_DOUBLE && memory.ndims == 0 && memory.size == 8, "NULL for NC_DOUBLE: %d", mtype);
}

/* MPI libraries without Fortran have no such types. */
static void check_fortran90(void)
{
    MPI_Datatype real = MPI_DATATYPE_NULL, whole = MPI_DATATYPE_NULL, twice;
    struct pcdf_memory memory;
    enum pcdf_mtype mtype;
    if (MPI_Type_create_f90_real(12, MPI_UNDEFINED, &real) == MPI_SUCCESS && real != MPI_DATATYPE_NULL) {
        MPI_Type_contiguous(2, real, &twice);
        CHECK_INT(try_describe(2, twice, NC_INT, 4, &memory, &mtype), NC_NOERR);
        CHECK_INT(mtype, PCDF_M_DOUBLE);
        MPI_Type_free(&twice);
    }
    if (MPI_Type_create_f90_integer(4, &whole) == MPI_SUCCESS && whole != MPI_DATATYPE_NULL) {
        CHECK_INT(try_describe(2, whole, NC_INT, 2, &memory, &mtype), NC_NOERR);
        CHECK_INT(mtype, PCDF_M_SHORT);
    }
    if (MPI_Type_create_f90_complex(12, MPI_UNDEFINED, &real) == MPI_SUCCESS && real != MPI_DATATYPE_NULL)
        CHECK_INT(result(1, real, 1), NC_EUNSPTETYPE);
}

/* Absolute addresses: of one variable (dense) and of two. The datatype is freed before its elements are
 * moved. */
static void check_bottom(void)
{
    static int room[] = { 1, 2, 3, 0, 40, 50 };
    int *first = room, *second = room + 4;
    static const unsigned char fill[4],
        want[] = { 0, 0, 0, 40, 0, 0, 0, 50, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3 };
    const int lengths[] = { 2, 3 };
    MPI_Aint places[2];
    MPI_Get_address(second, &places[0]);
    MPI_Get_address(first, &places[1]);
    for (int n = 1; n <= 2; n++) {
        struct pcdf_memory memory;
        enum pcdf_mtype mtype;
        MPI_Datatype type;
        unsigned char file[sizeof want];
        int nelems = n == 1 ? 2 : 5;
        MPI_Type_create_hindexed(n, lengths, places, MPI_INT, &type);
        int err = pcdf_memory_describe_flexible(&memory, &mtype, MPI_BOTTOM, 1, type, NC_INT, nelems, 0, NULL,
                                                NULL);
        MPI_Type_free(&type);
        CHECK_INT(err, NC_NOERR);
        CHECK_INT(memory.ndims > 0, n == 2);
        const struct pcdf_converter *converter = pcdf_converter_of(PCDF_CDF5, NC_INT, mtype);
        pcdf_memory_pack(&memory, converter, fill, 0, nelems, file);
        CHECK(memcmp(file, want, (size_t)nelems * 4) == 0, "%d blocks from the bottom of memory", n);
        second[1] = 0;
        pcdf_memory_unpack(&memory, converter, 0, nelems, want);
        CHECK_INT(second[1], 50);
        pcdf_memory_free(&memory);
    }
}

/* An imap may lead anywhere in dense memory, but not out of a buffer with gaps. */
static void check_imap_limits(void)
{
    static int room[100];
    const MPI_Offset count[] = { 2, 3 }, wide[] = { 1, 4 }, back[] = { -3, 1 }, fits[] = { 1, 2 };
    struct pcdf_memory memory;
    enum pcdf_mtype mtype;
    MPI_Datatype gaps;
    MPI_Type_vector(6, 1, 2, MPI_INT, &gaps);
    CHECK_INT(pcdf_memory_describe_flexible(&memory, &mtype, room, 6, MPI_INT, NC_INT, 6, 2, count, wide),
              NC_NOERR);
    pcdf_memory_free(&memory);
    CHECK_INT(pcdf_memory_describe_flexible(&memory, &mtype, room, 1, gaps, NC_INT, 6, 2, count, wide),
              NC_EINVAL);
    CHECK_INT(pcdf_memory_describe_flexible(&memory, &mtype, room, 1, gaps, NC_INT, 6, 2, count, back),
              NC_EINVAL);
    CHECK_INT(pcdf_memory_describe_flexible(&memory, &mtype, room, 1, gaps, NC_INT, 6, 2, count, fits),
              NC_NOERR);
    pcdf_memory_free(&memory);
    MPI_Type_free(&gaps);
}

/* MPI_DATATYPE_NULL says which type the buffer has and that it has no gaps: an imap is taken all the same. */
static void check_imap_null_type(void)
{
    const MPI_Offset count[] = { 2, 3 }, transposed[] = { 1, 2 };
    static int room[6] = { 0, 1, 2, 3, 4, 5 };
    const unsigned char want[] = { 0, 2, 4, 1, 3, 5 };
    unsigned char file[6 * 4];
    struct pcdf_memory memory;
    enum pcdf_mtype mtype;
    CHECK_INT(pcdf_memory_describe_flexible(&memory, &mtype, room, 77, MPI_DATATYPE_NULL, NC_INT, 6, 2, count,
                                            transposed),
              NC_NOERR);
    pcdf_memory_pack(&memory, pcdf_converter_of(1, NC_INT, mtype), NULL, 0, 6, file);
    for (int i = 0; i < 6; i++)
        CHECK_INT(file[4 * i + 3], want[i]);
    pcdf_memory_free(&memory);
}

/* Open MPI hands out a copy each time; what is the same type there, nobody knows. */
static bool has_same_handles(MPI_Datatype type)
{
    int numbers[4];
    MPI_Aint places[3];
    MPI_Datatype olds[3];
    MPI_Type_get_contents(type, 4, 3, 3, numbers, places, olds);
    bool same = olds[0] == olds[2];
    MPI_Type_free(&olds[0]);
    MPI_Type_free(&olds[2]);
    return same;
}

/* A million blocks are a node, and types nested in two ways do not double at each level. */
static void check_size(void)
{
    static char room[16];
    struct pcdf_memory memory;
    enum pcdf_mtype mtype;
    MPI_Datatype type, next;
    MPI_Type_vector(1000000, 3, 5, MPI_SHORT, &type);
    CHECK_INT(pcdf_memory_describe_flexible(&memory, &mtype, room, 1, type, NC_INT, 3000000, 0, NULL, NULL),
              0);
    CHECK(pcdf_alloc_now() < 2000, "%d bytes for a vector", (int)pcdf_alloc_now());
    pcdf_memory_free(&memory);
    MPI_Type_free(&type);

    MPI_Type_dup(MPI_CHAR, &type);
    for (int level = 0; level < 12; level++) {
        MPI_Datatype olds[] = { type, MPI_CHAR, type };
        const MPI_Aint places[] = { 0, 100, 200 };
        const int lengths[] = { 1, 1, 1 };
        MPI_Type_create_struct(3, lengths, places, olds, &next);
        MPI_Type_free(&type);
        type = next;
    }
    CHECK_INT(
        pcdf_memory_describe_flexible(&memory, &mtype, room, 1, type, NC_CHAR, (2 << 12) - 1, 0, NULL, NULL),
        0);
    CHECK(pcdf_alloc_now() < 20000 || !has_same_handles(type), "%d bytes for nested types",
          (int)pcdf_alloc_now());
    pcdf_memory_free(&memory);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    uint64_t cases = argc > 1 ? strtoull(argv[1], NULL, 10) : 1500,
             first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    random_cases(cases, first);
    check_errors();
    check_memory_types();
    check_fortran90();
    check_bottom();
    check_imap_limits();
    check_imap_null_type();
    check_size();
    CHECK_INT(pcdf_alloc_now(), 0);
    CHECK_INT(types_held, 0);
    MPI_Finalize();
    return check_done("memory_types");
}
