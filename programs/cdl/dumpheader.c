/* The header as CDL: dimensions, variables, attributes. */
#include "dump.h"
#include "tool.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_ncmpi(const struct pcdf_dump *dump)
{
    return dump->options->dialect == PCDF_DUMP_AS_NCMPIDUMP;
}

void pcdf_dump_title(const char *path, char *title, size_t room)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    size_t n = dot ? (size_t)(dot - name) : strlen(name);

    n = n < room ? n : room - 1;
    memcpy(title, name, n);
    title[n] = '\0';
}

bool pcdf_dump_text_attribute(const struct pcdf_var *var, const char *name, char *text, size_t room)
{
    int id = pcdf_atts_find(&var->atts, name);
    const struct pcdf_att *att = id < 0 ? NULL : &var->atts.x[id];

    if (!att || att->type != NC_CHAR)
        return false;
    size_t n = att->nelems < (int64_t)room ? (size_t)att->nelems : room - 1;
    if (n > 0)
        memcpy(text, att->values, n);
    text[n] = '\0';
    return true;
}

static void print_title(struct pcdf_dump *dump)
{
    char title[NC_MAX_NAME + 256];
    const char *name = dump->options->name;

    if (!name) {
        pcdf_dump_title(pcdf_dump_path(dump), title, sizeof title);
        name = title;
    }
    pcdf_dump_coloured(dump->out, PCDF_DUMP_WORD, "netcdf ");
    pcdf_dump_name(dump->out, name);
    pcdf_dump_text(dump->out, " {\n");
    if (is_ncmpi(dump))
        pcdf_dump_format(dump->out, "// file format: %s\n", pcdf_dump_format_name(dump->ds.meta.version));
}

static void print_dims(struct pcdf_dump *dump)
{
    const struct pcdf_meta *meta = &dump->ds.meta;

    if (meta->ndims > 0)
        pcdf_dump_coloured(dump->out, PCDF_DUMP_WORD, "dimensions:\n");
    for (int i = 0; i < meta->ndims; i++) {
        pcdf_dump_text(dump->out, "\t");
        pcdf_dump_name(dump->out, meta->dims[i].name);
        if (i == meta->record_dim) {
            pcdf_dump_text(dump->out, " = UNLIMITED ;");
            pcdf_dump_colour(dump->out, PCDF_DUMP_NOTE);
            pcdf_dump_format(dump->out, " // (%" PRId64 " currently)\n", meta->numrecs);
            pcdf_dump_colour(dump->out, PCDF_DUMP_PLAIN);
        } else {
            pcdf_dump_format(dump->out, " = %" PRId64 " ;\n", meta->dims[i].length);
        }
    }
}

/* --- attributes -------------------------------------------------------------------------------------------
 */

static void print_text(struct pcdf_dump *dump, const struct pcdf_att *att)
{
    static const char named[] = "\b\f\n\r\t\v\\\'\"", letters[] = "bfnrtv\\\'\"";
    struct pcdf_dump_out *out = dump->out;
    int64_t n = att->nelems;

    while (n > 0 && att->values[n - 1] == 0)
        n--;
    pcdf_dump_text(out, "\"");
    for (int64_t i = 0; i < n; i++) {
        unsigned char byte = att->values[i];
        const char *at = byte ? strchr(named, byte) : NULL;
        if (at) {
            char escape[2] = { '\\', letters[at - named] };
            pcdf_dump_bytes(out, escape, 2);
        } else if (byte < 0x20 || byte == 0x7F) {
            pcdf_dump_format(out, "\\%.3o", byte);
        } else {
            pcdf_dump_bytes(out, (const char *)&att->values[i], 1);
        }
        if (byte == '\n')
            pcdf_dump_text(out, is_ncmpi(dump) ? "\",\n    \"" : "\",\n\t\t\t\"");
    }
    pcdf_dump_text(out, "\"");
}

size_t pcdf_dump_number(const struct pcdf_dump *dump, const struct pcdf_value *value, bool is_typed, char *to)
{
    const struct pcdf_dump_options *o = dump->options;
    int digits = value->type == NC_FLOAT ? o->float_digits : o->double_digits;

    if (is_ncmpi(dump) && pcdf_value_is_real(value->type) && !isfinite(value->is.real))
        return (size_t)snprintf(to, PCDF_VALUE_ROOM, "%g%s", value->is.real,
                                is_typed && value->type == NC_FLOAT ? "f" : "");
    return is_typed ? pcdf_value_typed(to, value, digits) : pcdf_value_text(to, value, digits);
}

static void print_numbers(struct pcdf_dump *dump, const struct pcdf_att *att)
{
    int size = pcdf_type_size(att->type);

    for (int64_t i = 0; i < att->nelems; i++) {
        char text[PCDF_VALUE_ROOM];
        struct pcdf_value value = pcdf_value_load(att->type, att->values + i * size);
        if (i > 0)
            pcdf_dump_text(dump->out, ", ");
        pcdf_dump_bytes(dump->out, text, pcdf_dump_number(dump, &value, true, text));
    }
}

