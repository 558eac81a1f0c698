#ifndef PCDF_MAPWIRE_H
#define PCDF_MAPWIRE_H
/* What the library (mapmaker.c) and the program parcdf-map (plugins/maphost.c) say to each other over a
 * stream socket, the standard input of that program. Both are of one machine, so structs travel as they are.
 * The library says hello, with the path behind it; then the program speaks, and the library answers its reads
 * with BYTES. The last message is END or FAILED. The program may be anything
 * that libhdf5 was made to be by a damaged file: the library trusts nothing that it says. */

#include <stdint.h>

enum { PCDF_MAPWIRE_VERSION = 4, PCDF_MAPWIRE_MOST_READ = 1 << 26, PCDF_MAPWIRE_MOST_TEXT = 1000 };

struct pcdf_mapwire_hello {
    int32_t version, path_length; /* path_length 0: no local file */
    int64_t size;                 /* of the file */
    int64_t memory, seconds;      /* that the program may use; seconds of CPU */
};

enum pcdf_mapwire_what {
    PCDF_MAPWIRE_READ = 1, /* offset, length */
    PCDF_MAPWIRE_ALIVE,
    PCDF_MAPWIRE_IMAGE,  /* length bytes follow, as of pcdf_image_encode */
    PCDF_MAPWIRE_FAILED, /* code; length bytes of text follow */
    PCDF_MAPWIRE_END,
    PCDF_MAPWIRE_BYTES /* answers READ: code; NC_NOERR: length bytes follow */
};

struct pcdf_mapwire_message {
    int32_t what, code;
    int64_t offset, length;
};

/* ---- The second role, metadata of a file that is written (h5meta.c, plugins/metahost.c). Behind the hello
 * the library speaks, in pcdf_mapwire_message; only FLUSH is answered: by ALIVE, RANGE, and last FLUSHED or
 * FAILED. READ may come at any time. */

enum pcdf_metawire_what {
    PCDF_METAWIRE_DEFINE = 101, /* length bytes follow: definitions */
    PCDF_METAWIRE_CHUNKS,       /* length bytes follow: struct pcdf_written_chunk of plugin.h */
    PCDF_METAWIRE_FLUSH,        /* offset: the end of the file, length: the number of records */
    PCDF_METAWIRE_RANGE,        /* offset; length bytes follow */
    PCDF_METAWIRE_FLUSHED,      /* offset: end of the file; length: room left */
    PCDF_METAWIRE_ADOPT,        /* as DEFINE: what a file that is there has */
    PCDF_METAWIRE_ENTER         /* offset: as FLUSH; pcdf_metawire_room follows */
};

struct pcdf_metawire_room { /* for metadata, from the offset on */
    int64_t length, numrecs;
};

/* Definitions: this, a CDF-5 header, and for each variable a pcdf_metawire_var, its chunk (int64_t for each
 * dimension, where it has one), and its struct pcdf_codec. */
struct pcdf_metawire_definitions {
    int64_t header_length;
    int32_t is_classic_model, nvars;
};

struct pcdf_metawire_var {
    int64_t place;
    int32_t is_chunked, is_filled, ncodecs, is_big_endian;
    unsigned char fill[8];
};
#endif
