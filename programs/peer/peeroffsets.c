/* The program under PnetCDF's name ncoffsets: its options, its form, its exit status. Only the drop-in
 * installs that name; `parcdf offsets` says the same in rows that are easier to read by a program. */
#include "tool.h"
#include "toolfile.h"
#include "alloc.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

struct request {
    bool sizes, gaps, all_records, test;
    const char *variables, *path;
};

struct shown {
    const struct request *request;
    struct pcdf_tool_file file;
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    bool *selected; /* one a variable */
};

static int usage(int status)
{
    fputs("Usage: ncoffsets [-h] | [-x] | [-sgr] [-v var1[,...]] file\n"
          "       -h             print this help\n"
          "       -v var1[,...]  only these variables\n"
          "       -s             print sizes, too (record variables: of one record)\n"
          "       -g             print the gap before each variable, too\n"
          "       -r             print all records, not only the first one\n"
          "       -x             print 1 if there are gaps between fixed-size variables,\n"
          "                      otherwise 0\n",
          stderr);
    return status;
}

static int64_t end_of(const struct shown *s, int varid)
{
    int64_t end;
    bool wraps = __builtin_add_overflow(s->layout.begin[varid], s->meta.vars[varid].nbytes, &end);
    return wraps ? INT64_MAX : end;
}

/* The variable of the file before this one: of the same kind, or for the first record variable the last of
 * fixed size; -1: none. */
static int before(const struct shown *s, int varid)
{
    int fixed = -1;
    for (int i = varid - 1; i >= 0; i--)
        if (s->meta.vars[i].is_record == s->meta.vars[varid].is_record)
            return i;
    for (int i = 0; s->meta.vars[varid].is_record && i < s->meta.nvars; i++)
        fixed = s->meta.vars[i].is_record ? fixed : i;
    return fixed;
}

static int64_t gap_before(const struct shown *s, int varid)
{
    int previous = before(s, varid);
    return s->layout.begin[varid] - (previous < 0 ? s->layout.header_size : end_of(s, previous));
}

static bool has_gaps(const struct shown *s)
{
    for (int i = 0; i < s->meta.nvars; i++)
        if (!s->meta.vars[i].is_record && before(s, i) >= 0 && gap_before(s, i) != 0)
            return true;
    return false;
}

static void print_header(const struct shown *s)
{
    fputs("netcdf ", stdout);
    pcdf_tool_print(stdout, s->file.path);
    printf(" {\n// file format: CDF-%d\n\nfile header:\n\tsize   = %" PRId64 " bytes\n\textent = %" PRId64
           " bytes\n",
           (int)s->meta.version, s->layout.header_size, s->layout.header_extent);
    if (s->meta.ndims > 0)
        puts("\ndimensions:");
    for (int i = 0; i < s->meta.ndims; i++) {
        putchar('\t');
        pcdf_tool_print(stdout, s->meta.dims[i].name);
        if (i == s->meta.record_dim)
            printf(" = UNLIMITED // (%" PRId64 " currently)\n", s->meta.numrecs);
        else
            printf(" = %" PRId64 "\n", s->meta.dims[i].length);
    }
}

static const char *ordinal(int64_t n)
{
    static const char *const endings[] = { "th", "st", "nd", "rd" };
    return n % 10 > 3 || (n % 100 >= 11 && n % 100 <= 13) ? "th" : endings[n % 10];
}

/* `record` < 0: not of a record. */
static void print_offsets(int64_t begin, int64_t end, int64_t record)
{
    char note[40] = "";

    if (record >= 0)
        snprintf(note, sizeof note, "    (%" PRId64 "%s record)", record, ordinal(record));
    printf("\t       start file offset = %11" PRId64 "%s\n", begin, note);
    printf("\t       end   file offset = %11" PRId64 "%s\n", end, note);
}

