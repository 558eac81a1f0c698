/* Fuzz target for expressions: text that parses is printed as text that parses to the same tree; what is
 * wrong has a place inside the text and a sentence. Programs whose names are known evaluate on small arrays:
 * only values that exist are read, and values are the same whatever the boxes are. No crash, no leak; no
 * failed allocation does harm. */
#include <math.h>
#include "alloc.h"
#include "expr.h"
#include "fuzz.h"

enum { SOURCES = 2, MOST_VALUES = 4096 };

static struct pcdf_meta metas[SOURCES];
static const struct pcdf_expr_source sources[SOURCES] = { { "a", "a.nc", &metas[0] },
                                                          { "ctl", "b.nc", &metas[1] } };

/* ---- files */

static void put_text(struct pcdf_meta *meta, int varid, const char *name, const char *text)
{
    DEMAND(!pcdf_atts_put(meta, &meta->vars[varid].atts, name, NC_CHAR, (int64_t)strlen(text), text));
}

static void make_file(struct pcdf_meta *meta, bool is_second)
{
    static const struct {
        const char *name;
        nc_type type;
        int ndims, dims[3];
        const char *units;
    } vars[] = { { "T", NC_FLOAT, 3, { 0, 1, 2 }, "K" },
                 { "u", NC_DOUBLE, 2, { 2, 1 }, "m s-1" },
                 { "time", NC_DOUBLE, 1, { 0 }, "days since 2000-01-01" },
                 { "i", NC_INT, 1, { 1 }, NULL },
                 { "l", NC_INT64, 2, { 0, 2 }, NULL },
                 { "n", NC_UINT64, 1, { 2 }, NULL },
                 { "s", NC_SHORT, 1, { 0 }, NULL },
                 { "b", NC_UBYTE, 0, { 0 }, NULL },
                 { "c", NC_CHAR, 1, { 1 }, NULL },
                 { "x y", NC_UINT, 2, { 1, 1 }, NULL } };
    pcdf_meta_init(meta, PCDF_CDF5);
    DEMAND(!pcdf_meta_add_dim(meta, "time", 0, NULL));
    DEMAND(!pcdf_meta_add_dim(meta, "y", 4, NULL));
    DEMAND(!pcdf_meta_add_dim(meta, "x", 5, NULL));
    DEMAND(!pcdf_meta_add_dim(meta, "z", is_second ? 7 : 2, NULL));
    meta->numrecs = 3;
    for (int i = 0; i < (int)(sizeof vars / sizeof *vars) - is_second; i++) {
        int id;
        DEMAND(!pcdf_meta_add_var(meta, vars[i].name, vars[i].type, vars[i].ndims, vars[i].dims, &id));
        if (vars[i].units)
            put_text(meta, id, "units", vars[i].units);
    }
    DEMAND(!pcdf_meta_add_var(meta, is_second ? "Q" : "q", NC_FLOAT, 1, (int[]){ 3 }, NULL));
}

static double number_of(uint64_t seed)
{
    uint64_t h = (seed + 1) * 0x9E3779B97F4A7C15u;
    static const double odd[] = { (double)NAN, 0, -1, 1, INFINITY, 1e300, 0.5, -0.0 };
    h ^= h >> 29;
    return h % 3 == 0 ? odd[h >> 8 & 7] : (double)((int64_t)(h >> 20 & 0xFFFF) - 0x8000) / 16;
}

/* Integers are within their types. */
static void value_of(const struct pcdf_var *var, uint64_t seed, double *x, int64_t *exact)
{
    uint64_t h = (seed + 7) * 0xD6E8FEB86659FD93u;
    if (exact) {
        *exact = (int64_t)(h % 2 ? h : h >> 50);
        *x = var->type == NC_UINT64 ? (double)(uint64_t)*exact : (double)*exact;
        if (h % 11 == 0)
            *x = (double)NAN;
    } else if (var->type == NC_FLOAT || var->type == NC_DOUBLE) {
        *x = var->type == NC_FLOAT ? (double)(float)number_of(seed) : number_of(seed);
    } else {
        *x = (double)(h >> 56 & 0x7F);
    }
}

static int read_values(void *context, int source, int varid, const int64_t *start, const int64_t *count,
                       double *x, int64_t *exact)
{
    const struct pcdf_var *var = &metas[source].vars[varid];
    int64_t shape[8], index[8], n = 1;
    DEMAND(!context && varid >= 0 && varid < metas[source].nvars);
    pcdf_var_shape(&metas[source], var, shape);
    for (int i = 0; i < var->ndims; i++) {
        DEMAND(start[i] >= 0 && count[i] > 0 && start[i] + count[i] <= shape[i]);
        index[i] = 0;
        n *= count[i];
    }
    DEMAND(!exact == (pcdf_type_size(var->type) < 8 || var->type == NC_DOUBLE));
    for (int64_t k = 0; k < n; k++) {
        int64_t at = source * 100 + varid;
        for (int i = 0; i < var->ndims; i++)
            at = at * 16 + start[i] + index[i];
        value_of(var, (uint64_t)at, &x[k], exact ? &exact[k] : NULL);
        for (int i = var->ndims - 1; i >= 0 && ++index[i] == count[i]; i--)
            index[i] = 0;
    }
    return 0;
}

