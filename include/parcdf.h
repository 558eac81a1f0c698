#ifndef PARCDF_H
#define PARCDF_H
/* What parcdf offers beside the interface of pnetcdf.h. Needs no MPI header. */

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

/* open: the file was left half-changed by a crash and must be recovered first. */
#define NC_ERECOVER (-280)

#if defined(__cplusplus)
extern "C" {
#endif

/* The sentence behind the last error that a call of this thread returned: it names the file, the thing and
 * the values. "" when there was none. After an ncmpi_open that succeeded, on rank 0, it is a sentence that
 * begins with "warning:" where the file is not as the specification has it. Belongs to the library; valid
 * until the thread's next failing call. Local. */
PNETCDF_PUBLIC_API const char *parcdf_last_error(void);

/* Sentences of this thread's calls from here on count as Fortran does (on != 0): elements, records,
 * dimensions, variables and attributes from 1, the dimensions of a variable in Fortran's order; or as C does
 * (0, as it is at first). The Fortran interfaces say it around each of their calls. Local. */
PNETCDF_PUBLIC_API void parcdf_tell_fortran(int on);

/* The version of the library that runs, such as "0.1.0"; PARCDF_VERSION is that of the header. Local. */
PNETCDF_PUBLIC_API const char *parcdf_version(void);

/* Called while data moves: `done` of `total` bytes of `path` are in their place. */
typedef void (*parcdf_progress)(const char *path, long long done, long long total, void *context);

/* `progress` is called now and then on rank 0 while enddef, or the recovery of a file, moves data. It must
 * not call the library. NULL ends that. For the whole process. Local. */
PNETCDF_PUBLIC_API void parcdf_set_progress(parcdf_progress progress, void *context);

#define PARCDF_REPAIR_DRY_RUN 1 /* says what would be done */
#define PARCDF_REPAIR_FORCE   2 /* also does what may leave values where the header does not say */

/* Finishes a change of the definitions of `path` that a crash interrupted, as the next open for writing
 * would, and does what can be done where the journal beside the file is lost (`parcdf repair` is this
 * function). What was found and done goes to `report` (may be NULL), sentences of a line each, cut off after
 * `size` bytes with the zero at its end. Call it on one process, between MPI_Init and MPI_Finalize, while no
 * process has the file open. NC_NOERR: there was nothing to do, or it is done, or could be (dry run).
 * NC_ERECOVER: it cannot be done, or only with PARCDF_REPAIR_FORCE, which is also the word that no process
 * works on the file any more where that cannot be proved; the file is as it was. NC_EACCESS: another process
 * is changing the file, or it may not be written. Local. */
PNETCDF_PUBLIC_API int parcdf_repair(const char *path, int flags, char *report, size_t size);

/* Likewise, with the journal at `journal`, where the file and it are in different folders (the file was
 * moved, or has another hard link). NULL: it is looked for beside the file, and then, by the nonce that a
 * marked file holds, among all journals of its folder. Local. */
PNETCDF_PUBLIC_API int parcdf_repair_with(const char *path, const char *journal, int flags, char *report,
                                          size_t size);

#if defined(__cplusplus)
}
#endif
#endif
