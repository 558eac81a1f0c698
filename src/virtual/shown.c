/* See shown.h. */

#include "shown.h"
#include <string.h>
#include "alloc.h"
#include "image.h"
#include "nodecache.h"
#include "posixio.h"
#include "rangestorage.h"
#include "source.h"
#include "status.h"
#include "url.h"
#include "virtualstorage.h"

struct pcdf_shown *pcdf_shown_make(void)
{
    struct pcdf_shown *shown = pcdf_calloc(1, sizeof *shown);
    if (shown && !(shown->image = pcdf_calloc(1, sizeof *shown->image))) {
        pcdf_free(shown);
        shown = NULL;
    }
    return shown;
}

void pcdf_shown_free(struct pcdf_shown *shown)
{
    if (!shown)
        return;
    pcdf_nodecache_leave(shown->node);
    pcdf_image_free(shown->image);
    pcdf_free(shown->image);
    pcdf_free(shown);
}

bool pcdf_shown_is_other(const struct pcdf_shown *shown)
{
    return shown && shown->image->kind != PCDF_SOURCE_CLASSIC;
}

bool pcdf_shown_is_netcdf4(const struct pcdf_shown *shown)
{
    return shown &&
           (shown->image->kind == PCDF_SOURCE_NETCDF4 || shown->image->kind == PCDF_SOURCE_NETCDF4_CLASSIC);
}

int pcdf_shown_format(const struct pcdf_shown *shown)
{
    return pcdf_source_kind_format(shown->image->kind);
}

void pcdf_shown_lend(struct pcdf_shown *shown, struct pcdf_meta *meta, struct pcdf_layout *layout)
{
    struct pcdf_image *image = shown->image;
    *meta = image->meta;
    if (image->kind == PCDF_SOURCE_NETCDF4_CLASSIC)
        meta->ranges = PCDF_CDF2;
    *layout = image->layout;
    image->is_lent = true;
}

/* ---- opening */

static int refuse_writing(const char *path, enum pcdf_source_kind kind)
{
    return PCDF_FAIL(NC_EPERM,
                     "%s: this is %s %s: parcdf reads such files, but does not write to them; `parcdf copy` "
                     "makes a classic file of it",
                     path, pcdf_source_kind_article(kind), pcdf_source_kind_name(kind));
}

int pcdf_shown_refuse_writing(const struct pcdf_shown *shown, const char *path)
{
    return refuse_writing(path, shown->image->kind);
}

static int make_image(const char *name, struct pcdf_source *source, struct pcdf_image *image)
{
    return source->kind == PCDF_SOURCE_CLASSIC ? pcdf_range_image(source->store, image)
                                               : pcdf_source_map(name, source, image);
}

int pcdf_shown_look(const char *path, const struct pcdf_shown_options *options, struct pcdf_shown **shown,
                    bool *is_seen)
{
    struct pcdf_source source;
    struct pcdf_shown *made = NULL;
    const char *name = pcdf_path_posix(path);
    int err = NC_NOERR;
    if (options->for_writing && pcdf_url_is_known(name))
        return PCDF_FAIL(NC_EPERM, "%s: this is a URL: such files are only read", path);
    PCDF_TRY(options->for_writing ? pcdf_source_look(name, &source)
                                  : pcdf_source_look_to_read(name, &source));
    source.limits = (struct pcdf_map_limits){ options->map_seconds, options->map_memory };
    source.allows = options->references;
    bool is_other = source.kind != PCDF_SOURCE_CLASSIC;
    if (is_other && options->for_writing && source.kind != PCDF_SOURCE_HDF5)
        err = refuse_writing(path, source.kind);
    else if ((is_other || source.is_far) && !(made = pcdf_shown_make()))
        err = PCDF_FAIL(NC_ENOMEM, "no memory to open %s", path);
    else if (made)
        err = make_image(name, &source, made->image);
    *is_seen = source.is_seen;
    pcdf_source_close(&source);
    if (err)
        pcdf_shown_free(made);
    *shown = err ? NULL : made;
    return err;
}

const char *pcdf_shown_storage(const struct pcdf_shown *shown)
{
    return pcdf_shown_is_other(shown) ? pcdf_virtualstorage.name : pcdf_rangestorage.name;
}

void pcdf_shown_warn(const struct pcdf_shown *shown)
{
    const char *text = shown ? shown->image->left_out : NULL;
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

int pcdf_shown_format_of(const char *path, int *format)
{
    struct pcdf_source source;
    PCDF_TRY(pcdf_source_look_to_read(pcdf_path_posix(path), &source));
    *format = source.kind == PCDF_SOURCE_CLASSIC ? 0 : pcdf_source_kind_format(source.kind);
    int err = source.is_far && !*format ? format_of_far(path, source.store, format) : NC_NOERR;
    pcdf_source_close(&source);
    return err;
}
