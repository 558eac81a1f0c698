#ifndef STATE_H
#define STATE_H
/* The model of one file: its definitions and every byte of data with a mask of what was ever written; the
 * header as bytes, encoded here from the format's specification; and the comparison with the file itself. */

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "modelvalues.h"

enum { MAX_DIMS = 16, MAX_VARS = 16, MAX_ATTS = 6, MAX_NDIMS = 5, NAME_ROOM = 48, ATT_ROOM = 1600 };

struct m_att {
    char name[NAME_ROOM];
    int type, n;
    unsigned char bytes[ATT_ROOM];
};
struct m_atts {
    int n;
    struct m_att x[MAX_ATTS];
};
struct m_dim {
    char name[NAME_ROOM];
    int64_t length; /* 0 = record */
};
struct m_stored { /* what the program said of netCDF-4 storage */
    bool is_chunked, is_contiguous, has_codecs, shuffle, fletcher32;
    int deflate, zstd; /* levels; 0: not */
    int64_t chunk[MAX_NDIMS];
};
struct m_var {
    char name[NAME_ROOM];
    int type, ndims, dimids[MAX_NDIMS];
    bool is_record, is_new; /* is_new: not in the file before this define mode */
    bool filled;            /* its fill mode is on */
    bool fills;             /* netCDF-4: it was when the file got it */
    unsigned char fill[8];  /* its fill value then */
    int64_t slab;           /* elements, of one record if is_record */
    int64_t begin;
    unsigned char *data, *mask;
    int64_t room; /* bytes of data and mask */
    struct m_atts atts;
    struct m_stored stored;
};
struct m_defs {
    int netcdf4; /* NC_FORMAT_NETCDF4 or NC_FORMAT_NETCDF4_CLASSIC; 0: a classic file */
    int format, ndims, nvars, record_dim;
    bool fill_on; /* the fill mode of new variables */
    struct m_dim dims[MAX_DIMS];
    struct m_atts gatts;
    struct m_var vars[MAX_VARS];
};

/* ---- data */
static inline void var_reserve(struct m_var *v, int64_t elements)
{
    int64_t need = elements * (int64_t)ext_sizes[v->type];
    if (need <= v->room)
        return;
    v->data = realloc(v->data, (size_t)need);
    v->mask = realloc(v->mask, (size_t)need);
    memset(v->data + v->room, 0, (size_t)(need - v->room));
    memset(v->mask + v->room, 0, (size_t)(need - v->room));
    v->room = need;
}

static inline const struct m_att *att_find(const struct m_atts *atts, const char *name)
{
    for (int i = 0; i < atts->n; i++)
        if (!strcmp(atts->x[i].name, name))
            return &atts->x[i];
    return NULL;
}

static inline void var_fill(const struct m_var *v, unsigned char *fill)
{
    const struct m_att *a = att_find(&v->atts, "_FillValue");
    if (a)
        memcpy(fill, a->bytes, ext_sizes[v->type]);
    else
        ext_default_fill(fill, v->type);
}

/* ---- the header as bytes */
struct bytes {
    unsigned char *x;
    size_t n, room;
};

static inline void bytes_add(struct bytes *b, const void *x, size_t n)
{
    if (b->n + n + 4 > b->room) {
        b->room = (b->n + n + 4) * 2;
        b->x = realloc(b->x, b->room);
    }
    memcpy(b->x + b->n, x, n);
    b->n += n;
    for (; n % 4; n++)
        b->x[b->n++] = 0;
}
static inline void bytes_number(struct bytes *b, uint64_t v, size_t width)
{
    unsigned char big[8];
    big_put(big, v, width);
    bytes_add(b, big, width);
}

static inline size_t wide(const struct m_defs *m)
{
    return m->format == 5 ? 8 : 4;
}

static inline void bytes_name(struct bytes *b, const struct m_defs *m, const char *name)
{
    bytes_number(b, strlen(name), wide(m));
    bytes_add(b, name, strlen(name));
}
static inline void bytes_list(struct bytes *b, const struct m_defs *m, int tag, int n)
{
    bytes_number(b, n ? (uint64_t)tag : 0, 4);
    bytes_number(b, (uint64_t)n, wide(m));
}
static inline void bytes_atts(struct bytes *b, const struct m_defs *m, const struct m_atts *atts)
{
    bytes_list(b, m, 12, atts->n);
    for (int i = 0; i < atts->n; i++) {
        const struct m_att *a = &atts->x[i];
        bytes_name(b, m, a->name);
        bytes_number(b, (uint64_t)a->type, 4);
        bytes_number(b, (uint64_t)a->n, wide(m));
        bytes_add(b, a->bytes, (size_t)a->n * ext_sizes[a->type]);
    }
}

