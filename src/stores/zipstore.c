/* A zip archive as a store: its members are objects, stored or deflated; also of more than 4 GiB (zip64). The
 * directory at the end says where they are; it is read when the archive is opened.
 *
 * Each member has a checksum (CRC-32) of all of it. It is compared where all of the member is read, at once
 * or in parts one after the other. Before the first part of a stored member of a local archive is given, all
 * of the member is compared, unless it is long: many ranks may each want a small part of it. Of other parts
 * nothing is compared. */

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "array.h"
#include "bytes.h"
#include "crc32c.h"
#include "loader.h"
#include "numbers.h"
#include "status.h"
#include "storekind.h"

enum {
    END = 22,
    END64 = 56,
    LOCATOR64 = 20,
    ENTRY = 46,
    LOCAL = 30,
    TAIL = 256 << 10, /* more than the end record, a comment of 65535 and the records of zip64: often the
                         directory, too */
    STORED = 0,
    DEFLATED = 8,
    GZIP_HEAD = 10,
    GZIP_TAIL = 8,
    SLACK = 4096,           /* bytes more of a member are read, rather than its header before */
    PROVED_MOST = 64 << 20, /* bytes of a local member that is compared before its first part is given */
    STEP = 1 << 18          /* bytes that are read for that at once */
};
static const int64_t directory_most = INT64_C(256) << 20, inflate_most = INT64_C(1) << 30;

struct member {
    const char *name; /* in the directory's bytes, with a NUL behind it */
    int method, flags;
    uint32_t crc;
    int64_t packed, size, header, limit; /* limit: where the next member begins, or the directory */
    int64_t data;                        /* where its bytes begin; -1: its header was not read yet */
    int64_t summed; /* so many of its first bytes were read one after the other, with this sum: */
    uint32_t sum;
    bool is_proved; /* all of it was compared, once */
};

struct zipstore {
    struct pcdf_store store;
    struct pcdf_store *archive;
    unsigned char *directory;
    PCDF_ARRAY(struct member) members; /* sorted by name */
    struct member whole;               /* the object "": references may lie in the archive itself */
};

/* One fetch on its way: that of the archive's bytes. */
struct want {
    struct pcdf_fetch inner;
    struct pcdf_fetch
        head; /* of the member's header, where that is asked for beside it; else without store */
    unsigned char header[LOCAL];
    int64_t slack; /* then the data begins up to so many bytes behind where `inner` has it */
    struct member *m;
    bool is_direct; /* its bytes come to where they are wanted; else they begin with the member's header, or
                       are packed */
};

static int damaged(const struct zipstore *z, const char *what)
{
    return PCDF_FAIL(NC_EREAD, "%s is a zip archive that is damaged, or none: %s", z->store.name, what);
}

static int bad_member(const struct zipstore *z, const struct member *m, const char *what)
{
    return PCDF_FAIL(NC_EREAD, "%s: \"%.200s\" in this zip archive is damaged: %s", z->store.name, m->name,
                     what);
}

static int read_at(struct pcdf_store *s, int64_t at, int64_t n, unsigned char *to)
{
    struct pcdf_fetch f = { .store = s, .key = "", .offset = at, .length = n, .to = to };
    pcdf_fetch_start(&f, 1);
    (void)pcdf_fetch_finish(&f, 1);
    if (!f.err && f.got != n)
        return PCDF_FAIL(NC_EREAD, "%s ends early", pcdf_store_name(s));
    return f.err;
}

/* ---- the directory */

struct place {
    int64_t at, length, entries;
    int64_t end; /* where the record begins that tells this */
    bool is_64;  /* it is that of zip64 */
};

/* The usual record has 16 bits for the number of entries. Some programs write more of them without zip64, and
 * there either the lowest bits or 65535. */
static bool is_count(const struct place *d, int64_t entries)
{
    return d->is_64
               ? d->entries == entries
               : d->entries == (entries & UINT16_MAX) || (d->entries == UINT16_MAX && entries > UINT16_MAX);
}

