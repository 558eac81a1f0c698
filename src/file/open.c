/* Create and open: all ranks say in the first message that they are here and can go on, rank 0 looks at the
 * name and broadcasts how it went, all ranks open the storage, rank 0 reads the header and broadcasts it.
 * Rank 0's mode wins everywhere. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rootfile.h"
#include "posixio.h"
#include "alloc.h"
#include "byname.h"
#include "safety.h"
#include "complete.h"
#include "change.h"
#include "newpath.h"
#include "ownjournal.h"
#include "fileplace.h"
#include "filesystem.h"
#include "metajournal.h"
#include "pnetcdf.h"
#include "quantize.h"
#include "sharedshown.h"
#include "sidecar.h"
#include "watchdog.h"
#include "fill.h"
#include "debuglog.h"
#include "file.h"
#include "launcher.h"
#include "worldmodel.h"

struct root_decision {                                                /* what rank 0 decides for all */
    int32_t status, mode, version, is_relaxed, safe_mode, unfinished, /* a change to recover from */
        is_elsewhere,                                                 /* a part placed it at ds->new_path */
        has_writer,                                                   /* a part writes it (filewriter.h) */
        mpi_creates,                                                  /* create: there is no file yet */
        replaces;                                                     /* create: something had the name */
    struct pcdf_comm_offer comm;
    int64_t parts[PCDF_PARTS_MOST];  /* what rank 0 says of each (parts/part.h) */
    int64_t stamp;                   /* a new file's (rootfile.h) */
    struct pcdf_called called;       /* how rank 0 calls the file */
    struct pcdf_fileid gone;         /* create: what had the name, and no other */
    char engine[PCDF_HINT_TEXT_MAX]; /* all must have the same */
    char text[320];
};

/* ---- what is the same for create and open */

/* Of the environment: set, and not to a text that begins with 0. */
static bool is_on(const char *name, bool otherwise)
{
    const char *text = getenv(name);
    return text ? text[0] != '0' : otherwise;
}

struct opener { /* there may be no memory for a dataset */
    struct pcdf_ranks ranks;
    struct pcdf_lease lease;
};

static int make_dataset(struct pcdf_dataset **ds, const struct opener *by, const char *path, MPI_Info info)
{
    PCDF_TRY(pcdf_check_path(path));
    struct pcdf_dataset *made = pcdf_calloc(1, sizeof *made);
    if (!made)
        return PCDF_FAIL(NC_ENOMEM, "no memory to open %s", path);
    made->ranks = by->ranks;
    made->ranks.counts = &made->counts;
    made->lease = by->lease;
    struct pcdf_hints *hints = pcdf_dataset_hints_to_read(made);
    hints->user = MPI_INFO_NULL;
    *ds = made;
    PCDF_TRY(pcdf_parts_make(&made->parts));
    made->path = pcdf_strndup(path, strlen(path));
    made->place = pcdf_fileplace_absolute(path);
    if (!made->path || !made->place)
        return PCDF_FAIL(NC_ENOMEM, "no memory to open %s", path);
    made->ranks.path = made->path;
    /* One rank of those that open a file tells of hints without effect; of the many that each open their own,
     * one of the job, where the World model tells which. */
    bool tells = by->ranks.rank == 0 && (by->ranks.size > 1 || pcdf_world_rank() <= 0);
    int err = pcdf_hints_read(hints, info, tells);
    pcdf_parts_drop_hints(hints);
    if (!err && pcdf_storage_shows(hints->engine)) /* a program passes on what inq_file_info told */
        snprintf(hints->engine, sizeof hints->engine, "auto");
    made->storage_kind = pcdf_storage_kind(hints->engine);
    if (!err)
        pcdf_parts_hints_read(made);
    return err;
}

enum { W_STATUS, W_LOST, W_KIND, W_NOT_KIND, W_HINTS, W_FIELDS = W_HINTS + PCDF_HINTS_AGREED };
_Static_assert((int)W_FIELDS <= (int)PCDF_FIRST_NUMBERS, "the first message has room for all");

/* Whether any rank failed before, and the largest of each number of all ranks. On the communicator that all
 * files share, and watched: create and open are the first calls for which a rank may not come. */
static int vote_all(const struct opener *by, const struct pcdf_dataset *ds, enum pcdf_kind kind, int status,
                    int64_t *proposals)
{
    int err = NC_NOERR;
    proposals[W_STATUS] = -status;
    proposals[W_KIND] = (int)kind;
    proposals[W_NOT_KIND] = -(int)kind;
    if (by->ranks.size > 1) /* the same on all ranks */
        err = pcdf_comm_first_vote_all(&by->ranks, &by->lease, ds ? &ds->hints : NULL, kind, proposals,
                                       W_FIELDS);
    return err;
}

