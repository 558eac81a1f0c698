#ifndef PCDF_WAY_H
#define PCDF_WAY_H
/* How the bytes of a collective call go: what each rank would choose by itself. doc/strategies.md argues the
 * rule. */

#include "plan.h"
#include "vote.h"

/* In the log only: an independent call chooses nothing. */
#define PCDF_WAY_ALONE ((enum pcdf_way)(PCDF_WAY_VIEW + 1))

/* What would be best for this rank; *why: what decided it, a word of calllog.h. Local. */
enum pcdf_way pcdf_way_best(const struct pcdf_dataset *ds, enum pcdf_dir dir, const struct pcdf_outline *o,
                            const char **why);
/* As calllog.h lists them. */
const char *pcdf_way_name(enum pcdf_way way);
#endif
