/* Logs of puts as files, and what a replay makes of them after a crash: all that the last sync of all ranks
 * acknowledged, in the order of the writes, and nothing else; for every end that a torn log may have; again,
 * when the replay itself was interrupted. What cannot be done is refused, with the file as it was. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "check.h"
#include "decode.h"
#include "encode.h"
#include "filelock.h"
#include "stagefile.h"
#include "stagelog.h"
#include "stagereplay.h"
#include "status.h"

enum { RANKS = 3, FIXED = 64, RECORD = 8, ROOM = 4096 };

static char folder[] = "stage_replay.XXXXXX";
static char file[64];
static const char *dirs[2];
static char dir_names[2][64];
static struct pcdf_layout layout;
static char report[8192];

/* ---- the file: byte f(64), byte r(t, 8) */

static int64_t header_size(void)
{
    return layout.header_size;
}

static void make_file(int64_t numrecs)
{
    struct pcdf_meta meta;
    static const int fixed[] = { 1 }, record[] = { 0, 2 };
    static unsigned char bytes[ROOM];
    pcdf_layout_free(&layout);
    pcdf_meta_init(&meta, PCDF_CDF2);
    CHECK_INT(pcdf_meta_add_dim(&meta, "t", 0, NULL), NC_NOERR);
    CHECK_INT(pcdf_meta_add_dim(&meta, "x", FIXED, NULL), NC_NOERR);
    CHECK_INT(pcdf_meta_add_dim(&meta, "y", RECORD, NULL), NC_NOERR);
    CHECK_INT(pcdf_meta_add_var(&meta, "f", NC_BYTE, 1, fixed, NULL), NC_NOERR);
    CHECK_INT(pcdf_meta_add_var(&meta, "r", NC_BYTE, 2, record, NULL), NC_NOERR);
    CHECK_INT(pcdf_layout_build(&layout, &meta, NULL, &(struct pcdf_alignment){ 0 }), NC_NOERR);
    meta.numrecs = numrecs;
    memset(bytes, 0, sizeof bytes);
    pcdf_encode(&meta, &layout, bytes);
    int64_t end = pcdf_layout_file_end(&layout, &meta);
    unlink(file);
    int fd = open(file, O_RDWR | O_CREAT | O_EXCL, 0666);
    CHECK(fd >= 0 && end < ROOM && write(fd, bytes, (size_t)end) == end, "the file cannot be made");
    close(fd);
    pcdf_meta_free(&meta);
}

static int64_t size_of(const char *path)
{
    struct stat st;
    return stat(path, &st) ? -1 : (int64_t)st.st_size;
}

static void get(int64_t at, int64_t n, char *to)
{
    int fd = open(file, O_RDONLY);
    CHECK(pread(fd, to, (size_t)n, at) == n, "%d bytes at %d", (int)n, (int)at);
    close(fd);
}

static int64_t numrecs(void)
{
    unsigned char b[4] = { 0 };
    get(4, 4, (char *)b);
    return b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
}

static void put_direct(int64_t at, const char *text)
{
    int fd = open(file, O_WRONLY);
    CHECK(pwrite(fd, text, strlen(text), at) == (ssize_t)strlen(text), "direct put");
    close(fd);
}

static void check_text(int64_t at, const char *want)
{
    char got[ROOM] = "";
    get(at, (int64_t)strlen(want), got);
    CHECK(memcmp(got, want, strlen(want)) == 0, "at %d: %.*s, not %s", (int)at, (int)strlen(want), got, want);
}

static void check_zero(int64_t at)
{
    char byte = 1;
    get(at, 1, &byte);
    CHECK_INT(byte, 0);
}

static uint32_t header_crc(void)
{
    unsigned char bytes[ROOM];
    get(0, header_size(), (char *)bytes);
    return pcdf_stage_header_crc(bytes, (size_t)header_size());
}

/* ---- logs */

static struct pcdf_stagelog *logs[RANKS];

static void open_logs(uint64_t nonce, int n)
{
    for (int i = 0; i < n; i++) {
        struct pcdf_stagelog_config c = {
            .dir = dirs[i % 2], .file = file, .nonce = nonce, .rank = i, .nranks = n
        };
        CHECK_INT(pcdf_stagelog_make(&c, &logs[i]), NC_NOERR);
    }
}

static void close_logs(bool removes)
{
    for (int i = 0; i < RANKS; i++) {
        CHECK_INT(pcdf_stagelog_close(logs[i], removes), NC_NOERR);
        logs[i] = NULL;
    }
}

