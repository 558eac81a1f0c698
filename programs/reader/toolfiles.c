/* See toolfiles.h. */
#include "toolfiles.h"
#include "alloc.h"
#include "numbers.h"
#include "status.h"
#include "toolsay.h"

#include <sys/resource.h>

enum { LEAST_OPEN = 16, SPARE = 64, MEMORY = 12 << 20, TIMES = 4 /* a header, as definitions */ };

static int64_t bytes_of(int64_t header_size)
{
    return (int64_t)sizeof(struct pcdf_tool_opened) + TIMES * header_size;
}

int pcdf_tool_files_most(int64_t header_size)
{
    struct rlimit limit;
    int64_t most = pcdf_smaller(PCDF_TOOL_FILES_OPEN, MEMORY / bytes_of(header_size));
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        most = pcdf_smaller(most, ((int64_t)limit.rlim_cur - SPARE) / 2);
    return (int)pcdf_larger(most, LEAST_OPEN);
}

int pcdf_tool_files_begin(struct pcdf_tool_files *f, int n, const char *const *paths, int images)
{
    *f = (struct pcdf_tool_files){ .n = n,
                                   .paths = paths,
                                   .with_values = true,
                                   .room = pcdf_tool_files_most(0),
                                   .images = images,
                                   .last = -1,
                                   .changed = -1 };
    f->x = pcdf_calloc((size_t)n, sizeof *f->x);
    for (int i = 0; f->x && i < n; i++)
        f->x[i].place = -1;
    return f->x ? PCDF_TOOL_GOOD : pcdf_tool_unusable(n ? paths[0] : NULL, "%s", pcdf_fail_text());
}

void pcdf_tool_files_know(struct pcdf_tool_files *f, int number, uint32_t sum, int64_t stamp)
{
    f->x[number].is_known = true;
    f->x[number].sum = sum;
    f->x[number].stamp = stamp;
}

static int changed(const struct pcdf_tool_files *f, const char *path)
{
    return f->text ? pcdf_tool_unusable(NULL, "%s", f->text)
                   : pcdf_tool_unusable(path, "the file changes while it is read");
}

static bool was_written(const struct pcdf_tool_files *f, const struct pcdf_tool_opened *one)
{
    return pcdf_tool_stamp(&one->ds.file) != f->x[one->number].stamp;
}

/* The last one of those that are open takes its place. */
static void close_one(struct pcdf_tool_files *f, int place)
{
    struct pcdf_tool_opened *one = f->open[place];
    if (f->refuses && f->changed < 0 && was_written(f, one))
        f->changed = one->number;
    f->x[one->number].read_behind |= one->ds.read_behind;
    f->x[one->number].place = -1;
    f->open[place] = f->open[--f->nopen];
    if (place < f->nopen)
        f->x[f->open[place]->number].place = place;
    f->bytes -= one->bytes;
    pcdf_tool_dataset_close(&one->ds);
    pcdf_free(one);
}

/* Once. */
static int tell_changed(struct pcdf_tool_files *f)
{
    int number = f->changed;
    f->changed = -1;
    return number < 0 ? PCDF_TOOL_GOOD : changed(f, f->paths[number]);
}

int pcdf_tool_files_end(struct pcdf_tool_files *f)
{
    if (!f->x)
        return PCDF_TOOL_GOOD;
    while (f->nopen > 0)
        close_one(f, f->nopen - 1);
    pcdf_free(f->x);
    f->x = NULL;
    return tell_changed(f);
}

static void make_room(struct pcdf_tool_files *f)
{
    while (f->nopen > 0 && (f->nopen >= f->room || (f->nopen >= f->images && f->bytes > MEMORY))) {
        int oldest = 0;
        for (int i = 1; i < f->nopen; i++)
            oldest = f->open[i]->used < f->open[oldest]->used ? i : oldest;
        close_one(f, oldest);
    }
}

/* It is the last one of those that are open. */
static void note_opened(struct pcdf_tool_files *f, struct pcdf_tool_opened *one)
{
    struct pcdf_tool_known *known = &f->x[one->number];
    pcdf_tool_files_know(f, one->number, pcdf_tool_dataset_sum(&one->ds, 0), one->ds.file.stamp);
    if (one->ds.file.source) /* of another format, or far: it has a cache */
        f->room = (int)pcdf_smaller(f->room, f->images);
    known->place = f->nopen;
    one->ds.read_behind = known->read_behind;
    one->bytes = bytes_of(one->ds.layout.header_size);
    f->bytes += one->bytes;
    f->open[f->nopen++] = one;
}

/* Is it still the file that is known? */
static bool is_other(const struct pcdf_tool_files *f, const struct pcdf_tool_opened *one)
{
    const struct pcdf_tool_known *known = &f->x[one->number];
    return known->is_known &&
           (known->sum != pcdf_tool_dataset_sum(&one->ds, 0) || (f->refuses && was_written(f, one)));
}

static int open_one(struct pcdf_tool_files *f, int number)
{
    const char *path = f->paths[number];
    make_room(f);
    struct pcdf_tool_opened *one = pcdf_malloc(sizeof *one);
    if (!one)
        return pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    one->number = number;
    pcdf_tool_sources_tell(!f->x[number].is_known && (!f->is_quiet || number == 0));
    int status = pcdf_tool_dataset_open(&one->ds, path, f->with_values);
    pcdf_tool_sources_tell(true);
    if (!status && is_other(f, one)) {
        pcdf_tool_dataset_close(&one->ds);
        status = changed(f, path);
    }
    if (status)
        pcdf_free(one);
    else
        note_opened(f, one);
    return status;
}

void pcdf_tool_files_rest(struct pcdf_tool_files *f)
{
    if (f->last >= 0 && f->x[f->last].place >= 0)
        pcdf_tool_dataset_rest(&f->open[f->x[f->last].place]->ds);
    f->last = -1;
}

/* Another file is read from now on. */
static int turn_to(struct pcdf_tool_files *f, int number)
{
    int place = f->x[number].place;
    pcdf_tool_files_rest(f);
    if (place >= 0 && f->looks_again && was_written(f, f->open[place])) {
        close_one(f, place);
        place = -1;
    }
    return place < 0 ? open_one(f, number) : PCDF_TOOL_GOOD;
}

int pcdf_tool_files_get(struct pcdf_tool_files *f, int number, struct pcdf_tool_dataset **ds)
{
    int status = f->last == number ? PCDF_TOOL_GOOD : turn_to(f, number);
    status = status ? status : tell_changed(f); /* of one that had to be closed */
    if (status)
        return status;
    f->last = number;
    struct pcdf_tool_opened *one = f->open[f->x[number].place];
    one->used = f->clock++;
    *ds = &one->ds;
    return f->with_values ? pcdf_tool_dataset_complete(*ds) : PCDF_TOOL_GOOD;
}

bool pcdf_tool_files_read_behind(const struct pcdf_tool_files *f)
{
    bool has = false;
    for (int i = 0; i < f->n; i++)
        has |= f->x[i].read_behind || (f->x[i].place >= 0 && f->open[f->x[i].place]->ds.read_behind);
    return has;
}
