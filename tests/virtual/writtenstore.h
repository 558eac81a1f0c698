#ifndef WRITTENSTORE_H
#define WRITTENSTORE_H
/* A Zarr store that a test writes itself: files and folders below `store`, and chunks that zlib encodes. */

#include "together.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "alloc.h"
#include "codecs.h"

static char store[1100];

static inline void put_file(const char *name, const void *bytes, size_t n)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", store, name);
    FILE *f = fopen(path, "w");
    CHECK(f && fwrite(bytes, 1, n, f) == n, "%s: not written", path);
    if (f)
        fclose(f);
}

/* "": the store itself. */
static inline void make_folder(const char *name)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", store, name);
    CHECK(!mkdir(path, 0755), "%s: %s", path, strerror(errno));
}

/* cut: so many bytes are missing at the end of the encoded chunk. */
static inline void put_encoded(const char *name, const void *values, size_t nbytes, unsigned level,
                               size_t cut)
{
    const struct pcdf_chain chain = { 1, { { .id = PCDF_CODEC_ZLIB, .nparams = 1, .params = { level } } } };
    struct pcdf_codec_scratch scratch = { 0 };
    unsigned char *out = NULL;
    size_t n = 0;
    CHECK_INT(pcdf_chain_encode(&chain, values, nbytes, &out, &n, &scratch), 0);
    put_file(name, out, n > cut ? n - cut : n);
    pcdf_free(out);
    pcdf_free(scratch.a);
    pcdf_free(scratch.b);
}
#endif
