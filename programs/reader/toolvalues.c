/* Files with their definitions, and the values of variables: see toolfile.h. */
#include "alloc.h"
#include "crc32c.h"
#include "hash.h"
#include "meaningvalues.h"
#include "numbers.h"
#include "posixio.h"
#include "status.h"
#include "toolsay.h"
#include "toolfile.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum {
    WINDOW = 1 << 20,
    NUMBERS = 4096, /* read at once */
    FIRST_WINDOW = 64 * 1024,
    LEAST_WINDOW = 4096,
    WORTH = 8,                /* a window of which less than this part was asked for was too large */
    WILLING_BEHIND = 64 << 20 /* bytes that a file may lack whatever its size */
};

/* Where the last value ends: padding behind it need not be there. */
static int64_t values_end(const struct pcdf_tool_dataset *ds)
{
    int64_t end = 0;

    for (int i = 0; i < ds->meta.nvars; i++) {
        const struct pcdf_var *var = &ds->meta.vars[i];
        int64_t last = var->is_record ? ds->meta.numrecs - 1 : 0, at;
        if (last < 0 || var->nbytes == 0)
            continue;
        if (__builtin_mul_overflow(last, var->is_record ? ds->layout.recsize : 0, &at) ||
            __builtin_add_overflow(at, ds->layout.begin[i], &at) ||
            __builtin_add_overflow(at, var->nbytes, &at))
            return INT64_MAX;
        end = at > end ? at : end;
    }
    return end;
}

int pcdf_tool_dataset_open(struct pcdf_tool_dataset *ds, const char *path, bool with_values)
{
    *ds = (struct pcdf_tool_dataset){ 0 };
    int status = pcdf_tool_open(&ds->file, path);
    if (status)
        return status;
    status = pcdf_tool_decode(&ds->file, true, &ds->meta, &ds->layout);
    if (status) {
        pcdf_tool_close(&ds->file);
        return status;
    }
    ds->behind = pcdf_larger(values_end(ds) - ds->file.size, 0);
    status = with_values ? pcdf_tool_dataset_complete(ds) : PCDF_TOOL_GOOD;
    if (status) {
        pcdf_tool_dataset_close(ds);
        return status;
    }
    ds->header_crc = pcdf_crc32c(0, ds->file.bytes, (size_t)ds->layout.header_size);
    pcdf_free(ds->file.bytes);
    ds->file.bytes = NULL;
    ds->file.n = 0;
    return PCDF_TOOL_GOOD;
}

int pcdf_tool_dataset_complete(const struct pcdf_tool_dataset *ds)
{
    int64_t size = ds->file.size;
    if (ds->behind <= WILLING_BEHIND || ds->behind <= size)
        return PCDF_TOOL_GOOD;
    pcdf_tool_say(ds->file.path,
                  "the header tells of data up to byte %" PRId64 ", but the file ends at %" PRId64,
                  size + ds->behind, size);
    return PCDF_TOOL_BAD;
}

void pcdf_tool_dataset_rest(struct pcdf_tool_dataset *ds)
{
    pcdf_free(ds->window);
    ds->window = NULL;
    ds->window_n = 0;
}

void pcdf_tool_dataset_close(struct pcdf_tool_dataset *ds)
{
    if (ds->many)
        ds->many->end(ds->series);
    pcdf_layout_free(&ds->layout);
    pcdf_meta_free(&ds->meta);
    pcdf_free(ds->window);
    pcdf_tool_close(&ds->file);
}

uint32_t pcdf_tool_dataset_sum(const struct pcdf_tool_dataset *ds, uint32_t before)
{
    const int64_t what[] = { ds->header_crc, ds->meta.numrecs, ds->behind }; /* the size may tell numrecs */
    return pcdf_crc32c(before, what, sizeof what);
}

int pcdf_tool_most_dims(const struct pcdf_meta *meta)
{
    int most = 0;
    for (int i = 0; i < meta->nvars; i++)
        most = meta->vars[i].ndims > most ? meta->vars[i].ndims : most;
    return most;
}

int64_t pcdf_tool_dim_length(const struct pcdf_meta *meta, int dimid)
{
    return dimid == meta->record_dim ? meta->numrecs : meta->dims[dimid].length;
}

bool pcdf_tool_is_coordinate(const struct pcdf_meta *meta, int varid)
{
    const struct pcdf_var *var = &meta->vars[varid];
    return var->ndims == 1 && strcmp(var->name, meta->dims[var->dimids[0]].name) == 0;
}

