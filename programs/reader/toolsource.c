/* See toolsource.h. */
#include "toolsource.h"
#include "alloc.h"
#include "filekind.h"
#include "numbers.h"
#include "onehint.h"
#include "posixio.h"
#include "rangestorage.h"
#include "source.h"
#include "status.h"
#include "toolsay.h"
#include "virtualstorage.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Who reads in the order of the file needs all chunks beside each other, so that each is decoded once. */
enum { LEAST_CACHE = 64 << 20, FEW_CHUNKS = 8 << 20, SENTENCE = 1000, MOST_OPEN = 16 };
static const int64_t most_cache = INT64_C(2) << 30;

struct seen {      /* what a name is */
    int status;    /* of looking; where it is not GOOD there is nothing more */
    bool is_there; /* an image; else the file is opened as a local classic one */
    int fd;        /* of a local classic file, from the look to its first open; -1: none */
    struct pcdf_image image;
    char sentence[SENTENCE]; /* why the status is not GOOD; "": another rank says it */
    const char *path;        /* in the list of pcdf_tool_sources_begin */
    bool is_told;            /* what was left out */
};

static struct {
    struct pcdf_tool_sharing sharing;
    struct seen *x;
    int n, nopen; /* nopen: of them have their file open */
} shared;

/* ---- looking */

/* What it is, and the kept sentence, without the path before it, which is said anyway. */
static int keep_why(struct seen *seen, const char *path, enum pcdf_source_kind kind, int err)
{
    const char *name = kind == PCDF_SOURCE_CLASSIC ? "" : pcdf_source_kind_name(kind);
    const char *text = pcdf_fail_text();
    size_t n = strlen(path);
    if (strncmp(text, path, n) == 0 && strncmp(text + n, ": ", 2) == 0)
        text += n + 2;
    if (!*name || strstr(text, name))
        snprintf(seen->sentence, SENTENCE, "%s", text);
    else
        snprintf(seen->sentence, SENTENCE, "this is %s %s; %s", pcdf_source_kind_article(kind), name, text);
    seen->is_there = false;
    return (err == NC_EREAD && *name) || err == NC_ENOTNC ? PCDF_TOOL_BAD : PCDF_TOOL_UNUSABLE;
}

/* Most files are local classic ones, which their first bytes tell: -1: it is none. O_NONBLOCK: as in
 * toolfile.c. */
static int open_classic(const char *path)
{
    unsigned char magic[4];
    struct stat st;
    int64_t got = 0;
    int fd = pcdf_posix_open(path, O_RDONLY | O_NONBLOCK);
    bool is_one = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
                  !pcdf_posix_move(fd, PCDF_GET, magic, sizeof magic, 0, &got, path) &&
                  pcdf_filekind_of_bytes(magic, (size_t)got) == PCDF_FILEKIND_CLASSIC;
    if (fd >= 0 && !is_one)
        close(fd);
    return is_one ? fd : -1;
}

/* The commands read an image as bytes, from its header on (toolfile.h); a far file has one. */
static int write_header(struct pcdf_image *image)
{
    int err = image->kind == PCDF_SOURCE_CLASSIC ? NC_NOERR : pcdf_image_write_header(image);
    if (err)
        pcdf_image_free(image);
    return err;
}

static int look(const char *path, struct seen *seen)
{
    struct pcdf_source look;
    char allows[4096];
    *seen = (struct seen){ .fd = open_classic(path) };
    if (seen->fd >= 0)
        return PCDF_TOOL_GOOD;
    int err = pcdf_source_look_to_read(path, &look);
    if (err == NC_ENOENT && !strstr(path, "://")) /* who opens the file says what a name of nothing may be */
        return PCDF_TOOL_GOOD;
    if (!err && look.kind == PCDF_SOURCE_CLASSIC && !look.is_far) {
        pcdf_source_close(&look);
        return PCDF_TOOL_GOOD;
    }
    look.allows = pcdf_onehint("pcdf_references", allows, sizeof allows) ? allows : NULL;
    if (!err) {
        err = look.kind == PCDF_SOURCE_CLASSIC ? pcdf_range_image(look.store, &seen->image)
                                               : pcdf_source_map(path, &look, &seen->image);
        if (!err)
            err = write_header(&seen->image);
        seen->is_there = !err;
        pcdf_source_close(&look);
    }
    return err ? keep_why(seen, path, look.kind, err) : PCDF_TOOL_GOOD;
}

static void forget(struct seen *seen)
{
    if (seen->is_there)
        pcdf_image_free(&seen->image);
    if (seen->fd >= 0)
        close(seen->fd);
    *seen = (struct seen){ .fd = -1 };
}

/* Its file goes to who opens it; fd NULL: who needs none. */
static void give(struct seen *seen, int *fd)
{
    if (!fd)
        return;
    *fd = seen->fd;
    seen->fd = -1;
}

/* ---- looks before the open */

/* The next line of what was left out, and its length; NULL: no more. */
static const char *next_line(const char **at, size_t *n)
{
    const char *line = *at;
    if (!line || !*line)
        return NULL;
    *n = strcspn(line, "\n");
    *at = line + *n + (line[*n] != '\0');
    return line;
}

/* The sentence of what would be lost; false: nothing would. */
static bool tell_loss(const char *left_out, char sentence[SENTENCE])
{
    const char *first = NULL, *line;
    size_t n, length = 0;
    int more = 0;
    char others[40] = "";

    while ((line = next_line(&left_out, &n)))
        if (pcdf_image_is_loss(line, n) && first) {
            more++;
        } else if (pcdf_image_is_loss(line, n)) {
            first = line;
            length = n;
        }
    if (more > 0)
        snprintf(others, sizeof others, ", and %d more", more);
    if (first)
        snprintf(sentence, SENTENCE,
                 "%.*s%s: the copy has no place for this (--skip-unsupported leaves it out)",
                 (int)pcdf_smaller((int64_t)length, SENTENCE / 2), first, others);
    return first;
}

