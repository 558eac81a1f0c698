/* See restartlook.h. */
#include "restartlook.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "codes.h"
#include "crc32c.h"
#include "setnames.h"
#include "status.h"
#include "toolgrid.h"

/* ---- one file: each rank sums a range of it */

struct order { /* from rank 0 to all */
    int64_t size;
    int32_t is_end;
    char path[PATH_MAX];
};

struct share {
    int64_t bytes;
    uint32_t crc;
    int32_t code;
    char why[200];
};

static struct share sum_share(const struct pcdf_tool_ranks *ranks, const struct order *order)
{
    int64_t from, to;
    pcdf_grid_share(order->size, ranks->rank, ranks->size, &from, &to);
    struct share share = { .bytes = to - from };
    share.code = share.bytes > 0 ? pcdf_set_sum(order->path, from, share.bytes, &share.crc) : NC_NOERR;
    if (share.code)
        snprintf(share.why, sizeof share.why, "%s", pcdf_fail_text());
    return share;
}

/* Of all ranks, on rank 0. */
static int join(const struct share *shares, int n, uint32_t *crc)
{
    *crc = 0;
    for (int i = 0; i < n; i++) {
        if (shares[i].code)
            return PCDF_FAIL(shares[i].code, "%s", shares[i].why);
        *crc = pcdf_crc32c_join(*crc, shares[i].crc, (uint64_t)shares[i].bytes);
    }
    return NC_NOERR;
}

static int root_sum_all(const struct pcdf_tool_ranks *ranks, struct order *order, uint32_t *crc)
{
    struct share *shares = pcdf_malloc((size_t)ranks->size * sizeof *shares);
    if (!shares) /* the others wait for the next order */
        return PCDF_FAIL(NC_ENOMEM, "no memory for the sums of %d ranks", ranks->size);
    pcdf_tool_share_all(ranks, order, sizeof *order, 0);
    struct share mine = sum_share(ranks, order);
    shares[0] = mine;
    pcdf_tool_gather_all(ranks, &mine, sizeof mine, shares);
    int err = join(shares, ranks->size, crc);
    pcdf_free(shares);
    return err;
}

/* The other ranks: what rank 0 wants, until it wants no more. */
static void serve_all(const struct pcdf_tool_ranks *ranks)
{
    struct order order;
    for (;;) {
        pcdf_tool_share_all(ranks, &order, sizeof order, 0);
        if (order.is_end) /* the same on all ranks */
            return;
        struct share mine = sum_share(ranks, &order);
        pcdf_tool_gather_all(ranks, &mine, sizeof mine, NULL);
    }
}

/* ---- one generation; rank 0, while the others serve */

/* The user's name where it is the same file: nobody wants to see the member's. */
static int prefer_name(const struct pcdf_restart *r, const char *file, char **path)
{
    const struct pcdf_setfs *fs = r->set.fs;
    struct pcdf_setfacts own, named;
    if (fs->ops->look(fs->fs, *path, &own) || fs->ops->look(fs->fs, file, &named) ||
        own.inode != named.inode || own.device != named.device)
        return NC_NOERR;
    char *name = pcdf_strndup(file, strlen(file));
    if (!name)
        return PCDF_FAIL(NC_ENOMEM, "no memory for the path %s", file);
    pcdf_free(*path);
    *path = name;
    return NC_NOERR;
}

static int root_check_file_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_restart *r,
                               const struct pcdf_setmanifest *m, size_t i, bool is_quick, char **path)
{
    const struct pcdf_setfile *file = &m->files[i];
    struct order order = { .size = file->size };
    uint32_t crc = 0;
    PCDF_TRY(pcdf_set_where(&r->set, m, i, path));
    PCDF_TRY(prefer_name(r, file->file, path));
    if (is_quick)
        return NC_NOERR;
    if ((size_t)snprintf(order.path, sizeof order.path, "%s", *path) >= sizeof order.path)
        return PCDF_FAIL(NC_EFILE, "%s: the path is too long", *path);
    PCDF_TRY(root_sum_all(ranks, &order, &crc));
    if (crc != file->crc)
        return PCDF_FAIL(NC_EFILE, "%s has the checksum %08" PRIx32 ", not %08" PRIx32, *path, crc,
                         file->crc);
    return NC_NOERR;
}

static void free_paths(char **paths, size_t n)
{
    for (size_t i = 0; paths && i < n; i++)
        pcdf_free(paths[i]);
    pcdf_free(paths);
}

