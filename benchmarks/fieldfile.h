#ifndef FIELDFILE_H
#define FIELDFILE_H
/* The file that fields_bench.c writes and reads: variables (z, y, x) of one shape, all stored in one way.
 * fields_ours.c makes it with this library, fields_peer.c with libnetcdf over parallel HDF5. All functions
 * are collective, and end the program where they fail. */

#include <stdbool.h>
#include <stdint.h>

enum { FIELDS_MOST = 64 };
enum { FIELD_DIMS = 3 };

enum field_way {
    FIELD_CDF5,
    FIELD_CONTIGUOUS,
    FIELD_CHUNKED,
    FIELD_DEFLATE,
    FIELD_ZSTD,
    FIELD_CODEC,
    FIELD_WAYS
};

struct fields {
    int nfloats, ndoubles; /* floats come first */
    int64_t shape[FIELD_DIMS], chunk[FIELD_DIMS];
    enum field_way way;
    int level;
    const char *hints; /* NAME=VALUE;... or "" */
};

static inline int fields_count(const struct fields *f)
{
    return f->nfloats + f->ndoubles;
}
static inline bool fields_is_double(const struct fields *f, int i)
{
    return i >= f->nfloats;
}

bool fields_can(enum field_way way);
int fields_create(const char *path, const struct fields *f); /* the number of the file, in data mode */
void fields_put(int file, int i, bool is_double, const int64_t *start, const int64_t *count,
                const void *values);
void fields_close(int file);
int fields_open(const char *path);
void fields_get(int file, int i, bool is_double, const int64_t *start, const int64_t *count, void *values);
/* What the codec alone makes of this rank's chunks of n bytes: returns its bytes. They are written to fd from
 * `at` on, one behind the other, by plain pwrite; fd -1: not written. */
int64_t fields_encode(const struct fields *f, bool is_double, const void *values, int64_t nchunks, int64_t n,
                      int fd, int64_t at);
#endif
