#ifndef PCDF_NEEDS_H
#define PCDF_NEEDS_H
/* Which chunks a get needs: the pieces of a file become boxes of variables, and these become a list of
 * (chunk, box), sorted by chunk, so that each chunk is decoded once, whatever the order in the file. Local.
 */

#include "arena.h"
#include "array.h"
#include "extents.h"
#include "varview.h"

/* Consecutive elements of a variable that are a box: all in memory at `to`, in row-major order. */
struct pcdf_box {
    int var;
    int64_t first;       /* element, whose place is `to` */
    size_t start, count; /* of its bounds in `bounds`: ndims starts, then ndims counts */
    char *to;
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
    PCDF_ARRAY(struct pcdf_box) boxes;
    PCDF_ARRAY(int64_t) bounds;
    PCDF_ARRAY(struct pcdf_cut) cuts;
    struct pcdf_arena arena;
};

/* Reads all pieces of a get: what is in no chunk (header, padding, fill) is put there here. */
int pcdf_needs_read(struct pcdf_needs *needs, const struct pcdf_extents *x);
void pcdf_needs_free(struct pcdf_needs *needs);
#endif
