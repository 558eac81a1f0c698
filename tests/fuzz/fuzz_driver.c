/* Runs a fuzz target without libFuzzer, with any compiler and on any machine: first each file as it is, then
 * what a mutator of our own makes of them. The same arguments give the same inputs. With --every: instead of
 * mutations, every truncation of each file and every single byte changed in twelve ways.
 *
 *   fuzz_NAME [--runs N] [--seconds S] [--seed N] [--every] FILE|FOLDER...
 *
 * --seconds is a limit: fewer runs than asked for are said, and are no failure. What ends the program leaves
 * its input behind in fuzz-crash. Exit status: 0, or 1 where there is nothing to start from. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "fuzz.h"

#pragma weak LLVMFuzzerInitialize
#pragma weak LLVMFuzzerCustomMutator

enum { MOST_BYTES = 2048, MOST_SEEDS = 4096, SECONDS_OF_ONE = 10 };

struct seed {
    uint8_t *bytes;
    size_t n;
};

static struct seed seeds[MOST_SEEDS];
static int nseeds;
static uint64_t state = 1;
static long made;
static const uint8_t *current;
static size_t current_n;

void __sanitizer_set_death_callback(void (*callback)(void));
#pragma weak __sanitizer_set_death_callback

static uint64_t next_number(void)
{
    state += 0x9E3779B97F4A7C15U;
    uint64_t x = state;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
    x = (x ^ x >> 27) * 0x94D049BB133111EBU;
    return x ^ x >> 31;
}

static size_t below(size_t n)
{
    return n ? (size_t)(next_number() % n) : 0;
}

/* ---- the input that a death leaves behind */

static void leave_input(void)
{
    int fd = open("fuzz-crash", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || !current)
        return;
    (void)!write(fd, current, current_n);
    close(fd);
    static const char words[] = "the input is in the file fuzz-crash\n";
    (void)!write(2, words, sizeof words - 1);
}

static void die(int sig)
{
    static const char words[] = "one input took more than 10 seconds\n";
    if (sig == SIGVTALRM)
        (void)!write(2, words, sizeof words - 1);
    leave_input();
    signal(sig, SIG_DFL);
    raise(sig);
}

static void listen_to_death(void)
{
    signal(SIGVTALRM, die);
    if (__sanitizer_set_death_callback) {
        __sanitizer_set_death_callback(leave_input);
        signal(SIGABRT, die);
        return;
    }
    signal(SIGABRT, die);
    signal(SIGSEGV, die);
    signal(SIGBUS, die);
    signal(SIGFPE, die);
}

/* ---- running */

/* The input in memory of exactly its size, so that a sanitizer or valgrind sees a step beyond it. */
static void run(const uint8_t *bytes, size_t n)
{
    const struct itimerval limit = { .it_value.tv_sec = SECONDS_OF_ONE };
    uint8_t *copy = malloc(n > 0 ? n : 1);
    DEMAND(copy);
    memcpy(copy, bytes, n);
    current = copy;
    current_n = n;
    setitimer(ITIMER_VIRTUAL, &limit, NULL); /* the target's own time: a busy machine is no find */
    LLVMFuzzerTestOneInput(copy, n);
    made++;
    current = NULL;
    free(copy);
}

static void run_every(struct seed *s)
{
    for (size_t length = 0; length <= s->n; length++)
        run(s->bytes, length);
    for (size_t at = 0; at < s->n; at++) {
        const uint8_t old = s->bytes[at], others[4] = { 0, 0xFF, (uint8_t)(old + 1), (uint8_t)(old - 1) };
        for (int i = 0; i < 12; i++) {
            s->bytes[at] = i < 8 ? (uint8_t)(old ^ 1 << i) : others[i - 8];
            run(s->bytes, s->n);
        }
        s->bytes[at] = old;
    }
}

/* ---- the mutator */

static size_t put_number(uint8_t *bytes, size_t n)
{
    static const uint64_t values[] = { 0,          1,         2,         4,         0x7F,       0x80,
                                       0xFF,       0x100,     0x7FFF,    0x8000,    0x7FFFFFFF, 1U << 31,
                                       UINT32_MAX, INT64_MAX, INT64_MIN, UINT64_MAX };
    size_t width = (size_t)1 << below(4), at;
    if (n < width)
        return n;
    at = below(n - width + 1);
    uint64_t value = values[below(sizeof values / sizeof values[0])] + below(3) - 1;
    for (size_t i = 0; i < width; i++)
        bytes[at + i] = (uint8_t)(value >> 8 * (width - 1 - i));
    return n;
}

