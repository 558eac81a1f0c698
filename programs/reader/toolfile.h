#ifndef PCDF_TOOLFILE_H
#define PCDF_TOOLFILE_H
/* Files as the commands read them: classic ones with pread, all others (toolsource.h) as the bytes of a
 * classic file; headers in growing chunks, values in bounded memory. */

#include "findings.h"
#include "toolsource.h"

struct pcdf_tool_file { /* a file whose first bytes are in memory */
    const char *path;
    int fd;                          /* -1: of a source */
    struct pcdf_tool_source *source; /* NULL: a local classic file. Owned */
    int64_t size;
    int64_t stamp; /* pcdf_tool_stamp, before its first byte was read */
    unsigned char *bytes;
    size_t n;
};

/* Opens a file and reads its first chunk: a regular file as it is; or whatever the library reads, far and of
 * other formats. On failure says so on standard error and gives an exit status, of a regular file
 * PCDF_TOOL_UNUSABLE; then there is nothing to close. */
int pcdf_tool_open_regular(struct pcdf_tool_file *file, const char *path);
int pcdf_tool_open(struct pcdf_tool_file *file, const char *path);
/* n bytes from `at` on; what lies behind the end is zeros, and *got is raised by those that were there. On
 * failure a code, with errno or the kept sentence. */
int pcdf_tool_move(const struct pcdf_tool_file *file, void *bytes, int64_t n, int64_t at, int64_t *got);
/* Why that failed. */
const char *pcdf_tool_move_text(const struct pcdf_tool_file *file);
/* Why a path cannot be used: what it is and the way out (../src/base/filekind.h), where that is known; else
 * `otherwise`. The next call writes over it. */
const char *pcdf_tool_why(const char *path, const char *otherwise);
/* Reads on until `need` bytes, at least, are in memory. */
int pcdf_tool_read(struct pcdf_tool_file *file, int64_t need);
/* Reads on until the header is complete and decodes it, strictly or as leniently as decode.h can. On failure
 * says so on standard error, gives PCDF_TOOL_BAD for a file that breaks the format, and leaves nothing to
 * free in the two. */
int pcdf_tool_decode(struct pcdf_tool_file *file, bool is_lenient, struct pcdf_meta *meta,
                     struct pcdf_layout *layout);
/* Reads on until the header is complete and checks it (findings.h). UNUSABLE, said, where it cannot be read.
 */
int pcdf_tool_findings(struct pcdf_tool_file *file, pcdf_found *found, void *context,
                       struct pcdf_check_result *result);
/* The variable of that name as a user writes it, in whatever Unicode form; -1: none. */
int pcdf_tool_find_variable(const struct pcdf_meta *meta, const char *name);
/* Says that there is none of that name, and which may be meant; UNUSABLE. why: what it is wanted for, as " to
 * select by", or "". */
int pcdf_tool_no_variable(const char *path, const struct pcdf_meta *meta, const char *name, const char *why);
int pcdf_tool_no_dimension(const char *path, const struct pcdf_meta *meta, const char *name);
/* A number that changes where a local file was written to; 0 for others. */
int64_t pcdf_tool_stamp(const struct pcdf_tool_file *file);
void pcdf_tool_close(struct pcdf_tool_file *file);

struct pcdf_tool_dataset;
struct pcdf_tool_series;
/* How several files are read as one: toolseries.h. */
struct pcdf_tool_many {
    int (*values)(struct pcdf_tool_dataset *ds, int varid, int64_t first, int64_t n, void *bytes);
    void (*end)(struct pcdf_tool_series *series);
};

/* A file with its definitions, read as leniently as the format allows (decode.h), and its values. Or several
 * files as one (toolseries.h): then `file` has a name for all of them and their size, and there is no layout.
 */
struct pcdf_tool_dataset {
    const struct pcdf_tool_many *many; /* NULL: one file */
    struct pcdf_tool_series *series;   /* owned; NULL: one file */
    struct pcdf_tool_file file;        /* its bytes are freed once the header is decoded */
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    uint32_t header_crc;
    int64_t behind;   /* bytes of data that lie behind the file's end: they were never written, or are lost */
    bool read_behind; /* values from there, which are zeros, were asked for: the command's status is BAD */
    bool is_growing;  /* set after the open: the caller tells itself of values that are not there yet */
    unsigned char *window; /* of pcdf_tool_values */
    int64_t window_at, window_n;
    int64_t window_served, window_next; /* bytes taken out of it; size of the next one */
};

