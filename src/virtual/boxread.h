#ifndef PCDF_BOXREAD_H
#define PCDF_BOXREAD_H
/* Boxes of variables are read: straight to their memory, or by parts in a stage, from which the values are
 * taken. Local. */

#include "boxes.h"
#include "virtual.h"

/* What the storage "virtual" does for pcdf_storage_get_boxes. */
int pcdf_boxes_read(struct pcdf_virtual *v, const struct pcdf_boxes *boxes);
#endif
