/* Fixes what a disk that is full, or fails once, leaves of a set, at each operation of its second generation:
 * no call says success for a generation that is not committed; exactly one newest generation is found,
 * verified, by the library and by `parcdf restart`, all of one step, with the right values; the names are
 * those of the first generation until the second one is committed; the next job commits and leaves nothing
 * behind. A job of two ranks, three files, one on all ranks and one on each half.
 *
 *   set_full fail PARCDF FOLDER [STRIDE [HINTS]]   the 1st, 2nd ... system call of each kind fails once, on
 * each rank in turn (the preloaded shim of tests/support/shim); STRIDE: only each such point
 *   set_full disk PARCDF FOLDER                    FOLDER is a small file system of its own: 0, 1, 2 ...
 * blocks are left for the second generation, then 0, 1, 2 ... inodes */

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include "owner.h"
#include "residency.h"
#include "setcase.h"
#include "shimcontrol.h"

enum { SECONDS = 60, POINTS = 3000 };
static char top[512];
static const char *more_hints = "";
static MPI_Comm half;
static long cases, fired, refused, kept, committed_anyway;

static void hangs(int number)
{
    (void)number;
    static const char text[] = " hangs\n";
    (void)!write(2, orders, strlen(orders));
    (void)!write(2, text, sizeof text - 1);
    _exit(9);
}

/* ---- who the job is: a process that ends before the next job comes */

static pid_t pretended; /* 0: this process */
void __real_pcdf_owner_self(struct pcdf_owner *owner);
void __wrap_pcdf_owner_self(struct pcdf_owner *owner);

void __wrap_pcdf_owner_self(struct pcdf_owner *owner)
{
    char path[64], text[1024] = "";
    __real_pcdf_owner_self(owner);
    if (!pretended)
        return;
    owner->process = pretended;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pretended);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    char *at = n ? strrchr(text, ')') : NULL; /* field 22, counted from 2 */
    for (int i = 2; at && i < 22; i++)
        at = strchr(at + 1, ' ');
    owner->started = at ? atoll(at) : 0;
}

static void begin_job(void)
{
    pretended = fork();
    if (pretended == 0) {
        for (;;)
            pause();
    }
}

static void end_job(void)
{
    if (pretended > 0) {
        kill(pretended, SIGKILL);
        waitpid(pretended, NULL, 0);
    }
    pretended = 0;
}

/* ---- one generation */

struct way {
    const char *name;
    bool by_hints;
};
static const struct way ways[] = { { "calls", false }, { "hints", true } };

static MPI_Info info_of(const struct way *w, const char *job, int step)
{
    char text[1700];
    MPI_Info info;
    MPI_Info_create(&info);
    if (w->by_hints)
        snprintf(text, sizeof text, "%s keep=1 job=%s files=3 step=%06d", set, job, step);
    else
        snprintf(text, sizeof text, "keep=1 job=%s", job);
    MPI_Info_set(info, "pcdf_set", text);
    snprintf(text, sizeof text, "%s", more_hints);
    for (char *rest = NULL, *p = strtok_r(text, ";", &rest); p; p = strtok_r(NULL, ";", &rest)) {
        char *value = strchr(p, '=');
        if (value)
            *value = '\0';
        MPI_Info_set(info, p, value ? value + 1 : "");
    }
    return info;
}

/* The errors of a file: of a close, all ranks of its communicator hear or none. */
static int write_file(MPI_Comm comm, MPI_Info info, int which, int step, bool *wrote)
{
    static int values[PER_RANK];
    int id, var, rank, size, err, closed, any;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    err = ncmpi_create(comm, paths[which], NC_CLOBBER | NC_64BIT_DATA, info, &id);
    *wrote &= err == NC_NOERR;
    if (err)
        return err;
    err = define_file(id, size, &var);
    for (MPI_Offset r = 0; r < RECORDS && !err; r++) {
        MPI_Offset start[2] = { r, (MPI_Offset)rank * PER_RANK }, count[2] = { 1, PER_RANK };
        for (int i = 0; i < PER_RANK; i++)
            values[i] = value_of(step, which, r, start[1] + i);
        err = ncmpi_put_vara_int_all(id, var, start, count, values);
    }
    *wrote &= err == NC_NOERR;
    closed = ncmpi_close(id);
    int in = closed != NC_NOERR;
    MPI_Allreduce(&in, &any, 1, MPI_INT, MPI_MAX, comm);
    CHECK(any == in, "%s: close of %s gives %d here, something else on another rank", orders, names[which],
          closed);
    return err ? err : closed;
}

struct outcome {
    int begin, files, commit; /* errors of this rank */
    char why[400];            /* what commit said */
    bool wrote;               /* all but close and commit did, on all ranks */
    bool ok;                  /* every call of every rank said success */
};

