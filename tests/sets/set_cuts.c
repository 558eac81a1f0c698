/* What crashes leave of sets of files. A job makes some generations of a set in a file system that crashes
 * (cutfs.h); after each change, states that a kill or a power cut could leave are judged:
 * - as a reader finds it: the newest generation that is complete is the last one that was committed, or the
 *   one that is being committed; all its files are there, each with the contents of this generation;
 * - a recovery loses nothing of that, also if it is stopped at any change, and so is the one after it;
 * - after a recovery that ended, nothing is left of what never became a generation, and the user's names are
 *   those of the newest one, or all of them of an older one that was being restored.
 *
 *   set_cuts NUMBER [SEED]    until NUMBER distinct states were judged; from a million on, at least one job
 *                             with each number of files from 1 to 64
 *   set_cuts --mutants        each broken rule must be found (cutmutants.h) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "codes.h"
#include "check.h"
#include "owner.h"
#include "setmaking.h"
#include "setnames.h"
#include "sidename.h"
#include "cutfs.h"
#include "cutmutants.h"
#include "status.h"

#define DIR  "/sim"
#define NAME "run"

static uint64_t state_of_chance;
static int chance(int n)
{
    state_of_chance += 0x9e3779b97f4a7c15u;
    return (int)(sim_mix(state_of_chance) % (uint64_t)n);
}

/* ---- who asks whether a job ended: the job of the time before a crash has, always */

static int64_t job_now = 1;

void __wrap_pcdf_owner_self(struct pcdf_owner *owner);
void __wrap_pcdf_owner_self(struct pcdf_owner *owner)
{
    *owner = (struct pcdf_owner){ .process = job_now, .host = "sim", .boot = "sim" };
}

static enum pcdf_owner_state owner_state(const struct pcdf_owner *owner)
{
    return owner->process == job_now ? PCDF_OWNER_SELF : PCDF_OWNER_ENDED;
}

/* ---- what is tried */

struct scenario {
    uint64_t seed;
    int files, generations, keep, processes, failing; /* the generation of which a file fails; 0: none */
    bool same_names, has_links, knows_files;
    bool in_turn;  /* each file begins when the one before is whole */
    bool has_race; /* another process tries to commit while one stands still */
    int mutant;
};

enum { MOST_FILES = 64, PATH_ROOM = 256, MOST_PROCESSES = 3 };

static const char *path_of(const struct scenario *s, int generation, int i, char *room)
{
    static const char *const folders[] = { DIR, DIR "/out", "/far" };
    if (s->same_names)
        snprintf(room, PATH_ROOM, "%s/f%02d.nc", folders[i % 3], i);
    else
        snprintf(room, PATH_ROOM, "%s/f%02d.%d.nc", folders[i % 3], i, generation);
    return room;
}

static const char *contents_of(int generation, int i, char *room)
{
    snprintf(room, PATH_ROOM, "generation %d of file %d", generation, i);
    return room;
}

/* ---- distinct states */

enum { SLOTS = 1 << 23 };
static uint64_t *known;
static long ndistinct, nenumerated, nnested;

static bool is_new_state(uint64_t hash)
{
    uint64_t at = sim_mix(hash) % SLOTS;
    hash = hash ? hash : 1;
    nenumerated++;
    for (; known[at]; at = (at + 1) % SLOTS)
        if (known[at] == hash)
            return false;
    if (ndistinct >= SLOTS / 2)
        return false;
    known[at] = hash;
    ndistinct++;
    return true;
}

/* ---- the judge */

struct trial { /* what is known at the time of a crash */
    const struct scenario *scenario;
    int low, high; /* the newest generation is one of them; 0: none may be there */
    int restored;  /* the user's names may be of this one; 0: no */
    int depth;     /* of recoveries */
};

static bool is_quiet; /* a broken rule is to be found: count, do not tell */
static long nbad;

