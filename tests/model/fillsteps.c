/* Steps of fill modes and values: set_fill, def_var_fill, _FillValue as an attribute, fill_var_rec; and what
 * enddef fills. */
#include "program.h"

static const char fill_name[] = "_FillValue";

static void fill_elements(struct m_var *v, int64_t from, int64_t to)
{
    unsigned char fill[8];
    size_t size = ext_sizes[v->type];
    var_fill(v, fill);
    var_reserve(v, to);
    for (int64_t i = from; i < to; i++)
        memcpy(v->data + (size_t)i * size, fill, size);
    memset(v->mask + (size_t)from * size, 1, (size_t)(to - from) * size);
}

static void keep_fill(struct m_var *v)
{
    v->fills = v->filled;
    var_fill(v, v->fill);
}

void fill_new_variables(void)
{
    for (int i = 0; i < now.nvars; i++) {
        struct m_var *v = &now.vars[i];
        if (v->is_new)
            keep_fill(v);
        if (v->is_new && v->filled)
            fill_elements(v, 0, v->slab * (v->is_record ? g.numrecs[0] : 1));
    }
}

void step_set_fill(void)
{
    int mode = one_in(2) ? NC_FILL : NC_NOFILL, old = -1, want = NC_NOERR;
    if (one_in(20))
        mode = 12345, want = NC_EINVAL;
    want = g.readonly ? NC_EPERM : g.mode != MODE_DEFINE ? NC_ENOTINDEFINE : want;
    tell("set_fill %d", mode);
    EXPECT(ncmpi_set_fill(g.ncid, mode, &old), want);
    if (want)
        return;
    if (old != (now.fill_on ? NC_FILL : NC_NOFILL))
        say("set_fill says that the mode was %d", old);
    now.fill_on = mode == NC_FILL;
    for (int i = 0; i < now.nvars; i++)
        now.vars[i].filled = now.fill_on;
}

/* A small number as one value of the variable: in the file's bytes and, returned, in memory's. */
static int64_t random_fill(const struct m_var *v, struct m_att *a, void *memory)
{
    struct value value = value_int(5 + below(90));
    strcpy(a->name, fill_name);
    a->type = v->type;
    a->n = 1;
    ext_store(a->bytes, v->type, &value);
    ext_get(a->bytes, ranges(), v->type, memory, ext_mem(v->type), 0);
    return (int64_t)value.size;
}

/* False: the variable has no room for it in the model. */
static bool room_for(const struct m_var *v)
{
    return v->atts.n < MAX_ATTS || att_find(&v->atts, fill_name);
}

static void set_fill_att(struct m_var *v, const struct m_att *a)
{
    for (int i = 0; i < v->atts.n; i++)
        if (!strcmp(v->atts.x[i].name, fill_name)) {
            v->atts.x[i] = *a;
            return;
        }
    v->atts.x[v->atts.n++] = *a;
}

void step_def_var_fill(void)
{
    int id = (int)below(now.nvars), no_fill = one_in(3), varid = id, want = NC_NOERR;
    bool with_value = one_in(2);
    struct m_var *v = &now.vars[id];
    struct m_att a = { .n = 0 };
    double memory[1];
    if (!now.nvars || !room_for(v))
        return;
    int64_t number = random_fill(v, &a, memory);
    if (one_in(20))
        varid = one_in(2) ? NC_GLOBAL : now.nvars + 1, want = varid == NC_GLOBAL ? NC_EGLOBAL : NC_ENOTVAR;
    else if (with_value && !no_fill && !v->is_new)
        want = NC_ELATEFILL;
    want = g.mode != MODE_DEFINE ? NC_ENOTINDEFINE : want;
    tell("def_var_fill %d no_fill %d value %lld", varid, no_fill, with_value ? (long long)number : -1);
    EXPECT(ncmpi_def_var_fill(g.ncid, varid, no_fill, with_value ? memory : NULL), want);
    if (want)
        return;
    v->filled = !no_fill;
    if (with_value && !no_fill)
        set_fill_att(v, &a);
}

