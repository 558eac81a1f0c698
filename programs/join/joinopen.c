/* See joinopen.h. */
#include "joinopen.h"
#include "joinfiles.h"
#include "alloc.h"
#include "numbers.h"
#include "status.h"
#include "tool.h"

#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST_OPEN = 1024, LEAST_OPEN = 16, SPARE = 64, MEMORY = 12 << 20, IMAGES = 3 };

int pcdf_join_open_room(const struct pcdf_join_plan *plan)
{
    struct rlimit limit;
    int64_t room = MOST_OPEN, each = 512 + 8 * (int64_t)plan->in.nvars;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        room = pcdf_smaller(room, ((int64_t)limit.rlim_cur - SPARE) / 4 * 3);
    room = pcdf_smaller(room, MEMORY / each);
    for (int i = 0; i < plan->options->nfrom; i++)
        if (plan->facts[i].is_image)
            return (int)pcdf_smaller(IMAGES, plan->options->nfrom);
    return (int)pcdf_smaller(pcdf_larger(room, LEAST_OPEN), plan->options->nfrom);
}

int pcdf_join_open_begin(struct pcdf_join_open *open, const struct pcdf_join_plan *plan)
{
    *open = (struct pcdf_join_open){ .plan = plan, .room = plan->room };
    open->x = pcdf_calloc((size_t)open->room, sizeof *open->x);
    open->place = pcdf_malloc((size_t)plan->options->nfrom * sizeof *open->place);
    for (int i = 0; i < plan->options->nfrom && open->place; i++)
        open->place[i] = -1;
    if (open->x && open->place)
        return PCDF_TOOL_GOOD;
    pcdf_free(open->x);
    pcdf_free(open->place);
    return pcdf_tool_unusable(NULL, "%s", pcdf_fail_text());
}

static int changed(const char *path)
{
    return pcdf_tool_unusable(path, "the file changes while it is read");
}

static int close_file(const struct pcdf_join_open *open, struct pcdf_join_file *f)
{
    bool is_same = pcdf_join_stamp(&f->file) == open->plan->facts[f->number].stamp;
    open->place[f->number] = -1;
    pcdf_tool_close(&f->file);
    pcdf_free(f->begins);
    pcdf_free(f->changes);
    return is_same ? PCDF_TOOL_GOOD : changed(open->plan->options->from[f->number]);
}

/* What is kept of a dataset: where its variables begin, and how their numbers change. */
static int keep(const struct pcdf_join_plan *plan, const struct pcdf_tool_dataset *ds,
                struct pcdf_join_file *f)
{
    int nvars = plan->in.nvars, status = PCDF_TOOL_GOOD;
    bool changes = false;
    f->recsize = ds->layout.recsize;
    f->begins = pcdf_calloc((size_t)nvars + 1, sizeof *f->begins);
    if (!f->begins)
        return pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    for (int i = 0; i < nvars && !status; i++) {
        struct pcdf_join_change change = { 0 };
        int id = pcdf_meta_find_var(&ds->meta, plan->in.vars[i].name);
        if (id < 0)
            return changed(ds->file.path);
        f->begins[i] = ds->layout.begin[id];
        if (plan->vars[i].time)
            status = pcdf_join_change_of(&plan->vars[i], ds->file.path, &ds->meta, id, &change);
        if (change.is_needed && !changes)
            f->changes = pcdf_calloc((size_t)nvars + 1, sizeof *f->changes);
        changes |= change.is_needed;
        if (changes && !f->changes)
            return pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
        if (changes)
            f->changes[i] = change;
    }
    return status;
}

static int open_file(const struct pcdf_join_open *open, int64_t number, struct pcdf_join_file *f)
{
    const struct pcdf_join_plan *plan = open->plan;
    struct pcdf_tool_dataset ds;
    int status = pcdf_tool_dataset_open(&ds, plan->options->from[number], true);
    if (status)
        return status;
    *f = (struct pcdf_join_file){ .number = number };
    const struct pcdf_join_facts *facts = &plan->facts[number];
    if (pcdf_tool_dataset_sum(&ds, 0) != facts->sum || pcdf_join_stamp(&ds.file) != facts->stamp)
        status = changed(ds.file.path);
    else
        status = keep(plan, &ds, f);
    f->file = ds.file;
    ds.file = (struct pcdf_tool_file){ .fd = -1 }; /* it stays open */
    pcdf_tool_dataset_close(&ds);
    if (status) {
        pcdf_tool_close(&f->file);
        pcdf_free(f->begins);
        pcdf_free(f->changes);
    }
    return status;
}

int pcdf_join_open_file(struct pcdf_join_open *open, int64_t number, struct pcdf_join_file **file)
{
    int at = open->place[number], status = PCDF_TOOL_GOOD;
    if (at < 0 && open->n < open->room)
        at = open->n;
    else if (at < 0) {
        at = 0;
        for (int i = 1; i < open->n; i++)
            at = open->x[i].used < open->x[at].used ? i : at;
        status = close_file(open, &open->x[at]);
        open->x[at] = open->x[--open->n]; /* the place is the last one now */
        if (at < open->n)
            open->place[open->x[at].number] = at;
        at = open->n;
    }
    if (!status && open->place[number] < 0) {
        status = open_file(open, number, &open->x[at]);
        if (!status) {
            open->n++;
            open->place[number] = at;
        }
    }
    if (status)
        return status;
    *file = &open->x[at];
    (*file)->used = open->clock++;
    return PCDF_TOOL_GOOD;
}

int pcdf_join_open_end(struct pcdf_join_open *open)
{
    int status = PCDF_TOOL_GOOD;
    for (int i = 0; i < open->n; i++) {
        int mine = close_file(open, &open->x[i]);
        status = status ? status : mine;
    }
    pcdf_free(open->x);
    pcdf_free(open->place);
    return status;
}

int pcdf_join_read(const struct pcdf_join_file *f, void *bytes, int64_t n, int64_t at)
{
    int64_t got = 0;
    if (pcdf_tool_move(&f->file, bytes, n, at, &got))
        return pcdf_tool_unusable(f->file.path, "bytes from %" PRId64 " on cannot be read: %s", at,
                                  pcdf_tool_move_text(&f->file));
    if (got < n)
        return pcdf_tool_unusable(f->file.path, "the file became shorter while it was read");
    return PCDF_TOOL_GOOD;
}
