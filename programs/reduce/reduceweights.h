#ifndef PCDF_REDUCEWEIGHTS_H
#define PCDF_REDUCEWEIGHTS_H
/* Weights: a variable of the first file, or of another one, whose dimensions are among those of the input by
 * their names. They are kept where there is memory, or read where they are needed. All local. */

#include "reduceinput.h"
#include "stored.h"

struct pcdf_reduce_weights {
    bool are_given;
    int own; /* varid in the first file; -1: they come from another one */
    int ndims;
    int *dimids; /* of the input, in the order of the weights. Owned, as the next ones */
    struct pcdf_tool_dataset ds;
    bool is_open;
    int id; /* in ds */
    struct pcdf_stored_form form;
    double *x; /* weights from number `from` to `to`; room for `room` */
    int64_t from, to, room;
};

/* The file of `NAME@FILE`; NULL: there is none in it, or the first file has a variable of that whole name. */
const char *pcdf_reduce_weights_file(const char *text, const struct pcdf_meta *meta);
/* Says what is wrong. In any case there is something to close. */
int pcdf_reduce_weights_open(struct pcdf_reduce_weights *weights, const struct pcdf_reduce_input *input);
void pcdf_reduce_weights_close(struct pcdf_reduce_weights *weights);
/* How many are kept, at most. NC_ENOMEM. */
int pcdf_reduce_weights_keep(struct pcdf_reduce_weights *weights, int64_t most);
/* Those from number `from` to `to` -> *x, of number `from`. Says what is wrong. */
int pcdf_reduce_weights_get(struct pcdf_reduce_weights *weights, int64_t from, int64_t to, const double **x);
#endif
