/* See genc.h. */
#include "genc.h"

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

static uint64_t bits_of(const unsigned char *bytes, int size)
{
    uint64_t x = 0;
    for (int i = 0; i < size; i++)
        x = x << 8 | bytes[i];
    return x;
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

static void print_signed(FILE *to, uint64_t bits, int size)
{
    int64_t x = size == 1   ? (int8_t)bits
                : size == 2 ? (int16_t)bits
                : size == 4 ? (int32_t)bits
                            : (int64_t)bits;

    if (x == INT64_MIN || x == INT32_MIN) /* C has no literals for these: a minus is an operator */
        fprintf(to, "(%" PRId64 "%s - 1)", x + 1, size == 8 ? "LL" : "");
    else
        fprintf(to, "%" PRId64 "%s", x, size == 8 ? "LL" : "");
}

static void print_value(FILE *to, nc_type type, const unsigned char *bytes)
{
    int size = pcdf_type_size(type);
    uint64_t bits = bits_of(bytes, size);
    uint32_t half = (uint32_t)bits;
    float single;
    double real;

    switch (type) {
    case NC_FLOAT:
        memcpy(&single, &half, sizeof single);
        print_real(to, (double)single, 9);
        break;
    case NC_DOUBLE:
        memcpy(&real, &bits, sizeof real);
        print_real(to, real, 17);
        break;
    case NC_BYTE:
    case NC_SHORT:
    case NC_INT:
    case NC_INT64:
        print_signed(to, bits, size);
        break;
    default:
        fprintf(to, "%" PRIu64 "%s", bits, size == 8 ? "ULL" : size == 4 ? "U" : "");
    }
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
