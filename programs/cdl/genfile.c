/* The file that gen makes: header, values where they belong, fill values where none are given. Written
 * through a window of the file, since the records of a text come variable by variable and lie record by
 * record. */
#include "alloc.h"
#include "encode.h"
#include "filesystem.h"
#include "gen.h"
#include "meaningvalues.h"
#include "posixio.h"
#include "tool.h"
#include "toolfile.h"
#include "tooloutput.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum {
    WINDOW = 1 << 20,
    FAR = WINDOW / 4 /* records so large have few pieces in a window: these are written one by one */
};

struct pcdf_gen_file {
    struct pcdf_gen_sink sink; /* first */
    const struct pcdf_meta *meta;
    struct pcdf_layout layout;
    struct pcdf_tool_output output;
    int fd;
    bool no_fill;
    int64_t most; /* bytes that there is room for */
    int64_t end;  /* no byte was written behind */
    /* the window: bytes [at, at + WINDOW) of the file, of which [low, high) are to be written */
    unsigned char *window;
    int64_t at;
    size_t low, high;
    unsigned char *fills; /* a run of fill values */
};

static int failed(const struct pcdf_gen_file *file)
{
    return pcdf_tool_unusable(file->output.path, "%s", strerror(errno ? errno : EIO));
}

static int no_room(const struct pcdf_gen_file *file, int64_t need)
{
    return pcdf_tool_unusable(file->output.path,
                              "the file would have %lld bytes, or more, for which there is no room here",
                              (long long)need);
}

static int write_out(struct pcdf_gen_file *file, const unsigned char *bytes, int64_t n, int64_t offset)
{
    if (n > file->most - offset)
        return no_room(file, offset + n);
    if (pcdf_posix_move(file->fd, PCDF_PUT, (void *)bytes, n, offset, NULL, file->output.name))
        return failed(file);
    file->end = offset + n > file->end ? offset + n : file->end;
    return PCDF_TOOL_GOOD;
}

static int flush(struct pcdf_gen_file *file)
{
    size_t low = file->low, n = file->high - low;

    file->low = file->high = 0;
    return n > 0 ? write_out(file, file->window + low, (int64_t)n, file->at + (int64_t)low) : PCDF_TOOL_GOOD;
}

/* Moves the window to `at`, with what the file has there. */
static int move(struct pcdf_gen_file *file, int64_t at)
{
    int status = flush(file);
    int64_t there = file->end - at > WINDOW ? WINDOW : file->end - at, got = 0;

    if (status)
        return status;
    file->at = at;
    there = there < 0 || file->output.is_device ? 0 : there;
    memset(file->window + there, 0, (size_t)(WINDOW - there));
    if (there > 0 && (pcdf_posix_move(file->fd, PCDF_GET, file->window, there, at, &got, file->output.name) ||
                      got < there))
        return failed(file);
    return PCDF_TOOL_GOOD;
}

static int put_bytes(struct pcdf_gen_file *file, int64_t offset, const unsigned char *bytes, int64_t n)
{
    while (n > 0) {
        int64_t at = offset / WINDOW * WINDOW;
        size_t from = (size_t)(offset - at), take = WINDOW - from;
        if (at != file->at) {
            int status = move(file, at);
            if (status)
                return status;
        }
        take = (int64_t)take > n ? (size_t)n : take;
        memcpy(file->window + from, bytes, take);
        if (file->high == 0)
            file->low = from;
        file->low = from < file->low ? from : file->low;
        file->high = from + take > file->high ? from + take : file->high;
        offset += (int64_t)take;
        bytes += take;
        n -= (int64_t)take;
    }
    return PCDF_TOOL_GOOD;
}

static int put_far(struct pcdf_gen_file *file, int64_t offset, const unsigned char *bytes, int64_t n)
{
    int status = flush(file);

    file->at = -1;
    return status ? status : write_out(file, bytes, n, offset);
}

