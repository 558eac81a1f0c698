/* Fuzz target for text and files: text -> gen -> dump -> gen -> dump. Text that gen takes gives a file that a
 * strict reading takes and dump prints, exactly as far as CDL can; what dump prints gen takes, and dump
 * prints that again to the byte. The two files are equal where CDL says all: without attributes (those that
 * are empty, or end in NULs, it cannot tell), and without reals (it prints those near the fill value as `_`).
 * No crash, no leak, no part of a file; files are small, or are refused. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "alloc.h"
#include "dump.h"
#include "fuzz.h"
#include "gen.h"
#include "tool.h"

enum { MOST = 1 << 18 };

static char folder[64], text[96], again[96], third[96], file[96], second[96];
static int nowhere = -1;

static void clean(void)
{
    unlink(text);
    unlink(again);
    unlink(third);
    unlink(file);
    unlink(second);
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    snprintf(folder, sizeof folder, "%s/fuzz_roundtrip_XXXXXX", access("/dev/shm", W_OK) ? "." : "/dev/shm");
    DEMAND(mkdtemp(folder));
    snprintf(text, sizeof text, "%s/text", folder);
    snprintf(again, sizeof again, "%s/again", folder);
    snprintf(third, sizeof third, "%s/third", folder);
    snprintf(file, sizeof file, "%s/file", folder);
    snprintf(second, sizeof second, "%s/second", folder);
    nowhere = open("/dev/null", O_WRONLY);
    atexit(clean);
    return 0;
}

static void save(const char *path, const uint8_t *bytes, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    DEMAND(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
    close(fd);
}

static uint8_t *load(const char *path, size_t *n)
{
    struct stat st;
    int fd = open(path, O_RDONLY);
    DEMAND(fd >= 0 && fstat(fd, &st) == 0);
    uint8_t *bytes = malloc((size_t)st.st_size + 1);
    *n = (size_t)st.st_size;
    DEMAND(bytes && read(fd, bytes, *n) == (ssize_t)*n);
    close(fd);
    return bytes;
}

static bool are_equal(const char *a, const char *b)
{
    size_t na, nb;
    uint8_t *x = load(a, &na), *y = load(b, &nb);
    bool equal = na == nb && memcmp(x, y, na) == 0;
    free(x);
    free(y);
    return equal;
}

/* What the commands say is of no interest here; what the target demands is. */
static int mute(void)
{
    int kept = dup(2);
    dup2(nowhere, 2);
    return kept;
}

static void speak(int kept)
{
    dup2(kept, 2);
    close(kept);
}

static int generate(const char *from, const char *to, int version)
{
    int kept = mute();
    int status = pcdf_gen_run(&(struct pcdf_gen){ .path = from,
                                                  .output = to,
                                                  .what = PCDF_GEN_FILE,
                                                  .version = version,
                                                  .is_quiet = true,
                                                  .most = MOST });
    speak(kept);
    return status;
}

static int dump(const char *from, const char *to)
{
    struct pcdf_dump_options options = pcdf_dump_defaults();
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600), errors = mute(), kept = dup(1);
    DEMAND(out >= 0 && kept >= 0);
    options.path = from;
    options.name = "x";
    options.has_float_digits = options.has_double_digits = true;
    options.float_digits = 9;
    options.double_digits = 17;
    fflush(stdout);
    dup2(out, 1);
    int status = pcdf_dump_run(&options);
    fflush(stdout);
    dup2(kept, 1);
    close(kept);
    close(out);
    speak(errors);
    return status;
}

/* Strictly read. Does CDL say all of it? */
static bool says_all(const char *path, int *version)
{
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    struct pcdf_fault fault;
    int64_t need = 0;
    size_t n;
    uint8_t *bytes = load(path, &n);

    DEMAND(pcdf_decode(NULL, bytes, n, (int64_t)n, &need, &meta, &layout, &fault) == NC_NOERR && need == 0);
    DEMAND(pcdf_layout_file_end(&layout, &meta) <= (int64_t)n);
    bool all = meta.gatts.n == 0;
    for (int i = 0; i < meta.nvars; i++)
        all = all && meta.vars[i].atts.n == 0 && meta.vars[i].type != NC_FLOAT &&
              meta.vars[i].type != NC_DOUBLE;
    *version = (int)meta.version;
    pcdf_meta_free(&meta);
    pcdf_layout_free(&layout);
    free(bytes);
    return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    int version;

    unlink(file);
    save(text, bytes, n);
    int status = generate(text, file, 0);
    DEMAND((status == PCDF_TOOL_GOOD) == (access(file, F_OK) == 0));
    if (status == PCDF_TOOL_GOOD) {
        bool all = says_all(file, &version);
        DEMAND(dump(file, again) == PCDF_TOOL_GOOD);
        DEMAND(generate(again, second, version) == PCDF_TOOL_GOOD);
        DEMAND(dump(second, third) == PCDF_TOOL_GOOD);
        DEMAND(are_equal(again, third));
        DEMAND(!all || are_equal(file, second));
    }
    DEMAND(pcdf_alloc_now() == 0);
    return 0;
}

/* clang-format off */
static const char *const words[] = {
    "netcdf x { ", "dimensions: ", "variables: ", "data: ", "a = 3 ", "b = 2 ; ", "t = UNLIMITED ; ", "t = UNLIMITED ; // (3 currently)\n",
    " ; ", " , ", "int v(t, a) ; ", "char c(a, b) ; ", "char r(t) ; ", "byte y(t) ; ", "short s(t, b) ; ", "double d(a) ; ",
    "v = ", "c = ", "r = ", "y = ", "s = ", "d = ", "1, 2, 3 ", "_", "\"ab\"", "\"a\\n\",\n    \"b\"", "\n  \"a\\n\"", "'c'", "\"\"",
    "NaN", "-Infinity", "1e308", "1.79769313486232e+308", "0x7f", "017", "255ub", "18446744073709551615ull", "-9223372036854775808",
    "v:_FillValue = 7 ; ", "c:_FillValue = \"x\" ; ", "c:t = \"a\\000b\" ; ", ":g = ", "v:C_format = \"%d\" ; ", "v:units = \"days since 1-1-1\" ; ",
    "uint64 ", "int64 ", "float ", "char ", "byte ", "}", "{", "(", ")", ":", "\\ ", "%", "\xc3\xa9", "data", "9.96920996838687e+36"
};
/* clang-format on */

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t most, unsigned int seed)
{
    if (seed % 2)
        return LLVMFuzzerMutate(bytes, n, most);
    return fuzz_add_word(bytes, n, most, seed / 2, words, sizeof words / sizeof words[0]);
}
