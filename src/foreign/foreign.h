#ifndef PCDF_FOREIGN_H
#define PCDF_FOREIGN_H
/* What the program parcdf-foreign is made of: a source (a file of some format, seen as classic definitions
 * and values in the machine's form), the plan of `parcdf copy` (what of it is copied), tiles (pieces of
 * variables) and a target. A format knows nothing of the others. */

#include "copyoptions.h"
#include "meta.h"
#include "toolteam.h"

enum pcdf_foreign_kind { /* formats; the first three are enum pcdf_version */
                         PCDF_FOREIGN_CDF1 = 1,
                         PCDF_FOREIGN_CDF2 = 2,
                         PCDF_FOREIGN_CDF5 = 5,
                         PCDF_FOREIGN_NETCDF4,         /* HDF5 through libnetcdf */
                         PCDF_FOREIGN_NETCDF4_CLASSIC, /* marked for the classic model */
                         PCDF_FOREIGN_NCZARR,
                         PCDF_FOREIGN_HDF4,
                         PCDF_FOREIGN_UNKNOWN
};

static inline bool pcdf_foreign_is_classic(enum pcdf_foreign_kind kind)
{
    return kind <= PCDF_FOREIGN_CDF5;
}

struct pcdf_foreign_options {      /* what the arguments say, the same on all ranks */
    struct pcdf_copy_options copy; /* what `parcdf copy` knows, too */
    const char *from, *to;
    enum pcdf_foreign_kind kind; /* of `to` */
};

struct pcdf_foreign_slab { /* of a variable, in the source's coordinates or in the target's */
    int ndims;
    int64_t *start, *count, *stride;
    int64_t n; /* values */
};

struct pcdf_foreign_source {
    const char *path;
    struct pcdf_meta meta;
    int64_t *const *chunks; /* of each variable: the shape its file stores it in; NULL, or an entry NULL:
                               whole rows are best */
    void *state;
    bool is_damaged; /* values were taken from behind a file's end: the status is BAD */
    /* The slab's values in the machine's own form, one after another. */
    int (*read)(struct pcdf_foreign_source *source, int varid, const struct pcdf_foreign_slab *slab,
                void *values);
    void (*close)(struct pcdf_foreign_source *source);
};

/* What the first bytes or the name say; UNKNOWN: nothing that is read here. */
enum pcdf_foreign_kind pcdf_foreign_kind_of(const char *path);

/* Local: each rank opens for itself. On failure they say so and there is nothing to close. */
int pcdf_foreign_open(struct pcdf_foreign_source *source, enum pcdf_foreign_kind kind,
                      const struct pcdf_foreign_options *options);
int pcdf_foreign_open_cdf(struct pcdf_foreign_source *source);
int pcdf_foreign_open_nc(struct pcdf_foreign_source *source, const struct pcdf_foreign_options *options);
int pcdf_foreign_open_sd(struct pcdf_foreign_source *source, const struct pcdf_foreign_options *options);
void pcdf_foreign_close(struct pcdf_foreign_source *source);
/* libnetcdf failed, and the sentence was said: should it crash then, as at the end of a file that could not
 * be written, there is nothing to add. */
extern volatile int pcdf_foreign_has_said;
/* Built with libnetcdf, with libhdf4. */
extern const bool pcdf_foreign_has_netcdf, pcdf_foreign_has_hdf4;

/* Room for the arrays of a slab of the variables of meta; false: no memory. */
bool pcdf_foreign_slab_room(struct pcdf_foreign_slab *slab, const struct pcdf_meta *meta);
void pcdf_foreign_slab_free(struct pcdf_foreign_slab *slab);
#endif
