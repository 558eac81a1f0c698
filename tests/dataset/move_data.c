/* Fixes: a redef that makes the header, a variable or the record grow loses no byte of the data there was,
 * whatever wrote the file: data that begins anywhere and without padding, records cut off by the end of the
 * file, a number of records that no file could hold. Random files against a model, moved twice in rounds of
 * 1024 bytes, opened again. */

#include "together.h"
#include "draw.h"
#include <parcdf.h>
#include <string.h>
#include "alloc.h"
#include "dataset.h"
#include "encode.h"

enum { MOST_VARS = 8, MOST_RECORDS = 40 };

struct file {
    struct pcdf_meta meta;
    struct pcdf_layout layout;
    int64_t size;
    unsigned char *bytes;
    int nold; /* variables with data */
};

/* ---- a file as another writer may have made it */

static void define_old(struct file *f)
{
    static const nc_type types[] = { NC_BYTE, NC_BYTE, NC_SHORT, NC_INT };
    char name[16];
    pcdf_meta_init(&f->meta, draw(0, 1) ? PCDF_CDF2 : PCDF_CDF5);
    pcdf_meta_add_dim(&f->meta, "t", 0, NULL);
    for (int i = 1; i <= 3; i++) {
        snprintf(name, sizeof name, "d%d", i);
        pcdf_meta_add_dim(&f->meta, name, i == 3 ? draw(100, 3000) : draw(1, 7), NULL);
    }
    f->nold = (int)draw(1, 5);
    for (int v = 0; v < f->nold; v++) {
        int dimids[2] = { draw(0, 2) ? 0 : (int)draw(1, 3), (int)draw(1, 3) };
        snprintf(name, sizeof name, "v%d", v);
        pcdf_meta_add_var(&f->meta, name, types[draw(0, 3)], dimids[0] == 0 && draw(0, 1) ? 1 : 2, dimids,
                          NULL);
    }
    f->meta.numrecs = f->meta.nrecord_vars ? draw(0, MOST_RECORDS) : 0;
}

/* Gaps of a few bytes, nothing padded. The record variables use the room inside the record as they like. */
static void place_anyhow(struct file *f)
{
    int64_t begin[MOST_VARS], at = pcdf_encode_size(&f->meta) + draw(0, 9),
                              slack = pcdf_layout_recsize(&f->meta);
    for (int v = 0; v < f->nold; v++)
        if (!f->meta.vars[v].is_record) {
            begin[v] = at;
            at += f->meta.vars[v].nbytes + draw(0, 3) * draw(0, 2);
        } else {
            slack -= f->meta.vars[v].nbytes;
        }
    bool first = true;
    for (int v = 0; v < f->nold; v++)
        if (f->meta.vars[v].is_record) {
            int64_t gap = first ? 0 : draw(0, slack);
            slack -= gap;
            first = false;
            begin[v] = at + gap;
            at = begin[v] + f->meta.vars[v].nbytes;
        }
    int64_t *kept = pcdf_malloc(sizeof begin);
    memcpy(kept, begin, sizeof begin);
    pcdf_layout_from_begins(&f->layout, &f->meta, kept, pcdf_encode_size(&f->meta));
}

