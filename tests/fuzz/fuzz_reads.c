/* Fuzz target for whole files: what the decoder says of the header, the library does. A file that a lenient
 * reading takes opens for reading, and each element comes back as its bytes stand in the file, or as the fill
 * value with NC_ETRUNC where the file ends before it. A file that a strict reading takes opens for writing;
 * it keeps its data when the header grows, and what was put comes back. No other file opens. */
#include <stdint.h>
#include "decode.h"
#include "meaningvalues.h"
#include "memoryfile.h"
#include "fuzzlib.h"

enum { MOST_BYTES = 4096, MOST_VARS = 6, MOST_DIMS = 8, MOST_ELEMENTS = 64 };

static const char path[] = "fuzz_reads.nc";
static MPI_Info info;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char *const words[] = { "pcdf_engine", "memory", "pcdf_debug_stage_size", "65536", NULL };
    fuzz_begin();
    info = fuzz_hints(words);
    return argc && argv ? 0 : 1;
}

struct file { /* what the decoder says */
    int err;
    struct pcdf_meta meta;
    struct pcdf_layout layout;
};

static void decode(const uint8_t *bytes, size_t n, bool lenient, struct file *f)
{
    struct pcdf_reading reading = { .is_lenient = lenient };
    struct pcdf_fault fault;
    int64_t need = 0;
    f->err = pcdf_decode(&reading, bytes, n, (int64_t)n, &need, &f->meta, &f->layout, &fault);
    DEMAND(need == 0);
}

static void release(struct file *f)
{
    if (f->err)
        return;
    pcdf_layout_free(&f->layout);
    pcdf_meta_free(&f->meta);
}

/* The fill value in file bytes. Of an odd attribute the rules of meaning hold, which have a test of their
 * own.
 */
static void fill_of(const struct pcdf_var *var, unsigned char *fill)
{
    unsigned char found[8];
    int i = pcdf_atts_find(&var->atts, "_FillValue");
    const struct pcdf_att *att = i >= 0 ? &var->atts.x[i] : NULL;
    bool is_odd = att && (att->type != var->type || att->nelems != 1);
    if (is_odd)
        pcdf_meaning_fill(var, found);
    memcpy(fill,
           is_odd ? found
           : att  ? att->values
                  : pcdf_type_fill(var->type),
           (size_t)pcdf_type_size(var->type));
}

struct box {
    MPI_Offset start[MOST_DIMS], count[MOST_DIMS];
    int64_t n;
};

/* Some elements of the variable: a few in each dimension, from where `pick` says; false: it has none, or more
 * dimensions than this looks at. */
static bool choose(const struct pcdf_meta *meta, const struct pcdf_var *var, uint64_t pick, struct box *box)
{
    int64_t shape[MOST_DIMS];
    if (var->ndims > MOST_DIMS)
        return false;
    pcdf_var_shape(meta, var, shape);
    box->n = 1;
    for (int i = 0; i < var->ndims; i++, pick = pick >> 3 ^ pick << 7) {
        if (shape[i] == 0)
            return false;
        int64_t most = shape[i] < 4 ? shape[i] : 4;
        box->count[i] = 1 + (int64_t)(pick % (uint64_t)most);
        box->count[i] = box->n * box->count[i] > MOST_ELEMENTS ? 1 : box->count[i];
        int64_t last = shape[i] - box->count[i];
        int64_t starts[4] = { 0, last, last / 2, last > 0 };
        box->start[i] = starts[pick / 4 % 4];
        box->n *= box->count[i];
    }
    return true;
}

/* Where element i of the box stands in the file. */
static int64_t offset_of(const struct file *f, int varid, const struct box *box, int64_t i)
{
    const struct pcdf_var *var = &f->meta.vars[varid];
    int64_t at = 0, step = pcdf_type_size(var->type);
    for (int d = var->ndims - 1; d >= 0; d--) {
        int64_t index = box->start[d] + i % box->count[d];
        i /= box->count[d];
        if (d == 0 && var->is_record) {
            at += index * f->layout.recsize;
        } else {
            at += index * step;
            step *= f->meta.dims[var->dimids[d]].length;
        }
    }
    return f->layout.begin[varid] + at;
}

/* File bytes as the host has them. */
static void to_host(unsigned char *value, size_t size)
{
    const uint16_t probe = 1;
    if (*(const unsigned char *)&probe == 0)
        return;
    for (size_t i = 0; i < size / 2; i++) {
        unsigned char x = value[i];
        value[i] = value[size - 1 - i];
        value[size - 1 - i] = x;
    }
}

