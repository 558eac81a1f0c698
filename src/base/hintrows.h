#ifndef PCDF_HINTROWS_H
#define PCDF_HINTROWS_H
/* The tables of hints (hintrows.def, oldhints.def, otherhints.def) as values: what a hint is called, what it
 * may be, what it does. dataset/hints.c reads hints by them, `parcdf hints` prints them. */

#include <stdbool.h>
#include <stdint.h>

enum pcdf_hint_kind { PCDF_HINT_INT64, PCDF_HINT_NOTED, PCDF_HINT_ENUM, PCDF_HINT_BOOL, PCDF_HINT_TEXT };
enum pcdf_hint_ranks { PCDF_HINT_OWN, PCDF_HINT_ROOT, PCDF_HINT_STRONGEST };

struct pcdf_hint_row {
    const char *name;
    enum pcdf_hint_kind kind;
    enum pcdf_hint_ranks ranks;
    int64_t number;    /* default of INT64 and NOTED */
    const char *text;  /* default of the other kinds; NULL of INT64 and NOTED */
    int64_t low, high; /* INT64 and NOTED */
    bool is_bytes;     /* INT64 and NOTED: 4k and 1GiB are numbers, too */
    const char *words; /* ENUM and BOOL: "one|another"; NULL: any text */
    const char *help;
};
extern const struct pcdf_hint_row pcdf_hint_rows[];
extern const int pcdf_hint_count;
/* Users may rely on it. What they may not rely on is named pcdf_debug_*. */
bool pcdf_hint_is_promised(const struct pcdf_hint_row *row);

/* Names and values of before (oldhints.def), which the version named here no longer takes. */
#define PCDF_OLD_HINTS_END "0.2.0"
struct pcdf_old_hint {
    const char *name;
    const char *now;     /* the hint that it is now, or of whose value it is a word; empty: gone */
    const char *word;    /* NULL: the whole value */
    const char *instead; /* of what is gone */
};
/* NULL: it is no name of before. */
const struct pcdf_old_hint *pcdf_hint_old(const char *name);
/* What this value of before of the hint is called now; NULL: it is none. */
const char *pcdf_hint_value_now(const char *name, const char *value);

/* Hints of other libraries (otherhints.def). */
enum pcdf_other_effect { PCDF_OTHER_UNDERSTOOD, PCDF_OTHER_PASSED, PCDF_OTHER_IGNORED };
struct pcdf_other_hint {
    const char *name, *whose;
    enum pcdf_other_effect effect;
    const char *help;
};
extern const struct pcdf_other_hint pcdf_other_hints[];
extern const int pcdf_other_hint_count;

enum pcdf_hint_verdict { PCDF_HINT_GOOD, PCDF_HINT_CLAMPED, PCDF_HINT_BAD };

/* Reads a number for a row; blanks around it are nothing. In bytes it may end in k, K, M, G, T, KiB, MiB, GiB
 * or TiB, powers of 1024; kB and MB, which mean two things, are BAD. BAD (no number, negative, more than 63
 * bits) leaves *number alone; 0 below the range is the default. */
enum pcdf_hint_verdict pcdf_hint_number(const struct pcdf_hint_row *row, const char *value, int64_t *number);
/* Which of the row's words it is, from 0; -1: none, or two. */
int pcdf_hint_word(const struct pcdf_hint_row *row, const char *value);
/* Word number i, and how long it is. */
const char *pcdf_hint_word_text(const struct pcdf_hint_row *row, int i, int *length);
/* The hint that somebody meant who wrote `name`; NULL: none is near. */
const char *pcdf_hint_nearest(const char *name);
#endif
