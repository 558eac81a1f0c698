#ifndef PCDF_STAGEFILE_H
#define PCDF_STAGEFILE_H
/* Logs of puts (format/stagerecord.h) that are there: their names, and what stands in them. Who may write to
 * one is told by stagelog.h and stagereplay.h. All functions are local.
 *
 * A log belongs to a file (fileid.h), not to a name. Its own name has that of the file, for people, and the
 * inode, so that it is found when the file was renamed. It is removed only where its file has the data, or is
 * gone for good; one that is in the way of a new file is set aside: then only the inode leads to it. */

#include <sys/stat.h>
#include "fileid.h"
#include "stagerecord.h"

/* DIR/NAME.parcdf-stage.<nonce>.<rank>.<inode>, of a file whose real path this is; a long NAME is cut off.
 * The caller frees it. NC_ENOMEM. */
int pcdf_stage_name(const char *dir, const char *real, const struct pcdf_stage_head *head, char **name);
/* The path of the user's file as a head has it: absolute, links resolved. The caller frees it. */
int pcdf_stage_real_path(const char *file, char **real);
/* Which file it is of, as the head has it. */
struct pcdf_fileid pcdf_stage_file_of(const struct pcdf_stage_head *head);

struct pcdf_stage_names { /* which ones */
    const char *dir, *real;
    /* Logs with the number of one of these, whatever name they have. */
    struct pcdf_fileid file, gone;
    bool with_aside; /* also those with the name, set aside */
};
/* The paths in a folder that are names of logs, perhaps of this file: its name or its inode stands there.
 * Until visit fails. */
int pcdf_stage_each(const struct pcdf_stage_names *names, int (*visit)(void *context, const char *path),
                    void *context);
/* DIR/NAME.parcdf-aside.<nonce>.<rank>.<inode>: its file has another name by now, or is gone. */
bool pcdf_stage_is_aside(const char *path);
int pcdf_stage_set_aside(const char *path);

struct pcdf_stagefile {
    int fd; /* -1: not open */
    char *path;
    unsigned char *bytes; /* owned: the head's, which its path points into */
    struct pcdf_stage_head head;
    struct pcdf_stage_slot slot;
    int64_t size;
    int64_t owner, changed; /* user id; nanoseconds since 1970 */
};

/* LOOK: locked, so that nobody changes it, by one who may; OWN: to be changed, by nobody else. NC_EACCESS:
 * another process uses it; NC_EFILE: it is no log, or no slot is whole. */
enum pcdf_stagefile_use { PCDF_STAGEFILE_READ, PCDF_STAGEFILE_LOOK, PCDF_STAGEFILE_OWN };
int pcdf_stagefile_open(const char *path, enum pcdf_stagefile_use use, struct pcdf_stagefile *f);
void pcdf_stagefile_close(struct pcdf_stagefile *f);
/* Its records in the order of the log; payload: of data, whose pieces are possible. Until visit fails.
 * NC_ENOMEM, NC_EREAD. */
typedef int pcdf_stage_visit(void *context, const struct pcdf_stage_record *r, int64_t at,
                             const unsigned char *payload);
int pcdf_stagefile_each(const struct pcdf_stagefile *f, pcdf_stage_visit *visit, void *context);
/* One payload again. */
int pcdf_stagefile_read(const struct pcdf_stagefile *f, int64_t at, int64_t bytes, unsigned char *payload);
/* The number of the last sync that it knows of; 0: none. */
int pcdf_stagefile_last_sync(const struct pcdf_stagefile *f, int64_t *sync);
/* What is left of it is for nothing: on the storage, before its name goes. */
int pcdf_stagefile_finish(struct pcdf_stagefile *f);

struct pcdf_stage_look {
    const char *dir, *file;
    /* The name of the file until it gets its own. NULL: it has it. */
    const char *now;
    bool is_new; /* the file is */
    bool keeps;  /* nothing is removed */
    /* The nonce of the opening that looks, whose logs may be there already. */
    uint64_t nonce;
    /* The file that had the name, and no other: the new one took its place. */
    struct pcdf_fileid gone;
};

/* Before a log is made in this folder. NC_ERECOVER, if a sync that was acknowledged may have left something
 * that is not in the file; for a new file such logs are set aside, *moved of them. Logs that are of no use
 * are removed, those in use stay. */
int pcdf_stage_look(const struct pcdf_stage_look *look, int *moved);
/* What the clock says by which changes are stamped in the folder of a path. False: nothing can be made there.
 */
bool pcdf_stage_clock(const char *beside, int64_t *now);
/* Nanoseconds since 1970 of the last change. */
int64_t pcdf_stage_changed(const struct stat *st);
#endif