static struct outcome write_generation(const struct way *w, const char *job, int step)
{
    struct outcome o = { .wrote = true };
    char text[32];
    MPI_Info info = info_of(w, job, step);
    snprintf(text, sizeof text, "%06d", step);
    if (!w->by_hints)
        o.begin = parcdf_set_begin(MPI_COMM_WORLD, set, text, info);
    CHECK(is_same(o.begin), "%s: begin gives %d here, something else on the other rank", orders, o.begin);
    for (int i = 0; i < FILES && !o.begin; i++)
        if (i == 0 || my_size == 1 || my_rank % 2 == i - 1) {
            int err = write_file(i == 0 ? MPI_COMM_WORLD : half, info, i, step, &o.wrote);
            o.files = o.files ? o.files : err;
        }
    if (!w->by_hints && !o.begin)
        o.commit = parcdf_set_commit(MPI_COMM_WORLD);
    snprintf(o.why, sizeof o.why, "%s", parcdf_last_error());
    CHECK(is_same(o.commit), "%s: commit gives %d here, something else on the other rank", orders, o.commit);
    MPI_Info_free(&info);
    MPI_Barrier(MPI_COMM_WORLD); /* of the hints' way, some rank may still be committing */
    o.wrote = together_all(o.wrote && !o.begin && (w->by_hints || !o.files));
    o.ok = together_all(!o.begin && !o.files && !o.commit);
    return o;
}

/* One manifest; of each file the member and the name, each with its checksums. */
static void check_left(const char *when)
{
    char text[4096] = "";
    int n = 0;
    DIR *folder = opendir(dir);
    for (struct dirent *e; folder && (e = readdir(folder));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        n++;
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " %s", e->d_name);
    }
    if (folder)
        closedir(folder);
    CHECK(n == 1 + 4 * FILES, "%s: %s leaves %d names:%s", orders, when, n, text);
}

