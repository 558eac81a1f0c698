#ifndef PCDF_STOREDCALLS_H
#define PCDF_STOREDCALLS_H
/* How variables are stored, as the public functions ask for it and about it: parcdf_def_var_deflate,
 * parcdf_inq_var_chunking and others. */

#include "dataset.h"
#include "storedvars.h"

enum pcdf_stored_call {
    PCDF_STORED_CALL_CHUNKING,
    PCDF_STORED_CALL_DEFLATE,
    PCDF_STORED_CALL_ZSTD,
    PCDF_STORED_CALL_SZIP,
    PCDF_STORED_CALL_FLETCHER32
};

struct pcdf_stored_asked { /* the arguments of a call that defines */
    enum pcdf_stored_call call;
    int number[3];       /* in the order of the arguments */
    const size_t *chunk; /* only CHUNKING has them; may be NULL */
};

/* Replicated; in safe mode collective, as all calls that define. NC_EPERM, NC_ENOTNC4 (a classic file),
 * NC_ENOTVAR, NC_EGLOBAL, NC_ELATEDEF (the file has the variable), NC_EINVAL, NC_EBADCHUNK, NC_ENOTBUILT (no
 * such codec here), NC_ENOMEM. */
int pcdf_stored_define_all(struct pcdf_dataset *ds, int varid, const struct pcdf_stored_asked *asked);

/* Local, of any file: what a variable is, or would become. A copy, of which chunk belongs to the caller.
 * NC_ENOTVAR, NC_EGLOBAL, NC_ENOMEM. */
int pcdf_stored_inquire(struct pcdf_dataset *ds, int varid, struct pcdf_stored_var *v);
#endif
