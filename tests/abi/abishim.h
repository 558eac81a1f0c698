#ifndef ABISHIM_H
#define ABISHIM_H
/* A layer that translates between the ABI of MPI 5.0 and the MPI library to which this compiler's mpi.h
 * belongs
 * ("native" below). The functions of the ABI are this library's MPI_* and PMPI_*; each calls the native
 * function of the same name. Handles of the ABI are pointers. The predefined ones are small numbers, which
 * have a table; all others hold the bits of the native handle.
 *
 * The native library is not linked to but loaded, so that each name means its own function in either
 * (RTLD_DEEPBIND, abishim.c). */

#include <limits.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

void *pcdf_shim_symbol(const char *name); /* of the native library; ends the program where there is none */

#ifdef OPEN_MPI /* its handles are the addresses of variables */
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, variable) ((type)pcdf_shim_symbol(#variable))
#endif

/* The native function of this name. */
#define NATIVE(name)                                                                                         \
    (*({                                                                                                     \
        static void *found_##name;                                                                           \
        if (!found_##name)                                                                                   \
            found_##name = pcdf_shim_symbol("PMPI_" #name);                                                  \
        (__typeof__(&PMPI_##name))found_##name;                                                              \
    }))

enum pcdf_shim_kind {
    COMM,
    GROUP,
    FILE_,
    INFO,
    ERRHANDLER,
    REQUEST,
    OP,
    TYPE,
    WIN,
    ERROR,
    MODE,
    RANK,
    TAG,
    NUMBER,
    LEVEL,
    ORDER,
    DISTRIBUTION,
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
    }                                                                                                        \
    static inline type *in_##name##s(int64_t n, const handle *abi) /* the caller frees; NULL: no memory */   \
    {                                                                                                        \
        type *native = malloc(((size_t)n + 1) * sizeof *native);                                             \
        for (int64_t i = 0; native && abi && i < n; i++)                                                     \
            native[i] = in_##name(abi[i]);                                                                   \
        return native;                                                                                       \
    }                                                                                                        \
    static inline void out_##name##s(int64_t n, const type *native, handle *abi)                             \
    {                                                                                                        \
        for (int64_t i = 0; i < n; i++)                                                                      \
            abi[i] = out_##name(native[i]);                                                                  \
    }
ABISHIM_HANDLE(MPI_Comm, comm, COMM)
ABISHIM_HANDLE(MPI_Group, group, GROUP)
ABISHIM_HANDLE(MPI_File, file, FILE_)
ABISHIM_HANDLE(MPI_Info, info, INFO)
ABISHIM_HANDLE(MPI_Errhandler, errhandler, ERRHANDLER)
ABISHIM_HANDLE(MPI_Request, request, REQUEST)
ABISHIM_HANDLE(MPI_Op, op, OP)
ABISHIM_HANDLE(MPI_Datatype, type, TYPE)
ABISHIM_HANDLE(MPI_Win, win, WIN)

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
SHIM_NUMBER(order, ORDER)
SHIM_NUMBER(distribution, DISTRIBUTION)
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

/* SHIM(Barrier, (handle comm)) { ... }: defines MPI_Barrier and PMPI_Barrier of the ABI. */
#define SHIM(name, parameters) SHIM_OF(int, name, parameters)
#define SHIM_OF(type, name, parameters)                                                                      \
    __attribute__((visibility("default"))) type shim_##name parameters __asm__("PMPI_" #name);               \
    __attribute__((visibility("default"), weak, alias("PMPI_" #name)))                                       \
    type replaced_##name parameters __asm__("MPI_" #name);                                                   \
    type shim_##name parameters

/* A function whose count is an MPI_Count, the second argument: an MPI before 4.0 takes those that are an int.
 */
#if MPI_VERSION >= 4
#define LARGE(name, n, ...) NATIVE(name##_c)(__VA_ARGS__)
#else
#define LARGE(name, n, ...) ((n) > INT_MAX ? MPI_ERR_COUNT : NATIVE(name)(__VA_ARGS__))
#endif

#define RETURN(call) return out_error(call)
#endif
