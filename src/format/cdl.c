#include "cdl.h"

#include <string.h>
#include <strings.h>
#include "cdlparser.h"
#include "rules.h"
#include "text.h"

enum { MAX_RANK = 1024 }; /* dimensions of one variable */

int pcdf_cdl_next(struct pcdf_cdl_parser *p, bool values, struct pcdf_token *t)
{
    if (!p->is_held)
        return pcdf_cdl_placed(p, t, pcdf_tokens_next(&p->ts, values, t));
    p->is_held = false;
    *t = p->held;
    return NC_NOERR;
}

static int next(struct pcdf_cdl_parser *p, struct pcdf_token *t)
{
    return pcdf_cdl_next(p, false, t);
}

static int want_mark(struct pcdf_cdl_parser *p, char mark, const char *wanted)
{
    struct pcdf_token t;
    PCDF_TRY(next(p, &t));
    return pcdf_token_is(&t, mark) ? NC_NOERR : pcdf_cdl_unexpected(p, &t, wanted);
}

int pcdf_cdl_take_name(struct pcdf_cdl_parser *p, const struct pcdf_token *t, const char *wanted, char **name)
{
    if (t->kind != PCDF_TOKEN_NAME)
        return pcdf_cdl_unexpected(p, t, wanted);
    struct pcdf_name nfc;
    pcdf_fail_clear();
    PCDF_TRY(pcdf_cdl_placed(p, t, pcdf_name_define(p->ts.word.x, &nfc)));
    char *copy = pcdf_strndup(nfc.text, nfc.length);
    if (copy)
        *name = copy;
    return copy ? NC_NOERR : pcdf_cdl_placed(p, t, NC_ENOMEM);
}

static int want_name(struct pcdf_cdl_parser *p, const char *wanted, struct pcdf_token *t, char **name)
{
    PCDF_TRY(next(p, t));
    return pcdf_cdl_take_name(p, t, wanted, name);
}

/* --- words ------------------------------------------------------------------------------------------------
 */

static const struct {
    const char *word;
    nc_type type;
} type_words[] = {
    { "char", NC_CHAR },     { "byte", NC_BYTE },   { "short", NC_SHORT },   { "int", NC_INT },
    { "integer", NC_INT },   { "long", NC_INT },    { "float", NC_FLOAT },   { "real", NC_FLOAT },
    { "double", NC_DOUBLE }, { "ubyte", NC_UBYTE }, { "ushort", NC_USHORT }, { "uint", NC_UINT },
    { "ulong", NC_UINT },    { "int64", NC_INT64 }, { "uint64", NC_UINT64 }, { "string", PCDF_WORD_STRING }
};

/* Keywords are written in small or in capital letters, never mixed. */
static bool is_word(const struct pcdf_cdl_parser *p, const struct pcdf_token *t, const char *word)
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

static nc_type type_word(const struct pcdf_cdl_parser *p, const struct pcdf_token *t)
{
    for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++)
        if (is_word(p, t, type_words[i].word))
            return type_words[i].type;
    return NC_NAT;
}

/* --- dimensions -------------------------------------------------------------------------------------------
 */

void pcdf_cdl_adopt_version(struct pcdf_cdl_parser *p)
{
    if (p->version == 0)
        p->version = p->ts.version;
    p->meta->version = p->version ? (enum pcdf_version)p->version : PCDF_CDF5;
}

static int read_dim_length(struct pcdf_cdl_parser *p, int64_t *length)
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
        return pcdf_cdl_unexpected(p, &t, "the length of a dimension, an integer or UNLIMITED,");
    if (t.negative || t.magnitude > INT64_MAX)
        return pcdf_cdl_fail_at(p, &t, NC_EDIMSIZE, "the length of a dimension lies outside 0 .. 2^63-1");
    *length = (int64_t)t.magnitude;
    return NC_NOERR;
}

/* name = length { , name = length } ; with the first name read already */
static int read_dims(struct pcdf_cdl_parser *p, struct pcdf_token t, char *name)
{
    for (;;) {
        int64_t length = 0;
        int err = want_mark(p, '=', "'=' and the length of the dimension");
        if (!err)
            err = read_dim_length(p, &length);
        if (!err) {
            pcdf_cdl_adopt_version(p);
            pcdf_fail_clear();
            err = pcdf_cdl_placed(p, &t, pcdf_rules_new_dim(p->meta, name, length));
        }
        if (!err)
            err = pcdf_cdl_placed(p, &t, pcdf_meta_add_dim(p->meta, name, length, NULL));
        pcdf_free(name);
        PCDF_TRY(err);
        struct pcdf_token end;
        PCDF_TRY(next(p, &end));
        if (pcdf_token_is(&end, ';'))
            return NC_NOERR;
        if (!pcdf_token_is(&end, ','))
            return pcdf_cdl_unexpected(p, &end, "',' or ';' after a dimension");
        PCDF_TRY(want_name(p, "the name of a dimension", &t, &name));
    }
}

/* --- variables --------------------------------------------------------------------------------------------
 */

