#ifndef PCDF_COPYFOLLOW_H
#define PCDF_COPYFOLLOW_H
/* `parcdf copy --stream --follow FROM -`: a file that another job writes, with each record as it comes. */

#include "copyoptions.h"

/* Until a signal asks to end (what was counted by then is sent), --records are sent, nothing came for
 * --timeout, or FROM is no longer that file. A status: BAD where it is another one, or where fewer records
 * came than were asked for. */
int pcdf_copy_follow(const struct pcdf_copy_options *options, const char *path);
#endif
