#ifndef PCDF_MISFITS_H
#define PCDF_MISFITS_H
/* The values of puts and gets that did not fit their type: how many, and the first. Converters tell only that
 * there are some. Then the same values are converted again, in small parts and these one by one, so that a
 * call whose values all fit pays nothing for it. */

#include <stdint.h>
#include "meta.h"

struct pcdf_request;

struct pcdf_misfits {
    int64_t n;                          /* 0: none, and the rest says nothing */
    const struct pcdf_request *request; /* has the first value ... */
    int number;                         /* ... its number in the call, */
    int64_t element;                    /* the value's number in the request, */
    char value[24];                     /* and the value as text */
};

/* Adds those of elements [first, first + n) of request `number`; where none of them fails nothing is added.
 * The memory of a put is as it was, and so are the file bytes of a get (file: of `first`; NULL in a put). The
 * request stays where it is as long as *m is used. */
void pcdf_misfits_count(struct pcdf_misfits *m, int number, struct pcdf_request *request, int64_t first,
                        int64_t n, const unsigned char *file);
/* The requests of `later` come after those of *m. */
void pcdf_misfits_add(struct pcdf_misfits *m, const struct pcdf_misfits *later);

/* NC_ERANGE, with its sentence. owner: "variable v"; type: what the values do not fit in; place: of the first
 * value, " at element 3". */
int pcdf_misfits_fail(const struct pcdf_misfits *m, const char *owner, const char *type, const char *place);
/* The same of the data of variables, which came from so many requests. */
int pcdf_misfits_fail_data(const struct pcdf_misfits *m, const struct pcdf_var *vars, int requests);
#endif
