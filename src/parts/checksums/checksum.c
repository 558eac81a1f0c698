/* See checksum.h. The file of checksums: looked for, marked, written by rank 0, read for comparing. What the
 * ranks agree on is in checksumsync.c. */
#include "checksum.h"
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "checksumfile.h"
#include "crc32c.h"
#include "dataset.h"
#include "debuglog.h"
#include "provesame.h"
#include "sidecar.h"
#include "vote.h"

/* ---- without an open file: rank 0 alone */

static int root_forget(const char *path)
{
    char *sums = NULL;
    bool is_there = false;
    int err = pcdf_sidecar_find(path, PCDF_CHECKSUMS_SUFFIX, &sums, &is_there);
    if (!err && is_there)
        err = pcdf_sidecar_remove(sums);
    pcdf_free(sums);
    return err;
}

static int root_look(const char *path, bool *is_beside)
{
    char *sums = NULL;
    int err = pcdf_sidecar_find(path, PCDF_CHECKSUMS_SUFFIX, &sums, is_beside);
    pcdf_free(sums);
    return err == NC_ENOMEM ? err : NC_NOERR; /* what others put there is not looked at */
}

/* ---- the mark: an open head */

static int put_head(struct pcdf_sidecar *s, struct pcdf_checksums *head)
{
    unsigned char bytes[PCDF_CHECKSUMS_HEAD];
    head->process = getpid();
    head->when = time(NULL);
    (void)gethostname(head->host, sizeof head->host - 1);
    pcdf_checksums_encode(head, bytes);
    PCDF_TRY(pcdf_sidecar_put(s, bytes, sizeof bytes, 0));
    return pcdf_sidecar_sync(s);
}

static int mark(const char *file, const char *path)
{
    struct pcdf_sidecar s;
    struct pcdf_checksums open_head = { .is_open = true };
    PCDF_TRY(pcdf_sidecar_open(file, path, PCDF_SIDECAR_WRITE, &s));
    int err = put_head(&s, &open_head);
    pcdf_first(&err, pcdf_sidecar_close(&s));
    return err;
}

/* Of a handle that keeps no sums: where the file of checksums may not be written it is removed, and where
 * that may not be, either, the file's time has to tell. */
static void spoil(const char *file, const char *path)
{
    if (pcdf_sidecar_exists(path) && mark(file, path) && pcdf_sidecar_remove(path))
        pcdf_debuglog("%s stays as it is: %s", path, pcdf_fail_text());
}

static void root_spoil(const char *path)
{
    char *sums = NULL;
    bool is_there = false;
    if (pcdf_sidecar_find(path, PCDF_CHECKSUMS_SUFFIX, &sums, &is_there) == NC_NOERR && is_there)
        spoil(path, sums);
    pcdf_free(sums);
}

/* Where the sums of the file lie, or will lie: beside the name that it has now, or will get. What lies beside
 * a name that it lost is another file's, or nobody's. *path NULL: it has no name. Local, by any thread. */
static int find_own(const struct pcdf_dataset *ds, char **path)
{
    char now[PATH_MAX];
    bool is_there;
    *path = NULL;
    return pcdf_dataset_name_now(ds, now) ? pcdf_sidecar_find(now, PCDF_CHECKSUMS_SUFFIX, path, &is_there)
                                          : NC_NOERR;
}

static int before_write(void *context)
{
    struct pcdf_dataset *ds = context;
    struct pcdf_checksum *c = pcdf_checksum_of(ds);
    char *path;
    int err = find_own(ds, &path);
    if (!err && path && !c->keeps)
        spoil(pcdf_dataset_path(ds), path);
    else if (!err && path && pcdf_sidecar_exists(path)) /* one that somebody removed says nothing wrong */
        err = mark(pcdf_dataset_path(ds), path);
    pcdf_free(path);
    return c->keeps ? err : NC_NOERR;
}

/* ---- reading it */

/* The head, and the table unless it is NULL. NC_EFILE: torn, or open. */
static int load_from(const char *file, const char *path, struct pcdf_checksums *head, uint32_t **table)
{
    struct pcdf_sidecar s;
    PCDF_TRY(pcdf_sidecar_open(file, path, PCDF_SIDECAR_READ, &s));
    int err = pcdf_checksumfile_head(&s, head);
    if (!err && head->is_open)
        err = PCDF_FAIL(NC_EFILE, "process %lld on %s began to write the file, and no sums were made since",
                        (long long)head->process, head->host);
    else if (!err && head->block_size != PCDF_CHECKSUMS_BLOCK)
        err = PCDF_FAIL(NC_EFILE, "%s has blocks of %lld bytes", s.path, (long long)head->block_size);
    if (!err && table)
        err = pcdf_checksumfile_table(&s, head, table);
    pcdf_sidecar_close(&s);
    return err;
}

