#ifndef PCDF_COPYSTREAM_H
#define PCDF_COPYSTREAM_H
/* A classic file that comes as a stream of bytes, of which nothing is seen twice: its header is kept until it
 * is complete and checked, and what follows goes on as it comes. At the end it is known what the bytes are.
 * Pure: whoever reads and writes is elsewhere. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "layout.h"

enum { PCDF_COPYSTREAM_HEADER_MOST = 256 << 20 }; /* bytes of a header that is taken */

struct pcdf_copystream {
    /* Takes all bytes in their order, from the first of the file on. A code of its own ends the stream. */
    int (*put)(void *context, const unsigned char *bytes, size_t n);
    void *context;
    unsigned char *header; /* owned; the bytes so far while it is not complete, then the header's */
    size_t n, room, next_look;
    int64_t size; /* bytes that came */
    bool has_header, is_streaming;
    char text[400];
};

struct pcdf_copystream_end {
    bool is_streaming;        /* the header left the count to the size */
    int64_t claimed, numrecs; /* records that the header tells of (-1: the size does), and that are whole */
    int64_t size;             /* the file's, with these records */
    int64_t missing;          /* bytes that the header tells of and that did not come */
    int64_t behind;           /* bytes that came behind `size` */
    bool has_fixed;           /* all variables without records are whole */
    unsigned char count[8];   /* numrecs as it stands at byte 4 */
    int width;                /* of it */
};

/* NC_NOERR; NC_ENOMEM or the code of what is wrong with the header, with a sentence in `text`; the code of
 * put. */
int pcdf_copystream_take(struct pcdf_copystream *s, const unsigned char *bytes, size_t n);
/* The stream ended. An error, with a sentence, if there is no header. Takes nothing more. */
int pcdf_copystream_finish(struct pcdf_copystream *s, struct pcdf_copystream_end *end);
/* Bytes that may stand behind the last value of a whole file, which ends at `end`. */
int64_t pcdf_copystream_padding(const struct pcdf_meta *meta, const struct pcdf_layout *layout, int64_t end);
void pcdf_copystream_free(struct pcdf_copystream *s);
#endif
