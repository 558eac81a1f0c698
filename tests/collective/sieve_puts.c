/* Fixes when a put may write what lies between its pieces (doc/strategies.md, data sieving), by all puts that
 * come to the storage: every second element of all ranks, whose bytes lie across the borders of windows and
 * domains. No byte is written by two ranks, none before the first element or behind the last one, and what
 * lies between them is in the file as before. Nothing but the elements is written in independent mode, by
 * ranks that write their own pieces, with hint pcdf_sieve=off, by a handle beside which there are others, and
 * where nodes may read old data: there, on a storage that does so, what another rank wrote stays. Where the
 * gaps cannot be read the put succeeds; where it fails half-way the gaps stay, too. statfs and
 * fstatfs are this program's own. */

#include <fcntl.h>
#include <inttypes.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include "stripedstorage.h"
#include "together.h"

enum { N = 100001, NFS = 0x6969, EXT4 = 0xef53, LUSTRE = 0x0bd00bd0, FUSE = 0x65735546, UNKNOWN = 0x12345 };

static long fake_type; /* of every file system */

int statfs(const char *path, struct statfs *fs)
{
    int err = (int)syscall(SYS_statfs, path, fs);
    fs->f_type = fake_type;
    return err;
}

int fstatfs(int fd, struct statfs *fs)
{
    int err = (int)syscall(SYS_fstatfs, fd, fs);
    fs->f_type = fake_type;
    return err;
}

static int ncid, varid;
static MPI_Offset begin; /* of the variable, 4 bytes before a multiple of 8 */
static double values[N], held[N];

static void expect(int i, double *x)
{
    *x = 1000.25 + i;
}

/* Rank 0 alone: a file in which every element has a value. */
static void make(void)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "nc_var_align_size", "4");
    for (int i = 0; i < N; i++)
        expect(i, &values[i]);
    for (int length = 4; length <= 8 && my_rank == 0; length += 4) {
        int dim;
        CHECK_NC(ncmpi_create(MPI_COMM_SELF, my_path, NC_CLOBBER, info, &ncid), NC_NOERR);
        CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "a", length, "12345678"), NC_NOERR);
        CHECK_NC(ncmpi_def_dim(ncid, "n", N, &dim), NC_NOERR);
        CHECK_NC(ncmpi_def_var(ncid, "x", NC_DOUBLE, 1, &dim, &varid), NC_NOERR);
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
        CHECK_NC(ncmpi_inq_varoffset(ncid, varid, &begin), NC_NOERR);
        CHECK_NC(ncmpi_put_var_double_all(ncid, varid, values), NC_NOERR);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        if (begin % 8 == 4)
            break;
    }
    MPI_Info_free(&info);
    MPI_Bcast(&begin, 1, MPI_OFFSET, 0, MPI_COMM_WORLD);
    CHECK(begin % 8 == 4, "the variable begins at %lld", (long long)begin);
}

