/* Records which functions a public call goes through. Rank 0 writes the call tree of each case to standard
 * output; crossings.py gives the addresses their names. The library has to be built with
 * -finstrument-functions, otherwise no function is seen. Uses the public API alone.
 *
 *     crossings FOLDER     a line of "main ADDRESS", then lines of recorder.h
 *
 * FOLDER has a Zarr store values.zarr with a variable `values`, which crossings.py made. */

#include <inttypes.h>
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "recorder.h"

enum { ROWS = 256, COLUMNS = 64, NOTE = 16384, ROUNDS = 3 };

struct file {
    int ncid, var;
    char path[4096], zarr[4096];
};

struct crossing {
    const char *name;
    void (*prepare)(struct file *f); /* not recorded */
    void (*call)(struct file *f);
    void (*finish)(struct file *f); /* not recorded */
};

static int rank, ranks;
static double values[ROWS * COLUMNS];

UNSEEN static void check(int err, const char *what)
{
    if (err == NC_NOERR)
        return;
    fprintf(stderr, "crossings: %s: %s\n", what, ncmpi_strerror(err));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void create(struct file *f)
{
    int dims[2];
    check(ncmpi_create(MPI_COMM_WORLD, f->path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &f->ncid),
          "create");
    check(ncmpi_def_dim(f->ncid, "row", ROWS, &dims[0]), "def_dim");
    check(ncmpi_def_dim(f->ncid, "column", COLUMNS, &dims[1]), "def_dim");
    check(ncmpi_def_var(f->ncid, "values", NC_DOUBLE, 2, dims, &f->var), "def_var");
    check(ncmpi_enddef(f->ncid), "enddef");
    check(ncmpi_put_var_double_all(f->ncid, f->var, values), "put_var");
}

static void close_file(struct file *f)
{
    check(ncmpi_close(f->ncid), "close");
}

static void nothing(struct file *f)
{
    (void)f;
}

/* Rows side by side: one piece of the file a rank. */
UNSEEN static void put_rows(struct file *f)
{
    const MPI_Offset count[2] = { ROWS / ranks, COLUMNS }, start[2] = { rank * count[0], 0 };
    check(ncmpi_put_vara_double_all(f->ncid, f->var, start, count, values), "put");
}

/* Columns side by side: a piece of the file in each row, between those of the other ranks. */
UNSEEN static void put_columns(struct file *f)
{
    const MPI_Offset count[2] = { ROWS, COLUMNS / ranks }, start[2] = { 0, rank * count[1] };
    check(ncmpi_put_vara_double_all(f->ncid, f->var, start, count, values), "put");
}

/* Columns again, in two requests: the upper and the lower half of the rows. */
UNSEEN static void post_and_wait(struct file *f)
{
    int requests[2], statuses[2];
    for (int i = 0; i < 2; i++) {
        const MPI_Offset count[2] = { ROWS / 2, COLUMNS / ranks },
                         start[2] = { i * count[0], rank * count[1] };
        check(ncmpi_iput_vara_double(f->ncid, f->var, start, count, values, &requests[i]), "iput");
    }
    check(ncmpi_wait_all(f->ncid, 2, requests, statuses), "wait_all");
    check(statuses[0], "first request");
    check(statuses[1], "second request");
}

/* An attribute that the header has no room for, and a variable. */
static void outgrow_header(struct file *f)
{
    static char note[NOTE];
    static int nr;
    char name[32];
    int var;
    memset(note, 'x', sizeof note);
    snprintf(name, sizeof name, "note%d", nr++);
    check(ncmpi_redef(f->ncid), "redef");
    check(ncmpi_put_att_text(f->ncid, NC_GLOBAL, name, NOTE, note), "put_att");
    check(ncmpi_def_var(f->ncid, name, NC_INT, 0, NULL, &var), "def_var");
}

UNSEEN static void enddef(struct file *f)
{
    check(ncmpi_enddef(f->ncid), "enddef");
}

static void check_moved(struct file *f)
{
    static MPI_Offset before;
    MPI_Offset offset;
    check(ncmpi_inq_varoffset(f->ncid, f->var, &offset), "inq_varoffset");
    check(offset <= before ? NC_EINVAL : NC_NOERR, "the data was not moved");
    before = offset;
}

UNSEEN static void open_file(struct file *f)
{
    check(ncmpi_open(MPI_COMM_WORLD, f->path, NC_NOWRITE, MPI_INFO_NULL, &f->ncid), "open");
}

UNSEEN static void open_zarr(struct file *f)
{
    check(ncmpi_open(MPI_COMM_WORLD, f->zarr, NC_NOWRITE, MPI_INFO_NULL, &f->ncid), "open of the store");
}

static void reopen_zarr(struct file *f)
{
    close_file(f);
    open_zarr(f);
    check(ncmpi_inq_varid(f->ncid, "values", &f->var), "inq_varid");
}

UNSEEN static void get_rows(struct file *f)
{
    const MPI_Offset count[2] = { ROWS / ranks, COLUMNS }, start[2] = { rank * count[0], 0 };
    check(ncmpi_get_vara_double_all(f->ncid, f->var, start, count, values), "get");
}

/* Every case begins with a file that `create` made, open; those that open one begin with it closed. */
static const struct crossing crossings[] = {
    { "put", nothing, put_rows, nothing },         { "columns", nothing, put_columns, nothing },
    { "wait", nothing, post_and_wait, nothing },   { "enddef", outgrow_header, enddef, check_moved },
    { "open", close_file, open_file, nothing },    { "zarr", close_file, open_zarr, nothing },
    { "zarrget", reopen_zarr, get_rows, nothing },
};

UNSEEN static void measure(const struct crossing *c, struct file *f, int round)
{
    c->prepare(f);
    MPI_Barrier(MPI_COMM_WORLD);
    recorder_begin();
    c->call(f);
    recorder_end();
    c->finish(f);
    if (rank == 0)
        recorder_print(stdout, c->name, round);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 2) {
        fprintf(stderr, "usage: crossings FOLDER\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    struct file f;
    snprintf(f.path, sizeof f.path, "%s/crossings.nc", argv[1]);
    snprintf(f.zarr, sizeof f.zarr, "%s/values.zarr", argv[1]);
    if (rank == 0)
        printf("main %" PRIxPTR "\n", (uintptr_t)main);
    for (size_t i = 0; i < sizeof crossings / sizeof *crossings; i++) {
        create(&f);
        for (int round = 1; round <= ROUNDS; round++)
            measure(&crossings[i], &f, round);
        close_file(&f);
    }
    if (rank == 0)
        remove(f.path);
    MPI_Finalize();
    return 0;
}
