/* A get that converts its values fetches and decodes each chunk once, whatever the shape of the chunks: two
 * of zlib beside each other, each larger than the stage may be; many that are not compressed, tall and thin,
 * across which the stage's parts would run. So do gets of several types in one wait. */

#include "together.h"
#include <inttypes.h>
#include <string.h>
#include "dataset.h"
#include "writtenstore.h"

enum { ROWS = 6000, WIDE = 6000, THIN = 20, COLS = 2 * WIDE, THINS = 200 };

/* Doubles, all 5. */
static double *fives(size_t n)
{
    double *values = malloc(n * sizeof *values);
    for (size_t i = 0; values && i < n; i++)
        values[i] = 5;
    return values;
}

static void make_large(void)
{
    const char *array =
        "{\"zarr_format\":2,\"shape\":[6000,12000],\"chunks\":[6000,6000],\"dtype\":\"<f8\",\"order\":\"C\","
        "\"compressor\":{\"id\":\"zlib\",\"level\":1},\"fill_value\":7,\"filters\":null}";
    double *values = fives((size_t)ROWS * WIDE);
    make_folder("large");
    put_file("large/.zarray", array, strlen(array));
    put_encoded("large/0.0", values, (size_t)ROWS * WIDE * 8, 1, 0);
    put_encoded("large/0.1", values, (size_t)ROWS * WIDE * 8, 1, 0);
    free(values);
}

static void make_thin(void)
{
    const char *array =
        "{\"zarr_format\":2,\"shape\":[6000,4000],\"chunks\":[6000,20],\"dtype\":\"<f8\",\"order\":\"C\","
        "\"compressor\":null,\"fill_value\":7,\"filters\":null}";
    double *values = fives((size_t)ROWS * THIN);
    make_folder("thin");
    put_file("thin/.zarray", array, strlen(array));
    for (int i = 0; i < THINS; i++) {
        char name[32];
        snprintf(name, sizeof name, "thin/0.%d", i);
        put_file(name, values, (size_t)ROWS * THIN * 8);
    }
    free(values);
}

static int64_t bytes_read(void)
{
    FILE *f = fopen("/proc/self/io", "r");
    int64_t n = -1;
    if (!f || fscanf(f, "rchar: %" SCNd64, &n) != 1)
        n = -1;
    if (f)
        fclose(f);
    return n;
}

static void get_all(int ncid, const char *name, size_t n)
{
    float *values = calloc(n, sizeof *values);
    size_t wrong = 0;
    int var;
    CHECK_NC(ncmpi_inq_varid(ncid, name, &var), NC_NOERR);
    CHECK_NC(ncmpi_get_var_float_all(ncid, var, values), NC_NOERR);
    for (size_t i = 0; i < n; i++)
        wrong += values[i] != 5;
    CHECK(wrong == 0, "%s: %zu of %zu values are wrong", name, wrong, n);
    free(values);
}

/* A column of each chunk, as doubles and as floats, in one wait. */
static void get_twice(int ncid)
{
    static double doubles[ROWS * 2];
    static float floats[ROWS * 2];
    const MPI_Offset start[] = { 0, 1 }, count[] = { ROWS, 2 }, stride[] = { 1, WIDE };
    int var, requests[2], wrong = 0;
    CHECK_NC(ncmpi_inq_varid(ncid, "large", &var), NC_NOERR);
    CHECK_NC(ncmpi_iget_vars_double(ncid, var, start, count, stride, doubles, &requests[0]), NC_NOERR);
    CHECK_NC(ncmpi_iget_vars_float(ncid, var, start, count, stride, floats, &requests[1]), NC_NOERR);
    CHECK_NC(ncmpi_wait_all(ncid, 2, requests, NULL), NC_NOERR);
    for (int i = 0; i < ROWS * 2; i++)
        wrong += doubles[i] != 5 || floats[i] != 5;
    CHECK_INT(wrong, 0);
}

int main(int argc, char **argv)
{
    char command[1200];
    struct pcdf_dataset *ds;
    int ncid;
    together_begin(&argc, &argv, "chunk_reads", 100);
    snprintf(store, sizeof store, "%s.zarr", my_path);
    make_folder("");
    put_file(".zgroup", "{\"zarr_format\":2}", 17);
    make_large();
    make_thin();
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, store, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(pcdf_dataset_of(ncid, &ds), NC_NOERR);
    get_all(ncid, "large", (size_t)ROWS * COLS);
    CHECK_INT(ds->counts.chunks_decoded, 2);
    get_twice(ncid);
    CHECK_INT(ds->counts.chunks_decoded, 2 + 2);
    int64_t before = bytes_read();
    get_all(ncid, "thin", (size_t)ROWS * THIN * THINS);
    int64_t has = bytes_read() - before, least = (int64_t)ROWS * THIN * THINS * 8;
    CHECK(before < 0 || (has >= least && has < least + least / 10), "%" PRId64 " bytes read of %" PRId64, has,
          least);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    snprintf(command, sizeof command, "rm -r '%s'", store);
    CHECK_INT(system(command), 0);
    return together_end("chunk_reads");
}
