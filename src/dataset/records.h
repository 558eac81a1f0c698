#ifndef PCDF_RECORDS_H
#define PCDF_RECORDS_H
/* The number of records: a record exists once its data was written, and every rank knows that. Rank 0 writes
 * the number. With hint pcdf_commit=record the data is on the storage before the number counts it; with
 * another one, a part may say that the number follows later (count_later and holds_records, part.h). */

#include "vote.h"

/* Collective: records that a call added, once all ranks know that its data was written. A vote; then rank 0
 * writes the number. numrecs: as the call's first vote agreed. On failure no record is added, on any rank. */
int pcdf_records_count_all(struct pcdf_dataset *ds, enum pcdf_kind kind, int64_t numrecs);

/* The steps of it, for calls that agree on more than the records. Local; a failure is sticky.
 * flush: with the hint, what this rank wrote, for itself and for others, is on the storage. take: the agreed
 * number is ours, and rank 0 writes it; its flush then takes the number to the storage. */
int pcdf_records_flush(struct pcdf_dataset *ds);
int pcdf_records_count_now(struct pcdf_dataset *ds, int64_t numrecs);
/* Records that count in the file, or will when all that was put before is in it. The same on all ranks. */
int64_t pcdf_records_counted(const struct pcdf_dataset *ds);
/* So many count: now, or when all that was put before is in the file. On all ranks; rank 0 writes the number.
 */
int pcdf_records_count(struct pcdf_dataset *ds, int64_t numrecs);
/* So many count now. On all ranks; rank 0 writes the number, and may_be_late: its storage may do that later.
 */
int pcdf_records_write(struct pcdf_dataset *ds, int64_t numrecs, bool may_be_late);
/* Of a file opened for reading: it has so many records, as this rank hears. Local. */
void pcdf_records_see(struct pcdf_dataset *ds, int64_t numrecs);
#endif
