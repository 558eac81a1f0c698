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

int pcdf_memory_describe(struct pcdf_memory *memory, void *buf, enum pcdf_mtype mtype, nc_type xtype,
                         int ndims, const MPI_Offset *count, const MPI_Offset *imap)
{
    *memory = (struct pcdf_memory){ .base = buf,
                                    .size = pcdf_mtype_size(mtype),
                                    .file_size = (size_t)pcdf_type_size(xtype) };
    if (!imap || ndims == 0 || is_empty(ndims, count) || imap_is_dense(ndims, count, imap))
        return NC_NOERR;
    PCDF_TRY(check_reach(memory->size, ndims, count, imap));
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

void pcdf_memory_free(struct pcdf_memory *memory)
{
    pcdf_free(memory->runs);
    memory->runs = NULL;
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

/* The longest stretch from element `first` on whose elements are one step apart. */
static int64_t stretch(const struct pcdf_memory *memory, int64_t first, int64_t n, char **at, ptrdiff_t *step)
{
    if (memory->ndims == 0) {
        *at = memory->base + first * (int64_t)memory->size;
        *step = 1;
        return n;
    }
    const struct pcdf_run *inner = &memory->runs[memory->ndims - 1];
    int64_t left = inner->count - first % inner->count;
    *at = memory->base + element_at(memory, first) * (int64_t)memory->size;
    *step = (ptrdiff_t)inner->step;
    return left < n ? left : n;
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
