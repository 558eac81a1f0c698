/* Programs whose every moment a crash may hit: each brings a file to a state that is on the storage, then
 * changes it while the shim records, and says after each step what the file is now ("v") and what of it must
 * survive a power cut, too ("d"). What the file holds follows from names and indices alone, so old and new
 * are known; verified at the end.
 *
 *   scenario run FOLDER LOGS NAME|all VERSION|0      FOLDER/NAME.vV.nc, LOGS/NAME.vV.nR.log .base .final
 *   scenario recover LIST                            opens each path of a list for writing, and closes it
 *   scenario list */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <mpi.h>
#include <pnetcdf.h>
#include "../check.h"
#include "shimlog.h"

enum { MOST_VALUES = 16384, FIXED_X = 8000, FIXED_Y = 777, RECORD_X = 900, RECORD_Y = 333, RECORDS = 8 };

static struct {
    int rank, size, version;
    const char *name; /* of the scenario */
    char path[1024], log[1024];
    shim_begin_fn *begin;
    shim_note_fn *note;
    shim_stop_fn *stop;
    double values[MOST_VALUES];
} my;

#define NC(call)                                                                                             \
    do {                                                                                                     \
        int nc_got_ = (call);                                                                                \
        CHECK(nc_got_ == NC_NOERR, "%s rank %d: %s", my.name, my.rank, ncmpi_strerrno(nc_got_));             \
    } while (0)

/* ---- what files hold */

static double value_of(const char *name, MPI_Offset index)
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

static void put_text(int ncid, const char *name, int n, char first)
{
    static char text[65536];
    make_text(text, n, first);
    NC(ncmpi_put_att_text(ncid, NC_GLOBAL, name, n, text));
}

/* This rank's share of a variable, or of one record of it (record >= 0). */
static MPI_Offset share_of(int ncid, int varid, MPI_Offset record, MPI_Offset *start, MPI_Offset *count)
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
        my.values[i - from] = value_of(name, (record > 0 ? record : 0) * n + i);
    return to - from;
}

static void put_share(int ncid, int varid, MPI_Offset record)
{
    MPI_Offset start[2], count[2];
    (void)share_of(ncid, varid, record, start, count);
    NC(ncmpi_put_vara_double_all(ncid, varid, start, count, my.values));
}

