/* See refstext.h. */
#include "refstext.h"
#include "base64.h"
#include "meaningtext.h"
#include "meaningtypes.h"
#include "meaningvalues.h"

#include <string.h>

/* A float as the double that it is: its readers calculate with that. */
static void put_number(struct pcdf_json *json, nc_type type, const unsigned char *bytes)
{
    if (type == NC_FLOAT)
        pcdf_json_real(json, pcdf_value_load_real(type, bytes));
    else
        pcdf_json_value(json, type, bytes);
}

/* Text ends where its last bytes that are not NUL do; one number stands alone, several in a list. */
static void put_attribute(struct pcdf_json *json, const struct pcdf_att *att)
{
    int64_t n = att->nelems;

    pcdf_json_key(json, att->name);
    if (att->type == NC_CHAR) {
        while (n > 0 && att->values[n - 1] == '\0')
            n--;
        pcdf_json_bytes(json, n > 0 ? (const char *)att->values : "", (size_t)n);
        return;
    }
    if (n != 1)
        pcdf_json_open(json, '[', true);
    for (int64_t i = 0; i < n; i++)
        put_number(json, att->type, att->values + i * pcdf_type_size(att->type));
    if (n != 1)
        pcdf_json_close(json, ']');
}

static bool is_typed(const struct pcdf_var *var, const struct pcdf_att *att, const char *but)
{
    return strcmp(att->name, but) != 0 && pcdf_meaning_is_type_lost(att, var);
}

static void put_types(struct pcdf_json *json, const struct pcdf_atts *atts, const struct pcdf_var *var,
                      const char *but)
{
    bool has_any = false;

    for (int i = 0; i < atts->n; i++)
        has_any |= is_typed(var, &atts->x[i], but);
    if (!has_any)
        return;
    pcdf_json_key(json, PCDF_REFS_TYPES);
    pcdf_json_open(json, '{', true);
    pcdf_json_key(json, "types");
    pcdf_json_open(json, '{', true);
    for (int i = 0; i < atts->n; i++)
        if (is_typed(var, &atts->x[i], but)) {
            pcdf_json_key(json, atts->x[i].name);
            pcdf_json_text(json, pcdf_refs_dtype(atts->x[i].type));
        }
    pcdf_json_close(json, '}');
    pcdf_json_close(json, '}');
}

/* One value: to readers, several are another mask than the first of them. */
static bool has_one_fill(const struct pcdf_var *var, unsigned char fill[8])
{
    const struct pcdf_att *att = pcdf_meaning_att(&var->atts, "_FillValue");
    return att && att->nelems == 1 && pcdf_meaning_own_fill(var, fill);
}

/* Readers want it in the type of the variable. */
static void put_fill_attribute(struct pcdf_json *json, const struct pcdf_var *var, const struct pcdf_att *att)
{
    unsigned char fill[8];

    if (att->type == var->type || !has_one_fill(var, fill)) {
        put_attribute(json, att);
        return;
    }
    pcdf_json_key(json, att->name);
    put_number(json, var->type, fill);
}

void pcdf_refs_attributes(struct pcdf_json *json, const struct pcdf_meta *meta, const struct pcdf_var *var,
                          const char *but)
{
    const struct pcdf_atts *atts = var ? &var->atts : &meta->gatts;

    for (int i = 0; i < atts->n; i++)
        if (var && strcmp(atts->x[i].name, "_FillValue") == 0)
            put_fill_attribute(json, var, &atts->x[i]);
        else if (strcmp(atts->x[i].name, but) != 0)
            put_attribute(json, &atts->x[i]);
    put_types(json, atts, var, but);
}

void pcdf_refs_fill(struct pcdf_json *json, nc_type type, const unsigned char *fill)
{
    char text[5];

    if (type == NC_CHAR) {
        pcdf_base64_encode(fill, 1, text);
        pcdf_json_text(json, text);
    } else {
        put_number(json, type, fill);
    }
}

void pcdf_refs_fill_value(struct pcdf_json *json, const struct pcdf_var *var)
{
    unsigned char fill[8];

    pcdf_json_key(json, "fill_value");
    if (has_one_fill(var, fill))
        pcdf_refs_fill(json, var->type, fill);
    else
        pcdf_json_null(json);
}

const char *pcdf_refs_dtype(nc_type type)
{
    static const char *const dtypes[PCDF_TYPE_ROWS] = {
        [NC_BYTE] = "|i1",  [NC_CHAR] = "|S1",   [NC_SHORT] = ">i2",  [NC_INT] = ">i4",
        [NC_FLOAT] = ">f4", [NC_DOUBLE] = ">f8", [NC_UBYTE] = "|u1",  [NC_USHORT] = ">u2",
        [NC_UINT] = ">u4",  [NC_INT64] = ">i8",  [NC_UINT64] = ">u8",
    };
    return dtypes[type];
}
