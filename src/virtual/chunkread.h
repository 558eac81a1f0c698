#ifndef PCDF_CHUNKREAD_H
#define PCDF_CHUNKREAD_H
/* Reads chunks: fetches, decodes, and puts the values where the boxes want them. Local. */

#include "needs.h"

struct pcdf_virtual;
struct pcdf_varview;

/* Is a chunk of this variable fetched as a whole, also where only a part of it is wanted? */
bool pcdf_chunks_come_whole(const struct pcdf_virtual *v, const struct pcdf_varview *w);

/* The function `read` of needs; context: the pcdf_virtual. */
int pcdf_chunks_read(void *context, const struct pcdf_needs *needs);
#endif
