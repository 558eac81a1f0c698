#ifndef SETCASE_H
#define SETCASE_H
/* A set of three files in a folder, as set_full.c and set_features.c write it: one file on all ranks, one on
 * the even ones, one on the odd ones; and what a restart finds of it, by the library and by the program. */

#include "together.h"

enum { FILES = 3, PER_RANK = 700, RECORDS = 3 };
static const char *const names[FILES] = { "all", "even", "odd" };
static char dir[700], set[800], paths[FILES][900]; /* the folder of the set, DIR/NAME, the files */
static char orders[400];                           /* what is tried, for sentences */
static const char *parcdf;                         /* the program */
static MPI_Info reading = MPI_INFO_NULL;           /* hints of those who read */

static inline void name_files(void)
{
    snprintf(set, sizeof set, "%s/ckpt", dir);
    for (int i = 0; i < FILES; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%s.nc", dir, names[i]);
}

static inline int value_of(int step, int which, MPI_Offset record, MPI_Offset x)
{
    return step * 1000000 + which * 100000 + (int)record * 10000 + (int)x;
}

/* The one variable of a file of so many ranks; then data mode. The first error. */
static inline int define_file(int id, int ranks, int *var)
{
    int dims[2], err = ncmpi_def_dim(id, "t", NC_UNLIMITED, &dims[0]);
    err = err ? err : ncmpi_def_dim(id, "x", (MPI_Offset)PER_RANK * ranks, &dims[1]);
    err = err ? err : ncmpi_def_var(id, "v", NC_INT, 2, dims, var);
    return err ? err : ncmpi_enddef(id);
}

static inline bool is_same(int err)
{
    int both[2] = { err, -err };
    MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return both[0] == -both[1];
}

/* ---- what is there */

static inline int wrong_values(const char *path, int which, int step)
{
    int id, bad = 0;
    MPI_Offset records = 0, nx = 0;
    int err = ncmpi_open(MPI_COMM_SELF, path, NC_NOWRITE, reading, &id);
    if (err)
        return -1;
    ncmpi_inq_dimlen(id, 0, &records);
    ncmpi_inq_dimlen(id, 1, &nx);
    int *values = calloc((size_t)(records * nx + 1), sizeof *values);
    err = ncmpi_get_var_int_all(id, 0, values);
    for (MPI_Offset i = 0; i < records * nx; i++)
        bad += values[i] != value_of(step, which, i / nx, i % nx);
    bad += records != RECORDS ||
           nx != (MPI_Offset)PER_RANK * (which == 0 || my_size == 1 ? my_size : (my_size + 2 - which) / 2);
    free(values);
    return ncmpi_close(id) || err ? -1 : bad;
}

/* The step of the newest complete set as the library finds it; its files are read. */
static inline int find_newest(const char *when)
{
    char report[8192] = "", *rest = NULL;
    long long generation = 0;
    int step = -1, files = 0;
    int err =
        parcdf_restart_find(MPI_COMM_WORLD, set, PARCDF_RESTART_VERIFY, &generation, report, sizeof report);
    CHECK(err == NC_NOERR, "%s: %s: parcdf_restart_find gives %d %s", orders, when, err, parcdf_last_error());
    for (char *line = strtok_r(report, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *path = strrchr(line, '\t'), *name = path ? strchr(line, '\t') : NULL;
        int which = 0;
        if (strncmp(line, "step\t", 5) == 0)
            step = atoi(line + 5);
        if (strncmp(line, "file\t", 5) != 0 || !name)
            continue;
        *path++ = '\0';
        while (which < FILES - 1 && !strstr(strrchr(name, '/'), names[which]))
            which++;
        int bad = my_rank == 0 ? wrong_values(path, which, step) : 0;
        CHECK(bad == 0, "%s: %s: %s has %d wrong values of step %d", orders, when, path, bad, step);
        files++;
    }
    CHECK(files == FILES, "%s: %s: the newest generation has %d files", orders, when, files);
    return step;
}

/* The same as the program says it, which knows nothing of this one's memory. */
static inline void compare_program(const char *when, int step)
{
    static char said[1 << 16];
    char command[2600], want[64];
    snprintf(command, sizeof command, "env -i PATH=/usr/bin:/bin '%s' restart --json '%s' 2>&1", parcdf, set);
    FILE *f = popen(command, "r");
    size_t n = f ? fread(said, 1, sizeof said - 1, f) : 0;
    said[n] = '\0';
    int status = f ? pclose(f) : -1, files = 0;
    char *newest = strstr(said, "\"newest\""), *end = newest ? strstr(newest, "\"newer\"") : NULL;
    if (end)
        *end = '\0';
    for (char *p = newest; p && (p = strstr(p, "\"path\"")); p++)
        files++;
    snprintf(want, sizeof want, "\"step\": \"%06d\"", step);
    CHECK(status == 0 && newest && strstr(newest, want) && strstr(newest, "\"verified\": true") &&
              files == FILES,
          "%s: %s: parcdf restart, status %d, %s not found in %s", orders, when, status, want, said);
}

/* Of which step has the file this name? */
static inline void check_names(const char *when, int step)
{
    for (int i = 0; i < FILES; i++) {
        int bad = wrong_values(paths[i], i, step);
        CHECK(bad == 0, "%s: %s: %s.nc has %d wrong values of step %d", orders, when, names[i], bad, step);
    }
}
#endif
