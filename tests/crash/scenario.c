/* Programs whose every moment a crash may hit: each brings a file to a state that is on the storage, then
 * changes it while the shim records, and says after each step what the file is now ("v") and what of it must
 * survive a power cut, too ("d"). What the file holds follows from names and indices alone, so old and new
 * are known; verified at the end.
 *
 *   scenario run FOLDER LOGS NAME|all VERSION|0      FOLDER/NAME.vV.nc, LOGS/NAME.vV.nR.log .base .final
 *   scenario recover LIST                            opens each path of a list for writing, and closes it
 *   scenario list */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "crashsteps.h"

/* ---- scenarios */

/* Step by step: while a call is on its way each byte is what it was or what it becomes. */
static void put_noted(int ncid, int nfixed, int nvars, MPI_Offset record)
{
    for (int v = 0; v < nvars; v++) {
        step_put_share(ncid, v, v < nfixed ? -1 : record);
        step_say_put();
    }
}

static void create_with(const char *commit, int attribute)
{
    step_start_recording(false);
    step_say("loose");
    if (strcmp(commit, "auto") == 0)
        step_say("unkept");
    int ncid = step_define_file(commit, 2, 3, attribute, 0);
    step_say("v");
    put_noted(ncid, 2, 5, 0);
    NC(ncmpi_sync(ncid));
    step_say("d");
    put_noted(ncid, 2, 5, 1);
    if (strcmp(commit, "auto") != 0) {
        NC(ncmpi_sync(ncid));
        step_say("d");
    }
    step_end_with(ncid, 2, 5);
}

static void create_small(void)
{
    create_with("close", 20);
}

static void create_big_header(void)
{
    create_with("close", 3000);
}

/* From the first sync on it is kept. */
static void create_auto(void)
{
    create_with("auto", 3000);
}

/* Closed, and never synced: a kill takes nothing of it, a power cut may take all. */
static void create_unsynced(void)
{
    step_start_recording(false);
    step_say("unkept");
    step_say("unsynced");
    int ncid = step_define_file("auto", 2, 3, 3000, 0);
    step_say("v");
    put_noted(ncid, 2, 5, 0);
    step_end_unkept(ncid, 1, 5);
}

/* What had the name (no netCDF file: it is refused as long as it is there) is gone with the create; what
 * takes its place is kept when it is closed. */
static void create_over(void)
{
    FILE *old = my.rank == 0 ? fopen(my.path, "w") : NULL;
    if (old)
        CHECK(fputs("old", old) >= 0 && fclose(old) == 0, "%s cannot be written", my.path);
    step_start_recording(false);
    step_say("unkept");
    int ncid = step_define_file("auto", 2, 3, 3000, 0);
    step_say("v");
    put_noted(ncid, 2, 5, 0);
    step_end_with(ncid, 1, 5);
}

static void append_with(const char *commit, int nrecord)
{
    step_make_base(0, nrecord, 2, 20, 0);
    bool keeps = strcmp(commit, "record") == 0;
    if (!keeps)
        step_say("loose");
    int ncid = step_open_with(commit);
    for (int r = 2; r < 6; r++)
        for (int v = 0; v < nrecord; v++) {
            step_put_share(ncid, v, r);
            if (keeps && v == 0) /* the first variable's put adds the record */
                step_say("d");
            else
                step_say_put();
        }
    step_end_with(ncid, 6, nrecord);
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
    append_with("auto", 3);
}

static void append_posted(void)
{
    step_make_base(2, 3, 2, 20, 0);
    int ncid = step_open_with("record");
    for (int r = 2; r < 6; r++) {
        static double kept[3][MOST_VALUES];
        int ids[3], statuses[3];
        for (int v = 0; v < 3; v++) {
            MPI_Offset start[2], count[2], n = step_share_of(ncid, 2 + v, r, start, count);
            memcpy(kept[v], my.values, (size_t)n * sizeof(double));
            NC(ncmpi_iput_vara_double(ncid, 2 + v, start, count, kept[v], &ids[v]));
        }
        NC(ncmpi_wait_all(ncid, 3, ids, statuses));
        step_say("d");
    }
    step_end_with(ncid, 6, 5);
}

static void append_alone(void)
{
    step_make_base(0, 1, 2, 20, 0);
    step_say("loose"); /* independent: which records count before the mode ends is each rank's own */
    int ncid = step_open_with("record");
    NC(ncmpi_begin_indep_data(ncid));
    for (int r = 2 + my.rank; r < 2 + 2 * my.size; r += my.size) {
        const MPI_Offset start[2] = { r, 0 }, count[2] = { 1, RECORD_Y };
        for (int i = 0; i < RECORD_Y; i++)
            my.values[i] = step_value_of("record_short", r * RECORD_Y + i);
        NC(ncmpi_put_vara_double(ncid, 0, start, count, my.values));
    }
    NC(ncmpi_end_indep_data(ncid));
    step_say("v");
    step_end_with(ncid, 2 + 2 * my.size, 1);
}

