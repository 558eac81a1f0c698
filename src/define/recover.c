/* Finishing a change that was interrupted; see change.h. Rank 0 looks, all ranks recover. */
#include "changestep.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "alloc.h"
#include "decode.h"
#include "define.h"
#include "filelock.h"
#include "metajournal.h"
#include "numbers.h"
#include "ownjournal.h"
#include "pnetcdf.h"
#include "vote.h"
#include "fill.h"
#include "insertion.h"

/* ---- before anything is opened: rank 0 alone */

/* Nothing to finish it by. */
static int say_lost(struct pcdf_journalfile *c, enum pcdf_claim claim, const struct pcdf_file_mark *mark)
{
    switch (claim) {
    case PCDF_CLAIM_COPY:
        return PCDF_FAIL(
            NC_ERECOVER,
            "the journal %s is of this change, but of another file (inode %lld, not %lld), of which "
            "this one is a copy: `parcdf repair` looks at it",
            c->sidecar.path, (long long)c->journal.inode, (long long)mark->inode);
    case PCDF_CLAIM_OTHER:
        return PCDF_FAIL(NC_ERECOVER,
                         "the journal %s beside the file is of another file, or of another change, and the "
                         "file's own is not in its folder: `parcdf repair` looks for it",
                         c->sidecar.path);
    case PCDF_CLAIM_NONE:
        return PCDF_FAIL(NC_ERECOVER, "a change of the file was interrupted, and its journal is not in the "
                                      "file's folder: `parcdf repair` says what can be done");
    default: /* the sentence is there */
        return NC_ERECOVER;
    }
}

int pcdf_change_root_look(const char *path, struct pcdf_journalfile *found)
{
    struct pcdf_journalfile c = { 0 };
    struct pcdf_file_mark mark;
    enum pcdf_claim claim;
    int err = pcdf_ownjournal_root_find(path, NULL, &c, &mark, &claim);
    if (!err && !mark.is_marked)
        err = pcdf_ownjournal_root_tidy(&c, path, claim);
    else if (!err && claim != PCDF_CLAIM_OWN)
        err = say_lost(&c, claim, &mark);
    else if (!err)
        err = pcdf_ownjournal_root_gone(&c);
    if (!err && mark.is_hdf5)
        err = pcdf_metajournal_root_finish(path, &c);
    if (err || !mark.is_marked)
        pcdf_journalfile_close(&c);
    *found = c;
    return err;
}

/* Both headers of the journal, as what they define. */
int pcdf_change_take_headers(struct pcdf_dataset *ds, const struct pcdf_journal *j,
                             struct pcdf_layout *old_layout)
{
    struct pcdf_fault fault;
    int64_t need = 0;
    ds->old_meta = pcdf_calloc(1, sizeof *ds->old_meta);
    ds->fill.listed = pcdf_calloc((size_t)j->nfills + 1, sizeof *ds->fill.listed);
    if (!ds->old_meta || !ds->fill.listed)
        return PCDF_FAIL(NC_ENOMEM, "no memory to recover the file");
    int err = pcdf_decode(NULL, j->old_header, (size_t)j->old_size, INT64_MAX, &need, ds->old_meta,
                          old_layout, &fault);
    if (!err && !need)
        err = pcdf_decode(NULL, j->new_header, (size_t)j->new_size, INT64_MAX, &need, &ds->meta, &ds->layout,
                          &fault);
    if (err || need)
        return PCDF_FAIL(NC_ERECOVER, "a header in the journal cannot be read: %s",
                         need ? "cut off" : fault.text);
    /* A redef only adds variables behind: what moves relies on it. */
    for (int i = 0; i < ds->old_meta->nvars; i++) {
        const struct pcdf_var *old = &ds->old_meta->vars[i];
        if (i >= ds->meta.nvars || old->is_record != ds->meta.vars[i].is_record ||
            old->nbytes != ds->meta.vars[i].nbytes)
            return PCDF_FAIL(NC_ERECOVER, "variable %s of the journal's old header is not in its new one",
                             old->name);
    }
    if (j->nfills != 0 && j->nfills != ds->meta.nvars)
        return PCDF_FAIL(NC_ERECOVER, "the journal has modes of %lld variables, its header %d",
                         (long long)j->nfills, ds->meta.nvars);
    ds->fill.nlisted = (int)j->nfills;
    for (int i = 0; i < ds->fill.nlisted; i++)
        ds->fill.listed[i] = j->fills[i] != 0;
    return NC_NOERR;
}

