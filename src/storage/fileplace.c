/* See fileplace.h. */
#include "fileplace.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "alloc.h"
#include "filesystem.h"
#include "hash.h"
#include "posixio.h"

static struct pcdf_fileid id_of(const struct stat *st)
{
    return (struct pcdf_fileid){ .device = (int64_t)st->st_dev, .inode = (int64_t)st->st_ino };
}

struct pcdf_fileid pcdf_fileplace_of(int fd)
{
    struct stat st;
    bool is_proof = fd >= 0 && !fstat(fd, &st) && !pcdf_filesystem_of(fd)->numbers_by_client;
    return is_proof ? id_of(&st) : (struct pcdf_fileid){ 0 };
}

struct pcdf_fileid pcdf_fileplace_at(const char *path)
{
    struct stat st;
    return !stat(pcdf_path_posix(path), &st) ? id_of(&st) : (struct pcdf_fileid){ 0 };
}

/* ---- names */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Puts what a link says in the place of its path. False: it is no link, or the whole is too long. */
static bool follow_link(char path[PATH_MAX])
{
    char link[PATH_MAX];
    ssize_t n = readlink(path, link, sizeof link - 1);
    size_t folder = (size_t)(last_part(path) - path);
    if (n <= 0)
        return false;
    link[n] = '\0';
    if (*link == '/')
        folder = 0;
    if (folder + (size_t)n >= PATH_MAX)
        return false;
    strcpy(path + folder, link);
    return true;
}

/* Where the links of the last part end. False: the path is too long for any file. */
static bool end_of_links(const char *path, char room[PATH_MAX])
{
    enum { MOST = 40 }; /* more are a loop, as for the system */
    const char *posix = pcdf_path_posix(path);
    if (strlen(posix) >= PATH_MAX)
        return false;
    strcpy(room, posix);
    for (int i = 0; i < MOST && follow_link(room); i++)
        ;
    return true;
}

struct pcdf_filename pcdf_fileplace_name(const char *path)
{
    struct pcdf_filename n = { .name = "" };
    char whole[PATH_MAX], folder[PATH_MAX + 2];
    if (!end_of_links(path, whole))
        return n;
    const char *last = last_part(whole);
    size_t length = strlen(last);
    if (length > NAME_MAX) /* no file has such a name */
        return n;
    snprintf(folder, sizeof folder, "%.*s.", (int)(last - whole), whole); /* "" is the working folder */
    n.folder = pcdf_fileplace_at(folder);
    memcpy(n.name, last, length + 1);
    return n;
}

bool pcdf_filename_is_same(const struct pcdf_filename *a, const struct pcdf_filename *b)
{
    return pcdf_fileid_is(a->folder, b->folder) && strcmp(a->name, b->name) == 0;
}

/* Takes away repeated slashes, "." and, as if there were no links, "..". The path begins with a slash. False:
 * ".." led above that. */
static bool shorten(char *path)
{
    char *end = path;
    bool is_below = true;
    for (const char *part = path; *part;) {
        part += strspn(part, "/");
        size_t n = strcspn(part, "/");
        if (n == 2 && memcmp(part, "..", n) == 0) {
            is_below &= end > path;
            while (end > path && *--end != '/')
                ;
        } else if (n > 0 && !(n == 1 && *part == '.')) {
            *end++ = '/';
            memmove(end, part, n);
            end += n;
        }
        part += n;
    }
    *end = '\0';
    return is_below;
}

enum { ROOT = 1 }; /* its number */

/* Part by part, so that the number of a folder is all that is needed for those of paths in it. 0: it leads
 * above the folder. */
static uint64_t hash_parts(uint64_t folder, char *parts)
{
    uint64_t both[2] = { folder };
    if (!shorten(parts) && folder != ROOT)
        return 0;
    for (size_t n; *parts; parts += n) {
        parts++;
        n = strcspn(parts, "/");
        both[1] = pcdf_hash_bytes(parts, n);
        both[0] = pcdf_hash_bytes(both, sizeof both) | 1;
    }
    return both[0];
}

