/* See tooljson.h. */
#include "tooljson.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

void pcdf_json_begin(struct pcdf_json *json, FILE *to)
{
    *json = (struct pcdf_json){ .to = to };
}

void pcdf_json_end(struct pcdf_json *json)
{
    fputc('\n', json->to);
}

static void new_line(const struct pcdf_json *json)
{
    fputc('\n', json->to);
    for (int i = 0; i < json->depth; i++)
        fputs("  ", json->to);
}

/* What stands before a member. */
static void separate(struct pcdf_json *json)
{
    if (json->after_key || json->depth == 0) {
        json->after_key = false;
        return;
    }
    bool flat = json->flat[json->depth - 1];
    if (json->begun[json->depth - 1])
        fputs(flat ? ", " : ",", json->to);
    json->begun[json->depth - 1] = true;
    if (!flat)
        new_line(json);
}

/* Beyond 16 bits as a pair, which is how JSON has it. */
static void escape(FILE *to, utf8proc_int32_t point)
{
    if (point >= 0x10000)
        fprintf(to, "\\u%04x\\u%04x", 0xd800u + (unsigned)(point - 0x10000) / 0x400,
                0xdc00u + (unsigned)(point - 0x10000) % 0x400);
    else
        fprintf(to, "\\u%04x", (unsigned)point);
}

static void quote(const struct pcdf_json *json, const char *text, size_t n)
{
    FILE *to = json->to;

    fputc('"', to);
    for (size_t i = 0; i < n;) {
        utf8proc_int32_t point;
        utf8proc_ssize_t length =
            utf8proc_iterate((const utf8proc_uint8_t *)text + i, (utf8proc_ssize_t)(n - i), &point);
        if (length <= 0)
            fputs("\\ufffd", to);
        else if (point == '"' || point == '\\')
            fprintf(to, "\\%c", (char)point);
        else if (point == '\n')
            fputs("\\n", to);
        else if (point < 0x20 || (point >= 0x7f && (point < 0xa0 || json->is_ascii)))
            escape(to, point);
        else
            fwrite(text + i, 1, (size_t)length, to);
        i += length > 0 ? (size_t)length : 1;
    }
    fputc('"', to);
}

void pcdf_json_key(struct pcdf_json *json, const char *key)
{
    separate(json);
    quote(json, key, strlen(key));
    fputs(": ", json->to);
    json->after_key = true;
}

void pcdf_json_open(struct pcdf_json *json, char bracket, bool flat)
{
    separate(json);
    fputc(bracket, json->to);
    if (json->depth == PCDF_JSON_DEPTH)
        return;
    json->flat[json->depth] = flat || (json->depth > 0 && json->flat[json->depth - 1]);
    json->begun[json->depth] = false;
    json->depth++;
}

void pcdf_json_close(struct pcdf_json *json, char bracket)
{
    json->depth--;
    if (json->begun[json->depth] && !json->flat[json->depth])
        new_line(json);
    fputc(bracket, json->to);
}

void pcdf_json_text(struct pcdf_json *json, const char *text)
{
    pcdf_json_bytes(json, text, strlen(text));
}

void pcdf_json_bytes(struct pcdf_json *json, const char *text, size_t n)
{
    separate(json);
    quote(json, text, n);
}

void pcdf_json_integer(struct pcdf_json *json, int64_t number)
{
    separate(json);
    fprintf(json->to, "%" PRId64, number);
}

void pcdf_json_unsigned(struct pcdf_json *json, uint64_t number)
{
    separate(json);
    fprintf(json->to, "%" PRIu64, number);
}

void pcdf_tool_shortest(double number, bool is_float, char *room, size_t size)
{
    int most = is_float ? 9 : 17;
    for (int digits = is_float ? 6 : 15; digits <= most; digits++) {
        snprintf(room, size, "%.*g", digits, number);
        if (is_float ? strtof(room, NULL) == (float)number : strtod(room, NULL) == number)
            return;
    }
}

static void real(struct pcdf_json *json, double number, bool is_float)
{
    char text[40];

    if (isnan(number) || isinf(number)) {
        const char *word = isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
        separate(json);
        fprintf(json->to, json->bare_nan ? "%s" : "\"%s\"", word);
        return;
    }
    separate(json);
    pcdf_tool_shortest(number, is_float, text, sizeof text);
    fputs(text, json->to);
    if (!strpbrk(text, ".e")) /* so that every reader takes it for a real number */
        fputs(".0", json->to);
}

void pcdf_json_real(struct pcdf_json *json, double number)
{
    real(json, number, false);
}

void pcdf_json_float(struct pcdf_json *json, float number)
{
    real(json, (double)number, true);
}

void pcdf_json_value(struct pcdf_json *json, nc_type type, const unsigned char *bytes)
{
    struct pcdf_value value = pcdf_value_load(type, bytes);

    if (pcdf_value_is_real(type))
        real(json, value.is.real, type == NC_FLOAT);
    else if (pcdf_value_is_unsigned(type))
        pcdf_json_unsigned(json, value.is.natural);
    else
        pcdf_json_integer(json, value.is.integer);
}

void pcdf_json_bool(struct pcdf_json *json, bool value)
{
    separate(json);
    fputs(value ? "true" : "false", json->to);
}

void pcdf_json_null(struct pcdf_json *json)
{
    separate(json);
    fputs("null", json->to);
}

void pcdf_json_here(struct pcdf_json *json)
{
    separate(json);
}
