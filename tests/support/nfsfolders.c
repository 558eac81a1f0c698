/* A part of the preloaded client of NFS (nfsshim.c): the names of a folder that were listed once are answered
 * from what the client keeps, for 30 s, as Linux does (acdirmin), until the process changes a name in the
 * folder itself, or statx(AT_STATX_FORCE_SYNC) asks the server about the folder. */
#include "nfsfolders.h"
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))
enum { FOLDERS = 64, STREAMS = 16, EXPIRES = 30 };

static struct folder { /* what the client keeps of one */
    char path[PATH_MAX];
    struct dirent *names;
    size_t n, room;
    time_t since; /* 0: nothing is kept */
} folders[FOLDERS];
static struct stream {
    DIR *dir;
    struct folder *folder;
    size_t next;
    bool has_begun;
} streams[STREAMS];

static void *next_of(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

void nfs_folder_forget(const char *path)
{
    char real[PATH_MAX];
    for (int i = 0; path && realpath(path, real) && i < FOLDERS; i++)
        if (strcmp(folders[i].path, real) == 0)
            folders[i].since = 0;
}

void nfs_folder_changed(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (!path)
        return;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    nfs_folder_forget(folder);
}

void nfs_folder_fresh(int at, const char *path)
{
    char name[64], real[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", at);
    ssize_t n = *path ? -1 : readlink(name, real, sizeof real - 1);
    if (n > 0)
        real[n] = '\0';
    nfs_folder_forget(n > 0 ? real : path);
}

static struct folder *folder_of(const char *path)
{
    char real[PATH_MAX];
    if (!realpath(path, real))
        return NULL;
    for (int i = 0; i < FOLDERS; i++)
        if (strcmp(folders[i].path, real) == 0 || !folders[i].path[0]) {
            snprintf(folders[i].path, sizeof folders[i].path, "%s", real);
            return &folders[i];
        }
    folders[0].since = 0; /* the client has no room: the first one is forgotten */
    snprintf(folders[0].path, sizeof folders[0].path, "%s", real);
    return &folders[0];
}

PUBLIC DIR *opendir(const char *path)
{
    DIR *(*real)(const char *);
    void *found = next_of("opendir");
    memcpy(&real, &found, sizeof real);
    DIR *dir = real(path);
    for (int i = 0; dir && nfs_is_below(path) && i < STREAMS; i++)
        if (!streams[i].dir) {
            streams[i] = (struct stream){ .dir = dir, .folder = folder_of(path) };
            break;
        }
    return dir;
}

static void list_from_server(DIR *dir, struct folder *f)
{
    struct dirent *(*real)(DIR *), *e;
    void *found = next_of("readdir");
    memcpy(&real, &found, sizeof real);
    f->n = 0;
    while ((e = real(dir))) {
        if (f->n == f->room) {
            f->room = f->room * 2 + 64;
            f->names = realloc(f->names, f->room * sizeof *f->names);
        }
        memcpy(&f->names[f->n++], e, e->d_reclen < sizeof *e ? e->d_reclen : sizeof *e);
    }
    f->since = time(NULL);
}

/* On machines of 64 bits readdir64 is the same, and what large files make of this one. */
PUBLIC struct dirent *readdir(DIR *dir)
{
    struct dirent *(*real)(DIR *);
    for (int i = 0; i < STREAMS; i++) {
        struct stream *s = &streams[i];
        if (s->dir != dir || !s->folder)
            continue;
        struct folder *f = s->folder;
        if (!s->has_begun && (!f->since || time(NULL) - f->since >= EXPIRES))
            list_from_server(dir, f);
        s->has_begun = true;
        return s->next < f->n ? &f->names[s->next++] : NULL;
    }
    void *found = next_of("readdir");
    memcpy(&real, &found, sizeof real);
    return real(dir);
}

PUBLIC int closedir(DIR *dir)
{
    int (*real)(DIR *);
    void *found = next_of("closedir");
    memcpy(&real, &found, sizeof real);
    for (int i = 0; i < STREAMS; i++)
        if (streams[i].dir == dir)
            streams[i] = (struct stream){ .dir = NULL };
    return real(dir);
}

/* ---- what the process changes itself it knows */

PUBLIC int unlink(const char *path)
{
    nfs_folder_changed(path);
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

PUBLIC int rmdir(const char *path)
{
    nfs_folder_changed(path);
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

PUBLIC int mkdir(const char *path, mode_t mode)
{
    nfs_folder_changed(path);
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

PUBLIC int mknod(const char *path, mode_t mode, dev_t device)
{
    nfs_folder_changed(path);
    return (int)syscall(SYS_mknodat, AT_FDCWD, path, mode, device);
}

PUBLIC int link(const char *from, const char *to)
{
    nfs_folder_changed(to);
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

PUBLIC int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    nfs_folder_changed(from);
    nfs_folder_changed(to);
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

PUBLIC int rename(const char *from, const char *to)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}
