#ifndef PCDF_DEFER_H
#define PCDF_DEFER_H
/* Puts that wait, hint pcdf_defer=bytes: the call packs its values into memory of the library; many calls are
 * then written as one merged plan, when a rank would hold more than the hint says and before anything that
 * must find them in the file. In collective mode, blocking puts wait: they vote, and all ranks write at the
 * same call. In independent mode, blocking puts and puts that are waited for wait: each rank writes its own
 * alone. A change of mode writes all; nothing waits in define mode. */

#include "vote.h"

/* Collective: n puts of one call, which stay the caller's. status: what is wrong with them on this rank.
 * Where they, or those of another rank, do not fit beside what waits, all is written now; also where they may
 * overlap it, first what waits. Returns as pcdf_transfer_all does; NC_ERANGE at once. */
int pcdf_defer_put_all(struct pcdf_dataset *ds, struct pcdf_request *const *requests, int n, int status);
/* Local, in independent mode: as pcdf_transfer, but puts that fit wait. Gets find what waits: where they may
 * overlap it, it is written first. */
int pcdf_defer_own(struct pcdf_dataset *ds, struct pcdf_request *const *requests, int n);
/* Collective: writes what waits, with two votes; none where nothing does. In independent mode each rank
 * writes its own, without a vote: the caller's vote tells a failure. kind: the call that asks. Nothing waits
 * afterwards. What could not be written is lost, which all ranks return and keep in io_error, and the records
 * that it would have added do not count. */
int pcdf_defer_write_all(struct pcdf_dataset *ds, enum pcdf_kind kind);
/* Replicated: forgets what waits, and the records that it would have added. */
void pcdf_defer_drop(struct pcdf_dataset *ds);
void pcdf_defer_free(struct pcdf_deferral *deferral); /* Local */
#endif
