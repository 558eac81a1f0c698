/* What happens between jobs, users and folders, in a file system in memory (cutfs.h): who is refused, what is
 * committed, and what stays where somebody else's files are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "check.h"
#include "codes.h"
#include "cutfs.h"
#include "setmaking.h"
#include "setnames.h"
#include "setparts.h"
#include "setpublish.h"
#include "status.h"

enum { PROCESSES = 8, ROOM = 256 };

static enum pcdf_owner_state states[PROCESSES]; /* of each process, as others see it */
static int process = 1;                         /* which one acts now */

void __wrap_pcdf_owner_self(struct pcdf_owner *owner);
void __wrap_pcdf_owner_self(struct pcdf_owner *owner)
{
    *owner = (struct pcdf_owner){ .process = process, .started = 1, .host = "sim", .boot = "sim" };
}

static enum pcdf_owner_state owner_state(const struct pcdf_owner *owner)
{
    return owner->process == process ? PCDF_OWNER_SELF : states[owner->process];
}

static struct cutfs fs;
static const struct pcdf_setfs seam = { &cutfs_ops, &fs };
static struct pcdf_set set;

static void begin_world(void)
{
    cutfs_init(&fs);
    cutfs_folder(&fs, "/");
    cutfs_folder(&fs, "/d");
    cutfs_folder(&fs, "/d2");
    cutfs_folder(&fs, "/far");
    process = 1;
    for (int i = 0; i < PROCESSES; i++)
        states[i] = PCDF_OWNER_RUNS;
    CHECK_INT(pcdf_set_open_in(&seam, "/d", "s", &set), NC_NOERR);
}

static void end_world(void)
{
    pcdf_set_close(&set);
    cutfs_free(&fs);
    pcdf_fail_clear();
}

/* Process and job of one number. */
static int begin(int number, const char *step, int64_t files, struct pcdf_setmaking **making)
{
    char job[16];
    process = number;
    fs.now++;
    snprintf(job, sizeof job, "job %d", number);
    return pcdf_setmaking_begin(
        &set, &(struct pcdf_setmaking_config){ .job = job, .step = step, .ordinal = 1, .files = files },
        making);
}

static int add(struct pcdf_setmaking *making, const char *path, const char *text)
{
    const char *member;
    PCDF_TRY(pcdf_setmaking_member(making, path, &member));
    cutfs_put(&fs, member, text, strlen(text));
    return pcdf_setmaking_whole(making, member,
                                &(struct pcdf_setmember){ .size = (int64_t)strlen(text), .format = "CDF-5" });
}

static int commit(struct pcdf_setmaking *making, int64_t *number)
{
    return pcdf_setmaking_commit(making, false, number);
}

static void expect_newest(const char *when, const char *step)
{
    struct pcdf_setmanifest m;
    int err = pcdf_set_newest(&set, &m);
    CHECK_INT(err, NC_NOERR);
    if (!err)
        CHECK(strcmp(m.step, step) == 0, "%s: the newest is of step %s, not %s", when, m.step, step);
    if (!err)
        pcdf_setmanifest_free(&m);
}

static size_t in_the_making(void)
{
    struct pcdf_setlist list;
    CHECK_INT(pcdf_set_list(&set, &list), NC_NOERR);
    size_t n = list.nmaking;
    pcdf_setlist_free(&list);
    return n;
}

static int exists(const char *path)
{
    return cutfs_find(&fs, path) != NULL;
}

/* A generation of one file that is whole. */
static int64_t commit_one(int job, const char *step, const char *path)
{
    struct pcdf_setmaking *g;
    int64_t number = 0;
    CHECK_INT(begin(job, step, 1, &g), NC_NOERR);
    CHECK_INT(add(g, path, step), NC_NOERR);
    CHECK_INT(commit(g, &number), NC_NOERR);
    pcdf_setmaking_free(g);
    return number;
}

/* ---- an old generation that is committed late */

enum late { BY_RECOVERY, BY_ITSELF, WITHOUT_ROOM };

