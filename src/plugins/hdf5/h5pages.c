/* libhdf5's file driver in memory: what was written since the last time it was given to the host, and what
 * was read. Raw data has its place from the library, which writes it.
 *
 * How libhdf5 (1.10.8) is led: without its aggregators every allocation asks `alloc`. No block ends where the
 * file does (APART), or libhdf5 would make it longer by set_eoa alone, where a chunk may be. A chunk that is
 * replaced frees its old place, which would go to a list of free space, from which a later chunk would get
 * its place without a question. So get_eoa says that the file ended where the old chunk ends: then libhdf5
 * gives the place back to the driver, and makes no list. */

#include "h5metafile.h"
#include <stdlib.h>
#include <string.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

enum {
    PAGE = 4096,
    WORDS = PAGE / 64,
    GAP = 256
}; /* GAP: so many bytes that did not change are given, too */

struct page {
    int64_t number;
    /* A bit for each byte. written: by libhdf5. What was only read may be raw data, since libhdf5 reads more
     * than it needs: it can be old by now, and is never given. */
    uint64_t known[WORDS], written[WORDS], changed[WORDS];
    unsigned char bytes[PAGE];
};

struct driver { /* libhdf5 fills in the public part */
    H5FD_t public_part;
};

static const struct pcdf_metadata_host *host;
static struct page **table; /* open addressing; a power of two of places */
static size_t npages, room;
static int64_t end, floor_of_free, stored; /* end of the file; of what is the library's; bytes that it has */
enum { MOST_SPACES = 32, APART = 8 };
static struct space { /* for metadata, that is still free */
    int64_t at, end;
} spaces[MOST_SPACES];
static int nspaces;
static int64_t old_size; /* of the file that was there: what is metadata behind it, is known */
static bool is_open;

static struct {
    bool is_on, was_asked, was_written, is_looking, was_read;
    int64_t offset, length, pretended_end;
} raw;

/* ---- pages */

static struct page **find(int64_t number)
{
    size_t at = (size_t)((uint64_t)number * 0x9E3779B97F4A7C15u >> 20) & (room - 1);
    while (table[at] && table[at]->number != number)
        at = (at + 1) & (room - 1);
    return &table[at];
}

static bool grow_table(void)
{
    size_t old_room = room;
    struct page **old = table, **more = calloc(room ? 2 * room : 1024, sizeof *more);
    if (!more)
        return false;
    table = more;
    room = room ? 2 * room : 1024;
    for (size_t i = 0; i < old_room; i++)
        if (old[i])
            *find(old[i]->number) = old[i];
    free(old);
    return true;
}

/* NULL: no memory. */
static struct page *page_of(int64_t number)
{
    if (2 * npages >= room && !grow_table())
        return NULL;
    struct page **p = find(number);
    if (!*p && (*p = calloc(1, sizeof **p))) {
        (*p)->number = number;
        npages++;
    }
    return *p;
}