/* Puts that wait in memory: records count when the sync has written all of them. */
static void append_deferred(void)
{
    step_make_base(2, 3, 2, 20, 0);
    int ncid = step_open_hinted("record", "pcdf_defer", "1048576");
    for (int r = 2; r < 6; r++)
        step_put_record(ncid, r);
    step_say("v");
    NC(ncmpi_sync(ncid));
    step_say("d");
    step_end_with(ncid, 6, 5);
}

/* A file whose values are all there; some are others than they will be. */
static int open_to_replace(const char *hint, const char *value)
{
    int ncid = step_define_file("auto", 2, 3, 20, 0);
    step_put_base(ncid, 2, RECORDS);
    step_put_spread(ncid, 0, 1);
    step_put_spread(ncid, 3, 1);
    NC(ncmpi_close(ncid));
    step_start_recording(true);
    return step_open_hinted("auto", hint, value);
}

/* What lies between the values that are put, also of records of other variables, is not ours. */
static void replace_with(const char *hint, const char *value)
{
    int ncid = open_to_replace(hint, value);
    step_put_spread(ncid, 0, 0);
    step_put_spread(ncid, 3, 0);
    step_say_put();
    NC(ncmpi_sync(ncid));
    step_say("d");
    step_end_with(ncid, RECORDS, 5);
}

static void replace_sieved(void)
{
    replace_with("pcdf_sieve", "on");
}

static void replace_deferred(void)
{
    replace_with("pcdf_defer", "1048576");
}

/* Each rank its own records, in pieces that wait until the mode ends. */
static void replace_alone(void)
{
    int ncid = open_to_replace("pcdf_defer", "1048576");
    step_put_spread(ncid, 0, 0);
    NC(ncmpi_begin_indep_data(ncid));
    for (int i = my.rank; i < 3 * RECORDS; i += my.size) {
        const MPI_Offset start[2] = { i / 3, i % 3 * (RECORD_X / 3) }, count[2] = { 1, RECORD_X / 3 };
        for (int k = 0; k < RECORD_X / 3; k++)
            my.values[k] = step_value_of("record_int", start[0] * RECORD_X + start[1] + k);
        NC(ncmpi_put_vara_double(ncid, 3, start, count, my.values));
    }
    step_say("v");
    NC(ncmpi_end_indep_data(ncid));
    step_say("v");
    step_end_with(ncid, RECORDS, 5);
}

/* A longer header pushes all data up: by less than a round, or by more. */
static void grow_by(int attribute)
{
    step_make_base(2, 3, RECORDS, 20, 0);
    int ncid = step_open_with("auto");
    NC(ncmpi_redef(ncid));
    step_put_text(ncid, "more", attribute, 'A');
    NC(ncmpi_enddef(ncid));
    step_say("v");
    step_end_with(ncid, RECORDS, 5);
}

static void grow_small(void)
{
    grow_by(600);
}

static void grow_large(void)
{
    grow_by(40000);
}

/* Of a new file, which nothing was synced of: data that moves waits for the disk, and is kept from then on.
 */
static void grow_unsynced(void)
{
    step_start_recording(false);
    step_say("unkept");
    int ncid = step_define_file("auto", 2, 3, 20, 0);
    step_say("v");
    for (int r = 0; r < 4; r++)
        put_noted(ncid, 2, 5, r);
    NC(ncmpi_redef(ncid));
    step_put_text(ncid, "more", 600, 'A');
    NC(ncmpi_enddef(ncid));
    step_say("d");
    step_end_unkept(ncid, 4, 5);
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
    step_make_base(2, 3, RECORDS, 20, 0);
    step_say("ignore 5");
    int ncid = step_open_with("auto");
    NC(ncmpi_redef(ncid));
    define_more(ncid, false);
    NC(ncmpi_enddef(ncid));
    step_say("v");
    step_end_with(ncid, RECORDS, 6);
}

static void new_filled(void)
{
    step_make_base(2, 3, RECORDS, 20, 0);
    int ncid = step_open_with("auto");
    NC(ncmpi_redef(ncid));
    define_more(ncid, true);
    NC(ncmpi_enddef(ncid));
    step_say("v");
    step_end_with(ncid, RECORDS, 7);
}

/* One record variable has no padding between its records; a second one brings it. */
static void new_padding(void)
{
    step_make_base(0, 1, RECORDS, 20, 0);
    int ncid = step_open_with("auto");
    NC(ncmpi_redef(ncid));
    define_more(ncid, true);
    NC(ncmpi_enddef(ncid));
    step_say("v");
    step_end_with(ncid, RECORDS, 3);
}

static void define_raw(int ncid, const char *name)
{
    int dims[2], id;
    NC(ncmpi_inq_dimid(ncid, "time", &dims[0]));
    NC(ncmpi_inq_dimid(ncid, "record_x", &dims[1]));
    NC(ncmpi_def_var(ncid, name, NC_INT, 2, dims, &id));
    NC(ncmpi_def_var_fill(ncid, id, 1, NULL));
}

/* The file ends inside its last record, of which the first variable (of an odd number of shorts) alone was
 * written: fewer bytes are there to move than the headers say. */
