#ifndef PNETCDF_H
#define PNETCDF_H
/* clang-format off */
/* Written by src/api/header.py from src/api/pnetcdf.h.in and src/base/errors.def; change those.
 *
 * parcdf: parallel reading and writing of netCDF classic files (CDF-1, CDF-2, CDF-5) by the ranks of an MPI
 * communicator, with the programming interface of PnetCDF 1.15. parcdf.h beside this file holds the little
 * that the interface has no place for.
 *
 * How to read the comments:
 *   Local         any rank calls it, any time; nobody else is told.
 *   Replicated    every rank of the file's communicator calls it with the same arguments. All ranks reach the
 *                 same answer on their own; enddef compares the results, and where they differ rank 0's header
 *                 is taken and parcdf_last_error() says so; hint pcdf_consistency=error: NC_EMULTIDEFINE.
 *                 In safe mode the call compares the arguments itself: where they differ, or one rank fails,
 *                 all ranks return the same code (NC_EMULTIDEFINE_...) and nothing is done.
 *   Agreement     every rank calls it; the ranks talk, and an error of one is known to all when it returns.
 *   Collective    every rank calls it, with arguments of its own (one with nothing to do takes part with zero
 *                 counts). A rank with a bad argument gets its own error, the others go on and succeed; in
 *                 safe mode all get an error and nothing is moved.
 * Safe mode is PNETCDF_SAFE_MODE in the environment of rank 0 at create or open, unless it begins with 0.
 * Errors stand in the order in which they are looked for. Not repeated at each function:
 *   NC_EBADID     the first check of every function that takes an ncid;
 *   NC_ENOMEM     of every function that keeps something;
 *   "I/O errors"  NC_EFILE, NC_EREAD, NC_EWRITE, NC_ENO_SPACE, NC_EQUOTA, NC_EACCESS, NC_EMPI, NC_ETRUNC. After a
 *                 failed write every later put and sync of that file returns the failure too.
 * The sentence behind the last error of a thread is parcdf_last_error() of parcdf.h.
 * "Rule" names where a behaviour comes from: PnetCDF (its tests and documents), netCDF (the C library), spec
 * (the netCDF classic format specification), or parcdf (doc/differences.md, where we deviate).
 * An output pointer may be NULL where nothing else is said; what it points to is left alone when a call fails.
 */

#include <mpi.h>

/* The interface level that this header offers. The library's own version is PARCDF_VERSION in parcdf.h.
 * Programs that look for the library read these lines as text: keep them plain. */
#define PNETCDF_VERSION "1.15.0"
#define PNETCDF_VERSION_MAJOR 1
#define PNETCDF_VERSION_MINOR 15
#define PNETCDF_VERSION_SUB 0
#define PNETCDF_VERSION_PRE "1.15.0"
#define PNETCDF_RELEASE_DATE "November 21, 2026"

/* What was built in: 0 or 1. */
#define PNETCDF_ENABLE_FORTRAN 0
#define PNETCDF_ENABLE_CXX 0
#define PNETCDF_ERANGE_FILL 1
#define PNETCDF_SUBFILING 0
#define PNETCDF_RELAX_COORD_BOUND 1
#define PNETCDF_DEBUG_MODE 0
#define PNETCDF_PROFILING 0
#define PNETCDF_NULL_BYTE_HEADER_PADDING 0
#define PNETCDF_BYTE_SWAP_IN_PLACE 0
#define PNETCDF_BURST_BUFFERING 0
#define PNETCDF_THREAD_SAFE 0
#define PNETCDF_DRIVER_NETCDF4 0
#define PNETCDF_DRIVER_ADIOS 0
#define PNETCDF_DRIVER_GIO 0

/* The library hides every symbol but those marked with this. */
#ifndef PNETCDF_PUBLIC_API
#if defined(__GNUC__)
#define PNETCDF_PUBLIC_API __attribute__((visibility("default")))
#else
#define PNETCDF_PUBLIC_API
#endif
#endif