static bool has_bit(const uint64_t *bits, size_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

/* The bits of [from, to) become ones. */
static void set_bits(uint64_t *bits, size_t from, size_t to)
{
    for (size_t i = from; i < to;)
        if (i % 64 == 0 && to - i >= 64) {
            bits[i / 64] = ~(uint64_t)0;
            i += 64;
        } else {
            bits[i / 64] |= (uint64_t)1 << (i % 64);
            i++;
        }
}

static bool has_all(const uint64_t *bits, size_t from, size_t to)
{
    for (size_t i = from; i < to;)
        if (i % 64 == 0 && to - i >= 64 && bits[i / 64] == ~(uint64_t)0)
            i += 64;
        else if (has_bit(bits, i))
            i++;
        else
            return false;
    return true;
}

/* What is not known yet of [from, to) is read; what cannot be metadata stays zeros. */
static bool learn(struct page *p, size_t from, size_t to)
{
    for (size_t i = from; i < to;) {
        size_t n = 0;
        int64_t at = p->number * PAGE + (int64_t)i;
        while (i + n < to && !has_bit(p->known, i + n) && at + (int64_t)n < old_size)
            n++;
        if (n > 0 && host->read(host->context, at, (int64_t)n, p->bytes + i))
            return false;
        set_bits(p->known, i, i + n);
        i += n + 1;
    }
    return true;
}

static bool read_pages(int64_t at, size_t n, unsigned char *to)
{
    for (size_t done = 0, part; done < n; done += part) {
        size_t from = (size_t)((at + (int64_t)done) % PAGE);
        struct page *p = page_of((at + (int64_t)done) / PAGE);
        part = PAGE - from < n - done ? PAGE - from : n - done;
        if (!p || (!has_all(p->known, from, from + part) && !learn(p, from, from + part)))
            return false;
        memcpy(to + done, p->bytes + from, part);
    }
    return true;
}

static void put_in_page(struct page *p, size_t from, size_t n, const unsigned char *bytes)
{
    if (has_all(p->written, from, from + n)) { /* what stays as it was is not given */
        size_t same = 0;
        while (same < n && p->bytes[from + same] == bytes[same])
            same++;
        while (n > same && p->bytes[from + n - 1] == bytes[n - 1])
            n--;
        from += same;
        bytes += same;
        n -= same;
    }
    memcpy(p->bytes + from, bytes, n);
    set_bits(p->known, from, from + n);
    set_bits(p->written, from, from + n);
    set_bits(p->changed, from, from + n);
}

static bool write_pages(int64_t at, size_t n, const unsigned char *bytes)
{
    for (size_t done = 0, part; done < n; done += part) {
        size_t from = (size_t)((at + (int64_t)done) % PAGE);
        struct page *p = page_of((at + (int64_t)done) / PAGE);
        part = PAGE - from < n - done ? PAGE - from : n - done;
        if (!p)
            return false;
        put_in_page(p, from, part, bytes + done);
    }
    return true;
}

/* ---- space for metadata */

static void drop_smallest(void)
{
    int smallest = 0;
    for (int i = 1; i < nspaces; i++)
        if (spaces[i].end - spaces[i].at < spaces[smallest].end - spaces[smallest].at)
            smallest = i;
    spaces[smallest] = spaces[--nspaces];
}

void pcdf_h5_pages_room(int64_t begin, int64_t to)
{
    int64_t least = begin + (begin == old_size ? APART : 0); /* others end blocks where the file ends */
    end = end > least ? end : least;
    floor_of_free = begin;
    for (int i = 0; i < nspaces; i++)
        if (spaces[i].end == begin) {
            spaces[i].end = to;
            return;
        }
    if (nspaces == MOST_SPACES)
        drop_smallest();
    if (begin < to)
        spaces[nspaces++] = (struct space){ begin, to };
}

int64_t pcdf_h5_pages_left(void)
{
    int64_t n = 0;
    for (int i = 0; i < nspaces; i++)
        n += spaces[i].end - spaces[i].at;
    return n;
}

/* -1: there is no space of so many bytes. */
static int64_t take_space(int64_t size)
{
    for (int i = 0; i < nspaces; i++) {
        int64_t at = (spaces[i].at + 7) & ~(int64_t)7;
        if (spaces[i].end - at >= size + APART) {
            spaces[i].at = at + size;
            return at;
        }
    }
    return -1;
}

/* What is behind the end of the file is the library's again. */
static void close_space(void)
{
    for (int i = 0; i < nspaces; i++)
        if (spaces[i].end > end)
            spaces[i].end = spaces[i].at;
}

/* ---- what changed */

static int compare_pages(const void *a, const void *b)
{
    int64_t x = (*(struct page *const *)a)->number, y = (*(struct page *const *)b)->number;
    return (x > y) - (x < y);
}

struct range { /* that is gathered */
    int64_t offset;
    unsigned char *bytes;
    size_t n, room;
};

static int give_range(struct range *r)
{
    int err = r->n > 0 ? host->give(host->context, r->offset, (int64_t)r->n, r->bytes) : 0;
    r->n = 0;
    return err;
}

/* Bytes that changed, from `from` on: how many; *from moves to the first. */
static size_t next_run(const struct page *p, size_t *from)
{
    size_t at = *from, n = 0;
    while (at < PAGE && !has_bit(p->changed, at))
        at += at % 64 == 0 && p->changed[at / 64] == 0 ? 64 : 1;
    *from = at;
    while (at + n < PAGE && has_bit(p->changed, at + n))
        n += (at + n) % 64 == 0 && p->changed[(at + n) / 64] == ~(uint64_t)0 ? 64 : 1;
    return n;
}

/* 0, the error of the host, or -1: no memory. */
static int give_page(struct range *r, struct page *p)
{
    int err = 0;
    for (size_t from = 0, n; !err && (n = next_run(p, &from)) > 0; from += n) {
        int64_t offset = p->number * PAGE + (int64_t)from, last = r->offset + (int64_t)r->n;
        size_t gap =
            r->n > 0 && offset - last <= GAP && offset - last <= (int64_t)from ? (size_t)(offset - last) : 0;
        if (gap > 0 && !has_all(p->written, from - gap, from))
            gap = 0;
        if (r->n > 0 && last + (int64_t)gap != offset)
            err = give_range(r);
        if (r->n == 0) {
            r->offset = offset;
            gap = 0;
        }
        if (r->n + gap + n > r->room) {
            size_t more = 2 * (r->n + gap + n);
            unsigned char *bytes = realloc(r->bytes, more);
            if (!bytes)
                return -1;
            r->bytes = bytes;
            r->room = more;
        }
        memcpy(r->bytes + r->n, p->bytes + from - gap, gap + n);
        r->n += gap + n;
    }
    memset(p->changed, 0, sizeof p->changed);
    return err;
}

static bool has_changed(void)
{
    bool is = false;
    for (size_t i = 0; i < room && !is; i++)
        for (size_t k = 0; k < WORDS && table[i] && !is; k++)
            is = table[i]->changed[k] != 0;
    return is;
}

int pcdf_h5_pages_give(int64_t *eof)
{
    static const unsigned char zero = 0;
    struct range r = { 0, NULL, 0, 0 };
    struct page **sorted, *last = NULL;
    size_t n = 0;
    int err = 0;
    if (!has_changed()) {
        close_space();
        *eof = floor_of_free;
        return 0;
    }
    if (end > stored &&
        end > floor_of_free) { /* the file has all bytes up to its end, also what nobody wrote */
        last = page_of((end - 1) / PAGE);
        if (last && !has_bit(last->known, (size_t)((end - 1) % PAGE)))
            put_in_page(last, (size_t)((end - 1) % PAGE), 1, &zero);
    }
    sorted = malloc((npages + 1) * sizeof *sorted);
    if (!sorted)
        return -1;
    for (size_t i = 0; i < room; i++)
        if (table[i])
            sorted[n++] = table[i];
    qsort(sorted, n, sizeof *sorted, compare_pages);
    for (size_t i = 0; i < n && !err; i++) {
        err = give_page(&r, sorted[i]);
        host->alive(host->context);
    }
    if (!err)
        err = give_range(&r);
    free(r.bytes);
    free(sorted);
    *eof = end;
    stored = stored > end ? stored : end;
    close_space();
    return err;
}

/* ---- raw data */

void pcdf_h5_pages_place(int64_t offset, int64_t length, int64_t freed, int64_t freed_length)
{
    memset(&raw, 0, sizeof raw);
    raw.is_on = true;
    raw.offset = offset;
    raw.length = length;
    raw.pretended_end = freed_length > 0 ? freed + freed_length : -1;
}

bool pcdf_h5_pages_placed(void)
{
    raw.is_on = false;
    raw.pretended_end = -1;
    return raw.was_asked && raw.was_written;
}

void pcdf_h5_pages_look(void)
{
    memset(&raw, 0, sizeof raw);
    raw.pretended_end = -1;
    raw.is_looking = true;
}

bool pcdf_h5_pages_seen(int64_t *offset, int64_t *length)
{
    raw.is_looking = false;
    *offset = raw.offset;
    *length = raw.length;
    return raw.was_read;
}

/* ---- the driver */

static H5FD_t *vfd_open(const char *name, unsigned flags, hid_t fapl, haddr_t most)
{
    (void)fapl, (void)most, (void)flags;
    struct driver *d = is_open || strcmp(name, "metadata") != 0 ? NULL : calloc(1, sizeof *d);
    is_open |= d != NULL;
    return d ? &d->public_part : NULL;
}

static herr_t vfd_close(H5FD_t *file)
{
    is_open = false;
    free(file);
    return 0;
}

static herr_t vfd_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = 0;
    return 0;
}