static bool append(int rank, int64_t number, int64_t at, const char *text)
{
    struct pcdf_stagelog_place place;
    const struct pcdf_piece p = { at, (int64_t)strlen(text), (char *)text };
    bool done = pcdf_stagelog_append(logs[rank], number, &p, 1, &place);
    if (done) {
        CHECK_INT(pcdf_stagelog_fetch(logs[rank], &place), NC_NOERR);
        CHECK(memcmp(pcdf_stagelog_fetched(logs[rank], &place), text, strlen(text)) == 0, "fetched");
    }
    return done;
}

static void sync_one(int rank, int64_t sync, int64_t records, int64_t applied)
{
    const struct pcdf_stage_record r = {
        .number = sync, .numrecs = records, .applied = applied, .header_crc = rank == 0 ? header_crc() : 0
    };
    CHECK(pcdf_stagelog_sync(logs[rank], &r), "sync %d of rank %d", (int)sync, rank);
}

static void sync_all(int n, int64_t sync, int64_t records)
{
    for (int i = 0; i < n; i++)
        sync_one(i, sync, records, 0);
}

static void hear(void *context, const char *sentence)
{
    (void)context;
    size_t n = strlen(report);
    snprintf(report + n, sizeof report - n, "%s\n", sentence);
}

static int replay_with(size_t ndirs, bool dry, bool force)
{
    const struct pcdf_stagereplay config = {
        .path = file, .dirs = dirs, .ndirs = ndirs, .dry = dry, .force = force, .say = hear
    };
    report[0] = '\0';
    pcdf_fail_clear();
    return pcdf_stagereplay(&config);
}

static int replay(void)
{
    return replay_with(2, false, false);
}

static int count_one(void *context, const char *path)
{
    (void)path;
    ++*(int *)context;
    return NC_NOERR;
}

static int logs_left(void)
{
    char *real = NULL;
    int n = 0;
    CHECK_INT(pcdf_stage_real_path(file, &real), NC_NOERR);
    for (int i = 0; i < 2; i++)
        CHECK_INT(pcdf_stage_each(&(struct pcdf_stage_names){ .dir = dirs[i], .real = real }, count_one, &n),
                  NC_NOERR);
    pcdf_free(real);
    return n;
}

static int remove_one(void *context, const char *path)
{
    (void)context;
    return unlink(path);
}

static void clear_logs(void)
{
    char *real = NULL;
    close_logs(false);
    CHECK_INT(pcdf_stage_real_path(file, &real), NC_NOERR);
    for (int i = 0; i < 2; i++)
        (void)pcdf_stage_each(&(struct pcdf_stage_names){ .dir = dirs[i], .real = real, .with_aside = true },
                              remove_one, NULL);
    pcdf_free(real);
}

static int64_t f(int64_t at)
{
    return layout.begin[0] + at;
}

static int64_t r(int64_t record, int64_t at)
{
    return layout.begin[1] + record * layout.recsize + at;
}

/* ---- what is fixed */

/* Three ranks, two records, overwritten values in another order than that of their numbers. */
static void check_order(void)
{
    make_file(0);
    open_logs(0x8000000000000001u, 3);
    CHECK(append(0, 2, f(0), "second"), "append");
    CHECK(append(0, 1, f(0), "first!"), "append"); /* a put that waited in memory until the sync */
    CHECK(append(1, 1, f(16), "rank 1"), "append");
    CHECK(append(1, 2, r(0, 0), "abcd"), "append");
    CHECK(append(2, 1, r(1, 4), "efgh"), "append");
    sync_all(3, 1, 2);
    CHECK(append(2, 2, f(32), "never synced"), "append");
    CHECK_INT(replay(), NC_EACCESS); /* the job runs */
    close_logs(false);
    CHECK_INT(replay_with(2, true, false), NC_NOERR);
    CHECK(strstr(report, "26 bytes") && numrecs() == 0 && logs_left() == 3, "dry: %s", report);
    CHECK_INT(replay(), NC_NOERR);
    check_text(f(0), "second");
    check_text(f(16), "rank 1");
    check_text(r(0, 0), "abcd");
    check_text(r(1, 4), "efgh");
    check_zero(f(32));
    CHECK_INT(numrecs(), 2);
    CHECK_INT(size_of(file), r(2, 0));
    CHECK_INT(logs_left(), 0);
    CHECK_INT(replay(), NC_NOERR);
    CHECK(strstr(report, "nothing to do"), "%s", report);
}

/* What was in the file at the sync is not put there again, over what came later; the number of records that
 * another sync counted stays; an emptied log has nothing, but knows of its syncs. */
