#ifndef PCDF_JSONREAD_H
#define PCDF_JSONREAD_H
/* JSON as it is read: strictly, whole, in bounded memory. Nothing of it is trusted. */

#include <stdint.h>
#include "arena.h"

enum pcdf_json_kind {
    PCDF_JSON_NULL,
    PCDF_JSON_BOOL,
    PCDF_JSON_NUMBER,
    PCDF_JSON_TEXT,
    PCDF_JSON_LIST,
    PCDF_JSON_OBJECT
};

struct pcdf_json_value {
    enum pcdf_json_kind kind;
    const char *key;  /* in an object */
    const char *text; /* TEXT: UTF-8 without NULs */
    double number;    /* NUMBER, and BOOL as 0 or 1 */
    int n;            /* members */
    struct pcdf_json_value *first, *next;
};

enum { PCDF_JSON_MOST_BYTES = 4 << 20, PCDF_JSON_MOST_DEPTH = 16, PCDF_JSON_MOST_VALUES = 200000 };

/* The value that the n bytes are; NULL: *fault says in a sentence what is wrong, *at in which byte. It lives
 * in the arena. */
struct pcdf_json_value *pcdf_json_read(struct pcdf_arena *arena, const char *bytes, size_t n,
                                       const char **fault, size_t *at);

/* The member of that name; NULL also where `object` is NULL or no object. */
const struct pcdf_json_value *pcdf_json_member(const struct pcdf_json_value *object, const char *key);
/* What a member is, or the fallback where it is not there, or not of that kind. */
double pcdf_json_number(const struct pcdf_json_value *object, const char *key, double fallback);
const char *pcdf_json_string(const struct pcdf_json_value *object, const char *key, const char *fallback);
#endif
