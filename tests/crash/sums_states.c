/* Fixes that no crash leaves checksums that accuse a good file: a session with hint pcdf_checksum (syncs, a
 * move of data, a handle without the hint, other ranks' writes) is recorded, and after each call every kill,
 * and power cuts with subsets of the unsynced sectors, must leave sums that are right, say nothing, or are
 * bound to another inode or size.
 *
 *   sums_states run FILE           the session, on any number of ranks, with the shim
 *   sums_states judge LOG NAME N   of the file NAME in the log; at least N states with sums that are right */

#include <mpi.h>
#include <pnetcdf.h>
#include <stdlib.h>
#include "check.h"
#include "crc32c.h"
#include "checksumtable.h"
#include "world.h"

/* ---- the session */

enum { COLUMNS = PCDF_CHECKSUMS_BLOCK / 4 };

static void must(int err, const char *what)
{
    if (err == NC_NOERR)
        return;
    fprintf(stderr, "%s: %s\n", what, ncmpi_strerrno(err));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int open_file(const char *path, const char *checksum, bool create)
{
    int ncid, mode = create ? NC_CLOBBER | NC_64BIT_DATA : NC_WRITE;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_checksum", checksum);
    must(create ? ncmpi_create(MPI_COMM_WORLD, path, mode, info, &ncid)
                : ncmpi_open(MPI_COMM_WORLD, path, mode, info, &ncid),
         "opening");
    MPI_Info_free(&info);
    return ncid;
}

/* Values from a column on, the same number on each rank; each time other ones. */
static void put(int ncid, int row, int from, int n)
{
    static int values[COLUMNS], times;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    times++;
    for (int i = 0; i < n; i++)
        values[i] = i * 7919 + times * 100 + rank;
    must(ncmpi_put_vara_int_all(ncid, 0, (MPI_Offset[]){ row, from + rank * n }, (MPI_Offset[]){ 1, n },
                                values),
         "putting");
}

static void session(const char *path)
{
    static const char text[900] = "long";
    int dims[2], var, ranks, ncid = open_file(path, "crc32c", true);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    must(ncmpi_def_dim(ncid, "row", NC_UNLIMITED, &dims[0]), "defining");
    must(ncmpi_def_dim(ncid, "column", COLUMNS, &dims[1]), "defining");
    must(ncmpi_def_var(ncid, "rows", NC_INT, 2, dims, &var), "defining");
    must(ncmpi_enddef(ncid), "enddef");
    put(ncid, 0, 0, COLUMNS / ranks);
    must(ncmpi_sync(ncid), "sync");
    put(ncid, 0, 50, 10);
    put(ncid, 1, 0, COLUMNS / ranks);
    must(ncmpi_sync(ncid), "sync");
    must(ncmpi_redef(ncid), "redef");
    must(ncmpi_put_att_text(ncid, NC_GLOBAL, "history", sizeof text, text), "defining");
    must(ncmpi_enddef(ncid), "enddef");
    must(ncmpi_close(ncid), "close");
    ncid = open_file(path, "none", false);
    put(ncid, 0, 7000, 5);
    must(ncmpi_close(ncid), "close");
    ncid = open_file(path, "crc32c", false);
    must(ncmpi_sync(ncid), "sync");
    put(ncid, 1, 9000, 5);
    must(ncmpi_rename_var(ncid, 0, "r"), "renaming");
    must(ncmpi_close(ncid), "close");
}

/* ---- the states */

enum { SUBSETS = 12 };

static long states, right;
static uint64_t seed = 1;

static bool draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed >> 40 & 1;
}

