#ifndef PNETCDF_H
#define PNETCDF_H
/* clang-format off */
/* Written by src/api/header.py from src/api/pnetcdf.h.in and src/base/errors.def; change those.
 *
 * parcdf: the ranks of an MPI communicator read and write netCDF classic files (CDF-1, CDF-2, CDF-5) together.
 * The programming interface is that of PnetCDF 1.15. parcdf.h declares a few more functions.
 *
 * How to read the comments:
 *   Local         any rank may call it at any time; no other rank takes part.
 *   Replicated    every rank of the file's communicator must call it with the same arguments. The call sends no
 *                 message; enddef compares the definitions. If they differ, those of rank 0 are taken, and
 *                 parcdf_last_error() says so; with hint pcdf_debug_consistency=error the result is NC_EMULTIDEFINE.
 *                 In safe mode the call itself compares the arguments: if they differ, or one rank fails, all
 *                 ranks return the same code (NC_EMULTIDEFINE_...) and nothing is changed.
 *   Agreement     every rank must call it. When it returns, all ranks know of an error on any rank.
 *   Collective    every rank must call it, with arguments of its own; a rank without data takes part with a
 *                 count of 0. If the arguments of one rank are wrong, only this rank gets an error; in safe mode
 *                 all ranks get an error and nothing is moved.
 * Safe mode is on if PNETCDF_SAFE_MODE is set in the environment of rank 0 at create or open, and does not begin
 * with 0.
 * "Errors" lists the codes in the order in which they are checked. These are not repeated at each function:
 *   NC_EBADID     the first check of every function with an ncid;
 *   NC_ENOMEM     possible in every function that allocates memory;
 *   "I/O errors"  NC_EFILE, NC_EREAD, NC_EWRITE, NC_ENO_SPACE, NC_EQUOTA, NC_EACCESS, NC_EMPI, NC_ETRUNC. After a
 *                 failed write, every later put and sync of this file returns the failure, too.
 * parcdf_last_error() of parcdf.h returns a sentence on the last error of the calling thread.
 * "Rule" names the source of a behaviour: PnetCDF (its tests and documents), netCDF (the C library), spec (the
 * netCDF classic format specification), or parcdf (differs on purpose: doc/differences.md).
 * An output pointer may be NULL unless the comment says otherwise. If a call fails, it does not change what the
 * pointer points to.
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
#define PNETCDF_ENABLE_CXX 1
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

/* Marks the symbols that the library exports. */
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

/* The fill value of each type for variables without the attribute _FillValue. */
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
#define NC_NETCDF4 0x1000       /* create: netCDF-4 */
#define NC_MPIIO 0x2000         /* ignored, like its two aliases */
#define NC_MPIPOSIX NC_MPIIO
#define NC_PNETCDF (NC_MPIIO)
#define NC_PERSIST 0x4000       /* unused */
#define NC_INMEMORY 0x8000      /* unused */
#define NC_NOATTCREORD 0x20000  /* unused */
#define NC_MAX_MAGIC_NUMBER_LEN 8

/* File formats, as the inquiry functions return them. */
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

/* Names that netCDF-4 programs use; without effect here. */
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

/* Codes of the classic library, of remote access and of netCDF-4. Only a few of the last two occur here. */
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

/* Codes that the netcdf.h of an older netCDF does not define. */
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

/* Returns a sentence that says what a code means. A positive code is an errno. Never NULL. The text of an
 * unknown code is in a buffer of the calling thread, valid until its next call. Rule: PnetCDF. */
PNETCDF_PUBLIC_API const char *ncmpi_strerror(int err);

/* Returns the name of a code, such as "NC_EBADID"; "Unknown code N" for an unknown one. Rule: PnetCDF. */
PNETCDF_PUBLIC_API const char *ncmpi_strerrno(int err);

/* Returns "1.15.0 of DATE": the version of the interface, not of the library (that is parcdf_version). Rule:
 * PnetCDF. */
PNETCDF_PUBLIC_API const char *ncmpi_inq_libvers(void);

/* ---- files ---- */

