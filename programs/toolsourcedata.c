/* `parcdf check --data` of what is no local classic file: there are no checksums beside it; all of its values
 * are read, so that every chunk is fetched and decoded, and each that cannot be is said. */
#include "alloc.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"
#include "toolchunks.h"
#include "toolgrid.h"

#include <inttypes.h>

enum { BLOCK = 16 << 20 };

struct reading {
    const struct pcdf_tool_ranks *ranks;
    const char *path;
    struct pcdf_tool_source *source;
    int64_t max, said; /* sentences; max < 0: all */
    int status;
};

/* What cannot be read, and whether the file is damaged, or nobody knows. */
static void say(struct reading *r, int err)
{
    if (r->max < 0 || r->said < r->max)
        (void)pcdf_tool_unusable(r->path, "%s", pcdf_fail_text());
    r->said++;
    r->status = err == NC_EREAD && r->status != PCDF_TOOL_UNUSABLE ? PCDF_TOOL_BAD : PCDF_TOOL_UNUSABLE;
}

/* The range of this rank in the bytes, until something cannot be read. */
static int read_share(const struct reading *r, int64_t size)
{
    int64_t from, to;
    char *room = pcdf_malloc(BLOCK);
    int err = room ? NC_NOERR : NC_ENOMEM;
    pcdf_grid_share(size, r->ranks->rank, r->ranks->size, &from, &to);
    for (int64_t at = from, n; at < to && !err; at += n) {
        n = pcdf_smaller(BLOCK, to - at);
        err = pcdf_storage_move_at(r->source->storage, PCDF_GET, room, n, at, NULL);
    }
    pcdf_free(room);
    return err;
}

/* Of chunks dealt to the ranks in turn, each that cannot be read is said. */
static void read_chunks(struct reading *r)
{
    for (int varid = 0; varid < r->source->image->meta.nvars; varid++) {
        int64_t n = pcdf_tool_chunks_count(r->source, varid);
        for (int64_t k = r->ranks->rank; k < n && r->status != PCDF_TOOL_UNUSABLE; k += r->ranks->size) {
            int err = pcdf_tool_chunks_read(r->source, varid, k);
            if (err)
                say(r, err);
        }
    }
}

/* All bytes; where any rank finds damage, then chunk by chunk. */
static int read_all(struct reading *r, int64_t size)
{
    int err = read_share(r, size);
    int mine = !err ? PCDF_TOOL_GOOD : err == NC_EREAD ? PCDF_TOOL_BAD : PCDF_TOOL_UNUSABLE;
    int worst = pcdf_tool_worst_all(r->ranks, mine);
    bool is_image = pcdf_tool_source_is_image(r->source); /* the same on all ranks */
    if (mine != PCDF_TOOL_GOOD && !(worst == PCDF_TOOL_BAD && is_image))
        say(r, err);
    if (worst == PCDF_TOOL_BAD && is_image)
        read_chunks(r);
    int found = pcdf_tool_worst_all(r->ranks, r->status);
    if (found == PCDF_TOOL_GOOD && mine != PCDF_TOOL_GOOD) /* no chunk, but a value that is contiguous */
        say(r, err);
    return found > worst ? found : worst;
}

int pcdf_tool_check_source_all(const struct pcdf_tool_ranks *ranks, const char *path, bool quiet, int64_t max,
                               bool *is_source)
{
    struct pcdf_tool_source *source;
    int64_t size = 0;
    int status = pcdf_tool_source_open(path, &source, NULL);
    *is_source = status || source;
    if (!status && source && pcdf_storage_size(source->storage, &size))
        status = pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    status = pcdf_tool_agree_all(ranks, path, source ? 2 * (uint32_t)size + 1 : 0, status);
    if (status) /* the same on all ranks */
        *is_source = true;
    else if (source) {
        struct reading r = { .ranks = ranks, .path = path, .source = source, .max = max };
        status = read_all(&r, size);
        if (!status && !quiet && ranks->rank == 0) {
            pcdf_tool_print(stdout, path);
            printf(": data: good, all %" PRId64 " bytes of it can be read\n", size);
        }
    }
    pcdf_tool_source_close(source);
    return status;
}
