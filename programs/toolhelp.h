#ifndef PCDF_TOOLHELP_H
#define PCDF_TOOLHELP_H
/* What `parcdf help` says: the overview, a command's page, and all of it for programs to read. */

#include "tool.h"

/* The commands by what people want, a line each. */
void pcdf_tool_overview(FILE *to, const struct pcdf_tool_command *const *commands, int n);

/* Usage and help of a command. */
void pcdf_tool_page(FILE *to, const struct pcdf_tool_command *command);

/* A row a command and a row an option, between tabs, for completion:
 *   command NAME SUMMARY
 *   option  NAME WORDS ARGUMENT MEANING     words between spaces, as "-o --output"; argument "-": none
 * The options are the lines of the help that begin with two spaces and a dash. */
void pcdf_tool_list(FILE *to, const struct pcdf_tool_command *const *commands, int n);
#endif
