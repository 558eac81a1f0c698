#ifndef PCDF_HEADER_H
#define PCDF_HEADER_H
/* The header between memory and file. Only rank 0 reads and writes it, at explicit offsets of a handle that
 * never has a view; the others get its bytes by broadcast and parse them with the same strict parser. */

#include "dataset.h"

/* Encodes the definitions with a layout. NC_ENOMEM. Local. */
int pcdf_header_encode(const struct pcdf_meta *meta, const struct pcdf_layout *layout,
                       struct pcdf_header_bytes *header);
struct pcdf_header_span {
    int64_t from, to;
};
/* The bytes of a header that differ from the old one's, from first to last; behind the end of that all do. */
struct pcdf_header_span pcdf_header_changed(const struct pcdf_dataset *ds,
                                            const struct pcdf_header_bytes *header,
                                            const struct pcdf_header_bytes *old);

/* Collective: every rank gets rank 0's definitions and layout. Rank 0 reads the file and says how that went
 * in `status`; ranks agree on nothing else here. ds->meta and ds->layout must be empty. */
int pcdf_header_read_all(struct pcdf_dataset *ds, int status);
/* Collective: rank 0's bytes (`mine` there) replace the definitions and the layout of all others. difference:
 * the first one to what this rank had, as a sentence has it; nothing: there is none. */
int pcdf_header_adopt_all(struct pcdf_dataset *ds, struct pcdf_header_bytes *mine, char *difference,
                          size_t size);

/* Rank 0 alone: bytes of the header; change.c says in which order. */
int pcdf_header_root_put(struct pcdf_dataset *ds, int64_t offset, const void *bytes, int64_t nbytes);
/* Rank 0 alone: the number of records, where it is not what the file says. may_be_late: the
 * storage may write it later. */
int pcdf_header_root_write_numrecs(struct pcdf_dataset *ds, int64_t numrecs, bool may_be_late);
#endif
