/* Fixes: the windows of exchanges are reserved when they are made. Files on ten communicators are open at
 * once and all written to by exchanges: five of one group of ranks, which share their windows, and five of
 * groups in another order, which can't. Where the shared memory is too small for all (small_shm.py), windows
 * are smaller, or there are none; no call fails and every value is right. When all files are closed, this
 * process keeps no more than the windows of one set. */

#include "together.h"

enum { FILES = 10, ROWS = 12000, CELLS = 64, MIB = 1 << 20 };

static MPI_Comm comms[FILES];
static int ncids[FILES];
static int values[ROWS * CELLS];

/* Windows that this process has mapped. */
static long long mapped(void)
{
    unsigned long long from, to;
    char line[4096];
    long long sum = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        if (strstr(line, "/dev/shm/parcdf.") && sscanf(line, "%llx-%llx", &from, &to) == 2)
            sum += (long long)(to - from);
    if (f)
        fclose(f);
    return sum;
}

static void make_file(int i, MPI_Info info)
{
    char path[1100];
    int dims[2];
    snprintf(path, sizeof path, "%s.%d", my_path, i);
    MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? (my_rank + i / 2 + 1) % my_size * (i > 4 ? -1 : 1) : my_rank,
                   &comms[i]);
    CHECK_NC(ncmpi_create(comms[i], path, NC_CLOBBER | NC_64BIT_DATA, info, &ncids[i]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncids[i], "y", ROWS, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncids[i], "x", (MPI_Offset)CELLS * my_size, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncids[i], "v", NC_INT, 2, dims, NULL), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncids[i]), NC_NOERR);
}

static int cell(int file, int rank, int at)
{
    return (file * 16 + rank) * 1000000 + at;
}

/* Each rank writes `rows` rows of its own columns, or reads the next rank's. */
static int move(int i, bool puts, int rows)
{
    int rank = puts ? my_rank : (my_rank + 1) % my_size, wrong = 0;
    MPI_Offset begin[2] = { 0, (MPI_Offset)CELLS * rank }, count[2] = { rows, CELLS };
    for (int k = 0; puts && k < rows * CELLS; k++)
        values[k] = cell(i, rank, k);
    CHECK_NC(puts ? ncmpi_put_vara_int_all(ncids[i], 0, begin, count, values)
                  : ncmpi_get_vara_int_all(ncids[i], 0, begin, count, values),
             NC_NOERR);
    for (int k = 0; !puts && k < rows * CELLS; k++)
        wrong += values[k] != cell(i, rank, k);
    return wrong;
}

int main(int argc, char **argv)
{
    MPI_Info info;
    char path[1100];
    together_begin(&argc, &argv, "many_windows", 100);
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_debug_strategy", "two-phase");
    for (int i = 0; i < FILES; i++) {
        make_file(i, info);
        move(i, true, 1); /* the windows are made, and hardly used */
    }
    long long most = mapped();
    for (int i = 0; i < FILES; i++)
        move(i, true, ROWS);
    for (int i = 0; i < FILES; i++)
        CHECK_INT(move(i, false, ROWS), 0);
    for (int i = 0; i < FILES; i++) {
        MPI_Comm_free(&comms[i]);
        CHECK_NC(ncmpi_close(ncids[i]), NC_NOERR);
        snprintf(path, sizeof path, "%s.%d", my_path, i);
        if (my_rank == 0)
            unlink(path);
    }
    if (argc > 2) /* what is mapped when all are open: where it is asked for, some have less */
        CHECK(most <= atoll(argv[2]) * MIB, "%lld bytes are mapped", most);
    CHECK(mapped() <= 8LL * MIB * my_size, "%lld bytes are mapped when all files are closed", mapped());
    MPI_Info_free(&info);
    if (my_rank == 0)
        printf("%lld MiB of windows for %d files, then %lld\n", most / MIB, FILES, mapped() / MIB);
    return together_end("many_windows");
}
