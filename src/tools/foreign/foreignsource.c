/* What a path leads to, and its source. */
#include "foreign.h"
#include "alloc.h"
#include "tool.h"
#include "toolfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *pcdf_foreign_zarr_path(const char *name)
{
    static const char scheme[] = "file://";
    const char *hash = strrchr(name, '#');

    if (strncmp(name, scheme, sizeof scheme - 1) != 0 || !hash || !strstr(hash, "zarr"))
        return NULL;
    name += sizeof scheme - 1;
    return pcdf_strndup(name, (size_t)(hash - name));
}

static bool has_file(const char *folder, const char *name)
{
    struct stat st;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_there = fd >= 0 && fstatat(fd, name, &st, 0) == 0 && S_ISREG(st.st_mode);
    if (fd >= 0)
        close(fd);
    return is_there;
}

/* HDF5's signature may stand at 0, 512, 1024, 2048... */
static bool is_hdf5(int fd)
{
    unsigned char bytes[8];

    for (int64_t at = 0; pcdf_tool_read_at(fd, bytes, 8, at) == 8 && at < INT64_C(1) << 40;
         at = at ? 2 * at : 512)
        if (memcmp(bytes, "\x89HDF\r\n\x1a\n", 8) == 0)
            return true;
    return false;
}

static enum pcdf_foreign_kind kind_of_file(int fd)
{
    unsigned char bytes[4];
    bool has_four = pcdf_tool_read_at(fd, bytes, 4, 0) == 4;

    if (has_four && memcmp(bytes, "CDF", 3) == 0 && (bytes[3] == 1 || bytes[3] == 2 || bytes[3] == 5))
        return (enum pcdf_foreign_kind)bytes[3];
    if (has_four && memcmp(bytes, "\x0e\x03\x13\x01", 4) == 0)
        return PCDF_FOREIGN_HDF4;
    return is_hdf5(fd) ? PCDF_FOREIGN_NETCDF4 : PCDF_FOREIGN_UNKNOWN;
}

enum pcdf_foreign_kind pcdf_foreign_kind_of(const char *path)
{
    char *folder = pcdf_foreign_zarr_path(path);
    if (folder || has_file(path, ".zgroup") || has_file(path, ".zarray")) {
        pcdf_free(folder);
        return PCDF_FOREIGN_NCZARR;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return PCDF_FOREIGN_UNKNOWN;
    enum pcdf_foreign_kind kind = kind_of_file(fd);
    close(fd);
    return kind;
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
    if (access(options->from, R_OK))
        pcdf_tool_say(options->from, "%s", strerror(errno));
    else
        pcdf_tool_say(options->from, "this is no file of netCDF, HDF5, HDF4 or Zarr");
    return PCDF_TOOL_UNUSABLE;
}

void pcdf_foreign_close(struct pcdf_foreign_source *source)
{
    if (source->close)
        source->close(source);
}
