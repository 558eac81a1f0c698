#ifndef PCDF_ALLOC_H
#define PCDF_ALLOC_H
/* Counted allocation. All memory of open files comes from here, so that tests can fail the n-th allocation
 * and inq_malloc_size can tell what is held. NULL means no memory (the sentence is kept by pcdf_fail).
 * Thread-safe. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *pcdf_malloc(size_t size);
void *pcdf_calloc(size_t n, size_t size); /* checks n * size for overflow */
void *pcdf_realloc(void *old, size_t size);
char *pcdf_strndup(const char *text, size_t length);
void pcdf_free(void *memory);

int64_t pcdf_alloc_now(void); /* bytes held */
int64_t
pcdf_alloc_peak(void); /* most bytes ever held, or more: the bytes set aside have a peak of their own */

/* What this thread allocates from here on, until it says false, is set aside: it belongs to no open file (a
 * CDL header), so that inq_malloc_size does not count it. A block stays what it was allocated as. */
void pcdf_alloc_aside(bool on);
/* The first or, `peak`, the second of the two above, without what was set aside. */
int64_t pcdf_alloc_of_files(bool peak);

/* Tests: from now on the peak is that of what is held from now on. No other thread allocates meanwhile. */
void pcdf_alloc_peak_again(void);

/* Tests: the n-th allocation from now (1 = the next) fails, and with `sticky` all later ones; 0 turns it off.
 */
void pcdf_alloc_fail_at(int64_t n, int sticky);
/* Allocations asked for since the last pcdf_alloc_fail_at. */
int64_t pcdf_alloc_asked(void);
#endif
