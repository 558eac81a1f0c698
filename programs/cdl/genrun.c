/* One run of gen: text -> header, sink, data, end. See gen.h. */
#include "alloc.h"
#include "filekind.h"
#include "gen.h"
#include "posixio.h"
#include "tool.h"
#include "toolfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>

struct run {
    const struct pcdf_gen *gen;
    struct pcdf_cdl_parser parser;
    struct pcdf_cdl_fault fault;
    struct pcdf_meta meta;
    const char *shown; /* the text's name */
    int fd, reading;   /* reading: errno of what failed */
    int64_t *rows;
    char *name; /* of the output, made from the title */
    struct pcdf_gen_file *file;
    struct pcdf_gen_program *program;
    struct pcdf_gen_sink nothing, *sink;
};

static int put_nothing(struct pcdf_gen_sink *sink, int varid, int64_t first, int64_t n,
                       const unsigned char *bytes)
{
    (void)sink, (void)varid, (void)first, (void)n, (void)bytes;
    return PCDF_TOOL_GOOD;
}

static int fill_nothing(struct pcdf_gen_sink *sink, int varid, int64_t first, int64_t n)
{
    (void)sink, (void)varid, (void)first, (void)n;
    return PCDF_TOOL_GOOD;
}

static int read_text(void *context, char *room, size_t size, size_t *got)
{
    struct run *run = context;
    ssize_t n;

    do
        n = read(run->fd, room, size);
    while (n < 0 && errno == EINTR);
    if (n < 0) {
        run->reading = errno;
        return PCDF_FAIL(NC_EREAD, "%s", strerror(errno));
    }
    *got = (size_t)n;
    return NC_NOERR;
}

/* --- what is wrong with the text --------------------------------------------------------------------------
 */

/* Columns of a terminal that print_text uses for text[0..n). */
static int width_of(const char *text, size_t n)
{
    int width = 0;

    for (size_t i = 0; i < n;) {
        utf8proc_int32_t point;
        utf8proc_ssize_t length =
            utf8proc_iterate((const utf8proc_uint8_t *)text + i, (utf8proc_ssize_t)(n - i), &point);
        bool is_plain = length > 0 && point >= 0x20 && !(point >= 0x7F && point < 0xA0);
        width += is_plain ? utf8proc_charwidth(point) : 4 * (int)(length > 0 ? length : 1);
        i += (size_t)(length > 0 ? length : 1);
    }
    return width;
}

/* As pcdf_tool_print, but for backslashes, of which CDL is full: they harm nothing. */
static void print_text(char *text)
{
    for (char *slash; (slash = strchr(text, '\\')) != NULL; text = slash + 1) {
        *slash = '\0';
        pcdf_tool_print(stderr, text);
        fputc('\\', stderr);
    }
    pcdf_tool_print(stderr, text);
}

/* The line and, below the place, a caret. A long line is shown in part. */
static void show_line(const struct run *run)
{
    char line[132];
    size_t place;

    pcdf_tokens_excerpt(&run->parser.ts, line, sizeof line, &place);
    if (!line[0])
        return;
    for (char *c = line; *c; c++)
        *c = (char)(*c == '\t' || *c == '\r' ? ' ' : *c);
    /* A part may begin inside a character. */
    char *start = line;
    while (start < line + place && ((unsigned char)*start & 0xC0) == 0x80)
        start++;
    int width = width_of(start, (size_t)(line + place - start));
    fputs("  ", stderr);
    print_text(start);
    fprintf(stderr, "\n  %*s^\n", width, "");
}

/* What is no text at all: a netCDF file, an archive. */
static const char *other_kind(const struct run *run, char room[PCDF_FILEKIND_ROOM])
{
    enum pcdf_filekind kind = run->fd == STDIN_FILENO ? PCDF_FILEKIND_OTHER : pcdf_filekind_of(run->shown);
    bool is_text = kind == PCDF_FILEKIND_CDL || kind == PCDF_FILEKIND_TEXT || kind == PCDF_FILEKIND_EMPTY;
    return is_text ? NULL : pcdf_filekind_say(kind, run->shown, room);
}

static int say_fault(struct run *run)
{
    char where[400], room[PCDF_FILEKIND_ROOM];
    const char *other = other_kind(run, room);

    if (run->reading)
        return pcdf_tool_unusable(run->shown, "%s", other ? other : strerror(run->reading));
    if (other) {
        pcdf_tool_say(run->shown, "%s", other);
    } else if (!run->gen->is_quiet) {
        snprintf(where, sizeof where, "%.300s:%d:%d", run->shown, run->fault.line, run->fault.column);
        pcdf_tool_say(where, "%s", run->fault.text);
        show_line(run);
    }
    return run->fault.code == NC_ENOMEM ? PCDF_TOOL_UNUSABLE : PCDF_TOOL_BAD;
}

/* --- the steps --------------------------------------------------------------------------------------------
 */

static int open_text(struct run *run)
{
    const char *path = run->gen->path;
    bool is_stdin = !path || strcmp(path, "-") == 0;

    run->shown = is_stdin ? "standard input" : path;
    run->fd = is_stdin ? STDIN_FILENO : pcdf_posix_open(path, O_RDONLY);
    if (run->fd < 0)
        return pcdf_tool_unusable(run->shown, "%s",
                                  errno == ENOENT ? pcdf_tool_why(path, strerror(errno)) : strerror(errno));
    run->parser = (struct pcdf_cdl_parser){ .meta = &run->meta,
                                            .empty_text = PCDF_CDL_NUL,
                                            .is_forced = run->gen->version != 0,
                                            .version = run->gen->version };
    if (!pcdf_tokens_open(&run->parser.ts, NULL, 0, read_text, run, &run->fault))
        return PCDF_TOOL_GOOD;
    return pcdf_tool_unusable(run->shown, "no memory to read it");
}

