#ifndef PCDF_HEADERUPDATE_H
#define PCDF_HEADERUPDATE_H
/* Header changes in data mode (a name, the values of an attribute): what fits one sector of the file is
 * written at once, in one piece. Everything else waits for the next sync, switch of mode, redef or close, and
 * is then written once, by way of the journal (change.h). */

#include "header.h"
#include "vote.h"

/* Around a change of ds->meta, which in define mode is all that changes. begin: what can fail before anything
 * changes: a poisoned file, a failure of storage that all know of, NC_ENOMEM. end: err is the change's own
 * result; returns it, or how writing went. Local. */
struct pcdf_header_update {
    /* Rank 0, unless an earlier change waits: room for the new header. */
    struct pcdf_header_bytes now;
};
int pcdf_header_update_begin(struct pcdf_dataset *ds, struct pcdf_header_update *update);
int pcdf_header_update_end(struct pcdf_dataset *ds, struct pcdf_header_update *update, int err);

/* Local: rank 0 writes what waits. A failure is sticky. */
int pcdf_header_update_write(struct pcdf_dataset *ds);
/* Collective: what the ranks know of the header: the number of records, whether a change of it waits; and the
 * other fields of the vote, which the caller sets. NC_ codes of storage: some rank's writing failed before.
 */
int pcdf_header_vote_all(struct pcdf_dataset *ds, enum pcdf_kind kind, struct pcdf_sync_vote *vote);
/* Collective: the header on the file says what the ranks know: rank 0 writes the number of records that they
 * agree on, and what waits; a second vote tells all how that went. kind: the call that asks. */
int pcdf_header_sync_all(struct pcdf_dataset *ds, enum pcdf_kind kind);
#endif
