#include "cdl.h"

#include <math.h>
#include <string.h>
#include <strings.h>
#include "cdltoken.h"
#include "rules.h"
#include "text.h"

enum {
    MAX_RANK = 1024,   /* dimensions of one variable */
    WORD_STRING = -100 /* beside the nc_types: the type word `string` */
};

struct constant { /* one value of an attribute */
    struct pcdf_token token;
    size_t at; /* STRING, CHAR: where its bytes begin in parser.chars */
};

struct parser {
    struct pcdf_tokens ts;
    struct pcdf_meta *meta;
    struct pcdf_cdl_fault *fault;
    bool in_dims; /* the section: "a = 5" is a dimension */
    int version;  /* 1, 2 or 5 when the text has said it, else 0 */
    PCDF_ARRAY(struct constant) list;
    PCDF_ARRAY(char) chars;
    PCDF_ARRAY(unsigned char) bytes; /* the attribute in external form */
};

static int fail_at(struct parser *p, const struct pcdf_token *t, int code, const char *sentence)
{
    return pcdf_cdl_fail(p->fault, code, t->line, t->column, "%s", sentence);
}

/* An error of a lower layer, which kept its own sentence, gets its place; one that has a place keeps it. */
static int placed(struct parser *p, const struct pcdf_token *t, int code)
{
    if (code == NC_NOERR || p->fault->code != NC_NOERR)
        return code;
    char sentence[sizeof p->fault->text];
    const char *kept = pcdf_fail_text();
    const char *known = pcdf_error_sentence(code);
    size_t n = strnlen(*kept ? kept : known ? known : "", sizeof sentence - 1);
    memcpy(sentence, *kept ? kept : known ? known : "", n);
    sentence[n] = '\0';
    return fail_at(p, t, code, sentence);
}

static int next(struct parser *p, struct pcdf_token *t)
{
    return placed(p, t, pcdf_tokens_next(&p->ts, false, t));
}

static bool is_mark(const struct pcdf_token *t, char mark)
{
    return t->kind == PCDF_TOKEN_MARK && t->mark == mark;
}

static int unexpected(struct parser *p, const struct pcdf_token *t, const char *wanted)
{
    if (t->kind == PCDF_TOKEN_END)
        return pcdf_cdl_fail(p->fault, NC_ENOTNC, t->line, t->column, "the text ends where %s should be",
                             wanted);
    if (t->kind == PCDF_TOKEN_MARK)
        return pcdf_cdl_fail(p->fault, NC_ENOTNC, t->line, t->column, "'%c' stands where %s should be",
                             t->mark, wanted);
    if (t->kind == PCDF_TOKEN_NUMBER)
        return pcdf_cdl_fail(p->fault, NC_ENOTNC, t->line, t->column, "a number stands where %s should be",
                             wanted);
    return pcdf_cdl_fail(p->fault, NC_ENOTNC, t->line, t->column, "\"%.60s\" stands where %s should be",
                         p->ts.word.x, wanted);
}

static int want_mark(struct parser *p, char mark, const char *wanted)
{
    struct pcdf_token t;
    PCDF_TRY(next(p, &t));
    return is_mark(&t, mark) ? NC_NOERR : unexpected(p, &t, wanted);
}

/* The name that the last token holds, checked and NFC-normalised; the caller frees it. */
static int take_name(struct parser *p, const struct pcdf_token *t, const char *wanted, char **name)
{
    if (t->kind != PCDF_TOKEN_NAME)
        return unexpected(p, t, wanted);
    struct pcdf_name nfc;
    pcdf_fail_clear();
    PCDF_TRY(placed(p, t, pcdf_name_define(p->ts.word.x, &nfc)));
    char *copy = pcdf_strndup(nfc.text, nfc.length);
    if (copy)
        *name = copy;
    return copy ? NC_NOERR : placed(p, t, NC_ENOMEM);
}