int pcdf_first_agree_all(const struct pcdf_ranks *ranks, const struct pcdf_lease *lease, enum pcdf_kind kind,
                         int status)
{
    const struct opener by = { *ranks, *lease };
    int64_t proposals[W_FIELDS];
    for (int i = 0; i < W_FIELDS; i++)
        proposals[i] = INT64_MIN;
    int err = vote_all(&by, NULL, kind, status, proposals);
    if (!err && proposals[W_KIND] != -proposals[W_NOT_KIND]) /* the same on all ranks */
        return PCDF_FAIL(NC_EMULTIDEFINE_FNC_ARGS, "some ranks call %s while others call something else",
                         pcdf_kind_name(kind));
    pcdf_first(&err, status);
    if (!err && proposals[W_STATUS])
        err = PCDF_FAIL((int)-proposals[W_STATUS], "%s fails on another rank", pcdf_kind_name(kind));
    return err;
}

/* All ranks are here, none of them fails so far, and what they had closed in the background is complete, so
 * far as the path leads there: else rank 0 does nothing to the name. *worst: what fails on any rank; the same
 * on all, as what this returns. */
static int meet_all(const struct opener *by, struct pcdf_dataset *ds, const char *path, enum pcdf_kind kind,
                    int status, int32_t *lost, int *worst)
{
    int64_t proposals[W_FIELDS];
    proposals[W_LOST] = pcdf_comm_lost(&by->lease);
    for (int i = W_HINTS; i < W_FIELDS; i++)
        proposals[i] = INT64_MIN;
    if (!status)
        pcdf_hints_propose(&ds->hints, by->ranks.rank == 0, &proposals[W_HINTS]);
    PCDF_TRY(vote_all(by, ds, kind, status, proposals));
    if (proposals[W_KIND] != -proposals[W_NOT_KIND])
        return PCDF_FAIL(NC_EMULTIDEFINE_FNC_ARGS, "some ranks create %s while others open it",
                         path ? path : "a file");
    *lost = (int32_t)proposals[W_LOST];
    *worst = (int)-proposals[W_STATUS];
    if (!*worst) {
        pcdf_hints_agreed(pcdf_dataset_hints_to_read(ds), &proposals[W_HINTS]);
        ds->commit = ds->hints.commit;
    }
    return NC_NOERR;
}

/* Where the file is, for all that is done by name later: nothing that is no file on a disk. */
static void note_place(struct pcdf_dataset *ds)
{
    if (!ds->storage_kind->on_disk) {
        pcdf_free(ds->place);
        ds->place = NULL;
    } else if (ds->new_path)
        ds->later = pcdf_fileplace_name(ds->path);
}

/* What the file is in memory; then its storage opens it. */
static int open_storage_all(struct pcdf_dataset *ds, const struct root_decision *decision, bool creates)
{
    bool makes = decision->mpi_creates;
    struct pcdf_sidecar_facts facts;
    if (creates)
        pcdf_meta_init(&ds->meta, (enum pcdf_version)decision->version);
    ds->mode = creates ? PCDF_MODE_DEFINE : PCDF_MODE_COLLECTIVE;
    ds->on_storage = !creates;
    ds->is_relaxed = decision->is_relaxed;
    ds->safe_mode = decision->safe_mode;
    note_place(ds);
    /* Of a file that is written, the definitions and where its chunks are. */
    bool shares = pcdf_storage_shows(decision->engine), tells = decision->has_writer && !creates;
    if (PCDF_SAME(&ds->ranks, shares || tells))
        PCDF_TRY(pcdf_sharedshown_all(
            &ds->ranks, tells ? PCDF_CHUNK_SHARE_DISABLE : (enum pcdf_chunk_share)ds->hints.chunk_share,
            ds->hints.chunk_cache, &ds->shown));

    struct pcdf_sharedfile_config config = {
        .file = { .path = pcdf_dataset_path(ds),
                  .later_path = !ds->new_path || ds->keeps_new_path ? NULL
                                : ds->place                         ? ds->place
                                                                    : ds->path,
                  .mode = creates        ? PCDF_STORAGE_CREATE
                          : ds->readonly ? PCDF_STORAGE_READ
                                         : PCDF_STORAGE_WRITE,
                  .is_maker = makes,
                  .is_exclusive = makes && (ds->new_path || (decision->mode & NC_NOCLOBBER)),
                  .counts = &ds->counts,
                  .shown = ds->shown },
        .comm = ds->ranks.comm,
        .stamp = decision->stamp,
        .info = ds->hints.user,
        .engine = decision->engine,
        .proposal = { ds->hints.aggrs_per_node, 0, ds->hints.exchange_size },
        .view_threshold = ds->hints.view_threshold,
        .sieve = (enum pcdf_sieve_mode)ds->hints.sieve /* agreed */
    };
    pcdf_parts_configure(ds, &config);
    PCDF_TRY(pcdf_sharedfile_open_all(&config, &ds->io));
    if (ds->commit == PCDF_COMMIT_AUTO && ds->io->tells_late) /* else a close may lose puts */
        pcdf_dataset_close_commits(ds);
    ds->storage_kind = ds->io->kind;
    pcdf_sync_expect(ds);
    if (ds->ranks.rank == 0 && ds->storage_kind->on_disk &&
        !pcdf_filesystem_at(pcdf_dataset_path(ds))->numbers_by_client)
        ds->inode = pcdf_sidecar_inspect(pcdf_dataset_path(ds), &facts) ? 0 : facts.inode;
    return NC_NOERR;
}

