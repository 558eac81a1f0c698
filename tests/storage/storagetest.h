#ifndef STORAGETEST_H
#define STORAGETEST_H
/* What the tests of storages share: a pattern of bytes that tells offset and round, lists of pieces, and open
 * and close. */

#include "check.h"
#include "independent.h"
#include "memoryfile.h"
#include "posixio.h"
#include "rootfile.h"
#include "sharedfile.h"
#include "status.h"
#include <mpi.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int test_rank, test_ranks;
static const char *test_dir = ".";
static struct pcdf_counts test_counts;

static inline void test_start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &test_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &test_ranks);
    if (*argc > 1)
        test_dir = (*argv)[1];
}

/* 1 if any rank counted a failure. */
static inline int test_end(const char *name)
{
    int bad = check_bad != 0, any = 0;

    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (test_rank == 0 || bad)
        any |= check_done(name);
    MPI_Finalize();
    return any;
}

static inline char test_byte(int64_t offset, int round)
{
    uint64_t x = (uint64_t)offset * 0x9E3779B97F4A7C15u + (uint64_t)round * 0xD1B54A32D192ED03u;
    return (char)((x >> 56) | 1); /* never 0, which is a hole */
}

static inline char *test_path(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", test_dir, name);
    return path;
}

struct test_extents { /* the pieces' bytes stand one after another */
    enum pcdf_dir dir;
    size_t n;
    const int64_t *offset, *length;
    char *data;
    int64_t nbytes;
};

struct test_pieces {
    struct test_extents x;
    int64_t *offset, *length;
};

/* n pieces of `length` bytes from `first` on, `step` apart; with `ragged` lengths differ: an hindexed shape.
 */
static inline struct test_pieces test_make(enum pcdf_dir dir, size_t n, int64_t first, int64_t length,
                                           int64_t step, int ragged, int round)
{
    struct test_pieces p = { .x = { .dir = dir, .n = n } };

    p.offset = malloc((n + 1) * sizeof *p.offset);
    p.length = malloc((n + 1) * sizeof *p.length);
    for (size_t i = 0; i < n; i++) {
        p.offset[i] = first + (int64_t)i * step;
        p.length[i] = ragged ? 1 + (int64_t)(i * 7 % (size_t)length) : length;
        p.x.nbytes += p.length[i];
    }
    p.x.offset = p.offset;
    p.x.length = p.length;
    p.x.data = malloc((size_t)p.x.nbytes + 1);
    memset(p.x.data, 0x5A, (size_t)p.x.nbytes + 1);
    if (dir == PCDF_PUT)
        for (size_t i = 0, k = 0; i < n; i++)
            for (int64_t j = 0; j < p.length[i]; j++)
                p.x.data[k++] = test_byte(p.offset[i] + j, round);
    return p;
}

static inline void test_free(struct test_pieces *p)
{
    free(p->x.data);
    free(p->offset);
    free(p->length);
}

/* Bytes of the pieces that are not the pattern. */
static inline int64_t test_wrong(const struct test_pieces *p, int round)
{
    int64_t wrong = 0;

    for (size_t i = 0, k = 0; i < p->x.n; i++)
        for (int64_t j = 0; j < p->length[i]; j++)
            wrong += p->x.data[k++] != test_byte(p->offset[i] + j, round);
    return wrong;
}

static inline struct pcdf_sharedfile_config test_config(const char *engine, const char *path,
                                                        enum pcdf_storage_mode mode)
{
    struct pcdf_sharedfile_config c = { .comm = MPI_COMM_WORLD,
                                        .file = { .path = path, .mode = mode, .counts = &test_counts },
                                        .info = MPI_INFO_NULL,
                                        .engine = engine,
                                        .view_threshold = 16 };
    return c;
}

/* alone: each rank its pieces; together: through views, where the storage has any; sieved: as an independent
 * request. *got (may be NULL): bytes that were there; of a put and of a sieved get all. */
enum { ALONE, TOGETHER, SIEVED };

static inline int test_move_sieved(struct pcdf_sharedfile *f, const struct pcdf_piece *pieces,
                                   const struct test_extents *x)
{
    struct pcdf_sieve sieve = pcdf_sieve_begin(f->storage, &f->sieve);
    int err = pcdf_sieve_pieces(&sieve, x->dir, pieces, x->n);
    pcdf_sieve_end(&sieve);
    return err;
}

static inline int test_move(struct pcdf_sharedfile *f, int how, const struct test_extents *x, int64_t *got)
{
    struct pcdf_piece *pieces = calloc(x->n + 1, sizeof *pieces);
    bool together = how == TOGETHER && f->kind->has_views;
    const struct pcdf_extents all = { .dir = x->dir, .together = together, .n = x->n, .pieces = pieces };
    char *data = x->data;
    int err;

    for (size_t i = 0; i < x->n; data += x->length[i++])
        pieces[i] = (struct pcdf_piece){ x->offset[i], x->length[i], data };
    if (how == SIEVED && x->dir == PCDF_GET)
        err = test_move_sieved(f, pieces, x);
    else
        err = pcdf_storage_move(f->storage, &all, got);
    if (got && (how == SIEVED || x->dir == PCDF_PUT))
        *got = x->nbytes;
    free(pieces);
    return err;
}

/* Collective: an empty file under the name, on disk or in memory. */
static inline void test_fresh(const char *engine, const char *path)
{
    if (!pcdf_storage_kind(engine)->on_disk)
        memory_file_put(path, "", 0);
    else if (test_rank == 0)
        CHECK_INT(pcdf_file_root_replace(path, true, &(bool){ false }, &(struct pcdf_fileid){ 0 }), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
}

static inline void test_remove(const char *engine, const char *path)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (!pcdf_storage_kind(engine)->on_disk)
        pcdf_memorystorage.remove(path);
    else if (test_rank == 0)
        unlink(pcdf_path_posix(path));
}
#endif
