#ifndef RANDOMMETA_H
#define RANDOMMETA_H
/* Definitions drawn from a seed, always valid: all formats, types, shapes, attributes, records. */

#include "alloc.h"
#include "encode.h"
#include "rules.h"

#include <stdio.h>
#include <stdlib.h>

struct randommeta {
    uint64_t state;
    int most; /* definitions of each kind */
};

static inline uint32_t randommeta_next(struct randommeta *r)
{
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(r->state >> 33);
}

static inline int randommeta_below(struct randommeta *r, int n)
{
    return (int)(randommeta_next(r) % (uint32_t)n);
}

static inline int randommeta_name(struct randommeta *r, char *name, int id)
{
    static const char *const stems[] = { "x",     "time",     "\xC3\xA9t\xC3\xA9", "a name with spaces",
                                         "_Fill", "long_name" };
    return snprintf(name, NC_MAX_NAME, "%s%d", stems[randommeta_below(r, 6)], id);
}

static inline nc_type randommeta_type(struct randommeta *r, enum pcdf_version version)
{
    return 1 + randommeta_below(r, version == PCDF_CDF5 ? 11 : 6);
}

static inline int randommeta_atts(struct randommeta *r, struct pcdf_meta *meta, struct pcdf_atts *atts)
{
    char name[NC_MAX_NAME + 1];
    unsigned char values[8 * 8];
    int n = randommeta_below(r, r->most + 1), err = NC_NOERR;
    for (int i = 0; i < n && !err; i++) {
        randommeta_name(r, name, i);
        for (size_t k = 0; k < sizeof values; k++)
            values[k] = (unsigned char)randommeta_next(r);
        err = pcdf_atts_put(meta, atts, name, randommeta_type(r, meta->version), randommeta_below(r, 8),
                            values);
    }
    return err;
}

static inline int randommeta_vars(struct randommeta *r, struct pcdf_meta *meta)
{
    char name[NC_MAX_NAME + 1];
    int dimids[4], n = randommeta_below(r, r->most + 1), err = NC_NOERR;
    for (int i = 0; i < n && !err; i++) {
        int ndims = meta->ndims > 0 ? randommeta_below(r, 5) : 0, kept = 0;
        for (int k = 0; k < ndims; k++) {
            int dimid = randommeta_below(r, meta->ndims);
            if (k > 0 && dimid == meta->record_dim)
                continue;
            dimids[kept++] = dimid;
        }
        randommeta_name(r, name, i);
        err = pcdf_meta_add_var(meta, name, randommeta_type(r, meta->version), kept, dimids, NULL);
        if (!err)
            err = randommeta_atts(r, meta, &meta->vars[meta->nvars - 1].atts);
    }
    return err;
}

/* The caller frees meta, also after an error. */
static inline int randommeta_make(struct randommeta *r, struct pcdf_meta *meta)
{
    static const enum pcdf_version versions[] = { PCDF_CDF1, PCDF_CDF2, PCDF_CDF5 };
    char name[NC_MAX_NAME + 1];
    int err = NC_NOERR;

    pcdf_meta_init(meta, versions[randommeta_below(r, 3)]);
    int n = randommeta_below(r, r->most + 1), unlimited = randommeta_below(r, r->most + 1);
    for (int i = 0; i < n && !err; i++) {
        randommeta_name(r, name, i);
        err = pcdf_meta_add_dim(meta, name, i == unlimited ? 0 : 1 + randommeta_below(r, 9), NULL);
    }
    if (!err)
        err = randommeta_atts(r, meta, &meta->gatts);
    if (!err)
        err = randommeta_vars(r, meta);
    meta->numrecs = meta->record_dim >= 0 ? randommeta_below(r, 5) : 0;
    return err;
}

/* The encoded header, allocated with malloc; *size: its bytes. */
static inline unsigned char *randommeta_encode(const struct pcdf_meta *meta, const struct pcdf_layout *layout,
                                               size_t *size)
{
    *size = (size_t)pcdf_encode_size(meta);
    unsigned char *bytes = malloc(*size);
    pcdf_encode(meta, layout, bytes);
    return bytes;
}
#endif
