#ifndef PCDF_SETPUBLISH_H
#define PCDF_SETPUBLISH_H
/* What follows a commit: the user's names, and what is of no use any more. Each function may be ended by a
 * crash anywhere and called again, and by several processes at once. */

#include "set.h"

/* What follows is done for every set: the first error is kept, and the rest tried. */

/* Each user's name in `m` becomes that of the newest generation that has it. The caller knows that the folder
 * of parts of `m` is there: without it the names are the user's own. */
int pcdf_set_publish(const struct pcdf_set *set, const struct pcdf_setmanifest *m);
/* Each user's name in `m` becomes the member of `m`; in a copy of the folder, only those below DIR. */
int pcdf_set_give_names(const struct pcdf_set *set, const struct pcdf_setmanifest *m);
/* Goes on with what pcdf_set_restore began. list: what DIR had before. */
int pcdf_set_finish_restored(const struct pcdf_set *set, const struct pcdf_setlist *list);
/* The folder of parts goes, and manifests of the key that got no number: the parts first, so that what is
 * left after a crash is never complete. */
int pcdf_set_clean(const struct pcdf_set *set, const char *key);
int pcdf_set_clean_news(const struct pcdf_set *set, const char *key); /* those manifests alone */
/* Generations older than the newest `keep` whole ones go. */
int pcdf_set_keep(const struct pcdf_set *set, int64_t keep);
/* The removal of a generation whose manifest is no manifest any more. Of files elsewhere than below DIR only
 * members go, and names that are the same file, by a manifest of this user's (or root's) that lies where it
 * was written. By one of a user who is neither this one, root, nor whose DIR is, nothing goes. */
int pcdf_set_remove(const struct pcdf_set *set, int64_t number);
#endif
