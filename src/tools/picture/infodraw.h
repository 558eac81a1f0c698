#ifndef PCDF_INFODRAW_H
#define PCDF_INFODRAW_H
/* What info found, as a picture or as JSON, on standard output. */

#include "infofacts.h"

struct pcdf_info_style {
    bool has_all, is_json;
};

void pcdf_info_draw(const struct pcdf_info *info, const struct pcdf_info_style *style);
void pcdf_info_json(const struct pcdf_info *info);
#endif
