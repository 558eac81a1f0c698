/* stripes.h: what Lustre, BeeGFS and others tell of a file, from bytes that are made here, whole and damaged,
 * and which of a file's parts counts. The system's statfs, stat, getxattr and ioctl are this program's own.
 */

#include "check.h"
#include "stripes.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <sys/xattr.h>

static struct {
    uint32_t type; /* of every file system */
    long block;
    const unsigned char *layout;
    ssize_t layout_bytes;
    uint32_t chunk;
    uint16_t targets; /* of BeeGFS; 0: it does not tell */
} fake;

int statfs(const char *path, struct statfs *fs)
{
    (void)path;
    *fs = (struct statfs){ .f_type = fake.type };
    return 0;
}

int stat(const char *path, struct stat *st)
{
    (void)path;
    *st = (struct stat){ .st_blksize = fake.block };
    return 0;
}

ssize_t getxattr(const char *path, const char *name, void *value, size_t room)
{
    (void)path;
    errno = ENODATA;
    if (!fake.layout || strcmp(name, "lustre.lov") != 0)
        return -1;
    if (fake.layout_bytes > 0)
        memcpy(value, fake.layout, (size_t)fake.layout_bytes < room ? (size_t)fake.layout_bytes : room);
    return fake.layout_bytes;
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    unsigned char *to = va_arg(rest, unsigned char *);
    va_end(rest);
    (void)fd;
    errno = ENOTTY;
    if (request != 0x800c6619 || fake.targets == 0) /* _IOR('f', 25, 12 bytes) */
        return -1;
    memcpy(to + 4, &fake.chunk, 4);
    memcpy(to + 8, &fake.targets, 2);
    return 0;
}

enum { EXT = 0xef53, NFS = 0x6969, LUSTRE = 0x0bd00bd0, GPFS = 0x47504653, BEEGFS = 0x19830326 };
enum { V1 = 0x0bd10bd0, V3 = 0x0bd30bd0, PARTS = 0x0bd60bd0, GROWING = 0x0bd80bd0 };
enum { MIB = 1 << 20 };

static void put(unsigned char *at, uint64_t n, int bytes, bool is_big)
{
    for (int i = 0; i < bytes; i++)
        at[is_big ? bytes - 1 - i : i] = (unsigned char)(n >> 8 * i);
}

/* Magic, pattern, object (16 bytes), bytes of a stripe, stripes, generation. */
static void put_layout(unsigned char *at, uint32_t magic, uint32_t pattern, uint32_t bytes, uint32_t count,
                       bool is_big)
{
    put(at, magic, 4, is_big);
    put(at + 4, pattern, 4, is_big);
    put(at + 8, 0x12345678, 4, is_big);
    put(at + 24, bytes, 4, is_big);
    put(at + 28, count, 2, is_big);
    put(at + 30, 7, 2, is_big);
}

static struct pcdf_stripes look(const unsigned char *layout, ssize_t bytes)
{
    struct pcdf_stripes s;
    fake.layout = layout;
    fake.layout_bytes = bytes;
    pcdf_stripes_look(".", &s);
    fake.layout = NULL;
    return s;
}

static void check_part(const struct pcdf_stripes *s, int i, int64_t end, int64_t bytes, int64_t count)
{
    CHECK(i < s->n, "there are %" PRId64 " parts", s->n);
    CHECK_INT(s->piece[i].end, end);
    CHECK_INT(s->piece[i].bytes, bytes);
    CHECK_INT(s->piece[i].count, count);
}

static void one_part(void)
{
    static const struct {
        uint32_t magic, pattern, bytes, count;
        ssize_t length;
        int64_t want; /* targets; -1: nothing is known */
    } rows[] = {
        { V1, 1, 1 << 20, 4, 56, 4 },          { V3, 1, 3u << 30, 65534, 72, 65534 },
        { V1, 0x201, 1 << 20, 24, 56, 24 }, /* more stripes than targets: each is locked by itself */
        { V1, 1, 1 << 20, 0xffff, 56, 0 },  /* all there are: not told yet */
        { V1, 0x100, 1 << 20, 0, 56, 1 },   /* on the metadata server */
        { V1, 1, 1 << 20, 0, 56, 0 },          { V1, 1, 0, 4, 56, -1 },
        { V1, 1, 1 << 20, 4, 31, -1 },         { V1, 1, 1 << 20, 4, -1, -1 },
        { 0x0bd70bd0, 1, 1 << 20, 4, 56, -1 }, /* of another world */
        { 0x1234, 1, 1 << 20, 4, 56, -1 },
    };
    unsigned char layout[128];
    fake.type = LUSTRE;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int is_big = 0; is_big < 2; is_big++) {
            memset(layout, 0, sizeof layout);
            put_layout(layout, rows[i].magic, rows[i].pattern, rows[i].bytes, rows[i].count, is_big);
            struct pcdf_stripes s = look(layout, rows[i].length);
            CHECK(s.n == (rows[i].want >= 0), "row %zu: %" PRId64 " parts", i, s.n);
            CHECK_INT(s.are_locked, s.n);
            if (s.n > 0)
                check_part(&s, 0, INT64_MAX, rows[i].bytes, rows[i].want);
        }
}

