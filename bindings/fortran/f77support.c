/* See f77support.h. The second half are the nfmpi_ functions that bindings.py has no rule for. */
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "f77support.h"

/* ---- texts ---- */

void pcdf_text_in(struct pcdf_text *text, const char *fortran, size_t len)
{
    while (len > 0 && fortran[len - 1] == ' ')
        len--;
    text->large = len < sizeof text->small ? NULL : malloc(len + 1);
    text->err = len >= sizeof text->small && !text->large ? NC_ENOMEM : NC_NOERR;
    text->text = text->large ? text->large : text->small;
    if (text->err)
        len = 0;
    memcpy(text->text, fortran, len);
    text->text[len] = 0;
}

int pcdf_text_free(struct pcdf_text *text, int err)
{
    free(text->large);
    return text->err ? text->err : err;
}

int pcdf_text_out(char *fortran, size_t len, const char *text)
{
    size_t n = strlen(text), copied = n < len ? n : len;
    memcpy(fortran, text, copied);
    memset(fortran + copied, ' ', len - copied);
    return n > len ? NC_ESTS : NC_NOERR;
}

/* ---- index vectors ---- */

bool pcdf_index_room(struct pcdf_index *x, int ncid, int varid)
{
    *x = (struct pcdf_index){ .err = NC_NOERR };
    size_t n;
    if (ncmpi_inq_varndims(ncid, varid, &x->ndims) != NC_NOERR)
        return false;
    n = x->ndims > 0 ? (size_t)x->ndims : 1;
    if (n > sizeof x->small / sizeof x->small[0] / 4) {
        x->large = malloc(4 * n * sizeof *x->large);
        if (!x->large) {
            x->err = NC_ENOMEM;
            return false;
        }
    }
    x->start = x->large ? x->large : x->small;
    x->count = x->start + n;
    x->stride = x->count + n;
    x->imap = x->stride + n;
    return true;
}

/* NULL stays NULL. */
static MPI_Offset *reversed(MPI_Offset *to, const MPI_Offset *from, int ndims, MPI_Offset base)
{
    for (int i = 0; from && i < ndims; i++)
        to[ndims - 1 - i] = from[i] - base;
    return from ? to : NULL;
}

void pcdf_index_make(struct pcdf_index *x, int ncid, int varid, const MPI_Offset *start,
                     const MPI_Offset *count, const MPI_Offset *stride, const MPI_Offset *imap)
{
    if (!pcdf_index_room(x, ncid, varid))
        return;
    x->start = reversed(x->start, start, x->ndims, 1);
    x->count = reversed(x->count, count, x->ndims, 0);
    x->stride = reversed(x->stride, stride, x->ndims, 0);
    x->imap = reversed(x->imap, imap, x->ndims, 0);
}

int pcdf_index_free(struct pcdf_index *x, int err)
{
    free(x->large);
    return x->err ? x->err : err;
}

bool pcdf_indexes_room(struct pcdf_indexes *x, int ncid, int varid, int num, bool with_counts)
{
    *x = (struct pcdf_indexes){ .err = NC_NOERR };
    if (num <= 0 || ncmpi_inq_varndims(ncid, varid, &x->ndims) != NC_NOERR)
        return false;
    size_t n = x->ndims > 0 ? (size_t)x->ndims : 1, bytes;
    if (!__builtin_mul_overflow(2 * (size_t)num * sizeof(MPI_Offset), n, &bytes)) {
        x->numbers = malloc(bytes);
        x->starts = malloc(2 * (size_t)num * sizeof *x->starts);
    }
    if (!x->numbers || !x->starts) {
        free(x->starts);
        x->starts = NULL;
        x->err = NC_ENOMEM;
        return false;
    }
    x->counts = with_counts ? x->starts + num : NULL;
    for (size_t i = 0; i < (size_t)num; i++) {
        x->starts[i] = x->numbers + i * n;
        x->starts[(size_t)num + i] = x->starts[i] + (size_t)num * n;
    }
    return true;
}

