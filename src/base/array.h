#ifndef PCDF_ARRAY_H
#define PCDF_ARRAY_H
/* A growable array of any struct: declare PCDF_ARRAY(struct foo) list = {0}; grow before adding. */

#include "alloc.h"
#include "status.h"

#define PCDF_ARRAY(T)                                                                                        \
    struct {                                                                                                 \
        T *x;                                                                                                \
        size_t n, room;                                                                                      \
    }

/* Room for `need` elements, doubling. NC_NOERR or NC_ENOMEM (array unchanged). */
static inline int pcdf_array_reserve(void **x, size_t *room, size_t need, size_t size)
{
    if (need <= *room)
        return NC_NOERR;
    size_t more = *room < 8 ? 8 : *room + *room / 2;
    if (more < need)
        more = need;
    if (more > SIZE_MAX / size)
        return PCDF_FAIL(NC_ENOMEM, "an array of %zu elements of %zu bytes is too large", more, size);
    void *grown = pcdf_realloc(*x, more * size);
    if (!grown)
        return NC_ENOMEM;
    *x = grown;
    *room = more;
    return NC_NOERR;
}
#define PCDF_RESERVE(list, need)                                                                             \
    pcdf_array_reserve((void **)&(list)->x, &(list)->room, (need), sizeof *(list)->x)
#endif
