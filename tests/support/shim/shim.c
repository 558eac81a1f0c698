/* A library to preload under a program and its MPI: sees every call that changes a file below one folder,
 * and can record it, kill the job at it, or let it fail. README.md has the variables of the environment. Not
 * with the address sanitizer, which wants to be loaded first. */
#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))
enum { MOST_RANKS = 256 };

struct shared { /* between the ranks: a file that all of them map */
    _Atomic uint64_t count;
    _Atomic int32_t pids[MOST_RANKS]; /* of rank; 0: none */
};

static struct {
    char folder[PATH_MAX];
    int log, rank;
    _Atomic bool active;
    struct shared *shared;
    uint64_t kill_at;
    bool kill_torn;
    enum shim_op fail_op;
    uint64_t fail_at;
    bool fail_on, fail_short, fail_zero;
    int fail_errno;
    _Atomic uint64_t ids, matched, fired;
} shim = { .log = -1 };

/* ---- set up */

static const struct {
    const char *name;
    enum shim_op op;
} op_names[] = {
    { "open", SHIM_OPEN },         { "write", SHIM_WRITE }, { "truncate", SHIM_TRUNCATE },
    { "allocate", SHIM_ALLOCATE }, { "sync", SHIM_SYNC },   { "unlink", SHIM_UNLINK },
    { "rename", SHIM_RENAME },     { "close", SHIM_CLOSE }, { "read", SHIM_READ },
    { "link", SHIM_LINK },         { "mkdir", SHIM_MKDIR }, { "any", SHIM_NONE },
};

static const struct {
    const char *name;
    int value;
} errno_names[] = {
    { "ENOSPC", ENOSPC }, { "EDQUOT", EDQUOT }, { "EIO", EIO },     { "EINTR", EINTR },
    { "EACCES", EACCES }, { "ENOMEM", ENOMEM }, { "EROFS", EROFS }, { "EMFILE", EMFILE },
    { "ESTALE", ESTALE }, { "short", 0 },       { "zero", 0 },
};

static void complain(const char *what, const char *value)
{
    char text[512];
    int n = snprintf(text, sizeof text, "shim: %s: %s\n", what, value);
    (void)!syscall(SYS_write, 2, text, (size_t)n);
    _exit(70);
}

/* op:k[+]:errno */
static void read_fail(const char *text)
{
    char op[32] = "", code[32] = "";
    unsigned long long at = 0;
    bool known_op = false, known_errno = false;
    shim.fail_on = sscanf(text, "%31[a-z]:%llu+:%31[A-Za-z]", op, &at, code) == 3;
    bool is_whole = shim.fail_on || sscanf(text, "%31[a-z]:%llu:%31[A-Za-z]", op, &at, code) == 3;
    for (size_t i = 0; i < sizeof op_names / sizeof *op_names; i++)
        if (strcmp(op, op_names[i].name) == 0) {
            shim.fail_op = op_names[i].op;
            known_op = true;
        }
    for (size_t i = 0; i < sizeof errno_names / sizeof *errno_names; i++)
        if (strcmp(code, errno_names[i].name) == 0) {
            shim.fail_errno = errno_names[i].value;
            known_errno = true;
        }
    if (!is_whole || !known_op || !known_errno || at == 0)
        complain("PCDF_SHIM_FAIL is not op:k[+]:errno", text);
    shim.fail_short = strcmp(code, "short") == 0;
    shim.fail_zero = strcmp(code, "zero") == 0;
    shim.fail_at = at;
}

static void map_shared(const char *path)
{
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || syscall(SYS_ftruncate, fd, sizeof(struct shared)))
        complain("PCDF_SHIM_SHARED cannot be made", path);
    void *at = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        complain("PCDF_SHIM_SHARED cannot be mapped", path);
    syscall(SYS_close, fd);
    shim.shared = at;
    shim.shared->pids[shim.rank] = getpid();
}

static void open_log(const char *path)
{
    if (shim.log >= 0)
        syscall(SYS_close, shim.log);
    shim.log = -1;
    if (path && *path)
        shim.log = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (path && *path && shim.log < 0)
        complain("the log cannot be opened", path);
}

