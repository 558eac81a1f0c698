#ifndef PCDF_JSONREAD_H
#define PCDF_JSONREAD_H
/* JSON as it is read: strictly, whole, in bounded memory. Nothing of it is trusted. Members of an object are
 * found in a time that does not grow with their number. */

#include <stdbool.h>
#include <stddef.h>
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
    int n;            /* members */
    const char *key;  /* in an object */
    const char *text; /* TEXT: UTF-8, without NULs but where the rules allow them; NUMBER: as it is written */
    double number;    /* NUMBER, and BOOL as 0 or 1 */
    const char *raw;  /* where it stands in the bytes that were read */
    uint32_t nraw;    /* how many it has there */
    uint32_t length;  /* bytes of the text */
    struct pcdf_json_value *first, *next;
};

struct pcdf_json_rules {
    int depth, values; /* at most */
    bool words;        /* NaN, Infinity and -Infinity are numbers, as some programs write them */
    bool nuls;         /* texts may have \u0000 */
    bool lean;         /* more than 16 bytes of memory for each of its bytes, and 64 MiB, are a fault */
};

/* For what parcdf writes itself, and files of that size. */
enum { PCDF_JSON_MOST_BYTES = 4 << 20 };
extern const struct pcdf_json_rules pcdf_json_strict;

/* The *fault, this very pointer, where memory lacks: then the bytes may be good. */
extern const char pcdf_json_no_memory[];
/* The value that the n bytes are; NULL: *fault says in a sentence what is wrong, *at in which byte. It lives
 * in the arena. */
struct pcdf_json_value *pcdf_json_read(struct pcdf_arena *arena, const char *bytes, size_t n,
                                       const struct pcdf_json_rules *rules, const char **fault, size_t *at);

/* The members of an object, or of the object that its member `inner` is, one after the other, for those that
 * are too many to be held: each lives until `visit` returns, and `inner` itself is not told. is_inner: it is
 * one of the latter. The error of visit, which ends it; NC_EINVAL with *fault and *at where it is no JSON. */
int pcdf_json_each(const char *bytes, size_t n, const struct pcdf_json_rules *rules, const char *inner,
                   int (*visit)(void *context, bool is_inner, const char *key,
                                const struct pcdf_json_value *value),
                   void *context, const char **fault, size_t *at);

/* The member of that name; NULL also where `object` is NULL or no object. */
const struct pcdf_json_value *pcdf_json_member(const struct pcdf_json_value *object, const char *key);
/* What a member is, or the fallback where it is not there, or not of that kind. */
double pcdf_json_number(const struct pcdf_json_value *object, const char *key, double fallback);
const char *pcdf_json_string(const struct pcdf_json_value *object, const char *key, const char *fallback);
#endif
