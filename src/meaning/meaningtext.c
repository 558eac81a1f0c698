/* See meaningtext.h. */
#include "meaningtext.h"

#include <string.h>

const struct pcdf_att *pcdf_meaning_att(const struct pcdf_atts *atts, const char *name)
{
    int id = pcdf_atts_find(atts, name);
    return id < 0 ? NULL : &atts->x[id];
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct pcdf_meaning_slice trimmed(const char *text, size_t n)
{
    while (n > 0 && is_blank(text[n - 1]))
        n--;
    while (n > 0 && is_blank(*text))
        text++, n--;
    return (struct pcdf_meaning_slice){ text, n };
}

struct pcdf_meaning_slice pcdf_meaning_slice_of(const struct pcdf_att *att)
{
    if (!att || att->type != NC_CHAR || att->nelems <= 0)
        return (struct pcdf_meaning_slice){ "", 0 };
    const char *text = (const char *)att->values;
    return trimmed(text, strnlen(text, (size_t)att->nelems));
}

bool pcdf_meaning_same_text(const struct pcdf_att *a, const struct pcdf_att *b)
{
    struct pcdf_meaning_slice x = pcdf_meaning_slice_of(a), y = pcdf_meaning_slice_of(b);
    return a && b && a->type == NC_CHAR && b->type == NC_CHAR && x.length == y.length &&
           memcmp(x.text, y.text, x.length) == 0;
}

bool pcdf_meaning_text(const struct pcdf_atts *atts, const char *name, char text[PCDF_MEANING_TEXT])
{
    struct pcdf_meaning_slice slice = pcdf_meaning_slice_of(pcdf_meaning_att(atts, name));
    size_t n = 0;

    while (n < slice.length && slice.text[n] != '\n' && slice.text[n] != '\r')
        n++;
    slice = trimmed(slice.text, n < PCDF_MEANING_TEXT ? n : PCDF_MEANING_TEXT - 1);
    memcpy(text, slice.text, slice.length);
    text[slice.length] = '\0';
    return slice.length > 0;
}

struct pcdf_meaning_slice pcdf_meaning_word(struct pcdf_meaning_slice *rest)
{
    struct pcdf_meaning_slice word = { rest->text, 0 };

    while (rest->length > 0 && is_blank(*word.text))
        word.text++, rest->length--;
    while (word.length < rest->length && !is_blank(word.text[word.length]))
        word.length++;
    *rest = (struct pcdf_meaning_slice){ word.text + word.length, rest->length - word.length };
    return word;
}

bool pcdf_meaning_has_word(const struct pcdf_atts *atts, const char *name, const char *word)
{
    struct pcdf_meaning_slice rest = pcdf_meaning_slice_of(pcdf_meaning_att(atts, name)), is;
    size_t n = strlen(word);

    while ((is = pcdf_meaning_word(&rest)).length > 0)
        if (is.length == n && memcmp(is.text, word, n) == 0)
            return true;
    return false;
}