static void check_applied(void)
{
    make_file(0);
    open_logs(0x8000000000000003u, 2);
    CHECK(append(0, 1, f(0), "old"), "append");
    CHECK(append(0, 3, f(8), "log"), "append");
    put_direct(f(0), "new"); /* write 2 */
    CHECK(append(1, 1, f(16), "gone"), "append");
    sync_one(0, 1, 1, 2);
    sync_one(1, 1, 1, 0);
    put_direct(f(16), "newer");
    CHECK_INT(pcdf_stagelog_empty(logs[1], 0, NULL), NC_NOERR); /* number 1 is not in the file */
    int64_t last;
    bool acknowledged;
    CHECK(pcdf_stagelog_has_records(logs[1], &last, &acknowledged) && last == 1 && acknowledged, "kept");
    CHECK_INT(pcdf_stagelog_empty(logs[1], 1, NULL), NC_NOERR);
    CHECK(!pcdf_stagelog_has_records(logs[1], &last, &acknowledged) && !acknowledged, "emptied");
    CHECK_INT(size_of(pcdf_stagelog_path(logs[1])), PCDF_STAGE_HEAD);
    close_logs(false);
    CHECK_INT(replay(), NC_NOERR);
    check_text(f(0), "new");
    check_text(f(8), "log");
    check_text(f(16), "newer");
    CHECK_INT(numrecs(), 1);
    CHECK_INT(logs_left(), 0);
}

/* One rank had a sync that another one had not: the one before counts. An epoch may have begun with the later
 * one. */
static void check_last_common(void)
{
    for (int emptied = 0; emptied < 2; emptied++) {
        make_file(0);
        open_logs(0x8000000000000005u, 2);
        CHECK(append(0, 1, f(0), "one"), "append");
        CHECK(append(1, 1, f(8), "uno"), "append");
        sync_all(2, 1, 1);
        CHECK(append(0, 2, f(0), "two"), "append");
        CHECK(append(1, 2, f(8), "due"), "append");
        sync_one(1, 2, 5, 0);
        if (emptied) {
            put_direct(f(8), "due");
            CHECK_INT(pcdf_stagelog_empty(logs[1], 2, NULL), NC_NOERR);
        }
        close_logs(false);
        CHECK_INT(replay(), NC_NOERR);
        check_text(f(0), "one");
        check_text(f(8), emptied ? "due" : "uno");
        CHECK_INT(numrecs(), 1);
    }
}

/* A log cut off anywhere has the syncs before; one of a rank that never came to a sync lets nothing be done.
 */
static void check_torn(void)
{
    char *path = NULL;
    for (int64_t cut = 0;; cut++) {
        make_file(0);
        open_logs(0x8000000000000007u, 2);
        path = pcdf_strndup(pcdf_stagelog_path(logs[1]), strlen(pcdf_stagelog_path(logs[1])));
        CHECK(append(0, 1, f(0), "one"), "append");
        CHECK(append(1, 1, f(8), "uno"), "append");
        sync_all(2, 1, 1);
        int64_t first = size_of(path);
        CHECK(append(0, 2, f(0), "two"), "append");
        CHECK(append(1, 2, f(8), "due"), "append");
        sync_all(2, 2, 2);
        int64_t second = size_of(path), size = second - cut;
        close_logs(false);
        CHECK(truncate(path, size) == 0, "cut to %d", (int)size);
        pcdf_free(path);
        CHECK_INT(replay(), NC_NOERR);
        int syncs = size == second ? 2 : size >= first ? 1 : 0;
        CHECK(numrecs() == syncs, "cut to %d of %d: %d records", (int)size, (int)second, (int)numrecs());
        if (syncs > 0)
            check_text(f(0), syncs == 2 ? "two" : "one");
        else
            check_zero(f(0));
        if (syncs > 0)
            check_text(f(8), syncs == 2 ? "due" : "uno");
        else
            check_zero(f(8));
        if (syncs == 0)
            break;
    }
    clear_logs();
}

/* Interrupted: after any number of its writes, the next one does all again; once a log says that it is
 * needless, no other has to be there. */
