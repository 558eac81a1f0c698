/* What the machine gives without a library: the limits that the other benchmarks' figures are shares of,
 * measured by the same ranks in the same folder. Each rank has its own stretch of one file, emptied before
 * each write as a create does; what is read is compared with what was written. */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pnetcdf.h>
#include "timing.h"

enum {
    CHUNK = 256 << 10,
    LARGE = 1 << 20,
    SMALL = 1 << 10,
    SMALL_CALLS = 20000,
    VOTES = 1000,
    VOTE_NUMBERS = 13
};

enum phase {
    MEMCPY,
    SWAP_WRITE,
    WRITE,
    READ,
    READ_SWAP,
    MPI_WRITE,
    MPI_READ,
    SMALL_WRITE,
    SMALL_READ,
    VOTE,
    PHASES
};

static const char *const names[PHASES] = { "memcpy",     "swap_write", "write",    "read",
                                           "read_swap",  "mpi_write",  "mpi_read", "small_write",
                                           "small_read", "allreduce" };

struct settings {
    int64_t mib, repeat;
    const char *folder;
    bool json;
};

struct roof {
    const struct settings *s;
    int rank, nranks, fd;
    int64_t n;  /* bytes a rank moves, a multiple of LARGE */
    int64_t at; /* where its stretch begins */
    uint32_t *values, *others;
    uint32_t *chunk;
    const char *path;
};

/* With the widest registers that the processor has: a slow swap would make a low roof. */
#if defined(__x86_64__) && defined(__gnu_linux__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

WIDE static void swap_chunk(uint32_t *restrict to, const uint32_t *restrict from)
{
    for (int i = 0; i < CHUNK / 4; i++)
        to[i] = __builtin_bswap32(from[i]);
}

static void check_errno(bool good, const char *what, const char *path)
{
    if (!good)
        bench_fail("%s %s: %s", what, path, strerror(errno));
}

/* The file is empty; everyone has it open. Collective. */
static void begin_write(struct roof *r)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    if (r->rank == 0)
        check_errno(truncate(r->path, 0) == 0, "emptying", r->path);
    PMPI_Barrier(MPI_COMM_WORLD);
}

static void write_at(const struct roof *r, const void *from, int64_t n, int64_t at)
{
    check_errno(pwrite(r->fd, from, (size_t)n, r->at + at) == n, "writing", r->path);
}

static void read_at(const struct roof *r, void *to, int64_t n, int64_t at)
{
    check_errno(pread(r->fd, to, (size_t)n, r->at + at) == n, "reading", r->path);
}

static void swap_write(struct roof *r)
{
    for (int64_t at = 0; at < r->n; at += CHUNK) {
        swap_chunk(r->chunk, r->values + at / 4);
        write_at(r, r->chunk, CHUNK, at);
    }
}

static void read_swap(struct roof *r)
{
    for (int64_t at = 0; at < r->n; at += CHUNK) {
        read_at(r, r->chunk, CHUNK, at);
        swap_chunk(r->others + at / 4, r->chunk);
    }
}

static void write_pieces(struct roof *r, int64_t piece, int64_t n)
{
    for (int64_t at = 0; at < n; at += piece)
        write_at(r, (char *)r->values + at, piece, at);
}

static void read_pieces(struct roof *r, int64_t piece, int64_t n)
{
    for (int64_t at = 0; at < n; at += piece)
        read_at(r, (char *)r->others + at, piece, at);
}

static void mpi_move(struct roof *r, MPI_File f, bool writes)
{
    for (int64_t at = 0; at < r->n; at += LARGE) {
        int err =
            writes
                ? MPI_File_write_at(f, r->at + at, (char *)r->values + at, LARGE, MPI_BYTE, MPI_STATUS_IGNORE)
                : MPI_File_read_at(f, r->at + at, (char *)r->others + at, LARGE, MPI_BYTE, MPI_STATUS_IGNORE);
        if (err != MPI_SUCCESS)
            bench_fail("MPI-IO fails on %s", r->path);
    }
}

