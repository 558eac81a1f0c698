#ifndef PCDF_BYNAME_H
#define PCDF_BYNAME_H
/* What needs a file's name and no open file. Local. */

int pcdf_check_path(const char *path); /* NC_EBAD_FILE: it is empty */
/* Of files that are created from now on, NC_FORMAT_*; old may be NULL; NC_EINVAL. */
int pcdf_default_format(int format, int *old);
int pcdf_default_format_now(void);
int pcdf_file_format(const char *path, int *format);
/* With what lies beside it. */
int pcdf_file_delete(const char *path);
#endif
