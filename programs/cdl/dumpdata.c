/* The data section of CDL. */
#include "dump.h"
#include "meaningtext.h"
#include "meaningvalues.h"
#include "tool.h"
#include "toolgrid.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

struct section { /* one variable, or a part of it */
    struct pcdf_dump *dump;
    const struct pcdf_var *var;
    const struct pcdf_tool_slice *slice;
    int64_t *index;
    int64_t columns; /* values of a row */
    bool is_time, has_fill, has_format;
    struct pcdf_time time;
    struct pcdf_meaning_packing packing; /* of times */
    struct pcdf_value fill;
    char format[128];
};

/* --- what is known of a variable --------------------------------------------------------------------------
 */

enum pcdf_time_kind pcdf_dump_time_of(const struct pcdf_dump *dump, int varid, struct pcdf_time *time)
{
    return dump->options->times ? pcdf_time_of(time, &dump->ds.meta, varid) : PCDF_TIME_NONE;
}

static bool is_ncmpi(const struct pcdf_dump *dump)
{
    return dump->options->dialect == PCDF_DUMP_AS_NCMPIDUMP;
}

/* ncmpidump compares all types as reals: NaN is equal to nothing, and large integers are to their like. */
static bool is_fill(const struct section *s, const struct pcdf_value *value)
{
    if (!is_ncmpi(s->dump))
        return pcdf_value_equals(value, &s->fill);
    double real = pcdf_value_as_real(value), fill = pcdf_value_as_real(&s->fill);
    double epsilon = value->type == NC_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON;
    return (real > 0) == (fill > 0) && fabs(real - fill) <= fabs(epsilon * fill);
}

/* The value that stands as `_`: _FillValue, or the type's own; bytes have none of their own. Not the type's
 * where _FillValue is no number of the type: others who read the text would take `_` for something else. */
static void find_fill(struct section *s)
{
    const struct pcdf_var *var = s->var;
    bool has_default = var->type != NC_BYTE && (var->type != NC_UBYTE || is_ncmpi(s->dump));
    unsigned char fill[8];

    s->has_fill = pcdf_meaning_att(&var->atts, "_FillValue") ? pcdf_meaning_own_fill(var, fill) : has_default;
    if (s->has_fill) {
        pcdf_meaning_fill(var, fill);
        s->fill = pcdf_value_load(var->type, fill);
    }
}

static void find_format(struct section *s)
{
    const struct pcdf_dump_options *o = s->dump->options;
    bool is_given = s->var->type == NC_FLOAT    ? o->has_float_digits
                    : s->var->type == NC_DOUBLE ? o->has_double_digits
                                                : false;

    s->has_format = !is_given && pcdf_dump_text_attribute(s->var, "C_format", s->format, sizeof s->format) &&
                    pcdf_value_format_fits(s->format, s->var->type);
}

/* --- notes ------------------------------------------------------------------------------------------------
 */

static int64_t file_index(const struct section *s, int dim, int64_t at)
{
    return s->slice->start[dim] + at * s->slice->stride[dim];
}

/* "  // v(0, 0-2)": what stands in the row that follows. */
static void note_row(struct section *s)
{
    struct pcdf_dump_out *out = s->dump->out;
    bool is_fortran = s->dump->options->is_fortran;
    int last = s->var->ndims - 1;
    int64_t from = file_index(s, last, 0) + is_fortran, to = file_index(s, last, s->columns - 1) + is_fortran;

    pcdf_dump_colour(out, PCDF_DUMP_NOTE);
    pcdf_dump_text(out, "// ");
    pcdf_dump_name(out, s->var->name);
    pcdf_dump_text(out, "(");
    if (is_fortran) {
        if (s->columns == 1)
            pcdf_dump_format(out, "%" PRId64, from);
        else
            pcdf_dump_format(out, "%" PRId64 "-%" PRId64 " ", from, to);
        for (int i = last - 1; i >= 0; i--)
            pcdf_dump_format(out, ",%" PRId64, file_index(s, i, s->index[i]) + 1);
    } else {
        for (int i = 0; i < last; i++)
            pcdf_dump_format(out, "%" PRId64 ",", file_index(s, i, s->index[i]));
        if (s->columns == 1)
            pcdf_dump_format(out, "%" PRId64, from);
        else
            pcdf_dump_format(out, " %" PRId64 "-%" PRId64, from, to);
    }
    pcdf_dump_text(out, ")");
    pcdf_dump_colour(out, PCDF_DUMP_PLAIN);
    pcdf_dump_text(out, "\n    ");
    out->column = 4;
}