/* NC_ENOENT, NC_EFILE, NC_EREAD: it is not complete; others: it cannot be told. */
static int root_check_all(const struct pcdf_tool_ranks *ranks, struct pcdf_restart *r, int64_t number,
                          bool is_quick)
{
    struct pcdf_setmanifest m;
    PCDF_TRY(pcdf_set_read(&r->set, number, false, &m));
    char **paths = pcdf_calloc(m.nfiles + 1, sizeof *paths);
    int err = paths ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for %zu paths", m.nfiles);
    for (size_t i = 0; i < m.nfiles && !err; i++)
        err = root_check_file_all(ranks, r, &m, i, is_quick, &paths[i]);
    if (err) {
        free_paths(paths, m.nfiles);
        pcdf_setmanifest_free(&m);
        return err;
    }
    r->is_found = true;
    r->newest = m;
    r->paths = paths;
    return NC_NOERR;
}

static int note_newer(struct pcdf_restart *r, int64_t number)
{
    struct pcdf_restart_newer *more = pcdf_realloc(r->newer, (r->nnewer + 1) * sizeof *more);
    if (!more)
        return PCDF_FAIL(NC_ENOMEM, "no memory for what is wrong with generations");
    r->newer = more;
    more[r->nnewer].number = number;
    snprintf(more[r->nnewer].why, sizeof more->why, "%s", pcdf_fail_text());
    r->nnewer++;
    return NC_NOERR;
}

/* ---- what is being made */

static int count_note(void *context, const char *name)
{
    struct pcdf_restart_making *making = context;
    const char *dot = strrchr(name, '.');
    making->closed += dot && strcmp(dot, ".part") == 0;
    making->begun += dot && (strcmp(dot, ".begun") == 0 || strcmp(dot, ".failed") == 0);
    making->failed += dot && strcmp(dot, ".failed") == 0;
    return NC_NOERR;
}

static int look_at_making(struct pcdf_restart *r)
{
    const struct pcdf_setfs *fs = r->set.fs;
    r->making = pcdf_calloc(r->list.nmaking + 1, sizeof *r->making);
    if (!r->making)
        return PCDF_FAIL(NC_ENOMEM, "no memory for what is being made");
    for (size_t i = 0; i < r->list.nmaking; i++) {
        struct pcdf_restart_making *making = &r->making[r->nmaking++];
        snprintf(making->key, sizeof making->key, "%s", r->list.making[i]);
        char *parts = pcdf_setname_keyed(r->set.dir, r->set.name, PCDF_SET_PARTS, making->key);
        if (!parts)
            return PCDF_FAIL(NC_ENOMEM, "no memory for the name of a folder");
        (void)fs->ops->list(fs->fs, parts, count_note, making); /* it may be gone by now */
        pcdf_free(parts);
    }
    return NC_NOERR;
}

/* ---- a set */

static bool is_verdict(int err)
{
    return err == NC_ENOENT || err == NC_EFILE || err == NC_EREAD;
}

static int root_look_all(const struct pcdf_tool_ranks *ranks, const struct pcdf_restart_options *options,
                         struct pcdf_restart *r)
{
    PCDF_TRY(pcdf_set_list(&r->set, &r->list));
    PCDF_TRY(look_at_making(r));
    for (size_t i = r->list.n; i-- > 0 && !r->is_found;) {
        int64_t number = r->list.numbers[i];
        if (options->generation && number != options->generation)
            continue;
        int err = root_check_all(ranks, r, number, options->is_quick);
        if (err && !is_verdict(err))
            return err;
        if (err)
            PCDF_TRY(note_newer(r, number));
    }
    return NC_NOERR;
}

int pcdf_restart_look_all(const struct pcdf_tool_ranks *ranks, const char *path,
                          const struct pcdf_restart_options *options, struct pcdf_restart *restart)
{
    int status = PCDF_TOOL_GOOD;
    *restart = (struct pcdf_restart){ 0 };
    if (ranks->rank > 0) {
        serve_all(ranks);
        return pcdf_tool_worst_all(ranks, PCDF_TOOL_GOOD);
    }
    int err = pcdf_set_open(path, &restart->set);
    if (!err)
        err = root_look_all(ranks, options, restart);
    pcdf_tool_share_all(ranks, &(struct order){ .is_end = 1 }, sizeof(struct order), 0);
    if (err)
        status = pcdf_tool_unusable(path, "%s", pcdf_fail_text());
    else if (!restart->is_found)
        status = PCDF_TOOL_BAD;
    return pcdf_tool_worst_all(ranks, status);
}

void pcdf_restart_free(struct pcdf_restart *restart)
{
    if (restart->is_found) {
        free_paths(restart->paths, restart->newest.nfiles);
        pcdf_setmanifest_free(&restart->newest);
    }
    if (restart->set.dir) {
        pcdf_setlist_free(&restart->list);
        pcdf_set_close(&restart->set);
    }
    pcdf_free(restart->newer);
    pcdf_free(restart->making);
    *restart = (struct pcdf_restart){ 0 };
}
