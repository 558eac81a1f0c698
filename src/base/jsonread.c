/* See jsonread.h. RFC 8259; a number that is no finite double is a fault, too. */
#include "jsonread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include "codes.h"
#include "names.h"

const char pcdf_json_no_memory[] = "there is no memory for it";
const struct pcdf_json_rules pcdf_json_strict = { .depth = 16, .values = 200000 };

struct reader {
    struct pcdf_arena *arena;
    const struct pcdf_json_rules *rules;
    const char *bytes;
    size_t n, at;
    int depth, values;
    size_t memory; /* that its arena may hold at most; 0: anything */
    const char *fault;
};

/* An object as this reader makes it: one with many members has a table of them, by the hash of their keys. */
struct table {
    uint32_t mask;
    const struct pcdf_json_value *slots[];
};

struct object {
    struct pcdf_json_value v;
    struct table *table;
};

enum { TABLE_FROM = 16, MEMORY_A_BYTE = 16, MEMORY_MORE = 64 << 20 };

static bool fail(struct reader *r, const char *fault)
{
    if (!r->fault)
        r->fault = fault;
    return false;
}

static int peek(const struct reader *r)
{
    return r->at < r->n ? (unsigned char)r->bytes[r->at] : -1;
}

static int peek_behind_blanks(struct reader *r)
{
    while (r->at < r->n && strchr(" \t\r\n", r->bytes[r->at]) && r->bytes[r->at])
        r->at++;
    return peek(r);
}

/* ---- texts */

