/* Random programs about names, against a model: files are created, opened, held open, synced, changed and
 * closed in the background on several communicators, plain, by atomic create, with checksums, with logs of
 * puts, while they and their folders are renamed, linked, removed and pointed to, and the working folder
 * changes; each rank spells paths in its own way. Whoever reads finds what the model has; nothing is left
 * behind. random_names FOLDER [FIRST [COUNT]]: the programs of these numbers; the same number is the same
 * program. Every step begins with a barrier of MPI, which completes nothing.
 *
 * The rules of doc/asynchronous-output.md are kept: parcdf_wait comes before ranks use a name that an atomic
 * create is about to give, if none of them is of that file, before some ranks use a file that takes others to
 * complete, and before the system changes names that are about to be given. */

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include "together.h"

enum {
    FOLDERS = 2,
    NAMES = 3,
    INODES = 64,
    VARS = 3,
    HELD = 2,
    COMMS = 4,
    STEPS = 24,
    PART = 2048,
    MOST_RANKS = 8
};
enum { NOTHING, FILE_, LINK };
enum { PLAIN, ATOMIC, SUMS, STAGED, KINDS };

static struct {
    int kind, to;
} entry[FOLDERS][NAMES]; /* to: an inode, or for a link a name in the folder */
static struct inode {
    int nvars, stamp[VARS]; /* stamp: what the values are made of */
    bool is_held;
    bool was_linked; /* it may have a name that its handle cannot find, when it loses its own */
    int by_calls;    /* the ranks that must be in a call for its completion, as bits; 0: none */
} inode[INODES];
static struct held {
    int ncid, comm, owner, inode, kind, folder, name; /* ncid -1: none */
    bool has_name;
} held[HELD];
static int ninodes, stamps, here;   /* here: the working folder, -1: the top */
static bool is_other[FOLDERS];      /* the folder has its second name */
static int unnamed[FOLDERS][NAMES]; /* ranks of the last atomic create that the name waits for, as bits */
static MPI_Comm comms[COMMS];
static char top[PATH_MAX];
static uint64_t shared_state, own_state;
static int program, step;
static const char *what = "";
static char details[100]; /* of the last file that was opened for writing */

/* ---- chance */

static int chance(uint64_t *state, int n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (int)((*state >> 11) % (uint64_t)n);
}

static int pick(int n) /* the same on all ranks */
{
    return chance(&shared_state, n);
}

#define EXPECT(cond, ...)                                                                                    \
    do {                                                                                                     \
        char expect_text_[3 * PATH_MAX];                                                                     \
        snprintf(expect_text_, sizeof expect_text_, __VA_ARGS__);                                            \
        CHECK(cond, "program %d, step %d, %s, rank %d of %d: %s", program, step, what, my_rank, my_size,     \
              expect_text_);                                                                                 \
    } while (0)
#define EXPECT_NC(call)                                                                                      \
    do {                                                                                                     \
        int expect_err_ = (call);                                                                            \
        EXPECT(!expect_err_, "%s: %s", #call, parcdf_last_error());                                          \
    } while (0)

/* ---- names */

static const char *folder_name(int f)
{
    static const char *const names[FOLDERS][2] = { { "d", "dd" }, { "e", "ee" } };
    return names[f][is_other[f]];
}

/* As this rank likes to spell it. */
static const char *spell(int f, int n)
{
    static char path[PATH_MAX + 300];
    int way = chance(&own_state, 4);
    if (way == 0)
        snprintf(path, sizeof path, "%s/%s/%c", top, folder_name(f), 'a' + n);
    else if (here == f && way < 3)
        snprintf(path, sizeof path, "%s%c", way == 1 ? "./" : "", 'a' + n);
    else
        snprintf(path, sizeof path, "%s%s/%s%c", here < 0 ? "" : "../", folder_name(f), way == 1 ? ".//" : "",
                 'a' + n);
    return path;
}

/* The name at which links end. False: they do not. */
static bool resolve(int f, int *n)
{
    for (int i = 0; i < 2 * NAMES; i++) {
        if (entry[f][*n].kind != LINK)
            return true;
        *n = entry[f][*n].to;
    }
    return false;
}

/* ---- communicators */

static MPI_Comm comm_of(int c)
{
    return c == COMMS ? MPI_COMM_SELF : comms[c];
}

/* Its ranks, as bits. 0, 1: all; 2: the first half; 3: the rest; COMMS: the owner. */
static int ranks_of(int c, int owner)
{
    int all = (1 << my_size) - 1, half = (1 << (my_size + 1) / 2) - 1;
    return c < 2 ? all : c == 2 ? half : c == 3 ? all & ~half : 1 << owner;
}

static void make_comm(int c)
{
    if (c < 2)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]);
    else
        MPI_Comm_split(MPI_COMM_WORLD, ranks_of(c, 0) >> my_rank & 1 ? 1 : MPI_UNDEFINED, my_rank, &comms[c]);
}

