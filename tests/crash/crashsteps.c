/* See crashsteps.h. */
#include "crashsteps.h"
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIXED_X = 8000, FIXED_Y = 777 };

struct steps my;

/* ---- what files hold */

double step_value_of(const char *name, MPI_Offset index)
{
    unsigned h = 5381;
    for (const char *c = name; *c; c++)
        h = h * 33 + (unsigned char)*c;
    return (double)((h + (uint64_t)index * 31) % 30000);
}

static void make_text(char *text, int n, char first)
{
    for (int i = 0; i < n; i++)
        text[i] = (char)(first + i % 7);
    text[n] = '\0';
}

void step_put_text(int ncid, const char *name, int n, char first)
{
    static char text[65536];
    make_text(text, n, first);
    NC(ncmpi_put_att_text(ncid, NC_GLOBAL, name, n, text));
}

MPI_Offset step_share_of(int ncid, int varid, MPI_Offset record, MPI_Offset *start, MPI_Offset *count)
{
    int ndims = 0, dims[2];
    MPI_Offset n = 0;
    char name[NC_MAX_NAME + 1];
    NC(ncmpi_inq_var(ncid, varid, name, NULL, &ndims, dims, NULL));
    NC(ncmpi_inq_dimlen(ncid, dims[ndims - 1], &n));
    MPI_Offset from = n * my.rank / my.size, to = n * (my.rank + 1) / my.size;
    start[0] = record;
    count[0] = 1;
    start[ndims - 1] = from;
    count[ndims - 1] = to - from;
    for (MPI_Offset i = from; i < to; i++)
        my.values[i - from] = step_value_of(name, (record > 0 ? record : 0) * n + i);
    return to - from;
}

void step_put_share(int ncid, int varid, MPI_Offset record)
{
    MPI_Offset start[2], count[2];
    (void)step_share_of(ncid, varid, record, start, count);
    NC(ncmpi_put_vara_double_all(ncid, varid, start, count, my.values));
}

void step_put_spread(int ncid, int varid, double shift)
{
    enum { EVERY = 30 };
    int ndims = 0, dims[2], at = 0;
    MPI_Offset n = 0, first = EVERY * my.rank, start[2] = { 0, 0 }, count[2] = { RECORDS, 0 },
               stride[2] = { 1, 1 };
    char name[NC_MAX_NAME + 1];
    NC(ncmpi_inq_var(ncid, varid, name, NULL, &ndims, dims, NULL));
    NC(ncmpi_inq_dimlen(ncid, dims[ndims - 1], &n));
    start[ndims - 1] = first;
    stride[ndims - 1] = EVERY * my.size;
    count[ndims - 1] = (n - 1 - first) / stride[ndims - 1] + 1;
    for (int r = 0; r < (ndims == 1 ? 1 : RECORDS); r++)
        for (MPI_Offset i = first; i < n; i += stride[ndims - 1])
            my.values[at++] = step_value_of(name, r * n + i) + shift;
    NC(ncmpi_put_vars_double_all(ncid, varid, start, count, stride, my.values));
}

void step_put_record(int ncid, MPI_Offset record)
{
    int nvars = 0, varid, record_dim = -1;
    NC(ncmpi_inq_nvars(ncid, &nvars));
    NC(ncmpi_inq_unlimdim(ncid, &record_dim));
    for (varid = 0; varid < nvars; varid++) {
        int dims[2];
        NC(ncmpi_inq_vardimid(ncid, varid, dims));
        if (dims[0] == record_dim)
            step_put_share(ncid, varid, record);
    }
}

/* Are all values of a file what they should be? Variables called fill... hold fill values, raw... anything.
 */
static void verify(MPI_Offset records, int nvars_wanted)
{
    static double got[MOST_VALUES * RECORDS];
    int ncid, nvars = 0, record_dim = -1;
    MPI_Offset numrecs = 0;
    if (my.rank != 0)
        return;
    NC(ncmpi_open(MPI_COMM_SELF, my.path, NC_NOWRITE, MPI_INFO_NULL, &ncid));
    NC(ncmpi_inq_nvars(ncid, &nvars));
    NC(ncmpi_inq_unlimdim(ncid, &record_dim));
    NC(ncmpi_inq_dimlen(ncid, record_dim, &numrecs));
    CHECK_INT(numrecs, records);
    CHECK_INT(nvars, nvars_wanted);
    for (int v = 0; v < nvars; v++) {
        char name[NC_MAX_NAME + 1];
        int ndims = 0, dims[2];
        MPI_Offset n = 1;
        long bad = 0;
        NC(ncmpi_inq_var(ncid, v, name, NULL, &ndims, dims, NULL));
        for (int d = 0; d < ndims; d++) {
            MPI_Offset length = 0;
            NC(ncmpi_inq_dimlen(ncid, dims[d], &length));
            n *= length;
        }
        if (strncmp(name, "raw", 3) == 0)
            continue;
        NC(ncmpi_get_var_double_all(ncid, v, got));
        for (MPI_Offset i = 0; i < n; i++)
            bad += got[i] != (strncmp(name, "fill", 4) == 0 ? (double)NC_FILL_INT : step_value_of(name, i));
        CHECK(bad == 0, "%s: %ld of %lld values of %s are wrong", my.name, bad, (long long)n, name);
    }
    NC(ncmpi_close(ncid));
}

