#ifndef PCDF_MEANINGNAMES_H
#define PCDF_MEANINGNAMES_H
/* Attributes whose text names variables or dimensions, and which variables belong to others because of them.
 * Pure. */

#include "meaningtext.h"

/* Which words are names. "area: cell_area" of cell_measures: those without a colon; "time: mean" of
 * cell_methods: those with one; "crs: x y" of grid_mapping: both. */
enum { PCDF_NAMES_PLAIN = 1, PCDF_NAMES_COLON = 2 };
/* 0: the attribute names nothing. */
int pcdf_meaning_names(const char *attribute);

/* The next variable that attribute `name` names, without its colon, cut from `rest`, which begins as the
 * attribute's part; length 0: none is left, or it names no variables that belong to its own. */
struct pcdf_meaning_slice pcdf_meaning_next_variable(const char *name, struct pcdf_meaning_slice *rest);
/* The variable that a word of an attribute of `var` names; -1: none. */
int pcdf_meaning_variable(const struct pcdf_meta *meta, const struct pcdf_var *var,
                          struct pcdf_meaning_slice word);

/* Adds to `chosen`, which is by varid, what the chosen variables need to be understood: coordinate variables
 * of their dimensions, variables that their attributes name, and what those need. NC_ENOMEM. */
int pcdf_meaning_bring(const struct pcdf_meta *meta, bool *chosen);
#endif
