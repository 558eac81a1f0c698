/* Sync and the switches between collective and independent data mode. */
#include "header.h"
#include "pnetcdf.h"
#include "sync.h"

/* Takes over the agreed number of records; rank 0 writes it. */
static int adopt_numrecs(struct pcdf_dataset *ds, const struct pcdf_agreed *agreed)
{
    ds->meta.numrecs = agreed->numrecs;
    int status = ds->comm.rank == 0 ? pcdf_header_root_write_numrecs(ds) : NC_NOERR;
    ds->numrecs_on_file = ds->meta.numrecs;
    return status;
}

int pcdf_raise_numrecs_all(struct pcdf_dataset *ds, enum pcdf_kind kind, int64_t numrecs)
{
    struct pcdf_ballot ballot = { .kind = kind, .numrecs = numrecs };
    struct pcdf_agreed agreed;
    int status = pcdf_vote_all(ds, &ballot, &agreed);
    if (!status && agreed.io_error)
        status = PCDF_FAIL(agreed.io_error, "writing failed on some rank: no record was added");
    return status ? status : adopt_numrecs(ds, &agreed);
}

static int vote_on_kind_all(struct pcdf_dataset *ds, enum pcdf_kind kind, struct pcdf_agreed *agreed)
{
    struct pcdf_ballot ballot = { .kind = kind, .numrecs = ds->meta.numrecs };
    int status = pcdf_vote_all(ds, &ballot, agreed);
    if (!status && agreed->io_error)
        status = PCDF_FAIL(agreed->io_error, "writing the file failed on some rank");
    return status;
}

int pcdf_settle_numrecs_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    struct pcdf_agreed agreed;
    int status = vote_on_kind_all(ds, kind, &agreed);
    if (!status && agreed.numrecs > ds->numrecs_on_file) { /* the same on all ranks */
        status = adopt_numrecs(ds, &agreed);
        pcdf_first_vote(ds, &status, vote_on_kind_all(ds, kind, &agreed));
    }
    return status;
}

static int check_data_mode(const struct pcdf_dataset *ds, const char *call)
{
    if (ds->mode == PCDF_MODE_DEFINE)
        return PCDF_FAIL(NC_EINDEFINE, "%s in define mode", call);
    return pcdf_check_poison(ds);
}

static int flush_all(struct pcdf_dataset *ds)
{
    int status = ds->io->ops->sync_all(ds->io);
    pcdf_first(&ds->io_error, status);
    return status;
}

/* Data first, then the number of records, each on the storage before the next: a crash leaves whole records.
 */
int pcdf_sync_all(struct pcdf_dataset *ds)
{
    struct pcdf_agreed agreed;
    PCDF_TRY(check_data_mode(ds, "sync")); /* the same on all ranks, as is what follows */
    if (ds->readonly)
        return NC_NOERR;
    int status = vote_on_kind_all(ds, PCDF_KIND_SYNC, &agreed);
    bool goes = !agreed.io_error && !ds->poisoned;
    bool grew = goes && agreed.numrecs > ds->numrecs_on_file;
    if (goes) {
        pcdf_first(&status, flush_all(ds));
        pcdf_first_vote(ds, &status, vote_on_kind_all(ds, PCDF_KIND_SYNC, &agreed));
    }
    if (grew && !agreed.io_error && !ds->poisoned) {
        pcdf_first(&status, adopt_numrecs(ds, &agreed));
        pcdf_first(&status, flush_all(ds));
        pcdf_first_vote(ds, &status, vote_on_kind_all(ds, PCDF_KIND_SYNC, &agreed));
    }
    return status;
}

int pcdf_sync_numrecs_all(struct pcdf_dataset *ds)
{
    PCDF_TRY(check_data_mode(ds, "sync_numrecs")); /* the same on all ranks, as is what follows */
    if (ds->meta.nrecord_vars == 0)
        return NC_NOERR;
    if (ds->readonly)
        return PCDF_FAIL(NC_EPERM, "sync_numrecs: the file was opened for reading");
    if (ds->mode == PCDF_MODE_COLLECTIVE)
        return NC_NOERR; /* every collective put keeps the number equal */
    return pcdf_settle_numrecs_all(ds, PCDF_KIND_SYNC_NUMRECS);
}

int pcdf_begin_indep_all(struct pcdf_dataset *ds)
{
    struct pcdf_agreed agreed;
    PCDF_TRY(check_data_mode(ds, "begin_indep_data")); /* the same on all ranks, as is what follows */
    if (ds->mode == PCDF_MODE_INDEPENDENT)
        return NC_NOERR;
    int status = vote_on_kind_all(ds, PCDF_KIND_BEGIN_INDEP, &agreed);
    if (!ds->poisoned)
        ds->mode = PCDF_MODE_INDEPENDENT;
    return status;
}

int pcdf_leave_indep_all(struct pcdf_dataset *ds, enum pcdf_kind kind)
{
    int status = pcdf_settle_numrecs_all(ds, kind);
    if (!ds->poisoned)
        ds->mode = PCDF_MODE_COLLECTIVE;
    return status;
}

int pcdf_end_indep_all(struct pcdf_dataset *ds)
{
    PCDF_TRY(check_data_mode(ds, "end_indep_data")); /* the same on all ranks, as is what follows */
    if (ds->mode == PCDF_MODE_COLLECTIVE)
        return NC_NOERR;
    return pcdf_leave_indep_all(ds, PCDF_KIND_END_INDEP);
}
