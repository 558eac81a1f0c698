/* Steps on definitions: dimensions, variables, attributes, names. */
#include "program.h"

static void fresh_name(char *name, char letter)
{
    int n = snprintf(name, NAME_ROOM, "%c%lld", letter, (long long)g.op);
    for (int64_t more = below(6); more > 0; more--)
        name[n++] = (char)('a' + below(26));
    name[n] = 0;
}

void step_def_dim(void)
{
    char name[NAME_ROOM];
    int64_t length = one_in(7) ? 300 + below(5000) : 1 + below(9);
    int id = -1, want = NC_NOERR;
    fresh_name(name, 'd');
    if (now.record_dim < 0 && one_in(2))
        length = 0;
    else if (now.record_dim >= 0 && one_in(20))
        length = 0, want = NC_EUNLIMIT;
    if (now.ndims == MAX_DIMS)
        return;
    tell("def_dim %s = %lld", name, (long long)length);
    EXPECT(ncmpi_def_dim(g.ncid, name, length, &id), g.mode == MODE_DEFINE ? want : NC_ENOTINDEFINE);
    if (want || g.mode != MODE_DEFINE)
        return;
    if (id != now.ndims)
        say("id of the dimension is %d, not %d", id, now.ndims);
    if (!length)
        now.record_dim = now.ndims;
    strcpy(now.dims[now.ndims].name, name);
    now.dims[now.ndims++].length = length;
}

static void put_fill_att(int id)
{
    struct m_var *v = &now.vars[id];
    struct m_att *a = &v->atts.x[v->atts.n++];
    struct value value = value_int(5 + below(90));
    long long number = (long long)value.size;
    strcpy(a->name, "_FillValue");
    a->type = v->type;
    a->n = 1;
    ext_store(a->bytes, v->type, &value);
    tell(", _FillValue %lld", number);
    EXPECT(ncmpi_put_att_longlong(g.ncid, id, "_FillValue", v->type, 1, &number), NC_NOERR);
}

void step_def_var(void)
{
    struct m_var v = {
        .type = 1 + (int)below(last_type()), .slab = 1, .is_new = true, .filled = now.fill_on
    };
    int want = g.mode == MODE_DEFINE ? NC_NOERR : NC_ENOTINDEFINE, id = -1;
    if (now.nvars == MAX_VARS)
        return;
    fresh_name(v.name, 'v');
    for (int64_t n = below(MAX_NDIMS + 1); n > 0 && now.ndims; n--) {
        int d = (int)below(now.ndims);
        if (v.ndims == 0 && now.record_dim >= 0 && one_in(2))
            d = now.record_dim;
        bool record = d == now.record_dim;
        if ((record && v.ndims) ||
            v.slab * (record ? 1 : now.dims[d].length) > MAX_ELEMENTS / (v.is_record ? 8 : 1))
            continue;
        v.is_record |= record;
        v.slab *= record ? 1 : now.dims[d].length;
        v.dimids[v.ndims++] = d;
    }
    tell("def_var %s %s(", ext_names[v.type], v.name);
    for (int d = 0; d < v.ndims; d++)
        tell("%s%s", d ? "," : "", now.dims[v.dimids[d]].name);
    tell(")");
    EXPECT(ncmpi_def_var(g.ncid, v.name, v.type, v.ndims, v.dimids, &id), want);
    if (want)
        return;
    if (id != now.nvars)
        say("id of the variable is %d, not %d", id, now.nvars);
    now.vars[now.nvars++] = v;
    if (v.type != NC_CHAR && one_in(3))
        put_fill_att(now.nvars - 1);
    if (g.judged && now.netcdf4)
        store_new(now.nvars - 1);
}

/* -1 (global) or a variable; its attributes. */
static struct m_atts *some_atts(int *varid)
{
    *varid = (int)below(now.nvars + 1) - 1;
    return *varid < 0 ? &now.gatts : &now.vars[*varid].atts;
}
static struct m_att *some_att(struct m_atts *atts)
{
    struct m_att *a = atts->n ? &atts->x[below(atts->n)] : NULL;
    return a && strcmp(a->name, "_FillValue") ? a : NULL; /* changing that one has rules of its own */
}
static int64_t att_padded(const struct m_att *a)
{
    return (a->n * (int64_t)ext_sizes[a->type] + 3) / 4 * 4;
}

static void random_att(struct m_att *a, void *text, long long *numbers)
{
    bool big = one_in(12);
    a->type = 1 + (int)below(big ? NC_CHAR : last_type());
    a->n = (int)(big ? below(ATT_ROOM) : below(7));
    for (int i = 0; i < a->n; i++) {
        struct value v = value_int(1 + below(100));
        numbers[i] = (long long)v.size;
        ((char *)text)[i] = (char)numbers[i];
        if (a->type == NC_CHAR)
            a->bytes[i] = (unsigned char)numbers[i];
        else
            ext_store(a->bytes + (size_t)i * ext_sizes[a->type], a->type, &v);
    }
}

