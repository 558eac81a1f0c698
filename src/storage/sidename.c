/* See sidename.h. */
#include "sidename.h"
#include "alloc.h"
#include "status.h"
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NAME_BYTES = 255, LAST_OTHER = 9 };

/* FNV-1a. */
static uint64_t hash_of(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash;
}

/* Not within a character: some file systems take UTF-8 only. */
static size_t cut_before(const char *name, size_t n)
{
    while (n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80)
        n--;
    return n;
}

char *pcdf_sidename_beside(const char *path, const char *suffix)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t folder = (size_t)(name - path), length = strlen(name), more = strlen(suffix) + 1, hash = 17;
    char *made = pcdf_malloc(folder + length + more + hash + 1);
    if (!made)
        return NULL;
    if (length + more <= NAME_BYTES)
        snprintf(made, folder + length + more + 1, "%.*s.%s%s", (int)folder, path, name, suffix);
    else
        snprintf(made, folder + NAME_BYTES + 1, "%.*s.%.*s~%016" PRIx64 "%s", (int)folder, path,
                 (int)cut_before(name, NAME_BYTES - more - hash), name, hash_of(name), suffix);
    return made;
}

/* One that cannot be looked at might be anybody's. */
static void look_at_folder(const char *path, struct stat *st)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? pcdf_strndup(path, slash > path ? (size_t)(slash - path) : 1) : NULL;
    if ((slash && !folder) || stat(folder ? folder : ".", st))
        *st = (struct stat){ .st_mode = S_IWOTH };
    pcdf_free(folder);
}

/* A group that a folder hands down proves nothing where anybody may make files. (Who may write a folder
 * without a sticky bit may put another file in the data's place anyway.) */
bool pcdf_sidename_is_ours(const struct stat *side, const struct stat *data, const char *path)
{
    struct stat folder;
    if (!S_ISREG(side->st_mode) || side->st_nlink != 1)
        return false;
    if (side->st_uid == geteuid() || side->st_uid == 0 || side->st_uid == data->st_uid ||
        (data->st_mode & S_IWOTH))
        return true;
    if (!(data->st_mode & S_IWGRP) || side->st_gid != data->st_gid)
        return false;
    look_at_folder(path, &folder);
    return !(folder.st_mode & S_IWOTH);
}

static char *numbered_name(const char *path, int n, const char *suffix)
{
    char numbered[64];
    if (n == 0)
        return pcdf_sidename_beside(path, suffix);
    snprintf(numbered, sizeof numbered, ".%d%s", n, suffix);
    return pcdf_sidename_beside(path, numbered);
}

int pcdf_sidename_find(const char *path, const char *suffix, char **side, bool *is_there)
{
    struct stat data, st;
    char *first_free = NULL;
    if (stat(path, &data)) /* not made yet, or gone: by this user */
        data = (struct stat){ .st_uid = geteuid() };
    *is_there = false;
    for (int n = 0; n <= LAST_OTHER; n++) {
        char *name = numbered_name(path, n, suffix);
        if (!name) {
            pcdf_free(first_free);
            return PCDF_FAIL(NC_ENOMEM, "no memory for the name beside %s", path);
        }
        bool exists = !lstat(name, &st);
        if (exists && pcdf_sidename_is_ours(&st, &data, name)) {
            pcdf_free(first_free);
            *is_there = true;
            *side = name;
            return NC_NOERR;
        }
        if (!exists && !first_free)
            first_free = name;
        else
            pcdf_free(name);
    }
    *side = first_free;
    return first_free
               ? NC_NOERR
               : PCDF_FAIL(NC_EACCESS, "files of others have all names for .NAME%s beside %s", suffix, path);
}
