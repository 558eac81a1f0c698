#ifndef SHIM_H
#define SHIM_H
/* Between the files of the shim: shim.c plans and records, shimcalls.c makes the calls. */
#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>
#include "shimlog.h"

struct shim_call {
    enum shim_op op;
    uint64_t id;                   /* 0: not recorded */
    bool fails, is_short, is_zero; /* fails: with an errno unless one of the others */
    bool tears;                    /* a part of the bytes, then the end of the job */
};

struct shim_about {
    int fd;             /* -1: none */
    uint64_t inode;     /* of a file that is known by no descriptor; 0: fd says it */
    bool is_quiet;      /* changes nothing: may fail, is not recorded or counted */
    bool is_unrecorded; /* what the log has no kind for */
    const char *name;
    size_t nname;
    int64_t offset, length;
    const struct iovec *v;
    int nv;
};

bool shim_is_active(void);
const char *shim_folder(size_t *length); /* NULL: none was named */
struct shim_call shim_before(enum shim_op op, const struct shim_about *about);
void shim_after(const struct shim_call *c, int fd, int64_t result);
int shim_fail(void); /* -1, errno set */
void shim_die(void) __attribute__((noreturn));

/* Memory that all processes share is mapped now, of a file below the folder (shimmap.c). */
void shim_note_map(const void *memory, size_t n);
/* Is it such memory? Then where in which file. */
bool shim_is_mapped(const void *bytes, uint64_t *inode, int64_t *offset);
#endif
