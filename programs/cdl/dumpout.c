/* The text of a dump on its way out: see dumpout.h. */
#include "dumpout.h"

#include <stdarg.h>
#include <string.h>

static const char next_line[] = "\n    ";

bool pcdf_dump_flush(struct pcdf_dump_out *out)
{
    if (out->n > 0)
        fwrite(out->bytes, 1, out->n, out->to);
    out->n = 0;
    return !ferror(out->to);
}

void pcdf_dump_bytes(struct pcdf_dump_out *out, const char *text, size_t n)
{
    while (n > sizeof out->bytes - out->n) {
        size_t part = sizeof out->bytes - out->n;
        memcpy(out->bytes + out->n, text, part);
        out->n += part;
        text += part;
        n -= part;
        pcdf_dump_flush(out);
    }
    memcpy(out->bytes + out->n, text, n);
    out->n += n;
}

void pcdf_dump_text(struct pcdf_dump_out *out, const char *text)
{
    pcdf_dump_bytes(out, text, strlen(text));
}

void pcdf_dump_format(struct pcdf_dump_out *out, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    pcdf_dump_bytes(out, text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void pcdf_dump_wrapped(struct pcdf_dump_out *out, const char *text, size_t n)
{
    if ((int)n + out->column > out->limit && n > 2) {
        pcdf_dump_bytes(out, next_line, sizeof next_line - 1);
        out->column = (int)sizeof next_line - 2;
    }
    pcdf_dump_bytes(out, text, n);
    out->column += (int)n;
}

void pcdf_dump_colour(struct pcdf_dump_out *out, enum pcdf_dump_colour colour)
{
    static const char *const codes[] = { "\033[0m", "\033[1m", "\033[36m", "\033[32m", "\033[2m" };

    if (out->has_colours)
        pcdf_dump_text(out, codes[colour]);
}

void pcdf_dump_coloured(struct pcdf_dump_out *out, enum pcdf_dump_colour colour, const char *text)
{
    pcdf_dump_colour(out, colour);
    pcdf_dump_text(out, text);
    pcdf_dump_colour(out, PCDF_DUMP_PLAIN);
}

void pcdf_dump_name(struct pcdf_dump_out *out, const char *name)
{
    for (const char *c = name; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || byte == 0x7F) {
            pcdf_dump_format(out, "\\%%%02x", byte);
            continue;
        }
        if (out->has_plain_names) {
            pcdf_dump_bytes(out, c, 1);
            continue;
        }
        if (strchr(" !\"#$&'()*,:;<=>?[\\]^`{|}~", *c) || (c == name && byte >= '0' && byte <= '9'))
            pcdf_dump_bytes(out, "\\", 1);
        pcdf_dump_bytes(out, c, 1);
    }
}
