#ifndef PCDF_ZARRIMAGE_H
#define PCDF_ZARRIMAGE_H
/* The image of what a tree of Zarr metadata says: for stores and for references. Local. */

#include "zarrvar.h"

/* Says where the chunks of an array are: sets var->v.map, of which the separator and shards are there. May
 * refuse the array (pcdf_zarr_refuse). */
typedef int pcdf_zarr_place(void *context, const struct pcdf_zarr_node *node, struct pcdf_zarr_var *var);

/* image: after pcdf_image_init; tree: after finish. */
int pcdf_zarr_image(const struct pcdf_zarr_tree *tree, pcdf_zarr_place *place, void *context,
                    struct pcdf_image *image);
#endif
