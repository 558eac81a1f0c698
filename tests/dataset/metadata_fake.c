/* What the definitions of an open file do where a real file cannot easily go: a handle that is stale or wrong
 * is NC_EBADID; each allocation that fails gives NC_ENOMEM and changes nothing; a change in data mode reaches
 * the file, with zeros where the header became shorter; storage that fails
 * stays failed. The files here are structs with a storage that keeps or refuses one piece. One process. */
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdlib.h>
#include "equalmeta.h"
#include "alloc.h"
#include "check.h"
#include "dataset.h"
#include "decode.h"
#include "encode.h"
#include "change.h"
#include "status.h"

/* ---- a storage that keeps what is written at the start */

enum { DISK_SIZE = 4096 };

struct disk {
    struct pcdf_storage storage;
    struct pcdf_sharedfile file;
    unsigned char bytes[DISK_SIZE];
    int64_t length;
    int writes, refuse;
};

static int disk_put(struct pcdf_storage *s, const struct pcdf_extents *x, int64_t *got)
{
    struct disk *disk = (struct disk *)s;
    const struct pcdf_piece *pieces = x->pieces;
    (void)got;
    disk->writes++;
    CHECK_INT(x->dir, PCDF_PUT);
    CHECK_INT(x->n, 1);
    if (disk->refuse)
        return pcdf_fail(disk->refuse, "the disk refuses");
    int64_t end = pieces->offset + pieces->length;
    CHECK(end <= DISK_SIZE, "a piece ends at %lld", (long long)end);
    if (end <= DISK_SIZE)
        memcpy(disk->bytes + pieces->offset, pieces->data, (size_t)pieces->length);
    if (end > disk->length)
        disk->length = end;
    return NC_NOERR;
}

static const struct pcdf_storage_ops disk_ops = { .name = "disk", .move = disk_put };

/* ---- a file in memory */

static char fake_path[] = "fake.nc";

static struct pcdf_dataset *fake(struct disk *disk, enum pcdf_version version)
{
    struct pcdf_dataset *ds = calloc(1, sizeof *ds);
    int ncid;
    memset(disk, 0, sizeof *disk);
    disk->storage.ops = &disk_ops;
    disk->storage.counts = &ds->counts;
    disk->file.storage = &disk->storage;
    ds->path = fake_path;
    ds->ranks = (struct pcdf_ranks){ .comm = MPI_COMM_SELF, .rank = 0, .size = 1 };
    ds->io = &disk->file;
    ds->mode = PCDF_MODE_DEFINE;
    pcdf_meta_init(&ds->meta, version);
    CHECK_INT(pcdf_dataset_adopt(ds, &ncid), NC_NOERR);
    return ds;
}

static void drop(struct pcdf_dataset *ds)
{
    pcdf_dataset_release(ds->ncid);
    pcdf_meta_free(&ds->meta);
    pcdf_layout_free(&ds->layout);
    free(ds);
}

/* A record dimension, a fixed one, two variables, attributes of both kinds. */
static void define(struct pcdf_dataset *ds)
{
    int numbers[3] = { 1, 2, 3 }, t, x, ids[2], v;
    CHECK_INT(ncmpi_def_dim(ds->ncid, "time", NC_UNLIMITED, &t), NC_NOERR);
    CHECK_INT(ncmpi_def_dim(ds->ncid, "x", 4, &x), NC_NOERR);
    ids[0] = t, ids[1] = x;
    CHECK_INT(ncmpi_def_var(ds->ncid, "wind", NC_INT, 2, ids, &v), NC_NOERR);
    CHECK_INT(ncmpi_def_var(ds->ncid, "mask", NC_BYTE, 1, ids + 1, NULL), NC_NOERR);
    CHECK_INT(ncmpi_put_att_text(ds->ncid, v, "units", 5, "m s-1"), NC_NOERR);
    CHECK_INT(ncmpi_put_att_int(ds->ncid, NC_GLOBAL, "numbers", NC_INT, 3, numbers), NC_NOERR);
    CHECK_INT(ncmpi_put_att_text(ds->ncid, NC_GLOBAL, "title", 9, "something"), NC_NOERR);
}

/* What enddef does, as far as it matters here. */
static void enter_data_mode(struct pcdf_dataset *ds)
{
    struct pcdf_alignment none = { 0 };
    CHECK_INT(pcdf_layout_build(&ds->layout, &ds->meta, NULL, &none), NC_NOERR);
    ds->mode = PCDF_MODE_COLLECTIVE;
    if (ds->ranks.rank != 0)
        return;
    struct pcdf_header_bytes header;
    CHECK_INT(pcdf_header_encode(&ds->meta, &ds->layout, &header), NC_NOERR);
    CHECK_INT(pcdf_change_root_header(ds, &header, NULL, NULL), NC_NOERR);
    pcdf_free(header.bytes);
}

/* ---- handles */

