#include "cdl.h"

#include <string.h>
#include <strings.h>
#include "cdlparser.h"
#include "rules.h"

enum { MAX_RANK = 1024 }; /* dimensions of one variable */

/* What words mean, beside the nc_types that they name. NC_NAT: the word is a name. */
enum {
    WORD_STRING = 100,
    WORD_UNLIMITED,
    WORD_NETCDF,
    WORD_DIMS, /* from here on sections */
    WORD_VARS,
    WORD_DATA,
    WORD_ALIEN
};

/* Keywords are written in small or in capital letters, never mixed. */
static int keyword(const struct pcdf_cdl_parser *p, const struct pcdf_token *t)
{
    static const struct {
        const char *word;
        int meaning;
    } words[] = { { "char", NC_CHAR },         { "byte", NC_BYTE },        { "short", NC_SHORT },
                  { "int", NC_INT },           { "integer", NC_INT },      { "long", NC_INT },
                  { "float", NC_FLOAT },       { "real", NC_FLOAT },       { "double", NC_DOUBLE },
                  { "ubyte", NC_UBYTE },       { "ushort", NC_USHORT },    { "uint", NC_UINT },
                  { "ulong", NC_UINT },        { "int64", NC_INT64 },      { "uint64", NC_UINT64 },
                  { "string", WORD_STRING },   { "netcdf", WORD_NETCDF },  { "unlimited", WORD_UNLIMITED },
                  { "dimensions", WORD_DIMS }, { "variables", WORD_VARS }, { "data", WORD_DATA },
                  { "types", WORD_ALIEN },     { "group", WORD_ALIEN } };
    const char *word = p->ts.word.x;
    bool small = false, capital = false;

    if (t->kind != PCDF_TOKEN_NAME || t->escaped)
        return NC_NAT;
    if (strcmp(word, "Unlimited") == 0)
        return WORD_UNLIMITED;
    for (const char *c = word; *c; c++) {
        small = small || (*c >= 'a' && *c <= 'z');
        capital = capital || (*c >= 'A' && *c <= 'Z');
    }
    for (size_t i = 0; !(small && capital) && i < sizeof words / sizeof *words; i++)
        if (strcasecmp(word, words[i].word) == 0)
            return words[i].meaning;
    return NC_NAT;
}

/* The version that rules apply while the text has not said one is the one that allows most. */
static void adopt_version(struct pcdf_cdl_parser *p)
{
    if (p->version == 0)
        p->version = p->ts.version;
    pcdf_meta_set_version(p->meta, p->version ? (enum pcdf_version)p->version : PCDF_CDF5);
}

/* --- declarations -----------------------------------------------------------------------------------------
 */

/* = length, behind the name */
static int add_dim(struct pcdf_cdl_parser *p, struct pcdf_cdl_place place, const char *name)
{
    struct pcdf_token t;
    int64_t length = 0;

    PCDF_TRY(pcdf_tokens_want(&p->ts, '=', "'=' and the length of the dimension"));
    PCDF_TRY(pcdf_tokens_next(&p->ts, false, &t));
    if (keyword(p, &t) == WORD_UNLIMITED) {
        p->ts.record_line = t.place.line;
    } else {
        if (t.kind != PCDF_TOKEN_NUMBER || t.type == NC_FLOAT || t.type == NC_DOUBLE)
            return pcdf_tokens_unexpected(&p->ts, &t, "the length of a dimension, an integer or UNLIMITED,");
        if (t.negative || t.magnitude > INT64_MAX)
            return pcdf_cdl_fail(p->ts.fault, t.place, NC_EDIMSIZE,
                                 "the length of a dimension lies outside 0 .. 2^63-1");
        length = (int64_t)t.magnitude;
    }
    PCDF_TRY(pcdf_cdl_placed(p->ts.fault, place, pcdf_rules_new_dim(p->meta, name, length)));
    return pcdf_cdl_placed(p->ts.fault, place, pcdf_meta_add_dim(p->meta, name, length, NULL));
}

