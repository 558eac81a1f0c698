#ifndef PCDF_EXPRTREE_H
#define PCDF_EXPRTREE_H
/* A program as it is written: statements, and expressions as trees. Pure; names are not looked up here.
 *
 * Items lie in the order in which they are computed: the arguments of an item come before it. So whoever goes
 * through them needs a loop, and no recursion. */

#include "arena.h"
#include "array.h"
#include "types.h"

enum pcdf_expr_op {
#define PCDF_EXPR_OP(id, text, arguments, type, meaning) PCDF_EXPR_##id,
#include "exproperations.def"
#undef PCDF_EXPR_OP
    PCDF_EXPR_OPS
};

enum {
    PCDF_EXPR_BYTES = 1 << 16, /* of a program, at most */
    PCDF_EXPR_ITEMS = 4096,
    PCDF_EXPR_NESTED = 200, /* parentheses and signs in each other */
    PCDF_EXPR_DEPTH = 1000  /* operations on the result of others */
};

/* What is wrong, and where: n bytes from byte `at` of the program on. n 0: at its end. */
struct pcdf_expr_fault {
    size_t at, n;
    char text[640];
};

struct pcdf_expr_item {
    enum pcdf_expr_op op;
    int args[3], nargs; /* items */
    double number;      /* NUMBER, as the next two */
    uint64_t integer;
    bool is_integer;
    bool is_quoted;         /* VARIABLE: it is no constant such as pi */
    const char *file;       /* VARIABLE; NULL: it has none */
    const char *name;       /* of a VARIABLE; the dimension of INDEX, LENGTH, SHIFT, ROLL */
    size_t name_at, name_n; /* of that dimension, in the program */
    nc_type type;           /* CAST */
    int depth;
    size_t at, n; /* in the program */
};

/* `NAME = EXPR`: name, item. Else an attribute: of a variable, or global where name is NULL. Its values are
 * text; or items, from first_item on, constants; or those of another attribute (from_...). */
struct pcdf_expr_statement {
    const char *name, *att;
    int item;
    const char *text;
    size_t text_n;
    const int *items;
    int nitems;
    const char *from_file, *from_name, *from_att;
    size_t at, n, from_at, from_n; /* the name, and where the value is, in the program */
};

struct pcdf_expr_tree {
    PCDF_ARRAY(struct pcdf_expr_item) items;
    PCDF_ARRAY(struct pcdf_expr_statement) statements;
    struct pcdf_arena arena; /* of names and text */
};

/* NC_EINVAL: *fault says what is wrong; NC_ENOMEM. Then there is nothing to free. Text may have any bytes. */
int pcdf_expr_parse(struct pcdf_expr_tree *tree, const char *text, size_t n, struct pcdf_expr_fault *fault);
/* The same of one expression alone: a tree of one statement without a name. */
int pcdf_expr_parse_one(struct pcdf_expr_tree *tree, const char *text, size_t n,
                        struct pcdf_expr_fault *fault);
void pcdf_expr_tree_free(struct pcdf_expr_tree *tree);

/* Keeps the sentence and gives NC_EINVAL. */
int pcdf_expr_wrong(struct pcdf_expr_fault *fault, size_t at, size_t n, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* "+", "where". */
const char *pcdf_expr_op_text(enum pcdf_expr_op op);

/* The program as text, with all parentheses, which parses to the same tree; to be freed by pcdf_free. NULL:
 * no memory. */
char *pcdf_expr_print(const struct pcdf_expr_tree *tree);
#endif
