/* What the storage "virtual" shows, against brute force: random images over files in this folder, of all
 * kinds of maps, types, byte orders, orders of dimensions, with records and short shapes, read whole, in
 * random pieces of bytes and in random boxes of variables; and images as bytes, whole and damaged. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "alloc.h"
#include "check.h"
#include "chunkread.h"
#include "classicvalue.h"
#include "status.h"
#include "virtualstorage.h"

enum { MOST_VARS = 5, MOST_DIMS = 4, MOST_FILE = 1 << 22 };

static uint64_t state;
static int64_t below(int64_t n) /* 0 to n - 1 */
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)n);
}

static struct pcdf_image image;
static struct pcdf_classic *c;
static unsigned char *want; /* the bytes of the image */
static unsigned char *file; /* "chunks.bin" */
static int64_t nfile;

struct made {              /* a variable while it is made */
    struct pcdf_chunked v; /* shape, chunk, order are these */
    int64_t shape[MOST_DIMS], chunk[MOST_DIMS], length[MOST_DIMS], grid[MOST_DIMS];
    int order[MOST_DIMS];
    int ndims, width;
    int64_t nchunks, elements, chunk_elements;
    bool *there;
    unsigned char *stored; /* of each element of shape's array, by its number in the image, as stored */
    unsigned char *external;
};
static struct made made[MOST_VARS];

/* ---- values */

static void put_number(unsigned char *to, uint64_t x, int size, bool big)
{
    for (int i = 0; i < size; i++)
        to[i] = (unsigned char)(x >> 8 * (big ? size - 1 - i : i));
}

static void make_value(const struct made *m, unsigned char *stored, unsigned char *external)
{
    static const struct {
        uint32_t c;
        const char *utf8;
    } chars[] = {
        { 'a', "a" }, { 0xE9, "\xc3\xa9" }, { 0x20AC, "\xe2\x82\xac" }, { 0x1F600, "\xf0\x9f\x98\x80" }
    };
    int size = m->v.size;
    uint64_t bits =
        (uint64_t)below(1 << 30) << 40 ^ (uint64_t)below(1 << 30) << 20 ^ (uint64_t)below(1 << 30);
    memset(external, 0, (size_t)m->width);
    if (m->v.stored == PCDF_STORED_UCS4) {
        size_t at = 0;
        bool ended = false;
        for (int i = 0; i < size; i += 4) {
            int k = (int)below(4);
            ended = ended || below(5) == 0;
            put_number(stored + i, ended ? 0 : chars[k].c, 4, m->v.is_big);
            if (!ended) {
                memcpy(external + at, chars[k].utf8, strlen(chars[k].utf8));
                at += strlen(chars[k].utf8);
            }
        }
    } else if (m->v.stored == PCDF_STORED_TEXT) {
        for (int i = 0; i < size; i++)
            external[i] = stored[i] = (unsigned char)('A' + below(26));
    } else if (m->v.stored == PCDF_STORED_REAL && size == 2) {
        uint16_t half = (uint16_t)(bits & 0xBBFF); /* no NaN */
        float wide = pcdf_half_to_float(half);
        uint32_t word;
        memcpy(&word, &wide, 4);
        put_number(stored, half, 2, m->v.is_big);
        put_number(external, word, 4, true);
    } else {
        put_number(stored, bits, size, m->v.is_big);
        put_number(external, bits, size, true);
    }
}

/* ---- chunks */

static void index_of(int n, const int64_t *lengths, int64_t number, int64_t *index)
{
    for (int i = n - 1; i >= 0; i--) {
        index[i] = number % lengths[i];
        number /= lengths[i];
    }
}

/* The bytes of one chunk before codecs. */
static unsigned char *chunk_bytes(const struct made *m, int64_t number)
{
    int64_t at[MOST_DIMS], in[MOST_DIMS];
    unsigned char *bytes = malloc((size_t)(m->chunk_elements * m->v.size));
    index_of(m->ndims, m->grid, number, at);
    for (int64_t e = 0; e < m->chunk_elements; e++) {
        int64_t ordered[MOST_DIMS], rest = e, element = 0;
        bool inside = true;
        for (int i = 0; i < m->ndims; i++)
            ordered[i] = m->chunk[m->v.order ? m->order[i] : i];
        index_of(m->ndims, ordered, rest, in);
        int64_t index[MOST_DIMS];
        for (int i = 0; i < m->ndims; i++)
            index[m->v.order ? m->order[i] : i] = in[i];
        for (int i = 0; i < m->ndims; i++) {
            index[i] += at[i] * m->chunk[i];
            inside = inside && index[i] < m->shape[i];
            element = element * m->length[i] + index[i];
        }
        if (inside)
            memcpy(bytes + e * m->v.size, m->stored + element * m->v.size, (size_t)m->v.size);
        else
            memset(bytes + e * m->v.size, 0xDB, (size_t)m->v.size);
    }
    return bytes;
}

