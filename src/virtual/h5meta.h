#ifndef PCDF_H5META_H
#define PCDF_H5META_H
/* HDF5's metadata of a netCDF-4 file whose values the library writes itself: libhdf5 makes it, in the process
 * parcdf-map, and writes nothing. It is told the definitions, where values that are contiguous lie, and which
 * chunks were written where; at a flush it answers with the bytes of the file that change. With these the
 * file is complete; without them it is what the last flush left. For one rank; no MPI, no I/O. After an error
 * only pcdf_h5meta_end may be called. Only a flush waits for the process's work. All others return when what
 * they say is on its way (a thread of the process takes it at once into its memory); there, too, the process
 * may ask for bytes of the file that is there, by `read`. */

#include <stdbool.h>
#include <stdint.h>
#include "codecs.h"
#include "image.h"
#include "meta.h"
#include "source.h"

enum { PCDF_H5META_HEAD = 4096 }; /* the first bytes of a file belong to metadata */

struct pcdf_h5meta;

struct pcdf_h5var {       /* beside the variable of meta */
    const int64_t *chunk; /* its shape; NULL: contiguous, which a record variable cannot be */
    int64_t place;        /* of values that are contiguous: where in the file; 0: not known yet. For ever */
    const struct pcdf_chain *chain; /* NULL: none. For ever, as the shape of the chunks */
    /* One value, as this machine has it, where nothing was put; NULL: no fill. Only of a new variable. */
    const unsigned char *fill;
    bool is_big_endian; /* values; else as this machine has them */
};

struct pcdf_h5range {
    int64_t offset, length;
    const unsigned char *bytes;
};

struct pcdf_h5ranges { /* in rising order, none meets another */
    struct pcdf_h5range *x;
    int64_t n;
    unsigned char *bytes; /* of all */
};

struct pcdf_h5source { /* a file that is there */
    int64_t size;
    int (*read)(void *context, int64_t offset, int64_t length,
                void *to); /* all, or an error with a sentence */
    void *context;
    const struct pcdf_image *image; /* for adopt: where chunks lie; or NULL */
};

/* Is the program there that pcdf_h5meta_start starts? NC_ENOTBUILT, with a sentence. */
int pcdf_h5meta_check(const char *name);
/* name: for sentences. source: NULL: a new file. NC_ENOTBUILT: the program or its plug-in is missing. */
int pcdf_h5meta_start(const char *name, const struct pcdf_h5source *source,
                      const struct pcdf_map_limits *limits, struct pcdf_h5meta **made);
/* Of a file that is there, before all else: what it has. Contiguous values are where `place` says, and chunks
 * where the image has them: no flush changes them. The next flush, which
 * may come at once and then gives no range, fails (NC_ENOTSUPPORT) where a put would damage the file: it has
 * groups, types, texts of any length, several unlimited dimensions, or is not as the definitions say. */
int pcdf_h5meta_adopt(struct pcdf_h5meta *m, const struct pcdf_meta *meta, const struct pcdf_h5var *vars,
                      bool is_classic_model);
/* All definitions, as they are from now on: those of before may have got other names and attributes, new ones
 * come behind them. Takes effect at the next flush. */
int pcdf_h5meta_define(struct pcdf_h5meta *m, const struct pcdf_meta *meta, const struct pcdf_h5var *vars,
                       bool is_classic_model);
/* The same of chunks that were written; a later one of a chunk takes the place of an earlier one. Chunks of
 * variables without codecs stay where they were first. */
int pcdf_h5meta_chunks(struct pcdf_h5meta *m, int64_t n, const struct pcdf_written_chunk *chunks);
/* Lets the process enter what it was told, while the caller goes on: worth a call behind each put that placed
 * chunks. [eof, *new_eof) is metadata's from now on; new values lie behind it. Nothing happens, and *new_eof
 * is eof, where fewer than `least` chunks wait. numrecs, eof: as of a flush, whose numrecs must not be less
 * later. A file that has no flush after it is what the last flush left. */
enum { PCDF_H5META_LEAST = 8192 }; /* a good number: 10 ms of work */
int pcdf_h5meta_enter(struct pcdf_h5meta *m, int64_t least, int64_t numrecs, int64_t eof, int64_t *new_eof);
/* numrecs: at least as many as the chunks that were told need. eof: from there on the file is free (HEAD or
 * more); *new_eof: from where it is free afterwards, and how long the file must be. The ranges are the
 * caller's, to be freed. NC_EWRITE: libhdf5 refuses, or its process failed; a failed read of the file that is
 * there has its own code and sentence. */
int pcdf_h5meta_flush(struct pcdf_h5meta *m, int64_t numrecs, int64_t eof, int64_t *new_eof,
                      struct pcdf_h5ranges *ranges);
void pcdf_h5meta_end(struct pcdf_h5meta *m); /* NULL: nothing */
void pcdf_h5ranges_free(struct pcdf_h5ranges *ranges);
#endif
