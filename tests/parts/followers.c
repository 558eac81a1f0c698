/* Fixes that a reader which follows a file beside a writer at full speed (hint pcdf_commit=step) is never
 * told of a record that is not there whole, and never gets values from wrong places without being told so by
 * the next refresh. The last rank reads (or the last ranks, together); the others write, together: four
 * record variables, new definitions now and then, and now and then another file under the name.
 *
 *     followers FOLDER [REFRESHES [READERS]]    READERS: the last ranks, which read together; 1
 *     followers FOLDER REFRESHES deaf           the reader is told of nothing
 *     followers FOLDER latency [RECORDS]        how long after the commit of a record a reader sees it that
 * looks each millisecond
 */
#include <time.h>
#include "together.h"

enum { VARS = 4, LONGEST = 64, DONE = 7, REDEF_EACH = 3000, FILE_EACH = 20000, MOST_VARS = 16 };

static const MPI_Offset length[VARS] = { 64, 16, 33, 1 };
static MPI_Comm mine; /* of the writers, or of the readers */
static int nreaders = 1;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int value_of(int record, int var, int i)
{
    return record * 1000 + var * 100 + i + 1;
}

/* ---- the writers */

static void create(int *ncid, int *vars)
{
    static const nc_type types[VARS] = { NC_INT, NC_DOUBLE, NC_INT64, NC_UINT };
    MPI_Info info;
    int dims[2];
    char name[16];
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_commit", "step");
    int rank;
    MPI_Comm_rank(mine, &rank);
    if (rank == 0)
        unlink(my_path);
    MPI_Barrier(mine);
    CHECK_NC(ncmpi_create(mine, my_path, NC_64BIT_DATA, info, ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(*ncid, "time", NC_UNLIMITED, &dims[0]), NC_NOERR);
    for (int v = 0; v < VARS; v++) {
        snprintf(name, sizeof name, "x%d", v);
        CHECK_NC(ncmpi_def_dim(*ncid, name, length[v], &dims[1]), NC_NOERR);
        snprintf(name, sizeof name, "v%d", v);
        CHECK_NC(ncmpi_def_var(*ncid, name, types[v], length[v] > 1 ? 2 : 1, dims, &vars[v]), NC_NOERR);
    }
    CHECK_NC(ncmpi_enddef(*ncid), NC_NOERR);
    MPI_Info_free(&info);
}

static void write_record(int ncid, const int *vars, int nvars, int record)
{
    int rank, size, values[LONGEST];
    MPI_Comm_rank(mine, &rank);
    MPI_Comm_size(mine, &size);
    for (int v = 0; v < nvars; v++) {
        MPI_Offset n = v < VARS ? length[v] : 1, low = n * rank / size, high = n * (rank + 1) / size;
        const MPI_Offset start[2] = { record, low }, count[2] = { n > 1 || rank == 0, high - low };
        for (MPI_Offset i = n > 1 ? low : 0; i < (n > 1 ? high : 1); i++)
            values[i - (n > 1 ? low : 0)] = value_of(record, v, (int)i);
        CHECK_NC(ncmpi_put_vara_int_all(ncid, vars[v], start, count, values), NC_NOERR);
    }
}

/* Until the reader has looked often enough. Returns the records that were written. */
static long write_often(void)
{
    int ncid, vars[MOST_VARS], done = 0, record = 0, nvars = VARS, dim, rank;
    long written = 0;
    char name[16];
    MPI_Comm_rank(mine, &rank);
    create(&ncid, vars);
    MPI_Barrier(MPI_COMM_WORLD);
    for (; !done; written++) {
        write_record(ncid, vars, nvars, record++);
        if (record % FILE_EACH == 0) {
            CHECK_NC(ncmpi_close(ncid), NC_NOERR);
            create(&ncid, vars);
            record = 0;
            nvars = VARS;
        } else if (record % REDEF_EACH == 0) {
            CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
            CHECK_NC(ncmpi_inq_unlimdim(ncid, &dim), NC_NOERR);
            snprintf(name, sizeof name, "more%d", nvars);
            CHECK_NC(ncmpi_def_var(ncid, name, NC_INT, 1, &dim, &vars[nvars]), NC_NOERR);
            CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
            int n = record, *all = malloc((size_t)n * sizeof *all);
            const MPI_Offset start = 0, count = rank == 0 ? n : 0;
            for (int r = 0; r < n; r++)
                all[r] = value_of(r, nvars, 0);
            CHECK_NC(ncmpi_put_vara_int_all(ncid, vars[nvars], &start, &count, all), NC_NOERR);
            free(all);
            nvars++;
        }
        if (rank == 0)
            MPI_Iprobe(my_size - nreaders, DONE, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
        if (written % 16 == 0)
            MPI_Bcast(&done, 1, MPI_INT, 0, mine);
        else
            done = 0;
    }
    if (rank == 0)
        MPI_Recv(NULL, 0, MPI_INT, my_size - nreaders, DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    return written;
}

/* ---- the reader */

static struct {
    long refreshes, news, reads, stale, opens, torn, failed;
} seen;

static int open_again(int ncid)
{
    int err, patience = 20000;
    if (ncid >= 0)
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    do { /* between two files there is none */
        err = ncmpi_open(mine, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid);
        if (err)
            nanosleep(&(struct timespec){ 0, 100000 }, NULL);
    } while (err && patience--);
    CHECK(!err, "%s: %s", ncmpi_strerrno(err), parcdf_last_error());
    seen.opens++;
    return err ? -1 : ncid;
}

static MPI_Offset records_of(int ncid)
{
    MPI_Offset n = -1;
    int dim;
    CHECK_NC(ncmpi_inq_unlimdim(ncid, &dim), NC_NOERR);
    CHECK_NC(ncmpi_inq_dimlen(ncid, dim, &n), NC_NOERR);
    return n;
}

/* Is a record that was told of whole? But for variables that were added, whose old records are put later. */
static bool is_whole(int ncid, MPI_Offset record)
{
    int values[LONGEST] = { 0 };
    bool whole = true; /* all of it is read in any case: the readers read together */
    for (int v = 0; v < VARS; v++) {
        const MPI_Offset start[2] = { record, 0 }, count[2] = { 1, length[v] };
        int err = ncmpi_get_vara_int_all(ncid, v, start, count, values);
        seen.reads++;
        whole &= !err;
        for (int i = 0; i < length[v]; i++)
            whole &= values[i] == value_of((int)record, v, i);
    }
    return whole;
}

static int refresh(int ncid)
{
    seen.refreshes++;
    int err = parcdf_refresh(ncid);
    seen.stale += err == NC_ESTALE;
    if (err && err != NC_ESTALE) {
        seen.failed++;
        CHECK(false, "%s: %s", ncmpi_strerrno(err), parcdf_last_error());
    }
    return err;
}

static void read_often(long refreshes)
{
    MPI_Barrier(MPI_COMM_WORLD);
    int ncid = open_again(-1);
    MPI_Offset known = records_of(ncid);
    for (long i = 0; i < refreshes && ncid >= 0 && seen.torn < 5; i++) {
        bool bad = false;
        int err = refresh(ncid);
        MPI_Offset now = records_of(ncid);
        if (!err && now > known) { /* the newest one, the first new one and one of the middle */
            seen.news++;
            bool newest = is_whole(ncid, now - 1), first = is_whole(ncid, known),
                 middle = is_whole(ncid, now / 2);
            bad = !newest || !first || !middle;
            known = now;
        }
        if (nreaders > 1)
            MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_C_BOOL, MPI_LOR, mine);
        if (bad) { /* was it told that something changed? */
            err = refresh(ncid);
            if (!err) {
                seen.torn++;
                CHECK(false, "record %d of %d is not whole", (int)(now - 1), (int)now);
            }
        }
        if (err) {
            ncid = open_again(ncid);
            known = ncid >= 0 ? records_of(ncid) : 0;
        }
    }
    if (my_rank == my_size - nreaders)
        MPI_Send(NULL, 0, MPI_INT, 0, DONE, MPI_COMM_WORLD);
    if (ncid >= 0)
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* ---- how soon */

static int by_size(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* The writer says when the last put of each record returned. */
static void measure_latency(int records)
{
    double *when = calloc((size_t)records, sizeof *when), *got = calloc((size_t)records, sizeof *got);
    int ncid = -1, vars[MOST_VARS];
    if (my_rank < my_size - 1)
        create(&ncid, vars);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank < my_size - 1) {
        for (int r = 0; r < records; r++) {
            nanosleep(&(struct timespec){ 0, 3000000 }, NULL);
            write_record(ncid, vars, VARS, r);
            when[r] = seconds();
        }
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    } else {
        ncid = open_again(-1);
        for (MPI_Offset known = 0; known < records;) {
            CHECK_NC(parcdf_refresh(ncid), NC_NOERR);
            MPI_Offset now = records_of(ncid);
            double t = seconds();
            for (; known < now; known++)
                got[known] = t;
            nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
        }
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    }
    MPI_Bcast(when, records, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (my_rank == my_size - 1) {
        for (int r = 0; r < records; r++)
            got[r] = got[r] > when[r] ? got[r] - when[r] : 0; /* seen before the call returned */
        qsort(got, (size_t)records, sizeof *got, by_size);
        printf("from the return of the put that completes a record to its sight, %d records: median %.2f ms, "
               "99 %% "
               "%.2f ms, worst %.2f ms\n",
               records, got[records / 2] * 1e3, got[records * 99 / 100] * 1e3, got[records - 1] * 1e3);
        CHECK(got[records / 2] < 0.010, "median %.2f ms", got[records / 2] * 1e3);
    }
    free(when);
    free(got);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "followers", 3000);
    nreaders = argc > 3 && atoi(argv[3]) > 0 ? atoi(argv[3]) : 1;
    if (argc > 2 && !strcmp(argv[2], "latency"))
        nreaders = 1;
    bool reads = my_rank >= my_size - nreaders;
    if (!reads) /* with the library of ../support/nfsshim.c, the reader is the client */
        setenv("PCDF_NFSSHIM_WRITES", "1", 1);
    MPI_Comm_split(MPI_COMM_WORLD, reads, my_rank, &mine);
    if (argc > 2 && !strcmp(argv[2], "latency")) {
        measure_latency(argc > 3 ? atoi(argv[3]) : 1000);
    } else {
        double begin = seconds();
        long written = 0;
        if (reads)
            read_often(argc > 2 ? atol(argv[2]) : 20000);
        else
            written = write_often();
        MPI_Bcast(&written, 1, MPI_LONG, 0, MPI_COMM_WORLD);
        if (my_rank == my_size - 1)
            printf("%ld refreshes beside %ld records in %.1f s: %ld told of new ones, %ld reads compared; "
                   "%ld stale, "
                   "%ld opens; %ld torn or half, %ld failed\n",
                   seen.refreshes, written, seconds() - begin, seen.news, seen.reads, seen.stale, seen.opens,
                   seen.torn, seen.failed);
        bool is_deaf = argc > 3 && !strcmp(argv[3], "deaf"); /* for so short a time, nothing expires */
        enum { BY_CHANCE = 5 }; /* of thousands: what it kept expires on a machine that stands still */
        bool is_right = is_deaf ? seen.news <= BY_CHANCE : seen.news > 0;
        CHECK(!reads || (is_right && seen.torn == 0), "%ld told, %ld torn", seen.news, seen.torn);
    }
    MPI_Comm_free(&mine);
    return together_end("followers");
}
