#ifndef PCDF_DEFINE_H
#define PCDF_DEFINE_H
/* The modes of a file: definitions, collective and independent data. */

#include "vote.h"

/* Collective, in define mode: what enddef does, for a close too. kind: the user's call. */
int pcdf_leave_define_all(struct pcdf_dataset *ds, enum pcdf_kind kind,
                          const struct pcdf_alignment *arguments);
/* Local: NC_EINDEFINE, or the file is poisoned. call: for the sentence. */
int pcdf_check_data_mode(const struct pcdf_dataset *ds, const char *call);

/* ---- as src/api calls them. Collective */
int pcdf_enddef_all(struct pcdf_dataset *ds, const struct pcdf_alignment *arguments); /* NULL = defaults */
int pcdf_redef_all(struct pcdf_dataset *ds);
int pcdf_begin_indep_all(struct pcdf_dataset *ds);
int pcdf_end_indep_all(struct pcdf_dataset *ds);
#endif
