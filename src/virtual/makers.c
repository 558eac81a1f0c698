/* Makers of images that are not there yet (source.h), each until its own file has it. */

#include "source.h"
#include "status.h"

#define NOT_YET __attribute__((weak))

NOT_YET int pcdf_zarr_map(const char *name, struct pcdf_store *store, enum pcdf_source_kind kind,
                          struct pcdf_image *image)
{
    (void)store;
    (void)image;
    return PCDF_FAIL(NC_ENOTBUILT, "%s: this build does not read a %s", name, pcdf_source_kind_name(kind));
}

NOT_YET int pcdf_kerchunk_map(const char *name, struct pcdf_store *store, struct pcdf_image *image)
{
    (void)store;
    (void)image;
    return PCDF_FAIL(NC_ENOTBUILT, "%s: this build does not read kerchunk references", name);
}
