#ifndef PCDF_RECORDQUEUE_H
#define PCDF_RECORDQUEUE_H
/* The lines of a log that tell of the write queue (hint pcdf_async; storage/tracefile.h has their form): puts
 * that it accepts, writes by its thread, waits of the program. */

#include "record.h"

enum pcdf_record_queue_line {
    PCDF_RECORD_NOT_QUEUE,
    PCDF_RECORD_QUEUE_WRITE, /* by the thread */
    PCDF_RECORD_QUEUE_WAIT,  /* of the program */
    PCDF_RECORD_QUEUE_NOW,   /* a put that the program wrote itself */
    PCDF_RECORD_QUEUE_STAGE, /* the program used the log of hint pcdf_stage_dir */
    PCDF_RECORD_QUEUE_ENDS
};
enum pcdf_record_queue_line pcdf_record_queue_line_of(const char *op);

/* Adding up one log. Memory is bounded: of spans of time the last ones are kept, and spans that follow each
 * other closely become one. */
enum { PCDF_RECORD_SPANS = 512, PCDF_RECORD_PENDING = 64 };

struct pcdf_record_span {
    double begin, end, busy; /* busy: seconds of it */
};

struct pcdf_record_spans {
    struct pcdf_record_span x[PCDF_RECORD_SPANS];
    int n, last;
};

struct pcdf_record_pending {      /* a wait whose operation or call has not ended yet, or some */
    struct pcdf_record_span span; /* by the second 0 of its file */
    int file;
    bool has_reason; /* else what it lies in tells it */
    double n, bytes;
};

struct pcdf_record_queueing {
    struct pcdf_record_spans writes, waits, completions;
    struct pcdf_record_pending pending[PCDF_RECORD_PENDING];
    int npending;
};

/* A line of the queue. */
void pcdf_record_queueing_add(struct pcdf_record_queueing *q, struct pcdf_record *r,
                              const struct pcdf_record_line *o);
/* An operation or a call ended: the waits since the one before. Seconds of those before it (all, for a call);
 * *inside: of those in it. */
double pcdf_record_queueing_take(struct pcdf_record_queueing *q, struct pcdf_record *r,
                                 const struct pcdf_record_line *line, double *inside);
/* The log ends: the waits that no call came after. */
void pcdf_record_queueing_end(struct pcdf_record_queueing *q, struct pcdf_record *r);
/* Of a call: seconds in which it completed other files, which were closed in the background; these have lines
 * of their own. */
double pcdf_record_queueing_others(struct pcdf_record_queueing *q, const struct pcdf_record *r,
                                   const struct pcdf_record_line *call);
#endif
