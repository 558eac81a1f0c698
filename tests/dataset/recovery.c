/* Fixes what becomes of a file whose enddef was stopped at any write: the next open for writing finishes it,
 * on any number of ranks; a read-only open says NC_ERECOVER and names `parcdf repair`; a journal that is
 * lost, torn, foreign, of a file that was renamed, copied, replaced or moved to another folder, out of date
 * or held by a living process; links, folders that may not be written, and pcdf_debug_journal=off.
 * parcdf_repair() does the same by hand, and a dry run nothing. */

#include <dirent.h>
#include <fcntl.h>
#include <parcdf.h>
#include <sys/file.h>
#include <sys/stat.h>
#include "together.h"
#include "ownjournal.h"

enum { FIXED = 9000, ROW = 300, RECORDS = 7, MOST = 1 << 20 };

static char folder[1100], file[1200], journal[1300], other[1300], other_journal[1300];

static double value_of(int64_t where)
{
    return (double)(where * 7 % 1009) + 0.5;
}

/* ---- files as they are made, and what must be in them */

static MPI_Info hints(const char *fault, const char *journal_hint)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "nc_data_move_chunk_size", "1024");
    if (fault)
        MPI_Info_set(info, "pcdf_fault", fault);
    if (journal_hint)
        MPI_Info_set(info, "pcdf_debug_journal", journal_hint);
    return info;
}