/* Takes a stretch out, or puts one of this input or of another seed in. */
static size_t move_stretch(uint8_t *bytes, size_t n, size_t most)
{
    const struct seed *from = &seeds[below((size_t)nseeds)];
    size_t at = below(n + 1), length = 1 + below(below(4) ? 16 : 256);
    if (below(2)) {
        length = length > n - at ? n - at : length;
        memmove(bytes + at, bytes + at + length, n - at - length);
        return n - length;
    }
    length = length > from->n ? from->n : length;
    length = length > most - n ? most - n : length;
    memmove(bytes + at + length, bytes + at, n - at);
    memcpy(bytes + at, from->bytes + below(from->n - length + 1), length);
    return n + length;
}

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t n, size_t most)
{
    switch (below(6)) {
    case 0:
        if (n > 0)
            bytes[below(n)] ^= (uint8_t)(1U << below(8));
        return n;
    case 1:
        if (n > 0)
            bytes[below(n)] = (uint8_t)next_number();
        return n;
    case 2:
        return put_number(bytes, n);
    case 3:
        return move_stretch(bytes, n, most);
    case 4:
        if (n < most)
            bytes[n++] = (uint8_t)next_number();
        return n;
    default:
        if (n > 1) {
            size_t a = below(n), b = below(n);
            uint8_t x = bytes[a];
            bytes[a] = bytes[b];
            bytes[b] = x;
        }
        return n;
    }
}

static size_t mutate(uint8_t *bytes, size_t n)
{
    for (size_t times = (size_t)1 << below(5); times > 0; times--)
        n = LLVMFuzzerCustomMutator
                ? LLVMFuzzerCustomMutator(bytes, n, MOST_BYTES, (unsigned int)next_number())
                : LLVMFuzzerMutate(bytes, n, MOST_BYTES);
    return n;
}

/* ---- what to start from */

static void add_seed(const char *path)
{
    struct stat st;
    FILE *f = fopen(path, "rb");
    DEMAND(f && fstat(fileno(f), &st) == 0 && nseeds < MOST_SEEDS);
    size_t n = st.st_size < MOST_BYTES ? (size_t)st.st_size : MOST_BYTES;
    struct seed *s = &seeds[nseeds++];
    s->bytes = malloc(n + 1);
    DEMAND(s->bytes && fread(s->bytes, 1, n, f) == n);
    s->n = n;
    fclose(f);
}

static int is_seed(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "README.md") != 0;
}

static void add_seeds(const char *path)
{
    struct dirent **entries;
    int n = scandir(path, &entries, is_seed, alphasort);
    if (n < 0)
        add_seed(path);
    for (int i = 0; i < n; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        add_seed(name);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_mutations(long runs, double end)
{
    static uint8_t bytes[MOST_BYTES];
    while (made < runs && now() < end) {
        const struct seed *s = &seeds[below((size_t)nseeds)];
        memcpy(bytes, s->bytes, s->n);
        run(bytes, mutate(bytes, s->n));
    }
}

int main(int argc, char **argv)
{
    bool every = false;
    long runs = 0;
    double begin = now(), seconds = 1e9;

    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--every") == 0)
            every = true;
        else if (strcmp(argv[i], "--runs") == 0)
            runs = strtol(value, NULL, 10), i++;
        else if (strcmp(argv[i], "--seconds") == 0)
            seconds = strtod(value, NULL), i++;
        else if (strcmp(argv[i], "--seed") == 0)
            state = strtoull(value, NULL, 10), i++;
        else
            add_seeds(argv[i]);
    }
    listen_to_death();
    for (int i = 0; i < nseeds; i++)
        every ? run_every(&seeds[i]) : run(seeds[i].bytes, seeds[i].n);
    if (nseeds > 0 && !every)
        run_mutations(runs, begin + seconds);
    printf("%s: %d seeds, %ld executions in %.1f s\n", argv[0], nseeds, made, now() - begin);
    for (int i = 0; i < nseeds; i++)
        free(seeds[i].bytes);
    return nseeds == 0;
}