/* Creates a file and returns its handle in *ncidp, in define mode. An existing file is replaced, unless
 * `cmode` has NC_NOCLOBBER; a symbolic link is followed. `path`: the name of the file; a prefix of a file
 * system, such as "ufs:", is allowed. `cmode`: format bits (none: the default format) and NC_NOCLOBBER; that
 * of rank 0 is used on all ranks. `comm` and `info` (MPI_INFO_NULL: no hints) are duplicated. Agreement over
 * `comm`.
 * Errors: NC_EBAD_FILE (path is NULL, empty or too long), NC_EINVAL_CMODE, NC_ENOTBUILT, NC_EEXIST (with
 * NC_NOCLOBBER), NC_ENFILE, NC_ENOENT and NC_EACCESS (of the folder), I/O errors; after these *ncidp is -1.
 * NC_EMULTIDEFINE_CMODE on a rank whose cmode differs from that of rank 0 (in safe mode: on all ranks): the
 * file is open and can be used. NC_EMULTIDEFINE_HINTS (in safe mode, if hints differ): it is not open.
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_create(MPI_Comm comm, const char *path, int cmode, MPI_Info info, int *ncidp);

/* Opens a file and returns its handle in *ncidp, in collective data mode. `omode`: NC_NOWRITE or NC_WRITE.
 * Agreement over `comm`. netCDF-4, HDF5, HDF4 and Zarr, kerchunk references, and URLs (http, https, s3) open
 * for reading: they show the CDF-5 file with the same definitions (doc/other-formats.md). netCDF-4 files open
 * for writing, too (NC_ENOTSUPPORT: it has groups, or other things that classic files lack).
 * Errors: NC_EBAD_FILE, NC_EINVAL_OMODE, NC_ENFILE, NC_ENOENT, NC_EACCESS, NC_EFILE (fewer than 8 bytes),
 * NC_EPERM (another format, or a URL, with NC_WRITE), NC_ENOTBUILT (its plug-in is missing); for a header that
 * breaks a rule of the format NC_ENOTNC or one of NC_EBADDIM, NC_EBADTYPE, NC_EMAXNAME, NC_EMAXDIMS,
 * NC_EMAXVARS, NC_EMAXATTS, NC_EUNLIMIT, NC_EVARSIZE, NC_ETRUNC; NC_ERECOVER, I/O errors;
 * NC_EMULTIDEFINE_OMODE as for create. *ncidp is -1 if the file is not open.
 * Rule: PnetCDF, spec; strictness: parcdf. */
PNETCDF_PUBLIC_API int ncmpi_open(MPI_Comm comm, const char *path, int omode, MPI_Info info, int *ncidp);

/* Closes a file: leaves define mode if necessary, writes everything to the file and frees the handle, also
 * when it returns an error. Agreement: all ranks get the first failure.
 * Errors: those of enddef, I/O errors, NC_EPENDING (requests were pending, and are dropped).
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_close(int ncid);

/* Closes a file without the definitions that no enddef has confirmed. A new file that never left define mode
 * is deleted. Agreement.
 * Errors: I/O errors.
 * Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_abort(int ncid);

/* Leaves define mode and enters collective data mode: decides where each variable lies, moves existing data
 * if necessary, and writes the header. Agreement. In a netCDF-4 file no data moves, and definitions are in the
 * file after the next sync or close.
 * Errors: NC_ENOTINDEFINE, NC_EVARSIZE, NC_EMULTIDEFINE (hint pcdf_debug_consistency=error), I/O errors.
 * Rule: spec; offsets: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_enddef(int ncid);

/* As enddef, with room to grow. All arguments are in bytes; 0 selects the default. `h_minfree`: free room
 * after the header. `v_align`: alignment of the first fixed-size variable. `v_minfree`: free room after the
 * last one. `r_align`: alignment of the first record. The hints nc_var_align_size and nc_record_align_size
 * win over the arguments. Agreement. In a netCDF-4 file there is no such room.
 * Errors: NC_ENOTINDEFINE, NC_EINVAL (a negative argument), then those of enddef.
 * Rule: netCDF, PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi__enddef(int ncid, MPI_Offset h_minfree, MPI_Offset v_align, MPI_Offset v_minfree,
    MPI_Offset r_align);

/* Enters define mode, from either data mode. Agreement.
 * Errors: NC_EPERM (the file was opened for reading), NC_EINDEFINE, I/O errors.
 * Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_redef(int ncid);

/* Returns when all data written so far is on the storage and all ranks know the number of records. For a file
 * that is open for reading it does nothing. Agreement.
 * Errors: NC_EINDEFINE, I/O errors.
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_sync(int ncid);

/* Writes the deferred puts (hint pcdf_defer) to the file, and waits until puts that wait in the queue (hint
 * pcdf_async) are in the file. Without these hints it does nothing. Agreement; in independent data mode local.
 * Errors: I/O errors.
 * Rule: PnetCDF (for its burst buffer). */
PNETCDF_PUBLIC_API int ncmpi_flush(int ncid);

