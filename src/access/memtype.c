/* See memtype.h. One small function for each way of making a datatype; each sees its contents as one row of
 * numbers: integers, then addresses, then large counts, which is the order of the arguments that the datatype
 * was made with (but for subarray and darray made with large counts, where the integers come first). */
#include "memtype.h"
#include "status.h"
#include "typecontents.h"

/* ---- Element types ---- */

enum fixed { NO, WHOLE, REAL }; /* Fortran's types have the size that the compiler gave them */

struct element {
    MPI_Datatype datatype;
    const char *name;
    enum pcdf_mtype mtype;
    enum fixed by_size;
};

/* clang-format off */
#define C_TYPE(name, mtype)   { name, #name, mtype, NO }
#define BY_SIZE(name, kind)   { name, #name, PCDF_M_TYPES, kind }
/* clang-format on */

static const struct element elements[] = {
    C_TYPE(MPI_CHAR, PCDF_M_TEXT),
    C_TYPE(MPI_SIGNED_CHAR, PCDF_M_SCHAR),
    C_TYPE(MPI_UNSIGNED_CHAR, PCDF_M_UCHAR),
    C_TYPE(MPI_SHORT, PCDF_M_SHORT),
    C_TYPE(MPI_UNSIGNED_SHORT, PCDF_M_USHORT),
    C_TYPE(MPI_INT, PCDF_M_INT),
    C_TYPE(MPI_UNSIGNED, PCDF_M_UINT),
    C_TYPE(MPI_LONG, PCDF_M_LONG),
    C_TYPE(MPI_FLOAT, PCDF_M_FLOAT),
    C_TYPE(MPI_DOUBLE, PCDF_M_DOUBLE),
    C_TYPE(MPI_LONG_LONG_INT, PCDF_M_LONGLONG),
    C_TYPE(MPI_UNSIGNED_LONG_LONG, PCDF_M_ULONGLONG),
    C_TYPE(MPI_CHARACTER, PCDF_M_TEXT),
    BY_SIZE(MPI_INTEGER, WHOLE),
    BY_SIZE(MPI_INTEGER1, WHOLE),
    BY_SIZE(MPI_INTEGER2, WHOLE),
    BY_SIZE(MPI_INTEGER4, WHOLE),
    BY_SIZE(MPI_INTEGER8, WHOLE),
    BY_SIZE(MPI_REAL, REAL),
    BY_SIZE(MPI_REAL4, REAL),
    BY_SIZE(MPI_REAL8, REAL),
    BY_SIZE(MPI_DOUBLE_PRECISION, REAL),
    C_TYPE(MPI_BYTE, PCDF_M_TYPES),
    C_TYPE(MPI_UNSIGNED_LONG, PCDF_M_TYPES),
};

static const struct element *find_element(MPI_Datatype datatype)
{
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        if (elements[i].datatype == datatype)
            return &elements[i];
    return NULL;
}

static enum pcdf_mtype type_by_size(enum fixed kind, int64_t size)
{
    static const enum pcdf_mtype whole[] = { PCDF_M_SCHAR, PCDF_M_SHORT, PCDF_M_INT, PCDF_M_LONGLONG };
    for (int i = 0; kind == WHOLE && i < 4; i++)
        if (size == (int64_t)1 << i)
            return whole[i];
    if (kind == REAL && (size == 4 || size == 8))
        return size == 4 ? PCDF_M_FLOAT : PCDF_M_DOUBLE;
    return PCDF_M_TYPES;
}

enum pcdf_mtype pcdf_memtype_predefined(MPI_Datatype datatype)
{
    const struct element *element = find_element(datatype);
    MPI_Count size = 0;
    if (!element)
        return PCDF_M_TYPES;
    MPI_Type_size_x(datatype, &size);
    return element->by_size ? type_by_size(element->by_size, size) : element->mtype;
}

/* ---- The way down ---- */

struct contents {
    struct pcdf_typeshape shape;
    MPI_Datatype *types; /* owned, as the numbers are */
    int64_t *numbers;
};

struct part { /* the datatype that another is made of */
    struct pcdf_memnode node;
    int64_t extent;
};

static int decode(struct pcdf_memtype *type, MPI_Datatype datatype, struct part *part);

