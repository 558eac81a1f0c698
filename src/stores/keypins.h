#ifndef PCDF_KEYPINS_H
#define PCDF_KEYPINS_H
/* What the objects of a store were when this process first saw them, so that two versions of one are never
 * mixed: a shard is read in several ranges, at several times. Hashes alone are kept, 16 bytes of each object,
 * of about the last million. A value, zero at the beginning. */

#include <stddef.h>
#include <stdint.h>
#include "store.h"

struct pcdf_keypins {
    uint64_t (*slots)[2]; /* hash of the key, hash of what it was; 0: free. Owned */
    size_t room, n;       /* room: a power of two */
};

/* Is the object what it was? One that was not seen is noted. is: NULL: it is not there. name: of the store.
 * NC_EREAD: it was changed; NC_ENOMEM. */
int pcdf_keypins_agree(struct pcdf_keypins *pins, const char *name, const char *key,
                       const struct pcdf_pin *is);
void pcdf_keypins_free(struct pcdf_keypins *pins);
#endif