/* The attribute itself: it must have the variable's type and one value, and come before the data. */
void step_put_fill_att(void)
{
    int id = (int)below(now.nvars), n = 1, want = NC_NOERR;
    struct m_var *v = &now.vars[id];
    struct m_att a = { .n = 0 };
    double memory[2] = { 0 };
    if (!now.nvars || !room_for(v) || v->type == NC_CHAR)
        return;
    int type = v->type;
    long long numbers[2] = { random_fill(v, &a, memory), 7 };
    if (one_in(10))
        type = type == NC_INT ? NC_SHORT : NC_INT, want = NC_EBADTYPE;
    else if (one_in(10))
        n = 2 * (int)below(2), want = NC_EINVAL;
    else if (g.mode == MODE_DEFINE && !v->is_new)
        want = NC_ELATEFILL;
    else if (g.mode != MODE_DEFINE && !att_find(&v->atts, fill_name))
        want = NC_ENOTINDEFINE;
    want = g.readonly ? NC_EPERM : want;
    tell("put_att %d _FillValue %s[%d] %lld", id, ext_names[type], n, numbers[0]);
    EXPECT(ncmpi_put_att_longlong(g.ncid, id, fill_name, type, n, numbers), want);
    if (want == NC_NOERR)
        set_fill_att(v, &a);
}

/* What one rank asks of fill_var_rec. */
struct record {
    int varid, error;
    int64_t number;
};

static void choose_record(struct record *record, int64_t known)
{
    record->varid = (int)below(now.nvars);
    for (int k = 0; k < 6 && !now.vars[record->varid].is_record; k++)
        record->varid = (int)below(now.nvars);
    record->number = below(known + 2 < MAX_RECORDS ? known + 2 : MAX_RECORDS);
    if (one_in(25))
        record->varid = one_in(2) ? NC_GLOBAL : now.nvars + 2;
    else if (one_in(25))
        record->number = -1;
}

static int code_of_record(const struct record *record)
{
    if (g.readonly)
        return NC_EPERM;
    if (g.mode == MODE_DEFINE)
        return NC_EINDEFINE;
    if (record->varid == NC_GLOBAL)
        return NC_EGLOBAL;
    if (record->varid >= now.nvars)
        return NC_ENOTVAR;
    const struct m_var *v = &now.vars[record->varid];
    if (!v->is_record)
        return NC_ENOTRECVAR;
    if (g.mode == MODE_INDEPENDENT)
        return NC_EINDEP;
    if (!v->filled && !att_find(&v->atts, fill_name))
        return NC_ENOTFILL;
    return record->number < 0 ? NC_EINVALCOORDS : NC_NOERR;
}

static void fill_record(const struct record *record, int64_t *numrecs)
{
    struct m_var *v = &now.vars[record->varid];
    fill_elements(v, record->number * v->slab, (record->number + 1) * v->slab);
    *numrecs = record->number + 1 > *numrecs ? record->number + 1 : *numrecs;
}

/* All ranks name the same record, or each its own; then each fills all of that. */
void step_fill_record(void)
{
    struct record records[MAX_RANKS], shared;
    bool same = !one_in(4), differ = false;
    int64_t known = most_records();
    if (!now.nvars)
        return;
    choose_record(&shared, known);
    tell("fill_var_rec");
    for (int r = 0; r < g.size; r++) {
        records[r] = shared;
        if (!same)
            choose_record(&records[r], known);
        records[r].error = code_of_record(&records[r]);
        tell(" %d:%lld", records[r].varid, (long long)records[r].number);
        differ |= records[r].varid != records[0].varid || records[r].number != records[0].number;
        g.errors += records[r].error != 0;
    }
    if (g.mode == MODE_COLLECTIVE)
        share_error(&records[0].error, sizeof records[0]);
    for (int r = 0; r < g.size; r++) {
        if (g.safe && differ && !records[r].error)
            records[r].error = NC_EMULTIDEFINE_FNC_ARGS;
        if (!records[r].error)
            fill_record(&records[r], &g.numrecs[r]);
    }
    EXPECT(ncmpi_fill_var_rec(g.ncid, records[g.rank].varid, records[g.rank].number), records[g.rank].error);
    if (g.mode == MODE_COLLECTIVE)
        agree_records();
}

void check_fill(int id)
{
    const struct m_var *v = &now.vars[id];
    unsigned char fill[8];
    double got[2], right[2];
    int no_fill = -1;
    memset(got, 0x5a, sizeof got);
    memset(right, 0x5a, sizeof right);
    var_fill(v, fill);
    ext_get(fill, ranges(), v->type, right, ext_mem(v->type), 0);
    EXPECT(ncmpi_inq_var_fill(g.ncid, id, &no_fill, got), NC_NOERR);
    if (no_fill != !v->filled || memcmp(got, right, sizeof got))
        say("inq_var_fill of variable %d: no_fill %d, not %d, or another value", id, no_fill, !v->filled);
}
