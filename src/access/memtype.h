#ifndef PCDF_MEMTYPE_H
#define PCDF_MEMTYPE_H
/* An MPI datatype, taken apart: its one element type and where its elements lie, in the order in which MPI
 * packs them. Keeps nothing of MPI, so the user may free the datatype; takes the memory that the datatype's
 * description takes, not its data's. */

#include "access.h"
#include "typemap.h"

struct pcdf_memtype {
    enum pcdf_mtype mtype;    /* PCDF_M_TYPES: one without conversion, or no element */
    const char *name;         /* "MPI_INT"; NULL: no element at all */
    int64_t size;             /* bytes of an element */
    int64_t extent;           /* bytes from one item to the next */
    struct pcdf_memnode root; /* describes one item; its n tells the elements */
    struct pcdf_typemap tree;
};

/* NC_EUNSPTETYPE: an element type or a way of making types that is not known here; NC_EMULTITYPES; NC_ENOMEM;
 * NC_EINVAL: no memory is that large. MPI_BYTE and MPI_UNSIGNED_LONG can be described but not converted. */
int pcdf_memtype_decode(struct pcdf_memtype *type, MPI_Datatype datatype);
void pcdf_memtype_free(struct pcdf_memtype *type);

/* The memory type of a predefined datatype; PCDF_M_TYPES for any other. */
enum pcdf_mtype pcdf_memtype_predefined(MPI_Datatype datatype);
#endif
