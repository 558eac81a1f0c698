/* Words become trees: see exprtree.h. */
#include "exprtoken.h"
#include "likeness.h"

#include <ctype.h>
#include <stdio.h>

struct parser {
    const struct pcdf_expr_token *tokens, *now;
    struct pcdf_expr_tree *tree;
    struct pcdf_expr_fault *fault;
    int nested;
};

static const struct {
    const char *text;
    signed char arguments;
} rows[] = {
#define PCDF_EXPR_OP(id, text, arguments, type, meaning) { text, arguments },
#include "exproperations.def"
#undef PCDF_EXPR_OP
};

static const struct {
    const char *word;
    nc_type type;
} casts[] = { { "byte", NC_BYTE },   { "short", NC_SHORT },   { "int", NC_INT },   { "int64", NC_INT64 },
              { "ubyte", NC_UBYTE }, { "ushort", NC_USHORT }, { "uint", NC_UINT }, { "uint64", NC_UINT64 },
              { "float", NC_FLOAT }, { "double", NC_DOUBLE } };

const char *pcdf_expr_op_text(enum pcdf_expr_op op)
{
    return rows[op].text;
}

static int wrong(struct parser *p, const struct pcdf_expr_token *t, const char *what)
{
    return pcdf_expr_wrong(p->fault, t->at, t->n, "%s", what);
}

static bool takes(struct parser *p, int kind)
{
    bool is = p->now->kind == kind;
    p->now += is && kind != PCDF_TOKEN_END;
    return is;
}

static int expect(struct parser *p, int kind, const char *what)
{
    return takes(p, kind) ? NC_NOERR : wrong(p, p->now, what);
}

/* An expression may go on in the next line behind an operation. */
static void skip_lines(struct parser *p)
{
    while (takes(p, PCDF_TOKEN_LINE))
        ;
}

/* ---- items */

static int add(struct parser *p, struct pcdf_expr_item item, int *id)
{
    struct pcdf_expr_tree *t = p->tree;
    for (int i = 0; i < item.nargs; i++)
        if (t->items.x[item.args[i]].depth >= item.depth)
            item.depth = t->items.x[item.args[i]].depth + 1;
    if (t->items.n >= PCDF_EXPR_ITEMS)
        return pcdf_expr_wrong(p->fault, item.at, item.n,
                               "a program has up to %d operations, names and numbers", PCDF_EXPR_ITEMS);
    if (item.depth > PCDF_EXPR_DEPTH)
        return pcdf_expr_wrong(p->fault, item.at, item.n, "more than %d operations build on each other",
                               PCDF_EXPR_DEPTH);
    PCDF_TRY(PCDF_RESERVE(&t->items, t->items.n + 1));
    *id = (int)t->items.n;
    t->items.x[t->items.n++] = item;
    return NC_NOERR;
}

static int add_op(struct parser *p, enum pcdf_expr_op op, const struct pcdf_expr_token *at, int nargs,
                  const int *args, int *id)
{
    struct pcdf_expr_item item = { .op = op, .nargs = nargs, .at = at->at, .n = at->n };
    for (int i = 0; i < nargs; i++)
        item.args[i] = args[i];
    return add(p, item, id);
}

static int nest(struct parser *p, const struct pcdf_expr_token *at)
{
    if (++p->nested > PCDF_EXPR_NESTED)
        return pcdf_expr_wrong(p->fault, at->at, at->n, "more than %d parentheses or signs are in each other",
                               PCDF_EXPR_NESTED);
    return NC_NOERR;
}

/* ---- calls */

static int parse_expression(struct parser *p, int *id);

static int find_function(const char *name)
{
    for (int i = 0; i < PCDF_EXPR_OPS; i++)
        if (rows[i].text[0] >= 'a' && rows[i].text[0] <= 'z' && strcmp(rows[i].text, name) == 0)
            return i;
    return strcmp(name, "isnan") == 0 ? PCDF_EXPR_MISSING
           : strcmp(name, "mod") == 0 ? PCDF_EXPR_REMAINDER
           : strcmp(name, "pow") == 0 ? PCDF_EXPR_POWER
                                      : -1;
}

