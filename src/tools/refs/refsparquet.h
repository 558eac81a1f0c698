#ifndef PCDF_REFSPARQUET_H
#define PCDF_REFSPARQUET_H
/* References as kerchunk's readers find them in a folder: of each array files NAME/refs.N.parq, each with the
 * same number of chunks, the last one with the rest. A row is a chunk, in the row-major order of the grid:
 * path (text or nothing), offset, size (64-bit integers), raw (bytes or nothing). Parquet of version 1,
 * without compression: one row group, paths by a dictionary. One file is in memory. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pcdf_refs_row {
    int path;             /* -1: none */
    int64_t offset, size; /* of raw bytes: in `raw` */
    bool is_raw;
};

struct pcdf_refs_parquet {
    const char *folder;
    int64_t record_size; /* rows of a file */
    /* the array */
    const char *name;
    int64_t chunks, file; /* of all of it; number of the file that is in memory, -1: none */
    /* the file */
    struct pcdf_refs_row *rows; /* record_size */
    char **paths;               /* no more than rows */
    int npaths, room;
    int64_t path_bytes;
    unsigned char *raw;
    size_t nraw, raw_room;
    int64_t now; /* row that takes bytes */
};

/* folder and name must stay. Failures are said and give UNUSABLE. */
int pcdf_refs_parquet_begin(struct pcdf_refs_parquet *p, const char *folder, int64_t record_size);
void pcdf_refs_parquet_free(struct pcdf_refs_parquet *p);
int pcdf_refs_parquet_array(struct pcdf_refs_parquet *p, const char *name, int64_t chunks);
/* In the order of the numbers; those that do not come have nothing. size 0 and offset 0: the whole file. */
int pcdf_refs_parquet_place(struct pcdf_refs_parquet *p, int64_t number, const char *path, int64_t offset,
                            int64_t size);
/* Its bytes follow in any number of pieces. */
int pcdf_refs_parquet_raw(struct pcdf_refs_parquet *p, int64_t number);
int pcdf_refs_parquet_bytes(struct pcdf_refs_parquet *p, const unsigned char *bytes, int64_t n);
int pcdf_refs_parquet_array_end(struct pcdf_refs_parquet *p);
#endif
