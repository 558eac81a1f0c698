/* See verdict.h. */
#include "verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "decode.h"
#include "filekind.h"

const char *const verdict_names[VERDICTS] = { "right", "refused", "WRONG", "LOST" };

enum { MARK = 0x80, ZEROS = 65536 };

/* ---- versions */

static void add_range(struct version *v, int64_t from, int64_t n)
{
    if (n <= 0)
        return;
    if (v->nranges && v->ranges[v->nranges - 1].to == from) {
        v->ranges[v->nranges - 1].to += n;
        return;
    }
    v->ranges = realloc(v->ranges, (size_t)(v->nranges + 1) * sizeof *v->ranges);
    v->ranges[v->nranges++] = (struct range){ from, from + n };
}

static void list_ranges(struct version *v, const struct pcdf_meta *meta, const struct pcdf_layout *layout,
                        unsigned ignored)
{
    for (int i = 0; i < meta->nvars; i++)
        if (!meta->vars[i].is_record && !(ignored >> i & 1))
            add_range(v, layout->begin[i], meta->vars[i].nbytes);
    for (int64_t r = 0; r < meta->numrecs; r++)
        for (int i = 0; i < meta->nvars; i++)
            if (meta->vars[i].is_record && !(ignored >> i & 1))
                add_range(v, layout->begin[i] + r * layout->recsize, meta->vars[i].nbytes);
}

/* As a reader does it that takes what is behind the end of a file for zeros. NULL: it is a file. */
static const char *parse(struct bytes *b, struct version *into, unsigned ignored)
{
    static struct pcdf_fault fault;
    struct pcdf_meta meta = { 0 };
    struct pcdf_layout layout = { 0 };
    int64_t need = 0, n = b->n;
    if (pcdf_filekind_of_bytes(b->x, (size_t)(n < 8 ? n : 8)) == PCDF_FILEKIND_HDF5) {
        if (into)
            into->header_size = into->least = n;
        return NULL;
    }
    bytes_size(b, n + ZEROS);
    int err = pcdf_decode(NULL, b->x, (size_t)b->n, b->n, &need, &meta, &layout, &fault);
    bytes_size(b, n);
    if (err)
        return fault.text;
    if (need)
        return "the header does not end";
    if (into) {
        into->header_size = layout.header_size;
        list_ranges(into, &meta, &layout, ignored);
    }
    pcdf_meta_free(&meta);
    pcdf_layout_free(&layout);
    return NULL;
}

void versions_start(struct world *w, const struct log *log, const struct bytes *base)
{
    uint64_t number = 0;
    for (size_t i = 0; i < log->n; i++) {
        const char *text = log_note_after(&log->x[i], "base ");
        const char *name = log_note_after(&log->x[i], "name ");
        if (text && i < log->n)
            number = strtoull(text, NULL, 10);
        if ((name = log_note_after(&log->x[i], "name ")) && number) {
            int f = world_add(w, number, name);
            bytes_put(&w->inodes[f].seen, 0, base->x, base->n);
            bytes_put(&w->inodes[f].stored, 0, base->x, base->n);
            number = 0;
        }
    }
}

static unsigned char byte_at(const struct bytes *b, int64_t i)
{
    return i < b->n ? b->x[i] : 0;
}

static bool same_bytes(const struct bytes *a, const struct bytes *b, int64_t from, int64_t to)
{
    int64_t both = a->n < b->n ? a->n : b->n;
    if (to <= both)
        return memcmp(a->x + from, b->x + from, (size_t)(to - from)) == 0;
    for (int64_t i = from; i < to; i++)
        if (byte_at(a, i) != byte_at(b, i))
            return false;
    return true;
}

static bool same_header(const struct version *a, const struct version *b)
{
    return a->is_there && b->is_there && a->header_size == b->header_size &&
           same_bytes(&a->image, &b->image, 0, a->header_size);
}

