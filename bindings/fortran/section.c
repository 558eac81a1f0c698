/* See section.h. */
#include <limits.h>
#include <stdlib.h>
#include <pnetcdf.h>
#include "section.h"

/* Fortran's kinds by their sizes; its descriptor has one code for each kind. */
static MPI_Datatype element_type(CFI_type_t type)
{
    switch (type) {
    case CFI_type_char:
        return MPI_CHAR;
    case CFI_type_int8_t:
        return MPI_SIGNED_CHAR;
    case CFI_type_int16_t:
        return MPI_SHORT;
    case CFI_type_int32_t:
        return MPI_INT;
    case CFI_type_int64_t:
        return MPI_LONG_LONG_INT;
    case CFI_type_float:
        return MPI_FLOAT;
    case CFI_type_double:
        return MPI_DOUBLE;
    default:
        return MPI_DATATYPE_NULL;
    }
}

static void add_dimension(struct pcdf_section *s, int64_t extent, int64_t step, int64_t *dense)
{
    s->extent[s->ndims] = extent;
    s->step[s->ndims++] = step;
    if (extent != 1 && step != *dense)
        s->dense = false;
    *dense *= extent;
    if (extent < 0) /* an assumed-size array has no last extent, and no gaps */
        s->n = -1;
    else if (s->n >= 0)
        s->n *= extent;
}

struct pcdf_section pcdf_section_of(const CFI_cdesc_t *values)
{
    struct pcdf_section s = { .base = values->base_addr,
                              .type = element_type(values->type),
                              .size = values->elem_len,
                              .n = 1,
                              .dense = true };
    int64_t dense = (int64_t)values->elem_len;
    s.is_text = s.type == MPI_CHAR;
    if (s.is_text) {
        s.size = 1;
        dense = 1;
        add_dimension(&s, (int64_t)values->elem_len, 1, &dense);
    }
    for (int i = 0; i < values->rank; i++)
        add_dimension(&s, values->dim[i].extent, values->dim[i].sm, &dense);
    if (s.n == 0)
        s.dense = true;
    return s;
}

char *pcdf_section_at(const struct pcdf_section *s, int64_t i)
{
    int64_t at = 0;
    if (s->dense)
        return s->base + i * (int64_t)s->size;
    for (int d = 0; d < s->ndims; d++) {
        at += i % s->extent[d] * s->step[d];
        i /= s->extent[d];
    }
    return s->base + at;
}

/* `count` of a type, `step` bytes apart. */
static int repeat(int64_t count, int64_t step, MPI_Datatype type, MPI_Datatype *made)
{
    if (count > INT_MAX)
        return NC_EINTOVERFLOW;
    return MPI_Type_create_hvector((int)count, 1, (MPI_Aint)step, type, made) ? NC_EMPI : NC_NOERR;
}

/* The parts of a datatype while it is made: whole blocks of each dimension, and what is taken of them. */
struct parts {
    MPI_Datatype whole[CFI_MAX_RANK + 2], part[CFI_MAX_RANK + 1];
    MPI_Aint at[CFI_MAX_RANK + 1];
    int lengths[CFI_MAX_RANK + 1], wholes, n;
};

/* n elements are some whole blocks of the last dimension, some of the one before in the next block, and so
 * on. */
static int cut(const struct pcdf_section *s, int64_t n, struct parts *p)
{
    int64_t inside[CFI_MAX_RANK + 1], all = 1, offset = 0;
    p->whole[0] = s->type;
    for (int d = 0; d < s->ndims; d++) {
        inside[d] = all;
        all *= s->extent[d];
    }
    for (int d = 0; d + 1 < s->ndims; d++, p->wholes++) {
        int err = repeat(s->extent[d], s->step[d], p->whole[d], &p->whole[d + 1]);
        if (err)
            return err;
    }
    for (int d = s->ndims - 1; d >= 0 && n > 0; d--) {
        int64_t blocks = n / inside[d];
        if (blocks == 0)
            continue;
        int err = repeat(blocks, s->step[d], p->whole[d], &p->part[p->n]);
        if (err)
            return err;
        p->lengths[p->n] = 1;
        p->at[p->n++] = (MPI_Aint)offset;
        offset += blocks * s->step[d];
        n -= blocks * inside[d];
    }
    return NC_NOERR;
}

static int commit(MPI_Datatype *type, int err)
{
    return err ? NC_EMPI : MPI_Type_commit(type) ? NC_EMPI : NC_NOERR;
}

int pcdf_section_first(const struct pcdf_section *s, int64_t n, MPI_Datatype *type)
{
    struct parts p = { .n = 0 };
    int err = cut(s, n, &p);
    if (!err)
        err = commit(type, MPI_Type_create_struct(p.n, p.lengths, p.at, p.part, type));
    for (int i = 0; i < p.n; i++)
        MPI_Type_free(&p.part[i]);
    for (int i = 1; i <= p.wholes; i++)
        MPI_Type_free(&p.whole[i]);
    return err;
}

bool pcdf_section_holds(const struct pcdf_section *s, int ndims, const MPI_Offset *count,
                        const MPI_Offset *imap)
{
    int64_t low = 0, high = 0;
    for (int i = 0; i < ndims; i++) {
        int64_t reach;
        if (__builtin_mul_overflow((int64_t)imap[i], (int64_t)count[i] - 1, &reach) ||
            __builtin_add_overflow(reach < 0 ? low : high, reach, reach < 0 ? &low : &high))
            return false;
    }
    return low >= 0 && (s->n < 0 || high < s->n);
}

int pcdf_section_mapped(const struct pcdf_section *s, int64_t n, int ndims, const MPI_Offset *count,
                        const MPI_Offset *imap, MPI_Datatype *type)
{
    if (n > INT_MAX)
        return NC_EINTOVERFLOW;
    MPI_Aint *at = malloc((size_t)n * sizeof *at);
    if (!at)
        return NC_ENOMEM;
    for (int64_t i = 0; i < n; i++) {
        int64_t rest = i, element = 0;
        for (int d = ndims - 1; d >= 0; d--) {
            element += rest % count[d] * imap[d];
            rest /= count[d];
        }
        at[i] = pcdf_section_at(s, element) - s->base;
    }
    int err = commit(type, MPI_Type_create_hindexed_block((int)n, 1, at, s->type, type));
    free(at);
    return err;
}
