#ifndef PCDF_RESTARTPRINT_H
#define PCDF_RESTARTPRINT_H
/* What `parcdf restart` prints, on rank 0. */

#include "restartlook.h"
#include "tooljson.h"

/* Sentences, and the paths of the files below. */
void pcdf_restart_print(const struct pcdf_restart *restart, bool is_quick);
void pcdf_restart_print_files(const struct pcdf_restart *restart); /* paths alone, each on a line */
void pcdf_restart_print_json(const struct pcdf_restart *restart, bool is_quick, struct pcdf_json *json);
/* All generations that are committed, each on a line, the newest first. */
void pcdf_restart_print_list(const struct pcdf_restart *restart);
#endif
