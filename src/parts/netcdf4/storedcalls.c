/* See storedcalls.h. */
#include "storedcalls.h"
#include <string.h>
#include "alloc.h"
#include "fill.h"
#include "image.h"
#include "netcdf4part.h"
#include "parcdf.h"
#include "safety.h"
#include "shown.h"
#include "status.h"

enum { MOST_ZSTD = 22, USUAL_ZSTD = 3, MOST_DEFLATE = 9, MOST_PIXELS = 32 };

/* ---- definitions */

static int need_open_definition(struct pcdf_dataset *ds, int varid, struct pcdf_stored_vars **vars)
{
    *vars = pcdf_netcdf4_stored(ds);
    if (!*vars && pcdf_shown_is_other(ds->shown))
        return PCDF_FAIL(NC_EPERM, "the file is open for reading only");
    if (!*vars)
        return PCDF_FAIL(NC_ENOTNC4,
                         "a classic file has neither chunks nor compression; hint pcdf_format=netcdf4, or "
                         "the mode NC_NETCDF4, makes a netCDF-4 file");
    PCDF_TRY(pcdf_var_check(ds, varid));
    PCDF_TRY(pcdf_stored_grow(*vars, &ds->meta));
    if (ds->mode != PCDF_MODE_DEFINE || (*vars)->x[varid].is_settled ||
        (ds->old_meta && varid < ds->old_meta->nvars))
        return PCDF_FAIL(
            NC_ELATEDEF,
            "variable \"%.80s\" is in the file: how it is stored is said before the first enddef",
            ds->meta.vars[varid].name);
    return NC_NOERR;
}

static int set_chunking(struct pcdf_dataset *ds, int varid, struct pcdf_stored_vars *vars,
                        const struct pcdf_stored_asked *asked)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    int storage = asked->number[0];
    int64_t *chunk = NULL;
    if (storage == NC_CONTIGUOUS || storage == NC_COMPACT)
        return pcdf_stored_set_way(vars, &ds->meta, varid, PCDF_STORED_CONTIGUOUS, NULL);
    if (storage != NC_CHUNKED)
        return PCDF_FAIL(NC_EINVAL, "storage %d is neither NC_CHUNKED nor NC_CONTIGUOUS", storage);
    if (asked->chunk && var->ndims > 0) {
        chunk = pcdf_calloc((size_t)var->ndims, sizeof *chunk);
        if (!chunk)
            return NC_ENOMEM;
        for (int i = 0; i < var->ndims; i++)
            chunk[i] = asked->chunk[i] > INT64_MAX ? INT64_MAX : (int64_t)asked->chunk[i];
    }
    int err = pcdf_stored_set_way(vars, &ds->meta, varid, PCDF_STORED_CHUNKED, chunk);
    pcdf_free(chunk);
    return err;
}

/* A codec that this library cannot write is refused here, and not by the first put. */
static int set_codec(struct pcdf_stored_var *v, const struct pcdf_codec *codec)
{
    PCDF_TRY(pcdf_stored_try_codec(codec));
    pcdf_stored_set_codec(v, codec);
    return NC_NOERR;
}

static void set_shuffle(struct pcdf_stored_var *v, const struct pcdf_var *var, bool is_on)
{
    const struct pcdf_codec shuffle = { .id = PCDF_CODEC_SHUFFLE,
                                        .nparams = 1,
                                        .params = { (uint32_t)pcdf_type_size(var->type) },
                                        .name = "shuffle" };
    if (is_on)
        pcdf_stored_set_codec(v, &shuffle);
    else
        pcdf_stored_drop_codec(v, PCDF_CODEC_SHUFFLE);
}

static int set_deflate(struct pcdf_stored_var *v, const struct pcdf_var *var, const int *number)
{
    const struct pcdf_codec deflate = {
        .id = PCDF_CODEC_ZLIB, .nparams = 1, .params = { (uint32_t)number[2] }, .name = "deflate"
    };
    if (number[1] && (number[2] < 0 || number[2] > MOST_DEFLATE))
        return PCDF_FAIL(NC_EINVAL, "deflate has levels from 0 to %d, not %d", MOST_DEFLATE, number[2]);
    if (number[1])
        PCDF_TRY(set_codec(v, &deflate));
    else
        pcdf_stored_drop_codec(v, PCDF_CODEC_ZLIB);
    set_shuffle(v, var, number[0] != 0);
    return NC_NOERR;
}

static int set_zstd(struct pcdf_stored_var *v, const int *number)
{
    const int level = number[0] == 0 ? USUAL_ZSTD : number[0];
    const struct pcdf_codec zstd = {
        .id = PCDF_CODEC_ZSTD, .nparams = 1, .params = { (uint32_t)level }, .name = "zstd"
    };
    if (level < 1 || level > MOST_ZSTD)
        return PCDF_FAIL(NC_EINVAL, "zstd has levels from 1 to %d, and 0 for %d, not %d", MOST_ZSTD,
                         USUAL_ZSTD, number[0]);
    return set_codec(v, &zstd);
}

