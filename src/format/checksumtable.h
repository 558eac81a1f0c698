#ifndef PCDF_CHECKSUMTABLE_H
#define PCDF_CHECKSUMTABLE_H
/* The file of checksums beside a data file: CRC-32C of its fixed blocks, counted from offset 0; the last
 * block ends where the file ends. Bytes <-> values only; when it is written, and when it says nothing, is
 * told in parts/checksums/checksum.h.
 *
 *   head    PCDF_CHECKSUMS_HEAD bytes, one sector
 *   table   4 bytes a block
 *
 * All numbers big-endian. An open head (somebody was writing) has no table that counts. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PCDF_CHECKSUMS_SUFFIX ".parcdf-sums"

enum { PCDF_CHECKSUMS_HEAD = 512, PCDF_CHECKSUMS_BLOCK = 1 << 20, PCDF_CHECKSUMS_HOST = 64 };

struct pcdf_checksums {
    bool is_open;       /* what the blocks hold is not known since `when` */
    int64_t block_size; /* the fields from here to table_crc: 0 in an open head */
    int64_t file_size;  /* with these four the table is bound to the file as it was summed */
    int64_t inode;
    int64_t time, time_ns; /* of the file's last change */
    uint32_t first_crc;    /* of its first sector, which a copy has too */
    uint32_t table_crc;
    int64_t process, when; /* who wrote the head, and the second of it since 1970 */
    char host[PCDF_CHECKSUMS_HOST];
};

int64_t pcdf_checksums_blocks(const struct pcdf_checksums *s); /* of the file: entries of the table */
int64_t pcdf_checksums_block_end(const struct pcdf_checksums *s, int64_t block); /* offset in the file */

void pcdf_checksums_encode(const struct pcdf_checksums *s, unsigned char *head);
/* size: of the whole file of checksums. NC_EFILE: torn, or none of ours; a whole table fits in `size`. */
int pcdf_checksums_decode(const unsigned char *head, int64_t n, int64_t size, struct pcdf_checksums *s);

/* The table's entries, n of them, to and from its bytes. */
void pcdf_checksums_put_entries(const uint32_t *entries, int64_t n, unsigned char *bytes);
void pcdf_checksums_get_entries(const unsigned char *bytes, int64_t n, uint32_t *entries);
#endif