/* Makes the largest number of records of any rank known to all ranks and to the file. Only necessary in
 * independent data mode. Agreement.
 * Errors: NC_EINDEFINE, NC_EPERM, I/O errors.
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_sync_numrecs(int ncid);

/* Switch from collective data mode to independent data mode, and back. If the file already is in this mode,
 * nothing happens. Agreement.
 * Errors: NC_EINDEFINE, I/O errors.
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_begin_indep_data(int ncid);
PNETCDF_PUBLIC_API int ncmpi_end_indep_data(int ncid);

/* Deletes a file. One rank calls it, for a file that no process has open; `info` is not used. Local.
 * Errors: NC_EBAD_FILE, NC_ENOENT, NC_EACCESS, NC_EFILE.
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_delete(const char *filename, MPI_Info info);

/* Set and return the format of files that are created without a format bit: NC_FORMAT_CLASSIC (at the start
 * of the program), NC_FORMAT_CDF2, NC_FORMAT_CDF5, NC_FORMAT_NETCDF4 or NC_FORMAT_NETCDF4_CLASSIC. One for the
 * whole process; create uses that of rank 0. Local.
 * Errors: NC_EINVAL (unknown format; `formatp` is NULL).
 * Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_set_default_format(int format, int *old_formatp);
PNETCDF_PUBLIC_API int ncmpi_inq_default_format(int *formatp);

/* ---- what a file is ---- Local, in every mode. */

/* Returns the format of a file that is not open: NC_FORMAT_CLASSIC, _CDF2, _CDF5, or _NETCDF4 (any HDF5
 * file); NC_FORMAT_UNKNOWN together with NC_ENOTNC.
 * Errors: NC_EBAD_FILE, NC_ENOENT, NC_EACCESS, NC_ENOTNC, I/O errors.
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_file_format(const char *filename, int *formatp);

/* Returns the number of files that this process has open, and their handles in `ncids`, which needs room for
 * NC_MAX_NFILES of them.
 * Errors: NC_EINVAL (num is NULL).
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_files_opened(int *num, int *ncids);

/* Return the number of dimensions, of variables and of attributes of the file, and the id of the record
 * dimension (-1: there is none). Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq(int ncid, int *ndimsp, int *nvarsp, int *ngattsp, int *unlimdimidp);
PNETCDF_PUBLIC_API int ncmpi_inq_ndims(int ncid, int *ndimsp);
PNETCDF_PUBLIC_API int ncmpi_inq_nvars(int ncid, int *nvarsp);
PNETCDF_PUBLIC_API int ncmpi_inq_natts(int ncid, int *ngattsp);
PNETCDF_PUBLIC_API int ncmpi_inq_unlimdim(int ncid, int *unlimdimidp);

/* Return the number of variables with and without the record dimension. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_num_rec_vars(int ncid, int *nvarsp);
PNETCDF_PUBLIC_API int ncmpi_inq_num_fix_vars(int ncid, int *nvarsp);

/* Return the format, as NC_FORMAT_* and as the bit of cmode (NC_CLASSIC_MODEL for CDF-1). Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_format(int ncid, int *formatp);
PNETCDF_PUBLIC_API int ncmpi_inq_version(int ncid, int *nc_mode);

/* Returns the path that was given to create or open, and its length without the NUL. `path` needs room for
 * both. Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_path(int ncid, int *pathlen, char *path);

/* Return the hints in use, those of MPI-IO and of the library, in a new MPI_Info, which the caller frees.
 * get_file_info is the older name.
 * Errors: NC_EMPI.
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_file_info(int ncid, MPI_Info *info_used);
PNETCDF_PUBLIC_API int ncmpi_get_file_info(int ncid, MPI_Info *info_used);

/* Returns the size of a stripe of the file, in bytes, and the number of stripes. Both are 0 if the file
 * system does not tell. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_striping(int ncid, int *striping_size, int *striping_count);

/* Return the number of bytes that this rank has written to the file and read from it since it was opened,
 * including the header. Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_put_size(int ncid, MPI_Offset *size);
PNETCDF_PUBLIC_API int ncmpi_inq_get_size(int ncid, MPI_Offset *size);

/* Return a number of bytes. header_size: the header as it is (in define mode: as it would be written now).
 * header_extent: from the start of the file to the first variable (0 before the first enddef). recsize: one
 * record of all record variables. Of a file of another format: of the CDF-5 file with the same definitions.
 * Rule: PnetCDF, spec (recsize). */
PNETCDF_PUBLIC_API int ncmpi_inq_header_size(int ncid, MPI_Offset *size);
PNETCDF_PUBLIC_API int ncmpi_inq_header_extent(int ncid, MPI_Offset *extent);
PNETCDF_PUBLIC_API int ncmpi_inq_recsize(int ncid, MPI_Offset *recsize);