#if defined(__cplusplus)
extern "C" {
#endif

/* ---- constants that netcdf.h defines too, with the same words; netcdf.h may come before or after ---- */
#ifndef _NETCDF_

/* External types. CDF-1 and CDF-2 files hold NC_BYTE to NC_DOUBLE, CDF-5 files also NC_UBYTE to NC_UINT64. */
typedef int nc_type;
#define NC_NAT 0     /* no type */
#define NC_BYTE 1    /* 8-bit signed */
#define NC_CHAR 2    /* 8-bit text */
#define NC_SHORT 3   /* 16-bit signed */
#define NC_INT 4     /* 32-bit signed */
#define NC_LONG NC_INT
#define NC_FLOAT 5   /* IEEE 754 binary32 */
#define NC_DOUBLE 6  /* IEEE 754 binary64 */
#define NC_UBYTE 7   /* 8-bit unsigned */
#define NC_USHORT 8  /* 16-bit unsigned */
#define NC_UINT 9    /* 32-bit unsigned */
#define NC_INT64 10  /* 64-bit signed */
#define NC_UINT64 11 /* 64-bit unsigned */
#define NC_STRING 12 /* this and the following: netCDF-4 only, never storable here */
#define NC_MAX_ATOMIC_TYPE NC_STRING
#define NC_VLEN 13
#define NC_OPAQUE 14
#define NC_ENUM 15
#define NC_COMPOUND 16
#define NC_FIRSTUSERTYPEID 32

/* What stands for "no value" in each type when the variable has no _FillValue attribute. */
#define NC_FILL_BYTE ((signed char)-127)
#define NC_FILL_CHAR ((char)0)
#define NC_FILL_SHORT ((short)-32767)
#define NC_FILL_INT (-2147483647)
#define NC_FILL_FLOAT (9.9692099683868690e+36f)
#define NC_FILL_DOUBLE (9.9692099683868690e+36)
#define NC_FILL_UBYTE (255)
#define NC_FILL_USHORT (65535)
#define NC_FILL_UINT (4294967295U)
#define NC_FILL_INT64 ((long long)-9223372036854775806LL)
#define NC_FILL_UINT64 ((unsigned long long)18446744073709551614ULL)
#define NC_FILL_STRING ((char *)"")

/* The range of each type. */
#define NC_MAX_BYTE 127
#define NC_MIN_BYTE (-NC_MAX_BYTE-1)
#define NC_MAX_CHAR 255
#define NC_MAX_SHORT 32767
#define NC_MIN_SHORT (-NC_MAX_SHORT - 1)
#define NC_MAX_INT 2147483647
#define NC_MIN_INT (-NC_MAX_INT - 1)
#define NC_MAX_FLOAT 3.402823466e+38f
#define NC_MIN_FLOAT (-NC_MAX_FLOAT)
#define NC_MAX_DOUBLE 1.7976931348623157e+308
#define NC_MIN_DOUBLE (-NC_MAX_DOUBLE)
#define NC_MAX_UBYTE NC_MAX_CHAR
#define NC_MAX_USHORT 65535U
#define NC_MAX_UINT 4294967295U
#define NC_MAX_INT64 (9223372036854775807LL)
#define NC_MIN_INT64 (-9223372036854775807LL-1)
#define NC_MAX_UINT64 (18446744073709551615ULL)

/* Fill modes. */
#define NC_FILL 0
#define NC_NOFILL 0x100

/* Bits of cmode (create) and omode (open). */
#define NC_NOWRITE 0x0000       /* open: read only */
#define NC_WRITE 0x0001         /* open: read and write; create implies it */
#define NC_CLOBBER 0x0000       /* create: an existing file is replaced */
#define NC_NOCLOBBER 0x0004     /* create: an existing file is an error */
#define NC_DISKLESS 0x0008      /* refused */
#define NC_MMAP 0x0010          /* refused */
#define NC_64BIT_DATA 0x0020    /* create: CDF-5 */
#define NC_CDF5 NC_64BIT_DATA
#define NC_UDF0 0x0040          /* unused */
#define NC_UDF1 0x0080          /* unused */
#define NC_CLASSIC_MODEL 0x0100 /* create: CDF-1 when no other format bit is given */
#define NC_64BIT_OFFSET 0x0200  /* create: CDF-2 */
#define NC_LOCK 0x0400          /* unused */
#define NC_SHARE 0x0800         /* ignored */
#define NC_NETCDF4 0x1000       /* refused: NC_ENOTBUILT */
#define NC_MPIIO 0x2000         /* ignored, like its two aliases */
#define NC_MPIPOSIX NC_MPIIO
#define NC_PNETCDF (NC_MPIIO)
#define NC_PERSIST 0x4000       /* unused */
#define NC_INMEMORY 0x8000      /* unused */
#define NC_NOATTCREORD 0x20000  /* unused */
#define NC_MAX_MAGIC_NUMBER_LEN 8

/* File formats, as the format inquiries tell them. */
#define NC_FORMAT_CLASSIC (1)        /* CDF-1 */
#define NC_FORMAT_64BIT_OFFSET (2)   /* CDF-2 */
#define NC_FORMAT_64BIT (NC_FORMAT_64BIT_OFFSET)
#define NC_FORMAT_NETCDF4 (3)
#define NC_FORMAT_NETCDF4_CLASSIC (4)
#define NC_FORMAT_64BIT_DATA (5)     /* CDF-5 */
#define NC_FORMAT_CDF5 NC_FORMAT_64BIT_DATA
#define NC_FORMAT_ALL (NC_64BIT_OFFSET|NC_64BIT_DATA|NC_CLASSIC_MODEL|NC_NETCDF4|NC_UDF0|NC_UDF1)
#define NC_FORMATX_NC3 (1)
#define NC_FORMATX_NC_HDF5 (2)
#define NC_FORMATX_NC4 NC_FORMATX_NC_HDF5
#define NC_FORMATX_NC_HDF4 (3)
#define NC_FORMATX_PNETCDF (4)
#define NC_FORMATX_DAP2 (5)
#define NC_FORMATX_DAP4 (6)
#define NC_FORMATX_UDF0 (8)
#define NC_FORMATX_UDF1 (9)
#define NC_FORMATX_NCZARR (10)
#define NC_FORMATX_UNDEFINED (0)
#define NC_FORMAT_NC3 NC_FORMATX_NC3
#define NC_FORMAT_NC_HDF5 NC_FORMATX_NC_HDF5
#define NC_FORMAT_NC4 NC_FORMATX_NC4
#define NC_FORMAT_NC_HDF4 NC_FORMATX_NC_HDF4
#define NC_FORMAT_PNETCDF NC_FORMATX_PNETCDF
#define NC_FORMAT_DAP2 NC_FORMATX_DAP2
#define NC_FORMAT_DAP4 NC_FORMATX_DAP4
#define NC_FORMAT_UNDEFINED NC_FORMATX_UNDEFINED

/* Special values of arguments. */
#define NC_UNLIMITED 0L /* dimension length: the record dimension */
#define NC_GLOBAL -1    /* varid: the attributes of the file */
#define NC_SIZEHINT_DEFAULT 0
#define NC_ALIGN_CHUNK ((size_t)(-1))

/* Limits. A name has at most NC_MAX_NAME bytes without its terminating NUL. The four counts are limited by
 * the format alone; netcdf.h has older, smaller numbers for them, which win when it is included too. */
#define NC_MAX_DIMS NC_MAX_INT
#define NC_MAX_ATTRS NC_MAX_INT
#define NC_MAX_VARS NC_MAX_INT
#define NC_MAX_NAME 256
#define NC_MAX_VAR_DIMS NC_MAX_INT
#define NC_MAX_HDF4_NAME NC_MAX_NAME

/* Words of netCDF-4 programs; without effect here. */
#define NC_ENDIAN_NATIVE 0
#define NC_ENDIAN_LITTLE 1
#define NC_ENDIAN_BIG 2
#define NC_CHUNKED 0
#define NC_CONTIGUOUS 1
#define NC_COMPACT 2
#define NC_UNKNOWN_STORAGE 3
#define NC_VIRTUAL 4
#define NC_NOCHECKSUM 0
#define NC_FLETCHER32 1
#define NC_NOSHUFFLE 0
#define NC_SHUFFLE 1
#define NC_MIN_DEFLATE_LEVEL 0
#define NC_MAX_DEFLATE_LEVEL 9
#define NC_NOQUANTIZE 0
#define NC_QUANTIZE_BITGROOM 1
#define NC_QUANTIZE_GRANULARBR 2
#define NC_QUANTIZE_BITROUND 3
#define NC_QUANTIZE_BITGROOM_ATT_NAME "_QuantizeBitGroomNumberOfSignificantDigits"
#define NC_QUANTIZE_GRANULARBR_ATT_NAME "_QuantizeGranularBitRoundNumberOfSignificantDigits"
#define NC_QUANTIZE_BITROUND_ATT_NAME "_QuantizeBitRoundNumberOfSignificantBits"
#define NC_QUANTIZE_MAX_FLOAT_NSD (7)
#define NC_QUANTIZE_MAX_DOUBLE_NSD (15)
#define NC_QUANTIZE_MAX_FLOAT_NSB (23)
#define NC_QUANTIZE_MAX_DOUBLE_NSB (52)

/* Codes of the classic library, of remote access and of netCDF-4; of the last two only a few occur here. */
#define NC_ISSYSERR(err) ((err) > 0)
#define NC_NOERR 0
#define NC2_ERR (-1) /* A call of the version 2 interface failed */
#define NC_EBADID (-33) /* NetCDF: Not a valid ID */
#define NC_ENFILE (-34) /* NetCDF: Too many files open */
#define NC_EEXIST (-35) /* NetCDF: File exists && NC_NOCLOBBER */
#define NC_EINVAL (-36) /* NetCDF: Invalid argument */
#define NC_EPERM (-37) /* NetCDF: Write to read only */
#define NC_ENOTINDEFINE (-38) /* NetCDF: Operation not allowed in data mode */
#define NC_EINDEFINE (-39) /* NetCDF: Operation not allowed in define mode */
#define NC_EINVALCOORDS (-40) /* NetCDF: Index exceeds dimension bound */
#define NC_EMAXDIMS (-41) /* NetCDF: NC_MAX_DIMS or NC_MAX_VAR_DIMS exceeded */
#define NC_ENAMEINUSE (-42) /* NetCDF: String match to name in use */
#define NC_ENOTATT (-43) /* NetCDF: Attribute not found */
#define NC_EMAXATTS (-44) /* NetCDF: NC_MAX_ATTRS exceeded */
#define NC_EBADTYPE (-45) /* NetCDF: Not a valid data type or _FillValue type mismatch */
#define NC_EBADDIM (-46) /* NetCDF: Invalid dimension ID or name */
#define NC_EUNLIMPOS (-47) /* NetCDF: NC_UNLIMITED in the wrong index */
#define NC_EMAXVARS (-48) /* NetCDF: NC_MAX_VARS exceeded */
#define NC_ENOTVAR (-49) /* NetCDF: Variable not found */
#define NC_EGLOBAL (-50) /* NetCDF: Action prohibited on NC_GLOBAL varid */
#define NC_ENOTNC (-51) /* NetCDF: Unknown file format (file format violates CDF specification) */
#define NC_ESTS (-52) /* NetCDF: In Fortran, string too short */
#define NC_EMAXNAME (-53) /* NetCDF: NC_MAX_NAME exceeded */
#define NC_EUNLIMIT (-54) /* NetCDF: NC_UNLIMITED size already in use */
#define NC_ENORECVARS (-55) /* NetCDF: nc_rec op when there are no record vars */
#define NC_ECHAR (-56) /* NetCDF: Attempt to convert between text & numbers */
#define NC_EEDGE (-57) /* NetCDF: Start+count exceeds dimension bound */
#define NC_ESTRIDE (-58) /* NetCDF: Illegal stride */
#define NC_EBADNAME (-59) /* NetCDF: Name contains illegal characters */
#define NC_ERANGE (-60) /* NetCDF: Numeric conversion not representable */
#define NC_ENOMEM (-61) /* NetCDF: Memory allocation (malloc) failure */
#define NC_EVARSIZE (-62) /* NetCDF: One or more variable sizes violate format constraints */
#define NC_EDIMSIZE (-63) /* NetCDF: Invalid dimension size */
#define NC_ETRUNC (-64) /* The file ends before its data does */
#define NC_EAXISTYPE (-65) /* An axis has no known type */
#define NC_EDAP (-66) /* A remote data server failed */
#define NC_ECURL (-67) /* A web transfer failed */
#define NC_EIO (-68) /* Reading or writing failed */
#define NC_ENODATA (-69) /* The variable holds no data */
#define NC_EDAPSVC (-70) /* The remote data server reported an error */
#define NC_EDAS (-71) /* The remote attributes are missing or malformed */
#define NC_EDDS (-72) /* The remote structure is missing or malformed */
#define NC_EDATADDS (-73) /* The remote data are missing or malformed */
#define NC_EDAPURL (-74) /* The address of the remote data is malformed */
#define NC_EDAPCONSTRAINT (-75) /* The constraint on the remote data is malformed */
#define NC_ETRANSLATION (-76) /* The construct has no translation into this format */
#define NC_EACCESS (-77) /* The file may not be accessed in this way */
#define NC_EAUTH (-78) /* Authorization failed */
#define NC_ENOTFOUND (-90) /* There is no such file */
#define NC_ECANTREMOVE (-91) /* The file cannot be removed */
#define NC_EINTERNAL (-92) /* The library contradicts itself; please report this */
#define NC_EPNETCDF (-93) /* The parallel library underneath failed */
#define NC4_FIRST_ERROR (-100) /* First code of netCDF-4 (no error of its own) */
#define NC_EHDFERR (-101) /* The HDF5 library underneath failed */
#define NC_ECANTREAD (-102) /* The file cannot be read */
#define NC_ECANTWRITE (-103) /* The file cannot be written */
#define NC_ECANTCREATE (-104) /* The file cannot be created */
#define NC_EFILEMETA (-105) /* The definitions of the file cannot be handled */
#define NC_EDIMMETA (-106) /* The definition of a dimension cannot be handled */
#define NC_EATTMETA (-107) /* The definition of an attribute cannot be handled */
#define NC_EVARMETA (-108) /* The definition of a variable cannot be handled */
#define NC_ENOCOMPOUND (-109) /* The type is no compound type */
#define NC_EATTEXISTS (-110) /* The attribute exists already */
#define NC_ENOTNC4 (-111) /* The operation needs a netCDF-4 file, this is a classic one */
#define NC_ESTRICTNC3 (-112) /* The netCDF-4 file was made to allow classic operations only */
#define NC_ENOTNC3 (-113) /* NetCDF: Attempting netcdf-3 operation on netcdf-4 file */
#define NC_ENOPAR (-114) /* NetCDF: Parallel operation on file opened for non-parallel access */
#define NC_EPARINIT (-115) /* Parallel access cannot be set up */
#define NC_EBADGRPID (-116) /* The group ID is not valid */
#define NC_EBADTYPID (-117) /* The type ID is not valid */
#define NC_ETYPDEFINED (-118) /* The type is in use and cannot be changed */
#define NC_EBADFIELD (-119) /* The field ID is not valid */
#define NC_EBADCLASS (-120) /* The class of a type is not valid */
#define NC_EMAPTYPE (-121) /* Access with a memory map needs an atomic type */
#define NC_ELATEFILL (-122) /* A fill value must be defined before the variable has data */
#define NC_ELATEDEF (-123) /* The property of a variable must be set before its first enddef */
#define NC_EDIMSCALE (-124) /* A dimension scale cannot be handled */
#define NC_ENOGRP (-125) /* There is no such group */
#define NC_ESTORAGE (-126) /* A variable is either contiguous or chunked */
#define NC_EBADCHUNK (-127) /* The chunk size is not valid */
#define NC_ENOTBUILT (-128) /* The feature was left out when the library was built */
#define NC_EDISKLESS (-129) /* A file in memory failed */
#define NC_ECANTEXTEND (-130) /* Records cannot be added in independent mode */
#define NC_EMPI (-131) /* An MPI call failed */
#define NC_EFILTER (-132) /* A filter failed */
#define NC_ERCFILE (-133) /* The run-time configuration file cannot be used */
#define NC_ENULLPAD (-134) /* The padding in the header is not zero */
#define NC_EINMEMORY (-135) /* A file image in memory failed */
#define NC_ENOFILTER (-136) /* The variable has no such filter */
#define NC_ENCZARR (-137) /* The Zarr store failed */
#define NC_ES3 (-138) /* The object store failed */
#define NC_EEMPTY (-139) /* An empty key was read from a store */
#define NC_EOBJECT (-140) /* An object exists that should not */
#define NC_ENOOBJECT (-141) /* An object is missing */
#define NC_EPLUGIN (-142) /* A plug-in cannot be loaded */
#define NC4_LAST_ERROR (-142) /* Last code of netCDF-4 (no error of its own) */
#define NC_EURL (NC_EDAPURL)
#define NC_ECONSTRAINT (NC_EDAPCONSTRAINT)
#define NC_EDMR NC_EDDS
#define NC_EDATADAP NC_EDATADDS

#endif /* _NETCDF_ */

/* What netcdf.h of an older netCDF does not know. */
#ifndef NC_EDISKLESS
#define NC_EDISKLESS (-129)
#endif
#ifndef NC_ECANTEXTEND
#define NC_ECANTEXTEND (-130)
#endif
#ifndef NC_EMPI
#define NC_EMPI (-131)
#endif
#ifndef NC_EFILTER
#define NC_EFILTER (-132)
#endif
#ifndef NC_ERCFILE
#define NC_ERCFILE (-133)
#endif
#ifndef NC_ENULLPAD
#define NC_ENULLPAD (-134)
#endif
#ifndef NC_EINMEMORY
#define NC_EINMEMORY (-135)
#endif
#ifndef NC_ENOFILTER
#define NC_ENOFILTER (-136)
#endif
#ifndef NC_ENCZARR
#define NC_ENCZARR (-137)
#endif
#ifndef NC_ES3
#define NC_ES3 (-138)
#endif
#ifndef NC_EEMPTY
#define NC_EEMPTY (-139)
#endif
#ifndef NC_EOBJECT
#define NC_EOBJECT (-140)
#endif
#ifndef NC_ENOOBJECT
#define NC_ENOOBJECT (-141)
#endif
#ifndef NC_EPLUGIN
#define NC_EPLUGIN (-142)
#endif
#ifndef NC_64BIT_DATA
#define NC_64BIT_DATA 0x0020
#endif
#ifndef NC_CDF5
#define NC_CDF5 NC_64BIT_DATA
#endif
#ifndef NC_FORMAT_64BIT_DATA
#define NC_FORMAT_64BIT_DATA (5)
#endif
#ifndef NC_FORMAT_CDF5
#define NC_FORMAT_CDF5 NC_FORMAT_64BIT_DATA
#endif
#ifndef NC_FORMAT_CDF2
#define NC_FORMAT_CDF2 (2)
#endif

/* ---- constants of this interface alone ---- */
#define NC_FillValue "_FillValue" /* name of the attribute that replaces a variable's default fill value */
#define NC_MAX_NFILES 1024        /* files open at one time in one process */
#define NC_FORMAT_UNKNOWN -1
#define NC_FORMAT_BP 6
#define NC_BP 0x10000             /* refused: NC_ENOTBUILT */
#define NC_32BIT 0x1000000        /* unused */

/* Nonblocking requests. */
#define NC_REQ_NULL -1
#define NC_REQ_ALL -1
#define NC_GET_REQ_ALL -2
#define NC_PUT_REQ_ALL -3
#define NC_COUNT_IGNORE -1 /* bufcount: as many elements as the request has */

/* Codes of parallel access. */
#define NC_ESMALL (-201) /* MPI_Offset is too small for the format */
#define NC_ENOTINDEP (-202) /* An independent call in collective data mode */
#define NC_EINDEP (-203) /* A collective call in independent data mode */
#define NC_EFILE (-204) /* A file operation failed */
#define NC_EREAD (-205) /* Reading the file failed */
#define NC_EWRITE (-206) /* Writing the file failed */
#define NC_EOFILE (-207) /* Opening or creating the file failed */
#define NC_EMULTITYPES (-208) /* The MPI datatype mixes element types */
#define NC_EIOMISMATCH (-209) /* The amount of data in memory and in the file differs */
#define NC_ENEGATIVECNT (-210) /* A count is negative */
#define NC_EUNSPTETYPE (-211) /* The element type of the MPI datatype is not supported */
#define NC_EINVAL_REQUEST (-212) /* A request ID is not valid */
#define NC_EAINT_TOO_SMALL (-213) /* MPI_Aint is too small for the value */
#define NC_ENOTSUPPORT (-214) /* The feature is not supported */
#define NC_ENULLBUF (-215) /* The buffer to attach has no bytes */
#define NC_EPREVATTACHBUF (-216) /* A buffer is attached already */
#define NC_ENULLABUF (-217) /* No buffer is attached */
#define NC_EPENDINGBPUT (-218) /* A buffered put is pending, the buffer stays attached */
#define NC_EINSUFFBUF (-219) /* The attached buffer has too little room left */
#define NC_ENOENT (-220) /* The file does not exist */
#define NC_EINTOVERFLOW (-221) /* A number does not fit in 4 bytes */
#define NC_ENOTENABLED (-222) /* The feature is not enabled */
#define NC_EBAD_FILE (-223) /* The file name is not valid */
#define NC_ENO_SPACE (-224) /* The storage is full */
#define NC_EQUOTA (-225) /* The storage quota is used up */
#define NC_ENULLSTART (-226) /* The argument start is NULL */
#define NC_ENULLCOUNT (-227) /* The argument count is NULL */
#define NC_EINVAL_CMODE (-228) /* The file creation mode is not valid */
#define NC_ETYPESIZE (-229) /* The MPI datatype is larger than the variable */
#define NC_ETYPE_MISMATCH (-230) /* The element type of the MPI datatype is not the variable's */
#define NC_ETYPESIZE_MISMATCH (-231) /* The type sizes in memory and in the file differ */
#define NC_ESTRICTCDF2 (-232) /* The type or operation needs CDF-5, the file is CDF-1 or CDF-2 */
#define NC_ENOTRECVAR (-233) /* The variable has no records */
#define NC_ENOTFILL (-234) /* The fill mode of the variable is off */
#define NC_EINVAL_OMODE (-235) /* The file open mode is not valid */
#define NC_EPENDING (-236) /* Nonblocking requests were pending when the file was closed */
#define NC_EMAX_REQ (-237) /* The request is larger than 2^31-1 bytes */
#define NC_EBADLOG (-238) /* The log file has no known format */
#define NC_EFLUSHED (-239) /* The request has been written already and cannot be cancelled */
#define NC_EADIOS (-240) /* The ADIOS library underneath failed */
#define NC_EFSTYPE (-241) /* The type of the file system is not supported */
#define NC_EDRIVER (-242) /* There is no such I/O driver */
#define NC_EFILEVIEW (-243) /* A file view goes backwards; please report this */

/* Codes for definitions or arguments that differ between ranks. */
#define NC_EMULTIDEFINE (-250) /* The definitions differ between processes */
#define NC_EMULTIDEFINE_OMODE (-251) /* The open mode differs between processes */
#define NC_EMULTIDEFINE_DIM_NUM (-252) /* The number of dimensions differs between processes */
#define NC_EMULTIDEFINE_DIM_SIZE (-253) /* The length of a dimension differs between processes */
#define NC_EMULTIDEFINE_DIM_NAME (-254) /* The name of a dimension differs between processes */
#define NC_EMULTIDEFINE_VAR_NUM (-255) /* Number of variables is inconsistent among processes. */
#define NC_EMULTIDEFINE_VAR_NAME (-256) /* The name of a variable differs between processes */
#define NC_EMULTIDEFINE_VAR_NDIMS (-257) /* A variable's number of dimensions differs between processes */
#define NC_EMULTIDEFINE_VAR_DIMIDS (-258) /* The dimension IDs of a variable differ between processes */
#define NC_EMULTIDEFINE_VAR_TYPE (-259) /* The type of a variable differs between processes */
#define NC_EMULTIDEFINE_VAR_LEN (-260) /* The size of a variable differs between processes */
#define NC_EMULTIDEFINE_NUMRECS (-261) /* The number of records differs between processes */
#define NC_EMULTIDEFINE_VAR_BEGIN (-262) /* The place of a variable in the file differs between processes */
#define NC_EMULTIDEFINE_ATTR_NUM (-263) /* The number of attributes differs between processes */
#define NC_EMULTIDEFINE_ATTR_SIZE (-264) /* The bytes of an attribute differ in number between processes */
#define NC_EMULTIDEFINE_ATTR_NAME (-265) /* The name of an attribute differs between processes */
#define NC_EMULTIDEFINE_ATTR_TYPE (-266) /* The type of an attribute differs between processes */
#define NC_EMULTIDEFINE_ATTR_LEN (-267) /* The length of an attribute differs between processes */
#define NC_EMULTIDEFINE_ATTR_VAL (-268) /* Attribute value is inconsistent among processes. */
#define NC_EMULTIDEFINE_FNC_ARGS (-269) /* The arguments of a collective call differ between processes */
#define NC_EMULTIDEFINE_FILL_MODE (-270) /* The fill mode of the file differs between processes */
#define NC_EMULTIDEFINE_VAR_FILL_MODE (-271) /* The fill mode of a variable differs between processes */
#define NC_EMULTIDEFINE_VAR_FILL_VALUE (-272) /* The fill value of a variable differs between processes */
#define NC_EMULTIDEFINE_CMODE (-273) /* The creation mode differs between processes */
#define NC_EMULTIDEFINE_HINTS (-274) /* The hints differ between processes */
#define NC_EMULTIDEFINE_FIRST NC_EMULTIDEFINE
#define NC_EMULTIDEFINE_LAST NC_EMULTIDEFINE_HINTS

/* Older names. */
#define NC_ECMODE NC_EMULTIDEFINE_OMODE
#define NC_EDIMS_NELEMS_MULTIDEFINE NC_EMULTIDEFINE_DIM_NUM
#define NC_EDIMS_SIZE_MULTIDEFINE NC_EMULTIDEFINE_DIM_SIZE
#define NC_EDIMS_NAME_MULTIDEFINE NC_EMULTIDEFINE_DIM_NAME
#define NC_EVARS_NELEMS_MULTIDEFINE NC_EMULTIDEFINE_VAR_NUM
#define NC_EVARS_NAME_MULTIDEFINE NC_EMULTIDEFINE_VAR_NAME
#define NC_EVARS_NDIMS_MULTIDEFINE NC_EMULTIDEFINE_VAR_NDIMS
#define NC_EVARS_DIMIDS_MULTIDEFINE NC_EMULTIDEFINE_VAR_DIMIDS
#define NC_EVARS_TYPE_MULTIDEFINE NC_EMULTIDEFINE_VAR_TYPE
#define NC_EVARS_LEN_MULTIDEFINE NC_EMULTIDEFINE_VAR_LEN
#define NC_ENUMRECS_MULTIDEFINE NC_EMULTIDEFINE_NUMRECS
#define NC_EVARS_BEGIN_MULTIDEFINE NC_EMULTIDEFINE_VAR_BEGIN

/* ---- codes and versions as text ---- Local. */

/* What a code means, in one sentence; a positive code is an errno. Never NULL; the text of an unknown code
 * stands in a buffer of the calling thread until its next call. Rule: PnetCDF. */
PNETCDF_PUBLIC_API const char *ncmpi_strerror(int err);

/* The name of a code: "NC_EBADID". "Unknown code N" for an unknown one. Rule: PnetCDF. */
PNETCDF_PUBLIC_API const char *ncmpi_strerrno(int err);

/* "1.15.0 of DATE": the interface level, not the version of the library (parcdf_version). Rule: PnetCDF. */
PNETCDF_PUBLIC_API const char *ncmpi_inq_libvers(void);

/* ---- files ---- */

/* Creates a file and gives its handle, in define mode. Agreement over `comm`, which the library duplicates,
 * like `info` (MPI_INFO_NULL: no hints). `path`: a file name, perhaps with a file system prefix such as
 * "ufs:". `cmode`: format bits (none: the default format) and NC_NOCLOBBER; an existing file is replaced
 * without it, a symbolic link followed. Rank 0's cmode is taken everywhere. NC_EBAD_FILE (NULL, empty or too
 * long path), NC_EINVAL_CMODE, NC_ENOTBUILT, NC_EEXIST (with NC_NOCLOBBER), NC_ENFILE, NC_ENOENT and
 * NC_EACCESS (the folder), I/O errors. *ncidp is -1 after these. NC_EMULTIDEFINE_CMODE on a rank whose cmode
 * was another than rank 0's (safe mode: on all): the file is open and usable all the same; NC_EMULTIDEFINE_HINTS
 * (safe mode, hints that differ): it is not. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_create(MPI_Comm comm, const char *path, int cmode, MPI_Info info, int *ncidp);

/* Opens a file and gives its handle, in collective data mode. Agreement. `omode`: NC_NOWRITE or NC_WRITE.
 * NC_EBAD_FILE, NC_EINVAL_OMODE, NC_ENFILE, NC_ENOENT, NC_EACCESS, NC_EFILE (under 8 bytes), NC_ENOTBUILT
 * (HDF5), NC_ENOTNC and the closer codes NC_EBADDIM, NC_EBADTYPE, NC_EMAXNAME, NC_EMAXDIMS, NC_EMAXVARS,
 * NC_EMAXATTS, NC_EUNLIMIT, NC_EVARSIZE, NC_ETRUNC for a header that breaks the format's rules, NC_ERECOVER,
 * I/O errors; NC_EMULTIDEFINE_OMODE as in create. *ncidp is -1 when the file is not open. Rule: PnetCDF,
 * spec; strictness: parcdf. */
PNETCDF_PUBLIC_API int ncmpi_open(MPI_Comm comm, const char *path, int omode, MPI_Info info, int *ncidp);

/* Ends define mode first where needed, brings everything to the file and frees the handle, whatever the
 * result. Agreement: all ranks get the first failure. What enddef returns, I/O errors, NC_EPENDING. Rule:
 * PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_close(int ncid);

/* Frees the handle and drops the definitions that no enddef has confirmed; a file that never left its first
 * define mode is deleted. Agreement. I/O errors. Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_abort(int ncid);

/* Ends define mode: lays the variables out, moves what stands in the way, writes the header, enters
 * collective data mode. Agreement. NC_ENOTINDEFINE, NC_EVARSIZE, NC_EMULTIDEFINE (hint
 * pcdf_consistency=error), I/O errors. Rule: spec; offsets: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_enddef(int ncid);

/* The same with room to grow, in bytes: `h_minfree` behind the header, alignment `v_align` of the first
 * fixed-size variable, `v_minfree` behind the last one, alignment `r_align` of the first record. 0 asks for
 * the default; the hints nc_var_align_size and nc_record_align_size win over the arguments. Agreement.
 * NC_ENOTINDEFINE, NC_EINVAL (a negative argument), then as enddef. Rule: netCDF, PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi__enddef(int ncid, MPI_Offset h_minfree, MPI_Offset v_align, MPI_Offset v_minfree,
    MPI_Offset r_align);

/* Back to define mode, from either data mode. Agreement. NC_EPERM (read only), NC_EINDEFINE, I/O errors.
 * Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_redef(int ncid);

/* Brings what was written to the disk and the number of records to all ranks. Agreement. NC_EINDEFINE, I/O
 * errors; on a file open for reading nothing happens. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_sync(int ncid);

/* Writes the puts that wait, where hint pcdf_defer lets them; otherwise nothing happens. Agreement. I/O errors.
 * Rule: PnetCDF (of its burst buffer). */
PNETCDF_PUBLIC_API int ncmpi_flush(int ncid);

/* Brings the largest number of records of any rank to all ranks and to the file; needed in independent data
 * mode only. Agreement. NC_EINDEFINE, NC_EPERM, I/O errors. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_sync_numrecs(int ncid);

/* From collective data mode to independent data mode and back. A call for the mode that holds does nothing.
 * Agreement. NC_EINDEFINE, I/O errors. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_begin_indep_data(int ncid);
PNETCDF_PUBLIC_API int ncmpi_end_indep_data(int ncid);

/* Deletes a file. Local: one rank calls it, on a file that nobody has open; `info` is not used.
 * NC_EBAD_FILE, NC_ENOENT, NC_EACCESS, NC_EFILE. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_delete(const char *filename, MPI_Info info);

/* The format of files created without a format bit, one per process: NC_FORMAT_CLASSIC at the start,
 * NC_FORMAT_CDF2, NC_FORMAT_CDF5. Local; create takes rank 0's. NC_EINVAL (unknown format; NULL `formatp`).
 * Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_set_default_format(int format, int *old_formatp);
PNETCDF_PUBLIC_API int ncmpi_inq_default_format(int *formatp);

/* ---- what a file is ---- Local, in every mode. */

/* The format of a file that is not open: NC_FORMAT_CLASSIC, _CDF2, _CDF5, _NETCDF4 (any HDF5 file),
 * NC_FORMAT_UNKNOWN together with NC_ENOTNC. NC_EBAD_FILE, NC_ENOENT, NC_EACCESS, I/O errors. Rule: PnetCDF.
 * */
PNETCDF_PUBLIC_API int ncmpi_inq_file_format(const char *filename, int *formatp);

/* The handles open in this process, at most NC_MAX_NFILES of them into `ncids`. NC_EINVAL (num NULL). Rule:
 * PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_files_opened(int *num, int *ncids);

/* Numbers of dimensions, variables and attributes of the file, and the id of the record dimension (-1: none).
 * Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq(int ncid, int *ndimsp, int *nvarsp, int *ngattsp, int *unlimdimidp);
PNETCDF_PUBLIC_API int ncmpi_inq_ndims(int ncid, int *ndimsp);
PNETCDF_PUBLIC_API int ncmpi_inq_nvars(int ncid, int *nvarsp);
PNETCDF_PUBLIC_API int ncmpi_inq_natts(int ncid, int *ngattsp);
PNETCDF_PUBLIC_API int ncmpi_inq_unlimdim(int ncid, int *unlimdimidp);

/* Numbers of variables with and without the record dimension. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_num_rec_vars(int ncid, int *nvarsp);
PNETCDF_PUBLIC_API int ncmpi_inq_num_fix_vars(int ncid, int *nvarsp);

/* The format as NC_FORMAT_*, and as the bit of cmode (NC_CLASSIC_MODEL for CDF-1). Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_format(int ncid, int *formatp);
PNETCDF_PUBLIC_API int ncmpi_inq_version(int ncid, int *nc_mode);

/* The path given to create or open, and its length without the NUL; `path` has room for it and the NUL. Rule:
 * netCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_path(int ncid, int *pathlen, char *path);

/* The hints in use, MPI-IO's and the library's, in a new MPI_Info that the caller frees. get_file_info is the
 * older name. NC_EMPI. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_file_info(int ncid, MPI_Info *info_used);
PNETCDF_PUBLIC_API int ncmpi_get_file_info(int ncid, MPI_Info *info_used);

/* Stripe size in bytes and stripe count of the file; both 0 where the file system does not tell. Rule:
 * PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_striping(int ncid, int *striping_size, int *striping_count);

/* Bytes that this rank has written to and read from the file since it was opened, the header included. Rule:
 * PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_put_size(int ncid, MPI_Offset *size);
PNETCDF_PUBLIC_API int ncmpi_inq_get_size(int ncid, MPI_Offset *size);

/* Bytes: of the header as it stands (in define mode: as it would be written now); from the start of the file
 * to the first variable (0 before the first enddef); of one record of all record variables. Rule: PnetCDF,
 * spec (recsize). */
PNETCDF_PUBLIC_API int ncmpi_inq_header_size(int ncid, MPI_Offset *size);
PNETCDF_PUBLIC_API int ncmpi_inq_header_extent(int ncid, MPI_Offset *extent);
PNETCDF_PUBLIC_API int ncmpi_inq_recsize(int ncid, MPI_Offset *recsize);

/* Bytes of memory that the library holds in this process, now and at most so far; NC_EINVAL (NULL). Open CDL
 * headers (cdl_hdr_open) do not count.
 * inq_malloc_list would print what is held: this library prints nothing, NC_ENOTENABLED. Local. Rule:
 * PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_malloc_size(MPI_Offset *size);
PNETCDF_PUBLIC_API int ncmpi_inq_malloc_max_size(MPI_Offset *size);
PNETCDF_PUBLIC_API int ncmpi_inq_malloc_list(void);

/* The number of pending requests, and bytes used and in all of the buffer for bput. Local. inq_buffer_usage and
 * inq_buffer_size: NC_ENULLABUF (no buffer is attached). Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_nreqs(int ncid, int *nreqs);
PNETCDF_PUBLIC_API int ncmpi_inq_buffer_usage(int ncid, MPI_Offset *usage);
PNETCDF_PUBLIC_API int ncmpi_inq_buffer_size(int ncid, MPI_Offset *buf_size);

/* ---- dimensions ---- */

/* Adds a dimension of `len` elements, or the record dimension (NC_UNLIMITED; one a file), and gives its id:
 * 0, 1, ... Replicated. NC_ENOTINDEFINE, NC_EBADNAME (NULL, empty), NC_EMAXNAME, NC_EBADNAME (characters; not
 * UTF-8), NC_EDIMSIZE (negative; over 2^31-1 in CDF-1 and CDF-2), NC_EUNLIMIT, NC_EMAXDIMS, NC_ENAMEINUSE.
 * Names are stored in Unicode normal form C. Rule: PnetCDF, spec. */
PNETCDF_PUBLIC_API int ncmpi_def_dim(int ncid, const char *name, MPI_Offset len, int *idp);

/* Gives a dimension a new name; in data mode one that is not longer, and the header is rewritten at once.
 * Replicated. NC_EPERM, NC_EBADNAME, NC_EMAXNAME, NC_EBADDIM, NC_ENAMEINUSE (its own name: nothing happens),
 * NC_ENOTINDEFINE (longer name in data mode), I/O errors. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_rename_dim(int ncid, int dimid, const char *name);

/* Local. The id of a name: NC_EBADNAME (NULL, empty), NC_EMAXNAME, NC_EBADDIM (no such). Name, length or both
 * of an id: NC_EBADDIM. `name` has room for NC_MAX_NAME + 1 bytes. The record dimension's length is the
 * number of records known to this rank. Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_dimid(int ncid, const char *name, int *idp);
PNETCDF_PUBLIC_API int ncmpi_inq_dim(int ncid, int dimid, char *name, MPI_Offset *lenp);
PNETCDF_PUBLIC_API int ncmpi_inq_dimname(int ncid, int dimid, char *name);
PNETCDF_PUBLIC_API int ncmpi_inq_dimlen(int ncid, int dimid, MPI_Offset *lenp);

/* ---- variables ---- */

/* Adds a variable over `dimids`, slowest dimension first, the record dimension only in front (ndims 0: a
 * scalar), and gives its id: 0, 1, ... Replicated. NC_ENOTINDEFINE, NC_EBADNAME, NC_EMAXNAME, NC_EBADNAME,
 * NC_EBADTYPE, NC_ESTRICTCDF2 (CDF-5 type in CDF-1 or CDF-2), NC_EINVAL (ndims < 0), NC_EMAXVARS,
 * NC_ENAMEINUSE, NC_EINVAL (dimids NULL), NC_EBADDIM, NC_EUNLIMPOS, NC_EVARSIZE. Rule: PnetCDF, spec. */
PNETCDF_PUBLIC_API int ncmpi_def_var(int ncid, const char *name, nc_type xtype, int ndims, const int *dimids,
    int *varidp);

/* As rename_dim. Replicated. NC_EPERM, NC_EGLOBAL, NC_ENOTVAR, NC_EBADNAME, NC_EMAXNAME, NC_ENAMEINUSE (also
 * its own name), NC_ENOTINDEFINE, I/O errors. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_rename_var(int ncid, int varid, const char *name);

/* The id of a name. Local. NC_EBADNAME (NULL, empty), NC_EMAXNAME, NC_ENOTVAR (no such). Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_varid(int ncid, const char *name, int *varidp);

/* What a variable is: name (room for NC_MAX_NAME + 1 bytes), type, number and ids of its dimensions (`dimids`
 * has room for *ndimsp), number of attributes; inq_varoffset: the byte in the file where it starts, 0 before
 * the first enddef. Local. NC_EGLOBAL (varid NC_GLOBAL, which has attributes only), NC_ENOTVAR. Rule: netCDF,
 * PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_var(int ncid, int varid, char *name, nc_type *xtypep, int *ndimsp, int
    *dimids, int *nattsp);
PNETCDF_PUBLIC_API int ncmpi_inq_varname(int ncid, int varid, char *name);
PNETCDF_PUBLIC_API int ncmpi_inq_vartype(int ncid, int varid, nc_type *xtypep);
PNETCDF_PUBLIC_API int ncmpi_inq_varndims(int ncid, int varid, int *ndimsp);
PNETCDF_PUBLIC_API int ncmpi_inq_vardimid(int ncid, int varid, int *dimids);
PNETCDF_PUBLIC_API int ncmpi_inq_varnatts(int ncid, int varid, int *nattsp);
PNETCDF_PUBLIC_API int ncmpi_inq_varoffset(int ncid, int varid, MPI_Offset *offset);

/* Fill modes. A variable whose mode is on is filled with its fill value (_FillValue, or the default of its type) by
 * the enddef that brings it into the file: a fixed variable whole, a record variable in the records that exist. Records
 * that come later are filled by fill_var_rec alone. A file is created with NC_NOFILL. set_fill sets the mode of every
 * variable defined so far, also of earlier define phases, and of those defined later. Replicated. NC_EPERM,
 * NC_ENOTINDEFINE, NC_EINVAL (neither NC_FILL nor NC_NOFILL). Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_set_fill(int ncid, int fillmode, int *old_modep);

/* The mode of one variable: no_fill 0 is on. fill_value (mode on only): one value in the memory form of the variable's
 * type, which becomes its attribute _FillValue; NULL: as it is. Replicated. NC_ENOTINDEFINE, NC_EGLOBAL, NC_ENOTVAR,
 * NC_ELATEFILL (a value, and the variable was in the file before redef). inq_var_fill is Local and gives the value that
 * would be filled in; a file does not tell modes, so after open the mode of its variables is on, while those defined
 * then start with NC_NOFILL. NC_EGLOBAL, NC_ENOTVAR. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_def_var_fill(int ncid, int varid, int no_fill, const void *fill_value);
PNETCDF_PUBLIC_API int ncmpi_inq_var_fill(int ncid, int varid, int *no_fill, void *fill_value);

/* Fills record `recno` (0, 1, ...) of a record variable, which may be a new record. Collective: the ranks share the
 * work; where they name different records each writes its own. NC_EPERM, NC_EINDEFINE, NC_EGLOBAL, NC_ENOTVAR,
 * NC_ENOTRECVAR, NC_EINDEP, NC_ENOTFILL (mode off and no _FillValue), NC_EINVALCOORDS (negative recno), NC_EINTOVERFLOW
 * (more records than the format counts), I/O errors. Rule: PnetCDF; recno: parcdf. */
PNETCDF_PUBLIC_API int ncmpi_fill_var_rec(int ncid, int varid, MPI_Offset recno);

/* ---- attributes ---- of a variable, or of the file (varid NC_GLOBAL) */

/* What an attribute is: external type and number of elements; its number; the name of a number (0, 1, ... in
 * the order of creation; `name` has room for NC_MAX_NAME + 1 bytes). Local. NC_ENOTVAR, NC_EBADNAME (NULL,
 * empty), NC_EMAXNAME, NC_ENOTATT; inq_attname: NC_EINVAL (name NULL). Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_att(int ncid, int varid, const char *name, nc_type *xtypep, MPI_Offset
    *lenp);
PNETCDF_PUBLIC_API int ncmpi_inq_attid(int ncid, int varid, const char *name, int *idp);
PNETCDF_PUBLIC_API int ncmpi_inq_atttype(int ncid, int varid, const char *name, nc_type *xtypep);
PNETCDF_PUBLIC_API int ncmpi_inq_attlen(int ncid, int varid, const char *name, MPI_Offset *lenp);
PNETCDF_PUBLIC_API int ncmpi_inq_attname(int ncid, int varid, int attnum, char *name);

/* Copies an attribute, perhaps to another file; over one of the same name too. Replicated. NC_EBADID (in,
 * then out), NC_EPERM (out), NC_ENOTVAR (in, out), NC_EBADNAME, NC_EMAXNAME, NC_ENOTATT, NC_ESTRICTCDF2 (a
 * CDF-5 type into an older format), NC_ENOTINDEFINE (new or larger in data mode), I/O errors. Rule: PnetCDF;
 * NC_ESTRICTCDF2: spec. */
PNETCDF_PUBLIC_API int ncmpi_copy_att(int ncid_in, int varid_in, const char *name, int ncid_out, int
    varid_out);

/* Replicated. NC_EPERM, NC_ENOTVAR, NC_EBADNAME, NC_EMAXNAME (old, then new name), NC_ENOTATT, NC_ENAMEINUSE,
 * NC_ENOTINDEFINE (longer name in data mode), I/O errors. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_rename_att(int ncid, int varid, const char *name, const char *newname);

/* Removes an attribute; the numbers of those behind it go down by one. Replicated.
 * NC_EPERM, NC_ENOTINDEFINE, NC_ENOTVAR, NC_EBADNAME, NC_EMAXNAME, NC_ENOTATT. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_del_att(int ncid, int varid, const char *name);

/* Sets an attribute: `len` elements from memory, converted to `xtype` (text stays text; put_att: memory of
 * the type that belongs to `xtype`). One of that name is replaced, in data mode if the new value needs no
 * more room. Replicated. NC_EPERM, NC_ENOTVAR, NC_EBADNAME (NULL, empty), NC_EMAXNAME, NC_EBADNAME
 * (characters), NC_EBADTYPE, NC_ESTRICTCDF2, NC_ECHAR (text to number or back), NC_EINVAL (buffer NULL with
 * len > 0; len < 0 or over 2^31-1 in CDF-1 and CDF-2); for _FillValue of a variable NC_EBADTYPE (not the
 * variable's type), NC_EINVAL (len not 1), NC_ELATEFILL; NC_ENOTINDEFINE, NC_EMAXATTS, NC_ERANGE (stored all
 * the same, the fill value of `xtype` where a value does not fit), I/O errors. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_put_att(int ncid, int varid, const char *name, nc_type xtype, MPI_Offset len,
    const void *buf);
PNETCDF_PUBLIC_API int ncmpi_put_att_text(int ncid, int varid, const char *name, MPI_Offset len, const char
    *buf);
PNETCDF_PUBLIC_API int ncmpi_put_att_schar(int ncid, int varid, const char *name, nc_type xtype, MPI_Offset
    len, const signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_att_uchar(int ncid, int varid, const char *name, nc_type xtype, MPI_Offset
    len, const unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_att_ubyte(int ncid, int varid, const char *name, nc_type xtype, MPI_Offset
    len, const unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_att_short(int ncid, int varid, const char *name, nc_type xtype, MPI_Offset
    len, const short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_att_ushort(int ncid, int varid, const char *name, nc_type xtype, MPI_Offset
    len, const unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_att_int(int ncid, int varid, const char *name, nc_type xtype, MPI_Offset len,
    const int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_att_uint(int ncid, int varid, const char *name, nc_type xtype, MPI_Offset
    len, const unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_att_long(int ncid, int varid, const char *name, nc_type xtype, MPI_Offset
    len, const long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_att_float(int ncid, int varid, const char *name, nc_type xtype, MPI_Offset
    len, const float *buf);
PNETCDF_PUBLIC_API int ncmpi_put_att_double(int ncid, int varid, const char *name, nc_type xtype, MPI_Offset
    len, const double *buf);
PNETCDF_PUBLIC_API int ncmpi_put_att_longlong(int ncid, int varid, const char *name, nc_type xtype, MPI_Offset
    len, const long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_att_ulonglong(int ncid, int varid, const char *name, nc_type xtype,
    MPI_Offset len, const unsigned long long *buf);

/* Reads an attribute, all its elements, converted to the type of the buffer (get_att: to the type that
 * belongs to the external one). Text is not NUL-terminated. Local. NC_ENOTVAR, NC_EBADNAME, NC_EMAXNAME,
 * NC_ENOTATT; an attribute of length 0 ends here, good; NC_ECHAR, NC_EINVAL (buffer NULL), NC_ERANGE (the
 * fill value of the memory type where a value does not fit, the others right). Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_get_att(int ncid, int varid, const char *name, void *buf);
PNETCDF_PUBLIC_API int ncmpi_get_att_text(int ncid, int varid, const char *name, char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_att_schar(int ncid, int varid, const char *name, signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_att_uchar(int ncid, int varid, const char *name, unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_att_ubyte(int ncid, int varid, const char *name, unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_att_short(int ncid, int varid, const char *name, short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_att_ushort(int ncid, int varid, const char *name, unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_att_int(int ncid, int varid, const char *name, int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_att_uint(int ncid, int varid, const char *name, unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_att_long(int ncid, int varid, const char *name, long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_att_float(int ncid, int varid, const char *name, float *buf);
PNETCDF_PUBLIC_API int ncmpi_get_att_double(int ncid, int varid, const char *name, double *buf);
PNETCDF_PUBLIC_API int ncmpi_get_att_longlong(int ncid, int varid, const char *name, long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_att_ulonglong(int ncid, int varid, const char *name, unsigned long long
    *buf);

/* ---- data ----
 *
 * ncmpi_{put,get}_FORM_TYPE_all: Collective, in collective data mode. ncmpi_{put,get}_FORM_TYPE: Local, in
 * independent data mode. Any form, type and variable may meet any other in one collective put, and in one
 * collective get.
 *
 * FORM     arguments, arrays of one entry a dimension     elements moved
 * var      none                                           the whole variable (all known records)
 * var1     start                                          the one at index start
 * vara     start, count                                   count[i] from start[i] on
 * vars     start, count, stride                           every stride[i]-th, count[i] of them
 * varm     start, count, stride, imap                     as vars, spread in memory by imap
 * varn     num, starts[num], counts[num]                  num blocks, each as vara
 *
 * start: index of the first element, from 0. count: elements along each dimension. stride: step, in elements,
 * at least 1; NULL is all ones. imap: distance in memory, in elements, between neighbours along each dimension;
 * NULL is dense. counts NULL, or an entry of it NULL, is one element. A scalar variable ignores all of them.
 * Elements stand in memory dense, the last dimension fastest, one block of varn behind the other.
 * Writing beyond the last record adds records; reading there is an error.
 *
 * TYPE       buffer          TYPE    buffer            TYPE       buffer
 * text       char            ushort  unsigned short    float      float
 * schar      signed char     int     int               double     double
 * uchar      unsigned char   uint    unsigned int      longlong   long long
 * short      short           long    long              ulonglong  unsigned long long
 *
 * Values are converted between TYPE and the variable's external type. One that does not fit gives NC_ERANGE,
 * and a fill value is stored in its place: on put the variable's, on get the memory type's; all other elements
 * are right. Fractions are cut; NaN and infinities pass between float and double, and do not fit an integer. In
 * CDF-1 and CDF-2, uchar and NC_BYTE are copied bit for bit. Text goes with NC_CHAR only. A put never changes
 * the buffer, not even for a moment.
 *
 * Errors: NC_EPERM (put, read only), NC_EINDEFINE, NC_EINDEP or NC_ENOTINDEP (the other data mode), NC_EGLOBAL,
 * NC_ENOTVAR, NC_ECHAR, NC_EINVALCOORDS (start NULL, negative or beyond the end; all dimensions before the next
 * check), NC_EEDGE (count NULL), then dimension by dimension NC_ENEGATIVECNT and NC_EEDGE (start and count reach
 * beyond the end), NC_ESTRIDE; varn also NC_ENULLSTART (starts or an entry of it NULL), NC_EINVAL (num of a scalar
 * not 1; num < 0); NC_EINTOVERFLOW (more records than the format counts), NC_ERANGE, I/O errors. start equal
 * to the dimension's length is right when count is 0 (PNETCDF_RELAX_COORD_BOUND=0 in the environment:
 * NC_EINVALCOORDS).
 * With hint pcdf_defer a collective put may wait after it returned, and is then written with others: its I/O
 * errors come, on all ranks, from the call that writes it (doc/deferring.md). All other errors come at once.
 * Rule: PnetCDF (order of errors, relaxed bound, fill values), netCDF (conversion), parcdf (NaN to integer,
 * buffers). */

/* ---- data: put ---- */
PNETCDF_PUBLIC_API int ncmpi_put_var_text(int ncid, int varid, const char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_text_all(int ncid, int varid, const char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_schar(int ncid, int varid, const signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_schar_all(int ncid, int varid, const signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_uchar(int ncid, int varid, const unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_uchar_all(int ncid, int varid, const unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_short(int ncid, int varid, const short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_short_all(int ncid, int varid, const short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_ushort(int ncid, int varid, const unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_ushort_all(int ncid, int varid, const unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_int(int ncid, int varid, const int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_int_all(int ncid, int varid, const int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_uint(int ncid, int varid, const unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_uint_all(int ncid, int varid, const unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_long(int ncid, int varid, const long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_long_all(int ncid, int varid, const long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_float(int ncid, int varid, const float *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_float_all(int ncid, int varid, const float *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_double(int ncid, int varid, const double *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_double_all(int ncid, int varid, const double *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_longlong(int ncid, int varid, const long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_longlong_all(int ncid, int varid, const long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_ulonglong(int ncid, int varid, const unsigned long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var_ulonglong_all(int ncid, int varid, const unsigned long long *buf);

PNETCDF_PUBLIC_API int ncmpi_put_var1_text(int ncid, int varid, const MPI_Offset *start, const char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_text_all(int ncid, int varid, const MPI_Offset *start, const char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_schar(int ncid, int varid, const MPI_Offset *start, const signed char
    *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_schar_all(int ncid, int varid, const MPI_Offset *start, const signed
    char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_uchar(int ncid, int varid, const MPI_Offset *start, const unsigned char
    *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_uchar_all(int ncid, int varid, const MPI_Offset *start, const unsigned
    char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_short(int ncid, int varid, const MPI_Offset *start, const short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_short_all(int ncid, int varid, const MPI_Offset *start, const short
    *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_ushort(int ncid, int varid, const MPI_Offset *start, const unsigned
    short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_ushort_all(int ncid, int varid, const MPI_Offset *start, const unsigned
    short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_int(int ncid, int varid, const MPI_Offset *start, const int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_int_all(int ncid, int varid, const MPI_Offset *start, const int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_uint(int ncid, int varid, const MPI_Offset *start, const unsigned int
    *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_uint_all(int ncid, int varid, const MPI_Offset *start, const unsigned
    int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_long(int ncid, int varid, const MPI_Offset *start, const long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_long_all(int ncid, int varid, const MPI_Offset *start, const long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_float(int ncid, int varid, const MPI_Offset *start, const float *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_float_all(int ncid, int varid, const MPI_Offset *start, const float
    *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_double(int ncid, int varid, const MPI_Offset *start, const double *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_double_all(int ncid, int varid, const MPI_Offset *start, const double
    *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_longlong(int ncid, int varid, const MPI_Offset *start, const long long
    *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_longlong_all(int ncid, int varid, const MPI_Offset *start, const long
    long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_ulonglong(int ncid, int varid, const MPI_Offset *start, const unsigned
    long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_var1_ulonglong_all(int ncid, int varid, const MPI_Offset *start, const
    unsigned long long *buf);

PNETCDF_PUBLIC_API int ncmpi_put_vara_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_text_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_schar_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_uchar_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_short_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_ushort_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_int_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_uint_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_long_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const float *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_float_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const float *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const double *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_double_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const double *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_longlong_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_ulonglong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const unsigned long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vara_ulonglong_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const unsigned long long *buf);

PNETCDF_PUBLIC_API int ncmpi_put_vars_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_text_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_schar_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_uchar_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_short_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_ushort_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_int_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_uint_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_long_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const float *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_float_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const float *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const double *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_double_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const double *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_longlong_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_ulonglong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const unsigned long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_vars_ulonglong_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const unsigned long long *buf);

PNETCDF_PUBLIC_API int ncmpi_put_varm_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_text_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_schar_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_uchar_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_short_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_ushort_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_int_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_uint_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_long_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const float *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_float_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const float *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const double *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_double_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const double *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_longlong_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_ulonglong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varm_ulonglong_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned long long *buf);

PNETCDF_PUBLIC_API int ncmpi_put_varn_text(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, const char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_text_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_schar(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_schar_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_uchar(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_uchar_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_short(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_short_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_ushort(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_ushort_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_int(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, const int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_int_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_uint(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, const unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_uint_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_long(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, const long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_long_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_float(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const float *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_float_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const float *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_double(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const double *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_double_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const double *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_longlong(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_longlong_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_ulonglong(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned long long *buf);
PNETCDF_PUBLIC_API int ncmpi_put_varn_ulonglong_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned long long *buf);

/* ---- data: get ---- */
PNETCDF_PUBLIC_API int ncmpi_get_var_text(int ncid, int varid, char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_text_all(int ncid, int varid, char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_schar(int ncid, int varid, signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_schar_all(int ncid, int varid, signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_uchar(int ncid, int varid, unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_uchar_all(int ncid, int varid, unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_short(int ncid, int varid, short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_short_all(int ncid, int varid, short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_ushort(int ncid, int varid, unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_ushort_all(int ncid, int varid, unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_int(int ncid, int varid, int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_int_all(int ncid, int varid, int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_uint(int ncid, int varid, unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_uint_all(int ncid, int varid, unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_long(int ncid, int varid, long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_long_all(int ncid, int varid, long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_float(int ncid, int varid, float *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_float_all(int ncid, int varid, float *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_double(int ncid, int varid, double *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_double_all(int ncid, int varid, double *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_longlong(int ncid, int varid, long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_longlong_all(int ncid, int varid, long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_ulonglong(int ncid, int varid, unsigned long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var_ulonglong_all(int ncid, int varid, unsigned long long *buf);

PNETCDF_PUBLIC_API int ncmpi_get_var1_text(int ncid, int varid, const MPI_Offset *start, char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_text_all(int ncid, int varid, const MPI_Offset *start, char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_schar(int ncid, int varid, const MPI_Offset *start, signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_schar_all(int ncid, int varid, const MPI_Offset *start, signed char
    *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_uchar(int ncid, int varid, const MPI_Offset *start, unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_uchar_all(int ncid, int varid, const MPI_Offset *start, unsigned char
    *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_short(int ncid, int varid, const MPI_Offset *start, short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_short_all(int ncid, int varid, const MPI_Offset *start, short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_ushort(int ncid, int varid, const MPI_Offset *start, unsigned short
    *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_ushort_all(int ncid, int varid, const MPI_Offset *start, unsigned short
    *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_int(int ncid, int varid, const MPI_Offset *start, int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_int_all(int ncid, int varid, const MPI_Offset *start, int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_uint(int ncid, int varid, const MPI_Offset *start, unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_uint_all(int ncid, int varid, const MPI_Offset *start, unsigned int
    *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_long(int ncid, int varid, const MPI_Offset *start, long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_long_all(int ncid, int varid, const MPI_Offset *start, long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_float(int ncid, int varid, const MPI_Offset *start, float *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_float_all(int ncid, int varid, const MPI_Offset *start, float *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_double(int ncid, int varid, const MPI_Offset *start, double *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_double_all(int ncid, int varid, const MPI_Offset *start, double *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_longlong(int ncid, int varid, const MPI_Offset *start, long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_longlong_all(int ncid, int varid, const MPI_Offset *start, long long
    *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_ulonglong(int ncid, int varid, const MPI_Offset *start, unsigned long
    long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_var1_ulonglong_all(int ncid, int varid, const MPI_Offset *start, unsigned
    long long *buf);

PNETCDF_PUBLIC_API int ncmpi_get_vara_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_text_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_schar_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_uchar_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_short_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_ushort_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_int_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_uint_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_long_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, float *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_float_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, float *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, double *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_double_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, double *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_longlong_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_ulonglong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, unsigned long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vara_ulonglong_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, unsigned long long *buf);

PNETCDF_PUBLIC_API int ncmpi_get_vars_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_text_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_schar_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_uchar_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_short_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_ushort_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_int_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_uint_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_long_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, float *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_float_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, float *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, double *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_double_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, double *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_longlong_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_ulonglong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, unsigned long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_vars_ulonglong_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, unsigned long long *buf);

PNETCDF_PUBLIC_API int ncmpi_get_varm_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_text_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_schar_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_uchar_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_short_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_ushort_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_int_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_uint_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_long_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, float *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_float_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, float *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, double *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_double_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, double *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_longlong_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_ulonglong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, unsigned long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varm_ulonglong_all(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, unsigned long long *buf);

PNETCDF_PUBLIC_API int ncmpi_get_varn_text(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_text_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_schar(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_schar_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, signed char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_uchar(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_uchar_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned char *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_short(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_short_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_ushort(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_ushort_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned short *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_int(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_int_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_uint(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_uint_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned int *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_long(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_long_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_float(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, float *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_float_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, float *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_double(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, double *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_double_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, double *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_longlong(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_longlong_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_ulonglong(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned long long *buf);
PNETCDF_PUBLIC_API int ncmpi_get_varn_ulonglong_all(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned long long *buf);

/* ---- data: buffers described by MPI datatypes ----
 * ncmpi_{put,get}_FORM_all: Collective. ncmpi_{put,get}_FORM: Local. As the functions with a TYPE in their names, but
 * `bufcount` items of `buftype` hold the request's elements, exactly as many. buftype: one predefined type or anything
 * derived from one (vectors, subarrays, structs, resized types; it may be freed when the call returns). Its element
 * type stands for TYPE: values are converted, and bytes between the elements are neither read nor written. bufcount
 * NC_COUNT_IGNORE: as many as the request has, predefined types only. buftype MPI_DATATYPE_NULL: dense memory of the
 * variable's own type, bufcount ignored. imap of varm counts elements of the datatype. Errors: those of the typed
 * functions, and behind NC_ESTRIDE NC_EINVAL (NC_COUNT_IGNORE with a derived type; an imap or a datatype that leads out
 * of the memory), NC_EUNSPTETYPE (an element type that no TYPE has), NC_EMULTITYPES (more than one element type),
 * NC_EIOMISMATCH (bufcount < 0; not as many elements as the request has). Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_put_var(int ncid, int varid, const void *buf, MPI_Offset bufcount, MPI_Datatype
    buftype);
PNETCDF_PUBLIC_API int ncmpi_put_var_all(int ncid, int varid, const void *buf, MPI_Offset bufcount,
    MPI_Datatype buftype);

PNETCDF_PUBLIC_API int ncmpi_put_var1(int ncid, int varid, const MPI_Offset *start, const void *buf,
    MPI_Offset bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_put_var1_all(int ncid, int varid, const MPI_Offset *start, const void *buf,
    MPI_Offset bufcount, MPI_Datatype buftype);

PNETCDF_PUBLIC_API int ncmpi_put_vara(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    const void *buf, MPI_Offset bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_put_vara_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const void *buf, MPI_Offset bufcount, MPI_Datatype buftype);

PNETCDF_PUBLIC_API int ncmpi_put_vars(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    const MPI_Offset *stride, const void *buf, MPI_Offset bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_put_vars_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const void *buf, MPI_Offset bufcount, MPI_Datatype buftype);

PNETCDF_PUBLIC_API int ncmpi_put_varm(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    const MPI_Offset *stride, const MPI_Offset *imap, const void *buf, MPI_Offset bufcount, MPI_Datatype
    buftype);
PNETCDF_PUBLIC_API int ncmpi_put_varm_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const void *buf, MPI_Offset bufcount,
    MPI_Datatype buftype);

PNETCDF_PUBLIC_API int ncmpi_put_varn(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, const void *buf, MPI_Offset bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_put_varn_all(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, const void *buf, MPI_Offset bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_get_var(int ncid, int varid, void *buf, MPI_Offset bufcount, MPI_Datatype
    buftype);
PNETCDF_PUBLIC_API int ncmpi_get_var_all(int ncid, int varid, void *buf, MPI_Offset bufcount, MPI_Datatype
    buftype);

PNETCDF_PUBLIC_API int ncmpi_get_var1(int ncid, int varid, const MPI_Offset *start, void *buf, MPI_Offset
    bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_get_var1_all(int ncid, int varid, const MPI_Offset *start, void *buf, MPI_Offset
    bufcount, MPI_Datatype buftype);

PNETCDF_PUBLIC_API int ncmpi_get_vara(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    void *buf, MPI_Offset bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_get_vara_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, void *buf, MPI_Offset bufcount, MPI_Datatype buftype);

PNETCDF_PUBLIC_API int ncmpi_get_vars(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    const MPI_Offset *stride, void *buf, MPI_Offset bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_get_vars_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, void *buf, MPI_Offset bufcount, MPI_Datatype buftype);

PNETCDF_PUBLIC_API int ncmpi_get_varm(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    const MPI_Offset *stride, const MPI_Offset *imap, void *buf, MPI_Offset bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_get_varm_all(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, void *buf, MPI_Offset bufcount, MPI_Datatype
    buftype);

PNETCDF_PUBLIC_API int ncmpi_get_varn(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, void *buf, MPI_Offset bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_get_varn_all(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, void *buf, MPI_Offset bufcount, MPI_Datatype buftype);

/* ---- data: by an MPI file type ----
 * Kept for linking only; varn does what they did. Local, whatever the name: nothing is moved and no rank waits.
 * NC_ENOTSUPPORT. Rule: PnetCDF (deprecated there); NC_ENOTSUPPORT: parcdf. */
PNETCDF_PUBLIC_API int ncmpi_put_vard(int ncid, int varid, MPI_Datatype filetype, const void *buf, MPI_Offset
    bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_put_vard_all(int ncid, int varid, MPI_Datatype filetype, const void *buf,
    MPI_Offset bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_get_vard(int ncid, int varid, MPI_Datatype filetype, void *buf, MPI_Offset
    bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_get_vard_all(int ncid, int varid, MPI_Datatype filetype, void *buf, MPI_Offset
    bufcount, MPI_Datatype buftype);

/* ---- data: posted now, moved by wait ----
 * ncmpi_{iput,iget,bput}_FORM_TYPE, and without TYPE for a buffer described by an MPI datatype. In any mode, define mode
 * too. Local. The arguments are those of put and get; start, count, stride, imap, starts, counts and buftype may be
 * changed or freed when the call returns. The request's id goes to *reqid (NULL: not wanted): NC_REQ_NULL where there is
 * nothing to move. iput: the buffer must not be changed before wait where it
 * holds more than hint pcdf_pack_size (4096) bytes of the file; iget: it holds the values after wait; bput: it is
 * copied at once, as much as the room given to buffer_attach allows. Puts go by their posting order: of two that
 * overlap, the later one wins. Errors: NC_ENULLABUF (bput, no buffer attached), those of put and get but for the modes,
 * NC_EINSUFFBUF (bput, more than is left of the attached buffer), NC_ERANGE at once for iput and bput (posted all the
 * same), in wait for iget. Rule: PnetCDF; overlapping puts: parcdf. */
PNETCDF_PUBLIC_API int ncmpi_iput_var_text(int ncid, int varid, const char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var_schar(int ncid, int varid, const signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var_uchar(int ncid, int varid, const unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var_short(int ncid, int varid, const short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var_ushort(int ncid, int varid, const unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var_int(int ncid, int varid, const int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var_uint(int ncid, int varid, const unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var_long(int ncid, int varid, const long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var_float(int ncid, int varid, const float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var_double(int ncid, int varid, const double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var_longlong(int ncid, int varid, const long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var_ulonglong(int ncid, int varid, const unsigned long long *buf, int
    *reqid);

PNETCDF_PUBLIC_API int ncmpi_iput_var1_text(int ncid, int varid, const MPI_Offset *start, const char *buf, int
    *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var1_schar(int ncid, int varid, const MPI_Offset *start, const signed char
    *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var1_uchar(int ncid, int varid, const MPI_Offset *start, const unsigned char
    *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var1_short(int ncid, int varid, const MPI_Offset *start, const short *buf,
    int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var1_ushort(int ncid, int varid, const MPI_Offset *start, const unsigned
    short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var1_int(int ncid, int varid, const MPI_Offset *start, const int *buf, int
    *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var1_uint(int ncid, int varid, const MPI_Offset *start, const unsigned int
    *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var1_long(int ncid, int varid, const MPI_Offset *start, const long *buf, int
    *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var1_float(int ncid, int varid, const MPI_Offset *start, const float *buf,
    int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var1_double(int ncid, int varid, const MPI_Offset *start, const double *buf,
    int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var1_longlong(int ncid, int varid, const MPI_Offset *start, const long long
    *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var1_ulonglong(int ncid, int varid, const MPI_Offset *start, const unsigned
    long long *buf, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iput_vara_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vara_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vara_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vara_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vara_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vara_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vara_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vara_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vara_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vara_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vara_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vara_ulonglong(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const unsigned long long *buf, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iput_vars_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vars_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vars_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vars_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vars_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vars_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vars_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vars_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vars_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vars_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vars_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_vars_ulonglong(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const unsigned long long *buf, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iput_varm_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varm_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varm_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varm_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varm_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varm_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varm_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varm_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varm_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varm_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varm_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varm_ulonglong(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned long long *buf, int
    *reqid);

PNETCDF_PUBLIC_API int ncmpi_iput_varn_text(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varn_schar(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varn_uchar(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varn_short(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varn_ushort(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varn_int(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, const int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varn_uint(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varn_long(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varn_float(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varn_double(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varn_longlong(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_varn_ulonglong(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iput_var(int ncid, int varid, const void *buf, MPI_Offset bufcount, MPI_Datatype
    buftype, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iput_var1(int ncid, int varid, const MPI_Offset *start, const void *buf,
    MPI_Offset bufcount, MPI_Datatype buftype, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iput_vara(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    const void *buf, MPI_Offset bufcount, MPI_Datatype buftype, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iput_vars(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    const MPI_Offset *stride, const void *buf, MPI_Offset bufcount, MPI_Datatype buftype, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iput_varm(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    const MPI_Offset *stride, const MPI_Offset *imap, const void *buf, MPI_Offset bufcount, MPI_Datatype
    buftype, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iput_varn(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, const void *buf, MPI_Offset bufcount, MPI_Datatype buftype, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var_text(int ncid, int varid, char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var_schar(int ncid, int varid, signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var_uchar(int ncid, int varid, unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var_short(int ncid, int varid, short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var_ushort(int ncid, int varid, unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var_int(int ncid, int varid, int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var_uint(int ncid, int varid, unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var_long(int ncid, int varid, long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var_float(int ncid, int varid, float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var_double(int ncid, int varid, double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var_longlong(int ncid, int varid, long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var_ulonglong(int ncid, int varid, unsigned long long *buf, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iget_var1_text(int ncid, int varid, const MPI_Offset *start, char *buf, int
    *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var1_schar(int ncid, int varid, const MPI_Offset *start, signed char *buf,
    int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var1_uchar(int ncid, int varid, const MPI_Offset *start, unsigned char *buf,
    int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var1_short(int ncid, int varid, const MPI_Offset *start, short *buf, int
    *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var1_ushort(int ncid, int varid, const MPI_Offset *start, unsigned short
    *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var1_int(int ncid, int varid, const MPI_Offset *start, int *buf, int
    *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var1_uint(int ncid, int varid, const MPI_Offset *start, unsigned int *buf,
    int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var1_long(int ncid, int varid, const MPI_Offset *start, long *buf, int
    *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var1_float(int ncid, int varid, const MPI_Offset *start, float *buf, int
    *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var1_double(int ncid, int varid, const MPI_Offset *start, double *buf, int
    *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var1_longlong(int ncid, int varid, const MPI_Offset *start, long long *buf,
    int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var1_ulonglong(int ncid, int varid, const MPI_Offset *start, unsigned long
    long *buf, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iget_vara_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vara_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vara_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vara_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vara_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vara_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vara_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vara_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vara_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vara_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vara_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vara_ulonglong(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, unsigned long long *buf, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iget_vars_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vars_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vars_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vars_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vars_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vars_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vars_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vars_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vars_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vars_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vars_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_vars_ulonglong(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, unsigned long long *buf, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iget_varm_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varm_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varm_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varm_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varm_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varm_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varm_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varm_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varm_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varm_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varm_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varm_ulonglong(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, unsigned long long *buf, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iget_varn_text(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varn_schar(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varn_uchar(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varn_short(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varn_ushort(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varn_int(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varn_uint(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varn_long(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varn_float(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varn_double(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varn_longlong(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_varn_ulonglong(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_iget_var(int ncid, int varid, void *buf, MPI_Offset bufcount, MPI_Datatype
    buftype, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iget_var1(int ncid, int varid, const MPI_Offset *start, void *buf, MPI_Offset
    bufcount, MPI_Datatype buftype, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iget_vara(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    void *buf, MPI_Offset bufcount, MPI_Datatype buftype, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iget_vars(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    const MPI_Offset *stride, void *buf, MPI_Offset bufcount, MPI_Datatype buftype, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iget_varm(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    const MPI_Offset *stride, const MPI_Offset *imap, void *buf, MPI_Offset bufcount, MPI_Datatype buftype,
    int *reqid);

PNETCDF_PUBLIC_API int ncmpi_iget_varn(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, void *buf, MPI_Offset bufcount, MPI_Datatype buftype, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var_text(int ncid, int varid, const char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var_schar(int ncid, int varid, const signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var_uchar(int ncid, int varid, const unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var_short(int ncid, int varid, const short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var_ushort(int ncid, int varid, const unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var_int(int ncid, int varid, const int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var_uint(int ncid, int varid, const unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var_long(int ncid, int varid, const long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var_float(int ncid, int varid, const float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var_double(int ncid, int varid, const double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var_longlong(int ncid, int varid, const long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var_ulonglong(int ncid, int varid, const unsigned long long *buf, int
    *reqid);

PNETCDF_PUBLIC_API int ncmpi_bput_var1_text(int ncid, int varid, const MPI_Offset *start, const char *buf, int
    *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var1_schar(int ncid, int varid, const MPI_Offset *start, const signed char
    *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var1_uchar(int ncid, int varid, const MPI_Offset *start, const unsigned char
    *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var1_short(int ncid, int varid, const MPI_Offset *start, const short *buf,
    int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var1_ushort(int ncid, int varid, const MPI_Offset *start, const unsigned
    short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var1_int(int ncid, int varid, const MPI_Offset *start, const int *buf, int
    *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var1_uint(int ncid, int varid, const MPI_Offset *start, const unsigned int
    *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var1_long(int ncid, int varid, const MPI_Offset *start, const long *buf, int
    *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var1_float(int ncid, int varid, const MPI_Offset *start, const float *buf,
    int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var1_double(int ncid, int varid, const MPI_Offset *start, const double *buf,
    int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var1_longlong(int ncid, int varid, const MPI_Offset *start, const long long
    *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var1_ulonglong(int ncid, int varid, const MPI_Offset *start, const unsigned
    long long *buf, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_bput_vara_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vara_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vara_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vara_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vara_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vara_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vara_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vara_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vara_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vara_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vara_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vara_ulonglong(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const unsigned long long *buf, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_bput_vars_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vars_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vars_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vars_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vars_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vars_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vars_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vars_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vars_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vars_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vars_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_vars_ulonglong(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const unsigned long long *buf, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_bput_varm_text(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varm_schar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varm_uchar(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varm_short(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varm_ushort(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varm_int(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varm_uint(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varm_long(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varm_float(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varm_double(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varm_longlong(int ncid, int varid, const MPI_Offset *start, const MPI_Offset
    *count, const MPI_Offset *stride, const MPI_Offset *imap, const long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varm_ulonglong(int ncid, int varid, const MPI_Offset *start, const
    MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap, const unsigned long long *buf, int
    *reqid);

PNETCDF_PUBLIC_API int ncmpi_bput_varn_text(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varn_schar(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const signed char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varn_uchar(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned char *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varn_short(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varn_ushort(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned short *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varn_int(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, const int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varn_uint(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned int *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varn_long(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varn_float(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const float *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varn_double(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const double *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varn_longlong(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_varn_ulonglong(int ncid, int varid, int num, MPI_Offset *const *starts,
    MPI_Offset *const *counts, const unsigned long long *buf, int *reqid);
PNETCDF_PUBLIC_API int ncmpi_bput_var(int ncid, int varid, const void *buf, MPI_Offset bufcount, MPI_Datatype
    buftype, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_bput_var1(int ncid, int varid, const MPI_Offset *start, const void *buf,
    MPI_Offset bufcount, MPI_Datatype buftype, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_bput_vara(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    const void *buf, MPI_Offset bufcount, MPI_Datatype buftype, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_bput_vars(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    const MPI_Offset *stride, const void *buf, MPI_Offset bufcount, MPI_Datatype buftype, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_bput_varm(int ncid, int varid, const MPI_Offset *start, const MPI_Offset *count,
    const MPI_Offset *stride, const MPI_Offset *imap, const void *buf, MPI_Offset bufcount, MPI_Datatype
    buftype, int *reqid);

PNETCDF_PUBLIC_API int ncmpi_bput_varn(int ncid, int varid, int num, MPI_Offset *const *starts, MPI_Offset
    *const *counts, const void *buf, MPI_Offset bufcount, MPI_Datatype buftype, int *reqid);

/* ---- requests and the buffer for bput ---- */

/* Moves what was posted: all puts, then all gets, each as one access. `count` ids, or NC_REQ_ALL, NC_GET_REQ_ALL or
 * NC_PUT_REQ_ALL (the arrays are not used then, and may be NULL). Every id that was carried out becomes NC_REQ_NULL and
 * its own code goes to array_of_statuses (NULL: not wanted); NC_REQ_NULL among the ids is skipped. wait_all is
 * Collective, in collective data mode, each rank with requests of its own, or none (count 0); wait is Local, in
 * independent data mode. The result is this rank's first failure, NC_ERANGE only when there is no other. NC_EINDEFINE,
 * NC_EINDEP (wait_all), NC_ENOTINDEP (wait), NC_EINVAL (count < 0 and none of the three; array NULL), NC_EINVAL_REQUEST
 * (an id that is not pending, or stands there twice; the others are carried out), NC_ERANGE (of a get), I/O errors. Rule:
 * PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_wait(int ncid, int count, int array_of_requests[], int array_of_statuses[]);
PNETCDF_PUBLIC_API int ncmpi_wait_all(int ncid, int count, int array_of_requests[], int array_of_statuses[]);

/* Drops requests; the same ids and the same statuses as wait. Local, in any mode. NC_EINVAL (num, reqs NULL),
 * NC_EINVAL_REQUEST. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_cancel(int ncid, int num, int *reqs, int *statuses);

/* Gives room for bput, in bytes of the external types, until detach; one buffer a file. Local, in any mode. The library
 * takes memory as requests come, and gives it back as they are waited for. attach: NC_ENULLBUF (bufsize <= 0),
 * NC_EPREVATTACHBUF (there is one). detach: NC_ENULLABUF (there is none), NC_EPENDINGBPUT (requests use it). Rule:
 * PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_buffer_attach(int ncid, MPI_Offset bufsize);
PNETCDF_PUBLIC_API int ncmpi_buffer_detach(int ncid);

/* ---- data: several variables in one call ----
 * ncmpi_{mput,mget}_FORM_TYPE_all: Collective, in collective data mode; ncmpi_{mput,mget}_FORM_TYPE: Local, in
 * independent data mode; without TYPE the buffers are described by MPI datatypes. `num` variables, whose arguments
 * stand side by side: varids[i] gets starts[i], counts[i], strides[i], imaps[i], and its buffer is bufs[i], with
 * bufcounts[i] and datatypes[i]. One access moves them all; a variable may stand there twice, the later put wins. num
 * may differ between ranks, and be 0. Errors: NC_EPERM (mput, read only), NC_EINDEFINE, NC_EINDEP or NC_ENOTINDEP,
 * NC_EINVAL (num < 0; varids or bufs NULL), then those of put and get for each variable: with the first wrong one
 * nothing of this rank's call is moved. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_mput_var_text(int ncid, int num, int *varids, char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_text_all(int ncid, int num, int *varids, char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_schar(int ncid, int num, int *varids, signed char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_schar_all(int ncid, int num, int *varids, signed char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_uchar(int ncid, int num, int *varids, unsigned char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_uchar_all(int ncid, int num, int *varids, unsigned char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_short(int ncid, int num, int *varids, short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_short_all(int ncid, int num, int *varids, short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_ushort(int ncid, int num, int *varids, unsigned short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_ushort_all(int ncid, int num, int *varids, unsigned short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_int(int ncid, int num, int *varids, int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_int_all(int ncid, int num, int *varids, int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_uint(int ncid, int num, int *varids, unsigned int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_uint_all(int ncid, int num, int *varids, unsigned int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_long(int ncid, int num, int *varids, long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_long_all(int ncid, int num, int *varids, long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_float(int ncid, int num, int *varids, float *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_float_all(int ncid, int num, int *varids, float *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_double(int ncid, int num, int *varids, double *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_double_all(int ncid, int num, int *varids, double *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_longlong(int ncid, int num, int *varids, long long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_longlong_all(int ncid, int num, int *varids, long long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_ulonglong(int ncid, int num, int *varids, unsigned long long *const
    *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var_ulonglong_all(int ncid, int num, int *varids, unsigned long long *const
    *bufs);

PNETCDF_PUBLIC_API int ncmpi_mput_var1_text(int ncid, int num, int *varids, MPI_Offset *const *starts, char
    *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_text_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_schar(int ncid, int num, int *varids, MPI_Offset *const *starts, signed
    char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_schar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    signed char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_uchar(int ncid, int num, int *varids, MPI_Offset *const *starts,
    unsigned char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_uchar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    unsigned char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_short(int ncid, int num, int *varids, MPI_Offset *const *starts, short
    *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_short_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_ushort(int ncid, int num, int *varids, MPI_Offset *const *starts,
    unsigned short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_ushort_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    unsigned short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_int(int ncid, int num, int *varids, MPI_Offset *const *starts, int
    *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_int_all(int ncid, int num, int *varids, MPI_Offset *const *starts, int
    *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_uint(int ncid, int num, int *varids, MPI_Offset *const *starts,
    unsigned int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_uint_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    unsigned int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_long(int ncid, int num, int *varids, MPI_Offset *const *starts, long
    *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_long_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_float(int ncid, int num, int *varids, MPI_Offset *const *starts, float
    *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_float_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    float *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_double(int ncid, int num, int *varids, MPI_Offset *const *starts,
    double *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_double_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    double *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_longlong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    long long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_longlong_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    long long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_ulonglong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    unsigned long long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_ulonglong_all(int ncid, int num, int *varids, MPI_Offset *const
    *starts, unsigned long long *const *bufs);

PNETCDF_PUBLIC_API int ncmpi_mput_vara_text(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_text_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_schar(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, signed char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_schar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, signed char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_uchar(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_uchar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_short(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_short_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_ushort(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_ushort_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_int(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_int_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_uint(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_uint_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_long(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_long_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_float(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, float *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_float_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, float *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_double(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, double *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_double_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, double *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_longlong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, long long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_longlong_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, long long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_ulonglong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned long long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_ulonglong_all(int ncid, int num, int *varids, MPI_Offset *const
    *starts, MPI_Offset *const *counts, unsigned long long *const *bufs);

PNETCDF_PUBLIC_API int ncmpi_mput_vars_text(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_text_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_schar(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, signed char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_schar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, signed char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_uchar(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_uchar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_short(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_short_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_ushort(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_ushort_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_int(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_int_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_uint(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_uint_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_long(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_long_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_float(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, float *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_float_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, float *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_double(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, double *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_double_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, double *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_longlong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, long long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_longlong_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, long long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_ulonglong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned long long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_ulonglong_all(int ncid, int num, int *varids, MPI_Offset *const
    *starts, MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned long long *const *bufs);

PNETCDF_PUBLIC_API int ncmpi_mput_varm_text(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_text_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, char *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_schar(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, signed char *const
    *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_schar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, signed char *const
    *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_uchar(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned char *const
    *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_uchar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned char *const
    *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_short(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_short_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, short *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_ushort(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned short *const
    *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_ushort_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned short *const
    *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_int(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_int_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, int *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_uint(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned int *const
    *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_uint_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned int *const
    *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_long(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_long_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_float(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, float *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_float_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, float *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_double(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, double *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_double_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, double *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_longlong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, long long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_longlong_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, long long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_ulonglong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned long long *const
    *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_ulonglong_all(int ncid, int num, int *varids, MPI_Offset *const
    *starts, MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned long
    long *const *bufs);
PNETCDF_PUBLIC_API int ncmpi_mput_var(int ncid, int num, int *varids, void *const *bufs, const MPI_Offset
    *bufcounts, const MPI_Datatype datatypes[]);
PNETCDF_PUBLIC_API int ncmpi_mput_var_all(int ncid, int num, int *varids, void *const *bufs, const MPI_Offset
    *bufcounts, const MPI_Datatype datatypes[]);

PNETCDF_PUBLIC_API int ncmpi_mput_var1(int ncid, int num, int *varids, MPI_Offset *const *starts, void *const
    *bufs, const MPI_Offset *bufcounts, const MPI_Datatype datatypes[]);
PNETCDF_PUBLIC_API int ncmpi_mput_var1_all(int ncid, int num, int *varids, MPI_Offset *const *starts, void
    *const *bufs, const MPI_Offset *bufcounts, const MPI_Datatype datatypes[]);

PNETCDF_PUBLIC_API int ncmpi_mput_vara(int ncid, int num, int *varids, MPI_Offset *const *starts, MPI_Offset
    *const *counts, void *const *bufs, const MPI_Offset *bufcounts, const MPI_Datatype datatypes[]);
PNETCDF_PUBLIC_API int ncmpi_mput_vara_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, void *const *bufs, const MPI_Offset *bufcounts, const MPI_Datatype
    datatypes[]);

PNETCDF_PUBLIC_API int ncmpi_mput_vars(int ncid, int num, int *varids, MPI_Offset *const *starts, MPI_Offset
    *const *counts, MPI_Offset *const *strides, void *const *bufs, const MPI_Offset *bufcounts, const
    MPI_Datatype datatypes[]);
PNETCDF_PUBLIC_API int ncmpi_mput_vars_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, void *const *bufs, const MPI_Offset *bufcounts,
    const MPI_Datatype datatypes[]);

PNETCDF_PUBLIC_API int ncmpi_mput_varm(int ncid, int num, int *varids, MPI_Offset *const *starts, MPI_Offset
    *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, void *const *bufs, const MPI_Offset
    *bufcounts, const MPI_Datatype datatypes[]);
PNETCDF_PUBLIC_API int ncmpi_mput_varm_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, void *const *bufs, const
    MPI_Offset *bufcounts, const MPI_Datatype datatypes[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_text(int ncid, int num, int *varids, char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_text_all(int ncid, int num, int *varids, char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_schar(int ncid, int num, int *varids, signed char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_schar_all(int ncid, int num, int *varids, signed char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_uchar(int ncid, int num, int *varids, unsigned char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_uchar_all(int ncid, int num, int *varids, unsigned char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_short(int ncid, int num, int *varids, short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_short_all(int ncid, int num, int *varids, short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_ushort(int ncid, int num, int *varids, unsigned short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_ushort_all(int ncid, int num, int *varids, unsigned short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_int(int ncid, int num, int *varids, int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_int_all(int ncid, int num, int *varids, int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_uint(int ncid, int num, int *varids, unsigned int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_uint_all(int ncid, int num, int *varids, unsigned int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_long(int ncid, int num, int *varids, long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_long_all(int ncid, int num, int *varids, long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_float(int ncid, int num, int *varids, float *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_float_all(int ncid, int num, int *varids, float *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_double(int ncid, int num, int *varids, double *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_double_all(int ncid, int num, int *varids, double *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_longlong(int ncid, int num, int *varids, long long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_longlong_all(int ncid, int num, int *varids, long long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_ulonglong(int ncid, int num, int *varids, unsigned long long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var_ulonglong_all(int ncid, int num, int *varids, unsigned long long
    *bufs[]);

PNETCDF_PUBLIC_API int ncmpi_mget_var1_text(int ncid, int num, int *varids, MPI_Offset *const *starts, char
    *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_text_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_schar(int ncid, int num, int *varids, MPI_Offset *const *starts, signed
    char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_schar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    signed char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_uchar(int ncid, int num, int *varids, MPI_Offset *const *starts,
    unsigned char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_uchar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    unsigned char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_short(int ncid, int num, int *varids, MPI_Offset *const *starts, short
    *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_short_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_ushort(int ncid, int num, int *varids, MPI_Offset *const *starts,
    unsigned short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_ushort_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    unsigned short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_int(int ncid, int num, int *varids, MPI_Offset *const *starts, int
    *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_int_all(int ncid, int num, int *varids, MPI_Offset *const *starts, int
    *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_uint(int ncid, int num, int *varids, MPI_Offset *const *starts,
    unsigned int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_uint_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    unsigned int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_long(int ncid, int num, int *varids, MPI_Offset *const *starts, long
    *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_long_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_float(int ncid, int num, int *varids, MPI_Offset *const *starts, float
    *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_float_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    float *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_double(int ncid, int num, int *varids, MPI_Offset *const *starts,
    double *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_double_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    double *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_longlong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    long long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_longlong_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    long long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_ulonglong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    unsigned long long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_ulonglong_all(int ncid, int num, int *varids, MPI_Offset *const
    *starts, unsigned long long *bufs[]);

PNETCDF_PUBLIC_API int ncmpi_mget_vara_text(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_text_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_schar(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, signed char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_schar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, signed char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_uchar(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_uchar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_short(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_short_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_ushort(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_ushort_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_int(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_int_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_uint(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_uint_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_long(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_long_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_float(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, float *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_float_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, float *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_double(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, double *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_double_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, double *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_longlong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, long long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_longlong_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, long long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_ulonglong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, unsigned long long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_ulonglong_all(int ncid, int num, int *varids, MPI_Offset *const
    *starts, MPI_Offset *const *counts, unsigned long long *bufs[]);

PNETCDF_PUBLIC_API int ncmpi_mget_vars_text(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_text_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_schar(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, signed char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_schar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, signed char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_uchar(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_uchar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_short(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_short_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_ushort(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_ushort_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_int(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_int_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_uint(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_uint_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_long(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_long_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_float(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, float *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_float_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, float *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_double(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, double *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_double_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, double *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_longlong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, long long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_longlong_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, long long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_ulonglong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned long long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_ulonglong_all(int ncid, int num, int *varids, MPI_Offset *const
    *starts, MPI_Offset *const *counts, MPI_Offset *const *strides, unsigned long long *bufs[]);

PNETCDF_PUBLIC_API int ncmpi_mget_varm_text(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_text_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_schar(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, signed char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_schar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, signed char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_uchar(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_uchar_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned char *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_short(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_short_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_ushort(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_ushort_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned short *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_int(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_int_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_uint(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_uint_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned int *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_long(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_long_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_float(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, float *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_float_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, float *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_double(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, double *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_double_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, double *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_longlong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, long long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_longlong_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, long long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_ulonglong(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned long long
    *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_ulonglong_all(int ncid, int num, int *varids, MPI_Offset *const
    *starts, MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, unsigned long
    long *bufs[]);
PNETCDF_PUBLIC_API int ncmpi_mget_var(int ncid, int num, int *varids, void *bufs[], const MPI_Offset
    *bufcounts, const MPI_Datatype *datatypes);
PNETCDF_PUBLIC_API int ncmpi_mget_var_all(int ncid, int num, int *varids, void *bufs[], const MPI_Offset
    *bufcounts, const MPI_Datatype *datatypes);

PNETCDF_PUBLIC_API int ncmpi_mget_var1(int ncid, int num, int *varids, MPI_Offset *const *starts, void
    *bufs[], const MPI_Offset *bufcounts, const MPI_Datatype *datatypes);
PNETCDF_PUBLIC_API int ncmpi_mget_var1_all(int ncid, int num, int *varids, MPI_Offset *const *starts, void
    *bufs[], const MPI_Offset *bufcounts, const MPI_Datatype *datatypes);

PNETCDF_PUBLIC_API int ncmpi_mget_vara(int ncid, int num, int *varids, MPI_Offset *const *starts, MPI_Offset
    *const *counts, void *bufs[], const MPI_Offset *bufcounts, const MPI_Datatype *datatypes);
PNETCDF_PUBLIC_API int ncmpi_mget_vara_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, void *bufs[], const MPI_Offset *bufcounts, const MPI_Datatype *datatypes);

PNETCDF_PUBLIC_API int ncmpi_mget_vars(int ncid, int num, int *varids, MPI_Offset *const *starts, MPI_Offset
    *const *counts, MPI_Offset *const *strides, void *bufs[], const MPI_Offset *bufcounts, const MPI_Datatype
    *datatypes);
PNETCDF_PUBLIC_API int ncmpi_mget_vars_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, void *bufs[], const MPI_Offset *bufcounts, const
    MPI_Datatype *datatypes);

PNETCDF_PUBLIC_API int ncmpi_mget_varm(int ncid, int num, int *varids, MPI_Offset *const *starts, MPI_Offset
    *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, void *bufs[], const MPI_Offset
    *bufcounts, const MPI_Datatype *datatypes);
PNETCDF_PUBLIC_API int ncmpi_mget_varm_all(int ncid, int num, int *varids, MPI_Offset *const *starts,
    MPI_Offset *const *counts, MPI_Offset *const *strides, MPI_Offset *const *imaps, void *bufs[], const
    MPI_Offset *bufcounts, const MPI_Datatype *datatypes);

/* ---- the header of a CDL text ----
 * What ncdump -h prints, or a person wrote, as definitions to go through: dimensions, variables and attributes have the
 * numbers 0, 1, ... in the order of the text. No MPI. A data section behind the header is not looked at. Local.
 * cdl_hdr_open: NC_ENFILE (1024 are open), NC_ENOENT, NC_EFILE (cannot be read), NC_ENOMEM, NC_EBADDIM (a variable over
 * a dimension that is not declared), NC_ENOTNC (no CDL header of the classic model; parcdf_last_error() has line and
 * column), NC_EINVAL (hid NULL). The others: NC_EBADID (handle, dimension, variable or attribute that is not there).
 * inq_format gives 1, 2 or 5: what the text says, or the first that allows what it defines. The size of the record
 * dimension is NC_UNLIMITED. What comes back as a pointer belongs to the handle and lives until cdl_hdr_close; values
 * are in the memory form of their type, text with a NUL behind it; an empty string is text of length 0.
 * varid NC_GLOBAL: the attributes of the file.
 * Rule: PnetCDF; hand-written CDL, netCDF's ncgen. */
PNETCDF_PUBLIC_API int cdl_hdr_open(const char *filename, int *hid);
PNETCDF_PUBLIC_API int cdl_hdr_close(int hid);
PNETCDF_PUBLIC_API int cdl_hdr_inq_format(int hid, int *format);
PNETCDF_PUBLIC_API int cdl_hdr_inq_ndims(int hid, int *ndims);
PNETCDF_PUBLIC_API int cdl_hdr_inq_dim(int hid, int dimid, char **name, MPI_Offset *size);
PNETCDF_PUBLIC_API int cdl_hdr_inq_nvars(int hid, int *nvars);
PNETCDF_PUBLIC_API int cdl_hdr_inq_var(int hid, int varid, char **name, nc_type *xtype, int *ndims, int
    **dimids);
PNETCDF_PUBLIC_API int cdl_hdr_inq_nattrs(int hid, int varid, int *nattrs);
PNETCDF_PUBLIC_API int cdl_hdr_inq_attr(int hid, int varid, int attrid, char **name, nc_type *xtype,
    MPI_Offset *nelems, void **value);

#if defined(__cplusplus)
}
#endif
#endif
