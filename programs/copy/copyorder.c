/* See copyorder.h. */
#include "copyorder.h"
#include "tool.h"

#include <math.h>

enum { SENTENCES = 5 };

static int tell_coordinate(struct pcdf_copy_order *o, const struct pcdf_tool_dataset *ds,
                           const struct pcdf_copy_coord *c, double first)
{
    const char *name = ds->meta.vars[c->varid].name,
               *strict = o->is_strict ? "" : " (--strict-order refuses this)";
    char begin[PCDF_COPY_COORD_TEXT], end[PCDF_COPY_COORD_TEXT];

    pcdf_copy_coord_text(c, first, begin);
    pcdf_copy_coord_text(c, o->furthest, end);
    if (o->out++ >= SENTENCES)
        return PCDF_TOOL_GOOD;
    if (first == o->furthest)
        pcdf_tool_say(ds->file.path, "%.100s repeats: the first record has %s, as the last of %.300s%s", name,
                      begin, o->path, strict);
    else
        pcdf_tool_say(ds->file.path, "%.100s goes back: the first record has %s, and %.300s ends at %s%s",
                      name, begin, o->path, end, strict);
    return o->is_strict ? PCDF_TOOL_UNUSABLE : PCDF_TOOL_GOOD;
}

int pcdf_copy_order_check(struct pcdf_copy_order *o, struct pcdf_tool_dataset *ds,
                          const struct pcdf_copy_cut *cut)
{
    int64_t n = cut->is_whole ? ds->meta.numrecs : cut->n;
    struct pcdf_copy_coord c;
    double first, last;

    if (n == 0 || !pcdf_copy_coord_of_records(&ds->meta, &c))
        return PCDF_TOOL_GOOD;
    int status = pcdf_copy_coord_read(&c, ds, pcdf_copy_cut_at(cut, 0).low, 1, &first);
    status = status ? status : pcdf_copy_coord_read(&c, ds, pcdf_copy_cut_at(cut, n - 1).low, 1, &last);
    if (status || isnan(first) || isnan(last))
        return status;
    if (o->direction == 0 && first != last)
        o->direction = first < last ? 1 : -1;
    int way = o->direction ? o->direction : 1;
    if (o->path && way * (first - o->furthest) <= 0)
        status = tell_coordinate(o, ds, &c, first);
    if (!o->path || way * (last - o->furthest) > 0) {
        o->furthest = last;
        o->path = ds->file.path;
    }
    return status;
}

void pcdf_copy_order_end(const struct pcdf_copy_order *o)
{
    if (o->out > SENTENCES)
        pcdf_tool_say(NULL, "%d more files go back or repeat", o->out - SENTENCES);
}
