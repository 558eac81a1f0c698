/* Fixes: whatever a program does with definitions, modes, fill values and data, blocking or posted, on any
 * number of ranks, the file and every value read are those of a plain sequential model.
 *
 *     model [--seed S] [--ops N] [--format 1|2|5|3|4|34] [--skip a-b,c,...] [--without STEP,...] [--print]
 * [--keep]
 *           [--tame] [--deferred] [--judged] [--programs N] [--dir DIR]
 *
 * Every rank derives the same program from the seed, knows what every other rank asks for, and carries the
 * whole model along. Operation i draws from a random stream of its own (seed, i), so that leaving others out
 * (--skip) keeps it much the same: run_model.py shrinks a failing program that way. After each operation rank
 * 0 compares the file's bytes with the model; with --deferred, for runs with hint pcdf_defer, after every
 * fifth in data mode, behind ncmpi_flush (in independent mode of several ranks after every one); so it does
 * where PNETCDF_HINTS has pcdf_async. Formats 3 and 4 are netCDF-4 and its classic model, 34 is either: they
 * are compared at the end. --judged leaves the file and the model to judge_netcdf4.py. --tame
 * leaves out what libpnetcdf 1.12.3 gets wrong, so that the test itself could be tested on it. Start reading
 * at `steps` near the end. */

#include <parcdf.h>
#include <signal.h>
#include "program.h"

struct run g;
struct m_defs now, before;
struct bytes header, header_on_file;
bool header_waits;
static struct bytes image;

/* ---- random numbers, words, complaints */
uint64_t next_random(void)
{
    uint64_t z = (g.random += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
int64_t below(int64_t n)
{
    return n <= 0 ? 0 : (int64_t)(next_random() % (uint64_t)n);
}
bool one_in(int n)
{
    return below(n) == 0;
}

void say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!g.say[0]) /* the first complaint */
        vsnprintf(g.say, sizeof g.say, format, args);
    va_end(args);
}
void tell(const char *format, ...)
{
    va_list args;
    size_t n = strlen(g.text);
    va_start(args, format);
    vsnprintf(g.text + n, sizeof g.text - n, format, args);
    va_end(args);
}
void expect(int got, int want, const char *what)
{
    if (got != want)
        say("%s gives %s, not %s", what, ncmpi_strerrno(got), ncmpi_strerrno(want));
}

static void on_alarm(int number)
{
    static const char text[] = "model: hangs; the operation is the last one printed\n";
    (void)number;
    if (write(2, text, sizeof text - 1) < 0 || write(2, g.text, strlen(g.text)) < 0 || write(2, "\n", 1) < 0)
        _exit(4);
    _exit(3);
}

/* ---- the program */
struct step {
    void (*run)(void);
    const char *name;
    int weight[4]; /* in each mode */
};
static const struct step steps[] = {
    /* closed, define, collective, independent */
    { step_def_dim, "def_dim", { 0, 12, 1, 1 } },
    { step_def_var, "def_var", { 0, 22, 1, 1 } },
    { step_put_att, "put_att", { 0, 10, 5, 3 } },
    { step_get_att, "get_att", { 0, 3, 3, 2 } },
    { step_del_att, "del_att", { 0, 4, 1, 1 } },
    { step_copy_att, "copy_att", { 0, 4, 2, 1 } },
    { step_rename, "rename", { 0, 6, 4, 3 } },
    { step_enddef, "enddef", { 0, 14, 1, 1 } },
    { step_redef, "redef", { 0, 1, 8, 4 } },
    { step_abort, "abort", { 0, 2, 0, 0 } },
    { step_reopen, "reopen", { 0, 2, 4, 3 } },
    { step_sync, "sync", { 0, 1, 4, 4 } },
    { step_sync_numrecs, "sync_numrecs", { 0, 1, 2, 4 } },
    { step_begin_indep, "begin_indep", { 0, 1, 8, 1 } },
    { step_end_indep, "end_indep", { 0, 1, 1, 12 } },
    { step_put, "put", { 0, 1, 80, 40 } },
    { step_get, "get", { 0, 1, 50, 25 } },
    { step_post, "post", { 0, 12, 40, 25 } },
    { step_wait, "wait", { 0, 1, 30, 18 } },
    { step_cancel, "cancel", { 0, 1, 4, 2 } },
    { step_buffer, "buffer", { 0, 2, 5, 3 } },
    { step_many, "many", { 0, 1, 25, 14 } },
    { step_set_fill, "set_fill", { 0, 5, 1, 1 } },
    { step_def_var_fill, "def_var_fill", { 0, 7, 1, 1 } },
    { step_put_fill_att, "put_fill_att", { 0, 3, 2, 1 } },
    { step_fill_record, "fill_record", { 0, 1, 14, 2 } },
    { step_store, "store", { 0, 14, 1, 1 } },
    { step_inquire, "inquire", { 0, 3, 4, 3 } },
};
enum { NSTEPS = sizeof steps / sizeof steps[0] };

