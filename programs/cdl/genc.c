/* See genc.h. */
#include "genc.h"
#include "value.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct {
    const char *c, *mpi;
} names[PCDF_TYPE_ROWS] = {
    [NC_BYTE] = { "signed char", "MPI_SIGNED_CHAR" },
    [NC_CHAR] = { "char", "MPI_CHAR" },
    [NC_SHORT] = { "short", "MPI_SHORT" },
    [NC_INT] = { "int", "MPI_INT" },
    [NC_FLOAT] = { "float", "MPI_FLOAT" },
    [NC_DOUBLE] = { "double", "MPI_DOUBLE" },
    [NC_UBYTE] = { "unsigned char", "MPI_UNSIGNED_CHAR" },
    [NC_USHORT] = { "unsigned short", "MPI_UNSIGNED_SHORT" },
    [NC_UINT] = { "unsigned int", "MPI_UNSIGNED" },
    [NC_INT64] = { "long long", "MPI_LONG_LONG_INT" },
    [NC_UINT64] = { "unsigned long long", "MPI_UNSIGNED_LONG_LONG" },
};

const char *pcdf_genc_mpi_type(nc_type type)
{
    return names[type].mpi;
}

/* 9 digits tell a float, 17 a double, also when they pass through the compiler's double. */
static void print_real(FILE *to, double x, int digits)
{
    if (isnan(x) || isinf(x))
        fprintf(to, "%s%s", signbit(x) ? "-" : "", isnan(x) ? "NAN" : "INFINITY");
    else if (x == floor(x) && fabs(x) < 1e9)
        fprintf(to, "%.1f", x);
    else
        fprintf(to, "%.*e", digits - 1, x);
}

static void print_value(FILE *to, nc_type type, const unsigned char *bytes)
{
    struct pcdf_value v = pcdf_value_load(type, bytes);
    int size = pcdf_type_size(type);
    int64_t x = v.is.integer;

    if (pcdf_value_is_real(type))
        print_real(to, v.is.real, type == NC_FLOAT ? 9 : 17);
    else if (pcdf_value_is_unsigned(type))
        fprintf(to, "%" PRIu64 "%s", v.is.natural, size == 8 ? "ULL" : size == 4 ? "U" : "");
    else if (x == INT64_MIN || x == INT32_MIN) /* C has no literals for these: a minus is an operator */
        fprintf(to, "(%" PRId64 "%s - 1)", x + 1, size == 8 ? "LL" : "");
    else
        fprintf(to, "%" PRId64 "%s", x, size == 8 ? "LL" : "");
}

void pcdf_genc_array(FILE *to, nc_type type, int64_t n, const unsigned char *bytes)
{
    fprintf(to, "    static const %s values[] = ", names[type].c);
    if (type == NC_CHAR) {
        pcdf_genc_text(to, (const char *)bytes, (size_t)n);
    } else {
        fputs("{", to);
        for (int64_t i = 0; i < n; i++) {
            fputs(i % 8 ? " " : "\n        ", to);
            print_value(to, type, bytes + i * pcdf_type_size(type));
            fputs(",", to);
        }
        fputs("\n    }", to);
    }
    fputs(";\n", to);
}

void pcdf_genc_text(FILE *to, const char *text, size_t n)
{
    if (n > 60)
        fputs("\n        ", to);
    fputc('"', to);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (i > 0 && i % 60 == 0)
            fputs("\"\n        \"", to);
        if (c == '\n')
            fputs("\\n", to);
        else if (c < 0x20 || c >= 0x7F)
            fprintf(to, "\\%03o", c);
        else if (c == '"' || c == '\\' || c == '?') /* ?: no trigraphs */
            fprintf(to, "\\%c", c);
        else
            fputc(c, to);
    }
    fputc('"', to);
}

void pcdf_genc_comment(FILE *to, const char *text)
{
    for (; *text; text++)
        fputc(*text >= 0x20 && *text < 0x7F && *text != '*' && *text != '/' ? *text : '.', to);
}
