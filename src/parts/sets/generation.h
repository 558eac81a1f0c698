#ifndef PCDF_GENERATION_H
#define PCDF_GENERATION_H
/* The generations of sets that this process makes (sets/setmaking.h): one table, behind a lock. Which one a
 * new file joins, and when one is complete, is decided here. Local, without MPI: rank 0 of each file calls.
 */

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include "setmaking.h"

struct pcdf_member; /* one file of a generation, until it closed */

struct pcdf_member_config {
    const char *set;  /* DIR/NAME, from the present working folder on */
    const char *step; /* "": none */
    const char *job;  /* "": the environment's, if there is one */
    int64_t files, keep;
};

/* A name for the file that the user calls `path`, in the generation that parcdf_set_begin began, or else in
 * the one of its step, or else in this process's newest, or in a new one. NC_EACCESS: another job is at work
 * on the set. */
int pcdf_member_begin(const struct pcdf_member_config *config, const char *path, struct pcdf_member **m);
/* A file of it was not created: its generation never commits. config NULL: not known, of the one that is
 * begun, or else of any that has open files. */
void pcdf_member_refuse(const struct pcdf_member_config *config);
const char *pcdf_member_path(const struct pcdf_member *m);
const char *pcdf_member_set(const struct pcdf_member *m); /* DIR/NAME, with the real path of DIR */
/* Frees it. whole NULL: it failed, and its generation never commits. *committed: the number of the generation
 * that is committed now, or 0. An error with *committed > 0 is a warning: it is committed. */
int pcdf_member_end(struct pcdf_member *m, const struct pcdf_setmember *whole, int64_t *committed);

/* ---- from parcdf_set_begin to commit or abort: all files that this process creates */

/* What the ranks share of it: rank 0 of the communicator fills it in, the others get it. */
enum { PCDF_GENERATION_TEXT = 512 };
struct pcdf_generation_ticket {
    /* The path from the root on, since files may be created after a chdir. */
    char set[PATH_MAX];
    char given[PCDF_GENERATION_TEXT], step[PCDF_GENERATION_TEXT], job[PCDF_GENERATION_TEXT];
    int64_t ordinal, keep;
};
bool pcdf_generation_is_open(void); /* begin was called, and neither commit nor abort */
/* The others' own are compared with rank 0's, and have no ordinal: only rank 0 looks at the folder. */
int pcdf_generation_ticket(const struct pcdf_member_config *config, bool is_root,
                           struct pcdf_generation_ticket *t);
/* is_root: the folder of parts is made now; the others look at it with their first file. */
int pcdf_generation_enter(const struct pcdf_generation_ticket *t, bool is_root);
/* Of this process: files that are open, were closed whole, failed. */
struct pcdf_generation_counts {
    int64_t open, whole, failed;
};
struct pcdf_generation_counts pcdf_generation_counts(void);
int pcdf_generation_root_commit(int64_t files, int64_t *committed);
int pcdf_generation_root_discard(void);
void pcdf_generation_leave(void);

/* The job's number from the environment, or "". */
void pcdf_generation_job(char *room, size_t size);
#endif
