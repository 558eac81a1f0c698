#ifndef PCDF_CHECKSUMFILE_H
#define PCDF_CHECKSUMFILE_H
/* What an open file of checksums says (format/checksumtable.h). All functions are local. */

#include "checksumtable.h"
#include "sidecar.h"

/* NC_EFILE: torn, or none of ours. An open head is NC_NOERR: head->is_open. */
int pcdf_checksumfile_head(struct pcdf_sidecar *s, struct pcdf_checksums *head);
/* The table of a head that is not open, which the caller frees. NC_EFILE: it is not whole. */
int pcdf_checksumfile_table(struct pcdf_sidecar *s, const struct pcdf_checksums *head, uint32_t **table);
#endif
