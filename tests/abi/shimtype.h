#ifndef SHIMTYPE_H
#define SHIMTYPE_H
/* What functions that make datatypes have in common. See abishim.h. */

#include "abishim.h"

#define MAKES_TYPE(call)                                                                                     \
    MPI_Datatype native = MPI_DATATYPE_NULL;                                                                 \
    int err = call;                                                                                          \
    *made = out_type(native);                                                                                \
    RETURN(err)

enum { MOST_DIMS = 64 };
struct deal { /* of a darray */
    int distributions[MOST_DIMS], arguments[MOST_DIMS];
};

static inline struct deal in_deal(int n, const int *distributions, const int *arguments)
{
    struct deal deal;
    for (int i = 0; i < n && i < MOST_DIMS; i++) {
        deal.distributions[i] = in_distribution(distributions[i]);
        deal.arguments[i] = in_darg(arguments[i]);
    }
    return deal;
}

#endif
