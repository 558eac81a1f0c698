#ifndef PCDF_TOOLJSON_H
#define PCDF_TOOLJSON_H
/* JSON as it is made, in constant memory: nothing is kept but where it stands. Text is UTF-8; bytes that are
 * not become U+FFFD and, as all control characters, escapes. Integers are exact; reals are the shortest text
 * that reads back to the same number; NaN and infinities, which JSON has no numbers for, are the strings
 * "NaN", "Infinity", "-Infinity". */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "value.h"

enum { PCDF_JSON_DEPTH = 32 };

struct pcdf_json {
    FILE *to;
    int depth;
    bool flat[PCDF_JSON_DEPTH]; /* no line of its own for each member */
    bool begun[PCDF_JSON_DEPTH];
    bool after_key;
    /* To be set after begin: the words NaN, Infinity, -Infinity without quotes; everything beyond ASCII as an
     * escape. Zarr's readers want both. */
    bool bare_nan, is_ascii;
};

void pcdf_json_begin(struct pcdf_json *json, FILE *to);
void pcdf_json_end(struct pcdf_json *json); /* a newline */

/* Before a value in an object. */
void pcdf_json_key(struct pcdf_json *json, const char *key);
/* bracket: '{' or '['. flat: its members stand in one line. */
void pcdf_json_open(struct pcdf_json *json, char bracket, bool flat);
void pcdf_json_close(struct pcdf_json *json, char bracket); /* '}' or ']' */

void pcdf_json_text(struct pcdf_json *json, const char *text);
void pcdf_json_bytes(struct pcdf_json *json, const char *text, size_t n); /* may hold NULs */
void pcdf_json_integer(struct pcdf_json *json, int64_t number);
void pcdf_json_unsigned(struct pcdf_json *json, uint64_t number);
void pcdf_json_real(struct pcdf_json *json, double number);
void pcdf_json_float(struct pcdf_json *json, float number);
void pcdf_json_value(struct pcdf_json *json, nc_type type, const unsigned char *bytes); /* of a file */
void pcdf_json_bool(struct pcdf_json *json, bool value);
void pcdf_json_null(struct pcdf_json *json);
/* The caller prints a value to json->to itself, next. */
void pcdf_json_here(struct pcdf_json *json);

/* The shortest decimal text that reads back to the same double, or float where is_float; "nan", "inf" and
 * "-inf" are the callers'. room: 32 bytes at least. */
void pcdf_tool_shortest(double number, bool is_float, char *room, size_t size);
#endif
