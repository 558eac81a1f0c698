/* Runs a fuzz target without libFuzzer, with any compiler and on any machine: on each file given, on every
 * truncation of it, and with every single byte changed in twelve ways. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { MOST_BYTES = 4096 };

/* The input in memory of exactly its size, so that a sanitizer or valgrind sees a step beyond it. */
static void run(const uint8_t *bytes, size_t n)
{
    uint8_t *copy = malloc(n > 0 ? n : 1);
    if (!copy)
        abort();
    memcpy(copy, bytes, n);
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
}

static void run_changes(uint8_t *bytes, size_t n, size_t at)
{
    const uint8_t old = bytes[at], others[4] = { 0, 0xFF, (uint8_t)(old + 1), (uint8_t)(old - 1) };

    for (int i = 0; i < 12; i++) {
        bytes[at] = i < 8 ? (uint8_t)(old ^ 1 << i) : others[i - 8];
        run(bytes, n);
    }
    bytes[at] = old;
}

static int replay(const char *path)
{
    static uint8_t bytes[MOST_BYTES];
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        return 1;
    }
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    for (size_t length = 0; length <= n; length++)
        run(bytes, length);
    for (size_t at = 0; at < n; at++)
        run_changes(bytes, n, at);
    return 0;
}

int main(int argc, char **argv)
{
    int bad = argc < 2;
    for (int i = 1; i < argc; i++)
        bad |= replay(argv[i]);
    printf("fuzz_replay: %d files, all truncations and 12 changes of each byte\n", argc - 1);
    return bad;
}
