#ifndef PCDF_REFSOUT_H
#define PCDF_REFSOUT_H
/* Where references go: one text of JSON (kerchunk, version 1). What is in memory does not grow with the
 * number of references. */

#include "tooljson.h"

struct pcdf_refs_out {
    struct pcdf_json json; /* all of it */
    const char *name;      /* of the array, and its number of dimensions */
    int ndims;
    char *key; /* "NAME/", and room for an index */
    int dim;   /* indices along this dimension are counted from `from` on; -1: none */
    int64_t from;
    unsigned char *block; /* bytes on their way to base64 */
    char *text;
    int64_t nblock;
};

/* Failures, here and below, are said and give UNUSABLE; a file that cannot be written shows in ferror(to). */
int pcdf_refs_out_begin(struct pcdf_refs_out *out, FILE *to);
void pcdf_refs_out_end(struct pcdf_refs_out *out);
/* Frees what it has, whether it ended or not. */
void pcdf_refs_out_free(struct pcdf_refs_out *out);

/* A text of JSON as metadata: NAME may be NULL, for ".zgroup"; else the key is "NAME/.zarray". */
int pcdf_refs_out_text(struct pcdf_refs_out *out, const char *name, const char *key, const char *text,
                       size_t n);
struct pcdf_refs_inner { /* such a text, an object in the making */
    struct pcdf_json json;
    char *text; /* once it has ended: to free() */
    size_t n;
};
int pcdf_refs_inner_begin(struct pcdf_refs_inner *in);
int pcdf_refs_inner_end(struct pcdf_refs_inner *in); /* text is NULL where it fails */
/* The chunks that follow are of this array. */
int pcdf_refs_out_array(struct pcdf_refs_out *out, const char *name, int ndims);

/* A chunk: where it lies; length -1: it is the whole file. */
void pcdf_refs_out_place(struct pcdf_refs_out *out, const int64_t *index, const char *path, int64_t offset,
                         int64_t length);
/* A chunk itself: its bytes follow in any number of pieces. */
void pcdf_refs_out_bytes_begin(struct pcdf_refs_out *out, const int64_t *index);
void pcdf_refs_out_bytes(struct pcdf_refs_out *out, const unsigned char *bytes, int64_t n);
void pcdf_refs_out_bytes_end(struct pcdf_refs_out *out);
#endif