static int hex_of(int c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The four digits behind \u; -1: there are none. */
static int32_t read_unit(struct reader *r)
{
    int32_t unit = 0;
    if (r->n - r->at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_of((unsigned char)r->bytes[r->at + (size_t)i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    r->at += 4;
    return unit;
}

/* A character above U+FFFF is two units. */
static bool read_point(struct reader *r, int32_t *point)
{
    *point = read_unit(r);
    if (*point >= 0xd800 && *point < 0xdc00 && r->n - r->at >= 6 && memcmp(r->bytes + r->at, "\\u", 2) == 0) {
        r->at += 2;
        int32_t low = read_unit(r);
        if (low < 0xdc00 || low > 0xdfff)
            return fail(r, "half of a character stands alone");
        *point = 0x10000 + ((*point - 0xd800) << 10) + (low - 0xdc00);
    }
    if (*point < 0 || (*point == 0 && !r->rules->nuls) || (*point >= 0xd800 && *point < 0xe000))
        return fail(r, "this is no character");
    return true;
}

/* Behind a backslash. No escape is shorter than what it stands for. */
static bool read_escape(struct reader *r, char *text, size_t *n)
{
    static const char letters[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    int c = peek(r);
    const char *found = c > 0 ? strchr(letters, c) : NULL;
    int32_t point;
    r->at++;
    if (found) {
        text[(*n)++] = means[found - letters];
        return true;
    }
    if (c != 'u')
        return fail(r, "no escape begins like this");
    if (!read_point(r, &point))
        return false;
    *n += (size_t)utf8proc_encode_char(point, (utf8proc_uint8_t *)text + *n);
    return true;
}

static bool read_plain(struct reader *r, char *text, size_t *n)
{
    utf8proc_int32_t point;
    utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t *)r->bytes + r->at,
                                               (utf8proc_ssize_t)(r->n - r->at), &point);
    if (length <= 0 || point < 0x20)
        return fail(r, "a text has a byte that may not stand there");
    memcpy(text + *n, r->bytes + r->at, (size_t)length);
    *n += (size_t)length;
    r->at += (size_t)length;
    return true;
}

/* At the first quote. */
static const char *read_text(struct reader *r, uint32_t *length)
{
    size_t end = ++r->at, n = 0;
    while (end < r->n && r->bytes[end] != '"')
        end += r->bytes[end] == '\\' ? 2 : 1;
    if (end >= r->n) {
        fail(r, "a text has no end");
        return NULL;
    }
    char *text = pcdf_arena_bytes(r->arena, end - r->at + 1);
    if (!text) {
        fail(r, pcdf_json_no_memory);
        return NULL;
    }
    while (r->at < end) {
        bool escaped = r->bytes[r->at] == '\\';
        r->at += escaped;
        if (escaped ? !read_escape(r, text, &n) : !read_plain(r, text, &n))
            return NULL;
    }
    text[n] = '\0';
    *length = (uint32_t)n;
    r->at = end + 1;
    return text;
}

/* ---- numbers and words */

static size_t digits(const struct reader *r, size_t at)
{
    size_t n = 0;
    while (at + n < r->n && r->bytes[at + n] >= '0' && r->bytes[at + n] <= '9')
        n++;
    return n;
}

static bool has(const struct reader *r, size_t at, const char *set)
{
    return at < r->n && r->bytes[at] && strchr(set, r->bytes[at]);
}

static bool read_number(struct reader *r, struct pcdf_json_value *v)
{
    enum { MOST = 64 };
    size_t end = r->at + has(r, r->at, "-"), whole = digits(r, end);
    bool good = whole > 0 && (whole == 1 || r->bytes[end] != '0');
    end += whole;
    if (has(r, end, ".")) {
        size_t part = digits(r, end + 1);
        good = good && part > 0;
        end += 1 + part;
    }
    if (has(r, end, "eE")) {
        size_t sign = has(r, end + 1, "+-"), part = digits(r, end + 1 + sign);
        good = good && part > 0;
        end += 1 + sign + part;
    }
    if (!good || end - r->at >= MOST)
        return fail(r, "this is no number");
    v->length = (uint32_t)(end - r->at);
    v->text = pcdf_arena_text(r->arena, r->bytes + r->at, v->length);
    if (!v->text)
        return fail(r, pcdf_json_no_memory);
    v->number = strtod(v->text, NULL);
    r->at = end;
    return isfinite(v->number) ? true : fail(r, "the number is too large");
}

static bool read_word(struct reader *r, struct pcdf_json_value *v)
{
    static const struct {
        const char *word;
        enum pcdf_json_kind kind;
        double number;
    } words[] = { { "true", PCDF_JSON_BOOL, 1 },
                  { "false", PCDF_JSON_BOOL, 0 },
                  { "null", PCDF_JSON_NULL, 0 },
                  { "NaN", PCDF_JSON_NUMBER, (double)NAN }, /* from here on by rules->words */
                  { "Infinity", PCDF_JSON_NUMBER, (double)INFINITY },
                  { "-Infinity", PCDF_JSON_NUMBER, -(double)INFINITY } };
    size_t n = r->rules->words ? sizeof words / sizeof *words : 3;
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(words[i].word);
        if (r->n - r->at < length || memcmp(r->bytes + r->at, words[i].word, length) != 0)
            continue;
        v->kind = words[i].kind;
        v->number = words[i].number;
        v->text = words[i].kind == PCDF_JSON_NUMBER ? words[i].word : NULL;
        v->length = v->text ? (uint32_t)length : 0;
        r->at += length;
        return true;
    }
    return fail(r, "no value begins like this");
}

/* ---- values */

static bool read_value(struct reader *r, struct pcdf_json_value **made);

static bool read_key(struct reader *r, const char **key)
{
    uint32_t length;
    if (peek_behind_blanks(r) != '"')
        return fail(r, "a name is missing");
    *key = read_text(r, &length);
    if (!*key)
        return false;
    if (strlen(*key) != length)
        return fail(r, "a name has a NUL");
    if (peek_behind_blanks(r) != ':')
        return fail(r, "a colon is missing");
    r->at++;
    return true;
}

/* Behind the bracket. */
static bool read_members(struct reader *r, struct pcdf_json_value *v, char close)
{
    struct pcdf_json_value **last = &v->first;
    if (++r->depth > r->rules->depth)
        return fail(r, "values are nested too deeply");
    bool more = peek_behind_blanks(r) != close;
    while (more) {
        const char *key = NULL;
        if ((close == '}' && !read_key(r, &key)) || !read_value(r, last))
            return false;
        (*last)->key = key;
        last = &(*last)->next;
        v->n++;
        more = peek_behind_blanks(r) == ',';
        if (!more && peek(r) != close)
            return fail(r, "a comma or a bracket is missing");
        r->at += more;
    }
    r->at++;
    r->depth--;
    return true;
}

/* Of two members with one key, the first one is found. */
static bool make_table(struct reader *r, struct object *o)
{
    uint32_t room = 2 * TABLE_FROM;
    while (room / 4 * 3 < (uint32_t)o->v.n)
        room *= 2;
    struct table *t = pcdf_arena_take(r->arena, sizeof *t + room * sizeof *t->slots);
    if (!t)
        return fail(r, pcdf_json_no_memory);
    memset(t->slots, 0, room * sizeof *t->slots);
    t->mask = room - 1;
    for (const struct pcdf_json_value *v = o->v.first; v; v = v->next) {
        uint32_t i = pcdf_names_hash(v->key, strlen(v->key)) & t->mask;
        while (t->slots[i] && strcmp(t->slots[i]->key, v->key) != 0)
            i = (i + 1) & t->mask;
        if (!t->slots[i])
            t->slots[i] = v;
    }
    o->table = t;
    return true;
}

static bool read_inside(struct reader *r, struct pcdf_json_value **made);

static bool read_value(struct reader *r, struct pcdf_json_value **made)
{
    (void)peek_behind_blanks(r);
    size_t from = r->at;
    bool good = read_inside(r, made);
    if (good) {
        (*made)->raw = r->bytes + from;
        (*made)->nraw = (uint32_t)(r->at - from);
    }
    return good;
}

static bool read_inside(struct reader *r, struct pcdf_json_value **made)
{
    int c = peek(r);
    if (r->values++ >= r->rules->values)
        return fail(r, "there are too many values");
    if (r->memory > 0 && r->arena->held > r->memory)
        return fail(r, "it would need more than 16 bytes of memory for each of its bytes, and 64 MiB");
    size_t size = c == '{' ? sizeof(struct object) : sizeof(struct pcdf_json_value);
    struct pcdf_json_value *v = pcdf_arena_take(r->arena, size);
    if (!v)
        return fail(r, pcdf_json_no_memory);
    memset(v, 0, size);
    *made = v;
    if (c == '{' || c == '[') {
        v->kind = c == '{' ? PCDF_JSON_OBJECT : PCDF_JSON_LIST;
        r->at++;
        return read_members(r, v, c == '{' ? '}' : ']') &&
               (c == '[' || v->n < TABLE_FROM || make_table(r, (struct object *)v));
    }
    if (c == '"') {
        v->kind = PCDF_JSON_TEXT;
        v->text = read_text(r, &v->length);
        return v->text != NULL;
    }
    bool is_word = c == '-' && r->rules->words && r->at + 1 < r->n && r->bytes[r->at + 1] == 'I';
    if ((c == '-' && !is_word) || (c >= '0' && c <= '9')) {
        v->kind = PCDF_JSON_NUMBER;
        return read_number(r, v);
    }
    return read_word(r, v);
}

/* Offsets in a text are 32 bits. */
static bool begin(struct reader *r)
{
    size_t held = r->arena ? r->arena->held : 0;
    if (r->rules->lean)
        r->memory = held + MEMORY_A_BYTE * r->n + MEMORY_MORE;
    return r->n <= INT32_MAX ? true : fail(r, "it has more than 2 GiB");
}

struct pcdf_json_value *pcdf_json_read(struct pcdf_arena *arena, const char *bytes, size_t n,
                                       const struct pcdf_json_rules *rules, const char **fault, size_t *at)
{
    struct reader r = { .arena = arena, .rules = rules, .bytes = bytes, .n = n };
    struct pcdf_json_value *v = NULL;
    bool good = begin(&r) && read_value(&r, &v);
    if (good && peek_behind_blanks(&r) >= 0)
        good = fail(&r, "something follows the value");
    *fault = r.fault;
    *at = r.at;
    return good ? v : NULL;
}

/* ---- one after the other */

struct each {
    struct reader r;
    const char *inner;
    int (*visit)(void *context, bool is_inner, const char *key, const struct pcdf_json_value *value);
    void *context;
};

static int each_member(struct each *e, bool is_inner);

static int each_value(struct each *e, bool is_inner, const char *key)
{
    struct pcdf_json_value *v = NULL;
    if (!is_inner && e->inner && strcmp(key, e->inner) == 0 && peek_behind_blanks(&e->r) == '{')
        return each_member(e, true);
    e->r.values = 0;
    return read_value(&e->r, &v) ? e->visit(e->context, is_inner, key, v) : NC_EINVAL;
}

/* At the bracket. Memory is given back after each member of the inner object. */
static int each_member(struct each *e, bool is_inner)
{
    struct pcdf_arena own = { 0 }, *outer = e->r.arena;
    int err = NC_NOERR;
    e->r.at++;
    bool more = peek_behind_blanks(&e->r) != '}';
    while (more && !err) {
        const char *key = NULL;
        e->r.arena = &own;
        err = read_key(&e->r, &key) ? each_value(e, is_inner, key) : NC_EINVAL;
        pcdf_arena_free(&own);
        own = (struct pcdf_arena){ 0 };
        more = !err && peek_behind_blanks(&e->r) == ',';
        if (!err && !more && peek(&e->r) != '}')
            err = fail(&e->r, "a comma or a bracket is missing") ? NC_NOERR : NC_EINVAL;
        e->r.at += more;
    }
    e->r.arena = outer;
    e->r.at += !err;
    return err;
}

int pcdf_json_each(const char *bytes, size_t n, const struct pcdf_json_rules *rules, const char *inner,
                   int (*visit)(void *context, bool is_inner, const char *key,
                                const struct pcdf_json_value *value),
                   void *context, const char **fault, size_t *at)
{
    struct each e = {
        .r = { .rules = rules, .bytes = bytes, .n = n }, .inner = inner, .visit = visit, .context = context
    };
    int err = NC_EINVAL;
    if (!begin(&e.r))
        ;
    else if (peek_behind_blanks(&e.r) != '{')
        (void)fail(&e.r, "it is no object");
    else
        err = each_member(&e, false);
    if (!err && peek_behind_blanks(&e.r) >= 0) {
        (void)fail(&e.r, "something follows the value");
        err = NC_EINVAL;
    }
    *fault = e.r.fault;
    *at = e.r.at;
    return err;
}

const struct pcdf_json_value *pcdf_json_member(const struct pcdf_json_value *object, const char *key)
{
    const struct pcdf_json_value *v = object && object->kind == PCDF_JSON_OBJECT ? object->first : NULL;
    if (v && object->n >= TABLE_FROM) {
        const struct table *t = ((const struct object *)object)->table;
        uint32_t i = pcdf_names_hash(key, strlen(key)) & t->mask;
        while (t->slots[i] && strcmp(t->slots[i]->key, key) != 0)
            i = (i + 1) & t->mask;
        return t->slots[i];
    }
    while (v && strcmp(v->key, key) != 0)
        v = v->next;
    return v;
}

double pcdf_json_number(const struct pcdf_json_value *object, const char *key, double fallback)
{
    const struct pcdf_json_value *v = pcdf_json_member(object, key);
    return v && v->kind == PCDF_JSON_NUMBER ? v->number : fallback;
}

const char *pcdf_json_string(const struct pcdf_json_value *object, const char *key, const char *fallback)
{
    const struct pcdf_json_value *v = pcdf_json_member(object, key);
    return v && v->kind == PCDF_JSON_TEXT ? v->text : fallback;
}
