/* Writes a netCDF-4 file by h5meta.h, as commands on standard input say, one a line; see h5meta_test.py,
 * which makes them and knows what must be in the file. The values are written here: chunks by chains of
 * codecs, one behind the other. After each flush the file must be good by itself.
 *
 *   classic                     the file keeps to the classic model
 *   dim NAME LENGTH             0: the record dimension
 *   var NAME TYPE FILLED NDIMS ID... CHUNKED LENGTH... NCODECS CODEC PARAMS...   CODEC: its number;
 *                             TYPE: 100 more, big-endian
 *   att VAR NAME TYPE N VALUE...      VAR -1: global; of NC_CHAR: one text without spaces
 *   delatt VAR NAME / renatt VAR NAME NEW / rendim ID NAME / renvar ID NAME
 *   put VAR NUMBER SEED         a chunk, or a whole contiguous variable (NUMBER 0)
 *   flush NUMRECS COPY          and copies the file to COPY
 *   enter LEAST NUMRECS         lets the process begin with the chunks that were put
 *   is VAR NUMBER OFFSET LENGTH a chunk that is there: in rising order
 *   place VAR OFFSET, have VAR NUMBER OFFSET LENGTH, adopt      of a file that is there, behind its
 *                             definitions
 *   same NUMRECS              a flush that changes nothing
 *   cut LENGTH                  the file becomes as short as that
 *   many VAR N STEP RANKS       times N chunks of 100 bytes that are not there; told by STEP at once, with
 *                               `enter` (0: all at once, without), in the order of ranks that deal chunks
 *   again VAR N RANKS                the same chunks get other places
 *   wait                        for ever
 *   fork                        a process that has all that this one has open, and waits
 *   fail N                      the N-th allocation from now on fails, here
 */

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "alloc.h"
#include "h5meta.h"
#include "meaningvalues.h"
#include "status.h"
#include "value.h"

enum { MOST_VARS = 200, MOST_DIMS = 8, ROOM = 1 << 22, MOST_CHUNKS = 1 << 16, MOST_FIRST = 1000 };

static struct {
    int64_t chunk[MOST_DIMS], place;
    struct pcdf_chain chain;
    bool is_chunked, is_filled, is_big;
    unsigned char fill[8];
    struct pcdf_written_chunk
        first[MOST_FIRST]; /* of variables without codecs: chunks that are in the file */
    int nfirst;
} stored[MOST_VARS];
static struct pcdf_meta meta;
static struct pcdf_chunked image_vars[MOST_VARS];
static struct pcdf_image image = { .vars = image_vars };
static struct pcdf_h5meta *m;
static struct pcdf_written_chunk chunks[MOST_CHUNKS];
static int64_t nchunks, end = PCDF_H5META_HEAD;
static int fd;
static int64_t known_end; /* how long its metadata says it is */
/* What the file gets, for tests/crash/metaflushes.c, where H5META_OPERATIONS says. */
static FILE *operations;
static bool is_classic;
static bool is_old; /* the definitions are those of a file that is there */
static unsigned char values[ROOM];

static void check(int err, const char *what)
{
    if (!err)
        return;
    printf("%s: %d %s\n", what, err, pcdf_fail_text());
    fflush(stdout);
    exit(1);
}

static int64_t number(void)
{
    long long n = 0;
    if (scanf("%lld", &n) != 1)
        check(NC_EINVAL, "a number is missing");
    return n;
}

static char *word(void)
{
    static char text[4][20000];
    static int at;
    at = (at + 1) % 4;
    if (scanf("%19999s", text[at]) != 1)
        check(NC_EINVAL, "a word is missing");
    return text[at];
}

static int read_file(void *context, int64_t offset, int64_t length, void *to)
{
    (void)context;
    return pread(fd, to, (size_t)length, (off_t)offset) == length ? NC_NOERR
                                                                  : PCDF_FAIL(NC_EREAD, "it is cut off");
}

static void note(const void *bytes, int64_t n)
{
    if (operations && fwrite(bytes, 1, (size_t)n, operations) != (size_t)n)
        check(NC_EWRITE, "operations");
}

static void write_at(int64_t at, const void *bytes, int64_t n)
{
    if (pwrite(fd, bytes, (size_t)n, (off_t)at) != n)
        check(NC_EWRITE, "pwrite");
}

static void write_values(int64_t at, const void *bytes, int64_t n)
{
    note((int64_t[]){ 'W', at, n, 0, 0 }, 5 * 8);
    note(bytes, n);
    write_at(at, bytes, n);
}

