#ifndef PCDF_WATCHSHOW_H
#define PCDF_WATCHSHOW_H
/* What `parcdf watch` prints: of a record its time and, of each variable, a picture and a few numbers; or a
 * line of JSON; and of events a sentence. All is in the output when a function returns. */

#include "toolfile.h"
#include "meaningtext.h"

struct pcdf_watch_values;

enum { PCDF_WATCH_WHEN = PCDF_MEANING_TEXT + 32 }; /* a number and its units */

struct pcdf_watch_show {
    bool is_json, is_quiet; /* set by the caller, as */
    const char *variables;  /* this is, before begin. NULL: all */
    int64_t record;         /* the one that was read */
    char when[PCDF_WATCH_WHEN];
    int *vars, nvars; /* those that are shown. Owned; NULL: not begun */
    struct pcdf_watch_values *values;
    unsigned char *room; /* for values as they are read */
};

/* Of the definitions of the file. On failure says so, and there is nothing to end. */
int pcdf_watch_show_begin(struct pcdf_watch_show *show, const struct pcdf_tool_dataset *ds);
/* Reads a record; memory does not grow with it. A signal (toolstop.h) ends that early. */
int pcdf_watch_show_read(struct pcdf_watch_show *show, struct pcdf_tool_dataset *ds, int64_t record);
/* False: standard output cannot be written, now or before. */
bool pcdf_watch_show_print(const struct pcdf_watch_show *show, const struct pcdf_meta *meta);
bool pcdf_watch_show_event(const struct pcdf_watch_show *show, const char *event, const char *sentence);
void pcdf_watch_show_end(struct pcdf_watch_show *show);
#endif
