/* See usermem.h. */
#include "usermem.h"
#include <assert.h>
#include "alloc.h"
#include "numbers.h"
#include "quantizer.h"
#include "status.h"

/* Does the imap say only what dense memory says anyway, as most do? */
static bool imap_is_dense(int ndims, const MPI_Offset *count, const MPI_Offset *imap)
{
    int64_t dense = 1;
    for (int i = 0; i < ndims; i++)
        if (count[i] == 0) /* no element lies anywhere */
            return true;
    for (int i = ndims - 1; i >= 0; i--) {
        if (count[i] > 1 && imap[i] != dense)
            return false;
        dense *= count[i];
    }
    return true;
}

/* No memory is larger than 63 bits tell. What passes here cannot overflow later. */
static int check_reach(size_t size, int ndims, const MPI_Offset *count, const MPI_Offset *imap)
{
    int64_t reach = 0;
    for (int i = 0; i < ndims; i++) {
        int64_t bytes;
        if (count[i] == 1)
            continue;
        if (imap[i] == INT64_MIN ||
            __builtin_mul_overflow(imap[i] < 0 ? -imap[i] : imap[i], count[i], &bytes) ||
            __builtin_mul_overflow(bytes, (int64_t)size, &bytes) ||
            __builtin_add_overflow(reach, bytes, &reach))
            return PCDF_FAIL(NC_EINVAL, "dimension %d: imap %lld for %lld elements goes beyond any memory",
                             pcdf_told_dim(i, ndims), (long long)imap[i], (long long)count[i]);
    }
    return NC_NOERR;
}

/* Gives the memory its runs. `imap` is not that of dense memory. */
static int spread(struct pcdf_memory *memory, int ndims, const MPI_Offset *count, const MPI_Offset *imap)
{
    struct pcdf_run *runs = pcdf_malloc((size_t)ndims * sizeof *runs);
    if (!runs)
        return PCDF_FAIL(NC_ENOMEM, "no memory to describe a buffer of %d dimensions", ndims);
    int n = 0;
    for (int i = 0; i < ndims; i++) {
        if (count[i] == 1)
            continue;
        struct pcdf_run *outer = n ? &runs[n - 1] : NULL;
        if (outer && outer->step == (int64_t)imap[i] * (int64_t)count[i]) {
            outer->count *= count[i];
            outer->step = imap[i];
        } else {
            runs[n++] = (struct pcdf_run){ .count = count[i], .step = imap[i] };
        }
    }
    int64_t each = 1;
    for (int i = n; i-- > 0; each *= runs[i].count)
        runs[i].each = each;
    memory->ndims = n;
    memory->runs = runs;
    return NC_NOERR;
}

int pcdf_memory_describe(struct pcdf_memory *memory, void *buf, enum pcdf_mtype mtype, int ndims,
                         const MPI_Offset *count, const MPI_Offset *imap)
{
    *memory = (struct pcdf_memory){ .base = buf, .size = pcdf_mtype_size(mtype) };
    if (!imap || ndims == 0 || imap_is_dense(ndims, count, imap))
        return NC_NOERR;
    PCDF_TRY(check_reach(memory->size, ndims, count, imap));
    return spread(memory, ndims, count, imap);
}

/* ---- MPI datatypes ---- */

/* MPI_BOTTOM is the null pointer, from which C allows no way. */
static char *address(const char *base, int64_t bytes)
{
    return (char *)((uintptr_t)base + (uintptr_t)bytes);
}

/* In a buffer with gaps, what lies beyond its elements is not the user's to give. */
static int check_inside(int64_t nelems, int ndims, const MPI_Offset *count, const MPI_Offset *imap)
{
    int64_t low = 0, high = 0;
    for (int i = 0; i < ndims; i++)
        *(imap[i] < 0 ? &low : &high) += imap[i] * (count[i] - 1);
    if (low < 0 || high >= nelems)
        return PCDF_FAIL(NC_EINVAL, "imap leads to elements %lld to %lld of a datatype's %lld",
                         pcdf_told_index(low), pcdf_told_index(high), (long long)nelems);
    return NC_NOERR;
}