static void vote(void)
{
    int64_t mine[VOTE_NUMBERS] = { 0 }, all[VOTE_NUMBERS];
    for (int i = 0; i < VOTES; i++)
        PMPI_Allreduce(mine, all, VOTE_NUMBERS, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
}

static void compare(const struct roof *r, int64_t n, const char *phase)
{
    if (memcmp(r->values, r->others, (size_t)n) != 0)
        bench_fail("%s: what was read is not what was written", phase);
    memset(r->others, 0xff, (size_t)n);
}

static int64_t small_bytes(const struct roof *r)
{
    int64_t n = (int64_t)SMALL_CALLS * SMALL * r->s->mib / 256;
    n = n < r->n ? n : r->n;
    return n / SMALL * SMALL;
}

static void once_mpi(struct roof *r, struct timing *t)
{
    MPI_File f;
    if (MPI_File_open(MPI_COMM_WORLD, r->path, MPI_MODE_RDWR, MPI_INFO_NULL, &f) != MPI_SUCCESS)
        bench_fail("MPI-IO does not open %s", r->path);
    begin_write(r);
    timing_start(t, MPI_WRITE);
    mpi_move(r, f, true);
    timing_stop(t, MPI_WRITE);
    timing_start(t, MPI_READ);
    mpi_move(r, f, false);
    timing_stop(t, MPI_READ);
    MPI_File_close(&f);
    compare(r, r->n, "mpi_read");
}

static void once(struct roof *r, struct timing *t)
{
    timing_start(t, MEMCPY);
    memcpy(r->others, r->values, (size_t)r->n);
    timing_stop(t, MEMCPY);
    compare(r, r->n, "memcpy");

    begin_write(r);
    timing_start(t, SWAP_WRITE);
    swap_write(r);
    timing_stop(t, SWAP_WRITE);
    timing_start(t, READ_SWAP);
    read_swap(r);
    timing_stop(t, READ_SWAP);
    compare(r, r->n, "read_swap");

    begin_write(r);
    timing_start(t, WRITE);
    write_pieces(r, LARGE, r->n);
    timing_stop(t, WRITE);
    timing_start(t, READ);
    read_pieces(r, LARGE, r->n);
    timing_stop(t, READ);
    compare(r, r->n, "read");

    once_mpi(r, t);

    begin_write(r);
    timing_start(t, SMALL_WRITE);
    write_pieces(r, SMALL, small_bytes(r));
    timing_stop(t, SMALL_WRITE);
    timing_start(t, SMALL_READ);
    read_pieces(r, SMALL, small_bytes(r));
    timing_stop(t, SMALL_READ);
    compare(r, small_bytes(r), "small_read");

    timing_start(t, VOTE);
    vote();
    timing_stop(t, VOTE);
}

/* Bytes that all ranks move in each phase, so that whoever reads makes rates of them; calls where calls
 * count. */
static void add_sizes(struct bench_json *j, const void *context)
{
    const struct roof *r = context;
    bench_json_begin(j, "bytes", '{');
    for (int i = 0; i < VOTE; i++)
        bench_json_int(j, names[i],
                       r->nranks * (i == SMALL_WRITE || i == SMALL_READ ? small_bytes(r) : r->n));
    bench_json_end(j, '{');
    bench_json_begin(j, "calls", '{');
    bench_json_int(j, names[SMALL_WRITE], small_bytes(r) / SMALL);
    bench_json_int(j, names[SMALL_READ], small_bytes(r) / SMALL);
    bench_json_int(j, names[VOTE], VOTES);
    bench_json_end(j, '{');
}

static void run(const struct settings *s)
{
    char path[BENCH_PATH];
    struct roof r = { .s = s, .path = path };
    struct timing t = { .repeats = s->repeat };
    memcpy(t.names, names, sizeof names);
    PMPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &r.nranks);
    r.n = (s->mib << 20) / r.nranks / LARGE * LARGE;
    r.n = r.n < LARGE ? LARGE : r.n;
    r.at = r.rank * r.n;
    r.values = bench_alloc((size_t)r.n, 1);
    r.others = bench_alloc((size_t)r.n, 1);
    r.chunk = bench_alloc(CHUNK, 1);
    for (int64_t i = 0; i < r.n / 4; i++)
        r.values[i] = (uint32_t)i * 0x9e3779b9u + (uint32_t)r.rank;
    bench_path(path, s->folder, "roofline.bin");
    r.fd = open(path, O_CREAT | O_RDWR, 0666);
    check_errno(r.fd >= 0, "opening", path);
    timing_begin(&t);
    for (; t.repeat < s->repeat; t.repeat++) {
        once(&r, &t);
        bench_progress("roofline", (int64_t)t.repeat + 1, s->repeat);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    close(r.fd);
    if (r.rank == 0)
        check_errno(unlink(path) == 0, "removing", path);
    timing_report(&t, "roofline", "what the machine gives", s->json, add_sizes, &r);
    timing_end(&t);
    free(r.values);
    free(r.others);
    free(r.chunk);
}

int main(int argc, char **argv)
{
    struct settings s = { .mib = 256, .repeat = 5, .folder = "." };
    const struct bench_option options[] = {
        { "mib", 'n', &s.mib, "N", "MiB that all ranks move" },
        { "repeat", 'n', &s.repeat, "N", "repetitions" },
        { "dir", 't', &s.folder, "FOLDER", "where the file is made and removed" },
        { "json", 'f', &s.json, NULL, "print one JSON object" },
    };
    int code = bench_begin(&argc, &argv, "roofline",
                           "roofline: memcpy, pwrite and pread, MPI-IO and one agreement, without a library",
                           options, sizeof options / sizeof *options);
    if (code == BENCH_GO && (s.mib < 1 || s.mib > 1 << 20 || s.repeat < 1 || s.repeat > 10000))
        code = bench_misused("--mib and --repeat begin at 1");
    if (code == BENCH_GO)
        run(&s);
    return bench_end(code);
}
