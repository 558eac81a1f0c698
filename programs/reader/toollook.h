#ifndef PCDF_TOOLLOOK_H
#define PCDF_TOOLLOOK_H
/* A file that another job writes, as one look finds it: quietly, since what is found may be half written. */

#include "layout.h"

#include <sys/types.h>

enum pcdf_tool_look_state {
    PCDF_LOOK_READY,
    PCDF_LOOK_ABSENT,
    PCDF_LOOK_EMPTY,   /* without a whole header yet */
    PCDF_LOOK_MARKED,  /* another job is changing its definitions, or died while it did */
    PCDF_LOOK_TORN,    /* its header cannot be decoded: it may be half of two */
    PCDF_LOOK_NOT_OURS /* no regular file, of another format, or it cannot be opened */
};

struct pcdf_tool_look { /* of the last look that was READY */
    bool has_seen;
    dev_t device;
    ino_t inode;
    struct pcdf_meta meta;     /* owned */
    struct pcdf_layout layout; /* owned */
    uint64_t hash;             /* of its header, without the number of records */
    int64_t counted;           /* records, as the header says */
    int64_t numrecs;           /* of them, within the file: after a redefinition, it may hold fewer */
    int64_t size;
    int64_t upper; /* of followheader.h */
};

/* Looks by the file's name; a client of a network file system asks its server. Where READY: *is_other: it is
 * not the file of before, or has fewer records than that; *is_redefined: its definitions changed. */
enum pcdf_tool_look_state pcdf_tool_look_at(struct pcdf_tool_look *look, const char *path, bool *is_other,
                                            bool *is_redefined);
/* Since that look, only records were added: what was read meanwhile is of these definitions. */
bool pcdf_tool_look_is_same(const struct pcdf_tool_look *look, const char *path);
void pcdf_tool_look_free(struct pcdf_tool_look *look);
#endif
