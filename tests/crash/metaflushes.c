/* Flushes of HDF5's metadata (define/metajournal.h), as tests/virtual/h5meta_write.c made them, come into a
 * file again, with the shim.
 *
 *   metaflushes run FILE OPERATIONS LOG
 *       recorded, for `judge metadata 1`. A FILE that is there is what the operations begin with. Flushes
 *       that are no valid metadata come last, of sectors.
 *
 *   metaflushes replay FILE OPERATIONS LOG
 *       the same without these
 *
 *   metaflushes recover FILE -
 *
 *   metaflushes fail FILE OPERATIONS
 *       Each write, sync, open and removal of each flush fails, in several ways. The file is of before, new,
 *       or refused until it is recovered, and what the flush returned is true. */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "check.h"
#include "filekind.h"
#include "metajournal.h"
#include "posixio.h"
#include "shimcontrol.h"
#include "shimlog.h"
#include "sidecar.h"
#include "status.h"
#include "storage.h"
#include "world.h"

/* ---- operations */

struct operation { /* in the order of this machine */
    int64_t what, at, n, new_end, nranges;
};

static struct bytes operations;
static const unsigned char *next;
static struct pcdf_h5range ranges[1 << 16];

static void take(void *to, int64_t n)
{
    memcpy(to, next, (size_t)n);
    next += n;
}

static bool take_operation(struct operation *o, const unsigned char **data)
{
    if (next + sizeof *o > operations.x + operations.n)
        return false;
    take(o, sizeof *o);
    *data = next;
    for (int64_t i = 0; i < o->nranges; i++) {
        take(&ranges[i].offset, 8);
        take(&ranges[i].length, 8);
        ranges[i].bytes = next;
        next += ranges[i].length;
    }
    next += o->what == 'W' ? o->n : 0;
    return true;
}

static struct pcdf_counts counts;

static struct pcdf_storage *open_storage(const char *path)
{
    const struct pcdf_storage_config config = { .path = path, .mode = PCDF_STORAGE_WRITE, .counts = &counts };
    struct pcdf_storage *s = NULL;
    CHECK_INT(pcdf_posixstorage.open(&config, &s), NC_NOERR);
    return s;
}

static int flush(const char *path, struct pcdf_storage *s, const struct operation *o)
{
    struct pcdf_sidecar_facts facts = { 0 };
    (void)pcdf_sidecar_inspect(path, &facts);
    const struct pcdf_metajournal_file file = {
        .storage = s, .path = path, .inode = facts.inode, .is_journalled = true
    };
    const struct pcdf_h5ranges all = { .x = ranges, .n = o->nranges };
    const struct pcdf_metajournal_flush f = { .ranges = &all,
                                              .old_end = o->at,
                                              .data_end = o->n,
                                              .new_end = o->new_end,
                                              .is_first = o->at == 0,
                                              .syncs = true };
    return pcdf_metajournal_root_apply(&file, &f);
}

/* Chunks behind the end; values that are changed in their place are no matter of the journal. */
static void write_chunk(struct pcdf_storage *s, const struct operation *o, const unsigned char *data,
                        int64_t known_end)
{
    if (o->at < known_end)
        return;
    CHECK_INT(pcdf_storage_move_at(s, PCDF_PUT, (void *)data, o->n, o->at, NULL), NC_NOERR);
}

/* ---- one run */

static void copy_file(const char *from, const char *to)
{
    struct bytes b = { 0 };
    (void)bytes_read(&b, from);
    FILE *out = fopen(to, "wb");
    CHECK(out && fwrite(b.x, 1, (size_t)b.n, out) == (size_t)b.n && fclose(out) == 0, "copying to %s", to);
    free(b.x);
}

static int64_t size_of(struct pcdf_storage *s)
{
    int64_t size = 0;
    CHECK_INT(pcdf_storage_size(s, &size), NC_NOERR);
    return size;
}

