/* See openimage.h. */

#include "openimage.h"
#include <string.h>
#include "alloc.h"
#include "chunkshare.h"
#include "image.h"
#include "posixio.h"
#include "rangestorage.h"
#include "provesame.h"
#include "source.h"
#include "url.h"
#include "virtualstorage.h"

static int refuse_writing(const struct pcdf_dataset *ds, const struct pcdf_source *source)
{
    return PCDF_FAIL(NC_EPERM,
                     "%s: this is %s %s: parcdf reads such files, but does not write to them; `parcdf copy` "
                     "makes a classic file of it",
                     ds->path, pcdf_source_kind_article(source->kind), pcdf_source_kind_name(source->kind));
}

static void forget(struct pcdf_dataset *ds)
{
    pcdf_shown_free(ds->shown);
    ds->shown = NULL;
}

int pcdf_openimage_root_look(struct pcdf_dataset *ds, bool for_writing, const char **engine, bool *is_seen)
{
    struct pcdf_source source;
    const char *path = pcdf_path_posix(ds->path);
    int err = NC_NOERR;
    *engine = NULL;
    *is_seen = false;
    if (for_writing && pcdf_url_is_known(path))
        return PCDF_FAIL(NC_EPERM, "%s: this is a URL: such files are only read", ds->path);
    PCDF_TRY(pcdf_source_look(path, &source));
    source.limits = (struct pcdf_map_limits){ ds->hints.map_seconds, ds->hints.map_memory };
    source.allows = ds->hints.references;
    bool is_ours = source.kind != PCDF_SOURCE_CLASSIC;
    if (is_ours && for_writing)
        err = refuse_writing(ds, &source);
    else if ((is_ours || source.is_far) && !(ds->shown = pcdf_shown_make()))
        err = PCDF_FAIL(NC_ENOMEM, "no memory to open %s", ds->path);
    else if (is_ours)
        err = pcdf_source_map(path, &source, ds->shown->image);
    else if (source.is_far)
        err = pcdf_range_image(source.store, ds->shown->image);
    pcdf_source_close(&source);
    *is_seen = source.is_seen;
    if (!err && ds->shown)
        *engine = is_ours ? pcdf_virtualstorage.name : pcdf_rangestorage.name;
    if (err)
        forget(ds);
    return err;
}

static int take(struct pcdf_dataset *ds, const unsigned char *bytes, int64_t n)
{
    if (!(ds->shown = pcdf_shown_make()))
        return PCDF_FAIL(NC_ENOMEM, "no memory to open %s", ds->path);
    int err = pcdf_image_decode(bytes, n, ds->shown->image);
    if (err)
        forget(ds);
    return err;
}

/* The image to all ranks; fails on all ranks or on none. */
static int share_all(struct pcdf_dataset *ds)
{
    const struct pcdf_ranks *ranks = &ds->ranks;
    unsigned char *bytes = NULL;
    int64_t n = 0;
    bool is_root = ranks->rank == 0;
    int status = NC_NOERR;
    if (ranks->size == 1) /* the same on all ranks */
        return NC_NOERR;
    if (is_root)
        status = pcdf_image_encode(ds->shown->image, &bytes, &n);
    pcdf_first(&status, pcdf_ranks_bcast_all(ranks, &n, sizeof n));
    if (!is_root && n > 0 && !(bytes = pcdf_malloc((size_t)n)))
        pcdf_first(&status, PCDF_FAIL(NC_ENOMEM, "no memory for a description of %lld bytes", (long long)n));
    status = pcdf_ranks_agree_all(ranks, status, "take the description of %s", ds->path);
    if (PCDF_SAME(ranks, status == NC_NOERR)) {
        status = pcdf_ranks_bcast_all(ranks, bytes, n);
        if (!status && !is_root)
            status = take(ds, bytes, n);
        status = pcdf_ranks_agree_all(ranks, status, "take the description of %s", ds->path);
    }
    pcdf_free(bytes);
    return status;
}

int pcdf_openimage_share_all(struct pcdf_dataset *ds)
{
    int err = share_all(ds);
    if (PCDF_SAME(&ds->ranks, !err))
        pcdf_chunkshare_make_all(ds);
    return err;
}

void pcdf_openimage_root_tell(const struct pcdf_dataset *ds)
{
    const char *text = ds->shown ? ds->shown->image->left_out : NULL;
    int lines = 0;
    if (!text)
        return;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    (void)PCDF_FAIL(NC_NOERR, "warning: not all of the file has a place here (%d such things): %.*s", lines,
                    (int)strcspn(text, "\n"), text);
}

/* Its first bytes came when it was looked at. */
static int format_of_far(const char *path, struct pcdf_store *store, int *format)
{
    unsigned char magic[4] = { 0 };
    struct pcdf_fetch f = { .store = store, .key = "", .length = sizeof magic, .to = magic };
    pcdf_fetch_start(&f, 1);
    PCDF_TRY(pcdf_fetch_finish(&f, 1));
    if (f.err || memcmp(magic, "CDF", 3) != 0 || !strchr("\1\2\5", magic[3]) || !magic[3])
        return PCDF_FAIL(f.err ? f.err : NC_ENOTNC, "%s: this is no netCDF file", path);
    *format = magic[3];
    return NC_NOERR;
}

int pcdf_openimage_format(const char *path, int *format)
{
    struct pcdf_source source;
    PCDF_TRY(pcdf_source_look(pcdf_path_posix(path), &source));
    *format = source.kind == PCDF_SOURCE_CLASSIC ? 0 : pcdf_source_kind_format(source.kind);
    int err = source.is_far && !*format ? format_of_far(path, source.store, format) : NC_NOERR;
    pcdf_source_close(&source);
    return err;
}
