/* See refstext.h. */
#include "refstext.h"
#include "base64.h"

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

void pcdf_refs_attributes(struct pcdf_json *json, const struct pcdf_atts *atts, const char *but)
{
    for (int i = 0; i < atts->n; i++)
        if (strcmp(atts->x[i].name, but) != 0)
            put_attribute(json, &atts->x[i]);
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
    const unsigned char *fill = pcdf_var_fill(var);

    pcdf_json_key(json, "fill_value");
    if (fill == pcdf_type_fill(var->type)) /* it has none of its own */
        pcdf_json_null(json);
    else
        pcdf_refs_fill(json, var->type, fill);
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