/* Two ranges in the first sector; then one that lies in two sectors, and room behind the end. */
static void flush_sectors(const char *path, struct pcdf_storage *s, int64_t end, shim_note_fn *say)
{
    static const unsigned char text[] = "sixty bytes, which are in two sectors: not one is lost, or is not";
    ranges[0] = (struct pcdf_h5range){ 100, 4, text };
    ranges[1] = (struct pcdf_h5range){ 200, 5, text };
    CHECK_INT(flush(path, s, &(struct operation){ 'F', end, end, end, 2 }), NC_NOERR);
    say("d");
    ranges[0] = (struct pcdf_h5range){ 1000, 60, text };
    CHECK_INT(flush(path, s, &(struct operation){ 'F', end, end, end + 700, 1 }), NC_NOERR);
    say("d");
    CHECK_INT(size_of(s), end + 700);
}

static int run(const char *path, const char *log, bool has_sector)
{
    shim_begin_fn *begin;
    shim_note_fn *say;
    struct operation o;
    const unsigned char *data;
    struct stat st = { 0 };
    char text[300];
    *(void **)&begin = dlsym(RTLD_DEFAULT, "pcdf_shim_begin");
    *(void **)&say = dlsym(RTLD_DEFAULT, "pcdf_shim_note");
    if (!begin || !say)
        return 2;
    int64_t known_end = 0;
    if (stat(path, &st) == 0) {
        snprintf(text, sizeof text, "%s.base", log);
        copy_file(path, text);
        known_end = st.st_size;
    }
    begin(log);
    snprintf(text, sizeof text, "base %llu", (unsigned long long)st.st_ino);
    say(text);
    snprintf(text, sizeof text, "name %s", strrchr(path, '/') + 1);
    say(text);
    if (!known_end)
        close(open(path, O_RDWR | O_CREAT | O_EXCL, 0644));
    struct pcdf_storage *s = open_storage(path);
    while (take_operation(&o, &data)) {
        if (o.what == 'W') {
            write_chunk(s, &o, data, known_end);
            continue;
        }
        if (o.n > size_of(s)) /* places without values */
            CHECK_INT(pcdf_storage_resize(s, o.n), NC_NOERR);
        CHECK_INT(pcdf_storage_sync(s, false), NC_NOERR);
        int err = flush(path, s, &o);
        CHECK(!err, "%d %s", err, pcdf_fail_text());
        if (!known_end)
            CHECK_INT(pcdf_sidecar_sync_folder(path), NC_NOERR);
        known_end = o.new_end;
        say("d");
    }
    if (has_sector)
        flush_sectors(path, s, known_end, say);
    CHECK_INT(pcdf_storage_close(s), NC_NOERR);
    return check_done("metaflushes");
}

/* ---- failures */

static struct bytes before, after, now;
static struct {
    long faults, failed, marked, recovered;
} seen;

static void put_file(const char *path, const struct bytes *b)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    CHECK(fd >= 0 && pwrite(fd, b->x, (size_t)b->n, 0) == (ssize_t)b->n, "writing %s", path);
    close(fd);
}

static bool is_like(const struct bytes *want, int64_t n)
{
    return now.n >= n && want->n >= n && memcmp(now.x, want->x, (size_t)n) == 0;
}

/* May this failure of a call end so? Those of ENOSPC and EDQUOT have codes of their own. */
static bool is_code(int err, int error)
{
    int want = error == ENOSPC ? NC_ENO_SPACE : error == EDQUOT ? NC_EQUOTA : NC_EWRITE;
    return err == want || err == NC_EACCESS || err == NC_EIO || err == NC_EREAD || err == NC_EFILE;
}

