#ifndef PCDF_DUMPOUT_H
#define PCDF_DUMPOUT_H
/* Where the text goes: a buffer before a stream, the column of the line for the wrapping of values, colours.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum pcdf_dump_colour { PCDF_DUMP_PLAIN, PCDF_DUMP_WORD, PCDF_DUMP_TYPE, PCDF_DUMP_NAME, PCDF_DUMP_NOTE };

struct pcdf_dump_out {
    FILE *to;
    bool has_colours;
    bool has_plain_names; /* no backslashes, as ncmpidump; control characters stay escaped */
    int column, limit;    /* of the lines of values */
    size_t n;
    char bytes[64 * 1024];
};

void pcdf_dump_bytes(struct pcdf_dump_out *out, const char *text, size_t n);
void pcdf_dump_text(struct pcdf_dump_out *out, const char *text);
void pcdf_dump_format(struct pcdf_dump_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A value and what follows it: on a new line when it would end behind the limit. */
void pcdf_dump_wrapped(struct pcdf_dump_out *out, const char *text, size_t n);
/* From here on in that colour, where there are colours. */
void pcdf_dump_colour(struct pcdf_dump_out *out, enum pcdf_dump_colour colour);
void pcdf_dump_coloured(struct pcdf_dump_out *out, enum pcdf_dump_colour colour, const char *text);
/* A name as CDL writes it: what means something else there has a backslash before it. */
void pcdf_dump_name(struct pcdf_dump_out *out, const char *name);
/* false: the stream takes no more, and all further work is for nothing. */
bool pcdf_dump_flush(struct pcdf_dump_out *out);
#endif
