/* See toolseries.h. */
#include "toolseries.h"
#include "toolfit.h"
#include "alloc.h"
#include "crc32c.h"
#include "layout.h"
#include "numbers.h"
#include "status.h"
#include "toolsay.h"
#include "meaningtext.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 4 << 20 /* of the coordinate, that are kept */, MOST_TOLD = 3 };

static int no_memory(const char *path)
{
    return pcdf_tool_unusable(path, "%s", pcdf_fail_text());
}

/* ---- along which dimension */

static bool has_time(const struct pcdf_meta *meta, int dimid, struct pcdf_time *time)
{
    return pcdf_time_of(time, meta, pcdf_tool_coordinate(meta, dimid)) != PCDF_TIME_NONE;
}

/* The one dimension for which `is_one` holds; -1: none, or several. */
static int only_one(const struct pcdf_meta *meta, const bool *is_one)
{
    int found = -1, n = 0;
    for (int i = 0; i < meta->ndims; i++)
        if (is_one[i]) {
            found = i;
            n++;
        }
    return n == 1 ? found : -1;
}

/* What is it that differs in another file: a length, or else the values of a coordinate? */
static int compare_dimensions(struct pcdf_tool_dataset *a, struct pcdf_tool_dataset *b, int *found)
{
    const struct pcdf_meta *meta = &a->meta;
    size_t nvars = (size_t)meta->nvars + 1, ndims = (size_t)meta->ndims + 1;
    bool *longer = pcdf_calloc(ndims, sizeof *longer), *other = pcdf_calloc(ndims, sizeof *other);
    uint64_t *hashes = pcdf_calloc(2 * nvars, sizeof *hashes);
    int status = longer && other && hashes ? PCDF_TOOL_GOOD : no_memory(a->file.path);

    if (!status)
        status = pcdf_tool_member_grid(a, meta, "", hashes);
    if (!status)
        status = pcdf_tool_member_grid(b, meta, "", hashes + nvars);
    for (int i = 0; i < meta->ndims && !status; i++) {
        int mine = pcdf_meta_find_dim(&b->meta, meta->dims[i].name), varid = pcdf_tool_coordinate(meta, i);
        longer[i] = mine >= 0 && pcdf_tool_dim_length(&b->meta, mine) != pcdf_tool_dim_length(meta, i);
        other[i] = varid >= 0 && hashes[varid] != hashes[nvars + (size_t)varid];
    }
    if (!status) {
        *found = only_one(meta, longer);
        *found = *found >= 0 ? *found : only_one(meta, other);
    }
    pcdf_free(hashes);
    pcdf_free(other);
    pcdf_free(longer);
    return status;
}

static int find_by_second(struct pcdf_tool_files *files, struct pcdf_tool_dataset *first, int *dimid)
{
    struct pcdf_tool_dataset *second;
    int status = pcdf_tool_files_get(files, 1, &second);
    if (!status)
        status = compare_dimensions(first, second, dimid);
    if (!status && *dimid < 0)
        status = pcdf_tool_unusable(
            files->paths[1],
            "it is not clear along which dimension it follows %.300s: choose one with --along",
            first->file.path);
    return status;
}

static int find_dimension(struct pcdf_tool_files *files, struct pcdf_tool_dataset *first,
                          const struct pcdf_tool_series_choice *c, int *dimid)
{
    const struct pcdf_meta *meta = &first->meta;
    struct pcdf_time time;

    *dimid = c->along ? pcdf_meta_find_dim(meta, c->along) : meta->record_dim;
    if (c->along && *dimid < 0)
        return pcdf_tool_no_dimension(first->file.path, &first->meta, c->along);
    for (int i = 0; i < meta->ndims && *dimid < 0; i++)
        *dimid = has_time(meta, i, &time) ? i : -1;
    if (*dimid >= 0)
        return PCDF_TOOL_GOOD;
    return find_by_second(files, first, dimid);
}

/* ---- a first look at each file */

struct looking {
    const struct pcdf_tool_series_choice *choice;
    struct pcdf_tool_series *s;
    struct pcdf_meta meta;  /* of the first one named */
    const char *along;      /* in it */
    uint64_t *hashes, *own; /* of coordinates: of the first file, of another one */
    int64_t left;           /* values of the coordinate that may be kept */
};

