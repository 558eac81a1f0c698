#ifndef DEFERRAL_H
#define DEFERRAL_H
/* What the tests of hint pcdf_defer share: a file of fixed and record variables, what it holds on the disk,
 * and what the library holds back. */

#include <fcntl.h>
#include "together.h"
#include "dataset.h"
#include "writequeue.h"

enum { COLUMNS = 12 }; /* of each rank in a row */

struct deferred_file {
    int ncid, fixed, record, other, text; /* int [4][x], int [t][x], short [t][x], char [x] */
    struct pcdf_dataset *ds;
    int row[COLUMNS];
};

static inline MPI_Info defer_info(const char *bytes, const char *key, const char *value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_defer", bytes);
    if (key)
        MPI_Info_set(info, key, value);
    return info;
}

static inline void deferred_create(struct deferred_file *f, MPI_Info info)
{
    int t, y, x;
    CHECK_NC(ncmpi_create(MPI_COMM_WORLD, my_path, NC_CLOBBER | NC_64BIT_DATA, info, &f->ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_def_dim(f->ncid, "t", NC_UNLIMITED, &t), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(f->ncid, "y", 4, &y), NC_NOERR);
    CHECK_NC(ncmpi_def_dim(f->ncid, "x", (MPI_Offset)my_size * COLUMNS, &x), NC_NOERR);
    CHECK_NC(ncmpi_def_var(f->ncid, "fixed", NC_INT, 2, (int[]){ y, x }, &f->fixed), NC_NOERR);
    CHECK_NC(ncmpi_def_var(f->ncid, "record", NC_INT, 2, (int[]){ t, x }, &f->record), NC_NOERR);
    CHECK_NC(ncmpi_def_var(f->ncid, "other", NC_SHORT, 2, (int[]){ t, x }, &f->other), NC_NOERR);
    CHECK_NC(ncmpi_def_var_fill(f->ncid, f->other, 0, NULL), NC_NOERR);
    CHECK_NC(ncmpi_def_var(f->ncid, "text", NC_CHAR, 1, &x, &f->text), NC_NOERR);
    CHECK_NC(ncmpi_enddef(f->ncid), NC_NOERR);
    CHECK_NC(pcdf_dataset_of(f->ncid, &f->ds), NC_NOERR);
}

/* Row y of this rank's columns, of any variable of ints or shorts, each value `first` and up. */
static inline int defer_row(struct deferred_file *f, int var, MPI_Offset y, int first)
{
    MPI_Offset start[2] = { y, (MPI_Offset)my_rank * COLUMNS }, count[2] = { 1, COLUMNS };
    for (int i = 0; i < COLUMNS; i++)
        f->row[i] = first + i;
    int err = ncmpi_put_vara_int_all(f->ncid, var, start, count, f->row);
    memset(f->row, -1, sizeof f->row); /* the buffer is the caller's again */
    return err;
}

/* The calls that write what waits, in every test of deferral. A test's own stand behind them. */
enum ending { FLUSH, SYNC, NUMRECS, REDEF, CLOSE, ABORT, END_INDEP, BEGIN_INDEP, FILL, WAIT, ENDINGS };
static const char *const endings[ENDINGS] = { "flush",        "sync",    "sync_numrecs",   "redef",
                                              "close",        "abort",   "end_indep_data", "begin_indep_data",
                                              "fill_var_rec", "wait_all" };

static inline int end_by(struct deferred_file *f, enum ending ending)
{
    switch (ending) {
    case FLUSH:
        return ncmpi_flush(f->ncid);
    case SYNC:
        return ncmpi_sync(f->ncid);
    case NUMRECS:
        return ncmpi_sync_numrecs(f->ncid);
    case REDEF:
        return ncmpi_redef(f->ncid);
    case CLOSE:
        return ncmpi_close(f->ncid);
    case ABORT:
        return ncmpi_abort(f->ncid);
    case END_INDEP:
        return ncmpi_end_indep_data(f->ncid);
    case BEGIN_INDEP:
        return ncmpi_begin_indep_data(f->ncid);
    case FILL:
        return ncmpi_fill_var_rec(f->ncid, f->other, 2);
    default:
        return ncmpi_wait_all(f->ncid, 0, NULL, NULL);
    }
}

/* Is it a call of independent mode, or of the other? */
static inline bool ends_in(enum ending ending, bool independent)
{
    return ending < END_INDEP || ending >= ENDINGS || (ending == END_INDEP) == independent;
}

static inline MPI_Offset records(const struct deferred_file *f)
{
    MPI_Offset n = -1;
    CHECK_NC(ncmpi_inq_dimlen(f->ncid, 0, &n), NC_NOERR);
    return n;
}

/* ---- the file on the disk; no rank goes on before all have looked */

/* What a queue has is in the file then; not what is deferred, nor records that are to be agreed: parcdf_wait
 * sees to these, too. */
static inline void write_queues(void)
{
    bool waits = false;
    for (struct pcdf_dataset *ds = pcdf_dataset_after(0); ds; ds = pcdf_dataset_after(ds->opening)) {
        waits |= ds->deferral.n > 0 || ds->mode == PCDF_MODE_INDEPENDENT;
        (void)pcdf_writequeue_drain(ds->io->storage);
    }
    if (together_all(!waits))
        together_written();
}

static inline void read_disk(int64_t at, unsigned char *bytes, size_t n)
{
    memset(bytes, 0, n);
    write_queues();
    MPI_Barrier(MPI_COMM_WORLD);
    int fd = open(my_path, O_RDONLY);
    CHECK(fd >= 0 && pread(fd, bytes, n, at) >= 0, "%s cannot be read", my_path);
    close(fd);
    MPI_Barrier(MPI_COMM_WORLD);
}

static inline int64_t records_on_disk(void)
{
    unsigned char b[8];
    int64_t n = 0;
    read_disk(4, b, sizeof b);
    for (int i = 0; i < 8; i++)
        n = n << 8 | b[i];
    return n;
}

/* This rank's first value of a row of the variables of ints. */
static inline int on_disk(const struct deferred_file *f, int64_t begin, int64_t recsize, int y)
{
    unsigned char b[4];
    int64_t row = recsize ? recsize : (int64_t)my_size * COLUMNS * 4;
    (void)f;
    read_disk(begin + y * row + (int64_t)my_rank * COLUMNS * 4, b, sizeof b);
    return (int)((unsigned)b[0] << 24 | (unsigned)b[1] << 16 | (unsigned)b[2] << 8 | b[3]);
}

struct places { /* they outlive the handle */
    MPI_Offset fixed, record, recsize;
};

static inline struct places places_of(const struct deferred_file *f)
{
    struct places p = { 0 };
    CHECK_NC(ncmpi_inq_varoffset(f->ncid, f->fixed, &p.fixed), NC_NOERR);
    CHECK_NC(ncmpi_inq_varoffset(f->ncid, f->record, &p.record), NC_NOERR);
    CHECK_NC(ncmpi_inq_recsize(f->ncid, &p.recsize), NC_NOERR);
    return p;
}

static inline void expect_disk(const struct deferred_file *f, const struct places *p, int fixed, int record,
                               int64_t nrecords, const char *when)
{
    int got_fixed = on_disk(f, p->fixed, 0, 1), got_record = on_disk(f, p->record, p->recsize, 2);
    int64_t n = records_on_disk();
    CHECK(got_fixed == fixed && got_record == record && n == nrecords,
          "%s: rank %d finds %d, %d and %lld records on the disk, not %d, %d and %lld", when, my_rank,
          got_fixed, got_record, (long long)n, fixed, record, (long long)nrecords);
}
#endif