/* [ ( dimension { , dimension } ) ], behind the name */
static int add_var(struct pcdf_cdl_parser *p, struct pcdf_cdl_place place, const char *name, int type)
{
    int dimids[MAX_RANK], ndims = 0;
    struct pcdf_token t;

    if (pcdf_tokens_peek(&p->ts) == '(') {
        PCDF_TRY(pcdf_tokens_next(&p->ts, false, &t));
        do {
            char dim[NC_MAX_NAME + 1];
            PCDF_TRY(pcdf_tokens_next(&p->ts, false, &t));
            PCDF_TRY(pcdf_tokens_name(&p->ts, &t, "the name of a dimension", dim));
            if (ndims == MAX_RANK)
                return pcdf_cdl_fail(p->ts.fault, t.place, NC_EMAXDIMS,
                                     "variable %.100s has more than %d dimensions", name, MAX_RANK);
            dimids[ndims] = pcdf_meta_find_dim(p->meta, dim);
            if (dimids[ndims++] < 0)
                return pcdf_cdl_fail(p->ts.fault, t.place, NC_EBADDIM,
                                     "the dimension %.100s of variable %.100s is not declared", dim, name);
            PCDF_TRY(pcdf_tokens_next(&p->ts, false, &t));
        } while (pcdf_token_is(&t, ','));
        if (!pcdf_token_is(&t, ')'))
            return pcdf_tokens_unexpected(&p->ts, &t, "',' or ')' after a dimension");
    }
    if (type == WORD_STRING)
        return pcdf_cdl_fail(p->ts.fault, place, NC_EBADTYPE,
                             "variables of type string are not of the classic model");
    PCDF_TRY(pcdf_cdl_placed(p->ts.fault, place, pcdf_rules_new_var(p->meta, name, type, ndims, dimids)));
    return pcdf_cdl_placed(p->ts.fault, place, pcdf_meta_add_var(p->meta, name, type, ndims, dimids, NULL));
}

/* Dimensions, or variables of a type, up to the semicolon; the first name is read already. */
static int read_list(struct pcdf_cdl_parser *p, struct pcdf_cdl_place place, char name[NC_MAX_NAME + 1],
                     int type)
{
    bool is_dims = type == NC_NAT;
    struct pcdf_token t;

    for (;;) {
        PCDF_TRY(is_dims ? add_dim(p, place, name) : add_var(p, place, name, type));
        PCDF_TRY(pcdf_tokens_next(&p->ts, false, &t));
        if (pcdf_token_is(&t, ';'))
            return NC_NOERR;
        if (!pcdf_token_is(&t, ','))
            return pcdf_tokens_unexpected(
                &p->ts, &t, is_dims ? "',' or ';' after a dimension" : "'(', ',' or ';' after a variable");
        PCDF_TRY(pcdf_tokens_next(&p->ts, false, &t));
        PCDF_TRY(pcdf_tokens_name(&p->ts, &t, is_dims ? "the name of a dimension" : "the name of a variable",
                                  name));
        place = t.place;
    }
}

/* --- statements -------------------------------------------------------------------------------------------
 */

