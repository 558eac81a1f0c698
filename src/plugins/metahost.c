/* The second role of parcdf-map (mapwire.h): what the library says of a file that it writes is gathered, and
 * at a flush given to the plug-in; what it gives goes back to the library. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "codecs.h"
#include "decode.h"
#include "h5meta.h"
#include "loader.h"
#include "maphost.h"
#include "metainbox.h"
#include "parcdf.h"
#include "status.h"
#include "value.h"

struct told { /* definitions, as the plug-in sees them */
    struct pcdf_definitions is;
    struct pcdf_meta meta;
    unsigned char *bytes; /* definitions stand in them */
    struct pcdf_defined_dim *dims;
    struct pcdf_defined_var *vars;
    struct pcdf_defined_att *atts; /* of all */
    struct pcdf_map_codec *codecs; /* of all */
    unsigned char (*fills)[8];
    int64_t *chunks;
};

struct metahost {
    const struct pcdf_metadata_writer *writer;
    void *file;
    struct pcdf_metadata_host host;
    struct told *now, *next; /* as the plug-in has them; as they were told since. NULL: not told */
    bool is_adopted;         /* `now` has not been given to the plug-in yet */
    struct pcdf_written_chunk *chunks;
    int64_t nchunks, chunks_room;
};

/* ---- definitions */

static void free_told(struct told *t)
{
    if (!t)
        return;
    pcdf_meta_free(&t->meta);
    free(t->bytes);
    pcdf_free(t->dims);
    pcdf_free(t->vars);
    pcdf_free(t->atts);
    pcdf_free(t->codecs);
    pcdf_free(t->fills);
    pcdf_free(t->chunks);
    pcdf_free(t);
}

/* In native order. */
static struct pcdf_defined_att *tell_atts(const struct pcdf_atts *atts, struct pcdf_defined_att *to)
{
    for (int i = 0; i < atts->n; i++) {
        const struct pcdf_att *att = &atts->x[i];
        int size = pcdf_type_size(att->type);
        if (size > 1 && att->nelems > 0)
            pcdf_values_swap(att->values, att->nelems, size);
        to[i] = (struct pcdf_defined_att){ att->name, att->type, att->nelems, att->values };
    }
    return to + atts->n;
}

/* What stands behind the header. */
struct rest {
    const unsigned char *at;
    int64_t left;
};

static bool take(struct rest *r, void *to, int64_t n)
{
    if (n < 0 || r->left < n)
        return false;
    if (n > 0)
        memcpy(to, r->at, (size_t)n);
    r->at += n;
    r->left -= n;
    return true;
}

struct places { /* where the next one goes */
    struct pcdf_defined_att *att;
    struct pcdf_map_codec *codec;
    int64_t *chunk;
};

static bool tell_codecs(struct rest *r, struct pcdf_defined_var *v, struct places *p)
{
    v->codecs = p->codec;
    for (int i = 0; i < v->ncodecs; i++) {
        struct pcdf_codec c;
        if (!take(r, &c, sizeof c))
            return false;
        p->codec->id = (int)c.id;
        p->codec->nparams = c.nparams;
        p->codec->name = "";
        memcpy(p->codec->params, c.params, sizeof p->codec->params);
        p->codec++;
    }
    return true;
}

static bool tell_var(struct told *t, int number, struct rest *r, struct places *p)
{
    const struct pcdf_var *var = &t->meta.vars[number];
    struct pcdf_defined_var *v = &t->vars[number];
    struct pcdf_metawire_var wire;
    if (!take(r, &wire, sizeof wire) || wire.ncodecs < 0 || wire.ncodecs > PCDF_CHAIN_MOST)
        return false;
    v->name = var->name;
    v->type = var->type;
    v->ndims = var->ndims;
    v->dims = var->dimids;
    v->natts = var->atts.n;
    v->atts = p->att;
    p->att = tell_atts(&var->atts, p->att);
    memcpy(t->fills[number], wire.fill, sizeof wire.fill);
    v->fill = wire.is_filled ? t->fills[number] : NULL;
    v->place = wire.place;
    v->is_big_endian = wire.is_big_endian != 0;
    v->ncodecs = wire.ncodecs;
    if (wire.is_chunked) {
        v->chunk = p->chunk;
        if (!take(r, p->chunk, var->ndims * (int64_t)sizeof *p->chunk))
            return false;
        p->chunk += var->ndims;
    }
    return tell_codecs(r, v, p);
}

