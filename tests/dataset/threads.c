/* Fixes what threads may do: each with files of its own, always: opened on MPI_COMM_SELF by all at once; on
 * communicators of all ranks, one a thread; and on one communicator, opened one after the other and then used
 * and closed at the same time, which the ranks' threads do in different orders. Several threads on one file,
 * posting requests, defining and inquiring, where the library is built with PARCDF_THREAD_SAFE. Skipped
 * without MPI_THREAD_MULTIPLE. */

#include <pthread.h>
#include "together.h"

enum { THREADS = 8, ROUNDS = 63, WAYS = 4, ROWS = 40, POSTS = 2000 };

static int shared; /* the file of all threads */
static pthread_mutex_t checks = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t start; /* without it the first thread is done before the last one runs */

static void expect(int err, int want, const char *what, int thread)
{
    if (err == want) /* the lock would put the calls in order */
        return;
    pthread_mutex_lock(&checks);
    CHECK(err == want, "thread %d: %s gives %s", thread, what, ncmpi_strerrno(err));
    pthread_mutex_unlock(&checks);
}

#define EXPECT(call, want) expect((call), (want), #call, me)

/* ---- a file each */

static void write_file(MPI_Comm comm, const char *path, int me, int round)
{
    int ncid, dim, var, values[32];
    for (int i = 0; i < 32; i++)
        values[i] = 1000 * me + 100 * round + i;
    EXPECT(ncmpi_create(comm, path, NC_64BIT_DATA, MPI_INFO_NULL, &ncid), NC_NOERR);
    EXPECT(ncmpi_def_dim(ncid, "x", 32, &dim), NC_NOERR);
    EXPECT(ncmpi_def_var(ncid, "v", NC_FLOAT, 1, &dim, &var), NC_NOERR);
    EXPECT(ncmpi_put_att_text(ncid, var, "units", 1, "m"), NC_NOERR);
    EXPECT(ncmpi_enddef(ncid), NC_NOERR);
    EXPECT(ncmpi_put_var_int_all(ncid, var, values), NC_NOERR);
    EXPECT(ncmpi_close(ncid), NC_NOERR);
}

