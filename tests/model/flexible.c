/* See program.h: buffers that MPI datatypes describe. Each kind is made in two ways, as a datatype and as the
 * place of each of its elements. */
#include "program.h"

const char *const flex_names[FLEXES] = {
    "",        " n items",  " NC_COUNT_IGNORE", " MPI_DATATYPE_NULL", " contiguous", " vector", " resized",
    " nested", " subarray", " struct",          " reversed",          " MPI_BOTTOM"
};

/* Lengths of the three blocks of a struct, which lie in memory in the order 1, 2, 0 with an element between.
 */
static void struct_blocks(int64_t n, int *lengths, int64_t *places)
{
    lengths[0] = lengths[1] = (int)(n / 3);
    lengths[2] = (int)n - lengths[0] - lengths[1];
    places[1] = 0;
    places[2] = lengths[1] + 1;
    places[0] = places[2] + lengths[2] + 1;
}

static int64_t place_of(const struct part *p, int64_t k)
{
    int64_t cols = p->n / p->rows, row = k / cols, col = k % cols, places[3];
    int lengths[3], block = 0;
    switch (p->flex) {
    case FLEX_VECTOR:
        return 2 * k;
    case FLEX_RESIZED:
    case FLEX_NESTED:
        return row * (2 * cols + 1) + 2 * col;
    case FLEX_SUBARRAY:
        return (row + 1) * (cols + 3) + 2 + col;
    case FLEX_STRUCT:
        struct_blocks(p->n, lengths, places);
        for (; k >= lengths[block]; block++)
            k -= lengths[block];
        return places[block] + k;
    case FLEX_REVERSED:
        return 2 * (p->n - 1 - k) + 1;
    case FLEX_BOTTOM:
        return k + (k >= p->n / 2);
    default:
        return k;
    }
}

static void spread(struct part *p)
{
    size_t memory = 0;
    for (int64_t i = 0; i < p->n; i++) {
        p->place[i] = (size_t)place_of(p, (int64_t)p->place[i]);
        memory = p->place[i] + 1 > memory ? p->place[i] + 1 : memory;
    }
    p->memory = memory;
}

/* A description that does not fit the request. */
static void spoil_description(struct part *p)
{
    static const int codes[FLEX_FAULTS] = { [FLEX_WRONG_COUNT] = NC_EIOMISMATCH,
                                            [FLEX_BYTES] = NC_EBADTYPE,
                                            [FLEX_TWO_TYPES] = NC_EMULTITYPES,
                                            [FLEX_DERIVED_IGNORE] = NC_EINVAL };
    p->flex = FLEX_PLAIN;
    p->flex_fault = 1 + (enum flex_fault)below(FLEX_FAULTS - 1);
    if (p->flex_fault == FLEX_NO_ITEMS) { /* only a collective call insists on them */
        p->error = p->together ? NC_EIOMISMATCH : NC_NOERR;
        p->n = p->together ? p->n : 0;
        return;
    }
    if (p->flex_fault == FLEX_BYTES && p->mem != MEM_TEXT && p->var->type != NC_CHAR)
        p->error = codes[p->flex_fault];
    else if (p->flex_fault == FLEX_BYTES)
        p->flex_fault = FLEX_FINE; /* text against bytes has two faults */
    p->error = codes[p->flex_fault];
}

void choose_flex(struct part *p)
{
    static const enum flex dense[] = { FLEX_PLAIN, FLEX_IGNORE, FLEX_NULL, FLEX_CONTIGUOUS };
    bool wide = p->memory > (size_t)p->n; /* an imap with gaps */
    if (one_in(2))
        return;
    p->flex = wide ? dense[below(4)] : FLEX_PLAIN + (enum flex)below(FLEXES - 1);
    if (!p->n || p->n > 4000)
        p->flex = dense[below(3)];
    if (p->flex == FLEX_NULL && p->error == NC_ECHAR) /* it would mend that */
        p->flex = FLEX_PLAIN;
    if (p->flex == FLEX_NULL)
        p->mem = ext_mem(p->var->type);
    if (!p->n)
        return;
    p->rows = 2 + below(5);
    while (p->n % p->rows)
        p->rows--;
    if (!p->error && wide && one_in(4)) {
        p->flex = FLEX_VECTOR; /* the imap leads out of it */
        p->error = NC_EINVAL;
    } else if (!p->error && one_in(g.judged ? 60 : 15)) {
        spoil_description(p);
    }
    if (!p->error)
        spread(p);
}

static void make_struct(const struct part *p, MPI_Datatype element, size_t size, MPI_Datatype *type)
{
    int64_t places[3];
    int lengths[3];
    MPI_Datatype types[3] = { element, element, element };
    struct_blocks(p->n, lengths, places);
    MPI_Aint at[3] = { (MPI_Aint)(places[0] * (int64_t)size), (MPI_Aint)(places[1] * (int64_t)size),
                       (MPI_Aint)(places[2] * (int64_t)size) };
    int blocks[3] = { lengths[0], lengths[1], 1 };
    MPI_Type_contiguous(lengths[2], element, &types[2]); /* a derived one among the members */
    MPI_Type_create_struct(3, blocks, at, types, type);
    MPI_Type_free(&types[2]);
}

