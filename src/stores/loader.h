#ifndef PCDF_LOADER_H
#define PCDF_LOADER_H
/* Finds plug-ins and loads each once a process. Where: the folder that PARCDF_PLUGINS names (absolute, and
 * then no other); beside the library or program, in parcdf/ and ../lib/parcdf and plugins/ (a build); where
 * they were to be installed. Never the working folder, PATH or LD_LIBRARY_PATH. Any thread. */

#include "plugin.h"

/* "codecs", "hdf5", "hdf4", "curl". NC_ENOTBUILT: it is missing, or of another version; the sentence says
 * which file was looked for, where, and `what` needs it ("x.nc4 is an HDF5 file"). */
int pcdf_plugin_load(const char *name, const char *what, const struct pcdf_plugin **plugin);
/* The path of the program parcdf-map, beside the plug-ins; NULL: it is not there. The caller frees it. */
char *pcdf_plugin_program(const char *name);
const char *pcdf_plugin_folder(void); /* for sentences: where plug-ins are looked for */
#endif
