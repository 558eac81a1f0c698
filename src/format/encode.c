/* The grammar of SPEC. The number of bytes is computed apart from them: enddef asks for it several times. */
#include "encode.h"
#include "bytes.h"

#include <assert.h>
#include <string.h>

/* Bytes of a NON_NEG. */
static int size_of_count(enum pcdf_version version)
{
    return version == PCDF_CDF5 ? 8 : 4;
}
static int64_t size_of_name(enum pcdf_version version, int length)
{
    return size_of_count(version) + (((int64_t)length + 3) & ~(int64_t)3);
}

static int64_t size_of_atts(enum pcdf_version version, const struct pcdf_atts *atts)
{
    int64_t size = 4 + size_of_count(version);
    for (int i = 0; i < atts->n; i++)
        size += size_of_name(version, atts->x[i].name_length) + 4 + size_of_count(version) +
                pcdf_att_padded(atts->x[i].type, atts->x[i].nelems);
    return size;
}

/* No sum here can overflow: every byte counted stands in memory, in a name or an attribute. */
int64_t pcdf_encode_size(const struct pcdf_meta *meta)
{
    enum pcdf_version version = meta->version;
    int count = size_of_count(version);
    int64_t begin = version == PCDF_CDF1 ? 4 : 8; /* SPEC: OFFSET */
    int64_t size = 4 + count + 2 * (4 + count) + size_of_atts(version, &meta->gatts);

    for (int i = 0; i < meta->ndims; i++)
        size += size_of_name(version, meta->dims[i].name_length) + count;
    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        size += size_of_name(version, var->name_length) + count + (int64_t)var->ndims * count;
        size += size_of_atts(version, &var->atts) + 4 + count + begin;
    }
    return size;
}

int pcdf_encode_numrecs(enum pcdf_version version, int64_t numrecs, unsigned char bytes[8])
{
    if (version == PCDF_CDF5)
        pcdf_bytes_put64(bytes, (uint64_t)numrecs);
    else
        pcdf_bytes_put32(bytes, (uint32_t)numrecs);
    return size_of_count(version);
}

int64_t pcdf_encode_vsize(const struct pcdf_meta *meta, const struct pcdf_var *var)
{
    int64_t padded = pcdf_layout_padded(var->nbytes);
    if (meta->version != PCDF_CDF5 && padded > (int64_t)UINT32_MAX - 3)
        return UINT32_MAX;
    return padded;
}

static void put_count(struct pcdf_writer *w, enum pcdf_version version, int64_t x)
{
    if (version == PCDF_CDF5)
        pcdf_writer_u64(w, (uint64_t)x);
    else
        pcdf_writer_u32(w, (uint32_t)x);
}

/* SPEC: ABSENT has a tag of zero. */
static void put_list(struct pcdf_writer *w, enum pcdf_version version, uint32_t tag, int n)
{
    pcdf_writer_u32(w, n > 0 ? tag : 0);
    put_count(w, version, n);
}

static void put_name(struct pcdf_writer *w, enum pcdf_version version, const char *name, int length)
{
    put_count(w, version, length);
    pcdf_writer_padded(w, name, (size_t)length);
}

static void put_atts(struct pcdf_writer *w, enum pcdf_version version, const struct pcdf_atts *atts)
{
    put_list(w, version, PCDF_TAG_ATTRIBUTE, atts->n);
    for (int i = 0; i < atts->n; i++) {
        const struct pcdf_att *att = &atts->x[i];
        put_name(w, version, att->name, att->name_length);
        pcdf_writer_u32(w, (uint32_t)att->type);
        put_count(w, version, att->nelems);
        pcdf_writer_padded(w, att->values, (size_t)pcdf_att_padded(att->type, att->nelems));
    }
}

static void put_var(struct pcdf_writer *w, const struct pcdf_meta *meta, const struct pcdf_var *var,
                    int64_t begin)
{
    put_name(w, meta->version, var->name, var->name_length);
    put_count(w, meta->version, var->ndims);
    for (int i = 0; i < var->ndims; i++)
        put_count(w, meta->version, var->dimids[i]);
    put_atts(w, meta->version, &var->atts);
    pcdf_writer_u32(w, (uint32_t)var->type);
    put_count(w, meta->version, pcdf_encode_vsize(meta, var));
    if (meta->version == PCDF_CDF1)
        pcdf_writer_u32(w, (uint32_t)begin);
    else
        pcdf_writer_u64(w, (uint64_t)begin);
}

void pcdf_encode(const struct pcdf_meta *meta, const struct pcdf_layout *layout, unsigned char *bytes)
{
    struct pcdf_writer w = { .bytes = bytes, .n = (size_t)pcdf_encode_size(meta) };

    pcdf_writer_padded(&w, (const char[4]){ 'C', 'D', 'F', (char)meta->version }, 4);
    put_count(&w, meta->version, meta->numrecs);
    put_list(&w, meta->version, PCDF_TAG_DIMENSION, meta->ndims);
    for (int i = 0; i < meta->ndims; i++) {
        put_name(&w, meta->version, meta->dims[i].name, meta->dims[i].name_length);
        put_count(&w, meta->version, meta->dims[i].length);
    }
    put_atts(&w, meta->version, &meta->gatts);
    put_list(&w, meta->version, PCDF_TAG_VARIABLE, meta->nvars);
    for (int i = 0; i < meta->nvars; i++)
        put_var(&w, meta, &meta->vars[i], layout->begin[i]);
    assert(!w.full && w.at == w.n);
}
