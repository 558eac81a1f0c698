#ifndef PCDF_JOURNALFILE_H
#define PCDF_JOURNALFILE_H
/* The journal of a change (format/journal.h) as an open file: its head, and the heartbeats by which its owner
 * says that it works on it. Whose journal it is, and who may touch it: define/ownjournal.h. All functions are
 * local. */

#include "journal.h"
#include "sidecar.h"

#define PCDF_JOURNAL_SUFFIX ".parcdf-journal"

struct pcdf_journalfile { /* all zeros: none is open */
    struct pcdf_journal journal;
    struct pcdf_sidecar sidecar;
    /* Owned: what the journal's pointers point into. The same bytes on all ranks. */
    unsigned char *head;
    bool is_marked;         /* the file is, on the storage */
    int64_t last_heartbeat; /* when, in seconds */
    /* Bytes [map_at, map_at + map_size) of the file, or NULL. */
    unsigned char *map;
    int64_t map_at, map_size;
    /* The map takes bytes: the file is in memory, and the map is as good a way to it as any. */
    bool map_takes;
};

static inline bool pcdf_journalfile_is_open(const struct pcdf_journalfile *f)
{
    return f->sidecar.path != NULL;
}

void pcdf_journalfile_close(struct pcdf_journalfile *f); /* if it is open */
/* The head of an open one: f->head, and f->journal, which points into it. NC_ERECOVER, NC_ENOMEM. */
int pcdf_journalfile_read_head(struct pcdf_journalfile *f);

/* Of a file on a file system of this machine, which has the bytes already: [begin, end) can be used in place,
 * at f->map. Nothing happens where that cannot be. Only for bytes that system calls alone read and write
 * (pcdf_storage_by_system): then a file that somebody cut, or that the disk cannot read, gives an error and
 * no signal. */
void pcdf_journalfile_map(struct pcdf_journalfile *f, int64_t begin, int64_t end);

/* The first heartbeat, by this process, as bytes that stand behind the head. */
void pcdf_journalfile_first_heartbeat(struct pcdf_journalfile *f, unsigned char *bytes);
/* Who works on it: at most one a second is written unless `now`; a failure is no failure of the change. */
void pcdf_journalfile_heartbeat(struct pcdf_journalfile *f, bool now, bool is_over);
/* The latest heartbeat; false: there is none that can be read. */
bool pcdf_journalfile_last_heartbeat(struct pcdf_journalfile *f, struct pcdf_journal_heartbeat *heartbeat);
enum { PCDF_TIME_TEXT = 32 };
void pcdf_journalfile_time_text(int64_t seconds, char text[PCDF_TIME_TEXT]);

/* For readers of a marked file, which have no part in the change: may its owner still be at work, and take
 * the mark away in a moment? Takes no lock. */
bool pcdf_journalfile_owner_works(const char *file);

/* Gives an open journal a name of its nonce. */
int pcdf_journalfile_set_aside(struct pcdf_journalfile *f);
/* Removes it, under whichever of its names; one that is there no more is no failure. */
int pcdf_journalfile_remove(struct pcdf_journalfile *f);
#endif
