/* Speed of the conversion of values (src/access/convert.c), one core, no file, at each level of instructions
 * that this processor has: put / get in GB/s of memory read plus written, and beside them what memcpy reaches
 * on as many bytes in the same run, which is the roof. Twice: values that stay in the second-level cache, and
 * many more. Every pair is verified value by value at every level: in the file bytes, decoded here, and after
 * the way back. convert [MiB of values, default 16] [repetitions, default 5]     the best repetition of each
 * is printed */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "convert.h"

struct pair {
    nc_type xtype;
    enum pcdf_mtype mtype;
    const char *external;
    int width; /* of the external type */
    bool is_real;
    ptrdiff_t stride;
};

static const struct pair pairs[] = {
    { NC_BYTE, PCDF_M_SCHAR, "byte", 1, false, 1 },     { NC_SHORT, PCDF_M_SHORT, "short", 2, false, 1 },
    { NC_INT, PCDF_M_INT, "int", 4, false, 1 },         { NC_FLOAT, PCDF_M_FLOAT, "float", 4, true, 1 },
    { NC_DOUBLE, PCDF_M_DOUBLE, "double", 8, true, 1 }, { NC_FLOAT, PCDF_M_DOUBLE, "float", 4, true, 1 },
    { NC_DOUBLE, PCDF_M_FLOAT, "double", 8, true, 1 },  { NC_INT, PCDF_M_DOUBLE, "int", 4, false, 1 },
    { NC_DOUBLE, PCDF_M_INT, "double", 8, true, 1 },    { NC_INT, PCDF_M_LONGLONG, "int", 4, false, 1 },
    { NC_INT64, PCDF_M_INT, "int64", 8, false, 1 },     { NC_SHORT, PCDF_M_INT, "short", 2, false, 1 },
    { NC_SHORT, PCDF_M_FLOAT, "short", 2, false, 1 },   { NC_UBYTE, PCDF_M_INT, "ubyte", 1, false, 1 },
    { NC_FLOAT, PCDF_M_FLOAT, "float", 4, true, 2 },    { NC_FLOAT, PCDF_M_FLOAT, "float", 4, true, 3 },
    { NC_DOUBLE, PCDF_M_DOUBLE, "double", 8, true, 2 }, { NC_DOUBLE, PCDF_M_DOUBLE, "double", 8, true, 5 },
    { NC_FLOAT, PCDF_M_DOUBLE, "float", 4, true, 2 },
};

static const char *const levels[] = { "portable", "neon", "avx2", "avx512" };
enum { LEVELS = sizeof levels / sizeof *levels };