/* Compares what a get delivers with the bytes [0, n) of the file. cut: what is missing is NC_ETRUNC. */
static void check_values(int ncid, const struct file *f, int varid, const struct box *box,
                         const uint8_t *bytes, int64_t n, bool cut, bool together)
{
    unsigned char got[MOST_ELEMENTS * 8], want[8];
    const struct pcdf_var *var = &f->meta.vars[varid];
    size_t size = (size_t)pcdf_type_size(var->type);
    bool missing = false;

    memset(got, 0xA5, sizeof got);
    int err = together ? ncmpi_get_vara_all(ncid, varid, box->start, box->count, got, 0, MPI_DATATYPE_NULL)
                       : ncmpi_get_vara(ncid, varid, box->start, box->count, got, 0, MPI_DATATYPE_NULL);
    for (int64_t i = 0; i < box->n; i++) {
        int64_t at = offset_of(f, varid, box, i);
        bool is_there = at <= n - (int64_t)size;
        missing |= !is_there;
        memset(want, 0, sizeof want);
        if (is_there)
            memcpy(want, bytes + at, size);
        else if (cut)
            fill_of(var, want);
        else
            continue; /* zeros, or the head of an element and zeros */
        to_host(want, size);
        DEMAND(memcmp(got + i * (int64_t)size, want, size) == 0);
    }
    DEMAND(err == (missing && cut ? NC_ETRUNC : NC_NOERR));
}

static void check_variables(int ncid, const struct file *f, const uint8_t *bytes, size_t n, uint64_t pick,
                            bool cut)
{
    struct box box;
    int nvars = f->meta.nvars < MOST_VARS ? f->meta.nvars : MOST_VARS;
    for (int i = 0; i < nvars; i++, pick = pick >> 5 ^ pick << 3)
        if (choose(&f->meta, &f->meta.vars[i], pick, &box))
            check_values(ncid, f, i, &box, bytes, (int64_t)n, cut, true);
    DEMAND(ncmpi_begin_indep_data(ncid) == NC_NOERR);
    for (int i = 0; i < nvars; i++, pick = pick >> 5 ^ pick << 3)
        if (choose(&f->meta, &f->meta.vars[i], pick, &box))
            check_values(ncid, f, i, &box, bytes, (int64_t)n, cut, false);
    DEMAND(ncmpi_end_indep_data(ncid) == NC_NOERR);
}

static void check_attributes(int ncid, const struct file *f, int varid)
{
    const struct pcdf_atts *atts = pcdf_meta_atts(&f->meta, varid);
    for (int i = 0; i < atts->n && i < 8; i++) {
        const struct pcdf_att *att = &atts->x[i];
        char name[NC_MAX_NAME + 1];
        MPI_Offset nelems;
        nc_type type;
        DEMAND(ncmpi_inq_attname(ncid, varid, i, name) == NC_NOERR && strcmp(name, att->name) == 0);
        if (pcdf_atts_find(atts, att->name) != i || !*name || att->nelems > MOST_BYTES)
            continue;
        unsigned char values[MOST_BYTES * 8];
        if (ncmpi_inq_att(ncid, varid, name, &type, &nelems) != NC_NOERR)
            continue; /* a name that is not in NFC is not found */
        DEMAND(type == att->type && nelems == att->nelems);
        DEMAND(ncmpi_get_att(ncid, varid, name, values) == NC_NOERR);
        if (nelems > 0 && pcdf_type_size(type) == 1)
            DEMAND(memcmp(values, att->values, (size_t)nelems) == 0);
    }
}

static void check_definitions(int ncid, const struct file *f)
{
    int ndims, nvars, ngatts, unlimited, format, dimids[NC_MAX_VAR_DIMS < 4096 ? 4096 : 1024];
    DEMAND(ncmpi_inq(ncid, &ndims, &nvars, &ngatts, &unlimited) == NC_NOERR);
    DEMAND(ndims == f->meta.ndims && nvars == f->meta.nvars && ngatts == f->meta.gatts.n);
    DEMAND(unlimited == f->meta.record_dim);
    DEMAND(ncmpi_inq_format(ncid, &format) == NC_NOERR && format == (int)f->meta.version);
    for (int i = 0; i < ndims && i < 16; i++) {
        const struct pcdf_dim *dim = &f->meta.dims[i];
        char name[NC_MAX_NAME + 1];
        MPI_Offset length;
        DEMAND(ncmpi_inq_dim(ncid, i, name, &length) == NC_NOERR && strcmp(name, dim->name) == 0);
        DEMAND(length == (i == unlimited ? f->meta.numrecs : dim->length));
    }
    for (int i = 0; i < nvars && i < MOST_VARS; i++) {
        const struct pcdf_var *var = &f->meta.vars[i];
        MPI_Offset begin;
        nc_type type;
        int n, natts;
        if (var->ndims > 1024)
            continue;
        DEMAND(ncmpi_inq_var(ncid, i, NULL, &type, &n, dimids, &natts) == NC_NOERR);
        DEMAND(type == var->type && n == var->ndims && natts == var->atts.n);
        DEMAND(n == 0 || memcmp(dimids, var->dimids, (size_t)n * sizeof *dimids) == 0);
        DEMAND(ncmpi_inq_varoffset(ncid, i, &begin) == NC_NOERR && begin == f->layout.begin[i]);
        check_attributes(ncid, f, i);
    }
    check_attributes(ncid, f, NC_GLOBAL);
}

