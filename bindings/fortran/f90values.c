/* nf90mpi_{put,get}_att and nf90mpi_{def,inq}_var_fill: the type of the Fortran values decides which C
 * function. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "f77support.h"
#include "section.h"

/* ---- values without gaps ---- */

static void gather(const struct pcdf_section *s, char *to)
{
    for (int64_t i = 0; i < s->n; i++)
        memcpy(to + (size_t)i * s->size, pcdf_section_at(s, i), s->size);
}

/* The first n elements. */
static void scatter(const struct pcdf_section *s, const char *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(pcdf_section_at(s, i), from + (size_t)i * s->size, s->size);
}

/* ---- attributes ---- */

static int put_values(int ncid, int varid, const char *name, const struct pcdf_section *s, const void *values)
{
    if (s->is_text)
        return ncmpi_put_att_text(ncid, varid, name, s->n, values);
    if (s->type == MPI_SIGNED_CHAR)
        return ncmpi_put_att_schar(ncid, varid, name, NC_BYTE, s->n, values);
    if (s->type == MPI_SHORT)
        return ncmpi_put_att_short(ncid, varid, name, NC_SHORT, s->n, values);
    if (s->type == MPI_INT)
        return ncmpi_put_att_int(ncid, varid, name, NC_INT, s->n, values);
    if (s->type == MPI_LONG_LONG_INT)
        return ncmpi_put_att_longlong(ncid, varid, name, NC_INT64, s->n, values);
    if (s->type == MPI_FLOAT)
        return ncmpi_put_att_float(ncid, varid, name, NC_FLOAT, s->n, values);
    return ncmpi_put_att_double(ncid, varid, name, NC_DOUBLE, s->n, values);
}

static int get_values(int ncid, int varid, const char *name, const struct pcdf_section *s, void *values)
{
    if (s->is_text)
        return ncmpi_get_att_text(ncid, varid, name, values);
    if (s->type == MPI_SIGNED_CHAR)
        return ncmpi_get_att_schar(ncid, varid, name, values);
    if (s->type == MPI_SHORT)
        return ncmpi_get_att_short(ncid, varid, name, values);
    if (s->type == MPI_INT)
        return ncmpi_get_att_int(ncid, varid, name, values);
    if (s->type == MPI_LONG_LONG_INT)
        return ncmpi_get_att_longlong(ncid, varid, name, values);
    if (s->type == MPI_FLOAT)
        return ncmpi_get_att_float(ncid, varid, name, values);
    return ncmpi_get_att_double(ncid, varid, name, values);
}

static int put_section(int ncid, int varid, const char *name, const struct pcdf_section *s)
{
    if (s->dense)
        return put_values(ncid, varid, name, s, s->base);
    char *packed = malloc((size_t)s->n * s->size);
    if (!packed)
        return NC_ENOMEM;
    gather(s, packed);
    int err = put_values(ncid, varid, name, s, packed);
    free(packed);
    return err;
}

PCDF_FORTRAN_API int pcdf_f90_put_att(int ncid, int varid, const CFI_cdesc_t *name, const CFI_cdesc_t *values)
{
    struct pcdf_section s = pcdf_section_of(values);
    if (s.type == MPI_DATATYPE_NULL || s.n < 0)
        return NC_EBADTYPE;
    struct pcdf_text text;
    pcdf_text_in(&text, name->base_addr, name->elem_len);
    pcdf_begin_f90();
    return pcdf_end(pcdf_text_free(&text, put_section(ncid, varid - 1, text.text, &s)));
}

/* Never writes beyond values: what does not fit is left away and the caller told. */
static int get_section(int ncid, int varid, const char *name, const struct pcdf_section *s)
{
    MPI_Offset len;
    int err = ncmpi_inq_attlen(ncid, varid, name, &len);
    if (err)
        return err;
    int64_t n = s->n < 0 || len < s->n ? len : s->n;
    char *packed = malloc((size_t)len * s->size + 1);
    if (!packed)
        return NC_ENOMEM;
    err = get_values(ncid, varid, name, s, packed);
    if (err == NC_NOERR || err == NC_ERANGE) {
        scatter(s, packed, n);
        for (int64_t i = n; s->is_text && i < s->n; i++)
            *pcdf_section_at(s, i) = ' ';
        if (n < len)
            err = s->is_text ? NC_ESTS : NC_EINVAL;
    }
    free(packed);
    return err;
}

PCDF_FORTRAN_API int pcdf_f90_get_att(int ncid, int varid, const CFI_cdesc_t *name, const CFI_cdesc_t *values)
{
    struct pcdf_section s = pcdf_section_of(values);
    if (s.type == MPI_DATATYPE_NULL)
        return NC_EBADTYPE;
    struct pcdf_text text;
    pcdf_text_in(&text, name->base_addr, name->elem_len);
    pcdf_begin_f90();
    return pcdf_end(pcdf_text_free(&text, get_section(ncid, varid - 1, text.text, &s)));
}

/* ---- fill values ---- */

/* Each type that a fill value may have, in the file or in Fortran: long double holds them all. MAX is the
 * first value above the range, which unlike the last one in it is the same in any floating type. */
