#ifndef PCDF_METAINBOX_H
#define PCDF_METAINBOX_H
/* What the library says to the second role of parcdf-map (mapwire.h). A thread takes it from the socket into
 * memory, so that the library does not wait while libhdf5 works, and so that this process ends at once when
 * the library has ended. All other threads but the main one stay out. */

#include <stdbool.h>
#include "mapwire.h"

struct pcdf_metainbox_message {
    struct pcdf_metainbox_message *next;
    struct pcdf_mapwire_message is;
    bool is_room_used;    /* pcdf_metainbox_room gave it: ENTER, FLUSH */
    unsigned char *bytes; /* NULL: none follow, or no memory */
};

int pcdf_metainbox_start(void);                           /* 0, or errno */
struct pcdf_metainbox_message *pcdf_metainbox_take(void); /* the next one; waits. For pcdf_metainbox_free */
void pcdf_metainbox_free(struct pcdf_metainbox_message *message);
int pcdf_metainbox_read(int64_t offset, int64_t length, void *to); /* bytes of the file, by the library */
/* Where metadata may lie by the first ENTER or FLUSH that has not been taken, nor asked for by this; waits.
 */
void pcdf_metainbox_room(int64_t *begin, int64_t *end);
bool pcdf_metainbox_is_awaited(void); /* does the library wait for a flush? */
void pcdf_metainbox_answered(void);
/* The room of an ENTER or a FLUSH. */
void pcdf_metainbox_room_of(const struct pcdf_metainbox_message *message, int64_t *begin, int64_t *end);
#endif
