/* See h5meta.h. The process (plugins/metahost.c) is as little trusted as one that reads, whatever libhdf5 did
 * to itself. So the library keeps which bytes of the file are metadata, and takes no others: no byte of
 * values that it wrote is overwritten, nor one of values that a file had. */

#include "h5meta.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "encode.h"
#include "h5parts.h"
#include "layout.h"
#include "mapprocess.h"
#include "mapwire.h"
#include "numbers.h"
#include "status.h"
#include "value.h"

static const int64_t most_bytes = (int64_t)4 << 30; /* of metadata that changes at once */
enum {
    SLACK = 1 << 20, /* bytes that may be allocated and not written */
    /* A chunk's place in an index that has room for all of them: place, length, mask, a part of a checksum.
     */
    OF_INDEX = 24
};

struct pcdf_h5meta {
    struct pcdf_mapprocess process;
    char *name;
    int64_t old_size;           /* of the file that was there; 0: a new one */
    struct pcdf_h5parts parts;  /* metadata; empty: nothing was flushed or entered yet */
    struct pcdf_h5parts values; /* of the file that was there */
    const struct pcdf_image *image;
    int64_t nwaiting; /* chunks that wait to be entered */
    /* Bytes that one of them takes, and the definitions that wait; of room that the process says it has. */
    int64_t of_entry, of_definitions, left;
    int64_t nchunks, of_record; /* chunks that variables can have; of record variables, for each record */
};

/* ---- bytes that grow */

struct growing {
    unsigned char *bytes;
    int64_t n, room;
};

static unsigned char *grow(struct growing *g, int64_t more)
{
    if (g->n + more > g->room) {
        int64_t room = 2 * (g->n + more);
        unsigned char *bytes = pcdf_realloc(g->bytes, (size_t)room);
        if (!bytes)
            return NULL;
        g->bytes = bytes;
        g->room = room;
    }
    g->n += more;
    return g->bytes + g->n - more;
}

static int append(struct growing *g, const void *from, int64_t n)
{
    unsigned char *to = grow(g, n);
    if (!to)
        return NC_ENOMEM;
    if (n > 0)
        memcpy(to, from, (size_t)n);
    return NC_NOERR;
}

/* ---- start and end */

static int read_nothing(void *context, int64_t offset, int64_t length, void *to)
{
    (void)context, (void)offset, (void)length, (void)to;
    return PCDF_FAIL(NC_EREAD, "a new file has no bytes to read");
}

static int send_bytes(struct pcdf_h5meta *m, const void *bytes, int64_t n)
{
    int why = pcdf_mapprocess_move(&m->process, NULL, bytes, (size_t)n);
    return why ? pcdf_mapprocess_gone(&m->process, why) : NC_NOERR;
}

/* What the process asks for, while nobody waits for it. */
static int serve(struct pcdf_h5meta *m)
{
    struct pcdf_mapprocess *p = &m->process;
    struct pcdf_mapwire_message message;
    while (p->socket >= 0 && pcdf_mapprocess_speaks(p)) {
        PCDF_TRY(pcdf_mapprocess_hear(p, &message));
        if (message.what != PCDF_MAPWIRE_ALIVE)
            return pcdf_mapprocess_strange(p);
    }
    return NC_NOERR;
}

static int say(struct pcdf_h5meta *m, int32_t what, int64_t offset, int64_t length)
{
    struct pcdf_mapwire_message message = { what, 0, offset, length };
    if (m->process.socket < 0)
        return PCDF_FAIL(NC_EWRITE, "%s: the process that wrote its metadata has ended", m->name);
    pcdf_mapprocess_give_time(&m->process);
    PCDF_TRY(serve(m));
    return send_bytes(m, &message, sizeof message);
}

int pcdf_h5meta_check(const char *name)
{
    const struct pcdf_mapprocess p = { .name = name, .writes = true };
    return pcdf_mapprocess_check(&p);
}

int pcdf_h5meta_start(const char *name, const struct pcdf_h5source *source,
                      const struct pcdf_map_limits *limits, struct pcdf_h5meta **made)
{
    struct pcdf_h5meta *m = pcdf_calloc(1, sizeof *m);
    if (!m)
        return PCDF_FAIL(NC_ENOMEM, "%s: no memory for its metadata", name);
    m->process.socket = -1;
    m->name = pcdf_strndup(name, strlen(name));
    m->process.name = m->name;
    m->process.plugin = "hdf5";
    m->process.writes = true;
    m->process.read = source ? source->read : read_nothing;
    m->process.context = source ? source->context : NULL;
    m->image = source ? source->image : NULL;
    m->process.size = m->old_size = source ? source->size : 0;
    int err = m->name ? pcdf_mapprocess_start(&m->process, limits)
                      : PCDF_FAIL(NC_ENOMEM, "%s: no memory for its metadata", name);
    if (!err) {
        struct pcdf_mapwire_hello hello = { PCDF_MAPWIRE_VERSION, 0, m->old_size, m->process.memory, 0 };
        err = send_bytes(m, &hello, sizeof hello);
    }
    if (err)
        pcdf_h5meta_end(m);
    else
        *made = m;
    return err;
}

