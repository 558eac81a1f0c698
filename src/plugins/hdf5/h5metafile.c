/* The life of a file whose metadata is written: see h5metafile.h. */

#include "h5metafile.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "codes.h"

int pcdf_h5_meta_fail(const struct pcdf_h5_meta *m, int code, const char *format, ...)
{
    char sentence[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    return m->host->fail(m->host->context, code, sentence);
}

/* The innermost of libhdf5's messages. */
static herr_t take_message(unsigned n, const H5E_error2_t *error, void *to)
{
    (void)n;
    snprintf(to, 200, ": %s", error->desc ? error->desc : "");
    return 1;
}

int pcdf_h5_meta_refused(const struct pcdf_h5_meta *m, const char *what, const char *name)
{
    char why[200] = "";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_message, why);
    return pcdf_h5_meta_fail(m, NC_EWRITE, "libhdf5 cannot write %s%s%s%s", what, *name ? " " : "", name,
                             why);
}

/* As netCDF-C makes files: superblock version 2, indexes of chunks that libhdf5 1.8 reads. What is new in a
 * file that is there may be as libhdf5 likes it. */
static hid_t access_list(hid_t fapl, bool is_new)
{
    H5AC_cache_config_t cache = { .version = H5AC__CURR_CACHE_CONFIG_VERSION };
    bool good =
        H5Pset_libver_bounds(fapl, H5F_LIBVER_V18, is_new ? H5F_LIBVER_V18 : H5F_LIBVER_LATEST) >= 0 &&
        H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG) >= 0 && H5Pset_cache(fapl, 0, 1, 0, 1) >= 0 &&
        H5Pget_mdc_config(fapl, &cache) >= 0;
    if (!good)
        return -1;
    cache.set_initial_size = 1;
    cache.initial_size = 32 << 20;
    cache.max_size = 64 << 20;
    cache.min_size = 16 << 20;
    return H5Pset_mdc_config(fapl, &cache) < 0 ? -1 : fapl;
}

