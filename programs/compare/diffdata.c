/* The values of two files, each rank its share of them, with no message until all have done theirs. A block
 * is read from both and compared as bytes while it is in the cache; its values are looked at only where the
 * bytes differ, or cannot tell. */
#include "diff.h"
#include "alloc.h"
#include "posixio.h"
#include "status.h"
#include "tool.h"
#include "toolprogress.h"
#include "toolwork.h"

#include <string.h>

enum {
    UNIT = 1 << 20,    /* bytes of a rank's piece of work */
    BLOCK = 256 << 10, /* two of them fit the cache of a core */
    GATHERED = 4096    /* bytes of tallies that rank 0 takes of each rank at a time, at most */
};

struct comparing {
    struct pcdf_diff *d;
    struct pcdf_tool_work work;
    struct pcdf_meta common; /* the definitions of a with the records that are compared; owns nothing */
    bool *chosen;
    unsigned char *block_a, *block_b;
    bool records_alike;           /* a record of a is a record of b, byte for byte */
    int64_t records_a, records_b; /* where the sections begin */
    int64_t last_unit;
    bool last_was_equal; /* the unit's bytes */
    struct pcdf_tool_progress progress;
};

/* Records can be held against each other whole: all variables in them are compared by their bytes and lie
 * where they lie in the other file. */
static bool have_records_alike(const struct comparing *c)
{
    const struct pcdf_diff *d = c->d;
    const struct pcdf_meta *a = &d->a.meta, *b = &d->b.meta;
    const struct pcdf_layout *in_a = &d->a.layout, *in_b = &d->b.layout;

    if (a->nrecord_vars != b->nrecord_vars || a->nrecord_vars == 0 || in_a->recsize != in_b->recsize)
        return false;
    for (int i = 0; i < a->nvars; i++) {
        int j = d->pairs[i].b;
        if (!a->vars[i].is_record)
            continue;
        if (!c->chosen[i] || !b->vars[j].is_record || a->vars[i].nbytes != b->vars[j].nbytes ||
            in_a->begin[i] - in_a->begin_rec != in_b->begin[j] - in_b->begin_rec ||
            !pcdf_diff_bytes_tell(&d->options.rules, a->vars[i].type, b->vars[j].type))
            return false;
    }
    return true;
}

static int begin(struct comparing *c)
{
    struct pcdf_diff *d = c->d;

    c->last_unit = -1;
    c->chosen = pcdf_calloc((size_t)d->a.meta.nvars + 1, sizeof *c->chosen);
    c->block_a = pcdf_malloc(BLOCK);
    c->block_b = pcdf_malloc(BLOCK);
    if (!c->chosen || !c->block_a || !c->block_b)
        return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    c->common = d->a.meta;
    c->common.numrecs = 0;
    for (int i = 0; i < d->a.meta.nvars; i++) {
        const struct pcdf_var *var = &d->a.meta.vars[i];
        c->chosen[i] = d->pairs[i].n > 0;
        if (c->chosen[i] && var->is_record) {
            int64_t each = var->nbytes / pcdf_type_size(var->type), records = d->pairs[i].n / each;
            c->common.numrecs = records > c->common.numrecs ? records : c->common.numrecs;
        }
    }
    c->records_alike = have_records_alike(c);
    return PCDF_TOOL_GOOD;
}

static bool read_block(const struct pcdf_tool_file *file, void *block, int64_t n, int64_t at)
{
    int64_t got = 0;
    return pcdf_tool_move(file, block, n, at, &got) == NC_NOERR && got == n;
}

/* `n` bytes of both files are there and the same. */
static bool bytes_equal(struct comparing *c, int64_t at_a, int64_t at_b, int64_t n)
{
    for (int64_t done = 0, part; done < n; done += part) {
        part = n - done < BLOCK ? n - done : BLOCK;
        if (!read_block(&c->d->a.file, c->block_a, part, at_a + done) ||
            !read_block(&c->d->b.file, c->block_b, part, at_b + done) ||
            memcmp(c->block_a, c->block_b, (size_t)part) != 0)
            return false; /* a failure shows again where it is said: when the values are read */
    }
    return true;
}

/* A unit of whole records that are the same in both files needs no look at its values. */
static bool unit_is_equal(struct comparing *c, const struct pcdf_tool_chunk *chunk)
{
    const struct pcdf_var *var = &c->common.vars[chunk->varid];
    const struct pcdf_tool_work *w = &c->work;
    int64_t recsize = c->d->a.layout.recsize;

    if (!c->records_alike || !var->is_record || recsize > w->bytes)
        return false;
    if (chunk->unit != c->last_unit) {
        int64_t record = chunk->first / (var->nbytes / pcdf_type_size(var->type));
        int64_t left = c->common.numrecs - record, rows = w->rows < left ? w->rows : left;
        c->last_unit = chunk->unit;
        c->last_was_equal = bytes_equal(c, c->d->a.layout.begin_rec + record * recsize,
                                        c->d->b.layout.begin_rec + record * recsize, rows * recsize);
    }
    return c->last_was_equal;
}