static void write_file(const char *path, const unsigned char *bytes, int64_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK_INT(write(fd, bytes, (size_t)n), n);
    close(fd);
}

static void add_to_file(const unsigned char *bytes, int64_t n, int64_t gap)
{
    CHECK(nfile + n + gap < MOST_FILE, "the file is too small");
    nfile += gap;
    memcpy(file + nfile, bytes, (size_t)n);
    nfile += n;
}

/* One chunk as it is stored (free). */
static unsigned char *encoded(const struct made *m, int64_t number, int64_t *n)
{
    unsigned char *plain = chunk_bytes(m, number), *coded, *copy;
    struct pcdf_codec_scratch scratch = { 0 };
    size_t size = (size_t)(m->chunk_elements * m->v.size);
    *n = (int64_t)size;
    if (m->v.chain < 0)
        return plain;
    CHECK_INT(pcdf_chain_encode(&image.chains[m->v.chain], plain, size, &coded, &size, &scratch), NC_NOERR);
    copy = malloc(size);
    memcpy(copy, coded, size);
    *n = (int64_t)size;
    pcdf_free(coded);
    pcdf_free(scratch.a);
    pcdf_free(scratch.b);
    free(plain);
    return copy;
}

static void make_map(struct made *m, int varid)
{
    struct pcdf_chunkmap *map = &m->v.map;
    struct pcdf_pin none = { .size = -1 };
    int store;
    CHECK_INT(pcdf_image_store(&image, "chunks.bin", &none, &store), NC_NOERR);
    bool all = true;
    for (int64_t i = 0; i < m->nchunks; i++)
        all = all && m->there[i];
    if (map->kind == PCDF_MAP_KEYS) {
        char prefix[40];
        CHECK_INT(pcdf_image_store(&image, "keys", &none, &map->store), NC_NOERR);
        snprintf(prefix, sizeof prefix, "v%d/", varid);
        map->prefix = pcdf_strndup(prefix, strlen(prefix));
        map->separator = '.';
        mkdir("keys", 0700);
        snprintf(prefix, sizeof prefix, "keys/v%d", varid);
        mkdir(prefix, 0700);
    }
    for (int64_t i = 0; i < m->nchunks; i++) {
        int64_t n, index[MOST_DIMS], gap = below(3) * below(50);
        unsigned char *bytes = encoded(m, i, &n);
        char path[200];
        if (map->kind == PCDF_MAP_INLINE) {
            map->bytes = pcdf_malloc((size_t)n);
            map->nbytes = n;
            memcpy(map->bytes, bytes, (size_t)n);
        } else if (map->kind == PCDF_MAP_KEYS) {
            int at = snprintf(path, sizeof path, "keys/v%d/", varid);
            index_of(m->ndims, m->grid, i, index);
            if (m->ndims == 0)
                snprintf(path + at, sizeof path - (size_t)at, "0");
            for (int k = 0; k < m->ndims; k++)
                at += snprintf(path + at, sizeof path - (size_t)at, k ? ".%d" : "%d", (int)index[k]);
            unlink(path);
            if (m->there[i])
                write_file(path, bytes, n);
        } else if (map->kind == PCDF_MAP_TABLE && m->there[i]) {
            add_to_file(bytes, n, gap);
            CHECK_INT(pcdf_chunkmap_add(map, i, store, nfile - n, n, 0), NC_NOERR);
        }
        free(bytes);
    }
    if (map->kind == PCDF_MAP_TABLE)
        CHECK_INT(pcdf_chunkmap_finish(map, m->nchunks), NC_NOERR);
}

/* ---- images */

