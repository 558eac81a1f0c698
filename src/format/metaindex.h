#ifndef PCDF_METAINDEX_H
#define PCDF_METAINDEX_H
/* What makes and changes a meta: shared by meta.c, which adds, metacopy.c, edit.c, which renames and deletes,
 * and decode.c, which fills one from a file. */

#include "meta.h"
#include "names.h"

enum { PCDF_INDEX_FROM = 16 }; /* shorter lists are searched one by one: most attribute lists stay below */

/* What the three kinds of list have in common: structs of `stride` bytes, each with its name first. */
struct pcdf_list {
    const void *x;
    int n, room;
    size_t stride;
};
#define PCDF_LIST(x, n, room) ((struct pcdf_list){ (x), (n), (room), sizeof *(x) })

/* Room for n elements of `size` bytes in all, and half as many again where a list grows. arena: where the
 * list lies; NULL: in memory of its own. NC_ENOMEM: nothing changed. */
int pcdf_list_reserve(struct pcdf_arena *arena, void **x, int *room, int64_t n, size_t size);
/* `name` left the list, which has n elements now: of the others with the same name, should there be any, the
 * first is found from here on. */
void pcdf_index_heir(struct pcdf_names *index, const char *name, const struct pcdf_list *list);

/* Adds what lies in the meta's arena already: name, dimids, values. *there: the element that has the name
 * already (and is found from now on, too), -1: none; of an attribute it may be NULL. NC_ENOMEM: nothing
 * changed. */
int pcdf_meta_adopt_dim(struct pcdf_meta *meta, const struct pcdf_dim *dim, int *there);
int pcdf_meta_adopt_var(struct pcdf_meta *meta, const struct pcdf_var *var, int *there);
int pcdf_atts_adopt(struct pcdf_meta *meta, struct pcdf_atts *atts, const struct pcdf_att *att, int *there);
/* *padded: a copy of the values in the arena; NULL for no values. */
int pcdf_meta_copy_values(struct pcdf_meta *meta, nc_type type, int64_t nelems, const void *values,
                          unsigned char **padded);
#endif
