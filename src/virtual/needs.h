#ifndef PCDF_NEEDS_H
#define PCDF_NEEDS_H
/* Which chunks a get needs: boxes of variables, or pieces of a file, which become boxes, become a list of
 * (chunk, box), sorted by chunk, so that each chunk is decoded once, whatever the order in the file. Local.
 */

#include "arena.h"
#include "array.h"
#include "extents.h"
#include "varview.h"

/* A box of a variable, and where its elements go. */
struct pcdf_wanted {
    int var;
    size_t bounds; /* in `bounds`, of each dimension: starts, counts, strides, then steps, which are elements
                      of memory from one index to the next */
    char *to;      /* of its first element */
};

struct pcdf_need {
    int64_t chunk;
    uint32_t var, box;
};

/* A piece that begins or ends within an element: the element is read elsewhere, and a part of it copied. */
struct pcdf_cut {
    char *to;
    const char *from;
    size_t n;
};

struct pcdf_needs {
    const struct pcdf_views *views;
    /* Called when the list is long, and at the end: the list is sorted, and is empty afterwards. */
    int (*read)(void *context, const struct pcdf_needs *needs);
    void *context;
    bool is_native; /* values are wanted in the order of this machine */
    PCDF_ARRAY(struct pcdf_need) list;
    PCDF_ARRAY(struct pcdf_wanted) boxes;
    PCDF_ARRAY(int64_t) bounds;
    PCDF_ARRAY(struct pcdf_cut) cuts;
    struct pcdf_arena arena;
};

/* Reads all pieces of a get: what is in no chunk (header, padding, fill) is put there here. */
int pcdf_needs_read(struct pcdf_needs *needs, const struct pcdf_extents *x);

/* Boxes instead: begin; add, of each to dense memory in row-major order (stride NULL: ones), which may read
 * some; end, which reads the rest, and after which others may be added; drop, whatever went wrong. */
void pcdf_needs_begin(struct pcdf_needs *needs, bool is_native);
int pcdf_needs_add(struct pcdf_needs *needs, const struct pcdf_varview *w, const int64_t *start,
                   const int64_t *count, const int64_t *stride, char *to);
int pcdf_needs_end(struct pcdf_needs *needs);
void pcdf_needs_drop(struct pcdf_needs *needs);
void pcdf_needs_free(struct pcdf_needs *needs);
#endif
