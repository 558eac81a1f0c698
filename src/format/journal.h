#ifndef PCDF_JOURNAL_H
#define PCDF_JOURNAL_H
/* The journal of one change of the definitions on a file: a file beside it, which says what the file was,
 * what it becomes, and how far the moving of data has come. Bytes <-> values only; what the steps mean is
 * told in define/change.h.
 *
 *   head                                   padded to PCDF_JOURNAL_BLOCK
 *   heartbeats                                  a block: who works on it, and when that was last heard
 *   notes                                  a block, of a change that inserts ranges (`block`): a record in
 *                                          each sector, of the ranges that were inserted
 *   part 0: slot 0, slot 1, step slot 0, step slot 1      a part is what one rank moves of a round
 *   part 1: the same ...
 *   slot:       record of PCDF_JOURNAL_RECORD bytes, padded to a block, then `room` bytes of data
 *   step slot:  the same with `step` bytes of data; there are none where `step` is 0
 *
 * Round r of a part uses slot r % 2, so that the round before stays whole while the next is written; steps of
 * a round and heartbeats likewise.
 *
 * The nonce also stands in the file as long as the change lasts: one write sets the top bit of the version
 * byte (the mark) and puts the nonce in the place of the number of records, which both headers in the journal
 * have. A number of records never has its top bit set, a nonce always has.
 *
 * The journal of a change of ranges (define/metajournal.h), as those of HDF5's metadata, has in the place of
 * the old header the first sector of before, and in that of the new one the ranges, which lie in the file as
 * it was: for each offset, length and the CRC of the bytes of before, then the bytes of all. No data moves.
 * The mark of an HDF5 file is the top bit of the last byte of its signature; the nonce stands behind it,
 * where the superblock begins with its version, which is a small number. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "filekind.h"
#include "owner.h"

#define PCDF_CHANGE_MARK 0x80 /* in the version byte of a file that is being changed */

enum { PCDF_JOURNAL_SECTOR = 512 }; /* a torn one leaves the others */
enum { PCDF_JOURNAL_BLOCK = 4096, PCDF_JOURNAL_RECORD = 64, PCDF_JOURNAL_HEARTBEAT = 256 };
enum {
    PCDF_MARK_FIRST = 16,   /* first bytes of a file that have its mark */
    PCDF_MARK_AT = 3,       /* where it begins in a classic file */
    PCDF_MARK_SIGNATURE = 8 /* those of HDF5 without a nonce */
};

struct pcdf_journal {
    uint64_t nonce;    /* of this change: what an older one left does not count */
    int64_t inode;     /* of the file */
    int64_t begun;     /* when the change began, in seconds since 1970 */
    int64_t file_size; /* then */
    int64_t parts;     /* 0: nothing moves */
    int64_t chunk;     /* bytes of a part in a round */
    int64_t room;      /* bytes of data that a slot holds: at most chunk */
    int64_t step;      /* bytes of data that a step slot holds; 0: a part goes in one step */
    int64_t block; /* the file system inserts ranges of such blocks, and rounds begin only where it refuses
                      the first one; 0: rounds */
    const unsigned char *old_header, *new_header, *fills; /* fills: one byte a variable of the new header */
    int64_t old_size, new_size, nfills;
    bool has_ranges; /* in the place of headers (see above) */
};

struct pcdf_journal_range {
    int64_t offset, length;
    uint32_t old_crc; /* CRC-32C of what the file has there before */
    const unsigned char *bytes;
};

struct pcdf_journal_record { /* a part has come to this step of this round, and all before it is in its place
                              */
    uint64_t nonce;
    int64_t round, step; /* step 0: in a slot of rounds */
    int64_t there;       /* bytes of data that follow */
    bool has_data;       /* else what moves is still where it was */
    bool is_unsummed;    /* data_crc says nothing: it lies where a power cut leaves nothing of it */
    uint32_t data_crc;
};

struct pcdf_journal_heartbeat {
    uint64_t nonce;
    int64_t number; /* the highest counts */
    int64_t time;   /* in seconds since 1970, by the owner's clock */
    bool is_marked; /* the mark is in the file, on the storage */
    bool is_over;   /* the owner failed, and let go */
    struct pcdf_owner owner;
};

