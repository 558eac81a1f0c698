/* `parcdf offsets`: where each variable begins and ends, and the gaps, as tab-separated rows. */
#include "tool.h"
#include "toolfile.h"
#include "alloc.h"
#include "options.h"
#include "status.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VARIABLE_OPTIONS = 64 };

struct options {
    const char *variables[MOST_VARIABLE_OPTIONS]; /* of -v, as given */
    int nvariables;
    bool sizes, gaps, all_records, test;
    const char *path;
};

struct listing {
    const struct options *options;
    struct pcdf_tool_file file;
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    bool *selected; /* one a variable; NULL: all */
};

/* a + b * c, or INT64_MAX: hostile numbers of records must not wrap. */
static int64_t sum_capped(int64_t a, int64_t b, int64_t c)
{
    int64_t product, sum;
    if (__builtin_mul_overflow(b, c, &product) || __builtin_add_overflow(a, product, &sum))
        return INT64_MAX;
    return sum;
}

static bool is_shown(const struct listing *l, int varid)
{
    return !l->selected || l->selected[varid];
}

/* Where the next variable of the same section begins, or the section ends; `end` where nothing follows. */
static int64_t next_begin(const struct listing *l, int varid, int64_t end)
{
    const struct pcdf_meta *meta = &l->meta;
    bool is_record = meta->vars[varid].is_record;

    for (int i = varid + 1; i < meta->nvars; i++)
        if (meta->vars[i].is_record == is_record)
            return l->layout.begin[i];
    if (is_record)
        return sum_capped(l->layout.begin_rec, 1, l->layout.recsize);
    return meta->nrecord_vars > 0 ? l->layout.begin_rec : end;
}

/* Unused bytes after a variable, in a record where it is a record variable. Padding to 4 bytes is no gap. */
static int64_t gap_after(const struct listing *l, int varid)
{
    int64_t end = sum_capped(l->layout.begin[varid], 1, l->meta.vars[varid].nbytes);
    int64_t gap = next_begin(l, varid, end) - end;
    int64_t padding = pcdf_layout_padded(l->meta.vars[varid].nbytes) - l->meta.vars[varid].nbytes;

    return gap > padding ? gap - padding : 0;
}

static int64_t gap_after_header(const struct listing *l)
{
    int64_t first = -1;

    for (int i = 0; i < l->meta.nvars; i++)
        if (first < 0 || l->layout.begin[i] < first)
            first = l->layout.begin[i];
    return first > l->layout.header_size ? first - l->layout.header_size : 0;
}

static void print_shape(const struct listing *l, const struct pcdf_var *var)
{
    if (var->ndims == 0)
        putchar('-');
    for (int i = 0; i < var->ndims; i++) {
        const struct pcdf_dim *dim = &l->meta.dims[var->dimids[i]];
        if (i > 0)
            putchar(',');
        pcdf_tool_print(stdout, dim->name);
        printf("=%" PRId64, dim->length == 0 ? l->meta.numrecs : dim->length);
    }
}

static void print_name(const char *kind, const struct listing *l, const struct pcdf_var *var)
{
    printf("%s\t", kind);
    pcdf_tool_print(stdout, var->name);
    printf("\t%s\t", pcdf_type_cdl(var->type));
    print_shape(l, var);
}

static void print_fixed(const struct listing *l, int varid)
{
    const struct pcdf_var *var = &l->meta.vars[varid];
    int64_t begin = l->layout.begin[varid];

    print_name("fixed", l, var);
    printf("\t-\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t-\t-\n", begin,
           sum_capped(begin, 1, var->nbytes), var->nbytes, gap_after(l, varid));
}

static void print_record(const struct listing *l, int varid, int64_t record)
{
    const struct pcdf_var *var = &l->meta.vars[varid];
    int64_t first = l->layout.begin[varid], begin = sum_capped(first, record, l->layout.recsize);

    print_name("record", l, var);
    printf("\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64, record, begin,
           sum_capped(begin, 1, var->nbytes), var->nbytes, gap_after(l, varid), first - l->layout.begin_rec);
    if (l->meta.numrecs > 0)
        printf("\t%" PRId64 "\n",
               sum_capped(sum_capped(first, l->meta.numrecs - 1, l->layout.recsize), 1, var->nbytes));
    else
        puts("\t-");
}

