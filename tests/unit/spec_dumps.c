/* Every byte dump of the format's specification comes out of encode, and goes back in through decode as the
 * same definitions: empty, tiny, dimension only, scalar; CDF-1, CDF-2, CDF-5. */
#include "equalmeta.h"
#include "alloc.h"
#include "check.h"
#include "decode.h"
#include "encode.h"

#include <stdlib.h>

enum shape { EMPTY, TINY, DIM_ONLY, SCALAR };

static const struct dump {
    const char *name;
    enum pcdf_version version;
    enum shape shape;
    size_t size, header;
    const char *bytes;
} dumps[] = {
    { "empty_CDF-1", PCDF_CDF1, EMPTY, 32, 32,
      "CDF\1\0\0\0\0\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" },
    { "empty_CDF-2", PCDF_CDF2, EMPTY, 32, 32,
      "CDF\2\0\0\0\0\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" },
    { "empty_CDF-5", PCDF_CDF5, EMPTY, 48, 48,
      "CDF\5\0\0\0\0\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" },
    { "tiny_CDF-1", PCDF_CDF1, TINY, 92, 80,
      "CDF\1\0\0\0\0\0\0\0\n\0\0\0\1"
      "\0\0\0\3dim\0\0\0\0\5\0\0\0\0"
      "\0\0\0\0\0\0\0\v\0\0\0\1\0\0\0\2"
      "vx\0\0\0\0\0\1\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\3\0\0\0\f\0\0\0P"
      "\0\3\0\1\0\4\0\1\0\5\200\1" },
    { "tiny_CDF-2", PCDF_CDF2, TINY, 96, 84,
      "CDF\2\0\0\0\0\0\0\0\n\0\0\0\1"
      "\0\0\0\3dim\0\0\0\0\5\0\0\0\0"
      "\0\0\0\0\0\0\0\v\0\0\0\1\0\0\0\2"
      "vx\0\0\0\0\0\1\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\3\0\0\0\f\0\0\0\0"
      "\0\0\0T\0\3\0\1\0\4\0\1\0\5\200\1" },
    { "tiny_CDF-5", PCDF_CDF5, TINY, 140, 128,
      "CDF\5\0\0\0\0\0\0\0\0\0\0\0\n"
      "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\3"
      "dim\0\0\0\0\0\0\0\0\5\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\v\0\0\0\0"
      "\0\0\0\1\0\0\0\0\0\0\0\2vx\0\0"
      "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3"
      "\0\0\0\0\0\0\0\f\0\0\0\0\0\0\0\200"
      "\0\3\0\1\0\4\0\1\0\5\200\1" },
    { "dim_only_CDF-1", PCDF_CDF1, DIM_ONLY, 44, 44,
      "CDF\1\0\0\0\0\0\0\0\n\0\0\0\1"
      "\0\0\0\3dim\0\0\0\0\5\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\0" },
    { "dim_only_CDF-2", PCDF_CDF2, DIM_ONLY, 44, 44,
      "CDF\2\0\0\0\0\0\0\0\n\0\0\0\1"
      "\0\0\0\3dim\0\0\0\0\5\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\0" },
    { "dim_only_CDF-5", PCDF_CDF5, DIM_ONLY, 68, 68,
      "CDF\5\0\0\0\0\0\0\0\0\0\0\0\n"
      "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\3"
      "dim\0\0\0\0\0\0\0\0\5\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
      "\0\0\0\0" },
    { "scalar_var_only_CDF-1", PCDF_CDF1, SCALAR, 68, 64,
      "CDF\1\0\0\0\0\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\v\0\0\0\1"
      "\0\0\0\2vx\0\0\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\3\0\0\0\4\0\0\0@"
      "\0\5\200\1" },
    { "scalar_var_only_CDF-2", PCDF_CDF2, SCALAR, 72, 68,
      "CDF\2\0\0\0\0\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\v\0\0\0\1"
      "\0\0\0\2vx\0\0\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\3\0\0\0\4\0\0\0\0"
      "\0\0\0D\0\5\200\1" },
    { "scalar_var_only_CDF-5", PCDF_CDF5, SCALAR, 104, 100,
      "CDF\5\0\0\0\0\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\v\0\0\0\0\0\0\0\1"
      "\0\0\0\0\0\0\0\2vx\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
      "\0\0\0\3\0\0\0\0\0\0\0\4\0\0\0\0"
      "\0\0\0d\0\5\200\1" },
};

