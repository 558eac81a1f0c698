/* What becomes of the states of recorded logs (states.h): each is shown to a reader that knows nothing of
 * journals; what a recovery has to do with is written to a folder in memory and opened for writing by the
 * real library. Some recoveries are recorded themselves, and the states of a crash inside them judged
 * likewise.
 *
 *   judge FOLDER [option value]... LOG...
 *     subsets N       of what a power cut leaves where there are more than 1024 (64)
 *     every N         of the states of power cuts that want recovery, one in N is recovered (1)
 *     kills N         of the states of kills (1)
 *     nested N        of the recoveries, one in N is recorded, of those after a kill twenty times as many (0:
 *                     none)
 *     seed N
 *     memory 1        no power cuts: the files were in memory
 *     metadata 1      of HDF5 files, by flushes of metadata: they are recovered, not opened
 *     together 1      all ranks recover together; else each rank takes logs of its own
 *     least N         fails unless there were so many distinct states
 *
 * An unmarked file with a journal needs no recovery, but gets one, too. Exits 1 when anything was lost. */
#include <dlfcn.h>
#include <mpi.h>
#include <pnetcdf.h>
#include <parcdf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "metajournal.h"
#include "recordedinode.h"
#include "shimlog.h"
#include "sidecar.h"
#include "states.h"
#include "status.h"

static struct {
    MPI_Comm comm;
    int rank, size;
    bool together;
    char folder[600], path[1200], journal[1200], log[1200];
    long asked, shown;
    int subsets, every, kills, nested_every;
    uint64_t seed;
    bool kills_only, is_metadata;
    long least;
    MPI_Info info;
    shim_begin_fn *begin;
    shim_stop_fn *stop;
} my = { .subsets = 64, .every = 1, .kills = 1, .seed = 1 };

/* ---- one recovery */

static void write_file(const char *path, const struct bytes *b, bool there)
{
    if (!there) {
        unlink(path);
        return;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || pwrite(fd, b->x, (size_t)b->n, 0) != (ssize_t)b->n) {
        perror(path);
        exit(1);
    }
    close(fd);
}

static void wait_for_all(void)
{
    if (my.together)
        MPI_Barrier(my.comm);
}

static void place_files(const struct state *s, const char *name)
{
    snprintf(my.path, sizeof my.path, "%s/%s", my.folder, name);
    snprintf(my.journal, sizeof my.journal, "%s/.%s.parcdf-journal", my.folder, name);
    wait_for_all();
    if (!my.together || my.rank == 0) {
        write_file(my.path, &s->files[0], s->there[0]);
        write_file(my.journal, &s->files[1], s->there[1]);
    }
    wait_for_all();
    recorded_inode = s->inode; /* that the journal knows the file by */
}

static int open_and_close(void)
{
    if (my.is_metadata)
        return pcdf_metajournal_root_recover(my.path, NULL);
    int ncid = -1, err = ncmpi_open(my.comm, my.path, NC_WRITE, my.info, &ncid);
    if (!err)
        err = ncmpi_close(ncid);
    wait_for_all();
    return err;
}

static void keep(const struct state *s)
{
    char path[1300];
    if (my.rank != 0 && my.together)
        return;
    snprintf(path, sizeof path, "%s.bad%ld", my.path, my.shown);
    write_file(path, &s->files[0], s->there[0]);
    snprintf(path, sizeof path, "%s.bad%ld", my.journal, my.shown);
    write_file(path, &s->files[1], s->there[1]);
}

static void complain(struct enumeration *e, const struct state *s, const char *what, const char *why)
{
    e->tally->bad++;
    if (my.shown++ >= 20 || (my.together && my.rank != 0))
        return;
    printf("%s: %s after a %s at entry %zu", e->title, what, s->is_power ? "power cut" : "kill", s->at);
    if (e->between)
        printf(" of a recovery from a %s at entry %zu", e->between->is_power ? "power cut" : "kill",
               e->between->at);
    printf(", versions %d to %d: %s\n", s->low, s->high, why);
    keep(s);
}

