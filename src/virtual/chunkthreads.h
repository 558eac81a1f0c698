#ifndef PCDF_CHUNKTHREADS_H
#define PCDF_CHUNKTHREADS_H
/* Work that several threads share for one call: they begin and end with it. Local. */

/* n threads, of which the caller's is one, each call `work` once; fewer, where no more can be started.
 * Returns when all have ended: the first error, with its sentence. */
int pcdf_chunkthreads_run(int n, int (*work)(void *context), void *context);
#endif
