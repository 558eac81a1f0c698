/* Deflate's level 1 by ISA-L: three to nine times as fast as libdeflate's, and as small as zlib's. */

#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include "codecs_of.h"

/* Its level 2 finds a bit more than its level 1, in the same time. */
enum { LEVEL = 2, LEVEL_ROOM = ISAL_DEF_LVL2_LARGE, STEP = 1 << 30, LEAST_PLANE = 16384 };

/* The bytes of a chunk go in pieces: byte planes that shuffle made have statistics of their own, so each
 * begins a block. */
static int deflate_pieces(struct isal_zstream *z, const unsigned char *in, size_t nin, size_t plane)
{
    size_t at = 0, end_of_plane = plane;
    int result = COMP_OK;
    do {
        size_t end = end_of_plane + plane <= nin ? end_of_plane : nin;
        uint32_t n = (uint32_t)(end - at < STEP ? end - at : STEP);
        z->next_in = (uint8_t *)(uintptr_t)(in + at);
        z->avail_in = n;
        at += n;
        z->end_of_stream = at == nin;
        z->flush = at == end && at < nin ? SYNC_FLUSH : NO_FLUSH;
        result = isal_deflate(z);
        if (at == end)
            end_of_plane += plane;
    } while (result == COMP_OK && z->avail_in == 0 && at < nin);
    return result;
}

bool pcdf_deflate_quickly(enum pcdf_deflate_form form, uint32_t nplanes, const unsigned char *in, size_t nin,
                          unsigned char *out, size_t room, size_t *nout)
{
    struct isal_zstream z;
    size_t plane = nplanes > 1 ? nin / nplanes : nin;
    *nout = 0;
    if (nplanes > 1 && plane < LEAST_PLANE) /* libdeflate makes these smaller */
        return false;
    isal_deflate_init(&z);
    z.level = LEVEL;
    z.level_buf_size = LEVEL_ROOM;
    z.level_buf = malloc(LEVEL_ROOM);
    z.gzip_flag = form == PCDF_DEFLATE_GZIP ? IGZIP_GZIP : IGZIP_ZLIB;
    z.next_out = out;
    z.avail_out = (uint32_t)(room < UINT32_MAX ? room : UINT32_MAX);
    bool is_whole =
        z.level_buf && deflate_pieces(&z, in, nin, plane) == COMP_OK && z.internal_state.state == ZSTATE_END;
    free(z.level_buf);
    *nout = is_whole ? (size_t)(z.next_out - out) : 0;
    return is_whole;
}