/* The last step: a rank may still lack memory, or a free ncid, and then nobody opens. In safe mode nobody
 * opens with hints that differ; *differs: the code of `mode`, when that differs and the file is open all the
 * same. */
static int finish_all(struct pcdf_dataset *ds, int status, const struct pcdf_fact *mode, int *differs,
                      int *ncid)
{
    const struct pcdf_fact facts[] = {
        { "a hint", NC_EMULTIDEFINE_HINTS, &ds->hints.asked, sizeof ds->hints.asked }, *mode
    };
    struct pcdf_vote vote = { .kind = PCDF_KIND_OPEN, .hash = ds->safe_mode ? pcdf_facts_hash(facts, 2) : 0 };
    struct pcdf_watchdog *watchdog = NULL;
    int id = -1;
    bool is_watched = ds->hints.watchdog_s > 0 && ds->ranks.size > 1;
    if (is_watched && !(watchdog = pcdf_watchdog_make(&ds->ranks, PCDF_VOTE_NUMBERS)))
        pcdf_first(&status, PCDF_FAIL(NC_ENOMEM, "no memory to watch over %d ranks", ds->ranks.size));
    if (!status)
        status = pcdf_dataset_adopt(ds, &id);
    vote.error = status;
    pcdf_first(&status, pcdf_vote_all(ds, &vote));
    if (!status && vote.error)
        status = PCDF_FAIL(vote.error, "another rank failed to open the file");
    if (PCDF_SAME_IN(ds, !vote.error && vote.hash_differs)) /* in safe mode only */
        *differs = pcdf_name_difference_all(ds, PCDF_KIND_OPEN, facts, 2);
    if (*differs && *differs != mode->code)
        pcdf_first(&status, *differs);
    if (status && id >= 0)
        pcdf_dataset_release(id);
    if (PCDF_SAME_IN(ds, status != NC_NOERR)) { /* since the vote */
        (void)pcdf_sharedfile_close_all(ds->io);
        pcdf_watchdog_free(watchdog);
    } else {
        int64_t number = pcdf_comm_hold(&ds->lease);
        ds->sequence = number * PCDF_CALLS_OF_A_FILE;
        pcdf_watchdog_start(watchdog, ds->ranks.comm, &ds->hints, number, false);
        ds->watchdog = watchdog;
        *ncid = id;
    }
    return status;
}

/* ---- create */

/* Adds the format of files that are created without a format bit, where that is netCDF-4. */
static int with_default_format(int cmode)
{
    const int format = pcdf_default_format_now();
    bool is_asked = cmode & (NC_64BIT_DATA | NC_64BIT_OFFSET | NC_CLASSIC_MODEL | NC_NETCDF4);
    return is_asked                              ? cmode
           : format == NC_FORMAT_NETCDF4         ? cmode | NC_NETCDF4
           : format == NC_FORMAT_NETCDF4_CLASSIC ? cmode | NC_NETCDF4 | NC_CLASSIC_MODEL
                                                 : cmode;
}