static const struct part {
    uint32_t id, flags;
    uint64_t begin, end;
    uint32_t bytes, count;
} progressive[] = {
    { 0x10001, 0x10, 0, 4 * MIB, MIB, 1 },
    { 0x10002, 0x10, 4 * MIB, 64 * MIB, MIB, 4 },
    { 0x10003, 0, 64 * MIB, UINT64_MAX, 4 * MIB, 16 },
}, copies[] = { /* the first one is out of date, the third is another copy */
    { 0x10001, 0x11, 0, UINT64_MAX, MIB, 2 },
    { 0x20002, 0x10, 0, 64 * MIB, MIB, 3 },
    { 0x20003, 0x10, 64 * MIB, UINT64_MAX, MIB, 5 },
    { 0x30004, 0x10, 0, UINT64_MAX, MIB, 7 },
}, torn[] = { /* another copy does not go on where the first one ends */
    { 0x20002, 0x10, 0, 64 * MIB, MIB, 3 },
    { 0x30003, 0x10, 64 * MIB, UINT64_MAX, MIB, 5 },
}, growing[] = {
    { 1, 0x10, 0, 64 * MIB, MIB, 2 },
    { 2, 0x40, 64 * MIB, UINT64_MAX, 64 * MIB, 2 },
};

enum { ROOM = 4096, BLOB = 56 };

static ssize_t make_parts(unsigned char *at, uint32_t magic, const struct part *parts, int n, bool is_big)
{
    memset(at, 0, ROOM);
    ssize_t bytes = 32 + n * (48 + BLOB);
    put(at, magic, 4, is_big);
    put(at + 4, (uint64_t)bytes, 4, is_big);
    put(at + 14, (uint64_t)n, 2, is_big);
    for (int i = 0; i < n; i++) {
        unsigned char *entry = at + 32 + 48 * i;
        uint64_t blob = (uint64_t)(32 + 48 * n + BLOB * i);
        put(entry, parts[i].id, 4, is_big);
        put(entry + 4, parts[i].flags, 4, is_big);
        put(entry + 8, parts[i].begin, 8, is_big);
        put(entry + 16, parts[i].end, 8, is_big);
        put(entry + 24, blob, 4, is_big);
        put(entry + 28, BLOB, 4, is_big);
        put_layout(at + blob, V1, 1, parts[i].bytes, parts[i].count, is_big);
    }
    return bytes;
}

