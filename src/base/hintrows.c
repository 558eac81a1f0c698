/* See hintrows.h. */
#include "hintrows.h"
#include "likeness.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RANGE(least, most) .low = (least), .high = (most)
#define BYTES(least, most) .low = (least), .high = (most), .is_bytes = true
#define WORDS(text)        .words = (text)
#define ANY                .words = NULL
#define DEFAULT_INT64(x)   .number = (x)
#define DEFAULT_NOTED(x)   .number = (x)
#define DEFAULT_ENUM(x)    .text = (x)
#define DEFAULT_BOOL(x)    .text = (x)
#define DEFAULT_TEXT(x)    .text = (x)

const struct pcdf_hint_row pcdf_hint_rows[] = {
#define PCDF_HINT(name_, kind_, ranks_, field, fallback, allowed, help_)                                     \
    { .name = #name_,                                                                                        \
      .kind = PCDF_HINT_##kind_,                                                                             \
      .ranks = PCDF_HINT_##ranks_,                                                                           \
      DEFAULT_##kind_(fallback),                                                                             \
      allowed,                                                                                               \
      .help = help_ },
#include "hintrows.def"
#undef PCDF_HINT
};
const struct pcdf_other_hint pcdf_other_hints[] = {
#define PCDF_OTHER_HINT(name, whose, effect, help) { #name, whose, PCDF_OTHER_##effect, help },
#define PCDF_OTHER_AS(name, value, field, number)
#include "otherhints.def"
#undef PCDF_OTHER_HINT
#undef PCDF_OTHER_AS
};
const int pcdf_other_hint_count = sizeof pcdf_other_hints / sizeof pcdf_other_hints[0];

const int pcdf_hint_count = sizeof pcdf_hint_rows / sizeof pcdf_hint_rows[0];

bool pcdf_hint_is_promised(const struct pcdf_hint_row *row)
{
    return strncmp(row->name, "pcdf_debug_", strlen("pcdf_debug_")) != 0;
}

const struct pcdf_old_hint *pcdf_hint_old(const char *name)
{
    static const struct pcdf_old_hint old[] = {
#define PCDF_OLD_HINT(name, now)       { #name, #now, NULL, NULL },
#define PCDF_OLD_WORD(name, now, word) { #name, #now, word, NULL },
#define PCDF_OLD_VALUE(hint, old, now)
#define PCDF_GONE_HINT(name, instead) { #name, "", NULL, instead },
#include "oldhints.def"
#undef PCDF_OLD_HINT
#undef PCDF_OLD_WORD
#undef PCDF_OLD_VALUE
#undef PCDF_GONE_HINT
    };
    for (size_t i = 0; i < sizeof old / sizeof old[0]; i++)
        if (strcmp(old[i].name, name) == 0)
            return &old[i];
    return NULL;
}

const char *pcdf_hint_value_now(const char *name, const char *value)
{
    static const struct {
        const char *hint, *old, *now;
    } values[] = {
#define PCDF_OLD_HINT(name, now)
#define PCDF_OLD_WORD(name, now, word)
#define PCDF_OLD_VALUE(hint, old, now) { #hint, old, now },
#define PCDF_GONE_HINT(name, instead)
#include "oldhints.def"
#undef PCDF_OLD_HINT
#undef PCDF_OLD_WORD
#undef PCDF_OLD_VALUE
#undef PCDF_GONE_HINT
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (strcmp(values[i].hint, name) == 0 && strcmp(values[i].old, value) == 0)
            return values[i].now;
    return NULL;
}

enum pcdf_hint_verdict pcdf_hint_number(const struct pcdf_hint_row *row, const char *value, int64_t *number)
{
    static const char letters[] = "kKMGT";
    char *end;
    errno = 0;
    long long got = strtoll(value, &end, 10);
    if (errno || end == value || got < 0)
        return PCDF_HINT_BAD;

    /* What the unit stands for, 0: it is none. */
    size_t n = strcspn(end, " \t");
    int64_t unit = n == 0;
    const char *at = n > 0 && row->is_bytes ? strchr(letters, *end) : NULL;
    if (at && (n == 1 || (n == 3 && strncmp(end + 1, "iB", 2) == 0)))
        unit = (int64_t)1024 << 10 * (at > letters ? at - letters - 1 : 0);
    if (unit == 0 || got > INT64_MAX / unit || end[n + strspn(end + n, " \t")] != '\0')
        return PCDF_HINT_BAD;
    got *= unit;
    if (got == 0 && row->low > 0) {
        *number = row->number;
        return PCDF_HINT_CLAMPED;
    }
    *number = got < row->low ? row->low : got > row->high ? row->high : got;
    return *number == got ? PCDF_HINT_GOOD : PCDF_HINT_CLAMPED;
}

const char *pcdf_hint_word_text(const struct pcdf_hint_row *row, int i, int *length)
{
    const char *word = row->words;
    for (; i > 0; i--)
        word = strchr(word, '|') + 1;
    *length = (int)strcspn(word, "|");
    return word;
}

int pcdf_hint_word(const struct pcdf_hint_row *row, const char *value)
{
    size_t n = strlen(value);
    int i = 0;
    for (const char *word = row->words; word; i++) {
        if (strcspn(word, "|") == n && strncmp(word, value, n) == 0)
            return i;
        word = strchr(word, '|');
        if (word)
            word++;
    }
    return -1;
}

const char *pcdf_hint_nearest(const char *name)
{
    struct pcdf_likeness like = pcdf_like(name);
    for (int i = 0; i < pcdf_hint_count; i++)
        (void)pcdf_like_offer(&like, pcdf_hint_rows[i].name);
    return like.best;
}
