#ifndef PCDF_CHUNKOWNERS_H
#define PCDF_CHUNKOWNERS_H
/* Which rank owns a chunk, by how the ranks divide a variable: the one that has its middle. The ranks form a
 * grid over some dimensions of the variable; along each of these, elements are divided into blocks by a rule,
 * and block i is that of the ranks number i (modulo the parts) there. Owners are numbers below `ranks`.
 * How they divide it is found by chunkdivision.h. No I/O, no MPI. */

#include <stdbool.h>
#include <stdint.h>

enum pcdf_border_rule { /* where block i of a dimension begins */
                        /* At i * block, as long as there are elements: parts have blocks in turn. */
                        PCDF_BORDERS_LENGTH,
                        PCDF_BORDERS_REST, /* the same; the last part has the rest */
                        /* Blocks have two lengths that differ by one; the longer ones come first. */
                        PCDF_BORDERS_EVEN,
                        PCDF_BORDERS_SPREAD, /* at i * length / parts, rounded down */
                        PCDF_BORDERS_N
};

struct pcdf_owner_dim { /* a dimension that ranks divide */
    int dim;
    enum pcdf_border_rule rule;
    int64_t length; /* the dimension's */
    int64_t block;  /* where part 1 begins */
    int64_t parts;  /* ranks along it, at least 1 */
    int64_t stride; /* between the numbers of two neighbours */
    /* Set by pcdf_owner_dim_cut: */
    int64_t chunk, grid; /* length of a chunk; chunks along the dimension */
    int64_t each;        /* chunks of a block, at most */
    int64_t users;       /* parts that own some chunk */
};

enum { PCDF_OWNER_DIMS = 4 };

struct pcdf_chunk_owners {
    int ranks; /* 0: no division is known */
    int n;
    struct pcdf_owner_dim x[PCDF_OWNER_DIMS]; /* in the order of dimensions */
};

/* The block of an element, and where block i begins (at most the length). */
int64_t pcdf_owner_dim_block(const struct pcdf_owner_dim *dim, int64_t element);
int64_t pcdf_owner_dim_border(const struct pcdf_owner_dim *dim, int64_t i);

/* For chunks of this length. Returns how many places a part has for its chunks, one after another: at least
 * as many as it has chunks. */
int64_t pcdf_owner_dim_cut(struct pcdf_owner_dim *dim, int64_t chunk);
/* The part that owns the chunk; *place: which of the part's places it has. */
int64_t pcdf_owner_dim_part(const struct pcdf_owner_dim *dim, int64_t chunk, int64_t *place);
/* The chunk at a place; -1: none. */
int64_t pcdf_owner_dim_chunk(const struct pcdf_owner_dim *dim, int64_t part, int64_t place);
#endif
