/* The attributes of a CDL header: their constants, the type that these give, the values. See cdlparser.h. */
#include "cdlparser.h"

#include <string.h>
#include "rules.h"

/* The constants of the attribute, up to the semicolon. */
static int read_constants(struct pcdf_cdl_parser *p)
{
    struct pcdf_token t, end = { 0 };

    p->list.n = p->chars.n = 0;
    PCDF_TRY(pcdf_tokens_next(&p->ts, true, &t));
    if (pcdf_token_is(&t, ';'))
        return NC_NOERR;
    for (;;) {
        if (t.kind != PCDF_TOKEN_STRING && t.kind != PCDF_TOKEN_CHAR && t.kind != PCDF_TOKEN_NUMBER)
            return pcdf_tokens_unexpected(&p->ts, &t, "a value");
        PCDF_TRY(pcdf_cdl_placed(p->ts.fault, t.place, PCDF_RESERVE(&p->list, p->list.n + 1)));
        p->list.x[p->list.n++] = t;
        if (t.kind == PCDF_TOKEN_STRING) {
            PCDF_TRY(
                pcdf_cdl_placed(p->ts.fault, t.place, PCDF_RESERVE(&p->chars, p->chars.n + t.length + 1)));
            memcpy(p->chars.x + p->chars.n, p->ts.word.x, t.length);
            p->chars.n += t.length;
        }
        PCDF_TRY(pcdf_tokens_next(&p->ts, false, &end));
        if (pcdf_token_is(&end, ';'))
            return NC_NOERR;
        if (!pcdf_token_is(&end, ','))
            return pcdf_tokens_unexpected(&p->ts, &end, "',' or ';' after a value");
        PCDF_TRY(pcdf_tokens_next(&p->ts, true, &t));
    }
}

/* The type of an attribute that declares none: a list of numbers takes that of its largest, as in ncgen. */
static nc_type infer_type(const struct pcdf_cdl_parser *p)
{
    static const int rank[] = {
        [NC_BYTE] = 0, [NC_UBYTE] = 1, [NC_SHORT] = 2,  [NC_USHORT] = 3, [NC_INT] = 4,
        [NC_UINT] = 5, [NC_INT64] = 6, [NC_UINT64] = 7, [NC_FLOAT] = 8,  [NC_DOUBLE] = 9
    };
    nc_type type = p->list.n == 0 ? NC_CHAR : NC_BYTE;
    for (size_t i = 0; i < p->list.n; i++) {
        const struct pcdf_token *t = &p->list.x[i];
        if (t->kind == PCDF_TOKEN_STRING)
            return NC_CHAR;
        if (rank[t->type] > rank[type])
            type = t->type;
    }
    return type;
}

/* The constants in external form. Text: strings and characters one after another; a number only where its
 * suffix makes it a byte. */
static int build_values(struct pcdf_cdl_parser *p, nc_type type)
{
    bool is_text = type == NC_CHAR;
    size_t size = (size_t)pcdf_type_size(type), most = p->list.n * size + (is_text ? p->chars.n + 1 : 0),
           at = 0;
    struct pcdf_cdl_place place = p->list.n > 0 ? p->list.x[0].place : p->ts.place;

    p->bytes.n = 0;
    PCDF_TRY(pcdf_cdl_placed(p->ts.fault, place, PCDF_RESERVE(&p->bytes, most)));
    for (size_t i = 0; i < p->list.n; i++) {
        const struct pcdf_token *t = &p->list.x[i];
        if (is_text && t->kind == PCDF_TOKEN_STRING) {
            memcpy(p->bytes.x + p->bytes.n, p->chars.x + at, t->length);
            p->bytes.n += t->length;
            at += t->length;
            continue;
        }
        if (is_text && t->type != NC_BYTE && t->type != NC_UBYTE)
            return pcdf_cdl_fail(p->ts.fault, t->place, NC_ECHAR, "a number stands among text");
        PCDF_TRY(pcdf_cdl_store(p->ts.fault, t, is_text ? t->type : type, p->bytes.x + p->bytes.n));
        p->bytes.n += size;
    }
    if (is_text && p->bytes.n == 0 && p->empty_text == PCDF_CDL_NUL)
        p->bytes.x[p->bytes.n++] = 0;
    return NC_NOERR;
}

