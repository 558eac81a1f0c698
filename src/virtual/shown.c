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

void pcdf_shown_lend(struct pcdf_shown *shown, struct pcdf_meta *meta, struct pcdf_layout *layout)
{
    struct pcdf_image *image = shown->image;
    *meta = image->meta;
    *layout = image->layout;
    image->is_lent = true;
}
