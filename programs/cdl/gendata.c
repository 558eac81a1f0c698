/* The data section of CDL -> values in external form, for a sink. The grammar, one function a rule:
 *
 *     section    = { assignment } "}"
 *     assignment = ";" | variable "=" [ constant { "," constant } ] ";"
 *     constant   = "_" | number | character | string
 *
 * In text of two dimensions and more a string begins a row of the last dimension, and what the row lacks is
 * filled; characters and `_` follow each other, whatever rows they are in. Text of one dimension follows each
 * other anyway. ncdump breaks a string behind each newline and indents the rest: such a string goes on. */
#include "alloc.h"
#include "gen.h"
#include "meaningvalues.h"
#include "rules.h"

#include <string.h>

enum {
    BUFFER = 1 << 16,
    ROW_COLUMN = 3, /* where ncdump begins the text of a row, and its next line */
    REST_COLUMN = 5
};

enum before { NOTHING, CHARACTERS, STRING };

struct values { /* of one assignment */
    struct pcdf_cdl_parser *p;
    struct pcdf_gen_sink *sink;
    int *said;
    int varid;
    const struct pcdf_var *var;
    unsigned char fill[8];
    int size;
    int64_t most; /* values that it has room for */
    int64_t done; /* handed over */
    size_t n;     /* bytes of `buffer` */
    unsigned char *buffer;
    /* text */
    int64_t width; /* of a row; 0 where text of one dimension, or none, needs no rows */
    enum before before;
    int64_t begun; /* where the last string began */
    bool newline;  /* it ended in one */
    int column;    /* where the first string of its row stands */
};

int64_t pcdf_gen_row(const struct pcdf_meta *meta, int varid)
{
    return meta->vars[varid].nbytes / pcdf_type_size(meta->vars[varid].type);
}

static int hand_over(struct values *v)
{
    int64_t n = (int64_t)v->n / v->size;

    if (n == 0)
        return NC_NOERR;
    *v->said = v->sink->put(v->sink, v->varid, v->done, n, v->buffer);
    v->done += n;
    v->n = 0;
    return *v->said ? NC_EWRITE : NC_NOERR;
}

static int64_t count(const struct values *v)
{
    return v->done + (int64_t)v->n / v->size;
}

/* Room for one more value, whose constant is t. */
static int make_room(struct values *v, const struct pcdf_token *t)
{
    if (count(v) >= v->most)
        return pcdf_cdl_fail(v->p->ts.fault, t->place, NC_EEDGE,
                             "%.100s has room for %lld values, this is one more", v->var->name,
                             (long long)v->most);
    return v->n + (size_t)v->size > BUFFER ? hand_over(v) : NC_NOERR;
}

static int add_fill(struct values *v, const struct pcdf_token *t)
{
    PCDF_TRY(make_room(v, t));
    memcpy(v->buffer + v->n, v->fill, (size_t)v->size);
    v->n += (size_t)v->size;
    return NC_NOERR;
}

/* Fills the row that a string began; an empty string has a row, too. */
static int end_row(struct values *v, const struct pcdf_token *t)
{
    if (v->before == NOTHING || v->width == 0)
        return NC_NOERR;
    bool is_empty = v->before == STRING && count(v) == v->begun;
    v->before = NOTHING;
    for (; is_empty || count(v) % v->width; is_empty = false)
        PCDF_TRY(add_fill(v, t));
    return NC_NOERR;
}

/* Does the string go on the one before? ncdump writes something behind each newline, be it nothing. */
static bool goes_on(const struct values *v, const struct pcdf_token *t)
{
    bool is_full = v->width > 0 && count(v) % v->width == 0;

    return v->before == STRING && v->newline && v->width > 0 && v->column == ROW_COLUMN &&
           t->place.column == REST_COLUMN && (!is_full || t->length == 0);
}