static void several_parts(void)
{
    unsigned char layout[ROOM];
    fake.type = LUSTRE;
    for (int is_big = 0; is_big < 2; is_big++) {
        ssize_t bytes = make_parts(layout, PARTS, progressive, 3, is_big);
        struct pcdf_stripes s = look(layout, bytes);
        CHECK_INT(s.n, 3);
        check_part(&s, 0, 4 * MIB, MIB, 1);
        check_part(&s, 1, 64 * MIB, MIB, 4);
        check_part(&s, 2, INT64_MAX, 4 * MIB, 16);
        CHECK_INT(pcdf_stripes_at(&s, 100, 200).count, 1);
        CHECK_INT(pcdf_stripes_at(&s, 0, 8 * MIB).count, 1);
        CHECK_INT(pcdf_stripes_at(&s, 0, 9 * MIB).count, 4);
        CHECK_INT(pcdf_stripes_at(&s, 60 * MIB, 70 * MIB).count, 16);
        CHECK_INT(pcdf_stripes_at(&s, INT64_MAX, INT64_MAX).count, 16);

        bytes = make_parts(layout, PARTS, copies, 4, is_big);
        s = look(layout, bytes);
        CHECK_INT(s.n, 2);
        check_part(&s, 0, 64 * MIB, MIB, 3);
        check_part(&s, 1, INT64_MAX, MIB, 5);

        bytes = make_parts(layout, PARTS, torn, 2, is_big);
        s = look(layout, bytes);
        CHECK_INT(s.n, 1);

        bytes = make_parts(layout, GROWING, growing, 2, is_big);
        s = look(layout, bytes);
        CHECK_INT(s.n, 1);
        check_part(&s, 0, 64 * MIB, MIB, 2);
        CHECK_INT(pcdf_stripes_at(&s, 100 * MIB, 200 * MIB).count, 2);
    }

    /* More parts than are kept: the last ones. */
    struct part many[20];
    for (int i = 0; i < 20; i++)
        many[i] = (struct part){ 1, 0, (uint64_t)i * MIB, (uint64_t)(i + 1) * MIB, MIB, (uint32_t)i + 1 };
    ssize_t bytes = make_parts(layout, PARTS, many, 20, false);
    struct pcdf_stripes s = look(layout, bytes);
    CHECK_INT(s.n, PCDF_STRIPES_PIECES);
    check_part(&s, PCDF_STRIPES_PIECES - 1, 20 * MIB, MIB, 20);
}

/* Every layout cut off everywhere, in memory of just that size, and random bytes in it: nothing is read that
 * is not there (the sanitizers look), and what is told makes sense. */
static void damaged(void)
{
    unsigned char layout[ROOM];
    fake.type = LUSTRE;
    for (int i = 0; i < 20000; i++) {
        bool is_big = i % 2;
        ssize_t bytes = i % 3 ? make_parts(layout, PARTS, progressive, 3, is_big)
                              : make_parts(layout, PARTS, copies, 4, is_big);
        if (i / 2 < bytes)
            bytes = i / 2;
        else
            for (int k = 0; k < 1 + i % 5; k++)
                layout[4 + random() % (bytes - 4)] = (unsigned char)(i % 7 ? random() : 255);
        unsigned char *exact = malloc((size_t)bytes + 1);
        memcpy(exact, layout, (size_t)bytes);
        struct pcdf_stripes s = look(exact, bytes);
        free(exact);
        CHECK(s.n >= 0 && s.n <= PCDF_STRIPES_PIECES, "%" PRId64 " parts", s.n);
        for (int64_t k = 0, end = 0; k < s.n; end = s.piece[k++].end) {
            CHECK(s.piece[k].end > end, "part %" PRId64 " ends at %" PRId64, k, s.piece[k].end);
            CHECK(s.piece[k].bytes > 0 && s.piece[k].count >= 0, "part %" PRId64, k);
        }
        if (s.n > 0)
            CHECK(pcdf_stripes_at(&s, 5, 1000).bytes > 0, "no part for some bytes");
    }
}

static void others(void)
{
    static const struct {
        uint32_t type;
        long block;
        uint16_t targets;
        int64_t want, count, are_locked;
    } rows[] = {
        { GPFS, 4 << 20, 0, 4 << 20, 0, 1 },
        { BEEGFS, 512 << 10, 4, 1 << 20, 4, 0 },
        { BEEGFS, 512 << 10, 0, 512 << 10, 0, 0 },
        { NFS, 1 << 20, 0, 1 << 20, 0, 0 },
        { NFS, 4096, 0, 0, 0, 0 },
        { EXT, 2 << 20, 9, 0, 0, 0 },
        { GPFS, 1L << 29, 0, 0, 0, 0 },
        { 0x123, 128 << 10, 9, 128 << 10, 0, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake.type = rows[i].type;
        fake.block = rows[i].block;
        fake.targets = rows[i].targets;
        fake.chunk = 1 << 20;
        struct pcdf_stripes s = look(NULL, 0);
        CHECK(s.n == (rows[i].want > 0), "row %zu: %" PRId64 " parts", i, s.n);
        CHECK_INT(s.are_locked, rows[i].are_locked);
        struct pcdf_stripe_piece part = pcdf_stripes_at(&s, 0, 100);
        CHECK_INT(part.bytes, rows[i].want);
        CHECK_INT(part.count, rows[i].count);
    }
}

int main(void)
{
    one_part();
    several_parts();
    damaged();
    others();
    return check_done("stripe_layouts");
}