/* The end record of zip64, which the locator before the usual one leads to. d: what the usual one says. */
static int find_end64(struct zipstore *z, const unsigned char *locator, int64_t size, struct place *d)
{
    unsigned char end[END64];
    uint64_t at = pcdf_bytes_get_little(locator + 8, 8);
    if (at > (uint64_t)size || size - (int64_t)at < END64)
        return damaged(z, "the record of zip64 lies behind its end");
    PCDF_TRY(read_at(z->archive, (int64_t)at, END64, end));
    uint64_t entries = pcdf_bytes_get_little(end + 32, 8), length = pcdf_bytes_get_little(end + 40, 8),
             begin = pcdf_bytes_get_little(end + 48, 8);
    if (memcmp(end, "PK\6\6", 4) != 0 || length > (uint64_t)size || begin > (uint64_t)size ||
        entries > INT64_MAX || (d->entries != UINT16_MAX && d->entries != (int64_t)(entries & UINT16_MAX)))
        return damaged(z, "the record of zip64");
    *d = (struct place){ (int64_t)begin, (int64_t)length, (int64_t)entries, (int64_t)at, true };
    return NC_NOERR;
}

static int find_directory(struct zipstore *z, struct place *d)
{
    struct pcdf_pin pin;
    struct pcdf_fetch f = { .store = z->archive, .key = "", .length = TAIL, .from_end = true };
    pcdf_fetch_start(&f, 1);
    (void)pcdf_fetch_finish(&f, 1);
    int err = f.err ? f.err : pcdf_store_pin(z->archive, &pin);
    if (!err)
        z->whole = (struct member){ .name = "", .packed = pin.size, .size = pin.size, .limit = pin.size };
    const unsigned char *tail = f.to;
    int64_t n = f.got, i = n - END;
    while (!err && i >= 0 &&
           (memcmp(tail + i, "PK\5\6", 4) != 0 ||
            i + END + (int64_t)pcdf_bytes_get_little(tail + i + 20, 2) > n))
        i--;
    if (!err && i < 0)
        err = PCDF_FAIL(NC_ENOTNC, "%s is a zip archive that is cut, or none: there is no record at its end",
                        z->store.name);
    if (!err) {
        *d = (struct place){ (int64_t)pcdf_bytes_get_little(tail + i + 16, 4),
                             (int64_t)pcdf_bytes_get_little(tail + i + 12, 4),
                             (int64_t)pcdf_bytes_get_little(tail + i + 10, 2), pin.size - n + i, false };
        if (i >= LOCATOR64 && memcmp(tail + i - LOCATOR64, "PK\6\7", 4) == 0)
            err = find_end64(z, tail + i - LOCATOR64, pin.size, d);
    }
    pcdf_free(f.to);
    if (!err && (d->at > d->end || d->length != d->end - d->at))
        err = damaged(z, "its directory does not lie right before the record that tells where it is");
    if (!err && d->length > directory_most)
        err = PCDF_FAIL(NC_ENOTSUPPORT, "%s: its directory has %lld MiB, more than the %lld that are read",
                        z->store.name, (long long)d->length >> 20, (long long)directory_most >> 20);
    return err;
}

/* What does not fit into 32 bits stands in a field of zip64, in this order, each only where it is missing. */
static bool take_zip64(const unsigned char *extra, size_t n, struct member *m)
{
    for (size_t at = 0; at + 4 <= n;) {
        size_t length = (size_t)pcdf_bytes_get_little(extra + at + 2, 2), from = at + 4;
        if (length > n - from)
            return false;
        int64_t *const fields[] = { &m->size, &m->packed, &m->header };
        size_t end = from + length;
        for (int i = 0; pcdf_bytes_get_little(extra + at, 2) == 1 && i < 3; i++) {
            if (*fields[i] != UINT32_MAX)
                continue;
            if (from + 8 > end || pcdf_bytes_get_little(extra + from, 8) > INT64_MAX)
                return false;
            *fields[i] = (int64_t)pcdf_bytes_get_little(extra + from, 8);
            from += 8;
        }
        at = end;
    }
    return true;
}