/* The values of a chunk, a block at a time. */
static int compare_values(struct comparing *c, const struct pcdf_tool_chunk *chunk)
{
    struct pcdf_diff *d = c->d;
    const struct pcdf_diff_pair *pair = &d->pairs[chunk->varid];
    const struct pcdf_diff_rules *rules = &d->options.rules;
    nc_type type_a = d->a.meta.vars[chunk->varid].type, type_b = d->b.meta.vars[pair->b].type;
    int64_t size_a = pcdf_type_size(type_a), size_b = pcdf_type_size(type_b);
    int64_t room = BLOCK / (size_a > size_b ? size_a : size_b);
    bool bytes_tell = pcdf_diff_bytes_tell(rules, type_a, type_b);
    int status = PCDF_TOOL_GOOD;

    for (int64_t done = 0, n; !status && done < chunk->n; done += n) {
        int64_t first = chunk->first + done;
        n = chunk->n - done < room ? chunk->n - done : room;
        status = pcdf_tool_values(&d->a, chunk->varid, first, n, c->block_a);
        if (!status)
            status = pcdf_tool_values(&d->b, pair->b, first, n, c->block_b);
        if (!status && !(bytes_tell && memcmp(c->block_a, c->block_b, (size_t)(n * size_a)) == 0))
            pcdf_diff_values(rules, type_a, type_b, c->block_a, c->block_b, n, first,
                             &d->tallies[chunk->varid]);
    }
    return status;
}

/* This rank's share. Asked only whether there is a difference, it ends at the first. */
static int compare_share(struct comparing *c)
{
    struct pcdf_diff *d = c->d;
    struct pcdf_tool_chunk chunk;
    int status = PCDF_TOOL_GOOD;
    bool is_enough = false;

    while (!status && !is_enough && pcdf_tool_work_next(&c->work, &chunk)) {
        struct pcdf_diff_tally *tally = &d->tallies[chunk.varid];
        int64_t left = d->pairs[chunk.varid].n - chunk.first;
        if (left <= 0)
            continue;
        chunk.n = chunk.n < left ? chunk.n : left;
        if (!unit_is_equal(c, &chunk))
            status = compare_values(c, &chunk);
        tally->n += chunk.n;
        is_enough = d->options.quiet && tally->different > 0;
        pcdf_tool_progress_add(&c->progress, chunk.n * pcdf_type_size(c->common.vars[chunk.varid].type));
    }
    return status;
}

/* Collective. The tallies of all ranks, on rank 0, some variables at a time. */
static int gather_all(struct pcdf_diff *d)
{
    enum { TALLIES = GATHERED / sizeof(struct pcdf_diff_tally) };
    int nvars = d->a.meta.nvars, size = d->ranks->size, status = PCDF_TOOL_GOOD;
    struct pcdf_diff_tally *all = pcdf_calloc((size_t)size * TALLIES, sizeof *all);

    if (!all)
        status = pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
    status = pcdf_tool_worst_all(d->ranks, status);
    for (int from = 0; !status && from < nvars; from += TALLIES) { /* the same on all ranks */
        int n = nvars - from < TALLIES ? nvars - from : TALLIES;
        pcdf_tool_gather_all(d->ranks, d->tallies + from, n * (int)sizeof *all, all);
        for (int r = 1; d->ranks->rank == 0 && r < size; r++)
            for (int i = 0; i < n; i++)
                pcdf_diff_merge(&d->tallies[from + i], &all[r * n + i]);
    }
    pcdf_free(all);
    return status;
}

int pcdf_diff_agree_all(struct pcdf_diff *d, int status)
{
    uint32_t sum = status ? 0 : pcdf_tool_dataset_sum(&d->b, pcdf_tool_dataset_sum(&d->a, 0));
    return pcdf_tool_agree_all(d->ranks, NULL, sum, status);
}

int pcdf_diff_data_all(struct pcdf_diff *d)
{
    struct comparing c = { .d = d };
    int status = begin(&c);

    status = pcdf_tool_worst_all(d->ranks, status);
    if (!status) {
        pcdf_tool_work_begin(&c.work, &c.common, c.chosen, UNIT, d->ranks);
        pcdf_tool_progress_begin(&c.progress, d->ranks, "comparing",
                                 pcdf_tool_work_bytes(&c.common, c.chosen));
        status = compare_share(&c);
        pcdf_tool_progress_end(&c.progress);
    }
    status = pcdf_tool_worst_all(d->ranks, status);
    if (!status) /* the same on all ranks */
        status = gather_all(d);
    pcdf_free(c.chosen);
    pcdf_free(c.block_a);
    pcdf_free(c.block_b);
    return status;
}
