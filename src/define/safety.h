#ifndef PCDF_SAFETY_H
#define PCDF_SAFETY_H
/* Safe mode (PNETCDF_SAFE_MODE): every collective call on the definitions says its arguments in its one vote.
 * Where they differ, a second message finds which, all ranks return the same NC_EMULTIDEFINE_ code, and
 * nothing is done; a rank's own error is every rank's. Out of safe mode nothing is sent. */

#include "hash.h"
#include "vote.h"

struct pcdf_fact { /* one argument, and the code for ranks that differ in it */
    const char *what;
    int code;
    uint64_t hash;
};

/* What the vote carries: of all n facts. */
uint64_t pcdf_facts_hash(const struct pcdf_fact *facts, int n);

enum { PCDF_FACTS_MAX = 8 };

/* Collective, one MPI_Allreduce: which fact differs, its code on all ranks; the first in the list counts.
 * `kind` is for the sentence. */
int pcdf_name_difference_all(struct pcdf_dataset *ds, enum pcdf_kind kind, const struct pcdf_fact *facts,
                             int n);
/* Collective, for safe mode: may the call be made? status: of this rank's checks. One MPI_Allreduce, two
 * where the facts differ; the same answer on all ranks. n <= PCDF_FACTS_MAX. */
int pcdf_agree_all(struct pcdf_dataset *ds, enum pcdf_kind kind, int status, const struct pcdf_fact *facts,
                   int n);

/* Makes `call` (on ds) for its checks alone and gives their result. Local. */
#define PCDF_CHECKS_OF(ds, call) (pcdf_checks_begin(ds), pcdf_checks_end((ds), (call)))
void pcdf_checks_begin(struct pcdf_dataset *ds);
int pcdf_checks_end(struct pcdf_dataset *ds, int status);

/* What src/api calls: the functions of the same name in dataset.h and fill.h, agreed in safe mode. Collective
 * there, Replicated otherwise. */
int pcdf_dim_define_all(struct pcdf_dataset *ds, const char *name, int64_t length, int *dimid);
int pcdf_dim_rename_all(struct pcdf_dataset *ds, int dimid, const char *name);
int pcdf_var_define_all(struct pcdf_dataset *ds, const char *name, nc_type type, int ndims, const int *dimids,
                        int *varid);
int pcdf_var_rename_all(struct pcdf_dataset *ds, int varid, const char *name);
int pcdf_att_put_all(struct pcdf_dataset *ds, int varid, const char *name, nc_type type, int64_t nelems,
                     const void *buf, enum pcdf_mtype mtype);
int pcdf_att_copy_all(struct pcdf_dataset *in, int varid_in, const char *name, struct pcdf_dataset *out,
                      int varid_out);
int pcdf_att_rename_all(struct pcdf_dataset *ds, int varid, const char *name, const char *newname);
int pcdf_att_delete_all(struct pcdf_dataset *ds, int varid, const char *name);
int pcdf_fill_set_all(struct pcdf_dataset *ds, int mode, int *old);
int pcdf_fill_define_all(struct pcdf_dataset *ds, int varid, int no_fill, const void *value);
#endif
