/* See stripes.h. Lustre tells its layout in an extended attribute, BeeGFS by an ioctl, others at least what
 * they like to have written at once, in st_blksize. All of it is looked at as bytes from a stranger. */

#include "stripes.h"
#include "bytes.h"
#include "filesystem.h"
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum {
    /* The longest there is: too little room is an error. */
    LAYOUT_ROOM = 65536,
    SHORTEST_BLOCK = 1 << 16,
    LONGEST_BLOCK = 1 << 28
};

/* ---- Lustre */

/* Fields of a layout (lustre_user.h): of one with one part, and of a list of parts. */
enum {
    MAGIC_1 = 0x0bd10bd0,
    MAGIC_3 = 0x0bd30bd0,
    MAGIC_PARTS = 0x0bd60bd0,
    MAGIC_GROWING = 0x0bd80bd0, /* some of its parts are room to grow */
    PATTERN = 4,
    SIZE = 24,
    COUNT = 28,
    HEAD = 32,
    ALL_TARGETS = 0xffff, /* a count: the server has not chosen yet */
    ON_METADATA_SERVER = 0x100,

    PARTS_COUNT = 14,
    PARTS_FIRST = 32,
    /* Fields of each part, from here on. */
    PART_ID = 0,
    PART_FLAGS = 4,
    PART_BEGIN = 8,
    PART_END = 16,
    PART_AT = 24,
    PART_BYTES = 28,
    PART_LENGTH = 48,
    IS_STALE = 0x01, /* flags: a copy that is out of date, */
    IS_ROOM = 0x40,  /* room to grow, */
    IS_PARITY = 0x80 /* no data */
};

struct bytes {
    const unsigned char *at;
    size_t n;
    /* As the machine that wrote it has them; it is little-endian today. */
    bool is_swapped;
};

/* 0 behind the end. */
static uint64_t number(const struct bytes *b, size_t at, size_t size)
{
    if (at > b->n || size > b->n - at)
        return 0;
    uint64_t x = pcdf_bytes_get(b->at + at, size);
    return !b->is_swapped ? x
           : size == 8    ? __builtin_bswap64(x)
           : size == 4    ? __builtin_bswap32((uint32_t)x)
                          : __builtin_bswap16((uint16_t)x);
}

/* A part up to `end`, of a layout that begins with its magic. Without sense, or without room: as if it were
 * not. */
static void add_part(struct pcdf_stripes *s, const struct bytes *b, size_t at, int64_t end)
{
    uint32_t magic = (uint32_t)number(b, at, 4);
    int64_t bytes = (int64_t)number(b, at + SIZE, 4), count = (int64_t)number(b, at + COUNT, 2);
    bool is_one = number(b, at + PATTERN, 4) & ON_METADATA_SERVER;
    if ((magic != MAGIC_1 && magic != MAGIC_3) || b->n - at < HEAD || bytes == 0)
        return;
    /* Most bytes of a large file are in its last parts. */
    if (s->n == PCDF_STRIPES_PIECES) {
        memmove(s->piece, s->piece + 1, (PCDF_STRIPES_PIECES - 1) * sizeof *s->piece);
        s->n--;
    }
    s->piece[s->n++] = (struct pcdf_stripe_piece){ end, bytes,
                                                   is_one                 ? 1
                                                   : count == ALL_TARGETS ? 0
                                                                          : count };
}

/* The parts of the first good copy of the file, in their order. */
static void add_parts(struct pcdf_stripes *s, const struct bytes *b)
{
    size_t parts = (size_t)number(b, PARTS_COUNT, 2);
    uint64_t copy = 0, end = 0;
    for (size_t i = 0; i < parts && PARTS_FIRST + (i + 1) * PART_LENGTH <= b->n; i++) {
        size_t part = PARTS_FIRST + i * PART_LENGTH, at = (size_t)number(b, part + PART_AT, 4);
        uint64_t of = number(b, part + PART_ID, 4) >> 16, part_end = number(b, part + PART_END, 8);
        if (number(b, part + PART_FLAGS, 4) & (IS_STALE | IS_ROOM | IS_PARITY))
            continue;
        copy = end == 0 ? of : copy;
        if (of != copy || number(b, part + PART_BEGIN, 8) < end || part_end <= end)
            continue;
        end = part_end;
        if (at < b->n && number(b, part + PART_BYTES, 4) >= HEAD)
            add_part(s, b, at, end > INT64_MAX ? INT64_MAX : (int64_t)end);
    }
}

static void look_lustre(const char *path, struct pcdf_stripes *s)
{
    unsigned char layout[LAYOUT_ROOM];
    ssize_t n = getxattr(path, "lustre.lov", layout, sizeof layout);
    struct bytes b = { layout, n < HEAD ? 0 : (size_t)n, false };

    b.is_swapped = (number(&b, 0, 4) & 0xffff) != 0x0bd0;
    uint32_t magic = (uint32_t)number(&b, 0, 4);
    if (magic == MAGIC_PARTS || magic == MAGIC_GROWING)
        add_parts(s, &b);
    else
        add_part(s, &b, 0, INT64_MAX);
    s->are_locked = s->n > 0;
}

void pcdf_stripes_like(const char *path, const char *like)
{
    /* What getxattr gives of a layout, setxattr takes for a file that has none yet: so do Lustre's own tar
     * and cp. Where the stripes begin is the server's choice again. */
    unsigned char layout[LAYOUT_ROOM];
    ssize_t n = getxattr(like, "lustre.lov", layout, sizeof layout);

    if (n > 0)
        (void)setxattr(path, "lustre.lov", layout, (size_t)n, 0);
}

/* ---- others */

/* BeeGFS: chunks go to the targets in turn. Its clients take no locks for writes. */
static void look_beegfs(const char *path, struct pcdf_stripes *s)
{
    struct {
        uint32_t pattern, bytes;
        uint16_t targets;
    } told = { 0 };
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (!ioctl(fd, _IOR('f', 25, told), &told) && told.bytes > 0) {
        s->piece[0] = (struct pcdf_stripe_piece){ INT64_MAX, told.bytes, told.targets };
        s->n = 1;
    }
    (void)close(fd);
}

void pcdf_stripes_look(const char *path, struct pcdf_stripes *s)
{
    const struct pcdf_filesystem *fs = pcdf_filesystem_at(path);
    struct stat st;
    *s = (struct pcdf_stripes){ 0 };
    /* There st_blksize says nothing of writers that wait for each other. */
    if (fs->is_local)
        return;
    look_lustre(path, s);
    if (s->n == 0 && fs->has_chunks)
        look_beegfs(path, s);
    if (s->n == 0 && !stat(path, &st) && st.st_blksize > SHORTEST_BLOCK && st.st_blksize <= LONGEST_BLOCK) {
        s->piece[0] = (struct pcdf_stripe_piece){ INT64_MAX, st.st_blksize, 0 };
        s->n = 1;
        s->are_locked = fs->locks_blocks;
    }
}

struct pcdf_stripe_piece pcdf_stripes_at(const struct pcdf_stripes *s, int64_t begin, int64_t end)
{
    struct pcdf_stripe_piece best = { 0 };
    int64_t most = -1, from = 0;
    for (int64_t i = 0; i < s->n; from = s->piece[i++].end) {
        int64_t last = i + 1 == s->n ? INT64_MAX : s->piece[i].end; /* behind the end: as at the end */
        int64_t has = (end < last ? end : last) - (begin > from ? begin : from);
        if (has <= most)
            continue;
        most = has;
        best = s->piece[i];
    }
    return best;
}
