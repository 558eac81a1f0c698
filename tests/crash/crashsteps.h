#ifndef CRASHSTEPS_H
#define CRASHSTEPS_H
/* The steps that scenarios are made of. What a file holds follows from names and indices alone. */
#include <stdbool.h>
#include <mpi.h>
#include <pnetcdf.h>
#include "check.h"
#include "shimlog.h"

enum { MOST_VALUES = 16384, RECORD_X = 900, RECORD_Y = 333, RECORDS = 8 };

struct steps {
    int rank, size, version;
    const char *name; /* of the scenario */
    char path[1024], log[1024];
    shim_begin_fn *begin;
    shim_note_fn *note;
    shim_stop_fn *stop;
    bool queues; /* PNETCDF_HINTS has pcdf_async */
    double values[MOST_VALUES];
};
extern struct steps my;

#define NC(call)                                                                                             \
    do {                                                                                                     \
        int nc_got_ = (call);                                                                                \
        CHECK(nc_got_ == NC_NOERR, "%s rank %d: %s", my.name, my.rank, ncmpi_strerrno(nc_got_));             \
    } while (0)

double step_value_of(const char *name, MPI_Offset index);
void step_put_text(int ncid, const char *name, int n, char first);
/* This rank's share of a variable, or of one record of it (record >= 0); its values in my.values. */
MPI_Offset step_share_of(int ncid, int varid, MPI_Offset record, MPI_Offset *start, MPI_Offset *count);
void step_put_share(int ncid, int varid, MPI_Offset record);
void step_put_record(int ncid, MPI_Offset record);
/* All ranks' shares of every 30th element, of all records where the variable has any: its value and `shift`.
 */
void step_put_spread(int ncid, int varid, double shift);

/* All ranks are here, and none goes on before it is noted: "v", the file is something new now; "d", and a
 * power cut does not undo it; "loose", data may be lost that was written since the last "d"; "unkept", before
 * the first "d" all of the file may be lost, or any byte of it; "unsynced", nothing in the log waits for the
 * storage. */
void step_say(const char *text);
/* A put returned: "v", or, where it may wait in a queue, "p": the file may be something new now. */
void step_say_put(void);
/* From here on the shim counts. has_base: the file is there and on the storage. */
void step_start_recording(bool has_base);

/* commit: the hint; nfixed 0 or 2, nrecord 1 or 3; `room` bytes kept behind the header. */
int step_define_file(const char *commit, int nfixed, int nrecord, int attribute, MPI_Offset room);
void step_put_base(int ncid, int nfixed, int records);
void step_make_base(int nfixed, int nrecord, int records, int attribute, MPI_Offset room);
/* Closes the base, looks at every value, and records from here on. */
void step_keep_base(int ncid, MPI_Offset records, int nvars);
int step_open_with(const char *commit); /* moves in several rounds */
int step_open_hinted(const char *commit, const char *hint, const char *value);
/* Closes, stops recording, and looks at every value. */
void step_end_with(int ncid, MPI_Offset records, int nvars);
void step_end_unkept(int ncid, MPI_Offset records, int nvars); /* a power cut may undo it */
#endif