#define EACH_WHOLE(X)                                                                                        \
    X(NC_BYTE, MPI_SIGNED_CHAR, signed char, -0x1p7L, 0x1p7L)                                                \
    X(NC_SHORT, MPI_SHORT, short, -0x1p15L, 0x1p15L)                                                         \
    X(NC_INT, MPI_INT, int, -0x1p31L, 0x1p31L)                                                               \
    X(NC_INT64, MPI_LONG_LONG_INT, long long, -0x1p63L, 0x1p63L)                                             \
    X(NC_UBYTE, MPI_DATATYPE_NULL, unsigned char, 0, 0x1p8L)                                                 \
    X(NC_USHORT, MPI_DATATYPE_NULL, unsigned short, 0, 0x1p16L)                                              \
    X(NC_UINT, MPI_DATATYPE_NULL, unsigned, 0, 0x1p32L)                                                      \
    X(NC_UINT64, MPI_DATATYPE_NULL, unsigned long long, 0, 0x1p64L)

static nc_type type_of(const struct pcdf_section *s)
{
#define WHOLE(xtype, mpitype, ctype, min, max)                                                               \
    if (mpitype != MPI_DATATYPE_NULL && s->type == mpitype)                                                  \
        return xtype;
    EACH_WHOLE(WHOLE)
#undef WHOLE
    return s->type == MPI_FLOAT ? NC_FLOAT : s->type == MPI_DOUBLE ? NC_DOUBLE : NC_CHAR;
}

static long double load(nc_type xtype, const void *value)
{
    float f;
    double d;
    switch (xtype) {
#define WHOLE(name, mpitype, ctype, min, max)                                                                \
    case name: {                                                                                             \
        ctype v;                                                                                             \
        memcpy(&v, value, sizeof v);                                                                         \
        return (long double)v;                                                                               \
    }
        EACH_WHOLE(WHOLE)
#undef WHOLE
    case NC_FLOAT:
        memcpy(&f, value, sizeof f);
        return f;
    default:
        memcpy(&d, value, sizeof d);
        return d;
    }
}

/* NC_ERANGE, and nothing stored, where the type cannot hold the value. */
static int store(nc_type xtype, long double value, void *to)
{
    float f = (float)value;
    double d = (double)value;
    switch (xtype) {
#define WHOLE(name, mpitype, ctype, min, max)                                                                \
    case name: {                                                                                             \
        if (!(value >= (min) && value < (max)))                                                              \
            return NC_ERANGE;                                                                                \
        ctype v = (ctype)value;                                                                              \
        memcpy(to, &v, sizeof v);                                                                            \
        return NC_NOERR;                                                                                     \
    }
        EACH_WHOLE(WHOLE)
#undef WHOLE
    case NC_FLOAT:
        memcpy(to, &f, sizeof f);
        return NC_NOERR;
    default:
        memcpy(to, &d, sizeof d);
        return NC_NOERR;
    }
}

/* One value of one type as one of another; text stays text. */
static int change(nc_type from, const void *value, nc_type to, void *made)
{
    if ((from == NC_CHAR) != (to == NC_CHAR))
        return NC_ECHAR;
    if (from != NC_CHAR)
        return store(to, load(from, value), made);
    memcpy(made, value, 1);
    return NC_NOERR;
}

/* The C function takes a value of the variable's type; a Fortran program may have another kind, and has to
 * for unsigned types. Where it cannot be changed the C function is called with nothing to set, as other ranks
 * may. */
static int define_fill(int ncid, int varid, int no_fill, const CFI_cdesc_t *fill_value)
{
    struct pcdf_section s = pcdf_section_of(fill_value);
    nc_type xtype;
    char value[8];
    if (no_fill || ncmpi_inq_vartype(ncid, varid - 1, &xtype) != NC_NOERR)
        return ncmpi_def_var_fill(ncid, varid - 1, no_fill, NULL);
    if (s.type == MPI_DATATYPE_NULL || s.n == 0)
        return NC_EBADTYPE;
    int err = change(type_of(&s), s.base, xtype, value);
    return err ? err : ncmpi_def_var_fill(ncid, varid - 1, no_fill, value);
}

PCDF_FORTRAN_API int pcdf_f90_def_var_fill(int ncid, int varid, int no_fill, const CFI_cdesc_t *fill_value)
{
    pcdf_begin_f90();
    return pcdf_end(define_fill(ncid, varid, no_fill, fill_value));
}

PCDF_FORTRAN_API int pcdf_f90_inq_var_fill(int ncid, int varid, int *no_fill, const CFI_cdesc_t *fill_value)
{
    struct pcdf_section s = pcdf_section_of(fill_value);
    nc_type xtype;
    char value[8] = "";
    pcdf_begin_f90();
    int err = pcdf_end(ncmpi_inq_var_fill(ncid, varid - 1, no_fill, value));
    if (!err)
        err = ncmpi_inq_vartype(ncid, varid - 1, &xtype);
    if (err)
        return err;
    if (s.type == MPI_DATATYPE_NULL || s.n == 0)
        return NC_EBADTYPE;
    return change(xtype, value, type_of(&s), s.base);
}