static haddr_t vfd_alloc(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, hsize_t size)
{
    (void)file, (void)dxpl;
    if (raw.is_on && !raw.was_asked && type == H5FD_MEM_DRAW && size == (hsize_t)raw.length) {
        raw.was_asked = true;
        raw.pretended_end = -1;
        return (haddr_t)raw.offset;
    }
    int64_t at, begin, to;
    if (size > (hsize_t)INT64_MAX / 4)
        return HADDR_UNDEF;
    while ((at = take_space((int64_t)size)) < 0) {
        host->room(host->context, &begin, &to);
        pcdf_h5_pages_room(begin, to);
    }
    end = end > at + (int64_t)size + APART ? end : at + (int64_t)size + APART;
    return (haddr_t)at;
}

static herr_t vfd_free(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t address, hsize_t size)
{
    (void)file, (void)type, (void)dxpl, (void)address, (void)size;
    return 0;
}

static haddr_t vfd_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)file;
    if (type == H5FD_MEM_DRAW && raw.pretended_end >= 0)
        return (haddr_t)raw.pretended_end;
    /* A chunk of one byte that is entered twice has two at first, perhaps beyond the end. */
    int64_t entered = type == H5FD_MEM_DRAW && raw.is_on ? raw.offset + raw.length : 0;
    return (haddr_t)(entered > end ? entered : end);
}

