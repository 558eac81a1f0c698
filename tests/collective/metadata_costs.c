/* Fixes what definitions cost: an open broadcasts what rank 0 found, and then the header, by two at most on
 * any number of ranks, with no other collective but the agreements that are counted here, and few reads,
 * however long the header is; a change in
 * data mode writes the bytes that changed, not the header; redef and enddef that change the last variable
 * write from there on; and when the last file is closed, nothing is held. */
#include "together.h"

enum { FEW = 3, MANY = 6000, SECTOR = 512 };

static struct {
    int allreduce, bcast, other;
} calls;
static int inside; /* of an MPI function: what that calls is its own */

#define COUNTED(name, kind, parameters, arguments)                                                           \
    int MPI_##name parameters                                                                                \
    {                                                                                                        \
        calls.kind += inside == 0;                                                                           \
        return PMPI_##name arguments;                                                                        \
    }
COUNTED(Allreduce, allreduce, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm c),
        (from, to, n, type, op, c))
COUNTED(Bcast, bcast, (void *bytes, int n, MPI_Datatype type, int root, MPI_Comm c),
        (bytes, n, type, root, c))
COUNTED(Barrier, other, (MPI_Comm c), (c))
COUNTED(Allgather, other,
        (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other, MPI_Comm c),
        (from, n, type, to, m, other, c))
COUNTED(Gather, other,
        (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other, int root,
         MPI_Comm c),
        (from, n, type, to, m, other, root, c))
COUNTED(Scatter, other,
        (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other, int root,
         MPI_Comm c),
        (from, n, type, to, m, other, root, c))
COUNTED(Alltoall, other,
        (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other, MPI_Comm c),
        (from, n, type, to, m, other, c))
COUNTED(Reduce, other,
        (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm c),
        (from, to, n, type, op, root, c))
COUNTED(Comm_dup, other, (MPI_Comm c, MPI_Comm *made), (c, made))

int MPI_File_open(MPI_Comm c, const char *path, int mode, MPI_Info info, MPI_File *file)
{
    inside++;
    int err = PMPI_File_open(c, path, mode, info, file);
    inside--;
    return err;
}

static void var_name(char name[32], int i)
{
    snprintf(name, 32, "variable_number_%06d", i);
}

static void make(int nvars)
{
    char name[32];
    int ncid, d, v;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid),
             NC_NOERR);
    CHECK_NC(ncmpi_def_dim(ncid, "x", 1, &d), NC_NOERR);
    for (int i = 0; i < nvars; i++) {
        var_name(name, i);
        CHECK_NC(ncmpi_def_var(ncid, name, NC_INT, 1, &d, &v), NC_NOERR);
        CHECK_NC(ncmpi_put_att_text(ncid, v, "units", 4, "kg/s"), NC_NOERR);
        CHECK_NC(ncmpi_put_att_int(ncid, v, "number", NC_INT, 1, &i), NC_NOERR);
    }
    CHECK_NC(ncmpi__enddef(ncid, 0, 4096, 0, 4), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* What a variable is in the file now. */
static void check_var(int ncid, int i, const char *name, const char *units)
{
    char there[32] = "";
    int v = -1, number = -1;
    CHECK_NC(ncmpi_inq_varid(ncid, name, &v), NC_NOERR);
    CHECK_INT(v, i);
    CHECK_NC(ncmpi_get_att_text(ncid, i, "units", there), NC_NOERR);
    CHECK(strcmp(there, units) == 0, "units are \"%s\"", there);
    CHECK_NC(ncmpi_get_att_int(ncid, i, "number", &number), NC_NOERR);
    CHECK_INT(number, i);
}

/* ---- open */

static void open_costs(int nvars, int bcasts, int allreduces, MPI_Offset most_read)
{
    char name[32];
    MPI_Offset size, read;
    int ncid;
    make(nvars);
    for (int mode = NC_NOWRITE; mode <= NC_WRITE; mode += NC_WRITE - NC_NOWRITE) {
        memset(&calls, 0, sizeof calls);
        CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, mode, MPI_INFO_NULL, &ncid), NC_NOERR);
        int made[3] = { calls.allreduce, calls.bcast, calls.other };
        CHECK(made[0] <= allreduces, "%d variables: %d Allreduces", nvars, made[0]);
        CHECK(made[1] <= bcasts, "%d variables: %d broadcasts", nvars, made[1]);
        CHECK_INT(made[2], 0);
        CHECK_NC(ncmpi_inq_header_size(ncid, &size), NC_NOERR);
        CHECK_NC(ncmpi_inq_get_size(ncid, &read), NC_NOERR);
        CHECK(my_rank > 0 || read <= (most_read ? most_read : size + size / 4 + 8192),
              "%lld bytes were read for a header of %lld", (long long)read, (long long)size);
        var_name(name, nvars / 2);
        check_var(ncid, nvars / 2, name, "kg/s");
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    }
}

