/* See copystream.h. */
#include "copystream.h"
#include "alloc.h"
#include "decode.h"
#include "encode.h"
#include "numbers.h"
#include "followheader.h"
#include "status.h"

#include <stdio.h>
#include <string.h>

/* A file may be as long as it wants while it comes: not so long that the records which fit into it have ends
 * of more than 63 bits. */
static const int64_t no_end = INT64_MAX / 4;
enum { FIRST_LOOK = 4096 };

static int fail(struct pcdf_copystream *s, int code, const char *text)
{
    snprintf(s->text, sizeof s->text, "%s", text);
    return code;
}

/* *need 0: the header is complete, and both are to be freed. */
static int decode(struct pcdf_copystream *s, int64_t file_size, int64_t *need, struct pcdf_meta *meta,
                  struct pcdf_layout *layout)
{
    struct pcdf_reading reading = { .is_lenient = true };
    struct pcdf_fault fault;
    int err = pcdf_decode(&reading, s->header, s->n, file_size, need, meta, layout, &fault);
    return err ? fail(s, err, fault.text) : NC_NOERR;
}

/* Is the header among the bytes that came? Then they go on, and only it is kept. */
static int look(struct pcdf_copystream *s)
{
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    int64_t need;
    PCDF_TRY(decode(s, no_end, &need, &meta, &layout));
    s->next_look = 2 * s->n;
    if (need > 0)
        return NC_NOERR;
    (void)pcdf_followheader_count(s->header, (int)meta.version, &s->is_streaming);
    s->has_header = true;
    int err = s->put(s->context, s->header, s->n);
    s->n = (size_t)layout.header_size;
    pcdf_layout_free(&layout);
    pcdf_meta_free(&meta);
    return err;
}

/* Memory grows with what came, not with what a header claims. */
static int append_header(struct pcdf_copystream *s, const unsigned char *bytes, size_t n)
{
    if (s->n + n > s->room) {
        size_t room = 2 * (s->n + n);
        unsigned char *more = pcdf_realloc(s->header, room);
        if (!more)
            return fail(s, NC_ENOMEM, "no memory for the header");
        s->header = more;
        s->room = room;
    }
    memcpy(s->header + s->n, bytes, n);
    s->n += n;
    return NC_NOERR;
}

int pcdf_copystream_take(struct pcdf_copystream *s, const unsigned char *bytes, size_t n)
{
    if (n == 0)
        return NC_NOERR;
    s->size += (int64_t)n;
    if (s->has_header)
        return s->put(s->context, bytes, n);
    if (n > PCDF_COPYSTREAM_HEADER_MOST - s->n)
        return fail(s, NC_ENOTNC, "the header is longer than 256 MiB");
    PCDF_TRY(append_header(s, bytes, n));
    if (s->next_look == 0)
        s->next_look = FIRST_LOOK;
    return s->n >= s->next_look ? look(s) : NC_NOERR;
}

int64_t pcdf_copystream_padding(const struct pcdf_meta *meta, const struct pcdf_layout *layout, int64_t end)
{
    int64_t least = 0;
    for (int i = 0; i < meta->nvars; i++) {
        const struct pcdf_var *var = &meta->vars[i];
        int64_t at = layout->begin[i] + var->nbytes;
        if (var->is_record && (meta->numrecs == 0 || meta->nrecord_vars == 1))
            continue;
        if (var->is_record)
            at += (meta->numrecs - 1) * layout->recsize;
        if (at == end)
            least = pcdf_layout_padded(var->nbytes) - var->nbytes;
    }
    return least;
}

/* All that has no records. */
static bool has_fixed(const struct pcdf_meta *meta, const struct pcdf_layout *layout, int64_t size)
{
    bool has = size >= layout->header_size;
    for (int i = 0; i < meta->nvars; i++)
        has = has && (meta->vars[i].is_record || size >= layout->begin[i] + meta->vars[i].nbytes);
    return has;
}

int pcdf_copystream_finish(struct pcdf_copystream *s, struct pcdf_copystream_end *end)
{
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    int64_t need;

    *end = (struct pcdf_copystream_end){ 0 };
    if (!s->has_header && s->n > 0)
        PCDF_TRY(look(s));
    /* With its true size the count of such a file is known; and what is wrong with a header that was cut. */
    int err = decode(s, s->is_streaming || !s->has_header ? s->size : no_end, &need, &meta, &layout);
    if (err)
        return err;
    if (need > 0)
        return fail(s, NC_ENOTNC, "the stream ended within the header");
    end->is_streaming = s->is_streaming;
    end->claimed = s->is_streaming ? -1 : meta.numrecs;
    end->has_fixed = has_fixed(&meta, &layout, s->size);
    end->numrecs =
        meta.nrecord_vars == 0
            ? meta.numrecs
            : pcdf_smaller(meta.numrecs, pcdf_followheader_records_within(&layout, &meta, s->size));
    end->missing = s->is_streaming ? 0 : pcdf_larger(0, pcdf_layout_file_end(&layout, &meta) - s->size);
    meta.numrecs = end->numrecs;
    int64_t whole = pcdf_layout_file_end(&layout, &meta);
    if (!end->has_fixed)
        end->missing = pcdf_larger(end->missing, whole - s->size);
    end->size =
        pcdf_smaller(pcdf_larger(s->size, whole), whole + pcdf_copystream_padding(&meta, &layout, whole));
    end->behind = pcdf_larger(0, s->size - end->size);
    end->width = pcdf_encode_numrecs(meta.version, end->numrecs, end->count);
    pcdf_layout_free(&layout);
    pcdf_meta_free(&meta);
    return NC_NOERR;
}

void pcdf_copystream_free(struct pcdf_copystream *s)
{
    pcdf_free(s->header);
    s->header = NULL;
}
