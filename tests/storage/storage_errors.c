/* Failures of the system come back with their codes: names that do not exist, cannot be opened, are too long
 * or are directories, on one rank or all; and a write behind a limit of the file size is never a success, on
 * any storage. A rank that sees a resize late (NFS) does not take that for a write that failed, but it does
 * where its own bytes are missing. */

#include "storagetest.h"
#include <signal.h>
#include <sys/resource.h>

static MPI_Offset seen_size = -1; /* what this rank is told of the size; -1: the truth */

int MPI_File_get_size(MPI_File file, MPI_Offset *size)
{
    int err = PMPI_File_get_size(file, size);
    if (!err && seen_size >= 0)
        *size = seen_size;
    return err;
}

static int open_code(const char *engine, const char *path, enum pcdf_storage_mode mode)
{
    struct pcdf_sharedfile_config c = test_config(engine, path, mode);
    struct pcdf_sharedfile *e = NULL;
    int err = pcdf_sharedfile_open_all(&c, &e);

    if (e)
        pcdf_sharedfile_close_all(e);
    return err;
}

static void root_functions(void)
{
    char path[4096], link[4096], long_name[400];
    struct stat st;
    bool is_new, is_free;

    snprintf(path, sizeof path, "%s", test_path("storage_errors.root"));
    snprintf(link, sizeof link, "%s", test_path("storage_errors.link"));
    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    for (int makes = 0; makes < 2; makes++) {
        CHECK_INT(pcdf_file_root_make("", makes, &is_new), NC_EBAD_FILE);
        CHECK_INT(pcdf_file_root_make(NULL, makes, &is_new), NC_EBAD_FILE);
        CHECK_INT(pcdf_file_root_make("ufs:", makes, &is_new), NC_EBAD_FILE);
        CHECK_INT(pcdf_file_root_make(test_path(long_name), makes, &is_new), NC_EBAD_FILE);
        CHECK_INT(pcdf_file_root_make(test_dir, makes, &is_new), NC_NOERR);
        CHECK(!is_new, "a directory is a free name");
    }
    CHECK_INT(pcdf_file_root_make(test_path("nowhere/x"), true, &is_new), NC_ENOENT);
    CHECK_INT(pcdf_file_root_replace(test_dir, true, &is_free, &(struct pcdf_fileid){ 0 }), NC_EBAD_FILE);
    CHECK_INT(pcdf_file_root_probe(test_dir, 0), NC_EBAD_FILE);
    CHECK_INT(pcdf_file_root_probe(path, 0), NC_ENOENT);
    CHECK_INT(pcdf_file_root_remove(path), NC_ENOENT);
    CHECK_INT(pcdf_file_root_make(path, false, &is_new), NC_NOERR);
    CHECK(is_new && access(path, F_OK), "a look made the file");
    for (int again = 0; again < 2; again++) {
        CHECK_INT(pcdf_file_root_make(path, true, &is_new), NC_NOERR);
        CHECK_INT(is_new, !again);
    }
    CHECK_INT(pcdf_file_root_probe(path, 1), NC_NOERR);
    CHECK_INT(symlink(realpath(path, NULL), link), 0);
    CHECK_INT(truncate(path, 10), 0);
    CHECK_INT(pcdf_file_root_make(link, true, &is_new), NC_NOERR);
    CHECK(!is_new, "a link is a free name");
    CHECK_INT(pcdf_file_root_replace(link, false, &is_free, &(struct pcdf_fileid){ 0 }), NC_NOERR);
    CHECK(!lstat(link, &st) && S_ISLNK(st.st_mode), "create replaced a link");
    CHECK(!stat(path, &st) && st.st_size == 0, "create through a link did not empty the file");
    CHECK_INT(pcdf_file_root_remove(link), NC_NOERR);
    if (geteuid()) {
        CHECK_INT(chmod(path, 0), 0);
        CHECK_INT(pcdf_file_root_probe(path, 0), NC_EACCESS);
    }
    CHECK_INT(pcdf_file_root_replace(path, false, &is_free, &(struct pcdf_fileid){ 0 }), NC_NOERR);
    CHECK(is_free && access(path, F_OK), "a name that MPI is to use is not free");
    CHECK_INT(pcdf_file_root_replace(path, true, &is_free, &(struct pcdf_fileid){ 0 }), NC_NOERR);
    CHECK_INT(is_free, false);
    CHECK_INT(pcdf_file_root_remove(path), NC_NOERR);
    CHECK(!strcmp(pcdf_path_posix("lustre:/a:b"), "/a:b"), "a prefix stays");
    CHECK(!strcmp(pcdf_path_posix("/ufs:b"), "/ufs:b"), "a name is cut");
}

