/* What a path leads to, and its source. */
#include "foreign.h"
#include "alloc.h"
#include "filekind.h"
#include "posixio.h"
#include "tool.h"
#include "toolfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum pcdf_foreign_kind pcdf_foreign_kind_of(const char *path)
{
    char bytes[4];
    int64_t got = 0;
    switch (pcdf_filekind_of(path)) {
    case PCDF_FILEKIND_HDF5:
        return PCDF_FOREIGN_NETCDF4;
    case PCDF_FILEKIND_HDF4:
        return PCDF_FOREIGN_HDF4;
    case PCDF_FILEKIND_ZARR:
    case PCDF_FILEKIND_ZARR_URL:
        return PCDF_FOREIGN_NCZARR;
    case PCDF_FILEKIND_CLASSIC:
        break;
    default:
        return PCDF_FOREIGN_UNKNOWN;
    }
    int fd = pcdf_posix_open(path, O_RDONLY | O_NONBLOCK);
    bool has_four = fd >= 0 && pcdf_posix_move(fd, PCDF_GET, bytes, 4, 0, &got, path) == NC_NOERR && got == 4;
    if (fd >= 0)
        close(fd);
    return has_four ? (enum pcdf_foreign_kind)bytes[3] : PCDF_FOREIGN_UNKNOWN;
}

int pcdf_foreign_open(struct pcdf_foreign_source *source, enum pcdf_foreign_kind kind,
                      const struct pcdf_foreign_options *options)
{
    *source = (struct pcdf_foreign_source){ .path = options->from };
    if (pcdf_foreign_is_classic(kind))
        return pcdf_foreign_open_cdf(source);
    if (kind == PCDF_FOREIGN_HDF4)
        return pcdf_foreign_open_sd(source, options);
    if (kind != PCDF_FOREIGN_UNKNOWN)
        return pcdf_foreign_open_nc(source, options);
    const char *why =
        access(options->from, R_OK) ? strerror(errno) : "this is no file of netCDF, HDF5, HDF4 or Zarr";
    return pcdf_tool_unusable(options->from, "%s", pcdf_tool_why(options->from, why));
}

void pcdf_foreign_close(struct pcdf_foreign_source *source)
{
    if (source->close)
        source->close(source);
}

bool pcdf_foreign_slab_room(struct pcdf_foreign_slab *slab, const struct pcdf_meta *meta)
{
    int most = pcdf_tool_most_dims(meta) + 1;
    *slab = (struct pcdf_foreign_slab){ .start = pcdf_calloc((size_t)most, 3 * sizeof *slab->start) };
    if (!slab->start)
        return false;
    slab->count = slab->start + most;
    slab->stride = slab->count + most;
    return true;
}

void pcdf_foreign_slab_free(struct pcdf_foreign_slab *slab)
{
    pcdf_free(slab->start);
    slab->start = NULL;
}
