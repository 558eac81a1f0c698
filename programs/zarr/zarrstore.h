#ifndef PCDF_ZARRSTORE_H
#define PCDF_ZARRSTORE_H
/* A folder that a copy makes: like tooloutput.h's file it is made under another name and gets its own when it
 * is whole; no failure, and no signal that ends the program, leaves a part of it. Local: on one rank; one at
 * a time. */

#include <stdbool.h>

struct pcdf_zarrstore {
    char *path; /* of the folder */
    char *name; /* where it is made */
    bool is_made;
};

/* to: a path or a URL file://...#mode=nczarr. Says what is wrong, gives UNUSABLE; then there is nothing to
 * end. */
int pcdf_zarrstore_begin(struct pcdf_zarrstore *store, const char *to, bool replace);
int pcdf_zarrstore_commit(struct pcdf_zarrstore *store);
void pcdf_zarrstore_abandon(struct pcdf_zarrstore *store);
/* On the other ranks, while they write to what is made under that name: a signal removes it there, too. NULL:
 * no more. */
void pcdf_zarrstore_watch(const char *name);
/* "file:///x#mode=nczarr,file": the part that is a path, to free; NULL: not such a URL (or no memory). */
char *pcdf_zarrstore_path(const char *name);
#endif