static void opens(const char *engine)
{
    char missing[4096], there[4096];

    snprintf(missing, sizeof missing, "%s", test_path("nowhere/x"));
    snprintf(there, sizeof there, "%s", test_path("storage_errors.nc"));
    CHECK_INT(open_code(engine, missing, PCDF_STORAGE_READ), NC_ENOENT);
    CHECK_INT(open_code(engine, missing, PCDF_STORAGE_WRITE), NC_ENOENT);
    CHECK_INT(open_code(engine, missing, PCDF_STORAGE_CREATE), NC_ENOENT);
    test_fresh(engine, there);
    if (test_ranks > 1) /* one rank only: all fail, none hangs */
        for (int bad = 0; bad < test_ranks; bad++)
            CHECK_INT(open_code(engine, bad == test_rank ? missing : there, PCDF_STORAGE_WRITE), NC_ENOENT);
    CHECK_INT(open_code("nonsense", there, PCDF_STORAGE_WRITE), NC_EDRIVER);
    test_remove(engine, there);
}

static void limited(const char *engine, int together, size_t n)
{
    char path[4096];
    struct pcdf_sharedfile *e = NULL;
    struct pcdf_sharedfile_config c;
    struct rlimit old, small;
    int err, worst, mine;
    int64_t size = -1;

    snprintf(path, sizeof path, "%s", test_path("storage_errors.nc"));
    c = test_config(engine, path, PCDF_STORAGE_CREATE);
    test_fresh(engine, path);
    CHECK_INT(pcdf_sharedfile_open_all(&c, &e), NC_NOERR);
    if (!e)
        return;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 100000;
    setrlimit(RLIMIT_FSIZE, &small);
    struct test_pieces p =
        test_make(PCDF_PUT, n, 99000 + test_rank * 2000, 2000, 3000 * (int64_t)test_ranks, 0, 1);
    err = test_move(e, together, &p.x, NULL);
    pcdf_first(&err, pcdf_storage_sync(e->storage, true));
    setrlimit(RLIMIT_FSIZE, &old);
    CHECK_INT(pcdf_storage_size(e->storage, &size), NC_NOERR);
    CHECK(size <= 100000, "the limit had no effect");
    mine = -err;
    MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(worst != 0, "%s, together %d, %zu pieces: a failed write is a success", engine, together, n);
    if (!together)
        CHECK(err == NC_EWRITE, "%s: rank %d got %d, not NC_EWRITE", engine, test_rank, err);
    pcdf_sharedfile_close_all(e);
    test_free(&p);
    test_remove(engine, path);
}

static void size_seen_late(void)
{
    char path[4096], byte = 'x';
    struct pcdf_sharedfile *e = NULL;

    snprintf(path, sizeof path, "%s", test_path("storage_errors.nc"));
    struct pcdf_sharedfile_config c = test_config("mpiio", path, PCDF_STORAGE_CREATE);
    test_fresh("mpiio", path);
    CHECK_INT(pcdf_sharedfile_open_all(&c, &e), NC_NOERR);
    if (!e)
        return;
    CHECK_INT(pcdf_sharedfile_resize_all(e, 100000), NC_NOERR);
    seen_size = 0;
    CHECK_INT(pcdf_storage_sync(e->storage, true), NC_NOERR);
    CHECK_INT(pcdf_storage_move_at(e->storage, PCDF_PUT, &byte, 1, 10 + test_rank, NULL), NC_NOERR);
    CHECK_INT(pcdf_storage_sync(e->storage, true), NC_EWRITE);
    seen_size = 10 + test_ranks;
    CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    seen_size = -1;
    test_remove("mpiio", path);
}

int main(int argc, char **argv)
{
    static const char *const storages[] = { "mpiio", "posix" };

    test_start(&argc, &argv);
    signal(SIGXFSZ, SIG_IGN);
    if (test_rank == 0)
        root_functions();
    size_seen_late();
    for (int i = 0; i < 2; i++) {
        opens(storages[i]);
        for (size_t n = 1; n < 40; n += 9)
            for (int together = 0; together < 2; together++)
                limited(storages[i], together, n);
    }
    return test_end("storage_errors");
}
