#ifndef PCDF_TRANSFER_H
#define PCDF_TRANSFER_H
/* Moves checked requests, puts and gets together, between memory and file: one merged plan for the puts, then
 * one for the gets. Each request's own result is in its status; the result of the call is the first error. */

#include "request.h"
#include "vote.h"

enum { PCDF_NOT_DEFERRED = -1 };

/* Collective. kind: what the public call is. before: of puts that waited (defer.h), the number of records
 * before the first of them, to which ds->meta.numrecs falls back until they are written; the same on all
 * ranks. Nobody but the library has their values, so a rank that cannot write them, for whatever reason, is a
 * failure of storage. PCDF_NOT_DEFERRED: no put waited; the caller has the values. status: what went wrong on
 * this rank before; it then takes part with nothing and gets that error back. Own argument and memory errors
 * stay this rank's (in safe mode all ranks get one and nothing moves); a failure of storage comes back at
 * once on the rank whose bytes they were, on all ranks when the call raises the number of records, is
 * deferred, or is a wait with puts of any rank, and else with the next collective call. */
int pcdf_transfer_all(struct pcdf_dataset *ds, enum pcdf_kind kind, int64_t before,
                      struct pcdf_request *const *requests, int n, int status);
/* This rank alone. before: as above. */
int pcdf_transfer(struct pcdf_dataset *ds, int64_t before, struct pcdf_request *const *requests, int n);

#endif
