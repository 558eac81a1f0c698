/* See part.h: the parts that this library has. builtparts.def, which CMake writes from parts.def, has a row
 * PCDF_BUILT(name, hints) for each of them, and PCDF_LEFT_OUT(name, hints) for the others (option
 * PARCDF_PARTS). */
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "alloc.h"
#include "dataset.h"
#include "part.h"

#define PCDF_LEFT_OUT(name, hints)
#define PCDF_BUILT(name, hints) extern const struct pcdf_part_ops pcdf_part_##name;
#include "builtparts.def"
#undef PCDF_BUILT

static const struct pcdf_part_ops *const built[] = { /* in their order; NULL ends them */
#define PCDF_BUILT(name, hints) &pcdf_part_##name,
#include "builtparts.def"
#undef PCDF_BUILT
                                                     NULL
};
static const char *const hints_of[] = {
#define PCDF_BUILT(name, hints) hints,
#include "builtparts.def"
#undef PCDF_BUILT
    NULL
};
#undef PCDF_LEFT_OUT

static size_t room_of(const struct pcdf_part_ops *ops)
{
    const size_t unit = alignof(max_align_t);
    return (ops->own_size + unit - 1) / unit * unit;
}

int pcdf_parts_make(struct pcdf_parts *parts)
{
    size_t size = 0;
    for (const struct pcdf_part_ops *const *ops = built; *ops; ops++)
        size += room_of(*ops);
    parts->memory = pcdf_calloc(1, size + 1);
    if (!parts->memory)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the parts of a file");
    char *at = parts->memory;
    for (size_t i = 0; built[i]; i++) {
        parts->built[parts->nbuilt++] = (struct pcdf_part_slot){ built[i], at, hints_of[i] };
        at += room_of(built[i]);
    }
    return NC_NOERR;
}

int pcdf_parts_root_forget(const char *path)
{
    int status = NC_NOERR;
    for (const struct pcdf_part_ops *const *ops = built; *ops; ops++)
        if ((*ops)->root_forget)
            pcdf_first(&status, (*ops)->root_forget(path));
    return status;
}

void pcdf_parts_root_spoil(const char *path)
{
    for (const struct pcdf_part_ops *const *ops = built; *ops; ops++)
        if ((*ops)->root_spoil)
            (*ops)->root_spoil(path);
}

int pcdf_parts_root_await(const char *path, int64_t seconds)
{
    int status = NC_NOERR;
    for (const struct pcdf_part_ops *const *ops = built; *ops; ops++)
        if ((*ops)->root_await)
            pcdf_first(&status, (*ops)->root_await(path, seconds));
    return status;
}

void pcdf_parts_refused(const struct pcdf_dataset *ds)
{
    for (const struct pcdf_part_ops *const *ops = built; *ops; ops++)
        if ((*ops)->refused)
            (*ops)->refused(ds, ds ? pcdf_part_state(ds, *ops) : NULL);
}

void pcdf_parts_drop_hints(struct pcdf_hints *hints)
{
    static const char *const left_out[][2] = {
#define PCDF_BUILT(name, hints)
#define PCDF_LEFT_OUT(name, hints) { #name, hints },
#include "builtparts.def"
        { NULL, NULL }
#undef PCDF_BUILT
#undef PCDF_LEFT_OUT
    };
    char why[128];
    for (int i = 0; left_out[i][0]; i++) {
        snprintf(why, sizeof why, "this library was built without %s (option PARCDF_PARTS)", left_out[i][0]);
        pcdf_hints_drop(hints, left_out[i][1], why);
    }
}
