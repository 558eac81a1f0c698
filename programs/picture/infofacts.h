#ifndef PCDF_INFOFACTS_H
#define PCDF_INFOFACTS_H
/* What `parcdf info` knows of a file: from its header, its size and what lies beside it; no data is read.
 * Sums that 63 bits do not hold, as hostile headers have, are INT64_MAX. */

#include "toolchunks.h"
#include "toolfile.h"

enum { PCDF_INFO_ADVICE = 16, PCDF_INFO_SENTENCE = 512 };

struct pcdf_info_advice {
    const char *rule; /* one word, stable */
    bool is_warning;  /* something is wrong; otherwise something could be better, or is good to know */
    char reason[PCDF_INFO_SENTENCE], action[PCDF_INFO_SENTENCE]; /* may hold names of the file: escape them */
};

/* Of several files as one (toolseries.h) there are no places: what tells of these is 0. */
struct pcdf_info {
    struct pcdf_tool_dataset *ds;
    int64_t size, on_disk, block; /* of the file; block: what its file system likes to be asked for */
    int64_t natts;                /* of all variables and the file */
    int nfixed;
    int64_t header_used, header_room; /* room: up to the first data; what is used, where there is no data */
    int64_t fixed_begin, fixed_end, fixed_bytes; /* 0 without fixed-size variables; bytes: without padding */
    int64_t rec_begin, recsize, rec_end;         /* 0 without record variables */
    int64_t rec_bytes;                           /* of a record, without padding and gaps */
    int64_t data_end, behind, tail; /* behind: data that the file lacks; tail: bytes after its data */
    int64_t ngaps, gap_bytes;       /* between variables, of all records */
    int64_t gap_at, gap_most;       /* the largest */
    int ntiny;                      /* fixed-size variables of a few bytes */
    int *by_begin, *by_size;        /* variables: fixed-size ones first, by offset; by all their bytes */
    int64_t *bytes;                 /* by varid: of all records */
    bool has_sums, has_journal, has_room;
    struct pcdf_tool_chunks_room room; /* where has_room */
    int nadvice;
    struct pcdf_info_advice advice[PCDF_INFO_ADVICE];
};

int64_t pcdf_info_sum(int64_t a, int64_t b, int64_t c); /* a + b * c, or INT64_MAX */

/* PCDF_TOOL_GOOD, or UNUSABLE when there is no memory, which is said. */
int pcdf_info_begin(struct pcdf_info *info, struct pcdf_tool_dataset *ds);
void pcdf_info_end(struct pcdf_info *info);
/* infoadvice.c */
void pcdf_info_advise(struct pcdf_info *info);
/* Is `.NAME` + suffix beside the file? */
bool pcdf_info_has_beside(const char *path, const char *suffix);
#endif
