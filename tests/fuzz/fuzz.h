#ifndef FUZZ_H
#define FUZZ_H
/* What the fuzz targets share: a demand that ends the program where it does not hold, and a cursor that takes
 * decisions from the input and gives zeros when the input is used up. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
/* Targets of the whole library: MPI starts here. The driver and libFuzzer call it once. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
/* libFuzzer's mutator, or the driver's own. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t n, size_t most);
/* A target's mutator: mutations that know what the input means. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t most, unsigned int seed);

#define DEMAND(cond)                                                                                         \
    do {                                                                                                     \
        if (!(cond)) {                                                                                       \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #cond);                        \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

struct fuzz_input {
    const uint8_t *bytes;
    size_t n, at;
};

static inline bool fuzz_is_over(const struct fuzz_input *in)
{
    return in->at >= in->n;
}

static inline uint8_t fuzz_byte(struct fuzz_input *in)
{
    return in->at < in->n ? in->bytes[in->at++] : 0;
}

/* `size` bytes as one number, the first is the highest. */
static inline uint64_t fuzz_number(struct fuzz_input *in, int size)
{
    uint64_t x = 0;
    while (size-- > 0)
        x = x << 8 | fuzz_byte(in);
    return x;
}

/* 0 .. n-1 */
static inline int fuzz_pick(struct fuzz_input *in, int n)
{
    return fuzz_byte(in) % n;
}

/* Puts one of the words somewhere into the text, or over what stands there. For targets that read text. */
static inline size_t fuzz_add_word(uint8_t *bytes, size_t n, size_t most, unsigned int pick,
                                   const char *const *words, size_t nwords)
{
    const char *word = words[pick % nwords];
    size_t length = strlen(word), at = pick / nwords % (n + 1), over = pick & 1 << 20 ? length : 0;
    over = over > n - at ? n - at : over;
    if (n - over + length > most)
        return n;
    memmove(bytes + at + length, bytes + at + over, n - at - over);
    memcpy(bytes + at, word, length);
    return n - over + length;
}
#endif
