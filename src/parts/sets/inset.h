#ifndef PCDF_INSET_H
#define PCDF_INSET_H
/* Hint pcdf_set: a new file is a member of a generation of a set (generation.h). It has the member's name
 * from create on and keeps it; the user's name becomes one more name of it when the generation is committed,
 * by the close of the last of its files, or by parcdf_set_commit. An open for reading takes the member of the
 * newest complete generation. The part is on for files that it placed so. */

#include "part.h"

extern const struct pcdf_part_ops pcdf_part_sets;
#endif