/* The CDL beside the dumps, as calls. */
static void define(struct pcdf_meta *meta, const struct dump *dump)
{
    pcdf_meta_init(meta, dump->version);
    if (dump->shape == TINY || dump->shape == DIM_ONLY)
        CHECK_INT(pcdf_meta_add_dim(meta, "dim", 5, NULL), NC_NOERR);
    if (dump->shape == TINY)
        CHECK_INT(pcdf_meta_add_var(meta, "vx", NC_SHORT, 1, (const int[]){ 0 }, NULL), NC_NOERR);
    if (dump->shape == SCALAR)
        CHECK_INT(pcdf_meta_add_var(meta, "vx", NC_SHORT, 0, NULL, NULL), NC_NOERR);
}

/* The data section of the dumps: the values, then the fill value in the padding. */
static size_t put_data(const struct pcdf_meta *meta, unsigned char *at)
{
    static const unsigned char five[] = { 0, 3, 0, 1, 0, 4, 0, 1, 0, 5 };
    if (meta->nvars == 0)
        return 0;
    size_t n = (size_t)meta->vars[0].nbytes;
    memcpy(at, five + sizeof five - n, n);
    memcpy(at + n, pcdf_type_fill(NC_SHORT), 2);
    return n + 2;
}

static void check_encode(const struct dump *dump, const struct pcdf_meta *meta)
{
    unsigned char bytes[256];
    struct pcdf_layout layout;
    int64_t *begin = pcdf_malloc(sizeof *begin);

    *begin = pcdf_encode_size(meta); /* the dumps have their data right behind the header */
    CHECK_INT(*begin, dump->header);
    pcdf_layout_from_begins(&layout, meta, begin, *begin);
    memset(bytes, 0xA5, sizeof bytes);
    pcdf_encode(meta, &layout, bytes);
    size_t size = (size_t)layout.header_size + put_data(meta, bytes + layout.header_size);
    CHECK_INT(size, dump->size);
    for (size_t i = 0; i < dump->size; i++)
        CHECK(bytes[i] == (unsigned char)dump->bytes[i], "%s: byte %zu is %02X, not %02X", dump->name, i,
              bytes[i], (unsigned char)dump->bytes[i]);
    pcdf_layout_free(&layout);
}

static void check_decode(const struct dump *dump, const struct pcdf_meta *want)
{
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    struct pcdf_fault fault;
    int64_t need;

    int err = pcdf_decode(NULL, (const unsigned char *)dump->bytes, dump->size, (int64_t)dump->size, &need,
                          &meta, &layout, &fault);
    CHECK(err == NC_NOERR && need == 0, "%s: %d, need %" PRId64 ", %s", dump->name, err, need, fault.text);
    if (err || need)
        return;
    CHECK(equal_meta(&meta, want), "%s: not the same definitions", dump->name);
    CHECK_INT(layout.header_size, dump->header);
    CHECK_INT(layout.header_extent, dump->header);
    CHECK_INT(layout.nvars, want->nvars);
    if (want->nvars > 0)
        CHECK_INT(layout.begin[0], dump->header);
    pcdf_meta_free(&meta);
    pcdf_layout_free(&layout);
}

int main(void)
{
    for (size_t i = 0; i < sizeof dumps / sizeof dumps[0]; i++) {
        struct pcdf_meta meta;
        define(&meta, &dumps[i]);
        check_encode(&dumps[i], &meta);
        check_decode(&dumps[i], &meta);
        pcdf_meta_free(&meta);
    }
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("spec_dumps");
}