static int load(struct pcdf_dataset *ds, struct pcdf_checksums *head, bool with_table)
{
    struct pcdf_checksum *c = pcdf_checksum_of(ds);
    PCDF_TRY(load_from(pcdf_dataset_path(ds), c->path, head, with_table ? &c->table : NULL));
    if (with_table)
        c->nblocks = pcdf_checksums_blocks(head);
    return NC_NOERR;
}

/* Is the file as it was when it was summed, as far as its size, inode and time tell? */
static bool is_bound(const char *path, const struct pcdf_checksums *head)
{
    struct pcdf_sidecar_facts facts;
    return pcdf_sidecar_inspect(path, &facts) == NC_NOERR && facts.size == head->file_size &&
           facts.inode == head->inode && facts.time == head->time && facts.time_ns == head->time_ns;
}

/* The time as a copy keeps it: whole, or cut to microseconds or seconds (tar, scp, some file systems). */
static bool is_time_of_copy(const struct pcdf_sidecar_facts *copy, const struct pcdf_checksums *head)
{
    return copy->time == head->time && (copy->time_ns == head->time_ns || copy->time_ns == 0 ||
                                        copy->time_ns == head->time_ns - head->time_ns % 1000);
}

/* May it be the file that was summed? With another inode and another time it is a different one, which was
 * renamed over that perhaps. A copy has the time (cp -p); a file that was changed in place has the inode. */
static bool may_be_of(const char *path, const struct pcdf_checksums *head)
{
    struct pcdf_sidecar_facts facts;
    return pcdf_sidecar_inspect(path, &facts) != NC_NOERR || facts.inode == head->inode ||
           is_time_of_copy(&facts, head);
}

int pcdf_checksum_root_load(const char *path, struct pcdf_checksums *head, uint32_t **table)
{
    char *sums = NULL;
    bool is_there = false;
    uint32_t *loaded = NULL;
    int err = pcdf_sidecar_find(path, PCDF_CHECKSUMS_SUFFIX, &sums, &is_there);
    if (!err && !is_there)
        err = PCDF_FAIL(NC_ENOENT, "%s has no checksums", path);
    if (!err)
        err = load_from(path, sums, head, &loaded);
    if (!err && !is_bound(path, head))
        err = PCDF_FAIL(NC_EFILE, "%s was changed since its checksums were made", path);
    pcdf_free(sums);
    if (err)
        pcdf_free(loaded);
    else
        *table = loaded;
    return err;
}

/* ---- comparing */

/* A handle of ours may write the file while this one reads it: then its head is open by now, or another. */
static bool still_holds(void *context)
{
    struct pcdf_dataset *ds = context;
    const struct pcdf_checksum *c = pcdf_checksum_of(ds);
    struct pcdf_checksums now;
    return load(ds, &now, false) == NC_NOERR && now.table_crc == c->head.table_crc &&
           now.file_size == c->head.file_size && now.time == c->head.time && now.time_ns == c->head.time_ns &&
           now.inode == c->head.inode;
}

static int is_wrong(void *context, int64_t block, uint32_t sum)
{
    const struct pcdf_dataset *ds = context;
    const struct pcdf_checksum *c = pcdf_checksum_of(ds);
    return PCDF_FAIL(NC_EREAD, "block %lld, bytes %lld to %lld, has the checksum %08x, not %08x: %s",
                     (long long)block, (long long)(block * c->head.block_size),
                     (long long)pcdf_checksums_block_end(&c->head, block) - 1, sum, c->table[block],
                     is_bound(pcdf_dataset_path(ds), &c->head)
                         ? "it is damaged"
                         : "the file was changed by another program since it was summed, or is damaged");
}

struct first_message { /* from rank 0 */
    int64_t is_usable, nblocks;
    struct pcdf_checksums head;
};

/* Rank 0's table on every rank, or on none. Without sums that can be used the file is read as without the
 * hint, which then says so. */
