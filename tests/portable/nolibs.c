/* What the layers want of utf8proc and MPI, for machines that have neither: names are ASCII here, anything
 * else is no UTF-8; there are no datatypes to take apart. For portable.sh alone. */
#include <mpi.h>
#include <utf8proc.h>

utf8proc_ssize_t utf8proc_decompose(const utf8proc_uint8_t *text, utf8proc_ssize_t n,
                                    utf8proc_int32_t *points, utf8proc_ssize_t room,
                                    utf8proc_option_t options)
{
    (void)options;
    for (utf8proc_ssize_t i = 0; i < n; i++) {
        if (text[i] >= 0x80)
            return UTF8PROC_ERROR_INVALIDUTF8;
        if (i < room)
            points[i] = text[i];
    }
    return n;
}

/* In place, as there: one byte a point, and a zero. */
utf8proc_ssize_t utf8proc_reencode(utf8proc_int32_t *points, utf8proc_ssize_t n, utf8proc_option_t options)
{
    unsigned char *text = (unsigned char *)points;
    (void)options;
    for (utf8proc_ssize_t i = 0; i < n; i++)
        text[i] = (unsigned char)points[i];
    text[n] = '\0';
    return n;
}

int MPI_Type_get_envelope(MPI_Datatype type, int *nints, int *naddresses, int *ntypes, int *combiner)
{
    (void)type, (void)nints, (void)naddresses, (void)ntypes, (void)combiner;
    return MPI_ERR_TYPE;
}

int MPI_Type_get_contents(MPI_Datatype type, int nints, int naddresses, int ntypes, int *ints,
                          MPI_Aint *addresses, MPI_Datatype *types)
{
    (void)type, (void)nints, (void)naddresses, (void)ntypes, (void)ints, (void)addresses, (void)types;
    return MPI_ERR_TYPE;
}

#if MPI_VERSION >= 4
int MPI_Type_get_envelope_c(MPI_Datatype type, MPI_Count *nints, MPI_Count *naddresses, MPI_Count *ncounts,
                            MPI_Count *ntypes, int *combiner)
{
    (void)type, (void)nints, (void)naddresses, (void)ncounts, (void)ntypes, (void)combiner;
    return MPI_ERR_TYPE;
}

int MPI_Type_get_contents_c(MPI_Datatype type, MPI_Count nints, MPI_Count naddresses, MPI_Count ncounts,
                            MPI_Count ntypes, int *ints, MPI_Aint *addresses, MPI_Count *counts,
                            MPI_Datatype *types)
{
    (void)type, (void)nints, (void)naddresses, (void)ncounts, (void)ntypes;
    (void)ints, (void)addresses, (void)counts, (void)types;
    return MPI_ERR_TYPE;
}
#endif

int MPI_Type_get_extent_x(MPI_Datatype type, MPI_Count *low, MPI_Count *extent)
{
    (void)type, (void)low, (void)extent;
    return MPI_ERR_TYPE;
}

int MPI_Type_size_x(MPI_Datatype type, MPI_Count *size)
{
    (void)type, (void)size;
    return MPI_ERR_TYPE;
}

int MPI_Type_get_name(MPI_Datatype type, char *name, int *length)
{
    (void)type, (void)name, (void)length;
    return MPI_ERR_TYPE;
}

int MPI_Type_free(MPI_Datatype *type)
{
    (void)type;
    return MPI_SUCCESS;
}

/* Of JSON: text beyond ASCII is no UTF-8 here, either. */
utf8proc_ssize_t utf8proc_iterate(const utf8proc_uint8_t *text, utf8proc_ssize_t n, utf8proc_int32_t *point)
{
    *point = n > 0 && text[0] < 0x80 ? text[0] : -1;
    return *point >= 0 ? 1 : UTF8PROC_ERROR_INVALIDUTF8;
}

utf8proc_ssize_t utf8proc_encode_char(utf8proc_int32_t point, utf8proc_uint8_t *to)
{
    to[0] = (utf8proc_uint8_t)point;
    return point >= 0 && point < 0x80;
}