static int look_at_first(struct looking *l, struct pcdf_tool_dataset *first)
{
    struct pcdf_tool_series *s = l->s;
    int status = find_dimension(&s->files, first, l->choice, &s->dimid);

    if (status)
        return status;
    if (pcdf_meta_copy(&l->meta, &first->meta))
        return no_memory(first->file.path);
    l->along = l->meta.dims[s->dimid].name;
    s->coordinate = pcdf_tool_coordinate(&l->meta, s->dimid);
    s->is_ordered = has_time(&l->meta, s->dimid, &s->time);
    s->is_time = s->time.kind == PCDF_TIME_DATES;
    size_t n = (size_t)l->meta.nvars + 1;
    l->hashes = pcdf_calloc(n, sizeof *l->hashes);
    l->own = pcdf_calloc(n, sizeof *l->own);
    if (!l->hashes || !l->own)
        return no_memory(first->file.path);
    return pcdf_tool_member_grid(first, &l->meta, l->along, l->hashes);
}

/* Whatever the length of the dimension that joins them is. */
static int64_t length_of(const void *looking, int dimid)
{
    const struct looking *l = looking;
    return dimid == l->s->dimid ? -1 : pcdf_tool_dim_length(&l->meta, dimid);
}

static int compare_with_first(struct looking *l, struct pcdf_tool_dataset *ds)
{
    static const char length[] = "variable $v: dimension $e has length $n, and $m in $f";
    static const char *const words[PCDF_FIT_MISFITS] = {
        [PCDF_FIT_ABSENT] = "there is no variable $v, which $f has",
        [PCDF_FIT_TYPE] = "variable $v is of type $t, and of $u in $f",
        [PCDF_FIT_NDIMS] = "variable $v has $n dimensions, and $m in $f",
        [PCDF_FIT_DIM] = "variable $v has dimension $d, and $e in $f",
        [PCDF_FIT_RECORDS] = length,
        [PCDF_FIT_LENGTH] = length,
        [PCDF_FIT_MEANING] = "variable $v has another $a than in $f",
        [PCDF_FIT_MORE] = "it has a variable $v, which $f has not",
    };
    const char *path = ds->file.path, *first = l->choice->paths[0];
    const struct pcdf_tool_fit fit = { words,     &l->meta, &ds->meta, first, path, l->meta.record_dim,
                                       length_of, l,        false };
    int status = pcdf_tool_fit_file(&fit);

    if (!status)
        status = pcdf_tool_member_grid(ds, &l->meta, l->along, l->own);
    for (int i = 0; i < l->meta.nvars && !status; i++)
        if (l->own[i] != l->hashes[i])
            status = pcdf_tool_unusable(path, "coordinate %.200s has other values than in %.300s",
                                        l->meta.vars[i].name, first);
    return status;
}

static int look_at(struct looking *l, int i)
{
    struct pcdf_tool_member *m = &l->s->x[i];
    struct pcdf_tool_dataset *ds;
    int status = pcdf_tool_files_get(&l->s->files, i, &ds);

    m->path = l->choice->paths[i];
    m->number = i;
    if (!status)
        status = i == 0 ? look_at_first(l, ds) : compare_with_first(l, ds);
    if (!status)
        status = pcdf_tool_member_read(ds, l->along, l->choice->keeps_coordinate ? l->left : 0, m);
    l->left -= m->values ? m->length : 0;
    return status;
}

/* ---- their order */

static int compare_firsts(const void *a, const void *b)
{
    const struct pcdf_tool_member *x = a, *y = b;
    if (x->length == 0 || y->length == 0)
        return (x->length == 0) - (y->length == 0);
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->begin > y->begin) - (x->begin < y->begin); /* as they were named */
}

/* Files without values go last. */
static void put_in_order(struct pcdf_tool_series *s)
{
    for (int i = 0; i < s->n; i++) {
        s->x[i].begin = i;
        s->is_ordered = s->is_ordered && (s->x[i].has_ends || s->x[i].length == 0);
    }
    if (s->is_ordered)
        qsort(s->x, (size_t)s->n, sizeof *s->x, compare_firsts);
}

void pcdf_tool_series_text(const struct pcdf_tool_series *s, double value, char text[64])
{
    if (!s->is_time || !pcdf_tool_date(&s->time, value, text))
        snprintf(text, 64, "%.10g", value);
}

static void tell_order(const struct pcdf_tool_series *s, const char *along)
{
    char here[64], there[64];
    int told = 0;

    for (int i = 0; i < s->n && s->is_ordered; i++) {
        const struct pcdf_tool_member *m = &s->x[i], *next = i + 1 < s->n ? m + 1 : NULL;
        bool goes_back = m->length > 0 && m->last < m->first;
        bool overlaps = m->length > 0 && next && next->length > 0 && next->first <= m->last;
        told += goes_back + overlaps;
        if (told > MOST_TOLD)
            continue;
        if (goes_back)
            pcdf_tool_say(m->path, "%.200s goes back", along);
        if (!overlaps)
            continue;
        pcdf_tool_series_text(s, next->first, here);
        pcdf_tool_series_text(s, m->last, there);
        pcdf_tool_say(next->path, "%.200s begins at %s, where %.300s goes up to %s", along, here, m->path,
                      there);
    }
    if (told > MOST_TOLD)
        pcdf_tool_say(NULL, "%d more files overlap", told - MOST_TOLD);
}

