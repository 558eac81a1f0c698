#ifndef PCDF_ACCESS_H
#define PCDF_ACCESS_H
/* What the caller wrote in a put or get, one to one with the public arguments. Direction, form and type are
 * values: every one of the public data-access functions is this struct and one call. */

#include <mpi.h>
#include <stdbool.h>
#include "extents.h"

enum pcdf_form {
    PCDF_FORM_VAR,
    PCDF_FORM_VAR1,
    PCDF_FORM_VARA,
    PCDF_FORM_VARS,
    PCDF_FORM_VARM,
    PCDF_FORM_VARN
};

/* The C types that a user buffer may have, in the order of convert.c's table. */
enum pcdf_mtype {
    PCDF_M_TEXT,
    PCDF_M_SCHAR,
    PCDF_M_UCHAR,
    PCDF_M_SHORT,
    PCDF_M_USHORT,
    PCDF_M_INT,
    PCDF_M_UINT,
    PCDF_M_LONG,
    PCDF_M_FLOAT,
    PCDF_M_DOUBLE,
    PCDF_M_LONGLONG,
    PCDF_M_ULONGLONG,
    PCDF_M_TYPES
};

enum pcdf_call_mode {
    PCDF_CALL_INDEPENDENT, /* this rank, now */
    PCDF_CALL_COLLECTIVE,  /* collective, now */
    PCDF_CALL_NONBLOCKING, /* at wait; the caller's buffer stays in use */
    PCDF_CALL_BUFFERED     /* at wait; the attached buffer gets values now */
};

struct pcdf_access {
    enum pcdf_dir dir;
    enum pcdf_form form;
    enum pcdf_call_mode mode;
    const MPI_Offset *start, *count, *stride, *imap; /* elements; NULL where the form has none */
    int num;                                         /* varn: number of hyperslabs */
    MPI_Offset *const *starts, *const *counts;       /* varn */
    void *buf;                                       /* never written to in a put */
    enum pcdf_mtype mtype;                           /* a typed call's */
    bool is_flexible;                                /* then these two describe the buffer: */
    MPI_Offset bufcount;
    MPI_Datatype buftype;
    int *req; /* a posted request's number; may be NULL */
};

/* mput, mget: `num` accesses in one call, element i of each array being access i's. */
struct pcdf_access_many {
    enum pcdf_dir dir;
    enum pcdf_form form;
    enum pcdf_call_mode mode; /* INDEPENDENT or COLLECTIVE */
    MPI_Offset *const *starts, *const *counts, *const *strides, *const *imaps;
    void *const *bufs;
    enum pcdf_mtype mtype;
    bool is_flexible;
    const MPI_Offset *bufcounts;
    const MPI_Datatype *buftypes;
};

/* Carry out or post one access on an open file; carry out several (transfer/blocking.c). Collective with
 * PCDF_CALL_COLLECTIVE. */
int pcdf_access(int ncid, int varid, const struct pcdf_access *access);
int pcdf_access_many(int ncid, int num, const int *varids, const struct pcdf_access_many *many);
#endif