static void print_records(const struct shown *s, int varid)
{
    int64_t begin = s->layout.begin[varid], end = end_of(s, varid);
    int64_t records = s->request->all_records ? s->meta.numrecs : 1;

    for (int64_t i = 0; i < records && !ferror(stdout); i++) {
        print_offsets(begin, end, i);
        if (__builtin_add_overflow(begin, s->layout.recsize, &begin) ||
            __builtin_add_overflow(end, s->layout.recsize, &end))
            break;
    }
}

static void print_variable(const struct shown *s, int varid)
{
    const struct pcdf_var *var = &s->meta.vars[varid];

    printf("\t%-6s ", pcdf_type_cdl(var->type));
    pcdf_tool_print(stdout, var->name);
    for (int i = 0; i < var->ndims; i++) {
        fputs(i == 0 ? "(" : ", ", stdout);
        pcdf_tool_print(stdout, s->meta.dims[var->dimids[i]].name);
    }
    puts(var->ndims > 0 ? "):" : ":");
    if (var->is_record)
        print_records(s, varid);
    else
        print_offsets(s->layout.begin[varid], end_of(s, varid), -1);
    if (s->request->sizes)
        printf("\t       size in bytes     = %11" PRId64 "%s\n", var->nbytes,
               var->is_record ? "    (of one record)" : "");
    if (s->request->gaps)
        printf("\t       gap from prev var = %11" PRId64 "\n", gap_before(s, varid));
}

static void print_section(const struct shown *s, bool is_record, const char *title)
{
    bool begun = false;

    for (int i = 0; i < s->meta.nvars; i++) {
        if (s->meta.vars[i].is_record != is_record || !s->selected[i])
            continue;
        if (!begun)
            printf("\n%s variables:\n", title);
        begun = true;
        print_variable(s, i);
    }
}

/* The names between commas of -v; all variables without one. */
static int select_variables(struct shown *s)
{
    const char *list = s->request->variables;

    s->selected = pcdf_calloc((size_t)s->meta.nvars + 1, sizeof *s->selected);
    if (!s->selected)
        return PCDF_TOOL_BAD;
    memset(s->selected, !list, (size_t)s->meta.nvars);
    while (list) {
        size_t length = strcspn(list, ",");
        char *name = pcdf_strndup(list, length);
        int varid = name ? pcdf_tool_find_variable(&s->meta, name) : -1;
        if (varid < 0) {
            fputs("Error: variable ", stderr);
            pcdf_tool_print(stderr, name ? name : "");
            fputs(" not found\n", stderr);
        }
        pcdf_free(name);
        if (varid < 0)
            return PCDF_TOOL_BAD;
        s->selected[varid] = true;
        list = list[length] ? list + length + 1 : NULL;
    }
    return PCDF_TOOL_GOOD;
}

static int show(struct shown *s)
{
    if (s->request->test)
        return printf("%d\n", has_gaps(s)) < 0;
    int status = select_variables(s);
    if (!status) {
        print_header(s);
        print_section(s, false, "fixed-size");
        print_section(s, true, "record");
        puts("}");
    }
    pcdf_free(s->selected);
    return status;
}

int pcdf_tool_ncoffsets(const struct pcdf_tool_ranks *ranks, int argc, char **argv)
{
    struct request request = { 0 };
    struct shown s = { .request = &request };
    int c;

    (void)ranks;
    while ((c = getopt(argc, argv, "hv:sgrx")) != -1) {
        if (c == 'h' || c == '?')
            return usage(c != 'h');
        request.variables = c == 'v' ? optarg : request.variables;
        request.sizes = request.sizes || c == 's';
        request.gaps = request.gaps || c == 'g';
        request.all_records = request.all_records || c == 'r';
        request.test = request.test || c == 'x';
    }
    if (optind >= argc)
        return usage(1);
    if (pcdf_tool_open_regular(&s.file, argv[optind]))
        return PCDF_TOOL_BAD;
    bool bad = pcdf_tool_decode(&s.file, false, &s.meta, &s.layout);
    if (!bad) {
        bad = show(&s);
        pcdf_layout_free(&s.layout);
        pcdf_meta_free(&s.meta);
    }
    pcdf_tool_close(&s.file);
    return bad;
}
