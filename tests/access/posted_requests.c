/* Fixes what the list of pending requests promises, on random posts and drops against a list kept by hand:
 * ids find what was posted under them and nothing else, shapes are copies that stay, requests never move;
 * memory follows what is pending, not what was ever posted. One process, no file. */
#include <stdlib.h>
#include "alloc.h"
#include "check.h"
#include "posted.h"
#include "status.h"

enum { NDIMS = 3, MOST = 6000, CHUNK_BYTES = 1024 * 80 };

static uint64_t seed = 7;

static int draw(int below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((seed >> 33) % (uint64_t)below);
}

struct known {
    int id;
    MPI_Offset first;
    struct pcdf_request *at;
};

static struct known list[MOST];
static int n;

/* The numbers of the shape are told by the first. */
static void post(struct pcdf_posted *posted, MPI_Offset first)
{
    MPI_Offset start[NDIMS] = { first, first + 1, first + 2 }, count[NDIMS] = { 1, first + 3, 2 };
    MPI_Offset stride[NDIMS] = { first + 4, 1, 1 };
    struct pcdf_request r = { .slab = { start, first % 5 ? count : NULL, first % 3 ? NULL : stride },
                              .num = 1,
                              .nelems = first,
                              .dir = first % 2 };
    CHECK_INT(pcdf_posted_add(posted, &r, NDIMS, NULL, &list[n].id), 0);
    list[n].first = first;
    list[n].at = pcdf_posted_find(posted, list[n].id);
    n++;
}

static void check_one(const struct pcdf_posted *posted, const struct known *k)
{
    const struct pcdf_request *r = pcdf_posted_find(posted, k->id);
    CHECK(r && r == k->at, "request %d is not where it was", k->id);
    if (!r)
        return;
    CHECK_INT(r->nelems, k->first);
    CHECK_INT(r->slab.start[2], k->first + 2);
    CHECK_INT(r->slab.count[1], k->first % 5 ? k->first + 3 : 1);
    CHECK_INT(r->slab.count[2], k->first % 5 ? 2 : 1);
    if (k->first % 3 == 0)
        CHECK(r->slab.stride[0] == k->first + 4 && r->slab.stride[2] == 1, "the stride of %d", k->id);
    CHECK(!pcdf_posted_find(posted, k->id ^ 1), "%d is a request, too", k->id ^ 1);
}

static void drop(struct pcdf_posted *posted, int i)
{
    int id = list[i].id;
    check_one(posted, &list[i]);
    pcdf_posted_drop(posted, list[i].at);
    CHECK(!pcdf_posted_find(posted, id), "request %d is still there", id);
    list[i] = list[--n];
    CHECK_INT(posted->pending, n);
}

static void random_steps(struct pcdf_posted *posted)
{
    for (int step = 0; step < 60; step++) {
        int posts = draw(draw(3) ? 300 : 2500), drops;
        for (int i = 0; i < posts && n < MOST; i++)
            post(posted, draw(1000000));
        drops = draw(4) ? draw(n + 1) : n;
        for (int i = 0; i < drops; i++)
            drop(posted, draw(2) ? draw(n) : 0);
    }
    while (n > 0)
        drop(posted, n - 1);
    CHECK_INT(posted->used, 0);
}

/* Never empty, for long. */
static void stream(struct pcdf_posted *posted)
{
    post(posted, 1);
    for (int i = 0; i < 50000; i++) {
        post(posted, i);
        drop(posted, draw(2));
    }
    CHECK(pcdf_alloc_now() < 6 * CHUNK_BYTES, "%" PRId64 " bytes for one request", pcdf_alloc_now());
    while (n > 0)
        drop(posted, 0);
}

int main(void)
{
    struct pcdf_posted posted = { 0 };
    random_steps(&posted);
    stream(&posted);
    random_steps(&posted);
    pcdf_alloc_fail_at(1, 1);
    int id = -5;
    MPI_Offset start[4096] = { 0 };
    struct pcdf_request large = { .slab = { start, start, NULL }, .num = 1 };
    CHECK_INT(pcdf_posted_add(&posted, &large, 4096, NULL, &id),
              NC_ENOMEM); /* larger than the block that stayed */
    CHECK_INT(posted.pending, 0);
    CHECK_INT(id, -5);
    pcdf_alloc_fail_at(0, 0);
    pcdf_posted_free(&posted);
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("posted_requests");
}
