/* Filter 32015 (Zstandard) for libhdf5, which finds it by HDF5_PLUGIN_PATH: with it other programs read files
 * that are compressed with zstd, and judge ours. It shares no code with our own codec. Not linked with
 * libhdf5: each process has its own. */
#include <H5PLextern.h>
#include <stdlib.h>
#include <zstd.h>

static size_t decompress(const void *from, size_t n, void **to)
{
    unsigned long long size = ZSTD_getFrameContentSize(from, n);
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || !(*to = malloc(size + 1)))
        return 0;
    return ZSTD_decompress(*to, size, from, n);
}

static size_t compress(int level, const void *from, size_t n, void **to)
{
    size_t room = ZSTD_compressBound(n);
    return (*to = malloc(room)) ? ZSTD_compress(*to, room, from, n, level) : 0;
}

/* 0: it failed. */
static size_t run_filter(unsigned flags, size_t nvalues, const unsigned *values, size_t n, size_t *room,
                         void **buf)
{
    void *to = NULL;
    int level = nvalues ? (int)values[0] : ZSTD_CLEVEL_DEFAULT;
    size_t got = flags & H5Z_FLAG_REVERSE ? decompress(*buf, n, &to) : compress(level, *buf, n, &to);
    if (!got || ZSTD_isError(got)) {
        free(to);
        return 0;
    }
    free(*buf);
    *buf = to;
    *room = got;
    return got;
}

H5PL_type_t H5PLget_plugin_type(void)
{
    return H5PL_TYPE_FILTER;
}

const void *H5PLget_plugin_info(void)
{
    static const H5Z_class2_t zstd = {
        .version = H5Z_CLASS_T_VERS,
        .id = 32015,
        .encoder_present = 1,
        .decoder_present = 1,
        .name = "Zstandard, for tests",
        .filter = run_filter,
    };
    return &zstd;
}
