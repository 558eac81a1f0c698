/* Trees become text again: see exprtree.h. */
#include "exprtree.h"

#include <inttypes.h>
#include <stdio.h>

struct text {
    PCDF_ARRAY(char) x;
    int err;
};

static void put_text(struct text *to, const char *text)
{
    size_t n = strlen(text);
    to->err = to->err ? to->err : PCDF_RESERVE(&to->x, to->x.n + n + 1);
    if (to->err)
        return;
    memcpy(to->x.x + to->x.n, text, n + 1);
    to->x.n += n;
}

static void put_quoted(struct text *to, const char *text, size_t n, char quote)
{
    char x[3] = { quote, '\0', '\0' };
    put_text(to, x);
    for (size_t i = 0; i < n; i++) {
        bool is_escaped = text[i] == quote || text[i] == '\\' || text[i] == '\n';
        bool is_line = text[i] == '\n' && quote != '`';
        snprintf(x, sizeof x, "%s%c", is_escaped ? "\\" : "", is_line ? 'n' : text[i]);
        put_text(to, x);
    }
    snprintf(x, sizeof x, "%c", quote);
    put_text(to, x);
}

static void put_name(struct text *to, const char *file, const char *name, bool is_quoted)
{
    if (file) {
        put_quoted(to, file, strlen(file), '`');
        put_text(to, ":");
    }
    if (is_quoted || file)
        put_quoted(to, name, strlen(name), '`');
    else
        put_text(to, name);
}

static void put_number(struct text *to, const struct pcdf_expr_item *item)
{
    char x[64];
    if (item->is_integer)
        snprintf(x, sizeof x, "%" PRIu64, item->integer);
    else
        snprintf(x, sizeof x, "%.17g", item->number);
    put_text(to, x);
    if (!item->is_integer && !strpbrk(x, ".e"))
        put_text(to, ".0");
}

static void put_item(struct text *to, const struct pcdf_expr_tree *tree, int id);

static void put_call(struct text *to, const struct pcdf_expr_tree *tree, const struct pcdf_expr_item *item)
{
    put_text(to, item->op == PCDF_EXPR_CAST ? pcdf_type_cdl(item->type) : pcdf_expr_op_text(item->op));
    put_text(to, "(");
    for (int i = 0; i < item->nargs; i++) {
        put_text(to, i ? ", " : "");
        put_item(to, tree, item->args[i]);
        if (item->name && i == 0) {
            put_text(to, ", ");
            put_name(to, NULL, item->name, true);
        }
    }
    if (item->nargs == 0)
        put_name(to, NULL, item->name, true);
    put_text(to, ")");
}

static void put_infix(struct text *to, const struct pcdf_expr_tree *tree, const struct pcdf_expr_item *item)
{
    put_text(to, "(");
    if (item->nargs == 2) {
        put_item(to, tree, item->args[0]);
        put_text(to, " ");
    }
    put_text(to, pcdf_expr_op_text(item->op));
    put_text(to, item->nargs == 2 ? " " : "");
    put_item(to, tree, item->args[item->nargs - 1]);
    put_text(to, ")");
}

/* Recursion: as deep as the tree, which is PCDF_EXPR_DEPTH at most. */
static void put_item(struct text *to, const struct pcdf_expr_tree *tree, int id)
{
    const struct pcdf_expr_item *item = &tree->items.x[id];
    char first = *pcdf_expr_op_text(item->op);
    if (item->op == PCDF_EXPR_NUMBER)
        put_number(to, item);
    else if (item->op == PCDF_EXPR_VARIABLE)
        put_name(to, item->file, item->name, item->is_quoted);
    else if (item->op == PCDF_EXPR_CAST || (first >= 'a' && first <= 'z'))
        put_call(to, tree, item);
    else
        put_infix(to, tree, item);
}

static void put_statement(struct text *to, const struct pcdf_expr_tree *tree,
                          const struct pcdf_expr_statement *s)
{
    if (s->name)
        put_name(to, NULL, s->name, true);
    if (s->att) {
        put_text(to, ":");
        put_name(to, NULL, s->att, true);
    }
    put_text(to, s->name || s->att ? " = " : "");
    if (!s->att)
        put_item(to, tree, s->item);
    else if (s->text)
        put_quoted(to, s->text, s->text_n, '"');
    else if (s->from_att) {
        if (s->from_name)
            put_name(to, s->from_file, s->from_name, true);
        put_text(to, ":");
        put_name(to, NULL, s->from_att, true);
    }
    /* FILE:NAME alone would be an attribute. */
    bool is_like_one = s->nitems == 1 && tree->items.x[s->items[0]].op == PCDF_EXPR_VARIABLE &&
                       tree->items.x[s->items[0]].file;
    put_text(to, is_like_one ? "(" : "");
    for (int i = 0; i < s->nitems; i++) {
        put_text(to, i ? ", " : "");
        put_item(to, tree, s->items[i]);
    }
    put_text(to, is_like_one ? ")" : "");
}

char *pcdf_expr_print(const struct pcdf_expr_tree *tree)
{
    struct text to = { 0 };
    put_text(&to, "");
    for (size_t i = 0; i < tree->statements.n; i++) {
        put_text(&to, i ? "\n" : "");
        put_statement(&to, tree, &tree->statements.x[i]);
    }
    if (to.err)
        pcdf_free(to.x.x);
    return to.err ? NULL : to.x.x;
}
