/* See summark.h. */
#include "summark.h"
#include "vote.h"

int pcdf_summark_all(struct pcdf_dataset *ds)
{
    struct pcdf_blocksums *blocks = &ds->sums.blocks;
    if (PCDF_SAME_IN(ds, !blocks->before_write || ds->sums.is_marked))
        return NC_NOERR;
    int root = ds->comm.rank == 0 ? pcdf_blocksums_mark(blocks) : NC_NOERR;
    int status = root;
    pcdf_first(&status, pcdf_ranks_bcast_all(&ds->comm, &root, sizeof root));
    if (root && !status)
        status = PCDF_FAIL(root, "rank 0 could not mark the checksums beside the file as invalid");
    blocks->marked = ds->sums.is_marked = root == NC_NOERR;
    pcdf_first(&ds->io_error, status);
    return status;
}

int pcdf_summark_resize_all(struct pcdf_dataset *ds, int64_t bytes)
{
    int status = pcdf_summark_all(ds);
    if (PCDF_SAME_IN(ds, !status))
        status = pcdf_sharedfile_resize_all(ds->io, bytes);
    return status;
}
