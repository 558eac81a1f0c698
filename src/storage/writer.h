#ifndef PCDF_WRITER_H
#define PCDF_WRITER_H
/* The thread of this process that writes what waits in the queues of its open files, and the lock under which
 * they live. There is one thread while there is a queue. It calls no function of MPI, takes no signal, and
 * sleeps when nothing waits, and while puts come one after another. Each queue is written in its own order;
 * of several that wait, one that somebody waits for goes first, else the one whose first write waits longest.
 *
 * A storage below a queue is used by one thread at a time: by the writer, or by a thread of the program that
 * took it (pcdf_writer_take), which goes before the writer's next write. */

#include <stdatomic.h>
#include "counts.h"
#include "stagelog.h"
#include "storage.h"
#include "writepool.h"

struct pcdf_tracefile;

struct pcdf_write { /* waits to be written */
    struct pcdf_write *next;
    struct pcdf_extents x;
    /* An address in the block that it holds. NULL: its bytes are in the log. */
    const char *memory;
    struct pcdf_stagelog_place place; /* where in the log, if memory is NULL */
    /* The log has its bytes; perhaps memory has them, too. */
    bool is_logged;
    int64_t bytes, number;
    int64_t begin, end; /* its range, from first to last byte */
    double since;       /* when it was accepted */
    size_t size;        /* this struct's */
    struct pcdf_piece pieces[];
};

/* What the thread does when a queue has written everything: pcdf_writequeue_end_by. */
struct pcdf_ending {
    bool (*step)(void *context, struct pcdf_storage *below, int failed, const char *text); /* NULL: nothing */
    void *context;
    const atomic_bool *hurry;
    /* The next step comes then, and the one after it so many seconds later. */
    double at, pause;
};

/* The queue of one open file. `below`, `log` and `seconds_each_byte` stay as they are made; the lock guards
 * all else. */
struct pcdf_writes {
    struct pcdf_storage *below;
    struct pcdf_tracefile *log;  /* NULL: none */
    struct pcdf_stagelog *stage; /* takes puts that find no memory; NULL: none */
    double seconds_each_byte;    /* by hint pcdf_debug_async_rate; 0: no limit */
    struct pcdf_counts counts;   /* the storages' below */
    /* Memory that the queue cuts, and holds. NULL: none. */
    char *block;
    struct pcdf_write *first, *last;
    /* Numbers of the last write that was accepted, and of the last one that is written with all before. */
    int64_t accepted, written;
    int64_t bytes; /* bytes of the writes that wait */
    /* Callers that wait for a write: the queue goes first, without a limit. */
    int waiters;
    /* Threads of the program that have the storage below, or wait for it. */
    int callers;
    bool is_taken;     /* a thread uses the storage below */
    bool syncs;        /* sync the file when nothing waits */
    double not_before; /* the limit allows the next write then */
    struct pcdf_ending ending;
    /* Code of the first write that failed; nothing is written after it. */
    int failed;
    char text[320];           /* its sentence */
    struct pcdf_writes *next; /* in the writer's list of queues */
};

/* Adds the queue to those that are written. The first one starts the thread. NC_ENOMEM: it was not added. */
int pcdf_writer_enter(struct pcdf_writes *q, int64_t pool_bytes);
/* Takes off the queue, in which nothing waits. The last one ends the thread. */
void pcdf_writer_leave(struct pcdf_writes *q);

void pcdf_writer_lock(void);
void pcdf_writer_unlock(void);

/* ---- under the lock */

/* A block of the pool; if there is none, waits until writes give one back. NULL: no write waits. The time is
 * added to *waited, in seconds; where waited is NULL it does not wait, and returns NULL at once. */
char *pcdf_writer_block(int64_t bytes, double *waited);
/* The write is the queue's from now on. If the queue has failed, frees it. */
void pcdf_writer_add(struct pcdf_writes *q, struct pcdf_write *w);
/* Asks the thread to sync the file when nothing waits in the queue. */
void pcdf_writer_sync(struct pcdf_writes *q);
/* When nothing waits in the queue, the thread makes these steps. */
void pcdf_writer_end_by(struct pcdf_writes *q, const struct pcdf_ending *ending);
/* Waits until the last of them is done. */
void pcdf_writer_wait_ended(struct pcdf_writes *q, double *waited);
/* Waits until all writes up to this number are done, or one failed. */
void pcdf_writer_wait(struct pcdf_writes *q, int64_t number, double *waited);
/* Waits until the structs of all writes take at most so many bytes. */
void pcdf_writer_wait_lists(size_t bytes, double *waited);
/* A thread of the program takes the storage below, and gives it back. */
void pcdf_writer_take(struct pcdf_writes *q);
void pcdf_writer_give(struct pcdf_writes *q);
#endif
