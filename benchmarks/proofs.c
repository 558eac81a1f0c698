/* The two proofs of the README, with one program for both libraries. A full disk: which calls say that data
 * is lost, and how much of it is in the file. A mismatch: one rank calls sync while the others put; what each
 * rank is told, or that it still waits after a time. Exit status 1: lost data or a mismatch that some rank
 * was not told of. */

#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <pnetcdf.h>
#include "bench.h"

/* parcdf's sentence behind an error. NULL in the program that is linked with another library. */
const char *parcdf_last_error(void) __attribute__((weak));

struct settings {
    int64_t mib, limit, seconds;
    const char *folder, *only;
};

struct job {
    int rank, ranks, ncid, varid;
    MPI_Offset start, count; /* of this rank's values */
    int *values;
};

static int value_of(int64_t i)
{
    return (int)(i * 2654435761 % 2147483647) + 1; /* never 0, which a hole would be */
}

struct answer {
    int code;
    char sentence[300];
};

/* Collective: rank 0 prints what a call returned, each code once with the sentence of the first rank that got
 * it. True: every rank got an error. */
static bool told_all(const struct job *job, const char *call, int err)
{
    struct answer mine = { .code = err }, *all = NULL;
    int failed = err != NC_NOERR, told;
    if (failed)
        snprintf(mine.sentence, sizeof mine.sentence, "%s",
                 parcdf_last_error ? parcdf_last_error() : ncmpi_strerror(err));
    if (job->rank == 0)
        all = bench_alloc((size_t)job->ranks, sizeof mine);
    PMPI_Gather(&mine, sizeof mine, MPI_CHAR, all, sizeof mine, MPI_CHAR, 0, MPI_COMM_WORLD);
    PMPI_Allreduce(&failed, &told, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    for (int i = 0; all && i < job->ranks; i++) {
        int same = 0, before = 0;
        for (int k = 0; k < job->ranks; k++) {
            same += all[k].code == all[i].code;
            before += k < i && all[k].code == all[i].code;
        }
        if (before == 0)
            printf("  %-16s %d of %d ranks: %s  %s\n", call, same, job->ranks, ncmpi_strerrno(all[i].code),
                   all[i].sentence);
    }
    free(all);
    return told;
}

static void make_file(struct job *job, const char *path, int64_t n)
{
    int dimid;
    bench_check(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &job->ncid),
                "creating", path);
    bench_check(ncmpi_def_dim(job->ncid, "x", n, &dimid), "dimension of", path);
    bench_check(ncmpi_def_var(job->ncid, "a", NC_INT, 1, &dimid, &job->varid), "variable of", path);
    bench_check(ncmpi_enddef(job->ncid), "enddef of", path);
}

/* On rank 0: how many of the values that begin at an offset of the file are there. */
static int64_t count_right(const char *path, MPI_Offset offset, int64_t n)
{
    FILE *f = fopen(path, "rb");
    int64_t right = 0;
    uint32_t bits;
    if (!f || fseeko(f, (off_t)offset, SEEK_SET) != 0)
        n = 0;
    for (int64_t i = 0; i < n && fread(&bits, sizeof bits, 1, f) == 1; i++)
        right += (int)ntohl(bits) == value_of(i);
    if (f)
        fclose(f);
    return right;
}

/* A limit on the size of files acts like a full disk, with another error: for where no small file system is.
 */
static void limit_files(int64_t mib)
{
    const struct rlimit limit = { (rlim_t)mib << 20, RLIM_INFINITY };
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        bench_fail("the size of files cannot be limited");
}

