#ifndef PCDF_FILEKIND_H
#define PCDF_FILEKIND_H
/* What a path leads to when it is not a netCDF classic file, and what a user can do about it. The library's
 * open and all tools say the same sentence. Local, no MPI. */

#include <stdbool.h>
#include <stddef.h>

/* The signature of an HDF5 file with the top bit set in its last byte. */
#define PCDF_HDF5_MARKED "\x89HDF\r\n\x1a\x8a"

enum pcdf_filekind {
    PCDF_FILEKIND_OTHER, /* none of these, or it cannot be looked at */
    PCDF_FILEKIND_CLASSIC,
    PCDF_FILEKIND_EMPTY,
    PCDF_FILEKIND_HDF5,        /* its signature at 0, or at 512, 1024, 2048... behind a block of the user's */
    PCDF_FILEKIND_HDF5_MARKED, /* its metadata is being changed (format/journal.h) */
    PCDF_FILEKIND_HDF4,
    PCDF_FILEKIND_ZARR, /* a folder with a store of version 2 */
    PCDF_FILEKIND_ZARR3,
    PCDF_FILEKIND_FOLDER, /* any other */
    PCDF_FILEKIND_ZIP,
    PCDF_FILEKIND_GZIP,
    PCDF_FILEKIND_BZIP2,
    PCDF_FILEKIND_XZ,
    PCDF_FILEKIND_ZSTD,
    PCDF_FILEKIND_GRIB,
    PCDF_FILEKIND_CDL,
    PCDF_FILEKIND_HTML,
    PCDF_FILEKIND_LFS,
    PCDF_FILEKIND_TEXT,
    PCDF_FILEKIND_ZARR_URL, /* file:///x#mode=zarr,file; URLs are names of nothing in the file system */
    PCDF_FILEKIND_FILE_URL,
    PCDF_FILEKIND_BUCKET_URL,
    PCDF_FILEKIND_URL
};

/* By the first n bytes of a file. */
enum pcdf_filekind pcdf_filekind_of_bytes(const unsigned char *bytes, size_t n);
/* Looks at the path: regular files are read, pipes and devices are not opened. */
enum pcdf_filekind pcdf_filekind_of(const char *path);
/* "this is ...; `parcdf ... FILE ...`": what it is, and the way out; NULL for OTHER. In `room` with the path
 * in the place of FILE, where a shell can take it and it is not long. path: may be NULL, and room then, too.
 */
enum { PCDF_FILEKIND_ROOM = 400 };
const char *pcdf_filekind_say(enum pcdf_filekind kind, const char *path, char room[PCDF_FILEKIND_ROOM]);
#endif
