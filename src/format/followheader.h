#ifndef PCDF_FOLLOWHEADER_H
#define PCDF_FOLLOWHEADER_H
/* What the first bytes of a file that another job writes tell a reader who looks again: new records, or
 * other definitions. */

#include "layout.h"

/* Of all bytes of a header but the number of records. */
uint64_t pcdf_followheader_hash(const unsigned char *header, int64_t size);
/* The number of records as the header's first bytes (8, of CDF-5 12) say it; *is_streaming: the size tells.
 */
int64_t pcdf_followheader_count(const unsigned char *header, int version, bool *is_streaming);
/* A number that is being written may be read half: some bytes of the old one, some of the new one. So it is
 * believed if all of its bytes but the lowest are those of a number that was seen before: `known`, or that of
 * the last look, which *upper keeps from call to call; -1: none yet. */
bool pcdf_followheader_is_settled(int64_t count, int64_t known, int64_t *upper);
/* SPEC: Note on streaming data. The records that are wholly in a file of that size: of which the first one
 * ends at first_end. */
int64_t pcdf_followheader_records_in(int64_t size, int64_t first_end, int64_t recsize, int version);
/* 0 if no variable has records. */
int64_t pcdf_followheader_records_within(const struct pcdf_layout *layout, const struct pcdf_meta *meta,
                                         int64_t size);
#endif