/* One entry of the directory; its name gets a NUL in the place of what was read already. */
static int take_entry(struct zipstore *z, unsigned char *at, size_t left, size_t *taken)
{
    if (left < ENTRY || memcmp(at, "PK\1\2", 4) != 0)
        return damaged(z, "an entry of its directory");
    size_t name = (size_t)pcdf_bytes_get_little(at + 28, 2),
           extra = (size_t)pcdf_bytes_get_little(at + 30, 2),
           comment = (size_t)pcdf_bytes_get_little(at + 32, 2);
    *taken = ENTRY + name + extra + comment;
    if (*taken > left || memchr(at + ENTRY, '\0', name))
        return damaged(z, "an entry of its directory");
    struct member m = { .flags = (int)pcdf_bytes_get_little(at + 8, 2),
                        .method = (int)pcdf_bytes_get_little(at + 10, 2),
                        .crc = (uint32_t)pcdf_bytes_get_little(at + 16, 4),
                        .packed = (int64_t)pcdf_bytes_get_little(at + 20, 4),
                        .size = (int64_t)pcdf_bytes_get_little(at + 24, 4),
                        .header = (int64_t)pcdf_bytes_get_little(at + 42, 4),
                        .data = -1 };
    if (!take_zip64(at + ENTRY + name, extra, &m))
        return damaged(z, "a field of zip64");
    memmove(at, at + ENTRY, name);
    at[name] = '\0';
    m.name = (const char *)at;
    if (name == 0 || at[name - 1] == '/')
        return NC_NOERR;
    PCDF_TRY(PCDF_RESERVE(&z->members, z->members.n + 1));
    z->members.x[z->members.n++] = m;
    return NC_NOERR;
}

static int by_header(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    return (x->header > y->header) - (x->header < y->header);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct member *)a)->name, ((const struct member *)b)->name);
}

/* No two members may have the same bytes, or the same name: what one finds would depend on who reads it. */
static int check_members(struct zipstore *z, int64_t directory)
{
    struct member *m = z->members.x;
    size_t n = z->members.n;
    if (n == 0)
        return NC_NOERR;
    qsort(m, n, sizeof *m, by_header);
    for (size_t i = 0; i < n; i++) {
        m[i].limit = i + 1 < n ? m[i + 1].header : directory;
        if (m[i].header < 0 || m[i].header > m[i].limit || m[i].packed > m[i].limit - m[i].header - LOCAL)
            return bad_member(z, &m[i], "it overlaps what follows");
    }
    qsort(m, n, sizeof *m, by_name);
    for (size_t i = 0; i + 1 < n; i++)
        if (strcmp(m[i].name, m[i + 1].name) == 0)
            return bad_member(z, &m[i], "two members have the same name");
    return NC_NOERR;
}

/* All entries that its length has room for: a directory that has more of them than the record at the end
 * tells would lose members, which a reader takes for values that nobody wrote. */
static int read_directory(struct zipstore *z)
{
    struct place d;
    PCDF_TRY(find_directory(z, &d));
    z->directory = pcdf_malloc((size_t)d.length + 1);
    if (!z->directory)
        return NC_ENOMEM;
    PCDF_TRY(read_at(z->archive, d.at, d.length, z->directory));
    int64_t entries = 0;
    for (size_t at = 0, taken = 0; at < (size_t)d.length; at += taken, entries++)
        PCDF_TRY(take_entry(z, z->directory + at, (size_t)d.length - at, &taken));
    if (!is_count(&d, entries))
        return PCDF_FAIL(
            NC_EREAD, "%s is a damaged zip archive: its directory has %lld entries, and its end tells %lld",
            z->store.name, (long long)entries, (long long)d.entries);
    return check_members(z, d.at);
}

/* ---- members */

static struct member *find(struct zipstore *z, const char *key)
{
    struct member wanted = { .name = key };
    if (!*key)
        return &z->whole;
    return z->members.n ? bsearch(&wanted, z->members.x, z->members.n, sizeof wanted, by_name) : NULL;
}