/* What the output is called after: the text's file without its folder and extension, or its title. */
static const char *stem_of(const struct run *run, size_t *length)
{
    const char *stem = run->parser.title;

    if (!run->gen->after_title && run->fd != STDIN_FILENO) {
        const char *slash = strrchr(run->gen->path, '/');
        stem = slash ? slash + 1 : run->gen->path;
        const char *dot = strrchr(stem, '.');
        *length = dot && dot > stem ? (size_t)(dot - stem) : strlen(stem);
        return stem;
    }
    *length = strlen(stem);
    return strchr(stem, '/') || stem[0] == '.' || stem[0] == '-' ? "" : stem; /* a title may lead elsewhere */
}

static int name_output(struct run *run, const char **path)
{
    size_t length;
    const char *stem = stem_of(run, &length);

    *path = run->gen->output;
    if (*path)
        return PCDF_TOOL_GOOD;
    if (!*stem)
        return pcdf_tool_unusable(run->shown, "its word behind netcdf is no name for a file: say -o FILE");
    run->name = pcdf_malloc(length + 16);
    if (!run->name)
        return pcdf_tool_unusable(run->shown, "no memory for a name");
    snprintf(run->name, length + 16, "%.*s%s", (int)length, stem, run->gen->suffix);
    *path = run->name;
    return PCDF_TOOL_GOOD;
}

/* Is the output the text itself? */
static bool is_text(const struct run *run, const char *path)
{
    struct stat text, output;

    return fstat(run->fd, &text) == 0 && S_ISREG(text.st_mode) && stat(path, &output) == 0 &&
           text.st_dev == output.st_dev && text.st_ino == output.st_ino;
}

static int begin_sink(struct run *run)
{
    const struct pcdf_meta *meta = &run->meta;
    const char *path;
    int status = run->gen->what == PCDF_GEN_CHECK ? PCDF_TOOL_GOOD : name_output(run, &path);

    run->nothing = (struct pcdf_gen_sink){ meta, put_nothing, fill_nothing, fill_nothing };
    run->sink = &run->nothing;
    if (status || run->gen->what == PCDF_GEN_CHECK)
        return status;
    if (run->gen->what == PCDF_GEN_FILE && is_text(run, path))
        return pcdf_tool_unusable(path, "the file would replace the text that it is made from: say -o FILE");
    if (run->gen->what == PCDF_GEN_C) {
        status = pcdf_gen_program_begin(&run->program, stdout, path, meta, run->gen->no_fill);
        run->sink = status ? NULL : pcdf_gen_program_sink(run->program);
        return status;
    }
    status = pcdf_gen_file_begin(&run->file, path, meta, run->gen->no_fill, run->gen->most);
    run->sink = status ? NULL : pcdf_gen_file_sink(run->file);
    return status;
}

static int read_data(struct run *run)
{
    int said = PCDF_TOOL_GOOD;

    run->rows = pcdf_malloc(((size_t)run->meta.nvars + 1) * sizeof *run->rows);
    if (!run->rows)
        return pcdf_tool_unusable(run->shown, "no memory for its variables");
    for (int i = 0; i < run->meta.nvars; i++)
        run->rows[i] = -1;
    if (!run->parser.has_data || !pcdf_gen_data(&run->parser, run->sink, run->rows, &said))
        return PCDF_TOOL_GOOD;
    return said ? said : say_fault(run);
}

/* What no assignment gave: whole variables, unless fill values are not wanted there, and the records that
 * others have more of. */
static int fill_rest(struct run *run)
{
    int status = PCDF_TOOL_GOOD;

    for (int i = 0; i < run->meta.nvars && !status; i++) {
        int64_t row = pcdf_gen_row(&run->meta, i), rows = run->meta.vars[i].is_record ? run->meta.numrecs : 1;
        int64_t given = run->rows[i] < 0 ? 0 : run->rows[i];
        bool is_wanted = run->rows[i] >= 0 || !run->gen->no_fill;
        if (rows > given && is_wanted)
            status = run->sink->fill(run->sink, i, given * row, (rows - given) * row);
    }
    return status;
}

static int generate(struct run *run)
{
    int status = open_text(run);
    if (status)
        return status;
    if (pcdf_cdl_read_header(&run->parser))
        return say_fault(run);
    /* Records are counted as they come; what a comment says stands where nothing could come. */
    if (run->meta.nrecord_vars > 0)
        run->meta.numrecs = 0;
    status = begin_sink(run);
    if (!status)
        status = read_data(run);
    if (status)
        return status;
    for (int i = 0; i < run->meta.nvars; i++)
        if (run->meta.vars[i].is_record && run->rows[i] > run->meta.numrecs)
            run->meta.numrecs = run->rows[i];
    status = fill_rest(run);
    if (!status && run->file) {
        status = pcdf_gen_file_end(run->file);
        run->file = NULL;
    } else if (!status && run->program) {
        status = pcdf_gen_program_end(run->program);
        run->program = NULL;
    }
    return status;
}

int pcdf_gen_run(const struct pcdf_gen *gen)
{
    struct run run = { .gen = gen, .fd = -1 };

    pcdf_meta_init(&run.meta, PCDF_CDF5);
    int status = generate(&run);
    if (run.file)
        pcdf_gen_file_abandon(run.file);
    if (run.program)
        pcdf_gen_program_abandon(run.program);
    if (run.fd > STDERR_FILENO)
        close(run.fd);
    pcdf_cdl_parser_free(&run.parser);
    pcdf_meta_free(&run.meta);
    pcdf_free(run.rows);
    pcdf_free(run.name);
    return status;
}