static void judge(const struct outcome *o)
{
    int step = find_newest("after the failure");
    CHECK(step == 2 || !o->ok, "%s: all calls succeed, but the newest step is %d", orders, step);
    CHECK(step == 1 || step == 2, "%s: the newest step is %d", orders, step);
    /* what failed is never found; where the commit alone fails, in the last sync, it may be */
    CHECK(step == 1 || o->wrote, "%s: begin %d, files %d, commit %d (%s), but the newest step is %d", orders,
          o->begin, o->files, o->commit, o->why, step);
    if (my_rank == 0) {
        compare_program("after the failure", step);
        if (step == 1)
            check_names("after the failure", 1);
        refused += !o->ok && step == 1;
        kept += o->ok;
        committed_anyway += !o->ok && step == 2;
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void begin_case(const char *text)
{
    snprintf(orders, sizeof orders, "%s", text);
    alarm(SECONDS);
    cases++;
    snprintf(dir, sizeof dir, "%s/%ld", top, cases);
    name_files();
    if (my_rank == 0 && mkdir(dir, 0777))
        perror(dir);
    MPI_Barrier(MPI_COMM_WORLD);
    begin_job();
}

static void write_well(const struct way *w, const char *job, int step)
{
    struct outcome o = write_generation(w, job, step);
    CHECK(o.ok, "%s: %s, step %d: begin %d, files %d, commit %d: %s", orders, job, step, o.begin, o.files,
          o.commit, o.why);
    if (step > 1)
        CHECK_INT(find_newest(job), step);
}

/* On a disk that is well, the job goes on, or not; a job that comes later tidies up. goes_on: nothing of what
 * failed stays, also while the job runs, if it could be removed. */
static void end_case(const struct way *w, bool goes_on, bool is_tidy)
{
    char command[800];
    if (goes_on) {
        write_well(w, "the job", 3);
        if (is_tidy && my_rank == 0)
            check_left("the job");
        MPI_Barrier(MPI_COMM_WORLD);
    }
    end_job();
    MPI_Barrier(MPI_COMM_WORLD);
    write_well(w, "the next job", 4);
    if (my_rank == 0) {
        check_names("the next job", 4);
        check_left("the next job");
        snprintf(command, sizeof command, "rm -rf '%s'", dir);
        CHECK(system(command) == 0, "%s", command);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    alarm(0);
}

/* ---- calls that fail once */

static const char *const failures[][2] = {
    { "write", "ENOSPC" }, { "truncate", "ENOSPC" }, { "allocate", "ENOSPC" }, { "open", "ENOSPC" },
    { "link", "ENOSPC" },  { "rename", "ENOSPC" },   { "mkdir", "ENOSPC" },    { "unlink", "ENOSPC" },
    { "sync", "ENOSPC" },  { "close", "ENOSPC" },    { "sync", "EIO" },        { "close", "EIO" },
    { "open", "EDQUOT" },  { "mkdir", "EDQUOT" },    { "write", "short" },     { "write", "EIO" },
};

/* True: it came to the failure. */
static bool fail_at(const struct way *w, const char *op, const char *code, int k, int victim)
{
    char order[100], text[300];
    snprintf(order, sizeof order, "%s:%d:%s", op, k, code);
    snprintf(text, sizeof text, "%s, %s%s on rank %d of %d", w->name, more_hints, order, victim, my_size);
    begin_case(text);
    int had = residency_descriptors();
    write_well(w, "the job", 1);
    long before = shim_order(my_rank == victim ? order : NULL);
    struct outcome o = write_generation(w, "the job", 2);
    int came = shim_order(NULL) > before, any;
    MPI_Allreduce(&came, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    fired += any;
    CHECK(any || o.ok, "%s: nothing failed, but begin gives %d, files %d, commit %d", orders, o.begin,
          o.files, o.commit);
    judge(&o);
    end_case(w, k % 2, strcmp(op, "write") == 0 && !w->by_hints);
    int has = residency_descriptors();
    CHECK(has <= had, "%s: %d descriptors were open, %d are", orders, had, has);
    return any;
}

static void fail_all(int stride)
{
    int points = 0;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        for (size_t f = 0; f < sizeof failures / sizeof *failures; f++)
            for (int victim = 0; victim < my_size; victim++) {
                int first = stride > 1 ? 1 + points++ * 7 % stride : 1;
                for (int k = first;
                     k <= POINTS && fail_at(&ways[w], failures[f][0], failures[f][1], k, victim);)
                    k += stride;
            }
}

/* ---- a small disk */

static bool fill(const char *path, unsigned long left)
{
    char page[4096] = "";
    struct statvfs fs;
    int fd = open(path, O_WRONLY | O_CREAT, 0666);
    bool done = false;
    while (fd >= 0 && !done && !statvfs(top, &fs) && fs.f_bavail > 0) {
        done = fs.f_bavail <= left;
        size_t n = fs.f_bsize < sizeof page ? fs.f_bsize : sizeof page;
        if (!done && write(fd, page, n) != (ssize_t)n)
            break;
        if (!done && fsync(fd)) /* or the count of blocks is an old one */
            break;
    }
    if (fd >= 0)
        close(fd);
    return done || left == 0;
}

static void take_inodes(const char *folder, unsigned long left)
{
    char path[900];
    struct statvfs fs;
    (void)mkdir(folder, 0777);
    for (int i = 0; !statvfs(top, &fs) && fs.f_favail > left; i++) {
        snprintf(path, sizeof path, "%s/%d", folder, i);
        int fd = open(path, O_WRONLY | O_CREAT, 0666);
        if (fd < 0)
            break;
        close(fd);
    }
}

/* True: there was room. */
static bool full_at(const struct way *w, int left, bool is_inodes)
{
    char text[300], ballast[600], command[700];
    snprintf(text, sizeof text, "%s, a disk with %d %s left", w->name, left, is_inodes ? "inodes" : "blocks");
    begin_case(text);
    write_well(w, "the job", 1);
    snprintf(ballast, sizeof ballast, "%s/ballast", top);
    if (my_rank == 0 && is_inodes)
        take_inodes(ballast, (unsigned long)left);
    else if (my_rank == 0)
        (void)fill(ballast, (unsigned long)left);
    MPI_Barrier(MPI_COMM_WORLD);
    struct outcome o = write_generation(w, "the job", 2);
    judge(&o);
    fired += !o.ok;
    snprintf(command, sizeof command, "rm -rf '%s'", ballast);
    if (my_rank == 0)
        CHECK(system(command) == 0, "%s", command);
    end_case(w, left % 2, !w->by_hints); /* a file that could not begin may leave the others to wait */
    return o.ok;
}

static void fill_all(void)
{
    struct statvfs fs;
    int step = 1;
    if (!statvfs(top, &fs))
        step = fs.f_bsize < 4096 ? (int)(4096 / fs.f_bsize) : 1;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        for (int is_inodes = 0; is_inodes < 2; is_inodes++)
            for (int left = 0, had_room = 0; left < POINTS && had_room < 2; left += is_inodes ? 1 : step)
                had_room = full_at(&ways[w], left, is_inodes) ? had_room + 1 : 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &my_size);
    signal(SIGALRM, hangs);
    bool is_disk = argc > 1 && strcmp(argv[1], "disk") == 0;
    parcdf = argc > 2 ? argv[2] : "parcdf";
    more_hints = argc > 5 ? argv[5] : "";
    snprintf(top, sizeof top, "%s/set_full.XXXXXX", argc > 3 ? argv[3] : ".");
    if (my_rank == 0 && !mkdtemp(top))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(top, sizeof top, MPI_CHAR, 0, MPI_COMM_WORLD);
    char inside[600];
    snprintf(inside, sizeof inside, "%s/x", top);
    int status = CHECK_SKIP;
    MPI_Comm_split(MPI_COMM_WORLD, my_rank % 2, my_rank, &half);
    if (is_disk) {
        fill_all();
        status = 0;
    } else if (shim_watch(inside)) {
        fail_all(argc > 4 ? atoi(argv[4]) : 1);
        status = 0;
    } else if (my_rank == 0) {
        puts("skipped: the shim is not preloaded");
    }
    MPI_Comm_free(&half);
    if (my_rank == 0) {
        (void)rmdir(top);
        printf("set_full: %ld cases, %ld failures; %ld refused with the older one kept, %ld succeeded, %ld "
               "committed though a call failed\n",
               cases, fired, refused, kept, committed_anyway);
    }
    if (status == 0)
        status = together_all(check_bad == 0) ? 0 : 1;
    if (status != CHECK_SKIP && (my_rank == 0 || check_bad))
        check_done("set_full");
    MPI_Finalize();
    return status;
}