static int set_szip(struct pcdf_stored_var *v, const int *number)
{
    const struct pcdf_codec szip = { .id = PCDF_CODEC_SZIP,
                                     .nparams = 2,
                                     .params = { (uint32_t)number[0], (uint32_t)number[1] },
                                     .name = "szip" };
    if (number[0] != NC_SZIP_NN && number[0] != NC_SZIP_EC)
        return PCDF_FAIL(NC_EINVAL, "the options of szip are NC_SZIP_NN or NC_SZIP_EC, not %d", number[0]);
    if (number[1] < 2 || number[1] > MOST_PIXELS || number[1] % 2 != 0)
        return PCDF_FAIL(NC_EINVAL, "a block of szip has an even number of pixels from 2 to %d, not %d",
                         MOST_PIXELS, number[1]);
    return set_codec(v, &szip);
}

static int set_sum(struct pcdf_stored_var *v, bool is_on)
{
    const struct pcdf_codec sum = { .id = PCDF_CODEC_FLETCHER32, .name = "fletcher32" };
    if (is_on)
        pcdf_stored_set_codec(v, &sum);
    else
        pcdf_stored_drop_codec(v, PCDF_CODEC_FLETCHER32);
    return NC_NOERR;
}

/* Codecs make an AUTO variable chunked, and so is one that was CONTIGUOUS. */
static int set_filters(struct pcdf_dataset *ds, int varid, struct pcdf_stored_vars *vars,
                       const struct pcdf_stored_asked *asked)
{
    const struct pcdf_var *var = &ds->meta.vars[varid];
    struct pcdf_stored_var *v = &vars->x[varid];
    const int *number = asked->number;
    if (var->ndims == 0)
        return PCDF_FAIL(NC_EINVAL, "variable \"%.80s\" is a scalar: it has no chunks, and so no filters",
                         var->name);
    int err = asked->call == PCDF_STORED_CALL_DEFLATE ? set_deflate(v, var, number)
              : asked->call == PCDF_STORED_CALL_ZSTD  ? set_zstd(v, number)
              : asked->call == PCDF_STORED_CALL_SZIP  ? set_szip(v, number)
                                                      : set_sum(v, number[0] != 0);
    if (!err && v->chain.n > 0 && v->way == PCDF_STORED_CONTIGUOUS)
        v->way = PCDF_STORED_AUTO;
    return err;
}

int pcdf_stored_define_all(struct pcdf_dataset *ds, int varid, const struct pcdf_stored_asked *asked)
{
    static const enum pcdf_kind kinds[] = { PCDF_KIND_DEF_VAR_CHUNKING, PCDF_KIND_DEF_VAR_DEFLATE,
                                            PCDF_KIND_DEF_VAR_ZSTD, PCDF_KIND_DEF_VAR_SZIP,
                                            PCDF_KIND_DEF_VAR_FLETCHER32 };
    struct pcdf_stored_vars *vars;
    bool is_chunked =
        asked->call == PCDF_STORED_CALL_CHUNKING && asked->number[0] == NC_CHUNKED && asked->chunk;
    int status = need_open_definition(ds, varid, &vars);
    size_t n = !status && is_chunked ? (size_t)ds->meta.vars[varid].ndims * sizeof *asked->chunk : 0;
    const struct pcdf_fact facts[] = {
        { "the id of the variable", NC_EMULTIDEFINE_FNC_ARGS, &varid, sizeof varid },
        { "an argument", NC_EMULTIDEFINE_FNC_ARGS, asked->number, sizeof asked->number },
        { "a chunk length", NC_EMULTIDEFINE_FNC_ARGS, asked->chunk, n },
    };
    PCDF_TRY(pcdf_agree_all(ds, kinds[asked->call], status, facts, 3));
    return asked->call == PCDF_STORED_CALL_CHUNKING ? set_chunking(ds, varid, vars, asked)
                                                    : set_filters(ds, varid, vars, asked);
}

/* ---- inquiries */

/* Of a file that is only read. Texts of more than one byte are chars with one more dimension. */
static void copy_of_image(const struct pcdf_image *image, int varid, struct pcdf_stored_var *v,
                          int64_t *chunk)
{
    const struct pcdf_chunked *from = &image->vars[varid];
    v->way = from->is_contiguous ? PCDF_STORED_CONTIGUOUS : PCDF_STORED_CHUNKED;
    if (from->chain >= 0)
        v->chain = image->chains[from->chain];
    for (int i = 0; i < v->ndims; i++)
        chunk[i] = i < from->ndims ? from->chunk[i] : from->size;
}

int pcdf_stored_inquire(struct pcdf_dataset *ds, int varid, struct pcdf_stored_var *v)
{
    struct pcdf_stored_vars *vars = pcdf_netcdf4_stored(ds);
    PCDF_TRY(pcdf_var_check(ds, varid));
    if (vars)
        PCDF_TRY(pcdf_stored_grow(vars, &ds->meta));
    struct pcdf_stored_var got = { .way = PCDF_STORED_CONTIGUOUS, .ndims = ds->meta.vars[varid].ndims };
    int64_t *chunk = pcdf_calloc((size_t)got.ndims + 1, sizeof *chunk);
    if (!chunk)
        return NC_ENOMEM;
    if (vars) {
        got.way = pcdf_stored_choose(vars, &ds->meta, varid, chunk);
        got.chain = vars->x[varid].chain;
    } else if (pcdf_shown_is_other(ds->shown)) {
        copy_of_image(ds->shown->image, varid, &got, chunk);
    }
    got.chunk = chunk;
    *v = got;
    return NC_NOERR;
}
