/* The mark in a file's checksums, which says that they say nothing: on the storage before any byte of the
 * file changes (checksum.h). */
#include "checksum.h"
#include "dataset.h"
#include "vote.h"

int pcdf_checksum_mark_all(struct pcdf_dataset *ds, void *own)
{
    struct pcdf_checksum *c = own;
    if (PCDF_SAME_IN(ds, !c->blocks.before_write || c->is_marked))
        return NC_NOERR;
    int root = ds->ranks.rank == 0 ? pcdf_checksum_blocks_mark(&c->blocks) : NC_NOERR;
    int status = root;
    pcdf_first(&status, pcdf_ranks_bcast_all(&ds->ranks, &root, sizeof root));
    if (root && !status)
        status = PCDF_FAIL(root, "rank 0 could not mark the checksums beside the file as invalid");
    c->blocks.marked = c->is_marked = root == NC_NOERR;
    pcdf_first(&ds->io_error, status);
    return status;
}