static bool make_room(struct told *t)
{
    const struct pcdf_meta *meta = &t->meta;
    size_t natts = (size_t)meta->gatts.n + 1, ndims = 1, nvars = (size_t)meta->nvars + 1;
    for (int i = 0; i < meta->nvars; i++) {
        natts += (size_t)meta->vars[i].atts.n;
        ndims += (size_t)meta->vars[i].ndims;
    }
    t->dims = pcdf_calloc((size_t)meta->ndims + 1, sizeof *t->dims);
    t->vars = pcdf_calloc(nvars, sizeof *t->vars);
    t->atts = pcdf_calloc(natts, sizeof *t->atts);
    t->codecs = pcdf_calloc(nvars * PCDF_CHAIN_MOST, sizeof *t->codecs);
    t->fills = pcdf_calloc(nvars, sizeof *t->fills);
    t->chunks = pcdf_calloc(ndims, sizeof *t->chunks);
    return t->dims && t->vars && t->atts && t->codecs && t->fills && t->chunks;
}

static bool tell_all(struct told *t, struct rest *r, bool is_classic_model)
{
    struct places p = { t->atts, t->codecs, t->chunks };
    for (int i = 0; i < t->meta.ndims; i++)
        t->dims[i] = (struct pcdf_defined_dim){ t->meta.dims[i].name, t->meta.dims[i].length,
                                                i == t->meta.record_dim };
    struct pcdf_defined_att *global = p.att;
    p.att = tell_atts(&t->meta.gatts, p.att);
    for (int i = 0; i < t->meta.nvars; i++)
        if (!tell_var(t, i, r, &p))
            return false;
    t->is = (struct pcdf_definitions){ .ndims = t->meta.ndims,
                                       .nvars = t->meta.nvars,
                                       .natts = t->meta.gatts.n,
                                       .is_classic_model = is_classic_model,
                                       .dims = t->dims,
                                       .vars = t->vars,
                                       .atts = global,
                                       .writer = "parcdf=" PARCDF_VERSION };
    return true;
}

static int decode_told(struct told *t, int64_t n)
{
    struct pcdf_metawire_definitions wire;
    struct pcdf_reading reading = { .is_lenient = true };
    struct pcdf_layout layout;
    struct pcdf_fault fault;
    struct rest r = { t->bytes, n };
    int64_t need = 0;
    if (!take(&r, &wire, sizeof wire) || wire.header_length < 0 || wire.header_length > r.left)
        return PCDF_FAIL(NC_EINTERNAL, "the definitions are cut off");
    int err =
        pcdf_decode(&reading, r.at, (size_t)wire.header_length, INT64_MAX, &need, &t->meta, &layout, &fault);
    if (need)
        return PCDF_FAIL(NC_EINTERNAL, "the definitions are cut off");
    if (err)
        return PCDF_FAIL(err, "the definitions: %s", fault.text);
    pcdf_layout_free(&layout);
    r.at += wire.header_length;
    r.left -= wire.header_length;
    if (!make_room(t))
        return NC_ENOMEM;
    return tell_all(t, &r, wire.is_classic_model) ? NC_NOERR
                                                  : PCDF_FAIL(NC_EINTERNAL, "the definitions are cut off");
}

