/* Fixes: who learns of a failure of storage, and when (src/README.md). wait_all, sync, the switches of mode,
 * redef, enddef and close end with a vote: whichever write, read or sync of any rank fails in one of them,
 * all ranks return the failure from that same call. So does a call that adds records, whatever rank's data
 * could not be written; that rank 0 could not write their number the others learn in the next call, and with
 * pcdf_commit=record at once. A failure of an independent put or of a put to old records is its rank's own,
 * until the next call of the first kind. */

#include "together.h"

enum { ROWS = 12, COLUMNS = 40, FAULT = NC_EQUOTA };

enum learns { OWN, RECORD, ALL }; /* who must return the failure of a call */

struct session {
    const char *order, *commit, *strategy;
    int ncid, fixed, record, row[ROWS * COLUMNS];
    int nrecords;
    bool over; /* some rank failed */
};

/* One call of every rank, and how it went here. */
static void step(struct session *s, const char *call, enum learns who, int err)
{
    int mine[2] = { err != NC_NOERR, err == NC_NOERR }, any[2];
    CHECK(err == NC_NOERR || err == FAULT, "%s: rank %d: %s gives %s", s->order, my_rank, call,
          ncmpi_strerrno(err));
    MPI_Allreduce(mine, any, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    bool root_alone = who == RECORD && strcmp(s->commit, "record") != 0;
    if (any[0] && any[1] && who != OWN)
        CHECK(root_alone && (my_rank == 0 || !err), "%s, commit %s: %s fails, but rank %d returns %s",
              s->order, s->commit, call, my_rank, ncmpi_strerrno(err));
    s->over |= s->over || any[0];
}

#define STEP(who, call)                                                                                      \
    do {                                                                                                     \
        if (!s->over)                                                                                        \
            step(s, #call, who, call);                                                                       \
    } while (0)
#define QUIET(call)                                                                                          \
    do {                                                                                                     \
        if (!s->over)                                                                                        \
            CHECK_NC(call, NC_NOERR);                                                                        \
    } while (0)

static int put_rows(struct session *s)
{
    MPI_Offset start[2] = { my_rank, 0 }, count[2] = { ROWS / my_size, COLUMNS }, stride[2] = { my_size, 1 };
    return ncmpi_put_vars_int_all(s->ncid, s->fixed, start, count, stride, s->row);
}

static int wait_for(struct session *s, bool puts, int varid, MPI_Offset first)
{
    MPI_Offset start[2] = { first + my_rank, 0 }, count[2] = { 1, COLUMNS };
    int id, status = NC_NOERR, got[COLUMNS];
    int err = puts ? ncmpi_iput_vara_int(s->ncid, varid, start, count, s->row, &id)
                   : ncmpi_iget_vara_int(s->ncid, varid, start, count, got, &id);
    CHECK_NC(err, NC_NOERR);
    err = ncmpi_wait_all(s->ncid, 1, &id, &status);
    CHECK(!status || err, "%s: rank %d: a status is %s, and wait_all gives success", s->order, my_rank,
          ncmpi_strerrno(status));
    CHECK(puts || !status || together_queues(s->ncid), "%s: rank %d: a get has status %s", s->order, my_rank,
          ncmpi_strerrno(status));
    return err;
}

static int put_records(struct session *s)
{
    MPI_Offset start[2] = { s->nrecords + my_rank, 0 }, count[2] = { 1, COLUMNS };
    s->nrecords += my_size;
    return ncmpi_put_vara_int_all(s->ncid, s->record, start, count, s->row);
}

static int wait_for_records(struct session *s)
{
    s->nrecords += my_size;
    return wait_for(s, true, s->record, s->nrecords - my_size);
}

static int put_alone(struct session *s)
{
    MPI_Offset start[2] = { s->nrecords + my_rank, 0 }, count[2] = { 1, COLUMNS };
    s->nrecords += my_size;
    return ncmpi_put_vara_int(s->ncid, s->record, start, count, s->row);
}

static int fill_record(struct session *s)
{
    return ncmpi_fill_var_rec(s->ncid, s->record, s->nrecords++);
}

static int change_attribute(struct session *s, char letter)
{
    char text[2000];
    memset(text, letter, sizeof text);
    return ncmpi_put_att_text(s->ncid, NC_GLOBAL, "a", sizeof text, text);
}

static void begin(struct session *s)
{
    MPI_Info info;
    int d[3];
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_fault", s->order);
    MPI_Info_set(info, "pcdf_commit", s->commit);
    MPI_Info_set(info, "pcdf_debug_strategy", s->strategy);
    MPI_Info_set(info, "nc_data_move_chunk_size", "1024");
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER, info, &s->ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(s->ncid, "t", NC_UNLIMITED, &d[0]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s->ncid, "y", ROWS, &d[1]), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(s->ncid, "x", COLUMNS, &d[2]), NC_NOERR);
    CHECK_NC(ncmpi_def_var(s->ncid, "fixed", NC_INT, 2, d + 1, &s->fixed), NC_NOERR);
    d[1] = d[2];
    CHECK_NC(ncmpi_def_var(s->ncid, "record", NC_INT, 2, d, &s->record), NC_NOERR);
    CHECK_NC(ncmpi_def_var_fill(s->ncid, s->record, 0, NULL), NC_NOERR);
    CHECK_NC(change_attribute(s, 'a'), NC_NOERR);
}

/* True when some call failed. */
static bool session(const char *order, const char *commit, const char *strategy, int victim)
{
    struct session mine = { .order = order, .commit = commit, .strategy = strategy }, *s = &mine;
    int more[2];
    begin(s);
    STEP(ALL, ncmpi_enddef(s->ncid));
    STEP(OWN, put_rows(s));
    STEP(ALL, wait_for(s, true, s->fixed, 0));
    STEP(ALL, wait_for(s, my_rank == victim, s->fixed, 0));
    STEP(RECORD, put_records(s));
    STEP(RECORD, wait_for_records(s));
    STEP(OWN, change_attribute(s, 'b'));
    STEP(ALL, ncmpi_sync(s->ncid));
    STEP(OWN, change_attribute(s, 'c'));
    STEP(ALL, ncmpi_begin_indep_data(s->ncid));
    STEP(OWN, put_alone(s));
    STEP(OWN, change_attribute(s, 'd'));
    STEP(ALL, ncmpi_end_indep_data(s->ncid));
    STEP(RECORD, fill_record(s));
    STEP(OWN, change_attribute(s, 'e'));
    STEP(ALL, ncmpi_redef(s->ncid));
    QUIET(ncmpi_def_var(s->ncid, "more", NC_INT, 2, (int[]){ 0, 2 }, &more[0]));
    QUIET(ncmpi_def_var(s->ncid, "fill", NC_INT, 2, (int[]){ 1, 2 }, &more[1]));
    QUIET(ncmpi_def_var_fill(s->ncid, s->over ? 0 : more[1], 0, NULL));
    STEP(ALL, ncmpi_enddef(s->ncid));
    STEP(OWN, put_rows(s));
    bool failed = s->over;
    int err = ncmpi_close(s->ncid);
    CHECK(together_all(err == NC_NOERR) || together_all(err == FAULT), "%s: rank %d: close gives %s", order,
          my_rank, ncmpi_strerrno(err));
    CHECK(err || !failed, "%s: close succeeds after a failure", order);
    return err != NC_NOERR;
}

int main(int argc, char **argv)
{
    static const char *const ops[][2] = { { "write", "auto" },        { "write", "two-phase" },
                                          { "write", "independent" }, { "read", "auto" },
                                          { "sync", "auto" },         { "close", "auto" } };
    static const char *const commits[] = { "close", "record" };
    char order[64];
    int faults = 0;
    together_begin(&argc, &argv, "agreed_ends", 110);
    for (int victim = 0; victim < my_size; victim++)
        for (size_t c = 0; c < 2; c++)
            for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
                for (int n = 1, quiet = 0; n < 80 && quiet < 1; n++) {
                    snprintf(order, sizeof order, "%s:%d@%d=NC_EQUOTA", ops[i][0], n, victim);
                    quiet = session(order, commits[c], ops[i][1], victim) ? 0 : quiet + 1;
                    faults += !quiet;
                }
    if (my_rank == 0)
        printf("agreed_ends: %d failures\n", faults);
    return together_end("agreed_ends");
}
