#ifndef PCDF_STORAGE_H
#define PCDF_STORAGE_H
/* A storage holds the bytes of one named object: pieces of them are moved at explicit offsets. One at
 * the bottom knows where the bytes are (a file, memory); layers lie on it, each adds one thing (checksums, a
 * log). An operation that a layer leaves NULL is done by the storage below it.
 *
 * Rules of every storage
 * - A put accepts every byte or returns an error: EINTR is retried, short writes go on. It never changes the
 *   data. A failed sync is final: all later syncs fail.
 * - Bytes behind the end are no error in a get: they come back as zeros.
 * - Errors are NC_ codes with a sentence.
 * - Every operation is this process's alone. Exception: where ops->is_collective is set, open, resize, close,
 *   and move and sync with `together`, are called by all ranks that opened the object, at the same time. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "boxes.h"
#include "counts.h"
#include "extents.h"

struct pcdf_storage;
struct pcdf_shown;

enum pcdf_storage_mode { PCDF_STORAGE_CREATE, PCDF_STORAGE_WRITE, PCDF_STORAGE_READ };

struct pcdf_storage_config {
    const char *path; /* as the user gave it, file-system prefix included */
    /* The name that it gets while it is open (pcdf_sharedfile_rename). NULL: none. */
    const char *later_path;
    /* CREATE: it exists already, or is_maker is set. It is not truncated. */
    enum pcdf_storage_mode mode;
    bool is_maker; /* makes the object: nothing has the name yet */
    /* A maker fails where something has the name by then. */
    bool is_exclusive;
    /* This process changed it before: the next sync is not for nothing. */
    bool is_changed;
    struct pcdf_counts *counts; /* where operations are counted; outlives the storage */
    /* What the storages "virtual" and "ranges" show (virtual/shown.h). What it leads to outlives them. NULL
     * for other storages. */
    const struct pcdf_shown *shown;
};

struct pcdf_storage_ops {
    const char *name;

    /* ---- of one at the bottom: what others may know of it */
    bool on_disk; /* the path is a file's name */
    /* What one rank puts, the others get. Otherwise each rank has bytes of its own. */
    bool is_shared;
    bool is_single;     /* only one process can open it */
    bool is_collective; /* see above */
    bool has_views;     /* it moves `together` */
    bool knows_reach;   /* also a layer's: `reach` counts what passed */
    /* Also a layer's: bytes pass between memory and file by system calls alone, so memory that the system
     * cannot read is an error, and no signal. */
    bool by_system;
    /* To read is slow, so that of bytes that several ranks want one reads for all: who reads what is dealt by
     * ranges of so many bytes. 0: it is quick. */
    int64_t domain;
    /* Hints for MPI-IO mean something to it, and it makes a file with stripes. */
    bool takes_hints;
    /* Makes and removes an object of that name. NULL: a file (rootfile.h), or there is nothing to do. */
    int (*make)(const char *path, bool noclobber);
    int (*remove)(const char *path);
    /* Opens one at the bottom. NULL where is_collective: its open has more arguments. */
    int (*open)(const struct pcdf_storage_config *config, struct pcdf_storage **s);

    /* ---- the functions below, without the prefix, say what these do */
    int (*move)(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got); /* *got is raised */
    /* NULL at the bottom: it knows no variables. Else a get costs by chunks and not by bytes, and goes this
     * way. */
    int (*get_boxes)(struct pcdf_storage *s, const struct pcdf_boxes *boxes);
    int (*size)(struct pcdf_storage *s, int64_t *bytes);
    /* NULL at the bottom: `reach` is all it has. */
    int (*resize)(struct pcdf_storage *s, int64_t bytes);
    /* At the bottom. NULL: it cannot. */
    bool (*clone)(struct pcdf_storage *s, int fd, int64_t offset, int64_t bytes);
    int (*sync)(struct pcdf_storage *s, bool together);
    /* A layer closes the one below, with pcdf_storage_close. The struct itself is freed for it. */
    int (*close)(struct pcdf_storage *s);
    /* At the bottom: tells the hints in force, as MPI-IO names them. NULL: there are none. */
    int (*info)(struct pcdf_storage *s, void (*tell)(void *context, const char *name, const char *value),
                void *context);
};