static void check_reading(const uint8_t *bytes, size_t n, uint64_t pick)
{
    struct file f;
    int ncid;

    decode(bytes, n, true, &f);
    int err = ncmpi_open(MPI_COMM_SELF, path, NC_NOWRITE, info, &ncid);
    DEMAND((err == NC_NOERR) == (f.err == NC_NOERR));
    if (!err) {
        check_definitions(ncid, &f);
        check_variables(ncid, &f, bytes, n, pick, true);
        DEMAND(ncmpi_put_att_text(ncid, NC_GLOBAL, "z", 1, "z") == NC_EPERM);
        DEMAND(ncmpi_close(ncid) == NC_NOERR);
    }
    release(&f);
}

/* One value into the first element of a variable of numbers, and back. */
static void check_put(int ncid, const struct file *f)
{
    for (int i = 0; i < f->meta.nvars && i < MOST_VARS; i++) {
        struct box box;
        int value = 42, back = 0;
        if (f->meta.vars[i].type == NC_CHAR || !choose(&f->meta, &f->meta.vars[i], 0, &box) || box.n != 1)
            continue;
        DEMAND(ncmpi_put_vara_int_all(ncid, i, box.start, box.count, &value) == NC_NOERR);
        DEMAND(ncmpi_get_vara_int_all(ncid, i, box.start, box.count, &back) == NC_NOERR && back == value);
    }
}

/* Each variable's elements that the file held stand in the changed file where its header says. */
static void check_kept(const struct file *f, const uint8_t *bytes, size_t n, uint64_t pick)
{
    unsigned char head[MOST_BYTES * 2];
    int64_t size = 0, need = 0;
    struct pcdf_fault fault;
    struct file now;

    DEMAND(memory_file_size(path, &size) == NC_NOERR);
    int64_t have = size < (int64_t)sizeof head ? size : (int64_t)sizeof head;
    DEMAND(memory_file_get(path, 0, head, have) == NC_NOERR);
    now.err = pcdf_decode(NULL, head, (size_t)have, size, &need, &now.meta, &now.layout, &fault);
    DEMAND(now.err == NC_NOERR && need == 0 && now.meta.nvars == f->meta.nvars);
    for (int v = 0; v < f->meta.nvars && v < MOST_VARS; v++, pick = pick >> 5 ^ pick << 3) {
        struct box box;
        size_t width = (size_t)pcdf_type_size(f->meta.vars[v].type);
        if (!choose(&f->meta, &f->meta.vars[v], pick, &box))
            continue;
        for (int64_t i = 0; i < box.n; i++) {
            int64_t from = offset_of(f, v, &box, i), to = offset_of(&now, v, &box, i);
            unsigned char value[8];
            if (from > (int64_t)(n - width))
                continue;
            DEMAND(memory_file_get(path, to, value, (int64_t)width) == NC_NOERR);
            DEMAND(memcmp(value, bytes + from, width) == 0);
        }
    }
    release(&now);
}

static void check_writing(const uint8_t *bytes, size_t n, uint64_t pick)
{
    struct file f;
    char text[400];
    int ncid;

    decode(bytes, n, false, &f);
    int err = ncmpi_open(MPI_COMM_SELF, path, NC_WRITE, info, &ncid);
    DEMAND((err == NC_NOERR) == (f.err == NC_NOERR));
    if (!err) {
        memset(text, 'z', sizeof text);
        check_variables(ncid, &f, bytes, n, pick, false);
        DEMAND(ncmpi_redef(ncid) == NC_NOERR);
        DEMAND(ncmpi_put_att_text(ncid, NC_GLOBAL, "z", (MPI_Offset)(pick % sizeof text), text) == NC_NOERR);
        err = ncmpi_enddef(ncid);
        DEMAND(err == NC_NOERR || err == NC_EVARSIZE);
        if (!err)
            check_kept(&f, bytes, n, pick);
        if (!err && pick & 1)
            check_put(ncid, &f);
        err = err ? ncmpi_abort(ncid) : ncmpi_close(ncid);
        DEMAND(err == NC_NOERR);
    }
    release(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    uint64_t pick = 0x9E3779B97F4A7C15U;

    if (n > MOST_BYTES)
        return 0;
    for (size_t i = 0; i < n; i++)
        pick = (pick ^ bytes[i]) * 0x100000001B3U;
    pick ^= pick >> 29;
    DEMAND(memory_file_put(path, bytes, (int64_t)n) == NC_NOERR);
    check_reading(bytes, n, pick);
    check_writing(bytes, n, pick >> 8);
    DEMAND(pcdf_memorystorage.remove(path) == NC_NOERR);
    fuzz_check_memory();
    return 0;
}