static int take_dimension(struct parser *p, struct pcdf_expr_item *item)
{
    const struct pcdf_expr_token *t = p->now;
    PCDF_TRY(expect(p, PCDF_TOKEN_NAME, "the name of a dimension belongs here"));
    item->name = t->text;
    item->name_at = t->at;
    item->name_n = t->n;
    return NC_NOERR;
}

/* index(DIM), length(DIM) */
static int call_of_dimension(struct parser *p, struct pcdf_expr_item *item, int *id)
{
    PCDF_TRY(take_dimension(p, item));
    PCDF_TRY(expect(p, ')', "a closing parenthesis belongs here"));
    return add(p, *item, id);
}

/* shift(EXPR, DIM, NUMBER), roll */
static int call_shift(struct parser *p, struct pcdf_expr_item *item, int *id)
{
    PCDF_TRY(parse_expression(p, &item->args[0]));
    PCDF_TRY(expect(p, ',', "a comma and the name of a dimension belong here"));
    PCDF_TRY(take_dimension(p, item));
    PCDF_TRY(expect(p, ',', "a comma and a number belong here"));
    PCDF_TRY(parse_expression(p, &item->args[1]));
    PCDF_TRY(expect(p, ')', "a closing parenthesis belongs here"));
    item->nargs = 2;
    return add(p, *item, id);
}

/* min(a, b, c) is min(min(a, b), c). */
static int call_any(struct parser *p, struct pcdf_expr_item *item, int *id)
{
    int want = item->op == PCDF_EXPR_CAST ? 1 : rows[item->op].arguments, n = 0;
    do {
        if (n == 2 && want < 0) {
            item->nargs = n;
            PCDF_TRY(add(p, *item, &item->args[0]));
            n = 1;
        }
        if (want >= 0 && n == want)
            return pcdf_expr_wrong(p->fault, p->now->at, p->now->n, "one argument too many: this takes %d",
                                   want);
        PCDF_TRY(parse_expression(p, &item->args[n++]));
    } while (takes(p, ','));
    if (n < (want < 0 ? 2 : want))
        return pcdf_expr_wrong(p->fault, p->now->at, p->now->n, "%s",
                               want < 0    ? "two arguments are needed at least"
                               : want == 2 ? "two arguments are needed"
                                           : "three arguments are needed");
    PCDF_TRY(expect(p, ')', "a closing parenthesis or a comma belongs here"));
    item->nargs = n;
    return add(p, *item, id);
}

static int unknown_function(struct parser *p, const struct pcdf_expr_token *t)
{
    struct pcdf_likeness like = pcdf_like(t->text);
    char hint[PCDF_LIKE_HINT];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (isalpha((unsigned char)rows[i].text[0]))
            (void)pcdf_like_offer(&like, rows[i].text);
    return pcdf_expr_wrong(p->fault, t->at, t->n, "there is no function %.200s%s", t->text,
                           pcdf_like_hint(&like, hint));
}

static int parse_call(struct parser *p, const struct pcdf_expr_token *t, int *id)
{
    struct pcdf_expr_item item = { .at = t->at, .n = t->n };
    int op = t->is_quoted ? -1 : find_function(t->text);
    PCDF_TRY(nest(p, t));
    for (size_t i = 0; op < 0 && !t->is_quoted && i < sizeof casts / sizeof *casts; i++)
        if (strcmp(t->text, casts[i].word) == 0) {
            op = PCDF_EXPR_CAST;
            item.type = casts[i].type;
        }
    if (op < 0)
        return unknown_function(p, t);
    item.op = (enum pcdf_expr_op)op;
    if (item.op == PCDF_EXPR_INDEX || item.op == PCDF_EXPR_LENGTH)
        PCDF_TRY(call_of_dimension(p, &item, id));
    else if (item.op == PCDF_EXPR_SHIFT || item.op == PCDF_EXPR_ROLL)
        PCDF_TRY(call_shift(p, &item, id));
    else
        PCDF_TRY(call_any(p, &item, id));
    p->nested--;
    return NC_NOERR;
}

/* ---- operands */