/* ---- data mode */

/* Bytes of the header that rank 0 wrote since *before. */
static MPI_Offset written(int ncid, MPI_Offset *before)
{
    MPI_Offset now, since;
    CHECK_NC(ncmpi_inq_put_size(ncid, &now), NC_NOERR);
    since = now - *before;
    *before = now;
    return since;
}

static void check_written(const char *what, MPI_Offset bytes, MPI_Offset least, MPI_Offset most)
{
    if (my_rank == 0)
        CHECK(bytes >= least && bytes <= most, "%s: %lld bytes were written", what, (long long)bytes);
    else
        CHECK_INT(bytes, 0);
}

static void data_mode_costs(void)
{
    char name[32];
    int ncid;
    MPI_Offset before = 0;
    make(MANY);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    for (int i = 100; i < MANY;
         i += 1000) { /* what changed lies within one sector, but for one in a hundred */
        CHECK_NC(ncmpi_put_att_text(ncid, i, "units", 4, "g/cm"), NC_NOERR);
        CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
        check_written("the values of an attribute", written(ncid, &before), 1, 1 + 2 * SECTOR);
        snprintf(name, sizeof name, "renamed_variable_%05d", i);
        CHECK_NC(ncmpi_rename_var(ncid, i, name), NC_NOERR);
        CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
        check_written("a name", written(ncid, &before), 1, 1 + 2 * SECTOR);
    }
    CHECK_NC(ncmpi_put_att_text(ncid, 2000, "units", 4, "K/s "), NC_NOERR);
    check_written("the same", written(ncid, &before), 0, 4);
    for (int i = 2000; i < 2060; i++) { /* some cross the end of a sector: journalled, and written at once */
        snprintf(name, sizeof name, "renamed_variable_%05d", i);
        CHECK_NC(ncmpi_rename_var(ncid, i, name), NC_NOERR);
    }
    check_written("names within a sector", written(ncid, &before), 1, 60 * SECTOR / 2);
    CHECK_NC(ncmpi_sync(ncid), NC_NOERR);
    check_written("names that wait", written(ncid, &before), SECTOR + 1, 60 * SECTOR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);

    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    before = 0;
    check_var(ncid, 1100, "renamed_variable_01100", "g/cm");
    check_var(ncid, 2000, "renamed_variable_02000", "K/s ");
    check_var(ncid, 2059, "renamed_variable_02059", "kg/s");
    check_var(ncid, 2060, "variable_number_002060", "kg/s");
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, MANY - 1, "history", 5, "short"), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    check_written("an attribute more of the last variable", written(ncid, &before), 1, 1 + 2 * SECTOR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    MPI_Offset length = -1;
    CHECK_NC(ncmpi_inq_attlen(ncid, MANY - 1, "history", &length), NC_NOERR);
    CHECK_INT(length, 5);
    check_var(ncid, MANY - 2, "variable_number_005998", "kg/s");
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

int main(int argc, char **argv)
{
    MPI_Offset held = -1;
    together_begin(&argc, &argv, "metadata_costs", 120);
    make(1); /* the communicator is duplicated for its first file */
    /* Allreduces: who can open, two of the engine, who has it open; one more where the header needs memory.
     */
    open_costs(FEW, 2, 4, 8192);
    open_costs(MANY, 3, 5, 0);
    data_mode_costs();
    CHECK_NC(ncmpi_inq_malloc_size(&held), NC_NOERR);
    CHECK_INT(held, 0);
    return together_end("metadata_costs");
}
