/* See toollook.h. */
#include "toollook.h"
#include "alloc.h"
#include "decode.h"
#include "followheader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST = 4096, LOOKS = 8 };

struct header { /* the first bytes of the file that has the name now */
    FILE *file;
    struct stat st;
    unsigned char *bytes;
    int64_t n;
};

static bool is_marked(const unsigned char *bytes)
{
    return memcmp(bytes, "CDF", 3) == 0 && (bytes[3] & 0x80);
}

/* Bytes [0, n), afresh. */
static bool read_first(struct header *h, int64_t n)
{
    unsigned char *bytes = pcdf_realloc(h->bytes, (size_t)n);
    if (!bytes)
        return false;
    h->bytes = bytes;
    rewind(h->file);
    return (h->n = (int64_t)fread(bytes, 1, (size_t)n, h->file)) > 0;
}

static enum pcdf_tool_look_state open_header(struct header *h, const char *path)
{
    struct statx st;

    if (statx(AT_FDCWD, path, AT_STATX_FORCE_SYNC, STATX_TYPE, &st))
        return errno == ENOENT || errno == ENOTDIR ? PCDF_LOOK_ABSENT : PCDF_LOOK_NOT_OURS;
    if (!S_ISREG(st.stx_mode))
        return PCDF_LOOK_NOT_OURS;
    h->file = fopen(path, "rbe");
    if (!h->file)
        return errno == ENOENT ? PCDF_LOOK_ABSENT : PCDF_LOOK_NOT_OURS;
    setvbuf(h->file, NULL, _IONBF, 0); /* what is read is never older than the call */
    return fstat(fileno(h->file), &h->st) ? PCDF_LOOK_NOT_OURS : PCDF_LOOK_READY;
}

static enum pcdf_tool_look_state state_of(const struct header *h)
{
    static const unsigned char none[12];

    if (h->n < 12)
        return memcmp(h->bytes, "CDF", h->n < 3 ? (size_t)h->n : 3) == 0 ||
                       memcmp(h->bytes, none, (size_t)h->n) == 0
                   ? PCDF_LOOK_EMPTY
                   : PCDF_LOOK_NOT_OURS;
    if (memcmp(h->bytes, none, sizeof none) == 0)
        return PCDF_LOOK_EMPTY;
    if (memcmp(h->bytes, "CDF", 3) != 0)
        return PCDF_LOOK_NOT_OURS;
    return is_marked(h->bytes) ? PCDF_LOOK_MARKED : PCDF_LOOK_READY;
}

/* The header could not be read to its end, or is another one by now. */
static enum pcdf_tool_look_state unread(const struct header *h)
{
    enum pcdf_tool_look_state state = h->n > 0 ? state_of(h) : PCDF_LOOK_EMPTY;
    return state == PCDF_LOOK_READY ? PCDF_LOOK_TORN : state; /* no memory for what it claims to be */
}

/* The definitions of the whole header. */
static enum pcdf_tool_look_state decode(struct header *h, struct pcdf_meta *meta, struct pcdf_layout *layout)
{
    int64_t need = FIRST;

    while (need > 0) {
        struct pcdf_reading how = { .is_lenient = true };
        struct pcdf_fault fault = { 0 };
        if (need > h->n && (!read_first(h, need) || state_of(h) != PCDF_LOOK_READY))
            return unread(h);
        if (pcdf_decode(&how, h->bytes, (size_t)h->n, h->st.st_size, &need, meta, layout, &fault))
            return PCDF_LOOK_TORN;
        if (need > 0 && h->n < need && need > h->st.st_size)
            return PCDF_LOOK_TORN;
    }
    return PCDF_LOOK_READY;
}

/* The records that are counted; `known` where the number cannot be believed yet. */
static int64_t count(struct pcdf_tool_look *look, struct header *h, int64_t known, int64_t within)
{
    bool is_streaming;
    for (int i = 0; i < LOOKS; i++) {
        int64_t numrecs = pcdf_followheader_count(h->bytes, look->meta.version, &is_streaming);
        if (is_streaming)
            return within;
        if (pcdf_followheader_is_settled(numrecs, known, &look->upper))
            return numrecs;
        if (!read_first(h, 12) || h->n < 12)
            break;
    }
    return known;
}

static enum pcdf_tool_look_state look_at(struct pcdf_tool_look *look, struct header *h, bool *is_other,
                                         bool *is_redefined)
{
    struct pcdf_meta meta = { 0 };
    struct pcdf_layout layout = { 0 };
    enum pcdf_tool_look_state state;

    *is_other = look->has_seen && (h->st.st_dev != look->device || h->st.st_ino != look->inode);
    int64_t size = look->has_seen ? look->layout.header_size : FIRST;
    if (!read_first(h, size < 12 ? 12 : size))
        return PCDF_LOOK_EMPTY;
    if ((state = state_of(h)) != PCDF_LOOK_READY)
        return state;
    *is_redefined =
        !look->has_seen || *is_other || h->n < size || pcdf_followheader_hash(h->bytes, size) != look->hash;
    if (*is_redefined) {
        if ((state = decode(h, &meta, &layout)) != PCDF_LOOK_READY)
            return state;
        if (h->n < layout.header_size)
            return PCDF_LOOK_TORN;
        pcdf_layout_free(&look->layout);
        pcdf_meta_free(&look->meta);
        look->meta = meta;
        look->layout = layout;
        look->hash = pcdf_followheader_hash(h->bytes, layout.header_size);
    }
    bool is_first = !look->has_seen || *is_other;
    if (is_first)
        look->upper = -1;
    int64_t within = pcdf_followheader_records_within(&look->layout, &look->meta, h->st.st_size);
    int64_t counted = count(look, h, is_first ? 0 : look->counted, within);
    *is_other = *is_other || counted < look->counted;
    look->counted = counted;
    look->numrecs = look->meta.nrecord_vars > 0 && counted > within ? within : counted;
    look->size = h->st.st_size;
    look->device = h->st.st_dev;
    look->inode = h->st.st_ino;
    *is_redefined = *is_redefined && look->has_seen;
    look->has_seen = true;
    return PCDF_LOOK_READY;
}

enum pcdf_tool_look_state pcdf_tool_look_at(struct pcdf_tool_look *look, const char *path, bool *is_other,
                                            bool *is_redefined)
{
    struct header h = { 0 };
    enum pcdf_tool_look_state state = open_header(&h, path);

    if (state == PCDF_LOOK_READY)
        state = look_at(look, &h, is_other, is_redefined);
    if (h.file)
        fclose(h.file);
    pcdf_free(h.bytes);
    return state;
}

bool pcdf_tool_look_is_same(const struct pcdf_tool_look *look, const char *path)
{
    struct header h = { 0 };
    int64_t size = look->layout.header_size;
    bool same = open_header(&h, path) == PCDF_LOOK_READY && h.st.st_dev == look->device &&
                h.st.st_ino == look->inode && read_first(&h, size < 12 ? 12 : size) && h.n >= size &&
                state_of(&h) == PCDF_LOOK_READY && pcdf_followheader_hash(h.bytes, size) == look->hash;

    if (h.file)
        fclose(h.file);
    pcdf_free(h.bytes);
    return same;
}

void pcdf_tool_look_free(struct pcdf_tool_look *look)
{
    pcdf_layout_free(&look->layout);
    pcdf_meta_free(&look->meta);
}