/* One that has ranks. */
static void pick_comm(int *c, int *owner)
{
    *owner = pick(my_size);
    do
        *c = pick(COMMS + 1);
    while (!ranks_of(*c, *owner));
}

static void wait_for_all(void)
{
    EXPECT_NC(parcdf_wait(NULL));
    MPI_Barrier(MPI_COMM_WORLD); /* ranks that are not of a file do not wait for it */
    for (int i = 0; i < ninodes; i++)
        inode[i].by_calls = 0;
    memset(unnamed, 0, sizeof unnamed);
}

/* Before ranks use a file that they cannot know of. If one of them knows, all wait for its name. */
static void keep_the_rule(int f, int n, int ranks)
{
    bool waits = unnamed[f][n] && !(unnamed[f][n] & ranks);
    if (entry[f][n].kind == FILE_)
        waits |= inode[entry[f][n].to].by_calls & ~ranks;
    if (waits)
        wait_for_all();
    unnamed[f][n] = 0;
}

static void settle_names(void)
{
    for (int i = 0; i < FOLDERS * NAMES; i++)
        if (unnamed[i / NAMES][i % NAMES]) {
            wait_for_all();
            return;
        }
}

/* ---- values */

static MPI_Offset length(void)
{
    return (MPI_Offset)my_size * PART;
}

static int value_of(int stamp, MPI_Offset i)
{
    return stamp * 1000003 + (int)i;
}

static int put_var(int ncid, int c, int var, int stamp)
{
    static int values[MOST_RANKS * PART];
    int rank, size;
    MPI_Comm_rank(comm_of(c), &rank);
    MPI_Comm_size(comm_of(c), &size);
    MPI_Offset from = length() * rank / size, n = length() * (rank + 1) / size - from;
    for (MPI_Offset i = 0; i < n; i++)
        values[i] = value_of(stamp, from + i);
    return ncmpi_put_vara_int_all(ncid, var, &from, &n, values);
}

/* Each rank that has it open reads all. */
static void compare(int ncid, const struct inode *f)
{
    static int values[MOST_RANKS * PART];
    int n = -1;
    EXPECT_NC(ncmpi_inq_nvars(ncid, &n));
    EXPECT(n == f->nvars, "%d variables, not %d", n, f->nvars);
    for (int var = 0; var < f->nvars && var < n; var++) {
        MPI_Offset bad = 0, at = -1;
        EXPECT_NC(ncmpi_get_var_int_all(ncid, var, values));
        for (MPI_Offset i = 0; i < length(); i++)
            if (values[i] != value_of(f->stamp[var], i)) {
                at = at < 0 ? i : at;
                bad++;
            }
        EXPECT(!bad, "%lld values of variable %d are wrong; the first one, %lld, is %d, not %d",
               (long long)bad, var, (long long)at, values[at < 0 ? 0 : at], value_of(f->stamp[var], at));
    }
}

/* ---- hints */

static MPI_Info hints_of(int kind, bool later)
{
    char text[PATH_MAX + 300];
    MPI_Info info;
    MPI_Info_create(&info);
    if (kind == STAGED || pick(5))
        MPI_Info_set(info, "pcdf_async", "4M");
    if (later)
        MPI_Info_set(info, "pcdf_async_close", "true");
    if (kind == ATOMIC)
        MPI_Info_set(info, "pcdf_atomic_create", "true");
    if (kind == SUMS)
        MPI_Info_set(info, "pcdf_checksum", "crc32c");
    snprintf(text, sizeof text, "%s/logs", top);
    if (kind == STAGED)
        MPI_Info_set(info, "pcdf_stage_dir", text);
    if (pick(3) && chance(&own_state, 2)) /* so that the thread has something left to write after the close */
        MPI_Info_set(info, "pcdf_throttle", "2000:0");
    return info;
}

