/* Gets of a Zarr store, whose values go by boxes, against the same gets of a classic file with the same
 * values, whose bytes go by a plan: all forms (vara, vars, varm, varn, posted ones that overlap), types of
 * memory, and both data modes give equal memory, equal codes and equal sentences, also where values do not
 * fit. */

#include "together.h"
#include <string.h>
#include "writtenstore.h"

enum { NDIMS = 3, VALUES = 96 * 100 * 128, MOST_POSTED = 5, SLABS = 7 };
static const MPI_Offset shape[NDIMS] = { 96, 100, 128 }, chunk[NDIMS] = { 17, 30, 50 };
static double *values;
static int files[2]; /* the store, the classic file */
static char *memory[2];
static uint64_t state;

static int64_t below(int64_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)n);
}

/* ---- the same values twice */

/* Chunks that are missing are fill, and few values do not fit in small types. */
static double value_of(const MPI_Offset *at)
{
    int64_t i = (at[0] * shape[1] + at[1]) * shape[2] + at[2];
    bool is_missing = (at[0] / chunk[0] + at[1] / chunk[1] + at[2] / chunk[2]) % 5 == 4;
    return is_missing ? 7 : i % 9973 == 17 ? 1e5 : i % 200003 == 5 ? -3e10 : (double)(i % 101);
}

static void put_chunk(const MPI_Offset *grid)
{
    static double part[17 * 30 * 50];
    char name[64];
    for (int i = 0; i < 17 * 30 * 50; i++) {
        const MPI_Offset at[] = { grid[0] * chunk[0] + i / (30 * 50), grid[1] * chunk[1] + i / 50 % 30,
                                  grid[2] * chunk[2] + i % 50 };
        part[i] = value_of(at);
    }
    snprintf(name, sizeof name, "v/%d.%d.%d", (int)grid[0], (int)grid[1], (int)grid[2]);
    put_encoded(name, part, sizeof part, 1, 0);
}

static void make_store(void)
{
    const char *array = "{\"zarr_format\":2,\"shape\":[96,100,128],\"chunks\":[17,30,50],\"dtype\":\"<f8\","
                        "\"order\":\"C\",\"compressor\":{\"id\":\"zlib\",\"level\":1},\"fill_value\":7,"
                        "\"filters\":null}";
    make_folder("");
    make_folder("v");
    put_file(".zgroup", "{\"zarr_format\":2}", 17);
    put_file("v/.zarray", array, strlen(array));
    for (MPI_Offset g[NDIMS] = { 0 }; g[0] * chunk[0] < shape[0]; g[0]++)
        for (g[1] = 0; g[1] * chunk[1] < shape[1]; g[1]++)
            for (g[2] = 0; g[2] * chunk[2] < shape[2]; g[2]++)
                if ((g[0] + g[1] + g[2]) % 5 != 4)
                    put_chunk(g);
}