static int root_check_cmode(int cmode, int *version)
{
    if (cmode & (NC_DISKLESS | NC_MMAP))
        return PCDF_FAIL(NC_EINVAL_CMODE, "NC_DISKLESS and NC_MMAP are not offered");
    if ((cmode & NC_64BIT_OFFSET) && (cmode & NC_64BIT_DATA))
        return PCDF_FAIL(NC_EINVAL_CMODE, "NC_64BIT_OFFSET and NC_64BIT_DATA exclude each other");
    *version = cmode & (NC_64BIT_DATA | NC_NETCDF4) ? PCDF_CDF5
               : cmode & NC_64BIT_OFFSET            ? PCDF_CDF2
               : cmode & NC_CLASSIC_MODEL           ? PCDF_CDF1
                                                    : pcdf_default_format_now();
    return NC_NOERR;
}

/* Makes the file, or room for it where MPI is to make it. Nothing beside a name that was free is of the new
 * file; a journal there may be of one that was renamed, and stays where it is until this one needs its own.
 */
static int root_make(struct root_decision *decision, const char *path, bool noclobber, bool by_mpi)
{
    bool is_new, is_free;
    struct pcdf_leaving old;
    PCDF_TRY(pcdf_file_root_make(path, !by_mpi, &is_new));
    decision->replaces = !is_new;
    decision->mpi_creates = is_new && by_mpi;
    if (is_new)
        return NC_NOERR;
    if (noclobber)
        return PCDF_FAIL(NC_EEXIST, "%s exists", path);
    PCDF_TRY(pcdf_parts_root_await(path, 0)); /* it may be emptied */
    PCDF_TRY(pcdf_ownjournal_root_leaving(path, &old));
    int err = pcdf_file_root_replace(path, !by_mpi, &is_free, &decision->gone);
    decision->mpi_creates = is_free;
    pcdf_ownjournal_root_left(&old, err == NC_NOERR);
    return err;
}

/* Striping is a property that a file gets when it is made (Lustre), by MPI_File_open, which is told of the
 * hints. */
static int root_begin_create(struct root_decision *decision, struct pcdf_dataset *ds, int cmode)
{
    int version = PCDF_CDF1;
    bool noclobber = cmode & NC_NOCLOBBER;
    cmode = with_default_format(cmode);
    PCDF_TRY(root_check_cmode(cmode, &version));
    decision->version = version;
    const struct pcdf_storage_ops *kind = ds->storage_kind;
    bool stripes = pcdf_storage_makes_stripes(ds->hints.engine, ds->hints.user);
    struct pcdf_opening o = { .ds = ds,
                              .mode = cmode,
                              .creates = true,
                              .for_writing = true,
                              .noclobber = noclobber,
                              .by_mpi = stripes };
    if (kind->on_disk)
        PCDF_TRY(pcdf_parts_root_place(&o, decision->parts));
    if ((cmode & NC_NETCDF4) && !o.has_writer)
        return PCDF_FAIL(NC_ENOTBUILT, "NC_NETCDF4: %s",
                         kind->on_disk ? "this library was built without what writes HDF5 files (option "
                                         "PARCDF_PARTS)"
                                       : "HDF5 files are written to files on a disk only");
    if (!kind->on_disk)
        return kind->make ? kind->make(ds->path, noclobber) : NC_NOERR;
    decision->has_writer = o.has_writer;
    if (o.has_writer)
        decision->version = PCDF_CDF5;
    decision->is_elsewhere = ds->new_path != NULL;
    if (decision->is_elsewhere) { /* the old file keeps what lies beside it */
        decision->mpi_creates = stripes;
    } else {
        PCDF_TRY(root_make(decision, ds->path, noclobber, stripes));
        PCDF_TRY(pcdf_parts_root_forget(ds->path));
    }
    PCDF_TRY(pcdf_parts_root_begin(&o, decision->parts));
    if (!decision->mpi_creates && ds->ranks.size > 1)
        decision->stamp = pcdf_file_root_stamp(pcdf_dataset_path(ds));
    return NC_NOERR;
}

/* ---- open */

/* What the file is. An interrupted change of HDF5's metadata is finished before that, where it is to be
 * written to. */
static int root_look(struct pcdf_dataset *ds, const struct pcdf_shown_options *options, bool *is_seen)
{
    bool was_recovered = false;
    PCDF_TRY(pcdf_shown_look(ds->path, options, &ds->shown, is_seen));
    if (options->for_writing && !*is_seen)
        PCDF_TRY(pcdf_metajournal_root_recover(ds->path, &was_recovered));
    return was_recovered ? pcdf_shown_look(ds->path, options, &ds->shown, is_seen) : NC_NOERR;
}