static int new_inode(void)
{
    inode[ninodes] = (struct inode){ .nvars = 1 };
    return ninodes++;
}

/* ---- steps */

static void name_is_given(const struct held *h, int f, int n)
{
    entry[f][n].kind = FILE_;
    entry[f][n].to = h->inode;
}

static void end(struct held *h, bool later)
{
    int ranks = ranks_of(h->comm, h->owner);
    bool calls = later && (h->kind == SUMS || h->kind == STAGED);
    if (!h->has_name) /* who closes last is to be the last */
        keep_the_rule(h->folder, h->name, ranks);
    if (ranks >> my_rank & 1)
        EXPECT_NC(ncmpi_close(h->ncid));
    if (!h->has_name) {
        name_is_given(h, h->folder, h->name);
        unnamed[h->folder][h->name] = later ? ranks : 0;
    }
    inode[h->inode].is_held = false;
    inode[h->inode].by_calls = calls ? ranks : 0;
    h->ncid = -1;
}

/* All files are made so that their close may wait: whether a handle has such hints is its own matter. */
static struct held make(int f, int n, int kind, bool later)
{
    struct held h = { .ncid = -1, .kind = kind, .folder = f, .name = n, .has_name = kind != ATOMIC };
    int dim, var, stamp = ++stamps;
    MPI_Info info = hints_of(kind, later);
    pick_comm(&h.comm, &h.owner);
    int last = n, ranks = ranks_of(h.comm, h.owner);
    snprintf(details, sizeof details, "kind %d, communicator %d of %x, later %d", kind, h.comm, ranks, later);
    (void)resolve(f, &last);
    keep_the_rule(f, last, ranks);
    if (ranks >> my_rank & 1) {
        EXPECT_NC(ncmpi_create(comm_of(h.comm), spell(f, n), NC_CLOBBER | NC_64BIT_DATA, info, &h.ncid));
        EXPECT_NC(ncmpi_def_dim(h.ncid, "x", length(), &dim));
        EXPECT_NC(ncmpi_def_var(h.ncid, "v0", NC_INT, 1, &dim, &var));
        EXPECT_NC(ncmpi_enddef(h.ncid));
        EXPECT_NC(put_var(h.ncid, h.comm, 0, stamp));
    } else {
        h.ncid = 0;
    }
    MPI_Info_free(&info);
    h.has_name |=
        last != n && entry[f][last].kind == NOTHING; /* no atomic create through a link to nothing */
    bool is_emptied = kind != ATOMIC && last != n && entry[f][last].kind == FILE_; /* the link stays */
    h.inode = is_emptied ? entry[f][last].to : new_inode();
    h.name = last;
    inode[h.inode] = (struct inode){
        .nvars = 1, .stamp = { stamp }, .is_held = true, .was_linked = is_emptied && inode[h.inode].was_linked
    };
    if (h.has_name)
        name_is_given(&h, f, last);
    return h;
}

static struct held *room(void)
{
    for (int i = 0; i < HELD; i++)
        if (held[i].ncid < 0)
            return &held[i];
    return NULL;
}

static bool is_usable(int f, int n)
{
    return resolve(f, &n) && (entry[f][n].kind != FILE_ || !inode[entry[f][n].to].is_held);
}

static void create(int f, int n)
{
    int kind = pick(KINDS);
    bool later = pick(4) > 0, holds = pick(3) == 0;
    struct held *h = room(), made;
    what = "create";
    if (!is_usable(f, n) || ninodes == INODES || (holds && !h))
        return;
    made = make(f, n, kind, later);
    if (holds && made.has_name && ranks_of(made.comm, made.owner) >> my_rank & 1)
        EXPECT_NC(ncmpi_flush(made.ncid)); /* others may read it */
    if (holds)
        *h = made;
    else
        end(&made, later);
}

