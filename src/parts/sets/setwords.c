/* See setwords.h. */
#include "setwords.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "debuglog.h"

enum { MATCH, STEP, JOB, FILES, KEEP, WORDS };

/* Which word begins here; WORDS: one that is not known; -1: none. */
static int word_at(const char *at, size_t *length)
{
    static const char *const names[WORDS] = { "match=", "step=", "job=", "files=", "keep=" };
    size_t letters = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
    *length = letters + 1;
    if (letters == 0 || at[letters] != '=')
        return -1;
    int word = 0;
    while (word < WORDS && strncmp(at, names[word], *length) != 0)
        word++;
    return word;
}

/* Where the next word begins, or the end; *end: behind the last byte before it that is no blank. */
static const char *next_word(const char *at, const char **end)
{
    size_t length;
    for (*end = at; *at; at++)
        if (*at != ' ')
            *end = at + 1;
        else if (word_at(at + 1, &length) >= 0)
            return at + 1;
    return at;
}

static void take_number(const struct pcdf_hints *hints, const char *value, int64_t high, int64_t *number)
{
    const struct pcdf_hint_row range = { .high = high };
    if (pcdf_hint_number(&range, value, number) == PCDF_HINT_BAD && hints->speaks)
        pcdf_debuglog_tell("hint pcdf_set: \"%.80s\" is no number from 0 to %lld, and is not used", value,
                           (long long)high);
}

static void read_word(const struct pcdf_hints *hints, int word, const char *value,
                      struct pcdf_setwords *words)
{
    char *const texts[] = { words->match, words->step, words->job };
    if (word == FILES)
        take_number(hints, value, 1048576, &words->files);
    else if (word == KEEP)
        take_number(hints, value, 1000000000, &words->keep);
    else if (word == MATCH || strcmp(value, "none") != 0)
        snprintf(texts[word], PCDF_HINT_TEXT_MAX, "%s", value);
}

static void tell_unknown(const struct pcdf_hints *hints, const char *at, const char *end)
{
    if (hints->speaks)
        pcdf_debuglog_tell(
            "hint pcdf_set: \"%.*s\" has no effect: its words are match, step, job, files, keep",
            (int)(end - at), at);
}

void pcdf_setwords_read(const struct pcdf_hints *hints, struct pcdf_setwords *words)
{
    char value[PCDF_HINT_TEXT_MAX];
    size_t length;
    const char *at = hints->set + strspn(hints->set, " "), *end = at, *next = at;
    *words = (struct pcdf_setwords){ .match = "*" };
    if (word_at(at, &length) < 0)
        next = next_word(at, &end);
    snprintf(words->set, sizeof words->set, "%.*s", (int)(end - at), at);
    if (strcmp(words->set, "none") == 0)
        words->set[0] = '\0';
    while (*(at = next)) {
        int word = word_at(at, &length);
        next = next_word(at, &end);
        snprintf(value, sizeof value, "%.*s", (int)(end - at - (ptrdiff_t)length), at + length);
        if (word == WORDS)
            tell_unknown(hints, at, end);
        else
            read_word(hints, word, value, words);
    }
}
