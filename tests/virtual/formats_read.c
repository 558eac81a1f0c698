/* Reads files of other formats through the calls of the library, for formats_test.py: formats_read LIST. Each
 * line of LIST is a path; for each variable a line "number name type checksum shape..." is printed, of all
 * its values. Each is read whole, in rows by all ranks, in random boxes, with strides, as doubles, by iget:
 * all must agree. */
#include <parcdf.h>
#include <stdlib.h>
#include "together.h"

enum { MOST_DIMS = 8 };

static int ncid, varid, ndims;
static nc_type type;
static size_t size;
static MPI_Offset shape[MOST_DIMS], all;
static char name[NC_MAX_NAME + 1];
static MPI_Datatype mpi;
static char *whole, *part;
static uint64_t state = 1;

static MPI_Offset below(MPI_Offset n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (MPI_Offset)((state >> 33) % (uint64_t)n);
}

static uint32_t checksum(const char *bytes, size_t n) /* zlib's */
{
    uint32_t sum = ~0u;
    for (size_t i = 0; i < n; i++) {
        sum ^= (unsigned char)bytes[i];
        for (int k = 0; k < 8; k++)
            sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320u : 0);
    }
    return ~sum;
}

static MPI_Datatype type_of(nc_type t)
{
    static const MPI_Datatype none = MPI_DATATYPE_NULL;
    switch (t) {
    case NC_BYTE:
        return MPI_SIGNED_CHAR;
    case NC_CHAR:
        return MPI_CHAR;
    case NC_SHORT:
        return MPI_SHORT;
    case NC_INT:
        return MPI_INT;
    case NC_FLOAT:
        return MPI_FLOAT;
    case NC_DOUBLE:
        return MPI_DOUBLE;
    case NC_UBYTE:
        return MPI_UNSIGNED_CHAR;
    case NC_USHORT:
        return MPI_UNSIGNED_SHORT;
    case NC_UINT:
        return MPI_UNSIGNED;
    case NC_INT64:
        return MPI_LONG_LONG_INT;
    case NC_UINT64:
        return MPI_UNSIGNED_LONG_LONG;
    default:
        return none;
    }
}

/* Are the values of a box, as `part` has them, those of the whole? */
static void compare(const char *how, const MPI_Offset *start, const MPI_Offset *count,
                    const MPI_Offset *stride)
{
    MPI_Offset n = 1, at[MOST_DIMS] = { 0 };
    for (int i = 0; i < ndims; i++)
        n *= count[i];
    for (MPI_Offset e = 0; e < n; e++) {
        MPI_Offset place = 0;
        for (int i = 0; i < ndims; i++)
            place = place * shape[i] + start[i] + at[i] * (stride ? stride[i] : 1);
        if (memcmp(part + (size_t)e * size, whole + (size_t)place * size, size) != 0) {
            CHECK(false, "rank %d: %s of %s: value %lld differs", my_rank, how, name, (long long)e);
            return;
        }
        for (int i = ndims - 1; i >= 0 && ++at[i] == count[i]; i--)
            at[i] = 0;
    }
}

static void read_box(bool is_own)
{
    MPI_Offset start[MOST_DIMS], count[MOST_DIMS], stride[MOST_DIMS], n = 1, m = 1;
    for (int i = 0; i < ndims; i++) {
        start[i] = shape[i] ? below(shape[i]) : 0;
        count[i] = shape[i] ? 1 + below(shape[i] - start[i]) : 0;
        n *= count[i];
    }
    (void)is_own;
    CHECK_NC(ncmpi_get_vara_all(ncid, varid, start, count, part, n, mpi), NC_NOERR);
    compare("a box", start, count, NULL);
    for (int i = 0; i < ndims; i++) {
        stride[i] = 1 + below(3);
        count[i] = (count[i] + stride[i] - 1) / stride[i];
        m *= count[i];
    }
    CHECK_NC(ncmpi_get_vars_all(ncid, varid, start, count, stride, part, m, mpi), NC_NOERR);
    compare("a box with strides", start, count, stride);
}

