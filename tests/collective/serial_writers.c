/* A program of one process that puts its own places of a file again and again while others put theirs;
 * serial_writers.py starts several at the same time. Nobody may lose a value: what one writes back between
 * its pieces is never older than what another one put there.
 *
 *   serial_writers make FILE
 *       all records are counted, and most of the file is not there yet
 *   serial_writers write FILE ME OF ROUNDS SEED
 *       puts every OF-th element from ME on: strided (by sieving, where nobody else writes), one by one;
 * opens and closes the file in between. The values, 1000 * ROUND + ME, must stay until the next round
 *   serial_writers check FILE OF ROUNDS
 *       each element has the value of its last put */
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N = 1000, RECORDS = 4 };

/* A read takes longer than elsewhere: what is written back is older. */
ssize_t pread(int fd, void *bytes, size_t n, off_t offset)
{
    ssize_t done = syscall(SYS_pread64, fd, bytes, n, offset);
    usleep(500);
    return done;
}

static double values[N], got[N];
static int wrong;

static void must(int err, const char *what)
{
    if (!err)
        return;
    fprintf(stderr, "%s: %s\n", what, ncmpi_strerror(err));
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void make(const char *path)
{
    int ncid, dims[2], vars[2];
    must(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid), "create");
    must(ncmpi_def_dim(ncid, "t", NC_UNLIMITED, &dims[0]), "t");
    must(ncmpi_def_dim(ncid, "x", N, &dims[1]), "x");
    must(ncmpi_def_var(ncid, "fixed", NC_DOUBLE, 1, dims + 1, &vars[0]), "fixed");
    must(ncmpi_def_var(ncid, "r", NC_DOUBLE, 2, dims, &vars[1]), "r");
    must(ncmpi_enddef(ncid), "enddef");
    const MPI_Offset last[] = { RECORDS - 1, 0 };
    must(ncmpi_put_var1_double_all(ncid, vars[1], last, values), "put");
    must(ncmpi_close(ncid), "close");
}

static int64_t share(int me, int of)
{
    return (N - me + of - 1) / of;
}

static void put_one_by_one(int ncid, int varid, int record, int me, int of)
{
    must(ncmpi_begin_indep_data(ncid), "begin_indep_data");
    for (int i = me; i < N; i += 7 * of) {
        const MPI_Offset at[] = { record, i };
        must(ncmpi_put_var1_double(ncid, varid, varid == 0 ? at + 1 : at, values), "put_var1");
    }
    must(ncmpi_end_indep_data(ncid), "end_indep_data");
}

static void put_all(int ncid, int varid, int record, int me, int of)
{
    const MPI_Offset start[] = { record, me }, count[] = { 1, share(me, of) }, stride[] = { 1, of };
    const int first = varid == 0;
    must(ncmpi_put_vars_double_all(ncid, varid, start + first, count + first, stride + first, values),
         "put_vars");
}

static void check_own(int ncid, int varid, int record, int me, int of)
{
    const MPI_Offset start[] = { record, me }, count[] = { 1, share(me, of) }, stride[] = { 1, of };
    const int first = varid == 0;
    must(ncmpi_get_vars_double_all(ncid, varid, start + first, count + first, stride + first, got),
         "get_vars");
    for (int i = 0; i < count[1]; i++)
        wrong += got[i] != values[i];
}

/* Until all programs are there: MPI_Init takes longer than many rounds. */
static void meet(const char *path, int me, int of)
{
    char name[1100];
    enum { TRIES = 30000 };
    for (int i = 0; i < of; i++) {
        snprintf(name, sizeof name, "%s.%d", path, (me + i) % of);
        FILE *own = i == 0 ? fopen(name, "w") : NULL;
        if (own)
            fclose(own);
        for (int tries = 0; access(name, F_OK) && tries < TRIES; tries++)
            usleep(1000);
    }
}

static void write_rounds(const char *path, int me, int of, int rounds, unsigned seed)
{
    int ncid = -1;
    srand(seed);
    meet(path, me, of);
    for (int round = 0; round < rounds; round++) {
        if (ncid < 0)
            must(ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &ncid), "open");
        for (int i = 0; i < N; i++)
            values[i] = 1000.0 * round + me;
        put_one_by_one(ncid, 0, 0, me, of); /* what the strided put below writes once more */
        put_all(ncid, 0, 0, me, of);
        put_all(ncid, 1, round % RECORDS, me, of);
        check_own(ncid, 0, 0, me, of);
        check_own(ncid, 1, round % RECORDS, me, of);
        if (rand() % 4 == 0) {
            must(ncmpi_close(ncid), "close");
            ncid = -1;
            usleep((useconds_t)(rand() % 500));
        }
    }
    if (ncid >= 0)
        must(ncmpi_close(ncid), "close");
    if (wrong)
        printf("program %d: %d values were lost until the next round\n", me, wrong);
}

static void check_one(int ncid, int varid, int record, int of, int round)
{
    const MPI_Offset start[] = { record, 0 }, count[] = { 1, N };
    int bad = 0;
    must(ncmpi_get_vara_double_all(ncid, varid, varid == 0 ? start + 1 : start,
                                   varid == 0 ? count + 1 : count, got),
         "get");
    for (int i = 0; i < N; i++)
        bad += got[i] != 1000.0 * round + i % of;
    if (bad)
        printf("variable %d, record %d: %d of %d values are not of their last put\n", varid, record, bad, N);
    wrong += bad;
}

int main(int argc, char **argv)
{
    int ncid;
    MPI_Init(&argc, &argv);
    if (argc == 3 && strcmp(argv[1], "make") == 0) {
        make(argv[2]);
    } else if (argc == 7 && strcmp(argv[1], "write") == 0) {
        write_rounds(argv[2], atoi(argv[3]), atoi(argv[4]), atoi(argv[5]), (unsigned)atoi(argv[6]));
    } else if (argc == 5 && strcmp(argv[1], "check") == 0) {
        const int of = atoi(argv[3]), rounds = atoi(argv[4]);
        must(ncmpi_open(MPI_COMM_WORLD, argv[2], NC_NOWRITE, MPI_INFO_NULL, &ncid), "open");
        check_one(ncid, 0, 0, of, rounds - 1);
        for (int r = 0; r < RECORDS && r < rounds; r++)
            check_one(ncid, 1, r, of, (rounds - 1 - r) / RECORDS * RECORDS + r);
        must(ncmpi_close(ncid), "close");
    }
    MPI_Finalize();
    return wrong ? 1 : 0;
}
