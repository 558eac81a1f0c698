/* Fixes how a change that moves data divides it: the division is found in bounded time however little room
 * the file system has, a recovery that knows what the journal's head says divides in the same way, and that
 * head is one that it takes. What decides it costs rounds and segments, not one times the other. */
#include <stdlib.h>
#include <unistd.h>
#include "check.h"
#include "dataset.h"
#include "journal.h"
#include "layout.h"
#include "move.h"
#include "rules.h"

struct file { /* before and after a redef */
    struct pcdf_meta old, new;
    struct pcdf_layout from, to;
};

/* A fixed variable of `fixed` bytes, records of `record` bytes; what comes after makes the header longer by
 * `shift`, and each record by `wider`. */
struct shape {
    int64_t fixed, record, numrecs, shift, wider;
};

static void define(struct pcdf_meta *meta, const struct shape *shape)
{
    pcdf_meta_init(meta, PCDF_CDF5);
    CHECK_INT(pcdf_meta_add_dim(meta, "t", 0, NULL), NC_NOERR);
    CHECK_INT(pcdf_meta_add_dim(meta, "x", shape->fixed, NULL), NC_NOERR);
    CHECK_INT(pcdf_meta_add_dim(meta, "y", shape->record, NULL), NC_NOERR);
    CHECK_INT(pcdf_meta_add_dim(meta, "z", shape->wider + 1, NULL), NC_NOERR);
    CHECK_INT(pcdf_meta_add_var(meta, "fixed", NC_BYTE, 1, (int[]){ 1 }, NULL), NC_NOERR);
    CHECK_INT(pcdf_meta_add_var(meta, "record", NC_BYTE, 2, (int[]){ 0, 2 }, NULL), NC_NOERR);
    meta->numrecs = shape->numrecs;
}

static void make(struct file *f, const struct shape *shape)
{
    char *text = calloc(1, (size_t)shape->shift + 1);
    *f = (struct file){ 0 };
    define(&f->old, shape);
    define(&f->new, shape);
    CHECK_INT(pcdf_atts_put(&f->new, &f->new.gatts, "long", NC_CHAR, shape->shift, text), NC_NOERR);
    if (shape->wider)
        CHECK_INT(pcdf_meta_add_var(&f->new, "wider", NC_BYTE, 2, (int[]){ 0, 3 }, NULL), NC_NOERR);
    CHECK_INT(pcdf_layout_build(&f->from, &f->old, NULL, &(struct pcdf_alignment){ 0 }), NC_NOERR);
    CHECK_INT(pcdf_layout_build(&f->to, &f->new, &f->from, &(struct pcdf_alignment){ 0 }), NC_NOERR);
    free(text);
}

static void forget(struct file *f)
{
    pcdf_layout_free(&f->from);
    pcdf_layout_free(&f->to);
    pcdf_meta_free(&f->old);
    pcdf_meta_free(&f->new);
}

static struct pcdf_mover prepare(struct file *f, struct pcdf_dataset *ds)
{
    struct pcdf_mover m = { 0 };
    ds->layout = f->to;
    CHECK_INT(pcdf_mover_prepare(&m, ds, &f->old, &f->from), NC_NOERR);
    return m;
}

static void check_head(const struct pcdf_mover *m, const char *what)
{
    struct pcdf_journal j = { .nonce = pcdf_journal_nonce(1),
                              .old_header = (const unsigned char *)"", /* of no bytes */
                              .new_header = (const unsigned char *)"",
                              .file_size = m->file_size,
                              .parts = m->parts,
                              .chunk = m->chunk,
                              .step = m->step,
                              .room = pcdf_mover_slot_room(m) };
    unsigned char bytes[4096];
    int64_t need = 0, size = pcdf_journal_head_size(&j);
    CHECK(size <= (int64_t)sizeof bytes, "%s: a head of %lld bytes", what, (long long)size);
    pcdf_journal_encode(&j, bytes);
    CHECK(pcdf_journal_decode(bytes, (size_t)size, pcdf_journal_slot(&j, j.parts, 0), &need, &j) == NC_NOERR,
          "%s: a recovery would refuse the journal", what);
}