static void partial_with(const char *chunk)
{
    int ncid = step_define_file("auto", 0, 1, 20, 0);
    NC(ncmpi_redef(ncid));
    define_raw(ncid, "raw_record");
    NC(ncmpi_enddef(ncid));
    step_put_share(ncid, 0, 0);
    step_keep_base(ncid, 1, 2);
    step_say("ignore 1");
    step_say("ignore 2");
    ncid = step_open_hinted("record", "nc_data_move_chunk_size", chunk);
    step_put_share(ncid, 0, 1);
    step_say("d");
    NC(ncmpi_redef(ncid));
    define_raw(ncid, "raw_more");
    NC(ncmpi_enddef(ncid));
    step_say("v");
    step_end_with(ncid, 2, 3);
}

static void partial_record(void)
{
    partial_with("65536");
}

static void partial_rounds(void)
{
    partial_with("1024");
}

/* The header grows into room that was kept for it. */
static void header_in_place(void)
{
    step_make_base(2, 3, 2, 20, 8192);
    int ncid = step_open_with("auto");
    NC(ncmpi_redef(ncid));
    step_put_text(ncid, "more", 3000, 'A');
    NC(ncmpi__enddef(ncid, 0, 4, 0, 4));
    step_say("v");
    step_end_with(ncid, 2, 5);
}

static void attribute_small(void)
{
    step_make_base(2, 3, 2, 20, 0);
    int ncid = step_open_with("auto");
    step_put_text(ncid, "title", 40, 'B');
    step_say("v");
    NC(ncmpi_sync(ncid));
    step_say("d");
    step_end_with(ncid, 2, 5);
}

static void attribute_large(void)
{
    step_make_base(2, 3, 2, 3000, 0);
    int ncid = step_open_with("auto");
    step_put_text(ncid, "history", 3000, 'B');
    step_put_text(ncid, "title", 30, 'B');
    NC(ncmpi_sync(ncid));
    step_say("d");
    step_put_text(ncid, "history", 2000, 'C');
    step_end_with(ncid, 2, 5);
}

static void rename_things(void)
{
    step_make_base(2, 3, 2, 600, 0);
    int ncid = step_open_with("auto");
    NC(ncmpi_rename_dim(ncid, 1, "z"));
    step_say("v");
    NC(ncmpi_rename_att(ncid, NC_GLOBAL, "history", "story"));
    NC(ncmpi_sync(ncid));
    step_say("d");
    step_end_with(ncid, 2, 5);
}

/* Changes after changes on one handle, with records between them. */
static void mixed(void)
{
    step_make_base(2, 3, 4, 20, 0);
    step_say("ignore 5");
    int ncid = step_open_with("record");
    NC(ncmpi_redef(ncid));
    step_put_text(ncid, "more", 600, 'A');
    NC(ncmpi_enddef(ncid));
    step_say("v");
    for (int v = 2; v < 5; v++) {
        step_put_share(ncid, v, 4);
        step_say_put();
    }
    NC(ncmpi_sync(ncid));
    step_say("d");
    NC(ncmpi_redef(ncid));
    define_more(ncid, false);
    NC(ncmpi_enddef(ncid));
    step_say("v");
    step_put_text(ncid, "more", 600, 'E');
    NC(ncmpi_sync(ncid));
    step_say("d");
    NC(ncmpi_redef(ncid));
    NC(ncmpi_del_att(ncid, NC_GLOBAL, "more"));
    NC(ncmpi_enddef(ncid));
    step_say("v");
    step_end_with(ncid, 5, 6);
}

static const struct {
    const char *name;
    void (*run)(void);
} scenarios[] = {
    { "create", create_small },
    { "create_big_header", create_big_header },
    { "create_auto", create_auto },
    { "create_unsynced", create_unsynced },
    { "create_over", create_over },
    { "append_one", append_one },
    { "append_many", append_many },
    { "append_close", append_close },
    { "append_posted", append_posted },
    { "append_alone", append_alone },
    { "append_deferred", append_deferred },
    { "replace_sieved", replace_sieved },
    { "replace_deferred", replace_deferred },
    { "replace_alone", replace_alone },
    { "grow_small", grow_small },
    { "grow_large", grow_large },
    { "grow_unsynced", grow_unsynced },
    { "new_record_variable", new_record_variable },
    { "new_filled", new_filled },
    { "new_padding", new_padding },
    { "partial_record", partial_record },
    { "partial_rounds", partial_rounds },
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
    if (my.rank == 0) /* of a run on other ranks */
        unlink(my.path);
    MPI_Barrier(MPI_COMM_WORLD);
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

/* A rate holds the writes of the other ranks back, so that rank 0 writes before them what it may. */
static void set_queue(char *hints)
{
    char *rate = hints ? strstr(hints, ";pcdf_debug_async_rate=") : NULL;
    my.queues = hints && strstr(hints, "pcdf_async");
    if (rate && my.rank == 0 && my.size > 1)
        *rate = '\0';
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
    set_queue(getenv("PNETCDF_HINTS"));
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
