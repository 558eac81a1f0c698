#ifndef TYPEMAKER_H
#define TYPEMAKER_H
/* For memory_types.c: random datatypes of one element type, made in every way that MPI has and nested. */

#include "typecalls.h"
#include "convert.h"

enum { WAYS = 14 };

static uint64_t seed;
static long ways_used[WAYS];

static int draw(int low, int high) /* low .. high */
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (int)((seed >> 33) % (uint64_t)(high - low + 1));
}

static const struct {
    MPI_Datatype type;
    nc_type xtype;
    enum pcdf_mtype mtype;
} bases[] = { { MPI_CHAR, NC_CHAR, PCDF_M_TEXT },
              { MPI_SIGNED_CHAR, NC_BYTE, PCDF_M_SCHAR },
              { MPI_UNSIGNED_CHAR, NC_UBYTE, PCDF_M_UCHAR },
              { MPI_SHORT, NC_SHORT, PCDF_M_SHORT },
              { MPI_UNSIGNED_SHORT, NC_USHORT, PCDF_M_USHORT },
              { MPI_INT, NC_INT, PCDF_M_INT },
              { MPI_UNSIGNED, NC_UINT, PCDF_M_UINT },
              { MPI_LONG, sizeof(long) == 8 ? NC_INT64 : NC_INT, PCDF_M_LONG },
              { MPI_LONG_LONG_INT, NC_INT64, PCDF_M_LONGLONG },
              { MPI_UNSIGNED_LONG_LONG, NC_UINT64, PCDF_M_ULONGLONG },
              { MPI_FLOAT, NC_FLOAT, PCDF_M_FLOAT },
              { MPI_DOUBLE, NC_DOUBLE, PCDF_M_DOUBLE },
              { MPI_CHARACTER, NC_CHAR, PCDF_M_TEXT },
              { MPI_INTEGER, NC_INT, PCDF_M_INT },
              { MPI_INTEGER1, NC_BYTE, PCDF_M_SCHAR },
              { MPI_INTEGER2, NC_SHORT, PCDF_M_SHORT },
              { MPI_INTEGER4, NC_INT, PCDF_M_INT },
              { MPI_INTEGER8, NC_INT64, PCDF_M_LONGLONG },
              { MPI_REAL, NC_FLOAT, PCDF_M_FLOAT },
              { MPI_REAL4, NC_FLOAT, PCDF_M_FLOAT },
              { MPI_REAL8, NC_DOUBLE, PCDF_M_DOUBLE },
              { MPI_DOUBLE_PRECISION, NC_DOUBLE, PCDF_M_DOUBLE } };
enum { BASES = sizeof bases / sizeof bases[0] };

/* ---- Random datatypes ---- */

