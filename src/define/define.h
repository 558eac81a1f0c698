#ifndef PCDF_DEFINE_H
#define PCDF_DEFINE_H
/* The way out of define mode that a call takes on behalf of another; what src/api calls is in dataset.h. */

#include "vote.h"

/* Collective, in define mode: what enddef does, for a close too. kind: the user's call. */
int pcdf_leave_define_all(struct pcdf_dataset *ds, enum pcdf_kind kind,
                          const struct pcdf_alignment *arguments);
/* Local: NC_EINDEFINE, or the file is poisoned. call: for the sentence. */
int pcdf_check_data_mode(const struct pcdf_dataset *ds, const char *call);
#endif
