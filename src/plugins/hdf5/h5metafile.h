#ifndef PCDF_H5METAFILE_H
#define PCDF_H5METAFILE_H
/* The metadata of a netCDF-4 file that the library writes: libhdf5 makes it, in memory, with the places that
 * it is given for values and chunks; what changed is given to the host, which writes it. Values are never
 * seen here. A process writes one file. */

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>
#include "plugin.h"

struct pcdf_h5_scale { /* a dimension */
    haddr_t address;   /* of the data set that is its scale */
    int var;           /* that data set is this variable's; -1: it is the dimension's alone */
    int64_t rows;      /* of a data set of its own */
    bool is_moved;     /* it is another data set than before */
    int64_t nrefs;     /* entries in its REFERENCE_LIST, as it is in the file */
};

struct pcdf_h5_stored { /* a variable */
    haddr_t address;
    char *link; /* the name of the data set */
    int scale;  /* the dimension whose scale it is; -1 */
    bool has_list;
    int64_t rows;   /* of the record dimension */
    int64_t newest; /* no chunk has a higher number */
};

struct pcdf_h5_meta {
    const struct pcdf_metadata_host *host;
    hid_t file;
    const struct pcdf_definitions *now; /* as they are in the file; NULL: there are none */
    struct pcdf_h5_scale *scales;
    struct pcdf_h5_stored *vars;
    bool is_mixed; /* variables say their first dimension by number (h5define.c) */
};

/* h5metafile.c */
int pcdf_h5_meta_fail(const struct pcdf_h5_meta *m, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "libhdf5 cannot write <what>: <why>" */
int pcdf_h5_meta_refused(const struct pcdf_h5_meta *m, const char *what, const char *name);
extern const struct pcdf_metadata_writer pcdf_h5_metadata;

/* h5define.c: the data sets become those of the definitions. */
int pcdf_h5_define(struct pcdf_h5_meta *m, const struct pcdf_definitions *to);
int pcdf_h5_extend(struct pcdf_h5_meta *m, int64_t numrecs); /* all that have records */

/* h5adopt.c: the data sets of a file that is there are those of its definitions. */
int pcdf_h5_adopt(struct pcdf_h5_meta *m, const struct pcdf_definitions *is);
/* h5define.c, for it: the scale of which dimension each variable is (-1), and the names of their data sets,
 * to be freed. */
int pcdf_h5_find_names(struct pcdf_h5_meta *m, const struct pcdf_definitions *is);
int pcdf_h5_filter_of(int codec); /* -1: there is none */

/* h5metaatts.c */
int pcdf_h5_put_att(const struct pcdf_h5_meta *m, hid_t object, const struct pcdf_defined_att *att);
/* from: those that the object has. */
int pcdf_h5_change_atts(const struct pcdf_h5_meta *m, hid_t object, int nfrom,
                        const struct pcdf_defined_att *from, int nto, const struct pcdf_defined_att *to);
/* What netCDF-4 keeps for itself; -1 or 0, as libhdf5 does. */
int pcdf_h5_put_text(hid_t object, const char *name, const char *text, bool has_end);
int pcdf_h5_put_ints(hid_t object, const char *name, int n, const int *values); /* n 0: a scalar */
int pcdf_h5_put_list(hid_t object, int n, const haddr_t *scales);
struct pcdf_h5_reference { /* in memory, as in the file */
    hobj_ref_t data_set;
    int dimension;
};
int pcdf_h5_put_references(hid_t scale, hsize_t n, const struct pcdf_h5_reference *references);
hid_t pcdf_h5_memory_type(int type);                       /* not to be closed; NC_CHAR: of one character */
hid_t pcdf_h5_file_type(const struct pcdf_defined_var *v); /* to be closed */

/* h5entries.c */
int pcdf_h5_enter(struct pcdf_h5_meta *m, int64_t n, const struct pcdf_written_chunk *entries);

/* h5pages.c: libhdf5's file, in memory. */
int pcdf_h5_pages_start(const struct pcdf_metadata_host *host, hid_t *fapl); /* 0; -1 */
void pcdf_h5_pages_end(void);
/* Metadata may lie there, too, from now on; all that was stored before ends at `begin`. */
void pcdf_h5_pages_room(int64_t begin, int64_t end);
int64_t pcdf_h5_pages_left(void); /* bytes of room that are still free */
/* Gives the host all that changed. Room behind *eof is lost. */
int pcdf_h5_pages_give(int64_t *eof);
/* From here to `placed` the next raw data of so many bytes lies at `offset`, and is not written. freed: of
 * the data in whose place it comes; length 0: none. */
void pcdf_h5_pages_place(int64_t offset, int64_t length, int64_t freed, int64_t freed_length);
bool pcdf_h5_pages_placed(void); /* was it so? */
void pcdf_h5_pages_look(void); /* from here to `seen` the next read of raw data is noted, and reads nothing */
bool pcdf_h5_pages_seen(int64_t *offset, int64_t *length);
#endif