static void check_handles(void)
{
    static struct pcdf_dataset many[NC_MAX_NFILES + 1];
    static int ids[NC_MAX_NFILES];
    int ncid = -5, n;
    const int bad[] = { -1, 0, 5, NC_MAX_NFILES, 0x7fffffff, -0x7fffffff - 1 };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(ncmpi_inq_ndims(bad[i], &n) == NC_EBADID, "ncid %d with no file open", bad[i]);
    for (int i = 0; i < NC_MAX_NFILES; i++) {
        CHECK_INT(pcdf_dataset_adopt(&many[i], &ncid), NC_NOERR);
        CHECK_INT(ncid, i);
    }
    CHECK_INT(pcdf_dataset_adopt(&many[NC_MAX_NFILES], &ncid), NC_ENFILE);
    CHECK_INT(ncid, NC_MAX_NFILES - 1);
    CHECK_INT(ncmpi_inq_files_opened(&n, ids), NC_NOERR);
    CHECK_INT(n, NC_MAX_NFILES);
    CHECK_INT(ids[NC_MAX_NFILES - 1], NC_MAX_NFILES - 1);

    pcdf_dataset_release(7); /* stale from here on, with other files open */
    pcdf_dataset_release(3);
    CHECK_INT(ncmpi_inq_ndims(7, &n), NC_EBADID);
    CHECK_INT(ncmpi_def_dim(7, NULL, -1, NULL), NC_EBADID);
    CHECK_INT(pcdf_dataset_adopt(&many[NC_MAX_NFILES], &ncid), NC_NOERR);
    CHECK_INT(ncid, 3); /* the lowest free one */
    for (int i = -1; i <= NC_MAX_NFILES; i++)
        pcdf_dataset_release(i);
    CHECK_INT(ncmpi_inq_files_opened(&n, NULL), NC_NOERR);
    CHECK_INT(n, 0);
    CHECK_INT(ncmpi_inq_files_opened(NULL, ids), NC_EINVAL);
}

/* ---- allocations that fail */

static const char long_text[] = "a text that is longer than all that was there before";

/* Calls that succeed when there is memory. */
static int change(struct pcdf_dataset *ds, int which)
{
    int x = 1, v = 0;
    double d[2] = { 1, 2 };
    switch (which) {
    case 0:
        return ncmpi_def_dim(ds->ncid, "another", 5, &x);
    case 1:
        return ncmpi_def_var(ds->ncid, "another", NC_INT, 1, &x, &v);
    case 2:
        return ncmpi_put_att_double(ds->ncid, 1, "new", NC_SHORT, 2, d);
    case 3:
        return ncmpi_put_att_text(ds->ncid, 0, "units", sizeof long_text, long_text);
    case 4:
        return ncmpi_copy_att(ds->ncid, 0, "units", ds->ncid, 1);
    case 5:
        return ncmpi_put_att_text(ds->ncid, 0, "units", 3, "K/s");
    case 6:
        return ncmpi_rename_dim(ds->ncid, 0, "t\xc3\xa9"); /* not ASCII: the way through the normal form */
    case 7:
        return ncmpi_rename_var(ds->ncid, 0, "w");
    case 8:
        return ncmpi_rename_att(ds->ncid, NC_GLOBAL, "numbers", "n");
    default:
        return -1000;
    }
}

enum { FIRST_OF_DATA_MODE = 5, CHANGES = 9 };

static void starve(bool data_mode, int which)
{
    struct disk disk;
    struct pcdf_dataset *ds = fake(&disk, PCDF_CDF2);
    struct pcdf_meta before;
    int err = NC_ENOMEM, n = 0;
    define(ds);
    if (data_mode)
        enter_data_mode(ds);
    if (ds->meta.arena.end > ds->meta.arena.at) /* no name fits without an allocation */
        pcdf_arena_bytes(&ds->meta.arena, (size_t)(ds->meta.arena.end - ds->meta.arena.at));
    CHECK_INT(pcdf_meta_copy(&before, &ds->meta), NC_NOERR);
    while (err == NC_ENOMEM && n < 100) {
        int writes = disk.writes;
        pcdf_alloc_fail_at(++n, 0);
        err = change(ds, which);
        pcdf_alloc_fail_at(0, 0);
        if (err == NC_ENOMEM) {
            CHECK(equal_meta(&before, &ds->meta), "change %d, allocation %d: the definitions changed", which,
                  n);
            CHECK(disk.writes == writes, "change %d, allocation %d: the file changed", which, n);
            CHECK_INT(ds->io_error, NC_NOERR);
        }
    }
    bool needs_none =
        which == FIRST_OF_DATA_MODE && !data_mode; /* shorter values take the place of longer ones */
    CHECK(err == NC_NOERR && (n > 1 || needs_none), "change %d: %d after %d allocations", which, err, n);
    CHECK(!equal_meta(&before, &ds->meta), "change %d did nothing", which);
    CHECK_INT(disk.writes, data_mode ? 2 : 0);
    pcdf_meta_free(&before);
    drop(ds);
}