/* Element k at 2 (n - 1 - k) + 1; or, beginning at an address, the two halves with one element between. */
static void make_indexed(const struct part *p, MPI_Datatype element, int64_t size, MPI_Aint base,
                         MPI_Datatype *type)
{
    int n = (int)p->n, half = n / 2, lengths[2] = { half, n - half };
    MPI_Aint *at = malloc((size_t)(n + 2) * sizeof *at);
    for (int k = 0; k < n && p->flex == FLEX_REVERSED; k++)
        at[k] = (MPI_Aint)(place_of(p, k) * size);
    if (p->flex == FLEX_REVERSED) {
        MPI_Type_create_hindexed_block(n, 1, at, element, type);
    } else {
        at[0] = base;
        at[1] = base + (MPI_Aint)((half + 1) * size);
        MPI_Type_create_hindexed(2, lengths, at, element, type);
    }
    free(at);
}

static void make_rows(const struct part *p, MPI_Datatype element, int64_t size, MPI_Datatype *type)
{
    int rows = (int)p->rows, cols = (int)(p->n / p->rows);
    int sizes[2] = { rows + 2, cols + 3 }, part[2] = { rows, cols }, begin[2] = { 1, 2 };
    MPI_Datatype row;
    if (p->flex == FLEX_SUBARRAY) {
        MPI_Type_create_subarray(2, sizes, part, begin, MPI_ORDER_C, element, type);
        return;
    }
    MPI_Type_vector(cols, 1, 2, element, &row);
    if (p->flex == FLEX_RESIZED)
        MPI_Type_create_resized(row, 0, (MPI_Aint)((2 * cols + 1) * size), type);
    else
        MPI_Type_create_hvector(rows, 1, (MPI_Aint)((2 * cols + 1) * size), row, type);
    MPI_Type_free(&row);
}

static void make_wrong(const struct part *p, struct described *d)
{
    int lengths[2] = { 1, 1 };
    MPI_Aint at[2] = { 0, 8 };
    MPI_Datatype types[2] = { MPI_INT, MPI_DOUBLE };
    if (p->flex_fault == FLEX_WRONG_COUNT)
        d->count = p->n + 1;
    else if (p->flex_fault == FLEX_NO_ITEMS)
        d->count = 0;
    else if (p->flex_fault == FLEX_BYTES)
        d->type = MPI_BYTE;
    else if (p->flex_fault == FLEX_TWO_TYPES)
        MPI_Type_create_struct(2, lengths, at, types, &d->type);
    else
        MPI_Type_contiguous(2, d->type, &d->type);
    if (p->flex_fault == FLEX_DERIVED_IGNORE)
        d->count = NC_COUNT_IGNORE;
}

/* True when the type is to be freed. */
static bool make_described(const struct part *p, void *buf, struct described *d)
{
    MPI_Datatype element = mem_datatype(p->mem);
    int64_t size = (int64_t)mem_sizes[p->mem];
    MPI_Aint base;
    *d = (struct described){ .base = buf, .count = p->n, .type = element };
    if (p->flex_fault) {
        make_wrong(p, d);
        return p->flex_fault == FLEX_TWO_TYPES || p->flex_fault == FLEX_DERIVED_IGNORE;
    }
    if (p->flex <= FLEX_NULL) {
        d->count = p->flex == FLEX_IGNORE ? NC_COUNT_IGNORE : p->flex == FLEX_NULL ? 77 : p->n;
        d->type = p->flex == FLEX_NULL ? MPI_DATATYPE_NULL : element;
        return false;
    }
    d->count = p->flex == FLEX_RESIZED ? p->rows : 1;
    if (p->flex == FLEX_CONTIGUOUS)
        MPI_Type_contiguous((int)p->n, element, &d->type);
    else if (p->flex == FLEX_VECTOR)
        MPI_Type_vector((int)p->n, 1, 2, element, &d->type);
    else if (p->flex == FLEX_STRUCT)
        make_struct(p, element, (size_t)size, &d->type);
    else if (p->flex == FLEX_REVERSED || p->flex == FLEX_BOTTOM) {
        MPI_Get_address(buf, &base);
        make_indexed(p, element, size, base, &d->type);
        d->base = p->flex == FLEX_BOTTOM ? MPI_BOTTOM : buf;
    } else {
        make_rows(p, element, size, &d->type);
    }
    return true;
}

bool describe(const struct part *p, void *buf, struct described *d)
{
    bool derived = make_described(p, buf, d);
    if (derived)
        MPI_Type_commit(&d->type);
    return derived;
}

int flexible_run(const struct call *c, const struct part *p, enum posting way, int *id)
{
    struct described d;
    bool derived = describe(p, c->buf, &d);
    int err = id ? flexible_post(c, way, id, &d) : flexible_call(c, &d);
    if (derived) /* at once, as users do */
        MPI_Type_free(&d.type);
    return err;
}
