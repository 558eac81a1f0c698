/* See source.h. */

#include "source.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "alloc.h"
#include "filekind.h"
#include "journalfile.h"
#include "sidecar.h"
#include "status.h"
#include "url.h"

enum { HEAD = 1024 };

/* References: an object with one of these names among its first bytes. */
static bool are_references(const unsigned char *bytes, size_t n)
{
    static const char *const words[] = { "\"refs\"", "\"version\"", ".zgroup\"", ".zmetadata\"",
                                         ".zattrs\"" };
    char text[HEAD + 1];
    size_t at = 0;
    n = n < HEAD ? n : HEAD;
    memcpy(text, bytes, n);
    text[n] = '\0';
    while (at < n && isspace((unsigned char)text[at]))
        at++;
    bool is_one = false;
    for (size_t i = 0; text[at] == '{' && i < sizeof words / sizeof *words; i++)
        is_one |= strstr(text, words[i]) != NULL;
    return is_one;
}

static enum pcdf_source_kind kind_of_bytes(const unsigned char *bytes, size_t n)
{
    switch (pcdf_filekind_of_bytes(bytes, n)) {
    case PCDF_FILEKIND_HDF5:
        return PCDF_SOURCE_HDF5;
    case PCDF_FILEKIND_HDF4:
        return PCDF_SOURCE_HDF4;
    case PCDF_FILEKIND_TEXT:
        return are_references(bytes, n) ? PCDF_SOURCE_KERCHUNK : PCDF_SOURCE_CLASSIC;
    default:
        return PCDF_SOURCE_CLASSIC;
    }
}

/* The first bytes of the object "". */
static int read_head(struct pcdf_store *store, unsigned char bytes[HEAD], size_t *n)
{
    struct pcdf_fetch f = { .store = store, .key = "", .length = HEAD, .to = bytes };
    pcdf_fetch_start(&f, 1);
    (void)pcdf_fetch_finish(&f, 1);
    *n = f.err ? 0 : (size_t)f.got;
    return f.err;
}

/* A store with keys: of version 3, or of 2; NCZarr is a Zarr that zarr.c knows when it sees it. Far away each
 * question is a request: the likely ones come first. S3 refuses what is not there to whom may not list. */
static int kind_of_keys(struct pcdf_store *store, enum pcdf_source_kind *kind)
{
    static const struct {
        const char *key;
        enum pcdf_source_kind kind;
    } keys[] = { { ".zmetadata", PCDF_SOURCE_ZARR2 },
                 { "zarr.json", PCDF_SOURCE_ZARR3 },
                 { ".zgroup", PCDF_SOURCE_ZARR2 },
                 { ".zarray", PCDF_SOURCE_ZARR2 },
                 { ".nczarr", PCDF_SOURCE_ZARR2 } };
    int refused = NC_NOERR;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        bool has = false;
        int err = pcdf_store_has(store, keys[i].key, &has);
        if (err && err != NC_EACCESS)
            return err;
        pcdf_first(&refused, err);
        if (has) {
            *kind = keys[i].kind;
            return NC_NOERR;
        }
    }
    return refused ? refused
                   : PCDF_FAIL(NC_ENOTNC, "%s: there is no Zarr store in it", pcdf_store_name(store));
}

/* ---- modes */

static bool kind_of_mode(const char *name, enum pcdf_source_kind *kind)
{
    static const struct {
        const char *word;
        enum pcdf_source_kind kind;
    } modes[] = { { "nczarr", PCDF_SOURCE_NCZARR },  { "zarr3", PCDF_SOURCE_ZARR3 },
                  { "zarr2", PCDF_SOURCE_ZARR2 },    { "xarray", PCDF_SOURCE_ZARR2 },
                  { "noxarray", PCDF_SOURCE_ZARR2 }, { "kerchunk", PCDF_SOURCE_KERCHUNK } };
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (pcdf_url_has_mode(name, modes[i].word)) {
            *kind = modes[i].kind;
            return true;
        }
    return false;
}

/* ---- what a name is */

/* file:///path#mode=..: the path (pcdf_free). */
static char *path_of(const char *name)
{
    const char *from = strncmp(name, "file://", 7) == 0 ? name + 7 : name;
    const char *end = from != name ? strrchr(from, '#') : NULL;
    return pcdf_strndup(from, end ? (size_t)(end - from) : strlen(from));
}

/* An archive of whatever it is: why it cannot be read, and the way out. */
static int is_no_store(const char *path)
{
    char why[400];
    snprintf(why, sizeof why, "%s", pcdf_fail_text());
    return PCDF_FAIL(NC_ENOTNC, "%s (`unzip %s` unpacks what is no Zarr store)", why, path);
}