static void check_again(void)
{
    make_file(0);
    open_logs(0x8000000000000009u, 2);
    CHECK(append(0, 1, f(0), "one"), "append");
    CHECK(append(1, 1, r(0, 0), "uno"), "append");
    sync_all(2, 1, 1);
    char *copy = pcdf_strndup(pcdf_stagelog_path(logs[1]), strlen(pcdf_stagelog_path(logs[1])));
    close_logs(false);
    put_direct(f(0), "on"); /* as far as it came */
    struct pcdf_stagefile one;
    CHECK_INT(pcdf_stagefile_open(copy, PCDF_STAGEFILE_OWN, &one), NC_NOERR);
    pcdf_stagefile_close(&one);
    CHECK_INT(replay_with(1, false, false), NC_ERECOVER);
    CHECK(strstr(pcdf_fail_text(), "1 of 2 ranks are missing (rank 1)"), "%s", pcdf_fail_text());
    CHECK_INT(numrecs(), 0);
    CHECK_INT(logs_left(), 2);

    CHECK_INT(pcdf_stagefile_open(copy, PCDF_STAGEFILE_OWN, &one), NC_NOERR);
    CHECK_INT(pcdf_stagefile_finish(&one), NC_NOERR);
    pcdf_stagefile_close(&one);
    CHECK_INT(replay(), NC_NOERR);
    CHECK(strstr(report, "nothing to do"), "%s", report);
    CHECK_INT(logs_left(), 0);
    pcdf_free(copy);

    open_logs(0x8000000000000011u, 2); /* a close that came as far as removing logs */
    CHECK(append(0, 1, f(0), "one"), "append");
    sync_all(2, 1, 1);
    for (int i = 0; i < 2; i++)
        CHECK_INT(pcdf_stagelog_finish(logs[i]), NC_NOERR);
    CHECK_INT(pcdf_stagelog_close(logs[1], true), NC_NOERR);
    logs[1] = NULL;
    close_logs(false);
    CHECK_INT(replay(), NC_NOERR);
    CHECK(strstr(report, "nothing to do"), "%s", report);
    CHECK_INT(logs_left(), 0);
}

static void check_refused(void)
{
    char text[80];
    int64_t before;
    /* another file of the name, or other definitions */
    make_file(0);
    open_logs(0x800000000000000bu, 1);
    CHECK(append(0, 1, f(0), "one"), "append");
    sync_all(1, 1, 1);
    close_logs(false);
    char link[80];
    snprintf(link, sizeof link, "%s.kept", file);
    rename(file, link); /* keeps its inode */
    make_file(0);
    CHECK_INT(replay(), NC_ERECOVER);
    CHECK(strstr(pcdf_fail_text(), "another file"), "%s", pcdf_fail_text());
    check_zero(f(0));
    rename(link, file);
    put_direct(header_size() - 1, "\xff"); /* a begin */
    before = size_of(file);
    CHECK_INT(replay(), NC_ERECOVER);
    CHECK_INT(size_of(file), before);
    CHECK_INT(logs_left(), 1);
    clear_logs();

    /* bytes where the file has no data */
    static const int64_t places[] = { 0, 8, 40 };
    for (int i = 0; i < 4; i++) {
        make_file(0);
        open_logs(0x800000000000000du, 1);
        CHECK(append(0, 1, f(0), "good"), "append");
        CHECK(append(0, 2, i < 3 ? places[i] : r(1, 0), "bad"), "append");
        sync_all(1, 1, 1);
        close_logs(false);
        CHECK_INT(replay(), NC_ERECOVER);
        CHECK(strstr(pcdf_fail_text(), "no data"), "%d: %s", i, pcdf_fail_text());
        check_zero(f(0));
        CHECK_INT(numrecs(), 0);
        clear_logs();
    }

    /* two openings */
    make_file(0);
    for (uint64_t nonce = 1; nonce < 3; nonce++) {
        open_logs(nonce, 1);
        CHECK(append(0, 1, f(0), "x"), "append");
        sync_all(1, 1, 1);
        close_logs(false);
    }
    CHECK_INT(replay(), NC_ERECOVER);
    CHECK(strstr(pcdf_fail_text(), "2 openings"), "%s", pcdf_fail_text());
    CHECK_INT(logs_left(), 2);
    clear_logs();

    /* more records than there can be */
    make_file(0);
    open_logs(5, 1);
    sync_all(1, 1, (int64_t)1 << 40);
    close_logs(false);
    CHECK_INT(replay(), NC_ERECOVER);
    CHECK_INT(numrecs(), 0);
    clear_logs();
    snprintf(text, sizeof text, "%s/none", folder);
    const char *nowhere[] = { text };
    const struct pcdf_stagereplay config = { .path = file, .dirs = nowhere, .ndirs = 1, .say = hear };
    CHECK_INT(pcdf_stagereplay(&config), NC_ENOENT);
}

/* What ranks do with what they find when rank 0 has looked. */
static int look(bool is_new, bool keeps, uint64_t nonce)
{
    const struct pcdf_stage_look config = {
        .dir = dirs[0], .file = file, .is_new = is_new, .keeps = keeps, .nonce = nonce
    };
    int moved;
    return pcdf_stage_look(&config, &moved);
}