static void test_late(enum late how)
{
    struct pcdf_setmaking *old;
    int64_t number = 0;
    begin_world();
    commit_one(3, "1", "/d/f");
    CHECK_INT(begin(1, "2", 2, &old), NC_NOERR);
    CHECK_INT(add(old, "/d/f", "old f"), NC_NOERR);
    CHECK_INT(add(old, "/d/g", "old g"), NC_NOERR);
    states[1] = PCDF_OWNER_ELSEWHERE; /* nobody knows whether it goes on */
    commit_one(2, "3", "/d/f");
    int64_t newest = commit_one(2, "4", "/d/f");
    CHECK(newest > 3, "no room is left for a generation that began before: %lld", (long long)newest);
    if (how == WITHOUT_ROOM) { /* as of a version that left none */
        CHECK_INT(cutfs_ops.rename_over(&fs, "/d/s.000003.parcdf-set", "/d/s.000002.parcdf-set"), NC_NOERR);
        states[1] = PCDF_OWNER_RUNS;
    }
    if (how == BY_RECOVERY) {
        states[1] = PCDF_OWNER_ENDED;
        CHECK_INT(pcdf_set_recover(&set, PCDF_RECOVER_FINISH, ""), NC_NOERR);
    } else {
        process = 1;
        CHECK_INT(commit(old, &number), how == WITHOUT_ROOM ? NC_EACCESS : NC_NOERR);
        CHECK(number < newest, "number %lld is above %lld", (long long)number, (long long)newest);
    }
    expect_newest("after a late commit", "4");
    CHECK_INT(in_the_making(), 0);
    const struct sim_inode *f = cutfs_find(&fs, "/d/f");
    CHECK(f && strcmp(f->bytes, "4") == 0, "the user's name is of another generation: %s", f ? f->bytes : "");
    pcdf_setmaking_free(old);
    end_world();
}

/* ---- a generation lives while any of its processes lives */

static void test_life(void)
{
    struct pcdf_setmaking *first, *second, *other;
    const struct pcdf_setmaking_config config = { .job = "both", .step = "1", .files = 2 };
    int64_t number = 0;
    begin_world();
    process = 1;
    CHECK_INT(pcdf_setmaking_begin(&set, &config, &first), NC_NOERR);
    CHECK_INT(add(first, "/d/f", "f"), NC_NOERR);
    process = 2;
    CHECK_INT(pcdf_setmaking_begin(&set, &config, &second), NC_NOERR);
    const char *member;
    CHECK_INT(pcdf_setmaking_member(second, "/d/g", &member), NC_NOERR);
    states[1] = PCDF_OWNER_ENDED;
    process = 3;
    CHECK_INT(pcdf_set_recover(&set, PCDF_RECOVER_FINISH, ""), NC_NOERR);
    CHECK_INT(in_the_making(), 1);
    CHECK_INT(begin(3, "2", 1, &other), NC_EACCESS);
    process = 2;
    cutfs_put(&fs, member, "g", 1);
    CHECK_INT(pcdf_setmaking_whole(second, member, &(struct pcdf_setmember){ .size = 1, .format = "CDF-5" }),
              NC_NOERR);
    CHECK_INT(commit(second, &number), NC_NOERR);
    CHECK_INT(number, 1);
    pcdf_setmaking_free(first);
    pcdf_setmaking_free(second);
    end_world();
}

/* One's own job is left alone while nobody knows that it ended, however long nothing changes. */
static void test_own_job(void)
{
    struct pcdf_setmaking *g;
    begin_world();
    CHECK_INT(begin(1, "1", 2, &g), NC_NOERR);
    CHECK_INT(add(g, "/d/f", "f"), NC_NOERR);
    pcdf_setmaking_free(g);
    states[1] = PCDF_OWNER_ELSEWHERE;
    fs.now += (int64_t)1000000000 * 60 * 60 * 24 * 3;
    process = 2;
    CHECK_INT(pcdf_set_recover(&set, PCDF_RECOVER_BEGIN, "job 1"), NC_NOERR);
    CHECK_INT(in_the_making(), 1);
    CHECK_INT(pcdf_set_recover(&set, PCDF_RECOVER_BEGIN, "job 2"), NC_NOERR);
    CHECK_INT(in_the_making(), 0);
    CHECK(!exists("/d/..f.parcdf-member"), "no member");
    end_world();
}

/* ---- a copy of the folder of the set; manifests and notes of other users */

static void copy_folder(const char *from, const char *to)
{
    int folder = sim_text(from, strlen(from)), n = fs.nseen;
    for (int i = 0; i < n; i++) {
        const struct sim_inode *inode = &fs.inodes[fs.seen[i].inode];
        char path[ROOM];
        const char *name = sim_text_of(fs.seen[i].name);
        if (fs.seen[i].folder != folder)
            continue;
        snprintf(path, sizeof path, "%s/%s", to, name);
        if (!inode->is_folder) {
            cutfs_put(&fs, path, inode->bytes, inode->n);
            continue;
        }
        char inner[ROOM];
        snprintf(inner, sizeof inner, "%s/%s", from, name);
        cutfs_folder(&fs, path);
        copy_folder(inner, path);
    }
}