/* Takes what the message has. */
static int take_definitions(struct pcdf_metainbox_message *message, struct told **to)
{
    struct told *t = message->bytes ? pcdf_calloc(1, sizeof *t) : NULL;
    if (!t)
        return NC_ENOMEM;
    pcdf_meta_init(&t->meta, PCDF_CDF5);
    t->bytes = message->bytes;
    message->bytes = NULL;
    int err = decode_told(t, message->is.length);
    if (err) {
        free_told(t);
        return err;
    }
    free_told(*to);
    *to = t;
    return NC_NOERR;
}

/* ---- chunks */

static int take_chunks(struct metahost *h, const struct pcdf_metainbox_message *message)
{
    int64_t n = message->is.length / (int64_t)sizeof *h->chunks;
    if (n > 0 && !message->bytes)
        return NC_ENOMEM;
    if (h->nchunks + n > h->chunks_room) {
        int64_t room = h->nchunks ? 2 * (h->nchunks + n) : n;
        struct pcdf_written_chunk *chunks = pcdf_realloc(h->chunks, (size_t)room * sizeof *chunks);
        if (!chunks)
            return NC_ENOMEM;
        h->chunks = chunks;
        h->chunks_room = room;
    }
    if (n > 0)
        memcpy(h->chunks + h->nchunks, message->bytes, (size_t)n * sizeof *h->chunks);
    h->nchunks += n;
    return NC_NOERR;
}