static int look_near(const char *name, const char *path, struct pcdf_source *source)
{
    unsigned char head[HEAD];
    size_t n;
    enum pcdf_filekind kind = pcdf_filekind_of(path);
    source->is_seen = kind == PCDF_FILEKIND_CLASSIC;
    source->is_marked = kind == PCDF_FILEKIND_HDF5_MARKED;
    bool may_be = kind == PCDF_FILEKIND_TEXT || kind == PCDF_FILEKIND_HDF5 || kind == PCDF_FILEKIND_HDF4 ||
                  kind == PCDF_FILEKIND_ZARR || kind == PCDF_FILEKIND_ZARR3 || kind == PCDF_FILEKIND_ZIP;
    if (!may_be)
        return NC_NOERR;
    struct pcdf_store *store = NULL;
    int err = pcdf_store_open(path, NULL, &store);
    if (err && kind == PCDF_FILEKIND_TEXT)
        return NC_NOERR; /* open's own sentence says what it is */
    if (err == NC_ENOTNC && kind == PCDF_FILEKIND_ZIP)
        return is_no_store(path);
    PCDF_TRY(err);
    source->store = store;
    if (kind == PCDF_FILEKIND_HDF5)
        source->kind = PCDF_SOURCE_HDF5;
    else if (kind == PCDF_FILEKIND_HDF4)
        source->kind = PCDF_SOURCE_HDF4;
    else if (kind == PCDF_FILEKIND_TEXT && read_head(source->store, head, &n) == NC_NOERR)
        source->kind = kind_of_bytes(head, n);
    else if (kind != PCDF_FILEKIND_TEXT && !kind_of_mode(name, &source->kind))
        err = kind_of_keys(source->store, &source->kind);
    if (err && err != NC_ENOTNC && pcdf_store_has_keys(store)) /* it cannot be read */
        return err;
    if (!err && source->kind != PCDF_SOURCE_CLASSIC)
        return NC_NOERR;
    source->kind = PCDF_SOURCE_CLASSIC;
    pcdf_source_close(source);
    return NC_NOERR;
}

static int look_far(const char *name, struct pcdf_source *source)
{
    unsigned char head[HEAD];
    size_t n = 0;
    struct pcdf_store *store = NULL;
    source->is_far = true;
    PCDF_TRY(pcdf_store_open(name, NULL, &store));
    source->store = store;
    if (kind_of_mode(name, &source->kind))
        return NC_NOERR;
    if (pcdf_url_has_mode(name, "zarr") ||
        (pcdf_store_has_keys(source->store) && !pcdf_url_has_mode(name, "bytes")))
        return kind_of_keys(source->store, &source->kind);
    int err = read_head(source->store, head, &n);
    if (err == NC_ENOENT && !pcdf_url_has_mode(name, "bytes") &&
        kind_of_keys(source->store, &source->kind) == NC_NOERR)
        return NC_NOERR; /* a prefix of keys, with no object of its own */
    if (err)
        return err == NC_ENOENT ? PCDF_FAIL(NC_ENOENT, "%s is not there", pcdf_store_name(source->store))
                                : err;
    if (pcdf_filekind_of_bytes(head, n) == PCDF_FILEKIND_HDF5_MARKED)
        return PCDF_FAIL(NC_ERECOVER, "%s: %s", pcdf_store_name(store),
                         pcdf_filekind_say(PCDF_FILEKIND_HDF5_MARKED, NULL, NULL));
    source->kind = kind_of_bytes(head, n);
    return NC_NOERR;
}

int pcdf_source_look(const char *name, struct pcdf_source *source)
{
    *source = (struct pcdf_source){ .kind = PCDF_SOURCE_CLASSIC };
    int err;
    if (pcdf_url_is_far(name)) {
        err = look_far(name, source);
    } else {
        char *path = path_of(name);
        err = path ? look_near(name, path, source) : PCDF_FAIL(NC_ENOMEM, "no memory for the name %s", name);
        if (!err && source->kind == PCDF_SOURCE_CLASSIC && pcdf_url_is_known(name)) {
            /* file://: by its store, as what is far; of what is not there, those who open it say so */
            source->is_far = pcdf_store_open(path, NULL, &source->store) == NC_NOERR;
        }
        pcdf_free(path);
    }
    if (err)
        pcdf_source_close(source);
    return err;
}

enum { LOOKS_AT_A_MARK = 84, LONG_AGO = 5 }; /* 10 s; from here on, 16 ms and more lie between two looks */

/* Did a job begin the change, and end in the middle of it? Between two changes nobody holds a journal. So
 * nobody may have written to the file since the look before this one. */
static bool is_interrupted(const char *path, const struct pcdf_sidecar_facts *before, int looks)
{
    struct pcdf_sidecar_facts now = { 0 };
    if (looks < LONG_AGO || pcdf_journalfile_owner_works(path))
        return false;
    return !pcdf_sidecar_inspect(path, &now) && memcmp(before, &now, sizeof now) == 0;
}