/* hints: "name=value;name=value". */
static void open_file(MPI_Comm comm, const char *hints, int mode)
{
    MPI_Info info;
    char text[256], *rest = NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_note_puts", "1");
    snprintf(text, sizeof text, "%s", hints);
    for (char *item = strtok_r(text, ";", &rest); item; item = strtok_r(NULL, ";", &rest)) {
        char *equals = strchr(item, '=');
        *equals = '\0';
        MPI_Info_set(info, item, equals + 1);
    }
    CHECK_NC(ncmpi_open(comm, my_path, mode, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    varid = 0;
}

/* This rank's share of every second element from `first` on. Returns the code. */
static int put_every_second(int first, double shift, bool is_collective)
{
    const MPI_Offset start = first + 2 * my_rank, stride = 2 * my_size;
    MPI_Offset count = (N - start + stride - 1) / stride;
    static double mine[N];
    for (MPI_Offset k = 0; k < count; k++)
        mine[k] = 1000.25 + (double)(start + k * stride) + shift;
    int (*put)(int, int, const MPI_Offset *, const MPI_Offset *, const MPI_Offset *, const double *) =
        is_collective ? ncmpi_put_vars_double_all : ncmpi_put_vars_double;
    return put(ncid, varid, &start, &count, &stride, mine);
}

/* ---- what came to the storage */

struct seen {
    int64_t bytes, twice,
        outside; /* written in all; by two ranks; not between the first and the last element */
};

/* On all ranks. */
static struct seen look(int first)
{
    static char owner[N * 8 + 4096];
    static int64_t mine[2 * N], theirs[2 * N];
    size_t n;
    const struct striped_put *puts = striped_puts(&n);
    int64_t from = begin + 8LL * first, to = begin + 8LL * (N - 1 - (N - 1 - first) % 2) + 8;
    struct seen seen = { 0, 0, 0 };
    memset(owner, 0, sizeof owner);
    n = n < N ? n : N;
    for (size_t i = 0; i < n; i++) {
        mine[2 * i] = puts[i].offset;
        mine[2 * i + 1] = puts[i].bytes;
    }
    for (int rank = 0; rank < my_size; rank++) {
        int64_t many = (int64_t)n;
        memcpy(theirs, mine, sizeof theirs);
        MPI_Bcast(&many, 1, MPI_INT64_T, rank, MPI_COMM_WORLD);
        MPI_Bcast(theirs, (int)(2 * many), MPI_INT64_T, rank, MPI_COMM_WORLD);
        for (int64_t i = 0; i < many; i++)
            for (int64_t at = theirs[2 * i]; at < theirs[2 * i] + theirs[2 * i + 1]; at++) {
                seen.bytes++;
                seen.outside += at < from || at >= to;
                if (at < (int64_t)sizeof owner && owner[at] != rank + 1) {
                    seen.twice += owner[at] != 0;
                    owner[at] = (char)(rank + 1);
                }
            }
    }
    striped_forget();
    return seen;
}

/* How many elements are not as they should be: every second one from `first` on was put with `shift`. */
static int64_t wrong(int first, double shift, double other_shift)
{
    int64_t bad = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    int fd = open(my_path, O_RDONLY);
    unsigned char bytes[8];
    static unsigned char all[N * 8];
    CHECK_INT(pread(fd, all, sizeof all, begin), (ssize_t)sizeof all);
    close(fd);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 8; k++) /* big-endian to this machine's order */
            bytes[k] = all[8 * i + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 7 - k : k)];
        memcpy(&held[i], bytes, 8);
        expect(i, &values[i]);
        bad += held[i] != values[i] + (i >= first && (i - first) % 2 == 0 ? shift : other_shift);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return bad;
}

/* ---- when */

enum { TOGETHER, INDEPENDENT, OWN_HANDLES }; /* how ranks put; the last: each opens the file by itself */
enum { NEVER, ALONE, ALWAYS, SEVERAL }; /* only where no other rank has the file open; where several have */

static const struct way {
    const char *hints;
    int how;
    long type;
    int sieves;
} ways[] = {
    { "pcdf_debug_strategy=two-phase", TOGETHER, EXT4, ALWAYS },
    { "pcdf_debug_strategy=two-phase;pcdf_engine=mpiio", TOGETHER, EXT4, ALWAYS },
    { "pcdf_debug_strategy=two-phase;pcdf_engine=mpiio", TOGETHER, LUSTRE, SEVERAL },
    { "pcdf_debug_strategy=two-phase;pcdf_debug_exchange_size=262144", TOGETHER, EXT4, ALWAYS },
    { "pcdf_debug_strategy=two-phase;striping_unit=65536;striping_factor=3", TOGETHER, EXT4, ALWAYS },
    { "pcdf_debug_strategy=two-phase;striping_unit=65536;striping_factor=2;pcdf_sieve=on", TOGETHER, LUSTRE,
      ALWAYS },
    { "pcdf_debug_strategy=two-phase;pcdf_sieve=on", TOGETHER, EXT4, ALWAYS },
    { "pcdf_debug_strategy=two-phase;pcdf_sieve=on;pcdf_engine=posix", TOGETHER, NFS, ALWAYS },
    { "pcdf_debug_strategy=two-phase;pcdf_sieve=off", TOGETHER, EXT4, NEVER },
    { "pcdf_debug_strategy=two-phase;pcdf_engine=posix", TOGETHER, NFS, NEVER },
    { "pcdf_debug_strategy=two-phase;pcdf_engine=posix", TOGETHER, UNKNOWN, NEVER },
    { "pcdf_debug_strategy=two-phase;pcdf_engine=posix", TOGETHER, FUSE, NEVER },
    { "pcdf_debug_strategy=independent", TOGETHER, EXT4, ALONE },
    { "pcdf_debug_strategy=independent;pcdf_sieve=on", TOGETHER, EXT4, ALONE },
    { "pcdf_sieve=on", INDEPENDENT, EXT4, NEVER },
    { "pcdf_debug_strategy=two-phase", OWN_HANDLES, EXT4, ALONE },
    { "pcdf_debug_strategy=two-phase;pcdf_sieve=on;pcdf_fault=read:2+@0 read:1+@1,2,3", TOGETHER, EXT4,
      NEVER },
    { "pcdf_debug_strategy=two-phase;pcdf_sieve=on;pcdf_fault=size:2@0 size:1@1,2,3", TOGETHER, EXT4,
      ALWAYS },
    { "pcdf_debug_strategy=two-phase;pcdf_sieve=on;pcdf_checksum=crc32c", TOGETHER, EXT4, ALWAYS },
};

