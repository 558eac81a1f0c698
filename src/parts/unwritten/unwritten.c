/* See unwritten.h. */
#include "unwritten.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "alloc.h"
#include "array.h"
#include "dataset.h"
#include "numbers.h"

enum {
    BATCH = 256, /* variables in a message */
    MOST_NAMED = 20
};

struct unwritten {
    int64_t *put; /* values, by variable, n of them */
    size_t n, room;
    bool lost_count; /* no memory: nobody reports on this file */
};

static bool agreed(struct pcdf_dataset *ds, void *own, int64_t decision)
{
    (void)own, (void)decision;
    return ds->is_new && ds->hints.unwritten;
}

static void put_done(struct pcdf_dataset *ds, void *own, const struct pcdf_request *put)
{
    struct unwritten *u = own;
    size_t nvars = (size_t)ds->meta.nvars;
    if ((size_t)put->varid >= u->n) {
        if (pcdf_array_reserve((void **)&u->put, &u->room, nvars, sizeof *u->put)) {
            u->lost_count = true;
            return;
        }
        memset(u->put + u->n, 0, (nvars - u->n) * sizeof *u->put);
        u->n = nvars;
    }
    u->put[put->varid] += put->nelems;
}

/* ---- close */

/* The values that a variable has. */
static int64_t values_of(const struct pcdf_meta *meta, const struct pcdf_var *var)
{
    int64_t n = var->nbytes / pcdf_type_size(var->type);
    return var->is_record ? n * meta->numrecs : n;
}

static void root_name(const struct pcdf_dataset *ds, int varid, int64_t put)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    dprintf(STDERR_FILENO, "parcdf: %s: %lld of the %lld values of variable %s were put\n", ds->path,
            (long long)put, (long long)values_of(&ds->meta, var), var->name);
}

/* What all ranks put into variables [first, first + n). */
static void root_compare(const struct pcdf_dataset *ds, int first, int n, const int64_t *put, int *named)
{
    for (int i = 0; i < n; i++)
        if (put[i] < values_of(&ds->meta, &ds->meta.vars[first + i]) && (*named)++ < MOST_NAMED)
            root_name(ds, first + i, put[i]);
}

static int settle_all(struct pcdf_dataset *ds, void *own, enum pcdf_kind kind)
{
    const struct unwritten *u = own;
    int64_t numbers[BATCH + 1];
    int named = 0, status = NC_NOERR;
    if (kind != PCDF_KIND_CLOSE) /* the same on all ranks */
        return NC_NOERR;
    for (int first = 0, n; first < ds->meta.nvars && !status; first += n) { /* the same on all ranks */
        n = ds->meta.nvars - first < BATCH ? ds->meta.nvars - first : BATCH;
        for (int i = 0; i < n; i++)
            numbers[i] = (size_t)(first + i) < u->n ? u->put[first + i] : 0;
        numbers[n] = u->lost_count;
        status = pcdf_ranks_sum_at_root_all(&ds->ranks, numbers, n + 1);
        if (!status && ds->ranks.rank == 0 && numbers[n] == 0)
            root_compare(ds, first, n, numbers, &named);
    }
    if (named > MOST_NAMED)
        dprintf(STDERR_FILENO, "parcdf: %s: %d more variables lack values\n", ds->path, named - MOST_NAMED);
    return status;
}

static bool close_together(const struct pcdf_dataset *ds, const void *own)
{
    (void)ds, (void)own;
    return true;
}

static void in_force(const struct pcdf_dataset *ds, const void *own, struct pcdf_hints *hints)
{
    (void)ds;
    hints->unwritten = own != NULL;
}

static void free_own(struct pcdf_dataset *ds, void *own)
{
    (void)ds;
    pcdf_free(((struct unwritten *)own)->put);
}

const struct pcdf_part_ops pcdf_part_unwritten = {
    .name = "unwritten",
    .own_size = sizeof(struct unwritten),
    .agreed = agreed,
    .put_done = put_done,
    .settle_all = settle_all,
    .close_together = close_together,
    .in_force = in_force,
    .free = free_own,
};
