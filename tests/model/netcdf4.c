/* See program.h: what is different where the file is one of netCDF-4, and what a judge from outside needs:
 * the closed file read by our own reader, and the model as a file of JSON and one of bytes. */
#include "program.h"

int last_type(void)
{
    return now.netcdf4 == NC_FORMAT_NETCDF4_CLASSIC ? NC_DOUBLE : ext_last(now.format);
}

int ranges(void)
{
    return now.netcdf4 == NC_FORMAT_NETCDF4_CLASSIC ? 2 : now.format;
}

void netcdf4_hints(MPI_Info info)
{
    static const char *const rows[][2] = { { "pcdf_defer", "1048576" },
                                           { "pcdf_async", "1048576" },
                                           { "pcdf_chunk_memory", "65536" },
                                           { "pcdf_chunk_threads", "3" },
                                           { "pcdf_compress", "deflate:1,shuffle" },
                                           { "pcdf_compress", "deflate:6,shuffle,fletcher32" },
                                           { "pcdf_compress", "zstd:3,fletcher32" },
                                           { "pcdf_chunks", "32768" },
                                           { "pcdf_chunks", "4096" },
                                           { "pcdf_commit", "record" },
                                           { "pcdf_atomic_create", "true" },
                                           { "cb_buffer_size", "16384" } };
    g.stays_together = g.zstd_by_hint = g.is_atomic = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (one_in(4) && !is_left_out(rows[i][0]) && !(strstr(rows[i][1], "zstd") && is_left_out("zstd"))) {
            tell(" %s=%s", rows[i][0], rows[i][1]);
            MPI_Info_set(info, rows[i][0], rows[i][1]);
            g.stays_together |= g.size > 1 && !strcmp(rows[i][0], "pcdf_chunk_memory");
            g.zstd_by_hint |= strstr(rows[i][1], "zstd") != NULL;
            g.is_atomic |= !strcmp(rows[i][0], "pcdf_atomic_create");
        }
}

/* ---- puts that other ranks do not see yet: rank + 1; SEVERAL: nobody knows whose will be in the file */
enum { SEVERAL = 255 };
static unsigned char *unseen[MAX_VARS];

void note_unseen(const struct part *p)
{
    unsigned char **map = &unseen[p->var - now.vars], mine = (unsigned char)(p->rank + 1);
    if (!now.netcdf4 || g.mode != MODE_INDEPENDENT || g.size == 1)
        return;
    if (!*map)
        *map = calloc((size_t)var_elements(p->var), 1);
    for (int64_t i = 0; i < p->n; i++) {
        unsigned char *by = &(*map)[p->element[i]];
        *by = *by && *by != mine ? SEVERAL : mine;
    }
}

bool is_unseen(const struct part *p, int64_t element)
{
    const unsigned char *map = unseen[p->var - now.vars];
    return map && map[element] && map[element] != p->rank + 1;
}

void all_seen(void)
{
    for (int i = 0; i < now.nvars; i++) {
        struct m_var *v = &now.vars[i];
        size_t size = ext_sizes[v->type];
        for (int64_t k = 0; unseen[i] && k < v->room / (int64_t)size; k++)
            if (unseen[i][k] == SEVERAL) {
                memset(v->mask + (size_t)k * size, 0, size);
                v->fills = false; /* what is not known may not be fill */
            }
    }
    maps_free(unseen);
}

/* ---- read whole */
static void read_variable(int ncid, int varid)
{
    struct part p = { .rank = g.rank, .varid = varid, .var = &now.vars[varid], .form = FORM_VAR };
    bool sure;
    p.mem = ext_mem(p.var->type);
    for (int d = 0; d < p.var->ndims; d++)
        p.count[d] = shape_of(p.var, d, g.numrecs[g.rank]);
    list_elements(&p);
    char *buf = get_buffer(&p);
    struct call call = {
        .ncid = ncid, .varid = varid, .collective = true, .form = FORM_VAR, .mem = p.mem, .buf = buf
    };
    int err = call_run(&call), want = check_got(&p, buf, &sure);
    if (err != want || g.say[0])
        say("reading all of %s gives %s", p.var->name, ncmpi_strerrno(err));
    g.reread += p.n;
    free(buf);
    part_free(&p);
}

void read_whole(MPI_Comm comm)
{
    int kept = g.ncid;
    MPI_Offset n = -1;
    int err = ncmpi_open(comm, g.path, NC_NOWRITE, MPI_INFO_NULL, &g.ncid);
    if (err) {
        say("our reader: %s", ncmpi_strerrno(err));
        g.ncid = kept;
        return;
    }
    check_definitions(false);
    if (now.record_dim >= 0) {
        EXPECT(ncmpi_inq_dimlen(g.ncid, now.record_dim, &n), NC_NOERR);
        if (n != g.numrecs[g.rank])
            say("our reader: %lld records, not %lld", (long long)n, (long long)g.numrecs[g.rank]);
    }
    for (int i = 0; i < now.nvars && !g.say[0]; i++)
        read_variable(g.ncid, i);
    EXPECT(ncmpi_close(g.ncid), NC_NOERR);
    g.ncid = kept;
}

