#ifndef PCDF_COPYSEND_H
#define PCDF_COPYSEND_H
/* `parcdf copy FROM -`: a file to standard output, in the order of its bytes. Another job may write the file
 * meanwhile: what is sent is of the definitions that were sent, or the stream is cut. */

#include "copyoptions.h"
#include "toolfile.h"

struct pcdf_copy_sender {
    struct pcdf_tool_file file; /* its first bytes are the header that is sent */
    struct pcdf_meta meta;      /* as it was decoded of them */
    struct pcdf_layout layout;
    uint64_t hash;        /* of the header, without the number of records */
    char *buffer, *again; /* a piece of the file; the header, read once more */
    int64_t room, at;     /* of buffer; bytes that were sent */
};

/* Opens the file and decodes its header. A status; on failure nothing is left. */
int pcdf_copy_sender_begin(struct pcdf_copy_sender *s, const char *path);
/* May the size count the records? Not where a variable without records lies behind them. */
bool pcdf_copy_sender_may_stream(const struct pcdf_copy_sender *s);
/* The bytes up to `end`, of a header whose count is the size (is_streaming), or meta.numrecs. A status: BAD
 * where the definitions changed: then none of this state or the next one was mixed with the other. */
int pcdf_copy_sender_send(struct pcdf_copy_sender *s, int64_t end, bool is_streaming);
/* So many bytes of padding may still be sent behind the last value of a whole file, which ends at `end`. */
int64_t pcdf_copy_sender_padding(const struct pcdf_copy_sender *s, int64_t end);
void pcdf_copy_sender_free(struct pcdf_copy_sender *s);

/* The file `path`. A status. */
int pcdf_copy_send(const struct pcdf_copy_options *options, const char *path);
#endif
