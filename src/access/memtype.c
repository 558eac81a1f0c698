/* See memtype.h. Each way of making a datatype sees its contents as one row of numbers: integers, then
 * addresses, then large counts, which is the order of the arguments that the datatype was made with (but for
 * subarray and darray made with large counts, where the integers come first). */
#include "memtype.h"
#include "status.h"
#include "typecontents.h"

/* ---- Element types ---- */

enum by_size { NO, WHOLE, REAL, COMPLEX }; /* Fortran's types have sizes that compilers gave them */

struct element {
    MPI_Datatype datatype;
    const char *name;
    enum pcdf_mtype mtype;
    enum by_size by_size;
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

static enum pcdf_mtype type_by_size(enum by_size kind, int64_t size)
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

/* One element of a predefined type. What MPI_Type_create_f90_* returns is predefined, but has no name. */
static int take_element(struct pcdf_memtype *type, MPI_Datatype datatype, int combiner, int64_t size,
                        struct pcdf_memnode *node)
{
    const struct element f90 = { datatype, "a Fortran 90 type", PCDF_M_TYPES,
                                 combiner == MPI_COMBINER_F90_INTEGER ? WHOLE
                                 : combiner == MPI_COMBINER_F90_REAL  ? REAL
                                                                      : COMPLEX };
    const struct element *element = combiner == MPI_COMBINER_NAMED ? find_element(datatype) : &f90;
    if (!element) {
        char name[MPI_MAX_OBJECT_NAME] = "";
        int length;
        MPI_Type_get_name(datatype, name, &length);
        return PCDF_FAIL(NC_EUNSPTETYPE, "%s is not an element type of put and get", name);
    }
    enum pcdf_mtype mtype = element->by_size ? type_by_size(element->by_size, size) : element->mtype;
    if (element->by_size && mtype == PCDF_M_TYPES)
        return PCDF_FAIL(NC_EUNSPTETYPE, "%s of %lld bytes is not an element type of put and get",
                         element->name, (long long)size);
    if (!type->name) {
        type->name = element->name;
        type->mtype = mtype;
        type->size = size;
    } else if (mtype != type->mtype || (mtype == PCDF_M_TYPES && element->name != type->name)) {
        return PCDF_FAIL(NC_EMULTITYPES, "an MPI datatype with elements of %s and %s", type->name,
                         element->name);
    }
    *node = (struct pcdf_memnode){ .kind = PCDF_MEM_RUN, .n = 1, .step = size, .reach = size };
    return NC_NOERR;
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

/* The numbers of each combiner stand in front of its lines, in the order of the contents. */
static int build_of_one(struct pcdf_typemap *tree, const struct contents *c, const struct part *old,
                        struct pcdf_memnode *out)
{
    const int combiner = c->shape.combiner;
    const int64_t *numbers = c->numbers;
    struct pcdf_memlist list = { .n = numbers[0], .step = old->extent, .unit = old->extent };
    struct pcdf_memnode block;
    int64_t step = 0;
    if (combiner == MPI_COMBINER_DUP || combiner == MPI_COMBINER_RESIZED) {
        *out = old->node;
        return NC_NOERR;
    }
    /* count */
    if (combiner == MPI_COMBINER_CONTIGUOUS)
        return pcdf_typemap_loop(tree, &old->node, numbers[0], old->extent, out);
    /* count, block length, stride in elements or bytes */
    if (combiner == MPI_COMBINER_VECTOR || combiner == MPI_COMBINER_HVECTOR) {
        PCDF_TRY(scale(numbers[2], combiner == MPI_COMBINER_VECTOR ? old->extent : 1, &step));
        PCDF_TRY(pcdf_typemap_loop(tree, &old->node, numbers[1], old->extent, &block));
        return pcdf_typemap_loop(tree, &block, numbers[0], step, out);
    }
    if (combiner == MPI_COMBINER_SUBARRAY)
        return build_subarray(tree, c, old, out);
    if (combiner == MPI_COMBINER_DARRAY)
        return build_darray(tree, c, old, out);
    if (combiner == MPI_COMBINER_HINDEXED || combiner == MPI_COMBINER_HINDEXED_BLOCK ||
        combiner == MPI_COMBINER_STRUCT)
        list.unit = 1;
    if (combiner == MPI_COMBINER_INDEXED_BLOCK || combiner == MPI_COMBINER_HINDEXED_BLOCK) {
        /* count, length of every block, displacements */
        list.length = numbers[1];
        list.places = numbers + 2;
    } else { /* count, length of each block, displacements */
        list.lengths = numbers + 1;
        list.places = numbers + 1 + list.n;
    }
    return pcdf_typemap_list(tree, &old->node, &list, out);
}

static bool is_of_one(int combiner)
{
    static const int known[] = {
        MPI_COMBINER_DUP,      MPI_COMBINER_RESIZED,       MPI_COMBINER_CONTIGUOUS,
        MPI_COMBINER_VECTOR,   MPI_COMBINER_HVECTOR,       MPI_COMBINER_INDEXED,
        MPI_COMBINER_HINDEXED, MPI_COMBINER_INDEXED_BLOCK, MPI_COMBINER_HINDEXED_BLOCK,
        MPI_COMBINER_SUBARRAY, MPI_COMBINER_DARRAY
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i] == combiner)
            return true;
    return false;
}

/* ---- Struct: of several others ---- */

/* Types that occur again are decoded once, or nested ones would cost 2^depth. */
enum { LOOK_BACK = 16 };

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
        return n > 0 ? build_of_one(&type->tree, c, &old, out) : pcdf_typemap_join(&type->tree, 0, NULL, out);
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

/* Memory first: once MPI has handed out types, they must be freed. */
static int get_contents(MPI_Datatype datatype, struct contents *c)
{
    size_t ni = (size_t)c->shape.integers, na = (size_t)c->shape.addresses, nc = (size_t)c->shape.counts;
    int64_t *number = c->numbers = pcdf_calloc(ni + na + nc + 1, sizeof *c->numbers);
    c->types = pcdf_calloc((size_t)c->shape.types + 1, sizeof *c->types);
    int *integers = pcdf_calloc(ni + 1, sizeof *integers);
    MPI_Aint *addresses = pcdf_calloc(na + 1, sizeof *addresses);
    MPI_Count *counts = pcdf_calloc(nc + 1, sizeof *counts);
    int err = NC_NOERR;
    if (!c->numbers || !c->types || !integers || !addresses || !counts)
        err = PCDF_FAIL(NC_ENOMEM, "no memory for the %zu numbers of an MPI datatype", ni + na + nc);
    else if (pcdf_type_contents(datatype, &c->shape, integers, addresses, counts, c->types) != MPI_SUCCESS)
        err = PCDF_FAIL(NC_EUNSPTETYPE, "MPI does not tell how a datatype was made");
    if (err)
        c->shape.types = 0; /* none was handed out */
    for (size_t i = 0; !err && i < ni; i++)
        *number++ = integers[i];
    for (size_t i = 0; !err && i < na; i++)
        *number++ = addresses[i];
    for (size_t i = 0; !err && i < nc; i++)
        *number++ = counts[i];
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

static int decode(struct pcdf_memtype *type, MPI_Datatype datatype, struct part *part)
{
    struct contents c = { .types = NULL };
    struct part old;
    MPI_Count size, low, extent;
    *part = (struct part){ .node = { .kind = PCDF_MEM_RUN } };
    if (MPI_Type_size_x(datatype, &size) != MPI_SUCCESS ||
        MPI_Type_get_extent_x(datatype, &low, &extent) != MPI_SUCCESS ||
        pcdf_type_shape(datatype, &c.shape) != MPI_SUCCESS)
        return PCDF_FAIL(NC_EUNSPTETYPE, "MPI does not tell the size of a datatype");
    part->extent = extent;
    if (size == 0) /* holds nothing, as MPI-1's markers of bounds do */
        return NC_NOERR;
    if (is_predefined(c.shape.combiner))
        return take_element(type, datatype, c.shape.combiner, size, &part->node);
    int err = get_contents(datatype, &c);
    if (!err && c.shape.combiner == MPI_COMBINER_STRUCT)
        err = build_struct(type, &c, &part->node);
    else if (!err && !is_of_one(c.shape.combiner))
        err = PCDF_FAIL(NC_EUNSPTETYPE, "an MPI datatype made in a way (combiner %d) that is not known here",
                        c.shape.combiner);
    else if (!err && !(err = decode(type, c.types[0], &old)))
        err = build_of_one(&type->tree, &c, &old, &part->node);
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