static void bad(const struct trial *t, const char *what, const char *path)
{
    nbad++;
    if (is_quiet || nbad > 20)
        return;
    const struct scenario *s = t->scenario;
    fprintf(
        stderr,
        "seed %llu (%d files, %d generations, keep %d, %d processes, failing %d%s%s%s), generation %d or %d, "
        "recovery %d: %s: %s\n",
        (unsigned long long)s->seed, s->files, s->generations, s->keep, s->processes, s->failing,
        s->same_names ? ", same names" : "", s->has_links ? ", links" : "",
        s->knows_files ? ", files known" : "", t->low, t->high, t->depth, what, path);
}

static bool holds(struct cutfs *fs, const char *path, int generation, int i)
{
    char room[PATH_ROOM];
    const struct sim_inode *inode = cutfs_find(fs, path);
    const char *want = contents_of(generation, i, room);
    return inode && inode->n == strlen(want) && memcmp(inode->bytes, want, inode->n) == 0;
}

/* The generation that a reader finds, 0: none. */
static int read_newest(const struct trial *t, struct cutfs *fs)
{
    const struct pcdf_setfs seam = { &cutfs_ops, fs };
    struct pcdf_set set;
    struct pcdf_setmanifest m;
    char room[PATH_ROOM];
    int generation = 0;
    if (pcdf_set_open_in(&seam, DIR, NAME, &set))
        return 0;
    if (pcdf_set_newest(&set, &m) == NC_NOERR) {
        generation = atoi(m.step);
        if ((int)m.nfiles != t->scenario->files)
            bad(t, "another number of files", m.step);
        for (int i = 0; i < t->scenario->files; i++) {
            char *where = NULL;
            const char *want = path_of(t->scenario, generation, i, room);
            size_t at = 0;
            while (at < m.nfiles && strcmp(m.files[at].file, want) != 0)
                at++;
            if (at == m.nfiles || pcdf_set_where(&set, &m, at, &where))
                bad(t, "a file is not there", want);
            else if (!holds(fs, where, generation, i))
                bad(t, "a mixture", where);
            pcdf_free(where);
        }
        pcdf_setmanifest_free(&m);
    }
    pcdf_set_close(&set);
    return generation;
}

static int judge_reader(const struct trial *t, struct cutfs *fs)
{
    int newest = read_newest(t, fs);
    if (newest != t->low && newest != t->high)
        bad(t, "the newest generation is wrong", newest ? "another one" : "none");
    return newest;
}

static bool ends(const char *name, const char *with)
{
    size_t n = strlen(name), m = strlen(with);
    return n >= m && strcmp(name + n - m, with) == 0;
}

enum { MOST_GENERATIONS = 8 };
struct committed { /* what is: keys and steps */
    char keys[MOST_GENERATIONS][PCDF_SET_KEY];
    int steps[MOST_GENERATIONS], n;
};

static struct committed committed_in(struct cutfs *fs)
{
    const struct pcdf_setfs seam = { &cutfs_ops, fs };
    struct pcdf_setlist list = { 0 };
    struct pcdf_set set;
    struct committed c = { .n = 0 };
    if (pcdf_set_open_in(&seam, DIR, NAME, &set))
        return c;
    if (pcdf_set_list(&set, &list))
        list.n = 0;
    for (size_t i = 0; i < list.n && c.n < MOST_GENERATIONS; i++) {
        struct pcdf_setmanifest m;
        if (pcdf_set_read(&set, list.numbers[i], false, &m))
            continue;
        snprintf(c.keys[c.n], PCDF_SET_KEY, "%s", m.key);
        c.steps[c.n++] = atoi(m.step);
        pcdf_setmanifest_free(&m);
    }
    pcdf_setlist_free(&list);
    pcdf_set_close(&set);
    return c;
}

static bool is_of_one(const struct committed *c, const char *name)
{
    for (int i = 0; i < c->n; i++)
        if (strstr(name, c->keys[i]))
            return true;
    return false;
}