/* "  // v(0,2)" behind one value, number `at` of the row. */
static void note_value(struct section *s, int64_t at)
{
    struct pcdf_dump_out *out = s->dump->out;
    int last = s->var->ndims - 1;

    pcdf_dump_colour(out, PCDF_DUMP_NOTE);
    pcdf_dump_text(out, "  // ");
    pcdf_dump_name(out, s->var->name);
    pcdf_dump_text(out, "(");
    if (last < 0)
        pcdf_dump_text(out, s->dump->options->is_fortran ? "1" : "0");
    if (s->dump->options->is_fortran) {
        for (int i = last; i >= 0; i--)
            pcdf_dump_format(out, "%s%" PRId64, i < last ? "," : "",
                             file_index(s, i, i == last ? at : s->index[i]) + 1);
    } else {
        for (int i = 0; i <= last; i++)
            pcdf_dump_format(out, "%s%" PRId64, i > 0 ? "," : "",
                             file_index(s, i, i == last ? at : s->index[i]));
    }
    pcdf_dump_text(out, ")");
    pcdf_dump_colour(out, PCDF_DUMP_PLAIN);
    pcdf_dump_text(out, "\n    ");
    out->column = 4;
}

/* --- rows -------------------------------------------------------------------------------------------------
 */

static size_t put_value(const struct section *s, const unsigned char *bytes, char *to)
{
    struct pcdf_value value = pcdf_value_load(s->var->type, bytes);

    if (s->has_fill && is_fill(s, &value)) {
        to[0] = '_';
        return 1;
    }
    if (s->is_time) {
        struct pcdf_value read = pcdf_value_load(s->packing.type, bytes);
        double real = pcdf_meaning_unpack(&s->packing, pcdf_value_as_real(&read));
        size_t n =
            isfinite(real) ? pcdf_time_text(&s->time, real, s->dump->options->date_separator, to + 1) : 0;
        to[0] = to[n + 1] = '"';
        if (n > 0)
            return n + 2;
        value = (struct pcdf_value){ .type = NC_DOUBLE, .is.real = real };
        return pcdf_value_text(to, &value, s->dump->options->double_digits);
    }
    if (s->has_format && (!pcdf_value_is_real(value.type) || isfinite(value.is.real)))
        return pcdf_value_formatted(to, &value, s->format);
    return pcdf_dump_number(s->dump, &value, false, to);
}

/* n values that are in memory, the first of them number `at` of its row. */
static void print_values(struct section *s, const unsigned char *bytes, int64_t n, int64_t at,
                         bool is_last_row)
{
    bool in_full = s->dump->options->notes == PCDF_DUMP_FULL;
    int size = pcdf_type_size(s->var->type);
    struct pcdf_dump_out *out = s->dump->out;

    for (int64_t i = 0; i < n; i++, at++, bytes += size) {
        char text[PCDF_VALUE_ROOM + 4];
        size_t length = put_value(s, bytes, text);
        bool ends_row = at + 1 == s->columns, ends_all = ends_row && is_last_row;
        if (in_full) {
            pcdf_dump_bytes(out, text, length);
            pcdf_dump_text(out, ends_all ? ";" : ends_row || is_ncmpi(s->dump) ? "," : ", ");
            note_value(s, at);
            continue;
        }
        if (!ends_row)
            memcpy(text + length, ", ", 2);
        pcdf_dump_wrapped(out, text, ends_row ? length : length + 2);
        if (ends_row)
            pcdf_dump_text(out, ends_all ? " ;" : ",");
    }
}

static int print_row(struct section *s, bool is_last_row)
{
    struct pcdf_dump *dump = s->dump;
    int64_t most = PCDF_DUMP_PIECE / pcdf_type_size(s->var->type), *at = NULL, begin = 0;

    if (s->var->ndims > 0)
        at = &s->index[s->var->ndims - 1];
    for (int64_t done = 0; done < s->columns;) {
        int64_t n = s->columns - done < most ? s->columns - done : most;
        if (at)
            *at = begin + done;
        int status = pcdf_tool_slice_values(&dump->ds, s->slice, s->index, n, dump->values);
        if (status)
            return status;
        print_values(s, dump->values, n, done, is_last_row);
        done += n;
        if (!pcdf_dump_flush(dump->out))
            return PCDF_TOOL_UNUSABLE;
    }
    if (at)
        *at = 0;
    return PCDF_TOOL_GOOD;
}

/* --- text -------------------------------------------------------------------------------------------------
 */

static void print_chars(struct pcdf_dump_out *out, const unsigned char *bytes, int64_t n)
{
    static const char named[] = "\b\f\n\r\t\v\\\'\"", letters[] = "bfnrtv\\\'\"";

    for (int64_t i = 0; i < n; i++) {
        const char *at = bytes[i] ? strchr(named, bytes[i]) : NULL;
        if (at) {
            char escape[2] = { '\\', letters[at - named] };
            pcdf_dump_bytes(out, escape, 2);
        } else if (bytes[i] < 0x20 || bytes[i] >= 0x7F) {
            pcdf_dump_format(out, "\\%.3o", bytes[i]);
        } else {
            pcdf_dump_bytes(out, (const char *)&bytes[i], 1);
        }
        if (bytes[i] == '\n')
            pcdf_dump_text(out, "\",\n    \"");
    }
}

