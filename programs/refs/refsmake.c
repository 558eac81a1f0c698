/* See refsmake.h. */
#include "refsmake.h"
#include "alloc.h"
#include "refstext.h"
#include "status.h"
#include "tool.h"
#include "toolseries.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    MIB = 1 << 20,
    WHY = 1200,
    MOST_BEHIND = 64 * MIB /* bytes behind a file's end that are written out as zeros */
};

static const char *path_of(const struct pcdf_refs_making *m)
{
    return m->ds.file.path;
}

/* ---- texts */

/* Frees the text. */
static int put_inner(struct pcdf_refs_making *m, const char *name, const char *key,
                     struct pcdf_refs_inner *in)
{
    int status = pcdf_refs_out_text(&m->out, name, key, in->text, in->n);
    free(in->text);
    return status;
}

static int put_group(struct pcdf_refs_making *m)
{
    static const char group[] = "{\"zarr_format\": 2}";
    struct pcdf_refs_inner in;
    int status = pcdf_refs_out_text(&m->out, NULL, ".zgroup", group, sizeof group - 1);

    if (!status)
        status = pcdf_refs_inner_begin(&in);
    if (status)
        return status;
    pcdf_refs_attributes(&in.json, &m->ds.meta, NULL, "");
    status = pcdf_refs_inner_end(&in);
    return status ? status : put_inner(m, NULL, ".zattrs", &in);
}

static int put_attributes(struct pcdf_refs_making *m, int varid, int ndims)
{
    static const char own[] = "_ARRAY_DIMENSIONS";
    const struct pcdf_var *var = &m->ds.meta.vars[varid];
    struct pcdf_refs_inner in;
    int status = pcdf_refs_inner_begin(&in);

    if (status)
        return status;
    pcdf_json_key(&in.json, own);
    pcdf_json_open(&in.json, '[', true);
    for (int i = 0; i < ndims; i++)
        pcdf_json_text(&in.json, m->ds.meta.dims[var->dimids[i]].name);
    pcdf_json_close(&in.json, ']');
    pcdf_refs_attributes(&in.json, &m->ds.meta, var, own);
    status = pcdf_refs_inner_end(&in);
    return status ? status : put_inner(m, var->name, ".zattrs", &in);
}

/* ---- one variable */

static int leave_out(struct pcdf_refs_making *m, const char *path, const char *why, const char *name)
{
    pcdf_tool_say(path, "variable %s: %s: left out", name, why);
    m->is_partial = true;
    return PCDF_TOOL_GOOD;
}

static int put_whole(struct pcdf_refs_making *m, int varid)
{
    const struct pcdf_var *var = &m->ds.meta.vars[varid];
    struct pcdf_refs_inner text;
    int status = pcdf_refs_whole_array(&m->ds, varid, &text);

    if (!status)
        status = put_inner(m, var->name, ".zarray", &text);
    if (!status)
        status = put_attributes(m, varid, var->ndims);
    if (!status)
        status = pcdf_refs_out_array(&m->out, var->name, var->ndims);
    return status ? status : pcdf_refs_whole_chunk(&m->ds, varid, &m->out);
}

/* id: of the variable in that file. */
static int put_of_part(struct pcdf_refs_making *m, const struct pcdf_refs_part *part, int varid, int id)
{
    const char *reason = pcdf_refs_part_reason(part, id), *name = m->ds.meta.vars[varid].name;
    int ndims = pcdf_refs_part_dims(part, id);
    struct pcdf_refs_inner text;

    if (reason)
        return leave_out(m, part->ds->file.path, reason, name);
    int status = pcdf_refs_part_array(part, id, &text);
    if (!status)
        status = put_inner(m, name, ".zarray", &text);
    if (!status)
        status = put_attributes(m, varid, ndims);
    if (!status)
        status = pcdf_refs_out_array(&m->out, name, ndims);
    return status ? status : pcdf_refs_part_chunks(part, id, &m->out);
}

