#ifndef PCDF_H4FILE_H
#define PCDF_H4FILE_H
/* The scientific data sets (SD) of an HDF4 file through libhdf4, in plain C: libhdf4's headers define
 * netCDF's names in another way, so only h4file.c includes them. */

#include <stdbool.h>
#include <stdint.h>

enum { PCDF_H4_RANK = 32, PCDF_H4_NAME = 257 };

enum pcdf_h4_type { PCDF_H4_OTHER, PCDF_H4_CHAR, PCDF_H4_INT, PCDF_H4_UINT, PCDF_H4_FLOAT };

struct pcdf_h4_dim {
    char name[PCDF_H4_NAME];
    bool is_unlimited;
};

struct pcdf_h4_set { /* a data set, or the scale of a dimension */
    int32_t id;
    char name[PCDF_H4_NAME];
    enum pcdf_h4_type type;
    int size;    /* bytes of a value */
    bool is_big; /* in the file */
    int rank, natts;
    int64_t shape[PCDF_H4_RANK];
    bool is_chunked;
    int64_t chunk[PCDF_H4_RANK];
    struct pcdf_h4_dim dims[PCDF_H4_RANK];
    bool is_elsewhere; /* in another file */
    bool is_deflated;
    const char *codec; /* the name of another one; NULL: none */
    bool has_fill;
    unsigned char fill[8]; /* native */
};

struct pcdf_h4_att {
    char name[PCDF_H4_NAME];
    enum pcdf_h4_type type;
    int size;
    int64_t n;
};

/* The file's id, or -1. */
int32_t pcdf_h4_open(const char *path, int *nsets, int *natts);
void pcdf_h4_close(int32_t file);
/* false: the file is damaged. A set that was opened is closed by pcdf_h4_set_close. */
bool pcdf_h4_set_open(int32_t file, int index, struct pcdf_h4_set *set);
void pcdf_h4_set_close(const struct pcdf_h4_set *set);
/* owner: a file's id or a set's. */
bool pcdf_h4_att(int32_t owner, int index, struct pcdf_h4_att *att);
bool pcdf_h4_att_values(int32_t owner, int index, void *values); /* native */
/* Where the bytes of a set or, where chunk is not NULL, of a chunk lie: as many runs as there are (up to
 * most), one behind the other. -1: the file is damaged. */
int pcdf_h4_runs(const struct pcdf_h4_set *set, const int64_t *chunk, int most, int32_t *offsets,
                 int32_t *lengths);
/* What libhdf4 says of the last failure. */
const char *pcdf_h4_error(void);
#endif
