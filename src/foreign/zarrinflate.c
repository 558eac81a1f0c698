/* See zarrarray.h. */
#include "zarrarray.h"

#include <zlib.h>

bool pcdf_zarr_inflate(const unsigned char *packed, size_t n, unsigned char *bytes, size_t size)
{
    enum { ZLIB_OR_GZIP = 15 + 32 };
    z_stream z = { 0 };
    if (n > UINT32_MAX || size > UINT32_MAX || inflateInit2(&z, ZLIB_OR_GZIP) != Z_OK)
        return false;
    z.next_in = (unsigned char *)packed;
    z.avail_in = (unsigned)n;
    z.next_out = bytes;
    z.avail_out = (unsigned)size;
    int err = inflate(&z, Z_FINISH);
    inflateEnd(&z);
    return err == Z_STREAM_END && z.avail_out == 0;
}
