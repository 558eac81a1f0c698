/* Pieces -> MPI datatypes. A dense or strided slab has pieces of one length and one step: an hvector says
 * that in four numbers however many rows there are. Everything else is an hindexed type. */

#include "piecetype.h"
#include "alloc.h"
#include <assert.h>
#include <limits.h>

enum { LONGEST = 1 << 30 }; /* bytes of one block: MPI counts by int */

static bool is_regular(const struct pcdf_piece *p, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (p[i].length != p[0].length || p[i].offset - p[i - 1].offset != p[1].offset - p[0].offset)
            return false;
    return p[0].length <= INT_MAX && n <= INT_MAX;
}

/* An MPI error code, or MPI_ERR_NO_MEM. */
static int make_indexed(const struct pcdf_piece *pieces, size_t n, MPI_Datatype *type)
{
    int64_t blocks = 0, b = 0;
    for (size_t i = 0; i < n; i++)
        blocks += (pieces[i].length + LONGEST - 1) / LONGEST;
    if (blocks > INT_MAX)
        return MPI_ERR_COUNT;
    int *size = pcdf_calloc((size_t)blocks, sizeof *size), err = MPI_ERR_NO_MEM;
    MPI_Aint *place = pcdf_calloc((size_t)blocks, sizeof *place);
    if (size && place) {
        for (size_t i = 0; i < n; i++)
            for (int64_t done = 0; done < pieces[i].length; done += size[b++]) {
                int64_t left = pieces[i].length - done;
                size[b] = (int)(left < LONGEST ? left : LONGEST);
                place[b] = (MPI_Aint)(pieces[i].offset - pieces[0].offset + done);
            }
        err = MPI_Type_create_hindexed((int)blocks, size, place, MPI_BYTE, type);
    }
    pcdf_free(place);
    pcdf_free(size);
    return err;
}

int pcdf_piecetype_make(const struct pcdf_piece *pieces, size_t n, MPI_Datatype *type)
{
    MPI_Datatype made;
    int err;
    assert(n > 0);
    *type = MPI_BYTE;
    if (n > 1 && is_regular(pieces, n))
        err = MPI_Type_create_hvector((int)n, (int)pieces[0].length,
                                      (MPI_Aint)(pieces[1].offset - pieces[0].offset), MPI_BYTE, &made);
    else
        err = make_indexed(pieces, n, &made);
    if (err)
        return err;
    err = MPI_Type_commit(&made);
    if (err)
        MPI_Type_free(&made);
    else
        *type = made;
    return err;
}

void pcdf_piecetype_free(MPI_Datatype *type)
{
    if (*type != MPI_BYTE)
        MPI_Type_free(type);
    *type = MPI_BYTE;
}