/* ---- steps */

static void copy_file(const char *suffix)
{
    char to[1200];
    static char bytes[1 << 16];
    size_t n;
    FILE *in = fopen(my.path, "rb"), *out;
    snprintf(to, sizeof to, "%s.%s", my.log, suffix);
    out = fopen(to, "wb");
    while (in && out && (n = fread(bytes, 1, sizeof bytes, in)) > 0)
        fwrite(bytes, 1, n, out);
    if (in)
        fclose(in);
    if (out)
        fclose(out);
}

void step_say(const char *text)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (my.rank == 0 && my.note)
        my.note(text);
    MPI_Barrier(MPI_COMM_WORLD);
}

void step_say_put(void)
{
    step_say(my.queues ? "p" : "v");
}

void step_start_recording(bool has_base)
{
    struct stat st = { 0 };
    char text[128];
    if (my.rank == 0) {
        unlink(my.log);
        if (has_base)
            copy_file("base");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (my.begin)
        my.begin(my.log);
    if (has_base)
        stat(my.path, &st);
    snprintf(text, sizeof text, "base %llu", (unsigned long long)st.st_ino);
    step_say(text);
    const char *slash = strrchr(my.path, '/');
    snprintf(text, sizeof text, "name %.100s", slash + 1);
    step_say(text);
}

static void stop_recording(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (my.stop)
        my.stop();
    MPI_Barrier(MPI_COMM_WORLD);
    if (my.rank == 0)
        copy_file("final");
}

static int version_flag(void)
{
    return my.version == 5 ? NC_64BIT_DATA : my.version == 2 ? NC_64BIT_OFFSET : 0;
}

int step_open_hinted(const char *commit, const char *hint, const char *value)
{
    int ncid = -1;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, hint, value);
    MPI_Info_set(info, "pcdf_commit", commit);
    NC(ncmpi_open(MPI_COMM_WORLD, my.path, NC_WRITE, info, &ncid));
    MPI_Info_free(&info);
    return ncid;
}

int step_open_with(const char *commit)
{
    return step_open_hinted(commit, "nc_data_move_chunk_size", "1024"); /* several rounds */
}

int step_define_file(const char *commit, int nfixed, int nrecord, int attribute, MPI_Offset room)
{
    int ncid = -1, time, x, y, rx, ry, id, dims[2];
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "nc_data_move_chunk_size", "1024");
    MPI_Info_set(info, "pcdf_commit", commit);
    NC(ncmpi_create(MPI_COMM_WORLD, my.path, version_flag(), info, &ncid));
    MPI_Info_free(&info);
    NC(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &time));
    NC(ncmpi_def_dim(ncid, "x", FIXED_X, &x));
    NC(ncmpi_def_dim(ncid, "y", FIXED_Y, &y));
    NC(ncmpi_def_dim(ncid, "record_x", RECORD_X, &rx));
    NC(ncmpi_def_dim(ncid, "record_y", RECORD_Y, &ry));
    step_put_text(ncid, "title", 40, 'a');
    step_put_text(ncid, "history", attribute, 'p');
    if (nfixed) {
        NC(ncmpi_def_var(ncid, "fixed_int", NC_INT, 1, &x, &id));
        NC(ncmpi_def_var(ncid, "fixed_short", NC_SHORT, 1, &y, &id));
    }
    dims[0] = time;
    dims[1] = ry;
    NC(ncmpi_def_var(ncid, "record_short", NC_SHORT, 2, dims, &id));
    dims[1] = rx;
    if (nrecord > 1) {
        NC(ncmpi_def_var(ncid, "record_int", NC_INT, 2, dims, &id));
        NC(ncmpi_def_var(ncid, "record_float", NC_FLOAT, 2, dims, &id));
    }
    NC(ncmpi__enddef(ncid, room, 4, 0, 4));
    return ncid;
}

void step_put_base(int ncid, int nfixed, int records)
{
    for (int v = 0; v < nfixed; v++)
        step_put_share(ncid, v, -1);
    for (int r = 0; r < records; r++)
        step_put_record(ncid, r);
}

void step_keep_base(int ncid, MPI_Offset records, int nvars)
{
    NC(ncmpi_close(ncid));
    verify(records, nvars);
    step_start_recording(true);
}

void step_make_base(int nfixed, int nrecord, int records, int attribute, MPI_Offset room)
{
    int ncid = step_define_file("auto", nfixed, nrecord, attribute, room);
    step_put_base(ncid, nfixed, records);
    NC(ncmpi_sync(ncid));
    step_keep_base(ncid, records, nfixed + nrecord);
}

static void end_with(int ncid, const char *said, MPI_Offset records, int nvars)
{
    NC(ncmpi_close(ncid));
    step_say(said);
    stop_recording();
    verify(records, nvars);
}

void step_end_with(int ncid, MPI_Offset records, int nvars)
{
    end_with(ncid, "d", records, nvars);
}

void step_end_unkept(int ncid, MPI_Offset records, int nvars)
{
    end_with(ncid, "v", records, nvars);
}
