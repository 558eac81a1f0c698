/* What real kills left: each file of a list is shown to a reader that knows nothing of journals, then opened
 * for writing by all ranks, of which there may be more or fewer than wrote it, and read again.
 *
 *   killed LIST      each line: the log of a whole run, the log of the killed one, the file
 * Prints a line a loss; exits 1 where there was one. */
#include <mpi.h>
#include <pnetcdf.h>
#include <parcdf.h>
#include <stdlib.h>
#include <unistd.h>
#include "check.h"
#include "verdict.h"

static struct {
    int rank;
    long files, right, refused, recovered, waiting;
} my;

/* How far the killed run had come: what it noted last is what it had reached. *low: what of it no longer
 * waited in a queue. */
static int version_reached(const struct log *log, int *low)
{
    int n = 0;
    *low = 0;
    for (size_t i = 0; i < log->n; i++) {
        bool is_put = log_note_is(&log->x[i], "p");
        if (!is_put && !log_note_is(&log->x[i], "v") && !log_note_is(&log->x[i], "d"))
            continue;
        n++;
        my.waiting += is_put;
        *low = is_put ? *low : n;
    }
    return n;
}

static void count(enum verdict verdict)
{
    my.files++;
    my.right += verdict == VERDICT_RIGHT;
    my.refused += verdict == VERDICT_REFUSED;
}

/* Rank 0 has the versions; the others only open. */
static void look_at(const struct versions *v, int low, int high, const char *path)
{
    struct bytes file = { 0 };
    char why[600] = "";
    bool is_there = my.rank == 0 && bytes_read(&file, path);
    if (my.rank == 0) {
        enum verdict plain = verdict_of(v, is_there ? &file : NULL, low, high, false, why, sizeof why);
        CHECK(plain == VERDICT_RIGHT || plain == VERDICT_REFUSED, "%s before recovery: %s: %s", path,
              verdict_names[plain], why);
        count(plain);
    }
    int ncid = -1, err = ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &ncid);
    if (!err)
        err = ncmpi_close(ncid);
    if (my.rank == 0) {
        bool was_nothing = !v->x[low].is_there;
        is_there = bytes_read(&file, path);
        enum verdict after = verdict_of(v, is_there ? &file : NULL, low, high, false, why, sizeof why);
        CHECK(after == VERDICT_RIGHT || (was_nothing && after == VERDICT_REFUSED), "%s recovered: %s: %s",
              path, verdict_names[after], why);
        CHECK(!err || was_nothing, "%s: open: %s: %s", path, ncmpi_strerrno(err), parcdf_last_error());
        my.recovered += !err;
    }
    free(file.x);
}

static void take_line(const char *whole, const char *killed, const char *path)
{
    char base_path[1100];
    struct bytes base = { 0 };
    struct log log = { 0 }, cut = { 0 };
    struct versions v = { 0 };
    int low = 0, high = 0;
    snprintf(base_path, sizeof base_path, "%s.base", whole);
    (void)bytes_read(&base, base_path);
    if (my.rank == 0) {
        bool good = log_read(&log, whole) && versions_read(&v, &log, &base) && log_read(&cut, killed);
        CHECK(good, "%s or %s cannot be used", whole, killed);
        if (!good)
            MPI_Abort(MPI_COMM_WORLD, 1);
        high = version_reached(&cut, &low);
        CHECK(high < v.n, "%s has more versions than %s", killed, whole);
        low = low < v.n ? low : v.n - 1;
        high = high + 1 < v.n ? high + 1 : v.n - 1;
    }
    look_at(&v, low, high, path);
    versions_free(&v);
    log_free(&log);
    log_free(&cut);
    free(base.x);
}

int main(int argc, char **argv)
{
    char line[3300], whole[1024], killed[1024], path[1024];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my.rank);
    FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;
    CHECK(in != NULL, "usage: killed LIST");
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, "%1023s %1023s %1023s", whole, killed, path) == 3)
            take_line(whole, killed, path);
    if (in)
        fclose(in);
    if (my.rank == 0)
        printf("%ld killed: %ld right at once, %ld refused until recovered, %ld opened for writing\n",
               my.files, my.right, my.refused, my.recovered);
    MPI_Finalize();
    return my.rank == 0 ? check_done("killed") : 0;
}
