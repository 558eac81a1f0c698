/* Fixes which storage `auto` is, and what posix does besides moving bytes: MPI-IO for hints that ask for it,
 * for prefixes, and where any rank has the file elsewhere than in a file system of its machine; posix
 * otherwise. The stripes that Lustre tells of a file come through. With posix rank 0 alone makes the file,
 * who wrote nothing syncs nothing, a failed sync stays failed. The system's statfs, fstatfs, getxattr, fsync
 * and open are this program's own. */

#include "storagetest.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

static struct {
    uint32_t type; /* of every file system; 0: the true one */
    const unsigned char *layout;
    ssize_t layout_bytes;
    int syncs, sync_errno, creates;
} fake;

int statfs(const char *path, struct statfs *fs)
{
    int err = (int)syscall(SYS_statfs, path, fs);
    if (fake.type)
        fs->f_type = fake.type;
    return err;
}

int fstatfs(int fd, struct statfs *fs)
{
    int err = (int)syscall(SYS_fstatfs, fd, fs);
    if (fake.type)
        fs->f_type = fake.type;
    return err;
}

ssize_t getxattr(const char *path, const char *name, void *value, size_t room)
{
    if (!fake.layout || strcmp(name, "lustre.lov") != 0)
        return (ssize_t)syscall(SYS_getxattr, path, name, value, room);
    if (fake.layout_bytes > 0)
        memcpy(value, fake.layout, (size_t)fake.layout_bytes < room ? (size_t)fake.layout_bytes : room);
    return fake.layout_bytes;
}

int fsync(int fd)
{
    fake.syncs++;
    errno = fake.sync_errno;
    return fake.sync_errno ? -1 : (int)syscall(SYS_fsync, fd);
}

int open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
        fake.creates += strstr(path, "storage_choice") != NULL;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

enum { EXT = 0xef53, TMPFS = 0x01021994, NFS = 0x6969, LUSTRE = 0x0bd00bd0, FUSE = 0x65735546 };

static const char *chosen(const char *path, const char *name, const char *value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    if (name)
        MPI_Info_set(info, name, value);
    const char *engine = pcdf_storage_root_choose("auto", path, info);
    MPI_Info_free(&info);
    return engine;
}