/* ---- the whole */

static int too_much(const struct pcdf_tool_dataset *ds)
{
    return pcdf_tool_unusable(ds->file.path, "together the files have more than 63 bits can count");
}

/* Lengths and sizes of all files together. */
static int sum_up(struct pcdf_tool_dataset *ds)
{
    struct pcdf_tool_series *s = ds->series;
    struct pcdf_meta *meta = &ds->meta;
    int64_t length = 0, bytes;

    for (int i = 0; i < s->n; i++) {
        s->x[i].begin = length;
        if (__builtin_add_overflow(length, s->x[i].length, &length) ||
            __builtin_add_overflow(ds->file.size, s->x[i].size, &ds->file.size))
            return too_much(ds);
        ds->header_crc = pcdf_crc32c(ds->header_crc, &s->x[i].sum, sizeof s->x[i].sum);
        ds->behind += s->x[i].lost;
        if (s->x[i].version > meta->version)
            meta->version = s->x[i].version;
    }
    if (s->dimid == meta->record_dim)
        meta->numrecs = length;
    else
        meta->dims[s->dimid].length = length;
    for (int i = 0; i < meta->nvars; i++) {
        struct pcdf_var *var = &meta->vars[i];
        var->nbytes = pcdf_meta_var_bytes(meta, var->type, var->ndims, var->dimids);
        if (var->nbytes < 0)
            return too_much(ds);
    }
    return __builtin_mul_overflow(pcdf_layout_recsize(meta), meta->numrecs, &bytes) ? too_much(ds)
                                                                                    : PCDF_TOOL_GOOD;
}

/* Where in each variable the dimension stands. */
static int find_places(struct pcdf_tool_dataset *ds)
{
    struct pcdf_tool_series *s = ds->series;

    s->place = pcdf_malloc(((size_t)ds->meta.nvars + 1) * sizeof *s->place);
    if (!s->place)
        return no_memory(ds->file.path);
    for (int i = 0; i < ds->meta.nvars; i++) {
        const struct pcdf_var *var = &ds->meta.vars[i];
        s->place[i] = -1;
        for (int k = 0; k < var->ndims; k++) {
            if (var->dimids[k] != s->dimid)
                continue;
            if (s->place[i] >= 0)
                return pcdf_tool_unusable(ds->file.path, "variable %.200s has dimension %.200s twice",
                                          var->name, ds->meta.dims[s->dimid].name);
            s->place[i] = k;
        }
    }
    return PCDF_TOOL_GOOD;
}

static int name_whole(struct pcdf_tool_dataset *ds)
{
    struct pcdf_tool_series *s = ds->series;
    size_t room = strlen(s->x[0].path) + 40;

    s->name = pcdf_malloc(room);
    if (!s->name)
        return no_memory(s->x[0].path);
    snprintf(s->name, room, "%s and %d more", s->x[0].path, s->n - 1);
    ds->file.path = s->name;
    return PCDF_TOOL_GOOD;
}

/* Definitions are those of the file that is first now. */
static int take_definitions(struct pcdf_tool_dataset *ds, const struct looking *l)
{
    struct pcdf_tool_series *s = ds->series;
    struct pcdf_tool_dataset *first;
    int status = pcdf_tool_files_get(&s->files, s->x[0].number, &first);

    if (!status && pcdf_meta_copy(&ds->meta, &first->meta))
        status = no_memory(s->x[0].path);
    if (status)
        return status;
    s->dimid = pcdf_meta_find_dim(&ds->meta, l->along);
    s->coordinate = pcdf_tool_coordinate(&ds->meta, s->dimid);
    return PCDF_TOOL_GOOD;
}

static int make_whole(struct pcdf_tool_dataset *ds, struct looking *l)
{
    struct pcdf_tool_series *s = ds->series;
    int status = PCDF_TOOL_GOOD;

    for (int i = 0; i < s->n && !status; i++)
        status = look_at(l, i);
    if (status)
        return status;
    put_in_order(s);
    tell_order(s, l->along);
    status = take_definitions(ds, l);
    if (!status)
        status = name_whole(ds);
    if (!status)
        status = sum_up(ds);
    s->files.with_values = true;
    return status ? status : find_places(ds);
}