static void check_state(const struct inode *file, struct bytes *data, struct bytes *sums, size_t at)
{
    struct pcdf_checksums head;
    states++;
    if (pcdf_checksums_decode(sums->x, sums->n, sums->n, &head) || head.is_open ||
        (uint64_t)head.inode != file->number || head.file_size != data->n)
        return;
    int64_t n = pcdf_checksums_blocks(&head);
    if (pcdf_crc32c(0, sums->x + PCDF_CHECKSUMS_HEAD, (size_t)(4 * n)) != head.table_crc)
        return;
    right++;
    for (int64_t i = 0; i < n; i++) {
        uint32_t sum;
        int64_t from = i * head.block_size, to = pcdf_checksums_block_end(&head, i);
        pcdf_checksums_get_entries(sums->x + PCDF_CHECKSUMS_HEAD + 4 * i, 1, &sum);
        CHECK(pcdf_crc32c(0, data->x + from, (size_t)(to - from)) == sum,
              "after entry %zu block %d of a file that no disk has damaged is accused", at, (int)i);
    }
}

enum how { NOTHING, EVERYTHING, SOME }; /* of what is not synced has landed */

static void build(const struct inode *f, enum how how, struct bytes *b)
{
    bytes_size(b, 0);
    bytes_put(b, 0, f->stored.x, f->stored.n);
    for (int i = 0; i < f->nresizes; i++)
        if ((how == EVERYTHING || (how == SOME && draw())) && f->resizes[i].size > b->n)
            bytes_size(b, f->resizes[i].size);
    for (int64_t i = 0; i < f->nsectors; i++)
        for (int j = 0; j < f->sectors[i].n && (how == EVERYTHING || (how == SOME && draw())); j++) {
            const struct delta *d = &f->sectors[i].x[j];
            bytes_put(b, i * SECTOR + d->from, d->data, d->n);
        }
}

static void check_power(const struct inode *file, const struct inode *beside, size_t at)
{
    static struct bytes data, sums;
    for (int i = 0; i < 2 + SUBSETS; i++) {
        build(file, i < 2 ? (enum how)i : SOME, &data);
        for (int j = 0; j < 3; j++) {
            build(beside, (enum how)j, &sums);
            check_state(file, &data, &sums, at);
        }
    }
}

static void check_kill(const struct inode *file, const struct inode *beside, size_t at)
{
    static struct bytes data, sums;
    bytes_size(&data, 0);
    bytes_size(&sums, 0);
    bytes_put(&data, 0, file->seen.x, file->seen.n);
    bytes_put(&sums, 0, beside->seen.x, beside->seen.n);
    check_state(file, &data, &sums, at);
}

static void check_point(const struct world *w, const char *name, const char *sums_name, size_t at)
{
    int file = world_seen(w, name), beside = world_seen(w, sums_name);
    if (file >= 0 && beside >= 0)
        check_kill(&w->inodes[file], &w->inodes[beside], at);
    for (int first = 0; first <= w->npending; first++) {
        file = world_landed(w, name, first);
        beside = world_landed(w, sums_name, first);
        if (file >= 0 && beside >= 0)
            check_power(&w->inodes[file], &w->inodes[beside], at);
    }
}

static int judge(const char *path, const char *name, long least)
{
    static struct world w;
    static struct log log;
    char sums_name[300];
    if (!log_read(&log, path)) {
        fprintf(stderr, "%s is no log\n", path);
        return 1;
    }
    snprintf(sums_name, sizeof sums_name, ".%s%s", name, PCDF_CHECKSUMS_SUFFIX);
    for (size_t i = 0; i < log.n && !w.trouble; i++) {
        world_step(&w, &log, i);
        int op = log.x[i].r.op;
        if (op == SHIM_END && log.x[log.x[i].begin].r.op != SHIM_READ)
            check_point(&w, name, sums_name, i);
    }
    CHECK(!w.trouble, "the log cannot be followed: %s", w.trouble);
    CHECK(right >= least, "%ld of %ld states had sums that counted, at least %ld are wanted", right, states,
          least);
    printf("%ld states, %ld with sums that count\n", states, right);
    world_free(&w);
    log_free(&log);
    return check_done("sums_states");
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "judge") == 0)
        return judge(argv[2], argv[3], atol(argv[4]));
    if (argc != 3)
        return 2;
    MPI_Init(&argc, &argv);
    session(argv[2]);
    MPI_Finalize();
    return 0;
}
