#ifndef PCDF_SETMANIFEST_H
#define PCDF_SETMANIFEST_H
/* The bytes of a manifest, and of what a generation in the making notes: JSON of this form, which ends with a
 * checksum of itself. Nothing that is read is trusted. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arena.h"
#include "owner.h"

enum {
    PCDF_SET_KEY = 40,               /* room for a key */
    PCDF_SET_NAME = 160,             /* bytes of a set's name, at most */
    PCDF_SET_TEXT = 255,             /* of a step or a job, at most */
    PCDF_SET_FILES = 1 << 20,        /* of a generation, at most */
    PCDF_SET_MOST_BYTES = 512 << 20, /* of a manifest */
    PCDF_SET_NOTE_BYTES = 64 << 10   /* of a note */
};

struct pcdf_setfile {
    const char *file; /* the user's name: a real path, absolute */
    int64_t size;
    uint32_t crc; /* CRC-32C of all of it */
    int64_t records;
    const char *format;     /* "CDF-5" */
    int64_t inode, changed; /* when it was noted: they tell whether what has the user's name is this file */
};

/* Which folder a set lies in. Files elsewhere belong to a manifest or a note only as long as it lies in the
 * folder that it was written in: a copy of the folder says the same, and is not theirs. */
struct pcdf_setplace {
    uint64_t path;         /* hash of the real path; 0: not noted */
    int64_t device, inode; /* of the folder */
    int64_t user;          /* whose the folder is; not noted */
};

struct pcdf_setmanifest {
    struct pcdf_arena arena; /* of all texts */
    int64_t number;          /* of the generation; it stands in the name of the manifest */
    const char *name, *step, *key, *job;
    int64_t time;         /* seconds since 1970 */
    int64_t after, begun; /* as of its job; begun 0: not noted */
    struct pcdf_setplace place;
    bool is_bound;                       /* it lies where it was written (pcdf_set_read) */
    bool removes_inside, removes_others; /* may files below DIR, or other ones, go by it? (pcdf_set_read) */
    struct pcdf_setfile *files;
    size_t nfiles;
};
void pcdf_setmanifest_free(struct pcdf_setmanifest *m);

/* Is `file` below `folder`? Then it is named relative to it. */
bool pcdf_setfile_is_below(const char *file, const char *folder);
/* folder: of the set, below which files are named relative to it. The caller frees *bytes. NC_ENOMEM;
 * NC_EBADNAME: a text is not UTF-8. */
int pcdf_setmanifest_encode(const struct pcdf_setmanifest *m, const char *folder, char **bytes, size_t *n);
/* NC_EFILE: it is not whole, or not one that we would have written. m->number is not set. */
int pcdf_setmanifest_decode(const char *bytes, size_t n, const char *folder, struct pcdf_setmanifest *m);

/* What one file of a generation in the making notes, and who does: file is whole if is_whole; otherwise only
 * its name counts. by->process is 0 where none was noted. */
int pcdf_setnote_encode(const struct pcdf_setfile *file, bool is_whole, const char *folder,
                        const struct pcdf_owner *by, char **bytes, size_t *n);
int pcdf_setnote_decode(const char *bytes, size_t n, const char *folder, struct pcdf_arena *arena,
                        struct pcdf_setfile *file, struct pcdf_owner *by);

struct pcdf_setjob { /* who makes a generation */
    const char *job, *step;
    int64_t files; /* of the generation; 0: not known */
    int64_t after; /* the newest generation when it began */
    int64_t begun; /* nanoseconds since 1970 */
    struct pcdf_setplace place;
    struct pcdf_owner *by; /* never NULL */
};
int pcdf_setjob_encode(const struct pcdf_setjob *job, char **bytes, size_t *n);
/* Texts live in the arena; job->by must have room. */
int pcdf_setjob_decode(const char *bytes, size_t n, struct pcdf_arena *arena, struct pcdf_setjob *job);
#endif
