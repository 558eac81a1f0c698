#ifndef PROGRAM_H
#define PROGRAM_H
/* What the files of the program share: the state of the run, one rank's part of a put or get, the pending
 * requests of all ranks, and the steps. */

#include "state.h"
#include "flexcalls.h"

#pragma GCC visibility push(hidden) /* these short names are nobody's but this program's */

enum { MAX_RANKS = 16, MAX_PIECES = 12, MAX_RECORDS = 12, MAX_ELEMENTS = 24000 };

enum mode { MODE_CLOSED, MODE_DEFINE, MODE_COLLECTIVE, MODE_INDEPENDENT };

/* The run and its one open file. */
struct run {
    int rank, size, ncid, formats;
    uint64_t seed;
    int64_t op;
    bool print, keep, tame, deferred, readonly, safe; /* safe: PNETCDF_SAFE_MODE */
    const char *without;                              /* steps that are left out, between commas */
    const char *dir;
    bool judged;                           /* file and model stay for the judge */
    char path[1024], say[512], text[4096]; /* what is wrong here; this operation in words */
    uint64_t random;
    enum mode mode;
    bool stays_together;        /* no room for what ranks put alone */
    bool is_atomic;             /* an abort may leave no file */
    bool zstd_by_hint;          /* variables that are defined now may have it */
    bool is_new;                /* never left define mode */
    int64_t numrecs[MAX_RANKS]; /* as each rank knows it */
    int64_t done;               /* operations that found something to do */
    int64_t gets, puts, posts, waits, errors, checked, elements, reread;
};
extern struct run g;
extern struct m_defs now, before;   /* before: what the file holds while in define mode */
extern struct bytes header;         /* as the definitions are */
extern struct bytes header_on_file; /* as it must be in the file */
extern bool header_waits;           /* for the next sync, switch of mode, redef or close */

/* ---- program.c: random numbers, words, complaints */
uint64_t next_random(void);
int64_t below(int64_t n);
bool one_in(int n);
__attribute__((format(printf, 1, 2))) void say(const char *format, ...); /* what is wrong: the first counts */
__attribute__((format(printf, 1, 2))) void tell(const char *format, ...); /* what the operation does */
void expect(int got, int want, const char *what);
#define EXPECT(call, want) expect((call), (want), #call)

/* ---- program.c, again: is `name` among --without? */
bool is_left_out(const char *name);

/* How a flexible call describes its buffer; from FLEX_CONTIGUOUS on by a derived type, from FLEX_VECTOR on by
 * one with gaps. */
enum flex {
    FLEX_NOT,
    FLEX_PLAIN,
    FLEX_IGNORE,
    FLEX_NULL,
    FLEX_CONTIGUOUS,
    FLEX_VECTOR,
    FLEX_RESIZED,
    FLEX_NESTED,
    FLEX_SUBARRAY,
    FLEX_STRUCT,
    FLEX_REVERSED,
    FLEX_BOTTOM,
    FLEXES
};
extern const char *const flex_names[FLEXES];
enum flex_fault {
    FLEX_FINE,
    FLEX_WRONG_COUNT,
    FLEX_BYTES,
    FLEX_TWO_TYPES,
    FLEX_DERIVED_IGNORE,
    FLEX_NO_ITEMS,
    FLEX_FAULTS
};

/* ---- randomslabs.c: one rank's part of a put or get */
struct part {
    int rank, varid, error; /* error: what its arguments must be answered with */
    struct m_var *var;      /* NULL: no variable exists */
    enum form form;
    enum mem mem;
    MPI_Offset start[MAX_NDIMS], count[MAX_NDIMS], stride[MAX_NDIMS], imap[MAX_NDIMS];
    bool no_start, no_count, no_stride, no_imap;
    int num;
    MPI_Offset starts[MAX_PIECES][MAX_NDIMS], counts[MAX_PIECES][MAX_NDIMS];
    bool no_counts[MAX_PIECES], no_any_counts;
    enum flex flex; /* how the buffer is described */
    enum flex_fault flex_fault;
    bool together;            /* in a collective call, as the choice of arguments must know */
    int64_t rows;             /* of the elements in it; divides n */
    unsigned char fill[8];    /* what takes the place of values that do not fit */
    int serial;               /* among the requests that one operation posts */
    int64_t n, room, records; /* elements asked for; records that exist after a put of them */
    int64_t *element;         /* in the variable */
    size_t *place, memory;    /* in the buffer; elements of the buffer */
};
/* The form that all parts of an mput must have, FORMS: any. */
extern enum form only_form;
/* Elements that this operation's puts already write, one byte each; NULL: none of the variable. */
extern unsigned char *taken[MAX_VARS];

