/* Fixes who may open the files that the library puts beside a user's (journals, checksums): whoever may open
 * the data, nobody else; that links and files of others under their names are neither followed nor changed
 * and keep nobody from writing; that names of any length have them; that a folder which may not be read is
 * flushed all the same. As root another user is played; any other user skips what needs two. */

#include <fcntl.h>
#include <parcdf.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include "together.h"

enum { N = 4000, NOBODY = 65534, STRANGER = 4242 };

static char folder[1100], file[1400], other[1400];
static int syncs_of_all; /* calls of syncfs */

int syncfs(int fd)
{
    syncs_of_all++;
    return (int)syscall(SYS_syncfs, fd);
}

static char *beside(const char *name, const char *suffix)
{
    static char path[1600];
    snprintf(path, sizeof path, "%s/.%s%s", folder, name, suffix);
    return path;
}

static bool exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

static void be(int user) /* a folder's files may be anybody's */
{
    if (getuid() == 0) {
        CHECK_INT(seteuid(0), 0);
        if (user)
            CHECK_INT(seteuid((uid_t)user), 0);
    }
}

static void put_bytes(const char *path, const char *text, int user)
{
    be(user);
    FILE *f = fopen(path, "w");
    CHECK(f != NULL, "%s cannot be made", path);
    if (f) {
        fputs(text, f);
        fclose(f);
    }
    be(0);
}

static bool holds(const char *path, const char *text)
{
    char got[64] = "";
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    size_t n = fread(got, 1, sizeof got - 1, f);
    fclose(f);
    return n == strlen(text) && strcmp(got, text) == 0;
}

/* ---- files, and changes of them that stop in the middle */

static int make(const char *path, const char *key, const char *value, int mode)
{
    static int values[N];
    int ncid, dim, var;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    for (int i = 0; i < N; i++)
        values[i] = i * 3;
    int err = ncmpi_create(MPI_COMM_SELF, path, NC_CLOBBER, info, &ncid);
    MPI_Info_free(&info);
    if (err)
        return err;
    if (mode)
        CHECK_INT(chmod(path, (mode_t)mode), 0);
    CHECK_NC(ncmpi_def_dim(ncid, "x", N, &dim), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v", NC_INT, 1, &dim, &var), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_var_int_all(ncid, var, values), NC_NOERR);
    return ncmpi_close(ncid);
}

/* A redef that moves the data; with `fault` it dies in the middle and leaves its journal. */
static int change(const char *path, const char *fault)
{
    static char text[3000];
    int ncid;
    MPI_Info info;
    memset(text, 'h', sizeof text);
    MPI_Info_create(&info);
    MPI_Info_set(info, "nc_data_move_chunk_size", "1024");
    if (fault)
        MPI_Info_set(info, "pcdf_fault", fault);
    int err = ncmpi_open(MPI_COMM_SELF, path, NC_WRITE, info, &ncid);
    MPI_Info_free(&info);
    if (err)
        return err;
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "history", sizeof text, text), NC_NOERR);
    err = ncmpi_enddef(ncid);
    if (err == NC_EACCESS) /* it stays in define mode */
        ncmpi_abort(ncid);
    else
        ncmpi_close(ncid);
    return err;
}

static void stop_change(const char *path)
{
    CHECK(change(path, "write:3+@*") != NC_NOERR, "write 3 comes after the change");
}

static void is_whole(const char *path, int omode)
{
    static int got[N];
    int ncid, bad = 0;
    CHECK_NC(ncmpi_open(MPI_COMM_SELF, path, omode, MPI_INFO_NULL, &ncid), NC_NOERR);
    if (ncid < 0)
        return;
    CHECK_NC(ncmpi_get_var_int_all(ncid, 0, got), NC_NOERR);
    for (int i = 0; i < N; i++)
        bad += got[i] != i * 3;
    CHECK(bad == 0, "%s: %d values are wrong", path, bad);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
}

/* ---- the promises */

static void modes(void)
{
    static const int most[] = { 0600, 0640, 0644 };
    struct stat st = { 0 };
    for (int i = 0; i < 3; i++) {
        CHECK_NC(make(file, "pcdf_checksum", "crc32c", 0), NC_NOERR);
        CHECK_INT(chmod(file, (mode_t)most[i]), 0);
        if (getuid() == 0)
            CHECK_INT(chown(file, NOBODY, NOBODY), 0);
        stop_change(file);
        CHECK(stat(beside("f.nc", ".parcdf-journal"), &st) == 0, "no journal");
        CHECK(st.st_uid == (getuid() ? getuid() : NOBODY), "the journal is user %d's", (int)st.st_uid);
        CHECK((int)(st.st_mode & 0777) == most[i], "data %o, journal %o", most[i], st.st_mode & 0777);
        is_whole(file, NC_WRITE);
        unlink(file);
        unlink(beside("f.nc", ".parcdf-sums"));
    }
    CHECK_NC(make(file, "pcdf_checksum", "crc32c", 0600), NC_NOERR);
    unlink(beside("f.nc", ".parcdf-sums"));
    MPI_Info info;
    int ncid;
    MPI_Info_create(&info);
    MPI_Info_set(info, "pcdf_checksum", "crc32c");
    CHECK_NC(ncmpi_open(MPI_COMM_SELF, file, NC_WRITE, info, &ncid), NC_NOERR);
    MPI_Info_free(&info);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK(stat(beside("f.nc", ".parcdf-sums"), &st) == 0 && (st.st_mode & 077) == 0, "data 600, sums %o",
          st.st_mode & 0777);
}

