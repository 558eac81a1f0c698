/* See copysend.h. */
#include "copysend.h"
#include "alloc.h"
#include "copypipe.h"
#include "copystream.h"
#include "encode.h"
#include "numbers.h"
#include "followheader.h"
#include "status.h"
#include "tool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { COUNT_AT = 4 };

static int begin_buffers(struct pcdf_copy_sender *s)
{
    /* After each piece the header is looked at: so a piece is not shorter than that. */
    s->hash = pcdf_followheader_hash(s->file.bytes, s->layout.header_size);
    s->room = pcdf_larger(PCDF_COPY_PIPE_BUFFER, s->layout.header_size);
    s->buffer = pcdf_copy_pipe_begin(STDOUT_FILENO, (size_t)s->room);
    s->again = s->buffer ? pcdf_malloc((size_t)s->layout.header_size) : NULL;
    return s->again ? PCDF_TOOL_GOOD : pcdf_tool_unusable(s->file.path, "no memory to send it");
}

int pcdf_copy_sender_begin(struct pcdf_copy_sender *s, const char *path)
{
    *s = (struct pcdf_copy_sender){ .at = 0 };
    int status = pcdf_tool_open(&s->file, path);
    if (status)
        return status;
    status = pcdf_tool_decode(&s->file, true, &s->meta, &s->layout);
    if (status) {
        pcdf_tool_close(&s->file);
        return status;
    }
    status = begin_buffers(s);
    if (status)
        pcdf_copy_sender_free(s);
    return status;
}

void pcdf_copy_sender_free(struct pcdf_copy_sender *s)
{
    pcdf_free(s->again);
    pcdf_free(s->buffer);
    pcdf_layout_free(&s->layout);
    pcdf_meta_free(&s->meta);
    pcdf_tool_close(&s->file);
}

/* Are the definitions in the file those that are sent? A change of the layout marks the header before it
 * moves anything: so bytes that were read before this look are of these definitions. Of a file elsewhere its
 * store watches over that. */
static int check_header(const struct pcdf_copy_sender *s)
{
    int64_t n = s->layout.header_size, got = 0;
    if (s->file.source)
        return PCDF_TOOL_GOOD;
    if (pcdf_tool_move(&s->file, s->again, n, 0, &got))
        return pcdf_tool_unusable(s->file.path, "%s", pcdf_tool_move_text(&s->file));
    if (got == n && pcdf_followheader_hash((unsigned char *)s->again, n) == s->hash)
        return PCDF_TOOL_GOOD;
    pcdf_tool_say(s->file.path,
                  "its definitions changed while it was sent: the stream is cut after %" PRId64 " bytes",
                  s->at);
    return PCDF_TOOL_BAD;
}

/* The very bytes that were decoded, with the number that is to stand there. */
static int64_t take_header(const struct pcdf_copy_sender *s, int64_t end, bool is_streaming)
{
    int64_t n = pcdf_smaller(end, s->layout.header_size);
    unsigned char count[8];
    int width = pcdf_encode_numrecs(s->meta.version, s->meta.numrecs, count);
    memcpy(s->buffer, s->file.bytes, (size_t)n);
    if (is_streaming)
        memset(count, 0xff, sizeof count);
    memcpy(s->buffer + COUNT_AT, count, (size_t)width);
    return n;
}

int pcdf_copy_sender_send(struct pcdf_copy_sender *s, int64_t end, bool is_streaming)
{
    int status = PCDF_TOOL_GOOD;
    for (int64_t n; s->at < end && !status; s->at += n) {
        int64_t got = 0;
        n = pcdf_smaller(end - s->at, s->room);
        if (s->at == 0)
            n = got = take_header(s, end, is_streaming);
        else if (pcdf_tool_move(&s->file, s->buffer, n, s->at, &got))
            status = pcdf_tool_unusable(s->file.path, "%s", pcdf_tool_move_text(&s->file));
        if (!status)
            status = check_header(s);
        if (!status && got < n) /* zeros would pass for values */
            status = pcdf_tool_unusable(s->file.path, "the file became shorter while it was sent");
        if (!status)
            status = pcdf_copy_pipe_write(s->buffer, (size_t)n);
    }
    return status;
}

bool pcdf_copy_sender_may_stream(const struct pcdf_copy_sender *s)
{
    struct pcdf_meta none = s->meta; /* without records; nothing of it is changed */
    none.numrecs = 0;
    return s->meta.nrecord_vars == 0 || pcdf_layout_file_end(&s->layout, &none) <= s->layout.begin_rec;
}

int64_t pcdf_copy_sender_padding(const struct pcdf_copy_sender *s, int64_t end)
{
    return pcdf_copystream_padding(&s->meta, &s->layout, end);
}

static int send(struct pcdf_copy_sender *s, const struct pcdf_copy_options *options)
{
    int64_t end = pcdf_layout_file_end(&s->layout, &s->meta),
            there = pcdf_smaller(end + pcdf_copy_sender_padding(s, end), s->file.size);
    if (options->stream && !pcdf_copy_sender_may_stream(s))
        return pcdf_tool_unusable(
            s->file.path,
            "a variable without records lies behind the records: --stream would count too many");
    int status = pcdf_copy_sender_send(s, there, options->stream);
    if (!status)
        status = pcdf_copy_pipe_end();
    if (!status && there < end) {
        pcdf_tool_say(s->file.path, "the file ends %" PRId64 " bytes before its data does", end - there);
        return PCDF_TOOL_BAD;
    }
    if (!status && options->verbose)
        fprintf(stderr, "parcdf copy: %" PRId64 " records, %" PRId64 " bytes\n", s->meta.numrecs, end);
    return status;
}

int pcdf_copy_send(const struct pcdf_copy_options *options, const char *path)
{
    struct pcdf_copy_sender s;
    int status = pcdf_copy_sender_begin(&s, path);
    if (status)
        return status;
    status = send(&s, options);
    pcdf_copy_sender_free(&s);
    return status;
}
