#ifndef PCDF_FARPIECE_H
#define PCDF_FARPIECE_H
/* One range of one far object, asked for until it is there or cannot be had: which answers are believed,
 * which are asked for again, which end it. Several are on the way at a time. Local; one thread at a time. */

#include "credentials.h"
#include "plugin.h"
#include "store.h"

struct pcdf_far_limits {
    int64_t gap;       /* ranges that are so near to each other are one request */
    int64_t size;      /* of a request at most */
    int parallel;      /* requests on the way */
    int tries;         /* of a range */
    int first_tries;   /* where nobody has ever answered */
    int patience_ms;   /* between the first failure and the last try */
    int delay_ms;      /* before the second try; then twice as long each time */
    int retry_after_s; /* what a server says is kept up to this */
    int connect_ms, idle_ms, all_ms;
};
extern struct pcdf_far_limits pcdf_far_limits; /* of stores that are opened from here on */

/* Where requests go; pieces that are not done yet. */
struct pcdf_far_line {
    struct pcdf_far_limits limits;
    const struct pcdf_http *http;
    const char *name; /* for sentences */
    struct pcdf_url url;
    struct pcdf_credentials who;
    bool is_s3;                    /* signed where we are somebody */
    bool is_stranger;              /* of S3: references name it, and nobody signs */
    bool is_guarded;               /* hosts of the inside are none for it: reference.h */
    bool is_answered;              /* somebody was there */
    bool gives_ranges;             /* it did once */
    bool region_is_told;           /* by the server */
    const char *ca_bundle;         /* NULL: the system's */
    struct pcdf_far_piece *pieces; /* in the order in which they are begun */
    int running;
    int64_t requests, retries; /* so far */
    uint64_t random;
};

struct pcdf_far_piece {
    struct pcdf_far_piece *next;
    /* what is asked for; the rest is zero */
    char *path;             /* of the object below the URL, encoded; NULL: the URL's own. Owned */
    int64_t offset, length; /* length: at most; `to` has the room */
    unsigned char *to;
    bool owns_to;
    bool from_end;       /* the last `length` bytes: `offset` is 0 until an answer tells it */
    bool may_be_whole;   /* a server that gives no ranges may give all */
    bool is_plain;       /* all of it is asked for without a range */
    bool asks_size;      /* the server gave bytes, but not the size: a HEAD is next */
    struct pcdf_pin pin; /* size >= 0: what the object must be */
    int users;
    /* what came of it */
    bool is_done;
    int err;
    bool is_forbidden; /* HTTP 403 */
    int64_t ended;     /* when it failed */
    char sentence[400];
    int64_t got;
    struct pcdf_pin is; /* of what came */
    bool has_no_ranges; /* all of it came, or comes if it is asked for so (is.size) */
    /* while it is asked for */
    void *transfer;
    int tries;
    int64_t first_failure, not_before; /* ms; 0: none */
};

int64_t pcdf_far_now(void); /* ms */
/* bond: with the whole URL. told: its name in sentences. */
int pcdf_far_line_open(struct pcdf_far_line *line, const struct pcdf_bond *bond, const char *told);
void pcdf_far_line_close(struct pcdf_far_line *line); /* ends what is on the way */
/* At the end of the line. It is freed by pcdf_far_piece_drop, when its last user drops it. */
void pcdf_far_piece_add(struct pcdf_far_line *line, struct pcdf_far_piece *piece);
void pcdf_far_piece_drop(struct pcdf_far_line *line, struct pcdf_far_piece *piece);
/* Begins what may be begun, without waiting. */
void pcdf_far_line_start(struct pcdf_far_line *line);
/* Returns piece->err, with its sentence kept. */
int pcdf_far_piece_wait(struct pcdf_far_line *line, struct pcdf_far_piece *piece);
#endif
