#ifndef PCDF_SET_H
#define PCDF_SET_H
/* A set DIR/NAME as it stands: its generations, and which is the newest one that is complete. Only manifests
 * are believed. All functions are local, and change nothing. */

#include "setfolder.h"
#include "setmanifest.h"

struct pcdf_set {
    const struct pcdf_setfs *fs;
    char *dir, *name; /* dir: a real path */
    struct pcdf_setplace place;
};

/* path: DIR/NAME, or NAME for a set of the working folder. NC_ENOENT: there is no such folder. NC_EINVAL: no
 * name for a set. The caller closes it. */
int pcdf_set_open(const char *path, struct pcdf_set *set);
/* The same in any file system; dir is a real path already. */
int pcdf_set_open_in(const struct pcdf_setfs *fs, const char *dir, const char *name, struct pcdf_set *set);
void pcdf_set_close(struct pcdf_set *set);

struct pcdf_setlist { /* what DIR has of a set */
    int64_t *numbers; /* of the committed generations, ascending */
    size_t n;
    int64_t *removed; /* of those that are being removed */
    size_t nremoved;
    int64_t *restored; /* those whose names are being restored, ascending */
    size_t nrestored;
    char (*making)[PCDF_SET_KEY]; /* keys of the folders of parts */
    size_t nmaking;
    char **news; /* names of manifests without a number */
    size_t nnews;
};
int pcdf_set_list(const struct pcdf_set *set, struct pcdf_setlist *list);
void pcdf_setlist_free(struct pcdf_setlist *list);

/* The manifest of a committed generation, or of one that is being removed. NC_ENOENT, NC_EFILE. */
int pcdf_set_read(const struct pcdf_set *set, int64_t number, bool is_removed, struct pcdf_setmanifest *m);

/* Is what notes `noted` in the folder that it was written in? */
bool pcdf_set_is_bound(const struct pcdf_set *set, const struct pcdf_setplace *noted);
/* Is a file of the library in DIR, with these facts, of somebody who may remove files there? This user, root,
 * or whose DIR is. */
bool pcdf_set_trusts(const struct pcdf_set *set, const struct pcdf_setfacts *facts);

/* The manifest before list->numbers[*at], of those that can be read: *at goes down to it. NC_ENOENT: there is
 * none. One that cannot be read now, but may be later, is an error. The caller frees m. */
int pcdf_set_before(const struct pcdf_set *set, const struct pcdf_setlist *list, size_t *at,
                    struct pcdf_setmanifest *m);
/* The number of the generation with this key, of those in the list that are newer than `after`; 0: there is
 * none. A damaged manifest has no key; one that cannot be read now is an error, since it may be the one that
 * is looked for. */
int pcdf_set_number_of(const struct pcdf_set *set, const struct pcdf_setlist *list, const char *key,
                       int64_t after, int64_t *number);

/* Where file i of a generation is: the member, or the user's name where that is the same file or the member
 * lost its name. The caller frees *path. NC_ENOENT: it is not there; NC_EFILE: it has another size. */
int pcdf_set_where(const struct pcdf_set *set, const struct pcdf_setmanifest *m, size_t i, char **path);
/* NC_NOERR: every file is there, with its size. A sentence says what is not. NC_ENOMEM and such are errors,
 * too: code is NC_ENOENT or NC_EFILE where the generation is not whole. */
int pcdf_set_is_whole(const struct pcdf_set *set, const struct pcdf_setmanifest *m);

/* The newest generation whose files are all there, with their sizes. NC_ENOENT: there is none. */
int pcdf_set_newest(const struct pcdf_set *set, struct pcdf_setmanifest *m);
/* The member of the newest whole generation for a user's path (links are followed), which the caller frees.
 * NC_ENOENT: the path is in none. */
int pcdf_set_member_of(const struct pcdf_set *set, const char *path, char **member);

/* CRC-32C of some bytes of a file, by small steps, for those that share the reading of a file: joined with
 * pcdf_crc32c_join. NC_EFILE: the file ends before. */
int pcdf_set_sum(const char *path, int64_t offset, int64_t bytes, uint32_t *crc);
#endif
