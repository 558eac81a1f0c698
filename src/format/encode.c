/* The grammar of SPEC, walked once to count the bytes and once to write them: so both agree. */
#include "encode.h"
#include "bytes.h"

/* So that counting is compiled for itself: few additions a field. */
#define INLINE static inline __attribute__((always_inline))

struct writer {
    unsigned char *bytes; /* NULL: they are only counted */
    int64_t at;
    size_t count; /* bytes of a NON_NEG */
};

INLINE void put(struct writer *w, uint64_t x, size_t size)
{
    if (w->bytes)
        pcdf_bytes_put(w->bytes + w->at, x, size);
    w->at += (int64_t)size;
}

/* SPEC: a number of elements, then their bytes, padded with zeros to a multiple of 4. */
INLINE void put_counted(struct writer *w, int64_t n, const void *from, int64_t nbytes)
{
    put(w, (uint64_t)n, w->count);
    int64_t padded = pcdf_layout_padded(nbytes);
    if (w->bytes && padded > 0) {
        memset(w->bytes + w->at + padded - 4, 0, 4); /* where the padding is */
        memcpy(w->bytes + w->at, from, (size_t)nbytes);
    }
    w->at += padded;
}

INLINE void put_atts(struct writer *w, const struct pcdf_atts *atts)
{
    put(w, atts->n > 0 ? PCDF_TAG_ATTRIBUTE : 0, 4); /* SPEC: ABSENT has a tag of zero */
    put(w, (uint64_t)atts->n, w->count);
    for (int i = 0; i < atts->n; i++) {
        const struct pcdf_att *att = &atts->x[i];
        put_counted(w, att->name_length, att->name, att->name_length);
        put(w, (uint64_t)att->type, 4);
        put_counted(w, att->nelems, att->values, att->nelems * pcdf_type_size(att->type));
    }
}

/* bytes: NULL to count. No sum can overflow: each byte stands in memory, in a name or an attribute. */
INLINE int64_t put_header(const struct pcdf_meta *meta, const struct pcdf_layout *layout,
                          unsigned char *bytes)
{
    const size_t begin = meta->version == PCDF_CDF1 ? 4 : 8; /* SPEC: OFFSET */
    struct writer w = { .bytes = bytes, .count = meta->version == PCDF_CDF5 ? 8 : 4 };

    put(&w, (uint64_t)('C' << 24 | 'D' << 16 | 'F' << 8 | (int)meta->version), 4);
    put(&w, (uint64_t)meta->numrecs, w.count);
    put(&w, meta->ndims > 0 ? PCDF_TAG_DIMENSION : 0, 4);
    put(&w, (uint64_t)meta->ndims, w.count);
    for (int i = 0; i < meta->ndims; i++) {
        const struct pcdf_dim *dim = &meta->dims[i];
        put_counted(&w, dim->name_length, dim->name, dim->name_length);
        put(&w, (uint64_t)dim->length, w.count);
    }
    put_atts(&w, &meta->gatts);
    put(&w, meta->nvars > 0 ? PCDF_TAG_VARIABLE : 0, 4);
    put(&w, (uint64_t)meta->nvars, w.count);
    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        put_counted(&w, var->name_length, var->name, var->name_length);
        put(&w, (uint64_t)var->ndims, w.count);
        for (int d = 0; d < var->ndims; d++)
            put(&w, (uint64_t)var->dimids[d], w.count);
        put_atts(&w, &var->atts);
        put(&w, (uint64_t)var->type, 4);
        put(&w, (uint64_t)pcdf_encode_vsize(meta, var), w.count);
        put(&w, bytes ? (uint64_t)layout->begin[i] : 0, begin);
    }
    return w.at;
}

int64_t pcdf_encode_size(const struct pcdf_meta *meta)
{
    return put_header(meta, NULL, NULL);
}

void pcdf_encode(const struct pcdf_meta *meta, const struct pcdf_layout *layout, unsigned char *bytes)
{
    put_header(meta, layout, bytes);
}

int pcdf_encode_numrecs(enum pcdf_version version, int64_t numrecs, unsigned char bytes[8])
{
    const int size = version == PCDF_CDF5 ? 8 : 4;
    pcdf_bytes_put(bytes, (uint64_t)numrecs, (size_t)size);
    return size;
}

int64_t pcdf_encode_vsize(const struct pcdf_meta *meta, const struct pcdf_var *var)
{
    int64_t padded = pcdf_layout_padded(var->nbytes);
    if (meta->version != PCDF_CDF5 && padded > (int64_t)UINT32_MAX - 3)
        return UINT32_MAX;
    return padded;
}