/* A file of another format that is to be written to. */
static int root_begin_other(struct pcdf_dataset *ds, struct pcdf_opening *o, struct root_decision *decision)
{
    PCDF_TRY(pcdf_parts_root_begin(o, decision->parts));
    decision->has_writer = o->has_writer;
    return o->has_writer ? pcdf_file_root_probe(ds->path, true)
                         : pcdf_shown_refuse_writing(ds->shown, ds->path);
}

static int root_begin_open(struct pcdf_dataset *ds, int omode, struct root_decision *decision)
{
    bool is_seen;
    const struct pcdf_shown_options options = { omode & NC_WRITE, ds->hints.map_seconds, ds->hints.map_memory,
                                                ds->hints.references };
    if (omode & (NC_DISKLESS | NC_MMAP))
        return PCDF_FAIL(NC_EINVAL_OMODE, "NC_DISKLESS and NC_MMAP are not offered");
    if (!ds->storage_kind->on_disk)
        return NC_NOERR;
    PCDF_TRY(pcdf_parts_root_await(ds->path, ds->hints.watchdog_s));
    struct pcdf_opening o = { .ds = ds, .mode = omode, .for_writing = omode & NC_WRITE };
    PCDF_TRY(pcdf_parts_root_place(&o, decision->parts));
    decision->is_elsewhere = is_seen = ds->new_path != NULL;
    if (!decision->is_elsewhere)
        PCDF_TRY(root_look(ds, &options, &is_seen));
    if (ds->shown)
        return omode & NC_WRITE ? root_begin_other(ds, &o, decision) : NC_NOERR;
    if ((omode & NC_WRITE) || !is_seen)
        PCDF_TRY(pcdf_file_root_probe(ds->path, omode & NC_WRITE));
    if (omode & NC_WRITE)
        PCDF_TRY(pcdf_change_root_look(ds->path, &ds->recovery));
    decision->unfinished = pcdf_journalfile_is_open(&ds->recovery);
    return pcdf_parts_root_begin(&o, decision->parts);
}

/* ---- both */

static int root_begin(const struct opener *by, struct pcdf_dataset *ds, int mode, enum pcdf_kind kind,
                      struct root_decision *decision)
{
    bool creates = kind == PCDF_KIND_CREATE;
    PCDF_TRY(creates ? root_begin_create(decision, ds, mode) : root_begin_open(ds, mode, decision));
    snprintf(decision->engine, sizeof decision->engine, "%s",
             ds->shown && !decision->has_writer
                 ? pcdf_shown_storage(ds->shown)
                 : pcdf_storage_root_choose(ds->hints.engine, pcdf_dataset_path(ds), ds->hints.user));
    decision->comm = pcdf_comm_root_offer(&by->lease);
    decision->called = ds->called;
    return NC_NOERR;
}

/* What rank 0 did, or why nobody does anything; fails on all ranks or on none. status: of this rank; worst:
 * of all ranks, before. */
static int broadcast_decision_all(const struct opener *by, struct root_decision *decision, int status,
                                  int worst)
{
    bool is_root = by->ranks.rank == 0;
    decision->status = is_root ? status : NC_NOERR;
    if (is_root && status)
        snprintf(decision->text, sizeof decision->text, "%s", pcdf_fail_text());
    int err = pcdf_ranks_bcast_all(&by->ranks, decision, sizeof *decision);
    if (!err && decision->status)
        err = is_root ? decision->status : PCDF_FAIL(decision->status, "rank 0: %s", decision->text);
    pcdf_first(&err, status);
    if (!err && worst)
        err = PCDF_FAIL(worst, "another rank cannot open the file");
    return err;
}

/* All take rank 0's storage; no rank opens a file that another cannot. */
static int begin_all(const struct opener *by, struct pcdf_dataset *ds, const char *path, int mode,
                     enum pcdf_kind kind, struct root_decision *decision, int status)
{
    int32_t lost;
    bool is_root = by->ranks.rank == 0;
    int worst, err = meet_all(by, ds, path, kind, status, &lost, &worst);
    if (err) /* on all ranks */
        return err;
    if (is_root && !worst)
        status = root_begin(by, ds, mode, kind, decision);
    err = broadcast_decision_all(by, decision, status, worst);
    if (err) { /* on all ranks */
        if (is_root)
            pcdf_comm_root_withdraw(&by->lease, &decision->comm);
        return err;
    }
    ds->storage_kind = pcdf_storage_kind(decision->engine);
    ds->called = decision->called;
    ds->is_streaming = ds->hints.streaming && kind == PCDF_KIND_CREATE; /* else the file says it: header.c */
    if (ds->commit == PCDF_COMMIT_AUTO && decision->replaces) /* by itself, the library waits for that */
        pcdf_dataset_close_commits(ds);
    ds->is_new = kind == PCDF_KIND_CREATE;
    ds->readonly = !ds->is_new && !(decision->mode & NC_WRITE);
    pcdf_parts_agreed(ds, decision->parts);
    return pcdf_comm_take_all(&ds->ranks, &ds->lease, &decision->comm, lost);
}