static bool full_disk(const struct settings *s, struct job *job)
{
    char path[BENCH_PATH];
    struct statvfs fs;
    MPI_Offset offset = 0;
    int64_t n = job->count * job->ranks, right;
    bench_path(path, s->folder, "proofs.nc");
    if (job->rank == 0 && statvfs(s->folder, &fs) == 0) {
        printf("A full disk: %d ranks put an array of %.1f MiB; ", job->ranks, (double)n / (1 << 18));
        if (s->limit > 0)
            printf("files are limited to %lld MiB\n", (long long)s->limit);
        else
            printf("%.1f MiB are free\n", (double)fs.f_bavail * (double)fs.f_frsize / (1 << 20));
    }
    for (int64_t i = 0; i < job->count; i++)
        job->values[i] = value_of(job->start + i);

    make_file(job, path, n);
    bench_check(ncmpi_inq_varoffset(job->ncid, job->varid, &offset), "looking at", path);
    if (s->limit > 0)
        limit_files(s->limit);
    bool told =
        told_all(job, "ncmpi_put_vara",
                 ncmpi_put_vara_int_all(job->ncid, job->varid, &job->start, &job->count, job->values));
    told |= told_all(job, "ncmpi_sync", ncmpi_sync(job->ncid));
    told |= told_all(job, "ncmpi_close", ncmpi_close(job->ncid));
    right = job->rank == 0 ? count_right(path, offset, n) : 0;
    PMPI_Bcast(&right, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    if (job->rank == 0) {
        printf("  in the file      %.1f of %.1f MiB: %s\n\n", (double)right / (1 << 18),
               (double)n / (1 << 18),
               right == n ? "there was room for all"
               : told     ? "every rank was told"
                          : "LOST, AND REPORTED AS SUCCESS");
        unlink(path);
    }
    return told || right == n;
}

static char waiting[200], made[BENCH_PATH]; /* what the handler prints and removes */

static void give_up(int number)
{
    (void)number;
    ssize_t n = write(STDOUT_FILENO, waiting, strlen(waiting));
    unlink(made);
    sleep(1); /* the launcher ends all ranks as soon as one has ended */
    _exit(n > 0 ? 1 : 2);
}

static bool mismatch(const struct settings *s, struct job *job)
{
    bool is_other = job->rank == 1;
    bench_path(made, s->folder, "proofs.nc");
    bench_remove_on_failure(made);
    make_file(job, made, job->ranks);
    if (job->rank == 0) {
        printf("A mismatch: rank 1 calls ncmpi_sync, %d other ranks call ncmpi_put_vara\n", job->ranks - 1);
        fflush(stdout);
    }
    snprintf(waiting, sizeof waiting, "  rank %d           no answer from %s for %lld s: IT HANGS\n",
             job->rank, is_other ? "ncmpi_sync" : "ncmpi_put_vara", (long long)s->seconds);
    signal(SIGALRM, give_up);
    PMPI_Barrier(MPI_COMM_WORLD);

    const MPI_Offset start = job->rank, count = 1;
    alarm((unsigned)s->seconds);
    int err = is_other ? ncmpi_sync(job->ncid)
                       : ncmpi_put_vara_int_all(job->ncid, job->varid, &start, &count, job->values);
    alarm(0);
    bool told = told_all(job, "the call", err);
    (void)ncmpi_close(job->ncid); /* says the same once more */
    if (job->rank == 0)
        unlink(made);
    return told;
}

static bool run(const struct settings *s)
{
    struct job job;
    bool is_told = true;
    PMPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
    job.count = (s->mib << 18) / job.ranks;
    job.start = job.rank * job.count;
    job.values = bench_alloc((size_t)job.count, sizeof *job.values);
    if (strcmp(s->only, "mismatch") != 0)
        is_told = full_disk(s, &job);
    fflush(stdout);
    if (strcmp(s->only, "full") != 0 && job.ranks > 1)
        is_told &= mismatch(s, &job);
    free(job.values);
    return is_told;
}

int main(int argc, char **argv)
{
    struct settings s = { .mib = 16, .seconds = 10, .folder = ".", .only = "both" };
    const struct bench_option options[] = {
        { "mib", 'n', &s.mib, "N", "MiB of the array, more than there is room for" },
        { "dir", 't', &s.folder, "FOLDER", "a folder on a small file system; the file is removed" },
        { "limit", 'n', &s.limit, "MIB", "limit files to so many MiB, where no file system is small" },
        { "only", 't', &s.only, "PROOF", "full or mismatch" },
        { "seconds", 'n', &s.seconds, "N", "how long a rank waits for an answer" },
    };
    int code = bench_begin(&argc, &argv, "proofs",
                           "proofs: what a program is told on a full disk, and when ranks differ", options,
                           sizeof options / sizeof *options);
    if (code == BENCH_GO && (s.mib < 1 || s.mib > 1 << 20 || s.limit < 0 || s.limit > 1 << 20 ||
                             s.seconds < 1 || s.seconds > 3600))
        code = bench_misused("--mib and --seconds begin at 1");
    if (code == BENCH_GO)
        code = run(&s) ? 0 : 1;
    return bench_end(code);
}
