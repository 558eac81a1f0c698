/* Speed of the kernels of src/access/convert.c, one core, no file: GiB/s of memory read plus written, and the
 * same as a part of what memcpy reaches on as many bytes in the same run. Every pair is verified value by
 * value: in the file bytes, decoded here, and after the way back. convert [MiB of values, default 16]
 * [repetitions, default 9]          prints the best repetition of each */

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
    { NC_BYTE, PCDF_M_SCHAR, "NC_BYTE", 1, false, 1 },
    { NC_SHORT, PCDF_M_SHORT, "NC_SHORT", 2, false, 1 },
    { NC_INT, PCDF_M_INT, "NC_INT", 4, false, 1 },
    { NC_INT64, PCDF_M_LONGLONG, "NC_INT64", 8, false, 1 },
    { NC_FLOAT, PCDF_M_FLOAT, "NC_FLOAT", 4, true, 1 },
    { NC_DOUBLE, PCDF_M_DOUBLE, "NC_DOUBLE", 8, true, 1 },
    { NC_FLOAT, PCDF_M_DOUBLE, "NC_FLOAT", 4, true, 1 },
    { NC_DOUBLE, PCDF_M_FLOAT, "NC_DOUBLE", 8, true, 1 },
    { NC_SHORT, PCDF_M_FLOAT, "NC_SHORT", 2, false, 1 },
    { NC_INT, PCDF_M_DOUBLE, "NC_INT", 4, false, 1 },
    { NC_INT, PCDF_M_LONG, "NC_INT", 4, false, 1 },
    { NC_UBYTE, PCDF_M_INT, "NC_UBYTE", 1, false, 1 },
    { NC_FLOAT, PCDF_M_FLOAT, "NC_FLOAT", 4, true, 2 },
    { NC_DOUBLE, PCDF_M_DOUBLE, "NC_DOUBLE", 8, true, 3 },
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

/* The number in the file bytes, without the kernels. */
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

/* Fills the n values that are `stride` apart by way of a get from NC_UBYTE, which converts to every type. */
static void fill_memory(unsigned char *memory, const struct pair *p, size_t n)
{
    const struct pcdf_kernels *k = pcdf_kernels_of(PCDF_CDF5, NC_UBYTE, p->mtype);
    size_t step = (size_t)p->stride * pcdf_mtype_size(p->mtype);
    for (size_t i = 0; i < n; i++) {
        unsigned char byte = (unsigned char)expected(i);
        k->get(memory + i * step, 1, &byte, 1);
    }
}

static double copy_time(unsigned char *to, const unsigned char *from, size_t nbytes, int repetitions)
{
    double best = INFINITY;
    for (int r = 0; r < repetitions; r++) {
        double t = now();
        __asm__ volatile("" : : "r"(from), "r"(to) : "memory"); /* or the compiler makes a memset of it */
        memcpy(to, from, nbytes);
        __asm__ volatile("" : : "r"(to) : "memory");
        best = fmin(best, now() - t);
    }
    return best;
}

static int measure(const struct pair *p, size_t nbytes, int repetitions)
{
    size_t msize = pcdf_mtype_size(p->mtype), n = nbytes / 8, span = n * msize * (size_t)p->stride;
    size_t filed = n * (size_t)p->width, moved = n * msize + filed;
    unsigned char *memory = malloc(span), *back = malloc(span), *file = malloc(filed + 1), fill[8] = { 0 };
    unsigned char *from = malloc(moved / 2), *to = malloc(moved / 2);
    const struct pcdf_kernels *k = pcdf_kernels_of(PCDF_CDF5, p->xtype, p->mtype);
    double put = INFINITY, get = INFINITY, copy;
    bool good = memory && back && file && from && to;
    if (good) {
        memset(memory, 0, span);
        memset(back, 0, span);
        memset(file, 0, filed + 1);
        memset(from, 1, moved / 2);
        memset(to, 0, moved / 2);
        fill_memory(memory, p, n);
        for (int r = 0; r < repetitions; r++) {
            double t = now();
            good = !k->put(file, memory, p->stride, n, fill) && good;
            put = fmin(put, now() - t);
            t = now();
            good = !k->get(back, p->stride, file, n) && good;
            get = fmin(get, now() - t);
        }
        copy = copy_time(to, from, moved / 2, repetitions);
        for (size_t i = 0; good && i < n; i++)
            good = decode(file + i * (size_t)p->width, p) == expected(i);
        good = good && !memcmp(memory, back, span);
        double gib = (double)moved / (1 << 30);
        printf("%-10s %-12s %3td  put %6.2f GiB/s %5.2f   get %6.2f GiB/s %5.2f   memcpy %6.2f GiB/s  %s\n",
               p->external, pcdf_mtype_name(p->mtype), p->stride, gib / put, copy / put, gib / get,
               copy / get, gib / copy, good ? "verified" : "WRONG");
    }
    free(memory);
    free(back);
    free(file);
    free(from);
    free(to);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    long mib = argc > 1 ? strtol(argv[1], NULL, 10) : 16,
         repetitions = argc > 2 ? strtol(argv[2], NULL, 10) : 9;
    int bad = 0;
    if (mib < 1 || mib > 4096 || repetitions < 1 || repetitions > 10000) {
        fprintf(stderr, "usage: convert [MiB] [repetitions]\n");
        return 2;
    }
    printf("convert: %zu values a pair, best of %ld, memory read + written; second number: part of memcpy's "
           "speed\n",
           ((size_t)mib << 20) / 8, repetitions);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        bad |= measure(&pairs[i], (size_t)mib << 20, (int)repetitions);
    return bad;
}
