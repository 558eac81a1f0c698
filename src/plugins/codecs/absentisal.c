/* Deflate's level 1 where there is no ISA-L. */

#include "codecs_of.h"

bool pcdf_deflate_quickly(enum pcdf_deflate_form form, uint32_t nplanes, const unsigned char *in, size_t nin,
                          unsigned char *out, size_t room, size_t *nout)
{
    (void)form, (void)nplanes, (void)in, (void)nin, (void)out, (void)room, (void)nout;
    return false;
}
