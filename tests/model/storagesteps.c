/* Steps of how variables of a netCDF-4 file are stored: chunks, compression, checksums. */
#include <parcdf.h>
#include "program.h"

/* Some chunks along each dimension, the last one perhaps short. */
static void choose_chunk(const struct m_var *v, size_t *chunk)
{
    int64_t most = v->ndims > 3 ? 2 : 4;
    for (int d = 0; d < v->ndims; d++) {
        int64_t n = shape_of(v, d, 1 + below(4)), parts = 1 + below(most);
        chunk[d] = (size_t)(one_in(8) ? n : (n + parts - 1) / parts);
    }
}

static bool has_filter(const struct m_stored *s)
{
    return s->shuffle || s->fletcher32 || s->deflate || s->zstd;
}

static void define_chunks(int id, int late)
{
    struct m_var *v = &now.vars[id];
    size_t chunk[MAX_NDIMS] = { 0 };
    bool is_contiguous = one_in(5);
    int want = is_contiguous && (v->is_record || has_filter(&v->stored)) ? NC_EINVAL : NC_NOERR;
    want = late ? late : want;
    choose_chunk(v, chunk);
    tell("%s %d", is_contiguous ? "contiguous" : "chunks", id);
    for (int d = 0; d < v->ndims && !is_contiguous; d++)
        tell(" %zu", chunk[d]);
    EXPECT(parcdf_def_var_chunking(g.ncid, id, is_contiguous ? NC_CONTIGUOUS : NC_CHUNKED,
                                   is_contiguous ? NULL : chunk),
           want);
    if (want)
        return;
    v->stored.is_contiguous = is_contiguous;
    v->stored.is_chunked = !is_contiguous;
    for (int d = 0; d < v->ndims; d++)
        v->stored.chunk[d] = (int64_t)chunk[d];
}

/* All of a chain is said, so that nothing of a hint is left. */
static void define_codecs(int id, int late)
{
    struct m_stored *s = &now.vars[id].stored;
    int shuffle = one_in(2), level = one_in(4) ? 0 : 1 + (int)below(9), fletcher32 = one_in(3);
    int zstd = is_left_out("zstd") || !one_in(3) ? 0 : 1 + (int)below(6);
    if (s->is_contiguous)
        return;
    level = zstd ? 0 : g.zstd_by_hint && !level ? 1 : level; /* only a compressor takes that one away */
    tell("codecs %d: shuffle %d deflate %d zstd %d fletcher32 %d", id, shuffle, level, zstd, fletcher32);
    EXPECT(parcdf_def_var_deflate(g.ncid, id, shuffle, level > 0, level), late);
    EXPECT(parcdf_def_var_fletcher32(g.ncid, id, fletcher32), late);
    if (zstd)
        EXPECT(parcdf_def_var_zstd(g.ncid, id, zstd), late);
    if (late)
        return;
    s->has_codecs = true;
    s->shuffle = shuffle;
    s->fletcher32 = fletcher32;
    s->deflate = level;
    s->zstd = zstd || level ? zstd : s->zstd;
}

void step_store(void)
{
    int id = (int)below(now.nvars);
    if (!now.netcdf4 || !now.nvars || !now.vars[id].ndims)
        return;
    int late = g.readonly ? NC_EPERM : !now.vars[id].is_new ? NC_ELATEDEF : NC_NOERR;
    if (one_in(2))
        define_chunks(id, late);
    else
        define_codecs(id, late);
}

void store_new(int id)
{
    if (!now.vars[id].ndims)
        return;
    if (one_in(2)) {
        tell(", ");
        define_codecs(id, NC_NOERR);
    }
    if (one_in(2)) {
        tell(", ");
        define_chunks(id, NC_NOERR);
    }
}

void check_stored(int ncid, int id)
{
    const struct m_var *v = &now.vars[id];
    const struct m_stored *s = &v->stored;
    size_t chunk[MAX_NDIMS] = { 0 };
    int storage = -1, shuffle = -1, deflate = -1, level = -1, zstd = -1, fletcher32 = -1;
    if (s->is_chunked || s->is_contiguous) {
        EXPECT(parcdf_inq_var_chunking(ncid, id, &storage, chunk), NC_NOERR);
        if (storage != (s->is_chunked ? NC_CHUNKED : NC_CONTIGUOUS))
            say("storage of variable %d is %d", id, storage);
        for (int d = 0; d < v->ndims && s->is_chunked; d++)
            if ((int64_t)chunk[d] != s->chunk[d])
                say("chunks of variable %d have %zu along dimension %d, not %lld", id, chunk[d], d,
                    (long long)s->chunk[d]);
    }
    if (!s->has_codecs)
        return;
    EXPECT(parcdf_inq_var_deflate(ncid, id, &shuffle, &deflate, &level), NC_NOERR);
    EXPECT(parcdf_inq_var_fletcher32(ncid, id, &fletcher32), NC_NOERR);
    EXPECT(parcdf_inq_var_zstd(ncid, id, &zstd, NULL), NC_NOERR);
    if (shuffle != s->shuffle || deflate != (s->deflate > 0) || fletcher32 != s->fletcher32 ||
        zstd != (s->zstd > 0) || (deflate && level != s->deflate))
        say("variable %d: shuffle %d deflate %d level %d fletcher32 %d zstd %d", id, shuffle, deflate, level,
            fletcher32, zstd);
}