static void read_rows(void)
{
    MPI_Offset start[MOST_DIMS] = { 0 }, count[MOST_DIMS], n = 1;
    int request, status = NC_NOERR;
    if (ndims == 0)
        return;
    for (int i = 0; i < ndims; i++)
        count[i] = shape[i];
    start[0] = shape[0] * my_rank / my_size;
    count[0] = shape[0] * (my_rank + 1) / my_size - start[0];
    for (int i = 0; i < ndims; i++)
        n *= count[i];
    CHECK_NC(ncmpi_get_vara_all(ncid, varid, start, count, part, n, mpi), NC_NOERR);
    compare("rows", start, count, NULL);
    memset(part, 0, (size_t)n * size);
    CHECK_NC(ncmpi_iget_vara(ncid, varid, start, count, part, n, mpi, &request), NC_NOERR);
    CHECK_NC(ncmpi_wait_all(ncid, 1, &request, &status), NC_NOERR);
    CHECK_NC(status, NC_NOERR);
    compare("rows by iget", start, count, NULL);
    MPI_Offset half[MOST_DIMS], second[MOST_DIMS] = { 0 };
    int two[2], statuses[2];
    memcpy(half, count, sizeof half);
    memcpy(second, start, sizeof second);
    half[ndims - 1] = count[ndims - 1] / 2;
    second[ndims - 1] = half[ndims - 1];
    MPI_Offset nhalf = count[ndims - 1] ? n / count[ndims - 1] * half[ndims - 1] : 0;
    if (ndims > 1) { /* two that interleave in the file: the left and the right half of each row */
        CHECK_NC(ncmpi_iget_vara(ncid, varid, start, half, part, nhalf, mpi, &two[0]), NC_NOERR);
        half[ndims - 1] = count[ndims - 1] - second[ndims - 1];
        CHECK_NC(
            ncmpi_iget_vara(ncid, varid, second, half, part + (size_t)nhalf * size, n - nhalf, mpi, &two[1]),
            NC_NOERR);
        CHECK_NC(ncmpi_wait_all(ncid, 2, two, statuses), NC_NOERR);
        memmove(part, part + (size_t)nhalf * size, (size_t)(n - nhalf) * size);
        compare("the right half by iget", second, half, NULL);
    }
    CHECK_NC(ncmpi_begin_indep_data(ncid), NC_NOERR);
    if (my_rank == my_size - 1) {
        CHECK_NC(ncmpi_get_vara(ncid, varid, start, count, part, n, mpi), NC_NOERR);
        compare("rows of one rank", start, count, NULL);
    }
    CHECK_NC(ncmpi_end_indep_data(ncid), NC_NOERR);
}

static void read_doubles(void)
{
    double *values = malloc(((size_t)all + 1) * sizeof *values);
    if (type == NC_CHAR || type == NC_INT64 || type == NC_UINT64) {
        free(values);
        return;
    }
    CHECK_NC(ncmpi_get_var_double_all(ncid, varid, values), NC_NOERR);
    for (MPI_Offset i = 0; i < all; i++) {
        double want = 0;
        const char *p = whole + (size_t)i * size;
#define AS(T)                                                                                                \
    {                                                                                                        \
        T x;                                                                                                 \
        memcpy(&x, p, sizeof x);                                                                             \
        want = (double)x;                                                                                    \
    }                                                                                                        \
    break
        switch (type) {
        case NC_BYTE:
            AS(signed char);
        case NC_UBYTE:
            AS(unsigned char);
        case NC_SHORT:
            AS(short);
        case NC_USHORT:
            AS(unsigned short);
        case NC_INT:
            AS(int);
        case NC_UINT:
            AS(unsigned);
        case NC_FLOAT:
            AS(float);
        default:
            AS(double);
        }
        if (values[i] != want && (want == want || values[i] == values[i])) {
            CHECK(false, "rank %d: %s: value %lld is %g, not %g", my_rank, name, (long long)i, values[i],
                  want);
            break;
        }
    }
    free(values);
}

