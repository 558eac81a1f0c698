/* See netcdf4file.h: what a put that failed leaves of a file. */
#include "netcdf4file.h"
#include "dataset.h"
#include "numbers.h"
#include "vote.h"
#include "writequeue.h"

struct left { /* as all ranks agreed */
    int64_t records, end;
    bool can;
};

/* Was all that a call acknowledged at least given to the owners of chunks? Puts that wait elsewhere may be
 * lost. */
static bool is_sure(const struct pcdf_dataset *ds, const struct netcdf4 *n)
{
    return !n->is_broken && !pcdf_writequeue_is_on(ds->io->storage) && ds->hints.defer == 0;
}

/* Where it was no put that failed, but a sync, what was written may not be there. */
static int look_all(struct pcdf_dataset *ds, struct netcdf4 *n, struct left *left)
{
    enum { RECORDS, MINUS_END, IS_SURE, NOT_PUT, N };
    const struct pcdf_chunks_left own = pcdf_chunks_left(n->chunks);
    int64_t end = pcdf_larger(pcdf_larger(n->plan->end, n->fed_end), own.end);
    if (ds->ranks.rank == 0)
        end = pcdf_larger(end, pcdf_larger(n->known_end, n->held_end));
    int64_t x[N] = { pcdf_smaller(ds->meta.numrecs, own.records), -end, is_sure(ds, n), !own.is_put };
    int err = pcdf_ranks_reduce_all(&ds->ranks, MPI_MIN, x, N);
    *left = (struct left){ x[RECORDS], -x[MINUS_END], x[IS_SURE] && !x[NOT_PUT] && x[RECORDS] >= n->fed };
    return err;
}

/* What failed puts left behind the last chunk goes first: metadata may need the room. */
void pcdf_netcdf4_rescue_all(struct pcdf_dataset *ds, struct netcdf4 *n, bool commits)
{
    struct left left;
    int status = look_all(ds, n, &left);
    bool gains = left.records > ds->numrecs_on_file || !n->has_metadata;
    if (PCDF_SAME_IN(ds, status || !left.can || !gains)) /* the same on all ranks, as those below */
        return;
    status = pcdf_sharedfile_resize_all(ds->io, left.end);
    status = pcdf_ranks_agree_all(&ds->ranks, status, "give back what failed puts took");
    if (!status && commits) /* on all ranks */
        status = pcdf_storage_sync(ds->io->storage, true);
    status = pcdf_ranks_agree_all(&ds->ranks, status, "write what is whole");
    if (status) /* on all ranks */
        return;
    n->eof = left.end;
    n->most = left.records;
    (void)pcdf_netcdf4_count_all(ds, n, left.records, commits);
}