/* False: all places tried are taken. rank, serial of the part are set by the caller. */
bool choose_part(struct part *p, bool put, int varid);
/* Turns a good part into one that must fail; leaves it alone when the kind of error drawn does not fit it. */
void spoil(struct part *p, bool put);
/* The parts of all ranks in a collective call: a usual decomposition of the variable or of some records. */
void choose_decomposition(struct part *parts, bool put, int varid);
void list_elements(struct part *p);
void tell_part(const struct part *p, bool put);
void part_free(struct part *p);
int64_t shape_of(const struct m_var *v, int d, int64_t records);
int64_t var_elements(const struct m_var *v);

/* ---- netcdf4.c: what is different where the file is one of netCDF-4 */
int last_type(void); /* types are 1 to this one */
void netcdf4_hints(MPI_Info info);
int ranges(void); /* by whose rule values convert: 1, 2, 5 */
/* In independent mode of several ranks a put is seen by its own rank alone until the ranks meet. */
void note_unseen(const struct part *p);
bool is_unseen(const struct part *p, int64_t element);
void all_seen(void);
/* Everything in the closed file by our own reader. Collective on comm. */
void read_whole(MPI_Comm comm);
void read_synced(void); /* by rank 0, while it is written */
void write_model(void); /* for the judge, beside the file */

/* ---- storagesteps.c: against what the program said of it */
void check_stored(int ncid, int id);

/* ---- oracle.c: what the file and the buffers must hold */

/* Who writes each element, + 1, in a wait that reads too: what another rank writes may or may not be seen. */
extern unsigned char *writer[MAX_VARS];

void *make_values(const struct part *p);              /* the buffer of a put, the same on every rank */
int model_put(const struct part *p, const void *buf); /* into the model; NC_ERANGE or NC_NOERR */

/* What a get on this rank left in buf against the model: defined elements exact, all else untouched. Returns
 * the code it must have given; false in *sure when that depends on values never written. */
int check_got(const struct part *p, const char *buf, bool *sure);
void check_code(const struct part *p, int err, int want, bool sure);
char *get_buffer(const struct part *p);
void set_header(void); /* all of it is written */
void follow_header(void);
int64_t most_records(void);
void agree_records(void);

/* ---- flexible.c: buffers that MPI datatypes describe */
void choose_flex(struct part *p); /* perhaps; spreads the places of its elements, or gives it an error */
bool describe(const struct part *p, void *buf, struct described *d); /* true: free the type */
int flexible_run(const struct call *c, const struct part *p, enum posting way,
                 int *id); /* id NULL: blocking */

/* ---- datasteps.c */
bool choose_collective(void); /* as the mode wants it, seldom not */
/* Safe mode: one rank's error in a collective call is every rank's. `errors`: where those of ranks 0, 1...
 * stand, `step` bytes apart. */
void share_error(int *errors, size_t step);
int refusal(bool put,
            bool collective); /* what every rank's data call is answered with now, whatever it asks */

/* Runs a part or posts it, the latter when id is not NULL. */
int run_part(const struct part *p, bool put, bool collective, void *buf, enum posting way, int *id);

/* ---- poststeps.c: pending requests */
enum { MAX_PENDING = 24, MANY = 4 };

struct pending {
    struct part part;
    bool put, buffered, chosen;
    int id;       /* on its own rank, as buf */
    char *buf;    /* the user's */
    void *values; /* of a put, everywhere */
};
struct list {
    int n;
    struct pending *x[MAX_PENDING];
    int64_t attached, used; /* bytes of the buffer for bput; 0: none */
};
extern struct list lists[MAX_RANKS];
void drop_chosen(struct list *list);
bool drop_all_pending(void); /* true when there was any: the ranks agree on what close says */
void check_queue(void);
void maps_free(unsigned char **maps);

/* ---- modesteps.c */
void create_file(void);
void close_file(void);
void finish_file(void); /* ends define mode, closes */
void check_definitions(bool with_fill);
void defs_free(void);

/* ---- fillsteps.c */
void fill_new_variables(void); /* what enddef does */
void check_fill(int id);

/* ---- the steps: each says what it does, calls the library and changes the model */
void step_def_dim(void);
void step_def_var(void);
void step_put_att(void);
void step_get_att(void);
void step_del_att(void);
void step_copy_att(void);
void step_rename(void);
void step_enddef(void);
void step_redef(void);
void step_abort(void);
void step_reopen(void);
void step_sync(void);
void step_sync_numrecs(void);
void step_begin_indep(void);
void step_end_indep(void);
void step_set_fill(void);
void step_def_var_fill(void);
void step_put_fill_att(void);
void step_fill_record(void);
void step_inquire(void);
void step_put(void);
void step_get(void);
void step_post(void);
void step_wait(void);
void step_cancel(void);
void step_buffer(void);
void step_many(void);
void step_store(void);
void store_new(int varid); /* often gives it chunks and codecs */
#pragma GCC visibility pop
#endif