/* One element. mtype PCDF_M_TYPES is a type of its own for each name. */
static int take_element(struct pcdf_memtype *type, const char *name, enum pcdf_mtype mtype, int64_t size,
                        struct pcdf_memnode *node)
{
    if (!type->name) {
        type->name = name;
        type->mtype = mtype;
        type->size = size;
    } else if (mtype != type->mtype || (mtype == PCDF_M_TYPES && name != type->name)) {
        return PCDF_FAIL(NC_EMULTITYPES, "an MPI datatype with elements of %s and %s", type->name, name);
    }
    *node = pcdf_memnode_element(size);
    return NC_NOERR;
}

static int take_predefined(struct pcdf_memtype *type, MPI_Datatype datatype, int64_t size,
                           struct pcdf_memnode *node)
{
    const struct element *element = find_element(datatype);
    if (!element) {
        char name[MPI_MAX_OBJECT_NAME] = "";
        int length;
        MPI_Type_get_name(datatype, name, &length);
        return PCDF_FAIL(NC_EUNSPTETYPE, "%s is not an element type of put and get", name);
    }
    enum pcdf_mtype mtype = element->mtype;
    if (element->by_size) {
        mtype = type_by_size(element->by_size, size);
        if (mtype == PCDF_M_TYPES)
            return PCDF_FAIL(NC_EUNSPTETYPE, "%s of %lld bytes", element->name, (long long)size);
    }
    return take_element(type, element->name, mtype, size, node);
}

/* What MPI_Type_create_f90_* returns is predefined, but has no name. */
static int take_f90(struct pcdf_memtype *type, int combiner, int64_t size, struct pcdf_memnode *node)
{
    enum fixed kind = combiner == MPI_COMBINER_F90_INTEGER ? WHOLE
                      : combiner == MPI_COMBINER_F90_REAL  ? REAL
                                                           : NO;
    enum pcdf_mtype mtype = type_by_size(kind, size);
    if (mtype == PCDF_M_TYPES)
        return PCDF_FAIL(NC_EUNSPTETYPE, "a Fortran 90 type of %lld bytes is not one of put and get",
                         (long long)size);
    return take_element(type, "a Fortran 90 type", mtype, size, node);
}

