/* See hintrows.h. */
#include "hintrows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RANGE(least, most) .low = (least), .high = (most)
#define WORDS(text)        .words = (text)
#define ANY                .words = NULL
#define DEFAULT_INT64(x)   .number = (x)
#define DEFAULT_NOTED(x)   .number = (x)
#define DEFAULT_TEXT(x)    .text = (x)

const struct pcdf_hint_row pcdf_hint_rows[] = {
#define PCDF_HINT(name_, kind_, field, fallback, allowed, help_)                                             \
    { .name = #name_, .kind = PCDF_HINT_##kind_, DEFAULT_##kind_(fallback), allowed, .help = help_ },
#include "hintrows.def"
#undef PCDF_HINT
};
const int pcdf_hint_count = sizeof pcdf_hint_rows / sizeof pcdf_hint_rows[0];

enum pcdf_hint_verdict pcdf_hint_number(const struct pcdf_hint_row *row, const char *value, int64_t *number)
{
    char *end;
    errno = 0;
    long long got = strtoll(value, &end, 10);
    if (errno || end == value || got < 0 || end[strspn(end, " \t")] != '\0')
        return PCDF_HINT_BAD;
    if (got == 0 && row->low > 0) {
        *number = row->number;
        return PCDF_HINT_CLAMPED;
    }
    *number = got < row->low ? row->low : got > row->high ? row->high : got;
    return *number == got ? PCDF_HINT_GOOD : PCDF_HINT_CLAMPED;
}

bool pcdf_hint_is_word(const struct pcdf_hint_row *row, const char *value)
{
    size_t n = strlen(value);
    if (row->words && strchr(value, '|')) /* two words are none */
        return false;
    for (const char *word = row->words; word; word = strchr(word, '|')) {
        word += *word == '|';
        if (strncmp(word, value, n) == 0 && (word[n] == '|' || word[n] == '\0') && n > 0)
            return true;
    }
    return row->words == NULL;
}
