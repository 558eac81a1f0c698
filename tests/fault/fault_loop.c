/* Fixes: whatever fails in a session of a program on a file, and on whichever rank, no rank hangs, no call
 * says success unless the file is what it would be without the failure, each rank that was told of a lost
 * write is told again by every later put, sync and close, the other ranks at close at the latest, the file is
 * old or new or refused, whoever opens it for writing next has it old or new, and neither memory nor
 * descriptors nor MPI handles are lost.
 *
 * Each scenario is run again and again: the 1st, 2nd, ... operation fails on each rank in turn, in each of
 * several ways, until a run sees no failure. argv[1]: storage (its operations, hint pcdf_fault),
 * system (system calls, by the preloaded shim of tests/support/shim), mpi (MPI calls) or memory
 * (allocations); argv[2]: a scenario, or all; argv[3]: each k-th point only, for a short run; argv[4]:
 * pcdf_engine. Rank 0 prints the counts. */

#include "faultcase.h"
#include <signal.h>
#include <unistd.h>
#include "alloc.h"
#include "faultstorage.h"
#include "residency.h"
#include "shimcontrol.h"

enum { SECONDS = 30, POINTS = 2000 }; /* a session, a loop */

static struct session now; /* the running session, for the one who is told of a hang */
static struct image before, after;
static char path[256], orders[160];
static long injected, sessions, unseen;
static int stride = 1;

static bool all(bool mine)
{
    int in = mine, out = 0;
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return out != 0;
}

static void hangs(int number)
{
    (void)number;
    static const char text[] = " hangs\n";
    (void)!write(2, orders, strlen(orders));
    (void)!write(2, text, sizeof text - 1);
    _exit(9);
}

/* ---- ways to fail */

enum source { ENGINE, SYSTEM, MPI, MEMORY };

struct way {
    enum source source;
    const char *op, *repeat, *tail; /* op:n repeat [@rank] tail */
    bool everywhere;                /* on all ranks at once */
};

static const struct way ways[] = {
    { ENGINE, "any", "", "", false },
    { ENGINE, "any", "", "=NC_ENO_SPACE!short", false },
    { ENGINE, "any", "", "!late", false },
    { ENGINE, "any", "+", "=NC_EQUOTA", false },
    { ENGINE, "any", "+", "=NC_EQUOTA!late", false },
    { ENGINE, "any", "+", "=NC_ENO_SPACE", true },
    { ENGINE, "sync", "", "!lost", false },
    { ENGINE, "sync", "+", "=NC_EQUOTA!lost", true },
    { SYSTEM, "any", "", ":EIO", false },
    { SYSTEM, "any", "+", ":ENOSPC", false },
    { SYSTEM, "any", "+", ":EDQUOT", true },
    { SYSTEM, "any", "", ":ENOSPC", false },
    { SYSTEM, "any", "", ":EDQUOT", false },
    { SYSTEM, "any", "+", ":EIO", false },
    { SYSTEM, "write", "", ":EINTR", false },
    { SYSTEM, "write", "", ":short", false },
    { SYSTEM, "write", "", ":zero", false },
    { SYSTEM, "sync", "", ":EINTR", false },
    { SYSTEM, "read", "", ":EIO", false },
    { SYSTEM, "read", "", ":EINTR", false },
    { SYSTEM, "read", "", ":short", false },
    { MPI, "call ", "", "", false },
    { MPI, "call ", "+", "", false },
    { MPI, "call ", "+", "", true },
    { MPI, "call ", "", " quiet", false },
    { MEMORY, "", "", "", false },
    { MEMORY, "", "+", "", false },
    { MEMORY, "", "+", "", true },
};
static const char *engine = "auto";
static const char *const source_names[] = { "storage", "system", "mpi", "memory" };