/* A nonce, of random bits; never one that looks like a number of records. */
uint64_t pcdf_journal_nonce(uint64_t random);
/* What a file of that version has from byte PCDF_MARK_AT on; returns how many bytes. */
int pcdf_journal_mark(int version, uint64_t nonce, unsigned char mark[PCDF_MARK_FIRST - PCDF_MARK_AT]);
/* The first bytes of an HDF5 file while it is marked; PCDF_MARK_SIGNATURE of them where there is no journal.
 */
void pcdf_journal_mark_hdf5(uint64_t nonce, unsigned char mark[PCDF_MARK_FIRST]);
enum pcdf_marked { PCDF_MARKED_NOT, PCDF_MARKED_CLASSIC, PCDF_MARKED_HDF5 };
/* By the first n bytes of a file. */
enum pcdf_marked pcdf_journal_marked(const unsigned char *first, int64_t n);
/* first[0..PCDF_MARK_FIRST) of a marked file. Is there a nonce? (Not where a change had no journal.) */
bool pcdf_journal_mark_has_nonce(const unsigned char *first);
bool pcdf_journal_mark_is_of(const unsigned char *first, uint64_t nonce);
/* The same of a journal that was decoded. The write of an HDF5 file's mark may have failed within the nonce:
 * behind what it wrote stands what the journal's first sector has. */
bool pcdf_journal_is_of(const struct pcdf_journal *j, const unsigned char *first);
/* Of the first 32 bytes of what may be a journal: its nonce, 0: it is none; the inode that it names. */
uint64_t pcdf_journal_peek(const unsigned char *bytes, int64_t *inode);

int64_t pcdf_journal_head_size(const struct pcdf_journal *j); /* a multiple of PCDF_JOURNAL_BLOCK */
void pcdf_journal_encode(const struct pcdf_journal *j, unsigned char *bytes);

/* bytes[0..n): the first n bytes of a journal. *need: 0, or how many bytes to come back with. The pointers
 * of *j point into bytes. NC_ERECOVER: not whole, or no journal. */
int pcdf_journal_decode(const unsigned char *bytes, size_t n, int64_t file_size, int64_t *need,
                        struct pcdf_journal *j);

/* What a journal has in the place of the new header: its size, and its bytes. n > 0; the ranges are in rising
 * order, none meets another. */
int64_t pcdf_journal_ranges_size(const struct pcdf_journal_range *x, int64_t n);
void pcdf_journal_ranges_encode(const struct pcdf_journal_range *x, int64_t n, unsigned char *bytes);
/* Of a journal that was decoded, and has_ranges: how many. Range *i, which is the next one then, behind the
 * one in *r; *i is 0 at first. False: there are no more. The first range has the whole first sector. */
int64_t pcdf_journal_ranges(const struct pcdf_journal *j);
bool pcdf_journal_range_next(const struct pcdf_journal *j, int64_t *i, struct pcdf_journal_range *r);

int64_t pcdf_journal_heartbeat_at(const struct pcdf_journal *j, int64_t number); /* offset of a heartbeat */
int64_t pcdf_journal_note_at(const struct pcdf_journal *j, int64_t number);      /* offset of a note */
/* Offset of a slot's record; its data begins PCDF_JOURNAL_BLOCK bytes behind. Of slot 0 of part j->parts,
 * which there is not: the size of the journal. */
int64_t pcdf_journal_slot(const struct pcdf_journal *j, int64_t part, int64_t round);
int64_t pcdf_journal_step_slot(const struct pcdf_journal *j, int64_t part, int64_t step);

void pcdf_journal_record_encode(const struct pcdf_journal_record *r, unsigned char *bytes);
/* False: not whole, or of another change. */
bool pcdf_journal_record_decode(const unsigned char *bytes, uint64_t nonce, struct pcdf_journal_record *r);

void pcdf_journal_heartbeat_encode(const struct pcdf_journal_heartbeat *b, unsigned char *bytes);
/* False: not whole, or of another change. */
bool pcdf_journal_heartbeat_decode(const unsigned char *bytes, uint64_t nonce,
                                   struct pcdf_journal_heartbeat *b);
#endif
