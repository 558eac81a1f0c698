#ifndef PCDF_POSTING_H
#define PCDF_POSTING_H
/* Nonblocking requests: posted, then carried out by a wait, or cancelled. */

#include "dataset.h"

int pcdf_post(struct pcdf_dataset *ds, int varid, const struct pcdf_access *access); /* Local */
/* Local, in independent mode. n: a number of ids, or NC_REQ_ALL, NC_PUT_REQ_ALL, NC_GET_REQ_ALL; ids become
 * NC_REQ_NULL. statuses may be NULL. */
int pcdf_wait(struct pcdf_dataset *ds, int n, int *ids, int *statuses);
int pcdf_wait_all(struct pcdf_dataset *ds, int n, int *ids, int *statuses); /* Collective */
int pcdf_cancel(struct pcdf_dataset *ds, int n, int *ids, int *statuses);   /* Local */
#endif