/* Gives the order for the n-th operation; returns how often failures were carried out before. */
static long arm(const struct way *w, int n, int victim)
{
    bool mine = w->everywhere || now.rank == victim;
    char text[100], rank[16] = "*";
    if (!w->everywhere)
        snprintf(rank, sizeof rank, "%d", victim);
    snprintf(text, sizeof text, "%s:%d%s%s%s%s", w->op, n, w->repeat, w->source == ENGINE ? "@" : "",
             w->source == ENGINE ? rank : "", w->tail);
    snprintf(orders, sizeof orders, "%s, %s %s on rank %s of %d", now.scenario, source_names[w->source], text,
             rank, now.size);
    MPI_Info_create(&now.info);
    MPI_Info_set(now.info, "nc_data_move_chunk_size", "1024"); /* several rounds */
    MPI_Info_set(now.info, "pcdf_engine", engine);
    if (w->source == SYSTEM && w->op[0] == 'r') /* ROMIO's own collective reads hang when one rank's fails */
        MPI_Info_set(now.info, "pcdf_debug_strategy", "two-phase");
    if (w->source == ENGINE && strstr(w->tail, "lost")) /* else records may count that are lost */
        MPI_Info_set(now.info, "pcdf_commit", "record");
    if (w->source == ENGINE) {
        MPI_Info_set(now.info, "pcdf_fault", text);
        return fault_carried_out();
    }
    if (w->source == SYSTEM)
        return shim_order(mine ? text : NULL);
    if (w->source == MPI)
        return mpi_order(&(struct mpi_order){ mine ? n : 0, w->repeat[0] == '+', w->tail[0] == ' ' });
    pcdf_alloc_fail_at(mine ? n : 0, w->repeat[0] == '+');
    return 0;
}

/* True when it came to the failure on this rank. */
static bool disarm(const struct way *w, int n, int victim, long carried_out)
{
    if (w->source == MPI)
        return mpi_order(NULL) > carried_out;
    if (w->source == ENGINE)
        return fault_carried_out() > carried_out;
    if (w->source == SYSTEM)
        return shim_order(NULL) > carried_out;
    bool reached = (w->everywhere || now.rank == victim) && pcdf_alloc_asked() >= n;
    pcdf_alloc_fail_at(0, 0);
    return reached;
}

/* ---- one session */

struct held {
    int64_t memory;
    int descriptors;
    long handles;
};

static struct held held_now(void)
{
    return (struct held){ pcdf_alloc_now(), residency_descriptors(), live_mpi_handles() };
}