static int begin_string(struct values *v, const struct pcdf_token *t)
{
    if (!goes_on(v, t)) {
        PCDF_TRY(end_row(v, t));
        v->begun = count(v);
        v->column = t->place.column;
    }
    v->before = STRING;
    v->newline = false;
    return NC_NOERR;
}

static int add_text(struct values *v, const struct pcdf_token *t)
{
    const char *text = v->p->ts.word.x;

    for (size_t i = 0; i < t->length; i++) {
        PCDF_TRY(make_room(v, t));
        v->buffer[v->n++] = (unsigned char)text[i];
    }
    if (t->length > 0)
        v->newline = text[t->length - 1] == '\n';
    return NC_NOERR;
}

/* A number, or a character that is one: of text a byte. */
static int add_number(struct values *v, const struct pcdf_token *t)
{
    bool is_text = v->var->type == NC_CHAR;

    if (is_text && t->type != NC_BYTE && t->type != NC_UBYTE)
        return pcdf_cdl_fail(v->p->ts.fault, t->place, NC_ECHAR, "a number stands among text");
    PCDF_TRY(make_room(v, t));
    PCDF_TRY(pcdf_cdl_store(v->p->ts.fault, t, is_text ? t->type : v->var->type, v->buffer + v->n));
    v->n += (size_t)v->size;
    return NC_NOERR;
}

static int add_string(struct values *v, struct pcdf_token *t)
{
    PCDF_TRY(begin_string(v, t));
    for (;;) {
        PCDF_TRY(add_text(v, t));
        if (!t->goes_on)
            return NC_NOERR;
        PCDF_TRY(pcdf_tokens_next(&v->p->ts, true, t));
    }
}

static int refuse(struct values *v, const struct pcdf_token *t)
{
    bool is_nil = t->kind == PCDF_TOKEN_NAME && strcmp(v->p->ts.word.x, "NIL") == 0;

    if (pcdf_token_is(t, '{'))
        return pcdf_cdl_fail(v->p->ts.fault, t->place, NC_ENOTNC,
                             "braces group the values of user-defined types, which are not of the classic "
                             "model; values of arrays follow each other without");
    if (is_nil)
        return pcdf_cdl_fail(v->p->ts.fault, t->place, NC_ENOTNC,
                             "NIL is a value of type string, which is not of the classic model");
    return pcdf_tokens_unexpected(&v->p->ts, t, "a value");
}

static int add_constant(struct values *v, struct pcdf_token *t)
{
    bool is_fill = t->kind == PCDF_TOKEN_NAME && !t->escaped && strcmp(v->p->ts.word.x, "_") == 0;
    bool is_text = v->var->type == NC_CHAR;

    if (!is_fill && (t->kind == PCDF_TOKEN_NAME || t->kind == PCDF_TOKEN_MARK || t->kind == PCDF_TOKEN_END))
        return refuse(v, t);
    if (is_text && t->kind == PCDF_TOKEN_STRING)
        return add_string(v, t);
    if (is_text && v->before == STRING)
        PCDF_TRY(end_row(v, t));
    v->before = CHARACTERS;
    return is_fill ? add_fill(v, t) : add_number(v, t);
}

static int read_constants(struct values *v, struct pcdf_token *t)
{
    PCDF_TRY(pcdf_tokens_next(&v->p->ts, true, t));
    if (pcdf_token_is(t, ';'))
        return NC_NOERR;
    for (;;) {
        PCDF_TRY(add_constant(v, t));
        PCDF_TRY(pcdf_tokens_next(&v->p->ts, false, t));
        if (pcdf_token_is(t, ';'))
            return end_row(v, t);
        if (!pcdf_token_is(t, ','))
            return pcdf_tokens_unexpected(&v->p->ts, t, "',' or ';' after a value");
        PCDF_TRY(pcdf_tokens_next(&v->p->ts, true, t));
    }
}

/* ncdump does not print the NULs that text ends in. Where the records of a text of one dimension are
 * therefore too few, the comment behind UNLIMITED tells how many there were. */