static void make_type(struct made *m)
{
    static const struct {
        enum pcdf_stored stored;
        int size;
    } types[] = { { PCDF_STORED_INT, 1 },  { PCDF_STORED_INT, 2 },  { PCDF_STORED_INT, 4 },
                  { PCDF_STORED_UINT, 8 }, { PCDF_STORED_UINT, 2 }, { PCDF_STORED_REAL, 2 },
                  { PCDF_STORED_REAL, 4 }, { PCDF_STORED_REAL, 8 }, { PCDF_STORED_BOOL, 1 },
                  { PCDF_STORED_TEXT, 1 }, { PCDF_STORED_TEXT, 7 }, { PCDF_STORED_UCS4, 4 },
                  { PCDF_STORED_UCS4, 12 } };
    int k = (int)below(13);
    m->v.stored = types[k].stored;
    m->v.size = types[k].size;
    m->v.is_big = below(2);
    nc_type type = pcdf_stored_type(m->v.stored, m->v.size);
    m->width = type == NC_CHAR ? m->v.size : pcdf_type_size(type);
}

static void make_chain(struct made *m)
{
    struct pcdf_chain chain = { 0 };
    m->v.chain = -1;
    if (m->v.map.kind == PCDF_MAP_INLINE || below(3) == 0)
        return;
    chain.x[chain.n++] = (struct pcdf_codec){ PCDF_CODEC_SHUFFLE, 1, { (uint32_t)m->v.size }, "shuffle" };
    if (below(2))
        chain.x[chain.n++] = (struct pcdf_codec){ PCDF_CODEC_CRC32C, 0, { 0 }, "crc32c" };
    CHECK_INT(pcdf_image_chain(&image, &chain, &m->v.chain), NC_NOERR);
}

static void make_var(struct made *m, const int *dims, const int64_t *lengths, int ndims_there, int varid)
{
    static const enum pcdf_map_kind maps[] = { PCDF_MAP_TABLE, PCDF_MAP_TABLE, PCDF_MAP_KEYS, PCDF_MAP_INLINE,
                                               PCDF_MAP_NONE };
    int ids[MOST_DIMS], first = (int)below(3), id;
    char name[20];
    *m = (struct made){ 0 };
    m->ndims = (int)below(MOST_DIMS + 1 - first);
    m->nchunks = m->elements = m->chunk_elements = 1;
    m->v.map.kind = maps[below(5)];
    make_type(m);
    for (int i = 0; i < m->ndims; i++) { /* dimension 0 is the record dimension, and stands first */
        int k = i == 0 && first == 0 ? 0 : 1 + (int)below(ndims_there - 1);
        ids[i] = dims[k];
        m->length[i] = lengths[k];
        m->shape[i] = k == 0 && below(2) ? below(lengths[k] + 1) : lengths[k];
        m->chunk[i] =
            m->v.map.kind == PCDF_MAP_INLINE ? (m->shape[i] ? m->shape[i] : 1) : 1 + below(lengths[k] + 2);
        m->grid[i] = (m->shape[i] + m->chunk[i] - 1) / m->chunk[i];
        m->nchunks *= m->grid[i];
        m->elements *= m->length[i];
        m->chunk_elements *= m->chunk[i];
        m->order[i] = i;
    }
    make_chain(m);
    m->v.ndims = m->ndims;
    m->v.shape = pcdf_calloc(MOST_DIMS, sizeof(int64_t));
    m->v.chunk = pcdf_calloc(MOST_DIMS, sizeof(int64_t));
    memcpy(m->v.shape, m->shape, sizeof m->shape);
    memcpy(m->v.chunk, m->chunk, sizeof m->chunk);
    if (m->ndims > 1 && below(3) == 0) {
        m->v.order = pcdf_calloc(MOST_DIMS, sizeof(int));
        for (int i = m->ndims - 1; i > 0; i--) {
            int k = (int)below(i + 1), swapped = m->order[i];
            m->order[i] = m->order[k];
            m->order[k] = swapped;
        }
        memcpy(m->v.order, m->order, sizeof m->order);
    }
    m->there = malloc((size_t)m->nchunks + 1);
    bool is_full = below(2);
    for (int64_t i = 0; i < m->nchunks; i++)
        m->there[i] =
            m->v.map.kind == PCDF_MAP_INLINE || (m->v.map.kind != PCDF_MAP_NONE && (is_full || below(3)));
    m->stored = calloc((size_t)m->elements + 1, (size_t)m->v.size);
    m->external = calloc((size_t)m->elements + 1, (size_t)m->width);
    for (int64_t i = 0; i < m->elements; i++)
        make_value(m, m->stored + i * m->v.size, m->external + i * m->width);
    make_map(m, varid);
    struct pcdf_chunked v = m->v;
    snprintf(name, sizeof name, "v%d", varid);
    CHECK_INT(pcdf_classic_var(c, "", name, ids, &v, &id), NC_NOERR);
    CHECK_INT(id, varid);
    unsigned char fill[16];
    for (size_t i = 0; i < sizeof fill; i++)
        fill[i] = (unsigned char)below(100);
    if (m->v.stored != PCDF_STORED_TEXT && m->v.stored != PCDF_STORED_UCS4)
        CHECK_INT(pcdf_classic_fill(c, id, fill, true), NC_NOERR);
}