/* ---- one variable of several files */

struct joining {
    struct pcdf_refs_making *m;
    int varid, place;             /* place: of the dimension in the variable that joins the files */
    struct pcdf_refs_inner array; /* of the first file that has indices; then of all */
    int ndims;
    int64_t length;                  /* of a chunk along that dimension */
    const char *first;               /* the file that decided this; NULL: none yet */
    bool is_complete, is_large;      /* chunks are larger than asked for */
    int64_t divisor;                 /* as in struct pcdf_refs_image */
    char why[WHY];                   /* why they cannot be one array; "": they can */
    const char *path;                /* the file that says so */
    const char *reason, *because_of; /* why it is left out, and because of which file */
};

/* `visit` for each file that has indices, with this variable's id in it. */
static int each_part(struct joining *j,
                     int (*visit)(struct joining *j, struct pcdf_refs_part *part, int id, int member))
{
    struct pcdf_tool_dataset *ds = &j->m->ds, *one;
    const struct pcdf_tool_series *s = ds->series;
    const char *along = ds->meta.dims[s->dimid].name;
    int id, status = PCDF_TOOL_GOOD;

    for (int i = 0; i < s->n && !status; i++) {
        struct pcdf_refs_part part;
        if (s->x[i].length == 0)
            continue;
        status = pcdf_tool_series_turn(ds, i, j->varid, &one, &id);
        if (!status)
            status = pcdf_refs_part_begin(&part, j->m->options, one, pcdf_meta_find_dim(&one->meta, along),
                                          pcdf_tool_dim_length(&ds->meta, s->dimid));
        if (status)
            break;
        part.other.is_complete = j->is_complete;
        part.other.divisor = j->divisor;
        status = visit(j, &part, id, i);
        ds->read_behind = ds->read_behind || one->read_behind;
        pcdf_refs_part_end(&part);
    }
    return status;
}

static int survey(struct joining *j, struct pcdf_refs_part *part, int id, int member)
{
    const char *reason = j->reason ? NULL : pcdf_refs_part_reason(part, id);

    (void)member;
    if (reason) {
        j->reason = reason;
        j->because_of = part->ds->file.path;
    }
    if (part->other.image && !j->reason)
        j->is_complete = j->is_complete && pcdf_refs_image_is_complete(&part->other, id);
    if (part->other.image)
        j->is_large =
            j->is_large || pcdf_refs_image_chunk_bytes(&part->other, id) > j->m->options->chunk_bytes;
    return PCDF_TOOL_GOOD;
}

/* The first of the files decides on chunks and codecs. */
static int take_first(struct joining *j, const struct pcdf_refs_part *part, int id)
{
    j->ndims = pcdf_refs_part_dims(part, id);
    j->length = pcdf_refs_part_step(part, id, j->place);
    int status = pcdf_refs_part_array(part, id, &j->array);
    j->first = status ? NULL : part->ds->file.path;
    return status;
}