static int parse_name(struct parser *p, const struct pcdf_expr_token *t, int *id)
{
    struct pcdf_expr_item item = { .op = PCDF_EXPR_VARIABLE, .name = t->text, .at = t->at, .n = t->n };
    item.is_quoted = t->is_quoted;
    if (takes(p, '('))
        return parse_call(p, t, id);
    if (takes(p, ':')) {
        const struct pcdf_expr_token *name = p->now;
        PCDF_TRY(expect(p, PCDF_TOKEN_NAME, "the name of a variable belongs here"));
        item.file = t->text;
        item.name = name->text;
        item.n = name->at + name->n - t->at;
        if (p->now->kind == ':')
            return wrong(p, p->now, "an attribute is no value of an expression");
    }
    return add(p, item, id);
}

static int parse_operand(struct parser *p, int *id)
{
    const struct pcdf_expr_token *t = p->now;
    if (takes(p, PCDF_TOKEN_NUMBER)) {
        struct pcdf_expr_item item = { .op = PCDF_EXPR_NUMBER, .number = t->number, .integer = t->integer };
        item.is_integer = t->is_integer;
        item.at = t->at;
        item.n = t->n;
        return add(p, item, id);
    }
    if (takes(p, PCDF_TOKEN_NAME))
        return parse_name(p, t, id);
    if (!takes(p, '('))
        return wrong(p, t,
                     t->kind == PCDF_TOKEN_TEXT ? "text is a value of attributes only"
                                                : "a number, a name or a parenthesis belongs here");
    PCDF_TRY(nest(p, t));
    PCDF_TRY(parse_expression(p, id));
    p->nested--;
    return expect(p, ')', "a closing parenthesis belongs here");
}

static int parse_signed(struct parser *p, int *id);

/* The power binds more than a sign before it, and less than one behind it: -2 ** -1 is -(2 ** (-1)). */
static int parse_power(struct parser *p, int *id)
{
    int args[2];
    PCDF_TRY(parse_operand(p, &args[0]));
    const struct pcdf_expr_token *t = p->now;
    *id = args[0];
    if (!takes(p, PCDF_TOKEN_POWER))
        return NC_NOERR;
    skip_lines(p);
    PCDF_TRY(nest(p, t));
    PCDF_TRY(parse_signed(p, &args[1]));
    p->nested--;
    return add_op(p, PCDF_EXPR_POWER, t, 2, args, id);
}

static int parse_signed(struct parser *p, int *id)
{
    const struct pcdf_expr_token *t = p->now;
    if (t->kind != '-' && t->kind != '+' && t->kind != '!')
        return parse_power(p, id);
    p->now++;
    PCDF_TRY(nest(p, t));
    PCDF_TRY(parse_signed(p, id));
    p->nested--;
    int arg = *id;
    return t->kind == '+' ? NC_NOERR
                          : add_op(p, t->kind == '-' ? PCDF_EXPR_NEGATE : PCDF_EXPR_NOT, t, 1, &arg, id);
}

/* ---- operations with two operands, from those that bind least */

enum level { ALTERNATIVE, CONJUNCTION, NEGATION, COMPARISON, SUM, PRODUCT, SIGNED };

static const struct {
    int kind;
    enum level level;
    enum pcdf_expr_op op;
} infixes[] = { { PCDF_TOKEN_OR, ALTERNATIVE, PCDF_EXPR_OR },
                { PCDF_TOKEN_AND, CONJUNCTION, PCDF_EXPR_AND },
                { '<', COMPARISON, PCDF_EXPR_LESS },
                { '>', COMPARISON, PCDF_EXPR_GREATER },
                { PCDF_TOKEN_LESSEQ, COMPARISON, PCDF_EXPR_LESS_EQUAL },
                { PCDF_TOKEN_GREATEREQ, COMPARISON, PCDF_EXPR_GREATER_EQUAL },
                { PCDF_TOKEN_EQUAL, COMPARISON, PCDF_EXPR_EQUAL },
                { PCDF_TOKEN_UNEQUAL, COMPARISON, PCDF_EXPR_UNEQUAL },
                { '+', SUM, PCDF_EXPR_ADD },
                { '-', SUM, PCDF_EXPR_SUBTRACT },
                { '*', PRODUCT, PCDF_EXPR_MULTIPLY },
                { '/', PRODUCT, PCDF_EXPR_DIVIDE },
                { PCDF_TOKEN_FLOOR, PRODUCT, PCDF_EXPR_FLOOR_DIVIDE },
                { '%', PRODUCT, PCDF_EXPR_REMAINDER } };

