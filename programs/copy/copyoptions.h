#ifndef PCDF_COPYOPTIONS_H
#define PCDF_COPYOPTIONS_H
/* What `parcdf copy` was asked for: its arguments as numbers and names. */

#include <stdbool.h>
#include <stdint.h>
#include "options.h"
#include "quantize.h"
#include "toolhistory.h"
#include "zarrout.h"

enum { PCDF_COPY_RANGES = 64, PCDF_COPY_TERMS = 64, PCDF_COPY_EDITS = 256 };

struct pcdf_copy_range { /* -d name,low,high,stride */
    char name[4 * 256 + 1];
    bool has_low, has_high;
    int64_t low, high, stride; /* both ends belong to it; negative: from the end, -1 is the last */
};

struct pcdf_copy_term_text { /* NAME=RANGE,... of copyselect.h */
    char *text;
    int box; /* number of the --box; -1: --select */
};

enum pcdf_copy_edit_kind { PCDF_COPY_RENAME, PCDF_COPY_DROP, PCDF_COPY_SET };

struct pcdf_copy_edit_text { /* copyedit.h */
    enum pcdf_copy_edit_kind kind;
    const char *text;
};

struct pcdf_copy_options {
    int version;                                    /* enum pcdf_version; 0: as the first FROM */
    const char *kind;                               /* the word of -k, or one for TO's name; NULL: neither */
    bool is_netcdf4, is_classic_model;              /* a kind of netCDF-4 */
    const char *with_coordinates, *only, *excluded; /* lists of variables: -v, -V, -x */
    struct pcdf_copy_range ranges[PCDF_COPY_RANGES];
    int nranges;
    struct pcdf_copy_term_text terms[PCDF_COPY_TERMS];
    int nterms, nboxes;
    struct pcdf_copy_edit_text edits[PCDF_COPY_EDITS];
    int nedits;
    bool header_only, append, replace, fix_records, recompute, checksum, keep_first, keep_last, merge,
        strict_order, verbose, json, stream, partial, follow;
    int64_t records;       /* that are to go through a pipe; -1: any number */
    int64_t behind;        /* with follow: records at the end of FROM that may still be half written */
    double timeout;        /* with follow: seconds without a record that end it; 0: none */
    const char *unlimited; /* the dimension that becomes the record dimension */
    int64_t align, record_align, reserve; /* 0: as the library does */
    enum pcdf_zarrout_kind zarr;          /* what kind of store TO is to be, if one */
    struct pcdf_quantize quantize;        /* mode none: not */
    const char *chunks, *shards;          /* dim/len,... From here on for formats that are not classic */
    int64_t shard_bytes;                  /* where shards says nothing; 0: no shards */
    int deflate, zstd;                    /* 0: no compression */
    bool may_compress;                    /* nothing was said of it: a new store by its name */
    bool says_level, has_shards, shuffle, skip_unsupported;
    struct pcdf_tool_history history;
    bool has_history, no_history, dry_run; /* --history; --no-history */
    char **from;                           /* of argv */
    int nfrom;
    const char *to;
};

/* Is there to be a line in `history`? Where nothing was said, if the copy is not all of one file, or other
 * than it. */
bool pcdf_copy_writes_history(const struct pcdf_copy_options *options);

/* A store of Zarr by its URL, "file:///x#mode=nczarr,file". */
bool pcdf_copy_is_url(const char *path);

extern const struct pcdf_options pcdf_copy_table;

/* argv is reordered; where no -k says a kind, the name of TO may. NULL, or the sentence of what is wrong,
 * which stays as long as the process; the options up to there are set, and where it is an option that is not
 * known, the ones behind it, too. */
const char *pcdf_copy_read_options(struct pcdf_copy_options *options, int argc, char **argv);
#endif
