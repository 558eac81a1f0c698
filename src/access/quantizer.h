#ifndef PCDF_QUANTIZER_H
#define PCDF_QUANTIZER_H
/* Values are rounded as format/quantize.h says, bit for bit as netCDF-C 4.10.1 does it; the loops are in
 * quantizesteps.h. BitGroom clears the last bits of a value and sets those of the next one, in turn; BitRound
 * rounds to so many bits; granular BitRound to as many bits as the digits of this very value take. The fill
 * value, zeros and NaN stay as they are. */

#include <stddef.h>
#include <stdint.h>
#include "quantize.h"

struct pcdf_quantizer {
    struct pcdf_quantize how;
    bool is_double;
    uint64_t fill; /* the bits of the fill value */
    uint64_t kept; /* mask of what BitGroom and BitRound keep */
    /* Where granular BitRound is, by the exponent of a value; the tables of its type. units: the last bit
     * that is kept. places: the first mantissa of which more bits are cleared << 1 | whether 4 more are, and
     * not 3. Values below the smallest normal one, and doubles that are near to such a place or to a power of
     * two, are not told by them: there, the rounding of log10 decides. */
    struct {
        const uint32_t *places, *units;
    } floats;
    struct {
        const uint64_t *places, *units;
    } doubles;
};
enum { PCDF_QUANTIZE_NEAR = 16384 };

/* type: NC_FLOAT or NC_DOUBLE; fill: a value in the byte order of this machine. Local; the first one of
 * granular BitRound with these digits makes a table (1 ms), later ones take some instructions. */
void pcdf_quantizer_make(struct pcdf_quantizer *q, struct pcdf_quantize how, nc_type type,
                         const unsigned char *fill);

/* One value by its own logarithm: what the tables do not tell. */
uint32_t pcdf_quantize_float(const struct pcdf_quantizer *q, uint32_t bits);
uint64_t pcdf_quantize_double(const struct pcdf_quantizer *q, uint64_t bits);

/* log10 from 0.5 to 1, where the program has none: its rounding differs next to powers of ten. */
double pcdf_quantizer_log10(double fraction);
#endif