/* Return the number of bytes of memory that the library uses in this process: now, and the maximum so far.
 * Open CDL headers (cdl_hdr_open) do not count. inq_malloc_list would print what is in use; this library
 * prints nothing and returns NC_ENOTENABLED. Local.
 * Errors: NC_EINVAL (an argument is NULL).
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_malloc_size(MPI_Offset *size);
PNETCDF_PUBLIC_API int ncmpi_inq_malloc_max_size(MPI_Offset *size);
PNETCDF_PUBLIC_API int ncmpi_inq_malloc_list(void);

/* Return the number of pending requests, and of the buffer for bput the bytes in use and its size in bytes.
 * Local.
 * Errors: NC_ENULLABUF (inq_buffer_usage and inq_buffer_size: no buffer is attached).
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_nreqs(int ncid, int *nreqs);
PNETCDF_PUBLIC_API int ncmpi_inq_buffer_usage(int ncid, MPI_Offset *usage);
PNETCDF_PUBLIC_API int ncmpi_inq_buffer_size(int ncid, MPI_Offset *buf_size);

/* ---- dimensions ---- */

/* Defines a dimension with `len` elements, or the record dimension (`len` is NC_UNLIMITED; at most one in a
 * file), and returns its id in *idp: 0, 1, ... in the order of definition. The name is stored in Unicode
 * normal form C. Replicated.
 * Errors: NC_ENOTINDEFINE, NC_EBADNAME (NULL, empty), NC_EMAXNAME, NC_EBADNAME (characters; not UTF-8),
 * NC_EDIMSIZE (negative; over 2^31-1 in CDF-1 and CDF-2), NC_EUNLIMIT, NC_EMAXDIMS, NC_ENAMEINUSE.
 * Rule: PnetCDF, spec. */
PNETCDF_PUBLIC_API int ncmpi_def_dim(int ncid, const char *name, MPI_Offset len, int *idp);

/* Renames a dimension. In data mode the new name must not be longer than the old one, and the header is
 * written at once. Replicated.
 * Errors: NC_EPERM, NC_EBADNAME, NC_EMAXNAME, NC_EBADDIM, NC_ENAMEINUSE (also for its own name: nothing
 * happens), NC_ENOTINDEFINE (longer name in data mode), I/O errors.
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_rename_dim(int ncid, int dimid, const char *name);

/* inq_dimid returns the id of the dimension with this name. The others return name, length or both of a
 * dimension id. `name` needs room for NC_MAX_NAME + 1 bytes. The length of the record dimension is the number
 * of records that this rank knows. Local.
 * Errors: inq_dimid: NC_EBADNAME (NULL, empty), NC_EMAXNAME, NC_EBADDIM (no such dimension). The others:
 * NC_EBADDIM.
 * Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_dimid(int ncid, const char *name, int *idp);
PNETCDF_PUBLIC_API int ncmpi_inq_dim(int ncid, int dimid, char *name, MPI_Offset *lenp);
PNETCDF_PUBLIC_API int ncmpi_inq_dimname(int ncid, int dimid, char *name);
PNETCDF_PUBLIC_API int ncmpi_inq_dimlen(int ncid, int dimid, MPI_Offset *lenp);

/* ---- variables ---- */

/* Defines a variable of type `xtype` with `ndims` dimensions (0: a scalar), and returns its id in *varidp: 0,
 * 1, ... in the order of definition. `dimids`: the ids of the dimensions, the slowest one first; the record
 * dimension can only be the first one. Replicated.
 * Errors: NC_ENOTINDEFINE, NC_EBADNAME, NC_EMAXNAME, NC_EBADNAME, NC_EBADTYPE, NC_ESTRICTCDF2 (CDF-5 type in
 * CDF-1 or CDF-2), NC_EINVAL (ndims < 0), NC_EMAXVARS, NC_ENAMEINUSE, NC_EINVAL (dimids is NULL), NC_EBADDIM,
 * NC_EUNLIMPOS, NC_EVARSIZE.
 * Rule: PnetCDF, spec. */
PNETCDF_PUBLIC_API int ncmpi_def_var(int ncid, const char *name, nc_type xtype, int ndims, const int *dimids,
    int *varidp);