static bool add_version(struct versions *v, struct world *w, size_t at, bool is_durable)
{
    struct version one = { .is_durable = is_durable, .is_settled = true, .at = at };
    int f = world_seen(w, v->name);
    if (f >= 0) {
        one.is_there = true;
        bytes_put(&one.image, 0, w->inodes[f].seen.x, w->inodes[f].seen.n);
        const char *why = parse(&one.image, &one, v->ignored);
        if (why) {
            fprintf(stderr, "version %d of %s is no file: %s\n", v->n, v->name, why);
            return false;
        }
    }
    while (one.first_like < v->n && !same_header(&v->x[one.first_like], &one))
        one.first_like++;
    v->x = realloc(v->x, (size_t)(v->n + 1) * sizeof *v->x);
    v->x[v->n++] = one;
    return v->n <= MOST_VERSIONS;
}

bool versions_read(struct versions *v, const struct log *log, const struct bytes *base)
{
    struct world *w = calloc(1, sizeof *w);
    bool good = true, is_unsynced = false;
    long syncs = 0;
    *v = (struct versions){ 0 };
    for (size_t i = 0; i < log->n; i++) {
        const char *text;
        if ((text = log_note_after(&log->x[i], "ignore ")))
            v->ignored |= 1u << atoi(text);
        if ((text = log_note_after(&log->x[i], "name ")))
            snprintf(v->name, sizeof v->name, "%s", text);
        v->is_loose |= log_note_is(&log->x[i], "loose");
        v->is_unkept |= log_note_is(&log->x[i], "unkept");
        is_unsynced |= log_note_is(&log->x[i], "unsynced");
        syncs += log->x[i].r.op == SHIM_SYNC || log->x[i].r.op == SHIM_SYNC_FOLDER;
    }
    if (is_unsynced && syncs > 0)
        fprintf(stderr, "%s: %ld syncs of a new file that nobody asked to be kept\n", v->name, syncs);
    versions_start(w, log, base);
    good = add_version(v, w, 0, true);
    for (size_t i = 0; i < log->n && good && !w->trouble; i++) {
        world_step(w, log, i);
        if (log_note_is(&log->x[i], "v") || log_note_is(&log->x[i], "d"))
            good = add_version(v, w, i, log_note_is(&log->x[i], "d"));
    }
    if (w->trouble)
        fprintf(stderr, "the log cannot be followed: %s\n", w->trouble);
    good = good && !w->trouble && (!is_unsynced || syncs == 0);
    world_free(w);
    free(w);
    return good;
}

bool versions_of_queue(struct versions *v, const struct log *log)
{
    int n = 1;
    for (size_t i = 0; i < log->n; i++) {
        bool is_put = log_note_is(&log->x[i], "p");
        if (!is_put && !log_note_is(&log->x[i], "v") && !log_note_is(&log->x[i], "d"))
            continue;
        if (n < v->n) {
            v->x[n].at = i;
            v->x[n].is_settled = !is_put;
        }
        n++;
    }
    if (n != v->n)
        fprintf(stderr, "%s: %d versions, %d with a queue\n", v->name, v->n, n);
    return n == v->n;
}

bool versions_find(struct versions *v, const struct log *log, const struct bytes *base, const char *path)
{
    char plain[1300], plain_base[1400];
    struct bytes old = { 0 };
    struct log other = { 0 };
    const char *slash = strrchr(path, '/');
    snprintf(plain, sizeof plain, "%.*s../%s", slash ? (int)(slash + 1 - path) : 0, path,
             slash ? slash + 1 : path);
    if (access(plain, R_OK))
        return versions_read(v, log, base);
    snprintf(plain_base, sizeof plain_base, "%s.base", plain);
    (void)bytes_read(&old, plain_base);
    bool good = log_read(&other, plain) && versions_read(v, &other, &old) && versions_of_queue(v, log);
    log_free(&other);
    free(old.x);
    return good;
}

