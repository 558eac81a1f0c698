#ifndef PCDF_METAINDEX_H
#define PCDF_METAINDEX_H
/* What makes and changes a meta: shared by meta.c, which adds, copy.c, edit.c, which renames and deletes, and
 * decode.c, which fills one from a file. */

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

/* Enters `name`, which is about to become element n of the list; makes the index, for as many as the list has
 * room for, when the list becomes long. *there: the element that has the name already (and is found from now
 * on, too), -1: none. NC_ENOMEM: nothing changed. */
int pcdf_index_enter(struct pcdf_names **index, const char *name, size_t length, const struct pcdf_list *list,
                     int *there);
/* `name` left the list, which has n elements now: of the others with the same name, should there be any, the
 * first is found from here on. */
void pcdf_index_heir(struct pcdf_names *index, const char *name, const struct pcdf_list *list);

/* Room for n elements in all. NC_ENOMEM. */
int pcdf_meta_expect_dims(struct pcdf_meta *meta, int n);
int pcdf_meta_expect_vars(struct pcdf_meta *meta, int n);
int pcdf_atts_expect(struct pcdf_meta *meta, struct pcdf_atts *atts, int n);

/* Adds what lies in the meta's arena already: name, dimids, values. *there: as above. NC_ENOMEM: nothing
 * changed. */
int pcdf_meta_adopt_dim(struct pcdf_meta *meta, const struct pcdf_dim *dim, int *there);
int pcdf_meta_adopt_var(struct pcdf_meta *meta, const struct pcdf_var *var, int *there);
int pcdf_atts_adopt(struct pcdf_meta *meta, struct pcdf_atts *atts, const struct pcdf_att *att, int *there);
/* *padded: a copy of the values in the arena; NULL for no values. */
int pcdf_meta_copy_values(struct pcdf_meta *meta, nc_type type, int64_t nelems, const void *values,
                          unsigned char **padded);
#endif