int pcdf_tool_coordinate(const struct pcdf_meta *meta, int dimid)
{
    int varid = pcdf_meta_find_var(meta, meta->dims[dimid].name);
    const struct pcdf_var *var = varid < 0 ? NULL : &meta->vars[varid];
    return var && var->ndims == 1 && var->dimids[0] == dimid && var->type != NC_CHAR ? varid : -1;
}

int64_t pcdf_tool_count(const struct pcdf_meta *meta, int varid)
{
    const struct pcdf_var *var = &meta->vars[varid];
    return var->nbytes / pcdf_type_size(var->type) * (var->is_record ? meta->numrecs : 1);
}

/* What the file does not hold is zeros. */
static int read_filled(struct pcdf_tool_dataset *ds, int varid, unsigned char *bytes, int64_t n, int64_t at,
                       int64_t *got)
{
    *got = 0;
    if (at >= ds->file.size) { /* no call: many runs may lie behind */
        memset(bytes, 0, (size_t)n);
    } else if (pcdf_tool_move(&ds->file, bytes, n, at, got))
        return pcdf_tool_unusable(ds->file.path, "bytes from %" PRId64 " on cannot be read: %s", at,
                                  pcdf_tool_move_text(&ds->file));
    if (*got < n && varid >= 0) {
        if (!ds->read_behind && !ds->is_growing)
            pcdf_tool_say(ds->file.path,
                          "the file ends at byte %" PRId64
                          ", values of %s that lie behind it are taken as zero",
                          ds->file.size, ds->meta.vars[varid].name);
        ds->read_behind = true;
    }
    return PCDF_TOOL_GOOD;
}

/* How large the next window is to be, by how much of the last one was of use. */
static int64_t next_window(const struct pcdf_tool_dataset *ds)
{
    int64_t want = ds->window_next ? ds->window_next : FIRST_WINDOW;
    if (ds->window_n > 0 && ds->window_served < ds->window_n / WORTH)
        want = want / 4 > LEAST_WINDOW ? want / 4 : LEAST_WINDOW;
    else if (ds->window_n > 0)
        want = 2 * want < WINDOW ? 2 * want : WINDOW;
    return want;
}

/* Where a window ends that is read for a variable. Of other formats what lies behind a variable without
 * records are chunks of another one, which may be damaged, and cost time to decode. */
static int64_t window_end(const struct pcdf_tool_dataset *ds, int varid)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    bool is_alone = !var->is_record && pcdf_tool_source_is_image(ds->file.source);
    return is_alone ? ds->layout.begin[varid] + var->nbytes : INT64_MAX;
}

/* from: where a window is to begin that has n bytes at `at`; a run that is as long as the window would be is
 * read by itself. */
static int read_run(struct pcdf_tool_dataset *ds, int varid, unsigned char *bytes, int64_t n, int64_t at,
                    int64_t from)
{
    int64_t got;
    bool is_there = at >= ds->window_at && at + n <= ds->window_at + ds->window_n;
    int64_t want = is_there ? 0 : pcdf_smaller(next_window(ds), window_end(ds, varid) - at);
    if (!is_there && n >= want)
        return read_filled(ds, varid, bytes, n, at, &got);
    if (!ds->window)
        ds->window = pcdf_malloc(WINDOW);
    if (!ds->window)
        return pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    if (!is_there) {
        ds->window_n = ds->window_served = 0;
        ds->window_next = want;
        ds->window_at = at + n <= from + want ? from : at;
        int status = read_filled(ds, -1, ds->window, want, ds->window_at, &ds->window_n);
        if (status)
            return status;
    }
    if (at + n > ds->window_at + ds->window_n) /* the file ends in it */
        return read_filled(ds, varid, bytes, n, at, &got);
    memcpy(bytes, ds->window + (at - ds->window_at), (size_t)n);
    ds->window_served += n;
    return PCDF_TOOL_GOOD;
}

int pcdf_tool_values(struct pcdf_tool_dataset *ds, int varid, int64_t first, int64_t n, void *bytes)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    int64_t begin = ds->many ? 0 : ds->layout.begin[varid], size = pcdf_type_size(var->type);
    int64_t each = var->nbytes / size;
    unsigned char *to = bytes;
    int status = PCDF_TOOL_GOOD;

    if (ds->many)
        return ds->many->values(ds, varid, first, n, bytes);
    if (!var->is_record || n == 0)
        return n ? read_run(ds, varid, to, n * size, begin + first * size, begin + first * size) : status;
    while (n > 0 && !status) {
        int64_t at = first % each, run = each - at < n ? each - at : n, most = INT64_MAX - n * size;
        int64_t offset = pcdf_layout_value_at(&ds->layout, &ds->meta, varid, first), from;
        offset = offset < most ? offset : most; /* behind the end of any file */
        /* A window begins where its record does, when it holds all of it: other variables are next. */
        from = offset - at * size - (begin - ds->layout.begin_rec);
        status = read_run(ds, varid, to, run * size, offset, from > 0 && from < offset ? from : offset);
        to += run * size;
        first += run;
        n -= run;
    }
    return status;
}

