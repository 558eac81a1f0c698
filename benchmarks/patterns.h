#ifndef PATTERNS_H
#define PATTERNS_H
/* The parts of the program `patterns` meet here. A pattern is a row of a table: how its file is defined, what
 * a rank's values are, how they are put and got. The program writes, closes, reads back and compares. */

#include "timing.h"

struct settings {
    int64_t percent, repeat, pieces, requests, width;
    const char *folder, *only;
    bool json, fsync;
};

struct bench { /* one pattern, in one file */
    const struct settings *s;
    int rank, nranks, ncid;
    int peer; /* whose values this rank reads back */
    int vars[128];
    void *values, *others; /* made before the clock starts; read to, each byte 0xff before */
    int64_t n;             /* of each */
    MPI_Offset **starts, **counts;
    MPI_Offset *numbers;
};

struct pattern {
    const char *name;
    void (*define)(struct bench *b);         /* between create and enddef; sets n, perhaps peer */
    void (*make)(struct bench *b, int rank); /* values of a rank, and its lists */
    void (*put)(struct bench *b);
    void (*get)(struct bench *b);
    size_t width;                   /* bytes of a value in memory */
    void (*check)(struct bench *b); /* after the get: of bytes that nobody wrote; NULL: there are none */
};

/* Each ends with a row without a name. */
extern const struct pattern access_patterns[]; /* one way of access each */
extern const struct pattern gap_patterns[];    /* some bytes between those of a call are nobody's */
extern const struct pattern kernel_patterns[]; /* what the I/O kernels FLASH-IO, BTIO and S3D-IO do */

void pattern_check(int err, const char *what); /* ends the program on an error: "what patterns.nc: ..." */
int64_t pattern_scaled(const struct bench *b, int64_t n); /* by --percent, at least 1 */
uint32_t pattern_value(int rank, int64_t i);              /* below 2^23: exact in every type */
void pattern_doubles(struct bench *b, int rank);          /* a `make` */
void pattern_floats(struct bench *b, int rank);           /* a `make` */
#endif
