#ifndef PCDF_COPYEDIT_H
#define PCDF_COPYEDIT_H
/* Names and attributes that the copy has instead of those of the input: `--rename`, `--drop`, `--set`. Local.
 *
 * OLD=NEW is a variable, a dimension, or both, such as a coordinate variable; VAR:OLD=NEW an attribute,
 * :OLD=NEW a global one, *:OLD=NEW one of all variables that have it. A backslash before : or = makes them
 * part of a name. Renames happen all at once, and attributes that name variables or dimensions (CF:
 * coordinates, bounds, cell_methods and others) follow. */

#include "copyoptions.h"
#include "toolfile.h"

/* --drop VAR: the variable is not chosen. Says what is not there, UNUSABLE. */
int pcdf_copy_edit_choose(const struct pcdf_copy_options *options, const struct pcdf_tool_dataset *ds,
                          bool *chosen);
/* Does it drop a variable? */
bool pcdf_copy_edit_drops(const struct pcdf_copy_options *options);
/* All others, of the copy's definitions. path: for sentences. */
int pcdf_copy_edit(const struct pcdf_copy_options *options, const char *path, struct pcdf_meta *meta);
#endif
