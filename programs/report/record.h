#ifndef PCDF_RECORD_H
#define PCDF_RECORD_H
/* A run that was recorded with the hint pcdf_trace (storage/tracefile.h has the form of its logs), read line
 * by line and added up: memory does not grow with the logs. Nothing of them is trusted: numbers that cannot
 * be, lines that are cut, names without end are counted and left out. */

#include <stdbool.h>
#include <stdint.h>
#include "arena.h"

enum pcdf_record_kind { /* of calls; the number is the colour k0, k1, ... of the page */
                        PCDF_RECORD_PUT,
                        PCDF_RECORD_GET,
                        PCDF_RECORD_WAIT,
                        PCDF_RECORD_SYNC,
                        PCDF_RECORD_DEFINE,
                        PCDF_RECORD_MODE, /* and what else there is */
                        PCDF_RECORD_OPEN, /* and close */
                        PCDF_RECORD_KINDS
};
extern const char *const pcdf_record_kinds[PCDF_RECORD_KINDS];
enum pcdf_record_storage { PCDF_RECORD_WRITE, PCDF_RECORD_READ, PCDF_RECORD_FLUSH, PCDF_RECORD_STORAGE };

enum {
    PCDF_RECORD_MOST_ROWS = 2048,
    PCDF_RECORD_MOST_FILES = 1024,
    PCDF_RECORD_MOST_RANKS = 65536,
    PCDF_RECORD_SIZES = 40 /* powers of two */
};

struct pcdf_record_row { /* all calls of a name, on a variable, or going one way */
    const char *name, *other;
    double calls, seconds, storage, put, get, pieces;
    double waiting; /* bytes posted or deferred */
    int kind;
};

struct pcdf_record_table {
    struct pcdf_record_row x[PCDF_RECORD_MOST_ROWS]; /* the last one is of all that have no room */
    int n;
    uint16_t slots[2 * PCDF_RECORD_MOST_ROWS];
};

struct pcdf_record_queue {                     /* the write queue of a rank (hint pcdf_async) */
    double puts, put_seconds, put_bytes;       /* accepted: without the time that the program waited */
    double now, now_seconds, now_bytes;        /* that the program wrote itself */
    double staged_bytes;                       /* that went to the log of hint pcdf_stage_dir */
    double writes, write_seconds, write_bytes; /* by the thread */
    double waits, wait_seconds;                /* of the program */
    double overlapped;                         /* seconds of writes in which the program waited */
    double highest;                            /* bytes that waited at once, as far as the log tells */
    double call_seconds;                       /* of calls on files with a queue */
};

struct pcdf_record_rank {
    bool is_there;
    double calls, seconds[PCDF_RECORD_KINDS], storage[PCDF_RECORD_STORAGE], operations, put, get;
    double waiting; /* for the queue, outside of the storage's operations */
    struct pcdf_record_queue queue;
};

struct pcdf_record_file { /* one opening of a file */
    int64_t id;           /* wall clock of second 0, microseconds */
    const char *path;
    int nranks, nlogs;
    double begin, end, shift; /* seconds; shift: to the time of the page */
    double put, get, headers;
    bool has_queue;
};

struct pcdf_record_small { /* calls of less than PCDF_RECORD_SMALL bytes a rank */
    double calls, seconds, bytes;
};
enum { PCDF_RECORD_SMALL = 65536 };

struct pcdf_record_sieved { /* operations that moved pieces together with the gaps between them */
    double operations, pieces, bytes, moved; /* bytes: of the pieces; moved: with the gaps */
};

struct pcdf_record_chunks {                    /* of netCDF-4 files that were written */
    double chunks, values, stored, anew, lost; /* values: bytes before, stored: in the file */
};

struct pcdf_record {
    struct pcdf_arena arena;
    struct pcdf_record_table calls, variables, ways, environment,
        waits,   /* of the program for the queue: by operation */
        staging; /* what logs of hint pcdf_stage_dir took and gave */
    struct pcdf_record_file *files;
    int nfiles;
    struct pcdf_record_rank *ranks;
    int nranks; /* numbers below it */
    double sizes[2][PCDF_RECORD_SIZES],
        pieces[2][PCDF_RECORD_SIZES]; /* of calls; of pieces at the storage; put, get */
    struct pcdf_record_small independent, collective;
    struct pcdf_record_sieved sieved;
    struct pcdf_record_chunks chunks;
    double nqueue, queued; /* lines of the queue; bytes put to files that have one */
    int64_t memory;        /* of the queue; 0: there is none */
    double ncalls, noperations, nskipped, nleft_out,
        nlogs; /* lines not understood; of files or ranks without room */
    double put, get, header_writes, count_writes, redefs, moved, errors;
    int first_error;
    double span; /* seconds of the page */
};

struct pcdf_record_line { /* a call, or an operation of the engine */
    bool is_call;
    int file, rank;
    const char *name, *variable, *way, *why;
    double begin, end;
    int64_t put, get, pieces, first, bytes, records;
    int code;
};

/* Reads the logs named and adds them up. On failure says so, gives PCDF_TOOL_BAD (no recording) or UNUSABLE;
 * free it in any case. */
int pcdf_record_read(struct pcdf_record *r, char *const *logs, int n);
void pcdf_record_free(struct pcdf_record *r);

/* Reads them again, each line of theirs to `look`; files and ranks as before. */
int pcdf_record_again(struct pcdf_record *r, char *const *logs, int n,
                      void (*look)(void *context, const struct pcdf_record_line *line), void *context);

int pcdf_record_kind_of(const char *name);
int pcdf_record_storage_of(const char *op); /* -1: none of them */
#endif
