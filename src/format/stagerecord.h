#ifndef PCDF_STAGERECORD_H
#define PCDF_STAGERECORD_H
/* The log of one rank on storage of its node, where puts wait that have no room in the memory of the write
 * queue (hint pcdf_stage_dir). Bytes <-> values only; storage/stagelog.h is the log as an open file, and
 * storage/stagereplay.h brings logs that a crash left behind into their file.
 *
 *   head        PCDF_STAGE_HEAD bytes: of which file and rank it is; two slots at its end
 *   records     one after another: data, or what a sync acknowledged; the first that is not whole, or not of
 *               the slot's epoch, is the end of the log
 *
 * The slot of the highest epoch counts. A new epoch empties the log: nothing that its records said is needed
 * any more, since it is in the file. So what is left of older epochs is never read again, whatever of a
 * truncation a power cut leaves.
 *
 * The writes of a rank have numbers, in the order of its puts. Those that a sync acknowledged in vain, since
 * a crash came before they were in the file, are the data records in front of it whose numbers are higher
 * than its `applied`. They are written in the order of their numbers, which need not be that of the log. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PCDF_STAGE_HEAD = 8192,
    PCDF_STAGE_SLOT = 512,    /* a torn one leaves the other */
    PCDF_STAGE_PATH = 6144,   /* most bytes of a path, its end not counted */
    PCDF_STAGE_RECORD = 64,   /* bytes of a record before its payload */
    PCDF_STAGE_PIECE = 16,    /* of each piece, in front of the bytes of all */
    PCDF_STAGE_MOST = 1 << 20 /* bytes of a payload */
};

struct pcdf_stage_head {
    uint64_t nonce;              /* of this opening of the file: the same on all ranks, never 0 */
    int64_t rank, nranks;        /* of those that opened it */
    int64_t inode, device, born; /* of the file, as storage/fileid.h has them; 0: not known */
    int64_t begun;               /* seconds since 1970 */
    const char *path;            /* absolute, links resolved */
};

struct pcdf_stage_slot {
    int64_t epoch;
    int64_t sync;        /* number of the last sync that this rank took part in before; 0: none */
    int64_t numrecs;     /* then */
    uint32_t header_crc; /* of the file's header then, without the number of records; 0: not known */
    bool is_closed;      /* all ranks had everything in the file: it may be closed */
};

enum pcdf_stage_kind { PCDF_STAGE_DATA, PCDF_STAGE_SYNC };

struct pcdf_stage_record {
    enum pcdf_stage_kind kind;
    int64_t epoch;
    int64_t number; /* of the write, or of the sync */
    /* data: a list of `pieces` entries, then `bytes` bytes, of which the CRC is */
    int64_t pieces, bytes;
    uint32_t payload_crc;
    /* sync */
    int64_t numrecs;
    int64_t applied; /* all writes up to this one are in the file, on its storage */
    uint32_t header_crc;
};

struct pcdf_stage_piece {
    int64_t offset, length; /* in the file */
};

/* bytes[0..PCDF_STAGE_HEAD), with slots of zeros. */
void pcdf_stage_head_encode(const struct pcdf_stage_head *h, unsigned char *bytes);
/* The path points into bytes. NC_EFILE: not whole, or no log; its sentence says why. */
int pcdf_stage_head_decode(const unsigned char *bytes, size_t n, struct pcdf_stage_head *h);

int64_t pcdf_stage_slot_at(int64_t epoch); /* offset of its slot */
/* bytes[0..PCDF_STAGE_SLOT) */
void pcdf_stage_slot_encode(uint64_t nonce, const struct pcdf_stage_slot *s, unsigned char *bytes);
/* Of the whole head the slot that counts. False: none is whole. */
bool pcdf_stage_slot_decode(const unsigned char *head, uint64_t nonce, struct pcdf_stage_slot *s);

int64_t pcdf_stage_payload(const struct pcdf_stage_record *r); /* bytes behind it */
/* bytes[0..PCDF_STAGE_RECORD) */
void pcdf_stage_record_encode(uint64_t nonce, const struct pcdf_stage_record *r, unsigned char *bytes);
/* left: bytes of the log from there on. False: it is not whole, of something else, impossible, or its payload
 * is not there. */
bool pcdf_stage_record_decode(const unsigned char *bytes, uint64_t nonce, int64_t epoch, int64_t left,
                              struct pcdf_stage_record *r);

void pcdf_stage_piece_encode(const struct pcdf_stage_piece *p, unsigned char *bytes);
/* The CRC is right, and the pieces are possible: they have the bytes that there are, and end in 63 bits. */
bool pcdf_stage_payload_is_good(const struct pcdf_stage_record *r, const unsigned char *payload);
void pcdf_stage_piece_decode(const unsigned char *payload, int64_t i, struct pcdf_stage_piece *p);

/* Of the first bytes of a file, which are at least its header: what header_crc is. Never 0. */
uint32_t pcdf_stage_header_crc(const unsigned char *header, size_t n);
#endif
