/* A crash at each step of jobs that write checkpoint sets, also within recovery and removal, twice nested:
 * there is always exactly one newest complete generation, of one job and step, never none after the first
 * commit; recovery leaves no garbage, and the user's names are those of the newest generation.
 *
 *   set_states [STATES [SEED [MUTANT]]]     a mutant must be found: then the status is 0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "check.h"
#include "crc32c.h"
#include "setmaking.h"
#include "setnames.h"
#include "simfs.h"
#include "status.h"

enum { MOST_FILES = 64, GENERATIONS = 5, TEXT = 34 };

static const char *const mutants[] = { "none",
                                       "contents of notes and manifests are not synced",
                                       "folders of files and of the set are not synced",
                                       "the folder of parts is not synced",
                                       "members' contents are not synced by the caller",
                                       "the folder of parts goes before the user's names are given",
                                       "the manifest is committed before the last part",
                                       "an older generation goes before the commit" };

static struct scene {
    int files, processes, keep, fails_at;
    bool has_links, step_names, is_all, has_race;
    int committed; /* generations that a commit acknowledged: the newest one */
    int begun;     /* the newest that may be there */
    struct pcdf_set set;
    int in_race;
} scene;

static uint64_t seed;
static long states, distinct, wanted, failures;
static uint64_t *seen;
static size_t seen_room = 1 << 22;

static void fail(const char *what, const char *more)
{
    if (failures++ < 5)
        fprintf(stderr,
                "%s %s: files %d, processes %d, keep %d, links %d, names %d, all %d, race %d, committed %d, "
                "begun %d\n",
                what, more, scene.files, scene.processes, scene.keep, scene.has_links, scene.step_names,
                scene.is_all, scene.has_race, scene.committed, scene.begun);
}

static void note(uint64_t hash)
{
    size_t at = hash & (seen_room - 1);
    hash += !hash;
    for (states++; seen[at]; at = (at + 1) & (seen_room - 1))
        if (seen[at] == hash)
            return;
    seen[at] = hash;
    distinct++;
}

/* ---- what is there */

static void file_name(char *path, size_t size, int i, int generation)
{
    static const char *const folders[] = { "/d", "/d/a", "/o" };
    if (scene.step_names)
        snprintf(path, size, "%s/f%02d.%d.nc", folders[i % 3], i, generation);
    else
        snprintf(path, size, "%s/f%02d.nc", folders[i % 3], i);
}

static void contents(char *text, int i, int generation)
{
    snprintf(text, TEXT, "generation %04u of a file %02u.....", (unsigned)generation % 10000,
             (unsigned)i % 100);
}

static bool holds(const struct simfs *fs, const char *path, int i, int generation)
{
    char want[TEXT];
    int node = simfs_node(fs, path);
    contents(want, i, generation);
    return node >= 0 && fs->nodes[node].n == TEXT - 1 && memcmp(fs->nodes[node].bytes, want, TEXT - 1) == 0;
}

/* The reader's rule. 0: none; the generation by what is in the files, which must all be of one. */
static int newest_of(const struct simfs *fs, const struct pcdf_set *set, struct pcdf_setmanifest *m)
{
    struct pcdf_setlist list;
    int found = 0;
    if (pcdf_set_list(set, &list))
        return 0;
    for (size_t i = list.n; i-- > 0 && !found;) {
        if (pcdf_set_read(set, list.numbers[i], false, m))
            continue;
        bool whole = true;
        int step = atoi(m->step);
        for (size_t k = 0; k < m->nfiles && whole; k++) {
            char *path;
            whole = !pcdf_set_where(set, m, k, &path);
            if (!whole)
                break;
            int node = simfs_node(fs, path);
            whole = pcdf_crc32c(0, fs->nodes[node].bytes, fs->nodes[node].n) == m->files[k].crc;
            const char *f = strstr(m->files[k].file, "/f");
            if (whole && !holds(fs, path, atoi(f + 2), step))
                fail("a mixture:", path);
            pcdf_free(path);
        }
        if (whole && (int)m->nfiles != scene.files)
            fail("a generation without all files", "");
        if (whole)
            found = step;
        else
            pcdf_setmanifest_free(m);
    }
    pcdf_setlist_free(&list);
    return found;
}

static int check_newest(const struct simfs *fs, const struct pcdf_set *set, struct pcdf_setmanifest *m,
                        const char *when)
{
    int newest = newest_of(fs, set, m);
    if (newest < scene.committed)
        fail("a committed generation is not the newest,", when);
    if (newest > scene.begun)
        fail("a generation that nobody wrote,", when);
    return newest;
}

/* After a recovery: each name belongs to a committed generation or is a user's name of the newest that has
 * it. */