static void check_look(void)
{
    make_file(0);
    open_logs(7, 1);
    CHECK(append(0, 1, f(0), "x"), "append");
    CHECK_INT(look(false, false, 0), NC_NOERR); /* in use */
    CHECK_INT(logs_left(), 1);
    close_logs(false);
    CHECK_INT(look(true, false, 7), NC_NOERR); /* of the opening itself */
    CHECK_INT(look(false, true, 0), NC_NOERR); /* by a reader */
    CHECK_INT(logs_left(), 1);
    CHECK_INT(look(false, false, 0), NC_NOERR); /* nothing was acknowledged */
    CHECK_INT(logs_left(), 0);
    for (int is_new = 0; is_new < 2; is_new++) {
        open_logs(9, 1);
        CHECK(append(0, 1, f(0), "x"), "append");
        sync_all(1, 1, 0);
        close_logs(false);
        CHECK_INT(look(is_new, false, 0), is_new ? NC_NOERR : NC_ERECOVER);
        CHECK(is_new || strstr(pcdf_fail_text(), "parcdf repair"), "%s", pcdf_fail_text());
        CHECK_INT(logs_left(), !is_new);
        clear_logs();
    }
    open_logs(11, 1);
    sync_all(1, 1, 0);
    CHECK_INT(pcdf_stagelog_finish(logs[0]), NC_NOERR);
    close_logs(false);
    CHECK_INT(look(false, false, 0), NC_NOERR);
    CHECK_INT(logs_left(), 0);
}

static int64_t file_is_ahead; /* its server's clock, by so many nanoseconds */
static int interrupts;        /* so many ftruncates are interrupted */

bool __real_pcdf_stage_clock(const char *beside, int64_t *now);
bool __wrap_pcdf_stage_clock(const char *beside, int64_t *now);
bool __wrap_pcdf_stage_clock(const char *beside, int64_t *now)
{
    bool has = __real_pcdf_stage_clock(beside, now);
    CHECK(has, "no clock beside %s", beside);
    *now += strstr(beside, ".parcdf-stage.") ? 0 : file_is_ahead;
    return has;
}

int ftruncate(int fd, off_t size)
{
    if (interrupts == 0)
        return (int)syscall(SYS_ftruncate, fd, size);
    interrupts--;
    errno = EINTR;
    return -1;
}

static int replay_by_open(bool dry)
{
    const struct pcdf_stagereplay config = {
        .path = file, .dirs = dirs, .ndirs = 2, .dry = dry, .by_open = true, .say = hear
    };
    report[0] = '\0';
    return pcdf_stagereplay(&config);
}

static void leave_logs(uint64_t nonce)
{
    make_file(0);
    open_logs(nonce, 2);
    CHECK(append(0, 1, f(0), "one") && append(1, 1, f(8), "two"), "append");
    sync_all(2, 1, 1);
}

/* What an open does itself: as a repair, if nothing leaves a doubt; a reader is told. */
static void check_by_open(void)
{
    const struct timespec later[2] = { { .tv_sec = time(NULL) + 5 }, { .tv_sec = time(NULL) + 5 } };
    leave_logs(17);
    CHECK_INT(replay_by_open(false), NC_NOERR); /* in use */
    CHECK_INT(numrecs(), 0);
    close_logs(false);
    CHECK_INT(replay_by_open(true), NC_ERECOVER);
    CHECK_INT(numrecs(), 0);
    CHECK_INT(logs_left(), 2);
    CHECK_INT(replay_by_open(false), NC_NOERR);
    check_text(f(0), "one");
    check_text(f(8), "two");
    CHECK_INT(numrecs(), 1);
    CHECK_INT(logs_left(), 0);

    leave_logs(19); /* somebody changed the file since */
    close_logs(false);
    CHECK_INT(utimensat(AT_FDCWD, file, later, 0), 0);
    CHECK_INT(replay_by_open(false), NC_ERECOVER);
    CHECK(strstr(pcdf_fail_text(), "was changed after"), "%s", pcdf_fail_text());
    check_zero(f(0));
    CHECK_INT(logs_left(), 2);
    clear_logs();

    leave_logs(20); /* by a clock that is 5 seconds ahead that was before the logs, or a moment later */
    close_logs(false);
    CHECK_INT(utimensat(AT_FDCWD, file, later, 0), 0);
    file_is_ahead = 6000000000;
    interrupts = 1;
    CHECK_INT(replay_by_open(false), NC_NOERR);
    CHECK_INT(interrupts, 0);
    file_is_ahead = 0;
    check_text(f(0), "one");
    CHECK_INT(size_of(file), r(1, 0));
    CHECK_INT(logs_left(), 0);

    leave_logs(21); /* one rank's log is in use, or not there */
    CHECK_INT(pcdf_stagelog_close(logs[0], false), NC_NOERR);
    logs[0] = NULL;
    CHECK_INT(replay_by_open(false), NC_ERECOVER);
    CHECK_INT(replay_by_open(true), NC_ERECOVER);
    check_zero(f(0));
    CHECK_INT(logs_left(), 2);
    char other[1100];
    snprintf(other, sizeof other, "%s", pcdf_stagelog_path(logs[1]));
    close_logs(false);
    if (geteuid() == 0 && chown(other, 1, 1) == 0) { /* of another user */
        CHECK_INT(replay_by_open(false), NC_ERECOVER);
        CHECK(strstr(pcdf_fail_text(), "another user"), "%s", pcdf_fail_text());
        check_zero(f(0));
    }
    clear_logs();

    leave_logs(23); /* the file has it all, but for the names of the logs */
    for (int i = 0; i < 2; i++)
        CHECK_INT(pcdf_stagelog_empty(logs[i], 1, NULL), NC_NOERR);
    close_logs(false);
    make_file(1);
    CHECK_INT(replay_by_open(true), NC_NOERR);
    CHECK_INT(logs_left(), 2);
    CHECK_INT(replay_by_open(false), NC_NOERR);
    CHECK_INT(logs_left(), 0);
}

