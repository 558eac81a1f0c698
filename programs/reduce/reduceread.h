#ifndef PCDF_REDUCEREAD_H
#define PCDF_REDUCEREAD_H
/* The values of a unit, of the file that is open: read in pieces that lie together, decoded, and put into its
 * cells; or copied. Local. */

#include "reducecolumns.h"
#include "reduceunits.h"

enum { PCDF_REDUCE_PIECE = 64 << 10 }; /* bytes that are read at once: they stay in the cache */

struct pcdf_reduce_reader {
    struct pcdf_reduce_plan *plan;
    unsigned char *bytes; /* of PCDF_REDUCE_ROWS pieces */
    struct pcdf_reduce_columns columns;
    int64_t read; /* bytes */
};

bool pcdf_reduce_reader_begin(struct pcdf_reduce_reader *reader, struct pcdf_reduce_plan *plan);
void pcdf_reduce_reader_end(struct pcdf_reduce_reader *reader);
int pcdf_reduce_read(struct pcdf_reduce_reader *reader, const struct pcdf_reduce_unit *unit,
                     struct pcdf_reduce_cells *cells);
/* The same of a variable that is copied: its numbers, in the order of this machine, to `to`, where the
 * numbers of all files together have room. */
int pcdf_reduce_copy(struct pcdf_reduce_reader *reader, const struct pcdf_reduce_unit *unit,
                     unsigned char *to);
#endif
