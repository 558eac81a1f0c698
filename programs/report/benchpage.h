#ifndef PCDF_BENCHPAGE_H
#define PCDF_BENCHPAGE_H
/* What the page says of runs of `parcdf bench`, side by side. */

#include <stdio.h>
#include "jsonread.h"

enum { PCDF_BENCH_MOST_RUNS = 16 };

struct pcdf_bench_run {
    const char *name; /* of the file */
    const struct pcdf_json_value *json;
};

/* NULL, or a sentence: what of the object is not as parcdf bench writes it. */
const char *pcdf_bench_fault(const struct pcdf_json_value *json);
void pcdf_bench_page(FILE *f, const struct pcdf_bench_run *runs, int n);
#endif
