#ifndef PARCDF_H
#define PARCDF_H
/* The functions of parcdf that PnetCDF does not have. This header does not need mpi.h. */

#include <stddef.h>

#define PARCDF_VERSION       "0.1.0"
#define PARCDF_VERSION_MAJOR 0
#define PARCDF_VERSION_MINOR 1
#define PARCDF_VERSION_PATCH 0

#ifndef PNETCDF_PUBLIC_API
#if defined(__GNUC__)
#define PNETCDF_PUBLIC_API __attribute__((visibility("default")))
#else
#define PNETCDF_PUBLIC_API
#endif
#endif

/* open: a crash interrupted a change of the file; the change must be finished first. */
#define NC_ERECOVER (-280)
/* parcdf_refresh: the file is not what it was when it was opened; open it again. */
#define NC_ESTALE (-281)

/* Of a variable in a netCDF-4 file: as in netCDF-C. */
#ifndef NC_CHUNKED
#define NC_CHUNKED 0
#endif
#ifndef NC_CONTIGUOUS
#define NC_CONTIGUOUS 1
#endif
#ifndef NC_COMPACT
#define NC_COMPACT 2
#endif
#ifndef NC_NOSHUFFLE
#define NC_NOSHUFFLE 0
#endif
#ifndef NC_SHUFFLE
#define NC_SHUFFLE 1
#endif
#ifndef NC_NOCHECKSUM
#define NC_NOCHECKSUM 0
#endif
#ifndef NC_FLETCHER32
#define NC_FLETCHER32 1
#endif
#ifndef NC_SZIP_EC
#define NC_SZIP_EC 4
#endif
#ifndef NC_SZIP_NN
#define NC_SZIP_NN 32
#endif