static void judge(const char *path, const struct operation *o, const char *order, int err, int error)
{
    CHECK(bytes_read(&now, path), "%s: %s is gone", order, path);
    bool is_new = is_like(&after, o->new_end), is_old = is_like(&before, o->at) && o->at > 0;
    bool is_other = now.n < 8 || memcmp(now.x, "\x89HDF\r\n\x1a\n", 8) != 0;
    CHECK(is_new || is_old || is_other, "%s: a file that is neither old nor new (%d)", order, err);
    CHECK(err || is_new, "%s: a flush that succeeds has not written", order);
    CHECK(!err || is_code(err, error), "%s: code %d %s", order, err, pcdf_fail_text());
    seen.failed += err != NC_NOERR;
    seen.marked += is_other;
    bool was = false;
    int again = pcdf_metajournal_root_recover(path, &was);
    CHECK(bytes_read(&now, path), "%s: %s is gone", order, path);
    seen.recovered += was;
    if (o->at == 0) /* a new file has nothing to lose */
        return;
    CHECK(!again, "%s: recovery %d %s", order, again, pcdf_fail_text());
    CHECK(is_like(&after, o->new_end) || is_like(&before, o->at), "%s: recovered to neither", order);
    CHECK(!is_new || is_like(&after, o->new_end), "%s: a flush was lost", order);
}

/* `o` with its ranges fails at each call of the kind, in turn. */
static void fail_each(const char *path, const struct operation *o, const char *kind, int error,
                      const char *name)
{
    long fired = 1;
    /* Short for ever, a write tears a sector; files are not safe from that. */
    int step = strcmp(name, "short") == 0 ? 2 : 1;
    for (int i = 2 + (step == 2); fired > 0; i += step) {
        char order[60];
        put_file(path, &before);
        struct pcdf_storage *s = open_storage(path);
        snprintf(order, sizeof order, "%s:%d%s:%s", kind, i / 2, i % 2 ? "" : "+", name);
        long had = shim_order(order);
        int err = flush(path, s, o);
        fired = shim_order(NULL) - had;
        (void)pcdf_storage_close(s);
        seen.faults += fired > 0;
        judge(path, o, order, err, error);
        if (!fired)
            CHECK_INT(err, NC_NOERR);
    }
}

static int fail(const char *path)
{
    static const struct {
        const char *kind, *name;
        int error;
    } ways[] = { { "write", "ENOSPC", ENOSPC }, { "write", "EIO", EIO },
                 { "write", "EDQUOT", EDQUOT }, { "write", "short", 0 },
                 { "sync", "EIO", EIO },        { "sync", "ENOSPC", ENOSPC },
                 { "open", "EACCES", EACCES },  { "allocate", "ENOSPC", ENOSPC },
                 { "unlink", "EIO", EIO },      { "read", "EIO", EIO },
                 { "any", "EIO", EIO },         { "any", "ENOSPC", ENOSPC } };
    struct operation o;
    const unsigned char *data;
    if (!shim_watch(path))
        return 2;
    (void)bytes_read(&before, path);
    while (take_operation(&o, &data)) {
        if (o.what == 'W') {
            if (o.at >= before.n)
                bytes_put(&before, o.at, data, o.n);
            continue;
        }
        if (o.n > before.n)
            bytes_size(&before, o.n);
        bytes_put(&after, 0, before.x, before.n);
        bytes_size(&after, before.n > o.new_end ? before.n : o.new_end);
        for (int64_t i = 0; i < o.nranges; i++)
            bytes_put(&after, ranges[i].offset, ranges[i].bytes, ranges[i].length);
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            fail_each(path, &o, ways[i].kind, ways[i].error, ways[i].name);
        bytes_size(&before, 0);
        bytes_put(&before, 0, after.x, after.n);
    }
    printf("%ld failures, %ld of them were told, %ld left a file that was refused, %ld were recovered\n",
           seen.faults, seen.failed, seen.marked, seen.recovered);
    return check_done("metaflushes");
}

static int recover(const char *path)
{
    CHECK(!pcdf_metajournal_root_recover(path, NULL), "%s", pcdf_fail_text());
    return check_done("metaflushes");
}

int main(int argc, char **argv)
{
    const char *what = argc > 3 ? argv[1] : "";
    if (strcmp(what, "recover") == 0)
        return recover(argv[2]);
    if (argc < 4 || !bytes_read(&operations, argv[3]))
        return 2;
    next = operations.x;
    if (argc == 5)
        return run(argv[2], argv[4], strcmp(what, "run") == 0);
    return fail(argv[2]);
}
