/* See checksumfile.h. */
#include "checksumfile.h"
#include "alloc.h"
#include "crc32c.h"
#include "status.h"

int pcdf_checksumfile_head(struct pcdf_sidecar *s, struct pcdf_checksums *head)
{
    unsigned char bytes[PCDF_CHECKSUMS_HEAD];
    int64_t size, got;

    PCDF_TRY(pcdf_sidecar_size(s, &size));
    PCDF_TRY(pcdf_sidecar_get(s, bytes, sizeof bytes, 0, &got));
    return pcdf_checksums_decode(bytes, got, size, head);
}

/* The head says that the table fits in its file, so its size is no invention. */
int pcdf_checksumfile_table(struct pcdf_sidecar *s, const struct pcdf_checksums *head, uint32_t **table)
{
    int64_t n = pcdf_checksums_blocks(head), size = 4 * n, got = 0;
    unsigned char *bytes = pcdf_malloc((size_t)size + 1);
    uint32_t *entries = pcdf_malloc((size_t)n * sizeof *entries + 1);
    int err =
        bytes && entries ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for %lld checksums", (long long)n);

    if (!err)
        err = pcdf_sidecar_get(s, bytes, size, PCDF_CHECKSUMS_HEAD, &got);
    if (!err && (got < size || pcdf_crc32c(0, bytes, (size_t)size) != head->table_crc))
        err = PCDF_FAIL(NC_EFILE, "the table of its checksums is not whole");
    if (!err)
        pcdf_checksums_get_entries(bytes, n, entries);
    pcdf_free(bytes);
    if (err)
        pcdf_free(entries);
    else
        *table = entries;
    return err;
}