/* A user's name that has its generation in it. */
static bool is_name_of_one(const struct committed *c, const char *name)
{
    int file, generation;
    if (sscanf(name, "f%d.%d.nc", &file, &generation) != 2)
        return true;
    for (int i = 0; i < c->n; i++)
        if (c->steps[i] == generation)
            return true;
    return false;
}

static bool has_names(const struct trial *t, struct cutfs *fs, int generation, const char **wrong)
{
    static char room[PATH_ROOM];
    for (int i = 0; i < t->scenario->files; i++)
        if (!holds(fs, path_of(t->scenario, generation, i, room), generation, i)) {
            *wrong = room;
            return false;
        }
    return true;
}

/* After a whole recovery: nothing of what never became a generation. */
static void judge_rest(const struct trial *t, struct cutfs *fs, int newest)
{
    const char *wrong = "";
    const struct committed c = committed_in(fs);
    for (int i = 0; i < fs->nseen; i++) {
        const char *name = sim_text_of(fs->seen[i].name);
        bool some_stay = !t->scenario->has_links && strcmp(sim_text_of(fs->seen[i].folder), "/far") == 0;
        bool is_late = t->scenario->has_race && ends(name, ".parcdf-link") && is_of_one(&c, name);
        if (is_late) /* a kill left it of one that published what a rival had published: it goes with it */
            continue;
        if (ends(name, ".parcdf-parts") || ends(name, ".parcdf-removed") || ends(name, ".parcdf-newset") ||
            ends(name, ".parcdf-link") || ends(name, ".parcdf-restored"))
            bad(t, "left behind", name);
        else if ((ends(name, ".parcdf-member") || ends(name, ".parcdf-member.parcdf-sums")) &&
                 !is_of_one(&c, name))
            bad(t, "a member of no generation", name);
        else if (!some_stay && !is_name_of_one(&c, name))
            bad(t, "a user's name of no generation", name);
    }
    if (newest && !has_names(t, fs, newest, &wrong) &&
        !(t->restored && has_names(t, fs, t->restored, &wrong)))
        bad(t, "a user's name is not of the newest generation", wrong);
}

struct hook { /* what `changed` of a file system does */
    struct trial trial;
    int samples; /* states of one change, at most */
    int every;   /* one of so many is recovered */
};

static void judge_states(struct cutfs *fs);

static void recover(const struct hook *hook, const struct cutfs *from, int newest)
{
    struct hook inner = *hook;
    const struct pcdf_setfs seam = { &cutfs_ops, NULL };
    int64_t job = job_now;
    struct cutfs fs;
    struct pcdf_set set;
    inner.trial.depth++;
    inner.samples = 2;
    inner.every = 30;
    cutfs_copy(&fs, from);
    fs.changed = inner.trial.depth <= 2 ? judge_states : NULL;
    fs.context = &inner;
    job_now = 1 + inner.trial.depth; /* equal states have equal names of drafts */
    struct pcdf_setfs here = seam;
    here.fs = &fs;
    if (pcdf_set_open_in(&here, DIR, NAME, &set) == NC_NOERR) {
        if (pcdf_set_recover(&set, PCDF_RECOVER_BEGIN, ""))
            bad(&inner.trial, "the recovery fails", pcdf_fail_text());
        pcdf_set_close(&set);
        fs.changed = NULL;
        int after = judge_reader(&inner.trial, &fs);
        if (after < newest) /* what is seen, and not on the storage yet, is lost by another crash alone */
            bad(&inner.trial, "the recovery loses the newest generation", "");
        judge_rest(&inner.trial, &fs, after);
    }
    job_now = job;
    cutfs_free(&fs);
}

static void judge_one(const struct hook *hook, struct cutfs *fs)
{
    uint64_t about = (uint64_t)hook->trial.low << 32 ^ (uint64_t)hook->trial.high << 8 ^
                     (uint64_t)hook->trial.scenario->files;
    if (!is_new_state(cutfs_hash(fs) ^ sim_mix(about ^ hook->trial.scenario->seed << 40)))
        return;
    nnested += hook->trial.depth > 0;
    int newest = judge_reader(&hook->trial, fs);
    if (chance(hook->every) == 0)
        recover(hook, fs, newest);
}