struct arrays {
    unsigned char *memory, *back, *file, *from, *to;
    size_t n, span, filed, moved; /* values; bytes of memory, of the file, read plus written */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int expected(size_t i)
{
    return (int)(i % 101);
}

/* The number in the file bytes, without the converters. */
static double decode(const unsigned char *at, const struct pair *p)
{
    uint64_t bits = 0;
    for (int i = 0; i < p->width; i++)
        bits = bits << 8 | at[i];
    if (!p->is_real)
        return (double)bits; /* the values are small and not negative */
    if (p->width == 8) {
        double d;
        memcpy(&d, &bits, sizeof d);
        return d;
    }
    uint32_t low = (uint32_t)bits;
    float f;
    memcpy(&f, &low, sizeof f);
    return f;
}

/* Fills the values that are `stride` apart by way of a get from NC_UBYTE, which converts to every type. */
static void fill_memory(const struct arrays *a, const struct pair *p)
{
    const struct pcdf_converter *k = pcdf_converter_of(PCDF_CDF5, NC_UBYTE, p->mtype);
    size_t step = (size_t)p->stride * k->size;
    for (size_t i = 0; i < a->n; i++) {
        unsigned char byte = (unsigned char)expected(i);
        k->get(a->memory + i * step, 1, &byte, 1);
    }
}

static double copy_time(const struct arrays *a, int repetitions)
{
    double best = INFINITY;
    for (int r = 0; r < repetitions; r++) {
        double t = now();
        __asm__ volatile(""
                         :
                         : "r"(a->from), "r"(a->to)
                         : "memory"); /* or the compiler makes a memset of it */
        memcpy(a->to, a->from, a->moved / 2);
        __asm__ volatile("" : : "r"(a->to) : "memory");
        best = fmin(best, now() - t);
    }
    return best;
}

static bool verify(const struct arrays *a, const struct pair *p)
{
    for (size_t i = 0; i < a->n; i++)
        if (decode(a->file + i * (size_t)p->width, p) != expected(i))
            return false;
    return !memcmp(a->memory, a->back, a->span);
}

/* Prints the level's put and get, and whether they were right. */
static bool measure_level(const struct arrays *a, const struct pair *p, int repetitions)
{
    const struct pcdf_converter *k = pcdf_converter_of(PCDF_CDF5, p->xtype, p->mtype);
    const unsigned char fill[8] = { 0 };
    double put = INFINITY, get = INFINITY;
    bool good = true;
    memset(a->file, 0xff, a->filed);
    memset(a->back, 0, a->span);
    for (int r = 0; r < repetitions; r++) {
        double t = now();
        good = !k->put(a->file, a->memory, p->stride, a->n, fill) && good;
        put = fmin(put, now() - t);
        t = now();
        good = !k->get(a->back, p->stride, a->file, a->n) && good;
        get = fmin(get, now() - t);
    }
    good = verify(a, p) && good;
    printf("  %6.2f / %6.2f%s", 1e-9 * (double)a->moved / put, 1e-9 * (double)a->moved / get,
           good ? "" : " WRONG");
    return good;
}

static bool measure(const struct pair *p, size_t nbytes, int repetitions)
{
    size_t size = pcdf_mtype_size(p->mtype), n = nbytes / 8;
    struct arrays a = { .n = n, .span = n * size * (size_t)p->stride, .filed = n * (size_t)p->width };
    bool good = true;
    a.moved = n * size + a.filed;
    a.memory = calloc(1, a.span);
    a.back = calloc(1, a.span);
    a.file = malloc(a.filed);
    a.from = calloc(1, a.moved / 2);
    a.to = calloc(1, a.moved / 2);
    if (!a.memory || !a.back || !a.file || !a.from || !a.to) {
        fprintf(stderr, "convert: no memory\n");
        exit(1);
    }
    memset(a.to, 1, a.moved / 2);
    memset(a.from, 1, a.moved / 2); /* not all one page of zeros */
    fill_memory(&a, p);
    printf("%-7s %-10s %2td %8.2f", p->external, pcdf_mtype_name(p->mtype), p->stride,
           1e-9 * (double)a.moved / copy_time(&a, repetitions));
    for (int l = 0; l < LEVELS; l++)
        if (pcdf_convert_use(levels[l]))
            good = measure_level(&a, p, repetitions) && good;
    printf("\n");
    free(a.memory);
    free(a.back);
    free(a.file);
    free(a.from);
    free(a.to);
    return good;
}

static bool measure_all(size_t nbytes, int repetitions)
{
    bool good = true;
    printf("\n%zu values a pair, GB/s\nfile    memory stride   memcpy", nbytes / 8);
    for (int l = 0; l < LEVELS; l++)
        if (pcdf_convert_use(levels[l]))
            printf("  %8s: put/get", levels[l]);
    printf("\n");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        good = measure(&pairs[i], nbytes, repetitions) && good;
    return good;
}

int main(int argc, char **argv)
{
    long mib = argc > 1 ? strtol(argv[1], NULL, 10) : 16,
         repetitions = argc > 2 ? strtol(argv[2], NULL, 10) : 5;
    if (mib < 1 || mib > 4096 || repetitions < 1 || repetitions > 10000) {
        fprintf(stderr, "usage: convert [MiB] [repetitions]\n");
        return 2;
    }
    printf("convert: memory read + written, best of %ld; without being told, the library takes %s\n",
           repetitions, pcdf_convert_level());
    bool good = measure_all((size_t)256 << 10, (int)repetitions * 20);
    good = measure_all((size_t)mib << 20, (int)repetitions) && good;
    printf("%s\n", good ? "all verified" : "WRONG");
    return good ? 0 : 1;
}