/* A link of either kind under the journal's name leads to what is not ours to empty. */
static void links(void)
{
    const char *name = beside("f.nc", ".parcdf-journal");
    for (int hard = 0; hard < 2; hard++) {
        CHECK_NC(make(file, "pcdf_debug_journal", "auto", 0), NC_NOERR);
        put_bytes(other, "precious", 0);
        CHECK_INT(hard ? link(other, name) : symlink(other, name), 0);
        CHECK_NC(change(file, NULL), NC_NOERR);
        CHECK(holds(other, "precious"), "%s link: what it leads to was changed", hard ? "hard" : "symbolic");
        CHECK(exists(name), "the link was removed");
        CHECK_NC(make(file, "pcdf_debug_journal", "auto", 0), NC_NOERR);
        stop_change(file);
        CHECK(holds(other, "precious"), "%s link: what it leads to was changed", hard ? "hard" : "symbolic");
        is_whole(file, NC_WRITE);
        unlink(name);
    }
    unlink(other);
}

/* As in /tmp: anybody may make files, nobody may remove those of others. */
static void strangers(void)
{
    static const char *const suffixes[] = { ".parcdf-journal", ".parcdf-sums" };
    if (getuid() != 0)
        return;
    unlink(file);
    CHECK_INT(chmod(folder, 01777), 0);
    for (int i = 0; i < 2; i++)
        put_bytes(beside("f.nc", suffixes[i]), "foreign", STRANGER);
    be(NOBODY);
    CHECK_NC(make(file, "pcdf_checksum", "crc32c", 0), NC_NOERR);
    CHECK_NC(change(file, NULL), NC_NOERR);
    is_whole(file, NC_NOWRITE);
    CHECK_NC(make(file, "pcdf_checksum", "crc32c", 0), NC_NOERR);
    stop_change(file);
    is_whole(file, NC_WRITE);
    CHECK(!exists(beside("f.nc", ".1.parcdf-journal")), "the journal stayed");
    CHECK_NC(ncmpi_delete(file, MPI_INFO_NULL), NC_NOERR);
    be(0);
    for (int i = 0; i < 2; i++) {
        CHECK(holds(beside("f.nc", suffixes[i]), "foreign"), "%s of a stranger was changed", suffixes[i]);
        unlink(beside("f.nc", suffixes[i]));
    }
    CHECK_INT(chmod(folder, 0777), 0);
}

/* Names of 240 to 255 bytes leave no room for what goes around them. */
static void long_names(void)
{
    char name[256], path[1400];
    for (int n = 239; n <= 255; n += 8) {
        memset(name, 'n', sizeof name);
        name[n] = '\0';
        snprintf(path, sizeof path, "%s/%s", folder, name);
        CHECK_NC(make(path, "pcdf_checksum", "crc32c", 0), NC_NOERR);
        CHECK_NC(change(path, NULL), NC_NOERR);
        is_whole(path, NC_NOWRITE);
        unlink(path);
        CHECK_NC(make(path, "pcdf_checksum", "crc32c", 0), NC_NOERR);
        stop_change(path);
        is_whole(path, NC_WRITE);
        CHECK_NC(ncmpi_delete(path, MPI_INFO_NULL), NC_NOERR);
    }
}

static void unreadable_folder(void)
{
    CHECK_INT(chmod(folder, 0333), 0);
    be(NOBODY);
    syncs_of_all = 0;
    CHECK_NC(make(file, "pcdf_commit", "close", 0), NC_NOERR);
    CHECK(syncs_of_all > 0, "the name of a new file was not flushed");
    syncs_of_all = 0;
    CHECK_NC(change(file, NULL), NC_NOERR);
    CHECK(syncs_of_all > 0, "the name of a journal was not flushed");
    is_whole(file, NC_NOWRITE);
    unlink(file);
    be(0);
    CHECK_INT(chmod(folder, 0777), 0);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "side_files", 60);
    umask(022);
    snprintf(folder, sizeof folder, "%s.d", my_path);
    snprintf(file, sizeof file, "%s/f.nc", folder);
    snprintf(other, sizeof other, "%s/precious", folder);
    CHECK_INT(mkdir(folder, 0777), 0);
    CHECK_INT(chmod(folder, 0777), 0);
    modes();
    unlink(file);
    unlink(beside("f.nc", ".parcdf-sums"));
    links();
    strangers();
    unlink(file);
    long_names();
    unreadable_folder();
    CHECK(rmdir(folder) == 0, "%s is not empty", folder);
    return together_end("side_files");
}