static struct pcdf_atts *atts_of(int var)
{
    return pcdf_meta_atts(&meta, var < 0 ? NC_GLOBAL : var);
}

static void add_var(void)
{
    char *name = word();
    int type = (int)number(), is_filled = (int)number(), ndims = (int)number(), dims[MOST_DIMS], id;
    for (int i = 0; i < ndims; i++)
        dims[i] = (int)number();
    check(pcdf_meta_add_var(&meta, name, type % 100, ndims, dims, &id), "var");
    stored[id].is_big = type > 100;
    stored[id].is_filled = is_filled;
    stored[id].is_chunked = number();
    for (int i = 0; stored[id].is_chunked && i < ndims; i++)
        stored[id].chunk[i] = number();
    stored[id].chain.n = (int)number();
    for (int i = 0; i < stored[id].chain.n; i++) {
        struct pcdf_codec *c = &stored[id].chain.x[i];
        c->id = (enum pcdf_codec_id)number();
        c->nparams = 1;
        c->params[0] = (uint32_t)number();
        if (c->id == PCDF_CODEC_SZIP)
            check(pcdf_codec_szip(c, 32, c->params[0], pcdf_type_size(type % 100), stored[id].is_big, ndims,
                                  stored[id].chunk),
                  "szip");
    }
    if (!stored[id].is_chunked && !is_old) {
        stored[id].place = end;
        end += meta.vars[id].nbytes;
    }
}

/* In the order of files, whose swap the library does not need. */
static void store(int type, double value, unsigned char *to)
{
    struct pcdf_value v = { .type = type };
    if (pcdf_value_is_real(type))
        v.is.real = value;
    else
        v.is.integer = (int64_t)value;
    pcdf_value_store(&v, to);
}

static void put_att(void)
{
    int var = (int)number();
    char *name = word();
    int type = (int)number();
    int64_t n = number();
    if (type == NC_CHAR && n > 0)
        memcpy(values, word(), (size_t)n);
    for (int64_t i = 0; type != NC_CHAR && i < n; i++)
        store(type, (double)number(), values + i * pcdf_type_size(type));
    check(pcdf_atts_put(&meta, atts_of(var), name, type, n, values), "att");
}

/* Where the chunk was put before; for one that is not encoded. */
static int64_t place_of(int var, int64_t which, int64_t length)
{
    for (int i = 0; i < stored[var].nfirst; i++)
        if (stored[var].first[i].number == which)
            return stored[var].first[i].offset;
    if (stored[var].nfirst == MOST_FIRST)
        check(NC_ENOMEM, "chunks");
    stored[var].first[stored[var].nfirst++] = (struct pcdf_written_chunk){ var, 0, which, end, length };
    end += length;
    return end - length;
}

static void put(void)
{
    static struct pcdf_codec_scratch scratch;
    int var = (int)number();
    int64_t which = number(), seed = number(), n = 1;
    int type = meta.vars[var].type, size = pcdf_type_size(type);
    const unsigned char *out = values;
    for (int i = 0; i < meta.vars[var].ndims; i++)
        n *= stored[var].is_chunked ? stored[var].chunk[i] : meta.dims[meta.vars[var].dimids[i]].length;
    for (int64_t i = 0; i < n; i++)
        store(type, type == NC_CHAR ? (double)(33 + (seed + i) % 90) : (double)((seed + i) % 100),
              values + i * size);
    if (size > 1 && !stored[var].is_big)
        pcdf_values_swap(values, n, size);
    if (!stored[var].is_chunked) {
        if (stored[var].place == 0) {
            stored[var].place = end;
            end += n * size;
        }
        write_values(stored[var].place, values, n * size);
        return;
    }
    size_t length = (size_t)(n * size);
    uint32_t mask;
    check(pcdf_chain_encode_here(&stored[var].chain, values, length, &out, &length, &mask, &scratch),
          "encode");
    int64_t at = end;
    if (stored[var].chain.n == 0)
        at = place_of(var, which, (int64_t)length);
    else
        end += (int64_t)length;
    write_values(at, out, (int64_t)length);
    if (nchunks == MOST_CHUNKS)
        check(NC_ENOMEM, "chunks");
    chunks[nchunks++] = (struct pcdf_written_chunk){ var, mask, which, at, (int64_t)length };
}