/* ---- trees */

static bool equal_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : !a && !b;
}

static void same_items(const struct pcdf_expr_item *a, const struct pcdf_expr_item *b)
{
    DEMAND(a->op == b->op && a->nargs == b->nargs && a->type == b->type && a->depth == b->depth);
    DEMAND(memcmp(a->args, b->args, (size_t)a->nargs * sizeof *a->args) == 0);
    DEMAND(a->is_integer == b->is_integer && a->integer == b->integer && a->number == b->number);
    DEMAND(equal_text(a->file, b->file) && equal_text(a->name, b->name));
    DEMAND(a->file || a->op != PCDF_EXPR_VARIABLE || a->is_quoted == b->is_quoted);
}

static void same_statements(const struct pcdf_expr_statement *a, const struct pcdf_expr_statement *b)
{
    DEMAND(equal_text(a->name, b->name) && equal_text(a->att, b->att) && a->item == b->item);
    DEMAND(a->text_n == b->text_n && !a->text == !b->text && a->nitems == b->nitems);
    DEMAND(!a->text || memcmp(a->text, b->text, a->text_n) == 0);
    DEMAND(a->nitems == 0 || memcmp(a->items, b->items, (size_t)a->nitems * sizeof *a->items) == 0);
    DEMAND(equal_text(a->from_file, b->from_file) && equal_text(a->from_name, b->from_name));
    DEMAND(equal_text(a->from_att, b->from_att));
}

static void check_print(const struct pcdf_expr_tree *tree, bool is_one)
{
    struct pcdf_expr_tree again;
    struct pcdf_expr_fault fault = { 0 };
    char *text = pcdf_expr_print(tree);
    DEMAND(text);
    if (strlen(text) <= PCDF_EXPR_BYTES) {
        int err = (is_one ? pcdf_expr_parse_one : pcdf_expr_parse)(&again, text, strlen(text), &fault);
        if (err && strstr(fault.text, "in each other")) { /* with all parentheses there are more of them */
            pcdf_free(text);
            return;
        }
        if (err)
            fprintf(stderr, "%s\n%s at %zu\n", text, fault.text, fault.at);
        DEMAND(!err && again.items.n == tree->items.n && again.statements.n == tree->statements.n);
        for (size_t i = 0; i < tree->items.n; i++)
            same_items(&tree->items.x[i], &again.items.x[i]);
        for (size_t i = 0; i < tree->statements.n; i++)
            same_statements(&tree->statements.x[i], &again.statements.x[i]);
        pcdf_expr_tree_free(&again);
    }
    pcdf_free(text);
}

static void check_fault(const struct pcdf_expr_fault *fault, size_t n)
{
    DEMAND(fault->at <= n && fault->n <= n - fault->at);
    DEMAND(fault->text[0] && strlen(fault->text) < sizeof fault->text);
}

/* ---- values */