int pcdf_tool_numbers(struct pcdf_tool_dataset *ds, int varid, int64_t first, int64_t n, double *to)
{
    const struct pcdf_meaning meaning = pcdf_meaning_of(&ds->meta.vars[varid]);
    unsigned char bytes[8 * NUMBERS];
    int status = PCDF_TOOL_GOOD, size = pcdf_type_size(ds->meta.vars[varid].type);

    for (int64_t done = 0, some; done < n && !status; done += some) {
        some = pcdf_smaller(NUMBERS, n - done);
        status = pcdf_tool_values(ds, varid, first + done, some, bytes);
        for (int64_t i = 0; i < some && !status; i++)
            to[done + i] = pcdf_meaning_value(&meaning, bytes + i * size);
    }
    return status;
}

void pcdf_tool_values_expect(const struct pcdf_tool_dataset *ds, int varid, int64_t first, int64_t n)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    int64_t size = pcdf_type_size(var->type), each = var->nbytes / size, most = INT64_MAX - n * size;
    int64_t at = var->is_record ? pcdf_layout_value_at(&ds->layout, &ds->meta, varid, first)
                                : ds->layout.begin[varid] + first * size;
    if (var->is_record)
        n = pcdf_smaller(n, each - first % each);
    if (!ds->file.source && at >= 0 && at < most)
        pcdf_posix_expect(ds->file.fd, at, n * size);
}

int pcdf_tool_runs_values(struct pcdf_tool_dataset *ds, int varid, const struct pcdf_tool_runs *runs,
                          void *bytes)
{
    enum { SPAN = 32 * 1024, NEAR = 4096 };
    unsigned char span[SPAN], *to = bytes;
    int64_t size = pcdf_type_size(ds->meta.vars[varid].type), step = runs->step, run = runs->run, now;
    int64_t most = runs->n; /* that one read takes */
    int status = PCDF_TOOL_GOOD;

    if (runs->n > 1 && step > run)
        most = step <= NEAR / size ? (SPAN / size - run) / step + 1 : 1;
    for (int64_t done = 0; done < runs->n && !status; done += now, to += now * run * size) {
        now = runs->n - done < most ? runs->n - done : most;
        bool is_one = now == 1 || step == run;
        status = pcdf_tool_values(ds, varid, runs->first + done * step, (now - 1) * step + run,
                                  is_one ? to : span);
        for (int64_t i = 0; i < now && !is_one && !status; i++)
            memcpy(to + i * run * size, span + i * step * size, (size_t)(run * size));
    }
    return status;
}

int pcdf_tool_values_hash(struct pcdf_tool_dataset *ds, int varid, uint64_t *hash)
{
    int64_t n = pcdf_tool_count(&ds->meta, varid), size = pcdf_type_size(ds->meta.vars[varid].type);
    unsigned char *bytes = pcdf_malloc(WINDOW);
    uint64_t pair[2] = { 0, 0 };
    int status = bytes ? PCDF_TOOL_GOOD : pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());

    for (int64_t at = 0, some; at < n && !status; at += some) {
        some = pcdf_smaller(WINDOW / size, n - at);
        status = pcdf_tool_values(ds, varid, at, some, bytes);
        pair[1] = status ? 0 : pcdf_hash_bytes(bytes, (size_t)(some * size));
        pair[0] = pcdf_hash_bytes(pair, sizeof pair);
    }
    pcdf_free(bytes);
    *hash = pair[0];
    return status;
}

const char *pcdf_tool_next_name(const char *list, char name[PCDF_TOOL_NAME])
{
    size_t n = 0;

    for (; *list && *list != ',' && n < PCDF_TOOL_NAME - 1; list++) {
        if (*list == '\\' && list[1] == ',')
            list++;
        name[n++] = *list;
    }
    name[n] = '\0';
    return *list ? list + 1 : NULL;
}

int pcdf_tool_choose(const struct pcdf_tool_dataset *ds, const char *list, bool *chosen)
{
    while (list) {
        char name[PCDF_TOOL_NAME];
        list = pcdf_tool_next_name(list, name);
        int varid = pcdf_tool_find_variable(&ds->meta, name);
        if (varid < 0)
            return pcdf_tool_no_variable(ds->file.path, &ds->meta, name, "");
        chosen[varid] = true;
    }
    return PCDF_TOOL_GOOD;
}
