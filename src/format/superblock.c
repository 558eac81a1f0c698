/* See superblock.h. */
#include "superblock.h"
#include <stdbool.h>
#include <string.h>
#include "bytes.h"

/* Where version 1 has a number that is not zero, and version 0 has zeros; and where versions 2 and 3 have the
 * checksum of all bytes before it. */
enum { BEHIND = PCDF_SUPERBLOCK_AT + PCDF_SUPERBLOCK_START, INDEXED_K = 24, SUM_AT = 44 };

/* The bytes at PCDF_SUPERBLOCK_AT, by version: lengths and offsets have 8 bytes; the rest is zeros. */
static const unsigned char starts[4][PCDF_SUPERBLOCK_START] = {
    { 0, 0, 0, 0, 0, 8, 8, 0 }, { 1, 0, 0, 0, 0, 8, 8, 0 }, { 2, 8, 8 }, { 3, 8, 8 }
};

static uint32_t turn(uint32_t x, int bits)
{
    return x << bits | x >> (32 - bits);
}

/* HDF5 takes lookup3 by Bob Jenkins, here for three times 12 bytes and 8 more. */
static uint32_t checksum(const unsigned char bytes[SUM_AT])
{
    static const int between[6] = { 4, 6, 8, 16, 19, 4 }, last[7] = { 14, 11, 25, 16, 4, 14, 24 };
    uint32_t x[3], word[SUM_AT / 4];
    x[0] = x[1] = x[2] = 0xdeadbeefU + SUM_AT;
    for (int i = 0; i < SUM_AT / 4; i++)
        word[i] = (uint32_t)pcdf_bytes_get_little(bytes + 4 * i, 4);
    for (int i = 0; i < SUM_AT / 4; i++) {
        x[i % 3] += word[i];
        for (int k = 0; i % 3 == 2 && k < 6; k++) {
            uint32_t *to = &x[k % 3], *from = &x[(k + 2) % 3];
            *to -= *from;
            *to ^= turn(*from, between[k]);
            *from += x[(k + 1) % 3];
        }
    }
    for (int k = 0; k < 7; k++) {
        uint32_t *to = &x[(k + 2) % 3];
        *to ^= x[(k + 1) % 3];
        *to -= turn(x[(k + 1) % 3], last[k]);
    }
    return x[2];
}

/* Bytes that are damaged fit neither sum: then the version that libnetcdf writes. */
static int version_of(const unsigned char bytes[PCDF_SUPERBLOCK_BYTES])
{
    static const unsigned char zeros[4];
    unsigned char third[SUM_AT];
    bool is_newer = memcmp(bytes + BEHIND, zeros, sizeof zeros) == 0; /* else small numbers */
    if (!is_newer)
        return pcdf_bytes_get(bytes + INDEXED_K, 2) != 0;
    memcpy(third, bytes, SUM_AT);
    memcpy(third + PCDF_SUPERBLOCK_AT, starts[3], PCDF_SUPERBLOCK_START);
    return checksum(third) == pcdf_bytes_get_little(bytes + SUM_AT, 4) ? 3 : 2;
}

void pcdf_superblock_restore(unsigned char bytes[PCDF_SUPERBLOCK_BYTES])
{
    memcpy(bytes + PCDF_SUPERBLOCK_AT, starts[version_of(bytes)], PCDF_SUPERBLOCK_START);
}