/* The launcher of another MPI library started this program: said once, by one process. Local. */
static void tell_of_launcher(void)
{
    struct pcdf_launcher l;
    if (pcdf_world_is_one_process() && pcdf_launcher_of(&l) && l.rank == 0)
        pcdf_debuglog_tell(
            "the launcher started %d processes (%s), but MPI sees one: it is the launcher of another "
            "MPI library, and each process makes its files alone, over those of the others",
            l.size, l.variable);
}

int pcdf_open_all(MPI_Comm user, const char *path, int mode, MPI_Info info, enum pcdf_kind kind, int *ncid)
{
    bool creates = kind == PCDF_KIND_CREATE;
    struct opener by;
    struct pcdf_dataset *ds = NULL;
    int differs = NC_NOERR, code = creates ? NC_EMULTIDEFINE_CMODE : NC_EMULTIDEFINE_OMODE;
    *ncid = -1;
    if (creates)
        tell_of_launcher();
    int status = pcdf_comm_of_all(user, info, path, &by.ranks, &by.lease);
    if (status && creates)
        pcdf_parts_refused(NULL);
    PCDF_TRY(status); /* fails on all ranks or on none */
    pcdf_parts_before_open_all(user, &by.lease, path);
    const struct pcdf_fact fact = { "the mode", code, &mode, sizeof mode };
    struct root_decision decision = { .mode = mode,
                                      .is_relaxed = is_on("PNETCDF_RELAX_COORD_BOUND", true),
                                      .safe_mode = is_on("PNETCDF_SAFE_MODE", false) };
    status = make_dataset(&ds, &by, path, info);
    if (!status) /* what follows is not the same on all ranks, and waits for nobody for ever */
        status = pcdf_parts_await_all(path);
    status = begin_all(&by, ds, path, mode, kind, &decision, status);
    /* On all ranks or on none, as what follows: opening agrees itself. */
    if (!status && PCDF_SAME(&ds->ranks, decision.is_elsewhere))
        status = pcdf_newpath_share_all(ds);
    if (!status)
        status = open_storage_all(ds, &decision, creates);
    if (!status) { /* on all ranks or none, as what follows */
        status = pcdf_parts_opened_all(ds);
        if (PCDF_SAME(&ds->ranks, decision.unfinished))
            pcdf_first(&status, pcdf_change_recover_all(ds));
        if (PCDF_SAME(&ds->ranks, !creates)) {
            if (by.ranks.rank == 0 && !status)
                status = pcdf_parts_root_recover(ds);
            status = pcdf_header_read_all(ds, status);
            if (!status && !ds->readonly) /* who only reads asks the attributes */
                pcdf_quantize_of_atts(&ds->meta);
        }
        ds->fill.from_file = ds->meta.nvars;
        status = pcdf_parts_read_all(ds, &(struct pcdf_opened){ status, creates, decision.gone });
        status = finish_all(ds, status, &fact, &differs, ncid);
    }
    bool is_refused = status && creates && !(status == NC_EEXIST && (mode & NC_NOCLOBBER));
    if (is_refused && by.ranks.rank == 0)
        pcdf_parts_refused(ds);
    if (status && ds) {
        pcdf_parts_not_opened(ds);
        pcdf_comm_give_back(&ds->lease, ds->poisoned);
    }
    if (!status && by.ranks.rank == 0)
        pcdf_shown_warn(ds->shown);
    if (status)
        pcdf_dataset_free(ds);
    else if (!differs && decision.mode != mode) /* the file is open all the same */
        differs = PCDF_FAIL(code, "%s: %s mode 0x%x here, 0x%x on rank 0, which holds", ds->path,
                            pcdf_kind_name(kind), (unsigned)mode, (unsigned)decision.mode);
    return status ? status : pcdf_parts_call_ends(ds, pcdf_kind_name(kind), -1, differs);
}
