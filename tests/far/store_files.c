/* A file and a folder as stores: ranges, keys, pins, what is no object, and that no key leads out. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "alloc.h"
#include "below.h"
#include "check.h"
#include "status.h"
#include "store.h"

static void put_file(const char *path, const void *bytes, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    CHECK(fd >= 0 && write(fd, bytes, n) == (ssize_t)n, "%s", path);
    close(fd);
}

static void check_fetch(struct pcdf_store *s, const char *key, int64_t offset, int64_t length, int err,
                        const char *want)
{
    struct pcdf_fetch f = { .store = s, .key = key, .offset = offset, .length = length, .most = 100 };
    pcdf_fetch_start(&f, 1);
    int code = pcdf_fetch_finish(&f, 1);
    CHECK(f.err == err, "%s %d %d: %d, not %d: %s", key, (int)offset, (int)length, f.err, err,
          pcdf_fail_text());
    CHECK_INT(code, err == NC_ENOENT ? NC_NOERR : err);
    CHECK_INT(f.got, want ? (int64_t)strlen(want) : 0);
    CHECK((f.to != NULL) == (want != NULL), "%s: memory where it should not be, or none", key);
    CHECK(!want || memcmp(f.to, want, strlen(want)) == 0, "%s: other bytes", key);
    pcdf_free(f.to);
}

static void check_file(void)
{
    struct pcdf_store *s;
    struct pcdf_pin pin, other;
    put_file("one", "0123456789", 10);
    CHECK_INT(pcdf_store_open("one", NULL, &s), NC_NOERR);
    CHECK(!pcdf_store_has_keys(s), "keys");
    check_fetch(s, "", 2, 3, NC_NOERR, "234");
    check_fetch(s, "", 8, 5, NC_NOERR, "89");
    check_fetch(s, "", 12, 5, NC_NOERR, "");
    check_fetch(s, "", 4, -1, NC_NOERR, "456789");
    check_fetch(s, "", -1, 5, NC_EREAD, NULL);
    check_fetch(s, "x", 0, 5, NC_ENOENT, NULL);
    CHECK_INT(pcdf_store_pin(s, &pin), NC_NOERR);
    CHECK_INT(pin.size, 10);
    CHECK_INT(pcdf_store_list(s, "", NULL, NULL), NC_ENOTSUPPORT);
    CHECK_INT(truncate("one", 6), 0);
    check_fetch(s, "", 2, 8, NC_EREAD, NULL); /* shorter than when it was opened */
    pcdf_store_close(s);

    CHECK_INT(pcdf_store_open("one", &pin, &s), NC_NOERR);
    check_fetch(s, "", 0, 2, NC_EREAD, NULL); /* not what the pin says */
    CHECK(strstr(pcdf_fail_text(), "one is not the file"), "%s", pcdf_fail_text());
    pcdf_store_close(s);
    CHECK_INT(pcdf_store_open("one", NULL, &s), NC_NOERR);
    CHECK_INT(pcdf_store_pin(s, &other), NC_NOERR);
    pcdf_store_close(s);
    put_file("two", "012345", 6);
    rename("two", "one");
    CHECK_INT(pcdf_store_open("one", &other, &s), NC_NOERR);
    check_fetch(s, "", 0, 2, NC_EREAD, NULL); /* as long, but another file */
    pcdf_store_close(s);

    struct pcdf_fetch f[2];
    CHECK_INT(pcdf_store_open("one", NULL, &s), NC_NOERR);
    unsigned char room[4] = "xxxx", *bytes;
    int64_t n;
    f[0] = (struct pcdf_fetch){ .store = s, .key = "", .offset = 3, .length = 2, .to = room };
    f[1] = (struct pcdf_fetch){ .store = s, .key = "", .offset = 0, .length = 2, .to = room + 2 };
    pcdf_fetch_start(f, 2);
    CHECK_INT(pcdf_fetch_finish(f + 1, 1), NC_NOERR);
    CHECK_INT(pcdf_fetch_finish(f, 1), NC_NOERR);
    CHECK(memcmp(room, "3401", 4) == 0, "%.4s", room);
    for (int i = 0; i < 2; i++) { /* the last bytes, and more of them than there are */
        f[0] = (struct pcdf_fetch){ .store = s, .key = "", .length = i ? 9 : 2, .from_end = true };
        pcdf_fetch_start(f, 1);
        CHECK_INT(pcdf_fetch_finish(f, 1), NC_NOERR);
        CHECK(f->got == (i ? 6 : 2) && memcmp(f->to, &"012345"[f->offset], (size_t)f -> got) == 0 &&
                  f->offset == (i ? 0 : 4),
              "%lld bytes from %lld on", (long long)f->got, (long long)f->offset);
        pcdf_free(f->to);
    }
    CHECK_INT(pcdf_store_read_all(s, "", 6, &bytes, &n), NC_NOERR);
    CHECK(n == 6 && memcmp(bytes, "012345", 6) == 0, "all of it");
    pcdf_free(bytes);
    CHECK_INT(pcdf_store_read_all(s, "", 5, &bytes, &n), NC_EREAD);
    pcdf_store_close(s);
}