static void change(struct held *h, bool defines)
{
    static char text[6000];
    struct inode *f = &inode[h->inode];
    bool is_in = ranks_of(h->comm, h->owner) >> my_rank & 1;
    int dim, var = f->nvars;
    what = defines ? "change of definitions" : "put and sync";
    defines &= !f->was_linked; /* a journal would have no place */
    if (defines && f->nvars == VARS)
        return;
    memset(text, 'x', sizeof text);
    if (defines && is_in) {
        char name[3] = { 'v', (char)('0' + var), 0 };
        EXPECT_NC(ncmpi_redef(h->ncid));
        EXPECT_NC(ncmpi_inq_dimid(h->ncid, "x", &dim));
        EXPECT_NC(ncmpi_def_var(h->ncid, name, NC_INT, 1, &dim, &var));
        EXPECT_NC(ncmpi_put_att_text(h->ncid, var, "long", sizeof text, text));
        EXPECT_NC(ncmpi_enddef(h->ncid));
    }
    var = defines ? f->nvars++ : pick(f->nvars);
    f->stamp[var] = ++stamps;
    if (is_in) {
        EXPECT_NC(put_var(h->ncid, h->comm, var, f->stamp[var]));
        EXPECT_NC(ncmpi_sync(h->ncid));
        EXPECT_NC(ncmpi_flush(h->ncid));
    }
    if (!h->has_name) /* the sync gave it */
        name_is_given(h, h->folder, h->name);
    h->has_name = true;
}

static void use_held(void)
{
    struct held *h = &held[pick(HELD)];
    int way = pick(4);
    if (h->ncid < 0)
        return;
    if (!h->has_name)
        keep_the_rule(h->folder, h->name, ranks_of(h->comm, h->owner));
    if (way < 3)
        change(h, way == 0);
    what = "close of a held file";
    if (way == 3)
        end(h, true);
}

