/* See sidename.h. */
#include "sidename.h"
#include "alloc.h"
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NAME_BYTES = 255 };

char *pcdf_sidename_beside(const char *path, const char *suffix)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t folder = (size_t)(name - path), length = strlen(name), more = strlen(suffix) + 1, tail = 17;
    char *made = pcdf_malloc(folder + length + more + tail + 1);
    if (!made)
        return NULL;
    if (length + more <= NAME_BYTES) {
        snprintf(made, folder + length + more + 1, "%.*s.%s%s", (int)folder, path, name, suffix);
        return made;
    }
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    /* The cut is not within a character, as some file systems take UTF-8 only. */
    size_t cut = NAME_BYTES - more - tail;
    while (cut > 0 && ((unsigned char)name[cut] & 0xc0) == 0x80)
        cut--;
    snprintf(made, folder + NAME_BYTES + 1, "%.*s.%.*s~%016" PRIx64 "%s", (int)folder, path, (int)cut, name,
             hash, suffix);
    return made;
}

bool pcdf_sidename_is_ours(const struct stat *side, const char *data, const char *path)
{
    struct stat st, parent;
    if (!S_ISREG(side->st_mode) || side->st_nlink != 1)
        return false;
    if (stat(data, &st)) /* not made yet, or gone: by this user */
        st = (struct stat){ .st_uid = geteuid() };
    if (side->st_uid == geteuid() || side->st_uid == 0 || side->st_uid == st.st_uid || (st.st_mode & S_IWOTH))
        return true;
    if (!(st.st_mode & S_IWGRP) || side->st_gid != st.st_gid)
        return false;

    /* A group that a folder hands down proves nothing where anybody may make files, as perhaps in a folder
     * that cannot be looked at. (Who may write a folder without a sticky bit may put another file in the
     * data's place anyway.) */
    const char *slash = strrchr(path, '/');
    char *folder = slash ? pcdf_strndup(path, slash > path ? (size_t)(slash - path) : 1) : NULL;
    bool is_known = (folder || !slash) && !stat(folder ? folder : ".", &parent);
    pcdf_free(folder);
    return is_known && !(parent.st_mode & S_IWOTH);
}
