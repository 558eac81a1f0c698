#ifndef PCDF_ENCODE_H
#define PCDF_ENCODE_H
/* Definitions -> header bytes, exactly (SPEC: the grammar). */

#include "layout.h"

int64_t pcdf_encode_size(const struct pcdf_meta *meta);
/* bytes: room for pcdf_encode_size() bytes. */
void pcdf_encode(const struct pcdf_meta *meta, const struct pcdf_layout *layout, unsigned char *bytes);
/* The numrecs field alone: *offset is always 4; returns its size, 4 or 8. */
int pcdf_encode_numrecs(enum pcdf_version version, int64_t numrecs, unsigned char bytes[8]);
/* vsize as it is stored (SPEC: Note on vsize). */
int64_t pcdf_encode_vsize(const struct pcdf_meta *meta, const struct pcdf_var *var);
#endif