/* What brute force says the image's bytes are. */
static void expect(const struct made *m, int varid)
{
    int64_t chars = image.meta.vars[varid].type == NC_CHAR ? m->v.size : 1, index[MOST_DIMS], at[MOST_DIMS];
    for (int64_t e = 0; e < m->elements; e++) {
        int64_t number = 0;
        bool inside = true;
        index_of(m->ndims, m->length, e, index);
        for (int i = 0; i < m->ndims; i++) {
            inside = inside && index[i] < m->shape[i];
            at[i] = index[i] / m->chunk[i];
            number = number * m->grid[i] + at[i];
        }
        inside = inside && m->there[number];
        int64_t offset = pcdf_layout_value_at(&image.layout, &image.meta, varid, e * chars);
        if (inside)
            memcpy(want + offset, m->external + e * m->width, (size_t)m->width);
        else if (chars == 1 && image.meta.vars[varid].type != NC_CHAR)
            memcpy(want + offset, image.vars[varid].fill, (size_t)m->width);
    }
}

/* The number of variables. */
static int make_image(void)
{
    int dims[4], n = 1 + (int)below(MOST_VARS);
    int64_t lengths[4];
    nfile = 0;
    pcdf_image_init(&image, PCDF_SOURCE_ZARR2);
    CHECK_INT(pcdf_classic_begin(&image, &c), NC_NOERR);
    for (int i = 0; i < 4; i++) {
        char name[2] = { (char)('t' + i), '\0' };
        lengths[i] = i == 0 ? below(6) : 1 + below(7);
        CHECK_INT(pcdf_classic_dim(c, "", name, lengths[i], i == 0, &dims[i]), NC_NOERR);
    }
    for (int i = 0; i < n; i++)
        make_var(&made[i], dims, lengths, 4, i);
    CHECK_INT(pcdf_classic_finish(c), NC_NOERR);
    CHECK_INT(pcdf_image_check(&image), NC_NOERR);
    CHECK_INT(pcdf_image_write_header(&image), NC_NOERR);
    CHECK_INT(image.nvars, n);
    write_file("chunks.bin", file, nfile);
    return n;
}

/* ---- reading */

static struct pcdf_storage *open_image(struct pcdf_image *it, struct pcdf_counts *counts)
{
    struct pcdf_storage *s = NULL;
    const struct pcdf_shown shown = { .image = it, .cache = below(2) * below(3000) };
    const struct pcdf_storage_config config = {
        .path = "image", .mode = PCDF_STORAGE_READ, .counts = counts, .shown = &shown
    };
    CHECK_INT(pcdf_virtualstorage.open(&config, &s), NC_NOERR);
    return s;
}

static void read_pieces(struct pcdf_storage *s, int64_t size, unsigned seed)
{
    struct pcdf_piece pieces[20];
    static char bytes[20][MOST_FILE / 64];
    int n = 1 + (int)below(20);
    int64_t got = 0;
    for (int i = 0; i < n; i++) {
        int64_t at = below(size + 10), length = 1 + below(below(3) ? 30 : size);
        length = length < (int64_t)sizeof bytes[i] ? length : (int64_t)sizeof bytes[i];
        memset(bytes[i], 0x5A, sizeof bytes[i]);
        pieces[i] = (struct pcdf_piece){ at, length, bytes[i] };
    }
    const struct pcdf_extents x = { .dir = PCDF_GET, .n = (size_t)n, .pieces = pieces };
    int err = pcdf_storage_move(s, &x, &got);
    CHECK(err == NC_NOERR, "%s", pcdf_fail_text());
    for (int i = 0; i < n && !err; i++)
        for (int64_t k = 0; k < pieces[i].length; k++) {
            int64_t at = pieces[i].offset + k;
            unsigned char byte = at < size ? want[at] : 0;
            if ((unsigned char)bytes[i][k] != byte) {
                CHECK(false, "seed %u: byte %lld is %02x, not %02x", seed, (long long)at,
                      (unsigned char)bytes[i][k], byte);
                return;
            }
        }
}