/* The kill, and some or all of the power cuts. */
static void judge_states(struct cutfs *fs)
{
    const struct hook *hook = fs->context;
    int64_t all = cutfs_cuts(fs, 1 << 20), n = all < hook->samples ? all : hook->samples;
    struct cutfs copy;
    cutfs_copy(&copy, fs);
    judge_one(hook, &copy);
    cutfs_free(&copy);
    for (int64_t i = 0; i < n; i++) {
        cutfs_copy(&copy, fs);
        cutfs_cut(&copy, all <= hook->samples ? i : chance(1 << 30), all <= hook->samples ? all : 0);
        judge_one(hook, &copy);
        cutfs_free(&copy);
    }
}

/* ---- the job */

struct job {
    const struct scenario *scenario;
    struct cutfs *fs;
    struct hook *hook;
    struct pcdf_set set;
    struct pcdf_setmaking *making[MOST_PROCESSES];
};

static void expect(const struct job *job, const char *what, int err)
{
    if (err)
        bad(&job->hook->trial, what, pcdf_fail_text());
}

/* A file is written, and closed: whole, or not. */
static void make_file(struct job *job, int generation, int i, const char *member, bool fails)
{
    char room[PATH_ROOM], folder[PATH_ROOM], path[PATH_ROOM];
    struct pcdf_setmaking *making = job->making[i % job->scenario->processes];
    const char *contents = contents_of(generation, i, room);
    char *sums = pcdf_sidename_beside(member, ".parcdf-sums");
    if (fails) {
        expect(job, "a failed file cannot be told", pcdf_setmaking_failed(making, member));
        pcdf_free(sums);
        return;
    }
    cutfs_put(job->fs, member, contents, strlen(contents));
    cutfs_put(job->fs, sums, "sums", 4);
    snprintf(folder, sizeof folder, "%s", path_of(job->scenario, generation, i, path));
    *strrchr(folder, '/') = '\0';
    (void)cutfs_ops.sync_folder(job->fs, folder);
    expect(job, "a part cannot be told",
           pcdf_setmaking_whole(making, member,
                                &(struct pcdf_setmember){ .crc = (uint32_t)i,
                                                          .size = (int64_t)strlen(contents),
                                                          .records = generation,
                                                          .format = "CDF-5" }));
    pcdf_free(sums);
}

static void begin_file(struct job *job, int generation, int i, const char **member)
{
    char room[PATH_ROOM];
    const struct scenario *s = job->scenario;
    expect(job, "a member cannot begin",
           pcdf_setmaking_member(job->making[i % s->processes], path_of(s, generation, i, room), member));
    if (!nbad)
        cutfs_put(job->fs, *member, "torn", 4);
}

/* What a broken rule does: the newest one goes for one that is not there yet. */
static void drop_newest(struct job *job)
{
    struct pcdf_setlist list;
    if (pcdf_set_list(&job->set, &list))
        return;
    char *path =
        list.n ? pcdf_setname_numbered(DIR, NAME, PCDF_SET_MANIFEST, list.numbers[list.n - 1]) : NULL;
    if (path)
        (void)cutfs_ops.unlink(job->fs, path);
    pcdf_free(path);
    pcdf_setlist_free(&list);
}

/* ---- another process commits while one stands still between a listing and what it makes of it */

static struct {
    struct job *job;
    int at;
    int64_t number;
} rival;

static void commit_rival(struct cutfs *fs)
{
    if (rival.at-- > 0)
        return;
    fs->paused = NULL;
    expect(rival.job, "a rival's commit fails",
           pcdf_setmaking_commit(rival.job->making[0], rival.job->scenario->processes == 1, &rival.number));
}

