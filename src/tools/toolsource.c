/* See toolsource.h. */
#include "toolsource.h"
#include "alloc.h"
#include "numbers.h"
#include "rangestorage.h"
#include "source.h"
#include "status.h"
#include "tool.h"
#include "virtualstorage.h"

#include <string.h>

/* Commands read in the order of the file: where all chunks beside each other are kept, each is decoded once.
 */
enum { LEAST_CACHE = 64 << 20 };
static const int64_t most_cache = INT64_C(2) << 30;

/* What it is, and the kept sentence, without the path before it, which is said anyway. */
static int say_why(const char *path, enum pcdf_source_kind kind, int err)
{
    const char *name = kind == PCDF_SOURCE_CLASSIC ? "" : pcdf_source_kind_name(kind);
    const char *lead = !*name ? "" : *name == 'H' || *name == 'N' ? "this is an " : "this is a ";
    const char *text = pcdf_fail_text();
    size_t n = strlen(path);
    if (strncmp(text, path, n) == 0 && strncmp(text + n, ": ", 2) == 0)
        text += n + 2;
    if (strstr(text, name))
        lead = "";
    (void)pcdf_tool_unusable(path, "%s%s%s%s", lead, *lead ? name : "", *lead ? "; " : "", text);
    return (err == NC_EREAD && *name) || err == NC_ENOTNC ? PCDF_TOOL_BAD : PCDF_TOOL_UNUSABLE;
}

static void say_left_out(const char *path, const char *lines)
{
    for (const char *end; lines && *lines; lines = *end ? end + 1 : end) {
        end = lines + strcspn(lines, "\n");
        pcdf_tool_say(path, "left out: %.*s", (int)(end - lines), lines);
    }
}

static int open_storage(struct pcdf_tool_source *s, const char *path)
{
    bool is_far = s->image.kind == PCDF_SOURCE_CLASSIC;
    struct pcdf_storage_config config = {
        .path = path, .mode = PCDF_STORAGE_READ, .counts = &s->counts, .image = &s->image
    };
    if (!is_far)
        config.chunk_cache = pcdf_larger(
            LEAST_CACHE, pcdf_smaller(most_cache, pcdf_virtual_band(&s->image) + s->image.largest_chunk));
    return (is_far ? &pcdf_rangestorage : &pcdf_virtualstorage)->open(&config, &s->storage);
}

static int make(const char *path, struct pcdf_source *source, struct pcdf_tool_source **made)
{
    struct pcdf_tool_source *s = pcdf_calloc(1, sizeof *s);
    if (!s)
        return NC_ENOMEM;
    int err = source->kind == PCDF_SOURCE_CLASSIC ? pcdf_range_image(source->store, &s->image)
                                                  : pcdf_source_map(path, source, &s->image);
    if (!err) {
        err = open_storage(s, path);
        if (err)
            pcdf_image_free(&s->image);
    }
    if (err)
        pcdf_free(s);
    else
        *made = s;
    return err;
}

int pcdf_tool_source_open(const char *path, struct pcdf_tool_source **source)
{
    struct pcdf_source look;
    *source = NULL;
    int err = pcdf_source_look(path, &look);
    if (err == NC_ENOENT && !strstr(path, "://")) /* who opens the file says what a name of nothing may be */
        return PCDF_TOOL_GOOD;
    if (!err && look.kind == PCDF_SOURCE_CLASSIC && !look.is_far) {
        pcdf_source_close(&look);
        return PCDF_TOOL_GOOD;
    }
    if (!err) {
        err = make(path, &look, source);
        pcdf_source_close(&look);
    }
    if (err)
        return say_why(path, look.kind, err);
    say_left_out(path, (*source)->image.left_out);
    return PCDF_TOOL_GOOD;
}

void pcdf_tool_source_close(struct pcdf_tool_source *source)
{
    if (!source)
        return;
    (void)pcdf_storage_close(source->storage);
    pcdf_image_free(&source->image);
    pcdf_free(source);
}