/* ---- boxes */

enum { BOXES = 6, MOST_OF_BOX = 1 << 16 };

struct box { /* with the chars of texts as a dimension */
    int64_t start[MOST_DIMS + 1], count[MOST_DIMS + 1], stride[MOST_DIMS + 1];
    int64_t n;
    int size;
    unsigned char values[MOST_OF_BOX];
    int times[MOST_OF_BOX]; /* that an element came */
};
static struct box boxes[BOXES];

static void take(void *context, size_t number, int64_t element, int64_t n, const unsigned char *values)
{
    struct box *b = &boxes[number];
    CHECK(context == boxes && element >= 0 && n > 0 && element + n <= b->n, "elements %lld to %lld of %lld",
          (long long)element, (long long)(element + n), (long long)b->n);
    memcpy(b->values + element * b->size, values, (size_t)(n * b->size));
    for (int64_t i = element; i < element + n; i++)
        b->times[i]++;
}

/* A box of a variable with elements. */
static void draw_box(struct box *b, struct pcdf_box *box, bool is_taken)
{
    int id;
    const struct pcdf_var *var;
    int64_t shape[MOST_DIMS + 1];
    do {
        id = (int)below(image.nvars);
        var = &image.meta.vars[id];
        pcdf_var_shape(&image.meta, var, shape);
    } while (var->is_record && shape[0] == 0);
    b->n = 1;
    b->size = pcdf_type_size(var->type);
    for (int i = 0; i < var->ndims; i++) {
        bool is_whole = below(3) == 0;
        b->start[i] = is_whole ? 0 : below(shape[i]);
        b->stride[i] = is_whole || below(2) ? 1 : 1 + below(5);
        b->count[i] = is_whole ? shape[i] : 1 + below((shape[i] - b->start[i] - 1) / b->stride[i] + 1);
        if (b->count[i] == 1 && below(2))
            b->stride[i] = INT64_MAX;
        b->n *= b->count[i];
    }
    CHECK(b->n * b->size <= MOST_OF_BOX, "too large: %lld", (long long)b->n);
    memset(b->values, 0x5A, sizeof b->values);
    memset(b->times, 0, sizeof b->times);
    *box = (struct pcdf_box){ id, b->start, b->count, b->stride, is_taken ? NULL : (char *)b->values };
}

static void check_box(const struct box *b, int id, bool is_taken, unsigned seed)
{
    const struct pcdf_var *var = &image.meta.vars[id];
    int64_t at[MOST_DIMS + 1] = { 0 }, shape[MOST_DIMS + 1];
    bool is_swapped = !is_taken && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    pcdf_var_shape(&image.meta, var, shape);
    for (int64_t e = 0; e < b->n; e++) {
        int64_t number = 0;
        for (int i = 0; i < var->ndims; i++)
            number = number * shape[i] + b->start[i] + (at[i] ? at[i] * b->stride[i] : 0);
        const unsigned char *wanted = want + pcdf_layout_value_at(&image.layout, &image.meta, id, number);
        bool is_equal = !is_taken || b->times[e] == 1;
        for (int k = 0; k < b->size; k++)
            is_equal &= b->values[e * b->size + k] == wanted[is_swapped ? b->size - 1 - k : k];
        CHECK(is_equal, "seed %u, variable %d: element %lld of a box", seed, id, (long long)e);
        if (!is_equal)
            return;
        for (int i = var->ndims - 1; i >= 0 && ++at[i] == b->count[i]; i--)
            at[i] = 0;
    }
}

/* The stage is as large as the bytes are told to be, and grows where one value needs that. */
static void read_boxes(struct pcdf_storage *s, unsigned seed)
{
    struct pcdf_box x[BOXES];
    size_t n = 1 + (size_t)below(BOXES);
    bool is_taken = below(2);
    for (size_t i = 0; i < n; i++)
        draw_box(&boxes[i], &x[i], is_taken);
    const struct pcdf_boxes all = { n, x, below(2) ? 1 << 16 : below(3000), is_taken ? take : NULL, boxes };
    int err = pcdf_storage_get_boxes(s, &all);
    CHECK(err == NC_NOERR, "%s", pcdf_fail_text());
    for (size_t i = 0; i < n && !err; i++)
        check_box(&boxes[i], x[i].varid, is_taken, seed);
}