static char *member_of(const char *path, int64_t number)
{
    static char room[4][ROOM];
    static int at;
    struct pcdf_setmanifest m;
    at = (at + 1) % 4;
    CHECK_INT(pcdf_set_read(&set, number, false, &m), NC_NOERR);
    char *made = pcdf_setname_member(path, m.key);
    snprintf(room[at], ROOM, "%s", made);
    pcdf_free(made);
    pcdf_setmanifest_free(&m);
    return room[at];
}

static void commit_two(const char *step)
{
    struct pcdf_setmaking *g;
    int64_t number;
    CHECK_INT(begin(1, step, 2, &g), NC_NOERR);
    CHECK_INT(add(g, "/d/f", step), NC_NOERR);
    CHECK_INT(add(g, "/far/g", step), NC_NOERR);
    CHECK_INT(commit(g, &number), NC_NOERR);
    pcdf_setmaking_free(g);
}

static void test_copy(void)
{
    struct pcdf_setmaking *g;
    begin_world();
    commit_two("1");
    commit_two("2");
    CHECK_INT(begin(1, "3", 0, &g), NC_NOERR); /* half of a third one is copied, too */
    CHECK_INT(add(g, "/d/f", "3"), NC_NOERR);
    CHECK_INT(add(g, "/far/g", "3"), NC_NOERR);
    char *half = pcdf_setname_member("/far/g", pcdf_setmaking_key(g));
    char *far1 = member_of("/far/g", 1), *far2 = member_of("/far/g", 2);
    copy_folder("/d", "/d2");
    struct pcdf_set first = set;
    CHECK_INT(pcdf_set_open_in(&seam, "/d2", "s", &set), NC_NOERR);
    expect_newest("in the copy", "2");
    states[1] = PCDF_OWNER_ENDED;
    process = 2;
    CHECK_INT(pcdf_set_recover(&set, PCDF_RECOVER_FINISH, ""), NC_NOERR);
    CHECK_INT(in_the_making(), 0);
    CHECK(exists(half), "the copy removed a file of the first folder that is being written");
    CHECK(exists(member_of("/d2/f", 1)), "no file of the copy");
    char gone[ROOM];
    snprintf(gone, sizeof gone, "%s", member_of("/d2/f", 1));
    CHECK_INT(pcdf_set_keep(&set, 1), NC_NOERR);
    CHECK(!exists("/d2/s.000001.parcdf-set") && !exists(gone), "the copy keeps what it need not");
    CHECK(exists(far1) && exists(far2) && exists("/far/g"), "the copy removed a file of the first folder");
    struct pcdf_setmanifest m;
    CHECK_INT(pcdf_set_newest(&set, &m), NC_NOERR);
    cutfs_ops.unlink(&fs, "/far/g");
    CHECK_INT(pcdf_set_restore(&set, &m), NC_EACCESS);
    CHECK(!exists("/far/g"), "the copy gave a name elsewhere");
    pcdf_setmanifest_free(&m);
    pcdf_set_close(&set);
    set = first;
    expect_newest("in the first folder", "2");
    CHECK_INT(pcdf_set_keep(&set, 1), NC_NOERR);
    CHECK(!exists(far1) && exists(far2), "the first folder keeps what it need not");
    pcdf_free(half);
    pcdf_setmaking_free(g);
    end_world();
}

/* user: whose the manifest is; folder: whose DIR is. */
static void test_user(int user, int folder, bool inside, bool outside)
{
    begin_world();
    cutfs_own(&fs, "/d", folder);
    pcdf_set_close(&set);
    CHECK_INT(pcdf_set_open_in(&seam, "/d", "s", &set), NC_NOERR);
    commit_two("1");
    commit_two("2");
    char *near1 = member_of("/d/f", 1), *far1 = member_of("/far/g", 1);
    cutfs_own(&fs, "/d/s.000001.parcdf-set", user);
    CHECK_INT(pcdf_set_keep(&set, 1), NC_NOERR);
    CHECK(exists(near1) == !inside, "user %d in a folder of %d: the member below DIR is there: %d", user,
          folder, exists(near1));
    CHECK(exists(far1) == !outside, "user %d in a folder of %d: the member elsewhere is there: %d", user,
          folder, exists(far1));
    end_world();
}

