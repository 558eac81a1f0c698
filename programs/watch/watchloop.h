#ifndef PCDF_WATCHLOOP_H
#define PCDF_WATCHLOOP_H
/* The loop of `parcdf watch`: looks at the file, shows what is new, tells of changes, waits. */

#include "toolfollow.h"
#include "toollook.h"
#include "watchshow.h"

enum { PCDF_WATCH_LATE = 3 }; /* exit status: no record came for so long */

struct pcdf_watch {
    const char *path, *command;
    int64_t next, until, behind; /* the record to be shown next; -1: the last; until: -1 for ever */
    double interval, timeout;
    bool is_once, waits;
    struct pcdf_watch_show show;
    struct pcdf_tool_follow follow;
    struct pcdf_tool_look look;
    struct pcdf_tool_dataset ds; /* the file as it was when its definitions were last seen */
    bool is_open;
    double failing;                  /* since when it cannot be opened; 0: it can */
    enum pcdf_tool_look_state state; /* of the last look */
    enum pcdf_tool_look_state told;  /* why there is nothing to show, as it was told; READY: nothing was */
    double since;                    /* when the file was found so, or it was told */
};

/* Until a signal asks to end, the last record is shown, or it took too long. Gives an exit status. */
int pcdf_watch_follow(struct pcdf_watch *w);
/* Shows the records that there are. */
int pcdf_watch_once(struct pcdf_watch *w);
#endif