static int load_for_comparing_all(struct pcdf_dataset *ds)
{
    struct pcdf_checksum *c = pcdf_checksum_of(ds);
    struct first_message first = { 0 };
    if (ds->ranks.rank == 0) {
        int err = c->path ? load(ds, &c->head, true) : NC_ENOMEM; /* opened_all tells why it has no path */
        if (!err && !may_be_of(pcdf_dataset_path(ds), &c->head))
            err = PCDF_FAIL(NC_EFILE, "the checksums beside it are of another file");
        first.is_usable = !err;
        first.nblocks = c->nblocks;
        first.head = c->head;
        if (!first.is_usable)
            pcdf_debuglog("%s: reads are not compared with checksums: %s", ds->path, pcdf_fail_text());
    }
    int status = pcdf_ranks_bcast_all(&ds->ranks, &first, sizeof first);
    if (PCDF_SAME(&ds->ranks, status || !first.is_usable))
        return status;
    c->head = first.head;
    c->nblocks = first.nblocks;
    if (ds->ranks.rank != 0)
        c->table = pcdf_malloc((size_t)c->nblocks * sizeof *c->table + 1);
    status = pcdf_ranks_agree_all(&ds->ranks, c->table ? NC_NOERR : NC_ENOMEM, "keep the checksums");
    if (PCDF_SAME(&ds->ranks, !status))
        status = pcdf_ranks_bcast_all(&ds->ranks, c->table, c->nblocks * (int64_t)sizeof *c->table);
    if (status)
        return status;
    c->blocks.expected = c->table;
    c->blocks.expected_size = c->head.file_size;
    ds->io->get_block = c->blocks.block_size;
    c->blocks.still_holds = still_holds;
    c->blocks.is_wrong = is_wrong;
    return NC_NOERR;
}

/* ---- keeping */

/* What is known of the blocks, on rank 0; and a file that the other ranks can mark. */
static int root_begin_keeping(struct pcdf_dataset *ds, bool is_new)
{
    struct pcdf_checksum *c = pcdf_checksum_of(ds);
    struct pcdf_sidecar s;
    struct pcdf_checksums open_head = { .is_open = true };
    if (!is_new) /* an empty file is known */
        c->is_unknown = !c->is_beside || load(ds, &c->head, true) != NC_NOERR ||
                        !is_bound(pcdf_dataset_path(ds), &c->head);
    int err = NC_NOERR;
    /* Opened now, so that the user learns here, not at the first put, that it may not be written. */
    if (c->is_beside) {
        PCDF_TRY(pcdf_sidecar_open(pcdf_dataset_path(ds), c->path, PCDF_SIDECAR_WRITE, &s));
    } else {
        PCDF_TRY(pcdf_sidecar_make(pcdf_dataset_path(ds), c->path, PCDF_CHECKSUMS_HEAD, &s));
        err = put_head(&s, &open_head);
    }
    pcdf_first(&err, pcdf_sidecar_close(&s));
    return err;
}

/* Rank 0 alone: table and head, of a file that is whole on the storage. */
int pcdf_checksum_root_write(struct pcdf_dataset *ds, int64_t file_size)
{
    struct pcdf_checksum *c = pcdf_checksum_of(ds);
    struct pcdf_sidecar_facts facts;
    char *path;
    PCDF_TRY(find_own(ds, &path));
    if (!path || !pcdf_dataset_follow(ds)) { /* nobody will look for sums of it */
        pcdf_free(path);
        return NC_NOERR;
    }
    pcdf_free(c->path);
    c->path = path;
    struct pcdf_sidecar s;
    unsigned char sector[512];
    int64_t got = 0, size = 4 * c->nblocks;
    PCDF_TRY(pcdf_sidecar_inspect(pcdf_dataset_path(ds), &facts));
    PCDF_TRY(pcdf_sidecar_peek(pcdf_dataset_path(ds), sector, sizeof sector, &got, NULL));
    unsigned char *bytes = pcdf_malloc((size_t)size + 1);
    if (!bytes)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the checksums of %lld blocks", (long long)c->nblocks);
    pcdf_checksums_put_entries(c->table, c->nblocks, bytes);
    c->head = (struct pcdf_checksums){ .block_size = c->blocks.block_size,
                                       .file_size = file_size,
                                       .inode = facts.inode,
                                       .time = facts.time,
                                       .time_ns = facts.time_ns,
                                       .first_crc = pcdf_crc32c(0, sector, (size_t)got),
                                       .table_crc = pcdf_crc32c(0, bytes, (size_t)size) };
    const char *file = pcdf_dataset_path(ds);
    int err = pcdf_sidecar_exists(c->path) ? pcdf_sidecar_open(file, c->path, PCDF_SIDECAR_WRITE, &s)
                                           : pcdf_sidecar_make(file, c->path, PCDF_CHECKSUMS_HEAD + size, &s);
    if (!err) {
        err = size ? pcdf_sidecar_put(&s, bytes, size, PCDF_CHECKSUMS_HEAD) : NC_NOERR;
        if (!err)
            err = put_head(&s, &c->head); /* if torn, the table's CRC shows it */
        pcdf_first(&err, pcdf_sidecar_close(&s));
    }
    pcdf_free(bytes);
    return err;
}

