/* See zarrstore.h. */
#include "zarrstore.h"
#include "alloc.h"
#include "foreign.h"
#include "status.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    return remove(path);
}

static void remove_folder(const char *path)
{
    enum { OPEN_AT_ONCE = 16 };
    (void)nftw(path, remove_one, OPEN_AT_ONCE, FTW_DEPTH | FTW_PHYS);
}

/* A folder that holds what no store has is not replaced. */
static bool is_store(const char *path)
{
    return pcdf_foreign_kind_of(path) == PCDF_FOREIGN_NCZARR || rmdir(path) == 0;
}

static int prepare(struct pcdf_zarr_store *store, bool replace)
{
    struct stat st;
    bool exists = stat(store->path, &st) == 0;

    if (exists && !replace)
        return pcdf_tool_unusable(store->path, "this exists (option -O replaces it)");
    if (exists && !(S_ISDIR(st.st_mode) && is_store(store->path)))
        return pcdf_tool_unusable(store->path, "this is no Zarr store, and is not replaced by one");
    if (mkdir(store->name, 0777) || (store->fd = open(store->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
        return pcdf_tool_unusable(store->path, "%s", strerror(errno));
    return PCDF_TOOL_GOOD;
}

int pcdf_zarr_begin(struct pcdf_zarr_store *store, const char *to, bool replace)
{
    *store = (struct pcdf_zarr_store){ .fd = -1 };
    store->path = pcdf_foreign_zarr_path(to);
    if (!store->path)
        store->path = pcdf_strndup(to, strlen(to));
    for (size_t n = store->path ? strlen(store->path) : 0; n > 1 && store->path[n - 1] == '/'; n--)
        store->path[n - 1] = '\0';
    size_t room = store->path ? strlen(store->path) + 40 : 0;
    store->name = room ? pcdf_malloc(room) : NULL;
    int status = PCDF_TOOL_UNUSABLE;
    if (store->name) {
        snprintf(store->name, room, "%s.parcdf-%ld", store->path, (long)getpid());
        status = prepare(store, replace);
    } else {
        pcdf_tool_say(to, "%s", pcdf_fail_text());
    }
    if (!status) /* by a descriptor: not every character is safe in a URL */
        snprintf(store->url, sizeof store->url, "file:///proc/self/fd/%d#mode=nczarr,file", store->fd);
    else
        pcdf_zarr_abandon(store);
    return status;
}

/* The store that was there goes when the new one has its name. */
static bool put_in_place(const struct pcdf_zarr_store *store)
{
    if (renameat2(AT_FDCWD, store->name, AT_FDCWD, store->path, RENAME_NOREPLACE) == 0)
        return true;
    if ((errno != EEXIST && errno != EINVAL) ||
        renameat2(AT_FDCWD, store->name, AT_FDCWD, store->path, RENAME_EXCHANGE))
        return errno == EINVAL && rename(store->name, store->path) == 0;
    remove_folder(store->name);
    return true;
}

int pcdf_zarr_commit(struct pcdf_zarr_store *store)
{
    int status = PCDF_TOOL_GOOD;

    if (syncfs(store->fd) || !put_in_place(store)) {
        status = pcdf_tool_unusable(store->path, "%s", strerror(errno));
        pcdf_zarr_abandon(store);
        return status;
    }
    pcdf_free(store->name);
    store->name = NULL;
    pcdf_zarr_abandon(store);
    return status;
}

void pcdf_zarr_abandon(struct pcdf_zarr_store *store)
{
    if (store->fd >= 0) {
        close(store->fd);
        remove_folder(store->name ? store->name : "");
    }
    pcdf_free(store->name);
    pcdf_free(store->path);
    *store = (struct pcdf_zarr_store){ .fd = -1 };
}
