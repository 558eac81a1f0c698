/* The layer of patches (patchstorage.h) against a plain array: random pieces that touch, overlap and repeat,
 * limits that are reached, gets over a file that ends early, what is read below and what not; its iterator
 * against a look at each byte; a storage below that fails, allocations that fail; a million small pieces.
 * usage: patch_storage [CASES] */

#include "check.h"
#include "draw.h"
#include "alloc.h"
#include "faultstorage.h"
#include "memoryfile.h"
#include "patchset.h"
#include "patchstorage.h"
#include "status.h"
#include <stdlib.h>
#include <time.h>

enum { SPACE = 3000, MOST = 8 };
static const char path[] = "memory:patch_storage";

/* ---- the model */

struct world {
    struct pcdf_counts counts;
    struct pcdf_storage *top;
    struct pcdf_patches *patches;
    int64_t file; /* bytes of the file */
    /* The rule keeps every second block of so many bytes; 0: all is kept. */
    int64_t block;
    char below[SPACE], kept[SPACE];
    bool is_kept[SPACE];
};

static bool keeps(const void *context, int64_t offset, int64_t *end)
{
    const struct world *w = context;
    *end = (offset / w->block + 1) * w->block;
    return offset / w->block % 2;
}

static bool is_kept_at(const struct world *w, int64_t offset)
{
    return w->block == 0 || keeps(w, offset, &(int64_t){ 0 });
}

static void open_world(struct world *w, int64_t limit, const char *faults)
{
    *w = (struct world){ .file = draw(0, SPACE) };
    for (int i = 0; i < w->file; i++)
        w->below[i] = (char)draw(1, 255);
    memory_file_put(path, w->below, w->file);
    const struct pcdf_storage_config config = { .path = path,
                                                .mode = PCDF_STORAGE_WRITE,
                                                .counts = &w->counts };
    CHECK_INT(pcdf_memorystorage.open(&config, &w->top), NC_NOERR);
    if (faults)
        CHECK_INT(fault_stack(faults, 0, &w->top), NC_NOERR);
    CHECK_INT(pcdf_patches_stack(limit, &w->top, &w->patches), NC_NOERR);
    if (draw(0, 1))
        w->block = draw(1, 200);
    CHECK(!pcdf_patches_is_keeping(w->patches), "keeps from the begin on");
    pcdf_patches_keep(w->patches,
                      &(struct pcdf_patches_rule){ .keeps = w->block ? keeps : NULL, .context = w });
}

static void close_world(struct world *w)
{
    pcdf_patches_forget(w->patches);
    CHECK_INT(pcdf_storage_close(w->top), NC_NOERR);
    CHECK_INT(pcdf_memorystorage.remove(path), NC_NOERR);
}

struct pieces {
    struct pcdf_piece x[MOST];
    char data[MOST][SPACE];
    size_t n;
};

/* rises: none overlaps or touches another, as a plan gives them. */
static void draw_pieces(struct pieces *p, int64_t longest, bool rises)
{
    int64_t from = 0;
    p->n = 0;
    for (size_t want = (size_t)draw(1, MOST); p->n < want && from < SPACE; p->n++) {
        int64_t offset = rises ? from + draw(0, SPACE / MOST) : draw(0, SPACE - 1);
        if (offset >= SPACE)
            break;
        int64_t most = SPACE - offset < longest ? SPACE - offset : longest;
        p->x[p->n] = (struct pcdf_piece){ offset, draw(1, most), p->data[p->n] };
        from = offset + p->x[p->n].length + 1;
        for (int64_t i = 0; i < p->x[p->n].length; i++)
            p->data[p->n][i] = (char)draw(1, 255);
    }
}

static int move(struct world *w, enum pcdf_dir dir, const struct pieces *p, int64_t *got)
{
    const struct pcdf_extents x = { .dir = dir, .n = p->n, .pieces = p->x };
    return pcdf_storage_move(w->top, &x, got);
}

static void model_put(struct world *w, const struct pieces *p)
{
    for (size_t i = 0; i < p->n; i++)
        for (int64_t k = 0; k < p->x[i].length; k++) {
            int64_t at = p->x[i].offset + k;
            bool is_kept = is_kept_at(w, at);
            *(is_kept ? &w->kept[at] : &w->below[at]) = p->data[i][k];
            w->is_kept[at] |= is_kept;
            w->file = is_kept || at < w->file ? w->file : at + 1;
        }
}