static inline int64_t var_bytes(const struct m_var *v)
{
    return v->slab * (int64_t)ext_sizes[v->type];
}

static inline void header_encode(struct bytes *b, const struct m_defs *m, int64_t numrecs)
{
    b->n = 0;
    bytes_add(b, (unsigned char[]){ 'C', 'D', 'F', (unsigned char)m->format }, 4);
    bytes_number(b, (uint64_t)numrecs, wide(m));
    bytes_list(b, m, 10, m->ndims);
    for (int i = 0; i < m->ndims; i++) {
        bytes_name(b, m, m->dims[i].name);
        bytes_number(b, (uint64_t)m->dims[i].length, wide(m));
    }
    bytes_atts(b, m, &m->gatts);
    bytes_list(b, m, 11, m->nvars);
    for (int i = 0; i < m->nvars; i++) {
        const struct m_var *v = &m->vars[i];
        bytes_name(b, m, v->name);
        bytes_number(b, (uint64_t)v->ndims, wide(m));
        for (int d = 0; d < v->ndims; d++)
            bytes_number(b, (uint64_t)v->dimids[d], wide(m));
        bytes_atts(b, m, &v->atts);
        bytes_number(b, (uint64_t)v->type, 4);
        bytes_number(b, (uint64_t)((var_bytes(v) + 3) / 4 * 4), wide(m));
        bytes_number(b, (uint64_t)v->begin, m->format == 1 ? 4 : 8);
    }
}

static inline int64_t defs_recsize(const struct m_defs *m)
{
    int64_t sum = 0, n = 0, only = 0;
    for (int i = 0; i < m->nvars; i++)
        if (m->vars[i].is_record) {
            only = var_bytes(&m->vars[i]);
            sum += (only + 3) / 4 * 4;
            n++;
        }
    return n == 1 ? only : sum; /* a single record variable is not padded */
}

/* ---- the file against the model: "" or what is wrong */
static inline bool file_slurp(const char *path, struct bytes *b)
{
    struct stat st;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) < 0)
        return false;
    if ((size_t)st.st_size > b->room) {
        b->room = (size_t)st.st_size + 4096;
        b->x = realloc(b->x, b->room);
    }
    b->n = (size_t)st.st_size;
    size_t done = 0;
    for (ssize_t n = 1; done < b->n && n > 0; done += (size_t)n)
        n = pread(fd, b->x + done, b->n - done, (off_t)done);
    close(fd);
    return done == b->n;
}

static inline bool piece_equal(const struct bytes *file, int64_t at, const unsigned char *data,
                               const unsigned char *mask, int64_t n, int64_t *where)
{
    int64_t there = (int64_t)file->n - at, common = there < 0 ? 0 : there < n ? there : n;
    unsigned bad = 0;
    for (int64_t i = 0; i < common; i++)
        bad |= (unsigned)((file->x[at + i] ^ data[i]) & -mask[i]); /* all bits of it */
    for (int64_t i = common; i < n; i++)
        bad |= mask[i];
    for (int64_t i = 0; bad && i < n; i++)
        if (mask[i] && (i >= common || file->x[at + i] != data[i])) {
            *where = i;
            return false;
        }
    return true;
}

static inline bool file_differs(const struct bytes *file, const struct m_defs *m, const struct bytes *header,
                                int64_t numrecs, bool skip_numrecs, char *say, size_t room)
{
    int64_t recsize = defs_recsize(m), at = 0;
    for (size_t i = 0; i < header->n; i++)
        if (i >= file->n || (file->x[i] != header->x[i] && !(skip_numrecs && i >= 4 && i < 4 + wide(m)))) {
            snprintf(say, room, "header byte %zu of %zu is %d, not %d (file has %zu bytes)", i, header->n,
                     i < file->n ? file->x[i] : -1, header->x[i], file->n);
            return true;
        }
    for (int i = 0; i < m->nvars; i++) {
        const struct m_var *v = &m->vars[i];
        int64_t n = var_bytes(v);
        for (int64_t rec = 0; rec < (v->is_record ? numrecs : 1); rec++) {
            if ((rec + 1) * n > v->room) /* nothing ever written there */
                break;
            if (piece_equal(file, v->begin + rec * recsize, v->data + rec * n, v->mask + rec * n, n, &at))
                continue;
            int64_t offset = v->begin + rec * recsize + at;
            snprintf(say, room,
                     "variable %d (%s) record %lld, byte %lld of %lld (file offset %lld of %zu): %d, not %d",
                     i, v->name, (long long)rec, (long long)at, (long long)n, (long long)offset, file->n,
                     offset < (int64_t)file->n ? file->x[offset] : -1, v->data[rec * n + at]);
            return true;
        }
    }
    return false;
}
#endif
