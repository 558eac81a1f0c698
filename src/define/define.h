#ifndef PCDF_DEFINE_H
#define PCDF_DEFINE_H
/* The modes of a file: definitions, collective and independent data. */

#include "vote.h"

/* Collective, in define mode: what enddef does, for a close too. kind: the user's call. */
int pcdf_leave_define_all(struct pcdf_dataset *ds, enum pcdf_kind kind,
                          const struct pcdf_alignment *arguments);
/* Local: NC_EINDEFINE, or the file is poisoned. call: for the sentence. */
int pcdf_check_data_mode(const struct pcdf_dataset *ds, const char *call);

/* Local: what the file held before redef is of no use any more. */
void pcdf_forget_old_meta(struct pcdf_dataset *ds);

/* ---- as src/api calls them. Collective */
int pcdf_enddef_all(struct pcdf_dataset *ds, const struct pcdf_alignment *arguments); /* NULL = defaults */
int pcdf_redef_all(struct pcdf_dataset *ds);
/* To collective or independent data mode: end_indep_data, begin_indep_data. */
int pcdf_switch_mode_all(struct pcdf_dataset *ds, enum pcdf_mode mode);
#endif
