#ifndef FAULTCASE_H
#define FAULTCASE_H
/* What the files of the fault loop share. A scenario is one session of a program on one file; it is run again
 * and again, each time with another failure, and judged by what its calls said and what the file is then.
 *
 * The file: f(y, x) and r(t, x) of NC_INT with a text `title`; a scenario replaces values of version 0 by
 * those of version 1, adds records, adds n(y, x), which is filled, q(t, x) or a long text `history`. */

#include <mpi.h>
#include <pnetcdf.h>
#include <stdbool.h>
#include <stdlib.h>
#include "check.h"

enum { ROWS = 24, COLUMNS = 100, RECORDS = 6, MORE = 12, HISTORY = 6000, LONG_HISTORY = 30000 };
enum { F, R };

struct session {
    const char *name; /* of scenario and failure: for messages */
    const char *scenario;
    int rank, size;
    const char *path;
    MPI_Info info; /* with the failure, if it is a hint */
    int ncid;
    int first;       /* the first failure that this rank was told of */
    bool lasting;    /* it was one of storage: puts and syncs go on failing */
    bool any;        /* some rank was told of one; known at the end */
    bool is_memory;  /* what fails is memory: that stays with its rank, the others' data is written */
    bool undefined;  /* a definition failed on some rank, so a new file has fewer */
    long bad_values; /* gets that succeeded gave values of neither version */
};

struct scenario {
    const char *name;
    void (*run)(struct session *s);
    bool from_nothing; /* there is no file before */
    bool reads_only;
};

extern const struct scenario scenarios[];
extern const int scenario_count;

/* scenarios.c */
int value_of(int var, int row, int column, int version);
const char *title_of(int version);
void make_base_file(MPI_Comm comm, const char *path); /* version 0; collective */

/* oldornew.c: rank 0 alone keeps the bytes. */
struct image {
    unsigned char *bytes;
    long size; /* -1: no file */
};
void image_take(struct image *image, const char *path);
bool image_equals(const struct image *image, const char *path);
void image_put(const struct image *image, const char *path); /* the file, and no journal beside it */
/* After a session in which something failed, by the ranks of comm: the file is old or new as a plain reader
 * sees it, or refused; opened for writing it is old or new (from nothing: or still refused), and nothing is
 * left beside it. */
void check_old_or_new(const struct session *s, const struct scenario *scenario, MPI_Comm comm);
bool has_journal(const char *path);

/* check.h counts by file: what the others counted, added to *made and *bad. */
void add_scenario_checks(long *made, long *bad);
void add_file_checks(long *made, long *bad);

/* mpiseam.c: MPI handles that the library made and did not free, by this process. */
long live_mpi_handles(void);
struct mpi_order { /* the n-th MPI call from now on fails, which one rank makes or many; 0: none */
    long n;
    bool later_too;
    bool is_quiet; /* counts reads and writes alone: success, but nothing is moved */
};
long mpi_order(const struct mpi_order *next); /* NULL: none. How many calls have failed so far */
#endif
