/* See byname.h. */
#include "byname.h"
#include <string.h>
#include "filekind.h"
#include "ownjournal.h"
#include "part.h"
#include "pnetcdf.h"
#include "rootfile.h"
#include "shown.h"
#include "status.h"
#include "storage.h"

static _Atomic int default_format = NC_FORMAT_CLASSIC;

int pcdf_default_format(int format, int *old)
{
    bool known = format >= NC_FORMAT_CLASSIC && format <= NC_FORMAT_CDF5; /* 3 and 4: netCDF-4 */
    if (!known)
        return PCDF_FAIL(NC_EINVAL,
                         "format %d is none of NC_FORMAT_CLASSIC, _CDF2, _CDF5, _NETCDF4, _NETCDF4_CLASSIC",
                         format);
    if (old)
        *old = default_format;
    default_format = format;
    return NC_NOERR;
}

int pcdf_default_format_now(void)
{
    return default_format;
}

int pcdf_check_path(const char *path)
{
    if (!path || !*path)
        return PCDF_FAIL(NC_EBAD_FILE, "the path of the file is empty");
    return NC_NOERR;
}

int pcdf_file_delete(const char *path)
{
    PCDF_TRY(pcdf_check_path(path));
    struct pcdf_leaving old;
    (void)pcdf_parts_root_forget(path);
    (void)pcdf_ownjournal_root_leaving(path, &old); /* while the name is there: links lead there */
    int err = pcdf_file_root_remove(path);
    pcdf_ownjournal_root_left(&old, err == NC_NOERR);
    return err;
}

int pcdf_file_format(const char *path, int *format)
{
    struct pcdf_counts counts = { 0 };
    struct pcdf_storage_config config = { .path = path, .mode = PCDF_STORAGE_READ, .counts = &counts };
    struct pcdf_storage *file;
    unsigned char magic[8] = { 0 };
    int64_t got = 0;
    PCDF_TRY(pcdf_check_path(path));
    PCDF_TRY(pcdf_shown_format_of(path, format));
    if (*format)
        return NC_NOERR;
    PCDF_TRY(pcdf_file_root_probe(path, 0));
    PCDF_TRY(pcdf_posixstorage.open(&config, &file));
    int status = pcdf_storage_move_at(file, PCDF_GET, magic, sizeof magic, 0, &got);
    pcdf_first(&status, pcdf_storage_close(file));
    if (status)
        return status;

    char room[PCDF_FILEKIND_ROOM];
    enum pcdf_filekind kind = pcdf_filekind_of_bytes(magic, (size_t)got);
    *format = NC_FORMAT_UNKNOWN;
    if (got == 0)
        return PCDF_FAIL(NC_EFILE, "%s: %s", path, pcdf_filekind_say(PCDF_FILEKIND_EMPTY, NULL, NULL));
    if (got < 8)
        return PCDF_FAIL(NC_EFILE, "%lld bytes are too few for a netCDF file", (long long)got);
    if (kind == PCDF_FILEKIND_CLASSIC)
        *format = magic[3];
    else if (kind == PCDF_FILEKIND_HDF5)
        *format = NC_FORMAT_NETCDF4;
    else if (pcdf_filekind_say(kind, NULL, NULL))
        return PCDF_FAIL(NC_ENOTNC, "%s: %s", path, pcdf_filekind_say(kind, path, room));
    else
        return PCDF_FAIL(NC_ENOTNC, "offset 0: neither CDF-1, CDF-2, CDF-5 nor HDF5");
    return NC_NOERR;
}