/* ---- the part */

struct pcdf_checksum *pcdf_checksum_of(const struct pcdf_dataset *ds)
{
    return pcdf_part_own(ds, &pcdf_part_checksums);
}

void pcdf_checksum_ask(struct pcdf_dataset *ds)
{
    struct pcdf_checksum *c = pcdf_part_state(ds, &pcdf_part_checksums);
    c->is_asked = true;
}

static int root_begin(struct pcdf_opening *o, void *own, int64_t *decision)
{
    bool is_beside = false;
    (void)own;
    /* What lay there for an older file is gone, or stays that file's. */
    if (o->creates)
        return NC_NOERR;
    PCDF_TRY(root_look(pcdf_dataset_path(o->ds), &is_beside));
    *decision = is_beside;
    return NC_NOERR;
}

/* Checksums are of what is on the storage: so a close waits for it. */
static bool agreed(struct pcdf_dataset *ds, void *own, int64_t decision)
{
    struct pcdf_checksum *c = own;
    bool on_disk = ds->storage_kind->on_disk;
    bool is_asked = c->is_asked || ds->hints.checksum == PCDF_CHECKSUM_CRC32C;
    if (is_asked)
        pcdf_dataset_close_commits(ds);
    c->is_beside = decision;
    c->keeps = on_disk && !ds->readonly && is_asked;
    c->compares = on_disk && ds->readonly && c->is_beside && ds->hints.verify;
    bool spoils = on_disk && !ds->readonly && c->is_beside;
    return c->keeps || c->compares || spoils;
}

static void configure(struct pcdf_dataset *ds, void *own, struct pcdf_sharedfile_config *config)
{
    struct pcdf_checksum *c = own;
    c->blocks.block_size = PCDF_CHECKSUMS_BLOCK;
    c->blocks.context = ds;
    c->blocks.notes = c->keeps;
    c->blocks.before_write = c->compares ? NULL : before_write;
    config->sums = &c->blocks;
}

static int opened_all(struct pcdf_dataset *ds, void *own)
{
    struct pcdf_checksum *c = own;
    bool is_there;
    int status = pcdf_sidecar_find(ds->keeps_new_path ? pcdf_dataset_path(ds) : pcdf_dataset_name(ds),
                                   PCDF_CHECKSUMS_SUFFIX, &c->path, &is_there);
    if (PCDF_SAME(&ds->ranks, c->compares))
        pcdf_first(&status, load_for_comparing_all(ds));
    if (c->keeps && ds->ranks.rank == 0 && !status)
        status = root_begin_keeping(ds, ds->is_new);
    c->blocks.marked = c->is_marked = c->keeps && ds->is_new;
    return status;
}

static bool must_settle(const struct pcdf_dataset *ds, const void *own)
{
    (void)ds;
    return ((const struct pcdf_checksum *)own)->keeps;
}

static void in_force(const struct pcdf_dataset *ds, const void *own, struct pcdf_hints *hints)
{
    const struct pcdf_checksum *c = own;
    (void)ds;
    hints->checksum = c && c->keeps ? PCDF_CHECKSUM_CRC32C : PCDF_CHECKSUM_NONE;
    hints->verify = c && c->blocks.expected != NULL;
}

static int facts(const struct pcdf_dataset *ds, const void *own, struct pcdf_proof *facts)
{
    const struct pcdf_checksum *c = own;
    (void)ds;
    facts[0] = (struct pcdf_proof){ "checksums: keeps", c->keeps };
    facts[1] = (struct pcdf_proof){ "checksums: compares", c->compares };
    facts[2] = (struct pcdf_proof){ "checksums: is_marked", c->is_marked };
    return 3;
}

static void free_own(struct pcdf_dataset *ds, void *own)
{
    struct pcdf_checksum *c = own;
    (void)ds;
    pcdf_checksum_blocks_free(&c->blocks);
    pcdf_free(c->table);
    pcdf_free(c->path);
}

const struct pcdf_part_ops pcdf_part_checksums = {
    .name = "checksums",
    .own_size = sizeof(struct pcdf_checksum),
    .is_classic_only = true,
    .root_forget = root_forget,
    .root_spoil = root_spoil,
    .root_begin = root_begin,
    .agreed = agreed,
    .configure = configure,
    .opened_all = opened_all,
    .before_change_all = pcdf_checksum_mark_all,
    .settle_all = pcdf_checksum_sync_all,
    .must_settle = must_settle,
    .in_force = in_force,
    .facts = facts,
    .free = free_own,
};