static void read_file(MPI_Comm comm, const char *path, int me, int round)
{
    int ncid, var = -1, values[32] = { 0 }, wrong = 0;
    EXPECT(ncmpi_open(comm, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    EXPECT(ncmpi_inq_varid(ncid, "v", &var), NC_NOERR);
    EXPECT(ncmpi_inq_varid(ncid, "none", NULL), NC_ENOTVAR);
    EXPECT(ncmpi_get_var_int_all(ncid, var, values), NC_NOERR);
    for (int i = 0; i < 32; i++)
        wrong += values[i] != 1000 * me + 100 * round + i;
    expect(wrong, 0, "the values read", me);
    EXPECT(ncmpi_close(ncid), NC_NOERR);
}

static void *own_files(void *number)
{
    int me = *(int *)number;
    char path[1100];
    pthread_barrier_wait(&start);
    snprintf(path, sizeof path, "%s.%d.%d", my_path, my_rank, me);
    for (int round = 0; round < ROUNDS; round++) {
        write_file(MPI_COMM_SELF, path, me, round);
        read_file(MPI_COMM_SELF, path, me, round);
    }
    unlink(path);
    return NULL;
}

/* ---- a file each, of all ranks */

static MPI_Comm comms[THREADS];
static int files[THREADS];

static int begin_rows(MPI_Comm comm, const char *path, int me)
{
    int ncid = -1, dims[2], var;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_debug_strategy", "two-phase");
    EXPECT(ncmpi_create(comm, path, NC_64BIT_DATA, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    EXPECT(ncmpi_def_dim(ncid, "y", ROWS, &dims[0]), NC_NOERR);
    EXPECT(ncmpi_def_dim(ncid, "x", my_size, &dims[1]), NC_NOERR);
    EXPECT(ncmpi_def_var(ncid, "v", NC_INT, 2, dims, &var), NC_NOERR);
    EXPECT(ncmpi_enddef(ncid), NC_NOERR);
    return ncid;
}

/* Each rank a column: the windows are in use. */
static void use_rows(int ncid, int me)
{
    MPI_Offset begin[2] = { 0, my_rank }, count[2] = { ROWS, 1 };
    int values[ROWS], got[ROWS], wrong = 0;
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < ROWS; i++)
            values[i] = me * 100000 + my_rank * 1000 + round * 100 + i;
        EXPECT(ncmpi_put_vara_int_all(ncid, 0, begin, count, values), NC_NOERR);
        EXPECT(ncmpi_get_vara_int_all(ncid, 0, begin, count, got), NC_NOERR);
        for (int i = 0; i < ROWS; i++)
            wrong += got[i] != values[i];
    }
    expect(wrong, 0, "the rows read", me);
    EXPECT(ncmpi_close(ncid), NC_NOERR);
}

static void *own_communicator(void *number)
{
    int me = *(int *)number;
    char path[1100];
    pthread_barrier_wait(&start);
    snprintf(path, sizeof path, "%s.own.%d", my_path, me);
    for (int way = 0; way < WAYS; way++)
        use_rows(begin_rows(comms[me], path, me), me);
    return NULL;
}

/* The ranks' threads do not come in one order. */
static void *handed_over(void *number)
{
    int me = *(int *)number;
    pthread_barrier_wait(&start);
    use_rows(files[my_rank % 2 ? THREADS - 1 - me : me], my_rank % 2 ? THREADS - 1 - me : me);
    return NULL;
}

/* ---- one file */

static void *define(void *number)
{
    int me = *(int *)number, dim, ndims = 0;
    char name[32], back[NC_MAX_NAME + 1] = "";
    pthread_barrier_wait(&start);
    for (int i = 0; i < POSTS; i++) {
        snprintf(name, sizeof name, "d_%d_%d", me, i);
        EXPECT(ncmpi_def_dim(shared, name, 4, &dim), NC_NOERR);
        EXPECT(ncmpi_inq_dimname(shared, dim, back), NC_NOERR);
        expect(strcmp(name, back), 0, "the name of the dimension", me);
        EXPECT(ncmpi_inq_ndims(shared, &ndims), NC_NOERR);
    }
    return NULL;
}

static void *post(void *number)
{
    int me = *(int *)number;
    pthread_barrier_wait(&start);
    static int values[THREADS][POSTS];
    for (int i = 0; i < POSTS; i++) {
        MPI_Offset at = (MPI_Offset)me * POSTS + i;
        values[me][i] = (int)at + 7;
        EXPECT(ncmpi_iput_var1_int(shared, 0, &at, &values[me][i], NULL), NC_NOERR);
    }
    return NULL;
}

static void run(void *(*body)(void *))
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, body, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
}

static void files_of_all(void)
{
    char path[1100];
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    run(own_communicator);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
    for (int way = 0; way < WAYS; way++) {
        for (int i = 0; i < THREADS; i++) {
            snprintf(path, sizeof path, "%s.own.%d", my_path, i);
            files[i] = begin_rows(MPI_COMM_WORLD, path, i);
        }
        run(handed_over);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; my_rank == 0 && i < THREADS; i++) {
        snprintf(path, sizeof path, "%s.own.%d", my_path, i);
        unlink(path);
    }
}

static void one_file(void)
{
    int dim, ndims = -1, pending = -1, wrong = 0, back[THREADS * POSTS] = { 0 };
    char path[1100];
    snprintf(path, sizeof path, "%s.%d.shared", my_path, my_rank);
    CHECK_NC(ncmpi_create(MPI_COMM_SELF, path, NC_64BIT_DATA, MPI_INFO_NULL, &shared), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(shared, "x", THREADS * POSTS, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(shared, "v", NC_INT, 1, &dim, NULL), NC_NOERR);
    run(define);
    CHECK_NC(ncmpi_inq_ndims(shared, &ndims), NC_NOERR);
    CHECK_INT(ndims, THREADS * POSTS + 1);
    CHECK_NC(ncmpi_enddef(shared), NC_NOERR);
    run(post);
    CHECK_NC(ncmpi_inq_nreqs(shared, &pending), NC_NOERR);
    CHECK_INT(pending, THREADS * POSTS);
    CHECK_NC(ncmpi_wait_all(shared, NC_REQ_ALL, NULL, NULL), NC_NOERR);
    CHECK_NC(ncmpi_get_var_int_all(shared, 0, back), NC_NOERR);
    for (int i = 0; i < THREADS * POSTS; i++)
        wrong += back[i] != i + 7;
    CHECK_INT(wrong, 0);
    CHECK_NC(ncmpi_close(shared), NC_NOERR);
    unlink(path);
}

int main(int argc, char **argv)
{
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &my_size);
    snprintf(my_path, sizeof my_path, "%s/threads", argc > 1 ? argv[1] : ".");
    alarm(100);
    if (provided < MPI_THREAD_MULTIPLE) {
        MPI_Finalize();
        return CHECK_SKIP;
    }
    run(own_files);
    files_of_all();
    if (PNETCDF_THREAD_SAFE)
        one_file();
    return together_end("threads");
}
