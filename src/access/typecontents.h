#ifndef PCDF_TYPECONTENTS_H
#define PCDF_TYPECONTENTS_H
/* How a datatype was made, with or without MPI-4's large counts. The one place that asks for the version. */

#include <mpi.h>

/* Both functions return an MPI error code. The arrays of contents have as many elements as the shape says; of
 * the types, those that are not predefined are to be freed. */

#if MPI_VERSION >= 4

struct pcdf_typeshape {
    int combiner;
    MPI_Count integers, addresses, counts, types; /* how many the contents have */
};

static inline int pcdf_type_shape(MPI_Datatype datatype, struct pcdf_typeshape *s)
{
    return MPI_Type_get_envelope_c(datatype, &s->integers, &s->addresses, &s->counts, &s->types,
                                   &s->combiner);
}

static inline int pcdf_type_contents(MPI_Datatype datatype, const struct pcdf_typeshape *s, int *integers,
                                     MPI_Aint *addresses, MPI_Count *counts, MPI_Datatype *types)
{
    return MPI_Type_get_contents_c(datatype, s->integers, s->addresses, s->counts, s->types, integers,
                                   addresses, counts, types);
}

#else

struct pcdf_typeshape {
    int combiner;
    int integers, addresses, counts, types; /* how many the contents have; no counts */
};

static inline int pcdf_type_shape(MPI_Datatype datatype, struct pcdf_typeshape *s)
{
    s->counts = 0;
    return MPI_Type_get_envelope(datatype, &s->integers, &s->addresses, &s->types, &s->combiner);
}

static inline int pcdf_type_contents(MPI_Datatype datatype, const struct pcdf_typeshape *s, int *integers,
                                     MPI_Aint *addresses, MPI_Count *counts, MPI_Datatype *types)
{
    (void)counts;
    return MPI_Type_get_contents(datatype, s->integers, s->addresses, s->types, integers, addresses, types);
}

#endif
#endif