static void put_record(int ncid, MPI_Offset record)
{
    int nvars = 0, varid, record_dim = -1;
    NC(ncmpi_inq_nvars(ncid, &nvars));
    NC(ncmpi_inq_unlimdim(ncid, &record_dim));
    for (varid = 0; varid < nvars; varid++) {
        int dims[2];
        NC(ncmpi_inq_vardimid(ncid, varid, dims));
        if (dims[0] == record_dim)
            put_share(ncid, varid, record);
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
        NC(ncmpi_get_var_double_all(ncid, v, got));
        for (MPI_Offset i = 0; i < n && strncmp(name, "raw", 3) != 0; i++)
            bad += got[i] != (strncmp(name, "fill", 4) == 0 ? (double)NC_FILL_INT : value_of(name, i));
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

/* All ranks are here, and none goes on before it is noted. */
static void say(const char *text)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (my.rank == 0 && my.note)
        my.note(text);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* From here on the shim counts. has_base: the file is there and on the storage. */
static void start_recording(bool has_base)
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
    say(text);
    const char *slash = strrchr(my.path, '/');
    snprintf(text, sizeof text, "name %.100s", slash + 1);
    say(text);
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

static int open_with(const char *commit)
{
    int ncid = -1;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "nc_data_move_chunk_size", "1024"); /* several rounds */
    MPI_Info_set(info, "pcdf_commit", commit);
    NC(ncmpi_open(MPI_COMM_WORLD, my.path, NC_WRITE, info, &ncid));
    MPI_Info_free(&info);
    return ncid;
}

/* nfixed 0 or 2, nrecord 1 or 3; `room` bytes kept behind the header. */
static int define_file(int nfixed, int nrecord, int attribute, MPI_Offset room)
{
    int ncid = -1, time, x, y, rx, ry, id, dims[2];
    NC(ncmpi_create(MPI_COMM_WORLD, my.path, version_flag(), MPI_INFO_NULL, &ncid));
    NC(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &time));
    NC(ncmpi_def_dim(ncid, "x", FIXED_X, &x));
    NC(ncmpi_def_dim(ncid, "y", FIXED_Y, &y));
    NC(ncmpi_def_dim(ncid, "record_x", RECORD_X, &rx));
    NC(ncmpi_def_dim(ncid, "record_y", RECORD_Y, &ry));
    put_text(ncid, "title", 40, 'a');
    put_text(ncid, "history", attribute, 'p');
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

static void put_base(int ncid, int nfixed, int records)
{
    for (int v = 0; v < nfixed; v++)
        put_share(ncid, v, -1);
    for (int r = 0; r < records; r++)
        put_record(ncid, r);
}

static void make_base(int nfixed, int nrecord, int records, int attribute, MPI_Offset room)
{
    int ncid = define_file(nfixed, nrecord, attribute, room);
    put_base(ncid, nfixed, records);
    NC(ncmpi_sync(ncid));
    NC(ncmpi_close(ncid));
    verify(records, nfixed + nrecord);
    start_recording(true);
}

static void end_with(int ncid, MPI_Offset records, int nvars)
{
    NC(ncmpi_close(ncid));
    say("d");
    stop_recording();
    verify(records, nvars);
}

/* ---- scenarios */

static void create_with(int attribute)
{
    start_recording(false);
    say("loose");
    int ncid = define_file(2, 3, attribute, 0);
    say("v");
    put_base(ncid, 2, 1);
    say("v");
    put_record(ncid, 1);
    say("v");
    NC(ncmpi_sync(ncid));
    say("d");
    put_record(ncid, 2);
    say("v");
    end_with(ncid, 3, 5);
}

static void create_small(void)
{
    create_with(20);
}

static void create_big_header(void)
{
    create_with(3000);
}

static void append_with(const char *commit, int nrecord)
{
    make_base(0, nrecord, 2, 20, 0);
    if (strcmp(commit, "record") != 0)
        say("loose");
    int ncid = open_with(commit);
    for (int r = 2; r < 6; r++)
        for (int v = 0; v < nrecord; v++) {
            put_share(ncid, v, r);
            say("v");
        }
    end_with(ncid, 6, nrecord);
}

static void append_one(void)
{
    append_with("record", 1);
}

static void append_many(void)
{
    append_with("record", 3);
}

static void append_close(void)
{
    append_with("close", 3);
}

static void append_posted(void)
{
    make_base(2, 3, 2, 20, 0);
    int ncid = open_with("record");
    for (int r = 2; r < 6; r++) {
        static double kept[3][MOST_VALUES];
        int ids[3], statuses[3];
        for (int v = 0; v < 3; v++) {
            MPI_Offset start[2], count[2], n = share_of(ncid, 2 + v, r, start, count);
            memcpy(kept[v], my.values, (size_t)n * sizeof(double));
            NC(ncmpi_iput_vara_double(ncid, 2 + v, start, count, kept[v], &ids[v]));
        }
        NC(ncmpi_wait_all(ncid, 3, ids, statuses));
        say("v");
    }
    end_with(ncid, 6, 5);
}

static void append_alone(void)
{
    make_base(0, 1, 2, 20, 0);
    say("loose"); /* independent: which records count before the mode ends is each rank's own */
    int ncid = open_with("record");
    NC(ncmpi_begin_indep_data(ncid));
    for (int r = 2 + my.rank; r < 2 + 2 * my.size; r += my.size) {
        const MPI_Offset start[2] = { r, 0 }, count[2] = { 1, RECORD_Y };
        for (int i = 0; i < RECORD_Y; i++)
            my.values[i] = value_of("record_short", r * RECORD_Y + i);
        NC(ncmpi_put_vara_double(ncid, 0, start, count, my.values));
    }
    NC(ncmpi_end_indep_data(ncid));
    say("v");
    end_with(ncid, 2 + 2 * my.size, 1);
}

/* A longer header pushes all data up: by less than a round, or by more. */
static void grow_by(int attribute)
{
    make_base(2, 3, RECORDS, 20, 0);
    int ncid = open_with("close");
    NC(ncmpi_redef(ncid));
    put_text(ncid, "more", attribute, 'A');
    NC(ncmpi_enddef(ncid));
    say("v");
    end_with(ncid, RECORDS, 5);
}

static void grow_small(void)
{
    grow_by(600);
}

static void grow_large(void)
{
    grow_by(40000);
}

static void define_more(int ncid, bool fills)
{
    int time, rx, x, id, dims[2];
    NC(ncmpi_inq_dimid(ncid, "time", &time));
    NC(ncmpi_inq_dimid(ncid, "record_x", &rx));
    NC(ncmpi_inq_dimid(ncid, "x", &x));
    dims[0] = time;
    dims[1] = rx;
    if (fills) {
        NC(ncmpi_def_var(ncid, "fill_fixed", NC_INT, 1, &x, &id));
        NC(ncmpi_def_var_fill(ncid, id, 0, NULL));
    }
    NC(ncmpi_def_var(ncid, fills ? "fill_record" : "raw_record", NC_INT, 2, dims, &id));
    if (fills)
        NC(ncmpi_def_var_fill(ncid, id, 0, NULL));
    else
        NC(ncmpi_def_var_fill(ncid, id, 1, NULL));
}

static void new_record_variable(void)
{
    make_base(2, 3, RECORDS, 20, 0);
    say("ignore 5");
    int ncid = open_with("close");
    NC(ncmpi_redef(ncid));
    define_more(ncid, false);
    NC(ncmpi_enddef(ncid));
    say("v");
    end_with(ncid, RECORDS, 6);
}

static void new_filled(void)
{
    make_base(2, 3, RECORDS, 20, 0);
    int ncid = open_with("close");
    NC(ncmpi_redef(ncid));
    define_more(ncid, true);
    NC(ncmpi_enddef(ncid));
    say("v");
    end_with(ncid, RECORDS, 7);
}

/* One record variable has no padding between its records; a second one brings it. */
static void new_padding(void)
{
    make_base(0, 1, RECORDS, 20, 0);
    int ncid = open_with("close");
    NC(ncmpi_redef(ncid));
    define_more(ncid, true);
    NC(ncmpi_enddef(ncid));
    say("v");
    end_with(ncid, RECORDS, 3);
}

/* The header grows into room that was kept for it. */
static void header_in_place(void)
{
    make_base(2, 3, 2, 20, 8192);
    int ncid = open_with("close");
    NC(ncmpi_redef(ncid));
    put_text(ncid, "more", 3000, 'A');
    NC(ncmpi_enddef(ncid));
    say("v");
    end_with(ncid, 2, 5);
}

static void attribute_small(void)
{
    make_base(2, 3, 2, 20, 0);
    int ncid = open_with("close");
    put_text(ncid, "title", 40, 'B');
    say("v");
    NC(ncmpi_sync(ncid));
    say("d");
    end_with(ncid, 2, 5);
}

static void attribute_large(void)
{
    make_base(2, 3, 2, 3000, 0);
    int ncid = open_with("close");
    put_text(ncid, "history", 3000, 'B');
    put_text(ncid, "title", 30, 'B');
    NC(ncmpi_sync(ncid));
    say("d");
    put_text(ncid, "history", 2000, 'C');
    end_with(ncid, 2, 5);
}

static void rename_things(void)
{
    make_base(2, 3, 2, 600, 0);
    int ncid = open_with("close");
    NC(ncmpi_rename_dim(ncid, 1, "z"));
    NC(ncmpi_rename_att(ncid, NC_GLOBAL, "history", "story"));
    NC(ncmpi_sync(ncid));
    say("d");
    end_with(ncid, 2, 5);
}

/* Changes after changes on one handle, with records between them. */
static void mixed(void)
{
    make_base(2, 3, 4, 20, 0);
    say("ignore 5");
    int ncid = open_with("record");
    NC(ncmpi_redef(ncid));
    put_text(ncid, "more", 600, 'A');
    NC(ncmpi_enddef(ncid));
    say("v");
    for (int v = 2; v < 5; v++) {
        put_share(ncid, v, 4);
        say("v");
    }
    NC(ncmpi_redef(ncid));
    define_more(ncid, false);
    NC(ncmpi_enddef(ncid));
    say("v");
    put_text(ncid, "more", 600, 'E');
    NC(ncmpi_sync(ncid));
    say("d");
    NC(ncmpi_redef(ncid));
    NC(ncmpi_del_att(ncid, NC_GLOBAL, "more"));
    NC(ncmpi_enddef(ncid));
    say("v");
    end_with(ncid, 5, 6);
}

static const struct {
    const char *name;
    void (*run)(void);
} scenarios[] = {
    { "create", create_small },
    { "create_big_header", create_big_header },
    { "append_one", append_one },
    { "append_many", append_many },
    { "append_close", append_close },
    { "append_posted", append_posted },
    { "append_alone", append_alone },
    { "grow_small", grow_small },
    { "grow_large", grow_large },
    { "new_record_variable", new_record_variable },
    { "new_filled", new_filled },
    { "new_padding", new_padding },
    { "header_in_place", header_in_place },
    { "attribute_small", attribute_small },
    { "attribute_large", attribute_large },
    { "rename", rename_things },
    { "mixed", mixed },
};
enum { NSCENARIOS = sizeof scenarios / sizeof *scenarios };

/* ---- commands */

static void run_one(int i, const char *folder, const char *logs)
{
    my.name = scenarios[i].name;
    snprintf(my.path, sizeof my.path, "%s/%s.v%d.nc", folder, my.name, my.version);
    snprintf(my.log, sizeof my.log, "%s/%s.v%d.n%d.log", logs, my.name, my.version, my.size);
    scenarios[i].run();
}

static void run(char **args)
{
    const int versions[] = { 1, 2, 5 };
    for (int i = 0; i < NSCENARIOS; i++)
        for (int v = 0; v < 3; v++) {
            my.version = versions[v];
            if ((strcmp(args[2], "all") == 0 || strcmp(args[2], scenarios[i].name) == 0) &&
                (atoi(args[3]) == 0 || atoi(args[3]) == my.version))
                run_one(i, args[0], args[1]);
        }
}

/* The codes go to LIST.codes, a line a path. */
static void recover(const char *list)
{
    char path[1024], out[1200];
    FILE *in = fopen(list, "r"), *codes = NULL;
    snprintf(out, sizeof out, "%s.codes", list);
    if (my.rank == 0)
        codes = fopen(out, "w");
    my.name = "recover";
    CHECK(in != NULL, "no list %s", list);
    while (in && fgets(path, sizeof path, in)) {
        int ncid = -1, err;
        path[strcspn(path, "\n")] = '\0';
        err = ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &ncid);
        if (codes)
            fprintf(codes, "%d\n", err);
        if (!err)
            NC(ncmpi_close(ncid));
    }
    if (in)
        fclose(in);
    if (codes)
        fclose(codes);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        for (int i = 0; i < NSCENARIOS; i++)
            puts(scenarios[i].name);
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &my.size);
    *(void **)&my.begin = dlsym(RTLD_DEFAULT, "pcdf_shim_begin");
    *(void **)&my.note = dlsym(RTLD_DEFAULT, "pcdf_shim_note");
    *(void **)&my.stop = dlsym(RTLD_DEFAULT, "pcdf_shim_stop");
    alarm(110);
    if (argc == 6 && strcmp(argv[1], "run") == 0)
        run(argv + 2);
    else if (argc == 3 && strcmp(argv[1], "recover") == 0)
        recover(argv[2]);
    else
        CHECK(false, "usage: scenario run FOLDER LOGS NAME|all VERSION|0 | recover LIST | list");
    MPI_Finalize();
    return my.rank == 0 || check_bad ? check_done("scenario") : 0;
}
