#ifndef PCDF_MAPHOST_H
#define PCDF_MAPHOST_H
/* What plug-ins are given by parcdf-map, and its parts. */

#include <stdio.h>
#include "image.h"
#include "plugin.h"

struct pcdf_mapbuild; /* into an image */

/* alive: of the program. */
int pcdf_mapbuild_begin(struct pcdf_image *image, void (*alive)(void), struct pcdf_mapbuild **b);
struct pcdf_map_builder pcdf_mapbuild_functions(struct pcdf_mapbuild *b);
int pcdf_mapbuild_finish(struct pcdf_mapbuild *b); /* and frees it */
void pcdf_mapbuild_free(struct pcdf_mapbuild *b);

/* maphost.c: the socket. Where the library is gone, nobody needs this process: then it ends. */
void pcdf_maphost_get(void *to, size_t n);
void pcdf_maphost_send(const void *from, size_t n);
void pcdf_maphost_say(int what, int code, int64_t offset, int64_t length); /* of mapwire.h */
void pcdf_maphost_say_failure(int err);                                    /* with the sentence kept */
void pcdf_maphost_alive(void);                                             /* once a second at most */
int pcdf_maphost_read(void *context, int64_t offset, int64_t length, void *to);

/* metahost.c: behind the hello; until the library is gone, or something failed. size: of the file. */
int pcdf_metahost_serve(const char *kind, int64_t size);

/* What the plug-in says, as text: for tests, and to see what goes wrong. */
struct pcdf_map_builder pcdf_mapprint_functions(FILE *to);
#endif
