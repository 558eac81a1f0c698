/* libhdf5's file driver over the source of the map, with a cache of blocks. And the way to learn where chunks
 * lie: a driver that is asked to read raw data notes where, and reads nothing. That is right for every index
 * of chunks, costs one look-up each, and does what libhdf5 would do. H5Dget_chunk_info walks the index from
 * its beginning for each chunk, and H5Dchunk_iter is not in libhdf5 1.10.8. */

#include "h5file.h"
#include <stdlib.h>
#include <string.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

/* The first block is what a far file's first request brings; from others on, several are read at once. */
enum { BLOCK = 256 << 10, BLOCKS = 256, AT_ONCE = 4 };

struct block {
    int64_t number; /* -1: empty */
    uint64_t used;
    unsigned char *bytes;
};

struct driver { /* libhdf5 makes it by `calloc`, through open */
    H5FD_t public_part;
    haddr_t end_of_addresses;
};

/* A process makes one map. */
static const struct pcdf_map_source *source;
static struct block blocks[BLOCKS];
static uint64_t uses;
static bool is_recording, has_recorded, is_open;
static haddr_t recorded_address;
static size_t recorded_n;

void pcdf_h5_record(bool on)
{
    is_recording = on;
    has_recorded = false;
}

bool pcdf_h5_recorded(haddr_t *address, size_t *n)
{
    bool had = has_recorded;
    *address = recorded_address;
    *n = recorded_n;
    has_recorded = false;
    return had;
}

static struct block *find(int64_t number)
{
    for (struct block *b = blocks; b < blocks + BLOCKS; b++)
        if (b->bytes && b->number == number)
            return b;
    return NULL;
}

/* In the place of the block that was used longest ago; false: no memory. */
static bool keep_block(int64_t number, const unsigned char *bytes, size_t n)
{
    struct block *oldest = &blocks[0];
    for (struct block *b = blocks; b < blocks + BLOCKS; b++)
        oldest = b->used < oldest->used ? b : oldest;
    if (!oldest->bytes && !(oldest->bytes = malloc(BLOCK)))
        return false;
    memcpy(oldest->bytes, bytes, n);
    oldest->number = number;
    oldest->used = ++uses;
    return true;
}

/* The block, read where it is not there, with those behind it; NULL: it cannot be read. */
static const unsigned char *block_of(int64_t number)
{
    static unsigned char room[AT_ONCE * BLOCK];
    struct block *b = find(number);
    int64_t at = number * BLOCK, blocks_there = 1;
    while (!b && number > 0 && blocks_there < AT_ONCE && !find(number + blocks_there))
        blocks_there++;
    int64_t left = source->size - at, n = left < blocks_there * BLOCK ? left : blocks_there * BLOCK;
    if (!b && source->read(source->context, at, n, room))
        return NULL;
    for (int64_t i = (n - 1) / BLOCK; !b && i >= 0; i--)
        if (!keep_block(number + i, room + i * BLOCK,
                        (size_t)(n - i * BLOCK < BLOCK ? n - i * BLOCK : BLOCK)))
            return NULL;
    b = b ? b : find(number);
    b->used = ++uses;
    return b->bytes;
}

/* Only our own file: libhdf5 also opens what virtual data sets and links name, by the driver of the file. */
static H5FD_t *vfd_open(const char *name, unsigned flags, hid_t fapl, haddr_t most)
{
    (void)fapl, (void)most;
    if (is_open || (flags & H5F_ACC_RDWR) || strcmp(name, "map") != 0)
        return NULL;
    struct driver *d = calloc(1, sizeof *d);
    is_open = d != NULL;
    return d ? &d->public_part : NULL;
}

static herr_t vfd_close(H5FD_t *file)
{
    is_open = false;
    free(file);
    return 0;
}

static haddr_t vfd_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const struct driver *)file)->end_of_addresses;
}

static herr_t vfd_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((struct driver *)file)->end_of_addresses = address;
    return 0;
}

static haddr_t vfd_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)file, (void)type;
    return (haddr_t)source->size;
}

static herr_t vfd_read(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t n, void *to)
{
    (void)file, (void)dxpl;
    if (is_recording && type == H5FD_MEM_DRAW) {
        recorded_address = address;
        recorded_n = n;
        has_recorded = true;
        return 0;
    }
    if (address > (haddr_t)source->size || n > (haddr_t)source->size - address)
        return -1;
    int64_t at = (int64_t)address;
    if (n > BLOCK)
        return source->read(source->context, at, (int64_t)n, to) ? -1 : 0;
    for (size_t done = 0; done < n;) {
        const unsigned char *b = block_of((at + (int64_t)done) / BLOCK);
        size_t from = (size_t)((at + (int64_t)done) % BLOCK), part = BLOCK - from;
        if (!b)
            return -1;
        part = part < n - done ? part : n - done;
        memcpy((char *)to + done, b + from, part);
        done += part;
    }
    return 0;
}

static herr_t vfd_write(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t n,
                        const void *from)
{
    (void)file, (void)type, (void)dxpl, (void)address, (void)n, (void)from;
    return -1;
}

static const H5FD_class_t driver_class = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600,
#endif
    .name = "parcdf-map",
    .maxaddr = (haddr_t)1 << 62,
    .fc_degree = H5F_CLOSE_STRONG,
    .open = vfd_open,
    .close = vfd_close,
    .get_eoa = vfd_get_eoa,
    .set_eoa = vfd_set_eoa,
    .get_eof = vfd_get_eof,
    .read = vfd_read,
    .write = vfd_write,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

int pcdf_h5_driver(const struct pcdf_map_source *of, hid_t *fapl)
{
    source = of;
    is_open = false;
    hid_t driver = H5FDregister(&driver_class);
    *fapl = H5Pcreate(H5P_FILE_ACCESS);
    return driver < 0 || *fapl < 0 || H5Pset_driver(*fapl, driver, NULL) < 0 ? -1 : 0;
}

void pcdf_h5_driver_end(void)
{
    for (int i = 0; i < BLOCKS; i++) {
        free(blocks[i].bytes);
        blocks[i] = (struct block){ .number = -1 };
    }
}