/* A name elsewhere goes only if the member is there, and the same file. */
static void test_far_name(void)
{
    struct pcdf_setmaking *g;
    int64_t number;
    begin_world();
    CHECK_INT(begin(1, "1", 1, &g), NC_NOERR);
    CHECK_INT(add(g, "/far/g.1", "1"), NC_NOERR);
    CHECK_INT(commit(g, &number), NC_NOERR);
    pcdf_setmaking_free(g);
    cutfs_ops.unlink(&fs, member_of("/far/g.1", 1)); /* the second name is the only one now */
    commit_one(1, "2", "/d/f");
    CHECK_INT(pcdf_set_keep(&set, 1), NC_NOERR);
    CHECK(!exists("/d/s.000001.parcdf-set"), "the manifest stays");
    CHECK(exists("/far/g.1"), "a user's file elsewhere went");
    end_world();
}

/* ---- how many files */

static void test_room(void)
{
    struct pcdf_setmaking *g;
    const char *member;
    int64_t number = 0;
    begin_world();
    CHECK_INT(begin(1, "1", 2, &g), NC_NOERR);
    CHECK_INT(add(g, "/d/a", "a"), NC_NOERR);
    CHECK_INT(commit(g, &number), NC_NOERR);
    CHECK_INT(number, 0);
    CHECK_INT(pcdf_setmaking_member(g, "/d/a", &member), NC_EEXIST);
    CHECK_INT(add(g, "/d/b", "b"), NC_NOERR);
    CHECK_INT(pcdf_setmaking_member(g, "/d/c", &member), NC_EEXIST);
    CHECK(strstr(pcdf_fail_text(), "2 files already"), "%s", pcdf_fail_text());
    CHECK_INT(commit(g, &number), NC_NOERR);
    CHECK_INT(number, 1);
    CHECK_INT(pcdf_setmaking_member(g, "/d/d", &member), NC_EEXIST);
    CHECK(strstr(pcdf_fail_text(), "committed or given up"), "%s", pcdf_fail_text());
    pcdf_setmaking_free(g);
    CHECK_INT(begin(1, "2", 2, &g), NC_NOERR);
    CHECK_INT(add(g, "/d/a", "a"), NC_NOERR);
    states[1] = PCDF_OWNER_ENDED;
    process = 2;
    CHECK_INT(pcdf_set_recover(&set, PCDF_RECOVER_FINISH, ""), NC_NOERR);
    process = 1;
    CHECK_INT(pcdf_setmaking_member(g, "/d/b", &member), NC_EEXIST);
    CHECK_INT(commit(g, &number), NC_ENOENT); /* its close is not to say that all is well */
    pcdf_setmaking_free(g);
    end_world();
}

static void test_texts(void)
{
    struct pcdf_setmaking *g;
    const char *member;
    begin_world();
    CHECK_INT(begin(1, "\xff", 2, &g), NC_EBADNAME);
    CHECK_INT(begin(1, "1", 2, &g), NC_NOERR);
    CHECK_INT(pcdf_setmaking_member(g, "/d/\xc3.nc", &member), NC_EBADNAME);
    CHECK_INT(add(g, "/d/\xc3\xa4.nc", "a"), NC_NOERR);
    pcdf_setmaking_free(g);
    end_world();
}

/* ---- two jobs begin at once: the second one within the first one's begin */

static struct two {
    int at, steps, errors[2];
    struct pcdf_setmaking *g[2];
} two;

static void second_job(struct cutfs *here)
{
    if (here != &fs || two.steps++ != two.at)
        return;
    two.errors[1] = begin(2, "1", 1, &two.g[1]);
    process = 1;
}

static void test_two(void)
{
    int both = 0;
    bool is_over = false;
    for (int at = 0; !is_over; at++) {
        begin_world();
        two = (struct two){ .at = at };
        fs.changed = second_job;
        two.errors[0] = begin(1, "1", 1, &two.g[0]);
        fs.changed = NULL;
        is_over = two.steps <= at;
        if (!is_over) {
            int committed = 0;
            both += !two.errors[0] && !two.errors[1];
            CHECK(!two.errors[0] || !two.errors[1], "both are refused at step %d", at);
            for (int i = 0; i < 2; i++) {
                int64_t number = 0;
                CHECK(!two.errors[i] || two.errors[i] == NC_EACCESS, "another error: %d", two.errors[i]);
                if (two.errors[i])
                    continue;
                process = i + 1;
                CHECK_INT(add(two.g[i], i ? "/d/b" : "/d/a", i ? "b" : "a"), NC_NOERR);
                CHECK_INT(commit(two.g[i], &number), NC_NOERR);
                committed += number > 0;
                struct pcdf_setmanifest m;
                CHECK_INT(pcdf_set_read(&set, number, false, &m), NC_NOERR);
                CHECK_INT(m.nfiles, 1);
                CHECK(strcmp(m.job, i ? "job 2" : "job 1") == 0, "the job is %s", m.job);
                pcdf_setmanifest_free(&m);
            }
            CHECK(committed == !two.errors[0] + !two.errors[1], "%d are committed", committed);
        }
        for (int i = 0; i < 2; i++)
            if (!two.errors[i])
                pcdf_setmaking_free(two.g[i]);
        end_world();
    }
    CHECK(both < 2 * PROCESSES, "both go on at %d steps", both);
}