static void one_way(const struct way *w, int first)
{
    int64_t asked = 8LL * ((N - first + 1) / 2);
    bool sieves =
        w->sieves == ALWAYS || (w->sieves == ALONE && my_size == 1) || (w->sieves == SEVERAL && my_size > 1);
    fake_type = w->type;
    make();
    open_file(w->how == OWN_HANDLES ? MPI_COMM_SELF : MPI_COMM_WORLD, w->hints, NC_WRITE);
    if (w->how == INDEPENDENT)
        CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD); /* all handles are there: who is alone may sieve */
    striped_next();
    CHECK_NC(put_every_second(first, 0.5, w->how != INDEPENDENT), NC_NOERR);
    struct seen seen = look(first);
    if (w->how == INDEPENDENT)
        CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK(sieves ? seen.bytes > asked : seen.bytes == asked,
          "%s, from %d: %" PRId64 " bytes, asked for %" PRId64, w->hints, first, seen.bytes, asked);
    CHECK(seen.twice == 0, "%s, from %d: %" PRId64 " bytes by two ranks", w->hints, first, seen.twice);
    CHECK(seen.outside == 0, "%s, from %d: %" PRId64 " bytes outside", w->hints, first, seen.outside);
    CHECK_INT(wrong(first, 0.5, 0), 0);
    if (!strstr(w->hints, "crc32c"))
        return;
    open_file(MPI_COMM_WORLD, "pcdf_verify=true", NC_NOWRITE);
    CHECK_NC(ncmpi_get_var_double_all(ncid, varid, held), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Every rank has read all of it; then the last one changes the odd elements, which the others do not see;
 * then all put the even ones. Returns how many are wrong. */
static int64_t with_old_data(const char *hints, long type)
{
    static double odd[N];
    const MPI_Offset start = 1, count = N / 2, stride = 2;
    fake_type = type;
    make();
    open_file(MPI_COMM_WORLD, hints, NC_WRITE);
    CHECK_NC(ncmpi_get_var_double_all(ncid, varid, held), NC_NOERR);
    for (int i = 0; i < N / 2; i++)
        odd[i] = 1000.25 + 1 + 2 * i + 7;
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    if (my_rank == my_size - 1)
        CHECK_NC(ncmpi_put_vars_double(ncid, varid, &start, &count, &stride, odd), NC_NOERR);
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
    CHECK_NC(put_every_second(0, 0.5, true), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    return wrong(0, 0.5, 7);
}

/* A write that stops half-way: puts fail, and no gap has changed. */
static void torn(void)
{
    fake_type = EXT4;
    make();
    open_file(MPI_COMM_WORLD,
              "pcdf_debug_strategy=two-phase;pcdf_sieve=on;pcdf_fault=write:1@*=NC_ENO_SPACE!short",
              NC_WRITE);
    CHECK_NC(put_every_second(0, 0.5, true), NC_ENO_SPACE);
    CHECK_NC(ncmpi_close(ncid), NC_ENO_SPACE);
    (void)wrong(0, 0, 0);
    for (int i = 1; i < N; i += 2)
        CHECK(held[i] == values[i], "element %d is %g", i, held[i]);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "sieve_puts", 100);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int first = 0; first < 2; first++)
            one_way(&ways[i], first);
    CHECK_INT(with_old_data("pcdf_stale=1;pcdf_debug_strategy=two-phase;pcdf_engine=posix", NFS), 0);
    CHECK_INT(with_old_data("pcdf_debug_strategy=two-phase;pcdf_engine=posix", EXT4), 0);
    bool is_lost = with_old_data("pcdf_stale=1;pcdf_debug_strategy=two-phase;pcdf_sieve=on", EXT4) > 0;
    CHECK(is_lost == (my_size > 1), "old data is not what this storage reads");
    torn();
    return together_end("sieve_puts");
}