static void make_classic(void)
{
    int nc, dims[NDIMS], var;
    CHECK_NC(ncmpi_create(MPI_COMM_SELF, my_path, NC_64BIT_DATA, MPI_INFO_NULL, &nc), NC_NOERR);
    for (int i = 0; i < NDIMS; i++)
        CHECK_NC(ncmpi_def_dim(nc, (const char *[]){ "z", "y", "x" }[i], shape[i], &dims[i]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(nc, "v", NC_DOUBLE, NDIMS, dims, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(nc), NC_NOERR);
    CHECK_NC(ncmpi_put_var_double_all(nc, var, values), NC_NOERR);
    CHECK_NC(ncmpi_close(nc), NC_NOERR);
}

/* ---- the same gets twice */

struct slab {
    MPI_Offset start[NDIMS], count[NDIMS], stride[NDIMS], imap[NDIMS];
    MPI_Offset n;
};

static struct slab draw(bool has_stride, int64_t most)
{
    struct slab s = { .n = 1 };
    do {
        s.n = 1;
        for (int i = 0; i < NDIMS; i++) {
            bool is_whole = below(3) == 0;
            s.stride[i] = has_stride && !is_whole ? 1 + below(40) : 1;
            s.start[i] = is_whole ? 0 : below(shape[i]);
            s.count[i] = is_whole ? shape[i] : 1 + below((shape[i] - s.start[i] - 1) / s.stride[i] + 1);
            s.n *= s.count[i];
        }
    } while (s.n > most);
    s.imap[0] = 1; /* the order of Fortran */
    s.imap[1] = s.count[0];
    s.imap[2] = s.count[0] * s.count[1];
    return s;
}

static const struct type {
    MPI_Datatype mpi;
    int size;
} * type_drawn(void)
{
    static struct type types[7];
    const MPI_Datatype mpi[] = { MPI_SIGNED_CHAR, MPI_SHORT,     MPI_INT,          MPI_FLOAT,
                                 MPI_DOUBLE,      MPI_LONG_LONG, MPI_UNSIGNED_CHAR };
    int i = (int)below(7);
    types[i].mpi = mpi[i];
    MPI_Type_size(mpi[i], &types[i].size);
    return &types[i];
}

static int get_one(int nc, int form, bool alone, const struct slab *s, const struct type *t, char *to)
{
    if (form == 0)
        return alone ? ncmpi_get_vara(nc, 0, s->start, s->count, to, s->n, t->mpi)
                     : ncmpi_get_vara_all(nc, 0, s->start, s->count, to, s->n, t->mpi);
    if (form == 1)
        return alone ? ncmpi_get_vars(nc, 0, s->start, s->count, s->stride, to, s->n, t->mpi)
                     : ncmpi_get_vars_all(nc, 0, s->start, s->count, s->stride, to, s->n, t->mpi);
    return alone ? ncmpi_get_varm(nc, 0, s->start, s->count, s->stride, s->imap, to, s->n, t->mpi)
                 : ncmpi_get_varm_all(nc, 0, s->start, s->count, s->stride, s->imap, to, s->n, t->mpi);
}

static int get_list(int nc, bool alone, struct slab *slabs, const struct type *t, char *to)
{
    MPI_Offset *starts[SLABS], *counts[SLABS], n = 0;
    for (int i = 0; i < SLABS; i++) {
        starts[i] = slabs[i].start;
        counts[i] = slabs[i].count;
        n += slabs[i].n;
    }
    return alone ? ncmpi_get_varn(nc, 0, SLABS, starts, counts, to, n, t->mpi)
                 : ncmpi_get_varn_all(nc, 0, SLABS, starts, counts, to, n, t->mpi);
}

/* They overlap in the file, each has memory of its own. */
static int get_posted(int nc, bool alone, const struct slab *slabs, const struct type *const *types, char *to)
{
    int requests[MOST_POSTED], status[MOST_POSTED] = { 0 };
    for (int i = 0; i < MOST_POSTED; i++) {
        CHECK_NC(ncmpi_iget_vars(nc, 0, slabs[i].start, slabs[i].count, slabs[i].stride, to, slabs[i].n,
                                 types[i]->mpi, &requests[i]),
                 NC_NOERR);
        to += slabs[i].n * 8;
    }
    int err = alone ? ncmpi_wait(nc, MOST_POSTED, requests, status)
                    : ncmpi_wait_all(nc, MOST_POSTED, requests, status);
    for (int i = 0; i < MOST_POSTED; i++)
        err += 1000 * (i + 1) * (status[i] != NC_NOERR);
    return err;
}

static void compare(int round, bool alone)
{
    int form = round % 5, errors[2]; /* ranks make the same calls */
    char sentences[2][1000];
    struct slab slabs[SLABS];
    const struct type *types[SLABS];
    for (int i = 0; i < SLABS; i++) {
        slabs[i] = draw(form != 0 && form != 3, form < 3 ? VALUES : VALUES / SLABS);
        types[i] = type_drawn();
    }
    for (int k = 0; k < 2; k++) {
        memset(memory[k], 0x5A, VALUES * 8);
        errors[k] = form < 3    ? get_one(files[k], form, alone, slabs, types[0], memory[k])
                    : form == 3 ? get_list(files[k], alone, slabs, types[0], memory[k])
                                : get_posted(files[k], alone, slabs, types, memory[k]);
        const char *said = errors[k] ? strstr(parcdf_last_error(), "variable ") : NULL; /* behind the path */
        snprintf(sentences[k], sizeof sentences[k], "%s", said ? said : "");
    }
    CHECK(errors[0] == errors[1], "round %d, form %d: %d, not %d", round, form, errors[0], errors[1]);
    CHECK(!strcmp(sentences[0], sentences[1]), "round %d, form %d: \"%s\", not \"%s\"", round, form,
          sentences[0], sentences[1]);
    CHECK(!memcmp(memory[0], memory[1], VALUES * 8), "round %d, form %d: other values", round, form);
}

int main(int argc, char **argv)
{
    enum { ROUNDS = 40 };
    char command[2200];
    together_begin(&argc, &argv, "boxes_equal", 100);
    state = (uint64_t)my_rank + (argc > 2 ? strtoull(argv[2], NULL, 10) * 1000 : 1);
    snprintf(store, sizeof store, "%s.zarr", my_path);
    values = malloc(VALUES * sizeof *values);
    for (int k = 0; k < 2; k++)
        memory[k] = malloc(VALUES * 8);
    for (int64_t i = 0; i < VALUES; i++)
        values[i] = value_of((const MPI_Offset[]){ i / (100 * 128), i / 128 % 100, i % 128 });
    if (my_rank == 0) {
        make_store();
        make_classic();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, store, NC_NOWRITE, MPI_INFO_NULL, &files[0]), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &files[1]), NC_NOERR);
    for (int i = 0; i < ROUNDS; i++) {
        bool alone = i >= ROUNDS / 2;
        for (int k = 0; i == ROUNDS / 2 && k < 2; k++)
            CHECK_NC(ncmpi_begin_indep_data(files[k]), NC_NOERR);
        compare(i, alone);
    }
    for (int k = 0; k < 2; k++) {
        CHECK_NC(ncmpi_close(files[k]), NC_NOERR);
        free(memory[k]);
    }
    free(values);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0) {
        snprintf(command, sizeof command, "rm -r '%s' '%s'", store, my_path);
        CHECK_INT(system(command), 0);
    }
    return together_end("boxes_equal");
}