uint64_t pcdf_fileplace_hash_in(uint64_t folder, const char *path)
{
    const char *posix = pcdf_path_posix(path);
    char parts[PATH_MAX + 1];
    if (strlen(posix) >= PATH_MAX) /* no file has it */
        return pcdf_hash_text(path) | 1;
    snprintf(parts, sizeof parts, "/%s", posix);
    return hash_parts(*posix == '/' ? ROOT : folder, parts);
}

uint64_t pcdf_fileplace_hash(const char *path)
{
    char whole[2 * PATH_MAX + 2] = "";
    const char *posix = pcdf_path_posix(path);
    if (strlen(posix) >= PATH_MAX)
        return pcdf_hash_text(path) | 1;
    if (*posix != '/' && !getcwd(whole, PATH_MAX))
        *whole = '\0';
    size_t n = strlen(whole);
    snprintf(whole + n, sizeof whole - n, "/%s", posix);
    return hash_parts(ROOT, whole);
}

/* ---- paths that stay true */

static bool leads_to(const char *path, struct pcdf_fileid file)
{
    return pcdf_fileid_is(pcdf_fileplace_at(path), file);
}

/* The working folder from the root on. False: it is not known, or cannot be reached that way (su from a
 * private folder). Asks the file system once for each folder, since it is a message to a server perhaps. */
static bool working_folder(char folder[PATH_MAX])
{
    static _Thread_local char reached[PATH_MAX];
    if (!getcwd(folder, PATH_MAX) || *folder != '/')
        return false;
    if (strcmp(folder, reached) != 0 && !leads_to(folder, pcdf_fileplace_at(".")))
        return false;
    strcpy(reached, folder);
    return true;
}

char *pcdf_fileplace_absolute(const char *path)
{
    const char *posix = pcdf_path_posix(path);
    char folder[PATH_MAX];
    size_t prefix = (size_t)(posix - path);
    if (*posix == '/' || !working_folder(folder) || strlen(folder) + 1 + strlen(posix) >= PATH_MAX)
        return pcdf_strndup(path, strlen(path));
    size_t size = prefix + strlen(folder) + 1 + strlen(posix) + 1;
    char *made = pcdf_malloc(size);
    if (made)
        snprintf(made, size, "%.*s%s/%s", (int)prefix, path, folder[1] ? folder : "", posix);
    return made;
}

/* proc(5): the name by which it was opened, which follows renames. */
static bool ask_system(int fd, struct pcdf_fileid file, char room[PATH_MAX])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, room, PATH_MAX - 1);
    room[n > 0 ? n : 0] = '\0';
    return n > 0 && leads_to(room, file);
}

/* Another name in the folder of the path: it got a second one, and lost the first. */
static bool search_folder(const char *path, struct pcdf_fileid file, char room[PATH_MAX])
{
    enum { MOST = 1 << 20 };
    const char *posix = pcdf_path_posix(path);
    size_t folder = (size_t)(last_part(posix) - posix);
    bool found = false;
    if (folder + NAME_MAX >= PATH_MAX)
        return false;
    snprintf(room, PATH_MAX, "%.*s.", (int)folder, posix);
    DIR *names = opendir(room);
    const struct dirent *entry;
    for (int i = 0; names && !found && i < MOST && (entry = readdir(names)); i++) {
        if ((int64_t)entry->d_ino != file.inode || strlen(entry->d_name) > NAME_MAX)
            continue;
        strcpy(room + folder, entry->d_name);
        found = leads_to(room, file);
    }
    if (names)
        closedir(names);
    return found;
}

bool pcdf_fileplace_now(int fd, const char *path, char room[PATH_MAX])
{
    struct pcdf_fileid own = pcdf_fileplace_of(fd);
    struct stat st;
    bool is_there = own.inode == 0 || leads_to(path, own);
    if (!is_there && ask_system(fd, own, room))
        return true;
    if (!is_there && !fstat(fd, &st) && st.st_nlink > 0 && search_folder(path, own, room))
        return true;
    snprintf(room, PATH_MAX, "%s", path);
    return is_there;
}