static void make_subarray(MPI_Datatype old, MPI_Datatype *made)
{
    int sizes[3], part[3], begin[3], n = draw(1, 3);
    for (int i = 0; i < n; i++) {
        sizes[i] = draw(1, 5);
        part[i] = draw(1, sizes[i]);
        begin[i] = draw(0, sizes[i] - part[i]);
    }
    MPI_Type_create_subarray(n, sizes, part, begin, draw(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, old, made);
}

static void make_darray(MPI_Datatype old, MPI_Datatype *made)
{
    int sizes[3], deal[3], args[3], grid[3], n = draw(1, 3), nprocs = 1;
    for (int i = 0; i < n; i++) {
        static const int kinds[] = { MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE };
        sizes[i] = draw(1, 9);
        deal[i] = kinds[draw(0, 2)];
        grid[i] = deal[i] == MPI_DISTRIBUTE_NONE ? 1 : draw(1, 3);
        int least = (sizes[i] + grid[i] - 1) / grid[i];
        args[i] = deal[i] == MPI_DISTRIBUTE_BLOCK ? draw(least, least + 1) : draw(1, 3);
        if (deal[i] == MPI_DISTRIBUTE_NONE || draw(0, 2) == 0)
            args[i] = MPI_DISTRIBUTE_DFLT_DARG;
        nprocs *= grid[i];
    }
    int err = MPI_Type_create_darray(nprocs, draw(0, nprocs - 1), n, sizes, deal, args, grid,
                                     draw(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, old, made);
    if (err) /* Open MPI 4.1 makes none that holds nothing */
        MPI_Type_dup(old, made);
}

static void random_type(int depth, MPI_Datatype base, MPI_Datatype *made);

static void make_struct(int depth, MPI_Datatype base, MPI_Datatype old, MPI_Datatype *made)
{
    MPI_Datatype olds[6];
    MPI_Aint places[6];
    int lengths[6], n = draw(1, 6), others = 0;
    for (int i = 0; i < n; i++) {
        lengths[i] = draw(0, 3);
        places[i] = draw(-40, 400);
        olds[i] = draw(0, 1) || i == 0 ? old : olds[draw(0, i - 1)];
    }
    MPI_Datatype mine[6];
    for (int i = 0; i < n; i++)
        if (draw(0, 2) == 0) {
            random_type(depth - 1, base, &mine[others]);
            olds[i] = mine[others++];
        }
    MPI_Type_create_struct(n, lengths, places, olds, made);
    while (others > 0)
        MPI_Type_free(&mine[--others]);
}

static void make_one(int way, int depth, MPI_Datatype base, MPI_Datatype old, MPI_Datatype *made)
{
    int n = draw(1, 4), lengths[4], places[4], even = draw(0, 2), gap = draw(-3, 9);
    int bytes_gap = draw(-50, 90);
    MPI_Aint bytes[4];
    if (gap == -1)
        gap = -2; /* one by one backwards is dense forwards to Open MPI 4.1 */
    if (bytes_gap < 0 && bytes_gap >= -8)
        bytes_gap = -9;
    for (int i = 0; i < n; i++) {
        lengths[i] = even == 0 ? 2 : draw(i == 0, 3);
        places[i] = even == 0 ? i * gap : even == 1 && i > 0 ? places[i - 1] + lengths[i - 1] : draw(-9, 30);
        bytes[i] = even == 0 ? i * gap * 8 : draw(-60, 300);
    }
    switch (way) {
    case 0:
        MPI_Type_dup(old, made);
        break;
    case 1:
        MPI_Type_contiguous(n, old, made);
        break;
    case 2:
        MPI_Type_vector(n, lengths[0], gap, old, made);
        break;
    case 3:
        MPI_Type_create_hvector(n, lengths[0], bytes_gap, old, made);
        break;
    case 4:
        MPI_Type_indexed(n, lengths, places, old, made);
        break;
    case 5:
        MPI_Type_create_hindexed(n, lengths, bytes, old, made);
        break;
    case 6:
        MPI_Type_create_indexed_block(n, lengths[0], places, old, made);
        break;
    case 7:
        MPI_Type_create_hindexed_block(n, lengths[0], bytes, old, made);
        break;
    case 8:
        make_struct(depth, base, old, made);
        break;
    case 9:
        make_subarray(old, made);
        break;
    case 10:
        make_darray(old, made);
        break;
    case 11:
        MPI_Type_create_resized(old, draw(-20, 20), draw(0, 100), made);
        break;
    case 12:
        make_large(draw(0, 9), n, lengths, places, old, made);
        break;
    default:
        MPI_Type_dup(old, made);
    }
    ways_used[way]++;
}

static void random_type(int depth, MPI_Datatype base, MPI_Datatype *made)
{
    MPI_Datatype old;
    if (depth <= 0) {
        MPI_Type_dup(base, made);
        return;
    }
    if (draw(0, 1))
        old = base;
    else
        random_type(depth - 1, base, &old);
    make_one(draw(0, WAYS - 1), depth, base, old, made);
    if (old != base)
        MPI_Type_free(&old);
}
#endif
