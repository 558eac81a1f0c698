/* See copyreceive.h. */
#include "copyreceive.h"
#include "alloc.h"
#include "copypipe.h"
#include "copystream.h"
#include "posixio.h"
#include "status.h"
#include "tool.h"
#include "tooljson.h"
#include "tooloutput.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { COUNT_AT = 4 };

static const char in[] = "standard input";

struct receiver {
    const char *path;
    int fd;
    int64_t at;
};

static int write_bytes(void *context, const unsigned char *bytes, size_t n)
{
    struct receiver *r = context;
    int err = pcdf_posix_move(r->fd, PCDF_PUT, (void *)bytes, (int64_t)n, r->at, NULL, r->path);
    r->at += (int64_t)n;
    return err;
}

static int receive_bytes(struct pcdf_copystream *s, const struct receiver *to)
{
    char *buffer = pcdf_copy_pipe_begin(STDIN_FILENO, PCDF_COPY_PIPE_BUFFER);
    int status = PCDF_TOOL_GOOD;
    if (!buffer)
        return pcdf_tool_unusable(to->path, "no memory to receive it");
    for (ssize_t n = 1; n > 0 && !status;) {
        n = pcdf_copy_pipe_read(buffer, PCDF_COPY_PIPE_BUFFER);
        int err = n > 0 ? pcdf_copystream_take(s, (unsigned char *)buffer, (size_t)n) : NC_NOERR;
        if (n < 0) {
            status = PCDF_TOOL_UNUSABLE;
        } else if (err && !s->text[0]) {
            status = pcdf_tool_unusable(to->path, "%s", pcdf_fail_text());
        } else if (err) {
            pcdf_tool_say(in, "%s", s->text);
            status = PCDF_TOOL_BAD;
        }
    }
    pcdf_free(buffer);
    return status;
}

/* Is all there that was sent? What may be delivered otherwise, and what not. */
static int judge(const struct pcdf_copy_options *options, const struct pcdf_copystream_end *end)
{
    if (!end->has_fixed) {
        pcdf_tool_say(in,
                      "the stream ended %" PRId64
                      " bytes before the variables without records do: nothing is delivered",
                      end->missing);
        return PCDF_TOOL_UNUSABLE;
    }
    if (options->records >= 0 && (end->numrecs != options->records || end->missing > 0 || end->behind > 0)) {
        pcdf_tool_say(in,
                      "the stream ended with %" PRId64 " records and %" PRId64
                      " bytes of more, instead of the %" PRId64 " records of --records: nothing is delivered",
                      end->numrecs, end->behind, options->records);
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

static void print_end(const struct pcdf_copy_options *options, const struct pcdf_copystream_end *end)
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
        return pcdf_tool_unusable(in, "this is a terminal, and no file comes from it");
    int status = pcdf_tool_output_begin(&out, options->to, options->replace);
    if (status)
        return status;
    struct receiver to = { out.name, -1, 0 };
    struct pcdf_copystream stream = { .put = write_bytes, .context = &to };
    if (out.is_device)
        status = pcdf_tool_unusable(options->to, "this is not a regular file");
    else if ((to.fd = pcdf_posix_open(out.name, O_WRONLY)) < 0)
        status = pcdf_tool_unusable(options->to, "%s", strerror(errno));
    if (!status)
        status = receive_bytes(&stream, &to);
    if (!status && pcdf_copystream_finish(&stream, &end)) {
        pcdf_tool_say(in, "%s", *stream.text ? stream.text : pcdf_fail_text());
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
        print_end(options, &end);
    return status ? status : verdict;
}
