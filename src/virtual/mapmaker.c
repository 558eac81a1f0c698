/* Maps by the libraries of other formats, in a process of their own (plugins/maphost.c): rank 0, or a
 * command, starts the program parcdf-map, reads the file for it, and gets an image. What the process says is
 * not trusted. If it crashes, hangs or takes too much memory, then the file is damaged, and the caller goes
 * on. */

#include "source.h"
#include <string.h>
#include "alloc.h"
#include "mapprocess.h"
#include "mapwire.h"
#include "posixio.h"
#include "status.h"

enum {
    CPU_SECONDS = 15,    /* for each second that it may be without progress */
    MOST_IMAGE = 1 << 30 /* bytes */
};

struct map { /* that is made */
    struct pcdf_mapprocess process;
    struct pcdf_store *store;
    unsigned char *image;
    int64_t nimage;
};

/* ---- what it asks for, and says */

static int read_store(void *context, int64_t offset, int64_t length, void *to)
{
    struct map *map = context;
    struct pcdf_fetch f = { .store = map->store, .key = "", .offset = offset, .length = length, .to = to };
    pcdf_fetch_start(&f, 1);
    (void)pcdf_fetch_finish(&f, 1);
    if (f.err)
        return f.err;
    return f.got < length ? PCDF_FAIL(NC_EREAD, "%s: it became shorter while it was read", map->process.name)
                          : NC_NOERR;
}

static int say_hello(struct pcdf_mapprocess *p)
{
    const char *path = strstr(p->name, "://") ? "" : pcdf_path_posix(p->name);
    struct pcdf_mapwire_hello hello = { PCDF_MAPWIRE_VERSION, (int32_t)strlen(path), p->size, p->memory,
                                        CPU_SECONDS * p->seconds };
    int why = pcdf_mapprocess_move(p, NULL, &hello, sizeof hello);
    if (!why)
        why = pcdf_mapprocess_move(p, NULL, path, strlen(path));
    return why ? pcdf_mapprocess_gone(p, why) : NC_NOERR;
}

static int take_image(struct map *map, int64_t n)
{
    struct pcdf_mapprocess *p = &map->process;
    if (map->image || n <= 0 || n > MOST_IMAGE)
        return pcdf_mapprocess_strange(p);
    map->image = pcdf_malloc((size_t)n);
    if (!map->image) {
        int status;
        pcdf_mapprocess_end(p, true, &status);
        return PCDF_FAIL(NC_ENOMEM, "%s: no memory for a map of %lld bytes", p->name, (long long)n);
    }
    map->nimage = n;
    int why = pcdf_mapprocess_move(p, map->image, NULL, (size_t)n);
    return why ? pcdf_mapprocess_gone(p, why) : NC_NOERR;
}

static int converse(struct map *map)
{
    struct pcdf_mapprocess *p = &map->process;
    PCDF_TRY(say_hello(p));
    for (;;) {
        struct pcdf_mapwire_message m;
        int status;
        PCDF_TRY(pcdf_mapprocess_hear(p, &m));
        if (m.what == PCDF_MAPWIRE_IMAGE) {
            PCDF_TRY(take_image(map, m.length));
        } else if (m.what == PCDF_MAPWIRE_END && map->image) {
            pcdf_mapprocess_end(p, true, &status); /* it has nothing more to say */
            return NC_NOERR;
        } else if (m.what != PCDF_MAPWIRE_ALIVE) {
            return pcdf_mapprocess_strange(p);
        }
    }
}

/* ---- */

/* The file is the one store of the image: what the process calls it does not count. */
static int name_store(struct pcdf_image *image, struct pcdf_store *store, const struct pcdf_pin *pin)
{
    const char *name = pcdf_store_name(store);
    char *copy = pcdf_strndup(name, strlen(name));
    if (!copy || image->nstores != 1) {
        pcdf_free(copy);
        return copy ? PCDF_FAIL(NC_ENOTNC,
                                "%s: the process that read its definitions said what makes no sense", name)
                    : PCDF_FAIL(NC_ENOMEM, "no memory for the name of %s", name);
    }
    pcdf_free(image->stores[0].name);
    pcdf_bond_free(&image->stores[0].bond);
    image->stores[0].name = copy;
    image->stores[0].pin = *pin;
    return pcdf_bond_copy(pcdf_store_bond(store), &image->stores[0].bond);
}

/* libhdf4 opens the file by its name, which may mean another one by now. Far files are compared at each read.
 */
static int check_unchanged(const char *name, const struct pcdf_pin *pin)
{
    struct pcdf_store *again = NULL;
    struct pcdf_pin now;
    if (strstr(name, "://"))
        return NC_NOERR;
    PCDF_TRY(pcdf_store_open(name, pin, &again));
    int err = pcdf_store_pin(again, &now);
    pcdf_store_close(again);
    return err;
}

int pcdf_map_by_plugin(const char *plugin, struct pcdf_store *store, const struct pcdf_map_limits *limits,
                       struct pcdf_image *image)
{
    struct map map = { .store = store };
    struct pcdf_mapprocess *p = &map.process;
    struct pcdf_pin pin;
    PCDF_TRY(pcdf_store_pin(store, &pin));
    *p = (struct pcdf_mapprocess){ .name = pcdf_store_name(store),
                                   .plugin = plugin,
                                   .read = read_store,
                                   .context = &map,
                                   .size = pin.size };
    int err = pcdf_mapprocess_start(p, limits);
    if (!err)
        err = converse(&map);
    if (!err)
        err = check_unchanged(p->name, &pin);
    if (!err) {
        err = pcdf_image_decode(map.image, map.nimage, image);
        if (!err)
            err = name_store(image, store, &pin);
        if (err)
            pcdf_image_free(image);
    }
    pcdf_free(map.image);
    pcdf_mapprocess_free(p);
    return err;
}