static const char *env(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

__attribute__((constructor)) static void set_up(void)
{
    const char *rank = env("OMPI_COMM_WORLD_RANK"), *text;
    if (!rank)
        rank = env("PMI_RANK");
    shim.rank = rank ? atoi(rank) % MOST_RANKS : 0;
    text = env("PCDF_SHIM_FOLDER");
    if (!text || !realpath(text, shim.folder)) {
        shim.folder[0] = '\0';
        return;
    }
    bool mine = !env("PCDF_SHIM_ONLY") || atoi(env("PCDF_SHIM_ONLY")) == shim.rank;
    if ((text = env("PCDF_SHIM_FAIL")) && mine)
        read_fail(text);
    if ((text = env("PCDF_SHIM_SHARED")))
        map_shared(text);
    if ((text = env("PCDF_SHIM_KILL"))) {
        shim.kill_at = strtoull(text, NULL, 10);
        shim.kill_torn = strstr(text, "torn") != NULL;
        if (!shim.shared)
            complain("PCDF_SHIM_KILL wants PCDF_SHIM_SHARED", text);
    }
    open_log(env("PCDF_SHIM_LOG"));
    shim.active = !env("PCDF_SHIM_WAIT");
}

/* What was seen, for loops over k: the first k that fired nothing is their end. */
__attribute__((destructor)) static void report(void)
{
    const char *path = env("PCDF_SHIM_REPORT");
    char text[128];
    if (!path || !shim.folder[0])
        return;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    int n = snprintf(text, sizeof text, "rank %d matched %llu fired %llu\n", shim.rank,
                     (unsigned long long)shim.matched, (unsigned long long)shim.fired);
    (void)!syscall(SYS_write, fd, text, (size_t)n);
    syscall(SYS_close, fd);
}

bool shim_is_active(void)
{
    return shim.active;
}

const char *shim_folder(size_t *length)
{
    *length = strlen(shim.folder);
    return *length ? shim.folder : NULL;
}

/* ---- recording */

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

/* One write a record: the ranks append to one log. */
static void append(const struct shim_record *r, const char *name, const struct iovec *v, int nv)
{
    static unsigned char *room;
    static size_t size;
    size_t need = sizeof *r + r->nname + r->nbytes, at = sizeof *r + r->nname;
    pthread_mutex_lock(&log_lock);
    if (need > size) {
        free(room);
        size = need * 2;
        room = malloc(size);
    }
    if (!room)
        complain("no memory", "for the log");
    memcpy(room, r, sizeof *r);
    if (r->nname)
        memcpy(room + sizeof *r, name, r->nname);
    for (int i = 0; i < nv && r->nbytes; at += v[i++].iov_len)
        memcpy(room + at, v[i].iov_base, v[i].iov_len);
    if (syscall(SYS_write, shim.log, room, need) != (long)need)
        complain("cannot write", "the log");
    pthread_mutex_unlock(&log_lock);
}

static uint64_t inode_of(int fd)
{
    struct stat st;
    return fd >= 0 && !fstat(fd, &st) ? (uint64_t)st.st_ino : 0;
}

/* ---- what becomes of one call */

/* Every rank, or the one that reached k would leave the others to go on for a while. */
void shim_die(void)
{
    for (int i = 0; i < MOST_RANKS; i++)
        if (shim.shared->pids[i] > 0 && i != shim.rank)
            kill(shim.shared->pids[i], SIGKILL);
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

static void plan_death(struct shim_call *c)
{
    if (!shim.shared)
        return;
    uint64_t n = ++shim.shared->count;
    if (!shim.kill_at || n < shim.kill_at)
        return;
    c->tears = n == shim.kill_at && shim.kill_torn && c->op == SHIM_WRITE;
    if (!c->tears)
        shim_die();
}

static void plan_failure(struct shim_call *c, bool is_quiet)
{
    bool matches = shim.fail_op == c->op || (shim.fail_op == SHIM_SYNC && c->op == SHIM_SYNC_FOLDER) ||
                   (shim.fail_op == SHIM_NONE && !is_quiet);
    if (!shim.fail_at || !matches)
        return;
    uint64_t n = ++shim.matched;
    c->fails = n == shim.fail_at || (shim.fail_on && n > shim.fail_at);
    c->is_short = c->fails && shim.fail_short;
    c->is_zero = c->fails && shim.fail_zero;
    if (c->fails)
        shim.fired++;
}

int shim_fail(void)
{
    errno = shim.fail_errno ? shim.fail_errno : EIO;
    return -1;
}

struct shim_call shim_before(enum shim_op op, const struct shim_about *about)
{
    struct shim_call c = { .op = op };
    if (!shim.active)
        return c;
    if (!about->is_quiet)
        plan_death(&c);
    plan_failure(&c, about->is_quiet);
    if (shim.log < 0 || about->is_quiet || about->is_unrecorded || c.fails)
        return c;
    c.id = ((uint64_t)shim.rank << 48) | ++shim.ids;
    struct shim_record r = { .magic = SHIM_MAGIC,
                             .op = (uint16_t)op,
                             .rank = (uint16_t)shim.rank,
                             .id = c.id,
                             .inode = about->inode ? about->inode : inode_of(about->fd),
                             .offset = about->offset,
                             .length = about->length,
                             .nname = (uint32_t)about->nname };
    for (int i = 0; i < about->nv; i++)
        r.nbytes += (uint32_t)about->v[i].iov_len;
    append(&r, about->name, about->v, about->nv);
    return c;
}

void shim_after(const struct shim_call *c, int fd, int64_t result)
{
    int kept = errno;
    if (c->id && shim.log >= 0) {
        struct shim_record r = { .magic = SHIM_MAGIC,
                                 .op = SHIM_END,
                                 .rank = (uint16_t)shim.rank,
                                 .id = c->id,
                                 .inode = inode_of(fd),
                                 .result = result < 0 ? -kept : result };
        append(&r, NULL, NULL, 0);
    }
    errno = kept;
}

/* ---- for the program: found with dlsym (shimlog.h) */

PUBLIC shim_begin_fn pcdf_shim_begin;
PUBLIC shim_note_fn pcdf_shim_note;
PUBLIC shim_stop_fn pcdf_shim_stop;
PUBLIC shim_watch_fn pcdf_shim_watch;
PUBLIC shim_order_fn pcdf_shim_order;
PUBLIC shim_matched_fn pcdf_shim_matched;

void pcdf_shim_begin(const char *log)
{
    if (log)
        open_log(log);
    shim.active = true;
}

void pcdf_shim_note(const char *text)
{
    struct shim_record r = {
        .magic = SHIM_MAGIC, .op = SHIM_NOTE, .rank = (uint16_t)shim.rank, .nname = (uint32_t)strlen(text)
    };
    if (shim.log >= 0)
        append(&r, text, NULL, 0);
}

void pcdf_shim_stop(void)
{
    shim.active = false;
    open_log(NULL);
}

void pcdf_shim_watch(const char *folder)
{
    if (!realpath(folder, shim.folder))
        complain("no folder", folder);
    shim.active = true;
}

long pcdf_shim_order(const char *order)
{
    shim.fail_at = 0;
    shim.matched = 0;
    if (order)
        read_fail(order);
    return (long)shim.fired;
}

long pcdf_shim_matched(void)
{
    return (long)shim.matched;
}