void step_put_att(void)
{
    static long long numbers[ATT_ROOM];
    static char text[ATT_ROOM];
    int varid, want = NC_NOERR;
    struct m_atts *atts = some_atts(&varid);
    struct m_att a = { .n = 0 }, *old = one_in(2) ? some_att(atts) : NULL;
    if (old)
        strcpy(a.name, old->name);
    else
        fresh_name(a.name, 'a');
    random_att(&a, text, numbers);
    if (!old && atts->n == MAX_ATTS)
        return;
    if (g.mode != MODE_DEFINE && (!old || att_padded(&a) > att_padded(old)))
        want = NC_ENOTINDEFINE;
    want = g.readonly ? NC_EPERM : want;
    tell("put_att %d %s %s[%d]%s", varid, a.name, ext_names[a.type], a.n, old ? " again" : "");
    if (a.type == NC_CHAR)
        EXPECT(ncmpi_put_att_text(g.ncid, varid, a.name, a.n, text), want);
    else
        EXPECT(ncmpi_put_att_longlong(g.ncid, varid, a.name, a.type, a.n, numbers), want);
    if (want == NC_NOERR)
        *(old ? old : &atts->x[atts->n++]) = a;
}

void step_get_att(void)
{
    long long numbers[ATT_ROOM];
    char text[ATT_ROOM];
    int varid;
    struct m_att *a = some_att(some_atts(&varid));
    if (!a)
        return;
    tell("get_att %d %s", varid, a->name);
    if (a->type == NC_CHAR) {
        EXPECT(ncmpi_get_att_text(g.ncid, varid, a->name, text), NC_NOERR);
        if (memcmp(text, a->bytes, (size_t)a->n))
            say("the text of attribute %s differs", a->name);
        return;
    }
    EXPECT(ncmpi_get_att_longlong(g.ncid, varid, a->name, numbers), NC_NOERR);
    for (int i = 0; i < a->n; i++) {
        struct value v = ext_value(a->bytes + (size_t)i * ext_sizes[a->type], a->type);
        long long right = v.real ? (long long)v.d : (long long)value_bits(&v);
        if (numbers[i] != right)
            say("value %d of attribute %s is %lld, not %lld", i, a->name, numbers[i], right);
    }
}

void step_del_att(void)
{
    int varid;
    struct m_atts *atts = some_atts(&varid);
    struct m_att *a = atts->n ? &atts->x[below(atts->n)] : NULL;
    int want = g.mode == MODE_DEFINE ? NC_NOERR : NC_ENOTINDEFINE;
    if (!a)
        return;
    tell("del_att %d %s", varid, a->name);
    want = g.readonly ? NC_EPERM : want;
    EXPECT(ncmpi_del_att(g.ncid, varid, a->name), want);
    if (want)
        return;
    memmove(a, a + 1, (size_t)(&atts->x[--atts->n] - a) * sizeof *a);
}

void step_copy_att(void)
{
    int from, to;
    struct m_att *a = some_att(some_atts(&from));
    struct m_atts *atts = some_atts(&to);
    if (!a)
        return;
    struct m_att *old = NULL;
    for (int i = 0; i < atts->n; i++)
        if (!strcmp(atts->x[i].name, a->name))
            old = &atts->x[i];
    if (!old && atts->n == MAX_ATTS)
        return;
    int want =
        g.mode != MODE_DEFINE && (!old || att_padded(a) > att_padded(old)) ? NC_ENOTINDEFINE : NC_NOERR;
    if (from == to)
        want = NC_NOERR;
    tell("copy_att %d %s to %d", from, a->name, to);
    want = g.readonly ? NC_EPERM : want;
    EXPECT(ncmpi_copy_att(g.ncid, from, a->name, g.ncid, to), want);
    if (want == NC_NOERR && from != to)
        *(old ? old : &atts->x[atts->n++]) = *a;
}

void step_rename(void)
{
    char name[NAME_ROOM], *old = NULL;
    int varid = -1, which = (int)below(3), dimid = (int)below(now.ndims), id = (int)below(now.nvars);
    struct m_att *a = which == 2 ? some_att(some_atts(&varid)) : NULL;
    fresh_name(name, "dva"[which]);
    if (which == 0 && now.ndims)
        old = now.dims[dimid].name;
    else if (which == 1 && now.nvars)
        old = now.vars[id].name;
    else if (a)
        old = a->name;
    if (!old || !strcmp(old, name))
        return;
    int want = g.mode != MODE_DEFINE && strlen(name) > strlen(old) ? NC_ENOTINDEFINE : NC_NOERR;
    want = g.readonly ? NC_EPERM : want;
    tell("rename %s to %s", old, name);
    if (which == 0)
        EXPECT(ncmpi_rename_dim(g.ncid, dimid, name), want);
    else if (which == 1)
        EXPECT(ncmpi_rename_var(g.ncid, id, name), want);
    else
        EXPECT(ncmpi_rename_att(g.ncid, varid, old, name), want);
    if (want == NC_NOERR)
        strcpy(old, name);
}
