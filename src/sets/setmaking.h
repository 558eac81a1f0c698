#ifndef PCDF_SETMAKING_H
#define PCDF_SETMAKING_H
/* A generation while it is made. Several processes of a job may add files to it without messages between
 * them, if they ask for the same job and step: they meet in the folder of parts. All functions are local, one
 * process at a time for each file.
 *
 *   begin     -> recover what ended jobs left; the folder of parts
 *   member    -> a name for a file: the note "begun" is on the storage before the caller makes the file
 *   whole     -> its data and its folder are on the storage (the caller did that): the note "part"
 *   failed    -> the note "failed": the generation never commits
 *   commit    -> if it is complete: manifest, number, the user's names, older generations go
 *   free */

#include "set.h"

struct pcdf_setmaking_config {
    const char *job;  /* NULL or "": none is known; then a generation is this process's alone */
    const char *step; /* NULL or "": none */
    int64_t ordinal;  /* tells generations of the job apart that have no step, or the same */
    int64_t files;    /* of a generation; 0: not known */
    int64_t keep;     /* whole generations that stay; 0: all */
};

struct pcdf_setmaking;

/* NC_EACCESS: another job works on the set, as a sentence says. NC_EBADNAME: the job or the step is not
 * UTF-8. The config's texts are copied. */
int pcdf_setmaking_begin(const struct pcdf_set *set, const struct pcdf_setmaking_config *config,
                         struct pcdf_setmaking **making);
/* The path under which the file is to be made, which lives as long as `making`: links in `path` are followed.
 * NC_EEXIST: the generation has a file of this name already, or as many as it is to have, or somebody
 * committed or gave it up: begin the next one (ordinal+1). NC_EBADNAME: the name is not UTF-8. */
int pcdf_setmaking_member(struct pcdf_setmaking *making, const char *path, const char **member);

struct pcdf_setmember { /* what the closer of a file knows of it */
    uint32_t crc;
    int64_t size, records;
    const char *format;
};
/* member: as it was given. The file, its checksums and its folder's names are on the storage. NC_EFILE: the
 * file is not as said. */
int pcdf_setmaking_whole(struct pcdf_setmaking *making, const char *member, const struct pcdf_setmember *m);
/* Any error is of no importance: without a "part" the generation does not commit either. */
int pcdf_setmaking_failed(struct pcdf_setmaking *making, const char *member);

/* Commits it if it is complete: *committed is its number, 0: it is not complete. is_all: no file will come
 * any more; needed where the number of files is not known. Idempotent; several processes may try at once.
 * NC_EACCESS: generations that began after it are committed, so that it would not be the newest one: it is
 * given up. NC_ENOENT: somebody else gave it up, who thought that its job had ended. An
 * error with *committed > 0: it is committed, but not all user's names, or older generations, could be
 * brought up to date: the next begin does it. */
int pcdf_setmaking_commit(struct pcdf_setmaking *making, bool is_all, int64_t *committed);
/* This process writes no file of it any more. If one failed, here (`failed`) or elsewhere, and nobody writes
 * one, its members and notes go: when all files that are to come did, or the job is at its next generation
 * (is_next). */
int pcdf_setmaking_leave(struct pcdf_setmaking *making, bool failed, bool is_next);
/* Its members and notes go. Not after a commit. */
int pcdf_setmaking_discard(struct pcdf_setmaking *making);
const char *pcdf_setmaking_key(const struct pcdf_setmaking *making);
void pcdf_setmaking_free(struct pcdf_setmaking *making);

enum pcdf_setrecover {
    PCDF_RECOVER_BEGIN, /* NC_EACCESS where another job works on the set */
    PCDF_RECOVER_FINISH /* what may be in use stays */
};
/* What jobs that ended left is committed, published, or removed. job: generations of it are its own business;
 * "" for none. */
int pcdf_set_recover(const struct pcdf_set *set, enum pcdf_setrecover how, const char *job);
/* The user's names of a generation are its members' from here on; newer generations stay. What a crash ends,
 * the next recovery finishes. */
int pcdf_set_restore(const struct pcdf_set *set, const struct pcdf_setmanifest *m);
#endif
