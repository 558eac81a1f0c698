/* Fuzz target for the parser of CDL headers: text gives definitions, or a fault with a place inside the text
 * and a code that the header promises; no crash, no leak; no failed allocation does harm. Definitions that
 * the parser took are those of a file: they can be laid out, encoded, and decoded strictly to equal ones. */
#include "equalmeta.h"
#include "alloc.h"
#include "cdl.h"
#include "decode.h"
#include "encode.h"
#include "fuzz.h"
#include "status.h"

static void check_fault(const struct pcdf_cdl_fault *fault, int err, const char *text, size_t n)
{
    int lines = 1;
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    DEMAND(fault->code == err && pcdf_error_of(err)->name && fault->text[0]);
    DEMAND(fault->line >= 1 && fault->line <= lines);
    DEMAND(fault->column >= 1 && fault->column <= (int)n + 1);
}

/* Begins of a version that are too large are NC_EVARSIZE, and there is no file. */
static void check_file(const struct pcdf_meta *meta)
{
    static const struct pcdf_alignment none = { 0 };
    struct pcdf_layout layout = { 0 }, read = { 0 };
    struct pcdf_meta again;
    struct pcdf_fault fault;
    int64_t need = 0;

    int err = pcdf_layout_build(&layout, meta, NULL, &none);
    DEMAND(err == NC_NOERR || err == NC_EVARSIZE);
    if (err)
        return;
    unsigned char *bytes = malloc((size_t)layout.header_size);
    DEMAND(bytes);
    pcdf_encode(meta, &layout, bytes);
    err = pcdf_decode(NULL, bytes, (size_t)layout.header_size, INT64_MAX, &need, &again, &read, &fault);
    if (err)
        fprintf(stderr, "%s\n", fault.text);
    DEMAND(err == NC_NOERR && need == 0 && equal_meta(meta, &again));
    pcdf_meta_free(&again);
    pcdf_layout_free(&read);
    pcdf_layout_free(&layout);
    free(bytes);
}

static void check_no_memory(const char *text, size_t n, int err)
{
    static int64_t k;
    struct pcdf_meta meta;

    k++;
    pcdf_alloc_fail_at(1 + k % 64, k % 2 == 0);
    int got = pcdf_cdl_parse(text, n, PCDF_CDL_NUL, &meta, NULL);
    pcdf_alloc_fail_at(0, 0);
    DEMAND(got == NC_ENOMEM || got == err);
    if (got == NC_NOERR)
        pcdf_meta_free(&meta);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct pcdf_meta meta;
    struct pcdf_cdl_fault fault = { 0 };
    const char *text = (const char *)bytes;

    int err = pcdf_cdl_parse(text, n, PCDF_CDL_NUL, &meta, &fault);
    if (err) {
        check_fault(&fault, err, text, n);
    } else {
        check_file(&meta);
        pcdf_meta_free(&meta);
    }
    check_no_memory(text, n, err);
    DEMAND(pcdf_alloc_now() == 0);
    return 0;
}

/* clang-format off */
static const char *const words[] = {
    "netcdf x { ", "dimensions: ", "variables: ", "data: ", "a = ", "t = UNLIMITED ; ", "// (25 currently)\n",
    "// file format: CDF-5\n", "// file format: CDF-2 (large file)\n", ":_Format = \"64-bit offset\" ;", " ; ", " , ",
    "int v(t, a) ; ", "double ", "char ", "string ", "ubyte ", "int64 ", "uint64 ", "v:x = ", "v:_FillValue = ", ":g = ",
    "\"text\\n\\x41\\101\\\"\"", "'c'", "NaN", "-Infinity", "NaNf", "1e308", "1e-400f", "3.f", "0x7fffffffffffffff", "-0x1",
    "017", "255ub", "65535us", "4294967295u", "18446744073709551615ull", "-9223372036854775808LL", "9223372036854775808",
    "\\ ", "\\:", "\\x4", "\xc3\xa9", "\xff", "group: g { ", "types: ", "compound ", "enum ", "(*)", "}", "{", "(", ")",
    "unlimited", "//", "long ", "real ", "x:", "= 1, 2, ", "b", "s", "L", ".", "-", "+"
};
/* clang-format on */

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t n, size_t most, unsigned int seed)
{
    if (seed % 2)
        return LLVMFuzzerMutate(bytes, n, most);
    return fuzz_add_word(bytes, n, most, seed / 2, words, sizeof words / sizeof words[0]);
}