void pcdf_h5meta_end(struct pcdf_h5meta *m)
{
    if (!m)
        return;
    pcdf_mapprocess_free(&m->process);
    pcdf_h5parts_free(&m->parts);
    pcdf_h5parts_free(&m->values);
    pcdf_free(m->name);
    pcdf_free(m);
}

/* ---- definitions */

/* As the header of a CDF-5 file: so they are decoded where headers are. */
static int append_header(struct growing *g, const struct pcdf_meta *meta, int64_t *length)
{
    struct pcdf_meta five = *meta;
    struct pcdf_layout layout = { .nvars = 0 };
    const struct pcdf_alignment none = { 0 };
    five.version = PCDF_CDF5;
    five.numrecs = 0;
    PCDF_TRY(pcdf_layout_build(&layout, &five, NULL, &none));
    *length = pcdf_encode_size(&five);
    unsigned char *to = grow(g, *length);
    if (to)
        pcdf_encode(&five, &layout, to);
    pcdf_layout_free(&layout);
    return to ? NC_NOERR : NC_ENOMEM;
}

static int append_var(struct growing *g, const struct pcdf_var *var, const struct pcdf_h5var *v)
{
    struct pcdf_metawire_var wire = { v->place,         v->chunk != NULL,
                                      v->fill != NULL,  v->chain ? v->chain->n : 0,
                                      v->is_big_endian, { 0 } };
    if (v->fill)
        memcpy(wire.fill, v->fill, (size_t)pcdf_type_size(var->type));
    int err = append(g, &wire, sizeof wire);
    if (!err && v->chunk)
        err = append(g, v->chunk, var->ndims * (int64_t)sizeof *v->chunk);
    if (!err && v->chain)
        err = append(g, v->chain->x, v->chain->n * (int64_t)sizeof v->chain->x[0]);
    return err;
}

