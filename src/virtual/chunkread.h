#ifndef PCDF_CHUNKREAD_H
#define PCDF_CHUNKREAD_H
/* Reads chunks: fetches, decodes, and puts the values where the boxes want them. Local. */

#include "needs.h"

/* The function `read` of needs; context: the pcdf_virtual. */
int pcdf_chunks_read(void *context, const struct pcdf_needs *needs);
#endif