static int check_kind(const struct zipstore *z, const struct member *m)
{
    if (m->flags & 1)
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: \"%.200s\" is encrypted", z->store.name, m->name);
    if (m->method != STORED && m->method != DEFLATED)
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: \"%.200s\" is packed by method %d, which is not read",
                         z->store.name, m->name, m->method);
    return m->method == STORED && m->packed != m->size ? bad_member(z, m, "it has two sizes") : NC_NOERR;
}

static int wrong_sum(const struct zipstore *z, const struct member *m)
{
    return bad_member(z, m, "its bytes have another checksum");
}

/* Where the bytes of a member begin, by its own header. */
static int take_header(struct zipstore *z, struct member *m, const unsigned char *header)
{
    int64_t data = m->header + LOCAL + (int64_t)pcdf_bytes_get_little(header + 26, 2) +
                   (int64_t)pcdf_bytes_get_little(header + 28, 2);
    if (memcmp(header, "PK\3\4", 4) != 0 || m->packed > m->limit - data)
        return bad_member(z, m, "its header");
    m->data = data;
    return NC_NOERR;
}

static int read_header(struct zipstore *z, struct member *m)
{
    unsigned char header[LOCAL];
    if (m->data >= 0)
        return NC_NOERR;
    PCDF_TRY(read_at(z->archive, m->header, LOCAL, header));
    return take_header(z, m, header);
}

/* Compares all of a stored member with its checksum, in memory that does not grow with it. */
static int prove(struct zipstore *z, struct member *m)
{
    unsigned char *bytes = pcdf_malloc(STEP);
    uint32_t sum = 0;
    int err = bytes ? read_header(z, m) : NC_ENOMEM;
    for (int64_t at = 0, n; !err && at < m->size; at += n) {
        n = pcdf_smaller(m->size - at, STEP);
        err = read_at(z->archive, m->data + at, n, bytes);
        if (!err)
            sum = pcdf_crc32(sum, bytes, (size_t)n);
    }
    pcdf_free(bytes);
    m->is_proved = !err && sum == m->crc;
    return err || m->is_proved ? err : wrong_sum(z, m);
}

/* Bytes that a fetch gives in the end. */
static int64_t there(const struct pcdf_fetch *f, const struct member *m)
{
    int64_t rest = pcdf_larger(0, m->size - f->offset);
    return f->length < 0 ? rest : pcdf_smaller(f->length, rest);
}

/* A part of a stored member of which the header was not read: between its name and its data there may be as
 * many bytes as it has room for. */
static int place_part(struct zipstore *z, struct member *m, struct want *w)
{
    int64_t first = m->header + LOCAL + (int64_t)strlen(m->name), last = m->limit - m->packed;
    if (first == last)
        m->data = first;
    else if (first < last && last - first <= SLACK) {
        w->slack = last - first;
        w->head = (struct pcdf_fetch){
            .store = z->archive, .key = "", .offset = m->header, .length = LOCAL, .to = w->header
        };
    } else
        return read_header(z, m);
    return NC_NOERR;
}

