#ifndef PCDF_SUPERBLOCK_H
#define PCDF_SUPERBLOCK_H
/* The first bytes of an HDF5 file. */

#include <stdint.h>

/* Every version has as many bytes, or more; where they begin, behind the signature; and how many of them a
 * mark with a nonce takes (journal.h). */
enum { PCDF_SUPERBLOCK_BYTES = 48, PCDF_SUPERBLOCK_AT = 8, PCDF_SUPERBLOCK_START = 8 };

/* Gives the bytes from PCDF_SUPERBLOCK_AT on, which a nonce took, the values that they had. They are the same
 * in every file that the library writes to, but for the version, which follows from the bytes behind them. */
void pcdf_superblock_restore(unsigned char bytes[PCDF_SUPERBLOCK_BYTES]);
#endif
