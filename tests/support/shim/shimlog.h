#ifndef SHIMLOG_H
#define SHIMLOG_H
/* The log that shim.c appends to and tests/crash/world.c reads: one record for each operation before it is
 * done, one after it. Host byte order: both ends run on one machine. */
#include <stdint.h>

enum shim_op {
    SHIM_NONE,
    SHIM_OPEN, /* that made the name: `inode` in the END */
    SHIM_WRITE,
    SHIM_TRUNCATE, /* to `length` */
    SHIM_ALLOCATE, /* at least `length` */
    SHIM_SYNC,
    SHIM_SYNC_FOLDER,
    SHIM_UNLINK,
    SHIM_RENAME, /* name: two, a zero byte between them */
    SHIM_CLOSE,
    SHIM_READ,
    SHIM_LINK,
    SHIM_MKDIR,
    SHIM_NOTE, /* name: what the program says; no END */
    SHIM_END
};

#define SHIM_MAGIC 0x70634c47u

struct shim_record { /* then `nname` bytes of names, `nbytes` bytes of a write */
    uint32_t magic;
    uint16_t op, rank;
    uint64_t id; /* of the operation; an END has that of its beginning */
    uint64_t inode;
    int64_t offset, length;
    int64_t result; /* of an END: what the call returned, or -errno */
    uint32_t nname, nbytes;
};

/* What a program finds in the shim by dlsym; none of them where it is not preloaded. */
typedef void shim_begin_fn(const char *log); /* from now on: count, record, kill, fail */
typedef void shim_note_fn(const char *text);
typedef void shim_stop_fn(void);
typedef void shim_watch_fn(const char *folder); /* files below it, a real path, as PCDF_SHIM_FOLDER says */
/* As PCDF_SHIM_FAIL, counted from here; NULL: nothing fails. Returns how many calls have failed so far. */
typedef long shim_order_fn(const char *order);
/* How many calls since then were of the kind that the order names. */
typedef long shim_matched_fn(void);
#endif