static int read_dimids(struct pcdf_cdl_parser *p, const char *variable, int *ndims, int *dimids)
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
    } while (pcdf_token_is(&t, ','));
    return pcdf_token_is(&t, ')') ? NC_NOERR : pcdf_cdl_unexpected(p, &t, "',' or ')' after a dimension");
}

static int add_var(struct pcdf_cdl_parser *p, const struct pcdf_token *t, nc_type type, const char *name)
{
    int dimids[MAX_RANK], ndims = 0;
    if (pcdf_tokens_peek(&p->ts) == '(') {
        PCDF_TRY(want_mark(p, '(', "'('"));
        PCDF_TRY(read_dimids(p, name, &ndims, dimids));
    }
    pcdf_cdl_adopt_version(p);
    if (type == PCDF_WORD_STRING)
        return pcdf_cdl_fail_at(p, t, NC_EBADTYPE, "variables of type string are not of the classic model");
    pcdf_fail_clear();
    PCDF_TRY(pcdf_cdl_placed(p, t, pcdf_rules_new_var(p->meta, name, type, ndims, dimids)));
    return pcdf_cdl_placed(p, t, pcdf_meta_add_var(p->meta, name, type, ndims, dimids, NULL));
}

/* name [ ( dims ) ] { , name [ ( dims ) ] } ; with the type and the first name read already */
static int read_vars(struct pcdf_cdl_parser *p, nc_type type, struct pcdf_token t, char *name)
{
    for (;;) {
        int err = add_var(p, &t, type, name);
        pcdf_free(name);
        PCDF_TRY(err);
        struct pcdf_token end;
        PCDF_TRY(next(p, &end));
        if (pcdf_token_is(&end, ';'))
            return NC_NOERR;
        if (!pcdf_token_is(&end, ','))
            return pcdf_cdl_unexpected(p, &end, "'(', ',' or ';' after a variable");
        PCDF_TRY(want_name(p, "the name of a variable", &t, &name));
    }
}

/* The part after the colon: name = values ; */
static int read_att(struct pcdf_cdl_parser *p, int varid, nc_type type)
{
    struct pcdf_token t;
    char *name = NULL;
    PCDF_TRY(want_name(p, "the name of an attribute", &t, &name));
    int err = want_mark(p, '=', "'=' and the values of the attribute");
    if (!err)
        err = pcdf_cdl_constants(p);
    if (!err)
        err = pcdf_cdl_put_att(p, &t, varid, type, name);
    pcdf_free(name);
    return err;
}

/* The variable that an attribute belongs to; the colon is the next token. */
static int read_var_att(struct pcdf_cdl_parser *p, const struct pcdf_token *t, const char *variable,
                        nc_type type)
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

/* A word that names a section is followed by a colon, which comes next. Is it rather an attribute of variable
 * `varid`, which is called like the section? It is where the colon stands apart, as ncdump writes it, or
 * where the name of an attribute follows: a section has a type, a dimension or the name of a variable. The
 * token behind the colon is held. */
static int begins_section(struct pcdf_cdl_parser *p, const struct pcdf_token *t, int varid, bool *section)
{
    struct pcdf_token colon;
    int column = t->column + (int)t->length;
    PCDF_TRY(next(p, &colon));
    *section = true;
    if (varid < 0)
        return NC_NOERR;
    PCDF_TRY(next(p, &p->held));
    p->is_held = true;
    bool is_apart = colon.line != t->line || colon.column != column;
    *section = p->held.kind != PCDF_TOKEN_NAME || type_word(p, &p->held) != NC_NAT ||
               pcdf_meta_find_var(p->meta, p->ts.word.x) >= 0;
    *section = *section && !(is_apart && p->held.kind == PCDF_TOKEN_NAME);
    return NC_NOERR;
}

enum section { SECTION_NONE, SECTION_DIMS, SECTION_VARS, SECTION_DATA, SECTION_ALIEN };

static enum section section_word(const struct pcdf_cdl_parser *p, const struct pcdf_token *t)
{
    static const char *const words[] = { "", "dimensions", "variables", "data", "types", "group" };
    for (int i = 1; i < (int)(sizeof words / sizeof *words); i++)
        if (is_word(p, t, words[i]))
            return i < SECTION_ALIEN ? (enum section)i : SECTION_ALIEN;
    return SECTION_NONE;
}

/* type name ... ; or type name : attribute ; or type : attribute ; with the type read already. Where a
 * variable is called like the type the last is an attribute of the variable. */
static int read_typed(struct pcdf_cdl_parser *p, nc_type type)
{
    struct pcdf_token t;
    char *name = NULL;
    int varid = pcdf_meta_find_var(p->meta, p->ts.word.x);
    PCDF_TRY(next(p, &t));
    if (pcdf_token_is(&t, ':'))
        return varid < 0 ? read_att(p, NC_GLOBAL, type) : read_att(p, varid, NC_NAT);
    PCDF_TRY(pcdf_cdl_take_name(p, &t, "the name of a variable", &name));
    if (pcdf_tokens_peek(&p->ts) != ':')
        return read_vars(p, type, t, name);
    int err = read_var_att(p, &t, name, type);
    pcdf_free(name);
    return err;
}

