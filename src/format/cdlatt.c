/* The attributes of a CDL header: their constants, the type that these give, the values. See cdlparser.h. */
#include "cdlparser.h"

#include <string.h>
#include "rules.h"

int pcdf_cdl_constants(struct pcdf_cdl_parser *p)
{
    struct pcdf_cdl_constant c = { 0 };
    p->list.n = p->chars.n = 0;
    PCDF_TRY(pcdf_cdl_next(p, true, &c.token));
    if (pcdf_token_is(&c.token, ';'))
        return NC_NOERR;
    for (;;) {
        struct pcdf_token *t = &c.token;
        bool is_text = t->kind == PCDF_TOKEN_STRING || t->kind == PCDF_TOKEN_CHAR;
        if (!is_text && t->kind != PCDF_TOKEN_NUMBER)
            return pcdf_cdl_unexpected(p, t, "a value");
        c.at = p->chars.n;
        PCDF_TRY(pcdf_cdl_placed(p, t, PCDF_RESERVE(&p->list, p->list.n + 1)));
        PCDF_TRY(pcdf_cdl_placed(p, t, PCDF_RESERVE(&p->chars, p->chars.n + t->length + 1)));
        if (is_text && t->length > 0)
            memcpy(p->chars.x + p->chars.n, p->ts.word.x, t->length);
        p->chars.n += t->length;
        p->list.x[p->list.n++] = c;
        struct pcdf_token end;
        PCDF_TRY(pcdf_cdl_next(p, false, &end));
        if (pcdf_token_is(&end, ';'))
            return NC_NOERR;
        if (!pcdf_token_is(&end, ','))
            return pcdf_cdl_unexpected(p, &end, "',' or ';' after a value");
        PCDF_TRY(pcdf_cdl_next(p, true, t));
    }
}

/* In which order a list of numbers takes the type of its largest, as ncgen does. */
static int type_rank(nc_type type)
{
    static const nc_type order[] = { NC_BYTE, NC_UBYTE, NC_SHORT,  NC_USHORT, NC_INT,
                                     NC_UINT, NC_INT64, NC_UINT64, NC_FLOAT,  NC_DOUBLE };
    for (int i = 0; i < (int)(sizeof order / sizeof *order); i++)
        if (order[i] == type)
            return i;
    return -1;
}

/* The type of an attribute that declares none. A list of 'c' constants is NC_BYTE, as in ncgen. */
static nc_type infer_type(const struct pcdf_cdl_parser *p)
{
    nc_type type = p->list.n == 0 ? NC_CHAR : NC_BYTE;
    for (size_t i = 0; i < p->list.n; i++) {
        const struct pcdf_token *t = &p->list.x[i].token;
        if (t->kind == PCDF_TOKEN_STRING)
            return NC_CHAR;
        if (t->kind == PCDF_TOKEN_NUMBER && type_rank(t->type) > type_rank(type))
            type = t->type;
    }
    return type;
}

/* Text: strings and characters one after another; a number only where its suffix makes it a byte. */
static int build_text(struct pcdf_cdl_parser *p)
{
    for (size_t i = 0; i < p->list.n; i++) {
        const struct pcdf_cdl_constant *c = &p->list.x[i];
        const struct pcdf_token *t = &c->token;
        PCDF_TRY(pcdf_cdl_placed(p, t, PCDF_RESERVE(&p->bytes, p->bytes.n + t->length + 1)));
        if (t->kind == PCDF_TOKEN_NUMBER) {
            if (t->type != NC_BYTE && t->type != NC_UBYTE)
                return pcdf_cdl_fail_at(p, t, NC_ECHAR, "a number stands among text");
            PCDF_TRY(pcdf_cdl_store(p, t, 0, t->type, p->bytes.x + p->bytes.n++));
        } else if (t->length > 0) {
            memcpy(p->bytes.x + p->bytes.n, p->chars.x + c->at, t->length);
            p->bytes.n += t->length;
        }
    }
    if (p->bytes.n > 0 || p->empty_text == PCDF_CDL_EMPTY)
        return NC_NOERR;
    PCDF_TRY(PCDF_RESERVE(&p->bytes, 1));
    p->bytes.x[p->bytes.n++] = 0;
    return NC_NOERR;
}

static int store_constant(struct pcdf_cdl_parser *p, const struct pcdf_cdl_constant *c, nc_type type,
                          unsigned char *to)
{
    bool is_char = c->token.kind == PCDF_TOKEN_CHAR;
    return pcdf_cdl_store(p, &c->token, is_char ? (unsigned char)p->chars.x[c->at] : 0, type, to);
}

static int build_numbers(struct pcdf_cdl_parser *p, nc_type type)
{
    size_t size = (size_t)pcdf_type_size(type);
    if (p->list.n == 0)
        return NC_NOERR;
    PCDF_TRY(pcdf_cdl_placed(p, &p->list.x[0].token, PCDF_RESERVE(&p->bytes, p->list.n * size)));
    for (size_t i = 0; i < p->list.n; i++)
        PCDF_TRY(store_constant(p, &p->list.x[i], type, p->bytes.x + i * size));
    p->bytes.n = p->list.n * size;
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

static int heed_virtual(struct pcdf_cdl_parser *p, const struct pcdf_token *t, const char *name)
{
    static const struct {
        const char *text;
        int version;
    } formats[] = { { "classic", 1 }, { "64-bit offset", 2 }, { "64-bit data", 5 }, { "cdf5", 5 },
                    { "CDF-1", 1 },   { "CDF-2", 2 },         { "CDF-5", 5 } };
    if (strcmp(name, "_Format") != 0 || p->is_forced)
        return NC_NOERR;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t n = strlen(formats[i].text);
        if (p->chars.n == n && memcmp(p->chars.x, formats[i].text, n) == 0) {
            p->version = formats[i].version;
            return NC_NOERR;
        }
    }
    return pcdf_cdl_fail_at(p, t, NC_ENOTNC, "_Format names a format that is not CDF-1, CDF-2 or CDF-5");
}

/* Is text among the values, or nothing? */
static bool has_string(const struct pcdf_cdl_parser *p)
{
    for (size_t i = 0; i < p->list.n; i++)
        if (p->list.x[i].token.kind == PCDF_TOKEN_STRING)
            return true;
    return p->list.n == 0;
}

int pcdf_cdl_put_att(struct pcdf_cdl_parser *p, const struct pcdf_token *t, int varid, nc_type type,
                     const char *name)
{
    if (is_virtual(name, varid))
        return heed_virtual(p, t, name);
    if (type == NC_NAT && varid != NC_GLOBAL && strcmp(name, "_FillValue") == 0 && !has_string(p))
        type = p->meta->vars[varid].type; /* as ncgen: the fill value is one of the variable's values */
    if (type == NC_NAT)
        type = infer_type(p);
    if (type == PCDF_WORD_STRING)
        type = NC_CHAR;
    pcdf_cdl_adopt_version(p);
    pcdf_fail_clear();
    PCDF_TRY(pcdf_cdl_placed(p, t, pcdf_rules_type(p->meta, type)));
    p->bytes.n = 0;
    PCDF_TRY(type == NC_CHAR ? build_text(p) : build_numbers(p, type));
    int64_t nelems = (int64_t)(p->bytes.n / (size_t)pcdf_type_size(type));
    struct pcdf_atts *atts = pcdf_meta_atts(p->meta, varid);
    const void *values = p->bytes.n > 0 ? p->bytes.x : NULL;
    return pcdf_cdl_placed(p, t, pcdf_atts_put(p->meta, atts, name, type, nelems, values));
}