/* ---- the header in place */

static void check_header(const struct pcdf_dataset *ds, const struct disk *disk, const char *what)
{
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    struct pcdf_fault fault;
    int64_t need = 0;
    int err = pcdf_decode(NULL, disk->bytes, (size_t)disk->length, INT32_MAX, &need, &meta, &layout, &fault);
    CHECK(err == NC_NOERR && need == 0, "%s: %d, %s", what, err, err ? fault.text : "");
    if (err || need)
        return;
    CHECK_INT(ds->numrecs_on_file, ds->meta.numrecs);
    CHECK(equal_meta(&meta, &ds->meta), "%s: the file holds something else", what);
    CHECK_INT(layout.header_size, ds->layout.header_size);
    CHECK_INT(layout.begin[0], ds->layout.begin[0]);
    for (int64_t i = ds->layout.header_size; i < disk->length; i++)
        CHECK(disk->bytes[i] == 0, "%s: byte %d behind the header is %d", what, (int)i, disk->bytes[i]);
    pcdf_meta_free(&meta);
    pcdf_layout_free(&layout);
}

static void check_in_place(enum pcdf_version version)
{
    struct disk disk;
    struct pcdf_dataset *ds = fake(&disk, version);
    MPI_Offset size;
    define(ds);
    enter_data_mode(ds);
    int64_t put_bytes = ds->put_bytes, first_size = ds->layout.header_size;
    ds->meta.numrecs = 7; /* as all ranks agreed before */
    CHECK_INT(pcdf_header_root_write_numrecs(ds, ds->meta.numrecs, false), NC_NOERR);
    for (int i = FIRST_OF_DATA_MODE; i < CHANGES; i++) {
        CHECK_INT(change(ds, i), NC_NOERR);
        check_header(ds, &disk, "a change in data mode");
    }
    CHECK_INT(disk.writes, 2 + CHANGES - FIRST_OF_DATA_MODE);
    CHECK(ds->layout.header_size < first_size, "the header became no shorter");
    CHECK_INT(ncmpi_inq_header_size(ds->ncid, &size), NC_NOERR);
    CHECK_INT(size, ds->layout.header_size);
    CHECK(ds->put_bytes > put_bytes, "put_size does not count the header");
    drop(ds);
}

/* The definitions change, the file cannot: from then on nothing is written. */
static void check_refusal(void)
{
    struct disk disk;
    struct pcdf_dataset *ds = fake(&disk, PCDF_CDF5);
    define(ds);
    enter_data_mode(ds);
    disk.refuse = NC_ENO_SPACE;
    CHECK_INT(ncmpi_rename_var(ds->ncid, 0, "w"), NC_ENO_SPACE);
    CHECK(strcmp(parcdf_last_error(), "fake.nc, rank 0: the disk refuses") == 0, "%s", parcdf_last_error());
    CHECK_INT(ds->io_error, NC_ENO_SPACE);
    disk.refuse = 0;
    int writes = disk.writes;
    CHECK_INT(ncmpi_rename_dim(ds->ncid, 0, "t"), NC_ENO_SPACE);
    CHECK_INT(ncmpi_rename_dim(ds->ncid, 0, "much longer"), NC_ENOTINDEFINE); /* the arguments come first */
    CHECK_INT(disk.writes, writes);
    CHECK_INT(pcdf_meta_find_dim(&ds->meta, "time"), 0);
    ds->io_error = NC_NOERR;
    ds->poisoned = true;
    CHECK_INT(ncmpi_rename_dim(ds->ncid, 0, "t"), NC_EMULTIDEFINE_FNC_ARGS);
    CHECK_INT(disk.writes, writes);
    drop(ds);
}

/* Only rank 0 writes; the others change what they know. */
static void check_other_rank(void)
{
    struct disk disk;
    struct pcdf_dataset *ds = fake(&disk, PCDF_CDF1);
    define(ds);
    ds->ranks.rank = 1;
    enter_data_mode(ds);
    CHECK_INT(ncmpi_rename_var(ds->ncid, 0, "w"), NC_NOERR);
    CHECK_INT(pcdf_meta_find_var(&ds->meta, "w"), 0);
    CHECK_INT(ds->layout.header_size, pcdf_encode_size(&ds->meta));
    CHECK_INT(disk.writes, 0);
    drop(ds);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    check_handles();
    int64_t held = pcdf_alloc_now();
    for (int i = 0; i < CHANGES; i++)
        starve(false, i);
    for (int i = FIRST_OF_DATA_MODE; i < CHANGES; i++)
        starve(true, i);
    check_in_place(PCDF_CDF1);
    check_in_place(PCDF_CDF5);
    check_refusal();
    check_other_rank();
    CHECK_INT(pcdf_alloc_now(), held);
    MPI_Finalize();
    return check_done("metadata_fake");
}
