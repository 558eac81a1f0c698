#ifndef PCDF_TOOLWORK_H
#define PCDF_TOOLWORK_H
/* The values of a file cut into chunks, shared out to ranks, in an order that reads the file once. */

#include "meta.h"
#include "toolranks.h"

struct pcdf_tool_chunk { /* n values of a variable, from number `first` on: as pcdf_tool_values takes them */
    int varid;
    int64_t first, n;
    int64_t unit; /* its number among all ranks' work; the chunks of a unit follow each other */
};

struct pcdf_tool_work {
    const struct pcdf_meta *meta;
    const bool *chosen; /* by varid; NULL: all */
    int64_t bytes;      /* of a chunk, at most, unless one value has more */
    int rank, size;
    int64_t recsize, rows; /* of all record variables; records in a unit */
    /* where it stands */
    bool in_records, has_records;
    int varid;
    int64_t first, record, unit;
};

/* Fixed-size variables come first, piece by piece; then the records, a few whole ones of all chosen variables
 * at a time, so that a window of `bytes` of the file serves them all. meta, chosen and ranks must stay. */
void pcdf_tool_work_begin(struct pcdf_tool_work *work, const struct pcdf_meta *meta, const bool *chosen,
                          int64_t bytes, const struct pcdf_tool_ranks *ranks);
/* This rank's next chunk; false: it has no more. Rank r has the units r, r + size, r + 2 size, ... */
bool pcdf_tool_work_next(struct pcdf_tool_work *work, struct pcdf_tool_chunk *chunk);
/* External bytes of all chosen variables, on all ranks together. */
int64_t pcdf_tool_work_bytes(const struct pcdf_meta *meta, const bool *chosen);
#endif
