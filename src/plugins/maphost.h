#ifndef PCDF_MAPHOST_H
#define PCDF_MAPHOST_H
/* What a plug-in that makes maps is given by parcdf-map. */

#include <stdio.h>
#include "image.h"
#include "plugin.h"

struct pcdf_mapbuild; /* into an image */

/* alive: of the program. */
int pcdf_mapbuild_begin(struct pcdf_image *image, void (*alive)(void), struct pcdf_mapbuild **b);
struct pcdf_map_builder pcdf_mapbuild_functions(struct pcdf_mapbuild *b);
int pcdf_mapbuild_finish(struct pcdf_mapbuild *b); /* and frees it */
void pcdf_mapbuild_free(struct pcdf_mapbuild *b);

/* What the plug-in says, as text: for tests, and to see what goes wrong. */
struct pcdf_map_builder pcdf_mapprint_functions(FILE *to);
#endif