static int want_name(struct parser *p, const char *wanted, struct pcdf_token *t, char **name)
{
    PCDF_TRY(next(p, t));
    return take_name(p, t, wanted, name);
}

/* --- words ------------------------------------------------------------------------------------------------
 */

static const struct {
    const char *word;
    nc_type type;
} type_words[] = { { "char", NC_CHAR },      { "byte", NC_BYTE },     { "short", NC_SHORT },
                   { "int", NC_INT },        { "integer", NC_INT },   { "long", NC_INT },
                   { "float", NC_FLOAT },    { "real", NC_FLOAT },    { "double", NC_DOUBLE },
                   { "ubyte", NC_UBYTE },    { "ushort", NC_USHORT }, { "uint", NC_UINT },
                   { "ulong", NC_UINT },     { "int64", NC_INT64 },   { "uint64", NC_UINT64 },
                   { "string", WORD_STRING } };

/* Keywords are written in small or in capital letters, never mixed. */
static bool is_word(const struct parser *p, const struct pcdf_token *t, const char *word)
{
    if (t->kind != PCDF_TOKEN_NAME || t->escaped || strcasecmp(p->ts.word.x, word) != 0)
        return false;
    bool small = false, capital = false;
    for (const char *c = p->ts.word.x; *c; c++) {
        small = small || (*c >= 'a' && *c <= 'z');
        capital = capital || (*c >= 'A' && *c <= 'Z');
    }
    return !(small && capital);
}

static nc_type type_word(const struct parser *p, const struct pcdf_token *t)
{
    for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++)
        if (is_word(p, t, type_words[i].word))
            return type_words[i].type;
    return NC_NAT;
}

/* --- dimensions -------------------------------------------------------------------------------------------
 */

/* The version that rules apply while the text has not said one: the one that allows most. */
static void adopt_version(struct parser *p)
{
    if (p->version == 0)
        p->version = p->ts.version;
    p->meta->version = p->version ? (enum pcdf_version)p->version : PCDF_CDF5;
}

static int read_dim_length(struct parser *p, int64_t *length)
{
    struct pcdf_token t;
    PCDF_TRY(next(p, &t));
    if (is_word(p, &t, "unlimited") ||
        (t.kind == PCDF_TOKEN_NAME && strcmp(p->ts.word.x, "Unlimited") == 0)) {
        p->ts.record_line = t.line;
        *length = 0;
        return NC_NOERR;
    }
    if (t.kind != PCDF_TOKEN_NUMBER || t.type == NC_FLOAT || t.type == NC_DOUBLE)
        return unexpected(p, &t, "the length of a dimension, an integer or UNLIMITED,");
    if (t.negative || t.magnitude > INT64_MAX)
        return fail_at(p, &t, NC_EDIMSIZE, "the length of a dimension lies outside 0 .. 2^63-1");
    *length = (int64_t)t.magnitude;
    return NC_NOERR;
}

/* name = length { , name = length } ; with the first name read already */
static int read_dims(struct parser *p, struct pcdf_token t, char *name)
{
    for (;;) {
        int64_t length = 0;
        int err = want_mark(p, '=', "'=' and the length of the dimension");
        if (!err)
            err = read_dim_length(p, &length);
        if (!err) {
            adopt_version(p);
            pcdf_fail_clear();
            err = placed(p, &t, pcdf_rules_new_dim(p->meta, name, length));
        }
        if (!err)
            err = placed(p, &t, pcdf_meta_add_dim(p->meta, name, length, NULL));
        pcdf_free(name);
        PCDF_TRY(err);
        struct pcdf_token end;
        PCDF_TRY(next(p, &end));
        if (is_mark(&end, ';'))
            return NC_NOERR;
        if (!is_mark(&end, ','))
            return unexpected(p, &end, "',' or ';' after a dimension");
        PCDF_TRY(want_name(p, "the name of a dimension", &t, &name));
    }
}

/* --- variables --------------------------------------------------------------------------------------------
 */