/* Renames a variable, in the same way as rename_dim. Replicated.
 * Errors: NC_EPERM, NC_EGLOBAL, NC_ENOTVAR, NC_EBADNAME, NC_EMAXNAME, NC_ENAMEINUSE (also for its own name),
 * NC_ENOTINDEFINE, I/O errors.
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_rename_var(int ncid, int varid, const char *name);

/* Returns the id of the variable with this name. Local.
 * Errors: NC_EBADNAME (NULL, empty), NC_EMAXNAME, NC_ENOTVAR (no such variable).
 * Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_varid(int ncid, const char *name, int *varidp);

/* Return properties of a variable: its name (room for NC_MAX_NAME + 1 bytes), its type, the number and the
 * ids of its dimensions (`dimids` needs room for *ndimsp ids), the number of its attributes. inq_varoffset
 * returns the offset in the file where the variable begins, in bytes; 0 before the first enddef. Of a file of
 * another format: in the CDF-5 file with the same definitions. Local.
 * Errors: NC_EGLOBAL (varid is NC_GLOBAL, which only has attributes), NC_ENOTVAR.
 * Rule: netCDF, PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_var(int ncid, int varid, char *name, nc_type *xtypep, int *ndimsp, int
    *dimids, int *nattsp);
PNETCDF_PUBLIC_API int ncmpi_inq_varname(int ncid, int varid, char *name);
PNETCDF_PUBLIC_API int ncmpi_inq_vartype(int ncid, int varid, nc_type *xtypep);
PNETCDF_PUBLIC_API int ncmpi_inq_varndims(int ncid, int varid, int *ndimsp);
PNETCDF_PUBLIC_API int ncmpi_inq_vardimid(int ncid, int varid, int *dimids);
PNETCDF_PUBLIC_API int ncmpi_inq_varnatts(int ncid, int varid, int *nattsp);
PNETCDF_PUBLIC_API int ncmpi_inq_varoffset(int ncid, int varid, MPI_Offset *offset);

/* Sets the fill mode of all variables: those defined so far, also before a redef, and those defined later.
 * `fillmode`: NC_FILL or NC_NOFILL. If the fill mode of a variable is on, the enddef that creates the
 * variable in the file fills it with its fill value (attribute _FillValue, or the default of its type): a
 * fixed-size variable completely, a record variable in the records that exist. Only fill_var_rec fills
 * records that are added later. A new file has NC_NOFILL. In a netCDF-4 file, the rest of a chunk in which
 * something was put is fill in both modes, and the mode holds for records that are added later, too.
 * Replicated.
 * Errors: NC_EPERM, NC_ENOTINDEFINE, NC_EINVAL (neither NC_FILL nor NC_NOFILL).
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_set_fill(int ncid, int fillmode, int *old_modep);

/* def_var_fill sets the fill mode of one variable: `no_fill` 0 is on, 1 is off. `fill_value`, only if the
 * mode is on: one value, in the memory form of the variable's type, which becomes its attribute _FillValue;
 * NULL: no change. Replicated. inq_var_fill is Local; it returns the mode, and the value that would be filled
 * in. A file does not store modes: after open, the mode of its variables is on, and that of variables defined
 * afterwards is off.
 * Errors: NC_ENOTINDEFINE (def_var_fill), NC_EGLOBAL, NC_ENOTVAR, NC_ELATEFILL (def_var_fill with a value,
 * and the variable was in the file before redef).
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_def_var_fill(int ncid, int varid, int no_fill, const void *fill_value);
PNETCDF_PUBLIC_API int ncmpi_inq_var_fill(int ncid, int varid, int *no_fill, void *fill_value);

/* Fills record number `recno` (from 0) of a record variable; it may be a new record. The ranks share the
 * work; if they name different records, each rank fills its own. Collective.
 * Errors: NC_EPERM, NC_EINDEFINE, NC_EGLOBAL, NC_ENOTVAR, NC_ENOTRECVAR, NC_EINDEP, NC_ENOTFILL (the mode is
 * off and there is no _FillValue), NC_EINVALCOORDS (negative recno), NC_EINTOVERFLOW (more records than the
 * format can count), I/O errors.
 * Rule: PnetCDF; recno: parcdf. */
PNETCDF_PUBLIC_API int ncmpi_fill_var_rec(int ncid, int varid, MPI_Offset recno);

/* ---- attributes ---- of a variable, or of the file (varid NC_GLOBAL) */

/* Return properties of an attribute: its type and number of elements; its number; the name that belongs to a
 * number (0, 1, ... in the order of creation; `name` needs room for NC_MAX_NAME + 1 bytes). Local.
 * Errors: NC_ENOTVAR, NC_EBADNAME (NULL, empty), NC_EMAXNAME, NC_ENOTATT; inq_attname: NC_EINVAL (name is
 * NULL).
 * Rule: netCDF. */
PNETCDF_PUBLIC_API int ncmpi_inq_att(int ncid, int varid, const char *name, nc_type *xtypep, MPI_Offset
    *lenp);