/* ---- gets */

static void check_get(struct world *w, struct pieces *p)
{
    int64_t got = 0, want = 0, read = 0, before = w->counts.bytes_read, wrong = 0;
    memset(p->data, 0x55, sizeof p->data);
    CHECK_INT(move(w, PCDF_GET, p, &got), NC_NOERR);
    for (size_t i = 0; i < p->n; i++) {
        bool covered = true;
        for (int64_t k = 0; k < p->x[i].length; k++) {
            int64_t at = p->x[i].offset + k;
            covered &= w->is_kept[at];
            want += w->is_kept[at] || at < w->file;
            wrong += p->data[i][k] != (w->is_kept[at] ? w->kept[at] : w->below[at]);
        }
        read += covered ? 0 : p->x[i].length;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(got, want);
    CHECK_INT(w->counts.bytes_read - before, read);
}

/* ---- the iterator */

static int64_t model_next(const struct world *w, int64_t from)
{
    while (from < SPACE && !w->is_kept[from])
        from++;
    return from < SPACE ? from : INT64_MAX;
}

/* The pieces rise, do not touch, and have what is kept up to batch->next, or `to`. */
static void check_batch(const struct world *w, const struct pcdf_iterator *it,
                        const struct pcdf_batch_limits *limits, const struct pcdf_batch *batch, char *window)
{
    int64_t end = -1, nbytes = 0, wrong = 0, to = batch->next < limits->to ? batch->next : limits->to;
    memset(window, 0, SPACE + 8);
    it->copy(it->context, window);
    CHECK(batch->n <= limits->pieces && batch->nbytes <= limits->bytes, "%zu pieces, %lld bytes", batch->n,
          (long long)batch->nbytes);
    for (size_t i = 0; i < batch->n; i++) {
        const struct pcdf_piece *piece = &batch->pieces[i];
        CHECK(piece->length > 0 && piece->offset > end && piece->offset >= limits->from &&
                  piece->offset + piece->length <= limits->to,
              "piece %lld + %lld", (long long)piece->offset, (long long)piece->length);
        CHECK(piece->data == (limits->packed ? limits->packed + nbytes : NULL), "piece %zu: its memory", i);
        for (int64_t k = 0; k < piece->length; k++) {
            int64_t at = piece->offset + k;
            char byte = limits->packed ? window[nbytes + k] : window[at - limits->from];
            wrong += !w->is_kept[at] || byte != w->kept[at];
        }
        nbytes += piece->length;
        end = piece->offset + piece->length;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(batch->nbytes, nbytes);
    CHECK_INT(batch->asked, nbytes);
    for (int64_t at = limits->from; at < to && at < SPACE; at++)
        nbytes -= w->is_kept[at];
    CHECK_INT(nbytes, 0);
    CHECK_INT(batch->next, model_next(w, batch->next < to ? batch->next : to));
    CHECK(end <= batch->next, "the next %lld", (long long)batch->next);
}

static void check_peek(const struct world *w, const struct pcdf_iterator *it, int64_t from, int64_t to)
{
    static char window[SPACE + 8];
    bool packed = draw(0, 1);
    struct pcdf_batch_limits limits = { .from = from,
                                        .to = to,
                                        .pieces = (size_t)draw(1, 5),
                                        .bytes = packed ? draw(1, 40) * 8 : INT64_MAX,
                                        .packed = packed ? window : NULL };
    struct pcdf_batch batch;
    if (packed && draw(0, 1))
        limits.cut = draw(1, limits.bytes);
    CHECK_INT(it->peek(it->context, &limits, &batch), NC_NOERR);
    check_batch(w, it, &limits, &batch, window);
    CHECK(batch.n > 0 || model_next(w, from) >= to, "nothing from %lld on", (long long)from);
}

static void check_iterator(const struct world *w)
{
    const struct pcdf_iterator it = pcdf_patches_iterator(w->patches);
    int64_t nbytes = 0, end = 0;
    for (int64_t at = 0; at < SPACE; at++) {
        nbytes += w->is_kept[at];
        end = w->is_kept[at] ? at + 1 : end;
    }
    CHECK_INT(it.nbytes, nbytes);
    CHECK_INT(it.begin, model_next(w, 0));
    CHECK_INT(it.end, end);
    for (int i = 0; i < 10 && nbytes > 0; i++) {
        int64_t from = draw(0, SPACE);
        CHECK_INT(it.next(it.context, from), model_next(w, from));
        check_peek(w, &it, from, draw(0, 1) ? INT64_MAX : draw(from, SPACE + 50));
    }
    for (int64_t at = it.begin; at != INT64_MAX;) { /* all of it, in turn */
        static char packed[SPACE];
        const struct pcdf_batch_limits limits = {
            .from = at, .to = INT64_MAX, .pieces = 3, .bytes = 64, .packed = packed
        };
        struct pcdf_batch batch;
        CHECK_INT(it.peek(it.context, &limits, &batch), NC_NOERR);
        CHECK(batch.next > at, "stays at %lld", (long long)at);
        nbytes -= batch.asked;
        at = batch.next > at ? batch.next : INT64_MAX;
    }
    CHECK_INT(nbytes, 0);
}

/* ---- cases */

static void check_random(void)
{
    static struct world w;
    static struct pieces p;
    int refused = 0;
    int64_t limit = draw(0, 2) ? 1 << 20 : draw(0, 6000), longest = draw(0, 1) ? 12 : 400;
    open_world(&w, limit, NULL);
    for (int i = 0; i < 40; i++) {
        draw_pieces(&p, longest, draw(0, 1));
        int err = move(&w, PCDF_PUT, &p, NULL);
        if (!err)
            model_put(&w, &p);
        else
            CHECK(err == NC_ENOMEM && limit < 1 << 20 && strstr(pcdf_fail_text(), "pcdf_chunk_memory"),
                  "put: %d, %s", err, pcdf_fail_text());
        CHECK_INT(pcdf_patches_lacked_room(w.patches), err == NC_ENOMEM);
        refused += err != 0;
        draw_pieces(&p, longest, true);
        check_get(&w, &p);
        if (i % 8 == 0)
            check_iterator(&w);
    }
    check_iterator(&w);
    CHECK(limit < 1 << 20 || refused == 0, "%d puts refused", refused);
    /* Nothing is kept any more, and what was is not seen. */
    pcdf_patches_keep(w.patches, NULL);
    CHECK(!pcdf_patches_lacked_room(w.patches), "what it lacked is told for ever");
    static char file[SPACE];
    CHECK_INT(pcdf_storage_move_at(w.top, PCDF_GET, file, SPACE, 0, NULL), NC_NOERR);
    CHECK(memcmp(file, w.below, SPACE) == 0, "bytes below are not what passed");
    draw_pieces(&p, longest, true);
    CHECK_INT(move(&w, PCDF_PUT, &p, NULL), NC_NOERR);
    for (size_t i = 0; i < p.n; i++) {
        char bytes[SPACE];
        CHECK_INT(pcdf_storage_move_at(w.top, PCDF_GET, bytes, p.x[i].length, p.x[i].offset, NULL), NC_NOERR);
        CHECK(memcmp(bytes, p.x[i].data, (size_t)p.x[i].length) == 0, "piece %zu passes", i);
    }
    check_iterator(&w);
    close_world(&w);
}

/* Memory is never more than the limit, most of it is for bytes, and what is kept can be put again. */
static int put_piece(struct pcdf_patchset *set, int64_t offset, int64_t length, char *bytes)
{
    const struct pcdf_piece piece = { offset, length, bytes };
    struct pcdf_patchset_need need = { 0 };
    pcdf_patchset_measure(set, &piece, &need);
    int err = pcdf_patchset_reserve(set, &need);
    if (!err)
        pcdf_patchset_put(set, &piece);
    return err;
}

/* Pieces of one put apart from each other, and then one around them: what it adds are many patches. */
static void check_around(void)
{
    enum { APART = 20 };
    static char bytes[3 * APART];
    for (int n = 1; n <= APART; n++) {
        struct pcdf_patchset set = { .limit = 1 << 20 };
        struct pcdf_patchset_need need = { 0 };
        struct pcdf_piece x[APART + 1];
        for (int i = 0; i < n; i++)
            x[i] = (struct pcdf_piece){ 3 * i + 1, 1, bytes };
        x[n] = (struct pcdf_piece){ 0, 3 * n, bytes };
        for (int i = 0; i <= n; i++)
            pcdf_patchset_measure(&set, &x[i], &need);
        CHECK_INT(pcdf_patchset_reserve(&set, &need), NC_NOERR);
        for (int i = 0; i <= n; i++)
            pcdf_patchset_put(&set, &x[i]);
        CHECK(set.n <= set.room, "%d apart: %d patches where there is room for %d", n, (int)set.n,
              (int)set.room);
        CHECK_INT(set.nbytes, 3 * n);
        pcdf_patchset_forget(&set);
    }
}

static void check_limit(void)
{
    const int64_t limits[] = { 0, 100, 200, 5000, 300000, 9 << 20 }, lengths[] = { 8, 100, 1000, 100000 };
    char *bytes = calloc(1, 100000);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            struct pcdf_patchset set = { .limit = limits[i] };
            const int64_t length = lengths[k];
            int64_t end = 0;
            for (; put_piece(&set, end, length, bytes) == NC_NOERR; end += 3 * length)
                CHECK(set.held <= set.limit, "%lld bytes are held", (long long)set.held);
            int64_t least = set.limit / 10 * 9 * length / (length + 32) - length - 300;
            CHECK(set.nbytes >= least, "limit %lld, pieces of %lld: %lld bytes are kept",
                  (long long)set.limit, (long long)length, (long long)set.nbytes);
            CHECK_INT(set.nbytes, end / 3);
            for (int64_t at = 0; at < end; at += 3 * length)
                CHECK_INT(put_piece(&set, at, length, bytes), NC_NOERR);
            pcdf_patchset_forget(&set);
            CHECK_INT(set.held, 0);
        }
    free(bytes);
}

/* A long patch is cut where the file is at a multiple. */
static void check_cut(void)
{
    char bytes[2000] = { 0 }, packed[400];
    struct pcdf_patchset set = { .limit = 1 << 20 };
    CHECK_INT(put_piece(&set, 13, 2000, bytes), NC_NOERR);
    const struct pcdf_iterator it = pcdf_patchset_iterator(&set);
    const struct pcdf_batch_limits limits = {
        .from = 13, .to = INT64_MAX, .pieces = 2, .bytes = 400, .packed = packed, .cut = 100
    };
    struct pcdf_batch batch;
    CHECK_INT(it.peek(it.context, &limits, &batch), NC_NOERR);
    CHECK(batch.n == 1 && batch.nbytes == 387 && batch.next == 400, "%lld bytes, next %lld",
          (long long)batch.nbytes, (long long)batch.next);
    pcdf_patchset_forget(&set);
}

static void check_failures(void)
{
    static struct world w;
    static struct pieces p;
    open_world(&w, 1 << 20, "read:2@0=NC_EREAD write:1+@0");
    char byte;
    w.block = 1; /* every second byte passes */
    pcdf_patches_keep(w.patches, &(struct pcdf_patches_rule){ .keeps = keeps, .context = &w });
    CHECK_INT(pcdf_storage_move_at(w.top, PCDF_PUT, p.data[0], 10, 0, NULL), NC_EWRITE);
    CHECK_INT(pcdf_patches_iterator(w.patches).nbytes, 0);
    w.block = 0;
    pcdf_patches_keep(w.patches, &(struct pcdf_patches_rule){ 0 });
    draw_pieces(&p, 400, true);
    CHECK_INT(move(&w, PCDF_PUT, &p, NULL), NC_NOERR);
    model_put(&w, &p);
    p = (struct pieces){ .x = { { 0, SPACE, p.data[0] } }, .n = 1 };
    CHECK_INT(move(&w, PCDF_GET, &p, NULL), NC_NOERR);
    CHECK_INT(move(&w, PCDF_GET, &p, NULL), NC_EREAD);
    check_get(&w, &p);
    pcdf_patches_keep(w.patches, NULL);
    CHECK_INT(pcdf_storage_move_at(w.top, PCDF_PUT, &byte, 1, 0, NULL), NC_EWRITE);
    CHECK_INT(pcdf_storage_close(w.top), NC_EWRITE); /* with patches */
    CHECK(strstr(pcdf_fail_text(), "lost"), "%s", pcdf_fail_text());
    CHECK_INT(pcdf_memorystorage.remove(path), NC_NOERR);
}

/* Whatever allocation fails, the put is kept or not at all, and the peek gives or fails. */
static void check_memory(void)
{
    static struct world w;
    static struct pieces p;
    for (int at = 1; at < 30; at++) {
        open_world(&w, 1 << 20, NULL);
        for (int i = 0; i < 60; i++) {
            draw_pieces(&p, 12, true);
            pcdf_alloc_fail_at(i == at ? 1 + at % 2 : 0, 0);
            int err = move(&w, PCDF_PUT, &p, NULL);
            pcdf_alloc_fail_at(0, 0);
            if (!err)
                model_put(&w, &p);
            CHECK(!err || (err == NC_ENOMEM && i == at), "put: %d", err);
        }
        const struct pcdf_iterator it = pcdf_patches_iterator(w.patches);
        const struct pcdf_batch_limits limits = { .to = INT64_MAX, .pieces = 100, .bytes = INT64_MAX };
        struct pcdf_batch batch;
        pcdf_alloc_fail_at(1, 1);
        CHECK_INT(it.peek(it.context, &limits, &batch), NC_ENOMEM);
        pcdf_alloc_fail_at(0, 0);
        check_iterator(&w);
        close_world(&w);
    }
}

/* ---- many */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* n pieces of 8 bytes, `step` apart, in the order of i * factor modulo n. */
static void check_many(const char *order, int64_t n, int64_t step, int64_t factor, int64_t most_held)
{
    struct pcdf_patchset set = { .limit = INT64_MAX };
    double begin = seconds();
    for (int64_t i = 0; i < n; i++) {
        int64_t k = i * factor % n, value = k * 7;
        if (put_piece(&set, k * step, 8, (char *)&value))
            CHECK(false, "put %lld: %s", (long long)i, pcdf_fail_text());
    }
    double put = seconds() - begin;
    const struct pcdf_iterator it = pcdf_patchset_iterator(&set);
    static int64_t packed[1 << 16];
    int64_t wrong = 0, pieces = 0, count = 0;
    for (int64_t at = it.begin; at != INT64_MAX;) {
        const struct pcdf_batch_limits limits = {
            .from = at, .to = INT64_MAX, .pieces = 1 << 16, .bytes = sizeof packed, .packed = (char *)packed
        };
        struct pcdf_batch batch;
        CHECK_INT(it.peek(it.context, &limits, &batch), NC_NOERR);
        it.copy(it.context, (char *)packed);
        for (int64_t k = 0; k < batch.nbytes / 8; k++, count++)
            wrong += packed[k] != count * 7;
        pieces += (int64_t)batch.n;
        at = batch.next;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(count, n);
    CHECK(step > 8 || pieces <= n / 1000 + 2, "%s: %lld pieces touch", order, (long long)pieces);
    CHECK(set.held <= most_held, "%s: %lld bytes of memory", order, (long long)set.held);
    printf("%lld pieces, %s: put %.0f ns, taken %.0f ns, memory %.1f bytes each\n", (long long)n, order,
           1e9 * put / (double)n, 1e9 * (seconds() - begin - put) / (double)n, (double)set.held / (double)n);
    pcdf_patchset_forget(&set);
}

int main(int argc, char **argv)
{
    int cases = argc > 1 ? atoi(argv[1]) : 1500;
    int64_t many = argc > 1 ? 100000 : 1000000;
    for (int i = 0; i < cases; i++) {
        draw_seed = (uint64_t)i;
        long bad = check_bad;
        check_random();
        if (check_bad > bad) {
            fprintf(stderr, "case %d\n", i);
            break;
        }
    }
    check_around();
    check_limit();
    check_cut();
    check_failures();
    check_memory();
    check_many("one behind the other", many, 8, 1, many * 20 + (4 << 20));
    check_many("backwards, side by side", many, 8, many - 1, many * 80);
    check_many("in any order, apart", many, 4096, 611953, many * 80);
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("patch_storage");
}