/* Which bytes of the archive are needed. */
static int plan(struct zipstore *z, struct pcdf_fetch *f, struct want *w)
{
    struct member *m = w->m;
    PCDF_TRY(check_kind(z, m));
    if (f->from_end)
        f->offset = pcdf_larger(0, m->size - f->length);
    if (f->offset < 0 || (f->length < 0 && m->size - f->offset > f->most))
        return PCDF_FAIL(NC_EREAD, "%s: \"%.200s\" has %lld bytes, more than the %lld that may be",
                         z->store.name, m->name, (long long)m->size, (long long)f->most);
    int64_t n = there(f, m);
    bool is_whole = f->offset == 0 && n == m->size;
    if (!is_whole && m != &z->whole && m->method == STORED && !m->is_proved && !z->store.is_far &&
        m->size <= PROVED_MOST)
        PCDF_TRY(prove(z, m));
    if (m->data < 0 && !is_whole && m->method == STORED)
        PCDF_TRY(place_part(z, m, w));
    w->is_direct = m->method == STORED && m->data >= 0;
    w->inner = (struct pcdf_fetch){ .store = z->archive, .key = "" };
    if (w->is_direct) {
        if (!f->to && !(f->to = pcdf_malloc((size_t)pcdf_larger(n, 1))))
            return NC_ENOMEM;
        w->inner.offset = m->data + f->offset;
        w->inner.length = n;
        w->inner.to = f->to;
    } else if (w->head.store) {
        w->inner.offset = m->header + LOCAL + (int64_t)strlen(m->name) + f->offset;
        w->inner.length = pcdf_smaller(n + w->slack, m->limit - w->inner.offset);
    } else { /* the header, and how much comes behind it that is no data is not known */
        w->inner.offset = m->header;
        w->inner.length = pcdf_smaller(m->limit - m->header, LOCAL + 2 * (int64_t)UINT16_MAX + m->packed);
    }
    return NC_NOERR;
}

static void zip_start(struct pcdf_store *s, struct pcdf_fetch *f, size_t n)
{
    struct zipstore *z = (struct zipstore *)s;
    struct pcdf_fetch *all = pcdf_calloc(2 * n, sizeof *all);
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        struct member *m = find(z, f[i].key);
        struct want *w = all && m ? pcdf_calloc(1, sizeof *w) : NULL;
        f[i].err = !m  ? PCDF_FAIL(NC_ENOENT, "%s has no \"%.200s\"", s->name, f[i].key)
                   : w ? NC_NOERR
                       : NC_ENOMEM;
        if (!w)
            continue;
        w->m = m;
        f[i].err = plan(z, &f[i], w);
        if (f[i].err) { /* zip_finish says why */
            pcdf_free(w);
            continue;
        }
        f[i].inner = w;
        all[k++] = w->inner;
        if (w->head.store)
            all[k++] = w->head;
    }
    pcdf_fetch_start(all, k);
    for (size_t i = 0, at = 0; i < n; i++) { /* in the same order */
        struct want *w = f[i].inner;
        if (w)
            w->inner = all[at++];
        if (w && w->head.store)
            w->head = all[at++];
    }
    pcdf_free(all);
}

/* A deflated member, by the codec of gzip: this has the same stream between a head and a sum. bytes: of the
 * archive from the member's header on, which is no shorter than gzip's head. */
static int inflate(struct zipstore *z, struct member *m, unsigned char **bytes, int64_t n,
                   unsigned char **out)
{
    static const unsigned char head[GZIP_HEAD] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };
    const struct pcdf_plugin *plugin;
    size_t came = 0, at = (size_t)(m->data - m->header) - GZIP_HEAD, end = at + GZIP_HEAD + (size_t)m->packed;
    if (m->size > inflate_most)
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: \"%.200s\" is deflated, and too large for that", z->store.name,
                         m->name);
    PCDF_TRY(pcdf_plugin_load("codecs", z->store.name, &plugin));
    const struct pcdf_plugin_codec *c = plugin->codecs;
    while (c && c->id && c->id != PCDF_CODEC_GZIP)
        c++;
    if (!c || !c->id)
        return PCDF_FAIL(NC_ENOTBUILT, "%s: the plug-in codecs does not undo deflate", z->store.name);
    if ((int64_t)end + GZIP_TAIL > n) {
        unsigned char *more = pcdf_realloc(*bytes, end + GZIP_TAIL);
        if (!more)
            return NC_ENOMEM;
        *bytes = more;
    }
    unsigned char *b = *bytes;
    memcpy(b + at, head, GZIP_HEAD);
    pcdf_bytes_put_little(b + end, m->crc, 4);
    pcdf_bytes_put_little(b + end + 4, (uint64_t)m->size, 4);
    *out = pcdf_malloc((size_t)m->size + 1);
    if (!*out)
        return NC_ENOMEM;
    int bad = c->decode(NULL, 0, b + at, end - at + GZIP_TAIL, *out, (size_t)m->size, &came);
    if (bad == 2)
        return PCDF_FAIL(NC_ENOMEM, "no memory to inflate");
    return bad || came != (size_t)m->size
               ? bad_member(z, m, "what was deflated has another length or checksum")
               : NC_NOERR;
}

