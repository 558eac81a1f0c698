/* See likeness.h. */
#include "likeness.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 }; /* of longer names nobody mistypes one by heart */

static char lower(char x)
{
    return x >= 'A' && x <= 'Z' ? (char)(x - 'A' + 'a') : x;
}

/* How many letters must be added, taken away, changed, or change places with the next one to make one of the
 * other (the restricted distance of Damerau and Levenshtein); capitals are small letters. */
static int distance(const char *a, size_t na, const char *b, size_t nb)
{
    int rows[3][LONGEST + 1];
    for (size_t k = 0; k <= nb; k++)
        rows[0][k] = (int)k;
    for (size_t i = 1; i <= na; i++) {
        int *now = rows[i % 3], *above = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t k = 1; k <= nb; k++) {
            char x = lower(a[i - 1]), y = lower(b[k - 1]);
            int least = above[k - 1] + (x != y);
            least = above[k] + 1 < least ? above[k] + 1 : least;
            least = now[k - 1] + 1 < least ? now[k - 1] + 1 : least;
            if (i > 1 && k > 1 && x == lower(b[k - 2]) && y == lower(a[i - 2]) && before[k - 2] + 1 < least)
                least = before[k - 2] + 1;
            now[k] = least;
        }
    }
    return rows[na % 3][nb];
}

/* In a short name each letter counts: more changes make another name. */
struct pcdf_likeness pcdf_like(const char *word)
{
    size_t n = strlen(word);
    return (struct pcdf_likeness){ word, NULL, n <= 1 ? 1 : n <= 5 ? 2 : n < 12 ? 3 : 4 };
}

bool pcdf_like_offer(struct pcdf_likeness *l, const char *name)
{
    size_t n = strlen(l->word), m = strlen(name);
    size_t apart = n > m ? n - m : m - n;
    if (n > LONGEST || m > LONGEST || apart >= (size_t)l->least)
        return false;
    int d = distance(l->word, n, name, m);
    if (d >= l->least)
        return false;
    l->least = d;
    l->best = name;
    return true;
}

const char *pcdf_like_hint(const struct pcdf_likeness *l, char hint[PCDF_LIKE_HINT])
{
    hint[0] = '\0';
    if (l->best)
        snprintf(hint, PCDF_LIKE_HINT, "; did you mean %s?", l->best);
    return hint;
}
