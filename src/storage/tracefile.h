#ifndef PCDF_TRACEFILE_H
#define PCDF_TRACEFILE_H
/* The log that the hint pcdf_trace asks for, one a rank: lines of text with times, appended to PATH.RANK.
 * Lines wait in 32 KiB and are appended in whole groups, so that the logs of several open files may share a
 * path. A log that cannot be written stops nothing: it ends. Lines may come from several threads. Local.
 *
 * Lines, words between single blanks; in names and paths each byte up to the blank, '%' and 0x7f is %XX,
 * "-" means none:
 *
 * - "# in ID": which file the lines below are about, at the head of each group; an ID is the same on all
 *   ranks that opened the file together.
 * - "# file RANK RANKS PATH": the first of a file's lines.
 * - "# env NAME VALUE...": where the program ran; VALUE is the rest of the line.
 * - "call NAME VARIABLE BEGIN END PUT GET PIECES WAY WHY RECORDS CODE": a call of the interface, as it ends.
 * - "OP PIECES FIRST BYTES CODE BEGIN END": an operation of the storage (tracestorage.h), as it ends; those
 * of the writer's thread stand between the caller's.
 *
 * BEGIN, END: seconds on this rank since all ranks had opened the file (less than 0: before). PUT, GET: bytes
 * of this rank; PIECES: of the file that they are, about; RECORDS: that the file has then; CODE: NC_ code.
 * The words of WAY and WHY stand in transfer/strategy.h. */

#include <stdint.h>

struct pcdf_tracefile;

/* The log of path.rank; opened when it begins. NULL: no memory. */
struct pcdf_tracefile *pcdf_tracefile_make(const char *path, int rank);
/* Now is second 0. What was written before this is lost. */
void pcdf_tracefile_begin(struct pcdf_tracefile *t, int64_t id, int rank, int nranks, const char *path);
void pcdf_tracefile_free(struct pcdf_tracefile *t); /* writes what waits; NULL is nothing */

double pcdf_tracefile_clock(void);                                      /* seconds, from whenever */
double pcdf_tracefile_at(const struct pcdf_tracefile *t, double clock); /* the same, from its second 0 */
/* A line, without its end. */
void pcdf_tracefile_line(struct pcdf_tracefile *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void pcdf_tracefile_write(struct pcdf_tracefile *t); /* what waits */

/* Text with the bytes escaped that a line gives a meaning; cut off where `room` ends. Returns room. */
const char *pcdf_tracefile_escape(const char *text, char *room, int size);
#endif