static void print_record_section(const struct listing *l)
{
    const struct pcdf_dim *dim = &l->meta.dims[l->meta.record_dim];

    fputs("records\t-\t-\t", stdout);
    pcdf_tool_print(stdout, dim->name);
    printf("=%" PRId64 "\t-\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t-\t-\t-\n", l->meta.numrecs,
           l->layout.begin_rec, sum_capped(l->layout.begin_rec, l->meta.numrecs, l->layout.recsize),
           l->layout.recsize);
}

/* The record section, record by record as it lies in the file. */
static void print_records(const struct listing *l)
{
    int64_t records = l->options->all_records && l->meta.numrecs > 1 ? l->meta.numrecs : 1;

    if (l->meta.nrecord_vars == 0)
        return;
    print_record_section(l);
    for (int64_t r = 0; r < records && !ferror(stdout); r++)
        for (int i = 0; i < l->meta.nvars; i++)
            if (l->meta.vars[i].is_record && is_shown(l, i))
                print_record(l, i, r);
}

static void print_table(const struct listing *l)
{
    fputs("#file\t", stdout);
    pcdf_tool_print(stdout, l->file.path);
    printf("\tCDF-%d\n#kind\tname\ttype\tshape\trecord\tbegin\tend\tsize\tgap\toffset\tlast\n",
           (int)l->meta.version);
    printf("header\t-\t-\t-\t-\t0\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t-\t-\n", l->layout.header_size,
           l->layout.header_size, gap_after_header(l));
    for (int i = 0; i < l->meta.nvars; i++)
        if (!l->meta.vars[i].is_record && is_shown(l, i))
            print_fixed(l, i);
    print_records(l);
}

static void print_sizes(const struct listing *l)
{
    for (int i = 0; i < l->meta.nvars; i++)
        if (is_shown(l, i)) {
            pcdf_tool_print(stdout, l->meta.vars[i].name);
            printf("\t%" PRId64 "\n", l->meta.vars[i].nbytes);
        }
}

static void print_gaps(const struct listing *l)
{
    if (gap_after_header(l) > 0 && !l->selected)
        printf("-\t%" PRId64 "\t%" PRId64 "\n", l->layout.header_size, gap_after_header(l));
    for (int i = 0; i < l->meta.nvars; i++) {
        int64_t padded = pcdf_layout_padded(l->meta.vars[i].nbytes);
        if (!is_shown(l, i) || gap_after(l, i) == 0)
            continue;
        pcdf_tool_print(stdout, l->meta.vars[i].name);
        printf("\t%" PRId64 "\t%" PRId64 "\n", sum_capped(l->layout.begin[i], 1, padded), gap_after(l, i));
    }
}

/* -x: are there gaps between variables? The room after the header is meant to be there. */
static int test_gaps(const struct listing *l)
{
    int found = 0;

    for (int i = 0; i < l->meta.nvars; i++)
        if (is_shown(l, i) && gap_after(l, i) > 0)
            found = 1;
    printf("%d\n", found);
    return found ? PCDF_TOOL_BAD : PCDF_TOOL_GOOD;
}

static int print_listing(const struct listing *l)
{
    if (l->options->test)
        return test_gaps(l);
    if (l->options->sizes)
        print_sizes(l);
    if (l->options->gaps)
        print_gaps(l);
    if (!l->options->sizes && !l->options->gaps)
        print_table(l);
    return PCDF_TOOL_GOOD;
}

static int select_one(struct listing *l, const char *name)
{
    int varid = pcdf_tool_find_variable(&l->meta, name);

    if (varid >= 0) {
        l->selected[varid] = true;
        return PCDF_TOOL_GOOD;
    }
    return pcdf_tool_no_variable(l->file.path, &l->meta, name, "");
}

