/* See shown.h. */

#include "shown.h"
#include "alloc.h"
#include "image.h"
#include "nodecache.h"

struct pcdf_shown *pcdf_shown_make(void)
{
    struct pcdf_shown *shown = pcdf_calloc(1, sizeof *shown);
    if (shown && !(shown->image = pcdf_calloc(1, sizeof *shown->image))) {
        pcdf_free(shown);
        shown = NULL;
    }
    return shown;
}

void pcdf_shown_free(struct pcdf_shown *shown)
{
    if (!shown)
        return;
    pcdf_nodecache_leave(shown->node);
    pcdf_image_free(shown->image);
    pcdf_free(shown->image);
    pcdf_free(shown);
}

bool pcdf_shown_is_other(const struct pcdf_shown *shown)
{
    return shown && shown->image->kind != PCDF_SOURCE_CLASSIC;
}

int pcdf_shown_format(const struct pcdf_shown *shown)
{
    return pcdf_source_kind_format(shown->image->kind);
}

int64_t pcdf_shown_header_size(const struct pcdf_shown *shown)
{
    return shown->image->header_size;
}