struct seen {
    int files, folders;
    bool wrong;
};

static int see(void *context, const char *key)
{
    struct seen *seen = context;
    bool is_folder = key[strlen(key) - 1] == '/';
    seen->folders += is_folder;
    seen->files += !is_folder;
    seen->wrong |=
        strcmp(key, ".zgroup") && strcmp(key, "t/") && strcmp(key, "t/0.0") && strcmp(key, "t/0.1");
    return NC_NOERR;
}

static int stop_at_once(void *context, const char *key)
{
    (void)context, (void)key;
    return NC_EINVAL;
}

static void check_folder(void)
{
    static const char *const wrong[] = { "../one", "t/../../one", "/etc/passwd", "t//0.0", "./t", "t/.",
                                         "",       "t/",          "t/..",        ".." };
    struct pcdf_store *s;
    struct pcdf_pin pin;
    struct seen seen = { 0 };
    mkdir("all", 0777);
    mkdir("all/t", 0777);
    put_file("all/.zgroup", "{}", 2);
    put_file("all/t/0.0", "first", 5);
    put_file("all/t/0.1", "second", 6);
    unlink("all/t/pipe");
    CHECK_INT(mkfifo("all/t/pipe", 0666), 0);
    CHECK_INT(pcdf_store_open("all", NULL, &s), NC_NOERR);
    CHECK(pcdf_store_has_keys(s), "no keys");
    check_fetch(s, "t/0.0", 0, -1, NC_NOERR, "first");
    check_fetch(s, "t/0.1", 1, 2, NC_NOERR, "ec");
    check_fetch(s, "t/0.1", 3, 9, NC_NOERR, "ond");
    check_fetch(s, "t/0.2", 0, -1, NC_ENOENT, NULL);
    check_fetch(s, "t/0.0/x", 0, -1, NC_EBAD_FILE, NULL);
    check_fetch(s, "t", 0, -1, NC_EBAD_FILE, NULL);
    check_fetch(s, "t/pipe", 0, -1, NC_EBAD_FILE, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_fetch(s, wrong[i], 0, -1, NC_EREAD, NULL);
    CHECK_INT(pcdf_store_pin(s, &pin), NC_EINVAL);
    CHECK_INT(pcdf_store_list(s, "", see, &seen), NC_NOERR);
    CHECK(seen.files == 1 && seen.folders == 1 && !seen.wrong, "%d, %d", seen.files, seen.folders);
    CHECK_INT(pcdf_store_list(s, "t/", see, &seen), NC_NOERR);
    CHECK(seen.files == 3 && seen.folders == 1 && !seen.wrong, "%d, %d", seen.files, seen.folders);
    CHECK_INT(pcdf_store_list(s, "u/", see, &seen), NC_ENOENT);
    CHECK_INT(pcdf_store_list(s, "../", see, &seen), NC_EREAD);
    CHECK_INT(pcdf_store_list(s, "t/", stop_at_once, NULL), NC_EINVAL);
    pcdf_store_close(s);
}

/* What cannot be read is an error, and not what is not there: a reader takes that for values nobody wrote. */
static void check_unreadable(void)
{
    struct pcdf_store *s;
    struct seen seen = { 0 };
    mkdir("broken", 0777);
    mkdir("broken/t", 0777);
    put_file("broken/.zgroup", "{}", 2);
    unlink("broken/t/link");
    CHECK_INT(symlink("nowhere", "broken/t/link"), 0);
    unlink("broken/u");
    CHECK_INT(symlink("/nowhere/at/all", "broken/u"), 0);
    unlink("broken/.lock");
    CHECK_INT(symlink("nobody", "broken/.lock"), 0);
    CHECK_INT(pcdf_store_open("broken", NULL, &s), NC_NOERR);
    check_fetch(s, "t/0", 0, -1, NC_ENOENT, NULL);
    check_fetch(s, "v/0/1", 0, -1, NC_ENOENT, NULL);
    check_fetch(s, "t/link", 0, -1, NC_EREAD, NULL);
    CHECK(strstr(pcdf_fail_text(), "broken/t/link is a link to what is not there"), "%s", pcdf_fail_text());
    check_fetch(s, "t/link/0", 0, -1, NC_EREAD, NULL);
    check_fetch(s, "u/0", 0, -1, NC_EREAD, NULL);
    check_fetch(s, "u/0/0", 0, -1, NC_EREAD, NULL);
    CHECK_INT(pcdf_store_list(s, "", see, &seen), NC_EREAD);
    CHECK_INT(unlink("broken/u"), 0);
    seen = (struct seen){ 0 };
    CHECK_INT(pcdf_store_list(s, "", see, &seen), NC_NOERR);
    CHECK(seen.files == 1 && seen.folders == 1, "%d, %d", seen.files, seen.folders);
    CHECK(!unlink("broken/t/link") && !rmdir("broken/t") && !unlink("broken/.zgroup") &&
              !unlink("broken/.lock") && !rmdir("broken"),
          "removing");
    check_fetch(s, "t/0", 0, -1, NC_EREAD, NULL); /* the folder itself is no more */
    pcdf_store_close(s);
}

/* An object is what it was when it was first read, also where it was not there. */
static void check_changes(void)
{
    struct pcdf_store *s;
    put_file("all/one", "first", 5);
    CHECK_INT(pcdf_store_open("all", NULL, &s), NC_NOERR);
    check_fetch(s, "one", 0, 5, NC_NOERR, "first");
    check_fetch(s, "two", 0, 5, NC_ENOENT, NULL);
    put_file("all/two", "two", 3);
    CHECK(unlink("all/one") == 0, "unlink");
    check_fetch(s, "t/0.0", 0, 0, NC_NOERR, "");
    check_fetch(s, "one", 0, 5, NC_EREAD, NULL);
    put_file("all/one", "other", 6);
    check_fetch(s, "one", 1, 2, NC_EREAD, NULL);
    check_fetch(s, "two", 0, 3, NC_EREAD, NULL);
    pcdf_store_close(s);
    CHECK(unlink("all/one") == 0 && unlink("all/two") == 0, "unlink");
}

/* Each allocation fails once. */
static void check_memory(void)
{
    int64_t held = pcdf_alloc_now();
    for (int k = 1; k < 50; k++) {
        struct pcdf_store *s;
        unsigned char *bytes;
        int64_t n;
        pcdf_alloc_fail_at(k, 0);
        int err = pcdf_store_open("all", NULL, &s);
        if (!err) {
            err = pcdf_store_read_all(s, "t/0.0", 100, &bytes, &n);
            if (!err)
                pcdf_free(bytes);
            pcdf_store_close(s);
        }
        bool done = pcdf_alloc_asked() < k;
        CHECK_INT(err, done ? NC_NOERR : NC_ENOMEM);
        CHECK_INT(pcdf_alloc_now(), held);
        if (done)
            break;
    }
    pcdf_alloc_fail_at(0, 0);
}

/* Below a folder, by openat2 and, in a process where the kernel does not know it, by steps. */
static int look_below(bool has_openat2)
{
    static const struct {
        const char *path;
        bool is_good, by_steps; /* links that stay inside are followed by the kernel alone */
    } rows[] = {
        { "one", true, true },
        { "t/0.0", true, true },
        { "in", true, false },
        { "in_folder/0.0", true, false },
        { "out", false, false },
        { "up/one", false, false },
        { "root/etc/passwd", false, false },
        { "absolute", false, false },
        { "t/up2/../one", false, false },
        { "../one", false, false },
        { "/etc/passwd", false, false },
        { "", false, false },
        { ".", false, false },
        { "t//0.0", false, false },
        { "t/back/one", true, false },
        { "loop", false, false },
        { "none", false, false },
        { "one/x", false, false },
    };
    int folder = open("all", O_PATH | O_DIRECTORY), wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int fd = pcdf_below_open(folder, rows[i].path, O_RDONLY);
        bool is_good = has_openat2 ? rows[i].is_good : rows[i].by_steps;
        if ((fd >= 0) != is_good)
            fprintf(stderr, "%s %s openat2: %d\n", rows[i].path, has_openat2 ? "by" : "without", fd), wrong++;
        if (fd >= 0)
            close(fd);
    }
    close(folder);
    return wrong;
}