/* Numbers from 0 on, and INT64_MAX for what does not fit. */
static int64_t sum(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static void count_chunks(struct pcdf_h5meta *m, const struct pcdf_meta *meta, const struct pcdf_var *var,
                         const int64_t *chunk)
{
    int64_t n = 1, *to = var->is_record ? &m->of_record : &m->nchunks;
    for (int i = var->is_record; i < var->ndims; i++) {
        int64_t length = meta->dims[var->dimids[i]].length;
        n = pcdf_product(n, length / chunk[i] + (length % chunk[i] != 0));
    }
    *to = sum(*to, n);
}

/* libhdf5 gives an index of chunks a place for all that there can be, and writes the pages of those that are
 * there. */
static int64_t most_unwritten(const struct pcdf_h5meta *m, int64_t numrecs)
{
    int64_t n = sum(m->nchunks, pcdf_product(m->of_record, numrecs));
    return sum(pcdf_product(n, OF_INDEX), SLACK);
}

/* How much metadata there will be, about: what has no room waits for the next one. An entry of a chunk has
 * its offsets, place, length and mask; nodes are not full. */
static void expect(struct pcdf_h5meta *m, const struct pcdf_meta *meta, const struct pcdf_h5var *vars,
                   int64_t bytes)
{
    int most_dims = 0;
    m->nchunks = m->of_record = 0;
    for (int i = 0; i < meta->nvars; i++) {
        most_dims = meta->vars[i].ndims > most_dims ? meta->vars[i].ndims : most_dims;
        if (vars[i].chunk)
            count_chunks(m, meta, &meta->vars[i], vars[i].chunk);
    }
    m->of_entry = (16 + 8 * (most_dims + 1)) * 3 / 2;
    m->of_definitions = 2 * bytes + 1024 * (int64_t)meta->nvars;
}

static int tell(struct pcdf_h5meta *m, int32_t what, const struct pcdf_meta *meta,
                const struct pcdf_h5var *vars, bool is_classic_model)
{
    struct pcdf_metawire_definitions wire = { 0, is_classic_model, meta->nvars };
    struct growing g = { NULL, 0, 0 };
    int err = append(&g, &wire, sizeof wire);
    if (!err)
        err = append_header(&g, meta, &wire.header_length);
    for (int i = 0; i < meta->nvars && !err; i++)
        err = append_var(&g, &meta->vars[i], &vars[i]);
    if (!err) {
        memcpy(g.bytes, &wire, sizeof wire);
        err = say(m, what, 0, g.n);
    } else if (err == NC_ENOMEM) {
        PCDF_FAIL(err, "%s: no memory for its metadata", m->name);
    }
    if (!err)
        err = send_bytes(m, g.bytes, g.n);
    expect(m, meta, vars, what == PCDF_METAWIRE_DEFINE ? g.n : 0);
    pcdf_free(g.bytes);
    return err;
}

int pcdf_h5meta_define(struct pcdf_h5meta *m, const struct pcdf_meta *meta, const struct pcdf_h5var *vars,
                       bool is_classic_model)
{
    return tell(m, PCDF_METAWIRE_DEFINE, meta, vars, is_classic_model);
}

/* Places are the file's, so they may be any. */
static int keep_values(struct pcdf_h5meta *m, const struct pcdf_meta *meta, const struct pcdf_h5var *vars)
{
    m->values.n = 0;
    for (int i = 0; i < meta->nvars; i++) {
        int64_t begin = vars[i].place;
        if (!vars[i].chunk && begin > 0 && begin < m->old_size)
            PCDF_TRY(pcdf_h5parts_add(&m->values, begin,
                                      begin + pcdf_smaller(meta->vars[i].nbytes, m->old_size - begin)));
    }
    if (m->image)
        PCDF_TRY(pcdf_h5parts_add_chunks(&m->values, m->image, m->old_size));
    pcdf_h5parts_sort(&m->values);
    return NC_NOERR;
}

int pcdf_h5meta_adopt(struct pcdf_h5meta *m, const struct pcdf_meta *meta, const struct pcdf_h5var *vars,
                      bool is_classic_model)
{
    PCDF_TRY(keep_values(m, meta, vars));
    return tell(m, PCDF_METAWIRE_ADOPT, meta, vars, is_classic_model);
}

int pcdf_h5meta_chunks(struct pcdf_h5meta *m, int64_t n, const struct pcdf_written_chunk *chunks)
{
    if (n == 0)
        return NC_NOERR;
    PCDF_TRY(say(m, PCDF_METAWIRE_CHUNKS, 0, n * (int64_t)sizeof *chunks));
    m->nwaiting += n;
    return send_bytes(m, chunks, n * (int64_t)sizeof *chunks);
}

/* ---- flush */

struct answer {                   /* to one flush */
    struct growing bytes, ranges; /* ranges: struct pcdf_h5range, with no bytes yet */
    int64_t last;                 /* where the last range ends */
    int64_t unwritten;            /* bytes that may get a place, and are in none */
};

static int take_range(struct pcdf_h5meta *m, struct answer *a, int64_t offset, int64_t length)
{
    struct pcdf_h5range range = { offset, length, NULL };
    if (length <= 0 || offset < a->last || length > most_bytes - a->bytes.n || offset > INT64_MAX - length)
        return pcdf_mapprocess_strange(&m->process);
    unsigned char *to = grow(&a->bytes, length);
    if (!to || append(&a->ranges, &range, sizeof range))
        return PCDF_FAIL(NC_ENOMEM, "%s: no memory for %lld bytes of its metadata", m->name,
                         (long long)length);
    a->last = offset + length;
    int why = pcdf_mapprocess_move(&m->process, to, NULL, (size_t)length);
    return why ? pcdf_mapprocess_gone(&m->process, why) : NC_NOERR;
}

/* What is metadata before the first flush. */
static int add_first_parts(struct pcdf_h5meta *m)
{
    if (m->parts.n > 0)
        return NC_NOERR;
    int64_t at = 0, end = m->old_size ? m->old_size : PCDF_H5META_HEAD;
    for (int64_t i = 0; i < m->values.n; i++) {
        PCDF_TRY(pcdf_h5parts_add(&m->parts, at, m->values.x[i].begin));
        at = m->values.x[i].end;
    }
    pcdf_h5parts_free(&m->values);
    return pcdf_h5parts_add(&m->parts, at, end);
}

static bool is_metadata(const struct pcdf_h5meta *m, const struct answer *a)
{
    int64_t at = 0, n = a->ranges.n / (int64_t)sizeof(struct pcdf_h5range);
    const struct pcdf_h5range *ranges = (const void *)a->ranges.bytes;
    for (int64_t i = 0; i < n; i++)
        if (!pcdf_h5parts_have(&m->parts, ranges[i].offset, ranges[i].offset + ranges[i].length, &at))
            return false;
    return true;
}

static int finish(struct pcdf_h5meta *m, struct answer *a, int64_t eof, int64_t new_eof)
{
    if (new_eof < eof || new_eof < a->last || new_eof - eof - 2 * a->bytes.n > a->unwritten)
        return pcdf_mapprocess_strange(&m->process);
    PCDF_TRY(add_first_parts(m));
    /* What lies behind the old end is metadata from now on. */
    PCDF_TRY(pcdf_h5parts_add(&m->parts, eof, new_eof));
    return is_metadata(m, a) ? NC_NOERR : pcdf_mapprocess_strange(&m->process);
}

static int listen(struct pcdf_h5meta *m, struct answer *a, int64_t eof, int64_t *new_eof)
{
    struct pcdf_mapprocess *p = &m->process;
    for (;;) {
        struct pcdf_mapwire_message message;
        PCDF_TRY(pcdf_mapprocess_hear(p, &message));
        if (message.what == PCDF_METAWIRE_RANGE) {
            PCDF_TRY(take_range(m, a, message.offset, message.length));
        } else if (message.what == PCDF_METAWIRE_FLUSHED) {
            *new_eof = message.offset;
            m->left = message.length;
            PCDF_TRY(pcdf_mapprocess_read_failure(p)); /* without these bytes it would be nonsense */
            return finish(m, a, eof, message.offset);
        } else if (message.what != PCDF_MAPWIRE_ALIVE) {
            return pcdf_mapprocess_strange(p);
        }
    }
}

static void give(struct answer *a, struct pcdf_h5ranges *ranges)
{
    int64_t at = 0;
    ranges->x = (void *)a->ranges.bytes;
    ranges->n = a->ranges.n / (int64_t)sizeof(struct pcdf_h5range);
    ranges->bytes = a->bytes.bytes;
    for (int64_t i = 0; i < ranges->n; i++) {
        ranges->x[i].bytes = ranges->bytes + at;
        at += ranges->x[i].length;
    }
}

static int64_t end_of(const struct pcdf_h5meta *m)
{
    return m->parts.n > 0 ? m->parts.x[m->parts.n - 1].end : 0;
}

static int check_end(const struct pcdf_h5meta *m, int64_t eof)
{
    if (eof < (m->old_size ? m->old_size : PCDF_H5META_HEAD) || eof < end_of(m))
        return PCDF_FAIL(NC_EINTERNAL, "%s: its values would lie in its metadata", m->name);
    return NC_NOERR;
}

/* The process says how much room is left: believed where it is possible. */
static int64_t room_to_give(const struct pcdf_h5meta *m)
{
    enum { UNIT = 4096 };
    int64_t most = end_of(m), left = m->left < 0 || m->left > most ? 0 : m->left;
    int64_t need = m->nwaiting * m->of_entry + m->of_definitions;
    return need <= left ? 0 : (need - left + UNIT - 1) / UNIT * UNIT;
}

int pcdf_h5meta_enter(struct pcdf_h5meta *m, int64_t least, int64_t numrecs, int64_t eof, int64_t *new_eof)
{
    struct pcdf_metawire_room room = { 0, numrecs };
    if (m->nwaiting < least || m->nwaiting == 0) {
        *new_eof = eof;
        return NC_NOERR;
    }
    PCDF_TRY(check_end(m, eof));
    PCDF_TRY(add_first_parts(m));
    room.length = room_to_give(m);
    PCDF_TRY(pcdf_h5parts_add(&m->parts, eof, eof + room.length));
    PCDF_TRY(say(m, PCDF_METAWIRE_ENTER, eof, sizeof room));
    PCDF_TRY(send_bytes(m, &room, sizeof room));
    m->nwaiting = m->left = m->of_definitions = 0;
    *new_eof = eof + room.length;
    return NC_NOERR;
}

int pcdf_h5meta_flush(struct pcdf_h5meta *m, int64_t numrecs, int64_t eof, int64_t *new_eof,
                      struct pcdf_h5ranges *ranges)
{
    struct answer a = { .unwritten = most_unwritten(m, numrecs) };
    int64_t end = eof;
    PCDF_TRY(check_end(m, eof));
    int err = say(m, PCDF_METAWIRE_FLUSH, eof, numrecs);
    if (!err)
        err = listen(m, &a, eof, &end);
    if (err) {
        pcdf_mapprocess_free(&m->process);
        pcdf_free(a.ranges.bytes);
        pcdf_free(a.bytes.bytes);
        return err;
    }
    give(&a, ranges);
    m->nwaiting = m->of_definitions = 0;
    *new_eof = end;
    return NC_NOERR;
}

void pcdf_h5ranges_free(struct pcdf_h5ranges *ranges)
{
    pcdf_free(ranges->x);
    pcdf_free(ranges->bytes);
    *ranges = (struct pcdf_h5ranges){ NULL, 0, NULL };
}
