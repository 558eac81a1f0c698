#ifndef PCDF_MAPWIRE_H
#define PCDF_MAPWIRE_H
/* What the library (mapmaker.c) and the program parcdf-map (plugins/maphost.c) say to each other over a
 * stream socket, the standard input of that program. Both are of one machine, so structs travel as they are.
 * The library says hello, with the path behind it; then the program speaks, and the library answers its reads
 * with a pcdf_mapwire_answer and the bytes. The last message is END or FAILED. The program may be anything
 * that libhdf5 was made to be by a damaged file: the library trusts nothing that it says. */

#include <stdint.h>

enum { PCDF_MAPWIRE_VERSION = 2, PCDF_MAPWIRE_MOST_READ = 1 << 26, PCDF_MAPWIRE_MOST_TEXT = 1000 };

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
    PCDF_MAPWIRE_END
};

struct pcdf_mapwire_message {
    int32_t what, code;
    int64_t offset, length;
};

struct pcdf_mapwire_answer {
    int64_t code; /* NC_NOERR: all bytes follow */
};
#endif
