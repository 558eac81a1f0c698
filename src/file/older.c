/* See older.h. */
#include "older.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "checksum.h"
#include "debuglog.h"
#include "generation.h"
#include "posixio.h"
#include "vote.h"

/* ---- which file it is */

/* The member of the newest complete generation. The caller frees *path. */
static int find_member(const struct pcdf_dataset *ds, char **path)
{
    struct pcdf_set set;
    PCDF_TRY(pcdf_set_open(pcdf_member_set(ds->member), &set));
    int err = pcdf_set_member_of(&set, pcdf_path_posix(ds->path), path);
    pcdf_set_close(&set);
    return err;
}

static int load(const char *path, struct pcdf_olderfile *o)
{
    struct pcdf_checksums head;
    char *real = realpath(path, NULL); /* of libc's memory */
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

bool pcdf_older_root_find(struct pcdf_dataset *ds)
{
    char *member = NULL;
    if (ds->hints.clone != PCDF_CLONE_AUTO)
        return false;
    if (ds->member && find_member(ds, &member))
        member = NULL;
    int err = load(member ? member : pcdf_path_posix(ds->path), &ds->sums.older);
    if (err)
        pcdf_debuglog("%s: no block is cloned: %s", ds->path, pcdf_fail_text());
    pcdf_fail_clear();
    pcdf_free(member);
    return !err;
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

static int take(struct pcdf_olderfile *o, const struct message *m)
{
    o->facts = m->facts;
    o->block_size = m->block_size;
    o->path = pcdf_strndup(m->path, strlen(m->path));
    o->sums = pcdf_malloc((size_t)blocks_of(o) * sizeof *o->sums + 1);
    return o->path && o->sums ? NC_NOERR : NC_ENOMEM;
}

int pcdf_older_share_all(struct pcdf_dataset *ds)
{
    struct pcdf_olderfile *o = &ds->sums.older;
    struct message m = { .block_size = o->block_size };
    int lacks = NC_NOERR;
    if (ds->comm.rank == 0) {
        m.facts = o->facts;
        snprintf(m.path, sizeof m.path, "%s", o->path);
    }
    int status = pcdf_ranks_bcast_all(&ds->comm, &m, sizeof m);
    if (PCDF_SAME(&ds->comm, status))
        return status;
    if (ds->comm.rank != 0)
        lacks = take(o, &m);
    lacks = pcdf_ranks_agree_all(&ds->comm, lacks, "keep the checksums of the older file");
    if (PCDF_SAME(&ds->comm, lacks)) {
        pcdf_fail_clear();
        pcdf_olderfile_free(o);
        return NC_NOERR;
    }
    status = pcdf_ranks_bcast_all(&ds->comm, o->sums, blocks_of(o) * (int64_t)sizeof *o->sums);
    if (!status) {
        ds->sums.blocks.older = o;
        ds->io->put_cut = o->block_size;
    }
    return status;
}

void pcdf_older_tell(const struct pcdf_dataset *ds)
{
    const struct pcdf_olderfile *o = &ds->sums.older;
    if (ds->sums.blocks.older)
        pcdf_debuglog("%s: %lld bytes were cloned from %s, and %lld were shared after they were written%s%s",
                      ds->path, (long long)ds->counts.bytes_cloned, o->path,
                      (long long)ds->counts.bytes_deduped, *o->why ? "; it is not used any more: " : "",
                      o->why);
}