static void end(struct pcdf_tool_series *s)
{
    (void)pcdf_tool_files_end(&s->files);
    for (int i = 0; s->x && i < s->n; i++)
        pcdf_free(s->x[i].values);
    pcdf_free(s->x);
    pcdf_free(s->place);
    pcdf_free(s->name);
    pcdf_free(s);
}

/* ---- one of them */

int pcdf_tool_series_turn(struct pcdf_tool_dataset *ds, int member, int varid, struct pcdf_tool_dataset **one,
                          int *id)
{
    struct pcdf_tool_series *s = ds->series;
    int status = pcdf_tool_files_get(&s->files, s->x[member].number, one);

    *id = status ? -1 : pcdf_meta_find_var(&(*one)->meta, ds->meta.vars[varid].name);
    return status;
}

int pcdf_tool_series_find(const struct pcdf_tool_series *s, int64_t index)
{
    int from = 0, to = s->n; /* it is in [from, to) */
    while (to - from > 1) {
        int middle = from + (to - from) / 2;
        if (s->x[middle].begin <= index)
            from = middle;
        else
            to = middle;
    }
    return from; /* the last one that begins there: those before it are empty */
}

/* ---- values */

static int read_one(struct pcdf_tool_dataset *ds, int member, int varid, int64_t first, int64_t n,
                    void *bytes)
{
    struct pcdf_tool_dataset *one;
    int id, status = pcdf_tool_series_turn(ds, member, varid, &one, &id);

    if (!status)
        status = pcdf_tool_values(one, id, first, n, bytes);
    if (!status)
        ds->read_behind = ds->read_behind || one->read_behind;
    return status;
}

/* Values of one index of the dimension that joins the files. */
static int64_t inner_of(const struct pcdf_tool_dataset *ds, int varid)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    int64_t n = 1;
    for (int i = ds->series->place[varid] + 1; i < var->ndims; i++)
        n *= pcdf_tool_dim_length(&ds->meta, var->dimids[i]);
    return n;
}

static int read_values(struct pcdf_tool_dataset *ds, int varid, int64_t first, int64_t n, void *bytes)
{
    const struct pcdf_tool_series *s = ds->series;
    int64_t size = pcdf_type_size(ds->meta.vars[varid].type);
    int status = PCDF_TOOL_GOOD;

    if (n == 0)
        return status;
    if (s->place[varid] < 0)
        return read_one(ds, 0, varid, first, n, bytes);
    int64_t inner = inner_of(ds, varid), outer = inner * pcdf_tool_dim_length(&ds->meta, s->dimid);
    for (unsigned char *to = bytes; n > 0 && !status;) {
        int64_t at = first % outer;
        int member = pcdf_tool_series_find(s, at / inner);
        const struct pcdf_tool_member *m = &s->x[member];
        int64_t begin = at - m->begin * inner, now = pcdf_smaller(n, m->length * inner - begin);
        status = read_one(ds, member, varid, first / outer * m->length * inner + begin, now, to);
        to += now * size;
        first += now;
        n -= now;
    }
    return status;
}

int pcdf_tool_series_open(struct pcdf_tool_dataset *ds, const struct pcdf_tool_series_choice *choice)
{
    static const struct pcdf_tool_many many = { .values = read_values, .end = end };
    enum { IMAGES = 2 };
    struct looking l = { .choice = choice, .left = MOST_VALUES };

    if (choice->n == 1)
        return pcdf_tool_dataset_open(ds, choice->paths[0], choice->with_values);
    *ds = (struct pcdf_tool_dataset){ .file = { .path = choice->paths[0], .fd = -1 } };
    pcdf_meta_init(&ds->meta, PCDF_CDF5);
    ds->series = pcdf_calloc(1, sizeof *ds->series);
    if (!ds->series)
        return no_memory(choice->paths[0]);
    ds->many = &many;
    pcdf_meta_init(&l.meta, PCDF_CDF5);
    l.s = ds->series;
    l.s->n = choice->n;
    l.s->x = pcdf_calloc((size_t)choice->n, sizeof *l.s->x);
    int status = l.s->x ? pcdf_tool_files_begin(&l.s->files, choice->n, choice->paths, IMAGES)
                        : no_memory(choice->paths[0]);
    l.s->files.with_values = choice->with_values;
    l.s->files.is_quiet = true;
    status = status ? status : make_whole(ds, &l);
    pcdf_free(l.hashes);
    pcdf_free(l.own);
    pcdf_meta_free(&l.meta);
    if (status)
        pcdf_tool_dataset_close(ds);
    return status;
}