/* The sum of a stored member, of which the next part came: it is compared where that was the last one. */
static int check_sum(struct zipstore *z, const struct pcdf_fetch *f, struct member *m)
{
    if (f->offset == 0)
        m->summed = m->sum = 0;
    if (m->method != STORED || m == &z->whole || f->offset != m->summed || (m->is_proved && f->got < m->size))
        return NC_NOERR;
    m->sum = pcdf_crc32(m->sum, f->to, (size_t)f->got);
    m->summed += f->got;
    return m->summed < m->size || m->sum == m->crc ? NC_NOERR : wrong_sum(z, m);
}

static int unpack(struct zipstore *z, struct pcdf_fetch *f, struct want *w)
{
    struct member *m = w->m;
    unsigned char *bytes = w->inner.to, *out = NULL;
    int64_t n = there(f, m);
    int err = w->inner.got < LOCAL ? bad_member(z, m, "it ends early") : take_header(z, m, bytes);
    int64_t begin = m->data - m->header;
    if (!err && (begin > w->inner.got || m->packed > w->inner.got - begin))
        err = bad_member(z, m, "it ends early");
    if (!err && !f->to && !(f->to = pcdf_malloc((size_t)pcdf_larger(n, 1))))
        err = NC_ENOMEM;
    if (!err && m->method == DEFLATED)
        err = inflate(z, m, &w->inner.to, w->inner.got, &out);
    if (!err && n > 0)
        memcpy(f->to, out ? out + f->offset : bytes + begin + f->offset, (size_t)n);
    pcdf_free(out);
    return err;
}

/* A part whose place its header tells, which came with it. */
static int cut_out(struct zipstore *z, struct pcdf_fetch *f, struct want *w)
{
    struct member *m = w->m;
    int64_t n = there(f, m);
    PCDF_TRY(w->head.got < LOCAL ? bad_member(z, m, "it ends early") : take_header(z, m, w->header));
    int64_t begin = m->data + f->offset - w->inner.offset;
    if (begin < 0 || begin > w->inner.got || n > w->inner.got - begin)
        return bad_member(z, m, "it ends early");
    if (!f->to && !(f->to = pcdf_malloc((size_t)pcdf_larger(n, 1))))
        return NC_ENOMEM;
    if (n > 0)
        memcpy(f->to, w->inner.to + begin, (size_t)n);
    return NC_NOERR;
}

/* Why a fetch was not begun: once more, since its sentence may be that of another one by now. */
static int why_not(struct zipstore *z, struct pcdf_fetch *f)
{
    struct member *m = find(z, f->key);
    struct want again = { .m = m };
    int err = m ? plan(z, f, &again) : PCDF_FAIL(NC_ENOENT, "%s has no \"%.200s\"", z->store.name, f->key);
    return f->err = err ? err : f->err;
}

static int zip_finish(struct pcdf_store *s, struct pcdf_fetch *f)
{
    struct zipstore *z = (struct zipstore *)s;
    struct want *w = f->inner;
    if (!w)
        return why_not(z, f);
    if (w->head.store)
        (void)pcdf_fetch_finish(&w->head, 1);
    (void)pcdf_fetch_finish(&w->inner, 1);
    f->err = w->inner.err ? w->inner.err : w->head.err; /* the sentence is that of the last one */
    f->size = w->m->size;
    if (!f->err && !w->is_direct)
        f->err = w->head.store ? cut_out(z, f, w) : unpack(z, f, w);
    f->got = there(f, w->m);
    if (!f->err && w->is_direct && w->inner.got != f->got)
        f->err = bad_member(z, w->m, "it ends early");
    if (!f->err)
        f->err = check_sum(z, f, w->m);
    if (!w->is_direct)
        pcdf_free(w->inner.to);
    pcdf_free(w);
    f->inner = NULL;
    return f->err;
}