static herr_t vfd_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t address)
{
    (void)file, (void)type;
    end = (int64_t)address;
    return 0;
}

static haddr_t vfd_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)file, (void)type;
    return (haddr_t)(stored > end ? stored : end);
}

static herr_t vfd_read(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t n, void *to)
{
    (void)file, (void)dxpl;
    if (raw.is_looking && type == H5FD_MEM_DRAW) {
        raw.offset = (int64_t)address;
        raw.length = (int64_t)n;
        raw.was_read = true;
        return 0;
    }
    return address <= INT64_MAX / 2 && n <= INT64_MAX / 2 && read_pages((int64_t)address, n, to) ? 0 : -1;
}

static herr_t vfd_write(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t n,
                        const void *from)
{
    (void)file, (void)dxpl;
    if (raw.is_on && type == H5FD_MEM_DRAW && (int64_t)address == raw.offset && (int64_t)n == raw.length) {
        raw.was_written = true;
        return 0;
    } /* other raw data is the global heap */
    return address <= INT64_MAX / 2 && write_pages((int64_t)address, n, from) ? 0 : -1;
}

static herr_t vfd_truncate(H5FD_t *file, hid_t dxpl, hbool_t is_closing)
{
    (void)file, (void)dxpl, (void)is_closing;
    return 0;
}

/* Without a function `lock` libhdf5 does not say in a superblock of version 3 that the file is open: what a
 * flush leaves is a whole file, which others may read. */
static const H5FD_class_t driver_class = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)601,
#endif
    .name = "parcdf-metadata",
    .maxaddr = (haddr_t)1 << 62,
    .fc_degree = H5F_CLOSE_STRONG,
    .open = vfd_open,
    .close = vfd_close,
    .query = vfd_query,
    .alloc = vfd_alloc,
    .free = vfd_free,
    .get_eoa = vfd_get_eoa,
    .set_eoa = vfd_set_eoa,
    .get_eof = vfd_get_eof,
    .read = vfd_read,
    .write = vfd_write,
    .truncate = vfd_truncate,
    /* Space of raw data and of everything else: two lists of what is free. (H5FD_FLMAP_DICHOTOMY counts the
     * global heap, where texts and lists are, as raw data.) */
    .fl_map = { H5FD_MEM_SUPER, H5FD_MEM_SUPER, H5FD_MEM_SUPER, H5FD_MEM_DRAW, H5FD_MEM_SUPER, H5FD_MEM_SUPER,
                H5FD_MEM_SUPER },
};

int pcdf_h5_pages_start(const struct pcdf_metadata_host *of, hid_t *fapl)
{
    host = of;
    stored = old_size = of->size;
    end = floor_of_free = 0;
    nspaces = 0;
    memset(&raw, 0, sizeof raw);
    raw.pretended_end = -1;
    hid_t driver = grow_table() ? H5FDregister(&driver_class) : -1;
    *fapl = H5Pcreate(H5P_FILE_ACCESS);
    return driver < 0 || *fapl < 0 || H5Pset_driver(*fapl, driver, NULL) < 0 ? -1 : 0;
}

void pcdf_h5_pages_end(void)
{
    for (size_t i = 0; i < room; i++)
        free(table[i]);
    free(table);
    table = NULL;
    npages = room = 0;
}