static void look_for_others(struct seen *seen, unsigned char **bytes, int64_t *n)
{
    if (!pcdf_image_encode(&seen->image, bytes, n))
        return;
    seen->status = PCDF_TOOL_UNUSABLE;
    snprintf(seen->sentence, SENTENCE, "%s", pcdf_fail_text());
}

int pcdf_tool_sources_look(int number, bool has_others, unsigned char **bytes, int64_t *n)
{
    struct seen *seen = &shared.x[number];
    const char *path = seen->path;

    *bytes = NULL;
    *n = 0;
    seen->status = look(path, seen);
    seen->path = path;
    if (seen->fd >= 0 &&
        (has_others || shared.nopen++ >= MOST_OPEN)) { /* others open what has the name then */
        close(seen->fd);
        seen->fd = -1;
    }
    if (seen->is_there && shared.sharing.needs_all && tell_loss(seen->image.left_out, seen->sentence))
        seen->status = PCDF_TOOL_UNUSABLE;
    else if (seen->is_there && has_others)
        look_for_others(seen, bytes, n);
    return seen->status;
}

void pcdf_tool_sources_take(int number, int status, const unsigned char *bytes, int64_t n)
{
    struct seen *seen = &shared.x[number];

    seen->status = status;
    if (!bytes)
        return;
    seen->is_there = !pcdf_image_decode(bytes, n, &seen->image) && !write_header(&seen->image);
    if (seen->is_there)
        return;
    seen->status = PCDF_TOOL_UNUSABLE;
    snprintf(seen->sentence, SENTENCE, "%s", pcdf_fail_text());
}

int pcdf_tool_sources_begin(struct pcdf_tool_sharing sharing, int n, const char *const *paths)
{
    for (int i = 0; i < shared.n; i++)
        forget(&shared.x[i]);
    pcdf_free(shared.x);
    shared.x = pcdf_calloc((size_t)n + 1, sizeof *shared.x);
    shared.n = shared.x ? n : 0;
    shared.nopen = 0;
    shared.sharing = sharing;
    for (int i = 0; i < shared.n; i++)
        shared.x[i] = (struct seen){ .path = paths[i], .fd = -1 };
    return shared.x ? PCDF_TOOL_GOOD : pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
}

static struct seen *find(const char *path)
{
    for (int i = 0; i < shared.n; i++)
        if (strcmp(shared.x[i].path, path) == 0)
            return &shared.x[i];
    return NULL;
}

/* ---- opening */

static bool is_quiet;

void pcdf_tool_sources_tell(bool tells)
{
    is_quiet = !tells;
}

static void say_left_out(const char *path, const char *lines)
{
    const char *line;
    size_t n;
    while ((line = next_line(&lines, &n)))
        pcdf_tool_say(path, "%s%.*s", pcdf_image_is_loss(line, n) ? "left out: " : "", (int)n, line);
}

static int open_storage(struct pcdf_tool_source *s, const char *path)
{
    struct pcdf_shown shown = { .image = s->image };
    struct pcdf_storage_config config = {
        .path = path, .mode = PCDF_STORAGE_READ, .counts = &s->counts, .shown = &shown
    };
    if (!pcdf_tool_source_is_image(s))
        return pcdf_rangestorage.open(&config, &s->storage);
    shown.cache = shared.sharing.by_chunks
                      ? FEW_CHUNKS
                      : pcdf_larger(LEAST_CACHE, pcdf_smaller(most_cache, pcdf_virtual_band(s->image) +
                                                                              s->image->largest_chunk));
    return pcdf_virtualstorage.open(&config, &s->storage);
}

/* is_shared: the image stays in the list, else the source gets it. */
static int open_seen(const char *path, struct seen *seen, bool is_shared, struct pcdf_tool_source **source)
{
    struct pcdf_tool_source *s = pcdf_calloc(1, sizeof *s);
    if (!s)
        return pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    if (!is_shared)
        s->own = seen->image;
    s->image = is_shared ? &seen->image : &s->own;
    int err = open_storage(s, path);
    if (!err) {
        if (!seen->is_told && !is_quiet)
            say_left_out(path, s->image->left_out);
        seen->is_told = seen->is_told || !is_quiet;
        *source = s;
        return PCDF_TOOL_GOOD;
    }
    struct seen why;
    int status = keep_why(&why, path, s->image->kind, err);
    (void)pcdf_tool_unusable(path, "%s", why.sentence);
    pcdf_free(s);
    return status;
}

int pcdf_tool_source_open(const char *path, struct pcdf_tool_source **source, int *fd)
{
    struct seen own, *seen = find(path);
    bool is_shared = seen;
    *source = NULL;
    if (!is_shared) {
        seen = &own;
        seen->status = look(path, seen);
    }
    if (seen->status && *seen->sentence)
        (void)pcdf_tool_unusable(path, "%s", seen->sentence);
    int status = seen->status;
    if (!status && seen->is_there)
        status = open_seen(path, seen, is_shared, source);
    give(seen, fd);
    if (!is_shared && !*source)
        forget(seen);
    return status;
}

void pcdf_tool_source_close(struct pcdf_tool_source *source)
{
    if (!source)
        return;
    (void)pcdf_storage_close(source->storage);
    if (source->image == &source->own)
        pcdf_image_free(&source->own);
    pcdf_free(source);
}

bool pcdf_tool_source_is_image(const struct pcdf_tool_source *source)
{
    return source && source->image->kind != PCDF_SOURCE_CLASSIC;
}
