#ifndef STRIPEDSTORAGE_H
#define STRIPEDSTORAGE_H
/* A layer that notes each put that comes to the storage, for stripemodel.h: hint pcdf_note_puts=1, in
 * programs that are linked with this file. The bytes go on to the storage below. */

#include <stddef.h>
#include "storage.h"

struct striped_put {
    int64_t call; /* of the program, by striped_next */
    int64_t offset, bytes;
};

/* Lays it on *top. */
int striped_stack(const char *value, int rank, struct pcdf_storage **top);
/* What follows belongs to the next call. Before the first one nothing is noted. */
void striped_next(void);
/* This process's puts, in their order, of all files; the array is this file's. */
const struct striped_put *striped_puts(size_t *n);
void striped_forget(void); /* all of them: as at the start */
#endif