static int read_dimids(struct parser *p, const char *variable, int *ndims, int *dimids)
{
    struct pcdf_token t;
    do {
        char *name = NULL;
        PCDF_TRY(want_name(p, "the name of a dimension", &t, &name));
        int dimid = pcdf_meta_find_dim(p->meta, name);
        int err = NC_NOERR;
        if (dimid < 0)
            err = pcdf_cdl_fail(p->fault, NC_EBADDIM, t.line, t.column,
                                "the dimension %.100s of variable %.100s is not declared", name, variable);
        else if (*ndims == MAX_RANK)
            err = pcdf_cdl_fail(p->fault, NC_EMAXDIMS, t.line, t.column,
                                "variable %.100s has more than %d dimensions", variable, MAX_RANK);
        else
            dimids[(*ndims)++] = dimid;
        pcdf_free(name);
        PCDF_TRY(err);
        PCDF_TRY(next(p, &t));
    } while (is_mark(&t, ','));
    return is_mark(&t, ')') ? NC_NOERR : unexpected(p, &t, "',' or ')' after a dimension");
}

static int add_var(struct parser *p, const struct pcdf_token *t, nc_type type, const char *name)
{
    int dimids[MAX_RANK], ndims = 0;
    if (pcdf_tokens_peek(&p->ts) == '(') {
        PCDF_TRY(want_mark(p, '(', "'('"));
        PCDF_TRY(read_dimids(p, name, &ndims, dimids));
    }
    adopt_version(p);
    if (type == WORD_STRING)
        return fail_at(p, t, NC_EBADTYPE, "variables of type string are not of the classic model");
    pcdf_fail_clear();
    PCDF_TRY(placed(p, t, pcdf_rules_new_var(p->meta, name, type, ndims, dimids)));
    return placed(p, t, pcdf_meta_add_var(p->meta, name, type, ndims, dimids, NULL));
}

/* name [ ( dims ) ] { , name [ ( dims ) ] } ; with the type and the first name read already */
static int read_vars(struct parser *p, nc_type type, struct pcdf_token t, char *name)
{
    for (;;) {
        int err = add_var(p, &t, type, name);
        pcdf_free(name);
        PCDF_TRY(err);
        struct pcdf_token end;
        PCDF_TRY(next(p, &end));
        if (is_mark(&end, ';'))
            return NC_NOERR;
        if (!is_mark(&end, ','))
            return unexpected(p, &end, "'(', ',' or ';' after a variable");
        PCDF_TRY(want_name(p, "the name of a variable", &t, &name));
    }
}

/* --- attributes -------------------------------------------------------------------------------------------
 */

