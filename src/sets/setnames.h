#ifndef PCDF_SETNAMES_H
#define PCDF_SETNAMES_H
/* Names of what belongs to a set DIR/NAME. The functions that make paths return memory that the caller frees,
 * or NULL: no memory.
 *
 *   DIR/NAME.000042.parcdf-set          the manifest of generation 42: it is committed
 *   DIR/.NAME.000040.parcdf-removed     the manifest of one that is being removed
 *   DIR/.NAME.000041.parcdf-restored    a note: the user's names are to be those of generation 41
 *   DIR/.NAME.KEY.parcdf-parts/         a generation in the making, or one that is not published yet
 *   DIR/.NAME.KEY-WHO.parcdf-newset     a manifest that has no number yet
 *   FOLDER/.FILE.KEY.parcdf-member      a member, beside the user's name FOLDER/FILE
 *   FOLDER/.FILE.KEY.parcdf-link        for a moment, its second name, which becomes FOLDER/FILE */

#include <stdbool.h>
#include <stdint.h>
#include "setmanifest.h"

#define PCDF_MEMBER_SUFFIX ".parcdf-member"

enum pcdf_setname {
    PCDF_SET_MANIFEST,
    PCDF_SET_REMOVED,
    PCDF_SET_RESTORED,
    PCDF_SET_PARTS,
    PCDF_SET_NEW,
    PCDF_SET_OTHER
};

struct pcdf_setentry { /* a name in the folder of sets */
    enum pcdf_setname kind;
    char name[PCDF_SET_NAME + 1]; /* of the set */
    char key[PCDF_SET_KEY];       /* PARTS, NEW */
    int64_t number;               /* MANIFEST, REMOVED, RESTORED */
};
bool pcdf_setname_ends(const char *name, const char *end);
/* What a name in DIR is. */
void pcdf_setname_parse(const char *entry, struct pcdf_setentry *e);
/* May a set have this name? Letters, digits and -_+@=, and a point that is not first. */
bool pcdf_setname_is_good(const char *name);

char *pcdf_setname_numbered(const char *dir, const char *name, enum pcdf_setname kind, int64_t number);
char *pcdf_setname_keyed(const char *dir, const char *name, enum pcdf_setname kind, const char *key);
char *pcdf_setname_in(const char *folder, const char *name);  /* FOLDER/NAME */
char *pcdf_setname_folder(const char *path);                  /* of a path */
char *pcdf_setname_member(const char *file, const char *key); /* the member beside the user's name */
char *pcdf_setname_link(const char *file, const char *key);
/* The real path of a user's file, or of the one that is to be. NC_ENOENT: its folder is not there. */
int pcdf_setname_real(const char *path, char **real);
/* FOLDER/HASH.KIND: the note of a file in the folder of parts; kind: "begun", "part", "failed". */
char *pcdf_setname_note(const char *parts, const char *file, const char *kind);
#endif