static void zip_cancel(struct pcdf_store *s, struct pcdf_fetch *f)
{
    struct want *w = f->inner;
    (void)s;
    if (w)
        pcdf_fetch_cancel(&w->inner, 1);
    if (w && w->head.store)
        pcdf_fetch_cancel(&w->head, 1);
    pcdf_free(w);
    f->inner = NULL;
}

/* ---- the store */

/* The first member from i on that does not stand before the prefix, or, behind: not below it either. */
static size_t first_from(const struct zipstore *z, size_t i, const char *prefix, size_t n, bool behind)
{
    size_t end = z->members.n;
    while (i < end) {
        size_t middle = i + (end - i) / 2;
        int order = strncmp(z->members.x[middle].name, prefix, n);
        if (order < 0 || (behind && order == 0))
            i = middle + 1;
        else
            end = middle;
    }
    return i;
}

static int zip_list(struct pcdf_store *s, const char *prefix, int (*visit)(void *context, const char *key),
                    void *context)
{
    struct zipstore *z = (struct zipstore *)s;
    size_t n = strlen(prefix);
    for (size_t i = first_from(z, 0, prefix, n, false);
         i < z->members.n && strncmp(z->members.x[i].name, prefix, n) == 0;) {
        const char *name = z->members.x[i].name, *slash = strchr(name + n, '/');
        size_t length = slash ? (size_t)(slash - name) + 1 : strlen(name);
        char *key = pcdf_strndup(name, length);
        int err = key ? visit(context, key) : NC_ENOMEM;
        pcdf_free(key);
        PCDF_TRY(err);
        i = slash ? first_from(z, i, name, length, true) : i + 1;
    }
    return NC_NOERR;
}

static int zip_has(struct pcdf_store *s, const char *key, bool *has)
{
    *has = find((struct zipstore *)s, key) != NULL;
    return NC_NOERR;
}

static int zip_locate(struct pcdf_store *s, const char *key, int64_t *offset, int64_t *length)
{
    struct zipstore *z = (struct zipstore *)s;
    struct member *m = find(z, key);
    if (!m)
        return PCDF_FAIL(NC_ENOENT, "%s has no \"%.200s\"", s->name, key);
    PCDF_TRY(check_kind(z, m));
    if (m->method != STORED)
        return PCDF_FAIL(NC_ENOTSUPPORT, "%s: \"%.200s\" is packed", s->name, key);
    PCDF_TRY(read_header(z, m));
    *offset = m->data;
    *length = m->size;
    return NC_NOERR;
}

static int zip_pin(struct pcdf_store *s, struct pcdf_pin *pin)
{
    return pcdf_store_pin(((struct zipstore *)s)->archive, pin);
}

static void zip_close(struct pcdf_store *s)
{
    struct zipstore *z = (struct zipstore *)s;
    pcdf_store_close(z->archive);
    pcdf_free(z->members.x);
    pcdf_free(z->directory);
}

static const struct pcdf_store_ops zip_ops = {
    .kind = "zip archive",
    .has_keys = true,
    .pin = zip_pin,
    .has = zip_has,
    .locate = zip_locate,
    .list = zip_list,
    .start = zip_start,
    .finish = zip_finish,
    .cancel = zip_cancel,
    .close = zip_close,
};

int pcdf_zipstore_open(struct pcdf_store *archive, struct pcdf_store **s)
{
    struct zipstore *z;
    int err = pcdf_store_make(sizeof *z, &zip_ops, pcdf_store_name(archive), NULL, &z);
    if (err) {
        pcdf_store_close(archive);
        return err;
    }
    z->archive = archive;
    z->store.is_far = archive->is_far;
    err = read_directory(z);
    if (err)
        pcdf_store_close(&z->store);
    else
        *s = &z->store;
    return err;
}
