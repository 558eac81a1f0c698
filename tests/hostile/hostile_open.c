/* Fixes what becomes of hostile files that are opened: the code that doc/checks.md says, for writing and for
 * reading, on every rank; no more memory than 16 bytes a byte of the header and 1 MiB; a file that opens can
 * be asked for all its names and values; closing it leaves it as it was. Run by hostile_test.py. usage:
 * hostile_open MANIFEST     lines: PATH CODE_FOR_WRITING CODE_FOR_READING */
#include <sys/stat.h>
#include "together.h"
#include "alloc.h"
#include "bytes.h"

enum { MOST_BYTES = 1 << 16 };

struct contents {
    unsigned char bytes[MOST_BYTES];
    size_t n;
};

static void load(const char *path, struct contents *c)
{
    FILE *f = fopen(path, "rb");
    c->n = f ? fread(c->bytes, 1, sizeof c->bytes, f) : 0;
    CHECK(f != NULL, "%s cannot be read", path);
    if (f)
        fclose(f);
}

static void read_atts(const char *path, int ncid, int varid, int natts)
{
    for (int i = 0; i < natts; i++) {
        char name[NC_MAX_NAME + 1];
        MPI_Offset length = -1;
        nc_type type;
        int err = ncmpi_inq_attname(ncid, varid, i, name);
        CHECK(err == NC_NOERR, "%s: the name of attribute %d: %s", path, i, ncmpi_strerrno(err));
        err = ncmpi_inq_att(ncid, varid, name, &type, &length);
        /* the one name that no look-up takes */
        CHECK(err == (*name ? NC_NOERR : NC_EBADNAME), "%s: attribute %d: %s", path, i, ncmpi_strerrno(err));
    }
}

/* The first value and the last. */
static void read_var(const char *path, int ncid, int varid, bool writes)
{
    int ndims = -1, natts = -1, *dimids;
    MPI_Offset *at, length = -1;
    bool is_empty = false;
    nc_type type;
    double value;
    char text;
    CHECK(ncmpi_inq_varndims(ncid, varid, &ndims) == NC_NOERR, "%s: variable %d", path, varid);
    dimids = malloc(sizeof *dimids * (size_t)(ndims + 1));
    at = calloc((size_t)ndims + 1, sizeof *at);
    CHECK(ncmpi_inq_var(ncid, varid, NULL, &type, NULL, dimids, &natts) == NC_NOERR, "%s: variable %d", path,
          varid);
    read_atts(path, ncid, varid, natts);
    for (int last = 0; last < 2 && !is_empty; last++) {
        for (int i = 0; i < ndims; i++) {
            CHECK(ncmpi_inq_dimlen(ncid, dimids[i], &length) == NC_NOERR, "%s: dimension %d", path,
                  dimids[i]);
            at[i] = last ? length - 1 : 0;
            is_empty = is_empty || length == 0;
        }
        if (is_empty)
            break;
        int err = type == NC_CHAR ? ncmpi_get_var1_text_all(ncid, varid, at, &text)
                                  : ncmpi_get_var1_double_all(ncid, varid, at, &value);
        CHECK(err == NC_NOERR || (err == NC_ETRUNC && !writes), "%s: variable %d: %s", path, varid,
              ncmpi_strerrno(err));
    }
    free(dimids);
    free(at);
}

static void read_all(const char *path, int ncid, bool writes)
{
    int ndims = -1, nvars = -1, natts = -1, unlimited;
    int err = ncmpi_inq(ncid, &ndims, &nvars, &natts, &unlimited);
    CHECK(err == NC_NOERR, "%s: %s", path, ncmpi_strerrno(err));
    for (int i = 0; i < ndims; i++) {
        char name[NC_MAX_NAME + 1];
        MPI_Offset length;
        err = ncmpi_inq_dim(ncid, i, name, &length);
        CHECK(err == NC_NOERR, "%s: dimension %d: %s", path, i, ncmpi_strerrno(err));
    }
    read_atts(path, ncid, NC_GLOBAL, natts);
    for (int i = 0; i < nvars; i++)
        read_var(path, ncid, i, writes);
}