/* The bytes that pad a variable, or its record, up to a multiple of 4: what a fill of it leaves there. */
static int put_padding(struct pcdf_gen_file *file, int varid, int64_t offset)
{
    const struct pcdf_var *var = &file->meta->vars[varid];
    int64_t n = pcdf_layout_padded(var->nbytes) - var->nbytes;
    int size = pcdf_type_size(var->type);
    unsigned char bytes[4], fill[8];

    if (n == 0 || file->no_fill)
        return PCDF_TOOL_GOOD;
    pcdf_meaning_fill(var, fill);
    for (int i = 0; i < n; i++)
        bytes[i] = fill[i % size];
    return put_bytes(file, offset, bytes, n);
}

static bool is_packed(const struct pcdf_gen_file *file, const struct pcdf_var *var)
{
    return var->is_record && file->meta->nrecord_vars == 1;
}

static int put_values(struct pcdf_gen_sink *sink, int varid, int64_t first, int64_t n,
                      const unsigned char *bytes)
{
    struct pcdf_gen_file *file = (struct pcdf_gen_file *)sink;
    const struct pcdf_var *var = &file->meta->vars[varid];
    int64_t size = pcdf_type_size(var->type), row = var->nbytes / size, step = file->layout.recsize;
    int status = PCDF_TOOL_GOOD;

    if (is_packed(file, var)) { /* its records are one run of bytes, unpadded */
        int64_t offset = pcdf_layout_value_at(&file->layout, file->meta, varid, first);
        return put_bytes(file, offset, bytes, n * size);
    }
    for (int64_t take; n > 0 && !status; n -= take, first += take, bytes += take * size) {
        int64_t within = first % row;
        int64_t offset = pcdf_layout_value_at(&file->layout, file->meta, varid, first);
        take = row - within < n ? row - within : n;
        if (var->is_record && step >= FAR)
            status = put_far(file, offset, bytes, take * size);
        else
            status = put_bytes(file, offset, bytes, take * size);
        if (!status && within + take == row)
            status = put_padding(file, varid, offset + take * size);
    }
    return status;
}

static int repeat(struct pcdf_gen_sink *sink, int varid, int64_t first, int64_t n, const unsigned char *value)
{
    struct pcdf_gen_file *file = (struct pcdf_gen_file *)sink;
    int64_t size = pcdf_type_size(file->meta->vars[varid].type), room = WINDOW / size, take;

    for (int64_t i = 0; i < room && i < n; i++)
        memcpy(file->fills + i * size, value, (size_t)size);
    for (int status = PCDF_TOOL_GOOD; n > 0; n -= take, first += take) {
        take = n < room ? n : room;
        status = put_values(sink, varid, first, take, file->fills);
        if (status)
            return status;
    }
    return PCDF_TOOL_GOOD;
}

static int fill(struct pcdf_gen_sink *sink, int varid, int64_t first, int64_t n)
{
    unsigned char value[8];

    pcdf_meaning_fill(&sink->meta->vars[varid], value);
    return repeat(sink, varid, first, n, value);
}

/* Records of a variable, one value each, that begin before what was written ends. */
static int64_t rows_there(const struct pcdf_gen_file *file, int varid)
{
    int64_t bytes = file->end - file->layout.begin[varid], step = file->layout.recsize;

    return bytes <= 0 ? 0 : bytes / step + (bytes % step > 0);
}

/* Zero bytes, one a record: written where something else may stand, from an assignment before; behind that
 * they are a hole. Padding of another value is written with them. */
static int zero(struct pcdf_gen_sink *sink, int varid, int64_t first, int64_t n)
{
    static const unsigned char zeros[8];
    unsigned char fill[8];
    struct pcdf_gen_file *file = (struct pcdf_gen_file *)sink;
    struct pcdf_meta then = *file->meta;
    bool is_padded = !file->no_fill && !is_packed(file, &then.vars[varid]);

    then.numrecs = first + n;
    int64_t need = pcdf_layout_file_end(&file->layout, &then);
    int status = need >= file->most ? no_room(file, need) : flush(file);
    if (status)
        return status;
    pcdf_meaning_fill(&then.vars[varid], fill);
    if (!is_padded || *fill == 0)
        n = rows_there(file, varid) < first + n ? rows_there(file, varid) - first : n;
    return repeat(sink, varid, first, n, zeros);
}