static void write_again(int f, int n)
{
    struct held h = { .folder = f, .name = n, .has_name = true };
    bool later = pick(3) > 0, stays = pick(3) == 0;
    struct held *place = room();
    what = "open for writing";
    int last = n;
    if (!is_usable(f, n) || (stays && !place))
        return;
    (void)resolve(f, &last);
    if (entry[f][last].kind != FILE_)
        return;
    h.kind = pick(2) ? PLAIN : pick(2) ? SUMS : STAGED;
    pick_comm(&h.comm, &h.owner);
    int ranks = ranks_of(h.comm, h.owner);
    snprintf(details, sizeof details, "kind %d, communicator %d of %x, later %d", h.kind, h.comm, ranks,
             later);
    keep_the_rule(f, last, ranks);
    MPI_Info info = hints_of(h.kind, later);
    h.inode = entry[f][last].to;
    int err = NC_NOERR;
    if (ranks >> my_rank & 1)
        EXPECT_NC(err = ncmpi_open(comm_of(h.comm), spell(f, n), NC_WRITE, info, &h.ncid));
    MPI_Info_free(&info);
    MPI_Allreduce(MPI_IN_PLACE, &err, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (err)
        return;
    inode[h.inode].is_held = true;
    inode[h.inode].by_calls = 0;
    if (ranks >> my_rank & 1)
        compare(h.ncid, &inode[h.inode]);
    change(&h, pick(3) == 0);
    if (stays)
        *place = h;
    else
        end(&h, later);
}

static void read_again(int f, int n)
{
    int c, owner, ncid, last = n;
    what = "open for reading";
    if (!resolve(f, &last))
        return;
    pick_comm(&c, &owner);
    keep_the_rule(f, last, ranks_of(c, owner));
    if (!(ranks_of(c, owner) >> my_rank & 1))
        return;
    int err = ncmpi_open(comm_of(c), spell(f, n), NC_NOWRITE, MPI_INFO_NULL, &ncid);
    if (entry[f][last].kind == FILE_)
        EXPECT(!err, "%s/%c: %s", folder_name(f), 'a' + n, parcdf_last_error());
    else
        EXPECT(err == NC_ENOENT, "%s, not NC_ENOENT: %s", ncmpi_strerrno(err),
               err ? parcdf_last_error() : "");
    if (err)
        return;
    if (entry[f][last].kind == FILE_)
        compare(ncid, &inode[entry[f][last].to]);
    EXPECT_NC(ncmpi_close(ncid));
}

/* By one rank, with system calls; the model follows on all. Only what can succeed. */
static void change_names(int f, int n)
{
    int g = pick(FOLDERS), m = pick(NAMES), way = pick(6), by = pick(my_size);
    bool mine = my_rank == by, is_same = f == g && n == m;
    char from[PATH_MAX + 300], to[PATH_MAX + 300], name[2] = { (char)('a' + m), 0 };
    snprintf(from, sizeof from, "%s/%s/%c", top, folder_name(f), 'a' + n);
    snprintf(to, sizeof to, "%s/%s/%c", top, folder_name(g), 'a' + m);
    settle_names();
    if (way < 3 && entry[f][n].kind && !is_same) {
        what = "rename";
        EXPECT(!mine || !rename(from, to), "%s to %s", from, to);
        if (entry[f][n].kind != FILE_ || entry[g][m].kind != FILE_ || entry[f][n].to != entry[g][m].to) {
            entry[g][m] = entry[f][n];
            entry[f][n].kind = NOTHING;
        }
    } else if (way == 3 && entry[f][n].kind == FILE_ && !entry[g][m].kind) {
        what = "link";
        EXPECT(!mine || !link(from, to), "%s to %s", from, to);
        entry[g][m] = entry[f][n];
        inode[entry[f][n].to].was_linked = true;
    } else if (way == 4 && entry[f][n].kind) {
        what = "unlink";
        EXPECT(!mine || !unlink(from), "%s", from);
        entry[f][n].kind = NOTHING;
    } else if (way == 5 && !entry[f][n].kind && n != m) {
        what = "symlink";
        EXPECT(!mine || !symlink(name, from), "%s to %s", from, name);
        entry[f][n].kind = LINK;
        entry[f][n].to = m;
    }
}

static void delete (int f, int n)
{
    int by = pick(my_size);
    what = "delete";
    if (!entry[f][n].kind)
        return;
    if (entry[f][n].kind == LINK || !(unnamed[f][n] >> by & 1)) /* else this rank knows of the file */
        settle_names();
    unnamed[f][n] = 0;
    if (my_rank == by)
        EXPECT_NC(ncmpi_delete(spell(f, n), MPI_INFO_NULL));
    entry[f][n].kind = NOTHING;
}

static void rename_folder(int f)
{
    char from[PATH_MAX + 300], to[PATH_MAX + 300];
    what = "rename of a folder";
    settle_names();
    snprintf(from, sizeof from, "%s/%s", top, folder_name(f));
    is_other[f] = !is_other[f];
    snprintf(to, sizeof to, "%s/%s", top, folder_name(f));
    EXPECT(my_rank || !rename(from, to), "%s to %s", from, to);
}

static void go_elsewhere(void)
{
    char path[PATH_MAX + 300];
    what = "chdir";
    here = pick(FOLDERS + 1) - 1;
    snprintf(path, sizeof path, "%s/%s", top, here < 0 ? "." : folder_name(here));
    EXPECT(!chdir(path), "%s", path);
}

static void free_communicator(void)
{
    int c = pick(COMMS);
    what = "MPI_Comm_free";
    if (comms[c] != MPI_COMM_NULL)
        MPI_Comm_free(&comms[c]);
    make_comm(c);
}

/* A file that is open will get this name. */
static bool is_awaited(int f, int n)
{
    bool is = false;
    for (int i = 0; i < HELD; i++)
        is |= held[i].ncid >= 0 && !held[i].has_name && held[i].folder == f && held[i].name == n;
    return is;
}

static void wait_for_one(int f, int n)
{
    char path[PATH_MAX + 300]; /* all ranks the same one */
    what = "parcdf_wait";
    snprintf(path, sizeof path, "%s/%s/%c", top, folder_name(f), 'a' + n);
    bool is_open = is_awaited(f, n);
    bool is_file = resolve(f, &n) && entry[f][n].kind == FILE_;
    const struct inode *file = is_file ? &inode[entry[f][n].to] : NULL;
    is_open |= file && file->is_held;
    if (pick(2) && file && !file->by_calls && !is_open) /* open files: by the path that they were given */
        EXPECT_NC(parcdf_wait(path));
    else
        wait_for_all();
}

/* ---- programs */

/* What the model has, before a step: for who looks for a fault (environment PARCDF_TEST_TELL). */
static void tell(int f, int n, int way)
{
    if (my_rank || !getenv("PARCDF_TEST_TELL"))
        return;
    fprintf(stderr, "%d.%d after %s (%s): at %d, %s/%c, way %d:", program, step, what, details, here,
            folder_name(f), 'a' + n, way);
    details[0] = '\0';
    for (int i = 0; i < FOLDERS * NAMES; i++) {
        int kind = entry[i / NAMES][i % NAMES].kind, to = entry[i / NAMES][i % NAMES].to;
        if (kind)
            fprintf(stderr, " %s/%c=%s%d%s", folder_name(i / NAMES), 'a' + i % NAMES,
                    kind == LINK ? "->" : "", to,
                    kind == LINK         ? ""
                    : inode[to].is_held  ? " held"
                    : inode[to].by_calls ? " closing"
                                         : "");
    }
    fputc('\n', stderr);
}

static void run_step(void)
{
    int f = pick(FOLDERS), n = pick(NAMES), way = pick(100);
    MPI_Barrier(MPI_COMM_WORLD);
    tell(f, n, way);
    if (way < 25)
        create(f, n);
    else if (way < 40)
        write_again(f, n);
    else if (way < 57)
        read_again(f, n);
    else if (way < 72)
        change_names(f, n);
    else if (way < 76)
        delete (f, n);
    else if (way < 85)
        use_held();
    else if (way < 88)
        rename_folder(f);
    else if (way < 94)
        go_elsewhere();
    else if (way < 97)
        free_communicator();
    else
        wait_for_one(f, n);
}

static void expect_nothing_left(const char *folder)
{
    static const char *const ends[] = { ".parcdf-new", ".parcdf-journal" };
    char path[PATH_MAX + 300];
    const struct dirent *e;
    snprintf(path, sizeof path, "%s/%s", top, folder);
    DIR *dir = my_rank == 0 ? opendir(path) : NULL;
    while (dir && (e = readdir(dir))) {
        bool is_log = strstr(e->d_name, "parcdf-stage") != NULL;
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            is_log |= strstr(e->d_name, ends[i]) != NULL;
        EXPECT(!is_log, "%s/%s is left", path, e->d_name);
    }
    if (dir)
        closedir(dir);
}

static void begin_program(int number)
{
    char order[4 * PATH_MAX + 300];
    program = number;
    shared_state = 0x9e3779b97f4a7c15u * (uint64_t)(number + 1) + (uint64_t)my_size;
    own_state = shared_state + 77 * (uint64_t)(my_rank + 1);
    memset(entry, 0, sizeof entry);
    memset(unnamed, 0, sizeof unnamed);
    memset(is_other, 0, sizeof is_other);
    ninodes = stamps = 0;
    here = -1;
    for (int i = 0; i < HELD; i++)
        held[i].ncid = -1;
    CHECK(!chdir("/"), "/");
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(order, sizeof order, "rm -rf '%s' && mkdir -p '%s/d' '%s/e' '%s/logs'", top, top, top, top);
    if (my_rank == 0)
        CHECK(system(order) == 0, "%s", order);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!chdir(top), "%s", top);
    for (int c = 0; c < COMMS; c++)
        make_comm(c);
}