static bool equal_numbers(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

/* Index by index along the first dimension. */
static void check_boxes(struct pcdf_expr_run *run, const int64_t *shape, int ndims, int64_t n)
{
    static double x[MOST_VALUES];
    static int64_t exact[MOST_VALUES];
    int64_t start[PCDF_EXPR_DIMS] = { 0 }, count[PCDF_EXPR_DIMS],
            inner = ndims > 0 && n > 0 ? n / shape[0] : 0;
    const struct pcdf_expr_block whole = pcdf_expr_run_values(run, 0);
    memcpy(x, whole.x, (size_t)n * sizeof *x);
    if (whole.exact)
        memcpy(exact, whole.exact, (size_t)n * sizeof *exact);
    memcpy(count, shape, (size_t)ndims * sizeof *count);
    for (int64_t i = ndims > 0 ? shape[0] - 1 : -1; i >= 0; i--) {
        start[0] = i;
        count[0] = 1;
        DEMAND(pcdf_expr_run_box(run, start, count) == 0);
        const struct pcdf_expr_block part = pcdf_expr_run_values(run, 0);
        for (int64_t k = 0; k < inner; k++) {
            DEMAND(equal_numbers(part.x[k], x[i * inner + k]));
            DEMAND(!part.exact || isnan(part.x[k]) || part.exact[k] == exact[i * inner + k]);
        }
    }
}

static void check_values(const struct pcdf_expr *e, int node)
{
    const struct pcdf_expr_reader reader = { NULL, read_values };
    struct pcdf_expr_dim dims[PCDF_EXPR_DIMS];
    struct pcdf_expr_run *run;
    int64_t start[PCDF_EXPR_DIMS] = { 0 }, shape[PCDF_EXPR_DIMS], n = 1;
    int ndims = pcdf_expr_shape(e, node, dims);
    for (int i = 0; i < ndims; i++) {
        shape[i] = dims[i].length;
        n *= shape[i];
        DEMAND(!dims[i].is_record || i == 0);
    }
    int err = pcdf_expr_run_begin(&run, e, &node, 1, &reader, 1 << 20);
    DEMAND(err == NC_NOERR || err == NC_EINVAL);
    if (err)
        return;
    if (n <= pcdf_expr_run_most(run) && n <= MOST_VALUES) {
        DEMAND(pcdf_expr_run_box(run, start, shape) == 0);
        check_boxes(run, shape, ndims, n);
    }
    pcdf_expr_run_end(run);
}

static void check_program(const struct pcdf_expr_tree *tree, size_t n)
{
    struct pcdf_expr e;
    struct pcdf_expr_fault fault = { 0 };
    int err = pcdf_expr_compile(&e, tree, sources, SOURCES, &fault);
    DEMAND(err == NC_NOERR || err == NC_EINVAL);
    if (err) {
        check_fault(&fault, n);
        return;
    }
    for (size_t i = 0; i < e.results.n && i < 8; i++)
        check_values(&e, e.results.x[i].node);
    pcdf_expr_free(&e);
}

/* ---- no memory */

static void check_no_memory(const char *text, size_t n)
{
    static int64_t k;
    struct pcdf_expr_tree tree;
    struct pcdf_expr e;
    struct pcdf_expr_run *run;
    struct pcdf_expr_fault fault = { 0 };
    const struct pcdf_expr_reader reader = { NULL, read_values };
    k++;
    pcdf_alloc_fail_at(1 + k % 64, k % 2 == 0);
    if (pcdf_expr_parse(&tree, text, n, &fault) == NC_NOERR) {
        if (pcdf_expr_compile(&e, &tree, sources, SOURCES, &fault) == NC_NOERR) {
            for (size_t i = 0; i < e.results.n && i < 2; i++)
                if (pcdf_expr_run_begin(&run, &e, &e.results.x[i].node, 1, &reader, 1 << 20) == NC_NOERR)
                    pcdf_expr_run_end(run);
            pcdf_expr_free(&e);
        }
        pcdf_expr_tree_free(&tree);
    }
    pcdf_alloc_fail_at(0, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct pcdf_expr_tree tree;
    struct pcdf_expr_fault fault = { 0 };
    const char *text = (const char *)bytes;
    if (!metas[0].vars) {
        make_file(&metas[0], false);
        make_file(&metas[1], true);
    }
    int64_t before = pcdf_alloc_now();
    for (int is_one = 0; is_one < 2; is_one++) {
        int err = (is_one ? pcdf_expr_parse_one : pcdf_expr_parse)(&tree, text, n, &fault);
        DEMAND(err == NC_NOERR || err == NC_EINVAL);
        if (err) {
            check_fault(&fault, n);
            continue;
        }
        check_print(&tree, is_one);
        check_program(&tree, n);
        pcdf_expr_tree_free(&tree);
    }
    check_no_memory(text, n);
    DEMAND(pcdf_alloc_now() == before);
    return 0;
}

/* clang-format off */
static const char *const words[] = {
    "r = ", "; ", "\n", "T", "a:T", "b:T", "ctl:T", "u", "i", "l", "n", "s", "b", "q", "Q", "time", "`x y`", "x\\ y", "where(", "shift(",
    "roll(", "index(", "length(", ", time, ", ", x, ", ", y, ", "min(", "max(", "fill(", "ismissing(", "sqrt(", "int64(", "uint64(", "byte(",
    "float(", "atan2(", "missing", "pi", "e", " + ", " - ", " * ", " / ", " // ", " % ", " ** ", " < ", " >= ", " == ", " != ", " && ", " || ",
    " and ", " or ", "not ", "!", "(", ")", ", ", "1", "2", "-1", "0", "0.5", "1e300", "9223372036854775807", "18446744073709551615",
    "99999999999999999999", "3)", "r:units = \"K\"", "r:x = 1, 2.5", "r:y = T:units", ":title = 'x'", "# comment\n", "\"", "`", "r", "t = r"
};
/* clang-format on */

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t most, unsigned int seed)
{
    if (seed % 4 == 0)
        return LLVMFuzzerMutate(bytes, n, most);
    return fuzz_add_word(bytes, n, most, seed / 4, words, sizeof words / sizeof words[0]);
}