static void print_date(struct pcdf_dump *dump, const struct pcdf_time *time, const struct pcdf_att *att,
                       int64_t i)
{
    char text[PCDF_VALUE_ROOM];
    struct pcdf_value value = pcdf_value_load(att->type, att->values + i * pcdf_type_size(att->type));
    double real = pcdf_value_as_real(&value);
    size_t n = isfinite(real) ? pcdf_time_text(time, real, dump->options->date_separator, text) : 0;

    if (n > 0) {
        pcdf_dump_text(dump->out, "\"");
        pcdf_dump_bytes(dump->out, text, n);
        pcdf_dump_text(dump->out, "\"");
    } else {
        value = (struct pcdf_value){ .type = NC_DOUBLE, .is.real = real };
        pcdf_dump_bytes(dump->out, text, pcdf_value_text(text, &value, dump->options->double_digits));
    }
}

/* Numbers among the attributes of a variable of times are times too: a comment says which, four in a line. */
static void print_dates(struct pcdf_dump *dump, const struct pcdf_time *time, const struct pcdf_att *att)
{
    pcdf_dump_colour(dump->out, PCDF_DUMP_NOTE);
    pcdf_dump_text(dump->out, att->nelems > 2 ? "\n\t\t  // " : " // ");
    for (int64_t i = 0; i < att->nelems; i++) {
        if (i > 0)
            pcdf_dump_text(dump->out, i % 4 ? ", " : ",\n\t\t  // ");
        print_date(dump, time, att, i);
    }
    pcdf_dump_colour(dump->out, PCDF_DUMP_PLAIN);
}

static void print_att(struct pcdf_dump *dump, const struct pcdf_time *time, const struct pcdf_att *att)
{
    pcdf_dump_text(dump->out, ":");
    pcdf_dump_name(dump->out, att->name);
    pcdf_dump_text(dump->out, " = ");
    if (att->nelems == 0)
        pcdf_dump_text(dump->out, "\"\"");
    else if (att->type == NC_CHAR)
        print_text(dump, att);
    else
        print_numbers(dump, att);
    pcdf_dump_text(dump->out, " ;");
    if (time && att->nelems > 0 && att->type != NC_CHAR)
        print_dates(dump, time, att);
    pcdf_dump_text(dump->out, "\n");
}

/* --- variables --------------------------------------------------------------------------------------------
 */

/* Where CDL would take the name before the colon for a section's, a blank stands between. */
static bool is_section(const char *name)
{
    static const char *const words[] = { "data", "dimensions", "group", "types", "variables" };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return false;
}

static void print_declaration(struct pcdf_dump *dump, const struct pcdf_var *var)
{
    struct pcdf_dump_out *out = dump->out;

    pcdf_dump_text(out, "\t");
    pcdf_dump_coloured(out, PCDF_DUMP_TYPE, pcdf_type_cdl(var->type));
    pcdf_dump_text(out, " ");
    pcdf_dump_colour(out, PCDF_DUMP_NAME);
    pcdf_dump_name(out, var->name);
    pcdf_dump_colour(out, PCDF_DUMP_PLAIN);
    for (int i = 0; i < var->ndims; i++) {
        pcdf_dump_text(out, i ? ", " : "(");
        pcdf_dump_name(out, dump->ds.meta.dims[var->dimids[i]].name);
    }
    pcdf_dump_text(out, var->ndims > 0 ? ") ;\n" : " ;\n");
}

static void print_var(struct pcdf_dump *dump, int varid)
{
    const struct pcdf_var *var = &dump->ds.meta.vars[varid];
    struct pcdf_time time;
    enum pcdf_time_kind kind = pcdf_dump_time_of(dump, varid, &time);
    bool is_time = kind == PCDF_TIME_DATES;

    if (kind == PCDF_TIME_UNREADABLE)
        pcdf_tool_say(pcdf_dump_path(dump), "times of %.200s are printed as numbers: %s", var->name,
                      time.why);

    print_declaration(dump, var);
    for (int i = 0; i < var->atts.n; i++) {
        pcdf_dump_text(dump->out, "\t\t");
        pcdf_dump_name(dump->out, var->name);
        if (is_section(var->name) && !is_ncmpi(dump))
            pcdf_dump_text(dump->out, " ");
        print_att(dump, is_time ? &time : NULL, &var->atts.x[i]);
    }
}

static const char *special_format(enum pcdf_version version)
{
    return version == PCDF_CDF1 ? "classic" : version == PCDF_CDF2 ? "64-bit offset" : "cdf5";
}

static void print_globals(struct pcdf_dump *dump)
{
    const struct pcdf_atts *atts = &dump->ds.meta.gatts;
    bool specials = dump->options->specials;

    if (atts->n > 0 || specials)
        pcdf_dump_coloured(dump->out, PCDF_DUMP_NOTE, "\n// global attributes:\n");
    for (int i = 0; i < atts->n; i++) {
        pcdf_dump_text(dump->out, "\t\t");
        print_att(dump, NULL, &atts->x[i]);
    }
    if (specials)
        pcdf_dump_format(dump->out, "\t\t:_Format = \"%s\" ;\n", special_format(dump->ds.meta.version));
}

void pcdf_dump_header(struct pcdf_dump *dump)
{
    print_title(dump);
    print_dims(dump);
    if (dump->ds.meta.nvars > 0)
        pcdf_dump_coloured(dump->out, PCDF_DUMP_WORD, "variables:\n");
    for (int i = 0; i < dump->ds.meta.nvars && pcdf_dump_flush(dump->out); i++)
        print_var(dump, i);
    print_globals(dump);
}
