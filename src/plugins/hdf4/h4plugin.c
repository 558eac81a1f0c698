/* The plug-in hdf4: from the scientific data sets of an HDF4 file to calls of the builder (plugin.h). libhdf4
 * opens the file by its path; one that has no path is copied into memory first.
 *
 * A set that grew lies in several runs of bytes (linked blocks). It becomes chunks of ours that no end of a
 * run cuts. */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include "codes.h"
#include "h4file.h"
#include "plugin.h"

enum {
    MOST_RUNS = 1 << 20,
    MOST_CHUNKS = 1 << 22,
    MOST_ATT = 1 << 24, /* bytes */
    MOST_COPY = 1 << 29,
    BAND = 4 << 20 /* bytes of a chunk of ours, at most */
};

struct dim {
    char name[PCDF_H4_NAME];
    bool is_unlimited;
    int64_t length;
    int id;
};

struct h4 {
    const struct pcdf_map_source *source;
    const struct pcdf_map_builder *to;
    int32_t file;
    struct pcdf_h4_set *sets;
    int nsets, natts;
    struct dim *dims;
    int ndims;
    int32_t *offsets, *lengths; /* of runs: MOST_RUNS of them */
};

static int fail(const struct h4 *h, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int left_out(const struct h4 *h, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int fail(const struct h4 *h, int code, const char *format, ...)
{
    char sentence[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    return h->to->fail(h->to->context, code, sentence);
}

static int left_out(const struct h4 *h, const char *format, ...)
{
    char sentence[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    return h->to->left_out(h->to->context, sentence);
}

static int damaged(const struct h4 *h, const char *what, const char *name)
{
    return fail(h, NC_ENOTNC, "libhdf4 cannot read %s%s%s: %s", what, *name ? " " : "", name,
                pcdf_h4_error());
}

static bool stored_of(enum pcdf_h4_type type, int *stored)
{
    static const int of[] = { -1, PCDF_STORED_TEXT, PCDF_STORED_INT, PCDF_STORED_UINT, PCDF_STORED_REAL };
    *stored = of[type];
    return *stored >= 0;
}

/* ---- dimensions: those of one name and length are one; an unlimited one is as long as its longest set */

static int dim_of(struct h4 *h, const struct pcdf_h4_set *set, int i)
{
    const struct pcdf_h4_dim *of = &set->dims[i];
    for (int k = 0; k < h->ndims; k++) {
        struct dim *d = &h->dims[k];
        if (strcmp(d->name, of->name) || d->is_unlimited != of->is_unlimited ||
            (!d->is_unlimited && d->length != set->shape[i]))
            continue;
        d->length = set->shape[i] > d->length ? set->shape[i] : d->length;
        return k;
    }
    struct dim *d = &h->dims[h->ndims];
    memcpy(d->name, of->name, sizeof d->name);
    d->is_unlimited = of->is_unlimited;
    d->length = set->shape[i];
    return h->ndims++;
}

static int define_dims(struct h4 *h)
{
    int64_t most = 1;
    for (int i = 0; i < h->nsets; i++)
        most += h->sets[i].rank;
    h->dims = calloc((size_t)most, sizeof *h->dims);
    if (!h->dims)
        return fail(h, NC_ENOMEM, "no memory for the dimensions of the file");
    for (int i = 0; i < h->nsets; i++)
        for (int k = 0; k < h->sets[i].rank; k++)
            (void)dim_of(h, &h->sets[i], k);
    for (int i = 0; i < h->ndims; i++) {
        struct dim *d = &h->dims[i];
        int err = h->to->dim(h->to->context, "", d->name, d->length, d->is_unlimited, &d->id);
        if (err)
            return err;
    }
    return NC_NOERR;
}

/* ---- attributes */

static int add_att(const struct h4 *h, int32_t owner, int index, int var)
{
    struct pcdf_h4_att att;
    int stored;
    if (!pcdf_h4_att(owner, index, &att))
        return damaged(h, "an attribute", "");
    if (!stored_of(att.type, &stored))
        return left_out(h, "attribute %s: its type has no place in the classic model", att.name);
    if (att.n > MOST_ATT / att.size || att.n > h->source->size / att.size)
        return damaged(h, "attribute", att.name);
    void *values = calloc((size_t)att.n + 1, (size_t)att.size);
    if (!values)
        return fail(h, NC_ENOMEM, "no memory for attribute %s", att.name);
    struct pcdf_map_values v = { stored, att.size, att.n, values };
    if (stored == PCDF_STORED_TEXT) { /* one text, and not one of each character */
        v.size = (int)att.n;
        v.n = 1;
    }
    int err = pcdf_h4_att_values(owner, index, values) ? h->to->att(h->to->context, "", var, att.name, &v)
                                                       : damaged(h, "attribute", att.name);
    free(values);
    return err;
}

static int add_atts(const struct h4 *h, int32_t owner, int n, int var)
{
    int err = NC_NOERR;
    for (int i = 0; i < n && !err; i++)
        err = add_att(h, owner, i, var);
    return err;
}

/* ---- where values are */

struct place {
    int64_t chunk[PCDF_H4_RANK];
    bool has_table;
    const char *reason;
};

static int64_t bytes_of(const struct pcdf_h4_set *set)
{
    int64_t bytes = set->size;
    for (int i = 0; i < set->rank; i++)
        if (__builtin_mul_overflow(bytes, set->shape[i], &bytes))
            return -1;
    return bytes;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t c = a % b;
        a = b;
        b = c;
    }
    return a;
}

/* Chunks of whole inner dimensions, whose bytes divide `step`. false: values are cut. */
static bool choose_chunk(const struct pcdf_h4_set *set, int64_t step, int64_t *chunk)
{
    int64_t row = set->size;
    int k = set->rank;
    step = common_divisor(step, bytes_of(set));
    if (step % row)
        return false;
    for (int i = 0; i < set->rank; i++)
        chunk[i] = 1;
    while (k > 0 && step % (row * set->shape[k - 1]) == 0 && row * set->shape[k - 1] <= BAND) {
        chunk[k - 1] = set->shape[k - 1];
        row *= set->shape[--k];
    }
    if (k == 0)
        return true;
    int64_t n = common_divisor(step / row, set->shape[k - 1]); /* parts of the next dimension */
    int64_t most = BAND / row > 0 ? BAND / row : 1;
    if (n > most)
        for (n = most; n > 1 && set->shape[k - 1] % n; n--)
            ;
    if (n > 1 && common_divisor(step / row, n) != n)
        n = common_divisor(step / row, n);
    chunk[k - 1] = n;
    return true;
}

/* Runs of bytes that lie one behind the other in the set. */
static int map_runs(const struct h4 *h, const struct pcdf_h4_set *set, int n, struct place *p)
{
    int64_t all = bytes_of(set), there = 0, step = all, row = set->size, number = 0;
    for (int i = 0; i < n; i++) {
        there += h->lengths[i];
        step = common_divisor(step, there < all ? there : all);
    }
    if (n == 0 || all == 0)
        return NC_NOERR;
    if (there < all) { /* the rest was never written: whole rows of it, or it is cut off */
        p->reason = "it has fewer values than its shape says";
        return NC_NOERR;
    }
    if (!choose_chunk(set, step, p->chunk)) {
        p->reason = "its values lie in pieces that cut them";
        return NC_NOERR;
    }
    for (int i = 0; i < set->rank; i++)
        row *= p->chunk[i];
    if (all / row > MOST_CHUNKS) {
        p->reason = "its values lie in too many pieces";
        return NC_NOERR;
    }
    int err = NC_NOERR;
    for (int i = 0; i < n && !err; i++)
        for (int64_t at = 0; at + row <= h->lengths[i] && number < all / row && !err; at += row)
            err = h->to->chunk_at(h->to->context, number++, h->offsets[i] + at, row, 0);
    p->has_table = true;
    return err;
}

static int map_chunks(const struct h4 *h, const struct pcdf_h4_set *set, struct place *p)
{
    int64_t at[PCDF_H4_RANK] = { 0 }, grid[PCDF_H4_RANK], nchunks = 1;
    for (int i = 0; i < set->rank; i++) {
        if (set->chunk[i] <= 0)
            return damaged(h, "the chunks of", set->name);
        p->chunk[i] = set->chunk[i];
        grid[i] = (set->shape[i] + set->chunk[i] - 1) / set->chunk[i];
        if (__builtin_mul_overflow(nchunks, grid[i], &nchunks))
            nchunks = INT64_MAX;
    }
    if (nchunks > MOST_CHUNKS) {
        p->reason = "it has too many chunks";
        return NC_NOERR;
    }
    p->has_table = true;
    for (int64_t number = 0; number < nchunks; number++) {
        int32_t offset[2], length[2];
        int n = pcdf_h4_runs(set, at, 2, offset, length);
        if (n > 1) {
            p->reason = "a chunk of it lies in several pieces";
            return NC_NOERR;
        }
        int err = n < 0 ? damaged(h, "the chunks of", set->name)
                  : n == 0 || length[0] <= 0
                      ? NC_NOERR
                      : h->to->chunk_at(h->to->context, number, offset[0], length[0], 0);
        if (err)
            return err;
        if ((number & 255) == 0)
            h->to->alive(h->to->context);
        for (int i = set->rank - 1; i >= 0 && ++at[i] == grid[i]; i--)
            at[i] = 0;
    }
    return NC_NOERR;
}

static int find_values(const struct h4 *h, const struct pcdf_h4_set *set, struct place *p)
{
    for (int i = 0; i < set->rank; i++)
        p->chunk[i] = set->shape[i] > 0 ? set->shape[i] : 1;
    if (set->is_elsewhere)
        p->reason = "its values lie in another file";
    if (bytes_of(set) < 0)
        p->reason = "it is too large";
    if (p->reason)
        return NC_NOERR;
    if (set->is_chunked)
        return map_chunks(h, set, p);
    int n = pcdf_h4_runs(set, NULL, MOST_RUNS, h->offsets, h->lengths);
    if (n < 0)
        return damaged(h, "where the values are of", set->name);
    for (int i = 0; i < n; i++)
        if (h->offsets[i] < 0 || h->lengths[i] < 0)
            return damaged(h, "where the values are of", set->name);
    if (n >= MOST_RUNS || (n > 1 && (set->is_deflated || set->codec))) {
        p->reason = "its compressed values lie in several pieces";
        return NC_NOERR;
    }
    if (n != 1 || !(set->is_deflated || set->codec))
        return map_runs(h, set, n, p);
    p->has_table = true;
    return h->to->chunk_at(h->to->context, 0, h->offsets[0], h->lengths[0], 0);
}

/* ---- sets */

/* What libhdf4 gives for values that were not written, where the set does not say it. */
static const void *fill_of(const struct pcdf_h4_set *set)
{
    static const signed char ints1 = -127;
    static const int16_t ints2 = -32767;
    static const int32_t ints4 = -2147483647;
    static const float reals4 = 9.9692099683868690e+36f;
    static const double reals8 = 9.9692099683868690e+36;
    static const unsigned char none[8] = { 0 };
    if (set->has_fill)
        return set->fill;
    if (set->type == PCDF_H4_FLOAT)
        return set->size == 4 ? (const void *)&reals4 : &reals8;
    if (set->type != PCDF_H4_INT && set->type != PCDF_H4_UINT)
        return none;
    return set->size == 1   ? (const void *)&ints1
           : set->size == 2 ? (const void *)&ints2
           : set->size == 4 ? (const void *)&ints4
                            : none;
}

static int add_set(struct h4 *h, const struct pcdf_h4_set *set)
{
    struct place p = { .reason = NULL };
    int dims[PCDF_H4_RANK], stored, id = -1, err;
    struct pcdf_map_codec codec = {
        set->is_deflated ? PCDF_CODEC_ZLIB : PCDF_CODEC_UNKNOWN, 0, { 0 }, set->codec ? set->codec : "deflate"
    };
    if (!stored_of(set->type, &stored))
        return left_out(h, "variable %s: its type has no place in the classic model", set->name);
    err = find_values(h, set, &p);
    if (err)
        return err;
    if (p.reason)
        return left_out(h, "variable %s: %s", set->name, p.reason);
    for (int i = 0; i < set->rank; i++)
        dims[i] = h->dims[dim_of(h, set, i)].id;
    struct pcdf_map_var v = { .group = "",
                              .name = set->name,
                              .ndims = set->rank,
                              .dims = dims,
                              .shape = set->shape,
                              .chunk = p.chunk,
                              .stored = stored,
                              .size = set->size,
                              .is_big = set->is_big,
                              .ncodecs = set->is_deflated || set->codec,
                              .codecs = &codec,
                              .fill = stored == PCDF_STORED_TEXT ? NULL : fill_of(set),
                              .offset = -1,
                              .has_table = p.has_table };
    err = h->to->var(h->to->context, &v, &id);
    return err || id < 0 ? err : add_atts(h, set->id, set->natts, id);
}

static int open_sets(struct h4 *h)
{
    int n = h->nsets;
    h->nsets = 0;
    if (n < 0 || n > h->source->size) /* each has a few tags of 12 bytes in the file */
        return damaged(h, "the list of data sets", "");
    h->sets = calloc((size_t)n + 1, sizeof *h->sets);
    h->offsets = calloc(MOST_RUNS, sizeof *h->offsets);
    h->lengths = calloc(MOST_RUNS, sizeof *h->lengths);
    if (!h->sets || !h->offsets || !h->lengths)
        return fail(h, NC_ENOMEM, "no memory for %d data sets", n);
    for (; h->nsets < n; h->nsets++)
        if (!pcdf_h4_set_open(h->file, h->nsets, &h->sets[h->nsets]))
            return damaged(h, "a data set", "");
    return NC_NOERR;
}

/* ---- the file */

/* A file that libhdf4 can open: a copy in memory. -1: an error was told. */
static int copy_to_memory(const struct h4 *h)
{
    enum { PART = 1 << 22 };
    const struct pcdf_map_source *s = h->source;
    unsigned char *part = s->size <= MOST_COPY ? malloc(PART) : NULL;
    int fd = part ? memfd_create("hdf4", MFD_CLOEXEC) : -1, err = fd < 0 ? NC_ENOMEM : NC_NOERR;
    for (int64_t at = 0, n; at < s->size && !err; at += n) {
        n = s->size - at < PART ? s->size - at : PART;
        err = s->read(s->context, at, n, part);
        if (!err && write(fd, part, (size_t)n) != n)
            err = NC_ENOMEM;
    }
    free(part);
    if (!err)
        return fd;
    if (fd >= 0)
        close(fd);
    (void)fail(h, s->size > MOST_COPY ? NC_ENOTSUPPORT : err,
               "libhdf4 reads files far away by a copy in memory, and there is none of %lld bytes",
               (long long)s->size);
    return -1;
}

/* Attributes, too, may say that their values lie in another file, and libhdf4 opens it at once, whatever it
 * is: it gets one descriptor more than there are now, for the file itself. */
static bool allow_one_file(struct rlimit *was)
{
    int free_one = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (free_one < 0 || getrlimit(RLIMIT_NOFILE, was))
        return false;
    close(free_one);
    struct rlimit one = { (rlim_t)free_one + 1, was->rlim_max };
    return setrlimit(RLIMIT_NOFILE, &one) == 0;
}

static int map(const struct pcdf_map_source *source, const struct pcdf_map_builder *to)
{
    struct rlimit was;
    struct h4 h = { .source = source, .to = to, .file = -1 };
    char name[64];
    int fd = -1, err = NC_NOERR;
    if (!source->path && (fd = copy_to_memory(&h)) < 0)
        return NC_ENOTSUPPORT;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    bool is_limited = allow_one_file(&was);
    if (is_limited) {
        errno = 0;
        h.file = pcdf_h4_open(source->path ? source->path : name, &h.nsets, &h.natts);
    }
    if (h.file >= 0 && errno == EMFILE) /* libhdf4 goes on without the attribute, and does not say so */
        err = fail(&h, NC_ENOTNC, "some of its attributes lie in other files, which are not opened");
    else
        err = h.file < 0 ? damaged(&h, "it", "") : to->kind(to->context, PCDF_SOURCE_HDF4);
    if (!err)
        err = open_sets(&h);
    if (!err)
        err = define_dims(&h);
    if (!err)
        err = add_atts(&h, h.file, h.natts, -1);
    for (int i = 0; i < h.nsets && !err; i++)
        err = add_set(&h, &h.sets[i]);
    for (int i = 0; h.sets && i < h.nsets; i++)
        pcdf_h4_set_close(&h.sets[i]);
    if (h.file >= 0)
        pcdf_h4_close(h.file);
    if (is_limited)
        (void)setrlimit(RLIMIT_NOFILE, &was);
    if (fd >= 0)
        close(fd);
    free(h.sets);
    free(h.dims);
    free(h.offsets);
    free(h.lengths);
    return err;
}

__attribute__((visibility("default"))) const struct pcdf_plugin *pcdf_plugin(void);

const struct pcdf_plugin *pcdf_plugin(void)
{
    static const struct pcdf_plugin plugin = {
        .abi = PCDF_PLUGIN_ABI, .size = sizeof plugin, .name = "hdf4", .version = "libhdf4", .map = map
    };
    return &plugin;
}