static void make_file(MPI_Comm comm, const char *path)
{
    static double fixed[FIXED], records[RECORDS * ROW];
    int ncid, dims[3], vars[2], rank;
    MPI_Offset none[2] = { 0, 0 }, all = FIXED, rows[2] = { RECORDS, ROW };
    for (int i = 0; i < FIXED; i++)
        fixed[i] = value_of(i);
    for (int i = 0; i < RECORDS * ROW; i++)
        records[i] = value_of(100000 + i);
    MPI_Comm_rank(comm, &rank);
    CHECK_NC(ncmpi_create(comm, path, NC_CLOBBER | NC_64BIT_OFFSET, MPI_INFO_NULL, &ncid), NC_NOERR);
    ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dims[0]);
    ncmpi_def_dim(ncid, "x", ROW, &dims[1]);
    ncmpi_def_dim(ncid, "n", FIXED, &dims[2]);
    ncmpi_def_var(ncid, "fixed", NC_DOUBLE, 1, &dims[2], &vars[0]);
    ncmpi_def_var(ncid, "record", NC_DOUBLE, 2, dims, &vars[1]);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    if (rank > 0)
        all = rows[0] = rows[1] = 0;
    CHECK_NC(ncmpi_put_vara_double_all(ncid, vars[0], none, &all, fixed), NC_NOERR);
    CHECK_NC(ncmpi_put_vara_double_all(ncid, vars[1], none, rows, records), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* Root may write everywhere: another user tries. */
static void folder_is_locked(bool locked)
{
    if (getuid() == 0 && !locked)
        CHECK_INT(seteuid(0), 0);
    CHECK_INT(chmod(folder, locked ? 0555 : 0777), 0);
    if (getuid() == 0 && locked)
        CHECK_INT(seteuid(65534), 0);
}

/* A redef that moves all data: the header outgrows its sector, and records become longer. */
static int change_file_in(MPI_Comm comm, const char *path, MPI_Info info, bool folder_locked)
{
    static char text[3000];
    int ncid, dims[2], var, err;
    memset(text, 'h', sizeof text);
    err = ncmpi_open(comm, path, NC_WRITE, info, &ncid);
    if (err)
        return err;
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    ncmpi_put_att_text(ncid, NC_GLOBAL, "history", sizeof text, text);
    ncmpi_inq_dimid(ncid, "time", &dims[0]);
    ncmpi_inq_dimid(ncid, "x", &dims[1]);
    ncmpi_def_var(ncid, "second", NC_INT, 2, dims, &var);
    ncmpi_def_var_fill(ncid, var, 0, NULL);
    if (folder_locked)
        folder_is_locked(true);
    err = ncmpi_enddef(ncid);
    if (folder_locked)
        folder_is_locked(false);
    if (err == NC_EACCESS)
        ncmpi_abort(ncid);
    else
        ncmpi_close(ncid);
    return err;
}

static int change_file(MPI_Comm comm, const char *path, MPI_Info info)
{
    return change_file_in(comm, path, info, false);
}

/* Every value, on each rank; *is_new: the change is in it. */
static void check_file(MPI_Comm comm, const char *path, int *is_new)
{
    static double got[FIXED];
    static int filled[RECORDS * ROW];
    int ncid, var, bad = 0;
    *is_new = 0;
    CHECK_NC(ncmpi_open(comm, path, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    if (ncmpi_inq_varid(ncid, "fixed", &var) != NC_NOERR)
        return;
    CHECK_NC(ncmpi_get_var_double_all(ncid, var, got), NC_NOERR);
    for (int i = 0; i < FIXED; i++)
        bad += got[i] != value_of(i);
    CHECK_NC(ncmpi_inq_varid(ncid, "record", &var), NC_NOERR);
    CHECK_NC(ncmpi_get_var_double_all(ncid, var, got), NC_NOERR);
    for (int i = 0; i < RECORDS * ROW; i++)
        bad += got[i] != value_of(100000 + i);
    CHECK_INT(bad, 0);
    *is_new = ncmpi_inq_varid(ncid, "second", &var) == NC_NOERR;
    if (*is_new) {
        CHECK_NC(ncmpi_get_var_int_all(ncid, var, filled), NC_NOERR);
        for (int i = 0; i < RECORDS * ROW; i++)
            bad += filled[i] != NC_FILL_INT;
        CHECK_INT(bad, 0);
    }
    CHECK_INT(ncmpi_inq_attid(ncid, NC_GLOBAL, "history", &var) == NC_NOERR, *is_new);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* ---- bytes of files, by one rank */

static int64_t read_bytes(const char *path, unsigned char *bytes)
{
    int fd = open(path, O_RDONLY);
    int64_t n = fd < 0 ? -1 : read(fd, bytes, MOST);
    if (fd >= 0)
        close(fd);
    return n;
}

static void write_bytes(const char *path, const unsigned char *bytes, int64_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    CHECK(fd >= 0 && write(fd, bytes, (size_t)n) == n, "writing %s", path);
    close(fd);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool is_marked(const char *path)
{
    static unsigned char bytes[MOST];
    return read_bytes(path, bytes) > 4 && bytes[3] == (2 | 0x80);
}

static void copy_file(const char *from, const char *to)
{
    static unsigned char bytes[MOST];
    int64_t n = read_bytes(from, bytes);
    CHECK(n >= 0, "reading %s", from);
    write_bytes(to, bytes, n);
}

/* Leaves `file` with its change stopped at write k of each rank; 0: the change ended before that. */
static int stop_at(MPI_Comm comm, int k)
{
    char fault[40];
    snprintf(fault, sizeof fault, "write:%d+@*", k);
    make_file(comm, file);
    MPI_Info info = hints(fault, NULL);
    int err = change_file(comm, file, info);
    MPI_Info_free(&info);
    return err;
}

/* ---- every write, recovered on as many ranks, fewer and more */

static void recover_everywhere(MPI_Comm maker, MPI_Comm finder)
{
    int stopped = 0, finished = 0, err = NC_EWRITE, before = 0, is_new = 0, ncid;
    bool makes = maker != MPI_COMM_NULL, finds = finder != MPI_COMM_NULL;
    for (int k = 1; err; k++) {
        int bad = 0, says;
        if (makes)
            bad = stop_at(maker, k);
        says = together_all(bad == 0) ? 0 : 1;
        err = says;
        before = is_marked(file);
        MPI_Barrier(MPI_COMM_WORLD);
        if (finds) {
            CHECK(!before || ncmpi_open(finder, file, NC_NOWRITE, MPI_INFO_NULL, &ncid) == NC_ERECOVER,
                  "write %d", k);
            CHECK(!before || strstr(parcdf_last_error(), "parcdf repair"), "write %d: %s", k,
                  parcdf_last_error());
            CHECK_NC(ncmpi_open(finder, file, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
            CHECK_NC(ncmpi_close(ncid), NC_NOERR);
            check_file(finder, file, &is_new);
            CHECK(!before || is_new, "write %d: the file was marked and is as before", k);
            CHECK(!exists(journal), "write %d: the journal stays", k);
        }
        stopped += before;
        finished += !err;
        CHECK(k < 400, "no end of writes");
        MPI_Barrier(MPI_COMM_WORLD);
        if (k >= 400)
            break;
    }
    CHECK(stopped > 5, "only %d places stop between old and new", stopped);
    CHECK_INT(finished, 1);
}

static void other_numbers_of_ranks(void)
{
    MPI_Comm one = my_rank == 0 ? MPI_COMM_SELF : MPI_COMM_NULL;
    recover_everywhere(MPI_COMM_WORLD, MPI_COMM_WORLD);
    if (my_size == 1)
        return;
    recover_everywhere(MPI_COMM_WORLD, one);
    recover_everywhere(one, MPI_COMM_WORLD);
}

/* ---- one rank from here on */

/* Stopped in the middle of moving. */
static void half(void)
{
    CHECK(stop_at(MPI_COMM_SELF, 6) != NC_NOERR, "write 6 comes after the change");
    CHECK(is_marked(file), "write 6 leaves the file unmarked");
    CHECK(exists(journal), "write 6 leaves no journal");
}

static void refused(const char *path, int mode, int want, const char *word)
{
    int ncid;
    CHECK_NC(ncmpi_open(MPI_COMM_SELF, path, mode, MPI_INFO_NULL, &ncid), want);
    CHECK(strstr(parcdf_last_error(), word) != NULL, "\"%s\" does not say \"%s\"", parcdf_last_error(), word);
}

static void repaired(const char *path, int flags, int want, const char *word)
{
    char report[4096];
    CHECK_NC(parcdf_repair(path, flags, report, sizeof report), want);
    CHECK(strstr(report, word) != NULL, "the report does not say \"%s\":\n%s", word, report);
}

/* What was put aside in the folder of the test. */
static void forget_aside(void)
{
    char path[1500];
    const struct dirent *entry;
    DIR *names = opendir(folder);
    while (names && (entry = readdir(names)))
        if (strncmp(entry->d_name, ".parcdf-", 8) == 0) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            unlink(path);
        }
    if (names)
        closedir(names);
}

/* Neither the file nor the journal changes. */
static void unchanged_by(int flags, int want, const char *word)
{
    static unsigned char before[MOST], after[MOST], side[MOST], side_after[MOST];
    int64_t n = read_bytes(file, before), m = read_bytes(journal, side);
    repaired(file, flags, want, word);
    CHECK(read_bytes(file, after) == n && memcmp(before, after, (size_t)n) == 0, "%s: the file changed",
          word);
    CHECK(read_bytes(journal, side_after) == m && (m < 0 || memcmp(side, side_after, (size_t)m) == 0),
          "%s: the journal changed", word);
}

static void lost_journal(void)
{
    int is_new, ncid;
    half();
    unlink(journal);
    refused(file, NC_WRITE, NC_ERECOVER, "parcdf repair");
    refused(file, NC_NOWRITE, NC_ERECOVER, "parcdf repair");
    unchanged_by(0, NC_ERECOVER, "no journal lies beside it");
    unchanged_by(PARCDF_REPAIR_DRY_RUN | PARCDF_REPAIR_FORCE, NC_NOERR, "cannot be known");
    repaired(file, PARCDF_REPAIR_FORCE, NC_NOERR, "mark was taken away");
    CHECK_NC(ncmpi_open(MPI_COMM_SELF, file, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_INT(ncmpi_inq_varid(ncid, "second", &is_new), NC_ENOTVAR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void torn_journal(void)
{
    static unsigned char bytes[MOST];
    half();
    int64_t n = read_bytes(journal, bytes);
    bytes[200] ^= 1;
    write_bytes(journal, bytes, n);
    refused(file, NC_WRITE, NC_ERECOVER, "checksum");
    unchanged_by(0, NC_ERECOVER, "checksum");
    write_bytes(journal, bytes, 40);
    refused(file, NC_WRITE, NC_ERECOVER, "too short");
    repaired(file, PARCDF_REPAIR_FORCE, NC_NOERR, "mark was taken away");
    CHECK(!exists(journal), "the torn journal stays");
}

static void repaired_by_hand(void)
{
    int is_new;
    make_file(MPI_COMM_SELF, file);
    unchanged_by(0, NC_NOERR, "nothing to do");
    half();
    unchanged_by(PARCDF_REPAIR_DRY_RUN, NC_NOERR, "would finish the change");
    unchanged_by(PARCDF_REPAIR_DRY_RUN, NC_NOERR, "rounds of");
    repaired(file, 0, NC_NOERR, "the change is finished");
    check_file(MPI_COMM_SELF, file, &is_new);
    CHECK(is_new && !exists(journal), "new %d", is_new);
    unchanged_by(0, NC_NOERR, "nothing to do");
    CHECK_NC(parcdf_repair(file, 8, NULL, 0), NC_EINVAL);
    CHECK_NC(parcdf_repair("", 0, NULL, 0), NC_EBAD_FILE);
    CHECK_NC(parcdf_repair("/nowhere/at_all.nc", 0, NULL, 0), NC_ENOENT);
}

/* Copied together they belong together; a journal that only lies there does not. */
static void foreign_journal(void)
{
    static unsigned char bytes[MOST];
    int is_new;
    half();
    copy_file(file, other);
    copy_file(journal, other_journal);
    refused(other, NC_WRITE, NC_ERECOVER, "another file");
    repaired(other, 0, NC_ERECOVER, "--force takes the journal");
    repaired(other, PARCDF_REPAIR_FORCE, NC_NOERR, "the change is finished");
    check_file(MPI_COMM_SELF, other, &is_new);
    CHECK(is_new && !exists(other_journal), "new %d", is_new);
    int64_t n = read_bytes(file, bytes);
    bytes[60] ^= 1; /* in the name of a dimension */
    write_bytes(other, bytes, n);
    copy_file(journal, other_journal);
    repaired(other, PARCDF_REPAIR_FORCE, NC_ERECOVER, "copied");
    CHECK(is_marked(other), "a journal of another file was taken");
    unlink(other);
    unlink(other_journal);
    forget_aside();
}

static void journal_without_mark(void)
{
    int ncid, is_new;
    half();
    copy_file(journal, other);
    make_file(MPI_COMM_SELF, file);
    CHECK(!exists(journal), "create leaves a journal");
    copy_file(other, journal);
    CHECK_NC(ncmpi_open(MPI_COMM_SELF, file, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK(exists(journal), "a read-only open removed the journal");
    unchanged_by(PARCDF_REPAIR_DRY_RUN, NC_NOERR, "would rename the journal");
    CHECK_NC(ncmpi_open(MPI_COMM_SELF, file, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK(!exists(journal), "an open for writing left the journal");
    copy_file(other, journal);
    repaired(file, 0, NC_NOERR, "set aside, so that its file finds it");
    CHECK(!exists(journal), "a repair left the journal");
    check_file(MPI_COMM_SELF, file, &is_new);
    CHECK_INT(is_new, 0);
    copy_file(other, journal);
    CHECK_NC(ncmpi_delete(file, MPI_INFO_NULL), NC_NOERR);
    CHECK(!exists(journal), "delete left the journal");
    unlink(other);
    forget_aside();
}

static void opens_for_writing(const char *path)
{
    int ncid;
    CHECK_NC(ncmpi_open(MPI_COMM_SELF, path, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

static void holds(const char *path, int want_new)
{
    int is_new = -1;
    check_file(MPI_COMM_SELF, path, &is_new);
    CHECK(is_new == want_new, "%s: new %d, not %d", path, is_new, want_new);
}

static MPI_Info atomically(void)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_atomic_create", "true");
    return info;
}

/* A script gives the name to another file, in each way that there is; the file that was moved away is
 * finished all the same, and so is a change of the one that has the name now. */
static void name_to_another(int way)
{
    static unsigned char backup[MOST];
    MPI_Info info = way == 2 ? atomically() : MPI_INFO_NULL;
    int ncid;
    make_file(MPI_COMM_SELF, file);
    int64_t n = read_bytes(file, backup);
    half();
    CHECK_INT(rename(file, other), 0);
    if (way == 0) {
        make_file(MPI_COMM_SELF, file);
    } else if (way == 1) {
        write_bytes(file, backup, n);
        opens_for_writing(file);
    } else {
        CHECK_NC(ncmpi_create(MPI_COMM_SELF, file, NC_CLOBBER, info, &ncid), NC_NOERR);
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
        MPI_Info_free(&info);
        write_bytes(file, backup, n);
    }
    holds(file, 0);
    CHECK_NC(change_file(MPI_COMM_SELF, file, MPI_INFO_NULL), NC_NOERR);
    holds(file, 1);
    CHECK(is_marked(other), "way %d: the file that was moved away is not marked any more", way);
    opens_for_writing(other);
    holds(other, 1);
    CHECK(!exists(journal) && !exists(other_journal), "way %d: a journal stays", way);
    unlink(other);
}

static void moved_away(void)
{
    for (int way = 0; way < 3; way++)
        name_to_another(way);
    half(); /* renamed, and nothing has the old name */
    CHECK_INT(rename(file, other), 0);
    opens_for_writing(other);
    holds(other, 1);
    CHECK(!exists(journal), "the journal stays");
    half(); /* another link keeps the file */
    unlink(other);
    CHECK_INT(link(file, other), 0);
    CHECK_NC(ncmpi_delete(file, MPI_INFO_NULL), NC_NOERR);
    opens_for_writing(other);
    holds(other, 1);
    unlink(other);
}

/* Between the looks before and after delete gives a name to another file, or none. */
static void kept_alive(bool renamed)
{
    struct pcdf_leaving leaving;
    half();
    CHECK_NC(pcdf_ownjournal_root_leaving(file, &leaving), NC_NOERR);
    CHECK_INT(renamed ? rename(file, other) : link(file, other), 0);
    unlink(file);
    pcdf_ownjournal_root_left(&leaving, true);
    opens_for_writing(other);
    holds(other, 1);
    CHECK(!exists(journal), "the journal stays");
    unlink(other);
}

/* The name leads to a copy by now: the change, and its journal, go to the file that is open. */
static void copied_while_open(void)
{
    int ncid, is_new;
    make_file(MPI_COMM_SELF, file);
    CHECK_NC(ncmpi_open(MPI_COMM_SELF, file, NC_WRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_INT(rename(file, other), 0);
    copy_file(other, file);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    for (int i = 0; i < 40; i++) {
        char name[16];
        snprintf(name, sizeof name, "a%d", i);
        CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, name, 10, "0123456789"), NC_NOERR);
    }
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    check_file(MPI_COMM_SELF, file, &is_new);
    CHECK_NC(ncmpi_open(MPI_COMM_SELF, other, NC_NOWRITE, MPI_INFO_NULL, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_inq_attid(ncid, NC_GLOBAL, "a39", &is_new), NC_NOERR);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK(!exists(journal), "there is a journal");
    unlink(other);
}

/* cp: the bytes of a backup come over the file, whose inode stays; a copy of what it was needs the journal.
 */
static void copied_over(void)
{
    static unsigned char backup[MOST];
    make_file(MPI_COMM_SELF, other);
    int64_t n = read_bytes(other, backup);
    unlink(other);
    half();
    copy_file(file, other);
    write_bytes(file, backup, n);
    opens_for_writing(file);
    holds(file, 0);
    refused(other, NC_WRITE, NC_ERECOVER, "another file");
    repaired(other, PARCDF_REPAIR_FORCE, NC_NOERR, "the change is finished");
    holds(other, 1);
    unlink(other);
    forget_aside();
}

/* Old and new header are the same for many sectors, and so is that of a backup, which cp writes over the
 * file.
 */
static void copied_over_alike(void)
{
    static unsigned char backup[MOST];
    int ncid, dims[2], var;
    make_file(MPI_COMM_SELF, file);
    CHECK_NC(change_file(MPI_COMM_SELF, file, MPI_INFO_NULL), NC_NOERR);
    int64_t n = read_bytes(file, backup);
    MPI_Info info = hints("write:6+@*", NULL);
    CHECK_NC(ncmpi_open(MPI_COMM_SELF, file, NC_WRITE, info, &ncid), NC_NOERR);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    ncmpi_inq_dimid(ncid, "time", &dims[0]);
    ncmpi_inq_dimid(ncid, "x", &dims[1]);
    CHECK_NC(ncmpi_def_var(ncid, "third", NC_INT, 2, dims, &var), NC_NOERR);
    CHECK(ncmpi_enddef(ncid) != NC_NOERR, "write 6 comes after the change");
    ncmpi_close(ncid);
    MPI_Info_free(&info);
    CHECK(is_marked(file), "write 6 leaves the file unmarked");
    unlink(other);
    copy_file(file, other);
    write_bytes(file, backup, n);
    opens_for_writing(file);
    holds(file, 1);
    repaired(other, PARCDF_REPAIR_FORCE, NC_NOERR, "the change is finished");
    holds(other, 1);
    unlink(other);
    forget_aside();
}

/* While rank 0, which has found the journal, waits for rank 1 in the open, the name gets another file. */
static void moved_meanwhile(void)
{
    static unsigned char backup[MOST], after[MOST];
    int64_t n = 0;
    int ncid, err;
    if (my_rank == 0) {
        make_file(MPI_COMM_SELF, file);
        n = read_bytes(file, backup);
        half();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(&n, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    MPI_Bcast(backup, (int)n, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (my_rank == 1) {
        usleep(300000);
        CHECK_INT(rename(file, other), 0);
        write_bytes(file, backup, n);
    }
    err = ncmpi_open(MPI_COMM_WORLD, file, NC_WRITE, MPI_INFO_NULL, &ncid);
    CHECK(err == NC_ERECOVER || err == NC_NOERR, "%s", ncmpi_strerrno(err)); /* rank 0 may be late */
    if (!err)
        CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    MPI_Barrier(MPI_COMM_WORLD);
    if (my_rank == 0) {
        CHECK(read_bytes(file, after) == n && memcmp(after, backup, (size_t)n) == 0,
              "the other file changed");
        opens_for_writing(other);
        holds(other, 1);
        CHECK(!exists(journal), "the journal stays");
        unlink(other);
        forget_aside();
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void in_another_folder(void)
{
    char deep[1300], moved[1400], report[4096];
    snprintf(deep, sizeof deep, "%s/deep", folder);
    snprintf(moved, sizeof moved, "%s/f.nc", deep);
    CHECK_INT(mkdir(deep, 0777), 0);
    half();
    CHECK_INT(rename(file, moved), 0);
    refused(moved, NC_WRITE, NC_ERECOVER, "not in the file's folder");
    CHECK_NC(parcdf_repair_with(moved, journal, 0, report, sizeof report), NC_NOERR);
    holds(moved, 1);
    CHECK(!exists(journal), "the journal stays");
    half();
    CHECK_NC(parcdf_repair_with(moved, journal, PARCDF_REPAIR_FORCE, report, sizeof report), NC_NOERR);
    CHECK(exists(journal) && is_marked(file), "a whole file took the journal of another");
    repaired(file, 0, NC_NOERR, "the change is finished");
    unlink(moved);
    rmdir(deep);
}

static void held_journal(void)
{
    char who[64];
    int is_new;
    half();
    int fd = open(journal, O_RDWR);
    CHECK(fd >= 0 && flock(fd, LOCK_EX) == 0, "%s cannot be locked", journal);
    snprintf(who, sizeof who, "process %d on ", (int)getpid());
    refused(file, NC_WRITE, NC_EACCESS, who);
    refused(file, NC_NOWRITE, NC_ERECOVER, "parcdf repair");
    unchanged_by(PARCDF_REPAIR_FORCE, NC_EACCESS, "");
    close(fd);
    repaired(file, 0, NC_NOERR, "the change is finished");
    check_file(MPI_COMM_SELF, file, &is_new);
    CHECK_INT(is_new, 1);
}

static void symbolic_link(void)
{
    char link[1400], real[1300], beside[1400];
    int is_new;
    snprintf(link, sizeof link, "%s/link.nc", folder);
    snprintf(real, sizeof real, "%s", file);
    snprintf(beside, sizeof beside, "%s/.link.nc.parcdf-journal", folder);
    make_file(MPI_COMM_SELF, real);
    CHECK_INT(symlink(strrchr(real, '/') + 1, link), 0);
    MPI_Info info = hints("write:6+@*", NULL);
    CHECK(change_file(MPI_COMM_SELF, link, info) != NC_NOERR, "write 6 comes after the change");
    MPI_Info_free(&info);
    CHECK(exists(journal) && !exists(beside), "the journal lies beside the link");
    repaired(link, 0, NC_NOERR, "the change is finished");
    check_file(MPI_COMM_SELF, real, &is_new);
    CHECK(is_new && !exists(journal), "new %d", is_new);
    unlink(link);
}

static void without_journal(void)
{
    int is_new;
    make_file(MPI_COMM_SELF, file);
    MPI_Info info = hints(NULL, "off");
    CHECK_NC(change_file(MPI_COMM_SELF, file, info), NC_NOERR);
    MPI_Info_free(&info);
    check_file(MPI_COMM_SELF, file, &is_new);
    CHECK_INT(is_new, 1);
    make_file(MPI_COMM_SELF, file);
    info = hints("write:6+@*", "off");
    CHECK(change_file(MPI_COMM_SELF, file, info) != NC_NOERR, "write 6 comes after the change");
    MPI_Info_free(&info);
    CHECK(!exists(journal), "pcdf_debug_journal=off keeps a journal");
    refused(file, NC_WRITE, NC_ERECOVER, "parcdf repair");
}

static void locked_folder(void)
{
    static unsigned char before[MOST], after[MOST];
    int is_new;
    make_file(MPI_COMM_SELF, file);
    CHECK_INT(chmod(file, 0666), 0);
    int64_t n = read_bytes(file, before);
    CHECK_NC(change_file_in(MPI_COMM_SELF, file, MPI_INFO_NULL, true), NC_EACCESS);
    CHECK(read_bytes(file, after) == n && memcmp(before, after, (size_t)n) == 0, "the file changed");
    MPI_Info info = hints(NULL, "off");
    CHECK_NC(change_file_in(MPI_COMM_SELF, file, info, true), NC_NOERR);
    MPI_Info_free(&info);
    check_file(MPI_COMM_SELF, file, &is_new);
    CHECK_INT(is_new, 1);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "recovery", 110);
    snprintf(folder, sizeof folder, "%s.d", my_path);
    snprintf(file, sizeof file, "%s/f.nc", folder);
    snprintf(journal, sizeof journal, "%s/.f.nc.parcdf-journal", folder);
    snprintf(other, sizeof other, "%s/g.nc", folder);
    snprintf(other_journal, sizeof other_journal, "%s/.g.nc.parcdf-journal", folder);
    if (my_rank == 0)
        CHECK_INT(mkdir(folder, 0777), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    other_numbers_of_ranks();
    if (my_size > 1)
        moved_meanwhile();
    if (my_rank == 0) {
        repaired_by_hand();
        lost_journal();
        torn_journal();
        foreign_journal();
        journal_without_mark();
        moved_away();
        kept_alive(false);
        kept_alive(true);
        copied_while_open();
        copied_over();
        copied_over_alike();
        in_another_folder();
        held_journal();
        symbolic_link();
        without_journal();
        locked_folder();
        unlink(file);
        CHECK_INT(rmdir(folder), 0); /* nothing is left */
    }
    return together_end("recovery");
}