static void begin_race(struct job *job, bool is_last)
{
    rival.job = job;
    rival.number = 0;
    rival.at = chance(8);
    job->fs->paused = job->scenario->has_race && is_last ? commit_rival : NULL;
}

static void end_race(struct job *job, int64_t *last)
{
    job->fs->paused = NULL;
    *last = rival.number ? rival.number : *last;
}

static void make_generation(struct job *job, int generation)
{
    const struct scenario *s = job->scenario;
    const char *members[MOST_FILES];
    char step[16];
    int64_t number = 0, last = 0;
    bool fails = s->failing == generation;
    job->fs->now++;
    snprintf(step, sizeof step, "%d", generation);
    const struct pcdf_setmaking_config config = { .job = s->processes > 1 ? "the job" : "",
                                                  .step = step,
                                                  .ordinal = generation,
                                                  .files = s->knows_files ? s->files : 0,
                                                  .keep = s->keep };
    for (int p = 0; p < s->processes; p++)
        expect(job, "a generation cannot begin", pcdf_setmaking_begin(&job->set, &config, &job->making[p]));
    for (int i = 0; i < s->files && !nbad && !s->in_turn; i++)
        begin_file(job, generation, i, &members[i]);
    if (s->mutant == SIM_OLDER_GOES_FIRST)
        drop_newest(job);
    job->hook->trial.high = fails ? job->hook->trial.low : generation;
    for (int i = 0; i < s->files && !nbad; i++) {
        if (s->in_turn)
            begin_file(job, generation, i, &members[i]);
        make_file(job, generation, i, members[i], fails && i == s->files / 2);
        bool is_last = i == s->files - 1;
        bool is_all = (s->processes == 1 && is_last) || s->mutant == SIM_COMMIT_IS_EARLY;
        begin_race(job, is_last && !fails);
        expect(job, "the commit fails",
               pcdf_setmaking_commit(job->making[i % s->processes], is_all, &number));
        end_race(job, &last);
        last = number ? number : last;
    }
    for (int p = 0; p < s->processes && !nbad && s->processes > 1; p++) /* others may be late */
        expect(job, "a second commit fails", pcdf_setmaking_commit(job->making[p], false, &number));
    if (!nbad && !fails && !last)
        bad(&job->hook->trial, "a complete generation is not committed", step);
    if (!nbad && fails && last)
        bad(&job->hook->trial, "a failed generation is committed", step);
    if (fails && !nbad)
        expect(job, "a failed one cannot be discarded", pcdf_setmaking_discard(job->making[0]));
    for (int p = 0; p < s->processes; p++)
        pcdf_setmaking_free(job->making[p]);
    if (!fails)
        job->hook->trial.low = generation;
    judge_reader(&job->hook->trial, job->fs);
}

/* The oldest generation gets the names. */
static void restore_oldest(struct job *job)
{
    struct pcdf_setlist list;
    struct pcdf_setmanifest m;
    struct trial *t = &job->hook->trial;
    const char *wrong = "";
    if (nbad || pcdf_set_list(&job->set, &list))
        return;
    if (list.n > 1 && pcdf_set_read(&job->set, list.numbers[0], false, &m) == NC_NOERR) {
        t->restored = atoi(m.step);
        expect(job, "the restore fails", pcdf_set_restore(&job->set, &m));
        if (!nbad && !has_names(t, job->fs, t->restored, &wrong))
            bad(t, "a restored name is not of its generation", wrong);
        pcdf_setmanifest_free(&m);
    }
    pcdf_setlist_free(&list);
}

/* After commits without a crash: as many generations as are to stay. */
static void judge_kept(struct job *job)
{
    struct pcdf_setlist list;
    const struct scenario *s = job->scenario;
    int committed = s->generations - (s->failing > 0);
    if (pcdf_set_list(&job->set, &list))
        return;
    int want = s->keep && s->keep < committed ? s->keep : committed;
    if (!nbad && (int)list.n != want)
        bad(&job->hook->trial, "more or fewer generations than are to stay", DIR);
    pcdf_setlist_free(&list);
}