static bool infix_of(const struct pcdf_expr_token *t, enum level level, enum pcdf_expr_op *op)
{
    for (size_t i = 0; i < sizeof infixes / sizeof *infixes; i++)
        if (t->kind == infixes[i].kind && level == infixes[i].level) {
            *op = infixes[i].op;
            return true;
        }
    return false;
}

static int parse_level(struct parser *p, enum level level, int *id);

static int parse_not(struct parser *p, int *id)
{
    const struct pcdf_expr_token *t = p->now;
    if (!takes(p, PCDF_TOKEN_NOT))
        return parse_level(p, COMPARISON, id);
    PCDF_TRY(nest(p, t));
    PCDF_TRY(parse_not(p, id));
    p->nested--;
    int arg = *id;
    return add_op(p, PCDF_EXPR_NOT, t, 1, &arg, id);
}

static int parse_level(struct parser *p, enum level level, int *id)
{
    enum pcdf_expr_op op;
    if (level == SIGNED)
        return parse_signed(p, id);
    if (level == NEGATION)
        return parse_not(p, id);
    PCDF_TRY(parse_level(p, (enum level)(level + 1), id));
    for (int n = 0; infix_of(p->now, level, &op); n++) {
        const struct pcdf_expr_token *t = p->now++;
        int args[2] = { *id, 0 };
        if (n > 0 && level == COMPARISON)
            return wrong(p, t, "comparisons are not chained: a < b && b < c says what a < b < c would");
        skip_lines(p);
        PCDF_TRY(parse_level(p, (enum level)(level + 1), &args[1]));
        PCDF_TRY(add_op(p, op, t, 2, args, id));
    }
    return NC_NOERR;
}

static int parse_expression(struct parser *p, int *id)
{
    return parse_level(p, ALTERNATIVE, id);
}

/* ---- statements */

static bool ends(const struct pcdf_expr_token *t)
{
    return t->kind == PCDF_TOKEN_STOP || t->kind == PCDF_TOKEN_LINE || t->kind == PCDF_TOKEN_END;
}

/* [[FILE:]NAME]:ATT and no more; of a global one FILE and NAME are empty: `:ATT`. */
static bool take_reference(struct parser *p, struct pcdf_expr_statement *s)
{
    const struct pcdf_expr_token *t = p->now, *names[3];
    int n = 0;
    if (t->kind == ':' && t[1].kind == PCDF_TOKEN_NAME)
        names[n++] = &t[1];
    for (; n < 3 && t[2 * n].kind == PCDF_TOKEN_NAME && t->kind == PCDF_TOKEN_NAME; n++) {
        names[n] = &t[2 * n];
        if (t[2 * n + 1].kind != ':') {
            n++;
            break;
        }
    }
    const struct pcdf_expr_token *end = t->kind == ':' ? t + 2 : t + 2 * n - 1;
    if (n < (t->kind == ':' ? 1 : 2) || !ends(end))
        return false;
    s->from_att = names[n - 1]->text;
    s->from_name = n > 1 ? names[n - 2]->text : NULL;
    s->from_file = n > 2 ? names[0]->text : NULL;
    p->now = end;
    return true;
}

static int parse_numbers(struct parser *p, struct pcdf_expr_statement *s)
{
    PCDF_ARRAY(int) list = { 0 };
    int err = NC_NOERR, *copy = NULL;
    do {
        err = PCDF_RESERVE(&list, list.n + 1);
        err = err ? err : parse_expression(p, &list.x[list.n]);
        list.n += !err;
    } while (!err && takes(p, ','));
    if (!err)
        copy = pcdf_arena_take(&p->tree->arena, list.n * sizeof *copy);
    if (copy)
        memcpy(copy, list.x, list.n * sizeof *copy);
    pcdf_free(list.x);
    s->items = copy;
    s->nitems = (int)list.n;
    return err ? err : copy ? NC_NOERR : NC_ENOMEM;
}