static void define(bool is_adopted)
{
    struct pcdf_h5var vars[MOST_VARS];
    for (int i = 0; i < meta.nvars; i++) {
        pcdf_meaning_fill(&meta.vars[i], stored[i].fill);
        if (pcdf_type_size(meta.vars[i].type) > 1)
            pcdf_values_swap(stored[i].fill, 1, pcdf_type_size(meta.vars[i].type));
        vars[i] = (struct pcdf_h5var){ stored[i].is_chunked ? stored[i].chunk : NULL, stored[i].place,
                                       &stored[i].chain, stored[i].is_filled ? stored[i].fill : NULL,
                                       stored[i].is_big };
    }
    check(is_adopted ? pcdf_h5meta_adopt(m, &meta, vars, is_classic)
                     : pcdf_h5meta_define(m, &meta, vars, is_classic),
          "define");
}

static void tell_chunks(void)
{
    check(pcdf_h5meta_chunks(m, nchunks, chunks), "chunks");
    nchunks = 0;
}

static int64_t flush_metadata(int64_t numrecs)
{
    struct pcdf_h5ranges ranges;
    int64_t bytes = 0, data_end = end;
    check(pcdf_h5meta_flush(m, numrecs, end, &end, &ranges), "flush");
    note((int64_t[]){ 'F', known_end, data_end, end, ranges.n }, 5 * 8);
    known_end = end;
    for (int64_t i = 0; i < ranges.n; i++) {
        note((int64_t[]){ ranges.x[i].offset, ranges.x[i].length }, 2 * 8);
        note(ranges.x[i].bytes, ranges.x[i].length);
        write_at(ranges.x[i].offset, ranges.x[i].bytes, ranges.x[i].length);
        bytes += ranges.x[i].length;
    }
    pcdf_h5ranges_free(&ranges);
    struct stat st;
    if (fstat(fd, &st) || (st.st_size < end && ftruncate(fd, (off_t)end)))
        check(NC_EWRITE, "ftruncate");
    return bytes;
}