static void check_division(struct file *f, int64_t file_size, int nranks,
                           const struct pcdf_move_limits *config)
{
    char what[120];
    struct pcdf_dataset ds = { 0 };
    struct pcdf_mover chosen = prepare(f, &ds), again = prepare(f, &ds);
    snprintf(what, sizeof what, "%lld bytes, %d ranks, slots of %lld, %s", (long long)file_size, nranks,
             (long long)config->slot, config->in_steps ? "steps" : "no steps");
    pcdf_mover_choose(&chosen, file_size, nranks, config);
    pcdf_mover_size(&again, file_size, chosen.parts, chosen.chunk);
    CHECK(chosen.segments.nbytes == again.segments.nbytes && chosen.rounds == again.rounds,
          "%s: %lld bytes in %lld rounds move, a recovery moves %lld in %lld", what,
          (long long)chosen.segments.nbytes, (long long)chosen.rounds, (long long)again.segments.nbytes,
          (long long)again.rounds);
    check_head(&chosen, what);
    pcdf_mover_free(&chosen);
    pcdf_mover_free(&again);
}

static void check_shape(const struct shape *shape)
{
    static const int64_t slots[] = { -1, 0, 1, 5000, 256 << 10, 16 << 20 };
    static const int ranks[] = { 1, 2, 7, 1000 };
    struct file f;
    make(&f, shape);
    int64_t end = pcdf_layout_file_end(&f.from, &f.old), record = f.from.begin_rec;
    const int64_t sizes[] = { end,        end - 1, record + shape->record + 1,
                              record + 1, record,  f.from.begin[0] + 1 };
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++)
            for (size_t k = 0; k < 2 * sizeof slots / sizeof *slots; k++)
                check_division(&f, sizes[s], ranks[r],
                               &(struct pcdf_move_limits){ slots[k / 2], 4 * slots[k / 2], k % 2 });
    forget(&f);
}

/* As many segments as rounds: whether some round overlaps is found in one walk through both. */
static void many_segments(void)
{
    enum { SEGMENTS = 200000, LENGTH = 4096, APART = 2 * LENGTH };
    struct pcdf_mover m = { 0 };
    CHECK_INT(PCDF_RESERVE(&m.segments.list, SEGMENTS), NC_NOERR);
    for (int64_t i = 0; i < SEGMENTS; i++)
        m.segments.list.x[m.segments.list.n++] =
            (struct pcdf_segment){ i * APART, (SEGMENTS + i) * APART, LENGTH, 1, 0, 0 };
    alarm(20);
    pcdf_mover_size(&m, (int64_t)SEGMENTS * APART, 1, LENGTH);
    CHECK_INT(m.rounds, SEGMENTS);
    CHECK(!pcdf_mover_needs_data(&m), "none goes over what it reads");
    m.segments.list.x[SEGMENTS / 2].to = m.segments.list.x[SEGMENTS / 2].from + LENGTH / 2;
    CHECK(pcdf_mover_needs_data(&m), "one goes over what it reads");
    alarm(0);
    pcdf_mover_free(&m);
}

int main(void)
{
    many_segments();
    static const struct shape shapes[] = {
        { 100, 50, 4, 2000, 0 },          { 100, 50, 4, 10, 30 },
        { 3 << 20, 1 << 20, 5, 8000, 0 }, { 3 << 20, 1 << 20, 5, 8000, 40 },
        { 1 << 30, 1 << 20, 3, 600, 40 }, { 12, 40 << 20, 3, 600, 9 << 20 },
    };
    alarm(60); /* a division that is never found */
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        check_shape(&shapes[i]);
    return check_done("move_rounds");
}
