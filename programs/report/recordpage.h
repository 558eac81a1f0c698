#ifndef PCDF_RECORDPAGE_H
#define PCDF_RECORDPAGE_H
/* What the page says of a recording. */

#include <stdio.h>
#include "record.h"

/* All sections. logs: read once more, for the time line. On failure says so. */
int pcdf_record_page(FILE *f, struct pcdf_record *r, char *const *logs, int n);

/* Parts of it: the time line (recordlanes.c), advice with figures (recordadvice.c), the write
 * queue (recordqueuepage.c; nothing where there was none). */
int pcdf_record_lanes(FILE *f, struct pcdf_record *r, char *const *logs, int n);
void pcdf_record_advice(FILE *f, const struct pcdf_record *r);
void pcdf_record_queue_tiles(FILE *f, const struct pcdf_record *r);
void pcdf_record_queue_page(FILE *f, const struct pcdf_record *r);

/* Of all calls of all ranks. */
double pcdf_record_seconds(const struct pcdf_record *r);
double pcdf_record_rank_seconds(const struct pcdf_record_rank *rank);
double pcdf_record_rank_storage(const struct pcdf_record_rank *rank);
bool pcdf_record_has_queue(const struct pcdf_record *r);
double pcdf_record_saved(const struct pcdf_record_queue *q); /* seconds that the program did not wait */
/* All ranks together: the highest of `highest` and of `call_seconds`, the sums of the others. */
struct pcdf_record_queue pcdf_record_queue_sum(const struct pcdf_record *r);
#endif
