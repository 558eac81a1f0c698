#ifndef ABISHIM_H
#define ABISHIM_H
/* What translates between the ABI of MPI 5.0 and the MPI library that mpi.h belongs to here. The functions of
 * the ABI are this library's MPI_*; they call PMPI_* of the MPI library. Handles of the ABI are pointers. The
 * predefined ones are small numbers, which have a table; all others hold the bits of the library's own. */

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

enum pcdf_shim_kind {
    COMM,
    GROUP,
    FILE_,
    INFO,
    ERRHANDLER,
    REQUEST,
    OP,
    TYPE,
    ERROR,
    MODE,
    RANK,
    TAG,
    NUMBER,
    LEVEL,
    DEAL, /* MPI_ORDER_*, MPI_DISTRIBUTE_* */
    DARG,
    COMBINER,
    COMPARED,
    SPLIT,
    KEYVAL
};

intptr_t pcdf_shim_native(enum pcdf_shim_kind kind, intptr_t abi);
intptr_t pcdf_shim_abi(enum pcdf_shim_kind kind, intptr_t native);

/* MPICH's handles are int, Open MPI's pointers. */
#define SHIM_BITS(x) (sizeof(x) == 4 ? (intptr_t)(uint32_t)(intptr_t)(x) : (intptr_t)(x))

typedef struct shim_handle *handle; /* of any kind */
#define ABISHIM_HANDLE(type, name, kind)                                                                     \
    static inline type in_##name(handle abi)                                                                 \
    {                                                                                                        \
        return (type)pcdf_shim_native(kind, (intptr_t)abi);                                                  \
    }                                                                                                        \
    static inline handle out_##name(type native)                                                             \
    {                                                                                                        \
        return (handle)pcdf_shim_abi(kind, SHIM_BITS(native));                                               \
    }
ABISHIM_HANDLE(MPI_Comm, comm, COMM)
ABISHIM_HANDLE(MPI_Group, group, GROUP)
ABISHIM_HANDLE(MPI_File, file, FILE_)
ABISHIM_HANDLE(MPI_Info, info, INFO)
ABISHIM_HANDLE(MPI_Errhandler, errhandler, ERRHANDLER)
ABISHIM_HANDLE(MPI_Request, request, REQUEST)
ABISHIM_HANDLE(MPI_Op, op, OP)
ABISHIM_HANDLE(MPI_Datatype, type, TYPE)

#define SHIM_NUMBER(name, kind)                                                                              \
    static inline int in_##name(int abi)                                                                     \
    {                                                                                                        \
        return (int)pcdf_shim_native(kind, abi);                                                             \
    }                                                                                                        \
    static inline int out_##name(int native)                                                                 \
    {                                                                                                        \
        return (int)pcdf_shim_abi(kind, native);                                                             \
    }
SHIM_NUMBER(error, ERROR)
SHIM_NUMBER(rank, RANK)
SHIM_NUMBER(tag, TAG)
SHIM_NUMBER(number, NUMBER)
SHIM_NUMBER(level, LEVEL)
SHIM_NUMBER(deal, DEAL)
SHIM_NUMBER(darg, DARG)
SHIM_NUMBER(combiner, COMBINER)
SHIM_NUMBER(compared, COMPARED)
SHIM_NUMBER(split, SPLIT)
SHIM_NUMBER(keyval, KEYVAL)

struct shim_status { /* MPI_Status of the ABI */
    int source, tag, error, internal[5];
};
void pcdf_shim_status(struct shim_status *abi, const MPI_Status *native);
MPI_Status pcdf_shim_native_status(const struct shim_status *abi);

static inline void *in_buffer(const void *abi)
{
    return abi == (const void *)1 ? MPI_IN_PLACE : (void *)(uintptr_t)abi;
}

/* SHIM(Barrier, (handle comm)) { ... }: defines MPI_Barrier of the ABI. */
#define SHIM(name, parameters)                                                                               \
    __attribute__((visibility("default"))) int shim_##name parameters __asm__("MPI_" #name);                 \
    int shim_##name parameters

#define RETURN(call) return out_error(call)
#endif
