/* See copyset.h. */
#include "copyset.h"
#include "alloc.h"
#include "rules.h"
#include "status.h"
#include "text.h"
#include "meaningatts.h"
#include "tool.h"
#include "value.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct number {
    double real;
    int64_t integer;
    bool is_integer;
    nc_type type; /* as it is written */
};

/* A number and the letter that CDL has behind it; gives what follows, NULL: it is none. */
static const char *parse_number(const char *at, struct number *x)
{
    static const struct {
        const char *letters;
        nc_type type;
    } kinds[] = {
        { "bB", NC_BYTE }, { "sS", NC_SHORT }, { "lL", NC_INT }, { "fF", NC_FLOAT }, { "dD", NC_DOUBLE }
    };
    size_t digits = strspn(at, "+-0123456789");
    char *end;

    errno = 0;
    *x = (struct number){ .real = strtod(at, &end), .is_integer = end == at + digits };
    if (end == at || (errno == ERANGE && isinf(x->real)))
        return NULL;
    x->type = x->is_integer ? NC_INT : NC_DOUBLE;
    if (x->is_integer) {
        errno = 0;
        x->integer = strtoll(at, NULL, 10);
        x->is_integer = errno == 0;
        x->type = !x->is_integer ? NC_DOUBLE : x->integer == (int32_t)x->integer ? NC_INT : NC_INT64;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && *end; i++)
        if (strchr(kinds[i].letters, *end)) {
            x->type = kinds[i].type;
            return end + 1;
        }
    return end;
}

/* In external form; false: the type does not have this number. */
static bool store(const struct number *x, nc_type type, unsigned char *to)
{
    struct pcdf_value v = { .type = type };

    if (pcdf_value_is_real(type)) {
        v.is.real = x->is_integer ? (double)x->integer : x->real;
        pcdf_value_store(&v, to);
        return true;
    }
    if (!x->is_integer)
        return false;
    v.is.integer = x->integer;
    pcdf_value_store(&v, to);
    return pcdf_value_load_real(type, to) == (double)x->integer;
}

/* The widest of two types that were written. */
static nc_type wider(nc_type a, nc_type b)
{
    static const nc_type order[] = { NC_BYTE, NC_SHORT, NC_INT, NC_INT64, NC_FLOAT, NC_DOUBLE };
    int x = 0, y = 0;
    for (int i = 0; i < 6; i++) {
        x = order[i] == a ? i : x;
        y = order[i] == b ? i : y;
    }
    return order[x > y ? x : y];
}

/* Up to n numbers; 0: this is no list of numbers. */
static int64_t parse_numbers(const char *text, struct number *x)
{
    int64_t n = 0;
    for (const char *at = text;;) {
        at = parse_number(at, &x[n++]);
        if (!at || (*at && *at != ','))
            return 0;
        if (!*at)
            return n;
        at++;
        at += strspn(at, " ");
    }
}

struct setting {
    struct pcdf_meta *meta;
    struct pcdf_atts *atts;
    const char *name, *value, *path;
    const struct pcdf_var *var; /* NULL: global */
};

static int put_attribute(const struct setting *s, nc_type type, int64_t n, const void *values)
{
    if (pcdf_rules_type(s->meta, type) || pcdf_atts_put(s->meta, s->atts, s->name, type, n, values))
        return pcdf_tool_unusable(s->path, "--set %.100s:%.200s: %s", s->var ? s->var->name : "", s->name,
                                  pcdf_fail_text());
    return PCDF_TOOL_GOOD;
}

static int put_text(const struct setting *s)
{
    size_t n = strlen(s->value);
    bool is_quoted = n > 1 && s->value[0] == '"' && s->value[n - 1] == '"';
    return put_attribute(s, NC_CHAR, (int64_t)n - 2 * is_quoted, s->value + is_quoted);
}

static nc_type type_for(const struct setting *s, const struct number *x, int64_t n)
{
    int there = pcdf_atts_find(s->atts, s->name);
    nc_type type = NC_BYTE;

    if (s->var && s->var->type != NC_CHAR && pcdf_meaning_tells(s->name, PCDF_MEANING_HAS_TYPE))
        return s->var->type;
    if (there >= 0 && s->atts->x[there].type != NC_CHAR)
        return s->atts->x[there].type;
    for (int64_t i = 0; i < n; i++)
        type = wider(type, x[i].type);
    return type;
}

static int put_numbers(const struct setting *s, const struct number *x, int64_t n)
{
    nc_type type = type_for(s, x, n);
    size_t size = (size_t)pcdf_type_size(type);
    unsigned char *values = pcdf_calloc((size_t)n, size);
    int status = values ? PCDF_TOOL_GOOD : pcdf_tool_unusable(s->path, "%s", pcdf_fail_text());

    for (int64_t i = 0; i < n && !status; i++)
        if (!store(&x[i], type, values + (size_t)i * size))
            status = pcdf_tool_unusable(s->path, "--set %.100s:%.200s: %.17g is no value of type %s",
                                        s->var ? s->var->name : "", s->name, x[i].real, pcdf_type_cdl(type));
    status = status ? status : put_attribute(s, type, n, values);
    pcdf_free(values);
    return status;
}

int pcdf_copy_set(struct pcdf_meta *meta, int varid, const char *name, const char *value, const char *path)
{
    struct pcdf_name nfc;
    size_t most = 1;

    if (pcdf_name_define(name, &nfc))
        return pcdf_tool_unusable(path, "--set %.200s: %s", name, pcdf_fail_text());
    for (const char *at = value; *at; at++)
        most += *at == ',';
    struct number *x = pcdf_calloc(most, sizeof *x);
    if (!x)
        return pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    struct setting s = { .meta = meta,
                         .atts = pcdf_meta_atts(meta, varid),
                         .name = nfc.text,
                         .value = value,
                         .path = path,
                         .var = varid < 0 ? NULL : &meta->vars[varid] };
    int64_t n = parse_numbers(value, x);
    int status = n > 0 ? put_numbers(&s, x, n) : put_text(&s);
    pcdf_free(x);
    if (!status && n == 0 && s.var && s.var->type != NC_CHAR && strcmp(s.name, "_FillValue") == 0)
        status = pcdf_tool_unusable(path, "--set %.100s:_FillValue wants one number", s.var->name);
    return status;
}