static bool has_values(void)
{
    bool any = false;
    for (int i = 0; i < image.nvars; i++)
        any |= !image.meta.vars[i].is_record || image.meta.numrecs > 0;
    return any;
}

static void read_image(struct pcdf_image *shown, unsigned seed)
{
    struct pcdf_counts counts = { 0 };
    struct pcdf_storage *s = open_image(shown, &counts);
    int64_t size, got, end = pcdf_layout_file_end(&image.layout, &image.meta);
    char *all = malloc((size_t)end);
    CHECK_INT(pcdf_storage_size(s, &size), NC_NOERR);
    CHECK_INT(size, end);
    int err = pcdf_storage_move_at(s, PCDF_GET, all, end, 0, &got);
    CHECK(err == NC_NOERR, "seed %u: %s", seed, pcdf_fail_text());
    CHECK_INT(got, end);
    for (int64_t i = 0; i < end && !err; i++)
        if ((unsigned char)all[i] != want[i]) {
            CHECK(false, "seed %u: byte %lld is %02x, not %02x", seed, (long long)i, (unsigned char)all[i],
                  want[i]);
            break;
        }
    for (int i = 0; i < 10; i++)
        read_pieces(s, end, seed);
    for (int i = 0; i < 10 && has_values(); i++)
        read_boxes(s, seed);
    CHECK_INT(pcdf_storage_move_at(s, PCDF_PUT, all, 1, 0, NULL), NC_EPERM);
    CHECK_INT(pcdf_storage_close(s), NC_NOERR);
    free(all);
}

/* Each variable whole, if its size is that of a test. */
static void read_variables(struct pcdf_storage *s, const struct pcdf_image *odd)
{
    static int64_t start[PCDF_MOST_DIMS + 1], count[PCDF_MOST_DIMS + 1];
    for (int i = 0; i < odd->nvars; i++) {
        const struct pcdf_var *var = &odd->meta.vars[i];
        int64_t bytes = pcdf_type_size(var->type);
        pcdf_var_shape(&odd->meta, var, count);
        for (int k = 0; k < var->ndims; k++)
            bytes = bytes > 0 && count[k] <= MOST_FILE / bytes ? bytes * count[k] : 0;
        char *values = bytes > 0 ? malloc((size_t)bytes) : NULL;
        const struct pcdf_box box = { i, start, count, NULL, values };
        if (values)
            (void)pcdf_storage_get_boxes(s, &(struct pcdf_boxes){ .n = 1, .x = &box, .nbytes = bytes });
        free(values);
    }
}

/* Bytes of an image that are changed are refused, or show something: they never do harm. */
static void damage(const unsigned char *bytes, int64_t n, bool reads)
{
    unsigned char *copy = malloc((size_t)n);
    struct pcdf_image odd;
    memcpy(copy, bytes, (size_t)n);
    for (int64_t i = 1 + below(3); i > 0; i--)
        copy[below(n)] = (unsigned char)(below(3) ? below(256) : below(2) * 255);
    int64_t some = below(8) ? n : below(n);
    if (pcdf_image_decode(copy, some, &odd) == NC_NOERR) {
        int64_t end = pcdf_layout_file_end(&odd.layout, &odd.meta);
        if (reads && end < MOST_FILE) {
            struct pcdf_counts counts = { 0 };
            struct pcdf_storage *s = open_image(&odd, &counts);
            char *all = malloc((size_t)end + 1);
            (void)pcdf_storage_move_at(s, PCDF_GET, all, end, 0, NULL);
            read_variables(s, &odd);
            (void)pcdf_storage_close(s);
            free(all);
        }
        pcdf_image_free(&odd);
    }
    free(copy);
}

static void one(unsigned seed)
{
    unsigned char *bytes;
    int64_t n;
    struct pcdf_image other;
    state = seed * 2654435761u + 1;
    int nvars = make_image();
    int64_t end = pcdf_layout_file_end(&image.layout, &image.meta);
    CHECK(end < MOST_FILE / 4, "too large: %lld", (long long)end);
    memset(want, 0, (size_t)end);
    memcpy(want, image.header, (size_t)image.header_size);
    for (int i = 0; i < nvars; i++)
        expect(&made[i], i);
    CHECK_INT(pcdf_image_encode(&image, &bytes, &n), NC_NOERR);
    int err = pcdf_image_decode(bytes, n, &other);
    pcdf_first(&err, err ? err : pcdf_image_write_header(&other));
    CHECK(err == NC_NOERR, "seed %u: %s", seed, pcdf_fail_text());
    read_image(&image, seed);
    if (!err) {
        read_image(&other, seed);
        pcdf_image_free(&other);
    }
    for (int i = 0; i < 50; i++)
        damage(bytes, n, i % 5 == 0);
    pcdf_free(bytes);
    for (int i = 0; i < nvars; i++) {
        free(made[i].there);
        free(made[i].stored);
        free(made[i].external);
    }
    pcdf_image_free(&image);
}