void read_synced(void)
{
    tell(", rank 0 reads the file");
    MPI_Barrier(MPI_COMM_WORLD);
    if (g.rank == 0)
        read_whole(MPI_COMM_SELF);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- the model as files */
static void write_hex(FILE *f, const char *key, const unsigned char *x, size_t n)
{
    fprintf(f, ", \"%s\": \"", key);
    for (size_t i = 0; i < n; i++)
        fprintf(f, "%02x", x[i]);
    fputs("\"", f);
}

static void write_atts(FILE *f, const struct m_atts *atts)
{
    fputs("\"atts\": [", f);
    for (int i = 0; i < atts->n; i++) {
        const struct m_att *a = &atts->x[i];
        fprintf(f, "%s{\"name\": \"%s\", \"type\": \"%s\", \"n\": %d", i ? ", " : "", a->name,
                ext_names[a->type], a->n);
        write_hex(f, "values", a->bytes, (size_t)a->n * ext_sizes[a->type]);
        fputs("}", f);
    }
    fputs("]", f);
}

static void write_stored(FILE *f, const struct m_var *v)
{
    const struct m_stored *s = &v->stored;
    fprintf(f, ", \"contiguous\": %d, \"shuffle\": %d, \"fletcher32\": %d, \"deflate\": %d, \"zstd\": %d",
            s->is_contiguous, s->shuffle, s->fletcher32, s->deflate, s->zstd);
    fprintf(f, ", \"codecs\": %d, \"chunk\": [", s->has_codecs);
    for (int d = 0; s->is_chunked && d < v->ndims; d++)
        fprintf(f, "%s%lld", d ? ", " : "", (long long)s->chunk[d]);
    fputs("]", f);
}

static void write_variable(FILE *f, const struct m_var *v)
{
    unsigned char fill[8];
    var_fill(v, fill); /* it may have changed */
    bool fills = v->fills && memcmp(fill, v->fill, ext_sizes[v->type]) == 0;
    fprintf(f, "{\"name\": \"%s\", \"type\": \"%s\", \"dimids\": [", v->name, ext_names[v->type]);
    for (int d = 0; d < v->ndims; d++)
        fprintf(f, "%s%d", d ? ", " : "", v->dimids[d]);
    fprintf(f, "], \"filled\": %d", fills);
    write_hex(f, "fill", v->fill, ext_sizes[v->type]);
    write_stored(f, v);
    fputs(", ", f);
    write_atts(f, &v->atts);
    fputs("}", f);
}

/* Bytes of the variable's values as they are in a classic file, and which of them were written. */
static void write_values(FILE *f, const struct m_var *v)
{
    int64_t n = var_bytes(v) * (v->is_record ? g.numrecs[0] : 1), there = n < v->room ? n : v->room;
    unsigned char *zeros = calloc((size_t)n + 1, 1);
    bool good = true;
    for (int k = 0; k < 2; k++) {
        good &= fwrite(k ? v->mask : v->data, 1, (size_t)there, f) == (size_t)there;
        good &= fwrite(zeros, 1, (size_t)(n - there), f) == (size_t)(n - there);
    }
    if (!good)
        say("the model of %s cannot be written", v->name);
    free(zeros);
}

void write_model(void)
{
    char path[1100];
    snprintf(path, sizeof path, "%s.json", g.path);
    FILE *f = fopen(path, "w");
    snprintf(path, sizeof path, "%s.raw", g.path);
    FILE *raw = fopen(path, "w");
    if (!f || !raw) {
        say("no file for the model: %s", path);
        return;
    }
    fprintf(f, "{\"seed\": %llu, \"ranks\": %d, \"netcdf4\": %d, \"format\": %d, \"numrecs\": %lld",
            (unsigned long long)g.seed, g.size, now.netcdf4, now.format, (long long)g.numrecs[0]);
    fputs(",\n\"dims\": [", f);
    for (int i = 0; i < now.ndims; i++)
        fprintf(f, "%s{\"name\": \"%s\", \"length\": %lld}", i ? ", " : "", now.dims[i].name,
                (long long)now.dims[i].length);
    fputs("],\n", f);
    write_atts(f, &now.gatts);
    fputs(",\n\"vars\": [", f);
    for (int i = 0; i < now.nvars; i++) {
        fputs(i ? ",\n" : "", f);
        write_variable(f, &now.vars[i]);
        write_values(raw, &now.vars[i]);
    }
    fputs("]}\n", f);
    fclose(f);
    fclose(raw);
}
