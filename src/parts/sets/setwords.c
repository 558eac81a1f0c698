/* See setwords.h. */
#include "setwords.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "debuglog.h"

/* Which word begins here; -1: none. */
enum { MATCH, STEP, JOB, FILES, KEEP, WORDS };
static int word_at(const char *at, size_t *length)
{
    static const char *const names[WORDS] = { "match=", "step=", "job=", "files=", "keep=" };
    for (int i = 0; i < WORDS; i++) {
        *length = strlen(names[i]);
        if (strncmp(at, names[i], *length) == 0)
            return i;
    }
    return -1;
}

/* Where the next word begins, or the end. */
static const char *next_word(const char *at)
{
    size_t length;
    while (*at && !(*at == ' ' && word_at(at + 1, &length) >= 0))
        at++;
    return at;
}

static void take_number(const struct pcdf_hints *hints, const char *value, int64_t high, int64_t *number)
{
    const struct pcdf_hint_row range = { .high = high };
    if (pcdf_hint_number(&range, value, number) == PCDF_HINT_BAD && hints->speaks)
        pcdf_debuglog_tell("hint pcdf_set: \"%.80s\" is no number from 0 to %lld, and is not used", value,
                           (long long)high);
}

static void take(const struct pcdf_hints *hints, int word, const char *value, struct pcdf_setwords *words)
{
    char *const texts[] = { words->match, words->step, words->job };
    if (word == FILES)
        take_number(hints, value, 1048576, &words->files);
    else if (word == KEEP)
        take_number(hints, value, 1000000000, &words->keep);
    else if (word == MATCH || strcmp(value, "none") != 0)
        snprintf(texts[word], PCDF_HINT_TEXT_MAX, "%s", value);
}

void pcdf_setwords_read(const struct pcdf_hints *hints, struct pcdf_setwords *words)
{
    char value[PCDF_HINT_TEXT_MAX];
    size_t length;
    const char *at = hints->set, *end = word_at(at, &length) >= 0 ? at : next_word(at);
    *words = (struct pcdf_setwords){ .match = "*" };
    snprintf(words->set, sizeof words->set, "%.*s", (int)(end - at), at);
    if (strcmp(words->set, "none") == 0)
        words->set[0] = '\0';
    for (at = end + (*end == ' '); *at; at = end + (*end == ' ')) {
        int word = word_at(at, &length);
        end = next_word(at);
        snprintf(value, sizeof value, "%.*s", (int)(end - at - (ptrdiff_t)length), at + length);
        take(hints, word, value, words);
    }
}