static void judge_recovered(struct enumeration *e, const struct state *s, int err)
{
    char why[600] = "", text[900];
    struct bytes file = { 0 };
    bool is_there = bytes_read(&file, my.path);
    enum verdict verdict =
        verdict_of(e->versions, is_there ? &file : NULL, s->low, s->high, s->is_power, why, sizeof why);
    bool was_nothing = !e->versions->x[s->low].is_there; /* then it may be refused for good */
    if (was_nothing && verdict == VERDICT_REFUSED)
        verdict = VERDICT_RIGHT;
    snprintf(text, sizeof text, "%s (%s; open: %s %s)", why, verdict_names[verdict], ncmpi_strerrno(err),
             err ? pcdf_fail_text() : "");
    if (verdict != VERDICT_RIGHT || (err && !was_nothing))
        complain(e, s, "not recovered", text);
    else if (!err && access(my.journal, F_OK) == 0)
        complain(e, s, "recovered", "but the journal is still there");
    free(file.x);
}

/* ---- a recovery that is recorded */

/* The state as a world. After a power cut all of it is on the storage, after a kill not. */
static void start_world(struct world *w, const struct state *s, const char *name)
{
    const char *paths[NFILES] = { my.path, my.journal };
    char journal[512];
    snprintf(journal, sizeof journal, ".%s.parcdf-journal", name);
    for (int file = 0; file < NFILES; file++) {
        struct stat st;
        if (!s->there[file] || stat(paths[file], &st))
            continue;
        const struct bytes *stored = s->stored[file] ? s->stored[file] : &s->files[file];
        world_add_killed(w, (uint64_t)st.st_ino, file ? journal : name, s->is_power || s->is_named[file],
                         &s->files[file], stored);
    }
}

static void judge_nested(struct enumeration *e, const struct state *s, struct world *w)
{
    struct versions same = *e->versions; /* wherever a recovery stops, what may be there is the same */
    struct enumeration inner = *e;
    struct log log;
    inner.versions = &same;
    inner.depth = 1;
    inner.between = s;
    if (!log_read(&log, my.log)) {
        complain(e, s, "nothing recorded", my.log);
    } else {
        long before = e->tally->enumerated;
        states_of_log(&inner, w, &log);
        e->tally->nested += e->tally->enumerated - before;
        log_free(&log);
    }
}

/* A recovery after a kill builds on what is not on the storage: there are few, and more of them are worth it.
 */
static bool is_recorded(const struct enumeration *e, const struct state *s)
{
    static long after[2];
    int every = s->is_power ? my.nested_every : my.nested_every / 20 + 1;
    return e->depth == 0 && my.begin && my.nested_every && after[s->is_power]++ % every == 0;
}

static void recover(struct enumeration *e, const struct state *s)
{
    bool records = is_recorded(e, s);
    struct world *w = records ? calloc(1, sizeof *w) : NULL;
    place_files(s, e->versions->name);
    if (records) {
        start_world(w, s, e->versions->name);
        if (!my.together || my.rank == 0)
            unlink(my.log);
        wait_for_all();
        my.begin(my.log);
        wait_for_all();
    }
    int err = open_and_close();
    if (records)
        my.stop();
    wait_for_all();
    e->tally->recovered++;
    judge_recovered(e, s, err);
    if (records) {
        judge_nested(e, s, w);
        world_free(w);
        free(w);
    }
}

void states_judge(struct enumeration *e, const struct state *s)
{
    char why[600] = "";
    const struct bytes *file = s->there[0] ? &s->files[0] : NULL;
    enum verdict verdict = verdict_of(e->versions, file, s->low, s->high, s->is_power, why, sizeof why);
    int every = s->is_power || e->depth ? my.every : my.kills;
    e->tally->distinct++;
    e->tally->right += verdict == VERDICT_RIGHT;
    e->tally->refused += verdict == VERDICT_REFUSED;
    if (verdict > VERDICT_REFUSED) {
        complain(e, s, verdict_names[verdict], why);
        return;
    }
    bool is_hopeless = verdict == VERDICT_REFUSED && !s->there[1] && e->versions->x[s->low].is_there;
    bool is_due = s->there[0] && (s->there[1] || verdict == VERDICT_REFUSED);
    if (is_hopeless || (is_due && my.asked++ % every == 0))
        recover(e, s);
}

