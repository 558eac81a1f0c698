#ifndef PCDF_COPYSET_H
#define PCDF_COPYSET_H
/* Attributes from what a user writes. */

#include "meta.h"

/* Adds or replaces the attribute of a variable, or of the file (NC_GLOBAL). Numbers with commas between them
 * keep the type of the attribute that is there; _FillValue and others that are values of the variable have
 * its type; else they are int, or double, or what a letter behind them says, as in CDL. All else is text, and
 * so is what stands in quotes. Says what is wrong, UNUSABLE. */
int pcdf_copy_set(struct pcdf_meta *meta, int varid, const char *name, const char *value, const char *path);
#endif