struct pcdf_storage { /* the first member of each storage's own struct */
    const struct pcdf_storage_ops *ops;
    struct pcdf_storage *below; /* NULL at the bottom */
    struct pcdf_counts *counts;
    char *path, *later_path; /* at the bottom */
    /* At the bottom: this process's own descriptor of the file. -1: none. */
    int fd;
    /* At the bottom, and where it knows_reach: where the highest byte ends that this process put, or that it
     * was resized to. */
    int64_t reach;
    /* At the bottom: a sync will wait for the disk, which may begin now. */
    bool writes_early;
    /* So many bytes were put beyond the reach since it last began, from there on. */
    int64_t early, early_from;
    /* At the bottom: it was complete, and others may have changed it since. */
    bool is_released;
    /* A rank cannot take part any more: close is this process's alone. */
    bool is_poisoned;
};

/* Memory for a storage of `bytes` bytes, the struct above first; at the bottom (below NULL) with the config's
 * paths. NULL: no memory. */
void *pcdf_storage_make(size_t bytes, const struct pcdf_storage_ops *ops, struct pcdf_storage *below,
                        const struct pcdf_storage_config *config);
void pcdf_storage_free(struct pcdf_storage *s); /* for one that was not opened */

/* Every byte was accepted, or an error. *got (may be NULL): of a get, how many of the bytes were there; the
 * others are zeros. Together only where the one at the bottom has views. */
int pcdf_storage_move(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got);
/* One piece, or nothing where the length is 0. */
int pcdf_storage_move_at(struct pcdf_storage *s, enum pcdf_dir dir, void *data, int64_t length,
                         int64_t offset, int64_t *got);
/* Values of variables, where the storage at the bottom has get_boxes. All, or an error. */
int pcdf_storage_get_boxes(struct pcdf_storage *s, const struct pcdf_boxes *boxes);
int pcdf_storage_size(struct pcdf_storage *s, int64_t *bytes); /* now */
int pcdf_storage_resize(struct pcdf_storage *s, int64_t bytes);
/* At the bottom: a put of whole blocks that another file has at the same place, which then share their
 * storage. The caller counts it. False, with errno: the bytes are unknown, and are to be put. */
bool pcdf_storage_clone(struct pcdf_storage *s, int fd, int64_t offset, int64_t bytes);
/* What this process put before is on the storage. together: all ranks call it, at the same time. */
int pcdf_storage_sync(struct pcdf_storage *s, bool together);
/* Ends all use of it and of those below, and frees them, also where it fails. */
int pcdf_storage_close(struct pcdf_storage *s);

int64_t pcdf_pieces_bytes(const struct pcdf_piece *pieces, size_t n); /* all n together */

/* The reach, with what waits in a queue. */
int64_t pcdf_storage_reach(const struct pcdf_storage *s);
/* Others resized it, as this process is told. */
void pcdf_storage_was_resized(struct pcdf_storage *s, int64_t bytes);
/* Is it by_system, and all below it? */
bool pcdf_storage_by_system(const struct pcdf_storage *s);
/* The one at the bottom. */
struct pcdf_storage *pcdf_storage_bottom(struct pcdf_storage *s);

/* ---- those that stand at the bottom */
extern const struct pcdf_storage_ops pcdf_posixstorage;  /* pread and pwrite */
extern const struct pcdf_storage_ops pcdf_memorystorage; /* files in RAM */
extern const struct pcdf_storage_ops pcdf_nullstorage;   /* takes all, gives zeros */

/* ---- layers that a test program brings along; hint: its name, whose value the layer is given */
struct pcdf_storage_layer {
    const char *hint;
    /* On success *top is the layer, which lies on what it was. */
    int (*stack)(const char *value, int rank, struct pcdf_storage **top);
};
extern const struct pcdf_storage_layer *pcdf_storage_layers; /* ends with a hint NULL; NULL: none */
#endif
