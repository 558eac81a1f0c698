#ifndef PCDF_WRITER_H
#define PCDF_WRITER_H
/* The thread of this process that writes what waits in the queues of its open files, and the lock under which
 * they live. There is one thread while there is a queue. It calls no function of MPI, takes no signal, and
 * sleeps when nothing waits. Each queue is written in its own order; of several that wait, one that somebody
 * waits for goes first, else the one whose first write waits longest.
 *
 * A storage below a queue is used by one thread at a time: by the writer, or by a thread of the program that
 * took it (pcdf_writer_take), which goes before the writer's next write. */

#include "counts.h"
#include "stagelog.h"
#include "storage.h"
#include "writepool.h"

struct pcdf_tracefile;

struct pcdf_write { /* waits to be written */
    struct pcdf_write *next;
    struct pcdf_extents x;
    const char *memory;               /* of the pool, which it holds; NULL: the bytes lie in the log */
    struct pcdf_stagelog_place place; /* there */
    bool is_logged;                   /* the log has it, perhaps beside the memory */
    int64_t bytes, number;
    int64_t begin, end; /* of the file, the first to the last */
    double since;       /* when it was accepted */
    size_t size;        /* of this struct */
    struct pcdf_piece pieces[];
};

struct pcdf_writes { /* a queue: of one open file. Under the lock, but for what is set when it is made */
    struct pcdf_storage *below;
    struct pcdf_tracefile *log;  /* NULL: none */
    struct pcdf_stagelog *stage; /* NULL, or where puts go that have no memory */
    double seconds_each_byte;    /* of hint pcdf_async_rate; 0: no limit */
    struct pcdf_counts counts;   /* of the storages below */
    char *block;                 /* NULL, or what small puts are gathered in, which the queue holds */
    struct pcdf_write *first, *last;
    int64_t accepted, written; /* numbers of writes: all up to `written` are, if nothing failed */
    int64_t bytes;             /* that wait */
    int waiters;               /* that wait until something is written: no limit holds, and it goes first */
    int callers;               /* that want the storage below, or have it */
    bool is_taken;             /* somebody uses the storage below */
    bool syncs;                /* the thread syncs it when nothing waits */
    double not_before;         /* by the limit */
    int failed;                /* code of the first write that failed; nothing is written after it */
    char text[320];            /* its sentence */
    struct pcdf_writes *next;  /* of the writer's queues */
};

/* The queue takes part; the first one starts the thread. NC_ENOMEM. */
int pcdf_writer_enter(struct pcdf_writes *q, int64_t pool_bytes);
/* Nothing waits in it any more. The last one ends the thread. */
void pcdf_writer_leave(struct pcdf_writes *q);

void pcdf_writer_lock(void);
void pcdf_writer_unlock(void);

/* ---- under the lock */

/* Where the pool has no block of so many bytes, waits for one. NULL: nothing waits that would free one.
 * *waited: seconds that it took are added; NULL: does not wait. */
char *pcdf_writer_block(int64_t bytes, double *waited);
/* Takes the write over. After a failure it is forgotten. */
void pcdf_writer_add(struct pcdf_writes *q, struct pcdf_write *w);
/* The file is synced when nothing waits in the queue any more. */
void pcdf_writer_sync(struct pcdf_writes *q);
/* Until all up to this number is written, or something failed. */
void pcdf_writer_wait(struct pcdf_writes *q, int64_t number, double *waited);
/* Until the lists of pieces of all queues are shorter than so many bytes. */
void pcdf_writer_wait_lists(size_t bytes, double *waited);
/* A thread of the program uses the storage below. */
void pcdf_writer_take(struct pcdf_writes *q);
void pcdf_writer_give(struct pcdf_writes *q);
#endif
