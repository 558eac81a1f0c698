/* `parcdf check --data`: the blocks of a file against the checksums beside it (format/checksumtable.h).
 * Started by mpiexec, the ranks share the blocks; otherwise MPI is not started at all. */
#include "alloc.h"
#include "checksumfile.h"
#include "crc32c.h"
#include "posixio.h"
#include "status.h"
#include "tool.h"
#include "toolgrid.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LISTED = 64 }; /* wrong blocks that a rank can name */

struct wrong {
    int64_t block;
    int64_t sum; /* -1: the file does not hold it all */
};

struct checking {
    const char *path;
    const struct pcdf_tool_ranks *ranks;
    int fd;
    struct stat now;
    char *sums_path;
    struct pcdf_checksums head;
    uint32_t *table;
    struct wrong *wrong; /* LISTED of them at most; on rank 0, when all is done, of all ranks */
    int64_t nwrong, nlisted;
    char why[400]; /* there is no verdict */
};

/* ---- the file of checksums */

static int no_verdict(struct checking *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int no_verdict(struct checking *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(c->why, sizeof c->why, format, args);
    va_end(args);
    return PCDF_TOOL_UNUSABLE;
}

static int read_head(struct checking *c, struct pcdf_sidecar *s, struct pcdf_checksums *head)
{
    char when[32] = "?";
    struct tm tm;
    int err = pcdf_checksumfile_head(s, head);
    if (err)
        return err == NC_EFILE ? no_verdict(c, "%s", pcdf_fail_text())
                               : no_verdict(c, "its checksums cannot be read: %s", strerror(errno));
    time_t seconds = (time_t)head->when;
    if (gmtime_r(&seconds, &tm))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
    if (head->is_open)
        return no_verdict(
            c, "its checksums say nothing since %s UTC, when process %" PRId64 " on %s began to write it",
            when, head->process, head->host);
    return PCDF_TOOL_GOOD;
}

static int read_sums(struct checking *c)
{
    struct pcdf_sidecar s;
    bool is_there;
    if (pcdf_sidecar_find(c->path, PCDF_CHECKSUMS_SUFFIX, &c->sums_path, &is_there))
        return no_verdict(c, "%s", pcdf_fail_text());
    int err = pcdf_sidecar_open(c->path, c->sums_path, PCDF_SIDECAR_READ, &s);
    if (err == NC_ENOENT)
        return no_verdict(c, "it has no checksums beside it (hint pcdf_checksum=crc32c keeps them)");
    if (err)
        return no_verdict(c, "its checksums cannot be opened: %s", strerror(errno));
    int status = read_head(c, &s, &c->head);
    if (!status && pcdf_checksumfile_table(&s, &c->head, &c->table))
        status = no_verdict(c, "%s", pcdf_fail_text());
    pcdf_sidecar_close(&s);
    return status;
}

/* Has a handle of the library begun to write the file while it was checked? */
static int check_head_again(struct checking *c)
{
    struct pcdf_checksums again;
    struct pcdf_sidecar s;
    if (pcdf_sidecar_open(c->path, c->sums_path, PCDF_SIDECAR_READ, &s))
        return no_verdict(c, "its checksums went away while it was checked");
    int status = read_head(c, &s, &again);
    pcdf_sidecar_close(&s);
    if (!status && (again.table_crc != c->head.table_crc || again.time != c->head.time ||
                    again.time_ns != c->head.time_ns))
        status = no_verdict(c, "it was written while it was checked");
    return status;
}

static int open_file(struct checking *c)
{
    c->fd = pcdf_posix_open(c->path, O_RDONLY | O_NONBLOCK);
    if (c->fd < 0 || fstat(c->fd, &c->now))
        return no_verdict(c, "it cannot be opened: %s", strerror(errno));
    c->wrong = pcdf_malloc(LISTED * sizeof *c->wrong);
    return c->wrong ? PCDF_TOOL_GOOD : no_verdict(c, "no memory");
}

/* ---- the blocks */

static void note_wrong(struct checking *c, int64_t block, int64_t sum)
{
    c->nwrong++;
    if (c->nlisted < LISTED)
        c->wrong[c->nlisted++] = (struct wrong){ block, sum };
}

/* The range of this rank in the blocks. */
static int check_blocks(struct checking *c)
{
    int64_t from, to;
    pcdf_grid_share(pcdf_checksums_blocks(&c->head), c->ranks->rank, c->ranks->size, &from, &to);
    char *room = pcdf_malloc((size_t)c->head.block_size);
    int status = room ? PCDF_TOOL_GOOD : no_verdict(c, "no memory for a block");
    for (int64_t block = from; !status && block < to; block++) {
        int64_t offset = block * c->head.block_size;
        int64_t length = pcdf_checksums_block_end(&c->head, block) - offset;
        int64_t got = 0;
        int err = pcdf_posix_move(c->fd, PCDF_GET, room, length, offset, &got, c->path);
        uint32_t sum = got == length ? pcdf_crc32c(0, room, (size_t)length) : 0;
        if (err)
            status = no_verdict(c, "bytes from %" PRId64 " on cannot be read: %s", offset, strerror(errno));
        else if (got < length || sum != c->table[block])
            note_wrong(c, block, got < length ? -1 : (int64_t)sum);
    }
    pcdf_free(room);
    return status;
}

/* All ranks' wrong blocks to rank 0, in order. */
static void gather_wrong_all(struct checking *c)
{
    int64_t mine[2] = { c->nwrong, c->nlisted };
    const struct pcdf_tool_ranks *ranks = c->ranks;
    struct wrong *all = NULL;
    int64_t(*counts)[2] = NULL;
    int have = true;
    if (ranks->rank == 0) {
        all = pcdf_malloc((size_t)ranks->size * LISTED * sizeof *all);
        counts = pcdf_malloc((size_t)ranks->size * sizeof *counts);
        have = all && counts;
    }
    MPI_Bcast(&have, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (have) { /* the same on all ranks */
        MPI_Gather(mine, 2, MPI_INT64_T, counts, 2, MPI_INT64_T, 0, MPI_COMM_WORLD);
        MPI_Gather(c->wrong, 2 * LISTED, MPI_INT64_T, all, 2 * LISTED, MPI_INT64_T, 0, MPI_COMM_WORLD);
    } else {
        MPI_Reduce(mine, &c->nwrong, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    }
    for (int rank = 1; ranks->rank == 0 && have && rank < ranks->size; rank++) {
        c->nwrong += counts[rank][0];
        for (int64_t i = 0; i < counts[rank][1] && c->nlisted < LISTED; i++)
            c->wrong[c->nlisted++] = all[rank * LISTED + i];
    }
    pcdf_free(counts);
    pcdf_free(all);
}

/* ---- the verdict: rank 0 */

static bool is_bound(const struct checking *c)
{
    return c->now.st_size == c->head.file_size && (int64_t)c->now.st_ino == c->head.inode &&
           c->now.st_mtim.tv_sec == c->head.time && c->now.st_mtim.tv_nsec == c->head.time_ns;
}

static void print_wrong(const struct checking *c, int64_t max)
{
    for (int64_t i = 0; i < c->nlisted && (max < 0 || i < max); i++) {
        const struct wrong *w = &c->wrong[i];
        pcdf_tool_print(stdout, c->path);
        printf(": data: block %" PRId64 ", bytes %" PRId64 " to %" PRId64 ": ", w->block,
               w->block * c->head.block_size, pcdf_checksums_block_end(&c->head, w->block) - 1);
        if (w->sum < 0)
            printf("the file ends at %" PRId64 "\n", (int64_t)c->now.st_size);
        else
            printf("checksum %08" PRIx32 ", not %08" PRIx32 "\n", (uint32_t)w->sum, c->table[w->block]);
    }
}

/* Where size, inode or time differ, wrong blocks prove nothing; right ones do. */
static int judge(struct checking *c, bool quiet, int64_t max)
{
    int64_t n = pcdf_checksums_blocks(&c->head);
    bool bound = is_bound(c), longer = c->now.st_size > c->head.file_size;
    if (!quiet && c->nwrong)
        print_wrong(c, max);
    if (!quiet) {
        pcdf_tool_print(stdout, c->path);
        if (c->nwrong)
            printf(": data: %" PRId64 " of %" PRId64 " blocks are %s\n", c->nwrong, n,
                   bound ? "damaged"
                         : "not as they were: the file was changed by another program since its checksums "
                           "were made, or is damaged");
        else if (longer)
            printf(": data: it grew by another program since its checksums were made; %" PRId64
                   " blocks before are good\n",
                   n);
        else
            printf(": data: good, %" PRId64 " blocks%s\n", n,
                   bound ? "" : "; it was copied or touched since its checksums were made");
    }
    if (c->nwrong)
        return bound ? PCDF_TOOL_BAD : PCDF_TOOL_UNUSABLE;
    return longer ? PCDF_TOOL_UNUSABLE : PCDF_TOOL_GOOD;
}

/* A rank that has no verdict says so on standard error: rank 0, or, if it has one, the others. */
static int tell_why_all(struct checking *c, int status)
{
    int first = status ? c->ranks->rank : c->ranks->size, teller = first;
    if (c->ranks->has_mpi) /* the same on all ranks */
        MPI_Allreduce(&first, &teller, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (teller == c->ranks->rank) {
        fputs("parcdf check --data: ", stderr);
        pcdf_tool_print(stderr, c->path);
        fputs(": ", stderr);
        pcdf_tool_print(stderr, c->why);
        fputc('\n', stderr);
    }
    return PCDF_TOOL_UNUSABLE;
}

/* Ranks whose sums are not the same shared out different blocks. */
static uint32_t sum_of(const struct pcdf_checksums *head)
{
    const int64_t what[] = { head->file_size, head->block_size, head->time, head->time_ns, head->table_crc };
    return pcdf_crc32c(0, what, sizeof what);
}

int pcdf_tool_check_data_all(const struct pcdf_tool_ranks *ranks, const char *path, bool quiet, int64_t max)
{
    struct checking c = { .path = path, .ranks = ranks, .fd = -1 };
    int status = open_file(&c);
    if (!status)
        status = read_sums(&c);
    if (!status)
        status = check_blocks(&c);
    if (!status)
        status = check_head_again(&c);
    if (pcdf_tool_worst_all(ranks, status)) {
        status = tell_why_all(&c, status);
    } else if (pcdf_tool_agree_all(ranks, path, sum_of(&c.head),
                                   PCDF_TOOL_GOOD)) { /* the same on all ranks */
        status = PCDF_TOOL_UNUSABLE;
    } else {
        if (ranks->has_mpi) /* the same on all ranks */
            gather_wrong_all(&c);
        status = ranks->rank == 0 ? judge(&c, quiet, max) : PCDF_TOOL_GOOD;
    }
    if (c.fd >= 0)
        close(c.fd);
    pcdf_free(c.wrong);
    pcdf_free(c.table);
    pcdf_free(c.sums_path);
    return status;
}