PNETCDF_PUBLIC_API int ncmpi_inq_attid(int ncid, int varid, const char *name, int *idp);
PNETCDF_PUBLIC_API int ncmpi_inq_atttype(int ncid, int varid, const char *name, nc_type *xtypep);
PNETCDF_PUBLIC_API int ncmpi_inq_attlen(int ncid, int varid, const char *name, MPI_Offset *lenp);
PNETCDF_PUBLIC_API int ncmpi_inq_attname(int ncid, int varid, int attnum, char *name);

/* Copies an attribute to another variable, perhaps of another file. An attribute of that name is replaced.
 * Replicated.
 * Errors: NC_EBADID (of the source, then of the target), NC_EPERM (target), NC_ENOTVAR (source, target),
 * NC_EBADNAME, NC_EMAXNAME, NC_ENOTATT, NC_ESTRICTCDF2 (a CDF-5 type into an older format), NC_ENOTINDEFINE
 * (new or larger in data mode), I/O errors.
 * Rule: PnetCDF; NC_ESTRICTCDF2: spec. */
PNETCDF_PUBLIC_API int ncmpi_copy_att(int ncid_in, int varid_in, const char *name, int ncid_out, int
    varid_out);

/* Renames an attribute. In data mode the new name must not be longer. Replicated.
 * Errors: NC_EPERM, NC_ENOTVAR, NC_EBADNAME, NC_EMAXNAME (old, then new name), NC_ENOTATT, NC_ENAMEINUSE,
 * NC_ENOTINDEFINE (longer name in data mode), I/O errors.
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_rename_att(int ncid, int varid, const char *name, const char *newname);

/* Removes an attribute. The numbers of the attributes after it decrease by one. Replicated.
 * Errors: NC_EPERM, NC_ENOTINDEFINE, NC_ENOTVAR, NC_EBADNAME, NC_EMAXNAME, NC_ENOTATT.
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_del_att(int ncid, int varid, const char *name);

/* Set an attribute to `len` elements of `buf`, converted to the external type `xtype`. Text is not converted.
 * put_att takes memory of the C type that belongs to `xtype`. An attribute of that name is replaced; in data
 * mode only if the new value needs no more room. Replicated.
 * Errors: NC_EPERM, NC_ENOTVAR, NC_EBADNAME (NULL, empty), NC_EMAXNAME, NC_EBADNAME (characters),
 * NC_EBADTYPE, NC_ESTRICTCDF2, NC_ECHAR (text to number or number to text), NC_EINVAL (buf is NULL and len >
 * 0; len < 0, or over 2^31-1 in CDF-1 and CDF-2); for _FillValue of a variable NC_EBADTYPE (not the type of
 * the variable), NC_EINVAL (len is not 1), NC_ELATEFILL; NC_ENOTINDEFINE, NC_EMAXATTS, NC_ERANGE (the
 * attribute is stored; a value that does not fit becomes the fill value of `xtype`), I/O errors.
 * Rule: PnetCDF. */
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

