#ifndef PCDF_ABI_MPI_H
#define PCDF_ABI_MPI_H
/* The standard ABI of MPI 5.0 (chapter 20), as far as parcdf and its tests use it: names, types and values
 * are facts of the standard. For tests only, where no MPI 5 is installed: ../README.md. */

#include <stdint.h>

#define MPI_VERSION        5
#define MPI_SUBVERSION     0
#define MPI_ABI_VERSION    1
#define MPI_ABI_SUBVERSION 0

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset, MPI_Count;
typedef struct {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR, MPI_internal[5];
} MPI_Status;

/* clang-format off */
#define PCDF_ABI(type, value) ((type)(intptr_t)(value))
typedef struct MPI_ABI_Op *MPI_Op;
#define MPI_OP_NULL            PCDF_ABI(MPI_Op, 0x20)
#define MPI_SUM                PCDF_ABI(MPI_Op, 0x21)
#define MPI_MIN                PCDF_ABI(MPI_Op, 0x22)
#define MPI_MAX                PCDF_ABI(MPI_Op, 0x23)
#define MPI_PROD               PCDF_ABI(MPI_Op, 0x24)
#define MPI_BAND               PCDF_ABI(MPI_Op, 0x28)
#define MPI_BOR                PCDF_ABI(MPI_Op, 0x29)
#define MPI_BXOR               PCDF_ABI(MPI_Op, 0x2a)
#define MPI_LAND               PCDF_ABI(MPI_Op, 0x30)
#define MPI_LOR                PCDF_ABI(MPI_Op, 0x31)
#define MPI_LXOR               PCDF_ABI(MPI_Op, 0x32)
#define MPI_MINLOC             PCDF_ABI(MPI_Op, 0x38)
#define MPI_MAXLOC             PCDF_ABI(MPI_Op, 0x39)
#define MPI_REPLACE            PCDF_ABI(MPI_Op, 0x3c)
#define MPI_NO_OP              PCDF_ABI(MPI_Op, 0x3d)
typedef struct MPI_ABI_Comm *MPI_Comm;
#define MPI_COMM_NULL          PCDF_ABI(MPI_Comm, 0x100)
#define MPI_COMM_WORLD         PCDF_ABI(MPI_Comm, 0x101)
#define MPI_COMM_SELF          PCDF_ABI(MPI_Comm, 0x102)
typedef struct MPI_ABI_Group *MPI_Group;
#define MPI_GROUP_NULL         PCDF_ABI(MPI_Group, 0x108)
#define MPI_GROUP_EMPTY        PCDF_ABI(MPI_Group, 0x109)
typedef struct MPI_ABI_Win *MPI_Win;
#define MPI_WIN_NULL           PCDF_ABI(MPI_Win, 0x110)
typedef struct MPI_ABI_File *MPI_File;
#define MPI_FILE_NULL          PCDF_ABI(MPI_File, 0x118)
typedef struct MPI_ABI_Session *MPI_Session;
#define MPI_SESSION_NULL       PCDF_ABI(MPI_Session, 0x120)
typedef struct MPI_ABI_Info *MPI_Info;
#define MPI_INFO_NULL          PCDF_ABI(MPI_Info, 0x130)
#define MPI_INFO_ENV           PCDF_ABI(MPI_Info, 0x131)
typedef struct MPI_ABI_Errhandler *MPI_Errhandler;
#define MPI_ERRHANDLER_NULL    PCDF_ABI(MPI_Errhandler, 0x140)
#define MPI_ERRORS_ARE_FATAL   PCDF_ABI(MPI_Errhandler, 0x141)
#define MPI_ERRORS_ABORT       PCDF_ABI(MPI_Errhandler, 0x142)
#define MPI_ERRORS_RETURN      PCDF_ABI(MPI_Errhandler, 0x143)
typedef struct MPI_ABI_Request *MPI_Request;
#define MPI_REQUEST_NULL       PCDF_ABI(MPI_Request, 0x180)
typedef struct MPI_ABI_Datatype *MPI_Datatype;
#define MPI_DATATYPE_NULL      PCDF_ABI(MPI_Datatype, 0x200)
#define MPI_AINT               PCDF_ABI(MPI_Datatype, 0x201)
#define MPI_COUNT              PCDF_ABI(MPI_Datatype, 0x202)
#define MPI_OFFSET             PCDF_ABI(MPI_Datatype, 0x203)
#define MPI_PACKED             PCDF_ABI(MPI_Datatype, 0x207)
#define MPI_SHORT              PCDF_ABI(MPI_Datatype, 0x208)
#define MPI_INT                PCDF_ABI(MPI_Datatype, 0x209)
#define MPI_LONG               PCDF_ABI(MPI_Datatype, 0x20a)
#define MPI_LONG_LONG          PCDF_ABI(MPI_Datatype, 0x20b)
#define MPI_LONG_LONG_INT      MPI_LONG_LONG
#define MPI_UNSIGNED_SHORT     PCDF_ABI(MPI_Datatype, 0x20c)
#define MPI_UNSIGNED           PCDF_ABI(MPI_Datatype, 0x20d)
#define MPI_UNSIGNED_LONG      PCDF_ABI(MPI_Datatype, 0x20e)
#define MPI_UNSIGNED_LONG_LONG PCDF_ABI(MPI_Datatype, 0x20f)
#define MPI_FLOAT              PCDF_ABI(MPI_Datatype, 0x210)
#define MPI_DOUBLE             PCDF_ABI(MPI_Datatype, 0x214)
#define MPI_LOGICAL            PCDF_ABI(MPI_Datatype, 0x218)
#define MPI_INTEGER            PCDF_ABI(MPI_Datatype, 0x219)
#define MPI_REAL               PCDF_ABI(MPI_Datatype, 0x21a)
#define MPI_COMPLEX            PCDF_ABI(MPI_Datatype, 0x21b)
#define MPI_DOUBLE_PRECISION   PCDF_ABI(MPI_Datatype, 0x21c)
#define MPI_CHARACTER          PCDF_ABI(MPI_Datatype, 0x21e)
#define MPI_LONG_DOUBLE        PCDF_ABI(MPI_Datatype, 0x220)
#define MPI_FLOAT_INT          PCDF_ABI(MPI_Datatype, 0x228)
#define MPI_C_BOOL             PCDF_ABI(MPI_Datatype, 0x238)
#define MPI_INT8_T             PCDF_ABI(MPI_Datatype, 0x240)
#define MPI_UINT8_T            PCDF_ABI(MPI_Datatype, 0x241)
#define MPI_CHAR               PCDF_ABI(MPI_Datatype, 0x243)
#define MPI_SIGNED_CHAR        PCDF_ABI(MPI_Datatype, 0x244)
#define MPI_UNSIGNED_CHAR      PCDF_ABI(MPI_Datatype, 0x245)
#define MPI_BYTE               PCDF_ABI(MPI_Datatype, 0x247)
#define MPI_INT16_T            PCDF_ABI(MPI_Datatype, 0x248)
#define MPI_UINT16_T           PCDF_ABI(MPI_Datatype, 0x249)
#define MPI_INT32_T            PCDF_ABI(MPI_Datatype, 0x250)
#define MPI_UINT32_T           PCDF_ABI(MPI_Datatype, 0x251)
#define MPI_INT64_T            PCDF_ABI(MPI_Datatype, 0x258)
#define MPI_UINT64_T           PCDF_ABI(MPI_Datatype, 0x259)
#define MPI_INTEGER1           PCDF_ABI(MPI_Datatype, 0x2c1)
#define MPI_INTEGER2           PCDF_ABI(MPI_Datatype, 0x2c9)
#define MPI_INTEGER4           PCDF_ABI(MPI_Datatype, 0x2d1)
#define MPI_REAL4              PCDF_ABI(MPI_Datatype, 0x2d2)
#define MPI_INTEGER8           PCDF_ABI(MPI_Datatype, 0x2d9)
#define MPI_REAL8              PCDF_ABI(MPI_Datatype, 0x2da)