static void fill(struct file *f)
{
    int64_t all = pcdf_layout_file_end(&f->layout, &f->meta) + draw(0, 3);
    f->bytes = malloc((size_t)all);
    for (int64_t i = 0; i < all; i++)
        f->bytes[i] = (unsigned char)draw(1, 120);
    pcdf_encode(&f->meta, &f->layout, f->bytes);
    f->size = draw(0, 2) ? all : draw(f->layout.header_size, all); /* cut off */
    if (my_rank == 0) {
        FILE *out = fopen(my_path, "wb");
        CHECK(out && fwrite(f->bytes, 1, (size_t)f->size, out) == (size_t)f->size, "cannot write %s",
              my_path);
        if (out)
            fclose(out);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- what must come back */

static int64_t expected(const struct file *f, int v, int64_t record, int64_t element)
{
    int64_t size = pcdf_type_size(f->meta.vars[v].type), value = 0;
    int64_t at = f->layout.begin[v] + record * f->layout.recsize + element * size;
    for (int64_t i = 0; i < size; i++)
        value = value << 8 | (at + i < f->size ? f->bytes[at + i] : 0);
    return value;
}

static void check_var(const struct file *f, int ncid, int v, const char *when)
{
    const struct pcdf_var *var = &f->meta.vars[v];
    int64_t n = var->nbytes / pcdf_type_size(var->type), records = var->is_record ? f->meta.numrecs : 1,
            bad = 0;
    long long *got = calloc((size_t)(n * records) + 1, sizeof *got);
    CHECK_NC(ncmpi_get_var_longlong_all(ncid, v, got), NC_NOERR);
    for (int64_t r = 0; r < records; r++)
        for (int64_t i = 0; i < n; i++)
            bad += got[r * n + i] != expected(f, v, r, i);
    CHECK(bad == 0, "%s: variable %d of %d, record %d: %lld of %lld values are wrong", when, v, f->nold,
          var->is_record, (long long)bad, (long long)(n * records));
    free(got);
}

static void check_all(const struct file *f, int ncid, const char *when)
{
    for (int v = 0; v < f->nold; v++)
        check_var(f, ncid, v, when);
}

/* ---- what makes room necessary */

static void define_more(int ncid, int round)
{
    static char text[20000];
    char name[16];
    int n = (int)draw(0, 2), dimids[2];
    if (draw(0, 2)) {
        snprintf(name, sizeof name, "a%d", round);
        memset(text, 'x', sizeof text);
        CHECK_NC(
            ncmpi_put_att_text(ncid, NC_GLOBAL, name, draw(0, 1) ? draw(1, 9) : draw(1, sizeof text), text),
            0);
    }
    for (int i = 0; i < n; i++) {
        dimids[0] = draw(0, 1) ? 0 : (int)draw(1, 3);
        dimids[1] = (int)draw(1, 3);
        snprintf(name, sizeof name, "n%d_%d", round, i);
        CHECK_NC(ncmpi_def_var(ncid, name, NC_BYTE, (int)draw(1, 2), dimids, NULL), NC_NOERR);
    }
}

/* What parcdf_set_progress tells: bytes in their place, never fewer than before, all of them at the end. */
static struct progress {
    long long done, total, calls;
} told;
static long long all_told;

static void note_progress(const char *path, long long done, long long total, void *context)
{
    struct progress *p = context;
    CHECK(strcmp(path, my_path) == 0, "%s, not %s", path, my_path);
    CHECK(done >= p->done && done <= total && (p->calls == 0 || total == p->total),
          "%lld of %lld after %lld of %lld", done, total, p->done, p->total);
    *p = (struct progress){ done, total, p->calls + 1 };
}

static void check_progress(void)
{
    CHECK(my_rank == 0 || told.calls == 0, "rank %d was told", my_rank);
    CHECK(told.done == told.total, "%lld of %lld bytes at the end", told.done, told.total);
    all_told += told.calls;
    told = (struct progress){ 0 };
}

static void move_once(const struct file *f, int ncid, int round)
{
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    define_more(ncid, round);
    if (draw(0, 1))
        CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    else
        CHECK_NC(ncmpi__enddef(ncid, draw(0, 3), draw(0, 1) ? 4 : 0, draw(0, 70), draw(0, 1) ? 64 : 0),
                 NC_NOERR);
    check_progress();
    check_all(f, ncid, round ? "second move" : "first move");
}

static void open_it(int mode, int *ncid)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "nc_data_move_chunk_size", "1024");
    CHECK_NC(ncmpi_open(MPI_COMM_WORLD, my_path, mode, info, ncid), NC_NOERR);
    MPI_Info_free(&info);
}

