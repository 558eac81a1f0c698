#ifndef PCDF_REFRESH_H
#define PCDF_REFRESH_H
/* A reader asks what became of a file that another job writes: new records, or other definitions. */

#include "dataset.h"

extern const struct pcdf_part_ops pcdf_part_follow;

/* parcdf_refresh: collective in collective data mode, local in independent data mode. */
int pcdf_refresh_all(struct pcdf_dataset *ds);
/* A number of the definitions as this handle knows them, not below 0. Local. */
int pcdf_refresh_generation(const struct pcdf_dataset *ds, int64_t *generation);
#endif
