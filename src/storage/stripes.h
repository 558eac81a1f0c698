#ifndef PCDF_STRIPES_H
#define PCDF_STRIPES_H
/* How a file system spreads a file over its servers: stripes of some bytes, on targets in turn. A file may
 * have parts with stripes of their own (Lustre: a progressive layout). What is not known is 0. */

#include <stdbool.h>
#include <stdint.h>

enum { PCDF_STRIPES_PIECES = 8 };

struct pcdf_stripe_piece {
    int64_t end; /* the part's; it begins where one before ends */
    /* Bytes of a stripe, or of what the servers keep together; > 0. */
    int64_t bytes;
    /* Stripes until the first target's turn comes again. 0: not known. */
    int64_t count;
};

/* Numbers of 8 bytes alone: ranks agree on it as a list of numbers. */
struct pcdf_stripes {
    int64_t n; /* parts; 0: nothing is known */
    /* Not 0: writers that share a stripe wait for each other. */
    int64_t are_locked;
    struct pcdf_stripe_piece piece[PCDF_STRIPES_PIECES];
};

/* What the file system tells of a file. Local. */
void pcdf_stripes_look(const char *path, struct pcdf_stripes *s);
/* The part that has most of the bytes [begin, end); { 0 }: nothing is known. */
struct pcdf_stripe_piece pcdf_stripes_at(const struct pcdf_stripes *s, int64_t begin, int64_t end);

/* Gives an empty file, made by mknod and never opened, the layout of another; nothing happens where the file
 * system has none. */
void pcdf_stripes_like(const char *path, const char *like);
#endif