bool is_left_out(const char *name)
{
    size_t n = strlen(name);
    for (const char *p = g.without; p && *p; p += *p == ',') {
        size_t length = strcspn(p, ",");
        if (length == n && !strncmp(p, name, n))
            return true;
        p += length;
    }
    return false;
}

static int weight_of(const struct step *step)
{
    return is_left_out(step->name) ? 0 : step->weight[g.mode];
}

static const struct step *choose_step(void)
{
    static const struct step again = { step_reopen, "reopen", { 0 } };
    int total = 0;
    if (g.judged && g.op <= 12) /* a file with something in it */
        return g.op % 2 ? &steps[0] : &steps[1];
    if (g.readonly && one_in(12)) /* it has been refused enough */
        return &again;
    for (int i = 0; i < NSTEPS; i++)
        total += weight_of(&steps[i]);
    int64_t at = below(total);
    for (int i = 0; i < NSTEPS; i++)
        if ((at -= weight_of(&steps[i])) < 0)
            return &steps[i];
    return &steps[0];
}

static void check_records(void)
{
    MPI_Offset n = -1;
    if (now.record_dim < 0)
        return;
    EXPECT(ncmpi_inq_dimlen(g.ncid, now.record_dim, &n), NC_NOERR);
    if (n != g.numrecs[g.rank])
        say("rank %d sees %lld records, not %lld", g.rank, (long long)n, (long long)g.numrecs[g.rank]);
}

static void check_file(void)
{
    char what[400];
    if (g.rank || now.netcdf4 || (g.mode == MODE_DEFINE && g.is_new))
        return;
    g.checked++;
    if (!file_slurp(g.path, &image))
        say("cannot read %s", g.path);
    else if (file_differs(&image, g.mode == MODE_DEFINE ? &before : &now, &header_on_file, g.numrecs[0],
                          g.mode == MODE_INDEPENDENT, what, sizeof what))
        say("the file: %s", what);
}

/* True when some rank has a complaint; also the barrier between writing and looking. */
static bool anyone_complains(void)
{
    int mine = g.say[0] != 0, any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any != 0;
}

/* Reports; true ends the program. */
static bool complain(void)
{
    bool may_wait = !now.netcdf4 && g.deferred && g.mode >= MODE_COLLECTIVE; /* the same on all ranks */
    bool waits_alone = g.mode == MODE_INDEPENDENT && g.size > 1;             /* others do not see it */
    bool looks = !may_wait || waits_alone || g.op % 5 == 0;
    if (looks && may_wait)
        EXPECT(ncmpi_flush(g.ncid), NC_NOERR);
    bool bad = anyone_complains();
    if (!bad && looks) {
        check_file();
        bad = anyone_complains();
    }
    if (g.say[0])
        fprintf(stderr, "model: seed %llu, %d ranks, operation %lld, rank %d: %s (last error: %s)\n",
                (unsigned long long)g.seed, g.size, (long long)g.op, g.rank, g.say, parcdf_last_error());
    if (bad && g.rank == 0)
        fprintf(stderr, "model: it was: %s\n", g.text);
    return bad;
}

static bool is_skipped(const char *list, int64_t op)
{
    for (const char *p = list; p && *p;) {
        char *end;
        long long from = strtoll(p, &end, 10), to = from;
        if (*end == '-')
            to = strtoll(end + 1, &end, 10);
        if (op >= from && op <= to)
            return true;
        p = *end ? end + 1 : end;
    }
    return false;
}