/* bufcount items of a datatype that was decoded become one, which the memory takes over unless it is dense.
 */
static int describe_items(struct pcdf_memory *memory, struct pcdf_memtype *type, void *buf,
                          MPI_Offset bufcount, nc_type xtype, int64_t nelems, int ndims,
                          const MPI_Offset *count, const MPI_Offset *imap)
{
    const MPI_Offset all = nelems, one = 1;
    struct pcdf_memnode *root = &type->root;
    int64_t n;
    if (__builtin_mul_overflow((int64_t)bufcount, root->n, &n) || bufcount < 0 || n != nelems)
        return PCDF_FAIL(NC_EIOMISMATCH,
                         "%lld items of a datatype of %lld elements for %lld elements in the file",
                         (long long)bufcount, (long long)root->n, (long long)nelems);
    if (type->name && type->mtype == PCDF_M_TYPES)
        return PCDF_FAIL(NC_EBADTYPE, "%s cannot be converted", type->name);
    PCDF_TRY(pcdf_typemap_loop(&type->tree, root, bufcount, type->extent, root));
    if (!type->name)
        type->mtype = pcdf_mtype_of(xtype);
    if (root->kind == PCDF_MEM_RUN && (root->n <= 1 || root->step == type->size))
        return pcdf_memory_describe(memory, address(buf, root->at), type->mtype, ndims, count, imap);
    PCDF_TRY(pcdf_memory_describe(memory, buf, type->mtype, ndims, count, imap));
    int err = memory->runs ? check_inside(nelems, ndims, count, imap) : spread(memory, 1, &all, &one);
    if (!err) {
        memory->type = pcdf_malloc(sizeof *type);
        err = memory->type ? NC_NOERR
                           : PCDF_FAIL(NC_ENOMEM, "no memory to describe a buffer of an MPI datatype");
    }
    if (err)
        pcdf_memory_free(memory);
    else
        *memory->type = *type;
    return err;
}

int pcdf_memory_describe_flexible(struct pcdf_memory *memory, enum pcdf_mtype *mtype, void *buf,
                                  MPI_Offset bufcount, MPI_Datatype buftype, nc_type xtype, int64_t nelems,
                                  int ndims, const MPI_Offset *count, const MPI_Offset *imap)
{
    if (buftype == MPI_DATATYPE_NULL) {
        *mtype = pcdf_mtype_of(xtype);
        return pcdf_memory_describe(memory, buf, *mtype, ndims, count, imap);
    }
    if (bufcount == PCDF_COUNT_IGNORE) {
        *mtype = pcdf_memtype_predefined(buftype);
        if (*mtype == PCDF_M_TYPES)
            return PCDF_FAIL(NC_EINVAL, "bufcount NC_COUNT_IGNORE needs a predefined type of put and get");
        return pcdf_memory_describe(memory, buf, *mtype, ndims, count, imap);
    }
    struct pcdf_memtype type;
    PCDF_TRY(pcdf_memtype_decode(&type, buftype));
    *memory = (struct pcdf_memory){ .base = buf };
    int err = describe_items(memory, &type, buf, bufcount, xtype, nelems, ndims, count, imap);
    *mtype = type.mtype;
    if (err || !memory->type)
        pcdf_memtype_free(&type);
    return err;
}

void pcdf_memory_free(struct pcdf_memory *memory)
{
    pcdf_free(memory->runs);
    if (memory->type)
        pcdf_memtype_free(memory->type);
    pcdf_free(memory->type);
    memory->runs = NULL;
    memory->type = NULL;
}

/* ---- Moving ---- */

/* The run from element `index` of the datatype on, of at most n elements that are `*step` apart: on
 * return the step in memory, counted in elements there. */