static void any_file(uint64_t number)
{
    struct file f = { 0 };
    int ncid, bad = (int)check_bad;
    draw_seed = number * 7919 + 13;
    define_old(&f);
    place_anyhow(&f);
    fill(&f);
    open_it(NC_WRITE, &ncid);
    check_all(&f, ncid, "as it was");
    move_once(&f, ncid, 0);
    move_once(&f, ncid, 1);
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    open_it(NC_WRITE, &ncid); /* a file that was cut off stays short; who may write it reads zeros there */
    check_all(&f, ncid, "opened again");
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    CHECK(check_bad == bad, "that was file %llu", (unsigned long long)number);
    pcdf_meta_free(&f.meta);
    pcdf_layout_free(&f.layout);
    free(f.bytes);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A header may say what it likes: the work goes by what the file holds. */
static void endless_records(void)
{
    struct file f = { 0 };
    int ncid, dimid = 0;
    pcdf_meta_init(&f.meta, PCDF_CDF5);
    pcdf_meta_add_dim(&f.meta, "t", 0, NULL);
    pcdf_meta_add_var(&f.meta, "v0", NC_INT, 1, &dimid, NULL);
    struct pcdf_alignment align = { .r_align = 4 };
    CHECK_INT(pcdf_layout_build(&f.layout, &f.meta, NULL, &align), 0);
    f.nold = 1;
    f.meta.numrecs = 3;
    draw_seed = 1;
    fill(&f);
    f.size = f.layout.begin[0] + 12;
    if (my_rank == 0) {
        unsigned char many[8] = { 0x10 }; /* 2^60 records */
        FILE *out = fopen(my_path, "r+b");
        CHECK(out && !fseek(out, 4, SEEK_SET) && fwrite(many, 1, 8, out) == 8, "cannot change %s", my_path);
        if (out)
            fclose(out);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    open_it(NC_WRITE, &ncid);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_def_var(ncid, "v1", NC_INT, 1, &dimid, NULL),
             NC_NOERR); /* 2^60 records of 8 bytes: too many */
    CHECK_NC(ncmpi_enddef(ncid), NC_EVARSIZE);
    CHECK_NC(ncmpi_abort(ncid), NC_NOERR);
    open_it(NC_WRITE, &ncid);
    CHECK_NC(ncmpi_redef(ncid), NC_NOERR);
    CHECK_NC(ncmpi_put_att_text(ncid, NC_GLOBAL, "a", 1, "x"), NC_NOERR);
    CHECK_NC(ncmpi_enddef(ncid), NC_NOERR);
    long long got[3] = { 0 };
    MPI_Offset start = 0, count = 3;
    CHECK_NC(ncmpi_get_vara_longlong_all(ncid, 0, &start, &count, got), NC_NOERR);
    for (int i = 0; i < 3; i++)
        CHECK_INT(got[i], expected(&f, 0, i, 0));
    CHECK_NC(ncmpi_close(ncid), NC_NOERR);
    pcdf_meta_free(&f.meta);
    pcdf_layout_free(&f.layout);
    free(f.bytes);
}

int main(int argc, char **argv)
{
    together_begin(&argc, &argv, "move_data", 100);
    /* Rounds are agreed by votes: on several ranks fewer files, but other ones. */
    uint64_t from = my_size == 1 ? 0 : 20 * (uint64_t)my_size, n = my_size == 1 ? 30 : 8;
    if (argc > 2) {
        from = strtoull(argv[2], NULL, 10);
        n = 1;
    }
    parcdf_set_progress(note_progress, &told);
    for (uint64_t i = from; i < from + n; i++)
        any_file(i);
    CHECK(all_told > 0 || my_rank > 0 || n == 1, "nobody was told of any move");
    parcdf_set_progress(NULL, NULL);
    endless_records();
    return together_end("move_data");
}