static int parse_attribute(struct parser *p, struct pcdf_expr_statement *s)
{
    const struct pcdf_expr_token *t = p->now;
    s->from_at = t->at;
    if (takes(p, PCDF_TOKEN_TEXT)) {
        s->text = t->text;
        s->text_n = t->length;
    } else if (!take_reference(p, s)) {
        PCDF_TRY(parse_numbers(p, s));
    }
    s->from_n = p->now[-1].at + p->now[-1].n - t->at;
    return NC_NOERR;
}

static int parse_statement(struct parser *p)
{
    struct pcdf_expr_statement s = { .at = p->now->at, .item = -1 };
    const struct pcdf_expr_token *name = p->now, *att;
    if (takes(p, PCDF_TOKEN_NAME))
        s.name = name->text;
    else if (name->kind != ':')
        return wrong(p, name, "a statement begins with a name: NAME = EXPRESSION");
    s.n = name->n;
    if (takes(p, ':')) {
        att = p->now;
        PCDF_TRY(expect(p, PCDF_TOKEN_NAME, "the name of an attribute belongs here"));
        s.att = att->text;
        s.n = att->at + att->n - s.at;
    }
    PCDF_TRY(expect(p, '=', "an equals sign belongs here: NAME = EXPRESSION"));
    skip_lines(p);
    PCDF_TRY(s.att ? parse_attribute(p, &s) : parse_expression(p, &s.item));
    if (!ends(p->now))
        return wrong(p, p->now,
                     p->now->kind == '=' ? "== compares; = stands once in a statement"
                                         : "an operation, or the end of the statement, belongs here");
    PCDF_TRY(PCDF_RESERVE(&p->tree->statements, p->tree->statements.n + 1));
    p->tree->statements.x[p->tree->statements.n++] = s;
    return NC_NOERR;
}

static int parse_program(struct parser *p)
{
    while (!takes(p, PCDF_TOKEN_END))
        if (!takes(p, PCDF_TOKEN_STOP) && !takes(p, PCDF_TOKEN_LINE))
            PCDF_TRY(parse_statement(p));
    return p->tree->statements.n > 0 ? NC_NOERR : wrong(p, p->now, "the program has no statement");
}

static int parse_one(struct parser *p)
{
    struct pcdf_expr_statement s = { 0 };
    PCDF_TRY(parse_expression(p, &s.item));
    if (p->now->kind != PCDF_TOKEN_END)
        return wrong(p, p->now, "an operation, or the end of the expression, belongs here");
    PCDF_TRY(PCDF_RESERVE(&p->tree->statements, 1));
    p->tree->statements.x[p->tree->statements.n++] = s;
    return NC_NOERR;
}

static int parse(struct pcdf_expr_tree *tree, const char *text, size_t n, struct pcdf_expr_fault *fault,
                 bool is_one)
{
    struct pcdf_expr_tokens tokens = { 0 };
    *tree = (struct pcdf_expr_tree){ 0 };
    int err = pcdf_expr_tokens_of(&tokens, &tree->arena, text, n, fault);
    struct parser p = { tokens.list.x, tokens.list.x, tree, fault, 0 };
    if (!err)
        err = is_one ? parse_one(&p) : parse_program(&p);
    pcdf_free(tokens.list.x);
    if (err)
        pcdf_expr_tree_free(tree);
    return err;
}

int pcdf_expr_parse(struct pcdf_expr_tree *tree, const char *text, size_t n, struct pcdf_expr_fault *fault)
{
    return parse(tree, text, n, fault, false);
}

int pcdf_expr_parse_one(struct pcdf_expr_tree *tree, const char *text, size_t n,
                        struct pcdf_expr_fault *fault)
{
    return parse(tree, text, n, fault, true);
}

void pcdf_expr_tree_free(struct pcdf_expr_tree *tree)
{
    pcdf_free(tree->items.x);
    pcdf_free(tree->statements.x);
    pcdf_arena_free(&tree->arena);
    *tree = (struct pcdf_expr_tree){ 0 };
}
