#ifndef PCDF_TOOLKIND_H
#define PCDF_TOOLKIND_H
/* The words for kinds of files, as nccopy and ncgen have them. Pure. */

#include <stdbool.h>

/* 1, 2 or 5: `word` in any case of letters; 0: it is none of them. */
int pcdf_tool_kind(const char *word);

/* A kind that commands write: that, or one of these. 0: none of them. */
enum { PCDF_TOOL_NETCDF4 = 4, PCDF_TOOL_NETCDF4_CLASSIC = 7 };
int pcdf_tool_format(const char *word);
bool pcdf_tool_format_is_netcdf4(int format);
/* 1, 2 or 5: of the definitions; those of netCDF-4 are as CDF-5 has them. */
int pcdf_tool_format_version(int format);
#endif
