#ifndef PCDF_STAGEREPLAY_H
#define PCDF_STAGEREPLAY_H
/* `parcdf repair --stage DIR FILE`, and an open for writing with hint pcdf_stage_dir: after a crash the logs
 * of all ranks (format/stagerecord.h) go into their file, up to the last sync that every rank's log has. By
 * one process, without MPI.
 *
 * Nothing is changed before everything was found possible. The data is on the file's storage before the
 * number of records is raised, that before any log is marked as needless, and all of them are before one is
 * removed. So another crash at any time leaves what the next replay finishes. */

#include <stdbool.h>
#include <stddef.h>

struct pcdf_stagereplay {
    const char *path;
    const char *const *dirs;
    size_t ndirs;
    /* force: also into another file, or one that was changed, or without logs of some ranks. */
    bool dry, force;
    /* An open asks, not a person: logs in use are passed over, and whatever leaves a doubt is refused: logs
     * of other users, a file that was changed after the logs. dry: NC_ERECOVER if the file lacks anything. */
    bool by_open;
    void (*say)(void *context, const char *sentence); /* what was found and done */
    void *context;
};

/* NC_ERECOVER: it cannot be done, the file has not been changed. NC_EACCESS: another process uses a log. */
int pcdf_stagereplay(const struct pcdf_stagereplay *config);
#endif
