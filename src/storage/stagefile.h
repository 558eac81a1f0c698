#ifndef PCDF_STAGEFILE_H
#define PCDF_STAGEFILE_H
/* Logs of puts (format/stagerecord.h) that are there: their names, and what stands in them. Who may write to
 * one is told by stagelog.h and stagereplay.h. All functions are local. */

#include <sys/stat.h>
#include "stagerecord.h"

/* DIR/NAME.parcdf-stage.<nonce>.<rank>, of a file whose real path this is; a long NAME is cut off. The caller
 * frees it. NC_ENOMEM. */
int pcdf_stage_name(const char *dir, const char *real, uint64_t nonce, int64_t rank, char **name);
/* The path of the user's file as a head has it: absolute, links resolved. The caller frees it. */
int pcdf_stage_real_path(const char *file, char **real);
/* The inode of the file that a head has; 0: not known. */
int64_t pcdf_stage_inode(const char *real);
/* The paths in a folder that are names of logs of this file, until visit fails. */
int pcdf_stage_each(const char *dir, const char *real, int (*visit)(void *context, const char *path),
                    void *context);

struct pcdf_stagefile {
    int fd; /* -1: not open */
    char *path;
    unsigned char *bytes; /* owned: of the head, what its path points into */
    struct pcdf_stage_head head;
    struct pcdf_stage_slot slot;
    int64_t size;
    int64_t owner, changed; /* user id; nanoseconds since 1970 */
};

/* owns: locked, to be changed. NC_EACCESS: another process uses it; NC_EFILE: it is no log, or no slot is
 * whole. */
int pcdf_stagefile_open(const char *path, bool owns, struct pcdf_stagefile *f);
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
    bool is_new;    /* the file is, and what is there was of one of its name */
    bool keeps;     /* nothing is removed */
    uint64_t nonce; /* of the opening that looks, whose logs may be there already */
};

/* Before a log is made in this folder. NC_ERECOVER, if a sync that was acknowledged may have left something
 * that is not in the file. Logs that are of no use are removed, those in use stay. */
int pcdf_stage_look(const struct pcdf_stage_look *look);
/* Nanoseconds since 1970 of the last change. */
int64_t pcdf_stage_changed(const struct stat *st);
#endif
