#ifndef PCDF_FARSTORE_H
#define PCDF_FARSTORE_H
/* Stores behind HTTP, HTTPS and S3 (pcdf_farstore_open in storekind.h). Local. */

#include "store.h"

enum { PCDF_FAR_HEAD = 256 << 10 }; /* bytes that the first request asks for */

/* Requests that it sent so far; 0 of others. */
int64_t pcdf_farstore_requests(const struct pcdf_store *s);
int64_t pcdf_farstore_retries(const struct pcdf_store *s); /* those that were to be sent again */
#endif