static bool run_program(int64_t nops, const char *skip)
{
    g.mode = MODE_CLOSED;
    for (g.op = 0; g.op < nops; g.op++) {
        if (g.op && is_skipped(skip, g.op))
            continue;
        g.random = g.seed * 0x9e3779b97f4a7c15u + (uint64_t)g.op * 0xd1342543de82ef95u;
        g.text[0] = 0;
        alarm(60);
        if (g.op == 0 || (g.op % 300 == 0 && g.mode != MODE_CLOSED)) { /* a new file now and then */
            if (g.op)
                close_file();
            create_file();
        } else {
            choose_step()->run();
            check_records();
            if (g.mode != MODE_DEFINE)
                follow_header();
        }
        g.done += g.text[0] != 0;
        if (g.print && g.rank == 0 && g.text[0])
            printf("%lld %s\n", (long long)g.op, g.text), fflush(stdout);
        if (complain())
            return false;
    }
    if (!g.judged) {
        close_file();
        return !anyone_complains();
    }
    g.text[0] = 0;
    tell("close; read");
    finish_file();
    read_whole(MPI_COMM_WORLD);
    if (g.rank == 0)
        write_model();
    return !complain();
}

/* Programs of the seeds from g.seed on, each with a file of its own for the judge. */
static bool run_programs(int64_t programs, int64_t nops, const char *skip)
{
    for (int64_t i = 0; i < programs; i++, g.seed++) {
        if (g.judged)
            snprintf(g.path, sizeof g.path, "%s/program_%llu.nc", g.dir, (unsigned long long)g.seed);
        if (!run_program(nops, skip))
            return false;
        if (g.judged && g.rank == 0)
            printf("model: seed %llu is done\n", (unsigned long long)g.seed), fflush(stdout);
    }
    return true;
}

int main(int argc, char **argv)
{
    int64_t nops = 1000, programs = 1;
    const char *skip = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &g.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &g.size);
    g.seed = 1;
    g.dir = "/tmp";
    g.deferred = getenv("PNETCDF_HINTS") && strstr(getenv("PNETCDF_HINTS"), "pcdf_async");
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        g.print |= !strcmp(argv[i], "--print");
        g.keep |= !strcmp(argv[i], "--keep");
        g.tame |= !strcmp(argv[i], "--tame");
        g.deferred |= !strcmp(argv[i], "--deferred");
        if (!strcmp(argv[i], "--seed"))
            g.seed = strtoull(value, NULL, 10);
        if (!strcmp(argv[i], "--ops"))
            nops = atoll(value);
        if (!strcmp(argv[i], "--format"))
            g.formats = atoi(value);
        if (!strcmp(argv[i], "--skip"))
            skip = value;
        if (!strcmp(argv[i], "--without"))
            g.without = value;
        if (!strcmp(argv[i], "--programs"))
            programs = atoll(value);
        g.judged |= !strcmp(argv[i], "--judged");
        if (!strcmp(argv[i], "--dir"))
            g.dir = value;
    }
    int id = (int)getpid();
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(g.path, sizeof g.path, "%s/model_%d.nc", g.dir, id);
    signal(SIGALRM, on_alarm);
    unsigned long long seed = g.seed;
    bool good = g.size <= MAX_RANKS && run_programs(programs, nops, skip);
    if (g.rank == 0) {
        printf(
            "model: %s, seed %llu, %d ranks, %lld operations: %lld puts, %lld gets, %lld posts, %lld "
            "waits, %lld "
            "elements put, %lld bad arguments, %lld values of closed files read, file compared %lld times\n",
            good ? "good" : "BAD", seed, g.size, (long long)g.done, (long long)g.puts, (long long)g.gets,
            (long long)g.posts, (long long)g.waits, (long long)g.elements, (long long)g.errors,
            (long long)g.reread, (long long)g.checked);
        if (!g.keep && !g.judged)
            unlink(g.path);
        else
            printf("model: kept %s\n", g.path);
    }
    fflush(stdout);
    if (!good)
        MPI_Abort(MPI_COMM_WORLD, 1);
    defs_free();
    free(header.x);
    free(header_on_file.x);
    free(image.x);
    MPI_Finalize();
    return 0;
}