static void run(const struct scenario *s)
{
    struct cutfs fs;
    struct hook hook = { { .scenario = s }, s->files > 8 ? 4 : 24, s->files > 8 ? 200 : 12 };
    struct job job = { .scenario = s, .fs = &fs, .hook = &hook };
    const struct pcdf_setfs seam = { &cutfs_ops, &fs };
    cutfs_init(&fs);
    fs.has_links = s->has_links;
    fs.mutant = s->mutant;
    cutfs_folder(&fs, "/");
    cutfs_folder(&fs, DIR);
    cutfs_folder(&fs, DIR "/out");
    cutfs_folder(&fs, "/far");
    fs.context = &hook;
    fs.changed = judge_states;
    job_now = 1;
    if (pcdf_set_open_in(&seam, DIR, NAME, &job.set)) {
        bad(&hook.trial, "the set cannot be opened", pcdf_fail_text());
    } else {
        for (int g = 1; g <= s->generations && !nbad; g++)
            make_generation(&job, g);
        judge_kept(&job);
        restore_oldest(&job);
        pcdf_set_close(&job.set);
    }
    cutfs_free(&fs);
}

static struct scenario choose(uint64_t seed)
{
    state_of_chance = sim_mix(seed);
    struct scenario s = { .seed = seed,
                          .files = seed % 2 ? 1 + (int)(seed / 2 % MOST_FILES) : 1 + chance(5),
                          .keep = chance(4),
                          .same_names = chance(2),
                          .has_links = chance(4) > 0,
                          .in_turn = chance(2),
                          .has_race = chance(2) };
    s.generations = s.files > 16 ? 3 : 4 + chance(2);
    s.processes = 1 + chance(s.files < MOST_PROCESSES ? s.files : MOST_PROCESSES);
    s.knows_files = s.processes > 1 || chance(2);
    s.in_turn = s.in_turn && s.knows_files;
    s.failing = chance(4) == 0 ? 2 + chance(s.generations - 1) : 0;
    return s;
}

static bool is_found(int mutant)
{
    nbad = 0;
    is_quiet = true;
    for (uint64_t seed = 1; seed <= 200 && !nbad; seed++) {
        struct scenario s = choose(seed);
        s.mutant = mutant;
        s.in_turn = s.in_turn || mutant == SIM_COMMIT_IS_EARLY;
        if (s.files <= 8)
            run(&s);
    }
    return nbad > 0;
}

int main(int argc, char **argv)
{
    long wanted = argc > 1 ? atol(argv[1]) : 100000, scenarios = 0, sizes[MOST_FILES + 1] = { 0 };
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    cutfs_owner = owner_state;
    known = calloc(SLOTS, sizeof *known);
    if (!known)
        return 1;
    if (argc > 1 && strcmp(argv[1], "--mutants") == 0) {
        for (int m = SIM_RIGHT + 1; m < SIM_MUTANTS; m++)
            CHECK(is_found(m), "the broken rule %d is not found", m);
        return check_done("set_cuts --mutants");
    }
    bool takes_all = wanted >= 1000000; /* sizes */
    for (; (ndistinct < wanted || (takes_all && scenarios < 2 * MOST_FILES)) && !nbad; seed++, scenarios++) {
        struct scenario s = choose(seed);
        run(&s);
        sizes[s.files]++;
    }
    CHECK_INT(nbad, 0);
    int nsizes = 0;
    for (int i = 1; i <= MOST_FILES; i++)
        nsizes += sizes[i] > 0;
    printf(
        "%ld scenarios of %d sizes from 1 to %d files, %ld states, %ld distinct, %ld of them in recoveries, "
        "%ld bad\n",
        scenarios, nsizes, MOST_FILES, nenumerated, ndistinct, nnested, nbad);
    free(known);
    return check_done("set_cuts");
}
