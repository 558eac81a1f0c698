/* The header in the lines that ncmpidiff and cdfdiff print: scripts look for them. Definitions belong
 * together by name. See peerdiff.h. */
#include "peerdiff.h"
#include "tool.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { LINE = 4 * PCDF_DIFF_WORDS };

static void print_line(const char *indent, const char *word, const char *line)
{
    fputs(indent, stdout);
    fputs(word, stdout);
    pcdf_tool_print(stdout, line);
    putchar('\n');
}

bool pcdf_peerdiff_check(struct pcdf_peerdiff *p, bool same, const char *indent, const char *what_same,
                         const char *what_differs, ...)
{
    const struct pcdf_diff_options *o = &p->d.options;
    char line[LINE];
    va_list args;

    va_start(args, what_differs);
    vsnprintf(line, sizeof line, what_differs, args);
    va_end(args);
    p->nheader += !same;
    if (!same && !o->quiet)
        print_line("", "DIFF: ", line);
    if (same && o->verbose && !o->quiet)
        print_line(indent, "SAME: ", what_same);
    return same;
}

static void headline(const struct pcdf_peerdiff *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void headline(const struct pcdf_peerdiff *p, const char *format, ...)
{
    char line[LINE];
    va_list args;

    if (!p->d.options.verbose || p->d.options.quiet)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    for (; *line && line[0] == '\t'; memmove(line, line + 1, strlen(line)))
        putchar('\t');
    print_line("", "", line);
}

/* `what_same` of pcdf_peerdiff_check in words. */
static const char *words(char room[LINE], const char *format, ...) __attribute__((format(printf, 2, 3)));

static const char *words(char room[LINE], const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(room, LINE, format, args);
    va_end(args);
    return room;
}

/* ---- numbers of definitions */

static void check_count(struct pcdf_peerdiff *p, const char *what, int a, int b)
{
    char room[LINE];
    pcdf_peerdiff_check(p, a == b, "", words(room, "number of %s (%d)", what, a), "number of %s (%d) != (%d)",
                        what, a, b);
}

/* ---- attributes */

static int64_t first_apart(const struct pcdf_att *a, const struct pcdf_att *b, int64_t size)
{
    for (int64_t i = 0; i < a->nelems; i++)
        if (memcmp(a->values + i * size, b->values + i * size, (size_t)size) != 0)
            return i;
    return -1;
}

/* label: 'global attribute "a"' or 'variable "v" attribute "a"'. */
static void check_contents(struct pcdf_peerdiff *p, const char *label, const char *indent,
                           const struct pcdf_att *a, const struct pcdf_att *b)
{
    char in_a[PCDF_DIFF_WORDS], in_b[PCDF_DIFF_WORDS];
    int64_t size = pcdf_type_size(a->type), apart = first_apart(a, b, size);

    if (apart < 0) {
        pcdf_peerdiff_check(p, true, indent, "attribute contents", "%s", "");
        return;
    }
    if (a->type == NC_CHAR) {
        pcdf_diff_att_words(a, apart, in_a, sizeof in_a);
        pcdf_diff_att_words(b, apart, in_b, sizeof in_b);
        pcdf_peerdiff_check(p, false, indent, "",
                            "%s of type \"NC_CHAR\" at element %" PRId64 " of value %s vs %s", label, apart,
                            in_a, in_b);
        return;
    }
    const unsigned char *x = a->values + apart * size, *y = b->values + apart * size;
    pcdf_diff_value_words(a->type, x, in_a, sizeof in_a);
    pcdf_diff_value_words(b->type, y, in_b, sizeof in_b);
    pcdf_peerdiff_check(p, false, indent, "",
                        "%s of type \"%s\" at element %" PRId64 " of value %s vs %s (difference = %e)", label,
                        pcdf_type_name(a->type), apart, in_a, in_b,
                        pcdf_value_load_real(a->type, x) - pcdf_value_load_real(b->type, y));
}

static void check_att(struct pcdf_peerdiff *p, const char *label, const char *indent,
                      const struct pcdf_att *a, const struct pcdf_att *b)
{
    char room[LINE];

    if (!pcdf_peerdiff_check(
            p, a->type == b->type, indent, words(room, "data type (%s)", pcdf_type_name(a->type)),
            "%s data type (%s) != (%s)", label, pcdf_type_name(a->type), pcdf_type_name(b->type)) ||
        !pcdf_peerdiff_check(p, a->nelems == b->nelems, indent,
                             words(room, "length (%" PRId64 ")", a->nelems),
                             "%s length (%" PRId64 ") != (%" PRId64 ")", label, a->nelems, b->nelems))
        return;
    check_contents(p, label, indent, a, b);
}

/* var: NULL for the file's own. */
static void check_atts(struct pcdf_peerdiff *p, const char *var, const struct pcdf_atts *a,
                       const struct pcdf_atts *b)
{
    const char *const *paths = p->d.options.paths;
    char label[LINE], of[LINE];

    words(of, "%s%s%s", var ? "variable \"" : "global", var ? var : "", var ? "\"" : "");
    for (int i = 0; i < a->n; i++) {
        const char *name = a->x[i].name;
        int j = pcdf_atts_find(b, name);
        words(label, "%s attribute \"%s\"", of, name);
        if (j < 0) {
            pcdf_peerdiff_check(p, false, "", "", "%s defined in %s not found in %s", label, paths[0],
                                paths[1]);
            continue;
        }
        headline(p, var ? "\tattribute \"%s\":" : "Global attribute \"%s\":", name);
        check_att(p, label, var ? "\t\t" : "\t", &a->x[i], &b->x[j]);
    }
    for (int j = 0; j < b->n; j++)
        if (pcdf_atts_find(a, b->x[j].name) < 0)
            pcdf_peerdiff_check(p, false, "", "", "%s attribute \"%s\" defined in %s not found in %s", of,
                                b->x[j].name, paths[1], paths[0]);
}

/* ---- dimensions */

static int64_t length_of(const struct pcdf_meta *meta, int id)
{
    return meta->dims[id].length > 0 ? meta->dims[id].length : meta->numrecs;
}

static void check_dims(struct pcdf_peerdiff *p)
{
    const struct pcdf_meta *a = &p->d.a.meta, *b = &p->d.b.meta;
    const char *const *paths = p->d.options.paths;
    char room[LINE];

    headline(p, "Dimension:");
    for (int i = 0; i < a->ndims; i++) {
        const char *name = a->dims[i].name;
        int j = pcdf_meta_find_dim(b, name);
        if (j < 0)
            pcdf_peerdiff_check(p, false, "", "", "dimension \"%s\" defined in %s not found in %s", name,
                                paths[0], paths[1]);
        else
            pcdf_peerdiff_check(p, length_of(a, i) == length_of(b, j), "\t",
                                words(room, "dimension \"%s\" length (%" PRId64 ")", name, length_of(a, i)),
                                "dimension \"%s\" length (%" PRId64 ") != (%" PRId64 ")", name,
                                length_of(a, i), length_of(b, j));
    }
    for (int j = 0; j < b->ndims; j++)
        if (pcdf_meta_find_dim(a, b->dims[j].name) < 0)
            pcdf_peerdiff_check(p, false, "", "", "dimension \"%s\" defined in %s not found in %s",
                                b->dims[j].name, paths[1], paths[0]);
}

/* ---- variables */

static bool check_dim_of(struct pcdf_peerdiff *p, const struct pcdf_var *in_a, const struct pcdf_var *in_b,
                         int k, bool with_name)
{
    const struct pcdf_meta *a = &p->d.a.meta, *b = &p->d.b.meta;
    const char *name_a = a->dims[in_a->dimids[k]].name, *name_b = b->dims[in_b->dimids[k]].name;
    int64_t length_a = length_of(a, in_a->dimids[k]), length_b = length_of(b, in_b->dimids[k]);
    char room[LINE];

    headline(p, with_name ? "\tdimension %d:" : "\tDimension %d:", k);
    if (with_name)
        pcdf_peerdiff_check(p, strcmp(name_a, name_b) == 0, "\t\t", words(room, "name (%s)", name_a),
                            "variable \"%s\" of type \"%s\" dimension %d's name (%s) != (%s)", in_a->name,
                            pcdf_type_name(in_a->type), k, name_a, name_b);
    return pcdf_peerdiff_check(p, length_a == length_b, "\t\t", words(room, "length (%" PRId64 ")", length_a),
                               "variable \"%s\" of type \"%s\" dimension %d's length (%" PRId64
                               ") != (%" PRId64 ")",
                               in_a->name, pcdf_type_name(in_a->type), k, length_a, length_b);
}

static bool check_var(struct pcdf_peerdiff *p, int i, int j, bool with_names)
{
    const struct pcdf_var *in_a = &p->d.a.meta.vars[i], *in_b = &p->d.b.meta.vars[j];
    const char *type_a = pcdf_type_name(in_a->type), *type_b = pcdf_type_name(in_b->type);
    char room[LINE];

    headline(p, "Variable \"%s\":", in_a->name);
    bool same = pcdf_peerdiff_check(p, in_a->type == in_b->type, "\t", words(room, "data type (%s)", type_a),
                                    "variable \"%s\" data type (%s) != (%s)", in_a->name, type_a, type_b);
    if (!pcdf_peerdiff_check(
            p, in_a->ndims == in_b->ndims, "\t", words(room, "number of dimensions (%d)", in_a->ndims),
            "variable \"%s\" number of dimensions (%d) != (%d)", in_a->name, in_a->ndims, in_b->ndims))
        return false;
    for (int k = 0; k < in_a->ndims; k++)
        same = check_dim_of(p, in_a, in_b, k, with_names) && same;
    return same;
}

bool pcdf_peerdiff_shape(struct pcdf_peerdiff *p, int i, int j)
{
    return check_var(p, i, j, false);
}

static void check_vars(struct pcdf_peerdiff *p)
{
    const struct pcdf_meta *a = &p->d.a.meta, *b = &p->d.b.meta;
    const char *const *paths = p->d.options.paths;
    char room[LINE];

    headline(p, "Variables:");
    for (int i = 0; i < a->nvars; i++) {
        const struct pcdf_var *var = &a->vars[i];
        int j = p->d.pairs[i].b;
        if (j < 0) {
            pcdf_peerdiff_check(p, false, "", "", "variable \"%s\" defined in %s not found in %s", var->name,
                                paths[0], paths[1]);
            continue;
        }
        check_var(p, i, j, true);
        pcdf_peerdiff_check(
            p, var->atts.n == b->vars[j].atts.n, "\t", words(room, "number of attributes (%d)", var->atts.n),
            "variable \"%s\" number of attributes (%d) != (%d)", var->name, var->atts.n, b->vars[j].atts.n);
        check_atts(p, var->name, &var->atts, &b->vars[j].atts);
    }
    for (int j = 0; j < b->nvars; j++)
        if (pcdf_meta_find_var(a, b->vars[j].name) < 0)
            pcdf_peerdiff_check(p, false, "", "", "variable \"%s\" defined in %s not found in %s",
                                b->vars[j].name, paths[1], paths[0]);
}

void pcdf_peerdiff_format(struct pcdf_peerdiff *p)
{
    int a = (int)p->d.a.meta.version, b = (int)p->d.b.meta.version;
    if (a != b)
        pcdf_peerdiff_check(p, false, "", "", "file format (CDF-%d) != (CDF-%d)", a, b);
}

void pcdf_peerdiff_header(struct pcdf_peerdiff *p)
{
    const struct pcdf_meta *a = &p->d.a.meta, *b = &p->d.b.meta;

    check_count(p, "dimensions", a->ndims, b->ndims);
    check_count(p, "variables", a->nvars, b->nvars);
    check_count(p, "global attributes", a->gatts.n, b->gatts.n);
    check_atts(p, NULL, &a->gatts, &b->gatts);
    check_dims(p);
    check_vars(p);
}
