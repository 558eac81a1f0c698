/* See zarrstore.h. */
#include "zarrstore.h"
#include "alloc.h"
#include "filekind.h"
#include "status.h"
#include "tool.h"
#include "tooloutput.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- removal, which a signal's handler may do: system calls alone */

struct entry { /* of getdents64 */
    uint64_t inode;
    int64_t next;
    uint16_t length;
    uint8_t type;
    char name[];
};

enum { TRIES = 5, ENTRIES = 2048 };

static void remove_at(int folder, const char *name);

static void empty(int fd)
{
    _Alignas(struct entry) char room[ENTRIES];
    long n;

    while ((n = syscall(SYS_getdents64, fd, room, sizeof room)) > 0)
        for (long at = 0; at < n;) {
            const struct entry *e = (const struct entry *)(const void *)(room + at);
            at += e->length;
            if (strcmp(e->name, ".") != 0 && strcmp(e->name, "..") != 0)
                remove_at(fd, e->name);
        }
}

/* Again where another process made something in it meanwhile. */
static void remove_at(int folder, const char *name)
{
    for (int i = 0; i < TRIES; i++) {
        int fd;
        if (unlinkat(folder, name, 0) == 0 || errno == ENOENT)
            return;
        fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
            return;
        empty(fd);
        close(fd);
        if (unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
            return;
    }
}

/* What is made, for the handler. */
static char making[4096 + 8], gone[sizeof making + 8];

/* Other ranks may be writing: under another name they no longer find it. All of them do this, since mpiexec
 * kills the others when the first one has ended: so that one ends when all is gone, whoever removed it. */
static void remove_making(void)
{
    if (!making[0])
        return;
    (void)rename(making, gone);
    remove_at(AT_FDCWD, gone);
    remove_at(AT_FDCWD, making);
    making[0] = '\0';
}

void pcdf_zarrstore_watch(const char *name)
{
    making[0] = '\0';
    if (name) {
        snprintf(gone, sizeof gone, "%s-gone", name);
        snprintf(making, sizeof making, "%s", name);
    }
    pcdf_tool_output_guard(name ? remove_making : NULL);
}

/* ---- the store */

char *pcdf_zarrstore_path(const char *name)
{
    static const char scheme[] = "file://";
    const char *hash = strrchr(name, '#');

    if (strncmp(name, scheme, sizeof scheme - 1) != 0 || !hash || !strstr(hash, "zarr"))
        return NULL;
    name += sizeof scheme - 1;
    return pcdf_strndup(name, (size_t)(hash - name));
}

/* A folder that holds what no store has is not replaced. */
static bool is_store(const char *path)
{
    enum pcdf_filekind kind = pcdf_filekind_of(path);
    return kind == PCDF_FILEKIND_ZARR || kind == PCDF_FILEKIND_ZARR3 || rmdir(path) == 0;
}

static int make_folder(struct pcdf_zarrstore *store, size_t room)
{
    int err = EEXIST;
    for (int n = 0; n < TRIES && err == EEXIST; n++) { /* names that killed processes left are not ours */
        snprintf(store->name, room, "%s.parcdf-%ld-%d", store->path, (long)getpid(), n);
        err = mkdir(store->name, 0777) ? errno : 0;
    }
    return err;
}

static int prepare(struct pcdf_zarrstore *store, size_t room, bool replace)
{
    struct stat st;
    bool exists = lstat(store->path, &st) == 0;

    if (exists && !replace)
        return pcdf_tool_unusable(store->path, "this exists (option -O replaces it)");
    if (exists && !(S_ISDIR(st.st_mode) && is_store(store->path)))
        return pcdf_tool_unusable(store->path, "this is no Zarr store, and is not replaced by one");
    if (room >= sizeof making)
        return pcdf_tool_unusable(store->path, "%s", strerror(ENAMETOOLONG));
    pcdf_tool_output_hold();
    int err = make_folder(store, room);
    if (!err) {
        store->is_made = true;
        pcdf_zarrstore_watch(store->name);
    }
    pcdf_tool_output_release();
    return err ? pcdf_tool_unusable(store->path, "%s", strerror(err)) : PCDF_TOOL_GOOD;
}

int pcdf_zarrstore_begin(struct pcdf_zarrstore *store, const char *to, bool replace)
{
    *store = (struct pcdf_zarrstore){ .path = pcdf_zarrstore_path(to) };
    if (!store->path)
        store->path = pcdf_strndup(to, strlen(to));
    for (size_t n = store->path ? strlen(store->path) : 0; n > 1 && store->path[n - 1] == '/'; n--)
        store->path[n - 1] = '\0';
    size_t room = store->path ? strlen(store->path) + 48 : 0;
    store->name = room ? pcdf_malloc(room) : NULL;
    int status = store->name ? prepare(store, room, replace) : pcdf_tool_unusable(to, "%s", pcdf_fail_text());
    if (status)
        pcdf_zarrstore_abandon(store);
    return status;
}

/* The store that was there goes when the new one has its name. */
static bool put_in_place(const struct pcdf_zarrstore *store)
{
    if (renameat2(AT_FDCWD, store->name, AT_FDCWD, store->path, RENAME_NOREPLACE) == 0)
        return true;
    if ((errno != EEXIST && errno != EINVAL) ||
        renameat2(AT_FDCWD, store->name, AT_FDCWD, store->path, RENAME_EXCHANGE))
        return errno == EINVAL && rename(store->name, store->path) == 0;
    remove_at(AT_FDCWD, store->name);
    if (access(store->name, F_OK) == 0)
        pcdf_tool_say(store->path, "the new store is in place; the old one cannot be removed, and is %s now",
                      store->name);
    return true;
}

int pcdf_zarrstore_commit(struct pcdf_zarrstore *store)
{
    int status = PCDF_TOOL_GOOD;

    if (put_in_place(store)) {
        pcdf_zarrstore_watch(NULL);
        store->is_made = false;
    } else {
        status = pcdf_tool_unusable(store->path, "%s", strerror(errno));
    }
    pcdf_zarrstore_abandon(store);
    return status;
}

void pcdf_zarrstore_abandon(struct pcdf_zarrstore *store)
{
    if (store->is_made) {
        remove_making();
        pcdf_zarrstore_watch(NULL);
    }
    pcdf_free(store->name);
    pcdf_free(store->path);
    *store = (struct pcdf_zarrstore){ 0 };
}