static bool forbid_openat2(void)
{
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 437, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = { sizeof program / sizeof *program, program };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static void check_below(void)
{
    static const char *const links[][2] = { { "all/in", "one" },      { "all/in_folder", "t" },
                                            { "all/out", "../one" },  { "all/up", ".." },
                                            { "all/root", "/" },      { "all/absolute", "/etc/passwd" },
                                            { "all/t/up2", "../.." }, { "all/t/back", ".." },
                                            { "all/loop", "loop" } };
    put_file("all/one", "first", 5);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        CHECK(symlink(links[i][1], links[i][0]) == 0 || errno == EEXIST, "link %s", links[i][0]);
    int fd = (int)syscall(437, AT_FDCWD, ".", &(uint64_t[3]){ O_RDONLY }, (size_t)24);
    if (fd >= 0)
        CHECK_INT(look_below(true), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(forbid_openat2() ? look_below(false) : 100);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status), "the child crashed");
    if (WEXITSTATUS(status) == 100)
        printf("without openat2: skipped, no seccomp\n");
    else
        CHECK_INT(WEXITSTATUS(status), 0);
    if (fd >= 0)
        close(fd);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        unlink(links[i][0]);
    unlink("all/one");
}

int main(void)
{
    struct pcdf_store *s;
    CHECK_INT(pcdf_store_open("missing", NULL, &s), NC_ENOENT);
    CHECK_INT(pcdf_store_open("/dev/null", NULL, &s), NC_EBAD_FILE);
    check_file();
    check_folder();
    check_unreadable();
    check_below();
    check_changes();
    check_memory();
    return check_done("store_files");
}