void pcdf_indexes_make(struct pcdf_indexes *x, int ncid, int varid, int num, const MPI_Offset *starts,
                       const MPI_Offset *counts)
{
    if (!pcdf_indexes_room(x, ncid, varid, num, counts != NULL))
        return;
    for (int i = 0; i < num; i++) {
        ptrdiff_t at = (ptrdiff_t)i * x->ndims;
        reversed(x->starts[i], starts + at, x->ndims, 1);
        if (counts)
            reversed(x->counts[i], counts + at, x->ndims, 0);
    }
}

int pcdf_indexes_free(struct pcdf_indexes *x, int err)
{
    free(x->numbers);
    free(x->starts);
    return x->err ? x->err : err;
}

/* ---- definitions and inquiries with dimension ids ---- */

/* C's ids in C's order, from Fortran's; the way back is the same with +1. */
static void flip(int *to, const int *from, int n, int add)
{
    for (int i = 0; i < n; i++)
        to[n - 1 - i] = from[i] + add;
}

PCDF_FORTRAN_API int nfmpi_def_var_(const int *ncid, const char *name, const int *xtype, const int *ndims,
                                    const int *dimids, int *varid, size_t name_len)
{
    int n = *ndims > 0 ? *ndims : 0;
    int *ids = malloc(((size_t)n + 1) * sizeof *ids);
    struct pcdf_text text;
    if (!ids)
        return NC_ENOMEM;
    flip(ids, dimids, n, -1);
    pcdf_text_in(&text, name, name_len);
    pcdf_begin();
    int err = pcdf_end(ncmpi_def_var(*ncid, text.text, *xtype, *ndims, ids, varid));
    err = pcdf_text_free(&text, err);
    free(ids);
    if (!err)
        *varid += 1;
    return err;
}

/* The ids of a variable's dimensions, in an array of the caller's that is large enough. */
static int give_dimids(int ncid, int varid, int ndims, int *dimids)
{
    int *ids = malloc(((size_t)ndims + 1) * sizeof *ids);
    if (!ids)
        return NC_ENOMEM;
    int err = ncmpi_inq_vardimid(ncid, varid, ids);
    if (!err)
        flip(dimids, ids, ndims, 1);
    free(ids);
    return err;
}

PCDF_FORTRAN_API int nfmpi_inq_vardimid_(const int *ncid, const int *varid, int *dimids)
{
    pcdf_begin();
    int ndims, err = pcdf_end(ncmpi_inq_varndims(*ncid, *varid - 1, &ndims));
    return err ? err : give_dimids(*ncid, *varid - 1, ndims, dimids);
}

PCDF_FORTRAN_API int nfmpi_inq_var_(const int *ncid, const int *varid, char *name, int *xtype, int *ndims,
                                    int *dimids, int *natts, size_t name_len)
{
    char text[NC_MAX_NAME + 1];
    pcdf_begin();
    int err = pcdf_end(ncmpi_inq_var(*ncid, *varid - 1, text, xtype, ndims, NULL, natts));
    if (!err)
        err = give_dimids(*ncid, *varid - 1, *ndims, dimids);
    return err ? err : pcdf_text_out(name, name_len, text);
}

/* Room for the lengths of a chunk; *err: NC_ENOMEM, or that of the variable. */
static size_t *room_for_lengths(int ncid, int varid, int *ndims, int *err)
{
    *err = ncmpi_inq_varndims(ncid, varid, ndims);
    size_t *lengths = *err ? NULL : calloc((size_t)*ndims + 1, sizeof *lengths);
    if (!*err && !lengths)
        *err = NC_ENOMEM;
    return lengths;
}