static void check_tidy(const struct simfs *fs, const struct pcdf_set *set,
                       const struct pcdf_setmanifest *newest, int step)
{
    struct pcdf_setlist list;
    long names = 0, owned = 0;
    if (pcdf_set_list(set, &list))
        return;
    if (list.nmaking || list.nremoved || list.nnews)
        fail("garbage after recovery", "");
    for (int i = 0; i < fs->nfolders; i++)
        if (fs->folders[i].path)
            for (int k = 0; k < fs->folders[i].now.n; k++)
                names += fs->nodes[fs->folders[i].now.x[k].node].folder < 0;
    for (size_t i = 0; i < list.n; i++) {
        struct pcdf_setmanifest m;
        owned++;
        if (pcdf_set_read(set, list.numbers[i], false, &m))
            continue;
        for (size_t k = 0; k < m.nfiles; k++) {
            char *member = pcdf_setname_member(m.files[k].file, m.key);
            owned += simfs_node(fs, member) >= 0;
            pcdf_free(member);
            if (scene.step_names || list.numbers[i] == newest->number)
                owned += simfs_node(fs, m.files[k].file) >= 0;
        }
        pcdf_setmanifest_free(&m);
    }
    bool some_stay = !scene.has_links && scene.step_names && scene.files > 2; /* elsewhere than below DIR */
    if (some_stay ? names < owned : names != owned)
        fail("names that are nobody's", "");
    for (size_t k = 0; step && k < newest->nfiles; k++)
        if (!holds(fs, newest->files[k].file, atoi(strstr(newest->files[k].file, "/f") + 2), step))
            fail("a user's name is not of the newest generation:", newest->files[k].file);
    pcdf_setlist_free(&list);
}

/* ---- a crash, its recovery, crashes in that */

static int depth;

static void crash(struct simfs *fs, void *context);

static void crash_once(const struct simfs *fs)
{
    struct simfs after;
    struct pcdf_setmanifest m = { 0 };
    struct pcdf_set set = scene.set;
    simfs_crash(fs, &after, &seed);
    set.fs = &after.setfs;
    note(simfs_hash(&after) + (uint64_t)scene.files * 0x9e3779b97f4a7c15u * (1 + (uint64_t)scene.begun));
    check_newest(&after, &set, &m, "before recovery");
    pcdf_setmanifest_free(&m);
    after.step = depth < 2 ? crash : NULL;
    depth++;
    int err = pcdf_set_recover(&set, PCDF_RECOVER_FINISH, "");
    depth--;
    after.step = NULL;
    if (err)
        fail("recovery fails:", pcdf_fail_text());
    int step = check_newest(&after, &set, &m, "after recovery");
    check_tidy(&after, &set, &m, step);
    pcdf_setmanifest_free(&m);
    simfs_free(&after);
}

/* depth 0: each step of a job; 1 and 2: some steps of a recovery. */
static void crash(struct simfs *fs, void *context)
{
    static const uint64_t sparse[] = { 1, 12, 40 };
    (void)context;
    if (distinct >= wanted || failures > 50 || (depth > 0 && simfs_random(&seed, sparse[depth])) ||
        simfs_random(&seed, 1 + (uint64_t)scene.files /
                                    3)) /* large sets have many steps, each of which costs more */
        return;
    for (int i = depth == 0 ? 3 : 1; i-- > 0;)
        crash_once(fs);
}

/* ---- a job */

struct process {
    struct pcdf_setmaking *making;
    int first, end;
};

static void write_files(struct simfs *fs, struct process *p, int generation, bool fails)
{
    for (int i = p->first; i < p->end; i++) {
        char path[80], text[TEXT];
        const char *member;
        struct pcdf_setmember m = { .size = TEXT - 1, .records = generation, .format = "CDF-5" };
        file_name(path, sizeof path, i, generation);
        contents(text, i, generation);
        m.crc = pcdf_crc32c(0, text, TEXT - 1);
        CHECK_INT(pcdf_setmaking_member(p->making, path, &member), NC_NOERR);
        CHECK_INT(simfs_put(fs, member, text, TEXT - 1), NC_NOERR);
        if (fs->mutant != 4)
            simfs_sync(fs, member);
        char *folder = pcdf_setname_folder(path);
        CHECK_INT(fs->setfs.ops->sync_folder(fs, folder), NC_NOERR);
        pcdf_free(folder);
        if (fails && i == p->end - 1)
            CHECK_INT(pcdf_setmaking_failed(p->making, member), NC_NOERR);
        else
            CHECK_INT(pcdf_setmaking_whole(p->making, member, &m), NC_NOERR);
    }
}

static struct process *rival;
static uint64_t race_at;

/* Another process tries to commit while one of them stands still. */
static void race(struct simfs *fs)
{
    int64_t number = 0;
    (void)fs;
    if (!rival || scene.in_race || race_at-- > 0)
        return;
    scene.in_race = 1;
    if (pcdf_setmaking_commit(rival->making, scene.is_all, &number) == NC_NOERR && number)
        scene.committed = scene.begun;
    scene.in_race = 0;
    rival = NULL;
}