static void read_var(int number)
{
    int ids[MOST_DIMS];
    CHECK_NC(ncmpi_inq_var(ncid, varid, name, &type, &ndims, NULL, NULL), NC_NOERR);
    if (ndims > MOST_DIMS)
        return;
    CHECK_NC(ncmpi_inq_vardimid(ncid, varid, ids), NC_NOERR);
    all = 1;
    for (int i = 0; i < ndims; i++) {
        CHECK_NC(ncmpi_inq_dimlen(ncid, ids[i], &shape[i]), NC_NOERR);
        all *= shape[i];
    }
    mpi = type_of(type);
    int bytes;
    MPI_Type_size(mpi, &bytes);
    size = (size_t)bytes;
    whole = malloc((size_t)all * size + 1);
    part = malloc((size_t)all * size + 1);
    int err = ncmpi_get_var_all(ncid, varid, whole, all, mpi);
    if (err && my_rank == 0)
        printf("%d %s %d FAILED %s: %s\n", number, name, (int)type, ncmpi_strerrno(err), parcdf_last_error());
    if (!err) {
        if (my_rank == 0)
            printf("%d %s %d %08x", number, name, (int)type, checksum(whole, (size_t)all * size));
        for (int i = 0; i < ndims && my_rank == 0; i++)
            printf(" %lld", (long long)shape[i]);
        if (my_rank == 0)
            printf("\n");
        read_rows();
        for (int i = 0; i < 4; i++)
            read_box(false);
        read_doubles();
    }
    free(whole);
    free(part);
}

/* A file that is only read says so, and tells what it is. */
static void look_at(const char *path)
{
    int format, version, id;
    MPI_Offset size_of;
    CHECK_NC(ncmpi_inq_format(ncid, &format), NC_NOERR);
    CHECK(format == NC_FORMAT_NETCDF4 || format == NC_FORMAT_NETCDF4_CLASSIC, "%s: format %d", path, format);
    CHECK_NC(ncmpi_inq_version(ncid, &version), NC_NOERR);
    CHECK_INT(version, NC_NETCDF4);
    CHECK_NC(ncmpi_inq_header_size(ncid, &size_of), NC_NOERR);
    CHECK(size_of > 0, "%s: header of %lld bytes", path, (long long)size_of);
    CHECK_NC(ncmpi_redef(ncid), NC_EPERM);
    MPI_Info info;
    CHECK_NC(ncmpi_inq_file_info(ncid, &info), NC_NOERR); /* hints that are passed on do no harm */
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, "formats_read.nc", NC_CLOBBER, info, &id), NC_NOERR);
    CHECK_NC(ncmpi_close(id), NC_NOERR);
    MPI_Info_free(&info);
}

/* One that libnetcdf could have written may be opened for writing; others say why not. */
static void open_to_write(const char *path)
{
    int id, err = ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &id);
    if (err)
        CHECK(*parcdf_last_error() && (err == NC_EPERM || err == NC_ENOTSUPPORT), "%s: %s, %s", path,
              ncmpi_strerrno(err), parcdf_last_error());
    else
        CHECK_NC(ncmpi_close(id), NC_NOERR);
}

int main(int argc, char **argv)
{
    char path[1000];
    int number = 0, nvars;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &my_size);
    FILE *list = fopen(argv[1], "r");
    for (; list && fgets(path, sizeof path, list); number++) {
        path[strcspn(path, "\n")] = '\0';
        int err = ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &ncid);
        if (err) {
            if (my_rank == 0)
                printf("%d REFUSED %s: %s\n", number, ncmpi_strerrno(err), parcdf_last_error());
            continue;
        }
        if (my_rank == 0 && strncmp(parcdf_last_error(), "warning", 7) == 0)
            printf("%d WARNING %s\n", number, parcdf_last_error());
        look_at(path);
        CHECK_NC(ncmpi_inq_nvars(ncid, &nvars), NC_NOERR);
        for (varid = 0; varid < nvars; varid++)
            read_var(number);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        open_to_write(path);
    }
    if (list)
        fclose(list);
    MPI_Offset held;
    CHECK_NC(ncmpi_inq_malloc_size(&held), NC_NOERR);
    CHECK(held == 0, "%lld bytes are held", (long long)held);
    fflush(stdout);
    int bad = check_done("formats_read");
    MPI_Finalize();
    return bad;
}
