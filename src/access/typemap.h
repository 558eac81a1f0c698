#ifndef PCDF_TYPEMAP_H
#define PCDF_TYPEMAP_H
/* Where the elements of a described memory lie, as a tree: elements evenly spaced are one node, however many
 * they are; loops and lists of displaced parts stand above. Knows nothing of MPI. Finding an element is a
 * descent of divisions and binary searches. */

#include "array.h"
#include <stdint.h>

enum pcdf_memkind {
    PCDF_MEM_RUN,  /* n elements, `step` bytes apart */
    PCDF_MEM_LOOP, /* copies of `child`, `step` bytes apart */
    /* Blocks, each of them copies of its child, `step` bytes apart. */
    PCDF_MEM_LIST
};

struct pcdf_memnode {
    enum pcdf_memkind kind;
    int64_t n;    /* its elements; 0: never part of another node */
    int64_t at;   /* bytes from its place to its own origin */
    int64_t step; /* bytes; any sign, any size */
    /* No byte of it is farther from where it is placed. Fits 63 bits, so that no sum overflows. */
    int64_t reach;
    size_t child; /* loop: in nodes */
    /* list: index of its first block. The entry behind its last block has the n of the list as `first`, so
     * that block[i + 1].first - block[i].first is the size of block i. */
    size_t block;
    size_t nblocks;
};

struct pcdf_memblock {
    int64_t first; /* the list's elements before it */
    int64_t at;    /* bytes */
    size_t child;
};

/* The nodes below a root, which is kept as a value. */
struct pcdf_typemap {
    PCDF_ARRAY(struct pcdf_memnode) nodes;
    PCDF_ARRAY(struct pcdf_memblock) blocks;
};

void pcdf_typemap_free(struct pcdf_typemap *tree);

/* The functions below make *out of nodes of the same tree, as simple as it gets: dense neighbours are one
 * run, evenly spaced blocks one loop. *out may be one of the inputs. NC_ENOMEM; NC_EINVAL: no memory is that
 * large. */

int pcdf_memnode_shift(struct pcdf_memnode *node, int64_t bytes);
/* `count` copies, `step` bytes apart. */
int pcdf_typemap_loop(struct pcdf_typemap *tree, const struct pcdf_memnode *child, int64_t count,
                      int64_t step, struct pcdf_memnode *out);
/* The parts, each where its `at` says. */
int pcdf_typemap_join(struct pcdf_typemap *tree, size_t n, const struct pcdf_memnode *parts,
                      struct pcdf_memnode *out);

struct pcdf_memlist {       /* blocks of copies of one child */
    int64_t n;              /* blocks */
    const int64_t *lengths; /* copies in each; NULL = `length` in all */
    int64_t length;
    int64_t step;          /* bytes between copies */
    const int64_t *places; /* where blocks lie, in units of ... */
    int64_t unit;          /* ... so many bytes */
};
int pcdf_typemap_list(struct pcdf_typemap *tree, const struct pcdf_memnode *child,
                      const struct pcdf_memlist *list, struct pcdf_memnode *out);

/* Element e of a node and the evenly spaced ones behind it. */
struct pcdf_memrun {
    int64_t at;   /* bytes from the root's place to element e */
    int64_t step; /* bytes */
    int64_t left; /* itself among them */
};
struct pcdf_memrun pcdf_typemap_run(const struct pcdf_typemap *tree, const struct pcdf_memnode *root,
                                    int64_t e);

/* Copies, row_step bytes apart, of `each` elements, step bytes apart. */
struct pcdf_memrows {
    int64_t at; /* bytes from the root's place to first copy */
    int64_t step, each, row_step;
};
/* Told of elements [e, e + n) of such rows. */
typedef void pcdf_typemap_visitor(void *arg, const struct pcdf_memrows *rows, int64_t e, int64_t n);
/* Elements [e, e + n) of a node in order: a division or a binary search a level, and then only calls. */
void pcdf_typemap_visit(const struct pcdf_typemap *tree, const struct pcdf_memnode *root, int64_t e,
                        int64_t n, pcdf_typemap_visitor *visitor, void *arg);
#endif