static int compare_chunks(const struct pcdf_written_chunk *a, const struct pcdf_written_chunk *b)
{
    if (a->var != b->var)
        return a->var < b->var ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static int compare_pointers(const void *a, const void *b)
{
    const struct pcdf_written_chunk *x = *(struct pcdf_written_chunk *const *)a,
                                    *y = *(struct pcdf_written_chunk *const *)b;
    int by_place = compare_chunks(x, y);
    return by_place ? by_place : (x > y) - (x < y); /* as they came */
}

/* Of several of a chunk the last one stays. */
static int sort_chunks(struct metahost *h)
{
    bool is_sorted = true;
    int64_t n = 0;
    for (int64_t i = 1; i < h->nchunks && is_sorted; i++)
        is_sorted = compare_chunks(&h->chunks[i - 1], &h->chunks[i]) < 0;
    if (is_sorted)
        return NC_NOERR;
    struct pcdf_written_chunk **order = pcdf_malloc((size_t)h->nchunks * sizeof *order);
    struct pcdf_written_chunk *sorted = pcdf_malloc((size_t)h->nchunks * sizeof *sorted);
    for (int64_t i = 0; order && i < h->nchunks; i++)
        order[i] = &h->chunks[i];
    if (order && sorted)
        qsort(order, (size_t)h->nchunks, sizeof(void *), compare_pointers);
    for (int64_t i = 0; order && sorted && i < h->nchunks; i++)
        if (i == h->nchunks - 1 || compare_chunks(order[i], order[i + 1]) != 0)
            sorted[n++] = *order[i];
    pcdf_free(order);
    if (!order || !sorted) {
        pcdf_free(sorted);
        return NC_ENOMEM;
    }
    pcdf_free(h->chunks);
    h->chunks_room = h->nchunks;
    h->chunks = sorted;
    h->nchunks = n;
    return NC_NOERR;
}

/* ---- flush */

static int give(void *context, int64_t offset, int64_t length, const void *bytes)
{
    (void)context;
    pcdf_maphost_say(PCDF_METAWIRE_RANGE, 0, offset, length);
    pcdf_maphost_send(bytes, (size_t)length);
    return NC_NOERR;
}

static int fail(void *context, int code, const char *sentence)
{
    (void)context;
    return PCDF_FAIL(code, "%s", sentence);
}

/* Nobody listens before a flush. */
static void alive(void *context)
{
    (void)context;
    if (pcdf_metainbox_is_awaited())
        pcdf_maphost_alive();
}

static int read_file(void *context, int64_t offset, int64_t length, void *to)
{
    (void)context;
    return pcdf_metainbox_read(offset, length, to);
}

static void find_room(void *context, int64_t *begin, int64_t *end)
{
    struct metahost *h = context;
    if (!h->file && h->host.size == 0) { /* while a file is made */
        *begin = 0;
        *end = PCDF_H5META_HEAD;
    } else {
        pcdf_metainbox_room(begin, end);
    }
}

static int load(struct metahost *h, const char *kind)
{
    const struct pcdf_plugin *plugin;
    PCDF_TRY(pcdf_plugin_load(kind, "this file", &plugin));
    if (!plugin->metadata)
        return PCDF_FAIL(NC_ENOTBUILT, "the plug-in %s writes no metadata", kind);
    h->writer = plugin->metadata;
    return NC_NOERR;
}

static int begin(struct metahost *h)
{
    PCDF_TRY(h->writer->start(&h->host, &h->file));
    return h->is_adopted ? h->writer->adopt(h->file, &h->now->is) : NC_NOERR;
}

/* What takes long, as loading libhdf5 does, is done while the program puts values. */
static int prepare(struct metahost *h, const char *kind)
{
    PCDF_TRY(load(h, kind));
    return h->host.size == 0 ? begin(h) : NC_NOERR; /* of one that is there nothing is known yet */
}

static int work(struct metahost *h, int64_t numrecs, struct pcdf_metainbox_message *message,
                struct pcdf_metadata_end *flushed)
{
    struct pcdf_metadata_change change = { .numrecs = numrecs };
    if (!h->file)
        PCDF_TRY(begin(h));
    PCDF_TRY(sort_chunks(h));
    pcdf_metainbox_room_of(message, &change.begin, &change.end);
    change.definitions = h->next ? &h->next->is : NULL;
    change.nentries = h->nchunks;
    change.entries = h->chunks;
    PCDF_TRY(h->writer->apply(h->file, &change, flushed));
    if (h->next) {
        free_told(h->now);
        h->now = h->next;
        h->next = NULL;
    }
    h->nchunks = 0;
    return NC_NOERR;
}

static int enter(struct metahost *h, struct pcdf_metainbox_message *message)
{
    struct pcdf_metawire_room room;
    if (message->is.length != sizeof room || !message->bytes)
        return NC_ENOMEM;
    memcpy(&room, message->bytes, sizeof room);
    return work(h, room.numrecs, message, NULL);
}

static int flush(struct metahost *h, struct pcdf_metainbox_message *message)
{
    struct pcdf_metadata_end end = { 0, 0 };
    PCDF_TRY(work(h, message->is.length, message, &end));
    pcdf_metainbox_answered();
    pcdf_maphost_say(PCDF_METAWIRE_FLUSHED, 0, end.eof, end.left);
    return NC_NOERR;
}

static int obey(struct metahost *h, struct pcdf_metainbox_message *message)
{
    switch (message->is.what) {
    case PCDF_METAWIRE_FLUSH:
        return flush(h, message);
    case PCDF_METAWIRE_ENTER:
        return enter(h, message);
    case PCDF_METAWIRE_CHUNKS:
        return take_chunks(h, message);
    case PCDF_METAWIRE_ADOPT:
        h->is_adopted = true;
        return h->file ? PCDF_FAIL(NC_EINTERNAL, "a file is adopted too late")
                       : take_definitions(message, &h->now);
    default:
        return take_definitions(message, &h->next);
    }
}

int pcdf_metahost_serve(const char *kind, int64_t size)
{
    struct metahost h = { .host = { &h, size, read_file, give, fail, alive, find_room } };
    if (pcdf_metainbox_start()) {
        pcdf_maphost_say_failure(PCDF_FAIL(NC_ENOMEM, "no thread can be started"));
        return 1;
    }
    int err = prepare(&h, kind); /* is told in answer to a flush */
    for (;;) {
        struct pcdf_metainbox_message *message = pcdf_metainbox_take();
        if (!err)
            err = obey(&h, message);
        if (err && message->is.what == PCDF_METAWIRE_FLUSH) {
            pcdf_maphost_say_failure(err);
            return 1;
        }
        pcdf_metainbox_free(message);
    }
}