/* A row of characters is one string; NULs at its end are left out, so they are kept back while it is read. */
static int print_text_row(struct section *s, bool is_last_row)
{
    struct pcdf_dump *dump = s->dump;
    int64_t *at = s->var->ndims > 0 ? &s->index[s->var->ndims - 1] : NULL, nuls = 0;

    pcdf_dump_text(dump->out, "\"");
    for (int64_t done = 0; done < s->columns;) {
        int64_t n = s->columns - done < PCDF_DUMP_PIECE ? s->columns - done : PCDF_DUMP_PIECE, full = n;
        if (at)
            *at = done;
        int status = pcdf_tool_slice_values(&dump->ds, s->slice, s->index, n, dump->values);
        if (status)
            return status;
        while (full > 0 && dump->values[full - 1] == 0)
            full--;
        for (; full > 0 && nuls > 0; nuls--)
            pcdf_dump_text(dump->out, "\\000");
        print_chars(dump->out, dump->values, full);
        nuls += n - full;
        done += n;
        if (!pcdf_dump_flush(dump->out))
            return PCDF_TOOL_UNUSABLE;
    }
    if (at)
        *at = 0;
    pcdf_dump_text(dump->out, "\"");
    if (dump->options->notes == PCDF_DUMP_FULL) {
        pcdf_dump_text(dump->out, is_last_row ? ";" : ",");
        note_value(s, s->columns - 1);
    } else {
        pcdf_dump_text(dump->out, is_last_row ? " ;" : ",");
    }
    return PCDF_TOOL_GOOD;
}

/* --- variables --------------------------------------------------------------------------------------------
 */

static void begin_variable(struct section *s)
{
    struct pcdf_dump_out *out = s->dump->out;

    pcdf_dump_text(out, "\n ");
    pcdf_dump_colour(out, PCDF_DUMP_NAME);
    pcdf_dump_name(out, s->var->name);
    pcdf_dump_colour(out, PCDF_DUMP_PLAIN);
    pcdf_dump_text(out, s->var->ndims > 1 ? " =\n  " : " = ");
    out->column = s->var->ndims > 1 ? 2 : (int)strlen(s->var->name) + 4;
}

static int print_rows(struct section *s, int64_t rows)
{
    const struct pcdf_dump_options *o = s->dump->options;

    for (int64_t row = 0; row < rows; row++) {
        bool is_last = row + 1 == rows;
        if (o->notes == PCDF_DUMP_BRIEF && s->var->ndims > 1)
            note_row(s);
        int status = s->var->type == NC_CHAR ? print_text_row(s, is_last) : print_row(s, is_last);
        if (status)
            return status;
        if (!is_last && o->notes != PCDF_DUMP_FULL) {
            pcdf_dump_text(s->dump->out, "\n  ");
            s->dump->out->column = 2;
        }
        pcdf_grid_advance(s->slice->ndims - 1, NULL, s->slice->count, s->index);
    }
    return PCDF_TOOL_GOOD;
}

static int print_variable(struct pcdf_dump *dump, const struct pcdf_tool_slice *slice)
{
    struct section s = {
        .dump = dump, .slice = slice, .var = &dump->ds.meta.vars[slice->varid], .columns = 1
    };
    int64_t size = pcdf_tool_slice_size(slice);

    if (size == 0)
        return PCDF_TOOL_GOOD;
    if (s.var->ndims > 0)
        s.columns = slice->count[s.var->ndims - 1];
    s.index = dump->index;
    memset(s.index, 0, ((size_t)s.var->ndims + 1) * sizeof *s.index);
    s.is_time = pcdf_dump_time_of(dump, slice->varid, &s.time) == PCDF_TIME_DATES;
    s.packing = pcdf_meaning_packing_of(s.var);
    find_fill(&s);
    find_format(&s);
    begin_variable(&s);
    int status = print_rows(&s, size / s.columns);
    if (dump->options->notes != PCDF_DUMP_FULL)
        pcdf_dump_text(dump->out, "\n");
    return status;
}

int pcdf_dump_data(struct pcdf_dump *dump)
{
    int status = PCDF_TOOL_GOOD;

    pcdf_dump_coloured(dump->out, PCDF_DUMP_WORD, "data:\n");
    for (int i = 0; i < dump->nslices && !status; i++)
        status = print_variable(dump, &dump->slices[i]);
    return status;
}