/* One contiguous variable of 4 MB, of which single elements, rows and all are read. */
static void contiguous(void)
{
    enum { ROWS = 1000, COLUMNS = 1031, BYTES = ROWS * COLUMNS * 4 };
    int dims[2], id, store;
    struct pcdf_chunked v = { .ndims = 2, .stored = PCDF_STORED_INT, .size = 4, .chain = -1 };
    const struct pcdf_pin none = { .size = -1 };
    pcdf_image_init(&image, PCDF_SOURCE_HDF5);
    CHECK_INT(pcdf_classic_begin(&image, &c), NC_NOERR);
    CHECK_INT(pcdf_classic_dim(c, "", "y", ROWS, false, &dims[0]), NC_NOERR);
    CHECK_INT(pcdf_classic_dim(c, "", "x", COLUMNS, false, &dims[1]), NC_NOERR);
    v.shape = pcdf_calloc(2, sizeof(int64_t));
    v.chunk = pcdf_calloc(2, sizeof(int64_t));
    v.shape[0] = v.chunk[0] = ROWS;
    v.shape[1] = v.chunk[1] = COLUMNS;
    CHECK_INT(pcdf_image_store(&image, "large.bin", &none, &store), NC_NOERR);
    CHECK_INT(pcdf_chunkmap_add(&v.map, 0, store, 12, BYTES, 0), NC_NOERR);
    CHECK_INT(pcdf_chunkmap_finish(&v.map, 1), NC_NOERR);
    CHECK_INT(v.map.kind, PCDF_MAP_LINEAR);
    CHECK_INT(pcdf_classic_var(c, "", "v", dims, &v, &id), NC_NOERR);
    CHECK_INT(pcdf_classic_finish(c), NC_NOERR);
    CHECK_INT(pcdf_image_write_header(&image), NC_NOERR);
    unsigned char *bytes = calloc(1, BYTES + 12);
    char *all = malloc(BYTES);
    want = realloc(want, (size_t)image.layout.begin[0] + BYTES);
    memset(want, 0, (size_t)image.layout.begin[0]);
    memcpy(want, image.header, (size_t)image.header_size);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        put_number(bytes + 12 + 4 * i, (uint32_t)i * 2654435761u, 4, false);
        put_number(want + image.layout.begin[0] + 4 * i, (uint32_t)i * 2654435761u, 4, true);
    }
    write_file("large.bin", bytes, BYTES + 12);
    struct pcdf_counts counts = { 0 };
    struct pcdf_storage *s = open_image(&image, &counts);
    for (unsigned i = 0; i < 30; i++)
        read_pieces(s, image.layout.begin[0] + BYTES, i);
    CHECK_INT(pcdf_storage_move_at(s, PCDF_GET, all, BYTES, image.layout.begin[0], NULL), NC_NOERR);
    CHECK(memcmp(all, want + image.layout.begin[0], BYTES) == 0, "all of it");
    write_file("large.bin", bytes, BYTES); /* 12 bytes too few */
    CHECK_INT(pcdf_storage_move_at(s, PCDF_GET, all, BYTES, image.layout.begin[0], NULL), NC_EREAD);
    CHECK_INT(pcdf_storage_close(s), NC_NOERR);
    free(bytes);
    free(all);
    pcdf_image_free(&image);
}

int main(int argc, char **argv)
{
    unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 0, n = argc > 2 ? (unsigned)atoi(argv[2]) : 300;
    want = malloc(MOST_FILE);
    file = malloc(MOST_FILE);
    int64_t before = pcdf_alloc_now();
    for (unsigned i = first; i < first + n && check_bad < 10; i++)
        one(i);
    contiguous();
    CHECK_INT(pcdf_alloc_now(), before);
    free(want);
    free(file);
    return check_done("virtual_random");
}