/* ---- the names of an older generation */

static void test_restore(void)
{
    struct pcdf_setmanifest m;
    begin_world();
    commit_two("1");
    commit_two("2");
    CHECK_INT(pcdf_set_read(&set, 1, false, &m), NC_NOERR);
    CHECK_INT(pcdf_set_restore(&set, &m), NC_NOERR);
    const struct sim_inode *f = cutfs_find(&fs, "/d/f"), *g = cutfs_find(&fs, "/far/g");
    CHECK(f && g && f->bytes[0] == '1' && g->bytes[0] == '1', "the names are not of generation 1");
    CHECK(!exists("/d/.s.000001.parcdf-restored"), "the note stays");
    expect_newest("after a restore", "2");
    pcdf_setmanifest_free(&m);
    end_world();
}

/* ---- memory that lacks */

enum lacks { IN_RECOVERY, IN_DISCARD, IN_KEEP };

/* Of three generations the last one is all there; its job ended before, or after, it got its number. The n-th
 * allocation of what comes then fails; false: it has not so many. */
static bool lose_nothing(enum lacks where, int n)
{
    struct pcdf_setmaking *g;
    char key[PCDF_SET_KEY];
    int64_t number = 0;
    begin_world();
    commit_one(1, "1", "/d/f");
    commit_one(1, "2", "/d/f");
    CHECK_INT(begin(2, "3", 1, &g), NC_NOERR);
    CHECK_INT(add(g, "/d/f", "3"), NC_NOERR);
    snprintf(key, sizeof key, "%s", pcdf_setmaking_key(g));
    pcdf_setmaking_free(g);
    if (where != IN_RECOVERY)
        CHECK_INT(pcdf_setparts_commit(&set, key, false, &number), NC_NOERR);
    states[2] = PCDF_OWNER_ENDED;
    process = 3;

    pcdf_alloc_fail_at(n, 0);
    if (where == IN_DISCARD)
        (void)pcdf_setparts_discard(&set, key);
    else if (where == IN_KEEP)
        (void)pcdf_set_keep(&set, 2);
    else
        (void)pcdf_set_recover(&set, PCDF_RECOVER_FINISH, "");
    bool failed = pcdf_alloc_asked() >= n;
    pcdf_alloc_fail_at(0, 0);
    CHECK_INT(pcdf_set_recover(&set, PCDF_RECOVER_FINISH, ""), NC_NOERR);
    expect_newest("after memory lacked", "3");
    const struct sim_inode *f = cutfs_find(&fs, "/d/f");
    CHECK(f && f->bytes[0] == '3', "%d, allocation %d: the name is of generation %c", where, n,
          f ? f->bytes[0] : '-');
    CHECK_INT(in_the_making(), 0);
    struct pcdf_setlist list;
    CHECK_INT(pcdf_set_list(&set, &list), NC_NOERR);
    CHECK(list.n >= 2, "%d, allocation %d: %zu generations are left", where, n, list.n);
    pcdf_setlist_free(&list);
    end_world();
    return failed;
}

static void test_memory(void)
{
    for (int where = IN_RECOVERY; where <= IN_KEEP; where++) {
        int n = 1;
        while (n < 2000 && lose_nothing((enum lacks)where, n))
            n++;
        CHECK(n > 10 && n < 2000, "%d allocations", n);
    }
}

int main(void)
{
    cutfs_owner = owner_state;
    test_late(BY_RECOVERY);
    test_late(BY_ITSELF);
    test_late(WITHOUT_ROOM);
    test_life();
    test_own_job();
    test_copy();
    test_user(0, 0, true, true);
    test_user(7, 0, false, false);
    test_user(7, 7, true, false);
    test_far_name();
    test_room();
    test_texts();
    test_two();
    test_restore();
    test_memory();
    return check_done("set_rules");
}
