#ifndef PCDF_ZARRSHARD_H
#define PCDF_ZARRSHARD_H
/* The files of a store's values: a chunk, or a shard of version 3, which is chunks and the index of them.
 * Local; false: errno says why. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pcdf_zarrshard {
    char *path; /* of the file; the caller's */
    size_t there;
    int fd; /* made with the first chunk, -1 before */
    unsigned char *index;
    int64_t n, room, at; /* chunks; chunks that there is memory for; the next one's first byte */
};

/* A new file of these bytes; folders are made that its path has behind the first `there` bytes of it. */
bool pcdf_zarrfile_write(char *path, size_t there, const void *bytes, size_t n);

/* n chunks, none of them there yet. */
bool pcdf_zarrshard_begin(struct pcdf_zarrshard *shard, char *path, size_t there, int64_t n);
/* Each number once. */
bool pcdf_zarrshard_put(struct pcdf_zarrshard *shard, int64_t number, const void *bytes, size_t n);
/* With its index; without a chunk there is no file. */
bool pcdf_zarrshard_end(struct pcdf_zarrshard *shard);
/* After any of them, also in the middle of a shard. */
void pcdf_zarrshard_free(struct pcdf_zarrshard *shard);
#endif
