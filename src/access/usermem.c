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
            return PCDF_FAIL(NC_EINVAL, "dimension %d: imap %lld for %lld elements goes beyond any memory", i,
                             (long long)imap[i], (long long)count[i]);
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
            runs[n++] = (struct pcdf_run){ count[i], imap[i] };
        }
    }
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
                         (long long)low, (long long)high, (long long)nelems);
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
    PCDF_TRY(pcdf_memtree_loop(&type->tree, &type->root, bufcount, type->extent, &type->root));
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
    struct pcdf_memrun run = pcdf_memtree_run(&type->tree, &type->root, index);
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

bool pcdf_memory_pack(const struct pcdf_memory *memory, const struct pcdf_kernels *kernels,
                      const unsigned char *fill, int64_t first, int64_t n, unsigned char *file)
{
    bool out_of_range = false;
    for (int64_t now; n > 0; first += now, n -= now, file += (size_t)now * memory->file_size) {
        char *at;
        ptrdiff_t step;
        now = stretch(memory, first, n, &at, &step);
        out_of_range |= kernels->put(file, at, step, (size_t)now, fill);
    }
    return out_of_range;
}

bool pcdf_memory_unpack(const struct pcdf_memory *memory, const struct pcdf_kernels *kernels, int64_t first,
                        int64_t n, const unsigned char *file)
{
    bool out_of_range = false;
    for (int64_t now; n > 0; first += now, n -= now, file += (size_t)now * memory->file_size) {
        char *at;
        ptrdiff_t step;
        now = stretch(memory, first, n, &at, &step);
        out_of_range |= kernels->get(at, step, file, (size_t)now);
    }
    return out_of_range;
}