static int64_t type_run(const struct pcdf_memory *memory, int64_t index, int64_t n, char **at,
                        ptrdiff_t *step)
{
    const struct pcdf_memtype *type = memory->type;
    struct pcdf_memrun run = pcdf_typemap_run(&type->tree, &type->root, index);
    int64_t by = *step, room = n;
    /* check_inside refused what leads out of the buffer to the left. */
    assert(by >= 0);
    *at = address(memory->base, run.at);
    if (by > 0)
        room = (run.left - 1) / by + 1;
    *step = 1;
    if (room <= 1 || by * run.step % type->size != 0) /* or a step that no converter can take */
        return 1;
    *step = (ptrdiff_t)(by * run.step / type->size);
    return room < n ? room : n;
}

char *pcdf_memory_dense(const struct pcdf_memory *memory, int64_t first, int64_t n, bool *dense)
{
    const struct pcdf_run *inner = memory->ndims > 0 ? &memory->runs[memory->ndims - 1] : NULL;
    int64_t element = 0, index = first, left = n;
    ptrdiff_t step = 1;
    if (!inner || n == 0) {
        *dense = true;
        return n > 0 && first > 0 ? memory->base + first * (int64_t)memory->size
                                  : memory->base; /* may be null */
    }
    /* Where `first` lies, counted in elements from the base. */
    for (int i = memory->ndims - 1; i >= 0; i--) {
        element += index % memory->runs[i].count * memory->runs[i].step;
        index /= memory->runs[i].count;
    }
    char *at = memory->base;
    if (!memory->type && element != 0) /* the base may be null */
        at += element * (int64_t)memory->size;
    step = (ptrdiff_t)inner->step;
    if (memory->type)
        left = type_run(memory, element, n, &at, &step);
    *dense = left >= n && inner->count - first % inner->count >= n && (step == 1 || n == 1);
    return *dense ? at : NULL;
}

/* A pack or an unpack on its way: one of the two ends of the file bytes is set. */
struct motion {
    const struct pcdf_memory *memory;
    const struct pcdf_converter *converter;
    const unsigned char *fill, *from;
    unsigned char *to;
    bool out_of_range;
};

/* Rows of n elements, `step` elements apart. */
static inline void move_rows(struct motion *m, char *at, ptrdiff_t step, int64_t n, int64_t row_step,
                             int64_t rows)
{
    const size_t nbytes = (size_t)(n * m->converter->xsize);
    bool out_of_range = false;
    if (m->to)
        for (; rows > 0; rows--, at = address(at, row_step), m->to += nbytes)
            out_of_range |= m->converter->put(m->to, at, step, (size_t)n, m->fill);
    else
        for (; rows > 0; rows--, at = address(at, row_step), m->from += nbytes)
            out_of_range |= m->converter->get(at, step, m->from, (size_t)n);
    m->out_of_range |= out_of_range;
}

/* A step in bytes as one in elements, whose size is a power of two; false: it is none. */
static inline bool in_elements(const struct motion *m, int64_t step, ptrdiff_t *elements)
{
    const int64_t size = (int64_t)m->memory->size;
    *elements = (ptrdiff_t)(step >> __builtin_ctzll((unsigned long long)size));
    return (step & (size - 1)) == 0;
}

static void move_spaced(struct motion *m, char *at, int64_t step, int64_t n, int64_t row_step, int64_t rows)
{
    ptrdiff_t by;
    if (n == 1)
        move_rows(m, at, 1, 1, row_step, rows);
    else if (in_elements(m, step, &by))
        move_rows(m, at, by, n, row_step, rows);
    else /* no converter can take that step */
        for (; rows > 0; rows--, at = address(at, row_step))
            move_rows(m, at, 1, 1, step, n);
}

