/* CRC-32C: the published check values, the portable way equal to the machine's, of two ranges
 * that of both. */
#include "check.h"
#include "crc32c.h"
#include <string.h>

static unsigned char bytes[40000]; /* more than three long lanes, and several short ones */

int main(void)
{
    static const unsigned char zeros[32];
    CHECK_INT(pcdf_crc32c(0, "123456789", 9), 0xE3069283LL);
    CHECK_INT(pcdf_crc32c_portable(0, "123456789", 9), 0xE3069283LL);
    CHECK_INT(pcdf_crc32c(0, zeros, 32), 0x8A9136AALL);
    CHECK_INT(pcdf_crc32c(0, "", 0), 0u);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 250);
    for (size_t n = 0; n < sizeof bytes; n = n * 5 / 4 + 1)
        for (size_t at = 0; at < 9; at++) {
            size_t length = n < sizeof bytes - at ? n : sizeof bytes - at, half = length / 3;
            uint32_t all = pcdf_crc32c(0, bytes + at, length);
            CHECK_INT(all, pcdf_crc32c_portable(0, bytes + at, length));
            uint32_t a = pcdf_crc32c(0, bytes + at, half);
            CHECK_INT(all, pcdf_crc32c(a, bytes + at + half, length - half));
            uint32_t b = pcdf_crc32c(0, bytes + at + half, length - half);
            CHECK_INT(all, pcdf_crc32c_join(a, b, length - half));
        }
    return check_done("crc_values");
}
