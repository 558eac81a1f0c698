#ifndef STAGEDRECORDS_H
#define STAGEDRECORDS_H
/* What the tests of logs of puts share (hint pcdf_stage_dir): a file of records, 1 MiB a record and rank; a
 * queue whose memory has 4 of them; what is in the folder of the logs. */

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include "together.h"

enum { ELEMENTS = 1 << 18 };

__attribute__((weak)) int values[ELEMENTS], got[ELEMENTS];

static inline MPI_Info staged_hints(const char *dir)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_async", "4194304");
    MPI_Info_set(info, "pcdf_debug_async_rate",
                 "1"); /* the thread writes once, then only if somebody waits */
    MPI_Info_set(info, "pcdf_stage_dir", dir);
    return info;
}

/* In data mode. Frees the hints. Returns the variable. */
static inline int staged_create(MPI_Info info, int *ncid)
{
    int dims[2], varid = -1;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(*ncid, "t", NC_UNLIMITED, &dims[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(*ncid, "x", (MPI_Offset)my_size * ELEMENTS, &dims[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(*ncid, "v", NC_INT, 2, dims, &varid), NC_NOERR);
    CHECK_NC(ncmpi_enddef(*ncid), NC_NOERR);
    return varid;
}

static inline void staged_fill(int record, int version)
{
    for (int i = 0; i < ELEMENTS; i++)
        values[i] = version * 10000000 + record * 1000000 + my_rank * 300000 + i;
}

static inline void staged_put(int ncid, int varid, int record, int version)
{
    const MPI_Offset start[] = { record, (MPI_Offset)my_rank * ELEMENTS }, count[] = { 1, ELEMENTS };
    staged_fill(record, version);
    CHECK_NC(ncmpi_put_vara_int_all(ncid, varid, start, count, values), NC_NOERR);
    memset(values, 0xff, sizeof values);
}

static inline void staged_check_get(int ncid, int varid, int record, int version)
{
    const MPI_Offset start[] = { record, (MPI_Offset)my_rank * ELEMENTS }, count[] = { 1, ELEMENTS };
    staged_fill(record, version);
    CHECK_NC(ncmpi_get_vara_int_all(ncid, varid, start, count, got), NC_NOERR);
    CHECK(memcmp(got, values, sizeof got) == 0, "rank %d: record %d is not of version %d", my_rank, record,
          version);
}

/* The closed file: so many records, all of version 1 but the first. */
static inline void staged_check_file(int records, int version_of_first)
{
    int ncid, varid;
    MPI_Offset n = 0;
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_dimlen(ncid, 0, &n), NC_NOERR);
    CHECK_INT(n, records);
    CHECK_NC(ncmpi_inq_varid(ncid, "v", &varid), NC_NOERR);
    for (int i = 0; i < records; i++)
        staged_check_get(ncid, varid, i, i ? 1 : version_of_first);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Number and bytes of the logs in a folder. */
static inline int staged_logs(const char *folder, int64_t *bytes)
{
    char path[2300];
    struct stat st;
    int n = 0;
    *bytes = 0;
    DIR *names = opendir(folder);
    for (const struct dirent *entry; names && (entry = readdir(names));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strstr(entry->d_name, ".parcdf-stage.") && !stat(path, &st)) {
            n++;
            *bytes += st.st_size;
        }
    }
    if (names)
        closedir(names);
    return n;
}

/* Of all ranks, after the file was closed. */
static inline void staged_check_no_logs(const char *folder)
{
    int64_t bytes;
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(staged_logs(folder, &bytes), 0);
    MPI_Barrier(MPI_COMM_WORLD);
}
#endif