static void cannot(struct joining *j, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void cannot(struct joining *j, const char *path, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(j->why, sizeof j->why, format, args);
    va_end(args);
    j->path = path;
}

/* Is the array of this file that of the first one? */
static int compare_arrays(struct joining *j, const struct pcdf_refs_part *part, int id)
{
    struct pcdf_refs_inner text;
    int status = pcdf_refs_part_array(part, id, &text);

    if (status)
        return status;
    if (text.n != j->array.n || memcmp(text.text, j->array.text, text.n) != 0)
        cannot(
            j, part->ds->file.path,
            "variable %.200s has other chunks, codecs or types than in %.300s, which one array cannot have: "
            "`parcdf join` makes one file of them",
            j->m->ds.meta.vars[j->varid].name, j->first);
    free(text.text);
    return PCDF_TOOL_GOOD;
}

static int compare(struct joining *j, struct pcdf_refs_part *part, int id, int member)
{
    const struct pcdf_tool_series *s = j->m->ds.series;
    const struct pcdf_tool_member *x = &s->x[member];

    if (*j->why)
        return PCDF_TOOL_GOOD;
    int status = j->first ? compare_arrays(j, part, id) : take_first(j, part, id);
    bool is_last = x->begin + x->length == part->length;
    if (!status && !*j->why && !is_last && x->length % j->length != 0)
        cannot(j, x->path,
               "variable %.200s: its last chunk along %.200s is not full (%" PRId64 " in chunks of %" PRId64
               "), so that no other file can follow: `parcdf join` makes one file of them",
               j->m->ds.meta.vars[j->varid].name, j->m->ds.meta.dims[s->dimid].name, x->length, j->length);
    return status;
}

static void forget(struct joining *j)
{
    free(j->array.text);
    j->array.text = NULL;
    j->first = NULL;
    j->why[0] = '\0';
}

static int64_t common_divisor(const struct pcdf_tool_series *s)
{
    int64_t a = 0;
    for (int i = 0; i < s->n; i++)
        for (int64_t b = s->x[i].length, rest; b > 0; b = rest) {
            rest = a % b;
            a = b;
        }
    return a;
}

/* The chunks as they are, or cut where they are one piece: what is asked for comes first. */
static int find_chunks(struct joining *j)
{
    int64_t divisor = common_divisor(j->m->ds.series);
    char why[WHY] = "";
    const char *path = NULL;
    int status = PCDF_TOOL_GOOD;

    for (int i = 0; i < 2 && !status; i++) {
        forget(j);
        j->divisor = (i == 0) == j->is_large ? divisor : 0;
        status = each_part(j, compare);
        if (!status && !*j->why)
            return status;
        if (i == 0) {
            path = j->path;
            memcpy(why, j->why, sizeof why);
        }
    }
    return status ? status : pcdf_tool_unusable(path, "%s", why);
}

static int refer_to(struct joining *j, struct pcdf_refs_part *part, int id, int member)
{
    struct pcdf_refs_out *out = &j->m->out;

    out->dim = j->place;
    out->from = j->m->ds.series->x[member].begin / j->length;
    int status = pcdf_refs_part_chunks(part, id, out);
    out->dim = -1;
    return status;
}

static int put_joined(struct joining *j)
{
    const char *name = j->m->ds.meta.vars[j->varid].name;
    bool is_other = j->m->ds.series->x[0].format; /* than classic: there is no reason */
    int status = is_other ? each_part(j, survey) : PCDF_TOOL_GOOD;

    if (!status && j->reason && j->m->is_trial)
        return PCDF_TOOL_GOOD;
    if (!status && j->reason)
        return leave_out(j->m, j->because_of, j->reason, name);
    if (!status)
        status = find_chunks(j);
    if (j->m->is_trial)
        return status;
    if (!status && !j->first) /* no file has any */
        return put_whole(j->m, j->varid);
    if (!status)
        status = pcdf_refs_out_text(&j->m->out, name, ".zarray", j->array.text, j->array.n);
    if (!status)
        status = put_attributes(j->m, j->varid, j->ndims);
    if (!status)
        status = pcdf_refs_out_array(&j->m->out, name, j->ndims);
    return status ? status : each_part(j, refer_to);
}

static int put_of_all(struct pcdf_refs_making *m, int varid)
{
    struct joining j = { .m = m, .varid = varid, .place = m->ds.series->place[varid], .is_complete = true };
    int status = put_joined(&j);

    forget(&j);
    return status;
}

/* ---- all */

/* Zarr's names are paths, and a backslash is a slash to it. */
static bool has_place(const char *name)
{
    return !strpbrk(name, "/\\") && strncmp(name, ".z", 2) != 0 && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0;
}

static int put_of_first(struct pcdf_refs_making *m, int varid)
{
    struct pcdf_tool_dataset *one = &m->ds;
    struct pcdf_refs_part part;
    int id = varid,
        status = m->ds.series ? pcdf_tool_series_turn(&m->ds, 0, varid, &one, &id) : PCDF_TOOL_GOOD;

    if (!status)
        status = pcdf_refs_part_begin(&part, m->options, one, -1, 0);
    if (status)
        return status;
    status = put_of_part(m, &part, varid, id);
    m->ds.read_behind = m->ds.read_behind || one->read_behind;
    pcdf_refs_part_end(&part);
    return status;
}

/* Is all of it written into the references? */
static bool is_inlined(const struct pcdf_refs_making *m, int varid)
{
    const struct pcdf_meta *meta = &m->ds.meta;
    const struct pcdf_tool_series *s = m->ds.series;
    int64_t bytes, most = m->options->inline_bytes;

    if (s && s->coordinate == varid && most < MIB) /* a request for each of its values would be too many */
        most = MIB;
    bool wraps = __builtin_mul_overflow(pcdf_tool_count(meta, varid),
                                        (int64_t)pcdf_type_size(meta->vars[varid].type), &bytes);
    return !wraps && bytes <= most;
}

static int put_variable(struct pcdf_refs_making *m, int varid)
{
    const struct pcdf_tool_series *s = m->ds.series;

    if (is_inlined(m, varid))
        return put_whole(m, varid);
    return s && s->place[varid] >= 0 ? put_of_all(m, varid) : put_of_first(m, varid);
}

int pcdf_refs_make(struct pcdf_refs_making *m)
{
    int status = put_group(m);

    for (int i = 0; i < m->ds.meta.nvars && !status && !ferror(m->out.json.to); i++)
        if (has_place(m->ds.meta.vars[i].name)) {
            status = put_variable(m, i);
        } else {
            pcdf_tool_say(path_of(m), "Zarr has no place for a variable of the name %s: left out",
                          m->ds.meta.vars[i].name);
            m->is_partial = true;
        }
    return status;
}

/* Records of classic files alone lie so that they are chunks of their own. */
static int check_members(const struct pcdf_refs_making *m)
{
    const struct pcdf_tool_series *s = m->ds.series;
    for (int i = 0; i < s->n; i++) {
        const struct pcdf_tool_member *x = &s->x[i];
        if (!x->format != !s->x[0].format)
            return pcdf_tool_unusable(x->path,
                                      "one set of references can be to classic files or to files of other "
                                      "formats, and %.300s is of the other sort",
                                      s->x[0].path);
        if (x->lost)
            return pcdf_tool_unusable(x->path, "data is missing at its end");
    }
    if (!s->x[0].format && s->dimid != m->ds.meta.record_dim)
        return pcdf_tool_unusable(
            s->x[0].path, "references join classic files along their record dimension, not along %.200s",
            m->ds.meta.dims[s->dimid].name);
    return PCDF_TOOL_GOOD;
}

/* The sentence comes before anything is written to a pipe. */
static int try_variables(struct pcdf_refs_making *m)
{
    int status = PCDF_TOOL_GOOD;

    m->is_trial = true;
    for (int i = 0; i < m->ds.meta.nvars && !status; i++)
        if (has_place(m->ds.meta.vars[i].name) && !is_inlined(m, i) && m->ds.series->place[i] >= 0)
            status = put_of_all(m, i);
    m->is_trial = false;
    return status;
}

int pcdf_refs_make_check(struct pcdf_refs_making *m)
{
    if (m->ds.series) {
        int status = check_members(m);
        return status ? status : try_variables(m);
    }
    if (m->ds.behind <= MOST_BEHIND)
        return PCDF_TOOL_GOOD;
    pcdf_tool_say(path_of(m),
                  "%" PRId64 " bytes of its data lie behind its end, more than references can make up for",
                  m->ds.behind);
    return PCDF_TOOL_BAD;
}
