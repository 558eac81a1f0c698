/* See refresh.h: what a library without the part `follow` says (option PARCDF_PARTS). */
#include "refresh.h"
#include "status.h"

static int absent(void)
{
    return PCDF_FAIL(NC_ENOTBUILT, "this library was built without follow (option PARCDF_PARTS)");
}

int pcdf_refresh_all(struct pcdf_dataset *ds)
{
    (void)ds;
    return absent();
}

int pcdf_refresh_generation(const struct pcdf_dataset *ds, int64_t *generation)
{
    (void)ds, (void)generation;
    return absent();
}