/* One -v: a name as it is, which may hold commas, or names between commas. */
static int select_list(struct listing *l, const char *list)
{
    if (pcdf_tool_find_variable(&l->meta, list) >= 0 || !strchr(list, ','))
        return select_one(l, list);
    char *names = pcdf_strndup(list, strlen(list)), *rest = names;
    int status = names ? PCDF_TOOL_GOOD : PCDF_TOOL_UNUSABLE;
    for (char *name = names; name && !status; name = rest) {
        rest = strchr(name, ',');
        if (rest)
            *rest++ = '\0';
        status = select_one(l, name);
    }
    pcdf_free(names);
    return status;
}

static int select_variables(struct listing *l)
{
    int status = PCDF_TOOL_GOOD;

    if (l->options->nvariables == 0)
        return status;
    l->selected = pcdf_calloc((size_t)l->meta.nvars + 1, sizeof *l->selected);
    if (!l->selected)
        return PCDF_TOOL_UNUSABLE;
    for (int i = 0; i < l->options->nvariables && !status; i++)
        status = select_list(l, l->options->variables[i]);
    return status;
}

static int list_file(const struct options *options)
{
    struct listing l = { .options = options };

    int status = pcdf_tool_open_regular(&l.file, options->path);
    if (status)
        return status;
    status = pcdf_tool_decode(&l.file, false, &l.meta, &l.layout);
    if (!status) {
        status = select_variables(&l);
        if (!status)
            status = print_listing(&l);
        pcdf_free(l.selected);
        pcdf_layout_free(&l.layout);
        pcdf_meta_free(&l.meta);
    }
    pcdf_tool_close(&l.file);
    return status;
}

static const struct pcdf_option rows[] = {
    { "-v NAME[,NAME]", "only these variables; may be repeated",
      PCDF_LIST(struct options, variables, nvariables, MOST_VARIABLE_OPTIONS, "more than 64 -v") },
    { "-s", "only names and sizes (of one record)", PCDF_FLAG(struct options, sizes) },
    { "-g", "only gaps: after which variable ('-' is the header), where, and how many bytes",
      PCDF_FLAG(struct options, gaps) },
    { "-r", "all records, not only the first one", PCDF_FLAG(struct options, all_records) },
    { "-x", "print 1 and exit with 1 if there are gaps between variables, otherwise print 0",
      PCDF_FLAG(struct options, test) },
    { 0 }
};
static const struct pcdf_options option_table = { .rows = rows,
                                                  .column = 18,
                                                  .unknown = "unknown option, or one without its argument: %",
                                                  .is_in_order = true,
                                                  .least = 1,
                                                  .most = 1,
                                                  .few = "takes one file",
                                                  .many = "takes one file" };

static int run(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    struct options options = { 0 };
    struct pcdf_arguments file;

    (void)ranks;
    int status = pcdf_tool_options(&pcdf_tool_offsets, &options, argc, argv, &file);
    if (status)
        return status;
    options.path = file.x[0];
    return list_file(&options);
}

const struct pcdf_tool_command pcdf_tool_offsets = {
    .name = "offsets",
    .usage = "[-v NAME[,NAME]]... [-s] [-g] [-r] [-x] FILE",
    .summary = "list where each variable begins and ends, and the gaps",
    .help = "Prints a table with columns separated by tabs. Lines that begin with '#' name\n"
            "the file and the columns:\n\n"
            "  kind        header; fixed (a fixed-size variable); records (all records);\n"
            "              record (a record variable)\n"
            "  name        the name of the variable\n"
            "  type        its type\n"
            "  shape       its dimensions, as dimension=length,...\n"
            "  record      the number of the record\n"
            "  begin, end  the first byte of the data, and the first byte after it\n"
            "  size        bytes of the data; of record variables, in one record\n"
            "  gap         unused bytes after the data, without padding to 4 bytes\n"
            "  offset      of a record variable: where it begins in its record\n"
            "  last        of a record variable: where its data ends in the last record\n\n"
            "A field that does not apply is '-'.\n\n",
    .options = &option_table,
    .more_help = "\nExit status: 0 good, 1 bad (with -x: there are gaps), 2 unusable.\n\n"
                 "EXAMPLES\n"
                 "  parcdf offsets run.nc\n"
                 "  parcdf offsets -v temp,salt run.nc\n"
                 "  parcdf offsets -g run.nc\n",
    .run = run,
};