static void open_file(const char *path, int mode, const char *want)
{
    static struct contents before, after;
    static int64_t largest;
    int ncid = -1;
    load(path, &before);
    largest = (int64_t)before.n > largest ? (int64_t)before.n : largest;
    double start = MPI_Wtime();
    int err = ncmpi_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &ncid);
    double seconds = MPI_Wtime() - start;
    CHECK(strcmp(ncmpi_strerrno(err), want) == 0, "rank %d: %s opened for %s: %s, not %s", my_rank, path,
          mode == NC_WRITE ? "writing" : "reading", ncmpi_strerrno(err), want);
    CHECK(seconds < 10, "%s took %.1f s to open", path, seconds);
    CHECK(pcdf_alloc_peak() <= 16 * largest + (1 << 20), "%s: %lld bytes of memory for %lld", path,
          (long long)pcdf_alloc_peak(), (long long)largest);
    if (together_all(err == NC_NOERR)) {
        read_all(path, ncid, mode == NC_WRITE);
        err = ncmpi_close(ncid);
        CHECK(err == NC_NOERR, "%s: close: %s", path, ncmpi_strerrno(err));
    }
    CHECK(pcdf_alloc_now() == 0, "%s: %lld bytes of memory are held", path, (long long)pcdf_alloc_now());
    load(path, &after);
    CHECK(after.n == before.n && memcmp(after.bytes, before.bytes, after.n) == 0, "%s was changed", path);
}

/* A header of 2 MiB and a bit, of as many dimensions as fit, in a larger file: what rank 0 reads of it in
 * growing pieces counts too. */
static void open_large(const char *path)
{
    enum { DIMS = (2 << 20) / 12, HEADER = 16 + 12 * DIMS + 16 };
    int ncid = -1, ndims = -1;
    unsigned char *bytes = calloc(1, HEADER);
    FILE *f = my_rank == 0 ? fopen(path, "wb") : NULL;
    memcpy(bytes, "CDF\1\0\0\0\0\0\0\0\x0a", 12);
    pcdf_bytes_put(bytes + 12, DIMS, 4);
    for (uint32_t i = 0; i < DIMS; i++) {
        unsigned char *dim = bytes + 16 + 12 * i;
        dim[3] = 4; /* the length of the name, the name, the length of the dimension */
        for (uint32_t letter = 0, id = i; letter < 4; letter++, id /= 26)
            dim[4 + letter] = (unsigned char)('a' + id % 26);
        dim[11] = 1;
    }
    if (f) {
        CHECK(fwrite(bytes, 1, HEADER, f) == HEADER, "%s cannot be written", path);
        CHECK(ftruncate(fileno(f), 64 << 20) == 0, "%s cannot be made longer", path);
        fclose(f);
    }
    free(bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_ndims(ncid, &ndims), NC_NOERR);
    CHECK_INT(ndims, DIMS);
    CHECK(pcdf_alloc_peak() <= 16 * (int64_t)HEADER + (1 << 20), "%lld bytes of memory for a header of %d",
          (long long)pcdf_alloc_peak(), HEADER);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

int main(int argc, char **argv)
{
    char path[900], for_writing[40], for_reading[40];
    long files = 0;
    together_begin(&argc, &argv, "hostile_open", 580);
    FILE *manifest = argc > 1 ? fopen(argv[1], "r") : NULL;
    CHECK(manifest != NULL, "no manifest");
    while (manifest && fscanf(manifest, "%899s %39s %39s", path, for_writing, for_reading) == 3) {
        open_file(path, NC_WRITE, for_writing);
        open_file(path, NC_NOWRITE, for_reading);
        files++;
    }
    if (manifest)
        fclose(manifest);
    CHECK(files > 0, "the manifest is empty");
    snprintf(path, sizeof path, "%.880s.large", argc > 1 ? argv[1] : "hostile");
    open_large(path);
    if (my_rank == 0)
        printf("hostile_open: %ld files, opened twice by %d ranks\n", files, my_size);
    return together_end("hostile_open");
}