static int read_constants(struct parser *p)
{
    struct constant c = { 0 };
    p->list.n = p->chars.n = 0;
    PCDF_TRY(placed(p, &c.token, pcdf_tokens_next(&p->ts, true, &c.token)));
    if (is_mark(&c.token, ';'))
        return NC_NOERR;
    for (;;) {
        struct pcdf_token *t = &c.token;
        bool is_text = t->kind == PCDF_TOKEN_STRING || t->kind == PCDF_TOKEN_CHAR;
        if (!is_text && t->kind != PCDF_TOKEN_NUMBER)
            return unexpected(p, t, "a value");
        c.at = p->chars.n;
        PCDF_TRY(placed(p, t, PCDF_RESERVE(&p->list, p->list.n + 1)));
        PCDF_TRY(placed(p, t, PCDF_RESERVE(&p->chars, p->chars.n + t->length + 1)));
        if (is_text && t->length > 0)
            memcpy(p->chars.x + p->chars.n, p->ts.word.x, t->length);
        p->chars.n += t->length;
        p->list.x[p->list.n++] = c;
        struct pcdf_token end;
        PCDF_TRY(next(p, &end));
        if (is_mark(&end, ';'))
            return NC_NOERR;
        if (!is_mark(&end, ','))
            return unexpected(p, &end, "',' or ';' after a value");
        PCDF_TRY(placed(p, t, pcdf_tokens_next(&p->ts, true, t)));
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
static nc_type infer_type(const struct parser *p)
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

static void store(unsigned char *to, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        to[i] = (unsigned char)(value >> (8 * (size - 1 - i)));
}

static int store_real(struct parser *p, const struct pcdf_token *t, nc_type type, double value,
                      unsigned char *to)
{
    if (type == NC_DOUBLE) {
        uint64_t bits;
        memcpy(&bits, &value, 8);
        store(to, bits, 8);
        return NC_NOERR;
    }
    float single = (float)value;
    uint32_t bits;
    if (isinf(single) && !isinf(value))
        return fail_at(p, t, NC_ERANGE, "the value is too large for float");
    memcpy(&bits, &single, 4);
    store(to, bits, 4);
    return NC_NOERR;
}

/* Largest magnitudes of an integer type. `bits`: written in hexadecimal or octal, all bits may be used; so
 * they may in NC_BYTE, which people write as 255 too. */
static bool integer_fits(nc_type type, bool negative, bool bits, uint64_t magnitude)
{
    int width = 8 * pcdf_type_size(type);
    bool is_signed = type == NC_BYTE || type == NC_SHORT || type == NC_INT || type == NC_INT64;
    uint64_t all = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    if (negative)
        return is_signed ? magnitude <= all / 2 + 1 : magnitude == 0;
    return magnitude <= (is_signed && !bits && type != NC_BYTE ? all / 2 : all);
}

static int store_integer(struct parser *p, const struct pcdf_token *t, nc_type type, unsigned char *to)
{
    bool negative = t->negative, is_real = t->type == NC_FLOAT || t->type == NC_DOUBLE;
    uint64_t magnitude = t->magnitude;
    if (is_real) { /* cut towards zero, as ncgen does */
        double size = fabs(t->real);
        negative = t->real < 0;
        if (!(size < 0x1p64))
            return fail_at(p, t, NC_ERANGE, "the value is not an integer of 64 bits");
        magnitude = (uint64_t)size;
    }
    if (!integer_fits(type, negative, t->bits, magnitude))
        return pcdf_cdl_fail(p->fault, NC_ERANGE, t->line, t->column, "%s%llu does not fit in %s",
                             negative ? "-" : "", (unsigned long long)magnitude, pcdf_type_cdl(type));
    store(to, negative ? 0 - magnitude : magnitude, pcdf_type_size(type));
    return NC_NOERR;
}

static int store_number(struct parser *p, const struct constant *c, nc_type type, unsigned char *to)
{
    const struct pcdf_token *t = &c->token;
    struct pcdf_token one = *t;
    if (t->kind == PCDF_TOKEN_STRING)
        return fail_at(p, t, NC_ECHAR, "a string stands among numbers");
    if (t->kind == PCDF_TOKEN_CHAR) {
        one.type = NC_BYTE;
        one.magnitude = (unsigned char)p->chars.x[c->at];
    }
    if (type != NC_FLOAT && type != NC_DOUBLE)
        return store_integer(p, &one, type, to);
    bool is_real = one.type == NC_FLOAT || one.type == NC_DOUBLE;
    double value = is_real ? one.real : one.negative ? -(double)one.magnitude : (double)one.magnitude;
    return store_real(p, &one, type, value, to);
}

/* Text: strings and characters one after another; a number only where its suffix makes it a byte. */
static int build_text(struct parser *p)
{
    for (size_t i = 0; i < p->list.n; i++) {
        const struct constant *c = &p->list.x[i];
        const struct pcdf_token *t = &c->token;
        PCDF_TRY(placed(p, t, PCDF_RESERVE(&p->bytes, p->bytes.n + t->length + 1)));
        if (t->kind == PCDF_TOKEN_NUMBER) {
            if (t->type != NC_BYTE && t->type != NC_UBYTE)
                return fail_at(p, t, NC_ECHAR, "a number stands among text");
            PCDF_TRY(store_integer(p, t, t->type, p->bytes.x + p->bytes.n++));
        } else if (t->length > 0) {
            memcpy(p->bytes.x + p->bytes.n, p->chars.x + c->at, t->length);
            p->bytes.n += t->length;
        }
    }
    if (p->bytes.n > 0)
        return NC_NOERR;
    PCDF_TRY(PCDF_RESERVE(&p->bytes, 1));
    p->bytes.x[p->bytes.n++] = 0; /* empty text is one NUL to ncgen */
    return NC_NOERR;
}

static int build_numbers(struct parser *p, nc_type type)
{
    size_t size = (size_t)pcdf_type_size(type);
    if (p->list.n == 0)
        return NC_NOERR;
    PCDF_TRY(placed(p, &p->list.x[0].token, PCDF_RESERVE(&p->bytes, p->list.n * size)));
    for (size_t i = 0; i < p->list.n; i++)
        PCDF_TRY(store_number(p, &p->list.x[i], type, p->bytes.x + i * size));
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

static int heed_virtual(struct parser *p, const struct pcdf_token *t, const char *name)
{
    static const struct {
        const char *text;
        int version;
    } formats[] = { { "classic", 1 }, { "64-bit offset", 2 }, { "64-bit data", 5 }, { "cdf5", 5 },
                    { "CDF-1", 1 },   { "CDF-2", 2 },         { "CDF-5", 5 } };
    if (strcmp(name, "_Format") != 0)
        return NC_NOERR;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t n = strlen(formats[i].text);
        if (p->chars.n == n && memcmp(p->chars.x, formats[i].text, n) == 0) {
            p->version = formats[i].version;
            return NC_NOERR;
        }
    }
    return fail_at(p, t, NC_ENOTNC, "_Format names a format that is not CDF-1, CDF-2 or CDF-5");
}

static int put_att(struct parser *p, const struct pcdf_token *t, int varid, nc_type type, const char *name)
{
    if (is_virtual(name, varid))
        return heed_virtual(p, t, name);
    if (type == NC_NAT && varid != NC_GLOBAL && strcmp(name, "_FillValue") == 0 && p->list.n > 0)
        type = p->meta->vars[varid].type; /* as ncgen: the fill value is one of the variable's values */
    if (type == NC_NAT)
        type = infer_type(p);
    if (type == WORD_STRING)
        type = NC_CHAR;
    adopt_version(p);
    pcdf_fail_clear();
    PCDF_TRY(placed(p, t, pcdf_rules_type(p->meta, type)));
    p->bytes.n = 0;
    PCDF_TRY(type == NC_CHAR ? build_text(p) : build_numbers(p, type));
    int64_t nelems = (int64_t)(p->bytes.n / (size_t)pcdf_type_size(type));
    struct pcdf_atts *atts = pcdf_meta_atts(p->meta, varid);
    const void *values = p->bytes.n > 0 ? p->bytes.x : NULL;
    return placed(p, t, pcdf_atts_put(p->meta, atts, name, type, nelems, values));
}

/* The part after the colon: name = values ; */
static int read_att(struct parser *p, int varid, nc_type type)
{
    struct pcdf_token t;
    char *name = NULL;
    PCDF_TRY(want_name(p, "the name of an attribute", &t, &name));
    int err = want_mark(p, '=', "'=' and the values of the attribute");
    if (!err)
        err = read_constants(p);
    if (!err)
        err = put_att(p, &t, varid, type, name);
    pcdf_free(name);
    return err;
}

/* The variable that an attribute belongs to; the colon is the next token. */
static int read_var_att(struct parser *p, const struct pcdf_token *t, const char *variable, nc_type type)
{
    int varid = pcdf_meta_find_var(p->meta, variable);
    if (varid < 0)
        return pcdf_cdl_fail(p->fault, NC_ENOTVAR, t->line, t->column,
                             "an attribute is given to the variable %.100s, which is not declared", variable);
    PCDF_TRY(want_mark(p, ':', "':' and the name of an attribute"));
    return read_att(p, varid, type);
}

/* --- statements -------------------------------------------------------------------------------------------
 */

/* A word that names a section and a colon follow `before`. Is it rather an attribute of a variable that is
 * called like the section? Then the name of an attribute follows, where a section has a type, a dimension or
 * the name of a variable. Leaves the tokens behind the colon or, for an attribute, behind the word. */
static int begins_section(struct parser *p, const struct pcdf_tokens *before, struct pcdf_token *t,
                          bool *section)
{
    bool is_var = pcdf_meta_find_var(p->meta, p->ts.word.x) >= 0;
    struct pcdf_token after;
    PCDF_TRY(want_mark(p, ':', "':'"));
    *section = true;
    if (!is_var)
        return NC_NOERR;
    PCDF_TRY(next(p, &after));
    *section = after.kind != PCDF_TOKEN_NAME || type_word(p, &after) != NC_NAT ||
               pcdf_meta_find_var(p->meta, p->ts.word.x) >= 0;
    pcdf_tokens_return(&p->ts, before);
    PCDF_TRY(next(p, t));
    return *section ? want_mark(p, ':', "':'") : NC_NOERR;
}

enum section { SECTION_NONE, SECTION_DIMS, SECTION_VARS, SECTION_DATA, SECTION_ALIEN };

static enum section section_word(const struct parser *p, const struct pcdf_token *t)
{
    static const char *const words[] = { "", "dimensions", "variables", "data", "types", "group" };
    for (int i = 1; i < (int)(sizeof words / sizeof *words); i++)
        if (is_word(p, t, words[i]))
            return i < SECTION_ALIEN ? (enum section)i : SECTION_ALIEN;
    return SECTION_NONE;
}

/* type name ... ; or type name : attribute ; or type : attribute ; with the type read already */
static int read_typed(struct parser *p, nc_type type)
{
    struct pcdf_token t;
    char *name = NULL;
    PCDF_TRY(next(p, &t));
    if (is_mark(&t, ':'))
        return read_att(p, NC_GLOBAL, type);
    PCDF_TRY(take_name(p, &t, "the name of a variable", &name));
    if (pcdf_tokens_peek(&p->ts) != ':')
        return read_vars(p, type, t, name);
    int err = read_var_att(p, &t, name, type);
    pcdf_free(name);
    return err;
}

static int read_named(struct parser *p, const struct pcdf_token *t)
{
    char *name = NULL;
    PCDF_TRY(take_name(p, t, "a declaration", &name));
    int follows = pcdf_tokens_peek(&p->ts), err;
    if (p->in_dims && follows == '=')
        return read_dims(p, *t, name);
    if (follows == ':')
        err = read_var_att(p, t, name, NC_NAT);
    else
        err =
            pcdf_cdl_fail(p->fault, NC_ENOTNC, t->line, t->column, "\"%.100s\" begins no %s", name,
                          p->in_dims ? "dimension, section or attribute" : "variable, section or attribute");
    pcdf_free(name);
    return err;
}

static int read_statement(struct parser *p, const struct pcdf_tokens *before, struct pcdf_token *t,
                          bool *done)
{
    if (is_mark(t, ';'))
        return NC_NOERR;
    if (is_mark(t, ':'))
        return read_att(p, NC_GLOBAL, NC_NAT);
    if (t->kind != PCDF_TOKEN_NAME)
        return unexpected(p, t, "a declaration, a section or '}'");
    enum section section = section_word(p, t);
    int follows = pcdf_tokens_peek(&p->ts);
    if (section != SECTION_NONE && follows == ':') {
        bool begins = false;
        PCDF_TRY(begins_section(p, before, t, &begins));
        if (begins && section == SECTION_ALIEN)
            return fail_at(p, t, NC_ENOTNC, "the classic model has neither groups nor user-defined types");
        if (begins) {
            p->in_dims = section == SECTION_DIMS;
            *done = section == SECTION_DATA;
            return NC_NOERR;
        }
    }
    nc_type type = type_word(p, t);
    bool is_dim = p->in_dims && follows == '='; /* a dimension may be called like a type */
    return type != NC_NAT && !is_dim ? read_typed(p, type) : read_named(p, t);
}

static int read_body(struct parser *p)
{
    struct pcdf_token t;
    bool done = false;
    while (!done) {
        struct pcdf_tokens before = p->ts;
        PCDF_TRY(next(p, &t));
        if (is_mark(&t, '}')) {
            PCDF_TRY(next(p, &t));
            return t.kind == PCDF_TOKEN_END ? NC_NOERR : unexpected(p, &t, "the end of the text");
        }
        PCDF_TRY(read_statement(p, &before, &t, &done));
    }
    return NC_NOERR;
}

/* --- the whole --------------------------------------------------------------------------------------------
 */

/* Does this version allow all that is defined? 0 or the code, with the sentence kept. */
static int version_allows(struct pcdf_meta *meta, enum pcdf_version version)
{
    meta->version = version;
    for (int i = 0; i < meta->ndims; i++)
        if (meta->dims[i].length > pcdf_rules_max_dim(version))
            return PCDF_FAIL(NC_EDIMSIZE, "dimension %s of %lld elements is too long for CDF-%d",
                             meta->dims[i].name, (long long)meta->dims[i].length, version);
    for (int i = -1; i < meta->nvars; i++) {
        const struct pcdf_atts *atts = pcdf_meta_atts(meta, i < 0 ? NC_GLOBAL : i);
        if (i >= 0)
            PCDF_TRY(pcdf_rules_type(meta, meta->vars[i].type));
        for (int k = 0; k < atts->n; k++)
            PCDF_TRY(pcdf_rules_type(meta, atts->x[k].type));
    }
    if (meta->numrecs > pcdf_rules_max_numrecs(version))
        return PCDF_FAIL(NC_EINTOVERFLOW, "%lld records are too many for CDF-%d", (long long)meta->numrecs,
                         version);
    return pcdf_rules_sizes(meta);
}

static int settle_version(struct parser *p)
{
    static const enum pcdf_version versions[] = { PCDF_CDF1, PCDF_CDF2, PCDF_CDF5 };
    struct pcdf_token end = { .line = p->ts.line, .column = p->ts.column };
    p->meta->numrecs = p->meta->record_dim >= 0 ? p->ts.numrecs : 0;
    adopt_version(p);
    int err = NC_NOERR;
    pcdf_fail_clear();
    if (p->version)
        return placed(p, &end, version_allows(p->meta, (enum pcdf_version)p->version));
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        err = version_allows(p->meta, versions[i]);
        if (!err)
            break;
    }
    return placed(p, &end, err);
}

static int read_header(struct parser *p)
{
    struct pcdf_token t;
    PCDF_TRY(next(p, &t));
    if (!is_word(p, &t, "netcdf"))
        return unexpected(p, &t, "the word netcdf");
    PCDF_TRY(pcdf_tokens_skip_title(&p->ts));
    PCDF_TRY(want_mark(p, '{', "'{'"));
    PCDF_TRY(read_body(p));
    return settle_version(p);
}

int pcdf_cdl_parse(const char *text, size_t n, struct pcdf_meta *meta, struct pcdf_cdl_fault *fault)
{
    struct pcdf_cdl_fault own;
    struct parser p = { .meta = meta, .fault = fault ? fault : &own };
    *p.fault = (struct pcdf_cdl_fault){ .code = NC_NOERR };
    pcdf_meta_init(meta, PCDF_CDF5);
    pcdf_tokens_init(&p.ts, text, n, p.fault);
    int err = read_header(&p);
    pcdf_tokens_free(&p.ts);
    pcdf_free(p.list.x);
    pcdf_free(p.chars.x);
    pcdf_free(p.bytes.x);
    if (err) {
        pcdf_meta_free(meta);
        pcdf_meta_init(meta, PCDF_CDF5);
    }
    return err;
}
