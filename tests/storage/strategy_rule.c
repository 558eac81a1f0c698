/* strategy.h: what one rank proposes, by the length of its pieces and the stripes of the file. Rows of a
 * table. */

#include "check.h"
#include "strategy.h"
#include <stdlib.h>

enum { K = 1024, M = K * K };

static const struct row {
    int64_t stripe, pieces, begin, mean;
    bool is_get, is_locked;
    enum pcdf_strategy want;
    const char *why;
} rows[] = {
    /* Without stripes that are locked: large pieces and one piece go alone. */
    { 0, 1, 100, 1000, false, false, PCDF_STRATEGY_INDEPENDENT, "piece-one" },
    { 0, 2, 100, 1000, false, false, PCDF_STRATEGY_TWOPHASE, "pieces-small" },
    { 0, 9, 100, 256 * K, false, false, PCDF_STRATEGY_INDEPENDENT, "pieces-large" },
    { M, 1, 100, 1000, false, false, PCDF_STRATEGY_INDEPENDENT, "piece-one" },
    { M, 9, 100, 256 * K, false, false, PCDF_STRATEGY_INDEPENDENT, "pieces-large" },
    /* With them: what shares stripes is exchanged, ... */
    { M, 1, 100, 1000, false, true, PCDF_STRATEGY_TWOPHASE, "file-striped" },
    { M, 1, 100, M, false, true, PCDF_STRATEGY_TWOPHASE, "file-striped" },
    { M, 9, 0, M - 8, false, true, PCDF_STRATEGY_TWOPHASE, "file-striped" },
    { M, 9, 0, 4 * M - 8, false, true, PCDF_STRATEGY_TWOPHASE, "file-striped" },
    { M, 2, 8 * M, M / 2, false, true, PCDF_STRATEGY_TWOPHASE, "file-striped" },
    { 16 * M, 1, 100, 20 * M, false, true, PCDF_STRATEGY_TWOPHASE, "file-striped" },
    { M, 1, 100, 1000, true, true, PCDF_STRATEGY_TWOPHASE, "file-striped" },
    /* ... but not what is aligned, several stripes long, very long, or only read in large pieces. */
    { M, 1, 8 * M, M, false, true, PCDF_STRATEGY_INDEPENDENT, "pieces-large" },
    { 64 * K, 1, 8 * M, 64 * K, false, true, PCDF_STRATEGY_INDEPENDENT, "piece-one" },
    { 64 * K, 3, 8 * M, 64 * K, false, true, PCDF_STRATEGY_TWOPHASE, "pieces-small" },
    { M, 3, 8 * M, 2 * M, false, true, PCDF_STRATEGY_INDEPENDENT, "pieces-large" },
    { M, 9, 100, 4 * M, false, true, PCDF_STRATEGY_INDEPENDENT, "pieces-large" },
    { 64 * M, 1, 100, 32 * M, false, true, PCDF_STRATEGY_INDEPENDENT, "pieces-large" },
    { M, 9, 100, 256 * K, true, true, PCDF_STRATEGY_INDEPENDENT, "pieces-large" },
};

int main(void)
{
    static const struct pcdf_storage_ops kind = { .name = "posix", .is_shared = true };
    struct pcdf_sharedfile file = { .kind = &kind };
    struct pcdf_dataset *ds = calloc(1, sizeof *ds);
    if (!ds)
        return CHECK_SKIP;
    ds->io = &file;
    ds->ranks.size = 4;
    pcdf_dataset_hints_to_read(ds)->chunk_size = 256 * K;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        const struct pcdf_iterator it = { .dir = row->is_get ? PCDF_GET : PCDF_PUT,
                                          .nbytes = row->pieces * row->mean,
                                          .pieces = row->pieces,
                                          .begin = row->begin,
                                          .end = row->begin + row->pieces * row->mean };
        file.stripes =
            (struct pcdf_stripes){ row->stripe > 0, row->is_locked, { { INT64_MAX, row->stripe, 4 } } };
        const char *why = "";
        enum pcdf_strategy way = pcdf_strategy_best(ds, &it, false, &why);
        CHECK(way == row->want && !strcmp(why, row->why), "row %zu: %s, because %s", i,
              pcdf_strategy_name(way), why);
    }
    free(ds);
    return check_done("strategy_rule");
}
