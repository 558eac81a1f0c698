#ifndef VERDICT_H
#define VERDICT_H
/* What a state of the files is worth: the versions that a change goes through, and whether bytes are one of
 * them. */
#include "world.h"

enum { MOST_VERSIONS = 64 };

struct range {
    int64_t from, to;
};
struct version {
    struct bytes image;
    bool is_there, is_durable;
    bool is_settled;      /* nothing of it waits in a queue: a kill does not undo it */
    size_t at;            /* the log's entry that said so */
    int64_t header_size;  /* all of an HDF5 file */
    int64_t least;        /* a shorter file is none */
    int first_like;       /* the first version that has the same header */
    struct range *ranges; /* of data: what must be as in the image */
    int nranges;
};
struct versions {
    struct version *x;
    int n;
    bool is_loose;    /* data written since the last durable version may be missing after a power cut */
    bool is_unkept;   /* before the first durable version a power cut may leave anything, or nothing */
    unsigned ignored; /* variables whose values nobody wrote, a bit each */
    char name[256];
};

enum verdict {
    VERDICT_RIGHT, /* one of the versions */
    VERDICT_REFUSED,
    VERDICT_WRONG,
    VERDICT_LOST,
    VERDICTS
};
extern const char *const verdict_names[VERDICTS];

/* Follows a log to its end. False: it cannot be followed, or a version is no file; it said so. */
bool versions_read(struct versions *v, const struct log *log, const struct bytes *base);
/* The versions are those of another log, of the same program with puts that may wait in a queue: there they
 * come when it said so. False: it said more, or less. */
bool versions_of_queue(struct versions *v, const struct log *log);
/* As versions_read for the log at `path`; where ../NAME is a log, too, that of the program without a queue,
 * by that. */
bool versions_find(struct versions *v, const struct log *log, const struct bytes *base, const char *path);
void versions_free(struct versions *v);
/* Starts a world with the file that the log begins with. */
void versions_start(struct world *w, const struct log *log, const struct bytes *base);

/* Which versions may be found after a crash behind entry `at`: [*low, *high]. */
void versions_between(const struct versions *v, size_t at, bool is_power, int *low, int *high);

/* Is anything promised of what a power cut leaves behind entry `at`? */
bool versions_outlast_power(const struct versions *v, size_t at);

/* To a reader that knows nothing of journals. bytes NULL: there is no file. `why` gets a sentence. */
enum verdict verdict_of(const struct versions *v, const struct bytes *bytes, int low, int high, bool is_power,
                        char *why, size_t size);
#endif
