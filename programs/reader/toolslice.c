/* Parts of variables: see toolslice.h. */
#include "alloc.h"
#include "status.h"
#include "toolgrid.h"
#include "toolsay.h"
#include "toolslice.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const struct pcdf_tool_dataset *ds;
    const char *text, *at, *end;
};

static int misread(const struct reading *r, const char *at, const char *what)
{
    return pcdf_tool_unusable(r->ds->file.path, "%.*s: character %d: %s", (int)(r->end - r->text), r->text,
                              (int)(at - r->text) + 1, what);
}

int pcdf_tool_slice_whole(const struct pcdf_tool_dataset *ds, int varid, struct pcdf_tool_slice *slice)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    size_t n = (size_t)var->ndims;
    int64_t *room = pcdf_malloc((3 * n + 1) * sizeof *room);

    if (!room)
        return pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    *slice = (struct pcdf_tool_slice){ varid, var->ndims, true, room, room + n, room + 2 * n };
    pcdf_var_shape(&ds->meta, var, slice->count);
    for (size_t i = 0; i < n; i++) {
        slice->start[i] = 0;
        slice->stride[i] = 1;
    }
    return PCDF_TOOL_GOOD;
}

void pcdf_tool_slice_free(struct pcdf_tool_slice *slice)
{
    pcdf_free(slice->start);
    slice->start = NULL;
}

/* The name before the brackets, without its backslashes; *brackets: where these begin, or the end. */
static int find_named(const struct reading *r, const char **brackets)
{
    char name[4 * NC_MAX_NAME + 1];
    size_t n = 0;
    const char *at = r->text;

    for (; at < r->end && *at != '(' && n < sizeof name - 1; at++) {
        at += *at == '\\' && at + 1 < r->end;
        name[n++] = *at;
    }
    name[n] = '\0';
    *brackets = at;
    return pcdf_tool_find_variable(&r->ds->meta, name);
}

/* The whole text as a name, as it is; -1: none. */
static int find_plain(const struct reading *r)
{
    char *name = pcdf_strndup(r->text, (size_t)(r->end - r->text));
    int varid = name ? pcdf_tool_find_variable(&r->ds->meta, name) : -1;

    pcdf_free(name);
    return varid;
}

/* A number, if one stands there. */
static int read_number(struct reading *r, bool *there, int64_t *number)
{
    const char *digits = r->at + (*r->at == '-');
    char *behind;

    *there = digits < r->end && *digits >= '0' && *digits <= '9';
    if (!*there)
        return digits > r->at ? misread(r, r->at, "a number should follow '-'") : PCDF_TOOL_GOOD;
    errno = 0;
    long long value = strtoll(r->at, &behind, 10);
    if (errno || value == INT64_MIN)
        return misread(r, r->at, "the number does not fit 63 bits");
    *number = value;
    r->at = behind;
    return PCDF_TOOL_GOOD;
}

/* From the end, and cut to 0..length. */
static int64_t placed(int64_t number, int64_t length)
{
    if (number < 0)
        number = number + length < 0 ? 0 : number + length;
    return number < length ? number : length;
}

static int read_index(const struct reading *r, const char *from, int64_t number, int64_t length,
                      int64_t *start, int64_t *count)
{
    if (number >= length || number < -length)
        return pcdf_tool_unusable(
            r->ds->file.path, "%.*s: character %d: index %" PRId64 " of a dimension of length %" PRId64,
            (int)(r->end - r->text), r->text, (int)(from - r->text) + 1, number, length);
    *start = number < 0 ? number + length : number;
    *count = 1;
    return PCDF_TOOL_GOOD;
}

/* `:`, `a`, `a:b` or `a:b:s` of a dimension; *count comes as its length. */
static int read_range(struct reading *r, int64_t *start, int64_t *count, int64_t *stride)
{
    const char *from = r->at;
    int64_t length = *count, a = 0, b = length, step = 1;
    bool has_a, has_b, has_step = false;
    int status = read_number(r, &has_a, &a);

    if (status)
        return status;
    if (*r->at != ':')
        return has_a ? read_index(r, from, a, length, start, count)
                     : misread(r, r->at, "an index or a range a:b should stand here");
    r->at++;
    status = read_number(r, &has_b, &b);
    if (!status && *r->at == ':') {
        r->at++;
        from = r->at;
        status = read_number(r, &has_step, &step);
    }
    if (!status && step < 1)
        status = misread(r, from, "the step is not above 0");
    if (status)
        return status;
    a = placed(a, length);
    b = has_b ? placed(b, length) : length;
    *start = a;
    *stride = step;
    *count = b > a ? (b - a - 1) / step + 1 : 0;
    return PCDF_TOOL_GOOD;
}