/* ---- logs */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void judge_log(const char *path, struct tally *sum)
{
    char base_path[1200];
    struct bytes base = { 0 };
    struct versions v;
    struct log log;
    struct tally tally = { 0 };
    struct enumeration e = { &v, &tally, base_name(path), my.subsets, 0, my.seed, my.kills_only, NULL };
    snprintf(base_path, sizeof base_path, "%s.base", path);
    (void)bytes_read(&base, base_path);
    my.shown = 0;
    if (!log_read(&log, path) || !versions_find(&v, &log, &base, path)) {
        printf("%s cannot be used\n", path);
        sum->bad++;
        return;
    }
    struct world *w = calloc(1, sizeof *w);
    versions_start(w, &log, &base);
    states_of_log(&e, w, &log);
    if (!my.together || my.rank == 0)
        printf("%-32s %8ld states, %7ld distinct: %7ld right, %7ld refused, %6ld recovered, %6ld in "
               "recoveries, %ld bad\n",
               e.title, tally.enumerated, tally.distinct, tally.right, tally.refused, tally.recovered,
               tally.nested, tally.bad);
    const long *from = &tally.enumerated;
    for (int i = 0; i < TALLIES; i++)
        (&sum->enumerated)[i] += from[i];
    world_free(w);
    free(w);
    versions_free(&v);
    log_free(&log);
    free(base.x);
}

static bool take_option(const char *name, const char *value)
{
    long n = atol(value);
    if (strcmp(name, "subsets") == 0)
        my.subsets = (int)n;
    else if (strcmp(name, "every") == 0)
        my.every = (int)n;
    else if (strcmp(name, "kills") == 0)
        my.kills = (int)n;
    else if (strcmp(name, "nested") == 0)
        my.nested_every = (int)n;
    else if (strcmp(name, "seed") == 0)
        my.seed = (uint64_t)n;
    else if (strcmp(name, "memory") == 0)
        my.kills_only = n != 0;
    else if (strcmp(name, "metadata") == 0)
        my.is_metadata = n != 0;
    else if (strcmp(name, "together") == 0)
        my.together = n != 0;
    else if (strcmp(name, "least") == 0)
        my.least = n;
    else
        return false;
    return true;
}

static void set_up(const char *folder)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &my.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &my.size);
    *(void **)&my.begin = dlsym(RTLD_DEFAULT, "pcdf_shim_begin");
    *(void **)&my.stop = dlsym(RTLD_DEFAULT, "pcdf_shim_stop");
    my.comm = my.together ? MPI_COMM_WORLD : MPI_COMM_SELF;
    snprintf(my.folder, sizeof my.folder, "%s/rank%d", folder, my.together ? 0 : my.rank);
    snprintf(my.log, sizeof my.log, "%s/recovery.log", folder);
    if (!my.together)
        snprintf(my.log, sizeof my.log, "%s/recovery%d.log", folder, my.rank);
    mkdir(my.folder, 0777);
    MPI_Info_create(&my.info);
    if (!my.together)
        MPI_Info_set(my.info, "pcdf_engine", "posix"); /* faster; the calls are the same */
    wait_for_all();
}

static int finish(const struct tally *mine)
{
    struct tally sum = *mine;
    if (!my.together)
        MPI_Allreduce(mine, &sum, TALLIES, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (my.rank == 0)
        printf("all: %ld states (%ld distinct): %ld right, %ld refused, %ld recovered, %ld states in "
               "recoveries, %ld bad\n",
               sum.enumerated, sum.distinct, sum.right, sum.refused, sum.recovered, sum.nested, sum.bad);
    if (my.rank == 0 && sum.distinct < my.least)
        printf("fewer than %ld distinct states\n", my.least);
    return sum.bad || sum.distinct < my.least || sum.enumerated == 0;
}

int main(int argc, char **argv)
{
    struct tally sum = { 0 };
    int at = 2, n = 0;
    MPI_Init(&argc, &argv);
    while (at + 1 < argc && take_option(argv[at], argv[at + 1]))
        at += 2;
    if (argc <= at) {
        fprintf(stderr, "usage: judge FOLDER [option value]... LOG...\n");
        return 2;
    }
    set_up(argv[1]);
    for (; at < argc; at++, n++)
        if (my.together || n % my.size == my.rank)
            judge_log(argv[at], &sum);
    int bad = finish(&sum);
    MPI_Info_free(&my.info);
    MPI_Finalize();
    return bad;
}
