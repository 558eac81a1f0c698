#ifndef PCDF_LAYOUT_H
#define PCDF_LAYOUT_H
/* Where the variables lie: a function of the definitions, the layout before, and the alignment asked for.
 * A public contract (reference 4.9): equal programs give equal files. */

#include "meta.h"

struct pcdf_cells;

struct pcdf_alignment { /* after hints and arguments were merged; 0 = the default */
    int64_t h_minfree, v_align, v_minfree, r_align;
    int64_t reserve;  /* room behind the header where the data is placed anew; h_minfree holds always */
    int64_t far_from; /* where the old data ends: data that has to move moves behind it; 0: no further up than
                         it must */
    int64_t move_unit; /* data that has to move moves by a multiple of this; 0: by as much as it must */
};

struct pcdf_layout {
    int64_t header_size;   /* exact bytes of the encoded header */
    int64_t header_extent; /* where the data section begins: reserved room for the header */
    int64_t begin_rec;     /* where the record section begins */
    int64_t recsize;       /* bytes from one record to the next; not padded with a single record variable */
    int64_t *begin;        /* of each variable */
    int nvars;
    const struct pcdf_cells *cells; /* of a file of chunks, whose values stand there and not at `begin`; not
                                       owned. NULL: a classic file */
};

void pcdf_layout_free(struct pcdf_layout *layout);

/* old: the layout before this redef, NULL for a new file. Begins never move down (reference 4.9).
 * NC_EVARSIZE (an offset does not fit the version), NC_ENOMEM. */
int pcdf_layout_build(struct pcdf_layout *layout, const struct pcdf_meta *meta, const struct pcdf_layout *old,
                      const struct pcdf_alignment *align);

/* The layout that the begins read from a file imply; takes over `begin`. Order and overlap are decode's
 * checks. */
void pcdf_layout_from_begins(struct pcdf_layout *layout, const struct pcdf_meta *meta, int64_t *begin,
                             int64_t header_size);

static inline int64_t pcdf_layout_padded(int64_t nbytes) /* up to the next multiple of 4 */
{
    return (nbytes + 3) & ~(int64_t)3;
}

/* Bytes from one record to the next. SPEC: Note on padding. */
int64_t pcdf_layout_recsize(const struct pcdf_meta *meta);
/* Where the last byte of data ends when all numrecs records exist; header_size when there are no variables.
 */
int64_t pcdf_layout_file_end(const struct pcdf_layout *layout, const struct pcdf_meta *meta);
/* The offset of a value of a variable, counted through all records. INT64_MAX where a header tells of more
 * than any file holds. */
int64_t pcdf_layout_value_at(const struct pcdf_layout *layout, const struct pcdf_meta *meta, int varid,
                             int64_t number);
#endif