/* [ type ] [ variable ] : attribute ; or type variables ; or, in their section, dimensions ; with t read. */
static int read_declaration(struct pcdf_cdl_parser *p, struct pcdf_token *t)
{
    char name[NC_MAX_NAME + 1];
    int type = keyword(p, t), att_type;
    bool is_dim = p->in_dims && pcdf_tokens_peek(&p->ts) == '='; /* may be called like a type */

    if (type > WORD_STRING || is_dim)
        type = NC_NAT;
    att_type = type == WORD_STRING ? NC_CHAR : type;
    if (type != NC_NAT) {
        int varid = pcdf_meta_find_var(p->meta, p->ts.word.x);
        PCDF_TRY(pcdf_tokens_next(&p->ts, false, t));
        if (pcdf_token_is(t, ':')) /* of a variable that is called like the type, or of the file */
            return varid < 0 ? pcdf_cdl_read_att(p, NC_GLOBAL, att_type)
                             : pcdf_cdl_read_att(p, varid, NC_NAT);
    }
    PCDF_TRY(pcdf_tokens_name(&p->ts, t, type == NC_NAT ? "a declaration" : "the name of a variable", name));
    if (pcdf_tokens_peek(&p->ts) != ':') {
        if (type != NC_NAT || is_dim)
            return read_list(p, t->place, name, type);
        return pcdf_cdl_fail(p->ts.fault, t->place, NC_ENOTNC,
                             "\"%.100s\" begins no %s, section or attribute", name,
                             p->in_dims ? "dimension" : "variable");
    }
    int varid = pcdf_meta_find_var(p->meta, name);
    if (varid < 0)
        return pcdf_cdl_fail(p->ts.fault, t->place, NC_ENOTVAR,
                             "an attribute is given to the variable %.100s, which is not declared", name);
    PCDF_TRY(pcdf_tokens_next(&p->ts, false, t));
    return pcdf_cdl_read_att(p, varid, att_type);
}

/* A word that names a section, with the colon next: the section, or an attribute of a variable that is called
 * like it. It is the latter where the colon stands apart, as ncdump writes it, or where the name of an
 * attribute follows: a section has a type, a dimension or the name of a variable. */
static int read_section(struct pcdf_cdl_parser *p, const struct pcdf_token *t, int section)
{
    int varid = pcdf_meta_find_var(p->meta, p->ts.word.x);
    struct pcdf_token colon, *held = &p->ts.held;

    PCDF_TRY(pcdf_tokens_next(&p->ts, false, &colon));
    if (varid >= 0) {
        bool is_apart =
            colon.place.line != t->place.line || colon.place.column != t->place.column + (int)t->length;
        PCDF_TRY(pcdf_tokens_next(&p->ts, false, held));
        p->ts.is_held = true;
        int word = keyword(p, held);
        bool is_declared =
            (word > NC_NAT && word <= WORD_STRING) || pcdf_meta_find_var(p->meta, p->ts.word.x) >= 0;
        if (held->kind == PCDF_TOKEN_NAME && (is_apart || !is_declared))
            return pcdf_cdl_read_att(p, varid, NC_NAT);
    }
    if (section == WORD_ALIEN)
        return pcdf_cdl_fail(p->ts.fault, t->place, NC_ENOTNC,
                             "the classic model has neither groups nor user-defined types");
    p->in_dims = section == WORD_DIMS;
    p->has_data = section == WORD_DATA;
    return NC_NOERR;
}

/* Up to the last brace, or behind `data:`. */
static int read_body(struct pcdf_cdl_parser *p)
{
    struct pcdf_token t;

    for (;;) {
        PCDF_TRY(pcdf_tokens_next(&p->ts, false, &t));
        adopt_version(p);
        if (pcdf_token_is(&t, '}'))
            return pcdf_tokens_want(&p->ts, '\0', "the end of the text");
        if (pcdf_token_is(&t, ';'))
            continue;
        if (pcdf_token_is(&t, ':')) {
            PCDF_TRY(pcdf_cdl_read_att(p, NC_GLOBAL, NC_NAT));
            continue;
        }
        if (t.kind != PCDF_TOKEN_NAME)
            return pcdf_tokens_unexpected(&p->ts, &t, "a declaration, a section or '}'");
        int section = keyword(p, &t);
        bool is_section = section >= WORD_DIMS && pcdf_tokens_peek(&p->ts) == ':';
        PCDF_TRY(is_section ? read_section(p, &t, section) : read_declaration(p, &t));
        if (p->has_data)
            return NC_NOERR;
    }
}