#define MPI_BOTTOM          ((void *)0)
#define MPI_IN_PLACE        ((void *)1)
#define MPI_STATUS_IGNORE   ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)

#define MPI_MAX_ERROR_STRING           512
#define MPI_MAX_INFO_KEY               256
#define MPI_MAX_INFO_VAL               1024
#define MPI_MAX_LIBRARY_VERSION_STRING 8192
#define MPI_MAX_OBJECT_NAME            128
#define MPI_MAX_PROCESSOR_NAME         256
/* clang-format on */

enum {
    MPI_SUCCESS = 0,
    MPI_ERR_BUFFER = 1,
    MPI_ERR_COUNT = 2,
    MPI_ERR_TYPE = 3,
    MPI_ERR_TAG = 4,
    MPI_ERR_COMM = 5,
    MPI_ERR_RANK = 6,
    MPI_ERR_REQUEST = 7,
    MPI_ERR_ROOT = 8,
    MPI_ERR_GROUP = 9,
    MPI_ERR_OP = 10,
    MPI_ERR_TOPOLOGY = 11,
    MPI_ERR_DIMS = 12,
    MPI_ERR_ARG = 13,
    MPI_ERR_UNKNOWN = 14,
    MPI_ERR_TRUNCATE = 15,
    MPI_ERR_OTHER = 16,
    MPI_ERR_INTERN = 17,
    MPI_ERR_PENDING = 18,
    MPI_ERR_IN_STATUS = 19,
    MPI_ERR_ACCESS = 20,
    MPI_ERR_AMODE = 21,
    MPI_ERR_ASSERT = 22,
    MPI_ERR_BAD_FILE = 23,
    MPI_ERR_BASE = 24,
    MPI_ERR_CONVERSION = 25,
    MPI_ERR_DISP = 26,
    MPI_ERR_DUP_DATAREP = 27,
    MPI_ERR_FILE_EXISTS = 28,
    MPI_ERR_FILE_IN_USE = 29,
    MPI_ERR_FILE = 30,
    MPI_ERR_INFO_KEY = 31,
    MPI_ERR_INFO_NOKEY = 32,
    MPI_ERR_INFO_VALUE = 33,
    MPI_ERR_INFO = 34,
    MPI_ERR_IO = 35,
    MPI_ERR_KEYVAL = 36,
    MPI_ERR_LOCKTYPE = 37,
    MPI_ERR_NAME = 38,
    MPI_ERR_NO_MEM = 39,
    MPI_ERR_NOT_SAME = 40,
    MPI_ERR_NO_SPACE = 41,
    MPI_ERR_NO_SUCH_FILE = 42,
    MPI_ERR_PORT = 43,
    MPI_ERR_QUOTA = 44,
    MPI_ERR_READ_ONLY = 45,
    MPI_ERR_RMA_ATTACH = 46,
    MPI_ERR_RMA_CONFLICT = 47,
    MPI_ERR_RMA_RANGE = 48,
    MPI_ERR_RMA_SHARED = 49,
    MPI_ERR_RMA_SYNC = 50,
    MPI_ERR_SERVICE = 51,
    MPI_ERR_SIZE = 52,
    MPI_ERR_SPAWN = 53,
    MPI_ERR_UNSUPPORTED_DATAREP = 54,
    MPI_ERR_UNSUPPORTED_OPERATION = 55,
    MPI_ERR_WIN = 56,
    MPI_ERR_RMA_FLAVOR = 57,
    MPI_ERR_PROC_ABORTED = 58,
    MPI_ERR_VALUE_TOO_LARGE = 59,
    MPI_ERR_SESSION = 60,
    MPI_ERR_ERRHANDLER = 61,
    MPI_ERR_ABI = 62,
    MPI_ERR_LASTCODE = 16383
};
enum {
    MPI_MODE_APPEND = 1,
    MPI_MODE_CREATE = 2,
    MPI_MODE_DELETE_ON_CLOSE = 4,
    MPI_MODE_EXCL = 8,
    MPI_MODE_RDONLY = 16,
    MPI_MODE_RDWR = 32,
    MPI_MODE_SEQUENTIAL = 64,
    MPI_MODE_UNIQUE_OPEN = 128,
    MPI_MODE_WRONLY = 256
};
enum { MPI_ANY_SOURCE = -1, MPI_ANY_TAG = -2, MPI_PROC_NULL = -3, MPI_ROOT = -4, MPI_UNDEFINED = -32766 };
enum {
    MPI_THREAD_SINGLE = 0,
    MPI_THREAD_FUNNELED = 1024,
    MPI_THREAD_SERIALIZED = 2048,
    MPI_THREAD_MULTIPLE = 4096
};
enum {
    MPI_ORDER_C = 12,
    MPI_ORDER_FORTRAN = 15,
    MPI_DISTRIBUTE_NONE,
    MPI_DISTRIBUTE_BLOCK,
    MPI_DISTRIBUTE_CYCLIC,
    MPI_DISTRIBUTE_DFLT_DARG
};
enum {
    MPI_COMBINER_NAMED = 101,
    MPI_COMBINER_DUP,
    MPI_COMBINER_CONTIGUOUS,
    MPI_COMBINER_VECTOR,
    MPI_COMBINER_HVECTOR,
    MPI_COMBINER_INDEXED,
    MPI_COMBINER_HINDEXED,
    MPI_COMBINER_INDEXED_BLOCK,
    MPI_COMBINER_HINDEXED_BLOCK,
    MPI_COMBINER_STRUCT,
    MPI_COMBINER_SUBARRAY,
    MPI_COMBINER_DARRAY,
    MPI_COMBINER_F90_REAL,
    MPI_COMBINER_F90_COMPLEX,
    MPI_COMBINER_F90_INTEGER,
    MPI_COMBINER_RESIZED
};
enum { MPI_IDENT = 201, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL };
enum { MPI_COMM_TYPE_SHARED = 221 };
enum { MPI_KEYVAL_INVALID = 0 };

typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void *, void *, void *, int *);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void *, void *);
#define MPI_COMM_NULL_COPY_FN   ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_DUP_FN         ((MPI_Comm_copy_attr_function *)1)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)

/* Each function has a second name, under which tools that replace the first one call it. */
#define PCDF_ABI_FUNCTION(type, name, parameters)                                                            \
    type MPI_##name parameters;                                                                              \
    type PMPI_##name parameters;
#ifdef __cplusplus
extern "C" {
#endif
/* clang-format off */
PCDF_ABI_FUNCTION(int, Abi_get_version, (int *major, int *minor))
PCDF_ABI_FUNCTION(int, Abort, (MPI_Comm, int))
PCDF_ABI_FUNCTION(int, Allgather, (const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm))
PCDF_ABI_FUNCTION(int, Allgatherv, (const void *, int, MPI_Datatype, void *, const int[], const int[], MPI_Datatype, MPI_Comm))
PCDF_ABI_FUNCTION(int, Allreduce, (const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm))
PCDF_ABI_FUNCTION(int, Allreduce_c, (const void *, void *, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm))
PCDF_ABI_FUNCTION(int, Alltoall, (const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm))
PCDF_ABI_FUNCTION(int, Alltoallv, (const void *, const int[], const int[], MPI_Datatype, void *, const int[], const int[], MPI_Datatype, MPI_Comm))
PCDF_ABI_FUNCTION(int, Alltoallw, (const void *, const int[], const int[], const MPI_Datatype[], void *, const int[], const int[], const MPI_Datatype[], MPI_Comm))
PCDF_ABI_FUNCTION(int, Barrier, (MPI_Comm))
PCDF_ABI_FUNCTION(int, Bcast, (void *, int, MPI_Datatype, int, MPI_Comm))
PCDF_ABI_FUNCTION(int, Bcast_c, (void *, MPI_Count, MPI_Datatype, int, MPI_Comm))
PCDF_ABI_FUNCTION(int, Cancel, (MPI_Request *))
PCDF_ABI_FUNCTION(int, Cart_coords, (MPI_Comm, int, int, int[]))
PCDF_ABI_FUNCTION(int, Cart_create, (MPI_Comm, int, const int[], const int[], int, MPI_Comm *))
PCDF_ABI_FUNCTION(int, Comm_compare, (MPI_Comm, MPI_Comm, int *))
PCDF_ABI_FUNCTION(int, Comm_create_from_group, (MPI_Group, const char *, MPI_Info, MPI_Errhandler, MPI_Comm *))
PCDF_ABI_FUNCTION(int, Comm_create_group, (MPI_Comm, MPI_Group, int, MPI_Comm *))
PCDF_ABI_FUNCTION(int, Comm_create_keyval, (MPI_Comm_copy_attr_function *, MPI_Comm_delete_attr_function *, int *, void *))
PCDF_ABI_FUNCTION(int, Comm_delete_attr, (MPI_Comm, int))
PCDF_ABI_FUNCTION(int, Comm_dup, (MPI_Comm, MPI_Comm *))
PCDF_ABI_FUNCTION(int, Comm_free, (MPI_Comm *))
PCDF_ABI_FUNCTION(int, Comm_free_keyval, (int *))
PCDF_ABI_FUNCTION(int, Comm_get_attr, (MPI_Comm, int, void *, int *))
PCDF_ABI_FUNCTION(int, Comm_get_errhandler, (MPI_Comm, MPI_Errhandler *))
PCDF_ABI_FUNCTION(int, Comm_group, (MPI_Comm, MPI_Group *))
PCDF_ABI_FUNCTION(int, Comm_rank, (MPI_Comm, int *))
PCDF_ABI_FUNCTION(int, Comm_set_attr, (MPI_Comm, int, void *))
PCDF_ABI_FUNCTION(int, Comm_set_errhandler, (MPI_Comm, MPI_Errhandler))
PCDF_ABI_FUNCTION(int, Comm_size, (MPI_Comm, int *))
PCDF_ABI_FUNCTION(int, Comm_split, (MPI_Comm, int, int, MPI_Comm *))
PCDF_ABI_FUNCTION(int, Comm_split_type, (MPI_Comm, int, int, MPI_Info, MPI_Comm *))
PCDF_ABI_FUNCTION(int, Comm_test_inter, (MPI_Comm, int *))
PCDF_ABI_FUNCTION(int, Dims_create, (int, int, int[]))
PCDF_ABI_FUNCTION(int, Errhandler_free, (MPI_Errhandler *))
PCDF_ABI_FUNCTION(int, Error_class, (int, int *))
PCDF_ABI_FUNCTION(int, Error_string, (int, char *, int *))
PCDF_ABI_FUNCTION(int, Exscan, (const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm))
PCDF_ABI_FUNCTION(int, File_close, (MPI_File *))
PCDF_ABI_FUNCTION(int, File_get_info, (MPI_File, MPI_Info *))
PCDF_ABI_FUNCTION(int, File_get_size, (MPI_File, MPI_Offset *))
PCDF_ABI_FUNCTION(int, File_open, (MPI_Comm, const char *, int, MPI_Info, MPI_File *))
PCDF_ABI_FUNCTION(int, File_preallocate, (MPI_File, MPI_Offset))
PCDF_ABI_FUNCTION(int, File_read, (MPI_File, void *, int, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_read_all, (MPI_File, void *, int, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_read_all_c, (MPI_File, void *, MPI_Count, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_read_at, (MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_read_at_all, (MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_read_at_all_c, (MPI_File, MPI_Offset, void *, MPI_Count, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_read_at_c, (MPI_File, MPI_Offset, void *, MPI_Count, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_read_c, (MPI_File, void *, MPI_Count, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_set_errhandler, (MPI_File, MPI_Errhandler))
PCDF_ABI_FUNCTION(int, File_set_size, (MPI_File, MPI_Offset))
PCDF_ABI_FUNCTION(int, File_set_view, (MPI_File, MPI_Offset, MPI_Datatype, MPI_Datatype, const char *, MPI_Info))
PCDF_ABI_FUNCTION(int, File_sync, (MPI_File))
PCDF_ABI_FUNCTION(int, File_write, (MPI_File, const void *, int, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_write_all, (MPI_File, const void *, int, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_write_all_c, (MPI_File, const void *, MPI_Count, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_write_at, (MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_write_at_all, (MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_write_at_all_c, (MPI_File, MPI_Offset, const void *, MPI_Count, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_write_at_c, (MPI_File, MPI_Offset, const void *, MPI_Count, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, File_write_c, (MPI_File, const void *, MPI_Count, MPI_Datatype, MPI_Status *))
PCDF_ABI_FUNCTION(int, Finalize, (void))
PCDF_ABI_FUNCTION(int, Finalized, (int *))
PCDF_ABI_FUNCTION(int, Gather, (const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm))
PCDF_ABI_FUNCTION(int, Gatherv, (const void *, int, MPI_Datatype, void *, const int[], const int[], MPI_Datatype, int, MPI_Comm))
PCDF_ABI_FUNCTION(int, Get_address, (const void *, MPI_Aint *))
PCDF_ABI_FUNCTION(int, Get_count, (const MPI_Status *, MPI_Datatype, int *))
PCDF_ABI_FUNCTION(int, Get_library_version, (char *, int *))
PCDF_ABI_FUNCTION(int, Get_processor_name, (char *, int *))
PCDF_ABI_FUNCTION(int, Group_compare, (MPI_Group, MPI_Group, int *))
PCDF_ABI_FUNCTION(int, Group_free, (MPI_Group *))
PCDF_ABI_FUNCTION(int, Group_from_session_pset, (MPI_Session, const char *, MPI_Group *))
PCDF_ABI_FUNCTION(int, Group_incl, (MPI_Group, int, const int[], MPI_Group *))
PCDF_ABI_FUNCTION(int, Group_intersection, (MPI_Group, MPI_Group, MPI_Group *))
PCDF_ABI_FUNCTION(int, Group_size, (MPI_Group, int *))
PCDF_ABI_FUNCTION(int, Group_translate_ranks, (MPI_Group, int, const int[], MPI_Group, int[]))
PCDF_ABI_FUNCTION(int, Iallreduce, (const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *))
PCDF_ABI_FUNCTION(int, Ibarrier, (MPI_Comm, MPI_Request *))
PCDF_ABI_FUNCTION(int, Info_create, (MPI_Info *))
PCDF_ABI_FUNCTION(int, Info_delete, (MPI_Info, const char *))
PCDF_ABI_FUNCTION(int, Info_dup, (MPI_Info, MPI_Info *))
PCDF_ABI_FUNCTION(int, Info_free, (MPI_Info *))
PCDF_ABI_FUNCTION(int, Info_get, (MPI_Info, const char *, int, char *, int *))
PCDF_ABI_FUNCTION(int, Info_get_nkeys, (MPI_Info, int *))
PCDF_ABI_FUNCTION(int, Info_get_nthkey, (MPI_Info, int, char *))
PCDF_ABI_FUNCTION(int, Info_get_valuelen, (MPI_Info, const char *, int *, int *))
PCDF_ABI_FUNCTION(int, Info_set, (MPI_Info, const char *, const char *))
PCDF_ABI_FUNCTION(int, Init, (int *, char ***))
PCDF_ABI_FUNCTION(int, Init_thread, (int *, char ***, int, int *))
PCDF_ABI_FUNCTION(int, Initialized, (int *))
PCDF_ABI_FUNCTION(int, Intercomm_create, (MPI_Comm, int, MPI_Comm, int, int, MPI_Comm *))
PCDF_ABI_FUNCTION(int, Intercomm_merge, (MPI_Comm, int, MPI_Comm *))
PCDF_ABI_FUNCTION(int, Iprobe, (int, int, MPI_Comm, int *, MPI_Status *))
PCDF_ABI_FUNCTION(int, Irecv, (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *))
PCDF_ABI_FUNCTION(int, Isend, (const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *))
PCDF_ABI_FUNCTION(int, Issend, (const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *))
PCDF_ABI_FUNCTION(int, Pack, (const void *, int, MPI_Datatype, void *, int, int *, MPI_Comm))
PCDF_ABI_FUNCTION(int, Put, (const void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win))
PCDF_ABI_FUNCTION(int, Query_thread, (int *))
PCDF_ABI_FUNCTION(int, Recv, (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *))
PCDF_ABI_FUNCTION(int, Reduce, (const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm))
PCDF_ABI_FUNCTION(int, Scan, (const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm))
PCDF_ABI_FUNCTION(int, Scatter, (const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm))
PCDF_ABI_FUNCTION(int, Scatterv, (const void *, const int[], const int[], MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm))
PCDF_ABI_FUNCTION(int, Send, (const void *, int, MPI_Datatype, int, int, MPI_Comm))
PCDF_ABI_FUNCTION(int, Sendrecv, (const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *))
PCDF_ABI_FUNCTION(int, Session_finalize, (MPI_Session *))
PCDF_ABI_FUNCTION(int, Session_init, (MPI_Info, MPI_Errhandler, MPI_Session *))
PCDF_ABI_FUNCTION(int, Ssend, (const void *, int, MPI_Datatype, int, int, MPI_Comm))
PCDF_ABI_FUNCTION(int, Test, (MPI_Request *, int *, MPI_Status *))
PCDF_ABI_FUNCTION(int, Type_commit, (MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_contiguous, (int, MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_contiguous_c, (MPI_Count, MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_darray, (int, int, int, const int[], const int[], const int[], const int[], int, MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_darray_c, (int, int, int, const MPI_Count[], const int[], const int[], const int[], int, MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_f90_complex, (int, int, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_f90_integer, (int, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_f90_real, (int, int, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_hindexed, (int, const int[], const MPI_Aint[], MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_hindexed_block, (int, int, const MPI_Aint[], MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_hindexed_block_c, (MPI_Count, MPI_Count, const MPI_Count[], MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_hindexed_c, (MPI_Count, const MPI_Count[], const MPI_Count[], MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_hvector, (int, int, MPI_Aint, MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_hvector_c, (MPI_Count, MPI_Count, MPI_Count, MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_indexed_block, (int, int, const int[], MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_indexed_block_c, (MPI_Count, MPI_Count, const MPI_Count[], MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_resized, (MPI_Datatype, MPI_Aint, MPI_Aint, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_struct, (int, const int[], const MPI_Aint[], const MPI_Datatype[], MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_struct_c, (MPI_Count, const MPI_Count[], const MPI_Count[], const MPI_Datatype[], MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_subarray, (int, const int[], const int[], const int[], int, MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_create_subarray_c, (int, const MPI_Count[], const MPI_Count[], const MPI_Count[], int, MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_dup, (MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_free, (MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_get_contents, (MPI_Datatype, int, int, int, int[], MPI_Aint[], MPI_Datatype[]))
PCDF_ABI_FUNCTION(int, Type_get_contents_c, (MPI_Datatype, MPI_Count, MPI_Count, MPI_Count, MPI_Count, int[], MPI_Aint[], MPI_Count[], MPI_Datatype[]))
PCDF_ABI_FUNCTION(int, Type_get_envelope, (MPI_Datatype, int *, int *, int *, int *))
PCDF_ABI_FUNCTION(int, Type_get_envelope_c, (MPI_Datatype, MPI_Count *, MPI_Count *, MPI_Count *, MPI_Count *, int *))
PCDF_ABI_FUNCTION(int, Type_get_extent_x, (MPI_Datatype, MPI_Count *, MPI_Count *))
PCDF_ABI_FUNCTION(int, Type_get_name, (MPI_Datatype, char *, int *))
PCDF_ABI_FUNCTION(int, Type_get_true_extent_x, (MPI_Datatype, MPI_Count *, MPI_Count *))
PCDF_ABI_FUNCTION(int, Type_indexed, (int, const int[], const int[], MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_indexed_c, (MPI_Count, const MPI_Count[], const MPI_Count[], MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_size, (MPI_Datatype, int *))
PCDF_ABI_FUNCTION(int, Type_size_x, (MPI_Datatype, MPI_Count *))
PCDF_ABI_FUNCTION(int, Type_vector, (int, int, int, MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Type_vector_c, (MPI_Count, MPI_Count, MPI_Count, MPI_Datatype, MPI_Datatype *))
PCDF_ABI_FUNCTION(int, Unpack, (const void *, int, int *, void *, int, MPI_Datatype, MPI_Comm))
PCDF_ABI_FUNCTION(int, Wait, (MPI_Request *, MPI_Status *))
PCDF_ABI_FUNCTION(int, Waitall, (int, MPI_Request[], MPI_Status[]))
PCDF_ABI_FUNCTION(int, Waitany, (int, MPI_Request[], int *, MPI_Status *))
PCDF_ABI_FUNCTION(int, Win_allocate_shared, (MPI_Aint, int, MPI_Info, MPI_Comm, void *, MPI_Win *))
PCDF_ABI_FUNCTION(int, Win_create, (void *, MPI_Aint, int, MPI_Info, MPI_Comm, MPI_Win *))
PCDF_ABI_FUNCTION(int, Win_free, (MPI_Win *))
PCDF_ABI_FUNCTION(double, Wtime, (void))
/* clang-format on */
#ifdef __cplusplus
}
#endif
#endif
