/* The plug-in hdf5: from an HDF5 or netCDF-4 file to calls of the builder (plugin.h). See h5file.h. */

#include "h5file.h"
#include "h5metafile.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "codes.h"

struct pcdf_h5_text {
    struct pcdf_h5_text *next;
    char text[];
};

static int report_failure(struct pcdf_h5 *h, int code, const char *before, const char *format, va_list list)
{
    char sentence[1000];
    int n = snprintf(sentence, sizeof sentence, "%s", before);
    vsnprintf(sentence + n, sizeof sentence - (size_t)n, format, list);
    return h->to->fail(h->to->context, code, sentence);
}

int pcdf_h5_fail(struct pcdf_h5 *h, int code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int err = report_failure(h, code, "", format, list);
    va_end(list);
    return err;
}

/* The innermost of libhdf5's messages. */
static herr_t take_message(unsigned n, const H5E_error2_t *error, void *to)
{
    (void)n;
    snprintf(to, 200, ": %s", error->desc ? error->desc : "");
    return 1;
}

int pcdf_h5_damaged(struct pcdf_h5 *h, const char *format, ...)
{
    char what[700], why[200] = "";
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_message, why);
    return pcdf_h5_fail(h, NC_ENOTNC, "libhdf5 cannot read %s%s", what, why);
}

int pcdf_h5_left_out(struct pcdf_h5 *h, const char *format, ...)
{
    char sentence[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    return h->to->left_out(h->to->context, sentence);
}

char *pcdf_h5_keep(struct pcdf_h5 *h, const char *text)
{
    size_t n = strlen(text) + 1;
    struct pcdf_h5_text *t = malloc(sizeof *t + n);
    if (!t) {
        pcdf_h5_fail(h, NC_ENOMEM, "no memory for the names of the file");
        return NULL;
    }
    t->next = h->texts;
    h->texts = t;
    return memcpy(t->text, text, n);
}

bool pcdf_h5_reserve(void *list, size_t n, size_t *room, size_t each)
{
    if (n < *room)
        return true;
    size_t more = *room ? 2 * *room : 64;
    void *now, *old;
    memcpy(&old, list, sizeof old);
    now = realloc(old, more * each);
    if (!now)
        return false;
    memcpy(list, &now, sizeof now);
    *room = more;
    return true;
}

static int map_file(struct pcdf_h5 *h)
{
    int err = pcdf_h5_walk(h);
    if (!err)
        err = pcdf_h5_find_dims(h);
    if (!err)
        err = h->to->kind(h->to->context, h->is_strict    ? PCDF_SOURCE_NETCDF4_CLASSIC
                                          : h->is_netcdf4 ? PCDF_SOURCE_NETCDF4
                                                          : PCDF_SOURCE_HDF5);
    for (size_t g = 0, i = 0; !err && g < h->ngroups; g++) {
        hid_t group = H5Oopen_by_addr(h->file, h->groups[g].address);
        err = group < 0 ? pcdf_h5_damaged(h, "group %s/", h->groups[g].path)
                        : pcdf_h5_atts(h, group, h->groups[g].path, -1, "", false);
        if (group >= 0)
            H5Oclose(group);
        for (; !err && i < h->nsets && (size_t)h->sets[i].group == g; i++)
            err = pcdf_h5_var(h, &h->sets[i]);
        h->to->alive(h->to->context);
    }
    return err;
}

static int map(const struct pcdf_map_source *source, const struct pcdf_map_builder *to)
{
    struct pcdf_h5 h = { .source = source, .to = to, .file = -1 };
    hid_t fapl;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5PLset_loading_state(0); /* no filters from HDF5_PLUGIN_PATH: we decode */
    if (pcdf_h5_driver(source, &fapl))
        return pcdf_h5_fail(&h, NC_EINTERNAL, "libhdf5 does not take the driver of parcdf");
    h.file = H5Fopen("map", H5F_ACC_RDONLY, fapl);
    int err = h.file < 0 ? pcdf_h5_damaged(&h, "it") : map_file(&h);
    if (h.file >= 0)
        H5Fclose(h.file);
    H5Pclose(fapl);
    pcdf_h5_driver_end();
    while (h.texts) {
        struct pcdf_h5_text *next = h.texts->next;
        free(h.texts);
        h.texts = next;
    }
    free(h.groups);
    free(h.dims);
    free(h.sets);
    free(h.raw);
    return err;
}

__attribute__((visibility("default"))) const struct pcdf_plugin *pcdf_plugin(void);

const struct pcdf_plugin *pcdf_plugin(void)
{
    static char version[60];
    static const struct pcdf_plugin plugin = { .abi = PCDF_PLUGIN_ABI,
                                               .size = sizeof plugin,
                                               .name = "hdf5",
                                               .version = version,
                                               .map = map,
                                               .metadata = &pcdf_h5_metadata };
    unsigned a, b, c;
    H5get_libversion(&a, &b, &c);
    snprintf(version, sizeof version, "libhdf5 %u.%u.%u", a, b, c);
    return &plugin;
}