static int add_last_nuls(struct values *v)
{
    int64_t n = (v->p->ts.numrecs < v->most ? v->p->ts.numrecs : v->most) - v->done;

    if (v->var->type != NC_CHAR || !v->var->is_record || v->var->ndims != 1 || n <= 0)
        return NC_NOERR;
    *v->said = v->sink->zero(v->sink, v->varid, v->done, n);
    v->done += n;
    return *v->said ? NC_EWRITE : NC_NOERR;
}

/* What is lacking: of a record, or of the variable. *rows: how many there are. */
static int end_values(struct values *v, int64_t *rows)
{
    int64_t row = pcdf_gen_row(v->sink->meta, v->varid);

    PCDF_TRY(hand_over(v));
    PCDF_TRY(add_last_nuls(v));
    *rows = v->var->is_record ? v->done / row + (v->done % row > 0) : 1;
    int64_t lacking = *rows * row - v->done;
    if (lacking > 0)
        *v->said = v->sink->fill(v->sink, v->varid, v->done, lacking);
    return *v->said ? NC_EWRITE : NC_NOERR;
}

/* Values that a variable has room for: as many records as the version can count. */
static int64_t most_values(const struct pcdf_meta *meta, int varid)
{
    int64_t row = pcdf_gen_row(meta, varid), most;

    if (!meta->vars[varid].is_record)
        return row;
    return __builtin_mul_overflow(row, pcdf_rules_max_count(meta->version), &most) ? INT64_MAX / row * row
                                                                                   : most;
}

static int begin_values(struct values *v, const struct pcdf_token *t)
{
    char name[NC_MAX_NAME + 1];

    PCDF_TRY(pcdf_tokens_name(&v->p->ts, t, "the name of a variable or '}'", name));
    v->varid = pcdf_meta_find_var(v->sink->meta, name);
    if (v->varid < 0)
        return pcdf_cdl_fail(v->p->ts.fault, t->place, NC_ENOTVAR, "the variable %.100s is not declared",
                             name);
    const struct pcdf_meta *meta = v->sink->meta;
    v->var = &meta->vars[v->varid];
    v->size = pcdf_type_size(v->var->type);
    pcdf_meaning_fill(v->var, v->fill);
    v->most = most_values(meta, v->varid);
    v->width = v->var->type == NC_CHAR && v->var->ndims > 1
                   ? meta->dims[v->var->dimids[v->var->ndims - 1]].length
                   : 0;
    return NC_NOERR;
}

static int read_assignment(struct values *v, struct pcdf_token *t, int64_t *rows)
{
    PCDF_TRY(begin_values(v, t));
    PCDF_TRY(pcdf_tokens_next(&v->p->ts, false, t));
    if (!pcdf_token_is(t, '='))
        return pcdf_tokens_unexpected(&v->p->ts, t, "'=' and the values of the variable");
    PCDF_TRY(read_constants(v, t));
    return end_values(v, &rows[v->varid]);
}

static int read_section(const struct values *empty, int64_t *rows)
{
    for (;;) {
        struct pcdf_token t;
        struct values v = *empty;
        PCDF_TRY(pcdf_tokens_next(&v.p->ts, false, &t));
        if (pcdf_token_is(&t, '}'))
            return pcdf_tokens_want(&v.p->ts, '\0', "the end of the text");
        if (!pcdf_token_is(&t, ';'))
            PCDF_TRY(read_assignment(&v, &t, rows));
    }
}

int pcdf_gen_data(struct pcdf_cdl_parser *p, struct pcdf_gen_sink *sink, int64_t *rows, int *said)
{
    struct values v = { .p = p, .sink = sink, .said = said, .buffer = pcdf_malloc(BUFFER) };

    *said = 0;
    p->ts.wants_pieces = true;
    int err = v.buffer ? read_section(&v, rows) : pcdf_cdl_placed(p->ts.fault, p->ts.place, NC_ENOMEM);
    pcdf_free(v.buffer);
    return err;
}