/* No mode stops root: a descriptor of one who may not write the file, if that is asked for. */
static bool may_not_write;

int __real_pcdf_posix_open(const char *path, int flags);
int __wrap_pcdf_posix_open(const char *path, int flags);
int __wrap_pcdf_posix_open(const char *path, int flags)
{
    const char *name = strrchr(path, '/');
    if (!may_not_write || (flags & O_ACCMODE) == O_RDONLY || !name || strcmp(name, "/run.nc") != 0)
        return __real_pcdf_posix_open(path, flags);
    errno = EACCES;
    return -1;
}

/* Another one looks, on a node to which flock does not reach, as on GPFS: it has the locks of bytes alone. */
static void check_others(void)
{
    int ends[2];
    char byte = 0;
    CHECK_INT(pipe(ends), 0);
    for (int row = 0; row < 3; row++) { /* who repairs, who reads, who may not write */
        const bool dry = row > 0;
        leave_logs((uint64_t)(60 + row));
        close_logs(false);
        pid_t other = fork();
        if (other == 0) {
            bool is_whole;
            bool has = !pcdf_filelock_own(open(file, O_RDWR), file, &is_whole) && write(ends[1], "l", 1) == 1;
            usleep(200000);
            _exit(has && write(ends[1], "e", 1) == 1 ? 0 : 1);
        }
        CHECK(read(ends[0], &byte, 1) == 1 && byte == 'l', "the other one does not look");
        may_not_write = row == 2;
        CHECK_INT(replay_by_open(dry), dry ? NC_ERECOVER : NC_NOERR);
        may_not_write = false;
        struct pollfd over = { .fd = ends[0], .events = POLLIN };
        CHECK(poll(&over, 1, 0) == 1, "row %d: the logs were taken while another one looked", row);
        CHECK(read(ends[0], &byte, 1) == 1 && byte == 'e' && waitpid(other, NULL, 0) == other, "its end");
    }
    close(ends[0]);
    close(ends[1]);
    clear_logs();
}

/* Several readers look at a time, and each is told; who repairs does not while one of them looks. */
static void check_readers(void)
{
    bool is_whole;
    leave_logs(63);
    char *name = pcdf_strndup(pcdf_stagelog_path(logs[0]), strlen(pcdf_stagelog_path(logs[0])));
    close_logs(false);
    int reader = open(file, O_RDONLY), writer = open(file, O_RDWR);
    struct pcdf_stagefile one;
    CHECK_INT(pcdf_filelock_look(reader, file), NC_NOERR);
    CHECK_INT(pcdf_stagefile_open(name, PCDF_STAGEFILE_LOOK, &one), NC_NOERR);
    CHECK_INT(replay_by_open(true), NC_ERECOVER);
    CHECK(strstr(pcdf_fail_text(), "not in the file yet"), "%s", pcdf_fail_text());
    CHECK_INT(pcdf_filelock_own(writer, file, &is_whole), NC_EACCESS);
    pcdf_stagefile_close(&one);
    close(reader);
    CHECK_INT(pcdf_filelock_own(writer, file, &is_whole), NC_NOERR);
    close(writer);
    pcdf_free(name);
    clear_logs();
}