static void restore(void)
{
    if (now.rank == 0)
        image_put(&before, path);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void begin(const struct scenario *scenario)
{
    int rank = now.rank, size = now.size;
    restore();
    now = (struct session){ .name = orders,
                            .scenario = scenario->name,
                            .rank = rank,
                            .size = size,
                            .path = path,
                            .info = MPI_INFO_NULL,
                            .ncid = -1 };
    alarm(SECONDS);
}

static void check_held(const struct held *was)
{
    struct held is = held_now();
    CHECK(is.memory == was->memory, "%s: rank %d lost %lld bytes", orders, now.rank,
          (long long)(is.memory - was->memory));
    CHECK(is.descriptors == was->descriptors, "%s: rank %d has %d descriptors, not %d", orders, now.rank,
          is.descriptors, was->descriptors);
    CHECK(is.handles == was->handles, "%s: rank %d lost %ld MPI handles", orders, now.rank,
          is.handles - was->handles);
}

static void judge(const struct scenario *scenario, int n)
{
    now.any = !all(now.first == NC_NOERR);
    now.undefined = !all(!now.undefined);
    bool lasting = !all(!now.lasting);
    CHECK(!lasting || now.first != NC_NOERR, "%s: rank %d never heard of it", orders, now.rank);
    CHECK(now.bad_values == 0, "%s: rank %d got %ld wrong values and no error", orders, now.rank,
          now.bad_values);
    if (!now.any) {
        unseen++;
        CHECK(now.rank != 0 || image_equals(&after, path), "%s: success, but the file is another", orders);
        CHECK(!has_journal(path), "%s: success, but a journal is left", orders);
    } else if (scenario->reads_only) {
        CHECK(now.rank != 0 || image_equals(&before, path), "%s: a reader changed the file", orders);
    } else if (n % 2 == 0) { /* what comes next need not have as many ranks */
        check_old_or_new(&now, scenario, MPI_COMM_WORLD);
    } else if (now.rank == 0) {
        check_old_or_new(&now, scenario, MPI_COMM_SELF);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* True when it came to the failure. */
static bool session(const struct scenario *scenario, const struct way *w, int n, int victim)
{
    struct held was = held_now();
    begin(scenario);
    long carried_out = arm(w, n, victim);
    now.is_memory = w->source == MEMORY;
    scenario->run(&now);
    bool mine = disarm(w, n, victim, carried_out), fired = !all(!mine);
    MPI_Info_free(&now.info);
    check_held(&was);
    judge(scenario, n);
    sessions++;
    injected += fired;
    return fired;
}

/* Without a failure: what the file is to be. Twice, so that all that is made once is there. */
static void good_session(const struct scenario *scenario)
{
    for (int i = 0; i < 2; i++) {
        begin(scenario);
        snprintf(orders, sizeof orders, "%s without a failure", scenario->name);
        scenario->run(&now);
        CHECK(now.first == NC_NOERR && now.bad_values == 0, "%s: rank %d: %s", orders, now.rank,
              ncmpi_strerrno(now.first));
        MPI_Barrier(MPI_COMM_WORLD);
        if (now.rank == 0)
            image_take(&after, path);
        check_old_or_new(&now, scenario, MPI_COMM_WORLD);
        check_old_or_new(&now, scenario, MPI_COMM_SELF);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void loop(const struct scenario *scenario, enum source source)
{
    struct image none = { NULL, -1 }, base = before;
    if (scenario->from_nothing)
        before = none;
    good_session(scenario);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int victim = 0; ways[i].source == source && victim < (ways[i].everywhere ? 1 : now.size);
             victim++)
            for (int n = 1 + (int)(i + (size_t)victim) % stride; n < POINTS; n += stride)
                if (!session(scenario, &ways[i], n, victim))
                    break;
    before = base;
}

static void choose_path(void)
{
    int id = (int)getpid();
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    const char *folder = access("/dev/shm", W_OK) ? "." : "/dev/shm";
    snprintf(path, sizeof path, "%s/parcdf_fault_loop_%d.nc", folder, id);
}

int main(int argc, char **argv)
{
    const char *only = argc > 2 ? argv[2] : "all";
    enum source source = ENGINE;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &now.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &now.size);
    choose_path();
    signal(SIGALRM, hangs);
    for (int i = ENGINE; i <= MEMORY; i++)
        if (argc > 1 && strcmp(argv[1], source_names[i]) == 0)
            source = (enum source)i;
    if (argc > 4)
        engine = argv[4];
    if (argc > 3 && atoi(argv[3]) > 1)
        stride = atoi(argv[3]);
    if (source == SYSTEM && !shim_watch(path)) {
        MPI_Finalize();
        return CHECK_SKIP;
    }
    make_base_file(MPI_COMM_WORLD, path);
    if (now.rank == 0)
        image_take(&before, path);
    for (int i = 0; i < scenario_count; i++)
        if (strcmp(only, "all") == 0 || strcmp(only, scenarios[i].name) == 0)
            loop(&scenarios[i], source);
    alarm(0);
    if (now.rank == 0) {
        unlink(path);
        printf("%s, %d ranks: %ld sessions, %ld with a failure, of which %ld went unseen and were right\n",
               source_names[source], now.size, sessions, injected, unseen - (sessions - injected));
    }
    add_scenario_checks(&check_made, &check_bad);
    add_file_checks(&check_made, &check_bad);
    bool good = all(check_bad == 0);
    if (now.rank == 0 || check_bad)
        check_done("fault_loop");
    free(before.bytes);
    free(after.bytes);
    MPI_Finalize();
    return good ? 0 : 1;
}