static int write_header(struct pcdf_gen_file *file)
{
    unsigned char *bytes = pcdf_calloc(1, (size_t)file->layout.header_size + 4);

    if (!bytes)
        return pcdf_tool_unusable(file->output.path, "no memory for its header");
    pcdf_encode(file->meta, &file->layout, bytes);
    int status = put_bytes(file, 0, bytes, file->layout.header_size);
    pcdf_free(bytes);
    return status;
}

/* A few lines of text can ask for a file that no disk holds: that is known before its first byte, or, where
 * records ask for it, before the disk is full. */
static int check_room(struct pcdf_gen_file *file)
{
    int64_t need = pcdf_layout_file_end(&file->layout, file->meta), there;

    if (file->most == 0)
        file->most = INT64_MAX;
    if (!file->output.is_device && pcdf_filesystem_room(file->output.name, &there) && there < file->most)
        file->most = there;
    return need > file->most && !file->no_fill ? no_room(file, need) : PCDF_TOOL_GOOD;
}

static int prepare(struct pcdf_gen_file *file)
{
    file->fd = pcdf_posix_open(file->output.name, file->output.is_device ? O_WRONLY : O_RDWR);
    if (file->fd < 0)
        return failed(file);
    file->window = pcdf_malloc(WINDOW);
    file->fills = pcdf_malloc(WINDOW);
    if (!file->window || !file->fills)
        return pcdf_tool_unusable(file->output.path, "no memory to write it");
    int status = check_room(file);
    return status ? status : write_header(file);
}

int pcdf_gen_file_begin(struct pcdf_gen_file **out, const char *path, const struct pcdf_meta *meta,
                        bool no_fill, int64_t most)
{
    static const struct pcdf_alignment dense = { .v_align = 4, .r_align = 4 };
    struct pcdf_gen_file *file = pcdf_calloc(1, sizeof *file);

    if (!file)
        return pcdf_tool_unusable(path, "no memory to write it");
    *file = (struct pcdf_gen_file){ .sink = { meta, put_values, fill, zero },
                                    .meta = meta,
                                    .fd = -1,
                                    .at = -1,
                                    .no_fill = no_fill,
                                    .most = most };
    int status = PCDF_TOOL_BAD;
    if (pcdf_layout_build(&file->layout, meta, NULL, &dense))
        pcdf_tool_say(path, "%s", pcdf_fail_text());
    else
        status = pcdf_tool_output_begin(&file->output, path, true);
    if (!status)
        status = prepare(file);
    if (status)
        pcdf_gen_file_abandon(file);
    else
        *out = file;
    return status;
}

struct pcdf_gen_sink *pcdf_gen_file_sink(struct pcdf_gen_file *file)
{
    return &file->sink;
}

void pcdf_gen_file_abandon(struct pcdf_gen_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    pcdf_tool_output_abandon(&file->output);
    pcdf_layout_free(&file->layout);
    pcdf_free(file->window);
    pcdf_free(file->fills);
    pcdf_free(file);
}

/* With the padding of the variable that lies last. */
static int64_t size_of(const struct pcdf_gen_file *file)
{
    int64_t size = pcdf_layout_file_end(&file->layout, file->meta);
    bool is_packed = file->meta->nrecord_vars == 1 && file->meta->numrecs > 0;

    return is_packed ? size : pcdf_layout_padded(size);
}

/* A file that ends in a hole, or that was longer before a variable was given again, gets its length. */
static int settle(struct pcdf_gen_file *file)
{
    unsigned char field[8];
    int n = pcdf_encode_numrecs(file->meta->version, file->meta->numrecs, field);
    int status = put_bytes(file, 4, field, n);

    if (!status)
        status = flush(file);
    if (!status && !file->output.is_device && ftruncate(file->fd, size_of(file)))
        status = failed(file);
    int fd = file->fd;
    file->fd = -1;
    if (close(fd) && !status)
        status = failed(file);
    return status;
}

int pcdf_gen_file_end(struct pcdf_gen_file *file)
{
    int status = settle(file);

    if (!status)
        status = pcdf_tool_output_commit(&file->output);
    pcdf_gen_file_abandon(file);
    return status;
}