/* ---- a file is its inode, not its name */

static char moved[64];

/* Of all names of logs in both folders, those with this in them. */
static int names_with(const char *mark)
{
    int n = 0;
    for (int i = 0; i < 2; i++) {
        DIR *names = opendir(dirs[i]);
        for (const struct dirent *entry; names && (entry = readdir(names));)
            n += strstr(entry->d_name, mark) != NULL;
        if (names)
            closedir(names);
    }
    return n;
}

static int replay_moved(bool by_open, bool dry)
{
    const struct pcdf_stagereplay config = {
        .path = moved, .dirs = dirs, .ndirs = 2, .dry = dry, .by_open = by_open, .say = hear
    };
    report[0] = '\0';
    return pcdf_stagereplay(&config);
}

/* What a create of `file` does in both folders. */
static int leave(const struct pcdf_fileid *gone)
{
    int all = 0;
    for (int i = 0; i < 2; i++) {
        const struct pcdf_stage_look config = { .dir = dirs[i], .file = file, .is_new = true, .gone = *gone };
        int n;
        CHECK_INT(pcdf_stage_look(&config, &n), NC_NOERR);
        all += n;
    }
    return all;
}

/* The file that crashed has the name `moved`, and its logs wait. */
static void crash_and_move(uint64_t nonce)
{
    leave_logs(nonce);
    close_logs(false);
    CHECK(rename(file, moved) == 0, "rename");
}

static void check_brought(void)
{
    char name[64];
    snprintf(name, sizeof name, "%s", file);
    snprintf(file, sizeof file, "%s", moved);
    check_text(f(0), "one");
    check_text(f(8), "two");
    CHECK_INT(numrecs(), 1);
    snprintf(file, sizeof file, "%s", name);
    CHECK_INT(names_with(".parcdf-"), 0);
    unlink(moved);
}

static void check_moved(void)
{
    const struct pcdf_fileid none = { 0 };
    snprintf(moved, sizeof moved, "%s/crashed.nc", folder);
    for (int by_open = 0; by_open < 2; by_open++) { /* it is found by its inode */
        crash_and_move(31);
        CHECK_INT(replay_moved(by_open, by_open), by_open ? NC_ERECOVER : NC_NOERR);
        if (by_open)
            CHECK_INT(replay_moved(true, false), NC_NOERR);
        check_brought();
    }

    crash_and_move(33); /* a new file of the old name leaves its logs, and those are in nobody's way */
    make_file(0);
    CHECK_INT(leave(&none), 2);
    CHECK_INT(leave(&none), 0);
    CHECK_INT(logs_left(), 0);
    CHECK_INT(names_with(".parcdf-aside."), 2);
    CHECK_INT(replay_by_open(false), NC_NOERR);
    CHECK_INT(replay(), NC_NOERR);
    CHECK(strstr(report, "earlier file of this name"), "%s", report);
    check_zero(f(0));
    CHECK_INT(names_with(".parcdf-aside."), 2);
    CHECK_INT(replay_moved(true, false), NC_NOERR);
    check_brought();

    crash_and_move(35); /* a copy to another file system, and back: only a person knows that */
    make_file(0);
    CHECK_INT(leave(&none), 2);
    CHECK_INT(replay_with(2, false, true), NC_NOERR);
    check_text(f(0), "one");
    CHECK_INT(names_with(".parcdf-"), 0);
    unlink(moved);

    crash_and_move(37); /* logs of both: each file gets its own */
    leave_logs(39);
    close_logs(false);
    CHECK_INT(replay_by_open(false), NC_NOERR);
    check_text(f(0), "one");
    CHECK_INT(logs_left(), 2);
    CHECK_INT(replay_moved(false, false), NC_NOERR);
    check_brought();

    leave_logs(41); /* the create took the place of that very file */
    close_logs(false);
    const struct pcdf_fileid gone = pcdf_fileid_at(file);
    make_file(0);
    CHECK_INT(leave(&gone), 0);
    CHECK_INT(names_with(".parcdf-"), 0);

    crash_and_move(43); /* a number that is used again is no proof */
    make_file(0);
    struct pcdf_fileid other = pcdf_fileid_at(moved);
    other.born++;
    CHECK_INT(leave(&other), gone.born ? 2 : 0);
    CHECK_INT(names_with(".parcdf-aside."), gone.born ? 2 : 0);
    unlink(moved);
    for (int i = 0; i < 2; i++) {
        const struct pcdf_stage_names all = { .dir = dirs[i], .real = file, .with_aside = true };
        CHECK_INT(pcdf_stage_each(&all, remove_one, NULL), NC_NOERR);
    }
}