/* Read all elements of an attribute into `buf`, converted to the type of the buffer (get_att: to the C type
 * that belongs to the external type). Text gets no NUL at its end. Local.
 * Errors: NC_ENOTVAR, NC_EBADNAME, NC_EMAXNAME, NC_ENOTATT; for an attribute of length 0 nothing more is
 * checked; NC_ECHAR, NC_EINVAL (buf is NULL), NC_ERANGE (a value that does not fit becomes the fill value of
 * the memory type; all others are right).
 * Rule: PnetCDF. */
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
 * independent data mode. In one collective put (or get), the ranks may use different forms, types and
 * variables.
 *
 *   FORM  arguments                   elements
 *   var   none                        the whole variable (all known records)
 *   var1  start                       the one at index start
 *   vara  start, count                count[i] elements from start[i] on
 *   vars  start, count, stride        count[i] elements, every stride[i]-th
 *   varm  start, count, stride, imap  as vars, spread in memory by imap
 *   varn  num, starts, counts         num blocks, each as vara
 *
 * Each argument is an array with one entry for each dimension. start: index of the first element, from 0.
 * count: number of elements. stride: step in elements, at least 1; NULL: all 1. imap: distance in memory
 * between neighbours along the dimension, in elements; NULL: no gaps. varn: if counts, or an entry of it, is
 * NULL, the block is one element. A scalar variable ignores all of these.
 * In memory the elements follow each other without gaps, the last dimension fastest; with varn, block after
 * block. Writing after the last record adds records. Reading there is an error.
 *
 *   TYPE    C type          TYPE       C type
 *   text    char            uint       unsigned int
 *   schar   signed char     long       long
 *   uchar   unsigned char   float      float
 *   short   short           double     double
 *   ushort  unsigned short  longlong   long long
 *   int     int             ulonglong  unsigned long long
 *
 * Values are converted between TYPE and the external type of the variable. If a value does not fit, the call
 * returns NC_ERANGE and stores a fill value in its place: on put that of the variable, on get that of the
 * memory type; all other elements are right. Fractions are cut off. NaN and infinities are kept between float
 * and double, and do not fit into integers. In CDF-1 and CDF-2, uchar and NC_BYTE are copied bit by bit. Text
 * can only be used with NC_CHAR. A put never changes the buffer.
 *
 * Errors: NC_EPERM (put to a file opened for reading), NC_EINDEFINE, NC_EINDEP or NC_ENOTINDEP (the other
 * data mode), NC_EGLOBAL, NC_ENOTVAR, NC_ECHAR, NC_EINVALCOORDS (start is NULL, negative or beyond the end;
 * checked for all dimensions first), NC_EEDGE (count is NULL), then for each dimension NC_ENEGATIVECNT and
 * NC_EEDGE (start and count reach beyond the end), NC_ESTRIDE; varn also NC_ENULLSTART (starts or an entry of
 * it is NULL), NC_EINVAL (num of a scalar is not 1; num < 0); NC_EINTOVERFLOW (more records than the format
 * can count), NC_ERANGE, I/O errors. If count is 0, start may be equal to the length of the dimension (with
 * PNETCDF_RELAX_COORD_BOUND=0 in the environment: NC_EINVALCOORDS).
 * With hint pcdf_defer, the library may keep a put in memory and write it later with others; its I/O errors
 * then come from the call that writes it (doc/deferring.md). All other errors come at once.
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
 * ncmpi_{put,get}_FORM_all: Collective. ncmpi_{put,get}_FORM: Local. As the functions with a TYPE in their
 * names, but `bufcount` items of `buftype` describe the buffer; they must hold exactly as many elements as
 * the request. buftype: a predefined type, or a type derived from one predefined type (vectors, subarrays,
 * structs, resized types); it may be freed when the call returns. Its element type takes the place of TYPE:
 * values are converted, and bytes between the elements are neither read nor written. bufcount
 * NC_COUNT_IGNORE: as many items as the request needs, for predefined types only. buftype MPI_DATATYPE_NULL:
 * memory without gaps, of the type of the variable; bufcount is ignored. imap of varm counts elements of the
 * datatype.
 * Errors: those of the functions with a TYPE, and after NC_ESTRIDE: NC_EINVAL (NC_COUNT_IGNORE with a derived
 * type; an imap or a datatype that leads out of the memory), NC_EUNSPTETYPE (an element type without a TYPE),
 * NC_EMULTITYPES (more than one element type), NC_EIOMISMATCH (bufcount < 0; not as many elements as the
 * request has).
 * Rule: PnetCDF. */
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
 * These functions only exist so that old programs link; use varn instead. They do nothing and return
 * NC_ENOTSUPPORT. Local, also with _all in the name: no rank waits.
 * Rule: PnetCDF (deprecated there); NC_ENOTSUPPORT: parcdf. */
