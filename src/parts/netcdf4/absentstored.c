/* See storedcalls.h: what a library without the part `netcdf4` says (option PARCDF_PARTS). */
#include "status.h"
#include "storedcalls.h"

static int absent(void)
{
    return PCDF_FAIL(NC_ENOTBUILT, "this library was built without netcdf4 (option PARCDF_PARTS)");
}

int pcdf_stored_define_all(struct pcdf_dataset *ds, int varid, const struct pcdf_stored_asked *asked)
{
    (void)ds, (void)varid, (void)asked;
    return absent();
}

int pcdf_stored_inquire(struct pcdf_dataset *ds, int varid, struct pcdf_stored_var *v)
{
    (void)ds, (void)varid, (void)v;
    return absent();
}
