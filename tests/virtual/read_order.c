/* In which order a rank reads its chunks (src/virtual/readorder.h), at random: each run of needs comes once,
 * also of those that are put off; batches follow each other; and two ranks with the same needs begin with
 * different ones. */

#include "readorder.h"
#include <stdlib.h>
#include "check.h"
#include "numbers.h"

enum { MOST = 400, CHUNK = 1000 };

static struct pcdf_varview vars[2] = { { .chunk_bytes = CHUNK }, { .chunk_bytes = 3 * CHUNK } };
static struct pcdf_views views = { .vars = vars };
static struct pcdf_need list[MOST];
static struct pcdf_needs needs = { .views = &views };

static uint64_t state = 1;
static int below(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

/* Up to three needs a chunk. */
static int make_list(int runs)
{
    size_t n = 0;
    int var = 0;
    for (int i = 0; i < runs; i++) {
        var |= below(20) == 0;
        for (int k = 0; k <= below(3) && n < MOST; k++)
            list[n++] = (struct pcdf_need){ .chunk = i, .var = (uint32_t)var, .box = (uint32_t)k };
    }
    needs.list.x = list;
    needs.list.n = n;
    return n > 0 ? (int)list[n - 1].chunk + 1 : 0;
}

static int64_t bytes_between(int from, int to)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < needs.list.n; i++)
        if ((i == 0 || list[i].chunk != list[i - 1].chunk) && list[i].chunk >= from && list[i].chunk < to)
            bytes += vars[list[i].var].chunk_bytes;
    return bytes;
}

static void once_each(int user, int users, int64_t most)
{
    int runs = make_list(below(100)), seen[MOST] = { 0 }, put_off[MOST] = { 0 }, taken = 0, low = 0;
    struct pcdf_readorder o;
    struct pcdf_run run;
    pcdf_readorder_begin(&o, &needs, user, users, most);
    while (taken <= runs && pcdf_readorder_next(&o, &run)) {
        int chunk = (int)run.x->chunk;
        for (size_t k = 0; k < run.n; k++)
            CHECK(run.x[k].chunk == chunk, "a run of two chunks");
        CHECK(run.x == list || run.x[-1].chunk != chunk, "not the begin of chunk %d", chunk);
        CHECK(run.x + run.n == list + needs.list.n || run.x[run.n].chunk != chunk, "not all of chunk %d",
              chunk);
        CHECK(!run.is_last_try || put_off[chunk] > 0, "a last try of what is new");
        if (below(3) == 0) {
            CHECK_INT(pcdf_readorder_put_off(&o, &run), 0);
            put_off[chunk]++;
            continue;
        }
        seen[chunk]++;
        taken++;
        pcdf_readorder_take(&o, &run);
        while (low < runs && (seen[low] || put_off[low]))
            low++;
        if (most > 0) /* nothing new from more than a batch behind what is missing */
            CHECK(put_off[chunk] || chunk < low || bytes_between(low, chunk) <= pcdf_larger(most, 3 * CHUNK),
                  "chunk %d while %d is missing", chunk, low);
    }
    for (int i = 0; i < runs; i++)
        CHECK(seen[i] == 1, "chunk %d came %d times", i, seen[i]);
    CHECK_INT(taken, runs);
    pcdf_readorder_free(&o);
}

/* Two ranks in turn, with the same needs: each chunk is decoded once while it is in the cache. */
static void together(int64_t most)
{
    int runs = make_list(120), decoded[MOST] = { 0 }, both = 0;
    struct pcdf_readorder o[2];
    struct pcdf_run run;
    for (int i = 0; i < 2; i++)
        pcdf_readorder_begin(&o[i], &needs, i, 2, most);
    for (bool any = true; any;) {
        any = false;
        for (int i = 0; i < 2; i++) {
            while (pcdf_readorder_next(&o[i], &run) && decoded[run.x->chunk]) { /* it is there: no work */
                decoded[run.x->chunk] += 10;
                pcdf_readorder_take(&o[i], &run);
            }
            if (!pcdf_readorder_next(&o[i], &run))
                continue;
            any = true;
            decoded[run.x->chunk]++;
            both += i;
            pcdf_readorder_take(&o[i], &run);
        }
    }
    for (int i = 0; i < runs; i++)
        CHECK(decoded[i] == 11, "chunk %d: %d", i, decoded[i]);
    CHECK(both >= runs / 2 - 1 && both <= runs / 2 + 1, "rank 1 decoded %d of %d", both, runs);
    for (int i = 0; i < 2; i++)
        pcdf_readorder_free(&o[i]);
}

int main(void)
{
    for (int i = 0; i < 2000; i++) {
        int users = 1 + below(5);
        once_each(below(users), users, below(2) * (1 + below(20 * CHUNK)));
    }
    together(0);
    together(20 * CHUNK);
    return check_done("read_order");
}
