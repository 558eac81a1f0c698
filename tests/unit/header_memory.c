/* Fixes the memory that a header takes while it is parsed: at most 16 bytes a byte of the header and 1 MiB,
 * for headers of a few megabytes that are made of as many and as small elements as fit, sound ones and ones
 * that break off; and that their time grows with their size (a run that is quadratic meets the limit of the
 * test). */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"
#include "alloc.h"
#include "bytes.h"
#include "findings.h"

enum { SIZE = 2 << 20 };

static unsigned char bytes[SIZE + 4096];

struct making {
    size_t n;
    int version, wide;
};

static void word(struct making *m, uint32_t x)
{
    pcdf_bytes_put(bytes + m->n, x, 4);
    m->n += 4;
}

static void number(struct making *m, uint64_t x)
{
    if (m->wide == 8)
        word(m, (uint32_t)(x >> 32));
    word(m, (uint32_t)x);
}

/* Three letters of the number, or nothing. */
static void name(struct making *m, bool is_named, uint32_t id)
{
    number(m, is_named ? 4 : 0);
    if (!is_named)
        return;
    for (int i = 0; i < 4; i++, id /= 26)
        bytes[m->n++] = (unsigned char)('a' + id % 26);
}

static void absent(struct making *m)
{
    word(m, 0);
    number(m, 0);
}

static void att(struct making *m, bool is_named, uint32_t id)
{
    name(m, is_named, id);
    word(m, NC_BYTE);
    number(m, is_named ? 1 : 0);
    if (is_named)
        word(m, 0x01000000);
}

enum kind { DIMS, ATTS, VARS, VARS_WITH_ATT, DIMIDS, ATTS_OF_ONE, KINDS };

static const char *const kind_names[] = { "dimensions",    "attributes",
                                          "variables",     "variables with attributes",
                                          "dimension ids", "attributes of a variable" };

static void var(struct making *m, enum kind kind, bool is_named, uint32_t id)
{
    name(m, is_named, id);
    number(m, 0);
    if (kind == VARS_WITH_ATT) {
        word(m, PCDF_TAG_ATTRIBUTE);
        number(m, 1);
        att(m, is_named, 0);
    } else {
        absent(m);
    }
    word(m, NC_BYTE);
    number(m, 4);
    if (m->version > 1)
        word(m, 0);
    word(m, (64 << 20) + 4 * id);
}

/* One variable that is all dimensions, of length 1, or all attributes. */
static void one_var(struct making *m, enum kind kind, bool is_named, uint64_t most)
{
    word(m, PCDF_TAG_VARIABLE);
    number(m, 1);
    name(m, is_named, 0);
    number(m, kind == DIMIDS ? most : 0);
    for (uint64_t i = 0; kind == DIMIDS && i < most; i++)
        number(m, 0);
    if (kind == ATTS_OF_ONE) {
        word(m, PCDF_TAG_ATTRIBUTE);
        number(m, most);
        for (uint64_t i = 0; i < most; i++)
            att(m, is_named, (uint32_t)i);
    } else {
        absent(m);
    }
    word(m, NC_BYTE);
    number(m, 4);
    if (m->version > 1)
        word(m, 0);
    word(m, 64 << 20);
}

/* Puts `most` elements of the kind, as small as they can be. */
static size_t make(int version, enum kind kind, bool is_named, uint64_t most)
{
    struct making m = { .version = version, .wide = version == 5 ? 8 : 4 };
    memcpy(bytes, "CDF", 3);
    bytes[3] = (unsigned char)version;
    m.n = 4;
    number(&m, 0);
    if (kind == DIMS || kind == DIMIDS) {
        uint64_t n = kind == DIMS ? most : 1;
        word(&m, PCDF_TAG_DIMENSION);
        number(&m, n);
        for (uint64_t i = 0; i < n; i++) {
            name(&m, is_named, (uint32_t)i);
            number(&m, 1);
        }
    } else {
        absent(&m);
    }
    if (kind == ATTS) {
        word(&m, PCDF_TAG_ATTRIBUTE);
        number(&m, most);
        for (uint64_t i = 0; i < most; i++)
            att(&m, is_named, (uint32_t)i);
    } else {
        absent(&m);
    }
    if (kind == DIMIDS || kind == ATTS_OF_ONE) {
        one_var(&m, kind, is_named, most);
    } else if (kind == VARS || kind == VARS_WITH_ATT) {
        word(&m, PCDF_TAG_VARIABLE);
        number(&m, most);
        for (uint64_t i = 0; i < most; i++)
            var(&m, kind, is_named, (uint32_t)i);
    } else {
        absent(&m);
    }
    return m.n;
}

static uint64_t element_size(int version, enum kind kind, bool is_named)
{
    uint64_t wide = version == 5 ? 8 : 4, far = version == 1 ? 4 : 8, letters = is_named ? 4 : 0;
    uint64_t att_size = wide + letters + 4 + wide + letters;
    uint64_t var_size = 4 * wide + letters + 8 + far;
    const uint64_t sizes[KINDS] = { 2 * wide + letters,  att_size, var_size,
                                    var_size + att_size, wide,     att_size };
    return sizes[kind];
}

/* In a process of its own, so that the peak is that of this header. 0: good. */
static int run(int version, enum kind kind, bool is_named, bool is_lenient, bool is_cut)
{
    size_t n = make(version, kind, is_named, (SIZE - 400) / element_size(version, kind, is_named));
    struct pcdf_reading reading = { .is_lenient = is_lenient };
    struct pcdf_layout layout;
    struct pcdf_fault fault;
    struct pcdf_meta meta;
    int64_t need = 0, size = is_cut ? (int64_t)n - 3 : (int64_t)n;
    int err = pcdf_decode(&reading, bytes, (size_t)size, size, &need, &meta, &layout, &fault);
    CHECK(need == 0 && (err == NC_NOERR) == !is_cut, "%d, need %" PRId64 ": %s", err, need, fault.text);
    CHECK(pcdf_alloc_peak() <= 16 * size + (1 << 20),
          "CDF-%d, %s%s: %.1f bytes of memory a byte of the header", version, is_named ? "named " : "",
          kind_names[kind], (double)pcdf_alloc_peak() / (double)size);
    if (!err) {
        pcdf_meta_free(&meta);
        pcdf_layout_free(&layout);
    }
    if (getenv("SHOW_MEMORY"))
        printf("CDF-%d, %s%s%s: %.1f\n", version, is_named ? "named " : "", kind_names[kind],
               is_lenient ? ", lenient" : "", (double)pcdf_alloc_peak() / (double)size);
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_bad > 0;
}

static void run_apart(int version, enum kind kind, int options)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int bad = run(version, kind, options & 1, options & 2, options & 4);
        fflush(stdout);
        _exit(bad);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0,
          "CDF-%d, %s, options %d: status 0x%x", version, kind_names[kind], options, (unsigned)status);
}

int main(void)
{
    static const int versions[] = { 1, 2, 5 };
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int options = 0; options < 8; options++)
                run_apart(versions[i], (enum kind)kind, options);
    return check_done("header_memory");
}