/* ---- storage of the node that fails */

static int sync_fails; /* so many of those that come */

int __real_pcdf_posix_sync(int fd, const char *path, bool *failed);
int __wrap_pcdf_posix_sync(int fd, const char *path, bool *failed);
int __wrap_pcdf_posix_sync(int fd, const char *path, bool *failed)
{
    if (sync_fails == 0)
        return __real_pcdf_posix_sync(fd, path, failed);
    sync_fails--;
    *failed = true;
    return PCDF_FAIL(NC_EWRITE, "syncing %s: as ordered", path);
}

/* The log whose storage failed, and which says nothing that the file lacks, is there for those of the others.
 */
static void check_failed_log(void)
{
    for (int fails = 1; fails < 3; fails++) {
        const struct pcdf_stage_record sync = { .number = 2, .numrecs = 1 };
        leave_logs(50 + (uint64_t)fails);
        sync_fails = fails;
        CHECK(!pcdf_stagelog_sync(logs[1], &sync), "a sync that failed");
        put_direct(f(8), "two");
        CHECK_INT(pcdf_stagelog_empty(logs[1], 1, NULL), NC_NOERR);
        CHECK(pcdf_stagelog_is_broken(logs[1]), "it takes no more");
        CHECK_INT(sync_fails, 0);
        close_logs(false);
        CHECK_INT(logs_left(), 2);
        CHECK_INT(replay(), NC_NOERR);
        check_text(f(0), "one");
        check_text(f(8), "two");
        CHECK_INT(numrecs(), 1);
        CHECK_INT(logs_left(), 0);
    }
    leave_logs(55); /* one is lost */
    CHECK_INT(pcdf_stagelog_close(logs[1], true), NC_NOERR);
    logs[1] = NULL;
    close_logs(false);
    CHECK_INT(replay(), NC_ERECOVER);
    CHECK(strstr(pcdf_fail_text(), "--force"), "%s", pcdf_fail_text());
    check_zero(f(0));
    CHECK_INT(replay_with(2, false, true), NC_NOERR);
    CHECK(strstr(report, "rank 1"), "%s", report);
    check_text(f(0), "one");
    CHECK_INT(numrecs(), 1);
    CHECK_INT(logs_left(), 0);
}

/* A limit, and a record that is too large: nothing is appended, and what was stays. */
static void check_bounds(void)
{
    make_file(0);
    struct pcdf_stagelog_config c = {
        .dir = dirs[0], .file = file, .nonce = 13, .nranks = 1, .limit = PCDF_STAGE_HEAD + 300
    };
    CHECK_INT(pcdf_stagelog_make(&c, &logs[0]), NC_NOERR);
    CHECK(append(0, 1, f(0), "first"), "append");
    static char much[FIXED + 1];
    memset(much, 'x', FIXED);
    CHECK(append(0, 2, f(0), much), "append");
    CHECK(!append(0, 3, f(0), much), "beyond the limit");
    sync_one(0, 1, 0, 0);
    CHECK(!pcdf_stagelog_is_broken(logs[0]), "a full log is none that failed");
    static char large[PCDF_STAGE_MOST];
    const struct pcdf_piece p = { f(0), PCDF_STAGE_MOST, large };
    struct pcdf_stagelog_place place;
    CHECK(!pcdf_stagelog_append(logs[0], 4, &p, 1, &place), "more than a record takes");
    close_logs(false);
    CHECK_INT(replay(), NC_NOERR);
    check_text(f(0), much);
    c.dir = "/nowhere/at/all";
    CHECK_INT(pcdf_stagelog_make(&c, &logs[0]), NC_ENOENT);
}

int main(void)
{
    if (!mkdtemp(folder))
        return CHECK_SKIP;
    snprintf(file, sizeof file, "%s/run.nc", folder);
    for (int i = 0; i < 2; i++) {
        snprintf(dir_names[i], sizeof dir_names[i], "%s/node%d", folder, i);
        dirs[i] = dir_names[i];
        CHECK(mkdir(dirs[i], 0777) == 0, "mkdir");
    }
    check_order();
    check_applied();
    check_last_common();
    check_torn();
    check_again();
    check_refused();
    check_look();
    check_by_open();
    check_others();
    check_readers();
    check_moved();
    check_failed_log();
    check_bounds();
    pcdf_layout_free(&layout);
    CHECK_INT(pcdf_alloc_now(), 0);
    return check_done("stage_replay");
}