static void copy_to(const char *name)
{
    struct stat st;
    int to = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    fstat(fd, &st);
    for (off_t at = 0; at < st.st_size;) {
        ssize_t n = pread(fd, values, sizeof values, at);
        if (to < 0 || n <= 0 || write(to, values, (size_t)n) != n)
            check(NC_EWRITE, "copy");
        at += n;
    }
    close(to);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Chunks have `of` bytes: another length, when they get another place. */
static void many(int64_t of)
{
    int var = (int)number();
    int64_t n = number(), step = of == 100 ? number() : 0, ranks = number(), done = 0;
    struct pcdf_written_chunk *all = calloc((size_t)n, sizeof *all);
    double begin = seconds(), told = 0;
    if (!all)
        check(NC_ENOMEM, "many");
    for (int64_t part; done < n; done += part) {
        part = step > 0 && step < n - done ? step : n - done;
        int64_t at = done;
        for (int64_t rank = 0; rank < ranks; rank++)
            for (int64_t i = done + rank; i < done + part; i += ranks, end += of)
                all[at++] = (struct pcdf_written_chunk){ var, 0, i, end, of };
        double before = seconds();
        check(pcdf_h5meta_chunks(m, part, all + done), "chunks");
        if (step > 0)
            check(pcdf_h5meta_enter(m, PCDF_H5META_LEAST, done + part, end, &end), "enter");
        told += seconds() - before;
    }
    double flushes = seconds();
    int64_t bytes = flush_metadata(n);
    double now = seconds();
    printf("%lld chunks: %.2f s, %.2f us and %.1f bytes for each; told in %.3f s, flushed in %.3f s\n",
           (long long)n, now - begin, (now - begin) / (double)n * 1e6, (double)bytes / (double)n, told,
           now - flushes);
    free(all);
}

static void rename_one(enum pcdf_named what, struct pcdf_atts *atts, int id, const char *to)
{
    check(pcdf_meta_rename(&meta, what, atts, id, to), "rename");
}

static void obey(const char *order)
{
    if (!strcmp(order, "classic")) {
        is_classic = true;
    } else if (!strcmp(order, "dim")) {
        char *name = word();
        check(pcdf_meta_add_dim(&meta, name, number(), NULL), "dim");
    } else if (!strcmp(order, "var")) {
        add_var();
    } else if (!strcmp(order, "att")) {
        put_att();
    } else if (!strcmp(order, "delatt")) {
        struct pcdf_atts *atts = atts_of((int)number());
        pcdf_atts_delete(&meta, atts, pcdf_atts_find(atts, word()));
    } else if (!strcmp(order, "renatt")) {
        struct pcdf_atts *atts = atts_of((int)number());
        int id = pcdf_atts_find(atts, word());
        rename_one(PCDF_ATTRIBUTE, atts, id, word());
    } else if (!strcmp(order, "rendim") || !strcmp(order, "renvar")) {
        int id = (int)number();
        rename_one(order[3] == 'd' ? PCDF_DIMENSION : PCDF_VARIABLE, NULL, id, word());
    } else if (!strcmp(order, "put")) {
        put();
    } else if (!strcmp(order, "flush")) {
        int64_t numrecs = number();
        define(false);
        tell_chunks();
        flush_metadata(numrecs);
        copy_to(word());
    } else if (!strcmp(order, "enter")) {
        int64_t least = number(), numrecs = number();
        define(false);
        tell_chunks();
        check(pcdf_h5meta_enter(m, least, numrecs, end, &end), "enter");
    } else if (!strcmp(order, "place")) {
        int var = (int)number();
        stored[var].place = number();
    } else if (!strcmp(order, "have")) {
        int var = (int)number();
        struct pcdf_written_chunk *c = &stored[var].first[stored[var].nfirst++];
        c->number = number();
        c->offset = number();
        c->length = number();
    } else if (!strcmp(order, "is")) {
        int var = (int)number();
        int64_t which = number(), offset = number();
        check(pcdf_chunkmap_add(&image_vars[var].map, which, 0, offset, number(), 0), "is");
    } else if (!strcmp(order, "adopt")) {
        for (int i = 0; i < meta.nvars; i++)
            check(pcdf_chunkmap_finish(&image_vars[i].map, INT64_MAX), "adopt");
        image.nvars = meta.nvars;
        define(true);
        is_old = false;
    } else if (!strcmp(order, "same")) {
        int64_t before = end;
        check(flush_metadata(number()) || end != before ? NC_EWRITE : NC_NOERR, "same");
    } else if (!strcmp(order, "cut")) {
        check(ftruncate(fd, (off_t)number()) ? NC_EWRITE : NC_NOERR, "ftruncate");
    } else if (!strcmp(order, "many")) {
        many(100);
    } else if (!strcmp(order, "again")) {
        many(101);
    } else if (!strcmp(order, "fail")) {
        pcdf_alloc_fail_at(number(), 0);
    } else if (!strcmp(order, "wait")) {
        for (;;)
            pause();
    } else if (!strcmp(order, "fork")) {
        const pid_t made = fork();
        while (made == 0)
            pause();
    } else {
        check(NC_EINVAL, order);
    }
}

/* Starts the process and obeys, until the first flush is done: in a thread, which the process outlives. */
struct beginning {
    const char *name;
    const struct pcdf_h5source *source;
    struct pcdf_map_limits limits;
};

static void *begin(void *context)
{
    const struct beginning *b = context;
    char order[32] = "";
    check(pcdf_h5meta_start(b->name, b->source, &b->limits, &m), "start");
    while (strcmp(order, "flush") && scanf("%31s", order) == 1)
        obey(order);
    return NULL;
}

int main(int argc, char **argv)
{
    struct beginning b = { .name = argv[1], .limits = { argc > 2 ? atoi(argv[2]) : 0, 0 } };
    char order[32];
    struct stat st;
    pthread_t thread;
    is_old = argc > 3;
    fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT | (is_old ? 0 : O_TRUNC), 0644) : -1;
    if (fd < 0 || fstat(fd, &st))
        return 2;
    struct pcdf_h5source source = { st.st_size, read_file, NULL, &image };
    if (is_old)
        end = known_end = st.st_size;
    if (getenv("H5META_OPERATIONS") && !(operations = fopen(getenv("H5META_OPERATIONS"), "wb")))
        return 2;
    pcdf_meta_init(&meta, PCDF_CDF5);
    b.source = is_old ? &source : NULL;
    if (pthread_create(&thread, NULL, begin, &b) || pthread_join(thread, NULL))
        return 2;
    while (scanf("%31s", order) == 1)
        obey(order);
    pcdf_h5meta_end(m);
    pcdf_meta_free(&meta);
    for (int i = 0; i < MOST_VARS; i++)
        pcdf_chunkmap_free(&image_vars[i].map);
    close(fd);
    return operations && fclose(operations) ? 1 : 0;
}
