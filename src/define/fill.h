#ifndef PCDF_FILL_H
#define PCDF_FILL_H
/* Fill values: which variables get them, and writing them (reference 4.12). A new variable whose mode is on
 * is filled by enddef: a fixed one whole, a record variable in the records that exist. A record that is added
 * later is filled when the program asks (fill_var_rec). */

#include "dataset.h"

void pcdf_fill_free(struct pcdf_fill_modes *modes);

/* Local: variables 0..n-1 are listed. NC_ENOMEM: nothing changed. */
int pcdf_fill_list(struct pcdf_fill_modes *modes, int n);
int pcdf_var_check(const struct pcdf_dataset *ds, int varid); /* Local: NC_EGLOBAL, NC_ENOTVAR */
/* Local. Outputs may be NULL. NC_EGLOBAL, NC_ENOTVAR. */
int pcdf_fill_inquire(const struct pcdf_dataset *ds, int varid, int *no_fill, void *value);

/* Collective. Fills one record of a record variable, which may be a new record. A rank with a bad argument
 * takes part; where ranks name different records each writes its own. In safe mode all ranks then get an
 * error (NC_EMULTIDEFINE_FNC_ARGS where no argument is bad) and nothing is written. */
int pcdf_fill_record_all(struct pcdf_dataset *ds, int varid, int64_t recno);

/* ---- enddef (define.c) */

/* Of the modes of variables that are new since redef, and of how they are quantized; goes into the hash of
 * the definitions. */
uint64_t pcdf_fill_hash(const struct pcdf_dataset *ds);
/* Collective: rank 0's modes to all. NC_ENOMEM. */
int pcdf_fill_adopt_all(struct pcdf_dataset *ds);
/* Local: fills this rank's part of what is new, in pieces of at most pcdf_debug_stage_size bytes; a rank
 * without memory does with a few KiB. */
int pcdf_fill_new(struct pcdf_dataset *ds);
/* Replicated: how many bytes that is. */
int64_t pcdf_fill_bytes(const struct pcdf_dataset *ds);
#endif
