#ifndef PCDF_MAPPROCESS_H
#define PCDF_MAPPROCESS_H
/* The program parcdf-map as a process of one file: its start, its limits, and talking with it (mapwire.h). It
 * reads the file's definitions (mapmaker.c) or makes its metadata (h5meta.c). What it says is not trusted; if
 * it crashes, hangs or takes too much memory, that is an error with a sentence. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "source.h"

struct pcdf_mapwire_message;

struct pcdf_mapprocess {
    const char *name; /* of the file, for sentences */
    const char *plugin;
    bool writes; /* its metadata, or else it reads definitions */
    /* For what it reads: all bytes, or an error with a sentence. */
    int (*read)(void *context, int64_t offset, int64_t length, void *to);
    void *context;
    int64_t size; /* it may read so far */
    /* of mapprocess.c */
    pid_t pid;
    int socket; /* -1: it has ended */
    int64_t seconds, memory;
    int64_t end;         /* when it has to be done: of now_ms */
    int64_t alive;       /* how often it may still say that it lives: an honest one does once a second */
    unsigned char *room; /* for what it reads */
    int64_t nroom;
    int read_failed; /* code of the first failed read */
    char read_text[400];
};

/* Is the program there? name, writes: as for the start. NC_ENOTBUILT with a sentence. */
int pcdf_mapprocess_check(const struct pcdf_mapprocess *p);
/* The first six are filled in. The caller frees by pcdf_mapprocess_free, also after an error. */
int pcdf_mapprocess_start(struct pcdf_mapprocess *p, const struct pcdf_map_limits *limits);
void pcdf_mapprocess_free(struct pcdf_mapprocess *p);      /* ends it, where it has not ended */
void pcdf_mapprocess_give_time(struct pcdf_mapprocess *p); /* for the next work, from now on */

/* Moves n bytes; one of to, from is NULL. 0, or why it failed, for pcdf_mapprocess_gone. */
enum { PCDF_MAPPROCESS_GONE = 1, PCDF_MAPPROCESS_STUCK, PCDF_MAPPROCESS_DISTURBED };
int pcdf_mapprocess_move(const struct pcdf_mapprocess *p, void *to, const void *from, size_t n);
bool pcdf_mapprocess_speaks(const struct pcdf_mapprocess *p); /* has it said something, or ended? */
/* Ends it; the error, with a sentence. */
int pcdf_mapprocess_gone(struct pcdf_mapprocess *p, int why);
int pcdf_mapprocess_strange(struct pcdf_mapprocess *p); /* it said what makes no sense */
void pcdf_mapprocess_end(struct pcdf_mapprocess *p, bool kills, int *status); /* status: of waitpid */
/* Takes its next message. Reads are answered here, and signs of life are counted: then m->what is
 * PCDF_MAPWIRE_ALIVE, and nothing is left to do. A failure that it tells ends it, and is the error; so is the
 * first failed read, which the process is told of, too. */
int pcdf_mapprocess_hear(struct pcdf_mapprocess *p, struct pcdf_mapwire_message *m);
/* The first such error; NC_NOERR: there was none. It says more than what the process makes of it. */
int pcdf_mapprocess_read_failure(const struct pcdf_mapprocess *p);
#endif
