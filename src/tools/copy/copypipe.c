/* See copypipe.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#endif
#include "copypipe.h"
#include "alloc.h"
#include "copystream.h"
#include "encode.h"
#include "numbers.h"
#include "posixio.h"
#include "status.h"
#include "tool.h"
#include "toolfile.h"
#include "tooljson.h"
#include "tooloutput.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 256 << 10, IN_PIPE = 1 << 20, COUNT_AT = 4 };

bool pcdf_copy_is_pipe(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

bool pcdf_copy_is_whole(const struct pcdf_copy_options *o)
{
    return o->nfrom == 1 && !o->version && !o->kind && !o->with_coordinates && !o->only && !o->excluded &&
           !o->nranges && !o->nterms && !o->nedits && !o->header_only && !o->append && !o->fix_records &&
           !o->recompute && !o->checksum && !o->merge && !o->unlimited && !o->align && !o->record_align &&
           !o->reserve && !o->zarr && !o->chunks && !o->deflate && !o->has_history && !o->dry_run;
}

/* A pipe holds 64 KiB by itself: then both ends wait for each other all the time. */
static char *begin_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
    (void)fcntl(fd, F_SETPIPE_SZ, IN_PIPE);
#endif
    return pcdf_malloc(BUFFER);
}

/* ---- out */

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

/* The bytes [0, end), with the number of records that is to stand there. */
static int send_bytes(const struct pcdf_tool_file *file, int64_t end, const unsigned char *count, int width)
{
    char *buffer = begin_pipe(STDOUT_FILENO);
    int status = PCDF_TOOL_GOOD;
    if (!buffer)
        return pcdf_tool_unusable(file->path, "no memory to send it");
    for (int64_t at = 0, n; at < end && !status; at += n) {
        int64_t got = 0;
        n = pcdf_smaller(end - at, BUFFER);
        if (pcdf_tool_move(file, buffer, n, at, &got))
            status = pcdf_tool_unusable(file->path, "%s", pcdf_tool_move_text(file));
        else if (got < n) /* zeros would pass for values */
            status = pcdf_tool_unusable(file->path, "the file became shorter while it was sent");
        if (at == 0)
            memcpy(buffer + COUNT_AT, count, (size_t)width);
        if (!status && !write_all(STDOUT_FILENO, buffer, (size_t)n))
            status = pcdf_tool_unusable("standard output", "%s", strerror(errno));
    }
    pcdf_free(buffer);
    return status;
}

int pcdf_copy_send(const struct pcdf_copy_options *options, const char *path)
{
    struct pcdf_tool_file file;
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    unsigned char count[8];

    int status = pcdf_tool_open(&file, path);
    if (status)
        return status;
    status = pcdf_tool_decode(&file, true, &meta, &layout);
    if (!status) {
        int64_t end = pcdf_layout_file_end(&layout, &meta),
                there = pcdf_smaller(end + pcdf_copystream_padding(&meta, &layout, end), file.size);
        int width = pcdf_encode_numrecs(meta.version, meta.numrecs, count);
        if (options->stream)
            memset(count, 0xff, sizeof count);
        status = send_bytes(&file, there, count, width);
        if (!status && there < end) {
            pcdf_tool_say(path, "the file ends %" PRId64 " bytes before its data does", end - there);
            status = PCDF_TOOL_BAD;
        } else if (!status && options->verbose) {
            fprintf(stderr, "parcdf copy: %" PRId64 " records, %" PRId64 " bytes\n", meta.numrecs, end);
        }
        pcdf_layout_free(&layout);
        pcdf_meta_free(&meta);
    }
    pcdf_tool_close(&file);
    return status;
}

/* ---- in */

struct receiver {
    const char *path;
    int fd;
    int64_t at;
};

static int put(void *context, const unsigned char *bytes, size_t n)
{
    struct receiver *r = context;
    int err = pcdf_posix_move(r->fd, PCDF_PUT, (void *)bytes, (int64_t)n, r->at, NULL, r->path);
    r->at += (int64_t)n;
    return err;
}

static int receive_bytes(struct pcdf_copystream *s, const struct receiver *to)
{
    char *buffer = begin_pipe(STDIN_FILENO);
    int status = PCDF_TOOL_GOOD;
    if (!buffer)
        return pcdf_tool_unusable(to->path, "no memory to receive it");
    for (;;) {
        ssize_t n = read(STDIN_FILENO, buffer, BUFFER);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            status = pcdf_tool_unusable("standard input", "%s", strerror(errno));
        if (n <= 0)
            break;
        int err = pcdf_copystream_take(s, (unsigned char *)buffer, (size_t)n);
        if (err && !s->text[0]) {
            status = pcdf_tool_unusable(to->path, "%s", pcdf_fail_text());
        } else if (err) {
            pcdf_tool_say("standard input", "%s", s->text);
            status = PCDF_TOOL_BAD;
        }
        if (err)
            break;
    }
    pcdf_free(buffer);
    return status;
}

