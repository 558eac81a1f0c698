/* Pieces -> MPI datatypes. A dense or strided slab has pieces of one length and one step: an hvector says
 * that in four numbers however many rows there are. Everything else is an hindexed type. */

#include "status.h"
#include "view.h"
#include "bigcount.h"
#include "alloc.h"
#include "collective.h"
#include <limits.h>

enum { LONGEST = 1 << 30 }; /* of one block in a list of blocks, whose length is an int */

static size_t blocks_of(int64_t length)
{
    return (size_t)((length + LONGEST - 1) / LONGEST);
}

static bool is_regular(const struct pcdf_extents *x)
{
    const struct pcdf_piece *p = x->pieces;
    int64_t step = p[1].offset - p[0].offset;

    for (size_t i = 1; i < x->n; i++)
        if (p[i].length != p[0].length || p[i].offset - p[i - 1].offset != step)
            return false;
    return p[0].length <= INT_MAX && x->n <= INT_MAX;
}

/* Blocks of n pieces, relative to the first. An MPI error code, or MPI_ERR_NO_MEM. */
static int make_indexed(size_t n, const struct pcdf_piece *pieces, MPI_Datatype *type)
{
    size_t blocks = 0, b = 0;
    int *size, err;
    MPI_Aint *place;

    for (size_t i = 0; i < n; i++)
        blocks += blocks_of(pieces[i].length);
    if (blocks > INT_MAX)
        return MPI_ERR_COUNT;
    size = pcdf_calloc(blocks, sizeof *size);
    place = pcdf_calloc(blocks, sizeof *place);
    if (size && place) {
        for (size_t i = 0; i < n; i++)
            for (int64_t done = 0; done < pieces[i].length; done += size[b++]) {
                int64_t left = pieces[i].length - done;
                size[b] = (int)(left < LONGEST ? left : LONGEST);
                place[b] = (MPI_Aint)(pieces[i].offset - pieces[0].offset + done);
            }
        err = MPI_Type_create_hindexed((int)blocks, size, place, MPI_BYTE, type);
    } else {
        err = MPI_ERR_NO_MEM;
    }
    pcdf_free(place);
    pcdf_free(size);
    return err;
}

static int commit_or_free(int err, MPI_Datatype *type)
{
    if (err)
        *type = MPI_DATATYPE_NULL;
    else if ((err = MPI_Type_commit(type)))
        MPI_Type_free(type);
    return err;
}

int pcdf_view_make(const struct pcdf_extents *x, struct pcdf_view *view, const char *path)
{
    MPI_Datatype type;
    int err;

    view->displacement = 0;
    view->filetype = MPI_BYTE;
    if (x->n > 1) {
        if (is_regular(x))
            err = MPI_Type_create_hvector((int)x->n, (int)x->pieces[0].length,
                                          (MPI_Aint)(x->pieces[1].offset - x->pieces[0].offset), MPI_BYTE,
                                          &type);
        else
            err = make_indexed(x->n, x->pieces, &type);
        err = commit_or_free(err, &type);
        if (err)
            return pcdf_error_from_mpi(err, NC_ENOMEM, "describing the pieces of", path);
        view->filetype = type;
    }
    if (x->n)
        view->displacement = x->pieces[0].offset;
    return NC_NOERR;
}

void pcdf_view_free(struct pcdf_view *view)
{
    if (view->filetype != MPI_BYTE)
        MPI_Type_free(&view->filetype);
    view->filetype = MPI_BYTE;
}

int pcdf_bigcount_make(int64_t nbytes, struct pcdf_bigcount *big)
{
    const struct pcdf_piece all = { .length = nbytes };
    int err;

    big->type = MPI_BYTE;
    big->count = (int)nbytes;
    if (nbytes <= INT_MAX)
        return MPI_SUCCESS;
    big->count = 1;
    err = commit_or_free(make_indexed(1, &all, &big->type), &big->type);
    if (err) {
        big->count = 0;
        big->type = MPI_BYTE;
    }
    return err;
}

void pcdf_bigcount_free(struct pcdf_bigcount *big)
{
    if (big->type != MPI_BYTE)
        MPI_Type_free(&big->type);
}