void versions_free(struct versions *v)
{
    for (int i = 0; i < v->n; i++) {
        free(v->x[i].image.x);
        free(v->x[i].ranges);
    }
    free(v->x);
    *v = (struct versions){ 0 };
}

void versions_between(const struct versions *v, size_t at, bool is_power, int *low, int *high)
{
    int reached = 0;
    while (reached + 1 < v->n && v->x[reached + 1].at <= at)
        reached++;
    *high = reached + 1 < v->n ? reached + 1 : reached;
    *low = reached;
    while (!v->x[*low].is_settled || (is_power && !v->x[*low].is_durable))
        --*low;
}

bool versions_outlast_power(const struct versions *v, size_t at)
{
    int low, high;
    versions_between(v, at, true, &low, &high);
    return low > 0 || !v->is_unkept;
}

/* ---- verdicts */

/* The first byte from `from` on that none of the versions `may` has; or `to`. */
static int64_t first_of_none(const struct versions *v, const struct bytes *bytes, const bool *may,
                             int64_t from, int64_t to)
{
    for (int k = 0; k < v->n; k++)
        if (may[k] && same_bytes(bytes, &v->x[k].image, from, to))
            return to;
    for (int64_t i = from; i < to; i++) {
        bool is_some = false;
        for (int k = 0; k < v->n && !is_some; k++)
            is_some = may[k] && byte_at(&v->x[k].image, i) == byte_at(bytes, i);
        if (!is_some)
            return i;
    }
    return to;
}

/* While a program writes data, each byte is what it was or what it becomes. Sector by sector: most have
 * either only. */
static int64_t first_wrong_byte(const struct versions *v, const struct bytes *bytes, int version, int low,
                                int high, bool is_power)
{
    const struct version *x = &v->x[version];
    bool may[MOST_VERSIONS] = { false };
    for (int k = low; k <= high; k++)
        may[k] = (is_power && v->is_loose) || v->x[k].first_like == x->first_like;
    for (int r = 0; r < x->nranges; r++) {
        if (same_bytes(bytes, &x->image, x->ranges[r].from, x->ranges[r].to))
            continue;
        for (int64_t i = x->ranges[r].from, next; i < x->ranges[r].to; i = next) {
            next = (i / SECTOR + 1) * SECTOR;
            next = next < x->ranges[r].to ? next : x->ranges[r].to;
            int64_t wrong = first_of_none(v, bytes, may, i, next);
            if (wrong < next)
                return wrong;
        }
    }
    return -1;
}

static enum verdict verdict_of_other(struct bytes *bytes, char *why, size_t size)
{
    if (byte_at(bytes, 3) & MARK) {
        snprintf(why, size, "marked");
        return VERDICT_REFUSED;
    }
    const char *fault = parse(bytes, NULL, 0);
    snprintf(why, size, "%s", fault ? fault : "a header that the program never wrote");
    return fault ? VERDICT_REFUSED : VERDICT_WRONG;
}

enum verdict verdict_of(const struct versions *v, const struct bytes *bytes, int low, int high, bool is_power,
                        char *why, size_t size)
{
    int64_t wrong = -1;
    int matched = -1;
    for (int k = low; k <= high; k++) {
        if (!bytes && !v->x[k].is_there)
            return VERDICT_RIGHT;
        if (!bytes || !v->x[k].is_there || bytes->n < v->x[k].least ||
            !same_bytes(bytes, &v->x[k].image, 0, v->x[k].header_size))
            continue;
        matched = k;
        wrong = first_wrong_byte(v, bytes, k, low, high, is_power);
        if (wrong < 0)
            return VERDICT_RIGHT;
    }
    if (matched >= 0) {
        snprintf(why, size, "the header of version %d with other data at byte %lld", matched,
                 (long long)wrong);
        return VERDICT_WRONG;
    }
    if (!bytes) {
        snprintf(why, size, "no file");
        return VERDICT_LOST;
    }
    return verdict_of_other((struct bytes *)(uintptr_t)bytes, why, size);
}