#if defined(__cplusplus)
extern "C" {
#endif

/* Returns a sentence on the last error that a call of this thread returned, with the file, the object and the
 * values; "" if there was none. After a successful ncmpi_open, on rank 0, it is a sentence that begins with
 * "warning:" if the file departs from the specification. The text belongs to the library and is valid until
 * the next failing call of the thread. Local. */
PNETCDF_PUBLIC_API const char *parcdf_last_error(void);

/* Sentences of the next calls of this thread count as Fortran does (on != 0): elements, records, dimensions,
 * variables and attributes from 1, and the dimensions of a variable in Fortran's order; or as C does (0, the
 * default). They name nfmpi_ functions where on is 77, nf90mpi_ ones where it is another number. The Fortran
 * interfaces call it around each of their calls. Local. */
PNETCDF_PUBLIC_API void parcdf_tell_fortran(int on);

/* Returns the version of the library in use, such as "0.1.0"; PARCDF_VERSION is the version of the header.
 * Local. */
PNETCDF_PUBLIC_API const char *parcdf_version(void);

/* Waits until everything that was put to a file with the hint pcdf_async is in the file, and its records are
 * counted; a file that was closed with pcdf_async_close is complete then. path: of the file, as rank 0 gave
 * it to create or open, the same on all ranks; NULL: all files of this process. Returns the first error of
 * the file, or of any, and forgets those of files that were closed in the background: NC_NOERR, NC_EWRITE,
 * NC_ENO_SPACE, NC_EQUOTA and what else ncmpi_close may return; NC_ENOMEM; NC_EINVAL: the path is a link to a
 * file that is open, or one from another folder than that in which rank 0 opened it.
 * Collective on the communicators of these files, in the order in which they were closed and opened. */
PNETCDF_PUBLIC_API int parcdf_wait(const char *path);

/* Looks again at a file that is open for reading, and that another job writes: records that were added since
 * are told by the next ncmpi_inq_unlimdim, ncmpi_inq_dimlen and so on, and can be read. A number of records
 * that is told never falls. Rank 0 looks, with two system calls (the first time two more), and one message
 * tells all ranks; in independent data mode each rank looks for itself, and the ranks agree on the largest
 * number when they end that mode. What a client of a network file system keeps is asked for anew. The writer
 * decides when a record is counted: hint pcdf_commit. Of a file with STREAMING records, the size tells the
 * number. NC_ESTALE: the definitions changed or are being changed, records were taken away, or the name of
 * the file leads to another file, or to none: what is read from now on may come from wrong places, and the
 * file should be closed and opened again; until then each refresh returns this code. On a file that is open
 * for writing, it does nothing. NC_EINDEFINE (define mode); NC_ENOTBUILT: a file of another format, or a far
 * one, which is read as it was when it was opened; NC_EREAD, NC_ENOMEM; NC_EMULTIDEFINE_FNC_ARGS: another
 * rank called something else. Collective in collective data mode, local in independent data mode. */
PNETCDF_PUBLIC_API int parcdf_refresh(int ncid);

/* Returns a number of the definitions and their places, as this handle knows them: the same for the same
 * definitions, on all ranks, of any reader and of the writer, whatever the number of records. A reader that
 * opens the file again after NC_ESTALE can compare. It is a hash, and not below 0; nothing in the file says
 * it. NC_EBADID, NC_EINDEFINE (define mode), NC_ENOMEM. Local. */
PNETCDF_PUBLIC_API int parcdf_inq_generation(int ncid, long long *generation);

#define NC_NOQUANTIZE          0 /* values are stored as they are */
#define NC_QUANTIZE_BITGROOM   1 /* last bits are cleared and set, in turn */
#define NC_QUANTIZE_GRANULARBR 2 /* rounded to as many bits as digits take */
#define NC_QUANTIZE_BITROUND   3 /* rounded to a number of bits */

#define NC_QUANTIZE_BITGROOM_ATT_NAME   "_QuantizeBitGroomNumberOfSignificantDigits"
#define NC_QUANTIZE_GRANULARBR_ATT_NAME "_QuantizeGranularBitRoundNumberOfSignificantDigits"
#define NC_QUANTIZE_BITROUND_ATT_NAME   "_QuantizeBitRoundNumberOfSignificantBits"

/* From now on, puts to a new variable of type NC_FLOAT or NC_DOUBLE keep so many significant digits of each
 * value, and equal bits behind them, so that a compressing file system, an archive or a compressed file takes
 * less. As nc_def_var_quantize of netCDF-C 4.10.1, bit for bit, in a file of any format, and with all
 * functions that put. The file does not become smaller by it alone. quantize_mode: NC_QUANTIZE_BITGROOM or
 * NC_QUANTIZE_GRANULARBR, `nsd` decimal digits, 1 to 6 (NC_FLOAT) or 15 (NC_DOUBLE); NC_QUANTIZE_BITROUND,
 * `nsd` bits of the significand, 1 to 23 or 52; NC_NOQUANTIZE: no longer, `nsd` is ignored. The error is at
 * most half a unit of the last digit or bit that is kept: with BITGROOM, 0.5 * 10^-nsd of the value. The fill
 * value (of attribute _FillValue, else the default one), zeros and NaN stay as they are; values below the
 * smallest normal one may become 0, the largest ones may become infinite, and BITGROOM makes NaN of every
 * second infinity. With BITGROOM, the number of a value in its put decides whether bits are cleared or set.
 * The variable gets an attribute NC_QUANTIZE_..._ATT_NAME with `nsd`, an NC_INT; the other modes' is deleted.
 * Whoever opens a file with the attribute, quantizes what is put. It can't be set for a variable that the
 * file has: NC_ELATEDEF. NC_EPERM, NC_EGLOBAL, NC_ENOTVAR; NC_EINVAL (another mode, type or `nsd`).
 * Replicated: every rank calls it, with the same arguments. */
PNETCDF_PUBLIC_API int parcdf_def_var_quantize(int ncid, int varid, int quantize_mode, int nsd);

/* Returns how the puts to a variable are quantized: what parcdf_def_var_quantize said, or the attribute of
 * the file when it was opened; NC_NOQUANTIZE and 0: they are not. Outputs may be NULL. NC_EGLOBAL,
 * NC_ENOTVAR. Local. */
PNETCDF_PUBLIC_API int parcdf_inq_var_quantize(int ncid, int varid, int *quantize_modep, int *nsdp);

/* The type of a progress function: `done` of `total` bytes of the file `path` have been moved. */
typedef void (*parcdf_progress)(const char *path, long long done, long long total, void *context);

/* Sets a function that rank 0 calls from time to time while enddef, or the recovery of a file, moves data.
 * `progress` must not call the library; NULL: no function. `context` is passed to it. It is set for the whole
 * process. Local. */
PNETCDF_PUBLIC_API void parcdf_set_progress(parcdf_progress progress, void *context);

#define PARCDF_REPAIR_DRY_RUN 1 /* only report what would be done */
#define PARCDF_REPAIR_FORCE   2 /* also if values may be left where the header does not expect them */

/* Finishes a change of the definitions of the file `path` that a crash interrupted, as the next open for
 * writing would. If the journal beside the file is lost, it does what can still be done. `parcdf repair`
 * calls this function. `report` (may be NULL) gets sentences on what was found and done, one on each line, in
 * at most `size` bytes with the NUL. Call it on one process, while no process has the file open. It needs no
 * MPI: it may be called before MPI_Init, too. Local. NC_NOERR: the change is finished (dry run: it could be),
 * or there was nothing to do. NC_ERECOVER: it cannot be finished, or only with PARCDF_REPAIR_FORCE; the file
 * has not been changed. With PARCDF_REPAIR_FORCE, the caller guarantees that no process uses the file, where
 * the library cannot prove it. NC_EACCESS: another process is changing the file, or it cannot be written. */
PNETCDF_PUBLIC_API int parcdf_repair(const char *path, int flags, char *report, size_t size);

/* As parcdf_repair, with the path of the journal, for a file that is in another folder than its journal (it
 * was moved, or has another hard link). `journal` NULL: the journal is searched beside the file, and then
 * among all journals of its folder, by the number that a marked file holds. Local. */
PNETCDF_PUBLIC_API int parcdf_repair_with(const char *path, const char *journal, int flags, char *report,
                                          size_t size);

#ifdef MPI_VERSION /* mpi.h was included before */

/* From here to parcdf_set_commit, every file that a process of `comm` creates, on any communicator, is of one
 * generation of the set `set`, DIR/NAME (see hint pcdf_set): all of them become visible together. step: a
 * name for the generation, such as "000120"; NULL or "": none. info: hint pcdf_set, of which the words keep
 * and job are taken, as in "keep=2"; may be MPI_INFO_NULL. The hint pcdf_set of these files is not looked
 * at. Collective. NC_EINVAL: no name of a set, or a generation is begun already. NC_EMULTIDEFINE_FNC_ARGS:
 * set or step differ between the ranks, or some ranks call something else. NC_EACCESS: another job is at work
 * on the set. NC_ENOENT: there is no folder DIR. An error is one on all ranks, and then nothing is begun. */
PNETCDF_PUBLIC_API int parcdf_set_begin(MPI_Comm comm, const char *set, const char *step, MPI_Info info);

/* Commits the generation that parcdf_set_begin began on `comm`, when all of its files are closed. NC_NOERR: a
 * loss of power takes none of them any more. Collective; the same on all ranks. NC_EINVAL: nothing was begun,
 * a file is still open (close it, and call again), or none was created. NC_EWRITE: a file failed or was
 * aborted; NC_ENO_SPACE and what else ncmpi_close returns: the manifest could not be written. After these the
 * generation is given up, and the older one stays the newest. */
PNETCDF_PUBLIC_API int parcdf_set_commit(MPI_Comm comm);

/* Gives the generation up: its files go. Collective. NC_EINVAL: nothing was begun. */
PNETCDF_PUBLIC_API int parcdf_set_abort(MPI_Comm comm);

#define PARCDF_RESTART_VERIFY 1 /* read all files and compare them with their checksums */

/* The newest generation of the set `set`, DIR/NAME, of which every file is there with its size; with
 * PARCDF_RESTART_VERIFY also with its checksum, for which the ranks share the reading. `generation` (may be
 * NULL) gets its number. `report` (may be NULL) gets lines of fields with tabs between them, in at most
 * `size` bytes with the NUL: "step TEXT", then "file PATH WHERE" for each file (its name, and where it lies
 * now). Collective; the same on all ranks. NC_ENOENT: there is none. */
PNETCDF_PUBLIC_API int parcdf_restart_find(MPI_Comm comm, const char *set, int flags, long long *generation,
                                           char *report, size_t size);
#endif

/* ---- how variables are stored ---- In a netCDF-4 file that is written: the functions of netCDF-C,
 * nc_def_var_chunking and so on, with the same arguments and codes. Call them between ncmpi_def_var and the
 * first ncmpi_enddef behind it. They win over the hints pcdf_chunks and pcdf_compress. Codes of all that
 * define: NC_ENOTNC4 (a classic file), NC_EPERM (open for reading only), NC_ENOTVAR, NC_EGLOBAL, NC_ELATEDEF
 * (the file has the variable already), NC_EINVAL, NC_ENOTBUILT (this library lacks the codec),
 * NC_EMULTIDEFINE_FNC_ARGS (safe mode: arguments differ between ranks), NC_ENOMEM, NC_EBADID. The inquiries
 * are for any file, also for one that is only read: a classic file is contiguous, and has no filters. Their
 * outputs may be NULL. */

/* storage: NC_CHUNKED or NC_CONTIGUOUS (NC_COMPACT is taken for it). chunksizes: elements of a chunk along
 * each dimension; NULL: the library chooses, at most 4 MiB and one record deep (small records share one).
 * NC_EINVAL: contiguous, but it has records or filters; chunked, but a scalar; a length of 0. NC_EBADCHUNK: a
 * length beyond that of its dimension, or a chunk of 4 GiB. Replicated. */
PNETCDF_PUBLIC_API int parcdf_def_var_chunking(int ncid, int varid, int storage, const size_t *chunksizes);
/* Gives the lengths of a chunk where the variable has chunks; before its first put or a sync, what it would
 * become. Local. */
PNETCDF_PUBLIC_API int parcdf_inq_var_chunking(int ncid, int varid, int *storagep, size_t *chunksizesp);

/* Compression by zlib's deflate, with a level from 0 to 9, where deflate is not 0; shuffle not 0: bytes of
 * equal rank stand together before it. 0 turns each off, also if a hint asked for it, but not zstd
 * (nc_def_var_deflate leaves on what was on). A variable has one compressor: a later one takes the place of
 * an earlier one. NC_EINVAL: no such level, or a scalar. Replicated. */
PNETCDF_PUBLIC_API int parcdf_def_var_deflate(int ncid, int varid, int shuffle, int deflate,
                                              int deflate_level);
/* Which of these a variable has: 1 or 0, and the level. Local. */
PNETCDF_PUBLIC_API int parcdf_inq_var_deflate(int ncid, int varid, int *shufflep, int *deflatep,
                                              int *deflate_levelp);

/* Compression by Zstandard (nc_def_var_zstandard), for which readers need HDF5's filter 32015; level from 1
 * to 22, 0: 3. NC_EINVAL: no such level, or a scalar. Replicated. */
PNETCDF_PUBLIC_API int parcdf_def_var_zstd(int ncid, int varid, int level);
/* Whether a variable has it: 1 or 0, and the level. Local. */
PNETCDF_PUBLIC_API int parcdf_inq_var_zstd(int ncid, int varid, int *zstdp, int *levelp);

/* Compression by szip. options_mask: NC_SZIP_NN or NC_SZIP_EC; pixels_per_block: even, from 2 to 32.
 * NC_EINVAL: others, or a scalar; enddef returns it for a chunk that has less than a block. Replicated. */
PNETCDF_PUBLIC_API int parcdf_def_var_szip(int ncid, int varid, int options_mask, int pixels_per_block);
/* The same of a variable that has it, else 0. Local. */
PNETCDF_PUBLIC_API int parcdf_inq_var_szip(int ncid, int varid, int *options_maskp, int *pixels_per_blockp);

/* A checksum for each chunk, which every reader checks; fletcher32: NC_FLETCHER32 or NC_NOCHECKSUM.
 * NC_EINVAL: a scalar. Replicated. */
PNETCDF_PUBLIC_API int parcdf_def_var_fletcher32(int ncid, int varid, int fletcher32);
/* NC_FLETCHER32 or NC_NOCHECKSUM. Local. */
PNETCDF_PUBLIC_API int parcdf_inq_var_fletcher32(int ncid, int varid, int *fletcher32p);

#if defined(__cplusplus)
}
#endif
#endif