static void step_of_job(struct simfs *fs, void *context)
{
    crash(fs, context);
    race(fs);
}

static void generation(struct simfs *fs, const char *job, int number)
{
    char step[16];
    struct process p[3];
    snprintf(step, sizeof step, "%d", number);
    struct pcdf_setwish wish = { job, step, 0, scene.is_all ? 0 : scene.files, scene.keep };
    bool fails = number == scene.fails_at;
    for (int i = 0; i < scene.processes; i++) {
        p[i].first = scene.files * i / scene.processes;
        p[i].end = scene.files * (i + 1) / scene.processes;
        CHECK_INT(pcdf_setmaking_begin(&scene.set, &wish, &p[i].making), NC_NOERR);
    }
    scene.begun = fails ? scene.begun : number;
    for (int i = 0; i < scene.processes; i++) {
        int64_t committed = 0;
        write_files(fs, &p[i], number, fails && i == scene.processes - 1);
        bool is_last = i == scene.processes - 1;
        if (scene.is_all && !is_last)
            continue;
        if (is_last && fs->mutant == 7 && scene.committed) { /* the newest, for one that is not there yet */
            struct pcdf_setlist list;
            CHECK_INT(pcdf_set_list(&scene.set, &list), NC_NOERR);
            char *path = pcdf_setname_numbered("/d", "s", PCDF_SET_MANIFEST, list.numbers[list.n - 1]);
            fs->setfs.ops->unlink(fs, path);
            pcdf_free(path);
            pcdf_setlist_free(&list);
        }
        rival = is_last && scene.has_race && scene.processes > 1 && !fails ? &p[0] : NULL;
        race_at = simfs_random(&seed, 8 + (uint64_t)scene.files * 4);
        int err = pcdf_setmaking_commit(p[i].making, scene.is_all || fs->mutant == 6, &committed);
        rival = NULL;
        if (err)
            fail("commit fails:", pcdf_fail_text());
        if (committed)
            scene.committed = number;
        if (fails && committed)
            fail("a generation with a failed member was committed", "");
    }
    if (!fails && scene.committed != number)
        fail("a generation was not committed", "");
    if (fails)
        CHECK_INT(pcdf_setmaking_discard(p[0].making), NC_NOERR);
    for (int i = 0; i < scene.processes; i++)
        pcdf_setmaking_free(p[i].making);
}

static void play(int mutant)
{
    static const int sizes[] = { 1, 2, 3, 3, 4, 5, 8, 16, 33, 64 };
    struct simfs fs;
    scene = (struct scene){ .files = sizes[simfs_random(&seed, 10)],
                            .keep = (int)simfs_random(&seed, 4),
                            .fails_at = (int)simfs_random(&seed, 3 * GENERATIONS),
                            .has_links = simfs_random(&seed, 4) > 0,
                            .step_names = simfs_random(&seed, 2),
                            .is_all = simfs_random(&seed, 3) == 0,
                            .has_race = simfs_random(&seed, 2) };
    scene.processes = 1 + (int)simfs_random(&seed, scene.files < 3 ? (uint64_t)scene.files : 3);
    simfs_begin(&fs, scene.has_links);
    simfs_root(&fs, "/d");
    simfs_root(&fs, "/d/a");
    simfs_root(&fs, "/o");
    fs.mutant = mutant;
    CHECK_INT(pcdf_set_open_in(&fs.setfs, "/d", "s", &scene.set), NC_NOERR);
    fs.step = step_of_job;
    fs.pause = race;
    int last = 2 + (int)simfs_random(&seed, GENERATIONS - 1);
    for (int i = 1; i <= last && failures <= 50 && distinct < wanted; i++)
        generation(&fs, "job", i);
    pcdf_set_close(&scene.set);
    simfs_free(&fs);
    simfs_forget();
}

int main(int argc, char **argv)
{
    int mutant = argc > 3 ? atoi(argv[3]) : 0;
    wanted = argc > 1 ? atol(argv[1]) : 10000;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    while (seen_room < 2 * (size_t)wanted)
        seen_room *= 2;
    seen = calloc(seen_room, sizeof *seen);
    long scenes = 0;
    for (; distinct < wanted && failures <= 50 && !check_bad && scenes < wanted; scenes++)
        play(mutant);
    printf("%ld distinct states of %ld, in %ld jobs; %ld bad; mutant: %s\n", distinct, states, scenes,
           failures, mutants[mutant]);
    free(seen);
    if (mutant)
        return failures || check_bad ? 0 : 1;
    CHECK_INT(failures, 0);
    return check_done("set_states");
}
