/* See usermem.h. */
#include "usermem.h"
#include "alloc.h"
#include "status.h"

static bool is_empty(int ndims, const MPI_Offset *count)
{
    for (int i = 0; i < ndims; i++)
        if (count[i] == 0)
            return true;
    return false;
}

/* An imap that says what dense memory says anyway, as most do. */
static bool imap_is_dense(int ndims, const MPI_Offset *count, const MPI_Offset *imap)
{
    int64_t dense = 1;
    for (int i = ndims - 1; i >= 0; i--) {
        if (count[i] > 1 && imap[i] != dense)
            return false;
        dense *= count[i];
    }
    return true;
}

/* No memory is larger than 63 bits tell; what fits needs no more checks. */
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

int pcdf_memory_describe(struct pcdf_memory *memory, void *buf, enum pcdf_mtype mtype, nc_type xtype,
                         int ndims, const MPI_Offset *count, const MPI_Offset *imap)
{
    *memory = (struct pcdf_memory){ .base = buf,
                                    .size = pcdf_mtype_size(mtype),
                                    .file_size = (size_t)pcdf_type_size(xtype) };
    if (!imap || ndims == 0 || is_empty(ndims, count) || imap_is_dense(ndims, count, imap))
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

/* What fits between the elements of the request and bufcount items of the type, and can be converted. */
static int check_items(const struct pcdf_memtype *type, MPI_Offset bufcount, int64_t nelems)
{
    int64_t n;
    if (__builtin_mul_overflow((int64_t)bufcount, type->root.n, &n) || bufcount < 0 || n != nelems)
        return PCDF_FAIL(NC_EIOMISMATCH,
                         "%lld items of a datatype of %lld elements for %lld elements in the file",
                         (long long)bufcount, (long long)type->root.n, (long long)nelems);
    if (type->name && type->mtype == PCDF_M_TYPES)
        return PCDF_FAIL(NC_EBADTYPE, "%s cannot be converted", type->name);
    return NC_NOERR;
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

/* The memory takes over the datatype, which is not dense. */
static int describe_type(struct pcdf_memory *memory, const struct pcdf_memtype *type, int64_t nelems,
                         int ndims, const MPI_Offset *count, const MPI_Offset *imap)
{
    const MPI_Offset all = nelems, one = 1;
    if (!memory->runs) /* not even spread by the imap */
        PCDF_TRY(spread(memory, 1, &all, &one));
    else
        PCDF_TRY(check_inside(nelems, ndims, count, imap));
    memory->type = pcdf_malloc(sizeof *type);
    if (!memory->type)
        return PCDF_FAIL(NC_ENOMEM, "no memory to describe a buffer of an MPI datatype");
    *memory->type = *type;
    return NC_NOERR;
}

static bool is_dense(const struct pcdf_memtype *type)
{
    return type->root.kind == PCDF_MEM_RUN && (type->root.n <= 1 || type->root.step == type->size);
}

/* A datatype that was decoded; bufcount items of it become one. */
static int describe_items(struct pcdf_memory *memory, struct pcdf_memtype *type, void *buf,
                          MPI_Offset bufcount, nc_type xtype, int64_t nelems, int ndims,
                          const MPI_Offset *count, const MPI_Offset *imap)
{
    PCDF_TRY(check_items(type, bufcount, nelems));
    PCDF_TRY(pcdf_typemap_loop(&type->tree, &type->root, bufcount, type->extent, &type->root));
    if (!type->name)
        type->mtype = pcdf_mtype_of(xtype);
    bool dense = is_dense(type);
    char *base = dense ? address(buf, type->root.at) : buf;
    PCDF_TRY(pcdf_memory_describe(memory, base, type->mtype, xtype, ndims, count, imap));
    int err = dense ? NC_NOERR : describe_type(memory, type, nelems, ndims, count, imap);
    if (err)
        pcdf_memory_free(memory);
    return err;
}

int pcdf_memory_describe_flexible(struct pcdf_memory *memory, enum pcdf_mtype *mtype, void *buf,
                                  MPI_Offset bufcount, MPI_Datatype buftype, nc_type xtype, int64_t nelems,
                                  int ndims, const MPI_Offset *count, const MPI_Offset *imap)
{
    if (buftype == MPI_DATATYPE_NULL) {
        *mtype = pcdf_mtype_of(xtype);
        return pcdf_memory_describe(memory, buf, *mtype, xtype, ndims, count, imap);
    }
    if (bufcount == PCDF_COUNT_IGNORE) {
        *mtype = pcdf_memtype_predefined(buftype);
        if (*mtype == PCDF_M_TYPES)
            return PCDF_FAIL(NC_EINVAL, "bufcount NC_COUNT_IGNORE needs a predefined type of put and get");
        return pcdf_memory_describe(memory, buf, *mtype, xtype, ndims, count, imap);
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

/* Where an element lies, counted in elements from the base. */
static int64_t element_at(const struct pcdf_memory *memory, int64_t index)
{
    int64_t at = 0;
    for (int i = memory->ndims - 1; i >= 0; i--) {
        at += index % memory->runs[i].count * memory->runs[i].step;
        index /= memory->runs[i].count;
    }
    return at;
}

/* ---- Moving ---- */

/* The stretch from element `index` of the datatype on, of at most n elements that are `*step` apart: on
 * return the step in memory, counted in elements there. */
static int64_t type_stretch(const struct pcdf_memory *memory, int64_t index, int64_t n, char **at,
                            ptrdiff_t *step)
{
    const struct pcdf_memtype *type = memory->type;
    struct pcdf_memrun run = pcdf_typemap_run(&type->tree, &type->root, index);
    int64_t by = *step, room = n;
    *at = address(memory->base, run.at);
    if (by > 0) /* never negative: that would lead out of the buffer */
        room = (run.left - 1) / by + 1;
    *step = 1;
    if (room <= 1 || by * run.step % type->size != 0) /* or a step that no kernel can take */
        return 1;
    *step = (ptrdiff_t)(by * run.step / type->size);
    return room < n ? room : n;
}

/* The longest stretch from element `first` on whose elements are one step apart. */
static int64_t stretch(const struct pcdf_memory *memory, int64_t first, int64_t n, char **at, ptrdiff_t *step)
{
    if (memory->ndims == 0) {
        *at = memory->base + first * (int64_t)memory->size;
        *step = 1;
        return n;
    }
    const struct pcdf_run *inner = &memory->runs[memory->ndims - 1];
    int64_t left = inner->count - first % inner->count, element = element_at(memory, first);
    *step = (ptrdiff_t)inner->step;
    if (left > n)
        left = n;
    if (memory->type)
        return type_stretch(memory, element, left, at, step);
    *at = memory->base + element * (int64_t)memory->size;
    return left;
}

char *pcdf_memory_dense(const struct pcdf_memory *memory, int64_t first, int64_t n, bool *dense)
{
    char *at = memory->base;
    ptrdiff_t step = 1;
    *dense = n == 0 || (stretch(memory, first, n, &at, &step) >= n && (step == 1 || n == 1));
    return *dense ? at : NULL;
}

/* A pack or an unpack on its way: one of the two ends of the file bytes is set. */
struct motion {
    const struct pcdf_memory *memory;
    const struct pcdf_kernels *kernels;
    const unsigned char *fill, *from;
    unsigned char *to;
    bool out_of_range;
};

/* n elements, `step` elements apart. */
static inline void move_row(struct motion *m, char *at, ptrdiff_t step, int64_t n)
{
    const size_t nbytes = (size_t)n * m->memory->file_size;
    if (m->to) {
        m->out_of_range |= m->kernels->put(m->to, at, step, (size_t)n, m->fill);
        m->to += nbytes;
    } else {
        m->out_of_range |= m->kernels->get(at, step, m->from, (size_t)n);
        m->from += nbytes;
    }
}

/* As many rows of that. */
static void move_rows(struct motion *m, char *at, ptrdiff_t step, int64_t n, int64_t row_step, int64_t rows)
{
    const size_t nbytes = (size_t)n * m->memory->file_size;
    bool out_of_range = false;
    if (m->to)
        for (; rows > 0; rows--, at = address(at, row_step), m->to += nbytes)
            out_of_range |= m->kernels->put(m->to, at, step, (size_t)n, m->fill);
    else
        for (; rows > 0; rows--, at = address(at, row_step), m->from += nbytes)
            out_of_range |= m->kernels->get(at, step, m->from, (size_t)n);
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
    else /* no kernel can take that step */
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
        move_row(m, at, by, n);
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

/* Elements of the datatype from element `at` on, `step` of them apart. */
static void move_of_type(struct motion *m, int64_t at, int64_t step, int64_t n)
{
    const struct pcdf_memtype *type = m->memory->type;
    if (step == 1) {
        pcdf_typemap_visit(&type->tree, &type->root, at, n, move_elements, m);
        return;
    }
    for (int64_t now; n > 0; n -= now, at += now * step) {
        char *p;
        ptrdiff_t type_step = (ptrdiff_t)step;
        now = type_stretch(m->memory, at, n, &p, &type_step);
        move_row(m, p, type_step, now);
    }
}

/* Elements [first, first + n) of dimension `dim` and those within, which begin at element `at`. */
static void move_runs(struct motion *m, int dim, int64_t at, int64_t first, int64_t n)
{
    const struct pcdf_run *run = &m->memory->runs[dim];
    const int64_t size = (int64_t)m->memory->size, inner = m->memory->ndims - 1 - dim;
    if (m->memory->type ? inner == 0 : inner <= 1) {
        if (m->memory->type)
            move_of_type(m, at + first * run->step, run->step, n);
        else
            move_elements(m,
                          &(struct pcdf_memrows){ at * size, run[inner].step * size, run[inner].count,
                                                  run->step * size },
                          first, n);
        return;
    }
    if (first >= run->each) {
        at += first / run->each * run->step;
        first %= run->each;
    }
    for (int64_t now; n > 0; n -= now, at += run->step, first = 0) {
        now = run->each - first < n ? run->each - first : n;
        move_runs(m, dim + 1, at, first, now);
    }
}

static bool move(struct motion *m, int64_t first, int64_t n)
{
    if (m->memory->ndims > 0)
        move_runs(m, 0, 0, first, n);
    else
        move_row(m, m->memory->base + first * (int64_t)m->memory->size, 1, n);
    return m->out_of_range;
}

bool pcdf_memory_pack(const struct pcdf_memory *memory, const struct pcdf_kernels *kernels,
                      const unsigned char *fill, int64_t first, int64_t n, unsigned char *file)
{
    struct motion m = { .memory = memory, .kernels = kernels, .fill = fill, .to = file };
    return move(&m, first, n);
}

bool pcdf_memory_unpack(const struct pcdf_memory *memory, const struct pcdf_kernels *kernels, int64_t first,
                        int64_t n, const unsigned char *file)
{
    struct motion m = { .memory = memory, .kernels = kernels, .from = file };
    return move(&m, first, n);
}
