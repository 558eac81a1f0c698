#ifndef PCDF_SDFILE_H
#define PCDF_SDFILE_H
/* The scientific data sets (SD) of an HDF4 file through libhdf4, in plain C: libhdf4's headers define
 * netCDF's names in another way, so only sdfile.c includes them. */

#include <stdbool.h>
#include <stdint.h>

enum { PCDF_SD_RANK = 32, PCDF_SD_NAME = 257 };

/* Types of numbers. */
enum pcdf_sd_type { PCDF_SD_OTHER, PCDF_SD_CHAR, PCDF_SD_INT, PCDF_SD_UINT, PCDF_SD_FLOAT };

struct pcdf_sd_dim {
    char name[PCDF_SD_NAME];
    bool is_unlimited;
};

struct pcdf_sd_set { /* a data set, or the scale of a dimension */
    int32_t id;
    char name[PCDF_SD_NAME];
    enum pcdf_sd_type type;
    int size; /* bytes of a value */
    int rank, natts;
    int64_t shape[PCDF_SD_RANK];
    int64_t chunk[PCDF_SD_RANK]; /* chunk[0] 0: not in chunks */
    struct pcdf_sd_dim dims[PCDF_SD_RANK];
};

struct pcdf_sd_att {
    char name[PCDF_SD_NAME];
    enum pcdf_sd_type type;
    int size;
    int64_t n;
};

/* The file's id, or -1. */
int32_t pcdf_sd_open(const char *path, int *nsets, int *natts);
void pcdf_sd_close(int32_t file);
/* false: the file is damaged. A set that was opened is closed by pcdf_sd_set_close. */
bool pcdf_sd_set_open(int32_t file, int index, struct pcdf_sd_set *set);
void pcdf_sd_set_close(const struct pcdf_sd_set *set);
/* owner: a file's id or a set's. */
bool pcdf_sd_att(int32_t owner, int index, struct pcdf_sd_att *att);
bool pcdf_sd_att_values(int32_t owner, int index, void *values);
/* Native values. */
bool pcdf_sd_read(const struct pcdf_sd_set *set, const int64_t *start, const int64_t *count,
                  const int64_t *stride, void *values);
/* What libhdf4 says of the last failure. */
const char *pcdf_sd_error(void);
#endif
