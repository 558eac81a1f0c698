#ifndef PCDF_JOINWRITER_H
#define PCDF_JOINWRITER_H
/* Writes one chunk of a file while the next one is put together: by a thread where the process may use two
 * processors, else at once. The thread makes system calls alone. */

#include <stdbool.h>
#include <stdint.h>

struct pcdf_join_writer;

/* name: an existing file. most: bytes of a chunk. NULL: errno tells why. */
struct pcdf_join_writer *pcdf_join_writer_begin(const char *name, int64_t most);
/* Where the next chunk is put together, until it is handed over. */
unsigned char *pcdf_join_writer_room(const struct pcdf_join_writer *writer);
struct pcdf_join_runs {      /* of a file */
    int64_t at, bytes, step; /* the first byte; bytes of a run; from one run's first to the next one's */
    int64_t n;
};
/* Hands over what is in the room: the bytes of these runs, one behind the other. 0, or errno of a chunk that
 * could not be written: this one or one before. */
int pcdf_join_writer_put(struct pcdf_join_writer *writer, const struct pcdf_join_runs *runs);
/* All is written and on the storage, or errno. Frees it. keeps: false: what was written is of no use. */
int pcdf_join_writer_end(struct pcdf_join_writer *writer, bool keeps);
#endif
