/* See zarrout.h. */
#include "zarrout.h"
#include "status.h"
#include "tool.h"
#include "zarrstore.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>

enum { PATH = 4096 };

static void add_codec(struct pcdf_chain *chain, enum pcdf_codec_id id, const char *name, int param)
{
    struct pcdf_codec *codec = &chain->x[chain->n++];
    *codec = (struct pcdf_codec){ .id = id, .nparams = 1, .params = { (uint32_t)param } };
    snprintf(codec->name, sizeof codec->name, "%s", name);
}

void pcdf_zarrout_chain(const struct pcdf_zarrout *out, int size, struct pcdf_chain *chain)
{
    const struct pcdf_zarrout_codecs *c = &out->codecs;
    bool is_v3 = out->kind == PCDF_ZARROUT_3;

    *chain = (struct pcdf_chain){ 0 };
    if (c->shuffle && size > 1)
        add_codec(chain, PCDF_CODEC_SHUFFLE, "shuffle", size);
    if (c->deflate)
        add_codec(chain, is_v3 ? PCDF_CODEC_GZIP : PCDF_CODEC_ZLIB, is_v3 ? "gzip" : "zlib", c->deflate);
    else if (c->zstd)
        add_codec(chain, PCDF_CODEC_ZSTD, "zstd", c->zstd);
}

/* ---- what cannot be */

static bool is_utf8(const struct pcdf_att *att)
{
    utf8proc_ssize_t step;
    utf8proc_int32_t point;
    for (int64_t i = 0; i < att->nelems; i += step) {
        step = utf8proc_iterate(att->values + i, (utf8proc_ssize_t)(att->nelems - i), &point);
        if (step <= 0)
            return false;
    }
    return true;
}

static int check_atts(const struct pcdf_zarrout *out, const struct pcdf_var *var)
{
    const struct pcdf_atts *atts = var ? &var->atts : &out->meta->gatts;
    for (int i = 0; i < atts->n && out->kind != PCDF_ZARROUT_NC; i++)
        if (atts->x[i].type == NC_CHAR && !is_utf8(&atts->x[i]))
            return pcdf_tool_unusable(out->to,
                                      "attribute %s:%s is not UTF-8, as the text of a store has to be",
                                      var ? var->name : "", atts->x[i].name);
    return PCDF_TOOL_GOOD;
}

static int check_names(const struct pcdf_zarrout *out)
{
    int scalar = pcdf_meta_find_dim(out->meta, "_scalar_");
    bool is_v3 = out->kind == PCDF_ZARROUT_3;

    for (int i = 0; i < out->meta->nvars; i++) {
        const struct pcdf_var *var = &out->meta->vars[i];
        if (is_v3 && strcmp(var->name, "zarr.json") == 0)
            return pcdf_tool_unusable(
                out->to, "a store of version 3 has no place for a variable of the name %s", var->name);
        if (out->kind == PCDF_ZARROUT_NC && var->ndims == 0 && scalar >= 0 &&
            out->meta->dims[scalar].length != 1)
            return pcdf_tool_unusable(
                out->to,
                "variable %s has no dimension, and the one that it would have here has another length",
                var->name);
    }
    return PCDF_TOOL_GOOD;
}

int pcdf_zarrout_check(const struct pcdf_zarrout *out)
{
    struct pcdf_chain chain;
    int record = out->meta->record_dim;

    pcdf_zarrout_chain(out, 8, &chain);
    if (pcdf_chain_check(&chain))
        return pcdf_tool_unusable(out->to, "%s", pcdf_fail_text());
    if (out->kind == PCDF_ZARROUT_NC && record >= 0 && out->meta->numrecs == 0)
        return pcdf_tool_unusable(
            out->to, "dimension %s has no records, and a store of NCZarr cannot have an unlimited dimension",
            out->meta->dims[record].name);
    int status = check_names(out);
    status = status ? status : check_atts(out, NULL);
    for (int i = 0; i < out->meta->nvars && !status; i++)
        status = check_atts(out, &out->meta->vars[i]);
    return status;
}

/* ---- the store */

static int root_make_folders(const struct pcdf_zarrout *out, const char *name)
{
    for (int i = 0; i < out->meta->nvars; i++) {
        char path[PATH + NC_MAX_NAME];
        snprintf(path, sizeof path, "%s/%s", name, out->meta->vars[i].name);
        if (mkdir(path, 0777))
            return pcdf_tool_unusable(out->to, "variable %s: %s", out->meta->vars[i].name, strerror(errno));
    }
    return PCDF_TOOL_GOOD;
}

/* What this machine wrote of it is on the storage. */
static int sync_store(const struct pcdf_zarrout *out, const char *name)
{
    int fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && syncfs(fd) == 0;
    int err = errno;

    if (fd >= 0)
        close(fd);
    return good ? PCDF_TOOL_GOOD : pcdf_tool_unusable(out->to, "%s", strerror(err));
}

static int root_begin(const struct pcdf_zarrout *out, struct pcdf_zarrstore *store, char *name)
{
    int status = pcdf_zarrstore_begin(store, out->to, out->replace);
    if (status)
        return status;
    snprintf(name, PATH, "%s", store->name);
    status = root_make_folders(out, name);
    if (status)
        pcdf_zarrstore_abandon(store);
    return status;
}

/* Metadata last: until then nobody takes it for a store. */
static int root_end(const struct pcdf_zarrout *out, struct pcdf_zarrstore *store, int status)
{
    if (!status)
        status = pcdf_zarrmeta_write(out, store->name);
    if (!status)
        status = sync_store(out, store->name);
    if (!status)
        return pcdf_zarrstore_commit(store);
    pcdf_zarrstore_abandon(store);
    return status;
}

int pcdf_zarrout_write_all(struct pcdf_zarrout *out)
{
    struct pcdf_zarrstore store = { 0 };
    struct {
        int status;
        char name[PATH];
    } root = { .status = PCDF_TOOL_GOOD };
    bool is_root = out->ranks->rank == 0;
    int status = pcdf_tool_worst_all(out->ranks, pcdf_zarrout_check(out));

    if (status) /* the same on all ranks, as is what follows */
        return status;
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of its write */
    if (is_root)
        root.status = root_begin(out, &store, root.name);
    pcdf_tool_share_all(out->ranks, &root, sizeof root, 0);
    if (root.status)
        return root.status;
    if (!is_root)
        pcdf_zarrstore_watch(root.name);
    if (!out->header_only)
        status = pcdf_zarrencode_write(out, root.name);
    if (!status && !is_root)
        status = sync_store(out, root.name);
    status = pcdf_tool_worst_all(out->ranks, status);
    if (is_root)
        status = root_end(out, &store, status);
    status = pcdf_tool_worst_all(out->ranks, status);
    if (!is_root)
        pcdf_zarrstore_watch(NULL);
    return status;
}
