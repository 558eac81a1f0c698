#ifndef PCDF_ZARRTREE_H
#define PCDF_ZARRTREE_H
/* The metadata of a Zarr store, version 2 or 3, with what NCZarr adds: what each group and array says, by its
 * path, wherever it stood (objects of the store, consolidated, references). Nothing of it is trusted. Local.
 */

#include "arena.h"
#include "array.h"
#include "jsonread.h"
#include "store.h"

enum { PCDF_ZARR_DEPTH = 64 }; /* parts of a path, at most */

struct pcdf_zarr_node {
    char *path;                                                  /* "" or "a/b" */
    const struct pcdf_json_value *array, *group;                 /* .zarray, .zgroup; version 3: zarr.json */
    const struct pcdf_json_value *atts;                          /* .zattrs, or the member "attributes" */
    const struct pcdf_json_value *nc_array, *nc_group, *nc_atts; /* of NCZarr */
    int64_t rank; /* where the source tells an order of its own: the place in it */
};

struct pcdf_zarr_tree {
    const char *name; /* of the store, for sentences */
    bool is_v3, is_nczarr;
    struct pcdf_arena arena;
    PCDF_ARRAY(struct pcdf_zarr_node) nodes; /* after finish: groups before what they hold, by name */
    const struct pcdf_zarr_node **order;     /* the same in the order of definitions: by rank in each group */
    bool is_ordered;                         /* what is put from now on comes in an order */
    struct pcdf_names *index;
    int64_t bytes; /* read so far */
};

void pcdf_zarr_tree_init(struct pcdf_zarr_tree *tree, const char *name, bool is_v3);
void pcdf_zarr_tree_free(struct pcdf_zarr_tree *tree);
/* All of a store. NC_ENOTNC: it holds no Zarr; NC_ENOTSUPPORT: it would have to be listed, and cannot. */
int pcdf_zarr_tree_read(struct pcdf_zarr_tree *tree, struct pcdf_store *store);
/* What stands under a key such as "a/b/.zarray", which is copied; false in *is_taken: it is no such key.
 * NC_ENOTNC: it is no JSON. */
int pcdf_zarr_tree_put(struct pcdf_zarr_tree *tree, const char *key, const char *text, size_t n,
                       bool *is_taken);
int pcdf_zarr_tree_finish(struct pcdf_zarr_tree *tree);
/* After finish; NULL: there is none. The path has n bytes. */
const struct pcdf_zarr_node *pcdf_zarr_tree_find(const struct pcdf_zarr_tree *tree, const char *path,
                                                 size_t n);
/* A member of any of these names; NULL: none. */
const struct pcdf_json_value *pcdf_zarr_any(const struct pcdf_json_value *object, const char *name,
                                            const char *other);
#endif