static int await_change(const char *name, const char *path, struct pcdf_source *source)
{
    struct pcdf_sidecar_facts before = { 0 };
    for (int looks = 0; source->is_marked; looks++) {
        if (is_interrupted(path, &before, looks))
            return PCDF_FAIL(NC_ERECOVER,
                             "%s: a change of its metadata was interrupted; open it for writing, or run "
                             "`parcdf repair`, and it is finished",
                             name);
        if (looks == LOOKS_AT_A_MARK)
            return PCDF_FAIL(NC_ERECOVER, "%s: another job is changing its metadata", name);
        (void)pcdf_sidecar_inspect(path, &before);
        nanosleep(&(struct timespec){ 0, 1000000L << (looks < 7 ? looks : 7) }, NULL);
        pcdf_source_close(source);
        PCDF_TRY(pcdf_source_look(name, source));
    }
    return NC_NOERR;
}

int pcdf_source_look_to_read(const char *name, struct pcdf_source *source)
{
    PCDF_TRY(pcdf_source_look(name, source));
    if (!source->is_marked)
        return NC_NOERR;
    char *path = path_of(name);
    int err =
        path ? await_change(name, path, source) : PCDF_FAIL(NC_ENOMEM, "no memory for the name %s", name);
    if (err)
        pcdf_source_close(source);
    pcdf_free(path);
    return err;
}

void pcdf_source_close(struct pcdf_source *source)
{
    pcdf_store_close(source->store);
    source->store = NULL;
}

/* ---- images */

/* May the map have failed because another job changed the file meanwhile? */
static bool was_changed(const char *path, const struct pcdf_sidecar_facts *before)
{
    struct pcdf_sidecar_facts after = { 0 };
    return pcdf_sidecar_inspect(path, &after) || memcmp(before, &after, sizeof after) != 0 ||
           pcdf_filekind_of(path) == PCDF_FILEKIND_HDF5_MARKED;
}

static int open_anew(const char *path, struct pcdf_source *source)
{
    struct pcdf_source again;
    PCDF_TRY(pcdf_source_look_to_read(path, &again));
    if (again.kind != PCDF_SOURCE_HDF5) {
        pcdf_source_close(&again);
        return PCDF_FAIL(NC_EREAD, "%s: another file has its name now", path);
    }
    pcdf_store_close(source->store);
    source->store = again.store;
    return NC_NOERR;
}

/* Of a local file another job may change the metadata while it is read. Then it is read anew, for about a
 * second. */
static int map_hdf5(struct pcdf_source *source, struct pcdf_image *image)
{
    enum { LOOKS = 12 };
    const char *name = pcdf_store_name(source->store);
    char *path = pcdf_strndup(name, strlen(name));
    int err = path ? NC_NOERR : PCDF_FAIL(NC_ENOMEM, "no memory for the name %s", name);
    for (int looks = 0; !err; looks++) {
        struct pcdf_sidecar_facts before = { 0 };
        if (!source->is_far)
            (void)pcdf_sidecar_inspect(path, &before);
        pcdf_image_init(image, source->kind);
        err = pcdf_map_by_plugin("hdf5", source->store, &source->limits, image);
        if (!err || source->is_far || looks == LOOKS || !was_changed(path, &before))
            break;
        nanosleep(&(struct timespec){ 0, 1000000L << (looks < 7 ? looks : 7) }, NULL);
        err = open_anew(path, source);
    }
    pcdf_free(path);
    return err;
}

int pcdf_source_map(const char *name, struct pcdf_source *source, struct pcdf_image *image)
{
    int err;
    if (!source->is_far) /* without file:// and a mode */
        name = pcdf_store_name(source->store);
    pcdf_image_init(image, source->kind);
    switch (source->kind) {
    case PCDF_SOURCE_HDF5:
    case PCDF_SOURCE_NETCDF4:
    case PCDF_SOURCE_NETCDF4_CLASSIC:
        err = map_hdf5(source, image);
        break;
    case PCDF_SOURCE_HDF4:
        err = pcdf_map_by_plugin("hdf4", source->store, &source->limits, image);
        break;
    case PCDF_SOURCE_NCZARR:
    case PCDF_SOURCE_ZARR2:
    case PCDF_SOURCE_ZARR3:
        err = pcdf_zarr_map(name, source->store, source->kind, image);
        break;
    case PCDF_SOURCE_KERCHUNK:
        err = pcdf_kerchunk_map(source->store, source->allows, image);
        break;
    default:
        err = PCDF_FAIL(NC_EINVAL, "%s: a classic file has no image", name);
    }
    if (!err)
        err = pcdf_image_check(image);
    if (err)
        pcdf_image_free(image);
    return err;
}