static int read_named(struct pcdf_cdl_parser *p, const struct pcdf_token *t)
{
    char *name = NULL;
    PCDF_TRY(pcdf_cdl_take_name(p, t, "a declaration", &name));
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

/* A section, or an attribute of a variable that is called like one. */
static int read_section(struct pcdf_cdl_parser *p, const struct pcdf_token *t, enum section section,
                        bool *done)
{
    int varid = pcdf_meta_find_var(p->meta, p->ts.word.x);
    bool begins = false;

    PCDF_TRY(begins_section(p, t, varid, &begins));
    if (!begins)
        return read_att(p, varid, NC_NAT);
    if (section == SECTION_ALIEN)
        return pcdf_cdl_fail_at(p, t, NC_ENOTNC,
                                "the classic model has neither groups nor user-defined types");
    p->in_dims = section == SECTION_DIMS;
    *done = p->has_data = section == SECTION_DATA;
    return NC_NOERR;
}

static int read_statement(struct pcdf_cdl_parser *p, struct pcdf_token *t, bool *done)
{
    if (pcdf_token_is(t, ';'))
        return NC_NOERR;
    if (pcdf_token_is(t, ':'))
        return read_att(p, NC_GLOBAL, NC_NAT);
    if (t->kind != PCDF_TOKEN_NAME)
        return pcdf_cdl_unexpected(p, t, "a declaration, a section or '}'");
    enum section section = section_word(p, t);
    int follows = pcdf_tokens_peek(&p->ts);
    if (section != SECTION_NONE && follows == ':')
        return read_section(p, t, section, done);
    nc_type type = type_word(p, t);
    bool is_dim = p->in_dims && follows == '='; /* a dimension may be called like a type */
    return type != NC_NAT && !is_dim ? read_typed(p, type) : read_named(p, t);
}

int pcdf_cdl_want_end(struct pcdf_cdl_parser *p)
{
    struct pcdf_token t;
    PCDF_TRY(next(p, &t));
    return t.kind == PCDF_TOKEN_END ? NC_NOERR : pcdf_cdl_unexpected(p, &t, "the end of the text");
}

static int read_body(struct pcdf_cdl_parser *p)
{
    struct pcdf_token t;
    bool done = false;
    while (!done) {
        PCDF_TRY(next(p, &t));
        if (pcdf_token_is(&t, '}'))
            return pcdf_cdl_want_end(p);
        PCDF_TRY(read_statement(p, &t, &done));
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

static int settle_version(struct pcdf_cdl_parser *p)
{
    static const enum pcdf_version versions[] = { PCDF_CDF1, PCDF_CDF2, PCDF_CDF5 };
    struct pcdf_token end = { .line = p->ts.line, .column = p->ts.column };
    p->meta->numrecs = p->meta->record_dim >= 0 ? p->ts.numrecs : 0;
    pcdf_cdl_adopt_version(p);
    int err = NC_NOERR;
    pcdf_fail_clear();
    if (p->version)
        return pcdf_cdl_placed(p, &end, version_allows(p->meta, (enum pcdf_version)p->version));
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        err = version_allows(p->meta, versions[i]);
        if (!err)
            break;
    }
    return pcdf_cdl_placed(p, &end, err);
}

int pcdf_cdl_read_header(struct pcdf_cdl_parser *p)
{
    struct pcdf_token t;
    PCDF_TRY(next(p, &t));
    if (!is_word(p, &t, "netcdf"))
        return pcdf_cdl_unexpected(p, &t, "the word netcdf");
    PCDF_TRY(pcdf_cdl_placed(p, &t, pcdf_tokens_take_title(&p->ts)));
    p->title = pcdf_strndup(p->ts.word.x, p->ts.word.n);
    if (!p->title)
        return pcdf_cdl_placed(p, &t, NC_ENOMEM);
    PCDF_TRY(want_mark(p, '{', "'{'"));
    PCDF_TRY(read_body(p));
    return settle_version(p);
}

void pcdf_cdl_parser_free(struct pcdf_cdl_parser *p)
{
    pcdf_tokens_free(&p->ts);
    pcdf_free(p->title);
    pcdf_free(p->list.x);
    pcdf_free(p->chars.x);
    pcdf_free(p->bytes.x);
}

int pcdf_cdl_parse(const char *text, size_t n, enum pcdf_cdl_empty_text empty_text, struct pcdf_meta *meta,
                   struct pcdf_cdl_fault *fault)
{
    struct pcdf_cdl_fault own;
    struct pcdf_cdl_parser p = { .meta = meta, .fault = fault ? fault : &own, .empty_text = empty_text };
    *p.fault = (struct pcdf_cdl_fault){ .code = NC_NOERR };
    pcdf_meta_init(meta, PCDF_CDF5);
    pcdf_tokens_init(&p.ts, text, n, p.fault);
    int err = pcdf_cdl_read_header(&p);
    pcdf_cdl_parser_free(&p);
    if (err) {
        pcdf_meta_free(meta);
        pcdf_meta_init(meta, PCDF_CDF5);
    }
    return err;
}