/* --- the whole --------------------------------------------------------------------------------------------
 */

/* Does this version allow all that is defined? 0 or the code, with the sentence kept. */
static int version_allows(struct pcdf_meta *meta, enum pcdf_version version)
{
    pcdf_meta_set_version(meta, version);
    for (int i = 0; i < meta->ndims; i++)
        if (meta->dims[i].length > pcdf_rules_max_count(version))
            return PCDF_FAIL(NC_EDIMSIZE, "dimension %s of %lld elements is too long for CDF-%d",
                             meta->dims[i].name, (long long)meta->dims[i].length, version);
    for (int i = NC_GLOBAL; i < meta->nvars; i++) {
        const struct pcdf_atts *atts = pcdf_meta_atts(meta, i);
        if (i != NC_GLOBAL)
            PCDF_TRY(pcdf_rules_type(meta, meta->vars[i].type));
        for (int k = 0; k < atts->n; k++)
            PCDF_TRY(pcdf_rules_type(meta, atts->x[k].type));
    }
    if (meta->numrecs > pcdf_rules_max_count(version))
        return PCDF_FAIL(NC_EINTOVERFLOW, "%lld records are too many for CDF-%d", (long long)meta->numrecs,
                         version);
    return pcdf_rules_sizes(meta);
}

int pcdf_cdl_read_header(struct pcdf_cdl_parser *p)
{
    static const enum pcdf_version versions[] = { PCDF_CDF1, PCDF_CDF2, PCDF_CDF5 };
    struct pcdf_token t;

    PCDF_TRY(pcdf_tokens_next(&p->ts, false, &t));
    if (keyword(p, &t) != WORD_NETCDF)
        return pcdf_tokens_unexpected(&p->ts, &t, "the word netcdf");
    PCDF_TRY(pcdf_tokens_take_title(&p->ts));
    p->title = pcdf_strndup(p->ts.word.x, p->ts.word.n);
    if (!p->title)
        return pcdf_cdl_placed(p->ts.fault, t.place, NC_ENOMEM);
    PCDF_TRY(pcdf_tokens_want(&p->ts, '{', "'{'"));
    PCDF_TRY(read_body(p));

    /* The version: the one that was said, or the first that allows all. */
    p->meta->numrecs = p->meta->record_dim >= 0 ? p->ts.numrecs : 0;
    adopt_version(p);
    int err = p->version ? version_allows(p->meta, p->meta->version) : NC_ENOTNC;
    for (size_t i = 0; i < sizeof versions / sizeof *versions && err && !p->version; i++)
        err = version_allows(p->meta, versions[i]);
    return pcdf_cdl_placed(p->ts.fault, p->ts.place, err);
}

void pcdf_cdl_parser_free(struct pcdf_cdl_parser *p)
{
    pcdf_free(p->ts.window);
    pcdf_free(p->ts.word.x);
    pcdf_free(p->title);
    pcdf_free(p->list.x);
    pcdf_free(p->chars.x);
    pcdf_free(p->bytes.x);
}

int pcdf_cdl_parse(const char *text, size_t n, enum pcdf_cdl_empty_text empty_text, struct pcdf_meta *meta,
                   struct pcdf_cdl_fault *fault)
{
    struct pcdf_cdl_fault own;
    struct pcdf_cdl_parser p = { .meta = meta, .empty_text = empty_text };
    fault = fault ? fault : &own;
    *fault = (struct pcdf_cdl_fault){ .code = NC_NOERR };
    pcdf_meta_init(meta, PCDF_CDF5);
    (void)pcdf_tokens_open(&p.ts, text, n, NULL, NULL, fault); /* text in memory takes none */
    int err = pcdf_cdl_read_header(&p);
    pcdf_cdl_parser_free(&p);
    if (err) {
        pcdf_meta_free(meta);
        pcdf_meta_init(meta, PCDF_CDF5);
    }
    return err;
}
