#ifndef PCDF_TOOLFOLLOW_H
#define PCDF_TOOLFOLLOW_H
/* The waiting between two looks at a file that another job writes (toollook.h looks). The system tells of
 * changes that are made on this machine; besides, the file is looked at now and then. */

#include <stdbool.h>

struct pcdf_tool_follow {
    const char *path, *name;   /* the name in its folder */
    double interval, timeout;  /* seconds. timeout 0: none */
    int notices, folder, file; /* of inotify: its descriptor, the folder's and the file's watch; -1: none */
    double pause, last;        /* until the next look; the last time that there was something new */
};

enum pcdf_follow_next { PCDF_FOLLOW_LOOK, PCDF_FOLLOW_LATE, PCDF_FOLLOW_STOP };

/* The path stays the caller's. It need not lead anywhere yet. pcdf_tool_stop_begin was called. */
void pcdf_tool_follow_begin(struct pcdf_tool_follow *f, const char *path, double interval, double timeout);
/* Sleeps until the file may have changed, but 2 ms at least, and `interval` at most, less where something was
 * new just now (is_new). LATE: nothing was new for `timeout`. STOP: a signal asks to end. */
enum pcdf_follow_next pcdf_tool_follow_wait(struct pcdf_tool_follow *f, bool is_new);
/* The next wait is as short as where something was new. */
void pcdf_tool_follow_soon(struct pcdf_tool_follow *f);
void pcdf_tool_follow_end(struct pcdf_tool_follow *f);
#endif