static void rules(void)
{
    static const struct {
        uint32_t type;
        const char *prefix, *name, *value, *want;
    } rows[] = {
        { EXT, "", NULL, NULL, "auto" },
        { TMPFS, "", NULL, NULL, "auto" },
        { NFS, "", NULL, NULL, "mpiio" },
        { LUSTRE, "", NULL, NULL, "mpiio" },
        { FUSE, "", NULL, NULL, "mpiio" },
        { EXT, "ufs:", NULL, NULL, "mpiio" },
        { EXT, "", "cb_nodes", "2", "auto" },
        { EXT, "", "striping_factor", "4", "auto" },
        { EXT, "", "romio_no_indep_rw", "true", "auto" },
        { NFS, "", "cb_nodes", "2", "mpiio" },
        { EXT, "", "pcdf_comit", "none", "auto" },
        { EXT, "", "no_such_hint", "1", "auto" },
        { EXT, "", "file_striping", "inherit", "auto" },
        { NFS, "", "no_such_hint", "1", "mpiio" },
        { EXT, "", "romio_ds_write", "disable", "auto" },
        { EXT, "", "pcdf_debug_stage_size", "65536", "auto" },
        { EXT, "", "nc_var_align_size", "4", "auto" },
        { EXT, "", "nc_driver", "gio", "auto" },
        { EXT, "", "nc_driver", "mpiio", "mpiio" },
        { EXT, "", "pcdf_debug_strategy", "two-phase", "auto" },
        { EXT, "", "pcdf_debug_strategy", "views", "mpiio" },
        { EXT, "", "pcdf_debug_strategy", "views", "mpiio" },
    };
    char path[4096];

    test_fresh("auto", test_path("storage_choice.rules"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake.type = rows[i].type;
        snprintf(path, sizeof path, "%s%s", rows[i].prefix, test_path("storage_choice.rules"));
        CHECK(!strcmp(chosen(path, rows[i].name, rows[i].value), rows[i].want), "row %zu is not %s", i,
              rows[i].want);
    }
    fake.type = EXT;
    setenv("ROMIO_HINTS", "/nowhere", 1);
    CHECK(!strcmp(chosen(path, NULL, NULL), "auto"), "ROMIO_HINTS selects MPI-IO");
    unsetenv("ROMIO_HINTS");
    CHECK(!strcmp(pcdf_storage_root_choose("auto", path, MPI_INFO_NULL), "auto"), "no hints at all");
    fake.type = 0;
    CHECK(!strcmp(chosen(test_path("nowhere/x"), NULL, NULL), "mpiio"), "a file that is not there");
    test_remove("auto", test_path("storage_choice.rules"));
}

/* Opened, written together, read by rank 0; the name of the storage that it became. */
static const char *storage_of(const char *engine, const char *path, enum pcdf_storage_mode mode)
{
    struct pcdf_sharedfile_config c = test_config(engine, path, mode);
    struct pcdf_sharedfile *e = NULL;
    struct test_pieces p = test_make(PCDF_PUT, 20, test_rank * 8, 8, 8 * (int64_t)test_ranks, 0, 1);
    struct test_pieces all = test_make(PCDF_GET, 1, 0, 160 * (int64_t)test_ranks, 0, 0, 1);
    const char *name = "none";

    CHECK_INT(pcdf_sharedfile_open_all(&c, &e), NC_NOERR);
    if (e) {
        name = e->kind->name;
        if (mode != PCDF_STORAGE_READ)
            CHECK_INT(test_move(e, 1, &p.x, NULL), NC_NOERR);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_INT(test_move(e, 0, &all.x, NULL), NC_NOERR);
        CHECK_INT(test_wrong(&all, 1), 0);
        CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    }
    test_free(&all);
    test_free(&p);
    return name;
}

static void everywhere(void)
{
    char path[4096];

    snprintf(path, sizeof path, "%s", test_path("storage_choice.where"));
    for (int mode = PCDF_STORAGE_CREATE; mode <= PCDF_STORAGE_READ; mode++)
        for (int odd = -1; odd < test_ranks; odd++) { /* one rank sees it elsewhere, or none */
            if (mode == PCDF_STORAGE_CREATE)
                test_fresh("auto", path);
            fake.type = odd == test_rank ? NFS : TMPFS;
            CHECK(
                !strcmp(storage_of("auto", path, (enum pcdf_storage_mode)mode), odd < 0 ? "posix" : "mpiio"),
                "mode %d, rank %d has it on NFS", mode, odd);
            fake.type = NFS;
            CHECK(!strcmp(storage_of("posix", path, PCDF_STORAGE_READ), "posix"), "who names one gets it");
        }
    fake.type = 0;
    test_remove("auto", path);
}

static void told(const char *engine)
{
    static const unsigned char no_layout[32], v1[32] = { 0xd0, 0x0b, 0xd1, 0x0b, [26] = 2, [28] = 5 };
    char path[4096], value[MPI_MAX_INFO_VAL + 1] = "";
    struct pcdf_sharedfile *e = NULL;
    struct pcdf_sharedfile_config c;
    MPI_Info info;
    int found = 0;

    snprintf(path, sizeof path, "%s", test_path("storage_choice.told"));
    test_fresh(engine, path);
    c = test_config(engine, path, PCDF_STORAGE_CREATE);
    fake.type = LUSTRE;
    fake.layout_bytes = sizeof v1;
    fake.layout = test_rank ? no_layout : v1; /* rank 0 alone asks, and all know */
    CHECK_INT(pcdf_sharedfile_open_all(&c, &e), NC_NOERR);
    if (!e)
        return;
    CHECK_INT(e->stripes.n, 1);
    CHECK_INT(e->stripes.are_locked, 1);
    CHECK_INT(e->stripes.piece[0].bytes, 131072);
    CHECK_INT(e->stripes.piece[0].count, 5);
    fake.layout = v1;
    CHECK_INT(pcdf_sharedfile_info(e, &info), NC_NOERR);
    fake.layout = NULL;
    fake.type = 0;
    MPI_Info_get(info, "striping_unit", MPI_MAX_INFO_VAL, value, &found);
    CHECK(found && !strcmp(value, "131072"), "%s: striping_unit is \"%s\"", engine, value);
    MPI_Info_get(info, "striping_factor", MPI_MAX_INFO_VAL, value, &found);
    CHECK(found && !strcmp(value, "5"), "%s: striping_factor is \"%s\"", engine, value);
    MPI_Info_free(&info);
    CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    test_remove(engine, path);
}

/* What the file system does not tell, hints may: but they say nothing of locks. */
static void hinted(void)
{
    struct pcdf_sharedfile *e = NULL;
    struct pcdf_sharedfile_config c =
        test_config("memory", test_path("storage_choice.hinted"), PCDF_STORAGE_CREATE);
    if (test_ranks > 1)
        c = test_config("posix", test_path("storage_choice.hinted"), PCDF_STORAGE_CREATE);
    test_fresh("posix", c.file.path);
    MPI_Info_create(&c.info);
    MPI_Info_set(c.info, "striping_unit", "262144");
    MPI_Info_set(c.info, "striping_factor", "3");
    MPI_Info_set(c.info, "cb_nodes", "7");
    CHECK_INT(pcdf_sharedfile_open_all(&c, &e), NC_NOERR);
    if (e) {
        CHECK_INT(e->stripes.piece[0].bytes, 262144);
        CHECK_INT(e->stripes.piece[0].count, 3);
        CHECK_INT(e->twophase.proposal.total, 7);
        CHECK_INT(e->stripes.are_locked, 0);
        CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    }
    MPI_Info_free(&c.info);
    test_remove("posix", c.file.path);
}

static void syncs(struct pcdf_sharedfile *e)
{
    struct test_pieces p = test_make(PCDF_PUT, 1, test_rank * 100, 100, 0, 0, 1);
    int last = test_rank == test_ranks - 1;

    CHECK_INT(pcdf_storage_sync(e->storage, true), NC_NOERR);
    CHECK_INT(fake.syncs, test_rank == 0); /* it made the file */
    if (last)
        CHECK_INT(test_move(e, 0, &p.x, NULL), NC_NOERR);
    CHECK_INT(pcdf_storage_sync(e->storage, true), NC_NOERR);
    CHECK_INT(pcdf_storage_sync(e->storage, false), NC_NOERR);
    CHECK_INT(fake.syncs, (test_rank == 0) + last);
    CHECK_INT(pcdf_sharedfile_resize_all(e, 50000), NC_NOERR);
    CHECK_INT(test_move(e, 0, &p.x, NULL), NC_NOERR);
    fake.sync_errno = last ? EIO : 0;
    CHECK_INT(pcdf_storage_sync(e->storage, true), last ? NC_EWRITE : NC_NOERR);
    fake.sync_errno = 0;
    CHECK_INT(pcdf_storage_sync(e->storage, true), last ? NC_EWRITE : NC_NOERR);
    CHECK_INT(pcdf_storage_sync(e->storage, false), last ? NC_EWRITE : NC_NOERR);
    test_free(&p);
}

static void file_as_a_whole(void)
{
    char path[4096], later[4096];
    struct pcdf_sharedfile *e = NULL;
    struct pcdf_sharedfile_config c;

    snprintf(path, sizeof path, "%s", test_path("storage_choice.whole"));
    snprintf(later, sizeof later, "%s", test_path("storage_choice.later"));
    c = test_config("posix", path, PCDF_STORAGE_CREATE);
    c.file.is_maker = c.file.is_exclusive = true;
    c.file.later_path = later;
    memset(&fake, 0, sizeof fake);
    CHECK_INT(pcdf_sharedfile_open_all(&c, &e), NC_NOERR);
    CHECK_INT(fake.creates, test_rank == 0);
    if (e) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (test_rank == 0)
            CHECK_INT(rename(path, later), 0);
        pcdf_sharedfile_rename(e);
        syncs(e);
        CHECK(strstr(pcdf_fail_text(), ".later") || test_rank != test_ranks - 1,
              "the sentence \"%s\" names the old path", pcdf_fail_text());
        CHECK_INT(pcdf_sharedfile_close_all(e), NC_NOERR);
    }
    c.file.path = later;
    c.file.later_path = NULL;
    e = NULL;
    CHECK_INT(pcdf_sharedfile_open_all(&c, &e), NC_EEXIST);
    CHECK(!e, "a storage on a name that was to be free");
    test_remove("posix", later);
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    rules();
    everywhere();
    hinted();
    told("mpiio");
    told("posix");
    file_as_a_whole();
    return test_end("storage_choice");
}
