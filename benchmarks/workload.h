#ifndef WORKLOAD_H
#define WORKLOAD_H
/* What the checkpoint writes: definitions, and which rank has which pieces of each variable. */

#include <mpi.h>
#include "meta.h"

enum { WORKLOAD_MAX_DIMS = 8 };

/* The pieces of one shape that one rank has. Rows have ndims + 1 columns, the first for the record. */
struct pieces {
    int ndims;
    size_t n, room;
    size_t nreal; /* the pieces from here on carry fill values */
    MPI_Offset *start, *count;
    MPI_Offset **starts[2], **counts[2]; /* rows: [0] without, [1] with the record's column */
    int64_t nelems;
};

void pieces_add(struct pieces *p, const int64_t *start, const int64_t *count);
/* A run of elements of an array that is laid out by rows, as pieces that together are it, in order. */
void pieces_add_run(struct pieces *p, const int64_t *dims, int64_t offset, int64_t length);
void pieces_ready(struct pieces *p); /* after the last piece: fills starts and counts */
void pieces_free(struct pieces *p);

/* How arrays of one shape are divided. */
struct decomp {
    int ndims;
    int64_t dims[WORKLOAD_MAX_DIMS]; /* without the record dimension */
    bool partitioned;                /* false: rank 0 has it all */
    bool one_piece;                  /* every rank has at most one piece, written by vara */
    int max_parts;                   /* 0: divides among any number of ranks */
    /* Adds the pieces of part `part` of `nparts`: real ones, or the fill ones. */
    void (*build)(const struct decomp *d, int part, int nparts, bool fill, struct pieces *p);
    const void *data; /* the builder's own */
};

struct workload {
    const char *name;
    struct pcdf_meta meta;
    int *decomp_of; /* of each variable */
    struct decomp *decomps;
    int ndecomps;
    int max_ranks; /* 0: any number */
};

/* The pieces that `rank` of `nranks` has; it takes several parts when there are fewer ranks than parts. */
void workload_pieces(const struct decomp *d, int rank, int nranks, struct pieces *p);
/* Adds a shape and returns its number. */
int workload_add_decomp(struct workload *w, const struct decomp *d);
/* Gives every variable that has no shape yet one that rank 0 writes whole. Call last. */
void workload_rest(struct workload *w);
int workload_partitioned(const struct workload *w);
/* The lengths of a variable's dimensions without the record's. Returns how many. */
int workload_shape(const struct workload *w, int varid, int64_t dims[WORKLOAD_MAX_DIMS]);
void workload_free(struct workload *w);

/* Divides the last `nsplit` dimensions into blocks, near to cubes, one a rank. */
void workload_build_blocks(const struct decomp *d, int part, int nparts, bool fill, struct pieces *p);

/* builtin.c: cases that need no file. */
void workload_block3d(struct workload *w, const char *grid, int nvars);
void workload_sphere(struct workload *w, int ne, int levels, int nvars);
/* replay.c: a CDL header with a decomposition map. dim: "nCells=285,..." or NULL. Collective over comm. */
void workload_replay(struct workload *w, MPI_Comm comm, const char *header, const char *map,
                     const char *dims);
/* replay.c: a WRF header, horizontal sizes divided by scale. */
void workload_wrf(struct workload *w, const char *header, int scale);
#endif
