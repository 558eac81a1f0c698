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

NOT_YET int pcdf_store_open(const char *name, const struct pcdf_pin *pin, struct pcdf_store **store)
{
    (void)pin;
    (void)store;
    return PCDF_FAIL(NC_ENOTBUILT, "%s: this build does not open stores", name);
}

NOT_YET int pcdf_chain_decode(const struct pcdf_chain *chain, uint32_t mask, const unsigned char *in,
                              size_t nin, unsigned char *out, size_t nout, struct pcdf_codec_scratch *scratch)
{
    (void)mask;
    (void)in;
    (void)nin;
    (void)out;
    (void)nout;
    (void)scratch;
    return PCDF_FAIL(NC_ENOTBUILT, "this build does not decode %s", chain->x[0].name);
}

NOT_YET bool pcdf_chain_compresses(const struct pcdf_chain *chain)
{
    return chain->n > 0;
}
