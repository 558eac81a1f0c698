#ifndef PCDF_OWNJOURNAL_H
#define PCDF_OWNJOURNAL_H
/* Which journal belongs to a file, and who may touch it. All of it is for rank 0 alone (or one process that
 * repairs), before the file is opened.
 *
 * A journal belongs to a file, not to a name: it has the file's inode, and its nonce stands in the file from
 * the mark on. Files are renamed, and others get their names; so no journal is removed or used without that
 * proof. One of another file that is in the way gets a name of its nonce, `.parcdf-NONCE.parcdf-journal`,
 * where whoever looks for that nonce finds it: a file that is marked looks through the journals of its
 * folder.
 *
 * Nor is one touched that somebody may work with. Nobody does when the lock was granted where locks are known
 * to keep all apart, and the owner that the journal names is gone. A journal that is locked is changed by its
 * owner alone; another name does not hurt that one. */

#include "journalfile.h"

/* What a file says about its change, and what the file is known by. */
struct pcdf_file_mark {
    bool is_marked, is_hdf5; /* is_hdf5: as an HDF5 file is */
    unsigned char first[PCDF_MARK_FIRST];
    int64_t inode, links;
};
/* All of it of one file, whatever becomes of the name meanwhile. All zeros where there is no file. */
int pcdf_file_mark_read(const char *path, struct pcdf_file_mark *mark);

enum pcdf_claim {
    PCDF_CLAIM_NONE,   /* no journal */
    PCDF_CLAIM_OWN,    /* a journal of the change marking the file */
    PCDF_CLAIM_COPY,   /* that change's, but another inode's: a copy */
    PCDF_CLAIM_DONE,   /* this file's: no mark, old or new header */
    PCDF_CLAIM_OTHER,  /* another file's, or another change's */
    PCDF_CLAIM_CLOSED, /* it may not be opened */
    PCDF_CLAIM_EMPTY,  /* no head was written, so no file marked */
    PCDF_CLAIM_DAMAGED /* or of an older form */
};

/* Opens and locks the journal of a file: the one at `named`, or beside it, or, for a marked file, another one
 * of the folder. The mark is read when the lock is there. Some journal is open in *c unless the claim is NONE
 * or CLOSED; *c must be empty before, and is freed by the caller also on failure. NC_EACCESS: another process
 * holds the file's own. */
int pcdf_ownjournal_root_find(const char *path, const char *named, struct pcdf_journalfile *c,
                              struct pcdf_file_mark *mark, enum pcdf_claim *claim);

/* Is it proved that nobody works with an open journal? NC_ERECOVER names who might. */
int pcdf_ownjournal_root_gone(struct pcdf_journalfile *c);
/* Of an unmarked file: what no change needs goes, what is another file's gets another name. NC_ERECOVER: a
 * change of the file may be about to begin. */
int pcdf_ownjournal_root_tidy(struct pcdf_journalfile *c, const char *path, enum pcdf_claim claim);
/* Makes and writes the journal of a change that begins: c->journal has what it says, but for nonce, inode and
 * time. inode: of the file that is open, 0: not known. check (may be NULL): would a recovery take it? Nothing
 * of it lasts unless all of it does. */
int pcdf_ownjournal_root_write(const char *path, int64_t inode, int (*check)(const struct pcdf_journal *),
                               bool syncs, struct pcdf_journalfile *c);
/* The change is in the file, and no recovery needs the journal. */
int pcdf_ownjournal_root_end(struct pcdf_journalfile *c, bool syncs);
/* The journal of a change that another inode has becomes a new one of this file, which it leads to; the other
 * one stays, under a name of its nonce where it had this file's. */
int pcdf_ownjournal_root_copy(struct pcdf_journalfile *c, const char *path, int64_t inode);

/* The journal of a file whose name is given to another one, or removed: before that, then after it, or when
 * nothing came of it. What no file can need any more goes, the rest is set aside. NC_ENOMEM: nothing was
 * looked at. */
struct pcdf_leaving {
    struct pcdf_journalfile journal; /* not open: nothing is left to do */
    int file;                        /* the file that leaves: is it gone? */
};
int pcdf_ownjournal_root_leaving(const char *path, struct pcdf_leaving *leaving);
void pcdf_ownjournal_root_left(struct pcdf_leaving *leaving, bool is_gone);
#endif
