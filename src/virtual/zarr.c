/* Zarr stores of both versions, and NCZarr: their image. */

#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "source.h"
#include "status.h"
#include "zarrimage.h"

/* An object for each chunk, or for each shard. */
static int place_keys(void *context, const struct pcdf_zarr_node *node, struct pcdf_zarr_var *var)
{
    const int *store = context;
    size_t n = strlen(node->path);
    char *prefix = pcdf_malloc(n + 4);
    if (!prefix)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the chunks of an array");
    snprintf(prefix, n + 4, "%s%s", node->path, n > 0 ? "/" : "");
    if (var->is_unit && var->v.map.is_v3) { /* "c/0", as of one dimension */
        snprintf(prefix + strlen(prefix), 3, "c%c", var->v.map.separator);
        var->v.map.is_v3 = false;
    }
    var->v.map.kind = var->v.map.shard ? PCDF_MAP_SHARDS : PCDF_MAP_KEYS;
    var->v.map.store = *store;
    var->v.map.prefix = prefix;
    return NC_NOERR;
}

int pcdf_zarr_map(const char *name, struct pcdf_store *store, enum pcdf_source_kind kind,
                  struct pcdf_image *image)
{
    struct pcdf_zarr_tree tree;
    int number, err;
    pcdf_image_init(image, kind);
    pcdf_zarr_tree_init(&tree, name, kind == PCDF_SOURCE_ZARR3);
    err = pcdf_image_store_open(image, store, NULL, &number);
    if (!err)
        err = pcdf_zarr_tree_read(&tree, store);
    if (!err)
        err = pcdf_zarr_tree_finish(&tree);
    if (!err && tree.is_nczarr)
        image->kind = PCDF_SOURCE_NCZARR;
    if (!err)
        err = pcdf_zarr_image(&tree, place_keys, &number, image);
    if (err)
        pcdf_image_free(image);
    pcdf_zarr_tree_free(&tree);
    return err;
}