struct journal_name { /* what rank 0 found */
    uint64_t nonce;
    char path[PATH_MAX];
};

/* The name may lead to another file than rank 0 looked at: what counts is the one that the storage has open,
 * on each rank. */
static int check_opened(struct pcdf_dataset *ds, const struct pcdf_journalfile *c)
{
    unsigned char first[PCDF_MARK_FIRST] = { 0 };
    int64_t n = sizeof first, got = 0;
    struct pcdf_sidecar_facts facts = { .inode = c->journal.inode };
    PCDF_TRY(pcdf_storage_move_at(ds->io->storage, PCDF_GET, first, n, 0, &got));
    if (ds->ranks.rank == 0)
        PCDF_TRY(pcdf_sidecar_inspect(ds->path, &facts));
    if (got == n && facts.inode == c->journal.inode && pcdf_journal_is_of(&c->journal, first))
        return NC_NOERR;
    return PCDF_FAIL(NC_ERECOVER,
                     "%s is another file than a moment ago, or was recovered meanwhile: nothing was done, "
                     "open it again",
                     ds->path);
}

/* Rank 0 has had it open, and locked, since it found it. From here on it is the owner. */
static int open_journal_all(struct pcdf_dataset *ds, struct pcdf_journalfile *c)
{
    struct journal_name name = { 0 };
    bool is_root = ds->ranks.rank == 0;
    int mine = NC_NOERR;
    if (is_root && pcdf_journalfile_is_open(&ds->recovery)) {
        *c = ds->recovery;
        ds->recovery = (struct pcdf_journalfile){ 0 };
        name.nonce = c->journal.nonce;
        snprintf(name.path, sizeof name.path, "%s", c->sidecar.path);
        mine = check_opened(ds, c);
        c->is_marked = true;
        if (!mine)
            pcdf_journalfile_heartbeat(c, true, false);
    }
    int status = pcdf_ranks_bcast_all(&ds->ranks, &name, sizeof name);
    pcdf_first(&status, mine);
    if (is_root || status)
        return status;
    if (!name.nonce)
        return PCDF_FAIL(NC_ERECOVER, "rank 0 has no journal");
    PCDF_TRY(pcdf_sidecar_open(ds->path, name.path, PCDF_SIDECAR_WRITE, &c->sidecar));
    PCDF_TRY(pcdf_journalfile_read_head(c));
    if (c->journal.nonce != name.nonce)
        return PCDF_FAIL(NC_ERECOVER, "%s is not the journal that rank 0 found", name.path);
    pcdf_filelock_join(c->sidecar.fd);
    return check_opened(ds, c);
}

int pcdf_change_count_rounds(struct pcdf_mover *m, int64_t *least, int64_t *most)
{
    *least = INT64_MAX;
    *most = -1;
    for (int64_t part = m->ds->ranks.rank; part < m->parts; part += m->ds->ranks.size) {
        int64_t latest = -1; /* that is in the journal, data and all */
        for (int64_t i = 0; i < 2; i++) {
            int64_t slot = pcdf_journal_slot(m->journal, part, i);
            struct pcdf_journal_record r;
            PCDF_TRY(pcdf_mover_read_record(m, slot, &r));
            PCDF_TRY(pcdf_mover_check_data(m, slot, &r));
            if (r.round > latest && r.round % 2 == i && r.round <= m->rounds && r.step == 0)
                latest = r.round;
        }
        *least = pcdf_smaller(*least, latest);
        *most = pcdf_larger(*most, latest);
    }
    return NC_NOERR;
}

/* Goes on with the rounds. The change stopped in the round that not every part noted: what a round writes
 * begins only when all parts have noted it. The round before that is written again, from the journal. */
static int resume_move_all(struct pcdf_mover *m, int status)
{
    struct pcdf_dataset *ds = m->ds;
    int64_t least = INT64_MAX, most = -1;
    if (!status)
        status = pcdf_change_count_rounds(m, &least, &most);
    int64_t known[2] = { most, -least };
    pcdf_first(&status, pcdf_ranks_reduce_all(&ds->ranks, MPI_MAX, known, 2));
    int64_t latest = known[0];
    status = pcdf_ranks_agree_all(&ds->ranks, status, "read the journal");
    if (PCDF_SAME_IN(ds, m->journal->block > 0 && latest < 0 && !ds->poisoned)) {
        bool is_refused;
        status = pcdf_insertions_run_all(m, status, &is_refused);
        if (PCDF_SAME_IN(ds, !is_refused))
            return status;
    }
    bool missing = -known[1] < latest;            /* some part lacks it, so latest >= 0 */
    int64_t redo = missing ? latest - 1 : latest; /* -1: no part noted anything yet */
    if (!status && redo >= 0)
        pcdf_first(&status, pcdf_mover_redo(m, redo));
    return pcdf_mover_run_all(m, redo + 1, status);
}

