#ifndef PCDF_TRANSFER_H
#define PCDF_TRANSFER_H
/* Moves checked requests, one or many of one direction, between memory and file. */

#include "dataset.h"
#include "request.h"

/* Collective. status: what went wrong on this rank before; it then takes part with nothing (n = 0) and gets
 * that error back. Own argument and memory errors stay this rank's; a failure of storage comes back at once
 * on the rank whose bytes they were, on all ranks when the call raises the number of records, and else with
 * the next collective call. */
int pcdf_transfer_all(struct pcdf_dataset *ds, enum pcdf_dir dir, struct pcdf_request *requests, int n,
                      int status);
/* This rank alone. */
int pcdf_transfer(struct pcdf_dataset *ds, enum pcdf_dir dir, struct pcdf_request *requests, int n);
#endif
