#ifndef PCDF_ZARRSTORE_H
#define PCDF_ZARRSTORE_H
/* A folder that a copy makes: like tooloutput.h's file it is made under another name and gets its own when it
 * is whole. */

#include <stdbool.h>
#include "meta.h"

struct pcdf_zarr_store {
    char *path;   /* of the folder */
    char *name;   /* where it is made */
    int fd;       /* of `name` */
    char url[64]; /* of `name`, for libnetcdf */
};

/* to: a path or a URL file://...#mode=nczarr. Says what is wrong, gives UNUSABLE; then there is nothing to
 * end. */
int pcdf_zarr_begin(struct pcdf_zarr_store *store, const char *to, bool replace);
/* Once libnetcdf has closed it: the attributes' numbers, which it writes with six digits, written whole. */
int pcdf_zarr_attributes(struct pcdf_zarr_store *store, const struct pcdf_meta *meta);
int pcdf_zarr_commit(struct pcdf_zarr_store *store);
void pcdf_zarr_abandon(struct pcdf_zarr_store *store);
#endif