static bool is_predefined(int combiner)
{
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

/* ---- Ways of making a datatype of one other ---- */

static int scale(int64_t a, int64_t b, int64_t *product)
{
    if (__builtin_mul_overflow(a, b, product))
        return PCDF_FAIL(NC_EINVAL, "%lld x %lld bytes of an MPI datatype go beyond any memory", (long long)a,
                         (long long)b);
    return NC_NOERR;
}

typedef int builder(struct pcdf_typemap *tree, const struct contents *c, const struct part *old,
                    struct pcdf_memnode *out);

static int build_same(struct pcdf_typemap *tree, const struct contents *c, const struct part *old,
                      struct pcdf_memnode *out)
{
    (void)tree, (void)c;
    *out = old->node;
    return NC_NOERR;
}

static int build_contiguous(struct pcdf_typemap *tree, const struct contents *c, const struct part *old,
                            struct pcdf_memnode *out)
{
    return pcdf_typemap_loop(tree, &old->node, c->numbers[0], old->extent, out);
}

/* count, block length, stride */
static int build_hvector(struct pcdf_typemap *tree, const struct contents *c, const struct part *old,
                         struct pcdf_memnode *out)
{
    struct pcdf_memnode block;
    PCDF_TRY(pcdf_typemap_loop(tree, &old->node, c->numbers[1], old->extent, &block));
    return pcdf_typemap_loop(tree, &block, c->numbers[0], c->numbers[2], out);
}

static int build_vector(struct pcdf_typemap *tree, const struct contents *c, const struct part *old,
                        struct pcdf_memnode *out)
{
    struct pcdf_memnode block;
    int64_t step;
    PCDF_TRY(scale(c->numbers[2], old->extent, &step));
    PCDF_TRY(pcdf_typemap_loop(tree, &old->node, c->numbers[1], old->extent, &block));
    return pcdf_typemap_loop(tree, &block, c->numbers[0], step, out);
}

/* count, lengths, displacements in `unit` bytes */
static int build_blocks(struct pcdf_typemap *tree, const struct contents *c, const struct part *old,
                        int64_t unit, struct pcdf_memnode *out)
{
    int64_t n = c->numbers[0];
    struct pcdf_memlist list = {
        .n = n, .lengths = c->numbers + 1, .places = c->numbers + 1 + n, .step = old->extent, .unit = unit
    };
    return pcdf_typemap_list(tree, &old->node, &list, out);
}

static int build_indexed(struct pcdf_typemap *tree, const struct contents *c, const struct part *old,
                         struct pcdf_memnode *out)
{
    return build_blocks(tree, c, old, old->extent, out);
}

static int build_hindexed(struct pcdf_typemap *tree, const struct contents *c, const struct part *old,
                          struct pcdf_memnode *out)
{
    return build_blocks(tree, c, old, 1, out);
}

/* count, length of every block, displacements */
static int build_equal_blocks(struct pcdf_typemap *tree, const struct contents *c, const struct part *old,
                              int64_t unit, struct pcdf_memnode *out)
{
    struct pcdf_memlist list = { .n = c->numbers[0],
                                 .length = c->numbers[1],
                                 .places = c->numbers + 2,
                                 .step = old->extent,
                                 .unit = unit };
    return pcdf_typemap_list(tree, &old->node, &list, out);
}

static int build_indexed_block(struct pcdf_typemap *tree, const struct contents *c, const struct part *old,
                               struct pcdf_memnode *out)
{
    return build_equal_blocks(tree, c, old, old->extent, out);
}

static int build_hindexed_block(struct pcdf_typemap *tree, const struct contents *c, const struct part *old,
                                struct pcdf_memnode *out)
{
    return build_equal_blocks(tree, c, old, 1, out);
}

/* ndims, sizes, subsizes, starts, order; from the dimension whose neighbours are next to each other outwards
 */
static int build_subarray(struct pcdf_typemap *tree, const struct contents *c, const struct part *old,
                          struct pcdf_memnode *out)
{
    int64_t n = c->numbers[0], order = c->numbers[c->shape.counts > 0 ? 1 : 1 + 3 * n], stride = old->extent;
    const int64_t *sizes = c->numbers + (c->shape.counts > 0 ? 2 : 1), *subsizes = sizes + n,
                  *starts = subsizes + n;
    *out = old->node;
    for (int64_t k = 0; k < n; k++) {
        int64_t i = order == MPI_ORDER_C ? n - 1 - k : k, begin;
        PCDF_TRY(scale(starts[i], stride, &begin));
        PCDF_TRY(pcdf_typemap_loop(tree, out, subsizes[i], stride, out));
        PCDF_TRY(pcdf_memnode_shift(out, begin));
        PCDF_TRY(scale(stride, sizes[i], &stride));
    }
    return NC_NOERR;
}

struct dealt { /* one dimension of a darray: who gets what */
    int64_t size, block, nprocs, coord;
};

/* This process's indices: whole blocks, nprocs blocks apart, and perhaps a part of one. */
static int deal_out(struct pcdf_typemap *tree, const struct dealt *d, int64_t stride,
                    struct pcdf_memnode *node)
{
    struct pcdf_memnode parts[2];
    int64_t first, cycle, step, begin;
    PCDF_TRY(scale(d->coord, d->block, &first));
    PCDF_TRY(scale(d->nprocs, d->block, &cycle));
    if (first >= d->size || cycle <= 0)
        return pcdf_typemap_loop(tree, node, 0, 0, node);
    int64_t whole = (d->size - first) / cycle, rest = (d->size - first) % cycle;
    if (rest >= d->block) {
        whole++;
        rest = 0;
    }
    PCDF_TRY(scale(cycle, stride, &step));
    PCDF_TRY(scale(first, stride, &begin));
    PCDF_TRY(pcdf_typemap_loop(tree, node, d->block, stride, &parts[0]));
    PCDF_TRY(pcdf_typemap_loop(tree, &parts[0], whole, step, &parts[0]));
    PCDF_TRY(pcdf_typemap_loop(tree, node, rest, stride, &parts[1]));
    if (rest > 0) {
        PCDF_TRY(scale(whole, step, &step));
        PCDF_TRY(pcdf_memnode_shift(&parts[1], step));
    }
    PCDF_TRY(pcdf_typemap_join(tree, 2, parts, node));
    return pcdf_memnode_shift(node, begin);
}

/* size, rank, ndims, gsizes, distribs, dargs, psizes, order. The grid of processes is in C's order always. */
static int build_darray(struct pcdf_typemap *tree, const struct contents *c, const struct part *old,
                        struct pcdf_memnode *out)
{
    bool large = c->shape.counts > 0;
    int64_t n = c->numbers[2], rank = c->numbers[1], stride = old->extent, below = 1;
    const int64_t *distribs = c->numbers + 3 + (large ? 0 : n), *dargs = distribs + n, *psizes = dargs + n,
                  *sizes = large ? psizes + n + 1 : c->numbers + 3;
    bool c_order = psizes[n] == MPI_ORDER_C;
    *out = old->node;
    for (int64_t i = 0; i < n && !c_order; i++)
        below *= psizes[i];
    for (int64_t k = 0; k < n; k++) {
        int64_t i = c_order ? n - 1 - k : k;
        below /= c_order ? 1 : psizes[i];
        struct dealt d = { sizes[i], dargs[i], psizes[i], rank / below % psizes[i] };
        below *= c_order ? psizes[i] : 1;
        if (distribs[i] == MPI_DISTRIBUTE_NONE)
            d = (struct dealt){ sizes[i], sizes[i], 1, 0 };
        else if (dargs[i] == MPI_DISTRIBUTE_DFLT_DARG)
            d.block = distribs[i] == MPI_DISTRIBUTE_CYCLIC ? 1 : (d.size - 1) / d.nprocs + 1;
        PCDF_TRY(deal_out(tree, &d, stride, out));
        PCDF_TRY(scale(stride, d.size, &stride));
    }
    return NC_NOERR;
}

static const struct {
    int combiner;
    builder *build;
} builders[] = {
    { MPI_COMBINER_DUP, build_same },
    { MPI_COMBINER_RESIZED, build_same },
    { MPI_COMBINER_CONTIGUOUS, build_contiguous },
    { MPI_COMBINER_VECTOR, build_vector },
    { MPI_COMBINER_HVECTOR, build_hvector },
    { MPI_COMBINER_INDEXED, build_indexed },
    { MPI_COMBINER_HINDEXED, build_hindexed },
    { MPI_COMBINER_INDEXED_BLOCK, build_indexed_block },
    { MPI_COMBINER_HINDEXED_BLOCK, build_hindexed_block },
    { MPI_COMBINER_SUBARRAY, build_subarray },
    { MPI_COMBINER_DARRAY, build_darray },
};

static builder *find_builder(int combiner)
{
    for (size_t i = 0; i < sizeof builders / sizeof builders[0]; i++)
        if (builders[i].combiner == combiner)
            return builders[i].build;
    return NULL;
}

/* ---- Struct: of several others ---- */

enum { LOOK_BACK = 16 }; /* types that occur again are decoded once, or nested ones would cost 2^depth */

static int build_parts(struct pcdf_memtype *type, const struct contents *c, struct part *olds,
                       struct pcdf_memnode *parts)
{
    int64_t n = c->numbers[0];
    const int64_t *lengths = c->numbers + 1, *places = lengths + n;
    for (int64_t i = 0; i < n; i++) {
        int64_t same = i - 1;
        while (same >= 0 && i - same <= LOOK_BACK && c->types[same] != c->types[i])
            same--;
        if (same >= 0 && i - same <= LOOK_BACK)
            olds[i] = olds[same];
        else
            PCDF_TRY(decode(type, c->types[i], &olds[i]));
        PCDF_TRY(pcdf_typemap_loop(&type->tree, &olds[i].node, lengths[i], olds[i].extent, &parts[i]));
        PCDF_TRY(pcdf_memnode_shift(&parts[i], places[i]));
    }
    return NC_NOERR;
}

static int build_struct(struct pcdf_memtype *type, const struct contents *c, struct pcdf_memnode *out)
{
    int64_t same = 1, n = c->numbers[0];
    struct part old;
    while (same < n && c->types[same] == c->types[0])
        same++;
    if (same >= n) { /* all of one type, as is usual here */
        if (n > 0)
            PCDF_TRY(decode(type, c->types[0], &old));
        return n > 0 ? build_hindexed(&type->tree, c, &old, out)
                     : pcdf_typemap_join(&type->tree, 0, NULL, out);
    }
    struct pcdf_memnode *parts = pcdf_calloc((size_t)n, sizeof *parts);
    struct part *olds = pcdf_calloc((size_t)n, sizeof *olds);
    int err = parts && olds
                  ? build_parts(type, c, olds, parts)
                  : PCDF_FAIL(NC_ENOMEM, "no memory for the %lld blocks of an MPI datatype", (long long)n);
    if (!err)
        err = pcdf_typemap_join(&type->tree, (size_t)n, parts, out);
    pcdf_free(olds);
    pcdf_free(parts);
    return err;
}

/* ---- Contents ---- */

/* The numbers in one row. */
static int read_contents(MPI_Datatype datatype, struct contents *c, int *integers, MPI_Aint *addresses,
                         MPI_Count *counts)
{
    int64_t *number = c->numbers;
    if (pcdf_type_contents(datatype, &c->shape, integers, addresses, counts, c->types) != MPI_SUCCESS) {
        c->shape.types = 0;
        return PCDF_FAIL(NC_EUNSPTETYPE, "MPI does not tell how a datatype was made");
    }
    for (int64_t i = 0; i < (int64_t)c->shape.integers; i++)
        *number++ = integers[i];
    for (int64_t i = 0; i < (int64_t)c->shape.addresses; i++)
        *number++ = addresses[i];
    for (int64_t i = 0; i < (int64_t)c->shape.counts; i++)
        *number++ = counts[i];
    return NC_NOERR;
}

/* Memory first: once MPI has handed out types, they must be freed. */
static int get_contents(MPI_Datatype datatype, struct contents *c)
{
    size_t ni = (size_t)c->shape.integers, na = (size_t)c->shape.addresses, nc = (size_t)c->shape.counts;
    c->numbers = pcdf_calloc(ni + na + nc + 1, sizeof *c->numbers);
    c->types = pcdf_calloc((size_t)c->shape.types + 1, sizeof *c->types);
    int *integers = pcdf_calloc(ni + 1, sizeof *integers);
    MPI_Aint *addresses = pcdf_calloc(na + 1, sizeof *addresses);
    MPI_Count *counts = pcdf_calloc(nc + 1, sizeof *counts);
    int err;
    if (c->numbers && c->types && integers && addresses && counts) {
        err = read_contents(datatype, c, integers, addresses, counts);
    } else {
        c->shape.types = 0;
        err = PCDF_FAIL(NC_ENOMEM, "no memory for the %zu numbers of an MPI datatype", ni + na + nc);
    }
    pcdf_free(counts);
    pcdf_free(addresses);
    pcdf_free(integers);
    return err;
}

static void free_contents(struct contents *c)
{
    for (int64_t i = 0; i < (int64_t)c->shape.types; i++) {
        struct pcdf_typeshape shape;
        if (pcdf_type_shape(c->types[i], &shape) == MPI_SUCCESS && !is_predefined(shape.combiner))
            MPI_Type_free(&c->types[i]);
    }
    pcdf_free(c->types);
    pcdf_free(c->numbers);
}

static int build(struct pcdf_memtype *type, const struct contents *c, struct pcdf_memnode *out)
{
    builder *builder_of_one = find_builder(c->shape.combiner);
    struct part old;
    if (c->shape.combiner == MPI_COMBINER_STRUCT)
        return build_struct(type, c, out);
    if (!builder_of_one)
        return PCDF_FAIL(NC_EUNSPTETYPE, "an MPI datatype made in a way (combiner %d) that is not known here",
                         c->shape.combiner);
    PCDF_TRY(decode(type, c->types[0], &old));
    return builder_of_one(&type->tree, c, &old, out);
}

static int decode(struct pcdf_memtype *type, MPI_Datatype datatype, struct part *part)
{
    struct contents c = { .types = NULL };
    MPI_Count size, low, extent;
    *part = (struct part){ .node = { .kind = PCDF_MEM_RUN } };
    if (MPI_Type_size_x(datatype, &size) != MPI_SUCCESS ||
        MPI_Type_get_extent_x(datatype, &low, &extent) != MPI_SUCCESS ||
        pcdf_type_shape(datatype, &c.shape) != MPI_SUCCESS)
        return PCDF_FAIL(NC_EUNSPTETYPE, "MPI does not tell the size of a datatype");
    part->extent = extent;
    if (size == 0) /* holds nothing, as MPI-1's markers of bounds do */
        return NC_NOERR;
    if (c.shape.combiner == MPI_COMBINER_NAMED)
        return take_predefined(type, datatype, size, &part->node);
    if (is_predefined(c.shape.combiner))
        return take_f90(type, c.shape.combiner, size, &part->node);
    int err = get_contents(datatype, &c);
    if (!err)
        err = build(type, &c, &part->node);
    free_contents(&c);
    return err;
}

int pcdf_memtype_decode(struct pcdf_memtype *type, MPI_Datatype datatype)
{
    struct part whole;
    *type = (struct pcdf_memtype){ .mtype = PCDF_M_TYPES };
    int err = decode(type, datatype, &whole);
    if (err) {
        pcdf_memtype_free(type);
        return err;
    }
    type->root = whole.node;
    type->extent = whole.extent;
    return NC_NOERR;
}

void pcdf_memtype_free(struct pcdf_memtype *type)
{
    pcdf_typemap_free(&type->tree);
}