PCDF_FORTRAN_API int nfmpi_def_var_chunking_(const int *ncid, const int *varid, const int *storage,
                                             const int *chunksizes)
{
    int ndims, err;
    pcdf_begin();
    size_t *lengths = room_for_lengths(*ncid, *varid - 1, &ndims, &err);
    for (int i = 0; lengths && *storage == NC_CHUNKED && i < ndims; i++)
        lengths[ndims - 1 - i] = chunksizes[i] > 0 ? (size_t)chunksizes[i] : 0;
    if (lengths)
        err = parcdf_def_var_chunking(*ncid, *varid - 1, *storage, *storage == NC_CHUNKED ? lengths : NULL);
    free(lengths);
    return pcdf_end(err);
}

PCDF_FORTRAN_API int nfmpi_inq_var_chunking_(const int *ncid, const int *varid, int *storage, int *chunksizes)
{
    int ndims, err;
    pcdf_begin();
    size_t *lengths = room_for_lengths(*ncid, *varid - 1, &ndims, &err);
    if (lengths)
        err = parcdf_inq_var_chunking(*ncid, *varid - 1, storage, lengths);
    for (int i = 0; !err && *storage == NC_CHUNKED && i < ndims; i++)
        chunksizes[i] = lengths[ndims - 1 - i] > INT_MAX ? INT_MAX : (int)lengths[ndims - 1 - i];
    free(lengths);
    return pcdf_end(err);
}

/* A path has no largest length, so it is asked for first. */
PCDF_FORTRAN_API int nfmpi_inq_path_(const int *ncid, int *pathlen, char *path, size_t path_len)
{
    pcdf_begin();
    int err = pcdf_end(ncmpi_inq_path(*ncid, pathlen, NULL));
    if (err)
        return err;
    char *text = malloc((size_t)*pathlen + 1);
    if (!text)
        return NC_ENOMEM;
    err = ncmpi_inq_path(*ncid, pathlen, text);
    if (!err)
        err = pcdf_text_out(path, path_len, text);
    free(text);
    return err;
}

/* ---- sentences ---- */

static _Thread_local char own_sentence[200];
static _Thread_local bool is_f90; /* the next call comes from the module */

void pcdf_f90_comes(void)
{
    is_f90 = true;
}

void pcdf_begin(void)
{
    pcdf_fortran_forget();
    parcdf_tell_fortran(is_f90 ? 90 : 77);
    is_f90 = false;
}

void pcdf_begin_f90(void)
{
    pcdf_f90_comes();
    pcdf_begin();
}

int pcdf_fortran_fail(int err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(own_sentence, sizeof own_sentence, format, args);
    va_end(args);
    return err;
}

void pcdf_fortran_forget(void)
{
    own_sentence[0] = '\0';
}

/* A function of type character gets its result's address and length first. */
PCDF_FORTRAN_API void nfmpi_strerror_(char *result, size_t len, const int *err)
{
    pcdf_text_out(result, len, ncmpi_strerror(*err));
}

PCDF_FORTRAN_API void nfmpi_strerrno_(char *result, size_t len, const int *err)
{
    pcdf_text_out(result, len, ncmpi_strerrno(*err));
}

PCDF_FORTRAN_API void nfmpi_inq_libvers_(char *result, size_t len)
{
    pcdf_text_out(result, len, ncmpi_inq_libvers());
}

PCDF_FORTRAN_API void nfmpi_last_error_(char *result, size_t len)
{
    pcdf_text_out(result, len, own_sentence[0] ? own_sentence : parcdf_last_error());
}

PCDF_FORTRAN_API int nfmpi_xstrerror_(const int *err, char *text, size_t len)
{
    return pcdf_text_out(text, len, ncmpi_strerror(*err));
}

PCDF_FORTRAN_API int nfmpi_xstrerrno_(const int *err, char *text, size_t len)
{
    return pcdf_text_out(text, len, ncmpi_strerrno(*err));
}

PCDF_FORTRAN_API int nfmpi_xinq_libvers_(char *text, size_t len)
{
    return pcdf_text_out(text, len, ncmpi_inq_libvers());
}

/* logical: whether the code is one of the system (errno). */
PCDF_FORTRAN_API int nfmpi_issyserr_(const int *err)
{
    return *err > 0;
}
