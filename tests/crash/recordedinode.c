/* See recordedinode.h. */
#include "recordedinode.h"
#include "sidecar.h"

uint64_t recorded_inode;

int __real_pcdf_sidecar_inspect(const char *file, struct pcdf_sidecar_facts *facts);
int __wrap_pcdf_sidecar_inspect(const char *file, struct pcdf_sidecar_facts *facts);

int __real_pcdf_sidecar_peek(const char *file, void *bytes, int64_t n, int64_t *got,
                             struct pcdf_sidecar_facts *facts);
int __wrap_pcdf_sidecar_peek(const char *file, void *bytes, int64_t n, int64_t *got,
                             struct pcdf_sidecar_facts *facts);

int __wrap_pcdf_sidecar_peek(const char *file, void *bytes, int64_t n, int64_t *got,
                             struct pcdf_sidecar_facts *facts)
{
    int err = __real_pcdf_sidecar_peek(file, bytes, n, got, facts);
    if (!err && facts)
        facts->inode = (int64_t)recorded_inode;
    return err;
}

int __wrap_pcdf_sidecar_inspect(const char *file, struct pcdf_sidecar_facts *facts)
{
    int err = __real_pcdf_sidecar_inspect(file, facts);
    if (!err)
        facts->inode = (int64_t)recorded_inode;
    return err;
}
