#ifndef PCDF_CHUNKMAP_H
#define PCDF_CHUNKMAP_H
/* Where the chunks of one variable are: (store, key, offset, length) of each. Chunks are numbered in
 * row-major order of the grid. Local. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pcdf_map_kind {                  /* on the wire of an image */
                     PCDF_MAP_NONE,   /* no chunk is there: all is fill */
                     PCDF_MAP_INLINE, /* the values themselves, as one chunk without codecs */
                     PCDF_MAP_LINEAR, /* chunk k lies at offset + k * stride */
                     PCDF_MAP_KEYS,   /* an object each: prefix + index; what is not there is fill */
                     PCDF_MAP_SHARDS, /* objects of several chunks, with an index in each */
                     PCDF_MAP_TABLE   /* one by one */
};

struct pcdf_chunkmap {
    enum pcdf_map_kind kind;
    int store;                      /* LINEAR, KEYS, SHARDS: index into pcdf_image.stores */
    int64_t offset, stride, length; /* LINEAR: of each chunk as stored */
    unsigned char *bytes;           /* INLINE: values; TABLE: as chunkmap.c has them. Owned */
    int64_t nbytes;
    char *prefix;        /* KEYS, SHARDS: before the index. Owned */
    char separator;      /* between the numbers of an index: '.' or '/' */
    bool is_v3;          /* "c" and the separator before the numbers, "c" alone without dimensions;
                            else "0" without dimensions */
    int64_t *shard;      /* SHARDS: chunks of a shard, for each dimension. Owned */
    int index_chain;     /* SHARDS: chain of the index, in pcdf_image.chains */
    bool index_is_first; /* SHARDS: the index lies before the chunks, else behind them */
    /* TABLE, while it is built */
    int64_t count, last_number, last_end;
    int64_t room;
    int last_store;
};

enum { PCDF_MOST_DIMS = 1024, PCDF_CHUNK_KEY = 512 };

struct pcdf_chunk_place {
    int store;                  /* -1: the chunk is fill, or it is INLINE */
    char key[PCDF_CHUNK_KEY];   /* "" where the store is one object */
    int64_t offset, length;     /* length -1: all of the object */
    uint32_t mask;              /* codecs that were left out */
    const unsigned char *bytes; /* INLINE: the chunk, owned by the map */
    int64_t slot;               /* SHARDS: number of the chunk in the index of its shard, else -1 */
};

struct pcdf_chunk_entry { /* of a TABLE */
    int64_t number, offset, length;
    int store;
    uint32_t mask;
};

/* Where the last look-up in a TABLE ended: one that is further on in the same block of the table goes on from
 * there. Begins as zeros; the maps outlive it. */
struct pcdf_chunk_cursor {
    const struct pcdf_chunkmap *map;
    const unsigned char *at, *end;
    struct pcdf_chunk_entry entry; /* the first one at or behind `asked`, if there is one before `end` */
    int64_t asked, limit;          /* the number of the first chunk of the next block */
};

/* grid: chunks along each of the ndims dimensions; number: of the chunk. NC_EREAD: the map is damaged. */
int pcdf_chunkmap_find(const struct pcdf_chunkmap *map, struct pcdf_chunk_cursor *cursor, int ndims,
                       const int64_t *grid, int64_t number, struct pcdf_chunk_place *place);

/* All chunks of a LINEAR map or a TABLE. An error of `take` ends it. */
int pcdf_chunkmap_each(const struct pcdf_chunkmap *map, int64_t nchunks,
                       int (*take)(void *context, int64_t offset, int64_t length), void *context);

/* Building a TABLE: chunks that are there, in rising order of their numbers. length -1: all of a file, from
 * its beginning. NC_ENOMEM; NC_EINVAL: not so. */
int pcdf_chunkmap_add(struct pcdf_chunkmap *map, int64_t number, int store, int64_t offset, int64_t length,
                      uint32_t mask);
/* After the last one: a table of equal steps becomes LINEAR, one without an entry NONE. nchunks: of the whole
 * grid. */
int pcdf_chunkmap_finish(struct pcdf_chunkmap *map, int64_t nchunks);
/* Of a map that came as bytes: is it what finish may have left, of nstores stores? Reads all of a table. */
bool pcdf_chunkmap_is_sound(const struct pcdf_chunkmap *map, int64_t nchunks, int nstores);
void pcdf_chunkmap_free(struct pcdf_chunkmap *map);
#endif