/* What a power failure took from the end of the file are rounds of nothing; a journal that promises far more
 * than the file has is none of ours, and would cost time and memory without end. */
enum { MOST_EMPTY_ROUNDS = 1024, MOST_EMPTY_STEPS = 4096, MOST_PARTS_UNSEEN = 1 << 16, PIECE = 1 << 20 };

int pcdf_change_take_extent(struct pcdf_mover *m, const struct pcdf_journal *j)
{
    int64_t there = 0, journal = 0;
    PCDF_TRY(pcdf_storage_size(m->ds->io->storage, &there));
    PCDF_TRY(pcdf_sidecar_size(m->sidecar, &journal));
    if (j->parts > MOST_PARTS_UNSEEN &&
        journal < pcdf_journal_slot(j, j->parts, 0)) /* its room was taken at the start */
        return PCDF_FAIL(NC_ERECOVER, "the journal has %lld bytes, too few for %lld parts",
                         (long long)journal, (long long)j->parts);
    pcdf_mover_size(m, j->file_size, j->parts, j->chunk);
    m->step = j->step;
    int64_t missing = (j->file_size - there) / j->parts; /* bytes of a part */
    if (missing / j->chunk > MOST_EMPTY_ROUNDS || (j->step > 0 && missing / j->step > MOST_EMPTY_STEPS))
        return PCDF_FAIL(NC_ERECOVER,
                         "the journal is about a file of %lld bytes in parts of %lld, the file has %lld",
                         (long long)j->file_size, (long long)j->chunk, (long long)there);
    return pcdf_mover_room(m, j->chunk < PIECE ? j->chunk : PIECE);
}

/* A job that was killed left file and journal as programs see them, perhaps not on the storage: a power cut
 * now must not take back what the recovery builds on. */
static int store_what_is_there(struct pcdf_dataset *ds, struct pcdf_journalfile *c)
{
    PCDF_TRY(pcdf_sidecar_sync(&c->sidecar));
    if (ds->ranks.rank == 0)
        PCDF_TRY(pcdf_sidecar_sync_folder(c->sidecar.path));
    return pcdf_storage_sync(ds->io->storage, false);
}

int pcdf_change_recover_all(struct pcdf_dataset *ds)
{
    struct pcdf_journalfile c = { 0 };
    struct pcdf_layout old_layout = { 0 };
    struct pcdf_mover m = { .journal = &c.journal, .sidecar = &c.sidecar, .change = &c, .syncs = true };
    struct pcdf_header_bytes header;
    enum pcdf_change_step next = PCDF_STEP_MOVE; /* journal and mark are there */
    ds->on_storage = true;
    int status = open_journal_all(ds, &c);
    const struct pcdf_journal *j = &c.journal;
    if (!status)
        status = pcdf_change_take_headers(ds, j, &old_layout);
    if (!status && j->parts > 0)
        status = pcdf_mover_prepare(&m, ds, ds->old_meta, &old_layout);
    if (!status && j->parts > 0)
        status = pcdf_change_take_extent(&m, j);
    if (!status && j->block > 0 && !pcdf_insertions_plan(&m, ds->old_meta, &old_layout, j->block))
        status = PCDF_FAIL(NC_ERECOVER, "the journal tells of insertions that cannot make its change");
    if (!status)
        status = store_what_is_there(ds, &c);
    status = pcdf_change_begin_all(ds, status, &next);
    if (PCDF_SAME_IN(ds, next != PCDF_STEP_NONE)) {
        header = (struct pcdf_header_bytes){ (unsigned char *)j->new_header, j->new_size };
        if (j->parts > 0) {
            status = resume_move_all(&m, status);
            if (PCDF_SAME_IN(ds, !ds->io_error)) /* since the last vote */
                pcdf_first_vote(ds, &status, pcdf_change_fill_all(ds, m.syncs));
        }
        status = pcdf_change_end_all(ds, &header, &c, m.syncs, status);
    }
    pcdf_mover_free(&m);
    pcdf_layout_free(&old_layout);
    pcdf_meta_free(&ds->meta);
    pcdf_layout_free(&ds->layout);
    pcdf_fill_free(&ds->fill);
    pcdf_forget_old_meta(ds);
    pcdf_journalfile_close(&c);
    return status;
}