/* with_values: refuses a file that lacks far more data than it has, which only a broken header can say. On
 * failure says so, gives BAD (not a file of the format) or UNUSABLE, and there is nothing to close. */
int pcdf_tool_dataset_open(struct pcdf_tool_dataset *ds, const char *path, bool with_values);
void pcdf_tool_dataset_close(struct pcdf_tool_dataset *ds);
/* What with_values asks for, of one that is open. BAD, said. */
int pcdf_tool_dataset_complete(const struct pcdf_tool_dataset *ds);
/* It is not read for some time: frees what values are read through. */
void pcdf_tool_dataset_rest(struct pcdf_tool_dataset *ds);
/* The same for files of the same definitions and places, with as many records and as much data of them; goes
 * on from `before`, the sum of other files, or 0. Ranks compare it, with pcdf_tool_agree_all. */
uint32_t pcdf_tool_dataset_sum(const struct pcdf_tool_dataset *ds, uint32_t before);

/* n values of a variable from number `first` on, in the order of the file (the last dimension runs fastest,
 * records are the first dimension), in external form: big-endian, n * pcdf_type_size bytes, without padding.
 * What lies behind the file's end reads as zeros; the first time this is said on standard error. Short runs,
 * as records have, are read through a window of up to 1 MiB, smaller where little of it is asked for; it
 * serves all variables of the records that it holds. On failure says so and gives UNUSABLE. */
int pcdf_tool_values(struct pcdf_tool_dataset *ds, int varid, int64_t first, int64_t n, void *bytes);
/* The same as numbers (meaningvalues.h), as they are meant: NaN for one that stands for no value. Not of
 * text. */
int pcdf_tool_numbers(struct pcdf_tool_dataset *ds, int varid, int64_t first, int64_t n, double *to);
/* They are asked for soon: the system may begin to read them. Of the record of `first`, where they have
 * several; of a file elsewhere nothing happens. */
void pcdf_tool_values_expect(const struct pcdf_tool_dataset *ds, int varid, int64_t first, int64_t n);
struct pcdf_tool_runs { /* n runs of values of a variable */
    int64_t first;      /* number of the first value of the first run, as pcdf_tool_values counts */
    int64_t run, step;  /* values of a run; from one run's first to the next one's, not less where n > 1 */
    int64_t n;
};
/* Their values one after another. Runs that lie near each other are read with what is between them. */
int pcdf_tool_runs_values(struct pcdf_tool_dataset *ds, int varid, const struct pcdf_tool_runs *runs,
                          void *bytes);
/* The same hash for the same values in the same order. An exit status, as that of pcdf_tool_values. */
int pcdf_tool_values_hash(struct pcdf_tool_dataset *ds, int varid, uint64_t *hash);
/* Of the variable that has most. */
int pcdf_tool_most_dims(const struct pcdf_meta *meta);
/* The length of a dimension, of the record dimension the number of records. */
int64_t pcdf_tool_dim_length(const struct pcdf_meta *meta, int dimid);
/* Has it the name of a dimension, which is its own one? */
bool pcdf_tool_is_coordinate(const struct pcdf_meta *meta, int varid);
/* The variable of this dimension alone that has its name; -1: there is none, or it is text. */
int pcdf_tool_coordinate(const struct pcdf_meta *meta, int dimid);

/* How many values a variable has, all its records counted; 1 for a scalar. */
int64_t pcdf_tool_count(const struct pcdf_meta *meta, int varid);

/* The first name of a list "a,b,c" (a comma in a name is written \,), and where the next begins; NULL: no
 * more. A name that no file can have, since it is too long, is cut. */
enum { PCDF_TOOL_NAME = 4 * NC_MAX_NAME + 1 };
const char *pcdf_tool_next_name(const char *list, char name[PCDF_TOOL_NAME]);
/* The variables named in such a list -> chosen[varid]. A name that is
 * not there is said, with PCDF_TOOL_UNUSABLE; the ones before are chosen already. */
int pcdf_tool_choose(const struct pcdf_tool_dataset *ds, const char *list, bool *chosen);
#endif
