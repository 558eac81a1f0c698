/* Which name table: pcdf_names against uthash, both with a struct that owns its name, as a file's definitions
 * do. Defines n names (each after a look-up, as def_dim does), looks every one up and n absent ones, and
 * tells the time and the bytes a name costs beyond struct and text. Needs no MPI: cc -O2 -Isrc/base
 * benchmarks/names_bench.c src/base/{names,alloc,status}.c (uthash.h from the package uthash-dev) */
#include "alloc.h"
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static size_t uthash_bytes;

static void *counted(size_t size)
{
    uthash_bytes += size;
    return malloc(size);
}

#define uthash_malloc(size)  counted(size)
#define uthash_free(p, size) (uthash_bytes -= (size), free(p))
#include <uthash.h>

enum { ROUNDS = 7 };

struct plain {
    char *name;
    int64_t length;
};

struct hashed {
    char *name;
    int64_t length;
    int id;
    UT_hash_handle hh;
};

struct result {
    double define, lookup; /* ns a name */
    double bytes;
    long found;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static char **make_texts(int n, const char *stem)
{
    char **texts = malloc((size_t)n * sizeof *texts), text[64];
    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof text, "%s_%d", stem, i);
        texts[i] = strdup(text);
    }
    return texts;
}

static struct result measure_own(int n, char **texts, char **absent)
{
    struct plain *list = calloc((size_t)n, sizeof *list);
    struct pcdf_names *names = NULL;
    struct result r = { 0 };
    double start = now();
    int there;

    pcdf_names_new(&names, 0);
    for (int i = 0; i < n; i++) {
        list[i].name = texts[i];
        pcdf_names_enter(names, texts[i], strlen(texts[i]), i, list, sizeof *list, &there);
    }
    r.define = (now() - start) / n;
    start = now();
    for (int i = 0; i < n; i++)
        r.found += pcdf_names_find(names, texts[i], list, sizeof *list) == i;
    for (int i = 0; i < n; i++)
        r.found += pcdf_names_find(names, absent[i], list, sizeof *list) < 0;
    r.lookup = (now() - start) / (2 * n);
    r.bytes = (double)pcdf_alloc_now() / n;
    pcdf_names_free(names);
    free(list);
    return r;
}

static struct result measure_uthash(int n, char **texts, char **absent)
{
    struct hashed *list = calloc((size_t)n, sizeof *list), *head = NULL, *there;
    struct result r = { 0 };
    double start = now();

    uthash_bytes = 0;
    for (int i = 0; i < n; i++) {
        list[i].name = texts[i];
        list[i].id = i;
        HASH_FIND_STR(head, texts[i], there);
        if (!there)
            HASH_ADD_KEYPTR(hh, head, list[i].name, strlen(list[i].name), &list[i]);
    }
    r.define = (now() - start) / n;
    start = now();
    for (int i = 0; i < n; i++) {
        HASH_FIND_STR(head, texts[i], there);
        r.found += there && there->id == i;
    }
    for (int i = 0; i < n; i++) {
        HASH_FIND_STR(head, absent[i], there);
        r.found += !there;
    }
    r.lookup = (now() - start) / (2 * n);
    r.bytes = (double)uthash_bytes / n + (double)(sizeof *list - sizeof(struct plain));
    HASH_CLEAR(hh, head);
    free(list);
    return r;
}

typedef struct result (*measure_fn)(int n, char **texts, char **absent);

/* The median round by define + look-up. */
static void report(const char *table, measure_fn measure, int n)
{
    char **texts = make_texts(n, "surface_temperature"), **absent = make_texts(n, "surface_pressure");
    struct result all[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        struct result r = measure(n, texts, absent);
        int at = i;
        for (; at > 0 && all[at - 1].define + all[at - 1].lookup > r.define + r.lookup; at--)
            all[at] = all[at - 1];
        all[at] = r;
        if (r.found != 2L * n)
            fprintf(stderr, "%s: %ld of %ld answers are right\n", table, r.found, 2L * n);
    }
    const struct result *r = &all[ROUNDS / 2];
    printf(
        "{\"benchmark\": \"names\", \"table\": \"%s\", \"names\": %d, \"rounds\": %d, \"define_ns\": %.0f, "
        "\"lookup_ns\": %.0f, \"bytes_a_name\": %.1f}\n",
        table, n, ROUNDS, r->define, r->lookup, r->bytes);
    for (int i = 0; i < n; i++) {
        free(texts[i]);
        free(absent[i]);
    }
    free(texts);
    free(absent);
}

int main(void)
{
    static const int sizes[] = { 20000, 100000 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        report("pcdf_names", measure_own, sizes[i]);
        report("uthash", measure_uthash, sizes[i]);
    }
    return 0;
}
