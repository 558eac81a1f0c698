#ifndef PCDF_INFODRAW_H
#define PCDF_INFODRAW_H
/* What info found, as tables and a picture or as JSON, on standard output. Both give an exit status:
 * has_ranges reads values, and coordinate variables are read at their ends. */

#include "infofacts.h"

struct pcdf_info_style {
    bool has_all, has_ranges, is_verbose, is_json;
};

int pcdf_info_draw(const struct pcdf_info *info, const struct pcdf_info_style *style);
int pcdf_info_json(const struct pcdf_info *info, const struct pcdf_info_style *style);
#endif