PNETCDF_PUBLIC_API int ncmpi_put_vard(int ncid, int varid, MPI_Datatype filetype, const void *buf, MPI_Offset
    bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_put_vard_all(int ncid, int varid, MPI_Datatype filetype, const void *buf,
    MPI_Offset bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_get_vard(int ncid, int varid, MPI_Datatype filetype, void *buf, MPI_Offset
    bufcount, MPI_Datatype buftype);
PNETCDF_PUBLIC_API int ncmpi_get_vard_all(int ncid, int varid, MPI_Datatype filetype, void *buf, MPI_Offset
    bufcount, MPI_Datatype buftype);

/* ---- data: nonblocking calls, carried out by wait ----
 * ncmpi_{iput,iget,bput}_FORM_TYPE, and without TYPE for a buffer described by an MPI datatype. They register
 * a request, in any mode, also in define mode. Local. The arguments are those of put and get. When the call
 * returns, the program may change or free start, count, stride, imap, starts, counts and buftype. *reqid gets
 * the id of the request (reqid may be NULL), or NC_REQ_NULL if there is nothing to move. iput: do not change
 * the buffer before wait if it holds more than hint pcdf_debug_pack_size (4096) bytes of the file. iget: the buffer
 * has the values after wait. bput: the values are copied at once into the room that buffer_attach has
 * reserved. If two puts overlap, the later one wins.
 * Errors: NC_ENULLABUF (bput without an attached buffer), those of put and get except for the modes,
 * NC_EINSUFFBUF (bput of more than what is left of the buffer), NC_ERANGE (iput and bput: at once, and the
 * request is registered; iget: in wait).
 * Rule: PnetCDF; overlapping puts: parcdf. */
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

/* Carry out pending requests: all puts, then all gets, each as one access. `count`: the number of ids in
 * `array_of_requests`; or NC_REQ_ALL, NC_GET_REQ_ALL or NC_PUT_REQ_ALL, and the arrays are not used and may
 * be NULL. Each id that was carried out becomes NC_REQ_NULL, and its code goes to `array_of_statuses` (may be
 * NULL). NC_REQ_NULL among the ids is skipped. wait_all is Collective, in collective data mode; a rank
 * without requests takes part with count 0. wait is Local, in independent data mode. The result is the first
 * failure of this rank; NC_ERANGE only if there is no other.
 * Errors: NC_EINDEFINE, NC_EINDEP (wait_all), NC_ENOTINDEP (wait), NC_EINVAL (count < 0 and none of the
 * three; array is NULL), NC_EINVAL_REQUEST (an id that is not pending, or is there twice; the others are
 * carried out), NC_ERANGE (of a get), I/O errors.
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_wait(int ncid, int count, int array_of_requests[], int array_of_statuses[]);
PNETCDF_PUBLIC_API int ncmpi_wait_all(int ncid, int count, int array_of_requests[], int array_of_statuses[]);

/* Drops pending requests. The ids and statuses are as for wait. Local, in any mode.
 * Errors: NC_EINVAL (num; reqs is NULL), NC_EINVAL_REQUEST.
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_cancel(int ncid, int num, int *reqs, int *statuses);

/* buffer_attach reserves `bufsize` bytes for the values of bput, counted in external types; one buffer for
 * each file. The library allocates memory when requests are registered, and frees it when they are carried
 * out. buffer_detach ends the reservation. Local, in any mode.
 * Errors: attach: NC_ENULLBUF (bufsize <= 0), NC_EPREVATTACHBUF (there is a buffer). detach: NC_ENULLABUF
 * (there is none), NC_EPENDINGBPUT (requests use it).
 * Rule: PnetCDF. */
PNETCDF_PUBLIC_API int ncmpi_buffer_attach(int ncid, MPI_Offset bufsize);
PNETCDF_PUBLIC_API int ncmpi_buffer_detach(int ncid);

/* ---- data: several variables in one call ----
 * ncmpi_{mput,mget}_FORM_TYPE_all: Collective, in collective data mode. ncmpi_{mput,mget}_FORM_TYPE: Local,
 * in independent data mode. Without TYPE, MPI datatypes describe the buffers. One call writes or reads `num`
 * variables in one access. The i-th one is varids[i], with starts[i], counts[i], strides[i], imaps[i], the
 * buffer bufs[i], and bufcounts[i] and datatypes[i]. A variable may be listed twice; the later put wins. num
 * may differ between ranks, and be 0.
 * Errors: NC_EPERM (mput to a file opened for reading), NC_EINDEFINE, NC_EINDEP or NC_ENOTINDEP, NC_EINVAL
 * (num < 0; varids or bufs is NULL), then those of put and get for each variable; after the first wrong one
 * nothing of this rank's call is moved.
 * Rule: PnetCDF. */
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
 * These functions read the definitions in a CDL text, which `ncdump -h` or a person wrote. Dimensions,
 * variables and attributes have the numbers 0, 1, ... in the order of the text. varid NC_GLOBAL: the
 * attributes of the file. A data section after the header is ignored. They do not use MPI. Local. inq_format
 * returns 1, 2 or 5: the version that the text names, or the first one that allows its definitions. The size
 * of the record dimension is NC_UNLIMITED. Pointers that the functions return belong to the handle and are
 * valid until cdl_hdr_close. Values are in the memory form of their type; text has a NUL at its end; an empty
 * string is text of length 0.
 * Errors: cdl_hdr_open: NC_ENFILE (1024 are open), NC_ENOENT, NC_EFILE (cannot be read), NC_ENOMEM,
 * NC_EBADDIM (a variable has an undeclared dimension), NC_ENOTNC (not a CDL header of the classic model;
 * parcdf_last_error() names line and column), NC_EINVAL (hid is NULL). The others: NC_EBADID (handle,
 * dimension, variable or attribute does not exist).
 * Rule: PnetCDF; for CDL that people wrote, netCDF's ncgen. */
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