static int read_ranges(struct reading *r, struct pcdf_tool_slice *slice)
{
    r->at++;
    for (int i = 0;; i++) {
        if (i >= slice->ndims)
            return misread(r, r->at, "the variable has fewer dimensions");
        int64_t length = slice->count[i];
        int status = read_range(r, &slice->start[i], &slice->count[i], &slice->stride[i]);
        if (status)
            return status;
        slice->is_whole = slice->is_whole && slice->count[i] == length;
        if (*r->at == ')')
            break;
        if (*r->at != ',')
            return misread(r, r->at, "',' or ')' should stand here");
        r->at++;
    }
    return r->at + 1 == r->end ? PCDF_TOOL_GOOD : misread(r, r->at + 1, "nothing should follow ')'");
}

static int no_variable(const struct reading *r, const char *copy)
{
    char name[PCDF_TOOL_NAME];
    snprintf(name, sizeof name, "%.*s", (int)(r->at > copy ? r->at - copy : r->end - copy), copy);
    return pcdf_tool_no_variable(r->ds->file.path, &r->ds->meta, name, "");
}

int pcdf_tool_slice_parse(const struct pcdf_tool_dataset *ds, const char *text, size_t length,
                          struct pcdf_tool_slice *slice)
{
    /* A copy ends in a NUL, which stops every look ahead. */
    char *copy = pcdf_strndup(text, length);
    if (!copy)
        return pcdf_tool_unusable(ds->file.path, "%s", pcdf_fail_text());
    struct reading r = { ds, copy, copy, copy + strlen(copy) };
    int varid = find_plain(&r);
    bool is_plain = varid >= 0;
    if (!is_plain)
        varid = find_named(&r, &r.at);
    int status = PCDF_TOOL_GOOD;
    if (varid < 0)
        status = no_variable(&r, copy);
    if (!status)
        status = pcdf_tool_slice_whole(ds, varid, slice);
    if (!status && !is_plain && r.at < r.end) {
        status = read_ranges(&r, slice);
        if (status)
            pcdf_tool_slice_free(slice);
    }
    pcdf_free(copy);
    return status;
}

size_t pcdf_tool_slice_length(const struct pcdf_tool_dataset *ds, const char *list)
{
    struct reading r = { ds, list, list, list + strlen(list) };
    const char *at = list;
    int depth = 0;

    if (find_plain(&r) >= 0)
        return (size_t)(r.end - list);
    for (; *at && (*at != ',' || depth > 0); at++) {
        at += *at == '\\' && at[1];
        if (at > list && at[-1] == '\\')
            continue;
        depth += *at == '(';
        depth -= *at == ')' && depth > 0;
    }
    return (size_t)(at - list);
}

int64_t pcdf_tool_slice_size(const struct pcdf_tool_slice *slice)
{
    return pcdf_grid_count(slice->ndims, slice->count);
}

int pcdf_tool_slice_values(struct pcdf_tool_dataset *ds, const struct pcdf_tool_slice *slice,
                           const int64_t *index, int64_t n, void *bytes)
{
    const struct pcdf_meta *meta = &ds->meta;
    const struct pcdf_var *var = &meta->vars[slice->varid];
    int64_t first = 0;

    for (int i = 0; i < slice->ndims; i++) {
        int64_t length = meta->dims[var->dimids[i]].length;
        first =
            first * (length == 0 ? meta->numrecs : length) + slice->start[i] + index[i] * slice->stride[i];
    }
    int64_t stride = slice->ndims > 0 && n > 1 ? slice->stride[slice->ndims - 1] : 1;
    const struct pcdf_tool_runs picks = { .first = first, .run = 1, .step = stride, .n = n };
    return pcdf_tool_runs_values(ds, slice->varid, &picks, bytes);
}
