/* See older.h. */
#include "older.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "checksum.h"
#include "debuglog.h"
#include "olderfile.h"
#include "posixio.h"
#include "set.h"
#include "vote.h"

/* ---- which file it is */

/* The member of the newest complete generation of a set. The caller frees *path. */
static int find_member(const char *of_set, const char *name, char **path)
{
    struct pcdf_set set;
    PCDF_TRY(pcdf_set_open(of_set, &set));
    int err = pcdf_set_member_of(&set, name, path);
    pcdf_set_close(&set);
    return err;
}

static int load(const char *path, struct pcdf_olderfile *o)
{
    struct pcdf_checksums head;
    char *real = realpath(path, NULL); /* in libc's memory */
    char *copy = real ? pcdf_strndup(real, strlen(real)) : NULL;
    free(real);
    int err =
        copy ? pcdf_checksum_root_load(copy, &head, &o->sums) : PCDF_FAIL(NC_ENOENT, "%s is not there", path);
    if (err) {
        pcdf_free(copy);
        return err;
    }
    o->path = copy;
    o->block_size = head.block_size;
    o->facts = (struct pcdf_sidecar_facts){
        .size = head.file_size, .inode = head.inode, .time = head.time, .time_ns = head.time_ns
    };
    return NC_NOERR;
}

/* Before the checksums beside the name are made anew. */
static int root_begin(struct pcdf_opening *o, void *own, int64_t *decision)
{
    const struct pcdf_dataset *ds = o->ds;
    const char *name = pcdf_path_posix(ds->path);
    char *member = NULL;
    if (!o->creates || !ds->new_path || ds->hints.clone != PCDF_CLONE_AUTO)
        return NC_NOERR;
    if (o->set && find_member(o->set, name, &member))
        member = NULL;
    int err = load(member ? member : name, own);
    if (err)
        pcdf_debuglog("%s: no block is cloned: %s", ds->path, pcdf_fail_text());
    pcdf_fail_clear();
    pcdf_free(member);
    *decision = !err;
    return NC_NOERR;
}

static bool agreed(struct pcdf_dataset *ds, void *own, int64_t decision)
{
    const struct pcdf_checksum *sums = pcdf_checksum_of(ds);
    (void)own;
    return decision && sums && sums->keeps;
}

/* ---- all ranks */

struct message { /* from rank 0 */
    struct pcdf_sidecar_facts facts;
    int64_t block_size;
    char path[PATH_MAX];
};

static int64_t blocks_of(const struct pcdf_olderfile *o)
{
    return o->facts.size / o->block_size + (o->facts.size % o->block_size > 0);
}

static int take_message(struct pcdf_olderfile *o, const struct message *m)
{
    o->facts = m->facts;
    o->block_size = m->block_size;
    o->path = pcdf_strndup(m->path, strlen(m->path));
    o->sums = pcdf_malloc((size_t)blocks_of(o) * sizeof *o->sums + 1);
    return o->path && o->sums ? NC_NOERR : NC_ENOMEM;
}

/* Rank 0 found one: all ranks have it, or none. Fails only where MPI does. */
static int opened_all(struct pcdf_dataset *ds, void *own)
{
    struct pcdf_olderfile *o = own;
    struct message m = { .block_size = o->block_size };
    int lacks = NC_NOERR;
    if (PCDF_SAME(&ds->ranks, !ds->io->kind->clone))
        return NC_NOERR;
    if (ds->ranks.rank == 0) {
        m.facts = o->facts;
        snprintf(m.path, sizeof m.path, "%s", o->path);
    }
    int status = pcdf_ranks_bcast_all(&ds->ranks, &m, sizeof m);
    if (PCDF_SAME(&ds->ranks, status))
        return status;
    if (ds->ranks.rank != 0)
        lacks = take_message(o, &m);
    lacks = pcdf_ranks_agree_all(&ds->ranks, lacks, "keep the checksums of the older file");
    if (PCDF_SAME(&ds->ranks, lacks)) {
        pcdf_fail_clear();
        pcdf_olderfile_free(o);
        return NC_NOERR;
    }
    status = pcdf_ranks_bcast_all(&ds->ranks, o->sums, blocks_of(o) * (int64_t)sizeof *o->sums);
    if (!status) {
        pcdf_checksum_of(ds)->blocks.older = o;
        ds->io->put_block = o->block_size;
    }
    return status;
}

/* What became of it goes to the debug log. */
static void free_own(struct pcdf_dataset *ds, void *own)
{
    struct pcdf_olderfile *o = own;
    const struct pcdf_checksum *sums = pcdf_checksum_of(ds);
    if (sums && sums->blocks.older)
        pcdf_debuglog("%s: %lld bytes were cloned from %s, and %lld were shared after they were written%s%s",
                      ds->path, (long long)ds->counts.bytes_cloned, o->path,
                      (long long)ds->counts.bytes_deduped, *o->why ? "; it is not used any more: " : "",
                      o->why);
    pcdf_olderfile_free(o);
}

const struct pcdf_part_ops pcdf_part_clones = {
    .name = "clones",
    .own_size = sizeof(struct pcdf_olderfile),
    .is_classic_only = true,
    .root_begin = root_begin,
    .agreed = agreed,
    .opened_all = opened_all,
    .free = free_own,
};