/* ncdump -s prints properties of the storage as if they were attributes; they are not part of the
 * definitions. */
static bool is_virtual(const char *name, int varid)
{
    static const char *const of_file[] = { "_Format", "_NCProperties", "_IsNetcdf4", "_SuperblockVersion" };
    static const char *const of_var[] = { "_Storage",      "_ChunkSizes",
                                          "_DeflateLevel", "_Shuffle",
                                          "_Endianness",   "_Fletcher32",
                                          "_NoFill",       "_Filter",
                                          "_Codecs",       "_QuantizeBitGroomNumberOfSignificantDigits" };
    const char *const *names = varid == NC_GLOBAL ? of_file : of_var;
    size_t n = varid == NC_GLOBAL ? sizeof of_file / sizeof *of_file : sizeof of_var / sizeof *of_var;
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static int heed_format(struct pcdf_cdl_parser *p, struct pcdf_cdl_place place)
{
    static const struct {
        const char *text;
        int version;
    } formats[] = { { "classic", 1 }, { "64-bit offset", 2 }, { "64-bit data", 5 }, { "cdf5", 5 },
                    { "CDF-1", 1 },   { "CDF-2", 2 },         { "CDF-5", 5 } };
    bool is_text = true; /* what stands beside strings must not get lost */
    for (size_t i = 0; i < p->list.n; i++)
        is_text = is_text && p->list.x[i].kind == PCDF_TOKEN_STRING;
    for (size_t i = 0; is_text && i < sizeof formats / sizeof *formats; i++) {
        size_t n = strlen(formats[i].text);
        if (p->chars.n == n && memcmp(p->chars.x, formats[i].text, n) == 0) {
            p->version = formats[i].version;
            return NC_NOERR;
        }
    }
    return pcdf_cdl_fail(p->ts.fault, place, NC_ENOTNC,
                         "_Format names a format that is not CDF-1, CDF-2 or CDF-5");
}

int pcdf_cdl_read_att(struct pcdf_cdl_parser *p, int varid, nc_type type)
{
    struct pcdf_token t;
    char name[NC_MAX_NAME + 1];

    PCDF_TRY(pcdf_tokens_next(&p->ts, false, &t));
    PCDF_TRY(pcdf_tokens_name(&p->ts, &t, "the name of an attribute", name));
    PCDF_TRY(pcdf_tokens_want(&p->ts, '=', "'=' and the values of the attribute"));
    PCDF_TRY(read_constants(p));
    if (is_virtual(name, varid))
        return strcmp(name, "_Format") != 0 || p->is_forced ? NC_NOERR : heed_format(p, t.place);

    if (type == NC_NAT) {
        bool is_fill = varid != NC_GLOBAL && strcmp(name, "_FillValue") == 0;
        type = infer_type(p);
        if (is_fill && type != NC_CHAR) /* as ncgen: the fill value is one of the variable's values */
            type = p->meta->vars[varid].type;
    }
    PCDF_TRY(pcdf_cdl_placed(p->ts.fault, t.place, pcdf_rules_type(p->meta, type)));
    PCDF_TRY(build_values(p, type));
    int64_t nelems = (int64_t)(p->bytes.n / (size_t)pcdf_type_size(type));
    struct pcdf_atts *atts = pcdf_meta_atts(p->meta, varid);
    const void *values = p->bytes.n > 0 ? p->bytes.x : NULL;
    return pcdf_cdl_placed(p->ts.fault, t.place, pcdf_atts_put(p->meta, atts, name, type, nelems, values));
}
