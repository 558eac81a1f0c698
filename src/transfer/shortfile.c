/* See shortfile.h. */
#include <string.h>
#include "shortfile.h"

/* Bytes of a round that the file has. Its pieces rise, so what is missing is the end of them. */
static int64_t bytes_there(const struct pcdf_round *round, int64_t file_size)
{
    int64_t there = 0;
    for (size_t i = 0; i < round->n && round->offset[i] < file_size; i++) {
        int64_t left = file_size - round->offset[i];
        there += left < round->length[i] ? left : round->length[i];
    }
    return there;
}

static void fill_op(const struct pcdf_plan *plan, const struct pcdf_op *op, int64_t there,
                    unsigned char *data)
{
    struct pcdf_request *request = plan->requests[op->request];
    const struct pcdf_var_layout *place = &plan->places[request->place];
    int64_t whole = there > op->stage ? (there - op->stage) / place->xsize : 0;

    for (int64_t i = whole; i < op->n; i++) {
        memcpy(data + op->stage + i * place->xsize, place->fill, (size_t)place->xsize);
        request->is_cut = true;
    }
}

int pcdf_shortfile_fill(struct pcdf_dataset *ds, const struct pcdf_plan *plan, const struct pcdf_round *round,
                        unsigned char *data)
{
    if (!ds->readonly || !ds->is_short || round->n == 0)
        return NC_NOERR;
    int64_t end = round->offset[round->n - 1] + round->length[round->n - 1];
    if (end <= ds->file_size)
        return NC_NOERR;
    PCDF_TRY(ds->io->ops->size(ds->io, &ds->file_size)); /* its writer may have gone on */
    int64_t there = bytes_there(round, ds->file_size);
    for (size_t i = 0; i < round->nops && there < round->nbytes; i++)
        fill_op(plan, &round->ops[i], there, data);
    return NC_NOERR;
}