/* Elements [first, first + n): the end of a row, rows, the beginning of a row. */
static void move_elements(void *arg, const struct pcdf_memrows *r, int64_t first, int64_t n)
{
    struct motion *m = arg;
    char *at = address(m->memory->base, r->at);
    ptrdiff_t by;
    if (first == 0 && n <= r->each && in_elements(m, r->step, &by)) { /* the short way for the short */
        move_rows(m, at, by, n, 0, 1);
        return;
    }
    if (first >= r->each) {
        at = address(at, first / r->each * r->row_step);
        first %= r->each;
    }
    if (first > 0) {
        int64_t now = r->each - first < n ? r->each - first : n;
        move_spaced(m, address(at, first * r->step), r->step, now, 0, 1);
        at = address(at, r->row_step);
        n -= now;
    }
    int64_t rows = n < r->each ? 0 : n / r->each;
    if (rows > 0)
        move_spaced(m, at, r->step, r->each, r->row_step, rows);
    if (n > rows * r->each)
        move_spaced(m, address(at, rows * r->row_step), r->step, n - rows * r->each, 0, 1);
}

/* Elements [first, first + n) of dimension `dim` and those within, which begin at element `at`. */
static void move_runs(struct motion *m, int dim, int64_t at, int64_t first, int64_t n)
{
    const struct pcdf_memory *memory = m->memory;
    const struct pcdf_run *run = &memory->runs[dim], *last = &memory->runs[memory->ndims - 1];
    const int64_t size = (int64_t)memory->size;
    if (!memory->type && last - run <= 1) { /* rows */
        move_elements(m,
                      &(struct pcdf_memrows){ at * size, last->step * size, last->count, run->step * size },
                      first, n);
        return;
    }
    if (first >= run->each) {
        at += first / run->each * run->step;
        first %= run->each;
    }
    if (last > run) {
        for (int64_t now; n > 0; n -= now, at += run->step, first = 0) {
            now = run->each - first < n ? run->each - first : n;
            move_runs(m, dim + 1, at, first, now);
        }
    } else if (run->step == 1) { /* elements of the datatype in a row */
        pcdf_typemap_visit(&memory->type->tree, &memory->type->root, at, n, move_elements, m);
    } else {
        for (int64_t now; n > 0; n -= now, at += now * run->step) {
            char *place;
            ptrdiff_t step = (ptrdiff_t)run->step;
            now = type_run(memory, at, n, &place, &step);
            move_rows(m, place, step, now, 0, 1);
        }
    }
}

static bool move(struct motion *m, int64_t first, int64_t n)
{
    if (m->memory->ndims > 0)
        move_runs(m, 0, 0, first, n);
    else
        move_rows(m, m->memory->base + first * (int64_t)m->memory->size, 1, n, 0, 1);
    return m->out_of_range;
}

/* By parts that stay in the cache: converted as for a file in the byte order of this machine, rounded, and
 * put into the order of the file. */
static __attribute__((noinline)) bool pack_quantized(const struct pcdf_memory *memory,
                                                     const struct pcdf_converter *converter, int64_t first,
                                                     int64_t n, unsigned char *file)
{
    enum { PART = 512, WIDEST = 8 };
    unsigned char values[PART * WIDEST];
    struct motion m = { .memory = memory,
                        .converter = pcdf_converter_native(converter),
                        .fill = memory->fill };
    struct pcdf_quantizer q;
    pcdf_quantizer_make(&q, memory->quantize, converter->xsize == WIDEST ? NC_DOUBLE : NC_FLOAT,
                        memory->fill);
    for (int64_t done = 0, part; done < n; done += part, file += part * converter->xsize) {
        part = pcdf_smaller(n - done, PART);
        m.to = values;
        (void)move(&m, first + done, part);
        pcdf_convert_quantized(converter, &q, values, (size_t)part, first + done, file);
    }
    return m.out_of_range;
}

bool pcdf_memory_pack(const struct pcdf_memory *memory, const struct pcdf_converter *converter,
                      const unsigned char *fill, int64_t first, int64_t n, unsigned char *file)
{
    if (memory->quantize.mode)
        return pack_quantized(memory, converter, first, n, file);
    struct motion m = { .memory = memory, .converter = converter, .fill = fill, .to = file };
    return move(&m, first, n);
}

bool pcdf_memory_unpack(const struct pcdf_memory *memory, const struct pcdf_converter *converter,
                        int64_t first, int64_t n, const unsigned char *file)
{
    struct motion m = { .memory = memory, .converter = converter, .from = file };
    return move(&m, first, n);
}
