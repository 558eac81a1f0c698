#ifndef PEERFILES_H
#define PEERFILES_H
/* peer_defects.c: the defects that concern files, their headers and the storage, 7, 9, 10 and 14. */

#include <sys/stat.h>
#include "alloc.h"
#include "peerdata.h"

/* A name with a colon is a name, unless what stands before it is one of the file systems. The file is where
 * it should be, whole, and nowhere else. */
static inline void name_with_colon(const char *lead, const char *on_disk)
{
    char path[200], stored[200];
    const char *tail = strrchr(my_path, '/') + 1;
    struct stat file = { 0 };
    int ncid = -1;
    snprintf(path, sizeof path, "%s%s", lead, tail);
    snprintf(stored, sizeof stored, "%s%s", on_disk, tail);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK(stat(stored, &file) == 0 && file.st_size == 32, "%s: %s has %lld bytes", path, stored,
          (long long)file.st_size);
    CHECK(strcmp(path, stored) == 0 || access(path, F_OK) != 0, "%s is there as well", path);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0)
        CHECK_NC(ncmpi_delete(path, MPI_INFO_NULL), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(access(stored, F_OK) != 0, "%s: %s is left", path, stored);
}

static inline void defect_7_create_that_fails(void)
{
    int ncid = -1;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, "no/such/folder/x.nc", NC_CLOBBER, MPI_INFO_NULL, &ncid),
             NC_ENOENT);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, "no/such/folder/x.nc", NC_WRITE, MPI_INFO_NULL, &ncid), NC_ENOENT);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, "", NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_EBAD_FILE);
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, NULL, NC_CLOBBER, MPI_INFO_NULL, &ncid), NC_EBAD_FILE);
    name_with_colon("./unknown:", "./unknown:");
    name_with_colon("nfs_but_12:00:00_", "nfs_but_12:00:00_");
    name_with_colon("ufs:", "");
}

/* Behind the end of the file there are zeros where this handle may write, since nothing was ever written; in
 * a file that was cut and is only read, fill values, and the call says so. Never what the buffer held. */
static inline void defect_9_get_behind_the_end(void)
{
    struct sample s = make_sample(MPI_INFO_NULL);
    int got[COLUMNS], values[COLUMNS];
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { 1, COLUMNS }, first = -1;
    CHECK_NC(ncmpi_inq_varoffset(s.ncid, s.fixed, &first), NC_NOERR);
    memset(got, 0x5a, sizeof got);
    CHECK_NC(ncmpi_get_vara_int_all(s.ncid, s.fixed, start, count, got), NC_NOERR);
    for (int i = 0; i < COLUMNS; i++)
        CHECK_INT(got[i], 0);
    values_of(my_rank, 9, values);
    CHECK_NC(ncmpi_put_vara_int_all(s.ncid, s.fixed, start, count, values), NC_NOERR);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
    if (my_rank == 0)
        CHECK(truncate(my_path, first + 4) == 0, "cannot cut %s", my_path);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &s.ncid), NC_NOERR);
    memset(got, 0x5a, sizeof got);
    CHECK_NC(ncmpi_get_vara_int_all(s.ncid, s.fixed, start, count, got), NC_ETRUNC);
    for (int i = 0; i < COLUMNS; i++)
        CHECK_INT(got[i], my_rank == 0 && i == 0 ? values[0] : NC_FILL_INT);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
}

/* The storage fails while data moves: enddef and close say so on every rank, and the header is not replaced.
 */
static inline void defect_10_failed_move_is_forgotten(void)
{
    struct sample s = make_sample(MPI_INFO_NULL);
    int values[COLUMNS], got[COLUMNS], id;
    char text[2000];
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { 1, COLUMNS };
    MPI_Info info;
    values_of(my_rank, 10, values);
    CHECK_NC(ncmpi_put_vara_int_all(s.ncid, s.fixed, start, count, values), NC_NOERR);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_fault", "write:1@0=NC_ENO_SPACE");
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, info, &s.ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_redef(s.ncid), NC_NOERR);
    memset(text, 'x', sizeof text);
    CHECK_NC(ncmpi_put_att_text(s.ncid, NC_GLOBAL, "long", sizeof text, text), NC_NOERR);
    CHECK_NC(ncmpi_enddef(s.ncid), NC_ENO_SPACE);
    CHECK_NC(ncmpi_close(s.ncid), NC_ENO_SPACE);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &s.ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_attid(s.ncid, NC_GLOBAL, "long", &id), NC_ENOTATT);
    CHECK_NC(ncmpi_get_vara_int_all(s.ncid, s.fixed, start, count, got), NC_NOERR);
    check_row("after a failed move", my_rank, 10, got);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
}

static inline void write_file(const unsigned char *bytes, size_t n)
{
    FILE *f = my_rank == 0 ? fopen(my_path, "wb") : NULL;
    CHECK(my_rank != 0 || (f && fwrite(bytes, 1, n, f) == n), "cannot write %s", my_path);
    if (f)
        fclose(f);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Counts that the file cannot hold are refused before memory is asked for, on every rank; so is every header
 * that is cut off. */
static inline void defect_14_header_is_believed(void)
{
    static const unsigned char many_dims[] = "CDF\1\0\0\0\0\0\0\0\x0a\x7f\xff\xff\xff\0\0\0\1x\0\0\0";
    static const unsigned char long_name[] = "CDF\1\0\0\0\0\0\0\0\x0a\0\0\0\1\x7f\xff\xff\xf0x\0\0\0";
    static const unsigned char many_atts[] = "CDF\5\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0c"
                                             "\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0";
    const struct {
        const unsigned char *bytes;
        size_t n;
        int err;
    } hostile[] = { { many_dims, sizeof many_dims - 1, NC_ENOTNC },
                    { long_name, sizeof long_name - 1, NC_EMAXNAME },
                    { many_atts, sizeof many_atts - 1, NC_EMAXATTS } };
    int ncid = -1;
    int64_t peak = pcdf_alloc_peak();
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        write_file(hostile[i].bytes, hostile[i].n);
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), hostile[i].err);
    }
    struct sample s = make_sample(MPI_INFO_NULL);
    unsigned char header[1024];
    MPI_Offset size = 0;
    CHECK_NC(ncmpi_inq_header_size(s.ncid, &size), NC_NOERR);
    CHECK_NC(ncmpi_close(s.ncid), NC_NOERR);
    FILE *f = fopen(my_path, "rb");
    bool whole = f && size <= (MPI_Offset)sizeof header && fread(header, 1, (size_t)size, f) == (size_t)size;
    CHECK(whole, "rank %d: the header cannot be read", my_rank);
    if (f)
        fclose(f);
    MPI_Barrier(MPI_COMM_WORLD);
    for (MPI_Offset n = 8; together_all(whole) && n < size; n += 4) {
        write_file(header, (size_t)n);
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_ENOTNC);
    }
    CHECK(pcdf_alloc_peak() <= peak + (1 << 20), "rank %d: %lld bytes were allocated", my_rank,
          (long long)(pcdf_alloc_peak() - peak));
}
#endif