static hid_t creation_list(void)
{
    hid_t fcpl = H5Pcreate(H5P_FILE_CREATE);
    bool good = fcpl >= 0 && H5Pset_obj_track_times(fcpl, 0) >= 0 &&
                H5Pset_link_creation_order(fcpl, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0 &&
                H5Pset_attr_creation_order(fcpl, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0;
    return good ? fcpl : -1;
}

/* Codecs that libhdf5 does not have are named by a filter that is never called: chunks come encoded. */
static size_t no_filter(unsigned flags, size_t n, const unsigned *values, size_t bytes, size_t *room,
                        void **buffer)
{
    (void)flags, (void)n, (void)values, (void)bytes, (void)room, (void)buffer;
    return 0;
}

static void add_filters(void)
{
    static const struct {
        H5Z_filter_t id;
        const char *name;
    } filters[] = { { 307, "bzip2" },
                    { 32001, "blosc" },
                    { 32004, "HDF5 lz4 filter; see http://www.hdfgroup.org/services/contributions.html" },
                    { 32015, "Zstandard compression: http://www.hdfgroup.org" } };
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        H5Z_class2_t c = { H5Z_CLASS_T_VERS, filters[i].id, 1, 1, filters[i].name, NULL, NULL, no_filter };
        if (H5Zfilter_avail(filters[i].id) <= 0)
            H5Zregister(&c);
    }
}

static void end(void *file)
{
    struct pcdf_h5_meta *m = file;
    if (m->file >= 0)
        H5Fclose(m->file); /* what it would write is not given to anybody */
    for (int i = 0; m->now && i < m->now->nvars; i++)
        free(m->vars[i].link);
    free(m->vars);
    free(m->scales);
    free(m);
    pcdf_h5_pages_end();
}

/* Can it be written to, while others read it? */
static int check_file(const struct pcdf_h5_meta *m)
{
    hid_t fcpl = H5Fget_create_plist(m->file);
    H5F_info2_t info;
    H5F_fspace_strategy_t strategy;
    hbool_t persists = 0;
    hsize_t threshold, block = 0;
    bool good = fcpl >= 0 && H5Fget_info2(m->file, &info) >= 0 && H5Pget_userblock(fcpl, &block) >= 0 &&
                H5Pget_file_space_strategy(fcpl, &strategy, &persists, &threshold) >= 0;
    if (fcpl >= 0)
        H5Pclose(fcpl);
    if (!good)
        return pcdf_h5_meta_refused(m, "this file", "");
    if (info.super.version > 3)
        return pcdf_h5_meta_fail(m, NC_ENOTSUPPORT,
                                 "an HDF5 file with a superblock of version %u can only be read",
                                 info.super.version);
    if (block > 0)
        return pcdf_h5_meta_fail(m, NC_ENOTSUPPORT,
                                 "an HDF5 file with a user block (of %llu bytes) can only be read",
                                 (unsigned long long)block);
    if (persists || strategy != H5F_FSPACE_STRATEGY_FSM_AGGR)
        return pcdf_h5_meta_fail(m, NC_ENOTSUPPORT,
                                 "an HDF5 file that keeps its free space, or has pages, can only be read");
    return NC_NOERR;
}

static int start(const struct pcdf_metadata_host *host, void **file)
{
    struct pcdf_h5_meta *m = calloc(1, sizeof *m), nobody = { .host = host };
    hid_t fapl = -1, fcpl = -1;
    if (!m)
        return pcdf_h5_meta_fail(&nobody, NC_ENOMEM, "no memory");
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5PLset_loading_state(0);
    *m = nobody;
    m->file = -1;
    add_filters();
    if (pcdf_h5_pages_start(host, &fapl) == 0 && access_list(fapl, host->size == 0) >= 0 &&
        (fcpl = creation_list()) >= 0)
        m->file = host->size > 0 ? H5Fopen("metadata", H5F_ACC_RDWR, fapl)
                                 : H5Fcreate("metadata", H5F_ACC_TRUNC, fcpl, fapl);
    int err =
        m->file < 0 ? pcdf_h5_meta_refused(m, host->size > 0 ? "this file" : "a new file", "") : NC_NOERR;
    if (!err && host->size > 0)
        err = check_file(m);
    if (fcpl >= 0)
        H5Pclose(fcpl);
    if (fapl >= 0)
        H5Pclose(fapl);
    if (err)
        end(m);
    else
        *file = m;
    return err;
}

static int adopt(void *file, const struct pcdf_definitions *definitions)
{
    return pcdf_h5_adopt(file, definitions);
}

static int give(const struct pcdf_h5_meta *m, struct pcdf_metadata_end *flushed)
{
    if (H5Fflush(m->file, H5F_SCOPE_GLOBAL) < 0)
        return pcdf_h5_meta_refused(m, "the metadata", "");
    int err = pcdf_h5_pages_give(&flushed->eof);
    flushed->left = pcdf_h5_pages_left();
    return err;
}

static int apply(void *file, const struct pcdf_metadata_change *change, struct pcdf_metadata_end *flushed)
{
    struct pcdf_h5_meta *m = file;
    int err = NC_NOERR;
    pcdf_h5_pages_room(change->begin, change->end);
    if (change->definitions)
        err = pcdf_h5_define(m, change->definitions);
    if (!err && !m->now)
        err = pcdf_h5_meta_fail(m, NC_EWRITE, "there are no definitions");
    if (!err)
        err = pcdf_h5_extend(m, change->numrecs);
    if (!err)
        err = pcdf_h5_enter(m, change->nentries, change->entries);
    if (!err && flushed)
        err = give(m, flushed);
    return err == -1 ? pcdf_h5_meta_fail(m, NC_ENOMEM, "no memory for the metadata") : err;
}

const struct pcdf_metadata_writer pcdf_h5_metadata = { start, adopt, apply, end };
