#ifndef PCDF_TOOLCHUNKS_H
#define PCDF_TOOLCHUNKS_H
/* The chunks of a file of another format, for `parcdf check` and `info`: where they lie, what room they take,
 * and whether each can be read. */

#include "findings.h"
#include "toolsource.h"

/* Do the chunks and contiguous values of an HDF5 file lie in it, each by itself? A finding for each variable
 * with some outside, and one of all that lie over each other; each is added to the errors of `result`.
 * Nothing is found in files of other formats. NC_ENOMEM; NC_EREAD: the image is damaged. */
int pcdf_tool_chunks_places(const struct pcdf_tool_source *source, pcdf_found *found, void *context,
                            struct pcdf_check_result *result);

/* Of an HDF5 file: its bytes; those of its chunks and contiguous values, and how many these are. */
struct pcdf_tool_chunks_room {
    int64_t file, values, nchunks;
};
/* false: it is no HDF5 file, or what it says of its chunks cannot be. */
bool pcdf_tool_chunks_measure(const struct pcdf_tool_source *source, struct pcdf_tool_chunks_room *room);

/* "netCDF-4 file" */
const char *pcdf_tool_chunks_kind(const struct pcdf_tool_source *source);

/* How many chunks a variable has; 0: it has none. */
int64_t pcdf_tool_chunks_count(const struct pcdf_tool_source *source, int varid);
/* Fetches and decodes one, numbered row-major. */
int pcdf_tool_chunks_read(const struct pcdf_tool_source *source, int varid, int64_t number);
#endif