static void run_program(int number)
{
    begin_program(number);
    for (step = 0; step < STEPS; step++)
        run_step();
    what = "the end";
    for (int i = 0; i < HELD; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (held[i].ncid >= 0)
            end(&held[i], true);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    wait_for_all();
    MPI_Barrier(MPI_COMM_WORLD);
    for (int f = 0; f < FOLDERS; f++)
        for (int n = 0; n < NAMES; n++)
            read_again(f, n);
    what = "the end";
    for (int f = 0; f < FOLDERS; f++)
        expect_nothing_left(folder_name(f));
    expect_nothing_left("logs");
    for (int c = 0; c < COMMS; c++)
        if (comms[c] != MPI_COMM_NULL)
            MPI_Comm_free(&comms[c]);
}

int main(int argc, char **argv)
{
    enum { SECONDS = 60 }; /* a program takes less than one */
    together_begin(&argc, &argv, "random_names", SECONDS);
    int first = argc > 2 ? atoi(argv[2]) : 0, count = argc > 3 ? atoi(argv[3]) : 12;
    char at[512];
    const char *base = argc > 1 ? argv[1] : ".";
    CHECK(realpath(base, top) != NULL, "%s", base);
    snprintf(at, sizeof at, "/random_names.%d", (int)getpid());
    MPI_Bcast(at, sizeof at, MPI_CHAR, 0, MPI_COMM_WORLD);
    strncat(top, at, sizeof top - strlen(top) - 1);
    for (int i = 0; i < count; i++) {
        alarm(SECONDS);
        run_program(first + i);
    }
    CHECK(!chdir("/"), "/");
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(my_path, sizeof my_path, "rm -rf '%.900s'", top);
    if (my_rank == 0)
        CHECK(system(my_path) == 0, "%s", my_path);
    my_path[0] = '\0';
    return together_end("random_names");
}