/* Is all there that was sent? What may be delivered otherwise, and what not. */
static int judge(const struct pcdf_copy_options *options, const struct pcdf_copystream_end *end)
{
    static const char in[] = "standard input";
    if (!end->has_fixed) {
        pcdf_tool_say(in,
                      "the stream ended %" PRId64
                      " bytes before the variables without records do: nothing is delivered",
                      end->missing);
        return PCDF_TOOL_UNUSABLE;
    }
    if (end->missing > 0 && !options->partial) {
        pcdf_tool_say(in,
                      "the stream ended %" PRId64 " bytes before its data does: %" PRId64 " of %" PRId64
                      " records are whole. Nothing is delivered (option --partial delivers them)",
                      end->missing, end->numrecs, end->claimed);
        return PCDF_TOOL_UNUSABLE;
    }
    if (end->missing > 0) {
        pcdf_tool_say(in,
                      "the stream ended %" PRId64 " bytes before its data does: %" PRId64 " of %" PRId64
                      " records are delivered, and %" PRId64 " bytes are thrown away",
                      end->missing, end->numrecs, end->claimed, end->behind);
        return PCDF_TOOL_BAD;
    }
    if (end->behind == 0)
        return PCDF_TOOL_GOOD;
    if (end->is_streaming)
        pcdf_tool_say(in,
                      "the stream ended within record %" PRId64 ": %" PRId64 " bytes of it are thrown away",
                      end->numrecs, end->behind);
    else
        pcdf_tool_say(in, "%" PRId64 " bytes behind the end of the data are thrown away", end->behind);
    return PCDF_TOOL_BAD;
}

/* The file as it is to be: as long as its records, which are counted. */
static int settle(const struct pcdf_copy_options *options, const struct receiver *to,
                  const struct pcdf_copystream_end *end)
{
    unsigned char count[8];
    memcpy(count, end->count, sizeof count);
    if (options->stream)
        memset(count, 0xff, sizeof count);
    if (truncate(to->path, end->size))
        return pcdf_tool_unusable(to->path, "%s", strerror(errno));
    bool counts = options->stream || end->is_streaming || end->numrecs != end->claimed;
    if (counts && pcdf_posix_move(to->fd, PCDF_PUT, count, end->width, COUNT_AT, NULL, to->path))
        return pcdf_tool_unusable(to->path, "%s", pcdf_fail_text());
    return PCDF_TOOL_GOOD;
}

static void tell(const struct pcdf_copy_options *options, const struct pcdf_copystream_end *end)
{
    struct pcdf_json json;
    if (options->verbose)
        fprintf(stderr, "parcdf copy: %" PRId64 " records, %" PRId64 " bytes\n", end->numrecs, end->size);
    if (!options->json)
        return;
    pcdf_json_begin(&json, stdout);
    pcdf_json_open(&json, '{', false);
    pcdf_json_key(&json, "to");
    pcdf_json_text(&json, options->to);
    pcdf_json_key(&json, "records");
    pcdf_json_integer(&json, end->numrecs);
    pcdf_json_key(&json, "bytes");
    pcdf_json_integer(&json, end->size);
    pcdf_json_key(&json, "missing");
    pcdf_json_integer(&json, end->missing);
    pcdf_json_key(&json, "thrown_away");
    pcdf_json_integer(&json, end->behind);
    pcdf_json_close(&json, '}');
    pcdf_json_end(&json);
}

int pcdf_copy_receive(const struct pcdf_copy_options *options)
{
    struct pcdf_tool_output out;
    struct pcdf_copystream_end end;
    if (isatty(STDIN_FILENO))
        return pcdf_tool_unusable("standard input", "this is a terminal, and no file comes from it");
    int status = pcdf_tool_output_begin(&out, options->to, options->replace);
    if (status)
        return status;
    struct receiver to = { out.name, -1, 0 };
    struct pcdf_copystream stream = { .put = put, .context = &to };
    if (out.is_device)
        status = pcdf_tool_unusable(options->to, "this is not a regular file");
    else if ((to.fd = pcdf_posix_open(out.name, O_WRONLY)) < 0)
        status = pcdf_tool_unusable(options->to, "%s", strerror(errno));
    if (!status)
        status = receive_bytes(&stream, &to);
    if (!status && pcdf_copystream_finish(&stream, &end)) {
        pcdf_tool_say("standard input", "%s", *stream.text ? stream.text : pcdf_fail_text());
        status = PCDF_TOOL_BAD;
    }
    int verdict = status ? status : judge(options, &end);
    bool delivers = !status && verdict != PCDF_TOOL_UNUSABLE;
    if (delivers)
        delivers = (status = settle(options, &to, &end)) == PCDF_TOOL_GOOD;
    if (to.fd >= 0 && close(to.fd) && delivers) {
        status = pcdf_tool_unusable(options->to, "%s", strerror(errno));
        delivers = false;
    }
    pcdf_copystream_free(&stream);
    if (delivers)
        status = pcdf_tool_output_commit(&out);
    else
        pcdf_tool_output_abandon(&out);
    if (delivers && !status)
        tell(options, &end);
    return status ? status : verdict;
}
